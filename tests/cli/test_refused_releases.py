"""What is not released: refused in words that lead on, never a traceback, and no file is left or written over."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import HIERARCHY, NBA, release_of
from workbench.cli.main import main
from workbench.session import Session


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["guarantee", "--epsilon", "0", "--delta", "1e-5"], "ε"),
        (["guarantee", "--epsilon", "-1", "--delta", "1e-5"], "ε"),
        (["guarantee", "--epsilon", "nan", "--delta", "1e-5"], "not a number"),
        (["guarantee", "--epsilon", "1", "--delta", "1"], "δ"),
        (["guarantee", "--epsilon", "1", "--delta", "1e-5", "--beta", "1.5"], "β"),
        (["guarantee", "--epsilon", "1", "--delta", "1e-5", "--beta", "0"], "β"),
        (["guarantee", "--epsilon", "one", "--delta", "1e-5"], "not a number"),
        (["guarantee", "--epsilon", "1"], ""),
        (["profile", "missing.csv"], "missing.csv"),
        (["nonsense", "x"], ""),
    ],
)
def test_impossible_input_is_refused_in_words(refused: Any, words: list[str], told: str) -> None:
    assert told in refused(*words, "--json")


def test_errors_name_the_flag_that_leads_on(refused: Any, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("age,pay\n" + "30,\n" + "".join(f"{20 + i % 40},{i}\n" for i in range(99)), encoding="utf-8")
    ask = ["query", people, "--epsilon", "1"]
    assert "--bounds" in refused(*ask, "--query", "mean", "--column", "age")
    collect = ["collect", people, "--epsilon", "1", "--reports", tmp_path / "out.csv", "--column"]
    for protocol in ("grr", "pm"):
        assert "--clip" in refused(*collect, "age", "--bounds", "0,30", "--protocol", protocol)
        assert "--missing" in refused(*collect, "pay", "--bounds", "0,99", "--protocol", protocol, "--missing", "stop")
    assert not (tmp_path / "out.csv").exists()


def test_reports_are_not_overwritten_by_another_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people, out, ledger = tmp_path / "people.csv", tmp_path / "out.csv", tmp_path / "people.ledger"
    people.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(99)), encoding="utf-8")
    words = ["collect", people, "--column", "age", "--bounds", "0,100", "--protocol", "grr", "--epsilon", "1"]
    words = [*map(str, words), "--reports", str(out), "--ledger", str(ledger)]
    assert main(words) == 0
    drawn = out.read_bytes()
    assert main([*words, "--predict"]) == 0
    assert main([*words[:-4], *words[-2:]]) == 0  # a simulation, which is recorded as a look
    assert out.read_bytes() == drawn
    charged = ledger.read_bytes()
    capsys.readouterr()
    assert main(words) == 2
    assert "--force" in capsys.readouterr().err
    assert (out.read_bytes(), ledger.read_bytes()) == (drawn, charged)
    assert main([*words, "--force"]) == 0
    assert out.read_bytes() != drawn


def test_errors_of_a_release_name_what_is_wrong(refused: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    few = tmp_path / "few.csv"
    few.write_text("".join(HIERARCHY.read_text(encoding="utf-8").splitlines(keepends=True)[:50]), encoding="utf-8")
    base = ["anonymise", NBA, "--mechanism", "sample", "--epsilon", "1", "--delta", "1e-5", "--out", out]
    assert "misses" not in refused(*base, "--hierarchy", f"salary={few}", "--level", "salary=9")
    assert "no level 9" in refused(*base, "--hierarchy", f"salary={HIERARCHY}", "--level", "salary=9")
    assert "no column" in refused(*base, "--hierarchy", f"wages={HIERARCHY}")
    assert "whole number" in refused(*base, "--hierarchy", f"salary={HIERARCHY}", "--level", "salary=x")
    assert "No column takes part" in refused(*base)
    # Level 0 of a salary: no two rows alike, everything is dropped.
    assert "Nothing was released" in refused(*base, "--hierarchy", f"salary={HIERARCHY}", "--level", "salary=0",
                                              "--group", "player", "--group", "year")  # fmt: skip
    assert not out.exists()
    assert "nba_salaries.csv" in refused(*release_of(NBA))
    assert "folder" in refused(*release_of(tmp_path / "nowhere" / "out.csv"))


def test_contradictions_and_slips_are_refused(refused: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    base = ["anonymise", NBA, "--epsilon", "1", "--delta", "1e-5", "--out", out, "--hierarchy", f"salary={HIERARCHY}"]
    assert "no hierarchy" in refused(*base, "--data-derived", "salry")
    assert "both" in refused(*base, "--group", "position", "--keep", "position")
    assert "both" in refused(*base, "--group", "salary")
    assert "did you mean anonymise?" in refused("anonymis")
    assert not out.exists()


def test_a_hierarchy_file_is_not_written_over(refused: Any, tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_bytes(HIERARCHY.read_bytes())
    refused("anonymise", NBA, "--hierarchy", f"salary={mine}", "--level", "salary=3", "--epsilon", "1", "--delta",
            "1e-5", "--out", mine)  # fmt: skip
    assert mine.read_bytes() == HIERARCHY.read_bytes()


def test_a_statement_that_cannot_be_written_leaves_no_release(refused: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    refused(*release_of(out, "--statement", tmp_path / "missing" / "s.html"))
    refused(*release_of(out, "--statement", out))
    refused(*release_of(out, "--statement", NBA))
    assert not out.exists()


def test_the_input_is_never_written_over(refused: Any) -> None:
    before = NBA.stat().st_mtime_ns
    refused(*release_of(NBA))
    assert NBA.stat().st_mtime_ns == before


def test_a_full_disk_leaves_no_half_file(refused: Any, tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    refused(*release_of(full))


def test_what_cannot_leave_is_refused_before_it_is_drawn(ask: Any, refused: Any, tmp_path: Path) -> None:
    out, ledger = tmp_path / "out.csv", tmp_path / "ledger"
    here = ("--ledger", ledger)
    said = []
    said.append(refused(*release_of(tmp_path / "nowhere" / "out.csv", *here)))
    said.append(refused(*release_of(NBA, *here)))
    said.append(refused(*release_of(out, "--statement", out, *here)))
    said.append(refused("anonymise", NBA, "--hierarchy", f"salary={HIERARCHY}", "--model", "k=5", *here,
                        "--out", tmp_path / "nowhere" / "out.csv"))  # fmt: skip
    assert all("folder" in one or "overwritten" in one for one in said), said
    ask("ledger", NBA, *here, "--set-budget", "0.5,1e-3", "--json")
    assert "budget" in refused(*release_of(out, *here))
    session = Session()
    session.ledger.use_file(ledger)
    session.data.open(NBA)
    assert session.ledger.looks(session.data.fingerprint) == ()
    assert not out.exists()


def test_the_kind_of_file_is_not_guessed(ask: Any, refused: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.pdf"
    assert "--out-format" in refused(*release_of(out))
    assert not out.exists()
    ask(*release_of(out, "--out-format", "csv"))
    assert out.read_text(encoding="utf-8").startswith("position,salary")


def test_a_column_that_is_kept_is_told_how_to_be_grouped(refused: Any, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out.csv"
    base = ["anonymise", NBA, "--epsilon", "1", "--delta", "1e-5", "--out", out, "--keep", "position"]
    assert "--group" in refused(*base)
    base += ["--hierarchy", f"salary={HIERARCHY}", "--level", "salary=3"]
    assert "--group position" in refused(*base)
    assert main([*map(str, base), "--without-claim"]) == 0
    assert "--group position" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["verify", str(NBA), "--statement", "missing.html"],
        ["verify", "missing.csv", "--model", "k=5"],
        ["audit", "--channel", "missing.csv"],
    ],
)
def test_files_that_are_not_there_are_told_in_words(refused: Any, words: list[str]) -> None:
    said = refused(*words)
    assert "There is no file “missing." in said
    assert "Errno" not in said


def test_a_message_does_not_follow_unfinished_progress(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    words = ["anonymise", NBA, "--where", "nothing = 1", "--group", "age", "--epsilon", "1", "--delta", "1e-5"]
    assert main([*map(str, words), "--out", str(tmp_path / "out.csv")]) == 2
    shown = capsys.readouterr().err
    assert " % " in shown  # there was progress
    assert shown.split("workbench: ")[0].endswith("\r\033[K")
