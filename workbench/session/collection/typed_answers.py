"""A survey that is planned before anybody answered: the possible answers as they are typed, in the place of a file."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from workbench.core.content import fingerprints
from workbench.core.number_text import file_text
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column, Table
from workbench.io.dialect import Dialect
from workbench.io.reading import Reading
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.fitting import ways
from workbench.project.loading import Loaded, loaded_from

SURVEY = "answer"
"""The name of what is asked, where no column of a table has one."""
AS_TYPED = Path("answers as typed")
"""In the place of a file, where answers are typed."""
PLANNED = (EncodingKind.CATEGORIES, EncodingKind.BINS, EncodingKind.WHOLE)
"""The ways in which answers are typed: one by one, or as numbers between two bounds."""
PLANNED_NUMBERS = (EncodingKind.BINS, EncodingKind.WHOLE)
"""Those for numbers."""
ANY_NUMBERS = ("0", "1")
"""The answers from which whole numbers are recognised while no bounds are typed."""


def as_read(column: str, answers: tuple[str, ...]) -> Loaded:
    """A table that has each typed answer once, or the two bounds, as a file of them would be read."""
    table = Table((Column.from_texts(column, answers),))
    prints = fingerprints(table)
    return loaded_from(Reading(table, Dialect(), (), 0, 0, prints.rows, AS_TYPED), prints)


def answers_begun(choice: EncodingChoice) -> bool:
    """Whether anything is typed of the possible answers."""
    return choice.domain is not None or choice.bounds is not None


def planned_without(choice: EncodingChoice) -> bool:
    """Whether a question is planned that is about no column: how its answers are typed is chosen, or some are typed."""
    return choice.how is not None or answers_begun(choice)


def typed_table(column: str, choice: EncodingChoice) -> tuple[Table, ColumnSpec]:
    """The typed answers as a table, and their column; nothing is declared of it but what is typed."""
    if choice.how in PLANNED_NUMBERS:
        answers = ANY_NUMBERS if choice.bounds is None else tuple(map(file_text, choice.bounds))
    else:
        answers = choice.domain or ()
    return as_typed(column, answers)


@lru_cache(maxsize=4)
def as_typed(column: str, answers: tuple[str, ...]) -> tuple[Table, ColumnSpec]:
    """A table that has each typed answer once, and its column, of which nothing is declared."""
    loaded = as_read(column, answers)
    spec = replace(loaded.proposed[column], bounds=None, domain=None, observed=frozenset(), undecided=False)
    return loaded.reading.table, spec


def could_be_of(choice: EncodingChoice, spec: ColumnSpec) -> bool:
    """Whether answers that were typed without a table could be those of this column, by what is declared of it."""
    along = spec.kind.numeric or spec.kind.temporal
    if choice.how in PLANNED_NUMBERS:
        return choice.bounds is not None and choice.how in ways(spec) and spec.kind.numeric
    if choice.domain is None or not along:
        return choice.domain is not None
    return bool(np.isfinite(read_values(choice.domain, spec)).all())
