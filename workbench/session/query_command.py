"""The command line that asks the same question as the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.flags import typed_words
from workbench.core.number_text import shown
from workbench.core.params import ParamType
from workbench.core.schema import ColumnSpec
from workbench.project.loading import Loaded
from workbench.project.model import Preparation, Project
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.session.reading_words import reading_words

_DIGITS = 15


def command(draft: QueryDraft, project: Project, saved: Path | None, loaded: Loaded | None = None) -> tuple[str, ...]:
    """The words of `workbench query …` for this question.

    Parameters
    ----------
    saved
        The project file, if it is as the project stands; else the command names the data file and says itself what
        the project declares of its columns.
    loaded
        The open data, and what its columns are proposed to be, which a command would read them as.

    Raises
    ------
    WorkbenchError
        If there is no data, or the question depends on what only a saved project can say.
    """
    if project.data is None:
        raise WorkbenchError("There is no data to ask.", hint="Open a file.", field="data")
    if saved is None and project.preparation != Preparation():
        raise WorkbenchError(
            "A command for some of the rows needs the project that says which.",
            hint="Save the project, then copy the command.",
            field="preparation",
        )
    kind = QUERIES[draft.kind]
    values = dict(draft.values) if saved is not None else _with_declared(draft, project)
    words = ["workbench", "query", str(saved or project.data.path), *typed_words("--query", kind.identifier)]
    if saved is None and project.data.engine:
        words += typed_words("--engine", project.data.engine)
    for spec in kind.parameters:
        value = values.get(spec.name, spec.default)
        if value is None or value == spec.default or not relevance.applies(draft, project.schema, spec.name):
            continue
        flag = f"--{relevance.TYPED.get(spec.name, spec.name).replace('_', '-')}"
        if spec.type is ParamType.SWITCH:
            words.append(flag)
        elif spec.type is ParamType.LINES:
            for line in str(value).splitlines():
                words += typed_words(flag, line) if line.strip() else []
        else:
            words += typed_words(flag, value)
    unsaid = {"kind", "assumed_rows", "most_below"}  # said already; for a plan alone
    unsaid |= set() if kind.needs_epsilon else {"epsilon"}
    unsaid |= set() if draft.noise is NoiseSource.DIFFPRIVLIB else {"tool"}
    words += flags.words(draft, unsaid)
    unit = project.schema.unit
    if saved is None and unit.rows_per_person != 1:
        words += typed_words("--rows-per-person", unit.rows_per_person)
    if saved is None:
        read = relevance.columns_read(draft, project.schema)
        words += reading_words((project.schema[name] for name in read), loaded)
    return tuple(words)


def _with_declared(draft: QueryDraft, project: Project) -> dict[str, Any]:
    """The values, with what the columns declare written out."""
    values = dict(draft.values)
    known = {spec.name for spec in QUERIES[draft.kind].parameters}
    for prefix in ("", "second_", "by_"):
        name = str(values.get(f"{prefix}column", ""))
        if name not in project.schema.names:
            continue
        spec: ColumnSpec = project.schema[name].declared()
        measured = spec.kind.numeric or spec.kind.temporal
        ends = [f"{prefix}lower", f"{prefix}upper"]
        if spec.bounds is not None and known >= set(ends) and not any(values.get(end) for end in ends):
            values |= {
                end: shown(bound, spec, _DIGITS, grouped=False) for end, bound in zip(ends, spec.bounds, strict=True)
            }
        keys = f"{prefix}keys"
        if spec.domain and not measured and keys in known and not values.get(keys):
            values[keys] = ", ".join(_quoted(value) for value in spec.domain)
    return values


def _quoted(value: str) -> str:
    needed = any(mark in value for mark in ',"\n') or value != value.strip()
    return '"' + value.replace('"', '""') + '"' if needed else value
