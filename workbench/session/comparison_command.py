"""The command lines that compare as the window does, and the files they need."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import file_text
from workbench.core.schema import ColumnSpec
from workbench.core.working_table import Preparation
from workbench.evaluate.experiment import Experiment
from workbench.io.atomic import atomic_write
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.ldp.encoding import EncodingChoice
from workbench.project.experiments import ExperimentDocument
from workbench.session.comparison_typed import is_typed, typed_schema
from workbench.session.reading_words import reading_words
from workbench.session.state import SessionState

SPEC = "comparison.json"


def write_command(state: SessionState, document: ExperimentDocument, folder: Path) -> list[str]:
    """Write what the command reads into a folder, and return the words of the command.

    Parameters
    ----------
    state
        The session's data, what is declared of the column, and the hierarchies.
    folder
        Gets the experiment, and the hierarchies if a release is among the methods.

    Raises
    ------
    WorkbenchError
        If the command could not do the same, or a file cannot be written.
    """
    experiment, project = document.experiment, state.project
    loaded = None if is_typed(state, experiment.question) else state.opened
    if loaded is not None and project.preparation != Preparation():
        raise WorkbenchError(
            "The command compares on all rows of a file, but here only some take part.",
            hint="Let all rows take part, or save the rows that do as a file and open that.",
            field="rows",
        )
    question = experiment.question
    schema = typed_schema(question) if loaded is None else project.schema
    spec = schema[question.column]
    data = [] if loaded is None else ["--data", str(loaded.reading.path)]
    words = ["workbench", "compare", str(folder / SPEC), *data, "--out", str(folder / "figures")]
    if loaded is not None and any(choice.method.uses_hierarchies for choice in experiment.methods):
        for name, hierarchy in project.hierarchies.items():
            place = folder / f"hierarchy-{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-') or 'column'}.csv"
            write_hierarchy(hierarchy, place)
            words += ["--hierarchy", f"{name}={place}"]
    if schema.unit.rows_per_person != 1:
        words += ["--rows-per-person", str(schema.unit.rows_per_person)]
    if loaded is not None:
        words += reading_words((spec,), loaded)
    plain = {**_standing_alone(experiment, spec).to_json(), "figure": document.figure.to_json()}
    with atomic_write(folder / SPEC) as stream:
        stream.write(json.dumps(plain, ensure_ascii=False, indent=1).encode())
    return words


def preset_command(
    state: SessionState, identifier: str, column: str, values: Mapping[str, Any] = MappingProxyType({})
) -> list[str]:
    """The words of the command that makes a published figure again.

    Parameters
    ----------
    state
        The session's data, and what is declared of the column.
    column
        The person's own; "" for the shipped sample.
    values
        The parameters that were changed.

    Raises
    ------
    WorkbenchError
        If no option says how the column is read.
    """
    words = ["workbench", "preset", identifier]
    if column:
        spec = state.project.schema[column]
        words += ["--data", str(state.opened.reading.path), "--column", column, *reading_words((spec,), state.opened)]
        if (bounds := spec.declared().bounds) is not None:
            words += ["--column-bounds", f"{column}={file_text(bounds[0])},{file_text(bounds[1])}"]
    for name, value in values.items():
        words += ["--set", f"{name}={value}"]
    return [*words, "--out", identifier]


def _standing_alone(experiment: Experiment, spec: ColumnSpec) -> Experiment:
    """The experiment with everything that is declared of its column written out, as a file on its own knows nothing."""
    public, question = spec.declared(), experiment.question
    choice: EncodingChoice = question.encoding
    if not choice.assume_public:
        choice = replace(
            choice,
            bounds=choice.bounds if choice.bounds is not None else public.bounds,
            domain=choice.domain if choice.domain is not None else public.domain,
        )
    return replace(experiment, question=replace(question, encoding=choice))
