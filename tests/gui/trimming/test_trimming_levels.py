"""The levels and steps of a trimmed release, and what is wished of its columns."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import open_step_of, seen
from tests.gui.helpers import idle, pick, press
from tests.gui.trimming.helpers import AGES, push, show_step, source, trim, write
from workbench.anonymise.balanced import Importance
from workbench.anonymise.dp_search import Degree
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.core.hierarchy import Hierarchy
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.column_row import ColumnTreatment
from workbench.gui.workspaces.anonymise.release_row import LEAVE_OUT, ReleaseRow, at_least, at_most, exactly
from workbench.project.trim_settings import StepsBy
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import never_star


def test_a_level_says_what_it_is(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.HAND)
    open_step_of(room, room.levels)
    room.document.apply("level", lambda session: session.release.columns.set_level("age", 1))
    idle(qtbot, room)
    age = room.columns.rows["age"]
    assert age._meaning.full_text in ("8 groups, e.g. 40+", "→ 40+"), "as there is room"
    words = age.slider.toolTip().splitlines()[1:]
    assert words[:2] == ["0  as it is", "1  8 groups, e.g. 40+"] and words[2].startswith("2  4 groups, ")
    assert words[3:] == ["3  *"]


def test_levels_and_wishes_are_whole_at_every_width(qtbot: QtBot, room: AnonymiseWorkspace) -> None:
    source(qtbot, room, LevelSource.BALANCED)
    room.steps.open("levels")
    names = [name for name, row in room.columns.rows.items() if not row.wish.isHidden()]
    room.document.apply("never *", lambda session: never_star(session, names[:1]))
    idle(qtbot, room)
    for width in (1380, 1080, 820, 1080):
        room.resize(width, 620)
        QApplication.processEvents()
        for name in names:
            row = room.columns.rows[name]
            state, wish = row._state, row.wish
            assert state.isVisible() and state.text() == state.full_text, (width, name, state.full_text)
            words = wish.fontMetrics().horizontalAdvance(wish.face)
            assert words < wish.width() - 24, (width, name, wish.face)
    row = room.columns.rows[names[0]]
    row.setFixedWidth(320)
    row.set_room(0, 98)
    assert row._name.width() == 98, "a name as long as “marital-status” is whole beside what is wished"


class TestSteps:
    def test_the_steps_are_listed_with_levels_and_what_they_spend(self, room: AnonymiseWorkspace) -> None:
        rows = [row for row in room.levels.steps.rows if seen(row, room)]
        assert [row.words.full_text for row in rows] == [
            "age as it is · city as it is",
            "age 8 groups · city as it is",
            "age 4 groups · city *",
            "the same levels as step 3: one step with it",
            "* in every column",
        ]
        assert all(row.spends.text().startswith("ε ") for row in rows if "same" not in row.words.full_text)
        assert rows[3].spends.text() == ""

    def test_a_column_shows_in_how_many_rows_it_is_likely_to_say_what(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        age = room.columns.rows["age"]
        assert any(one.is_open for one in room.result.details.model.records if one.column == "age")
        assert age.words == "as it is → 8 → 4 groups → *, in how many rows is open", "values may be spread evenly"
        write(qtbot, room, room.plan.rows, "4000000")
        lines = [one for one in room.result.details.model.records if isinstance(one, DetailOutlook)]
        told = [one for one in lines if one.column == "age"]
        assert [one.words for one in told] == ["as it is", "8 groups", "4 groups", "*"]
        assert not any(one.is_open for one in told)
        told = [one for one in told if max(one.rows)]
        first, *others = told
        parts = [f"{one.words} in {one.part}" for one in others]
        assert age.words == ", ".join((f"as it is in about {first.part} of rows", *parts)), "what the forecast has"
        room.document.run()
        idle(qtbot, room)
        assert age.words == "as it is → 8 → 4 groups → *", "what came out is beside it"
        assert not seen(age.slider, room) and not seen(room.levels.steps.picker, room)

    def test_where_the_forecast_says_nothing_the_line_says_so_and_why_it_is_no_finer(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        age = room.columns.rows["age"]
        assert isinstance(age, ReleaseRow)
        age.show_ladder(["10s", "20s"], ["10s", "20s"], {}, is_open=True)
        assert age.words == "10s → 20s, in how many rows is open"
        age.show_ladder(["10s", "20s"], ["10s", "20s"], {}, is_open=True, finer="5s")
        assert age.words == "10s → 20s; in 5s too few are alike", "and not twice as much"
        (shown,) = (one for one in age.findChildren(ElidedLabel) if one.full_text == age.words)
        shown.setUpdatesEnabled(False)  # as it stays if it moves while the room is dressed
        age.show_ladder(["10s", "20s"], ["10s", "20s"], {}, is_open=True, finer="5s")
        assert shown.updatesEnabled(), "it is painted"
        source(qtbot, room, LevelSource.BALANCED)
        write(qtbot, room, room.plan.rows, "300")
        idle(qtbot, room)
        assert room.levels.steps.lines[0].levels["age"] == 2
        assert age.words.endswith("; in 8 groups too few are alike")
        pick(qtbot, room, age.wish, at_most(2))
        assert "too few" not in age.words, "it is what was asked for"

    def test_balanced_steps_keep_what_is_wanted_and_undo_it(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.BALANCED)
        age, city = (room.columns.rows[name] for name in ("age", "city"))
        assert isinstance(age, ReleaseRow) and isinstance(city, ReleaseRow)
        assert seen(age.wish, room) and age.wish.chosen == Importance.NORMAL.value
        write(qtbot, room, room.plan.rows, "100")
        room.document.undo_stack.clear()
        before = [line.levels for line in room.levels.steps.lines]
        pick(qtbot, room, city.wish, Importance.GIVE_UP.value)
        assert trim(room).importance == {"city": Importance.GIVE_UP}
        assert [line.levels for line in room.levels.steps.lines] != before
        pick(qtbot, room, city.wish, Importance.NORMAL.value)
        pick(qtbot, room, age.wish, at_most(2))
        assert all(line.levels["age"] >= 2 for line in room.levels.steps.lines)
        assert room.document.project.anonymise.level_choice.limits["age"][0] == 2
        pick(qtbot, room, age.wish, Importance.KEEP.value)
        assert "age" not in room.document.project.anonymise.level_choice.limits
        pick(qtbot, room, city.wish, LEAVE_OUT)
        assert room.document.session.release.columns.treatment("city") is Treatment.LEAVE_OUT
        assert seen(city.wish, room), "there it is taken back"
        pick(qtbot, room, city.wish, Importance.KEEP.value)
        assert room.document.session.release.columns.treatment("city") is Treatment.GENERALISE
        assert trim(room).importance == {"city": Importance.KEEP, "age": Importance.KEEP}, "who needs it keeps it"
        for _ in range(room.document.undo_stack.index()):
            room.document.undo_stack.undo()
        idle(qtbot, room)
        assert not trim(room).importance and [line.levels for line in room.levels.steps.lines] == before

    def test_a_column_of_which_so_much_is_needed_is_never_coarser(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.BALANCED)
        age, city = (room.columns.rows[name] for name in ("age", "city"))
        assert isinstance(age, ReleaseRow) and isinstance(city, ReleaseRow)
        write(qtbot, room, room.plan.rows, "100")
        assert any(line.levels["age"] == AGES.height for line in room.levels.steps.lines)
        offered = [age.wish.itemText(row) for row in range(age.wish.count())]
        assert offered == [
            "Automatic",
            "Leave out",
            "Always so: others lose more rare values",
            "Exactly 8 groups",
            "Exactly 4 groups",
            "Always its own value",
            "Always 8 groups or finer",
            "Always 4 groups or finer",
            "At most so: more is left to others",
            "Never finer than 8 groups",
            "Never finer than 4 groups",
            "In turn",
            "Matters most",
            "Matters least",
        ], "in the order in which a person thinks of it, and in which direction is said"
        assert age.wish.face == "Automatic", "what is chosen is not cut for a question before it"
        pick(qtbot, room, age.wish, at_least(1))
        assert age.wish.face == "8 groups or finer"
        assert all(line.levels["age"] <= 1 for line in room.levels.steps.lines)
        pick(qtbot, room, city.wish, at_least(0))
        assert city.wish.face == "its own value" and all(not line.levels["city"] for line in room.levels.steps.lines)
        push(qtbot, room, room.outlook.public.no)
        words = room.outlook.words.text()
        assert "If age and city could become *, " in words, "what it costs is said before the draw"
        pick(qtbot, room, age.wish, exactly(2))
        assert age.wish.face == "exactly 4 groups"
        assert {line.levels["age"] for line in room.levels.steps.lines} == {2}, "no finer and no coarser"
        pick(qtbot, room, age.wish, at_least(1))
        assert room.document.project.anonymise.level_choice.limits["age"] == (0, 1), "one wish takes another's place"
        pick(qtbot, room, age.wish, Importance.NORMAL.value)
        assert "age" not in room.document.project.anonymise.level_choice.limits
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert age.wish.chosen == at_least(1)

    def test_balanced_steps_are_added_and_removed(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.BALANCED)
        push(qtbot, room, room.levels.steps.add_step)
        assert trim(room).balanced_steps == 4
        for _ in range(3):
            push(qtbot, room, room.levels.steps.rows[0].remove)
        assert trim(room).balanced_steps == 1 and not room.levels.steps.rows[0].remove.isVisibleTo(room)

    def test_steps_are_changed_added_and_removed_and_undone(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        steps, before = room.levels.steps, trim(room)
        push(qtbot, room, steps.rows[1].remove)
        assert trim(room).degrees == (Degree.NONE, Degree.MEDIUM, Degree.HIGH, Degree.COMPLETE)
        offered = [steps.rows[1].degree.itemData(place) for place in range(steps.rows[1].degree.count())]
        assert offered == ["low", "low-medium", "medium", "medium-high"], "between its neighbours"
        pick(qtbot, room, steps.rows[1].degree, "low-medium")
        assert trim(room).degrees[1] is Degree.LOW_MEDIUM
        push(qtbot, room, steps.add_step)
        assert len(trim(room).degrees) == 5
        push(qtbot, room, steps.add_step)
        assert not steps.add_step.isEnabled()
        for _ in range(4):
            room.document.undo_stack.undo()
        idle(qtbot, room)
        assert trim(room) == before

    def test_shares_follow_from_a_rule_or_are_typed(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        steps = room.levels.steps
        parts = [line.part for line in steps.lines]
        pick(qtbot, room, steps.shares, False)
        assert len(trim(room).shares) == 5
        assert [line.part for line in steps.lines] == pytest.approx(list(map(float, parts)), abs=0.002)
        write(qtbot, room, steps.rows[0].share, "80")
        assert trim(room).shares[0] == 80
        write(qtbot, room, steps.rows[0].share, "x")
        assert not room.run_button.isEnabled()
        write(qtbot, room, steps.rows[0].share, "50")
        push(qtbot, room, steps.rows[1].remove)
        assert len(trim(room).shares) == 4
        pick(qtbot, room, steps.shares, True)
        assert trim(room).shares == ()

    def test_typed_steps_are_set_with_the_sliders_and_never_become_finer(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        steps, age = room.levels.steps, room.columns.rows["age"]
        source(qtbot, room, LevelSource.TYPED)
        assert trim(room).steps is StepsBy.TYPED
        push(qtbot, room, steps.add_step)
        assert [dict(line.levels) for line in steps.lines] == [{"age": 0, "city": 0}, {"age": 1, "city": 1}]
        assert age.slider.value() == 1, "the new step is marked"
        age.slider.setValue(2)
        idle(qtbot, room)
        show_step(qtbot, room, 1)
        age.slider.setValue(3)
        idle(qtbot, room)
        assert [dict(line.levels) for line in steps.lines] == [{"age": 3, "city": 0}, {"age": 3, "city": 1}]
        press(qtbot, room, room.run_button)
        result = room.document.session.release.result
        assert result is not None
        assert [dict(levels) for levels in result.outcome.recipe.chain] == [
            {"age": 3, "city": 0},
            {"age": 3, "city": 1},
        ]

    def test_typed_steps_forget_a_column_that_is_left_out(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.TYPED)
        pick(qtbot, room, room.columns.rows["city"].treatment, ColumnTreatment.LEAVE_OUT.value)
        assert [dict(line.levels) for line in room.levels.steps.lines] == [{"age": 0}]
        assert room.run_button.isEnabled()

    def test_steps_that_do_not_fit_any_more_can_be_mended(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.TYPED)
        room.document.apply(
            "elsewhere", lambda session: session.release.columns.set_treatment("city", Treatment.LEAVE_OUT)
        )
        idle(qtbot, room)
        assert "takes no part" in room.levels.steps.error.text()
        assert not room.run_button.isEnabled()
        push(qtbot, room, room.levels.steps.mend)
        assert room.run_button.isEnabled()
        assert not seen(room.levels.steps.mend, room)

    def test_coarser_steps_may_follow_levels_that_are_drawn(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        source(qtbot, room, LevelSource.SEARCH)
        assert not seen(room.levels.steps, room)
        assert trim(room).steps is StepsBy.ONE
        push(qtbot, room, room.levels.above)
        assert room.levels.steps.rows[0].title.text() == "drawn privately"
        press(qtbot, room, room.run_button)
        result = room.document.session.release.result
        assert result is not None and result.drawn is not None
        first = room.levels.steps.rows[0].words.full_text
        drawn = result.drawn.choice.levels
        ages, cities = ("as it is", "8 groups", "4 groups", "*"), ("as it is", "*")
        assert first in (f"age {ages[drawn['age']]} · city {cities[drawn['city']]}", "* in every column")
        source(qtbot, room, LevelSource.STEPS)
        assert room.document.project.anonymise.level_choice.by.value == "hand"


class TestColumns:
    def test_trimming_does_not_offer_to_let_a_column_pass(self, qtbot: QtBot, room: AnonymiseWorkspace) -> None:
        treatment = room.columns.rows["city"].treatment
        model = treatment.model()
        assert isinstance(model, QStandardItemModel)
        keep = treatment.findData(ColumnTreatment.KEEP.value)
        assert not model.item(keep).isEnabled()
        assert treatment.itemText(keep) == "Pass through (needs sampling)"
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.SAMPLE.value)
        assert model.item(keep).isEnabled()

    def test_one_that_passes_is_refused_at_the_column_with_the_way_out(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.SAMPLE.value)
        city = room.columns.rows["city"]
        pick(qtbot, room, city.treatment, ColumnTreatment.KEEP.value)
        pick(qtbot, room, room.promise.mechanism, ReleaseMechanism.TRIM.value)
        assert "cannot pass through ungrouped" in city.problem
        assert not room.run_button.isEnabled()
        assert city.group_it.accessibleName() == "Group city as it is"
        push(qtbot, room, city.group_it)
        assert city.problem == ""
        assert room.run_button.isEnabled()

    def test_values_that_a_hierarchy_misses_keep_nobody_from_running(
        self, qtbot: QtBot, room: AnonymiseWorkspace
    ) -> None:
        small = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*")])
        room.document.apply("attach", lambda session: session.data.attach_hierarchy("city", small))
        idle(qtbot, room)
        assert room.columns.rows["city"].problem == ""
        assert room.run_button.isEnabled()
