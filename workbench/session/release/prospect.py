"""What to expect of a run before it is made, in words: from public facts and the ledger, and from no row."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.anonymise.balanced import Importance
from workbench.anonymise.forecast import TrimForecast, forecast
from workbench.anonymise.promise import Promise
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.composition import REPLACE_ONE, ReleaseSpending, counted_as
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, estimate, rounded_down, rounded_up
from workbench.core.rationals import rational
from workbench.project.model import Project
from workbench.session.release.chain import chain_of, is_balanced
from workbench.session.release.claims import drawn_levels, number_said
from workbench.session.release.column_details import DetailOutlook, column_details, vanishing
from workbench.session.release.columns import ColumnsDesk
from workbench.session.release.outlook import Outlook, outlook_of
from workbench.session.release.said import said_of
from workbench.session.session import Session
from workbench.session.state import SessionState


@dataclass(frozen=True)
class Prospect:
    """What a run would cost and leave.

    Parameters
    ----------
    cost
        What it costs.
    room
        What is left of the budget.
    fits
        Whether the budget suffices.
    forecast
        Of a trimmed release; None of a sampled one.
    outlook
        At which steps its rows are likely to come out; None where nothing is known of that.
    """

    cost: str
    room: str
    fits: bool = True
    forecast: TrimForecast | None = None
    outlook: Outlook | None = None

    @property
    def price(self) -> str:
        """What it costs, and what is left of the budget."""
        return f"{self.cost}; {self.room}"

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """For each step how many groups there can be, and how many rows one of them gives up on average."""
        found = () if self.forecast is None else self.forecast.steps
        groups = ["unknown"] * len(found) if self.outlook is None else [count(one) for one in self.outlook.groups]
        return tuple((of, f"{estimate(one.mean_lost, 3)} rows") for of, one in zip(groups, found, strict=True))


def prospect_of(session: Session, promised: Promise) -> Prospect:
    """What to expect of a run with the settings as they stand.

    Raises
    ------
    WorkbenchError
        If the steps are impossible.
    """
    state, release = session.state, promised.release
    found = outlook = None
    if isinstance(release, TrimGuarantee):
        vectors = chain_of(state, drawn_levels(state)).vectors
        project = state.project
        said = said_of(project)
        found = forecast(release, project.hierarchies, vectors, project.anonymise.trim.expected_rows, said)
        if not _awaits_levels(state):
            kept = [name for name, wanted in project.anonymise.trim.importance.items() if wanted is Importance.KEEP]
            balanced = is_balanced(state)
            outlook = outlook_of(found, project.hierarchies, said, unit=_unit(project), kept=kept if balanced else ())
    return Prospect(*_price(session, promised), found, outlook)


def details_of(session: Session, prospect: Prospect, promised: Promise) -> tuple[tuple[DetailOutlook, ...], str]:
    """Each column at each of its levels, as far as that is known, and which values are likely to vanish."""
    outlook, found = prospect.outlook, prospect.forecast
    if outlook is None or found is None or not isinstance(promised.release, TrimGuarantee):
        return (), ""
    project = session.project
    details = column_details(found, promised.release, project.hierarchies, said_of(project))
    return details, vanishing(details, outlook.widest, found.rows, _unit(project))


def _unit(project: Project) -> str:
    return "people" if project.schema.unit.rows_per_person == 1 else "rows"


def _price(session: Session, promised: Promise) -> tuple[str, str, bool]:
    said = number_said(session.state)
    try:
        ledger = session.ledger.current
        known = said.with_other(ledger.history.number_known)
        costs = "ε {}, δ {}".format(*map(rounded_up, promised.about(replacing=bool(known))))
        left = ledger.remaining(promised.rows_per_person, number_known=bool(known))
    except WorkbenchError:
        return promised.price, "the ledger cannot be read", False
    if left is None:
        return costs, "no budget is set", True
    rows = max(left.rows_per_person, promised.rows_per_person)
    amounts = rational(promised.epsilon), rational(promised.delta)
    by_groups = (MechanismPart(LossKind.TRIM, *amounts),)  # what is sampled is as independent
    spending = ReleaseSpending(*amounts, promised.rows_per_person, mechanism=by_groups, number_known=bool(known))
    epsilon, delta = counted_as(spending, rows, REPLACE_ONE if known else left.neighbours)
    words = f"ε {rounded_up(epsilon)}, δ {rounded_up(delta)}"
    room = f"left are ε {rounded_down(left.epsilon)}, δ {rounded_down(left.delta)}"
    return words, room, epsilon <= left.epsilon and delta <= left.delta


def _awaits_levels(state: SessionState) -> bool:
    """Whether the levels are still to be drawn privately, so that nothing can be said of them."""
    return ColumnsDesk(state).private_search is not None and drawn_levels(state) is None
