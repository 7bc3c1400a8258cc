"""Protocols that chance alone put in order are said to be so, and as many collections as tell are offered."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.prediction import predict, reference
from workbench.ldp.protocol import PROTOCOLS, Family
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import METRICS, FrequencyResult, SimulationErrors
from workbench.plots.estimated_counts import compute
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.advice import planned as of_plan
from workbench.session.collection.captions import histogram_caption
from workbench.session.collection.errors_chart import error_chart
from workbench.session.collection.mean_decision import MEAN
from workbench.session.collection.reported_words import band_texts
from workbench.session.collection.results import CollectedQuestion, Simulated
from workbench.session.collection.simulated_order import SimulatedOrder, beside_the_goal, simulated_order, why_taken
from workbench.session.collection.words import of_tries

GRR, OUE, OLH = map(ProtocolChoice, ("grr", "oue", "olh"))
MISPLACED = "By “People misplaced”"


def simulated(tries: int, **means: float) -> Simulated:
    """Collections whose errors have these means, and a standard deviation of 0.3."""
    spread = np.linspace(-1, 1, tries) if tries > 1 else np.zeros(1)
    spread *= 0.3 / (spread.std(ddof=1) if tries > 1 else 1.0)
    none = np.zeros(2)
    results = [
        FrequencyResult(
            ProtocolChoice(name), name, 1.0, Fraction(1), 2.0, none, none, none,
            {metric: SimulationErrors(mean + spread) for metric in METRICS}, True, "unbiased", "norm-sub",
        )
        for name, mean in means.items()
    ]  # fmt: skip
    question = CollectedQuestion(None, None, (), 1, ())
    return Simulated(question, none.astype(np.int64), 100, tuple(results), (), (), None, None, 1, "")


def test_what_collections_do_not_tell_apart_is_named_with_how_many_would() -> None:
    said = simulated_order(simulated(20, grr=1.18, oue=1.0, olh=1.03), "l1", GRR)
    assert said.words == (
        f"{MISPLACED} not told apart after 20 collections: Direct encoding (take), Optimised unary encoding and "
        "Optimised local hashing."
    )
    assert 20 < said.more <= 1000
    decided = simulated_order(simulated(said.more, grr=1.18, oue=1.0, olh=1.03), "l1", GRR)
    assert "not told apart" not in decided.words and decided.more == 0
    # What is shown to be nearly equal is as good, and what is recommended and errs more is not passed over.
    assert decided.words.startswith(
        f"{MISPLACED} Optimised unary encoding, then Optimised local hashing, within 1.1 times."
    )
    assert (
        "Here Direct encoding (take) errs about 1.2 times as much (1.1 to 1.3) as Optimised unary encoding."
        in decided.words
    )


def test_the_least_of_several_is_no_less_than_the_one_to_take_by_the_luck_of_few_collections() -> None:
    """Of four protocols one is beside three others: Student's t of 19 degrees is 2.63 and no longer 2.09.

    1.0 and 1.23, of a deviation of 0.3 in 20 collections each, are 0.23 apart, 2.4 standard errors of a difference.
    """
    two = simulated_order(simulated(20, grr=1.23, oue=1.0), "l1", GRR)
    assert two.words.endswith(
        "Here Direct encoding (take) errs about 1.2 times as much (1.02 to 1.5) as Optimised unary encoding."
    )
    four = simulated_order(simulated(20, grr=1.23, oue=1.0, olh=2.0, sue=2.0), "l1", GRR)
    assert four.words.startswith(f"{MISPLACED} not told apart after 20 collections: Direct encoding (take) and ")
    assert "times as much" not in four.words and 20 < four.more <= 1000


def with_errors(**each: tuple[float, float]) -> Simulated:
    """Twenty collections by each protocol: the mean error, and how far chance moves it in 95 of 100 cases."""
    known, spread = simulated(20, **{name: mean for name, (mean, _) in each.items()}), np.linspace(-1, 1, 20)
    spread *= np.sqrt(20) / (2.093 * spread.std(ddof=1))
    results = (
        replace(one, errors={metric: SimulationErrors(mean + reach * spread) for metric in METRICS})
        for one, (mean, reach) in zip(known.results, each.values(), strict=True)
    )
    return replace(known, results=tuple(results))


def test_one_whose_interval_lies_above_that_of_another_one_is_not_among_those_that_are_not_told_apart() -> None:
    """Also where the one that came out least is itself known so badly that it is told from none of them."""
    errors = {"grr": (8.28, 0.79), "oue": (8.2, 1.8), "olh": (11.1, 1.5), "sue": (11.5, 1.8), "blh": (11.2, 1.6)}
    errors |= {"the": (16.0, 2.0), "she": (17.0, 2.0)}
    said = simulated_order(with_errors(**errors), "l1", GRR)
    assert said.words == (
        f"{MISPLACED} not told apart after 20 collections: Direct encoding (take) and Optimised unary encoding."
    )


def test_one_to_take_that_is_behind_another_one_than_the_least_is_said_to_be() -> None:
    """Fieller's interval of 11.1 ÷ 8.28 of four others: Student's t of 19 degrees is 2.76 at 1.25 in 100.

    That is 1.98 of one and 1.04 of the other, and √(91.9² − 67.5 · 119.3) = 19.9: (91.9 ∓ 19.9) ÷ 67.5.
    """
    found = with_errors(grr=(11.1, 1.5), oue=(8.28, 0.79), olh=(8.2, 1.8), sue=(16.0, 2.0), blh=(17.0, 2.0))
    assert simulated_order(found, "l1", GRR, "Why.").words == (
        f"{MISPLACED} not told apart after 20 collections: Optimised local hashing and Optimised unary encoding. "
        "Here Direct encoding (take) errs about 1.3 times as much (1.06 to 1.7) as Optimised unary encoding. Why."
    )


def test_the_one_that_errs_least_is_passed_over_in_hardly_more_than_5_of_100_simulations() -> None:
    """Nine protocols that err alike: each is told to be behind another one so seldom as is said."""
    generator, passed, tries = np.random.default_rng(5), 0, 400
    names = tuple(one.identifier for one in PROTOCOLS if one.family is Family.FREQUENCY)[:9]
    for _ in range(tries):
        found = simulated(20, **dict.fromkeys(names, 1.0))
        results = tuple(
            replace(one, errors={"l1": SimulationErrors(generator.normal(1.0, 0.2, 20))}) for one in found.results
        )
        first = results[0].choice
        words = simulated_order(replace(found, results=results), "l1", first).words
        passed += "(take) errs about" in words
    assert passed <= 0.05 * tries


def test_one_sentence_has_the_order_of_the_errors_that_are_shown() -> None:
    """Of which one is sure to be as good is said beside its name, and not behind those that err more."""
    found = simulated(200, grr=1.1, oue=1.0, olh=1.01)
    spread = np.linspace(-20, 20, 200)
    wide = replace(found.results[0], errors={metric: SimulationErrors(1.1 + spread) for metric in METRICS})
    said = simulated_order(replace(found, results=(wide, *found.results[1:])), "l1").words
    assert said == (
        f"{MISPLACED} not told apart after 200 collections: Optimised unary encoding, Optimised local hashing (within "
        "1.1 times) and Direct encoding."
    )


def test_that_the_plan_is_made_for_another_error_is_said_with_what_this_one_takes() -> None:
    plan = CollectionPlan(100, 4, 1.0)
    planned = of_plan(plan, predict(plan, [GRR, OUE]), reference(plan), "l1")
    found = replace(simulated(20, grr=1.0, oue=1.1), plan=plan)
    aims, best = CollectSettings(aim=MARGIN), planned.best[0].choice
    other = OUE if best == GRR else GRR
    assert beside_the_goal(CollectSettings(), "l1", found, planned, other) == ""
    assert beside_the_goal(aims, "l1", found, planned, other) == "The goal is a margin."
    without = replace(found, results=tuple(one for one in found.results if one.choice != best))
    said = beside_the_goal(aims, "l1", without, planned, other)
    assert said == f"The goal is a margin; for this error take {best.protocol.title}, not simulated here."


def test_why_one_that_errs_more_here_is_taken_all_the_same_is_said() -> None:
    found, worse = simulated(200, grr=1.23, oue=1.0), " as Optimised unary encoding."
    assumed = replace(found, assumed="a hump")
    shapes = CollectionPlan(100, 4, 1.0)
    several = of_plan(shapes, predict(shapes, [GRR, OUE]), reference(shapes), "l1")
    one = replace(several, plan=replace(shapes, shape=Shape.HUMP))
    by_misplaced, tried = CollectSettings(), "It is taken for the worst of the shapes tried"
    by_margin = replace(by_misplaced, aim=MARGIN)
    for settings, simulated_here, planned, metric, why in (
        (by_misplaced, assumed, several, "l1", f"{tried}; this is one of them."),
        (by_misplaced, found, several, "l1", f"{tried}; this is of these answers."),
        (by_misplaced, found, one, "l1", "It is taken for an assumed shape; this is of these answers."),
        (by_misplaced, assumed, one, "l1", ""),
        (by_misplaced, assumed, several, "l2", "It is taken for “People misplaced”."),
        (by_margin, assumed, several, "l1", "It is taken for the narrowest margin of each share."),
        (
            by_misplaced, assumed, None, MEAN,
            "It is taken as it errs least of the answers that are worst for it; this is one case.",
        ),
    ):  # fmt: skip
        assert why_taken(settings, metric, simulated_here, planned) == why
        said = simulated_order(found, "l1", GRR, why).words
        assert said.endswith(f"{worse} {why}".rstrip())
    assert "is taken" not in simulated_order(found, "l1", OUE, "It is taken").words, "it errs least"


def test_no_number_is_said_to_tell_that_tells_only_some_of_them_apart() -> None:
    said = simulated_order(simulated(20, grr=0.57, oue=0.4, olh=0.42), "l1")
    assert ": Optimised unary encoding, Optimised local hashing and Direct encoding." in said.words
    assert (said.more, said.tells) == (200, False), "more tell more, and none is promised to tell all"
    assert simulated_order(simulated(200, grr=0.57, oue=0.4, olh=0.41), "l1").more == 0, "there are as many"
    assert simulated_order(simulated(20, grr=0.57, oue=0.4), "l1").more > 0, "of one of them it would be said"


def test_long_names_are_short_beside_their_errors_and_not_cut() -> None:
    names = ("ds", "ds-corrected", "square-wave")
    found = replace(simulated(20, **dict.fromkeys(names, 1.0)), plan=CollectionPlan(100, 5, 1.0, ordinal=True))
    taken = ProtocolChoice("ds-corrected")
    short = {one.name: one.short for one in error_chart(found, "l1", taken).entries if one.role == "local"}
    assert sorted(short.values()) == ["DS (Galanis 2021)", "DS (corrected) (take)", "Square Wave"]


def test_one_that_errs_least_beyond_chance_is_said_to() -> None:
    said = simulated_order(simulated(200, grr=2.0, oue=1.0), "l2", OUE)
    assert said == SimulatedOrder("Optimised unary encoding (take) errs least, and not by chance alone.")


def test_a_single_collection_tells_nothing() -> None:
    said = simulated_order(simulated(1, grr=2.0, oue=1.0), "l1")
    assert said.words.startswith(
        f"{MISPLACED} not told apart after 1 collection: Optimised unary encoding and Direct encoding."
    )
    assert said.more == 20
    assert simulated_order(simulated(20, grr=2.0), "l1") == SimulatedOrder()


@pytest.mark.parametrize(("tries", "said"), [(20, "50.0 ± 7.1"), (1, "50.0")])
def test_a_mean_has_the_digits_that_chance_leaves_it(tries: int, said: str) -> None:
    """±: Student's t of 19 degrees of freedom, 2.093, times 15 ÷ √20, rounded up."""
    assert of_tries(simulated(tries, grr=1.0).results[0].errors["l1"], 50.0) == said


@pytest.mark.parametrize(
    ("after", "cut"), [("norm-sub", True), ("base-pos", True), ("none", False), ("base-cut", False)]
)
def test_that_rare_answers_come_out_too_large_is_said_where_what_is_below_0_is_cut(after: str, cut: bool) -> None:
    found = simulated(20, grr=1.0)
    ones = np.ones(2)
    chart = compute("Direct encoding", ("a", "b"), ones, ones, ones, band="95 %", ordinal=False)
    notes = histogram_caption("Direct encoding", chart, replace(found.results[0], postprocess=after), found).notes
    assert any("those of rare answers come out too large on average" in note for note in notes) is cut


def test_the_ends_of_a_band_of_people_are_rounded_outwards_as_those_of_shares() -> None:
    assert band_texts(274.6, 239.4, 313.2) == ("275", "239", "314")
