"""Facts about each tool of diffprivlib on offer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.composition import ADD_REMOVE, REPLACE_ONE

NO_GUARANTEE = (
    "No guarantee of ours: diffprivlib is here to be compared with, as published. Its noise comes from floating-point "
    "numbers, which can give a person away whatever ε is, and most of its tools count the number of rows as public. "
    "The ε is the library's own promise; it is counted, but this program does not vouch for it."
)
FLOATS = (
    "The noise is a floating-point number. Which numbers can come out depends a little on the true value, so the last "
    "digits of an answer may give it away; round what you publish."
)
ROWS_PUBLIC = (
    "The number of matching rows is treated as public: the answer protects which value a matching row has, not "
    "whether a person's row is among them."
)
NO_VALUE = "Where no row that matches has a value, it answers as if one had 0, or the bound nearest to it."
"""It has no answer then, and that there is none would tell, before anything is charged, whether a row matches."""
CUT = "The answer is cut to what is possible for that number of rows, so it often is exactly the largest possible one."
GLOBAL_RANDOM = (
    "The place between two true values is drawn from numpy's global generator, which is not made for secrets, and "
    "the ends of that range are true values of somebody. So it is for experiments only."
)


@dataclass(frozen=True)
class Tool:
    """A tool: the neighbours it assumes, its edges, and whether it answers outside experiments."""

    neighbours: str
    edges: tuple[str, ...]
    releasable: bool = True


_MEAN = Tool(REPLACE_ONE, (ROWS_PUBLIC, NO_VALUE, FLOATS))
_QUANTILE = Tool(REPLACE_ONE, (ROWS_PUBLIC, NO_VALUE, FLOATS, GLOBAL_RANDOM), releasable=False)
_HISTOGRAM = Tool(ADD_REMOVE, ("Counts below 0 are cut to 0, so small counts come out too large on average.",))
TOOLS: Mapping[str, Tool] = {
    **dict.fromkeys(("mean", "nanmean", "var", "nanvar", "std", "nanstd"), _MEAN),
    **dict.fromkeys(("sum", "nansum"), Tool(REPLACE_ONE, (ROWS_PUBLIC, NO_VALUE, FLOATS, CUT))),
    "count_nonzero": Tool(REPLACE_ONE, ("The number of rows of the table is treated as public.", CUT)),
    **dict.fromkeys(("quantile", "percentile", "median"), _QUANTILE),
    **dict.fromkeys(("histogram", "histogram2d"), _HISTOGRAM),
}
"""The tools that are offered."""
