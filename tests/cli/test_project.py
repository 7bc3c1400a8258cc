"""A project is made, changed, shown and checked without the window, and is the one that the window would save."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.column_options import format_of
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Format, Kind, Role
from workbench.project import setting_paths
from workbench.project.model import GuaranteeSettings, new_project
from workbench.project.storage import load_project
from workbench.session import Session

ROWS = ["town,age,paid,day"] + [f"{town},{20 + n % 9},\"1.{n % 7}00,50 €\",0{1 + n % 9}.02.2024"
                                for n in range(60) for town in ("Aarau", "Basel")]  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    (tmp_path / "town.csv").write_text("Aarau;*\nBasel;*\n", encoding="utf-8")
    return path


def test_a_project_of_the_command_line_is_the_one_of_the_window(
    data: Path, ask: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "p.wbench"
    ask(
        *("project", "new", path, "--data", data, "--kind", "age=integer", "--column-bounds", "age=0,120"),
        *("--domain", "town=Aarau, Basel", "--missing-text", "town=n.a.", "--missing-text", "town=-"),
        *("--unit", "age=years", "--misfits", "age=missing"),
        *("--role", "town=quasi-identifying", "--role", "paid=sensitive"),
        *("--hierarchy", f"town={tmp_path / 'town.csv'}", "--group", "age", "--leave-out", "day"),
        *("--epsilon", "0.5", "--where", "age >= 21", "--rows-per-person", "2"),
    )  # fmt: skip
    window = Session(new_project())
    window.data.open(data)
    desk = window.data
    desk.set_kind(["age"], Kind.INTEGER)
    desk.set_bounds("age", (0, 120))
    desk.set_missing(["town"], ["", "n.a.", "-"])
    desk.set_domain("town", ["Aarau", "Basel"])
    desk.set_unit_text("age", "years")
    desk.set_misfits("age", "missing")
    desk.set_role(["town"], Role.QUASI)
    desk.set_role(["paid"], Role.SENSITIVE)
    kept = load_project(path)
    by_name = {one.name: one for one in kept.schema.columns}
    assert by_name == {one.name: one for one in window.project.schema.columns}
    assert kept.schema.unit.rows_per_person == 2 and kept.preparation.where == "age >= 21"
    assert kept.anonymise.guarantee == GuaranteeSettings(epsilon=0.5)
    assert list(kept.hierarchies) == ["town"]


def test_setting_one_thing_leaves_the_others(data: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    ask("project", "new", path, "--data", data, "--suggested-hierarchies", "--role", "age=quasi-identifying")
    before = ask("project", "show", path)
    after = ask("project", "set", path, "--set", "anonymise.trim.floor=3", "--set", "collect.column=age")
    changed = {name for name, value in after["settings"].items() if value != before["settings"][name]}
    assert changed == {"anonymise.trim.floor", "collect.column"}
    others = {"schema", "settings", "out", "project", "hierarchies", "rules"}  # each answer names its own schema
    assert {name: one for name, one in after.items() if name not in others} == {
        name: one for name, one in before.items() if name not in others
    }
    assert list(before["rules"]) == ["age"]  # what is built over the data is kept as its rule
    none = ask("project", "set", path, "--no-hierarchy", "age")
    assert not none["rules"] and not none["hierarchies"]


def test_every_setting_can_be_set_to_what_it_is() -> None:
    project = new_project()
    known = setting_paths.paths(project)
    assert {name.partition(".")[0] for name in known} == set(setting_paths.PLACES)
    for path, value in known.items():
        if value != {}:
            assert setting_paths.changed(project, path, json.dumps(value)) == project, path


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("collect.bins", "24", "collect.encoding.bins"),
        ("nothing", "1", "They begin with"),
        ("collect.encoding.bins", "blue", "cannot be collect.encoding.bins"),
        ("anonymise.guarantee", "1", "cannot be anonymise.guarantee"),
    ],
)
def test_a_setting_that_is_none_is_refused_in_words(path: str, text: str, said: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        setting_paths.changed(new_project(), path, text)
    assert said in str(refused.value)


def test_show_reads_no_data(data: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    ask("project", "new", path, "--data", data)
    data.unlink()
    assert [one["name"] for one in ask("project", "show", path)["columns"]] == ["town", "age", "paid", "day"]


def test_check_ends_with_1_where_a_project_does_not_fit_or_can_claim_nothing(
    data: Path, ask: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "p.wbench"
    town = f"town={tmp_path / 'town.csv'}"
    ask("project", "new", path, "--data", data, "--hierarchy", town)
    assert ask("project", "check", path)["claim"] is True
    with data.open("a", encoding="utf-8") as more:
        more.write('Chur,22,"1.100,50 €",01.02.2024\n')
    assert ask("project", "check", path)["looked"] is False  # nothing of the values before a look
    found = ask("project", "check", path, "--analyst", code=1)
    assert not found["fits"] and "misses 1 value that occurs" in found["problems"][0]
    assert found["looked"] is found["recorded"] is True and Session.from_file(path).project.looks
    assert ask("project", "check", path, code=1)["problems"] == found["problems"]  # the look is recorded
    ask("project", "set", path, "--keep", "age", "--set", "anonymise.mechanism=null")
    assert ask("project", "check", path, code=1)["claim"] is False


def test_a_project_is_not_made_over_another(data: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    ask("project", "new", path, "--data", data, "--epsilon", "0.5")
    assert "is there already" in ask("project", "new", path, "--data", data, code=2)["error"]["message"]
    assert load_project(path).anonymise.guarantee.epsilon == 0.5
    ask("project", "new", path, "--data", data, "--force")
    assert load_project(path).anonymise.guarantee.epsilon == 1
    assert "p.wbench" in ask("project", "new", tmp_path / "p.zip", "--data", data, code=2)["error"]["hint"]


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        ("1234", Kind.INTEGER, Format()),
        ("1.234,50 €", Kind.MONEY, Format(",", ".", "€")),
        ("$1,234", Kind.MONEY, Format(".", ",", "$")),
        ("1 234,5", Kind.DECIMAL, Format(",", " ")),
        ("1.234", Kind.INTEGER, Format(",", ".")),
        ("%d.%m.%Y", Kind.DATE, Format(pattern="%d.%m.%Y")),
    ],
)
def test_an_example_says_how_a_column_is_written(text: str, kind: Kind, wanted: Format) -> None:
    assert format_of(text, kind, "paid") == wanted


@pytest.mark.parametrize(("text", "kind"), [("12,5", Kind.DECIMAL), ("1234", Kind.TEXT)])
def test_what_is_no_example_is_refused(text: str, kind: Kind) -> None:
    with pytest.raises(WorkbenchError):
        format_of(text, kind, "paid")


def test_a_release_takes_what_is_declared_of_columns(data: Path, ask: Callable[..., Any], tmp_path: Path) -> None:
    words = ["anonymise", data, "--hierarchy", f"town={tmp_path / 'town.csv'}", "--out", tmp_path / "r.csv"]
    backwards = ask(*words, "--column-bounds", "age=120,0", code=2)
    assert "lower bound of “age”" in backwards["error"]["message"]
    unknown = ask(*words, "--kind", "age=whole", code=2)
    assert "none of integer, decimal" in unknown["error"]["message"] and not (tmp_path / "r.csv").exists()
    filtered = ask(*words, "--kind", "age=date", "--format", "age=%d", "--where", "age > 2000", code=2)
    assert "age" in filtered["error"]["message"]
    assert ask(*words, "--where", "age > 20")["claim"] is True


PEOPLE = ["Staff no,Name,team,pay"] + [f"{1000 + n},N{n} Ott,T{n % 3},{n % 7}" for n in range(60)]


@pytest.fixture
def staff(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "staff.csv"
    path.write_text("\n".join(PEOPLE) + "\n", encoding="utf-8")
    return path


def test_hierarchies_without_roles_pass_over_what_seems_to_identify(
    staff: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = ["project", "new", "p.wbench", "--data", "staff.csv", "--suggested-hierarchies", "--force"]
    assert main(new) == 0
    said = capsys.readouterr()
    assert "No hierarchy is built for Staff no, Name" in said.err
    assert "Left out of a release: Staff no, Name (not decided, no hierarchy)." in said.out
    assert set(load_project(Path("p.wbench")).rules) == {"team", "pay"}
    assert main([*new, "--role", "Name=identifying", "--role", "Staff no=insensitive"]) == 0
    said = capsys.readouterr()
    assert "seem" not in said.err and "Name (identifying)" in said.out
    assert set(load_project(Path("p.wbench")).rules) == {"Staff no", "team", "pay"}


def test_which_columns_get_a_hierarchy_does_not_depend_on_how_many_share_a_value(
    staff: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = ["project", "new", "p.wbench", "--data", "staff.csv", "--suggested-hierarchies", "--force"]
    unique = [f"N{n} Ott,hall {n},T{n % 3}" for n in range(60)]
    told = []
    for people in (unique, [*unique, unique[0]]):
        staff.write_text("\n".join(["Name,place,team", *people, ""]), encoding="utf-8")
        assert main(new) == 0
        told.append((capsys.readouterr(), set(load_project(Path("p.wbench")).rules)))
    assert told[0] == told[1] and told[0][1] == {"place", "team"}
    assert "No hierarchy is built for Name:" in told[0][0].err


def test_a_check_says_what_a_run_would_say(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["project", "new", "p.wbench", "--data", "staff.csv", "--role", "pay=sensitive"]) == 0
    assert "pay (sensitive, no hierarchy)" in capsys.readouterr().out
    assert main(["project", "check", "p.wbench"]) == 1
    said = capsys.readouterr().out
    assert "A run would be refused:" in said and "No column takes part in the release." in said
    assert "could claim" not in said and "does not fit" not in said
    assert main(["run", "p.wbench", "--data", "staff.csv", "--out", "made"]) == 2
    assert "No column takes part in the release." in capsys.readouterr().err


def test_a_check_is_told_that_the_number_is_known(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["project", "new", "p.wbench", "--data", "staff.csv", "--group", "team", "--epsilon", "1"]) == 0
    capsys.readouterr()
    main(["project", "check", "p.wbench", "--known", "people"])
    checked = capsys.readouterr().out
    assert "A run could claim (2, " in checked and "for replacing one person by another" in checked
    assert "Left out of a release: Staff no, Name, pay" in checked
    made = ["run", "p.wbench", "--data", "staff.csv", "--out", "made", "--known", "people", "--ledger", "l.jsonl"]
    assert main(made) == 0
    ran = capsys.readouterr().out
    assert "It counts as (2, " in ran and "the number of people is known" in ran and "Left out of a release" in ran
    assert main(["ledger", "staff.csv", "--ledger", "l.jsonl"]) == 0
    assert "(counts as 2, " in capsys.readouterr().out


def test_a_ledger_lists_looks(staff: Path, ask: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    ask("project", "new", "p.wbench", "--data", "staff.csv", "--group", "team")
    assert ask("ledger", "staff.csv")["looks"] == []
    main(["project", "check", "p.wbench", "--analyst"])
    capsys.readouterr()
    (look,) = ask("ledger", "staff.csv")["looks"]
    assert look["what"] == "values"
    main(["ledger", "staff.csv"])
    assert f"{look['time'][:10]} " in (said := capsys.readouterr().out) and "look at the data: values" in said
    assert main(["run", "p.wbench", "--data", "staff.csv", "--out", "made"]) == 2
    assert "with (ε, δ) for its choices as they are and no more, add --without-claim" in capsys.readouterr().err


def test_a_check_says_what_to_expect_where_no_row_decides_it(
    data: Path, ask: Callable[..., Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.wbench"
    ask("project", "new", path, "--data", data, "--hierarchy", f"town={tmp_path / 'town.csv'}")
    main(["project", "check", str(path)])
    assert "no row was read" in (said := capsys.readouterr().out) and "survives half of the time" in said
    ask("project", "set", path, "--suggested-hierarchies", "--role", "age=quasi-identifying")
    main(["project", "check", str(path)])
    assert "survives" not in capsys.readouterr().out, "how many values occur is counted in the rows"
