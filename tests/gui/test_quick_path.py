"""From a file to a release that is verified, by mouse alone, with how many clicks it takes, and by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, data_is_there
from tests.gui.messy_table import write_messy
from workbench.cli.main import main
from workbench.core.hierarchy import Provenance
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.status import Status
from workbench.gui.wishes import PUBLISH, WISHES
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.knowledge_dialog import KnowledgeDialog
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.data.columns_model import Field
from workbench.gui.workspaces.data.import_preview import ImportPreview
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.session.release.knowledge import say_matters_most

MOST_CLICKS = 4
MOST_IN_ALL = 10
"""From the start page to the file, with one press for each sentence that is signed."""
MOST_SENTENCES = 3


@pytest.fixture
def window(furnished: None, window: MainWindow) -> MainWindow:
    """As large as on a usual screen, and as complete."""
    window.resize(1280, 800)
    return window


def census(folder: Path, people: int = 300) -> Path:
    path = folder / "census.csv"
    sexes, cities = ("Female", "Male"), ("Bern", "Basel", "Genf")
    rows = "".join(f"{sexes[i % 2]},{20 + i % 40},{cities[i % 3]}\n" for i in range(people))
    path.write_text(f"sex,age,city\n{rows}", encoding="utf-8")
    for name, values in (("sex", sexes), ("age", [str(age) for age in range(20, 60)]), ("city", cities)):
        lines = "".join(f"{value};*\n" for value in values)
        (folder / f"census_hierarchy_{name}.csv").write_text(lines, encoding="utf-8")
    return path


def test_next_and_the_main_button_name_the_same_step_at_every_moment(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.opener.look_at(census(tmp_path, 900))
    document = window.document
    data_is_there(qtbot, document)
    document.apply("one row each", lambda session: session.data.set_unit(PrivacyUnit()))
    names = document.project.schema.names
    document.apply("roles", lambda session: session.data.set_role(names, Role.QUASI))
    window.rail.select("anonymise")
    room = window.room_in_view()
    assert isinstance(room, AnonymiseWorkspace)
    named: list[tuple[str, str]] = []

    def look() -> None:
        (step,) = (one for one in window.rail.findChildren(QPushButton) if one.accessibleName().startswith("Next: "))
        said = step.accessibleName().removeprefix("Next: ") if step.isVisible() else ""
        named.append((room.foot.mend.accessibleName() if room.foot.mend.isVisible() else "", said))

    def at_rest() -> bool:
        return not window.runner.jobs and room.settled

    qtbot.waitUntil(at_rest, timeout=PATIENCE_MS)
    room.outlook.public.no.click()
    qtbot.waitUntil(at_rest, timeout=PATIENCE_MS)
    room.foot.refreshed.connect(look)  # after the rail, as whoever sees the window
    hierarchies = document.session.data.hierarchy_suggester(names)(SILENT)
    for edit in (
        lambda session: session.data.attach_hierarchies(hierarchies),
        lambda session: session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=900)),
        lambda session: [say_matters_most(session, name, most=True) for name in names],
        lambda session: session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=90_000)),
    ):
        assert document.apply("edit", edit)
        qtbot.waitUntil(at_rest, timeout=PATIENCE_MS)
    assert len({button for button, _ in named}) > 1, "the step changed"
    assert [one for one in named if one[0] and one[0] != one[1]] == []


def test_a_file_with_its_hierarchies_is_ready_in_a_few_clicks(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    clicks = 0

    def click(widget: QWidget, spot: QPoint | None = None) -> None:
        nonlocal clicks
        assert widget.isVisible() and widget.isEnabled()
        clicks += 1
        qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=spot or widget.rect().center())
        qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)

    window.opener.look_at(census(tmp_path))
    data_is_there(qtbot, window.document)
    data = window.workspaces["data"]
    assert isinstance(data, DataWorkspace)
    click(data.protected.every_row)
    assert window.document.project.schema.unit == PrivacyUnit()
    step = window.rail.findChild(QPushButton)
    assert step is not None
    qtbot.waitUntil(
        lambda: "Attach the hierarchies found beside it" in " ".join(step.text().split()), timeout=PATIENCE_MS
    )
    click(step)
    hierarchies = window.workspaces["hierarchies"]
    assert isinstance(hierarchies, HierarchiesWorkspace)
    qtbot.waitUntil(lambda: len(window.document.project.hierarchies) == 3, timeout=PATIENCE_MS)
    assert {spec.role for spec in window.document.project.schema.columns} == {Role.QUASI}, "attaching says so"
    attached = window.document.project.hierarchies.values()
    assert {one.provenance for one in attached} == {Provenance.DERIVED}, "nothing is declared in anybody's name"
    asking, declare = hierarchies.declaration, hierarchies.declaration.yes
    assert window.focusWidget() is asking and window.following.spotlight.control is asking, "it is asked at once"
    click(declare)
    made = window.document.project.hierarchies
    assert set(made) == {"sex", "age", "city"}
    assert {one.provenance for one in made.values()} == {Provenance.PUBLIC}
    assert clicks < MOST_CLICKS
    assert hierarchies.next_hint() == "", "nothing else is to be said here"
    assert window.rail.current == "hierarchies", "no room goes away within a double click"
    qtbot.waitUntil(lambda: window.rail.current == "anonymise", timeout=PATIENCE_MS)
    note = window.messages.messages[0]
    assert note.text == "3 hierarchies were attached." and note.passing, "it leads there, and asks for nothing"
    (there,) = (one for one in note.findChildren(QPushButton) if one.text() == "Hierarchies")
    there.click()
    assert window.rail.current == "hierarchies" and note not in window.messages.messages


def finished(qtbot: QtBot, window: MainWindow, written: Path) -> list[str]:
    """What was written, once it was read back and counted again, and `verify` accepts it."""
    release = window.workspaces["release"]
    assert isinstance(release, ReleaseWorkspace)
    qtbot.waitUntil(lambda: release.export.check.isVisible() and not window.runner.jobs, timeout=PATIENCE_MS)
    statement = written.with_name(f"{written.stem}_statement.html")
    assert main(["verify", str(written), "--statement", str(statement)]) == 0
    return written.read_text(encoding="utf-8").splitlines()


def test_a_file_with_its_hierarchies_becomes_a_verified_release_by_keyboard_alone(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = census(tmp_path, 6_000)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))

    def focus() -> QWidget:
        return window.focusWidget() or window

    def press(key: Qt.Key, *, until: Callable[[], object]) -> None:
        """A key where the focus is, and what must follow from it."""
        qtbot.keyClick(focus(), key)
        qtbot.waitUntil(lambda: bool(until()) and not window.runner.jobs, timeout=PATIENCE_MS)

    def reach(widget: QWidget) -> None:
        for _ in range(60):
            if focus() is widget:
                return
            qtbot.keyClick(focus(), Qt.Key.Key_Tab)
        raise AssertionError(f"Tab never reaches “{widget.accessibleName()}”")

    def hint() -> str:
        step = window.rail.findChild(QPushButton)
        return "" if step is None else " ".join(step.text().split())

    window.show_start()
    reach(window.start.cards[0])
    press(Qt.Key.Key_Return, until=lambda: window.document.has_data)
    assert window.findChild(ImportPreview) is None, "nothing of this file is to be decided before it is open"
    data, hierarchies, anonymise, release = (
        window.workspaces[name] for name in ("data", "hierarchies", "anonymise", "release")
    )
    assert isinstance(data, DataWorkspace) and isinstance(hierarchies, HierarchiesWorkspace)
    assert isinstance(anonymise, AnonymiseWorkspace) and isinstance(release, ReleaseWorkspace)
    qtbot.waitUntil(lambda: focus() is data.protected.every_row, timeout=PATIENCE_MS)
    asking, declare = hierarchies.declaration, hierarchies.declaration.yes
    # Nothing else is to be said of the table: it goes on by itself to what lies beside it.
    press(Qt.Key.Key_Space, until=lambda: len(window.document.project.hierarchies) == 3 and focus() is asking)
    reach(declare)  # nobody declares it by going on
    press(Qt.Key.Key_Space, until=lambda: window.rail.current == "anonymise")
    qtbot.waitUntil(lambda: focus() is anonymise.plan.rows.edit, timeout=PATIENCE_MS)
    qtbot.keyClicks(focus(), "6000")  # all that is told hangs on it, so it is asked first, however few the columns
    press(Qt.Key.Key_Return, until=lambda: focus() is anonymise.outlook.public.no)
    press(Qt.Key.Key_Space, until=lambda: "Tick what the release is for" in hint())
    reach(anonymise.run_button)  # which nobody must
    press(Qt.Key.Key_Space, until=lambda: "Export the release" in hint())
    press(Qt.Key.Key_F8, until=lambda: window.rail.current == "release")
    for tick in release.assertions.ticks:
        if tick.isChecked():
            continue
        reach(tick)
        press(Qt.Key.Key_Space, until=tick.isChecked)
    reach(release.export.export)
    press(Qt.Key.Key_Space, until=release.export.check.isVisible)
    header, *rows = finished(qtbot, window, tmp_path / "released" / "census_release.csv")
    assert header == "sex,age,city" and len(set(rows)) > 1


def test_a_messy_file_becomes_a_verified_release_by_mouse_alone(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choosing the file counts as one click, and every other press as what it is."""
    clicks = 1
    path = write_messy(tmp_path / "visits.csv", people=5000)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))

    def click(widget: QWidget) -> None:
        nonlocal clicks
        qtbot.waitUntil(lambda: widget.isVisible() and widget.isEnabled(), timeout=PATIENCE_MS)
        clicks += 1
        qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())
        qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)

    def go_on(words: str) -> None:
        step = window.rail.findChild(QPushButton)
        assert step is not None
        qtbot.waitUntil(lambda: words in " ".join(step.text().split()), timeout=PATIENCE_MS)
        click(step)

    window.show_start()
    click(window.start.cards[0])
    preview = window.findChild(ImportPreview)
    assert preview is not None
    click(preview.mend)
    qtbot.waitUntil(lambda: window.document.has_data, timeout=PATIENCE_MS)
    data = window.workspaces["data"]
    assert isinstance(data, DataWorkspace)
    assert window.focusWidget() is data.protected.persons, "what is asked first"
    click(data.protected.persons)
    assert window.document.project.schema.unit.person_column == "patient"
    qtbot.waitUntil(lambda: bool(data.suggestions.suggested) and not window.runner.jobs, timeout=PATIENCE_MS)
    columns = data.columns
    assert not columns.isColumnHidden(Field.TURN), "roles that were suggested are to be seen, and can be taken back"
    assert Role.QUASI in {spec.role for spec in window.document.project.schema.columns}
    assert window.rail.current == "data", "no room goes away within a double click"
    qtbot.waitUntil(lambda: len(window.document.project.hierarchies) == 4, timeout=PATIENCE_MS)
    # As soon as it is said: it goes by itself, and a slow machine may need longer for the rest.
    said = "4 hierarchies were built. Left out: patient."
    qtbot.waitUntil(lambda: any(one.text == said for one in window.messages.messages), timeout=PATIENCE_MS)
    anonymise = window.workspaces["anonymise"]
    assert isinstance(anonymise, AnonymiseWorkspace)
    rows = anonymise.plan.rows.edit
    qtbot.waitUntil(lambda: window.focusWidget() is rows, timeout=PATIENCE_MS)
    assert window.rail.current == "anonymise", "whoever presses Next is led on to the very control"
    assert anonymise.next_hint() == "Say how many people you expect", "a smaller table would lose most of its rows"
    assert not anonymise.foot.mend.isVisible() and anonymise.run_button.property("primary") == "false"
    qtbot.keyClicks(rows, "5000")
    qtbot.keyClick(rows, Qt.Key.Key_Return)
    known = "Say whether others know the number"
    qtbot.waitUntil(lambda: anonymise.next_hint() == known and not window.runner.jobs, timeout=PATIENCE_MS)
    # Enter leads to the other question.
    qtbot.waitUntil(lambda: window.focusWidget() is anonymise.outlook.public.no, timeout=PATIENCE_MS)
    assert anonymise.run_button.property("primary") == "false"
    assert anonymise.findChild(KnowledgeDialog) is None, "of the number before it was asked, which no longer counts"
    click(anonymise.outlook.public.no)
    ticks = "Tick what the release is for"
    qtbot.waitUntil(lambda: anonymise.next_hint() == ticks and not window.runner.jobs, timeout=PATIENCE_MS)
    assert anonymise.run_button.isEnabled(), "which nobody must"
    assert not anonymise.foot.mend.isVisible()
    assert window.document.session.release.result is None, "what spends is pressed by the person"
    click(anonymise.run_button)
    qtbot.waitUntil(lambda: window.document.session.release.result is not None, timeout=PATIENCE_MS)
    go_on("Export the release")
    release = window.workspaces["release"]
    assert isinstance(release, ReleaseWorkspace)
    sentences = [tick for tick in release.assertions.ticks if not tick.isChecked()]
    for tick in sentences:
        qtbot.waitUntil(lambda tick=tick: tick.visibleRegion().contains(tick.rect().center()), timeout=PATIENCE_MS)
        click(tick)  # each is in sight when its turn comes
    assert all(tick.isChecked() for tick in sentences) and len(sentences) <= MOST_SENTENCES
    click(release.export.export)
    assert clicks <= MOST_IN_ALL
    header, *lines = finished(qtbot, window, tmp_path / "released" / "visits_release.csv")
    qtbot.waitUntil(lambda: window.focusWidget() is release.export.folder, timeout=PATIENCE_MS)
    assert anonymise.run_button.text() == "To the exported release…"
    assert header == "born;postcode;salary;diagnosis" and len(lines) > 3000, "written as the original is"
    assert len(set(lines)) > 1, "something is left to be read"


def test_the_second_half_of_a_double_click_on_an_answer_opens_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = census(tmp_path)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    window.begin(PUBLISH)
    data_is_there(qtbot, window.document)
    data = window.workspaces["data"]
    assert isinstance(data, DataWorkspace)
    data.protected.every_row.click()
    choice, button = data.protected.choice, Qt.MouseButton.LeftButton
    spot = QPointF(choice.rect().center())  # it stands where the answer was
    twice = QEvent.Type.MouseButtonDblClick
    QApplication.sendEvent(
        choice,
        QMouseEvent(twice, spot, choice.mapToGlobal(spot), button, button, Qt.KeyboardModifier.NoModifier),
    )
    assert QApplication.activePopupWidget() is None
    qtbot.waitUntil(lambda: window.rail.current == "hierarchies", timeout=PATIENCE_MS)


def test_the_second_half_of_a_double_click_on_a_card_falls_on_nothing_in_what_it_opens(
    qtbot: QtBot, window: MainWindow
) -> None:
    card, opened = window.start.cards[WISHES.index(PUBLISH)], QPushButton("Another folder")
    qtbot.addWidget(opened)
    pressed = list[bool]()
    opened.pressed.connect(lambda: pressed.append(True))

    def open_over_it(_wish: object) -> None:
        opened.resize(card.size())
        opened.move(card.mapToGlobal(QPoint(0, 0)))
        opened.show()

    window.start.wished.disconnect()
    window.start.wished.connect(open_over_it)
    left, none, spot = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPointF(card.rect().center())
    for kind, at in (
        (QEvent.Type.MouseButtonPress, card),
        (QEvent.Type.MouseButtonRelease, card),
        (QEvent.Type.MouseButtonDblClick, opened),
        (QEvent.Type.MouseButtonRelease, opened),
    ):
        QApplication.sendEvent(at, QMouseEvent(kind, spot, card.mapToGlobal(spot), left, left, none))
    assert opened.isVisible() and not pressed
    aside = QPointF(card.mapToGlobal(QPoint(0, 0)))
    QApplication.sendEvent(opened, QMouseEvent(QEvent.Type.MouseButtonPress, QPointF(), aside, left, left, none))
    assert pressed, "a press elsewhere is one"


@pytest.mark.parametrize("stays", ["opened by the menu", "several rows", "a line too long", "a menu is open"])
def test_who_has_more_to_say_of_the_table_stays_with_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stays: str
) -> None:
    path = tmp_path / "people.csv"
    odd = "30,1980-03-01,3,left,early\n" if stays == "a line too long" else ""
    rows = "".join(f"{20 + i % 40},{1950 + i % 40}-03-01,{i % 7}\n" for i in range(300))
    path.write_text(f"age,born,visits\n{rows}{odd}", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    if stays == "opened by the menu":
        window.opener.open(path)
    else:
        window.begin(PUBLISH)
    if odd:
        qtbot.waitUntil(lambda: window.findChild(ImportPreview) is not None, timeout=PATIENCE_MS)
        preview = window.findChild(ImportPreview)
        assert preview is not None
        qtbot.waitUntil(preview.apply.isEnabled, timeout=PATIENCE_MS)
        preview.apply.click()  # as it is
    data_is_there(qtbot, window.document)
    data = window.workspaces["data"]
    assert isinstance(data, DataWorkspace)
    answer = data.protected.several_rows if stays == "several rows" else data.protected.every_row
    answer.click()
    qtbot.waitUntil(lambda: bool(data.suggestions.suggested) and not window.runner.jobs, timeout=PATIENCE_MS)
    menu = QMenu(window)
    menu.addAction("Copy")
    if stays == "a menu is open":
        menu.popup(window.mapToGlobal(window.rect().center()))
    qtbot.wait(4 * QApplication.doubleClickInterval())
    menu.close()
    assert window.rail.current == "data" and not window.document.project.hierarchies
    assert not odd or data.status() is Status.WARNING


@pytest.mark.parametrize("leaves", [False, True])
def test_what_is_built_by_rule_alone_needs_no_visit_and_leads_nobody_back_who_went_elsewhere(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, leaves: bool
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,born\n" + "".join(f"{20 + i % 40},{1950 + i % 40}-03-01\n" for i in range(300)), "utf-8")
    window.opener.look_at(path)
    document = window.document
    data_is_there(qtbot, document)
    document.apply("one row each", lambda session: session.data.set_unit(PrivacyUnit()))
    document.apply("roles", lambda session: session.data.set_role(("age", "born"), Role.QUASI))
    window.reach("data", "")
    step = window.rail.findChild(QPushButton)
    assert step is not None
    qtbot.waitUntil(lambda: "Build 2 hierarchies and go on" in " ".join(step.text().split()), timeout=PATIENCE_MS)
    qtbot.mouseClick(step, Qt.MouseButton.LeftButton)
    assert window.rail.current == "data", "it is built while this room stays in view"
    if leaves:
        window.show_workspace("query")
    qtbot.waitUntil(lambda: len(document.project.hierarchies) == 2 and not window.runner.jobs, timeout=PATIENCE_MS)
    assert window.rail.current == ("query" if leaves else "anonymise")
    document.undo_stack.undo()
    assert not document.project.hierarchies, "one step takes back all that were built"
    window.show_workspace("hierarchies")
    qtbot.waitUntil(lambda: "Build 2 hierarchies and go on" in " ".join(step.text().split()), timeout=PATIENCE_MS)
    qtbot.mouseClick(step, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(document.project.hierarchies) == 2 and not window.runner.jobs, timeout=PATIENCE_MS)
    assert window.rail.current == "hierarchies", "who is in their room sees them there"
