"""The optimal law of trimming: reference table, brute force over small tables in fractions, draws, mistakes refused."""

from __future__ import annotations

import csv
import weakref
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SecureSource, SeededSource
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.core.trim_weights import RowBounds, exponential_below, row_bounds

DATA = Path(__file__).parents[1] / "data"
LOGARITHMS = {"ln2": 2, "ln3": 3}
FALSE_ALARM = 1e-9


def rows_of(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(file))


def typed(epsilon: str) -> Fraction:
    """ε of the reference table; a logarithm to 60 digits, rounded down."""
    if epsilon in LOGARITHMS:
        with localcontext(prec=60, rounding="ROUND_FLOOR"):
            return Fraction(Decimal(LOGARITHMS[epsilon]).ln())
    return Fraction(epsilon)


def power(epsilon: Fraction) -> Fraction:
    """e^ε, to 70 digits."""
    with localcontext(prec=70):
        return Fraction((Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp())


# --- what is true ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows_of("trimming.csv"), ids=lambda row: "-".join(list(row.values())[:3]))
def test_reference_table(row: dict[str, str]) -> None:
    law = trim_law(typed(row["epsilon"]), Fraction(row["delta"]), int(row["rows_per_person"]))

    assert (law.half_survive, law.always_survive) == (int(row["half_survive"]), int(row["always_survive"]))
    assert law.mean_lost == pytest.approx(float(row["mean_lost"]), rel=2e-9)
    assert law.sd == pytest.approx(float(row["sd"]), rel=2e-9)
    for rows in (1, 5, 10, 20, 50):
        assert law.keep(rows) == pytest.approx(float(row[f"keep_{rows}"]), rel=2e-9)


def test_a_reference_without_surprises() -> None:
    law = trim_law(Fraction(1), Fraction(1, 100_000))
    assert (law.half_survive, law.always_survive, law.delta_exact) == (12, 23, 1e-5)
    assert (round(law.mean_lost, 2), round(law.sd, 2)) == (10.83, 1.41)
    assert [law.keep(n) for n in (0, 23, 10**9)] == [0.0, 1.0, 1.0]
    assert law.keep(np.array([0, 1, 22, 23])) == pytest.approx([0, 1e-5, law.keep(22), 1])


@settings(max_examples=examples(60), deadline=None)
@given(
    st.decimals("0.05", "10", places=3),
    st.integers(1, 14).flatmap(lambda power: st.integers(1, 9).map(lambda first: Fraction(first, 10**power))),
    st.integers(1, 6),
)
def test_nothing_is_kept_less_often_than_can_be(epsilon: Decimal, delta: Fraction, rows: int) -> None:
    # The largest probability with which a group of n rows can be kept, by its own recursion and in decimals.
    law = trim_law(Fraction(epsilon), delta, rows)
    with localcontext(prec=80):
        e = (epsilon / rows).exp()
        one = Decimal(delta.numerator) / Decimal(delta.denominator) * (e - 1) / (e**rows - 1)
        kept = Decimal(0)
        for n in range(law.always_survive + 1):
            assert law.keep(n) == pytest.approx(float(kept), rel=1e-12, abs=1e-300)
            kept = min(e * kept + one, 1 - (1 - kept - one) / e, Decimal(1))
    assert kept == 1


# --- what it promises ------------------------------------------------------------------------------------------------


def released(law: TrimLaw, rows: int) -> dict[int, Fraction]:
    """What a group of so many rows shows: max(0, rows − Z)."""
    shown: dict[int, Fraction] = {}
    for z, weight in enumerate(law.weights):
        count = max(0, rows - z) if rows else 0
        shown[count] = shown.get(count, Fraction(0)) + Fraction(weight, law.total)
    return shown


def divergence(law: TrimLaw, first: tuple[int, ...], second: tuple[int, ...], e: Fraction) -> Fraction:
    """Σ max(0, P − e·Q) over everything that groups of so many rows can show together."""
    p, q = ([released(law, rows) for rows in table] for table in (first, second))
    total = Fraction(0)
    for counts in product(*(one.keys() | other.keys() for one, other in zip(p, q, strict=True))):
        mass, other_mass = Fraction(1), Fraction(1)
        for one, other, count in zip(p, q, counts, strict=True):
            mass *= one.get(count, Fraction(0))
            other_mass *= other.get(count, Fraction(0))
        total += max(Fraction(0), mass - e * other_mass)
    return total


def spreads(rows: int, groups: int) -> Iterator[tuple[int, ...]]:
    """All ways in which at most so many rows of one person lie in the groups, most in the first."""
    for spread in product(range(rows + 1), repeat=groups):
        if 0 < sum(spread) <= rows and list(spread) == sorted(spread, reverse=True):
            yield spread


@pytest.mark.parametrize(
    ("epsilon", "delta", "rows", "groups"),
    [
        ("1", "0.1", 1, 2),
        ("0.5", "0.05", 1, 1),
        ("2", "0.001", 1, 1),
        ("10", "1e-6", 1, 2),
        ("0.01", "0.3", 1, 2),
        ("1", "0.3", 2, 2),
        ("2", "0.1", 2, 2),
        ("1.5", "0.5", 3, 3),
        ("3", "0.2", 3, 2),
    ],
)
def test_every_pair_of_neighbouring_tables(epsilon: str, delta: str, rows: int, groups: int) -> None:
    law = trim_law(Fraction(epsilon), Fraction(delta), rows)
    e, most = power(Fraction(epsilon)), Fraction(0)
    for spread in spreads(rows, groups):
        # Groups that the person is not in look alike in both tables, so only those with some of their rows matter.
        touched = tuple(count for count in spread if count)
        sizes = range(law.always_survive + 1)
        tables = product(sizes, repeat=len(touched)) if len(touched) < 3 else product(sizes[:5], repeat=3)
        for table in tables:
            more = tuple(n + count for n, count in zip(table, touched, strict=True))
            most = max(most, divergence(law, more, table, e), divergence(law, table, more, e))
    assert most <= Fraction(delta) * (1 + Fraction(1, 10**50))
    # For one row the promise is used up; for several it is where the law still rises at the last of them.
    if rows == 1 or law.keep(rows) == pytest.approx(float(delta), rel=1e-12):
        assert most >= Fraction(delta) * (1 - Fraction(1, 10**15))
    assert float(most) <= law.delta_exact <= float(delta)


@settings(max_examples=examples(80), deadline=None)
@given(
    st.integers(20, 2000).map(lambda n: Fraction(n, 200)),
    st.integers(1, 40).flatmap(lambda power: st.integers(1, 9).map(lambda first: Fraction(first, 10**power))),
    st.integers(1, 5),
    st.integers(0, 2**64),
)
def test_no_weight_can_be_shifted_from_its_place(epsilon: Fraction, delta: Fraction, rows: int, place: int) -> None:
    law = trim_law(epsilon, delta, rows)
    assert law.delta_exact <= float(delta)
    # To give up fewer rows a little more often is what would break the promise first.
    row_delta = law.weights[0]
    for other in (place % (law.always_survive - 1) + 1, law.always_survive - 1):
        moved = min(law.weights[other] - 1, row_delta >> 60)
        if moved > 1 << 40:
            wrong = list(law.weights)
            wrong[0], wrong[other] = wrong[0] + moved, wrong[other] - moved
            with pytest.raises(WorkbenchError, match="do not give"):
                TrimLaw(epsilon, delta, rows, tuple(wrong))


def test_weights_that_do_not_keep_the_promise_are_refused() -> None:
    epsilon, delta = Fraction(1), Fraction(1, 1000)
    good = trim_law(epsilon, delta).weights
    assert TrimLaw(epsilon, delta, 1, good).delta_exact == 1e-3
    # The last two excesses may be δ together, not each: this law is as steep as allowed everywhere and ends too soon.
    early = (*good[:-2], good[-2] + good[-1])
    flat = (1 << 252,) * 16
    for wrong in (early, good[1:] + good[:1], flat, (good[0] + 1, *good[1:]), (*good, 0), (1 << 256,), ()):
        with pytest.raises((WorkbenchError, ValueError)):
            TrimLaw(epsilon, delta, 1, wrong)
    # The right weights of another promise.
    for other in (
        (epsilon, delta * Fraction(999, 1000), 1),
        (epsilon * Fraction(999, 1000), delta, 1),
        (epsilon, delta, 2),
    ):
        with pytest.raises(WorkbenchError, match="do not give"):
            TrimLaw(*other, good)
    # Too coarse: 2^64 leaves no room for the smallest weights.
    coarse = [weight >> 192 for weight in good]
    coarse[coarse.index(max(coarse))] += (1 << 64) - sum(coarse)
    with pytest.raises(WorkbenchError, match="do not give"):
        TrimLaw(epsilon, delta * 2, 1, tuple(coarse))


@pytest.mark.parametrize("mirrored", [False, True])
def test_two_excesses_of_delta_at_one_end_are_one_too_many(mirrored: bool) -> None:
    # E = 2 is below e: rising and falling by 2, but two atoms exceed what follows them (or is before them) by δ each.
    delta = Fraction(1, 20)
    falling = [delta, 3 * delta, 6 * delta]
    rising = [delta, 2 * delta, 4 * delta]
    rest = 1 - sum(falling) - sum(rising)
    law = [*rising, rest, *reversed(falling)]
    weights = [int(weight * 2**256) for weight in law]
    weights[3] += 2**256 - sum(weights)
    if mirrored:
        weights.reverse()
    with pytest.raises(WorkbenchError, match="do not give"):
        TrimLaw(Fraction(1), delta, 1, tuple(weights))


def test_what_a_row_may_cost_is_kept_in_whole_numbers() -> None:
    """By hand for E = 2 in 8 bits: (A) 3 + max(0, 5 − 6) + 0, (B) max(0, 3 − 10) + max(0, 5 − 4) + 2."""
    bounds = RowBounds(8, 2 << 8, Fraction(3, 10))
    assert bounds.excesses([3, 5, 2]) == (3 << 8, 3 << 8) and bounds.covers([3, 5, 2])
    assert not RowBounds(8, 2 << 8, Fraction(29, 100)).covers([3, 5, 2])
    for weights in ([4, 5, 1], [1, 5, 4]):
        assert max(bounds.excesses(weights)) == 4 << 8 and not bounds.covers(weights)


def test_an_exponential_is_the_sum_of_its_terms_rounded_down() -> None:
    """2^64·(1 + 2^−40 + …): the next term is less than one. 256·e is 695.9, and 694 of whole terms."""
    assert exponential_below(Fraction(0), 8) == 256
    assert exponential_below(Fraction(1, 2**40), 64) == 2**64 + 2**24
    assert exponential_below(Fraction(1), 8) == 256 + 256 + 128 + 42 + 10 + 2
    bounds = row_bounds(Fraction(1), Fraction(1, 7), 1)
    assert bounds.delta == Fraction(1, 7), "a single row costs what the person does"


@pytest.mark.parametrize(
    ("rows", "delta", "bits"),
    [(1, "1/100", 256), (1, "1e-30", 256), (1, "1e-40", 320), (1, "1e-300", 1152), (10**6, "1e-300", 1216)],
)
def test_there_are_bits_enough_for_the_smallest_weights(rows: int, delta: str, bits: int) -> None:
    """128 more than c·22,027/δ has, in whole words, and 256 at least; e^(ε/c) stays below and is nearly reached."""
    bounds = row_bounds(Fraction(1), Fraction(delta), rows)
    assert bounds.bits == bits
    needed = (rows * 22_027 * Fraction(delta).denominator // Fraction(delta).numerator).bit_length() + 128
    assert bits == max(256, -(-needed // 64) * 64)
    with localcontext(prec=500):
        exact = (Decimal(1) / rows).exp()
        assert Decimal(bounds.growth) <= exact * Decimal(2) ** bits <= Decimal(bounds.growth + 10**4)
    whole = power(Fraction(1)) - 1
    row = bounds.delta / Fraction(delta)
    assert row <= (power(Fraction(1, rows)) - 1) / whole * (1 + Fraction(1, 10**50))
    assert row >= (power(Fraction(1, rows)) - 1) / whole * (1 - Fraction(1, 10**50))


# --- how it is drawn -------------------------------------------------------------------------------------------------


class Scripted:
    """A source that gives the words it was told."""

    secure = False

    def __init__(self, words: list[int]) -> None:
        self._words = words

    def words(self, count: int) -> NDArray[np.uint64]:
        taken, self._words = self._words[:count], self._words[count:]
        assert len(taken) == count
        return np.array(taken, dtype=np.uint64)


def split(number: int) -> list[int]:
    return [number >> shift & (2**64 - 1) for shift in (192, 128, 64, 0)]


def test_drawn_numbers_are_told_apart_to_the_last_bit() -> None:
    law = trim_law(Fraction(1), Fraction(1, 100))
    below = 0
    for z, weight in enumerate(law.weights):
        for number in (below, below + weight - 1):
            first, *rest = split(number)
            assert law.draw(Scripted([first, *rest]), 1).tolist() == [z]
        below += weight


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "0.01"), ("0.3", "0.001"), ("3", "0.2")])
def test_draws_have_the_law(epsilon: str, delta: str) -> None:
    law = trim_law(Fraction(epsilon), Fraction(delta))
    drawn = 400_000
    seen = np.bincount(law.draw(SeededSource(7), drawn), minlength=law.always_survive)
    expected = np.diff([law.keep(n) for n in range(law.always_survive + 1)]) * drawn
    statistic = float(((seen - expected) ** 2 / expected).sum())
    assert statistic < stats.chi2.isf(FALSE_ALARM, len(expected) - 1)
    # The same test notices a law that is off by one row.
    shifted = np.roll(seen, 1)
    assert float(((shifted - expected) ** 2 / expected).sum()) > stats.chi2.isf(FALSE_ALARM, len(expected) - 1)


def test_draws_are_independent_and_many() -> None:
    law = trim_law(Fraction(1), Fraction(1, 100_000))
    drawn = law.draw(SecureSource(), 3_000_000)
    assert drawn.shape == (3_000_000,)
    assert drawn.dtype == np.int64
    assert 0 <= drawn.min() <= drawn.max() < law.always_survive
    assert law.draw(SecureSource(), 0).shape == (0,)
    seeded = law.draw(SeededSource(3), 200_000)
    assert abs(np.corrcoef(seeded[:-1], seeded[1:])[0, 1]) < 0.02
    assert abs(float(seeded.mean()) - law.mean_lost) < 6 * law.sd / 200_000**0.5


# --- extremes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "delta", "rows", "half", "always"),
    [
        (".1", "1e-18", 1, 386, 771),
        (".1", "1e-18", 100, 38_502, 77_003),
        ("10", "1e-12", 1, 4, 7),
        ("1", "1e-300", 1, 691, 1382),
        ("1e-9", "0.99", 1, 1, 2),
        ("1", "0.5", 1, 1, 2),
    ],
)
def test_extreme_promises(epsilon: str, delta: str, rows: int, half: int, always: int) -> None:
    law = trim_law(Fraction(epsilon), Fraction(delta), rows)
    assert (law.half_survive, law.always_survive) == (half, always)
    assert min(law.weights) >= 1
    assert law.delta_exact <= float(delta)


@pytest.mark.parametrize(
    ("epsilon", "delta", "rows", "words"),
    [
        ("0.1", "1e-18", 1000, "rows from each group"),
        ("1", "1e-5", 1_000_000, "rows from each group"),
        ("0", "1e-5", 1, "ε must be"),
        ("11", "1e-5", 1, "ε must be"),
        ("1", "0", 1, "δ must be"),
        ("1", "1", 1, "δ must be"),
        ("1", "1e-5", 0, "rows per person"),
    ],
)
def test_what_cannot_be_is_refused(epsilon: str, delta: str, rows: int, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words):
        trim_law(Fraction(epsilon), Fraction(delta), rows)


def test_a_person_with_rows_in_many_groups_costs_no_more() -> None:
    # One row in each of c groups: what c independent shifts by one cost together, by counting, c = 4.
    law = trim_law(Fraction(2), Fraction(1, 50), 4)
    e = power(Fraction(2))
    ratios: dict[tuple[int, int], int] = {}
    padded = (0, *law.weights, 0)
    for more, fewer in zip(padded[1:], padded[:-1], strict=True):
        ratios[more, fewer] = ratios.get((more, fewer), 0) + 1
    pairs = list(ratios.items())
    total = Fraction(0)
    for chosen in combinations_of(len(pairs), 4):
        ways, mass, other = 1, 1, 1
        left = 4
        for (pair, times), count in zip(pairs, chosen, strict=True):
            if count:
                ways *= comb(left, count) * times**count
                left -= count
                mass *= pair[0] ** count
                other *= pair[1] ** count
        total += ways * max(Fraction(0), mass - e * other)
    assert total / law.total**4 <= Fraction(1, 50)


def combinations_of(kinds: int, count: int) -> Iterator[tuple[int, ...]]:
    """All ways to take so many things of so many kinds."""
    if kinds == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in combinations_of(kinds - 1, count - first):
            yield (first, *rest)


def test_laws_are_kept_within_some_megabytes() -> None:
    """A window holds them for as long as it is open: five of 3.8 MiB are too many."""
    held = [weakref.ref(trim_law(Fraction(1, 1000 + n), Fraction(1, 10**9))) for n in range(5)]
    assert [law() is None for law in held] == [True, False, False, False, False]
