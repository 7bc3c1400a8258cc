"""The keys of a JSON file that a command reads, in the words of its declared settings."""

from __future__ import annotations

import textwrap
from enum import Enum
from typing import Any

from workbench.core.settings import declared

_WIDTH, _INDENT = 79, 17


def keys_in_words(title: str, made: type[Any]) -> str:
    """A heading and a paragraph per key: what it is, which words it takes, and with which other key it counts."""
    lines = [title]
    for name, one in declared(made).items():
        key, said = one.stored.key or name, one.spec.help
        said = f"{said[0].upper() if said[0].isascii() else said[0]}{said[1:]}{'' if said[-1] in '.?' else '.'}"
        words = [_word(value) for value, _ in one.spec.choices]
        said += f" One of {', '.join(words)}." if words else ""
        for other, values in one.spec.when:
            said += f" With “{other}”: {', '.join(map(_word, values))}."
        filled = textwrap.wrap(said, _WIDTH - _INDENT, break_long_words=False, break_on_hyphens=False)
        lines += [(" " * _INDENT if number else f"  {key}".ljust(_INDENT)) + line for number, line in enumerate(filled)]
    return "\n".join(lines)


def _word(value: Any) -> str:
    return str(value.value if isinstance(value, Enum) else value)
