"""Ready-made settings, and hierarchies kept for another table."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.builders.helpers import CITIES, apply, begin, chain, type_number, type_text
from tests.gui.helpers import idle
from workbench.core.hierarchy import Provenance
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.attributes import SUMMARY
from workbench.gui.workspaces.hierarchies.forms.intervals import IntervalsForm
from workbench.gui.workspaces.hierarchies.library_dialog import KeepDialog, LibraryDialog
from workbench.io.hierarchy_library import library


def test_the_pairs_of_means_are_one_click(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    workspace.attributes.pick("age")
    choice = workspace.attach_page.choices["preset"]
    assert "Made from this data" in choice.accessibleName()
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Return)
    idle(qtbot, workspace)
    assert workspace.builder.badge.text == "Made from this data"
    hierarchy = apply(qtbot, workspace)
    assert hierarchy.groups() == (40, 20, 10, 5, 3, 2, 1, 1)
    assert chain(hierarchy, "20")[:3] == ("20", "20.5", "21.5")
    assert workspace.attributes_model.index(2, 0).data(SUMMARY) == "7 levels · made from this data"


def test_a_fitting_entry_of_the_library_is_offered(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "age", "library.age")
    assert isinstance(form, IntervalsForm)
    hierarchy = apply(qtbot, workspace)
    assert chain(hierarchy, "33") == ("33", "30-34", "30-39", "20-39", "*")
    assert hierarchy.provenance is Provenance.PUBLIC
    assert "125" in hierarchy.values, "listed though it does not occur"


def test_a_hierarchy_is_kept_and_used_again(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    form = begin(qtbot, workspace, "zip", "intervals")
    type_number(qtbot, form.base.ends[0], "7")
    idle(qtbot, workspace)
    workspace.builder.keep.trigger()
    dialog = workspace.findChild(KeepDialog)
    assert dialog is not None
    type_text(qtbot, dialog.title, "Sevens")
    dialog.keep.click()
    idle(qtbot, workspace)
    assert "sevens" in [entry.name for entry in library().entries if entry.own]
    workspace.builder.discard.click()
    workspace.attributes.pick("age")
    workspace.attach_page.library.click()
    chooser = workspace.findChild(LibraryDialog)
    assert chooser is not None
    qtbot.keyClicks(chooser.search, "seven")
    assert chooser.entry is not None
    chooser.use.click()
    idle(qtbot, workspace)
    assert chain(apply(qtbot, workspace), "33")[1] == "28-34"


def test_an_attached_hierarchy_is_kept_too(qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path) -> None:
    path = tmp_path / "city.csv"
    path.write_text("".join(f"{city};West;*\n" for city in CITIES))
    workspace.attributes.pick("city")
    workspace.attach_file(path)
    idle(qtbot, workspace)
    workspace.panel.keep.trigger()
    dialog = workspace.findChild(KeepDialog)
    assert dialog is not None
    assert dialog.title.text() == "city"
    dialog.keep.click()
    idle(qtbot, workspace)
    assert library()["city"].builder == "categories"
