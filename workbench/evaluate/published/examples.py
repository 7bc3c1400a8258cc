"""The chapter's examples on randomised response and unary encoding, and the paper's mechanisms."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from workbench.core.exact import fraction_text
from workbench.core.number_text import count, estimate
from workbench.evaluate.method import Approach
from workbench.evaluate.preset import TableRows
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.entry import (
    FigureInput,
    FigureOutcome,
    FigureSide,
    PanelCurve,
    PublishedFigure,
    PublishedPanel,
    PublishedText,
    Tell,
)
from workbench.evaluate.published.frame import ChapterFrame, shown, table
from workbench.evaluate.published.local_runs import deviation
from workbench.evaluate.question import Floats
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.postprocessing import Noise, postprocess
from workbench.ldp.simulated_reports import seed_of
from workbench.mechanisms.audit import audit
from workbench.mechanisms.mechanism import MECHANISMS

_CHAPTER = ChapterFrame(PublishedText.CHAPTER, "Chapter: the local model")
_PAPER = ChapterFrame(PublishedText.PAPER, "Paper: model checking")
_OCCUPATIONS = {
    "Adm-clerical": (3_770, 3_865.5),
    "Exec-managerial": (4_066, 4_047.5),
    "Handlers-cleaners": (1_370, 989.5),
    "Prof-specialty": (4_140, 4_001.5),
    "Other-service": (3_295, 2_993.5),
    "Sales": (3_650, 3_699.5),
    "Craft-repair": (4_099, 4_093.5),
    "Transport-moving": (1_597, 1_613.5),
    "Farming-fishing": (994, 715.5),
    "Machine-op-inspct": (2_002, 2_119.5),
    "Tech-support": (928, 947.5),
    "Protective-serv": (649, 821.5),
    "Armed-Forces": (9, -92.5),
    "Priv-house-serv": (149, 387.5),
}
"""Printed counts of the census table, and what one run of unary encoding made of them."""
_PEOPLE = 32_561
"""Rows of that table; those without an occupation answer no, and have no bit set."""
_SALES = _OCCUPATIONS["Sales"][0]


def _generator(given: FigureInput, *what: Any) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed_of(given.seed, *what)))


# Randomised response about one occupation

_PERCENT, _CENTRAL = "Error of two coins, %", "Error of Laplace noise at ε = 1, %"


def _two_coins(given: FigureInput, tell: Tell) -> FigureSide:
    randomiser = ProtocolChoice.parse("rr=design:coins").frequency(2, math.log(3))
    generator = _generator(given, "coins about sales")
    found = []
    for _ in range(given.repetitions):
        support = randomiser.simulate(np.array([_PEOPLE - _SALES, _SALES]), generator)
        assert support is not None
        found.append(float(randomiser.estimate(support)[1]))
    local = 100 * np.abs(np.array(found) - _SALES) / _SALES
    central = 100 * np.abs(generator.laplace(0.0, 1.0, given.repetitions)) / _SALES
    rows = (
        ("", "published, one run", "here, mean error"),
        ("Two coins, ε = ln 3", "1.959 %", f"{estimate(float(local.mean()), 3)} %"),
        ("Laplace, ε = 1", "0.0114 %", f"{estimate(float(central.mean()), 3)} %"),
    )
    numbers = {
        _PERCENT: OurValue(float(local.mean()), deviation(local), given.repetitions),
        _CENTRAL: OurValue(float(central.mean()), deviation(central), given.repetitions),
    }
    return FigureSide((table("As published", rows),), numbers)


_MANY = (1_000.0, 3_000.0, 10_000.0, 32_561.0, 100_000.0, 1_000_000.0)
_PART = _SALES / _PEOPLE
_COINS_ERR = tuple(100 * math.sqrt(2 / math.pi) * math.sqrt(0.75 / n) / _PART for n in _MANY)
"""The mean of |N(0, ¾n)|, in per cent of the count."""


CHAPTER_COINS = replace(_CHAPTER, repetitions=1_000).figure(
    "Randomised response",
    0,
    "How many are in sales",
    "One run tells little: its error may as well be twice or half the mean one. Global noise is far below.",
    settings=(
        ("people", "32,561, of whom 3,650 in sales", "the same counts"),
        ("ε", "ln 3 local, 1 global", "the same"),
        ("runs", "1", "1,000"),
    ),
    values=(
        PublishedValue(_PERCENT, 1.959, 0.0, 1),
        PublishedValue(_CENTRAL, 0.01142, 0.0, 1),
    ),
    published=_two_coins,
    mended=shown(
        PublishedPanel(
            "Expected error",
            "People",
            "% of the count",
            (
                PanelCurve("Two coins, ε = ln 3", Approach.LOCAL, _MANY, _COINS_ERR, formula=True),
                PanelCurve(
                    "Laplace, ε = 1", Approach.GLOBAL, _MANY, tuple(100 / n / _PART for n in _MANY), formula=True
                ),
            ),
        )
    ),
    differs=(
        lambda outcome: (
            f"The mean error of two coins is {estimate(outcome.published.numbers[_PERCENT].mean, 3)} %; the printed "
            "1.96 % is one run."
        ),
        "The ε of randomised response is ln 3 = 1.0986 between any two answers; that of Laplace noise is between "
        "tables with one person more or less.",
    ),
    name="chapter-randomised-response",
)


# Unary encoding of occupations

_EPSILON = "ε of (¾, ¼)"


def _unary_draws(given: FigureInput) -> Floats:
    """Estimates of many runs, shape (repetitions, occupations)."""
    true = np.array([one for one, _ in _OCCUPATIONS.values()])
    generator = _generator(given, "unary occupations")
    ones = generator.binomial(true, 0.75, (given.repetitions, len(true)))
    ones = ones + generator.binomial(_PEOPLE - true, 0.25, (given.repetitions, len(true)))
    return np.asarray((ones - _PEOPLE * 0.25) / 0.5, dtype=np.float64)


def _unary(given: FigureInput, tell: Tell) -> FigureSide:
    found = _unary_draws(given)
    mean, spread = found.mean(axis=0), found.std(axis=0, ddof=1)
    places = tuple(map(float, range(len(_OCCUPATIONS))))
    true = tuple(float(one) for one, _ in _OCCUPATIONS.values())
    published = tuple(one for _, one in _OCCUPATIONS.values())
    curves = (
        PanelCurve("True", Approach.BASELINE, places, true),
        PanelCurve("Published run", Approach.ANONYMISED, places, published),
        PanelCurve("Mean here", Approach.LOCAL, places, tuple(mean.tolist()), tuple(spread.tolist()), len(found)),
    )
    panel = PublishedPanel("As published", "Occupation", "People", curves, labels=tuple(_OCCUPATIONS))
    epsilon = ProtocolChoice.parse("ue=0.75:0.25").frequency(len(places), None).epsilon
    return FigureSide((panel,), {_EPSILON: OurValue(float(epsilon))})


def _possible(given: FigureInput, tell: Tell) -> FigureSide:
    found = _unary_draws(given)
    adjust = postprocess("norm-sub")
    total = float(sum(one for one, _ in _OCCUPATIONS.values()))
    adjusted = np.asarray([adjust(one, total, Noise(1.0)) for one in found], dtype=np.float64)
    places = tuple(map(float, range(len(_OCCUPATIONS))))
    true = np.array([one for one, _ in _OCCUPATIONS.values()])

    def errors(answers: Floats) -> tuple[float, ...]:
        return tuple(np.abs(answers - true).mean(axis=0).tolist())

    curves = (
        PanelCurve("As estimated", Approach.BASELINE, places, errors(found)),
        PanelCurve("Norm-Sub", Approach.LOCAL, places, errors(adjusted)),
    )
    panel = PublishedPanel("Mended: mean error", "Occupation", "People", curves, labels=tuple(_OCCUPATIONS))
    return FigureSide((panel,))


def _armed_forces(outcome: FigureOutcome) -> str:
    plain, adjusted = outcome.mended.panels[0].curves
    rare = list(_OCCUPATIONS).index("Armed-Forces")
    return (
        f"Armed-Forces were estimated as −92.5 people. Made possible counts, its mean error falls from "
        f"{count(plain.means[rare])} to {count(adjusted.means[rare])}."
    )


CHAPTER_UNARY = replace(_CHAPTER, repetitions=200).figure(
    "Unary encoding",
    0,
    "Fourteen occupations",
    "Frequent occupations come out well, rare ones drown in noise that is about the same for all.",
    settings=(
        ("p, q", "0.75, 0.25", "the same"),
        ("people", "32,561", "the same counts"),
        ("runs", "1", "200"),
        ("estimates below 0", "kept", "Norm-Sub"),
    ),
    values=(
        PublishedValue(_EPSILON, 2.1972245773, 1e-9),
        *(
            PublishedValue(name, estimated, 0.0, 1, curve="Mean here", place=float(place))
            for place, (name, (_, estimated)) in enumerate(_OCCUPATIONS.items())
        ),
    ),
    published=_unary,
    mended=_possible,
    differs=(
        _armed_forces,
        f"The deviation of an estimate is √(¾·{count(_PEOPLE)}) = {count(math.sqrt(0.75 * _PEOPLE))} people for each "
        "occupation, whether 9 have it or 4,140.",
        "People without an occupation answer with no bit set, which the encoding of the chapter does not speak of; "
        "their number is taken to be public here.",
    ),
    name="chapter-unary-encoding",
)


# The paper's mechanisms

_SURVEY: TableRows = (("+", "3/4", "1/4"), ("-", "1/4", "3/4"))
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
_CELLS = "Chances that are equal"
_EXACT = "e^ε between neighbours"


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


def _exactly(
    number: str, title: str, printed: TableRows, identifier: str, values: dict[str, Any], ratio: int
) -> PublishedFigure:
    def published(given: FigureInput, tell: Tell) -> FigureSide:
        panel, equal, factor = _table(title, printed, identifier, values)
        numbers = {_CELLS: OurValue(float(equal)), _EXACT: OurValue(factor)}
        return FigureSide((table("As published", (panel.rows[0], *printed)),), numbers)

    def mended(given: FigureInput, tell: Tell) -> FigureSide:
        return FigureSide((_table(f"Here, in fractions: {title}", printed, identifier, values)[0],))

    return _PAPER.figure(
        number,
        0,
        title,
        f"Chances of neighbouring inputs differ by at most the factor {ratio}.",
        settings=(("arithmetic", "fractions", "fractions"),),
        values=(
            PublishedValue(_CELLS, float(sum(len(row) - 1 for row in printed))),
            PublishedValue(_EXACT, float(ratio), 1e-9),
        ),
        published=published,
        mended=mended,
        differs=("Every printed chance is right: there is nothing to mend.",),
        name=f"paper-{identifier}-{ratio}" if identifier != "survey" else "paper-survey",
    )


PAPER_SURVEY = _exactly("Survey mechanism", "Two coins", _SURVEY, "survey", {"variant": "two-coin"}, 3)
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
)

# Algorithm 1

_QUERIES = tuple(range(1, 11))


def _losses(comparison: str, *, truncated: bool, stream: str) -> PanelCurve:
    """ε of the model for each number of queries."""
    found = []
    for queries in _QUERIES:
        values = {"queries": queries, "comparison": comparison, "truncated": truncated, "stream": stream}
        made = MECHANISMS["above-threshold"].build(values)
        found.append(audit(made.channel, made.neighbours).epsilon)
    words = "> threshold (algorithm)" if comparison == "strict" else "≥ threshold (text)"
    name = words if truncated else f"Not truncated, {words[0]}"
    return PanelCurve(name, Approach.GLOBAL, tuple(map(float, _QUERIES)), tuple(found), formula=True)


def _above(given: FigureInput, tell: Tell) -> FigureSide:
    curves: tuple[PanelCurve, ...] = ()
    for comparison in ("strict", "non-strict"):
        given.progress(len(curves) / 2)
        curves = (*curves, _losses(comparison, truncated=True, stream="database"))
        tell((PublishedPanel("As published: truncated", "Queries", "ε", curves),))
    panel = PublishedPanel("As published: truncated", "Queries", "ε", curves)
    threshold = _table("", _QUARTER, "truncated-geometric", {"alpha": Fraction(1, 4), "n": 5})[1]
    answers = _table("", _HALF, "truncated-geometric", {"alpha": Fraction(1, 2), "n": 5})[1]
    return FigureSide((panel,), {_CELLS: OurValue(float(threshold + answers))})


def _repaired(given: FigureInput, tell: Tell) -> FigureSide:
    curve = _losses("strict", truncated=False, stream="database")
    return FigureSide((PublishedPanel("Mended: values that are not truncated", "Queries", "ε", (curve,)),))


def _ends(outcome: FigureOutcome) -> tuple[str, str, str]:
    """ε of one query, of the most, and of the most by the text."""
    strict, other = outcome.published.panels[0].curves
    return estimate(strict.means[0], 4), estimate(strict.means[-1], 4), estimate(other.means[-1], 4)


def _growing(outcome: FigureOutcome) -> str:
    one, most, _ = _ends(outcome)
    return (
        f"ε grows with the number of queries: {one} for one, {most} for {_QUERIES[-1]}. No finite ε holds for a stream "
        "without an end."
    )


def _either(outcome: FigureOutcome) -> str:
    _, most, by_text = _ends(outcome)
    return (
        f"The text stops at an answer of at least the threshold, the algorithm above it: ε of {_QUERIES[-1]} queries "
        f"is {by_text} or {most}."
    )


PAPER_ABOVE = _PAPER.figure(
    "Algorithm 1",
    0,
    "Above-threshold",
    "Both tables of the algorithm are right, and yet no ε holds for every number of queries: truncation makes some "
    "comparisons certain.",
    settings=(
        ("threshold", "¼-geometric, truncated to 0 … 5", "not truncated"),
        ("answers", "½-geometric, truncated to 0 … 5", "not truncated"),
        ("stops", "above (algorithm) or at (text) the threshold", "both"),
    ),
    values=(PublishedValue(_CELLS, 72.0),),
    published=_above,
    mended=_repaired,
    differs=(
        _growing,
        _either,
        lambda outcome: (
            "Compared before they are truncated, ε is at most "
            f"{estimate(max(outcome.mended.panels[0].curves[0].means), 4)} for any number of queries with the same "
            "answer."
        ),
    ),
    seconds=1.0,
    name="paper-algorithm-1",
)
