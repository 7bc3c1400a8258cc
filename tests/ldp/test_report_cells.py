"""Reports in cells: what is read back is what was written, and the row that is none is named."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.ldp.encoding import public_bounds
from workbench.ldp.encoding_choice import EncodingChoice
from workbench.ldp.report_cells import (
    bit_texts,
    bits_of,
    column_of,
    hexadecimals,
    number_lists,
    texts_of,
    whole_numbers,
)


def test_what_is_written_is_read_back() -> None:
    bits = np.array([[True, False, True], [False, False, True]])
    assert bit_texts(bits) == ["101", "001"]
    rows = [["x", "101", "-2", "ff", "3 1"], ["y", "001", "7", "0", "1 2"]]
    assert bits_of(rows, 1, 3).tolist() == bits.tolist()
    assert whole_numbers(rows, 2, -2, 7).tolist() == [-2, 7] and texts_of(np.array([-2, 7])) == ["-2", "7"]
    assert hexadecimals(rows, 3, 255).tolist() == [255, 0]
    assert number_lists(rows, 4, 2, 1, 3).tolist() == [[3, 1], [1, 2]]
    assert column_of(rows, 0) == ["x", "y"]


@pytest.mark.parametrize(
    ("read", "good", "wrong"),
    [
        (lambda rows: bits_of(rows, 0, 3), "010", ["01", "0101", "012", "", "0 1"]),
        (lambda rows: whole_numbers(rows, 0, -1, 4), "4", ["-2", "5", "x", "1.0", ""]),
        (lambda rows: whole_numbers(rows, 0, 0, 4), "0", ["-1", "5", "x"]),
        (lambda rows: hexadecimals(rows, 0, 255), "fF", ["100", "-1", "g", "", "x"]),
        (lambda rows: number_lists(rows, 0, 2, 0, 3), "0 3", ["0", "0 1 2", "0 4", "-1 0", "0 x", ""]),
    ],
)
def test_the_row_that_is_no_report_is_named(read: Callable[..., object], good: str, wrong: list[str]) -> None:
    read([[good], [good]])
    for place in range(3):
        for text in wrong:
            rows = [[good], [good], [good]]
            rows[place] = [text]
            with pytest.raises(WorkbenchError, match=f"Report {place + 1} is “") as refused:
                read(rows)
            assert refused.value.field == "reports"
        short = [[good], [good], [good]]
        short[place] = []
        with pytest.raises(WorkbenchError, match=f"Report {place + 1} has 0 cells, at least 1"):
            read(short)


@pytest.mark.parametrize(("length", "shown"), [(40, "9" * 40 + "”"), (41, "9" * 40 + "…”")])
def test_a_long_text_is_shortened(length: int, shown: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        whole_numbers([["9" * length]], 0, 0, 1)
    assert f"“{shown}" in refused.value.message


AGE = ColumnSpec("age", Kind.DECIMAL)


@pytest.mark.parametrize("bounds", [(1.0, 1.0), (2.0, 1.0), (0.0, float("inf")), (float("-inf"), 0.0)])
def test_bounds_rise_and_are_finite(bounds: tuple[float, float]) -> None:
    column = Column.from_texts("age", ["1", "2"])
    assert public_bounds(EncodingChoice(bounds=(0.0, 1.0)), column, AGE) == ((0.0, 1.0), True)
    with pytest.raises((WorkbenchError, ValueError)):
        public_bounds(EncodingChoice(bounds=bounds), column, AGE)


def test_bounds_are_of_the_data_only_where_that_is_said_and_there_are_two_numbers() -> None:
    open_ = EncodingChoice(assume_public=True)
    assert public_bounds(open_, Column.from_texts("age", ["3", "1", "", "2.5"]), AGE) == ((1.0, 3.0), False)
    for texts in ([], ["3", "3"], ["", "x"], ["7"]):
        with pytest.raises(WorkbenchError) as refused:
            public_bounds(open_, Column.from_texts("age", texts), AGE)
        assert refused.value.field == "bounds"
    with pytest.raises(WorkbenchError) as refused:
        public_bounds(EncodingChoice(), Column.from_texts("age", ["1", "2"]), AGE)
    assert refused.value.field == "bounds"
