"""Contracts of questions with differential privacy, tried on every neighbouring pair of tiny tables."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from workbench.contracts.contract import Contract, Untried, demand
from workbench.contracts.draws import Law, Watched, excess, excess_beyond, law_of
from workbench.contracts.tiny import Row, measured, related, schema
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, percent
from workbench.core.params import ParamSpec, ParamType
from workbench.core.randomness import SeededSource
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.catalogue import QueryDraft, QueryKind
from workbench.query.draws import ExactDraws
from workbench.query.mechanism import Additive, QueryMechanism, StatisticValues
from workbench.query.plans import QueryPlan, plan

CIRCUMSTANCES = (("", 1), ("", 2), ("town = 'A'", 1), ("age >= 1", 2))
"""Filters and rows per person that every question is tried with."""

_EPSILON, _SHARP = "0.3", "6"
_MOST_VARIANTS = 8
_MOST_AUDITED = 4
_DRAWN = 300
_SCORE = 5.0
_CLOSE = 1e-9
_MIXED: tuple[Row, ...] = tuple((str(n % 4), "AB"[n % 3 == 0]) for n in range(40))


def question(kind: str, epsilon: str, where: str, rows_per_person: int, values: Mapping[str, Any]) -> QueryPlan:
    """The question about the columns of the tiny tables."""
    return plan(QueryDraft(kind, epsilon, values, where), schema(rows_per_person))


def variants(kind: QueryKind) -> list[dict[str, Any]]:
    """Values of the parameters to try: the examples of the kind, and defaults with one of them changed at a time.

    Raises
    ------
    Untried
        If none of them makes a question about the tiny tables.
    """
    starts = [dict(example) for example in kind.examples]
    columns = [spec for spec in kind.parameters if spec.type is ParamType.COLUMN]
    for names in itertools.product(("age", "town"), repeat=len(columns)):
        plain = {spec.name: _plain(spec) for spec in kind.parameters if spec.default is None}
        start = plain | dict(zip((spec.name for spec in columns), names, strict=True))
        starts.append(start)
        for spec in kind.parameters:
            if spec.type is ParamType.CHOICE:
                starts += [start | {spec.name: value} for value, _ in spec.choices if value != spec.default]
            elif spec.type is ParamType.SWITCH:
                starts.append(start | {spec.name: not spec.default})
    found = [values for values in starts if _possible(kind, values)][:_MOST_VARIANTS]
    if not found:
        raise Untried(
            "no values of its parameters were found that make a question about a column “age” of whole numbers and a "
            "column “town” of categories; give some as `examples`."
        )
    return found


def _plain(spec: ParamSpec) -> Any:
    """Some value of a parameter without a default."""
    if spec.type is ParamType.CHOICE:
        return spec.choices[0][0]
    if spec.type in (ParamType.INTEGER, ParamType.NUMBER):
        return max(1, math.ceil(spec.minimum)) if math.isfinite(spec.minimum) else 1
    return {ParamType.FRACTION: "1/2", ParamType.SWITCH: False}.get(spec.type, "1")


def _possible(kind: QueryKind, values: Mapping[str, Any]) -> bool:
    try:
        question(kind.identifier, _EPSILON if kind.needs_epsilon else "", "", 1, values)
    except WorkbenchError:
        return False
    return True


def plans(kind: QueryKind, epsilon: str = _EPSILON) -> Iterator[QueryPlan]:
    """The question in every variant and circumstance."""
    for values in variants(kind):
        for where, rows in CIRCUMSTANCES:
            yield question(kind.identifier, epsilon if kind.needs_epsilon else "", where, rows, values)


# Additive questions: whole numbers with noise on each of them


def noise_asked_for(mechanism: QueryMechanism, statistic: StatisticValues) -> _Asked:
    """At which rate each number of a statistic really gets its noise.

    Raises
    ------
    Broken
        If the answer is anything but these numbers with one draw of noise each.
    """
    sizes = {part.name: len(statistic[part.name]) for part in mechanism.parts}
    draws = Watched(itertools.repeat(0))
    mechanism.release(statistic, draws)
    demand(
        len(draws.rates) == sum(sizes.values()) and not draws.choices and not draws.scores,
        f"{sum(sizes.values())} numbers get {len(draws.rates)} draws of noise.",
    )
    rates = iter(draws.rates)
    return {name: list(itertools.islice(rates, size)) for name, size in sizes.items()}


_Asked: TypeAlias = dict[str, list[Fraction]]
_Known: TypeAlias = tuple[StatisticValues, _Asked]


def loss(mechanism: QueryMechanism, one: StatisticValues, two: StatisticValues) -> Fraction:
    """The largest exponent by which the probabilities of an output differ: Σ rate·|difference| over all numbers.

    The rates are those at which noise is really drawn, not those that are stated.
    """
    return _loss(mechanism, (one, noise_asked_for(mechanism, one)), (two, noise_asked_for(mechanism, two)))


def _loss(mechanism: QueryMechanism, one: _Known, two: _Known) -> Fraction:
    (first, asked), (second, asked_too) = one, two
    demand(asked == asked_too, "the rate of the noise depends on the data.")
    return sum(
        (
            rate * abs(int(a) - int(b))
            for part in mechanism.parts
            for rate, a, b in zip(asked[part.name], first[part.name], second[part.name], strict=True)
            if a != b
        ),
        Fraction(0),
    )


def worst_loss(one: QueryPlan, most: int = 1) -> tuple[Fraction, Sequence[Row], Sequence[Row]]:
    """The largest loss over every neighbouring pair of tables of at most `most` rows, and the pair."""
    known: dict[tuple[Row, ...], _Known] = {}

    def statistic(rows: Sequence[Row]) -> _Known:
        key = tuple(sorted(rows))
        if key not in known:
            values = measured(one, key)
            known[key] = values, noise_asked_for(one.mechanism, values)
        return known[key]

    pairs = list(related(one.neighbours, one.rows_per_person, most))
    losses = [_loss(one.mechanism, statistic(few), statistic(more)) for few, more in pairs]
    worst = max(range(len(pairs)), key=losses.__getitem__)
    return losses[worst], *pairs[worst]


def noise_covers_what_a_person_changes(one: QueryPlan) -> Fraction:
    """The largest loss; `Broken` if it exceeds ε, or ε is not what the parts spend."""
    mechanism = one.mechanism
    spent = sum((part.epsilon for part in mechanism.parts), Fraction(0))
    demand(spent == mechanism.epsilon, f"its parts spend ε = {spent}, and it states {mechanism.epsilon}.")
    worst, few, more = worst_loss(one)
    demand(
        worst <= mechanism.epsilon,
        f"{one.what}: between {_rows(few)} and {_rows(more)} an answer can be e^{_short(worst)} times likelier, and it "
        f"states ε = {_short(mechanism.epsilon)}.",
    )
    return worst


def answer_follows_from_noisy_numbers(one: QueryPlan, few: Sequence[Row], more: Sequence[Row]) -> None:
    """`Broken` unless two tables whose numbers come out equal with noise have the same answer."""
    first, second = measured(one, few), measured(one, more)
    shift: list[int] = []
    for part in one.mechanism.parts:
        shift += [int(a) - int(b) for a, b in zip(first[part.name], second[part.name], strict=True)]
    noises = list(range(7, 7 + len(shift)))
    released = one.mechanism.release(first, Watched(iter(noises)))
    again = one.mechanism.release(
        second, Watched(iter([noise + change for noise, change in zip(noises, shift, strict=True)]))
    )
    demand(
        released == again,
        f"{one.what}: with the same noisy numbers it answers differently for {_rows(few)} and {_rows(more)}, so it "
        "gives out more than them.",
    )


# Contracts


def _shape(kind: QueryKind) -> str:
    tried = 0
    for one in plans(kind):
        small, larger = (measured(one, rows) for rows in ((), _MIXED))
        for statistic in (small, larger):
            for name in (part.name for part in one.mechanism.parts if isinstance(one.mechanism, Additive)):
                values = statistic[name]
                demand(values.ndim == 1, f"{one.what}: the numbers of “{name}” are no list.")
                whole = all(float(value).is_integer() for value in values.tolist())
                demand(whole, f"{one.what}: the numbers of “{name}” are not whole.")
            released = one.mechanism.release(statistic, _seeded(tried))
            _well_formed(one, released)
        sizes = [{name: np.shape(values) for name, values in found.items()} for found in (small, larger)]
        if not isinstance(one.mechanism, Additive):
            sizes = []  # a choice may keep what it needs; the audit sees what it gives out
        demand(sizes[:1] == sizes[1:], f"{one.what}: how many numbers there are depends on the data.")
        expected = one.expected
        for figure in (expected.error, expected.half_width):
            demand(
                figure is None or (math.isfinite(figure) and figure >= 0), f"{one.what}: it expects an error {figure}."
            )
        demand(
            not kind.needs_epsilon or one.epsilon == Fraction(_EPSILON),
            f"{one.what}: asked for ε = {_EPSILON}, it states {_short(one.epsilon)}.",
        )
        json.dumps(one.parameters, allow_nan=False)
        tried += 1
    return f"{tried} questions were asked of an empty table and of one with {len(_MIXED)} rows."


def _well_formed(one: QueryPlan, released: ReleasedAnswer) -> None:
    plain = json.loads(json.dumps(released.to_json(), allow_nan=False))
    demand(
        ReleasedAnswer.from_json(plain).to_json() == plain, f"{one.what}: the ledger cannot keep its answer as it is."
    )
    demand(released.form is one.mechanism.form, f"{one.what}: the answer is no {one.mechanism.form.value}.")
    if released.form in (AnswerForm.LIST, AnswerForm.TABLE):
        known = one.mechanism.undeclared or released.labels == one.mechanism.labels
        demand(known, f"{one.what}: the labels depend on the data.")
        released.table()


def _covered(kind: QueryKind) -> str:
    tried = 0
    worst = Fraction(0)
    for one in plans(kind):
        if not isinstance(one.mechanism, Additive):
            raise Untried("it does not add noise to whole numbers; the exact audit looks at it.")
        worst = max(worst, noise_covers_what_a_person_changes(one) / one.mechanism.epsilon)
        for few, more in itertools.islice(related(one.neighbours, one.rows_per_person, 1), 0, None, 5):
            answer_follows_from_noisy_numbers(one, few, more)
        tried += 1
    lost = estimate(float(worst), 3)
    return f"{tried} questions, every neighbouring pair of tiny tables: at most {lost} of ε is lost."


def _audited(kind: QueryKind) -> str:
    pairs, questions = 0, 0
    why = ""
    # All variants for one row per person come before those for several.
    asked = sorted(zip(plans(kind, "2"), plans(kind, _SHARP), strict=True), key=lambda both: both[0].rows_per_person)
    most = _MOST_AUDITED // 2 if isinstance(asked[0][0].mechanism, Additive) else _MOST_AUDITED
    for mild, sharp in asked[:: max(1, len(asked) // most)]:
        for one in (mild, sharp):
            try:
                # Where noise is added, every pair was gone through already; this looks for what else is given out.
                pairs += audit(one, 0 if isinstance(one.mechanism, Additive) else 1)
            except Untried as error:
                why = str(error)  # with more ε less noise has to be gone through
            else:
                questions += 1
                break
    if not questions:
        raise Untried(why)
    return f"every draw of {questions} questions was gone through, for {pairs:,} neighbouring pairs."


def audit(one: QueryPlan, most: int = 1) -> int:
    """Compare the laws of the answers of every neighbouring pair; returns how many were compared.

    Raises
    ------
    Broken
        If some answer is more than e^ε times likelier for one of them.
    Untried
        If there are too many draws to go through.
    """
    factor = math.exp(min(float(one.mechanism.epsilon), 600.0))
    laws: dict[str, Law] = {}
    known: dict[tuple[Row, ...], Law] = {}

    def law(rows: Sequence[Row]) -> Law:
        ordered = tuple(sorted(rows))
        if ordered not in known:
            statistic = measured(one, ordered)
            key = repr({name: np.asarray(values).tolist() for name, values in statistic.items()})
            if key not in laws:
                laws[key] = law_of(lambda draws: one.mechanism.release(statistic, draws))
            known[ordered] = laws[key]
        return known[ordered]

    compared = 0
    for few, more in related(one.neighbours, one.rows_per_person, most):
        for first, second in ((few, more), (more, few)):
            if one.delta:
                beyond = excess_beyond(law(first), law(second), factor)
                demand(
                    beyond <= float(one.delta) * (1 + _CLOSE),
                    f"{one.what}: between {_rows(first)} and {_rows(second)} chances differ by {estimate(beyond)} "
                    f"beyond ε = {_short(one.mechanism.epsilon)}, and it states δ = {_short(one.delta)}.",
                )
                continue
            found = excess(law(first), law(second), factor)
            demand(
                found is None,
                f"{one.what}: an answer is {_times(found)} likelier for {_rows(first)} than for {_rows(second)}, and "
                f"ε = {_short(one.mechanism.epsilon)} allows {estimate(factor)} times.",
            )
        compared += 1
    return compared


def _times(found: tuple[str, float] | None) -> str:
    return "" if found is None else f"{estimate(found[1], 3)} times"


def _unbiased(kind: QueryKind) -> str:
    tried = 0
    for one in (one for one in plans(kind, "2") if one.where is None):
        mechanism = one.mechanism
        if mechanism.form is AnswerForm.CHOICE:
            raise Untried("it answers by a choice, which has no mean.")
        if mechanism.undeclared:
            raise Untried("which numbers it answers with is part of the answer.")
        statistic = measured(one, _MIXED)
        truth = mechanism.truth(statistic)
        draws = _seeded(11 + tried)
        released = [mechanism.release(statistic, draws) for _ in range(_DRAWN)]
        answers = np.array([np.ravel(answer.value) for answer in released], dtype=np.float64)
        simulated = mechanism.simulate(statistic, _DRAWN, np.random.default_rng(tried))
        demand(answers.shape == simulated.shape, f"{one.what}: simulated answers have another shape than real ones.")
        spread = np.sqrt((answers.var(axis=0) + simulated.var(axis=0)) / _DRAWN) + 1e-9
        off = float(np.max(np.abs(answers.mean(axis=0) - simulated.mean(axis=0)) / spread))
        demand(off < _SCORE, f"{one.what}: simulated answers are {estimate(off, 3)} standard errors from real ones.")
        if released[0].interval is not None:
            _covers(one, released, truth)
        tried += 1
    return f"{tried} questions were answered {_DRAWN} times: simulated answers agree, and intervals hold the truth."


def _covers(one: QueryPlan, released: Sequence[ReleasedAnswer], truth: np.ndarray[Any, Any]) -> None:
    """`Broken` unless 95 % intervals hold the truth as often, up to five standard errors."""
    inside = np.array([
        (np.ravel(answer.interval[0]) <= truth + 1e-9) & (truth - 1e-9 <= np.ravel(answer.interval[1]))
        for answer in released
        if answer.interval is not None
    ])  # fmt: skip
    least = float(inside.mean(axis=0).min())
    allowed = 0.95 - _SCORE * math.sqrt(0.95 * 0.05 / len(released))
    demand(
        least >= allowed,
        f"{one.what}: its 95 % intervals hold the truth in {percent(least)} of {len(released)} answers.",
    )


def _seeded(seed: int) -> ExactDraws:
    return ExactDraws(SeededSource(seed))


def _rows(rows: Sequence[Row]) -> str:
    return "[" + ", ".join(f"({age or 'no age'}, {town or 'no town'})" for age, town in rows) + "]"


def _short(value: Fraction) -> str:
    return estimate(float(value), 6)


CONTRACTS: tuple[Contract[QueryKind], ...] = (
    Contract("shape", _shape),
    Contract("sensitivity", _covered),
    Contract("exact audit", _audited),
    Contract("bias and intervals", _unbiased),
)
