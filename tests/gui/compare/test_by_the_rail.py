"""Where the focus is for whoever comes to Compare by the list of workspaces."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from tests.gui.frame_steps import all_settled, open_file
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.compare import CompareWorkspace


class TestByTheRail:
    """Who comes by mouse types next what is lacking; who comes by arrow keys goes on with them."""

    def _rail(self, window: MainWindow) -> QListWidget:
        return next(one for one in window.rail.findChildren(QListWidget) if one.accessibleName() == "Workspaces")

    def test_a_click_puts_the_focus_where_bounds_are_typed(self, qtbot: QtBot, window: MainWindow) -> None:
        open_file(qtbot, window)
        rail = self._rail(window)
        item = next(rail.item(row) for row in range(rail.count()) if rail.item(row).text() == "Compare")
        qtbot.mouseClick(rail.viewport(), Qt.MouseButton.LeftButton, pos=rail.visualItemRect(item).center())
        all_settled(qtbot, window)
        room = window.workspaces["compare"]
        assert isinstance(room, CompareWorkspace) and room.view.question.problem is not None
        assert window.focusWidget() is room.view.question.bounds.numbers[0].edit

    def test_a_click_on_a_heading_chooses_nothing(self, qtbot: QtBot, window: MainWindow) -> None:
        window.show_workspace("query")
        rail, told = self._rail(window), list[str]()
        window.rail.clicked.connect(told.append)
        for row in range(rail.count()):
            if rail.item(row).text() == "Study":
                qtbot.mouseClick(
                    rail.viewport(), Qt.MouseButton.LeftButton, pos=rail.visualItemRect(rail.item(row)).center()
                )
        all_settled(qtbot, window)
        assert not told and window.rail.current == "query"

    def test_an_arrow_key_leaves_it_in_the_rail(self, qtbot: QtBot, window: MainWindow) -> None:
        open_file(qtbot, window)
        window.show_workspace("mechanisms")
        rail = self._rail(window)
        rail.setFocus()
        qtbot.keyClick(rail, Qt.Key.Key_Up)
        all_settled(qtbot, window)
        assert window.rail.current == "compare" and window.focusWidget() is rail
