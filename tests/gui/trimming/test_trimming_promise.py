"""What a trimmed release promises: its mechanism, and the numbers of its guarantee."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen
from tests.gui.helpers import choose, click, idle, pick
from tests.gui.trimming.helpers import push, source, trim, write
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.number_text import percent
from workbench.core.schema import PrivacyUnit
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise import workspace as workspace_module
from workbench.project.model import Project, new_project
from workbench.project.storage import load_project, save_project
from workbench.project.trim_settings import StepsBy, Survives, TrimUnknown
from workbench.session.release.steps import LevelSource


def test_a_field_without_a_number_is_named_with_what_it_takes(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    for field, typed, said in (
        (room.promise.fields["epsilon"], "20", "“ε” holds 20; it takes"),
        (room.plan.rows, "many", "“People you expect” holds no number."),
    ):
        before = field.edit.text()
        field.edit.setText(typed)
        room.settle()
        idle(qtbot, room)
        shown = [one.text() for one in room.foot.findChildren(QLabel) if one.isVisibleTo(room) and said in one.text()]
        assert len(shown) == 1 and not room.run_button.isEnabled(), said
        field.edit.setText(before)
        room.settle()
        idle(qtbot, room)
        assert room.run_button.isEnabled()


class TestMechanism:
    def test_a_new_project_trims_in_steps_and_shows_what_matters_for_it(self, room: AnonymiseWorkspace) -> None:
        assert room.promise.mechanism.currentText() == "Trim groups"
        assert new_project().anonymise.trim.steps is StepsBy.BALANCED
        assert seen(room.promise.fields["survival"], room)
        for part in (room.promise.fields["beta"], room.promise.fields["k"], room.promise.accounting):
            assert not seen(part, room), "β, k and the accounting do not matter"
        assert room.run_button.isEnabled()
        assert room.claim_word() == "To sign at Release:"

    def test_a_project_without_a_mechanism_samples_with_its_numbers_in_sight(
        self, qtbot: QtBot, room: AnonymiseWorkspace, tmp_path: Path
    ) -> None:
        path = tmp_path / "old.wbench"
        save_project(Project(), path)
        assert load_project(path).anonymise.mechanism is ReleaseMechanism.SAMPLE
        room.document.apply("old", lambda session: session.release.set_mechanism(ReleaseMechanism.SAMPLE))
        idle(qtbot, room)
        assert seen(room.promise.fields["beta"], room)
        assert seen(room.promise.fields["k"], room)
        assert room.promise.fields["k"].value == 46
        assert not seen(room.promise.fields["survival"], room)
        room.plan.details.set_open(True)
        assert not seen(room.plan.written["step_column"], room)
        assert not seen(room.levels.buttons[LevelSource.STEPS], room)

    def test_one_can_switch_either_way_and_undo_it(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.SAMPLE.value)
        assert room.document.undo_stack.undoText() == "Sample rows"
        assert seen(room.promise.fields["beta"], room)
        assert room.levels.buttons[LevelSource.HAND].isChecked()
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.TRIM.value)
        assert room.levels.buttons[LevelSource.STEPS].isChecked()
        for _ in range(2):
            room.document.undo_stack.undo()
        idle(qtbot, room)
        assert room.document.project.anonymise.mechanism is None
        assert seen(room.promise.fields["survival"], room)

    def test_numbers_of_one_mechanism_are_not_looked_for_in_what_the_other_promised(
        self, qtbot: QtBot, room: AnonymiseWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(workspace_module, "is_quick", lambda _: False)
        guarantee = replace(room.document.project.anonymise.guarantee, solve_for="k", beta="best")
        room.document.apply("by rule", lambda session: session.release.set_guarantee(guarantee))
        for mechanism in (ReleaseMechanism.SAMPLE, ReleaseMechanism.TRIM):
            room.document.apply("switch", lambda session, wanted=mechanism: session.release.set_mechanism(wanted))
            room.settle()  # while what was promised before is still shown
            assert room.promise.mechanism.chosen == mechanism.value
            idle(qtbot, room)


class TestCalculator:
    def test_it_says_which_groups_survive(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.HAND)
        calculator = room.promise
        assert calculator.fields["survival"].value == 12
        assert calculator.fields["survival"].edit.isReadOnly()
        assert "10.83 rows on average" in calculator.facts.text()
        assert "survives half of the time, one of 23 always" in calculator.facts.text()
        pick(qtbot, room, calculator.survives, Survives.ALWAYS.value)
        assert calculator.fields["survival"].value == 23
        calculator.example.setValue(12)
        promised = room.document.session.release.guarantee()
        assert isinstance(promised, TrimGuarantee)
        assert calculator.chance.text() == f"is released with a probability of {percent(promised.keep(12))}"
        calculator.example.setValue(23)
        assert calculator.chance.text() == "is released always"

    @pytest.mark.parametrize("unknown", ["epsilon", "delta"])
    def test_what_was_computed_is_kept_when_another_number_is_wanted(
        self, qtbot: QtBot, room: AnonymiseWorkspace, unknown: str
    ) -> None:
        source(qtbot, room, LevelSource.HAND)
        calculator = room.promise
        pick(qtbot, room, calculator.unknown, unknown)
        assert trim(room).solve_for is TrimUnknown(unknown)
        assert trim(room).group == 12
        before = calculator.fields[unknown].value
        assert calculator.fields[unknown].edit.isReadOnly()
        write(qtbot, room, calculator.fields["survival"], "40")
        after = calculator.fields[unknown].value
        assert before is not None and after is not None and after < before
        promised = room.document.session.release.guarantee()
        assert getattr(promised, unknown) <= after
        assert isinstance(promised, TrimGuarantee) and promised.half_survive <= 40

    def test_a_number_of_the_mechanism_before_is_not_taken(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        calculator = room.promise
        pick(qtbot, room, calculator.mechanism, ReleaseMechanism.SAMPLE.value)
        choose(calculator.mechanism, ReleaseMechanism.TRIM.value)
        before = room.document.project.anonymise
        choose(calculator.unknown, "k")
        assert room.document.project.anonymise == before
        idle(qtbot, room)
        assert calculator.unknown.chosen == before.trim.solve_for.value
        assert calculator.unknown.findData("k") < 0

    def test_a_half_typed_number_stops_the_run(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        calculator = room.promise
        write(qtbot, room, calculator.fields["delta"], "1e-")
        assert seen(calculator.errors["delta"], room)
        assert not room.run_button.isEnabled()
        write(qtbot, room, calculator.fields["delta"], "1e-6")
        assert room.document.project.anonymise.guarantee.delta == 1e-6
        assert room.run_button.isEnabled()

    def test_a_group_that_no_promise_lets_survive_is_told_at_its_field(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        calculator = room.promise
        pick(qtbot, room, calculator.unknown, "epsilon")
        write(qtbot, room, calculator.fields["survival"], "1")
        assert "no ε" in calculator.errors["survival"].text()
        assert not room.run_button.isEnabled()

    def test_a_floor_and_rows_per_person_count(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.HAND)
        calculator = room.promise
        calculator.form["floor"].setValue(5)
        idle(qtbot, room)
        assert trim(room).floor == 5
        assert calculator.fields["survival"].value == 16
        room.document.apply("unit", lambda session: session.data.set_unit(PrivacyUnit(3)))
        idle(qtbot, room)
        assert calculator.rows_per_person.text() == "up to 3"
        assert (calculator.fields["survival"].value or 0) > 30
        room.steps.open("promise")
        with qtbot.waitSignal(room.reach_requested) as asked:
            click(qtbot, calculator.change_unit)
        assert asked.args == ["data", "person"]


@pytest.mark.parametrize("known", [False, True])
def test_delta_follows_the_people_who_are_expected_until_somebody_chooses_it(
    known: bool, qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """Twice as much is charged where others know the number, so half of it is drawn with. One choice fewer is made."""
    source(qtbot, room, LevelSource.BALANCED)
    document, half = room.document, 2 if known else 1

    def delta() -> float:
        return document.project.anonymise.guarantee.delta

    push(qtbot, room, room.outlook.public.yes if known else room.outlook.public.no)
    steps = (("1000", 1e-5), ("1001", 1e-6), ("9000", 1e-6), ("10000", 1e-6), ("10001", 1e-7), ("100000", 1e-7))
    for people, usual in (*steps, ("30000", 1e-7), ("4000", 1e-6)):
        write(qtbot, room, room.plan.rows, people)
        assert delta() == pytest.approx(usual / half, rel=1e-12), people
        assert not seen(room.promise.large_delta, room) and "δ" not in room.foot.ready.text()
    tip = " ".join(room.run_button.toolTip().split())
    assert "δ follows how many people you expect: 1e-5 up to 1,000 or unsaid, 1e-6 up to 10,000" in tip
    document.undo_stack.undo()
    idle(qtbot, room)
    assert delta() == pytest.approx(1e-5 / half, rel=1e-12), "what was typed and what followed are one step"
    write(qtbot, room, room.promise.fields["delta"], "1e-6")
    write(qtbot, room, room.plan.rows, "500000")
    assert delta() == pytest.approx(1e-6 / half, rel=1e-12), "somebody chose it, as it is shown"
    assert "δ follows" not in room.run_button.toolTip()
    assert seen(room.promise.large_delta, room)


def test_delta_that_was_drawn_with_stays(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "1000")
    room.document.run()
    idle(qtbot, room)
    write(qtbot, room, room.plan.rows, "30000")
    assert room.document.project.anonymise.guarantee.delta == 1e-5


@pytest.mark.parametrize(("known", "mended"), [(False, 1e-7), (True, 5e-8)])
def test_a_delta_too_large_for_the_people_who_are_expected_is_said_in_sight_and_mended_at_one_press(
    known: bool, mended: float, qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """Twice as much is charged where others know the number, which is what is shown and typed."""
    source(qtbot, room, LevelSource.BALANCED)
    promise, document = room.promise, room.document
    promise.details.set_open(False)
    write(qtbot, room, room.plan.rows, "1000")
    assert not seen(promise.large_delta, room) and not seen(promise.smaller_delta, room)
    trim = replace(document.project.anonymise.trim, number_known=known, expected_rows=30_000)
    document.apply("known", lambda session: session.release.set_trimming(trim))
    idle(qtbot, room)
    assert not promise.details.is_open and seen(promise.large_delta, room)
    assert promise.large_delta.full_text == f"δ {'2e-5' if known else '1e-5'} is large for 30,000 people"
    assert "a hundred times the number of people" in promise.large_delta.toolTip()
    assert room.foot.ready.text().startswith("δ is large for so many people"), "also beside the button that spends"
    assert promise.smaller_delta.text() == "Use δ 1e-7"
    push(qtbot, room, promise.smaller_delta)
    promised = room.run_button.text().partition("δ ")[2]
    assert promise.fields["delta"].edit.text() == promised == "1e-7", "one number wherever it stands"
    assert document.project.anonymise.guarantee.delta == pytest.approx(mended, rel=1e-12)
    assert not seen(promise.large_delta, room) and not seen(promise.smaller_delta, room)
    assert "δ" not in room.foot.ready.text()
    document.undo_stack.undo()
    assert document.project.anonymise.guarantee.delta == 1e-5


@pytest.mark.parametrize("between", ["5000", ""])
def test_delta_never_becomes_larger_for_fewer_people(between: str, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    """Somebody may have typed the one that is usual; an emptied number and one on the way are no leave to raise it."""
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "1000000")
    write(qtbot, room, room.promise.fields["delta"], "1e-8")
    write(qtbot, room, room.promise.fields["epsilon"], "0.9")
    for people in (between, "900"):
        write(qtbot, room, room.plan.rows, people)
        assert room.document.project.anonymise.guarantee.delta == 1e-8, people


def test_delta_stays_while_something_is_drawn(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "30000")
    before = room.document.project.anonymise.guarantee.delta
    room.document.run()
    room.plan.rows.set_value(900)
    room.plan.rows.value_changed.emit(900)
    assert room.document.project.anonymise.guarantee.delta == before == 1e-7
    idle(qtbot, room)


def test_a_draw_that_was_undone_away_from_is_there_again_with_its_number(
    qtbot: QtBot, room: AnonymiseWorkspace
) -> None:
    """δ that followed the number went with it, and comes back with it: what was paid for is not lost."""
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "30000")
    room.document.run()
    idle(qtbot, room)
    release = room.document.session.release
    assert release.result is not None and release.result_is_current
    write(qtbot, room, room.plan.rows, "40000")
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert release.result_is_current, "what was typed after the draw is a step of its own"
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert not release.result_is_current
    write(qtbot, room, room.plan.rows, "30000")
    assert release.result_is_current and room.document.project.anonymise.guarantee.delta == 1e-7
