"""For each column, in how many rows it is likely to come out at which detail, and how many people a value needs.

No row is read. Two numbers are told of a value, and both are true of every table whose cells hold what can occur, are
blank, or hold what no list has. With
fewer people than the first no row says it at least as often as not, however they lie. For π(n), the chance that
something of a group of n rows comes out, has π(a) + π(b) ≤ π(a + b) as long as these are at most ½; so a value is most
likely to come out if its rows are one group at every step, and that is 1 − Π(1 − π(n)) over the steps that are fine
enough to say it. With as many as the second a row says it at least as often as not, however they lie: −log(1 − π(n))
grows ever faster, so a value is least likely to come out if its people are spread evenly over all groups there can be
of the other columns. It has one digit, rounded up. Between both it depends on how they differ in the other columns.
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
from workbench.core.covering import begun_by_ends, covers_all, may_hold_all, one_of_two
from workbench.core.guessed_reach import possible_labels
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.level_words import cut_intervals, is_tidied, narrower_words, words_among
from workbench.core.number_text import count, exact
from workbench.core.public_sizes import public_sizes
from workbench.core.trim_law import TrimLaw
from workbench.core.widening import cut_ends
from workbench.session.release.came_out import HOLDS_ALL
from workbench.session.release.spread import FEW, TOGETHER, ends_of, in_hundred, parts, told_ends

_FAR = 50
"""So many times the people of whom a value is lost."""
_REACH = "One interval may hold all: say from where to where the numbers can reach, under “Say what occurs”."
_GUESS = (
    "How many there are is a guess, and with more of them far fewer rows come out: say what can occur, under “Say what "
    "occurs”."
)
_TWO = (
    "Two intervals hold all that can occur, and amounts often lie together: one of them may hold nearly all, and the "
    "column then says next to nothing. A finer detail says more."
)
_TIDIED = (
    "Spaces at both ends are left out, and several between words are one; what was listed is written as in the list."
)
_HALF = 0.5
_FEWEST = 2
_OPEN = 60
"""Ends that are so far apart, of 100 rows, say nothing."""
_INTERVALS, _FEW_GROUPS = "intervals of ", 9
_FEW = 4
"""So many columns are named with their detail in one line."""
_ENDS = 4
"""So many ends of intervals are named."""


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
        With fewer people than the first number a value is missing as often as not, and with as many as the second it
        comes out as often as not, in every table. None where that would be more than there are. Empty where it is `*`.
    covers
        Whether all that can occur, as far as that is said or listed, has one label at this level.
    unknown
        Whether one interval may hold all, as nobody said from where to where the numbers reach.
    halved
        Whether two wide intervals hold all that can occur, so that one of them may hold nearly all.
    usual
        Of the rows those of a table whose columns go together about as far as those of real ones do; None if unknown.
    tidied
        Whether only the spaces of values are tidied.
    guessed
        Whether far more labels may well occur than is guessed, as nobody said from where to where the numbers reach.
    people
        How many the outlook is for; None if unknown.
    cut
        Where its first and its last interval are cut, or how they widen, in sentences; "" of all others.
    groups
        How many intervals hold all that was said to occur, where they are few; 0 of all others.
    ends
        Where its intervals end if they widen, in short; "" of all others.
    narrower
        Which of its intervals are narrower than the others, in short; "" where none is.
    """

    column: str
    level: int
    words: str
    rows: tuple[int, int]
    needs: tuple[int | None, ...] = ()
    covers: bool = False
    unknown: bool = False
    halved: bool = False
    usual: int | None = None
    tidied: bool = False
    guessed: bool = False
    people: int | None = None
    cut: str = ""
    groups: int = 0
    ends: str = ""
    narrower: str = ""

    @property
    def detail(self) -> str:
        """The words for the level in a table: how many intervals there are, if they are few, as then little is told.

        Of intervals that widen also where they end, as far as there is room: how wide the last is says little of it.
        """
        if self.ends:
            return f"{self.words.partition(',')[0]}: {self.ends}"
        return f"{self.groups} {self.words}{self.narrower}" if self.groups else f"{self.words}{self.narrower}"

    @property
    def says_nothing(self) -> bool:
        """Whether it is `*`, or one label for all that can occur."""
        return self.words == ANY or self.covers

    @property
    def doubtful(self) -> bool:
        """Whether nobody can tell if the level says anything, or how much it costs."""
        return self.unknown or self.halved or self.guessed

    @property
    def caution(self) -> str:
        """What is wrong with the level, in a few words for a line below it; "" where nothing is."""
        if self.halved:
            return "one of two may hold nearly all"
        if self.unknown:
            return "say how far it reaches"
        return "say what occurs" if self.guessed else "one label for all" if self.covers else ""

    @property
    def told(self) -> str:
        """What is to be known of the level besides, in sentences; "" for nothing."""
        return " ".join(filter(None, (_TIDIED if self.tidied else "", self.cut, self.caution_told)))

    @property
    def caution_told(self) -> str:
        """The caution in a sentence."""
        if self.doubtful:
            return _TWO if self.halved else _REACH if self.unknown else _GUESS
        return f"{HOLDS_ALL[0].upper()}{HOLDS_ALL[1:]}." if self.covers else ""

    @property
    def rows_words(self) -> str:
        """In how many of 100 rows, as a table says it; its heading says that this is of 100.

        Both ends are there however far they are apart: what is usual by itself would be read as what is to be expected.
        Where they are so far apart that they say little, what is usual comes before them: it is no promise.

        >>> DetailOutlook("race", 0, "as it is", (0, 98), usual=68).rows_words
        'perhaps 68 (0–98)'
        >>> DetailOutlook("race", 0, "as it is", (52, 98), usual=68).rows_words
        '52–98'
        """
        low, high = self.rows
        says_more = self.is_open and self.usual is not None and low <= self.usual <= high
        return f"perhaps {self.usual} ({rows_words(self.rows)})" if says_more else rows_words(self.rows)

    @property
    def rows_told(self) -> str:
        """The same in a sentence, with both ends however far they are apart."""
        low, high = told_ends(*self.rows)
        part = f"About {low}{' or more' * (high is None)}" if high in (low, None) else f"{low} to {high}"
        usual = "" if self.usual is None else f"; about {self.usual} if columns go together as in most tables"
        return f"{part} of 100 rows, from values that are spread evenly to a few that are frequent{usual}"

    @property
    def part(self) -> str:
        """The same beside others of its column: both ends."""
        low, high = self.rows
        return f"{low} %" if low == high else f"{low}–{high} %"

    @property
    def is_open(self) -> bool:
        """Whether both ends are so far apart that they say nothing."""
        return _is_open(self.rows)

    @property
    def enough(self) -> int | None:
        """Of how many people a value is likely to come out; None where that is no use to know.

        One that is far larger than what is lost, or half of all people, as where a value is kept for sure if nearly all
        have it, says nothing.
        """
        low, enough = self.needs or (None, None)
        if low is None or enough is None or enough > _FAR * low:
            return None
        return None if self.people is not None and 2 * enough >= self.people else enough

    @property
    def needs_words(self) -> str:
        """Of fewer than how many people a value is likely to be lost, and of how many it may be, as a table says it.

        Its heading is “People a value needs”: how many depends on how they differ in other columns. The
        first alone was read as if all that more people have came out.

        >>> DetailOutlook("ward", 0, "as it is", (52, 98), (27, 200)).needs_words
        '27–200'
        """
        if not self.needs:
            return ""
        low = self.needs[0]
        if low is None:
            return "more than all"
        if self.enough is None:
            return f"{count(low)} or more"
        return count(low) if self.enough == low else f"{count(low)}–{count(self.enough)}"

    @property
    def needs_told(self) -> str:
        """Both numbers, in a sentence; "" where a value says nothing."""
        if not self.needs:
            return ""
        low = self.needs[0]
        if low is None:
            return "However many have a value, it is likely to be missing from the file"
        start = f"A value of fewer than {count(low)} is likely to be missing from the file"
        if self.enough is None:
            return f"{start}; a larger one may be too"
        between = ". Between both it depends on how they differ in the other columns" if self.enough > low else ""
        return f"{start}, one of {count(self.enough)} or more to come out{between}"


def rows_words(rows: tuple[int, int]) -> str:
    """A range of 100 rows as a table says it: both ends, next to nothing as 0, or one number where they are the same.

    >>> rows_words((72, 97)), rows_words((95, 100)), rows_words((3, 98)), rows_words((7, 7))
    ('72–97', '95–100', '0–98', '7')
    """
    low, high = rows
    return f"{low}" if low == high else f"{0 if low < FEW else low}–{high}"


def by_words(detail: str) -> str:
    """The words for a level of intervals behind the name of their column.

    >>> by_words("intervals of 20,000"), by_words("5 intervals, widening to 90,000")
    ('by 20,000', 'in 5 intervals, widening to 90,000')
    """
    return f"by {detail.removeprefix(_INTERVALS)}" if detail.startswith(_INTERVALS) else f"in {detail}"


def _is_open(rows: tuple[int, int]) -> bool:
    return rows[1] - rows[0] >= _OPEN


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
    may = {name: possible_labels(name, hierarchies.get(name), said.get(name, ())) for name in names}
    labels = [{name: sizes[name].labels[step.levels[name]] for name in names} for step in steps]
    least = [
        {name: size if sizes[name].listed else min(size, _FEWEST) for name, size in some.items()} for some in labels
    ]
    whole = [  # a cell without a value is one label more of its column, unless all of it are alike
        {name: may[name][level] + (not _is_dumb(hierarchies.get(name), level)) for name, level in step.levels.items()}
        for step in steps
    ]
    rows = found.rows or EXPECTED_ROWS
    most = [[may[name][step.levels[name]] for name in names] for step in steps]
    table, fewest = ([list(some.values()) for some in part] for part in (labels, least))
    ends = ends_of(steps, table, fewest, most, rows)
    lines = []
    known: dict[tuple[tuple[int, int], ...], tuple[int | None, ...]] = {}
    for name in names:
        levels = [step.levels[name] for step in steps]
        others = [prod(size for other, size in some.items() if other != name) for some in whole]
        for level in dict.fromkeys(levels):
            hierarchy = hierarchies.get(name)
            dumb = _is_dumb(hierarchy, level)
            fine = [place for place, one in enumerate(levels) if one <= level]
            needs: tuple[int | None, ...] = ()
            if not dumb:
                alike = tuple((place, others[place]) for place in fine)
                if alike not in known:  # most columns stand beside as many groups as others do
                    laws = [promised.laws[place] for place in fine]
                    known[alike] = _needs(laws, [groups for _, groups in alike], rows, promised.floor)
                needs = known[alike]
            shares = [_out(end, steps, name, level) for end in ends]
            part, usual = in_hundred(shares), round(100 * shares[TOGETHER])
            words = words_among(hierarchy, level, levels)
            covers = covers_all(hierarchy, level, said.get(name, ()))
            unknown = may_hold_all(hierarchy, level, said.get(name, ()))
            halved = one_of_two(hierarchy, level, said.get(name, ()))
            tidied = is_tidied(hierarchy, level)
            far = may[name][level] != sizes[name].labels[level]
            doubts = (covers, unknown, halved, usual, tidied, far)
            cut, narrower = cut_intervals(hierarchy, level), narrower_words(hierarchy, level)
            size = sizes[name].labels[level]
            counts = said.get(name) and words.startswith(_INTERVALS) and not (covers or far) and size <= _FEW_GROUPS
            beyond = begun_by_ends(hierarchy, level, said.get(name, ()))  # few are in them, and yet they are labels
            groups, ends_told = size + beyond if counts else 0, _ends_words(hierarchy, level)
            lines.append(
                DetailOutlook(name, level, words, part, needs, *doubts, rows, cut, groups, ends_told, narrower)
            )
    return tuple(lines)


def few_words(details: Sequence[DetailOutlook]) -> str:
    """The finest detail of each column that says something, where these are few; "" where they are not.

    >>> few_words((DetailOutlook("ward", 1, "as it is", (80, 90)), DetailOutlook("pay", 1, "*", (80, 90))))
    'At best: ward as it is.'
    """
    finest: dict[str, str] = {}
    for one in details:
        if not one.says_nothing and max(one.rows):
            finest.setdefault(
                one.column, f"{one.column} {'in ' if 'intervals' in one.words else ''}{one.words}{one.narrower}"
            )
    return f"At best: {'; '.join(finest.values())}." if 0 < len(finest) <= _FEW else ""


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
    enough = [one.needs[1] for one in finest.values()]
    if None in enough:
        return "others may lose most rare values"
    return f"others may lose values of under {count(max(filter(None, enough)))}"


def _told(details: Sequence[DetailOutlook], column: str, levels: Sequence[int]) -> list[DetailOutlook]:
    """The details worked out for a column that changes from step to step, if for these levels."""
    found = [one for one in details if one.column == column]
    if len(found) < 2 or [one.level for one in found] != list(dict.fromkeys(levels)):
        return []
    return [one for one in found if max(one.rows)] or found


def _ends_words(hierarchy: Hierarchy | None, level: int) -> str:
    """Where the intervals of a level end if they widen, without those in the middle of many; "" of others.

    >>> _ends_words(None, 1)
    ''
    """
    ends = [] if hierarchy is None else [exact(one) for one in cut_ends(hierarchy.specification, level)]
    return ", ".join(ends) if len(ends) <= _ENDS else f"{', '.join(ends[: _ENDS - 1])} … {ends[-1]}"


def _is_dumb(hierarchy: Hierarchy | None, level: int) -> bool:
    """Whether every cell is `*` at a level."""
    return level == 1 if hierarchy is None else hierarchy.says_nothing(level)


def _out(end: Sequence[float], steps: Sequence[StepForecast], name: str, level: int) -> float:
    return min(1.0, sum(share for share, step in zip(end, steps, strict=True) if step.levels[name] == level))


def _needs(laws: Sequence[TrimLaw], groups: Sequence[int], rows: int, floor: int) -> tuple[int | None, int | None]:
    """How many people a value needs at the least, and how many are enough, beside so many groups at each step."""
    low = _smallest(range(1, rows + 1), laws, [np.ones(1) for _ in laws], floor)
    enough = _smallest(_round_numbers(rows), laws, [parts(some, 0) for some in groups], floor)
    return low, None if low is None or enough is None else max(low, enough)


def _smallest(
    numbers: Sequence[int], laws: Sequence[TrimLaw], spread: Sequence[NDArray[np.float64]], floor: int
) -> int | None:
    """The first of ever larger numbers of people with which something comes out at least as often as not."""
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
