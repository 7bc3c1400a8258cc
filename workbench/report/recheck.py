"""The independent checker: reads a released file back and counts it again, from the bytes and not from memory.

It knows what is stated about the file (columns, hierarchies, levels, models) and finds out whether that is so. It
shares no code with what makes releases; see `recheck_models` for the models themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.anonymise.privacy import ModelChoice
from workbench.core.errors import WorkbenchError
from workbench.core.garbage import no_garbage_collection
from workbench.core.number_text import NONE, estimate
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.report.recheck_chain import counted_lines, more_than_there_are
from workbench.report.recheck_counting import Count, Counted, Names, plain
from workbench.report.recheck_levels import levels_of, star_faults
from workbench.report.recheck_models import (
    COMPARED,
    COUNTING_PEOPLE,
    Evidence,
    Labels,
    ModelRecount,
    SensitiveReference,
    recomputable,
    recompute,
)
from workbench.report.recheck_original import (
    Level,
    counted_labels,
    generalised,
    order_fault,
    population,
)
from workbench.report.recheck_stated import Stated
from workbench.report.recheck_told import told_faults

__all__ = ["ModelCheck", "Rechecked", "Stated", "compare", "recheck", "shown_value"]

ORDER_UNCHECKED: tuple[str, str] = (
    "Whether the rows are in the order of the original was not checked.",
    "Whether the rows are in the order of the original cannot be told where only some rows of a class are released.",
)
"""The sentences that may say of the order of the rows that it was not checked."""
NOT_RECOMPUTED = " cannot be recomputed."
"""How it ends that a model was not checked."""


@dataclass(frozen=True)
class ModelCheck:
    """One model as it was recomputed."""

    choice: ModelChoice
    found: ModelRecount


_OTHER_ROWS = "The file has "
_OUT_OF_ORDER = "The rows do not stand in the order of their labels: another order may tell of where they stood before."


@dataclass(frozen=True)
class Rechecked:
    """The findings in a file.

    Parameters
    ----------
    names, grouped
        Its columns, and those whose values make rows alike.
    rows, sizes
        Its rows, and how many classes there are of each size.
    levels
        The level the labels of a column stand at, where that is one level.
    models
        The models in the order they were stated.
    faults
        What is not as it was stated, in words that say nothing the file does not say.
    unchecked
        What could not be checked, and why.
    """

    names: tuple[str, ...]
    grouped: tuple[str, ...]
    rows: int
    sizes: Mapping[int, int]
    levels: Mapping[str, int]
    models: tuple[ModelCheck, ...] = ()
    faults: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.faults and all(check.found.holds for check in self.models)

    @property
    def rows_differ(self) -> bool:
        """Whether one of the faults is that the file has another number of rows."""
        return any(fault.startswith(_OTHER_ROWS) for fault in self.faults)

    @property
    def classes(self) -> int:
        return sum(self.sizes.values())

    @property
    def smallest(self) -> int:
        """Rows of the smallest class, 0 if there is none."""
        return min(self.sizes, default=0)

    @property
    def largest(self) -> int:
        return max(self.sizes, default=0)

    def to_json(self, *, public: bool = False) -> dict[str, Any]:
        """As JSON would hold it; `public` leaves out values that do not follow from the file alone."""
        return {
            "holds": self.holds,
            "rows": self.rows,
            "columns": list(self.names),
            "grouped": list(self.grouped),
            "classes": self.classes,
            "smallest_class": self.smallest,
            "largest_class": self.largest,
            "levels": dict(self.levels),
            "models": [
                {
                    "model": check.choice.identifier,
                    "parameters": {name: value for name, value in check.choice.checked().items() if value != ""},
                    "holds": check.found.holds,
                    "value": check.found.value if check.found.public or not public else None,
                    "analyst_only": not check.found.public and not public,
                    "in_the_file": check.found.public,
                    "note": check.found.note if check.found.public or not public else "",
                }
                for check in self.models
            ],
            "faults": list(self.faults),
            "unchecked": list(self.unchecked),
        }


def recheck(
    lines: Iterable[Sequence[str]],
    stated: Stated,
    original: Table | None = None,
    *,
    decimal: str = ".",
    fingerprint: str = "",
    progress: Progress = SILENT,
) -> Rechecked:
    """Count a file and compare it with what is stated.

    Parameters
    ----------
    lines
        Its rows as texts, heading first.
    original
        The table it was made from, for models that compare with it or count its people.
    decimal
        The decimal mark of columns of numbers.
    fingerprint
        SHA-256 of the file, if it is to be compared.

    Raises
    ------
    WorkbenchError
        If the file is no table, a model names a column that is not there, or a model needs the original.
    Cancelled
        If the progress was cancelled.
    """
    source = iter(lines)
    heading = next(source, ())

    def count(names: Names, grouped: Names, sensitive: Names, step: Progress) -> Counted:
        return Counted.of(source, names, grouped, sensitive, decimal, step)

    return compare(heading, count, stated, original, fingerprint=fingerprint, progress=progress)


def compare(
    heading: Sequence[str],
    count: Count,
    stated: Stated,
    original: Table | None = None,
    *,
    fingerprint: str = "",
    progress: Progress = SILENT,
) -> Rechecked:
    """Compare a file that `count` counts with what is stated; otherwise as `recheck`."""
    names = tuple(plain(name) for name in heading)
    faults, unchecked = list[str](), list[str]()
    if not names:
        raise WorkbenchError("The file has no heading.", field="path")
    if len(set(names)) != len(names):
        raise WorkbenchError("Two columns of the file have the same name.", field="path")
    sensitive = tuple(dict.fromkeys(choice.column for choice in stated.models if choice.column))
    grouped = _grouped(names, stated, sensitive)
    with no_garbage_collection():
        if stated.chain is not None and stated.chain.count_column:
            counted, wrong = counted_lines(count, names, grouped, sensitive, stated.chain, progress.part(0.0, 0.6))
            faults += wrong
        else:
            counted = count(names, grouped, sensitive, progress.part(0.0, 0.6))
    faults += _shape_faults(names, grouped, sensitive, stated, counted, fingerprint)
    if stated.by_labels and not counted.by_labels:
        faults.append(_OUT_OF_ORDER)
    if stated.told is not None and stated.chain is not None:
        faults += told_faults(counted, stated.told, stated.chain.step_column)
        faults += stated.told.of_labels.faults_of_lists(stated.hierarchies) if stated.told.of_labels else ()
    found, label_faults = levels_of(counted, stated)
    faults += [*label_faults, *star_faults(counted, stated, found)]
    uniform = {name: level for name, level in found.items() if isinstance(level, int) and name not in stated.untold}
    progress(0.65)
    people = None
    if original is not None and not label_faults:
        people, rows_fault, note = _against_original(original, counted, stated, found, progress.part(0.65, 0.9))
        faults += rows_fault
        unchecked += note
    references = {name: _reference(name, stated, original, counted) for name in sensitive if _compared(stated, name)}
    known = [choice for choice in stated.models if recomputable(choice)]
    unchecked += [f"{choice.model.title}{NOT_RECOMPUTED}" for choice in stated.models if choice not in known]
    evidence = Evidence(
        counted.sizes,
        counted.values,
        references,
        people,
        None if original is None else _released_rows(original, stated),
        stated.sensitive_hierarchies,
    )
    checks = tuple(ModelCheck(choice, recompute(choice, evidence)) for choice in known)
    sizes = dict(sorted(Counter(counted.sizes.values()).items()))
    progress(1.0)
    return Rechecked(names, grouped, counted.rows, sizes, uniform, checks, tuple(faults), tuple(unchecked))


def _grouped(names: tuple[str, ...], stated: Stated, sensitive: tuple[str, ...]) -> tuple[str, ...]:
    added = () if stated.chain is None else tuple(filter(None, (stated.chain.step_column, stated.chain.count_column)))
    for name in (*(stated.grouped or ()), *stated.hierarchies, *sensitive, *added):
        if name not in names:
            raise WorkbenchError(
                f"The file has no column “{name}”.", hint=f"Its columns are: {', '.join(names)}.", field=name
            )
    if stated.grouped is not None:
        return tuple(name for name in names if name in stated.grouped)
    return tuple(name for name in names if name not in sensitive)


def _shape_faults(
    names: tuple[str, ...],
    grouped: tuple[str, ...],
    sensitive: tuple[str, ...],
    stated: Stated,
    counted: Counted,
    fingerprint: str,
) -> list[str]:
    faults = []
    if stated.fingerprint and fingerprint and stated.fingerprint != fingerprint:
        faults.append("The file is not the one the statement was written for: its fingerprint (SHA-256) is another.")
    if stated.rows is not None and stated.rows != counted.rows:
        faults.append(f"{_OTHER_ROWS}{counted.rows:,} rows, and {stated.rows:,} are stated.")
    if stated.columns is not None:
        extra = [name for name in names if name not in stated.columns]
        absent = [name for name in stated.columns if name not in names]
        if extra:
            faults.append(f"Columns that are not stated: {', '.join(extra)}.")
        if absent:
            faults.append(f"Stated columns that are not there: {', '.join(absent)}.")
    counts = "" if stated.chain is None else stated.chain.count_column
    if stated.all_grouped and (loose := [name for name in names if name not in grouped and name != counts]):
        faults.append(f"Columns that take no part in the grouping: {', '.join(loose)}.")
    return faults


def _compared(stated: Stated, name: str) -> bool:
    return any(choice.column == name and choice.identifier in COMPARED for choice in stated.models)


def _reference(name: str, stated: Stated, original: Table | None, counted: Counted) -> SensitiveReference:
    if original is not None:
        return SensitiveReference(_original_values(name, stated, original), "the original table")
    if name in stated.references:
        return stated.references[name]
    whole: Counter[str] = Counter()
    for counts in counted.values[name].values():
        whole.update(counts)
    return SensitiveReference(
        whole, "the released rows, which differ from the table if rows were suppressed", public=True
    )


def _original_values(name: str, stated: Stated, original: Table) -> dict[str, int]:
    """Rows to be released with each value of the original; 0 for values of other rows only."""
    column, chosen = original[name], _subset(stated)
    counts = {plain(text): 0 for text, n in zip(column.values, column.counts.tolist(), strict=True) if n}
    rows, times = original.distinct(tuple(dict.fromkeys((name, chosen[0] if chosen is not None else name))))
    marked = [True] * rows.rows if chosen is None else [text == chosen[1] for text in rows[chosen[0]].texts()]
    for text, count, yes in zip(rows[name].texts(), times.tolist(), marked, strict=True):
        if yes:
            counts[plain(text)] += count
    return counts


def _subset(stated: Stated) -> tuple[str, str] | None:
    return next((choice.subset for choice in stated.models if choice.subset is not None), None)


def _released_rows(original: Table, stated: Stated) -> int:
    chosen = _subset(stated)
    if chosen is None:
        return original.rows
    column = original[chosen[0]]
    return int(column.counts[column.values.index(chosen[1])]) if chosen[1] in column.values else 0


def _against_original(
    original: Table, counted: Counted, stated: Stated, levels: Mapping[str, Level], progress: Progress
) -> tuple[dict[Labels, int] | None, list[str], list[str]]:
    """People of the original in each class where a model counts them, and whether its order can be seen."""
    counting = any(choice.identifier in COUNTING_PEOPLE for choice in stated.models)
    if stated.chain is not None and not counting:
        return None, more_than_there_are(original, counted, stated.hierarchies, stated.chain, progress), []
    within = counted.grouped, stated.hierarchies, levels
    people = population(original, counted.sizes, *within, progress.part(0.0, 0.5)) if counting else None
    progress(0.5)
    in_order = counted.in_order
    if _subset(stated) is not None or any(level is None for level in levels.values()) or in_order is None:
        return people, [], [ORDER_UNCHECKED[0]]
    of_original = counted_labels(original, *within, progress.part(0.5, 0.8))
    rows = generalised(original, *within, progress.part(0.8, 1.0))
    if (fault := order_fault(rows, of_original, in_order(), counted.sizes)) is None:
        return people, [], [ORDER_UNCHECKED[1]]
    return people, [fault] if fault else [], []


def shown_value(value: float | None) -> str:
    """The value of a model in words."""
    return NONE if value is None else estimate(value)
