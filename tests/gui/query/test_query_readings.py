"""Answers from before the numbers of a table were read otherwise."""

from __future__ import annotations

from pathlib import Path

from tests.gui.query.helpers import Room
from tests.gui.query.known_steps import ready
from workbench.core.schema import Format, Kind, PrivacyUnit
from workbench.gui.widgets.status import Status
from workbench.query.catalogue import QueryDraft
from workbench.session import Session


def read_as(session: Session, kind: Kind, written: Format) -> None:
    session.data.set_kind(["pay"], kind)
    session.data.set_format("pay", written)


def pay_room(bare: Room, path: Path, pay: str) -> Room:
    """The room of 40 people, half of whose pay is written with a point; all of it is read with decimals at first."""
    path.write_text("pay\n" + f"{pay}\n45000\n" * 20, encoding="utf-8")
    bare.document.open_data(path)
    bare.qtbot.waitUntil(lambda: bare.document.has_data)
    bare.document.apply("pay", lambda session: read_as(session, Kind.DECIMAL, Format()))
    bare.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
    ready(bare, QueryDraft("mean", "1", {"column": "pay", "lower": "0", "upper": "90000", "resolution": "1"}))
    return bare


def read_with_thousands(room: Room) -> None:
    written = Format(",", ".")
    room.document.apply("as it is", lambda session: session.data.set_format("pay", written))
    room.idle()


def test_an_answer_of_numbers_that_were_read_otherwise_says_so(bare: Room, tmp_path: Path) -> None:
    room = pay_room(bare, tmp_path / "pay.csv", "35.150")
    answer, ledger = room.workspace.answer, room.workspace.ledger
    room.release()
    assert answer.state.isHidden() and "otherwise" not in " ".join(ledger.table.texts()[0])
    wrong = answer.shown
    read_with_thousands(room)
    # What is shown says it at once, and so does the ledger, though nothing was asked meanwhile.
    words = "pay read otherwise then: “1.234” as 1.234, now as 1,234."
    assert (
        answer.state.isVisible()
        and answer.state.text == "Read otherwise"
        and answer.title.text().endswith(f" – {words}")
    )
    (row,) = ledger.table.texts()
    assert row[1].endswith(words) and row[2].startswith("Read otherwise: ")
    assert room.workspace.status() is None, "no question was answered of the table as it is read now"
    room.release()
    assert room.workspace.status() is Status.SUCCESS
    assert answer.shown is not wrong and answer.state.isHidden()
    assert "otherwise" not in answer.title.text()
    new, old = ledger.table.texts()
    assert "otherwise" not in "".join(new) and old == row
    room.document.undo_stack.undo()
    room.idle()
    new, old = ledger.table.texts()
    assert new[2].startswith("Read otherwise: ") and not old[2].startswith("Read")


def test_answers_that_were_read_otherwise_in_two_ways_are_told_apart(bare: Room, tmp_path: Path) -> None:
    room = pay_room(bare, tmp_path / "pay.csv", "35.150")
    ledger, document = room.workspace.ledger, room.document
    room.release()
    read_with_thousands(room)
    room.release()
    assert ledger.table.texts()[1][2].startswith("Read otherwise: "), "of one way there is nothing to tell apart"
    document.apply("missing", lambda session: session.data.set_missing(["pay"], ["", "?"]))
    room.idle()
    new, old = ledger.table.texts()
    assert old[2].startswith("Read otherwise (1): ") and new[2].startswith("Read otherwise (2): ")
    assert old[1] != new[1]


def test_what_is_said_of_a_reading_is_the_same_of_tables_that_differ_in_a_value(bare: Room, tmp_path: Path) -> None:
    room = pay_room(bare, tmp_path / "one.csv", "35.150")
    said = []
    for pay in ("35.150", "88.999"):
        room = pay_room(bare, tmp_path / f"{pay}.csv", pay)
        room.release()
        read_with_thousands(room)
        said.append((room.workspace.answer.title.text(), room.workspace.ledger.table.texts()[0][1]))
    assert said[0] == said[1]


def test_bounds_of_numbers_that_were_read_otherwise_are_not_offered(bare: Room, tmp_path: Path) -> None:
    room = pay_room(bare, tmp_path / "pay.csv", "35.150")
    wide = {"column": "pay", "lower": "0", "upper": "1000000", "resolution": "1"}
    ready(room, QueryDraft("bounds", "20", wide))
    room.release()
    ready(room, QueryDraft("mean", "1", wide))
    assert room.workspace.form.bought.isVisible()
    read_with_thousands(room)
    assert room.workspace.form.bought.isHidden()


def test_who_opens_the_data_again_sees_the_newest_answer(bare: Room, tmp_path: Path) -> None:
    room = pay_room(bare, tmp_path / "pay.csv", "45000")
    room.release()
    first = room.workspace.answer.shown
    ready(room, QueryDraft("count", "1"))
    room.release()
    newest = room.workspace.answer.shown
    assert first is not None and newest is not None
    spent = room.spent
    other = tmp_path / "other.csv"
    other.write_text("x\n1\n2\n", encoding="utf-8")
    room.document.open_data(other)
    room.idle()
    assert room.workspace.answer.is_empty, "nothing was asked of it"
    room.document.open_data(tmp_path / "pay.csv")
    room.idle()
    shown = room.workspace.answer.shown
    assert shown is not None and shown.entry.id == newest.entry.id and room.spent == spent
    assert room.workspace.answer.copy.isEnabled()
