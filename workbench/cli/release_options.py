"""Making a release and writing it: what `workbench anonymise` and `workbench run` have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from workbench.anonymise.after_draw import AfterDraw
from workbench.anonymise.claim import Claim
from workbench.anonymise.claimed_sum import ClaimedSum
from workbench.anonymise.sampling import Outcome
from workbench.anonymise.terms import for_neighbours
from workbench.anonymise.trimming import TrimOutcome
from workbench.cli import level_options, near_data, trim_output
from workbench.cli.command_output import CommandOutput, bullets, privacy, with_unread
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import rounded_up
from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.report.release_note import given_of
from workbench.report.statement_parts import given_sentence, given_words
from workbench.session import Session
from workbench.session.export import Exported, Targets, signature_outdated
from workbench.session.release.result import Result
from workbench.session.saved_project import draw_and_write


def add_analyst(parser: argparse.ArgumentParser) -> None:
    """The flag by which the analyst's figures are taken."""
    parser.add_argument(
        "--analyst",
        action="store_true",
        help="also tell the analyst's figures, such as how many rows took part. That is a look at the data, which is "
        "recorded: this release keeps its claim, and one that is drawn afterwards has one for its choices as they are "
        "only. Where privacy models search the table and find one, they are told in any case: the search is a look, "
        "and its release has no claim",
    )


def add_chosen(parser: argparse.ArgumentParser) -> None:
    """The flag by which a release that follows from others claims what all of them promise together."""
    parser.add_argument(
        "--chosen",
        action="store_true",
        help="this release, or its settings, are chosen by what earlier ones of this data showed: claim the sum of the "
        "ε and δ of all that its ledger counts, published or not, which holds whatever was chosen",
    )


def add_known(parser: argparse.ArgumentParser) -> None:
    """The flag by which a release claims no more than what holds where everybody knows how many people there are."""
    parser.add_argument(
        "--known",
        type=KnownNumber,
        choices=[KnownNumber.PEOPLE, KnownNumber.ROWS],
        default=KnownNumber.NONE,
        metavar="people|rows",
        help="everybody knows how many people (or rows, where a person can have several) the table has, as of a staff: "
        "the claim is then for replacing one person by another, (2ε, 2δ − δ²), and the ledger counts all of this data "
        "so from then on",
    )


def add_after(parser: argparse.ArgumentParser) -> None:
    """The options for what is done to the released rows of trimmed groups, which costs nothing."""
    group = parser.add_argument_group(
        "after the draw",
        "what is done to the rows that trimming released. It reveals nothing more, as long as the released rows alone, "
        "or no data at all, decide about it, which the statement says as the publisher's word",
    )
    group.add_argument(
        "--leave-out-after",
        action="append",
        default=[],
        metavar="COL",
        help="leave a column out of the file that took part in the draw, such as one that is * in most rows",
    )
    group.add_argument(
        "--one-level",
        action="store_true",
        help="bring all labels to the levels of the last step that released a row, so that readers can count rows "
        "with equal labels as they stand",
    )


def refuse_after_with_models(options: argparse.Namespace) -> None:
    """Say that a table of privacy models is not changed after it was found: its models would have to hold anew.

    Raises
    ------
    WorkbenchError
        If something is to be done after a draw.
    """
    given = [flag for flag in ("leave_out_after", "one_level") if getattr(options, flag)]
    if given:
        raise WorkbenchError(
            f"--{given[0].replace('_', '-')} belongs to (ε, δ) releases, not to privacy models.",
            hint="Leave the column out of the data that is anonymised, or do not give it.",
            field=given[0].replace("_", "-"),
        )


def make_release(
    session: Session,
    targets: Targets,
    progress: Progress,
    *,
    without_claim: bool,
    analyst: bool = False,
    chosen: bool = False,
    known: KnownNumber = KnownNumber.NONE,
    left_out: Sequence[str] = (),
    one_level: bool = False,
) -> CommandOutput:
    """Make the release as the session is set, and write it; tell no more than a reader would get.

    Parameters
    ----------
    known
        Which number of the table is known, so that the claim is for replacing a person.
    left_out, one_level
        What is done to the released rows; see `write_otherwise`.
    chosen
        Whether it claims what all releases of the data promise together.
    analyst
        Whether the analyst's figures are taken, once the release has left: that is recorded as a look.
    """
    result, exported = draw_and_write(
        session,
        targets,
        progress,
        without_claim=without_claim,
        chosen=chosen,
        known=known,
        left_out=left_out,
        one_level=one_level,
    )
    answer = _released(session, result, exported)
    if not analyst:
        return answer
    session.release.look()
    private = [f"{one.text} {one.analyst}".strip() for one in result.claim.cautions if one.private]
    answer = answer.also(analyst=_analyst(session, result), analyst_cautions=private)
    return answer.also(*_in_words(answer.data["analyst"]), *(f"Note: {one}" for one in private))


def _analyst(session: Session, result: Result) -> dict[str, Any]:
    """The facts that are computed from the true rows: for the analyst only, and only once a look is recorded."""
    outcome = result.outcome
    analyst: dict[str, Any] = {"rows_in": outcome.rows_in}
    if isinstance(outcome, Outcome):
        analyst |= {"sampled": outcome.sampled.rows, "suppressed": outcome.suppressed}
    if level_options.told_levels(result) != outcome.recipe.levels:
        analyst["levels"] = outcome.recipe.levels
    prepared = result.prepared
    if prepared.table is not session.data.reading.table:
        analyst["preparation"] = {
            "rows_read": prepared.rows_read,
            "filtered_out": prepared.filtered_out,
            "left_by_sample": prepared.left_by_sample,
            "without_person": prepared.without_person,
            "over_limit": prepared.over_limit,
            "misfits": dict(prepared.misfits),
        }
    missed = {
        name: len(session.data.uncovered(name, result.table))
        for name in outcome.recipe.levels
        if name in result.hierarchies
    }
    if any(missed.values()):
        analyst["uncovered"] = {name: count for name, count in missed.items() if count}
    return analyst


def _in_words(analyst: dict[str, Any]) -> list[str]:
    words = {"rows_in": "rows took part", "sampled": "were sampled", "suppressed": "of these were dropped"}
    told = ", ".join(f"{analyst[name]:,} {said}" for name, said in words.items() if name in analyst)
    lines = [f"Analyst only: {told}."]
    if "uncovered" in analyst:
        some = ", ".join(f"{count:,} of “{name}”" for name, count in analyst["uncovered"].items())
        lines.append(f"Analyst only: values that became *, because their hierarchy misses them: {some}.")
    return lines


def _released(session: Session, result: Result, exported: Exported) -> CommandOutput:
    targets = exported.targets
    outcome, claim = session.release.as_written(result), exported.claim or result.claim
    released = outcome.written() if isinstance(outcome, TrimOutcome) else outcome.release
    levels, given = level_options.told_levels(result), given_of(claim)
    labels = {name: _labels(released, name) for name in outcome.recipe.levels if name in released}
    data = {
        "rows_out": outcome.rows_out,
        "groups_out": outcome.classes_out,
        "labels_out": labels,
        **privacy(claim.guarantee),
        **_counted(claim),
        "neighbours": claim.terms.neighbours if claim.holds else None,
        "claim": claim.holds,
        **({} if given is None else {"given": given}),
        "reasons": [reason.text for reason in claim.reasons],
        "cautions": [reason.text for reason in claim.cautions if not reason.private],
        "asserted": list(claim.asserted),
        "levels": levels,
        **level_options.described(session, result),
        **trim_output.described(session, result),
        **_after(session.release.after(result)),
        "rows_per_person": claim.guarantee.rows_per_person,
        "out": str(targets.path),
        "statement": None if targets.statement is None else str(targets.statement),
        "metadata": None if targets.note is None else str(targets.note),
        "sha256": exported.file.fingerprint,
        "read_back": exported.rechecked.to_json(public=True),
        **near_data.described(session),
    }
    if claim.holds:
        promised = f"{rounded_up(claim.epsilon)}, {rounded_up(claim.delta)}"
        about = for_neighbours(claim.terms.neighbours)
        verdict = f"The file is ({promised})-differentially private{about}, if what you assert is so."
    elif given is not None:
        verdict = f"{given_sentence(given)} {given_words(claim.terms.looked)} Why not more:"
    else:
        verdict = "No (ε, δ) claim is made for the file:"
    lines = [
        f"{outcome.rows_out:,} rows in {outcome.classes_out:,} groups were written to {targets.path}, read back and "
        "counted again.",
        *signature_outdated(exported),
        "Labels: " + ", ".join(f"{count:,} of {name}" for name, count in labels.items()) + ".",
        verdict,
        *bullets(claim.reasons),
    ]
    lines += [*trim_output.in_words(session, result), *level_options.in_words(session, result)]
    if claim.asserted:
        lines += ["You assert:", *(f"  - {sentence}" for sentence in claim.asserted)]
    lines += _if_chosen(session, result, claim)
    if result.spent:
        known = claim.known if claim.holds and claim.together is None else KnownNumber.NONE
        counted = f"({rounded_up(claim.epsilon)}, {rounded_up(claim.delta)})"
        lines.append(
            f"{result.spent} It counts as {counted}: the number of {known.value} is known." if known else result.spent
        )
    public = [caution for caution in claim.cautions if not caution.private]
    if public:
        lines += ["Note:", *bullets(public)]
    return with_unread(CommandOutput(data, tuple(lines)), session)


def _after(after: AfterDraw) -> dict[str, Any]:
    """The changes made after the draw, where there were any."""
    return {"left_out_after": list(after.left_out), "one_level": after.one_level} if after else {}


def _counted(claim: Claim) -> dict[str, Any]:
    """The promise where other releases are counted with this one; how many they are, 0 where they are not."""
    promised = {"epsilon": claim.epsilon, "delta": claim.delta}
    if claim.together is None:
        return {"counted": 0, **(promised if claim.known and claim.holds else {})}
    epsilon, delta = claim.own
    return {"counted": claim.together.releases, **promised, "own_draw": {"epsilon": epsilon, "delta": delta}}


def _if_chosen(session: Session, result: Result, claim: Claim) -> list[str]:
    """The remark on a release that follows from others, where it claims its own (ε, δ) alone."""
    if not claim.holds or claim.together is not None:
        return []
    found = session.release.sum_of_all(result)
    if not isinstance(found, ClaimedSum):
        return []
    promised = f"({rounded_up(found.exact_epsilon)}, {rounded_up(found.exact_delta)})"
    return [
        f"If you publish it, or chose its settings, because of what earlier releases showed, {promised} is what can be "
        "claimed: use --chosen."
    ]


def _labels(released: Table, name: str) -> int:
    """How many different labels of a column were released."""
    return int((released[name].counts > 0).sum())
