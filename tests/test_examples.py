"""Every example of README.md, docs/commands.md and of `--help` ends with 0, read from the texts themselves."""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kept import recording
from workbench.cli.commands import whole_parser
from workbench.cli.main import main
from workbench.core.paths import sample_data
from workbench.io.pseudonym_key import usual_pseudonym_key
from workbench.io.signing_key import usual_key_file
from workbench.project.model import GuaranteeSettings
from workbench.project.storage import load_project, save_project
from workbench.session import Session

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "docs/commands.md", "docs/limits.md")
README = "\n\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
OURS = "python3 -m workbench"
PEOPLE = [("Aarau", "23", "Nurse"), ("Basel", "36", "Clerk"), ("Chur", "45", "Cook")] * 60
ELSEWHERE = {
    "python3 tests": "is what runs this test; .ci/run runs it as it stands, on what a fresh machine has",
    "apt install": "installs packages of the system",
    "pip install": "installs packages; that the extras are there is tested below",
    "pipx install": "installs the program for the person",
}
"""Commands of these pages that a test cannot run, by how they begin, and why."""
WINDOW = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from workbench.cli.commands import whole_parser
from workbench.cli.main import main

application = QApplication([])
QTimer.singleShot(0, application.quit)
sys.exit(main([]))
"""


def examples() -> list[str]:
    """The commands of these pages: indented blocks, continued lines joined, and what stands between back quotes."""
    blocks = re.findall(r"^ {4}\S.*(?:\n {4}.*)*", README, re.MULTILINE)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    written = [" ".join(line.split()) for line in lines]
    spoken = re.findall(r"`((?:workbench|pip|pipx|apt|python3) [^`]+)`", README)
    return list(dict.fromkeys([*written, *(one.replace("workbench ", f"{OURS} ", 1) for one in spoken)]))


EXAMPLES = examples()


def words_of(example: str) -> list[str]:
    """The words after the name of the program."""
    return shlex.split(example)[len(OURS.split()) :]


def test_the_examples_are_found() -> None:
    assert {OURS, "python3 tests", f"{OURS} aggregate reports.csv", f"{OURS} ledger FILE"} <= set(EXAMPLES)
    assert len([one for one in EXAMPLES if one.startswith(OURS)]) >= README.count(OURS)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like the one of the project, with the files that its examples take for granted."""
    folder = tmp_path_factory.mktemp("a folder")
    for name in ("sample_data", "resources"):
        shutil.copytree(ROOT / name, folder / name)
    people(folder / "next-year.csv", PEOPLE)
    (folder / "parts").mkdir()
    for number in range(2):
        people(folder / "parts" / f"{number}.csv", PEOPLE[number::2])
    session = Session()
    session.data.open(folder / "next-year.csv")
    hierarchy = folder / "town.csv"
    hierarchy.write_text("Aarau;North;*\nBasel;North;*\nChur;South;*\n", encoding="utf-8")
    session.data.attach_hierarchy_file("town", hierarchy)
    session.release.columns.set_level("town", 1)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
    session.save(folder / "project.wbench")
    shutil.copy(folder / "next-year.csv", folder / "FILE")
    released = ["--epsilon", "1", "--delta", "1e-3", "--hierarchy", f"town={hierarchy}"]
    told(["anonymise", folder / "FILE", *released, "--out", folder / "RELEASE.csv", "--statement", folder / "S.html"])
    told(["ledger", folder / "FILE", "--statements", folder / "pages"])
    (folder / "pages" / "001_release.html").rename(folder / "PAGE.html")
    return folder


def people(path: Path, rows: list[tuple[str, str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("town", "age", "job"), *rows])


def visits(folder: Path) -> None:
    """What pseudonyms are for, and a key for them."""
    rows = [("patient", "name", "age"), (7, "Ann", 30), (8, "Bob", 41), (7, "Ann", 31)]
    with (folder / "visits.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    if not usual_pseudonym_key().exists():
        told(["pseudonymise", "--new-key"])


def told(words: list[str | Path]) -> str:
    """What a command prints, which must end with 0."""
    with redirect_stdout(io.StringIO()) as out:
        code = main([str(word) for word in words])
    assert code == 0, words
    return out.getvalue()


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy for one example, in which it is run; the large folders, which nothing writes to, are linked."""
    for one in prepared.iterdir():
        if one.name in ("sample_data", "resources"):
            (tmp_path / one.name).symlink_to(one, target_is_directory=True)
        elif one.is_dir():
            shutil.copytree(one, tmp_path / one.name)
        else:
            shutil.copy(one, tmp_path)
    project = load_project(tmp_path / "project.wbench")
    assert project.data is not None
    here = replace(project.data, path=str(tmp_path / "next-year.csv"))
    save_project(replace(project, data=here), tmp_path / "project.wbench")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def provide(words: list[str], folder: Path) -> None:
    """Make what an example reads and another example writes, by that example; and parts of the kind it asks for."""
    if words[0] == "sign" and "--new-key" not in words and not usual_key_file().exists():
        told(["sign", "--new-key"])
    if words[0] == "pseudonymise" and "--new-key" not in words:
        visits(folder)
    for word in words[1:]:
        if "parquet" in word and "*" in word:
            parquet = pytest.importorskip("pyarrow.parquet")
            reader = pytest.importorskip("pyarrow.csv")
            for part in (folder / "parts").glob("*.csv"):
                parquet.write_table(reader.read_csv(part), part.with_suffix(".parquet"))
        elif word.endswith(".csv") and "=" not in word and not (folder / word).exists():
            makers = [one for one in map(words_of, commands()) if word in one and one[one.index(word) - 1] in WRITING]
            if makers and makers[0] != words:
                told([*makers[0]])


WRITING = ("--out", "--reports", "--statement")


def commands() -> list[str]:
    return [one for one in EXAMPLES if one.startswith(f"{OURS} ")]


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.timeout(240)  # a whole set of figures takes a minute of one slow processor
def test_an_example_of_the_readme_ends_with_0(
    example: str, folder: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    for beginning, why in ELSEWHERE.items():
        if example.startswith(beginning):
            pytest.skip(f"{example.split(' --')[0]}: {why}")
    if example == OURS:
        window = subprocess.run([sys.executable, "-c", WINDOW], capture_output=True, text=True, timeout=50, check=False)
        assert window.returncode == 0, window.stderr
        return
    words = words_of(example)
    if any("://host" in word for word in words):
        parse(words)
        pytest.skip("needs a cluster: only read, not run")
    provide(words, folder)
    assert main(words) == 0
    shown = capsys.readouterr()
    assert shown.out and not shown.err
    for flag in ("--out", "--statement", "--reports"):
        if flag in words:
            assert (folder / words[words.index(flag) + 1]).exists()


def parse(words: list[str]) -> None:
    """Have the words of a command read, and nothing done."""
    read: list[argparse.Namespace] = []
    usual = argparse.ArgumentParser.parse_args

    def take(self: argparse.ArgumentParser, *given: list[str]) -> argparse.Namespace:
        read.append(usual(self, *given))
        raise SystemExit(0)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        patch.setattr(argparse.ArgumentParser, "parse_args", take)
        main(words)
    assert ended.value.code == 0 and len(read) == 1


def test_the_extras_the_readme_names_are_there() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {extra for found in re.findall(r"'\.\[([\w,]+)\]'", README) for extra in found.split(",")}
    assert named and named <= set(extras)


# What commands say of themselves


PARSERS = {name.partition(" ")[2]: parser for name, parser in recording.commands(whole_parser())}
WITH_EXAMPLE = [name for name, parser in PARSERS.items() if parser.epilog]


@pytest.mark.parametrize("name", PARSERS)
def test_help_ends_with_0_and_fits_what_was_asked(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*name.split(), "--help"])
    assert ended.value.code == 0
    assert f"workbench {name}".strip() in capsys.readouterr().out


def test_each_command_speaks_to_programs() -> None:
    groups = ("", "project", "hierarchy", "plugins")
    assert [name for name, one in PARSERS.items() if "--json" not in one.format_usage()] == [*groups, "gui"]


@pytest.mark.parametrize("name", WITH_EXAMPLE)
def test_the_example_of_help_ends_with_0(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*name.split(), "--help"])
    shown = capsys.readouterr().out
    ran = 0
    for document in re.findall(r"^\{$.*?^\}$", shown, re.MULTILINE | re.DOTALL):
        column = json.loads(document)["question"]["column"]
        assert f"“{column}”" in shown
        (folder / "SPEC.json").write_text(document, encoding="utf-8")
        told([*name.split(), "SPEC.json", "--data", sample_data() / "nba_salaries.csv", "--out", "figures"])
        assert list((folder / "figures").iterdir())
        ran += 1
    for line in re.findall(r"^ +workbench (.+)$", PARSERS[name].epilog or "", re.MULTILINE):
        provide(shlex.split(line), folder)
        told([*shlex.split(line)])
        ran += 1
    assert ran, "an example that no test knows how to run"
