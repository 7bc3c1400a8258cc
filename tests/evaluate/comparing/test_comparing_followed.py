"""What was compared, taken over where it can be released, asked or collected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.evaluate.comparing.helpers import EXPERIMENT
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit, Role
from workbench.evaluate.class_words import class_width
from workbench.evaluate.experiment import Basis, Truth
from workbench.evaluate.families import INTERVALS
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.question import Distance, Metric, Question, Statistic, metrics_for
from workbench.evaluate.verdict import verdict
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.encoding_choice import Absent
from workbench.ldp.participation import Participation
from workbench.query.catalogue import QueryDraft
from workbench.session import Session
from workbench.session.comparison_follow import charged_in_query, follow, follow_words
from workbench.session.query_plans import foreseer
from workbench.session.release.knowledge import answer_number, number_answer
from workbench.session.typed_bounds import carried_to_query


def test_a_release_that_is_taken_over_can_be_drawn(file: Path) -> None:
    session, setting = Session(), MethodChoice("trimmed", MappingProxyType({"level": 0}))
    session.data.open(file)
    session.data.set_domain("colour", ("red", "blue", "green"))
    question = Question(Statistic.HISTOGRAM, "colour")
    asked = replace(EXPERIMENT, question=question, basis=Basis.EITHER, users=600)
    said = follow_words(session, asked, setting, 2.0)
    assert "quasi-identifying, and has a hierarchy" in said and not session.project.hierarchies
    assert follow(session, asked, setting, 2.0) == "anonymise"
    assert session.release.columns.level("colour") == 0 and session.project.anonymise.guarantee.epsilon == 2
    assert session.release.anonymise() is not None
    # What stands with a smaller ε, which errs less, is released with that.
    follow(session, asked, replace(setting, epsilon=0.5), 2.0)
    assert session.project.anonymise.guarantee.epsilon == 0.5
    assert "ε = 0.5. " in follow_words(session, asked, replace(setting, epsilon=0.5), 2.0)


def test_values_typed_for_a_comparison_are_declared_where_its_question_is_taken_over(file: Path) -> None:
    session = Session()
    session.data.open(file)
    question = Question(Statistic.HISTOGRAM, "colour", EncodingChoice(domain=("red", "blue", "green")))
    asked = replace(EXPERIMENT, question=question, basis=Basis.EITHER, users=600)
    setting = MethodChoice("global-grid")
    assert "3 values are declared as public" in follow_words(session, asked, setting, 1.0)
    assert follow(session, asked, setting, 1.0) == "query"
    assert session.project.schema["colour"].declared().domain == ("red", "blue", "green")
    session.queries.plan(session.project.queries.draft)  # refused where the values are missing
    assert session.project.queries.draft.values["other"] is True, "what is spelt otherwise does not fall out unseen"
    assert "declared" not in follow_words(session, asked, setting, 1.0)


def test_what_query_counts_besides_is_said_before_and_stays_when_it_is_taken_over_again(file: Path) -> None:
    session, setting = Session(), MethodChoice("global-grid")
    session.data.open(file)
    question = Question(Statistic.HISTOGRAM, "colour", EncodingChoice(domain=("red", "blue", "green")))
    asked = replace(EXPERIMENT, question=question, basis=Basis.EITHER, users=600)
    for _ in range(2):
        said = (
            "Query counts “other values”, too: an error would tell that there are some; errors there can be a little l"
        )
        assert said in follow_words(session, asked, setting, 1.0)
        follow(session, asked, setting, 1.0)
        assert session.project.queries.draft.values["other"] is True
    draft = session.project.queries.draft
    session.queries.set_draft(replace(draft, values={**draft.values, "other": False}))
    assert "other values" not in follow_words(session, asked, setting, 1.0)
    follow(session, asked, setting, 1.0)
    assert not session.project.queries.draft.values.get("other"), "who set it otherwise keeps that"


def test_an_error_that_was_typed_as_enough_is_the_goal_of_the_survey(file: Path) -> None:
    session, setting = Session(), MethodChoice("local", MappingProxyType({"protocol": "grr"}))
    session.data.open(file)
    question = Question(Statistic.HISTOGRAM, "colour", EncodingChoice(domain=("red", "blue", "green")))
    asked = replace(
        EXPERIMENT, question=question, metric=metrics_for(question.statistic)[0], basis=Basis.EITHER, users=600
    )
    assert "goal" not in follow_words(session, asked, setting, 1.0)
    follow(session, asked, setting, 1.0)
    usual = session.project.collect.target
    assert "The goal there is 2 % misplaced." in follow_words(session, asked, setting, 1.0, enough=2.0)
    follow(session, asked, setting, 1.0, 2.0)
    plan = session.project.collect
    assert (plan.target, plan.rank_by, plan.aim) == (2.0, "l1", "") and usual == 5.0
    mean = replace(asked, question=Question(Statistic.MEAN, "age"), metric=metrics_for(Statistic.MEAN)[0])
    pm = MethodChoice("local", MappingProxyType({"protocol": "pm"}))
    assert "is no goal there" in follow_words(session, mean, pm, 1.0, enough=3.0)


@pytest.mark.parametrize(
    ("absent", "wanted", "more"),
    [
        (Absent.LEAVE_OUT, Participation.AUTO, True),
        (Absent.LEAVE_OUT, Participation.OPEN, False),
        (Absent.STOP, Participation.AUTO, False),
    ],
)
def test_that_collect_counts_a_further_answer_is_said_where_it_does(
    file: Path, absent: Absent, wanted: Participation, more: bool
) -> None:
    session = Session()
    session.data.open(file)
    session.collection.change(participation=wanted)
    colours = EncodingChoice(domain=("red", "blue", "green"), absent=absent)
    asked = replace(
        EXPERIMENT, question=Question(Statistic.HISTOGRAM, "colour", colours), basis=Basis.EITHER, users=600
    )
    setting = MethodChoice("local", MappingProxyType({"protocol": "grr"}))
    said = [follow_words(session, asked, setting, 1.0, done=done) for done in (False, True)]
    follow(session, asked, setting, 1.0)
    assert session.collection.plan().apart is more
    assert all(("who takes no part is counted, too, so that it is hidden who." in one) is more for one in said)
    public = follow_words(session, replace(asked, public_total=True), setting, 1.0)
    assert ("is counted, too: that the number is public does not say who." in public) is more
    assert all(("4 answers are told apart there, not 3, so that errors" in one) is more for one in (*said, public))
    # Of values that nobody declared no protocol follows, and words about it stop nobody.
    undeclared = replace(asked, question=Question(Statistic.HISTOGRAM, "colour", EncodingChoice(absent=absent)))
    auto = MethodChoice("local", MappingProxyType({"protocol": "auto"}))
    plain = Session()
    plain.data.open(file)
    assert "is counted, too" not in follow_words(plain, undeclared, auto, 1.0)


@pytest.mark.parametrize(
    ("statistic", "protocol", "said"),
    [
        (Statistic.MEAN, "square-wave", "asks for its mean by protocols for means, not by Square Wave"),
        (Statistic.MEAN, "auto", "asks for its mean by protocols for means, not by Local DP, usual protocol"),
        (Statistic.MEAN, "pm", ""),
        (Statistic.SUM, "pm", "asks for its mean, of which the sum follows"),
        (Statistic.QUANTILE, "square-wave", "asks for shares, of which the quantile follows"),
        (Statistic.HISTOGRAM, "square-wave", ""),
    ],
)
def test_a_mean_that_was_compared_is_asked_for_as_a_mean_and_what_is_not_taken_is_said(
    file: Path, statistic: Statistic, protocol: str, said: str
) -> None:
    session = Session()
    session.data.open(file)
    question = Question(statistic, "age", EncodingChoice(how=EncodingKind.BINS, bins=8, bounds=(0.0, 100.0)))
    asked = replace(EXPERIMENT, question=question, metric=metrics_for(statistic)[0], basis=Basis.EITHER, users=600)
    setting = MethodChoice("local", MappingProxyType({"protocol": protocol}))
    before = follow_words(session, asked, setting, 1.0)
    assert follow(session, asked, setting, 1.0) == "collect"
    assert session.collection.asks_mean is (statistic in (Statistic.MEAN, Statistic.SUM))
    taken = [one.identifier for one in session.project.collect.protocols]
    assert taken == ([protocol] if "not by" not in said else ["pm", "hm", "duchi"])
    after = follow_words(session, asked, setting, 1.0, done=True)
    assert "at ε" not in after and (not said or f"Collect {said}" in after), "what was not taken over is said"
    assert ("Collect asks" in before) is ("Collect asks" in after) is bool(said)


@pytest.mark.parametrize(
    ("truth", "protocol", "other"),
    [
        # Of all people a value of x adds x² to the variance, which is what Duchi's is less at the ends.
        (Truth.POPULATION, "duchi", ""),
        (Truth.POPULATION, "hm", "Duchi's mechanism"),
        (Truth.USERS, "hm", ""),
        (Truth.USERS, "pm", "Hybrid mechanism"),
    ],
)
def test_collect_plans_for_the_same_people_and_says_why_it_recommends_another_protocol(
    file: Path, truth: Truth, protocol: str, other: str
) -> None:
    session = Session()
    session.data.open(file)
    question = Question(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 100.0)))
    asked = replace(EXPERIMENT, question=question, metric=Metric(), basis=Basis.EITHER, users=600, truth=truth)
    setting = MethodChoice("local", MappingProxyType({"protocol": protocol}))
    before = follow_words(session, asked, setting, 1.0)
    whom = "all people sampled from" if truth is Truth.POPULATION else "those asked"
    assert f", errors about {whom}, ε = 1." in before
    session.collection.change(sampling=truth is Truth.USERS)
    follow(session, asked, setting, 1.0)
    assert session.collection.settings.sampling is (truth is Truth.POPULATION)
    best = session.collection.mean_planner()(SILENT).best
    assert best is not None and (best.choice.identifier == protocol) is not bool(other)
    words = f"Collect recommends {other}, which errs least whatever people answer."
    for said in (before, follow_words(session, asked, setting, 1.0, done=True)):
        assert ("Collect recommends" in said) is bool(other) and (not other or words in said)
        assert not other or best.title == other


@pytest.mark.parametrize(
    ("upper", "step"), [(1000.0, "0.01"), (0.5, "1e-06"), (250_000.0, "1"), (1 / 3, ""), (1e-9, "1e-14")]
)
def test_a_question_about_decimal_numbers_has_a_step_by_its_public_bounds_where_it_is_taken_over(
    tmp_path: Path, upper: float, step: str
) -> None:
    planned = []
    for cells in ("1.5\n2.25\n", "1.5\n2.25\n903.125\n"):
        path = tmp_path / f"{len(cells)}.csv"
        path.write_text(f"charge\n{cells * 30}", encoding="utf-8")
        session = Session()
        session.data.open(path)
        question = Question(Statistic.MEAN, "charge", EncodingChoice(bounds=(0.0, upper)))
        metric = Metric(Distance.ABSOLUTE)
        asked = replace(EXPERIMENT, question=question, metric=metric, basis=Basis.EITHER, users=600)
        follow(session, asked, MethodChoice("global-grid"), 1.0)
        try:
            planned.append(session.queries.plan(session.project.queries.draft).values["resolution"])
        except WorkbenchError as refused:
            planned.append("" if refused.field == "resolution" else "another")
    assert planned == [step, step], "whatever the numbers are"


@pytest.mark.parametrize("given", [None, True, False])
def test_that_the_number_of_people_is_public_goes_along_to_query(file: Path, given: bool | None) -> None:
    session = Session()
    session.data.open(file)
    session.data.set_unit(PrivacyUnit())
    if given is not None:
        answer_number(session, known=given)
    question = Question(Statistic.HISTOGRAM, "colour", EncodingChoice(domain=("red", "blue", "green")))
    asked = replace(EXPERIMENT, question=question, basis=Basis.EITHER, users=600, public_total=True)
    setting, said = MethodChoice("global-grid"), "That others know how many people there are is said of the table"
    assert (said in follow_words(session, asked, setting, 1.0)) is (given is None), "what is said is not said again"
    charges = charged_in_query(session, asked, setting, 0.3)
    follow(session, asked, setting, 0.3)
    found = foreseer(session)(SILENT)
    assert charges == ("" if given is False else found.priced), "in the words in which Query says it"
    mean = replace(asked, question=Question(Statistic.MEAN, "age"), metric=metrics_for(Statistic.MEAN)[0])
    assert charged_in_query(session, mean, setting, 0.3) == charges, "said of the table, it holds for every question"
    assert found.number_known is (given is not False), "what was answered of the table stays"
    assert found.price[0] == found.plan.epsilon * (2 if found.number_known else 1)
    other = Session()
    other.data.open(file)
    follow(other, replace(asked, public_total=False), setting, 1.0)
    assert number_answer(other).given is None


def test_following_a_comparison_changes_no_promise_of_a_draw_that_can_still_leave(file: Path, tmp_path: Path) -> None:
    session = Session()
    session.data.open(file)
    session.data.set_unit(PrivacyUnit())
    session.data.set_role(["colour"], Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["colour"])(SILENT))
    session.release.anonymise()
    question = Question(Statistic.HISTOGRAM, "colour", EncodingChoice(domain=("red", "blue", "green")))
    asked = replace(EXPERIMENT, question=question, basis=Basis.EITHER, users=600, public_total=True)
    setting, before = MethodChoice("global-grid"), session.release.current_claim()
    assert "a release" not in follow_words(session, asked, setting, 1.0)
    follow(session, asked, setting, 1.0)
    assert number_answer(session).given is None
    after = session.release.current_claim()
    assert (after.epsilon, after.delta, after.terms.neighbours) == (
        before.epsilon,
        before.delta,
        before.terms.neighbours,
    )
    assert not foreseer(session)(SILENT).number_known


def test_what_has_no_hierarchy_by_rule_changes_nothing(file: Path) -> None:
    session, setting = Session(), MethodChoice("trimmed", MappingProxyType({"level": 0, "hierarchy": INTERVALS}))
    session.data.open(file)
    before = session.project
    asked = replace(EXPERIMENT, question=Question(Statistic.HISTOGRAM, "colour"), basis=Basis.EITHER, users=600)
    with pytest.raises(WorkbenchError, match="nothing was taken over"):
        follow(session, asked, setting, 2.0)
    assert session.project == before


def test_what_was_said_in_query_of_the_same_column_is_not_taken_back_by_a_comparison(file: Path) -> None:
    session, setting = Session(), MethodChoice("global-grid")
    session.data.open(file)
    question = Question(Statistic.HISTOGRAM, "colour", EncodingChoice(domain=("red", "blue", "green")))
    asked = replace(EXPERIMENT, question=question, basis=Basis.EITHER, users=600)
    for said in (True, False):
        session.queries.set_draft(QueryDraft("histogram", "1", {"column": "colour", "alike": said, "keys": "red"}))
        follow(session, asked, setting, 1.0)
        assert bool(session.project.queries.draft.values.get("alike")) is said
    of_ages = Question(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 90.0)))
    ages = replace(asked, question=of_ages, metric=Metric())
    for column, kept in (("age", "5"), ("colour", None)):
        before = {"column": column, "resolution": "5", "lower": "0", "upper": "80"}
        session.queries.set_draft(QueryDraft("mean", "1", before))
        follow(session, ages, setting, 1.0)
        draft = session.project.queries.draft.values
        assert (draft.get("resolution"), draft["lower"], draft["upper"]) == (kept, "0", "90")


def test_what_was_typed_in_one_room_is_there_where_the_column_is_asked_about_in_another(file: Path) -> None:
    session = Session()
    session.data.open(file)
    session.queries.set_draft(QueryDraft("mean", "1", {"column": "age", "lower": "10", "upper": "95"}))
    assert session.collection.ask_about("age").encoding.bounds == (10.0, 95.0)
    plain = QueryDraft("mean", "1", {"column": "age"})
    project = replace(session.project, queries=replace(session.project.queries, draft=QueryDraft("count", "1", {})))
    carried = carried_to_query(project, plain)
    assert (carried.values["lower"], carried.values["upper"]) == ("10", "95"), "as Collect has them"
    own = replace(plain, values=MappingProxyType({"column": "age", "lower": "20"}))
    assert carried_to_query(project, own) == own, "what is typed here stays"
    same = replace(project, queries=replace(project.queries, draft=plain))
    assert carried_to_query(same, plain) == plain, "whoever empties a field wants it empty"
    session.data.set_bounds("age", (0.0, 100.0))
    session.queries.set_draft(QueryDraft("count", "1", {}))
    assert carried_to_query(session.project, plain) == plain, "what is declared holds everywhere"


@pytest.mark.parametrize(
    ("statistic", "setting", "said"),
    [
        (Statistic.MEAN, "global-narrowed", True),
        (Statistic.QUANTILE, "global-grid", True),
        (Statistic.MEAN, "global-grid", False),  # noise alone, whatever the values are
    ],
)
def test_it_is_said_where_query_forecasts_for_other_values_than_were_compared(
    file: Path, statistic: Statistic, setting: str, said: bool
) -> None:
    session = Session()
    session.data.open(file)
    question = Question(statistic, "age", EncodingChoice(bounds=(0.0, 100.0)))
    asked = replace(EXPERIMENT, question=question, metric=metrics_for(statistic)[0])
    words = follow_words(session, asked, MethodChoice(setting), 1.0)
    assert ("The forecast in Query is for values spread evenly between the bounds." in words) is said
    assert "forecast" not in follow_words(session, asked, MethodChoice(setting), 1.0, done=True)
    # What everybody knows of them holds there as well.
    known = replace(asked, basis=Basis.EITHER, users=600, most_below=20.0)
    words = follow_words(session, known, MethodChoice(setting), 1.0)
    assert ("The forecast in Query is for values in a long tail, 9 in 10 values below 20." in words) is said
    follow(session, known, MethodChoice(setting), 1.0)
    assert session.project.queries.draft.most_below == (20.0 if said else None)
    assert ("9 in 10 below 20" in foreseer(session)(SILENT).plan.assumption) is said
    follow(session, asked, MethodChoice(setting), 1.0)
    assert session.project.queries.draft.most_below is None, "another comparison says nothing of it"


@pytest.mark.parametrize("most", [None, 20.0])
def test_a_release_that_is_taken_over_has_classes_as_wide_as_those_compared(file: Path, most: float | None) -> None:
    session, setting = Session(), MethodChoice("trimmed", MappingProxyType({"level": 2, "hierarchy": INTERVALS}))
    session.data.open(file)
    session.data.set_bounds("age", (0.0, 100.0))
    question = Question(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 100.0)))
    asked = replace(
        EXPERIMENT,
        question=question,
        metric=Metric(),
        methods=(setting,),
        basis=Basis.EITHER,
        users=600,
        most_below=most,
    )
    found = session.comparison.runner(asked)(SILENT)
    (tile,) = (one for one in verdict(found, 2.0).tiles if one.approach is Approach.ANONYMISED)
    assert follow(session, asked, setting, 2.0) == "anonymise" and session.release.columns.level("age") == 2
    classes = {row[0]: row[2] for row in session.project.hierarchies["age"].rows()}
    below, above = (
        float(high) - float(low) for low, high in (classes[age].strip("[").split(", ") for age in ("18", "80"))
    )
    said = class_width(tile, found)
    assert said == (exact(round(below, 9)) if most is None else f"{exact(round(below, 9))} below 20, wider above")
    assert (above > below) is (most is not None), (
        "where most are they are narrow, and as far apart elsewhere as compared"
    )
