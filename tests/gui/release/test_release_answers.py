"""What a claim rests on is said in the Release workspace, answer by answer."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from tests.gui.release.helpers import SAY_NOT_SO, questions, run, say, words, words_of
from workbench.anonymise.terms import BY_DATA, PEOPLE_KNOWN, PEOPLE_NOT_TOLD
from workbench.cli.main import main
from workbench.core.rationals import rational
from workbench.gui.verify_findings import FindingsView
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.gui.workspaces.release.other_fold import OtherFold
from workbench.gui.workspaces.release.said_before import SaidBefore
from workbench.io.opening import file_fingerprint
from workbench.session.release.draw_choice import PARTLY_FOLLOWS
from workbench.session.release.knowledge import answer_number
from workbench.session.verifying.beside import received_files, verify_received

pytestmark = pytest.mark.usefixtures("sampling")
_SETTLED = "The file has left with this answer, so it stays."


def test_once_it_left_no_answer_about_the_number_is_live(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    question = room.assertions.questions[PEOPLE_NOT_TOLD]
    assert question.more.isEnabled()
    room.export.file.setText(str(tmp_path / "out.csv"))
    room.export.write()
    idle(qtbot, room)
    question = room.assertions.questions[PEOPLE_NOT_TOLD]
    assert not any(one.isEnabled() for one in (question.no, question.yes, question.more))
    assert _SETTLED not in words(room), "what was said is folded once the file has left"
    room.page.said.set_open(True)
    assert _SETTLED in words(room), "and why"


def test_an_answer_of_anonymise_says_why_it_cannot_be_changed_once_the_file_left(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    answer_number(room.document.session, known=False)
    run(room)
    question = room.assertions.questions[PEOPLE_NOT_TOLD]
    assert question.change.isEnabled() and not question.change.isHidden() and _SETTLED not in words(room)
    room.export.file.setText(str(tmp_path / "out.csv"))
    room.export.write()
    idle(qtbot, room)
    question = room.assertions.questions[PEOPLE_NOT_TOLD]
    room.page.said.set_open(True)
    assert _SETTLED in words(room) and question.change.isHidden(), "nothing is offered that does nothing"


def test_who_says_yes_after_a_file_left_with_no_is_told_what_that_makes_of_it(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    """Its statement asserts that nobody is told the number, which nobody can take back from whoever has it."""
    run(room)
    room.export.file.setText(str(tmp_path / "first.csv"))
    room.export.write()
    idle(qtbot, room)
    ledger, sha256 = room.document.session.ledger, file_fingerprint(tmp_path / "first.csv")
    assert not ledger.is_contradicted(sha256)
    room.document.session.release.draw_again()
    run(room)
    question = room.assertions.questions[PEOPLE_NOT_TOLD]
    assert question.doubt.isHidden(), "of a no there is nothing to say"
    question.yes.click()
    told = "“first.csv” left with a promise that does not hold if others know the number: tell whoever has it."
    assert question.doubt.text() == told and not question.doubt.isHidden()
    question.no.click()
    assert question.doubt.isHidden()
    question.yes.click()
    room.export.file.setText(str(tmp_path / "second.csv"))
    room.export.write()
    idle(qtbot, room)
    assert ledger.is_contradicted(sha256) and not ledger.is_contradicted(file_fingerprint(tmp_path / "second.csv"))
    view = FindingsView()
    verified = verify_received(received_files(tmp_path / "first.csv"))
    view.show_verified(verified, contradicted=True)
    assert "does not hold as stated: tell whoever has it." in view.text
    view.show_verified(verified)
    assert "as stated" not in view.text


@pytest.mark.parametrize("known", [False, True])
def test_as_many_sentences_are_left_as_there_are_to_tick_whatever_others_know(
    room: ReleaseWorkspace, known: bool
) -> None:
    answer_number(room.document.session, known=known)
    run(room, said=False)
    waiting = [tick for tick in room.assertions.ticks if not tick.isChecked() and tick.isVisibleTo(room)]
    while waiting:
        found = re.search(r"can say (\d+) (more )?sentences?:", room.verdict.text)
        assert found is not None
        assert int(found[1]) == room.assertions.open <= len(waiting), "as many as the button and Next say"
        said = room.document.session.release.said(room.document.session.release.current_result().draw)
        of = set(room.document.session.release.current_result().claim.asserted)
        assert int(found[1]) <= len(of - said) and bool(found[2]) is (int(found[1]) < len(of))
        waiting.pop(0).click()
    assert room.verdict.text.endswith("the claim holds if what you said is true")


def test_an_export_with_a_claim_waits_until_everything_is_said(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room, said=False)
    ticks = room.assertions.ticks
    assert len(ticks) > 1 and not any(tick.isChecked() for tick in ticks)
    assert not room.assertions.declared and room.verdict.text.endswith(f"e-5 if you can say {len(ticks)} sentences:")
    room.export.write()
    idle(qtbot, room)
    assert not list(tmp_path.glob("**/people_release*"))
    for tick in ticks[:-1]:
        qtbot.mouseClick(tick, Qt.MouseButton.LeftButton)
        assert not room.export.export.isEnabled()
    assert room.verdict.text.endswith("if you can say 1 more sentence:")
    room.focus_first()
    assert ticks[-1].hasFocus()
    qtbot.keyClick(ticks[-1], Qt.Key.Key_Space)
    assert room.export.export.isEnabled() and room.verdict.text.endswith("the claim holds if what you said is true")
    assert not room.assertions.open and room.export.unclaimed.isHidden()
    claim = room.document.session.release.current_claim()
    said_before = room.assertions.declared
    assert set(said_before) == {"No person has more than one row in the table."} & set(said_before)
    asked = {tick.accessibleName().removeprefix("No, nobody is told. ") for tick in ticks}
    assert asked == {one for one in claim.asserted if one not in said_before}


def test_another_draw_has_to_be_spoken_of_anew(room: ReleaseWorkspace) -> None:
    run(room)
    first = room.document.session.release.result
    run(room, said=False)
    assert not room.assertions.ticked and room.assertions.open
    room.document.session.release.result = first
    room.document.changed.emit("result")
    assert room.assertions.ticked, "what was said of the first draw stays said of it"
    room.page.choice.alone.click()
    assert room.assertions.open == 1, "that it was not picked is a question where there are two draws"


def test_a_draw_among_several_is_spoken_of_by_itself(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room, said=False)
    assert not any("picked" in tick.accessibleName() for tick in room.assertions.ticks)
    assert room.page.choice.isHidden()
    run(room, said=False)
    assert room.page.choice.together.isChecked()
    qtbot.mouseClick(room.page.choice.alone, Qt.MouseButton.LeftButton)
    last = next(tick for tick in room.assertions.ticks if "picked" in tick.accessibleName())
    for tick in room.assertions.ticks:
        if tick is not last:
            tick.click()
    assert room.assertions.open == 1 and not room.export.export.isEnabled()
    assert "picked from several" in last.accessibleName() and "2 draws were made" in last.accessibleDescription()
    qtbot.waitUntil(last.isVisible)
    qtbot.mouseClick(last, Qt.MouseButton.LeftButton)
    assert room.export.export.isEnabled()


def test_who_chose_among_draws_claims_their_sum(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    for _ in range(3):
        run(room, said=False)
    promised = room.document.session.release.current_claim().guarantee
    say(room)
    assert not room.assertions.open and not any("not picked" in one.accessibleName() for one in room.assertions.ticks)
    room.export.write()
    idle(qtbot, room)
    note = json.loads((tmp_path / "released" / "people_release_metadata.json").read_text("utf-8"))
    assert note["release"]["promised"]["epsilon"] == 3 * promised.epsilon
    assert rational(note["release"]["promised"]["delta"]) == 3 * rational(promised.delta)
    assert note["release"]["terms"]["counted"] == 3
    file, said = tmp_path / "released" / "people_release.csv", tmp_path / "released" / "people_release_metadata.json"
    assert main(["verify", str(file), "--statement", str(said)]) == 0
    (left,) = (one for one in room.document.session.ledger.current.entries if one.files)
    assert left.together is not None and left.together.releases == 3 and "claimed with all 3" in left.what
    assert room.page.choice.isHidden() and room.document.session.release.exported_with_claim


def test_who_said_not_so_of_one_of_several_draws_can_take_it_back(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    for _ in range(2):
        run(room, said=False)
    release, choice = room.document.session.release, room.page.choice
    assert choice.together.isEnabled() and "claim (2, 2e-5)" in choice.together.text()
    (other,) = (one for one in room.assertions.others.values() if one.text() == SAY_NOT_SO)
    unsure = other.parentWidget()
    assert isinstance(unsure, OtherFold) and unsure.button.text() == "Not so, or unsure?"
    assert not other.isVisibleTo(room)
    unsure.button.click()
    assert other.isVisibleTo(room) and BY_DATA not in release.said(release.current_result().draw), (
        "to open says nothing"
    )
    assert room.verdict.text != "No (ε, δ) claim"
    other.click()
    assert BY_DATA in release.said(release.current_result().draw)
    assert room.verdict.text == "No (ε, δ) claim"
    assert not choice.together.isEnabled() and "claim" not in choice.together.text(), "no sum holds then"
    assert choice.alone.text().endswith("for its choices as they are")
    (back,) = (one for one in room.assertions.others.values() if one.text() == "Not so, you said. Take it back")
    back.click()
    assert BY_DATA not in release.said(release.current_result().draw)
    assert room.assertions.open and choice.together.isEnabled()


def test_a_draw_that_did_not_leave_claims_nothing_while_the_settings_are_others(room: ReleaseWorkspace) -> None:
    run(room, said=False)
    assert not room.page.copy.isEnabled()
    room.document.apply("level", lambda s: s.release.columns.set_level("age", 2))
    assert room.verdict.text.startswith("Out of date") and not room.page.copy.isEnabled(), (
        "nobody said what it rests on"
    )
    room.document.undo_stack.undo()
    say(room)
    assert room.page.copy.isEnabled() and "the claim holds" in room.verdict.text


def test_export_while_it_waits_goes_to_what_it_waits_for(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room, said=False)
    assert not room.export.export.isEnabled()
    middle = room.export.export.mapTo(room.export, room.export.export.rect().center())
    qtbot.mouseClick(room.export, Qt.MouseButton.LeftButton, pos=middle)
    assert room.assertions.ticks[0].hasFocus()
    room.assertions.ticks[0].click()
    qtbot.mouseClick(room.export.missing, Qt.MouseButton.LeftButton)
    assert room.assertions.ticks[1].hasFocus()


def test_what_was_said_has_another_sign_than_what_was_checked(room: ReleaseWorkspace) -> None:
    run(room)
    room.checks.more.set_open(True)
    names = [line.accessibleName() for line in room.checks.findChildren(QWidget) if ": " in line.accessibleName()]
    assert {"Hierarchies: you say so", "Levels and parameters: you say so", "Randomness: in order"} <= set(names)
    checked = [name for name in names if not name.endswith("you say so")]
    assert names[: len(checked)] == checked and len(checked) < len(names), "two groups"
    texts = [one.text() for one in room.checks.findChildren(QLabel)]
    assert texts.index("Checked") < texts.index("Randomness") < texts.index("On the publisher’s word")
    assert texts.index("On the publisher’s word") < texts.index("Hierarchies")
    assert room.checks.more.button.text() == f"Checklist ({len(checked)} passed)", "a word is no check"


def test_that_the_number_of_people_is_known_is_said_in_its_own_place(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    run(room, said=False)
    text = "Nobody is told how many people there are in the table."
    other, question = room.assertions.others[text], room.assertions.questions[text]
    assert other.accessibleName() == "Yes, or unsure"
    assert "ε = 1:" in question.no.accessibleDescription() and "ε = 2:" in other.accessibleDescription()
    assert "could be another. ε and δ count twice." in other.toolTip(), "as in Anonymise"
    assert not question.no.isChecked() and not other.isChecked(), "nothing is said in anybody's name"
    say(room)
    assert "ε = 1," in room.verdict.text and room.export.export.isEnabled()
    assert "weaker" not in words(room) and "counts twice" not in words_of(room.released)
    other.click()
    assert "guesses what is true of somebody right at most 89 % of the time." in words(room), "what it comes to"
    assert "That is weaker than ε = 1, where it would be 74 %." in words(room)
    assert "all of it counts twice, together ε 2" in words_of(room.released), "the strip has no other sum"
    # Another claim holds then, which says what it is for; nothing else has to be said again.
    assert "for replacing a person: the claim holds" in room.verdict.text and "ε = 2," in room.verdict.text
    assert "for replacing one person by another" in room.statement.toPlainText()
    assert not room.assertions.open and room.export.export.isEnabled()
    tick = room.assertions.questions[text].no
    assert tick in room.assertions.ticks and not tick.isChecked() and room.assertions.others[text].isChecked()
    tick.click()
    assert "ε = 1," in room.verdict.text and not room.assertions.others[text].isChecked()
    room.assertions.others[text].click()
    room.assertions.others[text].click()
    assert room.assertions.others[text].isChecked() and not room.assertions.open, "an answer is only changed"
    room.export.write()
    idle(qtbot, room)
    left = room.assertions.questions[text]
    assert left.yes.isChecked() and not left.no.isChecked(), "what was answered stays in its place"
    assert not left.yes.isEnabled() and not left.no.isEnabled(), "and is not answered otherwise"
    run(room, said=False)
    assert not any(text in one.accessibleName() for one in room.assertions.ticks), "what has left cannot be unsaid"


def test_what_the_budget_has_no_room_for_is_said_before_export_and_taken_back_only_when_asked(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.document.session.ledger.current.set_budget(Fraction(1), Fraction(2, 10**5))
    run(room)
    other = room.assertions.others["Nobody is told how many people there are in the table."]
    other.click()
    assert room.verdict.text == "The budget has no room for it" and not room.export.export.isEnabled()
    assert "No room in the budget" in room.export.state.full_text
    QCoreApplication.processEvents()
    assert "counts twice" in words(room) and "It can leave without a claim." in words(room)
    asked: list[str] = []

    def refuse(*told: object) -> QMessageBox.StandardButton:
        asked.append(str(told[2]))
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "question", refuse)
    tick = room.assertions.questions["Nobody is told how many people there are in the table."].no
    tick.click()
    assert len(asked) == 1 and "Take that back only if it was a mistake" in asked[0]
    assert "or that you do not know whether they do" in asked.pop(), "as whoever was not sure answered too"
    assert other.isChecked() and not tick.isChecked() and not room.export.export.isEnabled()
    # Without a claim it can leave, as is said.
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    assert room.export.unclaimed.isEnabled() and not room.export.unclaimed.isHidden()
    room.export.unclaimed.click()
    idle(qtbot, room)
    assert (tmp_path / "released" / "people_release.csv").exists()
    assert "No (ε, δ) claim" in room.verdict.text and "without" in room.document.session.ledger.current.entries[-1].what


def test_what_was_answered_before_the_draw_is_shown_answered_and_can_be_changed(room: ReleaseWorkspace) -> None:
    room.document.session.release.say_beforehand({PEOPLE_NOT_TOLD})
    run(room, said=False)
    listed = room.assertions
    question = listed.questions[PEOPLE_NOT_TOLD]
    assert question.no.isChecked() and not question.yes.isChecked() and listed.ticked == {PEOPLE_NOT_TOLD}
    # Nobody was asked of parts with it, so all of that is one sentence to be ticked.
    assert not question.more.isVisibleTo(room) and "Either way" not in words_of(question)
    assert "No other draw or release of this data exists" in words_of(listed) and listed.missing == (
        0,
        len(listed.ticks) - 1,
    )
    assert not room.export.export.isEnabled() and room.export.missing.accessibleDescription().startswith("0 answers")
    say(room)
    assert room.export.export.isEnabled() and listed.open == 0
    question.yes.click()
    QCoreApplication.processEvents()
    assert "for replacing a person" in room.verdict.text
    release = room.document.session.release
    assert release.said(release.current_result().draw) >= {PEOPLE_KNOWN}
    assert not release.beforehand, "who says otherwise has not said it of the next draw"


def test_what_was_answered_in_anonymise_is_told_in_a_line_and_not_asked_again(room: ReleaseWorkspace) -> None:
    """Nobody was asked of parts with it: what is asserted of these has a tick of its own, whichever the answer was."""
    release = room.document.session.release
    asks = "Do others know exactly how many people there are?"
    for known, answer in ((False, PEOPLE_NOT_TOLD), (True, f"{asks} “Yes, or unsure”. ε = ")):
        answer_number(room.document.session, known=known)
        run(room, said=False)
        question = room.assertions.questions[PEOPLE_NOT_TOLD]
        fold = room.assertions.before
        if not fold.is_open:
            fold.button.click()  # else it has room
        QCoreApplication.processEvents()
        top = min(one.mapTo(room, QPoint()).y() for one in room.assertions.ticks if one.isVisibleTo(room))
        assert top < question.answer.mapTo(room, QPoint()).y(), "what is to be said is read first"
        assert question.answer.text().startswith(answer) and question.answer.text() in words(room)
        assert question.answer.toolTip().startswith(f"Answered in Anonymise. {asks} “")
        assert not question.no.isVisibleTo(room) and not question.yes.isVisibleTo(room)
        assert not question.more.isVisibleTo(room)
        assert "No other draw or release of this data exists" in words(room) and room.assertions.missing[0] == 0
        whole = next(text for text in release.current_claim().asserted if text.startswith("No other draw"))
        assert whole not in release.said(release.current_result().draw)
        asserted = len(release.current_claim().asserted)
        before = room.assertions.findChildren(SaidBefore)
        among = [tick for tick in room.assertions.ticks if tick.isVisibleTo(room)]
        assert len(among) + len(before) + (not known) == asserted, "as many lines as sentences are told"
        number = len(before) + (not known)
        told = [f"{number} signed"] * (number > 0) + ["1 answer"] * known
        assert fold.button.text() == f"Said before: {', '.join(told)}", "no answer is a sentence"
        left = room.assertions.open
        assert f"can say {left} {'more ' * (left < asserted)}sentences" in room.verdict.text
        assert "these sentences" not in words(room), "an answer is none, and has another sign"
        assert all(question.mapTo(room, QPoint()).y() > one.mapTo(room, QPoint()).y() for one in (*among, *before))
        question.change.click()
        assert question.no.isVisibleTo(room) and question.yes.isChecked() is known, "it can be answered otherwise"


def test_what_was_half_said_is_not_said_whole_by_an_answer_in_anonymise(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    """Numbers of parts were asked about with the question that is gone then, so nobody has said anything of these."""
    run(room, said=False)
    release = room.document.session.release
    whole = next(text for text in release.current_claim().asserted if text.startswith("No other draw"))

    def tick() -> QAbstractButton:
        listed = room.assertions
        return next(one for one in listed.ticks if one.accessibleName().startswith("No other draw"))

    tick().click()
    assert tick().isChecked() and whole not in release.said(release.current_result().draw), "half of it is open"
    room.document.apply("answer", lambda session: answer_number(session, known=False))
    room.document.changed.emit("result")
    idle(qtbot, room)
    assert not room.assertions.questions[PEOPLE_NOT_TOLD].change.isHidden(), "it was answered before"
    assert not tick().isChecked() and room.assertions.open and not room.page.copy.isEnabled()
    for one in room.assertions.ticks:
        if one is not tick() and not one.isChecked():
            one.click()
    assert whole not in release.said(release.current_result().draw)
    tick().click()
    assert whole in release.said(release.current_result().draw) and room.assertions.open == 0


def test_who_told_numbers_of_parts_and_answers_in_anonymise_reads_that_answer(
    qtbot: QtBot, room: ReleaseWorkspace
) -> None:
    run(room, said=False)
    room.assertions.questions[PEOPLE_NOT_TOLD].more.click()
    room.document.apply("answer", lambda session: answer_number(session, known=False))
    room.document.changed.emit("result")
    idle(qtbot, room)
    question = room.assertions.questions[PEOPLE_NOT_TOLD]
    assert question.no.isChecked() and question.answer.text() == PEOPLE_NOT_TOLD
    assert "“No, nobody is told”. ε = " in question.answer.toolTip()
    assert PEOPLE_NOT_TOLD in room.assertions.ticked


def test_numbers_of_parts_are_asked_with_the_number_of_all_and_have_an_answer_of_their_own(
    qtbot: QtBot, room: ReleaseWorkspace
) -> None:
    run(room, said=False)
    shown, session = room.assertions, room.document.session
    (question,) = shown.questions.values()
    whole = next(text for text in session.release.current_claim().asserted if text.startswith("No other draw"))
    parts = whole.partition("Nobody is told")[2].partition(".")[0]
    beside = [one.text() for one in question.findChildren(QLabel) if parts in one.text()]
    assert len(beside) == 1 and "Either way:" in words_of(question), "beside the other number, once"
    tick = next(one for one in shown.ticks if one.accessibleName() == whole)
    beside = [one.text() for one in tick.parentWidget().findChildren(QLabel) if one.isVisibleTo(shown)]
    assert not any(parts in text for text in beside) and whole in tick.toolTip(), "one promise a tick"

    def said() -> frozenset[str]:
        return session.release.said(session.release.current_result().draw)

    tick.click()
    assert tick.isChecked() and whole not in said(), "half of it is not said yet"
    question.more.click()
    assert said() == frozenset() and "Query" in question.means.text() and question.means.isVisibleTo(room)
    assert shown.missing[0] == 1 and not room.export.export.isEnabled(), "it is no answer that a claim rests on"
    question.no.click()
    assert whole in said() and not question.means.isVisibleTo(room)
    question.more.click()
    assert whole not in said() and PEOPLE_NOT_TOLD not in said() and not question.no.isChecked()
    question.yes.click()
    idle(qtbot, room)
    assert {whole, PEOPLE_KNOWN} <= said() and tick.isChecked()
    run(room, said=False)
    assert not any(
        one.isChecked() for one in (*shown.ticks, *(q.more for q in shown.questions.values())) if one.isVisible()
    )


def test_who_said_yes_and_tells_numbers_of_parts_keeps_what_was_paid_for(
    qtbot: QtBot, room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More is told than "Yes" says, so nothing becomes smaller; only "No" would, which is asked about."""
    run(room, said=False)
    asked = questions(monkeypatch, QMessageBox.StandardButton.No)
    (question,), session = room.assertions.questions.values(), room.document.session

    def said() -> frozenset[str]:
        return session.release.said(session.release.current_result().draw)

    question.yes.click()
    idle(qtbot, room)
    paid = room.document.session.release.current_claim().epsilon
    question.more.click()
    idle(qtbot, room)
    assert said() == {PEOPLE_KNOWN} and not asked and question.more.isChecked() and not question.yes.isChecked()
    assert room.document.session.release.current_claim().epsilon == paid and not room.export.export.isEnabled()
    question.no.click()
    idle(qtbot, room)
    assert len(asked) == 1 and said() == {PEOPLE_KNOWN} and question.more.isChecked(), "back to what was said, no less"
    question.yes.click()
    idle(qtbot, room)
    assert said() == {PEOPLE_KNOWN} and question.yes.isChecked() and len(asked) == 1
    questions(monkeypatch, QMessageBox.StandardButton.Yes)
    question.more.click()
    question.no.click()
    idle(qtbot, room)
    assert PEOPLE_KNOWN not in said() and question.no.isChecked()


def test_what_was_said_in_two_rooms_has_a_way_to_each(qtbot: QtBot) -> None:
    """Who declared a file said how it was made; what can occur was said in another room."""

    class Asked(QObject):
        go_to = Signal(str)

    asked, gone = Asked(), list[str]()
    asked.go_to.connect(gone.append)
    line = SaidBefore(
        "Said to occur in “plz”: “4”. Its hierarchy was made without this data.", PARTLY_FOLLOWS, asked.go_to
    )
    qtbot.addWidget(line)
    ways = line.findChildren(QAbstractButton)
    for way in ways:
        way.click()
    assert gone == ["hierarchies", "anonymise"]
    assert [way.text() for way in ways] == ["Said in Hierarchies", "Said in Anonymise"]
    assert len({way.accessibleName() for way in ways}) == 2
