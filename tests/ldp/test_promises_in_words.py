"""What is said and compared of protocols: rounded to the safe side, and by what nobody has to say."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.core.settings_json import from_json, to_json
from workbench.core.table import Column, Table
from workbench.ldp import simulation
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, EncodingChoice, EncodingKind, Outside
from workbench.ldp.heavy_hitters import heavy_hitters
from workbench.ldp.persons import PersonBudget, person_spec
from workbench.ldp.prediction import Prediction
from workbench.ldp.protocol import PROTOCOLS, Family, Support
from workbench.ldp.protocols.the import tuned
from workbench.ldp.report_cells import whole_numbers
from workbench.ldp.scaling import encode_numbers
from workbench.ldp.simulated_reports import collect
from workbench.ldp.simulation import SimulationSetting, baselines, simulate_mean

MEANS = [one.identifier for one in PROTOCOLS if one.family is Family.MEAN]


@pytest.mark.parametrize("reports", [1, 3, 4])
def test_a_budget_is_said_as_a_number_that_is_not_too_small(reports: int) -> None:
    text = PersonBudget(Fraction(2, 3), reports).text
    said = [Fraction(number) for number in re.findall(r"ε = (\d+(?:\.\d+)?)", text)]
    true = [Fraction(2, 3), Fraction(2, 3) * reports][: 1 if reports == 1 else 2]
    assert "/" not in text and len(said) == len(true)
    assert all(one >= exact and one - exact < Fraction(1, 1000) for one, exact in zip(said, true, strict=True))


def test_who_is_who_must_be_said() -> None:
    table = Table((Column.from_texts("id", ["1", "2"]), Column.from_texts("name", ["a", "b"])))
    plain = Schema((ColumnSpec("id", Kind.INTEGER), ColumnSpec("name", Kind.TEXT)))
    with pytest.raises(WorkbenchError) as refused:
        person_spec(plain, table)
    assert refused.value.field == "one_report_per_person"
    told = Schema(plain.columns, PrivacyUnit(person_column="id"))
    assert person_spec(told, table).name == "id"


@pytest.mark.parametrize("gap,se,told", [(0.0, 0.0, False), (0.1, 0.0, True), (0.1, 1.0, False), (-0.1, 0.0, False)])
def test_equal_errors_are_not_told_apart(gap: float, se: float, told: bool) -> None:
    def made(error: float) -> Prediction:
        choice = ProtocolChoice("oue")
        return Prediction(choice, "", 1.0, 1.0, error, error, error, {"l1": se})

    assert made(0.5 + gap).told_from(made(0.5), "l1") is told


def test_a_mean_is_in_units_of_minus_one_to_one_unless_somebody_says_otherwise() -> None:
    values = np.linspace(-1, 1, 400)
    plain = simulate_mean(ProtocolChoice("pm"), values, SimulationSetting(4.0, 400, 5))
    scaled = simulate_mean(ProtocolChoice("pm"), values, SimulationSetting(4.0, 400, 5), half_range=2.0, middle=10.0)
    np.testing.assert_allclose(scaled.estimates, 10 + 2 * plain.estimates)
    assert abs(plain.estimates.mean()) < 5 * plain.deviation / np.sqrt(5)


@pytest.mark.parametrize("identifier", [name for name in MEANS if name != "duchi"])  # whose reports have two values
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_a_band_of_a_mean_is_as_wide_as_any_numbers_need(identifier: str, epsilon: float) -> None:
    built = ProtocolChoice(identifier).mean(epsilon)
    low, high = built.band(Support(100_000_000, np.array([1e7, 1e8])), 2.0)
    variances = built.variance(np.linspace(-1, 1, 2001))
    assert (low + high) / 2 == pytest.approx(0.1)
    assert ((high - low) / 4) ** 2 * 100_000_000 == pytest.approx(variances.max(), rel=1e-3)


def test_nobody_to_collect_from_is_said() -> None:
    with pytest.raises(WorkbenchError, match="nobody to collect from"):
        baselines(np.zeros(3, dtype=np.int64), SimulationSetting(1.0, 10))
    with pytest.raises(WorkbenchError, match="no mean"):
        simulate_mean(ProtocolChoice("pm"), np.array([]), SimulationSetting(1.0, 10))


def test_a_trusted_curator_draws_many_collections_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another split would be slower, and would give other figures for the same seed."""
    drawn, draw = [], simulation.global_histograms

    def counted(counts: np.ndarray, epsilon: float, repetitions: int, seed: np.random.SeedSequence) -> np.ndarray:
        drawn.append(repetitions)
        return draw(counts, epsilon, repetitions, seed)

    monkeypatch.setattr(simulation, "global_histograms", counted)
    found = baselines(np.array([50, 30, 20]), SimulationSetting(1.0, 100, 40, seed=5))
    assert drawn == [40] and len(found.curator["l1"].values) == 40
    monkeypatch.setattr(simulation, "_BLOCK", 48)
    baselines(np.array([50, 30, 20]), SimulationSetting(1.0, 100, 40, seed=5))
    assert drawn[1:] == [16, 16, 8]


@pytest.mark.parametrize("length", [1, 40, 41, 5000])
def test_a_report_that_is_none_is_shown_up_to_its_fortieth_letter(length: int) -> None:
    with pytest.raises(WorkbenchError) as refused:
        whole_numbers([["x" * length]], 0, 0, 5)
    assert f"“{'x' * min(length, 40)}{'…' if length > 40 else ''}”" in refused.value.message


def test_every_heavy_hitter_lies_within_its_band() -> None:
    randomiser = ProtocolChoice("oue").frequency(20, 1.0)
    values = np.repeat([3, 7, 9], [3000, 1000, 500])
    for one in heavy_hitters(randomiser, collect(randomiser, values, SeededSource(2)), 20):
        assert one.low <= one.estimate <= one.high and one.low < one.high
    found = heavy_hitters(randomiser, collect(randomiser, values, SeededSource(2)), 3)
    assert [one.code for one in found] == [3, 7, 9]
    assert all(one.high - one.estimate > 10 and one.estimate - one.low > 10 for one in found)


@pytest.mark.parametrize("ratio", [Fraction(3), Fraction(20)])
def test_the_best_threshold_is_taken_unless_somebody_gives_one(ratio: Fraction) -> None:
    def variance(chances: tuple[Fraction, Fraction]) -> float:
        p, q = map(float, chances)
        return (p * (1 - p) + 7 * q * (1 - q)) / (p - q) ** 2

    best = tuned(ratio, 8)
    assert best == tuned(ratio, 8, 0.0)
    assert all(variance(best) <= variance(tuned(ratio, 8, theta)) * (1 + 1e-9) for theta in (0.55, 0.7, 0.9, 0.99))
    assert tuned(ratio, 8, 0.99) != best


def test_missing_numbers_stop_where_that_is_chosen() -> None:
    column = Column.from_texts("age", ["17", "", "30"])
    spec = ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0))
    assert encode_numbers(EncodingChoice(), column, spec).absent == 1
    with pytest.raises(WorkbenchError):
        encode_numbers(EncodingChoice(absent=Absent.STOP), column, spec)


def test_an_encoding_is_read_back_as_it_was_written() -> None:
    choices = [
        EncodingChoice(),
        EncodingChoice(EncodingKind.EDGES, edges=(0.0, 1.5, 3.0), outside=Outside.CLIP, absent=Absent.VALUE),
        EncodingChoice(EncodingKind.BINS, bins=7, bounds=(-1.0, 2.0), assume_public=True),
        EncodingChoice(EncodingKind.CATEGORIES, domain=("a", "b"), answer="a"),
    ]
    for choice in choices:
        assert from_json(EncodingChoice, to_json(choice)) == choice


@pytest.mark.parametrize(
    "plain",
    [
        {"edges": [0, True]},
        {"edges": ["0", 1]},
        {"edges": [0, float("inf")]},
        {"bounds": [0, None]},
        {"bounds": [float("nan"), 1]},
        {"bins": True},
        {"bins": 2.0},
        {"answer": 1},
        {"domain": ["a", 1]},
        {"assume_public": 1},
        {"how": "guess"},
    ],
)
def test_what_is_no_encoding_is_refused(plain: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        from_json(EncodingChoice, plain)


def test_an_epsilon_is_another_one_where_it_holds_for_a_step() -> None:
    for name in ("geometric", "exponential"):
        assert ProtocolChoice(name, {"scope": "neighbours"}).other_epsilon
        assert not ProtocolChoice(name, {"scope": "any"}).other_epsilon


def test_people_who_take_no_part_are_so_many_for_each_who_does(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[int]] = []
    plain = simulation.drawn_estimates

    def watched(randomiser: Any, everybody: Any, *rest: Any, **more: Any) -> Any:
        asked.append(everybody.tolist())
        return plain(randomiser, everybody, *rest, **more)

    monkeypatch.setattr(simulation, "drawn_estimates", watched)
    for others, missing in ((None, []), (0.0, [0]), (0.5, [300]), (2.5, [1500])):
        simulation.simulate_frequencies(
            ProtocolChoice("grr"), np.array([1, 3, 2]), SimulationSetting(1.0, 600, 2), others=others
        )
        assert asked.pop() == [100, 300, 200, *missing]


@pytest.mark.parametrize("rows", [3, 9])
def test_the_spread_of_a_matrix_is_that_of_each_report_it_may_bring(rows: int) -> None:
    """Also where it has fewer rows than there are values, and mixes them."""
    randomiser = PROTOCOLS["random-matrix"].build(5, 1.2, m=rows, matrix_seed=3)
    channel, counts = randomiser.channel(), np.array([3, 0, 5, 1, 7])
    assert channel is not None and randomiser.unbiased == (rows == 9)
    told = np.array([randomiser.estimate(Support(1, one)) for one in np.eye(2 * rows, dtype=np.int64)])
    mean = channel @ told
    spread = np.einsum("vr,ri,rj->vij", channel, told, told) - np.einsum("vi,vj->vij", mean, mean)
    wanted = np.einsum("v,vij->ij", counts, spread)
    np.testing.assert_allclose(randomiser.variance(counts), np.diag(wanted), rtol=1e-6)
    np.testing.assert_allclose(randomiser.covariance(counts), wanted, rtol=1e-6, atol=1e-6)
