"""Words on what the errors of all tiles rest on, and on what sampling adds to them."""

from __future__ import annotations

import math

from workbench.core.chance import chance_of
from workbench.evaluate.enough import sampling_bound
from workbench.evaluate.experiment import Axis, Basis, Truth
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.evaluate.findings import Findings, fewest
from workbench.evaluate.public_shape import TAIL
from workbench.evaluate.question import MISPLACED_SHORT
from workbench.evaluate.tile import Tile, Verdict

WITH_SAMPLING = "with sampling error"


def basis_words(findings: Findings, said: Verdict | None = None) -> str:
    """Basis of the errors of all tiles: means, of how many people, on what; of a verdict also whose are by formula."""
    experiment = findings.experiment
    people = "" if experiment.axis is Axis.USERS else f" · {experiment.users or findings.rows:,} {findings.counted}"
    on = "the true values"
    if experiment.basis.public:
        on = experiment.worst_of if len(experiment.shapes) > 1 else experiment.shape_words
    known = [one.approach.value.capitalize() for one in said.tiles if one.by_formula] if said is not None else []
    formula = f" ({' and '.join(known)}: by formula)" if known else ""
    # What the word means stands where it is read.
    wrong = f" · {MISPLACED_SHORT}" if experiment.metric.shown_times != 1.0 else ""
    drawn = f" {WITH_SAMPLING}" if experiment.truth is Truth.POPULATION else ""
    return f"Mean error{drawn} of {experiment.repetitions:,} tries{formula}{people} · {on}{wrong}"


def basis_means(findings: Findings) -> str:
    """Reason for which a shape is not among those tried, or what is meant by the one; "" where all are."""
    experiment = findings.experiment
    if experiment.most_words:
        return next((one.removesuffix(".") for one in findings.notes if one.startswith(TAIL)), "")
    if len(experiment.shapes) < 2 or Basis.TAIL in experiment.shapes:
        return ""
    return "A long tail is tried for means, sums and quantiles alone"


def sampling_words(findings: Findings, said: Verdict | None = None) -> str:
    """Words on what sampling adds where the answer is to hold of more people than are asked; "" without a bound.

    Also where it is in every error, as `basis_words` say. Of a verdict also which ways it may make alike: those that
    err more than the best by less than that.
    """
    bound = sampling_bound(findings)
    if not bound.known or bound.within:
        return ""
    known = [one for one in said.tiles if math.isfinite(one.error)] if said is not None else []
    best = min(known, key=lambda one: one.error, default=None)
    # Less than it adds to every shape, where several are tried: else which one has these values is not known.
    less = bound.least if math.isfinite(bound.least) else bound.most
    near = [one for one in known if best is not None and one is not best and _differ_by(one, best) < less / bound.times]
    sentence = bound.widely if bound.on else bound.sentence  # what it adds to each shape stands above
    if best is None or not near:
        return sentence
    # In the order of the tiles, whichever of them chance put ahead.
    names = " and ".join(one.approach.value.capitalize() for one in known if one is best or one in near)
    names = "all three" if len(near) > 1 else names
    return f"{sentence}; {names} differ by less{' on every shape tried' if math.isfinite(bound.least) else ''}"


def _differ_by(tile: Tile, best: Tile) -> float:
    """How much more a way errs at most, for all that chance explains."""
    spreads = (0.0 if math.isnan(one.spread) else one.spread for one in (tile, best))
    return tile.error - best.error + chance_of(fewest(tile.means, best.means)) * math.hypot(*spreads)


def assumed_words(findings: Findings) -> str:
    """For how many people errors are, where nobody said another number than the one that stands there at first.

    To follow a place; "" where it was said, or is that of the rows.
    """
    experiment = findings.experiment
    if not experiment.basis.public or experiment.axis is Axis.USERS or experiment.users != USUAL_PEOPLE:
        return ""
    return f" for {experiment.users:,} {findings.counted} (assumed)"
