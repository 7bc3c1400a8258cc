"""The tour of the command line takes at most ten lines a task in a notebook, and all of them run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import workbench as wb
from workbench.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
TOUR = ROOT / "README.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "tour.md").read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_a_task_takes_ten_lines_and_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len([line for line in block.splitlines() if line.strip()]) <= 10
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "sample_data").symlink_to(ROOT / "sample_data")
    monkeypatch.chdir(tmp_path / "here")
    exec(compile(block, "tour.md", "exec"), {})


TASKS = {
    "guarantee": ".guarantee(",
    "profile": "wb.open(",
    "anonymise --plan": ".forecast(",
    "anonymise --model": ".search(",
    "anonymise": ".release(",
    "project": ".save_project(",
    "run": ".run_project(",
    "report": ".report_project(",
    "hierarchy": ".hierarchy.",
    "query --plan": ".plan(",
    "query": ".ask(",
    "collect --reports": ".collect_reports(",
    "collect": ".simulate(",
    "aggregate": ".aggregate(",
    "preset": ".published(",
    "audit": ".audit(",
    "verify": ".verify(",
    "sign": ".sign(",
}
"""By the command of the tour, with the flag that makes it another task, the call that does the same."""


def commands() -> list[str]:
    """Every command that the tour shows, each on one line."""
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    tour, beyond = text[text.index("## A tour") :].split("## Beyond memory")[:2]
    shown = re.findall(r"^    python3 -m workbench (.*)$", tour.replace("\\\n", " "), re.M)
    told = re.findall(r"`workbench ((?:verify|sign) [^`]*)`", tour)
    assert len(shown) > 15 and len(told) > 1 and beyond
    return shown + told


@pytest.mark.parametrize("command", commands())
def test_a_task_of_the_tour_has_a_block_that_does_it(command: str) -> None:
    words = command.split()
    wanted = [call for task, call in TASKS.items() if set(task.split()) <= set(words)]
    assert wanted, "name the call that does it"
    assert any(wanted[0] in block for block in BLOCKS)


def test_the_page_of_the_library_says_of_every_command_whether_it_is_a_call() -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    listed = page[page.index("## Which commands are calls") :].split("\n## ")[0]
    for name in COMMANDS:
        assert re.search(rf"`{name}\b", listed), name
    for call in re.findall(r"`(?:wb|data)\.([\w.]+)", listed):
        owner: object = wb if hasattr(wb, call.split(".")[0]) else wb.Data
        for part in call.split("."):
            owner = getattr(owner, part)
