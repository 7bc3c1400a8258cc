"""The exponential mechanism, report noisy max, and what an answer is worth."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.mechanisms.audit import audit
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.geometric import mass
from workbench.mechanisms.mechanism import MECHANISMS, ConfiguredMechanism
from workbench.mechanisms.scores import parse_scores
from workbench.mechanisms.utility import LossFunction, parse_prior, utility

F = Fraction
EYES = "brown blue green: 5 3 1; 4 3 1; 5 4 1"


def exact(made: ConfiguredMechanism) -> Epsilon:
    found = audit(made.channel, made.neighbours).exact
    assert found is not None
    return found


class TestScores:
    def test_are_read(self) -> None:
        assert parse_scores("a, b: 1 2\n3 4").rows == ((1, 2), (3, 4))
        assert parse_scores("a b: 0..1").names == ("0 0", "0 1", "1 0", "1 1")
        assert parse_scores("a:1/2").rows == ((F(1, 2),),)

    @pytest.mark.parametrize(
        "text",
        ["", "a b", "a a: 1 2", ": 1", "a b: 1", "a b:", "a: x", "a: 2..1", "a: 0..x", "a: 1; 1", "a b c d: 0..9"],
    )
    def test_nonsense_is_refused(self, text: str) -> None:
        with pytest.raises(WorkbenchError):
            parse_scores(text)

    def test_neighbours(self) -> None:
        scores = parse_scores(EYES)
        assert set(scores.neighbours(F(1), one=True).edges) == {("5 3 1", "4 3 1"), ("5 3 1", "5 4 1")}
        assert len(scores.neighbours(F(1), one=False).edges) == 3
        with pytest.raises(WorkbenchError, match="neighbours"):
            parse_scores("a: 1; 9").neighbours(F(1), one=True)


class TestExponential:
    def test_weights_are_powers(self) -> None:
        made = MECHANISMS["exponential"].build({"scores": EYES, "epsilon": "2 ln 3"})
        assert made.channel.exact is not None
        assert made.channel.exact[0] == (F(81, 91), F(9, 91), F(1, 91))

    def test_the_promise_is_kept_and_counts_need_half(self) -> None:
        promised = Epsilon.parse("2 ln 2")
        for change, limit in (("every", F(4)), ("one", F(2))):
            made = MECHANISMS["exponential"].build({"scores": "a b: 0..6", "epsilon": "2 ln 2", "change": change})
            found = exact(made).ratio
            assert found is not None and promised.covers(found)
            assert found <= limit and found > F(9, 10) * limit
        full = MECHANISMS["exponential"].build({"scores": "a b: 0..6", "epsilon": "2 ln 2", "factor": "full"})
        assert promised.covers(exact(full).ratio or F(99))

    def test_in_floating_point(self) -> None:
        made = MECHANISMS["exponential"].build({"scores": EYES, "epsilon": "1", "change": "every"})
        assert made.channel.exact is None
        weights = [math.exp(score / 2) for score in (5, 3, 1)]
        assert made.channel.floats[0] == pytest.approx([weight / sum(weights) for weight in weights])
        assert audit(made.channel, made.neighbours).epsilon <= 1

    def test_large_scores_do_not_overflow(self) -> None:
        made = MECHANISMS["exponential"].build({"scores": "a b: 100000 99999; 99999 99999", "epsilon": "2"})
        assert made.channel.floats[0, 0] == pytest.approx(math.e / (1 + math.e))

    def test_a_choice_that_floats_would_forget_is_refused(self) -> None:
        """As floats both datasets would never give b, and the odds of giving it, e^0.5, would not be seen."""
        with pytest.raises(WorkbenchError, match="rarer than 1e-300"):
            MECHANISMS["exponential"].build({"scores": "a b: 100000 0; 99999 0", "epsilon": "1"})


class TestNoisyMax:
    @settings(max_examples=examples(10), deadline=None)
    @given(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    def test_agrees_with_a_long_enumeration(self, counts: list[int]) -> None:
        text = " ".join("abc"[: len(counts)]) + ": " + " ".join(map(str, counts)) + "; "
        text += " ".join(str(count + 1) for count in counts)
        found = MECHANISMS["noisy-max"].build({"scores": text, "alpha": F(1, 4), "change": "every"}).channel
        assert found.exact is not None and sum(found.exact[0]) == 1
        reach = range(-9, 10)
        noise = {offset: float(mass(F(1, 4), offset)) for offset in reach}
        wins = [0.0] * len(counts)
        for offsets in product(reach, repeat=len(counts)):
            noisy = [count + offset for count, offset in zip(counts, offsets, strict=True)]
            wins[noisy.index(max(noisy))] += math.prod(noise[offset] for offset in offsets)
        assert [float(chance) for chance in found.exact[0]] == pytest.approx(wins, abs=1e-5)

    def test_its_epsilon(self) -> None:
        general = exact(MECHANISMS["noisy-max"].build({"scores": "a b: 0..6", "change": "every"})).ratio
        counts = exact(MECHANISMS["noisy-max"].build({"scores": "a b: 0..6", "change": "one"})).ratio
        assert general is not None and counts is not None
        assert 3 < general <= 4
        assert F(17, 10) < counts <= 2 < general

    @pytest.mark.parametrize("scores", ["a b: 1/2 1; 1 1", "a b: 0 9999; 1 9999"])
    def test_nonsense_is_refused(self, scores: str) -> None:
        with pytest.raises(WorkbenchError):
            MECHANISMS["noisy-max"].build({"scores": scores})


class TestUtility:
    def test_the_survey(self) -> None:
        channel = MECHANISMS["survey"].build({}).channel
        found = utility(channel, parse_prior("uniform", channel), LossFunction.WRONG)
        assert (found.expected_error, found.guess_before, found.guess_after, found.gain) == (
            F(1, 4),
            F(1, 2),
            F(3, 4),
            F(3, 2),
        )
        sure = utility(channel, parse_prior("yes", channel), LossFunction.WRONG)
        assert (sure.guess_before, sure.guess_after) == (1, 1)
        assert utility(channel, parse_prior("", channel), LossFunction.ABSOLUTE).expected_error is None

    def test_errors_of_counts(self) -> None:
        channel = MECHANISMS["truncated-geometric"].build({"n": 1}).channel
        # P(other) = α/(1+α) = 1/3 at both ends.
        for loss in LossFunction:
            assert utility(channel, parse_prior("2 1", channel), loss).expected_error == F(1, 3)
            assert parse_prior("75 % 25%", channel) == (F(3, 4), F(1, 4))
        with pytest.raises(WorkbenchError, match="Some weights have a %"):
            parse_prior("50 25 %", channel)
        wide = MECHANISMS["truncated-geometric"].build({"n": 2}).channel
        assert utility(wide, parse_prior("0", wide), LossFunction.SQUARED).expected_error == F(1, 6) + 4 * F(1, 6)
        floats = Channel.of_floats(wide.inputs, wide.outputs, wide.floats)
        for loss in LossFunction:
            rounded, fractions = (utility(c, parse_prior("1 2 3", c), loss) for c in (floats, wide))
            assert rounded.expected_error == pytest.approx(float(fractions.expected_error or 0))
            assert rounded.guess_after == pytest.approx(float(fractions.guess_after))

    @settings(max_examples=examples(40), deadline=None)
    @given(st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any), st.sampled_from(["ln 2", "ln 9"]))
    def test_nobody_gains_more_than_epsilon_allows(self, weights: list[int], epsilon: str) -> None:
        channel = MECHANISMS["grr"].build({"epsilon": epsilon}).channel
        found = utility(channel, parse_prior(" ".join(map(str, weights)), channel), LossFunction.WRONG)
        limit = Epsilon.parse(epsilon).ratio
        assert limit is not None and 1 <= found.gain <= limit

    @pytest.mark.parametrize("text", ["1 2", "1 2 3 4 5", "-1 2 1 1", "0 0 0 0", "a b c d", "nobody"])
    def test_what_is_no_prior_is_refused(self, text: str) -> None:
        channel = MECHANISMS["grr"].build({}).channel
        with pytest.raises(WorkbenchError) as refused:
            parse_prior(text, channel)
        assert refused.value.field == "prior"


@pytest.mark.parametrize("counts", ["2..1", "1/2..2", "0..3/2"])
def test_counts_run_upwards_from_whole_numbers(counts: str) -> None:
    with pytest.raises(WorkbenchError, match="Counts run from a whole number"):
        parse_scores(f"a b: {counts}")
