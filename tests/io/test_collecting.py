"""Columns of codes while a file is being read: very many texts, and the lines rows come from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.io import coded_column
from workbench.io.coded_column import CodedColumn, Codes
from workbench.io.dialect import Dialect
from workbench.io.line_map import LineMap
from workbench.io.reading import read_table


@pytest.mark.parametrize("room", [0, 1, 5, 1000])
@given(texts=st.lists(st.text(max_size=2), max_size=60))
def test_codes_are_those_of_first_appearance_however_full_the_dictionary(room: int, texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coded_column, "_ROOM", room)
        column = CodedColumn()
        half = len(texts) // 2
        column.add(texts[:half], half)
        column.add(texts[half:], len(texts) - half)
        expected = list(dict.fromkeys(text.replace("\0", "�") for text in texts))
        assert column.codes.distinct == len(expected)
        joined = column.joined("x", len(texts))
    assert list(joined.values) == expected
    assert joined.texts() == [text.replace("\0", "�") for text in texts]
    assert column.codes.distinct == 0


def test_damage_is_seen_each_time_also_when_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coded_column, "_ROOM", 2)
    codes = Codes()
    for text in ("a", "b", "c", "x\0", "d"):
        codes.hurt = False
        codes[text]
        assert codes.hurt is ("\0" in text)
    codes.hurt = False
    assert codes["x\0"] == codes["x�"] == 3
    assert codes.hurt


@given(st.lists(st.sampled_from(["1,2\n", "\n", '1,"x\ny"\n', "bad\n", '"a\n\n\nb",3\n']), max_size=60))
def test_every_row_knows_its_line(tmp_path_factory: pytest.TempPathFactory, pieces: list[str]) -> None:
    path = tmp_path_factory.getbasetemp() / "lines.csv"
    path.write_text("h1,h2\n" + "".join(pieces), encoding="utf-8", newline="")
    expected, line = [], 2
    for piece in pieces:
        if piece.count(",") == 1:
            expected.append(line)
        line += piece.count("\n")
    reading = read_table(path, Dialect())
    assert [reading.line_of(row) for row in range(reading.rows)] == expected


def test_a_plain_file_needs_one_entry_however_long(tmp_path: object) -> None:
    path = tmp_path / "x.csv"  # type: ignore[operator]
    path.write_text("a,b\n" + "1,2\n" * 200_000, encoding="utf-8")
    lines = read_table(path, Dialect()).lines
    assert (lines.rows.tolist(), lines.lines.tolist()) == ([0], [2])


def test_without_an_entry_rows_count_from_one() -> None:
    assert LineMap().line_of(4) == 5
    assert LineMap(np.array([0, 3]), np.array([2, 9])).line_of(4) == 10
