"""Which functions of the program read what somebody else wrote: found by their names and by what they call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "workbench"
_NAMES = re.compile(r"^(load|read|parse|sniff|preview)(_|$)|(^|_)from_(json|dict|text|file|records|public)$")
_PARSERS = frozenset({"json.loads", "json.load", "read_json", "read_json_file", "csv.reader", "zipfile.ZipFile"})
_MADE_HERE = frozenset({"gui", "contracts"})
"""In these only what parses a file itself counts: what they call a reader reads what the program says."""


def found() -> frozenset[str]:
    """All of them, as `module:name` below `workbench`."""
    return frozenset(name for path in sorted(PACKAGE.rglob("*.py")) for name in _readers(path))


def _readers(path: Path) -> Iterator[str]:
    place = path.relative_to(PACKAGE).with_suffix("")
    module = ".".join(place.parts)
    for qualified, node in _functions(ast.parse(path.read_text(encoding="utf-8"))):
        parses = any(isinstance(one, ast.Call) and ast.unparse(one.func) in _PARSERS for one in ast.walk(node))
        named = _NAMES.search(node.name) and place.parts[0] not in _MADE_HERE
        if parses or named:
            yield f"{module}:{qualified}"


def _functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield f"{inside}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{inside}{node.name}.")
