"""How each column is treated, and at which level."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.anonymise.helpers import load, treat
from tests.gui.anonymise_steps import seen
from tests.gui.helpers import click
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import levels_counted
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_row import ColumnTreatment

pytestmark = pytest.mark.usefixtures("sampling")


class TestColumns:
    def test_a_row_says_where_a_column_stands(self, ready: AnonymiseWorkspace) -> None:
        assert ready.columns.rows["age"].words == "level 1 of 2 · 4 groups · 40 → 40s"
        hierarchy = ready.document.project.hierarchies["age"]
        assert levels_counted(hierarchy) == "2 levels", "as the list in Hierarchies says"
        bare, above = Hierarchy.from_rows([("1",), ("2",)]), Hierarchy.from_rows([("1", "*"), ("2", "*")])
        assert [levels_counted(one) for one in (bare, above)] == ["no level above its values", "1 level"]
        assert ready.columns.rows["person"].treatment.currentData() == ColumnTreatment.LEAVE_OUT
        assert not ready.columns.rows["person"].slider.isVisible()

    def test_moving_a_level(self, ready: AnonymiseWorkspace) -> None:
        ready.columns.rows["age"].slider.setValue(2)
        ready.status()
        assert ready.document.project.anonymise.levels["age"] == 2
        assert ready.document.undo_stack.undoText() == "Generalise age to level 2"
        assert ready.columns.rows["age"].words == "level 2 of 2 · 1 group · 40 → *"

    def test_level_0_is_grouping_as_it_is(self, ready: AnonymiseWorkspace) -> None:
        row = ready.columns.rows["age"]
        row.slider.setValue(0)
        ready.status()
        assert row.treatment.currentData() == ColumnTreatment.AS_IS
        assert seen(row.slider, ready)
        treat(ready, "age", ColumnTreatment.GENERALISE)
        assert ready.document.project.anonymise.levels["age"] == 1

    def test_passing_through_voids_the_claim(self, ready: AnonymiseWorkspace) -> None:
        assert ready.claim_word() == "To sign at Release:"
        treat(ready, "person", ColumnTreatment.KEEP)
        assert ready.claim_word() == "No (ε, δ) claim"
        assert "voids" in ready.columns.rows["person"].words
        ready.document.undo_stack.undo()
        ready.status()
        assert ready.claim_word() == "To sign at Release:"

    def test_uncovered_values_are_named_and_can_become_stars(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        small = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*")])
        ready.document.apply("attach", lambda session: session.data.attach_hierarchy("city", small))
        ready.status()
        row = ready.columns.rows["city"]
        assert row.problem == "", "nobody looked at the values of the table yet"
        ready.document.session.looks.take("values")
        ready.document.apply("x", lambda session: session.release.columns.set_level("city", 0))
        ready.put_off()
        ready.status()
        assert "Chur" in row.problem
        assert ready.run_button.isEnabled(), "in a run they become * by a public rule"
        ready.steps.open("levels")
        click(qtbot, row.controls[-1])
        ready.status()
        assert row.problem == ""
        assert ready.run_button.isEnabled()

    def test_the_wheel_scrolls_past_what_has_no_focus(self, ready: AnonymiseWorkspace) -> None:
        slider = ready.columns.rows["age"].slider
        ready.promise.fields["epsilon"].setFocus()
        before = dict(ready.document.project.anonymise.levels)
        turn = QWheelEvent(
            QPointF(5, 5),
            QPointF(slider.mapToGlobal(QPoint(5, 5))),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(slider, turn)
        assert dict(ready.document.project.anonymise.levels) == before

    def test_levels_chosen_by_looking_void_the_claim(self, qtbot: QtBot, ready: AnonymiseWorkspace) -> None:
        ready.steps.open("run")
        ready.plan.details.set_open(True)
        click(qtbot, ready.plan.looked)
        ready.status()
        assert not ready.document.project.anonymise.levels_blind
        assert ready.claim_word() == "Only for its choices as they are"

    def test_wide_tables_show_what_takes_part_and_what_is_sought(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, tmp_path: Path
    ) -> None:
        names = [f"c{i:03}" for i in range(120)]
        path = tmp_path / "wide.csv"
        path.write_text("\n".join([",".join(names), *(",".join(["1", "2"] * 60) for _ in range(5))]), encoding="utf-8")
        load(qtbot, workspace, path)
        assert not workspace.columns.rows
        workspace.steps.open("levels")
        qtbot.keyClicks(workspace.columns.search, "c07")
        assert visible_rows(workspace) == [f"c07{i}" for i in range(10)]
        treat(workspace, "c071", ColumnTreatment.AS_IS)
        workspace.columns.search.clear()
        assert visible_rows(workspace) == ["c071"]


def visible_rows(workspace: AnonymiseWorkspace) -> list[str]:
    return sorted(name for name, row in workspace.columns.rows.items() if row.isVisible())
