"""Questions that are asked together: a plan, which is charged before the first of them is answered.

The plan says what may be drawn, and costs what that costs together, answered or not. Each answer is written down as a
draw in its slot of the plan. Whoever asks the same batch again after it was interrupted is given the answers that are
there, and the rest is drawn in the slots that are still open, for nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.query.ledger import Charge, Ledger, LedgerEntry
from workbench.query.ledger_entries import ASKED_OF, JSON, QUESTIONS
from workbench.query.open_slots import open_slots
from workbench.query.plan_charges import plan_charge
from workbench.query.plans import QueryPlan
from workbench.session.query_answers import PaidAnswer, answers_of, as_compared, charge_for, question_of


@dataclass(frozen=True)
class BegunBatch:
    """A batch in the ledger.

    Parameters
    ----------
    entry
        Its plan.
    answers
        Those that are known, by their places.
    open
        The places at which nothing was drawn.
    """

    entry: LedgerEntry
    answers: Mapping[int, PaidAnswer]
    open: tuple[int, ...]

    @property
    def complete(self) -> bool:
        """Whether every question was answered."""
        return len(self.answers) == len(self.entry.charge.slots)

    @property
    def lost(self) -> tuple[int, ...]:
        """The places at which something was drawn and no answer was kept."""
        known = {*self.answers, *self.open}
        return tuple(place for place in range(len(self.entry.charge.slots)) if place not in known)


def is_planned(plans: Sequence[QueryPlan]) -> bool:
    """Whether questions make a plan: several, with a promise."""
    return len(plans) > 1 and not plans[0].unclaimed


def batch_charge(plans: Sequence[QueryPlan], delta: Fraction | None = None, asked_of: str = "") -> Charge:
    """The charge for questions that are asked together: as a plan, or, where they make none, by adding up.

    Parameters
    ----------
    delta
        The δ of all of them, at least the sum of theirs, which is meant if it is None.
    asked_of
        Of which data they are asked.

    Raises
    ------
    WorkbenchError
        If δ is too small, or was given for what is no plan.
    """
    if not is_planned(plans):
        if delta is not None:
            raise WorkbenchError(
                "A δ for all questions together is for several questions with a promise.",
                hint="Leave it out.",
                field="batch_delta",
            )
        return charge_for(plans)
    questions = [question_of(one) for one in plans]
    what = f"Batch of {counted(len(plans), 'question')}: {'; '.join(one.what for one in plans)}"
    parameters: dict[str, JSON] = {QUESTIONS: questions, **({ASKED_OF: asked_of} if asked_of else {})}
    made_by = " and ".join(sorted({one.draft.noise.value for one in plans}))
    try:
        return plan_charge(what, [charge_for((one,)).released for one in plans], delta, parameters, made_by)
    except WorkbenchError as error:
        if error.field != "plan_delta":
            raise
        raise WorkbenchError(
            "The δ of all questions together must be below 1, and not below the sum of theirs.",
            hint="Leave it out for the sum.",
            field="batch_delta",
        ) from None


def answer_charges(plans: Sequence[QueryPlan], places: Sequence[int], asked_of: str) -> dict[int, Charge]:
    """The charges of the answers at these places of a batch, which its plan pays."""
    found = {}
    for place in places:
        charge = charge_for((plans[place],))
        found[place] = replace(charge, parameters=MappingProxyType({**charge.parameters, ASKED_OF: asked_of}))
    return found


def begun_batch(ledger: Ledger, plans: Sequence[QueryPlan], asked_of: str) -> BegunBatch | None:
    """The latest batch of exactly these questions of this data that is answered or can be gone on with."""
    wanted, entries = [as_compared(question_of(one)) for one in plans], ledger.history.told
    free = open_slots(entries)
    for plan in reversed(entries):
        public = plan.charge.parameters
        if not plan.is_batch or public.get(ASKED_OF) != asked_of:
            continue
        asked = public[QUESTIONS]
        # Another program may have written anything there.
        if not isinstance(asked, list) or [as_compared(one) for one in asked if isinstance(one, Mapping)] != wanted:
            continue
        drawn = {one.charge.slot[1]: one for one in entries if one.charge.slot and one.charge.slot[0] == plan.id}
        answers = {place: found[0] for place, one in drawn.items() if (found := answers_of(one, plan))}
        begun = BegunBatch(plan, answers, free[plan.id])
        if begun.open or begun.complete:
            return begun
    return None


def with_lost(answers: tuple[PaidAnswer, ...], begun: BegunBatch | None) -> tuple[PaidAnswer, ...]:
    """The answers, where a batch was gone on with, with a word on those that were lost when it was interrupted."""
    lost = () if begun is None else begun.lost
    if not lost:
        return answers
    questions = begun.entry.charge.parameters[QUESTIONS] if begun is not None else ()
    words = "; ".join(str(questions[place]["what"]) for place in lost)
    problem = f"Paid for and lost when the batch was interrupted: {words}. Asking that once more costs its own ε."
    return tuple(replace(one, problem=one.problem or problem) for one in answers)


def groups(places: Sequence[int]) -> list[Sequence[int]]:
    """The places in groups that are charged and answered one after another: each alone, unless there are many."""
    size = -(-len(places) // _MOST_GROUPS)
    return [places[start : start + size] for start in range(0, len(places), size or 1)]


_MOST_GROUPS = 8
"""A ledger is written twice for each."""
