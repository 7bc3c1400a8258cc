"""A label that ends in … where it is too narrow, and then says everything in its tooltip."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from workbench.gui import tokens

_BETWEEN = " · "
_BETWEEN_NAMES = ", "


class ElidedLabel(QLabel):
    """One line of plain text that may be cut; `full_text` is what it was given.

    Parameters
    ----------
    mode
        Where to cut: at the right, or in the middle, as suits file names.
    muted, strong, small
        As of `labels.label`.
    """

    # Of the class too: the garbage collector takes what a label has before the label, which may still be laid out.
    _full = _tip = ""
    _mode = Qt.TextElideMode.ElideRight

    def __init__(
        self,
        text: str = "",
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        muted: bool = False,
        strong: bool = False,
        small: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self._full = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        for name, wanted in (("muted", muted), ("strong", strong), ("small", small)):
            if wanted:
                self.setProperty(name, "true")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    @property
    def full_text(self) -> str:
        return self._full

    def set_text(self, text: str) -> None:
        self._full, self._tip = text, ""
        self.setAccessibleName(text)
        self._elide()
        self.updateGeometry()

    def setToolTip(self, tip: str) -> None:
        """Say more of the text there is, however it is cut; with another text it is gone."""
        self._tip = tip
        self._show_tip()

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        width = self.fontMetrics().horizontalAdvance(self._full) + tokens.SPACE_XS
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), tokens.COLUMN_MIN // 2), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()
            self.updateGeometry()

    def _elide(self) -> None:
        self.ensurePolished()
        shown = self._cut(max(self.width(), 1))
        if shown != self.text():
            self.setText(shown)
        self._show_tip()

    def _cut(self, width: int) -> str:
        """Part of the text that is shown in `width` pixels."""
        return self.fontMetrics().elidedText(self._full, self._mode, width)

    def _show_tip(self) -> None:
        super().setToolTip(self._tip or (self._full if self.text() != self._full else ""))


class PartsLabel(ElidedLabel):
    """One line of parts with " · " between, of which the last are only counted where it is too narrow.

    Never cut within a part: half of a number reads like another number.
    """

    def _cut(self, width: int) -> str:
        advance, parts = self.fontMetrics().horizontalAdvance, self._full.split(_BETWEEN)
        if len(parts) == 1:
            return super()._cut(width)
        for kept in range(len(parts), 0, -1):
            left = len(parts) - kept
            shown = _BETWEEN.join([*parts[:kept], *([f"{left:,} more"] if left else [])])
            if advance(shown) <= width:
                return shown
        return "…"


class NamesLabel(ElidedLabel):
    """Names in one line, of which the last are only counted where it is too narrow: none is ever cut."""

    _names: tuple[str, ...] = ()

    def set_names(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self.set_text(_BETWEEN_NAMES.join(names))

    def _cut(self, width: int) -> str:
        for kept in range(len(self._names), 0, -1):
            left = len(self._names) - kept
            shown = _BETWEEN_NAMES.join([*self._names[:kept], *([f"{left:,} more"] if left else [])])
            if self.fontMetrics().horizontalAdvance(shown) <= width:
                return shown
        return "…" if self._names else ""
