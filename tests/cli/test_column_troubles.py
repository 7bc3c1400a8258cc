"""What the window says of columns when a file is opened, the command line says too, with the option that mends it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main
from workbench.core.schema import Format, Kind
from workbench.project.storage import load_project

ROWS = ["team;pay;born"] + [f"T{n % 3};{amount};{born}" for n in range(45)
                            for amount, born in ((f"{30 + n}150", "unknown" if n == 3 else f"{1 + n % 28:02}.03.1980"),
                                                 (f"{30 + n}.250 €", "01.04.1981"))]  # fmt: skip


@pytest.fixture
def staff(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "staff.csv"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    return path


def test_a_project_is_refused_until_it_is_said_how_numbers_are_written(
    staff: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["project", "new", "p.wbench", "--data", "staff.csv"]) == 2
    said = capsys.readouterr().err
    assert "“pay”" in said and "30,250 or 30.25" in said and not Path("p.wbench").exists()
    for flag, written in (("pay=1.234,50 €", Format(",", ".", "€")), ("pay=1234.50 €", Format(".", "", "€"))):
        assert f"--format '{flag}'" in said
        assert main(["project", "new", "p.wbench", "--data", "staff.csv", "--force", "--format", flag]) == 0
        column = load_project(Path("p.wbench")).schema["pay"]
        assert (column.kind, column.format) == (Kind.MONEY, written)
    assert main(["project", "new", "q.wbench", "--data", "staff.csv", "--kind", "pay=money"]) == 2
    assert main(["project", "new", "q.wbench", "--data", "staff.csv", "--kind", "pay=text"]) == 0


def test_a_word_for_no_value_is_said_with_the_option_that_mends_it(
    staff: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = ["project", "new", "p.wbench", "--data", "staff.csv", "--format", "pay=1.234,50 €", "--force"]
    assert main(new) == 0
    said = capsys.readouterr().err
    assert "“born”: “unknown” looks like no value" in said and "--missing-text born=unknown" in said
    assert "pay" not in said
    assert main([*new, "--missing-text", "born=unknown"]) == 0
    assert "unknown" not in capsys.readouterr().err


def test_other_commands_say_how_doubtful_numbers_are_read(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release = ["anonymise", "staff.csv", "--group", "team", "--epsilon", "1", "--delta", "0.001", "--out", "a.csv"]
    for command in (["profile", "staff.csv"], [*release, "--without-claim"]):
        assert main(command) == 0, command
        said = capsys.readouterr().err
        assert "30,250 or 30.25" in said and "--format 'pay=1.234,50 €'" in said, command
        assert main([*command, "--format", "pay=1.234,50 €", "--quiet"]) == 0 or "--out" in command
        assert "30.25" not in capsys.readouterr().err


BOUNDS = ["--bounds", "0,100000"]
NUMBERS = {
    "mean": ["query", "staff.csv", "--query", "mean", "--column", "pay", *BOUNDS, "--epsilon", "1"],
    "plan": ["query", "staff.csv", "--query", "sum", "--column", "pay", *BOUNDS, "--epsilon", "1", "--plan"],
    "filter": ["query", "staff.csv", "--query", "count", "--where", "pay > 40000", "--epsilon", "1"],
    "filters": ["query", "staff.csv", "--query", "above-threshold", "--questions", "pay > 40000", "--epsilon", "1"],
    "groups": ["query", "staff.csv", "--query", "group-by", "--by-column", "team", "--by-keys", "T0,T1,T2",
               "--statistic", "mean", "--column", "pay", *BOUNDS, "--epsilon", "1"],
    "batch": ["query", "staff.csv", "--batch", "batch.json"],
    "survey": ["collect", "staff.csv", "--column", "pay", *BOUNDS, "--bins", "4", "--protocol", "grr",
               "--epsilon", "1"],
    "reports": ["collect", "staff.csv", "--column", "pay", *BOUNDS, "--bins", "4", "--protocol", "grr",
                "--epsilon", "1", "--reports", "out.csv"],
    "some rows": ["collect", "staff.csv", "--column", "team", "--domain", "T0,T1,T2", "--where", "pay > 40000",
                  "--protocol", "grr", "--epsilon", "1", "--reports", "out.csv"],
    "comparison": ["compare", "comparison.json", "--data", "staff.csv", "--out", "out.csv"],
    "figure": ["preset", "surgery-mean", "--data", "staff.csv", "--column", "pay", "--out", "out.csv"],
    "hierarchy": ["hierarchy", "build", "rule.json", "--data", "staff.csv", "--column", "pay", "--out", "out.csv"],
    "kept": ["anonymise", "staff.csv", "--group", "pay", "--epsilon", "1", "--delta", "0.001", "--out", "out.csv"],
    "sensitive": ["anonymise", "staff.csv", "--model", "t-closeness=0.5:pay", "--out", "out.csv"],
}  # fmt: skip


OF_THE_ANALYST = {"comparison", "figure", "hierarchy", "sensitive"}


@pytest.mark.parametrize("name", NUMBERS)
def test_what_uses_numbers_with_two_readings_is_refused_before_anything_is_spent_or_written(
    staff: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"column": "pay", "lower": "0", "upper": "100000"}
    Path("batch.json").write_text(json.dumps({"epsilon": "1", "questions": [{"kind": "sum", "values": asked}]}))
    question = {"figure": "mean", "column": "pay", "encoding": {"bounds": [0, 100000]}}
    spec = {"question": question, "methods": ["global-grid"], "places": [1], "repetitions": 2, "axis": "epsilon"}
    Path("comparison.json").write_text(json.dumps(spec))
    Path("rule.json").write_text("{}")
    command = NUMBERS[name]
    assert main([*command, "--json"]) == 2
    captured = capsys.readouterr()
    assert "--format 'pay=1.234,50 €'" in captured.err and not captured.out
    # One row can bring it about; whoever may not see values is told of none.
    said = "30,250 or 30.25" if name in OF_THE_ANALYST else "some numbers can be read in two ways"
    assert said in captured.err
    quoted = [number for n in range(30, 75) for number in (f"{n}150", f"{n},150", f"{n}.250", f"{n},250")]
    assert name in OF_THE_ANALYST or not any(number in captured.err for number in quoted)
    assert not Path("out.csv").exists()
    assert main(["ledger", "staff.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["entries"] == []


@pytest.mark.parametrize("name", ["mean", "filter", "batch", "reports", "some rows", "kept"])
def test_what_is_typed_of_a_column_settles_it(staff: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"column": "pay", "lower": "0", "upper": "100000", "resolution": "1"}
    Path("batch.json").write_text(json.dumps({"epsilon": "30", "questions": [{"kind": "mean", "values": asked}]}))
    # As large as it may be of a release, so that one with no rows, by chance, is no false alarm.
    command = [word if word != "1" else "9" if name == "kept" else "30" for word in NUMBERS[name]]
    for flag, mean in (("pay=1.234,50 €", 52_200), ("pay=1234.50 €", 26_100)):
        if Path("out.csv").is_file():
            Path("out.csv").unlink()
        assert main([*command, "--format", flag, "--json"]) == 0, capsys.readouterr().err
        found = json.loads(capsys.readouterr().out)
        if name in ("mean", "batch"):
            assert found["answer"] == pytest.approx(mean, rel=0.05)


def test_other_columns_are_asked_of_without_a_word(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", "staff.csv", "--query", "count", "--where", "team = 'T1'", "--epsilon", "1"]) == 0
    assert not capsys.readouterr().err


def test_a_project_said_it_already(staff: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["project", "new", "p.wbench", "--data", "staff.csv", "--format", "pay=1.234,50 €"]) == 0
    command = ["p.wbench" if word == "staff.csv" else word for word in NUMBERS["mean"]]
    assert main([*command, "--epsilon", "50", "--resolution", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["answer"] == pytest.approx(52_200, rel=0.05)
    assert main(["profile", "staff.csv", "--project", "p.wbench", "--format", "pay=1.234,50 €"]) == 2
    assert "said by the project" in capsys.readouterr().err


def test_pseudonyms_leave_numbers_as_they_stand(staff: Path, tmp_path: Path) -> None:
    """Nothing is read of them, so nothing can be misread: whoever gets the file decides."""
    key = tmp_path / "keys" / "key.pem"
    key.parent.mkdir()
    assert main(["pseudonymise", "--new-key", "--key", str(key)]) == 0
    (tmp_path / "given").mkdir()
    given = tmp_path / "given" / "out.csv"
    assert main(["pseudonymise", "staff.csv", "--column", "team", "--key", str(key), "--out", str(given)]) == 0
    pay = sorted(line.split(",")[1] for line in given.read_text(encoding="utf-8").splitlines())
    assert pay == sorted(line.split(";")[1] for line in ROWS)


def test_a_release_that_promises_something_is_told_nothing_of_columns_that_decide_nothing(
    staff: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One row can bring it about, and its value would be told before a draw that is to hide it."""
    release = ["anonymise", "staff.csv", "--group", "team", "--epsilon", "1", "--delta", "0.001", "--out", "a.csv"]
    assert main(release) == 0
    assert "pay" not in capsys.readouterr().err


def test_a_file_in_order_is_read_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plain.csv").write_text("a,b\n" + "".join(f"{n},{n}.5\n" for n in range(30)), encoding="utf-8")
    ask("project", "new", "p.wbench", "--data", "plain.csv")
    assert not capsys.readouterr().err


def test_what_is_said_of_values_before_a_look_is_documented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One row more is told of by `project new`, as the window does where a file is read: no other way is promised."""
    monkeypatch.chdir(tmp_path)
    said = []
    days = "".join(f"{1 + day % 28:02}.03.1980\n" for day in range(45))
    for rows in (days, f"{days}unknown\n"):
        Path("x.csv").write_text(f"born\n{rows}", encoding="utf-8")
        assert main(["project", "new", "p.wbench", "--data", "x.csv", "--force"]) == 0
        said.append(capsys.readouterr().err)
    assert "“unknown” looks like no value" in said[1] and not said[0]
    text = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    promised = text[text.index("Before a look at the data is recorded") :].split("): ", 1)[0]
    assert "follows from no value" in promised and "`project new`" in promised
