"""Python as text: calls whose arguments are literals, in lines that can be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from keyword import iskeyword
from typing import Any
from unicodedata import normalize

_WIDTH = 100


@dataclass(frozen=True)
class Raw:
    """An expression that is no literal, such as the name of a variable."""

    text: str


@dataclass(frozen=True)
class Call:
    """A call: the function, and its arguments in order and by name; names may be any texts, as those of columns are."""

    function: str
    given: Sequence[Any] = ()
    named: Mapping[str, Any] | None = None


def written(value: Any, indent: int = 0, taken: int = 0) -> str:
    """The expression, on one line if it fits.

    Parameters
    ----------
    indent
        How far its lines after the first stand from the left.
    taken
        How much of the first line is taken already.
    """
    flat = _flat(value)
    if indent + taken + len(flat) <= _WIDTH or not _parts(value):
        return flat
    opening, parts, closing = _around(value)
    inner = " " * (indent + 4)
    lines = [f"{inner}{head}{written(part, indent + 4, len(head) + 1)}," for head, part in parts]
    return "\n".join([opening, *lines, f"{' ' * indent}{closing}"])


def _flat(value: Any) -> str:
    if isinstance(value, Raw):
        return value.text
    if not _parts(value):
        return _atom(value)
    opening, parts, closing = _around(value)
    inside = ", ".join(f"{head}{_flat(part)}" for head, part in parts)
    if isinstance(value, tuple) and len(value) == 1:
        inside += ","
    return f"{opening}{inside}{closing}"


def _parts(value: Any) -> bool:
    return isinstance(value, Call) or (isinstance(value, Mapping | list | tuple) and bool(value))


def _around(value: Any) -> tuple[str, list[tuple[str, Any]], str]:
    """The text before the parts of a value, the parts with the text before each, and the text after them."""
    if isinstance(value, Call):
        named = dict(value.named or {})
        given: list[tuple[str, Any]] = [("", one) for one in value.given]
        if all(map(_is_keyword_argument, named)):
            return f"{value.function}(", [*given, *((f"{name}=", one) for name, one in named.items())], ")"
        return f"{value.function}(", [*given, ("**", named)], ")"
    if isinstance(value, Mapping):
        return "{", [(f"{_atom(name)}: ", one) for name, one in value.items()], "}"
    return ("[", [("", one) for one in value], "]") if isinstance(value, list) else ("(", [("", o) for o in value], ")")


def _is_keyword_argument(name: str) -> bool:
    """Whether Python reads a name before `=` as just this name: it takes “ﬁ” for “fi”, which may be another column."""
    return name.isidentifier() and not iskeyword(name) and name != "__debug__" and normalize("NFKC", name) == name


def _atom(value: Any) -> str:
    if isinstance(value, Enum):
        return _atom(value.value)
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, str):
        text = repr(str(value))
        # With the quotes that this project's own code has, wherever they need no marks of their own.
        return f'"{text[1:-1]}"' if text.startswith("'") and '"' not in text and "\\'" not in text else text
    return repr(value)
