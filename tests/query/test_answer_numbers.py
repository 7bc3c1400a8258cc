"""The numbers of an answer as they are written: the same wherever they stand, and adding up to their total."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest

from workbench.core.number_text import within_margin
from workbench.core.simplex import onto_simplex
from workbench.plots import private_bars
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.catalogue import NoiseSource
from workbench.session.answer_numbers import adding_up, margins, rounded_cells, rounded_pairs, rounded_values
from workbench.session.answer_shares import together_words
from workbench.session.query_words import estimate_words, headline_words, interval_words, range_words

NOISY = (1203, -17, 351, 208, -4, 109)
"""1,850 in all; made to agree with that, the counts have decimals that are rounded up together to 1,851."""


def consistent(reach: float, noisy: tuple[int, ...] = NOISY) -> ReleasedAnswer:
    """A histogram whose counts were made to agree with their noisy total."""
    counts = np.array(noisy, dtype=np.float64)
    values = onto_simplex(counts, max(float(counts.sum()), 0.0)).tolist()
    low, high = np.maximum(counts - reach, 0.0).tolist(), np.maximum(counts + reach, 0.0).tolist()
    names = tuple(f"{place}" for place in range(len(noisy)))
    return ReleasedAnswer(AnswerForm.LIST, values, (low, high), (names,), {"count": noisy}, unit="rows")


def number(text: str) -> float:
    return float(text.replace(",", ""))


@pytest.mark.parametrize("reach", [3.0, 9.0, 30.0, 120.0])
def test_counts_that_agree_with_their_total_add_up_to_it_as_they_are_written(reach: float) -> None:
    answer = consistent(reach)
    assert math.fsum(answer.value) == pytest.approx(1850)
    said = [number(one) for one in rounded_values(answer)]
    assert math.fsum(said) == pytest.approx(1850, abs=1e-9)
    moved = [abs(one - value) for one, value in zip(said, answer.value, strict=True)]
    assert max(moved) < (1.0 if reach > 3 else 0.1), "none by more than a digit of the widest margin"
    assert [one for one, value in zip(said, answer.value, strict=True) if value == 0] == [0, 0]
    for one, low, high, margin in zip(said, *answer.interval, margins(answer), strict=True):
        assert max(one - low, high - one) <= number(margin.removeprefix("± ")) + 1e-9


def test_the_margin_of_all_at_once_holds_from_the_counts_as_they_are_written() -> None:
    """28 made 27.667 and written 27.6 is further off than 27.67 is, and the margin of all of them counts that."""
    parts = [{"name": "count", "epsilon": "2", "sensitivity": "1"}]
    question = {"engine": NoiseSource.GRID.value, "parts": parts, "values": {"post": "consistent"}}
    alone = {count: together(consistent(2.0, (30,) * count), question) for count in (4, 5, 7)}
    for noisy in ((28, 31, 29, 30, 32, 27, -2), (30, 31, 29, -1), (9, 8, -2, -2, 9)):
        answer = consistent(2.0, noisy)
        said = [number(one) for one in rounded_values(answer)]
        assert said != pytest.approx(answer.value, abs=1e-6)
        for numbers in (said, answer.value):
            off = [min(abs(one - of), abs(one - max(of, 0))) for one, of in zip(numbers, noisy, strict=True)]
            assert together(answer, question) >= alone[len(noisy)] + max(off) - 1e-9
        for one, low, high, margin in zip(said, *answer.interval, margins(answer), strict=True):
            assert max(one - low, high - one) <= number(margin.removeprefix("± ")) + 1e-9


def together(answer: ReleasedAnswer, question: Mapping[str, object]) -> float:
    """The margin of all counts at once, which is said."""
    return number(together_words(answer, question).rpartition("± ")[2])


@pytest.mark.parametrize("low", [1.2345678851e16, -1.23456789512e16, 999_999_999_999_000.0, 1.5e300])
def test_ends_of_very_large_numbers_are_rounded_outwards_too(low: float) -> None:
    high = low + abs(low) * 1e-8
    _, least, most = within_margin((low + high) / 2, low, high)
    assert number(least) <= low and high <= number(most), (least, most)


def test_each_rounded_by_itself_they_would_not() -> None:
    answer = consistent(30.0)
    alone = [number(within_margin(*one)[0]) for one in zip(answer.value, *answer.interval, strict=True)]
    assert math.fsum(alone) != 1850


def test_pairs_of_cells_add_up_too() -> None:
    answer = consistent(30.0)
    both = (
        [[*one[:3]] for one in (answer.value, *answer.interval)],
        [[*one[3:]] for one in (answer.value, *answer.interval)],
    )
    value, low, high = ([both[0][side], both[1][side]] for side in range(3))
    pairs = ReleasedAnswer(
        AnswerForm.TABLE, value, (low, high), (("a", "b"), ("x", "y", "z")), {"count": NOISY}, unit="rows"
    )
    said = rounded_pairs(pairs, 2, 3)
    assert sum(number(one.split(" ")[0]) for row in said for one in row) == 1850
    first = rounded_pairs(pairs, 1, 2)
    assert first == [said[0][:2]], "those that are shown are as in the whole"


def test_what_was_not_adjusted_is_written_as_it_is() -> None:
    counts = ReleasedAnswer(AnswerForm.LIST, [3, 5], ([0, 2], [6, 8]), (("a", "b"),), {"count": (3, 5)}, unit="rows")
    means = ReleasedAnswer(
        AnswerForm.LIST, [3.46, 5.46], ([2.4, 4.4], [4.5, 6.5]), (("a", "b"),), {"steps": (3, 5)}, unit="€"
    )
    assert adding_up(counts) is counts and adding_up(means) is means
    assert [one[0] for one in rounded_cells(means)] == ["3.5", "5.5"]


def test_one_margin_of_several_numbers_is_said_in_one_way() -> None:
    """From the number as it is written: beside the answer, in the line above it and in the caption of its picture."""
    means = ReleasedAnswer(
        AnswerForm.LIST,
        [27.345, 31.345],
        ([27.047, 31.047], [27.645, 31.645]),
        (("a", "b"),),
        {"steps": (3, 5)},
        unit="€",
    )
    assert margins(means) == ["± 0.31"] * 2
    assert range_words(means) == "each ± 0.31 with 95 %"
    assert estimate_words(means).replace("\N{NO-BREAK SPACE}", " ") == "each ± 0.31 € with 95 %"
    many = ReleasedAnswer(
        AnswerForm.LIST, [27.345] * 5, ([27.047] * 5, [27.645] * 5), (tuple("abcde"),), {"steps": (3,) * 5}, unit="€"
    )
    assert headline_words(many).replace("\N{NO-BREAK SPACE}", " ") == "± 0.31 €"


def test_the_margin_of_a_sum_is_that_which_was_said_before_it() -> None:
    """14,978.7 is “± 15,000” in the plan; that its rounded number makes it a whole one is no reason for another."""
    total = ReleasedAnswer(AnswerForm.NUMBER, 326159.3, (311180.6, 341138.0), shown="326159.3")
    assert margins(total) == ["± 15,000"]


def test_an_interval_says_that_its_ends_are_rounded_outwards() -> None:
    mean = ReleasedAnswer(AnswerForm.NUMBER, 26.6002, (25.9410, 27.2437), shown="26.6002", unit="years")
    assert "between 25.94 and 27.25 years, rounded outwards, with 95 % confidence" in interval_words(mean)
    count = ReleasedAnswer(AnswerForm.NUMBER, 120, (114, 126), shown="120", unit="rows")
    assert "between 114 and 126 rows with 95 % confidence" in interval_words(count), "they are as they are"


def test_the_picture_has_the_numbers_of_the_table() -> None:
    answer = consistent(30.0)
    written = rounded_values(answer)
    bars = private_bars.PrivateBars(
        answer.labels[0], np.array(answer.value), None, None, "age", "Rows", numbered=True, written=written
    )
    assert bars.written == tuple(one[0] for one in rounded_cells(answer))
