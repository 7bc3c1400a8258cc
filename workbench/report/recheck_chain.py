"""A trimmed release counted again: each row has labels of one step, and a line may stand for many rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from workbench.core.errors import WorkbenchError
from workbench.core.first_few import first_few
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.missing_codes import NO_VALUE
from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.report.recheck_counting import Count, Counted, Names, may_be_made_safe, plain
from workbench.report.recheck_models import Labels
from workbench.report.recheck_original import Level, as_compared, as_read_back, counted_by
from workbench.report.recheck_stated import StatedChain

_SHOWN = 3
_NUMBER_OF_ROWS = re.compile(r"[1-9][0-9]{0,17}")


def first_of(texts: Sequence[str]) -> str:
    """The first few texts, and how many more there are."""
    return first_few(texts, _SHOWN, quoted=True)


def counted_lines(
    count: Count, names: Names, grouped: Names, sensitive: Names, chain: StatedChain, progress: Progress
) -> tuple[Counted, list[str]]:
    """A file with one line for each group as counts of rows, and what is wrong with its lines.

    Raises
    ------
    WorkbenchError
        If a model is about a column that is not grouped, or the file cannot be read.
    """
    if sensitive:
        raise WorkbenchError(
            f"A file with one line for each group tells nothing of “{sensitive[0]}” within a group.",
            hint="Leave the models out that are about sensitive columns.",
            field=sensitive[0],
        )
    lines = count(names, (*grouped, chain.count_column), (), progress)
    sizes: Counter[Labels] = Counter()
    strange, written = set[str](), Counter[Labels]()
    for cells, times in lines.sizes.items():
        *labels, text = cells
        rows = int(text) if _NUMBER_OF_ROWS.fullmatch(text) else 0
        if not rows:
            strange.add(text)
        written[tuple(labels)] += times
        sizes[tuple(labels)] += times * rows
    faults = []
    if strange:
        faults.append(f"“{chain.count_column}” has values that are no numbers of rows: {first_of(sorted(strange))}.")
    # A label that was made safe, and one that had the apostrophe before, are two groups that look alike in the file.
    alike = _may_be_two(lines)
    most = {labels: 2 ** sum(alike(place, text) for place, text in enumerate(labels)) for labels in written}
    if twice := sum(max(some - most[labels], 0) for labels, some in written.items()):
        faults.append(f"There is one line for each group; lines too many: {twice:,}.")
    return Counted(sizes.total(), grouped, sizes, {}, None), faults


def _may_be_two(lines: Counted) -> Callable[[int, str], bool]:
    """Whether a label in a place, as it is read back, can be of two groups: with an apostrophe before it and without.

    Numbers and hyphens alone get none in a file: of them it is seen, unless the file is too long for that.
    """
    rows = None if lines.as_written is None else set(lines.as_written())
    marked = {(place, text) for row in rows or () for place, text in enumerate(row) if plain(text) != text}

    def may_be(place: int, label: str) -> bool:
        written = f"'{label}"
        return may_be_made_safe(label) or (plain(written) == label and (rows is None or (place, written) in marked))

    return may_be


def levels_of_chain(
    counted: Counted, hierarchies: Mapping[str, Hierarchy], chain: StatedChain
) -> tuple[dict[str, Level], list[str]]:
    """The level of each column that stands at one level in all steps, and rows that are of no step.

    A row is of a step if every label of it is one of that step's level. `*` is a label of every level: it is what
    becomes of a value that the hierarchy does not list. A column without a hierarchy here may hold anything where it
    is released as it is.
    """
    steps = [_Step(number, levels, hierarchies, chain.step_column) for number, levels in enumerate(chain.levels, 1)]
    checked = [name for name in counted.grouped if any(step.knows(name) for step in steps)]
    faults, of_no_step = [], set[str]()
    for name in checked:
        strange = sorted(label for label in counted.labels(name) if not any(step.has(name, label) for step in steps))
        if strange:
            of_no_step |= {name}
            faults.append(f"“{name}” has values that are no labels of {_where(name, steps)}: {first_of(strange)}.")
    rest = [name for name in checked if name not in of_no_step]
    odd = list(_of_no_step(counted, rest, steps))
    if odd:
        faults.append(f"Rows have labels that are of no one step together: {first_of(odd)}.")
    uniform = chain.uniform
    return {name: uniform.get(name) for name in checked if name in hierarchies}, faults


def more_than_there_are(
    original: Table, counted: Counted, hierarchies: Mapping[str, Hierarchy], chain: StatedChain, progress: Progress
) -> list[str]:
    """Groups of which the file has more rows than the original: rows that were invented.

    Rows with the same labels may come from several steps; the group of the coarsest of them contains the others. What
    is `*` in a column whose hierarchy is not known here is passed over, since any unlisted value is; and so is a group
    to which a missing value may belong, since values that do not fit their column can have become missing.
    """
    steps = [_Step(number, levels, hierarchies, "") for number, levels in enumerate(chain.levels, 1)]
    names = [name for name in counted.grouped if name != chain.step_column]
    places = [counted.grouped.index(name) for name in names]
    released: Counter[Labels] = Counter()
    for labels, rows in counted.sizes.items():
        released[tuple(as_compared(labels[place]) for place in places)] += rows
    most: Counter[Labels] = Counter()
    blank: list[set[str]] = [set() for _ in names]
    for number, step in enumerate(steps):
        if any(name not in hierarchies and step.levels.get(name) not in (0, ANY) for name in names):
            return []
        known = {name: step.labels_of(name, original[name].values, hierarchies.get(name)) for name in names}
        for among, name in zip(blank, names, strict=True):
            gaps = [text for text in original[name].values if text.strip().lower() in NO_VALUE]
            among.update(step.labels_of(name, ["", *gaps], hierarchies.get(name)))
        part = progress.part(number / len(steps), (number + 1) / len(steps))
        for labels, rows in counted_by(original, known, part).items():
            most[labels] = max(most[labels], rows)
    hidden = [place for place, name in enumerate(names) if name not in hierarchies]
    told = [
        ", ".join(labels)
        for labels, rows in sorted(released.items())
        if rows > most[labels]
        and not any(labels[place] == ANY for place in hidden)
        and not any(label in among for label, among in zip(labels, blank, strict=True))
    ]
    if sum(released.values()) > original.rows:
        return ["The file has more rows than the original."]
    return [f"The file has more rows of a group than the original: {first_of(told)}."] if told else []


class _Step:
    """The labels that rows of one step may have."""

    def __init__(
        self, number: int, levels: Mapping[str, int | str], hierarchies: Mapping[str, Hierarchy], column: str
    ) -> None:
        self.levels = levels
        self._allowed: dict[str, set[str]] = {}
        for name, level in levels.items():
            hierarchy = hierarchies.get(name)
            if level == ANY:
                self._allowed[name] = {ANY}
            elif hierarchy is not None and isinstance(level, int):
                there = 0 <= level <= hierarchy.height
                self._allowed[name] = as_read_back(hierarchy.labels[level]) | {ANY} if there else set()
        if column:
            self._allowed[column] = {str(number)}

    def labels_of(self, name: str, values: Sequence[str], hierarchy: Hierarchy | None) -> list[str]:
        """The label of each value of a column at this step, as far as it is known here."""
        level = self.levels[name]
        if level == ANY:
            return [ANY] * len(values)
        if hierarchy is None or not isinstance(level, int):
            return [as_compared(value) for value in values]
        label = {row[0]: as_compared(row[level]) for row in hierarchy.rows()}
        return [label.get(value, ANY) for value in values]

    def knows(self, name: str) -> bool:
        return name in self._allowed

    def has(self, name: str, label: str) -> bool:
        return name not in self._allowed or label in self._allowed[name]


def _where(name: str, steps: Sequence[_Step]) -> str:
    levels = list(dict.fromkeys(step.levels.get(name) for step in steps))
    if levels == [None]:
        return f"a step from 1 to {len(steps)}"
    if levels == [ANY]:
        return f"the level at which every value is {ANY}"
    told = [str(level) for level in levels]
    if len(told) == 1:
        return f"level {told[0]} of its hierarchy"
    return f"the levels {', '.join(told[:-1])} and {told[-1]} of its hierarchy"


def _of_no_step(counted: Counted, names: Sequence[str], steps: Sequence[_Step]) -> Iterable[str]:
    """Labels that occur in one row and belong to no step together, as one text for each combination."""
    places = [counted.grouped.index(name) for name in names]
    fits = [
        {label: sum(1 << n for n, step in enumerate(steps) if step.has(name, label)) for label in counted.labels(name)}
        for name in names
    ]
    every = (1 << len(steps)) - 1
    for labels in sorted(counted.sizes):
        left = every
        for place, known in zip(places, fits, strict=True):
            left &= known[labels[place]]
        if not left:
            yield ", ".join(labels)
