"""The one exception a person may see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from traceback import walk_tb
from typing import Self


class WorkbenchError(Exception):
    """Something a person can act on.

    >>> error = WorkbenchError("There is no column “agee”.", hint="The columns are: age, job.", field="agee")
    >>> str(error)
    'There is no column “agee”. The columns are: age, job.'

    Parameters
    ----------
    message
        What happened and where, one or two plain sentences.
    hint
        What to do about it.
    field
        Name of the offending parameter or column, so that a form can point at it.
    details
        What stands on lines of its own below the message, of which it becomes a part.
    flags
        What the command line calls that which the hint speaks of; the window does not show it.
    analyst
        The same with numbers of the data, for whoever looks at them anyway. It is no part of the text, the `repr` or
        the traceback, which end up in logs and saved notebooks.
    unnamed
        The same without values of the data, for where the text itself is kept: in a notebook.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        field: str = "",
        details: Sequence[str] = (),
        flags: str = "",
        analyst: WorkbenchError | None = None,
        unnamed: WorkbenchError | None = None,
    ) -> None:
        self.lines: tuple[str, ...] = (message, *details)
        self.message = "\n".join(self.lines)
        super().__init__(self.message)
        self.hint = hint
        self.field = field
        self.flags = flags
        self.analyst = analyst
        self.unnamed = unnamed

    def also(self, sentence: str) -> Self:
        """The same error that says one thing more.

        >>> str(WorkbenchError("It is too late.").also("Come tomorrow."))
        'It is too late. Come tomorrow.'
        """
        first, *rest = (*self.lines[:-1], f"{self.lines[-1]} {sentence}")
        more = type(self)(first, hint=self.hint, field=self.field, details=rest, flags=self.flags)
        more.analyst = self.analyst and self.analyst.also(sentence)
        more.unnamed = self.unnamed and self.unnamed.also(sentence)
        return more

    def for_analyst(self) -> WorkbenchError:
        """Error as the analyst is told it, once it is remembered that the data was looked at.

        >>> told = WorkbenchError("3 rows are too many.")
        >>> str(WorkbenchError("There are too many rows.", analyst=told).for_analyst())
        '3 rows are too many.'
        """
        return self.analyst or self

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def _render_traceback_(self) -> list[str]:
        """Lines that a notebook shows of it, in any mode: no variable of any frame, since these hold values of data."""
        home = Path(__file__).parents[1]
        own = [
            line for frame, line in walk_tb(self.__traceback__) if home not in Path(frame.f_code.co_filename).parents
        ]
        where = f" (line {own[-1]})" if own else ""
        return [f"{type(self).__name__}{where}:", *self.lines, *([self.hint] if self.hint else [])]
