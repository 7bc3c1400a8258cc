"""Above-threshold: stop probabilities in fractions, and the ε of many queries."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.mechanisms.above_threshold import MOST_QUERIES, AboveThreshold
from workbench.mechanisms.audit import audit
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.geometric import OverAllNumbers, at_most, mass, truncated
from workbench.mechanisms.mechanism import MECHANISMS, ConfiguredMechanism
from workbench.mechanisms.neighbours import ADJACENT, parse_neighbours

F = Fraction
PUBLISHED = AboveThreshold()
LOOSE = AboveThreshold(strict=False)
REPAIRED = AboveThreshold(truncated=False)
WITHIN_TWO = parse_neighbours("2")


def made(**typed: str) -> ConfiguredMechanism:
    return MECHANISMS["above-threshold"].build_typed(typed)


def exact(**typed: str) -> Epsilon | None:
    one = made(**typed)
    return audit(one.channel, one.neighbours).exact


class TestStops:
    @pytest.mark.parametrize(
        ("stream", "threshold", "at", "never"),
        [
            ((3, 3, 3), 3, ("353/960", "2231/11520", "3271/27648"), "44281/138240"),
            ((2, 2, 2), 3, ("19/96", "199/1440", "3637/34560"), "19307/34560"),
            ((0, 0), 5, ("47/7680", "133/23040"), "11383/11520"),
            ((0, 5), 0, ("18139/61440", "62903/92160"), "4097/184320"),
        ],
    )
    def test_known_vectors(self, stream: tuple[int, ...], threshold: int, at: tuple[str, ...], never: str) -> None:
        found = PUBLISHED.stops(stream, threshold)
        assert found.at == tuple(F(text) for text in at)
        assert found.never == F(never)

    @settings(max_examples=examples(15), deadline=None)
    @given(
        st.lists(st.integers(0, 3), min_size=1, max_size=3), st.integers(0, 3), st.booleans(),
        st.sampled_from([F(1, 4), F(1, 2), F(2, 3)]),
    )  # fmt: skip
    def test_truncated_is_the_sum_over_all_noises(
        self, stream: list[int], threshold: int, strict: bool, alpha: Fraction
    ) -> None:
        model = AboveThreshold(3, alpha, F(1, 2), strict=strict)
        found = [F(0)] * (len(stream) + 1)
        for tau, noisy in product(range(4), product(range(4), repeat=len(stream))):
            chance = truncated(alpha, 3, threshold)[tau]
            for value, answer in zip(stream, noisy, strict=True):
                chance *= truncated(F(1, 2), 3, value)[answer]
            hits = [place for place, answer in enumerate(noisy) if (answer > tau if strict else answer >= tau)]
            found[hits[0] if hits else len(stream)] += chance
        assert model.stops(stream, threshold).all == tuple(found)

    @settings(max_examples=examples(15), deadline=None)
    @given(
        st.lists(st.integers(-4, 7), min_size=1, max_size=4), st.integers(-3, 5), st.booleans(),
        st.sampled_from([F(1, 4), F(2, 3)]),
    )  # fmt: skip
    def test_untruncated_sums_to_one_and_agrees_with_a_long_sum(
        self, stream: list[int], threshold: int, strict: bool, alpha: Fraction
    ) -> None:
        model = AboveThreshold(5, alpha, F(1, 2), strict=strict, truncated=False)
        found = model.stops(stream, threshold)
        assert sum(found.all) == 1
        for place in range(len(stream)):
            total = 0.0
            for tau in range(threshold - 80, threshold + 81):
                chance = float(mass(alpha, tau - threshold))
                limit = tau if strict else tau - 1
                for value in stream[:place]:
                    chance *= float(at_most(F(1, 2), limit - value))
                total += chance * (1 - float(at_most(F(1, 2), limit - stream[place])))
            assert float(found.at[place]) == pytest.approx(total, abs=1e-12)

    def test_untruncated_depends_on_differences_only(self) -> None:
        assert REPAIRED.stops((3, 4, 1), 2) == REPAIRED.stops((13, 14, 11), 12)

    @pytest.mark.parametrize(
        ("stream", "threshold"), [((6,), 0), ((-1,), 0), ((3,), 6), ((), 0), ((1,) * 101, 0), ((3,), -1)]
    )
    def test_impossible_values_are_refused(self, stream: tuple[int, ...], threshold: int) -> None:
        with pytest.raises(WorkbenchError) as refused:
            PUBLISHED.stops(stream, threshold)
        assert refused.value.hint and refused.value.field

    def test_impossible_models_are_refused(self) -> None:
        for wrong in ({"n": 0}, {"n": 65}, {"query_alpha": F(1)}, {"threshold_alpha": F(0)}):
            with pytest.raises(WorkbenchError):
                AboveThreshold(**wrong)  # type: ignore[arg-type]


class TestNoise:
    @pytest.mark.parametrize("alpha", [F(1, 2), F(1, 4), F(9, 10)])
    def test_sums_and_steps(self, alpha: Fraction) -> None:
        for offset in range(-5, 6):
            assert at_most(alpha, offset) - at_most(alpha, offset - 1) == mass(alpha, offset)
        assert at_most(alpha, -1) + mass(alpha, 0) + at_most(alpha, -1) == 1
        for x in range(4):
            assert sum(truncated(alpha, 3, x)) == 1

    def test_truncation_moves_what_is_beyond_to_the_ends(self) -> None:
        alpha = F(1, 3)
        row = truncated(alpha, 4, 1)
        assert row[0] == at_most(alpha, -1)
        assert row[1:4] == tuple(mass(alpha, y - 1) for y in range(1, 4))
        assert row[4] == 1 - at_most(alpha, 2)
        assert truncated(alpha, 0, 0) == (1,)

    def test_an_empty_product_is_a_probability(self) -> None:
        assert OverAllNumbers(F(1, 4), 7, F(1, 2), [0, 20]).total_with() == 1


class TestDatabases:
    def test_the_published_ratios(self) -> None:
        found = PUBLISHED.database_losses(20)
        assert [found[place].text for place in range(3)] == ["ln(2)", "ln(943/292)", "ln(62777/16504)"]
        for queries, epsilon in ((5, 2.26173), (10, 5.55103), (20, 12.47665)):
            assert found[queries - 1].upper == pytest.approx(epsilon, abs=5e-6)

    def test_with_at_least_every_query_costs_the_same(self) -> None:
        assert [one.text for one in LOOSE.database_losses(4)] == ["ln(2)", "ln(4)", "ln(8)", "ln(16)"]

    def test_agrees_with_the_audit_of_the_channel(self) -> None:
        for comparison, model in (("strict", PUBLISHED), ("non-strict", LOOSE)):
            for queries in (1, 2, 4):
                found = exact(queries=str(queries), comparison=comparison)
                assert found == model.database_losses(queries)[-1]
        assert exact(queries="3", truncated="no") == REPAIRED.database_losses(3)[-1]
        assert exact(queries="3", threshold="2") == PUBLISHED.database_losses(3, threshold=2)[-1]

    def test_the_repair_stays_below_two_logarithms(self) -> None:
        losses = REPAIRED.database_losses(12)
        limit = REPAIRED.fixed_loss(equal=True)
        assert limit is not None and limit.text == "ln(4)"
        assert all(one.ratio is not None and limit.covers(one.ratio) for one in losses)
        assert losses[-1].upper > 0.999 * limit.upper
        assert PUBLISHED.fixed_loss(equal=True) is None


class TestWorstStreams:
    @pytest.mark.parametrize("strict", [True, False])
    @pytest.mark.parametrize("queries", [1, 2])
    def test_truncated_is_the_maximum_over_all_pairs_of_streams(self, strict: bool, queries: int) -> None:
        model = AboveThreshold(2, strict=strict)
        streams = list(product(range(3), repeat=queries))
        worst = F(1)
        for threshold in range(3):
            chances = {stream: model.stops(stream, threshold).all for stream in streams}
            for one, other in product(streams, repeat=2):
                if max(abs(p - q) for p, q in zip(one, other, strict=True)) <= 1:
                    worst = max([worst, *(p / q for p, q in zip(chances[one], chances[other], strict=True))])
        assert model.worst_losses(queries)[-1] == Epsilon(ratio=worst)

    @pytest.mark.parametrize("strict", [True, False])
    @pytest.mark.parametrize("n", [1, 5])
    @pytest.mark.parametrize("queries", [1, 3, 10])
    def test_truncated_is_attained_by_the_shown_pair(self, strict: bool, n: int, queries: int) -> None:
        model = AboveThreshold(n, strict=strict)
        one, other = (model.stops(stream, 0).all for stream in model.worst_streams(queries))
        assert max(max(p / q, q / p) for p, q in zip(one, other, strict=True)) == F(2) ** queries

    def test_untruncated_is_bounded_and_nearly_reached(self) -> None:
        limit = REPAIRED.fixed_loss(equal=False)
        assert limit is not None and limit.text == "ln(16)"
        for queries, losses in enumerate(REPAIRED.worst_losses(8), start=1):
            assert losses.ratio == min(F(2) ** queries, F(16))
            one, other = (REPAIRED.stops(stream, 0).all for stream in REPAIRED.worst_streams(queries))
            reached = max(max(p / q, q / p) for p, q in zip(one, other, strict=True))
            assert 0.95 * losses.ratio < reached <= losses.ratio

    @settings(max_examples=examples(40), deadline=None)
    @given(
        st.lists(st.tuples(st.integers(-4, 6), st.integers(-1, 1)), min_size=1, max_size=6), st.integers(-2, 4),
        st.booleans(), st.sampled_from([(F(1, 4), F(1, 2)), (F(1, 2), F(1, 3)), (F(9, 10), F(1, 2))]),
    )  # fmt: skip
    def test_no_pair_of_streams_exceeds_the_bound(
        self, answers: list[tuple[int, int]], threshold: int, strict: bool, alphas: tuple[Fraction, Fraction]
    ) -> None:
        model = AboveThreshold(5, *alphas, strict=strict, truncated=False)
        bound = model.worst_losses(len(answers))[-1].ratio
        one = model.stops([value for value, _ in answers], threshold).all
        other = model.stops([value + step for value, step in answers], threshold).all
        assert bound is not None
        assert all(p <= bound * q and q <= bound * p for p, q in zip(one, other, strict=True))


class TestPlugin:
    def test_rows_are_databases(self) -> None:
        channel = made().channel
        assert channel.exact is not None
        assert channel.exact[channel.input_index("d = 3, t = 3")][-1] == F(44281, 138240)
        assert channel.outputs == ("stop at 1", "stop at 2", "stop at 3", "never")
        assert len(channel.inputs) == 36

    @pytest.mark.parametrize(("queries", "ratio"), [("1", F(2)), ("2", F(943, 292)), ("3", F(62777, 16504))])
    def test_one_apart_is_in_the_data_and_never_in_the_public_threshold(self, queries: str, ratio: Fraction) -> None:
        found = made(queries=queries)
        assert audit(found.channel, ADJACENT).exact == audit(found.channel, found.neighbours).exact
        assert audit(found.channel, ADJACENT).exact == Epsilon(ratio=ratio)
        pairs = {tuple(found.channel.inputs[place] for place in pair) for pair in ADJACENT.pairs(found.channel)}
        assert ("d = 4, t = 2", "d = 5, t = 2") in pairs
        assert ("d = 5, t = 0", "d = 0, t = 1") not in pairs
        assert len(pairs) == 6 * 5
        assert ADJACENT.text_for(found.channel) == "|x − x′| ≤ 1 in the data, equal t"
        two = {tuple(found.channel.inputs[place] for place in pair) for pair in WITHIN_TWO.pairs(found.channel)}
        assert len(two) == 6 * (5 + 4) and ("d = 5, t = 0", "d = 1, t = 1") not in two

    def test_streams_one_apart_are_those_whose_every_answer_moved_by_at_most_one(self) -> None:
        found = made(stream="typed", answers="3 3; 0 0; 4 2; 5 5; 4 4", threshold="2")
        apart = {tuple(found.channel.inputs[place] for place in pair) for pair in ADJACENT.pairs(found.channel)}
        assert apart == {("3 3", "4 2"), ("3 3", "4 4"), ("5 5", "4 4")}
        assert len(ADJACENT.pairs(made(stream="worst").channel)) == 1

    @pytest.mark.parametrize("comparison", ["strict", "non-strict"])
    def test_worst_streams(self, comparison: str) -> None:
        found = made(queries="4", stream="worst", comparison=comparison)
        assert found.bound == Epsilon(ratio=F(16))
        assert audit(found.channel, found.neighbours).exact == found.bound

    def test_the_finding_is_said(self) -> None:
        assert "no fixed ε" in made().note
        assert "ln(4)" in made(truncated="no").note
        far = made(truncated="no", stream="worst", queries="9")
        assert far.bound == Epsilon(ratio=F(16)) and "ln(16)" in far.note
        assert audit(far.channel).epsilon <= far.bound.upper

    def test_typed_streams(self) -> None:
        found = made(stream="typed", answers="0 5", threshold="0")
        assert found.channel.exact is not None
        assert found.channel.exact[0] == (F(18139, 61440), F(62903, 92160), F(4097, 184320))
        assert found.channel.inputs == ("0 5", "0 4", "1 5")
        several = made(stream="typed", answers="3, 3; 4, 2; 5 5", threshold="2")
        assert several.neighbours.edges == (("4 2", "3 3"),)

    @pytest.mark.parametrize(
        "typed",
        [
            {"queries": "0"},
            {"queries": "101"},
            {"threshold": "6"},
            {"threshold": "x"},
            {"threshold": "1.5"},
            {"comparison": "maybe"},
            {"stream": "typed", "answers": ""},
            {"stream": "typed", "answers": "1 2; 3"},
            {"stream": "typed", "answers": "1.5"},
            {"stream": "typed", "answers": "9"},
            {"query_alpha": "2"},
            {"queries": "100", "n": "64"},  # would take minutes
            {"queries": "100", "n": "64", "truncated": "no"},
            {"truncated": "perhaps"},
        ],
    )
    def test_nonsense_is_refused(self, typed: dict[str, str]) -> None:
        with pytest.raises(WorkbenchError):
            made(**typed)

    def test_long_streams_have_short_names(self) -> None:
        assert made(queries="50", stream="worst").channel.inputs == ("4 ×49, 1", "5 ×49, 0")
        assert math.isfinite(audit(made(queries="50", stream="worst").channel).epsilon)


@pytest.mark.parametrize("queries", [0, -1, MOST_QUERIES + 1])
def test_losses_are_worked_out_for_a_possible_number_of_queries(queries: int) -> None:
    for work_out in (PUBLISHED.database_losses, PUBLISHED.worst_losses, PUBLISHED.worst_streams):
        with pytest.raises(WorkbenchError) as refused:
            work_out(queries)
        assert refused.value.field == "queries"
    assert len(PUBLISHED.worst_losses(MOST_QUERIES)) == MOST_QUERIES
