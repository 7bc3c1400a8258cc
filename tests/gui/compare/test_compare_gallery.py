"""Published figures in the Compare workspace."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    enter,
    now,
)
from tests.gui.helpers import idle, pick
from workbench.evaluate.preset import PRESETS
from workbench.gui.workspaces.compare import CompareWorkspace


class TestPresets:
    def test_a_card_leads_to_its_figure_without_data(
        self, qtbot: QtBot, empty: CompareWorkspace, tmp_path: Path
    ) -> None:
        card = empty.gallery.cards["mechanism-tables"]
        empty.show_gallery()
        qtbot.keyClick(card, Qt.Key.Key_Return)
        page = empty.preset
        assert empty.presets.currentWidget() is page and page.look.text() == PRESETS["mechanism-tables"].look
        assert page.state.text == "Not run yet. Nothing is charged.", "it is computed exactly"
        empty.run()
        idle(qtbot, empty)
        assert page.part.count() == 4
        cells = [cell for row in page.view.table.texts() for cell in row]
        assert cells == ["+", "3/4", "1/4", "−", "1/4", "3/4", "largest ratio", "3", "3"]
        page.save_all(tmp_path)
        idle(qtbot, empty)
        assert len(list(tmp_path.glob("*.csv"))) == 4 and (tmp_path / "mechanism-tables.json").exists()
        page.back.emit()
        assert empty.presets.currentWidget() is empty.gallery

    def test_ones_own_column_and_its_settings(
        self, qtbot: QtBot, opened: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(vars(PRESETS["salary-histograms"]), "repetitions", 2)
        opened.show_preset("salary-histograms")
        page = opened.preset
        assert page.state.text == "Not run yet. Up to 2 repetitions; nothing is charged."
        assert [page.form.data.itemData(row) for row in range(page.form.data.count())] == ["", "age"]
        assert page.form.data.itemText(1) == "My own column: age", "in the words of the published figures"
        assert page.look.text() == PRESETS["salary-histograms"].look
        pick(qtbot, opened, page.form.data, "age")
        assert page.look.text().startswith("Of the sample, with the usual settings: ")
        assert page.form.fields is not None
        for name, value in (("lower", "0"), ("upper", "100"), ("bins", "5")):
            field = page.form.fields.fields[name]
            enter(qtbot, opened, getattr(field, "edit", field), value)
        page.button.click()
        idle(qtbot, opened)
        found = page.found["salary-histograms"][0]
        assert found.data == "people.csv, age" and len(found.results) == page.part.count() > 1
        assert found.results[0].bars is not None and len(found.results[0].bars.labels) == 5
        assert page.state.text == "Made from people.csv, age."
        page.copy_command()
        words = shlex.split(QGuiApplication.clipboard().text())
        assert words[words.index("--column") + 1] == "age" and "bins=5" in words
        page.part.setCurrentIndex(1)
        page.part.activated.emit(1)
        page.take.click()
        idle(qtbot, opened)
        assert opened.views.pages.currentIndex() == 0 and now(opened).question.column == "age"
        pick(qtbot, opened, page.form.data, "")
        assert page.state.text.startswith("Out of date")


def test_whoever_comes_with_another_table_finds_their_own_comparison(
    qtbot: QtBot, empty: CompareWorkspace, table: Path
) -> None:
    empty.show_preset("ages")
    empty.hide()
    empty.document.open_data(table)
    idle(qtbot, empty)
    empty.show()
    idle(qtbot, empty)
    assert empty.views.pages.currentIndex() == 0, "a figure was opened without a table"
    empty.views.buttons[1].click()
    empty.hide()
    empty.show()
    idle(qtbot, empty)
    assert empty.views.pages.currentIndex() == 1, "beside this table it was chosen"
