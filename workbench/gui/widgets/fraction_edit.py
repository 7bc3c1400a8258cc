"""A field for a fraction, such as 1/3 or 0.25."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec
from workbench.gui.theme import set_look


class FractionEdit(QLineEdit):
    """A fraction such as 1/3, 0.25, 0,25 or 25 %, kept as it is typed; what is none is marked and not sent.

    Signals
    -------
    typed(str)
        Another valid fraction, as it was typed.
    validity_changed()
        It holds no allowed fraction any more, for this reason, or holds one again.
    """

    typed = Signal(str)
    validity_changed = Signal()

    def __init__(self, spec: ParamSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec = spec
        self.valid = True
        self._why = self._wrong = ""
        self.setAccessibleName(spec.title)
        self.textEdited.connect(self._read)

    @property
    def problem(self) -> str:
        """Why there is nothing to go on with, in a sentence that names the field; or nothing."""
        return "" if self.valid else self._why

    def show_text(self, text: str) -> None:
        """Show a value, unless the person is typing one that means the same."""
        if self.text() == text or (self.hasFocus() and self._value(self.text()) == self._value(text)):
            return
        self.setText(text)
        self._judge(True)

    def _read(self, text: str) -> None:
        valid = self._value(text) is not None
        self._judge(valid)
        if valid:
            self.typed.emit(text.strip())

    def _value(self, text: str) -> object:
        try:
            return self._spec.parse(text)
        except WorkbenchError as error:
            title = self._spec.title
            self._wrong = error.message if error.message.startswith(title) else f"{title}: {error.message}"
            return None

    def _judge(self, valid: bool) -> None:
        why = "" if valid else self._wrong
        changed, self.valid, self._why = why != self._why, valid, why
        set_look(self, invalid=not valid)
        self.setToolTip(self._spec.help if valid else self._why)
        if changed:
            self.validity_changed.emit()
