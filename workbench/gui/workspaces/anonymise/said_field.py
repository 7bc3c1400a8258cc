"""The values of one column that can occur, typed below its line: public knowledge, or a guess for the outlook."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ListLine
from workbench.gui.widgets.labels import label, on_button

_ASKS = "What occurs?"
_LONGEST = 13
"""Characters that the button has room for."""
_TIP = 400
"""Characters that a tooltip shows; the field has all of them."""


class SaidField(QWidget):
    """A field that `button` opens and closes; the button shows what was said.

    Signals
    -------
    said(str)
        Something else was typed.
    all_requested()
        The question for all columns is wanted, which asks where it is known from too.
    """

    said = Signal(str)
    all_requested = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.button = push_button(
            _ASKS, self._toggle, name=f"What can occur in {name}", explain="anonymise.occurring", inline=True
        )
        self.button.setFixedWidth(tokens.METER_WIDTH + tokens.SPACE_S)
        self.edit = ListLine()
        self.edit.setAccessibleName(f"Values of {name} that can occur")
        self.edit.setProperty("compact", "true")
        self.edit.editingFinished.connect(self._finish)
        words = label("Can occur")
        words.setBuddy(self.edit)
        about = label(
            "From what you know, not from this file. It guides the levels: values you leave out can come out too.",
            small=True,
            muted=True,
            wrap=True,
        )
        self.all = push_button(
            "Known from…",
            self.all_requested,
            name=f"Say where you know the values of {name} from, or those of other columns",
            explain="anonymise.occurring",
            inline=True,
        )
        line = boxes.row(words, (self.edit, 1), self.all, spacing="s")
        boxes.column(line, about, spacing="xs", margins="0 xs 0 s", inside=self)
        set_explain(self, "anonymise.occurring")
        self.hide()

    def show_said(self, words: str, example: str) -> None:
        """Show what is in force; what is being typed stays."""
        short = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
        self.button.setText(on_button(short) or _ASKS)
        begins = words if len(words) <= _TIP else f"{words[:_TIP]}… ({len(words):,} characters, all in the field)"
        self.button.setToolTip(f"Can occur: {begins}" if words else "Say which values can occur, for a better forecast")
        self.edit.setPlaceholderText(example)
        if words != self._shown or not self.edit.hasFocus():
            self.edit.setText(words)
        self._shown = words

    def open(self) -> None:
        """Show the field and put the focus into it."""
        self.show()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.edit.setText(self._shown)
            self.hide()
            self.button.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().keyPressEvent(event)

    def _toggle(self) -> None:
        if self.isHidden():
            self.open()
        else:
            self.hide()

    def _finish(self) -> None:
        if self.edit.text().strip() != self._shown:
            self.said.emit(self.edit.text())
