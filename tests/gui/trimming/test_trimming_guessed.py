"""A draw of which hardly a row may come out, as nobody said what occurs, is not what anybody is led to."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked
from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import push, source, write
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.gui.theme import colour
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session import Session
from workbench.session.release.knowledge import say_matters_most
from workbench.session.release.steps import LevelSource

NAMES = ("branch", "change")


def test_what_occurs_is_asked_though_no_column_gives_way_for_another(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    path = tmp_path / "savings.csv"
    rows = [f"{('North', 'South', 'East')[i % 3]},{i % 71 - 35}" for i in range(2_400)]
    path.write_text("\n".join([",".join(NAMES), *rows]) + "\n", encoding="utf-8")

    def prepare(session: Session) -> None:
        session.data.set_role(NAMES, Role.QUASI)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(NAMES)(SILENT))

    room = anonymising(path, prepare)
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "2400")
    push(qtbot, room, room.outlook.public.no)
    words = room.outlook.words
    assert (
        words.text() == "Once it is said what occurs, it is told how many come out." and not room.outlook.stars.text()
    )
    assert words.property("tone") == "none" and "hardly any" in words.toolTip(), "no loss that goes away with an answer"
    assert room.foot.mend.isVisibleTo(room) and room.foot.mend.text() == "Say what occurs in branch and change"
    assert room.next_hint() == room.foot.mend.text()
    for name, words in (("branch", "North, South, East"), ("change", "-40-39")):
        room.document.apply("said", lambda session, name=name, words=words: session.release.steps.set_said(name, words))
    idle(qtbot, room)
    assert not room.foot.mend.isVisibleTo(room), "then it is known"


def with_fees(qtbot: QtBot, anonymising: Anonymising, folder: Path) -> AnonymiseWorkspace:
    """The room with fees of which nobody said how far they reach, and the questions beside the button answered."""
    path = folder / "fees.csv"
    rows = [f"{('North', 'South', 'East')[i % 3]},{1_000 + 37 * i % 90_000}.5" for i in range(2_400)]
    path.write_text("\n".join(["branch,fee", *rows]) + "\n", encoding="utf-8")

    def prepare(session: Session) -> None:
        session.data.set_role(("branch", "fee"), Role.QUASI)
        session.data.attach_hierarchies(session.data.hierarchy_suggester(("branch", "fee"))(SILENT))

    room = anonymising(path, prepare)
    room.resize(1240, 700)
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "2400")
    push(qtbot, room, room.outlook.public.no)
    return room


def test_what_was_left_empty_of_what_the_release_is_for_is_asked_on_and_a_draw_takes_no_press_more(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    """Who did not see the field drew without it; who has nothing to say draws anyway."""
    room = with_fees(qtbot, anonymising, tmp_path)
    foot, details = room.foot, room.result.details.model
    for name in ("branch", "fee"):
        room.document.apply("most", partial(say_matters_most, name=name, most=True))
    idle(qtbot, room)
    asked = foot.mend.text()
    assert asked.startswith("Say what occurs in ")
    push(qtbot, room, foot.mend)
    knowledge_asked(room).use.click()
    idle(qtbot, room)
    assert "say how far it reaches" in [details.index(row, 1).data() for row in range(details.rowCount())]
    assert foot.mend.isVisibleTo(room) and foot.mend.text() == asked == room.next_hint()
    assert foot.mend.property("primary") == "true" and room.run_button.property("primary") == "false"
    assert room.run_button.text().startswith("Make the release anyway") and room.run_button.isEnabled()
    push(qtbot, room, room.run_button)
    assert room.document.session.release.current_result() is not None


def test_after_an_answer_one_is_at_the_next_button_and_what_is_typed_on_is_no_number_of_people(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    room = with_fees(qtbot, anonymising, tmp_path)
    for name in ("branch", "fee"):
        room.document.apply("most", partial(say_matters_most, name=name, most=True))
    idle(qtbot, room)
    people = room.outlook.rows
    people.edit.setFocus()  # where somebody was before the dialog, whom no press took away from it
    room.outlook.take(room.foot.helps)
    dialog = knowledge_asked(room)
    next(line for line in dialog.lines if line.name == "branch").edit.setText("North, South, East")
    dialog.use.click()
    idle(qtbot, room)
    focus = room.window().focusWidget()
    assert room.foot.mend.text() == "Say what occurs in fee" and focus is room.foot.mend
    qtbot.keyClicks(focus, "0-100000")
    assert people.value == 2_400
    room.outlook.take(room.foot.helps)
    dialog = knowledge_asked(room)
    next(line for line in dialog.lines if line.name == "fee").edit.setText("0-100000")
    dialog.use.click()
    people.edit.setFocus()
    qtbot.keyClick(people.edit, Qt.Key.Key_End)
    qtbot.keyClicks(people.edit, "0")
    idle(qtbot, room)
    assert room.window().focusWidget() is people.edit, "nobody is taken out of a field they type in"


def test_a_press_on_what_rests_on_a_guess_asks_what_occurs(
    qtbot: QtBot, anonymising: Anonymising, tmp_path: Path
) -> None:
    """It tells to say it, so that it is where people press."""
    room = with_fees(qtbot, anonymising, tmp_path)
    view, model = room.result.details.view, room.result.details.model
    told = [model.index(row, 1).data() for row in range(model.rowCount())]
    row = told.index("say how far it reaches")
    assert len(told) == 2, "it stands in the place of intervals that are a guess, so that no line moves for it"
    assert model.index(row, 1).data(Qt.ItemDataRole.ForegroundRole).color() == colour("link"), "as what can be pressed"
    place = view.visualRect(model.index(row, 1)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    dialog = knowledge_asked(room)
    assert {line.name for line in dialog.lines if line.edit.isVisible()} == set(model.guesses) and model.guesses
    line = next(line for line in dialog.lines if line.name == "fee")
    assert dialog.focusWidget() is line.edit, "in the column that was pressed"
    dialog.reject()
