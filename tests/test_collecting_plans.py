"""Collections that are simulated, planned and predicted, what is kept of them, and what the audit is asked about."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.collecting_helpers import JOBS, file, in_all, session
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import percent, rounded_up
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.rough_counts import roughly
from workbench.core.schema import PrivacyUnit
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, EncodingChoice, EncodingKind, Outside
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.participation import Participation
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.predicted_curves import predicted_curves
from workbench.ldp.prediction import Shape, predict_one, reference, sampling_alone, sampling_cases
from workbench.ldp.protocol import PROTOCOLS, Family, LocalProtocol
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.sweep import SweepCell
from workbench.mechanisms.audit import AuditVerdict
from workbench.project.collect_settings import CollectSettings
from workbench.project.laboratory import LaboratorySettings
from workbench.project.model import Project
from workbench.project.storage import load_project, save_project
from workbench.session import Session
from workbench.session.collection.advice import brief
from workbench.session.collection.advice import planned as made_plan
from workbench.session.collection.decision import crowd, enough, to_take
from workbench.session.collection.facts import protocol_examiner
from workbench.session.collection.guessing import DEPENDS, beats_guessing, shape_of_guess
from workbench.session.collection.inputs import COUNTED, ROUGH
from workbench.session.collection.needed import Needed, suggested
from workbench.session.collection.predicted_chart import predicted_chart
from workbench.session.collection.results import Asked
from workbench.session.collection.words import scale_of, upwards

MANY = {Shape.HUMP: "many smooth humps", Shape.SPIKY: "many spiky shapes"}

__all__ = ["file", "session"]


def test_a_simulation_through_the_session(session: Session) -> None:
    desk = session.collection
    desk.change(protocols=(ProtocolChoice("grr"), ProtocolChoice("oue")), repetitions=30, epsilon=2.0)
    seen: list[Any] = []
    found = desk.simulator(seen.append)(SILENT)
    assert [len(one.results) for one in seen] == [1, 2]
    assert seen[-1].results == found.results
    assert found.key == desk.key()
    assert found.truth is not None and found.truth.sum() == found.users == 2000
    assert found.baselines is not None and found.asked.cautions == ()
    for result in found.results:
        assert result.errors["l1"].mean < found.baselines.uniform["l1"]
        assert (result.low <= result.estimate).all() and (result.estimate <= result.high).all()
        assert np.abs(result.estimate - found.truth).max() < 200
    desk.change(epsilon=1.0)
    assert found.key != desk.key()


def test_the_key_follows_what_a_simulation_depends_on(session: Session) -> None:
    desk = session.collection
    before = desk.key()
    assert before
    session.data.set_bounds("age", (0.0, 120.0))
    assert desk.key() == before  # another column
    session.data.set_domain("job", (*JOBS, "smith"))
    assert desk.key() != before
    session.data.set_domain("job", JOBS)
    assert desk.key() == before
    session.data.set_unit(PrivacyUnit(10, "name"))
    assert desk.key() != before
    assert Session().collection.key() == ""


def test_planning_needs_no_data_and_says_what_to_pick(session: Session) -> None:
    desk = session.collection
    desk.change(column="age", encoding=EncodingChoice(bins=10), epsilon=1.0)
    planned = desk.planner()(SILENT)
    assert planned.plan.users == 2000 and planned.plan.ordinal
    best = planned.predictions[0]
    assert best.title in planned.sentence and f"{best.l1:.3g}" in planned.sentence
    assert not best.problem
    some = [ProtocolChoice("grr"), ProtocolChoice("oue")]
    each = [desk.people_needed([one], "l1", 0.1)(SILENT)[0] for one in some]
    users, taken = desk.people_needed(some, "l1", 0.1)(SILENT)
    assert users > 2000 and users <= 1.01 * min(each) and taken == some[each.index(min(each))]
    assert desk.epsilon_needed(some, "l1", 0.1)(SILENT)[0] > 1.0


@pytest.mark.parametrize("unit", [PrivacyUnit(1, ""), PrivacyUnit(200, "name"), PrivacyUnit(200, "")])
def test_before_a_look_a_prediction_tells_rows_roughly(file: Path, tmp_path: Path, unit: PrivacyUnit) -> None:
    """Neighbouring tables, with a person less or more, come to the same plan, the same words and the same errors."""
    lines = file.read_text(encoding="utf-8").splitlines()
    seen = set()
    for place, rows in enumerate((lines[:-1], lines, [*lines, "somebody,nurse,30,2024-05-05"])):
        path = tmp_path / f"neighbour{place}.csv"
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        session = Session()
        session.data.open(path)
        session.data.set_domain("job", JOBS)
        session.data.set_unit(unit)
        desk = session.collection
        desk.change(column="job")
        planned = desk.planner(every=False)(SILENT)
        assert planned.asked is not None and planned.asked.rough and ROUGH in planned.cautions
        facts = protocol_examiner(session, ProtocolChoice("grr"), 4)(SILENT)
        words = crowd(planned.asked), planned.sentence, brief(planned, "l1")
        seen.add(repr((words, planned.plan, facts, planned.asked)))
        desk.change(users=1234)
        typed = desk.planner(every=False)(SILENT)
        assert typed.plan.users == 1234 and typed.asked is not None and not typed.asked.rough
        desk.change(users=None)
        desk.look()
        looked = desk.planner(every=False)(SILENT)
        assert looked.plan.users == len(rows) - 1 and COUNTED in looked.cautions
    assert len(seen) == 1


def test_few_rows_are_at_most_about_a_hundred() -> None:
    assert [roughly(number) for number in (0, 1, 99, 100, 30_162, 194_445)] == [100, 100, 100, 100, 30_000, 190_000]
    assert crowd(Asked(100, 100, 1, Fraction(1), rough=True)) == "At most about 100 people, one report each"
    assert crowd(Asked(30_000, 30_000, 1, Fraction(1), rough=True)) == "About 30,000 people, one report each"


def test_a_guess_is_compared_on_the_same_shape(session: Session) -> None:
    """Not by the worst error of the protocol and the worst one of the guess, which is that of another shape."""
    planned = session.collection.planner()(SILENT)
    mine, guess = planned.best[0].cases, planned.reference.uniform_cases
    gains = {one: guess[one]["l1"] / mine[one]["l1"] for one in mine if guess[one]["l1"] > 0}
    least = min(gains, key=gains.__getitem__)
    assert len(gains) == 2 and max(gains.values()) > 1.05 * min(gains.values()), "where it is gained matters"
    answer = beats_guessing(planned, "l1")
    # Of shares that are nearly equal a guess is nearer, so that no number of times holds for every shape tried.
    assert answer.figure == DEPENDS and "times" not in answer.detail
    lost_below = scale_of("l1").text(planned.best[0].error("l1"))
    when = f"Yes where a uniform guess is off by over {lost_below}; no for nearly equal shares. "
    assert answer.rest.startswith(when)
    scale = scale_of("l1")
    both = f"{scale.text(mine[least]['l1'])}. Asking nobody, a uniform guess: {scale.text(guess[least]['l1'])}."
    assert f", {MANY[least]}: {both}" in answer.rest, "whoever divides these finds the times that are said"
    alone = scale.text(planned.drawn_cases[least])
    assert (f"(sampling alone: {alone})" in answer.rest) == planned.plan.sampling, "of the same shape"
    declared = session.collection
    declared.change(shape=Shape.SPIKY)
    spiky = beats_guessing(declared.planner()(SILENT), "l1")
    assert spiky.figure.startswith("Yes, ") and spiky.figure.endswith(" times closer"), "that one is assumed alone"
    assert percent(min(upwards(planned.best[0].error("l1") / 2, 3), 1.0)) in in_all(to_take(planned, "l1"))
    worse = {shape: {**case, "l1": 1.01 * guess[shape]["l1"]} for shape, case in mine.items()}
    lost = replace(planned, best=(replace(planned.best[0], cases={**worse, least: mine[least]}),))
    other = next(one for one in gains if one is not least)
    answer = beats_guessing(replace(lost, guessed=(other,)), "l1")
    assert answer.figure == f"Not if {other.heading}" and f", {MANY[other]}: " in answer.rest


def test_where_people_report_often_the_sampling_error_is_that_of_people() -> None:
    plan = CollectionPlan(200_000, 12, 1.0, of_one_person=200)
    found = [predict_one(plan, ProtocolChoice("oue"))]
    asked = Asked(1000, 200_000, 200, Fraction(200))
    planned = replace(made_plan(plan, found, reference(plan), "l1"), asked=asked)
    once = math.ceil(1000 * sampling_alone(replace(plan, users=1000, of_one_person=1)) / 2) / 10
    said = in_all(to_take(planned, "l1"))
    assert "(as of 1,000 people whose reports are each alike)" in said
    assert float(said.partition("About ")[2].split()[0]) >= once - 0.1
    told = in_all(beats_guessing(planned, "l1"))
    named = next(shape for shape in (Shape.HUMP, Shape.SPIKY) if f", {MANY[shape]}: " in told)
    drawn = sampling_cases(replace(plan, users=1000, of_one_person=1))[named]
    assert float(told.partition("about ")[2].split()[0]) >= 50 * drawn - 0.1, "the curator's as well, of that shape"
    choice = ProtocolChoice("oue")
    enough_of = enough(planned, Needed(85_000, choice), Needed(0.68, choice), "l1", 0.1)
    assert (
        enough_of.figure.startswith("425 people × 200 reports or ") and "of all, sampling 425 people" in enough_of.rest
    )
    alone = enough(
        replace(planned, plan=replace(plan, of_one_person=1), asked=None),
        Needed(85_000, choice),
        Needed(0.68, choice),
        "l1",
        0.1,
    )
    assert alone.figure.startswith("85,000 people or ") and "of all, sampling" not in in_all(alone)


def test_what_a_goal_takes_is_rounded_up_to_three_digits_whatever_the_goal_is() -> None:
    plan, choice = CollectionPlan(2_000, 7, 1.0), ProtocolChoice("oue")
    planned = made_plan(plan, [predict_one(plan, choice)], reference(plan), "l1")
    for metric in ("l1", MARGIN):
        found = Needed(10_180, choice), Needed(1.8241, choice)
        assert enough(planned, *found, metric, 0.05).figure == "10,200 people or ε\u00a01.83"
        assert [words for words, _ in suggested(planned, *found, metric, 0.05)] == ["Use 10,200 people", "Use ε 1.83"]


def test_equal_shares_are_no_shape_to_beat_a_guess_on_and_a_smaller_error_is_never_said_to_be_worse() -> None:
    words = ("No", "Not", "Hardly", "If")
    ranks, choice = [], ProtocolChoice("oue")
    for users in (30, 300, 3_000, 30_001, 1_000_001):
        plan = CollectionPlan(users, 7, 1.0, sampling=users == 3_000)
        planned = made_plan(plan, [predict_one(plan, choice)], reference(plan), "l1")
        answer = beats_guessing(planned, "l1")
        ranks.append(words.index(answer.figure.split()[0].rstrip(":,")))
        assert "equal" not in answer.figure and "equal" not in planned.sentence.partition("uniform guess is")[2]
    assert ranks == sorted(ranks) and ranks[-1] == len(words) - 1
    for shape, guess in ((Shape.UNIFORM, ()), (Shape.OWN, (1.0,) * 7)):
        plan = CollectionPlan(1_001, 7, 1.0, shape=shape, guess=guess)
        planned = made_plan(plan, [predict_one(plan, choice)], reference(plan), "l1")
        answer = beats_guessing(planned, "l1")
        # Own shares that are all the same are equal shares, also where people cannot be divided evenly.
        assert plan.assumed is Shape.UNIFORM and "equal shares" in planned.sentence
        assert answer.figure == "A guess is exact" and not answer.tone and "nothing beats it" in planned.sentence


def test_a_card_says_how_far_chance_may_have_moved_its_error(session: Session) -> None:
    planned = session.collection.planner()(SILENT)
    first = planned.best[0]
    assert first.draws == 400
    said = re.search(r"% is simulated, give or take (\S+) points\.", in_all(to_take(planned, "l1")))
    moved = 0.5 * 196.6 * first.se("l1")
    assert said is not None and 0.99 * moved <= float(said[1]) <= 1.1 * moved
    exact = replace(planned, best=(replace(first, ses={}),))
    assert "give or take" not in in_all(to_take(exact, "l1"))


def test_a_sweep_and_means_through_the_session(session: Session) -> None:
    desk = session.collection
    desk.change(protocols=(ProtocolChoice("grr"), ProtocolChoice("pm")), repetitions=4, column="age")
    seen: list[Any] = []
    found = desk.sweeper([SweepCell(1.0, 500), SweepCell(4.0, 500)], seen.append)(SILENT)
    assert [len(one.points) for one in seen] == [1, 2]
    assert len(found.points) == 2  # means have no histogram
    assert found.points[1].errors["l1"].mean < found.points[0].errors["l1"].mean
    simulated = desk.simulator()(SILENT)
    assert simulated.true_mean is not None
    assert abs(simulated.means[0].estimates.mean() - simulated.true_mean) < 5 * simulated.means[0].deviation / 2
    assert simulated.asked.encoded is not None and simulated.asked.encoded.binning_error > 0


def test_a_simulation_stays_as_it_was_bound_and_can_be_cancelled(session: Session) -> None:
    desk = session.collection
    desk.change(repetitions=2, users=300)
    work = desk.simulator()
    desk.change(users=900)
    assert work(SILENT).users == 300
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        desk.simulator()(Progress(token=token))


@pytest.mark.parametrize(
    "changes,what",
    [
        ({"epsilon": 0.0}, "above 0"),
        ({"epsilon": float("nan")}, "above 0"),
        ({"users": 0}, "at least one person"),
        ({"repetitions": 0}, "at least one repetition"),
        ({"column": "nothing"}, "no column"),
        ({"protocols": (ProtocolChoice("magic"),)}, "no local protocol"),
        ({"protocols": (ProtocolChoice("ue", {"p": 2.0}),)}, "not"),
        ({"rank_by": "l7"}, "no error"),
        ({"seed": -1}, "negative"),
    ],
)
def test_impossible_settings_are_refused_and_nothing_changes(
    session: Session, changes: dict[str, Any], what: str
) -> None:
    before = session.project
    with pytest.raises(WorkbenchError, match=what):
        session.collection.change(**changes)
    assert session.project is before


def test_settings_are_saved_with_the_project_and_old_projects_open(tmp_path: Path) -> None:
    settings = CollectSettings(
        column="age",
        encoding=EncodingChoice(
            EncodingKind.EDGES, 7, (0.0, 18.0, 65.0, 120.0), outside=Outside.CLIP, absent=Absent.VALUE
        ),
        protocols=(ProtocolChoice("ue", {"p": 0.75, "q": 0.25}), ProtocolChoice("olh")),
        epsilon=0.7,
        users=1234,
        repetitions=3,
        seed=None,
        method=EstimationMethod("em", "norm"),
        one_report_per_person=True,
        shape=Shape.OWN,
        guess=(1.0, 2.0, 3.0, 4.0),
        rank_by="kantorovich",
        participation=Participation.OPEN,
    )
    path = tmp_path / "p.wbench"
    save_project(Project(collect=settings), path)
    assert load_project(path).collect == settings
    import zipfile

    with zipfile.ZipFile(path) as archive:
        document = json.loads(archive.read("project.json"))
    del document["collect"]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", json.dumps(document))
    assert load_project(path).collect == CollectSettings()
    for bad in ({"epsilon": 0}, {"epsilon": "1"}, {"protocols": [{"identifier": 3, "values": {}}]}, {"users": True}):
        document["collect"] = bad
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("project.json", json.dumps(document))
        with pytest.raises(WorkbenchError, match="damaged"):
            load_project(path)


def test_without_a_table_a_survey_can_be_planned_and_nobody_can_answer(tmp_path: Path) -> None:
    session = Session()
    desk = session.collection
    desk.change(encoding=EncodingChoice(domain=("1", "2", "3", "4", "5")))
    assert desk.settings.sampling and desk.settings.users == 1000
    assert desk.domain().ordinal, "read as a file of them would be"
    assert desk.planner()(SILENT).best and desk.people_needed(desk.settings.protocols, "l1", 0.2)(SILENT)[0] > 1
    for work in (
        lambda: desk.exporter(desk.settings.protocols[0], tmp_path / "reports.csv"),
        lambda: desk.pricer(desk.settings.protocols[0], 5)(SILENT),
        desk.asker,
        lambda: desk.sweeper(()),
    ):
        with pytest.raises(WorkbenchError, match="No data is open"):
            work()
    desk.change(users=None)
    with pytest.raises(WorkbenchError, match="how many people"):
        desk.plan()


WRITTEN = [one for one in PROTOCOLS if one.family is Family.FREQUENCY and one.identifier not in ("blh", "olh", "she")]


@pytest.mark.parametrize("protocol", WRITTEN, ids=lambda one: one.identifier)
def test_what_a_protocol_states_is_what_the_audit_is_asked_about(protocol: LocalProtocol) -> None:
    session = Session()
    session.collection.change(epsilon=0.7)
    session.audit.ask(LaboratorySettings(claim="2", repeat=3))
    session.audit.ask_about(
        ProtocolChoice(protocol.identifier), min(max(5, protocol.minimum_domain), protocol.maximum_domain)
    )
    asked = session.project.laboratory
    assert asked.repeat == 1 and (asked.claim == "0.7" or ProtocolChoice(protocol.identifier).own_epsilon)
    found = session.audit.examiner(with_curve=False)(SILENT)
    assert found.verdict in (AuditVerdict.CONFIRMED, AuditVerdict.ROUNDED)


def test_parameters_go_along_to_the_audit() -> None:
    session = Session()
    session.audit.ask_about(ProtocolChoice.parse("ue=0.75:0.25"), 4)
    assert dict(session.project.laboratory.typed) == {"d": "4", "p": "0.75", "q": "0.25"}
    assert session.project.laboratory.claim == rounded_up(math.log(9))


def test_answers_taken_along_to_a_column_stay_in_doubt_there_and_what_is_typed_or_taken_away_stays_so(
    tmp_path: Path,
) -> None:
    table = tmp_path / "people.csv"
    table.write_text("colour,town\n" + "r,x\ng,y\n" * 5, encoding="utf-8")
    opened = Session()
    opened.data.open(table)
    desk = opened.collection
    desk.ask_nobody()
    answers = EncodingChoice(how=EncodingKind.CATEGORIES, domain=("yes", "no"))
    desk.change(encoding=answers)
    desk.ask_about("colour")
    assert desk.carried and desk.settings.encoding == answers
    desk.ask_about("town")
    assert not desk.carried and desk.settings.encoding == EncodingChoice()
    question = EncodingChoice(how=EncodingKind.QUESTION, answer="x")
    desk.change(encoding=question)
    desk.ask_about("colour")
    assert desk.carried and desk.settings.encoding == answers, "nobody said that they are those of this column"
    desk.change(encoding=EncodingChoice())
    desk.ask_about("town")
    assert desk.settings.encoding == question
    desk.ask_about("colour")
    assert desk.settings.encoding == EncodingChoice(), "what was taken away does not come back"


def test_what_stands_beside_an_error_is_of_the_same_named_shape(session: Session) -> None:
    """What sampling alone misplaces is most for equal shares; a curator beside it erred less, of spiky ones."""
    plan = CollectionPlan(2_000, 2, 1.0, sampling=True)
    found = predict_one(plan, ProtocolChoice("grr"))
    planned = made_plan(plan, [found], reference(plan), "l1")
    assert len(set(planned.drawn_cases.values())) == 3 and planned.drawn == max(planned.drawn_cases.values())
    worst = max(found.cases, key=lambda shape: found.cases[shape]["l1"])
    said = in_all(to_take(planned, "l1"))
    assert f", for {plan.shares_of(worst)}, the worst shape tried. " in said
    assert f"Sampling alone for {plan.shares_of(worst)}: {percent(planned.drawn_cases[worst] / 2, 2)}." in said
    told = in_all(beats_guessing(planned, "l1"))
    curator = re.search(r"A trusted curator: (\S+) % \(sampling alone for .+: (\S+) %\); 2 ε hides an answer\.", told)
    assert curator is not None and float(curator[1]) >= float(curator[2]), told
    drawn = predicted_chart(predicted_curves(plan, [ProtocolChoice("grr")], "epsilon", np.array([0.5, 1.0])), "l1")
    guess = max(planned.reference.uniform_cases, key=lambda shape: planned.reference.uniform_cases[shape]["l1"])
    assert drawn.note == f"the worst of three shapes (a guess: {plan.heading(guess)})"
    # Of two values a hump has nearly all on one of them: they are named by their shares.
    assert plan.heading(guess) == "98\u00a0:\u00a02" and plan.heading(Shape.SPIKY) == "70\u00a0:\u00a030"
    assert replace(plan, domain_size=3).heading(guess) == "smooth"


def test_card_and_chart_tell_of_a_guess_of_one_and_the_same_shape() -> None:
    """A guess at smooth shares of seven answers is far off, and at spiky ones near: the card takes the nearer one."""
    plan = CollectionPlan(2_000, 7, 1.0, sampling=True)
    found = [predict_one(plan, ProtocolChoice("grr"))]
    planned = made_plan(plan, found, reference(plan), "l1")
    shape = shape_of_guess(planned, "l1")
    assert shape is Shape.SPIKY and ", many spiky shapes: " in in_all(beats_guessing(planned, "l1"))
    curves = predicted_curves(plan, [ProtocolChoice("grr")], "epsilon", np.array([0.5, 1.0]))
    chart = predicted_chart(curves, "l1", guessed=shape)
    (line,) = (one for one in chart.curves if one.role == "uniform")
    assert line.name == "A uniform guess, many spiky shapes" and chart.note == "the worst of three shapes"
    assert line.errors[1] == pytest.approx(50 * planned.reference.uniform_cases[shape]["l1"])


def test_a_planned_survey_is_simulated_on_assumed_shares_and_needs_no_look() -> None:
    """What is drawn is what is said, for one seed always the same, and hangs on the assumed shares alone."""
    desk = Session().collection
    desk.change(encoding=EncodingChoice(how=EncodingKind.CATEGORIES, domain=("no", "yes")), users=900, epsilon=1.5)
    found, again = desk.simulator()(SILENT), desk.simulator()(SILENT)
    assert found.assumed == "90 % “no” and 10 % “yes”" and found.shape is Shape.OWN
    assert found.truth is not None and found.truth.tolist() == [810, 90]
    assert found.key == desk.key() and not desk.looked
    assert [one.estimate.tolist() for one in found.results] == [one.estimate.tolist() for one in again.results]
    for one in found.results:
        assert (np.abs(one.estimate - found.truth) < 60).all() and (one.low < one.estimate).all()
    desk.change(shape=Shape.OWN, guess=(1.0, 2.0))
    assert desk.key() != found.key, "of other shares"
    other = desk.simulator()(SILENT)
    assert other.assumed == "33.3 % “no” and 66.7 % “yes”" and other.truth is not None
    assert other.truth.tolist() == [300, 600]


@pytest.mark.parametrize(
    ("answers", "said", "people"),
    [
        (("Yes", "No"), "10 % “Yes” and 90 % “No”", [100, 900]),
        (("no", "yes", "no answer"), "85 % “no”, 10 % “yes” and 5 % “no answer”", [850, 100, 50]),
        (("in town, near", "out, or “far”"), "70 % “in town, near” and 30 % “out, or “far””", [700, 300]),
        (("often", "never"), "70 % “often” and 30 % “never”", [700, 300]),
        (("yes", "no", "a", "b", "c"), "falling shares, as 1 : 1/2 : 1/3", [438, 219, 146, 109, 88]),
    ],
)
def test_few_are_assumed_to_say_yes_in_whichever_order_answers_are_typed(
    answers: tuple[str, ...], said: str, people: list[int]
) -> None:
    desk = Session().collection
    desk.change(encoding=EncodingChoice(how=EncodingKind.CATEGORIES, domain=answers), users=1000)
    found = desk.simulator()(SILENT)
    assert found.assumed == said and found.truth is not None and found.truth.tolist() == people
    assert said.startswith(desk.usual_shares)
    assert desk.usual_shares == (said if len(answers) == 2 else re.split(", (?=[0-9a])", said)[0])


def test_a_survey_whose_people_or_answers_are_not_typed_is_not_simulated() -> None:
    desk = Session().collection
    with pytest.raises(WorkbenchError, match="not declared"):
        desk.simulator()
    desk.change(encoding=EncodingChoice(how=EncodingKind.CATEGORIES, domain=("no", "yes")), users=None)
    with pytest.raises(WorkbenchError, match="how many people"):
        desk.simulator()


def test_numbers_of_a_planned_survey_are_assumed_at_the_middles_of_their_bins() -> None:
    """By hand: 10 people at 5 and 30 at 15 have a mean of 12.5."""
    desk = Session().collection
    bins = EncodingChoice(how=EncodingKind.BINS, bounds=(0.0, 20.0), bins=2)
    both = (ProtocolChoice("grr"), ProtocolChoice("pm"))
    desk.change(encoding=bins, users=40, epsilon=2.0, protocols=both, shape=Shape.OWN, guess=(1.0, 3.0))
    found = desk.simulator()(SILENT)
    assert found.true_mean == pytest.approx(12.5) and found.truth is not None and found.truth.tolist() == [10, 30]
    assert len(found.results) == len(found.means) == 1
