"""Figures of questions, worked out by hand: margins, intervals, what is assumed, and what each draw makes of counts."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.query.helpers import Watched, question
from workbench.core.charged_mechanism import LossKind
from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.core.table import Column, Table
from workbench.query import noise
from workbench.query.amounts import epsilon_of, in_words
from workbench.query.charged_noise import drawn_for, drawn_for_all
from workbench.query.composed_views import EXTRA_DELTA, advanced, numerical
from workbench.query.grid import Grid
from workbench.query.likely import _gaps
from workbench.query.mechanism import QueryMechanism
from workbench.query.partition import Beyond
from workbench.query.quantiles import between_values
from workbench.query.recorded_look import RecordedLook, look_record
from workbench.query.rows import Rows
from workbench.query.spread import spread_evenly

SCHEMA = Schema(
    (
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 90.0)),
        ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C")),
        ColumnSpec("pay", Kind.DECIMAL),
    )
)
AGE = {"column": "age", "lower": "0", "upper": "90"}
TOWN = {"column": "town"}


def asked(kind: str, epsilon: str = "1", rows_per_person: int = 1, **values: Any) -> QueryMechanism:
    described = Schema(SCHEMA.columns, PrivacyUnit(rows_per_person))
    return question(kind, epsilon, described=described, **values).mechanism


def counts(*numbers: int) -> dict[str, Any]:
    return {"count": np.array(numbers, dtype=object)}


# Noise


@pytest.mark.parametrize("rate", [0.01, 0.3, 1.0, 3.0])
def test_the_mean_size_of_noise_is_that_of_its_law(rate: float) -> None:
    share = math.exp(-rate)
    law = [(1 - share) / (1 + share) * share ** abs(z) * abs(z) for z in range(-4000, 4001)]
    assert noise.mean_absolute(rate) == pytest.approx(math.fsum(law), rel=1e-12)


def test_noise_beyond_all_numbers_is_refused() -> None:
    assert np.isfinite(noise.evenly(1e-100, 1)).all()
    for refused in (9.9e-101, 0.0):
        with pytest.raises(WorkbenchError, match="too small") as caught:
            noise.simulated(refused, 1, np.random.default_rng(1))
        assert caught.value.field == "epsilon"


def test_an_epsilon_may_be_as_large_and_as_small_as_is_said() -> None:
    assert epsilon_of("100") == 100 and epsilon_of("0.000001") == Fraction(1, 10**6)
    for text in ("100.0001", "0", "-1", "0.00000099"):
        with pytest.raises(WorkbenchError) as caught:
            epsilon_of(text, "share")
        assert caught.value.field == "share"


def test_what_an_epsilon_promises_is_said_in_times_or_not_at_all() -> None:
    times, nothing = "times as likely", "hardly a promise"
    for size, said in ((1.0999, times), (1.1001, times), (999.9, times), (1000.1, nothing)):
        words = in_words(Fraction(math.log(size)))
        assert [one for one in (times, nothing) if one in words] == [said], size
    assert "no answer is more than 1.106 times as likely" in in_words(Fraction(1, 10))
    assert "at most 52.5 % sure" in in_words(Fraction(1, 10))


# Choosing


def smallest(holds: Any) -> int:
    return next(number for number in itertools.count() if holds(number))


@pytest.mark.parametrize(("epsilon", "rows"), [("1", 1), ("0.1", 1), ("0.5", 3)])
def test_a_value_is_named_within_its_margin(epsilon: str, rows: int) -> None:
    """Of three values two are others, each named from m rows behind with a chance of at most exp(−εm/c)."""
    rate = float(Fraction(epsilon)) / rows
    mode, noisy = (asked(kind, epsilon, rows, **TOWN) for kind in ("mode", "noisy-max"))
    assert mode.margin() == smallest(lambda m: 2 * math.exp(-rate * m) <= 0.05)

    def beyond(reach: int) -> float:
        return 2 * math.exp(-rate * (reach + 1)) / (1 + math.exp(-rate))

    assert noisy.margin() == 2 * smallest(lambda reach: 3 * beyond(reach) <= 0.05) + 1
    line = asked("above-threshold", epsilon, rows, **TOWN, threshold=50)
    half = rate / 2
    parts = smallest(lambda reach: 4 * 2 * math.exp(-half * (reach + 1)) / (1 + math.exp(-half)) <= 0.05)
    assert line.margin() == 2 * parts
    for one in (mode, noisy, line):
        assert one.expected(counts(1, 2, 3)) == type(one.expected(counts(1, 2, 3)))(None, float(one.margin()))


def test_a_single_value_is_named_with_no_others_to_fear() -> None:
    assert asked("mode", "100", **TOWN, keys="A").margin() == 1
    assert asked("mode", "1", **TOWN, keys="A").margin() == math.ceil(math.log(20))


def test_one_candidate_is_assumed_to_be_ahead() -> None:
    mode = asked("mode", "0.1", **TOWN)
    assert mode.assumed(900)["count"].tolist() == [300, 0, 0]
    assert mode.assumed(30)["count"].tolist() == [mode.margin(), 0, 0]
    assert asked("above-threshold", **TOWN, threshold=2).assumed(100)["count"].tolist() == [33, 33, 33]


def test_the_largest_noisy_count_is_named_and_of_equal_ones_the_first() -> None:
    largest = asked("noisy-max", "0.5", 2, **TOWN)
    for noises, label in (((0, 0, 0), "B"), ((5, 0, 3), "A"), ((5, 0, 6), "C"), ((0, 0, 1), "B")):
        draws = Watched(iter(noises))
        assert largest.release(counts(5, 9, 7), draws).value == label, noises
        assert draws.rates == [Fraction(1, 4)] * 3


def test_a_count_is_named_only_above_the_line_and_the_first_of_them() -> None:
    line = asked("above-threshold", "1", 2, **TOWN, threshold=10)
    for noises, label in (
        ((0, 0, 0, 0), None),
        ((0, 0, 1, 9), "B"),
        ((-1, 0, 0, 0), "B"),
        ((1, 6, 0, 0), None),
        ((1, 7, 9, 9), "A"),
    ):
        draws = Watched(iter(noises))
        answer = line.release(counts(5, 10, 3), draws)
        assert answer.value == label and answer.shown == (label or "none of them"), noises
        assert set(draws.rates) == {Fraction(1, 4)}
    # What comes after the named one gets no noise.
    draws = Watched(iter((0, 9)))
    assert line.release(counts(5, 10, 3), draws).value == "A" and len(draws.rates) == 2
    assert f"below {10 + line.margin():,}" in answer.notes[0] and f"above {10 - line.margin():,}" in answer.notes[0]


def test_simulated_choices_are_as_wrong_as_their_worst_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    line = asked("above-threshold", "1", **TOWN, threshold=10)
    monkeypatch.setattr(type(line), "picked", lambda *_: np.array([0, 1, 2, 3]))
    # A named: 6 below. B: rightly. C: passed over B, 4 above, itself 1 below. None: B again.
    found = line.simulate(counts(4, 14, 9), 4, np.random.default_rng(1))
    assert found.tolist() == [[6.0], [0.0], [4.0], [4.0]]
    found = line.simulate(counts(4, 10, 10), 4, np.random.default_rng(1))
    assert found.tolist() == [[6.0], [0.0], [0.0], [0.0]]
    mode = asked("mode", **TOWN)
    monkeypatch.setattr(type(mode), "picked", lambda *_: np.array([0, 1, 2]))
    assert mode.simulate(counts(4, 14, 9), 3, np.random.default_rng(1)).tolist() == [[10.0], [0.0], [5.0]]
    assert mode.truth(counts(4, 14, 9)).tolist() == [0.0]


@pytest.mark.parametrize("kind", ["mode", "noisy-max", "above-threshold"])
def test_simulated_choices_follow_the_counts(kind: str) -> None:
    chooser = asked(kind, "2", **TOWN, **({"threshold": 20} if kind == "above-threshold" else {}))
    generator = np.random.default_rng(4)
    far = chooser.picked(counts(0, 50, 0), 400, generator)
    assert far.shape == (400,) and set(far.tolist()) == {1}
    near = np.bincount(chooser.picked(counts(30, 31, 0), 4000, generator), minlength=4) / 4000
    if kind == "mode":  # exp(−2) of the best, by permute-and-flip: with half of it where it comes first
        assert near[0] == pytest.approx(math.exp(-2) / 2, abs=0.02)
    assert near[2] < 0.01 and near[3] < 0.01
    if kind == "above-threshold":
        assert near[0] > 0.98
        assert set(chooser.picked(counts(0, 0, 0), 400, generator).tolist()) == {3}


# Counting


def test_counts_are_put_right_as_their_post_processing_says() -> None:
    noisy = {"count": np.array([-3.0, 4.0, 11.0])}
    cells = {post: asked("histogram", **TOWN, post=post) for post in ("none", "non-negative", "consistent")}
    assert cells["none"].finish(noisy).tolist() == [-3, 4, 11]
    assert cells["non-negative"].finish(noisy).tolist() == [0, 4, 11]
    assert cells["consistent"].finish(noisy).tolist() == [0, 2.5, 9.5]
    assert cells["consistent"].finish({"count": np.array([-3.0, -4.0, 1.0])}).tolist() == [0, 0, 0]
    told = {post: one.notes(noisy, one.between(noisy)) for post, one in cells.items()}
    assert list(map(bool, told.values())) == [False, True, True]
    assert "replaced by 0" in told["non-negative"][0]
    assert "agree with their total" in told["consistent"][0]
    one, alone = asked("count", post="non-negative"), {"count": np.array([-3.0])}
    assert one.notes(alone, one.between(alone)) == ()


@pytest.mark.parametrize("post", ["none", "non-negative", "consistent"])
def test_a_count_that_noise_took_too_far_below_none_is_not_said_to_be_none_for_sure(post: str) -> None:
    """At ε = 1 noise reaches 3 rows in 95 % of answers: of -4 an interval within what is possible is 0 alone."""
    cells = asked("histogram", **TOWN, post=post)
    for counts, taken in (((-3, 4, 11), ""), ((-4, 4, 11), "one count"), ((-4, -9, 11), "each of 2 counts")):
        noisy = {"count": np.array(counts, dtype=np.float64)}
        said = " ".join(cells.notes(noisy, cells.between(noisy)))
        assert ("not surely none" in said) is bool(taken) and taken in said
    alone = {"count": np.array([-4.0])}
    one = asked("count")
    assert "“0 to 0” means few rows" in " ".join(one.notes(alone, one.between(alone)))


@pytest.mark.parametrize(("rows", "reach"), [(1, 3), (2, 6)])
def test_intervals_of_counts_reach_as_far_as_their_noise_and_never_below_nothing(rows: int, reach: int) -> None:
    """2e^(−ε(r+1)/c)/(1 + e^(−ε/c)) ≤ 0.05 from r = 3 on at ε = 1, and with two rows per person from 6 on."""
    rate = 1 / rows
    assert reach == smallest(lambda r: 2 * math.exp(-rate * (r + 1)) / (1 + math.exp(-rate)) <= 0.05)
    count = asked("histogram", "1", rows, **TOWN)
    low, high = count.between({"count": np.array([-10.0, 1.0, 20.0])})
    assert low.tolist() == [0, 0, 20 - reach] and high.tolist() == [0, 1 + reach, 20 + reach]
    found = count.expected(counts(5, 5, 5))
    assert (found.error, found.half_width, found.closed) == (noise.mean_absolute(rate), reach, True)
    put_right = asked("histogram", "1", rows, **TOWN, post="non-negative").expected(counts(0, 0, 0))
    assert put_right.closed and put_right.half_width == reach
    assert put_right.error == pytest.approx(noise.mean_absolute(rate) / 2)


def test_rows_are_assumed_to_be_spread_evenly() -> None:
    assert asked("count").assumed(100)["count"].tolist() == [100]
    assert asked("histogram", **TOWN).assumed(100)["count"].tolist() == [33, 33, 33]
    assert asked("sum", **AGE).assumed(10)["sum"].tolist() == [450]
    assert asked("group-by", by_column="town", statistic="sum", **AGE).assumed(10)["sum"].tolist() == [135] * 3
    # A mean that the noise moves most: with ε = 1, by 2.6 of 90 from a bound for 10 rows, and for 3 far from one: there
    # it is ± 60.3, and at a bound 48.7.
    assert asked("mean", **AGE).assumed(10)["steps"].tolist() == [665, 235]
    assert (
        asked("group-by", by_column="town", statistic="mean", **AGE).assumed(10)["steps"].tolist()
        == [181] * 3 + [89] * 3
    )
    squares = asked("variance", **AGE).assumed(10)["squares"].tolist()
    # Values at either bound, the mean of 10 rows by 2.4 of the range from one.
    assert squares == [19_406, 0, 61_594] and sum(squares) == 10 * 90**2
    # Each at the middle of its part of the range: 9, 27, 45, 63 and 81 of 0 to 90.
    spread = spread_evenly(Grid(SCHEMA.columns[0], Fraction(0), Fraction(90), Fraction(1)), 5)
    assert spread["points"].tolist() == [9, 27, 45, 63, 81] and spread["counts"].tolist() == [1] * 5
    many = asked("median", **AGE).assumed(200_000)
    assert many["counts"].sum() == 200_000 and many["points"].tolist() == list(range(91))
    assert asked("median", **AGE).assumed(0)["counts"].tolist() == [1]


@pytest.mark.parametrize(("rows", "epsilon"), [(740, "0.5"), (30_162, "0.5"), (10**7, "10")])
@pytest.mark.parametrize("share", ["0.3", "0.5", "0.9"])
def test_a_quantile_may_lie_between_two_values_however_many_rows_there_are(rows: int, epsilon: str, share: str) -> None:
    """Values 0 to 73 with equal rows and τ of all rows below one: as likely the next, whatever ε is."""
    mechanism = asked("quantile", epsilon, column="age", lower="0", upper="73", quantile=share)
    assumed = mechanism.assumed(rows)
    assert assumed["counts"].sum() == rows and len(assumed["points"]) == 74
    upto = np.cumsum(assumed["counts"]).tolist()
    assert int(Fraction(share) * rows) in upto
    found = mechanism.expected(assumed)
    assert found.half_width is not None and found.half_width >= 1
    assert found.error == pytest.approx(0.5, abs=0.06)


def test_every_half_width_of_a_quantile_is_that_of_the_unkindest_place_of_an_even_spread() -> None:
    """Ten rows per value; the rank ends after 1 to 10 of those of a middle value. Nothing errs more than the edge."""
    mechanism = asked("median", "0.225", column="age", lower="0", upper="60")
    said = mechanism.expected(mechanism.assumed(610)).half_width
    assert said is not None
    halves = []
    for left in range(10):  # a rank 10 − left into the rows of the value 30, with the end of the grid far off
        counts = np.full(61, 10)
        counts[0] += 2 * left
        halves.append(mechanism.expected({"points": np.arange(61), "counts": counts}).half_width)
    assert said >= max(halves) > min(halves)


def test_a_quantile_of_one_possible_value_is_that_value() -> None:
    even = {"points": np.array([5]), "counts": np.array([10])}
    assert between_values(even, (Fraction(1, 2),))["counts"].tolist() == [10]


# Sums and averages


@pytest.mark.parametrize(("lower", "upper", "sensitivity"), [("0", "90", 90), ("-120", "90", 120), ("-5", "90", 90)])
def test_a_sum_hides_the_largest_value_of_every_row_of_a_person(lower: str, upper: str, sensitivity: int) -> None:
    for rows in (1, 3):
        (part,) = asked("sum", "1", rows, column="age", lower=lower, upper=upper).parts
        assert (part.sensitivity, part.rate) == (sensitivity * rows, Fraction(1, sensitivity * rows))
    finer = asked("sum", column="pay", lower="-0.5", upper="2", resolution="0.25")
    assert finer.parts[0].sensitivity == 8
    assert finer.finish({"sum": np.array([6.0])}).tolist() == [1.5]
    low, high = finer.between({"sum": np.array([6.0])})
    reach = noise.half_width(Fraction(1, 8))
    assert [low.tolist(), high.tolist()] == [[(6 - reach) / 4], [(6 + reach) / 4]]
    found = finer.expected({"sum": np.array([6], dtype=object)})
    assert (found.error, found.half_width) == (noise.mean_absolute(Fraction(1, 8)) / 4, reach / 4)
    # Of the sums of three towns, all are within as many quarters as the noises of three are within whole numbers.
    pay = {"column": "age", "lower": "0", "upper": "2", "resolution": "0.25"}
    whole_years = asked("group-by", by_column="town", statistic="sum", column="age", lower="0", upper="8").expected({})
    quarters = asked("group-by", by_column="town", statistic="sum", **pay).expected({})
    assert whole_years.together is not None and quarters.together == whole_years.together / 4


def test_averages_lie_within_their_bounds_however_loud_the_noise() -> None:
    mean = asked("mean", column="age", lower="10", upper="90")
    assert mean.parts[0].sensitivity == 80
    for sums, answer in (((240, 80), 70.0), ((0, 0), 50.0), ((500, -100), 90.0), ((-9, 8000), 10.0), ((40, -40), 90.0)):
        assert mean.finish({"steps": np.array(sums, dtype=float)}).tolist() == [answer], sums
    variance, deviation = (
        asked(kind, column="age", lower="10", upper="90") for kind in ("variance", "standard-deviation")
    )
    assert variance.parts[0].sensitivity == deviation.parts[0].sensitivity == 6400
    for sums, answer in (((6400, 0, 6400), 1600.0), ((6400, 0, 0), 0.0), ((1600, 3200, 1600), 0.0), ((0, 0, 0), 0.0)):
        assert variance.finish({"squares": np.array(sums, dtype=float)}).tolist() == [answer], sums
        assert deviation.finish({"squares": np.array(sums, dtype=float)}).tolist() == [math.sqrt(answer)], sums
    assert (variance.range(), deviation.range(), mean.range()) == ((0.0, 1600.0), (0.0, 40.0), (10.0, 90.0))


# Quantiles


@pytest.mark.parametrize(("share", "loss"), [("1/2", 1), ("1/4", 3), ("3/4", 3), ("9/10", 9)])
def test_a_quantile_weighs_a_row_by_the_larger_side(share: str, loss: int) -> None:
    """A row more moves the loss of a point by at most max(τ, 1 − τ), in units of the denominator of τ."""
    for rows in (1, 2):
        asking = asked("quantile", "1", rows, **AGE, quantile=str(float(Fraction(share))))
        (part,) = asking.parts
        assert part.sensitivity == loss * rows and asking.rate(part) == Fraction(1, 2 * loss * rows)
        exact = math.log(91 / 0.05) * 2 * loss * rows / Fraction(share).denominator
        assert asking.rank_reach() == math.ceil(exact)


def test_the_losses_of_points_are_by_how_many_rows_they_miss_the_share() -> None:
    """Two rows at 10, one at 20: of the median, and of the first quarter, in units of the denominator."""
    statistic = {"points": np.array([10, 20]), "counts": np.array([2, 1])}
    for share, losses in (("0.5", [3, 0, 1, 1, 3]), ("0.25", [3, 0, 5, 5, 9])):
        asking = asked("quantile", **AGE, quantile=share)
        draws = Watched(places=iter([3]))
        answer = asking.release(statistic, draws)
        ((widths, found, _),) = draws.choices
        assert widths == [10, 1, 9, 1, 70]
        assert found == losses and answer.value == 20


@pytest.mark.parametrize(
    ("numbers", "median", "quarter"), [((4,), 4, 4), ((1, 9), 1, 1), ((1, 2, 9), 2, 1), ((1, 2, 3, 9, 9), 3, 2)]
)
def test_the_true_quantile_is_the_smallest_value_that_so_many_do_not_exceed(
    numbers: tuple[int, ...], median: int, quarter: int
) -> None:
    table = Table((Column.from_texts("age", list(map(str, numbers))),))
    rows = Rows.of(table, Schema(SCHEMA.columns[:1]), None)
    for share, wanted in (("0.5", median), ("0.25", quarter)):
        asking = asked("quantile", **AGE, quantile=share)
        assert asking.truth(asking.measure(rows)).tolist() == [wanted]
        assert asking.truth({"points": np.array([], int), "counts": np.array([], int)}).tolist() == [45.0]


@pytest.mark.parametrize(
    ("share", "known"), [("0.499999", True), ("0.5", False), ("0", False), ("0.000001", True), ("0.0000001", False)]
)
def test_ends_leave_less_than_half_beyond_them(share: str, known: bool) -> None:
    if known:
        assert asked("minimum", **AGE, share=share).parts[0].epsilon == 1
        return
    with pytest.raises(WorkbenchError, match="The share beyond") as caught:
        asked("minimum", **AGE, share=share)
    assert caught.value.field == "share"


# What a ledger keeps of the draws


def test_noise_on_the_grid_is_kept_as_such_and_all_else_as_the_worst() -> None:
    for kind, values, sensitivity in (("count", {}, 2), ("sum", AGE, 180), ("mean", AGE, 180)):
        part = drawn_for(asked(kind, "1/2", 2, **values))
        assert (part.kind, part.epsilon, part.sensitivity) == (LossKind.NOISE, Fraction(1, 2), sensitivity), kind
    for kind, values in (("mode", TOWN), ("median", AGE), ("above-threshold", {**TOWN, "threshold": 3})):
        assert drawn_for(asked(kind, **values)).kind is LossKind.WORST, kind
    count = asked("count")
    kinds = [one.kind for one in drawn_for_all([(count, Fraction(1), Fraction(0)), (count, Fraction(2), Fraction(0))])]
    assert kinds == [LossKind.NOISE, LossKind.WORST]
    (with_delta,) = drawn_for_all([(count, Fraction(1), Fraction(1, 9))])
    assert (with_delta.kind, with_delta.epsilon, with_delta.delta) == (LossKind.WORST, 1, Fraction(1, 9))


def test_a_composed_view_is_quoted_only_where_it_is_worth_its_delta() -> None:
    from workbench.core.composition import ReleaseSpending

    one = [ReleaseSpending(Fraction(1), Fraction(1, 10**6))]
    for view in (advanced(one), numerical(one)):
        assert (view.epsilon, view.delta) == (1, Fraction(1, 10**6))
    many = [ReleaseSpending(Fraction(1, 100), Fraction(0))] * 3000
    for view in (advanced(many), numerical(many)):
        assert view.delta == EXTRA_DELTA and view.epsilon < 30
    twice = advanced(many, rows_per_person=2)
    by_hand = 3000 * 0.02 * math.tanh(0.01) + math.sqrt(2 * math.log(1e9) * 3000 * 0.02**2)
    assert by_hand < twice.epsilon == pytest.approx(by_hand, rel=1e-8)


def test_what_lies_beyond_bounds_is_above_the_last_or_below_the_first() -> None:
    """A value that is one of the bounds is within them, however it is written."""
    pay = ColumnSpec("pay", Kind.DECIMAL)
    beyond = Beyond(pay, ("below", "above"), edges=(Fraction(0), Fraction(100)))
    values = ["0", "-0.01", "100", "100.0", "1e2", "100.01", "50", ""]
    assert beyond.place(values).tolist() == [-1, 0, -1, -1, -1, 1, -1, -1]


def test_a_look_is_no_sample_that_could_be_released_unless_it_says_so() -> None:
    assert RecordedLook.now("x").drawn is False and RecordedLook.now("x", drawn=True).drawn is True
    assert look_record(RecordedLook.now("x"))["drawn"] is False


def test_gaps_are_told_in_scales_of_the_noise() -> None:
    """At a small rate the noise of the grid is Laplace's, so that in its own scales nothing depends on the rate."""
    one, other = _gaps(1 / 64), _gaps(1 / 128)
    assert np.allclose(one, other, rtol=0.05, atol=0.05) and np.abs(one).max() > 1
