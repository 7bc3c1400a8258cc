"""Filters of rows: a small language with a reader of its own and nothing that executes.

::

    age >= 18 and not (sex = 'Male' or "job title" in ('Chef', 'Nurse'))
    hired < 2020-01-31 and note is not missing and `city` starts with 'San'

- Columns stand bare (`age`, `marital-status`), or in "double quotes", [brackets] or `backticks`.
- Texts stand in 'single quotes' ('' for one within), numbers and dates (`2020-01-31`, `2020-01-31T12:30`) bare.
- `=`, `!=` (or `<>`), `<`, `<=`, `>`, `>=`, `in (…)`, `not in (…)`, `contains`, `starts with`, `is missing`,
  `is not missing`; `not` before `and` before `or`; words in capitals or not.

What a comparison means follows from the kind of the column. Numbers compare by size, dates by time, ordered
categories by their declared order, everything else by being exactly the same text. A date-time compared with a
date is taken by its day. `contains` and `starts with` look at the text as it stands in the file. A missing
value, or one that does not fit the kind of its column, equals nothing and is neither smaller nor greater; `!=`
is the opposite of `=` and `not in` the opposite of `in`, so they hold for it. Every filter therefore says yes
or no to each row by that row alone.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from workbench.core.dates import seconds_reader, to_days
from workbench.core.filter_rules import (
    Among,
    And,
    ComparisonRule,
    Day,
    Moment,
    Not,
    Or,
    Rule,
    Value,
    Within,
    Without,
    columns_of,
    evaluate,
    written,
)
from workbench.core.filter_words import FilterError, TokenKind, Word, shortened, words_of
from workbench.core.kinds import is_missing
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Table

DEEPEST = 50
"""Parentheses and “not” that may stand inside each other."""

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_END_OF_TIME = 253402300800.0  # the year 10000
_READ_DAY = seconds_reader("%Y-%m-%d")
_READ_TIMES = tuple(seconds_reader(f"%Y-%m-%dT{clock}") for clock in ("%H:%M", "%H:%M:%S", "%H:%M:%S.%f"))


@dataclass(frozen=True)
class Filter:
    """A rule that says of every row whether it takes part. `str(filter)` can be parsed again and means the same."""

    rule: Rule

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns it looks at, in the order in which they are first named."""
        return tuple(dict.fromkeys(columns_of(self.rule)))

    def mask(self, table: Table, schema: Schema) -> NDArray[np.bool_]:
        """Which rows of the table take part, shape (rows,).

        Every comparison is made once for each distinct value of its column and then looked up for the rows.

        Raises
        ------
        WorkbenchError
            If the table lacks a column, or the column is no longer of a kind that the filter can be applied to.
        """
        return evaluate(self.rule, table, schema)

    def __str__(self) -> str:
        return written(self.rule)


def parse(text: str, schema: Schema) -> Filter:
    """Read a filter and check it against the description of the columns.

    Raises
    ------
    FilterError
        If it cannot be read or does not fit the columns; it knows the position, and the hint says what to write.
    """
    return Filter(_Parser(text, schema).read())


class _Parser:
    """Recursive descent over the words; as deep as the parentheses, not as long as the filter."""

    def __init__(self, text: str, schema: Schema) -> None:
        self._text = text
        self._schema = schema
        self._words: Iterator[Word] = words_of(text)
        self._word = next(self._words)
        self._depth = 0

    def read(self) -> Rule:
        if self._ended():
            self._fail("The filter is empty.", "Write a comparison, such as age >= 18.")
        rule = self._any()
        if self._sees(")"):
            self._fail("There is a ) without its (.", "Take it out, or open a parenthesis before it.")
        if not self._ended():
            self._fail(f"{self._here()} is not expected here.", "Join comparisons by and, or.")
        return rule

    # Rules

    def _any(self) -> Rule:
        parts = [self._all()]
        while self._takes("or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else Or(_flat(parts, Or))

    def _all(self) -> Rule:
        parts = [self._one()]
        while self._takes("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else And(_flat(parts, And))

    def _one(self) -> Rule:
        if self._takes("not"):
            self._deeper()
            rule: Rule = Not(self._one())
        elif self._sees("("):
            opened = self._word
            self._next()
            self._deeper()
            rule = self._any()
            if self._ended():
                self._fail("A ( is never closed.", "Write a ) at the end of what belongs together.", opened)
            if not self._sees(")"):
                self._fail(f"{self._here()} is not expected here.", "Join comparisons by and, or; or close the (.")
            self._next()
        else:
            return self._comparison()
        self._depth -= 1
        return rule

    def _comparison(self) -> Rule:
        if self._word.sort in (TokenKind.NUMBER, TokenKind.DATE, TokenKind.TEXT):
            return self._value_first()
        column = self._column()
        if self._takes("is"):
            negated = self._takes("not")
            if not self._takes("missing"):
                self._fail("After “is” only missing or not missing can stand.", "Use = to compare with a value.")
            rule: Rule = Without(column.name)
            return Not(rule) if negated else rule
        if self._takes("not"):
            if not self._takes("in"):
                self._fail("After a column and “not” only in can stand.", f"Write: {written_name(column)} not in (…)")
            return Not(self._among(column))
        if self._takes("in"):
            return self._among(column)
        if self._takes("contains"):
            return Within(column.name, self._piece(), False)
        if self._takes("starts"):
            if not self._takes("with"):
                self._fail("After “starts” the word with is missing.", "Write: starts with 'text'")
            return Within(column.name, self._piece(), True)
        word = self._word
        if word.sort is not TokenKind.COMPARISON:
            self._fail(
                f"After the column “{column.name}” a comparison is missing.",
                "Use one of = != < <= > >= in, not in, contains, starts with, is missing.",
            )
        self._next()
        return self._compared(column, word, self._value(column))

    def _value_first(self) -> Rule:
        literal = self._word
        self._next()
        word = self._word
        if word.sort is not TokenKind.COMPARISON:
            self._fail("A comparison begins with a column.", "Write the column first, such as age >= 18.", literal)
        self._next()
        column = self._column()
        flipped = Word(word.sort, _FLIPPED[word.text], word.position)
        return self._compared(column, flipped, self._fitting(column, literal))

    def _compared(self, column: ColumnSpec, word: Word, value: Value) -> Rule:
        ordered = column.kind.numeric or column.kind.temporal
        if word.text not in ("=", "!=") and not ordered:
            if column.kind is not Kind.ORDERED or column.domain is None:
                hint = "Use = or in (…); or say in which order the values come, or that they are numbers."
                self._fail(f"The values of “{column.name}” have no order, so {word.text} means nothing.", hint, word)
            if value not in column.domain:
                known = ", ".join(f"'{one}'" for one in column.domain[:8])
                self._fail(
                    f"“{shortened(str(value))}” is none of the values of “{column.name}”.", f"They are: {known}.", word
                )
        if word.text == "!=":
            return Not(ComparisonRule(column.name, "=", value))
        return ComparisonRule(column.name, word.text, value)

    def _among(self, column: ColumnSpec) -> Rule:
        if not self._sees("("):
            self._fail("After “in” a list in parentheses is missing.", "Write: in (1, 2) or in ('a', 'b')")
        self._next()
        values = [self._value(column)]
        while self._sees(","):
            self._next()
            values.append(self._value(column))
        if not self._sees(")"):
            self._fail("The list is not closed.", "Put commas between its values and a ) at its end.")
        self._next()
        return Among(column.name, tuple(dict.fromkeys(values)))

    # Columns and values

    def _column(self) -> ColumnSpec:
        word = self._word
        if word.sort not in (TokenKind.NAME, TokenKind.QUOTED):
            where = "at the end" if self._ended() else f"where {self._here()} stands"
            self._fail(f"A column is expected {where}.", "Write a comparison, such as age >= 18.")
        for column in self._schema.columns:
            if column.name == word.text:
                self._next()
                return column
        self._fail(f"There is no column {self._here()}.", self._meant(word))

    def _meant(self, word: Word) -> str:
        names = self._schema.names
        folded = word.text.casefold()
        longer = [name for name in names if name.casefold().startswith(folded + " ")]
        if longer and word.sort is TokenKind.NAME:
            return f'Names with spaces are written in double quotes: "{longer[0]}"'
        same = [name for name in names if name.casefold() == folded]
        close = same or difflib.get_close_matches(word.text[:100], [name[:100] for name in names], 1)
        if close:
            return f"Did you mean “{close[0]}”?"
        if word.sort is TokenKind.QUOTED and self._text[word.position : word.position + 1] == '"':
            return f"Texts are written in single quotes: '{shortened(word.text)}'. Double quotes are for columns."
        return f"The columns are: {', '.join(names[:12])}{', …' if len(names) > 12 else ''}."

    def _piece(self) -> str:
        word = self._word
        if word.sort is not TokenKind.TEXT:
            self._fail("A text in single quotes is expected here.", "Write it like 'this'.")
        self._next()
        return word.text

    def _value(self, column: ColumnSpec) -> Value:
        word = self._word
        if word.sort in (TokenKind.NAME, TokenKind.QUOTED):
            self._fail(
                f"A value is expected, but {self._here()} is written as a column.",
                f"Texts are written in single quotes: '{shortened(word.text)}'",
            )
        if word.sort not in (TokenKind.NUMBER, TokenKind.DATE, TokenKind.TEXT):
            where = "at the end" if self._ended() else f"where {self._here()} stands"
            self._fail(f"A value is expected {where}.", f"Write one, such as {_example(column)}.")
        self._next()
        return self._fitting(column, word)

    def _fitting(self, column: ColumnSpec, word: Word) -> Value:
        """The value of a word as the kind of the column wants it."""
        if column.kind.numeric:
            if word.sort is not TokenKind.NUMBER:
                self._wrong(column, "numbers", word)
            number = float(word.text)
            if not math.isfinite(number):
                self._fail(f"{shortened(word.text)} is too large a number.", "Give a smaller one.", word)
            return number + 0.0  # there is no negative zero
        if column.kind.temporal:
            # A date in quotes is what many will write, and it cannot mean anything else here.
            if word.sort is TokenKind.NUMBER:
                self._wrong(column, "dates", word)
            return self._moment(column, word)
        if word.sort is not TokenKind.TEXT:
            self._wrong(column, "texts", word)
        if is_missing(word.text, column.missing):
            self._fail(
                f"'{shortened(word.text)}' stands for a missing value of “{column.name}”, and that equals nothing.",
                f"Write: {written_name(column)} is missing",
                word,
            )
        return word.text

    def _moment(self, column: ColumnSpec, word: Word) -> Value:
        text = word.text.strip().replace(" ", "T", 1)
        day = _READ_DAY(text)
        if day is not None:
            return Day(int(to_days(day)))
        for read in _READ_TIMES:
            moment = read(text)
            if moment is not None and moment < _END_OF_TIME:
                return Moment(moment)
        if word.sort is TokenKind.TEXT:
            self._wrong(column, "dates", word)
        self._fail(f"There is no date {shortened(word.text)}.", "Dates are written like 2020-01-31.", word)

    def _wrong(self, column: ColumnSpec, what: str, word: Word) -> NoReturn:
        shown = f"'{shortened(word.text)}'" if word.sort is TokenKind.TEXT else shortened(word.text)
        self._fail(
            f"“{column.name}” holds {what}, and {shown} is none.", f"Write the value like {_example(column)}.", word
        )

    # Words

    def _takes(self, keyword: str) -> bool:
        if self._word.sort is TokenKind.KEYWORD and self._word.text == keyword:
            self._next()
            return True
        return False

    def _next(self) -> None:
        self._word = next(self._words)

    def _sees(self, sign: str) -> bool:
        return self._word.sort is TokenKind.SIGN and self._word.text == sign

    def _ended(self) -> bool:
        return self._word.sort is TokenKind.END

    def _here(self) -> str:
        return f"“{shortened(self._word.text)}”"

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self._fail(f"More than {DEEPEST} parentheses stand inside each other.", "Write the filter more simply.")

    def _fail(self, message: str, hint: str, word: Word | None = None) -> NoReturn:
        raise FilterError(message, hint=hint, position=(word or self._word).position)


def written_name(column: ColumnSpec) -> str:
    """The name of a column as a filter writes it."""
    return written(Without(column.name)).removesuffix(" is missing")


def _flat(parts: list[Rule], kind: type[And] | type[Or]) -> tuple[Rule, ...]:
    """“(a and b) and c” is “a and b and c”."""
    return tuple(inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,)))


def _example(column: ColumnSpec) -> str:
    if column.kind.numeric:
        return "12.5"
    return "2020-01-31" if column.kind.temporal else "'this'"


__all__ = ["DEEPEST", "Filter", "FilterError", "parse"]
