"""The goal of a search: the limit of suppression, local recoding, and the loss metric."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.core.params import filled
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.parameter_fields import ParameterFields


class GoalSection(QWidget):
    """Shows and edits the suppression limit, local recoding and the loss metric with its parameters.

    Signals
    -------
    validity_changed()
        A field holds no number any more, or holds one again.
    """

    validity_changed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.form = BoundForm("anonymise", lambda: document.project.anonymise.question, "goal", parent=self)
        self.form.edited.connect(self._edited)
        limit = self.form["suppression_limit"]
        assert isinstance(limit, NumberField)
        limit.validity_changed.connect(lambda _valid: self.validity_changed.emit())
        choices = [(metric.title, metric.identifier) for metric in METRICS]
        self.loss = ElidingComboBox("Loss metric", sorted(choices, key=lambda one: one[1] != "loss"))
        self.loss.activated.connect(self._metric_chosen)
        set_explain(self.loss, "anonymise.metric")
        grid: QGridLayout = self.form.grid(squeezed=True)
        row = grid.rowCount()
        grid.addWidget(label("Loss metric"), row, 0)
        grid.addWidget(self.loss, row, 1)
        self._place = QVBoxLayout()
        self.parameters: ParameterFields | None = None
        self._summary = label(muted=True, small=True, wrap=True)
        self._made_for = ""
        boxes.column(grid, self._place, self._summary, spacing="s", inside=self)

    @property
    def valid(self) -> bool:
        return self.form.valid and (self.parameters is None or self.parameters.valid)

    def refresh(self) -> None:
        """Show the settings as the question has them."""
        metric = self._document.project.anonymise.question.metric
        self.form.refresh()
        self.loss.choose(metric.identifier)
        if metric.identifier != self._made_for:
            self._rebuild(metric.identifier)
        if self.parameters is not None:
            self.parameters.show_values(filled(METRICS[metric.identifier].params, dict(metric.values)))

    def _rebuild(self, identifier: str) -> None:
        if self.parameters is not None:
            self.parameters.retire()
            self.parameters = None
        self._made_for = identifier
        if identifier not in METRICS:
            self._summary.setText("This loss metric is not installed. Choose another.")
            return
        metric = METRICS[identifier]
        self._summary.setText(metric.summary)
        self._summary.setToolTip(metric.citation)
        if metric.params:
            self.parameters = ParameterFields(metric.params)
            self.parameters.changed.connect(self._parameter_changed)
            self.parameters.validity_changed.connect(self.validity_changed)
            self._place.addWidget(self.parameters)
            self.parameters.follow(self.loss)

    def _edited(self, name: str, value: Any, words: str, merge: str) -> None:
        self._document.apply(words, lambda session: session.syntactic.set_goal(name, value), merge=merge)

    def _metric_chosen(self, _row: int) -> None:
        chosen = MetricChoice(str(self.loss.chosen))
        if chosen.identifier != self._document.project.anonymise.question.metric.identifier:
            text = f"Lose the least {METRICS[chosen.identifier].title}"
            self._document.apply(text, lambda session: session.syntactic.set_metric(chosen))

    def _parameter_changed(self, name: str, value: object) -> None:
        metric = self._document.project.anonymise.question.metric
        changed = replace(metric, values={**metric.values, name: value})
        self._document.apply(
            "Change the loss metric", lambda session: session.syntactic.set_metric(changed), merge=f"metric.{name}"
        )
