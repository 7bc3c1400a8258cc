"""Every control has a name, an explanation and room; what was built goes out as a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.builders.helpers import apply, begin
from tests.gui.helpers import PATIENCE_MS, idle
from workbench.core.building import BUILDERS
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.builder_page import BuilderPage
from workbench.io.hierarchy_csv import read_hierarchy

NARROW = 536


def test_export_writes_what_is_attached(
    qtbot: QtBot, workspace: HierarchiesWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(qtbot, workspace, "age", "intervals")
    hierarchy = apply(qtbot, workspace)
    target = tmp_path / "out.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    with qtbot.waitSignal(workspace.document.noted, timeout=PATIENCE_MS):
        workspace.panel.export.trigger()
    back = read_hierarchy(target)
    assert back.rows() == hierarchy.rows()
    assert back.provenance is hierarchy.provenance


@pytest.mark.parametrize("builder", [builder.identifier for builder in BUILDERS])
def test_every_control_has_a_name_an_explanation_and_room(
    qtbot: QtBot, workspace: HierarchiesWorkspace, builder: str
) -> None:
    book = HelpBook()
    column = "day" if builder == "dates" else "age"
    begin(qtbot, workspace, column, builder)
    workspace.resize(760, 560)
    idle(qtbot, workspace)
    page: BuilderPage = workspace.builder
    for widget in page.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and isinstance(
            widget, (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QAbstractSlider)
        ):
            inner = type(widget).__module__.startswith("PySide6") and isinstance(widget.window(), QWidget)
            if inner and (widget.window() is not workspace.window() or widget.objectName().startswith("qt_")):
                continue  # the list of a combo box, the edit of a spin box
            assert widget.accessibleName(), widget
            assert book.find(explain_key(widget)) is not None, (widget, explain_key(widget))
    assert page._inside.minimumSizeHint().width() <= page._scroll.minimumWidth()
    assert workspace.minimumSizeHint().width() <= NARROW, "between rail and Explain pane at 1024 × 700"


def test_the_start_page_is_named_and_explained(qtbot: QtBot, workspace: HierarchiesWorkspace) -> None:
    book = HelpBook()
    workspace.attributes.pick("age")
    page = workspace.attach_page
    assert list(page.choices)[:2] == ["intervals", "order"], "what suits numbers comes first"
    for choice in page.choices.values():
        assert choice.accessibleName()
        assert book.find(explain_key(choice)) is not None
    workspace.attributes.pick("day")
    assert next(iter(page.choices)) == "dates"
    workspace.attributes.pick("zip")
    assert next(iter(page.choices)) == "masking"
