"""`workbench anonymise` and `workbench run`: making a release."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

from workbench.anonymise.guarantee import Accounting
from workbench.anonymise.mechanism import Treatment
from workbench.cli import level_options, near, searching
from workbench.cli.answers import Answer, assignments, bullets, dialect, privacy, progress, whole, with_unread
from workbench.cli.engines import engine_at_work, store_of
from workbench.cli.exporting import targets_of
from workbench.cli.refusing import flags_named
from workbench.cli.repeating import opened, remember
from workbench.core.errors import WorkbenchError
from workbench.core.figures import rounded_up
from workbench.core.hierarchy import Provenance
from workbench.core.progress import Progress
from workbench.core.schema import PrivacyUnit
from workbench.engines.store import Store
from workbench.io.atomic import folder_for
from workbench.io.export_format import ExportForm, ExportFormat
from workbench.project.model import GuaranteeSettings, Preparation
from workbench.session import Result, Session
from workbench.session.exporting import Exported, Targets


def anonymise(options: argparse.Namespace) -> Answer:
    """Make an (ε, δ) release of a file, or one of privacy models."""
    with engine_at_work(options) as store:
        return _anonymised(options, store)


def _anonymised(options: argparse.Namespace, store: Store | None) -> Answer:
    session = Session()
    if options.ledger is not None:
        session.use_ledger(options.ledger)
    told = progress()
    session.open(options.file, dialect(options, session), told.part(0.0, 0.5), store)
    near.settle(session, options)
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
    for name in options.suppress:
        session.suppress_column(name)
    for chosen, treatment in ((options.group, Treatment.GENERALISE), (options.keep, Treatment.KEEP)):
        for name in chosen:
            session.set_treatment(name, treatment)
    session.set_seed(options.seed)
    if options.model:
        level_options.refuse_with_models(options)
        return searching.anonymise(session, options, told.part(0.5, 1.0))
    if options.local_recoding:
        raise searching.no_local_claim()
    _require_guarantee(options)
    session.set_guarantee(
        GuaranteeSettings(
            epsilon=options.epsilon,
            delta=options.delta,
            beta="max" if options.beta is None else options.beta,
            accounting=Accounting(options.accounting),
        )
    )
    level_options.settle(session, options)
    named = " ".join(f"--group {shlex.quote(name)}" for name in options.keep)
    advice = f"{named} instead of --keep puts it into the grouping as it is." if named else ""
    targets = targets_of(options, options.out)
    without_claim = options.without_claim or options.seed is not None  # a simulation is not asked for a claim
    with flags_named(advice):
        session.refuse_before_drawing(targets, without_claim=without_claim)
        answer = _release(session, targets, told.part(0.5, 1.0), without_claim=without_claim)
    if advice and not answer.data["claim"]:
        answer = answer.also(advice)
    if any(covered.values()):
        answer.data["analyst"]["covered"] = covered
        some = ", ".join(f"{count:,} of “{name}”" for name, count in covered.items() if count)
        return answer.also(f"Values that became *, because their hierarchy misses them: {some}.")
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
    # A column that is suppressed may bring the hierarchy whose top level that is.
    said += [("--suppress", name) for name in options.suppress if name not in with_hierarchy]
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
    told = progress()
    session = opened(
        options.project,
        options.data,
        options.ledger,
        told.part(0.0, 0.5),
        lambda wanted: store_of(options, wanted),
    )
    near.settle(session, options)
    form = ExportForm(options.out_format)
    release, rest = options.out / f"release.{form.value}", told.part(0.5, 1.0)
    statement = options.out / "statement.html"
    targets = Targets(release, ExportFormat(form), statement, parts=options.parts, force=options.force)
    with folder_for(options.out), flags_named():
        if session.syntactic:
            targets.check(session.inputs)
        else:
            session.refuse_before_drawing(targets, without_claim=options.without_claim)
        try:
            answer = (
                searching.repeat(session, targets, rest)
                if session.syntactic
                else _release(session, targets, rest, without_claim=options.without_claim)
            )
        except WorkbenchError:
            remember(session, options.project)  # what a failed run told about the data was seen all the same
            raise
    return _recorded(session, options.project, answer)


def _recorded(session: Session, path: Path, answer: Answer) -> Answer:
    """Append what was seen and released to the project, so that the next release counts this one."""
    problem = remember(session, path)
    if problem:
        warning = f"The release could not be recorded in the project: {problem} Count it yourself."
        return answer.also(warning, recorded=False)
    return answer.also(recorded=True)


def _release(session: Session, targets: Targets, progress: Progress, *, without_claim: bool) -> Answer:
    result = session.anonymise(progress.part(0.0, 0.5))
    try:
        exported = session.export(
            targets.path,
            targets.statement,
            style=targets.style,
            note=targets.note,
            parts=targets.parts,
            force=targets.force,
            without_claim=without_claim,
            progress=progress.part(0.5, 1.0),
        )
    except WorkbenchError as error:
        if result.spent in str(error):
            raise
        raise error.also(result.spent) from error
    return _released(session, result, exported)


def _released(session: Session, result: Result, exported: Exported) -> Answer:
    targets = exported.targets
    outcome, claim = result.outcome, result.claim
    analyst: dict[str, Any] = {
        "rows_in": outcome.rows_in,
        "sampled": outcome.sampled.rows,
        "suppressed": outcome.suppressed,
    }
    levels = level_options.told_levels(result)
    if levels != outcome.recipe.levels:
        analyst["levels"] = outcome.recipe.levels
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
        "levels": levels,
        **level_options.described(session, result),
        "rows_per_person": claim.guarantee.rows_per_person,
        "out": str(targets.path),
        "statement": None if targets.statement is None else str(targets.statement),
        "metadata": None if targets.note is None else str(targets.note),
        "sha256": exported.file.fingerprint,
        "read_back": exported.rechecked.to_json(public=True),
        **near.described(session),
        "analyst": analyst,
        "analyst_cautions": [f"{r.text} {r.analyst}".strip() for r in claim.cautions if r.private],
    }
    if claim.holds:
        promised = f"{rounded_up(claim.guarantee.epsilon)}, {rounded_up(claim.guarantee.delta)}"
        verdict = f"The file is ({promised})-differentially private, if what you assert is so."
    else:
        verdict = "No (ε, δ) claim is made for the file:"
    lines = [
        f"{outcome.rows_out:,} rows were written to {targets.path}, read back and counted again.",
        verdict,
        *bullets(claim.reasons),
    ]
    lines += level_options.in_words(session, result)
    if claim.holds:
        lines += ["You assert:", *(f"  - {sentence}" for sentence in claim.asserted)]
    if claim.cautions:
        lines += ["Note:", *bullets(claim.cautions)]
    return with_unread(Answer(data, tuple(lines)), session)
