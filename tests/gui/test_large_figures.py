"""What long waits and large numbers ask of the window: nothing silent, and nothing cut off."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen
from workbench.core.column_facts import Coverage
from workbench.core.hierarchy import Hierarchy
from workbench.core.pace import Pace
from workbench.core.progress import Progress
from workbench.gui.document import OPEN_JOB, Document
from workbench.gui.runner import JobState, Runner
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.job_strip import JobStrip
from workbench.gui.workspaces.anonymise.result_header import ResultHeader
from workbench.gui.workspaces.data import DataWorkspace
from workbench.gui.workspaces.hierarchies.levels_view import HierarchyLevelsView
from workbench.gui.workspaces.hierarchies.values_model import ROWS_COLUMN
from workbench.gui.workspaces.release.export_panel import ExportPanel
from workbench.io.export_format import FORMATS


class TestPace:
    def test_it_follows_the_last_news(self) -> None:
        pace = Pace()
        pace.report(0.25, 10.0)
        assert pace.seconds_left(10.0) == pytest.approx(30.0)
        assert pace.seconds_left(15.0) == pytest.approx(25.0)

    def test_a_silent_step_does_not_let_the_estimate_grow(self) -> None:
        pace = Pace()
        pace.report(0.02, 2.0)
        estimates = [pace.seconds_left(seconds) for seconds in (2.0, 4.0, 20.0, 200.0)]
        assert estimates == [pytest.approx(98.0), pytest.approx(96.0), None, None]

    def test_what_takes_longer_than_expected_has_no_estimate(self) -> None:
        pace = Pace()
        pace.report(0.9, 9.0)
        assert pace.seconds_left(9.5) == pytest.approx(0.5)
        assert pace.seconds_left(10.5) is None

    def test_too_little_to_judge_from(self) -> None:
        pace = Pace()
        assert pace.seconds_left(10.0) is None
        pace.report(0.01, 5.0)
        assert pace.seconds_left(5.0) is None


class _Waits:
    """A job that reports until it may end."""

    def __init__(self) -> None:
        self.may_end = threading.Event()

    def __call__(self, progress: Progress) -> None:
        while not self.may_end.wait(0.01):
            progress(0.5)


class TestStrip:
    def test_that_something_was_cancelled_is_said_until_it_is_tried_again(self, qtbot: QtBot) -> None:
        strip, runner = JobStrip(), Runner()
        qtbot.addWidget(strip)
        strip.watch(runner)

        def texts() -> str:
            return " ".join(label.text() for label in strip.findChildren(QLabel))

        job = runner.start("Collecting", _Waits())
        qtbot.waitUntil(lambda: job.state is JobState.RUNNING)
        job.cancel()
        qtbot.waitUntil(lambda: job.state is JobState.CANCELLED)
        assert "Cancelled: Collecting" in texts()
        beside = runner.start("Keeping unsaved work", lambda progress: None)
        qtbot.waitUntil(lambda: beside.state is JobState.DONE)
        assert "Cancelled: Collecting" in texts()
        again = runner.start("Collecting", lambda progress: None)
        qtbot.waitUntil(lambda: again.state is JobState.DONE)
        assert "Cancelled" not in texts()
        assert runner.shutdown()


def test_without_a_table_it_says_what_is_being_opened(qtbot: QtBot, document: Document, on_screen: OnScreen) -> None:
    room = on_screen(DataWorkspace(document))
    page = room.empty
    button = page.primary_button
    assert button is not None

    def heading() -> str:
        return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())

    assert "No table is open" in heading() and room.next_hint() == "Open a table"
    waits = _Waits()
    document.runner.start("Opening large.csv with DuckDB", waits, key=OPEN_JOB)
    qtbot.waitUntil(lambda: "Opening large.csv with DuckDB…" in heading(), timeout=PATIENCE_MS)
    assert not button.isVisible() and room.next_hint() == ""
    waits.may_end.set()
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=PATIENCE_MS)
    assert "No table is open" in heading() and button.isVisible() and room.next_hint() == "Open a table"


def test_numbers_in_a_narrow_table_are_never_cut_off(on_screen: OnScreen) -> None:
    table = on_screen(HeatTable("Figures"), width=400, height=300)
    number, text = "1,000,000,000", "a most frequent value that is long (12.3 %)"
    table.show_rows(("Figure", "Before", "After"), [("with a value", number, number), ("most frequent", text, text)])
    assert min(table.columnWidth(1), table.columnWidth(2)) > table.fontMetrics().horizontalAdvance(number)
    assert table.columnWidth(1) < table.fontMetrics().horizontalAdvance(text)


def test_facts_that_are_cut_off_are_whole_in_the_tooltip(on_screen: OnScreen) -> None:
    header = on_screen(ResultHeader("Why?", "Why"), width=330, height=40)
    header.show_facts("ε 1, δ 1e-5", "1,000,000,000 rows · 1,000,000 groups", tip="The smallest group has 5 rows.")
    assert header.toolTip() == "ε 1, δ 1e-5 · 1,000,000,000 rows · 1,000,000 groups\nThe smallest group has 5 rows."


def test_the_column_of_counted_rows_has_room_for_them(document: Document, on_screen: OnScreen) -> None:
    view = on_screen(HierarchyLevelsView(document.runner, "levels"))
    hierarchy = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*")])
    view.show_hierarchy(hierarchy, None)
    counts = np.array([1_000_000_000, 5], dtype=np.int64)
    view.show_hierarchy(hierarchy, Coverage(counts, (), 0))
    assert view.table.columnWidth(ROWS_COLUMN) > view.table.fontMetrics().horizontalAdvance("1,000,000,000")


@pytest.mark.parametrize(("rows", "room"), [(1_048_575, True), (1_048_576, False)])
def test_a_workbook_that_would_be_too_long_is_refused_before_anything_is_written(
    document: Document, on_screen: OnScreen, rows: int, room: bool
) -> None:
    if FORMATS["xlsx"].missing is not None:
        pytest.skip("no writer of workbooks is installed")
    panel = on_screen(ExportPanel(document))
    panel.file.setText("/data/people.csv")
    panel.show_subject(
        SimpleNamespace(
            ready=True,
            rows=rows,
            exported=None,
            reworded=None,
            form=None,
            key="",
            without_claim=False,
            only_unclaimed=False,
            asserted=(),
            said=frozenset(),
            given=False,
            others={},
        )
    )
    assert panel.export.isEnabled() and "room for" not in panel.state.full_text
    panel.file_style.form.choose("xlsx")
    panel.file_style.form.activated.emit(panel.file_style.form.currentIndex())
    assert panel.export.isEnabled() is room
    assert ("room for 1,048,575 rows" in panel.state.full_text) is not room
