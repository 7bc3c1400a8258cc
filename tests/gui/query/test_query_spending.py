"""What a question or a batch costs is seen before, spent once and in the ledger, and never spent unseen."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.query.helpers import ROWS, Room
from tests.gui.query.known_steps import ready
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_up
from workbench.core.schema import PrivacyUnit, UnitAnswer
from workbench.gui.budget import BudgetDialog
from workbench.gui.workspaces.query.price_strip import PriceStrip
from workbench.query.catalogue import QueryDraft
from workbench.query.ledger import Charge, Ledger


def test_no_answer_leaves_before_it_is_said_who_is_protected(room: Room) -> None:
    unsaid = PrivacyUnit(protected=UnitAnswer.UNSAID)
    room.document.apply("unsay", lambda session: session.data.set_unit(unsaid))
    room.idle()
    price, batch = room.workspace.price, room.workspace.batch
    assert price.budget.full_text == "Who is protected?" and not price.release.isEnabled()
    assert "who is protected" in price.release.toolTip()
    room.workspace.release()
    room.workspace.add_to_batch()
    room.idle()
    assert room.spent == 0 and not batch.release.isEnabled() and "Who is protected?" in batch.words.text()
    with room.qtbot.waitSignal(room.workspace.reach_requested) as wanted:
        room.click(price.who)
    assert wanted.args == ["data", "person"]
    room.click(price.every_row)
    room.idle()
    assert room.document.project.schema.unit == PrivacyUnit()
    assert price.release.isEnabled() and batch.release.isEnabled()
    assert price.budget.full_text == "No total budget is set." and price.every_row.isHidden()
    room.workspace.tabs.setCurrentWidget(room.workspace.expected)
    room.release()
    assert "for people with one row each" in room.workspace.answer.made.full_text


def test_where_rows_look_like_one_persons_that_is_to_be_seen_first(bare: Room, tmp_path: Path) -> None:
    data = tmp_path / "visits.csv"
    lines = [f"{i % 100},{20 + i % 40}" for i in range(ROWS)]
    data.write_text("person id,age\n" + "\n".join(lines) + "\n", encoding="utf-8")
    bare.open(data)
    bare.idle()
    price = bare.workspace.price
    assert price.every_row.isHidden() and price.who.text() == "Say so in Data…"


def test_the_price_is_shown_before_anything_is_spent(room: Room) -> None:
    price = room.workspace.price
    assert price.half_width.text() == "± 30 rows"  # 2q^31/(1 + q) ≤ 0.05 for q = e^-0.1
    assert price.release.text() == "Release for ε 0.1"
    assert price.budget.full_text == "No total budget is set."
    assert not price.set_budget.isHidden()
    assert room.spent == 0 and not room.ledger.entries
    assert room.workspace.expected.spread.data is not None
    curve = room.workspace.expected.curve.data
    assert curve.chosen == (0.1, 30.0)
    assert "e^ε ≤ 1.106:" in room.workspace.privacy.promise.text()


def test_while_a_price_is_worked_out_it_says_so_and_nothing_can_be_spent(qtbot: QtBot) -> None:
    price = PriceStrip()
    qtbot.addWidget(price)
    price.show_waiting()
    waiting = "Working out the price."
    assert [price.what.full_text, price.cost.isVisible(), price.half_width.text()] == [waiting, False, ""]
    assert not price.release.isEnabled()
    assert price.release.toolTip() == price.release.accessibleDescription() == waiting
    price.show_error("Mean of age", "It has no bounds.")
    assert price.release.toolTip() == price.release.accessibleDescription() == "It has no bounds."
    price.show_waiting()
    assert price.what.full_text == "Mean of age", "what was asked before stays until the next is known"


def test_once_the_price_is_known_nothing_waits(room: Room) -> None:
    release = room.workspace.price.release
    room.workspace.price.show_waiting()
    room.ask("mean", column="age")
    assert release.isEnabled() and release.toolTip().startswith("Ctrl+Enter") and not release.accessibleDescription()


def test_releasing_spends_once_and_shows_the_answer(room: Room) -> None:
    room.release()
    assert room.spent == Fraction(1, 10)
    answer = room.workspace.answer
    assert answer.shown is not None and abs(answer.shown.released.value - ROWS) < 400
    assert room.workspace.tabs.currentWidget() is answer
    assert answer.value.text() == f"{answer.shown.released.value:,} rows"
    (row,) = room.workspace.ledger.table.texts()
    assert "Count" in row and "0.1" in row and answer.value.text().replace(" rows", " ± 30 rows") in row
    assert room.workspace.status() is not None
    # Undo takes back nothing of it.
    room.document.undo_stack.undo()
    room.idle()
    assert room.spent == Fraction(1, 10)


def press_beside(popup: QWidget, beside: QWidget) -> None:
    """Press what is beside a list that is open: the list gets it."""
    at = popup.mapFromGlobal(beside.mapToGlobal(beside.rect().center()))
    QTest.mouseClick(popup, Qt.MouseButton.LeftButton, pos=at)


def test_pressing_again_shows_the_stored_answer_for_nothing(room: Room) -> None:
    price = room.workspace.price
    room.click(price.release)
    room.click(price.release)  # at once: the first one is still being asked
    room.workspace.run()
    room.idle()
    assert room.spent == Fraction(1, 10)
    first = room.workspace.answer.shown
    assert price.release.text() == "Next question", "the answer stands beside it"
    room.workspace.resize(816, 480)
    room.idle()
    bar = room.workspace.form.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    room.click(price.release)
    kinds = room.workspace.form.kind
    assert kinds.visibleRegion().boundingRect() == kinds.rect(), "its list would hang above the window"
    assert kinds.view().isVisible() and room.workspace.tabs.currentWidget() is room.workspace.answer
    for beside, stays in ((price.release, True), (price.release, True), (kinds, True), (kinds, False)):
        press_beside(kinds.view().window(), beside)
        assert kinds.view().isVisible() is stays, "who did not see that it is open presses again"
    kinds.showPopup()
    press_beside(kinds.view().window(), price.release)
    assert not kinds.view().isVisible(), "opened by its own field it is a list as any"
    assert kinds.hasFocus()
    room.workspace.tabs.setCurrentWidget(room.workspace.expected)
    assert price.release.text() == "Show the answer"
    room.release()
    room.workspace.run()
    room.idle()
    assert room.spent == Fraction(1, 10)
    assert first is not None and room.workspace.answer.shown is not None
    assert room.workspace.answer.shown.entry.id == first.entry.id
    # A second draw is offered with its price, and costs it.
    again = room.workspace.answer.again
    assert again.isVisible() and again.text() == "Ask again for ε 0.1"
    room.click(again)
    room.idle()
    assert room.spent == Fraction(2, 10)
    assert room.workspace.answer.shown.entry.id != first.entry.id


def test_a_double_click_spends_once_however_soon_the_answer_comes(room: Room) -> None:
    workspace, left = room.workspace, Qt.MouseButton.LeftButton

    def twice(button: QWidget) -> None:
        room.click(button)
        room.idle()  # the answer is there, and the button offers another one
        assert button.isEnabled()
        room.qtbot.mouseDClick(button, left)  # the press of the second half
        room.qtbot.mouseRelease(button, left)
        room.idle()

    twice(workspace.price.release)
    assert room.spent == Fraction(1, 10) and not workspace.form.kind.view().isVisible(), "nor is another question begun"
    twice(workspace.answer.again)
    assert room.spent == Fraction(2, 10)
    room.click(workspace.price.batch)
    room.idle()
    room.click(workspace.batch.release)
    room.idle()
    room.qtbot.mouseDClick(workspace.batch.release, left)
    room.qtbot.mouseRelease(workspace.batch.release, left)
    room.idle()
    assert room.spent == Fraction(3, 10), "of a batch whose question costs 0.1"


def test_the_focus_stays_with_what_is_to_be_pressed_next(room: Room) -> None:
    price, window = room.workspace.price, room.workspace.window()
    price.set_budget.setFocus()
    room.set_budget(Fraction(1))
    assert price.set_budget.isHidden() and window.focusWidget() is not price.release, "the next press must not spend"
    price.release.setFocus()
    room.qtbot.keyClick(price.release, Qt.Key.Key_Space)
    assert window.focusWidget() is None, "while it is asked no other button is the next"
    room.idle()
    assert price.release.text() == "Next question" and window.focusWidget() is price.release
    room.workspace.answer.again.setFocus()
    room.qtbot.keyClick(room.workspace.answer.again, Qt.Key.Key_Space)
    room.idle()
    assert room.spent == Fraction(2, 10) and window.focusWidget() is price.release
    room.click(room.workspace.answer.again)
    room.workspace.privacy.epsilon.edit.setFocus()
    room.idle()
    assert window.focusWidget() is room.workspace.privacy.epsilon.edit, "whoever goes elsewhere stays there"
    price.release.setFocus()
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="0.3")))
    room.idle()
    assert price.release.text().startswith("Release for") and window.focusWidget() is not price.release


def test_the_budget_is_asked_about_with_the_price_of_an_answer(room: Room) -> None:
    for epsilon, proposed in (("0.5", 1), ("3", 3)):
        room.document.apply("ε", lambda s, e=epsilon: s.queries.set_draft(replace(room.draft, epsilon=e)))
        room.idle()
        room.click(room.workspace.price.set_budget)
        (dialog,) = room.workspace.window().findChildren(BudgetDialog)
        said = " ".join(words.text() for words in dialog.findChildren(QLabel))
        assert f"One answer of Query as it is set now costs ε {epsilon}." in said and "Anonymise" not in said
        assert dialog.epsilon.exact == proposed
        dialog.epsilon.edit.setText("0.1")
        assert f"needs ε {epsilon}" in dialog.narrow.text()
        dialog.reject()
        room.qtbot.waitUntil(lambda: not room.workspace.window().findChildren(BudgetDialog))


def test_an_answer_given_elsewhere_meanwhile_is_not_paid_for_again(room: Room) -> None:
    other = room.document.session.snapshot().queries
    other.ask(room.draft)  # another window, after this one has worked out the price
    assert room.workspace.price.release.text().startswith("Release")
    room.release()
    assert room.spent == Fraction(1, 10)


def test_over_budget_says_what_fits_and_takes_it(room: Room) -> None:
    room.set_budget(Fraction(1, 4))
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="0.3")))
    room.idle()
    price = room.workspace.price
    assert not price.release.isEnabled()
    assert "0.25 would fit" in price.budget.full_text
    assert "beyond the budget" in price.release.toolTip()
    room.workspace.run()
    room.idle()
    assert room.spent == 0
    room.click(price.fit)
    room.idle()
    assert room.draft.epsilon == "0.25"
    assert price.release.isEnabled() and "ε 0 of 0.25 remain" in price.budget.full_text
    room.release()
    assert price.budget.full_text == "ε 0 of 0.25 remains. Answered at this ε: showing it again is free."
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="0.01")))
    room.idle()
    assert "nothing more fits" in price.budget.full_text and price.fit.isHidden()
    assert not price.release.isEnabled()


def test_what_others_spend_changes_what_remains(room: Room) -> None:
    room.set_budget(Fraction(1))
    Ledger.for_data(room.document.session.data.fingerprint).charge(Charge("query", "elsewhere", Fraction(1, 2)))
    room.document.tell_ledger()
    room.idle()
    assert "Then ε 0.4 of 1 remain" in room.workspace.price.budget.full_text
    room.release()
    assert room.workspace.price.budget.full_text.startswith("ε 0.4 of 1 remains. Answered at this ε")
    assert any("elsewhere" in row for row in room.workspace.ledger.table.texts())


def test_nothing_is_spent_that_is_not_on_the_screen(room: Room) -> None:
    # The draft changes; until its price is shown, the button and F5 do nothing.
    room.document.apply("ε", lambda s: s.queries.set_draft(replace(room.draft, epsilon="5")))
    room.workspace.run()
    room.workspace.release()
    room.idle()
    assert room.spent == 0
    room.workspace.hide()
    room.workspace.run()
    assert room.spent == 0
    room.workspace.show()
    room.idle()


def test_a_question_whose_epsilon_follows(room: Room) -> None:
    room.ask("laplace", scale="20")
    privacy = room.workspace.privacy
    assert not privacy.epsilon.isEnabled() and privacy.epsilon.edit.text() == "0.05"
    assert not room.workspace.price.batch.isEnabled()
    room.release()
    assert room.spent == Fraction(1, 20)
    room.ask("count")
    assert privacy.epsilon.isEnabled() and privacy.epsilon.edit.text() == room.draft.epsilon == "0.1"


def test_a_batch_shares_epsilon_by_weight(room: Room) -> None:
    workspace = room.workspace
    room.click(workspace.price.batch)
    room.ask("mean", column="age")
    room.click(workspace.price.batch)
    room.idle()
    assert workspace.tabs.currentWidget() is workspace.batch
    assert [weight.edit.text() for weight in workspace.batch.weights] == ["0.1", "0.1"], "the ε of each"
    workspace.batch.weights[1].edit.setText("0.3")
    workspace.batch.epsilon.edit.setText("0.4")
    room.idle()
    assert "ε 0.1 " in workspace.batch.shares[0].text() and "ε 0.3 " in workspace.batch.shares[1].text()
    assert workspace.batch.release.text() == "Release all for ε 0.4"
    workspace.run()  # F5 presses the button of the view that is seen
    room.idle()
    assert room.spent == Fraction(4, 10)
    assert workspace.ledger.table.isVisible(), "all of its answers are at hand"
    batch, *answers = workspace.ledger.table.texts()
    assert batch[1].startswith("Batch of 2 questions: Count; Mean of age") and (batch[2], batch[4]) == ("", "0.4")
    assert [(row[1], row[4]) for row in answers] == [
        ("Count", "(0.1)"),
        ("Mean of age, 0 to 100 in steps of 1", "(0.3)"),
    ], "what the batch pays for stands in brackets"
    # What was answered left the batch. The same once more costs again: the button says so, no key does it by chance.
    assert workspace.tabs.currentWidget() is workspace.answer
    assert not room.document.project.queries.batch
    workspace.tabs.setCurrentWidget(workspace.batch)
    workspace.run()
    room.click(workspace.batch.release)
    room.idle()
    assert room.spent == Fraction(4, 10)
    room.document.undo_stack.undo()
    room.idle()
    workspace.run()
    room.idle()
    assert room.spent == Fraction(4, 10)
    assert workspace.batch.release.text() == "Ask all again for ε 0.4" and workspace.batch.release.isEnabled()
    # Going back to the batch, a question can be taken out and into the form again.
    workspace.batch.opened.emit(0)
    room.idle()
    assert (room.draft.kind, room.draft.epsilon) == ("count", "0.1")
    workspace.batch.removed.emit(0)
    room.idle()
    assert [draft.kind for draft in room.document.project.queries.batch] == ["mean"]
    assert workspace.batch.release.text() == "Release all for ε 0.3", "the other one keeps its share"


def test_the_weight_of_a_question_says_what_it_is_of(room: Room) -> None:
    room.click(room.workspace.price.batch)
    room.idle()
    batch = room.workspace.batch
    (heading,) = (one for one in batch.findChildren(QLabel) if one.text() == "Budget weight")
    (weight,) = batch.weights
    assert weight.edit.accessibleName() == "Budget weight of question 1"
    for tip in (heading.toolTip(), weight.edit.toolTip()):
        assert "split in proportion" in " ".join(tip.split())
    assert heading.width() >= heading.sizeHint().width(), "and nothing of it is cut"


def test_a_question_of_the_batch_keeps_the_epsilon_that_was_chosen_for_it(room: Room) -> None:
    workspace, privacy = room.workspace, room.workspace.privacy
    room.ask("mean", column="age")
    room.qtbot.keyClicks(privacy.need.edit, "0.5")
    room.click(privacy.solve)
    room.idle()
    found, margin = Fraction(room.draft.epsilon), workspace.price.half_width.text()
    assert margin == "± 0.5"
    room.click(workspace.price.batch)
    room.idle()
    assert workspace.batch.release.text() == f"Release all for ε {float(found):g}"
    room.ask("histogram", column="team", keys="north; south")
    assert room.draft.epsilon == "0.1"
    room.click(workspace.price.batch)
    room.idle()
    together = f"{float(found + Fraction(1, 10)):g}"
    assert workspace.batch.epsilon.edit.text() == together
    assert workspace.batch.release.text() == f"Release all for ε {together}"
    assert workspace.batch.shares[0].text() == f"ε {float(found):g} · {margin}"
    assert workspace.batch.shares[1].text().startswith("ε 0.1 · ")
    # Where somebody weighed them, those weights stay, and one more question gets its own ε all the same.
    room.document.apply("ε", lambda session: session.queries.set_batch_epsilon("1"))
    workspace.batch.weights[0].edit.setText("0.3")
    room.idle()
    room.ask("count")
    workspace.privacy.epsilon.edit.setText("1/3")
    room.idle()
    room.click(workspace.price.batch)
    room.idle()
    assert [share.text().partition(" · ")[0] for share in workspace.batch.shares] == ["ε 0.75", "ε 0.25", "ε 0.3334"]
    assert room.document.project.queries.batch_epsilon == "4/3"
    workspace.batch.removed.emit(0)
    room.idle()
    assert room.document.project.queries.batch_epsilon == "7/12"
    workspace.batch.opened.emit(0)
    room.idle()
    assert (room.draft.kind, room.draft.epsilon) == ("histogram", "0.25")
    workspace.privacy.epsilon.edit.setText("0")
    room.idle()
    workspace.add_to_batch()
    assert len(room.document.project.queries.batch) == 2, "no question is added at another ε than is typed"


def test_of_the_answers_of_a_batch_that_to_the_question_in_hand_is_shown(room: Room) -> None:
    """The first one stood below the heading of the last, and was taken for its answer."""
    workspace = room.workspace
    room.ask("mean", column="age")
    room.click(workspace.price.batch)
    room.idle()
    room.ask("histogram", column="team", keys="north; south")
    room.click(workspace.price.batch)
    room.idle()
    room.click(workspace.batch.release)
    room.idle()
    shown = workspace.answer.shown
    assert shown is not None and shown.question["query"] == room.draft.kind == "histogram"


def test_what_was_added_while_the_batch_was_asked_is_not_taken_for_answered(room: Room) -> None:
    workspace = room.workspace
    for kind in ("count", "mean"):
        room.ask(kind, **({"column": "age"} if kind == "mean" else {}))
        room.click(workspace.price.batch)
    room.idle()
    room.ask("median")
    workspace.tabs.setCurrentWidget(workspace.batch)
    room.click(workspace.batch.release)
    workspace.add_to_batch()
    room.idle()
    assert room.spent == Fraction(2, 10)
    (left,) = room.document.project.queries.batch
    assert left.kind == "median" and workspace.batch.release.text() == "Release all for ε 0.1"
    assert workspace.tabs.tabText(workspace.tabs.indexOf(workspace.batch)) == "Batch (1)"


def test_what_is_pressed_once_more_in_haste_is_not_meant_for_the_next_question(room: Room) -> None:
    page, document = room.workspace.batch, room.document
    for _ in range(2):
        room.click(room.workspace.price.batch)
        room.idle()
    field = page.weights[1]
    page.removed.emit(0)
    for press in (page.removed, page.opened):
        press.emit(1)  # the row is still shown, the question is not there any more
    field.value_changed.emit(2.0)
    assert len(document.project.queries.batch) == 1
    document.undo_stack.undo()
    room.idle()
    assert len(document.project.queries.batch) == len(page.weights) == 2


def test_a_batch_that_was_interrupted_is_gone_on_with_for_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.click(room.workspace.price.batch)
    room.ask("mean", column="age")
    room.click(room.workspace.price.batch)
    room.idle()

    def full(*_words: object) -> None:
        raise WorkbenchError("The ledger cannot be written.", field="ledger")

    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "draw_in", full)
        room.workspace.run()
        room.idle()
    spent, page = room.spent, room.workspace.batch
    assert spent > 0 and page.release.text() == "Answer the other 2" and "the rest is paid for" in page.words.text()
    room.set_budget(spent)
    room.click(page.release)
    room.idle()
    assert room.spent == spent and len(room.workspace.ledger.table.texts()) == 3
    assert not room.document.project.queries.batch, "all is answered"


def test_a_batch_over_budget_is_refused_as_a_whole(room: Room) -> None:
    room.set_budget(Fraction(1, 2))
    room.click(room.workspace.price.batch)
    room.idle()
    batch = room.workspace.batch
    batch.epsilon.edit.setText("1")
    room.idle()
    assert not batch.release.isEnabled() and "0.5 would fit" in batch.words.text()
    room.workspace.run()
    room.idle()
    assert room.spent == 0


def test_stored_answers_come_back_from_the_ledger(room: Room) -> None:
    room.release()
    first = room.workspace.answer.shown
    room.ask("mean", column="age")
    room.release()
    ledger = room.workspace.ledger
    room.click(ledger.heading)  # the drawer opens
    assert ledger.table.isVisible()
    ledger.table.selectRow(1)
    room.click(ledger.show_button)
    assert first is not None and room.workspace.answer.shown is not None
    assert room.workspace.answer.shown.entry.id == first.entry.id
    assert room.spent == Fraction(2, 10)


def test_an_answer_that_counts_as_more_says_both_numbers_and_why(room: Room) -> None:
    room.release()
    ledger = room.workspace.ledger
    (row,) = ledger.table.texts()
    assert tuple(row[4:]) == ("0.1", "0")
    room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(9)))
    room.idle()
    (row,) = ledger.table.texts()
    assert row[4] == "0.1 · counts as 0.9"
    assert ledger.total.full_text == "1 release: ε 0.9 · δ 0, as one person may have 9 rows"
    room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    room.idle()
    assert ledger.table.texts()[0][4] == "0.1" and ledger.total.full_text == "1 release: ε 0.1 · δ 0"


def test_a_batch_counts_once_for_people_with_more_rows(room: Room) -> None:
    room.click(room.workspace.price.batch)
    room.ask("mean", column="age")
    room.click(room.workspace.price.batch)
    room.idle()
    room.workspace.run()
    room.idle()
    room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(3)))
    room.idle()
    batch, *answers = room.workspace.ledger.table.texts()
    spent = room.document.session.standing.spent.epsilon
    assert batch[4].endswith(f" · counts as {rounded_up(spent)}")
    assert all(one[4].startswith("(") and "counts" not in one[4] for one in answers), "their plan pays for them"


def test_the_ledger_takes_no_more_room_than_it_fills(room: Room) -> None:
    room.release()
    ledger = room.workspace.ledger
    ledger.set_open(True)
    low = ledger.height()
    room.ask("mean", column="age")
    room.release()
    assert low < ledger.height(), "a row more"
    assert ledger.table.verticalScrollBar().maximum() == 0, "and all of them are seen"
    ledger.set_open(False)
    assert ledger.height() < low


def test_in_a_low_window_an_open_ledger_leaves_the_picture_of_an_answer_whole(room: Room) -> None:
    room.workspace.resize(816, 505)
    for epsilon in ("0.5", "1", "2", "3"):
        ready(room, QueryDraft("count", epsilon))
        room.release()
    room.workspace.ledger.set_open(True)
    room.idle()
    answer, table = room.workspace.answer, room.workspace.ledger.table
    assert room.workspace.height() < 640 and answer.line.isVisible() and answer.line.height() >= 130
    assert answer.area.verticalScrollBar().maximum() == 0, "nothing of it lies below the ledger"
    assert table.verticalScrollBar().maximum() > 0, "of which some lines are scrolled to"
    room.workspace.resize(816, 800)
    room.idle()
    assert table.verticalScrollBar().maximum() == 0
