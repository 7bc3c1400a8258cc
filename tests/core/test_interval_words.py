"""What a rule for intervals does is said in its own widths."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.core.building import specification
from workbench.core.level_words import first_groups, interval_words


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
