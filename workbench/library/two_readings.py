"""Numbers of a file that can be read in two ways, told before anything is made of them, without any value."""

from __future__ import annotations

import warnings
from collections.abc import Collection

from workbench.core.number_example import example_of
from workbench.core.schema import Kind
from workbench.session import Session
from workbench.session.file_preview import troubles_of

_FUNCTIONS = {Kind.INTEGER: "integer", Kind.DECIMAL: "number", Kind.MONEY: "money", Kind.PERCENT: "percent"}


def warn_of(session: Session, names: Collection[str], stacklevel: int) -> None:
    """Warn of columns among these whose numbers can be read in two ways. A notebook keeps it, so no value is in it.

    Parameters
    ----------
    stacklevel
        How far up the person's own line is, as for `warnings.warn`.
    """
    schema = session.project.schema
    for trouble in troubles_of(session.data.reading.table, (schema[name] for name in names)):
        if not trouble.unsure or trouble.format is None:
            continue
        name, now = trouble.column, schema[trouble.column]
        said = [
            f"wb.{_FUNCTIONS[kind]}(written={example_of(written)!r})"
            for kind, written in ((trouble.kind or now.kind, trouble.format), (now.kind, now.format))
        ]
        mark = now.format.decimal_mark
        warnings.warn(
            f"“{name}”: some numbers have one {'point' if mark == '.' else 'comma'}, before exactly three digits, and "
            f"all others have none, so it may stand between thousands. It is read as decimals. Describe {name!r} as "
            f"{said[0]} to read thousands, or as {said[1]} to read it as now.",
            stacklevel=stacklevel + 1,
        )
