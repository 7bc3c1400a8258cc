"""The output of `anonymise` and `run` for a trimmed release. All of it is public."""

from __future__ import annotations

from typing import Any

from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import ANY
from workbench.core.number_text import estimate, parts_up
from workbench.core.rationals import float_above
from workbench.session import Session
from workbench.session.release.result import Result


def described(session: Session, result: Result) -> dict[str, Any]:
    """Entries of an answer: the mechanism and, of a trimmed release, its steps and how it is written."""
    outcome, promised = result.outcome, result.claim.guarantee.trimmed
    if promised is None or not isinstance(outcome, TrimOutcome):
        kept = list(session.release.sampled_because_of)
        return {"mechanism": result.claim.guarantee.mechanism.value, **({"sampled_because_of": kept} if kept else {})}
    told = _told(result)
    degrees = result.claim.terms.degrees
    recipe = outcome.recipe
    return {
        "mechanism": recipe.mechanism.value,
        "groups_out": outcome.classes_out,
        "floor": recipe.floor,
        "steps": [
            {
                "levels": told[place],
                **({"degree": degrees[place]} if degrees else {}),
                "epsilon": float_above(step.epsilon),
                "delta": float_above(step.delta),
                "mean_lost": law.mean_lost,
                "half_survive": law.half_survive + recipe.floor - 1,
                "always_survive": law.always_survive + recipe.floor - 1,
                "rows_out": rows,
            }
            for place, (step, law, rows) in enumerate(
                zip(recipe.steps, promised.laws, outcome.rows_of_steps, strict=True)
            )
        ],
        "step_column": recipe.step_column or None,
        "count_column": recipe.count_column or None,
    }


def in_words(session: Session, result: Result) -> list[str]:
    """The same as lines of text."""
    outcome, promised = result.outcome, result.claim.guarantee.trimmed
    if promised is None or not isinstance(outcome, TrimOutcome):
        kept = session.release.sampled_because_of
        if not kept:
            return []
        named = ", ".join(f"“{name}”" for name in kept)
        return [
            f"Rows were sampled, because {named} is kept without being grouped, and trimming releases groups alone."
        ]
    said = [f"Groups were trimmed. {survival(promised)}"]
    told, degrees = _told(result), result.claim.terms.degrees
    steps = outcome.recipe.steps
    epsilons = parts_up([step.epsilon for step in steps], promised.epsilon)
    deltas = parts_up([step.delta for step in steps], promised.delta)
    for place, (levels, rows) in enumerate(zip(told, outcome.rows_of_steps, strict=True)):
        named = f" ({degrees[place]})" if degrees else ""
        words = ", ".join(f"{name} {levels.get(name, ANY)}" for name in outcome.recipe.levels)
        spent = f"ε = {epsilons[place]}, δ = {deltas[place]}"
        of = f"Step {place + 1} of {len(told)}{named}" if len(told) > 1 else "Levels"
        said.append(f"{of}: {words}; {spent}; {rows:,} rows released.")
    return said


def survival(promised: TrimGuarantee) -> str:
    """How many rows a group gives up and needs."""
    of_step = " of the finest step" if len(promised.shares) > 1 else ""
    return f"A group{of_step} gives up {estimate(promised.mean_lost)} rows on average. {promised.survival}"


def _told(result: Result) -> list[dict[str, int]]:
    """The levels of each step without those of columns that became `*`: these tell heights, which may be data."""
    untold = {name for name, words in result.claim.told_without.items() if words == ANY}
    return [
        {name: level for name, level in levels.items() if name not in untold} for levels in result.outcome.recipe.chain
    ]
