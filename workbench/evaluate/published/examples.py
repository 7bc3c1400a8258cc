"""The chapter's examples on randomised response and unary encoding."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, counted, estimate, exact, spelled, with_places
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Tell
from workbench.evaluate.published.frame import ChapterFrame, table
from workbench.evaluate.published.local_runs import deviation
from workbench.evaluate.published.panel import (
    MENDED,
    PRINTED,
    RUN_HERE,
    PanelCurve,
    PanelWords,
    PublishedPanel,
    PublishedText,
)
from workbench.evaluate.question import Floats
from workbench.evaluate.samples import Needs
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.postprocessing import Noise, postprocess
from workbench.ldp.simulated_reports import seed_of

_CHAPTER = ChapterFrame(PublishedText.CHAPTER, "Chapter: the local model")
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
_BITS = (10_042, 10_204, 9_006, 10_238, 9_635, 9_844, 10_233, 8_863, 8_721, 9_122, 8_753, 8_523, 8_157, 8_042)
"""How often each bit was set in another run."""
_PEOPLE = 32_561
"""Rows of that table; those without an occupation answer no, and have no bit set."""
_SALES = _OCCUPATIONS["Sales"][0]


def _generator(given: FigureInput, *what: Any) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed_of(given.seed, *what)))


_MOST = 20
"""How many values of the user's own column have a bit, at most."""


def _answers(given: FigureInput) -> tuple[dict[str, int], int]:
    """How many have each value, and how many people there are: as printed, or of the user's own column."""
    if not given.own:
        return {name: true for name, (true, _) in _OCCUPATIONS.items()}, _PEOPLE
    column, missing = given.material.table[given.column], given.material.schema[given.column].missing
    found = {value: int(n) for value, n in zip(column.values, column.counts, strict=True) if value not in missing}
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0]))[:_MOST]), int(column.counts.sum())


def _if_cut(given: FigureInput) -> str:
    """The end of a title where one's own column has more values than have a bit."""
    if not given.own:
        return ""
    column, missing = given.material.table[given.column], given.material.schema[given.column].missing
    different = sum(value not in missing for value in column.values)
    return f", the {_MOST} most frequent of {count(different)} values" if different > _MOST else ""


def _asked(given: FigureInput) -> tuple[str, int, int]:
    """The value that is asked for, how many have it, and how many people there are."""
    answers, people = _answers(given)
    name = str(given.values.get("answer", "")).strip() or (next(iter(answers), "") if given.own else "Sales")
    if name not in answers:
        raise WorkbenchError(
            f"Nobody can be asked for “{name}”: it is none of the frequent values.",
            hint=f"Ask for one of {', '.join(list(answers)[:5])}, …",
            field="answer",
        )
    return name, answers[name], people


def _judged(true: int) -> dict[str, Any]:
    """A quarter of all say yes, or set a bit, whatever is true; only the rest tells anything: half of the count."""
    return {"scale": true / 2, "basis": f"judged against {exact(true / 2)}"}


def _noise_alone(what: str) -> str:
    """Why what is counted is judged by less than itself."""
    return (
        f"Of the {what}, {count(_PEOPLE / 4)} are expected by chance, whatever is true. Only the rest tells "
        "anything: on average half the true count; the number is judged against that half."
    )


# Randomised response about one occupation

_PERCENT, _CENTRAL = "Error of two coins, %", "Error of Laplace noise at ε = 1, %"
_OF_200, _YESES, _ESTIMATE = "Yeses of 200 in sales", "Yeses of 32,561", "Estimated in sales"
_WORDS = {
    _OF_200: "Yeses of 200 who work in sales",
    _YESES: "Yeses of all 32,561",
    _ESTIMATE: "Estimated number who work in sales",
}
"""Printed words for these names, which files keep."""


_BY_FORMULA = 100 * math.sqrt(2 / math.pi * 0.75 * _PEOPLE) / _SALES
"""The mean of |N(0, ¾n)| in per cent of those in sales."""
_HALF = 1 / (2 * math.sqrt(math.pi))
"""Half the mean of |N(0, σ)| in units of σ√2."""
_PRINTED_RUN = table(
    f"{PRINTED}, and expected",
    (
        ("number", "printed, a run each", "expected"),
        (_WORDS[_OF_200], "155", count(0.75 * 200)),
        (_WORDS[_YESES], "9,928", with_places(_SALES / 2 + _PEOPLE / 4, 2)),
        (_WORDS[_ESTIMATE], "3,721.5", count(_SALES)),
        (_PERCENT, "1.959", with_places(_BY_FORMULA, 3)),
        (_CENTRAL, "0.01142", with_places(100 / _SALES, 5)),
    ),
)
"""What the chapter prints, each number of one run but not all of the same, beside what is expected of a run."""


def _two_coins(given: FigureInput, tell: Tell) -> FigureSide:
    name, true, people = _asked(given)
    if not true:
        raise WorkbenchError(f"Nobody has “{name}”.", hint="Ask for another value.", field="answer")
    randomiser = ProtocolChoice.parse("rr=design:coins").frequency(2, math.log(3))
    generator = _generator(given, "coins about sales")
    found = []
    for _ in range(given.repetitions):
        support = randomiser.simulate(np.array([people - true, true]), generator)
        assert support is not None
        found.append(float(randomiser.estimate(support)[1]))
    estimated = np.array(found).round(6)  # a whole number or a half, but for the dust of a division
    local = 100 * np.abs(estimated - true) / true
    central = 100 * np.abs(generator.laplace(0.0, 1.0, given.repetitions)) / true
    yeses = estimated / 2 + people / 4
    of_200 = generator.binomial(200, 0.75, given.repetitions).astype(np.float64)
    numbers = {
        what: OurValue(float(many.mean()), deviation(many), given.repetitions)
        for what, many in (
            (_OF_200, of_200),
            (_YESES, yeses),
            (_ESTIMATE, estimated),
            (_PERCENT, local),
            (_CENTRAL, central),
        )
    }
    if not given.own and name == "Sales":
        return FigureSide((_PRINTED_RUN,), numbers)
    names = {_ESTIMATE: f"Estimated with “{name}”, of whom there {'is' if true == 1 else 'are'} {count(true)}"}
    asked = (_ESTIMATE, _PERCENT, _CENTRAL)
    means = ((names.get(what, what), spelled(estimate(numbers[what].mean, 5))) for what in asked)
    rows = (("number", "mean here"), *means)
    return FigureSide((table(RUN_HERE, rows),), numbers)


_BELOW_5 = 100 * math.erf(0.05 * _SALES / math.sqrt(2 * 0.75 * _PEOPLE))
"""How many per cent of the runs err by less than 5 %: the error is nearly normal, with the variance ¾n."""
_EXPECTED = "Expected error"
_MANY = (1_000.0, 3_000.0, 10_000.0, 32_561.0, 100_000.0, 1_000_000.0)


def _expected(given: FigureInput, tell: Tell) -> FigureSide:
    """The mean of |N(0, ¾n)| and of Laplace noise, in per cent of the count."""
    _, true, people = _asked(given)
    part = max(true, 1) / people
    curves = (
        PanelCurve(
            "Two coins, ε = ln 3",
            Approach.LOCAL,
            _MANY,
            tuple(100 * math.sqrt(2 / math.pi) * math.sqrt(0.75 / n) / part for n in _MANY),
            formula=True,
        ),
        PanelCurve("Laplace, ε = 1", Approach.GLOBAL, _MANY, tuple(100 / n / part for n in _MANY), formula=True),
    )
    return FigureSide((PublishedPanel(_EXPECTED, "People", "% of the count", curves),))


_FEWER_PEOPLE = (
    "With 100 times as many people two coins err a tenth as much in per cent of the count, and a trusted curator a "
    "hundredth."
)
_ONE_RUN = (
    f"One run of two coins tells little: its error is below half the mean in {count(100 * math.erf(_HALF))} % of all "
    f"runs, above twice it in {count(100 * math.erfc(4 * _HALF))} %."
)
CHAPTER_COINS = replace(_CHAPTER, needs=Needs.VALUES, repetitions=1_000).figure(
    "Randomised response",
    0,
    "How many work in sales",
    f"{_ONE_RUN} On average two coins err by {estimate(_BY_FORMULA, 2)} %, and a trusted curator by "
    f"{estimate(100 / _SALES, 2)} %.",
    settings=(
        ("people", "32,561, of whom 3,650 in sales", "1,000 to 1,000,000, with the same share of true yeses"),
        ("ε", "ln 3 local, 1 global", "the same"),
        ("mechanism", "randomised response by two coins; Laplace", "the same"),
        ("runs", "1 each. Here: 1,000", "by formula"),
    ),
    values=(
        *(
            PublishedValue(_WORDS[name], value, 0.0, 1, key=name, **judged)
            for name, value, judged in (
                (_OF_200, 155.0, {}),
                (_YESES, 9_928.0, _judged(_SALES)),
                (_ESTIMATE, 3_721.5, {}),
            )
        ),
        PublishedValue(_PERCENT, 1.959, 0.0, 1, skewed=True),
        PublishedValue(_CENTRAL, 0.01142, 0.0, 1, skewed=True),
    ),
    published=_two_coins,
    mended=_expected,
    differs=(
        lambda outcome: (
            f"The mean error of two coins is {with_places(_BY_FORMULA, 2)} % by formula, and "
            f"{with_places(outcome.published.numbers[_PERCENT].mean, 2)} % in the runs here. The printed 1.96 % is the "
            "error of one run, and the printed 9,928 yeses are those of another."
        ),
        "The chapter says that for counts above 3,000 the error is generally below 5 %. For the "
        f"{count(_SALES)} in sales this holds in {count(_BELOW_5)} % of all runs, by formula.",
        _noise_alone("yeses of all 32,561"),
        "The chapter prints ε = log(3) = 1.09; it is 1.0986. The local ε compares any two answers of one person; that "
        "of Laplace noise compares two tables that differ by one person.",
    ),
    words={PRINTED: PanelWords(_ONE_RUN), _EXPECTED: PanelWords(_FEWER_PEOPLE)},
    name="chapter-randomised-response",
)


# Unary encoding of occupations

_EPSILON = "ε of (¾, ¼)"
_SET = {name: f"{name}: bits set" for name in _OCCUPATIONS}


def _unary_draws(given: FigureInput) -> Floats:
    """Estimates of many runs, shape (repetitions, occupations)."""
    answers, people = _answers(given)
    if len(answers) < 2:
        raise WorkbenchError(
            f"All values of “{given.column}” are the same, and unary encoding has a bit for each of two or more.",
            hint="Choose a column with two or more values.",
            field="column",
        )
    true = np.array(list(answers.values()))
    generator = _generator(given, "unary occupations")
    ones = generator.binomial(true, 0.75, (given.repetitions, len(true)))
    ones = ones + generator.binomial(people - true, 0.25, (given.repetitions, len(true)))
    return np.asarray((ones - people * 0.25) / 0.5, dtype=np.float64)


def _unary(given: FigureInput, tell: Tell) -> FigureSide:
    found = _unary_draws(given)
    answers, _ = _answers(given)
    mean, spread = found.mean(axis=0), found.std(axis=0, ddof=1) if len(found) > 1 else np.zeros(len(answers))
    places = tuple(map(float, range(len(answers))))
    curves = (
        PanelCurve("True", Approach.BASELINE, places, tuple(map(float, answers.values()))),
        PanelCurve("Mean here", Approach.LOCAL, places, tuple(mean.tolist()), tuple(spread.tolist()), len(found)),
    )
    across = given.column if given.own else "Occupation"
    panel = PublishedPanel(f"{RUN_HERE}{_if_cut(given)}", across, "People", curves, labels=tuple(answers))
    epsilon = ProtocolChoice.parse("ue=0.75:0.25").frequency(len(places), None).epsilon
    numbers = {_EPSILON: OurValue(float(epsilon))}
    if given.own:
        return FigureSide((panel,), numbers)
    bits = found / 2 + _PEOPLE / 4  # an estimate is (bits − n·¼)/½
    for one, what in zip(bits.T, _SET.values(), strict=True):
        numbers[what] = OurValue(float(one.mean()), deviation(one), len(one))
    return FigureSide((panel,), numbers)


def _possible(given: FigureInput, tell: Tell) -> FigureSide:
    found = _unary_draws(given)
    adjust = postprocess("norm-sub")
    answers, _ = _answers(given)
    total = float(sum(answers.values()))
    adjusted = np.asarray([adjust(one, total, Noise(1.0)) for one in found], dtype=np.float64)
    places = tuple(map(float, range(len(answers))))
    true = np.array(list(answers.values()))

    def errors(answers: Floats) -> tuple[float, ...]:
        return tuple(np.abs(answers - true).mean(axis=0).tolist())

    curves = (
        PanelCurve("As estimated", Approach.BASELINE, places, errors(found)),
        PanelCurve("Norm-Sub", Approach.LOCAL, places, errors(adjusted)),
    )
    across = given.column if given.own else "Occupation"
    title = f"{MENDED}: mean error{_if_cut(given)}"
    panel = PublishedPanel(title, across, "People", curves, labels=tuple(answers))
    return FigureSide((panel,))


def _armed_forces(outcome: FigureOutcome) -> str:
    (panel,) = outcome.mended.panels
    plain, adjusted = panel.curves
    name = panel.labels[-1] if outcome.own else "Armed-Forces"
    rare = panel.labels.index(name)
    said = "" if outcome.own else "The published estimate of Armed-Forces is −92.5 people, where 9 are true. "
    formula = "" if outcome.own else f" (by formula {count(math.sqrt(2 / math.pi * 0.75 * _PEOPLE))})"
    return (
        f"{said}If estimates are turned into possible counts (Norm-Sub), the mean error of {name} in "
        f"{counted(outcome.repetitions, 'run')} goes from {count(plain.means[rare])}{formula} to "
        f"{count(adjusted.means[rare])} people."
    )


CHAPTER_UNARY = replace(_CHAPTER, needs=Needs.VALUES, repetitions=200).figure(
    "Unary encoding",
    0,
    "Fourteen occupations",
    "The noise is equal for all occupations: the frequent ones come out well, the rare ones drown in it.",
    settings=(
        ("p, q", "0.75, 0.25", "the same"),
        ("people", "32,561", "the same"),
        ("runs", "1 each of estimates and bits in the book. Here: 200", "200"),
        ("estimates below 0", "kept", "Norm-Sub"),
    ),
    values=(
        PublishedValue(_EPSILON, 2.19722458, 5e-9, basis="to 9 digits"),
        *(
            PublishedValue(
                name,
                estimated,
                0.0,
                1,
                curve="Mean here",
                place=float(place),
                scale=float(true),
                basis=f"judged against the true {count(true)}",
            )
            for place, (name, (true, estimated)) in enumerate(_OCCUPATIONS.items())
        ),
        *(
            PublishedValue(
                _SET[name],
                float(ones),
                0.0,
                1,
                **_judged(true),
            )
            for (name, (true, _)), ones in zip(_OCCUPATIONS.items(), _BITS, strict=True)
        ),
    ),
    published=_unary,
    mended=_possible,
    differs=(
        _armed_forces,
        f"The standard deviation of an estimate is √(¾·{count(_PEOPLE)}) = {count(math.sqrt(0.75 * _PEOPLE))} people "
        "for each occupation, whether 9 have it or 4,140.",
        _noise_alone("bits set for an occupation"),
        "Those without an occupation send a vector of zeros, a case that the chapter does not mention; how many they "
        "are is taken to be public here.",
    ),
    words={
        MENDED: PanelWords(
            "Norm-Sub makes possible counts of the estimates: none is below 0, and they add up to all who have a value."
        ),
    },
    name="chapter-unary-encoding",
)
