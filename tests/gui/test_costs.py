"""What a result cost, in the Anonymise room: the explorer, summaries, pairs, questions, the map and why a node won."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtWidgets import QApplication, QListView, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, idle, press
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.questions import ReleaseStatistic
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.core.hierarchy import Hierarchy
from workbench.gui.document import Document
from workbench.gui.theme import Theme
from workbench.gui.widgets.explain import HelpBook, explain_key
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.syntactic.lattice_map import LatticeMap
from workbench.gui.workspaces.anonymise.syntactic.levels_view import COMPARE, LIST, MAP, WHY, CombinationsPanel
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.session import Session
from workbench.session.syntactic.lattice_bands import LatticeBands, Square

pytestmark = pytest.mark.usefixtures("sampling")

ROWS = 600
AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}-{a // 10 * 10 + 9}", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])


@pytest.fixture
def document(qtbot: QtBot, document: Document, tmp_path: Path) -> Document:
    """Ages 20 to 59, 15 rows of each; five rows of Chur at 20 and at 40."""
    path = tmp_path / "people.csv"
    lines = [f"{20 + i % 40},{'Chur' if i % 60 == 0 else 'Bern'}" for i in range(ROWS)]
    path.write_text("age,city\n" + "\n".join(lines) + "\n", encoding="utf-8")
    document.open_data(path)
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=PATIENCE_MS)
    return document


@pytest.fixture
def workspace(qtbot: QtBot, document: Document, on_screen: OnScreen) -> AnonymiseWorkspace:
    """The (ε, δ) approach with age by decades; cities as they are."""

    def prepare(session: Session) -> None:
        session.data.attach_hierarchy("age", AGES)
        session.data.attach_hierarchy("city", CITIES)
        session.release.columns.set_level("age", 1)
        session.release.columns.set_level("city", 0)
        session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 12})])
        session.syntactic.set_suppression_limit(0.0)

    document.apply("prepare", prepare)
    document.undo_stack.clear()
    made = on_screen(AnonymiseWorkspace(document))
    idle(qtbot, made)
    return made


@pytest.fixture
def levels(qtbot: QtBot, workspace: AnonymiseWorkspace) -> CombinationsPanel:
    """The levels after a search, brought to the front by the button that asks why."""
    press(qtbot, workspace, workspace.approach.buttons[AnonymityKind.SYNTACTIC])
    press(qtbot, workspace, workspace.syntactic.settings.search)
    result = workspace.syntactic.result
    press(qtbot, workspace, result.header.link)
    assert result.tabs.currentWidget() is result.levels
    return result.levels


def run(qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
    workspace.document.apply("seed", lambda session: session.release.set_seed(5))
    idle(qtbot, workspace)
    workspace.status()
    press(qtbot, workspace, workspace.run_button)
    workspace.result.tabs.setCurrentWidget(workspace.result.costs)
    idle(qtbot, workspace)


def click_square(
    qtbot: QtBot,
    drawn: LatticeMap,
    levels: tuple[int, ...],
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    place = drawn.place(levels)
    assert place is not None
    qtbot.mouseClick(drawn, Qt.MouseButton.LeftButton, modifier, place.center().toPoint())


class TestSurvivors:
    def test_nothing_is_looked_at_before_it_is_asked_for(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        view = workspace.result.survivors
        workspace.result.tabs.setCurrentWidget(view)
        idle(qtbot, workspace)
        assert workspace.document.project.looks == ()
        assert not view.switch.isVisible()
        assert workspace.claim_word() == "To sign at Release:"
        view.start.setFocus()
        press(qtbot, workspace, view.start)
        assert len(workspace.document.project.looks) == 1
        assert view.switch.isVisible()
        qtbot.waitUntil(lambda: view.isAncestorOf(QApplication.focusWidget()))
        assert QApplication.focusWidget() is view.switch.buttons[0], "not on a setting that a key could change"
        assert view.charts["rows"].data.survival.rows == ROWS
        assert view.charts["classes"].data.counted == "classes"
        assert "simulation" in view.state.text and "seed" in view.state.text
        assert workspace.claim_word() == "Only for its choices as they are"

    def test_where_groups_are_trimmed_it_is_about_epsilon(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        view, document = workspace.result.survivors, workspace.document
        workspace.result.tabs.setCurrentWidget(view)
        idle(qtbot, workspace)
        assert view.asked.text().startswith("For every β")
        document.apply("trim", lambda session: session.release.set_mechanism(ReleaseMechanism.TRIM))
        idle(qtbot, workspace)
        assert view.asked.text().startswith("For ε from an eighth")
        press(qtbot, workspace, view.start)
        assert len(document.project.looks) == 1
        assert view.trimmed["rows"].isVisible() and not view.charts["rows"].isVisible()
        assert view.charts["rows"].data is None and view.trimmed["rows"].data.survival.rows == ROWS
        assert view.trimmed["classes"].data.counted == "classes"
        document.apply("sample", lambda session: session.release.set_mechanism(ReleaseMechanism.SAMPLE))
        idle(qtbot, workspace)
        assert "other settings" in view.state.text
        press(qtbot, workspace, view.state.again)
        assert view.charts["rows"].isVisible() and view.trimmed["rows"].data is None

    def test_no_settings_have_a_claim_after_it(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        view, document = workspace.result.survivors, workspace.document
        workspace.result.tabs.setCurrentWidget(view)
        press(qtbot, workspace, view.start)
        document.apply("level", lambda session: session.release.columns.set_level("city", 1))
        idle(qtbot, workspace)
        assert workspace.claim_word() != "To sign at Release:"
        assert "other settings" in view.state.text
        before = view.charts["rows"].data
        press(qtbot, workspace, view.state.again)
        assert view.charts["rows"].data is not before
        assert "other settings" not in view.state.text
        assert workspace.claim_word() != "To sign at Release:", "looking again mends nothing"
        document.undo_stack.undo()
        idle(qtbot, workspace)
        assert workspace.claim_word() != "To sign at Release:", "no draw was settled before"
        assert not document.project.looks[0].drawn

    def test_cancelled_it_shows_and_records_nothing(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        view = workspace.result.survivors
        workspace.result.tabs.setCurrentWidget(view)
        qtbot.mouseClick(view.start, Qt.MouseButton.LeftButton)
        workspace.status()
        assert not view.start.isEnabled()
        workspace.document.runner.cancel_all()
        idle(qtbot, workspace)
        assert workspace.document.project.looks == ()
        assert view.start.isEnabled() and not view.switch.isVisible()


class TestCosts:
    def test_the_summary_says_what_became_of_each_column(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        run(qtbot, workspace)
        result = workspace.document.session.release.result
        assert result is not None
        lines = {line[0].strip(): line for line in workspace.result.costs.summary.table.texts()[:12]}
        assert lines["with a value"][1:3] == ("600", f"{result.outcome.rows_out:,}")
        assert lines["distinct"][1:3] == ("40", "4")
        assert lines["mean"][1] == "39.5"
        ages = [int(text[:2]) + 4.5 for text in result.outcome.release["age"].texts()]
        assert float(lines["mean"][2]) == pytest.approx(np.mean(ages), abs=0.01)
        assert "released" in workspace.result.costs.summary.words.text()

    def test_two_columns_before_and_after(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        run(qtbot, workspace)
        costs = workspace.result.costs
        press(qtbot, workspace, costs.switch.buttons[1])
        pairs = costs.pairs
        before = {line[0]: line[1:] for line in pairs.before.texts()}
        assert before["20"] == ("10", "5")
        after = {line[0]: int(line[1].replace(",", "")) for line in pairs.after.texts()}
        assert sum(after.values()) == workspace.document.session.release.result.outcome.rows_out  # type: ignore[union-attr]
        pairs.grouped.setChecked(True)
        assert {line[0]: line[1:] for line in pairs.before.texts()}["30-39"] == ("150", "–")
        pairs.shares.setChecked(True)
        assert {line[0]: line[1] for line in pairs.before.texts()}["30-39"] == "25 %"
        assert "Cramér" in pairs.words.text()
        # Choosing the column that is there already makes the other one give way.
        pairs.first.setCurrentIndex(1)
        pairs.first.activated.emit(1)
        idle(qtbot, workspace)
        assert (pairs.first.chosen, pairs.second.chosen) == ("city", "age")
        assert pairs.before.texts()[0][0] in ("Bern", "Chur")

    def test_a_question_is_answered_from_both(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        run(qtbot, workspace)
        costs = workspace.result.costs
        press(qtbot, workspace, costs.switch.buttons[2])
        query = costs.query
        assert (query.chosen_figure, query.column.chosen) == (ReleaseStatistic.MEAN, "age")
        assert query.value("true") == "39.5"
        assert "simulated releases" in query.notes.text()
        qtbot.keyClicks(query.where, "age < 25")
        query.figure.choose(ReleaseStatistic.COUNT)
        query.figure.activated.emit(query.figure.currentIndex())
        idle(qtbot, workspace)
        assert query.value("true") == "75"
        assert not query.column.isEnabled()
        assert "1/β" in query.notes.text()
        qtbot.keyClicks(query.where, " and")
        press(qtbot, workspace, query.ask)
        assert query.problem.isVisible() and query.problem.text()
        assert query.value("true") == "–"
        query.where.clear()
        query.figure.choose(ReleaseStatistic.HISTOGRAM)
        query.figure.activated.emit(query.figure.currentIndex())
        idle(qtbot, workspace)
        assert not query.problem.isVisible()
        assert query.chart.isVisible()
        assert query.chart.data.rows_before == ROWS
        assert len(query.chart.data.labels) == 40

    def test_they_are_worked_out_when_they_are_seen_and_cleared_with_the_data(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace
    ) -> None:
        press(qtbot, workspace, workspace.run_button)
        workspace.document.look(publish=True)
        idle(qtbot, workspace)
        costs = workspace.result.costs
        assert costs.summary.table.texts() == []
        workspace.result.tabs.setCurrentWidget(costs)
        idle(qtbot, workspace)
        assert costs.summary.table.texts()
        assert costs.pairs.before.texts() == []
        workspace.document.new()
        idle(qtbot, workspace)
        assert costs.summary.table.texts() == []
        assert not costs.query.ask.isEnabled()

    def test_a_syntactic_table_has_them_too(self, qtbot: QtBot, workspace: AnonymiseWorkspace) -> None:
        press(qtbot, workspace, workspace.approach.buttons[AnonymityKind.SYNTACTIC])
        press(qtbot, workspace, workspace.syntactic.settings.search)
        result = workspace.syntactic.result
        result.tabs.setCurrentWidget(result.costs)
        idle(qtbot, workspace)
        lines = {line[0].strip(): line for line in result.costs.summary.table.texts()[:12]}
        assert lines["with a value"][1:3] == ("600", "600")
        press(qtbot, workspace, result.costs.switch.buttons[2])
        assert "simulated" not in result.costs.query.notes.text(), "nothing was sampled"


class TestWhy:
    def test_it_says_what_finer_levels_would_cost_and_the_line_above_is_short(
        self, workspace: AnonymiseWorkspace, levels: CombinationsPanel
    ) -> None:
        assert levels.switch.pages.currentIndex() == WHY
        text = levels.why.text
        assert "age 0 · city 1" in text or "age 2 · city 0" in text or "age 1 · city 1" in text
        assert "→" in text and "would be suppressed" in text
        assert "combinations were counted" in text
        header = workspace.syntactic.result.header
        assert ", the least · " in header.text and "Best of all 6 combinations. Loss" in header.toolTip()


class TestMap:
    def test_every_combination_is_a_square_in_the_band_of_its_sum_that_keys_reach(
        self, qtbot: QtBot, levels: CombinationsPanel
    ) -> None:
        levels.switch.show_view(MAP)
        drawn = levels.map
        places = {(age, city): drawn.place((age, city)) for age in range(3) for city in range(2)}
        assert all(place is not None for place in places.values())
        tops = {sum(node): place.top() for node, place in places.items() if place is not None}
        assert [tops[total] for total in (3, 2, 1, 0)] == sorted(tops.values()), "the most general is the highest"
        assert len({(p.left(), p.top()) for p in places.values() if p is not None}) == 6
        assert "All 6" in levels.extent.full_text
        drawn.setFocus()
        for _ in range(6):
            qtbot.keyClick(drawn, Qt.Key.Key_Up)
        seen = {drawn.selected}
        for _ in range(4):
            for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Down):
                qtbot.keyClick(drawn, key)
                seen.add(drawn.selected)
        assert len(seen) == 6

    def test_a_click_chooses_and_the_button_a_double_click_or_enter_take(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, levels: CombinationsPanel
    ) -> None:
        levels.switch.show_view(MAP)
        click_square(qtbot, levels.map, (2, 1))
        assert levels.map.selected == (2, 1)
        assert levels.levels.full_text == "age 2 · city 1"
        assert "holds" in levels.facts.full_text and "1 class of 600" in levels.facts.full_text
        assert levels.map.accessibleDescription().startswith("age 2 · city 1")
        before = dict(workspace.document.project.anonymise.levels)
        assert before != {"age": 2, "city": 1}
        press(qtbot, workspace, levels.use)
        assert dict(workspace.document.project.anonymise.levels) == {"age": 2, "city": 1}
        assert workspace.document.session.syntactic.recoded_is_current
        workspace.document.undo_stack.undo()
        assert dict(workspace.document.project.anonymise.levels) == before
        place = levels.map.place((2, 1))
        assert place is not None
        qtbot.mouseDClick(levels.map, Qt.MouseButton.LeftButton, pos=place.center().toPoint())
        idle(qtbot, workspace)
        assert dict(workspace.document.project.anonymise.levels) == {"age": 2, "city": 1}
        qtbot.keyClick(levels.map, Qt.Key.Key_Home)
        assert levels.map.selected is not None
        qtbot.keyClick(levels.map, Qt.Key.Key_Return)
        idle(qtbot, workspace)
        found = workspace.document.session.syntactic.found
        assert found is not None
        assert dict(workspace.document.project.anonymise.levels) == found.result.levels

    def test_nodes_outside_what_was_looked_at_are_told_apart(self, qtbot: QtBot, light: Theme) -> None:
        drawn = LatticeMap()
        qtbot.addWidget(drawn)
        cells = tuple(Square((level, 0), None) for level in range(3))
        drawn.set_map(LatticeBands(("a", "b"), ((1, cells),), (1, 0), 10, False))
        assert drawn.cost_in_words((2, 0)) == "not looked at"
        assert drawn.words((5, 5)) == ""
        drawn.resize(400, 300)
        drawn.grab()

    def test_thousands_of_squares_fit_by_becoming_smaller(self, qtbot: QtBot, light: Theme) -> None:
        drawn = LatticeMap()
        qtbot.addWidget(drawn)
        drawn.resize(500, 300)
        drawn.set_room(300)
        small = tuple(Square((i, 0), None) for i in range(4))
        drawn.set_map(LatticeBands(("a", "b"), ((1, small),), (1, 0), 10, True))
        large = drawn.cell_size
        many = tuple((total, tuple(Square((i, total), None) for i in range(200))) for total in range(10))
        drawn.set_map(LatticeBands(("a", "b"), many, (1, 0), 10, True))
        assert drawn.cell_size < large
        assert drawn.place((199, 9)) is not None
        drawn.grab()


class TestCompare:
    def test_two_lines_of_the_list(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, levels: CombinationsPanel
    ) -> None:
        levels.switch.show_view(LIST)
        flags = QItemSelectionModel.SelectionFlag
        model = levels.list.view.selectionModel()
        model.select(levels.list.model.index(1, 0), flags.ClearAndSelect | flags.Rows)
        model.select(levels.list.model.index(2, 0), flags.Select | flags.Rows)
        assert not levels.list.use.isEnabled(), "which of the two?"
        press(qtbot, workspace, levels.switch.buttons[COMPARE])
        first, second = levels.list.model.node(1), levels.list.model.node(2)
        lines = {line[0]: line for line in levels.compare.table.texts()}
        assert lines["rows suppressed"][1:3] == (f"{first.suppressed:,}", f"{second.suppressed:,}")
        assert lines["classes"][1:3] == (f"{first.classes:,}", f"{second.classes:,}")
        assert lines["level · age"][1:3] == (str(first.levels["age"]), str(second.levels["age"]))
        assert {"loss · age", "loss · city", "highest risk", "average risk"} <= set(lines)

    def test_one_square_is_compared_with_the_best_and_ctrl_click_adds_another(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, levels: CombinationsPanel
    ) -> None:
        levels.switch.show_view(MAP)
        click_square(qtbot, levels.map, (2, 1))
        press(qtbot, workspace, levels.switch.buttons[COMPARE])
        words = levels.compare.words.text()
        assert words.endswith("B: age 2 · city 1")
        levels.switch.show_view(MAP)
        click_square(qtbot, levels.map, (0, 0), Qt.KeyboardModifier.ControlModifier)
        idle(qtbot, workspace)
        assert levels.switch.pages.currentIndex() == COMPARE
        assert levels.compare.words.text() == "A: age 2 · city 1\nB: age 0 · city 0"
        assert levels.compare.table.texts()[0][1:3] == ("yes", "no")


class TestReach:
    def test_everything_has_a_name_and_an_explanation_and_fits_under_one_lock(
        self, qtbot: QtBot, workspace: AnonymiseWorkspace, levels: CombinationsPanel
    ) -> None:
        book = HelpBook()
        assert workspace.lock == "Analyst only"
        places = [levels, workspace.result.costs, workspace.result.survivors, workspace.syntactic.result.costs]
        for place in places:
            for widget in place.findChildren(QWidget):
                inner = isinstance(widget, QListView) or widget.objectName().startswith("qt_")
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not inner:
                    assert widget.accessibleName(), f"{type(widget).__name__} has no name"
                    if widget.parentWidget() is not None:
                        assert explain_key(widget) in ("", *book.keys)
        for view in (levels.why, levels.map, levels.list, levels.compare, workspace.result.survivors):
            assert book.find(explain_key(view)) is not None
        for place in (levels, workspace.result.costs, workspace.result.survivors, workspace.syntactic.result):
            assert place.minimumSizeHint().width() <= 440, type(place).__name__
        assert levels.map.mapTo(workspace, QPoint(0, 0)).x() >= 0
