"""Two inputs side by side: what they answer, and the chain that leads there."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.plots import chain, two_outputs
from workbench.session.audit import Examination
from workbench.session.audit_words import picture_caption

_LETTERS = 4


class PairPage(QWidget):
    """The distributions of two inputs with the band that ε allows, or the same as a chain.

    Signals
    -------
    noted(str, str)
        A message of a kind and its text.
    """

    noted = Signal(str, str)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: Examination | None = None
        self.first = self._combo("First input")
        self.second = self._combo("Second input")
        self.worst = push_button(
            "Worst pair", self.show_worst, tip="Show the two neighbours that are told apart best", quiet=True
        )
        self.outputs = ChartView("Outputs of two inputs", two_outputs, runner)
        self.chain = ChartView("Chain of the mechanism", chain, runner)
        for chart in (self.outputs, self.chain):
            chart.noted.connect(self.noted)
        self.views = ViewSwitch("Two inputs", ((self.outputs, "Distributions"), (self.chain, "Chain")))
        top = boxes.row(label("Inputs"), (self.first, 1), label("and"), (self.second, 1), self.worst, 1, spacing="s")
        boxes.column(top, (self.views, 1), margins="0 s 0 0", spacing=0, inside=self)
        set_explain(self, "mechanisms.pair")

    def show_found(self, found: Examination) -> None:
        """Show a mechanism, at the pair that was chosen, if it has these inputs, or else at its worst pair."""
        before = self._found
        self._found = found
        inputs = found.channel.inputs
        if before is None or before.channel.inputs != inputs:
            for combo in (self.first, self.second):
                combo.clear()
                combo.addItems(list(inputs))
            self.show_worst()
        elif self._at_worst(before):
            self.show_worst()
        else:
            self._show_pair()

    def show_worst(self) -> None:
        """Choose the pair that shows the ε."""
        if self._found is not None:
            witness = self._found.audit.witness
            self.first.setCurrentIndex(witness.row)
            self.second.setCurrentIndex(witness.other)
            self._show_pair()

    def _at_worst(self, found: Examination) -> bool:
        witness = found.audit.witness
        return (self.first.currentIndex(), self.second.currentIndex()) == (witness.row, witness.other)

    def _combo(self, name: str) -> ComboBox:
        combo = ComboBox(name)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(_LETTERS)
        combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        combo.activated.connect(self._show_pair)
        return combo

    def _show_pair(self, _row: int = 0) -> None:
        found = self._found
        if found is None:
            return
        channel, row, other = found.channel, self.first.currentIndex(), self.second.currentIndex()
        names = channel.inputs[row], channel.inputs[other]
        self.outputs.say_below(picture_caption(found, "Chance of each output for two inputs"))
        self.chain.say_below(picture_caption(found, "The mechanism as a chain, from two inputs to their outputs"))
        table = channel.floats[[row, other]]
        epsilon = found.audit.excess.at.upper if found.settings.claim.strip() else found.epsilon
        self.outputs.set_data(
            two_outputs.TwoOutputs(
                *names, channel.outputs, table[0], table[1], epsilon if math.isfinite(epsilon) else np.inf
            )
        )
        rows = (row, other)
        self.chain.set_data(
            chain.of_channel(names, channel.outputs, table, lambda one, column: channel.text(rows[one], column))
        )
