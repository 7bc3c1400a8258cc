"""Who picks among draws, or sets one by what others showed, promises their sum: enumerated on neighbouring tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product

import pytest

from workbench.anonymise.claimed_sum import (
    NEARLY_SAME,
    ROWS_PUBLIC,
    TOO_LARGE,
    UNBOUNDED,
    ClaimedSum,
    summed,
)
from workbench.core.composition import REPLACE_ONE, ReleaseSpending
from workbench.core.near_releases import NearReleases
from workbench.core.trim_law import trim_law

HALF = (Fraction(1, 2), Fraction(1, 20))
WHOLE = (Fraction(1), Fraction(1, 20))

Draw = dict[int, Fraction]
File = tuple[Fraction, Fraction, int]
"""The ε and δ that a published file claims, and how many rows of the one group it has."""


def trimmed(rows: int, epsilon: Fraction, delta: Fraction) -> Draw:
    """What a draw of a table with one group shows, exactly."""
    law = trim_law(epsilon, delta, 1)
    total = sum(law.weights)
    seen: Draw = defaultdict(Fraction)
    for lost, weight in enumerate(law.weights):
        seen[max(0, rows - lost)] += Fraction(weight, total)
    return seen


def published(rows: int, *, honest: bool) -> Mapping[File, Fraction]:
    """A publisher draws; below two rows they draw again, with ε twice as large if nothing was left; the best leaves.

    An honest one claims the sum of what was drawn, another one what the draw costs that is published.
    """
    files: dict[File, Fraction] = defaultdict(Fraction)
    for first, chance in trimmed(rows, *HALF).items():
        if first >= 2:
            files[(*HALF, first)] += chance
            continue
        again = HALF if first else WHOLE
        for second, other in trimmed(rows, *again).items():
            own = again if second >= first else HALF
            sum_ = (HALF[0] + again[0], HALF[1] + again[1])
            files[(*(sum_ if honest else own), max(first, second))] += chance * other
    return files


def excess(one: Mapping[File, Fraction], other: Mapping[File, Fraction], epsilon: Fraction) -> Fraction:
    """How much likelier a set of files can be than e^ε times as likely: ε at least, so a little less than the truth."""
    factor = sum((epsilon**power / _factorial(power) for power in range(100)), Fraction(0))
    return sum(
        (max(Fraction(0), chance - factor * other.get(file, Fraction(0))) for file, chance in one.items()), Fraction(0)
    )


def _factorial(number: int) -> int:
    return number * _factorial(number - 1) if number else 1


def by_claim(files: Mapping[File, Fraction]) -> Iterator[tuple[Fraction, Fraction]]:
    yield from {file[:2] for file in files}


@pytest.mark.parametrize("rows", range(12))
def test_files_that_claim_the_sum_keep_it(rows: int) -> None:
    """For every claim that occurs: the files that carry it are about as likely for the neighbour."""
    here, there = published(rows, honest=True), published(rows + 1, honest=True)
    claims = {*by_claim(here), *by_claim(there)}
    assert len(claims) > (rows < 9)
    for epsilon, delta in claims:
        mine = {file: chance for file, chance in here.items() if file[:2] == (epsilon, delta)}
        other = {file: chance for file, chance in there.items() if file[:2] == (epsilon, delta)}
        assert excess(mine, other, epsilon) <= delta
        assert excess(other, mine, epsilon) <= delta


def test_picking_the_better_of_two_draws_breaks_what_one_promises() -> None:
    """Two draws of one ε, the larger is published: more than (ε, δ) and no more than (2ε, 2δ)."""
    epsilon, delta = WHOLE

    def better(rows: int) -> Mapping[File, Fraction]:
        files: dict[File, Fraction] = defaultdict(Fraction)
        draws = trimmed(rows, epsilon, delta)
        for (one, chance), (two, other) in product(draws.items(), repeat=2):
            files[(epsilon, delta, max(one, two))] += chance * other
        return files

    worst = max(excess(*pair, epsilon) for rows in range(12) for pair in _both(better(rows), better(rows + 1)))
    assert worst > delta * Fraction(3, 2)
    twice = max(excess(*pair, 2 * epsilon) for rows in range(12) for pair in _both(better(rows), better(rows + 1)))
    assert twice <= 2 * delta


def test_who_claims_the_draw_alone_promises_too_much() -> None:
    worst = max(
        excess(*pair, WHOLE[0]) - WHOLE[1]
        for rows in range(12)
        for pair in _both(published(rows, honest=False), published(rows + 1, honest=False))
    )
    assert worst > 0


def _both(
    one: Mapping[File, Fraction], other: Mapping[File, Fraction]
) -> Iterator[tuple[Mapping[File, Fraction], Mapping[File, Fraction]]]:
    yield one, other
    yield other, one


NOTHING = Fraction(0)
OWN = ReleaseSpending(Fraction(1), Fraction(1, 100_000))


def test_everything_the_ledger_knows_counts() -> None:
    question = ReleaseSpending(Fraction(1, 10), NOTHING)
    found = summed((OWN,), (OWN, OWN, question))
    assert found == ClaimedSum(4, Fraction(31, 10), Fraction(3, 100_000))
    assert isinstance(found, ClaimedSum) and (found.epsilon, found.delta) == (3.1, 3e-5)
    assert summed((OWN,), ()) is None


def _unclaimed() -> ReleaseSpending:
    return ReleaseSpending(Fraction(1), Fraction(0), claimed=False)


@pytest.mark.parametrize(
    ("earlier", "near", "why"),
    [
        (_unclaimed, NearReleases.NONE, UNBOUNDED),
        (lambda: ReleaseSpending(Fraction(1), NOTHING, open_participation=True), NearReleases.NONE, UNBOUNDED),
        (lambda: ReleaseSpending(Fraction(1), NOTHING, neighbours=REPLACE_ONE), NearReleases.NONE, ROWS_PUBLIC),
        (lambda: OWN, NearReleases.NOT_ADDED_UP, NEARLY_SAME),
        (lambda: ReleaseSpending(Fraction(1), Fraction(1)), NearReleases.NONE, TOO_LARGE),
    ],
)
def test_where_there_is_no_sum_none_is_claimed(
    earlier: Callable[[], ReleaseSpending], near: NearReleases, why: str
) -> None:
    assert summed((OWN,), (earlier(),), near) == why
