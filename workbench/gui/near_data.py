"""The message about data that is nearly the same as other data something was released of, with the two answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar

if TYPE_CHECKING:
    from workbench.session.ledger import LedgerDesk

_KEY, _PROBLEM_KEY = "nearly the same", "nearly the same: problem"
_PARTS = {"data", "ledger"}


class NearNotice(QObject):
    """Says, as soon as data is open or another program released something, that a count may be continued."""

    def __init__(self, document: Document, messages: MessageBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._messages = messages
        self._told: tuple[str, tuple[str, ...]] = ("", ())
        document.changed.connect(self._changed)

    def _changed(self, section: str) -> None:
        if section in _PARTS:
            self.refresh(again=section == "data")

    def refresh(self, *, again: bool = False) -> None:
        """Say what is so now; what the person has closed is said again only if data was opened."""
        document = self._document
        near = document.session.ledger.nearly_same() if document.has_data else None
        asked = ("", ()) if near is None else (document.session.data.fingerprint, near.unsettled)
        if near is not None and near.problems and (again or asked[0] != self._told[0]):
            self._messages.warning(
                f"Data that is nearly the same may not be recognised: {near.problems[0]}",
                key=_PROBLEM_KEY,
            )
        if not asked[1]:
            self._messages.dismiss(_KEY)
        elif again or asked != self._told:
            self._ask()
        self._told = asked

    def ask_where_it_counts(self) -> None:
        """Ask in a room that spends what nobody has answered yet, also if it was closed elsewhere."""
        if self._told[1] and not any(one.key == _KEY for one in self._messages.messages):
            self._ask()

    def _ask(self) -> None:
        self._messages.warning(
            "Nearly the same data was released before, and that is not counted for this.",
            (
                "If they are the same people, continue the count. If you declare that they are others, statements "
                "say so as the publisher’s word."
            ),
            action="Continue the count",
            callback=self.continue_count,
            other_action="Other people",
            other_callback=self.declare_other_people,
            key=_KEY,
            first=True,
        )

    def continue_count(self) -> None:
        """Count both together from now on."""
        self._settle(lambda ledger: ledger.continue_count())

    def declare_other_people(self) -> None:
        """Take the person's word that these are other people."""
        self._settle(lambda ledger: ledger.declare_other_people())

    def _settle(self, answer: Callable[[LedgerDesk], None]) -> None:
        document = self._document
        if not document.has_data:
            return
        try:
            answer(document.session.ledger)
        except WorkbenchError as error:
            document.failed.emit(error)
            return
        document.ledger_changed(document.session.data.fingerprint)
        document.tell_ledger()
