"""What is found of a mechanism: its matrix, its pictures, and every n."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, idle, pick
from tests.gui.mechanisms.helpers import F, ask, enter, epsilon
from workbench.gui.document import Document
from workbench.gui.theme import DARK, LIGHT, Theme, apply_theme, contrast
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace
from workbench.gui.workspaces.mechanisms.matrix_table import FIT, ZOOMS, MatrixTable, cell_colours
from workbench.mechanisms.audit import audit
from workbench.mechanisms.channel_text import parse_channel, read_channel
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import build


class TestMatrix:
    def test_shows_the_fractions_and_marks_the_witness(self, workspace: MechanismsWorkspace) -> None:
        cells = workspace.matrix.table.cells
        assert cells.data(cells.index(2, 3)) == "1/6"
        assert cells.marked == {(0, 0), (1, 0)}
        tip = str(cells.data(cells.index(0, 0), Qt.ItemDataRole.ToolTipRole))
        assert "P(output 0 | input 0) = 2/3" in tip and "shows the ε" in tip
        assert cells.headerData(4, Qt.Orientation.Vertical) == "4"

    def test_thirteen_by_thirteen_cells_have_room_for_their_fractions(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        workspace.settings.setMinimumWidth(0)
        ask(qtbot, workspace, parameters={"truncated-geometric": {"n": "12"}})
        table = workspace.matrix.table
        widest = table.fontMetrics().horizontalAdvance("6144")
        assert table.columnWidth(0) >= widest * 10 / 13 and table.rowHeight(0) >= 2 * table.fontMetrics().ascent()

    def test_zoom_by_buttons_keys_and_wheel(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        table, width = workspace.matrix.table, workspace.matrix.table.columnWidth(0)
        qtbot.mouseClick(workspace.matrix.larger, Qt.MouseButton.LeftButton)
        assert table.columnWidth(0) > width and table.zoom == FIT + 1
        table.setFocus()
        qtbot.keyClicks(table, "--")
        assert table.columnWidth(0) < width
        middle = QPointF(table.viewport().rect().center())
        wheel = QWheelEvent(
            middle, middle, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.ControlModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(table.viewport(), wheel)
        assert table.zoom == FIT
        for _ in ZOOMS:
            qtbot.mouseClick(workspace.matrix.smaller, Qt.MouseButton.LeftButton)
        assert table.zoom == 0 and not workspace.matrix.smaller.isEnabled()

    def test_copies_as_table_csv_latex_and_figure(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        clipboard = QGuiApplication.clipboard()
        workspace.matrix.copy_table()
        assert clipboard.text().splitlines()[1] == "0\t=2/3\t=1/6\t=1/12\t=1/24\t=1/48\t=1/48"
        again = audit(parse_channel(clipboard.text())).exact
        assert again is not None and again.text == "ln(32)", "what was copied can be pasted here, too"
        workspace.matrix.copy_csv()
        found = audit(parse_channel(clipboard.text())).exact
        assert found is not None and found.text == "ln(32)"
        workspace.matrix.copy_latex()
        assert r"\frac{2}{3}" in clipboard.text()
        with qtbot.waitSignal(workspace.matrix.noted, timeout=PATIENCE_MS):
            workspace.matrix.copy_figure()
        assert clipboard.image().width() > 600

    def test_saves_by_the_ending(self, qtbot: QtBot, workspace: MechanismsWorkspace, tmp_path: Path) -> None:
        for ending in ("csv", "tsv", "tex", "svg"):
            with qtbot.waitSignal(workspace.matrix.noted, timeout=PATIENCE_MS):
                workspace.matrix.save_to(tmp_path / f"channel.{ending}")
        assert read_channel(tmp_path / "channel.csv").exact is not None
        assert "\t=2/3\t" in (tmp_path / "channel.tsv").read_text(encoding="utf-8")
        written = (tmp_path / "channel.tex").read_text(encoding="utf-8")
        assert r"\frac{2}{3}" in written and r"\label{tab:channel}" in written
        assert r"\caption{Chance of each output (columns) for each input (rows)." in written
        assert "Framed" not in written and r"$\varepsilon$ shows in output" in written, "no cell of it has a frame"
        assert "<svg" in (tmp_path / "channel.svg").read_text(encoding="utf-8")

    def test_is_painted_in_both_themes(self, qtbot: QtBot, theme: Theme, document: Document) -> None:
        made = MechanismsWorkspace(document)
        qtbot.addWidget(made)
        made.resize(816, 700)
        made.show()
        idle(qtbot, made)
        table = made.matrix.table
        picture = table.viewport().grab().toImage()

        def ground(row: int, column: int) -> int:
            box = table.visualRect(table.cells.index(row, column))
            return picture.pixelColor(box.left() + 4, box.top() + 4).rgb()

        assert len({ground(0, 0), ground(0, 3), ground(0, 5)}) == 3
        assert ground(0, 4) == ground(0, 5)


class TestPictures:
    def test_the_worst_pair_first_and_any_other(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        pair = workspace.pair
        assert (pair.outputs.data.first, pair.outputs.data.second) == ("0", "1")
        pair.second.setCurrentIndex(4)
        pair.second.activated.emit(4)
        assert pair.outputs.data.second == "4"
        assert pair.outputs.data.epsilon == pytest.approx(0.6931, abs=1e-3)
        assert any(step.text == "1/24" for step in pair.chain.data.steps)
        ask(qtbot, workspace, claim="1")  # the chosen pair stays
        assert pair.outputs.data.second == "4" and pair.outputs.data.epsilon == 1
        qtbot.mouseClick(pair.worst, Qt.MouseButton.LeftButton)
        assert pair.outputs.data.second == "1"

    def test_are_drawn_when_they_are_seen(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        for tab, chart in ((1, workspace.pair.outputs), (2, workspace.curve)):
            assert chart.picture is None
            with qtbot.waitSignal(chart.drawn, timeout=PATIENCE_MS):
                workspace.tabs.setCurrentIndex(tab)
            assert chart.picture is not None and chart.accessibleDescription()

    def test_utility(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        page = workspace.utility
        assert page.value("error") == "43/48 ≈ 0.8958"
        assert page.value("after") == "4/9 ≈ 0.4444"
        workspace.tabs.setCurrentIndex(3)
        enter(qtbot, workspace, page.prior, "3")
        assert page.value("before") == "1" and page.value("gain") == "1"
        page.loss.choose("squared")
        page.loss.activated.emit(page.loss.currentIndex())
        idle(qtbot, workspace)
        # Input 3 of the 1/2-geometric on 0 … 5.
        chances = (F(1, 12), F(1, 12), F(1, 6), F(1, 3), F(1, 6), F(1, 6))
        error = sum(chance * (output - 3) ** 2 for output, chance in enumerate(chances))
        assert page.value("error").startswith(str(error))

        assert "without an order" not in page.words.text()
        pick(qtbot, workspace, workspace.settings.mechanism, "local-grr")
        assert "Values without an order are only numbered here" in page.words.text()
        page.loss.choose("wrong")
        page.loss.activated.emit(page.loss.currentIndex())
        idle(qtbot, workspace)
        assert "without an order" not in page.words.text()
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")  # whose answers are no numbers
        assert workspace.utility.loss.chosen == "wrong"
        assert workspace.utility.value("error") == "1/4 = 0.25", "a sign that says it is only near would be wrong"

    def test_how_sure_an_answer_makes_stands_beside_the_average(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        ask(qtbot, workspace, mechanism="survey", parameters={"survey": {"yes": "1/4"}})
        page = workspace.utility
        assert (page.value("after"), page.value("surest")) == ("3/4 = 0.75", "5/6 ≈ 0.8333")
        assert "83.3 of 100, on input yes" in page.words.text() and "at most 3/2 = 1.5 times" in page.words.text()

    def test_what_one_output_tells_stands_beside_what_was_believed(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        ask(qtbot, workspace, mechanism="survey", parameters={"survey": {"variant": "warner"}}, prior="1 99")
        table = workspace.utility.beliefs
        # Of 100 people 0.75 truthful and 24.75 untruthful ones answer yes: 1/34; no: 0.25 and 74.25, 1/298.
        assert table.texts() == [("yes", "1 %", "2.94 %", "0.336 %"), ("no", "99 %", "97.1 %", "99.7 %")]
        ask(qtbot, workspace, mechanism="geometric", parameters={"geometric": {"n": "20"}}, prior="uniform")
        assert len(table.texts()) == 21 and not table.isHidden()
        assert table.height() < 21 * table.rowHeight(0), "the others are scrolled"
        ask(qtbot, workspace, mechanism="geometric", parameters={"geometric": {"n": "60"}}, prior="uniform")
        assert table.isHidden(), "there are too many outputs for it"

    def test_of_an_output_that_cannot_come_out_nothing_is_believed(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        ask(qtbot, workspace, mechanism="typed", parameters={"typed": {"table": "x y\na 1 0\nb 1/2 1/2"}}, prior="a")
        assert workspace.utility.beliefs.texts() == [("a", "100 %", "100 %", "–"), ("b", "0 %", "0 %", "–")]


class TestAboveThreshold:
    @pytest.fixture
    def asked(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> MechanismsWorkspace:
        assert not workspace.tabs.isTabVisible(4)
        pick(qtbot, workspace, workspace.settings.mechanism, "above-threshold")
        workspace.tabs.setCurrentIndex(4)
        idle(qtbot, workspace)
        return workspace

    def test_compares_published_and_repaired(self, asked: MechanismsWorkspace) -> None:
        assert asked.tabs.isTabVisible(4)
        assert epsilon(asked) == "ε = ln(62777/16504) ≈ 1.336"
        series = {one.name: one for one in asked.queries.losses.data.series}
        assert series["published, >, always d"].epsilons[19] == pytest.approx(12.47665, abs=5e-6)
        assert series["repaired, any streams"].epsilons[19] == pytest.approx(2.7726, abs=1e-4)
        assert any("≥" in name and "any streams" in name for name in series)
        assert "no ε that holds" in asked.queries.finding.text()

    def test_follows_a_stream(self, qtbot: QtBot, asked: MechanismsWorkspace) -> None:
        asked.queries.views.show_view(1)
        idle(qtbot, asked)
        assert any("353/960" in state.label for state in asked.queries.stops.data.states)
        asked.queries.answers.setText("2 2 2")
        qtbot.waitUntil(
            lambda: any("19/96" in state.label for state in asked.queries.stops.data.states), timeout=PATIENCE_MS
        )
        idle(qtbot, asked)
        asked.queries.answers.setText("9")
        qtbot.waitUntil(lambda: asked.queries.stops.data is None, timeout=PATIENCE_MS)
        assert "between 0 and 5" in asked.queries.words.text()
        assert asked.queries.answers.property("invalid") == "true"
        idle(qtbot, asked)

    def test_leads_to_ones_own_column(self, qtbot: QtBot, asked: MechanismsWorkspace) -> None:
        rooms = [room.key for room in ROOMS]
        if "query" in rooms:
            with qtbot.waitSignal(asked.go_to) as told:
                asked.queries.own.click()
            assert told.args == ["query"]
        else:
            assert not asked.queries.own.isVisible()


class TestForAll:
    def test_a_claim_is_checked_for_every_value(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        page = workspace.for_all
        workspace.tabs.setCurrentWidget(page)
        idle(qtbot, workspace)
        page.button.click()
        assert page.state.text.startswith("Nothing is claimed") and page.found is None
        asked = LaboratorySettings(mechanism="truncated-geometric", claim="ln 2")
        workspace.document.apply("ask", lambda session: session.audit.ask(asked))
        idle(qtbot, workspace)
        assert page.question.text() == "Is ε at most ln 2?" and page.parameter.chosen == "n"
        page.last.setValue(6)
        page.button.click()
        idle(qtbot, workspace)
        assert page.found is not None and page.found.holds is True and page.state.text.startswith("Yes")
        assert page.each.texts() == [(str(n), "ln(2)", "0.6931", "holds") for n in range(1, 7)]
        page.last.setValue(7)
        assert page.found is None and not page.each.isEnabled(), "what was found is there, and marked as old"
        assert page.state.text == "Out of date: this answers whether ε was at most ln 2 for every n from 1 to 6."
        workspace.document.apply(
            "claim less", lambda session: session.audit.ask(replace(session.audit.settings, claim="0.6"))
        )
        idle(qtbot, workspace)
        page.button.click()
        idle(qtbot, workspace)
        assert page.found is not None and page.found.at == 1 and "= ln(2) ≈ 0.6931" in page.state.text
        assert page.each.texts() == [("1", "ln(2)", "0.6931", "fails")] and page.each.isEnabled()
        assert page.state.text.endswith(" Not tried: n = 2 to 7."), "the values that were typed stay"
        pick(qtbot, workspace, workspace.settings.mechanism, "survey")
        tab = workspace.tabs.indexOf(page)
        assert not workspace.tabs.isTabVisible(tab) and not page.isVisible(), "there is nothing to try every value of"
        pick(qtbot, workspace, workspace.settings.mechanism, "grr")
        assert workspace.tabs.isTabVisible(tab)

    def test_checking_leaves_the_keyboard_where_it_is_and_nothing_jumps(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        page = workspace.for_all
        workspace.tabs.setCurrentWidget(page)
        idle(qtbot, workspace)
        assert page.parameter.currentText() == "Largest count n"
        before = page.button.mapTo(workspace, page.button.rect().topLeft())
        page.claim.click()
        assert workspace.settings.claim.hasFocus()
        asked = LaboratorySettings(mechanism="truncated-geometric", claim="ln 2")
        workspace.document.apply("ask", lambda session: session.audit.ask(asked))
        idle(qtbot, workspace)
        after = page.button.mapTo(workspace, page.button.rect().topLeft())
        assert (before.y(), page.claim.isVisible()) == (after.y(), False)
        page.button.setFocus()
        page.button.click()
        assert page.button.hasFocus()
        idle(qtbot, workspace)
        assert page.button.hasFocus() and page.found is not None

    def test_whoever_comes_with_a_claim_finds_an_answer_and_without_one_what_leads_to_it(
        self, qtbot: QtBot, workspace: MechanismsWorkspace
    ) -> None:
        page = workspace.for_all
        workspace.tabs.setCurrentWidget(page)
        idle(qtbot, workspace)
        assert page.state.text == "Claim an ε, and it is checked for every value here." and page.found is None
        ask(qtbot, workspace, claim="0.6")
        idle(qtbot, workspace)
        assert page.found is not None and page.found.at == 1 and page.each.isVisible(), "nothing had to be pressed"
        page.last.setValue(7)
        assert page.found is None and page.state.text.startswith("Out of date")
        idle(qtbot, workspace)
        assert page.found is not None and page.found.asked.last == 7, "nor is anything pressed for other values"
        ask(qtbot, workspace, claim="ln 2")
        assert page.found is not None and page.found.holds is True and page.state.text.startswith("Yes")

    def test_a_check_says_how_far_it_is_and_can_be_stopped(self, qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
        page, said = workspace.for_all, set[str]()
        workspace.tabs.setCurrentWidget(page)
        idle(qtbot, workspace)
        workspace.document.runner.progress.connect(lambda *_: said.add(page.state.text))
        page.last.setValue(400)
        ask_now = replace(workspace.document.project.laboratory, claim="ln 2")
        workspace.document.apply("ask", lambda session: session.audit.ask(ask_now))
        qtbot.waitUntil(lambda: any(text.startswith("Checking n = ") for text in said), timeout=PATIENCE_MS)
        assert page.button.text() == "Stop"
        page.button.click()
        idle(qtbot, workspace)
        assert page.found is None and page.state.text == "Stopped before it was decided."
        assert page.button.text() == "Check", "and it does not begin again by itself"
        page.last.setValue(5)
        idle(qtbot, workspace)
        assert page.found is not None and page.found.holds is True


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_what_is_written_in_a_cell_can_be_read_on_every_shade(qapp: QApplication, theme: Theme) -> None:
    apply_theme(qapp, theme)
    try:
        cells = [cell_colours(place / 100) for place in range(101)]
    finally:
        apply_theme(qapp, LIGHT)
    weakest = min(contrast(ground.name(), ink.name()) for ground, ink in cells)
    assert weakest >= 4.5


def test_what_rows_and_columns_are_is_never_cut_in_the_smallest_window(
    qtbot: QtBot, workspace: MechanismsWorkspace
) -> None:
    legend = workspace.matrix.legend
    for wide in (816, 1064):
        workspace.resize(wide, 640)
        qtbot.waitUntil(lambda: legend.text() == legend.full_text == "Rows are inputs, columns outputs")


@pytest.mark.parametrize("low", range(150, 420, 30))
def test_a_bar_for_rows_makes_no_bar_for_columns(on_screen: OnScreen, low: int) -> None:
    table = on_screen(MatrixTable("Matrix"), 500, low)
    table.show_channel(build(LaboratorySettings()).channel)
    QApplication.processEvents()
    assert not (table.verticalScrollBar().isVisible() and table.horizontalScrollBar().isVisible())


def test_the_menus_of_a_matrix_stay_inside_the_window(qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
    window = workspace.window()
    window.move(-150, 0)  # its right edge is well inside the screen, whose edges Qt knows by itself
    idle(qtbot, workspace)
    for button in (workspace.matrix.copy, workspace.matrix.save):
        menu = button.menu()
        assert menu is not None
        # Where Qt opens it: below the button, from its left edge.
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
        left, right = (
            window.mapFromGlobal(QPoint(at, 0)).x() for at in (menu.geometry().left(), menu.geometry().right())
        )
        assert left >= 0 and right < window.width(), button.text()
        menu.hide()
