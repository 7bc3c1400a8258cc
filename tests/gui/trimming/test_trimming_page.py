"""The room of a trimmed release as a page: its sizes, its names, and the way of the keys through it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen
from tests.gui.helpers import PATIENCE_MS, click, idle, pick
from tests.gui.trimming.helpers import level_of_city, push, source, write
from workbench.anonymise.recipe import Treatment
from workbench.gui import tokens
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session.release.assessment import assess
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import OutlookRemedy


def test_in_the_smallest_window_most_of_the_room_is_for_the_open_step(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.resize(824, 640)  # what a window of 1024 × 700 leaves
    room.show()
    source(qtbot, room, LevelSource.BALANCED)
    room.parts.show_part(0)
    foot, words = room.foot, room.outlook.words
    qtbot.waitUntil(lambda: words.isVisible() and foot.width() >= 2 * tokens.STEPS_WIDTH, timeout=PATIENCE_MS)
    assert foot.height() < room.height() / 3 and words.height() >= words.heightForWidth(words.width())
    mend, run = foot.mend, foot.run_button

    def is_beside() -> bool:
        return foot.ready.isVisible() and foot.ready.mapTo(foot, QPoint()).y() == run.mapTo(foot, QPoint()).y()

    assert is_beside() and run.property("primary") == "false"
    place = run.mapTo(room, QPoint())
    push(qtbot, room, room.outlook.public.no)
    write(qtbot, room, room.plan.rows, "1000000")
    qtbot.waitUntil(lambda: run.property("primary") == "true", timeout=PATIENCE_MS)
    assert run.mapTo(room, QPoint()) == place, "what is pressed stays where it is"
    assert is_beside()
    room.resize(1240, 640)
    qtbot.waitUntil(lambda: foot.width() < 2 * tokens.STEPS_WIDTH, timeout=PATIENCE_MS)
    source(qtbot, room, LevelSource.HAND)
    level_of_city(room, 1)
    qtbot.waitUntil(mend.isVisible, timeout=PATIENCE_MS)
    assert mend.geometry().bottom() < run.geometry().top(), "below each other where it is narrow"


def test_the_button_that_spends_stays_where_it_is_when_something_is_offered(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """A press that was meant for it would take an offer, which came to where it was."""
    room.resize(1240, 640)
    room.show()
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "4000")
    push(qtbot, room, room.outlook.public.no)
    links = [one for one in (room.outlook.more, *room.outlook.buttons) if one.isVisible()]
    assert len({one.y() for one in links}) <= 1
    before = room.run_button.mapTo(room, QPoint())
    offers = [
        OutlookRemedy(
            f"An offer that takes most of a line: {place}",
            lambda _: None,
            "occurring:age",
            is_choice=True,
        )
        for place in range(2)
    ]
    room.foot.show_assessment(replace(assess(room.document.session), remedies=tuple(offers)))
    qtbot.waitUntil(lambda: room.outlook.buttons[0].text() == offers[0].words, timeout=PATIENCE_MS)
    QApplication.processEvents()
    assert room.run_button.mapTo(room, QPoint()) == before


def test_where_the_table_is_not_seen_a_link_leads_to_its_ticks(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    room.resize(824, 640)
    room.show()
    room.parts.show_part(0)
    purpose = room.outlook.purpose
    push(qtbot, room, room.outlook.public.no)
    assert purpose.isHidden(), "by degree nothing is ticked"
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "4000")
    room.parts.show_part(0)
    qtbot.waitUntil(purpose.isVisible, timeout=PATIENCE_MS)
    click(qtbot, purpose)
    table = room.result.details
    qtbot.waitUntil(table.view.isVisible, timeout=PATIENCE_MS)
    assert room.window().focusWidget() is table.view
    qtbot.keyClick(table.view, Qt.Key.Key_Space)
    idle(qtbot, room)
    first = table.model.index(0, 0).data()
    assert {name: ticked for name, ticked in table.model.ticks.items() if ticked} == {first: True}
    room.resize(1240, 640)
    qtbot.waitUntil(lambda: not purpose.isVisible(), timeout=PATIENCE_MS)


def test_everything_focusable_has_a_name_and_an_explanation(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.TYPED)
    push(qtbot, room, room.levels.steps.add_step)
    pick(qtbot, room, room.levels.steps.shares, False)
    book = HelpBook()
    for widget in room.findChildren(QWidget):
        if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or widget.objectName().startswith("qt_"):
            continue
        if widget.window() is not room:
            continue  # the list of a combo box
        assert widget.accessibleName(), f"{widget!r} in {widget.parentWidget()!r} has no name"
        key = explain_key(widget)
        assert key == "" or book.find(key) is not None, f"no help for {key}"


class TestReach:
    @pytest.mark.parametrize(
        ("field", "step", "name"),
        [
            ("epsilon", "promise", "ε"),
            ("levels", "levels", "Levels: In steps, all together"),
            ("hierarchy", "promise", "ε"),
        ],
    )
    def test_a_control_is_shown_and_has_the_focus(
        self, room: AnonymiseWorkspace, field: str, step: str, name: str
    ) -> None:
        room.steps.open("levels" if step != "levels" else "run")
        room.reach(field)
        focus = QApplication.focusWidget()
        assert focus is not None and focus.accessibleName() == name
        assert room.steps.current == step and not focus.visibleRegion().isEmpty()

    def test_the_button_is_reached_whatever_is_open(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        push(qtbot, room, room.outlook.public.no)
        assert (room.next_hint(), room.next_field()) == ("Press “Make the release”", "run")
        assert room.next_hint() not in room.run_button.text(), "two controls of one name, of which one spends"
        room.steps.open("levels")
        room.reach("run")
        assert QApplication.focusWidget() is room.run_button and room.steps.current == "levels"
        room.reach("rows")
        focus = QApplication.focusWidget()
        assert focus is not None and focus.accessibleName() == "People you expect" and room.steps.current == "levels"

    def test_a_column_without_a_hierarchy_leads_to_its_own(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        person = room.columns.rows["person"]
        assert person.words == "no hierarchy"
        assert seen(person.attach, room)
        with qtbot.waitSignal(room.reach_requested) as asked:
            click(qtbot, person.attach)
        assert asked.args == ["hierarchies", "hierarchy:person"]

    def test_a_column_of_few_public_values_is_declared_so(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        person = room.columns.rows["person"]
        push(qtbot, room, person.declare)
        assert room.document.session.release.columns.treatment("person") is Treatment.GENERALISE
        assert "few public values" in person.words
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert person.words == "no hierarchy"


def tabbed(qtbot: QtBot, presses: int) -> list[str]:
    """What Tab comes by, each once."""
    names = []
    for _ in range(presses):
        focus = QApplication.focusWidget()
        assert focus is not None
        names.append(focus.accessibleName())
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    return list(dict.fromkeys(names))


EXPECTED = {
    "promise": [
        "ε",
        "Mechanism",
        "Which number is computed",
        "δ",
        "Floor",
        "Change how many rows one person may have",
        "Rows of a group to ask about",
        "Step 2, Levels",
        "Step 3, Run",
    ],
    "levels": [
        "Step 2, Levels",
        "Levels: In steps, all together",
        "Attach a hierarchy to person",
        "Treatment of person",
        "Treatment of age",
        "Degree of step 1",
        "Degree of step 2",
        "How ε and δ are shared",
        "Add a step",
        "Step 3, Run",
    ],
    "run": ["Step 3, Run", "Details"],
}


@pytest.mark.parametrize("step", list(EXPECTED))
def test_tab_goes_down_the_page(qtbot: QtBot, room: AnonymiseWorkspace, step: str) -> None:
    room.activateWindow()
    room.steps.open(step)
    if step == "promise":
        room.promise.details.button.setFocus()
        qtbot.keyClick(room.promise.details.button, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None and focus.accessibleName() == "ε", "Details stands in the line above"
        room.focus_first()
    else:
        room.steps.heads[step].setFocus()
    names = tabbed(qtbot, 36)
    expected = EXPECTED[step]
    assert [name for name in names if name in expected] == expected
    assert any(name.startswith("Make the release · ε") for name in names)


@pytest.mark.parametrize(("width", "height"), [(760, 560), (1016, 700)])
def test_nothing_sticks_out_at_the_side(qtbot: QtBot, room: AnonymiseWorkspace, width: int, height: int) -> None:
    room.resize(width, height)
    for wanted in (LevelSource.STEPS, LevelSource.TYPED, LevelSource.SEARCH):
        source(qtbot, room, wanted)
        for key, content in (("promise", room.promise), ("levels", room.levels), ("run", room.plan)):
            room.steps.open(key)
            QApplication.processEvents()
            area = content.parentWidget()
            assert area is not None
            place = area.parentWidget()
            assert place is not None
            assert area.minimumSizeHint().width() <= place.width(), (wanted, key)
            heads = room.steps.heads.values()
            assert all(not one.visibleRegion().isEmpty() for one in (*heads, room.run_button)), "always in sight"
