"""The tabs of a planned survey: they stay in reach, and what they speak of is what was chosen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from tests.gui.collect_plan.helpers import MODES, aim_at_misplaced, ask, open_modes, type_answers
from tests.gui.helpers import choose, idle
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.ldp.choice import ProtocolChoice


def test_the_tabs_stay_where_they_are_however_far_a_page_is_scrolled(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    room.resize(824, 520)
    bar, scrolled = room.tabs.tabBar(), 0
    for page in (room.prediction, room.facts, room.reports):
        room.tabs.setCurrentWidget(page)
        idle(qtbot, room)
        for area in room.answers.findChildren(QScrollArea):
            if area.isVisible():
                area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
                scrolled += area.verticalScrollBar().maximum()
        middle = bar.mapTo(room, bar.rect().center())
        assert not bar.visibleRegion().isEmpty() and room.rect().contains(middle)
        assert room.childAt(middle) is bar
    assert scrolled > 0, "there was something to scroll"


def test_each_page_is_read_on_where_it_was_left(qtbot: QtBot, room: CollectWorkspace) -> None:
    type_answers(qtbot, room, *MODES)
    room.resize(824, 520)
    room.tabs.setCurrentWidget(room.facts)
    idle(qtbot, room)
    area = room.facts.parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    area.verticalScrollBar().setValue(40)
    room.tabs.setCurrentWidget(room.prediction)
    assert room.prediction.mapTo(room.tabs, QPoint(0, 0)).y() >= room.tabs.tabBar().height() - 1, "at its beginning"
    room.tabs.setCurrentWidget(room.facts)
    assert area.verticalScrollBar().value() == 40


def test_the_page_on_a_protocol_goes_on_with_the_next_one_that_is_recommended(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    """Who read what people do by one protocol must not find it there when another one is to be taken."""
    type_answers(qtbot, room, *"ABCDEFG")
    page, facts, document = room.prediction, room.facts, room.document
    document.apply("", lambda session: session.collection.change(users=2000, epsilon=3.0))
    idle(qtbot, room)
    assert page.headline.figure.text().startswith("Direct encoding")
    page.headline.more.click()
    idle(qtbot, room)
    assert facts.protocol.chosen == "grr"
    document.apply("", lambda session: session.collection.change(epsilon=0.5))
    idle(qtbot, room)
    assert page.headline.figure.text().startswith("Subset selection")
    assert facts.protocol.chosen == "subset-selection" and "name your true answer" in facts.instruction.text()


def test_the_page_on_a_protocol_is_of_the_one_that_was_ticked_or_chosen_last(
    qtbot: QtBot, room: CollectWorkspace
) -> None:
    aim_at_misplaced(room)
    type_answers(qtbot, room, *MODES)
    facts = room.facts
    assert facts.protocol.chosen == "grr"
    qtbot.mouseClick(room.protocols.rows["subset-selection"].tick, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert facts.protocol.chosen == "subset-selection"
    room.tabs.setCurrentWidget(room.reports)
    choose(room.reports.protocol, ProtocolChoice("oue"))
    idle(qtbot, room)
    room.tabs.setCurrentWidget(facts)
    idle(qtbot, room)
    assert facts.protocol.chosen == "oue" and "yes" in facts.instruction.text()


def test_figures_that_arrive_when_nothing_is_asked_any_more_are_of_what_was_asked(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    open_modes(qtbot, room, tmp_path)
    room.document.apply("", lambda session: session.data.set_domain("mode", ["car", "bus", "walk"]))
    ask(qtbot, room, "mode")
    room.tabs.setCurrentWidget(room.facts)
    idle(qtbot, room)
    room.facts.figures["margin"].setText("")
    room.facts.show_protocol("subset-selection")
    room.document.session.collection.change(column="")
    with qtbot.captureExceptions() as raised:
        idle(qtbot, room)
    assert not raised and room.facts.figures["margin"].text().startswith("± ")


def test_a_project_is_seen_where_it_was_left_and_not_where_another_one_was(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    document, tabs = room.document, room.tabs
    document.apply("", lambda session: session.collection.ask_nobody())
    type_answers(qtbot, room, *MODES)
    paths = [tmp_path / f"{name}.wbench" for name in ("first", "second")]
    for path, page in zip(paths, (room.facts, room.reports), strict=True):
        assert document.save(path)
        tabs.setCurrentWidget(page)
        document.open_project(path)
        idle(qtbot, room)
    for path, page in zip(paths, (room.facts, room.reports), strict=True):
        document.open_project(path)
        idle(qtbot, room)
        assert tabs.currentWidget() is page
    document.new()
    idle(qtbot, room)
    assert tabs.currentWidget() is room.prediction


def test_what_is_planned_without_a_table_begins_with_the_prediction(
    qtbot: QtBot, room: CollectWorkspace, tmp_path: Path
) -> None:
    open_modes(qtbot, room, tmp_path)
    ask(qtbot, room, "mode")
    room.tabs.setCurrentWidget(room.simulation)
    room.document.apply("", lambda session: session.collection.ask_nobody())
    type_answers(qtbot, room, *MODES)
    assert room.tabs.currentWidget() is room.prediction
