"""At any moment either the old or the whole new file is there."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.io.atomic import atomic_write

ROOT = Path(__file__).resolve().parents[2]


def written(path: Path, data: bytes, **options: object) -> None:
    with atomic_write(path, **options) as file:  # type: ignore[call-overload]
        file.write(data)


def test_writes_bytes_and_text(tmp_path: Path) -> None:
    path = tmp_path / "file"
    written(path, b"old")
    assert path.read_bytes() == b"old"
    with atomic_write(path, "t") as file:
        file.write("ä\r\n")
    assert path.read_bytes() == "ä\r\n".encode()
    assert os.listdir(tmp_path) == ["file"]  # noqa: PTH208


def test_only_the_owner_can_read_it_before_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "file"
    before = os.umask(0o027)
    try:
        with atomic_write(path) as file:
            file.write(b"x")
            [part] = tmp_path.iterdir()
            assert stat.S_IMODE(part.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(before)


def test_permissions_of_the_old_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o604)
    written(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError, RuntimeError])
def test_a_body_that_fails_changes_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(error), atomic_write(path) as file:
        file.write(b"half")
        raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_about_another_file_is_not_blamed_on_this_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_write(tmp_path / "file"):
        (tmp_path / "other").read_bytes()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorkbenchError, match="not enough room") as caught:
        written(path, b"new")
    assert caught.value.field == "path"
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
def test_no_room_while_writing(tmp_path: Path) -> None:
    code = f"""
import resource, signal
from workbench.core.errors import WorkbenchError
from workbench.io.atomic import atomic_write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with atomic_write({str(tmp_path / "file")!r}) as file:
        file.write(b"x" * 100_000)
except WorkbenchError as error:
    print(error.message)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "not enough room" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_devices_are_refused_and_not_replaced(tmp_path: Path) -> None:
    link = tmp_path / "out.csv"
    link.symlink_to("/dev/full")
    for path in (Path("/dev/full"), link):
        with pytest.raises(WorkbenchError, match="device"):
            written(path, b"new")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)
    assert list(tmp_path.iterdir()) == [link]


def test_places_that_cannot_be(tmp_path: Path) -> None:
    cases = {
        tmp_path: "folder",
        tmp_path / "none" / "file": "no folder",
        tmp_path / ("x" * 300): "too long",
        Path("a\0b"): "cannot be written",
    }
    for path, named in cases.items():
        with pytest.raises(WorkbenchError, match=named) as caught:
            written(path, b"new")
        assert caught.value.field == "path"
        assert caught.value.hint
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_what_may_not_be_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o400)
    with pytest.raises(WorkbenchError, match="may not write"):
        written(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    written(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_protected_files_under_any_name(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_bytes(b"precious")
    (tmp_path / "soft").symlink_to(data)
    (tmp_path / "hard").hardlink_to(data)
    for path in (data, tmp_path / "soft", tmp_path / "hard", tmp_path / "." / "data.csv"):
        with pytest.raises(WorkbenchError, match=r"data\.csv.*must not be overwritten") as caught:
            written(path, b"new", protected=[tmp_path / "other", data])
        assert caught.value.field == "path"
    assert data.read_bytes() == b"precious"
    with pytest.raises(WorkbenchError, match="must not be overwritten"):
        written(tmp_path / "to be", b"new", protected=[tmp_path / "to be"])
    written(tmp_path / "free", b"new", protected=[data])


def test_killed_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "file"
    old, new = b"o" * 300_000, b"n" * 300_000
    code = f"""
import sys
from workbench.io.atomic import atomic_write
print("ready", flush=True)
for turn in range(10_000):
    with atomic_write({str(path)!r}) as file:
        data = {{0: b"o", 1: b"n"}}[turn % 2]
        for _ in range(300):
            file.write(data * 1000)
"""
    path.write_bytes(old)
    for trial in range(20):
        process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.0013 * trial)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert path.read_bytes() in (old, new)
