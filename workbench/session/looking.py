"""Looking at the data: the deliberate step before what is computed from the true rows is shown, and its record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.core.errors import WorkbenchError
from workbench.query.recorded_look import AFTER_LOOK
from workbench.session.data import DataDesk
from workbench.session.ledger import LedgerDesk
from workbench.session.release.claims import key_of_result
from workbench.session.release.result import Result
from workbench.session.state import Desk, SessionState

_COSTS = (
    "This is computed from the true rows, and recorded as a look at them.\n"
    "• What has left by now keeps its claim.\n"
    "• A release that is drawn later promises less: (ε, δ) can then bound only what it tells beyond the settings you "
    "choose, as these may follow from what you see.\n"
    "• What a question promises holds only if nothing of it follows from what was seen."
)
LATER = "a draw of this data can have (ε, δ) for its choices as they are only; what has left keeps its own claim."
"""What a look costs in few words, wherever one is offered or was taken, after “from then on” or the like."""
_UNDECIDED = "The present draw has not left. Settle now that it is published, whatever you see? Else it has no claim."


@dataclass(frozen=True)
class AtStake:
    """The cost of a first look at the data.

    Parameters
    ----------
    words
        Said before it is taken.
    undecided
        Whether the present draw would lose its claim unless its publication is settled with the look.
    """

    words: str
    undecided: bool


class LookDesk(Desk):
    """Looks at the data that is open: whether one is recorded, what one would cost, and taking one."""

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._ledger = LedgerDesk(state)

    @property
    def taken(self) -> bool:
        """Whether what is computed from the true rows may be shown, because a look at this data is recorded."""
        return self._ledger.is_looked_at(DataDesk(self._state).fingerprint)

    @property
    def of_answers(self) -> str:
        """The warning to whoever asks a question that a look at this data is recorded; "" if none is."""
        return AFTER_LOOK if self._state.loaded is not None and self.taken else ""

    @property
    def at_stake(self) -> AtStake:
        """The cost of a first look."""
        if self._undecided is not None:
            return AtStake(f"{_COSTS}\n{_UNDECIDED}", undecided=True)
        return AtStake(_COSTS, undecided=False)

    @property
    def _undecided(self) -> Result | None:
        """The present draw, if it would lose its claim unless its publication is settled with the look.

        After the first look no draw can be settled any more.
        """
        if self.taken:
            return None
        result = self._state.results.result
        if result is None or not result.outcome.secure or result.key != key_of_result(self._state):
            return None
        left = self._ledger.entry_of(result.fingerprint, result.draw) is not None
        return None if left or not result.claim.holds else result

    def take(self, at: str, *, publish: bool = False, lasting: bool = False) -> None:
        """Record a look, before anything is shown. From then on a draw keeps its claim only if it was settled before.

        Parameters
        ----------
        at
            What is looked at, as a code.
        publish
            The person settles now that the present draw will be published, whatever is seen.
        lasting
            Whether it must stand in the ledger, because nobody will save the project.

        Raises
        ------
        WorkbenchError
            If it must last and cannot be written.
        """
        settled = self._undecided if publish else None
        keys = () if settled is None else (settled.draw,)
        self._ledger.looked(DataDesk(self._state).fingerprint, at, keys, lasting=lasting)

    def require(self, what: str, hint: str) -> None:
        """Refuse what is computed from the true rows as long as no look is recorded.

        Parameters
        ----------
        what
            What is asked for, at the beginning of a sentence in the plural.

        Raises
        ------
        WorkbenchError
            If none is.
        """
        if not self.taken:
            raise WorkbenchError(
                f"{what} are computed from the true rows, and so far no look at this data is recorded.",
                hint=hint,
                field="look",
            )


class TrueRowsDesk(Desk):
    """A part of the session that computes from the true rows, once a look at them is recorded.

    Attributes
    ----------
    looks_at
        What it looks at, as a code in the record of a look.
    looked_for
        What it computes, at the beginning of a sentence in the plural.
    """

    looks_at: ClassVar[str]
    looked_for: ClassVar[str]

    @property
    def looked(self) -> bool:
        """Whether what is computed from the true rows may be shown, because a look at the open data is recorded."""
        return self._state.loaded is not None and LookDesk(self._state).taken

    @property
    def at_stake(self) -> AtStake:
        """The cost of a first look at the open data."""
        return LookDesk(self._state).at_stake

    def look(self, *, publish: bool = False, lasting: bool = False) -> None:
        """Record a look before anything is computed; see `LookDesk.take`.

        Raises
        ------
        WorkbenchError
            If no data is open, or the look must last and cannot be written.
        """
        LookDesk(self._state).take(self.looks_at, publish=publish, lasting=lasting)

    def require_look(self) -> None:
        """Refuse to compute from the true rows as long as no look is recorded.

        Raises
        ------
        WorkbenchError
            If none is.
        """
        LookDesk(self._state).require(self.looked_for, "Settle what you publish first, then take the look.")
