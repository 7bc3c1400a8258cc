"""Asks, once for a table, before anything that is computed from its true rows is shown, and says what that costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon
from workbench.session.looking import AtStake


class LookingDesk(Protocol):
    """A desk of the session that computes from true values, and so records looks at them."""

    @property
    def looked(self) -> bool: ...

    @property
    def at_stake(self) -> AtStake: ...

    def look(self, *, publish: bool = False, lasting: bool = False) -> None: ...


class LookQuestion(QWidget):
    """Hidden until something is asked for that needs a look at the data.

    Parameters
    ----------
    what
        What is to be done on the true values, as the last words of a button.
    desk
        Whose look it is, of the session as it then is; by default the one of comparisons.
    known
        A question that the person may answer with yes instead, if it is about something that everybody may know: then
        it is taken on their word, as values are that they call public, and is no look. What a look costs is said to
        whoever wants one.
    without
        What can be done without any look, as the words of a button; "" where nothing can.

    Signals
    -------
    agreed()
        The look is recorded, and what was asked for may be done.
    closed()
        It is hidden again.
    grown()
        It says more than before.
    """

    agreed = Signal()
    without_look = Signal()
    """The person wants what needs no look."""
    closed = Signal()
    grown = Signal()

    def __init__(
        self,
        document: Document,
        what: str,
        parent: QWidget | None = None,
        *,
        desk: Callable[[], LookingDesk] | None = None,
        known: str = "",
        without: str = "",
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._desk = desk or (lambda: document.session.comparison)
        self.words = label(wrap=True)
        warns = IconLabel(status_icon(Status.WARNING), tokens.ICON, Status.WARNING.value)
        heading = boxes.row(warns, (label("Look at the true rows?", strong=True, wrap=True), 1), spacing="s")
        ground = QFrame()
        ground.setProperty("message", Status.WARNING.value)
        boxes.column(heading, self.words, margins="s s s s", spacing="xs", inside=ground)
        publish, take = f"Publish the draw, and {what}", f"Look, and {what}"
        self.publish = push_button(publish, self._settle, name=publish, explain="compare.look")
        self.take = push_button(take, self._look, name=take, explain="compare.look")
        self.not_now = push_button("Not now", self._put_away, name="Not now", explain="compare.look", quiet=True)
        self.known = push_button("Yes, use it", self._agree, name=f"{known} Yes", explain="compare.look")
        self.instead = push_button(
            "Look instead…", self._say_cost, name=f"{known} Look instead", explain="compare.look"
        )
        set_look(self.instead, quiet=True)
        self.without = push_button(without, self._do_without, name=without or "Without a look", explain="compare.look")
        self._asks = boxes.boxed(
            boxes.column(label(known, wrap=True), boxes.row(self.known, self.instead, 1, spacing="s"), spacing="s")
        )
        self._cost = boxes.boxed(
            boxes.column(
                ground, boxes.row(self.publish, 1, spacing="s"), boxes.row(self.take, 1, spacing="s"), spacing="s"
            )
        )
        last = boxes.row(self.without, self.not_now, 1, spacing="s")
        boxes.column(self._asks, self._cost, last, margins="0 s 0 s", spacing="s", inside=self)
        # Not before it has its place: without one it would be a window.
        self._asks.setVisible(bool(known))
        self._may_be_known = bool(known)
        self.without.setVisible(bool(without))
        self.public = False
        """Whether the last time somebody agreed, it was because everybody may know."""
        self.hide()

    @property
    def needed(self) -> bool:
        """Whether a look has to be taken first."""
        return not self._desk().looked

    def ask(self) -> None:
        """Say what a look costs, and let the person take it or not; nothing where no table is open any more."""
        if not self._document.has_data:
            return
        stake = self._desk().at_stake
        self.words.setText(stake.words)
        self.publish.setVisible(stake.undecided)
        self._asks.setVisible(self._may_be_known)
        self._cost.setVisible(not self._may_be_known)
        self.show()
        (self.publish if stake.undecided and not self._may_be_known else self.not_now).setFocus()

    def _say_cost(self) -> None:
        """It is not for everybody to know: what a look costs is said before one is taken."""
        self._asks.hide()
        self._cost.show()
        self.not_now.setFocus()
        self.grown.emit()

    def follow(self) -> None:
        """Hide where nothing has to be asked any more."""
        if not self.isHidden() and not (self._document.has_data and self.needed):
            self._put_away()

    def _settle(self) -> None:
        self._record(publish=True)

    def _look(self) -> None:
        self._record(publish=False)

    def _record(self, *, publish: bool) -> None:
        try:
            self._desk().look(publish=publish)
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        self._document.changed.emit("file")
        self._document.changed.emit("result")
        self._agree()

    def _agree(self) -> None:
        self.public = self.sender() is self.known
        self.hide()
        self.agreed.emit()
        self.closed.emit()

    def _do_without(self) -> None:
        self._put_away()
        self.without_look.emit()

    def _put_away(self) -> None:
        self.hide()
        self.closed.emit()
