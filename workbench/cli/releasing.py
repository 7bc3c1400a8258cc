"""`workbench anonymise` and `workbench run`: making a release."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.anonymise.guarantee import Accounting
from workbench.anonymise.mechanism import Treatment
from workbench.cli import searching
from workbench.cli.answers import Answer, assignments, bullets, dialect, privacy, progress, whole
from workbench.core.errors import WorkbenchError
from workbench.core.figures import rounded_up
from workbench.core.hierarchy import Provenance
from workbench.core.progress import Progress
from workbench.core.schema import PrivacyUnit, Role
from workbench.project.model import GuaranteeSettings, Preparation
from workbench.project.storage import load_project, save_project, with_history_of
from workbench.session import Result, Session


def anonymise(options: argparse.Namespace) -> Answer:
    """Make an (ε, δ) release of a file."""
    session = Session()
    told = progress()
    session.open(options.file, dialect(options, session), told.part(0.0, 0.5))
    names = session.reading.table.names
    session.set_unit(PrivacyUnit(options.rows_per_person, options.person))
    session.set_preparation(Preparation(options.where, options.sample, options.limit_rows))
    hierarchies = assignments(options.hierarchy, names, "--hierarchy")
    _check_columns(options, {name for name, _ in hierarchies})
    covered: dict[str, int] = {}
    for name, file in hierarchies:
        derived = Provenance.DERIVED if name in options.data_derived else None
        session.attach_hierarchy_file(name, Path(file), derived)
        if options.cover:
            covered[name] = session.cover(name)
    for name, level in assignments(options.level, names, "--level"):
        session.set_level(name, whole(level, name))
    for chosen, treatment in ((options.group, Treatment.GENERALISE), (options.keep, Treatment.KEEP)):
        for name in chosen:
            session.set_treatment(name, treatment)
    session.set_seed(options.seed)
    if options.model:
        return searching.anonymise(session, options, told.part(0.5, 1.0))
    _require_guarantee(options)
    session.set_guarantee(
        GuaranteeSettings(
            epsilon=options.epsilon,
            delta=options.delta,
            beta="max" if options.beta is None else options.beta,
            accounting=Accounting(options.accounting),
        )
    )
    answer = _release(session, options.out, options.statement, told.part(0.5, 1.0))
    if any(covered.values()):
        answer.data["analyst"]["covered"] = covered
        some = ", ".join(f"{count:,} of “{name}”" for name, count in covered.items() if count)
        return Answer(answer.data, f"{answer.text}\nValues that became *, because their hierarchy misses them: {some}.")
    return answer


def _require_guarantee(options: argparse.Namespace) -> None:
    for name, symbol in (("epsilon", "ε"), ("delta", "δ"), ("out", "the file to write")):
        if getattr(options, name) is None:
            raise WorkbenchError(
                f"--{name} is missing: {symbol}.",
                hint="Give --epsilon, --delta and --out for an (ε, δ) release, or --model for a syntactic one.",
                field=name,
            )


def _check_columns(options: argparse.Namespace, with_hierarchy: set[str]) -> None:
    """Refuse what is said twice about a column, or about a hierarchy that is not there."""
    for name in options.data_derived:
        if name not in with_hierarchy:
            raise WorkbenchError(
                f"--data-derived {name}: this column is given no hierarchy.",
                hint="Name a column that also has --hierarchy.",
                field=name,
            )
    said = [("--hierarchy", name) for name in sorted(with_hierarchy)]
    said += [("--group", name) for name in options.group] + [("--keep", name) for name in options.keep]
    first: dict[str, str] = {}
    for flag, name in said:
        if first.setdefault(name, flag) != flag:
            raise WorkbenchError(
                f"Column “{name}” is given both {first[name]} and {flag}.",
                hint="Use one of them for a column.",
                field=name,
            )


def run_project(options: argparse.Namespace) -> Answer:
    """Repeat a saved project on a file."""
    session = Session.from_file(options.project)
    described = session.project
    told = progress()
    as_before = described.data.dialect if described.data is not None else None
    loaded = session.open(options.data, as_before, told.part(0.0, 0.5))
    wanted = set(described.hierarchies) | set(described.anonymise.treatments)
    # Without the columns that tell persons apart, the promise would quietly be another one.
    wanted |= {described.schema.unit.person_column} | {c.name for c in described.schema.with_role(Role.IDENTIFYING)}
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
    release, rest = options.out / "release.csv", told.part(0.5, 1.0)
    try:
        if session.syntactic:
            answer = searching.repeat(session, release, rest)
        else:
            answer = _release(session, release, options.out / "statement.html", rest)
    except WorkbenchError:
        _remember(session, options.project)  # what a failed run told about the data was seen all the same
        raise
    return _recorded(session, options.project, answer)


def _recorded(session: Session, path: Path, answer: Answer) -> Answer:
    """Append what was seen and released to the project, so that the next release counts this one."""
    problem = _remember(session, path)
    if problem:
        warning = f"The release could not be recorded in the project: {problem} Count it yourself."
        return Answer({**answer.data, "recorded": False}, f"{answer.text}\n{warning}")
    return Answer({**answer.data, "recorded": True}, answer.text)


def _remember(session: Session, path: Path) -> str:
    """Add what was seen and released to the project file; why that failed, or ""."""
    try:
        history = replace(load_project(path), looks=session.project.looks, releases=session.project.releases)
        save_project(with_history_of(history, path), path)
    except WorkbenchError as error:
        return error.message
    return ""


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
        **privacy(claim.guarantee),
        "claim": claim.holds,
        "reasons": [reason.text for reason in claim.reasons],
        "cautions": [reason.text for reason in claim.cautions if not reason.private],
        "asserted": list(claim.asserted),
        "levels": outcome.recipe.levels,
        "rows_per_person": claim.guarantee.rows_per_person,
        "out": str(out),
        "statement": None if statement is None else str(statement),
        "analyst": analyst,
        "analyst_cautions": [f"{r.text} {r.analyst}".strip() for r in claim.cautions if r.private],
    }
    if claim.holds:
        promised = f"{rounded_up(claim.guarantee.epsilon)}, {rounded_up(claim.guarantee.delta)}"
        verdict = f"The file is ({promised})-differentially private, if what you assert is so."
    else:
        verdict = "No (ε, δ) claim is made for the file:"
    lines = [f"{outcome.rows_out:,} rows were written to {out}.", verdict, *bullets(claim.reasons)]
    if claim.holds:
        lines += ["You assert:", *(f"  - {sentence}" for sentence in claim.asserted)]
    if claim.cautions:
        lines += ["Note:", *bullets(claim.cautions)]
    if session.reading.skipped:
        lines.append(
            f"{session.reading.skipped:,} lines could not be read and took no part; workbench profile lists them."
        )
    return Answer(data, "\n".join(lines))
