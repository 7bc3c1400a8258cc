"""The largest of everything that is allowed is allowed, and the next one is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.mechanisms import channel_composition, channel_text
from workbench.mechanisms.above_threshold import MOST_QUERIES, MOST_RANGE, AboveThreshold
from workbench.mechanisms.channel import ROUNDING, Channel
from workbench.mechanisms.channel_composition import (
    on_sample_of_people,
    on_sample_of_rows,
    parallel,
    post_process,
    sequential,
)
from workbench.mechanisms.channel_text import parse_channel, to_csv
from workbench.mechanisms.channels import noisy_max
from workbench.mechanisms.epsilon import LARGEST, Epsilon
from workbench.mechanisms.mechanism import LARGEST_CHANNEL, MECHANISMS, MOST_EXACT, ConfiguredMechanism, check_size
from workbench.mechanisms.neighbours import parse_neighbours
from workbench.mechanisms.scores import parse_scores
from workbench.mechanisms.utility import parse_prior

F = Fraction
HALVES = Channel.of_fractions(["0", "1"], ["x", "y"], [[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)]])
FEW = AboveThreshold(3)


def even(width: int) -> Channel:
    return Channel.of_fractions(["0"], [str(n) for n in range(width)], [[F(1, width)] * width])


@pytest.mark.parametrize(
    ("allowed", "refused", "field"),
    [
        (lambda: Epsilon.parse(str(LARGEST)), lambda: Epsilon.parse(f"{LARGEST}.001"), "epsilon"),
        (lambda: Epsilon.parse("0"), lambda: Epsilon.parse("-0.001"), "epsilon"),
        (lambda: Epsilon.parse(f"{LARGEST} ln 2"), lambda: Epsilon.parse(f"{LARGEST + 1} ln 2"), "epsilon"),
        (lambda: Epsilon.parse("ln(1)"), lambda: Epsilon.parse("ln(0.999)"), "epsilon"),
        (lambda: AboveThreshold(1), lambda: AboveThreshold(0), "n"),
        (lambda: AboveThreshold(MOST_RANGE), lambda: AboveThreshold(MOST_RANGE + 1), "n"),
        (lambda: AboveThreshold(3, F(999, 1000)), lambda: AboveThreshold(3, F(1)), "threshold_alpha"),
        (lambda: AboveThreshold(3, F(1, 1000)), lambda: AboveThreshold(3, F(0)), "threshold_alpha"),
        (lambda: AboveThreshold(3, query_alpha=F(1, 9)), lambda: AboveThreshold(3, query_alpha=F(1)), "query_alpha"),
        (lambda: FEW.stops([0, 3], 3), lambda: FEW.stops([0, 4], 3), "stream"),
        (lambda: FEW.stops([0, 3], 0), lambda: FEW.stops([-1, 3], 0), "stream"),
        (lambda: FEW.stops([0, 3], 3), lambda: FEW.stops([0, 3], 4), "threshold"),
        (lambda: FEW.stops([0, 3], 0), lambda: FEW.stops([0, 3], -1), "threshold"),
        (lambda: FEW.stops([0] * MOST_QUERIES, 3), lambda: FEW.stops([0] * (MOST_QUERIES + 1), 3), "stream"),
        (lambda: FEW.stops([0], 3), lambda: FEW.stops([], 3), "stream"),
        (lambda: check_size(LARGEST_CHANNEL, 1), lambda: check_size(1, LARGEST_CHANNEL + 1), ""),
        (lambda: on_sample_of_people(HALVES, F(1), "0"), lambda: on_sample_of_people(HALVES, F(9, 8), "0"), "sample"),
        (lambda: on_sample_of_rows(HALVES, F(1, 99)), lambda: on_sample_of_rows(HALVES, F(0)), "sample"),
        (lambda: parse_neighbours("1/1000"), lambda: parse_neighbours("0"), "neighbours"),
        (lambda: parse_scores("a b c: 0..9"), lambda: parse_scores("a b c: 0..10"), "scores"),
        (lambda: parse_scores("a b: 2..3"), lambda: parse_scores("a b: 3..2"), "scores"),
        (lambda: parse_scores("a b: 1 2; 2 1"), lambda: parse_scores("a b: 1 2; 1 2"), "scores"),
        (lambda: parse_scores("a b: 1 2; 2 1"), lambda: parse_scores("a a: 1 2; 2 1"), "scores"),
        (lambda: parse_scores("a b: 1 2"), lambda: parse_scores("a b: 1 2 3"), "scores"),
        (lambda: parse_scores("a b: 1 2"), lambda: parse_scores("a b:"), "scores"),
        (lambda: parse_prior("0 1", HALVES), lambda: parse_prior("0 0", HALVES), "prior"),
        (lambda: parse_prior("0 1", HALVES), lambda: parse_prior("2 -1", HALVES), "prior"),
        (lambda: parse_prior("0 1", HALVES), lambda: parse_prior("1 1 1", HALVES), "prior"),
    ],
)  # fmt: skip
def test_the_last_one_that_is_allowed(allowed: Callable[[], object], refused: Callable[[], object], field: str) -> None:
    allowed()
    with pytest.raises(WorkbenchError) as found:
        refused()
    assert found.value.field == field


def test_every_database_under_every_threshold_is_refused_from_the_first_query_that_takes_too_long() -> None:
    """65 thresholds × 65² databases × 11 queries are 3,020,875 steps, over three million."""
    with pytest.raises(WorkbenchError, match="11 queries of counts up to 64 take too long"):
        MECHANISMS["above-threshold"].build({"n": 64, "queries": 11})


def test_sums_may_be_off_by_a_rounding_and_no_more() -> None:
    for off in (0.9, -0.9):
        Channel.of_floats(["a"], ["x", "y"], [[0.5, 0.5 + off * ROUNDING]])
    for off in (1.1, -1.1):
        with pytest.raises(WorkbenchError):
            Channel.of_floats(["a"], ["x", "y"], [[0.5, 0.5 + off * ROUNDING]])


def test_matrices_up_to_a_size_are_kept_as_fractions() -> None:
    side = int(MOST_EXACT**0.5)
    assert side * side == MOST_EXACT
    for d, exact in ((side, True), (side + 1, False)):
        assert (MECHANISMS["grr"].build({"d": d, "epsilon": "ln 3"}).channel.exact is not None) == exact
        one = even(d)
        assert (sequential(one, one).exact is not None) == exact


def test_a_table_that_is_too_large_for_fractions_is_read_in_floating_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_text, "_EXACT_CELLS", 200)
    for inputs, exact in ((10, True), (11, False)):
        for first, kept in (("0.5", exact), ("1/2", True)):
            cells = ",".join([first, "0.5", *["0"] * 18])
            lines = [",".join(f"o{n}" for n in range(20)), *[f"i{n},{cells}" for n in range(inputs)]]
            assert (parse_channel("\n".join(lines)).exact is not None) == kept


def test_counts_too_far_apart_need_no_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noisy_max, "_WIDEST", 20)
    build = MECHANISMS["noisy-max"].build
    assert build({"scores": "a b: 0 20; 0 19", "alpha": F(1, 2)}).channel.exact is not None
    with pytest.raises(WorkbenchError) as refused:
        build({"scores": "a b: 0 21; 0 20", "alpha": F(1, 2)})
    assert refused.value.field == "scores"


def test_neighbouring_datasets_differ_by_at_most_the_sensitivity() -> None:
    scores = parse_scores("a b: 0 0; 1 0; 2 0; 1 1")
    names = scores.names
    for one, wanted in ((True, {(0, 1), (1, 2), (1, 3)}), (False, {(0, 1), (1, 2), (1, 3), (0, 3), (2, 3)})):
        found = scores.neighbours(F(1), one=one)
        pairs = {tuple(sorted((names.index(a), names.index(b)))) for a, b in found.edges}
        assert pairs == wanted
    with pytest.raises(WorkbenchError):
        scores.neighbours(F(1, 2), one=True)


def test_a_prior_is_one_weight_for_each_input_or_the_name_of_one() -> None:
    assert parse_prior("1 3", HALVES) == (F(1, 4), F(3, 4)) and parse_prior(" Uniform ", HALVES) == (F(1, 2), F(1, 2))
    assert parse_prior("1", HALVES) == (0, 1) and parse_prior("0;1/2", HALVES) == (0, 1)


def test_mixed_matrices_are_multiplied_in_floating_point() -> None:
    """Of two matrices, one exact: what is known of both together is known in floating point."""
    floats = Channel.of_floats(["0", "1"], ["x", "y"], HALVES.floats)
    for pair in ((HALVES, floats), (floats, HALVES), (floats, floats), (HALVES, HALVES)):
        both = all(one.exact is not None for one in pair)
        made = parallel(*(ConfiguredMechanism("m", one) for one in pair)).channel
        joint = sequential(*pair)
        assert (made.exact is not None) == (joint.exact is not None) == both
        np.testing.assert_allclose(made.floats, np.kron(HALVES.floats, HALVES.floats))
        np.testing.assert_allclose(joint.floats[1], np.kron([0.25, 0.75], [0.25, 0.75]))


@pytest.mark.parametrize("most", [17, 18, 35, 36])
def test_exact_fractions_are_kept_up_to_their_limit(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Of two channels of 2 × 3: one after the other 2 × 9, beside each other 4 × 9 entries."""
    thirds = Channel.of_fractions(["0", "1"], ["x", "y", "z"], [[F(1, 3), F(1, 3), F(1, 3)], [F(1, 2), F(1, 2), F(0)]])
    monkeypatch.setattr(channel_composition, "MOST_EXACT", most)
    assert (sequential(thirds, thirds).exact is not None) == (most >= 18)
    one = ConfiguredMechanism("m", thirds)
    assert (parallel(one, one).channel.exact is not None) == (most >= 36)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a b 0 1", "begin with the choices"),
        (": 0 1", "begin with the choices"),
        ("a a: 0 1", "begin with the choices"),
        ("a b: ", "each dataset once"),
        ("a b: 0 1; 0 1", "each dataset once"),
        ("a b: 0", "has 1 scores for 2"),
        ("a b: 0 1 2", "has 3 scores for 2"),
        ("a b: 3..2", "from a whole number"),
        ("a b: 0..1/2", "from a whole number"),
        ("a b: 1..32", "datasets are too many"),  # 1,024
        ("a b: 1..2000", "datasets are too many"),
        ("a b: 1..2001", "too large to be written down"),
    ],
)
def test_scores_that_are_none_are_refused_for_what_is_wrong_with_them(text: str, said: str) -> None:
    with pytest.raises(WorkbenchError, match=said):
        parse_scores(text)


def test_scores_of_a_thousand_datasets_are_read() -> None:
    assert len(parse_scores("a: 1..1000").rows) == len(parse_scores("a b c: -4..5").rows) == 1000
    assert parse_scores("a b: 2..2").rows == ((2, 2),)


RARE = Channel.of_floats(["0", "1"], ["0", "1"], [[1e-200, 1], [1e-199, 1]])
NEARLY_NEVER = Channel.of_floats(["0", "1"], ["0", "1"], [[1e-200, 1], [0, 1]])
RARER = Channel.of_fractions(["0", "1"], ["0", "1"], [[F(1, 10**400), 1 - F(1, 10**400)], [F(1, 2), F(1, 2)]])
EXPONENTIAL = MECHANISMS["exponential"]
AS_MECHANISM = ConfiguredMechanism("rare", RARE, parse_neighbours("all"))


@pytest.mark.parametrize(
    "make",
    [
        lambda: sequential(RARE, RARE),
        lambda: sequential(RARE, RARER),
        lambda: parallel(AS_MECHANISM, AS_MECHANISM).channel,
        lambda: post_process(RARE, NEARLY_NEVER),
        lambda: on_sample_of_people(NEARLY_NEVER, F(1, 10**150), "1"),
        lambda: EXPONENTIAL.build_typed({"scores": "a b: 0 2000; 1 2000", "epsilon": "1"}).channel,
    ],
)
def test_what_is_rarer_than_floats_go_is_refused_and_not_forgotten(make: Callable[[], Channel]) -> None:
    """The odds of both answering “0” are 100 where those of one are 10; a float would say that nobody does."""
    with pytest.raises(WorkbenchError, match="rarer than 1e-300"):
        make()


def test_what_is_impossible_stays_so() -> None:
    never = Channel.of_floats(["0", "1"], ["0", "1"], [[0, 1], [0.1 + 0.2, 0.7]])
    assert sequential(never, RARE).floats[0].tolist() == [0, 0, 1e-200, 1]
    assert parse_channel(to_csv(never)).floats.tolist() == never.floats.tolist()
