"""Reading the nested part of a specification: every entry is checked, and an error says which one it is about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.core.errors import WorkbenchError

LARGEST_SIZE = 1_000_000
"""How many neighbours a group may join."""


class Details:
    """The entries of one JSON object.

    Parameters
    ----------
    plain
        The object as `json.loads` gives it.
    where
        What it is, for messages: such as "the specification" or "level 2".

    Raises
    ------
    WorkbenchError
        From the constructor if `plain` is no object, from every other method if an entry is of another type.
    """

    def __init__(self, plain: Any, where: str) -> None:
        if not isinstance(plain, Mapping) or not all(isinstance(name, str) for name in plain):
            raise WorkbenchError(f"{_start(where)} is not a list of named entries.", hint=_HINT, field=where)
        self.plain: Mapping[str, Any] = plain
        self.where = where

    def __contains__(self, name: str) -> bool:
        return self.plain.get(name) is not None

    def only(self, *names: str) -> None:
        """Refuse entries of other names: a misspelt one must not be ignored."""
        for name in self.plain:
            if name not in names:
                raise WorkbenchError(
                    f"{_start(self.where)} has an entry “{name}” that means nothing.",
                    hint=f"Known are: {', '.join(names) or 'none'}.",
                    field=name,
                )

    def text(self, name: str, default: str = "") -> str:
        value = self.plain.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(name, "is not a text")
        return value

    def flag(self, name: str) -> bool:
        """Whether an entry says yes; no if there is none."""
        value = self.plain.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(name, "is neither true nor false")
        return bool(value)

    def number(self, name: str) -> float | None:
        """A finite number, or None if there is none."""
        value = self.plain.get(name)
        return None if value is None else self._number(name, value)

    def required_number(self, name: str) -> float:
        value = self.number(name)
        if value is None:
            raise self.wrong(name, "is missing")
        return value

    def whole(self, name: str, default: int, minimum: int, maximum: int = 1 << 30) -> int:
        value = self.plain.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum:
            raise self.wrong(name, f"is not a whole number from {minimum:,} to {maximum:,}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        values = self._list(name)
        if not all(isinstance(value, str) for value in values):
            raise self.wrong(name, "is not a list of texts")
        return tuple(values)

    def optional_texts(self, name: str) -> tuple[str | None, ...]:
        """A list of texts in which an entry may be empty (null)."""
        values = self._list(name)
        if not all(value is None or isinstance(value, str) for value in values):
            raise self.wrong(name, "is not a list of texts")
        return tuple(values)

    def rows(self, name: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of texts."""
        rows = self._list(name)
        for row in rows:
            if not isinstance(row, Sequence) or isinstance(row, str) or not all(isinstance(cell, str) for cell in row):
                raise self.wrong(name, "is not a list of rows of texts")
        return tuple(tuple(row) for row in rows)

    def sizes(self, name: str, default: int = 1) -> tuple[int, ...]:
        """One size of at least 1, or a list of them."""
        value = self.plain.get(name, default)
        listed = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        for one in listed or (None,):
            if isinstance(one, bool) or not isinstance(one, int) or not 1 <= one <= LARGEST_SIZE:
                what = f"is neither a whole number above 0, up to {LARGEST_SIZE:,}, nor a list of such numbers"
                raise self.wrong(name, what)
        return tuple(listed)

    def one(self, name: str) -> Details:
        """The object of that name; an empty one if there is none."""
        return Details(self.plain.get(name) or {}, f"“{name}” in {self.where}")

    def entries(self, name: str, title: str) -> list[Details]:
        """The objects of a list; the first is called `title` 1."""
        return [Details(plain, f"{title} {number}") for number, plain in enumerate(self._list(name), start=1)]

    def wrong(self, name: str, what: str, hint: str = "") -> WorkbenchError:
        """The error for an entry that will not do."""
        return WorkbenchError(f"{_start(self.where)}: “{name}” {what}.", hint=hint or _HINT, field=name)

    def _list(self, name: str) -> Sequence[Any]:
        value = self.plain.get(name)
        if value is None:
            return ()
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise self.wrong(name, "is not a list")
        return value

    def _number(self, name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.wrong(name, "is not a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.wrong(name, "is not a finite number")
        return number


_HINT = "Correct the specification, or build the hierarchy anew."


def _start(where: str) -> str:
    return where[:1].upper() + where[1:]
