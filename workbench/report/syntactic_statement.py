"""The statement that travels with a release of privacy models: what holds for the file, and what is not promised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.core.hierarchy import Hierarchy
from workbench.report.file_facts import FileFacts, file_section
from workbench.report.page import bullets, section, table, verdict

NOT_PROMISED = (
    "Somebody who knows more about a person than the grouped columns say may still recognise them.",
    "A second release of the same people can undo the first; nothing adds up over several releases.",
    "Columns that are released as they are have no protection of their own.",
    "Which rows, groups and levels are in the file depends on every row of the data, so no (ε, δ) claim is made.",
)
"""What the models do not say, in plain words."""

RESTORE = (
    "An (ε, δ) claim needs a random sample, public hierarchies, levels fixed without looking at the data, groups of at "
    "least the k that ε and δ ask for, and no suppressed rows or counts."
)


def syntactic_body(
    names: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int] | None,
    models: Sequence[tuple[str, str]],
    file: FileFacts | None = None,
) -> str:
    """The statement as HTML without a page around it.

    Parameters
    ----------
    names
        Released columns.
    hierarchies, levels
        Of the grouped columns; no levels where rows have different ones.
    models
        The models that hold, in words, and what each of them demands.
    file
        The file it belongs to, once that is written.
    """
    rows = []
    for name in names:
        hierarchy = hierarchies.get(name)
        if hierarchy is None:
            rows.append((name, "as it is, not grouped", ""))
        elif not hierarchy.height:
            rows.append((name, "as it is, part of the grouping", ""))
        else:
            level = (
                "labels of different levels" if levels is None else f"level {levels.get(name, 0)} of {hierarchy.height}"
            )
            rows.append((name, level, hierarchy.provenance.value))
    return (
        "<h1>Statement</h1>"
        + verdict("Every released row satisfies the models below. No (ε, δ) claim is made for this file.", holds=False)
        + section("What holds for every row of the file", table(("Model", "What it demands"), models))
        + section("Columns", table(("Column", "In this file", "Where its hierarchy comes from"), rows))
        + section("What the program did", bullets(_DONE))
        + section("What is not promised", bullets(NOT_PROMISED))
        + section("What an (ε, δ) claim would need", bullets((RESTORE,)))
        + ("" if file is None else file_section(file))
    )


_DONE = (
    "Rows that do not satisfy the models were left out; how many is not published.",
    "The rows stand in the order of their labels, which tells nothing of where they stood in the table.",
    "Cells that a spreadsheet would run as a formula begin with an apostrophe.",
)
