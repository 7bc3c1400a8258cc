"""The last step of a trimmed release: what it costs, several planned together, and how it is written."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import open_step_of, seen
from tests.gui.helpers import Anonymising, idle, press
from tests.gui.trimming.helpers import AGES, DEGREES, push, source, trim, write
from workbench.anonymise.recipe import Treatment
from workbench.core.composition import TablePart, total
from workbench.core.number_text import rounded_up
from workbench.core.schema import PrivacyUnit, Role
from workbench.gui.budget import BudgetStrip
from workbench.gui.next_step import RELEASED, Way
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.release.history import HistorySection
from workbench.project.trim_settings import StepsBy
from workbench.query.ledger_entries import Charge, LedgerEntry, LeftFile
from workbench.session import Session
from workbench.session.release.steps import LevelSource


def test_several_releases_are_planned_at_the_price_on_the_button(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    series, document = room.plan.series, room.document
    open_step_of(room, series)
    assert series._document.session.ledger.current.spent().epsilon == 0
    room.plan.details.set_open(True)
    series.releases.setValue(3)
    write(qtbot, room, series.delta, "1/20")
    priced = document.session.release.series.price(3, 0.05)
    assert series.plan.text() == f"Plan 3 releases · ε {rounded_up(priced.epsilon)}"
    assert f"one by one ε {rounded_up(priced.added)}" in series.price.text() and priced.epsilon < priced.added
    before = document.project.anonymise
    push(qtbot, room, series.plan)
    assert document.session.ledger.current.spent().epsilon == priced.epsilon
    assert document.project.anonymise == before and not document.undo_stack.canUndo(), "it is spent, and no setting"
    document.run()
    idle(qtbot, room)
    assert document.session.release.current_result().claim.holds
    assert document.session.ledger.current.spent().epsilon == priced.epsilon, "the plan pays for its releases"


def test_a_plan_that_cannot_be_says_why(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    series = room.plan.series
    open_step_of(room, series)
    room.plan.details.set_open(True)
    idle(qtbot, room)
    assert "no less than one by one: allow more δ" in series.price.text()
    write(qtbot, room, series.delta, "1e-9")
    assert not series.plan.isEnabled() and "δ" in series.price.text()


def test_how_it_is_written_is_named_in_the_settings(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    assert not seen(room.plan.written["step_column"], room), "nobody has to read it"
    form = room.plan.written
    for name, text in (("step_column", "step"), ("count_column", "rows")):
        form[name].setText(text)
        form[name].editingFinished.emit()
        idle(qtbot, room)
    assert (trim(room).step_column, trim(room).count_column) == ("step", "rows")
    assert seen(form["step_column"], room), "what is in the file does not hide"
    press(qtbot, room, room.run_button)
    result = room.document.session.release.result
    assert result is not None
    assert result.outcome.release.names == ("age", "city", "step", "rows")


class TestPrice:
    def test_keys_renew_without_spending_and_spend_once(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        room.renew()
        idle(qtbot, room)
        session = room.document.session
        assert session.release.result is None and not session.ledger.current.entries
        assert room.run_button.text() == "Make the release · ε 1, δ 1e-5"
        room.spend()
        idle(qtbot, room)
        first = session.release.result
        assert first is not None and len(session.ledger.current.entries) == 1
        assert room.run_button.text() == "Go on to export…"
        room.spend()
        room.renew()
        idle(qtbot, room)
        assert session.release.result is first and len(session.ledger.current.entries) == 1

    def test_what_an_earlier_window_drew_is_added_to_and_asked_for_by_nobody(
        self, qtbot: QtBot, room: AnonymiseWorkspace, anonymising: Anonymising
    ) -> None:
        room.spend()
        idle(qtbot, room)
        loaded = room.document.session.data.loaded
        assert loaded is not None

        def prepare(session: Session) -> None:
            session.data.attach_hierarchy("age", AGES)
            trim = session.project.anonymise.trim
            session.release.set_trimming(replace(trim, steps=StepsBy.DEGREES, degrees=DEGREES))

        later = anonymising(loaded.reading.path, prepare)
        idle(qtbot, later)
        assert later.document.session.release.result is None and later.foot.drawn.are_there
        assert later.run_button.text().startswith("Make it again · ε ") and later.run_button.text().endswith(" more")
        assert later.next_hint() == "See what was released before", "nobody is led to a second price"
        asked: list[tuple[str, str]] = []
        later.reach_requested.connect(lambda *where: asked.append(where))
        assert later.do_next(later.next_field()) and asked == [("release", "released")]
        way, rooms = Way(towards="release"), {"anonymise": later}
        assert way.step("data", rooms) == ("Go on to Anonymise", "anonymise", "run")
        assert way.step("release", rooms) == ("", "", ""), "where it is seen nobody is led back, to a second price"
        later.reach("run")
        assert later.plan.rows.isAncestorOf(later.window().focusWidget()), "a key spends nothing unasked"
        assert later.foot.left_before.isHidden(), "nothing has left"
        ledger = later.document.session.ledger.current
        ledger.charge(ledger.entries[0].charge, left=LeftFile("people.csv", "0" * 64))
        later.foot.refresh()
        assert later.foot.left_before.text().startswith(
            "“people.csv” was exported, and its statement knows no later draw."
        )
        assert later.foot.left_before.isVisible() and later.run_button.property("primary") == "false"
        assert not later.foot.ready.text(), "nothing is called ready that should not be pressed"

    def test_once_a_draw_has_left_nobody_is_led_to_another_and_what_is_due_is_named(
        self, qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
    ) -> None:
        room.spend()
        idle(qtbot, room)
        release = room.document.session.release
        assert release.result is not None
        release.say(release.result.draw, release.current_claim().asserted)
        room.document.export(tmp_path / "r.csv", None)
        idle(qtbot, room)
        assert release.exported
        assert not room.next_hint(), "Release says it, while the file is what the settings make"
        write(qtbot, room, room.promise.fields["epsilon"], "2")
        assert "draw no more" in room.foot.left_before.text() and room.run_button.text().startswith("Make it again")
        assert room.next_hint() == "Hand over what was exported, or verify it"
        for current in ("anonymise", "data", "release"):
            step = Way(towards="release").step(current, {"anonymise": room})
            assert step == ("Hand over what was exported, or verify it", "release", RELEASED), current

    def test_a_draw_that_nobody_exported_counts_and_it_is_said_why(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        assert not room.document.session.standing.only_drawn
        room.spend()
        idle(qtbot, room)
        why = "1 draw was not exported and counts all the same: whoever saw it knows what came out, and what they do "
        assert room.document.session.standing.only_drawn.startswith(why)
        strip, history = BudgetStrip(room.document), HistorySection()
        qtbot.addWidget(strip)
        qtbot.addWidget(history)
        history.show_entries(room.document.session.ledger.current.entries)
        assert any(why in one.text() for one in history.findChildren(QLabel))
        assert why in strip.fact.toolTip()

    def test_each_line_says_what_it_counts_as_beside_one_that_was_made_for_more_rows(self, qtbot: QtBot) -> None:
        delta = Fraction(1, 10**5)
        entries = [
            LedgerEntry("a", "2024-01-01T00:00:00", Charge("release", "one", Fraction(1), delta)),
            LedgerEntry("b", "2024-01-02T00:00:00", Charge("release", "three", Fraction(1), delta, 3)),
        ]
        history = HistorySection()
        qtbot.addWidget(history)
        history.show_entries(entries)
        said = next(one.text() for one in history.findChildren(QLabel) if one.text().startswith("Together"))
        together = total([one.released for one in entries])
        assert said.startswith(f"Together ε 4, δ {rounded_up(together.delta)}") and "come to more" not in said
        model = history.table.model()
        assert [model.index(line, 2).data() for line in range(2)] == ["1", "3"], "the newest first"
        assert model.index(0, 3).data() == "1e-5" and model.index(1, 3).data() == rounded_up(together.delta - delta)
        tip = model.index(1, 2).data(Qt.ItemDataRole.ToolTipRole)
        assert tip == "ε 1, δ 1e-5 counted for up to 3 rows of a person, as is said above"
        parts = [
            replace(one, charge=replace(one.charge, rows_per_person=1, cells=TablePart("town", frozenset({one.id}))))
            for one in entries
        ]
        history.show_entries(parts)
        said = next(one.text() for one in history.findChildren(QLabel) if one.text().startswith("Together"))
        assert said.startswith("Together ε 1, ") and "The lines come to more: of parts of the table" in said

    def test_nothing_is_asserted_in_anybodys_name(self, room: AnonymiseWorkspace) -> None:
        assert not seen(room.plan.looked, room)
        room.plan.details.set_open(True)
        assert seen(room.plan.looked, room) and not room.plan.looked.isChecked()
        lines = [one.text() for one in room.plan.asserted.texts if seen(one, room)]
        assert any("would have been the same whoever is in the table" in line for line in lines)
        assert room.run_button.isEnabled(), "a run does not wait for ticks"

    def test_a_column_with_a_hierarchy_counts_as_left_out_too(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        levels = room.steps.heads["levels"]
        assert levels.summary.endswith("2 columns, 1 not decided"), "as Data says it"
        room.document.apply("Out", lambda one: one.release.columns.set_treatment("age", Treatment.LEAVE_OUT))
        idle(qtbot, room)
        assert levels.summary.endswith("1 column, 1 left out, 1 not decided")

    def test_every_room_counts_the_same_columns_as_left_out(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        (undecided,) = room.document.session.release.columns.undecided()
        room.document.apply("Out", lambda one: one.release.columns.set_treatment("age", Treatment.LEAVE_OUT))
        room.document.apply("Role", lambda one: one.data.set_role([undecided], Role.IDENTIFYING))
        idle(qtbot, room)
        assert room.steps.heads["levels"].summary.endswith("1 column, 2 left out")
        assert set(room.document.session.release.columns.left_out()) == {"age", undecided}

    def test_closed_steps_say_their_settings(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        heads = room.steps.heads
        assert heads["promise"].summary == "ε 1, δ 1e-5"
        assert heads["levels"].summary == "in steps, all together · 2 columns, 1 not decided"
        assert heads["run"].summary == "", "the strip below has the budget"
        assert room.outlook.who.isVisibleTo(room.outlook)
        room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit()))
        idle(qtbot, room)
        assert not room.outlook.who.isVisibleTo(room.outlook), "it was said"
        offered = [one.text() for one in room.findChildren(QAbstractButton) if one.isVisibleTo(room)]
        assert not any("budget" in one for one in offered), "that is in the strip below, and nowhere else"
        write(qtbot, room, room.plan.rows, "100000")
        assert heads["run"].summary == "", "the strip below has the budget"
        source(qtbot, room, LevelSource.HAND)
        assert heads["levels"].summary.startswith("by hand · ")
