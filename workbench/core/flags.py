"""Settings on the command line: flags that follow from their declarations, what was typed, and the words that say it.

A setting that matters only where another one has a single value chooses that value by being typed: `--bins 7` also
says that there are to be bins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.settings import SAME, Flag, Setting, declared, matters

if TYPE_CHECKING:
    import argparse

_READ = {ParamType.INTEGER: int, ParamType.NUMBER: float}


def declare(
    parser: argparse._ActionsContainer,
    made: type[Any],
    names: Collection[str] = (),
    changes: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Declare the flags of settings.

    Parameters
    ----------
    parser
        A parser or a group of one.
    names
        The settings that are meant; none are all.
    changes
        What this command says in another way, as arguments of `add_argument` by name of the setting.
    """
    for name, one in declared(made).items():
        if names and name not in names:
            continue
        for flag in one.flags:
            words = _arguments(made, one, flag) | dict((changes or {}).get(name, {}))
            parser.add_argument(_name(one.spec, flag), **words)
        if one.stored.flat and one.made is not None:
            declare(parser, one.made)


def given(made: type[Any], options: argparse.Namespace) -> dict[str, Any]:
    """The settings that were typed, or that a command begins with, by name.

    Raises
    ------
    WorkbenchError
        If a text cannot be read.
    """
    found: dict[str, Any] = {}
    for name, one in declared(made).items():
        for flag in one.flags:
            if flag.default is not SAME and (flag.default is not None or one.spec.optional):
                found[name] = flag.default
        for flag, typed in _typed(one, options):
            if flag.value is not None:
                found[name] = flag.value
            else:
                found[name] = flag.read(typed) if flag.read is not None and isinstance(typed, str) else typed
            if implied := _implied(one.spec):
                found[implied[0]] = implied[1]
        if one.stored.flat and one.made is not None:
            found[name] = one.made(**given(one.made, options))
    return found


def chosen(made: type[Any], name: str, options: argparse.Namespace) -> tuple[Any, ...]:
    """The values of a setting that were typed, or that others imply which were; more than one contradict."""
    found: dict[Any, None] = {}
    for other, one in declared(made).items():
        for flag, typed in _typed(one, options):
            if other == name:
                found[typed if flag.value is None else flag.value] = None
            elif (implied := _implied(one.spec)) and implied[0] == name:
                found[implied[1]] = None
    return tuple(found)


def words(settings: Any, leave_out: Collection[str] = ()) -> list[str]:
    """Words typed on the command line for settings: those that matter and are not what the command begins with.

    Raises
    ------
    WorkbenchError
        If a value cannot be typed.
    """
    found: list[str] = []
    for name, one in declared(type(settings)).items():
        value = getattr(settings, name)
        if name in leave_out or value in (None, ()) or not matters(settings, name):
            continue
        if one.stored.flat:
            found += words(value)
        for flag in one.flags:
            if flag.value is not None or one.spec.type is ParamType.SWITCH:
                found += [_name(one.spec, flag)] if value == (flag.value if flag.value is not None else True) else []
                continue
            begin = _begin(type(settings), one, flag)
            if value in _implied_values(type(settings), name) or (value == begin and not flag.always):
                continue
            text = flag.write(_plain(value))
            if flag.always or text != begin:
                found += typed_words(_name(one.spec, flag), text, joined=flag.joined)
    return found


def typed_words(flag: str, value: object, *, joined: bool = False) -> list[str]:
    """A flag and its value; always joined where the value would be taken for a flag."""
    text = str(value)
    return [f"{flag}={text}"] if joined or text.startswith("-") else [flag, text]


def read_numbers(text: str, field: str) -> tuple[float, ...]:
    """Numbers with commas between them.

    Raises
    ------
    WorkbenchError
        If they are none.
    """
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise WorkbenchError(
            f"“{text}” is no list of numbers.", hint=f"Write --{field} 0,10,20.", field=field
        ) from None


def written_numbers(values: Iterable[float]) -> str:
    """Text that `read_numbers` reads, exact to the last digit."""
    return ",".join(map(repr, values))


def _typed(one: Setting, options: argparse.Namespace) -> Iterator[tuple[Flag, Any]]:
    """The flags that were typed, or have a default, each with what is there."""
    for flag in one.flags:
        value = getattr(options, _dest(one.spec, flag), None)
        switch = flag.value is not None or one.spec.type is ParamType.SWITCH
        if value is not None and (value or not switch):
            yield flag, value


def _arguments(made: type[Any], one: Setting, flag: Flag) -> dict[str, Any]:
    spec, text = one.spec, flag.help if isinstance(flag.help, str) else flag.help()
    words: dict[str, Any] = {"dest": _dest(spec, flag), "help": (text or spec.help).replace("%", "%%")}
    if flag.value is not None or spec.type is ParamType.SWITCH:
        return {**words, "action": "store_true"}
    begin = _begin(made, one, flag)
    if spec.type is ParamType.CHOICE:
        implied = _implied_values(made, spec.name)
        words["choices"] = [_plain(value) for value, _ in spec.choices if value not in implied]
    else:
        words |= {"metavar": flag.metavar or "X"}
        if flag.read is None and spec.type in _READ:
            words["type"] = _READ[spec.type]
    if flag.required:
        words["required"] = True
    return {**words, "default": _plain(begin)}


def _begin(made: type[Any], one: Setting, flag: Flag) -> Any:
    """Value that a command begins with: None where a text is still to be read, or where typing it says more."""
    if flag.default is not SAME:
        return flag.default
    return None if flag.read is not None or _implied(one.spec) or flag.required else one.spec.default


def _implied(spec: ParamSpec) -> tuple[str, Any] | None:
    """The other setting that is chosen by typing this one, and its value."""
    single = [(name, values[0]) for name, values in spec.when if len(values) == 1]
    return single[0] if single else None


def _implied_values(made: type[Any], name: str) -> list[Any]:
    """The values of a setting that are chosen by typing another one."""
    found = (_implied(one.spec) for one in declared(made).values() if one.flags)
    return [implied[1] for implied in found if implied is not None and implied[0] == name]


def _name(spec: ParamSpec, flag: Flag) -> str:
    return flag.name or f"--{spec.name.replace('_', '-')}"


def _dest(spec: ParamSpec, flag: Flag) -> str:
    return spec.name if flag.value is None else _name(spec, flag).lstrip("-").replace("-", "_")


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
