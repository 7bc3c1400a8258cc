"""Every test of the window runs without a screen and must leave nothing behind."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

os.environ["QT_QPA_PLATFORM"] = "offscreen"

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QLocale, QSize, QThread, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.disk_watch import Watch, programs_own, watched
from tests.gui.helpers import PATIENCE_MS, Anonymising, OnScreen, RecordingBar, Shown, data_is_there, idle
from tests.offscreen import HARMLESS
from tests.postgresql_server import address as address
from tests.postgresql_server import server as server
from tests.remembering import remembered, remembering
from workbench.core import garbage
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.cell import ExperimentCell
from workbench.gui import document as document_module
from workbench.gui import placing
from workbench.gui.document import Document
from workbench.gui.main_window import MainWindow
from workbench.gui.runner import Runner
from workbench.gui.settings import WindowSettings
from workbench.gui.stylesheet import build_stylesheet
from workbench.gui.theme import DARK, LIGHT, Mode, Theme, ThemeManager, apply_theme, dress
from workbench.gui.widgets import chart
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.construction import Workspaces
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.plots import group_survival, tradeoff
from workbench.plots.render import ChartRenderer, DrawnChart
from workbench.project.model import Project
from workbench.session import Session
from workbench.session.looking import LookDesk

_PATIENCE_SECONDS = 20.0


def _settle() -> None:
    QCoreApplication.processEvents()
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def _kinds(kind: type) -> set[type]:
    return {kind}.union(*map(_kinds, kind.__subclasses__()))


def _busy() -> list[str]:
    """Timers that tick and Qt threads that run, in words."""
    timers, threads = _kinds(QTimer), _kinds(QThread)
    wanted = timers | threads
    # `type(...)` and not isinstance, which would wake lazy proxies.
    living = [one for one in gc.get_objects() if type(one) in wanted and shiboken6.isValid(one)]
    found = [f"active timer of {one.parent()!r}" for one in living if type(one) in timers and one.isActive()]
    return found + [f"running thread {one!r}" for one in living if type(one) in threads and one.isRunning()]


@pytest.fixture(scope="session", autouse=True)
def plans_of_collections_made_once() -> Iterator[None]:
    """Predict the errors of the same plan once: the room does so whenever it opens, for seconds."""
    from workbench.session.collection import desk, means

    shares = remembering(desk, "predict", "predicted_curves", "reference", "fewest_users", "least_epsilon")
    with shares, remembering(means, "mean_curves"):
        yield


@pytest.fixture(scope="session", autouse=True)
def curves_computed_once() -> Iterator[None]:
    """Solve for the curves of the same promise once: Anonymise draws them whenever it opens."""
    with remembering(tradeoff, "trade_off", "guarantee"), remembering(group_survival, "guarantee"):
        yield


@pytest.fixture(scope="session", autouse=True)
def experiments_tried_once() -> Iterator[None]:
    """Try a method at a place once: what comes of it follows from the key of the cell, under which sessions keep it."""
    known: dict[tuple[object, ...], Any] = {}

    def once(name: str) -> Callable[..., Any]:
        work = getattr(ExperimentCell, name)

        def call(cell: ExperimentCell, *rest: Any) -> Any:
            if not cell.key:
                return work(cell, *rest)  # of bars, which nothing keeps
            key = (cell.key, name, *(one for one in rest if isinstance(one, int)))
            if key not in known:
                known[key] = work(cell, *rest)
            return known[key]

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ("answerer", "block", "result"):
            patch.setattr(ExperimentCell, name, once(name))
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_stays_copied(qapp: QApplication) -> Iterator[None]:
    """The clipboard of a screen that is none outlives Python, and must then hold nothing that Python made."""
    yield
    qapp.clipboard().clear()


@pytest.fixture(scope="session", autouse=True)
def charts_drawn_once() -> Iterator[None]:
    """Draw the same data at the same size once: the same pixels come of it, as `tests/plots` shows."""

    def draw(_kind: str, *rest: Any, how: Callable[..., DrawnChart], progress: Progress) -> DrawnChart:
        data, style, width, height, ratio, part = rest
        return how(data, style, width, height, ratio, progress, part)

    drawn = remembered(draw, most=100)

    class Once(ChartRenderer[Any]):
        def draw(self, data: Any, *rest: Any) -> DrawnChart:
            *how_large, progress, part = rest
            if not isinstance(self._kind, ModuleType):
                return super().draw(data, *rest)  # a toy of a test
            return drawn(self._kind.__name__, data, *how_large, part, how=super().draw, progress=progress)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart, "ChartRenderer", Once)
        yield


_known: set[str] = set()
"""What was busy after an earlier test, which was told so."""


def _new(busy: list[str]) -> set[str]:
    found = set(busy) - _known
    _known.clear()
    _known.update(busy)
    return found


def pytest_runtest_logfinish() -> None:
    """Let go of what a test held until now, and let none look through what was there before it, for what it left."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def leave_nothing_busy(qapp: QApplication) -> Iterator[None]:
    """Fail where what was there before a test, as what a module shares, is busy in the end."""
    yield
    gc.unfreeze()
    left = sorted(_new(_busy()))
    gc.freeze()
    assert not left, "left behind: " + "; ".join(left)


@pytest.fixture(autouse=True)
def leave_nothing_behind(qapp: QApplication, qtlog: object) -> Iterator[None]:
    """Fail a test that leaves a thread, a window or an active timer, or that made Qt complain."""
    QLocale.setDefault(QLocale(QLocale.Language.English))
    threads = set(threading.enumerate())
    before = QApplication.topLevelWidgets()  # kept, so that no other window can be taken for one of them
    garbage.keep_to_this_thread()
    yield
    _settle()
    if qapp.styleSheet():
        qapp.setStyleSheet("")  # not earlier, when every widget of the test would be restyled only to be deleted
    garbage.give_back()
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while set(threading.enumerate()) - threads and time.monotonic() < deadline:
        time.sleep(0.001)
    left = [f"thread {thread.name!r}" for thread in set(threading.enumerate()) - threads]
    windows = {shiboken6.getCppPointer(window) for window in before if shiboken6.isValid(window)}
    left += [
        f"window {one!r} of {one.parent()!r}"
        for one in QApplication.topLevelWidgets()
        if shiboken6.getCppPointer(one) not in windows
    ]
    left += sorted(_new(_busy()))
    left += [f"Qt message {record.message!r}" for record in qtlog.records if not HARMLESS.search(record.message)]
    assert not left, "left behind: " + "; ".join(left)


def _in_theme(app: QApplication, theme: Theme) -> Iterator[Theme]:
    # A window dresses its parts itself; widgets without one have the stylesheet from the application.
    apply_theme(app, theme)
    app.setStyleSheet(build_stylesheet(theme))
    yield theme


class PatientBot(QtBot):
    """Waits as long as a busy machine needs: a test fails for what does not happen, and not for when it does."""

    _pauses: Iterator[int] = iter(())
    """How long to wait first until something is looked at again: most of what is waited for takes hardly any time."""

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = PATIENCE_MS) -> None:
        self._pauses = iter((0, 1, 2, 4))
        try:
            super().waitUntil(callback, timeout=_patiently(timeout))
        finally:
            self._pauses = iter(())

    def wait(self, ms: int) -> None:
        """Wait while Qt itself counts: the time limit of a test may strike in a slot, and then nobody would end it."""
        loop = QEventLoop()
        QTimer.singleShot(next(self._pauses, ms), loop.quit)
        loop.exec()

    def waitSignal(self, signal: object, *, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return super().waitSignal(signal, timeout=_patiently(timeout), **more)


def _patiently(milliseconds: int) -> int:
    """What is given less than five seconds is meant so: the walk through a room cancels what takes longer."""
    return max(milliseconds, PATIENCE_MS) if milliseconds >= 5_000 else milliseconds


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """What uses the window as a person does, and waits."""
    return PatientBot(request)


@pytest.fixture
def light(qapp: QApplication) -> Iterator[Theme]:
    """The application in the light theme."""
    yield from _in_theme(qapp, LIGHT)


@pytest.fixture(params=[LIGHT, DARK], ids=lambda theme: theme.name)
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Theme]:
    """The application in each theme."""
    yield from _in_theme(qapp, request.param)


@pytest.fixture
def sampling(monkeypatch: pytest.MonkeyPatch) -> None:
    """New documents begin as those of earlier versions did: rows are sampled."""
    monkeypatch.setattr(document_module, "new_project", Project)


@pytest.fixture(autouse=True)
def large_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen that is none is 800 pixels wide; windows open as on a usual one."""
    monkeypatch.setattr(placing, "free", lambda _screen: QSize(1920, 1080))


@pytest.fixture
def settings(tmp_path: Path) -> WindowSettings:
    """Window settings in a folder of the test's own."""
    return WindowSettings(tmp_path / "window.json")


@pytest.fixture
def undressed(qapp: QApplication) -> None:
    """The light theme without a stylesheet: widgets are made so, and dressed once they are finished."""
    apply_theme(qapp, LIGHT)


@pytest.fixture
def on_screen(qtbot: QtBot, undressed: None) -> OnScreen:
    """Shows widgets in the light theme, dressed as the window dresses its parts, and closes them after the test."""

    def show(widget: Shown, width: int = 1016, height: int = 700) -> Shown:
        qtbot.addWidget(widget)
        dress(widget)
        widget.resize(width, height)
        widget.show()
        return widget

    return show


@pytest.fixture
def messages(qtbot: QtBot, undressed: None) -> RecordingBar:
    """The bar that the document and its jobs tell of errors."""
    bar = RecordingBar()
    qtbot.addWidget(bar)
    return bar


@pytest.fixture
def errors(messages: RecordingBar) -> list[BaseException]:
    """What the person was told of errors, by jobs and by edits."""
    return messages.errors


@pytest.fixture
def document(messages: RecordingBar) -> Iterator[Document]:
    """A document without data; its jobs end with the test."""
    runner = Runner(messages)
    made = Document(runner)
    made.failed.connect(messages.show_error)
    yield made
    runner.shutdown()


@pytest.fixture
def anonymising(qtbot: QtBot, document: Document, on_screen: OnScreen) -> Anonymising:
    """Opens a table, prepares it in one step and then makes the Anonymise room, which so has nothing to follow."""

    def make(path: Path, prepare: Callable[[Session], object]) -> AnonymiseWorkspace:
        document.open_data(path)
        qtbot.waitUntil(lambda: not document.runner.jobs)
        assert document.apply("prepare", prepare)
        document.undo_stack.clear()
        room = on_screen(AnonymiseWorkspace(document))
        idle(qtbot, room)
        return room

    return make


@pytest.fixture
def drawn(
    qtbot: QtBot, document: Document, messages: RecordingBar, on_screen: OnScreen, tmp_path: Path
) -> ReleaseWorkspace:
    """The Release room with a draw of 400 people in steps of three columns, which says nothing but what it shows."""
    data = tmp_path / "staff.csv"
    rows = "".join(f"{('cook', 'clerk')[i % 2]},{1_000 * (i % 40)},{2001 + i % 20}-03-11\n" for i in range(400))
    data.write_text(f"job,pay,since\n{rows}", encoding="utf-8")
    room = ReleaseWorkspace(document)
    room.messages = messages
    on_screen(room, 900)
    document.open_data(data)
    data_is_there(qtbot, document)
    document.apply(
        "attach", lambda s: s.data.attach_hierarchies(s.data.hierarchy_suggester(s.project.schema.names)(SILENT))
    )
    document._accept(document.session.release.anonymiser()())
    data_is_there(qtbot, document)
    return room


@pytest.fixture
def furnished() -> None:
    """The rooms of `window` are all made as time goes by, as they are for a person."""


@pytest.fixture
def window(
    qtbot: QtBot,
    qapp: QApplication,
    settings: WindowSettings,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[MainWindow]:
    """The whole window in its first room, in the light theme; who is asked about unsaved work discards it.

    Its rooms are made when they are first asked for, unless a test uses `furnished`: most look into one or two of them.
    """
    if "furnished" not in request.fixturenames:
        monkeypatch.setattr(Workspaces, "unbuilt", lambda _: [])
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    themes = ThemeManager(qapp, settings)
    themes.set_mode(Mode.LIGHT)
    made = MainWindow(settings, themes)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    made.rail.select("data")  # where somebody is who opened a file
    yield made
    made.close()
    qapp.styleHints().colorSchemeChanged.disconnect(themes._follow_system)


@pytest.fixture(autouse=True)
def no_path_on_the_window_thread(private_home: Path, qapp: QApplication) -> Iterator[Watch]:
    """Fail a test in which the window's thread touches a path that a person chose."""
    with watched(programs_own(private_home)) as watch:
        yield watch
    assert not watch.found, "on the window's thread: " + "; ".join(watch.found)


@pytest.fixture
def after_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a project in which a look at the data is recorded, for what is shown only then.

    That it is not shown before, and how the look is taken, is in test_values_look.py.
    """
    monkeypatch.setattr(LookDesk, "taken", property(lambda _desk: True))
