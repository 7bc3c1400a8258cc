"""The draw of an (ε, δ) release: paid for before it is made, levels and release, and made on any thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from workbench.anonymise.claim import Claim
from workbench.anonymise.dp_search import DrawnLevels
from workbench.anonymise.promise import ReleaseGuarantee
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.sampling import Outcome
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.discreet import discreet
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import PaidSource, source_for
from workbench.core.working_table import PreparedTable
from workbench.engines.dispatch import engine_of
from workbench.query.ledger_entries import Charge
from workbench.query.open_slots import slot_for
from workbench.session.data import DataDesk
from workbench.session.ledger import LedgerDesk
from workbench.session.refused_for_rows import refusals_recorded
from workbench.session.release.by_rule import release_table
from workbench.session.release.charges import charge_of_draw, charge_of_levels
from workbench.session.release.claims import (
    assessed,
    claim_of,
    guarantee_of,
    promise_of,
    recipe_digest,
    recipe_of,
)
from workbench.session.release.columns import ColumnsDesk
from workbench.session.release.coverage import covering
from workbench.session.release.result import levels_key, new_draw, starred
from workbench.session.standing import number_at_stake
from workbench.session.state import Desk, SessionState


@discreet
@dataclass(frozen=True)
class AnonymiseRun:
    """The products of a run, and the session as it was when the run was bound together.

    `draw` is its name; `prepared` is the working table it was made from; `hierarchies` are those it used, with the
    values they miss.
    """

    outcome: Outcome | TrimOutcome
    guarantee: ReleaseGuarantee
    then: SessionState
    draw: str
    prepared: PreparedTable
    drawn: DrawnLevels | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    starred: Mapping[str, float] = field(default_factory=dict)


class DrawDesk(Desk):
    """Makes draws and charges them."""

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._data, self._ledger, self._columns = DataDesk(state), LedgerDesk(state), ColumnsDesk(state)

    def drawer(self) -> Callable[[Progress], AnonymiseRun]:
        """Everything a run needs, bound together now; call it on any thread. It makes the working table first.

        What is drawn is charged before it is drawn, levels and release, and what follows cannot be cancelled. A
        simulation with a seed is not charged: it has no claim.

        Raises
        ------
        WorkbenchError
            Also when it is called: if the budget does not suffice, which is said with what would fit, or nothing can
            be charged.
        """
        then = self.snapshot()
        promised = guarantee_of(then._state)
        recipe = recipe_of(then._state, promised)
        own = dict(then._project.hierarchies)
        public = {plan.name: own[plan.name].values for plan in recipe.columns if plan.name in own}
        if not isinstance(promised, TrimGuarantee):
            public = {}
        read = then._state.opened.reading.table
        for plan in recipe.columns:
            if plan.treatment is not Treatment.LEAVE_OUT and plan.name not in public:
                # What an engine does not list could not be written after the draw.
                read.require_listed(plan.name)
        numbers = source_for(then._project.anonymise.seed)
        if numbers.secure:
            then.refuse_beyond_budget()

        @refusals_recorded(then._state)
        def run(progress: Progress = SILENT) -> AnonymiseRun:
            draw = new_draw()
            source = PaidSource(numbers, lambda: then._pay_for_draw(draw) if numbers.secure else None)
            progress = progress.until(lambda: source.paid)
            prepared = release_table(then._state, progress.part(0.0, 0.4))
            # What hierarchies miss is * by rule, so that it need not be listed.
            table, share = prepared.table.listed_by(public), 0.4
            hierarchies = own if isinstance(promised, TrimGuarantee) else covering(own, table)
            half = share if then._columns.private_search is None else (share + 1) / 2

            def pay(nodes: int) -> None:
                if numbers.secure:
                    then._pay_for_levels(draw, nodes)

            drawn = then._columns.draw_levels(table, promised, source, pay, progress.part(share, half))
            # The steps above levels that are drawn follow from these; ε and δ of them all stay what they were.
            levels = None if drawn is None else drawn.choice.levels
            settled = promised if levels is None else guarantee_of(then._state, levels)
            chosen = recipe if levels is None else recipe_of(then._state, settled, levels)
            # The sample is drawn after the levels and from numbers of its own: one sample must not serve both.
            outcome = engine_of(table).release(chosen, hierarchies, source, progress.part(half, 1.0))
            source.pay()  # also where nothing had to be drawn, such as for a table without rows
            for column in outcome.release.columns:
                column.counts  # noqa: B018 - kept with it; what shows the release asks for them on the window's thread
            return AnonymiseRun(outcome, settled, then._state, draw, prepared, drawn, hierarchies, starred(outcome))

        return run

    def _pay_for_levels(self, draw: str, nodes: int) -> None:
        """Charge the private draw of the levels for the settings as they stand."""
        promised = promise_of(self._state)
        if promised.search is not None:
            claim = self._claim_of_new(draw)
            charge = charge_of_levels(promised, promised.search, nodes, draw, claimed=claim.choice_holds)
            self._ledger.current.charge(charge, number_known=self._counts_twice(claim))

    def _pay_for_draw(self, draw: str) -> None:
        """Charge the draw of a release with the settings as they stand, whatever becomes of it."""
        promised = promise_of(self._state)
        recipe = recipe_digest(self._state, recipe_of(self._state, promised.release))
        looks = [look.id for look in self._ledger.looks_before(self._data.fingerprint)]
        claim = self._claim_of_new(draw)
        charge = charge_of_draw(promised, claim, recipe, draw, looks)
        self._ledger.current.charge(charge, number_known=self._counts_twice(claim))

    def _counts_twice(self, claim: Claim) -> bool:
        """Whether the budget must have room for all of it twice; a draw without a claim may leave beyond it."""
        return bool(number_at_stake(self._state)) and claim.holds

    def _claim_of_new(self, draw: str) -> Claim:
        """The claim of a draw that is still to be made, whatever was drawn with these settings before."""
        promised = promise_of(self._state)
        recipe = recipe_of(self._state, promised.release)
        return assessed(self._state, recipe, promised, secure=True, mine=(levels_key(draw), draw))

    def refuse_beyond_budget(self, *, number_known: bool = False) -> None:
        """Refuse a draw for which the budget does not suffice, with its levels, or that cannot be charged.

        Parameters
        ----------
        number_known
            Whether it is to leave where it is known how many people there are, so that all counts twice; also where
            the settings say so.

        Raises
        ------
        WorkbenchError
            If it is so.
        """
        claim = claim_of(self._state)
        unpaid = self.unpaid(claim)
        ledger = self._ledger.current
        known = number_known or self._counts_twice(claim)
        if known:
            ledger.refuse_number_known([one.released for one in unpaid])
        if not unpaid:
            return
        charge = unpaid[0]
        whole = replace(charge, epsilon=sum((one.epsilon for one in unpaid), Fraction(0)))
        refusal = ledger.remaining_after(whole, number_known=known).refusal
        if refusal is not None:
            raise refusal

    def unpaid(self, claim: Claim) -> list[Charge]:
        """The charges for a draw with the present settings: itself and its levels, but for what a plan pays."""
        promised = promise_of(self._state)
        charges = [charge_of_draw(promised, claim, "", "")]
        if promised.search is not None:  # a charge of its own; both must fit
            charges.append(charge_of_levels(promised, promised.search, 0, "", claimed=claim.choice_holds))
        ledger = self._ledger.current
        return [one for one in charges if not one.claimed or slot_for(ledger.entries, one.released) is None]
