"""From which ε on the way to take errs little enough, in a sentence beside the verdict."""

from __future__ import annotations

import math

from workbench.core.number_text import estimate, margin_up
from workbench.evaluate.enough import Enough, enough, error_limit, surely_enough
from workbench.evaluate.findings import Findings
from workbench.evaluate.tile import Verdict
from workbench.evaluate.verdict import tile_at, told_error


def enough_sentence(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """The least ε that was run from which on the recommended way is good enough, or that none is; "" if not known.

    Nothing is interpolated, as between two ε nothing was simulated. Where it is what sampling adds, which depends on
    the values, also from which ε on it is below that of each shape.

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
        return error and f"{name} is not {word}enough even at {estimate(largest)}, the largest ε run: {error}."
    return f"Of the ε run, {name} is enough from {margin_up(mine.epsilon, 3)}{_surely(mine, said, findings, most)}."


def enough_beside(said: Verdict, findings: Findings, most: float | None = None) -> str:
    """The same to follow which way to take in the caption of a figure, with what is enough; "" if not known.

    About the line that is drawn: from where on it is enough on each of several shapes is among the details.
    """
    mine, limit = None if said.waits else _of(said, enough(findings, most)), error_limit(findings, most)
    if mine is None:
        return ""
    sampling = f"below sampling, {'about' if limit.own else 'at most'} {limit.words}"
    less = f"enough ({f'less than {limit.words}' if limit.typed else sampling})"
    if mine.epsilon is None:
        return f"{less} at no ε"
    return f"{less} from ε = {margin_up(mine.epsilon, 3)}"


def _surely(mine: Enough, said: Verdict, findings: Findings, most: float | None) -> str:
    """From which ε on it is enough on each of several shapes, after a comma; "" where that is the same or not asked."""
    sure = _of(said, surely_enough(findings, most))
    if sure is None or sure == mine:
        return ""
    return f", on each shape tried {'at none' if sure.epsilon is None else f'from {margin_up(sure.epsilon, 3)}'}"


def _of(said: Verdict, ways: tuple[Enough, ...]) -> Enough | None:
    return next((one for one in ways if one.approach is said.recommended), None)
