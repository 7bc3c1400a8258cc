"""What was asked for with an (ε, δ) and cannot have it is not written, and no release is overwritten unasked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.anonymise.recipe import Treatment
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import SILENT
from workbench.io.export_format import FORMATS
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.query.ledger import LedgerHistory, RecordedLook
from workbench.session import Session
from workbench.session.existing_files import AlreadyThere
from workbench.session.ledger import LedgerDesk
from workbench.session.no_claim import NoClaim
from workbench.session.release.desk import ReleaseDesk
from workbench.session.syntactic.results import Recoded

PAYS = [1000 + i * i * 37 for i in range(16)]
PAY = Hierarchy.from_rows([(str(pay), f"{PAYS[i // 4 * 4]}…", "*") for i, pay in enumerate(PAYS)])
MEANS = Hierarchy.from_rows(
    [(str(pay), str(sum(PAYS[i // 4 * 4 : i // 4 * 4 + 4]) / 4), "*") for i, pay in enumerate(PAYS)]
)
KINDS: dict[str, tuple[str, list[str]]] = {
    "csv": ("r.csv", []),
    "xlsx": ("r.xlsx", []),
    "parquet": ("r.parquet", []),
    "parts": ("r", ["--parts", "--out-format", "csv"]),
    "duckdb": ("r.csv", ["--engine", "duckdb"]),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Data in which one person has two rows, hierarchies, and the ledgers: everything a command could change."""
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "ledgers"))
    lines = [f"P{max(i, 1)},{PAYS[i % 16]},{'AB'[i // 16 % 2]}\n" for i in range(1600)]
    (tmp_path / "people.csv").write_text("person,pay,city\n" + "".join(lines), encoding="utf-8")
    for name, hierarchy in (("pay", PAY), ("means", MEANS)):
        write_hierarchy(hierarchy, tmp_path / f"{name}.csv")
        for note in tmp_path.glob(f"{name}*.json"):
            note.unlink()
    return tmp_path


Command = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command with --json; gives its exit code, what it printed, and what it said of errors."""

    def run(*words: object) -> tuple[int, dict[str, Any], str]:
        code = main([*map(str, words), "--json"])
        said = capsys.readouterr()
        assert bool(said.out) is (code == 0), said
        return code, json.loads(said.out) if said.out else {}, said.err

    return run


def release(folder: Path, out: str, *more: object, hierarchy: str = "pay.csv") -> list[object]:
    return [
        "anonymise", folder / "people.csv", "--hierarchy", f"pay={folder / hierarchy}", "--epsilon", 1, "--delta",
        "1e-5", "--out", folder / out, "--statement", folder / "s.html", "--metadata", folder / "n.json", *more,
    ]  # fmt: skip


def opened(folder: Path) -> Session:
    session = Session()
    session.data.open(folder / "people.csv")
    session.data.attach_hierarchy_file("pay", folder / "pay.csv")
    session.release.columns.set_level("pay", 1)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-5))
    return session


def state(folder: Path) -> dict[str, bytes | None]:
    """Every file there is, with its content: releases, projects, and ledgers with charges and looks."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def tune(folder: Path) -> None:
    """An earlier program recorded that a result of other settings was seen."""
    ledger = opened(folder).ledger.current
    ledger.carried = LedgerHistory(looks=(RecordedLook("z", "", "older", True),))
    ledger.merge(())


def look(folder: Path) -> None:
    session = opened(folder)
    session.release.anonymise()
    session.release.look()


VOID: dict[str, tuple[list[str], str, Callable[[Path], None], str]] = {
    "ungrouped-column": (["--keep", "city"], "pay.csv", lambda _: None, "“city” is released as it is"),
    "data-derived-hierarchy": (["--data-derived", "pay"], "pay.csv", lambda _: None, "was made from the data ("),
    "recognised-as-derived": ([], "means.csv", lambda _: None, "its labels are means, medians or ends of"),
    "tuned-on-outcome": ([], "pay.csv", tune, "changed after a result"),
    "looked-before": ([], "pay.csv", look, "had been looked at before the draw was made"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reason", VOID)
def test_what_cannot_be_claimed_is_not_written(folder: Path, command: Command, reason: str, kind: str) -> None:
    if kind in ("xlsx", "parquet", "duckdb") and FORMATS["parquet"].missing is not None:
        pytest.skip("a package for it is not installed")
    (flags, hierarchy, before, told), (out, form) = VOID[reason], KINDS[kind]
    before(folder)
    words = release(folder, out, *flags, *form, hierarchy=hierarchy)
    stood = state(folder)
    code, _, said = command(*words)
    assert code == 2
    assert "cannot be claimed, so nothing was drawn, charged or written" in said
    assert told in said and "--without-claim" in said
    assert state(folder) == stood, "nothing is drawn, charged, looked at or written"
    code, found, _ = command(*words, "--without-claim")
    assert (code, found["claim"]) == (0, False)
    assert any(told in text for text in found["reasons"])
    assert (folder / out).exists()
    assert "No (ε, δ) claim is made" in (folder / "s.html").read_text("utf-8")
    assert json.loads((folder / "n.json").read_text("utf-8"))["release"]["claim"] is False
    (entry,) = (one for one in opened(folder).ledger.current.entries if one.left)
    assert not entry.charge.claimed
    assert [file.sha256 for file in entry.files] == [found["sha256"]]
    assert [file.name for file in entry.files] == [out]


def test_a_ledger_that_cannot_be_read_stops_a_release_with_or_without_a_claim(folder: Path, command: Command) -> None:
    tune(folder)
    (ledger,) = (folder / "ledgers").glob("*.jsonl")
    ledger.write_bytes(b"rubbish\n")
    stood = state(folder)
    for more in ([], ["--without-claim"]):
        code, _, said = command(*release(folder, "r.csv", *more))
        assert code == 2 and "damaged" in said
        assert state(folder) == stood


def called_public(session: Session) -> None:
    session.data.attach_hierarchy("pay", MEANS)
    session.data.set_provenance("pay", Provenance.PUBLIC, "typed")


def derived() -> Hierarchy:
    return Hierarchy.from_rows(list(PAY.rows()), provenance=Provenance.DERIVED, origin="typed")


PROJECT: dict[str, tuple[Callable[[Session], object], str]] = {
    "ungrouped-column": (
        lambda s: s.release.columns.set_treatment("city", Treatment.KEEP),
        "“city” is released as it is",
    ),
    "data-derived-hierarchy": (lambda s: s.data.attach_hierarchy("pay", derived()), "was made from the data ("),
    "looks-data-derived": (called_public, "is called public, but"),
    "levels-not-blind": (lambda s: s.release.columns.set_levels_blind(False), "chosen by looking"),
    "seeded": (lambda s: s.release.set_seed(3), "came from a seed"),
    "tuned-on-outcome": (lambda s: tune(s.data.reading.path.parent), "changed after a result"),
    "looked-before": (lambda s: look(s.data.reading.path.parent), "had been looked at before"),
}


@pytest.mark.parametrize("more", [[], ["--out-format", "parquet"], ["--parts"], ["--engine", "duckdb"]])
@pytest.mark.parametrize("reason", PROJECT)
def test_a_project_that_voids_its_claim_is_refused(
    folder: Path, command: Command, reason: str, more: list[str]
) -> None:
    if more and FORMATS["parquet"].missing is not None:
        pytest.skip("a package for it is not installed")
    change, told = PROJECT[reason]
    session = opened(folder)
    change(session)
    session.save(folder / "p.wbench")
    stood = state(folder)
    words = ["run", folder / "p.wbench", "--data", folder / "people.csv", "--out", folder / "new" / "out", *more]
    code, _, said = command(*words)
    assert code == 2
    assert told in said and "--without-claim" in said
    assert state(folder) == stood
    code, found, _ = command(*words, "--without-claim")
    assert (code, found["claim"], found["recorded"]) == (0, False, True)
    assert "No (ε, δ) claim is made" in (folder / "new" / "out" / "statement.html").read_text("utf-8")


def test_a_simulation_is_not_asked_for_a_claim(folder: Path, command: Command) -> None:
    code, found, _ = command(*release(folder, "r.csv", "--seed", 3, "--keep", "city"))
    assert (code, found["claim"]) == (0, False)
    assert "No (ε, δ) claim is made" in (folder / "s.html").read_text("utf-8")


def test_permission_takes_no_claim_away(folder: Path, command: Command) -> None:
    code, found, _ = command(*release(folder, "r.csv", "--without-claim"))
    assert (code, found["claim"]) == (0, True)


def test_a_private_search_is_not_paid_for_a_claim_that_cannot_be(folder: Path, command: Command) -> None:
    search = ("--search", "dp", "--search-epsilon", 0.25)
    stood = state(folder)
    code, _, said = command(*release(folder, "r.csv", *search, "--data-derived", "pay"))
    assert code == 2 and "--without-claim" in said
    assert state(folder) == stood


@pytest.mark.parametrize("meanwhile", ["claim", "file"])
def test_what_is_only_known_after_the_draw_says_what_was_spent(
    folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    draw = ReleaseDesk.anonymise

    def then(self: ReleaseDesk, *words: Any) -> Any:
        result = draw(self, *words)
        if meanwhile == "file":
            (folder / "r.csv").write_text("precious", encoding="utf-8")
        else:  # from another machine it becomes known that something was seen before
            look = RecordedLook.now("figures", settled=())
            LedgerDesk(self._state).current.carried = LedgerHistory(looks=(look,))
        return result

    monkeypatch.setattr(ReleaseDesk, "anonymise", then)
    code, _, said = command(*release(folder, "r.csv", "--search", "dp", "--search-epsilon", 0.25))
    assert code == 2
    assert "ε = 0.25 was charged for “Levels drawn" in said and "δ = 1e-5 was charged for “Draw of a release”" in said
    assert ("--force" if meanwhile == "file" else "--without-claim") in said
    entries = opened(folder).ledger.current.entries
    assert [(entry.charge.kind, bool(entry.files)) for entry in entries] == [("search", False), ("release", False)]
    assert not (folder / "s.html").exists() and not (folder / "n.json").exists()
    assert meanwhile == "claim" or (folder / "r.csv").read_text("utf-8") == "precious"


# Overwriting


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_is_not_overwritten_by_another_draw(folder: Path, command: Command, kind: str) -> None:
    if kind in ("xlsx", "parquet", "duckdb") and FORMATS["parquet"].missing is not None:
        pytest.skip("a package for it is not installed")
    out, form = KINDS[kind]
    words = release(folder, out, *form)
    first = command(*words)[1]
    stood = state(folder)
    code, _, said = command(*words)
    assert code == 2
    assert f"“{out}” and “s.html” and “n.json” exist already" in said and "--force" in said
    assert state(folder) == stood
    code, found, _ = command(*words, "--force")
    assert code == 0 and found["sha256"] != first["sha256"]
    names = [[(file.name, file.sha256) for file in entry.files] for entry in opened(folder).ledger.current.entries]
    assert names == [[(out, first["sha256"])], [(out, found["sha256"])]]


@pytest.mark.parametrize("name", ["s.html", "n.json"])
def test_a_statement_or_note_is_not_overwritten(folder: Path, command: Command, name: str) -> None:
    (folder / name).write_text("precious", encoding="utf-8")
    stood = state(folder)
    code, _, said = command(*release(folder, "r.csv"))
    assert code == 2 and f"“{name}” exists already" in said and "--force" in said
    assert state(folder) == stood
    assert command(*release(folder, "r.csv", "--force"))[0] == 0


@pytest.mark.parametrize("first", ["model", "promise"])
def test_another_model_overwrites_nothing_either(folder: Path, command: Command, first: str) -> None:
    common = ["anonymise", folder / "people.csv", "--hierarchy", f"pay={folder / 'pay.csv'}", "--out", folder / "r.csv"]
    model, promise = [*common, "--model", "k=5"], [*common, "--epsilon", 1, "--delta", "1e-5"]
    one, two = (model, promise) if first == "model" else (promise, model)
    assert command(*one)[0] == 0
    stood = state(folder)
    code, _, said = command(*two)
    assert code == 2 and "“r.csv” exists already" in said and "--force" in said
    assert state(folder) == stood
    assert command(*one)[0] == 2, "the same may be written anew, but only if that is said"
    assert command(*two, "--force", *([] if two is model else ["--without-claim"]))[0] == 0


@pytest.mark.parametrize("approach", list(AnonymityKind))
@pytest.mark.parametrize("more", [[], ["--parts"]])
def test_a_project_that_runs_again_overwrites_nothing(
    folder: Path, command: Command, approach: AnonymityKind, more: list[str]
) -> None:
    session = opened(folder)
    session.syntactic.set_approach(approach)
    session.save(folder / "p.wbench")
    words = ["run", folder / "p.wbench", "--data", folder / "people.csv", "--out", folder / "out", *more]
    assert command(*words)[0] == 0
    stood = state(folder)
    code, _, said = command(*words)
    assert code == 2 and "“statement.html” exist already" in said and "--force" in said
    assert state(folder) == stood
    assert command(*words, "--force")[0] == 0
    # A table of models is the same again, byte for byte; a sample is another one.
    assert (state(folder) != stood) is (approach is AnonymityKind.DP)


@pytest.mark.parametrize("approach", list(AnonymityKind))
def test_what_stands_in_the_way_is_told_before_anything_is_looked_at(
    folder: Path, command: Command, approach: AnonymityKind
) -> None:
    session = opened(folder)
    session.syntactic.set_approach(approach)
    session.save(folder / "p.wbench")
    (folder / "out").mkdir()
    (folder / "out" / "release.csv").write_text("precious", encoding="utf-8")
    stood = state(folder)
    assert command("run", folder / "p.wbench", "--data", folder / "people.csv", "--out", folder / "out")[0] == 2
    assert state(folder) == stood
    assert not opened(folder).ledger.looks(session.data.fingerprint)


def test_what_came_to_stand_there_while_the_file_was_made_stays(folder: Path) -> None:
    session, out = opened(folder), folder / "r.csv"
    session.release.anonymise()
    leaving = session.release.exporter(out, folder / "s.html")
    out.write_text("precious", encoding="utf-8")
    with pytest.raises(AlreadyThere):
        leaving(SILENT)
    assert out.read_text("utf-8") == "precious"
    (entry,) = session.ledger.current.entries
    assert not (folder / "s.html").exists() and not entry.left


def test_an_empty_file_or_folder_is_nothing_to_lose(folder: Path, command: Command) -> None:
    (folder / "r.csv").touch()
    (folder / "parts").mkdir()
    assert command(*release(folder, "r.csv"))[0] == 0
    for name in ("s.html", "n.json"):
        (folder / name).unlink()
    assert command(*release(folder, "parts", "--parts", "--out-format", "csv"))[0] == 0


def test_the_same_draw_may_be_written_again_where_it_stands(folder: Path) -> None:
    session, out, page = opened(folder), folder / "r.csv", folder / "r_statement.html"
    session.release.anonymise()
    first = session.release.export(out, page)
    assert session.release.export(out, page).file.fingerprint == first.file.fingerprint
    assert session.release.export(folder / "r2.csv").file.fingerprint == first.file.fingerprint
    (entry,) = session.ledger.current.entries
    assert [file.name for file in entry.files] == ["r.csv", "r2.csv"]
    assert {file.sha256 for file in entry.files} == {first.file.fingerprint}
    out.write_text(out.read_text("utf-8") + "x\n", encoding="utf-8")
    with pytest.raises(AlreadyThere, match=r"“r.csv” exists already"):
        session.release.export(out, page)  # it is not what was written any more
    out.unlink()
    session.release.export(out, page)
    session.release.draw_again()
    with pytest.raises(AlreadyThere, match=r"“r.csv” and “r_statement.html” exist already"):
        session.release.export(out, page)
    session.release.export(out, page, force=True)
    assert len(session.ledger.current.entries) == 2


def test_the_same_table_of_models_may_be_written_again(folder: Path) -> None:
    session, out = opened(folder), folder / "r.csv"
    session.syntactic.set_approach(AnonymityKind.SYNTACTIC)
    made = session.syntactic.recoder()(SILENT)
    assert isinstance(made, Recoded)
    session.syntactic.accept_recoded(made)
    for _ in range(2):
        session.syntactic.record_recoded(out, made, session.syntactic.recoded_writer(out)(SILENT))
    assert len(session.ledger.current.entries) == 1
    fresh = opened(folder)
    fresh.release.columns.set_level("pay", 2)
    fresh.release.anonymise()
    with pytest.raises(NoClaim):
        fresh.release.export(folder / "other.csv")
    with pytest.raises(AlreadyThere):
        fresh.release.export(out, without_claim=True)


def test_a_project_carries_which_file_is_which(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = opened(folder)
    session.release.anonymise()
    file = session.release.export(folder / "r.csv").file
    session.save(folder / "p.wbench")
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(folder / "other machine"))
    there = Session.from_file(folder / "p.wbench")
    there.data.open(folder / "people.csv")
    there.ledger.looked(there.data.fingerprint, "something")  # the next thing that is written brings all that is known
    (entry,) = opened(folder).ledger.current.entries
    assert [(one.name, one.sha256) for one in entry.files] == [("r.csv", file.fingerprint)]


def test_the_ledger_tells_which_file_is_which(
    folder: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    found = command(*release(folder, "r.csv"))[1]
    said = command("ledger", folder / "people.csv")[1]
    assert said["entries"][0]["files"] == [{"name": "r.csv", "sha256": found["sha256"]}]
    assert main(["ledger", str(folder / "people.csv")]) == 0
    assert f"r.csv: SHA-256 {found['sha256']}" in capsys.readouterr().out


@pytest.mark.parametrize("flag", ["--out", "--statement", "--metadata", "--reports", "--csv"])
@pytest.mark.parametrize("which", ["own", "named", "key", "sketch", "new"])
def test_no_ledger_is_overwritten(folder: Path, command: Command, which: str, flag: str) -> None:
    """What was spent would be forgotten, and the next release would be promised too much."""
    assert command("query", folder / "people.csv", "--query", "count", "--epsilon", 1)[0] == 0
    named = folder / "named.jsonl"
    if which != "new":
        words = ["query", folder / "people.csv", "--query", "count", "--epsilon", 2, "--ledger", named]
        assert command(*words)[0] == 0
    (own,), ledgers = (folder / "ledgers").glob("*.jsonl"), folder / "ledgers" / "sketches"
    (sketch,) = ledgers.glob("*.sketch")
    target = {"own": own, "named": named, "new": named, "key": ledgers / "key", "sketch": sketch}[which]
    ledger = ["--ledger", named] if which in ("named", "new") else []
    if flag == "--reports":
        asked = ["--column", "city", "--domain", "A,B,C", "--protocol", "grr", "--epsilon", 1]
        words = ["collect", folder / "people.csv", *asked, flag, target, "--rows-per-person", 2, *ledger]
    elif flag == "--csv":
        words = ["ledger", folder / "people.csv", flag, target, *ledger]
    else:
        words = [*release(folder, "r.csv", "--out-format", "csv", "--force", *ledger), flag, target]
    stood = state(folder)
    code, _, said = command(*words)
    assert (code, "must not be overwritten" in said) == (2, True), said
    assert state(folder) == stood


@pytest.mark.parametrize("flag", ["--out", "--statement", "--metadata"])
def test_a_release_takes_no_name_of_a_project(folder: Path, command: Command, flag: str) -> None:
    session, project = opened(folder), folder / "p.WBENCH"
    session.save(project)
    stood = state(folder)
    code, _, said = command(*release(folder, "r.csv", "--force", "--out-format", "csv"), flag, project)
    assert (code, "is the name of a project" in said, state(folder) == stood) == (2, True, True), said


def test_reports_overwrite_nothing_unasked(folder: Path, command: Command) -> None:
    """Reports that were paid for, releases and statements stay unless it is said that they may go."""
    out = folder / "r.csv"
    asked = ["--column", "city", "--domain", "A,B,C", "--protocol", "grr", "--epsilon", 1, "--rows-per-person", 2]
    words = ["collect", folder / "people.csv", *asked, "--reports", out]
    assert command(*words)[0] == 0
    stood = state(folder)
    code, _, said = command(*words)
    assert (code, "“r.csv” exists already" in said, "--force" in said) == (2, True, True), said
    assert state(folder) == stood, "nothing is charged or written"
    assert command(*words, "--force")[0] == 0
    assert out.read_bytes() != stood["r.csv"]
