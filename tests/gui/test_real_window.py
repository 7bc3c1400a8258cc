"""The program as a person starts it: a real window on an X server of its own, driven by keystrokes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.core.paths import sample_data
from workbench.session import Session

PATIENCE = 40.0

pytestmark = [
    pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool"),
    pytest.mark.timeout(180),
]


def wait(what: str, condition: Callable[[], object], program: subprocess.Popen[str] | None = None) -> object:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        if program is not None and program.poll() is not None:
            _, errors = program.communicate()
            raise AssertionError(f"the program ended with {program.returncode} before {what}: {errors}")
        time.sleep(0.05)
    raise AssertionError(f"waited {PATIENCE:.0f} s for {what}")


@pytest.fixture
def display() -> Iterator[str]:
    """An X server on a display number it finds itself; without `-noreset` it would turn clients away for a moment
    whenever the last one leaves."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    assert number, "Xvfb did not start"
    yield f":{number}"
    server.terminate()
    server.wait()


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
        out = project.with_name("nba_release.csv")

        def press_on() -> bool:
            for keys in ("ctrl+3", "ctrl+Return", "ctrl+e"):
                x("key", "--window", window, keys)
                time.sleep(0.4)
            x("key", "--window", window, "space")
            return out.exists()

        wait("the exported file", press_on)
        assert out.read_text(encoding="utf-8").startswith("salary\n")
        assert wait("the statement", out.with_name("nba_release_statement.html").exists)
        assert not Session.from_file(project).project.releases  # what somebody has not saved is not saved for them
        x("key", "--window", window, "ctrl+s")
        wait("the record in the project", lambda: Session.from_file(project).project.releases)
        x("key", "--window", window, "ctrl+q")
        _, errors = program.communicate(timeout=PATIENCE)
        assert program.returncode == 0
        assert "Traceback" not in errors
    finally:
        if program.poll() is None:
            program.kill()
            program.communicate()
