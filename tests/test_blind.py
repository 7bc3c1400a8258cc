"""What a run tells: two tables that differ by one person give the same outputs wherever the same was released."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from workbench.anonymise.recipe import ReleaseMechanism
from workbench.cli.main import main
from workbench.core.schema import Misfits
from workbench.engines import opening
from workbench.project.model import GuaranteeSettings
from workbench.session import Session
from workbench.session.release import drawing

COMMON = [("AA", "30")] * 60 + [("BB", "40")] * 60
NEIGHBOURS = {
    "a rare value": (COMMON, [*COMMON, ("CC", "77")]),
    "a value its hierarchy misses": (COMMON, [*COMMON, ("unlisted", "30")]),
    "a value that cannot be read as its kind": (COMMON, [*COMMON, ("AA", "none")]),
    "a number that can be read in two ways": (COMMON, [*COMMON, ("CC", "35.150")]),
    "one more of a group that is too small": ([*COMMON, ("CC", "30")], [*COMMON, ("CC", "30"), ("CC", "30")]),
}
NOTHING = {
    "one row or none": ([("CC", "77")], [("CC", "77"), ("AA", "30")]),
    "an unlisted value": ([("CC", "77")], [("CC", "77"), ("unlisted", "30")]),
}
MECHANISMS = {"sample": ["--mechanism", "sample", "--beta", "best"], "trim": ["--mechanism", "trim"]}


class Known:
    """Numbers that are the same for both tables, for what both have: a group that is added is added anywhere."""

    secure = True

    def __init__(self, mechanism: str) -> None:
        self._bits = np.random.PCG64(4) if mechanism == "sample" else None

    def words(self, count: int) -> NDArray[np.uint64]:
        return np.full(count, 1 << 63, dtype=np.uint64) if self._bits is None else self._bits.random_raw(count)


@pytest.fixture
def mechanism(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which mechanism draws, from known numbers."""
    monkeypatch.setattr(drawing, "source_for", lambda _seed: Known(request.param))
    name: str = request.param
    return name


def tables(folder: Path, pair: tuple[list[tuple[str, str]], list[tuple[str, str]]]) -> Iterator[Path]:
    """A folder for each of the tables, with the same names in it."""
    for side, rows in enumerate(pair):
        home = folder / str(side)
        home.mkdir()
        (home / "data.csv").write_text("".join(f"{a},{b}\n" for a, b in (("zip", "age"), *rows)), encoding="utf-8")
        (home / "zip.csv").write_text("AA;A*;*\nBB;B*;*\nCC;C*;*\n", encoding="utf-8")
        (home / "age.csv").write_text("".join(f"{age};{age // 10}0s;*\n" for age in range(100)), encoding="utf-8")
        yield home


def told(home: Path, capsys: pytest.CaptureFixture[str], words: list[str], *, as_json: bool) -> dict[str, Any]:
    """Everything that leaves a command: its code, what it prints, and the files, without where they are and when."""
    code = main([*words, *(["--json"] if as_json else [])])
    said = capsys.readouterr()
    texts = {"out": said.out, "err": said.err}
    files = {path.name: path.read_bytes() for path in sorted((home / "out").glob("*"))}
    plain = {name: text.replace(str(home), "HERE") for name, text in texts.items()}
    return {"code": code, **plain, "files": files}


def anonymise(home: Path, *more: str) -> list[str]:
    (home / "out").mkdir(exist_ok=True)
    return [
        "anonymise", str(home / "data.csv"), "--ledger", str(home / "ledger.jsonl"),
        "--hierarchy", f"zip={home / 'zip.csv'}", "--hierarchy", f"age={home / 'age.csv'}",
        "--epsilon", "1", "--delta", "1e-3", "--out", str(home / "out" / "r.csv"),
        "--statement", str(home / "out" / "s.html"), "--metadata", str(home / "out" / "n.json"), *more,
    ]  # fmt: skip


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("mechanism", MECHANISMS, indirect=True)
@pytest.mark.parametrize("pair", NEIGHBOURS)
def test_neighbouring_tables_are_told_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pair: str, mechanism: str, as_json: bool
) -> None:
    found = [
        told(
            home,
            capsys,
            anonymise(home, "--level", "zip=1", "--level", "age=1", *MECHANISMS[mechanism]),
            as_json=as_json,
        )
        for home in tables(tmp_path, NEIGHBOURS[pair])
    ]
    assert found[0]["code"] == 0 and found[0]["files"]["r.csv"].count(b"\n") > 10
    assert found[0] == found[1]
    for secret in ('"analyst"', "Analyst", '"sampled"', "rows_in", "suppressed"):
        assert secret not in found[0]["out"] + found[0]["err"]


@pytest.mark.parametrize("mechanism", MECHANISMS, indirect=True)
@pytest.mark.parametrize("pair", NOTHING)
def test_an_empty_release_tells_no_more_than_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pair: str, mechanism: str
) -> None:
    found = [
        told(
            home, capsys, anonymise(home, "--level", "zip=0", "--level", "age=0", *MECHANISMS[mechanism]), as_json=True
        )
        for home in tables(tmp_path, NOTHING[pair])
    ]
    assert found[0] == found[1]
    assert found[0]["code"] == 2 and "Nothing was released" in found[0]["err"] and not found[0]["files"]
    assert "charged" in found[0]["err"], "the price is told"


@pytest.mark.parametrize("mechanism", MECHANISMS, indirect=True)
@pytest.mark.parametrize("pair", NEIGHBOURS)
def test_a_project_that_runs_again_tells_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pair: str, mechanism: str
) -> None:
    found = []
    for home in tables(tmp_path, NEIGHBOURS[pair]):
        session = Session()
        session.data.open(tmp_path / "0" / "data.csv")
        session.release.set_mechanism(ReleaseMechanism(mechanism))
        session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3, beta="best"))
        for name in ("zip", "age"):
            session.data.attach_hierarchy_file(name, home / f"{name}.csv")
            session.release.columns.set_level(name, 1)
        session.save(home / "p.wbench")
        words = [
            "run", str(home / "p.wbench"), "--data", str(home / "data.csv"), "--ledger", str(home / "ledger.jsonl"),
            "--out", str(home / "out"),
        ]  # fmt: skip
        found.append(told(home, capsys, words, as_json=True))
    assert found[0]["code"] == 0
    assert found[0] == found[1]


PEOPLE = [(zip_code, f"{zip_code}{number}") for zip_code in ("AA", "BB") for number in range(60)]
PERSONS = {
    "one more row of somebody": (PEOPLE, [*PEOPLE, ("AA", "AA7")]),
    "somebody with two rows": (PEOPLE, [*PEOPLE, ("CC", "new"), ("CC", "new")]),
    "a first row of nobody": (PEOPLE, [*PEOPLE, ("AA", "")]),
    "a second row of nobody": ([*PEOPLE, ("AA", "")], [*PEOPLE, ("AA", ""), ("AA", "")]),
}


@pytest.mark.parametrize("limited", [[], ["--limit-rows"]])
@pytest.mark.parametrize("mechanism", MECHANISMS, indirect=True)
@pytest.mark.parametrize("pair", PERSONS)
def test_whether_a_person_has_more_rows_than_declared_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pair: str, mechanism: str, limited: list[str]
) -> None:
    """A refusal would count somebody's rows; so no more than declared take part, whoever they are."""
    found = []
    for home in tables(tmp_path, PERSONS[pair]):
        words = [word.replace("age=", "zip=") for word in anonymise(home, "--level", "zip=0")]
        first = words.index("--hierarchy", words.index("--hierarchy") + 1)  # that of the ages, which are persons here
        del words[first : first + 2]
        found.append(told(home, capsys, [*words, "--person", "age", *limited, *MECHANISMS[mechanism]], as_json=True))
    assert found[0]["code"] == 0 and json.loads(found[0]["out"])["claim"]
    assert found[0] == found[1]


@pytest.mark.parametrize("mechanism", MECHANISMS, indirect=True)
def test_a_value_at_which_the_rest_stops_does_not_stop_a_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mechanism: str
) -> None:
    found = []
    for home in tables(tmp_path, NEIGHBOURS["a value that cannot be read as its kind"]):
        session = Session()
        session.data.open(tmp_path / "0" / "data.csv")
        session.data.set_misfits("age", Misfits.STOP)
        session.release.set_mechanism(ReleaseMechanism(mechanism))
        session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3, beta="best"))
        for name in ("zip", "age"):
            session.data.attach_hierarchy_file(name, home / f"{name}.csv")
        session.save(home / "p.wbench")
        words = ["run", str(home / "p.wbench"), "--data", str(home / "data.csv"), "--out", str(home / "out")]
        found.append(told(home, capsys, [*words, "--ledger", str(home / "ledger.jsonl")], as_json=True))
    assert found[0]["code"] == 0 and json.loads(found[0]["out"])["claim"]
    assert found[0] == found[1]


@pytest.mark.parametrize("mechanism", MECHANISMS, indirect=True)
def test_whether_the_data_has_the_values_of_a_hierarchy_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mechanism: str
) -> None:
    """Labels that are means of irregular numbers are refused whether the data has these numbers or not."""
    ages = [number * number for number in range(12)]
    rows = [("AA", str(age)) for age in ages]
    found = []
    for home in tables(tmp_path, (rows, rows[:-1])):
        means = [(age, (ages[place // 2 * 2] + ages[place // 2 * 2 + 1]) / 2) for place, age in enumerate(ages)]
        (home / "age.csv").write_text("".join(f"{age};{mean};*\n" for age, mean in means), encoding="utf-8")
        found.append(told(home, capsys, anonymise(home, *MECHANISMS[mechanism]), as_json=True))
    assert found[0]["code"] == 2 and "means, medians or ends" in found[0]["err"]
    assert found[0] == found[1]


def test_how_many_values_a_column_has_does_not_decide_whether_an_engine_trims_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.setattr(opening, "MOST_VALUES", 2)
    monkeypatch.setattr(drawing, "source_for", lambda _seed: Known("trim"))
    words = ["--level", "zip=1", "--level", "age=1", "--mechanism", "trim", "--engine", "duckdb"]
    found = [
        told(home, capsys, anonymise(home, *words), as_json=True)
        for home in tables(tmp_path, NEIGHBOURS["a value its hierarchy misses"])
    ]
    assert found[0]["code"] == 0 and found[0]["files"]["r.csv"].count(b"\n") > 10
    assert found[0] == found[1]


@pytest.mark.parametrize("mechanism", MECHANISMS, indirect=True)
def test_the_analysts_figures_are_asked_for_and_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mechanism: str
) -> None:
    (home, _) = tables(tmp_path, NEIGHBOURS["a value its hierarchy misses"][::-1])
    levels = ["--level", "zip=1", "--level", "age=1", *MECHANISMS[mechanism]]
    assert main([*anonymise(home, *levels), "--analyst", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["claim"] and said["analyst"]["rows_in"] == 121 and said["analyst"]["uncovered"] == {"zip": 1}
    assert main([*anonymise(home, *levels), "--force"]) == 2
    assert "This data had been looked at before the draw was made" in capsys.readouterr().err
    assert main([*anonymise(home, *levels), "--force", "--without-claim", "--analyst"]) == 0
    assert re.search("Analyst only: 121 rows took part", capsys.readouterr().out)
