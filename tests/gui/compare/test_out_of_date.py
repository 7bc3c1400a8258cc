"""What answers another question is read as such: all of it is grey, and nothing of it can be followed."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from workbench.evaluate.question import Question, Statistic
from workbench.gui.theme import colour
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.ldp.encoding_choice import EncodingChoice

_INKED = 5
"""Pixels of about one colour that a word has at least."""
_NEAR = 12
"""How far its three parts together may be from that colour."""


def inked(widget: QWidget, ink: str) -> bool:
    """Whether anything is written in a colour of the theme."""
    wanted, picture = colour(ink), widget.grab().toImage()
    pixels = (QColor(picture.pixel(x, y)) for x in range(picture.width()) for y in range(picture.height()))
    near = (
        abs(one.red() - wanted.red()) + abs(one.green() - wanted.green()) + abs(one.blue() - wanted.blue()) <= _NEAR
        for one in pixels
    )
    return sum(near) >= _INKED


def test_what_is_out_of_date_is_grey_as_a_whole_and_its_links_lead_nowhere(
    qtbot: QtBot, declared: CompareWorkspace
) -> None:
    view = declared.view
    view.parts.show_part(1)
    view.tiles.details.setChecked(True)
    view.tabs.show_page(view.numbers)
    idle(qtbot, declared)
    cards = [one for one in view.tiles.cards.values() if one.button.isVisible()]
    assert cards
    assert all(inked(one.button, "link") and inked(one, "text") for one in cards)
    assert inked(view.numbers.table.viewport(), "text")
    assert all("Out of date" not in one.button.toolTip() for one in cards)
    view.renewal.forget()
    lacking = Question(Statistic.MEAN, "town", EncodingChoice())
    declared.draft.change("another one", question=lacking)
    idle(qtbot, declared)
    assert view.tiles.headline.text() == "Out of date: of earlier settings."
    for card in cards:
        assert not card.button.isEnabled() and not inked(card.button, "link") and not inked(card, "text")
        assert card.button.toolTip().startswith("Out of date: of earlier settings.")
    assert not inked(view.numbers.table.viewport(), "text") and not inked(view.numbers.heading, "muted")
    declared.document.undo_stack.undo()
    idle(qtbot, declared)
    assert all(one.button.isEnabled() and inked(one.button, "link") and inked(one, "text") for one in cards)
    assert inked(view.numbers.table.viewport(), "text")
