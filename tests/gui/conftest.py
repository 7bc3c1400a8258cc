"""Every test of the window runs without a screen and must leave nothing behind."""

from __future__ import annotations

import gc
import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QThread, QTimer
from PySide6.QtWidgets import QApplication

from workbench.gui.settings import Settings
from workbench.gui.theme import DARK, LIGHT, Theme, apply_theme

_PATIENCE_SECONDS = 3.0
_HARMLESS = re.compile(r"This plugin does not support (propagateSizeHints|raise|grabbing the keyboard)")


def _settle() -> None:
    QCoreApplication.processEvents()
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def _living(kind: type) -> list[object]:
    # `type(...)` and not isinstance, which would wake lazy proxies.
    return [found for found in gc.get_objects() if issubclass(type(found), kind) and shiboken6.isValid(found)]


def _busy() -> list[str]:
    """Timers that tick and Qt threads that run, in words."""
    found = [f"active timer of {t.parent()!r}" for t in _living(QTimer) if t.isActive()]
    return found + [f"running thread {t!r}" for t in _living(QThread) if t.isRunning()]


@pytest.fixture(autouse=True)
def leave_nothing_behind(qapp: QApplication, qtlog: object) -> Iterator[None]:
    """Fail a test that leaves a thread, a window or an active timer, or that made Qt complain."""
    QLocale.setDefault(QLocale(QLocale.Language.English))
    threads = set(threading.enumerate())
    windows = {id(window) for window in QApplication.topLevelWidgets()}
    before = set(_busy())
    yield
    _settle()
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while set(threading.enumerate()) - threads and time.monotonic() < deadline:
        time.sleep(0.01)
    left = [f"thread {thread.name!r}" for thread in set(threading.enumerate()) - threads]
    left += [f"window {w!r}" for w in QApplication.topLevelWidgets() if id(w) not in windows]
    left += sorted(set(_busy()) - before)
    left += [
        f"Qt message {record.message!r}"
        for record in qtlog.records  # type: ignore[attr-defined]
        if not _HARMLESS.search(record.message)
    ]
    assert not left, "left behind: " + "; ".join(left)


@pytest.fixture
def light(qapp: QApplication) -> Theme:
    """The application in the light theme."""
    apply_theme(qapp, LIGHT)
    return LIGHT


@pytest.fixture(params=[LIGHT, DARK], ids=lambda theme: theme.name)
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    """The application in each theme."""
    apply_theme(qapp, request.param)
    return request.param


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Window settings in a folder of the test's own."""
    return Settings(tmp_path / "window.json")
