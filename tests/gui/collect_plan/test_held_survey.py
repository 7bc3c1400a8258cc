"""A survey that is held on paper from its plan: handed out by one button, and its tallies typed."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.collect_plan.helpers import MODES, aim_at_misplaced, ask, open_modes, type_answers
from tests.gui.helpers import choose, idle
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.ldp.choice import ProtocolChoice
from workbench.session.collection.captions import reported_caption
from workbench.session.collection.hand_out import DO_NOT, entry_beside


def hold(qtbot: QtBot, room: CollectWorkspace) -> None:
    qtbot.mouseClick(room.foot.hold, Qt.MouseButton.LeftButton)
    idle(qtbot, room)


def type_tallies(qtbot: QtBot, room: CollectWorkspace, *numbers: str) -> None:
    table = room.reports.held.table
    for number in numbers:
        edit = table.viewport().findChildren(QLineEdit)[-1]
        qtbot.keyClicks(edit, number)
        qtbot.keyClick(edit, Qt.Key.Key_Return)
    idle(qtbot, room)


def test_the_next_step_of_a_new_plan_is_to_say_which_answers_are_possible(qtbot: QtBot, room: CollectWorkspace) -> None:
    room.privacy.epsilon.field.edit.setFocus()
    assert room.next_hint() == "Type the possible answers" and room.do_next(room.next_field())
    assert room.question.values.isAncestorOf(room.focusWidget() or room)
    type_answers(qtbot, room, "no", "yes")
    assert room.next_hint() == "Hold the survey"


def test_a_plan_is_held_by_one_button_and_stays_as_it_is(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, "no", "yes")
    settings = room.document.project.collect
    assert room.foot.hold.isVisible() and room.foot.hold.text() == "Hold survey"
    assert room.next_hint() == "Hold the survey"
    hold(qtbot, room)
    held = room.reports.held
    assert room.tabs.currentWidget() is room.reports and held.isVisible()
    assert room.document.project.collect == settings
    assert "Answers: no, yes." in held.instruction.text()
    held.page.copy.click()
    idle(qtbot, room)
    words = QGuiApplication.clipboard().text()
    assert "1. no\n  2. yes\n" in words and "What is promised" in words and "\nvalue\n" in words
    for part in (room.reports.export, room.reports.cost, room.reports.participation):
        assert not part.isVisible(), "nobody's rows report"


def test_the_shares_behind_tallies_are_estimated_as_from_a_file(qtbot: QtBot, room: CollectWorkspace) -> None:
    """By hand: at ε = ln 3 the truth is told with 3/4, so 60 of 100 who say yes are (60 − 25) ÷ 0.5 = 70."""
    type_answers(qtbot, room, "no", "yes")
    room.privacy.epsilon.field.edit.setText("ln 3")
    idle(qtbot, room)
    hold(qtbot, room)
    assert "two coins" in room.reports.held.instruction.text()
    assert not room.reports.held.count.isEnabled()
    type_tallies(qtbot, room, "40", "60")
    assert "100 reports." in room.reports.held.said.text()
    qtbot.mouseClick(room.reports.held.count, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    found = room.reports.found
    assert found is not None and found.estimate is not None
    assert found.estimate.counts.tolist() == pytest.approx([30.0, 70.0], abs=1e-6)
    assert (found.estimate.low <= [30, 70]).all() and (found.estimate.high >= [30, 70]).all()
    assert found.estimate.low[1] < 60 < 80 < found.estimate.high[1], "a margin as of 100 reports"
    said = room.reports.state.text
    assert "100 reports" in said and "asserted by whoever typed" in said and "ε = 1.099" in said
    assert "The file" not in said and "“That each" not in said, "there is none"
    assert "by Randomised response," in said, "as it is called where it was chosen"
    assert not room.reports.chart.visibleRegion().isEmpty(), "it is scrolled to"
    assert room.reports.chart.data is not None and room.reports.chart.data.title == "Randomised response"
    low, high = (math.floor(1e1 * found.estimate.low[1]) / 10, math.ceil(1e1 * found.estimate.high[1]) / 10)
    assert room.reports.table.texts()[1] == ("yes", "70.0", str(low), str(high), "70"), "shares are asked for, and lead"
    assert len(room.reports.table.texts()) == 2 and room.reports.chart.data.people == 100
    assert said.startswith("100 reports by Randomised response,"), "nobody put the question into words"
    room.document.apply("", lambda session: session.collection.change(question="Did you\ncheat?"))
    idle(qtbot, room)
    qtbot.mouseClick(room.reports.held.count, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.reports.state.text.startswith("100 reports on “Did you cheat?” by Randomised response,")
    assert "Estimated shares of the answers" in str(reported_caption(room.reports.found))
    assert room.next_hint() == ""


def test_bands_follow_the_switch_of_sampling_error_and_say_so(qtbot: QtBot, room: CollectWorkspace) -> None:
    """By hand: 60 of 100 are 49.72 … 69.67 % (Clopper and Pearson), and 2 · (49.72 − 25) = 49.44."""
    type_answers(qtbot, room, "no", "yes")
    room.privacy.epsilon.field.edit.setText("ln 3")
    idle(qtbot, room)
    assert room.document.session.collection.settings.sampling, "proposed for a survey of some people"
    hold(qtbot, room)
    type_tallies(qtbot, room, "40", "60")
    qtbot.mouseClick(room.reports.held.count, Qt.MouseButton.LeftButton)
    idle(qtbot, room)

    def shown() -> tuple[float, float, str, str, str]:
        found, chart = room.reports.found, room.reports.chart
        assert found is not None and found.estimate is not None and chart.data is not None
        low, high = float(found.estimate.low[1]), float(found.estimate.high[1])
        return low, high, room.reports.state.text, chart.data.band, str(reported_caption(found))

    low, high, said, band, caption = shown()
    assert (low, high) == pytest.approx((49.44, 89.34), abs=0.05)
    for words in (said, caption):
        whose = "Bands are of all people, with sampling error, if these 100 are a random sample of them: "
        assert f"{whose}that is not checked." in words, "nobody said so"
    assert band == "95 % band with sampling error"
    room.document.apply("", lambda session: session.collection.change(sampling=False))
    idle(qtbot, room)
    alone = shown()
    assert low <= alone[0] and alone[1] <= high and alone[1] - alone[0] < high - low
    for words in (alone[2], alone[4]):
        assert "Bands are of these people: sampling error is not in them." in words
        assert "They follow from estimates before Norm-Sub." in words
    assert [room.reports.table.model().headerData(place, Qt.Orientation.Horizontal) for place in (2, 3)] == [
        "Low, 95 %",
        "High, 95 %",
    ]
    assert alone[3] == "95 % band of these people"


def test_a_band_that_is_not_around_its_own_estimate_is_said_to_be_that_of_0(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    """By hand: p = e ÷ (e + 2), q = 1 ÷ (e + 2), and (390 − 2,000 q) ÷ (p − q) = −93."""
    type_answers(qtbot, room, "yes", "no", "rather not say")
    room.privacy.epsilon.field.edit.setText("1")
    idle(qtbot, room)
    room.document.apply("", lambda session: session.collection.change(sampling=False))
    idle(qtbot, room)
    hold(qtbot, room)
    type_tallies(qtbot, room, "900", "710", "390")
    qtbot.mouseClick(room.reports.held.count, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    found = room.reports.found
    assert found is not None and found.estimate is not None and room.reports.table.texts()[2][1] == "0.0"
    high = math.ceil(found.estimate.high[2])
    assert room.reports.table.texts()[2][2:] == ("0.0", f"{math.ceil(high / 2) / 10}", "0") and 90 < high < 120, (
        "1.96 of 50 and what is whole"
    )
    for words in (room.reports.state.text, str(reported_caption(found))):
        assert "They follow from estimates before Norm-Sub." in words
        assert "“rather not say” came out below 0, at -93: its band is that of an estimate of 0." in words


@pytest.mark.parametrize("size", [(1440, 900), (1024, 700)])
def test_an_estimate_is_seen_whole(qtbot: QtBot, window: MainWindow, size: tuple[int, int]) -> None:
    """Also below what is said of it, which comes at the same moment and pushes it down."""
    window.resize(*size)
    window.show_workspace("collect")
    room = window.workspaces["collect"]
    assert isinstance(room, CollectWorkspace)
    idle(qtbot, room)
    type_answers(qtbot, room, *"ABCDEFG")
    hold(qtbot, room)
    room.reports.held.table.tallies.fill(0, ["900", "1000", "900", "850", "800", "783", "767"])
    room.reports.held.count.click()
    idle(qtbot, room)
    chart = room.reports.chart

    def seen() -> bool:
        return chart.visibleRegion().boundingRect() == chart.rect()

    qtbot.waitUntil(seen, timeout=3000)


def test_tallies_that_the_protocol_hardly_ever_gives_are_doubted_and_no_surer_than_others(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    """At ε = 0.1 an answer of three is told with 0.356 at most, by 178 of 500: 300 of them are true answers, or so."""
    type_answers(qtbot, room, "a", "b", "c")
    room.document.apply("", lambda session: session.collection.change(epsilon=0.1))
    idle(qtbot, room)
    choose(room.reports.protocol, ProtocolChoice("grr"))
    hold(qtbot, room)
    room.reports.held.table.tallies.fill(0, ["300", "100", "100"])
    room.reports.held.count.click()
    idle(qtbot, room)
    found = room.reports.found
    assert found is not None and found.estimate is not None
    doubt = (
        "So many reports of “a” and so few of “b” and “c” are all but impossible at ε = 0.1: were these the true "
        "answers, or told at another ε?"
    )
    assert doubt in room.reports.state.text and doubt in str(reported_caption(found))
    assert room.reports.state.property("message") == Status.WARNING.value
    assert (found.estimate.high - found.estimate.low > 250).all(), "a point would look surer than anything"
    room.reports.held.table.tallies.fill(0, ["178", "161", "161"])
    room.reports.held.count.click()
    idle(qtbot, room)
    assert "all but impossible" not in room.reports.state.text and room.reports.state.property("message") is None


def test_a_column_of_a_sheet_is_pasted_and_what_is_no_number_is_refused(qtbot: QtBot, room: CollectWorkspace) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES)
    hold(qtbot, room)
    held = room.reports.held
    QGuiApplication.clipboard().setText("1,200\n30\n4x\n0\n12")
    edit = held.table.viewport().findChildren(QLineEdit)[-1]
    qtbot.keyClick(edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert held.said.text() == "“4x” at bike is no whole number." and not held.count.isEnabled()
    held.table.tallies.fill(2, ["4"])
    assert held.table.tallies.tallies == (1200, 30, 4, 0, 12) and held.count.isEnabled()
    type_answers(qtbot, room, "bus", "car")
    assert held.table.tallies.tallies == (30, 1200), "what was typed for an answer stays with it"


def test_of_sets_it_is_counted_in_how_many_an_answer_is(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    qtbot.mouseClick(room.protocols.rows["subset-selection"].tick, Qt.MouseButton.LeftButton)
    room.document.apply("", lambda session: session.collection.change(epsilon=0.5))
    idle(qtbot, room)
    choose(room.reports.protocol, ProtocolChoice("subset-selection"))
    hold(qtbot, room)
    held = room.reports.held
    assert held.found is not None and held.found.named == 2
    held.table.tallies.fill(0, ["30", "30", "30", "5", "4"])
    held.count.click()
    idle(qtbot, room)
    assert "which 2 does not divide" in room.reports.state.text and room.reports.found is None
    held.table.tallies.fill(4, ["5"])
    held.count.click()
    idle(qtbot, room)
    assert room.reports.found is not None and room.reports.found.received.support.reports == 50


def test_reports_that_programs_draw_are_not_counted_by_hand(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    hold(qtbot, room)
    choose(room.reports.protocol, ProtocolChoice("olh"))
    idle(qtbot, room)
    assert not room.reports.held.table.isVisible() and "open files of reports" in room.reports.held.instruction.text()


def test_the_page_for_people_is_saved_to_be_printed_or_as_text(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    type_answers(qtbot, room, *MODES)
    hold(qtbot, room)
    page = room.reports.held.page
    for name in ("page.html", "page.txt"):
        page.save_to(tmp_path / name)
        idle(qtbot, room)
    printed, plain = ((tmp_path / name).read_text(encoding="utf-8") for name in ("page.html", "page.txt"))
    assert printed.startswith("<!DOCTYPE html>") and plain.startswith("Question\n")
    for written in (printed, plain):
        assert all(mode in written for mode in MODES) and "What you hand in" in written
        assert "reports" not in written
    for name in ("page.html", "page.txt"):
        entering = entry_beside(tmp_path / name).read_text(encoding="utf-8")
        assert DO_NOT in entering and all(mode in entering for mode in MODES) and "What you hand in" not in entering
    held = room.reports.held
    choose(room.reports.protocol, ProtocolChoice("olh"))
    idle(qtbot, room)
    held.page.copy.click()
    idle(qtbot, room)
    assert "let it make each report" in QGuiApplication.clipboard().text()


def test_a_file_beside_the_page_for_people_is_replaced_only_if_asked(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_answers(qtbot, room, *MODES)
    hold(qtbot, room)
    beside = entry_beside(tmp_path / "page.html")
    beside.write_text("mine", encoding="utf-8")
    chosen = iter([(str(tmp_path / "page.html"), ""), (str(tmp_path / "other.html"), "")])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: next(chosen))
    asked = list[str]()

    def no(*given: object) -> QMessageBox.StandardButton:
        asked.append(str(given[2]))
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "warning", no)
    room.reports.held.page.save.click()
    idle(qtbot, room)
    assert len(asked) == 1 and beside.name in asked[0] and beside.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "page.html").exists()
    assert (tmp_path / "other.html").exists() and entry_beside(tmp_path / "other.html").exists()


def test_where_rows_report_nothing_is_typed(qtbot: QtBot, room: CollectWorkspace, tmp_path: Path) -> None:
    type_answers(qtbot, room, *MODES)
    hold(qtbot, room)
    open_modes(qtbot, room, tmp_path)
    ask(qtbot, room, "mode")
    room.tabs.setCurrentWidget(room.reports)
    idle(qtbot, room)
    assert not room.reports.held.isVisible() and not room.foot.hold.isVisible() and room.reports.export.isVisible()


def test_who_has_coins_or_a_die_takes_an_epsilon_that_they_can_draw(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    hold(qtbot, room)
    held = room.reports.held
    assert "Roll a die by table 1" in held.instruction.text() and held.by_hand.buttons[0].isVisible()
    # Offered before the page is saved, below that button and above what it would say.
    tops = [part.mapTo(held, QPoint()).y() for part in (held.page.save, held.by_hand, held.instruction)]
    assert tops == sorted(set(tops)) and held.by_hand.words.text().startswith("Saved so, it has a table for a die.")
    held.by_hand.buttons[0].click()
    idle(qtbot, room)
    assert "Roll a ten-sided die" in held.instruction.text() and not held.by_hand.isVisible()


@pytest.mark.parametrize("opens", [True, False], ids=["another table", "no table"])
def test_what_came_of_a_survey_is_not_shown_in_another_project(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path, opens: bool
) -> None:
    """Else its pages, with nothing to show, stood in the place of the button that plans the next survey."""
    type_answers(qtbot, room, "no", "yes")
    room.run()
    hold(qtbot, room)
    type_tallies(qtbot, room, "40", "60")
    qtbot.mouseClick(room.reports.held.count, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.reports.found is not None and room.simulation.found is not None
    room.document.new()
    if opens:
        open_modes(qtbot, room, tmp_path)
    idle(qtbot, room)
    assert room.reports.found is None and room.status() is None
    assert not room.tabs.isVisible()
    if opens:
        assert room.no_column.isVisible()
        assert "Plan a survey" in [one.text() for one in room.no_column.secondary_buttons]


def test_nothing_asked_is_nothing_out_of_date(qtbot: QtBot, room: CollectWorkspace, tmp_path: Path) -> None:
    open_modes(qtbot, room, tmp_path)
    room.document.session.collection.look()
    ask(qtbot, room, "mode")
    type_answers(qtbot, room, "car", "bus")
    room.run()
    idle(qtbot, room)
    assert room.status() is Status.SUCCESS
    seen = list[Status | None]()
    room.status_changed.connect(lambda: seen.append(room.status()))
    room.document.new()
    assert room.status() is None, "also before the page is renewed"
    open_modes(qtbot, room, tmp_path)
    assert set(seen) <= {None}
