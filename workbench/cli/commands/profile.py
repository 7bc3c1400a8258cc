"""`workbench profile`: what a file contains. Analyst only."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.cli import column_options, column_troubles, looks
from workbench.cli.command_output import CommandOutput, progress
from workbench.cli.engines import add_data, add_engine, engine_at_work
from workbench.cli.files import read_file
from workbench.cli.reading import add_reading, dialect
from workbench.core.column_facts import column_facts
from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec
from workbench.engines.choice import MEMORY, EngineChoice
from workbench.engines.store import Store
from workbench.engines.stored import UnlistedColumn
from workbench.io.opening import FileContent
from workbench.io.parts import columns_in_folders
from workbench.project.differences import Differences
from workbench.project.loading import Loaded, differences, load
from workbench.session import Session

_LISTED = 10
_UNKNOWN = ("missing", "misfits", "distinction", "separation")
"""The keys of what is not counted where the values of a column are not listed."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_data(parser)
    parser.add_argument(
        "--project",
        type=read_file,
        metavar="P.wbench",
        help="also say how the file differs from what a project expects; that the data was looked at is then recorded, "
        "in its ledger and in the project",
    )
    add_reading(parser)
    column_options.add_read(parser)
    add_engine(parser)


def run(options: argparse.Namespace) -> CommandOutput:
    """Describe a file, and compare it with a project if one is given."""
    session = Session() if options.project is None else Session.from_file(options.project)
    described = session.project.data
    with engine_at_work(options, "" if described is None else described.engine) as store:
        answer = _profile(options, session, store)
        if options.project is None:
            return answer.also("", looks.UNRECORDED, recorded=False)
        session.looks.take("values", lasting=True)  # before anything of it is told
        return looks.remembered(session, options, answer.also(""))


def _profile(options: argparse.Namespace, session: Session, store: Store | None) -> CommandOutput:
    told = progress()
    loaded = load(options.file, dialect(options, session), told.part(0.0, 0.6), store)
    found = session.data.adopt(loaded, differences(session.project, loaded, None, told.part(0.6, 0.7)))
    if options.project is not None and column_options.typed(options):
        raise WorkbenchError(
            "How columns are read is said by the project.", hint="Change it with project set.", field="project"
        )
    column_options.carry_over(session, options)
    if options.project is None:
        column_troubles.say(session, options)
    suggestions = session.data.suggester()(told.part(0.7, 0.9))
    reading = loaded.reading
    columns = []
    for column, spec in zip(reading.table.columns, session.project.schema.columns, strict=True):
        counted: dict[str, Any]
        if isinstance(column, UnlistedColumn):
            counted = {"listed": False, "distinct": column.distinct, **dict.fromkeys(_UNKNOWN)}
        else:
            facts, spread = column_facts(column, spec), suggestions.spreads[column.name]
            counted = {
                "distinct": facts.distinct,
                "missing": facts.missing,
                "misfits": facts.misfit_rows,
                "distinction": spread.distinction,
                "separation": spread.separation,
            }
        columns.append({"name": column.name, "kind": spec.kind.value, "format": _format(spec), **counted})
    told(1.0)
    data = {
        "rows": reading.table.rows,
        "engine": reading.table.engine or MEMORY,
        "columns": columns,
        "form": reading.form.value,
        "sheets": list(reading.sheets),
        "dialect": reading.dialect.to_dict(),
        "problems": [
            {
                "line": problem.line,
                "reason": problem.reason,
                "text": problem.text,
                "kept": problem.kept,
                "part": problem.part,
            }
            for problem in reading.problems
        ],
        "problem_count": reading.problem_count,
        "suggestions": [
            {"columns": list(one.columns), "role": one.role.value, "reason": one.reason} for one in suggestions.found
        ],
    }
    if options.project is not None:
        data["differences"] = _differences(found)
    return CommandOutput(data, tuple(_profile_lines(loaded, data, found)))


def _profile_lines(loaded: Loaded, data: dict[str, Any], found: Differences) -> list[str]:
    reading, columns = loaded.reading, data["columns"]
    read = reading.dialect
    how = reading.form.one
    if reading.form is FileContent.CSV:
        how = f"delimiter {read.delimiter!r}, encoding {read.encoding}"
    elif read.sheet:
        how = f"{'table' if reading.form.database else 'sheet'} “{read.sheet}” of {how}"
    elif read.query:
        how = f"a query of {how}"
    where = "" if reading.table.in_memory else f"; in {EngineChoice(reading.table.engine).title}"
    width = max(len(column["name"]) for column in columns)
    lines = [
        f"{reading.table.rows:,} rows, {how}{where}",
        "",
        f"{'column':<{width}}  {'kind':<10}  {'distinct':>10}  {'missing':>10}  {'misfits':>10}",
        *(
            f"{c['name']:<{width}}  {c['kind']:<10}  "
            + "  ".join(f"{_figure(c, key):>10}" for key in ("distinct", "missing", "misfits"))
            for c in columns
        ),
    ]
    lost = [name for name in columns_in_folders(reading.parts) if name not in reading.table.names]
    if lost:
        named = ", ".join(f"“{name}”" for name in lost)
        lines += ["", f"Not read, because it stands in the names of folders alone: {named}."]
    if reading.problem_count:
        left_out = f", {reading.skipped:,} are left out" if reading.skipped else ""
        lines += ["", f"{reading.problem_count:,} lines could not be read as they are{left_out}:"]
        lines += [f"  {problem.place}: {problem.reason}" for problem in reading.problems[:_LISTED]]
    if data["suggestions"]:
        lines += ["", "Suggested roles:"]
        lines += [f"  {', '.join(s['columns'])}: {s['role']}. {s['reason']}" for s in data["suggestions"]]
    if found:
        lines += ["", "Other than the project expects:", *(f"  {line}" for line in _difference_lines(found))]
    return lines


def _figure(column: dict[str, Any], key: str) -> str:
    """A count as people read it; of a column whose values are not listed it is estimated, or not known."""
    count = column[key]
    if count is None:
        return "–"
    return f"{count:,}" if column["missing"] is not None else f"≈{count:,}"


def _differences(found: Differences) -> dict[str, Any]:
    return {
        "missing": list(found.missing),
        "new": list(found.new),
        "new_values": [
            {"column": name, "count": values.count, "examples": list(values.examples)}
            for name, values in found.new_values.items()
        ],
        "misfits": [{"column": name, "rows": rows} for name, rows in found.misfits.items()],
        "filter_problem": found.filter_problem,
    }


def _difference_lines(found: Differences) -> list[str]:
    lines = [f"the column “{name}” is not there" for name in found.missing]
    lines += [f"the column “{name}” is new" for name in found.new]
    for name, values in found.new_values.items():
        more = ", …" if values.count > 3 else ""
        shown = ", ".join(f"“{value}”" for value in values.examples[:3])
        lines.append(f"“{name}” has new values ({values.count:,}): {shown}{more}")
    lines += [
        f"“{name}” has {rows:,} rows with a value that does not fit its kind" for name, rows in found.misfits.items()
    ]
    if found.filter_problem:
        lines.append(found.filter_problem)
    return lines


def _format(spec: ColumnSpec) -> dict[str, str]:
    """How the values of a column are written, as far as it matters for its kind."""
    if spec.kind.temporal:
        return {"pattern": spec.format.pattern}
    if not spec.kind.numeric:
        return {}
    written = {"decimal_mark": spec.format.decimal_mark, "thousands": spec.format.thousands}
    return {**written, "symbol": spec.format.symbol} if spec.format.symbol else written
