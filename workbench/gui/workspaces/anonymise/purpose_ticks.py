"""The ticks of what a release is for, as somebody makes them: none yet, one of perhaps several, or enough."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.anonymise.chains import EXPECTED_ROWS
from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.next_step import PURPOSE
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.kept_alone import KEEP_ONLY
from workbench.session.release.knowledge import matters_most
from workbench.session.release.outlook import Outlook
from workbench.session.release.tried_remedy import OutlookRemedy
from workbench.session.release.ways import offers_ways
from workbench.session.release.wishes import ranked

TICKS = OutlookRemedy("Tick what the release is for", None, PURPOSE)
TICKS_FIRST = "First tick what the release is for."
_FEW = 2
"""Of so many columns none is kept longer once both are ticked, so that nobody has to say which matter."""
MORE_TICKS = OutlookRemedy("Tick what else it is for", None, PURPOSE)
_ONE_TICKED = "Only for {}: go on"
_LONGEST = 16
"""Letters of a name for which a button has room beside its price."""


def draws_on(helps: OutlookRemedy) -> str:
    """What is said behind the draw, before what is due is said: that it is made all the same, and on which guess.

    It is the button of the draw in its place, with its words, so that nobody takes it for another one.
    """
    return f" anyway, as for {EXPECTED_ROWS:,}" if helps.asks_rows else " anyway"


class PurposeTicks:
    """The ticks of a forecast, and whether more of them are likely to come."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._outlook: Outlook | None = None
        self._remedies: Sequence[OutlookRemedy] = ()

    def follow(self, found: PromiseAssessment) -> None:
        """Go by this forecast from now on."""
        self._outlook = None if found.prospect is None else found.prospect.outlook
        self._remedies = () if found.prospect is None else found.remedies

    @property
    def alone(self) -> OutlookRemedy | None:
        """Keeping only what is ticked, where that is told in more detail then: after a draw it is late."""
        return next((one for one in self._remedies if one.gain and one.words == KEEP_ONLY), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the forecast that matter most."""
        return () if self._outlook is None else ranked(self._document.session, self._outlook.widest)

    @property
    def with_others(self) -> str:
        """Behind a draw, while it is offered to keep only what is ticked."""
        widest = () if self._outlook is None else self._outlook.widest
        others = [visible(name) for name in widest if name not in self.names]
        return f" with {others[0] if len(others) == 1 and len(others[0]) <= _LONGEST else 'the others'} too"

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

    @property
    def are_begun(self) -> bool:
        """Whether one column is ticked and others give way for it: the next tick may be under way.

        Of two columns one is an answer, as with both ticked none is kept longer.
        """
        outlook, session = self._outlook, self._document.session
        if outlook is None or self._are_few or len(self.names) != 1:
            return False
        less = {*outlook.silent, *outlook.starred, *outlook.often}
        return any(matters_most(session, name) is False for name in less)

    @property
    def is_all(self) -> str:
        """That the one column that is ticked is all, for a button; "" where none is."""
        return _ONE_TICKED.format(visible(self.names[0])) if self.names else ""
