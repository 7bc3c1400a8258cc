"""The ticks of what a release is for, as somebody makes them: none yet, none needed, or some."""

from __future__ import annotations

from workbench.core.number_text import counted
from workbench.gui.document import Document
from workbench.gui.next_step import PURPOSE
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.outlook import Outlook
from workbench.session.release.purpose import left_out
from workbench.session.release.tried_remedy import OutlookRemedy
from workbench.session.release.ways import offers_ways
from workbench.session.release.wishes import ranked

TICKS = OutlookRemedy("Tick what the release is for", None, PURPOSE)
IN_THE_FILE = "It is in the file; what is not ticked is not, unless “The others too” is ticked"
TICKS_FIRST = "First tick what the release is for."
_FEW = 2
"""Of so many columns none is kept longer once both are ticked, so that nobody has to say which matter."""


class PurposeTicks:
    """The ticks of a forecast, and whether they are missing."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._outlook: Outlook | None = None

    def follow(self, found: PromiseAssessment) -> None:
        """Go by this forecast from now on."""
        self._outlook = None if found.prospect is None else found.prospect.outlook

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the forecast that matter most."""
        return () if self._outlook is None else ranked(self._document.session, self._outlook.widest)

    @property
    def of_so_many(self) -> str:
        """Behind a draw, of how many columns it is where the others are left out, so that nobody takes it for all."""
        if not self.names or not left_out(self._document.session):
            return ""
        return f" of {counted(len(() if self._outlook is None else self._outlook.widest), 'column')}"

    @property
    def are_missing(self) -> bool:
        """Whether columns give way for others, and nobody said for which, though it could be said."""
        return self._give_way and not self._are_few

    @property
    def are_needless(self) -> bool:
        """Whether columns give way for others, and there are so few that ticks of all of them change nothing."""
        return self._give_way and self._are_few

    @property
    def _give_way(self) -> bool:
        outlook = self._outlook
        if outlook is None or not (outlook.silent or outlook.starred or outlook.often):
            return False
        return not self.names and offers_ways(self._document.session)

    @property
    def _are_few(self) -> bool:
        return self._outlook is not None and len(self._outlook.widest) <= _FEW
