"""The bytes of files by sort, counted one after the other, whatever pieces the files are read in."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from workbench.engines import byte_accounts
from workbench.engines.byte_accounts import ByteCounts, accounted, counted
from workbench.engines.duckdb_store import DuckStore

BOM = b"\xef\xbb\xbf"


def by_hand(contents: list[bytes], above: int, delimiter: str, quote: str) -> ByteCounts:
    delimiters = quotes = nothings = others = 0
    even = True
    for content in contents:
        ends = re.findall(rb"\r\n|\r|\n", content)
        even = even and len(set(ends)) <= 1 and b"\r" not in ends and content.count(b"\n") >= above
        below = b"\n".join(content.removeprefix(BOM).split(b"\n")[above:])
        for byte in below:
            sign = bytes([byte])
            if sign == delimiter.encode():
                delimiters += 1
            elif quote and sign == quote.encode():
                quotes += 1
            elif sign == b"\0":
                nothings += 1
            elif sign not in b"\r\n":
                others += 1
    return ByteCounts(delimiters, quotes, nothings, others, even)


@pytest.mark.parametrize("block", [3, 4, 7, 1 << 22])
@pytest.mark.parametrize("above", [0, 1, 2])
@pytest.mark.parametrize(("delimiter", "quote"), [(",", '"'), (";", ""), ("\t", "'")])
def test_bytes_are_counted_by_sort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, above: int, delimiter: str, quote: str
) -> None:
    monkeypatch.setattr(byte_accounts, "_BLOCK", block)
    draw = random.Random(f"{block} {above} {delimiter}")
    pieces = [b"a", b"\xc3\xa9", b",", b";", b"\t", b'"', b"'"]
    for number in range(30):
        ends = draw.choice([[b"\n"], [b"\r\n"], [b"\n", b"\r\n"], [b"\r", b"\n"], [b"\r"]])
        contents = []
        for _ in range(draw.randint(1, 3)):
            some = draw.choices([*pieces, *ends, *ends, b"\0" if number % 5 == 0 else b"x"], k=draw.randint(0, 14))
            contents.append(draw.choice([b"", BOM]) + b"".join(some))
        files = []
        for place, content in enumerate(contents):
            (tmp_path / f"{number} {place}.csv").write_bytes(content)
            files.append((tmp_path / f"{number} {place}.csv", above))
        assert counted(files, delimiter, quote) == by_hand(contents, above, delimiter, quote), contents


def test_no_files_have_no_bytes() -> None:
    assert counted([], ",", '"') == ByteCounts(0, 0, 0, 0, True)


@pytest.mark.parametrize("coded", [False, True])
@pytest.mark.parametrize("quoted", [False, True])
def test_cells_must_hold_all_that_files_hold(duckdb_store: DuckStore, coded: bool, quoted: bool) -> None:
    """Any number that is one more or less, a NUL, or lines that end in two ways do not come out even."""
    cells = ["a", "", "b,c" if quoted else "bc", 'say "é"' if quoted else "é", "two\nlines" if quoted else "x", "a"]
    values = sorted(set(cells))
    codes = np.array([values.index(cell) for cell in cells], dtype=np.int64)
    relation = duckdb_store.upload({"c": codes if coded else cells, "d": ["y"] * len(cells)})
    columns = [("c", values if coded else None), ("d", None)]
    delimiters = len(cells) + sum(cell.count(",") for cell in cells)
    quotes = 6 if quoted else 0
    others = sum(len(re.sub(r'[,"\n]', "", cell).encode()) for cell in cells) + len(cells)
    right = ByteCounts(delimiters, quotes, 0, others, True)
    assert accounted(duckdb_store, relation, columns, right, ",", '"')
    for wrong in (
        ByteCounts(delimiters + 1, quotes, 0, others, True),
        ByteCounts(delimiters - 1, quotes, 0, others, True),
        ByteCounts(delimiters, quotes, 0, others + 1, True),
        ByteCounts(delimiters, quotes, 0, others - 1, True),
        ByteCounts(delimiters, quotes, 1, others, True),
        ByteCounts(delimiters, quotes, 0, others, False),
    ):
        assert not accounted(duckdb_store, relation, columns, wrong, ",", '"')
    duckdb_store.drop(relation)
