"""Whoever saw what came of a recipe is remembered with the data, whatever became of the project or command."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from html import escape
from pathlib import Path

import pytest

from workbench.anonymise.recipe import Treatment
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.project.model import GuaranteeSettings
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.ledger import Charge, Ledger, LedgerHistory, RecordedLook
from workbench.query.recorded_look import AFTER_LOOK
from workbench.report.release_report import claim_of
from workbench.session import Session
from workbench.session.answer_files import as_csv
from workbench.session.no_claim import NoClaim
from workbench.session.query_answers import answers_in


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
        words += [] if "--model" in more else ["--mechanism", "sample"]
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


def test_settings_may_be_tried_from_command_to_command(release: Callable[..., dict]) -> None:
    assert release(1)["claim"]
    told = release(2)
    assert told["claim"]
    assert any("Together they are (2," in caution for caution in told["cautions"]), "each at its price"
    assert any("Together they are (3," in caution for caution in release(1)["cautions"]), "and each draw anew"


def test_a_run_of_which_nothing_is_left_tells_nothing_and_is_charged(
    release: Callable[..., dict], people: Path
) -> None:
    assert "Nothing was released" in release(0, code=2)["error"]
    (entry,) = opened(people).ledger.current.entries
    assert not entry.left and not opened(people).ledger.current.history.looks
    assert release(1)["claim"]


def test_what_cannot_be_asked_is_no_look(release: Callable[..., dict], people: Path) -> None:
    release(9, code=2)
    release(1, "--beta", "7", code=2)
    assert not opened(people).ledger.current.history.looks
    assert release(1)["claim"]


@pytest.mark.parametrize(("k", "code"), [("k=5", 0), ("k=9999", 2)])
def test_a_search_for_levels_is_a_look(release: Callable[..., dict], k: str, code: int) -> None:
    release(1, "--model", k, "--search", "optimal", code=code)
    assert not release(1)["claim"]


def test_a_simulation_is_a_look_and_no_draw(release: Callable[..., dict], people: Path) -> None:
    """Whoever knows the seed can undo the sampling, so what it shows is not differentially private."""
    assert release(1)["claim"]
    release(1, "--seed", "3")
    release(2, "--seed", "4")
    told = release(1)
    assert not told["claim"]
    assert any("had been looked at before" in reason for reason in told["reasons"])
    (look,) = opened(people).ledger.current.history.looks
    (first, *_) = opened(people).ledger.current.entries
    assert (look.recipe, look.drawn, look.settled) == ("simulation", False, (first.charge.key,))


def test_a_discarded_project_does_not_forget(people: Path) -> None:
    session = opened(people)
    session.release.anonymise()
    assert codes(opened(people, 0.5)) == set(), "what was shown is paid for"
    session.release.look()
    assert codes(opened(people, 0.5)) == codes(opened(people)) == {"looked-before"}


def test_only_a_draw_that_was_settled_keeps_its_claim(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    session.release.columns.set_treatment("age", None)
    session.release.columns.set_treatment("city", Treatment.GENERALISE)
    first = session.release.anonymise()
    session.release.export(tmp_path / "first.csv")
    second = session.release.draw_again()
    third = session.release.draw_again()
    assert not session.release.looked
    session.release.look(publish=True)
    assert session.release.looked and third is session.release.result
    held = {}
    for result in (first, second, third):
        session.release.result = result
        held[result.draw] = session.release.current_claim().holds
    assert list(held.values()) == [True, False, True], "exported before, forgotten, settled with the look"
    session.release.result = second
    session.release.look(publish=True)
    assert not session.release.current_claim().holds, "too late"
    with pytest.raises(NoClaim):
        session.release.export(tmp_path / "second.csv")
    session.release.export(tmp_path / "second.csv", without_claim=True)
    assert not session.ledger.current.spent().bounded, "it was claimed when it was drawn, and left without"
    session.release.result = third
    assert session.release.current_claim().holds
    session.release.export(tmp_path / "third.csv", tmp_path / "third.html")
    assert "unprotected figures of this data were looked at" in (tmp_path / "third.html").read_text("utf-8")


def test_a_draw_that_left_without_its_claim_is_one_release_that_has_none(
    people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = opened(people)
    session.release.columns.set_treatment("age", None)
    session.release.columns.set_treatment("city", Treatment.GENERALISE)
    first = session.release.anonymise()
    file = tmp_path / "first.csv"
    session.release.record_export(
        file, first, session.release.exporter(file, asserted=False, without_claim=True)(SILENT)
    )
    ledger = session.ledger.current
    drawn, left = ledger.entries
    assert drawn.charge.claimed and not left.charge.claimed
    [told] = ledger.history.told
    assert (told.id, told.charge.epsilon, told.charge.claimed) == (drawn.id, drawn.charge.epsilon, False)
    assert [file.name for file in told.files] == ["first.csv"]
    for entry in (drawn, told):
        assert not session.ledger.certificate(entry).holds, "no page says of this file what was not asserted"
    session.release.draw_again()
    (said,) = (one.text for one in session.release.current_claim().cautions if one.code == "earlier-releases")
    assert said.startswith("This is release number 2 of this data. An earlier one went out without a claim")
    session.release.export(tmp_path / "second.csv")
    assert main(["ledger", str(people), "--json", "--statements", str(tmp_path / "pages")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(one["claim"], one["what"]) for one in answer["entries"]] == [
        (False, "Release first.csv"),
        (True, "Release second.csv"),
    ]
    pages = [Path(one).read_text("utf-8") for one in answer["statements"]]
    assert ["-differentially private" in page.partition("<h2>")[0] for page in pages] == [False, True]


def test_taking_figures_twice_is_recorded_once(people: Path) -> None:
    session = opened(people)
    session.release.anonymise()
    session.release.look()
    session.release.look()
    assert len(session.ledger.current.history.looks) == 1


def test_exploring_is_remembered_without_a_project(people: Path) -> None:
    session = opened(people)
    session.release.survival.accept(session.release.survival.simulator()(SILENT))
    session.release.survival.accept(session.release.survival.simulator()(SILENT))
    assert [look.recipe for look in session.ledger.current.history.looks] == ["survival"]
    assert codes(opened(people)) == codes(opened(people, 0.5)) == {"looked-before"}


def test_a_project_takes_its_looks_to_other_machines(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(people)
    session.release.anonymise()
    session.release.look()
    session.save(tmp_path / "p.wbench")
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "another machine"))
    assert not opened(people, 0.5).release.claim().reasons, "that machine has seen nothing yet"
    there = Session.from_file(tmp_path / "p.wbench")
    there.data.open(people)
    there.release.set_guarantee(GuaranteeSettings(epsilon=0.5, delta=1e-6))
    assert codes(there) == {"looked-before"}
    there.release.anonymise()
    history = opened(people).ledger.current.history
    assert (len(history.entries), len(history.looks)) == (2, 1), "now it knows of both"


def test_without_a_ledger_to_write_to_nothing_is_drawn(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    session.ledger.use_file(tmp_path)  # a folder
    with pytest.raises(WorkbenchError):
        session.release.anonymise()
    assert session.release.result is None
    session.release.survival.accept(session.release.survival.simulator()(SILENT))
    assert codes(session) == {"ledger", "looked-at"}, "the project remembers"
    session.ledger.use_file(tmp_path / "whole.jsonl")
    assert codes(session) == {"looked-before"}
    session.release.anonymise()
    assert len(Ledger(tmp_path / "whole.jsonl", session.data.fingerprint).history.looks) == 1


def test_looks_of_two_machines_are_brought_together(tmp_path: Path) -> None:
    one, two = Ledger(tmp_path / "1.jsonl", "rows1-x"), Ledger(tmp_path / "2.jsonl", "rows1-x")
    first = one.looked("figures", ["a", "b"])
    assert one.looked("survival", ["a", "b", "c"]) == first, "after it nothing can be settled any more"
    other = two.looked("figures", ["d"])
    together = one.history.with_history(two.history).with_history(one.history)
    assert together.looks == (first, other)
    assert one.spent().count == 0 and not one.entries
    two.carried = LedgerHistory(looks=(RecordedLook("z", "", "older", True),))
    two.looked("simulation")
    found = Ledger(two.path, "rows1-x").history.looks
    assert [look.recipe for look in found] == ["older", "figures"], "what was carried is written too"
    assert [look.settled for look in found] == [None, ("d",)]


def test_looks_that_earlier_programs_recorded_stay_what_they_were(people: Path) -> None:
    session = opened(people)
    recipe = session.release.anonymise().recipe
    seen = (RecordedLook("y", "", recipe, True), RecordedLook("z", "1", "another", True))
    fresh = opened(people)
    fresh.ledger.current.carried = LedgerHistory(looks=seen)
    assert codes(fresh) == set() and {"several-draws", "other-settings-seen"} <= {
        caution.code for caution in fresh.release.claim().cautions
    }
    fresh.release.set_guarantee(GuaranteeSettings(epsilon=0.5, delta=1e-6))
    assert codes(fresh) == {"tuned-on-outcome"}


def test_who_asks_after_a_look_is_told_what_rests_on_their_word(
    people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = ["query", str(people), "--query", "count", "--epsilon", "1/2"]
    told = "A look at the true values of this data is recorded."
    assert main(ask) == 0 and told not in capsys.readouterr().out
    session = opened(people)
    session.looks.take("simulation", lasting=True)
    assert session.looks.of_answers.startswith(told)
    for more in (["--plan"], ["--again"]):
        assert main([*ask, *more]) == 0 and told in capsys.readouterr().out


def test_no_cell_of_an_answer_is_a_formula_in_a_spreadsheet(people: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Labels are public, and may come from somebody else; numbers stay what they are."""
    assert main(["query", str(people), "--query", "count", "--epsilon", "1/2"]) == 0
    capsys.readouterr()
    (paid,) = answers_in(opened(people).ledger.current)
    for released in (
        ReleasedAnswer(AnswerForm.CHOICE, "=1+1", labels=(("=1+1", "b"),)),
        ReleasedAnswer(AnswerForm.TABLE, [[-1, 2]], labels=(("a",), ("=1+1", "@b"))),
        ReleasedAnswer(AnswerForm.LIST, [-1, 2], labels=(("=1+1", "b"),)),
    ):
        rows = list(csv.reader(io.StringIO(as_csv(replace(paid, released=released)))))
        cells = [cell for row in rows if not row[0].startswith("# ") for cell in row]
        assert "'=1+1" in cells and not [cell for cell in cells if cell.startswith(("=", "@"))], released.form


def test_what_rests_on_the_asker_is_said_wherever_the_answer_goes(
    people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = ["query", str(people), "--query", "count", "--epsilon", "1/2"]
    assert main(ask) == 0
    session = opened(people)
    session.looks.take("simulation", lasting=True)
    assert main([*ask[:-1], "1/4"]) == 0
    capsys.readouterr()
    before, after = answers_in(session.ledger.current)
    assert (before.after_look, after.after_look) == ("", AFTER_LOOK)
    assert before.to_json()["after_look"] == "" and after.to_json()["after_look"] == AFTER_LOOK
    assert AFTER_LOOK in as_csv(after) and AFTER_LOOK not in as_csv(before)
    pages = [session.ledger.certificate(one.entry).body() for one in (before, after)]
    assert [escape(AFTER_LOOK) in page for page in pages] == [False, True]
    assert [claim_of(entry) for entry in session.ledger.current.history.told] == ["holds", "holds, on the asker's word"]
    assert main(["ledger", str(people), "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["entries"]
    assert [one["after_look"] for one in entries] == ["", AFTER_LOOK]
    assert main(["ledger", str(people)]) == 0
    assert capsys.readouterr().out.count(AFTER_LOOK) == 1


def test_a_clock_that_is_set_back_makes_no_look_later_than_what_was_charged_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl", "a" * 64)
    monkeypatch.setattr("workbench.query.ledger.now", lambda: "2026-01-01T00:00:00.000+00:00")
    before = ledger.charge(Charge("query", "Count", Fraction(1), Fraction(0), rows_per_person=1))
    ledger.looked("experiment")
    monkeypatch.setattr("workbench.query.ledger.now", lambda: "2001-01-01T00:00:00.000+00:00")
    after = ledger.charge(Charge("query", "Mean", Fraction(1), Fraction(0), rows_per_person=1))
    told = {one.id: one.after_look for one in Ledger(ledger.path, "a" * 64).history.told}
    assert told == {before.id: False, after.id: True}
