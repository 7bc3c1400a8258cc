"""Readers of a file, and the ε that is usual for them: a convention to begin with, which no guarantee rests on."""

from __future__ import annotations

from enum import Enum

from workbench.anonymise.promise import Promise, guessed_right, whole_up
from workbench.core.number_text import rounded_up
from workbench.core.rationals import rational


class Readers(Enum):
    """Readers, those who can be trusted least first; each with the largest ε that is usual for them.

    An ε up to 1 is commonly called strong, and of the values in use most lie below 3. The less is known of who reads,
    the smaller it is chosen. No source derives an ε from the readers, so it stands in no statement.
    """

    EVERYBODY = ("Everybody", "everybody, as on a web site", 1.0)
    PARTNERS = ("Signers", "partners who signed for it", 2.0)
    OFFICE = ("Own office", "people of your own office", 3.0)

    def __init__(self, words: str, means: str, usual: float) -> None:
        self.words = words
        self.means = means
        self.usual = usual

    def typed(self, promised: Promise, *, replacing: bool) -> float:
        """The ε of the release to be typed for them; not positive where the choice of levels alone costs as much.

        Parameters
        ----------
        replacing
            Whether it is known how many people there are, so that each ε counts twice.
        """
        return float(rational(self.usual) / (2 if replacing else 1) - rational(promised.search_epsilon))

    def told(self, promised: Promise, *, replacing: bool) -> str:
        """For whom this is, and how often somebody who knows all others guesses right."""
        right = whole_up(guessed_right(self.usual, promised.about(replacing=replacing)[1]))
        typed_by_half = replacing and promised.search is not None
        counted = f", of which {rounded_up(self.usual / 2)} is typed" if typed_by_half else ""
        return f"For {self.means}: ε {rounded_up(self.usual)}{counted}. At most {right} % of guesses are right."

    @classmethod
    def fitting(cls, promised: Promise, *, replacing: bool) -> Readers | None:
        """The readers for whom a promise is usual, those trusted least; None where ε is above all of them."""
        whole = promised.about(replacing=replacing)[0]
        return next((one for one in cls if whole <= one.usual), None)
