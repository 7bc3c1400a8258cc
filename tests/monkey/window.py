"""The real program with a monkey at its keys: `python3 -m tests.monkey.window SEED SECONDS ACTIONS FOLDER`."""

from __future__ import annotations

import gc
import json
import math
import os
import random
import sys
import threading
import time
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QWidget

from tests.monkey.calm import Calm
from tests.monkey.eyes import Eyes
from tests.monkey.food import lay_out
from tests.monkey.hands import Hands
from tests.monkey.rests import Rests
from workbench.gui import app
from workbench.gui.main_window import MainWindow

_GAP_MS = 10
_CALM_GAP_MS = 1
_SAMPLE_MS = 5_000
_PATIENCE = 90.0
"""Seconds that what is under way has after the time of the run; jobs that begin again and again are told so."""
_MOST_NESTED = 5
"""A dialog runs a loop of its own inside the action that opened it, and the monkey goes on in there."""


class Monkey:
    """Uses the window until its time is over, then quits, most often while something is running.

    With a number of actions it does so many, each when nothing is under way any more, and the same in every run.
    """

    def __init__(self, seed: int, seconds: float, actions: int, folder: Path) -> None:
        self.choose = random.Random(seed)
        self.folder = folder
        self.eyes = Eyes(folder)
        self.hands = Hands(self.choose, folder, self.eyes)
        self.calm = Calm(seed) if actions else None
        self.rests = Rests(seconds, folder / "files" / "nba_salaries.csv", self.eyes.rest, self.begin)
        self.seconds = seconds
        self.ends = time.monotonic() + seconds
        self.most = actions or math.inf
        self.actions = 0
        # One for all steps: of each `QTimer.singleShot`, Qt for Python holds something for ever.
        self.next = QTimer(singleShot=True)
        self.next.timeout.connect(self.step)
        self._nested = 0
        self._closing = False

    @property
    def window(self) -> MainWindow | None:
        return next((one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)), None)

    def begin(self, now: float) -> None:
        """Count the time of the run, and what is held in it, from now on."""
        self.ends = now + self.seconds
        self.eyes.begin(now)

    def step(self) -> None:
        """Do one thing, then look whether all is well."""
        if self.calm:  # which takes timers over
            QTimer.singleShot(_CALM_GAP_MS, self.step)
        else:
            self.next.start(_GAP_MS)
        window = self.window
        if window is None or (self.calm and not self._is_calm(self.calm, window) and not self._gives_up(self.calm)):
            return
        # The last rest is told even if a busy machine comes to it late.
        if (time.monotonic() > self.ends and not self.rests.are_due) or self.actions >= self.most:
            self._leave(window)
            return
        if self.rests.are_due and self._dismiss():
            return
        if self._nested >= (1 if self.rests.are_due else _MOST_NESTED):
            return
        self._nested += 1
        try:
            if self.rests.are_due:
                self.rests.go_on(window)
                return
            self.actions += 1
            self.hands.act(window)
            if self._nested == 1:
                self.eyes.look(window)
        except Exception as error:
            self.eyes.note("the monkey stumbled", error)
        finally:
            self._nested -= 1
            if self.calm:
                self.calm.acted()

    def _is_calm(self, calm: Calm, window: MainWindow) -> bool:
        """Whether the last action is over, or asks for an answer, and nothing is under way."""
        asked = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        return (not self._nested or asked is not None) and calm.reached(window)

    def _gives_up(self, calm: Calm) -> bool:
        """Whether it waits in vain: that is told, and it leaves."""
        late = time.monotonic() > self.ends + _PATIENCE
        found = calm.restless or ("something is under way for ever" if late else "")
        if found and not self._closing:
            self.eyes.note(found)
            self.most = 0
        return self.most == 0

    def _leave(self, window: MainWindow) -> None:
        """Close what stands in front, then the window, with a job that is running if one can be started."""
        if self._dismiss():
            return
        if not self._closing:
            self._closing = True
            if self.choose.random() < 0.5 and not self.calm:
                window.spend()
            QTimer.singleShot(0, window, window.close)
        elif window.isVisible():
            QTimer.singleShot(0, window, window.close)

    def _dismiss(self) -> bool:
        """Close what stands in front, and say whether anything did."""
        front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if isinstance(front, QMessageBox):
            button = front.button(QMessageBox.StandardButton.Discard)
            button.click() if button is not None else front.reject()
        elif isinstance(front, QDialog):
            front.reject()
        elif isinstance(front, QWidget):
            front.close()
        return front is not None


def main(seed: int, seconds: float, actions: int, folder: Path) -> int:
    """Run the program with the monkey, and write what it saw."""
    files = lay_out(folder / "files")
    QApplication([sys.argv[0]])
    monkey = Monkey(seed, seconds, actions, folder)
    monkey.hands.prepare()
    QTimer.singleShot(400, monkey.step)
    samples = QTimer()
    samples.timeout.connect(monkey.eyes.sample)
    samples.start(_SAMPLE_MS)
    code = app.run([str(monkey.choose.choice(files[:4]))])
    gc.collect()
    threads = [one.name for one in threading.enumerate() if one is not threading.main_thread()]
    if threads:
        monkey.eyes.note(f"threads are left: {threads}")
    report = {
        "actions": monkey.actions,
        "path": monkey.eyes.path,
        **monkey.eyes.facts(),
        "ended": code,
        "findings": monkey.eyes.findings(),
    }
    (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
    return code


if __name__ == "__main__":
    ended = main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    sys.stdout.flush()
    sys.stderr.flush()
    # All is closed and told by now; Python would let what is left of Qt's objects go in any order.
    os._exit(ended)
