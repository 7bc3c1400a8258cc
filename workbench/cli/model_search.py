"""`workbench anonymise --model …`: the best levels at which privacy models hold."""

from __future__ import annotations

import argparse
import contextlib
import math
import time
from pathlib import Path
from typing import Any

from workbench.anonymise.outcome import SearchResult
from workbench.anonymise.privacy import MODELS, ModelChoice
from workbench.anonymise.recode import LocalRecoding
from workbench.anonymise.search import Effort
from workbench.anonymise.utility import METRICS
from workbench.cli import level_options, near_data
from workbench.cli.command_output import CommandOutput, assignments, whole, with_unread
from workbench.cli.export_options import targets_of
from workbench.cli.files import column_file
from workbench.cli.privacy_options import number
from workbench.cli.refusals import flags_named
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, exact
from workbench.core.progress import Progress
from workbench.core.trust import Origin
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.project.anonymise_settings import QuestionSettings
from workbench.session import Session
from workbench.session.export import Targets, signature_outdated
from workbench.session.saved_project import recode_and_write
from workbench.session.syntactic.question import SyntacticQuestion

NO_CLAIM = (
    "Syntactic models such as k-anonymity give no (ε, δ) claim: which groups and levels are released depends on every "
    "row of the data."
)

NO_CLAIM_LOCAL = (
    "With local recoding even less than that: how a row is written depends on which other rows were left over, so the "
    "levels of every single row come from the data. The theorem behind an (ε, δ) release needs levels that are fixed "
    "beforehand."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Syntactic anonymity instead of an (ε, δ) release."""
    group = parser.add_argument_group("syntactic models", "instead of --epsilon and --delta; they give no (ε, δ) claim")
    group.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="ID=VALUES[:COL]",
        help="a model that must hold, such as k=5 or l-diversity=2:occupation; known: " + MODELS.names(),
    )
    group.add_argument(
        "--search",
        choices=("optimal", "fast", "none", level_options.PRIVATE),
        help="find the levels: sure to be the best, or as good as --time-limit allows; none: use --level "
        "(default: fast, or none where --level is given); dp: draw the levels of an (ε, δ) release privately",
    )
    flags.declare(
        group, QuestionSettings, ("metric", "suppression_limit"), changes={"suppression_limit": {"type": number}}
    )
    for flag, what in (("--min-level", "lowest"), ("--max-level", "highest")):
        group.add_argument(flag, action="append", default=[], metavar="COL=N", help=f"{what} level of a column")
    group.add_argument("--weight", action="append", default=[], metavar="COL=W", help="how much its loss counts")
    group.add_argument(
        "--sensitive-hierarchy",
        type=column_file,
        action="append",
        default=[],
        metavar="COL=FILE.csv",
        help="how alike its values are",
    )
    flags.declare(group, QuestionSettings, ("local_recoding",))
    group.add_argument("--time-limit", type=number, metavar="SECONDS", help="stop the search after so long")


def no_local_claim() -> WorkbenchError:
    """Why local recoding is refused in an (ε, δ) release."""
    return WorkbenchError(
        "--local-recoding cannot be part of an (ε, δ) release: it gives the rows that are left over levels of their "
        "own, and which rows those are depends on the data. The theorem needs levels that are fixed beforehand.",
        hint="Leave out --local-recoding, or give --model instead of --epsilon and --delta.",
        field="local_recoding",
    )


def anonymise(session: Session, options: argparse.Namespace, progress: Progress) -> CommandOutput:
    """Find the best levels, or take the given ones, and write the table without the rows that fail."""
    if options.epsilon is not None or options.delta is not None:
        raise WorkbenchError(
            "--model and --epsilon cannot be combined: the theorem behind an (ε, δ) release does not cover rows that "
            "are suppressed for other reasons.",
            hint="Leave out --model, or --epsilon and --delta.",
            field="model",
        )
    targets: Targets | None = None
    if options.out is not None:
        targets = targets_of(options, options.out)
        with flags_named():
            targets.check(session.ledger.protected)  # before anything of the data is seen
    question = _question(session, options)
    levels = {name: session.project.anonymise.levels[name] for name in session.release.columns.quasi_identifiers()}
    found: SearchResult | None = None
    # Before it is made: how far a search came, and that it fails, tells something too.
    session.syntactic.saw_the_data(lasting=True)
    start = time.perf_counter()
    try:
        if options.search in ("optimal", "fast") or (options.search is None and not options.level):
            found = session.syntactic.searcher(question)(progress.part(0.0, 0.7))
            levels = found.levels
        start = time.perf_counter()
        anonymised = session.syntactic.generaliser(question, levels)(progress.part(0.7, 0.9))
    except WorkbenchError as error:
        # Messages of commands end up in logs, so there the numbers are only where they are asked for.
        if options.analyst and error.analyst:
            raise error.analyst from error
        raise
    seconds = found.seconds if found is not None else time.perf_counter() - start
    warnings: list[str] = []
    if targets is not None:
        with flags_named():
            exported = session.syntactic.write_anonymised(
                question,
                levels,
                anonymised,
                targets.path,
                targets.statement,
                style=targets.style,
                note=targets.note,
                parts=targets.parts,
                force=targets.force,
                progress=progress.part(0.9, 1.0),
            )
        warnings = signature_outdated(exported)
    local = anonymised.local
    data: dict[str, Any] = {
        "levels": levels,
        "score": None if found is None else found.score,
        "nodes": 1 if found is None else found.nodes,
        "nodes_checked": 1 if found is None else found.nodes_checked,
        "optimal": found is not None and found.optimal,
        "gap": 0.0 if found is None else found.gap,
        "seconds": seconds,
        "models": [_model(choice) for choice in question.models],
        "metric": question.metric.identifier,
        "plugins": _plugins(question),
        "rows_out": anonymised.table.rows,
        "claim": False,
        "reasons": _reasons(local),
        "out": None if options.out is None else str(options.out),
        **near_data.described(session),
        "analyst": {"rows_in": session.data.table.rows, "suppressed": anonymised.suppressed, **_passes(local)},
        **_levels_per_pass(local),
    }
    return with_unread(CommandOutput(data, (*_lines(data, found, options.out), *warnings)), session)


def _question(session: Session, options: argparse.Namespace) -> SyntacticQuestion:
    names = session.data.reading.table.names
    quasi = session.release.columns.quasi_identifiers()
    limits = dict(session.syntactic.question().limits)
    for flag, pairs, side in (("--min-level", options.min_level, 0), ("--max-level", options.max_level, 1)):
        for name, text in assignments(pairs, names, flag):
            if name not in quasi:
                raise WorkbenchError(
                    f"Column “{name}” has no hierarchy, so {flag} says nothing.",
                    hint=f"Give it one with --hierarchy {name}=FILE.csv, or leave {flag} out.",
                    field=name,
                )
            bounds = list(limits.get(name, (0, quasi[name].height)))
            bounds[side] = whole(text, name)
            limits[name] = (bounds[0], bounds[1])
    return SyntacticQuestion(
        models=tuple(ModelChoice.parse(text) for text in options.model),
        **flags.given(QuestionSettings, options),
        weights={name: _weight(text, name) for name, text in assignments(options.weight, names, "--weight")},
        limits=limits,
        sensitive_hierarchies={
            name: read_hierarchy(Path(file))
            for name, file in assignments(options.sensitive_hierarchy, names, "--sensitive-hierarchy")
        },
        effort=Effort(seconds=options.time_limit, optimal=options.search == "optimal" and options.time_limit is None),
    )


def _model(choice: ModelChoice) -> str:
    """A model with its numbers, such as `k-anonymity k=5`."""
    return " ".join([choice.identifier, *(f"{name}={value}" for name, value in choice.checked().items())])


def _plugins(question: SyntacticQuestion) -> list[dict[str, Any]]:
    """The models and the measure of loss that are no part of the program."""
    made = [(MODELS, choice.identifier) for choice in question.models] + [(METRICS, question.metric.identifier)]
    return [
        {"kind": registry.kind, "name": name, **registry.origin(name).to_json()}
        for registry, name in made
        if not registry.origin(name).built_in
    ]


def _reasons(local: LocalRecoding | None) -> list[str]:
    return [NO_CLAIM] if local is None else [NO_CLAIM, NO_CLAIM_LOCAL]


def _levels_per_pass(local: LocalRecoding | None) -> dict[str, Any]:
    return {} if local is None else {"levels_per_pass": [dict(one.levels) for one in local.passes]}


def _passes(local: LocalRecoding | None) -> dict[str, Any]:
    """The passes of local recoding, as an entry of what is for the analyst."""
    if local is None:
        return {}
    return {
        "local_recoding": {
            "rows_per_pass": [one.rows for one in local.passes],
            "rescued": local.rescued,
            "loss_before": local.loss_before,
            "loss_after": local.loss_after,
            "complete": local.complete,
        }
    }


def _weight(text: str, name: str) -> float:
    with contextlib.suppress(ValueError):
        if math.isfinite(weight := float(text)):
            return weight
    raise WorkbenchError(
        f"The weight of “{name}” must be a number, not “{text}”.", hint=f"Write --weight {name}=0.5.", field=name
    )


def _lines(data: dict[str, Any], found: SearchResult | None, out: Path | None) -> list[str]:
    levels = ", ".join(f"{name} {level}" for name, level in data["levels"].items())
    lines = [f"Levels: {levels}."]
    if found is not None:
        sure = (
            "no other combination is better"
            if found.optimal
            else f"perhaps not the best; another could lose at most {estimate(found.gap)} less"
        )
        lines.append(
            f"Loss {exact(found.score)} ({sure}); {found.nodes_checked:,} of {found.nodes:,} combinations looked at in "
            f"{estimate(found.seconds)} s."
        )
    lines.append(f"{data['analyst']['suppressed']:,} rows suppressed, {data['rows_out']:,} rows remain.")
    local = data["analyst"].get("local_recoding")
    if local is not None:
        passes = len(local["rows_per_pass"])
        lines.append(
            f"Local recoding: {passes} {'pass' if passes == 1 else 'passes'}, {local['rescued']:,} rows rescued, loss "
            f"{estimate(local['loss_before'], 6)} before and {estimate(local['loss_after'], 6)} after it (share "
            "of the domain)."
        )
        if not local["complete"]:
            lines.append("The time was over before all passes were searched to the end; more might be gained.")
    if out is not None:
        lines.append(f"Written to {out}.")
    for one in data["plugins"]:
        lines.append(
            f"The {one['kind']} “{one['name']}” comes from {Origin.from_json(one).name}, a plug-in: what it says of "
            "the table is not this program's word."
        )
    return [*lines, *data["reasons"]]


def repeat(session: Session, targets: Targets, progress: Progress) -> CommandOutput:
    """Make the table of a saved project again: its models at its levels, on the data that is open."""
    made, exported = recode_and_write(session, targets, progress)
    out = targets.path
    data: dict[str, Any] = {
        "levels": dict(made.levels),
        "score": made.facts.score,
        "models": [_model(choice) for choice in made.question.models],
        "metric": made.question.metric.identifier,
        "plugins": _plugins(made.question),
        "rows_out": made.rows_out,
        "claim": False,
        "reasons": _reasons(made.anonymised.local),
        "out": str(out),
        **near_data.described(session),
        "statement": None if targets.statement is None else str(targets.statement),
        "analyst": {
            "rows_in": made.rows_in,
            "suppressed": made.anonymised.suppressed,
            **_passes(made.anonymised.local),
        },
        **_levels_per_pass(made.anonymised.local),
    }
    return with_unread(CommandOutput(data, (*_lines(data, None, out), *signature_outdated(exported))), session)
