"""Questions in the Release workspace are seen whole, keep their place, and no press meant elsewhere answers them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDialog, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, data_is_there
from tests.gui.release.helpers import SAY_NOT_SO, click, run, tens
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import (
    BY_DATA,
    PEOPLE_NOT_TOLD,
    Terms,
    choices_in_short,
    choices_line,
    nothing_else_in_short,
)
from workbench.core.hierarchy import Provenance
from workbench.core.known_number import KnownNumber
from workbench.core.schema import PrivacyUnit
from workbench.gui.widgets import boxes
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.gui.workspaces.release.assertion_list import AssertionList
from workbench.gui.workspaces.release.other_fold import OtherFold
from workbench.gui.workspaces.release.sentence import SentenceLabel
from workbench.session.release.knowledge import answer_number
from workbench.session.release.other_answers import OtherAnswer, ways_out

pytestmark = pytest.mark.usefixtures("sampling")


def test_under_the_mouse_nothing_moves_when_a_sentence_is_ticked(qtbot: QtBot, on_screen: OnScreen) -> None:
    """Only what is asked next comes into sight if it is not; the whole of it once the mouse is elsewhere."""
    shown = AssertionList()
    sentences, parts = ["first", "long", "last"], {"long": ("All of it:", "one " * 30, "two " * 30)}

    def follow(said: Collection[str] = ()) -> None:
        shown.show_sentences(sentences, said, short=parts, chosen={"long": ("what was chosen",)})

    follow()
    shown.said.connect(follow)
    area = on_screen(boxes.scrolled(shown), 400)
    area.setFixedHeight(135)
    for _ in range(3):
        QCoreApplication.processEvents()
    bar, (first, long, last) = area.verticalScrollBar(), shown.ticks
    words = next(one for one in shown.findChildren(QLabel) if one.buddy() is first)
    for press in (qtbot.mouseClick, qtbot.mousePress, qtbot.mouseClick):
        press(words if press == qtbot.mousePress else first, Qt.MouseButton.LeftButton)
        for _ in range(3):
            QCoreApplication.processEvents()
        assert bar.value() == 0, "what is asked next is in sight"
    assert first.isChecked()
    qtbot.mouseClick(long, Qt.MouseButton.LeftButton)
    for _ in range(3):
        QCoreApplication.processEvents()
    assert last.visibleRegion().contains(last.rect().center()), "nobody need look for what is asked next"
    assert long.visibleRegion().contains(long.rect().center()), "nor for what was pressed"
    QCoreApplication.sendEvent(shown, QEvent(QEvent.Type.Leave))
    QCoreApplication.processEvents()
    line = last.parentWidget()
    assert line.mapTo(area, QPoint(0, line.height())).y() <= area.viewport().height() and bar.value() > 0
    bar.setValue(0)
    QCoreApplication.sendEvent(shown, QEvent(QEvent.Type.Leave))
    assert bar.value() == 0, "whoever scrolled since is led nowhere"


def test_once_all_is_said_and_seen_and_behind_a_question_everything_keeps_its_place(
    qtbot: QtBot, on_screen: OnScreen
) -> None:
    """Who goes on to Export, or is asked something there, finds what they signed where it was."""
    shown = AssertionList()
    sentences, parts = ["first", "last"], {"last": ("All of it:", "one " * 30)}

    def follow(said: Collection[str] = ()) -> None:
        shown.show_sentences(sentences, said, short=parts, ways_out={"last": ways_out(parts=True)})

    follow()
    shown.said.connect(follow)
    area = on_screen(boxes.scrolled(shown), 400)
    area.setFixedHeight(135)
    shown.ways_out[0].button.click()
    for _ in range(3):
        QCoreApplication.processEvents()
    bar, (first, last) = area.verticalScrollBar(), shown.ticks
    question = QDialog(area)
    question.setModal(True)
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    QCoreApplication.processEvents()
    question.open()
    before = bar.value()
    QCoreApplication.sendEvent(shown, QEvent(QEvent.Type.Leave))
    assert bar.value() == before and shown.open == 1
    question.close()
    qtbot.mouseClick(last, Qt.MouseButton.LeftButton)
    QCoreApplication.processEvents()
    bar.setValue(10)
    QCoreApplication.sendEvent(shown, QEvent(QEvent.Type.Leave))
    assert bar.value() == 10 and not shown.open, "all the words of it were seen"
    follow(["first"])
    QCoreApplication.processEvents()
    bar.setValue(0)
    area.setFixedHeight(60)
    qtbot.mouseClick(last, Qt.MouseButton.LeftButton)
    QCoreApplication.processEvents()
    bar.setValue(0)
    QCoreApplication.sendEvent(shown, QEvent(QEvent.Type.Leave))
    assert bar.value() > 0, "nobody signs what they do not see"


def test_the_verdict_is_read_whole_at_every_width_and_moves_nothing(room: ReleaseWorkspace) -> None:
    run(room, said=False)
    place, scroll = room.verdict, room.page.scrolled
    assert not scroll.isAncestorOf(place), "it does not scroll away"
    room.page.setSizes([1, 10_000])
    QCoreApplication.processEvents()
    begins = scroll.mapTo(room, QPoint()).y()
    room.assertions.others[PEOPLE_NOT_TOLD].click()
    QCoreApplication.processEvents()
    (shown,) = (one for one in place.findChildren(QLabel) if one.text() == place.text)
    assert "for replacing a person if you can say " in shown.text() and shown.wordWrap()
    assert shown.heightForWidth(shown.width()) <= shown.height(), "nothing of it is cut"
    assert scroll.mapTo(room, QPoint()).y() == begins


def test_what_was_answered_before_keeps_no_empty_line_for_another_answer(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    data = tmp_path / "members.csv"
    data.write_text("id,age\n" + "".join(f"m{i},{20 + i % 40}\n" for i in range(4000)), encoding="utf-8")
    room.document.open_data(data)
    data_is_there(qtbot, room.document)
    room.document.apply("attach", lambda s: s.data.attach_hierarchy("age", tens(Provenance.PUBLIC)))
    room.document.apply("persons", lambda s: s.data.set_unit(PrivacyUnit(person_column="id")))
    begins = []
    for known in (None, False):
        if known is not None:
            answer_number(room.document.session, known=known)
        run(room, said=False)
        room.page.setSizes([1, 10_000])
        QCoreApplication.processEvents()
        begins.append(room.page.scrolled.mapTo(room, QPoint()).y())
    assert begins[1] < begins[0]


def test_the_sentences_keep_their_place_and_their_width_while_they_are_answered(
    room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(room, said=False)
    number = room.assertions.others["Nobody is told how many people there are in the table."]
    number.click()
    QCoreApplication.processEvents()
    assert room.assertions.open and "for replacing a person if you can say " in room.verdict.text
    scroll = room.page.scrolled
    assert scroll.widget().minimumSizeHint().width() <= scroll.viewport().width(), "nothing is cut at the right"
    bar = scroll.verticalScrollBar()
    by_data = next(one for one in room.assertions.others.values() if one.accessibleName() == SAY_NOT_SO)
    by_data.setFocus()
    by_data.click()
    QCoreApplication.processEvents()
    bar.setValue(bar.maximum())
    before = bar.value()
    asked: list[str] = []
    answers = [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes]

    def answer(*told: object) -> QMessageBox.StandardButton:
        asked.append(str(told[2]))
        return answers[len(asked) - 1]

    monkeypatch.setattr(QMessageBox, "question", answer)
    for taken_back in (False, True):
        by_data = next(one for one in room.assertions.others.values() if one.accessibleName() == SAY_NOT_SO)
        by_data.click()
        QCoreApplication.processEvents()
        assert bar.value() == before
        assert (BY_DATA in room.assertions.ticked) is not taken_back and "the data decided" in asked[-1]
    assert len(asked) == 2


def test_whether_the_number_of_people_is_known_is_a_choice_of_two_equals(on_screen: OnScreen) -> None:
    asserted: list[frozenset[str]] = []
    shown = on_screen(AssertionList(), 500)
    shown.said.connect(asserted.append)
    known = OtherAnswer("people known", "Yes", "…", question="Is it known?", hides="all", hides_less="less")
    others = {"choices": OtherAnswer(BY_DATA, "Not so", "…"), "number": known}

    def follow(said: Collection[str] = ()) -> None:
        shown.show_sentences(["choices", "number", "first"], said, {}, {}, others)

    follow()
    assert [tick.accessibleName() for tick in shown.ticks] == ["No, nobody is told. number", "choices", "first"]
    assert shown.missing == (1, 2) and shown.open == 3, "as many as are seen"
    question = shown.questions["number"]
    assert question.no.mapTo(shown, QPoint()).x() == question.yes.mapTo(shown, QPoint()).x(), "equals"
    question.yes.click()
    follow(asserted[-1])
    assert asserted[-1] == {"people known"} and shown.missing == (0, 2)
    shown.ticks[-1].click()
    follow(asserted[-1])
    assert asserted[-1] == {"people known", "first"}
    question.no.click()
    follow(asserted[-1])
    assert asserted[-1] == {"number", "first"} and question.no.isChecked() and not question.yes.isChecked()
    follow()
    assert not question.no.isChecked() and not question.yes.isChecked(), "of another draw nothing is said yet"
    follow(["people known"])
    assert question.yes.isChecked() and shown.missing == (0, 2), "what was said in Anonymise is shown answered"


@pytest.mark.parametrize("columns", [1, 7])
def test_what_is_signed_is_seen_in_short_at_once_and_unfolds_in_full(
    qtbot: QtBot, on_screen: OnScreen, columns: int
) -> None:
    """As much as is seen of the room at 1024 × 700, however many columns there are."""
    terms = Terms(
        mechanism=ReleaseMechanism.TRIM, steps=3, balanced=True, occurring=True, expected=True, where="age > 3"
    )
    choices, nothing_else = choices_line(terms), nothing_else_in_short(terms)
    chosen = [f"Occurs in column {number}: {'Logistics, Sales, ' * 5}" for number in range(columns)]
    asserted: list[frozenset[str]] = []
    shown = AssertionList()
    shown.said.connect(asserted.append)

    def follow(said: Collection[str] = ()) -> None:
        shown.show_sentences(
            [choices, *nothing_else],
            said,
            others={choices: OtherAnswer(BY_DATA, "Not so, or unsure?", "Then less holds.")},
            short={choices: choices_in_short(terms), **nothing_else},
            ways_out=dict.fromkeys(nothing_else, ways_out(parts=True)),
            chosen={choices: tuple(chosen)},
        )

    follow()
    area = on_screen(boxes.scrolled(shown), 400)
    area.setFixedHeight(300)

    def is_seen(part: QWidget) -> bool:
        return not part.isHidden() and part.visibleRegion().boundingRect() == part.rect()

    for _ in range(3):
        QCoreApplication.processEvents()
    words = shown.findChildren(SentenceLabel)
    assert len(words) == 4 and all(map(is_seen, [*words, *shown.ticks])), "every condition, and every tick"
    ((heading, line, *_),) = nothing_else.values()
    signed = {*choices_in_short(terms), heading, line}
    assert signed == {one.text() for one in words}, "what it comes to, and what that is about"
    assert [tick.toolTip() for tick in shown.ticks] == [choices, *nothing_else], "and in full where it is pointed at"
    (fold,) = shown.folds.values()  # the line of the other sentence says in fewer words all that is signed
    lines = [one.text() for one in fold.findChildren(QLabel)]
    assert fold.button.text() == (f"See your {columns} choices" if columns > 1 else "See your choice")
    assert lines == [*chosen, f"You sign: {choices}"] and fold.button.accessibleDescription() == "\n".join(lines)
    assert fold.isHidden(), "few words, until more are wanted"
    first = shown.ticks[0].mapTo(shown, QPoint())
    assert shown.ticks[0].accessibleName() == choices, "what is signed is the sentence, folded or not"
    qtbot.mouseClick(fold.button, Qt.MouseButton.LeftButton)
    QCoreApplication.processEvents()
    assert not fold.isHidden() and not asserted and not shown.ticks[0].isChecked(), "to look is to say nothing"
    beneath = fold.mapTo(shown, QPoint()).y() >= fold.button.mapTo(shown, fold.button.rect().bottomLeft()).y()
    assert beneath and shown.ticks[0].mapTo(shown, QPoint()) == first, "it opens where it was pressed"
    shown.ticks[0].click()
    follow(asserted[-1])
    assert asserted[-1] == {choices} and not fold.isHidden()
    shown.start_over()
    follow()
    qtbot.mouseClick(fold.button, Qt.MouseButton.LeftButton)
    assert fold.isHidden()


def test_what_is_said_against_a_sentence_says_what_then_happens(on_screen: OnScreen) -> None:
    asserted: list[frozenset[str]] = []
    shown = on_screen(AssertionList(), 500)
    shown.said.connect(asserted.append)
    others = {"choices": OtherAnswer(BY_DATA, "Not so: less holds", "Then less holds.")}

    def follow(said: Collection[str] = ()) -> None:
        short = {"choices": ("The same:", "one", "other")}
        shown.show_sentences(["choices", "doubted"], said, {"doubted": "It was looked at."}, {}, others, short)

    follow()
    QCoreApplication.processEvents()
    texts = [one.text() for one in shown.findChildren(QLabel) if one.isVisibleTo(shown)]
    assert "The same:" in texts and "one" in texts and "other" not in texts and "choices" not in texts
    assert not shown.folds, "where nothing was chosen there is no press for the same in other words"
    tick, other = shown.ticks[0], shown.others["choices"]
    assert tick.accessibleName() == "choices" and "choices" in tick.toolTip(), "what is signed is there in full"
    (unsure,) = shown.findChildren(OtherFold)
    assert shown.missing == (0, 2) and unsure.button.text() == "Not so: less holds" and not other.isVisibleTo(shown)
    unsure.button.click()
    assert other.isVisibleTo(shown) and not asserted and shown.open == 2, "to read what happens then is no answer"
    assert shown.ticks[1].accessibleDescription() == "It was looked at."
    other.click()
    follow(asserted[-1])
    assert asserted[-1] == {BY_DATA} and shown.missing == (0, 1) and not tick.isEnabled()
    assert any(one.text() == "Then less holds." and one.isVisibleTo(shown) for one in shown.findChildren(QLabel))
    assert other.text().endswith("Take it back") and other.isVisibleTo(shown) and not unsure.button.isEnabled()
    other.click()
    follow(asserted[-1])
    assert asserted[-1] == frozenset() and tick.isEnabled() and shown.open == 2


def test_who_cannot_say_a_sentence_without_another_answer_finds_what_to_do_case_by_case(on_screen: OnScreen) -> None:
    asserted: list[frozenset[str]] = []
    gone: list[str] = []
    shown = on_screen(AssertionList(), 500)
    shown.said.connect(asserted.append)
    shown.go_to.connect(gone.append)
    shown.without_claim.connect(lambda: gone.append("without claim"))
    shown.show_sentences(["counts", "other"], (), ways_out={"counts": ways_out(parts=True)})
    QCoreApplication.processEvents()
    (unsure,) = shown.ways_out
    assert unsure.button.text() == "Not so, or unsure?" and unsure.isHidden()
    unsure.button.click()
    assert unsure.isVisibleTo(shown)
    words = [one.text() for one in unsure.findChildren(QLabel)]
    assert words[0] == "Leave it open as long as one of these is so:" and "may have the original" in words[-1]
    cases = [one.words for one in ways_out(parts=True)]
    assert words[1:-1] == cases and max(len(one.split()) for one in cases) < 14, "a line each"
    assert [one.text() for one in unsure.ways] == ["Go to Data", "Go to Query", *["Without claim…"] * 3]
    assert any("never given out" in one and one.endswith("delete it, then tick.") for one in cases), (
        "and no claim is lost"
    )
    assert cases[-1] == "Others count groups without you: tick all the same. That is not hidden.", "of counts alone"
    assert not any("without you" in one.words for one in ways_out(parts=False))
    assert any("after looking at one not counted: nothing can be claimed" in one for one in cases)
    assert all(one in unsure.button.accessibleDescription() for one in cases)
    for way in unsure.ways:
        way.click()
    assert gone == ["data", "query", *["without claim"] * 3]
    assert not asserted and shown.open == 2, "it is no answer"
    unsure.button.click()
    assert unsure.isHidden()
    rooms = [one.room for one in ways_out(parts=False) if one.room]
    assert rooms == ["data"], "where counts of groups are asked about by themselves"


def test_what_is_ticked_is_seen_whole(on_screen: OnScreen) -> None:
    shown = AssertionList()
    short = {"other": ("Both:", "one " * 30, "two " * 30)}
    shown.show_sentences(["first", "other"], (), short=short, chosen={"other": ("what was chosen",)})
    area = on_screen(boxes.scrolled(shown), 400)
    area.setFixedHeight(90)
    for _ in range(3):
        QCoreApplication.processEvents()
    tick = shown.ticks[1]
    line = tick.parentWidget()
    assert line.mapTo(area, QPoint(0, line.height())).y() > area.viewport().height(), (
        "it begins in sight and ends below"
    )
    tick.click()
    QCoreApplication.processEvents()
    assert line.mapTo(area, QPoint(0, line.height())).y() <= area.viewport().height() + 1


def test_an_answer_brings_what_is_asked_next_into_sight(on_screen: OnScreen) -> None:
    shown = AssertionList()
    known = OtherAnswer("people known", "Yes", "…", question="Is it known?", hides="all", hides_less="less")
    sentences, parts = ["number", "long", "last"], {"long": ("All of it:", "one " * 30, "two " * 30)}

    def follow(said: Collection[str] = ()) -> None:
        chosen = {"long": ("what was chosen",)}
        shown.show_sentences(sentences, said, others={"number": known}, short=parts, chosen=chosen)

    follow()
    shown.said.connect(follow)
    area = on_screen(boxes.scrolled(shown), 400)
    area.setFixedHeight(170)
    for _ in range(3):
        QCoreApplication.processEvents()
    question, (_, long, last) = shown.questions["number"], shown.ticks

    def ends(part: QWidget) -> tuple[int, int]:
        top = part.mapTo(area.viewport(), QPoint()).y()
        return top, top + part.height()

    assert ends(long.parentWidget())[1] > area.viewport().height(), "it ends below what is seen"
    question.yes.click()
    QCoreApplication.processEvents()
    assert 0 <= ends(question.yes)[0] < ends(long)[0] and ends(long)[1] <= area.viewport().height(), "both are seen"
    long.click()
    QCoreApplication.processEvents()
    assert ends(long.parentWidget())[0] >= 0 and ends(last.parentWidget())[1] <= area.viewport().height()
    before = area.verticalScrollBar().value()
    long.click()
    QCoreApplication.processEvents()
    assert area.verticalScrollBar().value() == before, "who takes something back is led nowhere"


def test_a_question_that_is_due_is_shown_with_all_its_answers(on_screen: OnScreen) -> None:
    shown = AssertionList()
    known = OtherAnswer("people known", "Yes", "…", question="Is it known?", hides="all", hides_less="less")
    parts = {"long": ("All of it:", "one " * 200)}
    shown.show_sentences(["number", "long"], {"long"}, others={"number": known}, short=parts)
    above = QLabel("what stands above\n" * 4)
    area = on_screen(boxes.scrolled(boxes.boxed(boxes.column(above, shown))), 400)
    question = shown.questions["number"]
    area.setFixedHeight(160)  # of a tall one it would take the rest of the room
    for _ in range(3):
        QCoreApplication.processEvents()

    def in_sight(part: QWidget) -> bool:
        return part.visibleRegion().boundingRect() == part.rect()

    area.setFixedHeight(question.height() + 20)
    for _ in range(3):
        QCoreApplication.processEvents()
    for start in (0, area.verticalScrollBar().maximum()):
        area.verticalScrollBar().setValue(start)
        assert not in_sight(question)
        shown.focus_first()
        assert in_sight(question) and shown.focusWidget() is question.no


def test_the_second_press_of_a_double_click_says_nothing(qtbot: QtBot, on_screen: OnScreen) -> None:
    """By then another sentence may lie under the mouse."""
    shown = on_screen(AssertionList(), 500)
    known = OtherAnswer("people known", "Yes", "…", question="Is it known?", hides="all", hides_less="less")
    shown.show_sentences(["number", "one", "other"], (), others={"number": known})
    QCoreApplication.processEvents()
    question = shown.questions["number"]
    words = [one for one in shown.findChildren(QLabel) if one.buddy() in (*shown.ticks, question.yes)]
    assert len(words) == 5
    for part in (*shown.ticks, question.yes, *words):
        second = QMouseEvent(
            QEvent.Type.MouseButtonDblClick,
            QPointF(4, 4),
            part.mapToGlobal(QPointF(4, 4)),
            Qt.MouseButton.LeftButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QCoreApplication.sendEvent(part, second)
        qtbot.mouseRelease(part, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
        assert not shown.ticked
    qtbot.mouseClick(shown.ticks[1], Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(shown.ticks[1], Qt.MouseButton.LeftButton)
    assert shown.ticked == {"one"}, "the first press counts"


@pytest.mark.parametrize("size", [(1280, 800), (1024, 700)])
def test_details_of_the_file_take_no_room_from_the_sentences(
    qtbot: QtBot, room: ReleaseWorkspace, size: tuple[int, int]
) -> None:
    room.resize(size[0] - 200, size[1] - 100)  # beside the rail, and between the lines above and below
    run(room)
    click(qtbot, room)
    height = room.page.scrolled.height()
    assert height > 200
    qtbot.mouseClick(room.export.details.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not room.export.words.visibleRegion().isEmpty())
    fields = [room.export.file_style.delimiter, room.export.file_style.decimal, room.export.parts, room.export.note]
    assert room.page.scrolled.height() == height
    assert all(one.visibleRegion().boundingRect() == one.rect() for one in fields), "none over another"
    assert all(one.height() >= one.sizeHint().height() for one in fields)
    qtbot.mouseClick(room.export.details.button, Qt.MouseButton.LeftButton)
    assert not room.export.details.isVisible()


@pytest.mark.parametrize(("rows", "whom"), [(1, "people"), (3, "rows")])
def test_what_nobody_is_told_names_a_column_of_the_draw(rows: int, whom: str) -> None:
    """Of a short name; what is signed keeps its words, and a number that may be told is said to be."""
    terms = Terms(mechanism=ReleaseMechanism.TRIM, public=("annual salary", "ward", "age"), rows_per_person=rows)
    ((signed, (_, line, *_)),) = nothing_else_in_short(terms).items()
    assert line.endswith(f" tell nobody how many {whom} of any ward or other part there are or were left out.")
    assert "Nobody is told how many rows a group or another part of the table has, such as one town or age" in signed
    ((_, (_, line, *_)),) = nothing_else_in_short(replace(terms, public=()), KnownNumber.PEOPLE).items()
    told = "there are or were left out. How many people there are may be told."
    assert line.endswith(f"{whom} of any part of the table {told}")
