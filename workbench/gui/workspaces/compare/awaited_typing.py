"""The field of the settings in which something is being typed, whose end a run that begins by itself waits for."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.gui.widgets.number_field import NumberField


class AwaitedTyping(QObject):
    """Tells whether somebody is typing in the settings, and when that has come to rest.

    Signals
    -------
    rested()
        Nothing was typed for a moment in the field that was waited for.
    """

    rested = Signal()

    def __init__(self, settings: QWidget) -> None:
        super().__init__(settings)
        self._settings = settings
        self._awaited: NumberField | None = None

    @property
    def field(self) -> QLineEdit | None:
        """Field of the settings that somebody is in."""
        at = self._settings.window().focusWidget()
        return at if isinstance(at, QLineEdit) and self._settings.isAncestorOf(at) else None

    def waits(self) -> bool:
        """Whether something is being typed there, whose end is waited for."""
        field = self.field
        number = next((one for one in self._settings.findChildren(NumberField) if one.edit is field), None)
        if number is None or not number.typing:
            return False
        if number is not self._awaited:
            self._awaited = number
            number.rested.connect(self._rest, Qt.ConnectionType.SingleShotConnection)
        return True

    def _rest(self) -> None:
        self._awaited = None
        self.rested.emit()
