"""The words above and below the tiles of a comparison."""

from __future__ import annotations

import re

from workbench.evaluate.enough import error_unit
from workbench.evaluate.findings import Findings
from workbench.evaluate.tile import Verdict
from workbench.evaluate.verdict import caution_words, unless_words

LONG_REASON = (
    "If a curator is trusted. On each shape tried it then errs less on average than sampling adds. "
    "Yours may need more. At ε = 0.14: Anonymised, with δ, not told apart; Local, trusting nobody, not enough."
)
"""A reason about as long as one comes out, whatever is asked: its room is kept from the beginning."""


def together(words: str, findings: Findings) -> str:
    """The same with no line break between a number and the unit of errors."""
    unit = re.escape(error_unit(findings)[1:])
    return re.sub(rf"(?<=\d) (?={unit})", "\N{NO-BREAK SPACE}", words) if unit else words


def depends_words(found: Verdict, findings: Findings) -> str:
    """On which shapes another way errs less, and what to know of the shape."""
    told = [*(unless_words(one, findings) for one in found.unless), caution_words(found, findings)]
    return "\n".join(filter(None, told))
