"""Figures 2.1 and 3.1 to 3.3 of the thesis: the mean of charges asked of a trusted curator, and a distance."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, estimate, with_places
from workbench.evaluate.experiment import Axis
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.published.agreement import STANDARD_ERRORS, OurValue, PublishedValue
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Panels, Tell
from workbench.evaluate.published.frame import ALL_AXES, AXES, ChapterFrame, FigureSweep, shown, table, value_text
from workbench.evaluate.published.originals import unequal_masses
from workbench.evaluate.published.panel import MENDED, RUN_HERE, PanelCurve, PanelWords, PublishedPanel, PublishedText
from workbench.evaluate.question import Floats, Question, Statistic
from workbench.evaluate.samples import SampleColumn
from workbench.evaluate.subject import EncodedColumn, subject_of
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.simulated_reports import seed_of

CHARGES = SampleColumn("surgery_tail.csv.gz", "average total payments")
GLOBAL = ChapterFrame(PublishedText.THESIS, "Thesis, 3: global DP")
_CHARGED = GLOBAL.of(CHARGES, 100)
ROWS, UPPER = 202_655, 1_000_000.0
EPSILONS = tuple(round(0.2 + 0.1 * step, 1) for step in range(50))
_SIZES = tuple(float(2**power) for power in range(3, 12))
DISCRETE = "Global DP, discrete noise"
LIBRARY, OURS = MethodChoice("global-diffprivlib"), MethodChoice("global-grid", label=DISCRETE)
ERROR = "Global DP (diffprivlib)"
LEVELS = "7 (p. 35, table 3.5), 4 (p. 34) or 10 (author's code). The first level holds the values, the last is *"
"""How many levels there were is said in three ways, and so it is repeated wherever levels matter."""
_BOUND = "Δ/ε"


def charges(given: FigureInput, statistic: Statistic = Statistic.MEAN) -> Question:
    """A statistic of the charges, between the published bounds or those that are declared for one's own column."""
    return Question(statistic, given.column, EncodingChoice(bounds=given.bounds((0.0, UPPER))))


def _bound(epsilons: tuple[float, ...], rows: int, width: float) -> PanelCurve:
    return PanelCurve(_BOUND, Approach.BASELINE, epsilons, tuple(width / rows / one for one in epsilons), formula=True)


# Figure 2.1

_FINELY = tuple(round(0.2 + 0.02 * step, 2) for step in range(246))
"""As close as a formula can be drawn without kinks."""
_THEORY = PublishedPanel(RUN_HERE, "ε", "Δ/ε, $", (_bound(_FINELY, ROWS, UPPER),))
_SURE = tuple(100 * math.exp(one) / (1 + math.exp(one)) for one in _FINELY)
_ODDS = PanelCurve("Certainty, having been 50 %", Approach.GLOBAL, _FINELY, _SURE, formula=True)
"""Certainty that ε allows: how sure somebody can be who found 1 in 2 likely before."""
PRINCIPLES = ChapterFrame(PublishedText.THESIS, "Thesis, 2: principles")
FIGURE_2_1 = PRINCIPLES.figure(
    "Figure 2.1",
    17,
    "Error, by ε",
    "The error Δ/ε falls like 1/ε. The chart “Protection” shows what ε still allows: how sure of a guess about one row "
    "somebody can become who thought it 50 % likely.",
    settings=(
        ("bounds", "$0 to $1,000,000 (p. 22)", "the same"),
        ("rows", "202,655 (author's code)", "the same"),
        ("mechanism", "Laplace", "the same"),
        ("drawn", "the error Δ/ε", "Δ/ε, and what ε still allows"),
    ),
    values=tuple(
        PublishedValue(
            f"Δ/ε at ε = {estimate(place)}, $",
            value,
            0.1,
            curve=_BOUND,
            place=place,
            written=str(value),
            key=f"Δ/ε at ε = {estimate(place)}",
        )
        for place, value in ((0.2, 24.7), (1.0, 4.9), (5.1, 1.0))
    ),
    published=shown(_THEORY),
    mended=shown(
        PublishedPanel("Protection", "ε", "% sure, having been 50 % sure", (_ODDS,)),
        PublishedPanel("Error", "ε", "Δ/ε, $", _THEORY.curves),
    ),
    differs=(
        "The text says that the picture also shows the protection (p. 17); it shows the error only.",
        "The text calls ε from 0 to 5 usual (p. 16–17); at ε = 5 one answer can make somebody "
        f"who was 50 % sure of a guess about one row {estimate(100 * math.exp(5) / (1 + math.exp(5)), 3)} % sure.",
        "The text speaks of 200,000 rows (p. 22–23), with which the curve would begin at $25.0; the picture "
        "begins at $24.7, as with the 202,655 rows of the author's code.",
    ),
    words={
        **dict.fromkeys((RUN_HERE, "Error"), PanelWords("The error Δ/ε falls like 1/ε.", frozenset(("drawn",)))),
        "Protection": PanelWords(
            "What ε allows: how sure of a guess about one row somebody can become who thought it 50 % likely.",
            frozenset(("bounds", "rows", "mechanism", "drawn")),
        ),
    },
)


# Figure 3.1

_PARTS = ((1.0, "1"), (1 / 2, "½"), (1 / 3, "⅓"), (1 / 4, "¼"))


def _by_rows(identifier: str, title: str) -> FigureSweep:
    methods = tuple(MethodChoice(identifier, epsilon=one, label=f"ε = {words}") for one, words in _PARTS)
    return FigureSweep(title, charges, methods, _SIZES, axis=Axis.USERS)


def _four_charts(given: FigureInput, tell: Tell) -> FigureSide:
    """As printed: a chart for each ε."""

    def apart(panels: Panels) -> Panels:
        return tuple(replace(panel, apart=2, flat=True) for panel in panels)

    made = _by_rows("global-diffprivlib", RUN_HERE)(given, lambda panels: tell(apart(panels)))
    return replace(made, panels=apart(made.panels))


_MEAN_CHARGE = 13_167.38
_TO_BOUNDS = (_MEAN_CHARGE, UPPER - _MEAN_CHARGE)


def expected_cut(scale: float) -> float:
    """The mean error of the mean charge with Laplace noise of this scale, cut at both bounds."""
    return sum(scale / 2 * (1 - math.exp(-side / scale)) for side in _TO_BOUNDS)


def deviation_cut(scale: float) -> float:
    """The standard deviation of such an error."""
    squared = sum(scale * (scale - math.exp(-side / scale) * (scale + side)) for side in _TO_BOUNDS)
    return math.sqrt(squared - expected_cut(scale) ** 2)


_OF_8 = tuple(estimate(expected_cut(UPPER / 8 / one), 3) for one, _ in _PARTS)


def _beside_expected(outcome: FigureOutcome) -> str:
    """Which of the values at 8 rows is far from what is expected: those that are printed, not ours."""
    scales = [UPPER / 8 / part for part, _ in _PARTS]
    rows = [
        (one, expected_cut(scale), deviation_cut(scale))
        for one, scale in zip(outcome.figure.values, scales, strict=True)
    ]
    off = [100 * (value.value / expected - 1) for value, expected, _ in rows]
    errors = [(value.value - expected) / spread * math.sqrt(value.repetitions) for value, expected, spread in rows]
    whole = sum(errors) / math.sqrt(len(errors))
    times = estimate(1 / math.erfc(abs(whole) / math.sqrt(2)), 1)
    return (
        f"With 8 rows, mean errors of about ${', $'.join(_OF_8[:3])} and ${_OF_8[3]} are to be expected at ε = 1, "
        "½, ⅓ and ¼ (for the mean charge of all rows; dotted, for that of the rows drawn here). "
        f"The printed ones are {', '.join(_above(one) for one in off[:3])} and {_above(off[3])}: "
        f"{'each alone is' if max(map(abs, errors)) <= STANDARD_ERRORS else 'not each alone is'} within chance for 100 "
        f"runs. Together they are {with_places(abs(whole), 1)} standard errors too {'high' if whole > 0 else 'low'}; "
        f"chance takes them as far, up or down, about 1 time in {times}."
    )


def _above(percent: float) -> str:
    return f"{count(abs(percent))} % {'above' if percent > 0 else 'below'}"


_HALVES = (
    "Where the error is small beside the distance between the mean and the nearer bound, about $13,000, doubling the "
    "rows or the ε halves it."
)
_PRIVATE_ROWS = "In the mended version the number of rows is private too."
FIGURE_3_1 = _CHARGED.figure(
    "Figure 3.1",
    24,
    "Error of the mean, by number of rows",
    f"{_HALVES} {_PRIVATE_ROWS}",
    settings=(
        ("bounds", "$0 to $1,000,000 (p. 22)", "the same"),
        (
            "rows",
            "10 to 2,000 (text); 8 to 2,048, one sample each (author's code). Here: a new sample for every run",
            "8 to 2,048, a new sample for every run",
        ),
        ("ε", "1, ½, ⅓, ¼, printed as 1.0, 0.5, 0.33, 0.25", "1, ½, ⅓, ¼"),
        ("repetitions", "100", "100"),
        (
            "mechanism",
            "Laplace, cut at the bounds (diffprivlib); the number of rows is public",
            "discrete Laplace; the number of rows is protected",
        ),
        ("drawn", "four charts, one for each ε", "one chart"),
        ALL_AXES,
    ),
    values=tuple(
        PublishedValue(
            f"{curve}, 8 rows, $",
            value,
            1_500.0,
            100,
            curve=curve,
            place=8.0,
            mark="10 in the text",
            key=f"{curve}, 8 rows",
        )
        for curve, value in (("ε = 1", 76_500), ("ε = ½", 123_500), ("ε = ⅓", 236_500), ("ε = ¼", 297_000))
    ),
    published=_four_charts,
    mended=_by_rows("global-grid", "Mended"),
    differs=(
        f"diffprivlib cuts its answers off at the bounds, so none is below 0: with 8 rows and ε = 1 they err by "
        f"${_OF_8[0]} on average, where uncut Laplace noise would err by Δ/ε = $125,000.",
        _beside_expected,
        lambda outcome: (
            "Mended, each row adds its charge to one sum, and $1,000,000 minus its charge to another: both together "
            "change by $1,000,000 where a row is added or removed, need no more noise than one sum, and tell the "
            "number of rows. At 2,048 rows and ε = 1 the expected error is "
            f"${value_text(outcome.mended, 'ε = 1, by formula', 2_048)}; with a public number of rows it is "
            f"${value_text(outcome.published, 'ε = 1, by formula', 2_048)}. But diffprivlib's ε is for replacing a "
            "row, for which the mended version promises 2ε."
        ),
        "The text says that above 1,000 entries the error “stabilizes near 0” (p. 24). That is an effect of the "
        "linear axis: it goes on falling like 1/n.",
    ),
    seconds=2.0,
    words={RUN_HERE: PanelWords(_HALVES), MENDED: PanelWords(f"{_HALVES} {_PRIVATE_ROWS}")},
)


# Figure 3.2

_LOCAL, _AGAINST = "Local: one row left out", "Global against local"
_OF_MANY, _OF_FEW = "Local, 1 %", "Local, 1 row"
"""Local sensitivity where not every row is tried, and where 1 % of the rows are not even one."""
_TWO, _HUNDRED = 2, 100
_TRIED = 420_865.48
"""The row that moves the mean as far as the author's code says."""


def sensitivities(numbers: Floats, width: float, seed: int) -> tuple[float, float, float]:
    """Of the mean: global, local by leaving out each row in turn, and local where only 1 % of the rows are tried.

    Leaving x out moves the mean by |x − mean|/(n − 1). Of fewer than 100 rows one is tried.

    Raises
    ------
    WorkbenchError
        If leaving one row out leaves no mean.
    """
    if len(numbers) < _TWO:
        raise WorkbenchError(
            "One row is left out, and the mean of the others is taken; here are no others.",
            hint="Choose a column with two numbers or more.",
            field="column",
        )
    moved = np.abs(numbers - numbers.mean()) / (len(numbers) - 1)
    return width / len(numbers), float(moved.max()), float(moved[tried_rows(len(moved), seed)].max())


def tried_rows(rows: int, seed: int) -> NDArray[np.int64]:
    """1 % of so many rows, at random and none of them twice; of fewer than 100 rows one."""
    generator = np.random.Generator(np.random.PCG64(seed_of(seed, "left out")))
    return generator.choice(rows, max(1, rows // _HUNDRED), replace=False)


def _mean_by_epsilon(given: FigureInput, tell: Tell) -> FigureSide:
    subject = subject_of(given.material, charges(given))
    bound = _bound(EPSILONS, len(subject), subject.bounds[1] - subject.bounds[0])

    def drawn(panel: PublishedPanel) -> PublishedPanel:
        own = tuple(one for one in panel.curves if not one.formula)
        return PublishedPanel(RUN_HERE, "ε", panel.up, (*own, bound))

    found = FigureSweep("", charges, (LIBRARY,), EPSILONS)(given, lambda panels: tell((drawn(panels[0]),)))
    return FigureSide((drawn(found.panels[0]),), {_LOCAL: OurValue(_sensitivities_of(subject, given)[1])})


def _sensitivities_of(subject: EncodedColumn, given: FigureInput) -> tuple[float, float, float]:
    return sensitivities(subject.numbers, subject.bounds[1] - subject.bounds[0], given.seed)


def _with_sensitivities(given: FigureInput, tell: Tell) -> FigureSide:
    subject = subject_of(given.material, charges(given))
    values = _sensitivities_of(subject, given)
    bars = PanelCurve("Sensitivity of the mean", Approach.GLOBAL, (0.0, 1.0, 2.0), values)
    labels = ("Global", "Local", _OF_FEW if len(subject) < _HUNDRED else _OF_MANY)
    picture = PublishedPanel(_AGAINST, "Sensitivity", subject.unit, (bars,), labels=labels)
    side = FigureSweep(MENDED, charges, (OURS, LIBRARY), EPSILONS)(given, tell)
    return FigureSide((*side.panels, picture))


def _sensitivity(outcome: FigureOutcome, which: int) -> str:
    """How large the global one, the local one, and that of 1 % is."""
    return estimate(outcome.mended.panels[1].curves[0].means[which], 3)


_BY_ONE_MORE = with_places((UPPER - _MEAN_CHARGE) / (ROWS + 1), 2)
"""How far the mean charge moves where the largest row there can be is added."""
_ERRS = "Laplace noise errs by Δ/ε on average."
_BOTH_SENSITIVITIES = (
    "Global sensitivity Δ is the most that one row can move the mean of any table of this size within these bounds; "
    "“local” is the most that leaving out a row of this table moves it."
)
FIGURE_3_2 = _CHARGED.figure(
    "Figure 3.2",
    26,
    "Error of the mean, by ε",
    f"{_ERRS} {_BOTH_SENSITIVITIES}",
    settings=(
        ("bounds", "$0 to $1,000,000 (p. 22)", "the same"),
        ("rows", "all: 202,655 (author's code); 200,000 (text)", "202,655"),
        ("ε", "0.2 to 5.1, 50 values", "the same"),
        ("repetitions", "100", "100"),
        (
            "mechanism",
            "Laplace, cut at the bounds (diffprivlib)",
            "Laplace, cut at the bounds (diffprivlib); discrete Laplace",
        ),
        (
            "ε protects",
            "replacing a row",
            "replacing a row; by discrete Laplace adding or leaving out a row, and replacing one at 2ε",
        ),
        (
            "local sensitivity",
            "drawn with replacement from the first 1 % of rows (author's code)",
            "all rows, and 1 % at random",
        ),
        AXES,
    ),
    values=(
        *(
            PublishedValue(f"{what}, $", value, reading, times, curve=curve, place=place, key=what)
            for what, value, reading, times, curve, place in (
                ("Error at ε = 0.2", 21.4, 0.3, 100, ERROR, 0.2),
                ("Error at ε = 1", 4.8, 0.3, 100, ERROR, 1.0),
                ("Error at ε = 5.1", 1.1, 0.2, 100, ERROR, 5.1),
                ("Δ/ε at ε = 0.2", 24.7, 0.1, 0, _BOUND, 0.2),
            )
        ),
        PublishedValue(
            "Local sensitivity: one row left out, $",
            2.012,
            0.1,
            source="author's code",
            mark="of the rows drawn there; here of all",
            made=True,
            code=True,
            basis="the sample's greatest payment is the author's",
            key=_LOCAL,
        ),
    ),
    published=_mean_by_epsilon,
    mended=_with_sensitivities,
    differs=(
        lambda outcome: (
            f"The mean error at ε = 1 is ${value_text(outcome.published, ERROR, 1.0)}; that of Laplace noise is Δ/ε = "
            f"${value_text(outcome.published, _BOUND, 1.0)}. The text calls Δ/ε a bound (p. 25), the picture the best "
            "there is (p. 26); it is an average, and 37 % of all answers are farther off."
        ),
        lambda outcome: (
            f"Leaving one row out moves the mean by at most ${_sensitivity(outcome, 1)}, while the global "
            f"sensitivity is ${_sensitivity(outcome, 0)}. The text calls the former local sensitivity (p. 25), "
            f"but that counts rows that are added too: one of ${count(UPPER)} would move the mean by ${_BY_ONE_MORE}. "
            "Noise scaled to the rows that are there would itself reveal how large the largest is."
        ),
        lambda outcome: (
            "If only 1 % of the rows, drawn at random, are left out one by one, the mean moves by at most "
            f"${_sensitivity(outcome, 2)}: rare rows decide how far, and 1 % may miss them. For the 1 % of p. 25 "
            "the author's code draws with replacement from the first 1 % of rows (they begin with heart transplants), "
            f"as often as there are: about {count(100 * (1 - 1 / math.e))} % of them are tried; the result there, "
            f"${estimate((_TRIED - _MEAN_CHARGE) / (ROWS - 1), 4)}, is what leaving out a row of "
            f"${count(_TRIED)} gives."
        ),
    ),
    seconds=3.5,
    words={
        "": PanelWords(_ERRS, frozenset(("local sensitivity",))),
        _AGAINST: PanelWords(_BOTH_SENSITIVITIES, frozenset(("ε", "repetitions", "mechanism", "ε protects"))),
    },
)


# Figure 3.3

_FAR, _NEAR = "From the last place to the first", "From the last place to the one before"
_PLACES = "mass × places"
_THREE = (np.array([0.0, 0, 0, 1]), np.array([1.0, 0, 0, 0]), np.array([0.0, 0, 1, 0]))
_MOVED = {
    name: unequal_masses.unequal_kantorovich(_THREE[0], other)
    for name, other in zip((_FAR, _NEAR), _THREE[1:], strict=True)
}
_CHARGED_FOR_ONE = unequal_masses.unequal_kantorovich(np.array([0.0, 0, 0, 10]), np.array([0.0, 0, 0, 11]))
_BARS_OF_THREE = PublishedPanel(
    "What is moved",
    "Place",
    "Mass",
    tuple(
        PanelCurve(name, approach, (0.0, 1.0, 2.0, 3.0), tuple(histogram.tolist()))
        for name, approach, histogram in zip(
            ("[0 0 0 1]", "[1 0 0 0], far from it", "[0 0 1 0], near it"),
            (Approach.BASELINE, Approach.ANONYMISED, Approach.GLOBAL),
            _THREE,
            strict=True,
        )
    ),
    labels=("1", "2", "3", "4"),
)
FIGURE_3_3 = GLOBAL.figure(
    "Figure 3.3",
    27,
    "Kantorovich distance",
    "The least sum of mass times distance that turns one histogram into the other. It is a distance between "
    "distributions, so both histograms need the same total.",
    settings=(
        ("histograms", "of equal totals in the text", "the same"),
        ("unequal totals", "not mentioned", "scaled to 1"),
    ),
    values=(
        PublishedValue(f"{_FAR}, {_PLACES}", 3.0, source="p. 27", key=_FAR),
        PublishedValue(f"{_NEAR}, {_PLACES}", 1.0, source="p. 27", follows="moved one place", key=_NEAR),
    ),
    published=shown(
        _BARS_OF_THREE,
        table(
            "[0 0 0 1] against [1 0 0 0] and [0 0 1 0]",
            (("moved", f"distance, {_PLACES}"), *((name, estimate(moved)) for name, moved in _MOVED.items())),
        ),
        numbers={name: OurValue(moved) for name, moved in _MOVED.items()},
    ),
    mended=shown(
        table(
            "Unequal totals",
            (
                ("10 rows and 11 rows at the same place", f"distance, {_PLACES}"),
                ("as the author's code counts", estimate(_CHARGED_FOR_ONE)),
                ("mended: between distributions", "0"),
            ),
        ),
        _BARS_OF_THREE,
    ),
    differs=(
        "The printed picture shows how mass is pushed to the next bar, without numbers; what is compared is the "
        "example of the text (p. 27).",
        "The text says that computing the distance takes dynamic programming (p. 27); on a line one running sum "
        "is enough.",
        unequal_masses.FLAW.audit,
    ),
)
