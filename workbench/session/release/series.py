"""Several releases like the present one, planned before the first of them is drawn, so that they cost less together.

Each has a slot for its file and, where its levels are drawn privately, one for that draw. Whoever draws afterwards with
these settings, or with a smaller ε or δ, draws in the next open slot, which costs nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from workbench.core.composition import REPLACE_ONE, ReleaseSpending, counted_as
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted, rounded_up
from workbench.core.planned_composition import planned_price
from workbench.core.rationals import rational
from workbench.core.release_spending import with_number_known
from workbench.query.ledger_plans import plan_spending
from workbench.query.open_slots import slot_for
from workbench.session.ledger import LedgerDesk
from workbench.session.release.charges import file_spending
from workbench.session.release.claims import claim_of, promise_of
from workbench.session.standing import number_at_stake
from workbench.session.state import Desk

MOST_RELEASES = 1000


@dataclass(frozen=True)
class PlannedSeries:
    """The price of a series of releases together.

    Parameters
    ----------
    releases
        How many there are.
    epsilon, delta
        Of all of them together, whichever are made, as it counts in the ledger.
    added
        Their ε by adding up, counted alike.
    entry
        The plan in the ledger; "" where it was not written.
    """

    releases: int
    epsilon: Fraction
    delta: Fraction
    added: Fraction
    entry: str = ""

    @property
    def words(self) -> str:
        """The cost in a sentence."""
        return (
            f"{counted(self.releases, 'release')} like this one, planned before the first is drawn, cost ε = "
            f"{rounded_up(self.epsilon)}, δ = {rounded_up(self.delta)} together, whichever of them are made; by adding "
            f"up it would be ε = {rounded_up(self.added)}."
        )


class SeriesDesk(Desk):
    """Plans series of releases."""

    def price(self, releases: int, delta: float | None = None) -> PlannedSeries:
        """The cost of several releases with the present settings together, if they are planned.

        Parameters
        ----------
        delta
            The δ of all of them, at least the sum of theirs, which is meant if it is None. More makes ε smaller.

        Raises
        ------
        WorkbenchError
            If there are too few or too many, or δ is too small.
        """
        return self._priced(self._slots(releases), releases, delta)

    def _priced(self, slots: Sequence[ReleaseSpending], releases: int, delta: float | None) -> PlannedSeries:
        """As it counts: twice where the number of people is known, or said to be."""
        whole = plan_spending(slots, None if delta is None else rational(delta))
        if not self._number_known:
            return PlannedSeries(releases, whole.epsilon, whole.delta, sum((one.epsilon for one in slots), Fraction(0)))
        rows = whole.rows_per_person
        each = (counted_as(one, rows, REPLACE_ONE)[0] for one in with_number_known(slots))
        return PlannedSeries(releases, *planned_price(whole, rows, REPLACE_ONE), sum(each, Fraction(0)))

    @property
    def _number_known(self) -> bool:
        known = LedgerDesk(self._state).number_known(self._state.opened.content)
        return bool(number_at_stake(self._state).with_other(known))

    def plan(self, releases: int, delta: float | None = None) -> PlannedSeries:
        """Fix so many releases with the settings as they stand in the ledger, and charge what they cost together.

        Raises
        ------
        WorkbenchError
            As `price`; also if a plan pays for such releases already, a run would be a simulation, the budget does not
            suffice, or it cannot be written.
        """
        if self._project.anonymise.seed is not None:
            raise WorkbenchError(
                "Runs with a seed are simulations, which cost nothing.",
                hint="Leave out the seed, or the plan.",
                field="releases",
            )
        if not claim_of(self._state).holds:
            raise WorkbenchError(
                "A plan pays for releases with an (ε, δ) claim, and no claim can be made for this one.",
                hint="Leave out the plan, or mend what takes the claim.",
                field="releases",
            )
        slots = self._slots(releases)
        priced = self._priced(slots, releases, delta)
        ledger = LedgerDesk(self._state).current
        if any(slot_for(ledger.entries, slot) is not None for slot in slots):
            raise WorkbenchError(
                "A plan with an open slot pays for such a release already.",
                hint="Draw the releases of that plan first; they cost nothing more.",
                field="releases",
            )
        each = sum((one.epsilon for one in slots), Fraction(0)) / releases
        what = f"Plan of {counted(releases, 'release')} like one of ε = {rounded_up(each)}"
        known = self._number_known
        entry = ledger.plan(what, slots, None if delta is None else rational(delta), number_known=known)
        LedgerDesk(self._state).copy_into_project(self._state.opened.content)
        return replace(priced, entry=entry.id)

    def _slots(self, releases: int) -> tuple[ReleaseSpending, ...]:
        """The draws of the levels first, so that none of them takes the slot of a file."""
        if not 2 <= releases <= MOST_RELEASES:
            raise WorkbenchError(
                f"A series has between 2 and {MOST_RELEASES:,} releases.", hint="Say how many.", field="releases"
            )
        promised = promise_of(self._state)
        levels: tuple[ReleaseSpending, ...] = ()
        if promised.search is not None:
            levels = (ReleaseSpending(rational(promised.search_epsilon), Fraction(0), promised.rows_per_person),)
        return (*levels * releases, *(file_spending(promised),) * releases)
