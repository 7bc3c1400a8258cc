"""One answer on a card: what was found, the number by which one decides, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Answered:
    """One answer on a card.

    Parameters
    ----------
    figure
        The answer in a few words.
    detail
        What it rests on, in a sentence or two.
    tone
        "error" or "warning" where it should stop somebody, "success" where it is good news, else "".
    means
        What words of it mean, for whoever points at them.
    measure
        The number by which one decides, with its unit; "" where the answer is one.
    rest
        All else that is known of it, for whoever wants to read more.
    """

    figure: str
    detail: str
    tone: str = ""
    means: str = ""
    measure: str = ""
    rest: str = ""

    @property
    def behind(self) -> str:
        """What is read where somebody points at it."""
        return f"{self.rest} {self.means}".strip()
