"""A statement on a file with pseudonyms, given to whoever verifies: it promises nothing, which is said with why."""

from __future__ import annotations

from pathlib import Path

import pytest

import workbench as wb
from workbench.cli.main import main
from workbench.report.pseudonym_statement import OfPseudonyms, pseudonym_certificate, refuse_of_pseudonyms
from workbench.session.verifying.beside import received_files

FACTS = (("File", "visits.csv"), ("SHA-256", "ab" * 32), ("Rows", "3"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "visits.csv").write_text("name,visit\nx,1\n", encoding="utf-8")
    page = pseudonym_certificate(["name"], ["<b>mail</b>"], FACTS).page()
    (tmp_path / "visits_statement.html").write_text(page, encoding="utf-8")
    return tmp_path


def test_the_command_says_what_it_is_and_that_nothing_is_promised(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(folder / "visits.csv"), "--statement", str(folder / "visits_statement.html")]) == 2
    said = " ".join(capsys.readouterr().err.split())
    for words in (
        "is a statement on a file with pseudonyms",
        "Nothing is promised",
        "pseudonyms stand in “name”",
        "<b>mail</b>",
        "ab" * 32,
        "can be linked",
        "personal data",
    ):
        assert words in said
    assert "Expecting value" not in said


@pytest.mark.parametrize("name", ["visits.csv", "visits_statement.html"])
def test_the_library_says_it_whichever_of_the_two_is_given(folder: Path, name: str) -> None:
    with pytest.raises(wb.Refused, match="statement on a file with pseudonyms"):
        wb.verify(folder / name)


def test_the_window_is_told_the_same(folder: Path) -> None:
    with pytest.raises(OfPseudonyms) as told:
        received_files(folder / "visits_statement.html")
    assert "Nothing is promised" in told.value.message and "personal data" in told.value.hint


def test_what_a_page_does_not_say_is_not_made_up() -> None:
    page = pseudonym_certificate(["name"], [], ()).page()
    with pytest.raises(OfPseudonyms, match="the file is what it does not say"):
        refuse_of_pseudonyms("x.html", page)
    refuse_of_pseudonyms("x.html", "<h1>Privacy statement</h1>")
