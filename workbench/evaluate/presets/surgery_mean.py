"""The mean of surgery charges with global differential privacy."""

from __future__ import annotations

from types import MappingProxyType

from workbench.core.number_text import estimate
from workbench.core.progress import Progress
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.experiment_run import run
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import LOWER, SEED, UPPER, Given, Needs, Preset, PresetPart, SampleColumn, TableRows
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.evaluate.subject import ExperimentData, subject_of
from workbench.ldp.encoding import EncodingChoice

_EPSILONS = (1.0, 1 / 2, 1 / 3, 1 / 4)
_STATISTICS = (Statistic.MEAN, Statistic.SUM, Statistic.VARIANCE, Statistic.DEVIATION)
_ENGINES = ("global-grid", "global-diffprivlib")


def parts(given: Given) -> tuple[PresetPart, ...]:
    question = Question(Statistic.MEAN, given.column, EncodingChoice(bounds=given.bounds()))
    sizes = tuple(float(2**power) for power in range(3, 12))
    shared = {"question": question, "repetitions": given.repetitions, "seed": given["seed"]}
    by_rows = Experiment(
        **shared,
        methods=tuple(MethodChoice(engine, epsilon=epsilon) for engine in _ENGINES for epsilon in _EPSILONS),
        axis=Axis.USERS,
        places=sizes,
        title="Error of the mean against the size of the sample",
    )
    by_epsilon = Experiment(
        **shared,
        methods=(*map(MethodChoice, _ENGINES), MethodChoice("uniform", label="Middle of the bounds")),
        places=tuple(round(0.2 + 0.1 * step, 1) for step in range(50)),
        users=1000,
        title="Error of the mean of 1,000 rows against ε",
    )

    def statistics(material: ExperimentData, progress: Progress) -> TableRows:
        return _statistics(given, question, material, progress)

    return (
        PresetPart(
            "Mean: error against sample size",
            "Twice the rows halve the error, and so does twice the ε: the curves are parallel.",
            by_rows,
        ),
        PresetPart(
            "General statistics at ε = 1: true and private", "Errors are means over the repetitions.", table=statistics
        ),
        PresetPart(
            "Mean of 1,000 rows: error against ε, with Δ/ε",
            "The dashed line is what a formula expects: Δ/ε for diffprivlib, Δ the range over the rows.",
            by_epsilon,
        ),
    )


def _statistics(given: Given, question: Question, material: ExperimentData, progress: Progress) -> TableRows:
    """True and private statistics of all rows, with mean errors."""
    rows = [("statistic", "true", *(f"{MethodChoice(engine).name}: mean error (percent)" for engine in _ENGINES))]
    for number, statistic in enumerate(_STATISTICS):
        asked = Question(statistic, question.column, question.encoding)
        subject = subject_of(material, asked)
        cells = []
        for distance in (Distance.ABSOLUTE, Distance.PERCENT):
            found = run(
                Experiment(
                    question=asked,
                    metric=Metric(distance),
                    methods=tuple(map(MethodChoice, _ENGINES)),
                    places=(1.0,),
                    repetitions=given.repetitions,
                    seed=given["seed"],
                ),
                material,
                progress=progress.part(number / len(_STATISTICS), (number + 1) / len(_STATISTICS)),
            )
            cells.append([point.mean for point in found.points])
        errors = [f"{estimate(wrong)} ({estimate(share, 2)} %)" for wrong, share in zip(*cells, strict=True)]
        unit = f" {subject.unit}" if subject.unit else ""
        rows.append((statistic.value.replace("-", " "), f"{estimate(subject.truth[0], 8)}{unit}", *errors))
    return tuple(rows)


PLUGIN = Preset(
    "surgery-mean",
    "Mean of surgery charges",
    "The mean of a column of money with global differential privacy, against the number of rows and against ε; and "
    "true and private statistics of the whole column.",
    "The error falls like 1/n and like 1/ε. 2,048 of 200,000 rows give a mean that is good to about a hundred dollars "
    "at ε = 1.",
    "The published bounds were 0 and 1,000,000; with 0 and 125,000, as here, errors are about an eighth. The "
    "published error against ε was that of all rows, not of 1,000. Both engines are shown: diffprivlib treats the "
    "number of rows as public, grid noise protects it too. The sample is synthetic, and has no such tail as the "
    "published table.",
    "N. Holohan et al.: Diffprivlib, 2019; N. Galanis: thesis, 2021.",
    Needs.NUMBERS,
    SampleColumn("surgery_charges.csv.gz", "average total payments"),
    (LOWER, UPPER, SEED),
    MappingProxyType({"lower": "0", "upper": "125000"}),
    100,
    parts,
)
