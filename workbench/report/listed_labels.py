"""The labels that a column can have, as a part of the page: by these it is found which of them no row says."""

from __future__ import annotations

import json
import math
from hashlib import sha256

from workbench.anonymise.note_versions import FILE_FIRST, READ_ONCE, SAID_ONCE, SPELT_AS_IN_FILE, TOLD_AS_SEEN
from workbench.core.closed_end import INCLUDED
from workbench.core.level_words import AS_IT_IS
from workbench.core.number_text import exact
from workbench.core.unsaid import width_of
from workbench.core.visible import quoted
from workbench.report.column_labels import ColumnLabels, column_labels, ranges_in
from workbench.report.page import paragraph, section, table
from workbench.report.said_to_occur import in_list, in_words
from workbench.report.stated_facts import Facts
from workbench.report.stated_labels import GRID, LISTED, MASK

_HEADING = "Labels that a column can have"
_IN_SHORT = "By its list or its rule, in the table or not. By this it was found which labels no row of the file says."
_REST = " Where only the first are shown, all are in the note, which this page holds for programs."
_NUMBERS = "numbers as they are"
_DIGEST = "SHA-256 of the whole list: "
_INTRODUCTION = (
    "As its list or its rule has them, whether they are in the table or not. By this it was found which labels no row "
    "of the file says. Where only the first are shown, all are in the note, which this page holds for programs."
)


def labels_section(release: Facts, version: int) -> str:
    """The labels that are listed, and where intervals begin, as HTML; "" where a note states none."""
    if version < TOLD_AS_SEEN:
        return ""
    hierarchies = {one["name"]: one["hierarchy"] for one in release["columns"] if "hierarchy" in one}
    stated = ((name, one) for name, one in hierarchies.items() if {LISTED, GRID, MASK}.intersection(one))
    known = column_labels(release)
    rows = [(name, _of_column(one, known.get(name), version)) for name, one in stated]
    rows = [row for row in rows if version < SAID_ONCE or row[1] != _NUMBERS]
    introduction = _INTRODUCTION
    if version >= SAID_ONCE:
        cut = any(" in all)" in said or _DIGEST in said for _, said in rows)
        introduction = f"{_IN_SHORT}{_REST * cut}"
    return section(_HEADING, paragraph(introduction) + table(("Column", "Labels"), rows)) if rows else ""


def _of_column(hierarchy: Facts, known: ColumnLabels | None, version: int) -> str:
    words = () if known is None else known.words
    if version >= FILE_FIRST and GRID in hierarchy and words == (AS_IT_IS,):
        return _NUMBERS
    told = _told(hierarchy, version, at_times=AS_IT_IS in words) + _at_the_end(known, version)
    return told + (_not_looked_for(known) if known is not None and version >= SPELT_AS_IN_FILE else "")


def _not_looked_for(known: ColumnLabels) -> str:
    """Which listed labels are not named where no row says them, and why; "" where there are none."""
    cut = known.grid is not None and {known.grid["lowest"], known.grid["highest"]} != {None}
    if cut and known.entries:
        return "; what is beyond what is said to occur is not looked for"
    beyond = known.beyond_all
    if not beyond:
        return ""
    if not known.entries:
        return f"; not looked for, as nobody said what can occur: {', '.join(map(quoted, beyond))}"
    why = [
        f"{quoted(label)}, "
        + ("beyond what is said to occur" if only is None else f"of which {exact(only)} alone is said to occur")
        for label, only in beyond.items()
    ]
    return f"; not looked for: {', and '.join(why)}"


def _at_the_end(known: ColumnLabels | None, version: int) -> str:
    """Where the largest number goes that was said to occur, if one of the widest intervals begins with it."""
    if version < READ_ONCE or known is None or known.grid is None:
        return ""
    width, begin = max(map(width_of, known.words)), known.grid["from"]
    below, beyond = known.grid["lowest"], known.grid["highest"]
    for end in ranges_in(known.entries)[1]:
        begins = width and math.isfinite(end - begin) and not math.fmod(end - begin, width)
        if begins and (below is None or end >= below) and (beyond is None or end < beyond):
            return f"; {exact(end)}, up to which numbers are said to run, is in the interval that begins with it"
    return ""


def _told(hierarchy: Facts, version: int, *, at_times: bool) -> str:
    """The labels in words; `at_times` is whether some rows have numbers as they are, whatever the ends of intervals."""
    if MASK in hierarchy:
        mask = hierarchy[MASK]
        return f"codes of {mask['length']:,} characters, with {mask['sign']} for each that is not told"
    if GRID in hierarchy:
        grid = hierarchy[GRID]
        if version >= READ_ONCE:
            below, end = (None if grid[key] is None else exact(grid[key]) for key in ("lowest", "highest"))
            beyond = None if end is None else f"above {end}" if grid.get(INCLUDED) else f"from {end} on"
            where = "where they are in intervals, " * at_times
            low = "" if below is None else f"; {where}all numbers below {below} have one label"
            high = "there is no upper end" if beyond is None else f"{where}all numbers {beyond} have one label"
            return f"intervals counted from {exact(grid['from'])} on{low}; {high}"
        ends = [f"{name} {exact(grid[key])}" for name, key in (("from", "lowest"), ("up to", "highest")) if grid[key]
                is not None]  # fmt: skip
        return f"intervals counted from {exact(grid['from'])} on{', cut to numbers ' * bool(ends)}{' '.join(ends)}"
    listed = hierarchy[LISTED]
    if isinstance(listed, int):
        return f"{listed:,}, too many for the note"
    shown = in_words(list(dict.fromkeys(path[-1] for path in listed)), in_list(version))
    lines = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    digest = sha256(lines.encode("utf-8", "replace")).hexdigest()
    whole = all(len(path) == 1 for path in listed) and " … (" not in shown
    return shown if whole else f"{shown}; {_DIGEST}{digest}"
