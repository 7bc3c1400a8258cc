"""Labels of listed hierarchies that read as intervals of numbers, and values that lie outside of theirs.

A list is taken as it is, so one that was made with a slip of one puts 5 into “0-4”, and everybody who reads the
release takes it for true. Whether a label is meant as an interval cannot be known: one is complained of only where
most numbers at its level do lie within theirs, so that codes, prefixes and other units are let be; or where a third
do, and most at another level that is wrong: a slip of one puts half of the numbers outside of intervals of two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.first_few import first_few
from workbench.core.hierarchy import Hierarchy

_LISTS = frozenset({"categories", "order", "priority", "table"})
_NUMBER = r"[-−]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3}){1,4})(?:\.\d{1,9})?"
"""Leading zeros make a text a code, or part of a date."""
_UNIT = r"(?:\s?(?:years?|yrs?|%|€|\$))?"
_PLAIN = re.compile(rf"\s*({_NUMBER})\s*(?:-|–|—|\.\.|to)\s*({_NUMBER}){_UNIT}\s*")
_BRACKETS = re.compile(rf"\s*([\[(\]])\s*({_NUMBER})\s*(?:,\s|;|\.\.|,|–|-)\s*({_NUMBER})\s*([\])\[])\s*")
_BELOW = re.compile(rf"\s*(<|<=|≤|under|below|less than|up to|at most)\s*({_NUMBER}){_UNIT}\s*", re.IGNORECASE)
_ABOVE = re.compile(rf"\s*(>|>=|≥|over|above|more than|from|at least)\s*({_NUMBER}){_UNIT}\s*", re.IGNORECASE)
_OPEN = re.compile(rf"\s*({_NUMBER})\s*(?:\+|(?:and|or) (?:over|older|more|above)){_UNIT}\s*", re.IGNORECASE)
_VALUE = re.compile(rf"\s*({_NUMBER})\s*")

_NAMED = 2
_MOST = 300_000
"""So many times a number is held against a label, for which nobody waits."""

_Holds = Callable[[Fraction], bool]


@dataclass(frozen=True)
class Misplaced:
    """Numbers that a label does not hold although it reads as an interval.

    Parameters
    ----------
    level
        Where the label stands, counted from the ground up.
    label
        As it is written.
    values
        Listed values that have the label and lie outside of it.
    """

    level: int
    label: str
    values: tuple[str, ...]

    @property
    def words(self) -> str:
        """One of the numbers and its label."""
        return f"{self.values[0]} in “{self.label}”"


def misplaced(hierarchy: Hierarchy) -> tuple[Misplaced, ...]:
    """The labels of a list that do not hold their values, level by level; of what a rule made there are none.

    Follows from what the list says alone: values that were added from the data count for nothing.
    """
    made = hierarchy.specification
    if made is not None and made["builder"] not in _LISTS:
        return ()
    listed = hierarchy.values[: len(hierarchy.values) - hierarchy.added]
    numbers = [(place, number) for place, text in enumerate(listed) if (number := _number(text)) is not None]
    levels = [_at(hierarchy, level, numbers) for level in range(1, hierarchy.height + 1)]
    if not any(one.is_plain for one in levels):
        return ()
    return tuple(wrong for one in levels if one.is_likely for wrong in one.wrong)


def misplaced_words(hierarchy: Hierarchy) -> str:
    """Sentences on what is wrong with its labels and what to do about it; "" where nothing is."""
    found = misplaced(hierarchy)
    if not found:
        return ""
    shown = first_few([one.words for one in found], _NAMED)
    return f"Numbers stand in intervals that do not hold them: {shown}. Correct the list, or build intervals by rule."


def shared(hierarchy: Hierarchy, level: int, labels: Collection[str], apart: Collection[str]) -> bool:
    """Whether one of these labels of a level holds a number of another group, or another label one of theirs.

    Nobody who reads such a number in a release knows then which of the two it is counted under. It is taken as shared
    where there are too many to look at.

    Parameters
    ----------
    labels
        Those that are looked at.
    apart
        Labels, these among them, that are known to have no number in common.
    """
    named = list(enumerate(hierarchy.labels[level]))
    asked = {code: holds for code, label in named if label in labels and (holds := _interval(label))}
    rest = {code: holds for code, label in named if label not in apart and (holds := _interval(label))}
    lone = {code for code, label in named if label not in apart}
    listed = hierarchy.values[: len(hierarchy.values) - hierarchy.added]
    codes = hierarchy.maps[level][: len(listed)].tolist()
    pairs = zip(codes, listed, strict=True)
    tried = [(rest if code in asked else asked, text) for code, text in pairs if code in asked or code in lone]
    if sum(len(others) for others, _ in tried) > _MOST:
        return True
    numbers = ((others, _number(text)) for others, text in tried)
    return any(holds(number) for others, number in numbers if number is not None for holds in others.values())


@dataclass(frozen=True)
class _LevelFound:
    """The labels of a level that do not hold their numbers, and how many numbers others hold."""

    wrong: tuple[Misplaced, ...]
    held: int

    @property
    def outside(self) -> int:
        return sum(len(one.values) for one in self.wrong)

    @property
    def is_plain(self) -> bool:
        """Whether something is wrong, and most numbers are within their labels."""
        return 0 < self.outside < self.held

    @property
    def is_likely(self) -> bool:
        """The same where another level is plainly wrong: a third of the numbers within theirs are no coincidence."""
        return self.outside <= 2 * self.held


def _at(hierarchy: Hierarchy, level: int, numbers: list[tuple[int, Fraction]]) -> _LevelFound:
    within = [_interval(label) for label in hierarchy.labels[level]]
    outside: dict[int, list[str]] = {}
    held = 0
    for place, number in numbers:
        code = int(hierarchy.maps[level][place])
        holds = within[code]
        if holds is None:
            continue
        if holds(number):
            held += 1
        else:
            outside.setdefault(code, []).append(hierarchy.values[place])
    names = hierarchy.labels[level]
    return _LevelFound(tuple(Misplaced(level, names[code], tuple(some)) for code, some in outside.items()), held)


def _number(text: str) -> Fraction | None:
    found = _VALUE.fullmatch(text)
    return _read(found[1]) if found else None


def _read(text: str) -> Fraction:
    return Fraction(text.replace(",", "").replace("−", "-"))


def _interval(label: str) -> _Holds | None:
    """Whether a number lies in what a label reads as; None of a label that reads as no interval."""
    if found := _BRACKETS.fullmatch(label):
        low, high = _read(found[2]), _read(found[3])
        from_low, to_high = found[1] == "[", found[4] == "]"
        if low > high:
            return None
        return lambda number: (
            (low <= number if from_low else low < number) and (number <= high if to_high else number < high)
        )
    if found := _PLAIN.fullmatch(label):
        first, last = _read(found[1]), _read(found[2])
        # Between the intervals 0-4 and 5-9 of whole numbers lies 4.5, which belongs to the first.
        beyond = 1 if first.denominator == last.denominator == 1 else 0
        if first > last:
            return None
        return lambda number: first <= number <= last or (number.denominator > 1 and first <= number < last + beyond)
    if found := _BELOW.fullmatch(label):
        end, strict = _read(found[2]), found[1] == "<"
        return lambda number: number < end or (number == end and not strict)
    if found := _ABOVE.fullmatch(label):
        end, strict = _read(found[2]), found[1] == ">"
        return lambda number: number > end or (number == end and not strict)
    if found := _OPEN.fullmatch(label):
        end = _read(found[1])
        return lambda number: number >= end
    return None
