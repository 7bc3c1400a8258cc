"""The sentences that were said before Release, in so few words that all of them stand in a line."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.anonymise.claim import Claim
from workbench.anonymise.terms import (
    BOTH_NOT_TOLD,
    PEOPLE_KNOWN,
    PEOPLE_NOT_TOLD,
    ROWS_KNOWN,
    ROWS_NOT_TOLD,
    declared_hierarchies,
    hierarchies_line,
    rows_line,
)
from workbench.core.number_text import counted
from workbench.core.occurring_listed import listing_of
from workbench.core.visible import quoted

_NUMBERS = {
    PEOPLE_NOT_TOLD: "number not told",
    BOTH_NOT_TOLD: "numbers not told",
    ROWS_NOT_TOLD: "number of rows not told",
    PEOPLE_KNOWN: "number perhaps known",
    ROWS_KNOWN: "number of rows perhaps known",
}
_LONGEST = 60
"""Letters of what occurs in one column, as the sentence on hierarchies has them."""


def said_in_short(claim: Claim) -> Mapping[str, tuple[str, ...]]:
    """By sentence, or other answer, that can have been said before: what it says, in parts of a few words.

    It is what was typed or answered and nothing else, as in the sentences themselves.
    """
    terms = claim.terms
    most = "1 row each" if terms.rows_per_person == 1 else f"up to {terms.rows_per_person:,} rows each"
    rows = f"each person has one {quoted(terms.limited_by)}" if terms.limited_by else most
    return {
        rows_line(terms): (rows,),
        hierarchies_line(terms): tuple(_occurs(claim, name) for name in declared_hierarchies(terms)),
        **{sentence: (words,) for sentence, words in _NUMBERS.items()},
    }


def _occurs(claim: Claim, name: str) -> str:
    entries = claim.occurring.get(name, ())
    if not entries:
        return f"hierarchy of {name}"
    listed = listing_of(entries)
    return f"{name} {listed if len(listed) <= _LONGEST else counted(len(entries), 'value')}"
