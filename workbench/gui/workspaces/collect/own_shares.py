"""Shares that are typed to be assumed, and whether they are those of the answers."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.widgets.numbers_edit import NumbersEdit


def fit(document: Document, field: NumbersEdit, shares: Sequence[float]) -> bool:
    """Whether shares are those of the answers; otherwise the field says what is missing."""
    if not shares:
        return False
    try:
        size = document.session.collection.domain().size
    except WorkbenchError as error:  # how many there are to be is not known yet
        document.failed.emit(error)
        return False
    good = len(shares) == size and min(shares) >= 0 and sum(shares) > 0
    field.refuse("" if good else f"{size} numbers are needed, one per answer.")
    return good
