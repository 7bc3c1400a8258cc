"""The number of the table that is known already, as the settings say before anything is drawn."""

from __future__ import annotations

from workbench.core.known_number import KnownNumber
from workbench.session.state import SessionState


def number_said(state: SessionState) -> KnownNumber:
    """Which number of the table the person says is known, before anything is drawn."""
    if not state.project.anonymise.trim.number_known:
        return KnownNumber.NONE
    return KnownNumber.PEOPLE if state.project.schema.unit.rows_per_person == 1 else KnownNumber.ROWS
