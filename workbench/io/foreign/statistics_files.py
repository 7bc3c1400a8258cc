"""Reading files of SPSS, Stata and SAS through pyreadstat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyreadstat

from workbench.core.errors import WorkbenchError
from workbench.io.arrow_texts import number_as_text
from workbench.io.foreign import frames, limits
from workbench.io.foreign.typed_columns import ColumnWriter, Problems

_CELLS = 1 << 22
"""Cells that are taken in at once; the reader makes an object of each."""
_WHOLE = ("int8", "int16", "int32")


def run(request: dict[str, Any], out: frames.FrameWriter) -> None:
    """Send the columns of a file with what it says of them: labels, missing codes, kinds.

    Raises
    ------
    WorkbenchError
        If it cannot be read.
    """
    path, limit = Path(request["paths"][0]), request.get("limit")
    room = limits.MemoryAllowance()
    room.limit(limits.allowance(path.stat().st_size))
    try:
        _File(path, request["form"]).send(out, limit)
    except (MemoryError, BrokenPipeError, WorkbenchError):
        raise
    except Exception as error:  # what its reader raises has many names
        raise _unreadable(path.name, error) from error


class _File:
    """A file, and how it can be read."""

    def __init__(self, path: Path, form: str) -> None:
        self._path = path
        self._read = _reader(path, form)
        # As they are: "refused" is another answer than "does not know". The portable form and that of SAS for transport
        # know no such codes.
        self._how: dict[str, Any] = {"output_format": "dict"}
        if self._read in (pyreadstat.read_sav, pyreadstat.read_dta, pyreadstat.read_sas7bdat):
            self._how["user_missing"] = True
        self._problems = Problems()

    def send(self, out: frames.FrameWriter, limit: int | None) -> None:
        _, about = self._chunk(0, 1)
        names = list(about.column_names)
        rows = about.number_rows or 0
        writer = ColumnWriter(out, names, rows if limit is None else min(rows, limit))
        size, done, missing = max(1, _CELLS // max(len(names), 1)), 0, dict[str, set[str]]()
        while names and (limit is None or done < limit):
            wanted = size if limit is None else min(size, limit - done)
            out.tell(frames.WORK, cells=wanted * len(names))
            out.expect_cells(wanted * len(names))
            found, about = self._chunk(done, wanted)
            columns = [_plain(found[name], about.missing_user_values.get(name), missing, name) for name in names]
            read = len(columns[0])
            for start in range(0, read, 1 << 14):
                writer.send([column[start : start + (1 << 14)] for column in columns])
            done += read
            if read < wanted:
                break
        writer.end([_notes(about, name, missing.get(name, set())) for name in names], self._problems)

    def _chunk(self, offset: int, rows: int) -> tuple[dict[str, Any], Any]:
        """Some rows; a file that its reader cannot read in the usual way is read in another, which is told."""
        try:
            return self._asked(offset, rows)
        except (OverflowError, ValueError) as error:
            if self._how.get("disable_datetime_conversion") or isinstance(error, UnicodeError):
                raise
            self._how["disable_datetime_conversion"] = True
            reason = "a date lies beyond the years 1 to 9999, so dates stand as the numbers they are in the file"
            self._problems.add(1, reason, kept=True)
        except pyreadstat.ReadstatError as error:
            if "encoding" in self._how or "encoding" not in str(error):
                raise
            self._how["encoding"] = "WINDOWS-1252"
            reason = "its texts are not in the encoding it names; they are read as Windows-1252"
            self._problems.add(1, reason, kept=True)
        return self._chunk(offset, rows)

    def _asked(self, offset: int, rows: int) -> tuple[dict[str, Any], Any]:
        found: tuple[dict[str, Any], Any] = self._read(str(self._path), row_offset=offset, row_limit=rows, **self._how)
        return found


def _reader(path: Path, form: str) -> Any:
    with path.open("rb") as file:
        start = file.read(8)
    if form == "spss":
        return pyreadstat.read_sav if start.startswith(b"$FL") else pyreadstat.read_por
    if form == "stata":
        return pyreadstat.read_dta
    return pyreadstat.read_xport if start.startswith(b"HEADER") else pyreadstat.read_sas7bdat


def _plain(values: Any, letters: list[str] | None, missing: dict[str, set[str]], name: str) -> list[Any]:
    """The values of a column; missing values with a letter as Stata and SAS write them, such as `.a`."""
    listed = values.tolist() if hasattr(values, "tolist") else list(values)
    if not letters:
        return listed
    missing.setdefault(name, set()).update(f".{letter}" for letter in letters)
    return [f".{value}" if isinstance(value, str) and value in letters else value for value in listed]


def _notes(about: Any, name: str, letters: set[str]) -> dict[str, Any]:
    """Notes of a file on one column: labels, missing codes, whether it is ordered or whole."""
    labels = about.variable_value_labels.get(name) or {}
    ranges = about.missing_ranges.get(name) or ()
    numbers = [(one["lo"], one["hi"]) for one in ranges if not isinstance(one["lo"], str)]
    codes = {one["lo"].rstrip() for one in ranges if isinstance(one["lo"], str) and one["lo"] == one["hi"]}
    return {
        "title": about.column_names_to_labels.get(name) or "",
        "labels": [[_code(code), str(label)] for code, label in labels.items()],
        "missing": sorted(codes | letters),
        "ranges": [[float(low), float(high)] for low, high in numbers],
        "ordered": about.variable_measure.get(name) == "ordinal",
        "whole": about.readstat_variable_types.get(name) in _WHOLE,
    }


def _code(code: Any) -> str:
    if isinstance(code, str):
        return code
    return number_as_text(float(code))


def _unreadable(name: str, error: Exception) -> WorkbenchError:
    reason = (str(error).splitlines() or ["it is damaged"])[0].rstrip(".") or type(error).__name__
    return WorkbenchError(
        f"“{name}” cannot be read: {reason}.",
        hint="Get it again, or save it as CSV with the program it came from.",
        field="path",
    )
