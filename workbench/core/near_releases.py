"""Words of a statement about releases of nearly the same data.

It says only that there are some: neither of what, nor how much the data has in common.
"""

from __future__ import annotations

from enum import StrEnum


class NearReleases(StrEnum):
    """Releases of data nearly the same as that at hand, if there are any, and the person's word about them."""

    NONE = ""
    NOT_ADDED_UP = "not added up"
    OTHER_PEOPLE = "other people"

    def asserted(self, counted: str) -> str:
        """Publisher's assertion about other releases; `counted` says which are known, such as "in its ledger"."""
        if self is NearReleases.NOT_ADDED_UP:
            return (
                f"No other release of the same data exists besides those {counted} and those of nearly the same data."
            )
        if self is NearReleases.OTHER_PEOPLE:
            return (
                f"No other release of the same data exists besides those {counted}. Data that looks nearly the same, "
                "and of which something was released, is about other people."
            )
        return f"No other release of the same data exists besides those {counted}."


NOT_ADDED_UP = (
    "Releases of nearly the same data exist that are not added up here. Whoever is in both tables is promised this for "
    "each of them alone, and less for all of them together."
)
SETTLE = "Continue the count of that data, or declare that the tables are about other people."
