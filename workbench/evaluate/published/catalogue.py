"""All published figures and tables that can be made again, in the order of their documents."""

from __future__ import annotations

import re

from workbench.core.errors import WorkbenchError
from workbench.evaluate.published import (
    beyond,
    beyond_data,
    beyond_unary,
    beyond_values,
    chapter3,
    chapter3_hierarchies,
    chapter3_histograms,
    chapter3_release,
    chapter3_tables,
    chapter4,
    examples,
    paper,
    shapes,
    stories,
)
from workbench.evaluate.published.entry import PublishedFigure

LEFT_OUT = (
    ("Figure 3.7", "a picture of another program's window"),
    ("Figure 3.8", "a picture of another program's dialog; such a hierarchy is table 3.5"),
)
"""Figures that are not made again, and why."""
LEFT_OUT_BEFORE = "figure-3.9"
"""Which figure stands after them."""

FIGURES: tuple[PublishedFigure, ...] = (
    chapter3.FIGURE_2_1,
    shapes.FIGURE_2_2,
    chapter3_tables.TABLE_3_1,
    chapter3_tables.TABLE_3_2,
    chapter3.FIGURE_3_1,
    chapter3.FIGURE_3_2,
    chapter3.FIGURE_3_3,
    chapter3_tables.TABLE_3_3,
    chapter3_histograms.FIGURE_3_4,
    chapter3_histograms.FIGURE_3_5,
    chapter3_histograms.FIGURE_3_6,
    chapter3_hierarchies.TABLE_3_4,
    chapter3_hierarchies.TABLE_3_5,
    chapter3_release.TABLE_3_6,
    chapter3_release.FIGURE_3_9,
    shapes.FIGURE_4_1,
    chapter4.FIGURE_4_2,
    chapter4.FIGURE_4_3,
    chapter4.FIGURE_4_4,
    chapter4.FIGURE_4_5,
    chapter4.FIGURE_4_6,
    shapes.FIGURE_4_7,
    shapes.FIGURE_4_8,
    chapter4.FIGURE_4_9,
    chapter4.FIGURE_4_10,
    chapter4.FIGURE_4_11,
    examples.CHAPTER_COINS,
    examples.CHAPTER_UNARY,
    paper.PAPER_SURVEY,
    paper.PAPER_HALF,
    paper.PAPER_QUARTER,
    paper.PAPER_ABOVE,
    beyond.BEYOND_ESTIMATOR,
    beyond_unary.BEYOND_UNARY,
    beyond_data.BEYOND_SHAPE,
    beyond.BEYOND_PEOPLE,
    beyond_values.BEYOND_VALUES,
    beyond.BEYOND_THETA,
    beyond.BEYOND_REACH,
    beyond_data.BEYOND_LIBRARIES,
    stories.BEYOND_STORIES,
)


def figure_named(name: str) -> PublishedFigure:
    """A figure by its name in commands, “figure-3.1”, or by its number, “3.1” or “table 3.1”.

    Raises
    ------
    WorkbenchError
        If there is none, or it is one that is left out.
    """
    wanted = name.strip().lower().replace(" ", "-")
    for figure in FIGURES:
        if wanted in (figure.identifier, figure.identifier.removeprefix("figure-")):
            return figure
    for figure in FIGURES:
        if _words(name) == _words(figure.number):
            return figure
    for number, why in LEFT_OUT:
        if wanted in (number.lower().replace(" ", "-"), number.removeprefix("Figure ")):
            raise WorkbenchError(f"{number} is not made again: it is {why}.", field="name")
    raise WorkbenchError(
        f"There is no published figure “{name}”.", hint="`workbench preset --list` names all of them.", field="name"
    )


def begins(typed: str, name: str) -> bool:
    """Whether every word that is typed begins a word of a name: “3.2”, “table 3”, “kant” and “geometric” find some."""
    words = _words(name)
    return all(any(word.startswith(one) for word in words) for one in _words(typed))


def rank(typed: str, figure: PublishedFigure) -> int:
    """How near a figure is to what is typed: 0 by its number, 1 a table by it; then by title, settings, the rest."""
    bare = figure.number.removeprefix("Figure ").removeprefix("Table ")
    numbered = f"{figure.number} {bare}"
    words = (numbered, f"{numbered} {figure.title}", f"{numbered} {figure.used}", f"{numbered} {figure.sought}")
    place = next((place for place, one in enumerate(words, start=1) if begins(typed, one)), NOT_FOUND)
    return 0 if place == 1 and not figure.number.startswith("Table") else place


NOT_FOUND = 5
"""The rank of what is not found."""


def first_found(typed: str) -> PublishedFigure | None:
    """Figure that is meant by what is typed: the first of such a number, or of such a title, data or settings."""
    best = min(FIGURES, key=lambda one: rank(typed, one))
    return best if rank(typed, best) < NOT_FOUND else None


def _words(text: str) -> list[str]:
    """Words in small letters, of a hyphenated one its parts, with an s for each z, and halves as they are typed.

    “fig. 4.6” and “tab. 3.1” are figure 4.6 and table 3.1, “p. 51” and “page 51” one word, and so “section 4.5”.
    """
    plain = _PAGE.sub(r" page:\1", _NUMBERED.sub(r"\1 ", text.lower().translate(_TYPED)))
    plain = _SECTION.sub(r" section:\1", plain)
    bare = (word.rstrip(".,:;") or word for word in plain.split())
    return [_SHORT.get(word, word) for word in bare]


_PAGE = re.compile(r"\bp(?:p|ages?)?\b\.? *(?=\d)(\d+)")
_SECTION = re.compile(r"(?:§|\b(?:sections?|sec|chapter)\b\.?) *(?=\d)([\d.]*\d)")
_NUMBERED = re.compile(r"\b(fig|figure|tab|table)\.?(?=\d)")
_SHORT = {"fig": "figure", "figs": "figures", "tab": "table"}


_TYPED = str.maketrans({"½": "1/2", "¼": "1/4", "-": " ", "‐": " ", "‑": " ", "–": " ", "z": "s"})
