"""What no error of a comparison has in it, in one sentence, to stand as near the verdict as its numbers."""

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
    parts = ", and ".join(filter(None, (limited, drawn)))
    return f"Not in these errors: {parts}." if parts else ""
