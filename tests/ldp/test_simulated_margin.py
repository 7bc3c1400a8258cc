"""The margin of an unbiased share as simulated collections have it, beside its formula, and how often it holds."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.share_margin import share_margin
from workbench.ldp.simulation import SimulationSetting, simulate_frequencies

COUNTS = np.array([443, 683, 510, 260, 88, 14, 2])
SUBSET = {"k": 3}


@pytest.mark.parametrize("sampling", [True, False])
@pytest.mark.parametrize("name", ["subset-selection", "grr", "oue", "olh", "hadamard"])
def test_it_is_that_of_the_formula_and_holds_in_95_of_100_collections(name: str, sampling: bool) -> None:
    choice = ProtocolChoice(name, SUBSET if name == "subset-selection" else {})
    setting = SimulationSetting(1.0, 2000, 1500, seed=3, sampling=sampling)
    found = simulate_frequencies(choice, COUNTS, setting).margin
    assert found is not None and found.se < 0.03 * found.mean
    assert found.mean == pytest.approx(found.expected, abs=4 * found.se)
    held = float((found.values <= found.expected).mean())
    assert held == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 1500))
    plan = CollectionPlan(2000, len(COUNTS), 1.0, sampling=sampling)
    assert found.expected <= share_margin(plan, choice) * (1 + 1e-9), "these shares are no worse than any"


def test_it_is_of_the_unbiased_share_by_hand_whatever_is_estimated() -> None:
    """Of two answers by direct encoding: v = p q ÷ (n (p − q)²), and of those who are drawn π(1 − π) ÷ n more."""
    counts, users = np.array([300, 700]), 1000
    p = np.e / (np.e + 1)
    noise = p * (1 - p) / (users * (2 * p - 1) ** 2)
    for sampling, drawn in ((False, 0.0), (True, 0.21 / users)):
        each = [
            simulate_frequencies(
                ProtocolChoice("grr"), counts, SimulationSetting(1.0, users, 400, method, 5, sampling)
            ).margin
            for method in (EstimationMethod(), EstimationMethod("unbiased", "none"))
        ]
        usual, plain = each
        assert usual is not None and plain is not None
        assert usual.values.tolist() == plain.values.tolist()
        assert plain.expected == pytest.approx(1.96 * np.sqrt(noise + drawn), rel=0.03)  # half a report wider


def test_what_chance_moves_it_by_is_what_other_seeds_show() -> None:
    each = [
        simulate_frequencies(ProtocolChoice("grr"), COUNTS, SimulationSetting(1.0, 2000, 50, seed=seed)).margin
        for seed in range(120)
    ]
    means = np.array([one.mean for one in each if one is not None])
    told = np.array([one.se for one in each if one is not None])
    assert len(means) == 120
    assert float(means.std(ddof=1)) == pytest.approx(float(told.mean()), rel=0.25)
    inside = np.mean([one.band[0] <= one.expected <= one.band[1] for one in each if one is not None])
    assert inside > 0.88


def test_there_is_none_where_others_report_too_or_once_nothing_is_said_of_chance() -> None:
    setting = SimulationSetting(1.0, 600, 3)
    assert simulate_frequencies(ProtocolChoice("grr"), COUNTS, setting, others=0.5).margin is None
    once = simulate_frequencies(ProtocolChoice("grr"), COUNTS, SimulationSetting(1.0, 600, 1)).margin
    assert once is not None and np.isnan(once.se) and once.band == (once.mean, once.mean)
