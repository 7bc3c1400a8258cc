"""What each command does, as functions from parsed options to an answer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.anonymise.claim import Reason
from workbench.anonymise.guarantee import Accounting, Guarantee, guarantee
from workbench.anonymise.mechanism import Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.facts import column_facts
from workbench.core.hierarchy import Provenance
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import ColumnSpec, PrivacyUnit
from workbench.io.dialect import Dialect
from workbench.io.excel import Workbook
from workbench.io.opening import Form, form_of
from workbench.project.model import GuaranteeSettings, Preparation
from workbench.session import Differences, Loaded, Result, Session, differences, load

_LISTED = 10

NAMES = frozenset({"guarantee", "profile", "anonymise", "run"})


@dataclass(frozen=True)
class Answer:
    """What a command has to say: as data for `--json` and as text for people."""

    data: dict[str, Any]
    text: str


def show_guarantee(options: argparse.Namespace) -> Answer:
    """Solve for whichever of ε, δ, β, k was not given."""
    promised = guarantee(
        epsilon=options.epsilon,
        delta=options.delta,
        beta=options.beta,
        k=options.k,
        accounting=Accounting(options.accounting),
        rows_per_person=options.rows_per_person,
    )
    data = {**_privacy(promised), "smallest_class": promised.smallest_class}
    if promised.rows_per_person != 1:
        data["rows_per_person"] = promised.rows_per_person
    text = (
        f"ε = {promised.epsilon:.6g}, δ = {promised.delta:.6g}: keep each row with β = {promised.beta:.6g} and drop "
        f"groups of fewer than k = {promised.k:,}.\n"
        f"A group needs about {promised.smallest_class:,.0f} rows in the table to survive "
        f"({promised.accounting.value} accounting)."
    )
    return Answer(data, text)


def profile(options: argparse.Namespace) -> Answer:
    """Describe a file, and compare it with a project if one is given."""
    session = Session() if options.project is None else Session.from_file(options.project)
    progress = _progress()
    loaded = load(options.file, _dialect(options, session), progress.part(0.0, 0.6))
    found = session.adopt(loaded, differences(session.project, loaded, None, progress.part(0.6, 0.7)))
    suggestions = session.suggester()(progress.part(0.7, 0.9))
    reading = loaded.reading
    columns = []
    for column, spec in zip(reading.table.columns, session.project.schema.columns, strict=True):
        facts = column_facts(column, spec)
        spread = suggestions.spreads[column.name]
        columns.append(
            {
                "name": column.name,
                "kind": spec.kind.value,
                "format": _format(spec),
                "distinct": facts.distinct,
                "missing": facts.missing,
                "misfits": facts.misfit_rows,
                "distinction": spread.distinction,
                "separation": spread.separation,
            }
        )
    progress(1.0)
    data = {
        "rows": reading.table.rows,
        "columns": columns,
        "form": reading.form.value,
        "sheets": list(reading.sheets),
        "dialect": reading.dialect.to_dict(),
        "problems": [
            {"line": problem.line, "reason": problem.reason, "text": problem.text, "kept": problem.kept}
            for problem in reading.problems
        ],
        "problem_count": reading.problem_count,
        "suggestions": [
            {"columns": list(one.columns), "role": one.role.value, "reason": one.reason} for one in suggestions.found
        ],
    }
    if options.project is not None:
        data["differences"] = _differences(found)
    return Answer(data, "\n".join(_profile_lines(loaded, data, found)))


def _profile_lines(loaded: Loaded, data: dict[str, Any], found: Differences) -> list[str]:
    reading, columns = loaded.reading, data["columns"]
    dialect = reading.dialect
    how = {
        Form.CSV: f"delimiter {dialect.delimiter!r}, encoding {dialect.encoding}",
        Form.EXCEL: f"sheet “{dialect.sheet}” of an Excel workbook",
        Form.PARQUET: "a Parquet file",
    }
    width = max(len(column["name"]) for column in columns)
    lines = [
        f"{reading.table.rows:,} rows, {how[reading.form]}",
        "",
        f"{'column':<{width}}  {'kind':<10}  {'distinct':>10}  {'missing':>10}  {'misfits':>10}",
        *(
            f"{c['name']:<{width}}  {c['kind']:<10}  {c['distinct']:>10,}  {c['missing']:>10,}  {c['misfits']:>10,}"
            for c in columns
        ),
    ]
    if reading.problem_count:
        lines += ["", f"{reading.problem_count:,} lines could not be read as they are:"]
        lines += [f"  line {problem.line}: {problem.reason}" for problem in reading.problems[:_LISTED]]
    if data["suggestions"]:
        lines += ["", "Suggested roles:"]
        lines += [f"  {', '.join(s['columns'])}: {s['role']}. {s['reason']}" for s in data["suggestions"]]
    if found:
        lines += ["", "Other than the project expects:", *(f"  {line}" for line in _difference_lines(found))]
    return lines


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


def _dialect(options: argparse.Namespace, session: Session) -> Dialect | None:
    """How to read the file: the sheet that was named, else as the project says, else as it looks."""
    if options.sheet:
        if form_of(options.file) is not Form.EXCEL:
            raise WorkbenchError(
                f"“{options.file.name}” is no Excel workbook, so it has no sheets.",
                hint="Leave --sheet out.",
                field="sheet",
            )
        return Workbook(options.file).recognise(options.sheet)
    return session.project.data.dialect if session.project.data is not None else None


def anonymise(options: argparse.Namespace) -> Answer:
    """Make an (ε, δ) release of a file."""
    session = Session()
    progress = _progress()
    session.open(options.file, _dialect(options, session), progress.part(0.0, 0.5))
    names = session.reading.table.names
    session.set_unit(PrivacyUnit(options.rows_per_person, options.person))
    session.set_preparation(Preparation(options.where, options.sample, options.limit_rows))
    for name, file in _assignments(options.hierarchy, names, "--hierarchy"):
        derived = Provenance.DERIVED if name in options.data_derived else None
        session.attach_hierarchy_file(name, Path(file), derived)
        if options.cover:
            session.cover(name)
    for name, level in _assignments(options.level, names, "--level"):
        session.set_level(name, _whole(level, name))
    for flag, chosen, treatment in (
        ("--group", options.group, Treatment.GENERALISE),
        ("--keep", options.keep, Treatment.KEEP),
    ):
        for name in chosen:
            if name in session.project.hierarchies:
                raise WorkbenchError(
                    f"Column “{name}” has a hierarchy, so {flag} contradicts it.",
                    hint=f"Use either --hierarchy or {flag} for a column.",
                    field=name,
                )
            session.set_treatment(name, treatment)
    session.set_guarantee(
        GuaranteeSettings(
            epsilon=options.epsilon,
            delta=options.delta,
            beta="max" if options.beta is None else options.beta,
            accounting=Accounting(options.accounting),
        )
    )
    session.set_seed(options.seed)
    return _release(session, options.out, options.statement, progress.part(0.5, 1.0))


def run_project(options: argparse.Namespace) -> Answer:
    """Repeat a saved project on a file."""
    session = Session.from_file(options.project)
    described = session.project
    progress = _progress()
    dialect = described.data.dialect if described.data is not None else None
    loaded = session.open(options.data, dialect, progress.part(0.0, 0.5))
    wanted = set(described.hierarchies) | set(described.anonymise.treatments)
    missing = [name for name in described.schema.names if name in wanted and name not in loaded.reading.table]
    if missing:
        raise WorkbenchError(
            f"The file has no column {', '.join(f'“{name}”' for name in missing)}, which the project needs.",
            hint=f"Its columns are: {', '.join(loaded.reading.table.names)}.",
            field="data",
        )
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkbenchError(
            f"The folder {options.out} cannot be made: {error.strerror or error}.",
            hint="Choose a folder you may write to.",
            field="out",
        ) from error
    return _release(session, options.out / "release.csv", options.out / "statement.html", progress.part(0.5, 1.0))


def _release(session: Session, out: Path, statement: Path | None, progress: Progress) -> Answer:
    result = session.anonymise(progress.part(0.0, 0.5))
    session.export(out, statement, progress=progress.part(0.5, 1.0))
    return _released(session, result, out, statement)


def _released(session: Session, result: Result, out: Path, statement: Path | None) -> Answer:
    outcome, claim = result.outcome, result.claim
    analyst: dict[str, Any] = {
        "rows_in": outcome.rows_in,
        "sampled": len(outcome.sampled_rows),
        "suppressed": outcome.suppressed,
    }
    prepared = session.prepared
    if prepared is not None and prepared.table is not session.reading.table:
        analyst["preparation"] = {
            "rows_read": prepared.rows_read,
            "filtered_out": prepared.filtered_out,
            "left_by_sample": prepared.left_by_sample,
            "without_person": prepared.without_person,
            "over_limit": prepared.over_limit,
            "misfits": dict(prepared.misfits),
        }
    data = {
        "rows_out": outcome.rows_out,
        **_privacy(claim.guarantee),
        "claim": claim.holds,
        "reasons": [reason.text for reason in claim.reasons],
        "cautions": [reason.text for reason in claim.cautions],
        "levels": outcome.recipe.levels,
        "rows_per_person": claim.guarantee.rows_per_person,
        "out": str(out),
        "statement": None if statement is None else str(statement),
        "analyst": analyst,
    }
    if claim.holds:
        verdict = f"The file is ({claim.guarantee.epsilon:.6g}, {claim.guarantee.delta:.6g})-differentially private."
    else:
        verdict = "No (ε, δ) claim is made for the file:"
    lines = [f"{outcome.rows_out:,} rows were written to {out}.", verdict, *_bullets(claim.reasons)]
    if claim.cautions:
        lines += ["Note:", *_bullets(claim.cautions)]
    return Answer(data, "\n".join(lines))


def _bullets(reasons: Iterable[Reason]) -> list[str]:
    return [f"  - {reason.text} {reason.remedy}" for reason in reasons]


def _privacy(promised: Guarantee) -> dict[str, Any]:
    return {
        "epsilon": promised.epsilon,
        "delta": promised.delta,
        "beta": promised.beta,
        "k": promised.k,
        "accounting": promised.accounting.value,
    }


def _assignments(pairs: Iterable[str], names: tuple[str, ...], flag: str) -> list[tuple[str, str]]:
    """Split COL=VALUE; a column name may itself contain “=”, so the longest known name wins."""
    found = []
    for pair in pairs:
        cuts = [position for position, sign in enumerate(pair) if sign == "="]
        if not cuts:
            raise WorkbenchError(f"{flag} {pair} names no column.", hint=f"Write {flag} COLUMN=VALUE.", field=pair)
        known = [cut for cut in cuts if pair[:cut] in names]
        if not known:
            raise WorkbenchError(
                f"There is no column “{pair[: cuts[0]]}”.",
                hint=f"The columns are: {', '.join(names)}.",
                field=pair[: cuts[0]],
            )
        found.append((pair[: known[-1]], pair[known[-1] + 1 :]))
    return found


def _whole(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise WorkbenchError(
            f"The level of “{name}” must be a whole number, not “{text}”.", hint=f"Write --level {name}=1.", field=name
        ) from None


def _progress() -> Progress:
    """Progress on a terminal; silence where stderr is read by a program."""
    if not sys.stderr.isatty():
        return SILENT
    return Progress(_TerminalLine())


class _TerminalLine:
    """One line on stderr that is overwritten, and cleared at the end."""

    def __init__(self) -> None:
        self._shown = -1
        self._text = ""

    def __call__(self, fraction: float, text: str) -> None:
        self._text = text or self._text
        percent = int(100 * fraction)
        if percent != self._shown:
            self._shown = percent
            end = "\r\033[K" if percent >= 100 else ""
            print(f"\r\033[K{percent:3} % {self._text}{end}", end="", file=sys.stderr, flush=True)


__all__ = ["NAMES", "Answer", "anonymise", "profile", "run_project", "show_guarantee"]
