"""Files that the library reads and never writes over: not while a table is open, nor with a picture afterwards."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from workbench.io.protected_files import Protected, protect, was_read
from workbench.query.ledger_file import ledgers_folder
from workbench.session import Session


class OpenFiles:
    """The files that are read for a table, for as long as somebody has it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        was_read(session.data.files_read)  # an answer has a picture after its table is gone
        protect(self)

    def protected(self) -> Protected:
        """The files that nothing may be written over meanwhile."""
        return Protected(self._session.data.files_read, (ledgers_folder(),))


def remembered(*paths: str | PathLike[str]) -> list[Path]:
    """Files that are read, such as hierarchies and reports, as paths. No picture is written over them."""
    found = [Path(one) for one in paths]
    was_read(found)
    return found
