"""Steps of a document that can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtGui import QUndoCommand

from workbench.gui.widgets.labels import on_button
from workbench.project.model import Project
from workbench.session.spoken import Spoken

_LONGEST = 72


class Change(QUndoCommand):
    """One step of the project, from one frozen tree to the next.

    Parameters
    ----------
    restore
        Puts a project in the place of the one that is open.
    speak
        Goes from what was said at one time to what was said at another, where the step said something.
    said
        What was said before the step and after it; None where it said nothing.
    """

    _ids: ClassVar[dict[str, int]] = {}

    def __init__(
        self,
        restore: Callable[[Project], None],
        before: Project,
        after: Project,
        text: str,
        merge: str,
        speak: Callable[[Spoken, Spoken], None] = lambda _before, _after: None,
        said: tuple[Spoken, Spoken] | None = None,
    ) -> None:
        cut = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
        super().__init__(on_button(cut))  # it stands in the menu, which is as wide as its widest entry
        self._restore = restore
        self._before = before
        self._after = after
        self._merge = merge
        self._speak, self._said = speak, said
        self._done = True

    def id(self) -> int:
        return self._ids.setdefault(self._merge, len(self._ids) + 1) if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, Change) or other._merge != self._merge:
            return False
        self._after = other._after
        if other._said is not None:
            self._said = other._said if self._said is None else (self._said[0], other._said[1])
        vars(other).clear()  # Qt deletes it, but its Python half stays for ever with whatever it holds
        return True

    def redo(self) -> None:
        if self._done:  # pushing a command calls redo once, and the edit was made already
            self._done = False
            return
        if self._said is not None:
            self._speak(*self._said)
        self._restore(self._after)

    def undo(self) -> None:
        if self._said is not None:
            self._speak(*reversed(self._said))
        self._restore(self._before)
