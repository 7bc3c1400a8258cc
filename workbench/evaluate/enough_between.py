"""Between two places that were run: from about which one on a mean error is below a limit, as it is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.chance import chance_of
from workbench.evaluate.between import bends, place_between
from workbench.evaluate.experiment import Basis
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.tile import Tile
from workbench.evaluate.verdict import errors_by_shape, tile_at
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTO

_NEARLY = 0.7
"""How nearly an error must fall as 1/ε to be that of noise alone.

Of bounds found first, in a long tail, it is 0.76 to 0.82, and the curve between two ε is off by 1 % of the error.
"""


def about_from(
    findings: Findings,
    approach: Approach,
    ends: tuple[float, float],
    line: float | Mapping[Basis, float],
    chance: int = 0,
) -> float | None:
    """From about which ε on a way errs less than a line that it reaches between two neighbouring ε that were run.

    It is where the curve that is drawn, and that tiles are read from, crosses the line: see `error_between`. None where
    nobody can say, of any way: the error jumps or stands still at either end, or it falls so slowly that something else
    than noise is in it. Of an answer that is not one with noise added, as of a table whose groups give up rows, no law
    is known: there it is not before an error would cross that falls as it did up to the smaller ε, and nobody can say
    where its setting changes.

    Parameters
    ----------
    ends
        Two neighbouring places of the axis; at the larger one the error is below the line.
    line
        In the unit of the errors of the findings; where it is another one for each shape, of these alone.
    chance
        1 if chance of the tries is added to both errors, −1 if it is taken from them; 0 for the means.

    Notes
    -----
    An error that falls faster and faster, where both axes are logarithmic, lies above the straight line between two
    places, but not above the line through the two before, continued; one that falls slower and slower lies below the
    straight one. So the later of both crossings is not too early. Where the setting changes the error may stand still
    first. Shares of eight values, of 300 to 30,000 people, were tried at ε closer together: with Anonymised the error
    was at most 14 % above the line there, and in 81 of 85 cases at most 3 %.
    """
    small, large = (tile_at(findings, approach, place) for place in ends)
    if not (_smooth(small) and _smooth(large)):
        return None
    noise = bends(findings.experiment, approach)
    if isinstance(line, float) and not chance and noise:
        return _crossing(ends, (small.error, large.error), line)
    before, after = (
        {one.shape: one for one in errors_on(findings, tile, place)}
        for tile, place in zip((small, large), ends, strict=True)
    )
    if before.keys() != after.keys():
        return None
    found = []
    for shape, one in before.items():
        other = after[shape]
        if isinstance(line, float):
            limit = line
        elif shape is None or not line.keys() & before.keys():
            limit = min(line.values())
        elif shape in line:
            limit = line[shape]
        else:
            continue
        fell = None if noise else _fall_before(findings, approach, ends, shape, one.error)
        moved = (chance * one.chance, chance * other.chance) if chance else (0.0, 0.0)
        found.append(_crossing(ends, (one.error, other.error), limit, moved, fell))
    return None if None in found or not found else max(one for one in found if one is not None)


def _fall_before(
    findings: Findings, approach: Approach, ends: tuple[float, float], shape: Basis | None, error: float
) -> float:
    """By which power of ε an error fell up to the smaller of two places; nan unless one setting is read at all."""
    before = max((one for one in findings.experiment.places if one < ends[0]), default=None)
    if before is None:
        return math.nan
    first, small, large = (tile_at(findings, approach, place) for place in (before, *ends))
    if not first.setting == small.setting == large.setting:
        return math.nan
    there = next((one.error for one in errors_on(findings, first, before) if one.shape is shape), math.nan)
    if not (there > 0 and error > 0):
        return math.nan
    return max(math.log(there / error) / math.log(ends[0] / before), 0.0)


def _crossing(
    ends: tuple[float, float],
    errors: tuple[float, float],
    line: float,
    moved: tuple[float, float] = (0.0, 0.0),
    fell: float | None = None,
) -> float | None:
    """Where an error is below the line, either end of which chance may have moved so far.

    Parameters
    ----------
    fell
        By which power of ε it fell before; nan if nobody knows, None of an answer with noise added.
    """
    (low, high), (one, two) = ends, errors
    falls = one * low >= _NEARLY * two * high
    one, two = one + moved[0], two + moved[1]
    if not (0 < two < line and math.isfinite(one)):
        return None
    if one < line:
        return low  # below it at both ends, however it falls between them
    if not falls:
        return None
    crossed = place_between(ends, (one, two), line, bent=fell is None)
    if fell is None:
        return crossed
    on = low * (one / line) ** (1 / fell) if fell > 0 else math.inf
    return max(crossed, on) if on < high else None  # nor where nobody knows how it fell


def _smooth(tile: Tile) -> bool:
    """Whether there is an error, and between two ε it changes little by little."""
    if not tile.known or tile.setting is None or tile.setting.epsilon is not None:
        return False  # what stands with what it does at a smaller ε changes in steps
    text = str(tile.setting.checked().get("protocol", AUTO)).strip()
    return text == AUTO or not ProtocolChoice.parse(text).protocol.jumps


@dataclass(frozen=True)
class ErrorOn:
    """Mean error of a way on a shape, how far chance may have moved it, and whether a formula says it.

    Parameters
    ----------
    shape
        None of true values.
    spread, tries
        Standard error, and of how many tries.
    """

    shape: Basis | None
    error: float
    spread: float
    tries: int
    by_formula: bool

    @property
    def chance(self) -> float:
        return chance_told(self.spread, self.tries, by_formula=self.by_formula)


def errors_on(findings: Findings, tile: Tile, place: float) -> list[ErrorOn]:
    """The error of a way at a place on each shape, first on that on which it came out worst.

    One of no shape where it is known of the worst alone.
    """
    several, found = findings.experiment.shapes, errors_by_shape(findings, tile, place)
    shapes = (tile.shape, *(one for one in several if one is not tile.shape)) if len(found) >= len(several) else (None,)
    return [
        ErrorOn(shape, error, spread, tries, tile.by_formula and not number)
        for number, (shape, (error, spread, tries)) in enumerate(zip(shapes, found, strict=False))
    ]


def chance_told(spread: float, tries: int, *, by_formula: bool = False) -> float:
    """How far chance may have moved an error of this standard error from so many tries; infinite where nobody knows.

    That is of one try, or of several about the same people, which say nothing of others.
    """
    if not by_formula and (tries == 1 or math.isnan(spread)):
        return math.inf
    return chance_of(tries) * spread if spread > 0 else 0.0
