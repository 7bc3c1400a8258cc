"""The next charge of the room in view, for whoever sets a budget there."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.composition import Total


@dataclass(frozen=True)
class NextCharge:
    """The next charge of a room as it is set now.

    Parameters
    ----------
    words
        What it costs, in a sentence; "" where nothing has a price yet.
    total
        What all charges add up to with it; None where nothing has a price yet.
    """

    words: str = ""
    total: Total | None = None
