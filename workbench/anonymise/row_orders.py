"""The orders that released rows have had, in the words of statements."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class ReleaseOrder:
    """An order of released rows, as statements speak of it: what was done, and what the program checked."""

    done: str
    checked: str


BY_LABELS, AT_RANDOM = "labels", "random"
ORDERS = MappingProxyType(
    {
        BY_LABELS: ReleaseOrder(
            "rows in the order of their labels",
            "The rows stand in the order of their labels, which tells nothing of where they stood in the table.",
        ),
        AT_RANDOM: ReleaseOrder("shuffle", "The rows were released in random order."),
    }
)
"""The orders of rows that releases have had; they were shuffled at first."""
