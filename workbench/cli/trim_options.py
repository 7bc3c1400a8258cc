"""Options of a trimmed release: the mechanism, its levels in steps, their shares, and how counts are written."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from workbench.anonymise.balanced import Importance
from workbench.anonymise.dp_search import Degree
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.cli.command_output import whole
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.project.trim_settings import COUNT_COLUMN, StepsBy, TrimSettings
from workbench.session import Session

ONE = "one"
"""The value of --steps for a release in a single step."""

BALANCED = StepsBy.BALANCED.value
"""The value of --steps for steps that coarsen the column with most labels left; with =N for a number of steps."""

_IMPORTANCE = {
    "--keep-longest": "becomes * after the others",
    "--give-up-first": "becomes * before the others",
}
_SETTINGS = ("floor", "shares", "step_column", "count_column", "expected_rows")


_NAMED = tuple(flag.removeprefix("--") for flag in _IMPORTANCE)


def add(parser: argparse.ArgumentParser) -> None:
    """The options of the parser."""
    group = parser.add_argument_group(
        "trimming",
        "how a release is made unless --mechanism or an option of sampling says otherwise; where --epsilon or --delta "
        "is not given, ε = 1 and δ = 1e-5 are meant; δ should be at most 1 divided by a hundred times the number of "
        "people, and 1e-5 is so for up to 1,000",
    )
    group.add_argument(
        "--mechanism",
        choices=[one.value for one in ReleaseMechanism],
        help="trim: every group gives up a random number of rows; sample: rows are sampled with β and groups of fewer "
        "than k dropped (default: trim; --beta, --accounting classical and --keep imply sample)",
    )
    group.add_argument(
        "--steps",
        metavar="DEGREE,…",
        help="release in steps, each at levels by a degree, the finest first; what one gives up the next takes in "
        f"(default: {','.join(TrimSettings().degrees)}; {ONE}: a single step; {BALANCED} or {BALANCED}=N: N steps "
        f"that coarsen the column with most labels left, as the window does). Degrees: {', '.join(Degree)}",
    )
    for flag, words in _IMPORTANCE.items():
        group.add_argument(
            flag,
            action="append",
            default=[],
            metavar="COL",
            help=f"with --steps {BALANCED}: a column that {words}; once per column, and chosen without looking at "
            "the data",
        )
    group.add_argument(
        "--step",
        action="append",
        default=[],
        metavar="COL=N,…",
        help="levels of one step, once per step, the finest first; columns without an entry stay where they were",
    )
    group.add_argument(
        "--occurs",
        action="append",
        default=[],
        metavar="COL=WHAT,…",
        help="which values, beginnings or ranges of a column can occur, such as postcode=0,12 or born=1950-2005: "
        "public or a guess, never read from the table; once per column. Fewer possible groups are expected then, and "
        f"{BALANCED} steps stay finer",
    )
    flags.declare(group, TrimSettings, _SETTINGS, changes={"count_column": {"nargs": "?", "const": COUNT_COLUMN}})
    group.add_argument(
        "--plan",
        action="store_true",
        help="say what to expect, from public facts alone: no row is looked at, nothing is spent or written",
    )


def carry_over(session: Session, options: argparse.Namespace) -> None:
    """Carry the mechanism and the steps over to the session.

    Raises
    ------
    WorkbenchError
        If the options contradict themselves.
    """
    mechanism = _mechanism(options)
    session.release.set_mechanism(mechanism)
    if mechanism is ReleaseMechanism.SAMPLE or session.release.mechanism is ReleaseMechanism.SAMPLE:
        return
    settings = TrimSettings(**flags.given(TrimSettings, options))
    session.release.set_trimming(settings)
    for text in options.occurs:
        name, _, words = text.partition("=")
        session.release.steps.set_said(name, words)
    session.release.set_trimming(_with_steps(session, options, session.project.anonymise.trim))


def _mechanism(options: argparse.Namespace) -> ReleaseMechanism | None:
    """The mechanism that was typed or follows from what was; None where a column decides."""
    sampling = ["--beta"] if options.beta is not None else []
    sampling += ["--accounting classical"] if options.accounting != "exact" else []
    trimming = of_trimming(options)
    if options.mechanism == ReleaseMechanism.TRIM:
        for flag in sampling:
            raise WorkbenchError(
                f"{flag} is about sampling, and --mechanism trim samples no rows.",
                hint=f"Leave {flag} out, or give --mechanism sample.",
                field="mechanism",
            )
        for name in options.keep:
            raise WorkbenchError(
                f"--keep {name}: trimming releases nothing but counts of groups, so no column can be kept beside them.",
                hint=f"Give --group {name} to let it take part in the grouping, leave it out, or give --mechanism "
                "sample.",
                field="mechanism",
            )
        return ReleaseMechanism.TRIM
    implied = [*sampling, *(f"--keep {name}" for name in options.keep)]
    if options.mechanism == ReleaseMechanism.SAMPLE:
        implied.insert(0, "--mechanism sample")
    if implied and trimming:
        raise WorkbenchError(
            f"{trimming[0]} is about trimming, and {implied[0]} means sampling.",
            hint=f"Leave one of the two out{', or let the column take part with --group' * bool(options.keep)}.",
            field="mechanism",
        )
    if sampling or options.mechanism == ReleaseMechanism.SAMPLE:
        return ReleaseMechanism.SAMPLE
    return None


def means_trimming(options: argparse.Namespace) -> bool:
    """Whether groups are trimmed, as far as the options say; where they contradict themselves, they are refused."""
    sampling = options.beta is not None or options.accounting != "exact" or bool(options.keep)
    return options.mechanism == ReleaseMechanism.TRIM or (options.mechanism is None and not sampling)


def by_degrees(options: argparse.Namespace) -> bool:
    """Whether the steps follow from degrees, as far as the options say."""
    return means_trimming(options) and not options.level and not options.step and options.steps != ONE


def of_trimming(options: argparse.Namespace) -> list[str]:
    """The flags that were typed and are about trimming alone."""
    usual = TrimSettings()
    found = [flag for flag in ("steps", "step", "plan", "occurs", *_NAMED) if getattr(options, flag.replace("-", "_"))]
    given = flags.given(TrimSettings, options)
    changed = [name for name in _SETTINGS if given.get(name, getattr(usual, name)) != getattr(usual, name)]
    named = {"count_column": "as-counts", "expected_rows": "expect"}
    return [f"--{flag}" for flag in found] + [f"--{named.get(name, name).replace('_', '-')}" for name in changed]


def _with_steps(session: Session, options: argparse.Namespace, settings: TrimSettings) -> TrimSettings:
    """The settings with the steps that were typed, or those that a newcomer has."""
    searched = session.release.columns.private_search is not None
    said = {
        "--level": bool(options.level),
        "--degree": options.degree is not None,
        "--steps": options.steps is not None and options.steps != ONE,
        "--step": bool(options.step),
    }
    chosen = [flag for flag, typed in said.items() if typed]
    if len(chosen) > 1:
        raise WorkbenchError(
            f"{chosen[0]} and {chosen[1]} both decide about the levels.", hint="Leave one of them out.", field="steps"
        )
    if options.steps == ONE and options.step:
        raise WorkbenchError(
            f"--steps {ONE} and --step contradict each other.", hint="Leave one of them out.", field="steps"
        )
    if said["--steps"] and options.steps.partition("=")[0] == BALANCED:
        return _balanced(session, options, settings)
    for name in _NAMED:
        if getattr(options, name.replace("-", "_")):
            raise WorkbenchError(
                f"--{name} is about balanced steps, and these were not asked for.",
                hint=f"Add --steps {BALANCED}, or leave --{name} out.",
                field="steps",
            )
    if options.step:
        vectors = tuple(MappingProxyType(_vector(session, text)) for text in options.step)
        return replace(settings, steps=StepsBy.TYPED, vectors=vectors)
    if said["--steps"]:
        return replace(settings, steps=StepsBy.DEGREES, degrees=_degrees(options.steps))
    if chosen or options.steps == ONE or searched or not _all_public(session):
        return replace(settings, steps=StepsBy.ONE)
    return settings


def _balanced(session: Session, options: argparse.Namespace, settings: TrimSettings) -> TrimSettings:
    """The settings with balanced steps, and the columns that these keep longest or give up first."""
    _, given, number = options.steps.partition("=")
    steps = whole(number, "steps") if given else settings.balanced_steps
    importance: dict[str, Importance] = {}
    for columns, wanted in ((options.keep_longest, Importance.KEEP), (options.give_up_first, Importance.GIVE_UP)):
        for name in columns:
            if name not in session.project.schema.names:
                raise WorkbenchError(
                    f"There is no column “{name}”.",
                    hint=f"The columns are: {', '.join(session.project.schema.names)}.",
                    field="steps",
                )
            if importance.setdefault(name, wanted) is not wanted:
                raise WorkbenchError(
                    f"“{name}” cannot be kept longest and given up first.", hint="Leave one of them out.", field="steps"
                )
    return replace(settings, steps=StepsBy.BALANCED, balanced_steps=steps, importance=MappingProxyType(importance))


def _all_public(session: Session) -> bool:
    """Whether degrees say nothing of the data: every hierarchy is public, or releases nothing but `*`."""
    columns = session.release.columns
    return all(
        hierarchy.provenance is Provenance.PUBLIC or columns.is_suppressed(name)
        for name, hierarchy in columns.quasi_identifiers().items()
    )


def _degrees(text: str) -> tuple[Degree, ...]:
    names = [part.strip() for part in text.split(",")]
    for name in names:
        if name not in list(Degree):
            raise WorkbenchError(
                f"“{name}” is no degree.",
                hint=f"Degrees: {', '.join(Degree)}; or --steps {ONE} for a single step.",
                field="steps",
            )
    found = tuple(Degree(name) for name in names)
    for before, after in pairwise(found):
        if after.share <= before.share:
            raise WorkbenchError(
                f"The degree {after} does not come after {before}: every step is coarser than the one before.",
                hint="Write the lowest degree first.",
                field="steps",
            )
    return found


def _vector(session: Session, text: str) -> dict[str, int]:
    """The levels of one step; a name may itself hold a comma or an equals sign, so the longest known name wins."""
    names = sorted(session.data.reading.table.names, key=len, reverse=True)
    found: dict[str, int] = {}
    rest = text
    while rest:
        name = next((name for name in names if rest.startswith(f"{name}=")), None)
        if name is None:
            raise _no_levels(text, session.data.reading.table.names)
        number, _, rest = rest.removeprefix(f"{name}=").partition(",")
        if name in found:
            raise WorkbenchError(f"--step {text} has two levels for “{name}”.", hint="Leave one out.", field="steps")
        found[name] = whole(number, name)
    if not found:
        raise _no_levels(text, session.data.reading.table.names)
    return found


def _no_levels(text: str, names: Sequence[str]) -> WorkbenchError:
    return WorkbenchError(
        f"--step {text} names no column where one is needed.",
        hint=f"Write --step COLUMN=LEVEL,COLUMN=LEVEL. The columns are: {', '.join(names)}.",
        field="steps",
    )
