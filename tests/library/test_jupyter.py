"""A real Jupyter: the notebooks of the documentation, and that what is saved of a kernel holds nobody's values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from workbench.session.python.notebook import notebook_writer

nbformat = pytest.importorskip("nbformat", reason="Jupyter is in the extra notebooks")
client = pytest.importorskip("nbclient", reason="Jupyter is in the extra notebooks")
pytest.importorskip("ipykernel", reason="Jupyter is in the extra notebooks")
pytestmark = pytest.mark.jupyter

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
SECRETS = ("SECRET-1a", "987654321", "SECRET-note")
PLANTED = """
import pandas as pd
import workbench as wb
people = pd.DataFrame({"age": [34, 35, 36, 52] * 100, "name": "somebody", "account": 1, "note": "none"})
people.loc[7, ["name", "account", "note"]] = ["SECRET" + "-1a", 987654 * 1000 + 321, "SECRET" + "-note"]
data = wb.open(people).describe(age=wb.integer(0, 120))
"""
SHOWN = (
    "data",
    "data.describe(name=wb.date()).ask('histogram', 'name', epsilon=1, lower='2000-01-01', upper='2001-01-01')",
    "data.ask('mean', 'name', epsilon=1)",
    "data.ask('count', epsilon=1)",
    "data.release(['name'], levels={'name': 3})",
    "data.release(['name', 'age'], levels={'name': 0, 'age': 0})",
    "data.release(['name', 'age'], levels={'name': 0, 'age': 0}).frame",
    "data.collect('name', 1, people=5)",
    "data.plan('mean', 'account', epsilon=1, lower=0, upper=10)",
    "data.collect_reports('reports.csv', 'name', 1, 'oue')",
    "data.nothing",
    "data.ask()",
    "data._session, data._session.state, vars(data._session.state)",
    "import copy; copy.deepcopy(data)",
    "import pickle; pickle.dumps(data)",
    "%whos",
    "data.search('k=1000', ['name'])",
    "data.compare({'question': {'figure': 'mean', 'column': 'name'}}, look=True)",
    "data.simulate('age', 1, ['oue'], bins=3, repetitions=2, seed=1, look=True)",
    "wb.published('3.1', data, 'name', look=True)",
    "wb.published('3.1', data, 'account', look=True, repetitions=2)",
    "data.search('k=5', ['age'], hierarchies={'age': wb.hierarchy.intervals(10)})",
    # What nobody foresaw, in the depth of it.
    "from workbench.session.queries import QueryDesk\n"
    "def failing(self, draft, progress):\n"
    "    found = people['name'][7]\n"
    "    raise KeyError(found)\n"
    "QueryDesk.ask = failing\n"
    "data.ask('count', epsilon=2)",
)


@pytest.fixture(autouse=True)
def own_ipython(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))


def run(notebook: Any, folder: Path, *, errors: bool = False) -> list[dict[str, Any]]:
    """Run every cell in a kernel of its own; everything that it then shows."""
    client.NotebookClient(
        notebook, timeout=300, kernel_name="python3", allow_errors=errors, resources={"metadata": {"path": str(folder)}}
    ).execute()
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_in_a_kernel(path: Path) -> None:
    outputs = run(nbformat.read(path, as_version=4), FOLDER)
    forms = {form for output in outputs for form in output.get("data", {})}
    assert {"text/html", "image/png"} <= forms
    # A bar that was shown is gone, and nothing else was written beside the values.
    shown = [output for output in outputs if output["output_type"] in ("display_data", "update_display_data")]
    assert all(output["data"] == {"text/plain": ""} for output in shown)
    assert not [output for output in outputs if output["output_type"] == "stream" and output["name"] == "stderr"]
    assert "<progress" not in json.dumps(outputs)


def test_a_bar_is_shown_in_a_kernel_and_gone_afterwards(tmp_path: Path) -> None:
    code = (
        "import time\nfrom workbench.library import showing\nshowing._AFTER = 0\n"
        "seen = []\nbegin = showing._in_notebook\n"
        "def followed(ipython):\n"
        "    show, clear = begin(ipython)\n"
        "    return (lambda *given: (seen.append(given), show(*given))), clear\n"
        "showing._in_notebook = followed\n"
        "with showing.showing('Trying') as progress:\n    progress(0.25)\n    progress(0.5)\n"
        "print(len(seen))"
    )
    outputs = run(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]), tmp_path)
    assert [one["text"].strip() for one in outputs if one["output_type"] == "stream"] == ["2"]
    assert [one["data"] for one in outputs if one["output_type"] == "display_data"] == [{"text/plain": ""}]


@pytest.mark.parametrize("mode", ["Plain", "Context", "Verbose", "Minimal"])
def test_nothing_that_a_kernel_shows_holds_a_secret(mode: str, tmp_path: Path) -> None:
    cells = [PLANTED, f"%xmode {mode}", *SHOWN]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    outputs = run(made, tmp_path, errors=True)
    errors = [output for output in outputs if output["output_type"] == "error"]
    assert len(errors) >= 10
    assert "Something failed that nobody foresaw: KeyError" in errors[-1]["evalue"]
    for cell in made.cells[1:]:
        assert not [secret for secret in SECRETS if secret in json.dumps(cell.outputs)], cell.source
    # The whole file that is saved, but for the cell that plants them.
    assert not [secret for secret in SECRETS if secret in nbformat.writes(made)]


def test_an_exported_notebook_runs_and_is_saved_without_a_secret(tmp_path: Path) -> None:
    jobs = ["cook", "nurse"] * 150
    names = ["somebody"] * 299 + ["SECRET-1a"]
    rows = "".join(f"{name},{job}\n" for name, job in zip(names, jobs, strict=True))
    (tmp_path / "people.csv").write_text(f"name,job\n{rows}", encoding="utf-8")
    data = wb.open(tmp_path / "people.csv").describe(job=wb.category(["cook", "nurse"]))
    data.release(hierarchies={"job": wb.hierarchy.categories({"health": ["nurse"], "food": ["cook"]})})
    data.ask("count", epsilon=1)
    made = notebook_writer(data._session.state, tmp_path / "done.ipynb")()
    opened = nbformat.read(made.path, as_version=4)
    nbformat.validate(opened)
    run(opened, tmp_path)
    nbformat.write(opened, made.path)
    told = made.path.read_text(encoding="utf-8")
    assert "SECRET" not in told and "differentially private" in told
