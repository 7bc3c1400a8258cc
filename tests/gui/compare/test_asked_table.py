"""Which table is asked is read beside the question: its name alone, and nothing of where it lies."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import add, experiment, shown_words
from tests.gui.helpers import idle
from workbench.evaluate.figure_settings import FIT_TO_PRINT
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData


def test_without_a_table_no_name_is_shown(empty: CompareWorkspace) -> None:
    assert empty.view.question.asked_table.full_text == ""


@pytest.mark.parametrize("stem", ["people", "stays_of_all_wards_of_the_hospital_in_the_year_2025"])
def test_the_name_of_the_file_is_beside_the_question_and_not_its_place(
    qtbot: QtBot, empty: CompareWorkspace, table: Path, tmp_path: Path, stem: str
) -> None:
    file = tmp_path / f"{stem}.csv"
    file.write_bytes(table.read_bytes())
    empty.document.open_data(file)
    idle(qtbot, empty)
    add(qtbot, empty, experiment())
    name = empty.view.question.asked_table
    assert name.isVisible() and name.full_text == file.name
    assert name.text() == file.name or ("…" in name.text()[1:-1] and name.toolTip() == file.name)
    assert not any(str(tmp_path) in text for text in shown_words(empty))


def test_no_figure_names_the_file(qtbot: QtBot, declared: CompareWorkspace) -> None:
    found = declared.view.chart.shown
    assert found is not None and declared.view.question.asked_table.full_text == "people.csv"
    assert "people.csv" not in str(comparison.caption(ComparisonData(found, FIT_TO_PRINT)))
