"""The experiments of the project: which one is looked at, its name, and whether its results are saved."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QToolButton, QWidget

from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.compare.draft import ExperimentDraft

_KEPT = "Found on a public shape, they say nothing of the table, and are always saved."
_ASKED = (
    "They are computed from the true values, so whoever gets the project file sees them. Unticked, they are forgotten "
    "when the program ends."
)


class ExperimentsSection(Section):
    """A list to choose from, with buttons for a new one, a copy and away with it.

    Signals
    -------
    deleted(str)
        The experiment of this name was deleted.
    """

    deleted = Signal(str)

    def __init__(self, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._draft = draft
        self.choice = ElidingComboBox("Experiment looked at")
        self.choice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.choice.activated.connect(self._draft.select)
        self.new = self._button("add", "New experiment")
        self.new.clicked.connect(self._add)
        self.copy = self._button("copy", "Duplicate this experiment")
        self.copy.clicked.connect(self._draft.duplicate)
        self.delete = self._button("remove", "Delete this experiment")
        self.delete.clicked.connect(self._delete)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the experiment")
        self.name.editingFinished.connect(self._rename)
        self.keep = ElidingCheckBox("Save its results with the project")
        self.keep.clicked.connect(self._draft.keep)
        for button in (self.new, self.copy, self.delete):
            self.add_action(button)
        grid = form_grid()
        grid.setColumnMinimumWidth(0, tokens.COLUMN_MIN)
        self._choice_label = label("Shown")
        grid.addWidget(self._choice_label, 0, 0)
        grid.addWidget(self.choice, 0, 1)
        grid.addWidget(label("Name"), 1, 0)
        grid.addWidget(self.name, 1, 1)
        self.add(grid)
        ticks = boxes.row((self.keep, 1), spacing="s")
        self.add(ticks)
        set_explain(self, "compare.experiments")
        set_explain(self.keep, "compare.keep")

    def _button(self, icon_name: str, words: str) -> QToolButton:
        button = tool_button(name=words, icon=icon(icon_name), tip=words)
        return button

    def refresh(self) -> None:
        """Show the experiments of the project."""
        documents = self._draft.desk.documents
        names = [one.experiment.name for one in documents]
        if [self.choice.itemText(row) for row in range(self.choice.count())] != names:
            self.choice.clear()
            self.choice.addItems(names)
        self.choice.setCurrentIndex(self._draft.index)
        several = len(documents) > 1
        for widget in (self.choice, self._choice_label):
            widget.setVisible(several)
        current = self._draft.current
        if current is None:
            return
        if not self.name.hasFocus() or not self.name.isModified():
            self.name.setText(current.experiment.title)
        self.name.setPlaceholderText(current.experiment.name)
        self.delete.setEnabled(bool(documents))
        public = current.experiment.basis.public
        self.keep.setChecked(current.keeps)
        self.keep.setEnabled(not public)
        self.keep.setToolTip(_KEPT if public else _ASKED)

    def _add(self) -> None:
        self._draft.add()

    def _delete(self) -> None:
        experiment = self._draft.experiment
        if experiment is not None:
            name = experiment.name
            self._draft.remove()
            self.deleted.emit(name)

    def _rename(self) -> None:
        self.name.setModified(False)
        self._draft.change("Rename the experiment", title=self.name.text().strip())
