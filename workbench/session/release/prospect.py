"""The prospect of a run before it is made, in words: from public facts and the ledger, and from no row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.anonymise.balanced import Importance
from workbench.anonymise.claim import Claim
from workbench.anonymise.claimed_sum import spending_of
from workbench.anonymise.forecast import TrimForecast, forecast
from workbench.anonymise.promise import Promise
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.composition import REPLACE_ONE, ReleaseSpending, Total, counted_as, total
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import count, estimate, rounded_up
from workbench.project.model import Project
from workbench.session.release.chain import chain_of, is_balanced
from workbench.session.release.claims import drawn_levels, promise_of
from workbench.session.release.column_details import DetailOutlook, column_details
from workbench.session.release.columns import ColumnsDesk
from workbench.session.release.drawing import DrawDesk
from workbench.session.release.outlook import Outlook, outlook_of
from workbench.session.release.rare_values import rare_values, vanishing
from workbench.session.release.said import said_of
from workbench.session.release.wishes import ranked
from workbench.session.session import Session
from workbench.session.standing import NO_BUDGET
from workbench.session.state import SessionState

_PLANNED = "nothing more, as a plan pays for it"


@dataclass(frozen=True)
class Prospect:
    """The price of a run, and what it would leave.

    Parameters
    ----------
    cost
        What it costs.
    remaining
        What is left of the budget.
    fits
        Whether the budget suffices: what refuses a draw is asked.
    more
        What its ε adds to what is spent, for a button.
    forecast
        Of a trimmed release; None of a sampled one.
    outlook
        At which steps its rows are likely to come out; None where nothing is known of that.
    """

    cost: str
    remaining: str
    fits: bool = True
    more: str = ""
    forecast: TrimForecast | None = None
    outlook: Outlook | None = None

    @property
    def unlimited(self) -> bool:
        """Whether nobody has set a budget for the data."""
        return self.remaining == NO_BUDGET

    @property
    def of_another(self) -> str:
        """The remaining budget for another draw beside the one that is there; "" without a budget."""
        if self.unlimited:
            return ""
        left = (
            f"{self.remaining[0].upper()}{self.remaining[1:]}" if self.remaining.isascii() else self.remaining
        )  # no capital Ε for ε
        return left if self.fits else f"{left}: too little for another draw"

    @property
    def price(self) -> str:
        """The cost, and the remaining budget."""
        return f"{self.cost}; {self.remaining}"

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """For each step how many groups there can be, and how many rows one of them gives up on average."""
        found = () if self.forecast is None else self.forecast.steps
        groups = ["unknown"] * len(found) if self.outlook is None else [count(one) for one in self.outlook.groups]
        return tuple((of, f"{estimate(one.mean_lost, 3)} rows") for of, one in zip(groups, found, strict=True))


def prospect_of(session: Session, promised: Promise, claim: Claim) -> Prospect:
    """The prospect of a run with the present settings, and of what can be claimed for it.

    Raises
    ------
    WorkbenchError
        If the steps are impossible.
    """
    return Prospect(*_price(session, promised, claim), *expected_of(session, promised))


def expected_of(session: Session, promised: Promise) -> tuple[TrimForecast | None, Outlook | None]:
    """The forecast of what trimming takes from groups, and the outlook for its steps; None where nobody can tell.

    Raises
    ------
    WorkbenchError
        If the steps are impossible.
    """
    state, release = session.state, promised.release
    if not isinstance(release, TrimGuarantee):
        return None, None
    vectors = chain_of(state, drawn_levels(state)).vectors
    project = state.project
    said = said_of(project)
    found = forecast(release, project.hierarchies, vectors, project.anonymise.trim.expected_rows, said)
    if _awaits_levels(state):
        return found, None
    kept = [name for name, wanted in project.anonymise.trim.importance.items() if wanted is Importance.KEEP]
    balanced = is_balanced(state)
    outlook = outlook_of(
        found,
        project.hierarchies,
        said,
        unit=_unit(project),
        kept=kept if balanced else (),
        one_each=counts_people(project) and bool(project.schema.unit.person_column),
    )
    return found, outlook


def details_of(session: Session, prospect: Prospect, promised: Promise) -> tuple[tuple[DetailOutlook, ...], str, str]:
    """Each column at each of its levels, as far as that is known, and which values are likely to vanish; in short."""
    outlook, found = prospect.outlook, prospect.forecast
    if outlook is None or found is None or not isinstance(promised.release, TrimGuarantee):
        return (), "", ""
    project = session.project
    details = column_details(found, promised.release, project.hierarchies, said_of(project))
    unit = _unit(project)
    rare = rare_values(details, unit, ranked(session, outlook.widest))
    return details, vanishing(details, outlook.widest, found.rows, unit), rare


def counts_people(project: Project) -> bool:
    """Whether so many as are expected are people: each has one row that takes part, so that it is asked for them."""
    return project.schema.unit.rows_per_person == 1


def _unit(project: Project) -> str:
    return "people" if counts_people(project) else "rows"


def _price(session: Session, promised: Promise, claim: Claim) -> tuple[str, str, bool, str]:
    state = session.state
    try:
        standing, desk = session.standing, DrawDesk(state)
        planned = not desk.unpaid(claim)
    except WorkbenchError:
        return promised.price, "the ledger cannot be read", False, ""
    known, left = bool(standing.known), standing.left
    if left is None:
        epsilon, delta = map(rounded_up, promised.about(replacing=known))
    else:
        neighbours = REPLACE_ONE if known else left.neighbours
        counted = counted_as(_spending(promised, standing.known), left.rows_per_person, neighbours)
        epsilon, delta = map(rounded_up, counted)
    words, more = (_PLANNED, "planned") if planned else (f"ε {epsilon}, δ {delta}", f"ε {epsilon} more")
    try:
        desk.refuse_beyond_budget()
    except WorkbenchError:
        return words, standing.remaining, False, more
    return words, standing.remaining, True, more


def spent_with_next(session: Session) -> Total:
    """The total of all releases of the data and of a draw with the present settings, before it is made.

    Raises
    ------
    WorkbenchError
        If the settings have no solution, or the ledger cannot be read.
    """
    promised, history = promise_of(session.state), session.ledger.current.history
    known = session.standing.known
    return total((*history.released, _spending(promised, known)), session.project.schema.unit.rows_per_person)


def _spending(promised: Promise, known: KnownNumber) -> ReleaseSpending:
    return replace(spending_of(promised), number_known=bool(known))


def _awaits_levels(state: SessionState) -> bool:
    """Whether the levels are still to be drawn privately, so that nothing can be said of them."""
    return ColumnsDesk(state).private_search is not None and drawn_levels(state) is None
