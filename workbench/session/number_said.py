"""The number of the table that is known already, as the settings say before anything is drawn."""

from __future__ import annotations

from workbench.core.known_number import KnownNumber
from workbench.core.schema import PrivacyUnit
from workbench.session.state import SessionState


def number_said(state: SessionState) -> KnownNumber:
    """Which number of the table the person says is known, before anything is drawn."""
    if not state.project.anonymise.trim.number_known:
        return KnownNumber.NONE
    return number_meant(state.project.schema.unit)


def number_meant(unit: PrivacyUnit) -> KnownNumber:
    """Which number somebody means who says that others know it: where people have several rows, that of both."""
    return KnownNumber.ROWS if unit.several_rows else KnownNumber.PEOPLE
