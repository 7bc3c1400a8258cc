"""The counts of every column that is described: its values, and which of them probably stand for none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.core.column_facts import ColumnFacts, column_facts
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.io.column_troubles import second_reading
from workbench.io.infer import likely_missing

Described = tuple[Column, ColumnSpec]
Counted = tuple[Described, ColumnFacts, tuple[str, ...]]


def count_columns(entries: Sequence[Described], progress: Progress = SILENT) -> list[Counted]:
    """The counts of some columns, with the texts that probably stand for "no value"."""
    counted = []
    for position, (column, spec) in enumerate(entries):
        part = progress.part(position / len(entries), (position + 1) / len(entries))
        facts = column_facts(column, spec, part.part(0.0, 0.8))
        facts = replace(facts, two_ways=second_reading(column, spec))
        counted.append(((column, spec), facts, likely_missing(column, part.part(0.8, 1.0))))
    return counted
