"""Tooltips of tables are in lines that can be read, and say what they said."""

from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.gui.widgets.records import RecordColumn, RecordsModel
from workbench.gui.widgets.tips import in_lines

TIP = Qt.ItemDataRole.ToolTipRole
LONG = "With fewer people than the first number a value is likely to be missing from the file. " * 4


class _Told(RecordsModel[str]):
    def look(self, row: int, column: int, role: int) -> object:
        return self.records[row] if role == TIP else None


def test_a_long_tip_of_a_heading_or_a_cell_has_lines() -> None:
    model = _Told((RecordColumn("Rare values", str, tip=LONG),))
    model.show_records((LONG, "short"))
    for told in (model.headerData(0, Qt.Orientation.Horizontal, TIP), model.index(0, 0).data(TIP)):
        assert max(map(len, told.split("\n"))) <= 72
        assert told.split() == LONG.split()
    assert model.index(1, 0).data(TIP) == "short"
    assert model.index(0, 0).data() == LONG


def test_a_line_stays_a_line_and_what_a_cell_holds_stays_as_it_is() -> None:
    assert in_lines("one\n\nother  two\tthree") == "one\n\nother  two\tthree"
    assert in_lines("") == "" and in_lines("x" * 200) == "x" * 200
