"""The ε that a protocol states is the ε of what it really draws: enumerated, not sampled."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from workbench.contracts.protocols import EPSILONS, states_its_loss
from workbench.contracts.protocols import channel_loss as loss
from workbench.core.randomness import SeededSource
from workbench.ldp.coins import TWO_64, Weighted, below, flips, nepers, odds, up
from workbench.ldp.noise import GridLaplace
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser, LocalProtocol, randomiser_from

FREQUENCY = [one for one in PROTOCOLS if one.family is Family.FREQUENCY]
MEANS = [one for one in PROTOCOLS if one.family is Family.MEAN]


def built(protocol: LocalProtocol, size: int, epsilon: float, **params: Any) -> FrequencyRandomiser | None:
    if protocol.identifier == "ds" and epsilon < math.log(2):
        return None  # refused, see the tests of bad input
    randomiser = protocol.build(min(size, protocol.maximum_domain), epsilon, **params)
    assert isinstance(randomiser, FrequencyRandomiser)
    return randomiser


@pytest.mark.parametrize("size", [2, 3, 8, 40])
@pytest.mark.parametrize("protocol", FREQUENCY, ids=lambda one: one.identifier)
def test_every_finite_channel(protocol: LocalProtocol, size: int) -> None:
    for epsilon in EPSILONS:
        randomiser = built(protocol, size, epsilon)
        channel = None if randomiser is None else randomiser.channel()
        if randomiser is None or channel is None:
            continue
        states_its_loss(protocol, randomiser, epsilon)
        assert loss(channel) == pytest.approx(randomiser.epsilon, abs=2e-8, rel=1e-7)


@pytest.mark.parametrize("protocol", [*FREQUENCY, *MEANS], ids=lambda one: one.identifier)
def test_no_protocol_states_less_than_it_reveals_or_spends_more_than_asked(protocol: LocalProtocol) -> None:
    for epsilon in EPSILONS:
        if protocol.identifier == "ds" and epsilon < math.log(2):
            continue
        size = 0 if protocol.family is Family.MEAN else min(7, protocol.maximum_domain)
        randomiser = protocol.build(size, epsilon)
        states_its_loss(protocol, randomiser, epsilon)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, math.log(12), 4.0])
def test_direct_and_corrected_distance_encoding_spend_all_of_epsilon(epsilon: float) -> None:
    for name in ("grr", "ds-corrected", "square-wave", "geometric", "exponential"):
        randomiser = built(PROTOCOLS[name], 40, epsilon)
        assert randomiser is not None
        channel = randomiser.channel()
        assert channel is not None
        assert loss(channel) == pytest.approx(epsilon, abs=1e-9)


@pytest.mark.parametrize(("claimed", "real"), [(12.0, 12), (20.0, 20), (19.9, 12), (2.5, 2)])
def test_distance_encoding_as_published_states_its_real_epsilon(claimed: float, real: int) -> None:
    randomiser = PROTOCOLS["ds"].build(40, math.log(claimed))
    assert randomiser.epsilon == pytest.approx(math.log(real), abs=1e-9)


def test_with_few_values_corrected_distance_encoding_says_that_it_reveals_less() -> None:
    assert PROTOCOLS["ds-corrected"].build(2, 1.5).epsilon == pytest.approx(0.25248245892545385, abs=1e-9)


def e_to_the(epsilon: float) -> Fraction:
    """e^ε of the float itself, to 60 digits."""
    with localcontext(prec=60):
        return Fraction(Decimal(epsilon).exp())


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 16, 33, 64])
@pytest.mark.parametrize(
    ("name", "params"), [("the", {}), ("the", {"theta": 0.55}), ("the", {"theta": 0.99}), ("ds-corrected", {})]
)
def test_the_whole_epsilon_is_spent_where_that_is_asked_for_and_never_more(
    name: str, params: dict[str, float], size: int
) -> None:
    for epsilon in (0.1, 0.25, 0.5, 1.0, math.log(3), 2.0, 3.0, 5.0, 7.5, 10.0):
        randomiser: Any = PROTOCOLS[name].build(size, epsilon, spend="whole", **params)
        assert 0.99 * epsilon <= randomiser.epsilon <= epsilon
        assert randomiser.worst_ratio <= e_to_the(epsilon)
        channel = randomiser.channel()
        if channel is None:
            # The bits are independent, and between any two values two of them have other chances.
            p, q = (Fraction(chance) for chance in randomiser.pure)
            assert float(p * (1 - q) / ((1 - p) * q)) == pytest.approx(math.exp(epsilon), rel=1e-9)
        else:
            assert 0.99 * epsilon <= loss(channel) <= epsilon * (1 + 1e-9)
        assert PROTOCOLS[name].build(size, epsilon, **params).worst_ratio <= randomiser.worst_ratio


def test_what_was_left_unused_is_used() -> None:
    def spent(name: str, size: int, epsilon: float, **params: Any) -> float:
        return PROTOCOLS[name].build(size, epsilon, **params).epsilon

    assert spent("the", 8, 10.0) == pytest.approx(5.97, abs=0.005)
    assert spent("the", 8, 10.0, spend="whole") == pytest.approx(10.0, rel=1e-9)
    assert spent("ds-corrected", 4, 5.0) == pytest.approx(1.20, abs=0.005)
    assert spent("ds-corrected", 4, 5.0, spend="whole") == pytest.approx(5.0, rel=2e-4)
    # Where nothing is left unused, the chances are the published ones.
    wide, same = (PROTOCOLS["ds-corrected"].build(40, 3.0, **params) for params in ({}, {"spend": "whole"}))
    assert isinstance(wide, FrequencyRandomiser) and isinstance(same, FrequencyRandomiser)
    np.testing.assert_array_equal(wide.channel(), same.channel())


@pytest.mark.parametrize("size", [2, 4, 10, 64, 1000])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0, 10.0])
def test_thresholds_that_spend_everything_have_the_smallest_variance_of_all_values(size: int, epsilon: float) -> None:
    def total(name: str, **params: Any) -> float:
        randomiser = PROTOCOLS[name].build(size, epsilon, **params)
        assert isinstance(randomiser, FrequencyRandomiser)
        found = randomiser.variance(np.full(size, 1000))
        assert found is not None
        return float(found.sum())

    best = total("the", spend="whole")
    for name, params in (("the", {}), ("sue", {}), ("oue", {})):
        assert best <= total(name, **params) * (1 + 1e-9), name
    for theta in (0.51, 0.6, 0.75, 0.9, 0.999):
        assert best <= total("the", theta=theta, spend="whole") * (1 + 1e-9)
        p, q = PROTOCOLS["the"].build(size, epsilon, theta=theta, spend="whole").pure
        near, far = math.log(2 * (1 - p)), math.log(2 * q)  # −s(1 − θ) and −sθ for noise of scale 1/s
        assert far / (near + far) == pytest.approx(theta, abs=1e-6)


def test_reports_of_the_published_form_say_what_they_always_said() -> None:
    for name, params in (("the", {"theta": 0.0}), ("ds-corrected", {})):
        plain = PROTOCOLS[name].build(4, 1.0)
        assert dict(plain.parameters) == params and plain.public()["parameters"] == params
        assert dict(PROTOCOLS[name].build(4, 1.0, spend="published").parameters) == params
        whole = PROTOCOLS[name].build(4, 5.0, spend="whole")
        assert whole.public()["parameters"] == {**params, "spend": "whole"}
        for one in (plain, whole):
            assert randomiser_from(one.public()).worst_ratio == one.worst_ratio


def test_geometric_noise_per_step() -> None:
    for name in ("geometric", "exponential"):
        randomiser: Any = PROTOCOLS[name].build(11, 0.5, scope="neighbours")
        channel = randomiser.channel()
        step = max(loss(channel[[row, row + 1]]) for row in range(10))
        assert randomiser.step_epsilon == pytest.approx(step, abs=1e-9)
        assert step <= 0.5 + 1e-9
        assert randomiser.epsilon == pytest.approx(loss(channel), abs=1e-9)
    assert PROTOCOLS["geometric"].build(11, 0.5, scope="neighbours").epsilon == pytest.approx(5.0, abs=1e-8)


def test_rappor_composes_up_to_the_permanent_bits() -> None:
    rounds = [PROTOCOLS["rappor"].build(3, None, rounds=count) for count in (1, 2, 5, 20, 200)]
    costs = [one.epsilon for one in rounds]
    first: Any = rounds[0]
    assert costs == sorted(costs)
    assert costs[-1] == pytest.approx(first.epsilon_forever, abs=1e-9)
    # Two reports by enumeration: the bits of a report are independent given the permanent ones.
    one, zero, kept = 0.75, 0.25, 0.75
    pairs = [(a, b) for a in (0, 1) for b in (0, 1)]

    def chance(pair: tuple[int, int], bit: float) -> float:
        return sum(
            share * math.prod(show if seen else 1 - show for seen in pair)
            for share, show in ((bit, one), (1 - bit, zero))
        )

    likely = {pair: chance(pair, kept) for pair in pairs}
    unlikely = {pair: chance(pair, 1 - kept) for pair in pairs}
    ratio = max(likely[pair] / unlikely[pair] for pair in pairs) * max(unlikely[pair] / likely[pair] for pair in pairs)
    assert costs[1] == pytest.approx(math.log(ratio), abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 8.0])
@pytest.mark.parametrize("reach", [1, 6])
def test_noise_on_a_grid_by_enumeration(reach: int, epsilon: float) -> None:
    noise = GridLaplace(reach, epsilon)
    rows = [noise.rows(value) for value in range(reach + 1)]
    assert all(sum(row.tolist()) == TWO_64 for row in rows)
    chances = np.array([row.astype(np.float64) for row in rows])
    assert loss(chances) == pytest.approx(epsilon, abs=1e-8)
    assert loss(chances) <= nepers(noise.worst_ratio) + 1e-12
    assert noise.worst_ratio <= odds(epsilon)


class Words:
    """A source that gives out what it is told to."""

    secure = False

    def __init__(self, *words: int) -> None:
        self._words = np.array(words, dtype=np.uint64)

    def words(self, count: int) -> NDArray[np.uint64]:
        given, self._words = self._words[:count], self._words[count:]
        return given


def test_a_coin_is_decided_by_all_64_bits() -> None:
    chance = up(odds(1.0) / 10)
    high, low = divmod(int(chance * TWO_64), 1 << 56)
    for first, rest, heads in ((high - 1, 0, True), (high + 1, 0, False), (high, low - 1, True), (high, low, False)):
        assert flips(Words(first, rest << 8), 1, chance).tolist() == [heads]


def test_a_weighted_draw_is_decided_by_all_64_bits() -> None:
    weighted = Weighted(np.array([(1 << 63) + 5, (1 << 63) - 5], dtype=np.uint64))
    for rest, index in ((4, 0), (5, 1)):
        assert weighted.draw(Words(1 << 15, rest << 16), 1).tolist() == [index]


def test_uniform_integers_leave_out_the_words_that_would_favour_some() -> None:
    # 2³² mod 5 = 1: a product whose low half is 0 would make its result too likely, and is drawn again.
    assert below(Words(0, 1 << 31), 1, 5).tolist() == [2]
    drawn = below(SeededSource(3), 200_000, 5)
    assert drawn.min() == 0
    assert drawn.max() == 4


def test_rounding_of_epsilon_goes_to_the_safe_side() -> None:
    for epsilon in np.linspace(0.001, 30, 500):
        ratio = odds(float(epsilon))
        assert ratio <= math.exp(epsilon)
        assert nepers(ratio) >= math.log(ratio)
        assert nepers(ratio) == pytest.approx(epsilon, rel=1e-12, abs=1e-15)


def matches(seen: NDArray[np.int64], chances: NDArray[np.float64]) -> bool:
    """χ² at 1 − 10⁻⁹ with rare outcomes taken together."""
    expected, observed = chances * len(seen), np.bincount(seen, minlength=len(chances))
    rare = expected < 10
    expected = np.append(expected[~rare], max(expected[rare].sum(), 1e-9))
    observed = np.append(observed[~rare], observed[rare].sum())
    return float(((observed - expected) ** 2 / expected).sum()) < stats.chi2.ppf(1 - 1e-9, len(expected) - 1)


def test_drawn_noise_follows_its_table_and_stays_in_its_range() -> None:
    noise = GridLaplace(6, 1.0)
    for value in (0, 6):
        drawn = noise.add(np.full(100_000, value), SeededSource(4))
        assert matches(drawn.astype(np.int64) - noise.lowest, noise.rows(value) / float(TWO_64))
    # The rarest noise of all, which no test would ever see: the first and the last words of the table.
    ends = (0, 0), (TWO_64 - 1, TWO_64 - 1)
    reached = {int(noise.add(np.array([value]), Words(*words))[0]) for value in (0, 6) for words in ends}
    assert reached == {noise.lowest, noise.highest}


def test_the_piecewise_mechanism_on_a_coarse_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.ldp.protocols.pm._STEPS", 8)
    randomiser: Any = PROTOCOLS["pm"].build(0, 1.5)
    window = round(8 * math.exp(-0.75))
    outputs = np.arange(8 + window)
    numbers = randomiser.decoded(outputs)
    channel = []
    for place in range(9):
        inside = (outputs >= place) & (outputs < place + window)
        channel.append(np.where(inside, math.exp(1.5), 1.0) / (window * math.exp(1.5) + 8))
        true = place / 4 - 1
        assert channel[-1] @ numbers == pytest.approx(true)
        assert channel[-1] @ numbers**2 - true**2 == pytest.approx(randomiser.variance(np.array([true]))[0])
        reports = randomiser.perturb(np.full(20_000, true), SeededSource(20 + place))
        assert matches(reports.astype(np.int64), channel[-1])
    assert loss(np.array(channel)) == pytest.approx(randomiser.epsilon)


def test_the_hybrid_states_the_worse_of_its_parts() -> None:
    """To the last bit: which of the two is worse changes with ε."""
    worse = set()
    for epsilon in np.linspace(0.05, 8.0, 60).tolist():
        ratios = [PROTOCOLS[name].build(0, epsilon).worst_ratio for name in ("duchi", "pm")]
        assert PROTOCOLS["hm"].build(0, epsilon).worst_ratio == max(ratios) <= odds(epsilon)
        worse.add(ratios[0] > ratios[1])
    assert worse == {True, False}
