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
from workbench.project.model import GuaranteeSettings
from workbench.session import Session
from workbench.session.release import drawing

COMMON = [("AA", "30")] * 60 + [("BB", "40")] * 60
NEIGHBOURS = {
    "a rare value": (COMMON, [*COMMON, ("CC", "77")]),
    "a value its hierarchy misses": (COMMON, [*COMMON, ("unlisted", "30")]),
    "a value that cannot be read as its kind": (COMMON, [*COMMON, ("AA", "none")]),
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
    assert "Unprotected figures of this data were looked at" in capsys.readouterr().err
    assert main([*anonymise(home, *levels), "--force", "--without-claim", "--analyst"]) == 0
    assert re.search("Analyst only: 121 rows took part", capsys.readouterr().out)
