"""The labels that a column can have, as a part of the page: by these it is found which of them no row says."""

from __future__ import annotations

import json
from hashlib import sha256

from workbench.anonymise.note_versions import TOLD_AS_SEEN
from workbench.core.number_text import exact
from workbench.report.column_labels import GRID, LISTED, MASK
from workbench.report.page import paragraph, section, table
from workbench.report.said_to_occur import in_words
from workbench.report.stated_facts import Facts

_HEADING = "Labels that a column can have"
_INTRODUCTION = (
    "As its list or its rule has them, whether they are in the table or not. By this it was found which labels no row "
    "of the file says. Where only the first are shown, all are in the note, which this page holds for programs."
)


def labels_section(release: Facts, version: int) -> str:
    """The labels that are listed, and where intervals begin, as HTML; "" where a note states none."""
    if version < TOLD_AS_SEEN:
        return ""
    hierarchies = {one["name"]: one["hierarchy"] for one in release["columns"] if "hierarchy" in one}
    rows = [(name, _told(one)) for name, one in hierarchies.items() if {LISTED, GRID, MASK}.intersection(one)]
    return section(_HEADING, paragraph(_INTRODUCTION) + table(("Column", "Labels"), rows)) if rows else ""


def _told(hierarchy: Facts) -> str:
    if MASK in hierarchy:
        mask = hierarchy[MASK]
        return f"codes of {mask['length']:,} characters, with {mask['sign']} for each that is not told"
    if GRID in hierarchy:
        grid = hierarchy[GRID]
        ends = [f"{name} {exact(grid[key])}" for name, key in (("from", "lowest"), ("up to", "highest")) if grid[key]
                is not None]  # fmt: skip
        return f"intervals counted from {exact(grid['from'])} on{', cut to numbers ' * bool(ends)}{' '.join(ends)}"
    listed = hierarchy[LISTED]
    if isinstance(listed, int):
        return f"{listed:,}, too many for the note"
    shown = in_words(list(dict.fromkeys(path[-1] for path in listed)))
    lines = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    digest = sha256(lines.encode("utf-8", "replace")).hexdigest()
    whole = all(len(path) == 1 for path in listed) and " … (" not in shown
    return shown if whole else f"{shown}; SHA-256 of the whole list: {digest}"
