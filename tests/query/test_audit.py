"""Grid noise keeps its ε: every neighbouring pair of tiny tables, in fractions.

Noise and choices have probabilities in powers of e. All of it is checked with another number in the place of e (a power
of two, so that everything is a fraction): the claim is an inequality between exponents, which does not depend on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tests.query.helpers import Watched, measured, question, schema
from workbench.contracts.queries import noise_covers_what_a_person_changes
from workbench.contracts.tiny import Row, neighbours
from workbench.core.private_draw import Draw
from workbench.query.mechanism import Additive, QueryMechanism, StatisticValues
from workbench.query.plans import QueryPlan
from workbench.query.quantiles import Quantiles

ADDITIVE: list[tuple[str, dict[str, Any]]] = [
    ("count", {}),
    ("sum", {"column": "age"}),
    ("sum", {"column": "age", "lower": "-2", "upper": "3.5", "resolution": "0.5"}),
    ("sum", {"column": "age", "lower": "0.5", "upper": "3", "resolution": "0.5"}),
    ("sum", {"column": "age", "lower": "-9", "upper": "-1"}),
    ("sum", {"column": "age", "missing": "2"}),
    ("mean", {"column": "age"}),
    ("mean", {"column": "age", "missing": "1"}),
    ("variance", {"column": "age"}),
    ("standard-deviation", {"column": "age", "lower": "0", "upper": "3", "resolution": "1.5"}),
    ("histogram", {"column": "town"}),
    ("histogram", {"column": "age", "bins": 3, "post": "consistent"}),
    ("histogram", {"column": "town", "keys": "A", "other": True}),
    ("histogram2d", {"column": "age", "bins": 2, "second_column": "town"}),
    ("group-by", {"by_column": "town"}),
    ("group-by", {"by_column": "town", "statistic": "sum", "column": "age"}),
    ("group-by", {"by_column": "town", "statistic": "mean", "column": "age"}),
    ("group-by", {"by_column": "age", "by_bins": 2, "outside": "exclude", "statistic": "mean", "column": "age"}),
    ("limited", {"column": "age", "lower": "1", "upper": "2"}),
    ("laplace", {"scale": "3"}),
    ("laplace", {"scale": "3", "statistic": "sum", "column": "age"}),
]


def asked(kind: str, values: Mapping[str, Any], rows_per_person: int, where: str) -> QueryPlan:
    return question(kind, "0.3", where, rows_per_person, **values)


@pytest.mark.parametrize(("where", "rows_per_person"), [("", 1), ("", 2), ("town = 'A'", 1), ("age >= 1", 2)])
@pytest.mark.parametrize(("kind", "values"), ADDITIVE)
def test_noise_covers_what_a_person_changes(
    kind: str, values: dict[str, Any], rows_per_person: int, where: str
) -> None:
    one = asked(kind, values, rows_per_person, where)
    mechanism = one.mechanism
    assert isinstance(mechanism, Additive)
    assert sum((part.epsilon for part in mechanism.parts), Fraction(0)) == mechanism.epsilon

    worst = noise_covers_what_a_person_changes(one)
    assert worst <= mechanism.epsilon
    if kind in ("count", "histogram", "laplace", "mean", "variance", "standard-deviation", "limited"):
        assert worst == mechanism.epsilon  # nothing is wasted either


@pytest.mark.parametrize(("kind", "values"), ADDITIVE)
def test_an_answer_is_the_statistic_with_just_this_noise(kind: str, values: dict[str, Any]) -> None:
    one = asked(kind, values, 2, "")
    mechanism = one.mechanism
    statistic = measured(one, [("1", "A"), ("3", "B"), ("0", "B")])
    sizes = [len(statistic[part.name]) for part in mechanism.parts]
    noises = list(range(7, 7 + sum(sizes)))
    draws = Watched(iter(noises))
    released = mechanism.release(statistic, draws)
    assert draws.rates == [part.rate for part, size in zip(mechanism.parts, sizes, strict=True) for _ in range(size)]
    true = [int(number) for part in mechanism.parts for number in statistic[part.name]]
    noisy = [number for part in mechanism.parts for number in released.noisy[part.name]]
    assert noisy == [a + b for a, b in zip(true, noises, strict=True)]
    # Everything else follows from the noisy numbers: another table with the same ones gives the same answer.
    other = {part.name: statistic[part.name] + 5 for part in mechanism.parts}
    same = mechanism.release(other, Watched(iter([z - 5 for z in noises])))
    assert same == released


def test_the_truncated_geometric_mechanism_is_the_one_of_its_source() -> None:
    alpha, largest = Fraction(1, 3), 4
    one = question("truncated-geometric", "", alpha="1/3", largest=largest)
    assert float(one.epsilon) == pytest.approx(1.0986122886681098, rel=1e-14)
    rows: list[Row] = [("1", "A")] * 2
    statistic = measured(one, rows)
    found: dict[int, Fraction] = {}
    for z in range(-40, 41):
        draws = Watched(iter([z]))
        value = one.mechanism.release(statistic, draws).value
        assert draws.rates == [alpha]
        found[value] = found.get(value, Fraction(0)) + (1 - alpha) / (1 + alpha) * alpha ** abs(z)
    exact = [alpha**2 / (1 + alpha), *((1 - alpha) / (1 + alpha) * alpha ** abs(y - 2) for y in (1, 2, 3))]
    exact.append(alpha ** (largest - 2) / (1 + alpha))
    assert max(abs(found[y] - exact[y]) for y in range(largest + 1)) < alpha**40


# Choices

BASE = 2  # in the place of e


def shares(weights: Sequence[Fraction]) -> list[Fraction]:
    return [weight / sum(weights) for weight in weights]


def permute_and_flip(chances: Sequence[Fraction]) -> list[Fraction]:
    """Exactly, by going through every order."""
    found = [Fraction(0)] * len(chances)
    orders = list(itertools.permutations(range(len(chances))))
    for order in orders:
        reached = Fraction(1)
        for place in order:
            found[place] += reached * chances[place] / len(orders)
            reached *= 1 - chances[place]
    return found


def drawn(scores: Sequence[int], power: int, draw: Draw) -> list[Fraction]:
    """What `draw_position` draws, with `BASE`^power in the place of exp(rate)."""
    chances = [Fraction(1, BASE ** (power * (max(scores) - score))) for score in scores]
    return shares(chances) if draw is Draw.EXPONENTIAL else permute_and_flip(chances)


def covered(one: Sequence[Fraction], two: Sequence[Fraction], ratio: Fraction) -> bool:
    return all(a <= ratio * b and b <= ratio * a for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize("rows_per_person", [1, 2])
@pytest.mark.parametrize("draw", list(Draw))
def test_the_most_common_value_is_chosen_privately(draw: Draw, rows_per_person: int) -> None:
    one = question("mode", "0.3", "age >= 1", rows_per_person, column="town", draw=draw.value)
    tight = False
    for few, more in neighbours(rows_per_person, 2 if rows_per_person == 1 else 1):
        laws = []
        for rows in (few, more):
            draws = Watched(places=iter([0]))
            one.mechanism.release(measured(one, rows), draws)
            ((scores, rate, asked_for),) = draws.scores
            assert (rate, asked_for) == (one.epsilon / rows_per_person, draw)
            laws.append(drawn(scores, 1, draw))
        # rate·c = ε, so with 2 in the place of exp(rate) the claim is a ratio of 2^c.
        assert covered(*laws, Fraction(BASE**rows_per_person))
        tight = tight or not covered(*laws, Fraction(BASE**rows_per_person, 2) + Fraction(1, 10))
    assert tight


def quantile_law(mechanism: Quantiles, statistic: StatisticValues) -> list[Fraction]:
    """The probability of every point of the grid, with 2 in the place of exp(rate)."""
    draws = Watched(places=itertools.repeat(0))
    mechanism.release(statistic, draws)
    widths, losses, rate = draws.choices[0]
    assert rate == mechanism.rate(mechanism.parts[0])
    assert sum(widths) == mechanism.grid.steps + 1
    spread = [loss for width, loss in zip(widths, losses, strict=True) for _ in range(width)]
    return shares([Fraction(1, BASE ** (loss - min(losses))) for loss in spread])


@pytest.mark.parametrize("rows_per_person", [1, 2])
@pytest.mark.parametrize("share", ["0.5", "0.25", "0", "1", "0.9"])
def test_quantiles_are_chosen_privately(share: str, rows_per_person: int) -> None:
    one = question("quantile", "0.3", "", rows_per_person, column="age", quantile=share)
    mechanism = one.mechanism
    assert isinstance(mechanism, Quantiles)
    fraction = Fraction(share)
    largest = max(fraction.numerator, fraction.denominator - fraction.numerator) * rows_per_person
    assert mechanism.rate(mechanism.parts[0]) * 2 * largest == one.epsilon
    worst = Fraction(1)

    @cache
    def law(rows: tuple[Row, ...]) -> list[Fraction]:
        return quantile_law(mechanism, measured(one, rows))

    for few, more in neighbours(rows_per_person, 2 if rows_per_person == 1 else 1):
        laws = [law(tuple(sorted(rows))) for rows in (few, more)]
        worst = max(worst, *(max(a / b, b / a) for a, b in zip(*laws, strict=True)))
    assert worst <= BASE ** (2 * largest)


def test_the_loss_of_a_quantile_is_zero_where_it_is_right() -> None:
    one = question("quantile", "1", column="age", quantile="0.25")
    mechanism = one.mechanism
    assert isinstance(mechanism, Quantiles)
    law = quantile_law(mechanism, measured(one, [("0", "A"), ("2", "A"), ("2", "A"), ("3", "A")]))
    # 0, 1 and 2 all have at most a quarter of the values below and at most three quarters above.
    assert law[0] == law[1] == law[2] > law[3]


# Noise and a comparison: report noisy max and above-threshold. A large base makes cut tails negligible.

SHARP = 16
REACH = 7
TAIL = Fraction(1, 10**6)


def noise_law(power: int = 1) -> list[tuple[int, Fraction]]:
    q = Fraction(1, SHARP**power)
    return [(z, (1 - q) / (1 + q) * q ** abs(z)) for z in range(-REACH, REACH + 1)]


def outcomes(
    mechanism: QueryMechanism, statistic: StatisticValues, draws: int, power: int
) -> dict[str | None, Fraction]:
    """The probability of every answer, by going through every noise."""
    found: dict[str | None, Fraction] = {}
    rates = {part.rate for part in mechanism.parts}
    for choice in itertools.product(noise_law(power), repeat=draws):
        chance = Fraction(1)
        for _, one in choice:
            chance *= one
        watched = Watched(iter([z for z, _ in choice]))
        value = mechanism.release(statistic, watched).value
        assert set(watched.rates) == rates
        found[value] = found.get(value, Fraction(0)) + chance
    return found


PAIRS = [
    ([], [("1", "A")]),
    ([("1", "B")], [("1", "B"), ("1", "A")]),
    ([("1", "B")], [("1", "B"), ("1", "B")]),
    ([("1", "A"), ("2", "B")], [("1", "A"), ("2", "B"), ("0", "B")]),
]


@pytest.mark.parametrize(("few", "more"), PAIRS)
def test_the_noisy_maximum_is_private(few: list[Row], more: list[Row]) -> None:
    one = question("noisy-max", "0.3", column="town", keys="A, B")
    assert one.mechanism.parts[0].rate == one.epsilon
    laws = [outcomes(one.mechanism, measured(one, rows), 2, 1) for rows in (few, more)]
    for name in ("A", "B"):
        a, b = (law.get(name, Fraction(0)) for law in laws)
        assert a <= SHARP * (b + TAIL) and b <= SHARP * (a + TAIL)
    # Among equals the first one is named: 1 − P(Z₂ > Z₁) = ½(1 + P(Z₁ = Z₂)).
    if not few:
        same = sum((chance**2 for _, chance in noise_law()), Fraction(0))
        assert abs(laws[0]["A"] - (1 + same) / 2) < TAIL


@pytest.mark.parametrize("threshold", [0, 1])
@pytest.mark.parametrize(("few", "more"), PAIRS)
def test_the_first_count_above_a_threshold_is_private(few: list[Row], more: list[Row], threshold: int) -> None:
    one = question("above-threshold", "0.3", column="town", keys="A, B", threshold=threshold)
    assert [part.rate for part in one.mechanism.parts] == [one.epsilon / 2] * 2
    # Two parts with 16 in the place of exp(ε/2) each, so 256 in the place of exp(ε).
    laws = [outcomes(one.mechanism, measured(one, rows), 3, 1) for rows in (few, more)]
    for name in ("A", "B", None):
        a, b = (law.get(name, Fraction(0)) for law in laws)
        assert a <= SHARP**2 * (b + TAIL) and b <= SHARP**2 * (a + TAIL)


def test_the_first_count_above_a_threshold_is_compared_strictly_and_in_order() -> None:
    one = question("above-threshold", "1", column="town", keys="A, B, C", threshold=1)
    statistic = measured(one, [("1", "A"), ("1", "B"), ("2", "B"), ("2", "C"), ("1", "C"), ("1", "C")])
    assert one.mechanism.release(statistic, Watched(iter([0, 0, 0]))).value == "B"
    assert one.mechanism.release(statistic, Watched(iter([1, 0, 0, 0]))).value == "C"
    assert one.mechanism.release(statistic, Watched(iter([5, 0, 0, 0]))).value is None
    by_filters = question("above-threshold", "1", "age >= 2", questions="town = 'A'\ntown = 'C'", threshold=0)
    statistic = measured(by_filters, [("2", "C"), ("1", "A")])
    assert [int(count) for count in statistic["count"]] == [0, 1]


def test_the_schema_of_the_tests_declares_its_bounds() -> None:
    assert schema()["age"].bounds == (0.0, 3.0)
