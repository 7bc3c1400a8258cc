"""Every builder through its form: intervals, dates, masking, priority, redaction."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from tests.gui.builders.helpers import ALT, apply, begin, chain, type_number, type_text
from tests.gui.helpers import choose, idle
from workbench.core.hierarchy import Provenance
from workbench.core.level_words import levels_counted
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.forms.dates import DatesForm
from workbench.gui.workspaces.hierarchies.forms.intervals import IntervalsForm
from workbench.gui.workspaces.hierarchies.forms.priority import PriorityForm
from workbench.gui.workspaces.hierarchies.forms.redaction import RedactionForm


def test_intervals(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    assert isinstance(form, IntervalsForm)
    type_number(qtbot, form.base.ends[0], "5")
    type_text(qtbot, form.levels.rows[2].joins, "3")
    choose(form.levels.rows[1].function, "interval")
    form.beyond.set_open(True)
    high = form.bounds.fields["highest", "coding"]
    assert isinstance(high, NumberField)
    type_number(qtbot, high, "50")
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "33") == ("33", "30-34", "[30, 40[", "30-49", "*")
    assert chain(hierarchy, "55") == ("55", "≥50", "≥50", "≥50", "*")
    assert hierarchy.provenance is Provenance.PUBLIC


def test_the_high_end_may_be_in_the_last_interval(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    assert isinstance(form, IntervalsForm)
    form.beyond.set_open(True)
    assert form.bounds.included.isVisible() and not form.bounds.included.isEnabled(), "there is no end yet"
    high = form.bounds.fields["highest", "coding"]
    assert isinstance(high, NumberField)
    type_number(qtbot, high, "40")
    idle(qtbot, workspace)
    form.bounds.included.click()
    type_number(qtbot, high, "50")
    hierarchy = apply(qtbot, workspace)
    assert hierarchy.specification is not None
    assert hierarchy.specification["details"]["highest"] == {"coding": 50, "included": True}
    assert chain(hierarchy, "50") == ("50", "40-50", "40-50", "40-50", "*")
    assert chain(hierarchy, "55") == ("55", ">50", ">50", ">50", "*")


def test_what_is_said_of_intervals_follows_their_width(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    assert isinstance(form, IntervalsForm)
    assert workspace.builder.sentence.full_text == "Numbers become groups of 10, then of 20, then of 40, then *."
    type_number(qtbot, form.base.ends[0], "5")
    idle(qtbot, workspace)
    assert workspace.builder.sentence.full_text == "Numbers become groups of 5, then of 10, then of 20, then *."
    assert [row.function.currentText() for row in form.levels.rows] == ["Bounds 0-4", "Bounds 0-9", "Bounds 0-19"]
    choose(form.levels.rows[1].function, "interval")
    assert form.levels.rows[1].function.currentText() == "Interval [0, 10["


@pytest.mark.parametrize("typed", ["0", "2, 0", "two"])
def test_a_size_that_is_none_is_explained_and_cannot_be_applied(
    qtbot: QtBot, workspace: HierarchiesWorkspace, typed: str
) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    row = form.levels.rows[2]
    type_text(qtbot, row.joins, typed)
    idle(qtbot, workspace)
    assert row.joins.text() == typed and row.joins.property("invalid") == "true"
    assert row.problem.isVisible() and "above 0" in row.problem.text()
    assert not workspace.builder.apply.isEnabled() and workspace.builder.previewed is None
    type_text(qtbot, row.joins, "3")
    idle(qtbot, workspace)
    assert not row.problem.isVisible() and row.joins.property("invalid") == "false"
    assert workspace.builder.apply.isEnabled()


def test_intervals_one_by_one_and_not_repeated(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    type_number(qtbot, form.base.start, "20")
    type_number(qtbot, form.base.ends[0], "30")
    form.base.add.click()
    type_number(qtbot, form.base.ends[1], "60")
    form.repeat.click()
    hierarchy = apply(qtbot, workspace)
    assert [chain(hierarchy, age)[1] for age in ("20", "29", "30", "59")] == ["20-29", "20-29", "30-59", "30-59"]


def test_a_level_of_means_of_the_data_is_derived(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    row = form.levels.rows[0]
    choose(row.function, "mean")
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "You will be asked"
    choose(row.of, "data")
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Made from this data"
    assert "labels follow from the intervals" in workspace.builder.how_public.text()
    assert chain(apply(qtbot, workspace), "22")[1] == "24.5"


def test_of_typed_groups_nothing_is_claimed_before_somebody_says_it(
    qtbot: QtBot, workspace: HierarchiesWorkspace
) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    type_number(qtbot, form.base.ends[0], "7")
    hierarchy = apply(qtbot, workspace)
    panel = workspace.panel
    assert hierarchy.provenance is Provenance.PUBLIC, "Release asks whether it is so, as before"
    assert panel.badge.text == "You will be asked" and "Release" in panel.badge.toolTip()
    assert "without" not in panel.origin.text()
    counted = levels_counted(hierarchy)
    assert f"; {counted}. " in panel.origin.text(), "counted as in the list of columns"
    panel.correct.click()
    panel.editor.public.click()
    panel.editor.reason.setText("bands of the statistics office")
    panel.editor.save.click()
    assert panel.badge.text == "Made without this data" and not panel.badge.toolTip(), "now somebody has said so"


def test_own_labels_and_decimals_of_a_level(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "order")
    form.levels.rows[0]._take_names(["youngest", None])
    choose(form.levels.rows[1].function, "mean")
    form.levels.rows[1].decimals.actions()[1].trigger()
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "20")[1:3] == ("youngest", "22")
    assert chain(hierarchy, "22")[1] == "[22, 23]"


def test_a_text_with_fields(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    row = form.levels.rows[0]
    choose(row.function, "pattern")
    assert row.text.isVisible()
    type_text(qtbot, row.text, "from {{low}")
    idle(qtbot, workspace)
    assert not workspace.builder.apply.isEnabled()
    assert workspace.builder.preview.problem.isVisible()
    type_text(qtbot, row.text, "from {low}")
    assert chain(apply(qtbot, workspace), "33")[1] == "from 30"


def test_levels_are_added_and_removed(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "intervals")
    form.levels.add.click()
    assert len(form.levels.rows) == 4
    type_text(qtbot, form.levels.rows[3].joins, "2")
    form.levels.rows[0].remove.click()
    form.levels.rows[0].remove.click()
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "33") == ("33", "30-39", "20-39", "*")


def test_dates(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "day", "dates")
    assert isinstance(form, DatesForm)
    choose(form.units.units[0], "week")
    idle(qtbot, workspace)
    assert len(form.units.units) == 1, "nothing is coarser than a week"
    choose(form.units.units[0], "month")
    form.units.add.click()
    choose(form.units.units[1], "own")
    type_text(qtbot, form.units.formats[1], "Q%q %Y")
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "2024-05-05") == ("2024-05-05", "2024-05", "Q2 2024", "*")
    assert hierarchy.provenance is Provenance.PUBLIC


def test_units_that_cannot_follow_cannot_be_chosen(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "day", "dates")
    model: Any = form.units.units[1].model()
    enabled = {str(form.units.units[1].itemData(row)) for row in range(model.rowCount()) if model.item(row).isEnabled()}
    assert {"quarter", "year", "own"} <= enabled
    assert not {"day", "week", "month"} & enabled


def test_masking_shows_one_value_level_by_level(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "zip", "masking")
    length = form.above.fields["length"]
    length.setValue(4)
    choose(form.above.fields["side"], "left")
    idle(qtbot, workspace)
    shown = form.example.chain.text().split("\n")
    assert shown[1:3] == [f"*{shown[0][1:]}", f"**{shown[0][2:]}"]
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "8017") == ("8017", "*017", "**17", "***7", "*")


def test_a_length_read_from_the_data_is_derived(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "zip", "masking")
    form.above.fields["length"].setValue(0)
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Made from this data"
    assert "declare the largest length" in workspace.builder.how_public.text()


def test_priority_by_hand(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "priority")
    assert isinstance(form, PriorityForm)
    assert workspace.builder.badge.text == "Made from this data"
    choose(form.above.fields["by"], "hand")
    assert form.list.values.texts[0] == "Zug", "the most frequent one"
    form.list.select_rows(0, 0)
    qtbot.keyClick(form.list, Qt.Key.Key_Down, ALT)
    assert form.list.selected_rows == [1]
    data = form.list.values.mimeData([form.list.values.index(1, 0)])
    move = Qt.DropAction.MoveAction
    assert form.list.values.dropMimeData(data, move, len(form.list.values.texts), 0, QModelIndex())
    assert form.list.values.texts[-1] == "Zug"
    type_text(qtbot, form.keep, "2, 1")
    form.above.fields["declared"].click()
    hierarchy = apply(qtbot, workspace)
    first, second = form_values = [row[0] for row in hierarchy.rows()][:2]
    assert chain(hierarchy, first) == (first, first, first, "*")
    assert chain(hierarchy, second) == (second, second, "other", "*")
    assert "Zug" not in form_values
    assert hierarchy.provenance is Provenance.PUBLIC


def test_a_list_taken_from_the_data_is_no_longer_declared(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "priority")
    choose(form.above.fields["by"], "hand")
    form.above.fields["declared"].click()
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Made without this data"
    form.fill.click()
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Not declared"


def test_redaction(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "name", "redaction")
    assert isinstance(form, RedactionForm)
    type_text(qtbot, form.rules[0].pattern, "[0-9]$")
    form.rules[0].each.click()
    form.add_rule.click()
    idle(qtbot, workspace)
    assert form.rules[1].pattern.property("invalid") == "true", "a rule without a pattern"
    type_text(qtbot, form.rules[1].pattern, "[0-9]")
    type_text(qtbot, form.rules[1].replacement, "#")
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "P123") == ("P123", "P12*", "P##*", "*")
