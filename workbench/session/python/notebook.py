"""A notebook of what was set and asked: code and words, no outputs, and nothing of the data.

The format is nbformat 4 (https://nbformat.readthedocs.io), written here as plain JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.experiment import Experiment
from workbench.io.addresses import is_address
from workbench.io.atomic import atomic_write
from workbench.project.laboratory import LaboratorySettings
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.session.python import rooms
from workbench.session.python.opening import place_of
from workbench.session.python.rooms import Step
from workbench.session.queries import QueryDesk
from workbench.session.query_answers import PaidAnswer
from workbench.session.state import SessionState

ENDING = ".ipynb"
_ABOUT = (
    "Made by the anonymisation workbench from what was set and asked. It holds no data, and says at its top where the "
    "data is. What it draws and asks is charged to the ledger of the data when it runs; what was asked before is shown "
    "again for nothing."
)


@dataclass(frozen=True)
class NotebookFile:
    """A notebook that was written.

    Parameters
    ----------
    path
        The file.
    left_out
        What could not be said in it, and why, in sentences.
    """

    path: Path
    left_out: tuple[str, ...]


def notebook_writer(
    state: SessionState, path: Path, protected: tuple[Path, ...] = ()
) -> Callable[[Progress], NotebookFile]:
    """Write the notebook, bound together now; call it on any thread.

    Parameters
    ----------
    protected
        Files that must not be overwritten.

    Raises
    ------
    WorkbenchError
        If there is nothing to say, or the file cannot be written; then it is as before.
    """
    then = state.snapshot()
    target = path if path.suffix.lower() == ENDING else path.with_name(path.name + ENDING)

    def write(progress: Progress = SILENT) -> NotebookFile:
        progress(0.0)
        plain, left_out = notebook(then, target.parent)
        with atomic_write(target, "t", protected=protected) as stream:
            stream.write(plain)
        return NotebookFile(target, left_out)

    return write


def notebook(state: SessionState, folder: Path) -> tuple[str, tuple[str, ...]]:
    """The notebook as JSON, for a folder, and what was left out of it.

    Raises
    ------
    WorkbenchError
        If nothing can be said.
    """
    steps: list[Step] = []
    left_out: list[str] = []
    for make in _parts(state):
        try:
            found = make()
        except WorkbenchError as error:
            left_out.append(str(error))
        else:
            steps += [one for one in found if one not in steps]
    if not steps:
        raise WorkbenchError("There is nothing to put into a notebook yet.", hint="Open data first.", field="python")
    return as_notebook(_cells(state, steps, left_out, folder)), tuple(left_out)


def as_notebook(cells: list[tuple[str, str]]) -> str:
    """Cells, each with its kind ("markdown" or "code") and its text, as a notebook in JSON."""
    plain = {
        "cells": [_cell(place, kind, text) for place, (kind, text) in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def _cell(place: int, kind: str, text: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "id": sha256(f"{place} {text}".encode()).hexdigest()[:8],
        "metadata": {},
        "source": text.splitlines(keepends=True),
    }
    return cell if kind == "markdown" else {**cell, "execution_count": None, "outputs": []}


def _parts(state: SessionState) -> Iterator[Callable[[], tuple[Step, ...]]]:
    """Functions that make the steps, in the order of the rooms; none for a room in which nothing was done."""
    project = state.project
    if state.loaded is not None:
        yield lambda: (rooms.data_step(state),)
        if project.hierarchies:
            yield lambda: rooms.release_steps(state)
        for answered in QueryDesk(state).answers_of_this():
            yield partial(_question, state, answered)
        if project.collect.column in project.schema.names:
            yield lambda: (rooms.collect_step(state),)
        for document in project.comparing.documents:
            yield partial(_comparison, state, document.experiment)
    if project.laboratory != LaboratorySettings():
        yield lambda: (rooms.audit_step(state),)


def _question(state: SessionState, answered: PaidAnswer) -> tuple[Step, ...]:
    return (rooms.query_step(state, _draft(answered)),)


def _comparison(state: SessionState, experiment: Experiment) -> tuple[Step, ...]:
    return (rooms.compare_step(state, experiment),)


def _draft(answered: PaidAnswer) -> QueryDraft:
    """The question that was answered."""
    asked = answered.question
    kind = str(asked.get("query", ""))
    known = {spec.name for spec in QUERIES[kind].parameters}
    values = {name: value for name, value in asked.get("values", {}).items() if name in known}
    noise = NoiseSource(asked.get("engine", NoiseSource.GRID.value))
    return QueryDraft(kind, str(asked["epsilon"]), values, str(asked.get("where", "")), noise)


def _cells(state: SessionState, steps: list[Step], left_out: list[str], folder: Path) -> list[tuple[str, str]]:
    place = place_of(state)
    data = place if not place or is_address(place) else _beside(Path(place), folder)
    tops = rooms.variables(state, tuple(steps), data)
    cells = [("markdown", f"# What was done\n\n{_ABOUT}"), ("code", "\n\n".join(["import workbench as wb", *tops]))]
    for step in steps:
        cells.append(("markdown", f"## {step.title}" + (f"\n\n{step.words}" if step.words else "")))
        cells.append(("code", "\n".join([*step.lines, *step.shown])))
    if left_out:
        cells.append(("markdown", "## Not in this notebook\n\n" + "\n".join(f"- {one}" for one in left_out)))
    return cells


def _beside(path: Path, folder: Path) -> str:
    """The path as the notebook finds it: by its name where it lies in the same folder or below."""
    whole = path.absolute()
    home = folder.absolute()
    return whole.relative_to(home).as_posix() if whole.is_relative_to(home) else str(whole)
