"""The lines of the tables of columns, and what is shown in them beside their texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush

from workbench.anonymise.chains import EXPECTED_ROWS
from workbench.core.hierarchy import ANY
from workbench.gui.theme import colour
from workbench.gui.widgets.records import RIGHT, Index, RecordColumn, RecordsModel
from workbench.gui.workspaces.anonymise.purpose_ticks import IN_THE_FILE
from workbench.session.release.came_out import ColumnOut
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.forecast_changes import ColumnChange
from workbench.session.release.spread import listed_names

NAME, DETAIL, ROWS = 0, 1, 2
"""The columns of the name with its tick, of the detail, and of how many rows."""
FOR_SO_MANY = f"Details as for {EXPECTED_ROWS:,} people."
GUESSED = f"{FOR_SO_MANY} In how many rows they come out depends most on how many there are."
_ROWS = (
    "How many of all rows are likely to come out so, if no cell is blank: from values spread evenly to few frequent "
    "ones, or what is usual where these differ much"
)
_UNKNOWN, _UNSAID = "unknown", "–"
_NOT_SAID = "not yet said"
FOLLOWS = "Once it is said what occurs, it is told how many come out."
"""Said below the table in the place of a number that would be another one then."""
_WHY_UNKNOWN = (
    "As good as nothing is known of that, as nobody said what can occur in {}: say it, under “Say what occurs”, and it "
    "becomes closer."
)
_NEEDED = "People a value needs, such as a small ward: {}. Of fewer it is likely to be lost"
_PERHAPS = ", of fewer than the second number perhaps"
_RARE = "A value of few people is likely to be lost"
_NOT_IN = "not in the file"
_NOT_TICKED = f"{ANY}, not ticked"
_STARRED = f"{ANY} where a value is too rare"
_WAS = "The forecast before your last step. Undo takes the step back; it says so until the next one, or the draw"


@dataclass(frozen=True)
class Beside:
    """A caution below the line of a level."""

    column: str
    words: str
    tone: str
    covers: bool = False
    told: str = ""
    asks: bool = False
    rows_words = rows_told = needs_words = needs_told = ""

    @property
    def detail(self) -> str:
        return self.words


@dataclass(frozen=True)
class _OrCoarser(DetailOutlook):
    """A level in some rows and `*`, or what is coarser, in the others: two lines of one column say less than one.

    Parameters
    ----------
    others
        In how many rows it is which of these, in sentences; "" where there are none.
    asks
        Whether it tells to say what occurs.
    """

    others: str = ""
    asks: bool = False

    @classmethod
    def of(cls, one: DetailOutlook, *others: DetailOutlook) -> _OrCoarser:
        plain = {field.name: getattr(one, field.name) for field in fields(DetailOutlook)}
        words = (
            f", or {ANY}" if all(other.words == ANY for other in others) else f"{',' * bool(one.narrower)} or coarser"
        )
        words = f"{one.narrower}{words}" if others else ""
        told = (f"{other.words} in others: {other.rows_told[0].lower()}{other.rows_told[1:]}" for other in others)
        ends = f"{one.ends}{words}" if one.ends else ""
        shown = {"words": f"{one.words}{words}", "ends": ends, "narrower": "" if others else one.narrower}
        return cls(**plain | shown, others=". ".join(told))

    @property
    def rows_told(self) -> str:
        return ". ".join(filter(None, (super().rows_told, self.others)))

    @property
    def told(self) -> str:
        starred = f"{_STARRED}." if self.words.endswith(f", or {ANY}") else ""
        return " ".join(filter(None, (starred, super().told)))


def _in_one_line(details: Sequence[DetailOutlook]) -> Iterator[DetailOutlook]:
    """The levels of each column; where there are two and the second is `*`, both in one line."""
    for _, levels in groupby(details, lambda one: one.column):
        match tuple(levels):
            case one, star if star.words == ANY and not one.caution:
                yield _OrCoarser.of(one, star)
            case several:
                yield from several


def outlook_lines(details: Sequence[DetailOutlook]) -> list[DetailOutlook | Beside]:
    """Levels, and below each what is wrong with it: in one line one is cut."""
    found: list[DetailOutlook | Beside] = []
    for one in _in_one_line(details):
        found.append(one)
        if one.caution:
            tone = "warning" if one.doubtful else "muted"
            asks = not one.halved and (one.unknown or one.guessed)
            found.append(Beside(one.column, one.caution, tone, one.covers, one.caution_told, asks))
    return found


def one_lines(details: Sequence[DetailOutlook]) -> list[DetailOutlook | Beside]:
    """Each column in one line, whatever is said of it, so that no tick moves under the hand of who makes several.

    What is to be said stands in the place of a detail that is a guess until then: beside it, it was read as one state.
    """
    found: list[DetailOutlook | Beside] = []
    for _, levels in groupby(details, lambda one: one.column):
        first, *others = levels
        line = _OrCoarser.of(first, *others)
        if first.caution:
            asks = not first.halved and bool(first.unknown or first.guessed)
            words = first.caution if asks else f"{line.words}: {first.caution}"
            line = replace(line, words=words, ends="", groups=0, narrower="", asks=asks)
        found.append(line)
    return found


def plain_starts(details: Sequence[DetailOutlook]) -> list[DetailOutlook | Beside]:
    """Each column at its finest level alone: what else may become of it follows from what is said next.

    How wide intervals are is not told where it is to be said first how far the numbers reach.
    """
    first = (next(levels) for _, levels in groupby(details, lambda one: one.column))
    return [replace(one, words=_NOT_SAID, narrower="") if _is_guessed(one) else one for one in first]


def with_spared(
    lines: Sequence[DetailOutlook | Beside], spared: Sequence[str], names: Sequence[str]
) -> list[DetailOutlook | Beside]:
    """The same lines and one of each column that is left out, in the order of `names`: no tick moves by another."""
    found = [*lines, *(Beside(name, _NOT_IN, "muted", covers=True) for name in spared)]
    return sorted(found, key=lambda one: names.index(one.column))


def what_helps(details: Sequence[DetailOutlook], *, several_rows: bool) -> str:
    """What keeps more of rare values, in a sentence."""
    telling = {one.column for one in details if one.words != ANY}
    # To leave out what is * anyway helps nothing, nor is one column left out for itself.
    less = ["fewer rows per person"] * several_rows + ["fewer columns that are not *"] * (len(telling) > 1)
    helps = ", ".join([*less, "coarser details or more ε"])
    return f"{helps[:1].upper()}{helps[1:]} help."


def _is_guessed(one: DetailOutlook) -> bool:
    return one.words.startswith("intervals of ") and not one.halved and bool(one.unknown or one.guessed)


def in_their_room(
    details: Sequence[DetailOutlook], shown: Sequence[DetailOutlook | Beside]
) -> list[DetailOutlook | Beside]:
    """The lines where each column has as many as in what is shown, so that none of them moves; or all, of others.

    Lines that a column no longer needs are empty. Where it needs more, its last levels are in one line, and a caution
    is where the pointer rests.
    """
    lines = outlook_lines(details)
    room = Counter(one.column for one in shown)
    if list(room) != list(dict.fromkeys(one.column for one in lines)):
        return lines
    found: list[DetailOutlook | Beside] = []
    for column, most in room.items():
        levels = [one for one in details if one.column == column]
        own = [one for one in lines if one.column == column]
        fine = len(levels)
        while len(own) > most and fine > 1:
            fine -= 1
            own = outlook_lines([*levels[: fine - 1], _OrCoarser.of(*levels[fine - 1 :])])
        found += own[:most]
        found += [Beside(column, "", "muted")] * (most - len(own))
    return found


def _tone(line: DetailOutlook | Beside, waits: bool) -> str:
    """The colour of a detail that is not as usual; "" of others. What is to be said looks like what leads to it."""
    if isinstance(line, _OrCoarser) and line.asks and not waits:
        return "link"
    return line.tone if isinstance(line, Beside) else "warning" if line.doubtful and not waits else ""


class ColumnLines(RecordsModel[Any]):
    """Lines of columns at levels; a column is named once, and what says nothing is muted."""

    def show_lines(self, lines: Sequence[DetailOutlook | Beside] | Sequence[ColumnOut]) -> None:
        names = [one.column for one in lines]
        self._named = {0, *(place for place, (one, after) in enumerate(pairwise(names), 1) if one != after)}
        self.show_records(tuple(lines))

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 and index.row() not in self._named:
            return ""
        return super().data(index, role)

    def look(self, row: int, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.ForegroundRole and (self.records[row].words == ANY or self.records[row].covers):
            return QBrush(colour("muted"))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[column].text(self.records[row]) or None
        return None


class OutlookLines(ColumnLines):
    """Lines of what is likely to come out; where a column is named, it is ticked, and its detail can be chosen.

    Signals
    -------
    ticked(str, bool)
        A column is to matter most from now on, or like the others.
    """

    ticked = Signal(str, bool)

    offered: frozenset[str] = frozenset()
    """The columns of which one detail can be chosen."""
    _telling: Collection[str] = frozenset()
    """The columns that say something in some row."""
    guessed = False
    """Whether nobody said how many people there are, on which most depends in how many rows a detail comes out."""
    waits = False
    """Whether it is still to be said how many there are, or what the release is for: no figure is worth reading yet."""
    asked = False
    """Whether it is still to be said what occurs in a column that is ticked: every figure would be another one then."""
    unsaid: Sequence[str] = ()
    """The columns of which it is a guess what can occur, so that neither a wide range nor a far number says much."""
    ticks: Mapping[str, bool] = MappingProxyType({})
    """Whether each column matters most; those are not there of which that is not asked."""
    changes: Mapping[str, ColumnChange] = MappingProxyType({})
    """What the last step made of a column: said where it stands, as a line more would move what is reached for."""

    def __init__(self) -> None:
        super().__init__()
        self.columns = (
            RecordColumn("Column", lambda one: one.column),
            RecordColumn("Detail", self.detail_words),
            RecordColumn("% of rows", self.rows_words, RIGHT, _ROWS),
        )

    def detail_words(self, one: DetailOutlook | Beside) -> str:
        """The detail; of a column that gives way for ticked ones, with why, as the tick that mends it is beside it."""
        waits = self.ticks.get(one.column) is False and any(self.ticks.values())
        return _NOT_TICKED if waits and one.words == ANY and one.column not in self._telling else one.detail

    def rows_words(self, one: DetailOutlook | Beside) -> str:
        """In how many of 100 rows, once somebody said how many people there are; nothing of what is told in none."""
        if one.words == ANY and one.column not in self._telling:
            return ""
        if self._tells_none and one.rows_words:
            return _UNSAID
        return _UNKNOWN if self._is_unknown(one) else one.rows_words

    @property
    def _tells_none(self) -> bool:
        """Whether no figure is told of any column, as what is asked first makes another one of it."""
        return self.guessed or self.waits or self.asked

    def _is_unknown(self, one: DetailOutlook | Beside) -> bool:
        """Whether what can occur is to be said before a range of rows says anything."""
        return bool(self.unsaid) and isinstance(one, DetailOutlook) and one.is_open

    @property
    def needs(self) -> tuple[str, ...]:
        """How many people a value needs of each column that says something, at its finest detail."""
        if self._tells_none:
            return ()
        found: dict[str, str] = {}
        for row in range(len(self.records)):
            one = self.records[row]
            if words := self._as_far_as_said(one).needs_words:
                found.setdefault(one.column, f"{one.column} {words}")
        return tuple(found.values())

    @property
    def needs_told(self) -> str:
        """The same in a sentence; without a number where none is told."""
        needs = self.needs
        if not needs:
            return f"{_RARE}."
        return f"{_NEEDED.format('; '.join(needs))}{_PERHAPS * any('–' in one for one in needs)}."

    def _as_far_as_said(self, one: DetailOutlook | Beside) -> DetailOutlook | Beside:
        """The line without how many people are enough, as long as what can occur is a guess, on which that hangs."""
        if not (self.unsaid and isinstance(one, DetailOutlook) and one.needs):
            return one
        return replace(one, needs=(one.needs[0], None))

    def show_lines(self, lines: Sequence[DetailOutlook | Beside] | Sequence[ColumnOut]) -> None:
        self._telling = {one.column for one in lines if isinstance(one, DetailOutlook) and one.words != ANY}
        super().show_lines(lines)

    def show_ticks(self, ticks: Mapping[str, bool]) -> None:
        """Show which columns matter most."""
        if ticks != self.ticks:
            self.ticks = ticks
            self.repaint()

    def is_ticked(self, row: int) -> bool | None:
        """Whether the column that is named in a row matters most; None where that is not asked there."""
        return self.ticks.get(self.records[row].column) if row in self._named else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        asked = index.isValid() and index.column() == NAME and self.is_ticked(index.row()) is not None
        return super().flags(index) | (Qt.ItemFlag.ItemIsUserCheckable if asked else Qt.ItemFlag.NoItemFlags)

    def _change_at(self, row: int) -> ColumnChange | None:
        """What the last step made of the column that is named in a row."""
        return self.changes.get(self.records[row].column) if row in self._named else None

    def tick(self, row: int) -> bool:
        """Tick the column that is named in a row, or untick it; whether there is a tick."""
        before = self.is_ticked(row)
        if before is None:
            return False
        name = self.records[row].column
        self.show_ticks({**self.ticks, name: not before})  # at once: the forecast takes a moment
        self.ticked.emit(name, not before)
        return True

    def offers(self, index: Index) -> bool:
        """Whether a cell has a detail that can be chosen: the first one of its column."""
        row = index.row()
        return index.column() == DETAIL and row in self._named and self.records[row].column in self.offered

    def asks(self, row: int) -> bool:
        """Whether a line tells to say what occurs in its column, so that a press on it is meant for that."""
        line = self.records[row] if 0 <= row < len(self.records) else None
        return isinstance(line, Beside | _OrCoarser) and line.asks

    @property
    def guesses(self) -> tuple[str, ...]:
        """The columns of which a line tells to say what occurs in them."""
        rows = filter(self.asks, range(len(self.records)))
        return tuple(dict.fromkeys(self.records[row].column for row in rows))

    def look(self, row: int, column: int, role: int) -> object:
        if column == NAME and (most := self.is_ticked(row)) is not None:
            if role == Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if most else Qt.CheckState.Unchecked
            if role == Qt.ItemDataRole.ToolTipRole:
                return f"Ticked: {IN_THE_FILE[0].lower()}{IN_THE_FILE[1:]}"
        if column == DETAIL:
            told, change = self.records[row].told, self._change_at(row)
            tone = _tone(self.records[row], self.waits) if told else ""
            if role == Qt.ItemDataRole.ForegroundRole and tone:
                return QBrush(colour(tone))
            if role == Qt.ItemDataRole.ToolTipRole:
                was = "" if change is None else f"{change.words[:1].upper()}{change.words[1:]}. {_WAS}"
                needs = "" if self._tells_none else self._as_far_as_said(self.records[row]).needs_told
                return "\n".join(filter(None, (self.columns[column].text(self.records[row]), told, needs, was)))
        if role == Qt.ItemDataRole.ToolTipRole and column == ROWS:
            if self.guessed:
                return GUESSED
            if self.asked:
                return FOLLOWS
            line = self.records[row]
            if self._is_unknown(line):
                return f"{line.rows_told}. {_WHY_UNKNOWN.format(listed_names(self.unsaid))}"
            return line.rows_told or None
        return super().look(row, column, role)
