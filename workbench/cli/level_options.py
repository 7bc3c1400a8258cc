"""Options for the levels of an (ε, δ) release: --level, --degree or --search dp."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.anonymise.dp_search import Degree, PrivateSearch
from workbench.anonymise.level_scores import Score
from workbench.cli import trim_options
from workbench.cli.command_output import assignments, whole
from workbench.cli.privacy_options import amount
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.private_draw import Draw
from workbench.project.anonymise_settings import LevelChoice
from workbench.project.model import LevelsBy
from workbench.session import Session
from workbench.session.release.result import Result

PRIVATE = "dp"
"""The value of --search for levels that are drawn privately."""


def add(parser: argparse.ArgumentParser) -> None:
    """The options of the parser."""
    group = parser.add_argument_group(
        "levels of an (ε, δ) release", "instead of --level; --min-level and --max-level limit them"
    )
    flags.declare(group, LevelChoice, ("degree",))
    group.add_argument(
        "--search-epsilon",
        type=amount,
        metavar="E",
        help="with --search dp: ε of drawing the levels privately, which is added to --epsilon",
    )
    group.add_argument(
        "--draw", choices=[draw.value for draw in Draw], help=f"with --search dp (default: {Draw.PERMUTE_AND_FLIP})"
    )
    group.add_argument(
        "--score",
        choices=[score.value for score in Score if score is not Score.TRIMMED],
        help=f"with --search dp: what levels are judged by (default: {Score.KEPT_DETAIL})",
    )


def refuse_with_models(options: argparse.Namespace) -> None:
    """Say that options of an (ε, δ) release do not go with --model."""
    given = [flag for flag in ("degree", "search_epsilon", "draw", "score") if getattr(options, flag) is not None]
    if options.search == PRIVATE or given:
        flag = "--search dp" if options.search == PRIVATE else f"--{given[0].replace('_', '-')}"
        raise WorkbenchError(
            f"{flag} belongs to (ε, δ) releases, not to --model.",
            hint="Leave out --model, or search with --search optimal or fast.",
            field="model",
        )


def carry_over(session: Session, options: argparse.Namespace) -> None:
    """Carry the options over to the session.

    Raises
    ------
    WorkbenchError
        If they contradict themselves, or one is missing.
    """
    searched = options.search == PRIVATE
    if options.search in ("optimal", "fast"):
        raise WorkbenchError(
            f"--search {options.search} looks at every row, so its levels cannot carry an (ε, δ) claim.",
            hint="Use --search dp with --search-epsilon, or give --level or --degree.",
            field="search",
        )
    if searched and options.search_epsilon is None:
        raise WorkbenchError(
            "--search-epsilon is missing: what drawing the levels privately may cost.",
            hint="Give for instance --search-epsilon 0.2; it is added to --epsilon.",
            field="search_epsilon",
        )
    for flag in ("search_epsilon", "draw", "score"):
        if getattr(options, flag) is not None and not searched:
            raise WorkbenchError(
                f"--{flag.replace('_', '-')} says nothing without --search dp.", hint="Add --search dp.", field=flag
            )
    if searched and options.degree is not None:
        raise WorkbenchError(
            "--degree and --search dp both decide about the levels.", hint="Leave one out.", field="degree"
        )
    chosen = "--search dp" if searched else "--degree" if options.degree is not None else ""
    if chosen and options.level:
        raise WorkbenchError(
            f"--level and {chosen} both decide about the levels.",
            hint="Use --min-level and --max-level to keep a column within levels.",
            field="level",
        )
    _limit(session, options, chosen or ("--steps" if trim_options.by_degrees(options) else ""))
    if searched:
        draw, score = options.draw or Draw.PERMUTE_AND_FLIP, options.score or Score.KEPT_DETAIL
        session.release.columns.set_search(PrivateSearch(options.search_epsilon, Draw(draw), Score(score)))
        session.release.columns.set_levels_by(LevelsBy.SEARCH)
    elif options.degree is not None:
        session.release.columns.set_degree(Degree(options.degree))
        session.release.columns.set_levels_by(LevelsBy.DEGREE)


def _limit(session: Session, options: argparse.Namespace, chosen: str) -> None:
    limits: dict[str, tuple[int, int]] = {}
    for flag, pairs, side in (("--min-level", options.min_level, 0), ("--max-level", options.max_level, 1)):
        if pairs and not chosen:
            raise WorkbenchError(
                f"{flag} says nothing where every level is given.",
                hint="Add --degree, --steps or --search dp.",
                field="level",
            )
        for name, text in assignments(pairs, session.data.reading.table.names, flag):
            if name not in session.project.hierarchies:
                raise WorkbenchError(f"Column “{name}” has no hierarchy, so {flag} says nothing.", field=name)
            bounds = list(limits.get(name, (0, session.project.hierarchies[name].height)))
            bounds[side] = whole(text, name)
            limits[name] = (bounds[0], bounds[1])
    for name, (low, high) in limits.items():
        session.release.columns.limit_levels(name, (low, high))


def told_levels(result: Result) -> dict[str, int]:
    """The levels without those of columns that became `*`: these tell heights of hierarchies, which may be data."""
    told = result.claim.told_without
    return {name: level for name, level in result.outcome.recipe.levels.items() if told.get(name) != ANY}


def described(session: Session, result: Result) -> dict[str, Any]:
    """How the levels came about, as entries of an answer. All of it is public."""
    if result.drawn is not None:
        choice, promised = result.drawn.choice, result.claim.guarantee
        return {
            "release_epsilon": promised.release.epsilon,
            "search": {
                "epsilon": choice.search.epsilon,
                "draw": choice.search.draw.value,
                "score": choice.search.score.value,
                "nodes": choice.nodes,
            },
        }
    degree = result.claim.terms.degree
    return {"degree": degree} if degree else {}


def in_words(session: Session, result: Result) -> list[str]:
    """The same as lines of text."""
    told = told_levels(result)
    levels = ", ".join(f"{name} {told.get(name, ANY)}" for name in result.outcome.recipe.levels)
    if result.drawn is not None:
        drawn = f"drawn privately among {result.drawn.choice.nodes:,} combinations"
        return [f"Levels: {levels}; {drawn}.", f"{result.claim.guarantee.split}."]
    degree = result.claim.terms.degree
    return [f"Levels: {levels}; from the degree {degree}."] if degree else []
