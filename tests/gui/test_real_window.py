"""The program as a person starts it: a real window on an X server of its own, driven by keystrokes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real_screen import PATIENCE, needs_a_screen, real_screen, wait
from workbench.core.paths import sample_data
from workbench.session import Session

pytestmark = [needs_a_screen, pytest.mark.timeout(180)]


@pytest.fixture
def display() -> Iterator[str]:
    with real_screen() as number:
        yield number


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A saved project on a copy of the NBA sample, ready to run."""
    data = tmp_path / "nba.csv"
    shutil.copyfile(sample_data() / "nba_salaries.csv", data)
    session = Session()
    session.data.open(data)
    session.data.attach_hierarchy_file("salary", sample_data() / "nba_hierarchy_salary.csv")
    session.release.columns.set_level("salary", 3)
    path = tmp_path / "nba.wbench"
    session.save(path)
    return path


def test_open_run_export_and_quit_by_keyboard(display: str, project: Path, private_home: Path) -> None:
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    program = subprocess.Popen(
        [sys.executable, "-m", "workbench", "gui", str(project)],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )

    def x(*words: str) -> str:
        done = subprocess.run(["xdotool", *words], env=environment, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    try:
        window = str(wait("the window", lambda: x("search", "--onlyvisible", "--name", "nba"), program)).splitlines()[0]
        x("windowfocus", "--sync", window)
        # The key that spends does nothing until the data is there, so it is pressed until there is something to export.
        # Each time round, the space bar ticks one more thing that the claim rests on, and at last it exports.
        out = project.parent / "released" / "nba_release.csv"

        def press_on() -> bool:
            x("key", "--window", window, "ctrl+3")  # keys are taken in their order: what is next finds the room there
            for keys in ("ctrl+Return", "ctrl+e"):
                x("key", "--window", window, keys)
                time.sleep(0.4)
            if not out.exists():  # else the space bar would verify it, in a window of its own
                x("key", "--window", window, "space")
                time.sleep(1.0)
            return out.exists()

        wait("the exported file", press_on)
        assert out.read_text(encoding="utf-8").startswith("salary\n")
        assert wait("the statement", out.with_name("nba_release_statement.html").exists)
        assert not Session.from_file(project).project.releases  # what somebody has not saved is not saved for them

        def save() -> bool:
            x("key", "--window", window, "ctrl+s")
            time.sleep(0.4)
            return bool(Session.from_file(project).project.releases)

        wait("the record in the project", save)
        x("key", "--window", window, "ctrl+q")
        _, errors = program.communicate(timeout=PATIENCE)
        assert program.returncode == 0
        assert "Traceback" not in errors
    finally:
        if program.poll() is None:
            program.kill()
            program.communicate()
