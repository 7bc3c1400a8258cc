"""Table 3.6 and figure 3.9 of the thesis: the mean that a reader computes from an anonymised release."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from workbench.anonymise.sample_guarantee import guarantee
from workbench.core.number_text import count, estimate, exact, percent, with_places
from workbench.core.quick_reading import read_values
from workbench.evaluate.made_hierarchies import halved_intervals, pairs_of_means
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.chapter3 import GLOBAL, LEVELS, OURS
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Make, Tell
from workbench.evaluate.published.frame import AXES, FigureSweep, Line, table
from workbench.evaluate.published.local_runs import deviation
from workbench.evaluate.published.panel import MENDED, RUN_HERE, PanelCurve, PanelWords, PublishedPanel
from workbench.evaluate.published.winners import told_apart
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.evaluate.released_groups import groups_of
from workbench.evaluate.samples import SampleColumn, TableRows
from workbench.evaluate.subject import EncodedColumn, ExperimentData, subject_of
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.simulated_reports import seed_of

NBA = SampleColumn("nba_salaries_1990.csv", "salary")
_RELEASED = GLOBAL.of(NBA, 500)
_PUBLISHED_MEANS = (
    *(2_447_509.4905, 2_580_120.4023, 2_742_689.1789, 2_857_291.0017, 2_860_215.6928),
    *(2_870_191.0069, 2_863_787.4636, 2_874_546.3281),
)
_TRUE_MEAN, _PRINTED_MEAN, _PRINTED_RESULT = 2_868_981.3233, 2_868_981.32, 2_860_215.6
"""Of the author's code, and as pages 37 and 38 print it, with what a reader of the releases computes."""
_ROWS = 12_377
_EPSILONS = tuple(round(0.2 * step, 1) for step in range(1, 9))
_SEVEN, _FINE, _COARSE = 5, 6, 8
"""Levels above the values: the coarsest means of 7 levels, the finest ones that are drawn, the coarsest of 10."""
_AT_SEVEN, _LABELS = "Least error with 7 levels, %", "Error of the labels alone, $"
_CHOOSING = 0.1
"""What the other tool takes from ε for choosing a level, by its default; the rest is the release's."""
_SAMPLE = 28_690.0
"""How far another sample may be off: 1 % of the mean."""
_BY_SAMPLE = "another sample: 1 % of the mean"


def _means_of(level: int, amounts: float = math.inf) -> str:
    """Description of the labels of a level above the values: means of 2^`level` amounts, which more rows may have.

    Where there are no more different amounts than that, one label is the mean of all of them.
    """
    return f"Means of {count(2**level)} amounts" if 2**level < amounts else f"Mean of all {count(amounts)} amounts"


_TAKEN = _means_of(_COARSE)
_PAIRS = "pairs of means"


def _mean(given: FigureInput) -> Question:
    return Question(Statistic.MEAN, given.column, EncodingChoice(bounds=given.bounds((0.0, 40_000_000.0))))


def _unit(given: FigureInput) -> str:
    """Of the answers: that of the user's own column, which may have none."""
    return subject_of(given.material, _mean(given)).unit or ("" if given.own else "$")


def _in_pairs(given: FigureInput) -> EncodedColumn:
    """The column with means of pairs as a hierarchy."""
    column, spec = given.material.table[given.column], given.material.schema[given.column]
    made = {_PAIRS: pairs_of_means(column, spec, 12)}
    material = ExperimentData(given.material.table, given.material.schema, made, given.material.key)
    return subject_of(material, _mean(given))


def _amounts(given: FigureInput) -> int:
    """How many different amounts the column has."""
    column = given.material.table[given.column]
    numbers = read_values(column.values, given.material.schema[given.column])[column.counts > 0]
    return len(np.unique(numbers[np.isfinite(numbers)]))


def level_averages(
    given: FigureInput, epsilons: tuple[float, ...], tell: Tell, levels: Sequence[int]
) -> dict[int, dict[float, OurValue]]:
    """The average of all releases, as it was published, for levels of pairs of means and what is left of each ε.

    Of levels on which one label is the mean of all amounts only the finest is made: the others are the same.
    """
    subject, level, amounts = _in_pairs(given), given.values.get("level"), _amounts(given)
    wanted = levels if level is None else (level,)
    found: dict[int, dict[float, OurValue]] = {
        one: {} for one in wanted if one == wanted[0] or 2 ** (one - 1) < amounts
    }
    for number, epsilon in enumerate(epsilons):
        for level in found:
            given.progress((number + level / 100) / len(epsilons))
            values = {"hierarchy": _PAIRS, "level": level, "delta": "1/n", "accounting": "classical"}
            choice = MethodChoice("anonymised", values)
            left = round(epsilon - _CHOOSING, 9)
            answerer = choice.method.prepare(subject, left, len(subject), choice.checked())
            seed = seed_of(given.seed, "averages", epsilon, level)
            answers = answerer.draw(subject.everyone, given.repetitions, seed, given.progress.silent)[:, 0]
            known = answers[np.isfinite(answers)]
            if len(known):
                found[level][epsilon] = OurValue(float(known.mean()), deviation(known), given.repetitions)
        tell((_errors(given, found, float(subject.truth[0]), subject.unit),))
    return found


def _errors(
    given: FigureInput, averages: Mapping[int, Mapping[float, OurValue]], truth: float, unit: str
) -> PublishedPanel:
    """How far the averages are off: on the axis of the picture, as far as that goes."""
    amounts = _amounts(given)
    curves = tuple(
        PanelCurve(
            _means_of(level, amounts),
            Approach.ANONYMISED,
            tuple(points),
            tuple(abs(one.mean - truth) for one in points.values()),
            tuple(one.deviation for one in points.values()),
            max((one.repetitions for one in points.values()), default=1),
        )
        for level, points in averages.items()
        if given.own or level != _SEVEN or len(averages) == 1  # far off the printed axis
    )
    up = f"Error of the average of all releases{f', {unit}' if unit else ''}"
    return PublishedPanel(RUN_HERE, "ε", up, curves, flat=True)


def _releases(given: FigureInput, tell: Tell) -> FigureSide:
    subject = subject_of(given.material, _mean(given))
    truth = float(subject.truth[0])
    averages = level_averages(given, _EPSILONS, tell, range(_SEVEN, _COARSE + 1))
    panel = _errors(given, averages, truth, _unit(given))
    # The user's own column has no printed axis.
    panel = panel if given.own else replace(panel, top=_AXIS)
    return FigureSide((panel,), {**_at_seven(averages, truth), **_labels_alone(given, truth)})


def _at_seven(averages: Mapping[int, Mapping[float, OurValue]], truth: float) -> dict[str, OurValue]:
    """What every average of releases errs by at least whose labels are the coarsest of 7 levels: whole per cent."""
    errors = [100 * abs(one.mean / truth - 1) for one in averages.get(_SEVEN, {}).values()]
    return {_AT_SEVEN: OurValue(float(math.floor(min(errors))))} if errors else {}


def _labels_alone(given: FigureInput, truth: float) -> dict[str, OurValue]:
    """How far the mean of the coarsest labels is off where every row is released, of the published column."""
    if given.own:
        return {}
    groups = groups_of(_in_pairs(given), {_PAIRS: _COARSE})
    weights = np.bincount(groups.label_of[groups.group_of], minlength=len(groups.numbers))
    known = np.isfinite(groups.numbers)
    return {_LABELS: OurValue(float(np.average(groups.numbers[known], weights=weights[known])) - truth)}


def _trimmed(epsilons: tuple[float, ...]) -> Make:
    """With public intervals, sampled and trimmed, and what a trusted curator answers."""

    def release(method: str, label: str) -> MethodChoice:
        values = {"hierarchy": "public intervals", "level": 1, "delta": "1/n"}
        return MethodChoice(method, MappingProxyType(values), label=label)

    sweep = FigureSweep(
        f"{MENDED}: error of one release",
        _mean,
        (
            release("anonymised", _SAMPLED),
            release("trimmed", _TRIMMED),
            OURS,
        ),
        epsilons,
        Metric(Distance.PERCENT),
        repetitions=100,
    )

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        column, spec = given.material.table[given.column], given.material.schema[given.column]
        bounds = subject_of(given.material, _mean(given)).bounds
        intervals = given.values.get("intervals", 64)
        made = {"public intervals": halved_intervals(column, spec, bounds, intervals)}
        material = ExperimentData(given.material.table, given.material.schema, made, given.material.key)
        panels = sweep(replace(given, material=material), tell).panels
        shown = panels if len(epsilons) > 1 else tuple(map(_as_rows, panels))
        return FigureSide(shown, {_INTERVALS: OurValue(float(intervals))})

    return make


def _as_rows(panel: PublishedPanel) -> PublishedPanel:
    """Curves of one point as a table."""
    errors = tuple((curve.name, f"{estimate(curve.means[0], 3)} %") for curve in panel.curves if curve.means)
    return replace(panel, rows=(("one release, or one answer", "mean error at ε = 1"), *errors))


_SAMPLED, _TRIMMED, _INTERVALS = "Sampled release", "Trimmed release", "Public intervals"


def _rises(curve: PanelCurve | None) -> str:
    """Whether sampling errs more at the largest ε than at 1, and why."""
    ends = [curve.at(one) for one in (1.0, _EPSILONS[-1])] if curve is not None else []
    if len(ends) < 2 or not all(ends) or not told_apart(*reversed([one for one in ends if one is not None])):
        return ""
    sampled = [guarantee(epsilon=one, delta=1 / _ROWS) for one in (1.0, _EPSILONS[-1])]
    rows = [one.k / one.beta for one in sampled]
    return (
        f" Above ε = 1 sampling errs more again: about k/β rows are needed for a group to survive, {count(rows[0])} at "
        f"ε = 1 and {count(rows[1])} at ε = {exact(_EPSILONS[-1])}."
    )


def _one_release_errs(outcome: FigureOutcome) -> str:
    errors = {curve.name: found.mean for curve in outcome.mended.panels[0].curves if (found := curve.at(1.0))}
    sampled, trimmed = errors.get(_SAMPLED), errors.get(_TRIMMED)
    many = outcome.mended.numbers.get(_INTERVALS)
    some = f"With {count(many.mean)} public intervals" if many is not None else "With public intervals"
    if sampled is None or trimmed is None:
        errs = f"{some} one release was not made at ε = 1."
    else:
        errs = (
            f"{some} a trimmed release at ε = 1 errs by {estimate(trimmed, 3)} %, a sampled one by "
            f"{estimate(sampled, 3)} %; that depends on their width."
        )
    several = any(len(curve.places) > 1 for curve in outcome.mended.panels[0].curves)
    rises = _rises(next((one for one in outcome.mended.panels[0].curves if one.name == _SAMPLED), None))
    rises = rises if several else ""
    return (
        f"{errs} Trimming drops a few rows of each group (here their mean number is added back), of a small one all; "
        f"sampling drops a share of all rows, and then every group of fewer than k.{rises}"
    )


def _all_of(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _between_levels(outcome: FigureOutcome) -> str:
    """Where the published error lies among those of the levels, and where it is too small to be checked."""
    below: list[str] = []
    small: list[str] = []
    between: dict[str, list[str]] = {}
    for number, epsilon in enumerate(_EPSILONS):
        curves = outcome.published.panels[0].curves
        found = [
            (one.mean - _error_of(number), int(curve.name.split()[2])) for curve in curves if (one := curve.at(epsilon))
        ]
        taken = next((one.at(epsilon) for one in curves if one.name == _TAKEN), None)
        if taken is not None and max(taken.mean, _error_of(number)) < _SAMPLE:
            small.append(exact(epsilon))
        fine, coarse = ([many for off, many in found if sign * off > _SAMPLE] for sign in (1, -1))
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
            f"At ε = {_all_of(small)} the published error and ours ({_TAKEN.lower()}) are both below 1 % of the mean; "
            "how far below depends on the amounts and on how many rows have each, which is different here."
        )
    return " ".join(said)


def _levels_line(outcome: FigureOutcome) -> str:
    least = outcome.published.numbers.get(_AT_SEVEN)
    one = len(outcome.published.panels[0].curves) == 0  # the table has one ε, and the figure the least of several
    by = "by at least {} % at ε = 1" if one else "by at least {} % at every ε"
    alone, labels = outcome.published.numbers.get(_LABELS), ""
    if alone is not None:
        labels = (
            " A label counts each amount once, however many rows have it: with every row released, "
            f"{_TAKEN.lower()} are ${count(round(abs(alone.mean)))} too {'high' if alone.mean > 0 else 'low'}, while "
            "the text expects a perfect result without suppression (p. 38)."
        )
    errs = "" if least is None else f", and the average errs {by.format(count(least.mean))}"
    return (
        "The text has 7 levels (p. 35) or 4 (p. 34), the author's code 10. With 7, the coarsest means are of "
        f"{count(2**_SEVEN)} amounts{errs}; so 10 are taken here, whose coarsest means are of {count(2**_COARSE)}."
        f"{labels}"
    )


def _averaged(what: str) -> str:
    """Sentence on what of many releases is published."""
    return (
        f"What is published is {what} of 1,000 releases (p. 36; 500 in the author's code). A reader of one release "
        "does not have that average; and 1,000 releases cost, added up, 1,000 times the ε and the δ of one."
    )


_RELEASE_LINES: tuple[Line, ...] = (
    _levels_line,
    "Labels that are means of the data (p. 34), and columns released as they are (p. 39), void the claim of (ε, δ).",
    _one_release_errs,
)
_NBA_SETTINGS: TableRows = (
    ("labels", "means of neighbouring amounts: made from the data", "public intervals"),
    (
        "levels",
        f"{LEVELS}; the tool chooses one for each release, and takes 0.1 from ε for that (its default). "
        "Here: the coarsest of 7, 8, 9 and 10, each with what is left of ε",
        "the finest of the public intervals",
    ),
    (
        "other columns",
        "released as they are (p. 39), the team generalised (author's code). Here: left out",
        "left out",
    ),
    ("δ", f"1/n = 1/{count(_ROWS)}", "1/n"),
    ("δ computed", "by the classical bound", "exactly"),
    ("releases", "1,000 (p. 36), 500 in the author's code. Here: 500", "100"),
    ("error", "of the average of all releases", "mean error of one release"),
    (
        "mechanism",
        "sampling, then groups below k are suppressed (p. 33)",
        "sampling, then groups below k are suppressed; trimming; discrete Laplace",
    ),
)


def _error_of(number: int) -> float:
    """How far a published average is off."""
    return abs(_PUBLISHED_MEANS[number] - _TRUE_MEAN)


_AXIS = 440_000.0
"""As far as the printed axis goes."""
_CANCELS = (
    "In the average of 500 or 1,000 releases chance nearly cancels out; what remains is due to dropped groups, and "
    "to labels that count each amount once, however many rows have it."
)
_SINGLE = "The error of one release with public intervals, sampled or trimmed, and of one answer by discrete noise."
FIGURE_3_9 = _RELEASED.figure(
    "Figure 3.9",
    38,
    "Error of the released mean, by ε",
    f"{_CANCELS} The mended chart has the error of a single release, sampled or trimmed.",
    settings=(
        ("ε", "0.2 to 1.6", "the same"),
        *_NBA_SETTINGS,
        (
            "drawn",
            "in dollars, up to 440,000. Here: ours are cut off there, and those of 7 levels, all beyond, left out",
            "in % of the mean",
        ),
        ("called", "figure 3.9 below the picture, 3.8 in the text (p. 38)", "figure 3.9"),
        AXES,
    ),
    values=tuple(
        PublishedValue(
            f"Error at ε = {epsilon} (here {_TAKEN.lower()}), $",
            float(round(_error_of(number))),
            _SAMPLE,
            curve=_TAKEN,
            place=epsilon,
            source="picture; digits from the author's code",
            basis=_BY_SAMPLE,
            judged=True,
            key=f"Error at ε = {epsilon}",
        )
        for number, epsilon in enumerate(_EPSILONS)
    ),
    published=_releases,
    mended=_trimmed(_EPSILONS),
    differs=(_averaged("the error of the average"), *_RELEASE_LINES, _between_levels),
    seconds=2.5,
    words={
        RUN_HERE: PanelWords(_CANCELS, means="Points are errors of the average of {} releases."),
        MENDED: PanelWords(_SINGLE, frozenset(("called",))),
    },
)


def _one_release(given: FigureInput, tell: Tell) -> FigureSide:
    averages = level_averages(given, (1.0,), lambda panels: None, range(_SEVEN, _COARSE + 1))
    truth = float(subject_of(given.material, _mean(given)).truth[0])
    mean = with_places(truth, 2)
    unit = f", {of}" if (of := _unit(given)) else ""
    found = [(_means_of(level, _amounts(given)), points[1.0]) for level, points in reversed(averages.items()) if points]
    rows = (
        ("run", f"Non-DP result{unit}", f"DP result{unit}"),
        *(() if given.own else (("published", with_places(_PRINTED_MEAN, 2), exact(_PRINTED_RESULT)),)),
        *((f"here, {labels.lower()}", mean, with_places(one.mean, 1)) for labels, one in found),
    )
    numbers = {_TRUE: OurValue(truth, written=mean), **_at_seven(averages, truth), **_labels_alone(given, truth)}
    if result := averages.get(_COARSE, {}).get(1.0):
        numbers[_RESULT] = replace(result, written=with_places(result.mean, 1))
    return FigureSide((table(RUN_HERE if given.own else "As printed, and run here by coarsest level", rows),), numbers)


_TRUE, _MEAN, _RESULT = "True mean", "Non-DP result (true mean)", "DP result"
_OF_RELEASES = (
    "The printed result is an average of 1,000 releases (p. 36; 500 in the author's code) and errs by "
    f"{percent(_error_of(4) / _TRUE_MEAN, 2)}."
)
TABLE_3_6 = _RELEASED.figure(
    "Table 3.6",
    38,
    "Released mean",
    f"{_OF_RELEASES} The mended table has the error of a single release, sampled or trimmed.",
    settings=(("ε", "1 (p. 37); 2 in the code of p. 36, 1.7 in the author's", "1"), *_NBA_SETTINGS),
    values=(
        PublishedValue(
            f"{_MEAN}, $", _PRINTED_MEAN, 2_900.0, source="p. 37, 38", made=True, basis="sample ± 0.1 %", key=_TRUE
        ),
        # What it tells is its error of 8,766.
        PublishedValue(
            f"{_RESULT} (here {_TAKEN.lower()}), $",
            _PRINTED_RESULT,
            _SAMPLE,
            source="p. 38",
            mark="its levels are given in three ways; another sample may be off by more than its error of "
            f"{count(_error_of(4))}",
            basis="another sample: ± 29,000",
            judged=True,
            scale=round(_error_of(4), 2),
            key=_RESULT,
        ),
    ),
    published=_one_release,
    mended=_trimmed((1.0,)),
    differs=(
        "The text names ε = 1 (p. 37), the code that it prints 2 (p. 36), and the author's code 1.7. The result is "
        f"that of ε = 1: figure 3.9 has the same error there, {count(_error_of(4))} (author's code).",
        _averaged("the average"),
        *_RELEASE_LINES,
    ),
    seconds=0.5,
    words={
        "As printed": PanelWords(f"{_OF_RELEASES} The first row is printed; the others are run here."),
        MENDED: PanelWords(_SINGLE),
    },
)
