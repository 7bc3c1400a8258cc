"""What the window says of columns when a file is opened, the command line says too, with the option that mends it."""

from __future__ import annotations

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
    for command in (
        ["profile", "staff.csv"],
        ["anonymise", "staff.csv", "--keep", "pay", "--without-claim", "--out", "a.csv"],
    ):
        main(command)
        said = capsys.readouterr().err
        assert "30,250 or 30.25" in said and "--format 'pay=1.234,50 €'" in said, command


def test_a_file_in_order_is_read_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plain.csv").write_text("a,b\n" + "".join(f"{n},{n}.5\n" for n in range(30)), encoding="utf-8")
    ask("project", "new", "p.wbench", "--data", "plain.csv")
    assert not capsys.readouterr().err
