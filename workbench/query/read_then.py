"""Other circumstances in which a question was answered: how its columns were read, and which rows took part.

All of it is public and stands beside the answer. Examples of a reading are made up, and never values of the data: two
tables that differ in their values alone are told apart by none of these words.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from workbench.core.dates import ways_to_write
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import parse
from workbench.core.number_text import exact, shown
from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.core.working_table import Preparation
from workbench.query.circumstances import columns_read, in_words, working_table

_NUMBERS = ("1.234", "1,234", "1 234", "1'234", "1,234.5", "1.234,5")
_DAY = date(2003, 2, 1)
"""Whose day and month are told apart by whoever reads it the wrong way round."""


@dataclass(frozen=True)
class Otherwise:
    """The circumstances of an answer that were others than today's; false where none is known to have been.

    Parameters
    ----------
    brief
        In a word or two.
    words
        In a sentence.
    """

    brief: str = ""
    words: str = ""

    def __bool__(self) -> bool:
        return bool(self.brief)


ANOTHER_TABLE = Otherwise("another table", "Asked of another table, whose count goes on here.")


def otherwise(question: Mapping[str, Any], schema: Schema, preparation: Preparation) -> Otherwise:
    """The difference between now and when a question was answered.

    Parameters
    ----------
    question
        As it stands in the ledger, whichever version wrote it; of what it does not say, nothing is known.
    schema, preparation
        As they are now.
    """
    declared = schema.changed(schema.names, ColumnSpec.declared)
    # What another version wrote may look like anything.
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        then = question["columns"]
        now = columns_read(declared, Preparation(), then)
        if said := [words for name, read in then.items() if (words := _column(name, read, now.get(name)))]:
            return Otherwise("read otherwise", " ".join(said))
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        table, filtered = dict(question["table"]), bool(question.get("where"))
        standing = working_table(declared, preparation, filtered=filtered)
        if table != standing:
            return Otherwise("other rows", f"Rows then: {_rows(table)}; now: {_rows(standing)}.")
    return Otherwise()


def _rows(table: Mapping[str, Any]) -> str:
    return in_words(table).strip(" ()") or "all rows"


def _column(name: str, then: Mapping[str, Any], now: Mapping[str, Any] | None) -> str:
    if now is None:
        return f"{name} is no column of the table now."
    if then == now:
        return ""
    said: list[str] = []
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        said += _differences(then, now)
    return f"{name} read otherwise then: {'; '.join(said) or 'by another description'}."


def _differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    if then["kind"] != now["kind"]:
        yield f"as {Kind(then['kind']).words.lower()}, now as {Kind(now['kind']).words.lower()}"
    if example := _example(then, now):
        yield example
    before, after = then["missing"], now["missing"]
    if no_value := [text for text in before if text not in after]:
        yield f"{_named(no_value)} counted as no value"
    if values := [text for text in after if text not in before]:
        yield f"{_named(values)} counted as a value"
    if then.get("order") != now.get("order") and then["kind"] == now["kind"]:
        yield "in another order"
    if then.get("misfits") != now.get("misfits"):
        yield "what does not fit its kind was treated otherwise"


def _example(then: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """A made-up text that both read, but not alike; "" where they differ in nothing but their kind."""
    one, other = (ColumnSpec("", Kind(read["kind"]), format=Format(**read.get("format", {}))) for read in (then, now))
    numbers, dates = (one.kind.numeric and other.kind.numeric), (one.kind.temporal and other.kind.temporal)
    if one.format == other.format or not (numbers or dates):
        return ""
    written: Sequence[str] = _NUMBERS
    with contextlib.suppress(WorkbenchError, ValueError):  # a typed pattern may be anything
        if dates:
            written = [_DAY.strftime(way) for spec in (one, other) for way in ways_to_write(spec.format.pattern)]
        if found := _first(written, one, other):
            return found
    return _signs(one.format, other.format) or "written in another way"


def _first(texts: Sequence[str], then: ColumnSpec, now: ColumnSpec) -> str:
    """The first of these that both read, but not alike, or else that one of them reads alone."""
    read = [(text, _as_read(text, then), _as_read(text, now)) for text in texts]
    unlike = [one for one in read if one[1] != one[2]]
    both = [one for one in unlike if one[1] and one[2]]
    return next((f"“{text}” as {a or 'no value'}, now as {b or 'no value'}" for text, a, b in (*both, *unlike)), "")


def _as_read(text: str, spec: ColumnSpec) -> str:
    (found,) = parse([text], spec).tolist()
    if math.isnan(found):
        return ""
    return shown(found, spec) if spec.kind.temporal else exact(found)


def _signs(then: Format, now: Format) -> str:
    return "" if then.symbol == now.symbol else f"with {then.symbol or 'no sign'}, now with {now.symbol or 'none'}"


def _named(texts: Sequence[str]) -> str:
    return ", ".join(f"“{text}”" if text else "empty" for text in texts)
