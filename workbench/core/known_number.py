"""The number of a table that is known whatever is released, and what that leaves to be hidden.

Of a staff or a census everybody knows how many people there are. Whoever knows all others and this number knows who is
in the table; what stands in their rows can still be hidden. So the tables that must look alike have the same number: in
one of them a person is replaced by another, who may have other rows and, unless the number of rows is known too, more
or fewer of them.
"""

from __future__ import annotations

from enum import StrEnum

TWICE = "counted twice"
"""Of an ε of which it is said what it comes to where a number is known; the same words wherever that is."""


class KnownNumber(StrEnum):
    """The number that is known: of people, or of rows where people can have several."""

    NONE = ""
    PEOPLE = "people"
    ROWS = "rows"

    def with_other(self, other: KnownNumber) -> KnownNumber:
        """Number that is known where each of two is: that of rows tells more than that of people."""
        return max(self, other, key=list(KnownNumber).index)
