"""What a real collection costs, before anybody reports."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.composition import REPLACE_ONE, Total
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.persons import Budget
from workbench.query.ledger import Charge, Room
from workbench.session.spending import SpendingSession

ENGINE = "collect"


@dataclass(frozen=True)
class Price:
    """What reports cost.

    Parameters
    ----------
    budget
        ε of what one person reports.
    room
        What the ledger would have left.
    spent
        What was spent before, for persons with as many rows.
    """

    budget: Budget
    room: Room
    spent: Total

    @property
    def recounted(self) -> bool:
        """Whether what was spent before counts for more from now on, because it was about adding or removing rows."""
        return self.room.after.neighbours != self.spent.neighbours and self.spent.count > 0


def charge_for(session: SpendingSession, choice: ProtocolChoice, budget: Budget) -> Charge:
    """The charge; reports hide which answer a person gave and not that they report: neighbours replace the person."""
    return Charge(
        kind="collection",
        what=choice.protocol.title,
        epsilon=budget.person,
        rows_per_person=session.project.schema.unit.rows_per_person,
        engine=ENGINE,
        neighbours=REPLACE_ONE,
    )


def price(session: SpendingSession, choice: ProtocolChoice, size: int) -> Price:
    """What reports by a protocol cost, and leave of the budget.

    Parameters
    ----------
    session
        As it stands.
    choice
        The protocol.
    size
        Possible answers; 0 for a mean.

    Raises
    ------
    WorkbenchError
        If the protocol does not fit, or the ledger cannot be read.
    """
    settings = session.project.collect
    reports = 1 if settings.one_report_per_person else session.project.schema.unit.rows_per_person
    budget = Budget(choice.build(size, settings.epsilon).spent, reports)
    charge, ledger = charge_for(session, choice, budget), session.ledger
    return Price(budget, ledger.room_for(charge), ledger.spent(charge.rows_per_person))
