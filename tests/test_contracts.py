"""The layers hold: who may import whom, checked on the import graph of the whole program."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_every_import_contract_is_kept() -> None:
    # A process of its own: the linter puts folders on sys.path and keeps state of its own.
    command = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    result = subprocess.run(
        [sys.executable, "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_what_runs_before_the_installation_needs_nothing_installed() -> None:
    command = (
        "import sys, workbench.__main__, workbench.bootstrap, workbench.requirements; "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    result = subprocess.run([sys.executable, "-S", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    strangers = set(result.stdout.split()) - set(sys.stdlib_module_names) - {"workbench", "__main__"}
    assert not strangers


def modules(root: Path) -> dict[str, Path]:
    """Every module of the program by its name; a package is the file that makes it one."""
    found = {}
    for path in (root / "workbench").rglob("*.py"):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def named_in(source: str) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """What a module imports, wherever that stands: in a function, or for its types alone; and its public classes."""
    tree, imports = ast.parse(source), list[tuple[str, list[str]]]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [(one.name, []) for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            imports.append((node.module, [one.name for one in node.names]))
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    return imports, classes


def imported(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a module names in an import."""
    for module, names in named_in(path.read_text(encoding="utf-8"))[0]:
        if module in known:
            full = [f"{module}.{name}" for name in names]
            yield from (one if one in known else module for one in full)
            if not names:
                yield module


def check_no_circle(root: Path) -> None:
    known = modules(root)
    graph = {name: {other for other in imported(path, known) if other != name} for name, path in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"These modules import each other: {' → '.join(reversed(error.args[1]))}")


def test_no_modules_import_each_other() -> None:
    check_no_circle(ROOT)


@pytest.mark.parametrize("hidden", ["from workbench import one", "def late():\n    import workbench.one\n"])
def test_a_circle_is_found_where_it_is_hidden(tmp_path: Path, hidden: str) -> None:
    package = tmp_path / "workbench"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "one.py").write_text("from workbench import other\n", encoding="utf-8")
    check_no_circle(tmp_path)
    (package / "other.py").write_text("", encoding="utf-8")
    check_no_circle(tmp_path)
    (package / "other.py").write_text(hidden, encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match="import each other"):
        check_no_circle(tmp_path)


def asked_where_rows_are(tree: ast.AST) -> Iterator[str]:
    """Questions that choose by where the rows of a table are, instead of leaving that to its engine."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            if "StoredTable" in ast.unparse(node.args[1]):
                yield ast.unparse(node)
        elif isinstance(node, ast.MatchClass) and "StoredTable" in ast.unparse(node.cls):
            yield ast.unparse(node)


def test_nobody_asks_whether_a_table_is_in_a_store() -> None:
    found = {
        f"{name}: {asked}"
        for name, path in modules(ROOT).items()
        if "StoredTable" in (source := path.read_text(encoding="utf-8"))
        for asked in asked_where_rows_are(ast.parse(source))
    }
    assert not found, "`workbench.engines.dispatch.engine_of` has what differs"


def test_such_a_question_is_noticed() -> None:
    for asked in ("isinstance(table, StoredTable)", "isinstance(table, (Table, stored.StoredTable))"):
        assert list(asked_where_rows_are(ast.parse(f"x = 1 if {asked} else 2"))) == [asked]
    assert not list(asked_where_rows_are(ast.parse("isinstance(column, UnlistedColumn)")))


def test_the_session_and_the_engines_leave_it_to_the_engine_where_rows_are() -> None:
    for name, path in modules(ROOT).items():
        source = path.read_text(encoding="utf-8")
        if name.startswith(("workbench.session", "workbench.engines")) and "in_memory" in source:
            for node in ast.walk(ast.parse(source)):
                of_table = isinstance(node, ast.Attribute) and node.attr == "in_memory"
                assert not of_table or ast.unparse(node) == "self.in_memory", f"{name}: {ast.unparse(node)}"


def test_no_public_class_is_called_as_another() -> None:
    named: dict[str, list[str]] = {}
    for module, path in modules(ROOT).items():
        for name in named_in(path.read_text(encoding="utf-8"))[1]:
            named.setdefault(name, []).append(module)
    assert {name: found for name, found in named.items() if len(found) > 1} == {}
