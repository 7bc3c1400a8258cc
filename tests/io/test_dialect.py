"""How files are written, recognised from nasty ones."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.io.dialect import Dialect, sniff

D = Dialect
CASES: dict[str, tuple[bytes, Dialect]] = {
    "plain": (b"name,age\nAnna,3\nBob,4\n", D()),
    "decimal commas": (b"a;b;c\n1,5;2,5;3,0\n1,7;2,8;3,1\n", D(";")),
    "decimal commas, no heading": (b"1,5;2,5;3,0\n1,7;2,8;3,1\n", D(";", header=False)),
    "tab": (b"a\tb\n1,5\tx, y\n2,5\tz\n", D("\t")),
    "bar": (b"a|b\n1,5|x, y\n2,5|z; y\n", D("|")),
    "other delimiters in quotes": (b'id,note\n1,"a;b;c"\n2,"d;e;f"\n3,"g;h;i"\n', D()),
    "other delimiters bare": (b"id,note\n1,a;b;c\n2,d;e;f\n3,g;h;i\n", D()),
    "lists in cells": (b"id,tags\n1,a|b\n2,c|d\n3,e|f\n", D()),
    "one column": (b"value\n1\n2\n3\n", D()),
    "one column, no heading": (b"1\n2\n3\n", D(header=False)),
    "one column of words, no heading": (b"red\nblue\nred\nblue\n", D(header=False)),
    "one column of words": (b"colour\nblue\nred\nblue\n", D()),
    "CR LF": (b"a,b\r\n1,2\r\n3,4\r\n", D()),
    "CR": (b"a,b\r1,2\r3,4\r", D()),
    "line breaks in cells": (b'id,text,z\n1,"a\nb\nc\nd\ne\nf\n",2\n3,"a\n\nb",4\n', D()),
    "doubled quotes": (b'id,text\n1,"x ""y"" z"\n2,"line\nline"\n', D()),
    "all quoted": (b'"a";"b"\n"hello, you";"x"\n"hi, me";"y"\n', D(";")),
    "preamble": (b"Report of 2024\nSource: here\n\nname,age,city\nAnna,3,Ulm\nBob,4,Bonn\n", D(skip_lines=3)),
    "preamble in a spreadsheet": (b"Report,,\n,,\nname,age,city\nAnna,3,Ulm\nBob,4,Bonn\n", D(skip_lines=2)),
    "preamble with a comma": (b"May 5, 2024\n\nname;age;city\nAnna;3;Ulm\nBob;4;Bonn\n", D(";", skip_lines=2)),
    "declared": (b"sep=;\na;b\n1,2;3\n", D(";", skip_lines=1)),
    "heading without the row names": (b"age,city\n1,3,Ulm\n2,4,Bonn\n3,5,Bonn\n", D()),
    "delimiter ends each row": (b"name,age\nAnna,3,\nBob,4,\n", D()),
    "spaces after delimiters": (
        b"39, State-gov, 77516, Bachelors\n50, Private, 83311, Bachelors\n",
        D(header=False, skip_spaces=True),
    ),
    "UTF-8 mark": (b"\xef\xbb\xbfa,b\n1,2\n", D(encoding="utf-8-sig")),
    "UTF-16 with a mark": ("name;größe\nÄnn;3\nBö;4\n".encode("utf-16"), D(";", "utf-16")),
    "UTF-16 LE": ("name;größe\nÄnn;3\nBö;4\n".encode("utf-16-le"), D(";", "utf-16-le")),
    "UTF-16 BE": ("name;größe\nÄnn;3\nBö;4\n".encode("utf-16-be"), D(";", "utf-16-be")),
    "UTF-8": ("name;preis\nJosé;3 €\n".encode(), D(";")),
    "Windows": ("name;preis\nJosé;3 €\nBö;4 €\n".encode("cp1252"), D(";", "cp1252")),
    "Latin-1": ("name;preis\nJosé\x81;3\nBö;4\n".encode("latin-1"), D(";", "latin-1")),
    "apostrophes as quotes": (b"a,b\n'x, y',1\n'z',2\n'w',3\n", D(quote="'")),
    "years as names": (b"country,2019,2020\nFR,1.5,2.5\nDE,1.7,2.9\n", D()),
    "comma in names": (b"Smith, John;12\nDoe, Jane;13\n", D(";", header=False)),
    "money in quotes": (b'name,salary\nAnna,"$1,234.50"\nBob,"$2,345.60"\n', D()),
    "repeating words, no heading": (b"Male,Ulm\nFemale,Bonn\nMale,Ulm\nMale,Bonn\n", D(header=False)),
    "only a heading": (b"a,b,c\n", D()),
    "only a row": (b"1;2;3", D(";", header=False)),
    "ragged": (b"a,b,c\n1,2,3\n1,2\n4,5,6\n1,2,3,4\n7,8,9\n", D()),
    "mostly empty": (b"a,b,c\n1,,\n2,,\n3,,\n", D()),
    "blank lines above": (b"\n\na,b\n1,2\n", D()),
}


@pytest.mark.parametrize("case", CASES)
def test_recognises(case: str, tmp_path: Path) -> None:
    content, expected = CASES[case]
    path = tmp_path / "file.csv"
    path.write_bytes(content)
    assert sniff(path) == expected


def test_recognises_inside_a_packed_file(tmp_path: Path) -> None:
    path = tmp_path / "file.csv.gz"
    path.write_bytes(gzip.compress(b"a;b\n1,5;2\n"))
    assert sniff(path) == D(";")


def test_letters_beyond_ascii_far_down_decide_the_encoding(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 500_000 + "José,3\n".encode("cp1252"))
    assert sniff(path).encoding == "cp1252"


def test_rare_damage_does_not_make_utf8_windows(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes("ä,ö\n".encode() * 50 + b"\xff,1\n")
    assert sniff(path).encoding == "utf-8"


@pytest.mark.parametrize("cells", [['"$10,600.00"', "*"], ['"Bonn, north"', '"Köln,south"']])
def test_one_column_of_quoted_cells_with_commas_is_one_column(tmp_path: Path, cells: list[str]) -> None:
    file = tmp_path / "one.csv"
    file.write_text("annual salary\n" + "".join(f"{cell}\n" for cell in cells for _ in range(100)), encoding="utf-8")
    found = sniff(file)
    assert (found.quote, found.header, found.skip_lines) == ('"', True, 0)


def test_stray_quotation_marks_are_read_as_letters(tmp_path: Path) -> None:
    rows = "".join(f"{i},Anna {i}\n" for i in range(40))
    path = tmp_path / "file.csv"
    path.write_text(f'id,name\n{rows}41,"Bob\n{rows}', encoding="utf-8")
    assert sniff(path).quote == ""


def test_to_dict_and_back() -> None:
    for dialect in (D(), D(";", "cp1252", "", False, 3), D("\t", skip_spaces=True)):
        assert Dialect.from_dict(dialect.to_dict()) == dialect
    assert set(D().to_dict()) == {"delimiter", "encoding", "quote", "header", "skip_lines"}


@pytest.mark.parametrize(
    ("plain", "field"),
    [
        ({"delimiter": ""}, "delimiter"),
        ({"delimiter": "\n"}, "delimiter"),
        ({"quote": ","}, "quote"),
        ({"quote": "ab"}, "quote"),
        ({"skip_lines": -1}, "skip_lines"),
        ({"skip_lines": True}, "skip_lines"),
        ({"header": 1}, "header"),
        ({"encoding": "klingon"}, "encoding"),
        ({"encoding": "base64"}, "encoding"),
        ({"delimiter": " ", "skip_spaces": True}, "skip_spaces"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_impossible_dialects_are_refused(plain: dict[str, object], field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        Dialect.from_dict(plain)
    assert caught.value.field == field
    assert caught.value.hint
