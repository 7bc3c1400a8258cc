"""The released answer of a query, and nothing that was computed from true values without noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from workbench.core.json_values import listed, named, number, numbers, text, texts, whole
from workbench.core.number_text import file_text, shown, within_margin
from workbench.core.schema import ColumnSpec, Kind

_LOST = 0.05
"""Share of a margin by which a number that is rounded may be off: no more than its second digit tells."""

_FAR = 1e15
"""No date is so many days or seconds from 1970."""


class AnswerForm(StrEnum):
    """The form of an answer."""

    NUMBER = "number"
    """One number."""
    LIST = "list"
    """A number for each label of one axis."""
    TABLE = "table"
    """A number for each pair of labels."""
    CHOICE = "choice"
    """One of several labels, or none."""


@dataclass(frozen=True)
class ReleasedAnswer:
    """An answer that may be published.

    Parameters
    ----------
    form
        What it looks like.
    value
        A number; a list; a list of lists (rows of the first axis); or a text, None for "none of them".
    interval
        (low, high) with the same shape as `value`, so that each true value lies within its own with a chance of at
        least 95 %; None where there is no such thing.
    labels
        The labels of each axis; the candidates of a choice.
    noisy
        The noisy whole numbers from which the rest was computed, by part, in the units of the grid.
    shown
        The value as a person reads it, for a number or a choice.
    unit
        Of the numbers.
    positions
        Where the cells of a list lie on a line, if they do.
    edges
        Edges of the cells of a list, if they are ranges.
    notes
        What must be known to read the answer.
    """

    form: AnswerForm
    value: Any
    interval: tuple[Any, Any] | None = None
    labels: tuple[tuple[str, ...], ...] = ()
    noisy: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    shown: str = ""
    unit: str = ""
    positions: tuple[float, ...] | None = None
    edges: tuple[float, ...] | None = None
    notes: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """`shown`; where it lacks digits that the interval of a number tells, the number with these.

        A mean of 20,250,104.98 ± 0.05 is shown with six digits as 20,250,100, which it surely is not.
        """
        plain = self._plain_ends
        if plain is None:
            return self.shown
        margin = max(self.value - plain[0], plain[1] - self.value)
        lost = abs(float(self.shown.replace(",", "")) - self.value)
        return within_margin(self.value, *plain)[0] if lost > margin * _LOST else self.shown

    @property
    def said_between(self) -> tuple[str, str] | None:
        """The ends of the interval of a number, rounded outwards as far as its margin lets them be read; else None.

        Of an answer that is written as a date or a time they are such, too.
        """
        if self.form is not AnswerForm.NUMBER or self.interval is None:
            return None
        if (dated := self.dated) is not None and all(map(math.isfinite, self.interval)):
            low, high = self.interval
            return dated(float(math.floor(low))), dated(float(math.ceil(high)))
        return within_margin(self.value, *self.interval)[1:]

    @property
    def dated(self) -> Callable[[float], str] | None:
        """How numbers of an answer that is written as a date or a time are; None of any other."""
        number = self.form is AnswerForm.NUMBER and isinstance(self.value, int | float)
        if not number or self._is_plain or not abs(self.value) < _FAR:
            return None
        # What it is written as tells the kind of its column: a spread of dates is no date.
        return next((write for write in (_as_date, _as_time) if write(self.value) == self.shown), None)

    @property
    def _plain_ends(self) -> tuple[float, float] | None:
        """The interval of one number that is written as one, which a date is not; None of another answer."""
        if self.form is not AnswerForm.NUMBER or self.interval is None:
            return None
        try:
            there = self._is_plain and all(map(math.isfinite, (self.value, *self.interval)))
        except (TypeError, OverflowError):
            return None
        return (self.interval[0], self.interval[1]) if there else None

    @property
    def _is_plain(self) -> bool:
        try:
            return math.isfinite(float(self.shown.replace(",", "")))
        except ValueError:
            return False

    def to_json(self) -> dict[str, Any]:
        """As it is kept in the ledger."""
        return {name: _plain(value) for name, value in vars(self).items()}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> ReleasedAnswer:
        """Read what `to_json` wrote.

        Raises
        ------
        ValueError, KeyError, TypeError
            If it is something else.
        """
        form, labels = AnswerForm(named(plain, "an answer")["form"]), tuple(map(texts, listed(plain.get("labels", ()))))
        axes = {AnswerForm.LIST: labels[:1], AnswerForm.TABLE: labels[:2]}.get(form, ())
        if len(axes) < {AnswerForm.LIST: 1, AnswerForm.TABLE: 2}.get(form, 0):
            raise ValueError("an answer of several numbers without their labels")
        interval, positions, edges = plain.get("interval"), plain.get("positions"), plain.get("edges")
        if interval is not None:
            low, high = listed(interval, "the interval")
            interval = _shaped(low, axes), _shaped(high, axes)
        chosen = form is AnswerForm.CHOICE and plain["value"] is not None
        value = text(plain["value"]) if chosen else _shaped(plain["value"], axes)
        noisy = named(plain.get("noisy", {}), "the noisy numbers")
        return cls(
            form,
            value,
            interval,
            labels,
            MappingProxyType({name: tuple(map(whole, listed(part))) for name, part in noisy.items()}),
            text(plain.get("shown", "")),
            text(plain.get("unit", "")),
            None if positions is None else numbers(positions, "the positions"),
            None if edges is None else numbers(edges, "the edges"),
            texts(plain.get("notes", ()), "the notes"),
        )

    def by_label(self, numbers: Any) -> Any:
        """`value` or one side of `interval` with its labels, as JSON would hold it."""
        if self.form is AnswerForm.LIST:
            return dict(zip(self.labels[0], numbers, strict=True))
        if self.form is AnswerForm.TABLE:
            return {
                row: dict(zip(self.labels[1], cells, strict=True))
                for row, cells in zip(self.labels[0], numbers, strict=True)
            }
        return numbers

    def table(self) -> list[tuple[str, ...]]:
        """Rows of text with a heading, to copy or to save."""
        if self.form is AnswerForm.TABLE:
            return [
                ("", *self.labels[1]),
                *((label, *map(written, cells)) for label, cells in zip(self.labels[0], self.value, strict=True)),
            ]
        names = self.labels[0] if self.form is AnswerForm.LIST else ("answer",)
        values = self.value if self.form is AnswerForm.LIST else [self.value]
        if self.interval is None:
            return [("", "value"), *((name, written(value)) for name, value in zip(names, values, strict=True))]
        low, high = self.interval if self.form is AnswerForm.LIST else ([self.interval[0]], [self.interval[1]])
        return [
            ("", "value", "at least", "at most"),
            *(tuple(map(written, cells)) for cells in zip(names, values, low, high, strict=True)),
        ]


def _as_date(number: float) -> str:
    return shown(number, ColumnSpec("", Kind.DATE))


def _as_time(number: float) -> str:
    return shown(number, ColumnSpec("", Kind.DATETIME))


def written(value: Any) -> str:
    """A cell of a table of text."""
    if value is None:
        return ""
    return file_text(value, 15) if isinstance(value, float) else str(value)


def plain_number(value: float) -> int | float:
    """A whole number as an int, so that counts look like counts."""
    return int(value) if math.isfinite(value) and float(value).is_integer() and abs(value) < 2.0**53 else float(value)


def _shaped(value: Any, axes: Sequence[Sequence[str]]) -> Any:
    """A number, or numbers in lists as long as the axes; where there is none, None."""
    if not axes:
        if value is not None:
            number(value)
        return value
    if len(listed(value, "the numbers of an answer")) != len(axes[0]):
        raise ValueError("an answer of another number of numbers than labels")
    return [_shaped(one, axes[1:]) for one in value]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value.value if isinstance(value, StrEnum) else value
