"""The wishes that somebody may have of the program, and the place where each begins."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wish:
    """One wish: its icon, its words, the room it is about, and whether it needs a table, and who is in it, first."""

    icon: str
    title: str
    text: str
    room: str
    needs_data: bool = False


CHECK = Wish("check", "Check a file I received", "Count it again, and see what was promised.", "")
SURVEY = Wish("collect", "Plan a survey", "Answers are changed at random before you get them.", "collect")
WISHES = (
    Wish(
        "release",
        "Publish a table",
        "Coarser rows, such as 30–39 for 34, for others to analyse.",
        "data",
        True,
    ),
    Wish("query", "Answer a question", "Figures such as the mean salary by department, with noise.", "query", True),
    SURVEY,
    Wish("compare", "Study privacy", "Learn how well methods protect, at what cost.", "compare"),
    CHECK,
)
