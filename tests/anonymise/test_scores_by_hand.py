"""Scores of levels worked out by hand, and what one unit of them may count in a draw."""

from __future__ import annotations

import weakref
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

import pytest

from workbench.anonymise.level_scores import UNIT, LevelScoring, Score, row_worth, scores_of
from workbench.core.errors import WorkbenchError
from workbench.core.garbage import no_garbage_collection
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table
from workbench.core.trim_law import trim_law

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)])
TOWNS = Hierarchy.from_rows([("A", "*"), ("B", "*")])
PEOPLE = Table((Column.from_texts("age", ["21", "22", "23", "31", "32", "41"]),))
"""In tens: three, two and one."""
LAW = trim_law(Fraction(1), Fraction(1, 20))


def score(judged: Score, *levels: int, k: int = 2, beta: float = 1.0) -> list[int]:
    nodes = [{"age": level} for level in levels]
    return scores_of(
        PEOPLE, {"age": AGES}, nodes, LevelScoring(judged, k, beta, LAW if judged is Score.TRIMMED else None)
    )


def test_scores_of_six_people() -> None:
    half = UNIT // 2
    assert score(Score.KEPT_DETAIL, 0, 1, 2) == [0, half, 0]
    assert score(Score.KEPT_DETAIL, 0, 1, k=1) == [0, half * 3]
    assert score(Score.INTENSITY, 0, 1, 2) == [-6 * UNIT, -(5 * half + UNIT), -6 * UNIT]
    assert score(Score.INTENSITY, 0, 1, k=1) == [0, -6 * half]
    assert score(Score.DISCERNIBILITY, 0, 1, 2) == [-6 * UNIT, -(13 * UNIT // 6 + UNIT), -6 * UNIT]
    assert score(Score.DISCERNIBILITY, 1, k=1) == [-(14 * UNIT // 6)]
    # At the top of its hierarchy a column says nothing, as if it were suppressed.
    assert score(Score.ENTROPY, 0, 1, 2) == [-6 * UNIT, -(13 * UNIT // 6 + UNIT), -6 * UNIT]
    assert score(Score.CLASSES, 0, 1, 2) == [0, 2 * UNIT, UNIT]
    assert score(Score.CLASSES, 0, 1, 2, k=3) == [0, UNIT, UNIT]


def test_two_columns_are_judged_each_by_itself_only_by_entropy() -> None:
    table = Table((*PEOPLE.columns, Column.from_texts("town", list("AABBBB"))))
    node = [{"age": 1, "town": 0}]
    found = {
        one: scores_of(table, {"age": AGES, "town": TOWNS}, node, LevelScoring(one, 2, 1.0))[0]
        for one in (Score.DISCERNIBILITY, Score.ENTROPY, Score.INTENSITY, Score.KEPT_DETAIL)
    }
    # 20s-A: 2, 20s-B: 1, 30s-B: 2, 40s-B: 1.
    assert found[Score.DISCERNIBILITY] == -(8 * UNIT // 6 + 2 * UNIT)
    assert found[Score.ENTROPY] == -2 * (8 * UNIT // 6 + 2 * UNIT)
    assert found[Score.INTENSITY] == -(4 * UNIT // 2 + 2 * 2 * UNIT)
    assert found[Score.KEPT_DETAIL] == 0


def test_what_trimming_keeps_is_the_mean_of_what_is_left() -> None:
    """E[max(0, n − Z)] = Σ over m < n of P[Z ≤ m], in parts of 2^−32 of a row, from a thousandth on."""
    sums = [Fraction(0), *accumulate(Fraction(below, LAW.total) for below in LAW.cumulative)]
    kept = [int(value * 2**32) if value >= Fraction(1, 1024) else 0 for value in sums]
    assert LAW.always_survive > 3 and kept[1] > 0
    assert score(Score.TRIMMED, 0, 1, 2) == [6 * UNIT * kept[1], UNIT // 2 * (kept[3] + kept[2] + kept[1]), 0]
    many = Table((Column.from_texts("age", ["21"] * 50),))
    judged = LevelScoring(Score.TRIMMED, 1, 1.0, LAW)
    beyond = 50 - LAW.always_survive
    assert scores_of(many, {"age": AGES}, [{"age": 0}], judged) == [UNIT * (kept[LAW.always_survive] + 2**32 * beyond)]


def test_no_rows_have_no_score_and_trimming_none_without_its_law() -> None:
    empty = Table((Column.from_texts("age", []),))
    assert scores_of(empty, {"age": AGES}, [{"age": 0}, {"age": 1}], LevelScoring(Score.CLASSES, 2, 1.0)) == [0, 0]
    with pytest.raises(WorkbenchError, match="samples") as caught:
        scores_of(PEOPLE, {"age": AGES}, [{"age": 0}], LevelScoring(Score.TRIMMED, 2, 1.0))
    assert caught.value.field == "score"


def test_a_row_is_worth_what_is_left_of_its_detail() -> None:
    assert row_worth((0, 0), (2, 3)) == UNIT and row_worth((2, 3), (2, 3)) == 0
    assert row_worth((1, 0), (2, 0)) == UNIT * 3 // 4
    assert row_worth((1, 1), (3, 2)) == int(Fraction(7, 12) * UNIT) < Fraction(7, 12) * UNIT


@pytest.mark.parametrize(("k", "squares", "intensity"), [(1, "5", 1), (2, "5", 1), (3, "11/2", 2), (5, "29/4", 4)])
def test_how_far_one_row_moves_each_score(k: int, squares: str, intensity: int) -> None:
    """Those of the paper: (k − 1)·columns; k²/(k − 1) + 1, and 5 where a class may be of one row."""
    wanted = {
        Score.KEPT_DETAIL: Fraction(1),
        Score.TRIMMED: Fraction(1),
        Score.INTENSITY: Fraction(3 * intensity),
        Score.DISCERNIBILITY: Fraction(squares),
        Score.ENTROPY: 3 * Fraction(squares),
        Score.CLASSES: Fraction(1),
    }
    for judged, change in wanted.items():
        judgement = LevelScoring(judged, k, 0.5)
        assert judgement.sensitivity(3) == change, judged
        # Where a row more can only raise scores, a draw needs no factor of 2.
        both = 1 if judged in (Score.KEPT_DETAIL, Score.TRIMMED, Score.CLASSES) else 2
        unit = UNIT << 32 if judged is Score.TRIMMED else UNIT
        assert judgement.unit == unit and judgement.monotone == (both == 1)
        for rows in (1, 4):
            assert judgement.rate(Fraction(1, 3), 3, rows) == Fraction(1, 3) / (both * change * rows * unit), judged
        half = judgement.rate(Fraction(1), 3, 1, Fraction(1, 2)) / judgement.rate(Fraction(1), 3, 1)
        assert half == (2 if judged is Score.TRIMMED else 1), judged
    trimmed = LevelScoring(Score.TRIMMED, k, 0.5)
    assert trimmed.rate(Fraction(1), 3, 1, Fraction(0)) == trimmed.rate(Fraction(1), 3, 1)


def test_the_threshold_is_rounded_up_from_what_beta_really_is() -> None:
    assert LevelScoring(Score.KEPT_DETAIL, 15, 0.5).threshold == 30
    assert LevelScoring(Score.KEPT_DETAIL, 1, 1.0).threshold == 1
    assert LevelScoring(Score.KEPT_DETAIL, 3, 0.3).threshold == 11, "0.3 as a float is a little less"
    assert LevelScoring(Score.KEPT_DETAIL, 7, 0.5).smallest_counted == 7
    for k, beta in ((0, 0.5), (1, 0.0), (1, 1.1), (1, -0.5)):
        with pytest.raises(WorkbenchError) as caught:
            LevelScoring(Score.CLASSES, k, beta)
        assert caught.value.field == "k"


def test_the_smallest_class_that_counts_keeps_a_1024th_of_a_row() -> None:
    """One row keeps π(1) = δ of itself, in whole 2^-32 rounded down: 2^22 of them count, and one fewer do not."""
    for delta, smallest in ((Fraction(2**23 + 1, 2**33), 1), (Fraction(2**23 - 1, 2**33), 2)):
        judged = LevelScoring(Score.TRIMMED, 2, 1.0, trim_law(Fraction(1), delta))
        assert judged.smallest_counted == smallest


def test_no_law_is_held_by_what_was_counted_with_it() -> None:
    """It may have 100,000 weights, tens of megabytes."""
    with no_garbage_collection():
        law = replace(LAW)
        held = weakref.ref(law)
        assert LevelScoring(Score.TRIMMED, 1, 1.0, law).smallest_counted == 1
        assert LevelScoring(Score.TRIMMED, 1, 1.0, LAW).smallest_counted == 1
        del law
        assert held() is None
