"""DataFrames to tables, and tables to DataFrames.

The text of a value follows from that value alone, whatever else the column holds: a float that is whole is written as a
whole number, because pandas turns whole numbers into floats where one is missing. So the ledger knows the rows of a
DataFrame again when they come from a file.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.kinds import parse
from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.core.table import Column, Table
from workbench.core.value_orders import text_ranks
from workbench.library.columns import DAY, MOMENT

if TYPE_CHECKING:
    import pandas as pd

_WHOLE = 1e15
"""Larger floats are not written as whole numbers: they may not be exactly what they look like."""


def is_frame(source: object) -> bool:
    """Whether something is a table of another package: a DataFrame, or what speaks the Arrow interface."""
    return (hasattr(source, "columns") and hasattr(source, "dtypes")) or hasattr(source, "__arrow_c_stream__")


def as_frame(source: Any) -> pd.DataFrame:
    """The DataFrame itself, or one of another package's table."""
    import pandas as pd

    return source if isinstance(source, pd.DataFrame) else pd.DataFrame.from_arrow(source)


def table_of(frame: pd.DataFrame) -> tuple[Table, Schema]:
    """The table of a DataFrame without its index, and what its types say of the columns.

    Raises
    ------
    WorkbenchError
        If a column holds something that is no single value, or two have the same name.
    """
    columns = [_column(str(name), frame.iloc[:, place]) for place, name in enumerate(frame.columns)]
    return Table(tuple(column for column, _ in columns)), Schema(tuple(spec for _, spec in columns))


def frame_of(table: Table, schema: Schema) -> pd.DataFrame:
    """The DataFrame of a released table: numbers where a column still holds nothing else, else categories.

    Categories are the labels that occur, in their natural order: what was not released is not among them.
    """
    import pandas as pd

    known = set(schema.names)
    found = {}
    for column in table.columns:
        spec = schema[column.name] if column.name in known else ColumnSpec(column.name)
        found[column.name] = _series(column, spec)
    return pd.DataFrame(found)


def _series(column: Column, spec: ColumnSpec) -> pd.Series[Any]:
    import pandas as pd

    occurring = np.flatnonzero(column.counts)
    texts = [column.values[code] for code in occurring.tolist()]
    place = np.full(len(column.values), -1, dtype=np.int64)
    if spec.kind.numeric and texts:
        numbers = parse(texts, spec)
        absent = np.array([text == "" for text in texts])
        if not np.isnan(numbers[~absent]).any():
            place[occurring] = np.arange(len(occurring))
            values = numbers[place[column.codes]]
            whole = spec.kind is Kind.INTEGER
            return pd.Series(pd.array(values, dtype="Int64" if whole else "Float64"), name=column.name)
    order = np.argsort(text_ranks(texts, "natural"), kind="stable") if texts else np.empty(0, dtype=np.intp)
    place[occurring[order]] = np.arange(len(order))
    labels = pd.Categorical.from_codes(place[column.codes], categories=[texts[i] for i in order.tolist()])
    return pd.Series(labels, name=column.name)


def _column(name: str, series: pd.Series[Any]) -> tuple[Column, ColumnSpec]:
    import pandas as pd

    spec = _described(name, series)
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes, uniques = np.asarray(series.cat.codes), list(series.cat.categories)
    else:
        try:
            codes, found = pd.factorize(series, use_na_sentinel=True)
        except TypeError:
            raise _no_value(name) from None
        # An index gives Python's floats; the shortest way to write one depends on how wide it was.
        uniques = list(np.asarray(found)) if series.dtype.kind == "f" else list(found)
    write = _writer(name)
    index: dict[str, int] = {}
    # Two values may be written alike, such as 1 and "1". The last place is what the code of a missing value, -1, means.
    texts = [write(one) for one in uniques] + ([""] if bool((codes < 0).any()) else [])
    places = np.array([index.setdefault(text, len(index)) for text in texts], dtype=np.int32)
    return Column(name, places[codes] if len(texts) else places, tuple(index)), spec


def _described(name: str, series: pd.Series[Any]) -> ColumnSpec:
    """What the type of a column says; that a text looks like a number says nothing."""
    import pandas as pd

    found = ColumnSpec(name)
    if isinstance(series.dtype, pd.CategoricalDtype):
        if not series.cat.ordered:
            return replace(found, kind=Kind.CATEGORY)
        # Nobody said that the categories were known without the data, only that they have an order.
        domain = tuple(map(_writer(name), series.cat.categories))
        return replace(found, kind=Kind.ORDERED, domain=domain, observed=frozenset({"domain"}))
    kind = pd.api.types.infer_dtype(series, skipna=True)
    if kind == "bytes":
        raise _no_value(name)
    return replace(found, **_KINDS.get(kind, {}))


_DATES = {"kind": Kind.DATETIME, "format": Format(pattern=MOMENT)}
_KINDS: dict[str, dict[str, Any]] = {
    "integer": {"kind": Kind.INTEGER},
    "floating": {"kind": Kind.DECIMAL},
    "mixed-integer-float": {"kind": Kind.DECIMAL},
    "decimal": {"kind": Kind.DECIMAL},
    "boolean": {"kind": Kind.CATEGORY},
    "date": {"kind": Kind.DATE, "format": Format(pattern=DAY)},
    "datetime64": _DATES,
    "datetime": _DATES,
}


def _writer(name: str) -> Callable[[Any], str]:
    def written(value: Any) -> str:
        if isinstance(value, str):
            # As where a file is read: what is no text, and NUL, which ends it for others.
            plain = value.replace("\0", "�")
            return plain if plain.isprintable() else plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if isinstance(value, float | np.floating):
            number = float(value)
            return str(int(number)) if abs(number) < _WHOLE and number.is_integer() else str(value)
        if isinstance(value, Decimal):
            return format(value, "f")
        if isinstance(value, dt.datetime):
            at_midnight = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
            return value.strftime(DAY) if at_midnight and value.tzinfo is None else value.isoformat(sep=" ")
        if isinstance(value, bytes | list | dict | set | tuple | np.ndarray):
            raise _no_value(name)
        return str(value)

    return written


def _no_value(name: str) -> WorkbenchError:
    return WorkbenchError(
        f"“{name}” holds something that is no single number, date or text.",
        hint="Leave the column out, or turn it into text first.",
        field=name,
    )
