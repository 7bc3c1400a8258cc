"""Texts become codes while DuckDB reads them.

The values of the first rows are listed, and where a column of the rest will hardly hold others, it is read as the
places of its values in that list. So nobody has to keep ten million texts that are only a few different ones, and look
at them thrice. The texts of rows that hold something else after all are kept beside the codes, and listed afterwards:
they first appear after all that the first rows hold, and so come after it in order of first appearance as well.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.engines.duckdb_relations import DuckRelations
from workbench.engines.stored import MOST_VALUES

FIRST = 500_000
"""Rows whose values are listed before the rest is read."""
_MOST = 50_000
_NEW = 0.001
"""A column whose next row has a new value with a larger chance than this is read as texts."""

Listed = dict[int, tuple[str, ...]]
"""Values of columns in order of first appearance, by the place of the column."""
Keeping = Callable[["DuckRelations", str, int, Progress, str], tuple[str, Listed]]
"""`keep_texts` or `keep_numbered`."""


def keep_texts(
    store: DuckRelations, select: str, width: int, progress: Progress = SILENT, text: str = ""
) -> tuple[str, Listed]:
    """Keep the rows of a SELECT of texts t0, t1, … as they are; the same as `keep_numbered` with nothing listed."""
    del width
    return store.keep(select, progress, text), {}


def keep_numbered(
    store: DuckRelations, select: str, width: int, progress: Progress = SILENT, text: str = ""
) -> tuple[str, Listed]:
    """Keep the rows of a SELECT of texts t0, t1, …; as codes c0, c1, … where that can be.

    Returns
    -------
    relation, listed
        A relation with the rows in their order, and the values of each column that holds codes. The others hold texts.
    """
    first = store.keep(f"SELECT * FROM ({select}) AS s LIMIT {FIRST}", progress.part(0.0, 0.05), text)
    if store.count(first) < FIRST:
        return first, {}
    try:
        listed = _foreseen(store, first, width, progress.part(0.05, 0.1))
    finally:
        store.drop(first)
    if not listed:
        return store.keep(select, progress.part(0.1, 1.0), text), {}
    with enumerations(store, listed.values()) as made:
        codes = [
            f"enum_code(TRY_CAST(t{place} AS {kind})) AS c{place}" for place, kind in zip(listed, made, strict=True)
        ]
        others = [f"t{place}" for place in range(width) if place not in listed]
        numbered = [f"c{place}" for place in listed]
        missed = " OR ".join(f"{code} IS NULL" for code in numbered)
        texts = ", ".join(f"t{place}" for place in listed)
        relation = store.keep(
            f"SELECT {', '.join([*numbered, *others])}, CASE WHEN {missed} THEN [{texts}] END AS x "
            f"FROM (SELECT *, {', '.join(codes)} FROM ({select}) AS s) AS y",
            progress.part(0.1, 0.9),
            text,
        )
    try:
        completed = _completed(store, relation, listed, others, progress.part(0.9, 0.95))
    except BaseException:
        store.drop(relation)
        raise
    if completed is None:
        store.drop(relation)
        return store.keep(select, progress.part(0.95, 1.0), text), {}
    return completed


@contextlib.contextmanager
def enumerations(store: DuckRelations, values: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    """Types whose elements are these texts; they are there while the context lasts.

    A cast to one is a look-up that keeps the order of the rows, which a join need not.
    """
    made: list[str] = []
    try:
        for elements in values:
            listed, kind = store.upload({"v": elements}), store.fresh_name()
            try:
                store.run(f"CREATE TYPE {kind} AS ENUM (SELECT v FROM {listed})")
            finally:
                store.drop(listed)
            made.append(kind)
        yield made
    finally:
        for kind in made:
            with contextlib.suppress(WorkbenchError):
                store.run(f"DROP TYPE IF EXISTS {kind}")


def _foreseen(store: DuckRelations, first: str, width: int, progress: Progress) -> Listed:
    """The values of those columns that will hardly hold others.

    The chance that the next row has a new value is about the share of the values that were seen once (Good and Turing).
    """
    listed: Listed = {}
    for place in range(width):
        progress(place / width)
        grouped = f"SELECT t{place} AS v, count(*) AS n, min(rowid) AS first FROM {first} GROUP BY t{place}"
        different, once = store.rows(f"SELECT count(*), count(*) FILTER (WHERE n = 1) FROM ({grouped}) AS x")[0]
        if different <= _MOST and once <= _NEW * FIRST:
            listed[place] = tuple(text for (text,) in store.rows(f"SELECT v FROM ({grouped}) AS x ORDER BY first"))
    return listed


def _completed(
    store: DuckRelations, relation: str, listed: Listed, others: Sequence[str], progress: Progress
) -> tuple[str, Listed] | None:
    """The relation without texts beside the codes, whose values are listed now and have codes as well.

    None if a column has too many values to be listed.
    """
    if not store.count(relation, "x IS NOT NULL"):
        store.run(f"ALTER TABLE {relation} DROP COLUMN x")
        return relation, listed
    late: Listed = {}
    for number, (place, values) in enumerate(listed.items()):
        found = store.rows(
            f"SELECT x[{number + 1}] AS v FROM {relation} WHERE c{place} IS NULL GROUP BY v ORDER BY min(rowid) "
            f"LIMIT {MOST_VALUES + 1}",
            progress,
        )
        late[place] = tuple(text for (text,) in found)
        if len(values) + len(found) > MOST_VALUES:
            return None
    further = {place: values for place, values in late.items() if values}
    with enumerations(store, further.values()) as made:
        kinds = dict(zip(further, made, strict=True))
        chosen = []
        for number, (place, values) in enumerate(listed.items()):
            if place in kinds:
                # Its own type may be too narrow for the further codes.
                new = f"{len(values)} + enum_code(TRY_CAST(x[{number + 1}] AS {kinds[place]}))"
                code = f"coalesce(CAST(c{place} AS UINTEGER), {new})"
                chosen.append(f"CAST({code} AS {_narrowest(len(values) + len(late[place]))}) AS c{place}")
            else:
                chosen.append(f"c{place}")
        whole = store.keep(f"SELECT {', '.join([*chosen, *others])} FROM {relation}", progress)
    store.drop(relation)
    return whole, {place: (*values, *late[place]) for place, values in listed.items()}


def _narrowest(count: int) -> str:
    """The smallest type that holds so many codes."""
    return "UTINYINT" if count <= 1 << 8 else "USMALLINT" if count <= 1 << 16 else "UINTEGER"
