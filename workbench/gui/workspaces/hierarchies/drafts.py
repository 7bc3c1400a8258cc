"""Hierarchies in the making: one draft a column, with its own undo, kept until it is applied or discarded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from workbench.core.specification_edits import Specification


class _Step(QUndoCommand):
    """From one specification to the next; specifications are never changed, only replaced."""

    _ids: ClassVar[dict[str, int]] = {}

    def __init__(
        self, draft: HierarchyDraft, before: Specification, after: Specification, text: str, merge: str
    ) -> None:
        super().__init__(text)
        self._draft = draft
        self._before = before
        self._after = after
        self._merge = merge

    def id(self) -> int:
        return self._ids.setdefault(self._merge, len(self._ids) + 1) if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Step) or other._merge != self._merge:
            return False
        self._after = other._after
        vars(other).clear()  # Qt deletes it, but its Python half stays for ever with whatever it holds
        return True

    def redo(self) -> None:
        self._draft.specification = self._after

    def undo(self) -> None:
        self._draft.specification = self._before


class HierarchyDraft(QObject):
    """The specification somebody works on.

    Parameters
    ----------
    specification
        What to start from.
    fresh
        Whether it already differs from what is attached, as a new hierarchy does and a re-opened one does not.

    Attributes
    ----------
    made
        The maps of the attached hierarchy it was opened from or applied as; None before that.

    Signals
    -------
    changed()
        Another specification is in force, by an edit, an undo or a redo.
    """

    changed = Signal()

    def __init__(self, specification: Specification, *, fresh: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.specification = specification
        self.made: object = None
        # Told by this object and not by the stack, which still speaks while it is being taken down.
        self._stack = QUndoStack(self)
        self._applied: Specification | None = None if fresh else specification
        self._left: dict[str, Specification] = {}

    @property
    def builder(self) -> str:
        """Identifier of the builder in use."""
        return str(self.specification["builder"])

    @property
    def modified(self) -> bool:
        """Whether it says something else than what is attached."""
        return self.specification is not self._applied and self.specification != self._applied

    def edit(self, specification: Specification, text: str, merge: str = "") -> None:
        """Make a change that can be undone; consecutive ones with the same `merge` are one step."""
        if specification is not self.specification and specification != self.specification:
            self._left[self.builder] = self.specification
            self._stack.push(_Step(self, self.specification, specification, text, merge))
            self.changed.emit()

    def left_at(self, builder: str) -> Specification | None:
        """The specification with which a builder was last left for another one."""
        return self._left.get(builder)

    def mark_applied(self) -> None:
        """Mark the current draft as what is attached."""
        self._applied = self.specification

    @property
    def undo_text(self) -> str:
        """Name of the step that undo would take back, "" if there is none."""
        return self._stack.undoText()

    @property
    def redo_text(self) -> str:
        """Name of the step that redo would do again, "" if there is none."""
        return self._stack.redoText()

    def undo(self) -> None:
        """Take the last change back, if there is one."""
        if self._stack.canUndo():
            self._stack.undo()
            self.changed.emit()

    def redo(self) -> None:
        """Make a change again that was taken back, if there is one."""
        if self._stack.canRedo():
            self._stack.redo()
            self.changed.emit()


class Drafts(QObject):
    """The drafts by column.

    Signals
    -------
    changed(str)
        The draft of that column began, changed or ended.
    """

    changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drafts: dict[str, HierarchyDraft] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._drafts))

    def of(self, name: str) -> HierarchyDraft | None:
        return self._drafts.get(name)

    def modified(self, name: str) -> bool:
        """Whether a column has a draft that is not applied."""
        draft = self._drafts.get(name)
        return draft is not None and draft.modified

    def start(self, name: str, specification: Specification, *, fresh: bool) -> HierarchyDraft:
        """Begin a draft; an older one of the column is given up."""
        self.discard(name)
        draft = self._drafts[name] = HierarchyDraft(specification, fresh=fresh, parent=self)
        draft.setObjectName(name)
        draft.changed.connect(self._tell)
        self.changed.emit(name)
        return draft

    def discard(self, name: str) -> None:
        """Give a draft up."""
        draft = self._drafts.pop(name, None)
        if draft is not None:
            draft.deleteLater()
            self.changed.emit(name)

    def keep_only(self, names: tuple[str, ...]) -> None:
        """Give up the drafts of columns there no longer are."""
        for name in self:
            if name not in names:
                self.discard(name)

    def _tell(self) -> None:
        draft = self.sender()
        if isinstance(draft, HierarchyDraft):
            self.changed.emit(draft.objectName())
