"""Numbered steps below each other, of which one is open; a closed one is a line that says its settings."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.later import Later
from workbench.gui.theme import colour, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon, status_word

_STEPS_SHARE, _SIDE_SHARE = 5, 3
"""How the steps share the width with what is put beside them."""


class StepHead(QPushButton):
    """The line of one step: its number, its title, and what is set in it as long as it is closed."""

    def __init__(self, number: int, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self._number = number
        self._opened = False
        self._state: Status | None = None
        self.setProperty("step", "true")
        self.setAccessibleName(f"Step {number}, {title}")
        self._disc = _Disc(number)
        self._summary = ElidedLabel(muted=True, small=True)
        self._summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._mark = IconLabel("warning", tokens.ICON_SMALL)
        self._chevron = IconLabel("chevron-right", tokens.ICON_SMALL, "muted")
        parts = boxes.row(self._disc, label(title, strong=True), (self._summary, 1), self._mark, self._chevron)
        boxes.row(parts, margins="l 0 m 0", inside=self)
        parts.setSpacing(tokens.SPACE_S)
        for part in self.findChildren(QWidget):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_summary("")
        self.set_opened(False)

    @property
    def summary(self) -> str:
        """Summary that the step shows while it is closed, whole."""
        return self._summary.full_text

    @property
    def opened(self) -> bool:
        return self._opened

    def set_summary(self, text: str, state: Status | None = None) -> None:
        """Say what is set in the step.

        Parameters
        ----------
        text
            One line; cut at its end where there is no room, and then whole in the tooltip.
        state
            A state that is marked beside it, also while the step is open; None for none.
        """
        self._state = state
        self._summary.set_text(text)
        self._mark.setVisible(state is not None)
        if state is not None:
            self._mark.set_icon(status_icon(state), state.value)
        self.setToolTip(text)
        self._describe()

    def set_opened(self, opened: bool) -> None:
        """Show the step as open or closed."""
        self._opened = opened
        self._disc.set_filled(opened)
        # It keeps its room, so that nothing moves but what opens.
        self._summary.setVisible(not opened)
        self._chevron.set_icon("chevron-down" if opened else "chevron-right", "muted")
        self._describe()

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return QSize(layout.sizeHint().width() if layout is not None else 0, tokens.RAIL_ROW)

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        return QSize(layout.minimumSize().width() if layout is not None else 0, tokens.RAIL_ROW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()  # the column knows which head is above; a button would go to any neighbour
        else:
            super().keyPressEvent(event)

    def _describe(self) -> None:
        said = ["open" if self._opened else "closed", self.summary]
        if self._state is not None:
            said.insert(1, status_word(self._state))
        self.setAccessibleDescription(", ".join(part for part in said if part))


class StepColumn(QWidget):
    """Steps of one column; opening one closes the other, and only what is open scrolls.

    All heads and the footer stay in sight at any height. Up and Down go from head to head, Space and Enter open.

    Parameters
    ----------
    name
        What the steps are of, for screen readers.

    Signals
    -------
    opened(str)
        The person opened the step of that key.
    """

    opened = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.heads: dict[str, StepHead] = {}
        self._bodies: dict[str, QScrollArea] = {}
        self._laid_out = Later(self, self._show_focus)
        self._current = ""
        self._steps: QVBoxLayout = boxes.column(spacing=0)
        self._foot = QFrame()
        self._foot.setProperty("line", "top")
        self._footer = boxes.column(margins="l s m m", spacing="s", inside=self._foot)
        self._foot.hide()
        self._side = QFrame()
        self._side.setProperty("line", "left")
        self._beside = boxes.column(margins="m s m s", spacing=0, inside=self._side)
        self._side.hide()
        whole = boxes.row((self._steps, _STEPS_SHARE), (self._side, _SIDE_SHARE), spacing=0)
        boxes.column((whole, 1), self._foot, spacing=0, inside=self)

    @property
    def current(self) -> str:
        """Key of the step that is open; "" as long as there is none."""
        return self._current

    def add_step(self, key: str, title: str, content: QWidget) -> StepHead:
        """Append a step; the first is open. What `content` holds must fit the width of the column."""
        head = StepHead(len(self.heads) + 1, title)
        head.clicked.connect(lambda: self._open_by_hand(key))
        body = boxes.scrolled(boxes.boxed(boxes.column(content, 1, margins="l xs m l")))
        body.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        body.setMinimumHeight(tokens.ROW_HEIGHT)
        self.heads[key], self._bodies[key] = head, body
        # Tab goes from a head into what it opens: in the order in which they are added.
        self._steps.addWidget(head)
        self._steps.addWidget(body, 1)
        body.hide()
        if not self._current:
            self.open(key)
        return head

    def add_to_footer(self, part: QWidget) -> None:
        """Put something below all steps, where it is always in sight."""
        self._footer.addWidget(part)
        self._foot.show()

    def put_beside(self, part: QWidget) -> None:
        """Put something beside the steps, from where another layout can take it again."""
        self._beside.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)

    def show_beside(self, shown: bool) -> None:
        """Whether what stands beside the steps has room there."""
        self._side.setVisible(shown)

    def set_summary(self, key: str, text: str, state: Status | None = None) -> None:
        """Say on the head of a step what is set in it; see `StepHead.set_summary`."""
        self.heads[key].set_summary(text, state)

    def open(self, key: str) -> None:
        """Open a step and close the one that was open.

        Raises
        ------
        KeyError
            If there is no such step.
        """
        body = self._bodies[key]
        if key == self._current:
            return
        was = self._bodies.get(self._current)
        holds_focus = was is not None and was.isAncestorOf(self.focusWidget() or self)
        self._current = key
        for other, head in self.heads.items():
            head.set_opened(other == key)
        if holds_focus:
            # What has the focus is about to vanish: it goes on from the head of what takes its place.
            self.heads[key].setFocus()
        if was is not None:
            was.hide()
        body.show()

    def show_control(self, key: str, control: QWidget) -> None:
        """Open a step, bring one of its controls into sight and give it the focus."""
        self.open(key)
        control.setFocus(Qt.FocusReason.OtherFocusReason)
        self._bodies[key].ensureWidgetVisible(control)
        self._laid_out.start()

    def _show_focus(self) -> None:
        """Show the focused control; if it was opened only then, it has its place by now."""
        control = self.focusWidget()
        body = self._bodies.get(self._current)
        if control is not None and body is not None and body.isAncestorOf(control):
            body.ensureWidgetVisible(control)

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        inside = [body.widget() for body in self._bodies.values()]
        widest = max((one.minimumSizeHint().width() for one in inside if one is not None), default=0)
        return QSize(max(least.width(), widest), least.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        heads = list(self.heads.values())
        here = next((place for place, head in enumerate(heads) if head.hasFocus()), None)
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if here is not None and step is not None:
            heads[min(max(here + step, 0), len(heads) - 1)].setFocus()
        else:
            super().keyPressEvent(event)

    def _open_by_hand(self, key: str) -> None:
        if key != self._current:
            self.open(key)
            self.opened.emit(key)


class _Disc(QWidget):
    """The number of a step in a disc, filled while the step is open."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._filled = False
        self.setFixedSize(tokens.ICON_LARGE, tokens.ICON_LARGE)

    def set_filled(self, filled: bool) -> None:
        self._filled = filled
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        disc = QRect(0, 0, self.width(), self.height()).adjusted(1, 1, -1, -1)
        painter.setPen(colour("accent" if self._filled else "control"))
        painter.setBrush(colour("accent") if self._filled else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(disc)
        font = tabular_font()
        font.setPixelSize(tokens.FONT_SMALL)
        painter.setFont(font)
        painter.setPen(colour("on_accent" if self._filled else "muted"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, str(self._number))
        painter.end()
