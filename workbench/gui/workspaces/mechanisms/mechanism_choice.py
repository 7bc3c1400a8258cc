"""The list of mechanisms, by what one looks for, the commonest first; a word of a name that is typed finds it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.widgets.eliding_combo import HEADING, ElidingComboBox
from workbench.mechanisms.mechanism import MECHANISMS, Mechanism
from workbench.project.auditable import LOCAL, catalogue

_GROUPS = (
    ("Answers of people", ("survey", "grr")),
    ("Counts", ("geometric", "truncated-geometric")),
    ("Choices", ("exponential", "noisy-max", "above-threshold")),
)
_OWN, _PROTOCOLS = "Your own", "Local protocols"
_PAUSE = 1.5
"""Seconds after which what is typed begins another word."""


class MechanismChoice(ElidingComboBox):
    """Everything that can be audited; who types “rand” or “resp” is at randomised response."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Mechanism", parent=parent)
        self.elides = Qt.TextElideMode.ElideMiddle
        self._typed, self._when = "", 0.0
        for heading, listed in _grouped():
            self.add_heading(heading)
            for one in listed:
                self.addItem(_title(one), one.identifier)
                self.setItemData(self.count() - 1, one.summary, Qt.ItemDataRole.ToolTipRole)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMaxVisibleItems(self.count())

    def showPopup(self) -> None:
        self._typed = ""
        self.view().removeEventFilter(self)
        self.view().installEventFilter(self)
        super().showPopup()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._typed = ""
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._found(event, self.currentIndex())
        if row is None:
            super().keyPressEvent(event)
        elif row not in (-1, self.currentIndex()):
            self.setCurrentIndex(row)
            self.activated.emit(row)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The same in the open list, where what is found is only marked."""
        if watched is self.view() and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            row = self._found(event, self.view().currentIndex().row())
            if row is not None:
                if row >= 0:
                    self.view().setCurrentIndex(self.model().index(row, 0))
                return True
        return super().eventFilter(watched, event)

    def _found(self, event: QKeyEvent, current: int) -> int | None:
        """The row that a key leads to, -1 for none; None of a key that types nothing."""
        text, plain = event.text(), not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        going_on = bool(self._typed) and monotonic() - self._when < _PAUSE
        if not plain or not text or not text.isprintable() or (text == " " and not going_on):
            return None
        self._when, self._typed = monotonic(), (self._typed if going_on else "") + text.casefold()
        named = [(row, self.itemText(row).casefold()) for row in range(self.count()) if self._chosen(row)]
        first = [row for row, name in named if name.startswith(self._typed)]
        later = [row for row, name in named if any(one.startswith(self._typed) for one in _words(name))]
        if first or later:
            return (first or later)[0]
        if set(self._typed) == {self._typed[0]}:  # the same letter again goes on to the next one
            after = [row for row, name in named if name.startswith(self._typed[0])]
            return next((row for row in after if row > current), after[0] if after else -1)
        return -1

    def _chosen(self, row: int) -> bool:
        return bool(self.itemData(row) != HEADING)


def _words(name: str) -> Iterator[str]:
    """The name from each of its words on, without brackets."""
    words = name.replace("(", "").replace(")", "").split()
    return (" ".join(words[place:]) for place in range(len(words)))


def _grouped() -> list[tuple[str, list[Mechanism]]]:
    known, own = catalogue(), len(tuple(MECHANISMS))
    ours = {one.identifier: one for one in known[:own]}
    groups = [(heading, [ours.pop(name) for name in names if name in ours]) for heading, names in _GROUPS]
    # What plug-ins bring is somebody's own as well.
    groups.append((_OWN, list(ours.values())))
    groups.append((_PROTOCOLS, sorted(known[own:], key=lambda one: one.title.casefold())))
    return [group for group in groups if group[1]]


def _title(one: Mechanism) -> str:
    """The title of a mechanism in the list: a local protocol that begins as another mechanism does says that it is one.

    A list that is closed shows no heading above what is chosen.
    """
    mechanisms: Sequence[Mechanism] = tuple(MECHANISMS)
    first = {other.title.split()[0] for other in mechanisms if other is not one}
    twin = one not in mechanisms and (one.identifier.startswith(LOCAL) or one.title.split()[0] in first)
    return f"{one.title} (as in Collect)" if twin else one.title
