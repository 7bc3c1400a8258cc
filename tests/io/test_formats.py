"""What every kind of file keeps that a release can be written as; a new one is tried as soon as its module is there."""

from __future__ import annotations

import io
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import workbench
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.table import Column, Table
from workbench.io import formats
from workbench.io.export_format import FORMATS, ExportFormat
from workbench.io.exporting import write_table
from workbench.io.opening import form_of
from workbench.report.recheck_files import ReleasedFiles, read_back

WRITTEN = [name for name, kind in FORMATS.items() if kind.missing is None]
TEXTS = ("", "=1+1", "a,b", 'say "so"', "line\nend", "Ünïcode €", " 7 ", "007", "-", "NaN")


def table() -> Table:
    """Every text twice, beside numbers."""
    codes = np.arange(2 * len(TEXTS), dtype=np.int32) % len(TEXTS)
    numbers = ("1", "2.5", "-3")
    return Table((Column("text", codes, TEXTS), Column("n", np.arange(len(codes), dtype=np.int32) % 3, numbers)))


@pytest.mark.parametrize("name", FORMATS)
def test_a_kind_says_what_it_is(name: str) -> None:
    kind = FORMATS[name]
    assert kind.identifier == name == kind.suffix.removeprefix(".")
    assert kind.title and kind.one[0].isupper() and kind.many
    assert all(ExportFormat.of(f"x{suffix.upper()}").kind is kind for suffix in kind.suffixes)
    assert ExportFormat.from_json(ExportFormat(name).to_json()) == ExportFormat(name)
    assert (kind.most_rows or 1) > 0


def test_every_module_is_a_kind_of_its_own() -> None:
    modules = [one.name for path in formats.__path__ for one in pkgutil.iter_modules([path])]
    assert len(FORMATS) == len(modules) >= 3


def test_no_two_kinds_have_an_ending() -> None:
    endings = [suffix for kind in FORMATS.values() for suffix in kind.suffixes]
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_is_read_back_from_the_open_file_and_from_its_place(name: str, tmp_path: Path) -> None:
    path, style, seen = tmp_path / f"out{FORMATS[name].suffix}", ExportFormat(name), []
    write_table(table(), path, style, check=lambda file, _: seen.extend(map(list, read_back(file, style))))
    heading, *rows = seen
    assert heading == ["text", "n"] and len(rows) == 2 * len(TEXTS)
    for row, text in zip(rows, (*TEXTS, *TEXTS), strict=True):
        assert row[0] == (f"'{text}" if text.startswith("=") else text)
    assert [float(row[1]) for row in rows] == [(1, 2.5, -3)[place % 3] for place in range(len(rows))]
    files = ReleasedFiles.of(path, style)
    assert list(files.heading) == heading and [list(row) for row in files.rows()] == rows
    assert FORMATS.recognised(form_of(path), path).identifier == name


@pytest.mark.parametrize("name", WRITTEN)
def test_the_bytes_follow_from_the_rows_alone(name: str) -> None:
    """A value that no row has is nowhere in the file, and the same rows give the same file."""
    written = []
    for one in (table(), table()):
        FORMATS[name].write(one, file := io.BytesIO(), ExportFormat(name), SILENT, None)
        written.append(file.getvalue())
    assert written[0] == written[1]
    text, number = table().columns
    unused = Table((Column("text", text.codes, (*text.values, "SECRET")), number))
    FORMATS[name].write(unused, file := io.BytesIO(), ExportFormat(name), SILENT, None)
    file.seek(0)
    assert "SECRET" not in "".join(cell for row in FORMATS[name].read_back(file, ExportFormat(name)) for cell in row)
    assert b"SECRET" not in file.getvalue()


def code_run(work: Callable[[], object]) -> set[str]:
    """The functions of this program that some work calls, but for what says which kinds there are."""
    seen: set[str] = set()
    homes = (str(Path(workbench.__file__).parent), *formats.__path__)

    def look(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(homes) and not path.endswith(("export_format.py", "core/progress.py")):
            seen.add(f"{path}: {frame.f_code.co_qualname}")

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(before)
    return seen


@pytest.mark.parametrize("name", WRITTEN)
def test_writing_and_reading_back_share_no_code(name: str) -> None:
    """What both get wrong, nobody would notice."""
    kind, style, file = FORMATS[name], ExportFormat(name), io.BytesIO()
    written = code_run(lambda: kind.write(table(), file, style, SILENT, None))
    file.seek(0)
    read = code_run(lambda: list(kind.read_back(file, style)))
    assert written and read
    assert written & read == set()


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_of_another_kind_is_no_answer(name: str) -> None:
    with pytest.raises(WorkbenchError):
        rows = list(FORMATS[name].read_back(io.BytesIO(b'\xff\xfe"\x00 no such file'), ExportFormat(name)))
        assert not rows


def test_knowing_the_kinds_loads_none_of_their_packages() -> None:
    code = (
        "import sys; from workbench.io.export_format import FORMATS; list(FORMATS); "
        "print({'pyarrow', 'python_calamine'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
