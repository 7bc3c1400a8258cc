"""Attacks that are often told, on small tables: two counts that differ by a person, and a patient of two hospitals."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from workbench.core.number_text import estimate
from workbench.evaluate.method import Approach
from workbench.evaluate.published.beyond import BEYOND
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Tell
from workbench.evaluate.published.frame import LineBelow, shown, table
from workbench.evaluate.published.panel import PanelCurve, PanelWords, PublishedPanel, PublishedText
from workbench.evaluate.question import Floats

_GUESSED = "How often the guess about Mr White is right"
_EPSILONS = tuple(round(0.1 * step, 1) for step in range(1, 51))
_REACH = 400
"""So far from the truth noise is followed; what lies beyond has less than 1e-8 of the chance at the smallest ε."""


def noise(epsilon: float) -> Floats:
    """Two-sided geometric noise of one count, from −400 to 400; shape (801,)."""
    alpha = math.exp(-epsilon)
    return np.asarray((1 - alpha) / (1 + alpha) * alpha ** np.abs(np.arange(-_REACH, _REACH + 1)), dtype=np.float64)


def _sure(chances: Floats) -> float:
    """How often the best guess between a number and one more is right, in per cent, when both are equally likely."""
    return 50 * (1 + float(np.abs(np.diff(chances, prepend=0.0, append=0.0)).sum()) / 2)


def by_difference(epsilon: float) -> float:
    """Both counts have half of ε, and only their difference is looked at: whoever knows nobody else can do no more."""
    once = noise(epsilon / 2)
    return _sure(np.convolve(once, once))


def knowing_the_rest(epsilon: float) -> float:
    """Whoever knows everybody else needs the first count alone, and the second tells nothing of Mr White."""
    return _sure(noise(epsilon / 2))


def promised(epsilon: float) -> float:
    """Greatest certainty that ε allows, in per cent, whatever is asked: 100·e^ε/(1 + e^ε)."""
    return 100 / (1 + math.exp(-epsilon))


_CURVES = (
    ("ε promises at most", Approach.BASELINE, promised),
    ("Knows everybody else", Approach.ANONYMISED, knowing_the_rest),
    ("Knows nobody else", Approach.LOCAL, by_difference),
)


def _guesses(_given: FigureInput, _tell: Tell) -> FigureSide:
    curves = (
        PanelCurve(name, approach, _EPSILONS, tuple(map(chance, _EPSILONS)), formula=True)
        for name, approach, chance in _CURVES
    )
    panel = PublishedPanel(_GUESSED, "ε of both counts", "%", tuple(curves))
    return FigureSide((panel,))


_TWO_COUNTS, _TWO_HOSPITALS = "Two exact counts, and Mr White", "Two hospitals, one patient"
_DIFFERENCE = table(
    _TWO_COUNTS,
    (
        ("question", "exact", "one draw of noise, ε = ½ each"),
        ("How many have the disease?", "4", "5"),
        ("How many have it, not counting Mr White?", "3", "3"),
        ("So Mr White", "has it", "may have it"),
    ),
)
_HOSPITALS = table(
    _TWO_HOSPITALS,
    (
        ("published by", "of the patient", "so he has"),
        ("first hospital: in groups of 3", "3 men of 40 to 49, 157**", "flu, flu or a rare disease"),
        ("second hospital: as it is", "1 man of 41, 15772", "a rare disease"),
        ("both together", "the first one's groups are no help", "a rare disease"),
        (
            "instead: noisy counts from both",
            "ε = ½ each, 1 together",
            f"at most {estimate(promised(1.0), 3)} % sure, if 50 % before",
        ),
    ),
)


def _at_one(outcome: FigureOutcome) -> str:
    curves = outcome.mended.panels[0].curves
    bound, rest, nobody = (found.mean for curve in curves if (found := curve.at(1.0)) is not None)
    return (
        f"At ε = 1 for both counts together, a guess about Mr White that would be right in 50 of 100 cases is right in "
        f"{estimate(nobody, 3)} for somebody who knows nobody else in the table, in {estimate(rest, 3)} for somebody "
        f"who knows everybody else, and in at most {estimate(bound, 3)} whatever was asked. The second is less than "
        "the last because only one of the two counts depends on Mr White, and that one has half of ε."
    )


_DISEASE, _PATIENT, _COMPUTED = "disease", "patient", "computed"
BEYOND_STORIES = replace(BEYOND.of(None), document=PublishedText.TOLD).figure(
    "Attacks",
    13,
    "Two counts, two hospitals",
    "Exact counts, or one open release beside groups of k, give a person away. What ε promises holds whatever else is "
    "published; where several answers are given, their ε add up.",
    settings=(
        (_DISEASE, "–", "4 of 10 rows, made up"),
        (_PATIENT, "–", "a man of 41, postcode 15772, made up"),
        ("ε", "–", "½ for each count; in the chart 0.1 to 5 for both together"),
        (_COMPUTED, "–", "exactly, from the law of the noise"),
    ),
    published=shown(_DIFFERENCE, _HOSPITALS),
    mended=_guesses,
    differs=(
        LineBelow(_at_one, (_GUESSED,)),
        LineBelow(
            "In the thesis a patient goes to two hospitals, one of which publishes its data without protection "
            "(p. 13); what the other did to protect its own is then useless.",
            (_TWO_HOSPITALS,),
        ),
        LineBelow("Mr White is not in the thesis.", (_TWO_COUNTS, _GUESSED)),
        "Two releases about the same person, each with an ε of its own, together promise only the sum of both.",
    ),
    words={
        _TWO_COUNTS: PanelWords(
            "Two exact counts that differ by one person give him away; with noise they leave it open.",
            frozenset((_PATIENT, "ε", _COMPUTED)),
        ),
        _TWO_HOSPITALS: PanelWords(
            "One open release gives a person away; groups of k elsewhere are then no help.",
            frozenset((_DISEASE, "ε", _COMPUTED)),
        ),
        _GUESSED: PanelWords(
            "What ε promises holds whatever else is known.", frozenset((_DISEASE, _PATIENT)), drawn=""
        ),
    },
    name="beyond-told-attacks",
)
