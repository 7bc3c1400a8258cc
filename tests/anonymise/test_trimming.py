"""Trimming as run: what it releases, what it never does, and its exact (ε, δ) on tables where all is counted."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise import trimming
from workbench.anonymise.after_draw import AfterDraw
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.trim_axes import axis_of
from workbench.anonymise.trim_counts import LabelGroups, cascade, trimmed
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.anonymise.trimming import TrimOutcome, trim
from workbench.core.canonical import canonical
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.randomness import SecureSource, SeededSource
from workbench.core.table import Column, Table
from workbench.core.trim_law import TrimLaw, trim_law

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "old" if age > 39 else "young", "*") for age in range(60)])
HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


def table_of(ages: Sequence[str], cities: Sequence[str]) -> Table:
    return Table((Column.from_texts("age", ages), Column.from_texts("city", cities)))


def recipe_of(
    *steps: tuple[int, int], epsilon: Fraction = HALF, delta: Fraction = TENTH, **others: object
) -> TrimRecipe:
    columns = (
        ColumnPlan("age", Treatment.GENERALISE, steps[0][0]),
        ColumnPlan("city", Treatment.GENERALISE, steps[0][1]),
    )
    chain = tuple(TrimStep({"age": age, "city": city}, epsilon, delta) for age, city in steps)
    return replace(TrimRecipe(columns, chain), **others)


def rows_of(table: Table) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(column.texts() for column in table.columns), strict=True))


# The law on tables that are enumerated

Table2 = Mapping[tuple[int, int], int]
"""Rows by the numbers of two labels of the first step."""


def laws_of(*spent: tuple[Fraction, Fraction], rows: int = 1) -> list[TrimLaw]:
    return [trim_law(epsilon, delta, rows) for epsilon, delta in spent]


def outcomes(table: Table2, ups: Sequence[object], laws: Sequence[TrimLaw], floor: int) -> dict[object, Fraction]:
    """The exact probability of everything that all steps release of a table, by trying every Z of every group."""
    keys = sorted(key for key, rows in table.items() if rows)
    first = LabelGroups(tuple(np.array([key[place] for key in keys], dtype=np.int64) for place in (0, 1)), (4, 2))
    counts = np.array([table[key] for key in keys], dtype=np.int64)
    sizes: list[int] = []

    def measure(step: int, groups: int) -> np.ndarray:
        sizes.append(groups)
        return np.zeros(groups, dtype=np.int64)

    cascade(first, counts, ups, measure)
    found: dict[object, Fraction] = defaultdict(Fraction)
    ranges = [range(len(law.weights)) for law, size in zip(laws, sizes, strict=True) for _ in range(size)]
    for lost in itertools.product(*ranges):
        parts = np.split(np.array(lost, dtype=np.int64), np.cumsum(sizes)[:-1])
        steps, _ = cascade(first, counts, ups, lambda step, _size, parts=parts: parts[step], floor)
        said = tuple(
            tuple(
                (*(int(digits[group]) for digits in step.groups.digits), int(step.released[group]))
                for group in np.flatnonzero(step.released).tolist()
            )
            for step in steps
        )
        chance = Fraction(1)
        for law, part in zip(laws, parts, strict=True):
            for number in part.tolist():
                chance *= Fraction(law.weights[number], law.total)
        found[said] += chance
    assert sum(found.values()) == 1
    return found


def above(epsilon: Fraction) -> Fraction:
    """A fraction just above e^ε."""
    return Fraction(math.exp(epsilon)) * (1 + Fraction(1, 10**14))


def apart(one: Mapping[object, Fraction], other: Mapping[object, Fraction], factor: Fraction) -> Fraction:
    return sum((max(Fraction(0), chance - factor * other.get(said, 0)) for said, chance in one.items()), Fraction(0))


def worst(
    tables: Sequence[Table2], added: Sequence[Table2], ups: Sequence[object], laws: Sequence[TrimLaw], floor: int = 1
) -> Fraction:
    """The largest δ at the ε of all laws together between a table and one with more rows, both ways."""
    factor = above(sum((law.epsilon for law in laws), Fraction(0)))
    most = Fraction(0)
    for table in tables:
        without = outcomes(table, ups, laws, floor)
        for more in added:
            larger = {key: table.get(key, 0) + more.get(key, 0) for key in {*table, *more}}
            there = outcomes(larger, ups, laws, floor)
            most = max(most, apart(there, without, factor), apart(without, there, factor))
    return most


MERGED = ([np.array([0, 0, 1, 1]), np.array([0, 1])], [2, 2])
"""The first column becomes coarser."""
ALL = ([np.array([0, 0]), np.array([0, 0])], [1, 1])
TWO = [{(0, 0): a, (1, 0): b} for a, b in itertools.product(range(4), repeat=2)]
ONE_MORE = [{(0, 0): 1}, {(1, 0): 1}, {(3, 1): 1}]


@pytest.mark.parametrize("floor", [1, 3])
def test_one_step_keeps_its_epsilon_and_delta_exactly(floor: int) -> None:
    laws = laws_of((HALF, TENTH))
    tables = [{(0, 0): a, (1, 0): b} for a, b in itertools.product(range(7), repeat=2)]
    reached = worst(tables, ONE_MORE, [], laws, floor)
    assert reached <= laws[0].delta
    if floor == 1:
        assert reached > laws[0].delta * (1 - Fraction(1, 10**9))  # and spends all of it


@pytest.mark.parametrize("floor", [1, 2])
def test_two_steps_together_keep_the_sums_of_theirs(floor: int) -> None:
    laws = laws_of((HALF, Fraction(1, 5)), (Fraction(1), Fraction(1, 4)))
    reached = worst(TWO, ONE_MORE, [MERGED], laws, floor)
    bound = 1 - (1 - laws[0].delta) * (1 - laws[1].delta)
    assert laws[0].delta < reached <= bound


def test_three_steps_together_keep_the_sums_of_theirs() -> None:
    laws = laws_of((Fraction(1), Fraction(1, 3)), (Fraction(1), Fraction(1, 3)), (HALF, Fraction(1, 3)))
    tables = [{(0, 0): a, (1, 0): b} for a, b in itertools.product(range(3), repeat=2)]
    reached = worst(tables, ONE_MORE[:2], [MERGED, ALL], laws)
    assert reached <= 1 - Fraction(2, 3) ** 3


def test_a_person_with_two_rows_anywhere_is_covered() -> None:
    laws = laws_of((Fraction(1), Fraction(2, 5)), (Fraction(1), Fraction(2, 5)), rows=2)
    spread = [{(0, 0): 2}, {(0, 0): 1, (1, 0): 1}, {(1, 0): 1, (2, 1): 1}]
    tables = [{(0, 0): a, (1, 0): b} for a, b in itertools.product(range(3), repeat=2)]
    assert worst(tables, spread, [MERGED], laws) <= 1 - Fraction(3, 5) ** 2


def test_what_one_step_gives_up_the_next_takes_in_with_what_the_floor_held_back() -> None:
    first = LabelGroups((np.array([0, 1, 2]), np.array([0, 0, 0])), (4, 2))
    lost = ([1, 3, 0], [1, 0])
    steps, parents = cascade(
        first, np.array([5, 4, 2]), [MERGED], lambda step, _size: np.array(lost[step], dtype=np.int64), 3
    )
    assert steps[0].released.tolist() == [4, 0, 0]  # 1 is below the floor, and so is 2
    assert parents[0].tolist() == [0, 0, 1]
    assert steps[1].counts.tolist() == [5, 2]
    assert steps[1].released.tolist() == [4, 0]
    assert steps[1].rests.tolist() == [1, 2]


def test_trimming_never_adds_a_row() -> None:
    counts, lost = np.arange(50) % 10, np.arange(50) // 10
    for floor in (1, 4):
        left = trimmed(counts, lost, floor)
        assert ((left == 0) | (left == counts - lost)).all()
        assert ((left == 0) | (left >= floor)).all()


# The release


class ScriptedLaw:
    """Takes rows from groups as it is told, in the order of the draws."""

    def __init__(self, lost: Iterator[int]) -> None:
        self._lost = lost

    def draw(self, _source: object, groups: int) -> np.ndarray:
        return np.array([next(self._lost) for _ in range(groups)], dtype=np.int64)


def scripted(monkeypatch: pytest.MonkeyPatch, lost: Sequence[int]) -> None:
    law = ScriptedLaw(itertools.chain(lost, itertools.repeat(0)))
    monkeypatch.setattr(trimming, "trim_law", lambda *_spent: law)


def run(
    table: Table, recipe: TrimRecipe, seed: int = 0, hierarchies: Mapping[str, Hierarchy] | None = None
) -> TrimOutcome:
    return trim(table, recipe, {"age": AGES} if hierarchies is None else hierarchies, SeededSource(seed))


def test_groups_give_up_rows_and_the_coarser_step_releases_what_they_gave_up(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(["21"] * 5 + ["35"] * 3 + ["50"] * 2, ["x"] * 10)
    scripted(monkeypatch, [2, 3, 1, 1, 0])  # 20s, 30s and 50s; then old and young
    made = run(table, recipe_of((1, 0), (2, 1)))
    assert rows_of(made.release) == {("20s", "x"): 3, ("50s", "x"): 1, ("young", ANY): 5}
    assert made.rows_of_steps == (4, 5)
    assert (made.rows_out, made.classes_out, made.rows_in) == (9, 3, 10)
    assert [step.counts.tolist() for step in made.steps] == [[5, 3, 2], [1, 5]]
    assert made.released_sizes.sum() == 9


def test_a_column_may_tell_the_step_and_a_line_may_stand_for_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(["21"] * 5 + ["22"] * 12, ["x"] * 17)
    scripted(monkeypatch, [1, 2, 0])
    told = run(table, recipe_of((0, 0), (1, 0), step_column="step"))
    assert rows_of(told.release) == {("21", "x", "1"): 4, ("22", "x", "1"): 10, ("20s", "x", "2"): 3}
    scripted(monkeypatch, [1, 2, 0])
    counted = run(table, recipe_of((0, 0), (1, 0), count_column="rows"))
    assert rows_of(counted.release) == {("21", "x", "4"): 1, ("22", "x", "10"): 1, ("20s", "x", "3"): 1}
    assert (counted.rows_out, counted.classes_out) == (17, 3)


def test_what_steps_release_with_the_same_labels_is_one_group_unless_the_step_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of(["21"] * 9, ["x"] * 9)
    scripted(monkeypatch, [3, 1])
    merged = run(table, recipe_of((1, 0), (1, 0), count_column="n"))
    assert rows_of(merged.release) == {("20s", "x", "8"): 1}
    scripted(monkeypatch, [3, 1])
    told = run(table, recipe_of((1, 0), (1, 0), count_column="n", step_column="s"))
    assert rows_of(told.release) == {("20s", "x", "1", "6"): 1, ("20s", "x", "2", "2"): 1}


def test_rows_are_written_one_by_one_only_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked with the bytes that they take, and not where one line stands for a group."""
    asked: list[tuple[int, str]] = []
    monkeypatch.setattr(Table, "check_room", lambda _self, size, what: asked.append((size, what)))
    table = table_of(["21"] * 5 + ["22"] * 12, ["x"] * 17)
    told = run(table, recipe_of((0, 0), (1, 0), step_column="step"))
    assert told.written() is told.release and not asked
    assert told.rows_alone.rows == told.rows_out > 0
    assert asked.pop() == (2 * told.rows_out, "the released rows one by one") and not asked
    fewer = told.done_to(AfterDraw(left_out=("city",)))
    assert fewer.written().names == ("age", "step")
    assert asked.pop() == (2 * told.rows_out, "the released rows") and not asked
    counted = run(table, recipe_of((0, 0), (1, 0), count_column="rows"))
    assert counted.done_to(AfterDraw(left_out=("city",))).written().names == ("age", "rows")
    assert not asked
    assert counted.rows_alone.rows == counted.rows_out > 0
    assert asked == [(2 * counted.rows_out, "the released rows one by one")]
    plain = run(table, recipe_of((0, 0), (1, 0)))
    assert plain.rows_alone is plain.release and len(asked) == 1


def test_each_step_draws_from_the_law_of_its_own_share_and_of_the_rows_of_a_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[object, ...]] = []

    class TellingLaw:
        def __init__(self, spent: tuple[object, ...]) -> None:
            self._spent = spent

        def draw(self, _source: object, groups: int) -> np.ndarray:
            asked.append((*self._spent, groups))
            return np.zeros(groups, dtype=np.int64) + 1

    monkeypatch.setattr(trimming, "trim_law", lambda *spent: TellingLaw(spent))
    spent = [(HALF, TENTH), (Fraction(3, 10), Fraction(1, 20)), (Fraction(1, 5), Fraction(1, 99))]
    levels = [{"age": 0, "city": 0}, {"age": 1, "city": 0}, {"age": 3, "city": 1}]
    steps = tuple(TrimStep(one, *each) for one, each in zip(levels, spent, strict=True))
    run(table_of(["21", "22", "31", "31"], ["x"] * 4), replace(recipe_of((0, 0), rows_per_person=3), steps=steps))
    assert asked == [(*spent[0], 3, 3), (*spent[1], 3, 2), (*spent[2], 3, 1)]


def test_a_recipe_that_keeps_a_column_is_refused() -> None:
    recipe = recipe_of((1, 0))
    kept = replace(recipe, columns=(*recipe.columns[:1], ColumnPlan("city", Treatment.KEEP)))
    with pytest.raises(WorkbenchError, match="cannot be kept"):
        run(table_of(["21"], ["x"]), kept)


ROWS = st.lists(st.tuples(st.sampled_from(["21", "22", "35", "50", "?", "*", ""]), st.sampled_from("xyz")), max_size=60)
CHAIN = st.sampled_from(
    [((0, 0),), ((1, 0),), ((2, 1),), ((0, 0), (1, 0)), ((0, 0), (1, 1), (3, 1)), ((1, 0), (1, 0), (2, 0), (3, 1))]
)
TINY = Fraction(99, 100)
"""A δ at which groups give up next to nothing."""


def generalises(original: tuple[str, str], levels: Mapping[str, int]) -> tuple[str, str]:
    age, city = original
    known = {row[0]: row for row in AGES.rows()}
    return (known[age][levels["age"]] if age in known else ANY), (city if not levels["city"] else ANY)


@settings(max_examples=examples(60), deadline=None)
@given(rows=ROWS, chain=CHAIN, floor=st.integers(1, 3), seed=st.integers(0, 99), delta=st.sampled_from([TENTH, TINY]))
def test_nothing_is_invented(
    rows: list[tuple[str, str]], chain: tuple[tuple[int, int], ...], floor: int, seed: int, delta: Fraction
) -> None:
    table = table_of([age for age, _ in rows], [city for _, city in rows])
    recipe = recipe_of(*chain, delta=delta, floor=floor, step_column="step")
    made = run(table, recipe, seed)
    released = rows_of(made.release)
    # Every row that is released at a step is a real one that no step before has released.
    left = Counter(rows)
    for number, step in enumerate(recipe.steps, start=1):
        there: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for row in left.elements():
            there[generalises(row, step.levels)].append(row)
        for (age, city, of_step), count in released.items():
            if of_step == str(number):
                assert floor <= count <= len(there[age, city])
                left -= Counter(there[age, city][:count])
    assert made.rows_out == made.release.rows <= len(rows)
    assert sum(made.rows_of_steps) == made.rows_out
    again = canonical(made.release, first=recipe.grouped)
    assert [(one.values, one.codes.tolist()) for one in made.release.columns] == [
        (one.values, one.codes.tolist()) for one in again.columns
    ]


@settings(max_examples=examples(30), deadline=None)
@given(rows=ROWS, chain=CHAIN, seed=st.integers(0, 99), shuffle=st.randoms(use_true_random=False))
def test_a_release_is_a_function_of_the_counts(
    rows: list[tuple[str, str]], chain: tuple[tuple[int, int], ...], seed: int, shuffle: random.Random
) -> None:
    other = list(rows)
    shuffle.shuffle(other)
    one, two = (
        run(table_of([age for age, _ in each], [city for _, city in each]), recipe_of(*chain), seed).release
        for each in (rows, other)
    )
    assert [(column.name, column.values, column.codes.tolist()) for column in one.columns] == [
        (column.name, column.values, column.codes.tolist()) for column in two.columns
    ]


def test_what_a_hierarchy_misses_becomes_a_star_and_stays_one() -> None:
    found = axis_of(Column.from_texts("age", ["21", "?", "*", "50", "!"]), AGES, [0, 2, 3])
    texts = [found.labels[0][number] for number in found.first.tolist()]
    assert texts == ["21", ANY, ANY, "50", ANY]
    assert len(set(found.first[[1, 2, 4]].tolist())) == 1
    assert [found.labels[1][found.ups[0][number]] for number in found.first.tolist()] == ["young", ANY, ANY, "old", ANY]
    assert len(found.labels[2]) == 1  # at the top it is together with all others


def test_a_star_of_the_hierarchy_that_becomes_something_else_is_another_group() -> None:
    odd = Hierarchy.from_rows([("*", "star", "*"), ("a", "letter", "*")])
    found = axis_of(Column.from_texts("c", ["*", "?", "a"]), odd, [0, 1, 2])
    assert [found.labels[0][number] for number in found.first.tolist()] == ["*", "*", "a"]
    assert len(set(found.first.tolist())) == 3
    assert [found.labels[1][found.ups[0][number]] for number in found.first.tolist()] == ["star", "*", "letter"]
    assert found.labels[2] == ("*",)


def test_a_hierarchy_that_is_not_nested_is_refused_before_anything_is_drawn() -> None:
    maps = (np.arange(3, dtype=np.int32), np.array([0, 0, 1], np.int32), np.array([0, 1, 1], np.int32))
    crossed = Hierarchy(("a", "b", "c"), (("a", "b", "c"), ("p", "q"), ("r", "s")), maps)
    table = Table((Column.from_texts("age", ["a", "b"]), Column.from_texts("city", ["x", "x"])))

    class NoRandomness:
        secure = False

        def words(self, count: int) -> np.ndarray:
            raise AssertionError("drawn")

    with pytest.raises(WorkbenchError, match="not nested"):
        trim(table, recipe_of((1, 0), (2, 0)), {"age": crossed}, NoRandomness())
    with pytest.raises(WorkbenchError, match="no level 4"):
        trim(table, recipe_of((4, 0)), {"age": AGES}, NoRandomness())
    with pytest.raises(WorkbenchError, match="no level 2"):
        trim(table, recipe_of((1, 2)), {"age": AGES}, NoRandomness())


def test_how_often_a_group_survives_and_what_it_gives_up_follow_the_law() -> None:
    groups, rows = 4000, 8
    law = trim_law(HALF, Fraction(1, 100))
    cities = [str(number) for number in range(groups) for _ in range(rows)]
    made = trim(
        table_of(["21"] * len(cities), cities),
        recipe_of((1, 0), delta=Fraction(1, 100)),
        {"age": AGES},
        SeededSource(7),
    )
    left = Counter(made.release["city"].texts())
    seen = Counter(left.values())
    seen[0] = groups - len(left)
    expected = {rows - z: groups * weight / law.total for z, weight in enumerate(law.weights) if z < rows}
    expected[0] = groups - sum(expected.values())
    statistic = sum((seen[size] - mean) ** 2 / mean for size, mean in expected.items())
    # 8 degrees of freedom: beyond 26.1 once in a thousand, but the seed is fixed.
    assert statistic < 26.1
    assert made.secure is False


def test_an_empty_table_and_randomness_of_the_operating_system() -> None:
    empty = trim(table_of([], []), recipe_of((1, 0), (2, 1)), {"age": AGES}, SecureSource())
    assert (empty.rows_out, empty.classes_out, empty.release.names, empty.secure) == (0, 0, ("age", "city"), True)
    assert trim(table_of([], []), recipe_of((1, 0), count_column="n"), {}, SecureSource()).release.names[-1] == "n"


def test_a_run_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        trim(table_of(["21"], ["x"]), recipe_of((1, 0)), {"age": AGES}, SeededSource(0), Progress(token=token))


def test_an_outcome_does_not_show_what_it_holds() -> None:
    made = run(table_of(["21"] * 9, ["secret"] * 9), recipe_of((1, 0)))
    assert "secret" not in repr(made) + repr(made.steps) + repr(made.lines) + repr(made.axes)
