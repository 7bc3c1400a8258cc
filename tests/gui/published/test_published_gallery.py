"""The gallery of published figures: cards, what is sought, and the marks that count what agrees."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from tests.gui.test_words import texts, words
from workbench.evaluate.published.agreement import Said
from workbench.evaluate.published.catalogue import FIGURES, figure_named
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.compare.figure_card import FigureCard, LeftOutCard
from workbench.gui.workspaces.compare.workspace import CompareWorkspace


def test_every_figure_has_a_card_and_the_gallery_few_words(qtbot: QtBot, room: CompareWorkspace) -> None:
    assert list(room.gallery.figures) == [figure.identifier for figure in FIGURES]
    assert words(texts(room)) <= 110
    left_out = [card.accessibleName() for card in room.gallery.findChildren(LeftOutCard)]
    assert [name.partition(" is")[0] for name in left_out] == ["Figure 3.7", "Figure 3.8"]
    card = room.gallery.figures["figure-3.3"]
    assert (
        card.accessibleName()
        == "Figure 3.3: Kantorovich distance, Of 1 published: 1 agrees; of 1 computed, not printed: 1 as computed"
    )
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert room.presets.currentWidget() is room.figure
    assert room.figure.figure is figure_named("3.3")
    room.figure.back.emit()
    assert room.presets.currentWidget() is room.gallery


def test_a_figure_is_found_by_its_number_wherever_one_types(qtbot: QtBot, room: CompareWorkspace) -> None:
    gallery = room.gallery

    def shown() -> list[str]:
        return [name for name, card in gallery.figures.items() if not card.isHidden()]

    for key in "3.2":
        qtbot.keyClicks(gallery.search if gallery.search.hasFocus() else gallery.figures["figure-4.5"], key)
    assert gallery.search.text() == "3.2"
    assert shown() == ["table-3.2", "figure-3.2"]
    assert all(card.isHidden() for card in gallery.cards.values())
    qtbot.keyClick(gallery.search, Qt.Key.Key_Return)
    assert room.figure.figure is figure_named("figure 3.2"), "of one number the figure comes before the table"
    assert room.figure.button.text() == "Run", "as after a click"
    room.show_gallery()
    gallery.search.setText("geometric")
    assert {"paper-truncated-geometric-2", "paper-truncated-geometric-4"} <= set(shown())
    gallery.search.setText("1/2-geometric")
    assert shown() == ["paper-truncated-geometric-2"]
    gallery.search.setText("figure 4.1")
    qtbot.keyClick(gallery.search, Qt.Key.Key_Return)
    assert room.figure.figure is figure_named("4.1")
    room.show_gallery()
    gallery.search.setText("table kant")
    assert shown() == []
    assert not gallery.nothing.isHidden()
    gallery.search.setText("kant")
    assert shown() == [name for name in gallery.figures if "kantorovich" in figure_named(name).title.lower()]
    assert len(shown()) == 6
    # One that is left out says why; there is nothing to open.
    gallery.search.setText("3.7")
    assert shown() == []
    assert gallery.nothing.isHidden()
    qtbot.keyClick(gallery.search, Qt.Key.Key_Return)
    assert room.presets.currentWidget() is gallery
    qtbot.keyClick(gallery.search, Qt.Key.Key_Escape)
    assert len(shown()) == len(FIGURES)


def test_without_a_table_the_published_figures_are_one_press_away_and_stay(qtbot: QtBot, window: MainWindow) -> None:
    window.rail.select("compare")
    room = window.findChild(CompareWorkspace)
    assert isinstance(room, CompareWorkspace)
    qtbot.waitUntil(room.view.isVisible, timeout=PATIENCE_MS)
    assert not room.gallery.isVisible(), "a comparison needs no table, and comes first"
    room.views.buttons[1].click()
    qtbot.waitUntil(room.gallery.isVisible, timeout=PATIENCE_MS)
    window.rail.select("mechanisms")
    window.rail.select("compare")
    assert room.gallery.isVisible(), "who has gone to the figures finds them again"


def test_what_lies_within_range_has_a_sign_without_a_colour_of_failure(room: CompareWorkspace) -> None:
    from PySide6.QtWidgets import QLabel

    card = room.gallery.figures["figure-3.1"]
    (mark,) = (one for one in card.findChildren(QLabel) if one.text() == "○ 4")
    assert mark.property("tone") in (None, "")
    joint = room.gallery.figures["figure-3.5"]
    assert [one.text() for one in joint.findChildren(QLabel) if one.text()[:1] in "≠≉"] == ["≉ differs together"]
    assert "differ" not in joint.accessibleName().replace("taken together, they differ", "")


@pytest.mark.parametrize("typed", ["Randomised response", "randomized response", "Randomised-response"])
def test_randomised_response_opens_the_entry_of_that_name(qtbot: QtBot, room: CompareWorkspace, typed: str) -> None:
    room.gallery.search.setText(typed)
    qtbot.keyClick(room.gallery.search, Qt.Key.Key_Return)
    assert room.figure.title.text().startswith("Randomised response · ")


def test_marks_count_what_is_sought_and_leave_only_the_figures_they_stand_for(
    qtbot: QtBot, room: CompareWorkspace
) -> None:
    gallery = room.gallery

    def shown() -> list[str]:
        return [name for name, card in gallery.figures.items() if not card.isHidden()]

    differs, agrees = gallery.marks.buttons[Said.DIFFERS], gallery.marks.buttons[Said.AGREES]
    qtbot.mouseClick(differs, Qt.MouseButton.LeftButton)
    assert shown() == [
        figure.identifier for figure in FIGURES if Said.DIFFERS in gallery.figures[figure.identifier].said
    ]
    assert {"table-3.2", "figure-3.9"} < set(shown()) < {figure.identifier for figure in FIGURES}
    assert all(card.isHidden() for card in gallery.cards.values())
    # The counts are those of all that are sought, so that another mark can be pressed instead.
    qtbot.mouseClick(agrees, Qt.MouseButton.LeftButton)
    assert not differs.isChecked()
    assert "figure-2.1" in shown()
    qtbot.mouseClick(agrees, Qt.MouseButton.LeftButton)
    assert shown() == [figure.identifier for figure in FIGURES]
    gallery.search.setText("table 3.4")
    assert [one.text() for one in gallery.marks.buttons.values() if not one.isHidden()] == ["✓ 14 agree", "≠ 1 differs"]
    qtbot.mouseClick(differs, Qt.MouseButton.LeftButton)
    gallery.search.setText("2.1")
    assert shown() == []
    assert gallery.nothing.text() == "Of these figures none has a value that differs."
    qtbot.keyClick(gallery.search, Qt.Key.Key_Escape)
    assert shown() == [figure.identifier for figure in FIGURES]


@pytest.mark.parametrize(
    ("typed", "some"),
    [
        ("laplace", {"figure-3.1", "table-3.2", "chapter-randomised-response"}),
        ("geometric", {"figure-3.4", "figure-3.5", "paper-truncated-geometric-2"}),
        ("rappor", {"figure-4.3"}),
        ("oue", {"figure-4.3", "figure-4.11"}),
        ("square wave", {"figure-4.10"}),
        ("random matrix", {"figure-4.5"}),
        ("trimming", {"table-3.6", "figure-3.9"}),
    ],
)
def test_figures_are_found_by_the_mechanisms_they_use(room: CompareWorkspace, typed: str, some: set[str]) -> None:
    room.gallery.search.setText(typed)
    assert some <= {name for name, card in room.gallery.figures.items() if not card.isHidden()}


def test_the_marks_keep_no_window_wide_and_are_all_written_out_there(qtbot: QtBot, room: CompareWorkspace) -> None:
    gallery = room.gallery
    qtbot.waitUntil(gallery.marks.isVisible, timeout=PATIENCE_MS)
    window = room.window()
    window.resize(1024, 700)
    assert window.width() == 1024
    qtbot.waitUntil(lambda: gallery.marks.width() < 900, timeout=PATIENCE_MS)
    shown = [one for one in gallery.marks.buttons.values() if not one.isHidden()]
    assert all(one.geometry().right() <= gallery.marks.width() for one in shown)
    assert all(one.width() >= one.sizeHint().width() for one in shown), "they take two lines rather than be cut"
    tip = gallery.marks.buttons[Said.UNCHECKED].toolTip()
    assert "as its tolerance is too large or there is nothing to compare;" in tip, "it need not be chance"


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("hospital", "beyond-told-attacks"),
        ("surgery", "table-3.1"),
        ("laplace", "figure-2.1"),
        ("randomised", "chapter-randomised-response"),
        ("unary", "chapter-unary-encoding"),
        ("geometric", "paper-truncated-geometric-2"),
    ],
)
def test_what_is_called_so_comes_before_what_only_mentions_it(
    qtbot: QtBot, room: CompareWorkspace, typed: str, first: str
) -> None:
    gallery = room.gallery
    gallery.search.setText(typed)
    cards = [one for one in gallery._found if isinstance(one, FigureCard)]
    assert cards[0].figure.identifier == first

    def place(one: FigureCard) -> tuple[int, int]:
        there = one.mapTo(gallery, QPoint(0, 0))
        return there.y(), there.x()

    # It is laid out when the window comes to it.
    qtbot.waitUntil(lambda: min(cards, key=place).figure.identifier == first, timeout=PATIENCE_MS)
    if typed == "hospital":
        assert {one.figure.identifier for one in cards} >= {"table-3.1", "table-3.2", "figure-3.1", "figure-3.2"}
    gallery.search.setText("")
    assert [one.figure for one in gallery._found if isinstance(one, FigureCard)] == list(FIGURES)


def test_the_name_of_the_view_leads_from_a_figure_back_to_all(qtbot: QtBot, room: CompareWorkspace) -> None:
    room.show_figure("figure-4.9")
    own, published = room.views.buttons
    own.click()
    published.click()
    assert room.presets.currentWidget() is room.figure, "from elsewhere to what was shown"
    published.click()
    assert room.presets.currentWidget() is room.gallery


def test_cards_are_equally_wide_and_none_is_cut_off_in_a_small_window(
    qtbot: QtBot, window: MainWindow, room: CompareWorkspace
) -> None:
    gallery = room.gallery
    window.resize(1008, 670)

    def whole() -> bool:
        cards = [card for card in gallery.figures.values() if card.isVisible()]
        ends = [card.mapTo(gallery, card.rect().topRight()).x() for card in cards]
        widths = {card.width() for card in cards}
        return max(ends) < gallery.width() and max(widths) - min(widths) <= 2

    qtbot.waitUntil(lambda: gallery.figures["figure-3.1"].isVisible() and whole(), timeout=PATIENCE_MS)
    for card in gallery.figures.values():
        number = next(one for one in card.findChildren(QLabel) if one.text())
        assert number.text() == card.figure.number.removesuffix(" table"), "not cut"
        assert number.heightForWidth(number.width()) <= number.height()


def test_headings_are_found_too(room: CompareWorkspace) -> None:
    room.gallery.search.setText("randomised response, chapter")
    shown = {name for name, card in room.gallery.figures.items() if not card.isHidden()}
    assert "chapter-randomised-response" in shown
    assert not any(name.startswith("figure") for name in shown)
