"""Between two ε that were run: from about which one on the mean error of added noise is below a limit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from workbench.evaluate.findings import Findings, chance_of
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.question import Statistic
from workbench.evaluate.tile import Tile
from workbench.evaluate.verdict import errors_by_shape, tile_at
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTO

_NOISE = (Approach.GLOBAL, Approach.LOCAL)
_ADDED = (Statistic.MEAN, Statistic.SUM, Statistic.COUNT, Statistic.HISTOGRAM)
"""Ways and answers whose error is that of noise: what a release loses changes in steps, a drawn answer otherwise."""
_NEARLY = 0.8
"""How nearly an error must fall as 1/ε to be that of noise alone."""
_ROUNDED = 1.07
"""By how much more ε where a protocol rounds into how many answers it hashes or how many a report names: the size of
its noise then falls in arcs, which lie above their curve by up to 6.1 % of ε (measured)."""
_UNROUNDED = frozenset({"grr", "oue", "hadamard", "duchi", "laplace"})
"""Local protocols whose noise falls in one curve."""
_HALVINGS, _FLAT = 60, 1e-4
"""How finely the bend of a curve is looked for, and one that is none."""


def about_from(
    findings: Findings, approach: Approach, ends: tuple[float, float], line: float, chance: int = 0
) -> float | None:
    """From about which ε on a way errs less than a line that it reaches between two neighbouring ε that were run.

    None where nobody can say: another setting answers at either, or one whose error jumps, the answer is not
    one with noise added, or the error falls so slowly that something else is in it.

    Parameters
    ----------
    ends
        Two neighbouring places of the axis; at the larger one the error is below the line.
    line
        In the unit of the errors of the findings.
    chance
        1 if chance of the tries is added to both errors, −1 if it is taken from them; 0 for the means.

    Notes
    -----
    It is on the straight line that is drawn between two means where both axes are logarithmic; of errors that fall
    faster than 1/ε on the curve c/sinh(a·ε) through both, which lies a little above that line, as sizes of noise do:
    c/ε and 1/sinh ε are of these curves, √(e^ε + k − 2)/(e^ε − 1) lies below its one (tried).
    """
    if approach not in _NOISE or findings.experiment.question.statistic not in _ADDED:
        return None
    small, large = (tile_at(findings, approach, place) for place in ends)
    shared = [one for one in _settings(large) if one in _settings(small)]
    if not (small.known and large.known and shared):
        return None
    before, after = (_by_shape(findings, tile, place) for tile, place in zip((small, large), ends, strict=True))
    if before.keys() != after.keys():
        return None
    found = [_crossing(ends, before[shape], after[shape], line, chance) for shape in before]
    if None in found or not found:
        return None
    return max(one for one in found if one is not None) * _arcs(approach, shared)


def _crossing(
    ends: tuple[float, float], first: tuple[float, float], last: tuple[float, float], line: float, chance: int
) -> float | None:
    """Where one error, a mean and how far chance may have moved it at either end, is below the line."""
    (low, high), (one, moved), (two, by) = ends, first, last
    if one * low < _NEARLY * two * high:
        return None
    one, two = one + chance * moved, two + chance * by
    if not (0 < two < line and math.isfinite(one)):
        return None
    return low if one < line else _on_curve(ends, one, two, line)


def _on_curve(ends: tuple[float, float], one: float, two: float, line: float) -> float:
    """Where c/sinh(a·ε) through two errors is at the line; of errors that fall as 1/ε or slower, where c/ε^b is."""
    (low, high), fall = ends, one / two
    least, most = 0.0, math.log(fall) / (high - low)
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        steeper = middle > 0 and math.sinh(middle * high) > fall * math.sinh(middle * low)
        least, most = (least, middle) if steeper else (middle, most)
    if most * high < _FLAT:
        return float(low * (high / low) ** (math.log(one / line) / math.log(fall)))
    return math.asinh(math.sinh(most * low) * one / line) / most


def _arcs(approach: Approach, settings: Sequence[MethodChoice]) -> float:
    """By how much more ε noise of one of these settings is known to be small enough that is read between two ε."""
    rounds = any(one.values.get("protocol") not in _UNROUNDED for one in settings)
    return _ROUNDED if approach is Approach.LOCAL and rounds else 1.0


def _settings(tile: Tile) -> Sequence[MethodChoice]:
    """The setting that answers, and those that nothing tells from it."""
    if tile.setting is None or tile.setting.epsilon is not None or _jumps(tile.setting):
        return ()  # what stands with what it does at a smaller ε changes in steps
    return [replace(one, epsilon=None) for one in (tile.setting, *tile.as_good)]


def _jumps(setting: MethodChoice) -> bool:
    """Whether it answers by a protocol whose error may jump between two ε."""
    text = str(setting.checked().get("protocol", AUTO)).strip()
    return text != AUTO and ProtocolChoice.parse(text).protocol.jumps


def _by_shape(findings: Findings, tile: Tile, place: float) -> dict[object, tuple[float, float]]:
    """The error on each shape, and how far chance may have moved it."""
    shapes = (tile.shape, *(one for one in findings.experiment.shapes if one is not tile.shape))
    found = enumerate(errors_by_shape(findings, tile, place))
    told = [
        (error, chance_told(spread, tries, by_formula=tile.by_formula and not number))
        for number, (error, spread, tries) in found
    ]
    return dict(zip(shapes, told, strict=False))


def chance_told(spread: float, tries: int, *, by_formula: bool = False) -> float:
    """How far chance may have moved an error of this standard error from so many tries; infinite where nobody knows.

    That is of one try, or of several about the same people, which say nothing of others.
    """
    if not by_formula and (tries == 1 or math.isnan(spread)):
        return math.inf
    return chance_of(tries) * spread if spread > 0 else 0.0
