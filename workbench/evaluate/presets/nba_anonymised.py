"""The mean of NBA salaries from an anonymised release."""

from __future__ import annotations

from types import MappingProxyType

from workbench.core.params import ParamSpec, ParamType
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.made_hierarchies import halved_intervals, pairs_of_means
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import LOWER, SEED, UPPER, Given, Needs, Preset, PresetPart, SampleColumn
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.evaluate.subject import subject_of
from workbench.ldp.encoding import EncodingChoice

_PUBLISHED = tuple(round(0.2 * step, 1) for step in range(1, 9))
_BEYOND = tuple(round(0.2 * step, 1) for step in range(9, 16))
_PAIRS, _PUBLIC = "pairs of means", "public intervals"


def parts(given: Given) -> tuple[PresetPart, ...]:
    question = Question(Statistic.MEAN, given.column, EncodingChoice(bounds=given.bounds()))
    column, spec = given.material.table[given.column], given.material.schema[given.column]
    bounds = subject_of(given.material, question).bounds
    hierarchies = {
        _PAIRS: pairs_of_means(column, spec, 7),
        _PUBLIC: halved_intervals(column, spec, bounds, given["intervals"]),
    }
    level = given["level"]

    def release(hierarchy: str, at: int, label: str, **more: object) -> MethodChoice:
        values = {"hierarchy": hierarchy, "level": at, "delta": "1/n", **more}
        return MethodChoice("anonymised", MappingProxyType(values), label=label)

    def experiment(*methods: MethodChoice) -> Experiment:
        return Experiment(
            question=question,
            metric=Metric(Distance.PERCENT),
            methods=methods,
            places=(*_PUBLISHED, *_BEYOND),
            repetitions=given.repetitions,
            seed=given["seed"],
            title="Error of the mean against ε, δ = 1/n",
        )

    baselines = (
        MethodChoice("global-grid"),
        MethodChoice("sample", MappingProxyType({"rate": 0.5}), label="Half of the rows, no privacy"),
    )
    return (
        PresetPart(
            "Pairs of means (as published): no claim",
            "The hierarchy was made by sorting the data and averaging pairs, so there is no (ε, δ) claim, whatever "
            "the axis says. k grows with ε, so groups of one size survive in the middle of the axis only.",
            experiment(
                release(_PAIRS, level, f"Pairs of means, level {level}", accounting="classical"),
                release(_PAIRS, level - 1, f"Pairs of means, level {level - 1}", accounting="classical"),
                *baselines,
            ),
            hierarchies=hierarchies,
        ),
        PresetPart(
            "Public intervals: the claim holds",
            "The same with intervals between public bounds. Exact accounting needs a smaller k than the classical "
            "theorem, and the best β a smaller group, so fewer of the rare high salaries are dropped.",
            experiment(
                release(_PUBLIC, 1, "Public intervals, classical", accounting="classical"),
                release(_PUBLIC, 1, "Public intervals, exact"),
                release(_PUBLIC, 1, "Public intervals, exact, best β", beta="best"),
                *baselines,
            ),
            hierarchies=hierarchies,
        ),
    )


PLUGIN = Preset(
    "nba-anonymised",
    "NBA salaries from an anonymised release",
    "The mean salary that a reader computes from a release by sampling + k-suppression, ε 0.2 to 3, δ = 1/n.",
    "Labels that are means keep the answer close while groups survive, but make the claim void. With public intervals "
    "the claim holds; the error is that of the intervals' middles and of the rare high salaries that are dropped. With "
    "the usual β = 1 − e^−ε, k grows with ε and the error rises again; with the best β it falls.",
    "The published error is that of the average of 500 to 1,000 releases; here it is the average error of one. "
    "Published ε end at 1.6, because the tool took too long for more; here they go to 3. It used one k more than the "
    "theorem needs and released other columns ungrouped, which voids the claim by itself. Each row counts as a person "
    "here as there, although a player has up to 20 rows. The sample is synthetic.",
    "R. Bild, K. Kuhn, F. Prasser: SafePub, 2018; N. Galanis: thesis, 2021.",
    Needs.NUMBERS,
    SampleColumn("nba_salaries.csv", "salary"),
    (
        LOWER,
        UPPER,
        ParamSpec(
            "level", "Level of the pairs", ParamType.INTEGER, 6, "2 to 6; each joins two groups.", minimum=2, maximum=6
        ),
        ParamSpec("intervals", "Public intervals", ParamType.INTEGER, 64, "At their finest.", minimum=2, maximum=4096),
        SEED,
    ),
    MappingProxyType({"lower": "0", "upper": "40000000"}),
    100,
    parts,
)
