"""The settings of a comparison: what is asked, what it is tried on, by which methods and how often."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.settings_column import SettingsColumn
from workbench.gui.workspaces.compare.awaited_typing import AwaitedTyping
from workbench.gui.workspaces.compare.basis_section import BasisSection
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.experiments_section import ExperimentsSection
from workbench.gui.workspaces.compare.grid_section import GridSection
from workbench.gui.workspaces.compare.methods_section import MethodsSection
from workbench.gui.workspaces.compare.question_section import CompareQuestionSection

SETTINGS_WIDTH = tokens.EXPLAIN_WIDTH + tokens.SPACE_XL


class ExperimentSettings(QWidget):
    """The settings in a column that scrolls, and the buttons below it.

    Parameters
    ----------
    figure
        How the figure is drawn, which is the last but one of the folds.
    foot
        What stands below the column.
    """

    def __init__(self, draft: ExperimentDraft, figure: QWidget, foot: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(SETTINGS_WIDTH)
        self.question = CompareQuestionSection(draft)
        self.basis = BasisSection(draft)
        self.methods = MethodsSection(draft)
        self.grid = GridSection(draft)
        self.experiments = ExperimentsSection(draft)
        self.folds = (
            Disclosure("Tried on", boxes.boxed(boxes.column(self.basis.tried, self.question.measured, spacing="s"))),
            Disclosure("Methods", self.methods),
            Disclosure("Range and repetitions", self.grid),
            Disclosure("Figure", figure),
            Disclosure("Experiments", self.experiments),
        )
        self.column = SettingsColumn(self.question, self.basis, self.question.below, *self.folds)
        self.typing = AwaitedTyping(self.column, lambda: self.basis.guessed)
        boxes.column((self.column, 1), foot, spacing=0, inside=self)
        # Whoever typed bounds types people next: on the offer between them the digits would be lost.
        QWidget.setTabOrder(self.question.bounds.numbers[-1].edit, self.question.values)
        QWidget.setTabOrder(self.question.values, self.basis.form["users"].edit)
        QWidget.setTabOrder(self.basis.form["users"].edit, self.question.most.edit)
        QWidget.setTabOrder(self.question.most.edit, self.question.adopt)
