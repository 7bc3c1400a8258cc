"""Fields that hold what their types say: settings check themselves when they are made, wherever they come from.

What a project accepts it must be able to save, to load and to keep. A type hint alone keeps nobody from putting a text
where a choice is meant, half a character into a name, or what is no number into a number; so `typed_fields` asks each
value against the hint of its field before anything else looks at it. One thing is put right instead of refused: a
choice that is given by its value, as widgets and files give it, becomes the choice itself.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import MOST_DIGITS

T = TypeVar("T")
Fit: TypeAlias = Callable[[Any], Any]

OPEN_FLOAT = "any float"
Measured: TypeAlias = Annotated[float, OPEN_FLOAT]
"""A number that was computed and may be infinite or none at all."""

SCALAR = "scalar"
Scalar: TypeAlias = Annotated[Any, SCALAR]
"""The value of a parameter as a file holds it: a text, a number or a truth value."""

_DEEPEST = 400
"""Of lists inside each other; about twice as many are as many as Python follows."""


class Unfit(WorkbenchError, TypeError):
    """A value of another type than its field; readers of files take it for what it is in a file, a wrong type."""


class _Misfit(Exception):
    """Misfit of a value: the error says in words what is expected instead."""


class _Infinite(_Misfit):
    """The type is right, and a class may have better words for the number."""


def typed_fields(made: type[T]) -> type[T]:
    """Check the fields of a dataclass when it is made, before its own `__post_init__`; goes below `@dataclass`.

    Raises
    ------
    Unfit
        When an object is made with a value that is not what the hint of its field says: another type, half a character
        of a pair in any text, a truth value for a number, or a number that is infinite or none (unless `Measured`).
    """
    then = made.__dict__.get("__post_init__")

    def check(self: Any) -> None:
        infinite: list[Unfit] = []
        for name, fit in _fits(type(self)):
            given = getattr(self, name)
            try:
                kept = fit(given)
            except _Infinite as expected:
                infinite.append(_unfit(name, expected, given))
                continue
            except _Misfit as expected:
                raise _unfit(name, expected, given) from None
            if kept is not given:
                object.__setattr__(self, name, kept)
        if then is not None:
            then(self)
        if infinite:
            raise infinite[0]

    made.__post_init__ = check  # type: ignore[attr-defined]
    return made


def _unfit(name: str, expected: _Misfit, given: Any) -> Unfit:
    return Unfit(
        f"The setting “{name}” cannot be kept: {expected} is expected, and not {_kind(given)}.",
        hint="Choose or type it again.",
        field=name,
    )


def is_text(value: str) -> bool:
    """Whether a file can hold it: there is no half of a pair (a lone surrogate) in it."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_no_text(name: str, field: str = "path") -> None:
    """Refuse the name of a file that no project, ledger or statement could hold; to be asked before anything is paid.

    Where names are bytes, one that is no UTF-8 arrives with halves of pairs in it.

    Raises
    ------
    WorkbenchError
        If it is no text.
    """
    if not is_text(name):
        shown = "".join("\ufffd" if "\ud800" <= sign <= "\udfff" else sign for sign in name)
        raise WorkbenchError(
            f"“{shown}” is not spelled in UTF-8, so no project, ledger or statement could name it.",
            hint="Rename it or its folder, or choose another name.",
            field=field,
        )


_known: dict[Any, tuple[tuple[str, Fit], ...]] = {}


def _fits(made: type[Any]) -> tuple[tuple[str, Fit], ...]:
    if made not in _known:
        hints = get_type_hints(made, include_extras=True)
        _known[made] = tuple((one.name, _fit(hints[one.name])) for one in fields(made))
    return _known[made]


def _fit(hint: Any) -> Fit:
    """Check that a value of this hint goes through."""
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin, inside = get_origin(hint), get_args(hint)
    named = getattr(origin, "__value__", None)
    if named is not None:  # from Python 3.12 on a library may give a type a name, as numpy does with NDArray
        return _fit(get_origin(named) or named)
    if origin is Annotated and inside[1] == OPEN_FLOAT:
        return partial(_number, finite=False)
    if origin is Annotated and inside[1] == SCALAR:
        return _scalar
    if origin in (Union, types.UnionType):
        return partial(_one_of, tuple(map(_fit, inside)))
    if origin is Literal:
        return partial(_literal, inside)
    if origin is tuple and inside[-1] is Ellipsis:
        return _texts if inside[0] is str else partial(_each, tuple, _fit(inside[0]))
    if origin is tuple:
        return partial(_row, tuple(map(_fit, inside)))
    if origin is frozenset:
        return partial(_each, frozenset, _fit(inside[0]))
    if origin is Mapping:
        return partial(_mapping, _fit(inside[1]))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return partial(_choice, hint)
    return partial(_instance, origin or hint)


def _text(value: Any) -> Any:
    if not isinstance(value, str):
        raise _Misfit("a text")
    if not is_text(value):
        raise _Misfit("a text of whole characters")
    return value


def _texts(value: Any) -> Any:
    """Many texts, at the speed of a few: a list of values may be as long as a column."""
    if not isinstance(value, tuple):
        raise _Misfit("a row of texts")
    try:
        together = "\n".join(value)
    except TypeError:
        raise _Misfit("a row of texts") from None
    if not is_text(together):
        raise _Misfit("texts of whole characters")
    return value


def _truth(value: Any) -> Any:
    if not isinstance(value, bool):
        raise _Misfit("yes or no")
    return value


def _whole(value: Any) -> Any:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Misfit("a whole number")
    if abs(value) >= 10**MOST_DIGITS:
        raise _Misfit(f"a whole number of at most {MOST_DIGITS:,} digits")
    return value


def _number(value: Any, *, finite: bool = True) -> Any:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _Misfit("a number")
    try:
        read = float(value)  # as it will be when it is loaded
    except OverflowError:
        raise _Misfit("a number below 1.8e308") from None
    if finite and not math.isfinite(read):
        raise _Infinite("a finite number")
    return value if read == value or read != read else read


def _choice(kind: type[Enum], value: Any) -> Any:
    if isinstance(value, kind):
        return value
    for one in kind:
        if type(value) is type(one.value) and value == one.value:
            return one
    raise _Misfit(f"one of {', '.join(str(one.value) for one in kind)}")


def _literal(choices: tuple[Any, ...], value: Any) -> Any:
    if not any(type(value) is type(one) and value == one for one in choices):
        raise _Misfit(f"one of {', '.join(map(str, choices))}")
    return value


def _none(value: Any) -> Any:
    if value is not None:
        raise _Misfit("nothing")
    return value


def _instance(kind: type[Any], value: Any) -> Any:
    if not isinstance(value, kind):
        raise _Misfit(f"a {kind.__name__}")
    return value


def _one_of(ways: tuple[Fit, ...], value: Any) -> Any:
    # Words, not the errors themselves: an error in a list of the frame it came through is a circle, and holds, until
    # somebody looks for such, all that its callers and theirs had in hand.
    words, infinite = list[str](), False
    for fit in ways:
        try:
            return fit(value)
        except _Misfit as misfit:
            words.append(str(misfit))
            infinite = infinite or isinstance(misfit, _Infinite)
    raise (_Infinite if infinite else _Misfit)(" or ".join(words))


def _each(kind: type[Any], fit: Fit, value: Any) -> Any:
    if not isinstance(value, kind):
        raise _Misfit(f"a {kind.__name__}")
    kept = [fit(one) for one in value]
    return value if all(new is old for new, old in zip(kept, value, strict=True)) else kind(kept)


def _row(fits: tuple[Fit, ...], value: Any) -> Any:
    if not isinstance(value, tuple) or len(value) != len(fits):
        raise _Misfit(f"{len(fits)} values")
    kept = tuple(fit(one) for fit, one in zip(fits, value, strict=True))
    return value if all(new is old for new, old in zip(kept, value, strict=True)) else kept


def _mapping(fit: Fit, value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise _Misfit("values by name")
    kept = {_text(name): fit(one) for name, one in value.items()}
    return value if all(kept[name] is old for name, old in value.items()) else types.MappingProxyType(kept)


def _scalar(value: Any) -> Any:
    if not isinstance(value, bool | int | float | str):
        raise _Misfit("a text, a number or a truth value")
    return _plain(value)


def _plain(value: Any, deep: int = 0) -> Any:
    """A value that JSON can hold, checked."""
    if deep > _DEEPEST:
        raise _Misfit(f"at most {_DEEPEST} lists inside each other")
    if isinstance(value, str):
        _text(value)
    elif isinstance(value, Mapping):
        for name, one in value.items():
            _text(name)
            _plain(one, deep + 1)
    elif isinstance(value, list | tuple):
        for one in value:
            _plain(one, deep + 1)
    elif isinstance(value, float):
        _number(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        _whole(value)
    elif not (value is None or isinstance(value, bool)):
        raise _Misfit("a text, a number, a truth value, or lists and names of these")
    return value


_SIMPLE: dict[Any, Fit] = {
    str: _text,
    bool: _truth,
    int: _whole,
    float: _number,
    type(None): _none,
    Any: _plain,
}


def _kind(value: Any) -> str:
    """Kind of a value, without the value itself, which may be one of the data."""
    if isinstance(value, bool):
        return "yes or no"
    if isinstance(value, str):
        return "another text"
    if isinstance(value, int | float):
        return "another number"
    return "nothing" if value is None else f"a {type(value).__name__}"
