"""Figures 2.2, 4.1, 4.7 and 4.8 of the thesis: who is trusted, randomised response, and shapes of two channels."""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from workbench.core.number_text import estimate, with_places
from workbench.evaluate.experiment import Axis
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.chapter3 import PRINCIPLES
from workbench.evaluate.published.chapter4 import LOCAL
from workbench.evaluate.published.curve_notes import OF_ONE_COUNT
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Make, Tell
from workbench.evaluate.published.frame import ALL_AXES, FigureSweep, shown
from workbench.evaluate.published.local_runs import LN20, deviation
from workbench.evaluate.published.originals import distance_sensitive, fair_coins
from workbench.evaluate.published.panel import (
    DATA,
    MENDED,
    RUN_HERE,
    PanelCurve,
    PanelWords,
    PublishedPanel,
    SchemeArrow,
    SchemeBox,
)
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.evaluate.samples import Needs, SampleColumn, TableRows
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.simulated_reports import seed_of

TITLES = SampleColumn("baltimore_salaries.csv", "job title")


# Figure 2.2

_PEOPLE = (10.0, 100.0, 1_000.0, 10_000.0, 100_000.0)
_OWNERS = tuple(SchemeBox(f"Owner {name}", 0.60 + 0.15 * place, 0.84) for place, name in enumerate("12n"))
_HEADINGS = (
    SchemeBox("Global differential privacy", 0.22, 0.985, heading=True),
    SchemeBox("Local differential privacy", 0.75, 0.985, heading=True),
)
_AS_DRAWN = PublishedPanel(
    "As printed: who is trusted",
    boxes=(
        SchemeBox("Original data", 0.22, 0.84),
        SchemeBox("Trusted curator", 0.22, 0.65, Approach.GLOBAL),
        SchemeBox("GDP algorithm", 0.22, 0.46, Approach.GLOBAL),
        SchemeBox("Analysis results", 0.41, 0.25, Approach.GLOBAL),
        *_OWNERS,
        SchemeBox("LDP algorithm", 0.75, 0.65, Approach.LOCAL),
        SchemeBox("Untrusted curator", 0.75, 0.46, Approach.ANONYMISED),
        SchemeBox("Perturbed data", 0.75, 0.25, Approach.LOCAL),
        SchemeBox("Untrusted third-party users", 0.5, 0.05, Approach.ANONYMISED),
        *_HEADINGS,
    ),
    arrows=(
        SchemeArrow(0, 1),
        SchemeArrow(1, 2),
        SchemeArrow(2, 3),
        SchemeArrow(3, 10),
        SchemeArrow(10, 2, "analysis request", (0.42, 0.13), 0.13),
        SchemeArrow(4, 7),
        SchemeArrow(5, 7),
        SchemeArrow(6, 7),
        SchemeArrow(7, 8),
        SchemeArrow(8, 9),
        SchemeArrow(9, 10),
    ),
)
_WHERE_TRUST_ENDS = PublishedPanel(
    f"{MENDED}: where trust ends",
    boxes=(
        *(replace(one, across=round(0.07 + 0.15 * place, 2)) for place, one in enumerate(_OWNERS)),
        SchemeBox(
            "Trusted curator:\nsees true rows, adds noise once\nper question, keeps the ledger",
            0.22,
            0.51,
            Approach.GLOBAL,
        ),
        *_OWNERS,
        *(SchemeBox("noise", one.across, 0.61, Approach.LOCAL) for one in _OWNERS),
        SchemeBox("Curator whom\nnobody need trust", 0.75, 0.37, Approach.ANONYMISED),
        SchemeBox("Everybody else", 0.5, 0.06, Approach.ANONYMISED),
        *_HEADINGS,
    ),
    arrows=(
        *(SchemeArrow(one, 3) for one in range(3)),
        *(SchemeArrow(4 + one, 7 + one) for one in range(3)),
        *(SchemeArrow(7 + one, 10) for one in range(3)),
        SchemeArrow(3, 11, "answers: ε adds up"),
        SchemeArrow(10, 11, "perturbed answers"),
    ),
)
_ODDS = math.e
_CENTRAL = tuple(math.sqrt(2 * _ODDS) / (_ODDS - 1) / people for people in _PEOPLE)
_LOCAL = tuple(math.sqrt(_ODDS) / (_ODDS - 1) / math.sqrt(people) for people in _PEOPLE)
"""The standard deviation of a share of yeses among n people at ε = 1, both ways."""
_COST = "What not trusting costs"
FIGURE_2_2 = PRINCIPLES.figure(
    "Figure 2.2",
    18,
    "Local and global DP",
    "In the global model a trusted curator adds noise to answers; in the local model nobody is trusted, and everybody "
    "adds noise to their own answer.",
    settings=(
        ("shown", "who is trusted", "who is trusted, and what it costs to trust nobody"),
        ("mechanism", "none named", "geometric noise; randomised response"),
    ),
    published=shown(_AS_DRAWN),
    mended=shown(
        _WHERE_TRUST_ENDS,
        PublishedPanel(
            _COST,
            "People",
            "Standard deviation of a share, ε = 1",
            (
                PanelCurve("Global: geometric noise once", Approach.GLOBAL, _PEOPLE, _CENTRAL, formula=True),
                PanelCurve("Local: randomised response", Approach.LOCAL, _PEOPLE, _LOCAL, formula=True),
            ),
        ),
    ),
    differs=(
        "The picture has one LDP algorithm for all owners; in fact each of them runs it alone, and true values never "
        "leave them.",
        "The picture does not show what it costs to trust nobody: at ε = 1, a share estimated from 10,000 "
        f"people has a standard deviation {estimate(_LOCAL[3] / _CENTRAL[3], 3)} times as large with randomised "
        "response as with a trusted curator's geometric noise (chart “What not trusting costs”).",
        "In the picture users of the global model send requests and get results. Each request adds to the total ε, "
        "which the picture leaves out.",
    ),
    words={
        f"{MENDED}: where trust ends": PanelWords(without=frozenset(("shown", "mechanism"))),
        _COST: PanelWords(
            "In the local model a share is estimated from answers that people perturb themselves; in the global model "
            "a trusted curator adds noise once.",
            frozenset(("shown",)),
        ),
    },
)


# Figure 4.1

_COINS = "Never de-biased, × 10"
_USERS = tuple(float(users) for users in range(100, 10_000, 100))


def _coins(given: FigureInput, tell: Tell) -> FigureSide:
    means: list[float] = []
    spreads: list[float] = []
    panel = PublishedPanel(f"{RUN_HERE}: fair coins")
    for number, users in enumerate(_USERS):
        given.progress(number / len(_USERS))
        generator = np.random.Generator(np.random.PCG64(seed_of(given.seed, "coins", users)))
        errors = fair_coins.raw_errors(int(users), given.repetitions, generator)
        means.append(float(errors.mean()))
        spreads.append(deviation(errors))
        curve = PanelCurve(
            _COINS, Approach.LOCAL, _USERS[: number + 1], tuple(means), tuple(spreads), given.repetitions
        )
        panel = PublishedPanel(f"{RUN_HERE}: fair coins", "People", "Error × 10, as a share of the people", (curve,))
        if number % 10 == 0:
            tell((panel,))
    return FigureSide((panel,))


def _asked(given: FigureInput) -> str:
    """The value that is asked for, or the most frequent one."""
    if answer := str(given.values.get("answer", "")).strip():
        return answer
    column, missing = given.material.table[given.column], given.material.schema[given.column].missing
    there = [0 if value in missing else int(many) for value, many in zip(column.values, column.counts, strict=True)]
    return column.values[there.index(max(there))]


def _debiased(given: FigureInput, tell: Tell) -> FigureSide:
    sweep = FigureSweep(
        f"{MENDED}: how many have “{_asked(given)}”",
        lambda given: Question(Statistic.COUNT, given.column, EncodingChoice(answer=_asked(given))),
        (
            MethodChoice(
                "local",
                MappingProxyType({"protocol": "rr=design:coins", "postprocess": "none"}),
                label="De-biased",
            ),
            MethodChoice("coins-published", label="Never de-biased"),
            MethodChoice("global-grid", label="Global DP"),
        ),
        (100.0, 200.0, 500.0, 1_000.0, 2_000.0, 5_000.0, 9_900.0),
        Metric(Distance.ABSOLUTE, normalised=True),
        Axis.USERS,
        math.log(3),
    )
    return sweep(given, tell)


_DEBIASED = "After de-biasing, 100 times as many people give a tenth of the error."
_BIASED = "Without de-biasing, the error falls to 0 only if exactly half of the people would say yes."
FIGURE_4_1 = replace(LOCAL, needs=Needs.VALUES, sample=TITLES, repetitions=100).figure(
    "Figure 4.1",
    42,
    "Randomised response, by number of people",
    f"{_DEBIASED} {_BIASED}",
    settings=(
        ("people", "100 to 9,900, fair coins", "100 to 9,900 of the sample"),
        (
            "protocol",
            "randomised response by two coins",
            "randomised response by two coins; beside it a curator's discrete Laplace",
        ),
        ("estimator", "none: yeses as reported", "2·yeses − n/2"),
        ("error", "10 × share of the people (author's code)", "share of the people"),
        ("ε", "ln 3", "ln 3"),
        ("repetitions", "100", "100"),
        ALL_AXES,
    ),
    values=(
        PublishedValue("Error at 100 people", 0.412, 0.005, 100, curve=_COINS, place=100.0),
        PublishedValue("Error at 3,000 people", 0.07, 0.005, 100, curve=_COINS, place=3_000.0, written="0.070"),
        PublishedValue("Error at 9,900 people", 0.04, 0.005, 100, curve=_COINS, place=9_900.0, written="0.040"),
    ),
    published=_coins,
    mended=_debiased,
    differs=(
        fair_coins.FLAW.audit,
        "The printed caption says that ε increases (p. 42); the number of people does.",
        "The text calls the curve logarithmic, and stable above 3,000 people (p. 42); it falls like 1/√n throughout.",
    ),
    seconds=0.8,
    words={RUN_HERE: PanelWords(_BIASED, frozenset((DATA,))), MENDED: PanelWords(notes=OF_ONE_COUNT)},
)


# Figures 4.7 and 4.8

_VALUES, _TRUE = 89, 44
_SKETCH = "The picture (p. 52) is a sketch: it prints no number, and its true value stands left of the middle."
_WEIGHT, _FAR = "Chance of the true value", "Chance of a far value"
"""By what they are kept and called in files."""
_WORDS = {_WEIGHT: "Probability of the true value", _FAR: "Probability of a far value"}


def _computed(what: str, chance: float, place: int, page: str) -> PublishedValue:
    """A probability of a reported value, by the formula of the text with d of the author's code: not printed."""
    return PublishedValue(
        _WORDS[what],
        round(chance, 4),
        5e-5,
        place=float(place),
        source=page,
        basis="rounded to 4 places",
        drawn=True,
        follows="by formula, d and ε of the author's code",
        key=what,
    )


def _row(curve: str, chances: tuple[float, ...], title: str) -> Make:
    places = tuple(map(float, range(len(chances))))
    panel = PublishedPanel(
        title, "Reported value", "Probability", (PanelCurve(curve, Approach.LOCAL, places, chances),)
    )
    return shown(panel, numbers={_WEIGHT: OurValue(max(chances)), _FAR: OurValue(min(chances))})


def _channel_row(protocol: str, curve: str, title: str) -> Make:
    def make(given: FigureInput, tell: Tell) -> FigureSide:
        channel = ProtocolChoice.parse(protocol).frequency(_VALUES, LN20).channel()
        assert channel is not None
        return _row(curve, tuple(channel[_TRUE].tolist()), title)(given, tell)

    return make


def _original_row(given: FigureInput, tell: Tell) -> FigureSide:
    chances = distance_sensitive.channel(_VALUES, distance_sensitive.reach_of(LN20))[_TRUE]
    return _row("Distance-sensitive, as in the author's code", tuple(chances.tolist()), RUN_HERE)(given, tell)


_CHANNEL_SETTINGS: TableRows = (("values", "89 (author's code)", "89"), ("ε", "ln 20 (author's code)", "ln 20"))
FIGURE_4_7 = LOCAL.figure(
    "Figure 4.7",
    52,
    "What direct encoding reports",
    "All false values are equally likely, near or far.",
    settings=_CHANNEL_SETTINGS,
    values=(
        _computed(_WEIGHT, 20 / 108, _TRUE, "p. 45"),
        _computed(_FAR, 1 / 108, _VALUES - 1, "p. 45"),
    ),
    published=_channel_row("grr", "Direct encoding", RUN_HERE),
    mended=_channel_row("grr", "Direct encoding", f"{MENDED}: nothing to mend, the same chart"),
    differs=(
        "There is nothing to mend, so both charts are the same: the true value has the probability eᵋ/(eᵋ + d − 1), "
        "and each other value 1/(eᵋ + d − 1) (p. 45).",
        f"{_SKETCH} What is compared is this formula with d and ε of the author's code.",
    ),
)


def _spent_line(outcome: FigureOutcome) -> str:
    return (
        f"{_SKETCH} Here it is in the middle of the domain, where both sides are the same. Near its ends they are not: "
        "there the author's code of the protocol spends "
        f"ε = {with_places(distance_sensitive.spent(_VALUES, LN20), 3)} instead of {with_places(LN20, 3)}."
    )


FIGURE_4_8 = LOCAL.figure(
    "Figure 4.8",
    52,
    "What distance-sensitive encoding reports",
    "Near values are likelier than those at the distance θ; all values from that distance on are equally likely.",
    settings=(*_CHANNEL_SETTINGS, ("θ", "4 (author's code)", "4")),
    values=(
        _computed(_WEIGHT, 20 / 132, _TRUE, "p. 54–55"),
        _computed(_FAR, 1 / 132, _VALUES - 1, "p. 54–55"),
    ),
    published=_original_row,
    mended=_channel_row("ds-corrected", "Distance-sensitive, corrected", f"{MENDED}: ε = ln 20 near the ends too"),
    differs=(
        _spent_line,
        "The text has a = θ(θ+1)/(3θ² − θ + d − 1) (p. 54–55); with θ = 4 and d = 89 that is 20/132. What "
        "is compared is that formula.",
    ),
)
