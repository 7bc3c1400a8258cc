"""The share of one value is found among the questions by its name, and is that of its count."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import Takes, add, experiment, means, now, run
from tests.gui.helpers import choose_row, idle
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.question import Metric, Question, Statistic
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.ldp.encoding import EncodingChoice
from workbench.plots.comparison import ComparisonData, caption


def ask(qtbot: QtBot, room: CompareWorkspace, words: str) -> None:
    combo: QComboBox = room.view.question.statistic
    choose_row(combo, [combo.itemText(row) for row in range(combo.count())].index(words))
    idle(qtbot, room)


@pytest.fixture
def counting(qtbot: QtBot, unseen: CompareWorkspace, takes: Takes) -> CompareWorkspace:
    question = Question(Statistic.COUNT, "town", EncodingChoice(answer="Chur"))
    add(qtbot, unseen, experiment(question=question, basis=Basis.UNIFORM, users=200))
    return unseen


def test_the_share_is_an_entry_of_its_own(qtbot: QtBot, counting: CompareWorkspace) -> None:
    view = counting.view
    assert view.question.statistic.currentText() == "Count of one value"
    run(qtbot, counting)
    counts = means(counting)
    ask(qtbot, counting, "Share of one value")
    assert now(counting).of_share and now(counting).question.statistic is Statistic.COUNT
    assert view.question.statistic.currentText() == "Share of one value" and not view.question.answer.isHidden()
    assert view.question.measure.currentText() == "Error of the share"
    assert {at: 200 * error for at, error in means(counting).items()} == pytest.approx(counts), "no other answers"
    found = view.chart.shown
    assert found is not None
    words = str(caption(ComparisonData(found, counting.draft.figure)))
    assert words.startswith("Error of the share of rows with “Chur” in town against ε")


def test_back_from_it_errors_are_as_usual(qtbot: QtBot, counting: CompareWorkspace) -> None:
    for words in ("Count of one value", "Mean"):
        ask(qtbot, counting, "Share of one value")
        assert now(counting).of_share
        ask(qtbot, counting, words)
        assert now(counting).metric == Metric() and counting.view.question.statistic.currentText() == words


def test_a_count_is_named_in_its_caption() -> None:
    asked = Experiment(Question(Statistic.COUNT, "town", EncodingChoice(answer="Chur")))
    assert asked.asked == "number of rows with “Chur” in town" and asked.error_heading == "Absolute error"
    assert Experiment(Question(Statistic.MEAN, "age")).asked == "mean of age"
