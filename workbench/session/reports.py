"""The two reports of a session: one that may be published, and one for the analyst."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.anonymise.after_draw import AS_DRAWN
from workbench.anonymise.claim import Claim
from workbench.anonymise.privacy import in_words
from workbench.anonymise.promise import ReleaseGuarantee
from workbench.anonymise.recipe import ReleaseMechanism, ReleaseRecipe
from workbench.anonymise.risk import assess_risk
from workbench.anonymise.sample_guarantee import Guarantee
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trimming import TrimOutcome
from workbench.anonymise.utility import METRICS
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact, parts_up, percent, rounded_up
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.core.working_table import PreparedTable
from workbench.io.atomic import atomic_write
from workbench.io.writing import neutralised_texts
from workbench.plots import losses
from workbench.project.model import GuaranteeSettings, LevelsBy, canonical_filter
from workbench.project.trim_settings import StepsBy
from workbench.query.ledger import LedgerEntry
from workbench.report.analyst_report import AnalystFacts, ReleaseCost, analyst_report, settings_of
from workbench.report.checklist import ReleaseFacts
from workbench.report.content import Report
from workbench.report.from_html import blocks_of
from workbench.report.html_report import html_of
from workbench.report.note import facts_of
from workbench.report.pdf_report import pdf_of
from workbench.report.release_note import described
from workbench.report.release_report import (
    models_promise_blocks,
    promise_blocks,
    release_report,
    together,
)
from workbench.report.released_pictures import ReleasedForm
from workbench.report.statement import statement_body
from workbench.session.before_and_after import compared_recoded
from workbench.session.data import DataDesk
from workbench.session.ledger import LedgerDesk
from workbench.session.looking import LookDesk
from workbench.session.release.columns import ColumnsDesk
from workbench.session.release.desk import ReleaseDesk
from workbench.session.release.result import Result
from workbench.session.release_cost import RISK_THRESHOLD, classes_before, cost_of_result
from workbench.session.release_facts import release_facts
from workbench.session.state import Desk, SessionState
from workbench.session.syntactic.desk import SyntacticDesk
from workbench.session.syntactic.results import Recoded

FORMATS: tuple[str, ...] = ("html", "pdf")


@discreet
@dataclass(frozen=True)
class Reports:
    """Both reports. Only `release` may be published; `shows_rows` is whether it speaks of a file that left.

    `analyst` is None unless it was recorded, before anything was computed for it, that the data was looked at.
    """

    release: Report
    analyst: Report | None
    shows_rows: bool

    def for_analyst(self) -> Report:
        """The report for the analyst.

        Raises
        ------
        WorkbenchError
            If no look at the data is recorded.
        """
        if self.analyst is None:
            raise WorkbenchError(
                "The analyst report holds figures of the true rows, and so far no look at this data is recorded.",
                hint="Export what you want to publish first. Then take the analyst’s figures in Anonymise; that is "
                "recorded as a look.",
                field="look",
            )
        return self.analyst


@dataclass(frozen=True)
class PublishedClaim:
    """The promise of the release report for an (ε, δ) file that is not the result of the session.

    Parameters
    ----------
    claim, recipe
        What a file made with the settings as they stand would promise.
    """

    claim: Claim
    recipe: ReleaseRecipe


class ReportDesk(Desk):
    """Makes reports about the current result of a session.

    A result that has not left is not told of in the release report: its rows, levels and counts would leave with it,
    and nothing would have been charged. Then the report says what a file made in this way would promise.
    """

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._release, self._syntactic = ReleaseDesk(state), SyntacticDesk(state)
        self._ledger = LedgerDesk(state)

    @property
    def left(self) -> bool:
        """Whether the current result is known to have been exported, so that its rows may be shown.

        Raises
        ------
        WorkbenchError
            If there is no current result.
        """
        if self._syntactic.wanted:
            recoded = self._syntactic.current_recoded()
            return self._ledger.entry_of(recoded.fingerprint, recoded.key) is not None
        result = self._release.current_result()
        return self._ledger.entry_of(result.fingerprint, result.draw) is not None

    def release_facts(self, made: Result | Recoded, neutralised: int) -> ReleaseFacts:
        """The facts around a result that the checklist needs; `neutralised` texts are made safe for spreadsheets."""
        return release_facts(self._state, made, neutralised)

    def maker(
        self, published: PublishedClaim | None = None, notes: Sequence[str] = (), released: Table | None = None
    ) -> Callable[[Progress], Reports]:
        """Everything the reports need, bound together now; call it on any thread.

        That for the analyst is made only where a look at the data is recorded by now.

        Parameters
        ----------
        published
            What the release report promises, if it is not about the current result.
        notes
            What the analyst must know about how the figures came about.
        released
            The rows of a file that left, where they are known from the file itself.

        Raises
        ------
        WorkbenchError
            If there is no current result.
        """
        then, looked = self._state.snapshot(), LookDesk(self._state).taken
        entries, problem = _entries(self._ledger)
        told = [*notes, problem] if problem else list(notes)
        if self._syntactic.wanted:
            recoded = self._syntactic.current_recoded()
            return _of_recoded(then, recoded, entries, told, self.left, released, looked=looked)
        result, claim = self._release.current_result(), self._release.current_claim()
        if published is None and not self.left:
            published = PublishedClaim(claim, result.outcome.recipe)
        return _of_result(then, result, claim, entries, told, published, released, looked=looked)


def write_report(report: Report, path: Path, *, protected: Collection[Path] = ()) -> None:
    """Write a report as PDF if the name ends so, else as HTML. Those for the analyst are for their owner only.

    Raises
    ------
    WorkbenchError
        If the file cannot be written or is one of the `protected` ones.
    """
    content = pdf_of(report) if path.suffix.lower() == ".pdf" else html_of(report).encode()
    with atomic_write(path, protected=protected, private=report.analyst) as stream:
        stream.write(content)


def write_reports(
    reports: Reports, folder: Path, formats: Sequence[str] = FORMATS, *, protected: Collection[Path] = ()
) -> dict[str, list[Path]]:
    """Write both reports in each of the formats, and say where, by the name of the report.

    Raises
    ------
    WorkbenchError
        If one of the files cannot be written or is one of the `protected` ones, or no look at the data is recorded.
    """
    written = report_files(folder, formats)
    for name, report in zip(written, (reports.release, reports.for_analyst()), strict=True):
        for path in written[name]:
            write_report(report, path, protected=protected)
    return written


def report_files(folder: Path, formats: Sequence[str] = FORMATS) -> dict[str, list[Path]]:
    """The files of both reports, by the name of the report."""
    return {name: [folder / f"{name}.{ending}" for ending in formats] for name in ("release_report", "analyst_report")}


def _of_result(
    then: SessionState,
    result: Result,
    claim: Claim,
    entries: Sequence[LedgerEntry],
    notes: Sequence[str],
    published: PublishedClaim | None,
    released: Table | None,
    *,
    looked: bool,
) -> Callable[[Progress], Reports]:
    def make(progress: Progress = SILENT) -> Reports:
        outcome, rows = ReleaseDesk(then).as_written(result), released
        if published is None:
            rows = outcome.written() if isinstance(outcome, TrimOutcome) else outcome.release
            description = described(result.hierarchies, outcome, claim)
            said = facts_of(description, neutralised_texts(rows), publisher=then.publisher)
            stated = blocks_of(statement_body(said))
        else:
            stated = promise_blocks(published.claim, published.recipe, then.project.hierarchies)
        recipe = outcome.recipe
        added = tuple(filter(None, (recipe.step_column,))) if isinstance(recipe, TrimRecipe) else ()
        after = outcome.after if isinstance(outcome, TrimOutcome) else AS_DRAWN
        form = ReleasedForm.of(recipe, result.hierarchies, after)
        grouped = [name for name in (*recipe.levels, *added) if name not in after.left_out]
        public = release_report(stated, rows, grouped, result.schema, entries, form)
        if not looked:
            return Reports(public, None, rows is not None)
        progress(0.2, "Measuring risk")
        made = cost_of_result(result)
        told = claim if published is None else published.claim
        private = analyst_report(_facts(then, entries, notes, made, told), progress.part(0.3, 1.0))
        return Reports(public, private, rows is not None)

    return make


def _of_recoded(
    then: SessionState,
    recoded: Recoded,
    entries: Sequence[LedgerEntry],
    notes: Sequence[str],
    left: bool,
    released: Table | None,
    *,
    looked: bool,
) -> Callable[[Progress], Reports]:
    def make(progress: Progress = SILENT) -> Reports:
        made = recoded.anonymised
        grouped = [name for name in recoded.table.names if name in recoded.hierarchies]
        described, rows = recoded.described(), released
        if left:
            stated = blocks_of(described.body(then.publisher))
            rows = recoded.released()
        else:
            stated = models_promise_blocks(described.models, described.names, recoded.hierarchies)
        public = release_report(stated, rows, grouped, then.project.schema, entries)
        if not looked:
            return Reports(public, None, rows is not None)
        progress(0.2, "Measuring risk")
        compared = compared_recoded(recoded, then.project.schema)
        metric = METRICS[recoded.question.metric.identifier].title
        found = ReleaseCost(
            compared,
            (
                ("Rows that took part", f"{recoded.rows_in:,}"),
                ("Suppressed", f"{made.suppressed:,}"),
                ("Released", f"{recoded.rows_out:,}"),
                ("Released classes", f"{len(made.class_sizes):,}"),
            ),
            made.class_sizes,
            0,
            made.suppressed,
            assess_risk(classes_before(compared, grouped), RISK_THRESHOLD),
            assess_risk(made.class_sizes, RISK_THRESHOLD, made.population),
            losses.compute(metric, recoded.facts.losses, recoded.facts.score),
        )
        private = analyst_report(_facts(then, entries, notes, found, None), progress.part(0.3, 1.0))
        return Reports(public, private, rows is not None)

    return make


def _facts(
    then: SessionState, entries: Sequence[LedgerEntry], notes: Sequence[str], made: ReleaseCost, claim: Claim | None
) -> AnalystFacts:
    project = then.project
    return AnalystFacts(
        settings=_settings(then),
        table=then.opened.reading.table,
        schema=project.schema,
        hierarchies=project.hierarchies,
        preparation=_preparation(DataDesk(then).prepared),
        claim=claim,
        notes=tuple(notes),
        made=made,
        ledger=tuple(together(entries)),
    )


def _settings(then: SessionState) -> tuple[tuple[str, str], ...]:
    project = then.project
    settings, unit, data = project.anonymise, project.schema.unit, project.data
    syntactic = SyntacticDesk(then).wanted
    wanted, question, choice = settings.guarantee, settings.question, settings.level_choice
    levels = {name: ColumnsDesk(then).fixed_level(name) for name in project.hierarchies}
    pairs: list[tuple[str, object]] = [
        ("Data file", None if data is None else Path(data.path).name),
        ("Fingerprint of the file (SHA-256)", None if data is None else data.fingerprint),
        ("Only rows for which", canonical_filter(project.schema, project.preparation)),
        ("Research sample", project.preparation.sample if project.preparation.sample < 1 else None),
        ("Rows per person", unit.rows_per_person),
        ("Column that tells persons apart", unit.person_column),
    ]
    if syntactic:
        pairs += [
            ("Models", "; ".join(in_words(one) for one in question.models)),
            ("Measure of loss", METRICS[question.metric.identifier].title),
            ("Rows that may be suppressed", percent(question.suppression_limit, 4)),
            ("Local recoding", "yes" if question.local_recoding else "no"),
        ]
    else:
        promised = ReleaseDesk(then).guarantee()
        pairs += [
            ("ε", rounded_up(promised.epsilon)),
            ("δ", rounded_up(promised.delta)),
            *_of_mechanism(promised, wanted),
            ("Levels come from", _levels_by(then)),
            ("Levels chosen without this data", "yes" if settings.levels_blind else "no"),
        ]
    if not syntactic and isinstance(recipe := ReleaseDesk(then).recipe(), TrimRecipe):
        if choice.by is not LevelsBy.SEARCH:
            pairs += [(f"Levels at step {number}", _levels(step)) for number, step in enumerate(recipe.chain, 1)]
    elif syntactic or choice.by is not LevelsBy.SEARCH:
        pairs.append(("Levels", _levels(levels)))
    pairs.append(("Seed", "none: fresh numbers" if settings.seed is None else settings.seed))
    return settings_of(pairs)


def _of_mechanism(promised: ReleaseGuarantee, wanted: GuaranteeSettings) -> list[tuple[str, object]]:
    """The settings of the mechanism besides ε and δ."""
    if isinstance(promised, Guarantee):
        return [
            ("Mechanism", ReleaseMechanism.SAMPLE.words),
            ("β", exact(promised.beta)),
            ("k", f"{promised.k:,}"),
            ("Solved for", {"delta": "δ", "epsilon": "ε", "beta": "β"}.get(wanted.solve_for, "k")),
            ("Accounting", wanted.accounting.value),
        ]
    pairs: list[tuple[str, object]] = [("Mechanism", ReleaseMechanism.TRIM.words)]
    if len(promised.steps) > 1:
        spent = ([step.epsilon for step in promised.steps], [step.delta for step in promised.steps])
        for sign, parts, whole in zip("εδ", spent, (promised.epsilon, promised.delta), strict=True):
            pairs.append((f"{sign} of the steps", ", ".join(parts_up(parts, whole))))
    if promised.floor > 1:
        pairs.append(("Floor", f"{promised.floor:,}"))
    return pairs


def _levels_by(then: SessionState) -> str:
    """Who says how far rows are generalised."""
    settings = then.project.anonymise
    if ReleaseDesk(then).mechanism is ReleaseMechanism.TRIM:
        drawn = ", above a private search" if settings.level_choice.by is LevelsBy.SEARCH else ""
        if settings.trim.steps is StepsBy.DEGREES:
            return f"degrees of the steps{drawn}"
        if settings.trim.steps is StepsBy.TYPED:
            return "steps that were typed"
        if settings.trim.steps is StepsBy.BALANCED and not drawn:
            return "balanced steps"
    return settings.level_choice.by.value


def _levels(levels: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {level}" for name, level in levels.items())


def _preparation(prepared: PreparedTable | None) -> tuple[tuple[str, str], ...]:
    if prepared is None:
        return ()
    counted = (
        ("read", prepared.rows_read),
        ("left out by the filter", prepared.filtered_out),
        ("left out by the research sample", prepared.left_by_sample),
        ("without a person", prepared.without_person),
        ("beyond the rows per person", prepared.over_limit),
        ("with values that do not fit", sum(prepared.misfits.values())),
    )
    lost = tuple((words, f"{count:,}") for words, count in counted[1:] if count)
    return (("read", f"{prepared.rows_read:,}"), *lost, ("take part", f"{prepared.table.rows:,}")) if lost else ()


def _entries(ledger: LedgerDesk) -> tuple[tuple[LedgerEntry, ...], str]:
    """The entries in the ledger of the data, and why they are not known, or ""."""
    try:
        return ledger.current.history.told, ""
    except WorkbenchError as error:
        return (), str(error)
