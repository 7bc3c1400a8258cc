"""Nodes, models and changes in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.anonymise.outcome import SearchResult
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recode import LocalRecoding
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, exact, percent
from workbench.session import AllowLevel, AllowSuppression, Change, RaiseLevel, WeakenModel, in_words

_PERCENT = 100


def levels_in_words(levels: Mapping[str, int]) -> str:
    """Such as “age 2 · city 1”."""
    return " · ".join(f"{name} {level}" for name, level in levels.items())


def models_in_words(models: Sequence[ModelChoice]) -> str:
    """The models with their parameters, joined."""
    words = []
    for choice in models:
        try:
            words.append(in_words(choice))
        except WorkbenchError:
            words.append(choice.identifier)  # Not installed, or a parameter is missing.
    return ", ".join(words)


def found_in_words(found: SearchResult) -> str:
    """How good what a search found is, and how sure that is."""
    loss = estimate(found.score)
    if found.optimal:
        return f"Best of all {found.nodes:,} combinations. Loss {loss}."
    words = "Best found. Loss {loss}; another combination could lose at most {gap} less."
    return words.format(gap=estimate(found.gap), loss=loss)


def effort_in_words(found: SearchResult) -> str:
    """What the search took."""
    words = f"{found.nodes_checked:,} of {found.nodes:,} combinations were counted, in {estimate(found.seconds, 2)} s."
    return f"{words} None of the others can be better." if found.optimal else words


def passes_in_words(local: LocalRecoding) -> str:
    """What local recoding did."""
    passes = len(local.passes)
    words = "The models hold in this table of 1 pass; nothing more could be rescued."
    if passes > 1:
        words = "The models hold in this table of {n} passes: {rows} rows rescued, loss {before} → {after}."
    return words.format(
        n=passes, rows=f"{local.rescued:,}", before=estimate(local.loss_before), after=estimate(local.loss_after)
    )


def pass_levels_in_words(local: LocalRecoding) -> str:
    """The levels and rows of each pass, a line each."""
    lines = [
        f"Pass {n}, {one.rows:,} rows: {levels_in_words(one.levels)}" for n, one in enumerate(local.passes, start=1)
    ]
    if not local.complete:
        lines.append("The time was over before all passes were searched to the end.")
    return "\n".join(lines)


def change_in_words(change: Change, models: Sequence[ModelChoice]) -> str:
    """What a change does, as the text of a button and of its undo step."""
    match change:
        case AllowSuppression(limit):
            return f"Suppress up to {percent(limit, 4)} of the rows"
        case RaiseLevel(column, level):
            return f"Generalise {column} to level {level}"
        case AllowLevel(column, level):
            return f"Allow {column} up to level {level}"
        case WeakenModel(position, parameter, value):
            model = models[position].model
            title = next(spec.title for spec in model.params if spec.name == parameter)
            return f"Weaken {model.title} to {title} = {exact(value)}"
