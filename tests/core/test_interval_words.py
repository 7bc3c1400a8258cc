"""What a rule for intervals does is said in its own widths."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from workbench.core.building import build_hierarchy, specification
from workbench.core.level_words import first_groups, interval_words
from workbench.core.schema import ColumnSpec, Kind


def rule(low: float, high: float, *groups: Any, **parameters: Any) -> dict[str, Any]:
    details = {"intervals": [{"from": low, "to": high}], "levels": [{"group": group} for group in groups]}
    return {"builder": "intervals", "parameters": parameters, "details": details}


def test_the_sentence_follows_the_widths() -> None:
    assert interval_words(rule(0, 5, 1, 2, 2)) == "Numbers become groups of 5, then of 10, then of 20, then *."
    assert interval_words(rule(0, 10_000, 1, top=False)) == "Numbers become groups of 10,000."


@pytest.mark.parametrize(
    "plain",
    [
        rule(0, 5, 1, [2, 3]),
        rule(0, 5, 1, "two"),
        rule(0, 5),
        rule(0, 5, 1, source="observed"),
        specification("spelling", {}),
    ],
)
def test_nothing_is_said_where_groups_have_no_one_width(plain: dict[str, Any]) -> None:
    assert interval_words(plain) == ""


def test_first_groups_are_those_of_the_rule() -> None:
    assert first_groups(rule(0, 5, 1, 2, whole=True)) == (("0-4", "[0, 5["), ("0-9", "[0, 10["))
    assert first_groups(rule(0, 5, 1, whole=True, closed="high")) == (("1-5", "]0, 5]"),)
    assert first_groups(rule(0.5, 1, 1)) == (("0.5-1", "[0.5, 1["),)
    assert first_groups(rule(0, 1, 1, whole=True)) == (("0-0", "[0, 1["),)
    assert first_groups(specification("spelling", {})) == ()


@pytest.mark.parametrize(("whole", "closed", "ends"), list(product((False, True), ("low", "high"), (False, True))))
def test_a_label_in_words_holds_every_number_that_has_it(whole: bool, closed: str, ends: bool) -> None:
    """Whatever is said of whole numbers and of ends after the text was proposed: 10 to 19 are not “10 to under 19”."""
    text = {"function": "pattern", "text": "{low} to under {high}"}
    details: dict[str, Any] = {
        "intervals": [{"from": 0, "to": 10}],
        "levels": [{"group": 1, **text}, {"group": 2, **text}],
    }
    if ends:
        details |= {"lowest": {"coding": 5}, "highest": {"coding": 95}}
    numbers = [*map(str, range(100)), *([] if whole else ["9.5", "10.5", "94.9"])]
    kind = Kind.INTEGER if whole else Kind.DECIMAL
    made = build_hierarchy(
        specification("intervals", {"whole": whole, "closed": closed}, details), numbers, column=ColumnSpec("n", kind)
    )
    seen = set()
    for text_of, *labels in made.rows():
        for label in labels[:2]:
            under = re.fullmatch(r"(-?[\d.]+) to under (-?[\d.]+)", label)
            above = re.fullmatch(r"above (-?[\d.]+) to (-?[\d.]+)", label)
            number = float(text_of)
            if under:
                assert closed == "low" and float(under[1]) <= number < float(under[2]), (text_of, label)
            elif above:
                assert closed == "high" and float(above[1]) < number <= float(above[2]), (text_of, label)
            else:
                assert ends and label[0] in "<≤≥>", label
            seen.add(label)
    assert ("10 to under 20" if closed == "low" else "above 10 to 20") in seen


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ((1,), "Steps of 1,000; 2 levels; none was computed from the data."),
        ((1, 5), "Steps of 1,000 and 5,000; 3 levels; none was computed from the data."),
        ((1, 5, 2, 2, 4), "Steps of 1,000, 5,000, …, 80,000; 6 levels; none was computed from the data."),
    ],
)
def test_how_intervals_were_made_is_said_by_how_wide_they_are(groups: tuple[int, ...], said: str) -> None:
    details = {"intervals": [{"from": 0, "to": 1000}], "levels": [{"group": one} for one in groups]}
    column = ColumnSpec("cost", kind=Kind.INTEGER)
    made = build_hierarchy(
        specification("intervals", {"repeat": True}, details, column=column), ["1", "2500"], [1, 1], column
    )
    assert made.origin == said
