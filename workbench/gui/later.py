"""Work that is put off for a moment: until events have come in, or the person has stopped typing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Later(QTimer):
    """Does something once, a while after the last time it was asked to by `start`.

    Parameters
    ----------
    parent
        It is not done any more when this is gone.
    act
        What is done.
    milliseconds
        How long it is put off. With 0, until the events that wait were seen to: what changes at once is done once.
    """

    def __init__(self, parent: QObject, act: Callable[[], object], milliseconds: int = 0) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(milliseconds)
        self.timeout.connect(act)
