"""Plans of a question before anything is spent, computed off the GUI thread. No data is looked at."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from workbench.core.composition import Total
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import file_text, margin_up
from workbench.core.progress import Progress
from workbench.core.schema import Schema, UnitAnswer
from workbench.core.working_table import Preparation
from workbench.plots.noise_spread import NoiseSpread
from workbench.plots.noise_spread import compute as spread
from workbench.plots.query_errors import ErrorCurve, QueryErrorCurve
from workbench.query.averages import Averages
from workbench.query.catalogue import QueryDraft
from workbench.query.ledger import RemainingBudget
from workbench.query.mechanism import Expected
from workbench.query.plans import MOST_ROWS, QueryPlan
from workbench.query.spread import OfSpread
from workbench.session.answer_shares import asked_as_shares
from workbench.session.charged_words import charged_words
from workbench.session.found_first import FoundFirst, found_first
from workbench.session.known_total import known_total
from workbench.session.query_answers import PaidAnswer, charge_for
from workbench.session.query_words import longer_tail_words, middle_words, pooled_words
from workbench.session.row_counts import draw_ahead
from workbench.session.session import Session
from workbench.session.standing import number_at_stake

_SIMULATED = 4000
_NUMBERS = 400_000
"""Simulated values for a picture."""
_SEED = 1
_EPSILONS = tuple(file_text(value, 3) for value in np.geomspace(0.01, 10, 25))
_FLAT = 12
"""Steps from one whole number to the next look like a line above this one."""
_APART = 1.003
"""Places of which one is so many times the other are the same in a picture."""


@dataclass(frozen=True, eq=False)
class PlanInputs:
    """Everything a plan depends on. Equal ones have the same plan."""

    draft: QueryDraft
    schema: Schema
    preparation: Preparation
    fingerprint: str

    @classmethod
    def of(cls, session: Session) -> PlanInputs:
        """The question of a session as it stands."""
        project = session.project
        return cls(project.queries.draft, project.schema, project.preparation, session.data.fingerprint)

    def same(self, other: PlanInputs) -> bool:
        """Whether the other one is the same question of the same data."""
        return (
            self.schema is other.schema
            and self.draft == other.draft
            and self.preparation == other.preparation
            and self.fingerprint == other.fingerprint
        )


@dataclass(frozen=True, eq=False)
class Foreseen:
    """A plan, its price, and the answer that was given to the same question before.

    Parameters
    ----------
    room
        What it would leave of the budget; None if the ledger cannot be read, which `problem` then says.
    spent
        What was spent before, as it counts beside the answer.
    plain
        Whether a statement lies beside the file, so that a plain answer may be free.
    unsaid
        Whether nobody has said yet who is protected; then nothing is asked that costs something.
    pooled
        What the answers that were given to the same question come to together, in words; "" for fewer than two.
    several
        Whether a column of the data looks as if a person had several rows.
    remains
        ε that is left of the budget before this; None if none was set.
    number_known
        Whether others know how many rows, or people, there are.
    middle
        The margin of values in the middle of the bounds, in words, where that of others is expected.
    as_shares
        Whether shares are what is wanted of the counts of a histogram.
    draw
        What the draw of one row of each person adds to a mean, in words.
    known_rows
        How many rows the stored answer is of, where that is known, as by `known_total`; else 0.
    farther
        The margin, in words, if values reach farther than was said; "" where nothing was.
    first
        What finding bounds first would do; None where that is no way to answer.
    """

    asked: PlanInputs
    plan: QueryPlan
    remaining: RemainingBudget | None
    spent: Total | None
    stored: PaidAnswer | None
    problem: WorkbenchError | None = None
    plain: bool = False
    unsaid: bool = False
    several: bool = False
    pooled: str = ""
    remains: Fraction | None = None
    number_known: bool = False
    middle: str = ""
    as_shares: bool = False
    draw: str = ""
    known_rows: int = 0
    farther: str = ""
    first: FoundFirst | None = None

    @property
    def price(self) -> tuple[Fraction, Fraction]:
        """ε and δ with which the answer counts: what it promises, more where all counts for replacing a person, and
        nothing where a plan pays.
        """
        return self.own if self.remaining is None else self.remaining.price

    @property
    def own(self) -> tuple[Fraction, Fraction]:
        """ε and δ as they are set."""
        return self.plan.epsilon, self.plan.delta

    @property
    def priced(self) -> str:
        """The price in words, with what counts twice of it."""
        return charged_words(self.own, self.price)

    @property
    def again(self) -> str:
        """The same of one more answer, where a plan paid for the one that is there."""
        return charged_words(self.own, self.price if any(self.price) else self.own)


@dataclass(frozen=True, eq=False)
class PlanCharts:
    """The charts of a plan."""

    plan: QueryPlan
    spread: NoiseSpread | None
    curve: ErrorCurve | None
    drawn_for: str = ""
    """The true value that the picture of errors is drawn for, where they depend on it, and whether from simulations."""


def foreseer(session: Session) -> Callable[[Progress], Foreseen]:
    """Work out a plan; call it on any thread."""
    asked, session = PlanInputs.of(session), session.snapshot()
    unsaid = session.project.schema.unit.protected is UnitAnswer.UNSAID
    loaded = session.data.loaded
    several = unsaid and loaded is not None and bool(loaded.persons)

    def work(progress: Progress) -> Foreseen:
        desk = session.queries
        plan = desk.plan(asked.draft)
        assert plan.expected is not None and plan.depends_on_rows is not None  # worked out here, not on the GUI thread
        middle, draw, farther = middle_words(plan), draw_ahead(plan), longer_tail_words(plan)
        first = found_first(desk, plan, asked.schema)
        progress(0.5)
        known = bool(number_at_stake(session.state))
        try:
            ledger = session.ledger.current
            room = ledger.remaining_after(charge_for((plan,)), number_known=known)
            left = ledger.remaining(plan.rows_per_person, number_known=known)
            spent, alike = ledger.spent(plan.rows_per_person, number_known=known), desk.alike(asked.draft)
        except WorkbenchError as problem:
            return Foreseen(
                asked,
                plan,
                None,
                None,
                None,
                problem,
                desk.is_released_file,
                unsaid,
                several,
                number_known=known,
                middle=middle,
                draw=draw,
                farther=farther,
                first=first,
            )
        stored, pooled = next(reversed(alike), None), pooled_words(alike)
        return Foreseen(
            asked,
            plan,
            room,
            spent,
            stored,
            None,
            desk.is_released_file,
            unsaid,
            several,
            pooled,
            None if left is None else left.epsilon,
            known,
            middle,
            stored is not None and asked_as_shares(session.project, stored.question),
            draw,
            0 if stored is None else known_total(session.state, stored),
            farther,
            first,
        )

    return work


def painter(session: Session, plan: QueryPlan) -> Callable[[Progress], PlanCharts]:
    """Work out the charts of a plan; call it on any thread."""
    desk = session.snapshot().queries

    def work(progress: Progress) -> PlanCharts:
        drawn, simulated = spread_of(plan)
        if drawn is not None and middle_words(plan):
            # The margin that leads is that of all there can be, and the picture is of where it is as wide as that.
            drawn = replace(drawn, where="wherever values lie")
        if drawn is not None and plan.expected.before:
            drawn = replace(drawn, where=f"before {plan.expected.before}")
        words = " ".join(filter(None, (_drawn_for(plan), simulated)))
        return PlanCharts(plan, drawn, _curve(desk.curve, plan, progress), words)

    return work


def _drawn_for(plan: QueryPlan) -> str:
    mechanism = plan.mechanism
    if isinstance(mechanism, OfSpread) and mechanism.tail is not None:
        spec = mechanism.grid.spec
        return f"Of values that are {mechanism.tail.described(spec.unit or spec.format.symbol)}."
    if not isinstance(mechanism, Averages):
        return ""
    # Cells of a plan are alike, so one stands for all.
    truth = mechanism.shown(float(mechanism.truth(mechanism.assumed(plan.rows))[0]))
    middle = middle_words(plan)
    # Whoever reads a number here takes it for what is expected, unless it is said to be none.
    drawn = f"No forecast of the mean: drawn as if it were {truth}"
    if not middle:
        return f"{drawn}, where its margin is widest."
    return f"{drawn}, near a bound, where its margin is widest; it is {middle}."


def spread_of(plan: QueryPlan) -> tuple[NoiseSpread | None, str]:
    """How far off answers of a plan are, by the law of their error; from simulated ones where that has no formula.

    Returns
    -------
    NoiseSpread, str
        None where it cannot be drawn; and that it was simulated, in a sentence, or "".
    """
    mechanism, half = plan.mechanism, plan.expected.half_width
    several = mechanism.assumptions(plan.rows)
    law = mechanism.drawn_law(several[0]) if len(several) == 1 else None
    if half is not None and law is not None:
        return spread(law.points, half, plan.unit, law.chances, law.step), ""
    truths = [mechanism.truth(one) for one in several]
    count = max(50, min(_SIMULATED, _NUMBERS // max(len(truths[0]), 1)))
    generator = np.random.default_rng(_SEED)
    errors = np.concatenate(
        [
            mechanism.simulate(one, count // len(several), generator) - truth
            for one, truth in zip(several, truths, strict=True)
        ]
    )
    count = len(errors)
    if half is None or not np.isfinite(errors).any():
        return None, ""
    return spread(errors, half, plan.unit), f"Drawn from {count:,} simulated answers."


_Curve = Callable[[QueryDraft, Sequence[str]], list[tuple[float, Expected]]]


def _curve(at: _Curve, plan: QueryPlan, progress: Progress) -> ErrorCurve | None:
    if not plan.kind.needs_epsilon:
        return None
    places, errors, halves = [], [], []
    # The plan has looked up how many rows were counted; once is enough.
    draft = replace(plan.draft, assumed_rows=min(plan.rows, MOST_ROWS), rows_typed=True)
    for position, epsilon in enumerate(_EPSILONS):
        progress(position / len(_EPSILONS))
        ((place, expected),) = at(replace(draft, epsilon=epsilon), [epsilon])
        places.append(place)
        errors.append(expected.error)
        halves.append(expected.half_width)
    lines = []
    if any(half for half in halves):
        lines.append(_margins(at, draft, dict(zip(places, halves, strict=True)), progress))
    if any(error for error in errors):
        lines.append(QueryErrorCurve("expected error", tuple(places), tuple(errors)))
    if not lines:
        return None
    half = plan.expected.half_width
    unit = f", {plan.unit}" if plan.unit else ""
    return ErrorCurve(
        tuple(lines),
        "ε",
        f"Error{unit}",
        (float(plan.epsilon), half) if half else None,
    )


def _margins(at: _Curve, draft: QueryDraft, halves: dict[float, float | None], progress: Progress) -> QueryErrorCurve:
    """The margin against ε, with the places where whole rows make it jump."""
    if all(half is not None and half.is_integer() for half in halves.values()):
        whole = {place: half for place, half in halves.items() if half is not None}
        halves = _with_steps(at, draft, whole, progress)
    above = [place for place, half in halves.items() if half != 0]
    zero = next((place for place in halves if place > above[-1]), None)
    gone = "" if zero is None else f" (0 from ε {margin_up(zero, 3)} on)"
    return QueryErrorCurve(f"95 % of answers are closer{gone}", tuple(halves), tuple(halves.values()), zero_from=zero)


def _with_steps(
    at: _Curve, draft: QueryDraft, halves: dict[float, float], progress: Progress
) -> dict[float, float | None]:
    """The margin on either side of each step too, where steps are seen."""
    # What is done to counts afterwards changes their error, which takes long to work out, but not their margin.
    adjusted = draft.values.get("post") == "consistent"
    plain = replace(draft, values={**draft.values, "post": "none"}) if adjusted else draft
    found = dict(halves)
    open_ = list(pairwise(halves))
    while open_:
        progress(1.0)  # how many are to come is not known, but the work may be cancelled
        low, high = open_.pop()
        if found[low] == found[high] or found[high] > _FLAT or high / low <= _APART:
            continue
        epsilon = file_text(math.sqrt(low * high), 6)
        ((middle, expected),) = at(replace(plain, epsilon=epsilon), [epsilon])
        if expected.half_width is None:
            continue
        found[middle] = expected.half_width
        open_ += [(low, middle), (middle, high)]
    return dict(sorted(found.items()))
