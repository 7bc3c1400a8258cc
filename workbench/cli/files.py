"""Types of options that name files: those that are read, those that are written, and the ledger.

An option that names a file says by its type what happens to it. What nothing may be written over follows from these
declarations, for every command at once, so a new option cannot be forgotten: only its type can be wrong, and
`tests/test_outputs.py` tries every pair.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.paths import typed_path
from workbench.io.hierarchy_csv import note_path
from workbench.io.parts import parts_of, refuse_among_parts
from workbench.io.protected_files import Protected, refuse_inside, same_file
from workbench.project.storage import SUFFIX, load_project
from workbench.query.ledger_file import ledgers_folder


def data_path(text: str) -> Path:
    """A file, a folder of parts, or a pattern, which is read."""
    return typed_path(text)


def read_file(text: str) -> Path:
    """A file that is read; a project is also brought up to date."""
    return Path(text)


def column_file(text: str) -> str:
    """COL=FILE, whose file is read. Which “=” is the one between them only the columns of the data tell."""
    return text


def perhaps_file(text: str) -> str:
    """A file that is read, or something else."""
    return text


def written_file(text: str) -> Path:
    """A file that is written."""
    return Path(text)


def written_folder(text: str) -> Path:
    """A folder in which files are written."""
    return Path(text)


def ledger_file(text: str) -> Path:
    """A ledger, which is read and appended to."""
    return Path(text)


def _candidates(text: str) -> list[Path]:
    return [Path(text[place + 1 :]) for place, sign in enumerate(text) if sign == "="]


def _with_note(path: Path) -> tuple[Path, ...]:
    return path, note_path(path)


def _with_data(path: Path) -> tuple[Path, ...]:
    """A project is read with the data it describes, whose place need not be looked at."""
    if path.suffix.lower() == SUFFIX:
        with contextlib.suppress(WorkbenchError):  # which is said when it is read
            data = load_project(path).data
            return (path,) if data is None else (path, Path(data.path))
    return (path,)


def _with_parts(path: Path) -> tuple[Path, ...]:
    with contextlib.suppress(WorkbenchError, OSError):
        return (*_with_data(path), *parts_of(path))
    return (path,)


def _itself(path: Path) -> tuple[Path, ...]:
    return (path,)


_READ: Mapping[Callable[[str], Any], Callable[[Any], Iterable[Path]]] = {
    data_path: _with_parts,
    read_file: _with_data,
    column_file: lambda text: [one for path in _candidates(text) if path.is_file() for one in _with_note(path)],
    perhaps_file: lambda text: (Path(text),) if "\n" not in text and Path(text).is_file() else (),
}
"""The files that an option of this type stands for."""
ROLES = (*_READ, written_file, written_folder, ledger_file)


@dataclass(frozen=True)
class Named:
    """A file that an option names: how the option is written, its role, and the path."""

    flag: str
    dest: str
    role: Callable[[str], Any]
    path: Path


def named_files(options: argparse.Namespace) -> list[Named]:
    """Every file that the options of a command name."""
    found: list[Named] = []
    for action in options.declared._actions:
        given = getattr(options, action.dest, None)
        if action.type not in ROLES or not given:
            continue
        flag = max(action.option_strings, key=len, default=str(action.metavar))
        paths = _READ.get(action.type, _itself)
        for value in given if isinstance(given, list) else [given]:
            found += [Named(flag, action.dest, action.type, path) for path in paths(value)]
    return found


def protected(files: Iterable[Named]) -> Protected:
    """The files that nothing may be written over while the command is at work."""
    read, kept = [], [ledgers_folder()]
    for file in files:
        if file.role is ledger_file or (file.role in _READ and file.path.suffix.lower() == SUFFIX):
            kept.append(file.path)
        elif file.role in _READ:
            read.append(file.path)
    return Protected(tuple(read), tuple(kept))


def refuse_overlaps(files: list[Named]) -> None:
    """Refuse to write over what is read, and two files into one place; before anything is looked at, drawn or charged.

    Raises
    ------
    WorkbenchError
        If two options name one file and one of them is written, or a file is to be written where only ledgers are.
    """
    for written in files:
        if written.role not in (written_file, written_folder, ledger_file):
            continue
        if written.role is not ledger_file:
            refuse_inside(written.path, ledgers_folder())
        for other in files:
            if other.dest != written.dest:
                _refuse_pair(written, other)


def _refuse_pair(written: Named, other: Named) -> None:
    if same_file(written.path, other.path):
        raise WorkbenchError(
            f"“{written.path}” would be written by {written.flag} over what {other.flag} names, which must not be "
            "overwritten.",
            hint=f"Choose another name for {written.flag}.",
            field=written.dest,
        )
    if other.role is data_path:
        inside = written.path / "part" if written.role is written_folder and other.path.is_dir() else written.path
        refuse_among_parts(inside, [other.path])
