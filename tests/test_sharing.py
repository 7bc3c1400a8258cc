"""What the tests share: every module is imported by one worker first, and files lie in memory where there is room."""

from __future__ import annotations

import importlib
import os
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import sharing

FOLDER = Path(__file__).parent
VARIABLE = "PYTEST_DEBUG_TEMPROOT"


@pytest.mark.parametrize("named", ["tests/query", "tests/query/test_ledger_crash.py::test_the_ledger_holds"])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_together_import_each_module_once(monkeypatch: pytest.MonkeyPatch, named: str, workers: int) -> None:
    imported = list[str]()
    monkeypatch.setattr(importlib, "import_module", imported.append)
    for place in range(workers):
        worker = {"workerid": f"gw{place}", "workercount": workers}
        config: Any = SimpleNamespace(args=[named], rootpath=FOLDER.parent, workerinput=worker)
        sharing.import_a_share(config)
    files = list((FOLDER / "query").glob("test_*.py")) if "::" not in named else [FOLDER / "query/test_ledger_crash.py"]
    assert sorted(imported) == (sorted(f"tests.query.{path.stem}" for path in files) if workers > 1 else [])


def test_a_module_that_cannot_be_imported_is_left_to_those_who_collect(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        pytest.skip(name) if "crash" in name else 1 / 0

    monkeypatch.setattr(importlib, "import_module", refuse)
    worker = {"workerid": "gw0", "workercount": 2}
    config: Any = SimpleNamespace(args=["tests/query"], rootpath=FOLDER.parent, workerinput=worker)
    sharing.import_a_share(config)


@pytest.mark.skipif(not hasattr(os, "statvfs"), reason="needs a system that tells of its memory")
@pytest.mark.parametrize(
    ("blocks", "pages", "flags", "before", "found"),
    [
        (1 << 21, 1 << 21, 0, None, "memory"),
        (1 << 10, 1 << 21, 0, None, None),
        (1 << 21, 1 << 10, 0, None, None),
        (1 << 21, 1 << 21, os.ST_NOEXEC if hasattr(os, "ST_NOEXEC") else 8, None, None),
        (1 << 21, 1 << 21, 0, "/elsewhere", "/elsewhere"),
    ],
)
def test_files_lie_in_memory_where_there_is_room_and_programs_run(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    blocks: int,
    pages: int,
    flags: int,
    before: str | None,
    found: str | None,
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if before is not None:
        monkeypatch.setenv(VARIABLE, before)
    monkeypatch.setattr(sharing, "_MEMORY", tmp_path)
    place = SimpleNamespace(f_bavail=blocks, f_frsize=4096, f_flag=flags)
    monkeypatch.setattr(os, "statvfs", lambda _path: place)
    monkeypatch.setattr(os, "sysconf", {"SC_AVPHYS_PAGES": pages, "SC_PAGE_SIZE": 4096}.__getitem__)
    old, young = tmp_path / "wb-tests-old", tmp_path / "wb-tests-young"
    for one in (old, young, tmp_path / "somebody's"):
        one.mkdir()
        os.utime(one, (1.0, 1.0) if one != young else None)
    made = sharing.keep_files_in_memory()
    assert (made is not None) == (found == "memory")
    if made is not None:
        assert made.parent == tmp_path and made.is_dir()
        assert [path.exists() for path in (old, young, tmp_path / "somebody's")] == [False, True, True]
    assert os.environ.get(VARIABLE) == (str(made) if made is not None else found)


def test_what_is_compiled_is_kept_for_the_next_run_of_the_same_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    other = sharing.keep_what_is_compiled(Path("/other"))
    kept = sharing.keep_what_is_compiled(Path("/one"))
    assert kept is not None and other is not None and kept != other and kept.parent == tmp_path
    os.utime(kept, (1.0, 1.0))
    (kept / "one.pyc").touch()
    os.utime(other, (1.0, 1.0))
    assert sharing.keep_what_is_compiled(Path("/one")) == kept
    assert (kept / "one.pyc").exists() and not other.exists(), "what nobody used for a week goes"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs a system of several accounts")
def test_nothing_is_imported_from_a_folder_that_others_can_write_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    kept = sharing.keep_what_is_compiled(Path("/one"))
    assert kept is not None and kept.stat().st_mode & 0o077 == 0
    kept.chmod(0o777)
    assert sharing.keep_what_is_compiled(Path("/one")) is None
    kept.rmdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    kept.symlink_to(elsewhere)
    assert sharing.keep_what_is_compiled(Path("/one")) is None
    kept.unlink()
    kept.touch()
    assert sharing.keep_what_is_compiled(Path("/one")) is None
