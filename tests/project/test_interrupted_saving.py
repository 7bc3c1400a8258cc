"""Killed at any moment, or without room on the disk: what was saved before is still there, whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.errors import WorkbenchError
from workbench.project.storage import load_project, save_project

KEPT = Path(__file__).parents[1] / "data" / "projects" / "version_3.wbench"
TRIALS = 100

# One process forks a child for each trial, so that a trial costs milliseconds and not the start of a program.
KILLED = """
import os, random, signal, sys, time
from dataclasses import replace
from pathlib import Path
from workbench.project.model import GuaranteeSettings
from workbench.project.recovery import Slot
from workbench.project.storage import load_project, save_project

what, folder, kept, trials = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
draw = random.Random(20)
first = load_project(kept)

def state(number):
    return replace(first, anonymise=replace(first.anonymise, guarantee=GuaranteeSettings(k=1 + number)))

def write(slot, path, number):
    if what == "save":
        save_project(state(number), path)
    else:
        slot.keep(state(number), path)

path, partly, last = folder / "p.wbench", 0, -1
save_project(state(0), path)
for trial in range(trials):
    slot = Slot(folder / "recovery")
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        number = last + 1
        while True:
            write(slot, path, number)
            os.write(tell, number.to_bytes(4, "big"))  # from here on it must survive
            number += 1
    os.close(tell)
    surely = int.from_bytes(os.read(told, 4), "big")
    time.sleep(draw.random() * 0.006)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while piece := os.read(told, 4):
        surely = int.from_bytes(piece, "big")
    os.close(told)
    if what == "save":
        found = load_project(path)
        partly += bool(list(folder.glob(".*.part")))
        for part in folder.glob(".*.part"):
            part.unlink()
    else:
        partly += bool(list((folder / "recovery").glob(".*.part")))
        (unsaved,) = Slot(folder / "recovery").left_behind()
        taker = Slot(folder / "recovery")
        found = taker.take_over(unsaved)
        taker.clear()
        assert not list((folder / "recovery").iterdir()), "left behind"
    last = found.anonymise.guarantee.k - 1
    assert last in (surely, surely + 1), (last, surely)
    assert found.schema == first.schema and found.histories == first.histories
print(partly)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("what", ["save", "keep"])
def test_killed_at_any_moment_the_last_whole_state_is_there(what: str, tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", KILLED, what, str(tmp_path), str(KEPT), str(TRIALS)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=50)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0, "no trial was killed in the middle of writing, so nothing was tried"


FULL = """
import resource, signal, sys
from pathlib import Path
from workbench.core.errors import WorkbenchError
from workbench.project.recovery import Slot
from workbench.project.storage import load_project, save_project

path, kept, room = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
project = load_project(kept)
before = path.read_bytes()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
for write in (lambda: save_project(project, path), lambda: Slot(path.parent / "recovery").keep(project, path)):
    try:
        write()
    except WorkbenchError as error:
        assert "room" in error.message, error.message
    else:
        sys.exit("written all the same")
assert path.read_bytes() == before
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of file sizes")
@pytest.mark.parametrize("room", [0, 1, 100, 1000, 1500])
def test_a_full_disk_leaves_the_old_project(room: int, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    save_project(load_project(KEPT), path)
    arguments = [sys.executable, "-c", FULL, str(path), str(KEPT), str(room)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    load_project(path)
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_is_no_place_for_a_project() -> None:
    with pytest.raises(WorkbenchError, match="device"):
        save_project(load_project(KEPT), Path("/dev/full"))


def test_a_folder_that_may_not_be_written_to(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    path = folder / "p.wbench"
    save_project(load_project(KEPT), path)
    before = path.read_bytes()
    folder.chmod(0o500)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("the administrator may write everywhere")
        with pytest.raises(WorkbenchError, match="may not write"):
            save_project(load_project(KEPT), path)
    finally:
        folder.chmod(0o700)
    assert path.read_bytes() == before
