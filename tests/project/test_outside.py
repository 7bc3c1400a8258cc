"""A project that opens data outside its own folder says so once; a person's own data is theirs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.paths import sample_data
from workbench.project.outside import choose, is_outside
from workbench.project.storage import load_project, save_project
from workbench.session import Session


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project in a folder of its own, whose data lies elsewhere."""
    (tmp_path / "gift").mkdir()
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(50)), encoding="utf-8")
    session = Session()
    session.data.open(data)
    session.save(tmp_path / "gift" / "p.wbench")
    return tmp_path / "gift" / "p.wbench"


@pytest.mark.parametrize(
    ("named", "outside"),
    [
        ("gift/p.csv", False),
        ("gift/parts/*.csv", False),
        ("people.csv", True),
        ("gift/../people.csv", True),
        ("*/p.csv", True),
        ("/etc/passwd", True),
        ("gift2/p.csv", True),
        ("gift/a\0b", False),
        ("gift/\ud800", False),
        ("\ud800", True),
    ],
)
def test_what_lies_outside(tmp_path: Path, named: str, outside: bool) -> None:
    assert is_outside(tmp_path / named, tmp_path / "gift" / "p.wbench") is outside


def test_a_link_leads_outside_and_samples_are_the_programs(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "gift", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / "link").symlink_to(elsewhere)
    assert is_outside(folder / "link" / "p.csv", folder / "p.wbench")
    assert not is_outside(sample_data() / "ages.csv", folder / "p.wbench")


def test_data_that_was_chosen_here_is_not_spoken_of(tmp_path: Path) -> None:
    data, project = tmp_path / "people.csv", tmp_path / "gift" / "p.wbench"
    assert is_outside(data, project)
    choose(data)
    assert not is_outside(data, project)
    assert is_outside(tmp_path / "others.csv", project)


def test_what_was_chosen_is_kept_on_a_computer_without_folders_for_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "new" / variable.lower()))
    choose(tmp_path / "people.csv")
    assert not is_outside(tmp_path / "people.csv", tmp_path / "gift" / "p.wbench")


def test_a_command_says_it_once(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = f"This project opens {tmp_path / 'people.csv'}, outside its own folder."
    asked = ["query", str(project), "--query", "count", "--epsilon", "1"]
    main(asked)
    heard = capsys.readouterr()
    assert heard.err.count(said) == 1 and said not in heard.out
    main(asked)
    assert said not in capsys.readouterr().err


def test_a_command_on_data_beside_the_project_says_nothing(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = load_project(project)
    assert known.data is not None
    beside = project.with_name("people.csv")
    beside.write_bytes((tmp_path / "people.csv").read_bytes())
    save_project(replace(known, data=replace(known.data, path=str(beside))), project)
    main(["query", str(project), "--query", "count", "--epsilon", "1"])
    assert "outside" not in capsys.readouterr().err
