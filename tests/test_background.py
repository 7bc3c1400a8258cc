"""How the program ends: by Ctrl+C, except where it was started in the background, and by closing its window."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.paths import sample_data

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shells there start nothing in the background")

IN_FRONT = 'exec "$@"'
BEHIND = "trap '' INT; exec \"$@\""
"""What a shell does for `command &` where it gives no process group of its own, as in a script."""

WINDOW = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from workbench.gui.app import run

application = QApplication([])
QTimer.singleShot(0, lambda: os.kill(os.getpid(), signal.SIGINT))
QTimer.singleShot(100, lambda: application.exit(0))
sys.exit(run())
"""

CLOSED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from workbench.gui.app import run
from workbench.gui.main_window import MainWindow

application = QApplication([])
application.destroyed.connect(lambda: print("application", flush=True))

def close():
    [window] = [one for one in application.topLevelWidgets() if isinstance(one, MainWindow)]
    window.destroyed.connect(lambda: print("window", flush=True))
    window.close()

QTimer.singleShot(100, close)
code = run([sys.argv[1]])
print("run", flush=True)
sys.exit(code)
"""

COMMAND = """
import os, signal, sys
from workbench.cli import main
from workbench.cli.commands import profile as command

work = command.run

def profile(options):
    os.kill(os.getpid(), signal.SIGINT)
    return work(options)

command.run = profile
sys.exit(main.main(["profile", sys.argv[1]]))
"""


def started(shell: str, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", shell, "sh", sys.executable, "-c", program, *words]
    # A child inherits what is ignored, and these tests may themselves run in the background.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    finally:
        signal.signal(signal.SIGINT, usual)


def test_the_window_ends_by_control_c(private_home: Path) -> None:
    assert started(IN_FRONT, WINDOW).returncode == -signal.SIGINT


def test_a_window_in_the_background_stays(private_home: Path) -> None:
    found = started(BEHIND, WINDOW)
    assert found.returncode == 0, found.stderr


def test_a_window_that_is_closed_is_gone_before_its_application(private_home: Path) -> None:
    found = started(IN_FRONT, CLOSED, str(sample_data() / "nba_salaries.csv"))
    assert found.returncode == 0, found.stderr
    assert found.stdout.split()[:2] == ["window", "run"]


def test_a_command_ends_by_control_c_and_says_so() -> None:
    found = started(IN_FRONT, COMMAND, str(sample_data() / "nba_hierarchy_age.csv"))
    assert (found.returncode, found.stdout) == (130, "")
    assert "interrupted" in found.stderr


def test_a_command_in_the_background_goes_on() -> None:
    found = started(BEHIND, COMMAND, str(sample_data() / "nba_hierarchy_age.csv"))
    assert found.returncode == 0, found.stderr
    assert "rows" in found.stdout
