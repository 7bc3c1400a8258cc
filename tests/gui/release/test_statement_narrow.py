"""A statement in a narrow window: no word is broken, paragraphs fit, and one scrolls to a table that does not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QTextBlock, QTextCursor
from pytestqt.qtbot import QtBot

from workbench.gui.workspaces.release.statement_view import StatementView
from workbench.report.statement import statement_body

KEPT = Path(__file__).parents[2] / "kept" / "releases" / "exact_number_known" / "note.json"
SHA = re.compile(r"^[0-9a-f]{64}$")


@pytest.fixture
def view(qtbot: QtBot) -> StatementView:
    facts = json.loads(KEPT.read_text("utf-8"))
    facts["release"]["label_counts"]["education"] = facts["release"]["label_counts"].pop("town")
    made = StatementView()
    qtbot.addWidget(made)
    made.show_body(statement_body(facts))
    made.show()
    return made


def blocks(view: StatementView) -> list[QTextBlock]:
    found, block = [], view.document().begin()
    while block.isValid():
        found.append(block)
        block = block.next()
    return found


def broken(view: StatementView) -> list[str]:
    """The words within which a line ends."""
    found = []
    for block in blocks(view):
        text = block.text()
        ends = [block.layout().lineAt(n).textStart() for n in range(1, block.layout().lineCount())]
        found += [text for end in ends if text[end - 1].isalnum() and text[end].isalnum()]
    return found


@pytest.mark.parametrize("width", [1000, 460, 300])
def test_no_word_is_broken_and_paragraphs_need_no_scrolling(qtbot: QtBot, view: StatementView, width: int) -> None:
    view.resize(width, 600)
    qtbot.waitUntil(lambda: view.viewport().width() <= width)
    assert "education" in view.toPlainText() and not broken(view)
    paragraphs = [block for block in blocks(view) if QTextCursor(block).currentTable() is None]
    for block in paragraphs:
        assert block.layout().boundingRect().width() <= view.viewport().width()
    over = view.document().size().width() > view.viewport().width() + 2
    assert view.horizontalScrollBar().isVisible() is over is (width == 300)


def test_a_hash_is_copied_without_the_places_at_which_it_may_be_broken(view: StatementView) -> None:
    sha = json.loads(KEPT.read_text("utf-8"))["file"]["sha256"]
    assert SHA.match(sha) and sha in view.toPlainText().split()
    view.selectAll()
    copied = view.createMimeDataFromSelection()
    assert sha in copied.text() and sha in copied.html() and "\u200b" not in copied.text() + copied.html()
