"""Bounds and values that are known already are offered to a question."""

from __future__ import annotations

import json
import re
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit

from tests.gui.query.helpers import ROWS, Room
from tests.gui.query.known_steps import ready
from workbench.core.building import build_hierarchy, specification
from workbench.core.schema import ColumnSpec, Kind
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.ldp.encoding import EncodingChoice
from workbench.query.catalogue import QueryDraft
from workbench.session.answer_files import as_csv, as_json
from workbench.session.beyond_bounds import counted_beyond


def test_bounds_that_were_paid_for_are_used_in_the_next_question(room: Room) -> None:
    ready(room, QueryDraft("bounds", "10", {"column": "score", "lower": "-1000", "upper": "1000", "resolution": "1"}))
    room.release()
    answer = room.workspace.answer
    assert answer.shown is not None
    low, high = answer.shown.released.value
    room.click(answer.bounds)
    room.ask("mean")
    lower, upper = (room.workspace.form.field(name) for name in ("lower", "upper"))
    assert isinstance(lower, QLineEdit) and isinstance(upper, QLineEdit)
    assert (lower.text(), upper.text()) == ("", "") and float(upper.placeholderText()) == high
    found = room.workspace.foreseen
    assert found is not None and found.plan.draft.values["column"] == "score"
    frame = found.plan.parameters["frames"][0]
    assert (float(frame["lower"]), float(frame["upper"])) == (low, high)


def test_bounds_from_an_older_answer_replace_what_was_typed(room: Room) -> None:
    ready(room, QueryDraft("bounds", "10", {"column": "score", "lower": "-1000", "upper": "1000", "resolution": "1"}))
    room.release()
    ready(room, QueryDraft("sum", "1", {"column": "score", "lower": "-500", "upper": "500", "resolution": "1"}))
    room.click(room.workspace.answer.bounds)
    room.idle()
    shown, found = room.workspace.answer.shown, room.workspace.foreseen
    assert shown is not None and found is not None
    assert float(found.plan.parameters["frames"][0]["upper"]) == shown.released.value[1]


def test_an_answer_of_limited_values_says_so_and_offers_to_count_them(room: Room) -> None:
    ready(room, QueryDraft("mean", "1", {"column": "age", "lower": "0", "upper": "30"}, "team = 'north'"))
    room.release()
    answer = room.workspace.answer
    assert answer.interval.text().startswith("Of values limited to 0…30, the table's value lies between")
    assert answer.limited.isVisible()
    spent = room.spent
    room.click(answer.limited)
    room.idle()
    asked = room.draft
    assert (asked.kind, asked.where, asked.epsilon) == ("limited", "team = 'north'", "0.1"), "a tenth of the ε tells it"
    assert asked.values == {"column": "age", "lower": "0", "upper": "30"}
    assert room.spent == spent  # it is put in hand; asking it is up to the person
    room.release()
    assert answer.shown is not None and answer.shown.released.labels == (("below 0", "above 30"),)
    below, above = answer.shown.released.value
    # Of noise of scale 10 more than 150 is seen once in three million times.
    assert abs(below) < 150 and abs(above - ROWS / 3 * 29 / 40) < 60 + 150
    assert answer.limited.isHidden() and "limited" not in answer.interval.text()
    mean = room.document.session.queries.answers_of_this()[0]
    room.workspace.ledger.answer_wanted.emit(mean)
    said = answer.interval.text()
    assert re.search(r"Of its values .* below 0 and about [0-9]+ ± 30 were above 30, by a count", said), said
    assert answer.limited.isHidden(), "that was answered"
    assert "were above 30, by a count that was paid for" in answer.line.caption
    count = counted_beyond(mean, room.document.session.queries.answers_of_this())
    assert count is not None and "# beyond the bounds: Of its values" in as_csv(mean, count)
    assert json.loads(as_json(mean, count))["counted_beyond"]["answer"] == {"below 0": below, "above 30": above}
    room.document.apply("other", lambda s: s.queries.set_draft(QueryDraft("mean", "1", {"column": "age"})))
    room.idle()
    room.release()
    assert "Of its values" not in answer.interval.text(), "its bounds are others"


def test_a_count_says_nothing_of_limits(room: Room) -> None:
    room.release()
    assert room.workspace.answer.limited.isHidden()
    assert room.workspace.answer.interval.text().startswith("The table's value lies between")


def test_bounds_that_were_bought_are_offered_and_cost_nothing_more(room: Room) -> None:
    form = room.workspace.form
    wide = {"column": "age", "lower": "0", "upper": "1000"}
    ready(room, QueryDraft("mean", "1", wide))
    assert form.bought.isHidden()
    ready(room, QueryDraft("bounds", "20", wide))
    room.release()
    assert form.bought.isHidden(), "asking for bounds again needs wide ones"
    before = room.spent
    worse = ready(room, QueryDraft("mean", "1", wide)).expected.half_width
    assert form.bought.isVisible() and form.bought.text().startswith("Use ")
    room.click(form.bought)
    room.idle()
    found = room.workspace.foreseen
    assert found is not None and found.plan.expected.half_width < worse / 4
    assert form.bought.isHidden() and room.draft.values["upper"] != "1000" and room.spent == before
    room.document.undo_stack.undo()
    room.idle()
    assert form.bought.isVisible() and room.draft.values["upper"] == "1000"


def test_values_typed_in_another_room_are_offered_where_they_are_missing(bare: Room, tmp_path: Path) -> None:
    data = tmp_path / "towns.csv"
    data.write_text("town,size\n" + "\n".join(f"{town},1" for town in ("Bern", "Basel", "Chur") * 9), encoding="utf-8")
    bare.document.open_data(data)
    bare.qtbot.waitUntil(lambda: bare.document.has_data)
    lacking = QueryDraft("histogram", "1", {"column": "town"})
    bare.document.apply("question", lambda session: session.queries.set_draft(lacking))
    bare.idle()
    keep = bare.workspace.form.keep
    assert keep.isHidden(), "nothing was typed anywhere, and of the data nothing is offered"
    question = Question(Statistic.HISTOGRAM, "town", EncodingChoice(domain=("Bern", "Basel", "Chur", "Genf")))
    experiment = Experiment(question, metrics_for(question.statistic)[0], users=100, basis=Basis.EITHER)
    bare.document.apply("compare", lambda session: session.comparison.add(experiment, None))
    bare.idle()
    assert keep.text() == "Use the 4 from Compare" and keep.isVisible()
    bare.click(keep)
    bare.idle()
    assert bare.document.project.schema["town"].declared().domain == ("Bern", "Basel", "Chur", "Genf")
    assert keep.isHidden() and bare.workspace.foreseen is not None, "and so the question lacks nothing"
    bare.document.undo_stack.undo()
    some = QueryDraft("histogram", "1", {"column": "town", "keys": "Bern, Chur"})
    bare.document.apply("question", lambda session: session.queries.set_draft(some))
    bare.idle()
    assert keep.isHidden(), "some of them are counted, as somebody listed here"


def test_values_typed_in_another_room_are_there_when_their_column_is_asked_about(bare: Room, tmp_path: Path) -> None:
    data = tmp_path / "towns.csv"
    data.write_text("size,town\n" + "\n".join(f"{n},Bern" for n in range(30)) + "\n", encoding="utf-8")
    bare.document.open_data(data)
    bare.qtbot.waitUntil(lambda: bare.document.has_data)
    towns = ("Bern", "Rye, Sussex", 'The "Burg"')
    question = Question(Statistic.HISTOGRAM, "town", EncodingChoice(domain=towns))
    experiment = Experiment(question, metrics_for(question.statistic)[0], users=100, basis=Basis.EITHER)
    bare.document.apply("compare", lambda session: session.comparison.add(experiment, None))
    bare.ask("histogram", column="town")
    plan = bare.workspace.foreseen
    assert plan is not None and plan.plan.mechanism.frames[0].keys == towns, "as if they were typed here"
    assert bare.document.project.schema["town"].declared().domain is None, "nothing is declared by it"
    assert bare.draft.values["other"] is True, "what is not listed counts together, as of every list"
    bare.ask("histogram", keys="")
    assert not bare.draft.values.get("keys") and bare.workspace.form.keep.isVisible(), "whoever empties it wants that"
    bare.ask("group-by", by_column="town")
    assert bare.draft.values["by_keys"]


def test_bounds_typed_in_another_room_are_offered_where_they_are_missing(bare: Room, tmp_path: Path) -> None:
    data = tmp_path / "ages.csv"
    data.write_text("age,size\n" + "\n".join(f"{age},{age}" for age in range(30, 42)) + "\n", encoding="utf-8")
    bare.document.open_data(data)
    bare.qtbot.waitUntil(lambda: bare.document.has_data)
    lacking = QueryDraft("mean", "1", {"column": "age"})
    bare.document.apply("question", lambda session: session.queries.set_draft(lacking))
    bare.idle()
    form = bare.workspace.form
    fields = [form.field(name) for name in ("lower", "upper")]
    assert all(one is not None and "are missing" in one.accessibleDescription() for one in fields), "both are"
    assert form.keep.isHidden(), "nothing was typed anywhere, and of the data nothing is offered"
    question = Question(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 120.0)))
    experiment = Experiment(question=question, users=100, basis=Basis.EITHER)
    bare.document.apply("compare", lambda session: session.comparison.add(experiment, None))
    bare.idle()
    assert form.keep.text() == "Use 0 to 120, from Compare" and form.keep.isVisible()
    other = QueryDraft("mean", "1", {"column": "size"})
    bare.document.apply("question", lambda session: session.queries.set_draft(other))
    bare.idle()
    assert form.keep.isHidden(), "they are of another column"
    bare.document.apply("question", lambda session: session.queries.set_draft(lacking))
    bare.idle()
    form.keep.setFocus()
    place = bare.workspace.privacy.mapTo(bare.workspace, QPoint())
    bare.click(form.keep)
    bare.idle()
    assert form.field("lower") is bare.workspace.focusWidget(), "the form stays where it is"
    assert bare.workspace.privacy.mapTo(bare.workspace, QPoint()) == place, "and all below the press"
    assert bare.document.project.schema["age"].bounds == (0, 120) and form.keep.isHidden()
    assert bare.workspace.foreseen is not None
    assert all(isinstance(one, QLineEdit) and not one.accessibleDescription() for one in fields)


def test_what_was_said_to_occur_for_a_release_is_offered_as_bounds_but_not_how_codes_begin(
    bare: Room, tmp_path: Path
) -> None:
    data = tmp_path / "staff.csv"
    data.write_text("pay,code\n" + "\n".join(f"{900 + n},{12000 + n}" for n in range(30)) + "\n", encoding="utf-8")
    bare.document.open_data(data)
    bare.qtbot.waitUntil(lambda: bare.document.has_data)
    codes = build_hierarchy(
        specification("masking", {"length": 5}, {}), ["12000"], column=ColumnSpec("code", Kind.INTEGER)
    )
    bare.document.apply("attach", lambda session: session.data.attach_hierarchy("code", codes))
    said = {"pay": "500-1000, 1200-2000", "code": "12-14"}
    for name, words in said.items():
        bare.document.apply("say", lambda session, name=name, words=words: session.release.steps.set_said(name, words))
    keep = bare.workspace.form.keep
    for name in said:
        lacking = QueryDraft("mean", "1", {"column": name})
        bare.document.apply("question", lambda session, lacking=lacking: session.queries.set_draft(lacking))
        bare.idle()
        assert keep.isHidden() is (name == "code")
        if name == "pay":
            assert keep.text() == "Use 500 to 2,000, from Anonymise"
    lacking = QueryDraft("mean", "1", {"column": "pay"})
    bare.document.apply("question", lambda session: session.queries.set_draft(lacking))
    bare.idle()
    bare.click(keep)
    bare.idle()
    assert bare.document.project.schema["pay"].declared().bounds == (500, 2000)


def test_a_wrong_column_and_back_loses_nothing_that_was_typed(room: Room) -> None:
    room.ask("mean", column="score", lower="0", upper="10", resolution="0.5")
    typed = room.draft.values
    room.ask("mean", column="team")
    assert "lower" not in room.draft.values and room.workspace.foreseen is None, "they were of other values"
    room.ask("mean", column="score")
    assert room.draft.values == typed
    lower, upper = (room.workspace.form.field(name) for name in ("lower", "upper"))
    assert isinstance(lower, QLineEdit) and isinstance(upper, QLineEdit)
    assert (lower.text(), upper.text()) == ("0", "10") and room.workspace.foreseen is not None
    room.type_into("upper", "12")  # and on at once
    room.ask("mean", column="age")
    assert not room.draft.values.get("upper"), "it is not that of the next column"
    room.ask("mean", column="score")
    assert room.draft.values["upper"] == "12"
    # What is empty when one goes is empty when one is back.
    room.ask("mean", lower="", upper="")
    room.ask("mean", column="age")
    room.ask("mean", column="score")
    assert not room.draft.values.get("lower") and not room.draft.values.get("upper")
    # What is declared meanwhile counts, and nothing that was typed before stands in its place.
    room.ask("mean", column="score", lower="0", upper="10")
    room.ask("mean", column="age")
    room.document.apply("bounds", lambda session: session.data.set_bounds("score", (-5, 20)))
    room.ask("mean", column="score")
    assert not room.draft.values.get("lower") and room.workspace.foreseen is not None


def test_what_was_typed_of_a_column_is_not_that_of_another_table(room: Room, tmp_path: Path) -> None:
    room.ask("mean", column="score", lower="0", upper="10")
    room.ask("mean", column="age")
    other = tmp_path / "other.csv"
    other.write_text("age,team,score\n20,north,1.5\n30,south,4.5\n", encoding="utf-8")
    room.open(other)
    room.idle()
    room.ask("mean", column="score")
    assert not room.draft.values.get("lower"), "nobody typed it of this table"
