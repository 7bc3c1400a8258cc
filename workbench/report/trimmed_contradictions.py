"""Does what a note states of a trimmed release agree with itself, and with the law computed again from ε, δ and c?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeGuard

from workbench.anonymise.level_scores import Score
from workbench.anonymise.note_versions import OCCURRING_LISTED
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.number_text import estimate
from workbench.core.rationals import rational
from workbench.report.column_labels import label_faults
from workbench.report.counting_words import parting
from workbench.report.level_examples import numbered_levels
from workbench.report.note import COUNT, LABELS, STEP, after_of, taking_part
from workbench.report.recheck_trim_law import RecomputedTrimming, recomputed_trimming
from workbench.report.said_to_occur import faults
from workbench.report.stated_facts import Facts

MOST_STEPS = 6
MECHANISM = "trim"


def of_trimmed(release: Facts, found: Facts, version: int) -> Iterator[str]:
    """The contradictions in a trimmed release, claimed or not.

    Parameters
    ----------
    found
        What was read back from its file.
    version
        Of its note.
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
    at = after_of(release).one_level
    if release["mixed_levels"] is not (len(steps) > 1 and not at):
        yield "Whether rows have labels of different levels is stated differently from the steps."
    if any(one.get("score") == Score.KEPT_DETAIL for one in release["mechanisms"]):
        yield "Levels of a trimmed release are stated to be judged by what sampling keeps."
    if at and len(steps) < 2:
        yield "A release in one step stands at one level anyway, and labels are stated to be brought to it."
    if at and release["step_column"]:
        yield "Rows are stated to be at one level, and a column to say at which step each was released."
    yield from _figures(release) if "stars" in release else ()
    yield from faults(release, version) if version >= OCCURRING_LISTED else ()
    yield from _added_columns(release)
    yield from _left_out(release)
    yield from _levels(release, found)
    yield from _laws(release)


def _figures(release: Facts) -> Iterator[str]:
    """Figures are of grouped columns of the file, and the group that is shown is one whose count is corrected."""
    names = {one["name"] for one in release["columns"] if one["grouped"] and one["shown"] != STEP}
    for stated in (release["stars"], release["blank"]):
        if not names.issuperset(stated) or not all(_is_count(rows) and rows > 0 for rows in stated.values()):
            yield f"Rows of {_in_words(stated)} are stated, which cannot be."
    yield from label_faults(release)
    for name, some in release.get("examples", {}).items():
        levels = [numbered_levels(one, release) for one in release["columns"] if one["name"] == name]
        known = {str(level) for level in levels[0]} if levels else set()
        if not known.issuperset(some) or not some or not all(_is_label(label) for label in some.values()):
            yield f"Labels are shown for levels of “{name}” that are not called by their numbers."
    worked, after = release["worked"], after_of(release)
    if worked is None:
        return
    labels, step = worked["labels"], release["steps"][max(after.one_level, 1) - 1]
    if set(labels) != names or not all(isinstance(label, str) for label in labels.values()):
        yield "A group is shown by other columns than those of the file."
    if not _is_count(worked["rows"]) or worked["rows"] < step["always_survive"]:
        yield f"A group of {worked['rows']} rows is shown, of which no count is corrected."
    if release["floor"] > 1 or parting(release) or after.one_level > 1:
        yield "It is shown how counts are corrected, and no correction is right for this file."


def _added_columns(release: Facts) -> Iterator[str]:
    """The columns that say the step and the number of rows."""
    for name, shown, grouped in ((release["step_column"], STEP, True), (release["count_column"], COUNT, False)):
        there = [(one["name"], one["grouped"]) for one in release["columns"] if one["shown"] == shown]
        if there != ([(name, grouped)] if name else []):
            yield f"The column that shows {shown} is stated in two ways."


def _left_out(release: Facts) -> Iterator[str]:
    """The columns that were left out after the draw took part in the grouping, and are not in the file."""
    names = [one["name"] for one in release["after"]["left_out"]] if "after" in release else []
    there = {one["name"] for one in release["columns"]}
    if len(set(names)) < len(names) or there.intersection(names):
        yield f"{', '.join(names)} are stated to be left out, and to be there or left out twice."
    for one in release["after"]["left_out"] if names else ():
        if one["grouped"] is not True or one["shown"] in (STEP, COUNT):
            yield f"“{one['name']}” is stated to be left out after the draw, and took no part in it."
    if names and not any(one["grouped"] and one["shown"] != STEP for one in release["columns"]):
        yield "All columns are stated to be left out after the draw."


def _levels(release: Facts, found: Facts) -> Iterator[str]:
    """Every step must have a level for every column of the table, and none finer than the step before it."""
    chain, at = [step["levels"] for step in release["steps"]], after_of(release).one_level
    columns = {one["name"]: one for one in taking_part(release) if one["grouped"] and one["shown"] != STEP}
    there = {one["name"] for one in release["columns"]}
    for number, levels in enumerate(chain, 1):
        if set(levels) != set(columns):
            yield f"Step {number} has levels for {', '.join(levels)}, and the grouped columns are {', '.join(columns)}."
            return
        for name, level in levels.items():
            yield from _level(number, columns[name], level, chain[at - 1][name] if at else None)
    for number, (before, after) in enumerate(pairwise(chain), 2):
        finer = [name for name in before if _height(after[name]) < _height(before[name])]
        if finer:
            yield f"Step {number} is stated to be finer than the one before in {', '.join(finer)}."
    written = chain[at - 1 : at] or chain
    uniform = {
        name: written[0][name]
        for name, column in columns.items()
        if name in there and "hierarchy" in column and all(levels[name] == written[0][name] for levels in written)
    }
    if uniform != found["levels"]:
        yield f"The levels of all rows are {_in_words(uniform)}, and {_in_words(found['levels'])} were read back."
    for name, column in columns.items():
        one = written[0][name] if len(written) == 1 and "hierarchy" in column else None
        if column.get("level") != one or isinstance(column.get("level"), bool):
            yield f"The level of “{name}” is stated in two ways."


def _level(number: int, column: Facts, level: object, written: object) -> Iterator[str]:
    """Whether a column can stand at this level at a step; `written` is that of all rows, None where they differ."""
    name, shown = column["name"], column["shown"]
    if shown == LABELS:
        height = column["hierarchy"]["height"]
        if not _is_count(level) or not 0 <= level <= height:
            yield f"“{name}” stands at level {level} of {height} at step {number}, which there is not."
    elif shown == AS_IT_IS:
        allowed = (level == ANY and number > 1) or (_is_count(level) and level == 0)
        if not allowed:
            yield f"“{name}” is stated to be as it is, and to stand at level {level} at step {number}."
    elif level != ANY and not (written == ANY and _is_count(level) and level == 0):
        yield f"“{name}” is stated to be nothing but {ANY}, and to stand at level {level} at step {number}."


def _height(level: object) -> float:
    return float("inf") if level == ANY else level if _is_count(level) else -1


def _laws(release: Facts) -> Iterator[str]:
    """The contradictions in the law of each step: it follows from ε, δ and the rows per person, and needs a claim."""
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
    if "mostly_lost" in step and not law.mostly_lost(step["mostly_lost"]):
        yield f"{where}from {_ends(step['mostly_lost'])} rows are stated to be given up mostly, which does not follow."
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


def _ends(stated: object) -> str:
    return " to ".join(map(str, stated)) if isinstance(stated, list) else str(stated)


def _text(value: float) -> str:
    return estimate(value, 6)


def _is_label(value: object) -> bool:
    return isinstance(value, str) and value not in ("", ANY)


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _in_words(levels: Mapping[str, Any]) -> str:
    return ", ".join(f"“{name}” at {level}" for name, level in levels.items()) or "none"
