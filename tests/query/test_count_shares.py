"""The interval of a share of noisy counts, against every noise there can be, one by one."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from tests.query.helpers import question
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.query import noise
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.count_shares import shares_between
from workbench.session.answer_shares import shares_of
from workbench.session.query_answers import question_of, rate_of

SCHEMA = Schema((ColumnSpec("town", Kind.CATEGORY),))
FAR = 1e-4
"""The chance that may lie beyond the noises that are gone through."""


def missed(truth: list[int], rate: Fraction) -> list[float]:
    """The chance that the interval misses, of each share: over every noise, and all the rest as if it missed."""
    reach = noise.half_width(rate, FAR)
    points, chances = noise.law(rate, reach)
    total, beyond = sum(truth), 1 - float(chances.sum()) ** len(truth)
    found = [beyond] * len(truth)
    for places in itertools.product(range(len(points)), repeat=len(truth)):
        chance = math.prod(float(chances[place]) for place in places)
        noisy = [count + int(points[place]) for count, place in zip(truth, places, strict=True)]
        low, high = shares_between(noisy, rate)
        for cell, count in enumerate(truth):
            if not low[cell] - 1e-12 <= count / total <= high[cell] + 1e-12:
                found[cell] += chance
    return found


@pytest.mark.parametrize(
    ("truth", "rate"),
    [
        ([30, 70], Fraction(1)),
        ([0, 25], Fraction(1)),
        ([3, 4], Fraction(1)),
        ([500, 501], Fraction(1, 3)),
        ([10, 0, 60], Fraction(2)),
        ([5, 7, 9], Fraction(3, 2)),
        ([1, 1, 40], Fraction(3)),
    ],
)
def test_the_interval_of_each_share_covers_it_with_95_percent(truth: list[int], rate: Fraction) -> None:
    found = missed(truth, rate)
    assert max(found) <= noise.OUTSIDE
    # Not by saying nothing: whole rows make it a little less than allowed, and of a share at an end half of it.
    assert len(truth) > 2 or rate > 1 or min(found) > 0.01


@pytest.mark.parametrize("rate", [Fraction(1, 2000), Fraction(1, 10), Fraction(1), Fraction(4)])
@pytest.mark.parametrize("cells", [2, 8, 300])
def test_of_many_cells_and_much_noise_it_covers_as_often(cells: int, rate: Fraction) -> None:
    generator = np.random.default_rng(20)
    truth = np.arange(1, cells + 1) * max(round(40 / rate), 1)
    tries = 400
    hit, wide = np.zeros(cells), np.zeros(cells)
    for _ in range(tries):
        low, high = shares_between((truth + noise.simulated(rate, cells, generator)).astype(int).tolist(), rate)
        share = truth / truth.sum()
        hit += (low <= share + 1e-12) & (share <= high + 1e-12)
        wide += high - low
    assert hit.mean() / tries > 0.95 - 5 * math.sqrt(0.05 * 0.95 / tries / (1 if cells == 2 else 2))
    # Nearly as narrow as that of the one count, of which a share of many cells is hardly more than a fraction.
    alone = 2 * noise.half_width(rate) / truth.sum()
    assert cells < 300 or rate > 1 or np.median(wide / tries) < 1.15 * alone + 2 / truth.sum()


def test_shares_are_kept_between_0_and_1_and_nothing_is_said_of_no_rows() -> None:
    low, high = shares_between([-3, 1, 1], Fraction(1))
    assert low.tolist() == [0, 0, 0] and high.tolist() == [1, 1, 1]
    low, high = shares_between([-40, 100], Fraction(1))
    assert low.tolist()[0] == high.tolist()[0] == 0 and low.tolist()[1] == high.tolist()[1] == 1
    low, high = shares_between([0, 1000, 3], Fraction(1))
    assert low[0] == 0 < high[0] < low[1] and high[1] <= 1


def test_each_share_is_written_as_far_as_its_margin_lets_it_be_read() -> None:
    asked = question("histogram", "1", described=SCHEMA, column="town", keys="A, B", other=True)
    stored = question_of(asked)
    assert rate_of(stored, "count") == 1
    released = ReleasedAnswer(
        AnswerForm.LIST, [281, 272, 1297], ([278] * 3, [284] * 3), (("A", "B", "other values"),),
        {"count": (281, 272, 1297)},
    )  # fmt: skip
    low, high = (100 * side for side in shares_between((281, 272, 1297), Fraction(1)))
    said = shares_of(released, stored)
    for place, one in enumerate(said):
        share, margin = (float(part) for part in one.removesuffix(" points").split(" % ± "))
        assert share == pytest.approx(100 * released.value[place] / 1850, abs=0.005)
        # What is within ± of the written share is all of the interval, and no hundredth more.
        assert share - margin <= low[place] + 1e-9 and high[place] <= share + margin + 1e-9
        assert margin < max(share - low[place], high[place] - share) + 0.01
    # Of noise of another law, and of an answer without its noisy counts, no margin is known.
    assert "±" not in shares_of(released, {**stored, "engine": "diffprivlib"})[0]
    assert "±" not in shares_of(released, {**stored, "parts": []})[0]
