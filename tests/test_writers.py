"""Nothing opens a file for writing but the few places that may, so that whoever adds a writer comes by here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import workbench

PACKAGE = Path(workbench.__file__).parent

_ATOMIC = "the atomic writer itself, which refuses what is protected before it begins"
_INSIDE = "inside the private folder of an atomic writer, which is gone if anything goes wrong"
_STREAM = "into the stream of an atomic writer that it is given"
_MEMORY = "into memory"
_SCRATCH = "a folder of scratch files in the system's own, for its owner only, removed at the end"

ALLOWED = {
    "cli/trim_plan.py: open_header": _SCRATCH,
    "cli/printing.py: _aside": "/dev/null in the place of a closed standard error",
    "cli/printing.py: _not_printed": "/dev/null in the place of a closed standard output",
    "cli/printing.py: read_input": _SCRATCH,
    "cli/streams.py: standing_in": _SCRATCH,
    "cli/streams.py: _spooled": _SCRATCH,
    "io/clipboard.py: keep_clipboard": _SCRATCH,
    "engines/duckdb_files.py: _copy": _INSIDE,
    "io/foreign/worker.py: main": "the pipe to the process that asked; /dev/null for what readers print",
    "engines/duckdb_store.py: _scratch_folder": _SCRATCH,
    "engines/spark_files.py: _put_in_place": _INSIDE,
    "engines/spark_files.py: write_lines": _INSIDE,
    "engines/spark_files.py: write_parquet": _INSIDE,
    "engines/spark_session.py: _start": _SCRATCH,
    "engines/writing.py: _in_row_order": _INSIDE,
    "engines/writing.py: parts_into": _INSIDE,
    "engines/writing.py: _transcode": _INSIDE,
    "engines/writing.py: write_place": _INSIDE,
    "io/atomic.py: _atomic_write": _ATOMIC,
    "io/atomic.py: _force": _ATOMIC,
    "io/atomic.py: _opened": _ATOMIC,
    "io/atomic.py: atomic_folder": _ATOMIC,
    "io/atomic.py: atomic_place": _ATOMIC,
    "io/leftovers.py: _if_dead": "opens the part of a killed process for its lock and writes nothing",
    "io/leftovers.py: _locked_folder": _ATOMIC,
    "io/leftovers.py: _finish": "ends what a killed process was about to do",
    "io/leftovers.py: open_part": _ATOMIC,
    "io/os_lock.py: take": "an empty file in the person's own folder that only carries a lock",
    "io/key_files.py: _write_once": "a new key, in nobody's place",
    "io/xlsx.py: xlsx_into": _STREAM,
    "plots/own_figure.py: savefig": "by matplotlib itself, after it has asked whether the file is protected",
    "project/recovery.py: _move_aside": "moves what was kept of unsaved work beside it, in the program's own folder",
    "project/storage.py: save_project": _STREAM,
    "query/ledger_file.py: _locked": "the ledger, to which lines are only ever appended",
    "query/sketch_folder.py: _make_key": "the key of the ledgers' folder, of which there must be one only",
    "report/pdf_report.py: pdf_of": _MEMORY,
}
"""Which function may write without the atomic writer, and why. Nothing a person names may be written here."""

ADVICE = (
    "{where} writes a file by {how}. Write it through `atomic_write`, `atomic_place` or `atomic_folder` of "
    "workbench/io/atomic.py, which refuse to replace what is read; give the option that names it a type of "
    "workbench/cli/files.py, and add the command to `WRITING` in tests/test_outputs.py. A place that must do without "
    "goes into ALLOWED here, with its reason."
)

_METHODS = {
    "write_text", "write_bytes", "touch", "savefig", "to_csv", "to_parquet",  "to_excel", "hardlink_to",
    "symlink_to", "imsave", "tofile", "write_table",
}  # fmt: skip
_FUNCTIONS = {
    "os": {"rename", "renames", "replace", "link", "symlink", "truncate", "mkfifo", "mknod"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move", "make_archive", "unpack_archive"},
    "tempfile": {"mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryFile", "TemporaryDirectory",
                 "SpooledTemporaryFile"},
    "np": {"save", "savez", "savez_compressed", "savetxt", "memmap"},
}  # fmt: skip
_MODULES = {"io", "gzip", "bz2", "lzma", "codecs", "tarfile"}
_DATABASES = {"shelve", "dbm"}
_OF_QT = {"QSaveFile", "QTemporaryFile", "QTemporaryDir", "QPdfWriter", "QPrinter", "QImageWriter", "QSvgGenerator"}
_OURS = {
    "open": {"self", "opener", "data", "wb", "archive"},
    "save": {"self", "saving", "_document", "session", "_session"},
}
"""What has methods of these names that are the program's own, whose bodies are looked at themselves; or a member."""
_WRITING_MODES = set("wax+")
_BYTES_IN_MEMORY = {"drawn", "text"}
"""Names under which pictures are drawn into memory (`savefig`)."""


def writes(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The function in which something may open a file for writing, and by what."""
    for function, node in _nodes(tree, ""):
        if isinstance(node, ast.Call) and (how := _how(node)):
            yield function, how
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("COPY "):
            yield function, "COPY … TO"


def _nodes(tree: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        inside = node.name if named and not function else function
        yield inside, node
        yield from _nodes(node, inside)


def _how(call: ast.Call) -> str:
    """By what a call may open a file for writing; "" if by nothing."""
    name, owner = _name(call.func), _name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if name in _FUNCTIONS.get(owner, ()):
        return f"{owner}.{name}"
    if owner == "os" and name == "open":
        return "" if "O_RDONLY" in ast.unparse(call) else "os.open"
    if name in _OF_QT:
        return name
    if owner == "sqlite3" and name == "connect":
        return "" if "mode=ro" in ast.unparse(call) else "sqlite3.connect"
    if owner in _DATABASES and name == "open":
        return "" if "'r'" in ast.unparse(call) else f"{owner}.open"
    if name == "save" and call.args and owner not in _OURS["save"]:
        return "save"
    if name == "open" and owner not in _OURS["open"]:
        return "open" if _mode_writes(call, 1 if isinstance(call.func, ast.Name) or owner in _MODULES else 0) else ""
    if name in ("fdopen", "ZipFile"):
        return name if _mode_writes(call, 1) else ""
    if name in _METHODS and isinstance(call.func, ast.Attribute) and (call.args or name == "touch"):
        first = call.args[0] if call.args else None
        in_memory = name == "savefig" and isinstance(first, ast.Name) and first.id in _BYTES_IN_MEMORY
        return "" if in_memory else name
    if name in ("replace", "rename") and len(call.args) == 1 and not call.keywords:
        return f"{name} of a path"  # texts are replaced by two arguments
    return ""


def _name(node: ast.expr) -> str:
    """The last name of what is called, or of what has it as a method."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _mode_writes(call: ast.Call, place: int) -> bool:
    """Whether a mode writes; one that is not written there may."""
    modes = [word.value for word in call.keywords if word.arg == "mode"] or call.args[place : place + 1]
    return any(not isinstance(mode, ast.Constant) or bool(set(str(mode.value)) & _WRITING_MODES) for mode in modes)


BEFORE = ("bootstrap.py", "environments.py")
"""Modules that make the environment before the program can be imported; they know no file of a person."""


@cache
def found() -> dict[str, set[str]]:
    """Every place that writes, but `BEFORE`."""
    places: dict[str, set[str]] = {}
    for file in sorted(set(PACKAGE.rglob("*.py")) - {PACKAGE / name for name in BEFORE}):
        for function, how in writes(ast.parse(file.read_text(encoding="utf-8"))):
            places.setdefault(f"{file.relative_to(PACKAGE).as_posix()}: {function}", set()).add(how)
    return places


def test_only_the_places_that_are_listed_open_files_for_writing() -> None:
    for where, how in found().items():
        assert where in ALLOWED, ADVICE.format(where=where, how=" and ".join(sorted(how)))


def test_every_listed_place_is_there_and_has_its_reason() -> None:
    places = found()
    for where, reason in ALLOWED.items():
        assert where in places, f"{where} writes nothing any more: take it off the list"
        assert len(reason) > 10


@pytest.mark.parametrize(
    "code",
    [
        "open(p, 'w')", "open(p, mode='ab')", "p.open('xb')", "p.open('r+')", "io.open(p, 'w')", "gzip.open(p, 'wt')",
        "os.open(p, os.O_RDWR | os.O_CREAT)", "os.open(p, flags)", "os.fdopen(d, 'w')", "p.write_text(t)",
        "p.write_bytes(b)", "figure.savefig(p)", "figure.savefig(path, dpi=3)", "frame.to_csv(p)", "shutil.copy2(a, b)",
        "shutil.move(a, b)", "os.replace(a, b)", "os.rename(a, b)", "a.rename(b)", "a.replace(b)",
        "tempfile.NamedTemporaryFile()", "tempfile.mkstemp()", "store.run('COPY (SELECT 1) TO ?')", "p.touch()",
        "zipfile.ZipFile(p, 'w')", "np.save(p, a)", "store.run(f'COPY ({q}) TO {p}')", "p.hardlink_to(q)",
        "open(p, mode)", "open(p, mode=mode)", "p.open(mode)", "folder.path.open(mode)", "gzip.open(p, mode)",
        "zipfile.ZipFile(p, mode)", "os.fdopen(d, mode)", "open(p, 'w' if new else 'r')", "tarfile.open(p, 'w')",
        "image.save(p)", "self.chart.image.save(str(p), 'PNG')", "widget.grab().save(p)", "QPixmap(p).save(q)",
        "QSaveFile(p)", "QtCore.QSaveFile(p)", "QPdfWriter(p)", "QImageWriter(p)", "sqlite3.connect(p)",
        "sqlite3.connect(f'{p}?mode=rw', uri=True)", "shelve.open(p)", "shelve.open(p, 'c')", "dbm.open(p, flag)",
    ],
)  # fmt: skip
def test_each_way_of_writing_is_seen(code: str) -> None:
    assert list(writes(ast.parse(f"def f():\n    {code}\n")))


@pytest.mark.parametrize(
    "code", ["open(p)", "p.open('rb')", "p.open('rb', buffering=0)", "text.replace('a', 'b')", "replace(one, x=1)",
             "os.open(p, os.O_RDONLY)", "zipfile.ZipFile(p)", "figure.savefig(drawn, format='svg')",
             "painter.save()", "self._session.save(p)", "session.data.open(p, dialect)", "shelve.open(p, 'r')",
             "sqlite3.connect(f'{p}?mode=ro', uri=True)"]
)  # fmt: skip
def test_reading_is_none(code: str) -> None:
    assert not list(writes(ast.parse(f"def f():\n    {code}\n")))
