"""Making a release and writing it: what `workbench anonymise` and `workbench run` have in common."""

from __future__ import annotations

from typing import Any

from workbench.cli import level_options, near_data
from workbench.cli.command_output import CommandOutput, bullets, privacy, with_unread
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_up
from workbench.core.progress import Progress
from workbench.session import Result, Session
from workbench.session.export import Exported, Targets


def make_release(session: Session, targets: Targets, progress: Progress, *, without_claim: bool) -> CommandOutput:
    """Make the release as the session is set, and write it."""
    result = session.release.anonymise(progress.part(0.0, 0.5))
    try:
        exported = session.release.export(
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


def _released(session: Session, result: Result, exported: Exported) -> CommandOutput:
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
    prepared = session.data.prepared
    if prepared is not None and prepared.table is not session.data.reading.table:
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
        **near_data.described(session),
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
    return with_unread(CommandOutput(data, tuple(lines)), session)
