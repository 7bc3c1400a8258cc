"""Attacks on trimmed releases, each figure against trying everything or against the attack on one level."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from fractions import Fraction

import numpy as np
import pytest

from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.anonymise.trimming import TrimOutcome, trim
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SeededSource
from workbench.core.table import Column, Table
from workbench.core.trim_law import trim_law
from workbench.evaluate.linkage import link
from workbench.evaluate.membership import most_right
from workbench.evaluate.trimmed_linkage import link_trimmed
from workbench.evaluate.trimmed_membership import tell_trimmed_membership

AGES = Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(40)])


def table_of(groups: Mapping[tuple[str, str, str], int]) -> Table:
    rows = [row for row, count in groups.items() for _ in range(count)]
    return Table(
        tuple(Column.from_texts(name, [row[place] for row in rows]) for place, name in enumerate(("age", "sex", "job")))
    )


PEOPLE = table_of(
    {
        (str(age), sex, job): 1 + (3 * age + 5 * place) % 7
        for age in range(0, 40, 3)
        for place, (sex, job) in enumerate(itertools.product("fm", ("cook", "smith")))
    }
)


def made(
    table: Table,
    *chain: tuple[int, int, int],
    spent: Sequence[tuple[Fraction, Fraction]],
    seed: int = 1,
    floor: int = 1,
) -> TrimOutcome:
    names = ("age", "sex", "job")
    steps = tuple(TrimStep(dict(zip(names, one, strict=True)), *each) for one, each in zip(chain, spent, strict=True))
    plans = tuple(ColumnPlan(name, Treatment.GENERALISE, level) for name, level in zip(names, chain[0], strict=True))
    return trim(table, TrimRecipe(plans, steps, floor=floor), {"age": AGES}, SeededSource(seed))


MILD = (Fraction(1), Fraction(1, 4))


@pytest.mark.parametrize("known", [("age",), ("age", "sex"), ("sex",)])
def test_a_release_of_one_step_is_attacked_as_one_of_one_level(known: tuple[str, ...]) -> None:
    outcome = made(PEOPLE, (1, 0, 0), spent=[MILD])
    labels = outcome.release
    whole = trim_free(PEOPLE)
    expected = link(PEOPLE, labels, whole, known)
    found = link_trimmed(PEOPLE, outcome, known)
    assert outcome.rows_out < PEOPLE.rows
    assert found.before == expected.before
    assert astuple(found.after.prosecutor) == pytest.approx(astuple(expected.after.prosecutor))
    assert astuple(found.after.journalist) == pytest.approx(astuple(expected.after.journalist))
    assert (found.after.rows, found.after.classes) == (expected.after.rows, expected.after.classes)
    assert (found.after.smallest, found.after.largest) == (expected.after.smallest, expected.after.largest)
    assert found.after.uniques == pytest.approx(expected.after.uniques)
    assert (found.absent, found.everybody) == pytest.approx((expected.absent, expected.everybody))
    for one, other in zip(found.learned, expected.learned, strict=True):
        assert one.column == other.column
        assert (one.blind, one.before) == pytest.approx((other.blind, other.before))
        # Of equally frequent labels he may take either, and one more or less of its rows went out.
        assert one.after == pytest.approx(other.after, abs=0.02)


def trim_free(table: Table) -> Table:
    """Everybody with the labels of ages in tens."""
    texts = [f"{int(text) // 10}0s" for text in table["age"].texts()]
    return Table((Column.from_texts("age", texts), table["sex"], table["job"]))


def test_labels_of_several_steps_are_told_apart_by_who_fits_them() -> None:
    outcome = made(PEOPLE, (0, 0, 0), (1, 0, 1), spent=[MILD, MILD])
    found = link_trimmed(PEOPLE, outcome, ("age", "sex"))
    # Row by row: who fits a person, and what is expected of the person's own row.
    released = Counter(zip(*(column.texts() for column in outcome.release.columns), strict=True))
    fates = outcome.fates()
    assert fates is not None
    chances, right = [], 0.0
    for row in range(PEOPLE.rows):
        age, sex, _ = PEOPLE.row(row)
        fits = sum(n for (a, s, _), n in released.items() if a in (age, f"{int(age) // 10}0s", "*") and s == sex)
        if fates.step[row] >= 0:
            chances.append(1 / fits)
            right += 1 / fits
    assert found.after.rows == len(chances) == outcome.rows_out
    assert found.after.prosecutor.highest == pytest.approx(max(chances))
    # Here rows go out in the order of the table, there any of a group may.
    assert found.after.prosecutor.average == pytest.approx(np.mean(chances), abs=0.02)
    assert found.everybody == pytest.approx(right / PEOPLE.rows, abs=0.02)
    assert [one.column for one in found.learned] == []  # jobs are written at two levels


def test_an_attacker_needs_something_that_is_released() -> None:
    outcome = made(PEOPLE, (1, 0, 0), spent=[MILD])
    with pytest.raises(WorkbenchError, match="knows no column"):
        link_trimmed(PEOPLE, outcome, ())
    with pytest.raises(WorkbenchError, match="no column “pay”"):
        link_trimmed(PEOPLE, outcome, ("pay",))


# Membership


def brute(rows: int, own: int, others: Sequence[int], spent: Sequence[tuple[Fraction, Fraction]], floor: int) -> float:
    """Total variation by trying every number each step may take."""
    laws = [trim_law(*each) for each in spent]

    def said(count: int) -> Counter[tuple[int, ...]]:
        found: Counter[tuple[int, ...]] = Counter()
        for lost in itertools.product(*(range(len(law.weights)) for law in laws)):
            left, told, chance = count, [], 1.0
            for z, law, more in zip(lost, laws, (*others, 0), strict=True):
                out = max(0, left - z)
                out = 0 if out < floor else out
                told.append(out)
                chance *= law.weights[z] / law.total
                left += more - out
            found[tuple(told)] += chance
        return found

    there, absent = said(rows), said(rows - own)
    return sum(abs(there[one] - absent[one]) for one in {*there, *absent}) / 2


LONG = (Fraction(1, 2), Fraction(1, 20))


@pytest.mark.parametrize("floor", [1, 2])
@pytest.mark.parametrize("own", [1, 2])
@pytest.mark.parametrize(("company", "rows"), [(0, 4), (3, 4), (20, 30)])
@pytest.mark.parametrize("spent", [[MILD, LONG], [LONG, MILD]], ids=["longer", "shorter"])
def test_the_chance_to_tell_is_that_of_trying_everything(
    spent: list[tuple[Fraction, Fraction]], company: int, rows: int, own: int, floor: int
) -> None:
    groups = {("1", "f", "cook"): rows, **{(str(age), "f", "cook"): company for age in range(2, 10)}}
    outcome = made(table_of(groups), (0, 0, 0), (1, 0, 0), spent=spent, floor=floor)
    found = tell_trimmed_membership(outcome, own=own, runs=4000, seed=3)
    # What the other groups of the same ten years have left is known to him.
    paths = []
    for group, count in enumerate(outcome.steps[0].counts.tolist()):
        rest = int(outcome.steps[1].counts[0] - outcome.steps[0].rests[group])
        if count >= own:
            paths.append(brute(count, own, [rest], spent, floor))
    assert found.exact == pytest.approx(0.5 + max(paths) / 2)
    assert found.own == own
    assert found.low - 0.01 <= found.exact <= found.high + 0.01
    assert found.right == pytest.approx((found.accused_in + 1 - found.accused_out) / 2)


def test_one_step_gives_away_no_more_than_it_promises_and_nearly_that() -> None:
    spent = (Fraction(1), Fraction(1, 100_000))
    outcome = made(table_of({("1", "f", "cook"): 500}), (0, 0, 0), spent=[spent])
    found = tell_trimmed_membership(outcome, promised=(1.0, 1e-5), runs=2000)
    assert found.bound == most_right(1.0, 1e-5)
    assert 0.85 * (found.bound - 0.5) < found.exact - 0.5 <= found.bound - 0.5
    assert found.group == 500


def test_three_steps_give_away_no_more_than_they_promise_together() -> None:
    spent = [(Fraction(share, 10), Fraction(share, 1_000_000)) for share in (5, 3, 2)]
    groups = {(str(age), "f", "cook"): 80 for age in range(40)}
    outcome = made(table_of(groups), (0, 0, 0), (1, 0, 0), (2, 1, 1), spent=spent)
    found = tell_trimmed_membership(outcome, promised=(1.0, 1e-5))
    assert found.bound is not None
    assert 0.6 < found.exact <= found.bound
    assert math.isclose(found.right, found.exact, abs_tol=0.04)


def test_nobody_can_be_looked_for_in_an_empty_table() -> None:
    with pytest.raises(WorkbenchError, match="no rows"):
        tell_trimmed_membership(made(table_of({}), (0, 0, 0), spent=[MILD]))
    with pytest.raises(WorkbenchError, match="one run"):
        tell_trimmed_membership(made(PEOPLE, (0, 0, 0), spent=[MILD]), runs=0)
