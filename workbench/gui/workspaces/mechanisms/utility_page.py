"""Utility of an answer, and the gain of an adversary from it."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import NONE
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.inputs import ComboBox, LongLine
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.mechanisms.utility import LossFunction
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import Examination
from workbench.session.audit_words import belief_rows, bets_words, capacity_words, guess_words, with_decimals
from workbench.session.truthful_words import can_be_planned, estimator_words, planned_words

_PRIORS = "uniform, one weight per input such as 2 1 1 or 1 % 99 %, or the name of one input"
_MOST_LINES = 12
"""Of beliefs; more are scrolled."""


class UtilityPage(QWidget):
    """Expected error and vulnerability under a prior.

    Signals
    -------
    prior_changed(str), loss_changed(str)
        The person wants another prior or loss.
    plan_wanted()
        The person wants a survey planned with the ε of this randomised response.
    """

    plan_wanted = Signal()
    prior_changed = Signal(str)
    loss_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.prior = LongLine()
        self.prior.setAccessibleName("Prior")
        self.prior.setPlaceholderText("uniform")
        self.prior.editingFinished.connect(self._tell_prior)
        self.said = SteadyLabel()
        self._say_of_prior(None)
        self.loss = ComboBox("Loss", [(loss.words, loss.value) for loss in LossFunction])
        self.loss.activated.connect(self._tell_loss)
        self._values: dict[str, QLabel] = {}
        fields = QGridLayout()
        fields.setHorizontalSpacing(tokens.SPACE_S)
        fields.setVerticalSpacing(tokens.SPACE_S)
        fields.setColumnStretch(1, 1)
        fields.addWidget(label("What is believed before"), 0, 0)
        fields.addWidget(self.prior, 0, 1)
        fields.addWidget(self.said, 1, 1)
        fields.addWidget(label("An error costs"), 2, 0)
        fields.addWidget(self.loss, 2, 1)
        figures = QGridLayout()
        figures.setHorizontalSpacing(tokens.SPACE_XL)
        figures.setVerticalSpacing(tokens.SPACE_XS)
        figures.setColumnStretch(1, 1)
        for row, (name, title) in enumerate(
            (
                ("error", "Expected error of the output"),
                ("before", "Best guess of the input is right, before"),
                ("after", "After seeing the output, on average"),
                ("surest", "After the output that makes it surest"),
                ("gain", "Times better, on average"),
            )
        ):
            value = label(strong=True, selectable=True)
            value.setFont(tabular_font())
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self._values[name] = value
            figures.addWidget(label(title, muted=True), row, 0)
            figures.addWidget(value, row, 1)
        self.estimator = label(wrap=True, selectable=True)
        self.plan = push_button(
            "Plan a survey at this ε in Collect",
            self.plan_wanted,
            icon=icon("collect", "link"),
            tip="How many people it takes, and what errs least. Two answers are asked there, too; of more, what is "
            "asked there stays",
            quiet=True,
        )
        self.planned = label(muted=True, wrap=True)
        self.survey = boxes.boxed(
            boxes.column(self.estimator, self.planned, (self.plan, Qt.AlignmentFlag.AlignLeft), spacing="xs")
        )
        self.survey.hide()
        self.words = label(wrap=True)
        self.beliefs = HeatTable("Belief in each input before and after each output")
        self.beliefs.hide()
        inside = boxes.boxed(
            boxes.column(fields, figures, self.survey, self.words, self.beliefs, 1, margins="0 m 0 0", spacing="l")
        )
        boxes.column(boxes.scrolled(inside), inside=self)
        set_explain(self, "mechanisms.utility")

    def value(self, name: str) -> str:
        """The text of a figure: error, before, after, surest or gain."""
        return self._values[name].text()

    def show_settings(self, settings: LaboratorySettings) -> None:
        """Show what is asked."""
        if not self.prior.hasFocus():
            self.prior.setText(settings.prior)
        self.loss.choose(settings.loss)

    def show_found(self, found: Examination) -> None:
        """Show what was found."""
        value, wrong = found.utility, found.why_without("prior")
        self.estimator.setText(estimator_words(found))
        self.estimator.setVisible(bool(self.estimator.text()))
        self.plan.setVisible(can_be_planned(found))
        self.planned.setText(planned_words(found) if can_be_planned(found) else "")
        self.planned.setVisible(bool(self.planned.text()))
        self.survey.setVisible(bool(self.estimator.text()) or can_be_planned(found))
        self.loss.choose(value.loss.value)
        self._say_of_prior(wrong)
        if wrong is not None:
            for figure in self._values.values():
                figure.setText(NONE)
            self.beliefs.hide()
            self.words.setText("\n\n".join((capacity_words(found), guess_words(found))))
            return
        self._show("error", value.expected_error)
        self._show("before", value.guess_before)
        self._show("after", value.guess_after)
        self._show("surest", value.surest.chance)
        self._show("gain", value.gain)
        self.words.setText(self._sentence(found))
        self._show_beliefs(found)

    def _show_beliefs(self, found: Examination) -> None:
        rows, outputs = belief_rows(found), found.channel.outputs
        self.beliefs.setVisible(bool(rows))
        if rows:
            self.beliefs.show_rows(("Input", "before", *(f"after {name}" for name in outputs)), rows)
            self.beliefs.fit_columns()
            self.beliefs.break_heads()
            lines = sum(self.beliefs.rowHeight(row) for row in range(min(len(rows), _MOST_LINES)))
            bar = self.beliefs.horizontalScrollBar().sizeHint().height()
            self.beliefs.setFixedHeight(self.beliefs.head_height + lines + bar + 2 * self.beliefs.frameWidth())

    def _say_of_prior(self, wrong: WorkbenchError | None) -> None:
        self.said.setText(_PRIORS if wrong is None else str(wrong))
        set_look(self.said, muted=wrong is None, tone="none" if wrong is None else "error")
        set_look(self.prior, invalid=wrong is not None)

    def _show(self, name: str, value: Fraction | float | None) -> None:
        self._values[name].setText("not defined for these outputs" if value is None else with_decimals(value))

    def _sentence(self, found: Examination) -> str:
        value = found.utility
        said = [bets_words(found), capacity_words(found), guess_words(found)]
        if value.expected_error is not None and value.loss is not LossFunction.WRONG and not found.ordered:
            said.append("Values without an order are only numbered here: 1 for a wrong answer suits them.")
        return "\n\n".join(said)

    def _tell_prior(self) -> None:
        self.prior_changed.emit(self.prior.text().strip() or "uniform")

    def _tell_loss(self, _row: int) -> None:
        self.loss_changed.emit(str(self.loss.chosen))
