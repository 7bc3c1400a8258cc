"""What a person does to build a hierarchy: choose a builder, fill in its form, apply."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QLineEdit,
)
from pytestqt.qtbot import QtBot

from tests.gui.helpers import click, idle
from workbench.core.building import BuilderValues, build_hierarchy
from workbench.core.hierarchy import Hierarchy
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm

CITIES = ("Bern", "Basel", "Chur", "Genf", "Aarau", "Zug")
CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def begin(qtbot: QtBot, workspace: HierarchiesWorkspace, column: str, builder: str) -> Any:
    """Choose a builder on the start page of a column; its form."""
    workspace.attributes.pick(column)
    assert workspace.attach_page.isVisible()
    click(qtbot, workspace.attach_page.choices[builder])
    idle(qtbot, workspace)
    assert workspace.builder.isVisible()
    form = workspace.builder.form
    assert isinstance(form, BuilderForm)
    return form


def apply(qtbot: QtBot, workspace: HierarchiesWorkspace) -> Hierarchy:
    """Press Apply; what is attached must be the very object that was previewed, and what its rule builds."""
    idle(qtbot, workspace)
    column, previewed = workspace.attributes.name, workspace.builder.previewed
    assert workspace.builder.apply.isEnabled()
    workspace.builder.apply.click()
    idle(qtbot, workspace)
    attached = workspace.document.project.hierarchies[column]
    assert attached is previewed
    document = workspace.document
    spec = document.project.schema[column]
    assert attached.specification is not None
    rebuilt = build_hierarchy(
        attached.specification, BuilderValues.of(document.session.data.reading.table[column], spec)
    )
    assert rebuilt.rows() == attached.rows()
    assert (rebuilt.provenance, rebuilt.origin) == (attached.provenance, attached.origin)
    assert workspace.panel.isVisible()
    return attached


def chain(hierarchy: Hierarchy, value: str) -> tuple[str, ...]:
    return next(row for row in hierarchy.rows() if row[0] == value)


def type_number(qtbot: QtBot, field: NumberField, text: str) -> None:
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)


def type_text(qtbot: QtBot, edit: QLineEdit, text: str) -> None:
    edit.selectAll()
    qtbot.keyClicks(edit, text)


def tree_of(workspace: HierarchiesWorkspace) -> Any:
    draft = workspace.builder.draft
    assert draft is not None
    return draft.specification["details"]["tree"]


def group(label: str, *children: object) -> dict[str, object]:
    return {"label": label, "children": list(children)}
