"""Hierarchies as files: ARX's form, the note beside it, errors with their line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.io.hierarchy_csv import is_declared, note_path, read_hierarchy, write_hierarchy

ADULT = {
    "age": (100, 20, 10, 5, 1),
    "education": (16, 8, 3, 1),
    "marital-status": (7, 2, 1),
    "native-country": (41, 4, 1),
    "occupation": (14, 5, 1),
    "race": (5, 1),
    "salary-class": (2, 1),
    "sex": (2, 1),
    "workclass": (8, 3, 1),
}


def made(folder: Path, content: str, note: object = None) -> Path:
    path = folder / "age.csv"
    path.write_bytes(content.encode())
    if note is not None:
        note_path(path).write_text(note if isinstance(note, str) else json.dumps(note), encoding="utf-8")
    return path


def note(provenance: str, **more: object) -> dict[str, object]:
    return {"format": "workbench-hierarchy-note", "version": 1, "provenance": provenance, "origin": "from x", **more}


@pytest.mark.parametrize("name", ADULT)
def test_adult(name: str, shared_data: Path) -> None:
    hierarchy = read_hierarchy(shared_data / "adult" / f"adult_hierarchy_{name}.csv")
    assert hierarchy.groups()[0] == ADULT[name][0]
    assert hierarchy.groups()[-1] == 1
    assert hierarchy.height == len(ADULT[name]) - 1
    assert hierarchy.provenance is Provenance.PUBLIC


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("heading", [[], ["value", "level 1", "level 2"], ["Level-0", "Level-1", "Level-2"]])
def test_delimiters_and_headings(tmp_path: Path, delimiter: str, heading: list[str]) -> None:
    rows = [["1", '"[0, 5["', "*"], ["2", '"[0, 5["', "*"], ["7", '"a;b"', "*"]]
    text = "".join(delimiter.join(row) + "\r\n" for row in [heading, *rows] if row)
    assert read_hierarchy(made(tmp_path, text)).rows() == [
        ("1", "[0, 5[", "*"),
        ("2", "[0, 5[", "*"),
        ("7", "a;b", "*"),
    ]


@pytest.mark.parametrize("first", ["value;label;*", "level 1;level 2;*", "age;young;*", "value", "1;level 2;level 4"])
def test_a_first_value_is_not_eaten_as_a_heading(tmp_path: Path, first: str) -> None:
    other = ";".join("x" for _ in first.split(";"))
    hierarchy = read_hierarchy(made(tmp_path, f"{first}\n{other}\n"))
    assert hierarchy.rows()[0] == tuple(first.split(";"))


def test_other_encodings_and_a_delimiter_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("Ä;A;\nÖ;O;\n".encode("cp1252"))
    assert read_hierarchy(path).rows() == [("Ä", "A"), ("Ö", "O")]
    path.write_bytes("\ufeffÄ;A\nÖ;O\n".encode("utf-16-le"))
    assert read_hierarchy(path).rows() == [("Ä", "A"), ("Ö", "O")]


def test_without_a_note_it_is_public_by_declaration(tmp_path: Path) -> None:
    hierarchy = read_hierarchy(made(tmp_path, "1;*\n"))
    assert hierarchy.provenance is Provenance.PUBLIC
    assert hierarchy.origin == "imported from age.csv, made without this data, as the person says who imported it"
    before = replace(hierarchy, origin="imported from age.csv, declared public by the person who imported it")
    assert is_declared(hierarchy) and is_declared(before), "projects made before have other words for it"


def test_the_note_decides_unless_the_person_does(tmp_path: Path) -> None:
    path = made(tmp_path, "1;*\n", note("data-derived"))
    hierarchy = read_hierarchy(path)
    assert (hierarchy.provenance, hierarchy.origin) == (Provenance.DERIVED, "from x")
    assert read_hierarchy(path, provenance=Provenance.PUBLIC).provenance is Provenance.PUBLIC
    path = made(tmp_path, "1;*\n", note("public"))
    assert read_hierarchy(path, provenance=Provenance.DERIVED).provenance is Provenance.DERIVED


@pytest.mark.parametrize(
    "wrong", ["{", note("secret"), note("public", version=2), {"format": "workbench-hierarchy-note"}]
)
def test_a_note_that_cannot_be_read_is_not_taken_for_public(tmp_path: Path, wrong: object) -> None:
    path = made(tmp_path, "1;*\n", wrong)
    with pytest.raises(WorkbenchError, match=r"age\.json"):
        read_hierarchy(path)
    assert read_hierarchy(path, provenance=Provenance.DERIVED).provenance is Provenance.DERIVED


def test_some_other_json_beside_it_is_ignored_and_never_overwritten(tmp_path: Path) -> None:
    path = made(tmp_path, "1;*\n", [1, 2])
    hierarchy = read_hierarchy(path)
    assert hierarchy.provenance is Provenance.PUBLIC
    with pytest.raises(WorkbenchError, match=r"age\.json.*must not be overwritten"):
        write_hierarchy(hierarchy, path)
    assert note_path(path).read_text("utf-8") == "[1, 2]"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("1;a;*\n\n2;a\n", 3),
        ("value;level 1\n1;a\n2;b\n1;b\n", 4),
        ("1;a;x\n2;b;x\n3;a;y\n", 3),
        ('1;a\n2;"b\n3;c\n', 2),
        ("1;a\n\0;a\n", 2),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(WorkbenchError, match=rf"Line {line} of the hierarchy “age\.csv”") as caught:
        read_hierarchy(made(tmp_path, text))
    assert caught.value.hint


def test_files_without_values(tmp_path: Path) -> None:
    for text in ("\n\n", "", "value;level 1\n"):
        try:
            read_hierarchy(made(tmp_path, text))
        except WorkbenchError as error:
            assert "age.csv" in error.message
        else:
            assert text == "value;level 1\n"  # a single line is a value


texts = st.lists(
    st.one_of(
        st.characters(exclude_categories=["Cs", "Cc"]),
        st.sampled_from([";", ",", '"', "\n", "\r\n", " ", "\t", "value", "level 1", "*", "", "\ufeff"]),
    ),
    max_size=4,
).map("".join)


@settings(max_examples=examples(200), deadline=None)
@given(
    values=st.lists(texts, min_size=1, max_size=6, unique=True),
    tops=st.lists(texts, max_size=3),
    provenance=st.sampled_from(Provenance),
)
def test_lossless(
    tmp_path_factory: pytest.TempPathFactory, values: list[str], tops: list[str], provenance: Provenance
) -> None:
    path = tmp_path_factory.getbasetemp() / "lossless.csv"
    hierarchy = Hierarchy.from_rows([(v, *tops) for v in values], provenance=provenance, origin="made “here”")
    write_hierarchy(hierarchy, path)
    again = read_hierarchy(path)
    assert again.rows() == hierarchy.rows()
    assert again.labels == hierarchy.labels
    assert (again.provenance, again.origin) == (provenance, "made “here”")


@pytest.mark.parametrize("provenance", Provenance)
def test_half_a_pair_never_looks_more_public_than_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provenance: Provenance
) -> None:
    path = tmp_path / "age.csv"
    [before] = set(Provenance) - {provenance}
    write_hierarchy(Hierarchy.from_rows([("1", "*")], provenance=before), path)
    written: list[Path] = []
    replace = Path.replace

    def second_fails(self: Path, target: Path) -> Path:
        written.append(target)
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", second_fails)
    with pytest.raises(WorkbenchError):
        write_hierarchy(Hierarchy.from_rows([("2", "*")], provenance=provenance), path)
    assert read_hierarchy(path).provenance is Provenance.DERIVED
