"""The values of a column that can occur, as far as somebody says so, counted in labels at each level.

It is public knowledge or a guess, such as “0, 1” for postcodes that begin so, or “1950-2005” for years of birth:
entries parted by commas or lines, each a value, the beginning of a code, or a range. No row is read for it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from workbench.core import postcodes
from workbench.core.building import listed_by
from workbench.core.closed_end import within_closed
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.number_text import typed
from workbench.core.widening import cells_within, level_ends

UNITS_A_YEAR: Mapping[str, int] = {
    "second": 365 * 86_400,
    "minute": 365 * 1_440,
    "hour": 365 * 24,
    "day": 365,
    "week": 52,
    "month": 12,
    "quarter": 4,
    "year": 1,
}
CYCLES: Mapping[str, int] = {"hour-of-day": 24, "weekday": 7, "month-of-year": 12, "quarter-of-year": 4}

MOST_LETTERS = 50_000
"""Of what is typed for one column: a code list has room. More is refused, never cut."""

LISTED_EXAMPLE = 'such as a, b, "c, d"'
"""Example of entries each of which is a value, and none a range or a beginning."""
_LETTERS = 10
"""Characters that may stand at one place of a code."""
_LONGEST = 12
"""Places of a code from which on more of them make no difference."""
_MOST_CODES = 100_000
_DECIMALS = 100
"""Numbers that are not whole, from one whole number to the next."""
_DIGITS_OF_ALL = 3
_TO = r"\s*(?:-|–|—|\bto\b|\.\.)\s*"
_RANGE = re.compile(rf"(-?\d+(?:\.\d+)?){_TO}(-?\d+(?:\.\d+)?)")
_END = r"(-?(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?)"
_GROUPED = re.compile(rf"(?=.*,){_END}{_TO}{_END}")
"""A range of which a number has its digits in groups of three, such as 0-120,000."""
_POINTED = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")
"""A number whose point may begin its decimals or part its thousands, such as 120.000."""
_QUOTED = re.compile(r'(?:^|(?<=[,;\t]))[^\S\t]*"((?:[^"]|"")*)"[^\S\t]*(?=[,;\t]|$)')
"""An entry in double quotes, from what parts it from others to what does again."""
_CODES = re.compile(rf"(\d+){_TO}(\d+)")
_ZEROS = re.compile(r"-?0\d")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_YEAR = re.compile(r"(\d{4})(?:s|-\d\d(?:-\d\d)?(?:[T ]\d.*)?)?")
_DAY = r"(?:(\d{4})-\d\d(?:-\d\d)?|\d{1,2}[./-]\d{1,2}[./-](\d{4}))"
_DAYS = re.compile(rf"{_DAY}(?:{_TO}{_DAY})?")
"""A day or a month, or a range of them: 2023-01-01 to 2024-12-31, 1.1.2023 – 31.12.2024."""

Entries = Sequence[str]


def entries_of(words: str) -> tuple[str, ...]:
    """Entries that were typed or pasted, parted at commas, semicolons, tabs and ends of lines.

    What stands in double quotes is one entry, as in a CSV file. A range stays whole where its commas can group the
    digits of a number; see `parted` and `span_of`.

    >>> entries_of('"West, old", East')
    ('West, old', 'East')
    """
    return tuple(dict.fromkeys(_all_entries(words)))


def letters_of(words: str) -> int:
    """Letters of the entries that were typed, each on a line: what else parts them, and quotes, do not count.

    Shown again, a list that was typed in lines has more of these.
    """
    return len("\n".join(_all_entries(words)))


def _all_entries(words: str) -> list[str]:
    """The entries as often as they were typed."""
    found: list[str] = []
    for line in words.splitlines():
        place = 0
        for quoted in _QUOTED.finditer(line):
            found += [*unquoted_entries(line[place : quoted.start()]), quoted[1].replace('""', '"')]
            place = quoted.end()
        found += unquoted_entries(line[place:])
    return list(filter(None, found))


def unquoted_entries(line: str) -> list[str]:
    """Entries of a line in which quotes are letters like others."""
    parts: list[str] = []
    for one in re.split(r"[;\t]|,(?!\S)|(?<!\S),", line):
        parts += [one] if _GROUPED.fullmatch(one.strip()) else one.split(",")
    return [part.strip() for part in parts]


def without_currency(words: str) -> str:
    """What was typed for a column of numbers, without signs such as those of euros: they say nothing of a number."""
    return "".join(letter for letter in words if unicodedata.category(letter) != "Sc")


def parted(entries: Entries) -> tuple[str, ...]:
    """The same entries where none of them is a number with digits in groups, such as those of codes."""
    found = (entry.split(",") if _GROUPED.fullmatch(entry) else (entry,) for entry in entries)
    return tuple(dict.fromkeys(part for parts in found for part in parts if part))


def parted_once(entries: Entries) -> tuple[str, ...]:
    """The same as programs once took entries of words, of which each comma parted two."""
    return tuple(dict.fromkeys(part for entry in entries for part in entry.split(",") if part))


def span_of(entry: str) -> tuple[float, float] | None:
    """The two ends of a range of numbers; None of what is none.

    Raises
    ------
    WorkbenchError
        If a comma in it may stand within a number or between two values, or a point may part thousands.
    """
    found = _RANGE.fullmatch(entry)
    if found is None:
        found = _GROUPED.fullmatch(entry)
        if found is not None and not _within_a_number(entry):
            raise WorkbenchError(
                f"“{entry}” can be read in two ways: its comma may stand within a number or between two values.",
                hint=f"Write {entry.replace(',', '')} for one range, or {entry.replace(',', ', ')} for several values.",
                field="occurring",
            )
    if found is None:
        return None
    low, high = (float(_with_one_point(end, entry).replace(",", "")) for end in found.groups())
    return low, high


def _with_one_point(number: str, entry: str) -> str:
    """The number, if its point can be that of decimals only: many people part thousands by it."""
    if not _POINTED.fullmatch(number):
        return number
    raise WorkbenchError(
        f"“{entry}” can be read in two ways: the point in {number} may part thousands or begin decimals.",
        hint=f"Write {number.replace('.', '')} for the one, or {typed(float(number))} for the other.",
        field="occurring",
    )


def _within_a_number(entry: str) -> bool:
    """Whether the commas cannot be between values: no number begins with 00, and no range ends below its beginning."""

    def is_value(part: str) -> bool:
        span = _RANGE.fullmatch(part)
        ends = span.groups() if span else (part,)
        return not any(map(_ZEROS.match, ends)) and float(ends[0]) <= float(ends[-1])

    return not all(map(is_value, entry.split(",")))


def occurring_labels(hierarchy: Hierarchy, entries: Entries) -> tuple[int, ...] | None:
    """How many labels can occur at level 0, 1, … if only what the entries say can occur.

    Parameters
    ----------
    hierarchy
        Of the column. Only its rule and values that were listed without the data are looked at.
    entries
        As from `entries_of`.

    Returns
    -------
    tuple of int
        At least 1 each; None of a hierarchy of which nothing can be said, such as one made from the data.

    Raises
    ------
    WorkbenchError
        If an entry cannot be read, or nothing of the list is named.
    """
    if not entries or hierarchy.provenance is not Provenance.PUBLIC:
        return None
    listed = listed_places(hierarchy)
    if listed is not None:
        kept = _named(hierarchy, listed, entries)
        return tuple(
            max(1, len({names[codes[place]] for place in kept} - {ANY}))
            for names, codes in zip(hierarchy.labels, hierarchy.maps, strict=True)
        )
    if hierarchy.specification is None:
        return None
    rule = _RULES.get(hierarchy.specification["builder"])
    if rule is None:
        return None
    if rule is not _of_intervals:
        entries = parted(entries)
    parameters = hierarchy.specification["parameters"]
    if hierarchy.specification.get("column", {}).get("kind") == "integer":
        parameters = {**parameters, "whole": True}  # which its rule need not say
    found = rule(parameters, hierarchy.specification["details"], entries)
    return tuple([*found, *[1] * hierarchy.height][: hierarchy.height + 1])


def listed_places(hierarchy: Hierarchy) -> Sequence[int] | None:
    """Where the values stand that the hierarchy lists whatever the data is; None of one that follows from a rule.

    None as well of one that was made from the data. What was added because it occurs in the data is not in the list.
    """
    if hierarchy.provenance is not Provenance.PUBLIC:
        return None
    if hierarchy.specification is None:
        return range(len(hierarchy.values) - hierarchy.added)
    try:
        listed = listed_by(hierarchy.specification)
    except WorkbenchError:
        return None
    place = {value: position for position, value in enumerate(hierarchy.values)}
    return [place[value] for value in listed if value in place] if listed else None


_INTERVALS = 8
"""Over so many of the finest ones an example reaches at the least, to a power of ten: ages of 5 or 10 years to 100."""


def occurring_places(hierarchy: Hierarchy, entries: Entries) -> Sequence[int] | None:
    """Those of the listed values that can occur, as far as the entries say so; None where none are listed."""
    listed = listed_places(hierarchy)
    if listed is None or not entries:
        return listed
    try:
        return _named(hierarchy, listed, entries)
    except WorkbenchError:  # the hierarchy was exchanged since
        return listed


def example_of(hierarchy: Hierarchy | None) -> str:
    """Example of entries for a column, as a pattern to follow; the same whatever its rows are."""
    rule = None if hierarchy is None else hierarchy.specification
    if rule is None:
        return LISTED_EXAMPLE
    first = next(iter(rule["details"].get("intervals", ())), {"from": 0, "to": 6000})
    wide = float(first["to"]) - float(first["from"])
    reach = 10 ** math.ceil(math.log10(_INTERVALS * wide)) if wide > 0 else 1
    return {
        "dates": "years: such as 2025, 2010-2024",
        "masking": "how they begin: such as 0, 12-19",
        "postcodes": "such as LS, WF10: areas or districts",
        "intervals": f"such as 0-{typed(reach)}, or " + {10: "1, 2, 5", 100: "6, 9, 12"}.get(reach, "60, 90, 120"),
    }.get(str(rule["builder"]), LISTED_EXAMPLE)


def are_numbers(entries: Entries) -> bool:
    """Whether each entry is a single number, and there is one: the values themselves, and no range of them."""
    return bool(entries) and all(_NUMBER.fullmatch(entry) for entry in entries)


def _named(hierarchy: Hierarchy, places: Iterable[int], entries: Entries) -> list[int]:
    """Values that are named, or that lie below a label that is, or within a range."""
    wanted = {entry.casefold() for entry in entries}
    ranges = [span for entry in entries if (span := span_of(entry)) is not None]

    def named(value: int) -> bool:
        labels = (names[codes[value]] for names, codes in zip(hierarchy.labels, hierarchy.maps, strict=True))
        if any(label.casefold() in wanted for label in labels):
            return True
        text = hierarchy.values[value]
        return bool(_NUMBER.fullmatch(text)) and any(low <= float(text) <= high for low, high in ranges)

    if kept := [place for place in places if named(place)]:
        return kept
    raise _unread(entries[0], "Name values or groups as the hierarchy writes them, or a range of numbers.")


def years_between(entry: str) -> tuple[int, int] | None:
    """The first and the last year of a range of days or months; None of what is none.

    >>> years_between("2023-01-01 to 2024-12-31"), years_between("1.1.2023-31.12.2024"), years_between("2023-2024")
    ((2023, 2024), (2023, 2024), None)
    """
    found = _DAYS.fullmatch(entry)
    if found is None:
        return None
    years = [int(year) for year in found.groups() if year]
    return (years[0], years[-1]) if years[0] <= years[-1] else None


def read_once(entries: Entries) -> tuple[str, ...]:
    """The same entries as programs once took ranges of days: for the year in which they begin, alone."""
    return tuple(str(days[0]) if (days := years_between(entry)) else entry for entry in entries)


def years_of(entries: Entries) -> frozenset[int]:
    """The years that entries of dates name, such as 1950-2005 or 1980s.

    Raises
    ------
    WorkbenchError
        If an entry names none.
    """
    years: set[int] = set()
    for entry in entries:
        span, single = _RANGE.fullmatch(entry), _YEAR.fullmatch(entry)
        if span and all(re.fullmatch(r"\d{4}", end) for end in span.groups()) and span[1] <= span[2]:
            years.update(range(int(span[1]), int(span[2]) + 1))
        elif single:
            first = int(single[1])
            years.update(range(first, first + (10 if entry.endswith("s") else 1)))
        elif (days := years_between(entry)) is not None:
            years.update(range(days[0], days[1] + 1))
        else:
            raise _unread(entry, "Give years, such as 1950-2005 or 1980s.")
    return frozenset(years)


def _of_dates(_parameters: Mapping[str, Any], details: Mapping[str, Any], entries: Entries) -> list[int]:
    years = years_of(entries)
    found = [len(years) * UNITS_A_YEAR["day"]]
    for level in details.get("levels", ()):
        unit = level.get("unit", "")
        if unit == "decade":
            found.append(len({year // 10 for year in years}))
        else:
            found.append(CYCLES.get(unit) or len(years) * UNITS_A_YEAR.get(unit, 0) or found[-1])
    return found


def _of_masking(parameters: Mapping[str, Any], _details: Mapping[str, Any], entries: Entries) -> list[int]:
    length, step = parameters["length"], parameters["step"]
    ends = sorted({code for entry in entries for code in codes_of(entry)}, key=len)
    if parameters["side"] != "right":
        ends = [code[::-1] for code in ends]
    # What begins as a shorter one says nothing of its own.
    shortest: list[str] = []
    seen: set[str] = set()
    for code in ends:
        if not any(code[:many] in seen for many in range(1, len(code) + 1)):
            shortest.append(code)
            seen.add(code)
    found = []
    for hidden in range(0, length + step, step):
        kept = max(length - hidden, 0)
        known = {code[:kept]: max(kept - len(code), 0) for code in shortest}
        found.append(max(1, sum(_LETTERS ** min(free, _LONGEST) for free in known.values())))
    return found


def _of_postcodes(parameters: Mapping[str, Any], _details: Mapping[str, Any], entries: Entries) -> list[int]:
    parts: dict[str, int] = {}
    for entry in entries:
        part, place = postcodes.part_of(entry)
        if not part:
            raise _unread(entry, "Give areas, districts, sectors or whole postcodes, such as LS, WF10 or LS6 2.")
        parts[part] = place
    # What lies in a coarser part that is named as well says nothing of its own.
    levels = range(len(postcodes.LEVELS))
    own = [
        (part, place)
        for part, place in parts.items()
        if not any(parts.get(postcodes.coarser(part, level)) == level for level in levels if level > place)
    ]
    found = []
    for level in levels:
        coarse = {postcodes.coarser(part, level) for part, place in own if place <= level}
        finer = (math.prod(postcodes.WITHIN[level:place]) for _, place in own if place > level)
        found.append(max(1, len(coarse) + sum(finer)))
    return [found[0], *found[postcodes.LEVELS.index(parameters["finest"]) :]]


def code_length(entries: Entries) -> int | None:
    """How many characters each of the codes has that the entries name, as they stand or from one to another.

    None where they differ, none is named, or `*` says of one that it is a beginning. Whether they are whole codes or
    beginnings of longer ones is not said by it.
    """
    found: set[int] = set()
    for entry in parted(entries):
        span = _CODES.fullmatch(entry)
        found.update(map(len, span.groups()) if span else (0 if entry.endswith(ANY) else len(entry),))
    return found.pop() or None if len(found) == 1 else None


def are_all_codes(entries: Entries) -> bool:
    """Whether all codes of three digits or more are named, from the first to the last: 1000-9999, or 0000-9999.

    As beginnings of longer codes they would leave nothing out, and nobody would type so many digits to say that.
    """
    spans = [span for entry in parted(entries) if (span := _CODES.fullmatch(entry))]
    return any(
        len(first) == len(last) >= _DIGITS_OF_ALL and int(first) in {0, 10 ** (len(first) - 1)} and set(last) == {"9"}
        for first, last in (span.groups() for span in spans)
    )


def codes_of(entry: str) -> Iterable[str]:
    """The beginnings of codes that an entry stands for: itself, or all from one to another of the same length.

    Raises
    ------
    WorkbenchError
        If they are too many, or not as long.
    """
    span = _CODES.fullmatch(entry)
    if span is None:
        return [entry.rstrip("*")] if entry.rstrip("*") else []
    first, last = span[1], span[2]
    if len(first) != len(last) or not 0 <= int(last) - int(first) < _MOST_CODES:
        raise _unread(entry, "Give two beginnings of the same length, the smaller first, such as 10-14.")
    return [str(code).zfill(len(first)) for code in range(int(first), int(last) + 1)]


def ranges_of(entries: Entries) -> list[tuple[float, float]]:
    """The numbers, or ranges of them, that entries name, each from its lowest to its highest.

    Raises
    ------
    WorkbenchError
        If an entry is none.
    """
    spans = []
    for entry in entries:
        span = span_of(entry)
        if span is None and _NUMBER.fullmatch(entry):
            span = (float(_with_one_point(entry, entry)),) * 2
        if span is None or span[0] > span[1]:
            raise _unread(entry, "Give numbers or a range of them, such as 0-120000.")
        if any(_ZEROS.match(end) for end in re.split(_TO, entry)):
            raise _unread(entry, "Commas part values: write a number that stands alone without them, such as 120000.")
        spans.append(span)
    return spans


def _of_intervals(parameters: Mapping[str, Any], details: Mapping[str, Any], entries: Entries) -> list[int]:
    spans = ranges_of(entries)
    base = details.get("intervals", ())
    start = float(base[0]["from"]) if base else 0.0
    width = (float(base[-1]["to"]) - start) / len(base) if base else 1.0
    if parameters.get("whole", True):
        found = [sum(math.floor(high) - math.ceil(low) + 1 for low, high in spans)]
    else:  # numbers have two decimals more often than not, as money and measures do
        found = [sum(math.floor((high - low) * _DECIMALS) + 1 for low, high in spans)]
    rule = {"builder": "intervals", "parameters": parameters, "details": details}
    spans = within_closed(details, spans)
    for place, level in enumerate(details.get("levels", ()), 1):
        group = level.get("group", 1)
        width *= sum(group) / len(group) if isinstance(group, list) else group
        found.append(len(cells_within(level_ends(rule, place), spans)) or _cells(spans, start, width))
    return [max(1, one) for one in found]


def _cells(spans: Iterable[tuple[float, float]], start: float, width: float) -> int:
    """How many intervals of one width lie within spans, counting each once.

    Ranges are told in round numbers: where a wide one ends as an interval begins, that number is none by itself.
    """
    total, last = 0, -math.inf
    for low, high in sorted(spans):
        first = max(math.floor((low - start) / width), last + 1)
        whole = (high - start) / width
        end = math.floor(whole) - (whole.is_integer() and high - low >= width)
        total += max(0, int(end - first + 1))
        last = max(last, end)
    return total


def _of_spelling(parameters: Mapping[str, Any], _details: Mapping[str, Any], entries: Entries) -> list[int]:
    kept = parameters["letters"] == "kept"
    return [len(entries), len({entry if kept else entry.casefold() for entry in entries})]


def _unread(entry: str, hint: str) -> WorkbenchError:
    return WorkbenchError(f"“{entry}” says nothing of what can occur here.", hint=hint, field="occurring")


_RULES: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any], Entries], list[int]]] = {
    "dates": _of_dates,
    "masking": _of_masking,
    "postcodes": _of_postcodes,
    "intervals": _of_intervals,
    "spelling": _of_spelling,
}
