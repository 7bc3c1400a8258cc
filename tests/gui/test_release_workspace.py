"""The Release workspace: verdict, checklist, statement and export as a person meets them."""

from __future__ import annotations

import json
import time
from collections.abc import Collection
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDesktopServices, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, data_is_there, idle
from workbench.anonymise.terms import BY_DATA, PEOPLE_KNOWN, PEOPLE_NOT_TOLD
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.rationals import rational
from workbench.core.schema import PrivacyUnit
from workbench.engines.choice import EngineChoice
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.gui.opener import Opener
from workbench.gui.project_files import ProjectFiles
from workbench.gui.settings import WindowSettings
from workbench.gui.sign_dialog import SignDialog
from workbench.gui.theme import Theme, current_theme
from workbench.gui.verify_dialog import VerifyDialog
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.gui.workspaces.release.assertion_list import AssertionList
from workbench.io.export_format import FORMATS
from workbench.io.reading import read_table
from workbench.project.storage import load_project
from workbench.query.ledger import Charge, LedgerHistory, RecordedLook
from workbench.session.release.knowledge import answer_number
from workbench.session.release.other_answers import OtherAnswer

pytestmark = pytest.mark.usefixtures("sampling")


@pytest.fixture
def room(
    qtbot: QtBot, document: Document, messages: MessageBar, on_screen: OnScreen, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> ReleaseWorkspace:  # fmt: skip
    """The workspace with 4,000 people whose ages have a public hierarchy; not run yet. Every question gets a Yes."""
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(4000)), encoding="utf-8")
    room = ReleaseWorkspace(document)
    room.messages = messages
    on_screen(room, 900)
    document.open_data(data)
    data_is_there(qtbot, document)
    document.apply("attach", lambda s: s.data.attach_hierarchy("age", tens(Provenance.PUBLIC)))
    return room


def tens(provenance: Provenance) -> Hierarchy:
    return Hierarchy.from_rows(
        [(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)], provenance=provenance, origin="tens"
    )


def run(room: ReleaseWorkspace, *, said: bool = True) -> None:
    """Make a new draw, and say what its claim rests on."""
    document = room.document
    document._accept(document.session.release.anonymiser()())
    deadline = time.monotonic() + 50
    while document.runner.jobs and time.monotonic() < deadline:
        QCoreApplication.processEvents()  # until a free name was found for it
    if said:
        say(room)


def say(room: ReleaseWorkspace) -> None:
    """Say all that the claim of this draw rests on, if it has one."""
    for tick in room.assertions.ticks:
        if not tick.isChecked():
            tick.click()


def words_of(part: QWidget) -> str:
    """What is said somewhere, seen or not."""
    return "\n".join(label.text() for label in part.findChildren(QLabel))


def words(room: ReleaseWorkspace) -> str:
    return "\n".join(label.text() for label in room.findChildren(QLabel) if label.isVisibleTo(room))


def test_empty_it_says_what_belongs_here(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    assert "Nothing to release yet" in words(room)
    with qtbot.waitSignal(room.go_to) as asked:
        next(b for b in room.findChildren(QPushButton) if b.text() == "Go to Anonymise").click()
    assert asked.args == ["anonymise"]


def test_below_what_was_released_nothing_new_is_to_be_released(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    room.export.export.click()
    idle(qtbot, room)
    room.document.open_data(tmp_path / "people.csv")
    qtbot.waitUntil(lambda: "Nothing new to release" in words(room), timeout=10_000)
    assert "Nothing to release yet" not in words(room)
    assert "“people_release.csv” was released on 20" in words(room)
    table = room._before.table
    line = table.visualRect(table.model().index(0, 0))
    qtbot.waitUntil(lambda: line.bottom() <= table.viewport().height() and line.height() > 0)


def test_the_statement_is_green_once_all_is_said_that_it_rests_on(room: ReleaseWorkspace) -> None:
    green = current_theme().success.lower()
    run(room, said=False)
    assert "differentially private release" in room.statement.toPlainText()
    assert green not in room.statement.toHtml()
    say(room)
    assert green in room.statement.toHtml()
    room.assertions.ticks[-1].click()
    assert green not in room.statement.toHtml()


def test_a_claim_that_holds(room: ReleaseWorkspace) -> None:
    run(room)
    assert "the claim holds" in room.verdict.text
    assert "differentially private release" in room.statement.toPlainText()
    assert room.export.export.isEnabled()


def test_a_void_claim_leads_to_where_it_is_put_right(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    room.document.apply("derived", lambda s: s.data.attach_hierarchy("age", tens(Provenance.DERIVED)))
    run(room)
    assert "No (ε, δ) claim" in room.verdict.text
    assert "No (ε, δ) claim" in room.statement.toPlainText()
    show = [b for b in room.checks.findChildren(QPushButton) if "Hierarchies" in b.accessibleName()]
    with qtbot.waitSignal(room.go_to) as asked:
        qtbot.mouseClick(show[0], Qt.MouseButton.LeftButton)
    assert asked.args == ["hierarchies"]


def test_after_a_change_nothing_can_be_exported(room: ReleaseWorkspace) -> None:
    run(room)
    room.document.apply("level", lambda s: s.release.columns.set_level("age", 2))
    assert not room.export.export.isEnabled()
    assert "changed after the last run" in words(room)


def test_removing_the_seed_makes_no_claim_for_the_file_that_has_one(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    room.document.apply("seed", lambda s: s.release.set_seed(5))
    run(room)
    assert room.export.export.text() == "&Export without claim"
    room.document.export(tmp_path / "seeded.csv", None, without_claim=True)
    idle(qtbot, room)
    before = room.statement.toPlainText()
    assert "No (ε, δ) claim is made" in before and "seeded.csv" in before
    room.document.apply("seed", lambda s: s.release.set_seed(None))
    assert "No (ε, δ) claim" in room.verdict.text
    assert room.statement.toPlainText() == before
    lights = [w.accessibleName() for w in room.checks.findChildren(QWidget) if "Randomness" in w.accessibleName()]
    assert "Randomness: only a new draw mends it" in lights


def test_a_file_keeps_its_statement_when_the_settings_change(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    room.document.session.ledger.current.charge(
        Charge("query", "count", Fraction(1, 10))
    )  # the statement will tell of it
    room.document.export(tmp_path / "fine.csv", None)
    idle(qtbot, room)
    before, verdict = room.statement.toPlainText(), room.verdict.text
    assert "fine.csv" in before and "the claim holds" in verdict
    room.document.apply("level", lambda s: s.release.columns.set_level("age", 2))
    assert (room.statement.toPlainText(), room.verdict.text) == (before, verdict)
    room.document.apply("derived", lambda s: s.data.attach_hierarchy("age", tens(Provenance.DERIVED)))
    assert (room.statement.toPlainText(), room.verdict.text) == (before, verdict)
    assert not room.export.export.isEnabled() and room.next_hint() == ""


def test_every_page_says_that_the_result_is_out_of_date(room: ReleaseWorkspace) -> None:
    run(room)
    notices = (room.page.stale, room.attack.stale)
    assert all(notice.isHidden() for notice in notices)
    room.document.apply("level", lambda s: s.release.columns.set_level("age", 2))
    assert all(not notice.isHidden() and "changed after the last run" in notice.text() for notice in notices)
    room.document.undo_stack.undo()
    assert all(notice.isHidden() for notice in notices)


def test_export_with_another_delimiter_and_history(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    out = tmp_path / "out.csv"
    room.export.file.setText(str(out))
    room.export.file_style.delimiter.setCurrentIndex(1)
    room.export.statement.setChecked(False)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_text(encoding="utf-8").splitlines()[0] == "age"
    assert not out.with_name("out_statement.html").exists()
    assert room.history.table.model().rowCount() == 1
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.history.table.model().rowCount() == 1  # the same file again is the same release
    run(room)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.history.table.model().rowCount() == 2
    room.tabs.setCurrentWidget(room.released)
    assert "ε 2" in words(room)


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


def test_once_it_left_no_answer_about_the_number_is_live(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    question = room.assertions.questions[PEOPLE_NOT_TOLD]
    assert question.more.isEnabled()
    room.export.file.setText(str(tmp_path / "out.csv"))
    room.export.write()
    idle(qtbot, room)
    question = room.assertions.questions[PEOPLE_NOT_TOLD]
    assert not any(one.isEnabled() for one in (question.no, question.yes, question.more))


def test_the_delimiter_of_the_original_is_proposed(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    assert room.export.file_style.chosen.delimiter == ","
    other = tmp_path / "semicolons.csv"
    other.write_text("age;town\n" + "20;Bern\n30;Basel\n" * 20, encoding="utf-8")
    room.document.open_data(other)
    idle(qtbot, room)
    assert room.export.file_style.chosen.delimiter == ";"
    room.export.file_style.delimiter.setCurrentIndex(0)
    room.export.propose()
    assert room.export.file_style.chosen.delimiter == ",", "what a person said stays"


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


def test_in_both_themes_text_follows_the_theme(room: ReleaseWorkspace, theme: Theme) -> None:
    run(room)
    assert not room.grab().isNull()


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


def test_no_statement_vouches_for_another_file(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    out = tmp_path / "out.csv"
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    before = out.read_bytes()
    room.document.apply("void", lambda s: s.release.columns.set_levels_blind(False))
    run(room)
    room.export.file.setText(str(out))  # rather than the name that is proposed
    room.export.statement.setChecked(False)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_bytes() == before
    assert "vouch" in room.messages.messages[0].text


def show(room: ReleaseWorkspace, page: QWidget) -> None:
    """Bring the tab with this page to the front."""
    for place in range(room.tabs.count()):
        tab = room.tabs.widget(place)
        if tab is page or tab.isAncestorOf(page):
            room.tabs.setCurrentIndex(place)


def test_the_exported_file_is_checked_again_and_the_check_can_be_copied(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    assert not room.export.command.isEnabled()
    assert (room.next_hint(), room.next_field()) == ("Export the release", "export")
    room.checks.more.set_open(True)
    assert "read back" not in words(room), "nothing that nobody could do anything about is a warning"
    out, written = tmp_path / "out.csv", list[str]()
    room.document.noted.connect(lambda _kind, text: written.append(text))
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    qtbot.waitUntil(lambda: "counted again from the file" in words(room))
    assert "rows written and counted again" in words(room)
    assert (room.next_hint(), room.next_field()) == ("Verify the file", "verify")
    names = ["out.csv", "out_statement.html", "out_metadata.json"]
    assert room.export.written.isVisible() and room.export.written.names == names, "each is named"
    assert [line.toolTip() for line in room.export.written.lines] == [str(tmp_path / name) for name in names]
    assert written[-1].endswith("rows were written, read back and counted again: out.csv")
    assert "read back and counted again" in room.statement.toPlainText()
    command = room.export.verify_command()
    assert command == f"workbench verify {out} --statement {tmp_path / 'out_statement.html'}"
    assert main(command.split()[1:]) == 0
    out.write_text(out.read_text("utf-8") + "20s\n", encoding="utf-8")
    assert main(command.split()[1:]) == 1


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


def test_an_attack_shows_what_protection_means(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    attack = room.attack
    assert not room.document.runner.jobs  # nothing runs that nobody sees
    show(room, attack)
    assert "no look at this data is recorded" in attack.sentence.text() and not attack.table.isVisible()
    room.document.look(publish=True)
    idle(qtbot, room)
    assert attack.chosen == ("age",)
    assert attack.table.texts()[0][1:] == ("1 %", attack.table.texts()[0][2])
    assert "points at the right row" in attack.sentence.text()
    step = attack.knowledge.data
    assert step.names == ("age",) and step.before[0] > step.after[0] > 0
    kinds = attack.attackers.data
    assert kinds.names[0] == "sure, at most" and kinds.before[0] >= kinds.after[0] > 0
    assert attack.charts.isVisible()
    assert "The promise allows nobody more than 73.1 %" in attack.told.text()
    before = attack.membership.texts()
    attack.seed.setValue(7)
    idle(qtbot, room)
    assert attack.membership.texts() != before
    attack.known.item(0).setCheckState(Qt.CheckState.Unchecked)
    idle(qtbot, room)
    assert "Tick a column" in attack.sentence.text()
    assert not attack.table.isVisible() and not attack.charts.isVisible()
    assert room.lock == "Analyst only"
    show(room, room.page)
    assert not room.lock


def test_everything_that_left_has_its_statement(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(room, room.released)
    assert "Nothing has left yet" in words(room)
    run(room)
    room.document.session.ledger.current.charge(Charge("query", "how many", Fraction(1, 10)))
    room.document.changed.emit("file")
    assert "(0.1, 0)" in room.released.view.toPlainText()
    room.history.choose(1)
    assert "Statement on a draw" in room.released.view.toPlainText()
    room.export.file.setText(str(tmp_path / "out.csv"))
    room.export.write()
    idle(qtbot, room)
    assert room.history.table.model().rowCount() == 2
    room.history.choose(1)
    assert "Privacy statement" in room.released.view.toPlainText()
    assert room.released.view.toPlainText() == room.statement.toPlainText(), "one statement on one release"
    room.history.choose(0)
    assert "Statement on an answer" in room.released.view.toPlainText()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "said.html"), ""))
    room.released.save.click()
    idle(qtbot, room)
    assert "(0.1, 0)" in (tmp_path / "said.html").read_text("utf-8")


def test_beyond_the_budget_nothing_is_drawn(room: ReleaseWorkspace) -> None:
    room.document.session.ledger.current.set_budget(Fraction(1, 2), Fraction(1, 10**6))
    assert room.document.run() is None
    assert "beyond the budget" in room.messages.messages[-1].text
    assert room.document.session.release.result is None and room.next_hint() == ""


def test_a_budget_that_suffices_leaves_the_way_open(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    room.document.session.ledger.current.set_budget(Fraction(1), Fraction(1, 10**3))
    run(room)
    assert "the claim holds" in room.verdict.text and room.next_hint() == "Export the release"
    room.document.export(tmp_path / "out.csv", None)
    idle(qtbot, room)
    # Paid for, it may be written again, though nothing is left.
    assert "the claim holds" in room.verdict.text and room.export.export.isEnabled()


@pytest.mark.parametrize("size", [(600, 520), (800, 640), (2000, 1200)])
def test_it_fits_and_everything_has_a_name(qtbot: QtBot, room: ReleaseWorkspace, size: tuple[int, int]) -> None:
    run(room)
    book = HelpBook()
    for place in range(room.tabs.count()):
        room.tabs.setCurrentIndex(place)
        idle(qtbot, room)
        room.resize(*size)
        assert (room.width(), room.height()) == size
        for widget in room.findChildren(QWidget):
            if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                assert widget.accessibleName() or getattr(widget, "text", str)(), widget
            key = explain_key(widget)
            assert not key or book.find(key) is not None, key
        room.focus_first()


def test_a_line_that_is_cut_fades_and_the_last_one_does_not(room: ReleaseWorkspace) -> None:
    room.resize(800, 560)
    run(room, said=False)
    edges, area = room.page.edges, room.page.scrolled
    bar, viewport = area.verticalScrollBar(), area.viewport()
    assert bar.maximum() > 0 and edges.geometry() == viewport.geometry()
    assert (edges.above, edges.below) == (False, True)
    bar.setValue(bar.maximum())
    assert (edges.above, edges.below) == (True, False)
    ground, shown = QColor(current_theme().window), room.grab().toImage()
    top = edges.mapTo(room, QPoint(0, 0))
    row = {shown.pixelColor(top.x() + x, top.y()).name() for x in range(edges.width())}
    assert row == {ground.name()}, "what is beyond the edge is not begun"
    assert edges.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents), "every press goes through"
    room.resize(800, 2400)
    assert (edges.above, edges.below) == (False, False)


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


def click(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)


def questions(monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton) -> list[str]:
    """What is asked from now on, which always gets this answer."""
    asked: list[str] = []

    def ask(_: object, __: str, text: str, *___: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return answer

    monkeypatch.setattr(QMessageBox, "question", ask)
    return asked


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


EARLIER = "not counted here"


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
    (tmp_path / "released" / "people_release.csv").parent.mkdir(exist_ok=True)
    (tmp_path / "released" / "people_release.csv").write_text("age\n20s\n", encoding="utf-8")
    run(room, said=False)
    qtbot.waitUntil(lambda: "and 1 more stand in" in words(room))
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


def test_without_a_claim_the_button_says_so(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    assert room.export.export.text() == "&Export release"
    # What was promised on the screen is not exported without: the claim was lost meanwhile.
    room.document.session.ledger.current.carried = LedgerHistory(looks=(RecordedLook("z", "", "older", True),))
    click(qtbot, room)
    assert "cannot be claimed" in room.messages.messages[-1].text
    assert not list(tmp_path.glob("**/people_release*"))
    assert not any(entry.left for entry in room.document.session.ledger.current.entries)
    room.document.changed.emit("result")
    assert room.export.export.text() == "&Export without claim"
    click(qtbot, room)
    assert "No (ε, δ) claim is made" in (tmp_path / "released" / "people_release_statement.html").read_text("utf-8")
    idle(qtbot, room)
    assert room.next_hint() == "Done: handle the file like the original data"


def test_the_list_tells_which_file_is_which(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    click(qtbot, room)
    exported = room.export._exported
    assert exported is not None
    cell = room.history.table.model().index(0, 5)
    assert cell.data() == exported.file.fingerprint[:8]
    assert cell.data(Qt.ItemDataRole.ToolTipRole) == f"people_release.csv: {exported.file.fingerprint}"
    room.export.file.setText(str(Path(room.export.file.text()).with_name("again.csv")))
    room.export.file_style.delimiter.setCurrentIndex(1)
    room.export.file_style.quotes.setCurrentIndex(1)
    click(qtbot, room)
    shown = room.history.table.model().index(0, 5).data().split(", ")
    assert len(shown) == 2 and shown[0] == exported.file.fingerprint[:8] != shown[1]
    assert room.history.table.model().rowCount() == 1


def test_exporting_puts_nothing_into_the_saved_project(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    document, path = room.document, tmp_path / "p.wbench"
    assert document.save(path)
    before = path.read_bytes()
    run(room)
    click(qtbot, room)
    assert (tmp_path / "released" / "people_release.csv").exists()
    assert path.read_bytes() == before
    assert document.modified
    assert [entry.left for entry in document.session.ledger.current.entries] == [True]
    assert document.save(path) and not document.modified
    assert [record.file for record in load_project(path).releases] == ["people_release.csv"]


def test_an_export_with_a_claim_waits_until_everything_is_said(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room, said=False)
    ticks = room.assertions.ticks
    assert len(ticks) > 1 and not any(tick.isChecked() for tick in ticks)
    assert room.verdict.text.endswith(f"e-5 if you can say {len(ticks) + len(room.assertions.declared)} sentences:")
    room.export.write()
    idle(qtbot, room)
    assert not list(tmp_path.glob("**/people_release*"))
    for tick in ticks[:-1]:
        qtbot.mouseClick(tick, Qt.MouseButton.LeftButton)
        assert not room.export.export.isEnabled()
    room.focus_first()
    assert ticks[-1].hasFocus()
    qtbot.keyClick(ticks[-1], Qt.Key.Key_Space)
    assert room.export.export.isEnabled() and room.verdict.text.endswith("the claim holds")
    assert not room.assertions.open and room.export.unclaimed.isHidden()
    claim = room.document.session.release.current_claim()
    said_before = room.assertions.declared
    assert set(said_before) == {"No person has more than one row in the table."} & set(said_before)
    asked = {tick.accessibleName().removeprefix("No. ") for tick in ticks}
    assert asked == {one for one in claim.asserted if one not in said_before}


def test_another_draw_has_to_be_spoken_of_anew(room: ReleaseWorkspace) -> None:
    run(room)
    first = room.document.session.release.result
    run(room, said=False)
    assert not room.assertions.ticked and room.assertions.open
    room.document.session.release.result = first
    room.document.changed.emit("result")
    assert room.assertions.ticked, "what was said of the first draw stays said of it"
    room.page.choice.alone.click()
    assert room.assertions.open == 1, "that it was not picked is a question where there are two draws"


def test_a_draw_among_several_is_spoken_of_by_itself(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room, said=False)
    assert not any("picked" in tick.accessibleName() for tick in room.assertions.ticks)
    assert room.page.choice.isHidden()
    run(room, said=False)
    assert room.page.choice.together.isChecked()
    qtbot.mouseClick(room.page.choice.alone, Qt.MouseButton.LeftButton)
    last = next(tick for tick in room.assertions.ticks if "picked" in tick.accessibleName())
    for tick in room.assertions.ticks:
        if tick is not last:
            tick.click()
    assert room.assertions.open == 1 and not room.export.export.isEnabled()
    assert "picked from several" in last.accessibleName() and "2 draws were made" in last.accessibleDescription()
    qtbot.waitUntil(last.isVisible)
    qtbot.mouseClick(last, Qt.MouseButton.LeftButton)
    assert room.export.export.isEnabled()


def test_who_chose_among_draws_claims_their_sum(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    for _ in range(3):
        run(room, said=False)
    promised = room.document.session.release.current_claim().guarantee
    say(room)
    assert not room.assertions.open and not any("not picked" in one.accessibleName() for one in room.assertions.ticks)
    room.export.write()
    idle(qtbot, room)
    note = json.loads((tmp_path / "released" / "people_release_metadata.json").read_text("utf-8"))
    assert note["release"]["promised"]["epsilon"] == 3 * promised.epsilon
    assert rational(note["release"]["promised"]["delta"]) == 3 * rational(promised.delta)
    assert note["release"]["terms"]["counted"] == 3
    file, said = tmp_path / "released" / "people_release.csv", tmp_path / "released" / "people_release_metadata.json"
    assert main(["verify", str(file), "--statement", str(said)]) == 0
    (left,) = (one for one in room.document.session.ledger.current.entries if one.files)
    assert left.together is not None and left.together.releases == 3 and "claimed with all 3" in left.what
    assert room.page.choice.isHidden() and room.document.session.release.exported_with_claim


def test_export_while_it_waits_goes_to_what_it_waits_for(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room, said=False)
    assert not room.export.export.isEnabled()
    middle = room.export.export.geometry().center()
    qtbot.mouseClick(room.export, Qt.MouseButton.LeftButton, pos=middle)
    assert room.assertions.ticks[0].hasFocus()
    room.assertions.ticks[0].click()
    qtbot.mouseClick(room.export.missing, Qt.MouseButton.LeftButton)
    assert room.assertions.ticks[1].hasFocus()


def test_whoever_cannot_say_it_exports_without_a_claim(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(room, said=False)
    place = room.export.unclaimed.geometry().translated(room.export.unclaimed.parentWidget().pos())
    room.assertions.ticks[0].click()
    asked = questions(monkeypatch, QMessageBox.StandardButton.No)
    qtbot.mouseClick(room.export.unclaimed, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not list(tmp_path.glob("**/people_release*")), "it cannot be taken back, so it is asked about"
    assert str(tmp_path / "released" / "people_release.csv") in asked[0], "it is said where it would be"
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    qtbot.mouseClick(room.export.unclaimed, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not any(place.intersects(one.geometry()) for one in (room.export.check, room.export.folder))
    page = tmp_path / "released" / "people_release_statement.html"
    text = page.read_text("utf-8")
    assert "No (ε, δ) claim is made" in text
    assert text.count("It can be asserted only before the file is written") >= 2
    assert "The publisher does not assert: “Which columns are released" in text
    assert "The publisher does not assert: “No other draw or release" in text, "whatever is missing is named"
    assert "The publisher does not assert: “Nobody is told how many people" not in text, "that was said"
    assert "What the publisher asserts" not in text
    assert room.status() is Status.WARNING and room.export.state.text() == "Written without a claim"
    assert "No (ε, δ) claim" in room.verdict.text and not room.assertions.isVisible()
    assert main(["verify", str(tmp_path / "released" / "people_release.csv"), "--statement", str(page)]) == 0
    assert not room.document.session.ledger.current.entries[-1].charge.claimed


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


def test_what_was_said_has_another_sign_than_what_was_checked(room: ReleaseWorkspace) -> None:
    run(room)
    room.checks.more.set_open(True)
    names = [line.accessibleName() for line in room.checks.findChildren(QWidget) if ": " in line.accessibleName()]
    assert {"Hierarchies: you say so", "Levels and parameters: you say so", "Randomness: in order"} <= set(names)


def test_the_folder_opens_and_the_file_can_be_verified(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def show(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return len(opened) == 1

    monkeypatch.setattr(QDesktopServices, "openUrl", show)
    run(room)
    assert room.export.folder.isHidden() and room.export.check.isHidden()
    click(qtbot, room)
    said: list[tuple[str, str]] = []
    room.document.noted.connect(lambda *told: said.append(told))
    qtbot.mouseClick(room.export.folder, Qt.MouseButton.LeftButton)
    assert [Path(one) for one in opened] == [tmp_path / "released"] and "written" in room.export.state.full_text
    qtbot.mouseClick(room.export.folder, Qt.MouseButton.LeftButton)
    assert said[-1] == ("warning", f"The files are in {tmp_path / 'released'}: no program here shows folders.")
    assert "rows written and counted again" in room.export.state.full_text, "both can be read"
    for button in (room.export.folder, room.export.check, room.export.sign, room.export.command):
        assert len(button.toolTip()) > 30, "what it results in"
    qtbot.mouseClick(room.export.check, Qt.MouseButton.LeftButton)
    dialog = room.findChild(VerifyDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: "Yes: the file is what its statement says" in dialog.findings.text, timeout=10_000)
    assert "You are the publisher" in dialog.findings.text and "Ask the publisher" not in dialog.findings.text
    assert "told everything with a chance of 1e-5, and otherwise kept to the factor above" in dialog.findings.text
    dialog.verify(Path(room.export.file.text()))  # as somebody who received it
    qtbot.waitUntil(lambda: "Ask the publisher" in dialog.findings.text, timeout=10_000)
    dialog.reject()
    qtbot.mouseClick(room.export.sign, Qt.MouseButton.LeftButton)
    signing = room.findChild(SignDialog)
    assert signing is not None and signing.what.full_text == Path(room.export.file.text()).name
    signing.reject()


def test_next_after_an_export_is_to_verify_and_then_to_hand_over(
    qtbot: QtBot, room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) is None)
    run(room)
    click(qtbot, room)
    room.reach(room.next_field())
    assert room.focusWidget() is room.export.check
    with qtbot.waitSignal(room.status_changed, timeout=10_000):
        assert room.do_next(room.next_field())
    dialog = room.findChild(VerifyDialog)
    assert dialog is not None and "Yes: the file is what its statement says" in dialog.findings.text and not opened
    dialog.reject()
    assert room.next_hint() == "Done: hand over all 3 files"
    assert room.do_next(room.next_field()) and opened
    run(room)
    assert not room.export.written.isVisible() and room.next_hint() == "Export the release", "another draw"


def test_a_file_that_does_not_hold_is_still_to_be_verified(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room)
    click(qtbot, room)
    file = Path(room.export.file.text())
    file.write_text(file.read_text("utf-8") + "20s\n", encoding="utf-8")
    assert room.do_next("verify")
    dialog = room.findChild(VerifyDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: bool(dialog.findings.text), timeout=10_000)
    assert room.next_hint() == "Verify the file"
    dialog.reject()


def test_of_a_file_that_left_before_another_draw_its_statement_is_said_to_be_outdated(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    click(qtbot, room)
    file = tmp_path / "released" / "people_release.csv"

    def verified() -> list[str]:
        room._verify(file)
        dialog = room.findChildren(VerifyDialog)[-1]
        qtbot.waitUntil(lambda: "Yes: the file is what its statement says" in dialog.findings.text, timeout=10_000)
        said = dialog.findings.text.splitlines()
        dialog.reject()
        return said

    assert not any("no longer true" in line for line in verified())
    run(room, said=False)
    assert verified()[1].startswith("The ledger of this data counts 1 release made after this draw.")
    assert room.document.session.ledger.left_names(room.document.session.data.fingerprint) == ("people_release.csv",)


def test_beside_the_statement_the_promise_is_said_in_a_breath(room: ReleaseWorkspace) -> None:
    run(room)
    assert "With or without one person: the odds of either change at most × 2.719, but for δ." in words(room)
    assert "Worst case 73.11 % (50 % before), δ included: somebody who knows everybody else." in words(room)
    number = room.assertions.others["Nobody is told how many people there are in the table."]
    number.click()
    assert "With one person or another in their place" in words(room) and "× 7.39" in words(room)
    by_data = next(one for one in room.assertions.others.values() if one.accessibleName().startswith("Not so"))
    by_data.click()
    assert "worst case" not in words(room) and "May be published with the file" in words(room)


def test_the_statement_is_copied_as_text_and_as_a_page(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room, said=False)
    assert not room.page.copy.isEnabled(), "nobody has said yet what it says in their name"
    assert "say first" in room.page.copy.toolTip()
    say(room)
    assert room.page.copy.isEnabled() and not room.page.copy.toolTip()
    qtbot.mouseClick(room.page.copy, Qt.MouseButton.LeftButton)
    mime = QGuiApplication.clipboard().mimeData()
    assert mime.text() == room.statement.toPlainText()
    assert "differentially private release" in mime.html()
    assert room.export.written.isHidden()
    click(qtbot, room)
    QGuiApplication.clipboard().clear()
    qtbot.mouseClick(room.export.written.copy, Qt.MouseButton.LeftButton)
    assert "read back and counted again" in QGuiApplication.clipboard().text(), "as it was written"


def test_a_signature_of_what_stood_there_before_is_named(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[str, str]] = []
    room.document.noted.connect(lambda kind, text: said.append((kind, text)))
    run(room)
    signature = tmp_path / "released" / "people_release_statement.sig.json"
    signature.parent.mkdir()
    signature.write_text("{}", encoding="utf-8")
    click(qtbot, room)
    assert said[-1][0] == "warning" and signature.name in said[-1][1] and "Sign it anew" in said[-1][1]


def test_that_the_number_of_people_is_known_is_said_in_its_own_place(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room, said=False)
    text = "Nobody is told how many people there are in the table."
    other, question = room.assertions.others[text], room.assertions.questions[text]
    assert other.accessibleName() == "Yes, or I do not know"
    assert "ε = 1:" in question.no.accessibleDescription() and "ε = 2:" in other.accessibleDescription()
    assert not question.no.isChecked() and not other.isChecked(), "nothing is said in anybody's name"
    say(room)
    assert "ε = 1," in room.verdict.text and room.export.export.isEnabled()
    assert "weaker" not in words(room) and "counts twice" not in words_of(room.released)
    other.click()
    assert "Worst case 88.08 %" in words(room), "what it comes to"
    assert "That is weaker than ε = 1, where it would be 73.11 %." in words(room)
    assert "all of it counts twice, together ε 2" in words_of(room.released), "the strip has no other sum"
    # Another claim holds then, which says what it is for; nothing else has to be said again.
    assert "for replacing a person: the claim holds" in room.verdict.text and "ε = 2," in room.verdict.text
    assert "for replacing one person by another" in room.statement.toPlainText()
    assert not room.assertions.open and room.export.export.isEnabled()
    tick = room.assertions.questions[text].no
    assert tick in room.assertions.ticks and not tick.isChecked() and room.assertions.others[text].isChecked()
    tick.click()
    assert "ε = 1," in room.verdict.text and not room.assertions.others[text].isChecked()
    room.assertions.others[text].click()
    room.assertions.others[text].click()
    assert room.assertions.others[text].isChecked() and not room.assertions.open, "an answer is only changed"
    room.export.write()
    idle(qtbot, room)
    left = room.assertions.questions[text]
    assert left.yes.isChecked() and not left.no.isChecked(), "what was answered stays in its place"
    assert not left.yes.isEnabled() and not left.no.isEnabled(), "and is not answered otherwise"
    run(room, said=False)
    assert not any(text in one.accessibleName() for one in room.assertions.ticks), "what has left cannot be unsaid"


def test_what_the_budget_has_no_room_for_is_said_before_export_and_taken_back_only_when_asked(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.document.session.ledger.current.set_budget(Fraction(1), Fraction(2, 10**5))
    run(room)
    other = room.assertions.others["Nobody is told how many people there are in the table."]
    other.click()
    assert room.verdict.text == "The budget has no room for it" and not room.export.export.isEnabled()
    assert "No room in the budget" in room.export.state.full_text
    QCoreApplication.processEvents()
    assert "counts twice" in words(room) and "It can leave without a claim." in words(room)
    asked: list[str] = []

    def refuse(*told: object) -> QMessageBox.StandardButton:
        asked.append(str(told[2]))
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "question", refuse)
    tick = room.assertions.questions["Nobody is told how many people there are in the table."].no
    tick.click()
    assert len(asked) == 1 and "Take that back only if it was a mistake" in asked[0]
    assert "or that you do not know whether they do" in asked.pop(), "as whoever was not sure answered too"
    assert other.isChecked() and not tick.isChecked() and not room.export.export.isEnabled()
    # Without a claim it can leave, as is said.
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    assert room.export.unclaimed.isEnabled() and not room.export.unclaimed.isHidden()
    room.export.unclaimed.click()
    idle(qtbot, room)
    assert (tmp_path / "released" / "people_release.csv").exists()
    assert "No (ε, δ) claim" in room.verdict.text and "without" in room.document.session.ledger.current.entries[-1].what


def test_what_was_answered_before_the_draw_is_shown_answered_and_can_be_changed(room: ReleaseWorkspace) -> None:
    room.document.session.release.say_beforehand({PEOPLE_NOT_TOLD})
    run(room, said=False)
    listed = room.assertions
    question = listed.questions[PEOPLE_NOT_TOLD]
    assert question.no.isChecked() and not question.yes.isChecked() and listed.ticked == {PEOPLE_NOT_TOLD}
    # Nobody was asked of parts with it, so all of that is one sentence to be ticked.
    assert not question.more.isVisibleTo(room) and "–  " not in words_of(question)
    assert "Both are so:" in words_of(listed) and listed.missing == (0, len(listed.ticks) - 1)
    assert not room.export.export.isEnabled() and "answer" not in room.export.missing.text()
    say(room)
    assert room.export.export.isEnabled() and listed.open == 0
    question.yes.click()
    QCoreApplication.processEvents()
    assert "for replacing a person" in room.verdict.text
    release = room.document.session.release
    assert release.said(release.current_result().draw) >= {PEOPLE_KNOWN}
    assert not release.beforehand, "who says otherwise has not said it of the next draw"


def test_what_was_answered_in_anonymise_is_told_in_a_line_and_not_asked_again(room: ReleaseWorkspace) -> None:
    """Nobody was asked of parts with it: what is asserted of these has a tick of its own, whichever the answer was."""
    release = room.document.session.release
    for known, answer in ((False, "No. Nobody is told how many people"), (True, "Yes, or I do not know")):
        answer_number(room.document.session, known=known)
        run(room, said=False)
        question = room.assertions.questions[PEOPLE_NOT_TOLD]
        QCoreApplication.processEvents()
        assert f"Answered in Anonymise: Do others know how many people there are? “{answer}" in words(room)
        assert not question.no.isVisibleTo(room) and not question.yes.isVisibleTo(room)
        assert not question.more.isVisibleTo(room)
        assert "Both are so:" in words(room) and room.assertions.missing[0] == 0
        whole = next(text for text in release.current_claim().asserted if text.startswith("No other draw"))
        assert whole not in release.said(release.current_result().draw)
        question.change.click()
        assert question.no.isVisibleTo(room) and question.yes.isChecked() is known, "it can be answered otherwise"


def test_what_was_half_said_is_not_said_whole_by_an_answer_in_anonymise(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    """Numbers of parts were asked about with the question that is gone then, so nobody has said anything of these."""
    run(room, said=False)
    release = room.document.session.release
    whole = next(text for text in release.current_claim().asserted if text.startswith("No other draw"))

    def tick() -> QAbstractButton:
        listed = room.assertions
        return next(one for one in listed.ticks if one.accessibleName().startswith("No other draw"))

    tick().click()
    assert tick().isChecked() and whole not in release.said(release.current_result().draw), "half of it is open"
    room.document.apply("answer", lambda session: answer_number(session, known=False))
    room.document.changed.emit("result")
    idle(qtbot, room)
    assert "Answered in Anonymise" in words(room)
    assert not tick().isChecked() and room.assertions.open and not room.page.copy.isEnabled()
    for one in room.assertions.ticks:
        if one is not tick() and not one.isChecked():
            one.click()
    assert whole not in release.said(release.current_result().draw)
    tick().click()
    assert whole in release.said(release.current_result().draw) and room.assertions.open == 0


def test_who_told_numbers_of_parts_and_answers_in_anonymise_reads_that_answer(
    qtbot: QtBot, room: ReleaseWorkspace
) -> None:
    run(room, said=False)
    room.assertions.questions[PEOPLE_NOT_TOLD].more.click()
    room.document.apply("answer", lambda session: answer_number(session, known=False))
    room.document.changed.emit("result")
    idle(qtbot, room)
    question = room.assertions.questions[PEOPLE_NOT_TOLD]
    assert question.no.isChecked() and "“No. Nobody is told how many people" in words_of(question)
    assert PEOPLE_NOT_TOLD in room.assertions.ticked


def test_under_the_mouse_nothing_moves_when_a_sentence_is_ticked(qtbot: QtBot, on_screen: OnScreen) -> None:
    """Only what is asked next comes into sight if it is not; the whole of it once the mouse is elsewhere."""
    shown = AssertionList()
    sentences, parts = ["first", "long", "last"], {"long": ("All of it:", "one " * 30, "two " * 30)}

    def follow(said: Collection[str] = ()) -> None:
        shown.show_sentences(sentences, said, short=parts)

    follow()
    shown.said.connect(follow)
    area = on_screen(boxes.scrolled(shown), 400)
    area.setFixedHeight(150)
    for _ in range(3):
        QCoreApplication.processEvents()
    bar, (first, long, last) = area.verticalScrollBar(), shown.ticks
    words = next(one for one in shown.findChildren(QLabel) if one.buddy() is first)
    for press in (qtbot.mouseClick, qtbot.mousePress, qtbot.mouseClick):
        press(words if press == qtbot.mousePress else first, Qt.MouseButton.LeftButton)
        for _ in range(3):
            QCoreApplication.processEvents()
        assert bar.value() == 0, "what is asked next is in sight"
    assert first.isChecked()
    qtbot.mouseClick(long, Qt.MouseButton.LeftButton)
    for _ in range(3):
        QCoreApplication.processEvents()
    assert last.visibleRegion().contains(last.rect().center()), "nobody need look for what is asked next"
    assert long.visibleRegion().contains(long.rect().center()), "nor for what was pressed"
    QCoreApplication.sendEvent(shown, QEvent(QEvent.Type.Leave))
    QCoreApplication.processEvents()
    line = last.parentWidget()
    assert line.mapTo(area, QPoint(0, line.height())).y() <= area.viewport().height() and bar.value() > 0
    bar.setValue(0)
    QCoreApplication.sendEvent(shown, QEvent(QEvent.Type.Leave))
    assert bar.value() == 0, "whoever scrolled since is led nowhere"


def test_the_verdict_is_read_whole_at_every_width_and_moves_nothing(room: ReleaseWorkspace) -> None:
    run(room, said=False)
    place, scroll = room.verdict, room.page.scrolled
    assert not scroll.isAncestorOf(place), "it does not scroll away"
    room.page.setSizes([1, 10_000])
    QCoreApplication.processEvents()
    begins = scroll.mapTo(room, QPoint()).y()
    room.assertions.others[PEOPLE_NOT_TOLD].click()
    QCoreApplication.processEvents()
    (shown,) = (one for one in place.findChildren(QLabel) if one.text() == place.text)
    assert "for replacing a person if you can say " in shown.text() and shown.wordWrap()
    assert shown.heightForWidth(shown.width()) <= shown.height(), "nothing of it is cut"
    assert scroll.mapTo(room, QPoint()).y() == begins


def test_the_sentences_keep_their_place_and_their_width_while_they_are_answered(
    room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(room, said=False)
    number = room.assertions.others["Nobody is told how many people there are in the table."]
    number.click()
    QCoreApplication.processEvents()
    assert room.assertions.open and "for replacing a person if you can say " in room.verdict.text
    scroll = room.page.scrolled
    assert scroll.widget().minimumSizeHint().width() <= scroll.viewport().width(), "nothing is cut at the right"
    bar = scroll.verticalScrollBar()
    by_data = next(one for one in room.assertions.others.values() if one.accessibleName().startswith("Not so"))
    by_data.setFocus()
    by_data.click()
    QCoreApplication.processEvents()
    bar.setValue(bar.maximum())
    before = bar.value()
    asked: list[str] = []
    answers = [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes]

    def answer(*told: object) -> QMessageBox.StandardButton:
        asked.append(str(told[2]))
        return answers[len(asked) - 1]

    monkeypatch.setattr(QMessageBox, "question", answer)
    for taken_back in (False, True):
        by_data = next(one for one in room.assertions.others.values() if one.accessibleName().startswith("Not so"))
        by_data.click()
        QCoreApplication.processEvents()
        assert bar.value() == before
        assert (BY_DATA in room.assertions.ticked) is not taken_back and "the data decided" in asked[-1]
    assert len(asked) == 2


def test_whether_the_number_of_people_is_known_is_a_choice_of_two_equals(on_screen: OnScreen) -> None:
    asserted: list[frozenset[str]] = []
    shown = on_screen(AssertionList(), 500)
    shown.said.connect(asserted.append)
    known = OtherAnswer("people known", "Yes", "…", question="Is it known?", hides="all", hides_less="less")
    others = {"choices": OtherAnswer(BY_DATA, "Not so", "…"), "number": known}

    def follow(said: Collection[str] = ()) -> None:
        shown.show_sentences(["choices", "number", "first"], said, {}, {}, others)

    follow()
    assert [tick.accessibleName() for tick in shown.ticks] == ["No. number", "choices", "first"]
    assert shown.missing == (1, 2) and shown.open == 3, "as many as are seen"
    question = shown.questions["number"]
    assert question.no.mapTo(shown, QPoint()).x() == question.yes.mapTo(shown, QPoint()).x(), "equals"
    question.yes.click()
    follow(asserted[-1])
    assert asserted[-1] == {"people known"} and shown.missing == (0, 2)
    shown.ticks[-1].click()
    follow(asserted[-1])
    assert asserted[-1] == {"people known", "first"}
    question.no.click()
    follow(asserted[-1])
    assert asserted[-1] == {"number", "first"} and question.no.isChecked() and not question.yes.isChecked()
    follow()
    assert not question.no.isChecked() and not question.yes.isChecked(), "of another draw nothing is said yet"
    follow(["people known"])
    assert question.yes.isChecked() and shown.missing == (0, 2), "what was said in Anonymise is shown answered"


def test_what_is_said_against_a_sentence_says_what_then_happens(on_screen: OnScreen) -> None:
    asserted: list[frozenset[str]] = []
    shown = on_screen(AssertionList(), 500)
    shown.said.connect(asserted.append)
    others = {"choices": OtherAnswer(BY_DATA, "Not so: less holds", "Then less holds.")}

    def follow(said: Collection[str] = ()) -> None:
        short = {"choices": ("The same:", "one", "other")}
        shown.show_sentences(["choices", "doubted"], said, {"doubted": "It was looked at."}, {}, others, short)

    follow()
    QCoreApplication.processEvents()
    texts = [one.text() for one in shown.findChildren(QLabel) if one.isVisibleTo(shown)]
    assert "The same:" in texts and "–  one" in texts and "choices" not in texts
    tick, other = shown.ticks[0], shown.others["choices"]
    assert tick.accessibleName() == "choices" and "choices" in tick.toolTip(), "what is signed is there in full"
    assert shown.missing == (0, 2) and other.text() == "Not so: less holds"
    assert shown.ticks[1].accessibleDescription() == "It was looked at."
    other.click()
    follow(asserted[-1])
    assert asserted[-1] == {BY_DATA} and shown.missing == (0, 1) and not tick.isEnabled()
    assert any(one.text() == "Then less holds." and one.isVisibleTo(shown) for one in shown.findChildren(QLabel))
    other.click()
    follow(asserted[-1])
    assert asserted[-1] == frozenset() and tick.isEnabled() and shown.open == 2


def test_who_cannot_say_a_sentence_without_another_answer_reads_what_to_do(on_screen: OnScreen) -> None:
    asserted: list[frozenset[str]] = []
    shown = on_screen(AssertionList(), 500)
    shown.said.connect(asserted.append)
    shown.show_sentences(["counts", "other"], (), ways_out={"counts": "Leave it open."})
    QCoreApplication.processEvents()
    (unsure,) = shown.ways_out

    def told() -> bool:
        return any(one.text() == "Leave it open." and one.isVisibleTo(shown) for one in shown.findChildren(QLabel))

    assert unsure.accessibleDescription() == "Leave it open." and not told()
    unsure.click()
    assert told() and not asserted and shown.open == 2, "it is no answer"
    unsure.click()
    assert not told()


def test_numbers_of_parts_are_asked_with_the_number_of_all_and_have_an_answer_of_their_own(
    qtbot: QtBot, room: ReleaseWorkspace
) -> None:
    run(room, said=False)
    shown, session = room.assertions, room.document.session
    (question,) = shown.questions.values()
    whole = next(text for text in session.release.current_claim().asserted if text.startswith("No other draw"))
    parts = whole.partition("Nobody is told")[2]
    beside = [one.text() for one in question.findChildren(QLabel) if parts in one.text()]
    assert len(beside) == 1 and "Either way:" in words_of(question), "beside the other number, once"
    tick = next(one for one in shown.ticks if one.accessibleName() == whole)
    beside = [one.text() for one in tick.parentWidget().findChildren(QLabel) if one.isVisibleTo(shown)]
    assert not any(parts in text for text in beside) and whole in tick.toolTip(), "one promise a tick"

    def said() -> frozenset[str]:
        return session.release.said(session.release.current_result().draw)

    tick.click()
    assert tick.isChecked() and whole not in said(), "half of it is not said yet"
    question.more.click()
    assert said() == frozenset() and "Query" in question.means.text() and question.means.isVisibleTo(room)
    assert shown.missing[0] == 1 and not room.export.export.isEnabled(), "it is no answer that a claim rests on"
    question.no.click()
    assert whole in said() and not question.means.isVisibleTo(room)
    question.more.click()
    assert whole not in said() and PEOPLE_NOT_TOLD not in said() and not question.no.isChecked()
    question.yes.click()
    idle(qtbot, room)
    assert {whole, PEOPLE_KNOWN} <= said() and tick.isChecked()
    run(room, said=False)
    assert not any(
        one.isChecked() for one in (*shown.ticks, *(q.more for q in shown.questions.values())) if one.isVisible()
    )


def test_who_said_yes_and_tells_numbers_of_parts_keeps_what_was_paid_for(
    qtbot: QtBot, room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More is told than "Yes" says, so nothing becomes smaller; only "No" would, which is asked about."""
    run(room, said=False)
    asked = questions(monkeypatch, QMessageBox.StandardButton.No)
    (question,), session = room.assertions.questions.values(), room.document.session

    def said() -> frozenset[str]:
        return session.release.said(session.release.current_result().draw)

    question.yes.click()
    idle(qtbot, room)
    paid = room.document.session.release.current_claim().epsilon
    question.more.click()
    idle(qtbot, room)
    assert said() == {PEOPLE_KNOWN} and not asked and question.more.isChecked() and not question.yes.isChecked()
    assert room.document.session.release.current_claim().epsilon == paid and not room.export.export.isEnabled()
    question.no.click()
    idle(qtbot, room)
    assert len(asked) == 1 and said() == {PEOPLE_KNOWN} and question.more.isChecked(), "back to what was said, no less"
    question.yes.click()
    idle(qtbot, room)
    assert said() == {PEOPLE_KNOWN} and question.yes.isChecked() and len(asked) == 1
    questions(monkeypatch, QMessageBox.StandardButton.Yes)
    question.more.click()
    question.no.click()
    idle(qtbot, room)
    assert PEOPLE_KNOWN not in said() and question.no.isChecked()


def test_what_is_ticked_is_seen_whole(on_screen: OnScreen) -> None:
    shown = AssertionList()
    shown.show_sentences(["first", "other"], (), short={"other": ("Both:", "one " * 30, "two " * 30)})
    area = on_screen(boxes.scrolled(shown), 400)
    area.setFixedHeight(120)
    for _ in range(3):
        QCoreApplication.processEvents()
    tick = shown.ticks[1]
    line = tick.parentWidget()
    assert line.mapTo(area, QPoint(0, line.height())).y() > area.viewport().height(), (
        "it begins in sight and ends below"
    )
    tick.click()
    QCoreApplication.processEvents()
    assert line.mapTo(area, QPoint(0, line.height())).y() <= area.viewport().height() + 1


def test_an_answer_brings_what_is_asked_next_into_sight(on_screen: OnScreen) -> None:
    shown = AssertionList()
    known = OtherAnswer("people known", "Yes", "…", question="Is it known?", hides="all", hides_less="less")
    sentences, parts = ["number", "long", "last"], {"long": ("All of it:", "one " * 30, "two " * 30)}

    def follow(said: Collection[str] = ()) -> None:
        shown.show_sentences(sentences, said, others={"number": known}, short=parts)

    follow()
    shown.said.connect(follow)
    area = on_screen(boxes.scrolled(shown), 400)
    area.setFixedHeight(170)
    for _ in range(3):
        QCoreApplication.processEvents()
    question, (_, long, last) = shown.questions["number"], shown.ticks

    def ends(part: QWidget) -> tuple[int, int]:
        top = part.mapTo(area.viewport(), QPoint()).y()
        return top, top + part.height()

    assert ends(long.parentWidget())[1] > area.viewport().height(), "it ends below what is seen"
    question.yes.click()
    QCoreApplication.processEvents()
    assert 0 <= ends(question.yes)[0] < ends(long)[0] and ends(long)[1] <= area.viewport().height(), "both are seen"
    long.click()
    QCoreApplication.processEvents()
    assert ends(long.parentWidget())[0] >= 0 and ends(last.parentWidget())[1] <= area.viewport().height()
    before = area.verticalScrollBar().value()
    long.click()
    QCoreApplication.processEvents()
    assert area.verticalScrollBar().value() == before, "who takes something back is led nowhere"


def test_a_question_that_is_due_is_shown_with_all_its_answers(on_screen: OnScreen) -> None:
    shown = AssertionList()
    known = OtherAnswer("people known", "Yes", "…", question="Is it known?", hides="all", hides_less="less")
    parts = {"long": ("All of it:", "one " * 200)}
    shown.show_sentences(["number", "long"], {"long"}, others={"number": known}, short=parts)
    area = on_screen(boxes.scrolled(shown), 400)
    question = shown.questions["number"]
    area.setFixedHeight(160)  # of a tall one it would take the rest of the room
    for _ in range(3):
        QCoreApplication.processEvents()

    def in_sight(part: QWidget) -> bool:
        return part.visibleRegion().boundingRect() == part.rect()

    area.setFixedHeight(question.height() + 20)
    for _ in range(3):
        QCoreApplication.processEvents()
    for start in (0, area.verticalScrollBar().maximum()):
        area.verticalScrollBar().setValue(start)
        assert not in_sight(question)
        shown.focus_first()
        assert in_sight(question) and shown.focusWidget() is question.no


def test_the_second_press_of_a_double_click_says_nothing(qtbot: QtBot, on_screen: OnScreen) -> None:
    """By then another sentence may lie under the mouse."""
    shown = on_screen(AssertionList(), 500)
    known = OtherAnswer("people known", "Yes", "…", question="Is it known?", hides="all", hides_less="less")
    shown.show_sentences(["number", "one", "other"], (), others={"number": known})
    QCoreApplication.processEvents()
    question = shown.questions["number"]
    words = [one for one in shown.findChildren(QLabel) if one.buddy() in (*shown.ticks, question.yes)]
    assert len(words) == 4
    for part in (*shown.ticks, question.yes, *words):
        second = QMouseEvent(
            QEvent.Type.MouseButtonDblClick,
            QPointF(4, 4),
            part.mapToGlobal(QPointF(4, 4)),
            Qt.MouseButton.LeftButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QCoreApplication.sendEvent(part, second)
        qtbot.mouseRelease(part, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
        assert not shown.ticked
    qtbot.mouseClick(shown.ticks[1], Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(shown.ticks[1], Qt.MouseButton.LeftButton)
    assert shown.ticked == {"one"}, "the first press counts"


def test_a_draw_that_leaves_with_its_project_is_named_before(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def question(_window: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return QMessageBox.StandardButton.Cancel

    files = ProjectFiles(room.document, WindowSettings(tmp_path / "settings.json"), room)
    lost = "was drawn and not exported"
    monkeypatch.setattr(QMessageBox, "question", question)
    assert not files.may_leave()
    run(room)
    assert not files.may_leave()
    assert not files.may_leave("Another table. Save the project first?")
    room.export.file.setText(str(tmp_path / "out.csv"))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not files.may_leave()
    assert [lost in text for text in asked] == [False, True, True, False]
    assert "charged with ε = " in asked[1] and asked[2].endswith("Save the project first?")


def test_of_draws_that_are_lost_it_is_said_whether_a_later_one_was_exported(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    session = room.document.session
    run(room)
    first = session.release.result
    assert first is not None and session.release.lost_with_it.startswith("A release was drawn and not exported: ")
    run(room)
    second = session.release.result
    assert second is not None and session.release.lost_with_it.startswith("2 releases were drawn and not exported: ")
    room.export.file.setText(str(tmp_path / "out.csv"))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert session.release.lost_with_it.startswith(
        f"An earlier release, of {first.outcome.rows_out:,} rows, was drawn and not exported, unlike the last one: "
    )
    assert "That draw was charged with ε = " in session.release.lost_with_it
    run(room)
    last = session.release.result
    assert last is not None and session.release.lost_with_it.startswith("2 releases were drawn and not exported: ")
    results = session.state.results
    results.result, results.drawn = second, (last, second)
    assert session.release.lost_with_it.startswith(
        f"The last release, of {last.outcome.rows_out:,} rows, was drawn and not exported, unlike the one that is "
    )


def test_a_draw_that_no_saved_project_keeps_is_named_before_too(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answers = [QMessageBox.StandardButton.Cancel]

    def question(_window: object, _title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return answers[-1]

    document = room.document
    settings = WindowSettings(tmp_path / "settings.json")
    files = ProjectFiles(document, settings, room)
    opener = Opener(document, settings, files.may_leave, room)
    monkeypatch.setattr(QMessageBox, "question", question)
    run(room)
    assert document.save(tmp_path / "mine.wbench") and not document.modified
    assert not files.may_leave() and len(asked) == 1
    assert asked[0].startswith("A release was drawn and not exported") and "charged with ε = " in asked[0]
    result, data = document.session.release.result, document.project.data
    assert data is not None and result is not None
    opener.move(EngineChoice())
    opener.read(Path(data.path), None, False)
    idle(qtbot, room)
    assert len(asked) == 3 and document.session.release.result is result
    result = document.session.release.draw_again()
    assert document.save(tmp_path / "mine.wbench")
    answers.append(QMessageBox.StandardButton.Discard)
    assert files.may_leave()
    assert asked[3].startswith("2 releases were drawn and not exported") and "stays counted" in asked[3]
    answers.append(QMessageBox.StandardButton.Save)
    document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(3)))
    assert files.may_leave() and len(asked) == 5, "of what is lost it was told once"
    opener.read(Path(data.path), None, False)
    idle(qtbot, room)
    assert document.session.release.result is result, "only Go on goes on"
    answers.append(QMessageBox.StandardButton.Discard)
    opener.read(Path(data.path), None, False)
    idle(qtbot, room)
    assert document.session.release.result is None and files.may_leave() and len(asked) == 7
