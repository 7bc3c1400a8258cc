"""Margins where no law is at hand: of tables that tell answers hardly apart, of rare steps, and of unknown steps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.core.randomness import SeededSource
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTOMATIC, band, estimate
from workbench.ldp.heavy_hitters import heavy_hitters
from workbench.ldp.normal_margin import hardly_reached, normal_or_wider
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.protocol import PROTOCOLS, FrequencyRandomiser, Support
from workbench.ldp.share_margin import share_margin


def poisson(mean: float) -> np.ndarray:
    """The chances of 0, 1, 2 … events, as far as there are any."""
    return np.array([math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(int(3 * mean) + 60)])


def test_of_a_number_of_rare_steps_no_more_are_missed_than_is_said() -> None:
    for mean in np.concatenate([np.geomspace(1e-4, 3, 2000), np.arange(3, 80, 0.25)]).tolist():
        law = poisson(mean)
        off = np.abs(np.arange(len(law)) - mean)
        for chance in (0.95, 0.995):
            assert law[off > float(normal_or_wider(math.sqrt(mean), 1.0, chance))].sum() <= 1 - chance
        assert law[np.arange(len(law)) - mean > hardly_reached(math.sqrt(mean), 1.0, 0.001)].sum() <= 0.001


def test_of_an_unknown_law_chebyshev_alone_says_anything() -> None:
    """Of one step that is made with chance 1/20 the inequality is all but an equality."""
    assert normal_or_wider(2.0, math.inf) == pytest.approx(2.0 * math.sqrt(20.0))
    assert hardly_reached(2.0, math.inf, 0.05) == pytest.approx(2.0 * math.sqrt(19.0))


def crowds(values: int, people: int) -> dict[str, np.ndarray]:
    places = np.arange(values)
    return {
        "all have one": np.where(places == 0, people, 0),
        "half and half": np.where(places == 0, people // 2, np.where(places == values // 2, people - people // 2, 0)),
        "spread": np.bincount(np.arange(people) % values, minlength=values),
    }


CASES = [
    ("exponential", 40, 6.0, 1000, {}),
    ("exponential", 40, 6.0, 100, {}),
    ("exponential", 24, 6.0, 1000, {}),
    ("geometric", 40, 6.0, 100, {}),
    ("ds-corrected", 40, 3.0, 30, {}),
    ("square-wave", 40, 6.0, 100, {}),
    ("hadamard", 40, 6.0, 5, {}),
    ("random-matrix", 2, 6.0, 4, {}),
    ("rappor", 8, 1.0, 20, {"rounds": 20, "f": 0.1}),
    ("blh", 8, 4.0, 200, {"functions": 2}),
    ("olh", 8, 4.0, 200, {"functions": 4}),
]
"""Protocol, answers, ε, people and parameters: where little is known of single answers, or one report weighs much."""


def collected(
    built: FrequencyRandomiser, crowd: np.ndarray, seed: int, times: int
) -> list[tuple[FrequencyRandomiser, Support]]:
    draw, source, values = np.random.default_rng(seed), SeededSource(seed), np.repeat(np.arange(len(crowd)), crowd)
    found = []
    for _ in range(times):
        mine, support = built, built.simulate(crowd, draw)
        if support is None:
            mine = built.fresh(source)
            support = mine.accumulate(mine.perturb(values, source))
        found.append((mine, support))
    return found


@pytest.mark.parametrize(("identifier", "values", "epsilon", "people", "given"), CASES)
def test_bands_hold_every_answer_as_often_as_is_said(
    identifier: str, values: int, epsilon: float, people: int, given: dict[str, float]
) -> None:
    """Of 200 collections 10 are missed at 95 %; 24 or more have a chance below 10⁻⁴, in 1,000 counts below 0.1."""
    built = PROTOCOLS[identifier].build(values, epsilon, **given)
    for crowd in crowds(values, people).values():
        missed = np.zeros((2, values))
        for mine, support in collected(built, crowd, 11, 200):
            low, high = band(mine, support)
            shown = estimate(mine, support, AUTOMATIC)
            missed += [
                (crowd < low - 1e-9) | (crowd > high + 1e-9),
                (crowd < shown.low - 1e-9) | (crowd > shown.high + 1e-9),
            ]
        assert missed.max() < 24


@pytest.mark.parametrize(("identifier", "values", "epsilon", "people", "given"), CASES)
def test_a_value_that_nobody_has_is_seldom_called_sure(
    identifier: str, values: int, epsilon: float, people: int, given: dict[str, float]
) -> None:
    """At most 5 % of 200 collections: 24 or more have a chance below 10⁻⁴."""
    built = PROTOCOLS[identifier].build(values, epsilon, **given)
    for crowd in (np.where(np.arange(values) == place, people, 0) for place in (0, values // 2)):
        found = (heavy_hitters(mine, support, min(5, values)) for mine, support in collected(built, crowd, 12, 200))
        assert sum(any(one.sure and not crowd[one.code] for one in some) for some in found) < 24


@pytest.mark.parametrize("identifier", ["exponential", "geometric", "square-wave", "hadamard", "random-matrix", "she"])
@pytest.mark.parametrize("epsilon", [1.0, 6.0])
def test_a_margin_said_ahead_is_that_of_the_worst_answer(identifier: str, epsilon: float) -> None:
    """Of tables the answers in the middle are the least sure; the variance is worked out answer by answer."""
    choice = ProtocolChoice(identifier)
    built, plan = choice.frequency(12, epsilon), CollectionPlan(100_000, 12, epsilon, ordinal=True)
    each = [built.variance(100_000.0 * np.eye(12)[value]) for value in range(12)]
    worst = np.max([one for one in each if one is not None], axis=0)
    np.testing.assert_allclose(built.worst_variance(100_000.0), worst, rtol=0.3)
    assert (built.worst_variance(100_000.0) >= worst * (1 - 1e-9)).all()
    margin = share_margin(plan, choice)
    assert 1.9599 * math.sqrt(worst.max()) / 100_000 <= margin <= 2.3 * math.sqrt(worst.max()) / 100_000
