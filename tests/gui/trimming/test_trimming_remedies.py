"""What would help a trimmed release, and is one press away."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen
from tests.gui.helpers import idle
from tests.gui.trimming.helpers import push, source, trim, write
from workbench.anonymise.recipe import Treatment
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.project.trim_settings import StepsBy
from workbench.session.release import remedies
from workbench.session.release.assessment import assess
from workbench.session.release.kept_alone import KEEP_ONLY
from workbench.session.release.remedies import RULE
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import OutlookRemedy


def test_a_column_that_says_nothing_is_named_before_the_draw_and_left_out_in_one_press(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.HAND)
    room.document.apply("level", lambda session: session.release.columns.set_level("city", 1))
    idle(qtbot, room)
    assert trim(room).expected_rows is None
    assert room.outlook.stars.text() == "* (no value) in every row: city"
    foot = room.foot
    assert not foot.mend.isVisibleTo(room), "what is asked in sight comes before what helps"
    push(qtbot, room, room.outlook.public.no)
    assert foot.mend.isVisibleTo(room) and foot.mend.text() == "Leave city out" == room.next_hint()
    assert foot.run_button.text() == "Make the release anyway · ε 1, δ 1e-5", "what helps comes before what spends"
    assert not [one.text() for one in room.outlook.buttons if one.isVisibleTo(room)], "nothing is offered twice"
    assert room.outlook.more.isVisibleTo(room) and room.outlook.optional.isVisibleTo(room)
    room.document.run()
    idle(qtbot, room)
    release, bar = room.document.session.release, room.result.look
    assert not bar.other.isVisibleTo(room), "age would be no finer, so nothing is to be paid for that"
    assert bar.spare.isVisibleTo(room) and bar.spare.text() == "Leave city out · no ε, 1 sentence more"
    assert room.steps.heads["levels"].summary == "by hand · 2 columns, 1 not decided"
    assert bar.spare.toolTip().startswith("city: not in the file") and not bar.which.full_text, "it is named already"
    bar.which.set_names(("year of birth", "city", "trade"))
    narrow = bar.which.fontMetrics().horizontalAdvance("year of birth, 2 more") + 2
    shown = []
    for width in (400, narrow, 20):
        bar.which.resize(width, 16)
        shown.append(bar.which.text())
    assert shown == ["year of birth, city, trade", "year of birth, 2 more", "…"], "no name is cut"
    assert set(room.result.table.chips) == {"city"}
    before = room.result.claim.link.text()
    push(qtbot, room, bar.spare)
    assert room.steps.heads["levels"].summary == "by hand · 1 of 2 columns in the file"
    assert (before, room.result.claim.link.text()) == ("4 sentences", "5 sentences"), "what is left"
    assert room.result.claim.link.toolTip() == "6 sentences, 1 said", "as Release says"
    assert room.window().focusWidget() is room.foot.run_button, "and not what comes next, which is a look"
    result = release.current_result()
    assert release.after(result).left_out == ("city",) and not room.result.table.chips
    assert room.document.session.ledger.draws(result.fingerprint) == 1 and release.current_claim().epsilon == 1
    assert not bar.spare.isVisibleTo(room) and "city" not in room.result.notice.text()


def test_a_draw_without_what_says_nothing_is_made_in_one_press_and_claims_both(
    qtbot: QtBot, room: AnonymiseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    source(qtbot, room, LevelSource.HAND)
    room.document.apply("level", lambda session: session.release.columns.set_level("city", 1))
    monkeypatch.setattr(remedies, "_finer", lambda *_: True)
    room.document.run()
    idle(qtbot, room)
    release, other = room.document.session.release, room.result.look.other
    assert other.isVisibleTo(room) and other.text() == "Draw again without it · ε 1 more"
    assert other.accessibleName() == "Draw again without city · ε 1 more"
    assert "its claim is for both together" in other.toolTip()
    push(qtbot, room, other)
    assert set(release.current_result().starred) == {"age"} and release.columns.treatment("city") is Treatment.LEAVE_OUT
    assert room.document.session.ledger.draws(release.current_result().fingerprint) == 2
    assert release.current_claim().epsilon == 2 and release.chosen(release.current_result())
    assert not other.isVisibleTo(room), "nothing is * in most rows any more"
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert release.columns.treatment("city") is not Treatment.LEAVE_OUT


def test_a_finer_rule_is_taken_where_hierarchies_are_built(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    with qtbot.waitSignal(room.reach_requested) as asked:
        room.outlook.take(OutlookRemedy("Make age suit its range…", None, f"{RULE}age"))
    assert asked.args == ["hierarchies", "hierarchy:age"]


def test_what_would_help_is_one_click_away(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.STEPS)
    write(qtbot, room, room.plan.rows, "300")
    first = room.outlook.buttons[0]
    assert first.isVisibleTo(room) and first.text() == "In steps (recommended)"
    push(qtbot, room, first)
    assert trim(room).steps is StepsBy.BALANCED
    offers = [button.text() for button in room.outlook.buttons if button.isVisibleTo(room)]
    assert all(text.startswith(("Keep ", "Leave ")) for text in offers), offers
    assert room.outlook.rows is room.plan.rows and seen(room.outlook.rows, room), "on what the outlook depends"
    room.document.run()
    idle(qtbot, room)
    assert not room.outlook.words.isVisibleTo(room), "it was about what was to come"
    assert seen(room.outlook.rows, room) and "another draw, whose ε is added" in room.outlook.asked.toolTip()
    write(qtbot, room, room.plan.rows, "1000000")
    assert room.run_button.text() == "Make it again · ε 1, δ 1e-5 more", "and is no release of its own"


def test_what_is_offered_stays_while_it_is_held_down(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.STEPS)
    write(qtbot, room, room.plan.rows, "300")
    first, wanted = room.outlook.buttons[0], replace(trim(room), expected_rows=None)
    assert first.isVisibleTo(room) and first.text() == "In steps (recommended)"
    qtbot.mousePress(first, Qt.MouseButton.LeftButton)
    room.document.apply("Rows", lambda session: session.release.set_trimming(wanted))
    QCoreApplication.processEvents()
    assert first.isVisibleTo(room) and first.text() == "In steps (recommended)", "a press that another change came with"
    qtbot.mouseRelease(first, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert trim(room).steps is StepsBy.BALANCED and trim(room).expected_rows is None
    assert not first.isVisibleTo(room), "and then what was put off is shown"


def test_enter_does_not_take_what_came_to_the_place_of_an_offer_that_was_taken(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "4000")
    bar, first = room.outlook, room.outlook.buttons[0]
    assessed = replace(assess(room.document.session), remedies=(OutlookRemedy("Leave city out", lambda _: None),))
    bar.show_assessment(assessed, trims=True, settled=False)
    first.setFocus()
    assert room.window().focusWidget() is first
    bar.show_assessment(assessed, trims=True, settled=False)
    assert room.window().focusWidget() is first, "the same is offered still"
    other = replace(assessed, remedies=(OutlookRemedy("Keep only age", lambda _: None, is_choice=True),))
    bar.show_assessment(other, trims=True, settled=False)
    assert first.text() == "Keep only age" and room.window().focusWidget() is bar.rows.edit


def test_keeping_only_what_is_ticked_is_offered_below_the_draw_where_somebody_wanted_the_others_too(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    push(qtbot, room, room.outlook.public.no)
    write(qtbot, room, room.plan.rows, "90000")
    foot, taken = room.foot, []
    assert foot.helps is None and not foot.mend.isVisibleTo(room)
    found = assess(room.document.session)
    finer = OutlookRemedy(KEEP_ONLY, taken.append, is_choice=True, gain="age as it is, 90–97 %")
    foot.show_assessment(replace(found, remedies=(finer,)))
    assert not foot.mend.isVisibleTo(room) and foot.run_button.property("primary") == "true", "they said so"
    assert room.outlook.buttons[0].text() == f"{KEEP_ONLY}: age as it is, 90–97 %"
    room.outlook.buttons[0].click()
    assert taken
    idle(qtbot, room)
    more = OutlookRemedy(f"{KEEP_ONLY}: 90–97", taken.append, is_choice=True)
    foot.show_assessment(replace(found, remedies=(more,)))
    assert not foot.mend.isVisibleTo(room) and room.outlook.buttons[0].text() == more.words, "rows alone are optional"
