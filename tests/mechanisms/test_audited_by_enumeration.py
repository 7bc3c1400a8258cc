"""Ratios, excesses and verdicts against every pair and output one by one; streams and texts at their ends."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.mechanisms import _exact_kernels, _float_kernels, audit
from workbench.mechanisms.above_threshold import AboveThreshold
from workbench.mechanisms.audit import AuditVerdict, Excess, curve
from workbench.mechanisms.channel import ROUNDING, Channel
from workbench.mechanisms.channel_composition import post_process
from workbench.mechanisms.channel_text import parse_channel
from workbench.mechanisms.channels.above_threshold import _databases, _named, parse_streams
from workbench.mechanisms.channels.exponential import _channel
from workbench.mechanisms.channels.survey import make
from workbench.mechanisms.epsilon import Epsilon, log_ratio
from workbench.mechanisms.geometric import OverAllNumbers, at_most, mass
from workbench.mechanisms.mechanism import LARGEST_CHANNEL
from workbench.mechanisms.neighbours import ADJACENT, ALL, OWN, Neighbours, Relation, graph, parse_neighbours
from workbench.mechanisms.places import Parts
from workbench.mechanisms.scores import parse_scores

F = Fraction


def tables() -> Iterable[list[list[int]]]:
    """Channels of two to four inputs over a common denominator of 6, among them impossible outputs and equal rows."""
    rows = [(6, 0, 0), (0, 6, 0), (3, 3, 0), (1, 2, 3), (3, 2, 1), (0, 3, 3), (2, 2, 2)]
    draw = random.Random(4)
    yield from (list(map(list, pair)) for pair in itertools.product(rows, repeat=2))
    yield from ([list(draw.choice(rows)) for _ in range(draw.choice((3, 4)))] for _ in range(40))
    yield [[2, 2, 2]] * 3


def directed(count: int, pairs: np.ndarray | None) -> list[tuple[int, int]]:
    if pairs is None:
        return list(itertools.permutations(range(count), 2))
    return [pair for a, b in pairs.tolist() for pair in ((a, b), (b, a))]


def key(top: int, bottom: int) -> tuple[float, int]:
    """An impossible output beats all others, and of several the most probable one."""
    return (math.inf, top) if bottom == 0 else (top / bottom, 0)


@pytest.mark.parametrize("chosen", [False, "each and the next", "the last two"])
@pytest.mark.parametrize("cache", [1, 3, 7, 1 << 17])
def test_the_largest_ratio_and_excess_are_those_of_every_pair(
    chosen: bool | str, cache: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_float_kernels, "_CACHE", cache)
    for table in tables():
        count = len(table)
        first = count - 2 if chosen == "the last two" else 0
        pairs = np.array([(place, place + 1) for place in range(first, count - 1)]) if chosen else None
        floats = np.array(table) / 6
        near = directed(count, pairs)
        cells = [(table[a][y], table[b][y], (a, b, y)) for a, b in near for y in range(3)]
        best = max([key(top, bottom) for top, bottom, _ in cells if top or bottom], default=(1.0, 0))
        top, bottom, place = _exact_kernels.largest_ratio(table, pairs)
        ratio, where = _float_kernels.largest_ratio(floats, pairs)
        assert key(top, bottom) == (best if best > (1.0, 0) else (1.0, 0))
        assert ratio == pytest.approx(best[0] if best > (1.0, 0) else 1.0)
        for a, b, y in (place, where):
            assert (a, b) in near
            assert best <= (1.0, 0) or key(table[a][y], table[b][y]) == best
        for growth in (None, F(1), F(3, 2), F(3)):
            each = {
                (a, b): sum(
                    (p if q == 0 else 0) if growth is None else max(F(0), p - growth * q)
                    for p, q in zip(table[a], table[b], strict=True)
                )
                for a, b in near
            }
            assert all(_exact_kernels.excess(table, growth, a, b) == wanted for (a, b), wanted in each.items())
            delta, a, b = _float_kernels.largest_excess(floats, math.inf if growth is None else float(growth), pairs)
            assert delta == pytest.approx(float(max(each.values())) / 6, abs=1e-12)
            assert float(each[a, b]) / 6 == pytest.approx(delta, abs=1e-12)


def test_a_curve_has_as_many_points_as_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    halves = Channel.of_floats(["0", "1", "2"], ["x", "y"], [[0.5, 0.5], [0.25, 0.75], [0.125, 0.875]])
    few, most = audit._FEWEST_POINTS, audit._POINTS
    assert 1 < few < most
    # Nine pairs of rows, or two neighbouring pairs both ways, times two outputs.
    for neighbours, work in ((ALL, 18), (graph([("0", "1"), ("1", "2")]), 8)):
        for points in (few - 1, few, few + 1, most - 1, most, most + 1):
            monkeypatch.setattr(audit, "_OPERATIONS", points * work)
            found = curve(halves, neighbours)
            assert len(found.epsilons) == len(found.deltas) == min(max(points, few), most)


@pytest.mark.parametrize(
    ("at", "bound", "exact"),
    [
        (Epsilon(ratio=F(2)), F(1, 3), F(1, 3)),
        (Epsilon(value=F(1)), F(1, 3), None),
        (Epsilon(value=F(1)), F(1), None),
        (Epsilon(value=F(1)), F(0), F(0)),
        (Epsilon(), F(1, 3), F(1, 3)),
        (Epsilon(), None, None),
        (Epsilon(ratio=F(2)), None, None),
    ],
)
def test_a_delta_is_exact_where_no_exponential_was_rounded(
    at: Epsilon, bound: Fraction | None, exact: Fraction | None
) -> None:
    assert Excess(at, 0.5, bound, "a", "b", ()).exact == exact


LN3 = math.log(3)


@pytest.mark.parametrize(
    ("claimed", "delta", "verdict"),
    [
        (LN3 * 1.01, F(0), AuditVerdict.ROUNDED),
        (LN3 - ROUNDING / 2, F(0), AuditVerdict.ROUNDED),
        (LN3 * (1 - ROUNDING) - ROUNDING / 2, F(0), AuditVerdict.ROUNDED),
        (LN3 * (1 - 3 * ROUNDING) - 2 * ROUNDING, F(0), AuditVerdict.REFUTED),
        (math.log(2), F(0), AuditVerdict.REFUTED),
        (math.log(2), F(1, 4) - F(1, 100), AuditVerdict.REFUTED),
        (math.log(2), F(1, 4) + F(1, 10**9), AuditVerdict.ROUNDED),
    ],
)
def test_a_claim_about_rounded_chances_is_met_but_for_roundings_or_by_its_delta(
    claimed: float, delta: Fraction, verdict: AuditVerdict
) -> None:
    """Three quarters against one: ε = ln 3, and at ln 2 a δ of 3/4 − 2·1/4."""
    channel = Channel.of_floats(["0", "1"], ["x", "y"], [[0.75, 0.25], [0.25, 0.75]])
    found = audit.audit(channel, ALL, Epsilon(value=F(claimed)), delta)
    assert found.verdict is verdict
    assert found.excess.delta == pytest.approx(max(0.0, 0.75 - 0.25 * math.exp(claimed)), abs=1e-9)
    assert found.excess.outputs in ((), ("x",), ("y",))


def test_a_claim_that_is_met_leaves_nothing() -> None:
    channel = Channel.of_floats(["0", "1"], ["x", "y"], [[0.75, 0.25], [0.25, 0.75]])
    for claim in (1.2, 5.0):
        found = audit.audit(channel, ALL, Epsilon(value=F(claim)))
        assert (found.excess.delta, found.excess.bound, found.excess.outputs) == (0.0, None, ())
    assert audit.audit(channel, ALL, Epsilon(value=F(1))).excess.outputs != ()
    apart = Channel.of_floats(["0", "1"], ["x", "y"], [[1.0, 0.0], [0.5, 0.5]])
    assert audit.audit(apart, ALL, Epsilon(value=F(9))).excess.delta == pytest.approx(0.5)


def test_a_ratio_over_nothing_is_an_infinite_loss() -> None:
    assert log_ratio(F(1), F(0)).infinite and log_ratio(F(3), F(2)).ratio == F(3, 2)


# Streams


@pytest.mark.parametrize(
    ("text", "truncated", "streams"),
    [
        ("1 2 1", True, [(1, 2, 1), (0, 1, 0), (2, 3, 2)]),
        ("0 3", True, [(0, 3), (0, 2), (1, 3)]),
        ("0 3", False, [(0, 3), (-1, 2), (1, 4)]),
        ("2", False, [(2,), (1,), (3,)]),
        ("7 2 5", False, [(7, 2, 5), (6, 1, 4), (8, 3, 6)]),
        ("1 1; 2 2", True, [(1, 1), (2, 2)]),
        ("1 1\n1 1; 2 2;", True, [(1, 1), (2, 2)]),
    ],
)
def test_one_stream_gets_its_neighbours_and_several_are_as_typed(
    text: str, truncated: bool, streams: list[tuple[int, ...]]
) -> None:
    assert list(parse_streams(text, AboveThreshold(3, truncated=truncated))) == streams


@pytest.mark.parametrize(
    ("stream", "name"),
    [
        ((), ""),
        ((4, 4, 4), "4 4 4"),
        ((4,) * 49 + (1,), "4 ×49, 1"),
        ((1,) * 2 + (2,) * 30, "1 ×2, 2 ×30"),
        ((3, *(5,) * 40, 3), "3, 5 ×40, 3"),
    ],
)
def test_runs_of_a_long_stream_are_shortened(stream: tuple[int, ...], name: str) -> None:
    assert _named(stream) == name


def test_the_worst_of_every_threshold_is_found() -> None:
    chain = AboveThreshold(3, F(1, 2), F(1, 3))
    alone = [chain.database_losses(4, threshold) for threshold in range(4)]
    worst = [max(losses, key=lambda one: one.ratio) for losses in zip(*alone, strict=True)]
    assert list(chain.database_losses(4)) == worst
    assert len({tuple(losses) for losses in alone}) > 1


def test_databases_that_no_channel_holds_are_refused() -> None:
    chain = AboveThreshold(64)
    outputs = tuple(map(str, range(LARGEST_CHANNEL // (2 * 65) + 1)))
    with pytest.raises(WorkbenchError, match="at most"):
        _databases("", chain, 1, (0, 1), outputs)


@pytest.mark.parametrize("weight", [F(1, 2), F(1, 5)])
@pytest.mark.parametrize("centre", [-2, 0, 3])
def test_a_sum_over_all_numbers_is_that_of_many(weight: Fraction, centre: int) -> None:
    """Terms beyond 80 are below 2⁻⁸⁰ each."""
    alpha, values = F(1, 3), [(1, False), (4, True), (-1, True)]
    total = OverAllNumbers(weight, centre, alpha, [value for value, _ in values])
    expected = sum(
        float(mass(weight, tau - centre))
        * math.prod(float(1 - at_most(alpha, tau - v) if above else at_most(alpha, tau - v)) for v, above in values)
        for tau in range(-80, 81)
    )
    for value, above in values[:2]:
        total.multiply(value, above=above)
    assert float(total.total_with(values[2][0], above=values[2][1])) == pytest.approx(expected, rel=1e-12)
    total.multiply(values[2][0], above=values[2][1])
    assert float(total.total_with()) == pytest.approx(expected, rel=1e-12)


# What is typed


@pytest.mark.parametrize(
    "text", ["", ":", "a b", "a b 1 2", ": 1 2", "a a: 1 2", "a b:", "a b: 1", "a b: 1 2; 1 2", "a b: 1..x"]
)
def test_scores_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        parse_scores(text)
    assert refused.value.field == "scores"


def test_all_counts_between_two_numbers_are_datasets() -> None:
    assert parse_scores("a b: 2..3").rows == ((2, 2), (2, 3), (3, 2), (3, 3))
    assert parse_scores("a b: -1..-1").rows == ((-1, -1),)
    for text in ("a b: 1..0", "a b: 0..1/2", "a b: 0..1000000000"):
        with pytest.raises(WorkbenchError) as refused:
            parse_scores(text)
        assert refused.value.field in ("scores", "")


@pytest.mark.parametrize("text", ["a -", "- b", "a - ", ",", "a\t", "x", "1.2.3", "1/2/3", "a - b\nc -"])
def test_neighbours_that_nobody_can_read_are_refused(text: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        parse_neighbours(text)
    assert refused.value.field == "neighbours"


def test_neighbours_are_read_as_words_distances_or_pairs() -> None:
    for text, neighbours in (("", OWN), ("all", ALL), ("adjacent", ADJACENT)):
        assert parse_neighbours(text) == neighbours
    for text, distance in (("2", F(2)), ("0.5", F(1, 2)), ("3/4", F(3, 4)), ("within 2", F(2)), ("adjacent=1", F(1))):
        assert parse_neighbours(text).distance == distance
    for text in ("a - b", "a,b", "a\tb", "a–b", "a - b;"):
        assert list(parse_neighbours(text).edges) == [("a", "b")]


def test_what_follows_a_channel_has_an_input_for_every_output() -> None:
    coin = Channel.of_fractions(["0", "1"], ["x", "y"], [[F(1, 4), F(3, 4)], [F(1), F(0)]])
    then = Channel.of_fractions(["y", "z", "x"], ["u", "v"], [[F(1, 2), F(1, 2)], [F(1), F(0)], [F(0), F(1)]])
    for one, other in itertools.product((coin, Channel.of_floats(coin.inputs, coin.outputs, coin.floats)), (then,)):
        assert post_process(one, other).floats.tolist() == [[0.375, 0.625], [0.0, 1.0]]
    with pytest.raises(WorkbenchError) as refused:
        post_process(then, coin)
    assert refused.value.field == "then" and "“u”" in str(refused.value)


def test_a_channel_is_exact_only_if_every_chance_is_a_fraction() -> None:
    scores = parse_scores("a b: 0 1; 0 2; 3 3")
    assert _channel(scores, Epsilon(ratio=F(4)), F(1, 2)).exact == (
        (F(1, 3), F(2, 3)), (F(1, 5), F(4, 5)), (F(1, 2), F(1, 2))
    )  # fmt: skip
    mixed = _channel(scores, Epsilon(ratio=F(2)), F(1, 2))
    assert mixed.exact is None
    root = math.sqrt(2)
    expected = [[1 / (1 + root), root / (1 + root)], [1 / 3, 2 / 3], [0.5, 0.5]]
    assert np.allclose(mixed.floats, expected)


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        ({"variant": "warner", "p": F(3, 4)}, ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))),
        ({"variant": "coins", "honest": F(1, 2), "yes": F(1, 3)}, ((F(2, 3), F(1, 3)), (F(1, 6), F(5, 6)))),
    ],
)
def test_a_survey_lies_as_its_coins_fall(values: dict[str, object], rows: Sequence[Sequence[Fraction]]) -> None:
    assert tuple(map(tuple, make(values).channel.exact or ())) == rows


def test_parts_without_anything_public_are_apart_by_their_largest_change() -> None:
    parts = Parts.of([(0, 0), (1, 0), (2, 3)])
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    assert parts.apart(first, second).tolist() == [1.0, 3.0, 3.0]
    assert Parts.of([(0, 0), (1, 0), (2, 3)], single=True).apart(first, second).tolist() == [1.0, math.inf, math.inf]
    named = Parts.of([(0,), (1,), (2,)], ["x", "x", "y"], named="t")
    assert named.apart(first, second).tolist() == [1.0, math.inf, math.inf]
    assert (parts.words, named.words) == ("in each number of the data", "in the data, equal t")


@pytest.mark.parametrize("exact", [False, True])
def test_an_output_that_is_as_likely_for_both_tells_nothing(exact: bool) -> None:
    """At ε = 0, and at an ε of which it is exactly e^ε times as likely; nor does one that is impossible for both."""
    rows = [[F(1, 2), F(1, 4), F(1, 4), F(0)], [F(1, 4), F(1, 2), F(1, 4), F(0)]]
    made = Channel.of_fractions("ab", "wxyz", rows)
    channel = made if exact else Channel.of_floats(made.inputs, made.outputs, made.floats)
    found = audit.audit(channel, ALL, Epsilon.parse("0")).excess
    assert {found.outputs} <= {("w",), ("x",)} and found.delta == 0.25


@pytest.mark.parametrize("first", ["0.1", "99.7", "2024.2", "1000000.1", "100000000000.1"])
def test_no_neighbour_is_lost_by_the_rounding_of_a_decimal(first: str) -> None:
    """2024.4 − 2024.3 is more than 0.1 in floating point; the two differ by 0.1, and what tells them apart is ln 5."""
    names = [str(Decimal(first) + Decimal(step) / 10) for step in range(3)]
    lines = [",a,b", *(f"{name},{row}" for name, row in zip(names, ("1/2,1/2", "1/2,1/2", "9/10,1/10"), strict=True))]
    channel = parse_channel("\n".join(lines))
    near = Neighbours(Relation.WITHIN, Fraction(1, 10)).pairs(channel)
    assert near.tolist() == [[0, 1], [1, 2]]
    found = audit.audit(channel, Neighbours(Relation.WITHIN, Fraction(1, 10))).exact
    assert found is not None and found.text == "ln(5)"
    parts = Parts.of([(Fraction(name),) for name in names])
    assert (parts.apart(np.array([0, 1]), np.array([1, 2])) <= 0.1).all()
