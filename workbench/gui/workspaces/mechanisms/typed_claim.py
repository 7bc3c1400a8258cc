"""A claim is asked as it is typed, once the person pauses and what stands there is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit

from workbench.gui.later import Later
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import is_claim

_PAUSE_MS = 500
"""After the last key; a claim that is asked earlier would mostly be half of one."""


class TypedClaim(QObject):
    """Follows the fields of ε and δ of a claim.

    Signals
    -------
    paused(object, str)
        Nobody has typed for a moment: the settings with the claim as it stands, and a key under which what is typed
        until the field is left is one step to undo.
    begun()
        Somebody types in one of the fields.
    ended()
        Enter was pressed there, or the field was left.
    """

    paused = Signal(object, str)
    begun = Signal()
    ended = Signal()

    def __init__(
        self, claim: QLineEdit, delta: QLineEdit, settings: Callable[[], LaboratorySettings], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._claim, self._delta, self._settings = claim, delta, settings
        self._times = 0
        self._later = Later(self, self._tell, _PAUSE_MS)
        for edit in (claim, delta):
            edit.textEdited.connect(self._begin)
            edit.editingFinished.connect(self._end)

    @property
    def key(self) -> str:
        """The key of the step that is being typed."""
        return f"laboratory claim {self._times}"

    @property
    def differs(self) -> bool:
        """Whether another claim stands there than was asked."""
        settings = self._settings()
        return (self._claim.text().strip(), self._delta.text().strip()) != (settings.claim, settings.claimed_delta)

    @property
    def coming(self) -> bool:
        """Whether what is typed will be asked in a moment."""
        return self._later.isActive()

    def _begin(self, _text: str) -> None:
        self._later.start()
        self.begun.emit()

    def _tell(self) -> None:
        typed = replace(self._settings(), claim=self._claim.text().strip(), claimed_delta=self._delta.text().strip())
        if is_claim(typed):
            for edit in (self._claim, self._delta):
                edit.setModified(False)  # so that undo shows what is in force again
        self.paused.emit(typed, self.key)

    def _end(self) -> None:
        self._later.stop()
        self._times += 1
        self.ended.emit()
