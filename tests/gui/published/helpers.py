"""What a person waits for on the page of a published figure."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from workbench.gui.workspaces.compare.figure_page import FigurePage


def finish(qtbot: QtBot, page: FigurePage, identifier: str) -> None:
    qtbot.waitUntil(lambda: identifier in page.found and page.found[identifier][0].complete, timeout=PATIENCE_MS)
