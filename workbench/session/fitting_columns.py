"""Refusals of columns of which a published figure cannot be made."""

from __future__ import annotations

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.quick_reading import read_values
from workbench.evaluate.preset import Preset
from workbench.evaluate.published.entry import PublishedFigure
from workbench.evaluate.samples import Needs
from workbench.evaluate.subject import ExperimentData


def unfit(made: Preset | PublishedFigure, numeric: bool, column: str) -> WorkbenchError | None:
    """The error where a figure or a preset is about numbers and a column holds none."""
    if made.needs is not Needs.NUMBERS or numeric:
        return None
    name = made.number if isinstance(made, PublishedFigure) else f"“{made.title}”"
    return WorkbenchError(
        f"“{column}” holds no numbers, and {name} is about numbers.",
        hint="Choose another column; if this one does hold numbers, say so in the window, under Data, or with --kind.",
        field="column",
    )


def check_fits(made: Preset | PublishedFigure, material: ExperimentData, column: str) -> None:
    """Refuse a column without numbers for what is about numbers."""
    if column and (wrong := unfit(made, material.schema[column].kind.numeric, column)) is not None:
        raise wrong


def check_has_values(material: ExperimentData, column: str) -> None:
    """Refuse a column of which nothing can be drawn."""
    values, spec = material.table[column], material.schema[column]
    if spec.kind.numeric:
        there = bool((np.isfinite(read_values(values.values, spec)) & (values.counts > 0)).any())
    else:
        found = zip(values.values, values.counts.tolist(), strict=True)
        there = any(rows and text not in spec.missing for text, rows in found)
    if not there:
        raise WorkbenchError(
            f"No row has a value of “{column}”, so there is nothing to ask.",
            hint="Check the column and which rows take part.",
            field="column",
        )
