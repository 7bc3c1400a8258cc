"""The one exception a person may see."""

from __future__ import annotations

from typing import Self


class WorkbenchError(Exception):
    """Something a person can act on.

    Parameters
    ----------
    message
        What happened and where, one or two plain sentences.
    hint
        What to do about it.
    field
        Name of the offending parameter or column, so that a form can point at it.
    """

    def __init__(self, message: str, *, hint: str = "", field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.field = field

    def also(self, sentence: str) -> Self:
        """The same error that says one thing more."""
        return type(self)(f"{self.message} {sentence}", hint=self.hint, field=self.field)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()
