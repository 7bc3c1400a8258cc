"""The files of the Release workspace: names, kinds and places, and what is asked before one is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.helpers import data_is_there, idle
from tests.gui.release.helpers import EARLIER, click, questions, run, say, tens, words
from workbench.core.hierarchy import Provenance
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.io.export_format import FORMATS
from workbench.io.reading import read_table

pytestmark = pytest.mark.usefixtures("sampling")


def test_a_name_without_an_ending_gets_one_before_anything_is_written(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    panel = room.export
    room.activateWindow()
    panel.file.setFocus()
    panel.file.selectAll()
    qtbot.keyClicks(panel.file, str(tmp_path / "ages"))
    panel.browse.setFocus()
    QCoreApplication.processEvents()
    assert panel.file.text() == str(tmp_path / "ages.csv"), "it stands in the field before anything is written"
    panel.file.selectAll()
    qtbot.keyClicks(panel.file, str(tmp_path / "Report 3.2"))
    qtbot.keyClick(panel.file, Qt.Key.Key_Return)
    idle(qtbot, room)
    assert panel.file.text() == str(tmp_path / "Report 3.2.csv")
    assert (tmp_path / "Report 3.2.csv").is_file() and not (tmp_path / "Report 3.2").exists()
    panel.parts.setChecked(True)
    panel.file.setFocus()
    panel.file.selectAll()
    qtbot.keyClicks(panel.file, str(tmp_path / "folder"))
    panel.browse.setFocus()
    QCoreApplication.processEvents()
    assert panel.file.text() == str(tmp_path / "folder"), "a folder of parts has no ending"


def test_the_delimiter_of_the_original_is_proposed(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    assert room.export.file_style.chosen.delimiter == ","
    other = tmp_path / "semicolons.csv"
    other.write_text("age;town\n" + "20;Bern\n30;Basel\n" * 20, encoding="utf-8")
    room.document.open_data(other)
    idle(qtbot, room)
    style = room.export.file_style
    assert style.chosen.delimiter == ";" and style.form.face == "CSV, parted by semicolons as in your file"
    style.delimiter.setCurrentIndex(2)
    assert style.form.face == "CSV, parted by tabs", "seen without opening the details"
    style.delimiter.setCurrentIndex(0)
    room.export.propose()
    assert style.chosen.delimiter == "," and style.form.face == "CSV", "what a person said stays"


def test_by_what_the_cells_are_parted_stands_beside_the_file_that_was_written(
    qtbot: QtBot, room: ReleaseWorkspace
) -> None:
    for place, behind in ((1, " (parted by semicolons)"), (0, "")):
        run(room)
        room.export.file_style.delimiter.setCurrentIndex(place)
        click(qtbot, room)
        idle(qtbot, room)
        written = room.export.written
        assert written.lines[0].full_text == f"{written.names[0]}{behind}" and written.names[0].endswith(".csv")


@pytest.mark.parametrize("place", ["people.csv/out.csv", ".", "people.csv"])
def test_places_that_cannot_be_written_are_told(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, place: str
) -> None:
    run(room)
    before = (tmp_path / "people.csv").read_bytes()
    room.export.file.setText(str(tmp_path / place))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.messages.messages
    assert room.document.project.releases == ()
    assert (tmp_path / "people.csv").read_bytes() == before


def test_a_file_of_somebody_else_is_not_replaced_unasked(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(room)
    out = tmp_path / "mine.csv"
    out.write_text("precious", encoding="utf-8")
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.No)
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_text(encoding="utf-8") == "precious"
    room.export.file.setText(str(tmp_path / "p.wbench"))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not (tmp_path / "p.wbench").exists()


@pytest.mark.parametrize("form", ["parquet", "xlsx"])
def test_the_kind_of_file_and_its_name_go_together(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, form: str
) -> None:
    if FORMATS[form].missing is not None:
        pytest.skip("the package for it is not installed")
    run(room)
    panel = room.export
    panel.file.setText(str(tmp_path / "out.csv"))
    panel.file_style.form.choose(form)
    panel.file_style.form.activated.emit(panel.file_style.form.currentIndex())
    assert panel.file.text() == str(tmp_path / f"out.{form}")
    assert not panel.file_style.delimiter.isEnabled()
    qtbot.mouseClick(panel.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert read_table(tmp_path / f"out.{form}").rows > 0
    panel.file.setText(str(tmp_path / "again.csv"))
    assert panel.file_style.chosen.form == "csv"
    assert panel.file_style.delimiter.isEnabled()


def test_a_name_without_a_name_keeps_the_form_in_order(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    panel = room.export
    for name in ("/", ".", ""):
        panel.file.setText(name)
        for form in ("tsv", "csv", "parquet"):
            panel.file_style.form.choose(form)
            panel.file_style.form.activated.emit(panel.file_style.form.currentIndex())
        panel.parts.click()
        panel.parts.click()
        assert panel.file.text() == name


def test_a_home_that_nobody_has_is_a_folder_that_is_not_there(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    panel, place = room.export, "~nobody-has-this-name/out.csv"
    panel.file.setText(place)
    qtbot.mouseClick(panel.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert "nobody-has-this-name" in room.messages.messages[-1].text
    run(room)  # another result, for which another name is proposed
    idle(qtbot, room)
    assert "nobody-has-this-name" in panel.file.text()


def test_what_lies_beside_is_not_replaced_unasked(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(room)
    out, beside = tmp_path / "mine.csv", tmp_path / "mine_statement.html"
    beside.write_text("precious", encoding="utf-8")
    asked: list[str] = []

    def refuse(_: object, __: str, text: str, *___: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "question", refuse)
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert len(asked) == 1 and beside.name in asked[0]
    assert beside.read_text(encoding="utf-8") == "precious"
    assert not out.exists()


def test_another_result_is_proposed_another_name(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = questions(monkeypatch, QMessageBox.StandardButton.No)
    run(room)
    first = room.document.session.release.result
    names = [tmp_path / "released" / f"people_release{number}.csv" for number in ("", "_2", "_3")]
    assert room.export.file.text() == str(names[0])
    click(qtbot, room)
    before = names[0].read_bytes()
    assert room.export.file.text() == str(names[0]), "the same result may be written again where it stands"
    click(qtbot, room)
    assert not asked and names[0].read_bytes() == before
    for name in names[1:]:
        run(room)
        assert room.export.file.text() == str(name)
        click(qtbot, room)
    assert not asked and all(name.exists() for name in names) and names[0].read_bytes() == before
    room.document.session.release.result = first
    room.document.changed.emit("result")
    idle(qtbot, room)
    assert room.export.file.text() == str(names[0]), "back at the first result, its own file is meant"


def test_what_lay_there_before_is_not_proposed(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    (tmp_path / "released").mkdir()
    (tmp_path / "released" / "people_release_metadata.json").write_text("precious", encoding="utf-8")
    run(room)
    assert room.export.file.text() == str(tmp_path / "released" / "people_release_2.csv")
    (tmp_path / "released" / "people_release_2.parquet").write_text("precious", encoding="utf-8")
    room.export.parts.setChecked(True)
    assert room.export.file.text() == str(tmp_path / "released" / "people_release_2")


def test_an_earlier_release_is_named_where_it_is_signed_that_there_is_none(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    """Also one of which only the statement is left, under any name; not what the ledger counts, nor other files."""
    for name in ("people_release_2.csv.bak", "people_releases.csv", "other_release.csv"):
        (tmp_path / name).write_text("age\n20s\n", encoding="utf-8")
    run(room)
    assert EARLIER not in words(room)
    room.export.file.setText(str(tmp_path / "given_away.csv"))
    click(qtbot, room)
    run(room)
    assert EARLIER not in words(room), "the ledger counts it"
    file = room.document.session.ledger.current.path
    room.document.new()
    file.unlink()  # as on another computer
    room.document.open_data(tmp_path / "people.csv")
    data_is_there(qtbot, room.document)
    room.document.apply("attach", lambda s: s.data.attach_hierarchy("age", tens(Provenance.PUBLIC)))
    (tmp_path / "given_away.csv").unlink()
    run(room, said=False)
    named = f"“given_away.csv” stands in “{tmp_path.name}”, {EARLIER}."
    qtbot.waitUntil(lambda: named in words(room))
    other = next(tick for tick in room.assertions.ticks if "No other draw" in tick.accessibleName())
    assert named in other.accessibleDescription() and not other.isChecked()
    assert "see “Not so, or unsure?” before you tick" in other.accessibleDescription(), (
        "it may never have been handed out"
    )
    (tmp_path / "released" / "people_release.csv").parent.mkdir(exist_ok=True)
    (tmp_path / "released" / "people_release.csv").write_text("age\n20s\n", encoding="utf-8")
    run(room, said=False)
    qtbot.waitUntil(lambda: "and 1 more stand in" in words(room))
    for name in ("released/people_release.csv", "given_away_metadata.json", "given_away_statement.html"):
        (tmp_path / name).unlink()
    room.page.earlier.look_anew()
    qtbot.waitUntil(lambda: EARLIER not in words(room), timeout=5_000)
    (tmp_path / "released" / "people_release.csv").write_text("age\n20s\n", encoding="utf-8")
    run(room, said=False)
    qtbot.waitUntil(lambda: EARLIER in words(room))
    say(room)
    click(qtbot, room)
    assert EARLIER not in words(room), "nothing is asked of what has left"


def test_another_draw_replaces_a_paid_release_only_after_a_yes(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.csv"
    asked = questions(monkeypatch, QMessageBox.StandardButton.No)
    run(room)
    room.export.file.setText(str(out))
    click(qtbot, room)
    before = out.read_bytes()
    run(room)
    room.export.file.setText(str(out))  # the person insists
    click(qtbot, room)
    assert len(asked) == 1 and "stays spent" in asked[0]
    assert all(name in asked[0] for name in ("out.csv", "out_statement.html", "out_metadata.json"))
    assert out.read_bytes() == before and room.history.table.model().rowCount() == 2
    assert room.history.table.model().index(0, 1).data() == "Draw of a release, not published"
    questions(monkeypatch, QMessageBox.StandardButton.Yes)
    click(qtbot, room)
    assert out.read_bytes() != before and room.history.table.model().rowCount() == 2


def test_a_file_that_was_changed_since_is_asked_about(
    qtbot: QtBot, room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = questions(monkeypatch, QMessageBox.StandardButton.No)
    run(room)
    click(qtbot, room)
    out = Path(room.export.file.text())
    out.write_text("precious", encoding="utf-8")
    click(qtbot, room)
    assert len(asked) == 1 and f"“{out.name}” exists already" in asked[0]
    assert out.read_text("utf-8") == "precious"


def test_the_file_that_is_open_is_refused_without_a_question(
    qtbot: QtBot, room: ReleaseWorkspace, errors: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody who says yes to replacing it would be given what they were asked about."""
    asked = questions(monkeypatch, QMessageBox.StandardButton.Yes)
    run(room)
    source = room.document.session.data.reading.path
    before = source.read_bytes()
    room.export.file.setText(str(source))
    click(qtbot, room)
    assert not asked and source.read_bytes() == before and not room.export.written.isVisible()
    assert len(errors) == 1 and source.name in str(errors[0])


@pytest.mark.parametrize("create", (True, False))
def test_a_folder_that_is_missing_can_be_made(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, create: bool
) -> None:
    run(room)
    file = tmp_path / "to hand over" / "2031" / "people.csv"
    room.export.file.setText(str(file))
    both = QMessageBox.StandardButton
    asked = questions(monkeypatch, both.Yes if create else both.No)
    room.export.export.click()
    idle(qtbot, room)
    assert len(asked) == 1 and str(file.parent) in asked[0]
    assert file.exists() is create and (tmp_path / "to hand over").exists() is create
