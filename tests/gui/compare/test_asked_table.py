"""Which table is asked is read beside the question: its name alone, and nothing of where it lies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import add, experiment, now, shown_words
from tests.gui.helpers import choose_row, idle
from workbench.evaluate.experiment import Basis
from workbench.evaluate.figure_settings import FIT_TO_PRINT
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.ldp.encoding import EncodingChoice
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


def test_what_was_typed_of_a_table_is_there_when_it_is_opened_again(
    qtbot: QtBot, unseen: CompareWorkspace, table: Path, tmp_path: Path
) -> None:
    """Whatever was opened in between, and left by whichever way."""
    add(qtbot, unseen, experiment(basis=Basis.UNIFORM, users=200))
    encoding = replace(now(unseen).question.encoding, bounds=(0.0, 77.0))
    unseen.draft.change("bounds", question=replace(now(unseen).question, encoding=encoding))
    question = Question(Statistic.HISTOGRAM, "town", EncodingChoice(domain=("A", "B")))
    unseen.draft.change("towns", question=question, metric=metrics_for(Statistic.HISTOGRAM)[0])
    idle(qtbot, unseen)
    other = tmp_path / "other.csv"
    other.write_text("x,y\n1,2\n3,4\n", encoding="utf-8")
    for file in (other, table):
        unseen.document.new()
        unseen.document.open_data(file)
        idle(qtbot, unseen)
    unseen.draft.offers = True
    unseen.view.refresh()
    assert now(unseen).question.column == "age" and now(unseen).question.encoding.bounds == (0.0, 77.0)
    column = unseen.view.question.column
    choose_row(column, column.findData("town"))
    assert now(unseen).question.column == "town" and now(unseen).question.encoding.domain == ("A", "B")


def test_no_figure_names_the_file(qtbot: QtBot, declared: CompareWorkspace) -> None:
    found = declared.view.chart.shown
    assert found is not None and declared.view.question.asked_table.full_text == "people.csv"
    assert "people.csv" not in str(comparison.caption(ComparisonData(found, FIT_TO_PRINT)))


def test_where_another_table_takes_its_place_it_is_said_where_what_was_found_has_gone(
    qtbot: QtBot, declared: CompareWorkspace, table: Path, tmp_path: Path
) -> None:
    chart = declared.view.chart
    assert chart.shown is not None and not chart.of_other_table
    other = tmp_path / "later.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    other.write_text("\n".join([*lines, lines[-1]]), encoding="utf-8")
    declared.hide()  # a file is opened elsewhere, and nothing is tried meanwhile
    declared.document.open_data(other)
    idle(qtbot, declared)
    declared.view.refresh()
    declared.view.chart.show_basis(public=True)
    chart = declared.view.chart
    assert chart.shown is None
    assert chart.chart.accessibleDescription().startswith("What was found was not about this table. ")
    declared.view.chart.show_basis(public=True, runs=True)
    assert "another table" not in declared.view.chart.chart.accessibleDescription()
