"""The table of k-anonymity and its relatives, what is seen of it, and its release."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, click, idle, press
from tests.gui.syntactic.helpers import AGES, ROWS, find_and_use, limit, table_of, type_number
from workbench.core.table import TooManyGroups
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.folded_model import AFTER, BEFORE
from workbench.gui.workspaces.anonymise.syntactic import SyntacticRoom
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session.syntactic import views


class TestTable:
    def test_the_figures_add_up(self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        type_number(qtbot, workspace, limit(room), "4")
        find_and_use(qtbot, workspace)
        recoded = workspace.document.session.syntactic.recoded
        assert recoded is not None
        header, sizes = room.result.header, recoded.anonymised.class_sizes
        assert f"{recoded.rows_out} of {ROWS} rows · {len(sizes)} group" in header.text
        assert header.text.startswith("loss ") and header.text.endswith(" · k-anonymity (k = 12)")
        assert int(sizes.min()) >= 12 and f"smallest group has {int(sizes.min())} rows" in header.toolTip()
        assert table_of(workspace) is room.result.table

    def test_before_and_after_stand_in_one_cell(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        workspace.document.apply("limit", lambda session: session.syntactic.set_suppression_limit(0.04))
        find_and_use(qtbot, workspace)
        table, session = room.result.table, workspace.document.session
        assert session.syntactic.recoded is not None
        level = session.syntactic.recoded.levels["age"]
        click(qtbot, table.one_by_one)
        shown, of = table.view.lines, dict(zip(AGES.values, AGES.rows(), strict=True))
        assert shown.rowCount() == ROWS
        age = next(place for place in range(shown.columnCount()) if shown.name(place) == "age")
        for row in range(ROWS):
            before, after = shown.data(shown.index(row, age), BEFORE), shown.data(shown.index(row, age), AFTER)
            was = session.data.table["age"].text(row)
            assert before == was
            assert after == ("*" if shown.is_dropped(shown.place(row).line) else of[was][level])
        click(qtbot, table.with_dropped)
        assert shown.rowCount() == session.syntactic.recoded.rows_out

    def test_levels_by_hand(self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        room.settings.columns.rows["age"].slider.setValue(2)
        workspace.status()
        room.settings.columns.rows["city"].slider.setValue(0)
        click(qtbot, room.settings.recode)
        idle(qtbot, workspace)
        assert table_of(workspace) is room.result.advice  # Ten rows of Chur are fewer than twelve.
        workspace.document.apply("limit", lambda session: session.syntactic.set_suppression_limit(0.02))
        workspace.status()
        workspace.run()
        idle(qtbot, workspace)
        assert table_of(workspace) is room.result.table
        assert f"{ROWS - 10} of {ROWS} rows" in room.result.header.text

    def test_a_changed_level_makes_it_old_until_it_is_undone(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        room.settings.columns.rows["age"].slider.setValue(2)
        workspace.status()
        assert "Out of date" in room.result.header.text
        assert workspace.next_hint() == "Use these levels" == room.result.header.link.text()
        workspace.document.undo_stack.undo()
        workspace.status()
        assert "Out of date" not in room.result.header.text
        room.settings.columns.rows["age"].slider.setValue(2)
        workspace.status()
        press(qtbot, workspace, room.result.header.link)
        assert "Out of date" not in room.result.header.text
        assert room.result.header.link.text() == "Use the best levels"
        press(qtbot, workspace, room.result.header.link)
        assert ", the least · " in room.result.header.text

    def test_risk_falls_and_follows_the_threshold(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        risk = room.result.risk
        assert risk.text("prosecutor.highest", "before") == "20 %"
        assert risk.text("prosecutor.at_risk", "before") == "0 %"
        smallest = int(workspace.document.session.syntactic.recoded.anonymised.class_sizes.min())
        assert risk.text("prosecutor.highest", "after") == f"{100 / smallest:.3g} %"
        room.result.tabs.setCurrentWidget(risk)
        spread, attackers = risk.spread.data, risk.attackers.data
        assert spread.before.sum() == pytest.approx(1) and spread.after.sum() == pytest.approx(1)
        assert spread.names[-1] == "100 %" and spread.after[-1] == 0
        assert attackers.before[0] == 0.2 and attackers.after[0] == pytest.approx(1 / smallest)
        click(qtbot, risk.switch.buttons[2])
        type_number(qtbot, workspace, risk.threshold, "15")
        idle(qtbot, workspace)
        assert risk.text("prosecutor.at_risk", "before") == f"{100 * 10 / ROWS:.3g} %"
        assert risk.text("prosecutor.at_risk", "after") == "0 %"

    def test_rows_of_too_many_kinds_leave_the_risk_of_the_release_and_a_reason(
        self,
        qtbot: QtBot,
        workspace: AnonymiseWorkspace,
        room: SyntacticRoom,
        errors: list[BaseException],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def refuse(*_: object) -> None:
            raise TooManyGroups("The rows are of 9 kinds.", hint="Raise the budget.")

        monkeypatch.setattr(views, "class_sizes", refuse)
        find_and_use(qtbot, workspace)
        risk = room.result.risk
        assert risk.text("prosecutor.highest", "before") == "–"
        assert risk.text("prosecutor.highest", "after").endswith("%")
        assert risk.why_not.text() == "Before: The rows are of 9 kinds. Raise the budget."
        assert not risk.why_not.isHidden() and not errors

    def test_the_distribution_of_a_chosen_column(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        values = room.result.values
        assert values.chosen == "age"
        assert values.chart.data.name == "age"
        assert values.chart.data.before.sum() == ROWS
        values.column.choose("city")
        values.column.activated.emit(1)
        idle(qtbot, workspace)
        assert values.chart.data.name == "city"
        assert values.chart.data.rows_after == workspace.document.session.syntactic.recoded.rows_out

    def test_losses_and_classes_are_drawn(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        assert set(room.result.losses.data.names) == {"age", "city"}
        assert room.result.sizes.data.rows.sum() == workspace.document.session.syntactic.recoded.rows_out
        with qtbot.waitSignal(room.result.losses.drawn, timeout=PATIENCE_MS):
            room.result.tabs.setCurrentWidget(room.result.charts)
        with qtbot.waitSignal(room.result.sizes.drawn, timeout=PATIENCE_MS):
            click(qtbot, room.result.charts.buttons[1])
        idle(qtbot, workspace)

    def test_a_metric_of_whole_rows_says_that_it_has_no_loss_per_column(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        room.settings.goal.loss.choose("discernibility")
        room.settings.goal.loss.activated.emit(0)
        find_and_use(qtbot, workspace)
        assert room.result.losses.data is None
        assert "whole rows" in room.result.losses.accessibleDescription()

    def test_a_new_project_clears_the_room(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        find_and_use(qtbot, workspace)
        workspace.document.new()
        idle(qtbot, workspace)
        assert workspace._no_data.isVisible()
        assert workspace.status() is None


class TestCare:
    def test_what_comes_from_true_rows_is_marked(self, workspace: AnonymiseWorkspace, room: SyntacticRoom) -> None:
        assert workspace.lock == "Analyst only"
        workspace.approach.buttons[AnonymityKind.DP].click()
        workspace.status()
        assert workspace.lock == ""

    def test_everything_is_explained_and_named(self, room: SyntacticRoom) -> None:
        book = HelpBook()
        for half in (room.settings, room.result):
            for widget in half.findChildren(QWidget):
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
                    assert widget.accessibleName(), widget
            keys = {explain_key(widget) for widget in half.findChildren(QWidget)} - {None, ""}
            assert keys
            assert all(book.find(str(key)) is not None for key in keys)

    @pytest.mark.parametrize("size", [(560, 480), (760, 560), (1016, 700), (2400, 1500)])
    def test_it_fits(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom, size: tuple[int, int]
    ) -> None:
        find_and_use(qtbot, workspace)
        workspace.resize(*size)
        qtbot.wait(20)
        assert (workspace.width(), workspace.height()) == size
        idle(qtbot, workspace)


class TestRelease:
    def test_the_kept_rows_are_written_without_a_claim(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom, tmp_path: Path
    ) -> None:
        release = ReleaseWorkspace(workspace.document)
        qtbot.addWidget(release)
        release.show()
        page = release.page
        assert not page.isVisible()
        find_and_use(qtbot, workspace)
        assert page.isVisible()
        assert page.verdict.text == "No (ε, δ) claim"
        assert "k-anonymity (k = 12)" in page.statement.toPlainText()
        assert page.assertions.isHidden(), "there is no claim that could rest on anything"
        assert release.next_hint() == "Export the release"
        out = tmp_path / "out.csv"
        page.export.file.setText(str(out))
        click(qtbot, page.export.export)
        idle(qtbot, workspace)
        with out.open(newline="", encoding="utf-8") as stream:
            header, *rows = csv.reader(stream)
        recoded = workspace.document.session.syntactic.recoded
        assert recoded is not None
        assert header == ["age", "city"]
        assert len(rows) == recoded.rows_out
        assert release.history.table.model().rowCount() == 1
        assert release.history.table.model().index(0, 2).data() == "–"
        assert release.status() is Status.WARNING
        assert "k-anonymity: holds" in out.with_name("out_statement.html").read_text("utf-8")

    def test_an_old_table_cannot_be_exported(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, room: SyntacticRoom
    ) -> None:
        release = ReleaseWorkspace(workspace.document)
        qtbot.addWidget(release)
        release.show()
        find_and_use(qtbot, workspace)
        assert release.export.export.isEnabled()
        room.settings.columns.rows["age"].slider.setValue(2)
        workspace.status()
        assert not release.export.export.isEnabled()
        click(qtbot, workspace.approach.buttons[AnonymityKind.DP])
        assert not release.page.isVisible()
