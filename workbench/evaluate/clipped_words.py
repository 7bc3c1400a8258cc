"""Words on what bounds shift that values are outside of, which is in no error."""

from __future__ import annotations

from workbench.core.number_text import estimate, exact, margin_up
from workbench.evaluate.findings import Findings
from workbench.evaluate.question import Metric


def clipped_words(findings: Findings) -> str:
    """Share of the rows that bounds narrower than the true values clip, and what that moves a mean by; "" for none.

    It is in no error, so that whoever reads of one must read of it too. On a public shape, where nothing of the table
    is known, nobody can say it.
    """
    if not findings.beyond:
        return ""
    share = f"{estimate(100 * findings.beyond / findings.rows, 2)} % of rows"
    if not findings.moved > 0:
        return f"The bounds clip {share}: no error here includes what that shifts."
    unit = f" {findings.unit}" if findings.unit and findings.experiment.metric == Metric() else ""
    return f"The bounds clip {share}, which moves the mean by {estimate(findings.moved, 2)}{unit} on top."


def limited_words(findings: Findings) -> str:
    """What no error has in it: what bounds shift that were typed for this question; "" for others.

    As a part of `left_out_words`.

    Narrow ones make every error small and the answer wrong. Those declared of the column are what can occur, so that
    bounds which hold them shift nothing; and of true values `clipped_words` know it.
    """
    question = findings.experiment.question
    bounds = question.encoding.bounds
    public = findings.experiment.basis.public and question.statistic.of_numbers
    if bounds is None or findings.within or not public:
        return ""
    low, high = bounds
    between = f"{exact(low)} to {exact(high)}" if low < 0 else f"{exact(low)}–{exact(high)}"
    return f"what limiting values to {between} shifts{_shifted(findings)}"


def _shifted(findings: Findings) -> str:
    """By how much that moves the mean, were the values of these shapes within the declared bounds, in brackets."""
    if not findings.limited > 0:
        return ""
    unit = f" {findings.unit}" if findings.unit and findings.experiment.metric == Metric() else ""
    on = "at most on these shapes" if len(findings.experiment.shapes) > 1 else "on this shape"
    return f" (about {margin_up(findings.limited, 2)}{unit} {on})"
