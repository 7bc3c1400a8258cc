"""What stands for many single reports: sums drawn at once, people scaled, files counted together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from workbench.core.randomness import SeededSource
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.cross_validation import candidates
from workbench.ldp.encoding import Domain
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.iteration import NO_SMOOTHING, Smoothing
from workbench.ldp.participation import Attendance
from workbench.ldp.protocol import PROTOCOLS, Family, Support
from workbench.ldp.report_file import Announcement, Received
from workbench.ldp.reports_together import together
from workbench.ldp.sampling import sampled, sampling_error
from workbench.ldp.simulated_reports import (
    Drawing,
    aggregate,
    collect,
    drawn_estimates,
    global_histograms,
    people,
    seed_of,
)

COUNTS = np.array([30, 0, 50, 20])
FREQUENCIES = [one for one in PROTOCOLS if not ProtocolChoice(one.identifier).estimates_mean]


@pytest.mark.parametrize("identifier", [one.identifier for one in FREQUENCIES])
def test_sums_are_drawn_at_once_as_the_protocol_does_it_or_by_its_channel(identifier: str) -> None:
    counts = COUNTS[[2, 2]] if identifier == "rr" else COUNTS
    randomiser = ProtocolChoice(identifier).frequency(len(counts), 1.0)
    own = randomiser.simulate(counts, np.random.default_rng(3))
    found = aggregate(randomiser, counts, np.random.default_rng(3))
    if own is not None:
        assert found is not None and found.reports == own.reports == 100
        assert found.sums.tolist() == own.sums.tolist()
    elif randomiser.tabulated:
        assert found is not None and found.reports == found.sums.sum() == 100
        expected = counts @ randomiser.channel()
        assert np.abs(found.sums - expected).max() < 45  # more than eight standard deviations of a count
    else:
        assert found is None


class Watched:
    """A generator that notes for how many values it is asked to draw."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self._generator = np.random.default_rng(3)

    def multinomial(self, counts: np.ndarray, chances: np.ndarray) -> np.ndarray:
        self.rows.append(len(counts))
        return self._generator.multinomial(counts, chances)


@pytest.mark.parametrize("counts", [[0, 0, 7, 0, 2], [0, 0, 0, 0, 0], [1, 2, 3, 4, 5]])
def test_of_values_that_nobody_has_nothing_is_drawn_and_the_others_draw_the_same(counts: list[int]) -> None:
    randomiser, watched, many = ProtocolChoice("square-wave").frequency(5, 1.0), Watched(), np.array(counts)
    found = randomiser.simulate(many, watched)
    assert watched.rows == [np.count_nonzero(counts)]
    of_all = np.random.default_rng(3).multinomial(many, randomiser.channel()).sum(axis=0)
    assert found.reports == sum(counts) and found.sums.tolist() == of_all.tolist()


def test_a_random_matrix_is_inverted_once_for_all_epsilons(monkeypatch: pytest.MonkeyPatch) -> None:
    inverted: list[int] = []

    def inverse(matrix: np.ndarray, really: Callable[[np.ndarray], np.ndarray] = np.linalg.inv) -> np.ndarray:
        inverted.append(len(matrix))
        return really(matrix)

    monkeypatch.setattr(np.linalg, "inv", inverse)
    each = [PROTOCOLS["random-matrix"].build(23, epsilon, m=67, matrix_seed=9) for epsilon in (0.5, 1.0, 2.0)]
    variances = [one.variance(np.full(23, 10)) + 10 for one in each]
    assert inverted == [23]
    # n·c² times the diagonal of the inverse, with c = (E + 1)/(E − 1).
    sizes = [(np.exp(epsilon) + 1) / (np.exp(epsilon) - 1) for epsilon in (0.5, 1.0, 2.0)]
    assert variances[1] / variances[0] == pytest.approx((sizes[1] / sizes[0]) ** 2)
    assert variances[2] / variances[0] == pytest.approx((sizes[2] / sizes[0]) ** 2)
    other = PROTOCOLS["random-matrix"].build(23, 1.0, m=67, matrix_seed=8)
    assert not np.allclose(other.variance(np.full(23, 10)) + 10, variances[1], rtol=1e-3)
    assert inverted == [23, 23]


@pytest.mark.parametrize("counts", [[3, 5, 2], [1, 1, 1], [0, 7, 0], [2, 2, 3, 3], [0, 0]])
def test_scaled_people_are_as_many_as_asked_and_each_share_rounded_to_a_neighbour(counts: list[int]) -> None:
    for number in range(25):
        found = people(np.array(counts), number)
        if not sum(counts):
            assert found.tolist() == counts
            continue
        assert found.sum() == number
        shares = [number * count / sum(counts) for count in counts]
        assert all(abs(one - share) < 1 for one, share in zip(found.tolist(), shares, strict=True))
        rests = [share - int(share) for share in shares]
        raised = {place for place, one in enumerate(found.tolist()) if one > shares[place]}
        # No rest that is smaller was raised before a larger one; of equal ones the first.
        for one, other in itertools.permutations(range(len(counts)), 2):
            if rests[one] > rests[other] + 1e-9 and other in raised:
                assert one in raised


def test_histograms_of_a_trusted_curator_are_exact_where_nothing_is_hidden_and_differ_each_time() -> None:
    exact = global_histograms(COUNTS, 100.0, 3, np.random.SeedSequence(1))
    assert np.allclose(exact, COUNTS)
    each = global_histograms(np.array([COUNTS, 2 * COUNTS]), 100.0, 2, np.random.SeedSequence(1))
    assert np.allclose(each, [COUNTS, 2 * COUNTS])
    noisy = global_histograms(COUNTS * 1000, 1.0, 400, np.random.SeedSequence(2))
    assert np.allclose(noisy.sum(axis=1), noisy.sum(axis=1)[0], rtol=1e-3)
    # Noise of ratio e⁻¹ on both sides has the variance 2q/(1 − q)², 1.84; within six standard errors of 400 draws.
    assert 1.0 < (noisy[:, 2] - 50_000).var() < 3.2 and abs((noisy[:, 2] - 50_000).mean()) < 0.5


@pytest.mark.parametrize(
    ("values", "widest"),
    [(1, 2), (7, 2), (8, 2), (15, 2), (16, 4), (31, 4), (32, 8), (1 << 12, 1 << 10), (1 << 20, 2048)],
)
def test_the_smoothings_that_are_tried(values: int, widest: int) -> None:
    light = [Smoothing(2, 4.0**-power) for power in (4, 3, 2, 1)]
    wide = list(itertools.takewhile(lambda one: one.width <= widest, (Smoothing(2**power) for power in range(1, 30))))
    assert candidates(values) == (NO_SMOOTHING, *light, *wide)
    assert all(one.apart == 1 for one in candidates(values, 1)[1:])


# Files of one collection that are counted together

DOMAIN = Domain(("a", "b"), ordinal=False, declared=True)
ATTENDED = [None, Attendance(True), Attendance(False, why="One way."), Attendance(False, why="Another.")]


def received(**changes: object) -> Received:
    randomiser = ProtocolChoice("grr").frequency(2, 1.0)
    support = collect(randomiser, np.array([0, 1, 1]), SeededSource(1))
    announcement = Announcement(randomiser, "x", DOMAIN, None, True, 3, 1, False)
    return Received(replace(announcement, **changes), support)


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_what_several_files_say_together_is_the_worst_of_each(parts: int) -> None:
    for declared, simulated in itertools.product(itertools.product((False, True), repeat=parts), repeat=2):
        found = together(
            received(declared=one, simulated=other, reports_per_person=place + 1, cautions=(f"{place % 2}", "same"))
            for place, (one, other) in enumerate(zip(declared, simulated, strict=True))
        ).announcement
        assert found.declared == all(declared) and found.simulated == any(simulated)
        assert found.reports == 3 * parts and found.reports_per_person == sum(range(1, parts + 1))
        assert found.cautions == (("0", "same") if parts == 1 else ("0", "same", "1"))
    for attended in itertools.product(ATTENDED, repeat=parts):
        found = together(received(attended=one) for one in attended).announcement
        worse = [one for one in attended if one is None or not one.hidden]
        assert found.attended == (worse[0] if worse else attended[0])


def test_sums_of_several_files_are_added() -> None:
    parts = [received(collection=name) for name in ("a", "b", "")]
    found = together(parts)
    assert found.support.sums.tolist() == [3 * number for number in parts[0].support.sums.tolist()]
    assert isinstance(found.support, Support) and found.support.reports == 9


# Whom a collection asks


@pytest.mark.parametrize("number", [1, 2, 5, 9])
@pytest.mark.parametrize("shares", [[1, 1], [1, 3, 0], [9, 1], [2, 5, 1, 4], [1]])
def test_the_error_of_asking_some_is_that_of_all_whom_one_may_ask(number: int, shares: list[int]) -> None:
    total = sum(shares)
    expected = sum(
        math.comb(number, x) * (one / total) ** x * (1 - one / total) ** (number - x) * abs(x / number - one / total)
        for one in shares
        for x in range(number + 1)
    )
    assert sampling_error(np.array(shares, dtype=float), number) == pytest.approx(expected, abs=1e-12)


def test_everybody_who_is_asked_has_a_value_and_values_are_as_frequent_as_in_all() -> None:
    """2,000 people, four times; a count is off by less than 200, nine standard deviations."""
    one, other = np.array([2.0, 0.0, 6.0]), np.array([3.0, 1.0, 0.0])
    same = sampled(one, 2000, 4, np.random.default_rng(1))
    each = sampled(np.array([one, other]), 2000, 2, np.random.default_rng(1))
    assert same.shape == (4, 3) and each.shape == (2, 3)
    assert (same.sum(axis=1) == 2000).all() and (each.sum(axis=1) == 2000).all()
    for found, shares in ((same, [0.25, 0, 0.75]), (each[0], [0.25, 0, 0.75]), (each[1], [0.75, 0.25, 0])):
        assert (np.abs(found - 2000 * np.array(shares)) < 200).all()
        assert not found[..., np.array(shares) == 0].any()
    assert len({tuple(row) for row in same.tolist()}) > 1


def test_so_many_people_report_at_once_as_they_always_did() -> None:
    """What a seed gives depends on how people are cut into blocks, so a block stays as long as it was."""
    cells = {
        ("ds", "ds-corrected", "exponential", "geometric", "grr", "square-wave"): (4, 4),
        ("blh", "olh", "hadamard", "random-matrix"): (8, 8),
        ("oue", "sue", "the", "ue", "rappor", "subset-selection"): (7, 100),
        ("she",): (28, 400),
        ("duchi", "laplace", "pm"): (8, 8),
        ("hm",): (16, 16),
    }
    for names, widths in cells.items():
        for name, (size, width) in itertools.product(names, zip((7, 100), widths, strict=True)):
            mean = PROTOCOLS[name].family is Family.MEAN
            assert PROTOCOLS[name].build(0 if mean else size, 1.0).chunk == (1 << 22) // width, name
    assert PROTOCOLS["rr"].build(2, 1.0).chunk == 1 << 20
    assert PROTOCOLS["oue"].build(1 << 20, 1.0).chunk == 4


@pytest.mark.parametrize("drawing", [Drawing.EXACT, Drawing.AT_ONCE, Drawing.NORMAL])
def test_others_are_asked_in_each_collection_from_the_first_on(drawing: Drawing) -> None:
    """With an ε of 20 nearly everybody says the truth: wrongly failing with probability below 10⁻⁶."""
    asked = np.array([[900, 50, 50], [50, 900, 50], [0, 0, 1000]])
    counts = np.array([300, 300, 400])
    found, _ = drawn_estimates(
        PROTOCOLS["grr"].build(3, 20.0),
        counts,
        3,
        seed_of(1),
        EstimationMethod("unbiased", "none"),
        drawing=drawing,
        asked=asked,
    )
    np.testing.assert_allclose(found, asked, atol=1.0)


def test_the_first_collection_is_the_first_that_is_drawn() -> None:
    """So a seed gives the same numbers, however many collections are drawn after it."""
    randomiser, counts = ProtocolChoice("grr").frequency(3, 1.0), np.array([300, 300, 400])
    raw = EstimationMethod("unbiased", "none")
    found, _ = drawn_estimates(randomiser, counts, 4, seed_of(5), raw)
    generator = np.random.Generator(np.random.PCG64(seed_of(5)))
    for one in found:
        support = aggregate(randomiser, counts, generator)
        assert support is not None
        np.testing.assert_allclose(one, randomiser.estimate(support))
