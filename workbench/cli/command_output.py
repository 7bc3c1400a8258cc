"""Shared parts of commands: output, arguments of the form COL=VALUE, and progress."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from workbench.cli.printing import on_terminal, show_progress
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress

if TYPE_CHECKING:  # what an answer is about is imported by whoever has one
    from workbench.anonymise.promise import Promise
    from workbench.anonymise.reasons import Reason
    from workbench.anonymise.sample_guarantee import Guarantee
    from workbench.anonymise.trim_guarantee import TrimGuarantee
    from workbench.session import Session


@dataclass(frozen=True)
class CommandOutput:
    """The output of a command: data for `--json`, lines for people, and the exit code with which it ends.

    The lines are kept apart until they are printed, so that a name that holds an end of a line cannot begin one.
    """

    data: dict[str, Any]
    lines: tuple[str, ...]
    code: int = 0

    def also(self, *lines: str, **data: Any) -> CommandOutput:
        """The same answer that says more."""
        return replace(self, data={**self.data, **data}, lines=(*self.lines, *lines))


def bullets(reasons: Iterable[Reason]) -> list[str]:
    return [f"  - {reason.text} {reason.remedy}" for reason in reasons]


def privacy(promised: Guarantee | Promise) -> dict[str, Any]:
    spent = {"epsilon": promised.epsilon, "delta": promised.delta}
    trimmed = getattr(promised, "trimmed", None)
    if trimmed is not None:
        return {**spent, **trimming(trimmed)}
    return {**spent, "beta": promised.beta, "k": promised.k, "accounting": promised.accounting.value}


def trimming(promised: TrimGuarantee) -> dict[str, Any]:
    """The rows that groups give up, and the sizes at which they survive, at the finest step and for any of them."""
    return {
        "mean_lost": promised.mean_lost,
        "sd": promised.sd,
        "half_survive": promised.half_survive,
        "always_survive": promised.always_survive,
        "half_somewhere": promised.half_somewhere,
        "always_somewhere": promised.always_somewhere,
    }


def with_unread(answer: CommandOutput, session: Session) -> CommandOutput:
    """The answer with what was not read of the file it was made from, named line by line.

    Lines that are no rows belong to no table, so how many there are says nothing of the rows.
    """
    reading = session.data.reading
    answer = answer.also(skipped=reading.skipped, skipped_lines=list(reading.unread()))
    if not reading.skipped:
        return answer
    named = ", ".join(reading.unread(_NAMED))
    more = f" and {reading.skipped - _NAMED:,} more" if reading.skipped > _NAMED else ""
    some = "1 line" if reading.skipped == 1 else f"{reading.skipped:,} lines"
    return answer.also(f"{some} could not be read and took no part: {named}{more}; workbench profile says why.")


_NAMED = 20
"""So many lines are named in a text."""


def assignments(pairs: Iterable[str], names: tuple[str, ...], flag: str) -> list[tuple[str, str]]:
    """Split COL=VALUE; a column name may itself contain “=”, so the longest known name wins."""
    found = []
    for pair in pairs:
        cuts = [position for position, sign in enumerate(pair) if sign == "="]
        if not cuts:
            raise WorkbenchError(f"{flag} {pair} names no column.", hint=f"Write {flag} COLUMN=VALUE.", field=pair)
        known = [cut for cut in cuts if pair[:cut] in names]
        if not known:
            raise WorkbenchError(
                f"There is no column “{pair[: cuts[0]]}”.",
                hint=f"The columns are: {', '.join(names)}.",
                field=pair[: cuts[0]],
            )
        found.append((pair[: known[-1]], pair[known[-1] + 1 :]))
    return found


def derived_with_hierarchy(derived: Iterable[str], given: Container[str]) -> None:
    """Refuse to call a hierarchy derived where none is given: after a slip of the pen another one passed for public."""
    for name in derived:
        if name not in given:
            raise WorkbenchError(
                f"--data-derived {name}: this column is given no hierarchy.",
                hint="Name a column that also has --hierarchy.",
                field=name,
            )


def whole(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise WorkbenchError(
            f"The level of “{name}” must be a whole number, not “{text}”.", hint=f"Write --level {name}=1.", field=name
        ) from None


def progress() -> Progress:
    """Progress on a terminal; silence where stderr is read by a program."""
    if not on_terminal():
        return SILENT
    return Progress(_TerminalLine())


class _TerminalLine:
    """One line on stderr that is overwritten, and cleared at the end."""

    def __init__(self) -> None:
        self._shown = -1
        self._text = ""

    def __call__(self, fraction: float, text: str) -> None:
        self._text = text or self._text
        percent = int(100 * fraction)
        if percent != self._shown:
            self._shown = percent
            show_progress(f"{percent:3} % {self._text}", done=percent >= 100)
