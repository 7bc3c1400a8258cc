"""DataFrames to tables, and tables to DataFrames.

The text of a value follows from that value alone, whatever else the column holds: a float that is whole is written as a
whole number, because pandas turns whole numbers into floats where one is missing. So the ledger knows the rows of a
DataFrame again when they come from a file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.core.dates import DAY, MOMENT
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import parse
from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.core.table import Column, Table
from workbench.core.value_orders import text_ranks
from workbench.io.missing_package import install_command
from workbench.library.frame_texts import no_value, texts_of, writer

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


_WHOLE_KINDS = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")


def is_frame(source: object) -> bool:
    """Whether something is a table of another package: a DataFrame, or what speaks the Arrow interface."""
    return (hasattr(source, "columns") and hasattr(source, "dtypes")) or hasattr(source, "__arrow_c_stream__")


def as_frame(source: Any) -> pd.DataFrame:
    """The DataFrame itself, or one of another package's table, whose whole numbers stay whole where one is missing.

    Raises
    ------
    WorkbenchError
        If it is such a table and pyarrow is not installed, or something in it cannot be taken over.
    """
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        return source
    try:
        import pyarrow as pa
    except ImportError as error:
        raise WorkbenchError(
            "To take a table of this package, the package pyarrow is needed, and it is not installed.",
            hint=f"Install it with the command: {install_command('parquet')}. Or give a pandas DataFrame.",
            field="source",
        ) from error
    whole = {pa.type_for_alias(kind.lower()): getattr(pd, f"{kind}Dtype")() for kind in _WHOLE_KINDS}
    try:
        frame: pd.DataFrame = pa.table(source).to_pandas(types_mapper={**whole, pa.bool_(): pd.BooleanDtype()}.get)
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise WorkbenchError(
            # Its own words may name a value, such as a year that no date has.
            f"The table cannot be taken over: pandas cannot hold what is in it ({type(error).__name__}).",
            hint="Turn it into a pandas DataFrame first.",
            field="source",
        ) from error
    return frame


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
    from pandas.api.types import infer_dtype

    spec = _described(name, series)
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes, uniques = np.asarray(series.cat.codes), series.cat.categories
    else:
        written = series.dtype == np.dtype(object) and infer_dtype(series, skipna=True) not in _ALIKE
        try:
            codes, uniques = pd.factorize(_written(name, series) if written else series, use_na_sentinel=True)
        except (TypeError, NotImplementedError, ArithmeticError):  # a list, also one of Arrow's; a NaN that signals
            raise no_value(name) from None
    # The last place is what the code of a missing value, -1, means.
    missing = bool((codes < 0).any())
    texts = texts_of(name, uniques) + ([""] if missing else [])
    if not missing and uniques.dtype in (np.dtype(np.int64), np.dtype(np.float64)):
        return Column(name, codes.astype(np.int32), tuple(texts)), spec  # different numbers are written differently
    if len(index := dict.fromkeys(texts)) == len(texts) and (not texts or texts[-1]):
        return Column(name, codes.astype(np.int32), tuple(texts)), spec
    # Two values may be written alike, such as 1 and "1".
    known = {text: place for place, text in enumerate(index)}
    places = np.array([known[text] for text in texts], dtype=np.int32)
    return Column(name, places[codes] if len(texts) else places, tuple(known)), spec


def _written(name: str, series: pd.Series[Any]) -> NDArray[np.object_]:
    """Texts in the place of objects: equal ones, such as True, 1 and Decimal("1.0"), may be written differently.

    Were one taken for the other, what is written in a row would follow from whoever stands above it.
    """
    write = writer(name)
    found: NDArray[np.object_] = series.to_numpy(dtype=object, copy=True)
    for place in np.flatnonzero(series.notna().to_numpy()).tolist():
        found[place] = write(found[place])
    return found


def _described(name: str, series: pd.Series[Any]) -> ColumnSpec:
    """The description of a column by its type; that a text looks like a number says nothing."""
    import pandas as pd

    found = ColumnSpec(name)
    if isinstance(series.dtype, pd.CategoricalDtype):
        if not series.cat.ordered:
            return replace(found, kind=Kind.CATEGORY)
        # Nobody said that the categories were known without the data, only that they have an order.
        domain = tuple(texts_of(name, series.cat.categories))
        return replace(found, kind=Kind.ORDERED, domain=domain, observed=frozenset({"domain"}))
    if isinstance(series.dtype, pd.StringDtype):
        return found  # texts, whatever they look like; looking at each of them would take as long as the rest
    kind = pd.api.types.infer_dtype(series, skipna=True)
    if kind == "bytes":
        raise no_value(name)
    return replace(found, **_KINDS.get(kind, {}))


_ALIKE = frozenset({"string", "integer", "boolean", "date"})
"""The types of columns of objects whose values are written alike wherever they are equal."""
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
