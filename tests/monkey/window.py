"""The real program with a monkey at its keys: `python3 -m tests.monkey.window SEED SECONDS FOLDER`."""

from __future__ import annotations

import gc
import json
import os
import random
import sys
import threading
import time
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QWidget

from tests.monkey.eyes import Eyes
from tests.monkey.food import lay_out
from tests.monkey.hands import Hands
from workbench.gui import app
from workbench.gui.main_window import MainWindow

_GAP_MS = 10
_MOST_NESTED = 5
"""A dialog runs a loop of its own inside the action that opened it, and the monkey goes on in there."""


class Monkey:
    """Uses the window until its time is over, then quits, most often while something is running."""

    def __init__(self, seed: int, seconds: float, folder: Path) -> None:
        self.choose = random.Random(seed)
        self.folder = folder
        self.eyes = Eyes(folder)
        self.hands = Hands(self.choose, folder, self.eyes)
        self.ends = time.monotonic() + seconds
        self.actions = 0
        self._nested = 0
        self._closing = False

    @property
    def window(self) -> MainWindow | None:
        return next((one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)), None)

    def step(self) -> None:
        """Do one thing, then look whether all is well."""
        QTimer.singleShot(_GAP_MS, self.step)
        window = self.window
        if window is None:
            return
        if time.monotonic() > self.ends:
            self._leave(window)
            return
        if self._nested >= _MOST_NESTED:
            return
        self._nested += 1
        try:
            self.actions += 1
            self.hands.act(window)
            if self._nested == 1:
                self.eyes.look(window)
        except Exception as error:
            self.eyes.note("the monkey stumbled", error)
        finally:
            self._nested -= 1

    def _leave(self, window: MainWindow) -> None:
        """Close what stands in front, then the window, with a job that is running if one can be started."""
        front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if isinstance(front, QMessageBox):
            button = front.button(QMessageBox.StandardButton.Discard)
            button.click() if button is not None else front.reject()
        elif isinstance(front, QDialog):
            front.reject()
        elif isinstance(front, QWidget):
            front.close()
        elif not self._closing:
            self._closing = True
            if self.choose.random() < 0.5:
                window.run()
            QTimer.singleShot(0, window, window.close)
        elif window.isVisible():
            QTimer.singleShot(0, window, window.close)


def main(seed: int, seconds: float, folder: Path) -> int:
    """Run the program with the monkey, and write what it saw."""
    files = lay_out(folder / "files")
    QApplication([sys.argv[0]])
    monkey = Monkey(seed, seconds, folder)
    monkey.hands.prepare()
    QTimer.singleShot(400, monkey.step)
    code = app.run([str(monkey.choose.choice(files[:4]))])
    gc.collect()
    threads = [one.name for one in threading.enumerate() if one is not threading.main_thread()]
    if threads:
        monkey.eyes.note(f"threads are left: {threads}")
    report = {"actions": monkey.actions, **monkey.eyes.facts(), "ended": code, "findings": monkey.eyes.findings()}
    (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
    return code


if __name__ == "__main__":
    ended = main(int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3]))
    sys.stderr.flush()
    os._exit(ended) if threading.active_count() > 1 else sys.exit(ended)
