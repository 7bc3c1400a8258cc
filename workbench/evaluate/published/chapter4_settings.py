"""Settings that figures 4.3 to 4.6 and 4.9 to 4.11 of the thesis share: protocols, estimators, and what they spend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from workbench.evaluate.published.local_runs import LN20
from workbench.evaluate.published.setting_rows import INVERTED, SMOOTHED, SPENT_AT_LN20

BY_EM = "expectation maximisation (EM), with smoothing chosen by the reports"
"""The same in a sentence that introduces it."""
MATRIX_ROW = (
    "random matrix",
    "10 rows between ±1/√10, one matrix for all runs of a point, which count as one run; ε = 1 throughout (author's "
    "code); 5 rows of ±1/5 (text). Here: a matrix for each run",
    "entries ±1/√m, and the ε of the others",
)
_DIVIDES = "divides by p* − s, with p* the probability of the whole area"
SENSITIVE_ROW = (
    "distance-sensitive",
    _DIVIDES,
    f"{INVERTED}; the corrected form spends the whole of each ε",
)
SENSITIVE_ROW_AT_LN20 = (
    "distance-sensitive",
    _DIVIDES,
    f"{INVERTED}; with 50 answers at ln 20 the corrected form is the same: they differ by chance",
)
"""Where people run, ε is ln 20, all of which a reach of 4 spends: nothing is left to correct."""
PROTOCOLS = {
    True: "direct, histogram (THE), unary (OUE), random matrix",
    False: "direct, histogram (THE), unary (OUE), distance-sensitive",
}
"""The published ones, by whether the random matrix is among them."""
HIDES_ANSWERS = "which takes up to 2ε to hide what a person answered"
"""A curator's noise: its ε is for adding or leaving out a person, that of a local protocol for another answer."""
ALL_PROTOCOLS = (
    "direct, THE (θ of least variance), OUE, random matrix, distance-sensitive (as the text has it, and corrected), "
    f"Square Wave, RAPPOR; a curator's discrete Laplace, {HIDES_ANSWERS}"
)
IN_UNIT = ", in the unit of the column (of ages: years)"
"""What a Kantorovich distance of distributions is in; one's own column need not be ages."""
CONSISTENT = f"none: {SMOOTHED} for both forms of distance-sensitive encoding and Square Wave, Norm-Sub for the others"
ONE_DRAW = "10, of the same reports (author's code)", "10, each with people of its own"

_ALONG_EPSILON = "; THE and (from ε = ln 2 on) distance-sensitive encoding spend less, RAPPOR 1.02 throughout"
SPENT: Mapping[tuple[float, ...], str] = MappingProxyType(
    {
        (1.5,): ", of which THE spends 1.28, distance-sensitive encoding 0.69 and RAPPOR 1.02",
        (LN20,): SPENT_AT_LN20.removeprefix("ln 20"),
    }
)
"""What a report of those mended protocols spends that do not spend all of ε, by the only ε that there is.

THE sends which noisy numbers are above its threshold and not the numbers; distance-sensitive encoding has a whole
reach; RAPPOR has parameters of its own.
"""


def spent(epsilons: Sequence[float]) -> str:
    """The same for all ε of a figure."""
    return SPENT.get(tuple(dict.fromkeys(epsilons)), _ALONG_EPSILON)
