"""Collections through the session and the command line."""

from __future__ import annotations

import csv
import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, rounded, rounded_up
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.randomness import SeededSource
from workbench.core.rough_counts import roughly, rows_scale
from workbench.core.schema import PrivacyUnit, Role
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, EncodingChoice, EncodingKind, Outside
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.participation import UNSEEN, Participation
from workbench.ldp.persons import HIDDEN
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.prediction import Shape, predict_one, reference, sampling_alone
from workbench.ldp.protocol import PROTOCOLS, Family, LocalProtocol
from workbench.ldp.report_file import Announcement, Received
from workbench.ldp.sweep import SweepCell
from workbench.mechanisms.audit import AuditVerdict
from workbench.project.collect_settings import CollectSettings
from workbench.project.laboratory import LaboratorySettings
from workbench.project.model import Preparation, Project
from workbench.project.storage import load_project, save_project
from workbench.report.certificate import certificate_of
from workbench.session import Session
from workbench.session.collection.advice import brief
from workbench.session.collection.advice import planned as made_plan
from workbench.session.collection.aggregation import aggregator, estimated
from workbench.session.collection.decision import Needed, beats_guessing, crowd, enough, to_take
from workbench.session.collection.estimated_charts import aggregated_chart
from workbench.session.collection.facts import protocol_examiner
from workbench.session.collection.inputs import COUNTED, ROUGH
from workbench.session.collection.results import Asked

JOBS = ("clerk", "cook", "nurse", "pilot")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two hundred people with ten rows each: a name, a job, an age, a day."""
    generator = np.random.default_rng(1)
    path = tmp_path / "people.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["name", "job", "age", "day"])
        for row in range(2000):
            job = JOBS[int(generator.choice(4, p=[0.5, 0.3, 0.15, 0.05]))]
            day = np.datetime64("2024-01-01") + int(generator.integers(0, 366))
            writer.writerow([f"p{row % 200:03}", job, int(np.clip(generator.normal(40, 12), 18, 90)), day])
    return path


@pytest.fixture
def session(file: Path) -> Session:
    session = Session()
    session.data.open(file)
    session.data.set_domain("job", JOBS)
    session.data.set_bounds("age", (0.0, 100.0))
    session.data.set_unit(PrivacyUnit(1, ""))
    session.collection.change(column="job")
    session.collection.look()
    return session


# Session


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


def test_what_reports_of_a_column_that_is_gone_cost_is_refused_by_the_job(session: Session, tmp_path: Path) -> None:
    """Other data may have been opened since somebody chose the column."""
    (tmp_path / "other.csv").write_text("gone\nx\ny\n", encoding="utf-8")
    (tmp_path / "another.csv").write_text("here\nx\ny\n", encoding="utf-8")
    session.data.open(tmp_path / "other.csv")
    session.collection.change(column="gone")
    session.data.open(tmp_path / "another.csv")
    price = session.collection.pricer(ProtocolChoice("grr"), 2)
    with pytest.raises(WorkbenchError, match="no column “gone”"):
        price(SILENT)


def test_more_than_one_report_per_person_is_noticed_composed_and_mended(session: Session, tmp_path: Path) -> None:
    desk, grr = session.collection, ProtocolChoice("grr")
    session.data.set_unit(PrivacyUnit(1, "name"))
    (reason,) = desk.asker()(SILENT).beyond
    assert reason.column == "name" and "10 rows" in reason.analyst
    with pytest.raises(WorkbenchError, match="more rows than the one row"):
        desk.exporter(grr, tmp_path / "out.csv")(SILENT)
    assert not (tmp_path / "out.csv").exists()
    assert not session.ledger.current.entries

    session.data.set_unit(PrivacyUnit(10, "name"))
    assert desk.asker()(SILENT).beyond == ()
    made = desk.exporter(grr, tmp_path / "out.csv")(SILENT)
    assert made.epsilon.person == 10 * made.epsilon.report
    assert made.announcement.reports == 2000
    assert session.ledger.current.entries[-1].charge.epsilon == made.epsilon.person

    desk.change(one_report_per_person=True)
    once = desk.exporter(grr, tmp_path / "once.csv")(SILENT)
    assert once.epsilon.person == once.epsilon.report
    assert once.announcement.reports == 200
    aggregated = aggregator([tmp_path / "once.csv"], EstimationMethod())(SILENT)
    assert aggregated.received.announcement.reports_per_person == 1


def test_two_hundred_reports_of_one_person_are_two_hundred_times_epsilon(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("name,job\n" + "ann,cook\n" * 100 + "ann,nurse\n" * 100 + "bob,cook\n", encoding="utf-8")
    session = Session()
    session.data.open(path)
    session.data.set_domain("job", ("cook", "nurse"))
    session.data.set_unit(PrivacyUnit(200, "name"))
    session.collection.change(column="job", epsilon=0.5)
    session.collection.look()
    assert session.collection.asker()(SILENT).beyond == ()
    made = session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)
    assert made.epsilon.person == 100
    assert "200" in made.epsilon.text
    session.data.set_unit(PrivacyUnit(199, "name"))
    with pytest.raises(WorkbenchError, match="199 rows"):
        session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)


def test_persons_are_counted_where_a_sample_would_hide_them(session: Session, tmp_path: Path) -> None:
    """Of ten rows each a sample of one in a thousand hardly ever leaves two."""
    session.data.set_unit(PrivacyUnit(1, "name"))
    session.data.set_preparation(Preparation(sample=0.001))
    with pytest.raises(WorkbenchError, match="identifies persons"):
        session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)
    assert not session.ledger.current.entries


@pytest.mark.parametrize(
    "text,unit,identifying,what",
    [
        ("name,job\n" + ",cook\n" * 3 + "ann,cook\n", PrivacyUnit(2, "name"), (), "name no person"),
        ("mail,id,job\na@b,1,cook\na@b,2,cook\n", PrivacyUnit(1, "mail"), ("mail", "id"), "“mail” identifies persons"),
    ],
)
def test_rows_that_could_be_one_persons_are_refused(
    text: str, unit: PrivacyUnit, identifying: tuple[str, ...], what: str, tmp_path: Path
) -> None:
    (tmp_path / "in.csv").write_text(text, encoding="utf-8")
    session = Session()
    session.data.open(tmp_path / "in.csv")
    session.data.set_role(identifying, Role.IDENTIFYING)
    session.data.set_domain("job", ("cook", "nurse"))
    session.data.set_unit(unit)
    session.collection.change(column="job")
    with pytest.raises(WorkbenchError, match=what):
        session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)
    assert not (tmp_path / "out.csv").exists() and not session.ledger.current.entries


def test_what_is_charged_is_the_number_that_was_typed(session: Session, tmp_path: Path) -> None:
    desk = session.collection
    session.ledger.current.set_budget(Fraction(3))
    desk.change(epsilon=0.6)
    for number in range(5):
        desk.exporter(ProtocolChoice("grr"), tmp_path / f"{number}.csv")(SILENT)
    assert sum(entry.charge.epsilon for entry in session.ledger.current.entries) == 3
    own = desk.exporter(ProtocolChoice("grr"), tmp_path / "more.csv")
    with pytest.raises(WorkbenchError):
        own(SILENT)


def test_a_protocol_with_an_epsilon_of_its_own_is_charged_that(session: Session, tmp_path: Path) -> None:
    made = session.collection.exporter(ProtocolChoice("ue", {"p": 0.9, "q": 0.1}), tmp_path / "a.csv")(SILENT)
    assert made.epsilon.person == Fraction(made.announcement.randomiser.epsilon) >= Fraction(4.394)
    assert session.ledger.current.entries[-1].charge.epsilon == made.epsilon.person


def test_nobody_to_report_is_refused_before_anything_is_charged(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("name,job\nann,\nbob,\n", encoding="utf-8")
    session = Session()
    session.data.open(tmp_path / "in.csv")
    session.data.set_domain("job", JOBS)
    session.collection.change(column="job", participation=Participation.OPEN)
    with pytest.raises(WorkbenchError, match="Nobody reports"):
        session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)
    assert not session.ledger.current.entries and not (tmp_path / "out.csv").exists()


def test_reports_are_real_and_charged_unless_seeded(session: Session, tmp_path: Path) -> None:
    desk, choice = session.collection, ProtocolChoice("grr")
    first = desk.exporter(choice, tmp_path / "a.csv")(SILENT)
    second = desk.exporter(choice, tmp_path / "b.csv")(SILENT)
    assert first.claim and not first.announcement.simulated
    assert (tmp_path / "a.csv").read_bytes() != (tmp_path / "b.csv").read_bytes()
    assert second.claim and [entry.charge.claimed for entry in session.ledger.current.entries] == [True, True]
    assert all(entry.charge.kind == "collection" for entry in session.ledger.current.entries)
    desk.accept_collected(second)
    assert len(session.project.history(session.data.fingerprint).entries) == 2
    for name in ("c.csv", "d.csv"):
        seeded = desk.exporter(choice, tmp_path / name, seed=5)(SILENT)
        assert not seeded.claim and seeded.reasons and seeded.announcement.simulated
    assert (tmp_path / "c.csv").read_bytes() == (tmp_path / "d.csv").read_bytes()
    assert [entry.charge.claimed for entry in session.ledger.current.entries] == [True, True, False, False]


def test_what_limits_the_promise_is_said(session: Session, tmp_path: Path) -> None:
    session.data.set_preparation(Preparation("age > 40"))
    desk = session.collection
    desk.change(
        encoding=EncodingChoice(domain=JOBS[:2], absent=Absent.LEAVE_OUT, outside=Outside.CLIP),
        participation=Participation.OPEN,
    )
    made = desk.exporter(ProtocolChoice("grr"), tmp_path / "a.csv")(SILENT)
    assert made.claim
    assert any("filter" in caution for caution in made.cautions)
    read = aggregator([tmp_path / "a.csv"], EstimationMethod())(SILENT).received.announcement
    assert read.cautions == made.cautions
    first = (tmp_path / "a.csv").read_text(encoding="utf-8").split("\n", 1)[0]
    assert json.loads(first.removeprefix("# "))["promise"] == HIDDEN
    charge = session.ledger.current.entries[-1].charge
    assert HIDDEN in charge.what and charge.parameters["cautions"] == list(made.cautions)
    said = certificate_of(session.ledger.current.entries[-1]).page()
    assert HIDDEN in said and "pass the filter" in said


@pytest.mark.parametrize("identifier", ["duchi", "pm", "hm", "laplace"])
@pytest.mark.parametrize("epsilon,people,value", [(5.0, 100, 1.0), (4.0, 30, -1.0), (8.0, 1000, 0.999), (1.0, 50, 0.0)])
def test_bands_of_means_cover(identifier: str, epsilon: float, people: int, value: float) -> None:
    """100 collections at 95 %: fewer than 86 covered has a chance below 3e-4."""
    randomiser = ProtocolChoice(identifier).mean(epsilon)
    announcement = Announcement(randomiser, "x", None, (-10.0, 10.0), True, people, 1, True)
    covered = 0
    for seed in range(100):
        support = randomiser.accumulate(randomiser.perturb(np.full(people, value), SeededSource(seed)))
        found = estimated(Received(announcement, support), EstimationMethod())
        assert found.mean is not None and found.low is not None and found.high is not None
        assert found.low <= found.mean <= found.high and found.low < found.high
        assert min(found.mean, -10.0) <= found.low and found.high <= max(found.mean, 10.0)
        covered += found.low <= 10 * value + 1e-9 and found.high >= 10 * value - 1e-9
    assert covered >= 86


def test_a_domain_from_the_data_must_be_allowed_and_takes_the_promise_away(session: Session, tmp_path: Path) -> None:
    session.data.set_domain("job", None)
    desk = session.collection
    with pytest.raises(WorkbenchError, match="not declared"):
        desk.domain()
    with pytest.raises(WorkbenchError, match="not declared"):
        desk.simulator()(SILENT)
    session.data.set_domain("job", JOBS, observed=True)
    with pytest.raises(WorkbenchError, match="not declared"):
        desk.domain()
    desk.change(encoding=EncodingChoice(assume_public=True))
    assert not desk.domain().declared
    made = desk.exporter(ProtocolChoice("grr"), tmp_path / "a.csv")(SILENT)
    assert not made.claim
    assert any("assumed to be public" in reason for reason in made.reasons)
    assert not aggregator([tmp_path / "a.csv"], EstimationMethod())(SILENT).received.announcement.declared


def test_the_data_is_not_overwritten_by_reports(session: Session, file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(WorkbenchError):
        session.collection.exporter(ProtocolChoice("grr"), file)(SILENT)
    assert file.read_bytes() == before
    assert not session.ledger.current.entries


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
    told = [rows_scale(number).removesuffix(" of rows") for number in (99, 100, 999, 1_000, 30_162, 10**6, 10**9)]
    assert told[:5] == ["fewer than 100 rows", "hundreds", "hundreds", "thousands", "tens of thousands"]
    assert told[5:] == ["millions", "hundreds of millions of rows or more"]
    assert crowd(Asked(100, 100, 1, Fraction(1), rough=True)) == "At most about 100 people, one report each"
    assert crowd(Asked(30_000, 30_000, 1, Fraction(1), rough=True)) == "About 30,000 people, one report each"


def test_a_guess_is_compared_on_the_same_shape(session: Session) -> None:
    """Not the worst error of the protocol with the worst one of the guess, which is that of another shape."""
    planned = session.collection.planner()(SILENT)
    mine, guess = planned.best[0].cases, planned.reference.uniform_cases
    gains = {one: guess[one]["l1"] / mine[one]["l1"] for one in mine if guess[one]["l1"] > 0}
    least = min(gains, key=gains.__getitem__)
    assert len(gains) == 2 and max(gains.values()) > 1.05 * min(gains.values()), "where it is gained matters"
    answer = beats_guessing(planned, "l1")
    assert f"{estimate(rounded(gains[least], 2), 2)} times" in answer.figure
    assert f", {least.heading} shares: " in answer.detail
    worse = {shape: {**case, "l1": 1.01 * guess[shape]["l1"]} for shape, case in mine.items()}
    lost = replace(planned, best=(replace(planned.best[0], cases={**worse, least: mine[least]}),))
    other = next(one for one in gains if one is not least)
    answer = beats_guessing(replace(lost, guessed=(other,)), "l1")
    assert answer.figure == f"Not if {other.heading}" and f", {other.heading} shares: " in answer.detail


def test_where_people_report_often_the_sampling_error_is_that_of_people() -> None:
    plan = CollectionPlan(200_000, 12, 1.0, of_one_person=200)
    found = [predict_one(plan, ProtocolChoice("oue"))]
    asked = Asked(1000, 200_000, 200, Fraction(200))
    planned = replace(made_plan(plan, found, reference(plan), "l1"), asked=asked)
    once = math.ceil(1000 * sampling_alone(replace(plan, users=1000, of_one_person=1)) / 2) / 10
    said = to_take(planned, "l1").detail
    assert "(as of 1,000 people whose reports are each alike)" in said
    assert float(said.partition("about ")[2].split()[0]) >= once - 0.1
    told = beats_guessing(planned, "l1").detail
    assert float(told.partition("about ")[2].split()[0]) >= once - 0.1, "the curator's as well"
    choice = ProtocolChoice("oue")
    enough_of = enough(planned, Needed(85_000, choice), Needed(0.68, choice), "l1", 0.1)
    assert (
        enough_of.figure.startswith("425 people × 200 reports or ")
        and "of all, sampling 425 people" in enough_of.detail
    )
    alone = enough(
        replace(planned, plan=replace(plan, of_one_person=1), asked=None),
        Needed(85_000, choice),
        Needed(0.68, choice),
        "l1",
        0.1,
    )
    assert alone.figure.startswith("85,000 people or ") and "of all, sampling" not in alone.detail


def test_equal_shares_are_no_shape_to_beat_a_guess_on_and_a_smaller_error_is_never_said_to_be_worse() -> None:
    words = ("No", "Not", "Hardly", "Yes")
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
    said = re.search(r" Simulated, so give or take (\S+) points\.", to_take(planned, "l1").detail)
    moved = 0.5 * 196.6 * first.se("l1")
    assert said is not None and 0.99 * moved <= float(said[1]) <= 1.1 * moved
    exact = replace(planned, best=(replace(first, ses={}),))
    assert "give or take" not in to_take(exact, "l1").detail


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


# Command line


def test_collect_prints_the_keys_it_promises(ask: Any, file: Path) -> None:
    data = ask(
        *("collect", file, "--column", "job", "--protocol", "grr,oue,square-wave", "--epsilon", "2"),
        *("--repetitions", "5", "--seed", "1"),
    )
    assert set(data["protocols"]) == {"grr", "oue", "square-wave"}
    for found in data["protocols"].values():
        assert found["epsilon"] == pytest.approx(2.0)
        assert set(found["estimate"]) == set(JOBS)
        # Where those who take no part report as well, it is estimated that there is hardly any.
        assert sum(found["estimate"].values()) == pytest.approx(2000, rel=0.05)
        for metric in ("l1", "l2", "kantorovich"):
            assert found[metric]["mean"] > 0 and found[metric]["se"] > 0
    assert data["domain"]["declared"] is False
    assert any("assumed to be public" in caution for caution in data["cautions"])
    assert sum(data["analyst"]["truth"].values()) == 2000
    again = ask(
        *("collect", file, "--column", "job", "--protocol", "oue", "--epsilon", "2"),
        *("--repetitions", "5", "--seed", "1", "--domain", ",".join(sorted(JOBS))),
    )
    assert again["protocols"]["oue"]["l1"] == data["protocols"]["oue"]["l1"]
    assert again["domain"]["declared"] is True and again["cautions"] == []


@pytest.mark.parametrize("identifier", [one.identifier for one in PROTOCOLS])
def test_reports_of_every_protocol_go_round(identifier: str, ask: Any, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "reports.csv"
    family = PROTOCOLS[identifier].family
    asked = ["--column", "age", "--bounds", "0,100", "--bins", "2" if identifier == "rr" else "5"]
    made = ask("collect", file, *asked, "--protocol", identifier, "--epsilon", "4", "--reports", out, "--seed", "2")
    assert made["count"] == 2000 and made["simulation"] is True and made["claim"] is False
    found = ask("aggregate", out)
    assert found["protocol"] == identifier
    assert found["epsilon"] == made["epsilon"]
    assert found["reports"] == 2000
    if family is Family.MEAN:
        assert 35 < found["estimate"] < 45
        assert found["low"] < found["estimate"] < found["high"]
    else:
        took_part = found.get("participants", {"estimate": 2000})["estimate"]
        assert ("participants" in found) == (found["participation"] == "hidden")
        assert sum(found["estimate"].values()) == pytest.approx(took_part) and abs(took_part - 2000) < 300
        assert all(found["low"][label] <= found["estimate"][label] <= found["high"][label] for label in found["low"])


@pytest.mark.parametrize(
    ("identifier", "words"), [("duchi", "95 %"), ("pm", "about 95 %"), ("oue", "95 %"), ("hadamard", "about 95 %")]
)
def test_a_band_says_whether_it_holds_as_often_or_about(
    identifier: str, words: str, ask: Any, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reports.csv"
    asked = ("--column", "age", "--bounds", "0,100", "--bins", "5", "--protocol", identifier, "--epsilon", "4")
    ask("collect", file, *asked, "--reports", out, "--seed", "2")
    found = aggregator([out], EstimationMethod())(SILENT)
    assert found.coverage == words
    chart = aggregated_chart(found, "")
    assert (None if chart is None else chart.band) == (None if found.estimate is None else f"{words} band")
    assert main(["aggregate", str(out)]) == 0
    said = capsys.readouterr().out
    assert (f", {words} band " in said) == (found.mean is not None)


def test_real_reports_from_the_command_line_are_a_promise(ask: Any, file: Path, tmp_path: Path) -> None:
    out, ledger = tmp_path / "reports.csv", tmp_path / "ledger"
    words = ("collect", file, "--column", "job", "--domain", ",".join(JOBS), "--protocol", "oue", "--epsilon", "1")
    made = ask(*words, "--reports", out, "--ledger", ledger)
    assert made["claim"] is True and made["reasons"] == [] and made["simulation"] is False
    assert ledger.exists()
    found = ask("aggregate", out, "--estimator", "unbiased", "--postprocess", "none", "--top", "2")
    assert found["top"][0]["value"] == "clerk" and found["top"][0]["sure"] is True
    assert found["simulation"] is False


def test_a_trial_is_refused_beside_reports_of_people(
    ask: Any, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ("--column", "job", "--domain", ",".join(JOBS), "--epsilon", "1", "--protocol", "oue", "--rows-per-person")
    paths = {name: str(tmp_path / f"{name}.csv") for name in ("real", "more", "trial")}
    for name, path in paths.items():
        trial = ["--trial"] if name == "trial" else []
        found = ask("collect", str(file), *common, "10", "--reports", path, *trial)
        assert found["trial"] is (name == "trial") and found["claim"]
    assert ask("aggregate", paths["real"], paths["more"])["trial"] is False
    assert main(["aggregate", *paths.values()]) == 2
    said = capsys.readouterr().err
    assert "of a trial: nobody gave these answers" in said and f"Leave out {paths['trial']}" in said
    assert main(["aggregate", *paths.values(), "--with-trials"]) == 0
    assert "never counted with those of people" in capsys.readouterr().out
    assert main(["collect", str(file), *common, "10", "--trial"]) == 2
    assert "says nothing without --reports" in capsys.readouterr().err


TYPED: dict[str, tuple[str, ...]] = {
    "answers": ("--domain", "never,once,no answer", "--missing", "stop"),
    "numbers": ("--bounds", "0,120", "--bins", "24"),
    "days": ("--bounds", "1950-01-01,2020-01-01", "--bins", "7"),
}


@pytest.mark.parametrize("asked", TYPED)
def test_a_survey_is_planned_without_a_file(ask: Any, tmp_path: Path, asked: str) -> None:
    ends = TYPED[asked][1].split(",")
    (tmp_path / "answers.csv").write_text("\n".join(["q", *ends]) + "\n", encoding="utf-8")
    words = ("--column", "q", *TYPED[asked], "--epsilon", "1", "--protocol", "grr,oue")
    predicted = ("--users", "2000", "--predict")
    assert ask("collect", *words, *predicted) == ask("collect", str(tmp_path / "answers.csv"), *words, *predicted)
    made = ask("collect", *words[:-1], "grr", "--trial", "--reports", str(tmp_path / "trial.csv"))
    assert made["trial"] and made["count"] == len(ends)
    assert ask("aggregate", str(tmp_path / "trial.csv"))["trial"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "No data is named"),
        (("--reports", "r.csv", "--domain", "a,b"), "No data is named"),
        (("--predict",), "which answers there are"),
        (("--predict", "--domain", "a,b"), "how many people are asked"),
    ],
)
def test_without_a_file_all_that_a_plan_needs_is_typed(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["collect", "--column", "q", "--epsilon", "1", "--protocol", "grr", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_prediction_without_a_protocol_says_which_to_take(ask: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--column", "q", "--domain", "yes,no,no answer", "--epsilon", "1")
    found = ask("collect", *words, "--users", "2000", "--predict")
    assert len(found["predictions"]) > 5 and set(found["recommended"]) <= set(found["predictions"])
    assert (
        found["predictions"]["grr"]
        == ask("collect", *words, "--users", "2000", "--predict", "--protocol", "grr")["predictions"]["grr"]
    )
    assert main(["collect", *words, "--trial", "--reports", "r.csv"]) == 2
    assert "ask with --predict which one to take" in capsys.readouterr().err


def test_encodings_of_the_command_line(ask: Any, file: Path) -> None:
    def domain(*words: str) -> list[str]:
        data = ask("collect", file, "--protocol", "grr", "--epsilon", "1", *words)
        values: list[str] = data["domain"]["values"]
        return values

    assert domain("--column", "age", "--edges", "0,30,60,100") == ["[0, 30[", "[30, 60[", "[60, 100]"]
    assert len(domain("--column", "age", "--bins", "4")) == 4
    assert len(domain("--column", "age", "--whole", "--bounds", "18,90")) == 73
    assert domain("--column", "day", "--dates", "quarter", "--bounds", "2024-01-01,2024-12-31")[0] == "2024 Q1"
    assert domain("--column", "job", "--is", "cook") == ["not cook", "cook"]
    assert domain("--column", "job", "--domain", "cook,clerk", "--clip") == ["cook", "clerk", "(other)"]


def test_one_report_per_person_and_persons_from_the_command_line(ask: Any, refused: Any, file: Path) -> None:
    words = ("collect", file, "--column", "job", "--protocol", "grr", "--epsilon", "0.5", "--person", "name")
    assert "10 rows" in ask(*words)["analyst"]["rows_beyond_the_unit"][0]
    many = ask(*words, "--rows-per-person", "10")
    assert many["protocols"]["grr"]["epsilon_of_a_person"] == 5.0 and many["analyst"]["rows_beyond_the_unit"] == []
    once = ask(*words, "--one-report-per-person")
    assert (once["protocols"]["grr"]["epsilon_of_a_person"], once["users"]) == (0.5, 200)
    assert "more rows than the one row" in refused(*words, "--reports", file.with_name("r.csv"))


def test_predictions_of_the_command_line(ask: Any, file: Path) -> None:
    data = ask("collect", file, "--column", "job", "--protocol", "grr,oue,rr", "--epsilon", "1", "--predict")
    assert set(data["predictions"]) == {"grr", "oue"} and set(data["problems"]) == {"rr"}
    assert data["predictions"]["grr"]["l1"] < data["baselines"]["uniform"]["l1"]
    assert 0 <= data["predictions"]["grr"]["se"]["l1"] < 0.01 * data["predictions"]["grr"]["l1"]
    assert not data["domain_declared"] and not data["users_declared"] and len(data["cautions"]) == 2
    assert (data["assumed"], data["assumed_shapes"]) == ("auto", ["hump", "spiky", "uniform"])
    assert set(data["recommended"]) <= {"grr", "oue"} and data["recommended"][0] == next(iter(data["predictions"]))
    for one in data["predictions"].values():
        assert one["l1"] == max(case["l1"] for case in one["by_shape"].values()) and not one["smooths"]
    typed = ask(
        *("collect", file, "--column", "job", "--protocol", "grr", "--epsilon", "1", "--predict"),
        *("--domain", ",".join(JOBS), "--users", "500"),
    )
    assert typed["domain_declared"] and typed["users_declared"] and not typed["cautions"]


def test_a_shape_is_declared_on_the_command_line(ask: Any, refused: Any, file: Path) -> None:
    words = ("collect", file, "--column", "age", "--bins", "20", "--bounds", "0,100", "--protocol", "oue,square-wave")
    words = (*words, "--epsilon", "1", "--users", "1000", "--predict")
    usual = ask(*words)
    # Nothing is assumed of bands of numbers either: what smooths waits for a smooth shape to be declared.
    assert usual["assumed"] == "auto" and usual["assumed_shapes"] == ["hump", "spiky", "uniform"]
    assert usual["recommended"] == ["oue"] and "smooth, spiky or equal" in usual["advice"]
    worse = ask(*words, "--shape", "worse")
    assert {**worse, "assumed": "auto"} == usual
    hump = ask(*words, "--shape", "hump")
    assert (hump["assumed"], hump["assumed_shapes"], hump["recommended"]) == ("hump", ["hump"], ["square-wave"])
    assert hump["predictions"]["square-wave"]["smooths"]
    own = ask(*words, "--guess", ",".join(map(str, range(1, 21))))
    assert own["assumed"] == "own" and own["recommended"] == ["oue"]
    assert "2 numbers for 20 values" in refused(*words, "--guess", "1,2")


@pytest.mark.parametrize(
    "protocol,epsilon",
    [("ue=0.9:0.1", 2 * np.log(9.0)), ("geometric=neighbours", 19.0), ("rr=coins", np.log(3.0)), ("grr", 1.0)],
)
def test_a_simulation_states_the_epsilon_of_the_protocol(
    protocol: str, epsilon: float, ask: Any, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    column = ("--column", "job", "--is", "cook") if protocol.startswith("rr") else ("--column", "age", "--bins", "20")
    words = ("collect", file, *column, "--protocol", protocol, "--epsilon", "1", "--bounds", "0,100")
    (found,) = ask(*words)["protocols"].values()
    assert found["epsilon_of_a_person"] == pytest.approx(epsilon, rel=1e-6)
    assert main([*map(str, words)]) == 0
    assert f"ε = {rounded_up(found['epsilon'])} for each person" in capsys.readouterr().out


def test_filter_and_sample_of_the_command_line(ask: Any, file: Path) -> None:
    words = ("collect", file, "--column", "job", "--protocol", "grr", "--epsilon", "1", "--seed", "1")
    some = ask(*words, "--where", "age > 40")
    assert 0 < some["users"] < 1500 and not any("filter" in caution for caution in some["cautions"])
    seen = ask(*words, "--where", "age > 40", "--participation", "open")
    assert seen["users"] == some["users"] and any("filter" in caution for caution in seen["cautions"])
    assert 0 < ask(*words, "--sample", "0.1")["users"] < 400
    assert ask(*words, "--person", "name", "--limit-rows")["users"] == 200


def test_aggregating_says_what_a_person_reveals_and_counts_nothing_twice(ask: Any, refused: Any, file: Path) -> None:
    words = ("collect", file, "--column", "job", "--domain", ",".join(JOBS), "--protocol", "grr", "--epsilon", "0.5")
    for name in ("a.csv", "b.csv"):
        ask(*words, "--rows-per-person", "10", "--reports", file.with_name(name))
    one = ask("aggregate", file.with_name("a.csv"))
    assert (one["reports_per_person"], one["epsilon_of_a_person"], one["promise"]) == (10, 5.0, UNSEEN)
    both = ask("aggregate", file.with_name("a.csv"), file.with_name("b.csv"))
    assert (both["reports"], both["reports_per_person"], both["epsilon_of_a_person"]) == (4000, 20, 10.0)
    assert "count twice" in refused("aggregate", file.with_name("a.csv"), file.with_name("a.csv"))


def test_a_value_that_stands_for_no_value_is_listed_once(refused: Any, file: Path) -> None:
    words = ("collect", file, "--column", "job", "--protocol", "grr", "--epsilon", "1", "--missing", "value")
    assert "(missing)" in refused(*words, "--domain", "cook,(missing)", "--clip")


@pytest.mark.parametrize(
    "words,what",
    [
        (("--column", "job", "--protocol", "grr", "--epsilon", "0"), "above 0"),
        (("--column", "job", "--protocol", "grr", "--epsilon", "-1"), "above 0"),
        (("--column", "job", "--protocol", "grr"), "--epsilon is missing"),
        (("--column", "job", "--protocol", "magic", "--epsilon", "1"), "no local protocol"),
        (("--column", "job", "--protocol", "grr,grr", "--epsilon", "1"), "named twice"),
        (("--column", "no", "--protocol", "grr", "--epsilon", "1"), "no column"),
        (("--column", "job", "--domain", "cook", "--protocol", "grr", "--epsilon", "1"), "only one value"),
        (("--column", "job", "--domain", "cook,clerk", "--protocol", "grr", "--epsilon", "1"), "outside the public"),
        (("--column", "job", "--protocol", "ue=0.25:0.75"), "p"),
        (("--column", "job", "--protocol", "the=0.3", "--epsilon", "1"), "θ|theta|Theta"),
        (("--column", "job", "--protocol", "rr", "--epsilon", "1"), "exactly 2"),
        (("--column", "job", "--protocol", "ds", "--epsilon", "0.5"), "ln|0.69|ε"),
        (("--column", "job", "--protocol", "oue", "--epsilon", "1", "--estimator", "em"), "unbiased"),
        (("--column", "job", "--protocol", "oue", "--epsilon", "1", "--postprocess", "x"), "norm-sub"),
        (("--column", "age", "--bins", "3", "--edges", "0,1,2", "--protocol", "grr", "--epsilon", "1"), "cannot be"),
        (("--column", "job", "--protocol", "duchi", "--epsilon", "1"), "no mean"),
        (("--column", "job", "--protocol", "grr,oue", "--epsilon", "1", "--reports", "x.csv"), "one protocol"),
        (("--column", "job", "--protocol", "grr", "--epsilon", "1", "--users", "0"), "at least one"),
    ],
)
def test_bad_input_of_the_command_line_is_refused(refused: Any, file: Path, words: tuple[str, ...], what: str) -> None:
    assert re.search(what, refused("collect", file, *words))


def test_aggregate_refuses_what_holds_no_reports(refused: Any, file: Path) -> None:
    assert "no reports" in refused("aggregate", file)


def test_bins_are_listed_in_their_order(
    ask: Any, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reports.csv"
    ask("collect", file, "--column", "age", "--bounds", "0,100", "--bins", "25", "--protocol", "oue", "--epsilon", "4",
        "--reports", out, "--seed", "2")  # fmt: skip
    assert main(["aggregate", str(out)]) == 0
    said = capsys.readouterr().out
    rows = [int(low) for low in re.findall(r"^ +(\d+)–\d+ ", said, re.MULTILINE)]
    assert rows == [4 * place for place in range(20)]
    assert "5 more" in said and "less frequent" not in said


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
        desk.simulator,
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
