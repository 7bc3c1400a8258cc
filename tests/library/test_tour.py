"""The tour of the README takes at most ten lines a task in a notebook, and all of them run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "tour.md").read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_a_task_takes_ten_lines_and_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len([line for line in block.splitlines() if line.strip()]) <= 10
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "ledgers"))
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "sample_data").symlink_to(ROOT / "sample_data")
    monkeypatch.chdir(tmp_path / "here")
    exec(compile(block, "tour.md", "exec"), {})


def test_there_is_a_task_for_each_of_the_readme() -> None:
    text = "\n".join(BLOCKS)
    calls = (
        "guarantee",
        "open",
        "forecast",
        "release",
        "hierarchy",
        "search",
        "ask",
        "collect",
        "compare",
        "published",
    )
    for call in (*calls, "audit", "verify"):
        assert re.search(rf"\.{call}\b", text), call
