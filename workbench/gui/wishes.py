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


CHECK = Wish("check", "Check a file I received", "What it promises, and whether that holds.", "")
PUBLISH = Wish("release", "Publish a table", "Coarser rows, such as 30–39 for 34.", "data", True)
SURVEY = Wish("collect", "Plan a survey", "Each answer is changed at random.", "collect")
WISHES = (
    PUBLISH,
    Wish("query", "Answer a question", "Such as the mean salary by department.", "query", True),
    SURVEY,
    Wish("compare", "Study privacy", "How well methods protect, at what cost.", "compare"),
    CHECK,
)
