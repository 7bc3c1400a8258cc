"""The Data room without a table."""

from __future__ import annotations

import pytest

from tests.gui.helpers import OnScreen
from workbench.gui.document import Document
from workbench.gui.workspaces.data import DataWorkspace


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen) -> DataWorkspace:
    return on_screen(DataWorkspace(document))
