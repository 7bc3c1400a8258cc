"""The statement on something that the ledger knows."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.query.ledger import LedgerEntry
from workbench.session.session import Session


@dataclass(frozen=True)
class StatementText:
    """A statement as HTML, and as a page of its own."""

    body: str
    page: str


def statement_of(session: Session, entry: LedgerEntry) -> StatementText:
    """The statement on something the ledger knows.

    Of a file that was written since the data was opened it is the one that lies beside it. Of an older one the ledger
    does not know all that its statement says, and points to it.

    Raises
    ------
    WorkbenchError
        If the ledger cannot be read.
    """
    written = session.release.exported.get(entry.charge.key) if entry.charge.key and entry.left else None
    if written is not None:
        return StatementText(written.body, written.page)
    certificate = session.ledger.certificate(entry)
    return StatementText(certificate.body(session.publisher), certificate.page(session.publisher))
