"""Where the numbers of a sentence about a published figure come from: the run, the print, or a formula of the test's.

A sentence that quotes says where: a page, the picture, the author's code, or what a text says. Its numbers are those of
the quotation. Every other number has to be found in the run or in the settings, or to follow from a formula here.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence

from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.panel import PanelCurve
from workbench.evaluate.published.winners import standard_error

_REFERENCE = re.compile(
    r"\(p\.[^)]*\)|\bp\.\d+(–\d+| and \d+|, \d+)*|[Pp]age \d+|"
    r"([Ff]igures?|[Tt]ables?|chart|Algorithm) [\d., ]*\d( (to|and) [\d.]+)*"
)
_NUMBER = re.compile(r"(?<![\w.^])[−-]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w]*\*\*)")
_QUOTED = re.compile(
    r"p\.\d|[Pp]age \d|author's code|[Tt]he (text|table|picture|chapter|paper|thesis)\b|printed|start page"
)
_COMPUTED = re.compile(r"formula|probability of|expected|\bhere\b|mended|Mended|errs? by")
"""What no quotation proves: it is said of a computation or of the run."""
_SMALL = 4
"""Numbers up to this count things that one sees: two answers, three rows, θ = 3."""

_SHARE = (math.e / (1 + math.e) * 1 / (1 + math.e)) ** 0.5 / ((math.e - 1) / (math.e + 1)) / 100
_GEOMETRIC = math.sqrt(2 * math.exp(-1)) / (1 - math.exp(-1)) / 10_000


def _half_normal(below: float) -> float:
    """How many per cent of errors |N(0, 1)| are below so many times their mean."""
    return 100 * math.erf(below * math.sqrt(2 / math.pi) / math.sqrt(2))


def _cut(rows: float) -> float:
    """The mean error of the mean charge among 8 rows of Laplace noise, by adding up its density."""
    scale, step, mean = rows, rows / 20_000, 13_167.38
    cuts = (step * (one + 0.5) for one in range(400_000))
    return sum(
        step / (2 * scale) * math.exp(-size / scale) * (min(size, mean) + min(size, 1e6 - mean)) for size in cuts
    )


def _too_high(read: float, epsilon: float) -> float:
    """How many standard errors of 100 runs a printed error of 8 rows is above the expected one, by adding up."""
    scale, mean = 1e6 / 8 / epsilon, 13_167.38
    step = scale / 20_000
    sizes = [step * (one + 0.5) for one in range(400_000)]
    chances = [step / (2 * scale) * math.exp(-size / scale) for size in sizes]
    errors = [(min(size, mean), min(size, 1e6 - mean)) for size in sizes]
    first = sum(chance * (a + b) for chance, (a, b) in zip(chances, errors, strict=True))
    second = sum(chance * (a * a + b * b) for chance, (a, b) in zip(chances, errors, strict=True))
    return (read - first) / math.sqrt(second - first**2) * 10


_ABOVE = sum(map(_too_high, (76_500, 123_500, 236_500, 297_000), (1, 1 / 2, 1 / 3, 1 / 4))) / 2
"""The four printed errors of figure 3.1 together."""


def _off_by(rows: int) -> float:
    """The mean error at ε = 1 of a count of so many rows that noise takes nowhere below 0."""
    least, alpha = -rows, math.exp(-1)
    return sum((1 - alpha) / (1 + alpha) * alpha ** abs(noise) * abs(max(noise, least)) for noise in range(-60, 61))


_PAIRED = ((79_568, 502_491), (522_738, 898_310), (1_000_000, 1_228_026))


def _about_their_mean(amounts: Iterable[int]) -> float:
    every = list(amounts)
    return sum((one - sum(every) / len(every)) ** 2 for one in every)


def _spent(values: int, theta: int) -> float:
    """ln of the largest ratio of two chances of one report, of the published program as it draws."""
    a = theta * (theta + 1) / (3 * theta**2 - theta + values - 1)

    def chance(gap: int) -> float:
        return a / (min(gap, theta) * (min(gap, theta) + 1)) if gap else a

    middle = [chance(abs(values // 2 - one)) for one in range(values)]
    rows = []
    for true in range(theta):  # one side is outside
        lacking = sum(chance(true + one) - chance(theta) for one in range(1, theta + 1) if true + one <= theta)
        row = [chance(abs(true - one)) + (lacking / (values - 1) / 100 if one != true else 0) for one in range(values)]
        rows.append([one / sum(row) for one in row])
    least = min(*middle, *(min(row) for row in rows))
    return math.log(max(row[true] for true, row in enumerate(rows)) / least)


_OF_TWO = 1 / (1 + 2 * (1 / 2 + 1 / 6 - 2 / 20) + 1 / 20)
"""The chance of the true value of two where no distance is longer than 2 and θ is 4."""


def _spent_by_text(values: int, theta: int) -> float:
    """ln of the largest ratio of two chances of one report, by p. 57, with distances up to the number of values."""
    weights = [1.0] + [1 / (min(gap, theta) * (min(gap, theta) + 1)) for gap in range(1, values + 1)]
    a = 1 / (1 + 2 * sum(one - weights[-1] for one in weights[1:]) + (values - 1) * weights[-1])
    rows = []
    for true in range(values):
        row = [a * weights[abs(true - one)] for one in range(values)]
        rows.append([one + (1 - sum(row)) / (values - 1) * (place != true) for place, one in enumerate(row)])
    return math.log(max(max(column) / min(column) for column in zip(*rows, strict=True)))


_REPORTS = {"200,000": 2e5, "1,000": 1e3, "20,000": 2e4, "20": 20, "9,810": 9_810, "3,960": 3_960}
_RATIOS = {"68,700": 1.0, "129,000": 1 / 2, "180,000": 1 / 3, "222,000": 1 / 4}
FORMULAS: dict[str, dict[str, float]] = {
    "figure-2.1": {"50": 50, "99.3": 100 / (1 + math.exp(-5))},
    "figure-2.2": {"10,000": 1e4, "70.7": _SHARE / _GEOMETRIC},
    "table-3.1": {"33": 434_396 / 13_167.38, "5": 5},
    "figure-3.1": {
        "13,000": 13_000,
        "8": 8,
        "125,000": 1e6 / 8,
        "1,000,000": 1e6,
        "2,048": 2_048,
        "100": 100,
        "11": 100 * (76_500 / 68_728 - 1),
        "31": 100 * (236_500 / 180_030 - 1),
        "34": 100 * (297_000 / 221_560 - 1),
        "2.5": _ABOVE,
        "80": round(1 / math.erfc(_ABOVE / math.sqrt(2)), -1),
        "482": 481.8,
        "488": 1e6 / 2_048,
        **{text: _cut(1e6 / 8 / epsilon) for text, epsilon in _RATIOS.items()},
    },
    "figure-3.2": {"37": 100 * math.exp(-1), "63": 100 - 100 * math.exp(-1), "4.87": (1e6 - 13_167.38) / 202_656},
    "table-3.2": {"4.93": 1e6 / 202_655, "2.13": (434_396 - 2_320.48) / 202_655},
    "figure-3.3": {},
    "table-3.3": {"137": 13_811 - 13_674},
    "figure-3.5": {
        "14.3": 14 * _off_by(60) + _off_by(2) + _off_by(1) + 2 * _off_by(0),
        "14.9": 14 * _off_by(60) + _off_by(3) + _off_by(2) + 2 * _off_by(1),
    },
    "figure-3.6": {"17": 17},
    "table-3.4": {"20": 20, "24": 24},
    "table-3.5": {
        "1,327,465": 2 * 1_220_739 - 1_114_013,
        # Of two amounts a mean leaves half of their difference out.
        "22": 100 * sum((a - b) ** 2 / 2 for a, b in _PAIRED) / _about_their_mean(itertools.chain(*_PAIRED)),
    },
    "figure-3.4": {
        "14.81": 14.81,
        "91.63": 91.63,
        "9,900": 22_500 - 136_000 / 12_415 * 1_150,
        "12,000": 136_000 / 12_415 * 3_793 - 29_100,
    },
    "figure-3.9": {"55": 55.4, "66": 66.4, "32": 2**5, "64": 2**6, "128": 2**7, "256": 2**8},
    "table-3.6": {"0.31": 100 * (2_868_981.32 / 2_860_215.6 - 1)},
    "figure-4.1": {"100": 100},
    "figure-4.3": {"1.02": 2 * math.log(0.625 / 0.375), "3.8918": 2 * math.log(7), "2.2": 2 * math.log(3)} | _REPORTS,
    "figure-4.4": _REPORTS,
    "figure-4.5": _REPORTS | {"10": 9_810 / 1_000, "15": 1.5 * 9.81},
    "figure-4.6": _REPORTS | {"49": 49, "11": 11, "10": 9_810 / 1_000, "15": 1.5 * 9.81},
    "figure-4.8": {"132": 3 * 4**2 - 4 + 89 - 1},
    "figure-4.9": {"1.79": math.log(6), "12": 12, "2.4849": math.log(12), "2.5698": _spent(50, 3)},
    "figure-4.10": _REPORTS | {"2.9957": math.log(20), "3.1324": _spent(50, 4)},
    "figure-4.11": _REPORTS | {"2.9957": math.log(20), "3.1324": _spent(50, 4)},
    "chapter-randomised-response": {
        "31": _half_normal(0.5),
        "11": 100 - _half_normal(2.0),
        "3.4": 100 * math.sqrt(2 / math.pi * 0.75 * 32_561) / 3_650,
        "3.42": 100 * math.sqrt(2 / math.pi * 0.75 * 32_561) / 3_650,
        "0.027": 100 / 3_650,
        "76": _half_normal(0.05 * 3_650 / math.sqrt(0.75 * 32_561) / math.sqrt(2 / math.pi)),
        "1.0986": math.log(3),
        "8,140": 32_561 / 4,
    },
    "chapter-unary-encoding": {
        "32,561": 32_561,
        "156": math.sqrt(0.75 * 32_561),
        "9": 9,
        "8,140": 32_561 / 4,
        "125": math.sqrt(2 / math.pi * 0.75 * 32_561),
    },
    "paper-survey": {"1.099": math.log(3)},
    "paper-truncated-geometric-2": {"0.6931": math.log(2)},
    "paper-truncated-geometric-4": {"1.386": math.log(4)},
    "paper-algorithm-1": {"10": 10, "1.386": math.log(4), "2.773": math.log(16)},
    "beyond-values": {
        "0.444": 4 * 5 / (3 * 4**2 - 4 + 2 - 1),
        "0.458": _OF_TWO,
        "3.00": math.log(20),
        "0.17": math.log((1 - _OF_TWO) / _OF_TWO),
        "0.545": 2 * 3 / (3 * 2**2 - 2 + 2 - 1),
        "5": 5,
        "2.11": _spent_by_text(5, 4),
        "17.5": 17.5,
        "67.5": 67.5,
        "250": 300 - 50,
    },
    "beyond-reach": {
        "0.34": 49 * 50 / (3 * 49**2 - 49 + 49),
        "7.80": math.log(49 * 50),
        "6.52": _spent_by_text(50, 49),
        "50": 50,
        "1,000": 1_000,
        "9": 9,
        "49": 49,
    },
    "beyond-theta": {"20": 20, "6": 6, "12": 12, "51": 50 + 1},
    "beyond-shape": {"50": 50},
    "beyond-libraries": {},
    "beyond-told-attacks": {"50": 50},
}
"""By figure: what a number follows from, computed here apart from the program."""


def _known(outcome: FigureOutcome) -> Iterator[float]:
    """Every number of the run."""
    for side in (outcome.published, outcome.mended):
        for value in side.numbers.values():
            yield from (value.mean, standard_error(value), value.repetitions)
        for panel in side.panels:
            for curve in panel.curves:
                yield from curve.places
                yield from curve.means
                yield from (one / math.sqrt(curve.repetitions) for one in curve.deviations)
        yield from _ratios([curve for panel in side.panels for curve in panel.curves])
    for one in outcome.agreements:
        yield one.value.value


def _ratios(curves: Sequence[PanelCurve]) -> Iterator[float]:
    """Geometric means of the ratios of two curves with the same places, their standard errors, the largest ratio."""
    for one, other in itertools.permutations({curve.name: curve for curve in curves}.values(), 2):
        if len(one.places) < 2 or one.places != other.places or min((*one.means, *other.means)) <= 0:
            continue
        mean = math.exp(sum(math.log(a / b) for a, b in zip(one.means, other.means, strict=True)) / len(one.means))
        parts = [
            spread / math.sqrt(curve.repetitions) / size
            for curve in (one, other)
            for size, spread in zip(curve.means, curve.deviations or (0.0,) * len(curve.means), strict=True)
        ]
        yield from (mean, mean * math.hypot(*parts) / len(one.means))
        yield max(a / b for a, b in zip(one.means, other.means, strict=True))


def _written(outcome: FigureOutcome) -> set[str]:
    """Every number that stands in a cell, a title or beside a value."""
    texts = [cell for row in outcome.settings for cell in row]
    for side in (outcome.published, outcome.mended):
        for panel in side.panels:
            texts += [panel.title, *panel.labels, *(cell for row in panel.rows for cell in row)]
    for one in outcome.agreements:
        texts += [one.value.what, one.published_text, one.ours_text, one.basis]
    return {found for text in texts for found in _NUMBER.findall(text)}


def _rounds_to(text: str, known: float) -> bool:
    plain = text.replace(",", "").replace("−", "-")
    places = len(plain.partition(".")[2])
    shown = float(plain)
    # A large number has three digits or more, the rest of it zeros.
    zeros = len(plain) - len(plain.rstrip("0")) if not places and abs(shown) >= 1_000 else 0
    unit = 10.0 ** (zeros if not places else -places)
    return math.isfinite(known) and abs(shown - known) <= 0.5 * unit * (1 + 1e-6)


def sentences(text: str) -> list[str]:
    """The sentences of a line."""
    return re.split(r"(?<=[a-zθ0-9%)”’εδ])\. (?=[A-Z“±0-9])", re.sub(r"\bp\. (?=\d)", "p.", text))


def unproved(outcome: FigureOutcome, texts: tuple[str, ...]) -> list[str]:
    """Numbers of these texts that neither the run nor a quotation nor a formula proves, each with its sentence."""
    known, written = tuple(_known(outcome)), _written(outcome)
    formulas = FORMULAS.get(outcome.figure.identifier, {})
    found = []
    for sentence in (one for text in texts for one in sentences(text)):
        quoted = _QUOTED.search(sentence) is not None and _COMPUTED.search(sentence) is None
        for number in _NUMBER.findall(_REFERENCE.sub("", sentence)):
            value = abs(float(number.replace(",", "").replace("−", "-")))
            whole = value == int(value) and value <= _SMALL
            if number in formulas:
                if not _rounds_to(number, formulas[number]):
                    found.append(f"{number} is {formulas[number]}: {sentence}")
            elif not (whole or quoted or number in written or any(_rounds_to(number, one) for one in known)):
                found.append(f"{number}: {sentence}")
    return found
