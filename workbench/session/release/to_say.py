"""The sentences that a claim rests on and no program can check: how many there are, and which were said before.

Anonymise, Release and whoever verifies the file tell the same number: that of the sentences in its statement.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from workbench.anonymise.claim import Claim
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import counted
from workbench.core.schema import Schema
from workbench.session.release.draw_choice import declared_before


@dataclass(frozen=True)
class ToSay:
    """The sentences that a publisher must be able to say.

    Parameters
    ----------
    sentences
        All of it, as the statement has it.
    before
        Of these, what was said before, and the room where it was.
    """

    sentences: tuple[str, ...]
    before: Mapping[str, str]

    @property
    def words(self) -> str:
        """How many sentences these are."""
        return sentences_words(len(self.sentences))

    @property
    def left(self) -> str:
        """How many of them are still to be signed."""
        left = len(self.sentences) - len(self.before)
        return sentences_words(left) if left else "nothing more"

    @property
    def told(self) -> str:
        """All of them, and how many of them were said, as Release counts them."""
        return f"{self.words}, {len(self.before):,} said" if self.before else self.words


def to_say(claim: Claim, schema: Schema, hierarchies: Mapping[str, Hierarchy], said: Collection[str] = ()) -> ToSay:
    """The assertions that a claim rests on, be the draw made or not.

    Parameters
    ----------
    schema, hierarchies
        With which it was drawn, or is to be.
    said
        What was said besides, such as that nobody is told the number.
    """
    before = declared_before(claim, schema, hierarchies)
    more = {sentence: "anonymise" for sentence in claim.asserted if sentence in said and sentence not in before}
    return ToSay(claim.asserted, {**before, **more})


def sentences_words(number: int) -> str:
    """So many sentences, wherever they are counted."""
    return counted(number, "sentence")
