"""Objects that hold values of the data do not show them by accident.

A log, a traceback, a note that is kept of an interactive session: all of them print what stands in a variable, and a
dataclass prints everything it holds.
"""

from __future__ import annotations

from typing import TypeVar

C = TypeVar("C")


def discreet(cls: type[C]) -> type[C]:
    """Let a class say what it is and not what it holds; stands above `@dataclass`, and again on classes derived."""

    def shown(self: object) -> str:
        return f"<{type(self).__name__}: not shown, because it may hold values of the data>"

    cls.__repr__ = shown  # type: ignore[method-assign]
    return cls
