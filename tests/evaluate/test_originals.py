"""What the originals got wrong: each flaw is there, is audited, and is out of every registry."""

from __future__ import annotations

import math
import re
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import workbench
from tests.evaluate.figure_runs import made
from workbench.core.errors import WorkbenchError
from workbench.evaluate.published.originals import (
    called_euclidean,
    distance_sensitive,
    fair_coins,
    random_matrix,
    rappor_memo,
    reports_as_one,
    unequal_masses,
    variance_row,
)
from workbench.evaluate.published.originals.flaw import OriginalFlaw
from workbench.ldp.protocol import PROTOCOLS

ALL = (
    called_euclidean,
    distance_sensitive,
    fair_coins,
    random_matrix,
    rappor_memo,
    reports_as_one,
    unequal_masses,
    variance_row,
)


def test_only_published_figures_use_them() -> None:
    root = Path(workbench.__file__).parent
    using = {
        path.relative_to(root).parts[:2]
        for path in root.rglob("*.py")
        if re.search(r"published[./]originals|published import originals", path.read_text(encoding="utf-8"))
    }
    assert using == {("evaluate", "published")}


@pytest.mark.parametrize("module", ALL)
def test_each_has_an_audit(module: object) -> None:
    flaw = vars(module)["FLAW"]
    assert isinstance(flaw, OriginalFlaw)
    assert flaw.place in flaw.audit
    if not math.isnan(flaw.real):
        assert flaw.real > flaw.claimed
        assert "as in the author's code, not private" in flaw.title
        assert "as published" not in f"{flaw.title} {flaw.sentence}".lower(), "the text has not what the code does"


def test_the_program_of_distance_sensitive_encoding_spends_more_than_it_claims() -> None:
    # Values that were computed apart from this code: 2.57 at ln 12 of 50 values, 3.13 at ln 20, 3.09 of 89.
    assert distance_sensitive.spent(50, math.log(12)) == pytest.approx(2.57, abs=0.005)
    assert distance_sensitive.spent(50, math.log(20)) == pytest.approx(3.13, abs=0.005)
    assert distance_sensitive.spent(89, math.log(20)) == pytest.approx(3.09, abs=0.005)
    assert distance_sensitive.level(89, distance_sensitive.reach_of(math.log(20))) == pytest.approx(20 / 132)
    channel = distance_sensitive.channel(50, 3)
    assert np.allclose(channel.sum(axis=1), 1)
    with pytest.raises(WorkbenchError, match="ln 2"):
        distance_sensitive.reach_of(0.69)


def test_its_error_ends_and_does_not_fall() -> None:
    generator = np.random.default_rng(3)
    few, many = (
        np.abs(distance_sensitive.estimates(50, math.log(20), counts, generator) - counts).sum() / counts.sum()
        for counts in (np.full(50, 2_000), np.full(50, 2_000_000))
    )
    assert many > 0.1
    # A bias of a tenth and more; the noise of two million people per value is below a thousandth.
    assert few == pytest.approx(many, rel=0.2)


def revealing(matrix: NDArray[np.float64]) -> float:
    """The share of pairs (r, v) whose report can only come from one value: 1 means each report tells its value."""
    sizes = np.abs(matrix)
    alone = [np.count_nonzero(np.isin(row, row[1:][row[1:] == row[:-1]], invert=True)) for row in np.sort(sizes)]
    return sum(alone) / sizes.size


def test_a_report_of_the_random_matrix_tells_its_value() -> None:
    generator = np.random.default_rng(1)
    assert revealing(random_matrix.drawn_matrix(50, generator)) == 1.0
    assert revealing(np.full((4, 5), 0.5)) == 0.0, "with entries of one size nothing is told"


def test_its_estimate_is_a_third_of_the_truth() -> None:
    generator = np.random.default_rng(2)
    counts = np.zeros(50, dtype=np.int64)
    counts[7] = 1_000_000
    share = [
        random_matrix.estimates(random_matrix.drawn_matrix(50, generator), counts, generator)[7] / 1e6
        for _ in range(200)
    ]
    # The mean of 10 squares of numbers uniform up to 1/√10 in size is 1/3, with deviation 0.094; five standard errors.
    assert float(np.mean(share)) == pytest.approx(1 / 3, abs=5 * 0.094 / math.sqrt(200))


def test_shared_permanent_bits_do_not_average_out() -> None:
    generator = np.random.default_rng(4)
    counts = np.zeros(20, dtype=np.int64)
    counts[0] = 10_000_000
    found = np.array([rappor_memo.estimates(counts, generator) for _ in range(40)])
    share = found[:, 5] / 1e7
    # Nobody has value 5; its permanent bit with everybody's value is 1 or 0 for all of them at once.
    assert len({round(float(one), 2) for one in share}) == 2


def test_reports_of_one_person_add_up() -> None:
    assert reports_as_one.spent(1.5) == pytest.approx(300)


def test_the_euclidean_error_is_a_sum() -> None:
    assert called_euclidean.called_euclidean(np.array([[3.0, 4.0]]), np.zeros(2)).tolist() == [7.0]


def test_fair_coins_hide_that_nothing_is_estimated() -> None:
    errors = fair_coins.raw_errors(1_000_000, 400, np.random.default_rng(6))
    # |N(0, σ)| with σ² = n/4: half of the people answer at random, and half of those differently.
    assert float(errors.mean()) == pytest.approx(10 * math.sqrt(2 / math.pi) * 0.5 / 1_000, rel=0.2)


def test_a_reach_far_beyond_the_domain_takes_no_longer_and_comes_to_the_same_chances() -> None:
    """At ε = 30 it is three million; what is beyond the ends was added step by step."""
    values, theta = 5, 300
    a = distance_sensitive.level(values, theta)
    far = a / (theta * (theta + 1))
    gaps = np.abs(np.subtract.outer(np.arange(values), np.arange(values)))
    steps = np.maximum(gaps, 1)
    weights = a / (steps * (steps + 1.0))
    for value in range(values):
        outside = [step for step in range(1, theta) for end in (value - step, value + step) if not 0 <= end < values]
        weights[value] += sum(a / (step * (step + 1)) - far for step in outside) / (values - 1) / 100
        weights[value, value] = a
    expected = weights / weights.sum(axis=1, keepdims=True)
    assert distance_sensitive.channel(values, theta) == pytest.approx(expected, rel=1e-12)
    start = time.process_time()
    found = distance_sensitive.estimates(50, 30.0, np.full(50, 40), np.random.default_rng(1))
    assert np.isfinite(found).all() and time.process_time() - start < 1.0


def test_what_its_program_does_and_what_its_text_says_of_a_protocol_are_named_apart() -> None:
    """One does not keep its ε, the other does: neither is called what was published."""
    code, text = distance_sensitive.flaw(50, math.log(12)).begin, PROTOCOLS["ds"].title
    assert code.startswith("As in the author's code, distance-sensitive encoding is not private enough (unlike ")
    assert text == "Distance-sensitive encoding (as in Galanis 2021)"
    drawn = made("figure-4.8").published.panels[0].curves
    assert [one.name for one in drawn] == ["Distance-sensitive, as in the author's code"]
