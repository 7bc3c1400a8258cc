"""The Collect workspace of a new project."""

from __future__ import annotations

import pytest

from tests.gui.helpers import OnScreen
from workbench.gui.document import Document
from workbench.gui.workspaces.collect import CollectWorkspace


@pytest.fixture
def room(document: Document, on_screen: OnScreen) -> CollectWorkspace:
    """The room of a new project, in which no table is open."""
    return on_screen(CollectWorkspace(document), 1016)
