"""Whoever comes to the Compare workspace, or leaves it: what is offered, begun, ended and found again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QFrame,
    QPushButton,
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
)
from tests.gui.helpers import idle
from workbench.evaluate.experiment import Basis
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import PRESETS
from workbench.evaluate.question import Question, Statistic
from workbench.gui.next_step import Way
from workbench.gui.widgets import number_field
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.io.dialect import Dialect
from workbench.project.model import DataSource


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
        assert view.parts.tabs.isVisible() and told[0] == "Experiment"
        assert told[1] == f"What was found: {view.tiles.headline.answer.text()}" and "Global" in told[1]
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
        # It runs, and nothing says that it is to be run: who was on the way to the button makes it all of a run.
        assert view.button.text() == "Running…" and view.button.isEnabled() and not view.cancel.isHidden()
        assert view.button.property("primary") == "false"
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

    def test_a_hand_that_was_on_its_way_to_run_cancels_nothing(self, qtbot: QtBot, unseen: CompareWorkspace) -> None:
        view = begun_by_itself(qtbot, unseen)
        assert "being tried" in view.chart.chart.accessibleDescription() or view.chart.shown is not None
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
        assert view.button.isEnabled() and view.button.property("primary") == "false", "nobody has to press"
        assert view.button.text() == ("Running…" if moment == "when it has begun again" else view.button.text())
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
        assert "At ε = 1 Global" in page.words.text() and "hides one row at ε, Local one answer" in page.words.text()
        unseen.view.tiles.set_place(0.5)
        assert "At ε = 0.5 Global" in page.words.text() and "At ε = 1 Global" not in page.words.text()
        page.save_all(tmp_path)
        idle(qtbot, unseen)
        assert "At ε = 0.5 Global" in (tmp_path / "mean-of-age-people-at-epsilon-0.5.txt").read_text(encoding="utf-8")

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
