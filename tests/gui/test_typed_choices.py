"""Qt keeps of a choice only its text: what a person chose is asked of the one widget that knows it."""

from __future__ import annotations

import re
from enum import Enum, StrEnum
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import workbench.gui
from workbench.gui.icons import icon
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.gui.workspaces.anonymise.column_row import ColumnTreatment

GUI = Path(workbench.gui.__file__).parent
INPUTS = GUI / "widgets" / "inputs.py"


class Accounting(StrEnum):
    EXACT = "exact"
    CLASSICAL = "classical"


class Number(Enum):
    ONE = 1


def test_a_box_gives_back_the_member_that_was_put_in(qtbot: QtBot) -> None:
    box = ComboBox("Accounting", [("exact", Accounting.EXACT)])
    qtbot.addWidget(box)
    box.addItem("classical", Accounting.CLASSICAL)
    box.addItem(icon("data"), "choice", ColumnTreatment.AS_IS)
    box.addItem("number", Number.ONE)
    box.addItem("plain", "plain")
    box.addItem("nothing")
    found = []
    for row in range(box.count()):
        box.setCurrentIndex(row)
        found.append(box.chosen)
    assert found == [Accounting.EXACT, Accounting.CLASSICAL, ColumnTreatment.AS_IS, Number.ONE, "plain", None]
    assert [type(one) for one in found[:4]] == [Accounting, Accounting, ColumnTreatment, Number]
    assert box.findData(Accounting.CLASSICAL) == 1
    box.choose(Accounting.EXACT)
    assert box.chosen is Accounting.EXACT
    box.setCurrentIndex(-1)
    assert box.chosen is None


@pytest.mark.parametrize("pattern", [r"\bcurrentData\(", r"\bQComboBox\("])
def test_nothing_else_asks_qt_for_it(pattern: str) -> None:
    files = [file for file in GUI.rglob("*.py") if file != INPUTS]
    assert len(files) > 100
    found = [file.name for file in files if re.search(pattern, file.read_text(encoding="utf-8"))]
    assert found == []


def test_an_empty_line_at_the_end_stays_while_the_next_one_is_typed(qtbot: QtBot) -> None:
    lines = LinesEdit("Values")
    qtbot.addWidget(lines)
    lines.typed.connect(lambda text: lines.show_text(text.strip()))
    for word in ("car", "bus", "train"):
        qtbot.keyClicks(lines, word)
        qtbot.keyClick(lines, Qt.Key.Key_Return)
        lines.tell()
    assert lines.toPlainText().split() == ["car", "bus", "train"]
    lines.show_text("walk")
    assert lines.toPlainText() == "walk"


@pytest.mark.parametrize("splits", [True, False])
def test_values_with_commas_in_one_line_have_a_line_each_once_they_are_typed(qtbot: QtBot, splits: bool) -> None:
    """Where a value alone makes no sense; else it may be one that holds a comma."""
    lines, told = LinesEdit("Values"), list[str]()
    lines.splits_typed = splits
    lines.typed.connect(told.append)
    qtbot.addWidget(lines)
    qtbot.keyClicks(lines, "Care, Finance, IT,")
    if splits:
        lines.tell()  # a moment after the last key
        assert told == ["Care\nFinance\nIT"], "they are read before the field is left"
        assert lines.toPlainText() == "Care, Finance, IT,", "and stay as they are typed meanwhile"
    QApplication.sendEvent(lines, QFocusEvent(QEvent.Type.FocusOut))
    assert lines.toPlainText() == told[-1] == ("Care\nFinance\nIT" if splits else "Care, Finance, IT,")
    lines.setPlainText("Care, old\nFinance")
    QApplication.sendEvent(lines, QFocusEvent(QEvent.Type.FocusOut))
    assert lines.toPlainText() == "Care, old\nFinance", "lines are lines"
