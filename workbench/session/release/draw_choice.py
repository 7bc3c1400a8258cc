"""The choice of a draw among several: what can be claimed then, what otherwise, and which of the two is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from workbench.anonymise.claim import Claim
from workbench.anonymise.claimed_sum import ClaimedSum
from workbench.anonymise.terms import choices_line, declared_hierarchies, hierarchies_line, rows_line
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import rounded_up
from workbench.core.schema import Schema, UnitAnswer
from workbench.io.hierarchy_csv import is_declared
from workbench.session.suggested_hierarchies import follows_said


@dataclass(frozen=True)
class DrawChoice:
    """The two things that can be said of a draw beside which there are other releases of the data.

    Parameters
    ----------
    chosen
        Which is said: that it was chosen among them.
    draws
        How many draws there are; 1 if the others are answers, or left before draws were charged.
    together, alone
        The two in words, each with what is claimed then.
    refusal
        Why nothing can be claimed for all of them together; "" if something can.
    """

    chosen: bool
    draws: int
    together: str
    alone: str
    refusal: str = ""


_BY_DATA = "what the data decided is not counted, so no sum holds"


def draw_choice(
    claim: Claim, draws: int, found: ClaimedSum | str | None, *, chosen: bool, by_data: bool = False
) -> DrawChoice | None:
    """The choice of what to say of a draw; None if there is nothing that it could have been chosen by.

    Parameters
    ----------
    claim
        For the draw.
    draws
        How many draws of the data there are, this one among them.
    found
        What all releases of it promise together, see `summed`.
    chosen
        Whether it is said to be chosen.
    by_data
        Whether it is said that the data decided some choice, so that ε and δ hold for the choices as they are.
    """
    if found is None:
        return None
    if by_data and not isinstance(found, str):
        found = _BY_DATA
    own = "({}, {})".format(*map(rounded_up, claim.own))
    among = f"{draws:,} draws" if draws > 1 else "other releases"
    alone = f"It was settled without the others: claim {own}" + " for its choices as they are" * (
        claim.given or by_data
    )
    if isinstance(found, str):
        return DrawChoice(chosen, draws, f"I chose by what the {among} showed", alone, found)
    amounts = f"({rounded_up(found.exact_epsilon)}, {rounded_up(found.exact_delta)})"
    words = f"I chose among the {among}: claim {amounts}"
    if draws < 2 or found.releases > draws:
        words = f"I chose by what the {found.releases:,} releases showed: claim {amounts}"
    return DrawChoice(chosen, draws, words, alone)


FOLLOWS = "anonymise"
"""Where something was said that follows from what was said to occur in columns."""
PARTLY_FOLLOWS = f"hierarchies {FOLLOWS}"
"""Where part of it was declared, and the rest said so."""


def declared_before(claim: Claim, schema: Schema, hierarchies: Mapping[str, Hierarchy]) -> Mapping[str, str]:
    """The assertions of a claim that the user has made already, each with the room where they did.

    That a hierarchy was made without the data is said by who declares it, and by who says that what can occur is not
    from the data, where a rule of the program made it of that: `FOLLOWS` stands for the room then. What can occur
    stands in the sentence too, and who declares a hierarchy has not said that; `PARTLY_FOLLOWS` stands for both rooms.

    Parameters
    ----------
    schema, hierarchies
        With which the draw was made, or is to be; nothing is said of one that is missing there.
    """
    said = {}
    if schema.unit.protected is UnitAnswer.SAID:
        said[rows_line(claim.terms)] = "data"
    ways = {_said_where(claim, schema, name, hierarchies.get(name)) for name in declared_hierarchies(claim.terms)}
    if ways and "" not in ways:
        said[hierarchies_line(claim.terms)] = PARTLY_FOLLOWS if len(ways) > 1 else ways.pop()
    return {sentence: room for sentence, room in said.items() if sentence in claim.asserted}


def _said_where(claim: Claim, schema: Schema, name: str, hierarchy: Hierarchy | None) -> str:
    """The room where it was said that a hierarchy was made without the data; "" if it was not."""
    if hierarchy is None:
        return ""
    occurs = claim.occurring.get(name, ()) if choices_line(claim.terms) in claim.asserted else ()
    if is_declared(hierarchy):
        stated = name in dict(claim.terms.said)
        return ("" if not occurs else PARTLY_FOLLOWS) if stated else "hierarchies"
    return FOLLOWS if name in schema.names and follows_said(hierarchy, schema[name], occurs) else ""


def with_left_out(claim: Claim) -> Mapping[str, str]:
    """By the assertion on hierarchies, the same with which of their columns the file has not.

    A column that took part in the draw counts whether it is in the file or not. Nothing where all are in it.
    """
    gone = [name for name in declared_hierarchies(claim.terms) if name in claim.terms.after.left_out]
    if not gone:
        return {}
    after = replace(claim.terms.after, left_out=tuple(gone))
    line = hierarchies_line(claim.terms)
    so = "so it counts" if len(gone) == 1 else "so they count"
    return {line: f"{line} {after.named} {after.was} in the draw, {so}, though not in the file."}
