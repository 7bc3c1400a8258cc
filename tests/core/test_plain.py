"""JSON that somebody else wrote means one thing only and can be written again, or it is refused in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core import json_values
from workbench.core.json_values import MOST_DIGITS, read_json

WRITABLE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=10,
)  # fmt: skip


@given(WRITABLE, st.booleans())
def test_what_can_be_written_is_read_as_it_is(document: Any, ascii_only: bool) -> None:
    assert read_json(json.dumps(document, ensure_ascii=ascii_only)) == document


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Expecting value"),
        ('{"a": 1, "a": 2}', "names something twice"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ("[NaN]", "NaN is no number"),
        ("[-Infinity]", "-Infinity is no number"),
        ("[1e999]", "1e999 is larger than any number"),
        ("[" + "9" * (MOST_DIGITS + 1) + "]", "more than 1,000 digits"),
        (r'["\ud800"]', "half a sign"),
        (r'{"\udfff": 1}', "half a sign"),
        (r'["\udfff\ud800"]', "half a sign"),
        ("\ufeff[]", "BOM"),
    ],
)
def test_what_says_nothing_certain_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_json(text)


def test_both_halves_of_a_sign_and_the_longest_number_are_read() -> None:
    assert read_json(r'"\ud83d\ude00 \\ud800"') == "😀 \\ud800"
    assert read_json("9" * MOST_DIGITS) == 10**MOST_DIGITS - 1


@pytest.mark.parametrize(
    ("check", "fine", "wrong"),
    [
        (
            json_values.number,
            [0, -1, 0.5, 10**308],
            [True, "1", None, 10**309, -(10**400), float("nan"), float("inf"), [1]],
        ),
        (json_values.whole, [0, -1, 10**400], [True, 1.0, "1", None]),
        (json_values.text, ["", "a"], [1, None, b"a", ["a"]]),
        (json_values.truth, [True, False], [0, 1, "true", None]),
        (json_values.scalar, ["", 1, 0.5, True], [None, [], {}, 10**309, float("nan")]),
        (json_values.named, [{}, {"a": 1}], [[], "a", None, 1]),
        (json_values.listed, [[], [1], (1,)], ["ab", {}, None, 1]),
        (json_values.texts, [[], ["a"]], ["ab", [1], [None], {"a": 1}]),
        (json_values.numbers, [[], [1, 0.5]], ["12", [True], [10**309], {"1": 1}]),
        (json_values.two_numbers, [[1, 2], [2.5, 1]], [[], [1], [1, 2, 3], "12", [1, None], [1, 10**309]]),
    ],
)
def test_each_check(check: Callable[[Any, str], object], fine: list[Any], wrong: list[Any]) -> None:
    for value in fine:
        check(value, "the bounds")
    for value in wrong:
        with pytest.raises((TypeError, ValueError), match="the bounds"):
            check(value, "the bounds")
