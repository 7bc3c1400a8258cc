"""Whether a simulation is said to be farther off its prediction than chance moves it: seldom, where it is right."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from workbench.core.progress import SILENT
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import SimulationErrors, SimulationSetting, simulate_frequencies
from workbench.session import Session
from workbench.session.collection.results import Simulated
from workbench.session.collection.simulated_table import beside_predicted

THREE = EncodingChoice(domain=("yes", "no", "rather not say"))
ALARM = "farther off than chance moves 95 of 100"


def simulated(identifier: str) -> Simulated:
    desk = Session().collection
    usual = {"encoding": THREE, "users": 2000, "epsilon": 1.0, "sampling": True, "repetitions": 5}
    desk.change(**usual, protocols=(ProtocolChoice(identifier),))
    return desk.simulator(foresee=True)(SILENT)


@pytest.mark.parametrize("identifier", ["grr", "oue"])
@pytest.mark.parametrize("repetitions", [5, 50])
def test_of_a_right_prediction_chance_is_doubted_in_5_of_100_simulations(identifier: str, repetitions: int) -> None:
    found = simulated(identifier)
    assert found.asked.encoded is not None
    choice, counts, tries = ProtocolChoice(identifier), found.asked.encoded.counts, 300
    doubted = dict.fromkeys(("l1", "l2", "kantorovich", MARGIN), 0)
    for seed in range(tries):
        one = simulate_frequencies(choice, counts, SimulationSetting(1.0, 2000, repetitions, seed=seed, sampling=True))
        for metric in doubted:
            doubted[metric] += ALARM in beside_predicted(replace(found, results=(one,)), None, metric)
    # 5 of 100, and three standard deviations of so many tries.
    assert max(doubted.values()) < 0.05 * tries + 3 * (0.05 * 0.95 * tries) ** 0.5, doubted


@pytest.mark.parametrize("metric", ["l1", "kantorovich", MARGIN])
def test_the_interval_that_is_printed_is_that_of_the_verdict(metric: str) -> None:
    found, choice, verdicts = simulated("grr"), ProtocolChoice("grr"), set[bool]()
    assert found.asked.encoded is not None
    for seed in range(200):
        setting = SimulationSetting(1.0, 2000, 20, seed=seed, sampling=True)
        one = simulate_frequencies(choice, found.asked.encoded.counts, setting)
        said = beside_predicted(replace(found, results=(one,)), None, metric).replace("\u00a0", " ")
        read = re.search(r"(?:came to|simulated) ([\d.]+)[^(±]*\(by chance ([\d.]+) to ([\d.]+)\), (as chance)?", said)
        assert read is not None, said
        mean, low, high = map(float, read.groups()[:3])
        assert (low <= mean <= high) is (read[4] is not None), said
        verdicts.add(read[4] is not None)
    assert verdicts == {True, False}


def test_a_margin_that_is_wider_on_the_safe_side_is_not_doubted_for_that() -> None:
    """Of few people a margin is up to half a report wider than what simulated ones come to."""
    desk, choice = Session().collection, ProtocolChoice("grr")
    desk.change(encoding=THREE, users=30, epsilon=1.0, sampling=True, repetitions=5, protocols=(choice,))
    found, doubted = desk.simulator(foresee=True)(SILENT), 0
    assert found.asked.encoded is not None
    for seed in range(100):
        setting = SimulationSetting(1.0, 30, 200, seed=seed, sampling=True)
        one = simulate_frequencies(choice, found.asked.encoded.counts, setting)
        doubted += ALARM in beside_predicted(replace(found, results=(one,)), None, MARGIN)
    assert doubted <= 12


@pytest.mark.parametrize("metric", ["l1", "l2", MARGIN])
def test_collections_that_happen_to_be_alike_are_not_held_for_sure(metric: str) -> None:
    """A few that err alike, and a little less or more than predicted, say nothing; many do."""
    found = simulated("grr")
    (one,), foreseen = found.results, found.foreseen
    law = one.margin
    assert foreseen is not None and law is not None

    def said(part: float, tries: int) -> str:
        of = np.full(tries, part)
        errors = {each: SimulationErrors(foreseen.predictions[0].error(each) * of) for each in one.errors}
        margin = replace(law, values=law.expected / 1.96 * of)
        return beside_predicted(replace(found, results=(replace(one, errors=errors, margin=margin),)), None, metric)

    for part in (0.9, 1.1):
        assert said(part, 5).endswith("as chance allows.")
        assert ALARM in said(part, 2000), "so far off are many by no chance"
    assert ALARM in said(2.5, 5)
