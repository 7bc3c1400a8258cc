"""Settings declared once: a frozen dataclass whose fields say what there is to know about them.

    users: int | None = setting(None, title="People who are asked", about="…", minimum=1, flag=Flag(metavar="N"))

From this follow how a project keeps it (`core.settings_json`), the flag and the words of a command (`core.flags`), the
field of a form with its undo (`gui.widgets.bound_form`) and its entry in the help. `typed_fields` checks the type.
Where the settings of each room are declared is listed in `project.rooms`.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType
from workbench.core.worded import Worded

_KEY = "setting"
_SIMPLE = {
    bool: ParamType.SWITCH,
    int: ParamType.INTEGER,
    float: ParamType.NUMBER,
    str: ParamType.TEXT,
    tuple[float, ...]: ParamType.NUMBERS,
}

SAME = object()
"""The default of a flag that is the one of its setting."""


@dataclass(frozen=True)
class Flag:
    """The way a setting is typed in a command.

    Parameters
    ----------
    metavar
        What stands for the value in the help of a command.
    name
        With its dashes; "" makes it of the name of the setting.
    help
        "" takes that of the setting; a function where it names what is installed.
    value
        What the flag alone says, without a value behind it.
    default
        Where a command begins elsewhere than the window.
    read, write
        Between what is typed and the value, where neither follows from the type.
    required
        Whether the command needs it.
    always
        Whether a copied command says it even where it is the usual one.
    joined
        Whether it always stands with its value in one word, as the value may begin with a minus.
    """

    metavar: str = ""
    name: str = ""
    help: str | Callable[[], str] = ""
    value: Any = None
    default: Any = SAME
    read: Callable[[str], Any] | None = None
    write: Callable[[Any], str] = str
    required: bool = False
    always: bool = False
    joined: bool = False


@dataclass(frozen=True)
class Stored:
    """The form a setting has in a file, where that does not follow from its type.

    Parameters
    ----------
    flat
        Whether the settings it consists of stand among its neighbours.
    always
        Whether every file has it, so that one without it is damaged.
    key
        Its key, where older files call it by another name than the program does; "" is its name.
    noun
        What it is called where a file has something else in its place; "" makes it of the key.
    write, read
        To JSON and back.
    written
        The type of what `write` makes, which a schema of the settings tells.
    """

    flat: bool = False
    always: bool = False
    key: str = ""
    noun: str = ""
    write: Callable[[Any], Any] | None = None
    read: Callable[[Any], Any] | None = None
    written: Any = Any


@dataclass(frozen=True)
class Setting:
    """A declared field: its parameter, how commands and files have it, and what is said of an impossible value.

    Parameters
    ----------
    made
        The dataclass it is, if it consists of settings of its own.
    refusal
        A message, in which `{value}` is the value, and a hint; empty for those that follow from the parameter.
    """

    spec: ParamSpec
    flags: tuple[Flag, ...] = ()
    stored: Stored = Stored()
    made: type[Any] | None = None
    refusal: tuple[str, str] = ("", "")

    def check(self, value: Any) -> None:
        """Refuse a value out of bounds, or none of the choices.

        Raises
        ------
        WorkbenchError
            If it is.
        """
        if isinstance(value, Enum):
            return
        try:
            self.spec.check(value)
        except WorkbenchError as error:
            message, hint = self.refusal
            if not message:
                raise
            if self.spec.too_large(value):  # which a refusal need not speak of
                raise WorkbenchError(error.message, hint=hint, field=self.spec.name) from None
            raise WorkbenchError(message.format(value=value), hint=hint, field=self.spec.name) from None


def setting(
    default: Any = MISSING,
    *,
    title: str,
    about: str,
    factory: Callable[[], Any] | None = None,
    minimum: float = -math.inf,
    maximum: float = math.inf,
    open_minimum: bool = False,
    amount: bool = False,
    offered: tuple[float, float] | None = None,
    choices: Sequence[tuple[Any, str]] = (),
    unit: str = "",
    placeholder: str = "",
    when: Mapping[str, Sequence[Any]] | None = None,
    label: str = "",
    undo: str = "",
    cleared: str = "",
    group: str = "",
    explain: str = "",
    kind: ParamType | None = None,
    refusal: tuple[str, str] = ("", ""),
    flag: Flag | Sequence[Flag] = (),
    stored: Stored = Stored(),
) -> Any:
    """A field of a dataclass with everything there is to know about it; see `ParamSpec`, `Flag` and `Stored`.

    `about` is the help of the parameter, and `kind` is needed only where a text has several lines or names a column.
    """
    spec = ParamSpec(
        "",
        title,
        kind or ParamType.OTHER,
        help=about,
        minimum=minimum,
        maximum=maximum,
        open_minimum=open_minimum,
        amount=amount,
        offered=offered,
        choices=tuple(choices),
        unit=unit,
        placeholder=placeholder,
        when=tuple((name, tuple(values)) for name, values in (when or {}).items()),
        label=label,
        undo=undo,
        cleared=cleared,
        group=group,
        explain=explain,
    )
    flags = (flag,) if isinstance(flag, Flag) else tuple(flag)
    metadata = {_KEY: Setting(spec, flags, stored, refusal=refusal)}
    if factory is not None:
        return field(default_factory=factory, metadata=metadata)
    return field(default=default, metadata=metadata)


_known: dict[Any, Mapping[str, Setting]] = {}


def declared(made: type[Any]) -> Mapping[str, Setting]:
    """The declared fields of a dataclass, by name, in their order."""
    if made not in _known:
        hints = get_type_hints(made)
        _known[made] = types.MappingProxyType(
            {
                one.name: _completed(one.metadata[_KEY], one.name, _default(one), hints[one.name])
                for one in fields(made)
                if _KEY in one.metadata
            }
        )
    return _known[made]


def check_settings(settings: Any) -> None:
    """Refuse numbers out of their bounds, and texts that are none of the choices.

    Raises
    ------
    WorkbenchError
        If a setting has an impossible value.
    """
    for name, one in declared(type(settings)).items():
        one.check(getattr(settings, name))


def matters(settings: Any, name: str) -> bool:
    """Whether a setting has an effect beside the others."""
    spec = declared(type(settings))[name].spec
    return spec.matters({other: getattr(settings, other) for other, _ in spec.when})


def explanations(room: str, made: type[Any]) -> Mapping[str, ParamSpec]:
    """The entries in the help that explain the settings of a room, each with the parameter it is about."""
    found: dict[str, ParamSpec] = {}
    for name, one in declared(made).items():
        if one.made is not None and declared(one.made):
            found |= explanations(room, one.made)
        found.setdefault(f"{room}.{one.spec.explain or name}", one.spec)
    return found


def _completed(one: Setting, name: str, default: Any, hint: Any) -> Setting:
    """The declaration with what follows from the name, the default and the type of the field."""
    inside = [kind for kind in get_args(hint) if kind is not type(None)]
    optional = get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)
    kind = inside[0] if optional and len(inside) == 1 else hint
    choices: tuple[tuple[Any, str], ...] = one.spec.choices
    found, made = ParamType.OTHER, None
    if isinstance(kind, type) and issubclass(kind, Enum):
        found, choices = ParamType.CHOICE, choices or tuple((value, _words(value)) for value in kind)
    elif kind in _SIMPLE:
        found = ParamType.CHOICE if choices else _SIMPLE[kind] if one.spec.type is ParamType.OTHER else one.spec.type
    elif isinstance(kind, type) and hasattr(kind, "__dataclass_fields__"):
        made = kind
    spec = vars(one.spec) | {
        "name": name,
        "type": found,
        "default": default,
        "optional": optional,
        "choices": choices,
    }
    return Setting(ParamSpec(**spec), one.flags, one.stored, made, one.refusal)


def _words(value: Enum) -> str:
    return value.words if isinstance(value, Worded) else str(value.value)


def _default(one: Any) -> Any:
    if one.default_factory is not MISSING:
        return one.default_factory()
    return None if one.default is MISSING else one.default
