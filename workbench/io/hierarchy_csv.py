"""Hierarchies as files: the CSV that ARX reads and writes, and a note beside it that says where it is from.

A file has one line per value: the value, then its label at level 1, 2, …; separated by `;`, a tab or `,`.
The note is `<stem>.json`::

    {"format": "workbench-hierarchy-note", "version": 1, "provenance": "public", "origin": "…"}

It names the plug-in that built the hierarchy, if one did: it is public only on the word of whoever trusts that.
Of a hierarchy that was built it also has `"topped"`: whether the highest level is `*` whatever the values of the data.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.core.building import NOT_DECLARED, builder_of
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.json_values import read_json
from workbench.io.atomic import atomic_write
from workbench.io.dialect import Dialect
from workbench.io.file_stamps import steady
from workbench.io.opening import Source, file_fingerprint
from workbench.io.recognise import recognise_encoding
from workbench.io.rows import damaged, row_batches

NOTE_FORMAT = "workbench-hierarchy-note"
NOTE_VERSION = 1

_DELIMITERS = (";", "\t", ",")
_SAMPLE = 1000
_LEVEL = re.compile(r"(?:level|lvl|stufe|ebene|generali[sz]ation)[ _-]*([0-9]+)", re.IGNORECASE)
_QUOTED = re.compile(r'[,;\t|"\r\n\ufeff]|^\s|\s$')
_LARGEST_NOTE = 1 << 20
_UNDECLARED = "declared public by nobody"
SAID_WITHOUT_DATA = "made without this data, as the person says who imported it"
"""The very words that are asked for; projects made before have those of `_SAID_BEFORE`."""
_SAID_BEFORE = "declared public by the person who imported it"


@dataclass(frozen=True)
class _Note:
    provenance: Provenance
    origin: str
    header: bool | None
    plugin: Mapping[str, Any] | None
    topped: bool | None


def read_hierarchy(
    path: str | os.PathLike[str], *, provenance: Provenance | None = None, declared: bool = True
) -> Hierarchy:
    """Read a hierarchy, with or without a heading of level names.

    A first line counts as a heading only if it cannot well be a value: "value" or anything else followed by
    "level 1", "level 2", ….

    Parameters
    ----------
    provenance
        What the person says about it. If None, the note beside the file decides.
    declared
        Whether the person who imports a file without a note declares that it was made without the data, as whoever
        names one in a command does. If not, it counts as made from the data.

    Raises
    ------
    WorkbenchError
        If the file or its note cannot be read, lines differ in length, a value has two different lines, or
        a level is not coarser than the one below it. The message names the file and the line.
    """
    place = Path(path)
    with steady((place, note_path(place)), digest=file_fingerprint):
        return _read_hierarchy(place, provenance, declared=declared)


def is_undeclared(hierarchy: Hierarchy) -> bool:
    """Whether it was imported and nobody has said yet whether it was made without the data."""
    return hierarchy.provenance is Provenance.DERIVED and hierarchy.origin.endswith(_UNDECLARED)


def is_unsaid(hierarchy: Hierarchy) -> bool:
    """Whether nobody has said how it was made: it was imported, or is a tree or a table that nobody declared."""
    built = hierarchy.provenance is Provenance.DERIVED and hierarchy.origin.endswith(NOT_DECLARED)
    return built or is_undeclared(hierarchy)


def file_words(hierarchy: Hierarchy) -> str:
    """Where an undeclared hierarchy was imported from, without what nobody has said of it."""
    return hierarchy.origin.removesuffix(_UNDECLARED).rstrip(", ")


def nobody_said(words: str) -> str:
    """The origin of a hierarchy of which somebody takes back, or never knew, how it was made."""
    for said in (_UNDECLARED, SAID_WITHOUT_DATA, _SAID_BEFORE):
        words = words.removesuffix(said).rstrip(", ")
    return f"{words}, {_UNDECLARED}" if words else _UNDECLARED


def is_declared(hierarchy: Hierarchy) -> bool:
    """Whether a person has said that it was made without the data, when it was imported or built."""
    built = {} if hierarchy.specification is None else hierarchy.specification.get("parameters", {})
    said = hierarchy.origin.endswith((SAID_WITHOUT_DATA, _SAID_BEFORE)) or built.get("declared") is True
    return hierarchy.provenance is Provenance.PUBLIC and said


def declared_public(hierarchy: Hierarchy) -> Hierarchy:
    """The same as if it had been declared public when it was imported; any other stays as it is."""
    if not is_undeclared(hierarchy):
        return hierarchy
    origin = f"{hierarchy.origin.removesuffix(_UNDECLARED)}{SAID_WITHOUT_DATA}"
    return replace(hierarchy, provenance=Provenance.PUBLIC, origin=origin)


def _read_hierarchy(place: Path, provenance: Provenance | None, *, declared: bool) -> Hierarchy:
    # Only the person's own word makes an unreadable note harmless.
    note = _read_note(place, strict=provenance is None)
    rows, starts = _read_rows(place)
    rows, starts = _without_heading(rows, starts, None if note is None else note.header)
    _check(rows, starts, place.name)
    plugin = None
    if provenance is None and note is not None:
        whence, origin, plugin = note.provenance, note.origin, note.plugin
    elif provenance is None and not declared:
        whence, origin = Provenance.DERIVED, f"imported from {place.name}, {_UNDECLARED}"
    else:
        whence = provenance or Provenance.PUBLIC
        said = (
            SAID_WITHOUT_DATA
            if whence is Provenance.PUBLIC
            else "made from the data, as the person says who imported it"
        )
        origin = f"imported from {place.name}, {said}"
    try:
        made = replace(Hierarchy.from_rows(rows, provenance=whence, origin=origin), plugin=plugin)
        return made if note is None else replace(made, topped=note.topped)
    except WorkbenchError as error:
        raise WorkbenchError(f"“{place.name}”: {error.message}", hint=error.hint, field="path") from error


def write_hierarchy(hierarchy: Hierarchy, path: str | os.PathLike[str]) -> None:
    """Write a hierarchy as ARX reads it (`;`, no heading) and the note beside it.

    Reading it back gives the same hierarchy.

    Raises
    ------
    WorkbenchError
        If a file cannot be written, or the place of the note is taken by some other file.
    """
    place = Path(path)
    note = note_path(place)
    if note == place:
        raise WorkbenchError(
            f"“{place.name}” is the name of the note beside a hierarchy.",
            hint="Choose a name that ends in .csv.",
            field="path",
        )
    if note.exists() and not _is_note(note):
        raise WorkbenchError(
            f"“{note.name}” beside it is some other file, which must not be overwritten.",
            hint="Choose another name for the hierarchy.",
            field="path",
        )
    text = "".join(";".join(map(_cell, row)) + "\n" for row in hierarchy.rows())
    maker = builder_of(hierarchy)
    described = json.dumps(
        {
            "format": NOTE_FORMAT,
            "version": NOTE_VERSION,
            "provenance": hierarchy.provenance.value,
            "origin": hierarchy.origin,
            "header": False,
            **({} if maker.built_in else {"plugin": maker.to_json()}),
            **({} if hierarchy.topped is None else {"topped": hierarchy.topped}),
        },
        ensure_ascii=False,
        indent=1,
    )
    # If only one of the two gets written, the pair must not look more public than it is.
    steps = [(place, text), (note, described + "\n")]
    if hierarchy.provenance is not Provenance.PUBLIC:
        steps.reverse()
    for target, content in steps:
        with atomic_write(target, "t") as file:
            file.write(content)


def has_note(path: Path) -> bool:
    """Whether a note of this program lies beside the hierarchy file `path`: it was written here."""
    return _is_note(note_path(path))


def note_path(path: Path) -> Path:
    """Where the note of the hierarchy file `path` lies."""
    return path.with_suffix(".json")


def _read_rows(place: Path) -> tuple[list[list[str]], list[int]]:
    with Source(place) as source:
        encoding = recognise_encoding(source.head, place.name)
        delimiter = _delimiter(source.head, encoding)
        rows: list[list[str]] = []
        starts: list[int] = []
        for batch in row_batches(source, Dialect(delimiter, encoding, header=False)):
            for row, line in zip(batch.rows, batch.starts(), strict=True):
                if row:
                    rows.append(row)
                    starts.append(line)
                if any(map(damaged, row)):
                    what = f"holds a NUL character or bytes that are not {encoding}"
                    raise _at(place.name, line, what, "Save the file as UTF-8.")
            if batch.unclosed is not None:
                raise _at(
                    place.name,
                    batch.before + len(batch.lines) + 1,
                    "opens a quotation mark that is never closed",
                    "Close it, or double quotation marks that are part of a value.",
                )
    if not rows:
        raise WorkbenchError(
            f"“{place.name}” holds no hierarchy.",
            hint="It needs one line for each value: the value, then its labels.",
            field="path",
        )
    return rows, starts


def _delimiter(head: bytes, encoding: str) -> str:
    """The first delimiter that cuts every line alike, else the one that does so for most."""
    text = head.decode(encoding, "replace").removeprefix("\ufeff")
    lines = io.StringIO(text, newline="").readlines()[:_SAMPLE]
    shares: dict[str, float] = {}
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        common = max(set(widths), key=lambda w: (widths.count(w), w), default=1)
        shares[delimiter] = widths.count(common) / len(widths) if common > 1 else 0.0
    best = max(shares, key=lambda d: shares[d])
    return best if shares[best] >= 0.5 else ";"


def _without_heading(
    rows: list[list[str]], starts: list[int], header: bool | None
) -> tuple[list[list[str]], list[int]]:
    if header is None:
        header = len(rows) > 1 and _is_heading(rows[0])
        if all(len(row) > 1 and not row[-1] for row in rows):
            # Not our own file: a delimiter at the end of every line is no level.
            rows = [row[:-1] for row in rows]
    return (rows[1:], starts[1:]) if header else (rows, starts)


def _is_heading(row: Sequence[str]) -> bool:
    cells = [cell.strip() for cell in row]
    levels = [_LEVEL.fullmatch(cell) for cell in cells[1:]]
    numbers = [int(level[1]) for level in levels if level]
    first = _LEVEL.fullmatch(cells[0])
    if len(cells) < 2 or len(numbers) != len(levels):
        return False
    start = int(first[1]) if first else numbers[0] - 1
    return numbers == list(range(start + 1, start + 1 + len(numbers))) and (start in (0, 1) or not first)


def _check(rows: Sequence[Sequence[str]], starts: Sequence[int], name: str) -> None:
    """Find what is wrong with the rows while their line numbers are known."""
    if not rows:
        raise WorkbenchError(
            f"“{name}” holds a heading and no value.", hint="Add one line for each value.", field="path"
        )
    width = len(rows[0])
    values: dict[str, int] = {}
    parents: list[dict[str, int]] = [{} for _ in range(width)]
    for position, (row, line) in enumerate(zip(rows, starts, strict=True)):
        if len(row) != width:
            cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
            raise _at(
                name,
                line,
                f"has {cells} where line {starts[0]} has {width}",
                "Give every value the same levels.",
            )
        earlier = values.setdefault(row[0], position)
        if list(rows[earlier]) != list(row):
            raise _at(
                name,
                line,
                f"lists “{row[0]}” again with other labels than line {starts[earlier]}",
                "Keep one line for each value.",
            )
        for level in range(1, width):
            first = parents[level].setdefault(row[level - 1], position)
            if rows[first][level] != row[level]:
                raise _at(
                    name,
                    line,
                    f"puts “{row[level - 1]}” into “{row[level]}” at level {level}, "
                    f"line {starts[first]} into “{rows[first][level]}”",
                    f"Give every value of “{row[level - 1]}” the same label at level {level}.",
                )


def _at(name: str, line: int, what: str, hint: str) -> WorkbenchError:
    return WorkbenchError(f"Line {line:,} of the hierarchy “{name}” {what}.", hint=hint, field="path")


def _is_note(path: Path) -> bool:
    try:
        return _note_entries(path) is not None
    except WorkbenchError:
        return False


def _read_note(place: Path, *, strict: bool) -> _Note | None:
    path = note_path(place)
    if path == place or not path.is_file():
        return None
    try:
        return _note(path)
    except WorkbenchError:
        if strict:
            raise
        return None


def _note(path: Path) -> _Note | None:
    plain = _note_entries(path)
    if plain is None:
        return None
    header, plugin, topped = plain.get("header"), plain.get("plugin"), plain.get("topped")
    try:
        if plain.get("version") != NOTE_VERSION:
            raise ValueError("unknown version")
        return _Note(
            Provenance(str(plain["provenance"])),
            str(plain.get("origin", "")),
            header if isinstance(header, bool) else None,
            plugin if isinstance(plugin, dict) else None,
            topped if isinstance(topped, bool) else None,
        )
    except (KeyError, ValueError, TypeError) as error:
        raise _unreadable(path) from error


def _note_entries(path: Path) -> dict[str, object] | None:
    """The note, or None if the file is something else."""
    try:
        if path.stat().st_size > _LARGEST_NOTE:
            return None
        plain = read_json(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise _unreadable(path) from error
    return plain if isinstance(plain, dict) and plain.get("format") == NOTE_FORMAT else None


def _unreadable(path: Path) -> WorkbenchError:
    return WorkbenchError(
        f"The note “{path.name}”, which says where the hierarchy beside it is from, cannot be read.",
        hint="Correct it, remove it, or say yourself whether the hierarchy is public.",
        field="path",
    )


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if not text or _QUOTED.search(text) else text
