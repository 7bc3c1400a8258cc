"""The names of the columns of a file, without its rows."""

from __future__ import annotations

import csv
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.io.dialect import Dialect
from workbench.io.opening import FileContent, Source
from workbench.io.parts import form_of_parts, parts_of
from workbench.io.reading import preview
from workbench.io.recognise import recognise, recognise_encoding


def column_names(path: Path, dialect: Dialect | None = None) -> tuple[str, ...]:
    """The names of the columns.

    Of a text file nothing but its first line is looked at, unless its dialect says that the names stand elsewhere. Of
    a workbook or a Parquet file the names are taken, and nothing else is kept.

    Raises
    ------
    WorkbenchError
        If the file cannot be read or is no table.
    """
    paths = parts_of(path)
    elsewhere = dialect is not None and (not dialect.header or dialect.skip_lines > 0)
    if form_of_parts(path, paths) is not FileContent.CSV or elsewhere:
        return preview(path, dialect, 0).names
    with Source(paths[0]) as source:
        line = source.head.splitlines(keepends=True)[0]
    if dialect is None:
        encoding = recognise_encoding(line, paths[0].name)
        found = recognise(line, encoding)
        dialect = Dialect(
            delimiter=found.delimiter, encoding=encoding, quote=found.quote, skip_spaces=found.skip_spaces
        )
    text = line.decode(dialect.encoding, "replace").removeprefix("\ufeff").rstrip("\r\n")
    cells = csv.reader(
        [text],
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        skipinitialspace=dialect.skip_spaces,
    )
    try:
        return tuple(next(cells, ()))
    except csv.Error as error:
        raise WorkbenchError(
            f"The first line of {paths[0].name} names no columns: {error}.",
            hint="Give --delimiter, or look at the file.",
            field="path",
        ) from error
