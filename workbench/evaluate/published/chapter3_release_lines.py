"""The lines on where table 3.6 and figure 3.9 of the thesis differ and why, from what came out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.anonymise.sample_guarantee import guarantee
from workbench.core.number_text import count, estimate, exact
from workbench.evaluate.published.agreement import STANDARD_ERRORS, OurValue
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.frame import Line
from workbench.evaluate.published.panel import PanelCurve
from workbench.evaluate.published.winners import told_apart

PUBLISHED_MEANS = (
    *(2_447_509.4905, 2_580_120.4023, 2_742_689.1789, 2_857_291.0017, 2_860_215.6928),
    *(2_870_191.0069, 2_863_787.4636, 2_874_546.3281),
)
TRUE_MEAN, PRINTED_MEAN, PRINTED_RESULT = 2_868_981.3233, 2_868_981.32, 2_860_215.6
"""Of the author's code, and as pages 37 and 38 print it, with what a reader of the releases computes."""
ROWS = 12_377
EPSILONS = tuple(round(0.2 * step, 1) for step in range(1, 9))
SEVEN, COARSE = 5, 8
"""Levels above the values: the coarsest means of 7 levels, and those of 10."""
AT_SEVEN, LABELS = "Least error with 7 levels, %", "Error of the labels alone, $"
SIGNED = "Error with its sign at ε = {}, $"
"""Of the coarsest labels, at each ε: whether the average is too high or too low, which no error tells."""
CHOOSING = 0.1
"""What the other tool takes from ε for choosing a level, by its default; the rest is the release's."""
SAMPLE = 28_690.0
"""How far another sample may be off: 1 % of the mean."""
BY_SAMPLE = "another sample: 1 % of the mean"
AVERAGED = 500
"""How many releases a published average is of at least: 1,000 by the text, 500 in the author's code."""


def means_of(level: int, amounts: float = math.inf) -> str:
    """Description of the labels of a level above the values: means of 2^`level` amounts, which more rows may have.

    Where there are no more different amounts than that, one label is the mean of all of them.
    """
    return f"Means of {count(2**level)} amounts" if 2**level < amounts else f"Mean of all {count(amounts)} amounts"


TAKEN = means_of(COARSE)
SAMPLED, TRIMMED, INTERVALS = "Sampled release", "Trimmed release", "Public intervals"


def error_of(number: int) -> float:
    """How far a published average is off."""
    return abs(PUBLISHED_MEANS[number] - TRUE_MEAN)


def _rises(curve: PanelCurve | None) -> str:
    """Whether sampling errs more at the largest ε than at 1, and why."""
    ends = [curve.at(one) for one in (1.0, EPSILONS[-1])] if curve is not None else []
    if len(ends) < 2 or not all(ends) or not told_apart(*reversed([one for one in ends if one is not None])):
        return ""
    sampled = [guarantee(epsilon=one, delta=1 / ROWS) for one in (1.0, EPSILONS[-1])]
    rows = [one.k / one.beta for one in sampled]
    return (
        f" Above ε = 1 sampling errs more again: about k/β rows are needed for a group to survive, {count(rows[0])} at "
        f"ε = 1 and {count(rows[1])} at ε = {exact(EPSILONS[-1])}."
    )


def _one_release_errs(outcome: FigureOutcome) -> str:
    errors = {curve.name: found.mean for curve in outcome.mended.panels[0].curves if (found := curve.at(1.0))}
    sampled, trimmed = errors.get(SAMPLED), errors.get(TRIMMED)
    many = outcome.mended.numbers.get(INTERVALS)
    some = f"With {count(many.mean)} public intervals" if many is not None else "With public intervals"
    if sampled is None or trimmed is None:
        errs = f"{some} one release was not made at ε = 1."
    else:
        errs = (
            f"{some} a trimmed release at ε = 1 errs by {estimate(trimmed, 3)} %, a sampled one by "
            f"{estimate(sampled, 3)} %; that depends on their width."
        )
    several = any(len(curve.places) > 1 for curve in outcome.mended.panels[0].curves)
    rises = _rises(next((one for one in outcome.mended.panels[0].curves if one.name == SAMPLED), None))
    rises = rises if several else ""
    return (
        f"{errs} Trimming drops a few rows of each group (here their mean number is added back), of a small one all; "
        f"sampling drops a share of all rows, and then every group of fewer than k.{rises}"
    )


def _apart(one: OurValue) -> float:
    """How far a published average may be from one of ours: for another sample, and for chance in both."""
    return SAMPLE + STANDARD_ERRORS * one.deviation * math.sqrt(1 / AVERAGED + 1 / one.repetitions)


def _all_of(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _opposite(outcome: FigureOutcome, small: Sequence[str]) -> str:
    """Where of two small errors one is of an average that is too high, and the other of one that is too low."""
    found: dict[str, list[str]] = {}
    for published, epsilon in zip(PUBLISHED_MEANS, EPSILONS, strict=True):
        ours = outcome.published.numbers.get(SIGNED.format(epsilon))
        if ours is not None and exact(epsilon) in small and ours.mean * (published - TRUE_MEAN) < 0:
            which = "too low and ours too high" if ours.mean > 0 else "too high and ours too low"
            found.setdefault(which, []).append(exact(epsilon))
    if not found:
        return ""
    said = ", ".join(
        f"at ε = {_all_of(at)} the published average is {which}" if not number else f"at {_all_of(at)} it is {which}"
        for number, (which, at) in enumerate(found.items())
    )
    return f" Errors have no sign: {said}, so that the averages are farther apart than the errors."


def between_levels(outcome: FigureOutcome) -> str:
    """Where the published error lies among those of the levels, and where it is too small to be checked."""
    below: list[str] = []
    small: list[str] = []
    between: dict[str, list[str]] = {}
    for number, epsilon in enumerate(EPSILONS):
        curves = outcome.published.panels[0].curves
        found = [
            ((one.mean - error_of(number)) / _apart(one), int(curve.name.split()[2]))
            for curve in curves
            if (one := curve.at(epsilon))
        ]
        taken = next((one.at(epsilon) for one in curves if one.name == TAKEN), None)
        if taken is not None and max(taken.mean, error_of(number)) < SAMPLE:
            small.append(exact(epsilon))
        fine, coarse = ([many for off, many in found if sign * off > 1] for sign in (1, -1))
        if fine and coarse:
            those = "those" if len(coarse) > 1 else "that"
            levels = f"that of means of {max(fine)} amounts and {those} of {_all_of([count(one) for one in coarse])}"
            between.setdefault(levels, []).append(exact(epsilon))
        elif fine and len(fine) == len(found):
            below.append(exact(epsilon))
    said = []
    if below:
        said.append(
            f"At ε = {_all_of(below)} the published error is smaller than that of every level here; why is not known."
        )
    if between:
        lies = [f"at ε = {_all_of(places)} between {levels}" for levels, places in between.items()]
        said.append(
            f"The published error lies {', '.join(lies)}, as if the tool, which chooses for each release anew, had "
            "taken sometimes the one and sometimes another."
        )
    if small:
        said.append(
            f"At ε = {_all_of(small)} the published error and ours ({TAKEN.lower()}) are each below 1 % of the mean; "
            "how far below depends on the amounts and on how many rows have each, which is different here."
            f"{_opposite(outcome, small)}"
        )
    return " ".join(said)


def _levels_line(outcome: FigureOutcome) -> str:
    least = outcome.published.numbers.get(AT_SEVEN)
    one = len(outcome.published.panels[0].curves) == 0  # the table has one ε, and the figure the least of several
    by = "by at least {} % at ε = 1" if one else "by at least {} %"
    alone, labels = outcome.published.numbers.get(LABELS), ""
    if alone is not None:
        labels = (
            " A label counts each amount once, however many rows have it: with every row released, "
            f"{TAKEN.lower()} are ${count(round(abs(alone.mean)))} too {'high' if alone.mean > 0 else 'low'}, while "
            "the text expects a perfect result without suppression (p. 38)."
        )
    errs = "" if least is None else f", and the average errs {by.format(count(least.mean))}"
    return (
        "The text has 7 levels (p. 35) or 4 (p. 34), the author's code 10. With 7, the coarsest means are of "
        f"{count(2**SEVEN)} amounts{errs}; so 10 are taken here, whose coarsest means are of {count(2**COARSE)}."
        f"{labels}"
    )


def averaged(what: str) -> str:
    """Sentence on what of many releases is published."""
    return (
        f"What is published is {what} of 1,000 releases (p. 36; 500 in the author's code). A reader of one release "
        "does not have that average; and 1,000 releases cost, added up, 1,000 times the ε and the δ of one."
    )


RELEASE_LINES: tuple[Line, ...] = (
    _levels_line,
    "Labels that are means of the data (p. 34), and columns released as they are (p. 39), void the claim of (ε, δ).",
    _one_release_errs,
)
