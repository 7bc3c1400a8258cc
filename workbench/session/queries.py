"""Asking questions with differential privacy: plans, answers that are paid for, and experiments that are not."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import SecureSource
from workbench.core.schema import ColumnSpec
from workbench.project.model import Project
from workbench.project.query_settings import QuerySettings
from workbench.query.amounts import epsilon_of
from workbench.query.catalogue import QUERIES, QueryDraft, QueryKind
from workbench.query.draws import ExactDraws
from workbench.query.experiments import (
    AnswerErrors,
    ErrorMeasure,
    HistogramComparison,
    beside,
    error_by_epsilon,
    error_by_rows,
    metrics_of,
    usual_sizes,
)
from workbench.query.ledger_entries import ASKED_OF
from workbench.query.mechanism import Expected
from workbench.query.plans import QueryPlan, RowCount, batch, curve, plan, solve
from workbench.query.rows import Rows
from workbench.session.bought_bounds import BoughtBounds, bounds_bought, with_bought
from workbench.session.data import DataDesk
from workbench.session.ledger import LedgerDesk
from workbench.session.looking import AtStake, LookDesk
from workbench.session.plain_answers import PlainAnswer, has_statement, plain_answer, verified_claim, without_price
from workbench.session.query_answers import PaidAnswer, answers_in, charge_for, question_of
from workbench.session.release.by_rule import limits_rows, release_table
from workbench.session.row_counts import rows_released
from workbench.session.state import Desk, SessionState

_LOOK = "experiment"
"""What a look that is taken here is recorded as."""


class QueryDesk(Desk):
    """The questions of a session.

    Planning looks at no data. What `asker` and the testers give may be called on another thread; all else belongs to
    the session's own.
    """

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._data, self._ledger = DataDesk(state), LedgerDesk(state)

    # Drafts

    @property
    def settings(self) -> QuerySettings:
        return self._project.queries

    def set_draft(self, draft: QueryDraft) -> None:
        """Put another question in hand."""
        self._change(draft=draft)

    def set_batch(self, drafts: Iterable[QueryDraft]) -> None:
        """Choose the questions to be asked together."""
        self._change(batch=tuple(drafts))

    def set_batch_epsilon(self, epsilon: str) -> None:
        """Choose what those cost together."""
        self._change(batch_epsilon=epsilon)

    def _change(self, **changes: Any) -> None:
        self._state.change(queries=replace(self._project.queries, **changes))

    def kinds(self) -> tuple[QueryKind, ...]:
        """The catalogue."""
        return tuple(QUERIES)

    # Before spending

    def plan(self, draft: QueryDraft) -> QueryPlan:
        """Check a question and price it, without the data.

        Raises
        ------
        WorkbenchError
            If a parameter is missing or impossible; `field` says which.
        """
        try:
            return self._counted(self._plan(draft))
        except WorkbenchError as error:
            raise with_bought(error, self.bought(draft)) from None

    def bought(self, draft: QueryDraft) -> BoughtBounds | None:
        """Private bounds of a column of the question that were paid for on this data; using them costs nothing."""
        known = draft.kind in QUERIES
        return bounds_bought(draft, self._project.schema, self._known_answers()) if known else None

    def _plan(self, draft: QueryDraft) -> QueryPlan:
        project = self._project
        return _on_whole_table(plan(draft, project.schema, project.preparation), project)

    def _counted(self, one: QueryPlan) -> QueryPlan:
        """With what the ledger knows: the number of rows that was released, unless the person typed one."""
        answers = self._known_answers()
        counted = None if one.draft.says_rows else rows_released(one, answers)
        earlier = next((known for known in reversed(answers) if _by_another_method(known, one)), None)
        remark = "" if earlier is None else _EARLIER.format(when=earlier.entry.when[:10])
        return replace(one, counted=counted, remark=remark)

    def _known_answers(self) -> tuple[PaidAnswer, ...]:
        """The answers, as far as a ledger can be read; one that cannot be is told of where it is needed."""
        with contextlib.suppress(WorkbenchError):
            return self.answers_of_this() if self._project.data is not None else ()
        return ()

    def _rows_for(self, draft: QueryDraft) -> RowCount | None:
        """What was released of the number of rows, where the person did not type one."""
        return None if draft.says_rows else rows_released(self._plan(draft), self._known_answers())

    def plan_batch(self, drafts: Sequence[QueryDraft], total: str) -> tuple[QueryPlan, ...]:
        """Check several questions that share one ε by their weights."""
        return tuple(map(self._counted, self._plan_batch(drafts, total)))

    def _plan_batch(self, drafts: Sequence[QueryDraft], total: str) -> tuple[QueryPlan, ...]:
        project = self._project
        plans = batch(drafts, total, project.schema, project.preparation)
        return tuple(_on_whole_table(one, project) for one in plans)

    def solve(self, draft: QueryDraft, target: str, of: Literal["half_width", "error"] = "half_width") -> str:
        """The smallest ε at which the answer is expected to be at most so far off, as decimal text."""
        first = replace(draft, epsilon="1") if QUERIES[draft.kind].needs_epsilon else draft
        return solve(draft, self._project.schema, target, of, self._rows_for(first))

    def curve(self, draft: QueryDraft, epsilons: Sequence[str]) -> list[tuple[float, Expected]]:
        """What may be expected at each ε."""
        points = [epsilon_of(text) for text in epsilons]
        return curve(draft, self._project.schema, points, self._rows_for(draft))

    # Spending

    def asker(self, draft: QueryDraft) -> Callable[[Progress], PaidAnswer]:
        """Everything it takes to ask, bound together now; each call spends. Call it on any thread.

        Until the charge is written it can be cancelled, and nothing was spent; afterwards the answer is always
        computed and kept.
        """
        ask = self._asker((self._plan(draft),))

        def one(progress: Progress = SILENT) -> PaidAnswer:
            return ask(progress)[0]

        return one

    def batch_asker(self, drafts: Sequence[QueryDraft], total: str) -> Callable[[Progress], tuple[PaidAnswer, ...]]:
        """The same for several questions: all of them are paid for and answered, or none."""
        return self._asker(self._plan_batch(drafts, total))

    def ask(self, draft: QueryDraft, progress: Progress = SILENT) -> PaidAnswer:
        """Ask and spend."""
        return self.asker(draft)(progress)

    def _asker(self, plans: tuple[QueryPlan, ...]) -> Callable[[Progress], tuple[PaidAnswer, ...]]:
        for one in plans:
            if not one.mechanism.releasable:
                raise WorkbenchError(
                    f"diffprivlib's “{one.mechanism.tool}” is not made for a release: {one.mechanism.edges[-1]}",
                    hint="Use grid noise, or try it in an experiment.",
                    field="noise",
                )
        then = self._state.snapshot()
        _check_public(then.project)
        _check_unseeded(then.project)
        ledger, charge = self._ledger.current, charge_for(plans)
        # Where the count of other data was continued, its answers must not be shown for those of this.
        of_this = {**charge.parameters, ASKED_OF: then.opened.content}
        charge = replace(charge, parameters=MappingProxyType(of_this))

        def ask(progress: Progress = SILENT) -> tuple[PaidAnswer, ...]:
            prepared = _Prepared(then, progress.part(0.0, 0.5))
            statistics = []
            for position, one in enumerate(plans):
                part = progress.part(0.5 + 0.4 * position / len(plans), 0.5 + 0.4 * (position + 1) / len(plans))
                one.mechanism.get_ready()
                statistics.append(one.mechanism.measure(prepared.rows(one, part), part))
            progress(0.9, "Writing down what it costs")
            entry = ledger.charge(charge)
            # From here on it is paid for, so nothing may stop it: progress, which can be cancelled, waits.
            draws = ExactDraws(SecureSource())
            answers = [
                one.mechanism.release(statistic, draws) for one, statistic in zip(plans, statistics, strict=True)
            ]
            plain = {"answers": [answer.to_json() for answer in answers]}
            problem = ""
            try:
                ledger.answer(entry.id, plain)
            except WorkbenchError as error:
                problem = f"The answer could not be kept, so copy it now: {error.message}"
            questions = charge.parameters["questions"]
            return tuple(
                PaidAnswer(replace(entry, answer=plain), position, questions[position], answer, problem)
                for position, answer in enumerate(answers)
            )

        return ask

    # Without noise

    @property
    def is_released_file(self) -> bool:
        """Whether a statement lies beside the file that is open, so that plain answers may be free."""
        return self._state.loaded is not None and has_statement(Path(self._state.opened.reading.path))

    def plain(self, draft: QueryDraft, progress: Progress = SILENT) -> PlainAnswer:
        """What a released file says, without noise and for nothing, once its statement is found to hold.

        Raises
        ------
        WorkbenchError
            If no statement lies beside the open file, it does not hold, or the question has no plain answer.
        """
        one, then = self._plan(without_price(draft)), self._state.snapshot()
        rests_on, asserted = verified_claim(Path(then.opened.reading.path), progress.part(0.0, 0.7))
        rows = _Prepared(then, progress.part(0.7, 0.9)).rows(one, progress)
        return plain_answer(one, rows, rests_on, asserted)

    # Answers

    def answers(self) -> tuple[PaidAnswer, ...]:
        """Every answer that was paid for on this data, oldest first; showing one again costs nothing."""
        return answers_in(self._ledger.current)

    def answers_of_this(self) -> tuple[PaidAnswer, ...]:
        """Those given on this very data, and not on data whose count was continued."""
        ledger, fingerprint = self._ledger.current, self._data.fingerprint
        found = answers_in(ledger)
        if not ledger.history.continued:
            return found
        return tuple(one for one in found if one.entry.charge.parameters.get(ASKED_OF) == fingerprint)

    def stored(self, draft: QueryDraft) -> PaidAnswer | None:
        """The latest answer to exactly this question at exactly this ε, if there is one."""
        wanted = question_of(self._plan(draft))
        return next((one for one in reversed(self.answers_of_this()) if dict(one.question) == wanted), None)

    def stored_batch(self, drafts: Sequence[QueryDraft], total: str) -> tuple[PaidAnswer, ...]:
        """The latest answers to exactly these questions, asked together at exactly these ε; none if there are none."""
        wanted = [question_of(one) for one in self.plan_batch(drafts, total)]
        together: dict[str, list[PaidAnswer]] = {}
        for one in self.answers_of_this():
            together.setdefault(one.entry.id, []).append(one)
        for answers in reversed(list(together.values())):
            if [dict(one.question) for one in answers] == wanted:
                return tuple(answers)
        return ()

    # Experiments: analyst only, seeded, nothing is charged; they are a look at the data

    @property
    def looked(self) -> bool:
        """Whether experiments may be made on the open data, because a look at it is recorded."""
        return self._state.loaded is not None and LookDesk(self._state).taken

    @property
    def at_stake(self) -> AtStake:
        """What a first look at the open data would cost."""
        return LookDesk(self._state).at_stake

    def look(self, *, publish: bool = False, lasting: bool = False) -> None:
        """Record that experiments are made on the true values, before any is. See `LookDesk.take`."""
        LookDesk(self._state).take(_LOOK, publish=publish, lasting=lasting)

    def _then(self) -> SessionState:
        LookDesk(self._state).require("Experiments", "Settle what you publish first, then take the look.")
        return self._state.snapshot()

    def metrics(self, draft: QueryDraft) -> tuple[ErrorMeasure, ...]:
        """The errors that mean something for this question."""
        return metrics_of(self.plan(draft).mechanism)

    def epsilon_tester(
        self,
        draft: QueryDraft,
        epsilons: Sequence[str],
        *,
        repetitions: int = 100,
        seed: int = 0,
        metric: ErrorMeasure = ErrorMeasure.ABSOLUTE,
    ) -> Callable[[Progress], AnswerErrors]:
        """Errors against ε; call it on any thread. Refused as long as no look at the data is recorded."""
        then, first = self._then(), self.plan(draft)
        points = [epsilon_of(text) for text in epsilons]
        schema = then.project.schema

        def run(progress: Progress = SILENT) -> AnswerErrors:
            rows = _Prepared(then, progress.part(0.0, 0.3)).rows(first, progress)
            return error_by_epsilon(
                lambda epsilon: plan(draft, schema, epsilon=epsilon).mechanism,
                rows,
                points,
                repetitions=repetitions,
                seed=seed,
                metric=metric,
                progress=progress.part(0.3, 1.0),
            )

        return run

    def rows_tester(
        self,
        draft: QueryDraft,
        sizes: Sequence[int],
        *,
        repetitions: int = 100,
        seed: int = 0,
        metric: ErrorMeasure = ErrorMeasure.ABSOLUTE,
    ) -> Callable[[Progress], AnswerErrors]:
        """Errors against the number of rows, on random samples; call it on any thread.

        Without `sizes`, samples up to all rows that match. Refused as long as no look at the data is recorded.
        """
        then, one = self._then(), self.plan(draft)

        def run(progress: Progress = SILENT) -> AnswerErrors:
            rows = _Prepared(then, progress.part(0.0, 0.2)).rows(one, progress)
            return error_by_rows(
                one.mechanism,
                rows,
                sizes or usual_sizes(len(rows)),
                repetitions=repetitions,
                seed=seed,
                metric=metric,
                progress=progress.part(0.2, 1.0),
            )

        return run

    def histogram_tester(
        self, draft: QueryDraft, *, repetitions: int = 100, seed: int = 0
    ) -> Callable[[Progress], HistogramComparison]:
        """The true histogram beside simulated private ones; call it on any thread.

        Refused as long as no look at the data is recorded.
        """
        then, one = self._then(), self.plan(draft)

        def run(progress: Progress = SILENT) -> HistogramComparison:
            rows = _Prepared(then, progress.part(0.0, 0.3)).rows(one, progress)
            return beside(one.mechanism, rows, repetitions=repetitions, seed=seed, progress=progress.part(0.3, 1.0))

        return run


class _Prepared:
    """The rows of a session as they were when a question was asked; of no person more than are accounted for."""

    def __init__(self, state: SessionState, progress: Progress) -> None:
        self._state = state
        self._made = release_table(state, progress)

    def rows(self, one: QueryPlan, progress: Progress) -> Rows:
        """The rows the question is about."""
        schema = self._state.project.schema
        declared = schema.changed(schema.names, ColumnSpec.declared)
        return Rows.of(self._made.table, declared, one.where, progress)


def _on_whole_table(one: QueryPlan, project: Project) -> QueryPlan:
    """Without a part of the table where the rows of a person are limited: another draw may keep another of them."""
    return replace(one, cells=None) if limits_rows(project) else one


def _check_unseeded(project: Project) -> None:
    """Refuse rows that were drawn from a seed.

    Raises
    ------
    WorkbenchError
        If they were; it follows from the settings alone.
    """
    if (project.preparation.random or limits_rows(project)) and project.anonymise.seed is not None:
        raise WorkbenchError(
            "Which rows take part was drawn from a seed, so a person more would change the rows of others too.",
            hint="Remove the seed; it makes every run a simulation.",
            field="seed",
        )


_EARLIER = (
    "The same question was answered on {when} by the method of an earlier version; that answer stands in the ledger, "
    "and costs nothing."
)


def _by_another_method(known: PaidAnswer, asked: QueryPlan) -> bool:
    """Whether an answer is to the same question, but got its noise in another way, and so is not the one in hand."""
    one, other = dict(known.question), question_of(asked)
    return one.pop("parts", None) != other.pop("parts") and one == other


def _check_public(project: Project) -> None:
    """Refuse a filter of the working table that means something only because of what was read from the data.

    Raises
    ------
    WorkbenchError
        If it compares by an order of values that was read from the data.
    """
    schema = project.schema
    if project.preparation.where.strip():
        parse(project.preparation.where, schema.changed(schema.names, ColumnSpec.declared))
