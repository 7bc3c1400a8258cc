"""The Anonymise workspace in small windows, and by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.anonymise.helpers import run
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace

pytestmark = pytest.mark.usefixtures("sampling")


class TestSmallWindows:
    def test_one_part_at_a_time_where_two_have_no_room(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        assert ready.promise.isVisible() and ready.result.isVisible()
        ready.resize(540, 600)
        assert ready.width() == 540
        assert ready.promise.isVisible() and not ready.result.isVisible()
        run(qtbot, ready)
        assert ready.result.isVisible() and not ready.promise.isVisible()
        ready.focus_first()
        assert ready.promise.isVisible()
        ready.resize(1016, 700)
        assert ready.promise.isVisible() and ready.result.isVisible()

    def test_nothing_sticks_out_at_the_side(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        for width in (540, 760, 1016):
            ready.resize(width, 560)
            QApplication.processEvents()
            inside = ready.promise.parentWidget()
            assert inside is not None and inside.parentWidget() is not None
            assert inside.width() <= inside.parentWidget().width()


class TestReach:
    def test_tab_goes_down_the_page(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        ready.activateWindow()
        ready.focus_first()
        names = []
        for _ in range(24):
            focus = QApplication.focusWidget()
            assert focus is not None
            names.append(focus.accessibleName())
            if focus.accessibleName() == "Step 2, Levels" and ready.steps.current != "levels":
                qtbot.keyClick(focus, Qt.Key.Key_Return)
            qtbot.keyClick(focus, Qt.Key.Key_Tab)
        expected = [
            "ε",
            "Which number is computed",
            "δ",
            "β",
            "How β is chosen",
            "Accounting",
            "Treatment of person",
            "Level of age",
            "Treatment of age",
            "Level of city",
            "Treatment of city",
            "Step 3, Run",
        ]
        assert [name for name in names if name in expected] == expected

    def test_everything_focusable_has_a_name_and_an_explanation(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        book = HelpBook()
        for widget in ready.findChildren(QWidget):
            if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or widget.objectName().startswith("qt_"):
                continue
            if widget.window() is not ready:
                continue  # the list of a combo box
            assert widget.accessibleName(), f"{widget!r} in {widget.parentWidget()!r} has no name"
            key = explain_key(widget)
            assert key == "" or book.find(key) is not None, f"no help for {key}"
