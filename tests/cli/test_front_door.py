"""What the program says before a command is at work: slips, spellings, help, versions, errors for programs, silence."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench import __version__
from workbench.cli.commands import COMMANDS, parser_of
from workbench.cli.conventions import ENVIRONMENT, EXIT_CODES
from workbench.cli.main import main
from workbench.core.paths import sample_data
from workbench.core.versions import licence_lines, licences_in_short
from workbench.query.catalogue import QUERIES

ROOT = Path(__file__).resolve().parents[2]
AGES = str(sample_data() / "ages.csv")
OURS_ALONE = {
    "WORKBENCH_RESTARTED": "tells a start that it is the second one",
}
"""Variables that the program sets itself, and nobody else has a use for."""

Said = tuple[int, str, str]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run a command: its exit code, what it printed, and what it said aside."""

    def run(*words: str) -> Said:
        try:
            code = main(list(words))
        except SystemExit as ended:
            code = int(ended.code or 0)
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["guarante", "--epsilon", "1"], "guarantee"),
        (["hierarchy", "biuld"], "build"),
        (["query", AGES, "--query", "count", "--epsilom", "1"], "--epsilon"),
        (["guarantee", "--accounting", "exac"], "exact"),
    ],
)
def test_a_slip_is_answered_with_what_was_meant(words: list[str], meant: str, say: Callable[..., Said]) -> None:
    code, printed, aside = say(*words)
    assert (code, printed) == (2, "")
    assert f"did you mean {meant}?" in aside
    assert len(aside.splitlines()) == 2


def test_a_word_too_many_and_a_value_that_begins_with_a_minus(say: Callable[..., Said]) -> None:
    assert "“b.csv” is a word too many." in say("profile", AGES, "b.csv")[2]
    assert "joined to it: --bounds=-5" in say("query", AGES, "--query", "mean", "--bounds", "-5,5")[2]
    assert "or ln 3.\n" in say("guarantee", "--epsilon", "much", "--delta", "0")[2]


def test_a_column_that_is_not_there_is_answered_with_those_that_are(say: Callable[..., Said]) -> None:
    code, _, aside = say("query", AGES, "--query", "mean", "--column", "agee", "--epsilon", "1")
    assert code == 2 and "There is no column “agee”." in aside and "The columns are: person, age" in aside


def test_both_spellings_are_one_command(say: Callable[..., Said]) -> None:
    other, usual = say("anonymize", "--help"), say("anonymise", "--help")
    assert other == usual and usual[0] == 0
    assert "anonymize" not in COMMANDS  # so that nothing is declared twice


@pytest.mark.parametrize("words", [["help", "guarantee"], ["guarantee", "-h"]])
def test_help_is_asked_for_in_two_ways(words: list[str], say: Callable[..., Said]) -> None:
    assert say(*words) == say("guarantee", "--help")


@pytest.mark.parametrize("name", [one.identifier for one in QUERIES.own])
def test_each_question_has_help_of_its_own(name: str, say: Callable[..., Said]) -> None:
    code, printed, _ = say("query", name, "--help")
    assert code == 0 and printed == say("query", AGES, "--query", name, "--help")[1]
    shown = {flag for flag in re.findall(r"^ +(--[a-z-]+)", printed, re.MULTILINE) if flag != "--bounds"}
    assert shown == {f"--{spec.name.replace('_', '-')}" for spec in QUERIES[name].parameters}
    assert shown <= set(
        parser_of({"query"}).parse_args(["query", AGES, "--query", name]).declared._option_string_actions
    )


def test_the_version_says_what_a_report_needs_and_names_nobody(say: Callable[..., Said]) -> None:
    code, printed, _ = say("--version")
    assert code == 0 and say("-V")[1] == printed
    assert printed.startswith(f"anonymisation workbench {__version__}\n")
    assert all(word in printed for word in ("Python 3.", "numpy 2.", "PySide6-Essentials 6.", "a checkout"))
    assert str(Path.home()) not in printed and "/" not in printed.replace("utf-8", "")


def test_the_help_of_the_program_ends_with_codes_and_variables(say: Callable[..., Said]) -> None:
    printed = say("--help")[1]
    assert all(f"  {code} " in printed and text in printed for code, text in EXIT_CODES.items())
    assert all(f"  {name} " in printed and text in printed for name, text in ENVIRONMENT.items())


def test_every_variable_the_program_reads_is_told() -> None:
    read: set[str] = set()
    for file in (ROOT / "workbench").rglob("*.py"):
        found = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        texts = [node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        read.update(text for text in texts if re.fullmatch(r"WORKBENCH_[A-Z]+", text))
    assert read == {name for name in ENVIRONMENT if name.startswith("WORKBENCH_")} | set(OURS_ALONE)


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (["query", AGES, "--query", "mean", "--column", "agee", "--epsilon", "1"], "agee"),
        (["query", AGES, "--query", "mean", "--epsilom", "1"], ""),
        (["profile", "no such file.csv"], "path"),
    ],
)
def test_an_error_for_programs_is_one_object(words: list[str], field: str, say: Callable[..., Said]) -> None:
    code, printed, aside = say(*words, "--json")
    assert (code, printed) == (2, "")
    assert aside.count("\n") == 1
    told = json.loads(aside)
    assert set(told) == {"schema", "error", "notes", "charged"} and set(told["error"]) == {"message", "hint", "field"}
    assert told["error"]["message"] and (told["error"]["field"] == field or field == "path")
    assert told["charged"] == []
    plain = say(*words)[2]
    assert all(line in plain for line in told["error"]["message"].splitlines())


def test_what_was_charged_all_the_same_is_in_the_object(
    say: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.cli import main as entrance
    from workbench.cli.printing import NotPrinted

    def broken(*_: object, **__: object) -> None:
        raise NotPrinted("whoever reads it has left")

    monkeypatch.setattr(entrance, "print_answer", broken)
    words = ["query", AGES, "--query", "count", "--epsilon", "0.5", "--ledger", str(tmp_path / "l.jsonl"), "--json"]
    code, _, aside = say(*words)
    told = json.loads(aside)
    assert code == 2 and told["charged"][0]["epsilon"] == "0.5" and told["charged"][0]["answer_kept"] is True


def test_quiet_prints_nothing_of_what_is_on_the_disk(say: Callable[..., Said], tmp_path: Path) -> None:
    spec = ROOT / "resources" / "hierarchies" / "age.json"
    words = ["hierarchy", "build", str(spec), "--data", AGES, "--column", "age", "--out", str(tmp_path / "h.csv")]
    assert say(*words, "--quiet") == (0, "", "")
    assert (tmp_path / "h.csv").is_file()
    code, printed, _ = say("guarantee", "--epsilon", "1", "--delta", "1e-5", "--quiet")
    assert code == 0 and printed  # what is asked for is what it prints


def test_each_library_has_a_licence_in_one_line() -> None:
    found = dict(line.split(": ", 1) for line in licence_lines())
    assert {"Python", "numpy", "matplotlib", "PySide6-Essentials"} <= set(found)
    assert {"pillow", "contourpy", "shiboken6"} <= set(found), "and what these need is brought along, too"
    assert not {"pytest", "mypy", "sphinx"} & set(found)
    assert sorted(name for line in licences_in_short() for name in line.rpartition(": ")[2].split(", ")) == sorted(
        found
    )
    assert all(text and "\n" not in text and text != "OSI Approved" for text in found.values())


def test_the_licences_are_printed_one_in_a_line(say: Callable[..., Said]) -> None:
    code, printed, _ = say("--licences")
    assert code == 0 and printed.splitlines() == licence_lines()
