"""Draws of a table that are there no more: no project keeps their rows."""

from __future__ import annotations

from pathlib import PurePath

from workbench.core.errors import WorkbenchError
from workbench.core.visible import visible
from workbench.session.session import Session


def drawn_before(session: Session) -> str:
    """What became of draws whose rows are not there, in sentences; "" where there is a result, or nothing was drawn."""
    if session.data.loaded is None or session.release.result is not None:
        return ""
    try:
        if not session.ledger.draws(session.data.fingerprint):
            return ""
        entries = session.ledger.current.history.told
    except WorkbenchError:
        return ""  # a ledger that cannot be read is told of elsewhere
    written = [PurePath(file.name).name for entry in entries for file in entry.files]
    exported = f"“{visible(written[-1])}” was exported last." if written else "Nothing of it was exported."
    begins = "A release of this table was drawn before. No project keeps drawn rows."
    return f"{begins} {exported} Another draw costs again."
