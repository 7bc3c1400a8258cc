"""The level that a release has of a column is the one that its hierarchy opens at."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from workbench.anonymise.recipe import Treatment
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.session.release.level_in_use import level_in_use
from workbench.session.release.purpose import tick
from workbench.session.release.steps import LevelSource


def test_the_level_that_a_release_has_is_shown_first(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path
) -> None:
    """As soon as somebody ticked what the release is for, or chose levels; before, the first above the values."""
    path = tmp_path / "people.csv"
    path.write_text("age,ward\n" + "".join(f"{20 + i % 60},{'AB'[i % 2]}\n" for i in range(100)))
    document = workspace.document
    document.open_data(path)
    idle(qtbot, workspace)
    document.apply("u", lambda one: one.data.set_unit(PrivacyUnit(protected=UnitAnswer.SAID)))
    document.apply("h", lambda one: one.data.attach_hierarchies(one.data.hierarchy_suggester(["age", "ward"])(SILENT)))
    workspace.settle()
    workspace.attributes.pick("age")
    levels = workspace.panel.levels
    assert levels.currentIndex() == 1 and level_in_use(document.session, "age") is None
    document.apply("t", lambda one: one.release.steps.set_source(LevelSource.TYPED))
    document.apply("l", lambda one: one.release.steps.set_level(0, "age", 2))
    workspace.settle()
    assert level_in_use(document.session, "age") == 2 and levels.currentIndex() == 2
    levels.setCurrentIndex(3)
    document.apply("o", lambda one: one.data.set_missing(["ward"], ["-"]))
    workspace.settle()
    assert levels.currentIndex() == 3, "whoever looks at another one is let be"
    workspace.attributes.pick("ward")
    workspace.attributes.pick("age")
    assert levels.currentIndex() == 2
    document.apply("b", lambda one: one.release.steps.set_source(LevelSource.BALANCED))
    document.apply("k", lambda one: tick(one, "age", ticked=True))
    used = level_in_use(document.session, "age")
    assert used == document.session.release.steps.lines()[0].levels["age"]
    document.apply("w", lambda one: one.release.columns.set_treatment("age", Treatment.LEAVE_OUT))
    assert level_in_use(document.session, "age") is None
