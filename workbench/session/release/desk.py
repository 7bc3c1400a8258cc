"""The release with (ε, δ): its guarantee and claim, runs and results, and what leaves."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.anonymise.claim import Claim
from workbench.anonymise.dp_search import DrawnLevels
from workbench.anonymise.guarantee import Guarantee
from workbench.anonymise.mechanism import Outcome, Recipe, Treatment
from workbench.anonymise.promise import Promise
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import source_for
from workbench.core.rationals import rational
from workbench.engines.dispatch import engine_of
from workbench.io.export_format import ExportFormat
from workbench.project.model import GuaranteeSettings, ReleaseRecord, canonical_filter
from workbench.query.ledger import LeftFile
from workbench.report.note import facts_of, sampled, stated_of_sampled
from workbench.report.statement import statement_page
from workbench.session.data import DataDesk
from workbench.session.existing_files import FileMarks
from workbench.session.export import Export, Exported, Targets
from workbench.session.ledger import LedgerDesk
from workbench.session.no_claim import refuse_without_claim
from workbench.session.release.claims import (
    assessed,
    charge_of_levels,
    charge_of_release,
    drawn_levels,
    guarantee_of,
    key_of_result,
    recipe_digest,
    recipe_of,
)
from workbench.session.release.columns import ColumnsDesk
from workbench.session.release.result import Result, levels_key, new_draw, nothing_survived
from workbench.session.release.survival import SurvivalDesk
from workbench.session.state import Desk, SessionState
from workbench.session.working_table import working_table

_DRAWS = 2
"""Results that are remembered, so that undoing a change of settings brings back the draw that was made then."""


@discreet
@dataclass(frozen=True)
class AnonymiseRun:
    """What a run has produced, and the session as it was when the run was bound together. `draw` is its name."""

    outcome: Outcome
    guarantee: Guarantee
    then: SessionState
    draw: str
    drawn: DrawnLevels | None = None


class ReleaseDesk(Desk):
    """The (ε, δ) release of a session: what is promised and may be claimed, the results, and their export."""

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._data, self._ledger = DataDesk(state), LedgerDesk(state)
        self.columns = ColumnsDesk(state)
        """What happens to each column, and at which levels."""
        self.survival = SurvivalDesk(state)
        """How much would survive with other β and k."""

    @property
    def result(self) -> Result | None:
        """The last result, be it current or not."""
        return self._state.results.result

    @result.setter
    def result(self, result: Result | None) -> None:
        self._state.results.result = result

    @property
    def exported(self) -> Mapping[str, Exported]:
        """What left the house since the data was opened, of either approach, by what it was made from."""
        return self._state.results.exported

    def written(self, key: str) -> Mapping[Path, FileMarks]:
        """The files that were written of one draw or table since the data was opened, as they were written."""
        return self._state.results.files_of(key)

    # Settings

    def set_guarantee(self, settings: GuaranteeSettings) -> None:
        self._state.change_anonymise(guarantee=settings)

    def set_seed(self, seed: int | None) -> None:
        """Make runs repeatable simulations, or with None real ones."""
        source_for(seed)
        self._state.change_anonymise(seed=seed)

    # Guarantee and claim

    def guarantee(self) -> Guarantee:
        """Solve the calculator for its free field. This is what the release alone promises.

        Raises
        ------
        WorkbenchError
            If no value of the free field satisfies the others.
        """
        return guarantee_of(self._state)

    def recipe(self, promised: Guarantee | None = None) -> Recipe:
        """The mechanism's settings as they now stand; levels that are still to be drawn are 0."""
        return recipe_of(self._state, promised or self.guarantee())

    @property
    def drawn_levels(self) -> dict[str, int] | None:
        """The levels that were drawn privately for the settings as they stand; None if there are none."""
        return drawn_levels(self._state)

    def claim(self) -> Claim:
        """What could be claimed for a run with the settings as they now stand."""
        recipe, promised = self.recipe(), self.promise()
        result = self.result if self.result_is_current else None
        # Whose result is there does not draw again; once it has left, a run makes another one.
        known = result is not None and self._ledger.entry_of(result.fingerprint, result.draw) is None
        mine = result.keys if result is not None and known else ()
        return assessed(self._state, recipe, promised, secure=self._project.anonymise.seed is None, mine=mine)

    def promise(self) -> Promise:
        """What a run with the settings as they now stand would promise in all.

        Raises
        ------
        WorkbenchError
            If no value of the free field satisfies the others.
        """
        return Promise(self.guarantee(), self.columns.private_search)

    # Running

    def anonymiser(self) -> Callable[[Progress], AnonymiseRun]:
        """Everything a run needs, bound together now; call it on any thread. It makes the working table first.

        A private draw of the levels is charged before it is made, and what follows it cannot be cancelled.

        Raises
        ------
        WorkbenchError
            Also when it is called: if the budget does not suffice for the draw, which is said with what would fit.
        """
        then = self.snapshot()
        promised = then.guarantee()
        recipe = then.recipe(promised)
        read = then._state.opened.reading.table
        for plan in recipe.columns:
            if plan.treatment is not Treatment.LEAVE_OUT:
                # What an engine does not list could not be written after the draw.
                read.require_listed(plan.name)
        hierarchies = dict(then._project.hierarchies)
        source = source_for(then._project.anonymise.seed)

        def run(progress: Progress = SILENT) -> AnonymiseRun:
            share = 0.4 if then._data.needs_preparing else 0.0
            table = then._data.prepared_table(progress.part(0.0, share)).table
            half = share if then.columns.private_search is None else (share + 1) / 2
            draw = new_draw()

            def pay(nodes: int) -> None:
                if source.secure:
                    then._pay_for_levels(draw, nodes)

            drawn = then.columns.draw_levels(table, promised, source, pay, progress.part(share, half))
            chosen = recipe if drawn is None else recipe.at(drawn.choice.levels)
            step = progress.part(half, 1.0) if drawn is None else SILENT
            # The sample is drawn after the levels and from numbers of its own: one sample must not serve both.
            outcome = engine_of(table).release(chosen, hierarchies, source, step)
            return AnonymiseRun(outcome, promised, then._state, draw, drawn)

        return run

    def _pay_for_levels(self, draw: str, nodes: int) -> None:
        """Charge the private draw of the levels for the settings as they stand."""
        promised = self.promise()
        if promised.search is not None:
            charge = charge_of_levels(promised, promised.search, nodes, draw, claimed=self.claim().choice_holds)
            self._ledger.of(self._data.fingerprint).charge(charge)

    def accept(self, produced: AnonymiseRun) -> Result:
        """Take in what `anonymiser` produced, and remember that a result of this recipe was seen.

        The claim and the key are those of the settings the run was made with; if other ones hold by now, the
        result is out of date from the start.
        """
        outcome, made = produced.outcome, produced.then
        then = ReleaseDesk(made)
        fingerprint, recipe = made.opened.content, recipe_digest(made, outcome.recipe)
        self._ledger.saw(fingerprint, recipe, drawn=outcome.secure)
        if produced.drawn is not None and outcome.secure:
            with contextlib.suppress(WorkbenchError):  # it was charged a moment ago; the claim says what is wrong now
                self._ledger.copy_into_project(fingerprint)
        made.change(histories=self._project.histories)
        promised = Promise(produced.guarantee, then.columns.private_search)
        mine = (levels_key(produced.draw), produced.draw)
        project = made.project
        result = Result(
            outcome,
            assessed(made, outcome.recipe, promised, secure=outcome.secure, mine=mine),
            then.result_key(),
            working_table(made).table,
            fingerprint,
            project.schema,
            dict(project.hierarchies),
            recipe,
            produced.drawn,
            produced.draw,
            canonical_filter(project.schema, project.preparation),
        )
        results = self._state.results
        results.result, results.drawn = result, (result, *results.drawn)[:_DRAWS]
        return result

    def recall(self) -> bool:
        """Take back the draw that was made with the settings as they stand, if it is still there.

        Drawing again would be a choice between samples; the first one is the honest one.
        """
        if self.result_is_current:
            return True
        key = self.result_key()
        found = next((result for result in self._state.results.drawn if key and result.key == key), None)
        if found is not None:
            self.result = found
        return found is not None

    def anonymise(self, progress: Progress = SILENT) -> Result:
        """Run the mechanism with the settings as they stand."""
        return self.accept(self.anonymiser()(progress))

    def result_key(self) -> str:
        """Digest of everything the result depends on; "" if the guarantee has no solution."""
        return key_of_result(self._state)

    @property
    def result_is_current(self) -> bool:
        return self.result is not None and self.result.key == self.result_key()

    def current_result(self) -> Result:
        """The result, if it belongs to the settings as they stand."""
        result = self.result
        if result is None:
            raise WorkbenchError("There is no result yet.", hint="Run the anonymisation first.", field="result")
        if not self.result_is_current:
            raise WorkbenchError(
                "The settings were changed after the last run, so the result is out of date.",
                hint="Run again, or undo the change.",
                field="result",
            )
        return result

    # Export

    def export(
        self,
        path: Path,
        statement: Path | None = None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        without_claim: bool = False,
        progress: Progress = SILENT,
    ) -> Exported:
        """Write the release, its statement and its note, and record that it left the house.

        Parameters as in `exporter`.

        Raises
        ------
        WorkbenchError
            If there is no current result, nothing survived, no claim can be made for it, or the files cannot be
            written.
        """
        result = self.current_result()
        exported = self.exporter(
            path, statement, style=style, note=note, parts=parts, force=force, without_claim=without_claim
        )(progress)
        self.record_export(path, result, exported)
        return exported

    def refuse_before_drawing(self, targets: Targets, *, without_claim: bool = False) -> None:
        """Refuse a release that could not leave the house, before anything is drawn for it.

        A draw that is seen counts, whether it is released or not.

        Parameters
        ----------
        without_claim
            It may leave although no claim can be made for it.

        Raises
        ------
        NoClaim
            If no claim can be made for it.
        WorkbenchError
            If the files cannot be written there, or the budget does not suffice for the release and its levels.
        """
        targets.check(self._ledger.protected)
        promised, claim = self.promise(), self.claim()
        charge = charge_of_release(targets.path, self._data.fingerprint, promised, claim)
        # The levels are a charge of their own; both must fit.
        refusal = self._ledger.current.room_for(replace(charge, epsilon=rational(promised.epsilon))).refusal
        if refusal is not None:
            raise refusal
        if not without_claim:
            refuse_without_claim(claim)

    def exporter(
        self,
        path: Path,
        statement: Path | None = None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        without_claim: bool = False,
        look_later: bool = False,
    ) -> Export:
        """Everything an export needs, bound together now; call it on any thread.

        Parameters
        ----------
        path
            The release. How it is written follows from its name, unless `style` says so.
        statement, note
            The privacy statement (HTML) and the note for programs (JSON), if they are wanted.
        parts
            Whether to write a folder of files rather than one file.
        force
            Whether it may overwrite what stands there. The files of the same draw it may in any case, if they are as
            they were written.
        without_claim
            Whether it may leave although no claim can be made for it.
        look_later
            Whether the places are looked at only when it is called, because this thread must not wait for a disk.

        Raises
        ------
        NoClaim
            If no claim can be made for it.
        AlreadyThere
            If another release stands there.
        WorkbenchError
            If there is no current result, nothing survived, or the files cannot be written.
        """
        result = self.current_result()
        if result.outcome.rows_out == 0:
            raise nothing_survived(result)
        targets = Targets(path, style or ExportFormat.of(path), statement, note, parts, force)
        own = self.written(result.draw)
        if not look_later:
            targets.check(self._ledger.protected, own)
        ledger = self._ledger.of(result.fingerprint)
        counted = self._ledger.known_entries(result.fingerprint)  # before the claim, which must not count less
        hierarchies, claim, outcome = self._project.hierarchies, self.current_claim(), result.outcome
        if not without_claim:
            refuse_without_claim(claim, drawn=True)
        charge = charge_of_release(path, result.fingerprint, result.claim.guarantee, claim, result.draw)
        description = sampled(hierarchies, outcome, claim)
        return Export(
            targets,
            lambda _progress: outcome.release,
            stated_of_sampled(hierarchies, outcome, claim),
            None,
            description,
            lambda file: statement_page(facts_of(description, file=file)),
            self._ledger.protected,
            lambda file: ledger.charge(charge, counted, LeftFile(file.name, file.fingerprint)),
            claim,
            own,
        )

    def current_claim(self) -> Claim:
        """The claim of the current result with everything that is known by now, such as releases since the run."""
        result = self.current_result()
        return assessed(
            self._state, result.outcome.recipe, result.claim.guarantee, secure=result.outcome.secure, mine=result.keys
        )

    def record_export(self, path: Path, result: Result, exported: Exported | None = None) -> ReleaseRecord:
        """Take into the project that `result` was released to `path`, which the ledger knows. Never undone."""
        if exported is not None:
            self._state.results.wrote(result.draw, exported)
        ledger = self._ledger.of(result.fingerprint)
        entry = ledger.find(result.draw) or ledger.charge(
            charge_of_release(path, result.fingerprint, result.claim.guarantee, result.claim, result.draw)
        )
        self._ledger.copy_into_project(result.fingerprint)
        return ReleaseRecord.of(result.fingerprint, entry)
