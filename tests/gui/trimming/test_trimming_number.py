"""Whether others know how many people there are: one answer, which every price follows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked, seen
from tests.gui.helpers import PATIENCE_MS, idle
from tests.gui.trimming.helpers import push, source, trim, write
from workbench.anonymise.terms import PEOPLE_KNOWN, PEOPLE_NOT_TOLD
from workbench.core.known_number import KnownNumber
from workbench.core.schema import PrivacyUnit
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.project.model import GuaranteeSettings
from workbench.session.release.steps import LevelSource


def test_whether_others_know_the_number_is_asked_before_the_draw_and_stops_nobody(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    foot, public = room.foot, room.outlook.public
    assert room.next_hint() == "Say whether others know the number"
    assert not foot.mend.isVisibleTo(room), "a question that stands on the page is not asked by a button beside it"
    assert foot.run_button.text() == "Make the release · ε 1, δ 1e-5" and foot.run_button.isEnabled()
    assert foot.run_button.property("primary") == "false", "who goes where it is blue has answered when it spends"
    room.reach(room.next_field())
    assert QApplication.focusWidget() is public.no and not public.no.isChecked(), "nobody has answered for them"
    write(qtbot, room, room.plan.rows, "20000")
    assert foot.ready.text() == "First say whether others know."
    push(qtbot, room, public.no)
    assert not foot.mend.isVisibleTo(room) and room.next_hint() == "Press “Make the release”"


def test_where_levels_follow_from_what_is_said_the_button_says_what_a_draw_would_rest_on(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """Nobody is stopped, and nobody spends by a button that looks as if all were said."""
    source(qtbot, room, LevelSource.BALANCED)
    button, public = room.run_button, room.outlook.public
    assert button.text() == "Make the release anyway · ε 1, δ 1e-5"
    assert room.outlook.words.text() == "" and not room.outlook.more.isVisibleTo(room), "one step at a time"
    assert button.isEnabled() and button.property("primary") == "false"
    assert button.property("quiet") == "true", "possible at any time, and no louder than a link before it is ready"
    write(qtbot, room, room.plan.rows, "20000")
    assert button.text().startswith("Make the release anyway · ") and button.property("primary") == "false"
    assert room.foot.first_control is public.no
    push(qtbot, room, public.no)
    assert "unanswered" not in button.text() and room.outlook.words.text()


def test_that_the_number_is_public_is_said_before_the_draw_and_every_price_follows(
    qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
) -> None:
    tick, release = room.outlook.public.yes, room.document.session.release
    assert seen(tick, room) and not tick.isChecked() and tick.isEnabled()
    assert not room.outlook.public.no.isChecked(), "nothing is answered in anybody's name"
    assert tick.text() == "Yes, or unsure: costs accuracy", "what it costs is read before the press"
    assert room.plan.rows.edit.placeholderText() == "roughly"
    said = room.outlook.never.full_text
    assert said == "Not from this file"
    tip = room.run_button.toolTip()
    assert " ".join(tip.split()).endswith("1e-5 up to 1,000 or unsaid, 1e-6 up to 10,000, and so on"), "the rule"
    assert "never" in room.outlook.asked.toolTip()
    assert room.run_button.text() == "Make the release · ε 1, δ 1e-5"
    who, which, without = room.promise.sentence.text().splitlines()
    assert who == "Is somebody in the table? Guessed right at most 74 %."
    assert which == "If so, which of two values is theirs? At most 89 %."
    assert without == "Without the file: 50 %. Usual with one: 53 to 96 %.", "whether 74 % are many is seen"
    assert "knows everyone else" in room.promise.sentence.toolTip(), "which is supposed"
    assert room.promise.sentence.toolTip().split(". ")[0] in room.promise.facts.text(), "and stands in Details"
    push(qtbot, room, tick)
    assert trim(room).number_known and room.document.project.anonymise.guarantee.epsilon == 0.5, "half is drawn with"
    assert room.run_button.text() == "Make the release · ε 1, δ 1e-5"
    hidden, which, without = room.promise.sentence.text().splitlines()
    assert hidden == "Is somebody in the table? Not hidden: the number may be known."
    assert without == "Without the file: 50 %. Usual with one: 53 to 96 %."
    assert which == "Which of two values is theirs? Guessed right at most 74 %."
    assert room.promise.fields["epsilon"].value == 1 and room.promise.twice.isHidden(), "the field has what it comes to"
    assert "0.5 counts twice, as the number is known: ε 1 in all." in room.promise.facts.text()
    assert "plus almost 2δ = " in room.promise.facts.text(), "as Release and the statement have it"
    room.document.run()
    idle(qtbot, room)
    assert release.result is not None and release.said(release.result.draw) == {PEOPLE_KNOWN}
    assert room.result.look.draw.text() == "New draw · ε 1 more"
    room.document.export(tmp_path / "r.csv", None)
    idle(qtbot, room)
    wanted = replace(trim(room), number_known=False)
    room.document.apply("Not public", lambda session: session.release.set_trimming(wanted))
    idle(qtbot, room)
    assert not trim(room).number_known and room.result.look.draw.text() == "New draw · ε 1 more", "the ledger knows"
    room.document.apply("ε", lambda session: session.release.set_guarantee(GuaranteeSettings(epsilon=0.25)))
    idle(qtbot, room)
    assert tick.isChecked() and not tick.isEnabled() and "cannot be unsaid" in tick.toolTip()
    told = [one.text() for one in room.outlook.public.findChildren(QLabel)]
    assert "an exported file says yes" in told and "hides who is in the table" not in told, (
        "why No is greyed stands beside it"
    )


def test_a_table_of_which_something_left_that_says_so_begins_with_the_same_promise(
    qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
) -> None:
    document, asked = room.document, room.document.session.data.reading.path
    push(qtbot, room, room.outlook.public.yes)
    document.run()
    idle(qtbot, room)
    document.export(tmp_path / "r.csv", None)
    idle(qtbot, room)
    document.new()
    document.open_data(asked)
    qtbot.waitUntil(lambda: document.has_data, timeout=PATIENCE_MS)
    settings = document.project.anonymise
    assert settings.trim.number_known and (settings.guarantee.epsilon, settings.guarantee.delta) == (0.5, 5e-6)
    assert not document.modified, "opening a file is no work to lose"


def test_each_answer_says_what_it_hides_where_it_has_a_line_of_its_own(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    public = room.outlook.public

    def said() -> list[str]:
        found = [one for one in public.findChildren(QLabel) if one is not public.question and one.isVisible()]
        return [one.text() for one in found if all(one.width() >= one.sizeHint().width() for one in found)]

    less, rows = "hides who is in the table", "hides what their rows say"
    for width, hides in ((1080, [less, rows]), (824, [])):
        room.resize(width, 640)
        room.show()
        room.parts.show_part(0)
        idle(qtbot, room)
        qtbot.waitUntil(partial(lambda wanted: said() == wanted, hides), timeout=PATIENCE_MS)
        assert public.no.toolTip().startswith("Hides who is in the table. ") and public.yes.accessibleDescription()
    room.document.apply("Rows", lambda session: session.data.set_unit(PrivacyUnit(3, person_column="person")))
    room.resize(1080, 640)
    qtbot.waitUntil(lambda: said() == [less, rows])
    push(qtbot, room, public.yes)
    assert public.no.accessibleDescription() == less, "of either answer, whichever is given"
    assert public.yes.accessibleDescription() == rows


def test_it_is_one_answer_wherever_it_is_given_and_undo_takes_it_back(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    bar, release, document = room.outlook.public, room.document.session.release, room.document

    def given() -> tuple[bool, bool]:
        return bar.no.isChecked(), bar.yes.isChecked()

    push(qtbot, room, bar.no)
    assert given() == (True, False) and release.beforehand == {PEOPLE_NOT_TOLD}
    room.outlook.more.click()
    dialog = knowledge_asked(room)
    assert dialog.no.isChecked() and dialog.no.isEnabled()
    dialog.reject()
    document.undo_stack.undo()
    idle(qtbot, room)
    assert given() == (False, False) and not release.beforehand
    document.undo_stack.redo()
    idle(qtbot, room)
    assert given() == (True, False) and release.beforehand == {PEOPLE_NOT_TOLD}
    document.run()
    idle(qtbot, room)
    assert release.result is not None and release.said(release.result.draw) == {PEOPLE_NOT_TOLD}
    push(qtbot, room, bar.yes)
    assert release.said(release.result.draw) == {PEOPLE_KNOWN}, "of the draw that is there too"
    assert not release.beforehand and room.result.look.draw.text() == "New draw · ε 2 more"
    assert given() == (False, True) and not bar.no.isEnabled() and "in Release" in bar.no.toolTip()
    document.undo_stack.undo()
    idle(qtbot, room)
    assert given() == (True, False) and release.said(release.result.draw) == {PEOPLE_NOT_TOLD}
    document.undo_stack.undo()
    idle(qtbot, room)
    assert given() == (False, False) and not release.said(release.result.draw), "Release asks for it again"
    release.say(release.result.draw, {PEOPLE_NOT_TOLD})
    document.changed.emit("result")
    idle(qtbot, room)
    assert given() == (True, False), "what is answered in Release is shown here"


def test_what_left_stays_as_it_was_said_of_it(qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path) -> None:
    bar, release = room.outlook.public, room.document.session.release
    push(qtbot, room, bar.no)
    room.document.run()
    idle(qtbot, room)
    assert release.result is not None
    draw = release.result.draw
    release.say(draw, release.current_claim().asserted)
    room.document.export(tmp_path / "r.csv", None)
    idle(qtbot, room)
    assert draw in release.exported
    room.document.undo_stack.undo()
    assert PEOPLE_NOT_TOLD in release.said(draw) and not release.beforehand


def test_what_is_answered_after_the_draw_is_in_its_header_and_the_next_price(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    room.document.run()
    idle(qtbot, room)
    release = room.document.session.release
    assert release.result is not None and room.result.look.draw.text() == "New draw · ε 1 more"
    release.say_number_known(release.result.draw, KnownNumber.PEOPLE)
    room.document.changed.emit("result")
    idle(qtbot, room)
    assert room.result.look.draw.text() == "New draw · ε 2 more" and "ε 2, δ 2e-5" in room.result.claim.text
    assert "Which of two values" in room.promise.sentence.text()
