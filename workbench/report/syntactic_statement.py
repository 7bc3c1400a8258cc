"""The statement that travels with a release of privacy models: what holds for the file, and what is not promised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.anonymise.privacy import ModelChoice, in_words
from workbench.anonymise.row_orders import AT_RANDOM, BY_LABELS, ORDERS
from workbench.report.page import bullets, section, table, verdict

WHAT_IS_COUNTED = (
    "Rows are counted, and not people: somebody who has several rows may make up a group alone. Values are compared as "
    "they are written, and an empty cell counts as one of them."
)
"""The units by which groups and their values are counted, which nobody can tell from the name of a model."""
COUNTED_TOLD = 10
"""The version of notes whose statements say so."""

_NOT_PROMISED = (
    "Somebody who knows more about a person than the grouped columns say may still recognise them.",
    "A second release of the same people can undo the first; nothing adds up over several releases.",
    "Columns that are released as they are have no protection of their own.",
    "Which rows, groups and levels are in the file depends on every row of the data, so no (ε, δ) claim is made.",
)
NOT_PROMISED = (WHAT_IS_COUNTED, *_NOT_PROMISED)
"""The promises that the models do not make, in plain words."""

RESTORE = (
    "An (ε, δ) claim needs rows that are given up at random, by trimming every group or by sampling with the k that ε "
    "and δ ask for, public hierarchies, levels fixed without looking at the data, and no suppressed rows or counts."
)
_RESTORE_BEFORE = (
    "An (ε, δ) claim needs a random sample, public hierarchies, levels fixed without looking at the data, groups of at "
    "least the k that ε and δ ask for, and no suppressed rows or counts."
)
"""The same, as it was written when there was sampling alone."""


def earlier_wording(body: str) -> str:
    """A statement of privacy models as it was worded before; what is none is as it was."""
    return body.replace(RESTORE, _RESTORE_BEFORE)


def syntactic_body(release: Mapping[str, Any], version: int) -> str:
    """The statement as HTML without a page around it, from what a note of this version states about the release."""
    models = [
        (in_words(choice), choice.model.summary)
        for choice in (ModelChoice(one["model"], one["parameters"]) for one in release["models"])
    ]
    rows = [_column(one, release["mixed_levels"]) for one in release["columns"]]
    return (
        "<h1>Statement</h1>"
        + verdict("Every released row satisfies the models below. No (ε, δ) claim is made for this file.", holds=False)
        + section("What holds for every row of the file", table(("Model", "What it demands"), models))
        + section("Columns", table(("Column", "In this file", "Where its hierarchy comes from"), rows))
        + section("What the program did", bullets((_DONE[0], _ORDERS[release["order"]], *_DONE[1:])))
        + section("What is not promised", bullets(NOT_PROMISED if version >= COUNTED_TOLD else _NOT_PROMISED))
        + section("What an (ε, δ) claim would need", bullets((RESTORE,)))
    )


def _column(column: Mapping[str, Any], mixed_levels: bool) -> tuple[str, str, str]:
    hierarchy = column.get("hierarchy")
    if hierarchy is None or not hierarchy["height"]:
        return column["name"], "as it is, " + ("part of the grouping" if column["grouped"] else "not grouped"), ""
    level = "labels of different levels" if mixed_levels else f"level {column.get('level', 0)} of {hierarchy['height']}"
    return column["name"], level, hierarchy["provenance"]


_DONE = (
    "Rows that do not satisfy the models were left out; how many is not published.",
    "Cells that a spreadsheet would run as a formula begin with an apostrophe.",
)
_ORDERS = {BY_LABELS: ORDERS[BY_LABELS].checked, AT_RANDOM: "The rows were put in random order."}
