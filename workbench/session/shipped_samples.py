"""The tables that published figures are made of by default, read once."""

from __future__ import annotations

import os
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

from workbench.core.paths import sample_data
from workbench.core.progress import Progress
from workbench.core.schema import Schema
from workbench.core.table import Table
from workbench.evaluate.samples import SampleColumn
from workbench.evaluate.subject import ExperimentData
from workbench.io.dialect import Dialect
from workbench.io.infer import agreeing, propose
from workbench.io.reading import read_table
from workbench.project.loading import load

OUTSIDE_DATA = "WORKBENCH_DATA"
"""Environment variable: a folder with data that does not ship with the program."""
_KEPT = 3
"""So many tables stay in memory: figures that are looked at one after the other are made of few."""
_READING = 0.8
"""The share of the time that is spent on the file itself."""
_Stamp = tuple[Path, int, int]


def sample_of(sample: SampleColumn | None, progress: Progress) -> tuple[ExperimentData, str, str]:
    """The data a published figure takes by default, its column, and what both are called."""
    if sample is None:
        return ExperimentData(Table(()), Schema()), "", "no data"
    folder = os.environ.get(OUTSIDE_DATA)
    if folder and sample.outside is not None:
        file, column = sample.outside
        if (path := Path(folder) / file).exists():
            loaded = load(path, None, progress)
            material = ExperimentData(loaded.reading.table, loaded.proposed, {}, loaded.content)
            return material, column, f"{path.name}, {column}"
    path, column = sample_data() / sample.file, sample.column
    return _shipped(path, progress), column, f"{path.name}, {column} (synthetic sample)"


_read: OrderedDict[_Stamp, ExperimentData] = OrderedDict()
"""Those that were read last; two threads may both read one, which is then the same table twice."""


def _shipped(path: Path, progress: Progress) -> ExperimentData:
    """A sample, of which is known how it is written, and of which nobody asks for whom it describes."""
    stamp = path.stat()
    key = path, stamp.st_mtime_ns, stamp.st_size
    found = _read.pop(key, None)
    if found is None:
        reading = read_table(path, Dialect(), progress.part(0.0, _READING))
        progress(_READING, "Looking at the columns")
        columns = reading.table.columns
        specs = agreeing([propose(one) for one in columns], {one.name: one for one in columns})
        schema = Schema(tuple(replace(one, undecided=True) for one in specs))
        found = ExperimentData(reading.table, schema, {}, reading.fingerprint)
    _read[key] = found
    while len(_read) > _KEPT:
        _read.popitem(last=False)
    progress(1.0)
    return found
