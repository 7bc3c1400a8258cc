"""The audit against definitions, brute force and the tables of the literature."""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.rationals import rational
from workbench.mechanisms.audit import AuditVerdict, audit, curve, delta_at
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channel_composition import (
    on_sample_of_people,
    on_sample_of_rows,
    parallel,
    post_process,
    sequential,
)
from workbench.mechanisms.channel_text import is_channel, to_csv
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.mechanism import MECHANISMS, ConfiguredMechanism
from workbench.mechanisms.neighbours import ADJACENT, ALL, OWN, Neighbours, graph, parse_neighbours

F = Fraction
TABLE = Path(__file__).with_name("truncated_geometric.csv")


def channels(inputs: int = 3, outputs: int = 3, *, zeros: bool = False) -> st.SearchStrategy[Channel]:
    """Random channels in fractions."""
    row = st.lists(st.integers(0 if zeros else 1, 9), min_size=outputs, max_size=outputs).filter(any)
    return st.lists(row, min_size=inputs, max_size=inputs).map(
        lambda rows: Channel.of_fractions(
            [str(x) for x in range(inputs)],
            [f"o{y}" for y in range(outputs)],
            [[F(value, sum(row)) for value in row] for row in rows],
        )
    )


def as_floats(channel: Channel) -> Channel:
    return Channel.of_floats(channel.inputs, channel.outputs, channel.floats)


def brute_ratio(channel: Channel, pairs: list[tuple[int, int]]) -> Fraction | None:
    """The largest ratio over directed pairs; None for infinite."""
    assert channel.exact is not None
    best = F(1)
    for one, other in pairs:
        for p, q in zip(channel.exact[one], channel.exact[other], strict=True):
            if p and not q:
                return None
            if q:
                best = max(best, p / q)
    return best


def brute_delta(channel: Channel, growth: Fraction, pairs: list[tuple[int, int]]) -> Fraction:
    """The definition: the largest P(S | x) − e^ε P(S | x′) over all sets S of outputs."""
    assert channel.exact is not None
    best = F(0)
    for one, other in pairs:
        gaps = [p - growth * q for p, q in zip(channel.exact[one], channel.exact[other], strict=True)]
        for size in range(len(gaps) + 1):
            best = max([best, *(sum(chosen, F(0)) for chosen in combinations(gaps, size))])
    return best


class TestKnownMechanisms:
    def test_the_survey(self) -> None:
        for values in ({}, {"variant": "warner", "p": F(3, 4)}):
            made = MECHANISMS["survey"].build(values)
            assert made.channel.exact == ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))
            found = audit(made.channel)
            assert found.exact is not None and found.exact.text == "ln(3)"
            assert found.epsilon == pytest.approx(math.log(3), abs=1e-15)
            assert found.witness.ratio == 3

    def test_every_row_of_the_table_of_the_truncated_geometric(self) -> None:
        checked = 0
        with TABLE.open(encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                made = MECHANISMS["truncated-geometric"].build_typed({"alpha": row["alpha"], "n": row["n"]})
                assert made.channel.exact is not None
                assert made.channel.exact[int(row["input"])] == tuple(F(row[f"out{y}"]) for y in range(6))
                checked += 1
        assert checked == 12

    @pytest.mark.parametrize("alpha", ["1/2", "1/4", "2/3"])
    def test_the_truncated_geometric_costs_its_rate_per_unit(self, alpha: str) -> None:
        made = MECHANISMS["truncated-geometric"].build_typed({"alpha": alpha, "n": "5"})
        for distance in (1, 2, 5):
            found = audit(made.channel, Neighbours(ADJACENT.relation, F(distance)))
            assert found.exact == Epsilon(ratio=F(alpha) ** -distance)
        assert audit(made.channel, ALL).exact == Epsilon(ratio=F(alpha) ** -5)

    def test_cutting_the_window_of_the_geometric_changes_no_epsilon(self) -> None:
        for beyond in (1, 3, 9):
            made = MECHANISMS["geometric"].build({"alpha": F(2, 3), "n": 3, "beyond": beyond})
            assert audit(made.channel, made.neighbours).exact == Epsilon(ratio=F(3, 2))

    @pytest.mark.parametrize("d", [2, 3, 10])
    @pytest.mark.parametrize("text", ["ln 3", "ln(11/10)", "2 ln 5"])
    def test_randomised_response_has_the_epsilon_it_was_made_for(self, d: int, text: str) -> None:
        made = MECHANISMS["grr"].build({"d": d, "epsilon": text})
        assert audit(made.channel, made.neighbours).exact == Epsilon.parse(text)

    def test_large_ones_are_not_kept_as_fractions(self) -> None:
        made = MECHANISMS["grr"].build({"d": 600, "epsilon": "ln 3"})
        assert made.channel.exact is None
        assert audit(made.channel, ALL, Epsilon.parse("ln 3")).verdict is AuditVerdict.ROUNDED
        wide = MECHANISMS["grr"].build({"d": 30, "epsilon": "ln 3"}).channel
        twice = sequential(wide, wide)
        assert twice.exact is not None and sequential(twice, wide).exact is None

    def test_randomised_response_in_floating_point_meets_its_claim(self) -> None:
        made = MECHANISMS["grr"].build({"d": 5, "epsilon": "1"})
        found = audit(made.channel, ALL, Epsilon.parse("1"))
        assert found.exact is None and found.verdict is AuditVerdict.ROUNDED
        assert audit(made.channel, ALL, Epsilon.parse("0.999")).verdict is AuditVerdict.REFUTED


class TestDefinitions:
    @settings(max_examples=examples(40), deadline=None)
    @given(channels(zeros=True))
    def test_epsilon_is_the_largest_log_ratio(self, channel: Channel) -> None:
        pairs = list(permutations(range(3), 2))
        truth = brute_ratio(channel, pairs)
        for found in (audit(channel), audit(channel, graph([("0", "1"), ("1", "2"), ("2", "0")]))):
            assert found.exact is not None
            assert found.exact.ratio == truth
            seen = found.witness
            assert seen.ratio == (math.inf if truth is None else truth)
            assert channel.exact is not None
            assert seen.probability == channel.exact[seen.row][seen.column]
            assert seen.neighbour_probability == channel.exact[seen.other][seen.column]

    @settings(max_examples=examples(40), deadline=None)
    @given(channels(zeros=True))
    def test_only_neighbours_count(self, channel: Channel) -> None:
        found = audit(channel, graph([("0", "1")]))
        assert found.exact is not None
        assert found.exact.ratio == brute_ratio(channel, [(0, 1), (1, 0)])
        assert {found.witness.input, found.witness.neighbour} == {"0", "1"}

    @settings(max_examples=examples(40), deadline=None)
    @given(channels(zeros=True), st.fractions(1, 6, max_denominator=12))
    def test_delta_is_the_worst_event(self, channel: Channel, growth: Fraction) -> None:
        for neighbours, pairs in (
            (ALL, list(permutations(range(3), 2))),
            (ADJACENT, [(0, 1), (1, 0), (1, 2), (2, 1)]),
        ):
            truth = brute_delta(channel, growth, pairs)
            found = delta_at(channel, Epsilon(ratio=growth), neighbours)
            assert found.exact == truth
            assert rational(found.delta) >= truth and found.delta == pytest.approx(float(truth), abs=1e-15)
            rounded = delta_at(as_floats(channel), Epsilon(ratio=growth), neighbours)
            assert rounded.delta == pytest.approx(float(truth), abs=1e-12)

    @settings(max_examples=examples(40), deadline=None)
    @given(channels(), st.sampled_from(["0.3", "1", "1.7"]))
    def test_delta_at_an_irrational_growth_is_bounded_from_above(self, channel: Channel, text: str) -> None:
        epsilon = Epsilon.parse(text)
        low = epsilon.exp_below(30)
        pairs = list(permutations(range(3), 2))
        found = delta_at(channel, epsilon)
        assert brute_delta(channel, low * (1 + F(1, 10**25)), pairs) <= rational(found.delta)
        assert found.delta == pytest.approx(float(brute_delta(channel, low, pairs)), abs=1e-15)

    @settings(max_examples=examples(40), deadline=None)
    @given(channels(zeros=True))
    def test_floating_point_agrees(self, channel: Channel) -> None:
        for neighbours in (ALL, ADJACENT):
            exact, rounded = audit(channel, neighbours), audit(as_floats(channel), neighbours)
            assert rounded.exact is None
            if math.isinf(exact.epsilon):
                assert math.isinf(rounded.epsilon)
                assert rounded.witness.neighbour_probability == 0
            else:
                assert rounded.epsilon == pytest.approx(exact.epsilon, abs=1e-12)

    @settings(max_examples=examples(30), deadline=None)
    @given(channels(zeros=True))
    def test_the_curve_is_made_of_deltas(self, channel: Channel) -> None:
        found = curve(channel)
        assert (np.diff(found.deltas) <= 0).all() and (found.deltas >= 0).all()
        for place in range(0, len(found.epsilons), 17):
            there = delta_at(channel, Epsilon(value=F(float(found.epsilons[place]))))
            assert found.deltas[place] == pytest.approx(there.delta, abs=1e-9)
        assert found.epsilon == audit(channel).epsilon
        if math.isfinite(found.epsilon):
            assert found.deltas[-1] == 0
        else:
            assert found.deltas[-1] >= audit(channel).excess.delta - 1e-12 > 0


class TestClaims:
    def channel(self) -> Channel:
        return MECHANISMS["truncated-geometric"].build({}).channel

    def test_on_the_boundary_it_holds(self) -> None:
        found = audit(self.channel(), ADJACENT, Epsilon.parse("ln 2"))
        assert found.verdict is AuditVerdict.CONFIRMED and found.excess.exact == 0

    def test_a_hair_below_it_is_refuted_with_the_witness(self) -> None:
        just = F(2) - F(1, 10**30)
        found = audit(self.channel(), ADJACENT, Epsilon(ratio=just))
        assert found.verdict is AuditVerdict.REFUTED
        seen = found.witness
        assert F(seen.probability) > just * F(seen.neighbour_probability)
        assert found.excess.exact is not None and found.excess.exact > 0
        assert found.excess.outputs

    def test_a_delta_can_save_it_exactly(self) -> None:
        channel = Channel.of_fractions(["a", "b"], ["x", "y"], [[F(1, 3), F(2, 3)], [F(0), F(1)]])
        third = F(1, 3)
        assert audit(channel, ALL, Epsilon.parse("1"), third).verdict is AuditVerdict.CONFIRMED
        assert audit(channel, ALL, Epsilon.parse("1"), third - F(1, 10**12)).verdict is AuditVerdict.REFUTED

    def test_the_refuting_event_refutes(self) -> None:
        channel = self.channel()
        found = audit(channel, ALL, Epsilon.parse("1"))
        assert channel.exact is not None
        rows = [channel.exact[channel.input_index(name)] for name in (found.excess.input, found.excess.neighbour)]
        chances = [sum(float(row[channel.outputs.index(name)]) for name in found.excess.outputs) for row in rows]
        assert chances[0] - math.e * chances[1] == pytest.approx(found.excess.delta, abs=1e-12)

    def test_infinite(self) -> None:
        channel = Channel.of_fractions(["a", "b"], ["x", "y"], [[F(1), F(0)], [F(1, 2), F(1, 2)]])
        found = audit(channel)
        assert found.exact is not None and found.exact.infinite and math.isinf(found.epsilon)
        assert (found.witness.input, found.witness.neighbour, found.witness.output) == ("b", "a", "y")
        assert found.excess.exact == F(1, 2)  # what no ε hides
        assert audit(channel, ALL, Epsilon.parse("30")).verdict is AuditVerdict.REFUTED
        assert audit(channel, ALL, Epsilon()).verdict is AuditVerdict.CONFIRMED

    def test_equal_rows_have_no_epsilon(self) -> None:
        channel = Channel.of_fractions(["a", "b"], ["x", "y"], [[F(1, 2), F(1, 2)]] * 2)
        for one in (channel, as_floats(channel)):
            found = audit(one, ALL, Epsilon.parse("0"))
            assert found.epsilon == 0 and found.verdict in (AuditVerdict.CONFIRMED, AuditVerdict.ROUNDED)

    def test_outputs_that_never_happen_say_nothing(self) -> None:
        channel = Channel.of_fractions(["a", "b"], ["x", "y"], [[F(1), F(0)], [F(1), F(0)]])
        for one in (channel, as_floats(channel)):
            assert audit(one).epsilon == 0
            assert audit(one, ADJACENT).epsilon == 0

    def test_one_input_has_no_neighbour(self) -> None:
        channel = Channel.of_fractions(["a"], ["x"], [[F(1)]])
        for neighbours in (ALL, ADJACENT):
            with pytest.raises(WorkbenchError):
                audit(channel, neighbours)
        with pytest.raises(ValueError, match="own"):
            audit(self.channel(), OWN)

    def test_tiny_probabilities_are_not_zero(self) -> None:
        tiny = F(1, 10**400)
        channel = Channel.of_fractions(["a", "b"], ["x", "y"], [[tiny, 1 - tiny], [2 * tiny, 1 - 2 * tiny]])
        assert audit(channel).exact == Epsilon(ratio=F(2))

    def test_can_be_cancelled(self) -> None:
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            audit(self.channel(), ADJACENT, progress=Progress(token=token))


class TestComposition:
    @settings(max_examples=examples(40), deadline=None)
    @given(channels(zeros=True), channels(zeros=True), st.fractions(1, 4, max_denominator=8))
    def test_post_processing_never_adds(self, channel: Channel, then: Channel, growth: Fraction) -> None:
        named = Channel.of_fractions(channel.outputs, then.outputs, then.exact or ())
        after = post_process(channel, named)
        before, later = audit(channel), audit(after)
        assert before.exact is not None and later.exact is not None
        if later.exact.ratio is None:
            assert before.exact.ratio is None
        else:
            assert before.exact.covers(later.exact.ratio)
        at = Epsilon(ratio=growth)
        first, second = delta_at(channel, at).exact, delta_at(after, at).exact
        assert first is not None and second is not None and second <= first

    @settings(max_examples=examples(30), deadline=None)
    @given(channels(), channels())
    def test_asking_again_adds(self, first: Channel, second: Channel) -> None:
        one, other, both = (audit(c).exact for c in (first, second, sequential(first, second)))
        assert one is not None and other is not None and both is not None
        assert one.ratio is not None and other.ratio is not None and both.ratio is not None
        assert both.ratio <= one.ratio * other.ratio
        twice = audit(sequential(first, first)).exact
        assert twice is not None and twice.ratio == one.ratio**2

    @settings(max_examples=examples(20), deadline=None)
    @given(channels(), channels())
    def test_side_by_side_takes_the_larger(self, first: Channel, second: Channel) -> None:
        beside = parallel(ConfiguredMechanism("one", first, ADJACENT), ConfiguredMechanism("other", second, ALL))
        found = audit(beside.channel, beside.neighbours).exact
        one, other = audit(first, ADJACENT).exact, audit(second, ALL).exact
        assert found is not None and one is not None and other is not None
        assert one.ratio is not None and other.ratio is not None
        assert found.ratio == max(one.ratio, other.ratio)

    def test_side_by_side_one_apart_is_in_one_of_the_two(self) -> None:
        """By place in the list of pairs, ("0", "2") would stand beside ("1", "0")."""
        one = MECHANISMS["truncated-geometric"].build({"n": 2})
        other = MECHANISMS["above-threshold"].build_typed({"n": "2", "queries": "1"})
        for beside in (parallel(one, one), parallel(one, other), parallel(other, parallel(one, one))):
            wanted = {tuple(sorted(pair)) for pair in beside.neighbours.edges}
            names = beside.channel.inputs
            found = {tuple(sorted((names[a], names[b]))) for a, b in ADJACENT.pairs(beside.channel).tolist()}
            assert found == wanted
        assert ("0, 2", "1, 0") not in {tuple(sorted(pair)) for pair in parallel(one, one).neighbours.edges}

    def test_what_comes_before_or_behind_leaves_neighbours_as_they_are(self) -> None:
        made = MECHANISMS["above-threshold"].build_typed({"n": "2", "queries": "1"})
        same = Channel.of_fractions(made.channel.outputs, ["x", "y"], [[F(1, 3), F(2, 3)], [F(1, 2), F(1, 2)]])
        pairs = ADJACENT.pairs(made.channel).tolist()
        for changed in (
            sequential(made.channel, made.channel),
            post_process(made.channel, same),
            on_sample_of_people(made.channel, F(1, 2), "d = 0, t = 0"),
        ):
            assert ADJACENT.pairs(changed).tolist() == pairs

    @pytest.mark.parametrize("change", ["one", "every"])
    @pytest.mark.parametrize("mechanism", ["noisy-max", "exponential"])
    def test_one_apart_between_datasets_is_what_a_person_changes(self, mechanism: str, change: str) -> None:
        made = MECHANISMS[mechanism].build_typed({"scores": "a b c: 0..2", "change": change})
        names = made.channel.inputs
        found = {tuple(sorted((names[a], names[b]))) for a, b in ADJACENT.pairs(made.channel).tolist()}
        assert found == {tuple(sorted(pair)) for pair in made.neighbours.edges}
        assert ("0 0 2", "0 1 0") not in found

    @settings(max_examples=examples(30), deadline=None)
    @given(channels(), st.fractions(F(1, 10), 1, max_denominator=10))
    def test_a_sample_of_people_amplifies(self, channel: Channel, rate: Fraction) -> None:
        neighbours = graph([("0", "1"), ("0", "2")])  # everybody against nobody
        before = audit(channel, neighbours).exact
        after = audit(on_sample_of_people(channel, rate, "0"), neighbours).exact
        assert before is not None and after is not None and before.ratio is not None and after.ratio is not None
        assert after.ratio <= 1 + rate * (before.ratio - 1)

    def test_a_sample_of_rows_amplifies(self) -> None:
        channel = MECHANISMS["truncated-geometric"].build({}).channel
        for rate in (F(1, 10), F(1, 2), F(1)):
            found = audit(on_sample_of_rows(channel, rate), ADJACENT).exact
            assert found is not None and found.ratio is not None and found.ratio <= 1 + rate
        assert audit(on_sample_of_rows(channel, F(1)), ADJACENT).exact == Epsilon(ratio=F(2))

    def test_the_same_in_floating_point(self) -> None:
        one = MECHANISMS["grr"].build({"d": 3, "epsilon": "1"}).channel
        assert audit(sequential(one, one)).epsilon == pytest.approx(2, abs=1e-12)
        assert audit(post_process(one, one)).epsilon < 1
        assert audit(on_sample_of_people(one, F(1, 10), "1")).epsilon < 0.5

    def test_what_does_not_fit_is_refused(self) -> None:
        survey = MECHANISMS["survey"].build({}).channel
        grr = MECHANISMS["grr"].build({}).channel
        with pytest.raises(WorkbenchError, match="same inputs"):
            sequential(survey, grr)
        with pytest.raises(WorkbenchError, match="no input"):
            post_process(survey, grr)
        with pytest.raises(WorkbenchError, match="counts"):
            on_sample_of_rows(survey, F(1, 2))
        for rate in (F(0), F(2), F(-1)):
            with pytest.raises(WorkbenchError, match="sampling rate"):
                on_sample_of_people(survey, rate, "no")
        with pytest.raises(WorkbenchError, match="“maybe”"):
            on_sample_of_people(survey, F(1, 2), "maybe")
        big = Channel.of_floats(["a", "b"], [str(y) for y in range(2000)], np.full((2, 2000), 1 / 2000))
        with pytest.raises(WorkbenchError, match="too large"):
            sequential(big, big)
        wide = ConfiguredMechanism("wide", big)
        with pytest.raises(WorkbenchError, match="too large"):
            parallel(wide, wide)


def test_rows_wider_than_what_is_compared_at_once() -> None:
    width = 140_000
    rows = np.full((2, width), 1 / width)
    rows[:, :2] *= [[0.5, 1.5], [1.5, 0.5]]
    wide = Channel.of_floats(["0", "1"], [str(y) for y in range(width)], rows)
    for neighbours in (ADJACENT, ALL):
        assert audit(wide, neighbours).epsilon == pytest.approx(math.log(3))
        assert delta_at(wide, Epsilon.parse("0"), neighbours).delta == pytest.approx(1 / width, rel=1e-6)


def test_a_matrix_of_fractions_stands_beside_one_of_floats() -> None:
    exact = MECHANISMS["truncated-geometric"].build({"n": 2})
    rough = ConfiguredMechanism(
        "rough", Channel.of_floats(("a", "b"), ("x", "y"), np.array([[0.5, 0.5], [0.25, 0.75]])), ALL
    )
    for beside in (parallel(exact, rough), parallel(rough, exact)):
        assert beside.channel.exact is None
        assert beside.channel.floats.shape == (6, 6)


def test_what_is_a_channel_and_what_is_not(tmp_path: Path) -> None:
    channel, other = tmp_path / "channel.csv", tmp_path / "people.csv"
    channel.write_text(to_csv(MECHANISMS["truncated-geometric"].build({"n": 1}).channel), encoding="utf-8")
    other.write_text("name,age\nx,3\n", encoding="utf-8")
    assert is_channel(channel)
    assert not is_channel(other) and not is_channel(tmp_path / "missing.csv")


EDGE = Channel.of_fractions(
    ["a", "b", "c"],
    ["w", "x", "y", "z"],
    [
        [F(1, 2), F(1, 4), F(1, 4), F(0)],
        [F(1, 8), F(1, 4), F(1, 2), F(1, 8)],
        [F(1, 16), F(1, 4), F(11, 16), F(0)],
    ],
)
"""“z” happens for “b” alone; between “a” and “c” the largest ratio is 8, between “b” and another one it is 4."""


def test_what_no_epsilon_hides_is_named() -> None:
    for channel in (EDGE, as_floats(EDGE)):
        found = audit(channel, ALL, Epsilon())
        assert (found.excess.input, found.excess.outputs) == ("b", ("z",))
        assert found.excess.delta == pytest.approx(1 / 8)


@pytest.mark.parametrize(
    ("neighbours", "largest"), [(ALL, 8), (graph([("a", "b"), ("b", "c")]), 4), (graph([("b", "c")]), 2)]
)
def test_a_curve_that_never_ends_is_drawn_to_where_it_is_flat(neighbours: Neighbours, largest: int) -> None:
    """Beyond the largest finite loss nothing changes; a little of that is shown, and never less than a half."""
    for channel in (EDGE, as_floats(EDGE)):
        found = curve(channel, neighbours)
        assert math.isinf(found.epsilon)
        assert found.epsilons[-1] == pytest.approx(1.15 * math.log(largest))
        assert found.deltas[-1] == pytest.approx(1 / 8)
    alike = Channel.of_fractions(["a", "b"], ["x", "y", "z"], [[F(1, 2), F(1, 2), F(0)], [F(1, 2), F(0), F(1, 2)]])
    for pairs in (ALL, graph([("a", "b")])):
        assert curve(alike, pairs).epsilons[-1] == 0.5
    apart = Channel.of_fractions(["a", "b"], ["x", "y"], [[F(1), F(0)], [F(0), F(1)]])
    for pairs in (ALL, graph([("a", "b")])):
        assert curve(apart, pairs).epsilons[-1] > 0.5 and set(curve(apart, pairs).deltas) == {1.0}


@pytest.mark.parametrize("text", ["0", "0.0", "within 0", "adjacent=0", "within -1"])
def test_neighbours_are_some_distance_apart(text: str) -> None:
    assert parse_neighbours("within 0.5").distance == parse_neighbours("1/2").distance == F(1, 2)
    with pytest.raises(WorkbenchError):
        parse_neighbours(text)


@pytest.mark.parametrize(
    ("claim", "told_apart", "holds"),
    [("930", "0.75", True), ("930", "0.74", False), ("930", "0", False), ("200", "1", True)],
)
def test_chances_that_floats_take_for_none_hide_no_pair_that_is_told_apart(
    claim: str, told_apart: str, holds: bool
) -> None:
    """Twice 1e-200 is 0 as a float, so that other pairs seemed to differ by .99; exactly they do not."""
    tiny, half = F(1, 10**200), F(1, 2)
    rows = ((F(9, 10), F(1, 10), F(0)), (tiny, 1 - tiny, F(0)), (tiny, half - tiny, half))
    channel = Channel.of_fractions(("a", "b", "c"), ("x", "y", "z"), rows)
    found = audit(sequential(channel, channel), claim=Epsilon.parse(claim), claimed_delta=F(told_apart))
    assert (found.verdict is AuditVerdict.CONFIRMED) is holds
