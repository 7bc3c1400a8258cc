"""What every room copies as Python runs, and gives what the session gives; and so does the notebook of all of them."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import workbench as wb
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.terms import BY_DATA
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.schema import Format, Kind, PrivacyUnit, Role
from workbench.evaluate.experiment import Experiment
from workbench.io.addresses import Address, forget
from workbench.io.dialect import Dialect
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.guarantee_settings import GuaranteeSettings
from workbench.project.laboratory import LaboratorySettings
from workbench.project.model import Preparation, new_project
from workbench.project.trim_settings import StepsBy
from workbench.query.catalogue import QueryDraft
from workbench.session import Session
from workbench.session.audit import examiner
from workbench.session.python.notebook import notebook, notebook_writer
from workbench.session.python.rooms import PublishedInView, room_code

AGE, JOB, WHEN, SECRET = 'age "in years"', "job's\\title", "self", "🂡 name"
HEADINGS = (AGE, JOB, WHEN, SECRET)
AGES = wb.hierarchy.intervals(10, 2, whole=True)
JOBS = wb.hierarchy.categories({"it's food": ["co'ok"], 'he"alth': ['nu"rse', "back\\slash"]})


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session as the window has it, of a file with odd headings and values."""
    jobs = ["co'ok", 'nu"rse', "back\\slash", "co'ok"]
    rows = [(str(30 + i % 7), jobs[i % 4], f"2024-0{1 + i % 3}-01", f"SECRET-{i}") for i in range(400)]
    file = tmp_path / 'it\'s "odd".csv'
    lines = [",".join(map(quoted, row)) for row in (HEADINGS, *rows)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    made = Session(new_project())
    made.data.open(file)
    made.data.set_unit(PrivacyUnit())
    made.data.set_kind([AGE], Kind.INTEGER)
    made.data.set_bounds(AGE, (0, 120))
    made.data.set_kind([JOB], Kind.CATEGORY)
    made.data.set_domain(JOB, ["co'ok", 'nu"rse', "back\\slash"])
    made.data.set_role([SECRET], Role.IDENTIFYING)
    made.data.set_missing([SECRET], ["", "it's \\none"])
    for name, rule in ((AGE, AGES), (JOB, JOBS)):
        made.data.attach_hierarchy(name, rule.over(made.data.reading.table[name].values))
    for name in HEADINGS:
        treatment = Treatment.GENERALISE if name in (AGE, JOB) else Treatment.LEAVE_OUT
        made.release.columns.set_treatment(name, treatment)
    return made


def run(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, Any], str]:
    monkeypatch.chdir(folder)
    known: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()) as said:
        exec(compile(code, "copied", "exec"), known)
    return known, said.getvalue()


def copied(session: Session, room: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> dict[str, Any]:
    code = room_code(session.state.snapshot(), room)
    assert "SECRET" not in code
    known, said = run(code, folder, monkeypatch)
    assert "SECRET" not in said
    return known


def described(session: Session) -> dict[str, tuple[object, ...]]:
    return {
        one.name: (one.kind, one.format, one.missing, one.declared().bounds, one.declared().domain)
        for one in session.project.schema.columns
    }


def test_data_are_opened_and_described_alike(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session.data.set_unit(PrivacyUnit(rows_per_person=2, person_column=SECRET))
    session.data.set_preparation(Preparation(where=f'"{WHEN}" < 2024-03-01', limit_rows=True))
    data = copied(session, "data", monkeypatch, tmp_path)["data"]
    there = data._session
    assert described(there) == described(session)
    assert there.project.preparation == session.project.preparation
    assert there.project.schema.unit == session.project.schema.unit
    assert there.project.schema[SECRET].role is Role.IDENTIFYING
    assert data.columns == HEADINGS


def test_numbers_are_read_alike_that_are_read_otherwise_than_proposed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.csv"
    file.write_text("1,5;1,250\n" * 30, encoding="utf-8")
    session = Session(new_project())
    session.data.open(file, Dialect(delimiter=";", header=False))
    for spec in session.project.schema.columns:
        session.data.set_format(spec.name, Format(".", ","))
    there = copied(session, "data", monkeypatch, tmp_path)["data"]._session
    assert described(there) == described(session)


@pytest.mark.parametrize(
    "by_hand",
    [
        Dialect(),
        Dialect(delimiter=";"),
        Dialect(header=False),
        Dialect(quote="", skip_lines=1, header=False),
        Dialect(encoding="cp1252", delimiter=";", skip_spaces=True),
    ],
)
def test_a_file_that_was_not_read_as_it_looks_is_read_so_again(
    by_hand: Dialect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.csv"
    file.write_text("1; a,é\n" + "2; b,c\n3; b,'d'\n" * 30, encoding="utf-8")
    session = Session(new_project())
    session.data.open(file, by_hand)
    there = copied(session, "data", monkeypatch, tmp_path)["data"]._session
    assert there.project.data.dialect == by_hand
    mine, its = session.data.reading.table, there.data.reading.table
    assert [(one.name, one.texts()) for one in its.columns] == [(one.name, one.texts()) for one in mine.columns]


def test_hierarchies_are_the_same(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / f"its_hierarchy_{'a'}.csv"
    file.write_text("\n".join(f"{age};{age // 10};*" for age in range(30, 37)), encoding="utf-8")
    session.data.attach_hierarchy_file(AGE, file, Provenance.PUBLIC)
    known = copied(session, "hierarchies", monkeypatch, tmp_path)
    release = known["data"].release(hierarchies=known["hierarchies"])
    for name, there in release._session.project.hierarchies.items():
        mine = session.project.hierarchies[name]
        assert there.rows() == mine.rows() and there.provenance is mine.provenance


def _degrees(session: Session) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, floor=3, expected_rows=400))


def _one(session: Session) -> None:
    session.release.columns.set_level(AGE, 2)
    session.release.set_trimming(replace(session.project.anonymise.trim, steps=StepsBy.ONE))


def _typed(session: Session) -> None:
    vectors = tuple(MappingProxyType({AGE: age, JOB: job}) for age, job in ((1, 0), (2, 1)))
    trim = replace(session.project.anonymise.trim, steps=StepsBy.TYPED, vectors=vectors, shares=(2.0, 1.0))
    session.release.set_trimming(replace(trim, step_column="step's", count_column="many"))


def _balanced(session: Session) -> None:
    trim = replace(session.project.anonymise.trim, steps=StepsBy.BALANCED, balanced_steps=3)
    session.release.set_trimming(trim)


def _sampled(session: Session) -> None:
    session.release.set_mechanism(ReleaseMechanism.SAMPLE)
    session.release.set_guarantee(GuaranteeSettings(epsilon=2.5, delta=1e-4, beta="best"))
    session.release.columns.set_level(JOB, 1)


def _simulated(session: Session) -> None:
    session.release.set_seed(3)


RELEASES: dict[str, Callable[[Session], None]] = {
    "degrees": _degrees,
    "one": _one,
    "typed": _typed,
    "balanced": _balanced,
    "sampled": _sampled,
    "simulated": _simulated,
}


@pytest.mark.parametrize("name", RELEASES)
def test_a_release_promises_the_same(
    name: str, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name != "sampled":
        session.release.set_mechanism(ReleaseMechanism.TRIM)
    RELEASES[name](session)
    there = copied(session, "anonymise", monkeypatch, tmp_path)["data"]._session
    assert there.release.guarantee() == session.release.guarantee()
    assert there.release.recipe() == session.release.recipe()
    assert there.project.anonymise.seed == session.project.anonymise.seed
    result = there.release.current_result()
    if name == "simulated":
        mine = session.release.anonymise()
        names = mine.outcome.release.names
        assert [result.outcome.release[one].texts() for one in names] == [
            mine.outcome.release[one].texts() for one in names
        ]
    else:
        assert result.claim.holds


def test_a_number_that_is_public_goes_with_the_code(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.release.set_mechanism(ReleaseMechanism.TRIM)
    session.release.set_trimming(replace(session.project.anonymise.trim, number_known=True))
    release = copied(session, "anonymise", monkeypatch, tmp_path)["release"]
    assert release.claimed and "replacing one person by another" in release.claim


def test_a_look_goes_with_the_code(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session.release.set_mechanism(ReleaseMechanism.TRIM)
    session.comparison.look()
    release = copied(session, "anonymise", monkeypatch, tmp_path)["release"]
    assert not release.claimed


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("room", ["anonymise", "release"])
def test_a_look_after_a_draw_is_one_before_what_the_code_draws(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: str, known: bool
) -> None:
    session.release.set_mechanism(ReleaseMechanism.TRIM)
    session.release.set_trimming(replace(session.project.anonymise.trim, number_known=known))
    session.release.anonymise()
    session.comparison.look(publish=True)
    assert session.release.claim().holds
    assert not copied(session, room, monkeypatch, tmp_path)["release"].claimed


def test_the_best_table_is_the_same(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.syntactic.set_models([ModelChoice.parse("k=60")])
    session.syntactic.set_suppression_limit(0.1)
    for name in (AGE, JOB):
        session.data.set_role([name], Role.QUASI)
    table = copied(session, "anonymise", monkeypatch, tmp_path)["table"]
    question = session.syntactic.question()
    assert table.levels == session.syntactic.searcher(question)().levels
    assert table._question == question


def test_a_release_is_saved_and_verified(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session.release.set_mechanism(ReleaseMechanism.TRIM)
    known = copied(session, "release", monkeypatch, tmp_path)
    assert known["saved"].name == "released.csv" and (tmp_path / "released.csv").exists()
    assert wb.verify(tmp_path / "released.csv").holds


@pytest.mark.parametrize("names", [("ﬁ", "fi"), ("ª", "a"), ("__debug__", "b"), ("table = ", "without_claim=True")])
def test_no_name_of_a_column_is_taken_for_another_one(
    names: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(
        "\n".join([",".join(names), *(f"{30 + n % 9},{n % 7}" for n in range(300))]) + "\n", encoding="utf-8"
    )
    made = Session(new_project())
    made.data.open(file)
    made.data.set_unit(PrivacyUnit())
    made.data.set_bounds(names[0], (0, 120))  # the other column is not described
    made.data.attach_hierarchy(names[0], AGES.over(made.data.reading.table[names[0]].values))
    made.release.columns.set_treatment(names[0], Treatment.GENERALISE)
    made.release.set_mechanism(ReleaseMechanism.TRIM)
    known = copied(made, "release", monkeypatch, tmp_path)
    assert described(known["data"]._session) == described(made) and known["release"].claimed
    assert wb.verify(tmp_path / "released.csv").holds


QUESTIONS = {
    "mean": QueryDraft("mean", "1/3", {"column": AGE, "lower": "0", "upper": "100"}, f"{quoted(JOB)} = 'co''ok'"),
    "count": QueryDraft("count", "ln 3", {}, ""),
    "histogram": QueryDraft("histogram", "0.5", {"column": AGE, "bins": "4"}, ""),
    "mode": QueryDraft("mode", "2", {"column": JOB}, f"{quoted(AGE)} >= 31"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_that_was_paid_for_is_shown_again(
    name: str, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = QUESTIONS[name]
    session.queries.set_draft(draft)
    paid = session.queries.ask(draft)
    answer = copied(session, "query", monkeypatch, tmp_path)["answer"]
    assert answer.stored and answer.value == paid.released.by_label(paid.released.value)


def test_a_survey_is_planned_alike(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = EncodingChoice(bins=7, bounds=(10.0, 90.0))
    protocols = (ProtocolChoice.parse("oue"), ProtocolChoice.parse("ue=0.75:0.25"))
    session.collection.change(
        column=AGE, encoding=encoding, protocols=protocols, epsilon=0.7, users=5000, sampling=True, rank_by="l2"
    )
    plan = copied(session, "collect", monkeypatch, tmp_path)["plan"]
    assert plan._session.project.collect == session.project.collect
    mine = session.collection.planner(every=False)()
    assert plan.advice == mine.sentence
    session.collection.change(users=None)
    with pytest.raises(WorkbenchError, match="no number of rows"):
        room_code(session.state, "collect")


def test_a_comparison_is_the_same(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = {
        "question": {"figure": "mean", "column": AGE},
        "methods": ["global-grid"],
        "axis": "epsilon",
        "places": [0.5, 1.0],
        "repetitions": 3,
        "seed": 1,
    }
    experiment = Experiment.from_json(plain)
    session.comparison.add(experiment)
    comparison = copied(session, "compare", monkeypatch, tmp_path)["comparison"]
    session.comparison.look()
    mine = session.comparison.runner(experiment)()
    assert comparison.frame["error"].tolist() == [point.mean for one in mine.series for point in one.points]


def test_a_published_figure_is_copied_with_its_data(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = Session(new_project()).state
    for name, words in (("figure-2.1", "Figure 2.1"), ("mechanism-tables", "ε = ln 3")):
        known, said = run(room_code(state, "compare", PublishedInView(name)), tmp_path, monkeypatch)
        assert words in said and known["made"].text.strip() == said.strip()
    own = room_code(session.state.snapshot(), "compare", PublishedInView("figure-3.1", AGE, {}))
    assert "SECRET" not in own and "look=True" in own
    known, _ = run(own.replace("look=True", "look=True, repetitions=2"), tmp_path, monkeypatch)
    assert known["data"].columns == HEADINGS and "For the analyst only" in repr(known["made"])
    chosen = room_code(state, "compare", PublishedInView("nba-anonymised", "", {"level": 2, "seed": 5}))
    assert 'wb.published("nba-anonymised", level=2, seed=5)' in chosen


def test_an_audit_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(new_project())
    table = ", a, b\n0, 3/4, 1/4\n1, 1/4, 3/4\n"
    for settings in (
        LaboratorySettings(mechanism="truncated-geometric", claim="ln 3", claimed_delta="0.01", repeat=2),
        LaboratorySettings(mechanism="typed", parameters={"typed": {"table": table}}, claim="1", neighbours="all"),
    ):
        session.audit.ask(settings)
        audited = copied(session, "mechanisms", monkeypatch, tmp_path)["audited"]
        mine = examiner(session.project.laboratory, with_curve=False)()
        assert audited.epsilon == mine.epsilon and audited._found.verdict == mine.verdict


def test_a_table_of_a_database_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "people.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        database.execute("create table first (age integer)")
        database.execute('create table "its ""people" (age integer, job text)')
        database.executemany('insert into "its ""people" values (?, ?)', [(30 + i % 9, "cook") for i in range(50)])
        database.execute("insert into first values (1)")
    for dialect in (Dialect(sheet='its "people'), Dialect(query="select age from first")):
        session = Session(new_project())
        session.data.open(file, dialect)
        data = copied(session, "data", monkeypatch, tmp_path)["data"]
        assert data.columns == session.project.schema.names


def test_an_address_is_written_without_anybody(session: Session) -> None:
    data = session.project.data
    assert data is not None
    address = Address.of("postgresql://somebody@host/name")
    forget(address)
    session.project = replace(session.project, data=replace(data, path=str(address.path)))
    code = room_code(session.state, "data")
    assert 'DATA = "postgresql://host/name"' in code and "somebody" not in code


# What cannot be said


def test_what_python_cannot_say_is_named_with_what_to_do(session: Session) -> None:
    derived = wb.hierarchy.categories({"a": ["co'ok"], "b": ['nu"rse', "back\\slash"]}, declared=False)
    session.data.attach_hierarchy(JOB, derived.over(session.data.reading.table[JOB].values))
    with pytest.raises(WorkbenchError, match="made from the data") as caught:
        room_code(session.state, "hierarchies")
    assert caught.value.hint
    session.data.set_preparation(Preparation(sample=0.5))
    with pytest.raises(WorkbenchError, match="drawn anew"):
        room_code(session.state, "data")
    with pytest.raises(WorkbenchError, match="no data"):
        room_code(Session(new_project()).state, "query")


def test_no_code_claims_what_the_person_says_that_the_data_decided(session: Session) -> None:
    session.release.set_mechanism(ReleaseMechanism.TRIM)
    draw = session.release.anonymise().draw
    assert "without_claim" not in room_code(session.state.snapshot(), "release")
    session.release.say(draw, {BY_DATA})
    assert not session.release.current_claim().holds
    for room in ("anonymise", "release"):
        with pytest.raises(WorkbenchError, match="the data shows decided some choice"):
            room_code(session.state.snapshot(), room)
    session.release.set_mechanism(ReleaseMechanism.SAMPLE)  # another draw, of which nothing is said yet
    assert "data.release" in room_code(session.state.snapshot(), "anonymise")


# The notebook


def execute(path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    plain = json.loads(path.read_text(encoding="utf-8"))
    assert (plain["nbformat"], plain["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in plain["cells"]]
    assert len(set(ids)) == len(ids)
    code = [cell for cell in plain["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    known: dict[str, Any] = {}
    monkeypatch.chdir(path.parent)
    for cell in code:
        exec(compile("".join(cell["source"]), path.name, "exec"), known)
    return known


def test_a_notebook_of_everything_runs_and_holds_no_data(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.release.set_mechanism(ReleaseMechanism.TRIM)
    for name in ("count", "mode"):
        session.queries.ask(QUESTIONS[name])
    spent = session.ledger.current.spent().epsilon
    session.collection.change(column=AGE, users=500, protocols=(ProtocolChoice.parse("oue"),))
    session.audit.ask(LaboratorySettings(claim="ln 3"))
    made = notebook_writer(session.state, tmp_path / "what was done")()
    assert made.path == tmp_path / "what was done.ipynb" and not made.left_out
    text = made.path.read_text(encoding="utf-8")
    assert "SECRET" not in text and str(tmp_path) not in text
    known = execute(made.path, monkeypatch)
    assert known["answer"].stored and known["release"].claimed and known["audited"].holds is not None
    # Of what was asked nothing was paid again; the release is a draw of its own.
    assert known["data"].spent[0] == spent + 1


def test_what_a_notebook_cannot_say_stands_in_it(session: Session, tmp_path: Path) -> None:
    session.collection.change(column=AGE, users=None)
    plain, left_out = notebook(session.state, tmp_path)
    assert len(left_out) == 1 and "no number of rows" in left_out[0] and "Not in this notebook" in plain
    with pytest.raises(WorkbenchError, match="nothing to put"):
        notebook(Session(new_project()).state, tmp_path)


def test_a_notebook_overwrites_no_ledger(session: Session, tmp_path: Path) -> None:
    taken = tmp_path / "kept.ipynb"
    taken.write_text("kept", encoding="utf-8")
    with pytest.raises(WorkbenchError):
        notebook_writer(session.state, taken, (taken,))()
    assert taken.read_text(encoding="utf-8") == "kept"


def test_a_comparison_without_a_table_says_that_its_command_can_be_copied() -> None:
    session = Session(new_project())
    with pytest.raises(WorkbenchError, match="There is no experiment"):
        room_code(session.state, "compare")
    session.comparison.add(Experiment())
    with pytest.raises(WorkbenchError, match=r"without a table.*Copy the command instead"):
        room_code(session.state, "compare")
