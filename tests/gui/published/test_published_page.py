"""The page of a published figure: both sides, values, verdicts and settings, and runs that go on or are cancelled."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from tests.gui.published.helpers import finish
from workbench.evaluate.published.agreement import Said
from workbench.evaluate.published.catalogue import FIGURES, figure_named
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.panel import MENDED, RUN_HERE
from workbench.gui.theme import colour
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare.figure_values import tone_of_all, values_table
from workbench.gui.workspaces.compare.side_view import unbroken
from workbench.gui.workspaces.compare.workspace import CompareWorkspace


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


def test_a_figure_with_a_value_that_differs_says_so_at_once(qtbot: QtBot, room: CompareWorkspace, quick: None) -> None:
    page = room.figure
    room.gallery.figures["figure-3.4"].activated.emit()
    page.run()
    finish(qtbot, page, "figure-3.4")
    assert page.state.property("message") == "error"
    assert "2 differ" in page.state.text


def test_why_it_differs_waits_for_a_run_or_for_its_end(qtbot: QtBot, room: CompareWorkspace, quick: None) -> None:
    page = room.figure
    room.show_figure("figure-4.9")
    assert page.differs.text() == "Run to compute it."
    page.run()
    assert page.differs.text() == "Running…"
    page.run_or_cancel()
    qtbot.waitUntil(lambda: page.differs.text() == "Run to compute it.", timeout=PATIENCE_MS)


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


def test_what_is_ours_differs_from_nothing(room: CompareWorkspace) -> None:
    for identifier, name in (("beyond-estimator", "What it shows"), ("figure-3.2", "Where it differs, and why")):
        room.show_figure(identifier)
        assert room.figure.below.buttons[2].text() == name
