"""For each column, in how many rows it is likely to come out at which detail, and how many people a value needs.

No row is read. Two numbers are told of a value. The first is true of every table: if fewer people than that have it, no
row says it at least as often as not, however they lie. For π(n), the chance that something of a group of n rows comes
out, has π(a) + π(b) ≤ π(a + b) as long as these are at most ½; so a value is most likely to come out if its rows are
one group at every step, and that is 1 − Π(1 − π(n)) over the steps that are fine enough to say it. The second is the
one to go by: for people who differ in the other columns as those of real tables do (`spread.STEEP`), whether the
columns go together or not. It is an estimate of one digit, rounded up, as no more is known without looking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.chains import EXPECTED_ROWS
from workbench.anonymise.forecast import StepForecast, TrimForecast
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.covering import covers_all
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import level_words
from workbench.core.number_text import count
from workbench.core.public_sizes import public_sizes
from workbench.core.trim_law import TrimLaw
from workbench.session.release.came_out import HOLDS_ALL
from workbench.session.release.spread import FLAT, ends_of, in_hundred, joined_groups, listed_names, parts, told_ends

_HALF = 0.5
_FEWEST = 2
_OPEN = 60
"""Ends that are so far apart, of 100 rows, say nothing."""
_NAMED = 3
"""Columns that are named at most where others need as many people."""


@dataclass(frozen=True)
class DetailOutlook:
    """A column at one of its levels.

    Parameters
    ----------
    column
        Its name.
    level
        Of its hierarchy; 1 of a column without one that is `*`.
    words
        What the level is.
    rows
        In about how many rows of 100 it comes out so, if they lie in one way or in another: no bounds.
    needs
        So many people must have a value for it to come out as often as not: at the least in every table, where they
        differ in the other columns as people do, and where they are spread evenly over these, as over years of birth.
        None where more would be needed than there are. Empty where it is `*`.
    covers
        Whether all that can occur, as far as that is said or listed, has one label at this level.
    """

    column: str
    level: int
    words: str
    rows: tuple[int, int]
    needs: tuple[int | None, ...] = ()
    covers: bool = False

    @property
    def detail(self) -> str:
        """The words for the level in a table."""
        return f"{self.words}: {HOLDS_ALL}" if self.covers else self.words

    @property
    def rows_words(self) -> str:
        """In how many of 100 rows, as a table says it; its heading says that this is of 100."""
        low, high = told_ends(*self.rows)
        if low is None or high is None:
            return f"at least {low}" if high is None else f"at most {high}"
        return f"{low}" if low == high else f"{low}–{high}"

    @property
    def part(self) -> str:
        """The same beside others of its column: both ends."""
        low, high = self.rows
        return f"{low} %" if low == high else f"{low}–{high} %"

    @property
    def is_open(self) -> bool:
        """Whether both ends are so far apart that they say nothing."""
        low, high = self.rows
        return high - low >= _OPEN

    @property
    def needs_words(self) -> str:
        """How many people a value needs, as a table says it: the numbers to go by."""
        if not self.needs:
            return ""
        low, high, even = self.needs
        if low is None or high is None:
            return "more than all"
        return (
            f"{count(high)} or more"
            if even is None
            else count(high)
            if even == high
            else f"{count(high)}–{count(even)}"
        )


def column_details(
    found: TrimForecast,
    promised: TrimGuarantee,
    hierarchies: Mapping[str, Hierarchy],
    said: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[DetailOutlook, ...]:
    """Every column of a forecast at each of its levels, the finest first; none where groups are not known.

    Parameters
    ----------
    promised
        The guarantee of the forecast, whose laws its steps have.
    said
        What can occur of a column, as far as somebody said so (`core.occurring`).
    """
    steps, names = found.steps, tuple(found.steps[0].levels)
    if not names or any(step.possible_groups is None for step in steps):
        return ()
    sizes = {name: public_sizes(hierarchies.get(name), said.get(name, ())) for name in names}
    labels = [{name: sizes[name].labels[step.levels[name]] for name in names} for step in steps]
    least = [
        {name: size if sizes[name].listed else min(size, _FEWEST) for name, size in some.items()} for some in labels
    ]
    rows = found.rows or EXPECTED_ROWS
    table, fewest = ([list(some.values()) for some in part] for part in (labels, least))
    ends = ends_of(steps, table, fewest, rows)
    lines = []
    known: dict[tuple[tuple[int, int, int], ...], tuple[int | None, ...]] = {}
    for name in names:
        levels = [step.levels[name] for step in steps]
        others = [[size for other, size in some.items() if other != name] for some in labels]
        for level in dict.fromkeys(levels):
            hierarchy = hierarchies.get(name)
            dumb = level == 1 if hierarchy is None else hierarchy.says_nothing(level)
            fine = [place for place, one in enumerate(levels) if one <= level]
            needs: tuple[int | None, ...] = ()
            if not dumb:
                alike = tuple((place, prod(others[place]), max(others[place], default=1)) for place in fine)
                if alike not in known:  # most columns stand beside as many groups as others do
                    laws = [promised.laws[place] for place in fine]
                    known[alike] = _needs(laws, [others[place] for place in fine], rows, promised.floor)
                needs = known[alike]
            part = in_hundred([_out(end, steps, name, level) for end in ends])
            words = level_words(hierarchy, level, example=False)
            covers = covers_all(hierarchy, level, said.get(name, ()))
            lines.append(DetailOutlook(name, level, words, part, needs, covers))
    return tuple(lines)


def parts_of(details: Sequence[DetailOutlook], column: str, levels: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """In about which part of all rows a column is likely to come out at each of its levels, the finest first.

    Nothing of a column that has one level alone, or others than these: what was worked out is of earlier settings then.
    Nothing either where that is open for one of them.
    """
    told = _told(details, column, levels)
    if not told or any(one.is_open for one in told):
        return ()
    first, *others = told
    return (first.level, f"in about {first.part} of rows"), *((one.level, f"in {one.part}") for one in others)


def parts_are_open(details: Sequence[DetailOutlook], column: str, levels: Sequence[int]) -> bool:
    """Whether it is worked out in which part of the rows a column has which level, and says nothing."""
    return any(one.is_open for one in _told(details, column, levels))


def lost_of_others(details: Sequence[DetailOutlook], column: str) -> str:
    """Up to how many people the values of other columns need that may be missing, in a few words; "" where none says.

    It is said where one column is wished always to be fine, which leaves less to the others.
    """
    finest: dict[str, DetailOutlook] = {}
    for one in details:
        if one.needs and one.column != column:
            finest.setdefault(one.column, one)
    if not finest:
        return ""
    ends = [end for one in finest.values() for end in one.needs[1:]]
    if None in ends:
        return "others may lose most rare values"
    most = max(end for end in ends if end is not None)
    return f"others may lose values of under {count(most)}"


def _told(details: Sequence[DetailOutlook], column: str, levels: Sequence[int]) -> list[DetailOutlook]:
    """The details worked out for a column that changes from step to step, if for these levels."""
    found = [one for one in details if one.column == column]
    if len(found) < 2 or [one.level for one in found] != list(dict.fromkeys(levels)):
        return []
    return [one for one in found if max(one.rows)] or found


def vanishing(details: Sequence[DetailOutlook], widest: Sequence[str], rows: int | None, unit: str) -> str:
    """Which values are likely not to come out, in a sentence; "" if nothing says anything.

    Parameters
    ----------
    widest
        The columns, those with most possible labels first. Each that says something is named, or is one of the others.
    rows
        How many are expected, if somebody said so.
    unit
        What a row stands for, such as “people”.
    """
    finest: dict[str, DetailOutlook] = {}
    for one in details:
        if one.needs:
            finest.setdefault(one.column, one)
    if not finest:
        return ""
    among = f" of your {count(rows)}" if rows else ""
    lows = [one.needs[0] for one in finest.values()]
    if None in lows:
        return f"Values are likely to be missing however many{among} {unit} have them."
    tiers: dict[int | None, list[str]] = {}
    for name in widest:
        if name in finest:
            tiers.setdefault(finest[name].needs[1], []).append(name)
    sure = f"in any table those of fewer than {count(min(low for low in lows if low is not None))}"
    nowhere, some = tiers.pop(None, []), sorted(tiers.items(), key=lambda tier: -(tier[0] or 0))
    parts_of = [f"most in {listed_names(nowhere)}"] if nowhere else []
    for place, (people, names) in enumerate(some):
        where = "the others" if place == len(some) - 1 and len(names) > _NAMED else listed_names(names)
        where = where if place or nowhere or len(names) <= _NAMED else "any column"
        number = count(people or 0)
        parts_of.append(
            f"{number} in {where}" if place else f"those of fewer than about {number}{among} {unit} in {where}"
        )
    return f"Values are likely to be missing: {', '.join(parts_of)}; {sure}."


def rare_values(details: Sequence[DetailOutlook], unit: str) -> str:
    """The same of all columns together, in a short sentence; "" if nothing says anything."""
    finest: dict[str, tuple[int | None, ...]] = {}
    for one in details:
        if one.needs:
            finest.setdefault(one.column, one.needs[1:])
    likely = [high for high, _ in finest.values() if high is not None]
    if not likely:
        return "Values are likely to be missing." if finest else ""
    start = f"A value of fewer than about {count(min(likely))} {unit} is likely to be missing altogether"
    ends = [end for ends in finest.values() for end in ends]
    most = None if None in ends else max(end for end in ends if end is not None)
    if most == min(likely):
        return f"{start}."
    return f"{start}, and {'others' if most is None else f'one of fewer than {count(most)}'} may be."


def _out(end: Sequence[float], steps: Sequence[StepForecast], name: str, level: int) -> float:
    return min(1.0, sum(share for share, step in zip(end, steps, strict=True) if step.levels[name] == level))


def _needs(
    laws: Sequence[TrimLaw], others: Sequence[Sequence[int]], rows: int, floor: int
) -> tuple[int | None, int | None, int | None]:
    """How many people a value needs if all are alike, if they differ in the other columns, and if they do so evenly."""
    alone = [np.ones(1) for _ in laws]
    low = _smallest(range(1, rows + 1), laws, alone, floor)
    spreads = [parts(prod(some)) for some in others], [parts(some) for some in joined_groups(others)]
    mixed = [_smallest(_round_numbers(rows), laws, spread, floor) for spread in spreads]
    high = None if None in mixed else max(one for one in mixed if one is not None)
    evenly = [parts(some, FLAT) for some in joined_groups(others)]
    even = None if high is None else _smallest(_round_numbers(rows), laws, evenly, floor)
    high = None if low is None or high is None else max(low, high)
    return low, high, None if high is None or even is None else max(high, even)


def _smallest(
    numbers: Sequence[int], laws: Sequence[TrimLaw], spread: Sequence[NDArray[np.float64]], floor: int
) -> int | None:
    """The first of ever larger numbers of people with which something comes out as often as not."""
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if _nothing(numbers[middle], laws, spread, floor) <= _HALF:
            high = middle
        else:
            low = middle + 1
    return numbers[low] if low < len(numbers) else None


def _nothing(people: int, laws: Sequence[TrimLaw], spread: Sequence[NDArray[np.float64]], floor: int) -> float:
    """The chance that nothing of so many people comes out, who lie in groups of these parts at each step."""
    found = 1.0
    for law, shares in zip(laws, spread, strict=True):
        sizes = np.floor(people * shares + 1e-9).astype(np.int64)
        found *= float(np.prod(1.0 - law.keep(np.maximum(0, sizes - floor + 1))))
    return found


def _round_numbers(most: int) -> list[int]:
    """Numbers of one digit that is not 0, up to the first that is not below the largest."""
    found, scale = list(range(1, 10)), 10
    while found[-1] < most:
        found += [digit * scale for digit in range(1, 10)]
        scale *= 10
    return [one for one in found if one <= most]
