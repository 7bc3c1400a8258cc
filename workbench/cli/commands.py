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
from workbench.core.hierarchy import Provenance
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import PrivacyUnit
from workbench.project.model import GuaranteeSettings
from workbench.session import Result, Session

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
    """Describe a file."""
    session = Session()
    loaded = session.open(options.file, progress=_progress())
    reading = loaded.reading
    columns = []
    for column, spec in zip(reading.table.columns, loaded.proposed.columns, strict=True):
        counts = dict(zip(column.values, column.counts.tolist(), strict=True))
        columns.append(
            {
                "name": column.name,
                "kind": spec.kind.value,
                "distinct": sum(1 for v, count in counts.items() if count and v not in spec.missing),
                "missing": sum(counts.get(text, 0) for text in spec.missing),
            }
        )
    dialect = reading.dialect.to_dict()
    data = {
        "rows": reading.table.rows,
        "columns": columns,
        "dialect": dialect,
        "problems": [
            {"line": problem.line, "reason": problem.reason, "text": problem.text} for problem in reading.problems
        ],
        "problem_count": reading.problem_count,
    }
    width = max(len(column.name) for column in reading.table.columns)
    lines = [
        f"{reading.table.rows:,} rows, delimiter {dialect['delimiter']!r}, encoding {dialect['encoding']}",
        "",
        f"{'column':<{width}}  {'kind':<10}  {'distinct':>10}  {'missing':>10}",
        *(f"{c['name']:<{width}}  {c['kind']:<10}  {c['distinct']:>10,}  {c['missing']:>10,}" for c in columns),
    ]
    if reading.problem_count:
        lines += ["", f"{reading.problem_count:,} lines could not be read as they are:"]
        lines += [f"  line {problem.line}: {problem.reason}" for problem in reading.problems[:10]]
    return Answer(data, "\n".join(lines))


def anonymise(options: argparse.Namespace) -> Answer:
    """Make an (ε, δ) release of a file."""
    session = Session()
    progress = _progress()
    session.open(options.file, progress=progress.part(0.0, 0.5))
    names = session.reading.table.names
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
    session.set_unit(PrivacyUnit(options.rows_per_person, options.person))
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
    return _released(result, out, statement)


def _released(result: Result, out: Path, statement: Path | None) -> Answer:
    outcome, claim = result.outcome, result.claim
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
        "analyst": {
            "rows_in": outcome.rows_in,
            "sampled": len(outcome.sampled_rows),
            "suppressed": outcome.suppressed,
        },
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
