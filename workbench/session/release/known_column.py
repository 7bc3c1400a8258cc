"""A column of which it can be said what occurs, and how what is typed of it is read; no row decides."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.core.builder_suggestions import public_specification
from workbench.core.column_words import is_age, is_year, words_of_name
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import bound, counted
from workbench.core.occurring import are_numbers, entries_of, span_of, without_currency, years_between
from workbench.core.occurring_listed import perhaps_one
from workbench.core.schema import ColumnSpec, Role
from workbench.core.widening import Span, level_ends, widening_specification, widens_by_name
from workbench.session.interval_widths import makes_sense
from workbench.session.mask_lengths import MaskLength

_AGES, _YEARS = (0, 130), (1000, 2200)
"""Ends beyond which ages and calendar years are asked about."""
_OTHER_UNITS = {"day", "days", "week", "weeks", "month", "months", "tage", "wochen", "monate", "jours", "mois"}
_CUTS = 3
"""So many ends of intervals are named where they are chosen."""


@dataclass(frozen=True)
class KnownColumn:
    """A column of which it can be said what occurs.

    Parameters
    ----------
    said, source
        What was typed, and where from; "" if nothing was.
    example
        A pattern to follow, the same whatever the rows are.
    before
        What counts as long as nothing is typed: that it is declared in Data, or listed by its hierarchy; "" if nothing
        is known.
    needed
        Whether it is released; one that somebody left out stays in the list, so that it can be taken in again.
    mask
        How long the codes are that its rule masks; None where its hierarchy is another one.
    most
        Whether it is to become `*` last, so that others pay for it; None where that is not for steps to decide.
    lists
        Whether each entry is a value, so that it can be said how many there are.
    spec
        How it is read, by which its intervals are made once it is said how far it reaches; None where none are.
    ruled
        Whether a rule made its hierarchy, which is made anew as soon as something is said.
    widths
        Whether its intervals widen; None as long as that is not settled.
    numeric
        Whether it is of numbers.
    """

    name: str
    role: Role
    said: str
    source: str
    example: str
    before: str
    needed: bool = True
    mask: MaskLength | None = None
    most: bool | None = None
    lists: bool = False
    spec: ColumnSpec | None = None
    ruled: bool = False
    widths: bool | None = None
    numeric: bool = False

    def is_of_numbers(self, words: str) -> bool:
        """Whether nothing but numbers was typed, or one range of them."""
        entries = entries_of(without_currency(words))
        try:
            return bool(entries) and (are_numbers(entries) or (len(entries) == 1 and span_of(entries[0]) is not None))
        except WorkbenchError:  # which is said when it is taken over
            return False

    def widening_for(self, words: str) -> bool | None:
        """Whether intervals widen over a range that is typed, as long as nobody chooses; None where nobody can."""
        entries = entries_of(without_currency(words))
        if self.spec is None or not self.ruled or self.mask is not None or len(entries) != 1:
            return None
        try:
            span = span_of(entries[0])
        except WorkbenchError:
            return None
        if span is None or not makes_sense(self.spec, span):
            return None
        return widens_by_name(self.spec, span) if self.widths is None else self.widths

    def beyond(self, words: str) -> str:
        """A question, where what is typed reaches beyond what ages or years can be; "" where it does not.

        It is asked by the name alone: a number typed into the wrong field is else taken over without a word.
        """
        told = words_of_name(self.name)
        reach = _AGES if is_age(self.name) else _YEARS if is_year(self.name) else None
        if reach is None or self.mask is not None or not _OTHER_UNITS.isdisjoint(told):
            return ""
        entries = entries_of(without_currency(words))
        try:
            ends = [end for one in entries for end in span_of(one) or ([float(one)] if are_numbers([one]) else ())]
        except (WorkbenchError, ValueError):  # which is said when it is taken over
            return ""
        what = "Ages" if reach is _AGES else "Years"
        if max(ends, default=reach[1]) > reach[1]:
            return f"{what} up to {bound(max(ends))}?"
        return f"{what} from {bound(min(ends))}?" if min(ends, default=reach[0]) < reach[0] else ""

    def perhaps_one(self, words: str) -> str:
        """Two values that were typed and may be one with a comma, which wants quotes; "" for none."""
        return perhaps_one(entries_of(words)) if self.lists else ""

    def range_read(self, words: str) -> str:
        """How a range of numbers or dates is read, or how many numbers are listed; "" of codes, and of all else."""
        entries = entries_of(without_currency(words))
        if self.mask is None and len(entries) > 1 and are_numbers(entries):
            return counted(len(entries), "value")
        if self.mask is not None or len(entries) != 1:
            return ""
        try:
            span = span_of(entries[0])
        except WorkbenchError:  # which is said when it is taken over
            return ""
        if span is None:
            years = years_between(entries[0])
            return "" if years is None else f"{years[0]} to {years[1]}"
        return f"{bound(span[0])} to {bound(span[1])}"

    def cuts_read(self, words: str, *, widening: bool) -> str:
        """The first numbers at which intervals over a range are cut, that widen or are equal; "" of few of them."""
        entries = entries_of(without_currency(words))
        span = span_of(entries[0]) if len(entries) == 1 else None
        if span is None or self.spec is None:
            return ""
        ends = list(level_ends(widening_specification(self.spec, span), 1)) if widening else self._equal_ends(span)
        return f"{', '.join(map(bound, ends[1 : 1 + _CUTS]))}, …" if len(ends) > 1 + _CUTS else ""

    def _equal_ends(self, span: Span) -> list[float]:
        """The first ends of equal intervals, one more than are named, as far as the range reaches."""
        assert self.spec is not None
        first = public_specification(replace(self.spec, bounds=span, observed=frozenset()))["details"]["intervals"][0]
        low, width = float(first["from"]), float(first["to"]) - float(first["from"])
        return [end for end in (low + width * place for place in range(_CUTS + 2)) if end <= span[1]]
