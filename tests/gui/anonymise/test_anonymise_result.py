"""The rows and charts that a run shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.anonymise.helpers import ROWS, heading, lines, look, run, run_blind, settings, text, type_number
from tests.gui.helpers import PATIENCE_MS, Anonymising, click, idle
from workbench.core.hierarchy import Hierarchy
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.folded_model import BELOW
from workbench.session import Session

pytestmark = pytest.mark.usefixtures("sampling")


class TestResult:
    def test_rows_stand_before_what_became_of_them(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        table, shown = ready.result.table, lines(ready)
        result = ready.document.session.release.result
        assert result is not None
        groups = len(result.sampled.class_sizes)  # of Chur there may be nobody in a decade of the sample
        assert table.isVisible() and shown.rowCount() == groups
        assert "10 values → " in text(shown, 0, "age") and ready.result.table.chips["city"].text() == "city: Bern"
        unfold(qtbot, ready, 0)
        assert shown.rowCount() == groups + int(text(shown, 0, "Rows").replace(",", ""))
        decade = text(shown, 0, "age").split(" → ")[1]
        source = ready.document.session.data.table
        for row in range(1, 30):
            before, after = text(shown, row, "age").split(" → ")
            assert after == decade == f"{before[0]}0s"
            number = int(text(shown, row, "Rows").removeprefix("row ").replace(",", "")) - 1
            assert source["age"].text(number) == before
        assert shown.data(shown.index(1, 1), BELOW) and not shown.data(shown.index(0, 1), BELOW)
        unfold(qtbot, ready, 0)
        assert shown.rowCount() == groups

    def test_dropped_rows_are_marked_and_can_be_hidden(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        shown = lines(ready)
        result = ready.document.session.release.result
        assert result is not None
        marked = [row for row in range(shown.rowCount()) if shown.is_dropped(row)]
        assert sum(int(text(shown, row, "Rows")) for row in marked) == result.sampled.suppressed
        assert marked == list(range(4, shown.rowCount()))  # what is not released stands last
        italic = shown.data(shown.index(marked[0], 0), Qt.ItemDataRole.FontRole)
        assert italic is not None and italic.italic()
        assert "dropped" in shown.data(shown.index(marked[0], 0), Qt.ItemDataRole.ToolTipRole)
        assert shown.data(shown.index(0, 0), Qt.ItemDataRole.FontRole) is None
        click(qtbot, ready.result.table.with_dropped)
        assert shown.rowCount() == 4

    def test_groups_stand_together_or_rows_as_in_the_file(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        shown = lines(ready)
        counts = [int(text(shown, row, "Rows").replace(",", "")) for row in range(4)]
        assert counts == sorted(counts, reverse=True)
        ready.result.table.one_by_one.click()
        result = ready.document.session.release.result
        assert result is not None and shown.rowCount() == result.sampled.sampled.rows
        numbers = [int(text(shown, row, "Rows").removeprefix("row ").replace(",", "")) for row in range(50)]
        assert numbers == sorted(numbers)
        for row in range(50):
            before, after = text(shown, row, "age").split(" → ")
            assert after == f"{before[0]}0s"

    def test_keys_unfold_and_fold(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        view = ready.result.table.view
        view.setFocus()
        view.setCurrentIndex(view.lines.index(2, 1))
        qtbot.keyClick(view, Qt.Key.Key_Space)
        below = int(text(view.lines, 2, "Rows").replace(",", ""))
        assert view.lines.rowCount() == 4 + below
        assert text(view.lines, 3 + below, "Rows") != "" and text(view.lines, 3, "Rows") == ""
        view.setCurrentIndex(view.lines.index(2 + below, 1))
        qtbot.keyClick(view, Qt.Key.Key_Return)
        assert view.lines.rowCount() == 4 and view.currentIndex().row() == 2

    def test_a_constant_column_is_a_chip_until_it_is_wanted(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        table = ready.result.table
        headings = [heading(table.view.lines, column) for column in range(table.view.lines.columnCount())]
        assert headings == ["Rows", "age"]  # Chur is too rare
        chip = table.chips["city"]
        assert chip.text() == "city: Bern" and chip.isVisible()
        click(qtbot, chip)
        assert text(table.view.lines, 0, "city") == "Bern"

    def test_a_new_result_replaces_the_old_rows(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        ready.columns.rows["age"].slider.setValue(2)
        ready.status()
        run(qtbot, ready)
        shown = lines(ready)
        assert {text(shown, row, "age").split(" → ")[-1] for row in range(shown.rowCount())} == {"*"}

    def test_what_comes_from_true_rows_is_marked(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run_blind(qtbot, ready)
        assert ready.lock == ""
        look(qtbot, ready)
        assert ready.lock == "Analyst only"

    def test_why_shows_reasons_with_remedies(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        large = replace(ready.document.project.anonymise.guarantee, delta=0.01)
        ready.document.apply("delta", lambda session: session.release.set_guarantee(large))
        ready.document.apply("looked", lambda session: session.release.columns.set_levels_blind(False))
        ready.status()
        click(qtbot, ready.result.claim.link)
        assert ready.result.reasons.isVisible()
        texts = [found.text() for found in ready.result.reasons.findChildren(type(ready.promise.facts))]
        assert any("chosen by looking at this data" in text for text in texts)
        assert any(text.startswith("What would help") for text in texts)
        assert not any("1/rows is" in text for text in texts), "nobody has looked at the data yet"
        ready.document.session.looks.take("values")
        ready.document.changed.emit("ledger")
        idle(qtbot, ready)
        texts = [found.text() for found in ready.result.reasons.findChildren(type(ready.promise.facts))]
        assert any("1/rows is" in text for text in texts)


def unfold(qtbot: QtBot, workspace: AnonymiseWorkspace, row: int) -> None:
    view = workspace.result.table.view
    place = view.visualRect(view.lines.index(row, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_an_empty_cell_is_seen_to_be_one_and_copied_as_nothing(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    path = tmp_path / "blanks.csv"
    path.write_text(
        "person,city\n" + "".join(f"P{i:04},{('Bern', '')[i % 2]}\n" for i in range(ROWS)), encoding="utf-8"
    )

    def prepare(session: Session) -> None:
        session.data.attach_hierarchy("city", Hierarchy.from_rows([("Bern", "*"), ("", "*")]))
        session.release.columns.set_level("city", 0)

    room = anonymising(path, prepare)
    run(qtbot, room)
    shown, view = lines(room), room.result.table.view
    assert {text(shown, row, "city") for row in range(shown.rowCount())} == {"Bern", "(empty)"}
    view.selectAll()
    view.copy_selection()
    copied = [line.split("\t")[1] for line in QApplication.clipboard().text().splitlines()]
    assert sorted(copied) == ["", "Bern"]


class TestCharts:
    def test_the_chosen_point_follows_the_settings(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        qtbot.waitUntil(lambda: ready.result.trade_off.data is not None, timeout=PATIENCE_MS)
        curves = ready.result.trade_off.data.exact
        ready.promise.share.slider.setValue(500)
        ready.status()
        data = ready.result.trade_off.data
        assert data.exact is curves
        assert data.current[0] == settings(ready).beta
        type_number(qtbot, ready, "epsilon", "2")
        qtbot.waitUntil(lambda: ready.result.trade_off.data.epsilon == 2, timeout=PATIENCE_MS)

    def test_a_chart_is_drawn_when_it_is_seen(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        run(qtbot, ready)
        assert ready.result.sizes.picture is None
        with qtbot.waitSignal(ready.result.sizes.drawn, timeout=PATIENCE_MS):
            ready.result.tabs.setCurrentWidget(ready.result.sizes)
        picture = ready.result.sizes.picture
        assert picture is not None
        assert picture.size() == ready.result.sizes.size()
        assert "dropped" in ready.result.sizes.accessibleDescription()
