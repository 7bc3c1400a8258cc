"""The paper's mechanisms: a survey, truncated geometric tables, and above-threshold."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from workbench.core.exact import fraction_text
from workbench.core.number_text import count, estimate
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, PublishedFigure, Tell
from workbench.evaluate.published.frame import ChapterFrame, table
from workbench.evaluate.published.panel import (
    MENDED,
    PRINTED,
    RUN_HERE,
    PanelCurve,
    PanelWords,
    PublishedPanel,
    PublishedText,
)
from workbench.evaluate.samples import TableRows
from workbench.mechanisms.audit import audit
from workbench.mechanisms.mechanism import MECHANISMS

_PAPER = ChapterFrame(PublishedText.PAPER, "Paper: model checking")

_SURVEY: TableRows = (("+", "3/4", "1/4"), ("−", "1/4", "3/4"))
_HALF: TableRows = (
    ("0", "2/3", "1/6", "1/12", "1/24", "1/48", "1/48"),
    ("1", "1/3", "1/3", "1/6", "1/12", "1/24", "1/24"),
    ("2", "1/6", "1/6", "1/3", "1/6", "1/12", "1/12"),
    ("3", "1/12", "1/12", "1/6", "1/3", "1/6", "1/6"),
    ("4", "1/24", "1/24", "1/12", "1/6", "1/3", "1/3"),
    ("5", "1/48", "1/48", "1/24", "1/12", "1/6", "2/3"),
)
_QUARTER: TableRows = (
    ("0", "4/5", "3/20", "3/80", "3/320", "3/1280", "1/1280"),
    ("1", "1/5", "3/5", "3/20", "3/80", "3/320", "1/320"),
    ("2", "1/20", "3/20", "3/5", "3/20", "3/80", "1/80"),
    ("3", "1/80", "3/80", "3/20", "3/5", "3/20", "1/20"),
    ("4", "1/320", "3/320", "3/80", "3/20", "3/5", "1/5"),
    ("5", "1/1280", "3/1280", "3/320", "3/80", "3/20", "4/5"),
)
_CELLS = "Chances in the table"
"""By what they are kept and called in files."""
_EXACT = "e^ε between neighbours"
_LARGEST = "Largest ratio of the probabilities of one output, eᵋ"


def _table(
    title: str, printed: TableRows, identifier: str, values: dict[str, Any]
) -> tuple[PublishedPanel, int, float]:
    """The program's own table of a mechanism, how many of its chances are those printed, and e^ε."""
    made = MECHANISMS[identifier].build(values)
    assert made.channel.exact is not None
    rows = tuple((printed[number][0], *map(fraction_text, row)) for number, row in enumerate(made.channel.exact))
    equal = sum(
        Fraction(cell) == Fraction(other)
        for row, own in zip(printed, rows, strict=True)
        for cell, other in zip(row[1:], own[1:], strict=True)
    )
    found = audit(made.channel, made.neighbours)
    return PublishedPanel(title, rows=(("input", *made.channel.outputs), *rows)), equal, math.exp(found.epsilon)


def _printed(chances: int) -> PublishedValue:
    return PublishedValue(
        "Probabilities in the table",
        float(chances),
        written=f"{chances} probabilities",
        key=_CELLS,
    )


def _all_right(outcome: FigureOutcome) -> str:
    """Whether every printed probability is the computed one."""
    (printed,) = (one for one in outcome.figure.values if one.name == _CELLS)
    right = outcome.published.numbers[_CELLS].mean
    if right == printed.value:
        return (
            "Every printed probability is right; there is nothing to mend. A row is added: for each output the largest "
            "ratio of its probabilities under two neighbouring inputs. The largest of all is eᵋ."
        )
    return f"Of {count(printed.value)} printed probabilities {count(right)} are right."


def _of(equal: int) -> OurValue:
    return OurValue(float(equal), written=f"{equal} equal")


def _exactly(
    number: str,
    title: str,
    printed: TableRows,
    identifier: str,
    values: dict[str, Any],
    ratio: int,
    heading: tuple[str, ...] = (),
    where: str = "",
    settings: TableRows = (
        ("inputs", "0 to 5", "the same"),
        ("neighbours", "inputs k, l with |k − l| ≤ 1", "the same"),
    ),
) -> PublishedFigure:
    chances = sum(len(row) - 1 for row in printed)
    computed = "" if identifier == "survey" else "from the printed ε = −ln α"

    def names(panel: PublishedPanel) -> tuple[str, ...]:
        """The heading, as printed."""
        return heading or ("input/output", *panel.rows[0][1:])

    def published(given: FigureInput, tell: Tell) -> FigureSide:
        panel, equal, factor = _table(title, printed, identifier, values)
        numbers = {_CELLS: _of(equal), _EXACT: OurValue(factor)}
        said = f"{PRINTED}, in Algorithm 1" if where else PRINTED
        return FigureSide((table(said, (names(panel), *printed)),), numbers)

    def mended(given: FigureInput, tell: Tell) -> FigureSide:
        panel = _table(f"{MENDED}: nothing to mend; ratios added", printed, identifier, values)[0]
        made = MECHANISMS[identifier].build(values).channel.exact
        assert made is not None
        outputs = zip(*made, strict=True)
        ratios = (max(max(one / other, other / one) for one, other in pairwise(chances)) for chances in outputs)
        rows = (names(panel), *panel.rows[1:], ("largest ratio", *map(fraction_text, ratios)))
        return FigureSide((replace(panel, rows=rows),))

    return _PAPER.figure(
        number,
        0,
        title,
        f"The probabilities of an output under two neighbouring inputs differ by a factor of at most {ratio}, so "
        f"ε = ln {ratio} ≈ {estimate(math.log(ratio), 4)}.",
        settings=settings,
        values=(
            _printed(chances),
            PublishedValue(_LARGEST, float(ratio), follows=computed, key=_EXACT),
        ),
        published=published,
        mended=mended,
        differs=(_all_right, *filter(None, (where,))),
        name=f"paper-{identifier}-{ratio}" if identifier != "survey" else "paper-survey",
    )


PAPER_SURVEY = _exactly(
    "Survey mechanism",
    "Two coins",
    _SURVEY,
    "survey",
    {"variant": "two-coin"},
    3,
    ("state", "Y", "N"),
    settings=(("inputs", "+ and −", "the same"), ("neighbours", "+ and −", "the same")),
)
PAPER_HALF = _exactly(
    "Truncated ½-geometric table",
    "α = ½ over 0 to 5",
    _HALF,
    "truncated-geometric",
    {"alpha": Fraction(1, 2), "n": 5},
    2,
)
PAPER_QUARTER = _exactly(
    "Truncated ¼-geometric table",
    "α = ¼ over 0 to 5",
    _QUARTER,
    "truncated-geometric",
    {"alpha": Fraction(1, 4), "n": 5},
    4,
    where="The paper prints these probabilities in Algorithm 1 only, row by row, as those of the threshold.",
)

# Algorithm 1

_QUERIES = tuple(range(1, 11))
_THRESHOLD, _ANSWERS = "table of the threshold (¼)", "table of the answers (½)"
_KEPT = "Chances in the {}"
_EXACTLY = "Computed exactly, in fractions."


def _losses(comparison: str, *, truncated: bool, stream: str) -> PanelCurve:
    """ε of the model for each number of queries."""
    found = []
    for queries in _QUERIES:
        values = {"queries": queries, "comparison": comparison, "truncated": truncated, "stream": stream}
        made = MECHANISMS["above-threshold"].build(values)
        found.append(audit(made.channel, made.neighbours).epsilon)
    name = "> threshold (algorithm)" if comparison == "strict" else "≥ threshold (text)"
    return PanelCurve(name, Approach.GLOBAL, tuple(map(float, _QUERIES)), tuple(found), formula=True)


def _above(given: FigureInput, tell: Tell) -> FigureSide:
    curves: tuple[PanelCurve, ...] = ()
    for comparison in ("strict", "non-strict"):
        given.progress(len(curves) / 2)
        curves = (*curves, _losses(comparison, truncated=True, stream="database"))
        tell((PublishedPanel(f"{RUN_HERE}: truncated", "Queries", "ε", curves),))
    panel = PublishedPanel(f"{RUN_HERE}: truncated", "Queries", "ε", curves)
    threshold = _table("", _QUARTER, "truncated-geometric", {"alpha": Fraction(1, 4), "n": 5})[1]
    answers = _table("", _HALF, "truncated-geometric", {"alpha": Fraction(1, 2), "n": 5})[1]
    return FigureSide((panel,), {_KEPT.format(_THRESHOLD): _of(threshold), _KEPT.format(_ANSWERS): _of(answers)})


def _repaired(given: FigureInput, tell: Tell) -> FigureSide:
    curves = tuple(_losses(one, truncated=False, stream="database") for one in ("strict", "non-strict"))
    return FigureSide((PublishedPanel(f"{MENDED}: not truncated", "Queries", "ε", curves),))


def _growing(outcome: FigureOutcome) -> str:
    """By how much ε grows with each query, and why it does so without end."""
    strict, other = (
        (estimate(one.means[-1], 4), estimate(one.means[-1] - one.means[-2], 4))
        for one in outcome.published.panels[0].curves
    )
    third = outcome.published.panels[0].curves[0].means[2] - outcome.published.panels[0].curves[0].means[1]
    return (
        "The text reports the first answer that is at least the threshold, the algorithm the first that is above it: "
        f"for {_QUERIES[-1]} queries ε is {other[0]} and {strict[0]}, of which the last adds {other[1]} and "
        f"{strict[1]}. At any noisy threshold at which an answer can stop it, not to stop is twice as likely for the "
        f"input 4 as for 5: by the text every further query adds ln 2 = {estimate(math.log(2), 4)}; by the algorithm "
        f"the third adds only {estimate(third, 3)}, and each after it more, ever nearer to ln 2. So no finite ε holds "
        "for an endless stream."
    )


def _bounded(outcome: FigureOutcome) -> str:
    """What ε comes near to where nothing is truncated, and its bound for any queries."""
    means = outcome.mended.panels[0].curves[0].means
    return (
        "Without truncation, for queries whose answers all change alike, ε comes ever nearer to "
        f"ln 4 = {estimate(math.log(4), 4)} and never reaches it: by the algorithm it is {estimate(means[0], 4)} for "
        f"one, {estimate(means[2], 4)} for three, and for {_QUERIES[-1]} it equals ln 4 in four digits. For any "
        f"queries of sensitivity 1 it is at most ln 4 + 2 ln 2 = {estimate(math.log(16), 4)}."
    )


PAPER_ABOVE = _PAPER.figure(
    "Algorithm 1",
    0,
    "Above-threshold",
    "Both tables that the algorithm draws from are right, and yet no ε holds for every number of queries: at "
    "an end of the range, a truncated threshold cannot shift along with the answers.",
    settings=(
        ("threshold", "¼-geometric, truncated to 0 … 5", "¼-geometric, not truncated"),
        ("answers", "½-geometric, truncated to 0 … 5", "½-geometric, not truncated"),
        ("stops at an answer", "above the threshold (algorithm); at or above it (text); a curve for each", "the same"),
        ("neighbours", "inputs k, l with |k − l| ≤ 1; every query answers the input itself", "the same"),
        ("ε", "the largest over all thresholds 0 to 5", "the same"),
    ),
    values=tuple(
        replace(_printed(36), what=f"Probabilities in the {which}", key=_KEPT.format(which), again=True)
        for which in (_THRESHOLD, _ANSWERS)
    ),
    published=_above,
    mended=_repaired,
    differs=(
        _growing,
        _bounded,
    ),
    seconds=1.0,
    words={
        RUN_HERE: PanelWords(drawn=_EXACTLY),
        MENDED: PanelWords(
            "Not truncated, the threshold shifts along with the answers: ε stays below ln 4. For any queries of "
            f"sensitivity 1 it is at most ln 16 = {estimate(math.log(16), 4)}.",
            drawn=_EXACTLY,
        ),
    },
    name="paper-algorithm-1",
)
