"""Does what a note states of a trimmed release agree with itself, and with the law computed again from ε, δ and c?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeGuard

from workbench.anonymise.level_scores import Score
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.number_text import estimate
from workbench.core.rationals import rational
from workbench.report.note import COUNT, LABELS, STEP
from workbench.report.recheck_trim_law import RecomputedTrimming, recomputed_trimming

Facts = Mapping[str, Any]

MOST_STEPS = 6
MECHANISM = "trim"


def of_trimmed(release: Facts, found: Facts) -> Iterator[str]:
    """What cannot be so of a trimmed release, claimed or not.

    Parameters
    ----------
    found
        What was read back from its file.
    """
    steps, floor = release["steps"], release["floor"]
    if release["mechanism"] != MECHANISM:
        yield f"The mechanism of a trimmed release is “{MECHANISM}”, and “{release['mechanism']}” is stated."
    if not 1 <= len(steps) <= MOST_STEPS:
        yield f"A release has 1 to {MOST_STEPS} steps, and {len(steps)} are stated."
        return
    if not _is_count(floor) or floor < 1:
        yield f"{floor} is stated as the floor, and it is a number of rows."
        return
    if release["mixed_levels"] is not (len(steps) > 1):
        yield "Whether rows have labels of different levels is stated differently from the steps."
    if any(one.get("score") == Score.KEPT_DETAIL for one in release["mechanisms"]):
        yield "Levels of a trimmed release are stated to be judged by what sampling keeps."
    yield from _added_columns(release)
    yield from _levels(release, found)
    yield from _laws(release)


def _added_columns(release: Facts) -> Iterator[str]:
    """The columns that say the step and the number of rows."""
    for name, shown, grouped in ((release["step_column"], STEP, True), (release["count_column"], COUNT, False)):
        there = [(one["name"], one["grouped"]) for one in release["columns"] if one["shown"] == shown]
        if there != ([(name, grouped)] if name else []):
            yield f"The column that shows {shown} is stated in two ways."


def _levels(release: Facts, found: Facts) -> Iterator[str]:
    """Every step must have a level for every column of the table, and none finer than the step before it."""
    chain = [step["levels"] for step in release["steps"]]
    columns = {one["name"]: one for one in release["columns"] if one["grouped"] and one["shown"] != STEP}
    for number, levels in enumerate(chain, 1):
        if set(levels) != set(columns):
            yield f"Step {number} has levels for {', '.join(levels)}, and the grouped columns are {', '.join(columns)}."
            return
        for name, level in levels.items():
            yield from _level(number, columns[name], level)
    for number, (before, after) in enumerate(pairwise(chain), 2):
        finer = [name for name in before if _height(after[name]) < _height(before[name])]
        if finer:
            yield f"Step {number} is stated to be finer than the one before in {', '.join(finer)}."
    uniform = {
        name: chain[0][name]
        for name, column in columns.items()
        if "hierarchy" in column and all(levels[name] == chain[0][name] for levels in chain)
    }
    if uniform != found["levels"]:
        yield f"The levels {uniform} are those of all steps, and {found['levels']} were read back."
    for name, column in columns.items():
        one = chain[0][name] if len(chain) == 1 and "hierarchy" in column else None
        if column.get("level") != one or isinstance(column.get("level"), bool):
            yield f"The level of “{name}” is stated in two ways."


def _level(number: int, column: Facts, level: object) -> Iterator[str]:
    name, shown = column["name"], column["shown"]
    if shown == LABELS:
        height = column["hierarchy"]["height"]
        if not _is_count(level) or not 0 <= level <= height:
            yield f"“{name}” stands at level {level} of {height} at step {number}, which there is not."
    elif shown == AS_IT_IS:
        allowed = (level == ANY and number > 1) or (_is_count(level) and level == 0)
        if not allowed:
            yield f"“{name}” is stated to be as it is, and to stand at level {level} at step {number}."
    elif level != ANY:
        yield f"“{name}” is stated to be nothing but {ANY}, and to stand at level {level} at step {number}."


def _height(level: object) -> float:
    return float("inf") if level == ANY else level if _is_count(level) else -1


def _laws(release: Facts) -> Iterator[str]:
    """What groups give up follows from ε and δ of each step and the rows per person; without a claim nothing does."""
    steps, floor = release["steps"], release["floor"]
    for number, step in enumerate(steps, 1):
        if not release["claim"] and release.get("given") is None:
            if "epsilon" in step or "delta" in step:
                yield f"It is stated that no claim is made, and what step {number} would cost is stated nevertheless."
            continue
        try:
            law = recomputed_trimming(rational(step["epsilon"]), rational(step["delta"]), release["rows_per_person"])
        except WorkbenchError as error:
            yield f"Step {number} cannot be computed again: {error}"
            continue
        yield from _numbers(f"At step {number} " if len(steps) > 1 else "", step, law, floor)
        if number == 1:
            yield from _survival(release["survival"], law, floor)


def _numbers(where: str, step: Facts, law: RecomputedTrimming, floor: int) -> Iterator[str]:
    if not law.is_mean(step["mean_lost"]):
        yield f"{where}{step['mean_lost']} rows are stated to be given up on average, and it is {_text(law.mean_lost)}."
    if not law.is_sd(step["sd"]):
        yield f"{where}{step['sd']} is stated as the standard deviation of these, and it is {_text(law.sd)}."
    half, always = (step[name] - floor + 1 for name in ("half_survive", "always_survive"))
    if not law.half_survives(half):
        yield f"{where}{step['half_survive']} rows are stated to survive half of the time, which does not follow."
    if not law.always_survives(always):
        yield f"{where}{step['always_survive']} rows are stated to survive always, which does not follow."


def _survival(stated: Any, law: RecomputedTrimming, floor: int) -> Iterator[str]:
    """Which groups are told of is a rule, so that none is left out."""
    sizes = [rows for rows, _ in stated]
    if any(not _is_count(rows) for rows in sizes):
        yield "Groups of no number of rows are stated."
        return
    last = sizes[-1] if sizes else 0
    halves = [rows for rows in sizes if law.half_survives(rows - floor + 1)]
    usual = {digit * 10**power for power in range(7) for digit in (1, 2, 5)}
    expected = sorted({*halves, last, *(rows for rows in usual if floor <= rows < last)})
    if not halves or not law.always_survives(last - floor + 1) or sizes != expected:
        yield f"The groups of {', '.join(map(str, sizes))} rows are stated, and others are told of."
    for rows, chance in stated:
        if not law.is_kept(max(0, rows - floor + 1), chance):
            given = _text(law.kept(max(0, rows - floor + 1)))
            yield f"A group of {rows} rows is stated to be in the file with probability {chance}, and it is {given}."


def _text(value: float) -> str:
    return estimate(value, 6)


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
