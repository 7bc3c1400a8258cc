"""A survey that is planned before anybody answered: the possible answers as they are typed, in the place of a file."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

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
from workbench.ldp.plan import Shape
from workbench.project.collect_settings import CollectSettings
from workbench.project.loading import Loaded, loaded_from
from workbench.session.state import SessionState

SURVEY = "answer"
"""The name of what is asked, where no column of a table has one."""
AS_TYPED = Path("answers as typed")
"""In the place of a file, where answers are typed: this very object, as a file may be called so."""
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


def opened_data(state: SessionState) -> str:
    """What tells the open data from others; "" without any."""
    return "" if state.loaded is None else state.loaded.reading.fingerprint


def typed_before(
    state: SessionState, settings: CollectSettings, column: str, how: EncodingKind | None = None
) -> dict[str, Any]:
    """What was typed for a column when it was asked about, else as usual; what is typed now is kept for its own.

    Parameters
    ----------
    settings
        In force.
    how
        How its answers become codes where nothing was typed for it.
    """
    usual: dict[str, Any] = {"encoding": EncodingChoice(how=how), "guess": (), "shape": Shape.AUTO, "question": ""}
    kept, data = state.asked_before.typed, opened_data(state)
    now = {name: getattr(settings, name) for name in usual}
    if now == usual | {"encoding": EncodingChoice()}:
        kept.pop((data, settings.column), None)  # what was taken away does not come back
    else:
        kept[data, settings.column] = now
    return dict(kept.get((data, column), usual))


def typed_for(state: SessionState, settings: CollectSettings, spec: ColumnSpec) -> dict[str, Any]:
    """What was typed for a column, as `typed_before`; nothing where answers to a question about none are taken along.

    That they are is kept, as nobody said that they are those of this column.
    """
    found = typed_before(state, settings, spec.name)
    carries = not answers_begun(found["encoding"]) and not settings.column and could_be_of(settings.encoding, spec)
    if carries:
        state.asked_before.carried[opened_data(state), spec.name] = settings.encoding
    return {} if carries else found


def could_be_of(choice: EncodingChoice, spec: ColumnSpec) -> bool:
    """Whether answers that were typed without a table could be those of this column, by what is declared of it."""
    along = spec.kind.numeric or spec.kind.temporal
    if choice.how in PLANNED_NUMBERS:
        return choice.bounds is not None and choice.how in ways(spec) and spec.kind.numeric
    if choice.domain is None or not along:
        return choice.domain is not None
    return bool(np.isfinite(read_values(choice.domain, spec)).all())
