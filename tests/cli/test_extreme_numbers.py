"""Numbers that no float holds, too large or too near to 0: refused in a sentence, and nothing is charged."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.exact import LARGEST, MOST_PEOPLE
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit
from workbench.project.storage import load_project
from workbench.query.catalogue import QueryDraft
from workbench.query.grid import grid_of
from workbench.session import Session
from workbench.session.bought_bounds import typed_bounds

HUGE = "1" + "0" * 310
MEAN = ["query", "--query", "mean", "--column", "age", "--bounds", "0,10", "--epsilon", "1"]
RELEASE = ["anonymise", "--group", "sex", "--out", "out.csv", "--epsilon", "1", "--delta", "1e-2"]
COUNT = ["query", "--query", "count", "--epsilon", "1"]
PREDICT = ["collect", "--predict", "--domain", "a,b", "--column", "sex", "--epsilon", "1"]
CASES = [
    *([*MEAN[:2], kind, *MEAN[3:], "--bounds", "0,1e999"] for kind in ("mean", "sum", "variance", "median")),
    [*MEAN, "--resolution", "1e400"],
    [*MEAN, "--resolution", "1e-400"],
    ["query", "--query", "histogram", "--column", "age", "--edges", "0,1e999", "--epsilon", "1"],
    [*COUNT, "--epsilon", "1e-400"],
    [*COUNT, "--rows-per-person", HUGE],
    [*COUNT, "--rows-per-person", HUGE, "--plan"],
    ["query", "--query", "count", "--need", "1" + "0" * 400, "--plan"],
    [*RELEASE, "--delta", "1e-400"],
    [*RELEASE, "--epsilon", "1e-400"],
    [*RELEASE, "--rows-per-person", HUGE],
    [*PREDICT, "--users", HUGE],
    [*PREDICT, "--rows-per-person", HUGE],
    [*PREDICT, "--epsilon", "1e-400"],
]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "data.csv"
    path.write_text("age,sex\n" + "".join(f"{20 + row % 50},{'mf'[row % 2]}\n" for row in range(200)))
    return path


@pytest.mark.parametrize("words", CASES, ids=lambda words: "_".join(words)[:70])
def test_it_is_refused_in_a_sentence(words: list[str], table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code: object
    try:
        code = main([words[0], str(table), *words[1:]])
    except SystemExit as stopped:
        code = stopped.code
    said = capsys.readouterr().err
    assert code == 2, said
    assert re.search("too (large|small) a number|at most 1,000,000,000,000", said)
    assert not list(table.parent.glob("ledgers/*"))


def test_batches_too(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = {"kind": "mean", "values": {"column": "age", "lower": "0", "upper": "1e400"}}
    (table.parent / "batch.json").write_text(json.dumps({"epsilon": "1", "questions": [one]}))
    assert main(["query", str(table), "--batch", "batch.json"]) == 2
    assert "1e400” is too large a number." in capsys.readouterr().err


def test_a_saved_question_beyond_any_float_opens_and_is_explained(table: Path) -> None:
    session = Session()
    session.data.open(table)
    session.queries.set_draft(QueryDraft("mean", "1", {"column": "age", "lower": "0", "upper": "1e999"}))
    session.save(table.with_name("question.wbench"))
    project = load_project(table.with_name("question.wbench"))
    assert typed_bounds(project.queries.draft, project.schema) is None


def test_declared_bounds_have_a_largest_number() -> None:
    with pytest.raises(WorkbenchError, match="too large a number"):
        grid_of(ColumnSpec("wage", Kind.INTEGER, bounds=(0.0, 1e300)))
    assert grid_of(ColumnSpec("wage", Kind.INTEGER), "0", str(LARGEST), str(LARGEST)).steps == 1


def test_rows_of_a_person_have_a_largest_number() -> None:
    assert PrivacyUnit(MOST_PEOPLE).rows_per_person == MOST_PEOPLE
    with pytest.raises(WorkbenchError, match=r"at most 1,000,000,000,000\."):
        PrivacyUnit(MOST_PEOPLE + 1)
