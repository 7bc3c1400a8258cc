"""Releases spend from the ledger of their data, whoever makes them and from wherever."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.anonymise.recipe import Treatment
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.io.export_format import ExportFormat
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.session import Session


@pytest.fixture
def people(tmp_path: Path) -> Path:
    file = tmp_path / "people.csv"
    file.write_text("age,city\n" + "".join(f"{20 + i % 10},{'AB'[i % 2]}\n" for i in range(4000)), encoding="utf-8")
    return file


def opened(file: Path, epsilon: float = 1.0) -> Session:
    session = Session()
    session.data.open(file)
    session.release.columns.set_treatment("age", Treatment.GENERALISE)
    session.release.set_guarantee(GuaranteeSettings(epsilon=epsilon, delta=1e-6))
    return session


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., dict]:
    def run(*words: object, fails: bool = False) -> dict:
        code = main([*map(str, words), "--json"])
        out, err = capsys.readouterr()
        assert code == (2 if fails else 0), err
        return {"error": err} if fails else json.loads(out)

    return run


def test_a_release_is_charged_once_however_often_it_is_written(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    first = session.release.anonymise()
    session.release.export(tmp_path / "one.csv")
    session.release.export(tmp_path / "copy.csv", style=ExportFormat(delimiter=";"))
    assert session.ledger.current.spent().epsilon == 1
    session.release.draw_again()
    session.release.export(tmp_path / "two.csv")
    assert (session.ledger.current.spent().epsilon, session.ledger.current.spent().delta) == (2, Fraction(2, 10**6))
    session.release.result = first
    session.release.export(tmp_path / "again.csv")
    assert len(session.ledger.current.entries) == 2
    assert [record.file for record in session.project.releases] == ["one.csv", "two.csv"]


def test_the_ledger_is_that_of_the_rows_not_of_the_file_or_the_project(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    session.release.anonymise()
    session.release.export(tmp_path / "one.csv")
    header, *rows = people.read_text(encoding="utf-8").splitlines()
    other = tmp_path / "other.csv"
    swapped = [";".join(f'"{cell}"' for cell in reversed(row.split(","))) for row in [header, *reversed(rows)]]
    other.write_text("\r\n".join(swapped) + "\r\n", encoding="utf-8")
    fresh = opened(other)
    assert fresh.data.reading.fingerprint != session.data.reading.fingerprint
    (caution,) = (caution.text for caution in fresh.release.claim().cautions if caution.code == "earlier-releases")
    assert "number 2" in caution
    more = tmp_path / "more.csv"
    more.write_text(people.read_text(encoding="utf-8") + "20,A\n", encoding="utf-8")
    assert not opened(more).ledger.current.entries


def test_beyond_the_budget_nothing_is_written(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    session.ledger.current.set_budget(Fraction(3, 2), Fraction(1, 10**5))
    session.release.anonymise()
    session.release.export(tmp_path / "one.csv", tmp_path / "one.html")
    first = session.release.result
    with pytest.raises(WorkbenchError, match="beyond the budget") as refused:
        session.release.draw_again()
    assert "at most ε = 0.5" in refused.value.hint
    assert session.release.result is first, "nothing is drawn"
    assert len(session.project.releases) == 1
    cheaper = opened(people, 0.5)
    cheaper.release.anonymise()
    cheaper.release.export(tmp_path / "three.csv")
    assert session.ledger.current.remaining().epsilon == 0


def test_two_windows_cannot_both_have_the_last_epsilon(people: Path, tmp_path: Path) -> None:
    one, two = opened(people), opened(people)
    one.ledger.current.set_budget(Fraction(1), Fraction(1, 10**6))
    draws = [session.release.anonymiser() for session in (one, two)]
    one.release.accept(draws[0](SILENT))
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        draws[1](SILENT)
    assert two.release.result is None and one.ledger.current.spent().epsilon == 1


@pytest.mark.parametrize("place", ["missing/out.csv", "people.csv"])
def test_what_cannot_be_written_anyway_costs_nothing(people: Path, tmp_path: Path, place: str) -> None:
    session = opened(people)
    session.release.anonymise()
    with pytest.raises(WorkbenchError):
        session.release.export(tmp_path / place)
    (entry,) = session.ledger.current.entries
    assert not entry.left, "the draw was paid for when it was made"


def test_a_crash_after_the_charge_costs_once(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(people)
    session.release.anonymise()

    replace = Path.replace

    def crash(self: Path, target: Path) -> Path:
        if Path(target).name == "out.csv":
            raise KeyboardInterrupt
        return replace(self, target)

    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        context.setattr(Path, "replace", crash)
        session.release.export(tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    assert opened(people).ledger.current.spent().epsilon == 1
    session.release.export(tmp_path / "out.csv")  # the same draw
    assert session.ledger.current.spent().epsilon == 1
    fresh = opened(people)  # the draw is gone with the process, so this is another one
    fresh.release.anonymise()
    fresh.release.export(tmp_path / "fresh.csv")
    assert fresh.ledger.current.spent().epsilon == 2


def test_the_charge_stands_before_the_file(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(people)
    session.release.anonymise()
    out, seen = tmp_path / "out.csv", []
    replace = Path.replace

    def look(self: Path, target: Path) -> Path:
        if Path(target).name == out.name:
            seen.append((out.exists(), opened(people).ledger.current.spent().epsilon))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", look)
    session.release.export(out)
    assert seen == [(False, 1)]


def test_a_release_in_between_is_not_missing_from_the_statement(people: Path, tmp_path: Path) -> None:
    one, two = opened(people), opened(people)
    for session in (one, two):
        session.release.anonymise()
    out, statement = tmp_path / "late.csv", tmp_path / "late.html"
    late = two.release.exporter(out, statement)
    one.release.draw_again()
    with pytest.raises(WorkbenchError, match="meanwhile"):
        late(SILENT)
    assert not out.exists() and not statement.exists()
    assert [entry.left for entry in one.ledger.current.entries] == [False] * 3
    two.release.export(out, statement)
    assert "release number 3" in statement.read_text(encoding="utf-8")


def test_without_a_claim_it_is_counted_and_bounds_nothing(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    session.ledger.current.set_budget(Fraction(2), Fraction(2, 10**6))
    session.release.set_seed(3)
    for name in ("a.csv", "b.csv"):
        session.release.anonymise()
        session.release.export(tmp_path / name, without_claim=True)
    assert session.ledger.current.spent().epsilon == 2
    assert session.ledger.current.spent().unclaimed == 2
    session.release.set_seed(None)
    session.release.columns.set_levels_blind(False)  # breaks the claim, and does not get around the budget
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        session.release.anonymise()
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    made = session.syntactic.recoder()(SILENT)
    session.syntactic.accept_recoded(made)
    for name in ("k.csv", "again.csv"):  # the same table in another order
        session.syntactic.recoded_writer(tmp_path / name)(SILENT)
        session.syntactic.record_recoded(tmp_path / name, made)
    entry = session.ledger.current.entries[-1]
    assert session.ledger.current.spent().unclaimed == 3
    assert entry.charge.parameters["models"] == "k-anonymity (k = 5)"
    assert session.project.releases[-1].file == "k.csv"


def test_a_project_brings_its_ledger_to_another_machine(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(people)
    session.ledger.current.set_budget(Fraction(3, 2), Fraction(1, 10**5))
    session.release.anonymise()
    session.release.export(tmp_path / "one.csv")
    session.save(tmp_path / "p.wbench")
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "other machine"))
    assert not opened(people).ledger.current.entries
    there = Session.from_file(tmp_path / "p.wbench")
    there.data.open(people)
    assert there.ledger.current.spent().epsilon == 1
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        there.release.anonymise()
    there.release.set_guarantee(GuaranteeSettings(epsilon=0.5, delta=1e-6))
    there.release.anonymise()
    there.release.export(tmp_path / "three.csv")
    assert opened(people).ledger.current.spent().epsilon == Fraction(3, 2)  # now the machine knows of both
    assert opened(people).ledger.current.budget == session.ledger.current.budget
    # Back on the first machine, the other one's release is known once its project is opened.
    there.save(tmp_path / "p.wbench")
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "third"))
    back = Session.from_file(tmp_path / "p.wbench")
    back.data.open(people)
    assert [record.file for record in back.project.releases] == ["one.csv", "three.csv"]


def test_reading_the_file_in_another_way_does_not_forget(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    session.release.anonymise()
    session.release.export(tmp_path / "one.csv")
    session.data.open(people, session.data.reading.dialect.__class__.from_dict(
        {**session.data.reading.dialect.to_dict(), "skip_lines": 1}
    ))  # fmt: skip
    assert session.ledger.current.spent().epsilon == 1
    session.data.open(people)
    assert len(session.project.releases) == 1 and not session.project.looks


def test_a_ledger_that_cannot_be_read_voids_the_claim_and_stops_draw_and_export(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    session.release.anonymise()
    session.release.export(tmp_path / "one.csv")
    session.ledger.current.path.write_bytes(b"rubbish\n")
    other = opened(people)
    (reason,) = other.release.claim().reasons
    assert reason.code == "ledger"
    assert str(tmp_path) not in reason.text + reason.remedy
    assert str(other.ledger.current.path) in reason.analyst
    with pytest.raises(WorkbenchError, match="damaged"):
        other.release.anonymise()
    assert other.release.result is None
    with pytest.raises(WorkbenchError, match="damaged"):
        session.release.export(tmp_path / "two.csv")
    assert not (tmp_path / "two.csv").exists()


def test_nothing_of_the_ledger_is_in_a_release(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    session.release.anonymise()
    session.release.export(tmp_path / "one.csv", tmp_path / "one.html")
    secrets = [session.data.fingerprint, session.data.fingerprint[6:], session.data.reading.fingerprint]
    secrets += [
        session.ledger.current.entries[0].id,
        session.ledger.current.entries[0].charge.key,
        str(session.ledger.current.path),
    ]
    for file in ("one.csv", "one.html"):
        text = (tmp_path / file).read_text(encoding="utf-8")
        assert not any(secret in text for secret in secrets)


def test_undo_does_not_refund(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    before = session.project
    session.release.anonymise()
    session.release.export(tmp_path / "one.csv")
    session.project = before  # even a project that was put back as a whole
    assert session.ledger.current.spent().epsilon == 1
    assert "earlier-releases" in {caution.code for caution in opened(people).release.claim().cautions}
    assert "earlier-releases" in {caution.code for caution in session.release.draw_again().claim.cautions}


# Commands


def test_the_command_line_and_sessions_share_the_ledger(
    people: Path, tmp_path: Path, command: Callable[..., dict]
) -> None:
    said = command("ledger", people, "--set-budget", "1.5,1e-5")
    assert said["budget"]["exactly"] == {"epsilon": "3/2", "delta": "1/100000"}
    release = ["anonymise", people, "--group", "age", "--epsilon", "1", "--delta", "1e-6"]
    command(*release, "--out", tmp_path / "a.csv")
    assert "at most ε = 0.5" in command(*release, "--out", tmp_path / "b.csv", fails=True)["error"]
    assert not (tmp_path / "b.csv").exists()
    session = opened(people, 0.5)
    session.release.anonymise()
    session.release.export(tmp_path / "c.csv")
    said = command("ledger", people)
    assert set(said) >= {"budget", "spent", "remaining", "entries"}
    assert (said["spent"]["epsilon"], str(said["remaining"]["epsilon"])) == (1.5, "0.0")  # which is no less than that
    assert said["spent"]["unclaimed"] == 0, "other settings may be tried, each at its price"
    assert [entry["what"] for entry in said["entries"]] == ["Release a.csv", "Release c.csv"]
    assert "before" in command("ledger", people, "--set-budget", "9,0", fails=True)["error"]
    command(
        "anonymise", people, "--hierarchy", f"age={hierarchy(tmp_path)}", "--model", "k=5", "--out", tmp_path / "k.csv"
    )
    said = command("ledger", people, "--csv", tmp_path / "ledger.csv")
    assert (said["spent"]["bounded"], said["spent"]["unclaimed"]) == (False, 1)
    assert len((tmp_path / "ledger.csv").read_text(encoding="utf-8").splitlines()) == 4
    assert session.data.fingerprint not in json.dumps(said)


def test_no_fingerprint_leaves_with_the_entries_of_questions(
    people: Path, tmp_path: Path, command: Callable[..., dict]
) -> None:
    fingerprint = opened(people).data.fingerprint
    command("query", people, "--query", "count", "--epsilon", "1/2")
    said = command("ledger", people, "--csv", tmp_path / "ledger.csv", "--statements", tmp_path / "pages")
    assert said["entries"][0]["parameters"]["questions"][0]["query"] == "count"
    written = [path.read_text(encoding="utf-8") for path in (tmp_path / "ledger.csv", *(tmp_path / "pages").iterdir())]
    assert len(written) == 2
    assert not any(fingerprint[6:] in text for text in (json.dumps(said), *written))


def hierarchy(folder: Path) -> Path:
    path = folder / "ages.csv"
    path.write_text("".join(f"{a};{a // 10 * 10}s;*\n" for a in range(20, 60)), encoding="utf-8")
    return path


def test_a_ledger_of_ones_own(people: Path, tmp_path: Path, command: Callable[..., dict]) -> None:
    own = tmp_path / "own.jsonl"
    command(
        "anonymise", people, "--group", "age", "--epsilon", "1", "--delta", "1e-6",
        "--out", tmp_path / "a.csv", "--ledger", own,
    )  # fmt: skip
    assert command("ledger", people)["entries"] == []
    assert command("ledger", people, "--ledger", own)["spent"]["epsilon"] == 1
    other = tmp_path / "other.csv"
    other.write_text("a\n1\n", encoding="utf-8")
    assert "other data" in command("ledger", other, "--ledger", own, fails=True)["error"]
    assert "no ledger" in command("ledger", people, "--ledger", other, fails=True)["error"]
    assert "must not be overwritten" in command("ledger", people, "--ledger", people, fails=True)["error"]
    assert command("ledger", people, "--ledger", own, "--csv", own, fails=True)["error"]


def test_the_ledger_of_a_project(
    people: Path, tmp_path: Path, command: Callable[..., dict], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened(people)
    path = tmp_path / "p.wbench"
    session.save(path)
    command("run", path, "--data", people, "--out", tmp_path / "out")
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "other machine"))
    people.unlink()  # the data is not needed to say what was spent of it
    said = command("ledger", path)
    assert said["spent"]["epsilon"] == 1
    assert command("ledger", path, "--set-budget", "2,1e-5")["remaining"]["epsilon"] == 1.0


@pytest.mark.parametrize("budget", ["1", "x,0", "1,1", "0,0", "nan,0", "-1,0", "1,2,3"])
def test_a_mistyped_budget_is_refused(people: Path, command: Callable[..., dict], budget: str) -> None:
    assert command("ledger", people, f"--set-budget={budget}", fails=True)["error"]
    assert command("ledger", people)["budget"] is None
