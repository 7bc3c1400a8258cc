"""The answer at a glance: most of the height is the chart's, and what is folded is there at a press."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import now
from tests.gui.conftest import OnScreen
from tests.gui.helpers import PATIENCE_MS, idle, pick
from workbench.evaluate.experiment import Basis
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.evaluate.told_apart import TileStanding
from workbench.gui import tokens
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.explain import HelpBook
from workbench.gui.widgets.folded_words import FoldedWords
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.session.comparison_files import write_findings

# The room, without rail, head and strip, in windows of 1024 × 700 and of 1280 × 800 pixels.
SIZES = ((824, 589), (1080, 689))


def seen_of(room: CompareWorkspace) -> int:
    """How high what is seen of the result is, below the line that stays."""
    area = room.view.tiles.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    return area.viewport().height()


@pytest.mark.parametrize("size", SIZES)
def test_most_of_the_height_is_the_chart_with_a_line_or_two_below_it(
    qtbot: QtBot, declared: CompareWorkspace, size: tuple[int, int]
) -> None:
    view = declared.view
    declared.resize(*size)
    view.parts.show_part(1)
    idle(qtbot, declared)
    chart, words = view.chart.chart, view.chart.words
    # A caution, and a way to tell more apart, have a line of their own where there is one.
    lines = [
        one for one in (view.tiles.more, view.tiles.unless) if one.sizePolicy().retainSizeWhenHidden() or one.text()
    ]
    extra = sum(one.sizeHint().height() + 8 for one in lines)
    # So has a second line of how a way stands, also before it is known whether it takes one.
    extra += view.tiles.cards[Approach.GLOBAL].times.fontMetrics().height()
    assert chart.height() > (seen_of(declared) - extra) / 2, (chart.height(), seen_of(declared), extra)
    assert chart.height() > view.tiles.height() - extra

    def inside() -> bool:
        return words.mapTo(view.found, QPoint(0, words.height())).y() <= view.found.height()

    assert (
        inside()
        and len(words.brief.text().splitlines()) == (1 if size == SIZES[0] else 2)
        and words.brief.text().endswith("…")
    )
    assert words.text().startswith("Error of the mean of age")
    # What was unfolded and folded again leaves no trace; neither has a table that was looked at.
    seen = -1
    while seen != (before := chart.height()):  # what was laid out last may move what is around it once more
        seen = before
        qtbot.wait(50)
    words.button.click()
    idle(qtbot, declared)
    assert words.whole.isVisible() and words.whole.text() == words.text() and chart.height() >= before
    words.button.click()
    view.tabs.show_page(view.numbers)
    idle(qtbot, declared)
    view.tabs.show_page(view.chart)
    idle(qtbot, declared)
    assert chart.height() == before
    assert inside()


def test_the_caption_is_whole_where_there_is_room_and_else_one_press_shows_all_of_it(
    qtbot: QtBot, declared: CompareWorkspace
) -> None:
    view, words = declared.view, declared.view.chart.words
    caption = words.text().partition("\nNot in a saved picture")[0]
    declared.resize(1240, 789)
    idle(qtbot, declared)
    assert words.brief.text().split() == caption.split() and words.button.isVisible(), "what follows is a press away"
    assert words.mapTo(view.found, QPoint(0, words.height())).y() <= view.found.height()
    declared.resize(*SIZES[1])
    idle(qtbot, declared)
    assert words.brief.text().endswith("…")
    words.button.click()
    idle(qtbot, declared)

    def seen() -> bool:
        ends = [words.mapTo(view.found, QPoint(0, at)).y() for at in (0, words.height())]
        return ends[0] > 0 and ends[1] <= view.found.height()

    assert words.whole.isVisible() and seen(), "nobody has to scroll for it"


@pytest.mark.parametrize("details", [False, True])
@pytest.mark.parametrize("size", (*SIZES, (1240, 789)))
def test_nothing_below_the_tiles_moves_when_they_fill(
    qtbot: QtBot, declared: CompareWorkspace, size: tuple[int, int], details: bool
) -> None:
    view, tiles = declared.view, declared.view.tiles
    declared.resize(*size)
    view.parts.show_part(1)
    whole = view.chart.shown
    assert whole is not None
    tiles.details.setChecked(details)
    view.found.clear()
    idle(qtbot, declared)

    def places(findings: Findings | None) -> tuple[int, list[int]]:
        if findings is not None:
            view.found.draw(findings)
        idle(qtbot, declared)
        return view.chart.mapTo(declared, QPoint()).y(), [card.height() for card in tiles.cards.values()]

    first, *others = whole.series
    begun = replace(whole, series=(first, *(replace(one, points=()) for one in others)), complete=False, missing=1)
    before = places(begun)
    assert "Not every way" in tiles.headline.text(), "the first results are there, and no verdict"
    assert places(whole) == before and tiles.headline.text().startswith("Global")
    tiles.cards[Approach.ANONYMISED].times.setText("about 6.4 times (5.7 to 7.1), each at its worst")
    assert places(None) == before


@pytest.mark.parametrize("wide", [960, 1000, 1080])
def test_what_a_tile_is_called_and_errs_by_is_whole_beside_an_explanation_too(
    qtbot: QtBot, declared: CompareWorkspace, wide: int
) -> None:
    for width in range(1240, wide, -40):  # as it becomes narrower bit by bit, both parts stay
        declared.resize(width, 789)
        QApplication.processEvents()
    declared.resize(wide, 789)
    idle(qtbot, declared)
    tiles = declared.view.tiles
    whole = declared.view.chart.shown
    assert whole is not None
    asked, metric = Question(Statistic.HISTOGRAM, "age"), Metric(Distance.MANHATTAN, True)
    shares = replace(whole.experiment, question=asked, metric=metric)
    declared.view.found.draw(replace(whole, experiment=shares))
    idle(qtbot, declared)
    cards = tiles.cards.values()
    tiles.cards[Approach.ANONYMISED].show_tied(TileStanding.UNTOLD)
    for card in cards:
        card.moved.setText("± 17 %")
        card.moved.show()
        card.resized()
    assert all(card.error.text().endswith(("%", "% misplaced")) for card in cards)

    def cut() -> list[str]:
        titles = [one for card in cards for one in card.findChildren(QLabel) if one.text() == card.accessibleName()]
        badges = [one for card in cards for one in card.findChildren(Badge)]
        shown = (*titles, *badges, *(one for card in cards for one in (card.error, card.moved)))
        return [one.accessibleName() for one in shown if one.isVisible() and one.width() < one.sizeHint().width()]

    qtbot.waitUntil(lambda: not cut(), timeout=PATIENCE_MS)
    for card in cards:
        assert "misplaced" in card.accessibleDescription(), "what is not seen is told"


def test_badges_say_the_same_in_fewer_words_before_they_are_icons(qtbot: QtBot, declared: CompareWorkspace) -> None:
    """Beside an explanation, in a window of 1440 pixels, a tile has no room for all of its words."""
    declared.resize(1240, 789)
    idle(qtbot, declared)
    tiles = declared.view.tiles
    tiles.limit.edit.setText("0.0001")
    card = tiles.cards[Approach.GLOBAL]
    words = "enough on average from ε 2"
    card.show_place(take="Take if trusted", left=False, standing=None, short=words)
    assert card.best.text == "Best, enough on average from ε 2"
    for room, said in (
        (400, "Best, enough on average from ε 2"),
        (310, "Best on average from ε 2"),
        (230, "Best from ε 2"),
        (150, ""),
    ):
        card.setFixedWidth(room)
        QApplication.processEvents()
        card.resized()
        shown = card.best.findChild(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly)
        assert card.best.accessibleName() == "Best, enough on average from ε 2", "what is told stays whole"
        named = [one.text() for one in card.best.findChildren(QLabel) if one.isVisible() and one.text()]
        assert named == ([said] if said else []), (room, shown)
    card.setFixedWidth(250)  # as in a usual window
    card.show_place(take="Take if trusted", left=False, standing=None, short="enough on average from about ε 1.4")
    QApplication.processEvents()
    card.resized()
    assert [one.text() for one in card.best.findChildren(QLabel) if one.isVisible() and one.text()] == [
        "Best from about 1.4"
    ]


def test_that_a_way_is_enough_as_well_gives_its_words_up_before_another_mark_does(
    qtbot: QtBot, declared: CompareWorkspace
) -> None:
    card = declared.view.tiles.cards[Approach.LOCAL]
    card.show_place(take="", left=True, standing=None, short="", also=True)
    for room, said in ((320, "Also enough"), (275, "Enough"), (220, "")):
        card.setFixedWidth(room)
        QApplication.processEvents()
        card.resized()
        shown = [
            [one.text() for one in badge.findChildren(QLabel) if one.isVisible() and one.text()]
            for badge in (card.also, card.instead)
        ]
        assert shown == [[said] if said else [], ["If nobody is"]], room
        assert card.also.accessibleName() == "Also enough" and card.also.isVisible()
    for standing, both in ((TileStanding.ALIKE, False), (TileStanding.UNTOLD, True)):
        card.show_place(take="", left=True, standing=standing, short="", also=True)
        assert card.also.isVisible() is both, "one that is as good is enough where that one is"


def test_before_all_is_run_the_advice_is_one_so_far(qtbot: QtBot, declared: CompareWorkspace) -> None:
    """What a smaller ε promises may yet stand at this one, so that another way comes first."""
    view, tiles = declared.view, declared.view.tiles
    tiles.limit.edit.setText("50")
    whole = view.chart.shown
    assert whole is not None and tiles.headline.text().startswith("Global, ")
    best = tiles.cards[Approach.GLOBAL].best
    assert best.text == "Take if trusted" and best.property("badge") == "success"
    place = whole.experiment.places[-1]
    later = tuple(
        replace(one, points=tuple(point for point in one.points if point.axis_value == place)) for one in whole.series
    )
    tiles.set_place(place)
    view.found.draw(replace(whole, series=later, complete=False, missing=1))
    idle(qtbot, declared)
    assert tiles.headline.text().startswith(f"So far: Global at ε = {place:g}. ")
    assert best.text == "Best so far" and best.property("badge") == "info"
    view.found.draw(whole)
    idle(qtbot, declared)
    assert best.text == "Take if trusted" and "So far" not in tiles.headline.text()


@pytest.mark.parametrize("wide", [824, 1080, 1240, 1600])
def test_whom_one_must_trust_is_one_line(qtbot: QtBot, declared: CompareWorkspace, wide: int) -> None:
    declared.resize(wide, 789)
    declared.view.parts.show_part(1)
    idle(qtbot, declared)
    trusted = [card.trust for card in declared.view.tiles.cards.values()]
    # In fewer letters rather than above the button, where the card is narrow.
    once = "Trust: curator once" if wide == 824 else "Trust: a curator, once"
    assert [one.text() for one in trusted] == ["Trust: a curator", once, "Trust: nobody"]
    assert [round(one.height() / one.fontMetrics().lineSpacing()) for one in trusted] == [1, 1, 1]
    assert len({one.mapTo(declared, QPoint()).y() for one in trusted}) == 1, "they are read along a line"


@pytest.mark.parametrize("size", (*SIZES, (824, 480), (1240, 789)))
def test_a_second_press_meets_the_button_that_was_pressed(
    qtbot: QtBot, declared: CompareWorkspace, size: tuple[int, int]
) -> None:
    declared.resize(*size)
    declared.view.parts.show_part(1)
    idle(qtbot, declared)
    details = declared.view.tiles.details
    place = details.mapTo(declared, details.rect().center())
    for unfolded in (True, False, True):
        qtbot.mouseClick(details, Qt.MouseButton.LeftButton)
        idle(qtbot, declared)
        assert details.isChecked() is unfolded
        # A scroll bar that comes takes some pixels of the width.
        assert details.mapTo(declared, QPoint()).y() == place.y() - details.rect().center().y()
        assert declared.childAt(place) is details


def test_what_else_is_known_of_a_way_is_unfolded(qtbot: QtBot, declared: CompareWorkspace) -> None:
    declared.resize(*SIZES[0])
    declared.view.parts.show_part(1)
    idle(qtbot, declared)
    tiles = declared.view.tiles
    folded = [line for card in tiles.cards.values() for line in (card.setting, card.hides, card.leaves)]
    decides = [line for card in tiles.cards.values() for line in (card.error, card.trust, card.button)]
    decides += [card.stands for card in tiles.cards.values()]
    assert not any(one.isVisible() for one in (*folded, tiles.basis)) and all(one.isVisible() for one in decides)
    tiles.details.click()
    whole = [(card.times, card.stands) for card in tiles.cards.values()]
    assert all(long.isVisible() and not short.isVisible() for long, short in whole), "one of both"
    assert all(one.isVisible() for one in (*folded, tiles.basis, *decides) if one not in dict(whole).values())
    tiles.details.click()
    assert not any(one.isVisible() for one in (*folded, tiles.basis))
    declared.resize(*SIZES[1])
    idle(qtbot, declared)
    assert all(card.leaves.isVisible() for card in tiles.cards.values()), "where there is room it is said what leaves"
    declared.resize(*SIZES[0])
    idle(qtbot, declared)
    place = tiles.limit.mapTo(declared, QPoint())
    tiles.limit.edit.setText("2")
    idle(qtbot, declared)
    assert (
        " At this ε, the smallest tried, it is enough on average." in tiles.headline.text()
        and not tiles.least.isVisible()
    )
    assert tiles.limit.mapTo(declared, QPoint()) == place, "whoever types is not carried away"
    tiles.details.click()
    assert tiles.least.isVisible() and tiles.least.text().startswith("Enough on average (less than 2): ")


def test_the_chart_has_nearly_half_of_a_usual_window(qtbot: QtBot, declared: CompareWorkspace) -> None:
    """Of 1440 to 900 pixels the room has these; where one ε hides less in one way than in another that is said, too."""
    declared.resize(1240, 789)
    idle(qtbot, declared)
    words = declared.view.chart.words

    def height() -> float:
        """Of the chart, with the lines of its caption that lower windows fold away."""
        return declared.view.chart.chart.height() + words.height() * (1 - 2 / len(words.brief.text().splitlines()))

    assert height() >= 0.45 * 900
    current = declared.view.look.current
    assert current is not None
    asked = replace(current.findings.experiment, question=Question(Statistic.HISTOGRAM, "town"), public_total=True)
    declared.view.tiles.show_findings(replace(current.findings, experiment=asked))
    idle(qtbot, declared)
    assert height() >= 0.45 * 900 and declared.view.chart.chart.height() > 0.43 * 900
    assert all(card.hidden.isVisible() and card.leaves.isVisible() for card in declared.view.tiles.cards.values())


def test_all_numbers_of_the_tiles_are_as_high(qtbot: QtBot, declared: CompareWorkspace) -> None:
    tiles, findings = declared.view.tiles, declared.view.chart.shown
    for wide in (816, 1064, 1600):
        declared.resize(wide, 700)
        declared.view.parts.show_part(1)
        idle(qtbot, declared)
        for unit in ("", "US dollars of 2020"):
            tiles.show_findings(replace(findings, unit=unit))
            idle(qtbot, declared)
            assert len({card.error.font().pixelSize() for card in tiles.cards.values()}) == 1, (wide, unit)


def test_between_two_points_the_advice_says_so(declared: CompareWorkspace) -> None:
    tiles = declared.view.tiles
    tiles.set_place(1.0)
    assert " At ε = 1 (interpolated): " in tiles.headline.text()
    tiles.set_place(2.0)
    assert " At ε = 2: " in tiles.headline.text()


def test_what_stands_in_a_list_on_screen_can_stand_below_the_picture(
    qtbot: QtBot, declared: CompareWorkspace, tmp_path: Path
) -> None:
    page = declared.view.chart
    said = page.words.text().splitlines()
    apart = said.index("Not in a saved picture (below it with Figure ▸ Details):")
    listed = [one for one in said[apart + 1 :] if one.startswith("• ")]
    assert len(listed) > 4 and not said[0].startswith("•")
    found = page.shown
    assert found is not None
    write_findings(found, tmp_path, "short", declared.draft.figure, ("svg",))
    declared.view.folds[3].set_open(True)
    page.panel.ticks["details"].click()
    idle(qtbot, declared)
    assert declared.draft.figure.details and not any("Beside a saved" in one for one in page.words.text().splitlines())
    write_findings(found, tmp_path, "long", declared.draft.figure, ("svg",))
    short, long = ((tmp_path / f"{name}.svg").read_text().count("• ") for name in ("short", "long"))
    assert short == 0 and long == len(listed)


def test_one_dominant_value_is_a_shape_to_choose(qtbot: QtBot, declared: CompareWorkspace) -> None:
    pick(qtbot, declared, declared.view.basis.form["basis"], Basis.DOMINANT)
    assert (
        now(declared).basis is Basis.DOMINANT
        and Basis.DOMINANT not in replace(now(declared), basis=Basis.EITHER).shapes
    )
    declared.view.run()
    idle(qtbot, declared)
    assert "(a dominant value, n = 300," in declared.view.chart.words.text()
    assert declared.view.tiles.shown is not None and declared.view.tiles.shown.recommended is Approach.GLOBAL


def test_words_that_fit_have_nothing_to_unfold(on_screen: OnScreen) -> None:
    words = FoldedWords("Said", 2)
    on_screen(words, 400, 200)
    words.setText("Short.")
    assert words.brief.text() == "Short." and not words.button.isVisible()
    words.setText("One word after the other. " * 20)
    lines = words.brief.text().splitlines()
    assert len(lines) == 2 and lines[1].endswith("…") and words.button.isVisible()
    assert words.button.accessibleName() == "Said: more"
    width = words.brief.fontMetrics().horizontalAdvance
    assert all(width(line) <= words.brief.width() for line in lines)
    words.resize(4000, 200)
    assert words.brief.text() == words.text().strip() and not words.button.isVisible()
    words.resize(400, 200)
    words.set_open(True)
    assert words.is_open and words.whole.isVisible() and not words.brief.isVisible()
    words.setText("")
    words.set_open(False)
    assert words.brief.text() == "" and words.height() >= words.folded_height


@pytest.mark.parametrize("size", SIZES)
def test_no_word_of_the_buttons_below_the_settings_is_cut(
    qtbot: QtBot, workspace: CompareWorkspace, size: tuple[int, int]
) -> None:
    view = workspace.view
    workspace.resize(*size)
    workspace.draft.change("longer", repetitions=3000)
    view.parts.show_part(0)
    idle(qtbot, workspace)

    def cut() -> list[str]:
        every = (view.button, view.pause, view.cancel, view.command)
        return [one.text() for one in every if one.isVisible() and one.width() < one.sizeHint().width()]

    assert view.command.isVisible() and cut() == []
    view.button.click()
    QApplication.processEvents()
    assert view.button.text() == "Running…" and cut() == []
    view.cancel.click()
    idle(qtbot, workspace)


def test_the_chart_stays_readable_with_details_and_the_page_scrolls(qtbot: QtBot, declared: CompareWorkspace) -> None:
    view = declared.view
    declared.resize(824, 480)
    view.parts.show_part(1)
    view.tiles.details.click()
    idle(qtbot, declared)
    assert view.chart.chart.height() >= 184
    area = view.tiles.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    assert area.verticalScrollBar().maximum() > 0


def test_a_column_without_numbers_says_what_is_asked_of_it_instead(qtbot: QtBot, declared: CompareWorkspace) -> None:
    column = declared.view.question.column
    assert [column.itemText(row) for row in range(2)] == ["age", "town (no numbers: a histogram instead)"]
    pick(qtbot, declared, column, "town")
    assert now(declared).question.statistic is Statistic.HISTOGRAM
    assert [column.itemText(row) for row in range(2)] == ["age", "town"] and column.face == "town"


def test_what_only_numbers_have_is_asked_of_the_first_column_of_numbers(
    qtbot: QtBot, declared: CompareWorkspace
) -> None:
    pick(qtbot, declared, declared.view.question.column, "town")
    pick(qtbot, declared, declared.view.question.statistic, Statistic.MEAN)
    question = now(declared).question
    assert (question.statistic, question.column) == (Statistic.MEAN, "age")
    assert declared.view.question.problem is None and declared.view.can_run
    declared.document.undo_stack.undo()
    idle(qtbot, declared)
    assert (now(declared).question.statistic, now(declared).question.column) == (Statistic.HISTOGRAM, "town")


def test_the_help_names_every_column_of_the_numbers(qtbot: QtBot, declared: CompareWorkspace) -> None:
    told = HelpBook().find("compare.numbers")
    assert told is not None
    table = declared.view.numbers.table
    every = {str(table.model().headerData(at, Qt.Orientation.Horizontal)) for at in range(table.model().columnCount())}
    for heading in (every | {"Shape", "Formula", "No answer", "Remark"}) - {"Method", "ε"}:
        assert f"“{heading}”" in told.text, heading


def test_each_row_of_the_numbers_says_what_it_follows_from(declared: CompareWorkspace) -> None:
    """What a formula says, and the range of its law, is not of the tries, as a line above all rows had it."""
    page = declared.view.numbers
    table = page.table.model()
    headings = [str(table.headerData(at, Qt.Orientation.Horizontal)) for at in range(table.columnCount())]
    way, mean, by = headings.index("Method"), headings.index("Mean"), headings.index("By")
    said = {(row[way], row[by], "±" in row[mean]) for row in page.table.texts() if row[by]}
    assert said == {("Global", "formula", False), ("Anonymised", "tries", True), ("Local", "formula", False), *(
        one for one in said if one[0] not in ("Global", "Anonymised", "Local")
    )}  # fmt: skip
    assert "are by formula or of 10 tries, as By says; Tries is their mean." in page.heading.text()
    found = declared.view.chart.shown
    assert found is not None
    series = tuple(
        replace(one, points=tuple(replace(point, ends_known=False) for point in one.points)) for one in found.series
    )
    page.show_findings(replace(found, series=series))
    assert {row[by] for row in page.table.texts()} >= {"formula; From … To: tries", "tries"}


@pytest.mark.parametrize("wide", [824, 1240])
def test_no_cell_of_the_numbers_is_cut(qtbot: QtBot, declared: CompareWorkspace, wide: int) -> None:
    """The names of settings are long, and a number of which a part is seen is another number."""
    declared.resize(wide, 789)
    view, table = declared.view, declared.view.numbers.table
    view.parts.show_part(1)
    view.tabs.show_page(view.numbers)
    whole = view.chart.shown
    assert whole is not None
    first, *others = whole.series
    steps = {"tried": math.nan, "means": 10, "error_of_mean": 55.0, "by": MethodChoice("trimmed-in-steps")}
    changed = replace(first, points=tuple(replace(one, mean=2900.0, **steps) for one in first.points))
    view.numbers.show_findings(replace(whole, series=(changed, *others)))
    idle(qtbot, declared)
    assert any("2,900 ±" in cell for row in table.texts() for cell in row)
    for row in table.texts():
        for place, cell in enumerate(row):
            needed = table.fontMetrics().horizontalAdvance(cell) + 2 * tokens.SPACE_S
            assert table.columnWidth(place) >= needed, cell


def test_in_a_low_window_the_chart_has_the_room_of_words_that_are_cut(qtbot: QtBot, declared: CompareWorkspace) -> None:
    view = declared.view
    heights = []
    for size in SIZES:
        declared.resize(*size)
        view.parts.show_part(1)
        idle(qtbot, declared)
        heights.append(len(view.chart.words.brief.text().splitlines()))
        area = view.tiles.parentWidget()
        while not isinstance(area, QScrollArea):
            area = area.parentWidget()
        assert area.verticalScrollBar().maximum() == 0, "nothing has to be scrolled"
    assert heights == [1, 2]


def test_at_first_only_what_has_to_be_typed_or_changes_what_is_charged_is_seen(
    qtbot: QtBot, unseen: CompareWorkspace
) -> None:
    unseen.no_experiment.primary.emit()
    idle(qtbot, unseen)
    view = unseen.view
    pick(qtbot, unseen, view.question.column, "town")
    seen = view.question.statistic, view.question.column, view.basis.form["users"], view.basis.form["public_total"]
    folded = view.basis.form["basis"], view.basis.form["truth"], view.question.measure, view.question.outside
    assert all(one.isVisible() for one in seen) and not any(one.isVisible() for one in folded)
    fold = view.folds[0]
    assert fold.button.text() == "Tried on: worst usual shape", "what is in force is read without opening it"
    fold.button.click()
    assert all(one.isVisible() for one in folded)
    pick(qtbot, unseen, view.basis.form["basis"], Basis.SPIKY)
    assert fold.button.text() == "Tried on: a spiky shape"


@pytest.mark.parametrize("details", [False, True])
@pytest.mark.parametrize("size", (*SIZES, (1240, 789)))
def test_what_was_unfolded_and_folded_again_leaves_every_line_where_it_was(
    qtbot: QtBot, declared: CompareWorkspace, size: tuple[int, int], details: bool
) -> None:
    """Also while it is unfolded nothing is narrower: a bar that comes takes no room of what is read."""
    view, tiles, words = declared.view, declared.view.tiles, declared.view.chart.words
    declared.resize(*size)
    view.parts.show_part(1)
    tiles.details.setChecked(details)
    idle(qtbot, declared)
    bar = next(one for one in view.found.findChildren(QScrollArea) if one.isAncestorOf(tiles)).verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    parts = (tiles.slider, tiles.limit, view.chart.chart, *tiles.cards.values())

    def places() -> list[QRect]:
        return [QRect(one.mapTo(view.found, QPoint()), one.size()) for one in parts]

    before, wide = places(), [one.width() for one in parts]
    words.button.click()
    idle(qtbot, declared)
    assert [one.width() for one in parts] == wide
    words.button.click()
    idle(qtbot, declared)
    assert places() == before
