"""Counting by one column of a trimmed file: by label its rows, and about how many more there are in the table.

A group of n rows gives up Z of them and is in the file with n − Z where that is positive. Adding E[Z] to the rows of
every group that is in the file counts too few rows on average or just as many, whatever the groups are: of one of n
rows it counts E[(Z − n − E[Z]); Z ≥ n] too many, and E[Z − n | Z ≥ n] is at most E[Z], since the weights of the law
rise and fall by factors that never grow (its mean residual life does not rise). So a sum over groups of any size is at
most the true one on average over the draws. Rows that stand under a coarser label are among those given up: they are
left out where what was given up is added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import prod

from workbench.anonymise.note_versions import COUNTED_WIDELY, SAID_ONCE
from workbench.core.hierarchy import ANY
from workbench.report.column_labels import column_labels
from workbench.report.recheck_original import as_compared
from workbench.report.stated_facts import Facts

LABEL_COUNTS = "label_counts"
MOST_LABELS = 24
"""Labels of a column of which all are told; of a column with more none is."""
_MOST_BEFORE = 12
"""The same in notes before `COUNTED_WIDELY`."""
MOST_LINES = 40
"""Of all columns together, so that the page stays readable."""
Counts = dict[str, list[list[str | int]]]


def label_counts(
    release: Facts,
    names: Sequence[str],
    groups: Iterable[tuple[Sequence[str], int]],
    *,
    version: int = SAID_ONCE,
) -> Counts:
    """By column its labels: the rows with it, those of them with the finest labels, and of how many groups these are.

    And of how many they could be: one for each combination of the finest labels of the other columns in the file.

    Only labels that some group of the finest ones has are among them, and columns with few of these but for `*`.

    Parameters
    ----------
    release
        A note, of which columns and steps are asked.
    names
        The columns of the groups.
    groups
        The labels of a group in the file and its rows.
    version
        Of the notes that count so many labels, and hold how many groups there could be.
    """
    most = MOST_LABELS if version >= COUNTED_WIDELY else _MOST_BEFORE
    if release.get("worked") is None or not several(release):
        return {}
    rows: Counter[tuple[str, ...]] = Counter()
    for labels, some in groups:
        rows[tuple(map(as_compared, labels))] += some
    first = _of_first_step(release, names)
    finest = {labels: some for labels, some in rows.items() if first(labels)}
    found: Counts = {}
    lines = 0
    grouped = [at for at, name in enumerate(names) if name != release["step_column"]]
    labels_of = {at: len({labels[at] for labels in finest}) for at in grouped}
    for name in (one["name"] for one in release["columns"] if one["name"] in names):
        if name == release["step_column"]:
            continue
        place = names.index(name)
        every, of_finest, made_of = Counter[str](), Counter[str](), Counter[str]()
        for labels, some in rows.items():
            every[labels[place]] += some
        for labels, some in finest.items():
            of_finest[labels[place]] += some
            made_of[labels[place]] += 1
        if set(of_finest) - {ANY} and len(of_finest) <= min(most, MOST_LINES - lines):
            could = [prod(labels_of[at] for at in grouped if at != place)] if version >= SAID_ONCE else []
            found[name] = [
                [label, every[label], of_finest[label], made_of[label], *could] for label in sorted(of_finest)
            ]
            lines += len(of_finest)
    return found


def several(release: Facts) -> bool:
    """Whether rows are alike by more than one column of the file, so that a label can be of several groups."""
    columns = [one["name"] for one in release["columns"] if one["grouped"]]
    return len([name for name in columns if name != release["step_column"]]) > 1


def _of_first_step(release: Facts, names: Sequence[str]) -> Callable[[Sequence[str]], bool]:
    """Whether labels are of no later step, which is seen where one of them can be at no level of it."""
    steps = [] if release["after"]["one_level"] else [step["levels"] for step in release["steps"]][1:]
    named = {one["name"]: one.get("hierarchy", {}).get("levels", ()) for one in release["columns"]}
    known = column_labels(release)
    every = frozenset(range(len(steps)))

    @cache
    def excluded(place: int, label: str) -> frozenset[int]:
        name = names[place]
        if name == release["step_column"]:
            return every - {int(label) - 2} if label.isdigit() else frozenset()
        if label in (ANY, ""):  # which is a label of every level
            return frozenset()
        words = [_words(named.get(name, ()), step.get(name)) for step in steps]
        return frozenset(
            number
            for number, one in enumerate(words)
            if one == ANY or (name in known and not known[name].can_be_at(label, one))
        )

    def first(labels: Sequence[str]) -> bool:
        return every == frozenset().union(*(excluded(place, label) for place, label in enumerate(labels)))

    return first


def _words(named: Sequence[str], level: object) -> str:
    return ANY if level == ANY else str(named[level]) if isinstance(level, int) and level in range(len(named)) else ""
