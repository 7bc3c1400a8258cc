"""Counting the rows of files that hold the same texts, from their bytes, without making a table of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.engines.files import TableFiles
from workbench.engines.store import Scanned, Store
from workbench.io.column_codes import heading_of

_AT_ONCE = 1 << 14


def tally(
    store: Store, files: TableFiles, places: Sequence[int], heading: Sequence[str], progress: Progress = SILENT
) -> Iterator[tuple[int, list[list[str]], list[int]]]:
    """Count the rows of files that hold the same texts in some columns, some thousand combinations at a time.

    Parameters
    ----------
    places
        Of the columns that are compared.
    heading
        The names that stand in the files, as many as each row must have cells.

    Returns
    -------
    combinations, cells, counts
        How many combinations there are in all; per column their texts; and the rows of each.

    Raises
    ------
    WorkbenchError
        If a row has another number of cells, or bytes that are no text.
    Cancelled
        If the progress was cancelled.
    """
    keys = ", ".join(f"t{place}" for place in places)
    relation = _grouped(store, files, keys, heading, progress)
    try:
        size = store.count(relation)
        for *cells, counts in store.stream(f"SELECT * FROM {relation}", _AT_ONCE, progress.part(0.9, 1.0)):
            yield size, [column.tolist() for column in cells], counts.tolist()
    finally:
        store.drop(relation)


def _grouped(store: Store, files: TableFiles, keys: str, heading: Sequence[str], progress: Progress) -> str:
    select = store.select_of(files, heading)
    if select is not None:
        # What the engine does not understand is read by the program, which says what is wrong.
        try:
            return store.keep(_counting(f"({select})", keys), progress.part(0.0, 0.9), "Reading the file back")
        except WorkbenchError as error:
            if error.field == "memory":
                raise
    scanned = store.scan(files, progress.part(0.0, 0.7))
    try:
        _refuse_problems(scanned, heading)
        return store.keep(_counting(scanned.relation, keys), progress.part(0.7, 0.9), "Reading the file back")
    finally:
        store.drop(scanned.relation)


def _counting(source: str, keys: str) -> str:
    if not keys:
        return f"SELECT count(*) AS n FROM {source} AS x HAVING count(*) > 0"  # no group of no rows
    return f"SELECT {keys}, count(*) AS n FROM {source} AS x GROUP BY {keys}"


def _refuse_problems(scanned: Scanned, heading: Sequence[str]) -> None:
    renamed = len(heading_of(heading, [], 1, "").problems)
    if not scanned.skipped and scanned.problem_count <= renamed and len(scanned.names) == len(heading):
        return
    found = next((problem for problem in scanned.problems if not problem.kept), None) or next(
        iter(scanned.problems[renamed:]), None
    )
    raise WorkbenchError(
        f"The file has rows that do not have {len(heading)} cells of text"
        + ("." if found is None else f", the first one in line {found.line:,}: {found.reason}."),
        hint="Check the delimiter and the encoding.",
        field="path",
    )
