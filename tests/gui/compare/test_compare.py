"""The Compare workspace, through its widgets and the document."""

from __future__ import annotations

import json
import shlex
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import (
    PATIENCE_MS,
    Takes,
    add,
    begun_by_itself,
    come_again,
    enter,
    experiment,
    means,
    now,
    run,
    shown_words,
)
from tests.gui.helpers import idle, pick
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Kind, Misfits
from workbench.evaluate.experiment import Axis, Basis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.places import Density
from workbench.evaluate.preset import PRESETS
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.question import Metric, Question, Statistic
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.gui.next_step import Way
from workbench.gui.theme import Theme
from workbench.gui.widgets import number_field
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.io.dialect import Dialect
from workbench.ldp.encoding import EncodingChoice
from workbench.project.model import DataSource
from workbench.project.storage import load_project


class TestRoom:
    def test_stands_between_collect_and_mechanisms(self) -> None:
        keys = [room.key for room in ROOMS]
        assert keys.index("collect") + 1 == keys.index("compare") == keys.index("mechanisms") - 1

    def test_while_a_table_is_awaited_another_or_published_figures_are_offered(
        self, qtbot: QtBot, empty: CompareWorkspace
    ) -> None:
        empty.document.session.state.change(data=DataSource("there.csv", "", 3, Dialect()))
        empty.document.changed.emit("data")
        idle(qtbot, empty)
        assert empty.pages.currentWidget() is empty.no_data
        with qtbot.waitSignal(empty.open_requested):
            empty.no_data.primary.emit()
        empty.no_data.secondary_buttons[0].click()
        assert empty.views.pages.currentIndex() == 1 and empty.presets.currentWidget() is empty.gallery
        assert set(empty.gallery.cards) == {preset.identifier for preset in PRESETS}
        assert empty.status() is None and empty.next_hint() == ""
        # From the figures a step leads to a question of one's own, for which a sample will do.
        empty.gallery.own.click()
        assert empty.views.pages.currentIndex() == 0 and empty.pages.currentWidget() is empty.no_data
        with qtbot.waitSignal(empty.path_wanted) as told:
            empty.no_data.secondary_buttons[1].click()
        assert [path.name for path in told.args] == ["baltimore_salaries.csv"]

    def test_what_can_be_run_is_the_hint(self, workspace: CompareWorkspace) -> None:
        assert workspace.view.can_run and workspace.next_hint() == "Run the experiment"

    def test_an_experiment_begins_with_what_suits_the_data(self, qtbot: QtBot, unseen: CompareWorkspace) -> None:
        assert unseen.pages.currentWidget() is unseen.no_experiment
        unseen.no_experiment.primary.emit()
        idle(qtbot, unseen)
        view = unseen.view
        assert unseen.pages.currentWidget() is view
        assert now(unseen).question.column == "age" and now(unseen).question.statistic is Statistic.MEAN
        assert (
            now(unseen).basis.public and not view.button.isEnabled() and view.cost.text().startswith("Type from and to")
        )
        assert view.question.comes_from == "typed", "the bounds that are lacking can be typed at once"
        assert unseen.next_hint() == "", "what cannot be run is no hint"

    def test_whoever_comes_with_a_table_finds_the_answer_as_soon_as_nothing_is_lacking(
        self, qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        small = experiment(question=Question(Statistic.MEAN, "age"), basis=Basis.UNIFORM, users=200)
        monkeypatch.setattr(unseen.draft, "suited", lambda: small)
        before = unseen.document.project
        come_again(qtbot, unseen)
        assert unseen.pages.currentWidget() is unseen.view and now(unseen) == small
        assert unseen.document.project == before, "to look at it is no edit"
        assert unseen.view.cost.text().startswith("Type from and to") and unseen.view.chart.shown is None
        below = unseen.view.basis.mapTo(unseen, QPoint())
        unseen.focus_first()
        assert unseen.focusWidget() is unseen.view.question.bounds.numbers[0].edit, "what is lacking is typed at once"
        for field, text in zip(unseen.view.question.bounds.numbers, ("20", "80"), strict=True):
            enter(qtbot, unseen, field.edit, text)
        assert unseen.view.basis.mapTo(unseen, QPoint()) == below, "nothing jumps under the pointer"
        assert len(unseen.document.project.comparing.documents) == 1 and unseen.draft.index == 0
        shown = unseen.view.chart.shown
        assert shown is not None and shown.complete and shown.experiment == now(unseen)
        assert unseen.view.status is Status.SUCCESS

    def test_nothing_begins_by_itself_or_takes_the_cursor_while_somebody_types(
        self, qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        small = experiment(question=Question(Statistic.MEAN, "age"), basis=Basis.UNIFORM, users=200)
        monkeypatch.setattr(unseen.draft, "suited", lambda: small)
        monkeypatch.setattr(number_field, "_PAUSE_MS", 10**6)  # they go on typing before it is taken for the end
        come_again(qtbot, unseen)
        view = unseen.view
        least, most = (field.edit for field in view.question.bounds.numbers)
        enter(qtbot, unseen, least, "0")
        most.setFocus()
        qtbot.keyClicks(most, "1")
        idle(qtbot, unseen)
        assert now(unseen).question.encoding.bounds == (0, 1), "what is typed so far is in force"
        assert not view.run_of.running and view.chart.shown is None and unseen.focusWidget() is most
        qtbot.keyClicks(most, "00")
        idle(qtbot, unseen)
        assert most.text() == "100" and view.chart.shown is None
        people = view.basis.form["users"]
        assert isinstance(people, NumberField)
        people.edit.setFocus()
        most.editingFinished.emit()  # as where a window is active
        idle(qtbot, unseen)
        shown = view.chart.shown
        assert shown is not None and shown.experiment == now(unseen), "it begins where the field is left"
        assert unseen.focusWidget() is people.edit, "and nobody is taken out of the next"
        told = [view.parts.tabs.tabText(one) for one in range(2)]
        assert view.parts.tabs.isVisible() and told == ["Experiment", "What was found: ready"]
        view.parts.show_part(1)
        assert view.parts.tabs.tabText(1) == "What was found"

    @pytest.mark.parametrize("typed", [True, False])
    def test_the_number_of_people_that_was_typed_is_there_after_the_true_values(
        self, qtbot: QtBot, workspace: CompareWorkspace, typed: bool
    ) -> None:
        draft = workspace.draft
        assert draft.change_basis(Basis.UNIFORM) and now(workspace).users == 1_000
        if typed:
            draft.change("people", users=3_000)
        draft.change_basis(Basis.ROWS)
        assert now(workspace).users is None
        draft.change_basis(Basis.SMOOTH)
        assert now(workspace).users == (3_000 if typed else 1_000)

    def test_an_experiment_of_the_project_is_run_again_when_somebody_comes(
        self, qtbot: QtBot, unseen: CompareWorkspace, takes: Takes
    ) -> None:
        takes(60.0, 60.0)
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200))
        assert unseen.view.chart.shown is None
        come_again(qtbot, unseen)
        assert unseen.view.status is Status.SUCCESS
        unseen.draft.change("more", repetitions=30)
        idle(qtbot, unseen)
        assert unseen.view.status is Status.WARNING, "what takes long is asked again by a person"

    def test_what_nobody_asked_for_ends_where_it_is_left_and_goes_on_afterwards(
        self, qtbot: QtBot, unseen: CompareWorkspace, takes: Takes
    ) -> None:
        takes(60.0, 60.0)
        view = begun_by_itself(qtbot, unseen)
        unseen.hide()
        idle(qtbot, unseen)
        assert not view.run_of.running and view.status is not Status.WARNING
        unseen.draft.change("fewer", repetitions=20)
        come_again(qtbot, unseen)
        assert view.status is Status.SUCCESS
        # What a person stops stays so.
        unseen.draft.change("more", repetitions=3000)
        idle(qtbot, unseen)
        view.button.click()
        view.cancel.click()
        idle(qtbot, unseen)
        assert not view.run_of.running and view.run_of.unasked is None

    def test_leaving_says_that_what_nobody_asked_for_stops(self, qtbot: QtBot, unseen: CompareWorkspace) -> None:
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200, repetitions=3000))
        window = QWidget()
        unseen.hide()
        unseen.setParent(window)
        window.show()
        unseen.show()
        qtbot.waitUntil(lambda: unseen.view.run_of.runs_unasked, timeout=PATIENCE_MS)
        with qtbot.waitSignal(unseen.document.noted) as told:
            unseen.hide()
        assert told.args == ["info", "The comparison stops while you are elsewhere, and goes on in Compare."]
        idle(qtbot, unseen)
        unseen.setParent(None)
        window.close()

    def test_run_is_never_cancel_under_the_pointer(self, qtbot: QtBot, unseen: CompareWorkspace) -> None:
        view = begun_by_itself(qtbot, unseen)
        assert view.button.text() == "Run" and view.button.isEnabled() and not view.pause.isVisible()
        view.button.click()
        assert view.run_of.running and not view.run_of.runs_unasked and view.button.text() == "Running…"
        view.button.click()
        assert view.run_of.running and not view.run_of.cancelling, "an impatient second press"
        view.cancel.click()
        idle(qtbot, unseen)
        assert view.button.text() == "Run" and not view.run_of.running and view.cancel.isHidden()

    @pytest.mark.parametrize("wide", [1064, 816])
    def test_a_second_press_of_run_hits_run(self, qtbot: QtBot, workspace: CompareWorkspace, wide: int) -> None:
        workspace.resize(wide, 700)
        workspace.draft.change("longer", repetitions=3000)
        idle(qtbot, workspace)
        view = workspace.view
        before = QRect(view.button.mapTo(view, QPoint()), view.button.size())
        view.button.setFocus()
        qtbot.mouseClick(view.button, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        if wide > 900:
            for other in (view.pause, view.cancel):
                here = QRect(other.mapTo(view, QPoint()), other.size())
                assert other.isVisible() and not here.intersects(before), other.text()
            assert view.button.mapTo(view, QPoint()) == before.topLeft(), "and Run stays where it is"
        assert view.window().focusWidget() not in (view.pause, view.cancel), "neither by a key"
        view.cancel.click()
        idle(qtbot, workspace)
        assert not view.run_of.running

    def test_a_hand_that_was_on_its_way_to_run_cancels_nothing(
        self, qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        view = begun_by_itself(qtbot, unseen)
        assert "being tried" in view.chart.chart.accessibleDescription() or view.chart.shown is not None
        monkeypatch.setattr(type(view.run_of), "surprises", False)
        view.show_run()
        assert not view.cancel.isHidden()
        view.button.click()
        assert view.run_of.running and not view.run_of.cancelling and not view.run_of.runs_unasked
        view.cancel.click()
        idle(qtbot, unseen)
        assert not view.run_of.running

    @pytest.mark.parametrize("moment", ["at once", "while it stops", "when it has begun again"])
    def test_a_press_after_typing_runs_what_is_typed_once(
        self, qtbot: QtBot, unseen: CompareWorkspace, moment: str
    ) -> None:
        view = begun_by_itself(qtbot, unseen, repetitions=600)
        people = view.basis.form["users"].edit
        people.setFocus()
        people.selectAll()
        qtbot.keyClicks(people, "300")
        if moment == "while it stops":
            QApplication.processEvents()
        elif moment == "when it has begun again":
            qtbot.keyClick(people, Qt.Key.Key_Return)  # what is typed is waited for
            qtbot.waitUntil(
                lambda: view.run_of.runs_unasked and view.run_of.experiment == now(unseen), timeout=PATIENCE_MS
            )
        assert view.button.text() == "Run" and view.button.isEnabled(), "it is a run that one presses for"
        qtbot.mouseClick(view.button, Qt.MouseButton.LeftButton)
        assert now(unseen).users == 300
        idle(qtbot, unseen)
        shown = view.chart.shown
        assert shown is not None and shown.complete and shown.experiment.users == 300
        assert view.status is Status.SUCCESS

    def test_what_is_there_before_the_end_can_be_saved_and_says_so(
        self, qtbot: QtBot, unseen: CompareWorkspace, tmp_path: Path
    ) -> None:
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200, repetitions=2000))
        unseen.draft.change_figure("caption", caption=True)
        idle(qtbot, unseen)
        view = unseen.view
        view.button.click()
        qtbot.waitUntil(lambda: "ε = 1 is done. The others follow: " in view.chart.state.text, timeout=PATIENCE_MS)
        assert view.run_of.running and view.chart.save.isEnabled() and view.tiles.headline.text()
        view.run_of.pause_or_go_on()
        said = view.chart.words  # together with the picture that they are about
        qtbot.waitUntil(lambda: "The run is not finished" in said.text(), timeout=PATIENCE_MS)
        view.chart.chart.save(tmp_path / "early.svg")
        qtbot.waitUntil((tmp_path / "early.svg").exists, timeout=PATIENCE_MS)
        assert view.run_of.running, "it waits for no run"
        assert "not finished" in (tmp_path / "early.svg").read_text(encoding="utf-8")
        view.run_of.pause_or_go_on()
        view.run_of.cancel()
        idle(qtbot, unseen)

    def test_the_caption_that_leaves_is_about_the_place_of_the_tiles(
        self, qtbot: QtBot, unseen: CompareWorkspace, tmp_path: Path
    ) -> None:
        ways = (MethodChoice("global-grid"), MethodChoice("local", {"protocol": "duchi"}))
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200, methods=ways))
        unseen.draft.change_figure("caption", caption=True)
        idle(qtbot, unseen)
        run(qtbot, unseen)
        page = unseen.view.chart
        assert "At ε = 1:" in page.words.text() and "with Local an answer" in page.words.text()
        unseen.view.tiles.set_place(0.5)
        assert "At ε = 0.5:" in page.words.text() and "At ε = 1:" not in page.words.text()
        page.save_all(tmp_path)
        idle(qtbot, unseen)
        assert "At ε = 0.5:" in (tmp_path / "comparison.txt").read_text(encoding="utf-8")

    def test_what_was_found_on_a_public_shape_is_there_again_when_the_project_is_opened(
        self, qtbot: QtBot, unseen: CompareWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from workbench.evaluate.cell import ExperimentCell

        offered = experiment(basis=Basis.UNIFORM, users=200)
        monkeypatch.setattr(unseen.draft, "suited", lambda: offered)
        come_again(qtbot, unseen)
        assert unseen.view.status is Status.SUCCESS, "nothing was lacking"
        unseen.view.tiles.slider.setValue(0)
        assert unseen.view.tiles.at == 0.5
        before, path = means(unseen), tmp_path / "one.wbench"
        assert unseen.document.modified and unseen.document.save(path)
        unseen.document.new()
        idle(qtbot, unseen)
        monkeypatch.setattr(ExperimentCell, "block", lambda *_: pytest.fail("it is run again"))
        assert unseen.document.open_project(path)
        come_again(qtbot, unseen)
        assert means(unseen) == before and unseen.view.status is Status.SUCCESS
        assert unseen.view.tiles.at == 0.5 and not unseen.document.modified
        assert unseen.view.experiments.keep.isChecked() and not unseen.view.experiments.keep.isEnabled()
        # Another edit that is taken back takes back nothing of what is looked at.
        unseen.draft.change_figure("bands", bands=False)
        unseen.document.undo_stack.undo()
        idle(qtbot, unseen)
        assert unseen.view.tiles.at == 0.5

    def test_true_values_are_never_looked_at_by_itself(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        come_again(qtbot, workspace)
        assert workspace.view.chart.shown is None and workspace.view.can_run

    def test_everything_focusable_has_a_name_and_an_explanation(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        book = HelpBook()
        for row in workspace.view.methods.rows.values():
            if row.tick.isChecked():
                row.curves[0].open_options(True)
        workspace.preset.show_preset("ages")
        nameless = []
        for widget in workspace.findChildren(QWidget):
            popup = isinstance(widget.window(), QFrame)  # the list of a combo box
            inner = popup or isinstance(widget, QAbstractSlider) or widget.objectName().startswith("qt_")
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not inner:
                text = widget.text() if isinstance(widget, QPushButton) else ""
                if not (widget.accessibleName() or text) and type(widget).__name__ not in ("QScrollArea", "QTabBar"):
                    nameless.append(widget)
                assert book.find(explain_key(widget)) is not None, (widget, explain_key(widget))
        assert not nameless

    def test_all_of_it_is_marked_for_the_analyst_only(self, workspace: CompareWorkspace) -> None:

        assert workspace.lock == "Analyst only"


class TestRunning:
    def test_the_time_is_estimated_and_a_run_draws_every_point(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        assert workspace.view.look.estimate is not None and workspace.view.look.estimate.missing == 6
        assert "second" in workspace.view.cost.text() or " s" in workspace.view.cost.text()
        assert "6 points × 20 repetitions" in workspace.view.cost.text()
        assert workspace.next_hint() == "Run the experiment"
        run(qtbot, workspace)
        assert len(means(workspace)) == 6
        assert "500 rows, 20 repetitions" in workspace.view.chart.state.text
        assert workspace.status() is Status.SUCCESS and not workspace.view.button.isEnabled()
        qtbot.waitUntil(lambda: workspace.view.chart.chart.picture is not None, timeout=PATIENCE_MS)
        assert len(workspace.view.numbers.table.texts()) == 6

    def test_what_is_added_runs_only_what_is_new(
        self, qtbot: QtBot, workspace: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from workbench.evaluate.cell import ExperimentCell

        run(qtbot, workspace)
        before = means(workspace)
        tried: list[tuple[str, float]] = []
        original = ExperimentCell.block

        def counted(cell: ExperimentCell, *rest: object) -> object:
            tried.append((cell.choice.identifier, cell.place))
            return original(cell, *rest)

        workspace.draft.change("more", places=(0.5, 1.0, 2.0, 5.0))
        idle(qtbot, workspace)
        assert "2 of 8 points still to run" in workspace.view.cost.text()
        assert "6 of 8 points are there" in workspace.view.chart.state.text
        monkeypatch.setattr(ExperimentCell, "block", counted)
        run(qtbot, workspace)
        assert {place for _, place in tried} == {5.0}
        after = means(workspace)
        assert len(after) == 8 and {key: after[key] for key in before} == before

    def test_an_old_chart_is_called_out_of_date_but_another_measure_costs_nothing(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        run(qtbot, workspace)
        before = means(workspace)
        workspace.view.grid.seed.set_value(7)
        idle(qtbot, workspace)
        assert workspace.view.chart.state.text.startswith("Out of date")
        assert workspace.view.chart.state.again.isVisible() and workspace.view.button.isEnabled()
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert means(workspace) == before and workspace.status() is Status.SUCCESS
        before = means(workspace)
        percent = next(one for one in range(3) if "percent" in workspace.view.question.measure.itemText(one))
        workspace.view.question.measure.setCurrentIndex(percent)
        workspace.view.question.measure.activated.emit(percent)
        idle(qtbot, workspace)
        assert workspace.status() is Status.SUCCESS and not workspace.view.button.isEnabled()
        assert means(workspace) != before and len(means(workspace)) == 6

    def test_cancel_keeps_what_is_finished(
        self, qtbot: QtBot, workspace: CompareWorkspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from workbench.evaluate.cell import ExperimentCell

        original, tried = ExperimentCell.block, list[ExperimentCell]()

        def interrupted(cell: ExperimentCell, *rest: object) -> object:
            # At the beginning of the fourth point, into however many blocks a point is cut on a slow machine.
            if all(cell is not known for known in tried):
                tried.append(cell)
                if len(tried) == 4:
                    assert workspace.view.run_of.job is not None
                    workspace.view.run_of.job.cancel()
            return original(cell, *rest)

        with monkeypatch.context() as patched:
            patched.setattr(ExperimentCell, "block", interrupted)
            workspace.view.button.click()
            assert not workspace.view.cancel.isHidden()
            idle(qtbot, workspace)
        kept = means(workspace)
        assert 0 < len(kept) < 6 and f"{len(kept)} of 6 points are there" in workspace.view.chart.state.text
        run(qtbot, workspace)
        assert len(means(workspace)) == 6 and {key: means(workspace)[key] for key in kept} == kept

    def test_what_was_finished_before_a_save_or_a_cancel_is_there_again(
        self, qtbot: QtBot, unseen: CompareWorkspace, tmp_path: Path
    ) -> None:
        add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200, repetitions=2_000))
        view, paths = unseen.view, (tmp_path / "running.wbench", tmp_path / "cancelled.wbench")
        view.button.click()
        qtbot.waitUntil(lambda: view.chart.shown is not None and len(means(unseen)) > 1, timeout=PATIENCE_MS)
        view.pause.click()
        running = means(unseen)
        assert view.run_of.running and unseen.document.save(paths[0])
        view.run_of.cancel()
        idle(qtbot, unseen)
        cancelled = means(unseen)
        assert len(cancelled) < 6 and unseen.document.save(paths[1])
        for path, before in zip(paths, (running, cancelled), strict=True):
            unseen.document.new()
            idle(qtbot, unseen)
            assert unseen.document.open_project(path)
            idle(qtbot, unseen)
            assert means(unseen).items() >= before.items(), path.name
            assert f"{len(means(unseen))} of 6 points are there" in view.chart.state.text

    def test_a_paused_run_stands_still_and_goes_on(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        workspace.draft.change("longer", repetitions=400)
        idle(qtbot, workspace)
        workspace.view.button.click()
        workspace.view.pause.click()
        assert workspace.view.pause.text() == "Go on" and workspace.view.run_of.paused
        deadline = time.monotonic() + 0.5
        qtbot.waitUntil(lambda: time.monotonic() > deadline)
        assert workspace.view.run_of.running and "Paused" in workspace.view.chart.state.text
        workspace.view.pause.click()
        idle(qtbot, workspace)
        assert len(means(workspace)) == 6 and workspace.view.pause.isHidden()

    def test_what_runs_is_not_drawn_over_another_experiment(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        workspace.view.button.click()
        partial: list[object] = []
        workspace.view.run_of.done.connect(partial.append)
        workspace.draft.add(experiment(seed=9, title="other"))
        idle(qtbot, workspace)
        workspace.view.run_of.arrived.emit(partial[0])
        assert workspace.view.chart.shown is None and workspace.view.chart.state.text == "Not run yet."
        workspace.draft.select(0)
        idle(qtbot, workspace)
        assert len(means(workspace)) == 6

    def test_crossings_are_told_in_words(self, qtbot: QtBot, workspace: CompareWorkspace) -> None:
        # With few people the noise is worse than a guess, with many it is better.
        wide = Question(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 150.0)))
        workspace.draft.change(
            "by users", question=wide, axis=Axis.USERS, places=(5.0, 500.0), repetitions=60, epsilon=0.5
        )
        idle(qtbot, workspace)
        run(qtbot, workspace)
        assert (
            "users Uniform guess has the smaller error, above it Global DP, discrete noise"
            in workspace.view.chart.words.text()
        )


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


class TestDocuments:
    def test_experiments_are_named_copied_chosen_and_deleted_with_undo(
        self, qtbot: QtBot, workspace: CompareWorkspace
    ) -> None:
        section, desk = workspace.view.experiments, workspace.draft.desk
        enter(qtbot, workspace, section.name, "Ages")
        section.copy.click()
        idle(qtbot, workspace)
        assert [one.experiment.title for one in desk.documents] == ["Ages", "Ages (copy)"]
        assert section.choice.isVisible() and section.choice.currentText() == "Ages (copy)"
        section.choice.activated.emit(0)
        idle(qtbot, workspace)
        assert workspace.draft.index == 0 and section.name.text() == "Ages"
        section.delete.click()
        idle(qtbot, workspace)
        assert [one.experiment.title for one in desk.documents] == ["Ages (copy)"]
        workspace.document.undo_stack.undo()
        idle(qtbot, workspace)
        assert [one.experiment.title for one in desk.documents] == ["Ages", "Ages (copy)"]

    def test_results_are_saved_with_the_project_only_if_ticked(
        self, qtbot: QtBot, workspace: CompareWorkspace, table: Path, tmp_path: Path
    ) -> None:
        run(qtbot, workspace)
        before = means(workspace)
        path = tmp_path / "one.wbench"
        assert workspace.document.save(path)
        assert not load_project(path).comparing.documents[0].kept
        workspace.view.experiments.keep.click()
        idle(qtbot, workspace)
        assert workspace.document.save(path)
        workspace.document.new()
        idle(qtbot, workspace)
        assert workspace.view.chart.shown is None and workspace.status() is None
        assert workspace.document.open_project(path)
        idle(qtbot, workspace)
        assert means(workspace) == before and workspace.status() is Status.SUCCESS

    def test_what_an_earlier_version_saved_opens_and_is_run_again(
        self, qtbot: QtBot, workspace: CompareWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run(qtbot, workspace)
        workspace.view.experiments.keep.click()
        idle(qtbot, workspace)
        path = tmp_path / "one.wbench"
        assert workspace.document.save(path)
        workspace.document.new()
        idle(qtbot, workspace)
        monkeypatch.setattr("workbench.evaluate.cell_key._VERSION", "a later one")
        assert workspace.document.open_project(path)
        idle(qtbot, workspace)
        assert workspace.draft.experiment is not None and workspace.status() is None
        assert workspace.view.chart.state.text == "What was saved is of an earlier version, other data or settings."
        run(qtbot, workspace)
        assert workspace.status() is Status.SUCCESS

    def test_the_figure_is_kept_with_its_experiment(
        self, qtbot: QtBot, workspace: CompareWorkspace, tmp_path: Path
    ) -> None:
        run(qtbot, workspace)
        workspace.view.chart.adjust.click()
        panel = workspace.view.chart.panel
        assert panel.isVisible()
        panel.ticks["log_y"].click()
        enter(qtbot, workspace, panel.width_field.edit, "12.7")  # cm
        enter(qtbot, workspace, panel.text.edit, "12")
        current = workspace.draft.current
        assert current is not None
        figure = current.figure
        assert (figure.log_y, figure.width, figure.text) == (False, 5.0, 12.0)
        assert workspace.view.chart.chart.data.settings == figure
        target = tmp_path / "chart.svg"
        workspace.view.chart.chart.save(target)
        idle(qtbot, workspace)
        assert 'width="360pt"' in target.read_text()

    def test_the_command_finds_the_same_numbers(
        self, qtbot: QtBot, workspace: CompareWorkspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run(qtbot, workspace)
        workspace.copy_command(tmp_path)
        idle(qtbot, workspace)
        words = shlex.split(QGuiApplication.clipboard().text())
        assert words[:2] == ["workbench", "compare"]
        assert main([*words[1:], "--formats", "svg", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["analyst"]["points"]
        assert {(one["method"], one["axis_value"]): one["mean"] for one in found} == means(workspace)
        assert (tmp_path / "figures" / "comparison.svg").exists()

    def test_numbers_show_under_the_pointer_and_leave_as_shown(
        self, qtbot: QtBot, workspace: CompareWorkspace, tmp_path: Path
    ) -> None:
        run(qtbot, workspace)
        workspace.view.numbers.copy_table()
        assert len(QGuiApplication.clipboard().text().splitlines()) == 7
        workspace.view.chart.save_csv(tmp_path / "numbers.csv")
        workspace.view.chart.save_all(tmp_path / "all")
        idle(qtbot, workspace)
        assert len((tmp_path / "numbers.csv").read_text().splitlines()) == 7
        endings = {path.suffix for path in (tmp_path / "all").iterdir()}
        assert endings == {".png", ".svg", ".pdf", ".csv", ".json"}
        chart = workspace.view.chart.chart
        qtbot.waitUntil(lambda: chart.picture is not None and not workspace.document.runner.jobs, timeout=PATIENCE_MS)
        found: dict[tuple[str, float], list[int]] = {}
        for x in range(0, chart.width(), 8):
            for y in range(0, chart.height(), 8):
                chart.point_at(QPoint(x, y))
                if chart.pointed is not None:
                    found.setdefault((chart.pointed.method, chart.pointed.axis_value), []).append(y)
        assert set(found) == set(means(workspace))
        largest, smallest = (pick(means(workspace), key=means(workspace).__getitem__) for pick in (max, min))
        assert max(found[largest]) < min(found[smallest])  # the larger error is higher up


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
        assert "no release that is drawn afterwards has an (ε, δ) claim" in view.first_look.words.text()
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


def test_rows_that_stand_in_the_way_are_said_where_their_number_was_asked_for(
    qtbot: QtBot, document: Document, empty: CompareWorkspace, tmp_path: Path
) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("age,town\n20,Bern\nold,Bern\n", encoding="utf-8")
    document.open_data(path)
    idle(qtbot, empty)
    document.apply("kind", lambda session: session.data.set_kind(["age"], Kind.INTEGER))
    document.apply("misfits", lambda session: session.data.set_misfits("age", Misfits.STOP))
    add(qtbot, empty, experiment())
    document.session.comparison.look()
    with qtbot.waitSignal(document.failed) as told:
        empty.view.basis.own_rows.click()
    assert "does not fit" in str(told.args[0])


def test_a_file_that_compare_asked_for_is_compared_at_once() -> None:
    """Nothing that Compare shows first is read from the table, so nobody has to be asked who is protected."""
    way = Way()
    way.wish("compare")
    assert way.first == "compare"
    for room in ("query", "data"):
        way.wish(room)
        assert way.first == "data"
    way.wish("compare")
    way.begin()
    assert way.first == "data"


def test_what_failed_before_a_success_does_not_come_back(qtbot: QtBot, light: Theme) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_error(WorkbenchError("It cannot be run.", hint="Type bounds."))
    asked = bar.error("Lost.", action="Retry", callback=lambda: None)
    broken = bar.show_error(ValueError("a fault of the program"))
    bar.success("Done.")
    assert {one.text for one in bar.messages} == {"Done.", asked.text, broken.text}


def test_no_word_of_a_tile_is_cut_and_what_runs_is_not_next(qtbot: QtBot, workspace: CompareWorkspace) -> None:
    """In the smallest window, where all of it fits, and with the words that are longest."""
    assert workspace.next_hint() == "Run the experiment"
    workspace.run()
    assert workspace.view.run_of.running and workspace.next_hint() == ""
    idle(qtbot, workspace)
    workspace.resize(816, 500)
    QApplication.processEvents()
    for card in workspace.view.tiles.cards.values():
        for line in card.findChildren(QLabel):
            if line.isVisible() and line.wordWrap():
                assert line.height() >= line.heightForWidth(line.width()), line.text()
    assert workspace.next_hint() == ""


def test_settings_of_the_figure_are_in_view_once_they_are_opened(qtbot: QtBot, unseen: CompareWorkspace) -> None:
    """They stand at the end of a column that scrolls, and are opened from beside the chart."""
    unseen.resize(1064, 640)
    unseen.no_experiment.primary.emit()
    idle(qtbot, unseen)
    panel, area = unseen.view.chart.panel, unseen.view._settings

    def seen() -> bool:
        top = panel.mapTo(area.viewport(), QPoint()).y()
        return panel.isVisible() and top >= 0 and top + panel.height() <= area.viewport().height()

    assert not seen()
    unseen.view.chart.adjust.click()
    qtbot.waitUntil(seen)
    assert panel.title.hasFocus() or not unseen.isActiveWindow()
    area.verticalScrollBar().setValue(0)
    methods, figure = unseen.view.folds[0], unseen.view.folds[2]
    figure.button.click()
    methods.button.click()
    qtbot.waitUntil(lambda: methods.mapTo(area.viewport(), QPoint()).y() >= 0)
    unseen.view.chart.adjust.click()
    unseen.hide()  # what is left to do then finds nothing to scroll


def test_what_is_said_of_the_result_and_the_ways_out_stay_where_they_are(
    qtbot: QtBot, workspace: CompareWorkspace
) -> None:
    page = workspace.view.chart
    tools = (page.copy_picture, page.copy_numbers, page.save, page.more, page.adjust)
    workspace.draft.change("fewer", repetitions=2)
    for wide in (1064, 816):
        workspace.resize(wide, 700)
        workspace.view.parts.show_part(1)
        idle(qtbot, workspace)

        def places() -> list[QPoint]:
            return [one.mapTo(workspace, QPoint()) for one in (page.state, *tools)]

        before, came = places(), list[list[QPoint]]()
        if wide == 1064:
            workspace.view.run_of.changed.connect(lambda came=came, places=places: came.append(places()))
            run(qtbot, workspace)
            assert workspace.view.tiles.isVisible() and page.shown is not None and page.shown.complete
            assert came
        assert all(one == before for one in (*came, places())), "also when the tiles arrive"
        for area in workspace.view.found.findChildren(QScrollArea):
            area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
        assert places() == before
        beside, bar = page.beside, workspace.view.tabs.bar
        assert beside.x() >= bar.geometry().right() and beside.y() < bar.geometry().bottom()
        assert beside.mapTo(workspace, QPoint(beside.width(), 0)).x() <= workspace.width()
        for one in tools:
            assert one.isVisible() and one.accessibleName() and one.width() >= one.minimumSizeHint().width()
            assert not one.visibleRegion().isEmpty()


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
