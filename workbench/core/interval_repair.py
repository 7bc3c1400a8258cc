"""Labels of a list that read as intervals of whole numbers, written anew so that they hold what is listed in them.

What is new follows from the list alone, so it is as public as the list is: values of the data count for nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from workbench.core.hierarchy import Hierarchy
from workbench.core.interval_labels import misplaced, shared

_WHOLE = r"[-−]?(?:0|[1-9]\d{0,14})"
_UNIT = r"|\s?(?:years?|yrs?|%|€|\$)"
_LABEL = re.compile(rf"(\s*)({_WHOLE})(\s*(?:-|–|—|\.\.|to)\s*)({_WHOLE})({_UNIT})\s*")
_OPEN = re.compile(rf"(\s*)({_WHOLE})(\s*(?:\+|(?:and|or) (?:over|older|more|above)))()({_UNIT})\s*", re.IGNORECASE)
_CORRECTED = "intervals corrected"


@dataclass(frozen=True)
class CorrectedIntervals:
    """A list with other labels.

    Parameters
    ----------
    hierarchy
        The list, with the same groups.
    before, after
        One of the labels that were wrong, and what it is now.
    """

    hierarchy: Hierarchy
    before: str
    after: str


def corrected_intervals(hierarchy: Hierarchy) -> CorrectedIntervals | None:
    """The list with labels that hold their numbers and no others; None where none is wrong or labels cannot do that.

    A wrong label becomes the smallest and the largest number of its group, and others give way to it. Groups stay as
    they are, so nothing is released that was not before. Of a list that was built the specification says the labels.
    """
    wrong = misplaced(hierarchy)
    if not wrong or hierarchy.specification is not None:
        return None
    labels = list(hierarchy.labels)
    for level in dict.fromkeys(one.level for one in wrong):
        made = _corrected(hierarchy, level, {one.label for one in wrong if one.level == level})
        if made is None:
            return None
        labels[level] = made
    first = wrong[0]
    after = labels[first.level][hierarchy.labels[first.level].index(first.label)]
    origin = hierarchy.origin.removeprefix(_CORRECTED).removeprefix(", ")
    # Maps that are the very same would pass for a hierarchy of which only the origin changed.
    maps = (*hierarchy.maps[:1], *hierarchy.maps[1:])
    better = replace(hierarchy, labels=tuple(labels), maps=maps, origin=", ".join(filter(None, (_CORRECTED, origin))))
    if misplaced(better) or any(_overlap(hierarchy, better, level) for level in {one.level for one in wrong}):
        return None
    return CorrectedIntervals(better, first.label, after)


def _overlap(hierarchy: Hierarchy, better: Hierarchy, level: int) -> bool:
    """Whether labels that are new at a level overlap with others there."""
    new = set(better.labels[level]) - set(hierarchy.labels[level])
    return shared(better, level, new, {label for label in better.labels[level] if _read(label)})


def _corrected(hierarchy: Hierarchy, level: int, wrong: set[str]) -> tuple[str, ...] | None:
    """The labels of a level; None where groups have other numbers between theirs, or a label is of another form."""
    listed = hierarchy.values[: len(hierarchy.values) - hierarchy.added]
    labels = hierarchy.labels[level]
    read = {code: found for code, label in enumerate(labels) if (found := _read(label))}
    if not wrong <= {labels[code] for code in read}:
        return None
    members: dict[int, list[int]] = {}
    for place, text in enumerate(listed):
        code = int(hierarchy.maps[level][place])
        if code in read:
            number = _number(text)
            if number is None:
                return None
            members.setdefault(code, []).append(number)
    order = sorted(members, key=lambda code: min(members[code]))
    if any(max(members[a]) >= min(members[b]) for a, b in pairwise(order)) or any(
        _is_open(read[code]) for code in order[:-1]
    ):
        return None
    made, below = list(labels), None
    for place, code in enumerate(order):
        found, numbers, is_open = read[code], members[code], _is_open(read[code])
        if labels[code] in wrong:
            low, high = min(numbers), max(numbers)
        else:
            beyond = min(members[order[place + 1]]) if place + 1 < len(order) else None
            low, high = _value(found[2]), max(numbers) if is_open else _value(found[4])
            low = low if below is None else max(low, below + 1)
            high = high if beyond is None else min(high, beyond - 1)
        below = high
        if is_open:
            made[code] = labels[code] if low == _value(found[2]) else f"{found[1]}{low}{found[3]}{found[5]}"
        elif (low, high) != (_value(found[2]), _value(found[4])):
            ends = f"{low}" if low == high else f"{low}{found[3]}{high}"
            made[code] = f"{found[1]}{ends}{found[5]}"
    return tuple(made) if len(set(made)) == len(made) else None


def _read(label: str) -> re.Match[str] | None:
    """The parts of a label that reads as an interval between whole numbers, or from one on; None of any other."""
    if found := _OPEN.fullmatch(label):
        return found
    found = _LABEL.fullmatch(label)
    return found if found and _value(found[2]) <= _value(found[4]) else None


def _is_open(found: re.Match[str]) -> bool:
    return not found[4]


def _number(text: str) -> int | None:
    stripped = text.strip()
    return _value(stripped) if re.fullmatch(_WHOLE, stripped) else None


def _value(text: str) -> int:
    return int(text.replace("−", "-"))
