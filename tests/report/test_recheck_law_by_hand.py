"""What the second computation of a law rests on, worked out by definition; and what is not compared."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from workbench.anonymise.privacy import ModelChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table
from workbench.report import recheck_trim_law
from workbench.report.recheck import ORDER_UNCHECKED, Stated, _compared, _released_rows, recheck
from workbench.report.recheck_cost import Cost, cost_of_one
from workbench.report.recheck_original import level_of
from workbench.report.recheck_trim_law import _covered, _places, _weights, composed, recomputed_trimming

F = Fraction
UNIT = 10**40


def kept(epsilon_ratio: Fraction, delta: Fraction) -> list[Fraction]:
    """π(0), π(1), … up to 1, as the paper has it."""
    found = [F(0)]
    while found[-1] < 1:
        here = found[-1]
        found.append(min(epsilon_ratio * here + delta, 1 - (1 - here - delta) / epsilon_ratio, F(1)))
    return found


@pytest.mark.parametrize("ratio", [F(1), F(11, 10), F(2), F(20)])
@pytest.mark.parametrize("delta", [F(1, 5), F(1, 7), F(1, 1000)])
def test_weights_are_the_steps_of_the_largest_probabilities(ratio: Fraction, delta: Fraction) -> None:
    weights, _ = _weights(int(ratio * UNIT), UNIT, int(delta * UNIT))
    probabilities = kept(ratio, delta)
    below = list(itertools.accumulate(weights, initial=0))
    assert sum(weights) == UNIT
    # What is lost to rounding may make one step more, and it is nearly nothing.
    assert len(below) - len(probabilities) in (0, 1) and all(weight > 0 for weight in weights)
    for found, true in itertools.zip_longest(below, probabilities, fillvalue=F(1)):
        assert abs(F(found) / (UNIT if isinstance(found, int) else 1) - true) < F(1, 10**30)


@pytest.mark.parametrize(("off", "doubtful"), [(0, True), (6 * 10**8, True), (64 * 10**7, False), (10**20, False)])
def test_the_last_row_is_doubtful_where_thirty_digits_do_not_decide(off: int, doubtful: bool) -> None:
    """With a ratio of 1 each of four steps may take a little more than a quarter, and the last one needs less."""
    weights, found = _weights(UNIT, UNIT, UNIT // 4 + off)
    assert (len(weights), found) == (4, doubtful)


def test_a_law_covers_neighbours_exactly_where_their_distance_says_so() -> None:
    """By definition: the chances of n − Z and of n + 1 − Z, at every output, with the ratio 3/2."""
    ratio, unit = F(3, 2), 1000

    def distance(one: Sequence[int], other: Sequence[int]) -> Fraction:
        return sum((max(F(0), p - ratio * q) for p, q in zip(one, other, strict=True)), F(0)) / sum(one)

    for weights in itertools.product(range(4), repeat=3):
        if not sum(weights):
            continue
        less, more = (*weights, 0), (0, *weights)
        needed = max(distance(less, more), distance(more, less))
        for share in (F(0), needed - F(1, 10**6), needed, needed + F(1, 10**6), F(1)):
            assert _covered(weights, int(ratio * unit), unit, share) == (share >= needed)


def test_a_law_that_does_not_keep_its_promise_is_the_fault_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.report.recheck_trim_law._weights", lambda *_: ((1, 1), False))
    with pytest.raises(WorkbenchError, match="does not keep") as refused:
        recomputed_trimming(F(1), F(1, 1234567), 1)
    assert refused.value.field == "statement"


@pytest.mark.parametrize(
    "number", [F(1), F(5), F(99, 100), F(1, 2), F(1, 10), F(3, 1000), F(1, 10**12), F(7, 9), F(1234)]
)
def test_places_reach_the_first_digit_and_hardly_further(number: Fraction) -> None:
    found = _places(number)
    assert found >= 0 and 10**found * number >= 1
    assert found == 0 or 10 ** (found - 2) * number < 1


def test_trimming_costs_what_is_stated_or_what_its_steps_cost_if_that_is_more() -> None:
    parts = [(F(1, 2), F(1, 10**4)), (F(1, 2), F(1, 10**5))]
    steps = [{"epsilon": "0.5", "delta": "0.0001"}, {"epsilon": "0.5", "delta": "0.00001"}]
    release = {"steps": steps, "rows_per_person": 1}
    true = composed(parts, F(1))
    for stated, delta in (("0.5", F(1, 2)), ("0.00000001", true)):
        found = cost_of_one({"kind": "trimming", "epsilon": "1", "delta": stated}, release)
        assert found == Cost(F(1), delta)


# Levels, distributions and orders


def test_what_is_not_listed_stays_as_it_is_at_level_0_and_is_a_star_above() -> None:
    alike = [("a", "x", "*"), ("b", "x", "*")]
    for covers_all, at_0, starred in ((False, None, None), (True, 0, 1)):
        hierarchy = replace(Hierarchy.from_rows(alike), covers_all=covers_all)
        assert level_of(hierarchy, ["a", "new"], 0) == at_0
        assert level_of(hierarchy, ["a"], 0) == 0
        assert level_of(hierarchy, ["x", "*"], 1) == level_of(hierarchy, ["x", "*"]) == starred
        assert level_of(hierarchy, ["new"], 1) is None and level_of(hierarchy, ["a", "new"]) is None
        assert level_of(hierarchy, ["a", "*"], 0) == at_0


def test_a_column_is_compared_if_a_model_of_its_own_compares_it() -> None:
    stated = Stated(models=tuple(map(ModelChoice.parse, ("t=0.1:ill", "l=2:pay", "k=3"))))
    assert [_compared(stated, name) for name in ("ill", "pay", "age")] == [True, False, False]
    assert not _compared(Stated(), "ill")


AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)])
CITIES = Hierarchy.from_rows([("x", "*"), ("y", "*")])


def test_an_order_is_not_checked_where_it_cannot_be_and_that_is_said() -> None:
    rows = [("21", "x"), ("35", "y"), ("22", "x"), ("36", "y")] * 20
    texts = {"age": [age for age, _ in rows], "city": [city for _, city in rows], "in": ["yes"] * 79 + ["no"]}
    original = Table(tuple(Column.from_texts(name, column) for name, column in texts.items()))
    stated = Stated(grouped=("age", "city"), hierarchies={"age": AGES, "city": CITIES})
    whole = [("age", "city"), *[(f"{age[0]}0s", city) for age, city in rows]]
    assert recheck(whole, stated, original).unchecked == ()
    mixed = [("age", "city"), *[(age if age[0] == "2" else "30s", city) for age, city in rows]]
    assert ORDER_UNCHECKED[0] in recheck(mixed, replace(stated, mixed_levels=True), original).unchecked
    some = replace(stated, models=(ModelChoice.parse("d-presence=0,1:in=yes"),))
    assert ORDER_UNCHECKED[0] in recheck(whole[:-1], some, original).unchecked
    assert ORDER_UNCHECKED[1] in recheck(whole[:-1], stated, original).unchecked


def test_people_by_estimate_are_of_the_rows_that_are_to_be_released() -> None:
    """k-map by estimate compares the released rows with so many people: 6 of 60 is a tenth, none is nothing."""
    original = Table((Column.from_texts("age", ["21"] * 9), Column.from_texts("in", ["y"] * 6 + ["n"] * 3)))
    for value, rows in (("y", 6), ("n", 3), ("somebody", 0)):
        stated = Stated(models=(ModelChoice.parse(f"d-presence=0,1:in={value}"),))
        assert _released_rows(original, stated) == rows
    assert _released_rows(original, Stated(models=(ModelChoice.parse("k=3"),))) == 9


@pytest.mark.parametrize(
    ("epsilon", "delta", "rows"),
    [
        (F(1), F(1, 10**5), 10**400),
        (F(1), F(1, 10**5), 1_000_001),
        (F(1), F(1, 10**400), 1),
        (F(1, 10**400), F(1, 10**5), 1),
        (F(1, 10**9), F(1, 10**300), 1),
        (F(1), F(1, 10**300), 1_000_000),
    ],
)
def test_what_nobody_can_have_drawn_is_refused_without_counting(
    epsilon: Fraction, delta: Fraction, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement of somebody else cannot keep whoever verifies it busy."""
    monkeypatch.setattr(recheck_trim_law, "_weights", None)
    with pytest.raises(WorkbenchError, match=r"Nothing is trimmed|Groups would give up more than 100,000 rows"):
        recomputed_trimming(epsilon, delta, rows)


@pytest.mark.parametrize("epsilon", [F(1, 10), F(1), F(10)])
@pytest.mark.parametrize("delta", [F(1, 2), F(1, 10**5), F(1, 10**60)])
@pytest.mark.parametrize("rows", [1, 7])
def test_a_law_of_the_longest_length_is_not_refused(
    epsilon: Fraction, delta: Fraction, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = recomputed_trimming(epsilon, delta, rows)
    law = inspect.unwrap(recomputed_trimming)
    monkeypatch.setattr(recheck_trim_law, "MOST_LOST", len(whole.weights))
    assert law(epsilon, delta, rows) == whole
    monkeypatch.setattr(recheck_trim_law, "MOST_LOST", len(whole.weights) - 1)
    with pytest.raises(WorkbenchError, match="Groups would give up more than"):
        law(epsilon, delta, rows)
