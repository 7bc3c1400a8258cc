"""An experiment of the Compare workspace, and what a person does with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Question, Statistic
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.gui.workspaces.compare.chart_page import ChartPage
from workbench.gui.workspaces.compare.experiment_view import ExperimentView
from workbench.ldp.encoding import EncodingChoice

PATIENCE_MS = 30_000
Takes = Callable[[float, float], None]
"""Says how many seconds all of an experiment takes, and the place that is looked at first; the fixture `takes`."""
ASSUMED = "One row per person is assumed; with k rows, ε is k times. "
"""What is said as long as nobody has said who is protected."""
BOUNDS = EncodingChoice(bounds=(0.0, 100.0), bins=5)


def experiment(**changes: object) -> Experiment:
    usual = Experiment(
        Question(Statistic.MEAN, "age", BOUNDS),
        methods=(MethodChoice("global-grid"), MethodChoice("uniform")),
        places=(0.5, 1.0, 2.0),
        repetitions=20,
    )
    return replace(usual, **changes)


def add(qtbot: QtBot, workspace: CompareWorkspace, wanted: Experiment) -> None:
    workspace.draft.add(wanted)
    for fold in workspace.view.folds:
        fold.set_open(True)
    idle(qtbot, workspace)


def ways_out(page: ChartPage, begins: str = "") -> list[str]:
    """What the list beside the button for the picture offers; what begins so is taken."""
    page.save_others.click()
    (menu,) = [one for one in page.findChildren(QMenu) if one.isVisible()]
    names = {one.text().replace("&", ""): one for one in menu.actions()}
    menu.close()
    if begins:
        next(one for name, one in names.items() if name.startswith(begins)).trigger()
    return list(names)


def take(page: ChartPage, begins: str) -> None:
    """Save the picture, or take what begins so from the list beside it."""
    if begins == "Picture":
        page.save.click()
    else:
        ways_out(page, begins)


def come_again(qtbot: QtBot, workspace: CompareWorkspace) -> None:
    """Leave the room and enter it."""
    workspace.hide()
    workspace.show()
    idle(qtbot, workspace)


def begun_by_itself(qtbot: QtBot, workspace: CompareWorkspace, repetitions: int = 3000) -> ExperimentView:
    """Come into the room with an experiment that is run because somebody comes, and leave it running."""
    add(qtbot, workspace, experiment(basis=Basis.UNIFORM, users=200, repetitions=repetitions))
    workspace.hide()
    workspace.show()
    qtbot.waitUntil(lambda: workspace.view.run_of.runs_unasked, timeout=PATIENCE_MS)
    return workspace.view


def run(qtbot: QtBot, workspace: CompareWorkspace) -> None:
    assert workspace.view.button.isEnabled(), workspace.view.cost.text()
    qtbot.mouseClick(workspace.view.button, Qt.MouseButton.LeftButton)
    idle(qtbot, workspace)


def enter(qtbot: QtBot, workspace: CompareWorkspace, edit: QLineEdit, text: str) -> None:
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    idle(qtbot, workspace)


def means(workspace: CompareWorkspace) -> dict[tuple[str, float], float]:
    assert workspace.view.chart.shown is not None
    return {(one.method, one.axis_value): one.mean for one in workspace.view.chart.shown.points}


def now(workspace: CompareWorkspace) -> Experiment:
    found = workspace.draft.experiment
    assert found is not None
    return found


def shown_words(room: CompareWorkspace) -> list[str]:
    """Every text that can be read in the room, and every choice it offers."""
    found = []
    for widget in room.findChildren(QWidget):
        if widget.isHidden():
            continue
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
            found += [widget.text(), widget.toolTip(), widget.accessibleName()]
        if isinstance(widget, QComboBox):
            found += [widget.itemText(row) for row in range(widget.count())]
        if isinstance(widget, QLineEdit) and (completer := widget.completer()) is not None:
            model = completer.model()
            found += [str(model.data(model.index(row, 0))) for row in range(model.rowCount())]
    return found
