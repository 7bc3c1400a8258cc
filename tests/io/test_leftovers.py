"""What a kill leaves is swept by the next write beside it, and what somebody still writes is not."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.io import leftovers
from workbench.io.atomic import atomic_folder, atomic_place, atomic_write, check_folder_writable

ROOT = Path(__file__).resolve().parents[2]

WRITING = """
import sys, time
from pathlib import Path
from workbench.io.atomic import atomic_folder, atomic_place, atomic_write

what, path = sys.argv[1], Path(sys.argv[2])
make = {"file": atomic_write, "place": atomic_place}
make["folder"] = lambda path: atomic_folder(path, replaces=lambda _: True)
with make[what](path) as file:
    if what == "file":
        file.write(b"slow")
    elif what == "place":
        file.write_bytes(b"slow")
    else:
        file.mkdir()
        (file / "one").write_bytes(b"slow")
    print("writing", flush=True)
    sys.stdin.read()
"""
KINDS = ["file", "place", "folder"]


def writer(what: str, path: Path) -> subprocess.Popen[bytes]:
    """A process that is in the middle of writing."""
    command = [sys.executable, "-c", WRITING, what, str(path)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"writing\n"
    return process


def ended(process: subprocess.Popen[bytes]) -> int:
    process.communicate(timeout=30)
    return process.returncode


def write(path: Path, content: bytes = b"new") -> None:
    with atomic_write(path) as file:
        file.write(content)


def parts(folder: Path) -> list[Path]:
    return list(folder.glob(".*.part"))


@pytest.mark.parametrize("what", KINDS)
def test_what_a_kill_left_is_gone_after_the_next_write(what: str, tmp_path: Path) -> None:
    process = writer(what, tmp_path / "killed")
    assert len(parts(tmp_path)) == 1
    process.send_signal(signal.SIGKILL)
    assert ended(process) != 0
    (part,) = parts(tmp_path)
    assert stat.S_IMODE(part.stat().st_mode) == (0o600 if what == "file" else 0o700)
    write(tmp_path / "another")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["another"]


@pytest.mark.parametrize("what", KINDS)
def test_two_that_write_beside_each_other_leave_each_other_alone(what: str, tmp_path: Path) -> None:
    process = writer(what, tmp_path / "slow")
    write(tmp_path / "quick")
    with atomic_place(tmp_path / "placed") as place:
        place.write_bytes(b"x")
    assert len(parts(tmp_path)) == 1
    assert ended(process) == 0, "its end of input lets it go on"
    slow = tmp_path / "slow"
    assert (slow / "one" if what == "folder" else slow).read_bytes() == b"slow"
    assert not parts(tmp_path)


@pytest.mark.parametrize(
    "name", ["{there}", ".other.wb-000000-abcdefgh.part", ".movie.part", ".a.tmpabcd1.part", "a.part"]
)
def test_only_what_this_machine_made_is_swept(name: str, tmp_path: Path) -> None:
    write(tmp_path / "a")
    process = writer("file", tmp_path / "killed")
    process.kill()
    ended(process)
    (part,) = parts(tmp_path)
    mine = name == "{there}"
    kept = part if mine else part.rename(tmp_path / name)
    write(tmp_path / "a")
    assert kept.exists() is not mine


def test_what_only_looks_like_a_part_is_not_followed(tmp_path: Path) -> None:
    precious, folder = tmp_path / "precious", tmp_path / "folder"
    precious.write_bytes(b"x")
    folder.mkdir()
    (folder / "held").write_bytes(b"x")
    for number, target in enumerate((precious, folder)):
        (tmp_path / f"{leftovers._prefix(Path('a'))}{number}bcdefgh{leftovers.SUFFIX}").symlink_to(target)
    write(tmp_path / "a")
    assert precious.exists() and (folder / "held").exists()


def test_a_part_that_is_swept_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between making a part and locking it somebody else may sweep it."""
    real, swept = leftovers.try_lock, []

    def late(descriptor: int) -> bool:
        if not swept:
            swept.append(1)
            leftovers.sweep(tmp_path)
        return real(descriptor)

    for make in (lambda: write(tmp_path / "a"), lambda: placed(tmp_path / "b")):
        swept.clear()
        with monkeypatch.context() as patched:
            patched.setattr(leftovers, "try_lock", late)
            make()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a", "b"]


def placed(path: Path) -> None:
    with atomic_place(path) as place:
        place.write_bytes(b"x")


def test_a_disk_without_locks_is_written_to_and_never_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = writer("file", tmp_path / "killed")
    process.kill()
    ended(process)

    def none(_: int) -> bool:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(leftovers, "try_lock", none)
    write(tmp_path / "a")
    placed(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == b"new" and len(parts(tmp_path)) == 1


def test_many_at_once_in_one_process(tmp_path: Path) -> None:
    failed: list[BaseException] = []

    def often(number: int) -> None:
        try:
            for _ in range(60):
                write(tmp_path / str(number % 3), b"%d" % number)
                placed(tmp_path / f"placed {number}")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=often, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and not parts(tmp_path) and len(list(tmp_path.iterdir())) == 9


BETWEEN = """
import os, signal, sys
from pathlib import Path
from workbench.io.atomic import atomic_folder

path, real = Path(sys.argv[1]), Path.replace
def replace(self, target):
    if Path(target) == path:
        os.kill(os.getpid(), signal.SIGKILL)  # the old folder is away, the new one not there yet
    return real(self, target)
Path.replace = replace
with atomic_folder(path, replaces=lambda _: True) as place:
    place.mkdir()
    (place / "new").write_bytes(b"new")
"""


def killed_between(folder: Path) -> Path:
    path = folder / "release"
    path.mkdir()
    (path / "old").write_bytes(b"old")
    subprocess.run([sys.executable, "-c", BETWEEN, str(path)], cwd=ROOT, check=False, timeout=30)
    assert not path.exists() and len(parts(folder)) == 1
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="needs a kill")
@pytest.mark.parametrize(
    "next_write",
    [
        lambda folder: write(folder / "a"),
        lambda folder: check_folder_writable(folder / "release", lambda _: True),
    ],
    ids=["another file", "the same folder"],
)
def test_a_folder_that_was_being_replaced_is_brought_to_its_end(
    next_write: Callable[[Path], object], tmp_path: Path
) -> None:
    path = killed_between(tmp_path)
    next_write(tmp_path)
    assert [one.name for one in path.iterdir()] == ["new"]
    assert not parts(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a kill")
def test_what_may_be_the_only_copy_is_not_swept(tmp_path: Path) -> None:
    path = killed_between(tmp_path)
    path.mkdir()  # somebody has made another one since
    write(tmp_path / "a")
    (part,) = parts(tmp_path)
    assert {one.name for one in part.rglob("*") if one.is_file()} >= {"old", "new"}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs permissions")
def test_nobody_else_can_read_a_file_before_it_is_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        seen.append(stat.S_IMODE(self.stat().st_mode))
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    write(tmp_path / "a")
    assert seen == [0o600] and stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o666 & ~_umask()


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current


def test_a_body_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError), atomic_folder(tmp_path / "parts", replaces=lambda _: True) as place:
        place.mkdir()
        raise WorkbenchError("no")
    assert not list(tmp_path.iterdir())
