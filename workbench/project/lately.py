"""Releases that were exported, and others that lie where those of tables that were open are proposed; none is read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from workbench.core.paths import sample_data
from workbench.core.progress import Progress
from workbench.project.names_beside import FOLDER, note_beside, statement_beside

_MOST_NAMES = 5_000
"""Files of one folder that are looked at: in a larger one nobody waits for the rest."""


@dataclass(frozen=True)
class LatelyReleased:
    """A released file, known by its export or by the statement or note beside it, and when it was written."""

    path: Path
    written: datetime


def lately_released(
    tables: Iterable[Path], most: int, exported: Iterable[Path] = ()
) -> Callable[[Progress], tuple[LatelyReleased, ...]]:
    """Look, on any thread, for what was exported, and for releases beside these tables and where they are proposed.

    Parameters
    ----------
    tables
        Files of this computer that were open; of samples releases are proposed in the home folder.
    most
        How many of those that lie there are wanted: which were written last. The newest come first.
    exported
        Files that were exported, to any folder: those that are still there are all among them.
    """
    samples = sample_data()
    homes = [Path.home() if one.is_relative_to(samples) else one.parent for one in tables]
    folders = tuple(dict.fromkeys(place for home in homes for place in (home, home / FOLDER)))

    def look(progress: Progress) -> tuple[LatelyReleased, ...]:
        found: list[LatelyReleased] = []
        for done, folder in enumerate(folders):
            progress(done / len(folders))
            found.extend(_of_folder(folder))
        own = {one.path: one for path in exported for one in _at(path)}
        others = [one for one in found if one.path.absolute() not in own]
        listed = [*own.values(), *sorted(others, key=_when, reverse=True)[:most]]
        return tuple(sorted(listed, key=_when, reverse=True))

    return look


def _of_folder(folder: Path) -> Iterator[LatelyReleased]:
    names = _names(folder)
    for name in sorted(names):
        path = folder / name
        if names & {statement_beside(path).name, note_beside(path).name}:
            yield from _at(path)


def _at(path: Path) -> Iterator[LatelyReleased]:
    with contextlib.suppress(OSError, ValueError, OverflowError):  # gone meanwhile, or of an impossible time
        yield LatelyReleased(path, datetime.fromtimestamp(path.stat().st_mtime))


def _when(one: LatelyReleased) -> datetime:
    return one.written


def _names(folder: Path) -> frozenset[str]:
    """The names in a folder; none where it is not there, or closed to us."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return frozenset(entry.name for entry, _ in zip(entries, range(_MOST_NAMES), strict=False))
    return frozenset()
