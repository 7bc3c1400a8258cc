"""The fingerprint of a table's content: what it does not depend on, and what it does."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.content import content_fingerprint
from workbench.core.table import Column, Table
from workbench.project.loading import load


def table(rows: list[tuple[str, ...]], names: tuple[str, ...] = ("a", "b")) -> Table:
    return Table(tuple(Column.from_texts(n, [row[i] for row in rows]) for i, n in enumerate(names)))


ROWS = st.lists(st.tuples(st.text(max_size=3), st.sampled_from(["", "x", "1"])), max_size=12)


@settings(max_examples=examples(60), deadline=None)
@given(ROWS, st.randoms())
def test_order_of_rows_columns_and_codes_does_not_matter(rows: list[tuple[str, str]], random: object) -> None:
    shuffled = rows.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    plain, other = table(rows), table(shuffled)
    unused = [Column(c.name, c.codes + 1, ("never used", *c.values)) for c in other.columns]
    assert content_fingerprint(plain) == content_fingerprint(Table(tuple(reversed(unused))))


@settings(max_examples=examples(60), deadline=None)
@given(ROWS, ROWS)
def test_other_rows_have_another_one(one: list[tuple[str, str]], other: list[tuple[str, str]]) -> None:
    same = sorted(one) == sorted(other)
    assert (content_fingerprint(table(one)) == content_fingerprint(table(other))) == same


def test_cells_may_not_wander_between_rows_or_columns() -> None:
    tables = [
        table([("1", "2"), ("3", "4")]),
        table([("1", "4"), ("3", "2")]),
        table([("2", "1"), ("4", "3")]),
        table([("1", "2"), ("3", "4")], ("a", "c")),
        table([("1", "2"), ("3", "4"), ("3", "4")]),
        table([("1", "2"), ("1", "2")]),
        table([("3", "4"), ("3", "4")]),
        table([("ab", "c")]),
        table([("a", "bc")]),
        Table((Column.from_texts("a", ["1", "3"]),)),
        Table(()),
    ]
    assert len({content_fingerprint(one) for one in tables}) == len(tables)


def test_it_is_the_same_on_every_machine() -> None:
    # Kept ledgers are found by it: a new scheme needs a new name.
    fingerprint = content_fingerprint(table([("1", "ü"), ("1", "x"), ("\ud800", "")]))
    assert fingerprint == "rows1-6c362f65b8fcf13842f4969292aa7441e5860276a27f4b31ca32918454ecc221"


def test_long_tables_are_summed_in_pieces() -> None:
    codes = np.arange(200_000, dtype=np.int32) % 7
    long = Table((Column("a", codes, tuple("abcdefg")),))
    assert content_fingerprint(long) == content_fingerprint(Table((Column("a", codes[::-1], tuple("abcdefg")),)))
    assert content_fingerprint(long) != content_fingerprint(Table((Column("a", codes[1:], tuple("abcdefg")),)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("semicolon.csv", b"age;city\r\n30;\"Gh\xc3\xa4nt\"\r\n40;B\r\n"),
        ("order.csv", "city,age\nB,40\nGhänt,30\n".encode()),
        ("latin.csv", "age\tcity\n40\tB\n30\tGhänt\n".encode("cp1252")),
        ("packed.csv.gz", gzip.compress("age,city\n30,Ghänt\n40,B\n".encode(), mtime=0)),
    ],
)  # fmt: skip
def test_how_a_file_is_written_does_not_matter(tmp_path: Path, name: str, content: bytes) -> None:
    plain = tmp_path / "plain.csv"
    plain.write_text("age,city\n30,Ghänt\n40,B\n", encoding="utf-8")
    (tmp_path / name).write_bytes(content)
    one, other = load(plain), load(tmp_path / name)
    assert one.reading.fingerprint != other.reading.fingerprint
    assert one.content == other.content
