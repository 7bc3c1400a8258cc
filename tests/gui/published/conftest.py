"""The gallery of published figures in the window, and few repetitions for each."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from workbench.evaluate.published.catalogue import FIGURES
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.compare.workspace import CompareWorkspace


@pytest.fixture
def room(window: MainWindow, qtbot: QtBot) -> CompareWorkspace:
    window.resize(1280, 800)
    window.rail.select("compare")
    found = window.findChild(CompareWorkspace)
    assert isinstance(found, CompareWorkspace)
    found.show_gallery()
    return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for figure in FIGURES:
        monkeypatch.setitem(vars(figure), "repetitions", min(figure.repetitions, 2))
