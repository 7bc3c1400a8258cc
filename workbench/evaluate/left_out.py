"""Words for what no error of a comparison has in it, to stand as near the verdict as its numbers."""

from __future__ import annotations

from workbench.evaluate.clipped_words import limited_words
from workbench.evaluate.drawn_row import draw_moves
from workbench.evaluate.families import FOUND_FIRST
from workbench.evaluate.findings import Findings


def left_out_words(findings: Findings) -> str:
    """What typed bounds shift, and by how much a draw of one row of each person moves the answer; "" for neither.

    Either can be many times the error that the verdict is about.
    """
    moves = draw_moves(findings)
    drawn = f"the draw of one row of each person, which {moves}" if moves else ""
    return " ".join(filter(None, (_sentence(limited_words(findings), drawn), _found_sentence(findings))))


def limit_sentence(findings: Findings) -> str:
    """The same of bounds alone."""
    return " ".join(filter(None, (_sentence(limited_words(findings)), _found_sentence(findings))))


def _found_sentence(findings: Findings) -> str:
    """That the limiting to bounds which are found first is in the error; "" where typed ones limit nothing, or alone.

    Whoever reads that limiting is in no error would take that for this one too.
    """
    drawn = (series.choice if point.by is None else point.by for series in findings.series for point in series.drawn)
    found = any(one.identifier == FOUND_FIRST for one in drawn)
    return "In them: what the bounds shift that Global finds first." if found and limited_words(findings) else ""


def draw_sentence(findings: Findings) -> str:
    """The same of a draw alone, as briefly as a caption needs it that says which rows take part."""
    _, _, most = draw_moves(findings).partition(" at most ")
    return f"No error has in it the draw of these rows, at most {most}." if most else ""


def _sentence(*left_out: str) -> str:
    parts = ", and ".join(filter(None, left_out))
    return f"Not in these errors: {parts}." if parts else ""
