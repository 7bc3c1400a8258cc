"""A row of variances that repeats the sum, as published."""

from __future__ import annotations

from workbench.core.number_text import count, exact
from workbench.evaluate.published.originals.flaw import OriginalFlaw

SUM, SUM_PRIVATE = 262_754_253.1, 262_935_459.3
VARIANCE_ROW, VARIANCE_PRIVATE = 262_754_253.1, 261_940_796.5
DEVIATION, DEVIATION_PRIVATE = 18_855.1, 25_825.0

MARK = "a slip: the sum again"
ROUNDED = 2 * 0.1 * DEVIATION
"""How far the square of a deviation may be off that is cut after one decimal."""

FLAW = OriginalFlaw(
    "A variance that is the sum again",
    "thesis, table 3.2, p. 23",
    f"Both rows print {exact(VARIANCE_ROW)} as true; the square of the printed deviation is {count(DEVIATION**2)}. "
    "Where the variance is computed, the author's code prints the sum and a private sum.",
    said="The row of the variance repeats the sum",
)
