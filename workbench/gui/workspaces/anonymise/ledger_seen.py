"""The ledger as Anonymise last asked about it, so that nothing is worked out anew where it says the same."""

from __future__ import annotations

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document


class LedgerSeen:
    """Remembers what stands in the ledger of the data that is open, and in those of nearly the same data."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._seen: object = None

    def has_moved(self) -> bool:
        """Whether it says something else than when this was last asked: it is told of after every change."""
        before, self._seen = self._seen, self._state()
        return before != self._seen

    def _state(self) -> object:
        if not self._document.has_data:
            return None
        ledger = self._document.session.ledger
        try:
            return ledger.current.path, ledger.current.history, ledger.nearly_same()
        except WorkbenchError as error:
            return str(error)
