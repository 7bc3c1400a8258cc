"""What is wrong with a hierarchy is named, and repaired with one click."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.builders.helpers import CITIES, apply, begin, chain, tree_of
from tests.gui.helpers import choose, idle
from workbench.core.hierarchy import Provenance
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.forms.table import TableForm


def test_repeated_values_are_named_and_removed(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    form.tree.categories.rename_requested.emit((0,), "Zug")
    idle(qtbot, workspace)
    problem = workspace.builder.preview.problem
    assert problem.isVisible()
    assert "“Zug”" in problem.accessibleName()
    assert not workspace.builder.apply.isEnabled()
    assert not workspace.builder.preview.view.isEnabled(), "what is shown is not what is drafted"
    workspace.builder.preview.repair.click()
    idle(qtbot, workspace)
    assert tree_of(workspace) == ["Zug", "Basel", "Bern", "Chur", "Genf"]
    assert not problem.isVisible()
    workspace.builder.preview.add_them.click()
    idle(qtbot, workspace)
    assert tree_of(workspace)[-1] == "Aarau"


def test_uncovered_values_become_any(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "score", "intervals")
    form.below.fields["whole"].setChecked(True)
    idle(qtbot, workspace)
    workspace.builder.preview.problem.isVisible()
    form.below.fields["whole"].setChecked(False)
    form.repeat.click()
    idle(qtbot, workspace)
    assert not workspace.builder.preview.uncovered.isVisible()
    workspace.builder.discard.click()
    begin(qtbot, workspace, "city", "intervals")
    assert workspace.builder.preview.problem.isVisible()
    choose(workspace.builder.form.common.fields["unlisted"], "any")  # type: ignore[union-attr]
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "Zug") == ("Zug", "*", "*", "*", "*")


def test_a_list_that_misses_values_covers_them_with_one_click(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "categories")
    form.above.fields["declared"].click()
    form.tree.select_paths([(5,)])
    form.do("remove")
    idle(qtbot, workspace)
    assert "“Zug”" in workspace.builder.preview.uncovered.accessibleName()
    assert workspace.builder.badge.text == "Made without this data"
    workspace.builder.preview.cover.click()
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "Zug") == ("Zug", "*")
    assert hierarchy.provenance is Provenance.PUBLIC, "the rule does not depend on which values occur"


def test_a_torn_file_is_named_and_repaired(
    qtbot: QtBot, workspace: HierarchiesWorkspace, errors: list[BaseException], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.csv"
    lines = [f"{city};West;All" for city in CITIES[:4]] + ["Aarau;West;None", "Zug;East;All", "Zug;North;All"]
    bad.write_text("\n".join(lines) + "\n")
    workspace.attributes.pick("city")
    workspace.attach_file(bad)
    idle(qtbot, workspace)
    assert errors == []
    form = workspace.builder.form
    assert isinstance(form, TableForm)
    assert form.faults.isVisible()
    named = form.faults.accessibleName()
    assert "“Zug”" in named
    assert "“West”" in named
    assert "“Aarau”" in named
    assert "city" not in workspace.document.project.hierarchies
    form.faults.repair.click()
    idle(qtbot, workspace)
    assert not form.faults.isVisible()
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "Aarau") == ("Aarau", "West", "All")
    assert chain(hierarchy, "Zug") == ("Zug", "East", "All")


def test_cells_of_a_table_are_typed(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "city", "table")
    assert isinstance(form, TableForm)
    for row in range(6):
        form.rows.setData(form.rows.index(row, 1), "West" if row < 3 else "East")
        qtbot.wait(1)
    hierarchy = apply(qtbot, workspace)
    assert hierarchy.groups() == (6, 2, 1)
