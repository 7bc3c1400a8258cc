"""When labels give away that they were made from the data: the last that do, and the first that do not."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from workbench.anonymise import origins
from workbench.anonymise.origins import made_from_data
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec, Format, Kind

PAY = ColumnSpec("pay", Kind.DECIMAL)
UNEVEN = (3.0, 7.0, 8.0, 20.0, 21.0, 29.0, 50.0, 53.0, 64.0, 90.0, 92.0, 99.0)
"""Twelve numbers that nobody would list."""

Numbers = Sequence[float]
Label = Callable[[Numbers], str]


def mean(group: Numbers) -> str:
    return repr(sum(group) / len(group))


def ends(group: Numbers) -> str:
    return f"{group[0]:g} to {group[-1]:g}"


def hierarchy(groups: Sequence[Numbers], label: Label = mean, others: Sequence[str] = ()) -> Hierarchy:
    rows = [(f"{value:g}", label(group), "*") for group in groups for value in group]
    return Hierarchy.from_rows(rows + [(text, text, "*") for text in others])


def cut(numbers: Numbers, *sizes: int) -> list[Numbers]:
    """Groups of these sizes, one after the other."""
    found, start = [], 0
    for size in sizes:
        found.append(numbers[start : start + size])
        start += size
    return found


def test_fewer_than_twelve_numbers_may_be_a_public_list() -> None:
    assert made_from_data(hierarchy(cut(UNEVEN, 4, 4, 4)), PAY)
    assert not made_from_data(hierarchy(cut(UNEVEN[:11], 4, 4, 3)), PAY)


def test_a_missing_value_is_none_of_the_twelve() -> None:
    eleven = cut(UNEVEN[:11], 4, 4, 3)
    assert not made_from_data(hierarchy(eleven, others=[""]), PAY)
    with_mark = hierarchy(cut(UNEVEN, 4, 4, 4), others=["777"])
    assert made_from_data(with_mark, replace(PAY, missing=("777",)))
    assert not made_from_data(hierarchy(cut((*UNEVEN[:11], 777.0), 4, 4, 4)), replace(PAY, missing=("777",)))


@pytest.mark.parametrize(("sizes", "given_away"), [((4, 4, 4), True), ((2, 2, 2, *[1] * 6), True), ((6, 6), False)])
def test_three_groups_of_several_values_are_needed(sizes: tuple[int, ...], given_away: bool) -> None:
    assert made_from_data(hierarchy(cut(UNEVEN, *sizes)), PAY) is given_away
    assert not made_from_data(hierarchy(cut(UNEVEN, 2, 2, *[1] * 8)), PAY)


@pytest.mark.parametrize(("wrong", "given_away"), [(0, True), (1, True), (2, False)])
@pytest.mark.parametrize("figure", [mean, ends])
def test_nine_labels_in_ten_suffice(figure: Label, wrong: int, given_away: bool) -> None:
    numbers = [float(round(1.7**power)) for power in range(6, 26)]
    groups = cut(numbers, *[2] * 10)
    spoilt = {tuple(group) for group in groups[:wrong]}

    def label(group: Numbers) -> str:
        return f"about {figure([number + 1 for number in group])}" if tuple(group) in spoilt else figure(group)

    assert made_from_data(hierarchy(groups, label), PAY) is given_away


@pytest.mark.parametrize(("texts", "given_away"), [(2, True), (3, False)])
def test_nine_values_in_ten_are_numbers(texts: int, given_away: bool) -> None:
    numbers = [float(round(1.7**power)) for power in range(6, 24)]
    others = [f"text {letter}" for letter in "abc"[:texts]]
    assert made_from_data(hierarchy(cut(numbers, *[3] * 6), others=others), PAY) is given_away


@pytest.mark.parametrize(
    "figure",
    [
        statistics.median,
        statistics.fmean,
        statistics.geometric_mean,
        lambda group: math.exp(statistics.fmean(map(math.log, group))),
    ],
)
@pytest.mark.parametrize("sizes", [(4, 4, 4), (3, 3, 3, 3), (5, 4, 3)])
def test_each_figure_is_enough_by_itself(figure: Callable[[Numbers], float], sizes: tuple[int, ...]) -> None:
    assert made_from_data(hierarchy(cut(UNEVEN, *sizes), lambda group: repr(figure(group))), PAY)


@pytest.mark.parametrize("figure", [min, max, sum, lambda group: group[1], statistics.harmonic_mean])
def test_other_numbers_say_nothing(figure: Callable[[Numbers], float]) -> None:
    assert not made_from_data(hierarchy(cut(UNEVEN, 4, 4, 4), lambda group: repr(figure(group))), PAY)


def test_a_mean_among_other_numbers_is_not_taken_for_one() -> None:
    assert not made_from_data(hierarchy(cut(UNEVEN, 4, 4, 4), lambda group: f"{mean(group)} of {sum(group)}"), PAY)


def test_numbers_below_zero_have_a_mean_and_no_geometric_one() -> None:
    below = [number - 60 for number in UNEVEN]
    written = hierarchy(cut(below, 4, 4, 4), lambda group: repr(sum(map(abs, group)) / 4))
    assert not made_from_data(written, PAY), "signs before numbers are not read, so no label is the mean"
    above = cut([number + 1 for number in UNEVEN], 4, 4, 4)
    assert made_from_data(hierarchy([[-2.0, *above[0]], *above[1:]], mean), PAY)
    assert not made_from_data(hierarchy(cut(below, 4, 4, 4), lambda group: repr(abs(sum(group)) + 1)), PAY)


def test_a_group_with_a_zero_has_no_geometric_mean() -> None:
    numbers = [float(round(1.7**power)) for power in range(6, 26)]
    groups = cut(numbers, *[2] * 10)
    for number, given_away in ((numbers[0], True), (0.0, False)):
        changed = [(number, numbers[1]), *map(tuple, groups[1:])]
        wrong = changed[5]

        def label(group: Numbers, wrong: Numbers = wrong) -> str:
            return "1" if group == wrong else repr(math.sqrt(group[0] * group[1]))

        assert made_from_data(hierarchy(changed, label), PAY) is given_away


@pytest.mark.parametrize(("low", "high"), [(5, 8), (50, 58), (1_000, 1_100), (1_000, 1_101)])
def test_a_label_may_be_rounded_as_far_as_its_values_lie_apart(low: int, high: int) -> None:
    """By one in five hundred of how far they lie apart, and by a half besides where that is more than a hundred."""
    groups = [[low + step * 7_919.0, high + step * 7_919.0] for step in (0, 1, 3, 7, 8, 12)]
    apart = high - low
    slack = 0.002 * apart + (0.5 if apart > 100 else 0.0)
    tiny = 1e-6 * max(sum(map(sum, groups)) / 12, 1)
    for off, given_away in ((0.0, True), (0.99 * slack, True), (-0.99 * slack, True), (1.2 * slack + tiny, False)):
        shifted = hierarchy(groups, lambda group, off=off: repr(sum(group) / 2 + off))
        assert made_from_data(shifted, PAY) is given_away, off
    assert not made_from_data(hierarchy(groups, lambda group: repr(sum(group) / 2 - 1.2 * slack - tiny)), PAY)


def test_large_numbers_may_be_rounded_to_a_millionth() -> None:
    groups = [[base * 1e6, base * 1e6 + 1] for base in (10.0, 11.0, 13.0, 17.0, 23.0, 31.0)]
    for off, given_away in ((5.0, True), (60.0, False), (-60.0, False)):
        shifted = [(f"{value:.0f}", repr(sum(group) / 2 + off), "*") for group in groups for value in group]
        assert made_from_data(Hierarchy.from_rows(shifted), PAY) is given_away


def test_an_unbroken_range_is_public_whatever_its_labels() -> None:
    for step in (1, 5):
        even = [float(20 + step * place) for place in range(12)]
        assert not made_from_data(hierarchy(cut(even, 4, 4, 4)), PAY)
        assert made_from_data(hierarchy(cut([*even[:-1], even[-1] + 1], 4, 4, 4)), PAY)


def test_bands_of_one_width_are_declared_though_their_ends_occur() -> None:
    bands = [[10.0, 13.0, 19.0], [20.0, 22.0, 29.0], [40.0, 44.0, 49.0], [60.0, 61.0, 69.0]]
    assert not made_from_data(hierarchy(bands, ends), PAY)
    bands[3][2] = 68.0
    assert made_from_data(hierarchy(bands, ends), PAY)


@pytest.mark.parametrize("label", [lambda g: f"{g[0]:g} to {g[-1] + 1:g}", lambda g: f"{g[0] - 1:g} to {g[-1]:g}"])
def test_both_ends_must_be_those_of_the_data(label: Label) -> None:
    uneven = cut(UNEVEN, 5, 4, 3)
    assert made_from_data(hierarchy(uneven, ends), PAY)
    assert not made_from_data(hierarchy(uneven, label), PAY)


def test_every_level_is_looked_at() -> None:
    four = cut(UNEVEN, 4, 4, 4)
    rows = [
        (f"{value:g}", f"letter {place // 2} of {'abc'[number]}", mean(group), "*")
        for number, group in enumerate(four)
        for place, value in enumerate(group)
    ]
    assert made_from_data(Hierarchy.from_rows(rows), PAY)
    assert not made_from_data(Hierarchy.from_rows([(value, fine, "*") for value, fine, _, _ in rows]), PAY)
    top = [(value, fine, mean(four["abc".index(fine[-1])])) for value, fine, _, _ in rows]
    assert made_from_data(Hierarchy.from_rows(top), PAY), "the highest level too"


@pytest.mark.parametrize("builder", sorted(origins._RULES))
def test_builders_by_rule_are_known_by_their_rule(builder: str) -> None:
    averages = hierarchy(cut(UNEVEN, 4, 4, 4))
    assert not made_from_data(replace(averages, specification={"builder": builder}), PAY)
    assert made_from_data(replace(averages, specification={"builder": "order"}), PAY)


def test_only_the_largest_hierarchies_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origins, "_LARGEST", 12)
    assert made_from_data(hierarchy(cut(UNEVEN, 4, 4, 4)), PAY)
    assert not made_from_data(hierarchy(cut((*UNEVEN, 140.0), 4, 4, 5)), PAY)


@pytest.mark.parametrize(
    ("mark", "written"),
    [
        (".", lambda number: f"{number:,.2f}"),
        (".", lambda number: f"{number:,.2f}".replace(",", "'")),
        (".", lambda number: f"{number:.2f}"),
        (",", lambda number: f"{number:,.2f}".translate(str.maketrans(",.", ".,"))),
        (",", lambda number: f"{number:.2f}".replace(".", ",")),
    ],
)
@pytest.mark.parametrize("around", ["{}", "about {} €", "(~{})"])
def test_numbers_are_found_in_labels_as_the_column_writes_them(
    mark: str, written: Callable[[float], str], around: str
) -> None:
    thousands = [1_000 * number for number in UNEVEN]
    described = replace(PAY, format=Format(decimal_mark=mark))
    said = hierarchy(cut(thousands, 4, 4, 4), lambda group: around.format(written(sum(group) / 4)))
    assert made_from_data(said, described)
    wrong = hierarchy(cut(thousands, 4, 4, 4), lambda group: around.format(written(sum(group) / 4 + 5_000)))
    assert not made_from_data(wrong, described)


def test_a_column_of_texts_may_hold_numbers_too() -> None:
    averages = hierarchy(cut(UNEVEN, 4, 4, 4))
    assert made_from_data(averages, ColumnSpec("pay", Kind.CATEGORY))
    with_comma = Hierarchy.from_rows([(f"{v},0", label.replace(".", ","), top) for v, label, top in averages.rows()])
    assert made_from_data(with_comma, replace(PAY, format=Format(decimal_mark=",")))
    assert not made_from_data(with_comma, ColumnSpec("pay", Kind.CATEGORY))


AGES = [
    (str(age), "0-4" if age < 5 else "5-17" if age < 18 else "18-64" if age < 65 else "65-100") for age in range(101)
]


@pytest.mark.parametrize("found", [["105"], ["105", "lost"], [str(1000 + 7 * one) for one in range(500)]])
def test_values_that_were_added_because_the_data_has_them_decide_about_no_list(found: list[str]) -> None:
    """Whether a list is refused would tell otherwise that somebody is 105."""
    public = Hierarchy.from_rows([(*row, "*") for row in AGES])
    assert not made_from_data(public, PAY) and not made_from_data(public.covering(found), PAY)
    few = hierarchy(cut(UNEVEN[:11], 4, 4, 3))
    assert not made_from_data(few.covering(found), PAY)
    derived = hierarchy(cut(UNEVEN, 4, 4, 4))
    assert made_from_data(derived, PAY) and made_from_data(derived.covering([*found, "a", "b", "c", "d"]), PAY)


@pytest.mark.parametrize("occurring", [[], ["105"], ["105", "lost"]])
def test_of_groups_that_were_typed_only_what_was_typed_decides(occurring: list[str]) -> None:
    groups: dict[str, list[str]] = {}
    for value, label in AGES:
        groups.setdefault(label, []).append(value)
    tree = [{"label": name, "children": some} for name, some in groups.items()]
    rule = specification("categories", {"unlisted": "any", "declared": True}, {"tree": tree})
    made = build_hierarchy(rule, [value for value, _ in AGES] + occurring, column=PAY)
    assert len(made.values) == 101 + len(occurring) and not made_from_data(made, PAY)
