"""The words above and below the tiles of a comparison, as long as they mostly come out."""

from __future__ import annotations

import re

from workbench.evaluate.basis_words import assumed_words
from workbench.evaluate.enough import error_unit
from workbench.evaluate.experiment import Axis
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.tile import TRUSTED, Verdict
from workbench.evaluate.verdict import caution_words, error_words, place_words, unless_words


def together(words: str, findings: Findings) -> str:
    """The same with no line break between a number and the unit of errors."""
    unit = re.escape(error_unit(findings)[1:])
    return re.sub(rf"(?<=\d) (?={unit})", "\N{NO-BREAK SPACE}", words) if unit else words


def usual_advice(findings: Findings, *, errors: bool = True) -> str:
    """Advice about as long as it mostly comes out."""
    at = f"{place_words(findings, findings.experiment.looked_at)}{assumed_words(findings)}"
    of_local = f", {error_words(2.3, findings)}" if errors else ""
    taken = f"take Global{TRUSTED[Approach.GLOBAL]}: the smallest error"
    # Also where nothing is known of sampling: whoever types what is enough moves nothing by it.
    paid = " (Query charges 0.2)" if findings.experiment.number_known else ""
    least = f" Global is enough on average for a smooth shape from 0.1{paid}, the smallest ε tried."
    least = least if findings.experiment.axis is Axis.EPSILON else ""
    return f"At {at} {taken}. If nobody is: Local{of_local}.{least}"


def depends_words(found: Verdict, findings: Findings) -> str:
    """On which shapes another way errs less, and what to know of the shape."""
    told = [*(unless_words(one, findings) for one in found.unless), caution_words(found, findings)]
    return "\n".join(filter(None, told))
