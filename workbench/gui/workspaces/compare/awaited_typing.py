"""The field of the settings in which something is being typed, whose end a run that begins by itself waits for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.gui.later import Later
from workbench.gui.widgets.number_field import NumberField

_BEGINS_MS = 4000
"""So long whoever has gone into a field, in which something is to be typed, may take to begin."""


class AwaitedTyping(QObject):
    """Tells whether somebody is typing in the settings, and when that has come to rest.

    Parameters
    ----------
    lacking
        The field in which there is a guess of the program: whoever goes into it is about to type; None for none.

    Signals
    -------
    rested()
        Nothing was typed for a moment in the field that was waited for, or nobody began to.
    """

    rested = Signal()

    def __init__(self, settings: QWidget, lacking: Callable[[], NumberField | None]) -> None:
        super().__init__(settings)
        self._settings, self._lacking = settings, lacking
        self._awaited: NumberField | None = None
        self._given_up = False
        self._later = Later(self, self._give_up, _BEGINS_MS)

    @property
    def field(self) -> QLineEdit | None:
        """Field of the settings that somebody is in."""
        at = self._settings.window().focusWidget()
        return at if isinstance(at, QLineEdit) and self._settings.isAncestorOf(at) else None

    def waits(self) -> bool:
        """Whether something is being typed there, whose end is waited for."""
        field = self.field
        number = next((one for one in self._settings.findChildren(NumberField) if one.edit is field), None)
        about = number is not None and number is self._lacking()
        self._given_up &= about
        if number is None or not (number.typing or (about and not self._given_up)):
            return False
        if not number.typing and not self._later.isActive():
            self._later.start()
        if number is not self._awaited:
            self._awaited = number
            number.rested.connect(self._rest, Qt.ConnectionType.SingleShotConnection)
        return True

    def _give_up(self) -> None:
        """Nobody has begun to type: what is there may be what is meant."""
        self._given_up = True
        self._rest()

    def _rest(self) -> None:
        self._later.stop()
        self._awaited = None
        self.rested.emit()
