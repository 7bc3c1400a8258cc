"""Asking questions with differential privacy: plans, answers that are paid for, and experiments that are not."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from workbench.core.amount_text import read_amount
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.project.model import Project
from workbench.project.query_settings import QuerySettings
from workbench.query.amounts import epsilon_of
from workbench.query.catalogue import QUERIES, QueryDraft, QueryKind
from workbench.query.epsilon_for import curve, solve
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
from workbench.query.ledger import Charge
from workbench.query.mechanism import Expected
from workbench.query.plans import QueryPlan, RowCount, batch, plan
from workbench.query.read_then import ANOTHER_TABLE, Otherwise, otherwise
from workbench.session.batch_shares import share_of, with_question, without_questions
from workbench.session.batches import BegunBatch, batch_charge, begun_batch, is_planned
from workbench.session.bought_bounds import BoughtBounds, bounds_bought, latest_bought, with_bought
from workbench.session.charged_answers import PreparedRows, asker, batch_asker
from workbench.session.data import DataDesk
from workbench.session.ledger import LedgerDesk
from workbench.session.looking import TrueRowsDesk
from workbench.session.plain_answers import PlainAnswer, has_statement, plain_answer, verified_claim, without_price
from workbench.session.query_answers import PaidAnswer, answers_in, as_compared, question_of
from workbench.session.release.by_rule import limits_rows
from workbench.session.row_counts import rows_released
from workbench.session.state import SessionState


class QueryDesk(TrueRowsDesk):
    """The questions of a session.

    Planning looks at no data. What `asker` and the testers give may be called on another thread; all else belongs to
    the session's own.
    """

    looks_at, looked_for = "experiment", "Experiments"

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

    def add_to_batch(self, draft: QueryDraft) -> None:
        """Ask one more question with the others, at the ε that was chosen for it; they keep theirs.

        Raises
        ------
        WorkbenchError
            If its ε, or what the others have, is no number above 0.
        """
        batch, total = with_question(self.settings.batch, self.settings.batch_epsilon, draft)
        self._change(batch=batch, batch_epsilon=total)

    def take_from_batch(self, places: Collection[int]) -> None:
        """Take out the questions at these places; the others keep their ε."""
        batch, total = without_questions(self.settings.batch, self.settings.batch_epsilon, places)
        self._change(batch=batch, batch_epsilon=total)

    def set_batch_epsilon(self, epsilon: str) -> None:
        """Choose what those cost together."""
        self._change(batch_epsilon=epsilon)

    def _change(self, **changes: Any) -> None:
        self._state.change(queries=replace(self._project.queries, **changes))

    def take_into_hand(self, place: int) -> None:
        """Put the question at this place of the batch in hand, at the ε that it has there."""
        batch = self.settings.batch
        self._change(draft=replace(batch[place], epsilon=share_of(batch, self.settings.batch_epsilon, place)))

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
        project = self._project
        return bounds_bought(draft, project.schema, self._known_answers(), project.preparation) if known else None

    def bought_of(self, column: str) -> BoughtBounds | None:
        """Private bounds of a column in all rows that were paid for, for whatever else needs bounds; None if none."""
        schema = self._project.schema
        return latest_bought(schema[column], self._known_answers()) if column in schema.names else None

    def rows_bought(self, column: str = "") -> int | None:
        """About how many rows there are, by a count of all of them that was paid for; None if there is none.

        Parameters
        ----------
        column
            Of which a mean is asked for: one that was paid for tells how many rows have a value there.
        """
        # The bounds of the question change nothing about which rows have a value.
        mean = QueryDraft("mean", "1", {"column": column, "lower": "0", "upper": "1"})
        for draft in (*([mean] if column else []), QueryDraft("count", "1")):
            with contextlib.suppress(WorkbenchError):
                counted = self._rows_for(draft)
                return None if counted is None or counted.rows < 1 else counted.rows
        return None

    def _plan(self, draft: QueryDraft) -> QueryPlan:
        project = self._project
        return _on_whole_table(plan(draft, project.schema, project.preparation), project)

    def _counted(self, one: QueryPlan, known: Sequence[PaidAnswer] | None = None) -> QueryPlan:
        """With what the ledger knows: the number of rows that was released, unless the person typed one."""
        answers = self._known_answers() if known is None else known
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
        """The number of rows as far as it was released, where the user did not type one."""
        return None if draft.says_rows else rows_released(self._plan(draft), self._known_answers())

    def plan_batch(self, drafts: Sequence[QueryDraft], total: str) -> tuple[QueryPlan, ...]:
        """Check several questions that share one ε by their weights."""
        known = self._known_answers()
        return tuple(self._counted(one, known) for one in self._plan_batch(drafts, total))

    def _plan_batch(self, drafts: Sequence[QueryDraft], total: str) -> tuple[QueryPlan, ...]:
        project = self._project
        plans = batch(drafts, total, project.schema, project.preparation)
        return tuple(_on_whole_table(one, project) for one in plans)

    def solve(self, draft: QueryDraft, target: str, of: Literal["half_width", "error"] = "half_width") -> str:
        """The smallest ε at which the answer is expected to be at most so far off, as decimal text."""
        first = replace(draft, epsilon="1") if QUERIES[draft.kind].needs_epsilon else draft
        return solve(draft, self._project.schema, target, of, self._rows_for(first))

    def curve(self, draft: QueryDraft, epsilons: Sequence[str]) -> list[tuple[float, Expected]]:
        """The expected error at each ε."""
        points = [epsilon_of(text) for text in epsilons]
        return curve(draft, self._project.schema, points, self._rows_for(draft))

    # Spending

    def asker(self, draft: QueryDraft) -> Callable[[Progress], PaidAnswer]:
        """Everything it takes to ask, bound together now; each call spends. Call it on any thread.

        Until the charge is written it can be cancelled, and nothing was spent; afterwards the answer is always
        computed and kept.
        """
        ask = asker(self._state, self._ledger.current, (self._plan(draft),))

        def one(progress: Progress = SILENT) -> PaidAnswer:
            return ask(progress)[0]

        return one

    def batch_asker(
        self, drafts: Sequence[QueryDraft], total: str, delta: str = "", *, again: bool = False
    ) -> Callable[[Progress], tuple[PaidAnswer, ...]]:
        """The same for several questions: all of them are paid for, as a plan, before the first is answered.

        Parameters
        ----------
        delta
            The δ of all of them, at least the sum of theirs, which is meant if it is "". More makes what is charged
            smaller.
        again
            Whether the same batch that was interrupted before is not gone on with, but paid for once more.
        """
        plans, accepted = self._plan_batch(drafts, total), _delta_of(delta)
        charge = batch_charge(plans, accepted, self._state.opened.content)
        if not is_planned(plans):
            return asker(self._state, self._ledger.current, plans)
        return batch_asker(self._state, self._ledger.current, plans, charge, again=again)

    def batch_charge(self, plans: Sequence[QueryPlan], delta: str = "") -> Charge:
        """The charge for questions that are asked together."""
        return batch_charge(plans, _delta_of(delta))

    def begun(self, plans: Sequence[QueryPlan]) -> BegunBatch | None:
        """The latest batch of exactly these questions, asked of this data; None if there is none."""
        return begun_batch(self._ledger.current, plans, self._data.fingerprint) if is_planned(plans) else None

    def ask(self, draft: QueryDraft, progress: Progress = SILENT) -> PaidAnswer:
        """Ask and spend."""
        return self.asker(draft)(progress)

    # Without noise

    @property
    def is_released_file(self) -> bool:
        """Whether a statement lies beside the file that is open, so that plain answers may be free."""
        return self._state.loaded is not None and has_statement(Path(self._state.opened.reading.path))

    def plain(self, draft: QueryDraft, progress: Progress = SILENT) -> PlainAnswer:
        """The answer of a released file, without noise and for nothing, once its statement is found to hold.

        Raises
        ------
        WorkbenchError
            If no statement lies beside the open file, it does not hold, another file lies there by now, or the
            question has no plain answer.
        """
        one, then = self._plan(without_price(draft)), self._state.snapshot()
        reading = then.opened.reading
        rests_on, asserted = verified_claim(Path(reading.path), reading.fingerprint, progress.part(0.0, 0.7))
        rows = PreparedRows(then).rows(one, progress.part(0.7, 0.9))
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
        return tuple(one for one in found if one.asked_of == fingerprint)

    def otherwise(self, answered: PaidAnswer) -> Otherwise:
        """The difference between now and when a question was answered: in reading columns, the rows, or the table."""
        if self._ledger.current.history.continued and answered.asked_of != self._data.fingerprint:
            return ANOTHER_TABLE
        return otherwise(answered.question, self._project.schema, self._project.preparation)

    def is_of_now(self, answered: PaidAnswer) -> bool:
        """Whether an answer that was given on this very data is of it as it is described and prepared now."""
        return not otherwise(answered.question, self._project.schema, self._project.preparation)

    def stored(self, draft: QueryDraft) -> PaidAnswer | None:
        """The latest answer to exactly this question at exactly this ε, if there is one."""
        return next(reversed(self.alike(draft)), None)

    def alike(self, draft: QueryDraft) -> tuple[PaidAnswer, ...]:
        """All answers to exactly this question at exactly this ε, oldest first; each has noise of its own."""
        wanted = as_compared(question_of(self._plan(draft)))
        return tuple(one for one in self.answers_of_this() if as_compared(one.question) == wanted)

    def stored_batch(self, drafts: Sequence[QueryDraft], total: str) -> tuple[PaidAnswer, ...]:
        """The latest answers to exactly these questions, asked together at exactly these ε; none if there are none."""
        wanted = [as_compared(question_of(one)) for one in self._plan_batch(drafts, total)]
        together: dict[str, list[PaidAnswer]] = {}
        for one in self.answers_of_this():
            together.setdefault((one.plan or one.entry).id, []).append(one)
        for answers in reversed(list(together.values())):
            answers.sort(key=lambda one: one.position)
            if [as_compared(one.question) for one in answers] == wanted:
                return tuple(answers)
        return ()

    # Experiments: analyst only, seeded, nothing is charged; they are a look at the data

    def _then(self) -> SessionState:
        self.require_look()
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
            rows = PreparedRows(then).rows(first, progress.part(0.0, 0.3))
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
            rows = PreparedRows(then).rows(one, progress.part(0.0, 0.2))
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
            rows = PreparedRows(then).rows(one, progress.part(0.0, 0.3))
            return beside(one.mechanism, rows, repetitions=repetitions, seed=seed, progress=progress.part(0.3, 1.0))

        return run


def _delta_of(typed: str) -> Fraction | None:
    return read_amount(typed, "batch_delta") if typed.strip() else None


def _on_whole_table(one: QueryPlan, project: Project) -> QueryPlan:
    """Without a part of the table where the rows of a person are limited: another draw may keep another of them."""
    return replace(one, cells=None) if limits_rows(project) else one


_EARLIER = (
    "The same question was answered on {when} by the method of an earlier version; that answer stands in the ledger, "
    "and costs nothing."
)


def _by_another_method(known: PaidAnswer, asked: QueryPlan) -> bool:
    """Whether an answer is to the same question, but got its noise in another way, and so is not the one in hand."""
    one, other = as_compared(known.question), as_compared(question_of(asked))
    return one.pop("parts", None) != other.pop("parts") and one == other
