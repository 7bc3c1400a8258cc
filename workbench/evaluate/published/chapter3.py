"""Figures 2.1 and 3.1 to 3.3 of the thesis: the mean of charges asked of a trusted curator, and a distance."""

from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np

from workbench.core.number_text import estimate
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.preset import Needs, SampleColumn
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
from workbench.evaluate.published.experiment_runs import experiments
from workbench.evaluate.published.originals import unequal_masses
from workbench.evaluate.question import Floats, Question, Statistic
from workbench.evaluate.subject import EncodedColumn, subject_of
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.simulated_reports import seed_of

CHARGES = SampleColumn("surgery_tail.csv.gz", "average total payments")
CHAPTER = "Thesis, 3: global differential privacy"
ROWS, UPPER = 202_655, 1_000_000.0
EPSILONS = tuple(round(0.2 + 0.1 * step, 1) for step in range(50))
_SIZES = tuple(float(2**power) for power in range(3, 12))
LIBRARY, OURS = MethodChoice("global-diffprivlib"), MethodChoice("global-grid")
ERROR = "Global DP (diffprivlib)"
_BOUND = "Δ/ε"


def charges(given: FigureInput, statistic: Statistic = Statistic.MEAN) -> Question:
    """A statistic of the charges, between the published bounds or those that are declared for one's own column."""
    bounds = None if given.own else (0.0, UPPER)
    return Question(statistic, given.column, EncodingChoice(bounds=bounds))


def _bound(epsilons: tuple[float, ...], rows: int, width: float) -> PanelCurve:
    return PanelCurve(_BOUND, Approach.BASELINE, epsilons, tuple(width / rows / one for one in epsilons), formula=True)


# Figure 2.1


def _theory(given: FigureInput, tell: Tell) -> FigureSide:
    return FigureSide((PublishedPanel("As published", "ε", "Δ/ε, $", (_bound(EPSILONS, ROWS, UPPER),)),))


def _meaning(given: FigureInput, tell: Tell) -> FigureSide:
    """The error, and what ε promises: how sure somebody can be who found 1 in 2 likely before."""
    sure = tuple(100 * math.exp(one) / (1 + math.exp(one)) for one in EPSILONS)
    odds = PanelCurve("How sure an answer can make, from 50 %", Approach.GLOBAL, EPSILONS, sure, formula=True)
    published = PublishedPanel("Error", "ε", "Δ/ε, $", (_bound(EPSILONS, ROWS, UPPER),))
    return FigureSide((published, PublishedPanel("Protection", "ε", "%", (odds,))))


FIGURE_2_1 = PublishedFigure(
    "figure-2.1",
    "Figure 2.1",
    PublishedText.THESIS,
    17,
    "Thesis, 2: principles",
    "Error as a function of ε",
    "The error falls like 1/ε. What is bought with it is drawn beside: how sure somebody can become of one row.",
    (("bounds", "0 to 1,000,000", "the same"), ("rows", "202,655 (program)", "the same"), ("drawn", "Δ/ε", "Δ/ε")),
    (
        PublishedValue("Δ/ε at ε = 0.2", 24.7, 0.1, curve=_BOUND, place=0.2),
        PublishedValue("Δ/ε at ε = 1", 4.93, 0.1, curve=_BOUND, place=1.0),
        PublishedValue("Δ/ε at ε = 5.1", 0.97, 0.1, curve=_BOUND, place=5.1),
    ),
    _theory,
    _meaning,
    lambda outcome: (
        "The text says that the picture shows the protection too (p. 17); it shows the error only.",
        "Practical values are said to be 0 to 5; at ε = 5 an answer can turn an even chance into "
        f"{estimate(100 * math.exp(5) / (1 + math.exp(5)), 3)} %.",
    ),
    seconds=0.2,
)


# Figure 3.1


def _by_rows(methods: tuple[MethodChoice, ...], title: str, given: FigureInput) -> tuple[str, Experiment]:
    return title, Experiment(
        question=charges(given),
        methods=methods,
        axis=Axis.USERS,
        places=_SIZES,
        repetitions=given.repetitions,
        seed=given.seed,
    )


_PARTS = ((1.0, "1"), (1 / 2, "½"), (1 / 3, "⅓"), (1 / 4, "¼"))


def _each(identifier: str) -> tuple[MethodChoice, ...]:
    return tuple(MethodChoice(identifier, epsilon=one, label=f"ε = {words}") for one, words in _PARTS)


FIGURE_3_1 = PublishedFigure(
    "figure-3.1",
    "Figure 3.1",
    PublishedText.THESIS,
    24,
    CHAPTER,
    "Mean: error against rows",
    "Twice the rows or twice the ε halve the error. Mended, the number of rows is protected as well.",
    (
        ("bounds", "0 to 1,000,000 (p. 22)", "the same"),
        ("rows", "8 to 2,048, one sample each", "the same, samples of 10 repetitions each"),
        ("ε", "1, ½, ⅓, ¼", "the same"),
        ("repetitions", "100 (program)", "100"),
        ("engine", "diffprivlib: rows are public", "grid noise: rows are protected"),
    ),
    tuple(
        PublishedValue(f"{curve}, 8 rows", value, 1_500.0, 100, curve=curve, place=8.0)
        for curve, value in (("ε = 1", 76_500), ("ε = ½", 123_500), ("ε = ⅓", 236_500), ("ε = ¼", 297_000))
    ),
    lambda given, tell: experiments(given, [_by_rows(_each("global-diffprivlib"), "As published", given)], tell),
    lambda given, tell: experiments(given, [_by_rows(_each("global-grid"), "Mended", given)], tell),
    lambda outcome: (
        "diffprivlib cuts answers at the bounds, so with 8 rows errors below the true mean are never larger than it: "
        f"{value_text(outcome.published, 'ε = 1', 8)} instead of Δ/ε = 125,000.",
        f"Protecting the number of rows as well costs: {value_text(outcome.mended, 'ε = 1', 2_048)} at 2,048 rows "
        f"beside {value_text(outcome.published, 'ε = 1', 2_048)}, both at ε = 1.",
        "“Stabilizes near 0 over 1,000 entries” (p. 25) is the scale of the axis: on a logarithmic one the error "
        "goes on falling like 1/n.",
    ),
    Needs.NUMBERS,
    CHARGES,
    repetitions=100,
    seconds=8.0,
)


def value_text(side: FigureSide, curve: str, place: float, panel: int = 0) -> str:
    curves = side.panels[panel].curves if panel < len(side.panels) else ()
    found = next((one.at(place) for one in curves if one.name == curve), None)
    return "nothing" if found is None else estimate(found.mean, 3)


# Figure 3.2

_LOCAL = "Local: one row left out"


def _by_epsilon(methods: tuple[MethodChoice, ...], given: FigureInput) -> Experiment:
    return Experiment(
        question=charges(given), methods=methods, places=EPSILONS, repetitions=given.repetitions, seed=given.seed
    )


def sensitivities(numbers: Floats, width: float, seed: int) -> tuple[float, float, float]:
    """Of the mean: global, local by leaving out each row in turn, and local where only 1 % of the rows are tried.

    Leaving x out moves the mean by |x − mean|/(n − 1).
    """
    moved = np.abs(numbers - numbers.mean()) / (len(numbers) - 1)
    tried = np.random.Generator(np.random.PCG64(seed_of(seed, "left out"))).choice(len(moved), len(moved) // 100)
    return width / len(numbers), float(moved.max()), float(moved[tried].max())


def _mean_by_epsilon(given: FigureInput, tell: Tell) -> FigureSide:
    subject = subject_of(given.material, charges(given))
    bound = _bound(EPSILONS, len(subject), subject.bounds[1] - subject.bounds[0])

    def drawn(side: FigureSide) -> PublishedPanel:
        (panel,) = side.panels
        own = tuple(one for one in panel.curves if not one.formula)
        return PublishedPanel("As published", "ε", panel.up, (*own, bound))

    def told(panels: tuple[PublishedPanel, ...]) -> None:
        tell((drawn(FigureSide(panels)),))

    found = drawn(experiments(given, [("", _by_epsilon((LIBRARY,), given))], told))
    return FigureSide((found,), MappingProxyType({_LOCAL: OurValue(_sensitivities_of(subject, given)[1])}))


def _sensitivities_of(subject: EncodedColumn, given: FigureInput) -> tuple[float, float, float]:
    return sensitivities(subject.numbers, subject.bounds[1] - subject.bounds[0], given.seed)


def _with_sensitivities(given: FigureInput, tell: Tell) -> FigureSide:
    subject = subject_of(given.material, charges(given))
    values = _sensitivities_of(subject, given)
    bars = PanelCurve("Sensitivity of the mean", Approach.GLOBAL, (0.0, 1.0, 2.0), values)
    picture = PublishedPanel(
        "Global against local", "Sensitivity", "$", (bars,), labels=("Global", "Local", "Local, 1 %")
    )
    side = experiments(given, [("Mended", _by_epsilon((OURS, LIBRARY), given))], tell)
    return FigureSide((*side.panels, picture))


def _sensitivity_lines(outcome: FigureOutcome) -> tuple[str, ...]:
    whole, local, some = outcome.mended.panels[1].curves[0].means
    return (
        f"The error {value_text(outcome.published, ERROR, 1.0)} at ε = 1 is that of Laplace noise, whose mean size is "
        "Δ/ε; that is no bound, half of all answers are nearer and some far beyond.",
        f"Leaving one row out moves the mean by at most {estimate(local, 3)} (2.01 in the program), global sensitivity "
        f"is {estimate(whole, 3)}: noise of the local one would itself tell of the largest row.",
        f"Tried on 1 % of the rows (p. 25) it is found to be {estimate(some, 3)}: rare rows decide, and a sample "
        "misses them.",
    )


FIGURE_3_2 = PublishedFigure(
    "figure-3.2",
    "Figure 3.2",
    PublishedText.THESIS,
    26,
    CHAPTER,
    "Mean: error against ε",
    "The measured error lies on Δ/ε. Global sensitivity is what any table could do; that of this table is smaller.",
    (
        ("bounds", "0 to 1,000,000", "the same"),
        ("rows", "all: 202,655 (program); 200,000 (text)", "202,655"),
        ("ε", "0.2 to 5.1, 50 places", "the same"),
        ("repetitions", "100 (program)", "100"),
        ("local sensitivity", "from 1 % of the rows", "all rows, and 1 % of them"),
    ),
    (
        PublishedValue("Error at ε = 0.2", 21.4, 0.3, 100, curve=ERROR, place=0.2),
        PublishedValue("Error at ε = 1", 4.8, 0.3, 100, curve=ERROR, place=1.0),
        PublishedValue("Error at ε = 5.1", 1.1, 0.2, 100, curve=ERROR, place=5.1),
        PublishedValue("Δ/ε at ε = 0.2", 24.67, 0.1, curve=_BOUND, place=0.2),
        PublishedValue(_LOCAL, 2.012, 0.1),
    ),
    _mean_by_epsilon,
    _with_sensitivities,
    _sensitivity_lines,
    Needs.NUMBERS,
    CHARGES,
    repetitions=100,
    seconds=8.0,
)


# Figure 3.3

_FAR, _NEAR = "From the last place to the first", "From the last place to the one before"
_THREE = (np.array([0.0, 0, 0, 1]), np.array([1.0, 0, 0, 0]), np.array([0.0, 0, 1, 0]))


def _moving(given: FigureInput, tell: Tell) -> FigureSide:
    rows = (
        ("moved", "distance"),
        (_FAR, estimate(unequal_masses.unequal_kantorovich(_THREE[0], _THREE[1]))),
        (_NEAR, estimate(unequal_masses.unequal_kantorovich(_THREE[0], _THREE[2]))),
    )
    numbers = {
        name: OurValue(unequal_masses.unequal_kantorovich(_THREE[0], other))
        for name, other in ((_FAR, _THREE[1]), (_NEAR, _THREE[2]))
    }
    panel = PublishedPanel("[0 0 0 1] against [1 0 0 0] and [0 0 1 0]", rows=rows)
    return FigureSide((panel, _bars_of_three()), MappingProxyType(numbers))


def _bars_of_three() -> PublishedPanel:
    places = (0.0, 1.0, 2.0, 3.0)
    curves = tuple(
        PanelCurve(name, approach, places, tuple(histogram.tolist()))
        for name, approach, histogram in zip(
            ("First", "Far from it", "Near it"),
            (Approach.BASELINE, Approach.ANONYMISED, Approach.GLOBAL),
            _THREE,
            strict=True,
        )
    )
    return PublishedPanel("What is moved", "Place", "Mass", curves, labels=("1", "2", "3", "4"))


def _unequal(given: FigureInput, tell: Tell) -> FigureSide:
    first, more = np.array([0.0, 0, 0, 10]), np.array([0.0, 0, 0, 11])
    charged = unequal_masses.unequal_kantorovich(first, more)
    rows = (
        ("of 10 and 11 rows at the same place", "distance"),
        ("as published", estimate(charged)),
        ("of distributions", "0"),
    )
    return FigureSide((PublishedPanel("Unequal masses", rows=rows), _bars_of_three()))


FIGURE_3_3 = PublishedFigure(
    "figure-3.3",
    "Figure 3.3",
    PublishedText.THESIS,
    27,
    CHAPTER,
    "What the Kantorovich distance is",
    "Mass times the way it is moved. It is a distance of distributions, so both histograms need the same total.",
    (("histograms", "of equal mass in the text", "the same"), ("unequal masses", "not spoken of", "scaled to 1")),
    (PublishedValue(_FAR, 3.0), PublishedValue(_NEAR, 1.0)),
    _moving,
    _unequal,
    lambda outcome: (
        "The text calls for dynamic programming (p. 27); on a line one running sum is enough.",
        unequal_masses.FLAW.audit,
    ),
    seconds=0.1,
)
