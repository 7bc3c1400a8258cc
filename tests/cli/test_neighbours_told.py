"""Two tables that differ in the rows of one person get the same answer of a command before a look: words and codes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.session import Session
from workbench.session.release.assessment import assess

Change = Callable[[list[str]], list[str]]
Answer = tuple[int, str, str]

CITIES = ("Bern", "Basel", "Biel")


def row(number: int) -> str:
    return f"P{number:04},{20 + number % 60},{CITIES[number % 3]},{20_000 + 100 * (number % 40)}"


ROWS = [row(40), *(row(number) for number in range(1, 329))]
"""One person has two rows."""

NEIGHBOURS: dict[str, Change] = {
    "a row with what occurs nowhere else": lambda rows: [*rows, "P9999,101,Uri,987654"],
    "a row like many others": lambda rows: [*rows, f"P9999{rows[7][5:]}"],
    "a third row of somebody": lambda rows: [*rows, rows[40]],
    "a row with missing values": lambda rows: [*rows, "P9999,,,"],
    "a row less": lambda rows: rows[:-1],
    "another row in its place": lambda rows: [*rows[:-1], "P9999,1,Zug,1"],
}


@pytest.fixture
def told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[Answer]]:
    """What commands say of a table, one after the other, in a folder and with ledgers of its own."""
    places = iter(range(99))

    def run(change: Change, *commands: str) -> list[Answer]:
        here = tmp_path / f"{next(places)}"
        home = here / "people"
        home.mkdir(parents=True)
        monkeypatch.chdir(home)
        monkeypatch.setenv("WORKBENCH_LEDGERS", str(here / "ledgers"))
        lines = ["who,age,city,salary", *change(list(ROWS)), ""]
        Path("staff.csv").write_text("\n".join(lines), encoding="utf-8")
        Path("city.csv").write_text("".join(f"{city};{city[0]};*\n" for city in CITIES), encoding="utf-8")
        for file in home.iterdir():
            os.utime(file, (1e9, 1e9))
        answers = []
        for command in commands:
            code, said = main(command.split()), capsys.readouterr()
            answers.append((code, said.out.replace(str(home), "HERE"), said.err.replace(str(home), "HERE")))
        return answers

    return run


MADE = "project new p.wbench --data staff.csv --hierarchy city=city.csv"
PROJECTS = {
    "trimmed": f"{MADE} --column-bounds age=0,120 --group salary",
    "sampled": f"{MADE} --set anonymise.mechanism=sample --set anonymise.guarantee.beta=0.5",
    "of several rows": f"{MADE} --person who --rows-per-person 2",
    "with values that stop": f"{MADE} --misfits city=stop --domain city=Bern,Basel,Biel --misfits age=stop",
    "of some rows": f"{MADE} --where age>30",
    "with privacy models": f"{MADE} --set anonymise.approach=syntactic",
}


@pytest.mark.parametrize("project", PROJECTS)
def test_a_check_of_a_project_says_nothing_of_the_values(told: Callable[..., list[Answer]], project: str) -> None:
    commands = (PROJECTS[project], "project check p.wbench", "project check p.wbench --json")
    usual = told(lambda rows: rows, *commands)
    assert all(code < 2 for code, _, _ in usual), usual
    for name, change in NEIGHBOURS.items():
        assert told(change, *commands) == usual, name


def test_a_check_tells_what_is_missed_once_a_look_is_recorded(told: Callable[..., list[Answer]]) -> None:
    unseen = NEIGHBOURS["a row with what occurs nowhere else"]
    stops = "project set p.wbench --misfits city=stop --domain city=Bern,Basel,Biel"
    check = "project check p.wbench"
    _, asked, again, _, stopped = told(unseen, MADE, f"{check} --analyst", check, stops, check)
    assert asked[0] == 1 and "misses 1 value that occurs" in asked[1] and "This was a look at the data" in asked[1]
    assert again[0] == 1 and "misses 1 value that occurs" in again[1]
    assert stopped[0] == 1 and "“city”" in stopped[1] and "Uri" not in stopped[1], stopped


def test_commands_that_count_in_the_true_rows_say_that_it_is_the_analysts(told: Callable[..., list[Answer]]) -> None:
    hierarchy = "hierarchy check city.csv --data staff.csv --column city"
    profile, checked, alone, named, after = told(
        lambda rows: rows,
        "profile staff.csv",
        hierarchy,
        "hierarchy check city.csv",
        f"{MADE} --epsilon 1",
        "project check p.wbench --json",
    )
    assert "For the analyst only" in profile[1] and "For the analyst only" in checked[1]
    assert "analyst" not in alone[1] and '"looked": false' in after[1], named
    _, profile, after = told(
        lambda rows: rows, MADE, "profile staff.csv --project p.wbench --json", "project check p.wbench --json"
    )
    assert '"recorded": true' in profile[1] and '"looked": true' in after[1]


MODELS = f"{MADE} --set anonymise.approach=syntactic"
STOPS = f"{MODELS} --misfits city=stop --domain city=Bern,Basel,Biel"


@pytest.mark.parametrize("made", [MODELS, STOPS], ids=["missed by the hierarchy", "not fitting"])
def test_what_privacy_models_refuse_by_values_is_a_look(told: Callable[..., list[Answer]], made: str) -> None:
    unseen = NEIGHBOURS["a row with what occurs nowhere else"]
    run = "run p.wbench --data staff.csv --out made"
    _, before, refused, after = told(
        unseen, made, "project check p.wbench --json", run, "project check p.wbench --json"
    )
    assert '"looked": false' in before[1]
    assert refused[0] == 2 and "Uri" in refused[2] and '"looked": true' in after[1]


@pytest.mark.parametrize("made", [MODELS, STOPS], ids=["missed by the hierarchy", "not fitting"])
def test_before_privacy_models_are_tried_nothing_is_told_of_values(
    told: Callable[..., list[Answer]], made: str
) -> None:
    found = []
    for change in (list, *NEIGHBOURS.values()):
        told(change, made)
        session = Session.from_file(Path("p.wbench"))
        session.data.open(Path("staff.csv"))
        assessed = assess(session)
        found.append((str(assessed.error), dict(assessed.uncovered), assessed.grouped, assessed.can_run))
    assert all(one == found[0] for one in found), found


def test_the_first_command_for_models_that_is_refused_is_a_look(told: Callable[..., list[Answer]]) -> None:
    unseen = NEIGHBOURS["a row with what occurs nowhere else"]
    search = "anonymise staff.csv --model k=5 --hierarchy city=city.csv --out k.csv"
    _, refused, after = told(unseen, MADE, search, "project check p.wbench --json")
    assert refused[0] == 2 and '"looked": true' in after[1]


RULE = """{"format": "workbench-hierarchy-spec", "version": 1, "builder": "intervals", "parameters": {"whole": true},
"details": {"intervals": [{"from": 900000, "to": 900100}], "levels": [{"group": 1, "function": "bounds"}]%s}}"""
RULES = {
    "covers none": ("city", RULE % ""),
    "calls all wrong": ("salary", RULE % ', "lowest": {"error": 900000}'),
    "calls one wrong": ("salary", RULE % ', "highest": {"error": 900000}'),
}


@pytest.mark.parametrize("suggested", [False, True])
def test_whether_a_rule_reaches_any_number_is_not_told(
    told: Callable[..., list[Answer]], tmp_path: Path, suggested: bool
) -> None:
    """The intervals are at fault where they reach none; a number that is too far away for all is in none, as a word."""
    rule = RULE.replace('"whole": true', '"whole": false') % ""
    (file := tmp_path / "rule.json").write_text(rule.replace("900000", "0").replace("900100", "10"), encoding="utf-8")
    made = "project new p.wbench --data staff.csv --kind city=decimal --role city=quasi-identifying"
    commands = (f"{made} --suggested-hierarchies" if suggested else f"{made} --hierarchy city={file}",)
    usual = told(list, *commands)
    assert usual[0][0] == 0, usual
    assert told(lambda rows: [*rows, "P9999,101,1e22,20000"], *commands) == usual


@pytest.mark.parametrize("rule", RULES)
def test_what_a_rule_covers_or_calls_wrong_is_not_told_by_a_new_project(
    told: Callable[..., list[Answer]], tmp_path: Path, rule: str
) -> None:
    column, text = RULES[rule]
    (file := tmp_path / "rule.json").write_text(text, encoding="utf-8")
    commands = (
        f"project new p.wbench --data staff.csv --kind {column}=integer --hierarchy {column}={file}",
        "project check p.wbench",
    )
    usual = told(list, *commands)
    assert [code for code, _, _ in usual] == [0, 0], usual
    changes = {**NEIGHBOURS, "a row that it covers": lambda rows: [*rows, "P9999,101,900050,900050"]}
    for name, change in changes.items():
        assert told(change, *commands) == usual, name


def test_a_rule_that_is_said_to_be_made_from_the_data_is_claimed_nothing_for(
    told: Callable[..., list[Answer]], tmp_path: Path
) -> None:
    (file := tmp_path / "rule.json").write_text(RULE % "", encoding="utf-8")
    made = f"project new p.wbench --data staff.csv --kind salary=integer --hierarchy salary={file}"
    said, checked = told(list, f"{made} --data-derived salary", "project check p.wbench")
    assert "(data-derived)" in said[1] and checked[0] == 1 and "made from the data" in checked[1], checked
