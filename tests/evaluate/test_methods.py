"""Each method against closed forms, the mechanism itself, or what must hold."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.sample_guarantee import Accounting, guarantee
from workbench.anonymise.sampling import Recipe, sample_generalise_suppress
from workbench.core.hierarchy import Provenance
from workbench.core.progress import SILENT
from workbench.core.randomness import SeededSource
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.experiment_run import run
from workbench.evaluate.made_hierarchies import halved_intervals, pairs_of_means
from workbench.evaluate.method import METHODS, MethodChoice
from workbench.evaluate.method_histograms import bars
from workbench.evaluate.question import Distance, Metric, Question, Statistic, metrics_for
from workbench.evaluate.subject import ExperimentData, subject_of
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.protocol import PROTOCOLS

BINS = EncodingChoice(how=EncodingKind.BINS, bins=10, bounds=(0.0, 100.0))
SMOKES = Question(Statistic.COUNT, "smokes", EncodingChoice(answer="yes"))


def found(
    material: ExperimentData, question: Question, *methods: MethodChoice, epsilon: float = 1.0, **more: object
) -> list:
    """The points of each method at one ε."""
    start = Experiment(
        question=question,
        metric=metrics_for(question.statistic)[0],
        methods=methods,
        places=(epsilon,),
        repetitions=400,
    )
    return list(run(replace(start, **more), material).points)


def choice(protocol: str, **values: object) -> MethodChoice:
    return MethodChoice("local", {"protocol": protocol, **values})


@pytest.mark.parametrize("figure", list(Statistic))
def test_every_approach_answers_every_figure_or_says_why(humps: ExperimentData, figure: Statistic) -> None:
    column = "smokes" if figure is Statistic.COUNT else "age"
    question = Question(figure, column, replace(BINS, answer="yes") if figure is Statistic.COUNT else BINS)
    plain = [MethodChoice(method.identifier) for method in METHODS if method.identifier != "coins-published"]
    for point in found(humps, question, *plain, repetitions=30):
        unfound = figure in (Statistic.COUNT, Statistic.HISTOGRAM, Statistic.QUANTILE) and "found first" in point.method
        missing = unfound or (figure is Statistic.COUNT and point.method.startswith(("Sampled", "Trimmed")))
        assert bool(point.problem) == missing, point
        if not missing:
            assert 0 <= point.low <= point.mean <= point.high


@pytest.mark.parametrize("protocol", [one.identifier for one in PROTOCOLS])
def test_every_local_protocol_answers_something(humps: ExperimentData, protocol: str) -> None:
    binary = PROTOCOLS[protocol].maximum_domain == 2
    mean = PROTOCOLS[protocol].family.value == "mean"
    question = SMOKES if binary else Question(Statistic.MEAN if mean else Statistic.HISTOGRAM, "age", BINS)
    point = found(humps, question, choice(protocol), repetitions=20, users=500)[0]
    assert point.problem == ""
    assert point.mean > 0


@pytest.mark.parametrize("figure", [Statistic.MEAN, Statistic.SUM, Statistic.COUNT, Statistic.HISTOGRAM])
@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_global_errors_agree_with_their_formulas(humps: ExperimentData, figure: Statistic, epsilon: float) -> None:
    question = SMOKES if figure is Statistic.COUNT else Question(figure, "age", BINS)
    for point in found(
        humps,
        question,
        MethodChoice("global-grid"),
        MethodChoice("global-diffprivlib"),
        epsilon=epsilon,
        metric=Metric(Distance.ABSOLUTE),
        repetitions=2000,
    ):
        closed = point.method == "Global DP, discrete noise" or figure in (Statistic.MEAN, Statistic.SUM)
        assert math.isfinite(point.theory) == closed
        if closed:
            # The mean of 2,000: five standard errors, one false alarm in a million.
            assert abs(point.mean - point.theory) < 5 * point.error_of_mean


def test_the_tool_of_diffprivlib_has_the_error_range_over_rows_and_epsilon(humps: ExperimentData) -> None:
    point = found(humps, Question(Statistic.MEAN, "age"), MethodChoice("global-diffprivlib"), epsilon=0.5)[0]
    assert point.theory == pytest.approx(100 / 3000 / 0.5)


@pytest.mark.parametrize("protocol", ["rr", "grr", "oue", "olh"])
def test_local_counts_agree_with_their_exact_variance(humps: ExperimentData, protocol: str) -> None:
    point = found(humps, SMOKES, choice(protocol, estimator="unbiased", postprocess="none"), repetitions=1000)[0]
    assert abs(point.mean - point.theory) < 5 * point.error_of_mean
    e = math.e
    if protocol == "rr":
        p = e / (1 + e)
        assert point.theory == pytest.approx(math.sqrt(2 / math.pi * 3000 * p * (1 - p)) / (2 * p - 1), rel=1e-6)


@pytest.mark.parametrize("users", [3000, 20_000])
def test_local_means_agree_with_their_exact_variance(humps: ExperimentData, users: int) -> None:
    for point in found(
        humps, Question(Statistic.MEAN, "age"), choice("pm"), choice("hm"), users=users, repetitions=200
    ):
        assert point.mean == pytest.approx(point.theory, rel=0.2)


def test_half_of_the_error_takes_four_times_the_people(humps: ExperimentData) -> None:
    question = Question(Statistic.HISTOGRAM, "age", BINS)
    shared = {"axis": Axis.USERS, "metric": Metric(Distance.MANHATTAN, True), "repetitions": 300}
    start = Experiment(question=question, methods=(choice("oue", postprocess="none"),), places=(750.0, 3000.0))
    few, many = run(replace(start, **shared), humps).points
    assert few.mean / many.mean == pytest.approx(2.0, rel=0.1)


def test_several_rows_of_a_person_share_epsilon(humps: ExperimentData) -> None:
    three = replace(humps.schema.unit, rows_per_person=3)
    shared = replace(humps, schema=replace(humps.schema, unit=three), key="three rows")
    mean = Question(Statistic.MEAN, "age", BINS)
    for method in (MethodChoice("global-grid"), MethodChoice("global-diffprivlib"), choice("duchi"), choice("oue")):
        one = found(humps, mean, method, epsilon=0.3)[0]
        three_rows = found(shared, mean, method, epsilon=0.9)[0]
        assert three_rows.mean == pytest.approx(one.mean, rel=0.25)
    promised = guarantee(epsilon=0.9, delta=1e-5, rows_per_person=3)
    point = found(shared, mean, MethodChoice("anonymised"), epsilon=0.9)[0]
    assert point.epsilon == promised.epsilon == 0.9


def test_simulated_releases_are_those_of_the_mechanism(humps: ExperimentData) -> None:
    """Class by class, binomials must do what sampling rows, generalising and suppressing do."""
    promised = guarantee(epsilon=0.8, delta=1e-4, accounting=Accounting.EXACT)
    recipe = Recipe((ColumnPlan("age", Treatment.GENERALISE, 0),), promised.beta, promised.k)
    truth = float(humps.table["age"].codes.mean())
    errors = []
    for seed in range(300):
        column = sample_generalise_suppress(humps.table, recipe, humps.hierarchies, SeededSource(seed)).release["age"]
        errors.append(abs(float(column.counts @ np.array(column.values, float)) / column.counts.sum() - truth))
    # Ages of about k/β people survive sometimes, so both halves of the mechanism matter.
    release = MethodChoice("anonymised", {"delta": "1e-4", "level": 0})
    point = found(humps, Question(Statistic.MEAN, "age"), release, epsilon=0.8)[0]
    spread = math.hypot(point.error_of_mean, float(np.std(errors)) / math.sqrt(len(errors)))
    assert abs(point.mean - float(np.mean(errors))) < 5 * spread


def test_a_release_that_keeps_every_class_is_wrong_by_its_labels_alone(humps: ExperimentData) -> None:
    subject = subject_of(humps, Question(Statistic.HISTOGRAM, "age", replace(BINS, bins=10)))
    answerer = METHODS["anonymised"].prepare(
        subject, 5.0, 3000, MethodChoice("anonymised", {"beta": "0.5", "delta": "0.5"}).checked()
    )
    answers = answerer.draw(subject.everyone, 50, np.random.SeedSequence(1), SILENT)
    # Bins and labels are the same tens, so only the sampling remains, which the reader makes up for.
    kept = subject.truth >= 200
    assert answers.mean(axis=0)[kept] == pytest.approx(subject.truth[kept], rel=0.1)


def test_a_hierarchy_made_from_the_data_voids_the_claim(humps: ExperimentData) -> None:
    ages, spec = humps.table["age"], humps.schema["age"]
    pairs, halves = pairs_of_means(ages, spec, 4), halved_intervals(ages, spec, (0.0, 100.0), 8)
    assert pairs.provenance is Provenance.DERIVED
    assert halves.provenance is Provenance.PUBLIC
    used = int((ages.counts > 0).sum())
    assert pairs.groups()[1] >= math.ceil(used / 2)
    assert [len(set(one) - {"*"}) for one in halves.labels[1:]] == [8, 4, 2, 0]
    material = replace(humps, hierarchies={**humps.hierarchies, "pairs": pairs, "halves": halves})
    start = Experiment(
        question=Question(Statistic.MEAN, "age"),
        methods=tuple(MethodChoice("anonymised", {"hierarchy": name}) for name in ("pairs", "halves", "age")),
        places=(1.0,),
        repetitions=5,
    )
    derived, public, own = run(start, material).series
    assert any("No (ε, δ) claim" in note for note in derived.notes)
    assert not any("No (ε, δ) claim" in note for note in (*public.notes, *own.notes))


def test_classical_accounting_suppresses_more(humps: ExperimentData) -> None:
    question = Question(Statistic.HISTOGRAM, "age", BINS)
    exact, classical, best = found(
        humps,
        question,
        MethodChoice("anonymised", {"accounting": "exact", "level": 0}),
        MethodChoice("anonymised", {"accounting": "classical", "level": 0}),
        MethodChoice("anonymised", {"beta": "best", "level": 0}),
        epsilon=1.0,
    )
    assert best.mean < exact.mean < classical.mean


def test_uniform_guess_knows_bounds_and_nothing_else(humps: ExperimentData) -> None:
    truth = float(humps.table["age"].codes.mean())
    point = found(humps, Question(Statistic.MEAN, "age"), MethodChoice("uniform"))[0]
    assert point.mean == point.low == point.high == pytest.approx(abs(50 - truth))


def test_coins_that_are_never_debiased_stay_wrong(humps: ExperimentData) -> None:
    share = float(humps.table["smokes"].codes.mean())
    point = found(humps, SMOKES, MethodChoice("coins-published"), metric=Metric(Distance.ABSOLUTE, True))[0]
    assert point.mean == pytest.approx(0.25 - share / 2, rel=0.05)
    assert point.epsilon == pytest.approx(math.log(3))


def test_bars_stand_beside_the_truth(humps: ExperimentData) -> None:
    start = Experiment(
        question=Question(Statistic.HISTOGRAM, "age", BINS),
        metric=Metric(Distance.EUCLIDEAN),
        methods=(MethodChoice("global-grid"), choice("oue"), choice("duchi")),
        places=(1.0,),
        repetitions=60,
    )
    shown = bars(start, humps)
    assert shown.truth.sum() == 3000
    exact, local, nothing = shown.bars
    assert np.abs(exact.mean - shown.truth).max() < 2
    assert np.abs(exact.mean - shown.truth).sum() < np.abs(local.mean - shown.truth).sum()
    assert (exact.low <= exact.high).all()
    assert "mean" in nothing.problem
    again = bars(start, humps)
    assert (again.bars[1].mean == local.mean).all()
    assert len(shown.table()) == 11
