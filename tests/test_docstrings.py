"""Modules and classes are described by nouns, as one looks them up, and not by “What …” or “How …”."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[1] / "workbench"
RELATIVE = re.compile(r"(What|How|Whether|Which|Where|When|Who|Whom|Whose|Why)\b")


def described(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What modules and public classes are called, each with the first line about it."""
    nodes = [("the module", tree), *((one.name, one) for one in ast.walk(tree) if isinstance(one, ast.ClassDef))]
    for name, node in nodes:
        if not name.startswith("_"):
            yield name, (ast.get_docstring(node) or "").partition("\n")[0]


def unnamed(tree: ast.Module) -> list[str]:
    return [f"{name}: {words}" for name, words in described(tree) if RELATIVE.match(words)]


def test_modules_and_classes_are_described_by_nouns() -> None:
    found = {str(path): unnamed(ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(PROGRAM.rglob("*.py"))}
    assert len(found) > 1_000
    assert not {path: words for path, words in found.items() if words}


@pytest.mark.parametrize(
    "text",
    ['"""What is done."""\n', 'class Kind:\n    """Which kind it is."""\n', '"""Fine."""\nclass A:\n    """How."""'],
)
def test_one_that_is_not_is_found(text: str) -> None:
    assert unnamed(ast.parse(text))
    assert not unnamed(
        ast.parse(text.replace("What is", "Whatever is").replace("Which", "The").replace("How", "A way"))
    )
