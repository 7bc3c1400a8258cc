"""Comparing through the session."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from tests.evaluate.comparing.helpers import AGES, EXPERIMENT
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import Kind
from workbench.evaluate.experiment import Axis, Basis, Experiment
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Metric, Question, Statistic
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.project.experiments import ExperimentDocument
from workbench.project.storage import load_project
from workbench.session import Session
from workbench.session.comparison import PresetChoice


def test_experiments_are_documents(session: Session) -> None:
    desk = session.comparison
    assert (desk.documents, desk.current) == ((), -1)
    before = session.project
    assert desk.add(EXPERIMENT) == 0
    assert desk.add(replace(EXPERIMENT, seed=5), FigureSettings(log_y=False)) == 1
    assert desk.current == 1
    desk.change(0, experiment=replace(EXPERIMENT, repetitions=3))
    desk.select(0)
    assert desk.documents[0].experiment.repetitions == 3
    desk.remove(0)
    assert [one.experiment.seed for one in desk.documents] == [5]
    assert desk.current == 0
    desk.remove(0)
    assert session.project == before
    with pytest.raises(WorkbenchError):
        desk.change(0, keep=True)


def test_what_is_found_stays_in_memory_unless_it_is_to_be_kept(session: Session, tmp_path: Path, file: Path) -> None:
    desk, saved = session.comparison, tmp_path / "p.wbench"
    place = desk.add(EXPERIMENT, FigureSettings(title="Ages", width=5.0))
    found = desk.runner(EXPERIMENT)(SILENT)
    desk.take_in(place, found)
    session.save(saved)
    assert load_project(saved).comparing.documents[0].kept == {}
    desk.change(place, keep=True)
    desk.take_in(place, found)
    session.save(saved)
    again = Session.from_file(saved)
    assert again.project.comparing == session.project.comparing
    assert again.project.comparing.documents[0].figure.title == "Ages"
    again.data.open(file)
    assert again.comparison.looker(EXPERIMENT)(SILENT) == found
    again.comparison.change(0, keep=False)
    assert not again.comparison.documents[0].kept


def test_what_is_found_on_a_public_shape_is_kept_and_nothing_of_the_true_values_with_it(
    session: Session, tmp_path: Path, file: Path
) -> None:
    desk, saved = session.comparison, tmp_path / "p.wbench"
    public = replace(EXPERIMENT, basis=Basis.UNIFORM, users=50)
    place = desk.add(EXPERIMENT)
    desk.change(place, keep=True, place=0.5, enough=2.0)
    desk.take_in(place, desk.runner(EXPERIMENT)(SILENT))
    of_rows = set(desk.documents[place].kept)
    assert of_rows
    desk.change(place, experiment=public)
    assert not desk.documents[place].kept, "what was found on the true values is not kept with what is public"
    desk.change(place, keep=False)
    found = desk.runner(public)(SILENT)
    desk.take_in(place, found)
    session.save(saved)
    kept = load_project(saved).comparing.documents[place]
    assert (
        set(kept.kept) == set(found.keys) and not of_rows & set(kept.kept) and (kept.place, kept.enough) == (0.5, 2.0)
    )
    again = Session.from_file(saved)
    again.data.open(file)
    assert again.comparison.looker(public)(SILENT) == found, "it is there without a run and without a look"
    again.comparison.change(place, experiment=EXPERIMENT)
    assert not again.comparison.documents[place].kept, "on the true values it is asked for"
    again.comparison.change(place, experiment=replace(public, axis=Axis.USERS, places=(10.0, 50.0)))
    assert again.comparison.documents[place].place is None, "a place of another axis"


@pytest.mark.parametrize("place", [0.0, -1.0, math.nan, math.inf])
def test_ways_are_compared_at_a_possible_place(place: float) -> None:
    with pytest.raises(WorkbenchError):
        ExperimentDocument(EXPERIMENT, place=place)


def test_a_damaged_experiment_is_a_damaged_project(session: Session, tmp_path: Path) -> None:
    from workbench.project.experiments import from_json, to_json

    session.comparison.add(EXPERIMENT)
    plain = to_json(session.project.comparing)
    assert from_json(plain) == session.project.comparing
    for wrong in ({"current": 3}, {"documents": {}}, {"documents": [{"experiment": {"axis": "time"}}]}):
        with pytest.raises((ValueError, TypeError, KeyError, WorkbenchError)):
            from_json({**plain, **wrong})


def test_a_run_is_bound_to_the_data_as_it_was(session: Session) -> None:
    desk = session.comparison
    key, work = desk.key(EXPERIMENT), desk.runner(EXPERIMENT)
    first = desk.runner(EXPERIMENT)(SILENT)
    session.data.set_preparation(replace(session.project.preparation, where="age > 40"))
    assert desk.key(EXPERIMENT) != key
    assert work(SILENT) == first
    assert session.comparison.runner(EXPERIMENT)(SILENT).rows < first.rows
    assert Session().comparison.key(EXPERIMENT) == ""


def _there(session: Session, experiment: Experiment) -> bool:
    return session.comparison.looker(experiment)(SILENT).complete


def test_what_was_found_is_out_of_date_by_what_it_depends_on(session: Session) -> None:
    session.comparison.runner(EXPERIMENT)(SILENT)
    key = session.comparison.key(EXPERIMENT)
    session.data.set_bounds("age", (0.0, 120.0))
    assert _there(session, EXPERIMENT), "the question says its own bounds"
    assert session.comparison.key(EXPERIMENT) == key
    session.data.set_domain("colour", ("red", "green"))
    session.data.set_bounds("age", None)
    assert _there(session, EXPERIMENT)
    declared = replace(EXPERIMENT, question=replace(AGES, encoding=replace(AGES.encoding, bounds=None)))
    session.data.set_bounds("age", (0.0, 100.0))
    session.comparison.runner(declared)(SILENT)
    session.data.set_bounds("age", (0.0, 120.0))
    assert not _there(session, declared), "these are the bounds it is asked within"
    session.data.set_bounds("age", (0.0, 100.0))
    assert _there(session, declared)
    session.data.set_missing(["age"], ("", "44"))
    assert not _there(session, EXPERIMENT)


def test_the_values_of_a_count_and_of_categories(session: Session) -> None:
    ways = replace(EXPERIMENT, methods=(MethodChoice("global-grid"), MethodChoice("uniform")))
    listed = EncodingChoice(how=EncodingKind.CATEGORIES, domain=("red", "green", "blue"))
    own = replace(ways, question=Question(Statistic.HISTOGRAM, "colour", listed))
    declared = replace(own, question=replace(own.question, encoding=replace(listed, domain=None)))
    session.data.set_domain("colour", ("red", "green", "blue"))
    for one in (own, declared):
        session.comparison.runner(one)(SILENT)
    session.data.set_domain("colour", ("red", "green", "blue", "black"))
    assert _there(session, own)
    assert not _there(session, declared)
    bins = replace(
        own, question=replace(AGES, encoding=replace(AGES.encoding, bounds=None)), axis=Axis.BINS, places=(4.0, 8.0)
    )
    for low in (0.0, 5.0):
        session.data.set_bounds("age", (low, 100.0))
        assert not _there(session, bins)
        session.comparison.runner(bins)(SILENT)


def test_a_release_depends_on_the_hierarchies_it_is_made_by(session: Session) -> None:
    settings = {"level": 0}, {"level": 0, "others": "colour=0"}
    released = replace(EXPERIMENT, methods=tuple(MethodChoice("trimmed", values) for values in settings))
    session.comparison.runner(released)(SILENT)
    found = session.comparison.looker(released)(SILENT)
    colours = session.data.table["colour"].values
    session.data.attach_hierarchy("colour", Hierarchy.identity(colours))
    after = session.comparison.looker(released)(SILENT)
    assert [bool(series.drawn) for series in after.series] == [True, False], "the second is grouped by colour, too"
    assert found.complete
    session.data.attach_hierarchy("age", Hierarchy.identity(session.data.table["age"].values))
    assert not any(series.drawn for series in session.comparison.looker(released)(SILENT).series)


def test_methods_that_cannot_answer_are_told_beforehand(session: Session) -> None:
    wanted = replace(EXPERIMENT, methods=(MethodChoice("anonymised"), MethodChoice.parse("duchi"), *EXPERIMENT.methods))
    assert set(session.comparison.refuser(wanted)(SILENT)) == {0, 1}


def test_a_preset_of_ones_own_column(session: Session) -> None:
    values = {"lower": "0", "upper": "100", "bins": 10}
    work = session.comparison.preset_runner("salary-histograms", PresetChoice("age", values), repetitions=5)
    seen: list[object] = []
    result = work(SILENT)
    assert result.data == "people.csv, age"
    assert result.results[0].bars is not None
    assert result.results[0].bars.truth.sum() == 600
    again = session.comparison.preset_runner(
        "salary-histograms", PresetChoice("age", values), seen.append, repetitions=5
    )(SILENT)
    assert again.results[1].findings == result.results[1].findings
    assert seen
    with pytest.raises(WorkbenchError, match="no numbers"):
        session.comparison.preset_runner("ages", PresetChoice("colour"))(SILENT)
    with pytest.raises(WorkbenchError) as caught:
        session.comparison.preset_runner("ages", PresetChoice("age"))(SILENT)
    assert caught.value.field == "bounds"


def test_declared_bounds_are_used_for_ones_own_column(session: Session) -> None:
    session.data.set_kind(["age"], Kind.INTEGER)
    session.data.set_bounds("age", (0.0, 100.0))
    result = session.comparison.preset_runner("nba-anonymised", PresetChoice("age"), repetitions=2)(SILENT)
    assert [one.figure.number for one in result.outcomes] == ["Table 3.6", "Figure 3.9"]
    assert all(one.own and not one.agreements for one in result.outcomes)


def test_own_epsilon_of_a_curve(session: Session) -> None:
    wanted = replace(
        EXPERIMENT,
        axis=Axis.USERS,
        places=(500.0,),
        methods=(MethodChoice("global-grid", epsilon=0.1), MethodChoice("global-grid", epsilon=10.0)),
        metric=Metric.parse("manhattan"),
        repetitions=50,
    )
    small, large = session.comparison.runner(wanted)(SILENT).points
    assert (small.epsilon, large.epsilon) == (0.1, 10.0)
    assert small.mean > 20 * large.mean
    assert math.isfinite(small.theory)


def test_a_column_that_is_misspelt_is_no_question_about_what_is_typed(tmp_path: Path) -> None:
    """Beside a table only an experiment of the project may be about something else, and only on a public shape."""
    file = tmp_path / "people.csv"
    file.write_text("age\n34\n51\n", encoding="utf-8")
    bounds = EncodingChoice(bounds=(0.0, 80.0))
    shape = Experiment(
        Question(Statistic.MEAN, "agee", bounds),
        methods=(MethodChoice("global-grid"),),
        places=(1.0,),
        repetitions=4,
        users=50,
        basis=Basis.UNIFORM,
    )
    session = Session()
    session.data.open(file)
    with pytest.raises(WorkbenchError, match="agee"):
        session.comparison.runner(shape)(SILENT)
    planned = Session()
    planned.comparison.add(shape)
    found = planned.comparison.runner(shape)(SILENT)
    key = planned.comparison.key(shape)
    planned.data.open(file)
    assert planned.comparison.key(shape) == key and planned.comparison.documents[0].experiment == shape
    assert planned.comparison.runner(shape)(SILENT).points == found.points and not planned.comparison.looked
    planned.comparison.look()
    with pytest.raises(WorkbenchError, match="agee"):
        planned.comparison.runner(replace(shape, basis=Basis.ROWS, users=None))(SILENT)
