"""The checklist, one line per item: light, what is so, and where to put it right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon
from workbench.report.checklist import Check, Light

LIGHTS = {Light.GREEN: Status.SUCCESS, Light.AMBER: Status.WARNING, Light.RED: Status.ERROR}


class ChecklistView(QWidget):
    """Shows checks.

    Signals
    -------
    go_to(str)
        A person wants to see the workspace where an item is put right.
    """

    go_to = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Check, ...] = ()
        self._layout = boxes.column(spacing="m", inside=self)

    def show_checks(self, checks: Sequence[Check]) -> None:
        """Show these items; nothing is rebuilt, and the focus stays, if they are the ones shown."""
        if tuple(checks) == self._shown:
            return
        self._shown = tuple(checks)
        while self._layout.count():
            item = self._layout.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        # What is wrong comes first: a list of ten green lines would hide the red one.
        order = (Light.RED, Light.AMBER, Light.GREEN)
        for check in sorted(self._shown, key=lambda one: order.index(one.light)):
            self._layout.addWidget(self._line(check))

    def _line(self, check: Check) -> QWidget:
        status = LIGHTS[check.light]
        line = QWidget()
        line.setAccessibleName(f"{check.title}: {self._word(check.light)}")
        line.setAccessibleDescription(check.text)
        layout = boxes.row(
            (IconLabel(status_icon(status), tokens.ICON_LARGE, status.value), Qt.AlignmentFlag.AlignTop),
            spacing="s",
            inside=line,
        )
        words = QVBoxLayout()
        words.setSpacing(0)
        heading = boxes.row(label(check.title, strong=True), spacing="s")
        if check.light is not Light.GREEN:
            heading.addWidget(label(self._word(check.light), muted=True, small=True))
        heading.addStretch(1)
        words.addLayout(heading)
        words.addWidget(label(check.text, muted=check.light is Light.GREEN, wrap=True))
        if check.analyst:
            detail = boxes.row(
                (analyst_badge(), Qt.AlignmentFlag.AlignTop),
                (label(check.analyst, muted=True, wrap=True), 1),
                spacing="s",
            )
            words.addLayout(detail)
        layout.addLayout(words, 1)
        if check.light is not Light.GREEN and check.workspace != "release":
            button = push_button(
                "Show",
                partial(self.go_to.emit, check.workspace),
                name=f"Show where to put right: {check.title}",
                quiet=True,
            )
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return line

    def _word(self, light: Light) -> str:
        return {
            Light.GREEN: "in order",
            Light.AMBER: "to consider",
            Light.RED: "must be put right",
        }[light]
