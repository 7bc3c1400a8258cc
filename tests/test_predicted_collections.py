"""Predictions agree with what is collected, and with what can be worked out by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.collecting_helpers import in_all
from workbench.cli.main import main
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, EncodingChoice, EncodingKind
from workbench.ldp.needed import fewest_users, least_epsilon
from workbench.ldp.participation import FURTHER, NO_ROOM, Participation
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.prediction import curator_noise, predict, reference
from workbench.ldp.share_margin import MARGIN, set_for_margin, share_margin
from workbench.session import Session
from workbench.session.collection.advice import brief
from workbench.session.collection.advice import planned as of_plan
from workbench.session.collection.captions import beside_answers
from workbench.session.collection.command import Predicted, command
from workbench.session.collection.decision import enough, other_goal, smoother_of, to_take
from workbench.session.collection.facts import protocol_examiner
from workbench.session.collection.guessing import beats_guessing
from workbench.session.collection.listed_once import OtherNames
from workbench.session.collection.margin_decision import to_take_for_margin
from workbench.session.collection.needed import Needed
from workbench.session.collection.predicted_table import figure_lines
from workbench.session.collection.results import CollectedQuestion, Planned, Simulated
from workbench.session.collection.words import predicted_as, scale_of

ANSWERS = ("clerk", "nurse", "pilot")
GRR, RESPONSE = ProtocolChoice("grr"), ProtocolChoice("rr")


def table(folder: Path) -> Session:
    """A session with a table of 1,000 rows and three answers."""
    path = folder / "jobs.csv"
    path.write_text("job\n" + "clerk\n" * 500 + "nurse\n" * 300 + "pilot\n" * 200, encoding="utf-8")
    session = Session()
    session.data.open(path)
    encoding = EncodingChoice(how=EncodingKind.CATEGORIES, domain=ANSWERS)
    session.collection.change(
        column="job", encoding=encoding, protocols=(GRR,), users=1000, repetitions=400, shape=Shape.OWN, guess=(5, 3, 2)
    )
    return session


def test_a_prediction_counts_the_further_answer_as_the_collection_does(tmp_path: Path) -> None:
    desk = table(tmp_path).collection
    assert desk.attendance(GRR).none, "who takes part is hidden unless somebody says otherwise"
    planned = desk.planner(every=False)(SILENT)
    (predicted,) = planned.predictions
    desk.look()
    (simulated,) = desk.simulator()(SILENT).results
    assert predicted.l1 == pytest.approx(simulated.errors["l1"].mean, rel=0.1)
    assert FURTHER in planned.cautions and FURTHER in brief(planned, "l1") and FURTHER in brief(planned, "margin")
    hidden = share_margin(planned.plan, GRR)
    # The margin is that of four answers, one of which nobody gives.
    assert hidden == pytest.approx(
        share_margin(replace(planned.plan, domain_size=4, guess=(5, 3, 2, 0), apart=False), GRR)
    )
    words = predicted_as(desk.attendance(GRR), desk.settings)
    assert words == "Predictions are of the other answers, if all take part, without sampling error."
    # Where it is seen who takes part, there is one answer less, and predictions say so too.
    desk.change(participation=Participation.OPEN)
    seen = desk.planner(every=False)(SILENT)
    assert not seen.plan.apart and FURTHER not in seen.cautions
    (simulated,) = desk.simulator()(SILENT).results
    assert seen.predictions[0].l1 == pytest.approx(simulated.errors["l1"].mean, rel=0.1)
    assert seen.predictions[0].l1 < 0.93 * predicted.l1 and share_margin(seen.plan, GRR) < hidden
    desk.change(sampling=True)
    assert predicted_as(desk.attendance(GRR), desk.settings) == "Predictions are with sampling error."


def test_the_figures_of_a_protocol_are_those_people_report_by(tmp_path: Path) -> None:
    session = table(tmp_path)
    found = protocol_examiner(session, GRR, len(ANSWERS))(SILENT)
    # Direct encoding of four answers, one of which is that of those who take no part: q = 1 ÷ (e + 3).
    assert found.apart == 1 and found.domain_size == 3
    assert found.p == pytest.approx(math.e / (math.e + 3)) and found.q == pytest.approx(1 / (math.e + 3))
    assert found.channel is not None and found.channel.shape == (4, 4)
    assert found.margin == share_margin(session.collection.plan(), GRR)
    session.collection.change(participation=Participation.OPEN)
    seen = protocol_examiner(session, GRR, len(ANSWERS))(SILENT)
    assert seen.apart == 0 and seen.q == pytest.approx(1 / (math.e + 2))
    assert seen.rare is not None and found.rare is not None and seen.rare < found.rare
    session.collection.change(participation=Participation.HIDDEN)
    # A protocol without room for it has the figures that it has.
    response = protocol_examiner(session, ProtocolChoice("rr"), 2)(SILENT)
    assert response.apart == 0 and response.channel is not None and response.channel.shape == (2, 2)


def test_nobody_is_without_an_answer_that_is_typed_or_must_be_there(tmp_path: Path) -> None:
    desk = table(tmp_path).collection
    assert desk.plan().apart
    desk.change(encoding=replace(desk.settings.encoding, absent=Absent.STOP))
    assert not desk.plan().apart and not desk.attendance(GRR).none
    survey = Session().collection
    survey.change(encoding=EncodingChoice(how=EncodingKind.CATEGORIES, domain=ANSWERS))
    assert not survey.plan().apart


def test_protocols_without_room_for_a_further_answer_are_predicted_as_they_are() -> None:
    plan = CollectionPlan(1000, 2, 1.0)
    response = ProtocolChoice("rr")
    assert share_margin(replace(plan, apart=True), response) == share_margin(plan, response)


@pytest.mark.parametrize(("answers", "people", "epsilon"), [(10, 10_000, 1.0), (5, 2_000, 2.0), (50, 100_000, 0.5)])
def test_the_curator_is_the_one_by_hand(answers: int, people: int, epsilon: float) -> None:
    plan = CollectionPlan(people, answers, epsilon)
    r = math.exp(-epsilon)
    by_hand = answers * 2 * r / (1 - r * r) / people
    assert curator_noise(plan) == pytest.approx(by_hand, rel=1e-12)
    # The worst of the shapes, and not the luck of a few draws.
    assert reference(plan).curator["l1"] == pytest.approx(by_hand, rel=1e-12)
    noise = np.random.default_rng(1).geometric(1 - r, (2, 200_000))
    assert np.abs(noise[0] - noise[1]).mean() * answers / people == pytest.approx(by_hand, rel=0.02)


def test_large_noise_is_made_consistent() -> None:
    plan = CollectionPlan(1000, 1000, 0.1)
    assert reference(plan).curator["l1"] < 2.0 < curator_noise(plan)
    assert curator_noise(replace(plan, epsilon=1000.0)) == 0.0


def test_a_command_counts_it_where_it_says_so_and_a_copied_one_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = table(tmp_path).collection
    found = {}
    for name, more in {"open": (), "hidden": ("--participation", "hidden")}.items():
        words = (
            "collect",
            str(tmp_path / "jobs.csv"),
            "--column",
            "job",
            "--domain",
            ",".join(ANSWERS),
            "--users",
            "1000",
        )
        words += ("--epsilon", "1", "--protocol", "grr", "--guess", "5,3,2", "--predict", "--json", *more)
        assert main(list(words)) == 0
        found[name] = json.loads(capsys.readouterr().out)["predictions"]["grr"]["l1"]
    assert found["hidden"] == desk.planner(every=False)(SILENT).predictions[0].l1 > found["open"]
    assert found["open"] == desk.planner(every=False, as_typed=True)(SILENT).predictions[0].l1
    spec = desk.spec()
    assert spec is not None
    shown = Predicted((GRR,), "l1", 5.0, desk.plan().apart)
    copied = command(None, desk.settings, spec, PrivacyUnit(), Preparation(), None, shown)
    assert copied[copied.index("--participation") + 1] == "hidden"


def test_where_who_takes_part_is_hidden_errors_are_of_the_answers_themselves() -> None:
    """Direct encoding of 7 answers with equal shares, and one that nobody gives: drawn here, by itself."""
    plan = CollectionPlan(2800, 7, 1.0, shape=Shape.UNIFORM, apart=True)
    (predicted,) = predict(plan, [GRR])
    rng, draws, p, q = np.random.default_rng(5), 4000, math.e / (math.e + 7), 1 / (math.e + 7)
    chances = np.full((8, 8), q) + (p - q) * np.eye(8)
    counts = sum(rng.multinomial(400, chances[value], draws) for value in range(7))
    estimates = (counts - 2800 * q) / (p - q)
    # Norm-sub over all eight: the shift that leaves 2,800 people where none is negative, by bisection.
    low, high = np.full(draws, -5000.0), np.full(draws, 5000.0)
    for _ in range(60):
        middle = (low + high) / 2
        many = np.maximum(estimates - middle[:, None], 0).sum(axis=1) > 2800
        low, high = np.where(many, middle, low), np.where(many, high, middle)
    shares = np.maximum(estimates - low[:, None], 0) / 2800
    of_all = np.abs(shares - np.array([1 / 7] * 7 + [0])).sum(axis=1).mean()
    of_answers = np.abs(shares[:, :7] / shares[:, :7].sum(axis=1, keepdims=True) - 1 / 7).sum(axis=1).mean()
    assert predicted.l1 == pytest.approx(of_answers, rel=0.02) and of_all > 1.03 * of_answers
    assert "Errors are of the other answers, if all take part." in FURTHER


def test_randomised_response_is_not_direct_encoding_with_a_further_answer() -> None:
    """Of two answers and those of who takes no part, each is told with its own error, on all cards and in the table."""
    plan = CollectionPlan(1000, 2, 1.0, apart=True)
    choices = (GRR, RESPONSE, ProtocolChoice("subset-selection"))
    found = predict(plan, choices)
    names = OtherNames(found)
    assert not names.told(RESPONSE) and names.of(GRR) == (choices[2],), "sets of one of three answers"
    planned = of_plan(plan, found, reference(plan), "l1")
    assert to_take(planned, "l1").figure == "Randomised response (Warner, 1965)"
    first = figure_lines(planned, "l1")[0]
    assert first[0] == RESPONSE and f"{first[1][1]} % misplaced" in in_all(to_take(planned, "l1"))
    for metric, target in (("l1", 0.1), (MARGIN, 0.1)):
        assert fewest_users(plan, choices, metric, target)[1] == RESPONSE
        assert least_epsilon(plan, choices, metric, target)[1] == RESPONSE
        assert planned.predictions[0].choice == RESPONSE
        # What is said of who takes part is true of that one.
        assert NO_ROOM in brief(planned, metric) and FURTHER not in brief(planned, metric)
    assert NO_ROOM in in_all(to_take(planned, "l1")) and NO_ROOM in in_all(to_take_for_margin(planned, 0.1))
    without = predict(replace(plan, apart=False), choices)
    assert OtherNames(without).told(RESPONSE), "of two answers alone it is the same"


def test_what_cannot_hide_who_takes_part_is_refused_where_that_must_be_hidden(tmp_path: Path) -> None:
    desk = table(tmp_path).collection
    encoding = EncodingChoice(how=EncodingKind.CATEGORIES, domain=ANSWERS[:2])
    desk.change(encoding=encoding, shape=Shape.AUTO, guess=(), participation=Participation.HIDDEN)
    planned = desk.planner()(SILENT)
    (refused,) = [one for one in planned.predictions if one.choice == RESPONSE]
    assert "cannot report that" in refused.problem and planned.best[0].choice == GRR
    assert planned.narrowest is not None and planned.narrowest[0].choice != RESPONSE
    desk.change(participation=Participation.AUTO)
    assert desk.planner()(SILENT).best[0].choice == RESPONSE


def test_cards_say_how_many_answers_figures_are_of() -> None:
    plan = CollectionPlan(1000, 7, 1.0, apart=True)
    planned = of_plan(plan, predict(plan, [GRR]), reference(plan), "l1")
    said = "Who has no answer reports “(takes no part)” among 7 answers, so 8 are told apart."
    assert said in in_all(to_take(planned, "l1")) and said in in_all(to_take_for_margin(planned, 0.03))
    people, epsilon = Needed(20_000, GRR), Needed(3.0, GRR)
    assert "“(takes no part)” is an answer, too." in in_all(enough(planned, people, epsilon, MARGIN, 0.03))
    alone = replace(plan, apart=False)
    survey = of_plan(alone, predict(alone, [GRR]), reference(alone), "l1")
    assert "takes no part" not in in_all(to_take(survey, "l1")) + in_all(to_take_for_margin(survey, 0.03))
    assert "takes no part" not in in_all(enough(survey, people, epsilon, MARGIN, 0.03))


def test_a_simulation_says_where_estimated_people_are_that_no_answer_shows() -> None:
    plan = CollectionPlan(100, 3, 1.0, apart=True)
    asked = CollectedQuestion(None, None, (), 1, ())
    found = Simulated(asked, None, 100, (), (), (), None, None, 1, "", plan)
    assert "so the others may add up to fewer people" in beside_answers(found)
    assert beside_answers(replace(found, plan=replace(plan, apart=False))) == ""


def test_two_shares_that_stand_for_several_are_said_to_be_about_these() -> None:
    """A guess is off by 20.34 % of the shapes that the heading 70 : 30 is the mean of."""
    plan = CollectionPlan(1000, 2, math.log(3))
    assert plan.shares_of(Shape.SPIKY) == f"shares of about {plan.heading(Shape.SPIKY)}"
    assert replace(plan, domain_size=7).shares_of(Shape.SPIKY) == "many spiky shapes"
    planned = of_plan(plan, predict(plan, [GRR]), reference(plan), "l1")
    assert f", shares of about {plan.heading(Shape.HUMP)}" in in_all(beats_guessing(planned, "l1")) or (
        f", shares of about {plan.heading(Shape.SPIKY)}" in in_all(beats_guessing(planned, "l1"))
    )
    assert "for shares of about" in in_all(to_take(planned, "l1")) or "equal" in in_all(to_take(planned, "l1"))


def test_the_margin_beside_an_error_is_of_a_share_of_the_shape_that_the_error_is_of() -> None:
    """By hand, of k = 4 of 13: p = 4e ÷ (4e + 9) and q = (3p + 4(1 − p)) ÷ 12, each share f with the variance
    (f p(1 − p) + (1 − f) q(1 − q)) ÷ (n (p − q)²); of equal ones f is 1/12, of falling ones 1 ÷ (1 + 1/2 + … + 1/12).
    """
    subset, n = ProtocolChoice("subset-selection"), 5200
    p = 4 * math.e / (4 * math.e + 9)
    q = (3 * p + 4 * (1 - p)) / 12

    def points(share: float) -> float:
        return 196 * math.sqrt((share * p * (1 - p) + (1 - share) * q * (1 - q)) / n) / (p - q)

    largest = 1 / sum(1 / rank for rank in range(1, 13))
    for shape, share, said in ((Shape.AUTO, 1 / 12, "each share"), (Shape.FALLING, largest, "a share of 32.2 %")):
        plan = CollectionPlan(n, 12, 1.0, ordinal=True, shape=shape, apart=True)
        planned = of_plan(plan, predict(plan, [GRR, subset]), reference(plan), "l1")
        beside, _, margin = to_take(planned, "l1").measure.partition(", ")[2].partition(" ± ")
        assert beside == said and 0 <= float(margin.removesuffix(" points with 95 %")) - points(share) <= 0.02


def test_for_shares_that_are_declared_what_smooths_is_named_with_its_error_and_why_it_is_not_taken() -> None:
    plan = CollectionPlan(5200, 12, 1.0, ordinal=True, shape=Shape.FALLING)
    smooths = ProtocolChoice("ds-corrected")
    planned = of_plan(plan, predict(plan, [ProtocolChoice("subset-selection"), smooths]), reference(plan), "l1")
    said = to_take(planned, "l1")
    other = next(one for one in planned.predictions if one.choice == smooths)
    assert said.figure.startswith("Subset selection") and other.l1 < planned.best[0].l1
    assert smoother_of(planned, "l1") is other
    error = scale_of("l1").text(other.l1)
    assert f"{other.title}: {error}, but several times as much if real shares have more spikes." in said.detail
    assert "alike" not in said.detail, "that they are was not asked"


def test_the_tip_of_a_margin_names_the_rule_that_it_is_made_by() -> None:
    rules = {"grr": "exact binomial law", "hadamard": "Chebyshev"}
    for name, said in rules.items():
        plan = CollectionPlan(1000, 4, 1.0)
        planned = of_plan(plan, predict(plan, [ProtocolChoice(name)]), reference(plan), "l1")
        tip = to_take_for_margin(planned, 0.03).behind
        assert "The margin is Wald's, 1.96 standard deviations" in tip and "continuity correction" in tip
        assert said in tip and tip.count("The margin is") == 1
    several = CollectionPlan(1000, 4, 1.0, sampling=True, of_one_person=3)
    planned = of_plan(several, predict(several, [GRR]), reference(several), "l1")
    assert "what one person moves" in to_take_for_margin(planned, 0.03).behind


def test_what_is_set_for_a_margin_may_misplace_the_fewest_too() -> None:
    # Of smooth shares; of equal and of spiky ones what is automatic misplaces the fewest.
    plan = CollectionPlan(1000, 4, 0.55, sampling=True, shape=Shape.HUMP)
    subset = ProtocolChoice("subset-selection")
    tuned = set_for_margin(plan, subset)
    found, also = predict(plan, [GRR, subset]), predict(plan, [tuned])
    assert tuned.values["k"] == 2 and also[0].l1 < found[0].l1
    planned = of_plan(plan, found, reference(plan), "l1", tuned=also)
    assert "To misplace the fewest" not in in_all(to_take_for_margin(planned, 0.03))
    told = "For the narrowest margin whatever the share, take Subset selection (2 of 4)."
    assert told in in_all(to_take(planned, "l1"))
    ticked = of_plan(plan, predict(plan, [GRR, subset, tuned]), reference(plan), "l1")
    assert ticked.best[0].choice == tuned and "To misplace" not in in_all(to_take_for_margin(ticked, 0.03))
    # Where another one misplaces fewer, that is said, unless predictions are ranked by another error.
    many = replace(plan, sampling=False, domain_size=3, epsilon=1.5)
    found, tuned = predict(many, [GRR, subset]), set_for_margin(many, ProtocolChoice("oue"))
    wide = Planned(many, found, reference(many), "", best=found[:1], tuned=((predict(many, [tuned])[0], 0.001),))
    assert "To misplace the fewest people, take" in other_goal(wide, margins=True)
    assert not other_goal(replace(wide, ranked="l2"), margins=True)


@pytest.mark.parametrize("wanted", ["l1", MARGIN])
def test_what_was_set_for_another_epsilon_hides_no_better_setting(wanted: str) -> None:
    """At ε = 1/3 sets of three of eight values err less than sets of two, which were right at ε = 1."""
    session = Session()
    session.collection.change(
        encoding=EncodingChoice(how=EncodingKind.CATEGORIES, domain=tuple("abcdefgh")),
        users=2000,
        epsilon=1 / 3,
        protocols=(ProtocolChoice("subset-selection", {"k": 2}),),
    )
    found = session.collection.planner()(SILENT)
    if wanted == MARGIN:
        assert found.narrowest is not None and found.narrowest[0].choice.identifier == "subset-selection"
        assert found.narrowest[0].choice.values["k"] > 2
    else:
        assert found.best[0].choice == ProtocolChoice("subset-selection")
    again = replace(session.project.collect, protocols=(ProtocolChoice("subset-selection", {"k": 3}),))
    session.project = replace(session.project, collect=again)
    listed = [one.choice for one in session.collection.planner()(SILENT).predictions]
    assert listed.count(ProtocolChoice("subset-selection")) == 0, "it is set so here, too"
