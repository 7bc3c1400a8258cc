"""Unsaved work survives a crash, and two windows do not overwrite each other's project."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.helpers import data_is_there
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.gui import project_files, recovery
from workbench.gui.main_window import MainWindow
from workbench.gui.overwrite_question import Wanted
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import ThemeManager
from workbench.gui.widgets.eliding_button import ElidingButton
from workbench.project import recovery as kept
from workbench.project.recovery import Slot
from workbench.project.storage import add_histories, load_project
from workbench.query.ledger_entries import LedgerHistory
from workbench.query.recorded_look import RecordedLook
from workbench.session import Session

Window = Callable[[], MainWindow]


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, settings: WindowSettings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Window]:
    """Opens main windows that keep unsaved work at once; unsaved work is discarded when they are closed."""
    monkeypatch.setattr(recovery, "AUTOSAVE_MS", 1)
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Discard)
    made: list[MainWindow] = []

    def open_window() -> MainWindow:
        window = MainWindow(settings, ThemeManager(qapp, settings))
        made.append(window)
        return window

    yield open_window
    for one in made:
        one.close()
        one.deleteLater()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(50)), encoding="utf-8")
    session = Session()
    session.data.open(data)
    path = tmp_path / "p.wbench"
    session.save(path)
    return path


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> MainWindow:
    window.document.open_project(path)
    data_is_there(qtbot, window.document)
    return window


def all_kept(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.runner.jobs and not window.recovery.busy, timeout=10_000)


def edit(qtbot: QtBot, window: MainWindow, bound: float) -> None:
    assert window.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, bound)))
    all_kept(qtbot, window)


def press(window: MainWindow, words: str) -> None:
    next(b for b in window.messages.findChildren(QPushButton) if b.text() == words).click()


def press_first(window: MainWindow) -> None:
    """Recover what the message in view offers."""
    next(b for b in window.messages.messages[0].findChildren(QPushButton) if b.text() == "Recover").click()


def saved(window: MainWindow) -> bool:
    """Press Save and wait for what comes of it."""
    window.save()
    return window.document.saving.wait()


def crash(window: MainWindow) -> None:
    """What the end of a process does: its locks are gone, its files are not."""
    for lock in (window.recovery.slot._lock, window.document._place._lock):
        if lock is None:
            continue
        found = getattr(lock, "_lock", lock)
        os.close(found._descriptor)
        found._descriptor = None
    window.recovery.slot = Slot()


class Answer:
    """Answers the question what is to become of two versions, and counts how often it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wanted = Wanted.NOTHING
        self.asked = 0
        monkeypatch.setattr(project_files, "ask_about_newer", self)

    def __call__(self, *_given: Any) -> Wanted:
        self.asked += 1
        return self.wanted


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Answer:
    return Answer(monkeypatch)


def test_unsaved_work_is_kept_and_gone_once_it_is_saved(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    file = one.recovery.slot.file
    all_kept(qtbot, one)
    assert not one.document.modified and not file.exists()
    edit(qtbot, one, 90.0)
    assert load_project(file).schema["age"].bounds == (0.0, 90.0)
    assert load_project(project).schema["age"].bounds is None
    edit(qtbot, one, 99.0)
    assert load_project(file).schema["age"].bounds == (0.0, 99.0)
    assert one.document.save(project)
    all_kept(qtbot, one)
    assert not file.exists()


def test_closing_leaves_nothing(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    folder = one.recovery.slot.folder
    assert list(folder.iterdir())
    one.close()
    assert not list(folder.iterdir())


def test_after_a_crash_the_work_is_offered_and_goes_on(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    crash(one)
    two = window()
    two.recovery.offer()
    (message,) = two.messages.messages
    assert message.text.startswith("Not saved: changes to “p”, ")
    assert message.hint == "What was exported stays.", "it is not what was published that is offered"
    press(two, "Recover")
    assert two.rail.current == "data", "what was recovered is seen"
    qtbot.waitUntil(lambda: two.document.has_data and not two.runner.jobs, timeout=10_000)
    assert two.document.project.schema["age"].bounds == (0.0, 90.0)
    assert two.document.modified and two.document.path == project
    assert load_project(two.recovery.slot.file).schema["age"].bounds == (0.0, 90.0)
    three = window()
    three.recovery.offer()
    assert three.messages.messages == ()
    two.save()
    qtbot.waitUntil(lambda: not two.document.modified, timeout=10_000)
    assert load_project(project).schema["age"].bounds == (0.0, 90.0)


def test_each_work_is_named_and_after_one_the_next_is_offered(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    slots = []
    for number, name in enumerate(("school", "adult"), start=1):
        data = tmp_path / f"{name}.csv"
        data.write_text("age\n" + "20\n30\n" * number, encoding="utf-8")
        session = Session()
        session.data.open(data)
        slots.append(Slot())
        slots[-1].keep(session.project, None)
        os.utime(slots[-1].file, (1_000_000_000 + 86_400 * number,) * 2)
        slots[-1]._lock.release()
    one = window()
    one.recovery.offer()
    texts = [message.text for message in one.messages.messages]
    assert texts[0].startswith("Not saved: settings of “adult.csv”, 2001-09-1"), "its files may have been exported"
    assert "“school.csv”, 2001-09-1" in texts[1]
    press_first(one)
    assert one.document.project.data is not None and one.document.project.data.path.endswith("adult.csv")
    text = one.messages.messages[0].text
    assert text.startswith("Recovered: “adult.csv”, 2001-09-") and "Also kept: “school.csv”, 2001-09-" in text
    press_first(one)
    assert one.messages.messages[0].text.startswith("Recovered: “school.csv”, 2001-09-")
    assert "Also" not in one.messages.messages[0].text


@pytest.mark.parametrize("published", [True, False])
def test_what_was_published_and_not_saved_gives_way_without_a_question_and_comes_back_from_the_start_page(
    qtbot: QtBot, window: Window, project: Path, monkeypatch: pytest.MonkeyPatch, published: bool
) -> None:
    asked: list[str] = []

    def question(_: object, _title: str, text: str, *__: object) -> QMessageBox.StandardButton:
        asked.append(text)
        return QMessageBox.StandardButton.Discard

    monkeypatch.setattr(QMessageBox, "question", question)
    monkeypatch.setattr(recovery, "is_done", lambda _: published)
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    left = one.document.project
    other = project.with_name("visits.csv")
    other.write_text("ward,charge\nA,1\nB,2\n", encoding="utf-8")
    one.open_path(other)
    qtbot.waitUntil(lambda: one.document.project.schema.names == ("ward", "charge"), timeout=10_000)
    all_kept(qtbot, one)
    assert len(asked) == (not published) and len(Slot().kept_aside()) == published
    told = [message.text for message in one.messages.messages]
    assert ("“p” is kept on Start." in told) is published
    one.start.refresh()
    all_kept(qtbot, one)
    lines = [line for line in one.start.findChildren(ElidingButton) if "p.wbench · settings kept" in line.words]
    assert len(lines) == published
    if published:
        lines[0].click()
        data_is_there(qtbot, one.document)
        assert one.document.project.schema["age"] == left.schema["age"] and one.document.path == project
        assert one.document.modified and not Slot().kept_aside() and len(asked) == 0


@pytest.mark.parametrize("changed", [False, True])
def test_what_was_exported_as_it_is_is_not_called_unsaved_and_stays_on_the_start_page(
    qtbot: QtBot, window: Window, tmp_path: Path, changed: bool
) -> None:
    """All is done, and a message says that something is not; what was said since the export is offered as before."""
    one, data = window(), tmp_path / "ages.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(400)), encoding="utf-8")
    one.open_path(data)
    data_is_there(qtbot, one.document)
    ages = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)], origin="tens")
    assert one.document.apply("attach", lambda session: session.data.attach_hierarchy("age", ages))
    one.document._accept(one.document.session.release.anonymiser()())
    one.document.export(tmp_path / "out.csv", None)
    all_kept(qtbot, one)
    if changed:
        edit(qtbot, one, 90.0)
    left = one.document.project
    crash(one)
    two = window()
    two.recovery.offer()
    assert [message.text.startswith("Not saved: settings of “ages.csv”") for message in two.messages.messages] == (
        [True] if changed else []
    )
    assert len(Slot().kept_aside()) == (not changed) and len(Slot().left_behind()) == changed
    if changed:
        press(two, "Recover")
    else:
        two.show_start()
        all_kept(qtbot, two)

        def kept_lines() -> list[ElidingButton]:
            return [line for line in two.start.findChildren(ElidingButton) if "ages.csv · settings kept" in line.words]

        qtbot.waitUntil(lambda: len(kept_lines()) == 1, timeout=10_000)  # what is kept is read in the background
        kept_lines()[0].click()
    data_is_there(qtbot, two.document)
    assert two.document.project.schema == left.schema and set(two.document.project.hierarchies) == {"age"}
    two.recovery.offer()
    assert not [message for message in two.messages.messages if message.text.startswith("Not saved")]


def test_discarded_work_is_not_offered_again(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    crash(one)
    two = window()
    two.recovery.offer()
    press(two, "Discard")
    assert two.messages.messages == ()
    two.recovery.offer()
    assert two.messages.messages == ()


def test_who_stays_with_unsaved_work_is_asked_again(
    qtbot: QtBot, window: Window, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    crash(one)
    two = opened(qtbot, window(), project)
    edit(qtbot, two, 50.0)
    two.recovery.offer()
    with monkeypatch.context() as context:
        context.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Cancel)
        press(two, "Recover")
    assert two.document.project.schema["age"].bounds == (0.0, 50.0)
    assert any(message.text.startswith("Not saved: changes to “p”, ") for message in two.messages.messages)


class Failing:
    """Fails to write projects to recovery files as long as `error` is one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error: BaseException | None = None
        self.tries = 0
        self._save = kept.save_project
        monkeypatch.setattr(kept, "save_project", self._write)

    def _write(self, *given: Any, **named: Any) -> None:
        self.tries += 1
        if self.error is not None:
            raise self.error
        self._save(*given, **named)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    monkeypatch.setattr(recovery, "AGAIN_MS", 20)
    return Failing(monkeypatch)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (WorkbenchError("There is no room on the disk."), "There is no room on the disk."),
        (OSError("gone"), "Unsaved work could not be kept: OSError."),
        (AttributeError("'str' object has no attribute 'value'"), "Unsaved work could not be kept: AttributeError."),
        (MemoryError(), "Unsaved work could not be kept: MemoryError."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_failure_is_told_once_and_tried_again_until_it_works(
    qtbot: QtBot, window: Window, project: Path, failing: Failing, error: BaseException, words: str
) -> None:
    one = opened(qtbot, window(), project)
    failing.error = error
    assert one.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 90.0)))
    qtbot.waitUntil(lambda: failing.tries >= 3, timeout=10_000)  # without another edit
    assert [m.text for m in one.messages.messages] == [words]
    one.messages.clear()
    tries = failing.tries
    qtbot.waitUntil(lambda: failing.tries >= tries + 3, timeout=10_000)
    assert one.messages.messages == ()
    assert not one.recovery.is_kept()
    failing.error = None
    all_kept(qtbot, one)
    assert one.recovery.is_kept()
    assert [m.text for m in one.messages.messages] == ["Unsaved work is kept again."]
    assert load_project(one.recovery.slot.file).schema["age"].bounds == (0.0, 90.0)
    tries = failing.tries
    edit(qtbot, one, 91.0)
    assert failing.tries == tries + 1


def test_what_was_told_of_a_failure_goes_when_the_project_is_saved(
    qtbot: QtBot, window: Window, project: Path, failing: Failing
) -> None:
    one = opened(qtbot, window(), project)
    failing.error = WorkbenchError("There is no room on the disk.")
    assert one.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 90.0)))
    qtbot.waitUntil(lambda: bool(one.messages.messages), timeout=10_000)
    assert saved(one)
    all_kept(qtbot, one)
    assert one.messages.messages == ()


class Held:
    """Work that goes on until it is let go, deaf to Cancel."""

    def __init__(self) -> None:
        self._go = Event()
        self.running = 0

    def __call__(self, *_given: Any, **_named: Any) -> None:
        self.running += 1
        assert self._go.wait(30)

    def let_go(self) -> None:
        self._go.set()


def test_an_edit_is_kept_beside_long_jobs(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    long = Held()
    jobs = [one.runner.start(f"Long {n}", long) for n in range(20)]
    try:
        qtbot.waitUntil(lambda: long.running >= 2, timeout=10_000)
        assert one.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 90.0)))
        qtbot.waitUntil(one.recovery.is_kept, timeout=10_000)
        assert all(job.state in ("running", "waiting") for job in jobs)
        assert load_project(one.recovery.slot.file).schema["age"].bounds == (0.0, 90.0)
        one.cancel()
        assert one.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 91.0)))
        qtbot.waitUntil(one.recovery.is_kept, timeout=10_000)
        assert load_project(one.recovery.slot.file).schema["age"].bounds == (0.0, 91.0)
    finally:
        long.let_go()
        all_kept(qtbot, one)


def test_cancel_does_not_stop_the_keeping_of_work(
    qtbot: QtBot, window: Window, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = opened(qtbot, window(), project)
    save, slow = kept.save_project, Held()

    def write(*given: Any, **named: Any) -> None:
        slow()
        save(*given, **named)

    monkeypatch.setattr(kept, "save_project", write)
    try:
        assert one.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 90.0)))
        qtbot.waitUntil(lambda: slow.running > 0, timeout=10_000)
        one.cancel()
    finally:
        slow.let_go()
    all_kept(qtbot, one)
    assert one.recovery.is_kept() and one.document.modified
    assert one.messages.messages == ()
    assert load_project(one.recovery.slot.file).schema["age"].bounds == (0.0, 90.0)


def test_work_is_said_to_be_kept_only_where_it_is(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    all_kept(qtbot, one)

    def hint() -> str:
        return one.messages.show_error(RuntimeError("anything")).hint

    assert hint().startswith("Your work is kept.")
    assert one.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 90.0)))
    assert "is kept" not in hint() and "Save your work" in hint()
    all_kept(qtbot, one)
    assert hint().startswith("Your work is kept.")


def test_a_second_window_is_told_and_does_not_overwrite(
    qtbot: QtBot, window: Window, project: Path, tmp_path: Path, answer: Answer
) -> None:
    one = opened(qtbot, window(), project)
    two = opened(qtbot, window(), project)
    assert any("another window" in message.text for message in two.messages.messages)
    edit(qtbot, one, 90.0)
    edit(qtbot, two, 50.0)
    assert not two.document.save(project)
    assert one.document.save(project)
    assert not two.document.save(project)
    one.close()
    assert answer.asked == 0  # as long as the other window is there, there is nothing to decide
    assert not two.document.save(project)  # it would put back what was there before
    assert answer.asked == 1
    assert load_project(project).schema["age"].bounds == (0.0, 90.0)
    assert two.document.save(tmp_path / "other.wbench")
    assert load_project(tmp_path / "other.wbench").schema["age"].bounds == (0.0, 50.0)
    three = opened(qtbot, window(), project)
    assert three.document.save(project)


def test_a_project_that_is_left_can_be_opened_elsewhere(qtbot: QtBot, window: Window, project: Path) -> None:
    one = opened(qtbot, window(), project)
    one.document.new()
    two = opened(qtbot, window(), project)
    assert not [m for m in two.messages.messages if "another window" in m.text]
    assert two.document.save(project)


def bounds(path: Path) -> tuple[float, float] | None:
    return load_project(path).schema["age"].bounds


def save_elsewhere(path: Path, bound: float) -> None:
    """What a program that knows no locks does, or one on another machine."""
    session = Session.from_file(path)
    session.data.set_bounds("age", (0.0, bound))
    session.save(path)


def test_what_others_saved_is_not_overwritten_without_asking(
    qtbot: QtBot, window: Window, project: Path, answer: Answer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    assert saved(one) and answer.asked == 0
    edit(qtbot, one, 91.0)
    save_elsewhere(project, 50.0)
    assert not saved(one)
    assert (answer.asked, bounds(project), one.document.modified) == (1, (0.0, 50.0), True)
    one.document.saving.decide = None
    assert not one.document.save(project)  # nor where nobody can be asked
    assert "since it was opened here" in one.messages.messages[0].text
    assert bounds(project) == (0.0, 50.0)
    one.document.saving.decide = one.files.decide_about_newer
    other = tmp_path / "mine.wbench"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    answer.wanted = Wanted.SAVE_AS
    assert saved(one) and one.document.path == other
    assert (bounds(project), bounds(other)) == ((0.0, 50.0), (0.0, 91.0))
    edit(qtbot, one, 92.0)
    assert saved(one) and answer.asked == 2


def test_what_others_saved_is_overwritten_where_that_is_wanted(
    qtbot: QtBot, window: Window, project: Path, answer: Answer
) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    save_elsewhere(project, 50.0)
    answer.wanted = Wanted.OVERWRITE
    assert saved(one) and bounds(project) == (0.0, 90.0)
    edit(qtbot, one, 91.0)
    assert saved(one) and answer.asked == 1


def test_recovered_work_does_not_overwrite_what_was_saved_meanwhile(
    qtbot: QtBot, window: Window, project: Path, answer: Answer
) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    crash(one)
    save_elsewhere(project, 50.0)
    two = window()
    two.recovery.offer()
    press(two, "Recover")
    qtbot.waitUntil(lambda: two.document.has_data and not two.runner.jobs, timeout=10_000)
    assert not saved(two) and answer.asked == 1
    assert bounds(project) == (0.0, 50.0)


def test_copies_of_the_ledger_and_a_copied_file_are_nobody_elses_work(
    qtbot: QtBot, window: Window, project: Path, answer: Answer
) -> None:
    one = opened(qtbot, window(), project)
    edit(qtbot, one, 90.0)
    session = Session.from_file(project)
    add_histories(project, {"f" * 64: LedgerHistory(looks=(RecordedLook.now("recipe", drawn=True),))})
    assert project.read_bytes() and session.project.histories != load_project(project).histories
    assert saved(one) and answer.asked == 0
    assert [look.recipe for look in load_project(project).looks] == ["recipe"]
    edit(qtbot, one, 91.0)
    shutil.copyfile(project, project.with_suffix(".copy"))
    project.with_suffix(".copy").replace(project)  # as a program that synchronises folders does
    assert saved(one) and answer.asked == 0
    edit(qtbot, one, 92.0)
    project.write_bytes(b"not a project")
    assert not saved(one) and answer.asked == 1
    project.unlink()
    assert saved(one) and bounds(project) == (0.0, 92.0)
