"""Steps that can be taken back, and what they hold."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from typing import Any

from PySide6.QtGui import QUndoStack
from pytestqt.qtbot import QtBot

from workbench.gui.changes import Change
from workbench.gui.workspaces.hierarchies.drafts import HierarchyDraft
from workbench.project.model import Project


class Held(dict[str, Any]):
    """A specification whose end can be noticed."""


def test_steps_that_became_one_hold_only_its_ends(qtbot: QtBot) -> None:
    """As when a slider is dragged, or a name is typed."""
    shown: list[Project] = []
    stack = QUndoStack()
    first = Project()
    versions = [first]
    for _ in range(20):
        versions.append(replace(versions[-1]))
        stack.push(Change(shown.append, *versions[-2:], "Type", merge="type"))
    held = [weakref.ref(one) for one in versions]
    last = versions[-1]
    del versions
    gc.collect()
    assert stack.count() == 1
    assert [one() is not None for one in held] == [True, *[False] * 19, True]
    stack.undo()
    stack.redo()
    assert shown == [first, last]
    stack.clear()
    del first, last
    shown.clear()
    gc.collect()
    assert not any(one() for one in held)


def test_so_do_those_of_a_hierarchy_in_the_making(qtbot: QtBot) -> None:
    draft = HierarchyDraft(Held(builder="intervals", ends=[0]), fresh=True)
    held = [weakref.ref(draft.specification)]
    for end in range(1, 20):
        draft.edit(Held(builder="intervals", ends=[end]), "Change ends", merge="ends")
        held.append(weakref.ref(draft.specification))
    gc.collect()
    assert [number for number, one in enumerate(held) if one() is not None] == [0, 18, 19]
    draft.undo()
    assert draft.specification["ends"] == [0] and not draft.undo_text
