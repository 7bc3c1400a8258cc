"""The checklist: an item that is not in order has a line with where to put it right, the others are folded.

What was only said is no check that passed: it stands apart, and does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon
from workbench.report.checklist import Check, Light

_WHERE = {room: f"To {room.capitalize()}" for room in ("data", "hierarchies", "anonymise", "query")}
_CHECKED, _WORD = "Checked", "On the publisher’s word"
LIGHTS = {Light.GREEN: Status.SUCCESS, Light.AMBER: Status.WARNING, Light.RED: Status.ERROR}


_WRITTEN = "One point is of the file that was written. "
_OTHERS = (
    "What was looked at here before it leaves. What the program checked of the draw stands in the statement; whoever "
    "verifies the files checks these alone."
)


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
        self._open = boxes.column(spacing="m")
        self._fine = boxes.column(spacing="m")
        self.more = Disclosure("", boxes.boxed(self._fine))
        boxes.column(self._open, self.more, spacing="m", inside=self)

    def show_checks(self, checks: Sequence[Check], *, written: bool = False) -> None:
        """Show these items, of which one is of the file that was `written`.

        Nothing is rebuilt, and the focus stays, if they are the ones shown.
        """
        if tuple(checks) == self._shown:
            return
        self._shown = tuple(checks)
        for layout in (self._open, self._fine):
            while (item := layout.takeAt(0)) is not None:
                widget = item.widget()
                if widget is not None:
                    widget.hide()
                    widget.deleteLater()
        # What is wrong comes first, and what is in order is one line: ten green ones would hide the red one.
        order = (Light.RED, Light.AMBER)
        for light in order:
            for check in self._shown:
                if check.light is light:
                    self._open.addWidget(self._line(check))
        fine = [check for check in self._shown if check.light is Light.GREEN]
        found, said = [one for one in fine if not one.said], [one for one in fine if one.said]
        for heading, checks_of in ((_CHECKED, found), (_WORD, said)):
            if checks_of and said:
                self._fine.addWidget(label(heading, small=True, muted=True))
            for check in checks_of:
                self._fine.addWidget(self._line(check))
        checked = [check for check in self._shown if check.light is not Light.GREEN or not check.said]
        of = f" of {len(checked):,}" if len(found) < len(checked) else ""
        # Its points are others, and more, than the statement lists as checked, and one more than before the export.
        self.more.set_title(f"Checklist ({len(found):,}{of} passed)")
        self.more.button.setToolTip(f"{_WRITTEN * written}{_OTHERS}")
        self.more.setHidden(not fine)

    @property
    def all_passed(self) -> bool:
        """Whether nothing is left to be put right."""
        return all(check.light is Light.GREEN for check in self._shown)

    def _line(self, check: Check) -> QWidget:
        status = LIGHTS[check.light]
        said = check.said and check.light is Light.GREEN
        sign = IconLabel("said", tokens.ICON_LARGE, "neutral")
        if not said:
            sign = IconLabel(status_icon(status), tokens.ICON_LARGE, status.value)
        line = QWidget()
        line.setAccessibleName(f"{check.title}: {_word(check)}")
        line.setAccessibleDescription(check.text)
        layout = boxes.row(
            (sign, Qt.AlignmentFlag.AlignTop),
            spacing="s",
            inside=line,
        )
        words = QVBoxLayout()
        words.setSpacing(0)
        heading = boxes.row(label(check.title, strong=True), spacing="s")
        if said or check.light is not Light.GREEN:
            heading.addWidget(label(_word(check), muted=True, small=True))
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
                _WHERE.get(check.workspace, "Show"),
                partial(self.go_to.emit, check.workspace),
                name=f"Show where to put right: {check.title}",
                quiet=True,
            )
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return line


def _word(check: Check) -> str:
    """The state of an item in words; what was only said is told from what was found out."""
    if check.light is Light.GREEN:
        return "you say so" if check.said else "in order"
    return check.word
