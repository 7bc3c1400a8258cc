"""Words for what no error of a comparison has in it, to stand as near the verdict as its numbers."""

from __future__ import annotations

from workbench.evaluate.clipped_words import limited_words
from workbench.evaluate.drawn_row import draw_moves
from workbench.evaluate.findings import Findings


def left_out_words(findings: Findings) -> str:
    """What typed bounds shift, and by how much a draw of one row of each person moves the answer; "" for neither.

    Either can be many times the error that the verdict is about.
    """
    limited, moves = limited_words(findings), draw_moves(findings)
    drawn = f"the draw of one row of each person, which {moves}" if moves else ""
    return _sentence(limited, drawn)


def limit_sentence(findings: Findings) -> str:
    """The same of bounds alone."""
    return _sentence(limited_words(findings))


def draw_sentence(findings: Findings) -> str:
    """The same of a draw alone, as briefly as a caption needs it that says which rows take part."""
    _, _, most = draw_moves(findings).partition(" at most ")
    return f"No error has in it the draw of these rows, at most {most}." if most else ""


def _sentence(*left_out: str) -> str:
    parts = ", and ".join(filter(None, left_out))
    return f"Not in these errors: {parts}." if parts else ""
