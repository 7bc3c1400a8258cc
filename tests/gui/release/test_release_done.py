"""What is still to be said of a release is in sight, Next names it, and what was exported is one block."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, data_is_there, idle
from tests.gui.release.helpers import click, run
from tests.test_not_told import patients, prepare
from workbench.anonymise.after_draw import AfterDraw
from workbench.anonymise.terms import PEOPLE_NOT_TOLD
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import PrivacyUnit
from workbench.gui.sign_dialog import SignDialog
from workbench.gui.verify_dialog import VerifyDialog
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.gui.workspaces.release.own_check import OwnFileState
from workbench.gui.workspaces.release.said_before import SaidBefore
from workbench.gui.workspaces.release.sentence import SentenceLabel
from workbench.gui.workspaces.release.written_form_view import WrittenFormView
from workbench.session.publishing import named_publisher
from workbench.session.release.came_out import came_out, missing_lines
from workbench.session.release.knowledge import answer_number
from workbench.session.release.written_form import WrittenForm
from workbench.session.session import Session


def said_before(room: ReleaseWorkspace, folder: Path) -> None:
    """Say in Data and Hierarchies what is said there on the usual path."""
    file = folder / "ages.csv"
    file.write_text("".join(f"{age};{age // 10 * 10}s;*\n" for age in range(20, 60)), encoding="utf-8")

    def say(session: Session) -> None:
        session.data.set_unit(PrivacyUnit())
        session.data.attach_hierarchy_file("age", file)
        session.data.declare_imported(["age"])

    assert room.document.apply("say", say)


def test_next_says_what_is_missing_while_the_room_is_seen(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    said_before(room, tmp_path)
    run(room, said=False)
    assert room.next_hint() == "Answer the question, tick the 2 sentences" and room.next_field() == "export"
    with qtbot.waitSignal(room.status_changed):
        room.assertions.questions[PEOPLE_NOT_TOLD].no.click()
    assert room.next_hint() == "Tick the 2 sentences"
    room.reach(room.next_field())
    first, second = (tick for tick in room.assertions.ticks if not tick.isChecked())
    assert first.hasFocus(), "it leads to the first of them"
    first.click()
    assert room.next_hint() == "Tick the sentence"
    room.hide()
    assert room.next_hint() == "Export the release", "from elsewhere that is where the way leads"
    room.show()
    second.click()
    assert room.next_hint() == "Export the release" and room.export.export.isEnabled()


def test_a_key_that_ticks_a_sentence_signs_no_other(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    """The focus stays where it is, so that a second press takes back what the first one signed."""
    said_before(room, tmp_path)
    answer_number(room.document.session, known=False)
    run(room, said=False)
    room.reach("export")
    first, second = (tick for tick in room.assertions.ticks if not tick.isChecked())
    for ticked in (True, False, True):
        qtbot.keyClick(first, Qt.Key.Key_Space)
        QCoreApplication.processEvents()
        assert first.isChecked() is ticked and first.hasFocus() and not second.isChecked()


@pytest.mark.parametrize("size", [(1280, 800), (1024, 700)])
@pytest.mark.parametrize("answered", [False, True])
def test_all_that_is_to_be_ticked_is_seen_with_the_button_that_exports(
    room: ReleaseWorkspace, tmp_path: Path, size: tuple[int, int], answered: bool
) -> None:
    room.resize(size[0] - 200, size[1] - 100)  # beside the rail, and between the lines above and below
    said_before(room, tmp_path)
    if answered:
        answer_number(room.document.session, known=False)
    run(room, said=False)
    for _ in range(3):
        QCoreApplication.processEvents()
    asked = [one for one in room.assertions.ticks if one.isVisibleTo(room)]
    sentences = [one for one in room.assertions.findChildren(SentenceLabel) if one.isVisibleTo(room)]
    assert len(asked) == 2 + (not answered)
    for part in (*asked, *sentences, room.export.export, room.export.missing):
        assert part.visibleRegion().boundingRect() == part.rect(), "none is cut or scrolled away"
    assert room.export.missing.width() >= room.export.missing.sizeHint().width()


def test_that_much_is_missing_stands_beside_what_was_exported(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    """No green sign hides it: of the rows that somebody expected, or of what the groups in the file gave up."""
    run(room)
    result = room.document.session.release.result
    assert result is not None
    many = 10 * result.outcome.rows_out
    trim = replace(room.document.project.anonymise.trim, expected_rows=many)
    room.document.apply("expect", lambda session: session.release.set_trimming(trim))
    idle(qtbot, room)
    run(room)
    click(qtbot, room)
    shown = room.export.written.missing
    assert shown.isVisibleTo(room) and f"of the {many:,} people that you expect came out" in shown.text()


def test_what_the_file_does_not_tell_stands_beside_what_was_exported(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    """Whoever hands it over is asked first; it is what the released rows, and the settings, tell anybody."""
    told = room.export.written.not_told
    ages = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 90)], origin="wider")
    room.document.apply("wider", lambda session: session.data.attach_hierarchy("age", ages))
    run(room)
    click(qtbot, room)
    result = room.document.session.release.current_result()
    assert told.isVisibleTo(room)
    files, ways = room.export.written.place, room.export.folder
    written = room.export.written
    assert written.to_know.isVisibleTo(room) and written.to_know.text() == "Before you count with the file"
    below = [one.mapTo(room, QPoint()).y() for one in (files, written.hand_over, ways, written.to_know, told)]
    assert below == sorted(below), "by the files it is about; what is pressed next does not move when it comes"
    line = missing_lines(came_out(result, {}))[0]
    assert line.startswith("No row says age: ") and line not in told.text()
    rows, groups = result.outcome.rows_out, len(result.outcome.lines.sizes)
    counted = f"The file has {rows:,} rows in {groups} groups. It does not tell how many more the table has."
    assert written.counted.isVisibleTo(room) and written.counted.text() == counted
    size = written.counted.font().pixelSize()
    assert size > told.findChildren(QLabel)[1].font().pixelSize() and written.counted.y() < files.y(), (
        "the main fact stands out"
    )
    blank = "No row has an empty cell, though the table may."
    shares, means, *rest = told.text().splitlines()
    assert shares == "Percentages from it are wrong, most for small groups: count as the statement says."
    assert means == "Do not report means of age."
    assert rest == [blank], "what stood above the table when it was drawn is not said twice"
    texts = [one for one in told.findChildren(QLabel) if one.text() != "•"]
    assert [one.text() for one in texts] == told.text().splitlines(), "each by itself"
    told.show_lines(told.text().splitlines() * 9)
    room.resize(820, 560)
    QCoreApplication.processEvents()
    texts = told.findChildren(QLabel)
    assert len(texts) > 18 and all(one.height() >= one.heightForWidth(one.width()) for one in texts), "none is cut"
    run(room)
    parts = (told, written.counted, written.to_know)
    assert not any(one.isVisibleTo(room) for one in parts), "of another draw it is not said"


def test_combinations_that_no_row_has_are_listed_at_a_press(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    room.document.open_data(patients(tmp_path / "wards.csv", {("A1", "I10"), ("A2", "N39"), ("C1", "J45")}))
    data_is_there(qtbot, room.document)
    assert room.document.apply("prepare", prepare)
    run(room)
    click(qtbot, room)
    idle(qtbot, room)
    written = room.export.written
    told = "Of the labels in the file, 3 of the 9 combinations of ward and illness are in no row."
    once = f"{told} No row has an empty cell. The table may have such rows."
    assert once in written.not_told.text() and written.not_told.text().count("may have") == 1
    assert written.counted.text().endswith(" groups; you expect 8,000 people.")
    assert not written.absent.isVisible() and "means" not in written.not_told.text(), "it has no column of numbers"
    shares = "Percentages from it are wrong, most for small groups"
    assert written.not_told.text().startswith(shares), "what misleads most stands first"
    pressed = room.export.folder.mapTo(room, QPoint())
    qtbot.mouseClick(written.absent.button, Qt.MouseButton.LeftButton)
    QCoreApplication.processEvents()
    assert room.export.folder.mapTo(room, QPoint()) == pressed, "what is pressed next keeps its place"
    link, ends = written.absent.button, written.absent.button.mapTo(room, written.absent.button.rect().bottomLeft())
    assert pressed.y() < link.mapTo(room, QPoint()).y() <= ends.y() <= written.absent.mapTo(room, QPoint()).y()
    table = written.absent_table
    cells, across = table.model(), Qt.Orientation.Horizontal
    rows, columns = range(cells.rowCount()), range(cells.columnCount())
    assert table.isVisible() and [cells.headerData(at, across) for at in columns] == ["ward", "illness"]
    listed = [[cells.index(row, column).data() for column in columns] for row in rows]
    assert listed == [["A1", "I10"], ["A2", "N39"], ["C1", "J45"]]
    assert not table.verticalScrollBar().isVisible(), "all are seen: what scrolls is the page"
    run(room)
    assert not written.absent.button.isVisible() and not written.absent.isVisible()


def test_what_was_said_before_is_named_and_counted_again_where_the_file_is_verified(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    """Of 5 sentences Release asked for 2, and 3 were listed there: the receiver's page says which these are."""
    run(room)
    assert room.assertions.before.isHidden(), "nothing was said before"
    said_before(room, tmp_path)
    run(room)
    before = room.assertions.declared
    fold = room.assertions.before
    lines = fold.findChildren(SaidBefore)
    assert before and fold.isVisible() and fold.button.text() == f"Said before: {len(before)} signed"
    assert len(lines) == len(before) and not any(one.isVisible() for one in lines), "what is new is read first"
    assert fold.brief.isVisible() and fold.brief.full_text == "1 row each · hierarchy of age", "and this in a line"
    at = fold.button.mapTo(fold, QPoint()).x()
    fold.button.click()
    assert all(one.isVisible() for one in lines) and not fold.brief.isVisible()
    QApplication.processEvents()
    assert fold.button.mapTo(fold, QPoint()).x() == at, "it is where it was"
    claim = room.document.session.release.current_claim()
    assert set(before) <= set(claim.asserted)
    click(qtbot, room)
    idle(qtbot, room)
    room.export.check.click()
    dialog = room.findChild(VerifyDialog)
    assert dialog is not None
    number, ticked = len(claim.asserted), len(claim.asserted) - len(before)
    told = f"What you said: {number} sentences, {ticked} ticked in Release and {len(before)} said before"
    qtbot.waitUntil(lambda: "Yes: the file is" in dialog.findings.text, timeout=PATIENCE_MS)
    shown = dialog.findings.text.splitlines()
    assert told in shown
    assert shown[1].startswith("Means of age can be far off, ") and shown[1].endswith(": do not report them.")
    assert shown[2] == "Percentages counted in the file are wrong, most for small groups: count as the statement says."
    assert shown[3].startswith("What is counted in the file, or computed from it, may be passed on: ")
    seen = [one for one in dialog.findings.findChildren(QLabel) if one.text() in shown[1:4] and one.isVisible()]
    assert len(seen) == 3 and all(one.visibleRegion().boundingRect() == one.rect() for one in seen), "without scrolling"
    dialog.verify(Path(room.export.file.text()), own=True)  # of which nobody here knows when it was said
    qtbot.waitUntil(lambda: f"What you said: {number} sentences\n" in dialog.findings.text, timeout=PATIENCE_MS)
    dialog.reject()


def test_to_leave_without_a_claim_stands_beside_export_and_is_no_format(room: ReleaseWorkspace) -> None:
    run(room, said=False)
    panel = room.export
    assert panel.unclaimed.isVisible()
    same = [
        abs(one.geometry().center().y() - panel.unclaimed.geometry().center().y())
        for one in (panel.export, panel.missing)
    ]
    assert max(same) < 3 and panel.file_style.form.geometry().bottom() < panel.unclaimed.geometry().top()


def test_what_is_handed_over_and_what_is_kept_is_said_in_the_same_numbers_everywhere(
    qtbot: QtBot, room: ReleaseWorkspace
) -> None:
    """A signature lies beside the others and goes with them, until something else is written in their place."""
    run(room)
    room.export.details.button.click()
    click(qtbot, room)
    idle(qtbot, room)
    written, kept = room.export.written, room.document.session.data.reading.path.name
    assert not room.export.details.isVisible(), "details of what is written by now are of no use beside it"
    told = written.hand_over.text()
    assert told.splitlines() == [
        "Hand over all 3 files together, so that others can verify the release.",
        f"Keep {kept} to yourself.",
    ]
    ways = [one for one in written.findChildren(QPushButton) if one.isVisible() and one is not written.more]
    assert {written.another, written.save, room.export.check} <= set(ways)
    assert len({one.geometry().center().y() for one in ways}) <= 2, "beside each other, as far as there is room"
    assert room.next_hint() == "Open the folder of people_release.csv and 2 more files"
    room.export.sign.click()
    dialog = room.findChild(SignDialog)
    assert dialog is not None
    for button, said in ((dialog.make, "The key is made"), (dialog.sign, "Signed.")):
        button.click()
        qtbot.waitUntil(lambda said=said: said in dialog.told.text(), timeout=PATIENCE_MS)
    dialog.reject()
    assert written.names == [
        "people_release.csv",
        "people_release_statement.html",
        "people_release_metadata.json",
        "people_release_statement.sig.json",
    ]
    folder = Path(written.place.full_text)
    assert {one.name for one in folder.iterdir()} >= set(written.names), "as the folder has them"
    assert written.hand_over.text() == told.replace("3 files", "4 files")
    assert room.next_hint() == "Open the folder of people_release.csv and 3 more files"
    room.document.changed.emit("result")
    idle(qtbot, room)
    assert len(written.names) == 4, "as long as they are what was signed"
    room.export.again.set_open(True)
    click(qtbot, room)
    idle(qtbot, room)
    assert len(written.names) == 3


def test_what_was_exported_is_one_block_and_the_rest_is_folded(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    assert not room.page.said.button.isVisible() and room.export.file.isVisible()
    click(qtbot, room)
    written = room.export.written
    release = room.document.session.release
    exported = release.left_as_it_is(release.current_result())
    assert written.isVisible() and exported is not None
    assert written.fingerprint == exported.file.fingerprint and written.copy_digits.toolTip().startswith(
        exported.file.fingerprint
    )
    assert "Copy SHA-256" in [action.text() for action in written.others.actions()]
    assert written.place.full_text == str(exported.targets.path.parent)
    assert written.hand_over.text().startswith("Hand over all 3 files")
    room.export.show_found(OwnFileState.LOOKING)
    assert written.hand_over.text() == "Wait until they are verified; then hand over all 3 files together."
    room.export.show_found(OwnFileState.HOLDS)
    assert written.hand_over.text().startswith("Hand over all 3 files")
    assert all(one.isVisible() for one in (room.export.check, room.export.folder, written.more))
    assert "Copy statement" in [action.text() for action in written.others.actions()], "it is beside the statement, too"
    folded = (room.assertions, room.export.file, room.export.export, room.export.sign, room.export.command)
    assert not any(one.isVisible() for one in folded)
    room.page.said.button.click()
    room.export.again.button.click()
    assert room.assertions.isVisible() and room.export.export.isVisible() and room.export.export.isEnabled()
    run(room)
    assert not written.isVisible() and room.assertions.isVisible() and room.export.file.isVisible(), "another draw"


def test_what_was_signed_is_only_read_until_somebody_is_about_to_export_again(
    qtbot: QtBot, room: ReleaseWorkspace
) -> None:
    run(room)
    ticks = room.assertions.ticks
    assert ticks and all(tick.isEnabled() for tick in ticks)
    click(qtbot, room)
    qtbot.mouseClick(room.page.said.button, Qt.MouseButton.LeftButton)
    said = room.assertions.ticked
    for tick in room.assertions.ticks:
        qtbot.mouseClick(tick, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert said and room.assertions.ticked == said and room.next_hint().startswith("Open the folder of "), (
        "no click takes one back"
    )
    qtbot.mouseClick(room.export.again.button, Qt.MouseButton.LeftButton)
    tick = next(one for one in room.assertions.ticks if isinstance(one, QCheckBox) and one.isChecked())
    qtbot.mouseClick(tick, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.assertions.ticked < said


def test_what_a_written_file_has_is_said_by_column() -> None:
    levels = {"ward": ("as it is",), "age": ("intervals of 10", "intervals of 40")}
    form = WrittenForm({"ward": 0.0, "age": 0.1, "bill": 1.0}, after=AfterDraw(), levels=levels, added=("step",))
    assert form.lines == (
        "ward: as it is",
        "age: intervals of 10, intervals of 40, * in 10 %",
        "bill: * in every row",
        "step",
    )


def test_what_a_written_file_has_is_only_read_until_it_is_exported_again(
    qtbot: QtBot, room: ReleaseWorkspace, on_screen: OnScreen
) -> None:
    run(room)
    form = room.page.form
    form.set_open(True)
    assert form.boxes and not form.written.isVisible()
    click(qtbot, room)
    assert form.written.isVisible() and "Export again…" in form.written.text()
    listed = form.listed.text().splitlines()
    assert form.listed.isVisible() and [line.partition(":")[0] for line in listed] == list(form.boxes), "one a line"
    assert all(line.partition(": ")[2] for line in listed), "and what it is"
    assert not any(re.search(r"\d+ groups?\b", line) for line in listed), "as some of them may be in no row"
    assert not any(box.isVisible() for box in form.boxes.values()) and not form.labels.isVisible(), "no greyed form"
    qtbot.mouseClick(room.export.again.button, Qt.MouseButton.LeftButton)
    assert form.written.text().startswith("This is for another file")
    assert not form.listed.isVisible() and all(box.isVisible() for box in form.boxes.values())
    alone, told = on_screen(WrittenFormView(), 400), list[object]()
    alone.chosen.connect(lambda left_out, _labels: told.append(left_out))
    alone.show_form(WrittenForm({"ward": 0.0, "age": 0.1}))
    alone.set_open(True)
    box = alone.boxes["age"]
    assert box.isEnabled()
    for fixed in (True, False):
        alone.show_fixed(True, fixed=fixed)
        box.click()
        assert box.isEnabled() is not fixed
    assert told == [["age"]], "no click takes a column out of a file that is written"


def test_who_publishes_is_only_read_once_it_is_in_files_until_somebody_exports_again(
    qtbot: QtBot, room: ReleaseWorkspace
) -> None:
    run(room)
    publisher = room.page.publisher
    assert not publisher.field.isReadOnly() and not publisher.fixed.isVisible()
    click(qtbot, room)
    idle(qtbot, room)
    qtbot.keyClicks(publisher.field, "The union")
    qtbot.keyClick(publisher.field, Qt.Key.Key_Return)
    assert publisher.field.text() == "" and publisher.field.placeholderText() == "nobody"
    assert room.document.session.publishing is None and room.next_hint().startswith("Open the folder of ")
    assert publisher.fixed.isVisible() and "without a name" in "".join(
        one.text() for one in publisher.fixed.findChildren(QLabel)
    )
    qtbot.mouseClick(publisher.change, Qt.MouseButton.LeftButton)
    assert room.export.again.is_open and not publisher.field.isReadOnly() and not publisher.fixed.isVisible()
    assert room.focusWidget() is publisher.field
    qtbot.keyClicks(publisher.field, "The union")
    qtbot.keyClick(publisher.field, Qt.Key.Key_Return)
    idle(qtbot, room)
    assert room.next_hint() == "Export it again" and publisher.otherwise.isVisible()


@pytest.mark.parametrize("beside", [True, False])
def test_a_name_is_said_to_be_in_the_files_where_it_is(qtbot: QtBot, room: ReleaseWorkspace, beside: bool) -> None:
    room.document.speak_as(named_publisher(None, "The union"))
    run(room)
    room.export.statement.setChecked(beside)
    room.export.note.setChecked(beside)
    click(qtbot, room)
    idle(qtbot, room)
    publisher = room.page.publisher
    told = "".join(one.text() for one in publisher.fixed.findChildren(QLabel))
    assert publisher.fixed.isVisible() and publisher.field.text() == "The union"
    assert told == ("Exported with it." if beside else "Exported without a name.")
