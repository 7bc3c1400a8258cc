"""Whether a window that nobody touches comes to rest, or lays itself out for ever."""

from __future__ import annotations

from collections import Counter

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QWidget

_LAYS_OUT = (QEvent.Type.Resize, QEvent.Type.LayoutRequest)
_TOLD, _AROUND = 3, 5
"""How many widgets are named, and how many that are around each."""
_RENAMED = 50
"""After so many events it is asked again what a widget is: another may be where one was that is gone."""


class LayoutWatch(QObject):
    """Counts, while it watches, how often each widget gets another size or is asked to lay itself out."""

    def __init__(self) -> None:
        super().__init__()
        self._watches = False
        self._counts: Counter[tuple[int, QEvent.Type]] = Counter()
        self._names: dict[int, str] = {}
        self._last = 0

    def begin(self) -> None:
        """Count from nothing."""
        self._counts.clear()
        self._names.clear()
        self._last = 0
        self.go_on()

    def go_on(self) -> None:
        """Count on, if that was paused."""
        application = QCoreApplication.instance()
        if not self._watches and application is not None:
            self._watches = True
            application.installEventFilter(self)

    def pause(self) -> None:
        """Count nothing for now."""
        application = QCoreApplication.instance()
        if self._watches and application is not None:
            self._watches = False
            application.removeEventFilter(self)

    def is_quiet(self) -> bool:
        """Whether nothing came since this was last asked."""
        before, self._last = self._last, self._counts.total()
        return before == self._last

    @property
    def most(self) -> int:
        """Events of the widget that has the most of one kind."""
        return max(self._counts.values(), default=0)

    def words(self) -> str:
        """The widgets that have the most, each with what it is in."""
        return "; ".join(
            f"{many} × {kind.name} of {self._names[place]}" for (place, kind), many in self._counts.most_common(_TOLD)
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _LAYS_OUT and isinstance(watched, QWidget):
            place = int(shiboken6.getCppPointer(watched)[0])  # of two bases there are two
            self._counts[place, kind] += 1
            if self._counts[place, kind] % _RENAMED == 1:
                self._names[place] = _where(watched)
        return False


def _where(widget: QWidget) -> str:
    """A widget and those around it, from the inside."""
    parts = list[str]()
    one: QObject | None = widget
    while one is not None and len(parts) < _AROUND:
        name = one.objectName() or (one.accessibleName() if isinstance(one, QWidget) else "")
        parts.append(f"{type(one).__name__} “{name}”" if name else type(one).__name__)
        one = one.parent()
    return " in ".join(parts)
