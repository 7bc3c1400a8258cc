"""A release that was received: what belongs together, and that nothing but its place need be said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.kept import recording
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.io.hierarchy_files import column_named
from workbench.session.verifying.beside import ReceivedFiles, received_files, verify_received
from workbench.session.verifying.verified import FindingSign
from workbench.session.verifying.verify import NothingStated

KEPT = recording.HERE / "releases"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A kept release whose statement has another name than an export gives it."""
    for file in (KEPT / "claim").iterdir():
        shutil.copy(file, tmp_path / file.name)
    return tmp_path / "release.csv"


@pytest.mark.parametrize("start", ["release.csv", "statement.html", "note.json"])
def test_each_of_the_files_leads_to_all_of_them(kept: Path, start: str) -> None:
    files = received_files(kept.with_name(start))
    assert files == ReceivedFiles(kept, kept.with_name("statement.html"), kept.with_name("note.json"))


def test_a_signature_leads_to_what_it_signs(kept: Path) -> None:
    signature = kept.with_name("statement.sig.json")
    signature.write_text("{}")
    assert received_files(signature) == received_files(kept)
    assert received_files(kept).signature == signature


def test_a_statement_of_another_file_is_not_taken(kept: Path) -> None:
    other = shutil.copy(kept, kept.with_name("another.csv"))
    assert received_files(Path(other)).named == ()
    with pytest.raises(NothingStated, match="lies no statement"):
        verify_received(received_files(Path(other)))


def test_a_statement_without_its_file_is_said_to_be_so(kept: Path) -> None:
    kept.unlink()
    with pytest.raises(WorkbenchError, match="which does not lie beside it"):
        received_files(kept.with_name("statement.html"))


def test_one_part_leads_to_the_whole_folder(tmp_path: Path) -> None:
    shutil.copytree(KEPT / "parts", tmp_path / "all")
    statement = next((tmp_path / "all").glob("*.html"))
    statement.rename(statement.with_name("release_statement.html"))
    folder = tmp_path / "all" / "release"
    part = next(folder.glob("part-*"))
    assert received_files(part).release == folder
    assert verify_received(received_files(part)).holds


@pytest.mark.parametrize("name", sorted(path.name for path in KEPT.iterdir() if (path / "release.csv").is_file()))
def test_whatever_was_published_is_judged_as_the_command_judges_it(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    release = KEPT / name / "release.csv"
    found = verify_received(received_files(release))
    beside = [
        "--statement",
        str(release.with_name("statement.html")),
        "--metadata",
        str(release.with_name("note.json")),
    ]
    code = main(["verify", str(release), *beside])
    assert (code == 0) is found.holds is True
    assert capsys.readouterr().out.splitlines() == found.lines()
    assert found.claim is not None
    page = release.with_name("statement.html").read_text("utf-8")
    assert found.claim.sentence in page
    for sentence in found.claim.asserted:
        assert sentence in page.replace("&#x27;", "'")


def test_nothing_of_a_statement_is_relied_on_where_the_file_is_another(kept: Path) -> None:
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:-1]))
    found = verify_received(received_files(kept))
    assert not found.holds
    assert found.claim is None
    assert FindingSign.WRONG in {one.sign for one in found.findings}
    assert FindingSign.HOLDS not in {one.sign for one in found.findings if one.text.startswith("SHA-256")}


def test_hierarchies_belong_to_the_columns_they_are_named_after() -> None:
    columns = ("age", "job", "job title")
    for name, column in (
        ("adult_hierarchy_age.csv", "age"),
        ("hierarchy_job_title.csv", "job title"),
        ("Job title.csv", "job title"),
        ("age.txt", "age"),
        ("salary.csv", None),
    ):
        assert column_named(Path(name), columns) == column


def test_a_hierarchy_that_names_no_column_is_refused(kept: Path, tmp_path: Path) -> None:
    hierarchy = tmp_path / "something.csv"
    hierarchy.write_text("a;*\n")
    with pytest.raises(WorkbenchError, match="does not follow from its name"):
        verify_received(received_files(kept), hierarchies=[hierarchy])


def test_labels_of_another_hierarchy_are_found(kept: Path) -> None:
    heading = kept.read_text("utf-8-sig").splitlines()[0].split(",")
    hierarchy = kept.with_name(f"hierarchy_{heading[0]}.csv")
    hierarchy.write_text("nothing of the kind;*\n")
    assert not verify_received(received_files(kept), hierarchies=[hierarchy]).holds


def test_a_key_that_is_none_is_refused(kept: Path) -> None:
    with pytest.raises(WorkbenchError, match="no public key"):
        verify_received(received_files(kept), key="somebody")


def test_what_is_not_signed_by_the_key_that_was_named_does_not_hold(kept: Path) -> None:
    found = verify_received(received_files(kept), key="0" * 64)
    assert not found.holds
    assert found.lines()[0] == "It is NOT signed."


def test_the_command_takes_the_statement_that_lies_beside(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(kept)]) == 0
    assert "Checked with statement.html, which lies beside it." in capsys.readouterr().out
    kept.write_text(kept.read_text().rpartition("\n")[0].rpartition("\n")[0] + "\n")
    assert main(["verify", str(kept)]) == 1
    said = capsys.readouterr().out
    assert "No: the file is NOT what is stated." in said and "Bytes of the file: " in said and "read_back" not in said
    kept.write_text(kept.read_text() * 20)
    assert main(["verify", str(kept)]) == 1
    given = f"and the file gives {kept.stat().st_size:,}."
    assert "," in given[4:] and given in capsys.readouterr().out, "as numbers are written everywhere"


def test_the_command_does_not_choose_between_two_statements(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(kept.with_name("statement.html"), kept.with_name("another.html"))
    assert main(["verify", str(kept)]) == 2
    assert "another.html, statement.html" in capsys.readouterr().err


def test_the_command_does_not_choose_between_two_notes(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, note = kept.with_name("statement.html"), kept.with_name("note.json")
    facts = json.loads(note.read_text(encoding="utf-8"))
    facts["release"]["engine"] = "another"
    kept.with_name("other.json").write_text(json.dumps(facts), encoding="utf-8")
    assert main(["verify", str(kept)]) == 0, "the statement says all that a note does"
    assert "Checked with statement.html" in capsys.readouterr().out
    page.unlink()
    assert main(["verify", str(kept)]) == 2
    assert "Several notes beside" in (said := capsys.readouterr().err) and "note.json, other.json" in said
