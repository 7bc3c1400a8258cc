"""Parts of the foot of the steps that keep their places: what is above the draw, its button, and the forecast."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.anonymise.fine_ways import FineWays
from workbench.session.release.finer_offer import FineChoice

_TWO_BUTTONS = 2 * tokens.STEPS_WIDTH
"""Width from which on two buttons with any words of theirs are beside each other."""


def typed_in(window: QWidget) -> tuple[QLineEdit, str] | None:
    """The field of a window that has the focus, and what stands in it; None where that is none."""
    field = window.focusWidget()
    return (field, field.text()) if isinstance(field, QLineEdit) else None


class AboveDraw(QWidget):
    """Above the button that draws: how things stand, or, as the eye comes by, how fine the release is to be."""

    def __init__(self, finer: FineWays) -> None:
        super().__init__()
        self.said = label(small=True, muted=True, wrap=True)
        self._finer = finer
        boxes.column(self.said, finer, spacing=0, inside=self)
        self.offer(None)

    def offer(self, choice: FineChoice | None) -> None:
        """Offer two details in the place of the sentence; None for nothing."""
        self._finer.setHidden(choice is None)
        self.said.setHidden(choice is not None)
        self._finer.show_choice(choice)


class BesideOrBelow(QWidget):
    """Two buttons beside each other where there is room, whatever they say: nothing moves when that changes.

    While `first` is hidden, `instead` is in its place: the second button, which spends, never comes to where a harmless
    one was.
    """

    def __init__(self, first: QWidget, second: QWidget, instead: QWidget) -> None:
        super().__init__()
        self._buttons, self._instead, self._held, self._most = (first, second), instead, False, 0
        self._row = boxes.row(*((one, 1) for one in (first, instead, second)), spacing="s", inside=self)
        self._row.setAlignment(Qt.AlignmentFlag.AlignTop)

    def hold(self, *, both: bool) -> None:
        """Keep the room for both where they are below each other, also while one is hidden: nothing moves above."""
        self._held = both
        below = self._row.direction() is QBoxLayout.Direction.TopToBottom
        needed = sum(one.sizeHint().height() for one in self._buttons) + self._row.spacing()
        self._most = max(self._most, needed)  # a button that leads on is a little lower than another
        self.setMinimumHeight(self._most if both and below else 0)
        self._instead.setMinimumHeight(self._buttons[0].sizeHint().height())
        self._instead.setVisible(both and self._buttons[0].isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _TWO_BUTTONS
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self.hold(both=self._held)

    def minimumSizeHint(self) -> QSize:
        least = [one.minimumSizeHint() for one in self._buttons if not one.isHidden()]
        # However wide it is now, it can become narrow: the buttons are then below each other.
        return QSize(max((one.width() for one in least), default=0), self._row.minimumSize().height())


class ForecastAside(QWidget):
    """The forecast and the choice that it makes possible; as wide as there is room, whatever it says."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        boxes.column(*parts, spacing="s", inside=self)

    def minimumSizeHint(self) -> QSize:
        # It never decides whether the room has place for two parts beside each other: its lines break.
        return QSize(0, super().minimumSizeHint().height())
