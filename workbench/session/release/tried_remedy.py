"""A remedy for the outlook of a release, and what it would make of it: tried on a copy of the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.core.errors import WorkbenchError
from workbench.session.release.outlook import Outlook
from workbench.session.release.prospect import expected_of
from workbench.session.session import Session

AS_MUCH = 0.98
"""The share of what was told before that counts as telling as much."""
COSTS = 0.05
"""A smaller share of the rows is not told as a cost."""


@dataclass(frozen=True)
class OutlookRemedy:
    """A remedy in words, and the edit that does it; none where the person has something to say first.

    `field` names the control of the room where that is said; `about` says more of it than has room on a button, and
    `columns` are those it is about where nothing is done to them yet; `asks_rows` says that it is asked how many rows
    there are; `is_choice` that something is given up for it, so that nobody is led to it; `gain` is what becomes of
    all else by it, where it is offered and not led to; and `with_draw` are the words of a tick by which it is done with
    the draw, as columns that would say nothing in any row are all that the file then lacks; "" where it is not.
    """

    words: str
    edit: Callable[[Session], object] | None
    field: str = ""
    about: str = ""
    columns: tuple[str, ...] = ()
    asks_rows: bool = False
    is_choice: bool = False
    gain: str = ""
    with_draw: str = ""

    @property
    def offered(self) -> str:
        """Words that say what it is good for."""
        return f"{self.words}: {self.gain}" if self.gain else self.words


def outlook_after(session: Session, one: OutlookRemedy) -> Outlook | None:
    """What is expected once it was done; None where the person has something to say first, or it cannot be done."""
    trial = session.snapshot()
    if one.edit is None:
        return None
    try:
        one.edit(trial)
        return expected_of(trial, trial.release.promise())[1]
    except WorkbenchError:
        return None
