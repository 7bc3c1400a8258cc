"""Comparing through the session and from the command line."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from workbench.cli.commands.compare import EXAMPLE
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.paths import sample_data
from workbench.core.progress import SILENT
from workbench.core.schema import Kind, PrivacyUnit, Role
from workbench.core.settings_json import keys
from workbench.evaluate.experiment import Axis, Basis, Experiment, Truth
from workbench.evaluate.families import INTERVALS
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Distance, Metric, Question, Statistic, metrics_for
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.encoding_choice import Absent
from workbench.ldp.participation import Participation
from workbench.project.experiments import ExperimentDocument
from workbench.project.storage import load_project
from workbench.session import Session
from workbench.session.comparison import PresetChoice
from workbench.session.comparison_follow import follow, follow_words
from workbench.session.query_plans import foreseer
from workbench.session.release.knowledge import answer_number, number_answer

AGES = Question(Statistic.HISTOGRAM, "age", EncodingChoice(how=EncodingKind.BINS, bins=8, bounds=(0.0, 100.0)))
EXPERIMENT = Experiment(
    question=AGES,
    metric=metrics_for(Statistic.HISTOGRAM)[0],
    methods=tuple(map(MethodChoice.parse, ("global-grid", "oue", "uniform"))),
    places=(0.5, 2.0),
    repetitions=12,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    path = tmp_path / "people.csv"
    rows = [f"{age},{rng.choice(['red', 'blue', 'green'])}" for age in rng.integers(18, 90, 600)]
    path.write_text("age,colour\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture
def session(file: Path) -> Session:
    made = Session()
    made.data.open(file)
    made.comparison.look()
    return made


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


def test_compare_from_the_command_line(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(
        json.dumps(
            {
                "question": AGES.to_json(),
                "methods": ["global-grid", "oue", {"method": "local", "values": {"protocol": "ds"}, "label": "DS"}],
                "places": [0.5, 2.0],
                "repetitions": 10,
                "figure": {"title": "Ages", "bands": False},
            }
        )
    )
    out = tmp_path / "out"
    assert main(["compare", str(spec), "--data", str(file), "--out", str(out), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    points = shown["analyst"]["points"]
    assert {"method", "axis_value", "mean", "low", "high", "repetitions"} <= set(points[0])
    assert [point["axis_value"] for point in points] == [0.5, 2.0] * 3
    missing = points[4]
    assert missing["method"] == "DS"
    assert missing["mean"] is None
    assert missing["problem"]
    for ending, sign in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        assert (out / f"comparison.{ending}").read_bytes().startswith(sign)
    written = json.loads((out / "comparison.json").read_text())
    assert written["points"] == points
    assert written["analyst only"] is True
    with (out / "comparison.csv").open() as stream:
        table = list(csv.DictReader(stream))
    assert [row["method"] for row in table] == [point["method"] for point in points]
    assert float(table[0]["mean"]) == pytest.approx(points[0]["mean"])
    assert len(shown["files"]) == 5
    # The same command gives the same bits.
    assert main(["compare", str(spec), "--data", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["analyst"] == shown["analyst"]
    assert main(["compare", str(spec), "--data", str(file)]) == 0
    assert "for the analyst only" in capsys.readouterr().out


def test_a_public_shape_from_the_command_line_is_no_look(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.json"
    methods = ["best-global", "best-anonymised", "best-local"]
    plain = {"question": AGES.to_json(), "methods": methods, "places": [1.0], "repetitions": 10}
    spec.write_text(json.dumps({**plain, "basis": "smooth", "users": 500}))
    words = ["compare", str(spec), "--data", str(file), "--out", str(tmp_path / "out"), "--formats", "svg"]
    assert main([*words, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["looked"] is False and shown["verdicts"][0]["recommended"] == "global"
    assert shown["analyst"]["points"][0]["setting"].startswith("Global DP")
    assert json.loads((tmp_path / "out" / "comparison.json").read_text())["analyst only"] is False
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "At ε = 1: Take global if a curator is trusted: " in said and "analyst only" not in said


def test_a_metric_that_is_no_name_is_told_which_names_there_are(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.json"
    asked = {"figure": "mean", "column": "age", "encoding": {"bounds": [0, 100]}}
    spec.write_text(json.dumps({"question": asked, "methods": ["global-grid"], "metric": {"distance": "percent"}}))
    assert main(["compare", str(spec), "--data", str(file)]) == 2
    refused = capsys.readouterr().err
    assert "known are absolute, percent, manhattan" in refused
    assert "all but percent also with “-normalised”" in refused


def test_a_hierarchy_that_is_not_there_cannot_be_made_from_the_data(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps({"question": AGES.to_json(), "methods": ["global-grid"]}))
    assert main(["compare", str(spec), "--data", str(file), "--data-derived", "age"]) == 2
    assert "--data-derived age: this column is given no hierarchy." in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[]", "{", '{"places": "all"}', '{"figure": {"width": 0}}', '{"figure": {"x": 1}}'])
def test_a_wrong_spec_is_told_and_no_traceback(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(text)
    assert main(["compare", str(spec), "--data", str(file)]) == 2
    assert capsys.readouterr().err.startswith("workbench: ")


def test_presets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preset", "--list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["presets"]
    assert len(listed) == 7
    assert all(one["summary"] for one in listed)


def test_a_preset_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "figures"
    words = ["preset", "salary-histograms", "--repetitions", "5", "--formats", "png", "--out", str(out), "--json"]
    assert main(words) == 0
    shown = json.loads(capsys.readouterr().out)["analyst"]
    assert shown["data"].startswith("baltimore_salaries.csv, annual salary (synthetic")
    assert [part["kind"] for part in shown["parts"]] == ["bars", "errors", "errors"]
    assert json.loads((out / "salary-histograms.json").read_text())["parts"] == shown["parts"]
    assert len(list(out.glob("*.png"))) == 3
    assert len(list(out.glob("*.csv"))) == 3
    assert {"method", "axis_value", "mean", "low", "high", "repetitions"} <= set(shown["parts"][1]["points"][0])


def test_a_preset_of_ones_own_file_from_the_command_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["preset", "ages", "--data", str(file), "--column", "age", "--repetitions", "2", "--json"]
    assert main([*words, "--set", "lower=0", "--set", "upper=100", "--set", "bins=10"]) == 0
    shown = json.loads(capsys.readouterr().out)["analyst"]
    assert shown["data"] == "people.csv, age"
    plain = words[:-1]
    for wrong in (plain[:4], [*plain, "--set", "beans=1"], ["preset", "agse"], ["preset", "ages", "--column", "age"]):
        assert main(wrong) == 2
        assert capsys.readouterr().err.startswith("workbench: ")


def test_a_release_in_a_comparison_from_the_command_line(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hierarchy = tmp_path / "tens.csv"
    hierarchy.write_text("".join(f"{age};[{age // 20 * 20}, {age // 20 * 20 + 20}[;*\n" for age in range(100)))
    spec = tmp_path / "spec.json"
    mean = Question(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 100.0)))
    methods = [{"method": "anonymised", "values": {"level": 1, "delta": "1/n"}}, "sample"]
    plain = {"question": mean.to_json(), "methods": methods, "places": [1.0], "repetitions": 20}
    spec.write_text(json.dumps(plain))
    words = ["compare", str(spec), "--data", str(file), "--hierarchy", f"age={hierarchy}", "--json"]
    assert main(words) == 0
    point = json.loads(capsys.readouterr().out)["analyst"]["points"][0]
    assert 0 < point["mean"] < 20
    assert main([*words, "--data-derived", "age"]) == 0
    assert any("No (ε, δ) claim" in note for note in json.loads(capsys.readouterr().out)["analyst"]["notes"])


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


@pytest.mark.parametrize("count", ["0", "-3"])
def test_a_preset_tries_at_least_once(capsys: pytest.CaptureFixture[str], count: str) -> None:
    assert main(["preset", "randomised-response", "--repetitions", count]) == 2
    assert "repetitions" in capsys.readouterr().err


def test_the_example_of_the_help_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    said = capsys.readouterr().out
    assert EXAMPLE in said
    for made in (Experiment, Question, EncodingChoice):
        assert all(f"\n  {key} " in said for key in keys(made)), "every key is explained"
    assert "kantorovich-normalised" in said and "With “how”: edges." in said
    spec = tmp_path / "spec.json"
    spec.write_text(EXAMPLE)
    data = str(sample_data() / "nba_salaries.csv")
    assert main(["compare", str(spec), "--data", data, "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["analyst"]["points"]
    assert len(points) == 6
    assert all(point["mean"] is not None for point in points)


def test_an_unknown_key_of_a_question_is_told_the_known_ones(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text('{"question": {"figure": "mean", "col": "age"}}')
    assert main(["compare", str(spec), "--data", str(file)]) == 2
    assert "figure, column, encoding and share" in capsys.readouterr().err


def test_words_about_a_column_of_text_fit_the_command_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preset", "nba-anonymised", "--data", str(file), "--column", "colour", "--repetitions", "2"]) == 2
    said = capsys.readouterr().err
    assert "in the window, under Data" in said and "workspace" not in said


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
    assert all(("who takes no part is counted, too." in one) is more for one in said)
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
    assert (f"Collect {said}" if said else "at ε = 1.") in after, "what was not taken over is said"
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
    words = f" Collect recommends {other}, which errs least whatever people answer."
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
    follow(session, asked, setting, 1.0)
    found = foreseer(session)(SILENT)
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
