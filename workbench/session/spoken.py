"""The sentences a person said of the table and of the draws that are there, so that undo can take them back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.session.state import SessionState


@dataclass(frozen=True)
class Spoken:
    """All that is said at one time.

    Parameters
    ----------
    beforehand
        Of the table, and so of each draw that is made since.
    of
        Of which rows that was said.
    said
        Of each draw of which anything is said.
    """

    beforehand: frozenset[str]
    of: tuple[str, float] | None
    said: Mapping[str, frozenset[str]]

    def differs(self, other: Spoken) -> bool:
        """Whether anything else is said, or the same of other rows."""
        return bool(self.beyond(other) or other.beyond(self)) or self.said != other.said

    def beyond(self, other: Spoken) -> frozenset[str]:
        """The sentences said of the table here and not there; the same sentence of other rows is another."""
        return self.beforehand - (other.beforehand if self.of == other.of else frozenset())


def spoken(state: SessionState) -> Spoken:
    """The sentences that are said now."""
    results = state.results
    return Spoken(
        results.beforehand, results.beforehand_of, {draw: said for draw, said in results.said.items() if said}
    )


def speak_again(state: SessionState, before: Spoken, after: Spoken) -> None:
    """Go from what was said `before` to what was said `after`, and leave alone what is the same in both.

    A draw that has left stays as it was said of it. What is no longer said of the table is said of no draw made since.
    """
    results = state.results
    gone, new = before.beyond(after), after.beyond(before)
    if gone or new:
        kept = results.beforehand if results.beforehand_of == after.of else frozenset()
        results.beforehand, results.beforehand_of = (kept - gone) | new, after.of
    for draw in results.said.keys() | before.said.keys() | after.said.keys():
        if draw not in results.exported:
            was, will = (one.said.get(draw, frozenset()) for one in (before, after))
            said = results.said.get(draw, frozenset())
            results.said[draw] = (said - (gone - will) - (was - will)) | (will - was)
