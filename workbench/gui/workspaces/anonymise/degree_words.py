"""The names of degrees of generalisation."""

from __future__ import annotations

from workbench.anonymise.dp_search import Degree
from workbench.core.number_text import percent

_WORDS = {
    Degree.NONE: "none",
    Degree.LOW: "low",
    Degree.LOW_MEDIUM: "low to medium",
    Degree.MEDIUM: "medium",
    Degree.MEDIUM_HIGH: "medium to high",
    Degree.HIGH: "high",
    Degree.COMPLETE: "complete",
}


def in_words(degree: Degree) -> str:
    """A degree and its share of the levels."""
    return f"{_WORDS[degree]}, {percent(float(degree.share))}"
