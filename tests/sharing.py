"""What saves all tests time: workers share imports, files lie in memory, what is compiled is kept for the next run."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

_VARIABLE = "PYTEST_DEBUG_TEMPROOT"
"""Where pytest looks up in which folder its temporary ones are to be made."""
_MEMORY = Path("/dev/shm")
_PREFIX = "wb-tests-"
_ENOUGH = 4 << 30
"""Bytes that must be free there and in memory; the tests take a tenth of that."""
_DAY = 86_400.0
_COMPILED = "workbench-tests-compiled-"


def keep_files_in_memory() -> Path | None:
    """Have the temporary folders of tests made in memory, where it is large enough and programs may be run there.

    Processes that are killed at random moments force to the disk all that they write, and the tests wait for it.

    Returns
    -------
    Path or None
        The folder, which goes when all tests passed; it is left a day for whoever looks for what failed.
    """
    if _VARIABLE in os.environ or not hasattr(os, "ST_NOEXEC") or not os.access(_MEMORY, os.W_OK):
        return None
    place = os.statvfs(_MEMORY)
    free = min(place.f_bavail * place.f_frsize, os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    if free < _ENOUGH or place.f_flag & os.ST_NOEXEC:
        return None
    for old in _MEMORY.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - old.stat().st_mtime > _DAY:
                shutil.rmtree(old)
    made = tempfile.mkdtemp(prefix=_PREFIX, dir=_MEMORY)
    os.environ[_VARIABLE] = made
    return Path(made)


def keep_what_is_compiled(checkout: Path) -> Path | None:
    """Where compiled modules are kept from one run to the next, if Python was told to write none beside their sources.

    To compile the program, its tests and what they import takes each worker as long as hundreds of tests. Python
    compares what is kept with the time and the size of its source. What no run used for a week is removed.

    Returns
    -------
    Path or None
        A folder that nobody else can write to; None where somebody else holds its name.
    """
    owner = os.getuid() if hasattr(os, "getuid") else 0
    place = Path(tempfile.gettempdir())
    name = f"{_COMPILED}{owner}-{hashlib.sha256(os.fsencode(checkout)).hexdigest()[:12]}"
    for old in place.glob(f"{_COMPILED}{owner}-*"):
        with contextlib.suppress(OSError):
            if old.name != name and time.time() - old.stat().st_mtime > 7 * _DAY:
                shutil.rmtree(old)
    made = place / name
    with contextlib.suppress(FileExistsError):
        made.mkdir(mode=0o700)
    state = made.lstat()
    if not stat.S_ISDIR(state.st_mode) or (hasattr(os, "getuid") and (state.st_uid != owner or state.st_mode & 0o022)):
        return None
    os.utime(made)
    return made


def import_a_share(config: pytest.Config) -> None:
    """Import one of so many test modules before all are, as a worker that has others beside it.

    To read a module for the first time means to rewrite its assertions, which takes as long as hundreds of its tests;
    what comes of it is kept beside it. Workers read the same modules in the same order, so that none would find what
    another has kept.
    """
    worker: dict[str, object] = getattr(config, "workerinput", {})
    workers = int(str(worker.get("workercount", 1)))
    if workers < 2:
        return
    place = int(str(worker["workerid"]).removeprefix("gw"))
    for path in sorted(_named(config))[place::workers]:
        # What cannot be imported, or wants to be skipped, says so when it is collected.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(config.rootpath).with_suffix("").parts))


def _named(config: pytest.Config) -> Iterator[Path]:
    for argument in config.args:
        path = config.rootpath / argument.partition("::")[0]
        if path.is_relative_to(config.rootpath):
            yield from path.rglob("test_*.py") if path.is_dir() else [path]
