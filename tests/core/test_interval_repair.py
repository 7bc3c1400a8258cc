"""Lists whose intervals do not hold their numbers, corrected from the list alone."""

from __future__ import annotations

from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.interval_labels import misplaced
from workbench.core.interval_repair import corrected_intervals


def _list(*rows: tuple[str, ...]) -> Hierarchy:
    return Hierarchy.from_rows(rows, provenance=Provenance.DERIVED, origin="imported from ages.csv, by nobody")


def _slipped(first: int, last: int) -> Hierarchy:
    rows = ((n, (n - 1) // 5 * 5, (n - 1) // 10 * 10) for n in range(first, last + 1))
    return _list(*((str(n), f"{five}-{five + 4}", f"{ten}–{ten + 9} years", "*") for n, five, ten in rows))


def test_labels_off_by_one_become_what_their_groups_hold_at_every_level() -> None:
    wrong = _slipped(1, 20)
    made = corrected_intervals(wrong)
    assert made is not None and misplaced(made.hierarchy) == ()
    assert (made.before, made.after) == ("0-4", "1-5")
    assert made.hierarchy.labels[1] == ("1-5", "6-10", "11-15", "16-20")
    assert made.hierarchy.labels[2] == ("1–10 years", "11–20 years")
    assert made.hierarchy.labels[3] == ("*",) and made.hierarchy.values == wrong.values
    assert made.hierarchy.maps is not wrong.maps, "it is another hierarchy"
    assert all((a == b).all() for a, b in zip(made.hierarchy.maps, wrong.maps, strict=True)), "of the same groups"


def test_narrow_intervals_that_are_off_by_one_are_corrected_with_the_wider_ones_above() -> None:
    """Of intervals of two numbers a slip puts as many outside as inside, which alone might be a code."""
    rows = [(n, (n - 1) // 2 * 2, (n - 1) // 10 * 10) for n in range(1, 21)]
    wrong = _list(*((str(n), f"{two}-{two + 1}", f"{ten}-{ten + 9}", "*") for n, two, ten in rows))
    assert {one.level for one in misplaced(wrong)} == {1, 2}
    made = corrected_intervals(wrong)
    assert made is not None and misplaced(made.hierarchy) == ()
    assert made.hierarchy.labels[1][:3] == ("1-2", "3-4", "5-6") and made.hierarchy.labels[2] == ("1-10", "11-20")
    alone = _list(*((str(n), f"{two}-{two + 1}", "*") for n, two, _ in rows))
    assert misplaced(alone) == (), "nothing says that these are meant as intervals"
    codes = _list(*((str(n), f"{100 * two}-{100 * two + 99}", f"{ten}-{ten + 9}", "*") for n, two, ten in rows))
    assert {one.level for one in misplaced(codes)} == {2}, "hardly a number is within its own: they are of another unit"


def test_it_is_as_public_as_the_list_was_and_says_what_was_done() -> None:
    made = corrected_intervals(_slipped(1, 20))
    assert made is not None and made.hierarchy.provenance is Provenance.DERIVED
    assert made.hierarchy.origin == "intervals corrected, imported from ages.csv, by nobody"


def test_what_was_added_from_the_data_is_no_end_of_an_interval() -> None:
    wrong = _slipped(1, 20)
    one, other = corrected_intervals(wrong), corrected_intervals(wrong.covering(["0", "77", "x"]))
    assert one is not None and other is not None and other.hierarchy.labels[1][:4] == one.hierarchy.labels[1]


def test_sound_labels_stay_and_give_way_only_where_they_would_overlap() -> None:
    wrong = _list(*((str(n), "0-4" if n < 6 else "5-9" if n < 10 else "10-19", "*") for n in (*range(10), 12, 18)))
    made = corrected_intervals(wrong)
    assert made is not None and made.hierarchy.labels[1] == ("0-5", "6-9", "10-19")


def test_a_group_of_one_number_is_that_number() -> None:
    wrong = _list(("1", "1-2"), ("2", "1-2"), ("3", "4-5"), ("7", "6-9"), ("8", "6-9"))
    made = corrected_intervals(wrong)
    assert made is not None and made.hierarchy.labels[1] == ("1-2", "3", "6-9")


def test_an_open_end_gives_way_too_and_begins_where_its_group_does() -> None:
    rows = ((n, (n - 1) // 5 * 5) for n in range(1, 31))
    wrong = _list(*((str(n), f"{low}-{low + 4}" if low < 20 else "20+ years", "*") for n, low in rows))
    made = corrected_intervals(wrong)
    assert made is not None and made.hierarchy.labels[1] == ("1-5", "6-10", "11-15", "16-20", "21+ years")
    late = _list(*((str(n), "0-9" if n < 9 else "10 and over") for n in range(20)))
    assert misplaced(late)
    corrected = corrected_intervals(late)
    assert corrected is not None and corrected.hierarchy.labels[1] == ("0-8", "9 and over")


def test_no_label_is_offered_that_holds_numbers_of_another_group() -> None:
    among = _list(*((str(n), "40-49" if n < 50 or n in {51, 59} else "50+") for n in range(40, 60)))
    assert misplaced(among) and corrected_intervals(among) is None, "“40-59” would hold those of “50+”"
    signs = _list(*((str(n), "0-4" if n < 6 else "[5, 9]" if n < 10 else "10-19") for n in range(20)))
    assert misplaced(signs) and corrected_intervals(signs) is None, "5 would be in “0-5” and in “[5, 9]”"
    below = _list(*((str(n), "<5" if n < 5 else "5-9" if n < 11 else "10-19") for n in range(20)))
    made = corrected_intervals(below)
    assert made is not None and made.hierarchy.labels[1] == ("<5", "5-10", "11-19")


def test_nothing_is_offered_where_labels_alone_do_not_mend_it() -> None:
    assert corrected_intervals(_list(("1", "1-2"), ("3", "3-4"))) is None, "nothing is wrong"
    within = _list(("20", "30-39"), ("25", "20-29"), ("31", "30-39"), ("32", "30-39"))
    assert misplaced(within) and corrected_intervals(within) is None, "20 is on the wrong side of another group"
    halves = _list(("1", "0-2"), ("2", "0-2"), ("2.5", "0-2"), ("3", "0-2"), ("4", "3-5"))
    assert corrected_intervals(halves) is None
    signs = _list(("1", "[0, 5)"), ("2", "[0, 5)"), ("5", "[0, 5)"))
    assert misplaced(signs) and corrected_intervals(signs) is None
