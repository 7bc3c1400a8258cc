"""Badges: a small pill with icon, word and colour."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon, status_word


class Badge(QFrame):
    """A state as icon, word and colour.

    With `elides` it is cut where it is too narrow, and with `wraps` broken into lines; neither widens its place.
    """

    def __init__(
        self,
        status: Status,
        text: str = "",
        parent: QWidget | None = None,
        *,
        elides: bool = False,
        wraps: bool = False,
    ) -> None:
        super().__init__(parent)
        self._tells = False
        """Whether its tip is its word, for which there is no room."""
        self._icon = IconLabel(status_icon(status), tokens.ICON_SMALL, status.value)
        self._label = ElidedLabel(small=True) if elides else label(small=True, wrap=wraps)
        boxes.row(self._icon, (self._label, int(wraps)), margins="s hair s hair", spacing="xs", inside=self)
        width = QSizePolicy.Policy.Maximum if elides else QSizePolicy.Policy.Fixed
        self.setSizePolicy(width, QSizePolicy.Policy.Fixed)
        if wraps:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.set_status(status, text)

    def set_status(self, status: Status, text: str = "") -> None:
        """Show another state, in its usual word or in `text`."""
        words = text or status_word(status)
        if self._tells:
            self.setToolTip(words)
        self._icon.set_icon(status_icon(status), status.value)
        if isinstance(self._label, ElidedLabel):
            self._label.set_text(words)
        else:
            self._label.setText(words)
        self.setAccessibleName(words)
        set_look(self, badge=status.value)
        # A descendant rule of the stylesheet colours the label.
        set_look(self._label, tone=f"badge-{status.value}")

    def set_brief(self, brief: bool) -> None:
        """Show its icon alone where there is no room for its word, which is then in its tip unless that says more."""
        if brief is self._label.isHidden():
            return
        self._label.setHidden(brief)
        if self._tells or not self.toolTip():
            self._tells = brief
            self.setToolTip(self.text if brief else "")

    @property
    def text(self) -> str:
        return self._label.full_text if isinstance(self._label, ElidedLabel) else self._label.text()


def analyst_badge(parent: QWidget | None = None) -> Badge:
    """The mark of everything computed from true values, which must not be published."""
    badge = Badge(Status.ANALYST, parent=parent)
    badge.setToolTip("Computed from the true data. For your eyes; it is never part of a release or of its statement.")
    return badge
