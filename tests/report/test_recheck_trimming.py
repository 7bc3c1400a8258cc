"""Trimmed releases counted again: the law from ε, δ and c alone, steps together, their labels, lines of groups."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from workbench.anonymise.privacy import ModelChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table
from workbench.report.recheck import Rechecked, Stated, recheck
from workbench.report.recheck_stated import StatedChain
from workbench.report.recheck_trim_law import RecomputedTrimming, composed, recomputed_trimming

TRUTH = Path(__file__).parents[1] / "data" / "trimming.csv"
AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
TOWNS = Hierarchy.from_rows([("Bonn", "west", "*"), ("Köln", "west", "*"), ("Jena", "east", "*")])


# The law


def rational(text: str) -> Fraction:
    """A number of the reference, where ln2 and ln3 are rounded down to so many digits that it does not matter."""
    return Fraction(repr(math.log(int(text[2:])))) if text.startswith("ln") else Fraction(text)


def test_the_law_is_that_of_the_reference() -> None:
    with TRUTH.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 50
    for row in rows:
        law = recomputed_trimming(rational(row["epsilon"]), Fraction(row["delta"]), int(row["rows_per_person"]))
        assert law.mean_lost == pytest.approx(float(row["mean_lost"]), rel=1e-8), row
        assert law.sd == pytest.approx(float(row["sd"]), rel=1e-8), row
        for name in row:
            if name.startswith("keep_"):
                assert law.kept(int(name[5:])) == pytest.approx(float(row[name]), rel=1e-7), row
        if not row["epsilon"].startswith("ln"):
            always, half = int(row["always_survive"]), int(row["half_survive"])
            assert [n for n in range(always - 2, always + 3) if law.always_survives(n)] == [always], row
            assert [n for n in range(max(half - 2, 0), half + 3) if law.half_survives(n)] == [half], row


def test_no_probability_is_above_1_however_little() -> None:
    law = recomputed_trimming(Fraction(1), Fraction(1, 20), 1)
    rows = len(law.weights)
    assert law.is_kept(rows, 1.0) and law.is_kept(rows, 1 - 1e-15) and law.is_kept(0, 0.0)
    assert not law.is_kept(rows, 1 + 1e-15)


@pytest.mark.parametrize(("epsilon", "delta", "rows"), [("1/2", "1/50", 1), ("1", "1/20", 2), ("3/2", "1/9", 3)])
def test_neighbouring_tables_are_as_close_as_the_law_says(epsilon: str, delta: str, rows: int) -> None:
    """All groups of up to 12 rows, all spreads of a person's rows over two groups, both directions."""
    law = recomputed_trimming(Fraction(epsilon), Fraction(delta), rows)
    total = sum(law.weights)

    def seen(n: int) -> dict[int, float]:
        chances: dict[int, float] = {}
        for z, weight in enumerate(law.weights):
            chances[max(0, n - z)] = chances.get(max(0, n - z), 0.0) + weight / total
        return chances

    worst, grown = 0.0, math.exp(float(Fraction(epsilon)))
    for n, m in product(range(13), range(6)):
        for first in range(rows + 1):
            more, less = (seen(n + first), seen(m + rows - first)), (seen(n), seen(m))
            for one, other in ((more, less), (less, more)):
                pairs = {(a, b): one[0][a] * one[1][b] for a in one[0] for b in one[1]}
                gap = sum(
                    max(0.0, p - grown * other[0].get(a, 0.0) * other[1].get(b, 0.0)) for (a, b), p in pairs.items()
                )
                worst = max(worst, gap)
    assert worst <= float(Fraction(delta)) * (1 + 1e-9)
    if rows == 1:
        assert worst == pytest.approx(float(Fraction(delta)), rel=1e-9)


def test_no_other_number_passes_for_one_of_the_law() -> None:
    law = recomputed_trimming(Fraction(1), Fraction(1, 10**5), 1)
    assert (law.half_survives(12), law.always_survives(23)) == (True, True)
    for other in (0, -1, 11, 13, 24, 12.0, True, None, "12"):
        assert not law.half_survives(other)
        assert not law.always_survives(other)
    assert law.is_mean(law.mean_lost) and law.is_sd(law.sd) and law.is_kept(12, law.kept(12))
    for wrong in (law.mean_lost * (1 + 1e-6), 0, True, math.nan, math.inf, "10.8", None):
        assert not law.is_mean(wrong)
    assert not law.is_kept(11, law.kept(12))
    assert not law.is_kept(True, law.kept(1))
    assert not law.is_kept(-1, law.kept(-1))


def test_where_rounding_decides_about_the_last_row_both_numbers_pass() -> None:
    assert not recomputed_trimming(Fraction(1), Fraction(1, 10**5), 1).doubtful_end
    law = RecomputedTrimming((1, 2, 1), doubtful_end=True)
    assert [n for n in range(6) if law.always_survives(n)] == [3, 4]


@pytest.mark.parametrize(
    ("epsilon", "delta", "rows"),
    [("0", "1/10", 1), ("11", "1/10", 1), ("1", "0", 1), ("1", "1", 1), ("1", "1/10", 0), ("1/10000", "1e-9", 5)],
)
def test_what_is_no_law_is_refused(epsilon: str, delta: str, rows: int) -> None:
    with pytest.raises(WorkbenchError):
        recomputed_trimming(Fraction(epsilon), Fraction(delta), rows)


# Steps composed


def enumerated(parts: Sequence[tuple[Fraction, Fraction]], epsilon: float) -> float:
    """δ of the worst mechanisms of all parts, by all of their outputs."""
    outputs = []
    for one, delta in parts:
        grown = math.exp(float(one))
        yes, no, fail = grown / (1 + grown) * (1 - delta), 1 / (1 + grown) * (1 - delta), float(delta)
        outputs.append([(fail, 0.0), (float(yes), float(no)), (float(no), float(yes))])
    return sum(
        max(0.0, math.prod(p for p, _ in chosen) - math.exp(epsilon) * math.prod(q for _, q in chosen))
        for chosen in product(*outputs)
    )


@pytest.mark.parametrize("epsilon", ["1/10", "1/2", "9/10", "1", "3/2"])
def test_steps_compose_as_their_worst_mechanisms_do(epsilon: str) -> None:
    parts = [(Fraction(1, 2), Fraction(1, 100)), (Fraction(3, 10), Fraction(1, 50)), (Fraction(1, 5), Fraction(1, 30))]
    found = composed(parts, Fraction(epsilon))
    worst = enumerated(parts, float(Fraction(epsilon)))
    assert worst <= float(found) * (1 + 1e-12)
    if Fraction(epsilon) < 1:
        assert float(found) == pytest.approx(worst, rel=1e-12)
    else:
        assert found == sum(delta for _, delta in parts)


# The file


FILE = [
    ("age", "town"),
    *[("20", "Bonn")] * 4,
    *[("30s", "west")] * 3,
    *[("*", "west")] * 2,
    *[("*", "*")] * 5,
]
CHAIN = StatedChain(({"age": 0, "town": 0}, {"age": 1, "town": 1}, {"age": 2, "town": 1}, {"age": 2, "town": 2}))
STATED = Stated(
    grouped=("age", "town"),
    hierarchies={"age": AGES, "town": TOWNS},
    mixed_levels=True,
    columns=("age", "town"),
    all_grouped=True,
    small_groups_dropped=True,
    chain=CHAIN,
)


def found(lines: Sequence[Sequence[str]], stated: Stated = STATED) -> Rechecked:
    return recheck(lines, stated)


def test_rows_of_different_steps_are_what_is_stated() -> None:
    checked = found(FILE)
    assert checked.holds
    assert (checked.rows, checked.classes, checked.smallest, checked.largest) == (14, 4, 2, 5)
    assert checked.levels == {}
    one = replace(STATED, chain=StatedChain(({"age": 0, "town": 1}, {"age": 1, "town": 1})))
    assert found([("age", "town"), ("21", "west"), ("30s", "west")], one).levels == {"town": 1}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("90s", "west"), "“age” has values that are no labels of the levels 0, 1 and 2 of its hierarchy: “90s”"),
        (("30s", "Bonn"), "no one step together: “30s, Bonn”"),  # step 2 has towns at level 1
        (("30", "west"), "no one step together: “30, west”"),
        (("*", "Rom"), "“town” has values that are no labels"),
    ],
)
def test_rows_that_are_of_no_step(line: tuple[str, str], words: str) -> None:
    checked = found([*FILE, line])
    assert not checked.holds
    assert words in " ".join(checked.faults)


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ((1,), "of level 1 of its hierarchy: “90s”"),
        ((0, 1), "of the levels 0 and 1 of its hierarchy: “90s”"),
        ((0, 1, 1), "of the levels 0 and 1 of its hierarchy: “90s”"),
        (("*",), "of the level at which every value is *: “90s”"),
        ((1, "*"), "of the levels 1 and * of its hierarchy: “90s”"),
    ],
)
def test_a_label_of_no_step_is_told_with_the_levels_of_all(levels: tuple[int | str, ...], words: str) -> None:
    chain = StatedChain(tuple({"age": level, "town": 1} for level in levels))
    (fault,) = found([("age", "town"), ("90s", "west")], replace(STATED, chain=chain)).faults
    assert fault == f"“age” has values that are no labels {words}."


def test_a_value_that_no_hierarchy_lists_is_a_star_at_every_step() -> None:
    assert found([*FILE, ("*", "Bonn"), ("30", "*"), ("30s", "*")]).holds


def test_a_step_that_is_left_out_of_what_is_stated_is_missed() -> None:
    for left_out, row in ((0, "20, Bonn"), (1, "30s, west")):
        steps = tuple(one for number, one in enumerate(CHAIN.levels) if number != left_out)
        said = " ".join(found(FILE, replace(STATED, chain=StatedChain(steps))).faults)
        assert row.split(", ")[0] in said


def test_a_column_tells_the_step_of_each_row() -> None:
    lines = [("age", "town", "step"), ("20", "Bonn", "1"), ("30s", "west", "2"), ("*", "west", "3"), ("*", "*", "4")]
    chain = replace(CHAIN, step_column="step")
    stated = replace(STATED, chain=chain, columns=("age", "town", "step"), grouped=("age", "town", "step"))
    assert found(lines, stated).holds
    wrong = (("20", "Bonn", "2"), ("30s", "west", "1"), ("30s", "west", "5"), ("*", "*", "0"), ("*", "*", ""))
    for line in wrong:
        assert not found([*lines, line], stated).holds, line
    assert "a step from 1 to 4" in found([*lines, wrong[2]], stated).faults[0]
    with pytest.raises(WorkbenchError, match="no column “step”"):
        found(FILE, stated)


def test_a_column_without_a_hierarchy_is_as_it_is_or_nothing_but_stars() -> None:
    chain = StatedChain(({"age": 1, "town": 0}, {"age": 1, "town": "*"}))
    stated = replace(STATED, hierarchies={"age": AGES}, chain=chain)
    assert found([("age", "town"), ("30s", "Rom"), ("30s", "*")], stated).holds
    stars = replace(stated, chain=StatedChain(({"age": 1, "town": "*"},)))
    assert found([("age", "town"), ("30s", "*")], stars).holds
    assert "every value is *: “Rom”" in found([("age", "town"), ("30s", "Rom")], stars).faults[0]


def test_a_level_that_the_hierarchy_does_not_have_has_no_labels() -> None:
    assert not found(FILE, replace(STATED, chain=StatedChain(({"age": 7, "town": 0}, *CHAIN.levels[1:])))).holds


# One line for each group


LINES = [("age", "town", "n"), ("20", "Bonn", "4"), ("30s", "west", "3"), ("*", "*", "12")]
COUNTED = replace(
    STATED,
    columns=("age", "town", "n"),
    chain=replace(CHAIN, count_column="n"),
    models=(ModelChoice("k-anonymity", {"k": 3}),),
)


def test_lines_of_groups_stand_for_their_rows() -> None:
    checked = found(LINES, COUNTED)
    assert checked.holds
    assert (checked.rows, checked.classes, checked.smallest, checked.largest) == (19, 3, 3, 12)
    assert found(LINES, replace(COUNTED, rows=19)).holds
    assert not found(LINES, replace(COUNTED, rows=3)).holds


@pytest.mark.parametrize("number", ["0", "-4", "1.5", "4.0", "04", "1,000", "", "many", "٣", "1٣"])
def test_only_whole_numbers_of_rows_are_ones(number: str) -> None:
    checked = found([*LINES, ("40s", "east", number)], COUNTED)
    assert not checked.holds
    assert f"no numbers of rows: “{number}”" in checked.faults[0]


def test_a_group_has_one_line_and_no_fewer_rows_than_the_floor() -> None:
    twice = found([*LINES, ("20", "Bonn", "9")], COUNTED)
    assert "lines too many: 1" in twice.faults[0]
    assert "lines too many: 1" in found([*LINES, LINES[1]], COUNTED).faults[0]
    assert not found([*LINES, ("40s", "east", "2")], COUNTED).holds
    with pytest.raises(WorkbenchError, match="tells nothing of “town”"):
        found(LINES, replace(COUNTED, models=(ModelChoice.parse("l=2:town"),)))
    with pytest.raises(WorkbenchError, match="no column “n”"):
        found(FILE, COUNTED)


# Beside the original


def test_rows_that_were_invented_are_found_beside_the_original() -> None:
    ages = ["20"] * 6 + ["33", "34", "35", "36"] + ["41"] * 3 + ["77"] * 3
    towns = ["Bonn"] * 6 + ["Bonn", "Köln"] * 2 + ["Jena"] * 3 + ["Rom"] * 3
    original = Table((Column.from_texts("age", ages), Column.from_texts("town", towns)))
    lines = [("age", "town"), *[("20", "Bonn")] * 6, *[("30s", "west")] * 4, *[("*", "*")] * 3]
    assert recheck(lines, STATED, original).holds
    for more in (("20", "Bonn"), ("30s", "west"), ("40", "Jena"), ("50s", "east")):
        said = " ".join(recheck([*lines, more], STATED, original).faults)
        assert f"more rows of a group than the original: “{more[0]}, {more[1]}”" in said
    counted = [("age", "town", "n"), ("20", "Bonn", "7")]
    stated = replace(COUNTED, models=())
    assert "more rows of a group" in recheck(counted, stated, original).faults[0]
    assert recheck([("age", "town", "n"), ("*", "*", "16")], stated, original).holds
    assert (
        "more rows than the original" in recheck([("age", "town", "n"), ("*", "*", "17")], stated, original).faults[0]
    )
    # A value that did not fit can have become missing, and then it is a `*` that no hierarchy lists.
    assert recheck([("age", "town", "n"), ("20", "*", "1")], stated, original).holds


def test_what_is_not_known_beside_the_original_is_passed_over() -> None:
    original = Table((Column.from_texts("age", ["21", "22"]), Column.from_texts("town", ["Bonn", "Rom"])))
    chain = StatedChain(({"age": 1, "town": 0}, {"age": 1, "town": "*"}), "step")
    lines = [("age", "town", "step"), ("20s", "Bonn", "1"), ("20s", "*", "1")]
    one = replace(STATED, hierarchies={"age": AGES}, chain=chain, columns=None, grouped=("age", "town", "step"))
    assert recheck(lines, one, original).holds
    assert recheck([lines[0], ("20s", "*", "2"), ("20s", "*", "2")], one, original).holds
    assert not recheck([lines[0], ("20s", "Bonn", "1"), ("20s", "Bonn", "1")], one, original).holds
    assert recheck(lines, replace(one, hierarchies={}), original).holds
