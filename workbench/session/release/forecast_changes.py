"""Changes of the forecast by a step: which columns became finer or coarser, and how many rows come out now.

Two forecasts are compared, which both rest on public facts alone; no row is read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from math import inf
from types import MappingProxyType

from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.level_words import interval_width
from workbench.core.number_text import counted
from workbench.session.release.column_details import DetailOutlook, rows_words
from workbench.session.release.outlook import Outlook
from workbench.session.release.said import Said
from workbench.session.release.spread import in_hundred, listed_names

NOTHING_ELSE = "nothing else changes"
"""Of what is left out, for a button: the other columns come out as they would with it."""
_BECOMES = " → "
_NOTICED = 0.1
"""A smaller part of the rows of a column is no change, as each end is a guess."""
_NAMED = 3
"""As many columns are named."""


class Turn(Enum):
    """The kinds of change of a column, in the words before what it was."""

    FINER = "finer"
    LOST = "* in every row"
    COARSER = "coarser"
    OTHERWISE = "changed"
    IN_MORE = "in more rows"
    IN_FEWER = "in fewer rows"
    TAKEN_IN = "taken in"
    LEFT_OUT = "left out"

    @property
    def tone(self) -> str:
        """Whether more is told by it, "success", or less, "warning"; "" where that cannot be said."""
        if self in (Turn.FINER, Turn.IN_MORE):
            return "success"
        return "warning" if self in (Turn.LOST, Turn.COARSER, Turn.IN_FEWER) else ""


@dataclass(frozen=True)
class ShownForecast:
    """A forecast as it was shown: each column at its levels, by which hierarchies, and of 100 rows how many.

    `said` is what was said that occurs, by column; `starred` are the columns that are `*` in most or perhaps in many of
    the rows that come out, as the room has it; `preferred` are amounts that keep their finest intervals before others.
    """

    details: tuple[DetailOutlook, ...]
    hierarchies: Mapping[str, Hierarchy]
    rows: tuple[int, int]
    said: Said = field(default_factory=dict)
    starred: frozenset[str] = frozenset()
    preferred: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, outlook: Outlook, details: tuple[DetailOutlook, ...], hierarchies: Mapping[str, Hierarchy], said: Said
    ) -> ShownForecast:
        starred = frozenset((*outlook.starred, *outlook.maybe))
        return cls(details, hierarchies, in_hundred((outlook.fewest, outlook.hopeful)), said, starred)

    def lines(self, name: str) -> tuple[DetailOutlook, ...]:
        """A column at each of its levels, the finest first."""
        return tuple(one for one in self.details if one.column == name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.column for one in self.details))


@dataclass(frozen=True)
class ColumnChange:
    """The change of a column.

    Parameters
    ----------
    was
        Its detail before, or in how many rows it had the one it still has; "" if it was not there.
    """

    turn: Turn
    was: str = ""

    @property
    def words(self) -> str:
        """What is said of the detail of now."""
        return f"{self.turn.value}, was {self.was}" if self.was else self.turn.value


@dataclass(frozen=True)
class ForecastChanges:
    """The changes of a forecast.

    Parameters
    ----------
    columns
        By name, those of which something else is expected than before.
    rows
        Of 100 rows, how many were expected to come out before and how many are now; None where that is about as many.
    steps
        How many steps of undo made it.
    guessed
        Whether it was guessed before what occurs in a column of which it was said since.
    said
        Whether it was said otherwise what occurs, so that what is foretold of the rows rests on that.
    giving_way
        Columns that tell less for those that are ticked, which is what ticks are for.
    costs
        Whether only what is worse is put into words, as the table beside shows what was gained.
    preferred
        In words, the amounts whose finest intervals are kept before other columns are finer, and were not before, such
        as “charge keeps 10 intervals”.
    """

    columns: Mapping[str, ColumnChange] = field(default_factory=lambda: MappingProxyType({}))
    rows: tuple[tuple[int, int], tuple[int, int]] | None = None
    steps: int = 1
    guessed: bool = False
    said: bool = False
    giving_way: frozenset[str] = frozenset()
    costs: bool = False
    preferred: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.columns or self.preferred) or self.rows is not None

    @property
    def without_rows(self) -> ForecastChanges:
        """Those that are seen where nothing tells how many rows come out."""
        counts = (Turn.IN_MORE, Turn.IN_FEWER)
        seen = {name: one for name, one in self.columns.items() if one.turn not in counts}
        return replace(self, columns=seen, rows=None)

    def without(self, turn: Turn) -> ForecastChanges:
        """The same without what changed so."""
        return replace(self, columns={name: one for name, one in self.columns.items() if one.turn is not turn})

    def of_others(self, names: Collection[str]) -> ForecastChanges:
        """The same of other columns than these, of which no detail was seen before."""
        return replace(self, columns={name: one for name, one in self.columns.items() if name not in names})

    def for_ticks(self, names: Collection[str]) -> ForecastChanges:
        """The same while more ticks may come: what gives way for these, and not yet in how many rows."""
        lost = (name for name, one in self.columns.items() if one.turn.tone == "warning")
        ways = frozenset(lost).difference(names)
        return replace(self, rows=None, giving_way=ways, costs=True)

    @property
    def loses(self) -> bool:
        """Whether a column says nothing any more, in any row."""
        return any(one.turn is Turn.LOST for one in self.columns.values())

    @property
    def only_gains(self) -> bool:
        """Whether more is told by them, and nothing less."""
        tones = {one.turn.tone for one in self.columns.values()}
        if self.rows is not None:
            before, now = map(sum, self.rows)
            tones.add("success" if now > before else "warning")
        return "success" in tones and "warning" not in tones

    @property
    def parts(self) -> tuple[str, ...]:
        """What changed, in a few words each: what is worse comes first, so that it is not overlooked."""
        order = (
            Turn.LOST,
            Turn.COARSER,
            Turn.IN_FEWER,
            Turn.OTHERWISE,
            Turn.FINER,
            Turn.IN_MORE,
            Turn.TAKEN_IN,
            Turn.LEFT_OUT,
        )
        said = {name: one for name, one in self.columns.items() if name not in self.giving_way}
        if self.costs:
            said = {name: one for name, one in said.items() if one.turn.tone == "warning"}
        some = {turn: [name for name, one in said.items() if one.turn is turn] for turn in order}
        found = [f"{_few(names)} {turn.value}" for turn, names in some.items() if names]
        if self.rows is not None and not (self.costs and sum(self.rows[1]) >= sum(self.rows[0])):
            before, now = self.rows
            more = "more" if sum(now) > sum(before) else "fewer"
            against = Turn.IN_FEWER if more == "more" else Turn.IN_MORE
            though = f"{_few(some[against])} {against.value}" if some[against] else ""
            was = "was guessed" if self.guessed else "was"
            told = f"({rows_words(now)} of 100, {was} {rows_words(before)})"
            why = ""
            if self.said:  # nothing is lost by an answer: the forecast before it was a guess, or of another answer
                why = "by what you said "
                told = f"than {'was guessed' if self.guessed else 'before'} ({rows_words(before)} of 100)"
            if though:  # both are true of the same rows, and read one after the other as if one were wrong
                found[found.index(though)] = f"{though}, though {why}{more} come out in all {told}"
            else:
                found.append(f"{why}{more} rows come out {told}")
        ways = [name for name in self.columns if name in self.giving_way]
        found += [f"{_few(ways)} {'give' if len(ways) > 1 else 'gives'} way"] if ways else []
        left_out = all(one.turn is Turn.LEFT_OUT for one in self.columns.values())
        if self.columns and left_out and not (self.rows or self.costs):
            found.append("no other detail changes")
        coarser = {one.turn for one in said.values()} & {Turn.LOST, Turn.COARSER}
        if self.preferred and coarser:
            return (f"{found[0]}, so that {listed_names(self.preferred)}", *found[1:])
        return (*found, *(f"{one} before others are finer" for one in self.preferred))

    @property
    def in_short(self) -> str:
        """The same for a button, without how many rows it is."""
        if not self:
            return NOTHING_ELSE
        rows = [] if self.rows is None else ["more rows" if sum(self.rows[1]) > sum(self.rows[0]) else "fewer rows"]
        return "; ".join((*replace(self, rows=None).parts, *rows))

    @property
    def words(self) -> str:
        """All of it in a sentence; "" where nothing changed."""
        parts = self.parts
        return f"{'; '.join(parts)}." if parts else ""


def changes_between(before: ShownForecast, now: ShownForecast, *, steps: int = 1) -> ForecastChanges:
    """What is expected now, and was not before."""
    found = {}
    for name in dict.fromkeys((*now.names, *before.names)):
        one = _change(name, before, now)
        if one is not None:
            found[name] = one
    turns = [new - old for old, new in zip(before.rows, now.rows, strict=True)]
    # A range that only became narrower, or wider, says neither that more rows come out nor that fewer do.
    alike = all(abs(one) < 100 * _NOTICED / 2 for one in turns) or min(turns) < 0 < max(turns)
    guessed = {one.column for one in before.details if one.unknown} - {one.column for one in now.details if one.unknown}
    said = before.said != now.said
    if said and not found:
        alike = max(map(abs, turns)) < 100 * _NOTICED / 4
    rows = None if alike else (before.rows, now.rows)
    preferred = tuple(
        f"{one.column} keeps {one.words.partition(',')[0]}"
        for name in sorted(now.preferred - before.preferred)
        for one in now.lines(name)[:1]
    )
    guessed_now = bool(guessed.intersection(now.names))
    return ForecastChanges(found, rows, steps, guessed_now, said, preferred=preferred)


def _change(name: str, before: ShownForecast, now: ShownForecast) -> ColumnChange | None:
    old, new = before.lines(name), now.lines(name)
    if not old or not new:
        taken = Turn.LOST if all(one.words == ANY for one in new) else Turn.TAKEN_IN
        return ColumnChange(taken if new else Turn.LEFT_OUT, "" if new else _ladder(old))
    alike = [one.words for one in old] == [one.words for one in new]
    same = before.hierarchies.get(name) is now.hierarchies.get(name)
    first = old[0].words == new[0].words
    if alike and len(old) == 1:
        return None
    sizes = _sizes(old, None if same else before.hierarchies.get(name))
    now_sizes = _sizes(new, None if same else now.hierarchies.get(name))
    if sizes is None or now_sizes is None:
        if not first:
            return ColumnChange(Turn.OTHERWISE, _ladder(old))
        sizes, now_sizes = ([0.0, *[inf] * (len(some) - 1)] for some in (old, new))  # the finest is all they share
    gain = _gain((sizes, _parts(old)), (now_sizes, _parts(new)))
    if abs(gain) < _NOTICED:
        return None if first else ColumnChange(Turn.OTHERWISE, _ladder(old))
    if not first:
        worse = Turn.LOST if all(one.words == ANY for one in new) else Turn.COARSER
        return ColumnChange(Turn.FINER if gain > 0 else worse, _ladder(old))
    turns = [(then - before) * gain for before, then in zip(old[0].rows, new[0].rows, strict=True)]
    if min(turns) < 0:
        return None  # whoever reads both ranges sees the opposite, or neither
    told = old[0].rows_words
    was = told if told != new[0].rows_words else old[0].part
    return ColumnChange(Turn.IN_MORE if gain > 0 else Turn.IN_FEWER, was)


def _ladder(lines: Sequence[DetailOutlook]) -> str:
    return _BECOMES.join(one.words for one in lines)


def _sizes(lines: Sequence[DetailOutlook], hierarchy: Hierarchy | None) -> list[float] | None:
    """How coarse each level is: as it stands in the hierarchy, or by its intervals beside those of another one.

    None where it cannot be told; without a hierarchy its own levels count.
    """
    if hierarchy is None:
        return [inf if one.says_nothing else float(one.level) for one in lines]
    found = [inf if one.says_nothing else _width(hierarchy, one.level) for one in lines]
    return None if None in found else [size for size in found if size is not None]


def _width(hierarchy: Hierarchy, level: int) -> float | None:
    """How wide the intervals of a level are; 0 of values as they are, None where that is not so."""
    return interval_width(hierarchy, level) if level else 0.0


def _parts(lines: Sequence[DetailOutlook]) -> list[float]:
    """About which part of the rows of a column that come out has each level."""
    middle = [sum(one.rows) / 2 if one.usual is None or not one.is_open else one.usual for one in lines]
    whole = sum(middle)
    return [one / whole for one in middle] if whole else [1.0 / len(lines)] * len(lines)


def _gain(old: tuple[Sequence[float], Sequence[float]], new: tuple[Sequence[float], Sequence[float]]) -> float:
    """How many more rows have a detail so fine or finer, as a part of all: where that differs most; below 0 for fewer.

    Each is the size of levels, a smaller one finer, and the part of the rows that has it.
    """
    many = [_as_fine(new, size) - _as_fine(old, size) for size in sorted({*old[0], *new[0]}) if size != inf]
    return max(many, key=abs, default=0.0)


def _as_fine(levels: tuple[Sequence[float], Sequence[float]], size: float) -> float:
    return sum(part for one, part in zip(*levels, strict=True) if one <= size)


def _few(names: Sequence[str]) -> str:
    return listed_names(names) if len(names) <= _NAMED else counted(len(names), "column")
