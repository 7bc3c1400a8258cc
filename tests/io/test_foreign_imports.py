"""Who parses formats of others in the process that holds the work: nobody but those listed here, each for a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import workbench

ROOT = Path(workbench.__file__).parent
APART = "io/foreign/"
"""What is imported here runs in the process that reads."""

READERS = frozenset(
    (
        "bz2",
        "calamine",
        "fastparquet",
        "gzip",
        "lzma",
        "odf",
        "olefile",
        "openpyxl",
        "pandas",
        "polars",
        "py7zr",
        "pyarrow",
        "pyreadstat",
        "python_calamine",
        "rarfile",
        "sas7bdat",
        "tarfile",
        "xlrd",
        "xml",
        "zipfile",
        "zlib",
        "zstandard",
        "lxml",
        "h5py",
        "tables",
        "orc",
        "fastavro",
        "sqlite3",
        "sqlalchemy",
        "psycopg",
    )
)

ALLOWED = {
    "io/arrow_texts.py": {"pyarrow": "works on values in memory, opens no file"},
    "io/excel.py": {"python_calamine": "reads back the workbook this process has just written, from the open file"},
    "io/parquet.py": {"pyarrow": "writes, and reads back what this process or its engine has just written"},
    "io/xlsx.py": {"zipfile": "writes only"},
    "project/archive.py": {
        "zipfile": "members of a project, limited by number, size and method before they are unpacked",
        "zlib": "the name of an error",
    },
    "project/marks.py": {"zipfile": "projects of this program, through archive.py"},
    "project/recovery.py": {"zipfile": "projects of this program, through archive.py"},
    "project/said_beside.py": {"zipfile": "projects of this program, through archive.py"},
    "project/storage.py": {"zipfile": "projects of this program, through archive.py"},
    "library/answer.py": {"pandas": "makes DataFrames, opens no file"},
    "library/data.py": {"pandas": "makes DataFrames, opens no file"},
    "library/frames.py": {
        "pandas": "makes DataFrames and takes them from memory, opens no file",
        "pyarrow": "takes tables of other packages from memory, opens no file",
    },
    "library/compared.py": {"pandas": "makes DataFrames, opens no file"},
    "library/forecast.py": {"pandas": "makes DataFrames, opens no file"},
    "library/preset.py": {"pandas": "makes DataFrames, opens no file"},
    "library/published.py": {"pandas": "makes DataFrames, opens no file"},
    "library/reported.py": {"pandas": "makes DataFrames, opens no file"},
    "library/simulated.py": {"pandas": "makes DataFrames, opens no file"},
    "library/survey.py": {"pandas": "makes DataFrames, opens no file"},
    "engines/duckdb_files.py": {"pyarrow": "hands over values in memory; DuckDB reads files itself"},
    "engines/duckdb_store.py": {"pyarrow": "hands over values in memory"},
    "engines/spark_files.py": {"pyarrow": "hands over values in memory; Spark reads files itself"},
    "engines/spark_session.py": {"pyarrow": "asks whether it is there"},
    "engines/spark_store.py": {"pyarrow": "hands over values in memory"},
    "engines/writing.py": {"pyarrow": "works on values in memory that are written"},
}


def imported(source: str) -> Iterator[str]:
    """The packages a module imports when it runs, wherever in it; not those it only names types of."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "importlib.import_module"):
            yield from (str(word.value).partition(".")[0] for word in node.args if isinstance(word, ast.Constant))
        waiting += ast.iter_child_nodes(node)


def readers() -> dict[str, set[str]]:
    """The readers each module of the program imports."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        used = READERS & set(imported(path.read_text(encoding="utf-8")))
        if used:
            found[path.relative_to(ROOT).as_posix()] = used
    return found


def test_formats_of_others_are_parsed_in_a_process_of_their_own() -> None:
    here = {name: used for name, used in readers().items() if not name.startswith(APART)}
    assert here == {name: set(reasons) for name, reasons in ALLOWED.items()}, (
        "A reader of a foreign format is imported where a crash of it would take the work along: "
        "put it into workbench/io/foreign and into worker.JOBS."
    )


def test_the_process_that_reads_is_only_talked_to_in_frames() -> None:
    """Nothing that it sends could be carried out."""
    forbidden = {"pickle", "marshal", "shelve", "multiprocessing", "dill", "cloudpickle", "joblib"}
    for path in (ROOT / "io").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not forbidden & set(imported(text)), path
        assert "eval(" not in text, path
        assert "exec(" not in text, path


def test_a_new_reader_would_be_found() -> None:
    assert set(imported("def f():\n    import openpyxl.reader\n    from xlrd import book")) == {"openpyxl", "xlrd"}
    assert set(imported("import importlib\nimportlib.import_module('tables')")) == {"importlib", "tables"}
    assert set(imported("if TYPE_CHECKING:\n    import pyarrow\n")) == set()
