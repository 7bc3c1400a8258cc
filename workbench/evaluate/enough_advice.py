"""From which ε on the way to take errs little enough, in a sentence beside the verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.core.number_text import estimate, margin_up
from workbench.evaluate.enough import Enough, enough, error_limit
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.tile import Verdict
from workbench.evaluate.verdict import PLACES_ALIKE, tile_at, told_error


def enough_sentence(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """The least ε that was run from which on the recommended way is good enough, or that none is; "" if not known.

    Nothing is interpolated, as between two ε nothing was simulated. Where it is what sampling adds, which depends on
    the values, it is enough on each shape that is tried.

    Parameters
    ----------
    most
        The error that is good enough, where somebody typed one; else what sampling adds.
    """
    mine = None if said.waits else _of(said, enough(findings, most))
    if mine is None:
        return ""
    name, largest = mine.approach.value.capitalize(), findings.experiment.places[-1]
    if mine.epsilon is None:
        tile = tile_at(findings, mine.approach, largest)
        error, limit = told_error(tile, findings) if math.isfinite(tile.error) else "", error_limit(findings, most)
        # Of an error below the limit it is chance that leaves it open.
        word = "shown to be " if limit.times * tile.error < limit.most else ""
        shapes = " on each shape tried" if limit.each else ""
        none = f"{name} is not {word}enough"
        if mine.sooner:
            return f"{none} on each shape at {estimate(largest)}, the largest ε run ({mine.sooner})."
        return error and f"{none}{shapes} even at {estimate(largest)}, the largest ε run: {error}."
    sooner = f" ({mine.sooner})" if mine.sooner else ""
    return f"Of the ε run, {name} is enough from {margin_up(mine.epsilon, 3)}{sooner}."


def enough_beside(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """The same for the caption of a figure, with what is enough; "" if not known."""
    mine, limit = None if said.waits else _of(said, enough(findings, most)), error_limit(findings, most)
    if mine is None:
        return ""
    sampling = f"below sampling, {limit.bounded}"
    less = f"enough ({f'less than {limit.words}' if limit.typed else sampling})"
    at = "at no ε" if mine.epsilon is None else f"from ε = {margin_up(mine.epsilon, 3)}"
    return f"{mine.approach.value.capitalize()} is {less} {at}."


def enough_from(approach: Approach, place: float, ways: Sequence[Enough]) -> str:
    """From which ε on a way is good enough that is not at this place, to stand beside it; "" where it is, or unknown.

    Parameters
    ----------
    ways
        What `enough` finds.
    """
    mine = next((one for one in ways if one.approach is approach), None)
    if mine is None or (mine.epsilon is not None and place >= mine.epsilon * (1 - PLACES_ALIKE)):
        return ""
    return "not enough" if mine.epsilon is None else f"enough from ε {margin_up(mine.epsilon, 3)}"


def sooner_words(approach: Approach, ways: Sequence[Enough]) -> str:
    """On which shape a smaller ε is enough than on all, as a sentence to stand beside `enough_from`; "" if on none.

    Parameters
    ----------
    ways
        What `enough` finds.
    """
    mine = next((one for one in ways if one.approach is approach), None)
    return "" if mine is None or not mine.sooner else f"O{mine.sooner[1:]}."


def short_of_enough(approach: Approach, said: Verdict, findings: Findings, most: float | None = None) -> bool:
    """Whether a way is known not to be good enough at the place of a verdict."""
    return not said.waits and bool(enough_from(approach, said.place, enough(findings, most)))


def _of(said: Verdict, ways: tuple[Enough, ...]) -> Enough | None:
    return next((one for one in ways if one.approach is said.recommended), None)
