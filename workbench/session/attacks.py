"""Attacking one's own release, to see what protection means. All of it is computed from true values: analyst only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.risk import Risk, class_sizes
from workbench.anonymise.sampling import Outcome
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Role
from workbench.core.table import Column, Table
from workbench.evaluate.linkage import LinkageAttack, link
from workbench.evaluate.membership import MembershipTest, tell_membership
from workbench.evaluate.trimmed_linkage import link_trimmed
from workbench.evaluate.trimmed_membership import tell_trimmed_membership
from workbench.plots.paired_bars import PairedShares
from workbench.session.ledger import LedgerDesk
from workbench.session.looking import LookDesk, TrueRowsDesk
from workbench.session.release.desk import ReleaseDesk
from workbench.session.release.result import Result
from workbench.session.state import SessionState
from workbench.session.syntactic.desk import SyntacticDesk
from workbench.session.syntactic.results import Recoded

RUNS = 2000
MOST_STEPS = 8
"""Columns of which each makes a step of what an attacker learns."""

_EXPORT_FIRST = "Export what you want to publish first, then look."
_LEFT = "This draw has left: a look changes nothing of it."


def attackers(found: LinkageAttack) -> PairedShares:
    """How sure each kind of attacker is, at most and on average, of the table and of the release. Analyst only."""
    before, after = found.before, found.after

    def chances(risk: Risk, everybody: float) -> NDArray[np.float64]:
        sure, unsure = risk.prosecutor, risk.journalist
        return np.array([sure.highest, sure.average, unsure.highest, unsure.average, everybody])

    names = ("sure, at most", "sure, average", "unsure, at most", "unsure, average", "anybody")
    return PairedShares(
        "Whether the attacker is sure that the person is in it, or looks for anybody",
        "Chance to point at the right row",
        names,
        chances(before, before.prosecutor.average),
        chances(after, found.everybody),
    )


class AttackDesk(TrueRowsDesk):
    """Attacks on the present result of a session."""

    looks_at, looked_for = "attacks", "Attacks"

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._release, self._syntactic = ReleaseDesk(state), SyntacticDesk(state)

    @property
    def columns(self) -> tuple[str, ...]:
        """Released columns an attacker may know."""
        made = self._made()
        return made.outcome.columns_out if isinstance(made, Result) else made.anonymised.table.names

    @property
    def usual(self) -> tuple[str, ...]:
        """Those he probably knows: the released quasi-identifiers, or all that are not sensitive."""
        schema = self._project.schema
        roles = {name: schema[name].role for name in self.columns}
        quasi = tuple(name for name, role in roles.items() if role is Role.QUASI)
        return quasi or tuple(name for name, role in roles.items() if role is not Role.SENSITIVE) or self.columns

    def linker(self, known: Sequence[str], *, threshold: float = 0.2) -> Callable[[Progress], LinkageAttack]:
        """Attack the present result by these columns; call it on any thread.

        Raises
        ------
        WorkbenchError
            If there is no current result, or no look at this data is recorded; when called, if no column is known or
            one is not released.
        """
        made = self._made()
        self.require_look()
        chosen = tuple(known)

        def attack(progress: Progress = SILENT) -> LinkageAttack:
            progress(0.0, "Writing the table with labels")
            labels: Table | None
            if isinstance(made, Result):
                outcome = made.outcome
                if isinstance(outcome, TrimOutcome):
                    return link_trimmed(made.table, outcome, chosen, threshold=threshold, progress=progress)
                original, released, labels = made.table, outcome.release, _sampled_labels(made, outcome)
            else:
                original, released, labels = made.table, made.released(), _recoded_labels(made)
            return link(original, released, labels, chosen, threshold=threshold, progress=progress.part(0.3, 1.0))

        return attack

    def learner(self, known: Sequence[str]) -> Callable[[Progress], PairedShares]:
        """How sure the attacker is after each of these columns, one more at a time; call it on any thread.

        Raises
        ------
        WorkbenchError
            As of `linker`.
        """
        columns = tuple(known)[:MOST_STEPS]
        steps = [(name, self.linker(columns[:number])) for number, name in enumerate(columns, start=1)]

        def learn(progress: Progress = SILENT) -> PairedShares:
            found = [
                attack(progress.part(place / len(steps), (place + 1) / len(steps)))
                for place, (_, attack) in enumerate(steps)
            ]
            return PairedShares(
                "The attacker knows, one column more each",
                "Chance to point at the right row, on average",
                tuple(f"+ {name}" if place else name for place, (name, _) in enumerate(steps)),
                np.array([one.before.prosecutor.average for one in found]),
                np.array([one.after.prosecutor.average for one in found]),
            )

        return learn

    def membership_tester(self, *, runs: int = RUNS, seed: int = 0) -> Callable[[Progress], MembershipTest]:
        """Simulate who can tell whether somebody was in the table; call it on any thread. Needs an (ε, δ) release.

        Raises
        ------
        WorkbenchError
            If there is no current (ε, δ) result, or no look at this data is recorded.
        """
        if self._syntactic.wanted:
            raise WorkbenchError(
                "Models such as k-anonymity promise nothing about who is in the table: every row that is kept is there "
                "for certain, so there is nothing to test.",
                hint="Make an (ε, δ) release to compare.",
                field="approach",
            )
        result, claim = self._release.current_result(), self._release.current_claim()
        self.require_look()
        # What a private choice of levels has cost bounds the attacker too: he sees which levels were chosen.
        promised = (claim.epsilon, claim.delta) if claim.holds else None

        def test(progress: Progress = SILENT) -> MembershipTest:
            outcome, own = result.outcome, result.schema.unit.rows_per_person
            if isinstance(outcome, TrimOutcome):
                return tell_trimmed_membership(
                    outcome, own=own, promised=promised, runs=runs, seed=seed, progress=progress
                )
            labels = _sampled_labels(result, outcome)
            grouped = tuple(outcome.recipe.levels)
            return tell_membership(
                class_sizes(labels, grouped),
                outcome.recipe.beta,
                outcome.recipe.k,
                own=own,
                promised=promised,
                runs=runs,
                seed=seed,
                progress=progress.part(0.3, 1.0),
            )

        return test

    def require_look(self) -> None:
        """Refuse as long as no look is recorded, and say whether the present draw has left, which no look can change.

        Raises
        ------
        WorkbenchError
            If none is, or there is no current result.
        """
        made = self._made()
        left = isinstance(made, Result) and LedgerDesk(self._state).entry_of(made.fingerprint, made.draw) is not None
        LookDesk(self._state).require(self.looked_for, _LEFT if left else _EXPORT_FIRST)

    def _made(self) -> Result | Recoded:
        return self._syntactic.current_recoded() if self._syntactic.wanted else self._release.current_result()


def _sampled_labels(result: Result, outcome: Outcome) -> Table:
    """Everybody in the table, with the labels of the release."""
    levels = outcome.recipe.levels
    return Table(
        tuple(
            _labelled(result.table[name], result.hierarchies.get(name), levels.get(name, 0))
            for name in outcome.release.names
        )
    )


def _recoded_labels(recoded: Recoded) -> Table | None:
    if recoded.anonymised.local is not None:
        return None
    return Table(
        tuple(
            _labelled(recoded.table[name], recoded.hierarchies.get(name), recoded.levels.get(name, 0))
            for name in recoded.anonymised.table.names
        )
    )


def _labelled(column: Column, hierarchy: Hierarchy | None, level: int) -> Column:
    if hierarchy is None or not level:
        return column
    listed = {value: place for place, value in enumerate(hierarchy.values)}
    labels = hierarchy.labels[level]
    texts = dict.fromkeys((*labels, ANY))
    place = {text: number for number, text in enumerate(texts)}
    of_value = [
        place[labels[int(hierarchy.maps[level][listed[value]])]] if value in listed else place[ANY]
        for value in column.values
    ]
    return Column(column.name, np.array(of_value, dtype=np.int64)[column.codes], tuple(texts))
