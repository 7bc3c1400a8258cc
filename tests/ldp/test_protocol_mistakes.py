"""What cannot be is refused in clear words, and what older programs got wrong is right here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SeededSource
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser, Support, randomiser_from

FREQUENCY = [one.identifier for one in PROTOCOLS if one.family is Family.FREQUENCY]
ALL = "rr grr sue oue ue she the blh olh hadamard subset-selection rappor random-matrix ds ds-corrected square-wave"
ALL += " exponential geometric duchi pm hm laplace"


def build(name: str, size: int = 6, epsilon: float | None = 1.0, **params: Any) -> Any:
    return PROTOCOLS[name].build(min(size, PROTOCOLS[name].maximum_domain), epsilon, **params)


def test_all_protocols_are_there_and_explained() -> None:
    assert {one.identifier for one in PROTOCOLS} == set(ALL.split())
    for one in PROTOCOLS:
        assert one.title
        assert one.summary.endswith(".")
        assert one.citation.endswith(".")
        assert all(param.help for param in one.params)


@pytest.mark.parametrize("name", ALL.split())
@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.nan, math.inf, 31.0])
def test_impossible_epsilon(name: str, epsilon: float) -> None:
    size = 0 if PROTOCOLS[name].family is Family.MEAN else 2
    with pytest.raises(WorkbenchError, match="ε") as caught:
        PROTOCOLS[name].build(size, epsilon)
    assert caught.value.field == "epsilon"
    assert caught.value.hint


@pytest.mark.parametrize("name", ALL.split())
def test_epsilon_is_needed_unless_it_follows(name: str) -> None:
    protocol = PROTOCOLS[name]
    if name in {"ue", "rappor"}:
        assert protocol.build(4, None).epsilon > 0
        return
    with pytest.raises(WorkbenchError, match="needs an ε"):
        protocol.build(0 if protocol.family is Family.MEAN else 2, None)


@pytest.mark.parametrize("name", FREQUENCY)
@pytest.mark.parametrize("size", [0, 1, 1 << 21])
def test_impossible_domains(name: str, size: int) -> None:
    with pytest.raises(WorkbenchError, match="needs a domain of") as caught:
        PROTOCOLS[name].build(size, 1.0)
    assert caught.value.field == "domain"


@pytest.mark.parametrize(
    ("name", "params", "field"),
    [
        ("ue", {"p": 0.25, "q": 0.75}, "p"),
        ("ue", {"p": 0.5, "q": 0.5}, "p"),
        ("ue", {"p": 1.0}, "p"),
        ("ue", {"q": 0.0}, "q"),
        ("rappor", {"p": 0.5, "q": 0.75}, "p"),
        ("rappor", {"f": 1.0}, "f"),
        ("rappor", {"rounds": 0}, "rounds"),
        ("rr", {"design": "warner", "p": 0.5}, "p"),
        ("rr", {"design": "three coins"}, "design"),
        ("the", {"theta": 0.5}, "theta"),
        ("the", {"theta": 1.0}, "theta"),
        ("the", {"theta": 0.2}, "theta"),
        ("the", {"spend": "more"}, "spend"),
        ("the", {"theta": 0.4, "spend": "whole"}, "theta"),
        ("ds-corrected", {"spend": ""}, "spend"),
        ("olh", {"g": 1}, "g"),
        ("hadamard", {"blocks": 3}, "blocks"),
        ("subset-selection", {"k": 6}, "k"),
        ("random-matrix", {"m": 0}, "m"),
        ("random-matrix", {"m": -1}, "m"),
        ("random-matrix", {"m": 1 << 30}, "m"),
        ("grr", {"m": 3}, "m"),
    ],
)
def test_impossible_parameters(name: str, params: dict[str, Any], field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        build(name, **params)
    assert caught.value.field == field
    assert caught.value.hint


def test_wide_domains_whose_steps_cannot_be_kept() -> None:
    with pytest.raises(WorkbenchError, match="too rare"):
        build("geometric", 500, 1.0, scope="neighbours")


def test_reports_of_another_protocol_or_matrix() -> None:
    matrix, other = build("random-matrix"), build("random-matrix", matrix_seed=2)
    assert not np.array_equal(matrix.channel(), other.channel())
    mixed = {**matrix.public(), "matrix": other.public()["matrix"]}
    with pytest.raises(WorkbenchError, match="matrix of these reports is missing or damaged"):
        randomiser_from(mixed)
    with pytest.raises(WorkbenchError, match="missing or damaged"):
        randomiser_from({key: value for key, value in matrix.public().items() if key != "matrix"})
    with pytest.raises(WorkbenchError, match="made by “grr”"):
        PROTOCOLS["oue"].from_public(build("grr").public())
    with pytest.raises(WorkbenchError, match="no local protocol “nothing”"):
        randomiser_from({"protocol": "nothing"})
    with pytest.raises(WorkbenchError, match="incomplete"):
        randomiser_from({"protocol": "grr"})
    with pytest.raises(WorkbenchError, match="different protocols"):
        _ = Support(1, np.zeros(3)) + Support(1, np.zeros(4))
    rows = build("oue", 6).cells(build("oue", 6).perturb(np.array([1, 2]), SeededSource(1)))
    with pytest.raises(WorkbenchError, match="Report 1 is") as caught:
        build("oue", 7).parse(rows)
    assert caught.value.field == "reports"
    with pytest.raises(WorkbenchError, match="not a set of 3"):
        build("subset-selection", k=3).parse([("111000",), ("111100",)])
    with pytest.raises(WorkbenchError, match="sign 0"):
        build("random-matrix").parse([("1", "0")])
    with pytest.raises(WorkbenchError, match="hexadecimal"):
        build("olh", functions=16).parse([("10", "0")])


# What older programs got wrong ---------------------------------------------------------------------------------------


def test_the_entries_of_the_random_matrix_do_not_give_the_value_away() -> None:
    randomiser = build("random-matrix", 7, 1.0, m=50)
    channel = randomiser.channel().reshape(7, 50, 2)
    # Every row is as likely for every value, and there are two chances only, so a report has no size.
    assert channel.sum(axis=2) == pytest.approx(1 / 50)
    assert len(np.unique(np.round(channel, 15))) == 2


def test_epsilon_reaches_the_random_matrix() -> None:
    ratios = [float(build("random-matrix", epsilon=epsilon).worst_ratio) for epsilon in (0.5, 1.0, 3.0)]
    assert ratios == pytest.approx(np.exp([0.5, 1.0, 3.0]))


def test_one_report_of_the_random_matrix_without_a_sign_is_named_among_good_ones() -> None:
    with pytest.raises(WorkbenchError, match="Report 2 has the sign 0"):
        build("random-matrix").parse([("0", "1"), ("1", "0"), ("2", "-1")])


@pytest.mark.parametrize("name", FREQUENCY)
def test_estimates_are_said_to_be_right_on_average(name: str) -> None:
    assert build(name, 4).unbiased


def test_a_random_matrix_with_few_rows_says_that_it_is_not_unbiased() -> None:
    assert build("random-matrix", 20).unbiased
    few = build("random-matrix", 20, m=10)
    assert not few.unbiased
    counts = np.arange(20)
    errors = [
        few.estimate(few.accumulate(few.perturb(np.repeat(np.arange(20), counts), SeededSource(s)))) for s in range(300)
    ]
    assert np.var(errors, axis=0, ddof=1) == pytest.approx(few.variance(counts), rel=0.5)


@pytest.mark.parametrize("claim", [12.0, 20.0])
def test_distance_encoding_keeps_what_it_claims(claim: float) -> None:
    for name in ("ds", "ds-corrected"):
        channel = build(name, 50, math.log(claim)).channel()
        assert (channel.max(axis=0) / channel.min(axis=0)).max() <= claim * (1 + 1e-9)


def test_distance_encoding_below_ln_2() -> None:
    with pytest.raises(WorkbenchError, match="ln 2") as caught:
        build("ds", epsilon=0.5)
    assert caught.value.field == "epsilon"
    assert build("ds", epsilon=math.log(2)).epsilon == pytest.approx(math.log(2))
    assert build("ds-corrected", epsilon=0.5).epsilon == 0.5


def test_the_memo_of_rappor_belongs_to_a_person_and_a_value() -> None:
    # p and q so extreme that reports show the permanent bits.
    clear = {"f": 0.9, "p": 1 - 1e-12, "q": 1e-12}
    people = 400
    randomiser = build("rappor", 20, None, rounds=4, **clear)
    reports = randomiser.perturb(np.full(people, 3), SeededSource(1))
    assert (reports == reports[:, :1]).all()  # the same value again: the same bits
    flat = reports[:, 0].reshape(people, 20)
    assert len(np.unique(flat, axis=0)) == people  # a person has bits of their own
    by_round = np.tile([3, 5, 3, 5], (people, 1))
    changing = randomiser.perturb(by_round, SeededSource(2))
    assert (changing[:, 0] == changing[:, 2]).all()
    assert (changing[:, 1] == changing[:, 3]).all()
    # A bit that belongs to neither value agrees by chance only: with chance f²/2·… = 0.505.
    alike = (changing[:, 0, 10:] == changing[:, 1, 10:]).mean()
    assert alike == pytest.approx(0.45**2 + 0.55**2, abs=5 * 0.5 / math.sqrt(people * 10))


def test_rappor_uses_p_and_q_to_estimate() -> None:
    counts = np.array([700, 200, 100])
    for p, q in ((0.75, 0.25), (0.75, 0.5), (0.9, 0.1)):
        randomiser = build("rappor", 3, None, p=p, q=q)
        assert randomiser.estimate(randomiser.expected(counts)) == pytest.approx(counts)


def test_many_reports_of_a_person_cost_more_than_one() -> None:
    one, many = (build("rappor", 6, None, rounds=rounds) for rounds in (1, 200))
    assert many.epsilon > 2 * one.epsilon
    assert many.epsilon == pytest.approx(many.epsilon_forever, abs=1e-9)
    assert many.epsilon_one == one.epsilon


@pytest.mark.parametrize("name", FREQUENCY)
def test_estimates_are_neither_clipped_nor_cut_to_whole_numbers(name: str) -> None:
    randomiser = build(name, 6, 2.0)
    assert isinstance(randomiser, FrequencyRandomiser)
    size = randomiser.domain_size
    reports = randomiser.perturb(np.full(57, size - 1), SeededSource(4))
    groups = [randomiser.estimate(randomiser.accumulate(reports[start : start + 19])) for start in (0, 19, 38)]
    estimates = np.array(groups)
    assert estimates.min() < 0
    assert (np.abs(estimates - np.round(estimates)) > 1e-6).any()


def test_reports_of_laplace_noise_are_whole_numbers_within_public_bounds() -> None:
    summation, single = build("she"), PROTOCOLS["laplace"].build(0, 1.0)
    for reports in (
        summation.perturb(np.arange(6), SeededSource(5)),
        single.perturb(np.linspace(-1, 1, 9), SeededSource(5)),
    ):
        assert reports.dtype == np.int32
    # The same outputs can come from every value, whatever the last bits of a float would have been.
    low, high = (summation._noise.rows(value) for value in (0, summation._steps))
    assert (low > 0).all()
    assert (high > 0).all()
