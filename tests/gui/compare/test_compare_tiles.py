"""The tiles of the Compare workspace: which way to take, and what follows from it."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    ASSUMED,
    PATIENCE_MS,
    Takes,
    add,
    enter,
    experiment,
    now,
    run,
    take,
    ways_out,
)
from tests.gui.helpers import choose_row, idle, pick
from workbench.core.schema import PrivacyUnit, Role
from workbench.core.working_table import Preparation
from workbench.evaluate.experiment import Basis, Truth
from workbench.evaluate.findings import ErrorSeries, Findings, Point
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.question import Statistic
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.ldp.encoding import EncodingChoice
from workbench.query.catalogue import QueryDraft
from workbench.session.comparison_follow import follow


class TestTiles:
    """Which way to take, on a public shape: no look, and one click to follow it."""

    def test_one_click_gives_the_tiles_and_no_look(self, declared: CompareWorkspace) -> None:
        tiles, desk = declared.view.tiles, declared.document.session.comparison
        assert declared.status() is Status.SUCCESS and not desk.looked and declared.lock == ""
        assert tiles.shown is not None and tiles.shown.recommended is Approach.GLOBAL
        assert tiles.cards[Approach.GLOBAL].best.isVisible() and not tiles.cards[Approach.LOCAL].best.isVisible()
        titles = [card.findChild(QLabel).toolTip() for card in tiles.cards.values()]
        assert [one.partition(",")[0] for one in titles[:2]] == ["A curator"] * 2 and titles[2].startswith("People add")
        stands = tiles.cards[Approach.LOCAL].times.text()
        assert stands.startswith("about ") and " times at equal privacy, " in stands, "the fair number leads"
        assert stands.endswith(" at the same ε")
        tiles.details.click()
        assert [card.why.text() for card in tiles.cards.values() if card.why.isVisible()] == [
            "Errs by: noise, added once",
            "Errs by: rows or detail lost",
            "Errs by: noise, added by everybody",
        ]
        assert declared.view.chart.state.text == "300 people, 1 row each, 10 repetitions."
        said = declared.view.chart.words.text()
        assert said.startswith("Absolute error of the mean of age") and "n = 300" in said
        assert tiles.cards[Approach.GLOBAL].error.text().startswith("off by ")
        shapes = "worst of smooth, spiky, long-tailed and equal shares"
        # The most that 300 values between the bounds can be off by on average, rounded up.
        sampling = "If these people are a sample, that alone is off by at most 2.31 on average"
        mean = f"Mean error of 10 tries (Global and Local: by formula) · 300 people · {shapes}. {sampling}"
        assert tiles.basis.text().startswith(f"{ASSUMED}{mean}. Global adds noise once, to hide one person; ")
        assert declared.view.question.said.text().startswith("Values outside count as the bound.")
        assert "Values outside 0 to 100 count as the nearest bound, in the true answer too" in said
        assert tiles.cards[Approach.ANONYMISED].leaves.text() == "Leaves: a table of age alone"
        hides = [one.hides.text().replace("\u00a0", " ") for one in tiles.cards.values()]
        there = "whether a row is there"
        assert hides == [f"ε hides {there}", f"ε with δ = 1e-5 hides {there}", "ε hides which answer was given"]

    def test_tab_goes_along_what_is_seen(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        declared.resize(1100, 760)
        idle(qtbot, declared)
        view = declared.view
        parts = (view.tabs, view.tiles, view.chart)
        places = list[tuple[int, int]]()
        here: QWidget = view.command
        while here is not view.chart.chart:
            here = here.nextInFocusChain()
            mine = [place for place, part in enumerate(parts) if part.isAncestorOf(here)]
            if mine and here.isVisible() and here.focusPolicy() & Qt.FocusPolicy.TabFocus:
                places.append((mine[0], here.mapTo(declared, here.rect().center()).x()))
        assert [one for one, _ in places] == sorted(one for one, _ in places), "the line, the tiles, and then the chart"
        line = [x for one, x in places if one == 0]
        assert len(line) == 5 and line == sorted(line), "tabs and buttons from left to right"
        assert {one for one, _ in places} == {0, 1, 2}

    def test_who_trusts_nobody_sees_what_is_left_and_which_epsilon_is_enough(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        tiles = declared.view.tiles
        ours, _, local = tiles.cards.values()
        assert ours.best.text == "Best, not enough" and not ours.instead.isVisible() and not ours.short.isVisible()
        assert local.short.isVisible() and local.short.text == "Not enough" and not local.instead.isVisible()
        said = tiles.headline.text()
        assert said.startswith("At ε = 0.5 take Global if a curator is trusted: the smallest error. ")
        # (1 − p(1 − p)) · (100/300)/2 is 0.16 at least, and more than a sample of a long tail is off by.
        none = "Global is not enough on each shape tried even at 2, the largest ε run: off by 0.162."
        assert f" If nobody is, no way is enough here: Local, {local.error.text()}. {none}" in said
        sample = "Off by less than sampling adds to each shape tried (at least 0.131 on average), of the ε tried: "
        sample += "Global, Anonymised and Local at none. Less than the most it can add (2.31): "
        assert tiles.least.text().startswith(f"{sample}Global at every one, Anonymised ")
        assert tiles.least.text().endswith("Local at none.")
        heights = [one.height() for one in tiles.cards.values()]
        top = declared.view.chart.mapTo(declared, QPoint(0, 0))
        tiles.limit.edit.setText("2")
        idle(qtbot, declared)
        assert tiles.least.text().startswith("Off by less than 2, of the ε tried: Global at every one, Anonymised ")
        assert [one.height() for one in tiles.cards.values()] == heights
        assert declared.view.chart.mapTo(declared, QPoint(0, 0)) == top, "what is typed moves nothing"
        assert ours.best.text == "Take if trusted" and local.short.text == "Not enough" and local.short.isVisible()
        tiles.set_place(2.0)
        assert (
            tiles.headline.text().startswith("At ε = 2 take Global") and ": Global at every one, " in tiles.least.text()
        )
        known = declared.view.look.current
        assert known is not None
        tiles.show_findings(replace(known.findings, unit="years"), 2.0)
        assert "\N{NO-BREAK SPACE}years. Global is not " in tiles.headline.text(), (
            "no unit stands alone in the next line"
        )
        assert "at most 2.31\N{NO-BREAK SPACE}years on average" in tiles.basis.text()

    def test_a_way_that_is_not_enough_here_is_marked_with_the_epsilon_from_which_it_is(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        tiles = declared.view.tiles
        ours, released, local = tiles.cards.values()
        marks = ours.best, released.short, local.short
        assert {one.property("badge") for one in marks} == {Status.WARNING.value}
        tiles.limit.edit.setText("8")  # between what Local errs by at 0.5 and at 2
        tiles.set_place(0.5)
        assert not local.instead.isVisible() and local.short.isVisible()
        assert local.short.accessibleName() == "Enough from ε 2" and ours.best.accessibleName() == "Take if trusted"
        tiles.set_place(1.0)
        assert local.short.accessibleName() == "Enough from ε 2", "between two that were run nothing was run"
        tiles.set_place(2.0)
        assert local.instead.isVisible() and not local.short.isVisible() and not released.short.isVisible()
        tiles.limit.edit.setText("0.3")
        tiles.set_place(0.5)
        assert ours.best.accessibleName() == "Best, enough from ε 2" and ours.best.isVisible()
        assert ours.best.property("badge") == Status.WARNING.value and not ours.short.isVisible(), (
            "one mark of one thing"
        )
        tiles.limit.edit.setText("50")
        assert ours.best.property("badge") == Status.SUCCESS.value and local.instead.isVisible()

    def test_typed_bounds_are_said_to_be_in_no_error_beside_the_advice(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        view, tiles = declared.view, declared.view.tiles
        said = "Not in these errors: what limiting values to 0–50 shifts (about 13 at most on these shapes)."
        assert not tiles.shifts.isVisible(), "bounds that are declared are those of all values"
        assert (
            view.question.said.text() == "Values outside count as the bound. What that shifts is not in these errors."
        )
        narrow = EncodingChoice(bounds=(0.0, 50.0))
        declared.draft.change_question("narrower", lambda one: replace(one, encoding=narrow))
        idle(qtbot, declared)
        assert tiles.shifts.isVisible() and tiles.shifts.text() == said
        gap = tiles.shifts.mapTo(tiles, QPoint()).y() - tiles.headline.geometry().bottom()
        assert 0 < gap < 20, "it stands where the advice is said"
        assert tiles.shift_mark.isVisible() and tiles.shift_mark.width() > 0, "not by its colour alone"
        assert view.question.said.text() == "Values outside count as the bound.", "said once"
        shown = view.chart.words.text().partition("\nNot in a saved picture")[0]
        assert said in shown
        tiles.setEnabled(False)
        assert tiles.shifts.text() == "" and not tiles.shift_mark.isVisible()

    @pytest.mark.parametrize("bounds", [(0.0, 100.0), (-5.0, 200.0)], ids=["as declared", "wider"])
    def test_typed_bounds_that_hold_all_declared_values_limit_nothing_and_warn_of_nothing(
        self, qtbot: QtBot, declared: CompareWorkspace, bounds: tuple[float, float]
    ) -> None:
        tiles = declared.view.tiles
        name = declared.draft.experiment.question.column
        spec = declared.document.session.project.schema[name]
        assert spec.declared().bounds == (0.0, 100.0)
        encoding = EncodingChoice(bounds=bounds)
        declared.draft.change_question("typed", lambda one: replace(one, encoding=encoding))
        idle(qtbot, declared)
        assert not tiles.shifts.isVisible() and not tiles.shift_mark.isVisible()
        assert "Not in these errors" not in declared.view.chart.words.text()

    def test_what_is_enough_can_be_typed_and_is_kept_with_the_experiment(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        tiles = declared.view.tiles
        assert tiles.limit.edit.placeholderText() == "0.131", "what sampling adds at least"
        # By formula the error is at most 100/300/ε, and at least a half of it.
        tiles.limit.edit.setText("0.3")
        assert tiles.least.text().startswith("Off by less than 0.3, of the ε tried: Global from 2, ")
        assert declared.document.project.comparing.documents[0].enough == 0.3
        assert tiles.headline.text().endswith(" Of the ε run, Global is enough from 2.")
        tiles.limit.edit.setText("0.01")
        assert " Global is not enough even at 2, the largest ε run: off by 0." in tiles.headline.text()
        assert tiles.least.text() == "Off by less than 0.01, of the ε tried: Global, Anonymised and Local at none."
        declared.draft.change_figure("bands", bands=False)
        idle(qtbot, declared)
        assert tiles.limit.value == 0.01
        declared.draft.change_question("another", lambda one: replace(one, statistic=Statistic.SUM))
        assert declared.document.project.comparing.documents[0].enough is None, "it was about another question"
        declared.document.undo_stack.undo()
        idle(qtbot, declared)
        tiles.limit.edit.setText("")
        assert (
            "each shape tried (at least 0.131 on average), of the ε tried: " in tiles.least.text() and tiles.limit.valid
        )

    def test_whom_the_errors_are_about_is_said_until_data_says_it(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        def say(rows: int) -> str:
            unit = PrivacyUnit(rows_per_person=rows)
            declared.document.apply("who", lambda session: session.data.set_unit(unit))
            idle(qtbot, declared)
            return declared.document.session.comparison.whom

        assert declared.view.tiles.basis.text().startswith(ASSUMED)
        assert say(1) == "" and declared.view.tiles.basis.text().startswith("Mean error of ")
        assert say(5).startswith("ε is that of a person with up to 5 rows, and of a row it is ε/5. ")

    def test_another_table_that_is_asked_for_here_is_asked_about_at_once(
        self, qtbot: QtBot, unseen: CompareWorkspace, tmp_path: Path
    ) -> None:
        first = unseen.draft.experiment
        (tmp_path / "pay.csv").write_text("pay\n" + "\n".join(map(str, range(100, 400))) + "\n", encoding="utf-8")
        unseen.view.question.of_table.click()  # whose window asks for a file, and opens it
        unseen.document.new()
        unseen.document.open_data(tmp_path / "pay.csv")
        idle(qtbot, unseen)
        asked = unseen.draft.experiment
        assert unseen.pages.currentWidget() is unseen.view and asked is not None and asked != first
        assert asked.question.column == "pay" and unseen.view.begins, "it runs as soon as nothing is lacking"

    def test_rows_are_not_taken_for_people_where_a_column_is_called_after_persons(
        self, qtbot: QtBot, unseen: CompareWorkspace, tmp_path: Path
    ) -> None:
        lines = "".join(f"p{i % 120:03},{20 + i % 60}\n" for i in range(500))
        (tmp_path / "visits.csv").write_text(f"patient,age\n{lines}", encoding="utf-8")
        unseen.document.open_data(tmp_path / "visits.csv")
        idle(qtbot, unseen)
        unseen.document.apply("bounds", lambda one: one.data.set_bounds("age", (0.0, 100.0)))
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=300))
        basis, asked = unseen.view.basis, []
        unseen.reach_requested.connect(lambda *where: asked.append(where))
        assert basis.whose.text() == "“patient” names persons: say if each row is another one."
        assert basis.whose.property("tone") == "warning" and basis.who.isVisibleTo(basis)
        basis.who.click()
        assert asked == [("data", "person")]
        basis.own_rows.click()
        basis.look.known.click()
        idle(qtbot, unseen)
        assert now(unseen).users == 500
        unit = PrivacyUnit(1, person_column="patient")
        unseen.document.apply("who", lambda session: session.data.set_unit(unit))
        unseen.document.apply("limit", lambda session: session.data.set_preparation(Preparation(limit_rows=True)))
        idle(qtbot, unseen)
        assert not basis.who.isVisibleTo(basis) and "count them anew" in basis.whose.text()
        assert unseen.document.session.comparison.whom.startswith("One row of each person takes part, by chance")
        basis.own_rows.click()
        if not basis.look.isHidden():
            basis.look.known.click()
        idle(qtbot, unseen)
        assert now(unseen).users == 120 and not basis.whose.text()
        run(qtbot, unseen)
        tiles = unseen.view.tiles
        shifts, least = tiles.shifts, tiles.least
        assert shifts.text() == (
            "Not in these errors: the draw of one row of each person, which moves that mean by at most 3.65 on average."
        ), "bounds that are those declared limit nothing"
        assert shifts.isVisible() and tiles.shift_mark.isVisible() and shifts.property("tone") == "warning"
        assert not tiles.drawn.isVisible(), "said once"
        gap = shifts.mapTo(tiles, QPoint()).y() - tiles.headline.geometry().bottom()
        assert 0 < gap < 20, "it stands where the advice is said"
        tiles.set_low(True)
        assert shifts.isVisible() and not least.isVisible(), "no error has it in it"

    def test_in_a_low_window_the_whole_chart_is_seen_with_the_tiles(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        chart = declared.view.chart.chart

        def ends() -> int:
            """How far above the lower edge of what is seen the chart ends."""
            viewport = chart.parentWidget()
            while not isinstance(viewport, QScrollArea):
                viewport = viewport.parentWidget()
            inside = viewport.viewport()
            return inside.height() - chart.mapTo(inside, QPoint(0, chart.height())).y()

        for width, height in ((816, 600), (1016, 660)):
            declared.resize(width, height)
            declared.view.parts.show_part(1)
            idle(qtbot, declared)
            qtbot.waitUntil(lambda: 0 < ends() < 200, timeout=PATIENCE_MS)
            assert chart.height() >= 144

    def test_the_answer_to_another_question_is_seen_from_its_beginning(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        declared.resize(816, 460)
        declared.view.parts.show_part(1)
        (area,) = (one for one in declared.findChildren(QScrollArea) if one.accessibleName() == "What was found")
        bar = area.verticalScrollBar()
        qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=PATIENCE_MS)
        bar.setValue(bar.maximum())
        declared.draft.change("people", users=500)
        declared.view.run()
        qtbot.waitUntil(lambda: bar.value() == 0, timeout=PATIENCE_MS)
        idle(qtbot, declared)
        bar.setValue(bar.maximum())
        declared.view.tiles.set_place(2.0)
        idle(qtbot, declared)
        assert bar.value() > 0, "within one answer nobody is moved"

    def test_nothing_is_recommended_for_a_question_that_was_changed(
        self, qtbot: QtBot, declared: CompareWorkspace, takes: Takes
    ) -> None:
        takes(60.0, 60.0)  # longer than what begins by itself
        tiles, old = declared.view.tiles, now(declared)
        declared.draft.change("people", users=500)
        idle(qtbot, declared)
        assert not tiles.isEnabled() and not tiles.cards[Approach.GLOBAL].best.isVisible()
        declared.draft.change("people", users=old.users)
        idle(qtbot, declared)
        assert tiles.isEnabled() and tiles.cards[Approach.GLOBAL].best.isVisible()

    def test_the_slider_recomputes_nothing(self, declared: CompareWorkspace) -> None:
        tiles = declared.view.tiles
        before = tiles.cards[Approach.GLOBAL].error.text()
        tiles.set_place(2.0)
        assert tiles.at == tiles.field.value == 2 and tiles.place_words == "ε = 2"
        assert tiles.cards[Approach.GLOBAL].error.text() != before and not declared.document.runner.jobs

    def test_where_it_is_can_be_typed_and_what_was_not_run_is_interpolated(self, declared: CompareWorkspace) -> None:
        tiles = declared.view.tiles
        tiles.field.edit.setText("1")
        assert tiles.at == 1 and tiles.basis.text().startswith(
            f"{ASSUMED}Interpolated between 0.5 and 2, which were run. Mean"
        )
        tiles.slider.setValue(tiles.slider.maximum() - 3)
        assert tiles.at == tiles.field.value == 2 and tiles.basis.text().startswith(f"{ASSUMED}Mean error of 10 tries")
        tiles.field.edit.setText("7")
        assert tiles.at == 2 and not tiles.field.valid

    def test_an_epsilon_is_typed_as_elsewhere_and_a_wrong_one_says_why(self, declared: CompareWorkspace) -> None:
        tiles = declared.view.tiles
        for text, place in (("0,5", 0.5), ("ln 3", math.log(3)), ("4/3", 4 / 3)):
            tiles.field.edit.setText(text)
            assert tiles.at == pytest.approx(place) and tiles.field.valid, text
        said = tiles.least.text()
        tiles.field.edit.setText("-1")
        assert tiles.least.text().startswith("“ε” holds -1; it takes ") and tiles.least.isVisibleTo(declared)
        assert tiles.at == pytest.approx(4 / 3), "what the tiles are about stays"
        tiles.limit.edit.setText("abc")
        tiles.field.edit.setText("4/3")
        assert tiles.least.text() == "“Error that is good enough” holds no number."
        tiles.limit.edit.setText("")
        assert tiles.least.text() == said

    def test_a_number_of_people_that_is_none_is_said_where_it_is_run(self, declared: CompareWorkspace) -> None:
        people, foot = declared.view.basis.form["users"], declared.view.foot
        before, text = foot.cost.text(), people.edit.text()
        people.edit.setText("abc")
        assert "holds no number" in foot.cost.text() != before and not foot.button.isEnabled()
        state = declared.view.chart.state
        assert state.property("message") == "warning" and "“People” holds no number" in state.text
        declared.view.tiles.field.edit.setText("-1")
        declared.view.show_run()
        assert "“People” holds no number" in foot.cost.text(), "it is what keeps from running"
        declared.view.tiles.field.edit.setText("1")
        people.rested.emit()  # somebody leaves it, or types no more
        whose = declared.view.basis.whose
        assert whose.text() == "“People” holds no number." and not whose.isHidden()
        people.edit.setText(text)
        assert foot.cost.text() == before and whose.text() != "“People” holds no number."
        assert state.property("message") is None

    def test_along_epsilon_no_number_changes_its_size(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        tiles = declared.view.tiles
        seen = set[tuple[object, ...]]()
        for wide in (560, 700):
            tiles.setFixedWidth(wide)
            for place in (0.5, 0.75, 1.0, 1.3, 2.0):
                tiles.set_place(place)
                idle(qtbot, declared)
                looks = (one.error.property("heading") for one in tiles.cards.values())
                seen.add((wide, *looks))
        assert len(seen) == 2, seen

    def test_what_is_out_of_date_leads_nowhere(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        view = declared.view
        button = view.tiles.cards[Approach.GLOBAL].button
        there = view.look.found
        assert button.isEnabled() and there is not None
        nothing = replace(there.findings, missing=len(there.findings.keys))
        view.look.found = replace(there, findings=nothing)  # as after another hierarchy
        view.show_run()
        assert not button.isEnabled()

    def test_the_table_of_points_begins_at_its_first_and_names_settings(self, declared: CompareWorkspace) -> None:
        table = declared.view.numbers.table
        heading = [table.model().headerData(one, Qt.Orientation.Horizontal) for one in range(5)]
        assert heading == ["Method", "ε", "Setting", "Shape", "Mean"]
        assert (
            table.texts()[0][:4] == ("Global", "0.5", "Discrete Laplace", "long-tailed")
            and table.verticalScrollBar().value() == 0
        )

    def test_another_question_begins_at_its_own_place(self, declared: CompareWorkspace) -> None:
        tiles, findings = declared.view.tiles, declared.view.chart.shown
        tiles.set_place(2.0)
        tiles.show_findings(replace(findings, rows=7))
        assert tiles.at == 2
        other = replace(findings.experiment, question=replace(findings.experiment.question, statistic=Statistic.SUM))
        tiles.show_findings(replace(findings, experiment=other))
        assert tiles.at == other.looked_at == 0.5

    def test_what_taking_over_sets_is_said_before_it(self, declared: CompareWorkspace) -> None:
        buttons = [card.button.toolTip() for card in declared.view.tiles.cards.values()]
        assert "“age”, 0 to 100, 300 people" in buttons[0] and "replaces the question in Query" in buttons[0]
        assert "quasi-identifying" in buttons[1] and "replaces the plan in Collect" in buttons[2]

    @pytest.mark.parametrize("way", [Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL])
    def test_a_setting_is_taken_over_where_it_is_carried_out(
        self, qtbot: QtBot, declared: CompareWorkspace, way: Approach
    ) -> None:
        rooms: list[str] = []
        declared.go_to.connect(rooms.append)
        declared.view.tiles.set_place(2.0)
        declared.view.tiles.cards[way].button.click()
        project = declared.document.project
        if way is Approach.GLOBAL:
            draft = project.queries.draft
            assert rooms == ["query"] and (draft.kind, draft.epsilon) == ("mean", "2")
            assert (draft.values["lower"], draft.values["upper"]) == ("0", "100")
        elif way is Approach.ANONYMISED:
            assert rooms == ["anonymise"] and project.anonymise.guarantee.epsilon == 2
            assert "age" in project.hierarchies and project.schema["age"].role is Role.QUASI
        else:
            assert rooms == ["collect"] and project.collect.column == "age" and project.collect.epsilon == 2
        idle(qtbot, declared)
        declared.document.undo_stack.undo()
        assert declared.document.project.queries.draft.kind == "count", "one step back takes all of it back"

    def test_true_values_are_behind_the_lock_and_their_tiles_say_so(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        pick(qtbot, declared, declared.view.basis.form["basis"], Basis.ROWS)
        assert now(declared).users is None and declared.view.button.text() == "Run…"
        assert declared.view.chart.state.text == "Not run yet. It asks first, as it looks at the true values."
        assert declared.lock == "Analyst only"
        declared.view.button.click()
        declared.view.first_look.take.click()
        idle(qtbot, declared)
        assert declared.document.session.comparison.looked
        tiles = declared.view.tiles
        assert "(a look)" in tiles.cards[Approach.GLOBAL].button.text()
        assert tiles.least.text().startswith("Off by less than sampling would add (about "), (
            "of what is known it is not the most"
        )

    def test_nothing_moves_while_errors_come_in(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        """Whoever reads a tile or a chart while it runs does not lose it for a line that comes."""
        declared.resize(1016, 700)
        idle(qtbot, declared)
        view = declared.view
        tiles, found = view.tiles, view.chart.shown
        assert found is not None and found.complete
        none = replace(found, complete=False, series=tuple(replace(one, points=()) for one in found.series))
        one = replace(none, series=(found.series[0], *none.series[1:]))
        seen = []
        tiles.show_findings(None)
        for findings in (none, one, found):
            tiles.show_findings(findings)
            QApplication.processEvents()
            seen.append(([card.height() for card in tiles.cards.values()], view.chart.y(), tiles.height()))
        assert seen[0] == seen[1] == seen[2]
        told = tiles.cards[Approach.LOCAL].accessibleDescription()
        assert "\u00a0" not in told.split(", ") and "times at equal privacy" in told

    def test_errors_may_be_about_all_people_sampled_from_as_in_collect(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        """Who asks a sample loses less by trusting nobody than the errors of those asked say."""
        tiles, chosen = declared.view.tiles, declared.view.basis.form["truth"]
        assert chosen.currentText() == "about those asked" and chosen.count() == 2, "all rows are those asked here"
        before = tiles.cards[Approach.GLOBAL].error.text()
        choose_row(chosen, 1)
        assert chosen.currentText() == "about all people sampled from" and now(declared).truth is Truth.POPULATION
        declared.view.run()
        idle(qtbot, declared)
        alone = tiles.least.text()
        assert alone.startswith("Sampling alone is off by at most ") and alone.endswith(", and in every error.")
        assert not tiles.limit.edit.placeholderText(), "none is below that"
        ours = tiles.cards[Approach.GLOBAL]
        assert ours.error.text() != before and ours.why.text() == "Errs by: noise, added once, and sampling"
        assert tiles.basis.text().count("ampling") == 1 and "Mean error with sampling error of" in tiles.basis.text()
        tiles.cards[Approach.LOCAL].button.click()
        assert declared.document.project.collect.sampling, "the plan there is about the same people"

    def test_a_way_that_is_missing_is_added_by_one_click(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        declared.draft.change("fewer", methods=now(declared).methods[:1])
        idle(qtbot, declared)
        card = declared.view.tiles.cards[Approach.LOCAL]
        assert "Not among" in card.problem.text() and card.button.text() == "Add it"
        card.button.click()
        idle(qtbot, declared)
        assert math.isfinite(declared.view.tiles.shown.tiles[2].error)

    def test_without_a_number_of_people_it_is_said_below_the_settings(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        people = declared.view.basis.form["users"].edit
        people.setFocus()
        people.selectAll()
        qtbot.keyClick(people, Qt.Key.Key_Delete)
        enter(qtbot, declared, people, "")
        assert "how many people" in declared.view.cost.text() and now(declared).users == 300

    def test_the_ways_out_are_one_list_and_the_figure_leaves_with_its_caption(
        self, qtbot: QtBot, declared: CompareWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page, target = declared.view.chart, tmp_path / "mine.svg"
        proposed = list[str]()

        def ask(_parent: object, _title: str, name: str, _kinds: str) -> tuple[str, str]:
            proposed.append(Path(name).name)
            return str(target), "SVG (*.svg)"

        monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
        others = ["Numbers (CSV)…", "Everything into a folder…"]
        assert page.save.text() == "Save…" and ways_out(page) == ["Picture with caption…", *others]
        take(page, "Picture")
        idle(qtbot, declared)
        drawn = target.read_text(encoding="utf-8")
        assert "Absolute error of the mean of age (people.csv), limited to" in drawn
        assert re.search(">Enough: 0\\.13[0-9]?<", drawn), "the line of what is good enough leaves too"
        assert f">ε {declared.view.tiles.at:g}<" in drawn, "and that of the place which the caption is about"
        declared.view.tiles.limit.edit.setText("1.5")
        take(page, "Picture")
        idle(qtbot, declared)
        assert ">Enough: 1.5<" in target.read_text(encoding="utf-8"), "as it is typed now"
        assert proposed == ["mean-of-age-people.png"] * 2
        declared.draft.change_figure("no caption", caption=False)
        idle(qtbot, declared)
        assert ways_out(page) == ["Picture…", *others]
        take(page, "Picture")
        idle(qtbot, declared)
        assert "Absolute error of the mean of age" not in target.read_text(encoding="utf-8")

    def test_what_is_saved_goes_beside_the_table_and_then_where_the_last_went(
        self, qtbot: QtBot, declared: CompareWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page, began = declared.view.chart, list[Path]()
        places = [tmp_path / "figures" / "one.png", tmp_path / "elsewhere"]
        places[0].parent.mkdir()
        places[1].mkdir()

        def file(_parent: object, _title: str, name: str, _kinds: str) -> tuple[str, str]:
            began.append(Path(name).parent)
            return str(places[0]), "PNG (*.png)"

        def folder(_parent: object, _title: str, name: str) -> str:
            began.append(Path(name))
            return ""

        monkeypatch.setattr(QFileDialog, "getSaveFileName", file)
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", folder)
        beside = declared.document.session.data.place_beside[0]
        take(page, "Picture")
        idle(qtbot, declared)
        take(page, "Everything")
        declared.document.save_folder = places[1]
        take(page, "Picture")
        idle(qtbot, declared)
        assert began == [beside, places[0].parent, places[1]]

    def test_nothing_of_another_question_leaves(self, qtbot: QtBot, declared: CompareWorkspace, takes: Takes) -> None:
        takes(60.0, 60.0)  # longer than what begins by itself
        page = declared.view.chart
        leaving = (page.copy_picture, page.copy_numbers, page.save)
        assert all(one.isEnabled() for one in leaving) and page.chart.isEnabled()
        declared.draft.change("another seed", seed=5)
        idle(qtbot, declared)
        assert not any(one.isEnabled() for one in leaving) and not page.chart.isEnabled()
        assert declared.view.tiles.headline.text().startswith("Out of date") and not declared.view.numbers.isEnabled()
        declared.draft.change("as before", seed=1)
        idle(qtbot, declared)
        assert all(one.isEnabled() for one in leaving) and page.chart.isEnabled()

    def test_bounds_that_were_typed_are_declared_in_one_click(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        question = declared.view.question
        assert question.adopt.isHidden()
        declared.draft.change_question(
            "bounds", lambda one: replace(one, encoding=replace(one.encoding, bounds=(10.0, 90.0)))
        )
        idle(qtbot, declared)
        assert question.adopt.text() == "Use on every page"
        declared.view.run()
        idle(qtbot, declared)
        assert declared.status() is Status.SUCCESS
        below = declared.view.basis
        place = below.mapTo(declared.view, QPoint(0, 0))
        question.adopt.click()
        idle(qtbot, declared)
        assert declared.document.project.schema["age"].declared().bounds == (10.0, 90.0)
        assert question.adopt.isHidden() and question.comes_from == "typed"
        # It says the same as before: what was found of it stays, and nothing moves under the pointer.
        assert declared.status() is Status.SUCCESS and declared.view.tiles.isEnabled()
        assert below.mapTo(declared.view, QPoint(0, 0)) == place

    def test_bounds_count_as_they_are_typed_and_come_back_with_their_column(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        question = unseen.view.question
        low, high = (one.edit for one in question.bounds.numbers)
        qtbot.keyClicks(low, "16")
        qtbot.keyClicks(high, "1")
        qtbot.wait(1)
        idle(qtbot, unseen)
        assert now(unseen).question.encoding.bounds is None, "nobody means 1 above 16"
        qtbot.keyClicks(high, "00")
        idle(qtbot, unseen)
        assert now(unseen).question.encoding.bounds == (16.0, 100.0) and unseen.view.can_run
        others = [one for one in unseen.document.project.schema.names if one != "age"]
        pick(qtbot, unseen, question.column, others[0])
        pick(qtbot, unseen, question.column, "age")
        assert now(unseen).question.encoding.bounds == (16.0, 100.0) and high.text() == "100"

    @pytest.mark.parametrize("typed", [("16", "100"), ("100", "16"), ("x", "3"), ("1e400", "100")])
    @pytest.mark.parametrize("wide", [816, 1064])
    def test_nothing_moves_while_bounds_are_typed(
        self, qtbot: QtBot, unseen: CompareWorkspace, typed: tuple[str, str], wide: int
    ) -> None:
        unseen.resize(wide, 700)
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        view = unseen.view
        below = (view.question.measure, view.basis.form["users"], *view.folds)

        def places() -> list[int]:
            qtbot.wait(1)
            idle(qtbot, unseen)
            return [one.mapTo(view, QPoint()).y() for one in below]

        before = places()
        for field, text in zip(view.question.bounds.numbers, typed, strict=True):
            for key in text:
                qtbot.keyClicks(field.edit, key)
                assert places() == before, (text, key, view.question.said.text())
        view.question.source.setFocus()
        assert places() == before

    def test_nothing_moves_while_values_are_typed(self, qtbot: QtBot, opened: CompareWorkspace) -> None:
        """After a look two things are offered above the list, and one once it is begun."""
        opened.no_experiment.primary.emit()
        idle(qtbot, opened)
        pick(qtbot, opened, opened.view.question.column, "town")
        view = opened.view
        values, below = view.question.values, (view.question.values, view.question.outside, view.basis.form["users"])

        def places() -> list[int]:
            qtbot.wait(1)
            idle(qtbot, opened)
            return [one.mapTo(view, QPoint()).y() for one in below]

        before = places()
        assert view.question.declare.isVisible() and view.question.adopt.isVisible()
        for typed in ("Bern", "Bern\nBasel", "Bern\nBasel\nChur", ""):
            values.setPlainText(typed)
            values.tell()
            assert places() == before, typed

    def test_a_number_of_people_that_was_said_is_taken(self, qtbot: QtBot, unseen: CompareWorkspace) -> None:
        project = unseen.document.project
        trim = replace(project.anonymise.trim, expected_rows=4321)
        unseen.document.apply("rows", lambda session: session.release.set_trimming(trim))
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        assert now(unseen).users == 4321 and not unseen.view.basis.whose.text()

    def test_values_that_occur_are_taken_where_somebody_says_that_they_are_public(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        """On a public shape nothing is read behind anybody's back, so they are put where they can be seen."""
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        question, schema = unseen.view.question, unseen.document.project.schema
        name = next(one.name for one in schema.columns if not one.kind.numeric)
        pick(qtbot, unseen, question.column, name)
        pick(qtbot, unseen, question.source, "assumed")
        asked = now(unseen).question.encoding
        assert asked.domain and not asked.assume_public and question.comes_from == "typed"
        assert question.values.toPlainText().splitlines() == list(asked.domain) and unseen.view.can_run

    def test_where_no_values_are_declared_they_are_typed_at_once(self, qtbot: QtBot, unseen: CompareWorkspace) -> None:
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        question, schema = unseen.view.question, unseen.document.project.schema
        name = next(one.name for one in schema.columns if not one.kind.numeric)
        pick(qtbot, unseen, question.column, name)
        assert question.comes_from == "typed" and question.values.isVisibleTo(unseen.view)
        assert not unseen.view.can_run and question.adopt.isHidden(), "of the data nothing is offered before a look"
        question.values.setPlainText("a\nb")
        question.values.tell()
        idle(qtbot, unseen)
        assert now(unseen).question.encoding.domain == ("a", "b") and unseen.view.can_run
        assert question.adopt.text() == "Use on every page"

    def test_no_question_is_wider_than_its_pane(self, qtbot: QtBot, opened: CompareWorkspace) -> None:
        """Nothing scrolls sideways there, so what is wider is cut."""
        opened.resize(1280, 800)
        opened.no_experiment.primary.emit()
        for fold in opened.view.folds:
            fold.set_open(True)
        idle(qtbot, opened)
        area = opened.view._settings
        assert area.widget() is not None
        for name in opened.document.project.schema.names:
            pick(qtbot, opened, opened.view.question.column, name)
            QApplication.processEvents()
            assert area.widget().minimumSizeHint().width() <= area.viewport().width(), name
        assert opened.view.question.adopt.isVisible() and opened.view.question.declare.isVisible()

    def test_what_is_not_told_apart_is_marked_and_run_more_often_at_a_press(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        """Equal errors known to ± 20 % each are neither as good nor worse: 20 tries become the 300 that tell."""
        asked = experiment(basis=Basis.UNIFORM, users=200, repetitions=20, places=(1.0,))
        add(qtbot, unseen, asked)
        tiles = unseen.view.tiles
        ways = MethodChoice("best-global"), MethodChoice("best-anonymised"), MethodChoice("best-local")
        series = tuple(
            ErrorSeries(one, one.name, one.method.approach, (Point(one.name, 1.0, mean, mean, mean, 20, 0.02),))
            for one, mean in zip(ways, (0.2, 0.2, 9.0), strict=True)
        )
        tiles.setEnabled(True)
        tiles.show_findings(Findings(asked, series, 200))
        ours, released, local = tiles.cards.values()
        assert "Not told apart" in (released.tied.text, released.tied.accessibleName()) and not released.tied.isHidden()
        assert ours.tied.isHidden() and local.tied.isHidden()
        assert released.times.text() == "not told apart from Global" and "0.75 to 1.4" in released.times.toolTip()
        assert not tiles.more.isHidden() and tiles.more.text() == "Repeat 300 times"
        tiles.more.click()
        assert now(unseen).repetitions == 300 and unseen.view.run_of.running
        unseen.view.run_of.cancel()
        idle(qtbot, unseen)

    def test_a_tile_and_the_caption_name_the_shape_and_the_bounds(self, declared: CompareWorkspace) -> None:
        tiles, words = declared.view.tiles, declared.view.chart.words.text()
        shown = [one.error.toolTip().removesuffix(".").partition(" % of range, ") for one in tiles.cards.values()]
        assert all(float(share) < 20 for share, _, _ in shown), "how bad the error is"
        # Which shape is the worst is said where tries show it.
        assert all("worst on " in shape or shape == "no shape clearly the worst" for _, _, shape in shown)
        assert "each way’s worst of smooth, spiky, long-tailed and equal shares" in words
        advice = " Take Global if a curator is trusted: the smallest error. If nobody is, no way is enough here. "
        assert (
            f"{advice}Global is not enough at any ε run (sampling adds at least 0.131)." in words
            and "At ε = 0.5 Global errs by " in words
        )
        low, high = declared.document.project.schema["age"].declared().bounds or (0.0, 0.0)
        assert f"mean of age (people.csv), limited to {low:g} to {high:g}, against" in words
        assert "equal shares shape" not in words

    def test_bounds_that_were_read_are_declared_where_they_are_asked_for(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        declared.document.apply("read", lambda one: one.data.set_bounds("age", (1.0, 99.0), observed=True))
        idle(qtbot, declared)
        question = declared.view.question
        assert question.adopt.text() == "What occurs is public" and not declared.view.can_run
        question.adopt.click()
        idle(qtbot, declared)
        assert declared.document.project.schema["age"].declared().bounds == (1.0, 99.0) and declared.view.can_run

    def test_the_number_of_rows_is_taken_after_a_look_or_as_public(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        basis, desk = declared.view.basis, declared.document.session.comparison
        basis.own_rows.click()
        assert not basis.look.isHidden() and now(declared).users == 300 and not desk.looked
        rows = declared.document.session.data.table.rows
        basis.look.known.click()  # on one's word, as values are that are called public
        idle(qtbot, declared)
        assert not desk.looked and now(declared).users == rows and basis.look.isHidden()
        assert now(declared).public_total, "that everybody may know the number was said"
        declared.document.undo_stack.undo()
        idle(qtbot, declared)
        assert now(declared).users == 300 and not now(declared).public_total
        basis.own_rows.click()
        asked = basis.look
        assert asked.known.isVisibleTo(basis) and not asked.take.isVisibleTo(basis), "first whether everybody may know"
        asked.instead.click()
        assert not asked.known.isVisibleTo(basis) and asked.words.isVisibleTo(basis)
        basis.look.take.click()
        idle(qtbot, declared)
        assert desk.looked and now(declared).users == rows and now(declared).basis.public
        assert not now(declared).public_total, "a look makes nothing public"
        basis.own_rows.click()
        assert basis.look.isHidden()

    def test_another_plan_is_replaced_only_after_being_asked(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        declared.document.apply("plan", lambda session: session.collection.change(column="town", users=77))
        idle(qtbot, declared)
        assert declared.document.project.collect.users == 77
        button = declared.view.tiles.cards[Approach.LOCAL].button
        button.click()
        assert declared.document.project.collect.column == "town" and button.text() == "Replace the plan of “town”?"
        button.click()
        plan = declared.document.project.collect
        assert (plan.column, plan.users) == ("age", 300)
        idle(qtbot, declared)
        button.click()
        assert "Replace" not in button.text(), "what was taken over from here is no plan of its own"

    def test_a_question_before_another_plan_is_replaced_is_not_cut_unseen(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        card = declared.view.tiles.cards[Approach.LOCAL]
        for words in ("Replace the plan of “monthly wage”?", f"Replace the plan of “{'wage ' * 20}”?"):
            card.ask(words)
            idle(qtbot, declared)
            shown = card.button.text()
            assert card.button.width() >= card.button.sizeHint().width() and card.button.geometry().left() >= 0
            assert shown == words or (shown.startswith("Replace") and "…" in shown)
            assert card.button.toolTip() == words and words in card.button.accessibleName()

    def test_bounds_that_were_typed_elsewhere_are_offered(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        document = declared.document
        draft = QueryDraft("mean", "1", {"column": "age", "lower": "10", "upper": "95"})
        document.apply("bounds", lambda session: session.data.set_bounds("age", None))
        document.apply("ask", lambda session: session.queries.set_draft(draft))
        idle(qtbot, declared)
        declared.view.question.show_again()
        adopt = declared.view.question.adopt
        assert adopt.text() == "Use 10 to 95" and "typed in Query" in adopt.toolTip()
        adopt.click()
        idle(qtbot, declared)
        assert document.project.schema["age"].declared().bounds == (10.0, 95.0) and declared.view.can_run
        assert declared.view.question.comes_from == "declared", "nobody typed any here, and no empty fields say so"

    def test_two_offers_stand_one_below_the_other_and_widen_nothing(
        self, qtbot: QtBot, declared: CompareWorkspace
    ) -> None:
        document, question = declared.document, declared.view.question
        draft = QueryDraft("mean", "1", {"column": "age", "lower": "0", "upper": "250000"})
        document.apply("bounds", lambda session: session.data.set_bounds("age", None))
        document.apply("ask", lambda session: session.queries.set_draft(draft))
        idle(qtbot, declared)
        question.show_again()
        offers = (question.declare, question.adopt)
        assert not any(offer.isHidden() for offer in offers)
        line = question.adopt.parentWidget()
        assert line is not None and line.minimumSizeHint().width() < sum(offer.sizeHint().width() for offer in offers)

    def test_bounds_found_first_are_followed_to_their_question(self, declared: CompareWorkspace) -> None:
        session, setting = declared.document.session, MethodChoice("global-narrowed")
        assert follow(session, now(declared), setting, 2.0) == "query"
        draft = session.queries.settings.draft
        assert (draft.kind, draft.values["figure"], draft.values["column"]) == ("narrowed", "mean", "age")
        assert (draft.assumed_rows, draft.rows_typed) == (now(declared).users, True) == (300, True)

    def test_the_rows_that_a_look_has_told_are_not_followed(self, declared: CompareWorkspace) -> None:
        session, setting = declared.document.session, MethodChoice("global-grid")
        session.comparison.look()
        follow(session, now(declared), setting, 2.0)
        assert not session.queries.settings.draft.rows_typed

    def test_the_size_of_a_column_is_one_choice(self, qtbot: QtBot, declared: CompareWorkspace) -> None:
        panel = declared.view.chart.panel
        declared.view.chart.adjust.click()
        assert panel.print_size.chosen == "17 cm"
        pick(qtbot, declared, panel.print_size, "8.5 cm")
        figure = declared.draft.current.figure
        assert (figure.width, figure.text) == (3.35, 7.5)
