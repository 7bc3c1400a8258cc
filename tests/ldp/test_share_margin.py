"""The margin of the unbiased estimate of each share: by hand, and of collections that are drawn."""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTOMATIC, band, estimate
from workbench.ldp.mean_prediction import MeanPlan, every_mean, fewest_for_mean, mean_margin
from workbench.ldp.needed import fewest_users, least_epsilon
from workbench.ldp.participation import planned_randomiser
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.prediction import every_protocol
from workbench.ldp.share_margin import (
    MARGIN,
    MarginRule,
    has_margin,
    margin_rule,
    margin_together,
    normal_margin_at,
    set_for_margin,
    share_margin,
    share_margin_at,
)
from workbench.session.collection.words import share_margin_words, suffices

PLAN = CollectionPlan(5000, 5, 2.0)
GRR, OUE = ProtocolChoice("grr"), ProtocolChoice("oue")
P = math.exp(2) / (math.exp(2) + 4)
Q = 1 / (math.exp(2) + 4)


def test_of_those_asked_it_is_widest_where_everybody_has_the_value_or_nobody() -> None:
    """Direct encoding of 5 values at ε = 2: p = 0.6488, q = 0.0878, and 1.96 √(p(1 − p)/5000)/(p − q) = 2.36 points."""
    assert share_margin(PLAN, GRR) == pytest.approx(1.96 * math.sqrt(P * (1 - P) / 5000) / (P - Q))
    assert share_margin(PLAN, GRR) == pytest.approx(0.02359, abs=1e-5)


def test_of_all_people_it_is_widest_where_half_of_the_reports_have_the_value() -> None:
    """With sampling reports are draws: 1.96 √(r(1 − r)/5000)/(p − q), at most where r = ½; 2.34 points at 45 %."""
    drawn = replace(PLAN, sampling=True)
    assert share_margin(drawn, GRR) == pytest.approx(1.96 * math.sqrt(0.25 / 5000) / (P - Q))
    at_45 = Q + 0.45 * (P - Q)
    assert 1.96 * math.sqrt(at_45 * (1 - at_45) / 5000) / (P - Q) == pytest.approx(0.02341, abs=1e-5)
    # A person who reports three times is no three people: sampling is of 1,666, and weighs more.
    assert share_margin(replace(drawn, of_one_person=3), GRR) > share_margin(drawn, GRR)


@pytest.mark.parametrize("identifier", ["grr", "oue", "olh", "hadamard"])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.735, 1.0])
def test_an_estimate_lies_within_it_in_95_of_100_collections(identifier: str, share: float) -> None:
    plan = replace(PLAN, users=2000, sampling=True)
    choice = ProtocolChoice(identifier)
    margin, built = share_margin(plan, choice), choice.frequency(plan.domain_size, plan.epsilon)
    generator, missed, tries = np.random.default_rng(5), 0, 300
    shares = np.array([share, 1 - share, 0, 0, 0])
    for _ in range(tries):
        support = built.simulate(generator.multinomial(plan.users, shares), generator)
        assert support is not None
        missed += abs(built.estimate(support)[0] / plan.users - share) > margin
    # 5 % of 300 are 15; more than 30 have a chance below 1 in 10,000.
    assert missed <= 30


def test_it_is_that_of_the_unbiased_estimate_and_the_interval_of_what_is_made_consistent_holds_the_share_too() -> None:
    """Where one of 50 answers has everything Norm-Sub takes from it what chance gives to the other 49.

    5 % of 400 collections are 20; that 45 or more miss has a chance of 10⁻⁶. Of the consistent estimate about 30 % do.
    """
    plan, choice = CollectionPlan(2000, 50, 2.0, ordinal=False), ProtocolChoice("sue")
    built, margin, draw = choice.frequency(50, 2.0), share_margin(plan, choice), np.random.default_rng(11)
    crowd, missed, wider = np.eye(50, dtype=np.int64)[0] * 2000, np.zeros(3), 0
    for _ in range(400):
        support = built.simulate(crowd, draw)
        assert support is not None
        given = estimate(built, support, AUTOMATIC)
        off = abs(built.estimate(support)[0] / 2000 - 1), abs(given.counts[0] / 2000 - 1)
        outside = not given.low[0] <= 2000 <= given.high[0]
        missed += [off[0] > margin, off[1] > margin, outside]
        low, high = band(built, support)
        wider = max(wider, float((high - low).max()))
    assert given.postprocess == "norm-sub"
    assert missed[0] < 45 and missed[2] < 45 < 80 < missed[1]
    # Reports are whole, and each end is on the safe side of one: by so many people wider than was said ahead.
    assert built.pure is not None
    assert wider <= 2 * 2000 * margin + 1 / (built.pure[0] - built.pure[1])


def law_of(trials: int, chance: float) -> np.ndarray:
    """The chances of 0 … trials successes, each by itself."""
    return np.array(
        [math.comb(trials, one) * chance**one * (1 - chance) ** (trials - one) for one in range(trials + 1)]
    )


def worst_miss(margin: float, users: int, p: float, q: float) -> float:
    """The largest chance, over all shares there can be, that the unbiased estimate is beyond a margin: exactly."""
    estimates = (np.arange(users + 1) - users * q) / (users * (p - q))
    laws = (np.convolve(law_of(mine, p), law_of(users - mine, q)) for mine in range(users + 1))
    return max(float(law[abs(estimates - mine / users) > margin].sum()) for mine, law in enumerate(laws))


FEW = [("grr", 2, 100, 6.0), ("grr", 4, 20, 6.0), ("grr", 20, 60, 4.0), ("sue", 4, 50, 8.0), ("oue", 4, 30, 1.0)]


@pytest.mark.parametrize(("identifier", "size", "users", "epsilon"), [*FEW, ("grr", 4, 1, 6.0), ("grr", 2, 50, 20.0)])
def test_it_holds_for_few_people_at_a_large_epsilon_whatever_the_share(
    identifier: str, size: int, users: int, epsilon: float
) -> None:
    """By the law itself, of two binomial numbers, over every share k/n; ±1.96 deviations miss in up to 21 %."""
    plan, choice = CollectionPlan(users, size, epsilon, ordinal=False), ProtocolChoice(identifier)
    pure = choice.frequency(size, epsilon).pure
    assert pure is not None
    p, q = pure
    each, together = share_margin(plan, choice), share_margin(plan, choice, size)
    assert worst_miss(each, users, p, q) <= 0.05 and worst_miss(together, users, p, q) <= 0.05 / size
    # A report and what a normal distribution says are as much as is added.
    normal = 1.96 * math.sqrt(max(p * (1 - p), q * (1 - q)) / users) / (p - q)
    assert normal <= each <= normal + 1.1 / (users * (p - q))


def test_a_normal_distribution_would_miss_more_often() -> None:
    p = math.exp(6) / (math.exp(6) + 1)
    normal = 1.96 * math.sqrt(p * (1 - p) / 100) / (2 * p - 1)
    assert worst_miss(normal, 100, p, 1 - p) > 0.2


@pytest.mark.parametrize("together", [1, 3])
def test_it_holds_for_few_people_who_are_drawn(together: int) -> None:
    """Of a person who has the value with chance π all reports support it with p, else with q: exactly, over shares."""
    plan = CollectionPlan(10 * together, 4, 5.0, ordinal=False, sampling=True, of_one_person=together)
    p, q = math.exp(5) / (math.exp(5) + 3), 1 / (math.exp(5) + 3)
    margin, users = share_margin(plan, GRR), plan.users
    estimates = (np.arange(users + 1) - users * q) / (users * (p - q))
    for share in np.linspace(0, 1, 101).tolist():
        one = share * law_of(together, p) + (1 - share) * law_of(together, q)
        law = np.ones(1)
        for _ in range(10):
            law = np.convolve(law, one)
        assert law[abs(estimates - share) > margin].sum() <= 0.05, share


def test_enough_people_are_enough_where_they_are_few() -> None:
    plan = CollectionPlan(50, 4, 6.0, ordinal=False)
    people, _ = fewest_users(plan, (GRR,), MARGIN, 0.03)
    p, q = math.exp(6) / (math.exp(6) + 3), 1 / (math.exp(6) + 3)
    assert worst_miss(0.03, people, p, q) <= 0.05 < worst_miss(0.03, 32, p, q)
    epsilon, _ = least_epsilon(plan, (GRR,), MARGIN, 0.03)
    p, q = (one / (math.exp(epsilon) + 3) for one in (math.exp(epsilon), 1.0))
    assert worst_miss(0.03, 50, p, q) <= 0.05


@pytest.mark.parametrize("sampling", [True, False])
def test_it_falls_with_people_and_epsilon_without_a_jump(sampling: bool) -> None:
    """The law itself gives way to a normal distribution in between, which widens nothing by more than a thousandth."""
    plan = CollectionPlan(600, 4, 1.0, ordinal=False, sampling=sampling)
    for along in (
        [replace(plan, epsilon=one) for one in np.geomspace(0.3, 8, 60).tolist()],
        [replace(plan, users=round(one)) for one in np.geomspace(20, 9000, 60).tolist()],
    ):
        for choice in (GRR, OUE, ProtocolChoice("she")):  # the sets and orders of others change with ε
            margins = np.array([share_margin(one, choice) for one in along])
            assert (margins[1:] <= 1.001 * margins[:-1]).all(), choice


def test_people_and_epsilon_are_found_for_it() -> None:
    drawn = replace(PLAN, sampling=True)
    people, by = fewest_users(drawn, (OUE, GRR), MARGIN, 0.02)
    exact = (1.96 / 0.02 / (P - Q)) ** 2 / 4  # 7,630
    assert by == GRR and exact <= people <= 1.0012 * exact
    epsilon, _ = least_epsilon(drawn, (GRR,), MARGIN, 0.02)
    assert share_margin(replace(drawn, epsilon=epsilon), GRR) <= 0.02 < share_margin(replace(drawn, epsilon=2.45), GRR)


def test_what_has_no_formula_is_passed_over_and_named_where_it_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(OUE.frequency(5, 2.0))
    monkeypatch.setattr(kind, "variance", lambda *_: None)
    assert fewest_users(PLAN, (OUE, GRR), MARGIN, 0.02)[1] == GRR
    with pytest.raises(WorkbenchError, match="no formula for the margin"):
        fewest_users(PLAN, (OUE,), MARGIN, 0.02)


@pytest.mark.parametrize("identifier", ["grr", "oue"])
def test_all_shares_at_once_are_within_the_wider_margin(identifier: str) -> None:
    """At most 5 % of 400 collections miss one of eight shares; more have one beyond the margin of each by itself."""
    plan, choice = CollectionPlan(4000, 8, 1.0, ordinal=False), ProtocolChoice(identifier)
    built, draw = choice.frequency(8, 1.0), np.random.default_rng(5)
    margin = share_margin(plan, choice)
    crowd = np.full(8, 500)
    missed = np.zeros(2)
    for _ in range(400):
        support = built.simulate(crowd, draw)
        assert support is not None
        worst = np.abs(built.estimate(support) / 4000 - 1 / 8).max()
        missed += [worst > margin, worst > margin_together(margin, 8)]
    assert missed[1] <= 0.05 * 400 + 3 * math.sqrt(400 * 0.05 * 0.95) and missed[0] > missed[1]


def test_bonferroni_by_hand() -> None:
    assert margin_together(0.03, 8) == pytest.approx(0.03 * 2.7344 / 1.96, rel=1e-4)
    assert margin_together(0.03, 1) == 0.03


@pytest.mark.parametrize(
    ("users", "size", "target"), [(5000, 6, 0.05), (20_000, 6, 0.02), (2000, 6, 0.05), (900, 3, 0.04)]
)
@pytest.mark.parametrize("sampling", [True, False])
def test_the_smallest_epsilon_of_all_protocols_is_found_whichever_comes_first(
    users: int, size: int, target: float, sampling: bool
) -> None:
    """Every protocol is asked at every ε of a fine grid: none that suffices lies below what is found."""
    plan = CollectionPlan(users, size, 1.0, sampling=sampling)
    choices = [one for one in every_protocol(size, ordinal=False) if has_margin(plan, one)]

    def reaches(epsilon: float) -> bool:
        margins = []
        for one in choices:
            with contextlib.suppress(WorkbenchError):
                margins.append(share_margin(replace(plan, epsilon=epsilon), one))
        return min(margins) <= target

    for order in (choices, choices[::-1]):
        found, _ = least_epsilon(plan, order, MARGIN, target)
        assert reaches(found)
        below = np.geomspace(0.2, found * 0.999, 150)
        assert not any(map(reaches, below.tolist())), order[0]


@pytest.mark.parametrize("identifier", ["subset-selection", "olh"])
@pytest.mark.parametrize("sampling", [False, True])
def test_what_is_left_open_is_set_for_the_least_margin(identifier: str, sampling: bool) -> None:
    """Every number that may be set is tried, for few values and many, small ε and large."""
    choice = ProtocolChoice(identifier)
    open_ = choice.protocol.left_open
    assert open_ is not None
    for size, epsilon in product((2, 3, 4, 5, 6, 8, 12, 30), (0.2, 1.0, 2.0, 3.5)):
        plan = CollectionPlan(3000, size, epsilon, sampling=sampling)
        every = [ProtocolChoice(identifier, {open_.name: one}) for one in open_.allowed(size, epsilon)]
        least = min(share_margin(plan, one) for one in every)
        found = set_for_margin(plan, choice)
        assert share_margin(plan, found) == pytest.approx(min(least, share_margin(plan, choice)), rel=1e-12)
        assert set_for_margin(plan, every[0]) is every[0], "what somebody set stays"


def test_a_search_sets_what_is_left_open_for_the_margin_only_where_it_may() -> None:
    """Sets of 2 of 5 values at ε = 1 by hand, against the automatic 1, which is direct encoding."""
    plan, sets = CollectionPlan(1000, 5, 1.0), ProtocolChoice("subset-selection")
    p = 2 * math.e / (2 * math.e + 3)
    q = (p + (1 - p) * 2) / 4
    by_hand = p * (1 - p) * (1.96 / 0.03 / (p - q)) ** 2
    people, by = fewest_users(plan, (GRR, sets), MARGIN, 0.03, tuned=True)
    assert by == ProtocolChoice("subset-selection", {"k": 2}) and people == pytest.approx(by_hand, rel=0.002)
    assert fewest_users(plan, (sets,), MARGIN, 0.03)[0] > 1.3 * people
    few, by = least_epsilon(plan, (GRR, sets), MARGIN, 0.08, tuned=True)
    assert few < 0.95 * least_epsilon(plan, (GRR, sets), MARGIN, 0.08)[0]
    assert by.values and share_margin(replace(plan, epsilon=few), by) <= 0.08
    assert set_for_margin(plan, GRR) is GRR


@pytest.mark.parametrize("identifier", ["grr", "subset-selection", "rr"])
@pytest.mark.parametrize("users", [10, 7_100])
def test_of_two_shares_one_margin_covers_both_where_one_leaves_the_other(identifier: str, users: int) -> None:
    plan, choice = CollectionPlan(users, 2, 1.0, sampling=True), ProtocolChoice(identifier)
    each = share_margin(plan, choice)
    assert share_margin(plan, choice, 2) == each
    assert share_margin_words(each, each, 2).endswith("whatever the share; the other is off by as much")


def test_of_two_shares_that_are_estimated_apart_both_are_within_a_wider_margin() -> None:
    """Two bits of a person are flipped each by itself, so that both need not add up to all."""
    plan, choice = CollectionPlan(7_100, 2, 1.0), ProtocolChoice("oue")
    each, both = share_margin(plan, choice), share_margin(plan, choice, 2)
    assert both == pytest.approx(each * 2.2414 / 1.96, rel=1e-4)
    assert "; both at once ± " in share_margin_words(each, both, 2)


def test_the_margin_of_a_share_to_expect_is_by_hand_and_never_wider_than_that_of_any() -> None:
    """Direct encoding of 7 answers at ln 3 of 2,000 people: p = 3/9, q = 1/9, of a share of 1/7 and of a whole."""
    plan, choice = CollectionPlan(2_000, 7, math.log(3)), ProtocolChoice("grr")
    p, q = 3 / 9, 1 / 9

    def by_hand(share: float) -> float:
        return 1.96 * math.sqrt((share * p * (1 - p) + (1 - share) * q * (1 - q)) / 2_000) / (p - q)

    # Where few reports are moved, half a report is added; see `share_margin`.
    assert share_margin_at(plan, choice, 1 / 7) == pytest.approx(by_hand(1 / 7), rel=0.02)
    assert share_margin_at(plan, choice, 1 / 7) >= by_hand(1 / 7)
    assert share_margin(plan, choice) == pytest.approx(by_hand(1.0), rel=0.02)
    for identifier in ("grr", "oue", "subset-selection", "olh", "hadamard"):
        for users in (5, 40, 3_000):
            for sampling in (False, True):
                asked = CollectionPlan(users, 7, 1.0, sampling=sampling)
                widest = share_margin(asked, ProtocolChoice(identifier))
                for share in (0.0, 1 / 7, 0.5, 1.0):
                    assert share_margin_at(asked, ProtocolChoice(identifier), share) <= widest


def test_about_95_percent_of_drawn_collections_are_within_the_margin_of_their_share() -> None:
    plan, choice = CollectionPlan(2_000, 7, 1.0), ProtocolChoice("grr")
    margin, rng = share_margin_at(plan, choice, 1 / 7), np.random.default_rng(4)
    p, q = math.e / (math.e + 6), 1 / (math.e + 6)
    mine = round(2_000 / 7)
    told = rng.binomial(mine, p, 40_000) + rng.binomial(2_000 - mine, q, 40_000)
    off = np.abs((told - 2_000 * q) / (p - q) - mine) / 2_000
    assert 0.945 < (off <= margin).mean() < 0.965


@pytest.mark.parametrize("identifier", ["grr", "oue", "olh", "subset-selection", "hadamard", "rappor", "she"])
@pytest.mark.parametrize("sampling", [True, False])
def test_the_fewest_people_suffice_and_neither_one_less_nor_a_rounding_step_less_do(
    identifier: str, sampling: bool
) -> None:
    """A search to 0.1 % told 8,060 people where 8,047 suffice, which are 8,050."""
    choice, looked = ProtocolChoice(identifier), 0
    for size, epsilon, target in product((3, 6), (1.0, 2.5), (0.02, 0.03, 0.0437)):
        plan = CollectionPlan(2000, size, epsilon, sampling=sampling)
        people, _ = fewest_users(plan, (choice,), MARGIN, target)

        def reached(users: int, *, plan: CollectionPlan = plan, target: float = target) -> bool:
            return share_margin(replace(plan, users=users), choice) <= target

        told = int(suffices(people))
        step = 10 ** (len(str(told)) - 3)
        assert reached(people) and not reached(people - 1) and reached(told)
        assert not reached(told - step), (size, epsilon, target)
        looked += step > 1
    assert looked


def test_people_for_three_points_of_three_answers_by_hand() -> None:
    """Direct encoding, where half of the reports have the value: 1.96 √(¼/n) ÷ (p − q), p − q = (e − 1) ÷ (e + 2)."""
    plan = CollectionPlan(2000, 3, 1.0, sampling=True)
    people, by = fewest_users(plan, (OUE, GRR), MARGIN, 0.03)
    assert by == GRR and suffices(people) == 8050
    assert people == math.ceil((1.96 * 0.5 / 0.03 * (math.e + 2) / (math.e - 1)) ** 2)
    epsilon, _ = least_epsilon(plan, (GRR,), MARGIN, 0.03)
    assert suffices(epsilon) == 2.22
    assert share_margin(replace(plan, epsilon=2.21), GRR) > 0.03 >= share_margin(replace(plan, epsilon=epsilon), GRR)


@pytest.mark.parametrize("margin", [3.0, 4.0, 1.37])
def test_the_fewest_people_for_a_mean_suffice_and_one_less_do_not(margin: float) -> None:
    plan = MeanPlan(2000, 1.0, (0.0, 110.0), True)
    people, by = fewest_for_mean(plan, every_mean(), margin)
    assert mean_margin(replace(plan, users=people), by) <= margin
    assert all(mean_margin(replace(plan, users=people - 1), one) > margin for one in every_mean())


@pytest.mark.parametrize("sampling", [False, True])
def test_the_rule_of_a_margin_is_the_one_that_is_named(sampling: bool) -> None:
    """Wald's, with a continuity correction that fades from a deviation of 10 reports to one of 20; the law below."""
    for users, epsilon, exact in ((10**6, 1.0, 0.0), (1500, 1.0, 0.0), (200, 1.0, 1.0), (100, 0.5, 1.0)):
        plan = replace(PLAN, users=users, epsilon=epsilon, sampling=sampling)
        assert margin_rule(plan, GRR) is MarginRule.REPORTS
        p, q = planned_randomiser(plan, GRR).pure
        crowds = np.linspace(0.0, 1.0, 1001)
        spread = max(normal_margin_at(plan, GRR, share) for share in crowds) / 1.96
        deviation = spread * users * (p - q)
        correction = 0.5 * min(max((20.0 - deviation) / 10.0, 0.0), 1.0) / (users * (p - q))
        margin = share_margin(plan, GRR)
        assert (deviation < 10.0) is bool(exact)
        if exact:
            assert margin != pytest.approx(1.96 * spread + correction, rel=1e-4), "the exact law"
        else:
            assert margin == pytest.approx(1.96 * spread + correction, rel=1e-5)


def test_of_several_reports_and_of_other_laws_the_rule_is_another_one() -> None:
    several = replace(PLAN, sampling=True, of_one_person=3)
    assert margin_rule(several, GRR) is MarginRule.PEOPLE
    assert margin_rule(replace(several, sampling=False), GRR) is MarginRule.REPORTS
    rules = [(one, margin_rule(PLAN, one)) for one in every_protocol(5, ordinal=False) if has_margin(PLAN, one)]
    assert {rule for _, rule in rules} >= {MarginRule.REPORTS, MarginRule.ANY_LAW}
    for choice, rule in rules:
        # Only where the rule is of any law is the margin of many reports wider than Wald's.
        wide, normal = share_margin(PLAN, choice), normal_margin_at(PLAN, choice, 1.0)
        assert (rule is MarginRule.ANY_LAW) is math.isnan(normal)
        assert math.isnan(normal) or wide >= normal
