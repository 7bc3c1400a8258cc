"""Names, values and paths of other people are shown as they are: nothing in the window reads them as markup or keys."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QInputDialog,
    QLabel,
    QMessageBox,
    QTabBar,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

import workbench.gui
from tests.gui.helpers import PATIENCE_MS, data_is_there
from workbench.gui.main_window import MainWindow
from workbench.gui.theme import Theme
from workbench.session import Session

LIE = '<img src="lie.png"><h1>The file is (1, 1e-5)-DP</h1> R&D'
MARKUP = frozenset(["setHtml", "insertHtml", "appendHtml", "setMarkdown", "RichText", "MarkdownText", "AutoText"])
MARKUP |= {"QTextDocument", "QStaticText", "QErrorMessage", "setWhatsThis"}
GUI = Path(workbench.gui.__file__).parent


@pytest.fixture
def window(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    """A window in which everything that can be named is named by somebody who means ill, and a release was made."""
    data, labels = tmp_path / "<b>R&D.csv", tmp_path / "<i>R&D.csv"
    quoted = LIE.replace('"', '""')
    data.write_text(f'"{quoted}",n\n' + f'"{quoted}",1\n"<h2>R&D",2\n' * 300, encoding="utf-8")
    labels.write_text(f'"{quoted}";<h1>All R&D</h1>;*\n<h2>R&D;<h1>All R&D</h1>;*\n', encoding="utf-8")
    window.open_path(data)
    data_is_there(qtbot, window.document)

    def attach(session: Session) -> None:
        session.data.attach_hierarchy_file(LIE, labels)
        session.release.columns.set_level(LIE, 1)

    assert window.document.apply("Attach a file to R&D", attach)
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)
    window.show_workspace("anonymise")
    window.workspaces["anonymise"].spend()
    qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)
    return window


def shown_tip() -> QLabel:
    """The tooltip that is on the screen."""
    tips = [one for one in QApplication.topLevelWidgets() if one.metaObject().className() == "QTipLabel"]
    (found,) = (one for one in tips if one.isVisible())
    assert isinstance(found, QLabel)
    return found


def hide_tip() -> None:
    for one in QApplication.topLevelWidgets():
        if one.metaObject().className() == "QTipLabel":
            one.close()
            one.deleteLater()
    QApplication.processEvents()


def test_no_label_button_or_tab_of_any_room_reads_a_name(qtbot: QtBot, window: MainWindow) -> None:
    named = set()
    for key in window.workspaces:
        window.show_workspace(key)
        qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)
        for one in window.findChildren(QWidget):
            one.ensurePolished()
            if isinstance(one, QLabel):
                assert one.textFormat() is Qt.TextFormat.PlainText, one.text()
                named |= {key} if "R&D" in one.text() else set()
                assert one.buddy() is None or "R&D" not in one.text(), "beside a field it would mark a key too"
            texts = [one.text()] if isinstance(one, QAbstractButton) else []
            texts += [one.tabText(place) for place in range(one.count())] if isinstance(one, QTabBar) else []
            texts += [action.text() for action in one.actions()]
            assert not [text for text in texts if "R&D" in text], "the & of a name would mark a key"
    assert "data" in named  # else nothing was looked at
    menu = window.workspaces["data"].panel.menu(0, 0)
    assert "R&&D" in " ".join(action.text() for action in menu.actions())
    for action in (*menu.findChildren(QAction), *window.findChildren(QAction)):
        assert "R&D" not in action.text()


def tips_of(view: QAbstractItemView) -> Iterator[tuple[str, QPoint]]:
    """The tooltips of what can be seen of a view, or of a heading, that hold markup, and where they are asked for."""
    model, role = view.model(), Qt.ItemDataRole.ToolTipRole
    if model is None or not view.isVisible():
        return
    if isinstance(view, QHeaderView):
        for place in range(view.count() if view.orientation() is Qt.Orientation.Horizontal else 0):
            tip = model.headerData(place, view.orientation(), role)
            yield str(tip or ""), QPoint(view.sectionViewportPosition(place) + 4, view.height() // 2)
        return
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for row in range(min(model.rowCount(), 3)):
        for column in range(columns):
            index = model.index(row, column)
            yield str(index.data(role) or ""), view.visualRect(index).center()


def test_tooltips_of_names_and_values_are_as_they_are(qtbot: QtBot, window: MainWindow) -> None:
    seen = set()
    for key in window.workspaces:
        window.show_workspace(key)
        qtbot.waitUntil(lambda: not window.runner.jobs, timeout=PATIENCE_MS)
        for view in window.findChildren(QAbstractItemView):
            for tip, place in tips_of(view):
                if "<" in tip and view.viewport().rect().contains(place):
                    help_wanted = QHelpEvent(QHelpEvent.Type.ToolTip, place, view.viewport().mapToGlobal(place))
                    QApplication.sendEvent(view.viewport(), help_wanted)
                    assert (QToolTip.text(), shown_tip().textFormat()) == (tip, Qt.TextFormat.PlainText), (key, view)
                    seen.add((key, type(view).__name__))
    hide_tip()
    assert len(seen) > 2, seen


def test_messages_tooltips_and_questions_read_no_markup(qtbot: QtBot, theme: Theme) -> None:
    box = QMessageBox(QMessageBox.Icon.Question, LIE, LIE)
    box.setInformativeText(LIE)
    dialog = QInputDialog()
    dialog.setLabelText(LIE)
    for one in (box, dialog):
        qtbot.addWidget(one)
        one.show()
        for found in one.findChildren(QLabel):
            assert found.textFormat() is Qt.TextFormat.PlainText
    QToolTip.showText(QPoint(10, 10), LIE, box)
    assert (shown_tip().text(), shown_tip().textFormat()) == (LIE, Qt.TextFormat.PlainText)
    hide_tip()
    told: list[Qt.TextFormat] = []

    def look() -> None:
        asked = QApplication.activeModalWidget()
        assert isinstance(asked, QMessageBox)
        told.extend(one.textFormat() for one in asked.findChildren(QLabel))
        asked.reject()

    QTimer.singleShot(0, look)
    QMessageBox.question(dialog, LIE, LIE)
    assert told and set(told) == {Qt.TextFormat.PlainText}


def test_nothing_in_the_window_asks_for_markup() -> None:
    """Whoever wants markup finds this test: only the statement, whose texts are escaped, is a page."""
    asking = set()
    for file in GUI.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if name in {
                "setHtml",
                "insertHtml",
                "appendHtml",
                "setMarkdown",
                "RichText",
                "MarkdownText",
                "AutoText",
            } | {
                "QTextDocument",
                "QStaticText",
                "setWhatsThis",
                "QErrorMessage",
            }:
                asking.add((file.relative_to(GUI).as_posix(), name))
    assert asking == {("workspaces/release/statement_view.py", "setHtml")}
