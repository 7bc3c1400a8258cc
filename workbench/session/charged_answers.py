"""Asking questions: what is found in the rows, what is charged, and what is drawn and kept then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import SecureSource
from workbench.core.schema import ColumnSpec
from workbench.core.table import Table
from workbench.project.model import Project
from workbench.query.circumstances import drawn_of_matching
from workbench.query.draws import ExactDraws
from workbench.query.ledger import Charge, Ledger, LedgerEntry
from workbench.query.ledger_entries import ASKED_OF, QUESTIONS
from workbench.query.plans import QueryPlan
from workbench.query.rows import Rows
from workbench.session.batches import answer_charges, begun_batch, groups, with_lost
from workbench.session.query_answers import PaidAnswer, charge_for
from workbench.session.refused_for_rows import refusals_recorded
from workbench.session.release.by_rule import limits_rows, matching_table, release_table
from workbench.session.standing import number_at_stake
from workbench.session.state import SessionState

AskQuestions: TypeAlias = Callable[[Progress], tuple[PaidAnswer, ...]]

_PAID = (
    "The batch is paid for: once this is mended, ask it again. What was answered is shown, and the rest costs nothing "
    "more."
)


def asker(state: SessionState, ledger: Ledger, plans: Sequence[QueryPlan]) -> AskQuestions:
    """Everything it takes to ask, bound together now; each call spends. Call it on any thread.

    Raises
    ------
    WorkbenchError
        If the questions may not be asked of the data as it is prepared.
    """
    then, charge, known = _ready(state, plans), charge_for(plans), bool(number_at_stake(state))
    # Where the count of other data was continued, its answers must not be shown for those of this.
    of_this = {**charge.parameters, ASKED_OF: then.opened.content}
    charge = replace(charge, parameters=MappingProxyType(of_this))

    def ask(progress: Progress = SILENT) -> tuple[PaidAnswer, ...]:
        with refusals_recorded(then):
            statistics = _measured(then, plans, progress)
        progress(0.9, "Writing down what it costs")
        entry = ledger.charge(charge, number_known=known)
        # From here on it is paid for, so nothing may stop it: progress, which can be cancelled, waits.
        draws = ExactDraws(SecureSource())
        answers = [one.mechanism.release(statistic, draws) for one, statistic in zip(plans, statistics, strict=True)]
        plain = {"answers": [answer.to_json() for answer in answers]}
        problem = _kept(ledger, {entry.id: plain})
        questions = charge.parameters[QUESTIONS]
        return tuple(
            PaidAnswer(replace(ledger.as_told(entry), answer=plain), position, questions[position], answer, problem)
            for position, answer in enumerate(answers)
        )

    return ask


def batch_asker(
    state: SessionState, ledger: Ledger, plans: Sequence[QueryPlan], charge: Charge, *, again: bool
) -> AskQuestions:
    """The same for several questions, whose plan is charged as given before the first of them is answered.

    Parameters
    ----------
    again
        Whether the same batch that was interrupted before is not gone on with, but paid for once more.
    """
    then, known = _ready(state, plans), bool(number_at_stake(state))
    asked_of = then.opened.content

    def ask(progress: Progress = SILENT) -> tuple[PaidAnswer, ...]:
        begun = None if again else begun_batch(ledger, plans, asked_of)
        if begun is not None and not begun.open:
            begun = None  # all of it is answered, and shown by whoever does not mean to ask once more
        places = tuple(range(len(plans))) if begun is None else begun.open
        with refusals_recorded(then):
            found = _measured(then, [plans[place] for place in places], progress)
        measured = dict(zip(places, found, strict=True))
        progress(0.9, "Writing down what it costs")
        plan = ledger.charge(charge, number_known=known) if begun is None else begun.entry
        # From here on it is paid for, so nothing may stop it: progress, which can be cancelled, waits.
        answers = dict({} if begun is None else begun.answers)
        for group in groups(places):
            try:
                entries = ledger.draw_in(plan.id, answer_charges(plans, group, asked_of))
            except WorkbenchError as error:
                raise WorkbenchError(error.message, hint=_PAID, field=error.field) from error
            answers |= _drawn(ledger, plan, plans, {place: (entries[place], measured[place]) for place in group})
        return with_lost(tuple(answers[place] for place in sorted(answers)), begun)

    return ask


class PreparedRows:
    """The rows of a session as they were when a question was asked; of no person more than are accounted for.

    Where the rows of a person are limited, it is rows that match a question of which no more than these stay. Then each
    question has a draw of its own.
    """

    def __init__(self, state: SessionState) -> None:
        self._state = state
        self._made: Table | None = None

    def rows(self, one: QueryPlan, progress: Progress) -> Rows:
        """The rows the question is about."""
        project = self._state.project
        declared, part = project.schema.changed(project.schema.names, ColumnSpec.declared), progress.part(0.0, 0.8)
        if one.where is not None and drawn_of_matching(one.table):
            return Rows.of(matching_table(self._state, one.where, part), declared, None, progress.part(0.8, 1.0))
        if self._made is None:
            self._made = release_table(self._state, part).table
        return Rows.of(self._made, declared, one.where, progress.part(0.8, 1.0))


def _ready(state: SessionState, plans: Sequence[QueryPlan]) -> SessionState:
    """The state of now, if questions may be asked in it."""
    for one in plans:
        if not one.mechanism.releasable:
            raise WorkbenchError(
                f"diffprivlib's “{one.mechanism.tool}” is not made for a release: {one.mechanism.edges[-1]}",
                hint="Use grid noise, or try it in an experiment.",
                field="noise",
            )
    then = state.snapshot()
    _check_public(then.project)
    _check_unseeded(then.project)
    return then


def _measured(then: SessionState, plans: Sequence[QueryPlan], progress: Progress) -> list[Any]:
    """The statistic of each question in the rows, measured before it is charged: this can still be cancelled."""
    prepared = PreparedRows(then)
    statistics = []
    for position, one in enumerate(plans):
        part = progress.part(0.9 * position / len(plans), 0.9 * (position + 1) / len(plans))
        one.mechanism.get_ready()
        statistics.append(one.mechanism.measure(prepared.rows(one, part.part(0.0, 0.6)), part.part(0.6, 1.0)))
    return statistics


def _drawn(
    ledger: Ledger, plan: LedgerEntry, plans: Sequence[QueryPlan], charged: Mapping[int, tuple[LedgerEntry, Any]]
) -> dict[int, PaidAnswer]:
    """Answers at places of a batch, which are charged."""
    draws, found = ExactDraws(SecureSource()), {}
    for place, (entry, statistic) in charged.items():
        answer = plans[place].mechanism.release(statistic, draws)
        kept = replace(ledger.as_told(entry), answer={"answers": [answer.to_json()]})
        found[place] = PaidAnswer(kept, place, entry.charge.parameters[QUESTIONS][0], answer, plan=plan)
    problem = _kept(ledger, {one.entry.id: one.entry.answer for one in found.values()})
    return {place: replace(one, problem=problem) for place, one in found.items()}


def _kept(ledger: Ledger, answers: Mapping[str, Any]) -> str:
    """Keep answers, or say that they must be copied."""
    try:
        ledger.answer_all(answers)
    except WorkbenchError as error:
        return f"The answer could not be kept, so copy it now: {error.message}"
    return ""


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
