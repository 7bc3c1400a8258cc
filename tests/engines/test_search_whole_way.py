"""From the question of a syntactic model to its file in an engine: by the session, the command, and in Spark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engines.searching import Case, chosen, marginals, numbers, rows_of, small_budget, written
from tests.engines.test_writing import stored_copy
from workbench.anonymise.contingency import cross
from workbench.anonymise.goal import Goal
from workbench.anonymise.query_error import answer
from workbench.anonymise.questions import ReleaseQuestion, ReleaseStatistic
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.recode import Suppressed, apply
from workbench.anonymise.search import optimise
from workbench.anonymise.summary import summarise
from workbench.cli.main import main
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.core.table import TooManyGroups
from workbench.engines.dispatch import engine_of
from workbench.engines.store import Store
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session import Session
from workbench.session.before_and_after import compared_recoded
from workbench.session.syntactic.results import Recoded, RecodingResult, Refusal


def opened(path: Path, case: Case, store: Store | None = None) -> Session:
    """A session whose question is k = 4 with two diseases at least, and 10 % may be suppressed."""
    session = Session()
    session.data.open(path, store=store)
    for name, hierarchy in case.hierarchies.items():
        session.data.attach_hierarchy(name, hierarchy)
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    session.data.set_role(["disease"], Role.SENSITIVE)
    session.data.set_role(["mark"], Role.INSENSITIVE)
    session.release.columns.set_treatment("disease", Treatment.KEEP)
    session.syntactic.set_suppression_limit(0.1)
    session.syntactic.set_models(chosen(["k=4", "l-diversity=2:disease"]))
    return session


def asked(session: Session) -> tuple[RecodingResult, Recoded]:
    found = session.syntactic.best_levels_finder()(SILENT)
    assert isinstance(found, RecodingResult)
    session.syntactic.accept_found(found)
    for name, level in found.result.levels.items():
        session.release.columns.set_level(name, level)
    recoded = session.syntactic.recoder()(SILENT)
    assert isinstance(recoded, Recoded)
    session.syntactic.accept_recoded(recoded)
    return found, recoded


def test_a_session_searches_and_recodes_where_the_data_is(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    path = written(tmp_path, case.table)
    here, there = opened(path, case), opened(path, case, duckdb_store)
    one, two = asked(here), asked(there)
    assert two[0].result.levels == one[0].result.levels
    assert [node.levels for node in two[0].surroundings().nodes] == [
        node.levels for node in one[0].surroundings().nodes
    ]
    assert (two[1].rows_in, two[1].rows_out) == (one[1].rows_in, one[1].rows_out)
    assert (two[1].facts.score, two[1].facts.losses) == (one[1].facts.score, one[1].facts.losses)
    assert rows_of(two[1].released()) == rows_of(one[1].released())
    assert two[1].described().to_json() == one[1].described().to_json()
    schema = here.project.schema
    before, after = compared_recoded(one[1], schema), compared_recoded(two[1], schema)
    assert (after.rows_before, after.rows_after) == (before.rows_before, before.rows_after)
    assert str(summarise(after)) == str(summarise(before))
    assert str(cross(after, "q0", "disease")) == str(cross(before, "q0", "disease"))
    question = ReleaseQuestion(ReleaseStatistic.MEAN, "q0", "q1 > 1")
    assert str(answer(after, question)) == str(answer(before, question))
    files = []
    for session, name in ((here, "here.csv"), (there, "there.csv")):
        session.ledger.use_file(tmp_path / f"ledger of {name}")
        exported = session.syntactic.recoded_writer(tmp_path / name)()
        files.append((exported.rows, sorted((tmp_path / name).read_text(encoding="utf-8").splitlines())))
        assert all(check.found.holds for check in exported.rechecked.models)
    assert files[0] == files[1]


def test_a_session_says_the_same_of_levels_that_are_too_fine(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    path = written(tmp_path, case.table)
    refusals = []
    for store in (None, duckdb_store):
        session = opened(path, case, store)
        for name in case.hierarchies:
            session.release.columns.set_level(name, 0)
        refusals.append(session.syntactic.recoder()(SILENT))
    one, two = refusals
    assert isinstance(one, Refusal)
    assert isinstance(two, Refusal)
    assert (str(two.error), two.changes, two.searchable) == (str(one.error), one.changes, one.searchable)
    assert one.changes
    with small_budget(duckdb_store, 4, 2):
        session = opened(path, case, duckdb_store)
        refusal = session.syntactic.best_levels_finder()(SILENT)
        assert isinstance(refusal, Refusal)
        assert isinstance(refusal.error, TooManyGroups)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main([*words, "--json"]) == 0
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return answer


def test_the_command_finds_and_writes_the_same_with_an_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = numbers()
    words = [
        "anonymise",
        str(written(tmp_path, case.table)),
        "--model",
        "k=4",
        "--model",
        "l-diversity=2:disease",
        "--search",
        "optimal",
    ]
    words += ["--suppression-limit", "0.1", "--keep", "disease"]
    for name, hierarchy in case.hierarchies.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(",".join(line) for line in hierarchy.rows()), encoding="utf-8")
        words += ["--hierarchy", f"{name}={tmp_path / f'{name}.csv'}"]
    answers, files = [], []
    for engine in ("memory", "duckdb"):
        out = tmp_path / f"{engine}.csv"
        ledger = ["--ledger", str(tmp_path / f"ledger {engine}")]
        answers.append(run(capsys, *words, "--engine", engine, "--out", str(out), *ledger))
        files.append(sorted(out.read_text(encoding="utf-8").splitlines()))
    for said in answers:
        del said["seconds"], said["out"]
    assert answers[0] == answers[1]
    assert answers[0]["optimal"] is True
    assert files[0] == files[1]


@pytest.mark.timeout(180)
def test_spark_searches_and_recodes_alike(spark_store: Store) -> None:
    case = numbers(80)
    there = stored_copy(spark_store, case.table)
    goal = Goal(chosen(["k=3", "l-diversity=2:disease"]), suppression_limit=0.2)
    one, two = (optimise(table, case.hierarchies, goal) for table in (case.table, there))
    assert (two.levels, two.score, two.suppressed) == (one.levels, one.score, one.suppressed)
    here = apply(case.table, case.hierarchies, one.levels, goal, on_suppressed=Suppressed.MARK)
    made = engine_of(there).recode(case.hierarchies, one.levels, goal, on_suppressed=Suppressed.MARK)
    assert rows_of(made.table) == rows_of(here.table)
    assert 0 < made.suppressed == here.suppressed
    released = made.released()
    assert rows_of(released) == rows_of(here.released())
    assert marginals(released) == marginals(here.released())
    assert sum(len(block[0]) for block in made.leaving(()).blocks(released.names)) == released.rows
