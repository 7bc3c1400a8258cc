"""One table model for plain records."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QColor, QPixmap
from pytestqt.qtbot import QtBot

from workbench.gui.theme import dress, set_look
from workbench.gui.widgets.records import LEFT, RIGHT, RecordColumn, RecordsModel, records_view

ACROSS = Qt.Orientation.Horizontal
CITIES = (("Bern", 134_000), ("Chur", 38_000))
COLUMNS: tuple[RecordColumn[tuple[str, int]], ...] = (
    RecordColumn("City", lambda city: city[0]),
    RecordColumn("People", lambda city: f"{city[1]:,}", RIGHT, "At the end of the year"),
)


class Marked(RecordsModel[tuple[str, int]]):
    """Marks large cities."""

    def look(self, row: int, column: int, role: int) -> object:
        large = self.records[row][1] > 100_000
        return QColor("red") if large and role == Qt.ItemDataRole.ForegroundRole else None


@pytest.fixture
def model(qtbot: QtBot) -> Marked:
    made = Marked(COLUMNS)
    made.show_records(CITIES)
    return made


def test_columns_say_heading_text_and_side(model: Marked) -> None:
    assert (model.rowCount(), model.columnCount()) == (2, 2)
    assert [[model.index(row, column).data() for column in (0, 1)] for row in (0, 1)] == [
        ["Bern", "134,000"],
        ["Chur", "38,000"],
    ]
    assert [model.headerData(column, ACROSS) for column in (0, 1)] == ["City", "People"]
    sides = [model.index(0, column).data(Qt.ItemDataRole.TextAlignmentRole) for column in (0, 1)]
    assert sides == [LEFT, RIGHT] == [model.headerData(c, ACROSS, Qt.ItemDataRole.TextAlignmentRole) for c in (0, 1)]
    tips = [model.headerData(column, ACROSS, Qt.ItemDataRole.ToolTipRole) for column in (0, 1)]
    assert tips == [None, "At the end of the year"]
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.rowCount(model.index(0, 0)) == 0 == model.columnCount(model.index(0, 0))


def test_what_a_cell_has_beside_its_text_is_asked_of_the_model(model: Marked) -> None:
    assert model.index(0, 1).data(Qt.ItemDataRole.ForegroundRole) == QColor("red")
    assert model.index(1, 1).data(Qt.ItemDataRole.ForegroundRole) is None


def test_other_records_come_with_other_columns_at_once(qtbot: QtBot, model: Marked) -> None:
    counted: list[tuple[int, int]] = []
    model.modelReset.connect(lambda: counted.append((model.rowCount(), model.columnCount())))
    model.show_records(CITIES[:1], COLUMNS[:1])
    assert counted == [(1, 1)]
    with qtbot.waitSignal(model.dataChanged) as told:
        model.repaint()
    assert told.args is not None and told.args[1].row() == 0 and told.args[1].column() == 0
    model.show_records(())
    with qtbot.assertNotEmitted(model.dataChanged):
        model.repaint()


def test_an_array_is_shown_without_being_copied(qtbot: QtBot) -> None:
    numbers = np.arange(1_000_000)
    model = RecordsModel((RecordColumn("Number", lambda number: f"{int(number):,}"),))
    model.show_records(numbers)
    assert model.records is numbers and model.index(999_999, 0).data() == "999,999"
    view = records_view("Numbers", model)
    qtbot.addWidget(view)
    assert view.accessibleName() == "Numbers" and view.editTriggers() is view.EditTrigger.NoEditTriggers


def test_texts_of_other_people_are_shown_as_what_they_are(qtbot: QtBot) -> None:
    turned = "abc\u202edef"
    model = RecordsModel[str]((RecordColumn(turned, lambda text: text),))
    model.show_records((turned,))
    assert "\u202e" not in model.index(0, 0).data() + model.headerData(0, ACROSS)


def test_texts_stand_below_their_headings(qtbot: QtBot) -> None:
    """Qt adds a margin of its own before the text of a cell, and none before that of a heading."""
    model: RecordsModel[str] = RecordsModel((RecordColumn("H", lambda text: text), RecordColumn("H", lambda _: "")))
    view = records_view("Letters", model)
    dress(view)
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    for tight in (False, True):
        for part in (view, view.horizontalHeader()):
            set_look(part, tight=tight)
        model.show_records(("H",))
        QCoreApplication.processEvents()
        cell = view.viewport().grab(view.visualRect(model.index(0, 0)))
        assert abs(_first_ink(cell) - _first_ink(view.horizontalHeader().viewport().grab())) <= 1, tight


def _first_ink(picture: QPixmap) -> int:
    """The first column of pixels in which something dark is painted."""
    image = picture.toImage()
    middle = range(image.height() // 4, 3 * image.height() // 4)
    columns = (x for x in range(image.width()) if any(image.pixelColor(x, y).lightness() < 110 for y in middle))
    return next(columns)
