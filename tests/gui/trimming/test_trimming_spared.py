"""What would say nothing in any row is left out with the draw, unless somebody takes that back."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from tests.gui.trimming.helpers import push, source, write
from workbench.anonymise.balanced import Importance
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session.release.knowledge import say_matters_most
from workbench.session.release.steps import LevelSource

OFFERED = "Leave out what is not ticked and stays *: age"


@pytest.fixture
def ticked(qtbot: QtBot, room: AnonymiseWorkspace) -> AnonymiseWorkspace:
    """City is what the release of so few people is for, so that age would be `*` in every row."""
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "300")
    push(qtbot, room, room.outlook.public.no)
    assert room.outlook.spares.isHidden(), "before that is said, it may be what the release is for"
    room.document.apply("tick", lambda session: say_matters_most(session, "city", most=True))
    idle(qtbot, room)
    assert room.outlook.stars.text() == "* (no value) in every row: age"
    return room


def columns_of_the_draw(qtbot: QtBot, room: AnonymiseWorkspace) -> tuple[str, ...]:
    push(qtbot, room, room.run_button)
    return tuple(room.document.session.release.current_result().outcome.recipe.levels)


def test_it_is_left_out_with_the_draw(qtbot: QtBot, ticked: AnonymiseWorkspace) -> None:
    spares = ticked.outlook.spares
    assert spares.isVisibleTo(ticked) and spares.isChecked() and spares.accessibleName() == OFFERED
    assert spares.toolTip() == "age would be * in every row: nothing is lost without it."
    assert not [one.text() for one in ticked.outlook.buttons if one.isVisibleTo(ticked)], "nothing is offered twice"
    assert columns_of_the_draw(qtbot, ticked) == ("city",)
    assert not ticked.outlook.spares.isVisibleTo(ticked)
    assert ticked.document.undo_stack.undoText() == "Leave age out", "one step, which can be taken back"


def test_who_unticks_it_has_the_column_in_the_file(qtbot: QtBot, ticked: AnonymiseWorkspace) -> None:
    before = ticked.document.project
    ticked.outlook.spares.click()
    assert ticked.document.project == before, "nothing is done before the draw"
    ticked.document.apply("ε", lambda session: session.release.steps.set_importance("age", Importance.GIVE_UP))
    idle(qtbot, ticked)
    assert not ticked.outlook.spares.isChecked(), "as it was said of this table"
    assert columns_of_the_draw(qtbot, ticked) == ("age", "city")
