"""The price of a real collection, before anybody reports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from workbench.core.composition import REPLACE_ONE, Total
from workbench.core.counted_twice import twice_words
from workbench.core.number_text import epsilon_down, epsilon_up, rounded_down, rounded_up
from workbench.core.release_spending import with_number_known
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.participation import Attendance
from workbench.ldp.persons import PersonBudget
from workbench.ldp.protocol import SMALLEST_EPSILON
from workbench.ldp.report_file import Announcement
from workbench.project.model import Project
from workbench.query.ledger import Charge, Ledger, RemainingBudget
from workbench.query.ledger_entries import COLLECTION, HIDDEN, OPEN, PARTICIPATION

ENGINE = "collect"


@dataclass(frozen=True)
class Price:
    """The price of reports.

    Parameters
    ----------
    budget
        ε of what one person reports.
    room
        What the ledger would have left.
    spent
        What was spent before, for persons with as many rows.
    attended
        Who reports.
    counted
        What of the ε that would be spent counts twice, in brackets to stand after it; "" if nothing does.
    """

    budget: PersonBudget
    remaining: RemainingBudget
    spent: Total
    attended: Attendance
    counted: str = ""

    @property
    def recounted(self) -> bool:
        """Whether what was spent before counts for more from now on, because it was about adding or removing rows."""
        return self.remaining.after.neighbours != self.spent.neighbours and self.spent.count > 0


TRIAL_COSTS = "A trial costs as much: its reports tell as much about the rows of this table."
"""Why it is charged, although nobody gave the answers."""
_INSTEAD = "Open a table of made-up answers, or simulate, which spends nothing."


def refused_words(price: Price, *, trial: bool = False) -> str:
    """That reports go beyond the budget, and what to do next, in a sentence each; "" where they do not."""
    room, after = price.remaining, price.remaining.after
    if room.refusal is None or room.budget is None:
        return ""
    what, come_to, most = "ε", after.epsilon, room.budget.epsilon
    if not room.budget.order and come_to <= most and after.delta > room.budget.delta:
        what, come_to, most = "δ", after.delta, room.budget.delta
    if room.budget.order:  # a filter keeps it, of which there is no such sum
        words = f"Over budget: too little of {what} {rounded_down(most)} is left."
    else:
        words = f"Over budget: {what} {rounded_up(come_to)} of {rounded_down(most)} would be spent."
    fits = max(room.fitting, Fraction(0)) / price.budget.reports
    if what == "ε" and fits >= SMALLEST_EPSILON:
        return f"{words} Reports of at most ε {rounded_down(fits)} each would fit."
    if trial:
        return f"{words} {TRIAL_COSTS} {_INSTEAD}"
    return f"{words} No ε fits: collect from other data, or aggregate reports that you have."


def budget_words(price: Price) -> str:
    """What remains of the budget afterwards, or what is spent without any; "" where the budget forbids it."""
    room, after = price.remaining, price.remaining.after
    if room.refusal is not None:
        words = ""  # as `refused_words` says
    elif room.left is not None and room.budget is not None:
        words = f"Then {epsilon_down(room.left)} of {rounded_down(room.budget.epsilon)} remains."
        if price.counted and not room.budget.order:  # of a filter there is no such sum
            words = f"{words[:-1]}: {epsilon_up(after.epsilon)}{price.counted} are spent."
    else:
        words = f"No total budget is set; with it, {epsilon_up(after.epsilon)}{price.counted} are spent."
    if price.recounted:
        words += " " * bool(words) + (
            "As it is public how many report, the total is then about replacing a person's rows, where questions "
            "that hide whether the rows are there at all count twice."
        )
    return words


def charge_for(project: Project, choice: ProtocolChoice, budget: PersonBudget, attended: Attendance) -> Charge:
    """The charge; that there is a person, and how many reports they send, is public: neighbours replace the person."""
    return Charge(
        kind=COLLECTION,
        what=choice.protocol.title,
        epsilon=budget.person,
        rows_per_person=project.schema.unit.rows_per_person,
        made_by=ENGINE,
        neighbours=REPLACE_ONE,
        parameters=MappingProxyType({PARTICIPATION: HIDDEN if attended.hidden else OPEN}),
    )


def charge_of_reports(
    project: Project,
    choice: ProtocolChoice,
    budget: PersonBudget,
    announced: Announcement,
    name: str,
    *,
    claimed: bool,
) -> Charge:
    """The charge of a file of reports, with what is public about it."""
    assert announced.attended is not None
    charge = charge_for(project, choice, budget, announced.attended)
    column, reports = announced.column, announced.reports
    return replace(
        charge,
        what=f"{reports:,} reports by {choice.protocol.title} on “{column}” in {name}. {announced.promise}",
        parameters={
            **charge.parameters,
            "column": column,
            "protocol": choice.identifier,
            "reports": reports,
            "cautions": list(announced.cautions),
            **({} if announced.plugin is None else {"plugin": dict(announced.plugin)}),
        },
        claimed=claimed,
    )


def price(
    project: Project,
    ledger: Ledger,
    choice: ProtocolChoice,
    size: int,
    attended: Attendance,
    *,
    number_known: bool = False,
) -> Price:
    """The price of reports by a protocol, and the budget that it leaves.

    Parameters
    ----------
    project, ledger
        As they are now.
    choice
        The protocol.
    size
        Possible answers; 0 for a mean.
    attended
        Who reports.
    number_known
        Whether it is said that it is known how many people there are, so that what was spent counts twice.

    Raises
    ------
    WorkbenchError
        If the protocol does not fit, or the ledger cannot be read.
    """
    settings = project.collect
    reports = 1 if settings.one_report_per_person else project.schema.unit.rows_per_person
    budget = PersonBudget(choice.build(size + attended.none, settings.epsilon).spent, reports)
    charge = charge_for(project, choice, budget, attended)
    room = ledger.remaining_after(charge, number_known=number_known)
    spent = ledger.spent(charge.rows_per_person, number_known=number_known)
    after = (*ledger.history.released, charge.released)
    if number_known:
        after = with_number_known(after)
    return Price(budget, room, spent, attended, twice_words(after, charge.rows_per_person))
