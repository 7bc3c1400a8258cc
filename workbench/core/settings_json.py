"""Settings as JSON and back, as their types and their declarations say.

A name of a field is the key unless it declares another, and nothing of a class or a module is written. What a file
lacks takes its default, as files of earlier programs lack what came later, unless the field is in every file, as all
are of a class that declares nothing. What the file has beside them is passed over, unless the class says
`REFUSES_UNKNOWN`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from enum import Enum
from functools import partial
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from workbench.core import json_values
from workbench.core.settings import Stored, declared
from workbench.core.typed_fields import SCALAR

T = TypeVar("T")


@dataclass(frozen=True)
class _Codec:
    """Between a value and JSON; `read` is given what the value is called."""

    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]


def to_json(settings: Any) -> dict[str, Any]:
    """Settings as JSON would hold them."""
    found: dict[str, Any] = {}
    for one, stored, codec in _kept(type(settings)):
        value = getattr(settings, one.name)
        if stored.flat:
            found |= to_json(value)
        else:
            found[stored.key or one.name] = codec.write(value)
    return found


def from_json(made: type[T], found: Any, what: str = "the whole") -> T:
    """The settings of `to_json`.

    Parameters
    ----------
    what
        What they are called where they are something else.

    Raises
    ------
    ValueError, TypeError, WorkbenchError
        If something in it has the wrong type or an impossible value, or is not there and must be.
    """
    given = json_values.named(found, what)
    if getattr(made, "REFUSES_UNKNOWN", False):
        unexpected = set(given) - set(keys(made))
        if unexpected:
            *others, last = keys(made)
            known = f"{', '.join(others)} and {last}" if others else last
            raise ValueError(f"an unexpected “{min(unexpected)}” in {what}, which has {known}")
    values: dict[str, Any] = {}
    for one, stored, codec in _kept(made):
        key = stored.key or one.name
        noun = stored.noun or f"“{key}”"
        if stored.flat:
            values[one.name] = codec.read(given, what)
        elif key in given:
            values[one.name] = codec.read(given[key], noun)
        elif stored.always or not declared(made) or (one.default is MISSING and one.default_factory is MISSING):
            raise ValueError(f"{noun} is missing in {what}")
    return made(**values)


def keys(made: type[Any]) -> dict[str, None]:
    """The keys of `to_json`, in their order."""
    found: dict[str, None] = {}
    for one, stored, _ in _kept(made):
        found |= keys(_hints(made)[one.name]) if stored.flat else {stored.key or one.name: None}
    return found


_fields: dict[Any, tuple[tuple[Field[Any], Stored, _Codec], ...]] = {}


def _kept(made: type[Any]) -> tuple[tuple[Field[Any], Stored, _Codec], ...]:
    """The fields of a dataclass, and how each is kept."""
    if made not in _fields:
        _fields[made] = tuple(_codecs(made))
    return _fields[made]


def _codecs(made: type[Any]) -> Iterator[tuple[Field[Any], Stored, _Codec]]:
    settings, hints = declared(made), _hints(made)
    for one in fields(made):
        stored = settings[one.name].stored if one.name in settings else Stored()
        usual = _codec(hints[one.name])
        write, read = stored.write or usual.write, usual.read
        if stored.read is not None:
            read = partial(_read_by, stored.read)
        yield one, stored, _Codec(write, read)


def _hints(made: type[Any]) -> dict[str, Any]:
    return get_type_hints(made, include_extras=True)


def _codec(hint: Any) -> _Codec:
    if hint in _SIMPLE:
        return _Codec(_same, _SIMPLE[hint])
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated and inside[1] == SCALAR:
        return _Codec(_same, json_values.scalar)
    if origin in (Union, types.UnionType):
        others = tuple(_codec(kind) for kind in inside if kind is not type(None))
        return _any_of(others, optional=len(others) < len(inside))
    if origin is Literal:
        return _Codec(_same, partial(_read_literal, inside))
    if origin is tuple and inside[-1] is Ellipsis:
        each = _codec(inside[0])
        return _Codec(partial(_write_each, each), partial(_read_each, each))
    if origin is tuple:
        several = tuple(map(_codec, inside))
        return _Codec(partial(_write_row, several), partial(_read_row, several))
    if origin is Mapping:
        each = _codec(inside[1])
        return _Codec(partial(_write_named, each), partial(_read_named, each))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _Codec(_value, partial(_read_choice, hint))
    if hasattr(hint, "to_json") and hasattr(hint, "from_json"):
        return _Codec(hint.to_json, partial(_read_by, hint.from_json))
    if hasattr(hint, "__dataclass_fields__"):
        return _Codec(to_json, partial(from_json, hint))
    raise TypeError(f"nothing says how {hint} is kept")


def _any_of(others: tuple[_Codec, ...], optional: bool) -> _Codec:
    """None or a value; or a number or a word, which are both written as they are."""

    def write(value: Any) -> Any:
        return None if value is None else others[0].write(value)

    def read(value: Any, what: str) -> Any:
        if value is None and optional:
            return None
        for one in others[:-1]:
            try:
                return one.read(value, what)
            except (TypeError, ValueError):
                continue
        return others[-1].read(value, what)

    return _Codec(write, read)


def _same(value: Any) -> Any:
    return value


def _value(value: Any) -> Any:
    return value.value


def _read_by(read: Callable[[Any], Any], value: Any, _what: str) -> Any:
    return read(value)


def _read_literal(choices: tuple[Any, ...], value: Any, what: str) -> Any:
    if not any(type(value) is type(one) and value == one for one in choices):
        raise ValueError(f"{what} must be one of {', '.join(map(str, choices))}")
    return value


def _read_choice(kind: type[Enum], value: Any, what: str) -> Any:
    if not isinstance(value, str) or value not in [one.value for one in kind]:
        raise ValueError(f"{what} must be one of {', '.join(str(one.value) for one in kind)}")
    return kind(value)


def _write_each(each: _Codec, values: Any) -> Any:
    return [each.write(one) for one in values]


def _read_each(each: _Codec, values: Any, what: str) -> Any:
    return tuple(each.read(one, f"each entry of {what}") for one in json_values.listed(values, what))


def _write_row(several: tuple[_Codec, ...], values: Any) -> Any:
    return [codec.write(one) for codec, one in zip(several, values, strict=True)]


def _read_row(several: tuple[_Codec, ...], values: Any, what: str) -> Any:
    found = json_values.listed(values, what)
    if len(found) != len(several):
        raise ValueError(f"{what} must be {_COUNTS.get(len(several), len(several))} values")
    return tuple(codec.read(one, f"each entry of {what}") for codec, one in zip(several, found, strict=True))


def _write_named(each: _Codec, values: Any) -> Any:
    return {name: each.write(one) for name, one in values.items()}


def _read_named(each: _Codec, values: Any, what: str) -> Any:
    found = json_values.named(values, what)
    return types.MappingProxyType(
        {json_values.text(name, what): each.read(one, f"“{name}”") for name, one in found.items()}
    )


_COUNTS = {2: "two", 3: "three"}
_SIMPLE: dict[Any, Callable[[Any, str], Any]] = {
    str: json_values.text,
    bool: json_values.truth,
    int: json_values.whole,
    float: json_values.number,
}
