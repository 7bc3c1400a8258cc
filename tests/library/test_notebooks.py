"""The notebooks of the documentation run from top to bottom, and show nothing of anybody."""

from __future__ import annotations

import ast
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def shown(cell: str, name: str, known: dict[str, Any]) -> str:
    """Run a cell and give what a notebook would keep of it: what is printed, and the forms of its last value."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(StringIO()) as printed:
        exec(compile(tree, name, "exec"), known)
        value = eval(compile(ast.Expression(last.value), name, "eval"), known) if isinstance(last, ast.Expr) else None
    if value is None:
        return printed.getvalue()
    if hasattr(value, "_repr_png_"):
        assert value._repr_png_().startswith(b"\x89PNG")
        return printed.getvalue() + str(value.caption)
    html = value._repr_html_() if hasattr(value, "_repr_html_") else ""
    return printed.getvalue() + repr(value) + str(html)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = json.loads(path.read_text(encoding="utf-8"))
    before = {one: one.stat().st_mtime_ns for one in FOLDER.iterdir()}
    monkeypatch.chdir(FOLDER)
    known: dict[str, Any] = {}
    texts = [shown("".join(cell["source"]), path.name, known) for cell in plain["cells"] if cell["cell_type"] == "code"]
    assert not any("Employee 0" in text or "Person 0" in text for text in texts)
    assert any(texts)
    assert {one: one.stat().st_mtime_ns for one in FOLDER.iterdir()} == before


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_short_and_has_no_outputs(path: Path) -> None:
    plain = json.loads(path.read_text(encoding="utf-8"))
    assert (plain["nbformat"], plain["nbformat_minor"]) == (4, 5)
    cells = plain["cells"]
    assert cells[0]["cell_type"] == "markdown" and cells[0]["source"][0].startswith("# ")
    assert len({cell["id"] for cell in cells}) == len(cells)
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            assert len(cell["source"]) <= 10
    assert "/home/" not in json.dumps(plain) and str(Path.home()) not in json.dumps(plain)


def test_there_is_one_for_each_task() -> None:
    assert {path.stem for path in NOTEBOOKS} == {
        "publish_a_table",
        "which_protocol",
        "redo_a_published_figure",
        "audit_a_mechanism",
    }
