"""A flaw of an original: what it is called here, where it is published, and what an audit of it says."""

from __future__ import annotations

import math
from dataclasses import dataclass

from workbench.core.number_text import estimate


@dataclass(frozen=True)
class OriginalFlaw:
    """One thing that was published and does not hold.

    Parameters
    ----------
    title
        What it is, containing “as in the author's code, not private” where that claims a privacy that it has not.
    place
        Where it is published.
    claimed, real
        The ε that is claimed and the one that it has, infinite where a report can give its value away; nan where it
        is no mechanism.
    why
        What is wrong, in a sentence.
    claim
        Who claims that ε, such as “ε is said to be”.
    said
        The title as a sentence, without its full stop.
    of
        Of what that real ε is, where not of everything, such as “of a person all of whose reports are taken”.
    """

    title: str
    place: str
    why: str
    claimed: float = math.nan
    real: float = math.nan
    claim: str = "ε is said to be"
    said: str = ""
    of: str = ""

    @property
    def sentence(self) -> str:
        """Sentence on what was published, where, and what is wrong with it."""
        return f"{self.begin} {self.why}"

    @property
    def begin(self) -> str:
        """Sentence on what was published, and where."""
        return f"{self.said} ({self.place})."

    @property
    def audit(self) -> str:
        """The claim beside what holds."""
        if math.isnan(self.real):
            return self.sentence
        real = (
            ", but no finite ε holds"
            if math.isinf(self.real)
            else f"; {self.of and f'{self.of} '}it is {estimate(self.real, 5)}"
        )
        return f"{self.begin} {self.claim} {estimate(self.claimed, 5)}{real}. {self.why}"
