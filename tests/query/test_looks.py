"""Whoever saw what came of a recipe is remembered with the data, whatever became of the project or command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.anonymise.mechanism import Treatment
from workbench.cli.main import main
from workbench.core.progress import SILENT
from workbench.project.model import GuaranteeSettings
from workbench.query.ledger import Ledger, LedgerHistory, RecordedLook
from workbench.session import Session


@pytest.fixture
def people(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    file.write_text("age,city\n" + "".join(f"{20 + i % 40},{'AB'[i % 2]}\n" for i in range(2000)), encoding="utf-8")
    return file


@pytest.fixture
def release(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., dict]:
    """Run `workbench anonymise` with age at this level."""
    ages = tmp_path / "ages.csv"
    ages.write_text("".join(f"{a};{a // 10 * 10}s;*\n" for a in range(20, 60)), encoding="utf-8")

    def run(level: int, *more: str, code: int = 0) -> dict:
        words = ["anonymise", str(people), "--hierarchy", f"age={ages}", "--level", f"age={level}", *more]
        words += ["--force", "--without-claim"] if code == 0 else []
        words += [] if "--model" in more else ["--epsilon", "1", "--delta", "1e-6", "--out", str(tmp_path / "o.csv")]
        assert main([*words, "--json"]) == code
        out, err = capsys.readouterr()
        return json.loads(out) if code == 0 else {"error": err}

    return run


def opened(file: Path, epsilon: float = 1.0) -> Session:
    session = Session()
    session.data.open(file)
    session.release.columns.set_treatment("age", Treatment.GENERALISE)
    session.release.set_guarantee(GuaranteeSettings(epsilon=epsilon, delta=1e-6))
    return session


def codes(session: Session) -> set[str]:
    return {reason.code for reason in session.release.claim().reasons}


def test_tuning_from_command_to_command_ends_the_claim(release: Callable[..., dict]) -> None:
    assert release(1)["claim"]
    assert release(1)["claim"], "the same settings again are no tuning"
    told = release(2)
    assert not told["claim"]
    assert any("changed after a result" in reason for reason in told["reasons"])
    assert release(1)["claim"], "the settings of the first run are as good as ever"


def test_a_run_that_fails_is_a_look_too(release: Callable[..., dict], people: Path) -> None:
    assert "Every row was dropped" in release(0, code=2)["error"]
    assert not opened(people).ledger.current.entries, "nothing was released"
    assert not release(1)["claim"]


def test_what_cannot_be_asked_is_no_look(release: Callable[..., dict], people: Path) -> None:
    release(9, code=2)
    release(1, "--beta", "7", code=2)
    assert not opened(people).ledger.current.history.looks
    assert release(1)["claim"]


@pytest.mark.parametrize(("k", "code"), [("k=5", 0), ("k=9999", 2)])
def test_a_search_for_levels_is_a_look(release: Callable[..., dict], k: str, code: int) -> None:
    release(1, "--model", k, "--search", "optimal", code=code)
    assert not release(1)["claim"]


def test_a_simulation_is_a_look_but_no_draw(release: Callable[..., dict], people: Path) -> None:
    release(1, "--seed", "3")
    release(1, "--seed", "4")
    told = release(1)
    assert told["claim"]
    assert not any("samples of this data were drawn" in caution for caution in told["cautions"])
    assert any("2 samples of this data were drawn" in caution for caution in release(1)["cautions"])
    assert [look.drawn for look in opened(people).ledger.current.history.looks] == [False, True, True]
    assert not release(2)["claim"]


def test_a_discarded_project_does_not_forget(people: Path) -> None:
    opened(people).release.anonymise()
    assert codes(opened(people)) == set()
    assert codes(opened(people, 0.5)) == {"tuned-on-outcome"}


def test_exploring_is_remembered_without_a_project(people: Path) -> None:
    session = opened(people)
    session.release.survival.accept(session.release.survival.simulator()(SILENT))
    session.release.survival.accept(session.release.survival.simulator()(SILENT))
    assert [look.drawn for look in session.ledger.current.history.looks] == [False, False]
    assert codes(opened(people)) == set()
    assert codes(opened(people, 0.5)) == {"tuned-on-outcome"}


def test_a_project_takes_its_looks_to_other_machines(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(people)
    session.release.anonymise()
    session.save(tmp_path / "p.wbench")
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "another machine"))
    assert not opened(people, 0.5).release.claim().reasons, "that machine has seen nothing yet"
    there = Session.from_file(tmp_path / "p.wbench")
    there.data.open(people)
    there.release.set_guarantee(GuaranteeSettings(epsilon=0.5, delta=1e-6))
    assert codes(there) == {"tuned-on-outcome"}
    there.release.anonymise()
    assert len(opened(people).ledger.current.history.looks) == 2, "now it knows of both"


def test_without_a_ledger_to_write_to_the_project_remembers(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    session.ledger.use_file(tmp_path)  # a folder
    session.release.anonymise()
    assert codes(session) == {"ledger"}
    session.release.set_guarantee(GuaranteeSettings(epsilon=0.5, delta=1e-6))
    assert codes(session) == {"ledger", "tuned-on-outcome"}
    session.ledger.use_file(tmp_path / "whole.jsonl")
    assert codes(session) == {"tuned-on-outcome"}
    session.release.anonymise()
    assert len(Ledger(tmp_path / "whole.jsonl", session.data.fingerprint).history.looks) == 2


def test_looks_are_told_apart_and_counted_once(tmp_path: Path) -> None:
    one, two = Ledger(tmp_path / "1.jsonl", "rows1-x"), Ledger(tmp_path / "2.jsonl", "rows1-x")
    first = one.saw("a", drawn=True)
    for _ in range(2):
        one.saw("b", drawn=False)
    two.saw("a", drawn=True)
    together = one.history.with_history(two.history).with_history(one.history)
    assert [(look.recipe, look.drawn) for look in together.looks] == [("a", True), ("b", False), ("a", True)]
    assert together.looks[0] == first
    assert one.spent().count == 0 and not one.entries
    two.carried = LedgerHistory(looks=(RecordedLook("z", "", "older", True),))
    two.saw("c", drawn=True)
    found = Ledger(two.path, "rows1-x").history.looks
    assert [look.recipe for look in found] == ["older", "a", "c"], "what was carried is written with the next thing"
