"""The question of an experiment, its methods and its range, and the look that is asked about before it runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    add,
    enter,
    experiment,
    means,
    now,
    run,
    shown_words,
)
from tests.gui.helpers import idle, pick
from workbench.evaluate.experiment import Axis, Basis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.places import Density
from workbench.evaluate.preset import PRESETS
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.question import Metric, Question, Statistic, metrics_for
from workbench.gui.document import Document
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.ldp.encoding import EncodingChoice


class TestQuestion:
    def test_bounds_are_needed_and_can_be_typed(self, qtbot: QtBot, opened: CompareWorkspace) -> None:
        add(qtbot, opened, experiment(question=Question(Statistic.MEAN, "age")))
        assert opened.view.question.problem is not None and opened.view.question.declare.isVisible()
        pick(qtbot, opened, opened.view.question.source, "typed")
        low, high = opened.view.question.bounds.numbers
        low.set_value(0)
        enter(qtbot, opened, high.edit, "100")
        assert now(opened).question.encoding.bounds == (0.0, 100.0)
        assert opened.view.question.problem is None and opened.view.button.isEnabled()

    def test_bounds_from_the_data_are_called_an_assumption(self, qtbot: QtBot, opened: CompareWorkspace) -> None:
        add(qtbot, opened, experiment(question=Question(Statistic.MEAN, "age")))
        pick(qtbot, opened, opened.view.question.source, "assumed")
        assert now(opened).question.encoding.assume_public
        assert "only assumed" in opened.view.question.said.text()
        run(qtbot, opened)
        assert "only assumed to be public" in opened.view.chart.words.text()

    def test_histograms_and_counts_have_measures_bars_and_axes_of_their_own(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        pick(qtbot, workspace, workspace.view.question.statistic, Statistic.HISTOGRAM)
        assert str(now(workspace).metric) == "manhattan-normalised"
        assert workspace.view.question.bins.isVisible()
        workspace.view.question.bins.setValue(4)
        idle(qtbot, workspace)
        assert now(workspace).question.encoding.bins == 4
        run(qtbot, workspace)
        assert len(means(workspace)) == 6
        pick(qtbot, workspace, workspace.view.grid.axis, Axis.BINS)
        assert now(workspace).axis is Axis.BINS
        pick(qtbot, workspace, workspace.view.question.statistic, Statistic.COUNT)
        assert now(workspace).axis is Axis.EPSILON
        enter(qtbot, workspace, workspace.view.question.answer, "30")
        assert now(workspace).question.encoding.answer == "30" and workspace.view.button.isEnabled()

    def test_a_column_without_numbers_gets_a_histogram(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        pick(qtbot, workspace, workspace.view.question.column, "town")
        assert now(workspace).question == Question(Statistic.HISTOGRAM, "town", EncodingChoice(bins=5))

    def test_a_value_outside_a_list_is_said_where_the_question_is(self, qtbot: QtBot, opened: CompareWorkspace) -> None:
        wanted = Question(Statistic.HISTOGRAM, "town", EncodingChoice(domain=("Bern", "Basel")))
        add(qtbot, opened, Experiment(wanted, Metric.parse("manhattan"), repetitions=5))
        assert "Chur" in opened.view.question.said.text() and not opened.view.button.isEnabled()


class TestMethods:
    def test_the_best_release_of_a_column_without_a_hierarchy_needs_no_level(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        workspace.view.methods.rows["best-anonymised"].tick.click()
        idle(qtbot, workspace)
        chosen = next(one for one in now(workspace).methods if one.identifier == "best-anonymised")
        assert not chosen.checked()

    def test_a_tick_is_a_curve_and_undo_takes_it_back(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        workspace.view.methods.rows["global-diffprivlib"].tick.click()
        idle(qtbot, workspace)
        names = [one.identifier for one in now(workspace).methods]
        assert names == ["global-grid", "global-diffprivlib", "uniform"]
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert len(now(workspace).methods) == 2
        assert not workspace.view.methods.rows["global-diffprivlib"].tick.isChecked()
        told: list[object] = []
        workspace.document.failed.connect(told.append)
        workspace.draft.change("one", methods=(MethodChoice("uniform"),))
        idle(qtbot, workspace)
        workspace.view.methods.rows["uniform"].tick.click()
        idle(qtbot, workspace)
        assert len(told) == 1 and workspace.view.methods.rows["uniform"].tick.isChecked()

    def test_protocols_that_cannot_answer_are_grey_and_others_have_parameters(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        pick(qtbot, workspace, workspace.view.question.statistic, Statistic.HISTOGRAM)
        assert "local:duchi" not in workspace.view.methods.rows
        workspace.view.methods.protocols.button.click()
        duchi = workspace.view.methods.rows["local:duchi"]
        assert not duchi.tick.isEnabled() and "mean" in duchi.tick.toolTip()
        assert workspace.view.methods.rows["local:oue"].tick.isEnabled()
        row = workspace.view.methods.rows["local:subset-selection"]
        row.tick.click()
        idle(qtbot, workspace)
        row.more.click()
        options = row.curves[0].options
        assert options is not None and options.protocol is not None
        name = next(iter(options.protocol.fields))
        options._set_protocol(name, 2)
        idle(qtbot, workspace)
        chosen = next(one for one in now(workspace).methods if one.identifier == "local")
        assert chosen.values["protocol"] == f"subset-selection={name}:2"
        assert row.tick.isChecked() and "subset" in chosen.name.lower()

    def test_one_method_can_have_several_curves_with_options_of_their_own(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        row = workspace.view.methods.rows["anonymised"]
        row.tick.click()
        idle(qtbot, workspace)
        assert now(workspace).methods[1].checked()["level"] == 0  # the column has no hierarchy
        row.add.click()
        idle(qtbot, workspace)
        levels = [one.checked()["level"] for one in now(workspace).methods if one.identifier == "anonymised"]
        assert levels == [0, 1]
        assert "no hierarchy" in row.curves[1].problem.text() and not row.curves[0].problem.text()
        options = row.curves[1].options
        assert options is not None
        enter(qtbot, workspace, options.fields.fields["delta"], "1/n")
        assert now(workspace).methods[2].checked()["delta"] == "1/n" and "1/n" in row.curves[1].words.full_text
        line = row.curves[1]
        line.less.click()
        left = now(workspace).methods
        line.removed.emit()  # pressed again before it is gone
        line.less.click()
        assert now(workspace).methods == left
        idle(qtbot, workspace)
        assert [one.identifier for one in now(workspace).methods] == ["global-grid", "anonymised", "uniform"]

    def test_an_own_epsilon_only_where_it_does_not_change_along_the_axis(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        row = workspace.view.methods.rows["global-grid"]
        row.more.click()
        options = row.curves[0].options
        assert options is not None and options.epsilon.isHidden()
        pick(qtbot, workspace, workspace.view.grid.axis, Axis.USERS)
        assert not options.epsilon.isHidden()
        enter(qtbot, workspace, options.epsilon.edit, "0.25")
        assert now(workspace).methods[0].epsilon == 0.25
        pick(qtbot, workspace, workspace.view.grid.axis, Axis.EPSILON)
        assert now(workspace).methods[0].epsilon is None


class TestRange:
    def test_ends_and_density_fill_the_axis_and_the_impossible_is_said(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        enter(qtbot, workspace, workspace.view.grid.high.edit, "10")
        assert now(workspace).places == (0.5, 1.0, 2.0, 5.0, 10.0)
        pick(qtbot, workspace, workspace.view.grid.density, Density.SOME)
        assert now(workspace).places == (0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)
        enter(qtbot, workspace, workspace.view.grid.places, "0.3, 3")
        assert now(workspace).places == (0.3, 3.0)
        enter(qtbot, workspace, workspace.view.grid.places, "1, two")
        assert "no list of numbers" in workspace.view.cost.text() and workspace.view.cost.property("tone") == "error"
        enter(qtbot, workspace, workspace.view.grid.places, "-1, 2")
        assert "above 0" in workspace.view.cost.text()
        assert now(workspace).places == (0.3, 3.0)
        enter(qtbot, workspace, workspace.view.grid.places, "1, 2")
        assert "above 0" not in workspace.view.cost.text()


class TestLooking:
    def test_the_first_run_asks_and_records_the_look_before_anything_runs(
        self, qtbot: QtBot, unseen: CompareWorkspace
    ) -> None:
        desk = unseen.document.session.comparison
        add(qtbot, unseen, experiment())
        view = unseen.view
        assert view.button.text() == "Run…" and view.first_look.isHidden()
        unseen.run()
        idle(qtbot, unseen)
        assert view.first_look.isVisible() and not view.button.isEnabled()
        assert "A release that is drawn later promises less" in view.first_look.words.text()
        ground = view.first_look.words.parentWidget()
        assert ground is not None and ground.property("message") == "warning", "it stands out"
        assert view.first_look.words.text().count("\n• ") == 3, "one thing a line"
        assert not desk.looked and view.chart.shown is None
        view.first_look.not_now.click()
        idle(qtbot, unseen)
        assert view.first_look.isHidden() and view.button.isEnabled() and not desk.looked
        view.button.click()
        view.first_look.take.click()
        idle(qtbot, unseen)
        assert desk.looked and view.first_look.isHidden()
        assert unseen.status() is Status.SUCCESS and view.chart.shown is not None
        unseen.draft.change("More repetitions", repetitions=25)
        idle(qtbot, unseen)
        assert view.button.text() == "Run"

    def test_a_figure_whose_column_has_no_public_bounds_asks_for_no_look(
        self, qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(vars(figure_named("3.1")), "repetitions", 2)
        page, reached = unseen.figure, list[tuple[str, str]]()
        unseen.reach_requested.connect(lambda room, field: reached.append((room, field)))
        unseen.show_figure("figure-3.1")
        page.run()
        idle(qtbot, unseen)
        made = page.found["figure-3.1"]
        assert made[0].complete and page.declare.isHidden()
        page.data.choose("age")
        page.data.activated.emit(1)
        assert page.state.text.startswith("Figure 3.1 needs the public bounds of “age”, which are not declared.")
        assert not page.button.isEnabled()
        page.run()
        assert page.first_look.isHidden() and not unseen.document.session.comparison.looked
        assert page.found["figure-3.1"] is made, "the old result stays"
        page.declare.click()
        assert reached == [("data", "kinds:age")]
        unseen.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 100.0)))
        idle(qtbot, unseen)
        unseen.refresh()
        assert page.declare.isHidden() and page.button.isEnabled()
        page.run()
        assert not page.first_look.isHidden(), "now the look is asked for"

    def test_figures_of_ones_own_column_ask_too(
        self, qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add(qtbot, unseen, experiment())
        preset = unseen.preset
        monkeypatch.setitem(vars(PRESETS["salary-histograms"]), "repetitions", 2)
        unseen.show_preset("salary-histograms")
        pick(qtbot, unseen, preset.form.data, "age")
        preset.button.click()
        idle(qtbot, unseen)
        assert not preset.found and not preset.first_look.isHidden()
        unseen.document.session.comparison.look()
        unseen.refresh()
        assert preset.first_look.isHidden(), "one look is enough"

    def test_nothing_before_the_look_tells_one_row(
        self, qtbot: QtBot, unseen: CompareWorkspace, table: Path, tmp_path: Path
    ) -> None:
        found, empty = [], unseen.document.project
        for more in ("", "81,Uri\n"):
            folder = tmp_path / f"more {bool(more)}"
            folder.mkdir()
            (folder / "people.csv").write_text(table.read_text(encoding="utf-8") + more, encoding="utf-8")
            unseen.document.apply("Begin again", lambda session: setattr(session, "project", empty))
            unseen.document.open_data(folder / "people.csv")
            idle(qtbot, unseen)
            of_town = Question(Statistic.COUNT, "town", EncodingChoice(answer="Bern"))
            told = []
            for asked in (experiment(), experiment(question=of_town), experiment(users=1000)):
                add(qtbot, unseen, asked)
                unseen.run()
                idle(qtbot, unseen)
                told.append(shown_words(unseen))
                unseen.view.first_look.not_now.click()
            found.append(told)
        assert found[0] == found[1]


def test_a_column_of_the_table_before_is_not_asked_about(qtbot: QtBot, workspace: CompareWorkspace) -> None:
    asked, before = workspace.view.question, workspace.document.project
    asked.column.addItem("gone", "gone")
    asked.column.choose("gone")
    asked.column.activated.emit(asked.column.currentIndex())
    idle(qtbot, workspace)
    assert workspace.document.project == before
    assert asked.asked_column() == "age"


def test_an_expected_number_that_nobody_can_be_tried_on_is_left_open(qtbot: QtBot, opened: CompareWorkspace) -> None:
    trim = replace(opened.document.project.anonymise.trim, expected_rows=10**12)
    opened.document.apply("expect", lambda session: session.release.set_trimming(trim))
    opened.draft.add()
    assert now(opened).users != 10**12


def test_values_that_were_typed_in_collect_are_offered(
    qtbot: QtBot, document: Document, unseen: CompareWorkspace
) -> None:
    assert document.apply(
        "plan",
        lambda session: session.collection.change(
            column="town", encoding=EncodingChoice(domain=("Basel", "Bern", "Chur"))
        ),
    )
    unseen._begin()
    add(qtbot, unseen, experiment(question=Question(Statistic.HISTOGRAM, "town"), basis=Basis.SMOOTH, users=500))
    section = unseen.view.question
    assert section.adopt.isVisible() and section.adopt.text() == "Use the 3 from Collect"
    section.adopt.click()
    idle(qtbot, unseen)
    assert document.project.schema["town"].domain == ("Basel", "Bern", "Chur")
    assert unseen.view.can_run
    document.undo_stack.undo()
    idle(qtbot, unseen)
    section.values.setPlainText("B")
    idle(qtbot, unseen)
    assert section.adopt.text() == "Use on every page"


def test_where_the_number_may_be_public_it_is_said_what_that_changes_and_elsewhere_nothing(
    qtbot: QtBot, unseen: CompareWorkspace
) -> None:
    add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200))
    basis = unseen.view.basis
    assert not basis.ticked.isVisible() and not basis.form["public_total"].isVisible()
    town = Question(Statistic.HISTOGRAM, "town", EncodingChoice(domain=("A", "B")))
    unseen.draft.change("towns", question=town, metric=metrics_for(Statistic.HISTOGRAM)[0])
    idle(qtbot, unseen)
    assert basis.form["public_total"].isVisible() and basis.ticked.isVisible()
    assert basis.ticked.text() == "Errors can get a little smaller, but Query charges twice as much ε."
    assert "2 ε, which hides what one person answered" in basis.ticked.toolTip().replace("\n", " ")
