"""Table 3.6 and figure 3.9 of the thesis: the mean that a reader computes from an anonymised release."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from workbench.core.number_text import NONE, count, estimate, exact, percent, with_places
from workbench.core.quick_reading import read_values
from workbench.evaluate.findings import Findings
from workbench.evaluate.made_hierarchies import halved_intervals, pairs_of_means
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.chapter3 import GLOBAL, LEVELS, OURS
from workbench.evaluate.published.chapter3_release_lines import (
    AT_SEVEN,
    AVERAGED,
    BY_SAMPLE,
    CHOOSING,
    COARSE,
    EPSILONS,
    INTERVALS,
    LABELS,
    PRINTED_MEAN,
    PRINTED_RESULT,
    RELEASE_LINES,
    ROWS,
    SAMPLE,
    SAMPLED,
    SEVEN,
    SIGNED,
    TAKEN,
    TRIMMED,
    TRUE_MEAN,
    averaged,
    between_levels,
    error_of,
    means_of,
)
from workbench.evaluate.published.entry import FigureInput, FigureSide, Make, Tell
from workbench.evaluate.published.frame import AXES, FigureSweep, in_decimals, table
from workbench.evaluate.published.local_runs import deviation
from workbench.evaluate.published.panel import MENDED, RUN_HERE, PanelCurve, PanelWords, PublishedPanel
from workbench.evaluate.published.setting_rows import changes_published
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.evaluate.released_groups import groups_of
from workbench.evaluate.samples import SampleColumn, TableRows
from workbench.evaluate.subject import EncodedColumn, ExperimentData, subject_of
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.simulated_reports import seed_of

NBA = SampleColumn("nba_salaries_1990.csv", "salary")
_RELEASED = GLOBAL.of(NBA, 500)
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
            left = round(epsilon - CHOOSING, 9)
            answerer = choice.method.prepare(subject, left, len(subject), choice.checked())
            seed = seed_of(given.seed, "averages", epsilon, level)
            answers = answerer.draw(subject.everyone, given.repetitions, seed, given.progress.silent)[:, 0]
            known = answers[np.isfinite(answers)]
            if len(known):
                found[level][epsilon] = OurValue(float(known.mean()), deviation(known), len(known))
        tell((_errors(given, found, float(subject.truth[0]), subject.unit),))
    return found


def _off(average: float, truth: float) -> float:
    """How far it is off; what adding in another order leaves is nothing."""
    off = abs(average - truth)
    return off if off > 1e-12 * abs(truth) else 0.0


def _errors(
    given: FigureInput, averages: Mapping[int, Mapping[float, OurValue]], truth: float, unit: str
) -> PublishedPanel:
    """How far the averages are off: on the axis of the picture, as far as that goes."""
    amounts = _amounts(given)
    # Of the sample with the usual settings those of 7 levels are known to lie far off the printed axis.
    of_yours_or_set = given.own or any(changes_published(words, "Figure 3.9") for words, _ in given.changed)
    curves = tuple(
        PanelCurve(
            means_of(level, amounts),
            Approach.ANONYMISED,
            tuple(points),
            tuple(_off(one.mean, truth) for one in points.values()),
            tuple(one.deviation for one in points.values()),
            max((one.repetitions for one in points.values()), default=1),
        )
        for level, points in averages.items()
        if level != SEVEN or of_yours_or_set
    )
    up = f"Error of the average of all releases{f', {unit}' if unit else ''}"
    return PublishedPanel(RUN_HERE, "ε", up, curves, flat=True)


def _releases(given: FigureInput, tell: Tell) -> FigureSide:
    subject = subject_of(given.material, _mean(given))
    truth = float(subject.truth[0])
    averages = level_averages(given, EPSILONS, tell, range(SEVEN, COARSE + 1))
    panel = _errors(given, averages, truth, _unit(given))
    # The user's own column has no printed axis.
    panel = panel if given.own else replace(panel, top=_AXIS)
    signed = {SIGNED.format(at): OurValue(one.mean - truth) for at, one in averages.get(COARSE, {}).items()}
    return FigureSide((panel,), {**_at_seven(averages, truth), **_labels_alone(given, truth), **signed})


def _at_seven(averages: Mapping[int, Mapping[float, OurValue]], truth: float) -> dict[str, OurValue]:
    """What every average of releases errs by at least whose labels are the coarsest of 7 levels: whole per cent."""
    errors = [100 * abs(one.mean / truth - 1) for one in averages.get(SEVEN, {}).values()] if truth else []
    return {AT_SEVEN: OurValue(float(math.floor(min(errors))))} if errors else {}


def _labels_alone(given: FigureInput, truth: float) -> dict[str, OurValue]:
    """How far the mean of the coarsest labels is off where every row is released, of the published column."""
    if given.own:
        return {}
    groups = groups_of(_in_pairs(given), {_PAIRS: COARSE})
    weights = np.bincount(groups.label_of[groups.group_of], minlength=len(groups.numbers))
    known = np.isfinite(groups.numbers)
    return {LABELS: OurValue(float(np.average(groups.numbers[known], weights=weights[known])) - truth)}


def _trimmed(epsilons: tuple[float, ...]) -> Make:
    """With public intervals, sampled and trimmed, and what a trusted curator answers."""

    def release(method: str, label: str) -> MethodChoice:
        values = {"hierarchy": "public intervals", "level": 1, "delta": "1/n"}
        return MethodChoice(method, MappingProxyType(values), label=label)

    sweep = FigureSweep(
        f"{MENDED}: error of one release",
        _mean,
        (
            release("anonymised", SAMPLED),
            release("trimmed", TRIMMED),
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
        return FigureSide(shown, {INTERVALS: OurValue(float(intervals))})

    return make


_NO_ROWS = "no release had rows"


def _as_rows(panel: PublishedPanel) -> PublishedPanel:
    """Curves of one point as a table; of what has no error why."""
    found = panel.made.points if isinstance(panel.made, Findings) else ()
    lost = {one.method for one in found if one.unanswered and one.unanswered == one.repetitions}
    why = {one.method: _NO_ROWS if one.method in lost else one.problem for one in found}
    errors = tuple(
        (one.name, f"{estimate(one.means[0], 3)} %" if one.means else why.get(one.name) or NONE) for one in panel.curves
    )
    return replace(panel, rows=(("one release, or one answer", "mean error at ε = 1"), *errors))


_WITH_ROWS = "less those that lost every row"
"""At ε = 0.2 many releases with few amounts to a label have no rows, and so no mean."""
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
    ("δ", f"1/n = 1/{count(ROWS)}", "1/n"),
    ("δ computed", "by the classical bound", "exactly"),
    ("releases", f"1,000 (p. 36), 500 in the author's code. Here: 500, {_WITH_ROWS}", f"100, {_WITH_ROWS}"),
    ("error", "of the average of all releases", "mean error of one release"),
    (
        "mechanism",
        "sampling, then groups below k are suppressed (p. 33)",
        "sampling, then groups below k are suppressed; trimming; discrete Laplace",
    ),
)


_OF_THOSE_LEFT = f"{{}} are means of {{{{}}}} releases, {_WITH_ROWS}, or answers."
_AXIS = 440_000.0
"""As far as the printed axis goes."""
_CANCELS = (
    "The average of 500 or 1,000 releases has less than a twentieth of the chance in one; the rest of its error is due "
    "to dropped groups, and to labels that count each amount once, however many rows have it."
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
            f"Error at ε = {epsilon} (here {TAKEN.lower()}), $",
            float(round(error_of(number))),
            SAMPLE,
            AVERAGED,
            curve=TAKEN,
            place=epsilon,
            source="picture; digits from the author's code",
            basis=BY_SAMPLE,
            judged=True,
            key=f"Error at ε = {epsilon}",
        )
        for number, epsilon in enumerate(EPSILONS)
    ),
    published=_releases,
    mended=_trimmed(EPSILONS),
    differs=(averaged("the error of the average"), *RELEASE_LINES, between_levels),
    seconds=2.5,
    words={
        RUN_HERE: PanelWords(_CANCELS, means=f"Points are errors of the average of {{}} releases, {_WITH_ROWS}."),
        MENDED: PanelWords(_SINGLE, frozenset(("called",)), means=_OF_THOSE_LEFT.format("Points")),
    },
)


def _one_release(given: FigureInput, tell: Tell) -> FigureSide:
    averages = level_averages(given, (1.0,), lambda panels: None, range(SEVEN, COARSE + 1))
    subject = subject_of(given.material, _mean(given))
    truth, moved = float(subject.truth[0]), ", of values moved within the bounds" if subject.beyond else ""
    mean = in_decimals(truth, 2, own=given.own)
    unit = f", {of}" if (of := _unit(given)) else ""
    found = [(means_of(level, _amounts(given)), points.get(1.0)) for level, points in reversed(averages.items())]
    rows = (
        ("run", f"Non-DP result{unit}{moved}", f"DP result{unit}"),
        *(() if given.own else (("published", with_places(PRINTED_MEAN, 2), exact(PRINTED_RESULT)),)),
        *(
            (f"here, {labels.lower()}", mean, in_decimals(one.mean, 1, own=given.own) if one else _NO_ROWS)
            for labels, one in found
        ),
    )
    numbers = {_TRUE: OurValue(truth, written=mean), **_at_seven(averages, truth), **_labels_alone(given, truth)}
    if result := averages.get(COARSE, {}).get(1.0):
        numbers[_RESULT] = replace(result, written=in_decimals(result.mean, 1, own=given.own))
    return FigureSide((table(RUN_HERE if given.own else "As printed, and run here by coarsest level", rows),), numbers)


_TRUE, _MEAN, _RESULT = "True mean", "Non-DP result (true mean)", "DP result"
_OF_RELEASES = (
    "The printed result is an average of 1,000 releases (p. 36; 500 in the author's code) and errs by "
    f"{percent(error_of(4) / TRUE_MEAN, 2)}."
)
TABLE_3_6 = _RELEASED.figure(
    "Table 3.6",
    38,
    "Released mean",
    f"{_OF_RELEASES} The mended table has the error of a single release, sampled or trimmed.",
    settings=(("ε", "1 (p. 37); 2 in the code of p. 36, 1.7 in the author's", "1"), *_NBA_SETTINGS),
    values=(
        PublishedValue(
            f"{_MEAN}, $", PRINTED_MEAN, 2_900.0, source="p. 37, 38", made=True, basis="sample ± 0.1 %", key=_TRUE
        ),
        # What it tells is its error of 8,766.
        PublishedValue(
            f"{_RESULT} (here {TAKEN.lower()}), $",
            PRINTED_RESULT,
            SAMPLE,
            AVERAGED,
            source="p. 38",
            mark="its levels are given in three ways",
            basis=f"{BY_SAMPLE}; judged against its error, {count(error_of(4))}",
            judged=True,
            scale=round(error_of(4), 2),
            key=_RESULT,
        ),
    ),
    published=_one_release,
    mended=_trimmed((1.0,)),
    differs=(
        "The text names ε = 1 (p. 37), the code that it prints 2 (p. 36), and the author's code 1.7. The result is "
        f"that of ε = 1: figure 3.9 has the same error there, {count(error_of(4))} (author's code).",
        averaged("the average"),
        *RELEASE_LINES,
    ),
    seconds=0.5,
    words={
        "As printed": PanelWords(f"{_OF_RELEASES} The first row is printed; the others are run here."),
        MENDED: PanelWords(_SINGLE, means=_OF_THOSE_LEFT.format("Errors")),
    },
)
