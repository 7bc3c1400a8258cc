"""Ways that tries tell apart, and ways that they do not: intervals of ratios, and what is said of them."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.evaluate.verdict_helpers import asked, found, told_of
from workbench.core.chance import chance_of
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.findings import Findings, fewest
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Statistic
from workbench.evaluate.tile_words import (
    moved_words,
    standing_means,
    standing_words,
    tries_to_tell,
)
from workbench.evaluate.told_apart import TileStanding, between_words, ratio_between, standing_of
from workbench.evaluate.verdict import told_error, verdict


def test_ways_are_as_good_only_where_tries_show_it() -> None:
    """By hand, of a spread of 0.001: 1.96 √(0.001² + (1.1 · 0.001)²) = 0.0029138; 1.1 · 0.2 less that: 0.2170862."""
    cases = (
        (0.2170, TileStanding.ALIKE),
        (0.2171, TileStanding.WORSE),
        (0.19, TileStanding.ALIKE),
        (0.23, TileStanding.WORSE),
    )
    for error, stands in cases:
        said = told_of((0.2, error, 9.0), 0.001)
        assert said.recommended is Approach.GLOBAL
        assert [one.standing for one in said.tiles] == [TileStanding.TAKEN, stands, TileStanding.WORSE], error
        assert [one.alike for one in said.tiles] == [True, stands is TileStanding.ALIKE, False]
    # (0.23 ± 1.96 · …) ÷ 0.2: from 1.136 to 1.165.
    assert standing_words(said.tiles[1], said) == "about 1.1 times (1.1 to 1.2)"


def test_what_few_tries_do_not_tell_apart_is_not_called_as_good() -> None:
    """Equal means, each known to ± 10 %: tries exclude neither 1.1 times the error nor less of it."""
    said = told_of((0.2, 0.2, 9.0), 0.0102)
    assert (
        said.tiles[1].standing is TileStanding.UNTOLD
        and not said.tiles[1].alike
        and not said.to_json()["tiles"][1]["alike"]
    )
    assert said.to_json()["tiles"][1]["standing"] == "untold"
    low, high = said.tiles[1].between
    assert low * high == pytest.approx(1.0) and 1.1 < high < 1.2
    assert standing_words(said.tiles[1], said) == "not told apart from Global"
    assert standing_words(said.tiles[0], said) == "not told apart from Anonymised; it needs no δ"
    means = standing_means(said.tiles[1], said)
    assert means.startswith("In 95 of 100 cases 0.86 to 1.2 times the error of Global. That is chance in both errors")
    findings = Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), (), 400)
    # 0.02 is left of 1.1 · 0.2, chance takes 1.96 · 1.1 √2 · 0.0102 = 0.0311: 2.42 times the tries.
    assert tries_to_tell(said, findings) == 80
    assert tries_to_tell(said, replace(findings, complete=False)) == 0
    assert tries_to_tell(told_of((0.2, 0.2, 9.0), 0.001), findings) == 0
    assert tries_to_tell(told_of((0.2, 0.2199, 9.0), 3.0), findings) == 0, "more than anybody waits for"


@pytest.mark.parametrize(
    ("error", "than", "between"),
    [
        ((3.0, 0.0), (2.0, 0.0), (1.5, 1.5)),
        ((3.0, math.nan), (2.0, math.nan), (1.5, 1.5)),
        ((0.0, 0.0), (0.0, 0.0), (1.0, 1.0)),
        ((1.0, 0.0), (0.0, 0.0), (math.inf, math.inf)),
        ((1.0, 0.2), (0.0, 0.0), (math.inf, math.inf)),
        ((0.2, 0.2), (0.0, 0.0), (0.0, math.inf)),
        # Only the first one moves: (3 ± 1.96 · 0.5) ÷ 2.
        ((3.0, 0.5), (2.0, 0.0), (1.01, 1.99)),
        # Only the second: 3 ÷ (2 ± 0.98).
        ((3.0, 0.0), (2.0, 0.5), (3 / 2.98, 3 / 1.02)),
        # It may be nothing: 3 ÷ (0.5 + 0.98) at least, and no number is too many.
        ((3.0, 0.0), (0.5, 0.5), (3 / 1.48, math.inf)),
        ((0.5, 0.5), (0.5, 0.5), (0.0, math.inf)),
        ((0.5, 0.5), (2.0, 0.0), (0.0, 0.74)),
    ],
)
def test_between_what_one_error_is_times_another(
    error: tuple[float, float], than: tuple[float, float], between: tuple[float, float]
) -> None:
    assert ratio_between(error, than) == pytest.approx(between)
    low, high = between
    for times in (low, high):
        if 0 < times < math.inf and low < high:
            chance = 1.96 * math.hypot(error[1], times * than[1])
            assert abs(error[0] - times * than[0]) == pytest.approx(chance)


def test_whatever_errs_by_nothing_is_told_in_words() -> None:
    for mine, spread, theirs, other in product((0.0, 1e-300, 1e-12, 0.2, 1.0), repeat=4):
        low, high = ratio_between((mine, spread), (theirs, other))
        assert 0.0 <= low <= high and between_words((low, high))
        standing_of((low, high))


def test_the_interval_of_a_ratio_holds_in_95_of_100_cases_and_rarely_calls_what_differs_as_good() -> None:
    generator = np.random.default_rng(11)
    for ratio in (1.0, 1.1, 2.0):
        held = alike = 0
        for mine, theirs in zip(
            generator.gamma(4, ratio / 4, (2000, 60)), generator.gamma(4, 1 / 4, (2000, 60)), strict=True
        ):
            pairs = [(one.mean(), one.std(ddof=1) / math.sqrt(60)) for one in (mine, theirs)]
            low, high = ratio_between(*pairs)
            held += low <= ratio <= high
            alike += standing_of((low, high)) is TileStanding.ALIKE
        # A standard deviation of a count of 2,000 of probability 0.95 is 10; estimated spreads cost a little.
        assert 1860 <= held <= 1940
        assert alike <= 100 or ratio == 1.0


@pytest.mark.parametrize(("tries", "held_before"), [(2, 0.86), (3, 0.92), (5, 0.95)])
def test_the_interval_of_a_ratio_holds_for_few_tries_too(tries: int, held_before: float) -> None:
    """Of the sizes of normal errors: with 1.96 for so few it misses up to 19 times in 100."""
    generator, held, narrow = np.random.default_rng(5), 0, 0
    sizes = np.abs(generator.normal(size=(2, 3000, tries)))
    means, spreads = sizes.mean(axis=2).tolist(), (sizes.std(axis=2, ddof=1) / math.sqrt(tries)).tolist()
    for mine, spread, theirs, other in zip(means[0], spreads[0], means[1], spreads[1], strict=True):
        low, high = ratio_between((mine, spread), (theirs, other), tries)
        held += low <= 1.0 <= high
        low, high = ratio_between((mine, spread), (theirs, other))
        narrow += low <= 1.0 <= high
    # 3,000 of probability 0.95 have a standard deviation of 12: fewer than 2,805 have a chance below 1 in 10,000.
    assert held >= 2805 and narrow < 3000 * held_before


def test_students_t_by_the_table() -> None:
    table = {2: 12.7062, 5: 2.7764, 11: 2.2281, 12: 2.2010, 21: 2.0860, 31: 2.0423, 101: 1.9840}
    assert {tries: chance_of(tries) for tries in table} == pytest.approx(table, abs=3e-4)
    assert chance_of(0) == 1.96 and chance_of(1) == math.inf
    falling = [chance_of(tries) for tries in range(1, 3000)]
    assert falling == sorted(falling, reverse=True) and falling[-1] >= 1.96
    assert fewest(0, 7, 3) == 3 and fewest(0, 0) == 0


def test_one_try_tells_nothing_and_formulas_need_none() -> None:
    assert ratio_between((3.0, 0.0), (2.0, 0.0), 1) == (0.0, math.inf)
    assert ratio_between((3.0, math.nan), (2.0, math.nan), 0) == (1.5, 1.5)
    few = found(asked(Statistic.MEAN, "age", repetitions=2))
    points = [point for series in few.series for point in series.points]
    assert {point.means for point in points} <= {0, 2}
    assert all(point.means == 0 for point in points if point.by_formula and not point.error_of_mean > 0)
    assert any(point.means == 2 for point in points)
    tiles = [one for one in verdict(few, 0.5).tiles if one.known]
    assert {one.means for one in tiles} <= {0, 2}


def test_so_many_times_are_said_to_the_safe_side() -> None:
    said = [between_words(one) for one in ((1.239, 1.55), (1.004, 1.4), (12.3, 158.2), (2.0, math.inf), (19.4, 19.4))]
    assert between_words((math.inf, math.inf)) == "infinitely many times as much"
    assert said == [
        "1.2 to 1.6 times as much",
        "1 to 1.4 times as much",
        "12 to 160 times as much",
        "at least 2 times as much",
        "19 times as much",
    ]
    assert between_words((1.04, 1.04)) == "hardly more" and between_words((1.01, 2.1)) == "1.01 to 2.1 times as much"


@pytest.mark.parametrize(
    ("spread", "error", "moved"),
    [
        (0.0, "8.97 % misplaced", ""),
        (0.003, "8.97 % misplaced", "± 0.3 %"),
        (0.016, "9 % misplaced", "± 1.6 %"),
        (1e-6, "8.97 % misplaced", "± 0.009 %"),
    ],
)
def test_an_error_has_the_digits_that_are_known_of_it(spread: float, error: str, moved: str) -> None:
    """Whoever divides two errors that are known finds the times that are said; ± is rounded up, in the same unit."""
    found = Findings(asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0)), (), 400)
    (local,) = (one for one in told_of((0.1, 0.2, 0.1794), spread).tiles if one.approach is Approach.LOCAL)
    assert told_error(local, found) == error
    assert moved_words(local, found) == moved


def test_of_one_repetition_nobody_says_how_many_would_tell() -> None:
    """It shows no spread at all, which must not be read as none: two would then seem to do."""
    experiment = asked(Statistic.HISTOGRAM, "town", places=(0.5, 1.0), repetitions=1)
    ways = zip((Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL), families(), (0.2, 0.21, 9.0), strict=False)
    series = tuple(
        ErrorSeries(one, way.value, way, (Point(way.value, 1.0, error, error, error, 1, math.nan, means=1),))
        for way, one, error in ways
    )
    found = Findings(experiment, series, 400)
    said = verdict(found, 1.0)
    assert [one.standing for one in said.tiles if one.standing is not TileStanding.TAKEN] == [TileStanding.UNTOLD] * 2
    assert tries_to_tell(said, found) == 0
