"""Figures 3.4 to 3.6 of the thesis: histograms of salaries asked of a trusted curator."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from workbench.core.number_text import count, estimate, with_places
from workbench.core.quick_reading import read_values
from workbench.core.table import Table
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.published.agreement import Accord, OurValue, PublishedValue
from workbench.evaluate.published.chapter3 import EPSILONS, ERROR, GLOBAL, LIBRARY, OURS
from workbench.evaluate.published.entry import (
    FigureInput,
    FigureOutcome,
    FigureSide,
    Make,
    Panels,
    PublishedFigure,
    Tell,
)
from workbench.evaluate.published.experiment_runs import bars_of, unit_of
from workbench.evaluate.published.frame import AXES, FigureSweep, Line, of_the_sample, value_at, value_text
from workbench.evaluate.published.local_runs import deviation, totals, totals_line
from workbench.evaluate.published.originals import called_euclidean, unequal_masses
from workbench.evaluate.published.panel import MENDED, RUN_HERE, PanelCurve, PanelWords, PublishedPanel
from workbench.evaluate.question import Distance, Floats, Metric, Question, Statistic
from workbench.evaluate.samples import SampleColumn
from workbench.evaluate.subject import ExperimentData, subject_of
from workbench.ldp.encoding import EncodingChoice, EncodingKind, Outside
from workbench.ldp.simulated_reports import seed_of

SALARIES = SampleColumn("baltimore_salaries.csv", "annual salary")
_PAID = GLOBAL.of(SALARIES, 100)
_EDGES = tuple(float(edge) for edge in np.linspace(0, 300_000, 20))
_BARS = len(_EDGES) - 2
_DRAWN_WIDE = (_EDGES[-2] - _EDGES[1]) / _BARS
"""How wide the picture of figure 3.4 draws a bar: the code hands the left edges of all bars as the ends of the first
and the last one."""


def _salaries(given: FigureInput) -> Question:
    encoding = EncodingChoice(how=EncodingKind.EDGES, edges=_EDGES, outside=Outside.CLIP)
    if given.own or {"bins", "bounds"} & set(given.values):
        bins, bounds = int(given.values.get("bins", 19)), given.bounds((_EDGES[0], _EDGES[-1]))
        encoding = EncodingChoice(how=EncodingKind.BINS, bins=bins, bounds=bounds, outside=Outside.CLIP)
    return Question(Statistic.HISTOGRAM, given.column, encoding)


_EXPECTED, _EMPTY, _IN_TEXT = "Expected at ε = 1", "Empty bars", "Error at ε = 1 (p. 28)"
_IN_BARS = 136_000
"""So many rows the published bars hold together."""
_NON_PRIVATE, _PRIVATE = "Non-private histogram", "Private histogram"
_READ = {_NON_PRIVATE: (22_500, 39_900, 29_100, 27_000), _PRIVATE: (22_300, 39_500, 28_800, 26_800)}
"""Heights of the first four bars."""
_SAME_BAR = "same bar"
"""A private bar has as good as the height of the bar without noise, and is right or wrong with it."""
_OFF = 0.04 * _IN_BARS
_FEW_THERE = (1, 0, 2, 0)
"""Rows of the published bars that hold few, as the author's code shows the private ones; 14 hold more.

Those are rounded down, so that each may hold one row more."""
_ADDED, _DIVIDED = 99, 100
"""So many private histograms were added, and divided by one more; the quotient was rounded down."""


def _bars(given: FigureInput, tell: Tell) -> FigureSide:
    """With noise on the grid, of all rows: one private histogram, as a reader would have."""
    panel = replace(bars_of(given, replace(_sweep_of(OURS, given), repetitions=1), MENDED), across=_across(given))
    if len(panel.labels) == len(_EDGES) - 1 and not given.own and "bounds" not in given.values:
        panel = replace(panel, labels=tuple(map(count, _EDGES[:-1])), edges=_EDGES)
    return FigureSide((panel,))


def _across(given: FigureInput) -> str:
    """What the bars are of, and in which unit: of the published column as it is called in print."""
    if given.own:
        return ", ".join(filter(None, (given.column, unit_of(given))))
    return "Annual earnings, $" if given.column == SALARIES.column else f"{given.column.capitalize()}, $"


def _sweep_of(method: MethodChoice, given: FigureInput) -> Experiment:
    sweep = FigureSweep("", _salaries, (method,), (1.0,), Metric(Distance.MANHATTAN))
    return replace(sweep, places=(given.values.get("epsilon", 1.0),)).experiment(given)


def _in_bars(material: ExperimentData, column: str) -> ExperimentData:
    """The rows within the published bars, again and again until they are as many as those hold."""
    salaries = material.table[column]
    numbers = read_values(salaries.values, material.schema[column])[salaries.codes]
    kept = np.resize(np.flatnonzero((numbers >= _EDGES[1]) & (numbers <= _EDGES[-1])), _IN_BARS)
    return ExperimentData(
        Table(tuple(one.take(kept) for one in material.table.columns)),
        material.schema,
        material.hierarchies,
        f"{material.key} in bars",
    )


def _first_bar(given: FigureInput) -> int:
    """Number of the first bar: the published ones begin with the second edge; of other columns none is left out."""
    return 0 if given.own or {"bins", "bounds"} & set(given.values) else 1


def _two_histograms(given: FigureInput, tell: Tell) -> FigureSide:
    """As printed: the histogram without noise, and beside it the mean of private ones."""
    first = _first_bar(given)
    usual = first > 0
    if usual:
        given = replace(given, material=_in_bars(given.material, given.column))
    panel = bars_of(given, _sweep_of(LIBRARY, given), RUN_HERE)
    true, private = panel.curves
    places = true.places[: len(true.places) - first]
    heights = tuple(float(math.floor(one * _ADDED / _DIVIDED)) for one in private.means[first:])
    curves = (
        PanelCurve(_NON_PRIVATE, Approach.GLOBAL, places, true.means[first:]),
        PanelCurve(_PRIVATE, Approach.GLOBAL, places, heights),
    )
    labels = tuple(map(count, _EDGES[first:-1])) if usual else panel.labels
    edges = _EDGES[first:] if usual else ()
    return FigureSide((replace(panel, curves=curves, labels=labels, across=_across(given), apart=2, edges=edges),))


def _from_to(bar: int, sign: str = "$") -> str:
    return f"{sign}{count(_EDGES[bar + 1])} to {sign}{count(_EDGES[bar + 2])}"


def _unlike_bars(outcome: FigureOutcome) -> str:
    """Which bars differ, and why."""
    unlike = {
        int(one.value.place): one.ours.mean - one.value.value
        for one in outcome.agreements
        if one.accord is Accord.DIFFERS and one.ours is not None and one.value.curve == _NON_PRIVATE
    }
    if not unlike:
        return f"No bar differs by more than {count(_OFF)} rows."
    said = [
        f"about {count(round(abs(off), -2))} rows too {'many' if off > 0 else 'few'} from {_from_to(bar)}"
        for bar, off in unlike.items()
    ]
    return (
        f"The bars here have {' and '.join(said)}: the sample is synthetic, and its salaries are spread otherwise than "
        "those of the published data."
    )


_AVERAGED = "Averaged noise cannot be seen; private bars of many rows are 1 % too low."
_OF_ONE = (
    "Noise of about one row of a single histogram cannot be seen in a bar of thousands; it matters only where a bar "
    "has a few rows."
)
FIGURE_3_4 = _PAID.figure(
    "Figure 3.4",
    29,
    "Salary histogram",
    "Neither averaged noise nor that of a single histogram, which is about one row, can be seen.",
    settings=(
        ("column", "annual earnings", "annual salary of the sample"),
        ("bars", "18 from $15,789 to $300,000 (code, p. 28)", "19 from $0 to $300,000"),
        ("ε", "none named (p. 28); 1 in the author's code", "1"),
        ("mechanism", "geometric, truncated (diffprivlib)", "discrete Laplace (geometric)"),
        (
            "private bars",
            "99 private histograms, added, divided by 100 and rounded down (author's code). Here: 99 % of the mean of "
            "100, rounded down",
            "one private histogram",
        ),
        (
            "rows",
            "13,000 (text), 154,648 (author's code), about 136,000 in the bars. Here: 136,000, by repeating the sample",
            "13,811",
        ),
    ),
    values=tuple(
        PublishedValue(
            f"{_from_to(bar)}, {which.partition(' ')[0].lower()}",
            float(height),
            _OFF,
            curve=which,
            place=float(bar),
            basis="another sample: 4 % of the rows",
            judged=True,
            mark="" if which == _NON_PRIVATE else _SAME_BAR,
            many=1 if which == _NON_PRIVATE else 0,
            key=f"{_from_to(bar, '')}, {which.partition(' ')[0].lower()}",
        )
        for bar, heights in enumerate(zip(*_READ.values(), strict=True))
        for which, height in zip(_READ, heights, strict=True)
    ),
    published=_two_histograms,
    mended=_bars,
    differs=(
        of_the_sample(
            "The published bars hold about 136,000 rows, where the text speaks of 13,000; so the sample is repeated "
            "until the bars hold as many. Its annual salary stands for the annual earnings."
        ),
        _unlike_bars,
        f"The picture (p. 29) draws the bars narrower than they are: ${count(_DRAWN_WIDE)} wide, from "
        f"${count(_EDGES[1])} to ${count(_EDGES[-2])} (author's code). By the code of p. 28 they are "
        f"${count(_EDGES[1])} wide and end at $300,000; the text gives $500,000 as the upper bound (p. 27).",
        f"Rows below the first bar are in no bar, as the code of p. 28 drops the first edge: there are {_BARS} bars, "
        f"not {_BARS + 1}.",
        "99 private histograms were added, divided by 100 and rounded down (author's code), so that private bars of "
        "many rows come out 1 % too low, and small ones by a row or not at all; together they cost 99 times the ε of "
        "one. The errors 14.81 and 91.63 of p. 28 are compared in figures 3.5 and 3.6.",
    ),
    seconds=0.6,
    words={RUN_HERE: PanelWords(_AVERAGED), MENDED: PanelWords(_OF_ONE)},
)


def _called_euclidean(answers: Floats, truth: Floats) -> Floats:
    return called_euclidean.called_euclidean(answers, truth)


def _called_kantorovich(answers: Floats, truth: Floats) -> Floats:
    return np.array([unequal_masses.unequal_kantorovich(one, truth) for one in answers])


def _by_distance(
    number: str,
    page: int,
    title: str,
    caption: str,
    distances: tuple[str, str],
    up: str,
    original: Callable[[Floats, Floats], Floats],
    metric: Metric,
    text: float,
    values: tuple[tuple[float, float, float], ...],
    *differs: Line,
    unit: str,
    words: Mapping[str, PanelWords] | None = None,
) -> PublishedFigure:
    """Errors of diffprivlib's histograms by a distance as it was published, and by what it is called."""

    def published(given: FigureInput, tell: Tell) -> FigureSide:
        subject = subject_of(given.material, _salaries(given))
        first = _first_bar(given)
        truth = subject.truth[first:]
        means: dict[float, tuple[float, float]] = {}
        panel = PublishedPanel(RUN_HERE)
        parts: list[float] = []

        def errors_at(epsilon: float, *of: str) -> tuple[float, float]:
            answerer = LIBRARY.method.prepare(subject, epsilon, len(subject), LIBRARY.checked())
            seed = seed_of(given.seed, "published histogram", epsilon, *of)
            answers = answerer.draw(subject.everyone, given.repetitions, seed, given.progress.silent)[:, first:]
            errors = original(answers, truth)
            if original is _called_kantorovich and errors.any():
                parts.append(sum(unequal_masses.of_total(one, truth) for one in answers) / float(errors.sum()))
            return float(errors.mean()), deviation(errors)

        for done, epsilon in enumerate(EPSILONS):
            given.progress(done / len(EPSILONS))
            means[epsilon] = errors_at(epsilon)
            drawn, spreads = zip(*means.values(), strict=True)
            curve = PanelCurve(ERROR, Approach.GLOBAL, tuple(means), drawn, spreads, given.repetitions)
            panel = PublishedPanel(RUN_HERE, "ε", up, (curve,))
            tell((panel,))
        expected, empty = sum(map(_cut_error, truth.tolist())), float((truth == 0).sum())
        # The text tells of a run of its own, beside the one of the picture.
        text = OurValue(*errors_at(1.0, "text"), given.repetitions)
        numbers = {_EXPECTED: OurValue(expected), _EMPTY: OurValue(empty), _IN_TEXT: text}
        return FigureSide((panel,), numbers | totals(parts))

    return _PAID.figure(
        number,
        page,
        title,
        caption,
        settings=(
            ("column", "annual earnings", "annual salary of the sample"),
            ("bars", "18 from $15,789 to $300,000 (code, p. 28)", "19 from $0 to $300,000"),
            ("ε", "0.2 to 5.1, 50 values; none named on p. 28, 1 in the author's code", "0.2 to 5.1"),
            ("mechanism", "geometric, truncated (diffprivlib)", "the same"),
            ("rows", "13,000 (text); 154,648 (author's code). Here: 13,811", "13,811"),
            ("repetitions", "100", "100"),
            ("distance", *distances),
            AXES,
        ),
        values=(
            PublishedValue(
                f"{_IN_TEXT}, {unit}", text, 0.0, 100, source="p. 28", mark="ε as in the author's code", key=_IN_TEXT
            ),
            *(
                PublishedValue(f"{what}, {unit}", value, reading, 100, curve=ERROR, place=place, key=what)
                for place, value, reading in values
                if (what := f"Error at ε = {estimate(place)}")
            ),
        ),
        published=published,
        mended=_per_row(FigureSweep(MENDED, _salaries, (LIBRARY,), EPSILONS, metric)),
        differs=differs,
        seconds=2.0,
        words=words,
    )


def _per_row(sweep: FigureSweep) -> Make:
    """The same; what is moved between distributions of dollars is named in dollars per row."""

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        def named(panels: Panels) -> Panels:
            moved = sweep.metric.normalised and not given.own
            return tuple(replace(one, up="Kantorovich distance, $ per row") for one in panels) if moved else panels

        side = sweep(given, lambda panels: tell(named(panels)))
        return replace(side, panels=named(side.panels))

    return make


def _cut_error(rows: float) -> float:
    """The mean error at ε = 1 of a count that is cut at 0: of two-sided geometric noise, (1 − α)/(1 + α)·α^|z|."""
    alpha = math.exp(-1)
    above: float = alpha / (1 - alpha**2)
    # Below 0 it errs by all rows there are; Σ min(z, n)·α^z over z > 0 is α·(1 − αⁿ)/(1 − α)².
    return above * (2 - float(alpha**rows))


def _all_few() -> str:
    """The private bars that hold few rows, in their order."""
    *first, last = map(count, _FEW_THERE)
    return f"{', '.join(first)} and {last}"


def _fewer_filled(outcome: FigureOutcome) -> str:
    """Why the values are lower than the published ones: bars that are empty cannot err below 0."""
    expected, empty = (outcome.published.numbers[one].mean for one in (_EXPECTED, _EMPTY))
    filled = (_BARS - len(_FEW_THERE)) * _cut_error(math.inf)
    least, most = (filled + sum(_cut_error(rows + more) for rows in _FEW_THERE) for more in (0, 1))
    whole = outcome.together
    lower = "Values are expected to be lower here"
    if whole is not None and whole.accord is Accord.DIFFERS and whole.ours is not None and whole.ours.mean < 1:
        lower = "Values are lower here, together by more than chance allows"
    return (
        f"{lower}, because of the sample. Counts below 0 are set to 0, so an empty bar errs half as much as a full "
        f"one, and a bar of one or two rows less than a full one. At ε = 1 about {with_places(least, 1)} to "
        f"{with_places(most, 1)} rows are to be expected with the published bars, of which {count(len(_FEW_THERE))} "
        f"come out as {_all_few()}, rounded down (author's code), so that each may hold one row more, and "
        f"{with_places(expected, 1)} with those of the sample, of which {count(empty)} are empty."
    )


def _of_bars(outcome: FigureOutcome) -> str:
    """The sum of absolute differences at ε = 1, in as many digits as beside the published one."""
    found = value_at(outcome.published, ERROR, 1.0)
    return "nothing" if found is None else with_places(found.mean, 1)


FIGURE_3_5 = _by_distance(
    "Figure 3.5",
    29,
    "“Euclidean” error",
    "What is called Euclidean is the sum of the absolute differences. The Euclidean distance that the text defines is "
    "never larger for the same answers.",
    ("Σ |x − y|, called Euclidean", "√Σ (x − y)²"),
    "Σ |x − y|, rows",
    _called_euclidean,
    Metric(Distance.EUCLIDEAN),
    14.81,
    ((0.2, 78.5, 1.0), (1.0, 14.5, 0.5), (2.0, 4.9, 0.5)),
    lambda outcome: (
        f"At ε = 1 the Euclidean distance here, over {_BARS + 1} bars, is {value_text(outcome.mended, ERROR, 1.0)} "
        f"rows, and the sum of absolute differences, over {_BARS} bars, {_of_bars(outcome)} rows. Each is of answers "
        "of its own, and the former has a bar more; so at large ε, where both are nearly equal, it can come out "
        "larger. Page 28 has 14.81 and names no ε, which is 1 in the author's code; the picture shows about 14.5 at "
        "ε = 1. Both are compared with runs of their own."
    ),
    called_euclidean.FLAW.audit,
    "The text reads 14.81 as people put into a wrong bar (p. 28–29). Nobody is moved: it is the noise of all bars, "
    "added up without its signs.",
    "The text calls this figure 3.4, and the next one 3.5 (p. 29).",
    _fewer_filled,
    unit="rows",
    words={
        RUN_HERE: PanelWords("What is called Euclidean is the sum of the absolute differences."),
        MENDED: PanelWords("The Euclidean distance that the text defines."),
    },
)
_UNEQUAL = "The published distance is between histograms of unequal totals: each row too many or too few"
FIGURE_3_6 = _by_distance(
    "Figure 3.6",
    30,
    "Kantorovich error",
    f"{_UNEQUAL} counts as moved by 17 bars. In the mended version shares are compared, in dollars per row.",
    ("unequal totals: each row too many or too few moved from the first bar to the last", "between distributions"),
    "Rows × bars",
    _called_kantorovich,
    Metric(Distance.KANTOROVICH, normalised=True),
    91.63,
    ((0.2, 475.0, 5.0), (1.0, 85.0, 5.0), (2.0, 38.0, 3.0)),
    lambda outcome: (
        f"Between distributions the distance at ε = 1 is ${value_text(outcome.mended, ERROR, 1.0)} per row: that "
        "is how far each of the 13,811 rows is moved on average. The noise is the same for any number of rows: with "
        "the 154,648 of the author's code the distance would be about an eleventh."
    ),
    of_the_sample(
        "Page 28 has 91.63 and names no ε, which is 1 in the author's code; the picture shows about 85 rows × bars at "
        "ε = 1. Each is compared with a run of its own."
    ),
    totals_line,
    unit="rows × bars",
    words={
        RUN_HERE: PanelWords(f"{_UNEQUAL} counts as moved by 17 bars."),
        MENDED: PanelWords("The distance of distributions says how far a row is moved on average."),
    },
)
