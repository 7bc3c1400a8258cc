"""Names for files that are not taken: x.csv, x_2.csv, x_3.csv."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from pathlib import Path

from workbench.core.progress import Progress
from workbench.io.export_format import FORMATS, FileFormat
from workbench.project.names_beside import note_beside, statement_beside
from workbench.session.existing_files import FileMarks, others, place_of, standing_at

SUFFIXES = tuple(one.suffix for one in FORMATS.values())
"""Endings of the formats there are."""

_ENDING = re.compile(r"\.[A-Za-z_]+[0-9]?")
_NUMBERED = re.compile(r"(.+)_[1-9][0-9]*")


def numbered(path: Path) -> Iterator[Path]:
    """The names x_2.csv, x_3.csv and so on for x.csv."""
    stem, suffix = _parted(path)
    return (path.with_name(f"{stem}_{number}{suffix}") for number in count(2))


def free_name(path: Path, written: Mapping[Path, FileMarks], progress: Progress) -> Path:
    """The name itself if nothing else stands there, or else the first of its kind with a number; for any thread.

    Parameters
    ----------
    written
        What was written of the same result, which it may replace.
    """

    def taken(one: Path) -> bool:
        progress(0.0)
        return bool(others((one, statement_beside(one), note_beside(one)), written))

    first = unnumbered(path)
    if first is not path and place_of(first) in written and not taken(first):
        return first
    return next(one for one in chain((path,), numbered(first)) if not taken(one))


def free_together(paths: Iterable[Path]) -> dict[Path, Path]:
    """A name for each of several files of one saving: its own, or all with the same number if one of them is taken.

    They get -2, -3 and so on before their endings, as the name that is proposed for a single file. For any thread.
    """
    wanted = tuple(paths)
    tried = chain((wanted,), (tuple(_with_number(one, number) for one in wanted) for number in count(2)))
    return dict(zip(wanted, next(names for names in tried if not any(map(os.path.lexists, names))), strict=True))


def unnumbered(path: Path) -> Path:
    """The name x.csv for x_2.csv, if something stands there; else the name itself."""
    stem, suffix = _parted(path)
    found = _NUMBERED.fullmatch(stem)
    first = path if found is None else path.with_name(f"{found[1]}{suffix}")
    return first if standing_at(first) else path


def with_ending(text: str, kind: FileFormat) -> str:
    """The typed name of a file with the usual ending of its kind, unless it has one; a folder stays as it is.

    What stands behind a full stop and has a figure or a space in it, as in “Report 3.2” or “v1. final”, is no ending.
    """
    path = Path(text)
    if not path.name or text.endswith(("/", "\\", "..")):
        return text
    return text if _ENDING.fullmatch(path.suffix) else f"{text.rstrip('.')}{kind.suffix}"


def _with_number(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def _parted(path: Path) -> tuple[str, str]:
    """Name and ending; a folder of parts has none."""
    return (path.stem, path.suffix) if path.suffix.lower() in SUFFIXES else (path.name, "")
