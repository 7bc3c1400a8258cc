"""Blocks read by numpy: the same table, problems, lines and fingerprint as the reader of rows gives, wherever cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any, Literal
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzzing.mutating import Mutator
from tests.fuzzing.tables import texts
from tests.properties import examples, some
from workbench.core.errors import WorkbenchError
from workbench.io import block_reading, coded_column, word_table
from workbench.io.column_codes import Collector
from workbench.io.dialect import Dialect
from workbench.io.opening import Source
from workbench.io.plain_blocks import BYTE_BY_BYTE, PlainReader
from workbench.io.reading import read_table
from workbench.io.rows import BATCH, row_batches
from workbench.io.word_table import PADDING, WordTable, words_of

ROOT = Path(__file__).resolve().parents[2]
NASTY = (
    b"a,b\n1,2\n,\n3,x y\n" + b"7,8\n" * 6 + b'"q",4\n5,"two\nlines"\n6\n1,2,3\n\n' + b"9,10\n" * 4 + b"1,\xc3\xa4\n2",
    b"a,b\r\n1,2\r\n,\r\n3,\r\n" + b"x,\r\n" * 5 + b"4,5\r6,7\n8,9\r\n10,11\n12,13\r",
    b"a\n1\n\n2\n" + b"3\n" * 6 + b"\n\n" + b"   \n4\n\n\n",
    b"a, b\n 1,  2\n3,4\n  ,   \n" + b"5, 6\n" * 5 + b"7,  \n",
    b"\xef\xbb\xbfa;b\n1;\xef\xbb\xbf2\n" + b"\xff;2\n3;4\n" * 3 + b"5;\x00\n\xc3;\xa4\n" + b"6;\xe2\x82\xac\n" * 9,
    b"# one\n# two\na\tb\n" + b"1\t2\n" * 7 + b"longer than eight\t" + b"longer than thirty-two bytes" * 2 + b"\n",
    b"a,b\n1,2\n" + b"3,4\n" * 5 + b'5,"never closed\n6,7\n' + b"8,9\n" * 5,
    b"a,b,\n1,2,\n3,4,\n" + b"5,6,\n" * 5,
    b"a,b\nx,1,2\ny,3,4\n" + b"z,5,6\n" * 5,
)  # fmt: skip
DIALECTS = (
    Dialect(),
    Dialect(header=False),
    Dialect(quote=""),
    Dialect(skip_spaces=True),
    Dialect(skip_lines=2),
    Dialect(";"),
    Dialect("\t", skip_lines=2),
    Dialect(encoding="cp1252"),
    Dialect(encoding="ascii"),
    Dialect(encoding="latin-1", quote="'"),
    Dialect("1"),
    Dialect("ä"),
    Dialect(encoding="utf-16"),
    Dialect(encoding="cp932"),
)


def by_rows(collector: Collector, source: Source, dialect: Dialect) -> Iterator[None]:
    """The whole file by the reader of rows, which is the measure of all."""
    for batch in row_batches(source, dialect, getattr(block_reading, "BATCH", BATCH)):
        collector.add(batch)
        if collector.full:
            break
        yield


def outcome(path: Path, dialect: Dialect | None, on_bad: Literal["skip", "stop"], limit: int | None) -> Any:
    """All that a reading says, or its error."""
    try:
        reading = read_table(path, dialect, on_bad=on_bad, limit=limit)
    except WorkbenchError as error:
        return str(error), error.hint, error.field
    columns = [(one.name, one.codes.dtype, one.codes.tolist(), one.values) for one in reading.table.columns]
    lines = [reading.line_of(row) for row in range(reading.rows)]
    beside = {one.name: getattr(reading, one.name) for one in fields(reading) if one.compare and one.name != "table"}
    return columns, lines, beside, len(reading.lines.rows)


def check_same(
    path: Path,
    dialect: Dialect | None,
    batch: int,
    batches: int = 2,
    on_bad: Literal["skip", "stop"] = "skip",
    limit: int | None = None,
) -> int:
    """Read a file in both ways; returns how many blocks were plain."""
    blocks = 0
    take_in = Collector.add_plain

    def counting(self: Collector, *arguments: Any) -> None:
        nonlocal blocks
        blocks += 1
        take_in(self, *arguments)

    with (
        patch.object(block_reading, "BATCH", batch),
        patch.object(block_reading, "_BATCHES", batches),
        patch.object(block_reading, "_FEWEST", 1),
        patch.object(coded_column, "_AT_FIRST", 2),
        patch.object(Collector, "add_plain", counting),
    ):
        by_blocks = outcome(path, dialect, on_bad, limit)
        with patch("workbench.io.reading.collect", by_rows):
            assert by_blocks == outcome(path, dialect, on_bad, limit)
    return blocks


@pytest.mark.parametrize("content", NASTY, ids=range(len(NASTY)))
def test_nasty_files_are_read_alike_wherever_their_blocks_end(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(content)
    blocks = 0
    for dialect in (None, DIALECTS[0], Dialect(";"), Dialect("\t", skip_lines=2), Dialect(skip_spaces=True)):
        for batch in some(range(1, len(content) + 1), 2 if dialect is None else 12):
            blocks += check_same(path, dialect, batch)
    assert blocks > 0


@settings(max_examples=examples(400), deadline=None)
@given(
    pieces=st.lists(
        st.sampled_from(
            [b"1,2\n", b"1,2\n", b"ab,cd\n", b",\n", b"\n", b" \n", b"1;2\n", b"1\t2\r\n", b"x,y\r\n", b"z,\r", b'"',
             b"'", b'"a\nb",c\n', b"1,2,3\n", b"1\n", b"\x00", b"\xc3\xa4,1\n", b"\xc3", b"\xff,2\n", b"\x81\x40,2\n",
             b"  a,  b\n", b"12345678,1234567\n", b"123456789,1\n",
             b"x" * 33 + b",1\n", b"x" * 32 + b",y\n", b"\xef\xbb\xbf", b"#\n"]
        ),
        max_size=30,
    ),
    dialect=st.sampled_from([None, *DIALECTS]),
    batch=st.integers(1, 40),
    batches=st.integers(1, 4),
    on_bad=st.sampled_from(["skip", "stop"]),
    limit=st.none() | st.integers(1, 12),
)  # fmt: skip
def test_any_pieces_are_read_alike(
    tmp_path_factory: pytest.TempPathFactory,
    pieces: list[bytes],
    dialect: Dialect | None,
    batch: int,
    batches: int,
    on_bad: Literal["skip", "stop"],
    limit: int | None,
) -> None:
    path = tmp_path_factory.getbasetemp() / "pieces.csv"
    path.write_bytes(b"h1,h2\n" + b"".join(pieces))
    check_same(path, dialect, batch, batches, on_bad, limit)


@pytest.mark.parametrize("seed", range(examples(240) // 10))
def test_changed_files_are_read_alike(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    mutator, corpus, path = Mutator(random), texts(), tmp_path / "changed.csv"
    for number in range(10):
        content = corpus[(seed + number) % len(corpus)]
        path.write_bytes(mutator.bytes(content * random.choice((1, 4))) if number else content)
        check_same(
            path, random.choice((None, *DIALECTS)), random.choice((1, 3, 17, 64, 301, 4096)), random.randrange(1, 5)
        )


@pytest.mark.parametrize("name", ["ages.csv", "nba_salaries.csv", "spiky_ages.csv"])
def test_ordinary_files_are_read_alike(name: str) -> None:
    path = ROOT / "sample_data" / name
    assert check_same(path, None, 1 << 13) > 0


def test_parts_are_read_alike(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"part{number}.csv").write_bytes(b"a,b\n" + b"%d,2\n3,4\n" % number * 9 + b'"5",6\n7\n')
    for batch in (5, 16, 1000):
        check_same(tmp_path, None, batch)


@pytest.mark.parametrize("encoding", sorted(BYTE_BY_BYTE))
def test_in_these_encodings_ascii_is_never_part_of_another_letter(encoding: str) -> None:
    ascii_bytes = bytes(range(128))
    assert ascii_bytes.decode(encoding) == ascii_bytes.decode("ascii")
    assert PlainReader(Dialect(encoding=encoding)).possible
    for first in range(128, 256):
        for second in b",;\t\n\"'| @\\A~":
            assert bytes([first, second]).decode(encoding, "replace").endswith(chr(second))


@given(
    listed=st.lists(
        st.binary(max_size=40).map(lambda text: text.replace(b"\0", b"") or b"a"), min_size=1, max_size=200
    ),
    cut=st.integers(0, 200),
)
def test_a_table_of_words_never_confuses_cells(listed: list[bytes], cut: int) -> None:
    numbers: dict[bytes, int] = {}
    data = b"".join(listed) + bytes(PADDING)
    lengths = np.array([len(cell) for cell in listed])
    starts = np.cumsum(lengths) - lengths
    table = WordTable()
    with patch.object(word_table, "_TRIES", 2), patch.object(word_table, "_FACTORS", word_table._FACTORS * 0):
        for first, last in ((0, cut), (cut, len(listed)), (0, len(listed))):
            some = slice(first, min(last, len(listed)))
            words = words_of(data, starts[some], lengths[some])
            found = table.codes(words, lengths[some])
            fresh: dict[int, int] = {}
            for place, cell in enumerate(listed[some]):
                code = numbers.setdefault(cell, len(numbers))
                assert found[place] in (-1, code)
                if found[place] < 0:
                    fresh.setdefault(code, place)
            places = np.array(list(fresh.values()), dtype=np.intp)
            table.tell([word[places] for word in words], lengths[some][places], np.array(list(fresh), dtype=np.int32))


def test_columns_in_which_hardly_a_value_comes_again_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "distinct.csv"
    path.write_text("id,few\n" + "".join(f"{row},{row % 3}\n" for row in range(3000)), encoding="utf-8")
    assert check_same(path, None, 2048) > 3


def test_a_full_table_of_words_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    rows = "".join(f"{(row * 37) % 4000},{row % 3}\n" for row in range(12_000))
    path.write_text("a,b\n" + rows, encoding="utf-8")
    with patch.object(word_table, "_LARGEST", 10):
        assert check_same(path, None, 2048) > 3
