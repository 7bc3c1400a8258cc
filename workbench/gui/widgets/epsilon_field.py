"""ε as an exact number and on a slider, with what it means in words."""

from __future__ import annotations

import math
from fractions import Fraction

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.amount_text import as_logarithm
from workbench.core.number_text import rounded_up
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.amount_fields import amount_field
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.log_slider import LogSlider

_SLIDER = 0.05, 10.0
_LARGEST_ODDS = 1e6


class EpsilonField(QWidget):
    """The field, a slider between better privacy and better accuracy, and e^ε in a sentence.

    Parameters
    ----------
    name
        What the number is, for screen readers: "ε of one report".
    minimum, maximum, open_minimum
        Bounds of the exact field; the slider covers the usual part of them.

    Signals
    -------
    value_changed(float)
        After every change to a valid number, typed, slid or set.
    """

    value_changed = Signal(float)

    def __init__(
        self,
        name: str,
        *,
        minimum: float = 0.0,
        maximum: float = math.inf,
        open_minimum: bool = True,
        value: float | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.field = amount_field(name, minimum=minimum, open_minimum=open_minimum, maximum=maximum, value=value)
        self.slider = LogSlider(
            self.field,
            minimum=max(_SLIDER[0], minimum),
            maximum=min(_SLIDER[1], maximum),
            low="better privacy",
            high="better accuracy",
        )
        self.words = label(small=True, muted=True, wrap=True)
        self.setFocusProxy(self.field)
        boxes.column(self.field, self.slider, self.words, spacing="xs", inside=self)
        self.field.value_changed.connect(self._tell)
        self.field.validity_changed.connect(self._judge)
        self._say(value)

    @property
    def value(self) -> float | None:
        """The number shown, None while there is none."""
        return self.field.value

    @property
    def exact(self) -> Fraction | None:
        """The number exactly as typed."""
        return self.field.exact

    @property
    def problem(self) -> str:
        """Why there is no number to go on with, in a sentence."""
        return self.field.problem

    @property
    def valid(self) -> bool:
        return self.field.valid

    def set_value(self, value: float) -> None:
        """Show the number in force, as a logarithm where it is one; one that is being typed is left alone."""
        exactly = as_logarithm(value)
        self.field.follow(value, "" if exactly is None else f"ln({exactly})")

    def _tell(self, value: float) -> None:
        self._say(value)
        self.value_changed.emit(value)

    def _judge(self, valid: bool) -> None:
        set_look(self.words, tone="none" if valid else "error")
        if valid:
            self._say(self.field.value)
        else:  # what the number before it means says nothing of this one
            problem, what = self.field.problem, self.field.error
            self.words.setText(problem if what in problem else f"{problem} {what}.")

    def _say(self, value: float | None) -> None:
        if value is None:
            return
        odds, exactly = math.exp(min(value, 700.0)), as_logarithm(value)
        if exactly is not None:
            # Somebody who typed ln 3 means 3 and 75 %; the digits that stand for it are rounded up in the twelfth.
            whole = 100 * exactly / (1 + exactly)
            guess = rounded_up(whole)
            most = "" if Fraction(guess) == whole else " at most"
            words = f"e^ε = {exactly}: a 50 : 50 guess between two values of a person rises to {guess} %{most}."
        elif odds > _LARGEST_ODDS:
            words = "What is seen can be over a million times as likely for one person's truth as for another."
        else:
            guess = rounded_up(100 * odds / (1 + odds))
            # As Query says it.
            words = (
                f"e^ε ≤ {rounded_up(odds)}: a 50 : 50 guess between two values of a person rises to {guess} % at most."
            )
        self.words.setText(words)
