"""Every protocol has the chances and variances of the tables of truth."""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.protocol import PROTOCOLS, FrequencyRandomiser
from workbench.ldp.protocols import pm
from workbench.ldp.protocols.hadamard import best_blocks
from workbench.ldp.protocols.rappor import reported
from workbench.ldp.protocols.square_wave import half_width
from workbench.ldp.protocols.subset_selection import rare_size
from workbench.ldp.protocols.the import best_threshold, chances
from workbench.ldp.unary import two_bits

DATA = Path(__file__).resolve().parents[1] / "data"
PEOPLE = 1000


def table(name: str) -> list[dict[str, str]]:
    with (DATA / f"ldp_{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def named(row: dict[str, str]) -> str:
    return "-".join([row["eps_name"], *(row[key] for key in ("d", "t") if key in row)])


def frequency(name: str, domain_size: int, epsilon: float | None, **params: Any) -> FrequencyRandomiser:
    built = PROTOCOLS[name].build(domain_size, epsilon, **params)
    assert isinstance(built, FrequencyRandomiser)
    return built


def spread(randomiser: FrequencyRandomiser, share: float) -> float:
    """The variance per person of the estimate of a value that a share of all people have."""
    counts = np.zeros(randomiser.domain_size)
    counts[0], counts[-1] = share * PEOPLE, (1 - share) * PEOPLE
    variance = randomiser.variance(counts)
    assert variance is not None
    return float(variance[0]) / PEOPLE


def chances_of(randomiser: FrequencyRandomiser) -> tuple[float, float]:
    pure = randomiser.pure
    assert pure is not None
    return pure


@pytest.mark.parametrize("row", table("pure"), ids=named)
def test_protocols_whose_error_does_not_depend_on_the_domain(row: dict[str, str]) -> None:
    epsilon = float(row["eps"])

    def close(value: float, column: str) -> None:
        # The table found θ from values of the variance, which are flat near it, to six digits only.
        assert value == pytest.approx(float(row[column]), rel=1e-6 if column.startswith("THE") else 1e-9), column

    for name in ("sue", "oue", "olh", "the"):
        built = frequency(name, 9, epsilon)
        p, q = chances_of(built)
        close(p, f"{name.upper()}_p")
        close(q, f"{name.upper()}_q")
        close(spread(built, 0.0), f"{name.upper()}_var")
    close(best_threshold(epsilon), "THE_theta")
    for theta, column in ((1.0, "THE_var_at_1"), (0.67, "THE_var_at_067")):
        p, q = chances(epsilon, theta)
        close(q * (1 - q) / (p - q) ** 2, column)
    close(chances_of(frequency("blh", 9, epsilon))[0], "BLH_p")
    close(spread(frequency("blh", 9, epsilon), 0.0), "BLH_var")
    assert frequency("olh", 9, epsilon).cells(np.array([[7, 1]], dtype=np.uint64)) == [("0000000000000007", "1")]
    assert chances_of(frequency("olh", 9, epsilon))[1] == 1 / int(row["OLH_g"])
    close(spread(frequency("hadamard", 9, epsilon, blocks=1), 0.0), "HR_B1_var")
    close(spread(frequency("grr", 2, epsilon), 0.0), "GRR_d2_var")
    close(half_width(epsilon), "SW_b")
    # On the grid that keeps low bits from leaking, to five digits.
    assert spread(frequency("she", 9, epsilon), 0.0) == pytest.approx(float(row["SHE_var"]), rel=2e-5)


@pytest.mark.parametrize("row", table("by_domain"), ids=named)
def test_protocols_whose_error_depends_on_the_domain(row: dict[str, str]) -> None:
    size, epsilon = int(row["d"]), float(row["eps"])
    direct = frequency("grr", size, epsilon)
    # The table's size is the one for rare values, with which older reports are read.
    assert rare_size(size, epsilon) == int(row["SS_k"])
    subset = frequency("subset-selection", size, epsilon, k=int(row["SS_k"]))
    for built, name in ((direct, "GRR"), (subset, "SS")):
        p, q = chances_of(built)
        assert p == pytest.approx(float(row[f"{name}_p"]), rel=1e-9)
        assert q == pytest.approx(float(row[f"{name}_q"]), rel=1e-9)
        assert spread(built, 0.0) == pytest.approx(float(row[f"{name}_var_f0"]), rel=1e-9)
        assert spread(built, 0.1) == pytest.approx(float(row[f"{name}_var_f01"]), rel=1e-9)
    assert subset.bits == pytest.approx(math.log2(math.comb(size, int(row["SS_k"]))), rel=1e-9)
    assert spread(frequency("oue", size, epsilon), 0.0) == pytest.approx(float(row["OUE_var_f0"]), rel=1e-9)

    blocks = int(row["HR_B"])
    assert best_blocks(size, epsilon) == blocks
    hadamard = frequency("hadamard", size, epsilon)
    assert hadamard.bits == math.log2(blocks * int(row["HR_b"]))
    elsewhere = np.zeros(size)
    elsewhere[1 if blocks > 1 else 0] = PEOPLE
    variance = hadamard.variance(elsewhere)
    assert variance is not None
    if blocks > 1:
        assert variance[0] / PEOPLE == pytest.approx(float(row["HR_var_f0_otherblock"]), rel=1e-9)

    if row["DS*_inv_meanvar_uniform"] and size <= 50:
        for name, column in (("ds-corrected", "DS*"), ("square-wave", "SW")):
            variance = frequency(name, size, epsilon).variance(np.full(size, 1.0))
            assert variance is not None
            assert variance.mean() / size == pytest.approx(float(row[f"{column}_inv_meanvar_uniform"]), rel=1e-6)


@pytest.mark.parametrize("row", table("means"), ids=named)
def test_means(row: dict[str, str]) -> None:
    value = np.array([float(row["t"])])
    for name, column in (("duchi", "Duchi"), ("pm", "PM"), ("hm", "HM"), ("laplace", "Laplace")):
        built = PROTOCOLS[name].build(0, float(row["eps"]))
        assert isinstance(built, MeanRandomiser)
        precision = 2e-5 if name == "laplace" else 1e-8
        assert built.variance(value)[0] == pytest.approx(float(row[column]), rel=precision)


@pytest.mark.parametrize("row", table("rappor"), ids=lambda row: "-".join(list(row.values())[:3]))
def test_rappor(row: dict[str, str]) -> None:
    f, p, q = (Fraction(row[name]) for name in ("f", "p_report1_given_B1", "q_report1_given_B0"))
    shown, other = reported(f, p, q)
    assert float(shown) == pytest.approx(float(row["p_star"]))
    assert float(other) == pytest.approx(float(row["q_star"]))
    high, low = max(shown, other), min(shown, other)
    assert math.log(two_bits(high, low)) == pytest.approx(float(row["eps_one"]))
    if p < q:
        return  # the numbers are right, but a device is only built with p for the ones
    built: Any = frequency("rappor", 6, None, f=float(f), p=float(p), q=float(q))
    assert built.epsilon == built.epsilon_one == pytest.approx(float(row["eps_one"]))
    assert built.epsilon_forever == pytest.approx(float(row["eps_inf"]))
    assert frequency("ue", 6, None, p=float(p), q=float(q)).epsilon == pytest.approx(float(row["eps_IRR_only"]))
    assert spread(built, 0.0) == pytest.approx(float(row["var_one"]))


def test_chances_that_textbooks_give() -> None:
    coins = frequency("rr", 2, None, design="coins")
    assert coins.pure == (0.75, 0.25)
    assert coins.epsilon == pytest.approx(math.log(3), rel=1e-12)
    # n̂ = 2C − n/2
    assert coins.estimate(coins.accumulate(np.repeat([0, 1], [60, 40])))[1] == pytest.approx(2 * 40 - 50)
    assert frequency("rr", 2, None, design="warner", p=0.75).epsilon == pytest.approx(math.log(3), rel=1e-12)
    assert frequency("ue", 4, None).epsilon == pytest.approx(2.1972245773362196, rel=1e-12)
    uneven = frequency("rr", 2, None, design="coins", truth=0.5, yes=0.2)
    assert uneven.epsilon == pytest.approx(math.log(6), rel=1e-12)  # “yes” with chance 0.6 or 0.1


@pytest.mark.parametrize("value", [-1.0, -0.8, -0.3, 0.0, 0.11, 0.5, 0.99, 1.0])
def test_the_piecewise_variance_is_that_of_its_reports_on_a_coarse_grid(
    value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All outputs by their chances: a value between two steps is rounded to either of them by a coin."""
    monkeypatch.setattr(pm, "_STEPS", 8)
    for epsilon in (0.5, 1.0, 3.0):
        randomiser = pm.Piecewise(epsilon)
        window, inside = max(1, round(8 * math.exp(-epsilon / 2))), math.exp(epsilon)
        outputs = np.arange(8 + window)
        step, up = int((value + 1) * 4), (value + 1) * 4 % 1
        chances = np.zeros(len(outputs))
        for start, share in ((step, 1 - up), (step + 1, up)):
            within = (outputs >= start) & (outputs < start + window)
            chances += share * np.where(within, inside, 1) / (window * inside + 8)
        decoded = randomiser.decoded(outputs)
        assert chances @ decoded == pytest.approx(value, abs=1e-9)
        spread = chances @ decoded**2 - value**2
        assert float(randomiser.variance(np.array([value]))[0]) == pytest.approx(spread, rel=1e-9)
