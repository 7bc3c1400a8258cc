"""Specifications of hierarchies as files, and the library of named ones: shipped and the person's own."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from workbench.core.building import assess, build_hierarchy, normalised
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.paths import resources
from workbench.core.schema import ColumnSpec
from workbench.io.atomic import atomic_write
from workbench.io.json_file import read_json_file

_FOLDER = "hierarchies"
_UNSAFE = re.compile(r"[^\w-]+")
_WORD = re.compile(r"[^\W\d_]+")
_SAY_LITTLE = frozenset({"of", "in", "the", "and", "number", "code", "name", "five", "digit"})


@dataclass(frozen=True)
class LibraryEntry:
    """One named specification of the library.

    Parameters
    ----------
    name
        Stem of its file.
    title, about
        What it is called, and a sentence about it.
    path
        Its file.
    own
        Whether the person put it there; the others ship with the program.
    builder, provenance
        Which builder it opens in, and whether it is public.
    """

    name: str
    title: str
    about: str
    path: Path
    own: bool
    builder: str
    provenance: Provenance


@dataclass(frozen=True)
class Library:
    """Everything found, and the files that could not be read with the reason."""

    entries: tuple[LibraryEntry, ...]
    unreadable: tuple[tuple[Path, WorkbenchError], ...] = ()

    def __getitem__(self, name: str) -> LibraryEntry:
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise WorkbenchError(
            f"There is no hierarchy “{name}” in the library.",
            hint=f"Known are: {', '.join(entry.name for entry in self.entries)}.",
            field="name",
        )


def fitting_entries(entries: Sequence[LibraryEntry], column: ColumnSpec) -> tuple[LibraryEntry, ...]:
    """The entries of the library whose name shares a word with the column's, the best match first."""
    wanted = _words(column.name)
    scored = [(len(wanted & _words(f"{entry.name} {entry.title}")), entry) for entry in entries]
    fitting = sorted((pair for pair in scored if pair[0]), key=lambda pair: (-pair[0], not pair[1].own))
    return tuple(entry for _, entry in fitting if _suits(entry, column))


def _suits(entry: LibraryEntry, column: ColumnSpec) -> bool:
    if entry.builder == "dates":
        return column.kind.temporal
    return not column.kind.temporal or entry.builder != "intervals"


def _words(text: str) -> frozenset[str]:
    return frozenset({word.casefold().removesuffix("s") for word in _WORD.findall(text)} - _SAY_LITTLE)


def own_folder() -> Path:
    """Where the person's own entries lie; it need not exist."""
    return Path(platformdirs.user_data_path("anonymisation-workbench", False)) / _FOLDER


def library(own: Path | None = None) -> Library:
    """Read the library: the shipped entries and those of the folder `own` (default `own_folder()`).

    An own entry with the name of a shipped one takes its place.
    """
    found: dict[str, LibraryEntry] = {}
    unreadable: list[tuple[Path, WorkbenchError]] = []
    for folder, is_own in ((resources() / _FOLDER, False), (own or own_folder(), True)):
        for path in sorted(folder.glob("*.json")):
            try:
                plain = read_specification(path)
                judged = assess(plain)
            except WorkbenchError as error:
                unreadable.append((path, error))
                continue
            title = str(plain.get("title", path.stem))
            about = str(plain.get("about", ""))
            found[path.stem] = LibraryEntry(
                path.stem, title, about, path, is_own, str(plain["builder"]), judged.provenance
            )
    return Library(tuple(sorted(found.values(), key=lambda entry: entry.title.casefold())), tuple(unreadable))


def keep(plain: Mapping[str, Any], title: str, own: Path | None = None) -> Path:
    """Put a specification into the person's own library under a title; returns its file.

    Raises
    ------
    WorkbenchError
        If the title has no letter or digit, or the file cannot be written.
    """
    stem = _UNSAFE.sub("-", title.strip().casefold()).strip("-_")
    if not stem:
        raise WorkbenchError("The hierarchy has no name.", hint="Give it a name with a letter in it.", field="title")
    folder = own or own_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkbenchError(
            f"The folder of the library, {folder}, cannot be made: {error.strerror}.",
            hint="Make room, or correct the permissions of the folder above it.",
        ) from error
    path = folder / f"{stem}.json"
    write_specification({**plain, "title": title.strip()}, path)
    return path


def read_specification(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a specification and check it; see `workbench.core.building.normalised`.

    Raises
    ------
    WorkbenchError
        If the file cannot be read or is no specification. The message names it.
    """
    place = Path(path)
    plain = read_json_file(place, field="path")
    try:
        return normalised(plain)
    except WorkbenchError as error:
        raise WorkbenchError(f"“{place.name}”: {error.message}", hint=error.hint, field=error.field) from error


def write_specification(plain: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a specification as JSON.

    Raises
    ------
    WorkbenchError
        If it is wrong or the file cannot be written.
    """
    text = json.dumps(normalised(plain), ensure_ascii=False, indent=1)
    with atomic_write(path, "t") as file:
        file.write(text + "\n")


def build_from_file(
    path: str | os.PathLike[str],
    values: Sequence[str] = (),
    counts: NDArray[np.int64] | None = None,
    column: ColumnSpec | None = None,
) -> Hierarchy:
    """Build the hierarchy of a specification file over some values; see `build_hierarchy`.

    Without values it is built over those the specification declares.
    """
    return build_hierarchy(read_specification(path), values, counts, column)
