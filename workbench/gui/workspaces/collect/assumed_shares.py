"""The distribution of answers that is assumed, one's own shares among them: one setting, wherever it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.settings import matters
from workbench.gui.document import Document
from workbench.gui.workspaces.collect.own_shares import fit
from workbench.gui.workspaces.collect.settings_form import settings_form
from workbench.ldp.plan import Shape
from workbench.project.collect_settings import CollectSettings

SHARES = ("shape", "guess")
"""The settings."""
_SHAPES = [(shape.words, shape) for shape in Shape if shape is not Shape.WORSE]  # which is what undeclared ones mean


class AssumedShares(QObject):
    """Two fields, which whoever makes it lays out: a shape, and the shares where these are one's own.

    Parameters
    ----------
    parent
        With which the fields go.
    undeclared
        What the choice is called that declares nothing.

    Signals
    -------
    changed()
        The person chose other shares, or begins to type some.
    """

    changed = Signal()

    def __init__(self, parent: QWidget, document: Document, undeclared: Callable[[], str]) -> None:
        super().__init__(parent)
        self._document, self._undeclared = document, undeclared
        self._own = False
        """Whether own shares are to be assumed, and none are typed yet."""
        self._typed: tuple[float, ...] = ()
        """The last shares that were assumed: who tries another shape gets them back."""
        self.form = settings_form(
            parent, document, "prediction", self._edit, choices={"shape": _SHAPES}, shown=self._shown,
            only=SHARES,
        )  # fmt: skip
        self.shape, self.shares = self.form["shape"], self.form["guess"]
        self.shape.setToolTip("Which distribution is assumed")
        self.shares.hide()

    @property
    def own(self) -> bool:
        """Whether the shares are one's own, or are to be."""
        return matters(self._shown(), "guess")

    def refresh(self) -> None:
        """Show the settings in force."""
        settings = self._document.project.collect
        if settings.guess:
            self._own, self._typed = False, settings.guess
        self.show_settings()

    def show_settings(self) -> None:
        """Show what is chosen, which may be one's own shares that are not typed yet."""
        self.form.refresh()
        self.shape.setItemText(self.shape.findData(Shape.AUTO), self._undeclared())

    def _shown(self) -> CollectSettings:
        """The settings as they are shown: the worst of three shapes is what nobody chose."""
        settings = self._document.project.collect
        if self._own:
            return replace(settings, shape=Shape.OWN)
        return replace(settings, shape=Shape.AUTO) if settings.shape is Shape.WORSE else settings

    def _edit(self, name: str, value: Any, words: str, merge: str) -> None:
        changes = {name: value}
        if name == "shape":
            own = value is Shape.OWN
            self._own = own and not fit(self._document, self.shares, self._typed)
            if self._own:
                self.shares.refuse("")
                self.show_settings()
                self.changed.emit()
                self.shares.setFocus()
                return
            changes["guess"] = self._typed if own else ()
        elif name == "guess":
            if not fit(self._document, self.shares, value):
                return
            changes["shape"] = Shape.OWN
        self._document.apply(words, lambda session: session.collection.change(**changes), merge=merge)
        self.show_settings()
        self.changed.emit()
