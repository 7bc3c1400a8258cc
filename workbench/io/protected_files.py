"""Protected files: one list of what nothing may be written over, which everything that writes a file asks.

A command says what it reads from the declarations of its options, a window what is open in it. Writers are not told:
they ask here, so that none can forget it. What only a caller knows, it gives them as well.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import unicodedata
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from workbench.core.errors import WorkbenchError
from workbench.io.parts import refuse_among_parts

_SPELLED_ALIKE = sys.platform in ("win32", "darwin")
"""Whether names that differ in capitals only, or in how accents are put together, are usually one file here."""
_SIDES = ("-wal", "-shm", "-journal")
"""Endings of files that SQLite keeps beside a database: rows may be in these alone until it takes them in."""
_KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_LEDGER = re.compile(rb'\{"digest":"[0-9a-f]{64}",')


@dataclass(frozen=True)
class Protected:
    """A file that somebody reads, or keeps.

    Parameters
    ----------
    read
        Files, folders of parts and patterns of them, be they there or not.
    kept
        Files that the program itself brings up to date, such as projects, and folders with nothing but such files.
    streamed
        Files that are read without a name, as standard input may be: what `os.fstat` says of them.
    """

    read: tuple[Path, ...] = ()
    kept: tuple[Path, ...] = ()
    streamed: tuple[os.stat_result, ...] = ()


class Owner(Protocol):
    """Something that reads files for as long as it lives."""

    def protected(self) -> Protected:
        """Files over which nothing may be written meanwhile; asked on any thread."""
        ...


_owners: list[weakref.ref[Owner]] = []
_read_here: dict[Path, None] = {}
"""Files that `was_read` was told of, each once and in this order."""


def protect(owner: Owner) -> None:
    """Let nothing be written over what is protected for `owner`, for as long as it lives."""
    _owners.append(weakref.ref(owner, _owners.remove))


@dataclass(frozen=True, eq=False)
class _Command:
    files: Protected

    def protected(self) -> Protected:
        return self.files


@contextlib.contextmanager
def protecting(files: Protected) -> Iterator[None]:
    """While the body runs nothing is written over these files."""
    owner = _Command(files)
    protect(owner)
    try:
        yield
    finally:
        _owners[:] = [known for known in _owners if known() is not owner]


def refuse_protected(path: Path, protected: Iterable[Path] = (), *, own: bool = False) -> None:
    """Refuse to write a file over what is protected, or where it would be read as a part of it.

    Parameters
    ----------
    protected
        Files that the caller knows of.
    own
        The program brings a file of its own up to date.

    Raises
    ------
    WorkbenchError
        If the file is one of them, under whatever name, or lies in a folder of them; or holds a private key, or a
        ledger.
    """
    _refuse_irreplaceable(path)
    asked = _asked()
    read = tuple(other for one in asked for other in one.read)
    kept = () if own else tuple(other for one in asked for other in one.kept)
    refuse_among_parts(path, read)
    place = os.path.realpath(path)
    for other in dict.fromkeys((*protected, *read, *kept)):  # what several read is asked for once
        if _is_at(place, other):
            raise WorkbenchError(
                f"“{path.name}” {'belongs to' if place.endswith(_SIDES) else 'is'} the file “{other.name}”, which must "
                "not be overwritten.",
                hint="Choose another name.",
                field="path",
            )
    for folder in kept:
        refuse_inside(path, folder)
    _refuse_streamed(path, tuple(stream for one in asked for stream in one.streamed))


def _refuse_streamed(path: Path, streamed: Iterable[os.stat_result]) -> None:
    for stream in streamed:
        with contextlib.suppress(OSError, ValueError):
            if os.path.samestat(path.stat(), stream):
                raise WorkbenchError(
                    f"“{path.name}” is read as standard input, and must not be overwritten.",
                    hint="Choose another name.",
                    field="path",
                )


def _refuse_irreplaceable(path: Path) -> None:
    """Refuse to write over what cannot be made again, wherever it is kept: a key, and what is known to be spent."""
    beginning = b""
    with contextlib.suppress(OSError, ValueError):
        if path.is_file():  # a pipe would be waited for
            with path.open("rb") as file:
                beginning = file.read(128)
    if _KEY.match(beginning):
        raise WorkbenchError(
            f"“{path.name}” holds a private key, which must not be overwritten.",
            hint="Choose another name; or move the key away yourself.",
            field="path",
        )
    if _LEDGER.match(beginning):
        raise WorkbenchError(
            f"“{path.name}” is a ledger, which must not be overwritten: it says what was spent.",
            hint="Choose another name; or move the ledger away yourself.",
            field="path",
        )


def was_read(paths: Iterable[Path]) -> None:
    """Let no picture be written over these files in this process, also when whoever read them is gone."""
    _read_here.update((path.absolute(), None) for path in paths)


def refuse_picture(path: Path) -> None:
    """Refuse to write a picture over what is protected, or over anything that was read in this process.

    Raises
    ------
    WorkbenchError
        As of `refuse_protected`.
    """
    refuse_among_parts(path, _read_here)
    refuse_protected(path, _read_here)


def known() -> tuple[Path, ...]:
    """All that is protected for somebody."""
    return tuple(other for one in _asked() for other in (*one.read, *one.kept))


def _asked() -> list[Protected]:
    return [owner.protected() for reference in tuple(_owners) if (owner := reference()) is not None]


def refuse_inside(path: Path, folder: Path) -> None:
    """Refuse to write a file into a folder that is the program's own; nothing happens if it is a file.

    Raises
    ------
    WorkbenchError
        If it would lie there.
    """
    if folder.is_dir() and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise WorkbenchError(
            f"“{path}” would lie in “{folder}”, whose files only this program writes: they must not be overwritten.",
            hint="Choose a folder outside.",
            field="path",
        )


def same_file(path: Path, other: Path) -> bool:
    """Whether two paths name one file, through links and in any spelling; neither need be there."""
    return _is_at(os.path.realpath(path), other)


def _is_at(place: str, other: Path) -> bool:
    another = os.path.realpath(other)
    return any(_is_one(place, another + side) for side in ("", *_SIDES))


def _is_one(place: str, another: str) -> bool:
    if place == another or (_SPELLED_ALIKE and _folded(place) == _folded(another)):
        return True
    with contextlib.suppress(OSError, ValueError):
        return Path(place).samefile(another)
    return False


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
