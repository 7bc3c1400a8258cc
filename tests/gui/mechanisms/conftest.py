"""The Mechanisms workspace."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, idle
from workbench.gui.document import Document
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace


@pytest.fixture
def workspace(qtbot: QtBot, document: Document, on_screen: OnScreen) -> MechanismsWorkspace:
    made = on_screen(MechanismsWorkspace(document), 816)
    idle(qtbot, made)
    return made
