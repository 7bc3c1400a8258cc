"""The place on the axis that the tiles of the Compare workspace are about: chosen by a slider, or typed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    ASSUMED,
)
from tests.gui.helpers import idle
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Statistic
from workbench.gui.workspaces.compare import CompareWorkspace


class TestPlace:
    """Where on the axis the ways are compared."""

    def test_the_slider_recomputes_nothing(self, declared: CompareWorkspace) -> None:
        tiles = declared.view.tiles
        before = tiles.cards[Approach.GLOBAL].error.text()
        tiles.set_place(2.0)
        assert tiles.at == tiles.field.value == 2 and tiles.place_words == "ε = 2"
        assert tiles.cards[Approach.GLOBAL].error.text() != before and not declared.document.runner.jobs

    def test_where_it_is_can_be_typed_and_what_was_not_run_is_interpolated(self, declared: CompareWorkspace) -> None:
        tiles = declared.view.tiles
        tiles.field.edit.setText("1")
        assert tiles.at == 1 and tiles.basis.text().startswith(
            f"{ASSUMED}Interpolated between 0.5 and 2, which were run. Mean"
        )
        tiles.slider.setValue(tiles.slider.maximum() - 3)
        assert tiles.at == tiles.field.value == 2 and tiles.basis.text().startswith(f"{ASSUMED}Mean error of 10 tries")
        tiles.field.edit.setText("7")
        assert tiles.at == 2 and not tiles.field.valid

    def test_an_epsilon_is_typed_as_elsewhere_and_a_wrong_one_says_why(self, declared: CompareWorkspace) -> None:
        tiles = declared.view.tiles
        for text, place in (("0,5", 0.5), ("ln 3", math.log(3)), ("4/3", 4 / 3)):
            tiles.field.edit.setText(text)
            assert tiles.at == pytest.approx(place) and tiles.field.valid, text
        said = tiles.least.text()
        tiles.field.edit.setText("-1")
        assert tiles.least.text().startswith("“ε” holds -1; it takes ") and tiles.least.isVisibleTo(declared)
        assert tiles.at == pytest.approx(4 / 3), "what the tiles are about stays"
        tiles.limit.edit.setText("abc")
        tiles.field.edit.setText("4/3")
        assert tiles.least.text() == "“Error that is good enough” holds no number."
        tiles.limit.edit.setText("")
        assert tiles.least.text() == said

    def test_a_number_of_people_that_is_none_is_said_where_it_is_run(self, declared: CompareWorkspace) -> None:
        people, foot = declared.view.basis.form["users"], declared.view.foot
        before, text = foot.cost.text(), people.edit.text()
        people.edit.setText("abc")
        assert "holds no number" in foot.cost.text() != before and not foot.button.isEnabled()
        state = declared.view.chart.state
        assert state.property("message") == "warning" and "“People” holds no number" in state.text
        declared.view.tiles.field.edit.setText("-1")
        declared.view.show_run()
        assert "“People” holds no number" in foot.cost.text(), "it is what keeps from running"
        declared.view.tiles.field.edit.setText("1")
        people.rested.emit()  # somebody leaves it, or types no more
        whose = declared.view.basis.whose
        assert whose.text() == "“People” holds no number." and not whose.isHidden()
        people.edit.setText(text)
        assert foot.cost.text() == before and whose.text() != "“People” holds no number."
        assert state.property("message") is None

    def test_along_epsilon_no_number_changes_its_size(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        tiles = declared.view.tiles
        seen = set[tuple[object, ...]]()
        for wide in (560, 700):
            tiles.setFixedWidth(wide)
            for place in (0.5, 0.75, 1.0, 1.3, 2.0):
                tiles.set_place(place)
                idle(qtbot, declared)
                looks = (one.error.property("heading") for one in tiles.cards.values())
                seen.add((wide, *looks))
        assert len(seen) == 2, seen

    def test_the_table_of_points_begins_at_its_first_and_names_settings(self, declared: CompareWorkspace) -> None:
        table = declared.view.numbers.table
        heading = [table.model().headerData(one, Qt.Orientation.Horizontal) for one in range(5)]
        assert heading == ["Method", "ε", "Setting", "Shape", "Mean"]
        assert (
            table.texts()[0][:4] == ("Global", "0.5", "Discrete Laplace", "long-tailed")
            and table.verticalScrollBar().value() == 0
        )

    def test_another_question_begins_at_its_own_place(self, declared: CompareWorkspace) -> None:
        tiles, findings = declared.view.tiles, declared.view.chart.shown
        tiles.set_place(2.0)
        tiles.show_findings(replace(findings, rows=7))
        assert tiles.at == 2
        other = replace(findings.experiment, question=replace(findings.experiment.question, statistic=Statistic.SUM))
        tiles.show_findings(replace(findings, experiment=other))
        assert tiles.at == other.looked_at == 0.5
