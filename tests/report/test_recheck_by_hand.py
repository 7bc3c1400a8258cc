"""Models counted by hand, orders that say something and orders that do not, and rows of nothing but `*`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from workbench.anonymise.privacy import ModelChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table
from workbench.report.recheck import Stated, recheck, shown_value
from workbench.report.recheck_models import Evidence, ModelRecount, SensitiveReference, recompute
from workbench.report.recheck_original import as_compared, as_read_back, counted_labels, level_of, order_fault
from workbench.report.recheck_trim_law import near

ILLNESSES = Hierarchy.from_rows([("flu", "lung", "*"), ("cough", "lung", "*"), ("gout", "joint", "*")])
FOREST = Hierarchy.from_rows([("flu", "lung"), ("cough", "lung"), ("gout", "joint")])
AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])


def found(text: str, *classes: Mapping[str, int], whole: Mapping[str, int] | None = None, **more: Any) -> ModelRecount:
    """A model for classes with these sensitive values, compared with `whole` or with all of them together."""
    values = {(str(number),): Counter(one) for number, one in enumerate(classes)}
    together = sum(values.values(), Counter())
    reference = SensitiveReference(together if whole is None else whole, "here", public=whole is None)
    sizes = {labels: one.total() for labels, one in values.items()}
    return recompute(ModelChoice.parse(text), Evidence(sizes, {"ill": values}, {"ill": reference}, **more))


A, B = {"flu": 3, "gout": 1}, {"flu": 1, "cough": 1, "gout": 2}


def test_no_rows_satisfy_everything_and_have_no_value() -> None:
    for text in ("k=5", "l=2:ill", "t=0.1:ill", "average-risk=0.1"):
        empty = found(text)
        assert (empty.value, empty.holds, empty.note) == (None, True, "The file has no rows.")


def test_counts_of_values() -> None:
    assert [found(f"l={least}:ill", A, B).holds for least in (2, 3)] == [True, False]
    assert found("l=2:ill", A, B).value == 2
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    assert found("entropy-l-diversity=1.5:ill", A, B).value == pytest.approx(math.exp(entropy))
    assert found(f"entropy-l-diversity={math.exp(entropy) * (1 + 1e-6)}:ill", A, B).holds is False


def test_a_value_that_the_whole_does_not_have_is_as_far_as_it_is() -> None:
    """All of a class is moved from one end of two values to the other, over one step of one."""
    assert found("ordered-t-closeness=1:ill", {"1": 4}, whole={"2": 7}).value == pytest.approx(1)
    assert found("t=1:ill", {"1": 4}, whole={"2": 7}).value == pytest.approx(1)


@pytest.mark.parametrize(
    ("classes", "least", "worst"),
    [((A,), 2, 3.0), ((B,), 2, 1.0), ((B,), 3, 2.0), ((A, B), 2, 3.0), ((B, A), 3, None), ((A,), 3, None)],
)
def test_the_most_frequent_value_beside_the_tail(
    classes: tuple[dict[str, int], ...], least: int, worst: float | None
) -> None:
    """r₁ < c·(r_l + … ): strictly, and never where there is no tail."""
    for c in (1000.0, *(() if worst is None else (worst * 1.001, worst))):
        one = found(f"recursive-l-diversity={c},{least}:ill", *classes)
        assert one.value == worst
        assert one.holds == (worst is not None and c > worst)


def test_distances_of_a_class() -> None:
    """The class B at (¼, ¼, ½) beside a table of flu, cough, gout at (½, ¼, ¼)."""
    whole = {"flu": 4, "cough": 2, "gout": 2}
    assert found("t=0.25:ill", B, whole=whole).value == pytest.approx(0.25)
    assert not found("t=0.25:ill", B, whole=whole).public and found("t=0.5:ill", B).public
    assert found("t=0.25:ill", B, whole=whole).note == "Compared with here."
    kinds = {"hierarchies": {"ill": ILLNESSES}}
    # In the order of the hierarchy a quarter goes from the first to the last of three.
    assert found("ordered-t-closeness=0.5:ill", B, whole=whole, **kinds).value == pytest.approx(0.25)
    # A quarter between single values, and a quarter between lung and joint.
    assert found("hierarchical-t-closeness=0.5:ill", B, whole=whole, **kinds).value == pytest.approx(0.25)
    # Without a single top there is one above it.
    assert found(
        "hierarchical-t-closeness=0.5:ill", {"cough": 1}, whole={"flu": 1, "cough": 1}, hierarchies={"ill": FOREST}
    ).value == pytest.approx(0.25)
    assert found(
        "hierarchical-t-closeness=0.5:ill", {"cough": 1}, whole={"flu": 1, "cough": 1}, **kinds
    ).value == pytest.approx(0.25)
    numbers = found("ordered-t-closeness=0.5:ill", {"9": 1}, whole={"9": 1, "10": 1, "100": 1})
    assert numbers.value == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert found("ordered-t-closeness=0.5:ill", {"9": 2}).value == 0.0
    with pytest.raises(WorkbenchError, match="no numbers") as caught:
        found("ordered-t-closeness=0.5:ill", B)
    assert caught.value.field == "ill"


def test_gains_of_a_value() -> None:
    whole = {"flu": 4, "cough": 2, "gout": 2}
    assert found("b-likeness=1,basic:ill", B, whole=whole).value == pytest.approx(1.0)
    assert found("b-likeness=1,basic:ill", B, whole=whole).holds
    assert not found("b-likeness=0.99,basic:ill", B, whole=whole).holds
    # A value that the table does not have gains without an end.
    unknown = found("b-likeness=9,basic:ill", {"new": 1, "flu": 1}, whole=whole)
    assert unknown.value is None and not unknown.holds
    # A share of one is the most there can be, whatever is allowed.
    assert found("b-likeness=9,basic:ill", {"flu": 1}, whole=whole).holds
    # Enhanced: of a value with half of the rows, −ln ½ is allowed and not 9.
    assert found("b-likeness=9:ill", {"flu": 84, "gout": 16}, whole={"flu": 1, "gout": 1}).holds
    assert not found("b-likeness=9:ill", {"flu": 85, "gout": 15}, whole={"flu": 1, "gout": 1}).holds


def test_people_of_a_class() -> None:
    people = {("0",): 10, ("1",): 8}
    k_map = found("k-map=8:in=y", A, B, population=people)
    assert (k_map.value, k_map.holds, k_map.public) == (8, True, False)
    assert not found("k-map=9:in=y", A, B, population=people).holds
    present = found("d-presence=0.4,0.5:in=y", A, B, population=people)
    assert (present.value, present.holds, present.public) == (0.5, True, False)
    assert present.note == "Presence from 0.4 to 0.5."
    for limits in ("0.41,0.5", "0.4,0.49"):
        assert not found(f"d-presence={limits}:in=y", A, B, population=people).holds
    with pytest.raises(WorkbenchError, match="counts people"):
        found("k-map=8:in=y", A, B)


@pytest.mark.parametrize(("truncated", "wanted"), [(False, 3), (True, 4)])
def test_sizes_by_estimate(truncated: bool, wanted: int) -> None:
    """With mean ½, of 3 or more 0.0144, of 2 or more 0.0902; of those that are not 0, of 3 or more 0.0366."""
    values = {"k": 5, "people": 80, "significance": 0.03, "estimator": "truncated" if truncated else "poisson"}
    for size in (wanted - 1, wanted):
        evidence = Evidence({("a",): size}, table_rows=8)
        one = recompute(ModelChoice("k-map", values), evidence)
        assert one.holds == (size == wanted) and one.value == size
        assert one.note == f"Classes of {wanted} rows convince of 5 people."
    never = recompute(ModelChoice("k-map", {**values, "significance": 1e-9}), Evidence({("a",): 5}, table_rows=8))
    assert never.holds and "Classes of 5 rows" in never.note


# Orders


def test_an_order_is_told_from_one_in_a_billion_on() -> None:
    """Twelve rows that all differ have 479 million orders, thirteen 6 billion."""
    for rows, told in ((12, False), (13, True)):
        labels = [(letter,) for letter in "nmlkjihgfedcb"[:rows]]
        sizes = dict.fromkeys(labels, 1)
        assert bool(order_fault(labels, sizes, labels, sizes)) == told
        assert (order_fault(labels, sizes, labels, sizes) is None) == (not told)
        changed = [*labels[:-2], labels[-1], labels[-2]]
        assert order_fault(labels, sizes, changed, sizes) == ("" if told else None)


@pytest.mark.parametrize(("rows", "told"), [(16, False), (17, True)])
def test_rows_that_are_alike_have_fewer_orders(rows: int, told: bool) -> None:
    """Twice sixteen rows have 32!/(16!·16!) = 601 million orders, twice seventeen 2.3 billion."""
    labels = [("b",), ("a",)] * rows
    sizes = {("a",): rows, ("b",): rows}
    assert (order_fault(labels, sizes, labels, sizes) is not None) == told
    assert order_fault(labels, {**sizes, ("a",): rows + 1}, labels, sizes) is None


@pytest.mark.parametrize("numbers", [sorted(range(1, 21)), sorted(range(1, 21), key=str)])
def test_sorted_rows_say_nothing_however_they_are_sorted(numbers: list[int]) -> None:
    labels = [(str(number), "x") for number in numbers]
    sizes = dict.fromkeys(labels, 1)
    assert order_fault(labels, sizes, labels, sizes) == ""
    other = [*labels[1:], labels[0]]
    assert "sort or shuffle" in (order_fault(other, sizes, other, sizes) or "")


@pytest.mark.parametrize("key", [int, str])
def test_sorted_rows_that_are_alike_say_nothing_either(key: Callable[[int], object]) -> None:
    labels = [("x", str(number)) for number in sorted([*range(1, 21)] * 3, key=key)]
    sizes = dict.fromkeys(labels, 3)
    assert order_fault(labels, sizes, labels, sizes) == ""
    falling = labels[::-1]
    assert "sort or shuffle" in (order_fault(falling, sizes, falling, sizes) or "")


def test_rows_of_other_classes_are_passed_over() -> None:
    labels = [(letter,) for letter in "nmlkjihgfedcb"]
    among = [pair for label in labels for pair in (label, ("gone",))]
    sizes = dict.fromkeys(labels, 1)
    assert order_fault(among, {**sizes, ("gone",): 13}, labels, sizes)


# Labels


def test_labels_are_those_of_the_lowest_level_that_has_them_all() -> None:
    alike = Hierarchy.from_rows([("a", "a", "*"), ("b", "*", "*")])
    assert level_of(alike, ["a"]) == 0 and level_of(alike, ["a", "*"]) == 1 and level_of(alike, ["*"]) == 1
    assert level_of(alike, ["a"], 1) == 1 and level_of(alike, ["b"], 1) is None
    for beyond in (-1, 3):
        assert level_of(alike, ["a"], beyond) is None
    assert level_of(alike, []) == 0


def test_what_a_file_may_have_changed_is_compared_as_it_was() -> None:
    assert as_compared("1,5") == as_compared("1.5") == "1.5" and as_compared("a,b") == "a,b"
    assert {"1.5", "x"} <= as_read_back(["1.5", "x"])


def test_rows_of_the_original_are_counted_by_their_labels() -> None:
    original = Table((Column.from_texts("age", ["21", "25", "31", "99"]), Column.from_texts("town", list("AABB"))))
    assert counted_labels(original, ["age", "town"], {"age": AGES}, {"age": 1}) == {
        ("20s", "A"): 2,
        ("30s", "B"): 1,
        ("*", "B"): 1,
    }
    assert counted_labels(original, ["age"], {"age": AGES}, {"age": 0}) == dict.fromkeys(
        [("21",), ("25",), ("31",), ("99",)], 1
    )
    assert counted_labels(original, [], {}, {}) == {(): 4}


def test_stars_among_other_rows_tell_of_suppression() -> None:
    stated = Stated(grouped=("age",), hierarchies={"age": AGES})
    lines = [("age",), ("20s",), ("20s",), ("*",)]
    (fault,) = recheck(lines, replace(stated, mixed_levels=False)).faults[-1:]
    assert "1 rows are nothing but *" in fault
    for harmless in (
        (lines, replace(stated, mixed_levels=True)),
        ([("age",), ("*",), ("*",)], stated),
        (lines[:3], stated),
    ):
        assert not any("nothing but" in one for one in recheck(*harmless).faults)


def test_labels_that_are_none_are_told_by_the_level_that_explains_most() -> None:
    stated = Stated(grouped=("age",), hierarchies={"age": AGES})
    lines = [("age",), ("20s",), ("30s",), ("41",)]
    assert recheck(lines, stated).faults == (
        "“age” has values that are no labels of any one level of its hierarchy: “41”.",
    )
    assert recheck(lines, replace(stated, levels={"age": 0})).faults == (
        "“age” has values that are no labels of level 0 of its hierarchy: “20s”, “30s”.",
    )
    assert recheck(lines, replace(stated, levels={"age": 9})).faults == (
        "“age” has values that are no labels of level 9 of its hierarchy: “20s”, “30s”, “41”.",
    )
    # The highest level is a level too: its only label is not among what is wrong.
    assert recheck([("age",), ("*",), ("41",)], replace(stated, levels={"age": 2})).faults[0] == (
        "“age” has values that are no labels of level 2 of its hierarchy: “41”."
    )
    assert recheck([*lines, ("90s",)], replace(stated, mixed_levels=True)).faults == (
        "“age” has values that are no labels of any one level of its hierarchy: “90s”.",
    )


def test_values_are_shown_or_are_none() -> None:
    assert shown_value(None) == "–" and shown_value(2.0) == "2" and shown_value(0.25) == "0.25"


@pytest.mark.parametrize(
    ("stated", "given", "is_it"),
    [(1.0, 1.0, True), (1, 1.0, True), (True, 1.0, False), ("1", 1.0, False), (None, 0.0, False),
     (math.inf, math.inf, False), (math.nan, 1.0, False), (1.01, 1.0, False), (0.0, 0.0, True)],
)  # fmt: skip
def test_a_stated_number_is_the_one_that_was_computed_but_for_rounding(
    stated: object, given: float, is_it: bool
) -> None:
    assert near(stated, given) is is_it


def test_stars_among_other_rows_are_harmless_only_if_every_hierarchy_makes_them() -> None:
    """One that lists every value and has no such label would never write *: the row was suppressed."""
    towns = Hierarchy.from_rows([("Rom", "Italy", "*"), ("Ulm", "Germany", "*")])
    lines = [("age", "town"), ("20s", "Italy"), ("20s", "Italy"), ("*", "*")]
    for ages, told in ((AGES, True), (replace(AGES, covers_all=True), True)):
        stated = Stated(grouped=("age", "town"), hierarchies={"age": ages, "town": towns}, mixed_levels=False)
        assert any("nothing but" in one for one in recheck(lines, stated).faults) == told
    both = {"age": replace(AGES, covers_all=True), "town": replace(towns, covers_all=True)}
    stated = Stated(grouped=("age", "town"), hierarchies=both, mixed_levels=False)
    assert not any("nothing but" in one for one in recheck(lines, stated).faults)


def test_a_label_that_is_a_star_among_others_tells_of_nothing() -> None:
    grown = Hierarchy.from_rows([("a", "a", "*"), ("b", "*", "*")])
    lines = [("age",), ("a",), ("a",), ("*",), ("*",)]
    stated = Stated(grouped=("age",), hierarchies={"age": grown}, mixed_levels=False)
    assert not any("nothing but" in one for one in recheck(lines, stated).faults)
