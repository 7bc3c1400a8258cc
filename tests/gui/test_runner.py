"""Jobs of the window: results, progress, failures, Cancel, the end, and the strip that shows them."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.garbage import no_garbage_collection
from workbench.core.progress import Cancelled, Progress
from workbench.gui.messages import MessageBar
from workbench.gui.runner import JobState, Runner
from workbench.gui.theme import Theme
from workbench.gui.widgets.job_strip import JobStrip


class Gate:
    """Work that waits to be let go, and reports progress while it waits."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.open = threading.Event()

    def __call__(self, progress: Progress) -> str:
        self.began.set()
        while not self.open.wait(0.002):
            progress(0.5, "waiting")
        return "through"

    def stubborn(self, progress: Progress) -> str:
        """Does not look whether it was cancelled."""
        self.began.set()
        self.open.wait(5)
        return "through"


@pytest.fixture
def runner(qapp: QApplication):
    made = Runner()
    yield made
    assert made.shutdown()
    made.deleteLater()


def test_a_result_comes_back_on_the_gui_thread(qtbot, runner: Runner) -> None:
    seen: list[object] = []

    def work(progress: Progress) -> threading.Thread:
        return threading.current_thread()

    def done(result: object) -> None:
        seen.extend([result, threading.current_thread()])

    with qtbot.waitSignal(runner.finished):
        job = runner.start("Work", work, on_done=done)
    assert seen[0] is not threading.main_thread() and seen[1] is threading.main_thread()
    assert job.state is JobState.DONE and job.fraction == 1.0
    assert runner.jobs == ()


def test_the_switch_interval_is_short_only_while_jobs_run(qtbot, runner: Runner) -> None:
    usual = sys.getswitchinterval()
    gate = Gate()
    with qtbot.waitSignal(runner.finished):
        runner.start("Wait", gate)
        assert sys.getswitchinterval() == pytest.approx(0.001)
        gate.open.set()
    assert sys.getswitchinterval() == pytest.approx(usual)


def test_progress_is_told_and_throttled(qtbot, runner: Runner) -> None:
    told: list[tuple[float, str]] = []
    runner.progress.connect(lambda job, fraction, text: told.append((fraction, text)))

    def work(progress: Progress) -> None:
        for step in range(50_000):
            progress(step / 50_000, "counting")

    with qtbot.waitSignal(runner.finished):
        job = runner.start("Count", work)
    assert len(told) <= job.elapsed * 20 + 1
    gate = Gate()
    with qtbot.waitSignal(runner.progress):
        runner.start("Wait", gate)
    assert told[-1] == (0.5, "waiting")
    gate.open.set()
    qtbot.waitUntil(lambda: not runner.jobs)


def test_failures_reach_the_callback_and_the_message_bar(qtbot, light: Theme) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    runner = Runner(bar)
    caught: list[BaseException] = []

    def fail(progress: Progress) -> None:
        raise WorkbenchError("Column “age” is missing.", hint="Choose another.")

    with qtbot.waitSignal(runner.finished):
        job = runner.start("Fail", fail, on_failed=caught.append)
    assert job.state is JobState.FAILED
    assert isinstance(caught[0], WorkbenchError)
    assert [(m.text, m.hint, m.details) for m in bar.messages] == [("Column “age” is missing.", "Choose another.", "")]
    with qtbot.waitSignal(runner.finished):
        runner.start("Fail", fail, on_failed=lambda error: True)
    assert len(bar.messages) == 1, "a handled failure shows no message"
    with qtbot.waitSignal(runner.finished):
        runner.start("Crash", lambda progress: 1 / 0)
    assert "ZeroDivisionError" in bar.messages[0].text and "Traceback" in bar.messages[0].details
    assert runner.shutdown()


@pytest.mark.parametrize("error", [Cancelled(), WorkbenchError("No."), ValueError("odd")])
def test_what_a_job_that_fails_had_in_hand_is_let_go(qtbot, runner: Runner, error: Exception) -> None:
    """Without anybody looking for circles: it may have been a large table."""

    class Table:
        pass

    held: list[weakref.ref[Table]] = []

    def work(progress: Progress) -> None:
        table = Table()
        held.append(weakref.ref(table))
        raise type(error)(*error.args)

    with no_garbage_collection():
        with qtbot.waitSignal(runner.finished):
            runner.start("Work", work, on_failed=lambda failed: True)
        assert [one() for one in held] == [None]


def test_cancelling_ends_in_a_note_and_not_in_a_message(qtbot, light: Theme) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    runner = Runner(bar)
    results: list[object] = []
    notes: list[str] = []
    runner.note.connect(notes.append)
    gate = Gate()
    job = runner.start("Long work", gate, on_done=results.append, on_failed=results.append)
    assert gate.began.wait(5)
    with qtbot.waitSignal(runner.finished):
        job.cancel()
        assert job.cancelling
    assert job.state is JobState.CANCELLED
    assert notes == ["Cancelled: Long work"]
    assert [type(result) for result in results] == [Cancelled]
    assert not bar.messages
    assert runner.shutdown()


def test_a_result_that_comes_after_cancel_is_dropped_unless_it_must_be_kept(qtbot, runner: Runner) -> None:
    results: list[object] = []
    for keep in (False, True):
        gate = Gate()
        job = runner.start("Spend", gate.stubborn, on_done=results.append, keep_late_result=keep)
        assert gate.began.wait(5)
        job.cancel()
        with qtbot.waitSignal(runner.finished):
            gate.open.set()
    assert results == ["through"]


def test_the_latest_of_a_key_wins(qtbot, runner: Runner) -> None:
    results: list[object] = []
    notes: list[str] = []
    runner.note.connect(notes.append)
    gates = [Gate(), Gate(), Gate()]
    jobs = [runner.start("Preview", gate, on_done=results.append, key="preview", latest_wins=True) for gate in gates]
    other = runner.start("Other", lambda progress: "other", on_done=results.append, key="else")
    for gate in gates:
        gate.open.set()
    qtbot.waitUntil(lambda: not runner.jobs)
    assert sorted(map(str, results)) == ["other", "through"]
    assert [job.state for job in [*jobs, other]] == [JobState.CANCELLED] * 2 + [JobState.DONE] * 2
    assert notes == [], "being overtaken is nothing to speak of"


def test_more_jobs_than_threads_wait_their_turn_and_can_be_cancelled_there(qtbot) -> None:
    runner = Runner(parallel=1)
    gate = Gate()
    ran: list[str] = []
    first = runner.start("First", gate)
    second = runner.start("Second", lambda progress: ran.append("second"))
    third = runner.start("Third", lambda progress: ran.append("third"))
    assert gate.began.wait(5)
    assert (first.state, second.state) == (JobState.RUNNING, JobState.WAITING)
    with qtbot.waitSignal(runner.finished):
        second.cancel()
    assert second.state is JobState.CANCELLED and first.state is JobState.RUNNING
    gate.open.set()
    qtbot.waitUntil(lambda: third.state is JobState.DONE)
    assert ran == ["third"]
    assert runner.shutdown()


def test_shutdown_stops_the_threads_and_nobody_is_called_back(qtbot) -> None:
    runner = Runner()
    results: list[object] = []
    gates = [Gate() for _ in range(6)]
    jobs = [runner.start("Work", gate, on_done=results.append, on_failed=results.append) for gate in gates]
    assert gates[0].began.wait(5)
    assert runner.shutdown()
    QApplication.processEvents()
    assert results == []
    assert {job.state for job in jobs} == {JobState.CANCELLED}
    late = runner.start("Late", lambda progress: 1, on_done=results.append)
    QApplication.processEvents()
    assert late.state is JobState.CANCELLED and results == []


def test_a_receiver_that_is_gone_is_not_called(qtbot, runner: Runner) -> None:
    called: list[object] = []

    class Receiver(QObject):
        def take(self, result: object) -> None:
            called.append(result)

    receiver, owner, stays = Receiver(), QObject(), Receiver()
    gate = Gate()
    runner.start("Work", gate, on_done=receiver.take)
    runner.start("Work", gate, on_done=called.append, owner=owner)
    runner.start("Work", gate, on_done=stays.take)
    del receiver, owner
    gate.open.set()
    qtbot.waitUntil(lambda: not runner.jobs)
    assert called == ["through"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_closure_of_a_page_that_is_gone_is_not_called(qtbot, runner: Runner, fails: bool) -> None:
    called: list[object] = []

    class Page(QLabel):
        def run(self, function: Callable[[Progress], object]) -> None:
            def take(result: object) -> None:
                self.setText(str(result))
                called.append(self)

            runner.start("Work", function, on_done=lambda result: take(result) or self.text(), on_failed=take)

    def work(progress: Progress) -> None:
        gate(progress)
        if fails:
            raise WorkbenchError("It failed.")

    around, gate = QWidget(), Gate()
    gone, stays = Page(around), Page()
    qtbot.addWidget(stays)
    for page in (gone, stays):
        page.run(work)
    shiboken6.delete(around)
    gate.open.set()
    qtbot.waitUntil(lambda: not runner.jobs)
    assert called == [stays]


def test_the_strip_shows_facts_and_the_running_job(qtbot, light: Theme) -> None:
    strip, runner = JobStrip(), Runner()
    qtbot.addWidget(strip)
    strip.watch(runner)
    strip.set_fact("budget", "Spent so far  ε 1.00", share=0.5)
    strip.set_fact("rows", "13,811 rows")
    strip.set_fact("rows", "")
    assert (strip.fact("budget"), strip.fact("rows")) == ("Spent so far  ε 1.00", "")
    gate = Gate()
    job = runner.start("Searching levels", gate)
    qtbot.waitUntil(lambda: strip.job is job)
    button = strip.findChild(QPushButton)
    assert button is not None
    button.click()
    qtbot.waitUntil(lambda: job.state is JobState.CANCELLED)
    assert strip.job is None
    assert runner.shutdown()


def test_the_strip_shows_no_job_that_nobody_waits_for(qtbot, light: Theme) -> None:
    strip, runner = JobStrip(), Runner()
    qtbot.addWidget(strip)
    strip.watch(runner)
    first, second = Gate(), Gate()
    old = runner.start("Looking", first, key="look", latest_wins=True)
    qtbot.waitUntil(lambda: strip.job is old)
    shown: list[object] = []
    new = runner.start("Looking", second, key="look", latest_wins=True, on_done=lambda _: shown.append(strip.job))
    assert strip.job is None, "another has come in its place, and cancelling it is no news"
    qtbot.waitUntil(lambda: strip.job is new)
    second.open.set()
    qtbot.waitUntil(lambda: bool(shown))
    assert shown == [None], "what is asked after it has ended is not its time"
    assert runner.shutdown()
