"""Unsaved work is kept where only its owner can read it, and found again after a crash."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest

from workbench.core.errors import WorkbenchError
from workbench.io.os_lock import LockFile
from workbench.project import recovery
from workbench.project.model import GuaranteeSettings, Project
from workbench.project.recovery import ProjectLock, Slot, Unsaved
from workbench.project.storage import load_project

KEPT = Path(__file__).parents[1] / "data" / "projects" / "version_3.wbench"

CRASHING = """
import os, sys
from pathlib import Path
from workbench.project.recovery import ProjectLock, Slot
from workbench.project.storage import load_project
slot = Slot(Path(sys.argv[1]))
lock = ProjectLock(Path(sys.argv[2]), Path(sys.argv[1]) / "open")
assert lock.take()
slot.keep(load_project(Path(sys.argv[3])), Path(sys.argv[2]))
print("kept", flush=True)
sys.stdin.readline()
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def project() -> Project:
    return load_project(KEPT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


def test_work_of_a_living_window_is_not_offered(folder: Path, project: Project) -> None:
    mine, other = Slot(folder), Slot(folder)
    mine.keep(project, None)
    assert other.left_behind() == ()
    mine.clear()
    assert list(folder.iterdir()) == []


def test_what_was_set_aside_is_found_by_two_threads_that_look_at_once(
    folder: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who reads it holds its lock, which the other took for somebody who works on it: the start page had no line."""
    slot = Slot(folder)
    slot.keep(project, None)
    assert slot.set_aside() is not None
    reads, goes_on, real = Event(), Event(), recovery._unsaved

    def slow(file: Path) -> Unsaved | None:
        reads.set()
        goes_on.wait(0.3)
        return real(file)

    monkeypatch.setattr(recovery, "_unsaved", slow)
    found: list[int] = []
    first = Thread(target=lambda: found.append(len(Slot(folder).kept_aside())))
    first.start()
    assert reads.wait(10)
    found.append(len(Slot(folder).kept_aside()))
    goes_on.set()
    first.join(10)
    assert found == [1, 1]


def test_nothing_is_made_before_something_is_kept(folder: Path) -> None:
    slot = Slot(folder)
    assert slot.left_behind() == ()
    slot.clear()
    assert not folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_only_the_owner_can_read_it(folder: Path, project: Project) -> None:
    slot = Slot(folder)
    before = os.umask(0)
    try:
        slot.keep(project, None)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()} == {0o600}
    slot.clear()


def test_what_a_killed_process_left_is_taken_over(folder: Path, project: Project, tmp_path: Path) -> None:
    path = tmp_path / "salaries.wbench"
    arguments = [sys.executable, "-c", CRASHING, str(folder), str(path), str(KEPT)]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "kept\n"
    slot, lock = Slot(folder), ProjectLock(path, folder / "open")
    assert slot.left_behind() == ()
    assert not lock.take()  # it is open there
    process.communicate("go\n")
    assert lock.take()  # its lock ended with it
    lock.release()
    (unsaved,) = slot.left_behind()
    assert unsaved.path == path
    again = slot.take_over(unsaved)
    assert again.anonymise == project.anonymise
    assert Slot(folder).left_behind() == ()  # it is kept in a living slot now
    assert not unsaved.file.exists() and slot.file.exists()
    slot.clear()


def abandoned(folder: Path, project: Project) -> Path:
    """A recovery file of a process that is gone."""
    slot = Slot(folder)
    slot.keep(project, None)
    content = slot.file.read_bytes()
    slot.clear()
    folder.mkdir(exist_ok=True)
    slot.file.write_bytes(content)
    return slot.file


def test_two_windows_cannot_both_take_it(folder: Path, project: Project) -> None:
    file = abandoned(folder, project)
    one, two = Slot(folder), Slot(folder)
    (found,) = one.left_behind()
    one.take_over(found)
    with pytest.raises(WorkbenchError):
        two.take_over(found)
    assert not file.exists()
    assert load_project(one.file).schema == project.schema
    one.clear()


def test_what_is_given_up_is_gone(folder: Path, project: Project) -> None:
    abandoned(folder, project)
    slot = Slot(folder)
    (found,) = slot.left_behind()
    slot.discard(found)
    assert slot.left_behind() == ()
    assert list(folder.iterdir()) == []


def test_remains_of_a_killed_write_are_swept_up(folder: Path, project: Project) -> None:
    file = abandoned(folder, project)
    part = folder / f".{file.name}.abc.part"
    file.rename(part)
    assert Slot(folder).left_behind() == ()
    assert not part.exists()


def test_other_files_there_are_left_alone(folder: Path, project: Project) -> None:
    folder.mkdir()
    strange = [folder / "notes.txt", folder / "broken.wbench"]
    for one in strange:
        one.write_text("mine", encoding="utf-8")
    assert Slot(folder).left_behind() == ()
    assert all(one.read_text(encoding="utf-8") == "mine" for one in strange)


def test_the_state_of_the_last_keep_counts(folder: Path, project: Project) -> None:
    slot = Slot(folder)
    slot.keep(project, None)
    changed = replace(project, anonymise=replace(project.anonymise, guarantee=GuaranteeSettings(epsilon=0.25)))
    slot.keep(changed, None)
    assert load_project(slot.file).anonymise.guarantee.epsilon == 0.25
    slot.clear()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, project: Project) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="Unsaved work"):
        Slot(tmp_path / "file" / "recovery").keep(project, None)


def test_the_same_project_under_another_name_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    path.write_text("", encoding="utf-8")
    (tmp_path / "link.wbench").symlink_to(path)
    one, two = (ProjectLock(tmp_path / name, tmp_path / "locks") for name in ("p.wbench", "link.wbench"))
    assert one.take() and one.take()
    assert not two.take()
    one.release()
    assert two.take()
    two.release()
    assert list((tmp_path / "locks").iterdir()) == []


def test_a_lock_file_without_its_process_locks_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.lock").write_text("12345", encoding="utf-8")
    lock = LockFile(tmp_path / "x.lock")
    assert lock.take() and lock.held
    lock.release()
    lock.release()
    assert not lock.held


def test_a_project_is_open_in_one_place_at_a_time(tmp_path: Path) -> None:
    path, locks = tmp_path / "p.wbench", tmp_path / "locks"
    one, two = ProjectLock(path, locks), ProjectLock(tmp_path / "x" / ".." / "p.wbench", locks)
    assert one.take() and not two.take()
    one.release()
    assert two.take()
    two.release()


def test_where_locks_cannot_be_made_a_project_opens_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("", encoding="utf-8")
    lock = ProjectLock(tmp_path / "p.wbench", tmp_path / "no folder")
    assert lock.take() is True
    lock.release()


def test_work_that_another_window_took_over_is_left_to_it(folder: Path, project: Project, tmp_path: Path) -> None:
    gone = Slot(folder)
    gone.keep(project, tmp_path / "p.wbench")
    gone._lock.release()  # as the end of its process does
    (unsaved,) = Slot(folder).left_behind()
    other = LockFile(gone.file.with_suffix(".lock"))
    assert other.take()
    try:
        with pytest.raises(WorkbenchError, match="taken over"):
            Slot(folder).take_over(unsaved)
        Slot(folder).discard(unsaved)
        assert gone.file.exists()
    finally:
        other.release()
    Slot(folder).discard(unsaved)
    assert not gone.file.exists()
