"""The caption of a figure, which leaves with it: what is shown of how many, what the bands are, what each curve is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

APART = "\nNotes: "
"""Beginning of the paragraph that says how to read the one before it."""


@dataclass(frozen=True)
class Caption:
    """The facts that must be known to read a figure on its own.

    Parameters
    ----------
    shown
        What is drawn against what, without a full stop.
    of
        What it was found on, such as “a smooth public shape”.
    people, repetitions
        n, and how often each point was tried; 0 where that means nothing.
    by_formula
        Which points were not found so, in words that follow that number, or stand in its place; "" for none.
    each
        What was repeated so often, after the word.
    counted
        What n counts, where that is not people.
    definitions
        Whole sentences on how to read what is drawn and said, which follow in a paragraph of their own.
    curves
        The name of each curve and what it is; "" where the name says all.
    notes
        Whole sentences.
    details
        Whole sentences that are kept with the figure, but do not stand below it.
    """

    shown: str
    of: str = ""
    people: int = 0
    repetitions: int = 0
    definitions: Sequence[str] = ()
    curves: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()
    details: Sequence[str] = ()
    counted: str = ""
    by_formula: str = ""
    each: str = " a point"

    def __str__(self) -> str:
        return self._whole(*self._parts, *self.details, *self.notes)

    @property
    def below(self) -> str:
        """What stands below the figure: all but the details."""
        return self._whole(*self._parts, *self.notes)

    def _whole(self, *sentences: str) -> str:
        """What is read first, and the paragraph on how to read it."""
        return f"{' '.join(sentences)}{APART}{' '.join(self.definitions)}" if self.definitions else " ".join(sentences)

    def printed(self, *, details: bool) -> str:
        """What stands below a picture: `below`, and the details in a list where they are wanted."""
        return "\n".join([self.below, *(f"• {one}" for one in self.details)]) if details else self.below

    @property
    def _parts(self) -> list[str]:
        numbers = [f"n = {self.people:,} {self.counted}".rstrip()] if self.people else []
        tried = [f"{self.repetitions:,} repetitions{self.each}"] if self.repetitions else []
        found = "; ".join([*tried, *filter(None, [self.by_formula])])
        what = ", ".join([*([self.of] if self.of else []), *numbers, *([found] if found else [])])
        parts = [f"{self.shown}{f' ({what})' if what else ''}."]
        return [*parts, *(curve_words(name, what) for name, what in self.curves)]


def curve_words(name: str, what: str) -> str:
    """Sentence that says what a curve is; its name alone where that says all."""
    return f"{name}: {what}." if what else f"{name}."
