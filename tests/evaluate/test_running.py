"""Runs: the same bits whatever else is done, nothing twice, told, paused and stopped."""

from __future__ import annotations

import math
import re
import threading
import weakref
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from tests.evaluate.verdict_helpers import headline_words
from workbench.core.errors import WorkbenchError
from workbench.core.garbage import no_garbage_collection
from workbench.core.number_text import estimate, margin_down
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.schema import Schema
from workbench.evaluate import cell, experiment_run
from workbench.evaluate.cell_result import CellResult
from workbench.evaluate.enough import error_limit, sampling_bound
from workbench.evaluate.enough_words import least_words
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis, Basis, Experiment, Truth
from workbench.evaluate.experiment_run import Gate, known, refusals, run
from workbench.evaluate.findings import Findings, crossings
from workbench.evaluate.left_out import left_out_words
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.moved_shapes import moved_shares
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.evaluate.result_reading import SAMPLED_IN
from workbench.evaluate.store import ResultStore
from workbench.evaluate.subject import EncodedColumn, ExperimentData, subject_of
from workbench.evaluate.tile_words import why_words
from workbench.evaluate.verdict import verdict
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.plots.comparison import ComparisonData, caption

AGES = Question(Statistic.HISTOGRAM, "age", EncodingChoice(how=EncodingKind.BINS, bins=10, bounds=(0.0, 100.0)))
MANY = ("global-grid", "anonymised", "grr", "oue", "square-wave", "sample", "uniform")


def experiment(*methods: str, **more: object) -> Experiment:
    start = Experiment(
        question=AGES,
        metric=Metric(Distance.MANHATTAN, True),
        methods=tuple(map(MethodChoice.parse, methods or MANY)),
        axis=Axis.USERS,
        places=(100.0, 1000.0, 4000.0),
        repetitions=25,
    )
    return replace(start, **more)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float, int]]:
    """Every block of repetitions that is run."""
    run_blocks: list[tuple[str, float, int]] = []
    before = cell.ExperimentCell.block

    def block(self: cell.ExperimentCell, answerer: object, number: int, progress: Progress) -> object:
        run_blocks.append((self.choice.name, self.place, number))
        return before(self, answerer, number, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(cell.ExperimentCell, "block", block)
    return run_blocks


def test_repeated_runs_are_identical_whatever_the_number_of_workers(humps: ExperimentData) -> None:
    one, two = run(experiment(), humps, workers=1), run(experiment(), humps, workers=3)
    assert one.complete
    assert one == two
    assert all(point.repetitions == 25 for point in one.points)
    assert run(experiment(seed=2), humps).points != one.points


def test_on_true_values_the_limit_is_what_sampling_adds_to_them(humps: ExperimentData) -> None:
    """The most that it may add to any is some times that, and no yardstick for values that are known."""
    asked = experiment("global-grid", axis=Axis.EPSILON, places=(0.1, 1.0), repetitions=2)
    mean = replace(asked, question=replace(AGES, statistic=Statistic.MEAN), metric=Metric(Distance.ABSOLUTE))
    subject = subject_of(humps, mean.question)
    rng = np.random.default_rng(3)
    off = abs(rng.choice(subject.numbers, (2000, len(subject))).mean(axis=1) - subject.numbers.mean()).mean()
    own = sampling_bound(run(mean, humps))
    assert own.own and own.most == pytest.approx(off, rel=0.1)
    assert own.sentence == f"If these people are a sample, that alone is off by about {own.words} on average"
    shape = replace(mean, basis=Basis.EITHER, users=len(subject))
    most = sampling_bound(run(shape, shaped(shape, humps.schema, {})))
    assert not most.own and most.most > 1.5 * own.most
    on = {shape: margin_down(adds, 3) for shape, adds in most.on}
    shapes = f"{on[Basis.TAIL]} on a long tail to {on[Basis.UNIFORM]} on evenly spread values"
    ends = f"{shapes}, at most {most.words} on any values"
    assert most.off == most.usual.off == f"off by {ends}"
    shares = replace(asked, metric=Metric(Distance.TOTAL_VARIATION, True))
    drawn = rng.multinomial(len(subject), np.bincount(subject.codes, minlength=10) / len(subject), 2000)
    moved = abs(drawn / len(subject) - np.bincount(subject.codes, minlength=10) / len(subject)).sum(axis=1).mean() / 2
    assert sampling_bound(run(shares, humps)).most == pytest.approx(100 * moved, rel=0.05)


@pytest.mark.parametrize("basis", [Basis.SMOOTH, Basis.SPIKY, Basis.TAIL, Basis.UNIFORM])
@pytest.mark.parametrize("statistic", [Statistic.MEAN, Statistic.HISTOGRAM])
def test_on_one_public_shape_the_limit_is_what_sampling_adds_to_it(
    humps: ExperimentData, basis: Basis, statistic: Statistic
) -> None:
    """All errors are about values of that shape; the most that it may add to any would be many times that of a tail."""
    people, metric = 60, Metric(Distance.ABSOLUTE)
    if statistic is Statistic.HISTOGRAM:
        metric = Metric(Distance.TOTAL_VARIATION, True)
    question = replace(AGES, statistic=statistic)
    asked = experiment("global-grid", axis=Axis.EPSILON, places=(0.1, 1.0), repetitions=2)
    asked = replace(asked, question=question, metric=metric, basis=basis, users=people)
    material = shaped(asked, humps.schema, {})
    subject, rng, off = subject_of(material, question), np.random.default_rng(11), []
    assert subject.crowd is not None
    for _ in range(3000):
        shares = subject.crowd.shares(rng)
        wrong = rng.multinomial(people, shares) / people - shares
        if statistic is Statistic.MEAN:
            off.append(abs(wrong @ subject.numbers))
        else:
            off.append(50 * abs(np.bincount(subject.codes, wrong, subject.outputs)).sum())
    found = run(asked, material)
    bound = sampling_bound(found)
    assert bound.own and bound.most == pytest.approx(np.mean(off), rel=0.1)
    most = sampling_bound(replace(found, sampled=math.nan))
    assert not most.own and bound.most < most.most * (1.01 if basis is not Basis.TAIL else 0.5)


def test_a_curve_does_not_depend_on_what_is_tried_beside_it(humps: ExperimentData) -> None:
    alone = run(experiment("oue"), humps)
    together = run(experiment("grr", "global-grid", "oue", places=(50.0, 100.0, 700.0, 1000.0, 4000.0)), humps)
    mine = {point.axis_value: point for point in together.series[2].points}
    assert all(mine[point.axis_value] == point for point in alone.points)


def test_added_points_methods_and_metrics_do_not_run_old_ones_again(
    humps: ExperimentData, counted: list[tuple[str, float, int]]
) -> None:
    store = ResultStore()
    first = run(experiment("oue", "grr"), humps, store=store)
    assert len(counted) == 2 * 3 * 3
    counted.clear()
    run(experiment("oue", "grr", metric=Metric(Distance.KANTOROVICH, True), title="again"), humps, store=store)
    assert counted == []
    wider = run(experiment("oue", "grr", "uniform", places=(100.0, 500.0, 1000.0, 4000.0)), humps, store=store)
    assert {(name, place) for name, place, _ in counted} == {
        ("Optimised unary encoding", 500.0),
        ("Direct encoding", 500.0),
        *(("Uniform guess", place) for place in (100.0, 500.0, 1000.0, 4000.0)),
    }
    old = [point for point in wider.points if point.axis_value != 500 and point.method != "Uniform guess"]
    assert old == list(first.points)


@pytest.mark.parametrize("change", ["seed", "repetitions", "truth", "question", "data", "epsilon", "rows per person"])
def test_results_are_kept_under_everything_they_depend_on(
    humps: ExperimentData, counted: list[tuple[str, float, int]], change: str
) -> None:
    store = ResultStore()
    small = experiment("oue", places=(100.0,), repetitions=5)
    run(small, humps, store=store)
    counted.clear()
    material = humps
    if change == "data":
        material = replace(humps, key="other rows")
    elif change == "rows per person":
        unit = replace(humps.schema.unit, rows_per_person=2)
        material = replace(humps, schema=replace(humps.schema, unit=unit))
    else:
        changes = {
            "seed": 3,
            "repetitions": 6,
            "truth": Truth.ALL,
            "question": AGES.with_bins(11),
            "epsilon": 2.0,
        }
        small = replace(small, **{change: changes[change]})
    run(small, material, store=store)
    assert counted


@pytest.mark.parametrize(
    ("post", "mean"),
    [("none", 0.08450311731128124), ("non-negative", 0.07158394210678018), ("consistent", 0.07359713472763169)],
)
def test_other_answers_of_a_seed_need_another_version(humps: ExperimentData, post: str, mean: float) -> None:
    """What is kept is found again under the version of its method: who changes these numbers raises that."""
    choice = MethodChoice("global-grid", {"post": post})
    (point,) = run(replace(experiment(places=(100.0,)), methods=(choice,)), humps).points
    assert (choice.method.version, point.mean) == (2, pytest.approx(mean, rel=1e-9))


def test_what_is_there_is_known_without_running(humps: ExperimentData, counted: list[tuple[str, float, int]]) -> None:
    store = ResultStore()
    nothing = known(experiment("oue"), humps, store)
    assert not nothing.complete
    assert nothing.points == ()
    found = run(experiment("oue"), humps, store=store)
    counted.clear()
    assert known(experiment("oue"), humps, store) == found
    assert counted == []


def test_a_result_survives_its_file(humps: ExperimentData) -> None:
    store = ResultStore()
    found = run(experiment(), humps, store=store)
    kept = {key: CellResult.from_json(one.to_json()) for key, one in store.of(found.keys).items()}
    assert known(experiment(), humps, ResultStore(kept)) == found


def test_partial_findings_grow_and_progress_never_falls(humps: ExperimentData, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.evaluate.experiment_run._TOLD_EVERY", 0.0)
    seen: list[Findings] = []
    fractions: list[float] = []
    last = run(
        experiment("oue", "uniform"),
        humps,
        partial=seen.append,
        progress=Progress(lambda fraction, _: fractions.append(fraction)),
    )
    sizes = [len(one.points) for one in seen]
    assert sizes == sorted(sizes)
    assert sizes[0] == 0
    assert not seen[0].complete
    assert {point for one in seen for point in one.points} <= set(last.points)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0


def test_cancelling_keeps_what_is_finished(humps: ExperimentData) -> None:
    store, token = ResultStore(), CancelToken()

    def told(findings: Findings) -> None:
        if findings.points:
            token.cancel()

    slow = experiment("grr", "oue", "square-wave", repetitions=100)
    with pytest.raises(Cancelled):
        run(slow, humps, store=store, partial=told, progress=Progress(token=token))
    kept = len(store)
    assert 0 < kept < 9  # three places of three methods, of which the first told of the first
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("experiment")]
    assert run(slow, humps, store=store) == run(slow, humps)


def test_nothing_begins_while_it_is_paused(humps: ExperimentData, counted: list[tuple[str, float, int]]) -> None:
    gate, titles = Gate(), []
    gate.pause()

    def listen(_: float, title: str) -> None:
        titles.append(title)
        if gate.paused and titles.count("Paused") == 3:
            assert counted == []
            gate.resume()

    found = run(experiment("oue"), humps, gate=gate, progress=Progress(listen))
    assert found.complete
    assert titles.count("Paused") >= 3
    assert not gate.paused


def test_a_method_that_cannot_answer_is_a_gap_that_says_why(humps: ExperimentData) -> None:
    wanted = experiment(
        "ds", "duchi", "anonymised", "oue", axis=Axis.EPSILON, places=(0.5, 1.0), users=500, repetitions=5
    )
    found = run(replace(wanted, metric=Metric(Distance.EUCLIDEAN)), replace(humps, hierarchies={}))
    ds, duchi, anonymised, oue = found.series
    assert ds.points[0].problem
    assert not ds.points[1].problem
    assert "mean" in duchi.points[0].problem
    assert "hierarchy" in anonymised.points[0].problem
    assert [point.problem for point in oue.points] == ["", ""]
    assert all(np.isnan(point.mean) for point in (ds.points[0], *duchi.points, *anonymised.points))
    refused = refusals(wanted, replace(humps, hierarchies={}))
    assert set(refused) == {1, 2}


def test_more_users_than_rows_are_drawn_again_and_that_is_said(humps: ExperimentData) -> None:
    found = run(experiment("sample", "oue"), humps)
    assert any("again and again" in note for note in found.notes)
    assert found.rows == 3000
    assert run(experiment("oue", places=(100.0, 3000.0)), humps).notes == ()


def test_the_error_of_asking_some_is_seen_against_all_rows_only(humps: ExperimentData) -> None:
    mean = Question(Statistic.MEAN, "age")
    shared = {"question": mean, "metric": Metric(), "places": (100.0, 1600.0, 3000.0), "repetitions": 400}
    own = run(experiment("sample", **shared), humps)
    assert [point.mean for point in own.points] == [0.0, 0.0, 0.0]
    every = run(experiment("sample", truth=Truth.ALL, **shared), humps)
    ages = humps.table["age"].codes.astype(float)
    for point, n in zip(every.points, (100, 1600, 3000), strict=True):
        # Without replacement: variance σ²/n · (N − n)/(N − 1); mean |error| is √(2/π) of its root.
        spread = np.sqrt(ages.var() / n * (3000 - n) / 2999 * 2 / np.pi)
        assert point.mean == pytest.approx(spread, rel=0.15, abs=1e-12)


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("statistic", [Statistic.MEAN, Statistic.HISTOGRAM])
def test_a_sample_of_far_more_people_is_off_by_what_sampling_adds(
    humps: ExperimentData, statistic: Statistic, public: bool
) -> None:
    """Without any noise an error about all people is the sampling error, of true values as of a public shape."""
    metric = Metric(Distance.TOTAL_VARIATION, True) if statistic is Statistic.HISTOGRAM else Metric()
    asked = experiment("sample", axis=Axis.EPSILON, places=(1.0,), repetitions=400, truth=Truth.POPULATION)
    asked = replace(asked, question=replace(AGES, statistic=statistic), metric=metric, users=300)
    asked = replace(asked, basis=Basis.SMOOTH if public else Basis.ROWS)
    material = shaped(asked, humps.schema, {}) if public else humps
    found = run(asked, material)
    alone = sampling_bound(found)
    assert metric.shown_times * found.points[0].mean == pytest.approx(alone.most, rel=0.12)
    assert alone.within and not error_limit(found).known, "no error is below what is in it"
    assert least_words(found) == f"Sampling alone is {alone.off} on average, and in every error."
    assert SAMPLED_IN in found.notes and SAMPLED_IN in caption(ComparisonData(found)).notes
    assert run(replace(asked, truth=Truth.USERS), material).points[0].mean == 0.0


def test_all_rows_as_a_sample_of_far_more_people_are_drawn_again(humps: ExperimentData) -> None:
    mean = replace(experiment("sample", repetitions=300), question=Question(Statistic.MEAN, "age"), metric=Metric())
    asked = replace(mean, axis=Axis.EPSILON, places=(1.0,), truth=Truth.POPULATION)
    found = run(asked, humps)
    ages = humps.table["age"].codes.astype(float)
    assert found.points[0].mean == pytest.approx(np.sqrt(ages.var() / 3000 * 2 / np.pi), rel=0.15)
    assert not any("again and again" in note for note in found.notes)


def test_a_curator_of_many_people_errs_by_little_more_than_sampling(humps: ExperimentData) -> None:
    """Asked of a sample about everybody, whom one trusts matters less than of those who are asked alone."""
    shared = {"axis": Axis.EPSILON, "places": (1.0,), "repetitions": 200, "basis": Basis.SMOOTH, "users": 1000}
    asked = experiment("global-grid", "duchi", **shared)
    asked = replace(asked, question=replace(AGES, statistic=Statistic.MEAN), metric=Metric())
    own, every = (
        run(replace(asked, truth=truth), shaped(asked, humps.schema, {})) for truth in (Truth.USERS, Truth.POPULATION)
    )
    curator, local = (series.points[0] for series in every.series)
    alone = sampling_bound(every)
    for point, before in zip((curator, local), (series.points[0] for series in own.series), strict=True):
        # Independent errors add up like the sides of a right triangle.
        assert point.mean == pytest.approx(math.hypot(before.mean, alone.most), rel=0.2)
    assert math.isnan(curator.theory), "its formula is of the noise alone"
    assert local.theory == pytest.approx(local.mean, rel=0.1), "a formula has sampling as well"
    times = [series[1].points[0].mean / series[0].points[0].mean for series in (own.series, every.series)]
    assert times[0] > 3 * times[1] > 3


def test_rows_of_a_person_are_one_draw_of_far_more_people(humps: ExperimentData) -> None:
    """As in Collect: a thousand rows of five each say as much of everybody as two hundred people."""
    five = replace(humps, schema=replace(humps.schema, unit=replace(humps.schema.unit, rows_per_person=5)))
    subject = subject_of(five, replace(AGES, statistic=Statistic.MEAN))
    seeds = [np.random.SeedSequence(one) for one in range(400)]
    drawn = [subject.sample(1003, seed, (number,), of_many=True) for number, seed in enumerate(seeds)]
    assert all(len(one) == 1003 == len(one.numbers) for one in drawn)
    off = [abs(one.truth[0] - one.population_truth[0]) for one in drawn]
    assert np.mean(off) == pytest.approx(np.sqrt(subject.numbers.var() / 200 * 2 / np.pi), rel=0.12)


def test_a_total_of_some_is_scaled_up_against_all_rows(humps: ExperimentData) -> None:
    for figure in (Statistic.SUM, Statistic.HISTOGRAM):
        question = replace(AGES, statistic=figure)
        found = run(
            experiment("sample", question=question, metric=Metric(Distance.PERCENT), truth=Truth.ALL, places=(2000.0,)),
            humps,
        )
        assert 0 < found.points[0].mean < 30


def test_an_error_in_percent_of_nothing_has_no_limit_and_says_so(humps: ExperimentData) -> None:
    empty = replace(AGES, encoding=EncodingChoice(how=EncodingKind.BINS, bins=40, bounds=(0.0, 400.0)))
    found = run(experiment("global-grid", question=empty, metric=Metric(Distance.PERCENT), places=(500.0,)), humps)
    assert np.isinf(found.points[0].mean)
    assert "no limit" in found.points[0].problem
    assert found.points[0].to_json()["mean"] is None


def test_bins_along_the_axis(humps: ExperimentData) -> None:
    found = run(experiment("oue", "uniform", axis=Axis.BINS, places=(2.0, 10.0, 50.0), epsilon=1.0, users=1000), humps)
    errors = [point.mean for point in found.series[0].points]
    assert errors == sorted(errors)
    assert found.complete


def test_a_column_without_public_bounds_is_refused(humps: ExperimentData) -> None:
    bare = replace(humps, schema=humps.schema.changed(["age"], lambda spec: replace(spec, bounds=None)))
    with pytest.raises(WorkbenchError) as caught:
        run(experiment("oue", question=Question(Statistic.MEAN, "age"), metric=Metric()), bare)
    assert caught.value.field == "bounds"


def drawn(name: str, *errors: tuple[float, float, float]) -> ErrorSeries:
    points = tuple(Point(name, place, mean, mean, mean, 10, spread) for place, mean, spread in errors)
    return ErrorSeries(MethodChoice("uniform"), name, Approach.BASELINE, points)


def test_crossings_lie_where_lines_on_logarithmic_axes_meet(humps: ExperimentData) -> None:
    one = drawn("steep", (100.0, 1.0, 0.01), (10_000.0, 0.01, 0.0001))
    other = drawn("flat", (100.0, 0.1, 0.001), (10_000.0, 0.1, 0.001))
    found = crossings(Findings(experiment(), (one, other), 1))
    assert len(found) == 1
    assert found[0].place == pytest.approx(1000.0)
    assert found[0].error == pytest.approx(0.1)
    assert found[0].sentence.startswith("Below about 1,000 users flat has the smaller error, above it steep")


def test_what_chance_explains_is_no_crossing(humps: ExperimentData) -> None:
    one = drawn("one", (10.0, 1.0, 0.2), (20.0, 1.1, 0.2), (40.0, 0.9, 0.2))
    other = drawn("other", (10.0, 1.1, 0.2), (20.0, 1.0, 0.2), (40.0, 1.0, 0.2))
    assert crossings(Findings(experiment(), (one, other), 1)) == ()
    # Between clear differences the unclear place does not count, and the crossing is said to lie between them.
    one = drawn("one", (10.0, 1.0, 0.01), (20.0, 1.0, 0.2), (40.0, 1.0, 0.01))
    other = drawn("other", (10.0, 2.0, 0.01), (20.0, 1.1, 0.2), (40.0, 0.5, 0.01))
    found = crossings(Findings(experiment(), (one, other), 1))
    assert [(crossing.start, crossing.end) for crossing in found] == [(10.0, 40.0)]


def test_what_bounds_do_is_said_and_on_true_values_how_much_that_is(humps: ExperimentData) -> None:
    """By hand: the ages outside 20 to 60, and the mean of the true ones less that of those that were moved in."""
    narrow = Question(Statistic.MEAN, "age", EncodingChoice(bounds=(20.0, 60.0)))
    asked = experiment("global-grid", question=narrow, metric=Metric(), axis=Axis.EPSILON, places=(1.0,), repetitions=5)
    ages = np.array([int(humps.table["age"].values[code]) for code in humps.table["age"].codes])
    moved = np.clip(ages, 20, 60)
    said = "Values outside 20 to 60 count as the nearest bound, in the true answer too"
    outside, by = (ages != moved).sum(), estimate(abs(ages.mean() - moved.mean()), 2)
    share = estimate(100 * outside / 3000, 2)
    about = f"{outside:,} of 3,000 rows ({share} %); with them the mean would be another one by {by}."
    count = f"Outside the bounds are {about}"
    found = run(asked, humps)
    assert any(note.startswith(said) for note in found.notes)
    (told,) = (note for note in found.notes if note.startswith("Outside"))
    assert told == count
    # Whoever reads the headline, or the figure alone, reads of it too.
    tiles = f"The bounds clip {share} % of rows, which moves the mean by {by} on top."
    seen = run(replace(asked, methods=(MethodChoice("global-grid"), MethodChoice("local"))), humps)
    assert headline_words(verdict(seen, 1.0), seen).endswith(tiles)
    assert count in caption(ComparisonData(seen)).below
    # Of a public shape, and before anything was run, nothing follows from the values.
    shape = replace(asked, basis=Basis.EITHER, users=100)
    public = run(shape, shaped(shape, humps.schema, {}))
    before = known(asked, humps, ResultStore())
    assert "clip" not in headline_words(verdict(public, 1.0), public)
    told = caption(ComparisonData(public))
    assert f"{said}." in told.details and "what that shifts" not in str(told), "it is said once, below the figure"
    # Values of such a shape within 0 to 100 would have another mean.
    ages = np.arange(1000) / 10 + 0.05
    shares = moved_shares(Basis.TAIL, 1000)
    off = [abs(shares(one) @ (np.clip(ages, 20, 60) - ages)) for one in map(np.random.default_rng, range(300))]
    (by,) = re.findall(r"what limiting values to 20–60 shifts \(about ([\d.]+) at most on these shapes\)\.", told.below)
    assert float(by) == pytest.approx(np.mean(off), rel=0.1)
    typed = replace(humps.schema["age"], bounds=None)
    undeclared = Schema(tuple(typed if one.name == "age" else one for one in humps.schema.columns))
    nothing = caption(ComparisonData(run(shape, shaped(shape, undeclared, {}))))
    assert "Not in these errors: what limiting values to 20–60 shifts." in nothing.below
    for wide in ((0.0, 100.0), (-1.0, 200.0)):  # nothing that is declared to be possible lies beyond these
        held = replace(shape, question=Question(Statistic.MEAN, "age", EncodingChoice(bounds=wide)))
        assert "Not in these errors" not in str(caption(ComparisonData(run(held, shaped(held, humps.schema, {})))))
        unheld = caption(ComparisonData(run(held, shaped(held, undeclared, {}))))
        assert "Not in these errors: what limiting values to " in unheld.below
        assert "found first" not in unheld.below
    # What bounds that are found shift is in the error, which the sentence on typed ones alone would deny.
    found = replace(shape, methods=(MethodChoice("global-narrowed"), MethodChoice("local")))
    limited = run(found, shaped(found, undeclared, {}))
    said_of_both = "what limiting values to 20–60 shifts. In them: what the bounds shift that Global finds first."
    told = caption(ComparisonData(limited))
    assert "Errors leave out limiting, except Global’s." in told.below
    assert left_out_words(limited).endswith(said_of_both)
    assert any(one.endswith(said_of_both) for one in told.details), "as it was"
    (global_tile,) = (one for one in verdict(limited, 1.0).tiles if one.approach is Approach.GLOBAL)
    assert why_words(global_tile, found) == "Errs by: noise, added once, and limiting to the bounds found"
    declared = replace(humps.schema["age"], bounds=(20.0, 60.0))
    everywhere = replace(
        humps, schema=Schema(tuple(declared if one.name == "age" else one for one in humps.schema.columns))
    )
    unsaid = replace(shape, question=Question(Statistic.MEAN, "age"))
    told = caption(ComparisonData(run(unsaid, shaped(unsaid, everywhere.schema, {}))))
    assert "Not in these errors" not in str(told), "these are all values that are possible"
    assert f"{said}; no error here includes what that shifts." in told.details
    for other in (public, before):
        assert any(note.startswith(said) for note in other.notes) and "Outside the bounds are" not in str(other.notes)
    wide = run(replace(asked, question=replace(narrow, encoding=EncodingChoice(bounds=(0.0, 100.0)))), humps)
    assert "Outside the bounds are" not in str(wide.notes)


@pytest.mark.parametrize("basis", [Basis.ROWS, Basis.SMOOTH, Basis.EITHER])
def test_whom_a_run_drew_is_gone_with_it(humps: ExperimentData, basis: Basis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without anybody looking for circles: a run may have drawn millions of people."""
    columns: list[weakref.ref[EncodedColumn]] = []

    def encoded(material: ExperimentData, question: Question) -> EncodedColumn:
        found = subject_of(material, question)
        columns.append(weakref.ref(found))
        return found

    monkeypatch.setattr(experiment_run, "subject_of", encoded)
    asked = experiment("global-grid", "anonymised", "oue", axis=Axis.EPSILON, places=(0.1, 1.0), repetitions=2)
    asked = replace(asked, basis=basis, users=500 if basis.public else None)
    store = ResultStore()
    with no_garbage_collection():
        material = shaped(asked, humps.schema, {}) if basis.public else humps
        found = run(asked, material, store=store)
        assert found.complete and known(asked, material, store) == found
        token = CancelToken()
        with suppress(Cancelled):  # an error that was caught would hold what it came from
            run(replace(asked, seed=9), material, partial=lambda _: token.cancel(), progress=Progress(token=token))
        assert token.cancelled and len(columns) >= 3
        assert [one() for one in columns if one() is not None] == []
