"""ε in the Query workspace: typed, found for a margin, and no longer taken than it was found for."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tests.gui.query.helpers import Room
from workbench.query.catalogue import QueryDraft


def test_a_wanted_error_gives_epsilon(room: Room) -> None:
    privacy = room.workspace.privacy
    room.qtbot.keyClicks(privacy.need.edit, "5")
    room.qtbot.keyClick(privacy.need.edit, Qt.Key.Key_Return)
    room.idle()
    found = room.workspace.foreseen
    assert found is not None and found.plan.expected.half_width is not None
    assert found.plan.expected.half_width <= 5
    assert 0.4 < float(room.draft.epsilon) < 0.8
    assert room.spent == 0
    room.ask("mean", column="age")
    assert privacy.need.edit.text() == "", "it was an error of a number of rows"
    privacy.need.edit.setText("0.0000001")
    privacy._ask()
    room.idle()
    assert "No ε makes the answer that exact" in privacy.problem.text()


def test_a_refusal_to_find_epsilon_goes_once_what_it_missed_is_there(room: Room) -> None:
    privacy = room.workspace.privacy
    room.ask("mean", column="score")
    room.qtbot.keyClicks(privacy.need.edit, "0.5")
    room.click(privacy.solve)
    room.idle()
    assert privacy.problem.isVisible() and "bounds of “score”" in privacy.problem.text()
    room.workspace.renew()
    room.idle()
    assert privacy.problem.isVisible(), "it holds as long as nothing else is said"
    room.ask("mean", column="score", lower="0", upper="10")
    assert privacy.problem.isHidden() and privacy.problem.text() == ""
    assert privacy.promise.isVisible() and "e^ε" in privacy.promise.text()
    assert privacy.need.edit.text() == "0.5"
    room.click(privacy.solve)
    room.idle()
    assert privacy.problem.isHidden() and room.workspace.price.half_width.text() == "± 0.5"
    # What no ε reaches is reached for other bounds.
    privacy.need.edit.setText("0.0000001")
    room.click(privacy.solve)
    room.idle()
    assert "No ε" in privacy.problem.text()
    room.document.apply("ε", lambda session: session.queries.set_draft(replace(room.draft, epsilon="2")))
    room.idle()
    assert "No ε" in privacy.problem.text(), "at whatever ε"
    room.ask("mean", upper="9")
    assert privacy.problem.isHidden()


def test_a_wanted_margin_stays_while_only_the_column_changes(room: Room) -> None:
    privacy = room.workspace.privacy
    room.ask("mean", column="age")
    before = room.draft.epsilon
    room.qtbot.keyClicks(privacy.need.edit, "2")
    room.click(privacy.solve)
    room.idle()
    found, steps = room.draft.epsilon, room.document.undo_stack.count()
    assert found != before
    room.ask("mean", column="score")
    assert privacy.need.edit.text() == "2" and room.draft.epsilon == before, "which ε it takes is looked for anew"
    assert room.document.undo_stack.count() == steps + 1
    room.document.undo_stack.undo()
    room.idle()
    assert (room.draft.values["column"], room.draft.epsilon, privacy.need.edit.text()) == ("age", found, "2")
    room.ask("narrowed", figure="sum")
    assert privacy.need.edit.text() == "", "it was one of a mean"
    room.qtbot.keyClicks(privacy.need.edit, "300")
    room.ask("narrowed", figure="mean")
    assert privacy.need.edit.text() == "", "it was one of a sum"


def test_a_mistyped_epsilon_cannot_be_spent(room: Room) -> None:
    for text in ("0", "-1", "nan", "", "1,500", "1e400"):
        room.workspace.privacy.epsilon.edit.setText(text)
        room.idle()
        assert not room.workspace.price.release.isEnabled()
        room.workspace.run()
        room.idle()
        QGuiApplication.clipboard().clear()
        room.workspace.copy_command()
        assert not QGuiApplication.clipboard().text() and "“ε”" in room.workspace.mistyped
    assert room.spent == 0


def test_epsilon_is_read_as_people_write_it_and_rounded_up(room: Room) -> None:
    field = room.workspace.privacy.epsilon
    for text, kept in (("0,5", "0.5"), ("1/3", "1/3"), ("ln 3", "1.09861228867")):
        field.edit.setText(text)
        room.idle()
        assert room.draft.epsilon == kept and field.edit.text() == text
    room.release()
    assert room.spent == Fraction("1.09861228867") and math.log(3) < room.spent


def test_an_epsilon_that_was_found_for_a_margin_is_not_spent_on_the_next_question(room: Room) -> None:
    privacy = room.workspace.privacy
    room.ask("mean", column="age")
    before = room.draft.epsilon
    for margin in ("2", "0.5"):
        privacy.need.edit.setText("")
        room.qtbot.keyClicks(privacy.need.edit, margin)
        room.click(privacy.solve)
        room.idle()
    found = room.draft.epsilon
    assert found != before
    room.type_into("lower", "10")
    assert room.draft.epsilon == found, "it is the same question about the same column"
    noted = list[str]()
    room.document.noted.connect(lambda _tone, words: noted.append(words))
    room.ask("count")
    assert room.draft.epsilon == before, "of before the first margin"
    assert noted == [f"ε is {before} again: {found} was found for a margin of another question."]
    room.document.undo_stack.undo()
    room.idle()
    assert (room.draft.kind, room.draft.epsilon) == ("mean", found), "in one step"
    room.ask("median")
    assert room.draft.epsilon == before
    room.qtbot.keyClicks(privacy.epsilon.edit, "3")
    typed = room.draft.epsilon
    room.ask("count")
    assert room.draft.epsilon == typed != before, "what somebody typed stays"
    assert len(noted) == 2, "and nothing is said where nothing changes"


def test_after_a_found_epsilon_comes_the_one_that_was_asked_with_not_one_that_was_only_tried(room: Room) -> None:
    privacy = room.workspace.privacy
    noted = list[str]()
    room.document.noted.connect(lambda _tone, words: noted.append(words))

    def found_after(tried: str) -> str:
        """Type an ε, have another one found for a margin, and ask about something else."""
        room.ask("mean", column="age")
        privacy.epsilon.edit.clear()
        room.qtbot.keyClicks(privacy.epsilon.edit, tried)
        assert room.draft.epsilon == tried
        privacy.need.edit.clear()
        room.qtbot.keyClicks(privacy.need.edit, "2")
        room.click(privacy.solve)
        room.idle()
        assert room.draft.epsilon != tried
        room.ask("count")
        return room.draft.epsilon

    assert found_after("5") == QueryDraft().epsilon, "nothing was asked: what a question has by itself"
    assert found_after("0.02") == "0.02", "a lower one stays"
    privacy.epsilon.edit.clear()
    room.qtbot.keyClicks(privacy.epsilon.edit, "1")
    room.idle()
    room.release()
    assert room.spent == 1
    noted.clear()
    assert found_after("5") == "1", "5 was only tried"
    assert [words.split(":")[0] for words in noted] == ["ε is 1 again"]
    assert found_after("0.5") == "0.5"


def test_in_a_low_window_the_question_has_the_place_of_a_number_that_is_not_asked_for(room: Room) -> None:
    workspace, privacy = room.workspace, room.workspace.privacy
    room.ask("count")
    heights = []
    for height in (650, 505):
        workspace.resize(816, height)
        room.idle()
        heights.append(privacy.height())
    assert heights[1] <= heights[0] - 2 * privacy.rows.height()
    room.ask("mean", column="age")
    assert privacy.rows.isVisible() and privacy.height() == heights[0]


def test_below_what_most_values_lie_is_asked_for_where_the_plan_depends_on_it(room: Room) -> None:
    below, price = room.workspace.form.below, room.workspace.price
    room.ask("mean", column="score", lower="0", upper="1000")
    assert not below.number.isVisible()
    room.ask("narrowed")
    assert below.number.isVisible() and "spread evenly" in price.words.text()
    before = price.half_width.text()
    room.qtbot.keyClicks(below.number.edit, "20")
    below.number.edit.editingFinished.emit()
    room.idle()
    assert room.draft.most_below == 20 and "in a long tail, 9 in 10 below 20" in price.words.text()
    assert "if they are below 40." in price.words.text(), "what was said may be too small"
    assert price.half_width.text() != before
    below.number.edit.selectAll()
    room.qtbot.keyClicks(below.number.edit, "5000")
    below.number.edit.editingFinished.emit()
    room.idle()
    assert (
        "Most values cannot lie below 5,000" in price.words.text() and below.number.edit.property("invalid") == "true"
    )
    below.number.edit.selectAll()
    room.qtbot.keyClicks(below.number.edit, "30")
    below.number.edit.editingFinished.emit()
    room.idle()
    assert below.number.edit.property("invalid") != "true" and "9 in 10 below 30" in price.words.text()
    room.ask("narrowed", column="age")
    assert room.draft.most_below is None and below.number.edit.text() == "", "it was said of other values"


def test_finding_bounds_first_is_offered_at_a_mean_with_wide_bounds_where_it_is_closer(room: Room) -> None:
    form, price = room.workspace.form, room.workspace.price
    room.ask("mean", column="score", lower="0", upper="100000")
    below = form.below
    assert below.number.isVisible() and not below.first.isVisible() and "far lower" in below.words.text()
    room.workspace.privacy.need.edit.setText("50")
    room.document.apply("rows", lambda session: session.queries.set_draft(replace(room.draft, assumed_rows=9000)))
    before = price.half_width.text()
    for typed, offered in (("90000", False), ("200000", False), ("1000", True)):
        below.number.edit.selectAll()
        room.qtbot.keyClicks(below.number.edit, typed)
        below.number.edit.editingFinished.emit()
        room.idle()
        assert below.first.isVisible() is offered is not below.words.isVisible()
        assert (below.number.edit.property("invalid") == "true") is (typed == "200000")
    margin = below.first.text().partition(" by ")[0]
    assert margin.startswith("± ") and margin != before, "planned of what is typed"
    asked = room.draft
    room.click(below.first)
    room.idle()
    assert room.draft == replace(asked, kind="narrowed") and price.half_width.text() == margin
    assert room.workspace.privacy.need.edit.text() == "50", "nothing that was typed is lost"
    assert not below.first.isVisible() and below.number.edit.text() == "1000"
    room.ask("mean", column="age")
    assert not below.isVisible(), "between 0 and 100 finding them first is no gain"


def test_a_spread_is_asked_within_bounds_found_first_as_that_spread(room: Room) -> None:
    below = room.workspace.form.below
    room.ask("standard-deviation", column="score", lower="0", upper="100000")
    room.document.apply("most", lambda session: session.queries.set_draft(replace(room.draft, most_below=1000.0)))
    room.idle()
    room.click(below.first)
    room.idle()
    assert (room.draft.kind, room.draft.values["figure"]) == ("narrowed", "standard-deviation")
