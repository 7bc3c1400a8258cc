"""The goal of a search: the loss metric, the limit of suppression, and local recoding."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QVBoxLayout, QWidget

from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.core.number_text import rounded
from workbench.core.params import filled
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.parameter_fields import ParameterFields
from workbench.gui.widgets.section import Section

_COMBO_LETTERS = 10
_PERCENT = 100


class GoalSection(Section):
    """Shows and edits the loss metric, the suppression limit and local recoding.

    Signals
    -------
    validity_changed()
        A field holds no number any more, or holds one again.
    """

    validity_changed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title("What to preserve")
        self._document = document
        self._showing = False
        self.limit = NumberField(
            "Rows that may be suppressed", minimum=0, maximum=_PERCENT, step=1, unit="%", compact=True
        )
        self.limit.value_changed.connect(self._limit_typed)
        self.limit.validity_changed.connect(self._tell_validity)
        set_explain(self.limit, "anonymise.suppression_limit")
        choices = [(metric.title, metric.identifier) for metric in METRICS]
        self.loss = ComboBox("Loss metric", sorted(choices, key=lambda one: one[1] != "loss"))
        self.loss.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.loss.setMinimumContentsLength(_COMBO_LETTERS)
        self.loss.activated.connect(self._metric_chosen)
        set_explain(self.loss, "anonymise.metric")
        self.local = QCheckBox("Recode what is left over")
        self.local.setAccessibleName(self.local.text())
        self.local.setToolTip("Search again among rows that would be suppressed; released rows then have mixed levels.")
        self.local.clicked.connect(self._choose_local)
        set_explain(self.local, "anonymise.local_recoding")
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_S)
        grid.setVerticalSpacing(tokens.SPACE_XS)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, tokens.METER_WIDTH + tokens.SPACE_XL + tokens.SPACE_S)
        grid.addWidget(label("Suppress at most", wrap=True), 0, 0)
        grid.addWidget(self.limit, 0, 1)
        grid.addWidget(self.local, 1, 0, 1, 2)
        grid.addWidget(label("Loss metric", wrap=True), 2, 0)
        grid.addWidget(self.loss, 2, 1)
        self._place = QVBoxLayout()
        self.parameters: ParameterFields | None = None
        self._summary = label(muted=True, small=True, wrap=True)
        self._made_for = ""
        self.add(grid)
        self.add(self._place)
        self.add(self._summary)

    @property
    def valid(self) -> bool:
        return self.limit.valid and (self.parameters is None or self.parameters.valid)

    def refresh(self) -> None:
        """Show the metric and the limit as the question has them."""
        question = self._document.project.anonymise.question
        self._showing = True
        try:
            percent = rounded(_PERCENT * question.suppression_limit, 12)
            if self.limit.value != percent and (self.limit.valid or not self.limit.edit.hasFocus()):
                self.limit.set_value(percent)
            self.local.setChecked(question.local_recoding)
            self.loss.choose(question.metric.identifier)
        finally:
            self._showing = False
        if question.metric.identifier != self._made_for:
            self._rebuild(question.metric.identifier)
        if self.parameters is not None:
            specs = METRICS[question.metric.identifier].params
            self.parameters.show_values(filled(specs, dict(question.metric.values)))

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

    def _limit_typed(self, percent: float) -> None:
        if self._showing:
            return
        exact = self.limit.exact
        share = float(exact / _PERCENT) if exact is not None else percent / _PERCENT
        self._document.apply(
            "Change the suppression limit",
            lambda session: session.syntactic.set_suppression_limit(share),
            merge="suppression_limit",
        )

    def _choose_local(self, wanted: bool) -> None:
        text = "Recode what is left over" if wanted else "Suppress what is left over"
        self._document.apply(text, lambda session: session.syntactic.set_local_recoding(wanted))

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

    def _tell_validity(self, _valid: bool) -> None:
        self.validity_changed.emit()
