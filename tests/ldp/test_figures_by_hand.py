"""Figures of local protocols worked out by hand: post-processing, tails, the noise of the grid, means, who reports."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.ldp.binomial import upper_quantile
from workbench.ldp.by_distance import distance_sensitive
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.coins import TWO_64
from workbench.ldp.encoding import Absent, EncodingChoice, Outside
from workbench.ldp.mean_prediction import MeanPlan, every_mean, planned_means
from workbench.ldp.noise import GridLaplace, grid_steps
from workbench.ldp.participation import NO_PART, Attendance, Participation, attendance
from workbench.ldp.postprocessing import POSTPROCESSES, Noise, postprocess
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.scaling import encode_numbers

NOISE = Noise(0.25)

# What is made of estimates


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("none", [-4, 4, 12, 0]),
        ("base-pos", [0, 4, 12, 0]),
        ("norm", [-2, 6, 14, 2]),
        ("norm-mul", [0, 5, 15, 0]),
        ("norm-sub", [0, 16 / 3, 40 / 3, 4 / 3]),
        ("base-cut", [0, 0, 12, 0]),
    ],
)
def test_estimates_of_twenty_reports(name: str, wanted: list[float]) -> None:
    """Base-Cut keeps what is beyond 2.2414 standard deviations of √(0.25·20): 5.01."""
    estimates = np.array([-4.0, 4.0, 12.0, 0.0])
    found = postprocess(name)(estimates, 20, NOISE)
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    both = postprocess(name)(np.stack([estimates, estimates[::-1]]), 20, NOISE)
    np.testing.assert_allclose(both, [wanted, wanted[::-1]], atol=1e-12)
    chosen = POSTPROCESSES[name]
    assert chosen.sums == (abs(sum(wanted) - 20) < 1e-9 and name != "none") and chosen.positive == (
        name not in ("none", "norm")
    )


def test_what_noise_alone_explains_is_cut() -> None:
    line = 2.241402727604947 * math.sqrt(5)
    cut = postprocess("base-cut")
    assert cut(np.array([line - 1e-6, line + 1e-6, 0, 0]), 20, NOISE)[:2].tolist() == [0, pytest.approx(line + 1e-6)]
    known = Noise(0.25, reach=lambda chance: 3.0 if chance == 0.0125 else None)
    assert cut(np.array([3.0, 3.1, -9.0, 0.0]), 20, known).tolist() == [0, 3.1, 0, 0]
    # A negative line lets nothing negative pass.
    assert cut(np.array([-1.0, 2.0]), 20, Noise(0.25, reach=lambda _: -5.0)).tolist() == [0, 2]


def test_of_nothing_left_to_scale_nothing_is_known() -> None:
    assert postprocess("norm-mul")(np.array([-1.0, -2.0, 0.0, -4.0]), 20, NOISE).tolist() == [5, 5, 5, 5]
    assert postprocess("mle-apx")(np.array([1.0, -1.0]), 0, Noise(0.25, 0.5)).tolist() == pytest.approx([0, 0])
    with pytest.raises(WorkbenchError, match="no post-processing “no”") as caught:
        postprocess("no")
    assert caught.value.field == "postprocess"


def test_the_noise_of_a_pure_protocol() -> None:
    noise = Noise.of_pure(0.5, 0.25)
    assert (noise.floor, noise.slope, noise.reach(0.01)) == (0.1875 / 0.0625, 1.0, None)


@pytest.mark.parametrize("slope", [0.7, -0.01])
def test_the_most_likely_counts_are_the_nearest_by_their_variances(slope: float) -> None:
    """Σ (c − ĉ)²/Var(c) is least there among all pairs of counts that add up."""
    noise, total = Noise(0.2, slope), 100.0
    for estimates in ([30.0, 50.0], [-10.0, 80.0], [70.0, 60.0]):
        found = postprocess("mle-apx")(np.array(estimates), total, noise)
        assert found.sum() == pytest.approx(total) and found.min() >= 0

        def far(first: float, estimates: list[float] = estimates) -> float:
            pairs = zip((first, total - first), estimates, strict=True)
            return sum((c - seen) ** 2 / (noise.floor * total + slope * c) for c, seen in pairs)

        assert all(far(float(found[0])) <= far(other) + 1e-9 for other in np.linspace(0, total, 2001)), estimates


# Tails


@pytest.mark.parametrize("trials", [1, 2, 17, 1000, 2_000_000])
@pytest.mark.parametrize("probability", [1e-6, 0.03, 0.5, 0.97])
@pytest.mark.parametrize("chance", [0.4, 1e-3, 1e-12, 1e-60])
def test_more_than_the_quantile_succeed_with_the_chance_and_more_than_one_less_do_not(
    trials: int, probability: float, chance: float
) -> None:
    found = upper_quantile(trials, probability, chance)
    assert math.floor(trials * probability) <= found <= trials
    assert binom.sf(found, trials, probability) <= chance * (1 + 1e-6)
    if found > math.floor(trials * probability):
        assert binom.sf(found - 1, trials, probability) > chance * (1 - 1e-6)


# Noise on the grid


@pytest.mark.parametrize(
    ("epsilon", "sensitivity", "steps"),
    [(1.0, 1, 128), (1.0, 2, 64), (0.01, 1, 1), (0.001, 1, 1), (3.0, 1, 512), (2.7, 1, 256)],
)
def test_a_unit_has_a_power_of_two_of_steps(epsilon: float, sensitivity: int, steps: int) -> None:
    assert grid_steps(epsilon, sensitivity) == steps


@pytest.mark.parametrize(("reach", "epsilon"), [(1, 1.0), (4, 0.5), (16, 3.0)])
def test_the_table_of_the_noise_is_a_law_of_its_epsilon(reach: int, epsilon: float) -> None:
    noise = GridLaplace(reach, epsilon)
    assert noise.lowest == reach - noise.highest
    width = noise.highest - noise.lowest + 1
    for value in (0, reach):
        row = noise.rows(value)
        assert len(row) == width and sum(row.tolist()) == TWO_64 and min(row.tolist()) > 0
        assert noise.lowest + int(row.argmax()) == value or row[0] == row.max() or row[-1] == row.max()
    assert noise.rows(reach).tolist() == noise.rows(0)[::-1].tolist()
    assert noise.worst_ratio <= Fraction(math.exp(epsilon))
    assert float(noise.worst_ratio) == pytest.approx(math.exp(epsilon), rel=1e-6)
    mean, variance = noise.moments(0)
    alpha = math.exp(-epsilon / reach)
    assert mean == pytest.approx(0, abs=1e-4) and variance == pytest.approx(2 * alpha / (1 - alpha) ** 2, rel=1e-3)
    assert noise.moments(reach)[0] == pytest.approx(reach, abs=1e-4)


def test_noisy_numbers_stay_in_the_range_and_about_their_values() -> None:
    noise = GridLaplace(4, 0.5)
    drawn = noise.add(np.repeat(np.array([0, 4]), 20_000).reshape(2, -1), SeededSource(3))
    assert drawn.shape == (2, 20_000) and drawn.dtype == np.int32
    assert noise.lowest <= drawn.min() and drawn.max() <= noise.highest
    mean, variance = zip(*(noise.moments(value) for value in (0, 4)), strict=True)
    # Six standard errors: once in five hundred million runs.
    for row, centre, spread in zip(drawn, mean, variance, strict=True):
        assert abs(row.mean() - centre) < 6 * math.sqrt(spread / 20_000)
    sums = noise.sums(50, 4000, np.random.default_rng(2))
    assert sums.shape == (4000,) and abs(sums.mean()) < 6 * math.sqrt(50 * variance[0] / 4000)
    assert sums.var() == pytest.approx(50 * variance[0], rel=0.15)


# Means


def test_numbers_are_scaled_by_their_public_bounds() -> None:
    spec = ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0))
    column = Column.from_texts("age", ["0", "50", "75", "120", "", "50"])
    choice = EncodingChoice(outside=Outside.CLIP, absent=Absent.LEAVE_OUT)
    numbers = encode_numbers(choice, column, spec)
    assert numbers.scaled.tolist() == [-1, 0, 0.5, 1, 0] and numbers.rows.tolist() == [0, 1, 2, 3, 5]
    assert (len(numbers), numbers.clipped, numbers.absent, numbers.declared) == (5, 1, 1, True)
    assert numbers.mean == 55 and [numbers.unscaled(one) for one in (-1, 0.5, 1)] == [0, 75, 100]
    some = numbers.of(column.take(np.array([2, 4])))
    assert some.mean == 75 and len(some) == 1
    assert math.isnan(numbers.of(column.take(np.array([4]))).mean)
    for refused in (EncodingChoice(outside=Outside.STOP, absent=Absent.LEAVE_OUT), EncodingChoice(absent=Absent.STOP)):
        with pytest.raises(WorkbenchError):
            encode_numbers(refused, column, spec)
    with pytest.raises(WorkbenchError, match="holds no numbers"):
        encode_numbers(choice, column, ColumnSpec("age", Kind.CATEGORY))


def test_predicted_errors_of_means_are_those_of_their_reports() -> None:
    found = planned_means(MeanPlan(400, 1.0, (0.0, 10.0)))
    assert [one.worst for one in found] == sorted(one.worst for one in found) and len(found) == len(every_mean())
    for one in found:
        randomiser = one.choice.mean(1.0)
        ends = randomiser.variance(np.array([-1.0, 0.0, 1.0]))
        assert one.middle == pytest.approx(5 * math.sqrt(ends[1] / 400))
        assert one.worst >= 5 * math.sqrt(ends.max() / 400) * (1 - 1e-12) and one.worst >= one.middle
    impossible = planned_means(MeanPlan(1, 1e9, (0.0, 1.0)))
    assert all(one.problem and math.isnan(one.worst) for one in impossible[-1:]) or not impossible[-1].problem
    with pytest.raises(WorkbenchError) as caught:
        planned_means(MeanPlan(0, 1.0, (0.0, 1.0)))
    assert caught.value.field == "users"


# Who reports


GRR, LINE, MEAN = ProtocolChoice("grr"), ProtocolChoice("square-wave"), every_mean()[0]


@pytest.mark.parametrize(
    ("choice", "absent", "filtered", "one_by_one", "hidden"),
    [
        (GRR, Absent.STOP, False, False, Attendance(True)),
        (GRR, Absent.VALUE, False, False, Attendance(True)),
        (GRR, Absent.LEAVE_OUT, False, False, Attendance(True, none=True)),
        (GRR, Absent.STOP, True, False, Attendance(True, none=True)),
        (GRR, Absent.STOP, False, True, Attendance(True, none=True)),
        (LINE, Absent.STOP, False, False, Attendance(True)),
        (LINE, Absent.STOP, False, True, Attendance(True, named=True)),
        (LINE, Absent.LEAVE_OUT, False, False, None),
        (LINE, Absent.STOP, True, True, None),
        (MEAN, Absent.VALUE, False, False, None),
        (MEAN, Absent.STOP, False, False, Attendance(True)),
    ],
)
def test_who_takes_part_is_hidden_where_the_protocol_can(
    choice: ProtocolChoice, absent: Absent, filtered: bool, one_by_one: bool, hidden: Attendance | None
) -> None:
    settings = {"filtered": filtered, "one_by_one": one_by_one}
    found = attendance(Participation.AUTO, choice, absent, **settings)
    seen = attendance(Participation.OPEN, choice, absent, **settings)
    if hidden is None:
        assert not found.hidden and "cannot report that" in found.why and found.promise in found.meaning
        with pytest.raises(WorkbenchError, match="cannot be hidden") as caught:
            attendance(Participation.HIDDEN, choice, absent, **settings)
        assert caught.value.field == "participation"
    else:
        assert found == attendance(Participation.HIDDEN, choice, absent, **settings) == hidden
    nobody_left_out = found == Attendance(True)
    assert seen.hidden == nobody_left_out and ("asked for" in seen.why) == (not nobody_left_out)
    for one in (found, seen):
        again = Attendance.from_json(one.to_json())
        assert (again.hidden, again.none, again.why) == (one.hidden, one.none, one.why)
    assert found.to_json()["none"] == (NO_PART if found.none else None)
    with pytest.raises(TypeError):
        Attendance.from_json({"hidden": 1, "none": None, "why": ""})


def test_a_tail_that_equals_its_chance_is_not_beyond_it() -> None:
    assert [upper_quantile(1, 0.5, chance) for chance in (0.5, 0.4999, 0.0001)] == [0, 1, 1]
    assert [upper_quantile(2, 0.5, chance) for chance in (0.25, 0.2499)] == [1, 2]


@pytest.mark.parametrize(("domain_size", "size"), [(10, 3), (11, 3), (13, 4), (14, 4), (40, 11)])
def test_sets_are_of_the_size_that_errs_least(domain_size: int, size: int) -> None:
    """Of all sizes at ε = 1, by the squared errors of all values, with p = ke/(ke + d − k), q = (k − p)/(d − 1)."""

    def spread(k: int) -> float:
        p = k * math.e / (k * math.e + domain_size - k)
        q = (k - p) / (domain_size - 1)
        return (p * (1 - p) + (domain_size - 1) * q * (1 - q)) / (p - q) ** 2

    assert min(range(1, domain_size), key=spread) == size
    chosen = PROTOCOLS["subset-selection"].build(domain_size, 1.0)
    assert set(chosen.perturb(np.zeros(20, dtype=np.int64), SeededSource(1)).sum(axis=1)) == {size}


def test_matrices_of_sets_and_bits_are_worked_out_up_to_ten_values() -> None:
    for name in ("rappor", "oue", "subset-selection"):
        epsilon = None if name == "rappor" else 1.0
        assert PROTOCOLS[name].build(10, epsilon).channel() is not None
        assert PROTOCOLS[name].build(11, epsilon).channel() is None


@pytest.mark.parametrize("power", [1.0, 1.5])
@pytest.mark.parametrize("floor", [1e-3, 0.05, 0.4])
@pytest.mark.parametrize("size", [2, 3, 7, 12])
def test_chances_by_distance_are_those_of_the_formula(size: int, floor: float, power: float) -> None:
    """1/(k(k+1)) at the distance k, the floor at least; what a row lacks is spread over all values but the true one."""
    weights = [max(1 / (k * (k + 1)), floor) ** power for k in range(1, size + 1)]
    low = floor**power
    a = 1 / (1 + 2 * math.fsum(weight - low for weight in weights) + (size - 1) * low)
    found = distance_sensitive(size, floor, power)
    for value in range(size):
        plain = [a * (1.0 if other == value else weights[abs(other - value) - 1]) for other in range(size)]
        lacking = max(1 - math.fsum(plain), 0.0) / (size - 1)
        right = [chance + lacking for chance in plain]
        right[value] = 1 - math.fsum(right[:value] + right[value + 1 :])
        assert found[value].tolist() == pytest.approx(right, rel=1e-9)
    assert found.sum(axis=1).tolist() == pytest.approx([1.0] * size)
