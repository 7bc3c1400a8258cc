"""The gallery of published figures and the page of one: both sides, values, settings, and runs that go on."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from tests.gui.test_words import texts, words
from workbench.evaluate.published.agreement import Said
from workbench.evaluate.published.catalogue import FIGURES, figure_named
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.panel import MENDED, RUN_HERE
from workbench.gui import tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.theme import colour
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare.figure_card import FigureCard, LeftOutCard
from workbench.gui.workspaces.compare.figure_page import FigurePage
from workbench.gui.workspaces.compare.figure_values import tone_of_all, values_table
from workbench.gui.workspaces.compare.side_view import unbroken
from workbench.gui.workspaces.compare.workspace import CompareWorkspace
from workbench.session.published_figures import MARKS


@pytest.fixture
def room(window: MainWindow, qtbot: QtBot) -> CompareWorkspace:
    window.resize(1280, 800)
    window.rail.select("compare")
    found = window.findChild(CompareWorkspace)
    assert isinstance(found, CompareWorkspace)
    found.show_gallery()
    return found


def finish(qtbot: QtBot, page: FigurePage, identifier: str) -> None:
    qtbot.waitUntil(lambda: identifier in page.found and page.found[identifier][0].complete, timeout=PATIENCE_MS)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for figure in FIGURES:
        monkeypatch.setitem(vars(figure), "repetitions", min(figure.repetitions, 2))


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


def test_of_what_nobody_published_neither_side_is_said_to_be(room: CompareWorkspace) -> None:
    page = room.figure
    for figure, names in (("beyond-shape", ["Left", "Right"]), ("figure-4.1", [RUN_HERE, MENDED])):
        room.show_figure(figure)
        assert [side.title.text() for side in (page.published, page.mended)] == names
        assert page.property("explain") == ("compare.beyond" if figure.startswith("beyond") else "compare.published")
    room.show_figure("beyond-shape")
    assert "sample" not in page.source.text(), "its shapes are public"


def test_only_what_is_made_from_the_sample_says_so(room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("table-3.3")
    assert page.source.text().endswith("p. 28 · made from the synthetic sample “City salaries”")
    page.data.addItem("My own column: pay", "pay")
    page.data.choose("pay")
    page.data.activated.emit(1)
    assert page.source.text().endswith("p. 28")


@pytest.mark.parametrize("figure", ["figure-4.2", "chapter-randomised-response"])
def test_pictures_and_few_values_are_seen_without_scrolling(qtbot: QtBot, room: CompareWorkspace, figure: str) -> None:
    page = room.figure
    room.show_figure(figure)
    area = page.split.parentWidget().parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() == 0, timeout=PATIENCE_MS)
    before = page.below.y()
    room.run()
    finish(qtbot, page, figure)
    qtbot.waitUntil(lambda: page.values.texts()[0][2] != "" and bar.maximum() == 0, timeout=PATIENCE_MS)
    assert page.below.y() == before, "nothing moves when it is there"
    assert page.values.verticalScrollBar().maximum() == 0, "every value is in sight"


@pytest.mark.parametrize("figure", [one.identifier for one in FIGURES if one.bounded][:2])
def test_a_column_of_the_table_before_lacks_nothing(room: CompareWorkspace, figure: str) -> None:
    page = room.figure
    room.show_figure(figure)
    page.data.addItem("My own column: gone", "gone")
    page.data.choose("gone")
    page.data.activated.emit(1)
    assert page.declare.isHidden()


def test_both_sides_values_and_settings_are_shown(qtbot: QtBot, room: CompareWorkspace, tmp_path: Path) -> None:
    room.show_figure("figure-3.3")
    page = room.figure
    assert page.state.text.startswith("Not run yet: about 1 s")
    assert [row[0] for row in page.settings.texts()] == ["histograms", "unequal totals"]
    assert page.state.text.endswith("Values are of the recorded run.")
    before = [(row[1], row[2], row[3]) for row in page.values.texts()]
    assert before == [("3", "3", "✓ agrees"), ("1 (moved one place)", "1", "∴ as computed")], (
        "which, as its card how many"
    )
    room.run()
    finish(qtbot, page, "figure-3.3")
    qtbot.waitUntil(lambda: page.button.text() == "Run", timeout=PATIENCE_MS)
    # The text has the 3, and the 1 follows from it.
    told = [(row[1], row[2], row[3]) for row in page.values.texts()]
    assert told == [("3", "3", "✓ agrees"), ("1 (moved one place)", "1", "∴ as computed")]
    assert "recorded" not in page.state.text, "now they are those of this run"
    assert page.state.text.startswith("Of 1 published: 1 agrees; of 1 computed, not printed: 1 as computed.")
    assert page.published.shown is not None
    assert page.published.shown.panel.labels == ("1", "2", "3", "4"), "what is a picture in the thesis is one here"
    assert page.mended.tabular
    assert page.mended.table.maximumHeight() < page.published.height() - 100, "a table ends where its rows do"
    assert page.mended.choice.count() == 2
    page.mended.choice.setCurrentIndex(1)
    page.mended.choice.activated.emit(1)
    assert page.mended.pages.currentWidget() is page.mended.chart
    assert "Kantorovich distance was computed between histograms of unequal totals" in page.differs.text()
    page.copy_command()
    assert QGuiApplication.clipboard().text() == "workbench preset figure-3.3 --out figure-3.3"
    page.save_all(tmp_path)
    qtbot.waitUntil((tmp_path / "figure-3.3.json").exists, timeout=PATIENCE_MS)


def assert_in_one_view(qtbot: QtBot, page: FigurePage) -> None:
    """The pictures, the heading of the values and three of them at least: where they are many, only they scroll."""
    header = page.values.horizontalHeader()

    def seen() -> bool:
        low = page.published.mapTo(page, page.published.rect().bottomLeft()).y()
        rows = page.values.viewport().height() // page.values.rowHeight(0)
        return (
            page._area.verticalScrollBar().maximum() == 0
            and low < page.below.mapTo(page, QPoint(0, 0)).y()
            and page.values.mapTo(page, page.values.rect().bottomLeft()).y() < page.height()
            and header.isVisible()
            and rows >= min(3, page.values.model().rowCount())
        )

    qtbot.waitUntil(seen, timeout=PATIENCE_MS)


@pytest.mark.parametrize("identifier", ["figure-3.4", "figure-4.3", "figure-4.9", "chapter-unary-encoding"])
def test_pictures_and_values_are_seen_at_once(qtbot: QtBot, room: CompareWorkspace, identifier: str) -> None:
    room.show_figure(identifier)
    assert_in_one_view(qtbot, room.figure)


def test_every_value_is_in_sight_and_says_what_its_verdict_stands_on(qtbot: QtBot, room: CompareWorkspace) -> None:
    room.show_figure("table-3.2")
    page = room.figure
    assert "fixed before a run" in page.marks.text()
    assert all(f"{mark} {said}:" in page.marks.text() for said, mark in MARKS.items() if mark not in "≈≉")
    joined = {ord("\N{NO-BREAK SPACE}"): " ", ord("\N{WORD JOINER}"): None}
    rows = [[cell.translate(joined) for cell in row] for row in page.values.texts()]
    assert len(rows) == len(figure_named("table-3.2").values) == 8
    assert [row[6] for row in rows[:3]] == [
        "p. 23; a slip: the sum again; 18,855.1 is cut after one decimal",
        "p. 23; California in the author's code; another sample: ± 10 %",
        "p. 23; 1 run, 100 here",
    ], "what differs comes first, also in the recorded run, and what is fitted last"
    assert rows[2][1] == "1.2 (∣answer − truth∣)"
    qtbot.waitUntil(page.values.isVisible, timeout=PATIENCE_MS)
    assert_in_one_view(qtbot, page)
    assert not page.published.title.isHidden()
    assert page.published.choice.isHidden()


def test_opening_another_figure_neither_shows_nor_cancels_the_run_of_the_first(
    qtbot: QtBot, room: CompareWorkspace, quick: None
) -> None:
    page = room.figure
    room.show_figure("figure-4.9")
    page.run()
    assert page.button.text() == "Cancel"
    room.show_figure("table-3.5")
    assert page.button.text() == "Run"
    assert page.published.shown is None
    page.run()
    finish(qtbot, page, "table-3.5")
    qtbot.waitUntil(lambda: page.button.text() == "Run", timeout=PATIENCE_MS)
    assert page.state.text.startswith("Of 5 published: 4 agree · 1 cannot be checked.")
    finish(qtbot, page, "figure-4.9")
    assert page.figure is figure_named("table-3.5")
    assert page.title.text().startswith("Table 3.5")
    room.show_figure("figure-4.9")
    assert page.published.shown is not None
    assert len(page.published.shown.panel.curves) == 4
    assert page.save.isEnabled()


def test_another_figure_opens_blank_while_the_first_runs(qtbot: QtBot, room: CompareWorkspace, quick: None) -> None:
    page = room.figure
    room.show_figure("figure-4.10")
    page.run()
    qtbot.waitUntil(lambda: "figure-4.10" in page.found, timeout=PATIENCE_MS)
    assert page.published.chart.data is not None
    room.show_figure("figure-4.11")  # with charts of the same names and as many values
    first = page._runs["figure-4.10"]
    # Its values are those of its recorded run until it is run itself, and none of the other's.
    of_record = FigureOutcome(figure_named("4.11"), of_record=True)
    kept = [row[2] for row in values_table(of_record)[1]]
    assert sorted(kept) == sorted(one.ours_text for one, _ in of_record.compared)

    def blank() -> bool:
        sides = (page.published, page.mended)
        return (
            all(side.shown is None and side.chart.data is None for side in sides)
            and [row[2] for row in page.values.texts()] == kept
            and page.state.text.endswith("Values are of the recorded run.")
            and page.differs.text() == "Run to compute it."
            and page.state.text.startswith("Not run yet")
            and page.button.text() == "Run"
            and not page.save.isEnabled()
        )

    assert blank()
    assert not first.cancelling
    finish(qtbot, page, "figure-4.10")
    qtbot.waitUntil(lambda: not first.running, timeout=PATIENCE_MS)
    assert blank(), "also when the first is done"
    room.show_figure("figure-4.10")
    assert page.found["figure-4.10"][0].complete
    assert page.published.shown is not None


def test_the_values_that_agree_are_in_sight_before_those_that_tell_less() -> None:
    _, rows, verdict, _ = values_table(FigureOutcome(figure_named("4.9"), of_record=True))
    ranked = dict.fromkeys(row[verdict] for row in rows)
    assert list(ranked) == ["✓ agrees", "○ within range", "? cannot be checked", "= fitted", "≈ agrees together"]
    unlike = values_table(FigureOutcome(figure_named("4.9")))[1]
    assert [row[0].split(",")[0] for row in unlike[:4]] == ["Direct encoding"] * 3 + ["Histogram encoding"], (
        "not run yet"
    )


def test_numbers_of_a_table_stand_on_the_right_and_words_on_the_left(qtbot: QtBot, room: CompareWorkspace) -> None:
    def sides(identifier: str) -> list[str]:
        room.show_figure(identifier)
        room.figure.run()
        finish(qtbot, room.figure, identifier)
        table = room.figure.published.table
        model = table.model()
        aligned = [
            Qt.AlignmentFlag(model.data(model.index(0, column), Qt.ItemDataRole.TextAlignmentRole))
            for column in range(model.columnCount())
        ]
        return ["right" if one & Qt.AlignmentFlag.AlignRight else "left" for one in aligned]

    assert sides("table-3.5") == ["right", "right", "right", "left", "left"]
    assert sides("table-3.4") == ["right", "left", "left", "left"]
    assert sides("table-3.1") == ["left", "left", "right", "right"]


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


def test_a_run_is_cancelled_by_its_button_and_keeps_what_there_is(
    qtbot: QtBot, room: CompareWorkspace, quick: None
) -> None:
    page = room.figure
    room.show_figure("figure-4.11")
    page.run()
    qtbot.waitUntil(lambda: "figure-4.11" in page.found, timeout=PATIENCE_MS)
    page.run_or_cancel()
    qtbot.waitUntil(lambda: page.button.text() == "Run", timeout=PATIENCE_MS)
    outcome = page.found["figure-4.11"][0]
    if not outcome.complete:  # it may have been finished before it was asked
        assert page.state.text.startswith("Cancelled")
        assert not page.save.isEnabled()
    assert outcome.published.panels


def test_a_bar_stays_with_what_it_encloses(qtbot: QtBot) -> None:
    from PySide6.QtGui import QTextLayout, QTextOption

    def lines(text: str) -> list[str]:
        layout = QTextLayout(text)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        layout.setTextOption(option)
        layout.beginLayout()
        found = []
        while (line := layout.createLine()).isValid():
            line.setLineWidth(QFontMetrics(layout.font()).horizontalAdvance("The reported yeses are off by |i"))
            found.append(text[line.textStart() : line.textStart() + line.textLength()])
        layout.endLayout()
        return found

    words = "The reported yeses are off by |¼ − share/2| of the people, which is 0"
    assert any(one.strip().count("|") == 1 for one in lines(words))
    assert not any(one.strip().count("|") == 1 for one in lines(unbroken(words)))


def test_where_nothing_is_compared_there_is_no_tick(qtbot: QtBot, room: CompareWorkspace) -> None:
    room.show_figure("figure-2.2")
    room.run()
    finish(qtbot, room.figure, "figure-2.2")
    qtbot.waitUntil(lambda: room.figure.button.text() == "Run", timeout=PATIENCE_MS)
    assert room.figure.state.text == "A drawing: no numbers to compare."
    assert room.figure.below.buttons[0].isHidden(), "an empty table says nothing"
    assert room.figure.state.property("message") == "info"
    room.show_figure("figure-4.7")
    room.run()
    finish(qtbot, room.figure, "figure-4.7")
    qtbot.waitUntil(lambda: room.figure.button.text() == "Run", timeout=PATIENCE_MS)
    assert room.figure.state.text == "Of 2 computed, not printed: 2 as computed."
    assert tone_of_all({Said.COMPUTED}) is Status.NEUTRAL, "nothing that is published agrees"
    assert tone_of_all({Said.COMPUTED, Said.AGREES, Said.TOGETHER}) is Status.SUCCESS
    room.show_figure("figure-2.1")
    assert not room.figure.below.buttons[0].isHidden()
    assert room.figure.values.isVisible()


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


def test_a_verdict_has_the_colour_of_its_card_and_ours_stand_beside_as_a_ratio(
    qtbot: QtBot, room: CompareWorkspace, quick: None
) -> None:
    room.show_figure("figure-3.5")
    page = room.figure
    page.run()
    finish(qtbot, page, "figure-3.5")
    rows, model = page.values.texts(), page.values.model()
    head = [model.headerData(one, Qt.Orientation.Horizontal) for one in range(model.columnCount())]
    assert head[3] == "ratio"
    for row, (one, _) in enumerate(page.found["figure-3.5"][0].compared):
        assert rows[row][3] == one.ratio_text
        ink = model.data(model.index(row, 4), Qt.ItemDataRole.ForegroundRole)
        tone = {"✓": "success", "≈": "success", "≠": "error", "≉": "error"}.get(rows[row][4][0])
        assert (ink.color() if ink is not None else None) == (None if tone is None else colour(tone))
    assert rows[0][3]
    assert not rows[-1][3], "which is such a ratio itself"
    assert not any(model.data(model.index(0, one), Qt.ItemDataRole.ForegroundRole) for one in (0, 1, 2, 3))


def test_no_ratio_is_shown_of_values_that_are_judged_by_another_sample() -> None:
    of_record = {name: FigureOutcome(figure_named(name), of_record=True) for name in ("3.9", "table-3.6", "3.5")}
    headings = {name: values_table(one)[0] for name, one in of_record.items()}
    assert ["ratio" in heading for heading in headings.values()] == [False, False, True]


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


def test_the_way_back_stays_and_the_buttons_of_views_do_not_move(
    qtbot: QtBot, room: CompareWorkspace, quick: None
) -> None:
    page = room.figure
    room.gallery.figures["figure-3.1"].activated.emit()
    page.run()
    finish(qtbot, page, "figure-3.1")
    qtbot.wait(100)
    page._area.verticalScrollBar().setValue(page._area.verticalScrollBar().maximum())
    for one in (page.back_button, page.title, page.button):
        assert not page._area.isAncestorOf(one)
    assert page.values.verticalScrollBar().maximum() == 0, "all of a few values are seen"
    places = set()
    for button in page.below.buttons:
        button.click()
        qtbot.wait(50)
        places.add(button.mapTo(page._inside, QPoint(0, 0)).y())
    assert len(places) == 1


def test_a_figure_with_a_value_that_differs_says_so_at_once(qtbot: QtBot, room: CompareWorkspace, quick: None) -> None:
    page = room.figure
    room.gallery.figures["figure-3.4"].activated.emit()
    page.run()
    finish(qtbot, page, "figure-3.4")
    assert page.state.property("message") == "error"
    assert "2 differ" in page.state.text


def test_the_bar_between_pictures_and_values_is_dragged_and_stays_where_it_is(
    qtbot: QtBot, room: CompareWorkspace, quick: None
) -> None:
    page = room.figure
    room.show_figure("figure-4.10")
    page.run()
    finish(qtbot, page, "figure-4.10")
    qtbot.waitUntil(lambda: page.values.isVisible() and page.values.height() > 100, timeout=PATIENCE_MS)
    split, before, rows = page.split, page.below.height(), page.values.height()
    assert split.sizes() == [], "nobody chose any: nothing is remembered"
    split.moveSplitter(split.handle(1).y() - 20, 1)
    qtbot.waitUntil(lambda: page.values.height() == rows + 20, timeout=PATIENCE_MS)
    assert page.below.height() == before + 20
    room.show_figure("figure-4.5")
    qtbot.waitUntil(lambda: page.below.height() == before + 20, timeout=PATIENCE_MS)
    kept = split.sizes()
    assert kept[1] == before + 20
    # What another window had is taken up; no part becomes too low to be read.
    split.setSizes([kept[0] + 200, 1])
    page._fit_below()
    qtbot.waitUntil(lambda: page.below.height() == page.below.minimumHeight(), timeout=PATIENCE_MS)
    split.setSizes([1, 5_000])
    page._fit_below()
    qtbot.waitUntil(lambda: page.published.height() == 220, timeout=PATIENCE_MS)


def test_a_figure_opens_at_its_top_however_far_another_was_scrolled(
    qtbot: QtBot, room: CompareWorkspace, quick: None
) -> None:
    page, bar = room.figure, room.figure._area.verticalScrollBar()
    room.show_figure("figure-3.1")
    page.run()
    finish(qtbot, page, "figure-3.1")
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=PATIENCE_MS)
    bar.setValue(bar.maximum())
    room.show_figure("figure-3.2")
    page.run()
    qtbot.waitUntil(lambda: not page._opened, timeout=PATIENCE_MS)
    assert bar.value() == 0
    finish(qtbot, page, "figure-3.2")
    bar.setValue(bar.maximum())
    page._fit_below()
    assert bar.value() == bar.maximum(), "who scrolls stays there"


def test_rows_of_both_tables_are_equally_high(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("table-3.5")
    page.run()
    finish(qtbot, page, "table-3.5")
    tables = (page.published.table, page.mended.table)
    assert len({table.rowHeight(row) for table in tables for row in range(table.model().rowCount())}) == 1
    broken = [cell for row in page.values.texts() for cell in row if "± " in cell or " = " in cell]
    assert not broken, "numbers stay with what belongs to them"


def test_short_tables_leave_their_room_to_what_is_said_of_them(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("table-3.4")
    qtbot.waitUntil(lambda: page.published.height() == page.published.wanted, timeout=PATIENCE_MS)

    def below() -> int:
        return page.below.mapTo(page, QPoint(0, 0)).y()

    before = below()
    page.run()
    finish(qtbot, page, "table-3.4")
    qtbot.wait(100)
    assert below() == before, "nothing moves when the rows come"
    for side in (page.published, page.mended):
        low = side.table.mapTo(page, side.table.rect().bottomLeft()).y()
        assert before - 2 * tokens.ROW_HEIGHT < low < before
        last = side.table.model().rowCount() - 1
        end = side.table.rowViewportPosition(last) + side.table.rowHeight(last)
        assert end <= side.table.viewport().height() < end + tokens.SPACE_M
    room.show_figure("table-3.5")
    page.run()
    finish(qtbot, page, "table-3.5")
    qtbot.waitUntil(lambda: page.values.verticalScrollBar().maximum() == 0, timeout=PATIENCE_MS)
    end = page.values.mapTo(page, page.values.rect().bottomLeft()).y()
    assert end < page.height(), "six values below six rows are all in sight"


def test_many_values_leave_a_high_window_its_pictures(qtbot: QtBot, window: MainWindow, room: CompareWorkspace) -> None:
    page = room.figure
    window.resize(1600, 1080)
    room.show_figure("chapter-unary-encoding")
    qtbot.waitUntil(lambda: page.published.height() > 0.4 * page.split.height(), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: page.values.verticalScrollBar().maximum() > 0, timeout=PATIENCE_MS)


def test_names_give_way_to_longer_texts_and_rows_fit_after_another_view(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("table-3.2")
    table = page.values
    qtbot.waitUntil(table.isVisible, timeout=PATIENCE_MS)
    for view in (1, 0):
        page.below.buttons[view].click()
        qtbot.wait(50)
    metrics, last = table.fontMetrics(), table.model().columnCount() - 1
    for row, cells in enumerate(table.texts()):
        for column, cell in enumerate(cells):
            room_of = table.columnWidth(column) - 3 * tokens.SPACE_S
            if metrics.horizontalAdvance(cell) <= room_of:
                continue
            box = metrics.boundingRect(0, 0, room_of, 10_000, Qt.TextFlag.TextWordWrap.value, cell)
            assert box.height() <= table.rowHeight(row), cell
            assert "\N{WORD JOINER}" not in cell, "a table would write it out"
    # All columns are filled, as the values of the recorded run are there before a run.
    assert table.columnWidth(last) > 2 * tokens.FIELD_WIDTH - 5 * tokens.SPACE_S
    assert table.rowHeight(2) <= table.rowHeight(1) + 2 * metrics.lineSpacing()
    broken = unbroken("it is at most ln 4 + 2 ln 2 = 2.773, 0.701 ± 0.031").split(" ")
    joined = [one.replace("\N{NO-BREAK SPACE}", " ") for one in broken]
    assert joined == ["it", "is", "at", "most", "ln 4", "+", "2 ln 2 = 2.773,", "0.701 ± 0.031"]


def test_no_text_of_a_table_is_cut(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("beyond-told-attacks")
    page.run()
    finish(qtbot, page, "beyond-told-attacks")
    table = page.published.table
    qtbot.waitUntil(table.isVisible, timeout=PATIENCE_MS)
    metrics = table.fontMetrics()
    for row, cells in enumerate(table.texts()):
        for column, cell in enumerate(cells):
            cut = metrics.horizontalAdvance(cell) > table.columnWidth(column) - 3 * tokens.SPACE_S
            assert not cut or table.rowHeight(row) >= 2 * metrics.lineSpacing()


def test_in_a_narrow_window_every_column_of_the_values_is_seen_but_the_ratio(
    qtbot: QtBot, window: MainWindow, room: CompareWorkspace
) -> None:
    page = room.figure
    room.show_figure("figure-4.10")
    table = page.values
    titles = [str(table.model().headerData(one, Qt.Orientation.Horizontal)) for one in range(7)]
    ratio, last = titles.index("ratio"), len(titles) - 1
    qtbot.waitUntil(lambda: table.isVisible() and not table.isColumnHidden(ratio), timeout=PATIENCE_MS)
    room.show_figure("table-3.2")
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: table.isColumnHidden(ratio), timeout=PATIENCE_MS)
    qtbot.waitUntil(
        lambda: table.columnViewportPosition(last) + tokens.COLUMN_MIN <= table.viewport().width(),
        timeout=PATIENCE_MS,
    )
    assert max(table.rowHeight(row) for row in range(table.model().rowCount())) < 300
    room.show_figure("figure-4.10")
    window.resize(1600, 900)
    qtbot.waitUntil(lambda: not table.isColumnHidden(ratio), timeout=PATIENCE_MS)


def test_in_a_small_window_only_the_page_scrolls_and_the_title_has_its_line(
    qtbot: QtBot, window: MainWindow, room: CompareWorkspace
) -> None:
    page = room.figure
    window.resize(1024, 700)
    for identifier in ("figure-4.9", "table-3.2"):
        room.show_figure(identifier)
        # A scroll within a scroll hides where one is.
        qtbot.waitUntil(
            lambda: page.values.isVisible() and page.values.verticalScrollBar().maximum() == 0, timeout=PATIENCE_MS
        )
        assert page._area.verticalScrollBar().maximum() > 0
    room.show_figure("figure-4.9")
    qtbot.waitUntil(lambda: page.command.text() == page.save.text() == "", timeout=PATIENCE_MS)
    assert page.command.accessibleName() == "Copy as command"
    assert page.command.toolTip()
    assert page.save.toolTip()
    qtbot.waitUntil(lambda: page.title.height() < 2 * page.title.fontMetrics().lineSpacing(), timeout=PATIENCE_MS)
    assert page.source.height() < 2 * page.source.fontMetrics().lineSpacing()
    assert page.source.toolTip() == figure_named("4.9").source
    window.resize(1600, 900)
    qtbot.waitUntil(lambda: page.command.text() == "Copy as command", timeout=PATIENCE_MS)


def test_a_table_takes_the_width_that_the_other_side_does_not_need(
    qtbot: QtBot, window: MainWindow, room: CompareWorkspace
) -> None:
    page = room.figure
    window.resize(1024, 700)
    room.show_figure("table-3.1")
    page.run()
    finish(qtbot, page, "table-3.1")
    table = page.published.table
    metrics = table.horizontalHeader().fontMetrics()

    def whole() -> bool:
        names = [str(table.model().headerData(one, Qt.Orientation.Horizontal)) for one in range(4)]
        return all(metrics.horizontalAdvance(name) < table.columnWidth(at) for at, name in enumerate(names))

    qtbot.waitUntil(lambda: page.published.width() > page.mended.width() and whole(), timeout=PATIENCE_MS)
    room.show_figure("figure-4.1")
    qtbot.waitUntil(lambda: abs(page.published.width() - page.mended.width()) <= 1, timeout=PATIENCE_MS)


def test_rows_are_scrolled_to_their_end_and_the_page_stays(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("chapter-unary-encoding")
    qtbot.waitUntil(lambda: page.values.verticalScrollBar().maximum() > 0, timeout=PATIENCE_MS)
    rows = page.values.verticalScrollBar()
    rows.setValue(rows.maximum())
    where = QPointF(page.values.viewport().rect().center())
    turned = QWheelEvent(
        where,
        page.values.viewport().mapToGlobal(where),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    turned.ignore()
    page.values.wheelEvent(turned)
    assert turned.isAccepted(), "what is beyond the last row is not for the page"


def test_why_it_differs_waits_for_a_run_or_for_its_end(qtbot: QtBot, room: CompareWorkspace, quick: None) -> None:
    page = room.figure
    room.show_figure("figure-4.9")
    assert page.differs.text() == "Run to compute it."
    page.run()
    assert page.differs.text() == "Running…"
    page.run_or_cancel()
    qtbot.waitUntil(lambda: page.differs.text() == "Run to compute it.", timeout=PATIENCE_MS)


def test_the_name_of_the_view_leads_from_a_figure_back_to_all(qtbot: QtBot, room: CompareWorkspace) -> None:
    room.show_figure("figure-4.9")
    own, published = room.views.buttons
    own.click()
    published.click()
    assert room.presets.currentWidget() is room.figure, "from elsewhere to what was shown"
    published.click()
    assert room.presets.currentWidget() is room.gallery


def test_settings_of_what_is_ours_have_no_column_that_says_nothing(room: CompareWorkspace) -> None:
    for identifier, heading in (
        ("beyond-theta", ("setting", "here")),
        ("beyond-people", ("setting", "in the thesis", "here")),
        ("figure-4.5", ("setting", "published", "mended")),
    ):
        room.show_figure(identifier)
        model = room.figure.settings.model()
        found = [model.headerData(one, Qt.Orientation.Horizontal) for one in range(model.columnCount())]
        assert tuple(map(str, found)) == heading


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


def test_what_is_ours_differs_from_nothing(room: CompareWorkspace) -> None:
    for identifier, name in (("beyond-estimator", "What it shows"), ("figure-3.2", "Where it differs, and why")):
        room.show_figure(identifier)
        assert room.figure.below.buttons[2].text() == name


def test_headings_are_found_too(room: CompareWorkspace) -> None:
    room.gallery.search.setText("randomised response, chapter")
    shown = {name for name, card in room.gallery.figures.items() if not card.isHidden()}
    assert "chapter-randomised-response" in shown
    assert not any(name.startswith("figure") for name in shown)
