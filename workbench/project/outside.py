"""Data that a project names outside its own folder.

A project may come from anybody and name any file that its reader may read, so it is said once that it does. Data that
the person opened on this computer before is theirs, and nothing is said of it.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import platformdirs

from workbench.core.errors import WorkbenchError
from workbench.core.paths import sample_data
from workbench.io.addresses import Address, is_address
from workbench.io.atomic import atomic_write

_MOST = 2000
"""Paths that are remembered, the latest ones."""


def _file() -> Path:
    return Path(platformdirs.user_data_path("anonymisation-workbench", False)) / "chosen.txt"


def is_outside(data: str | os.PathLike[str], project: Path) -> bool:
    """Whether a project names data that neither lies in its folder nor was chosen on this computer.

    Nothing at a place outside is looked at, not even whether there is something. For any thread but a window's: links
    inside the folder are followed.
    """
    if is_address(data):
        return not is_chosen(Path(data))
    folder, place = project.absolute().parent, Path(os.path.normpath(Path(data).absolute()))
    if place.is_relative_to(sample_data()) or is_chosen(place):
        return False
    if not place.is_relative_to(os.path.normpath(folder)):
        return True
    try:
        return not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(folder))
    except ValueError:
        return False  # no path at all, which reading it says


def sentence(data: str | os.PathLike[str]) -> str:
    """The warning that a project opens data outside its folder."""
    return f"This project opens {os.fspath(data)}, outside its own folder."


def is_chosen(data: Path) -> bool:
    """Whether the person opened this data on this computer before."""
    return _key("chosen", data) in _kept()


def choose(data: str | os.PathLike[str]) -> None:
    """Remember that the person opened this data."""
    _keep(_key("chosen", Path(data)))


def said_before(data: str | os.PathLike[str], project: Path) -> bool:
    """Whether `sentence` was said of this project before; from now on it was."""
    key = _key(f"said of {project.absolute()}", Path(data))
    if key in _kept():
        return True
    _keep(key)
    return False


def _key(what: str, data: Path) -> str:
    # Digests, so that the list tells nobody which files there are.
    place = Address.of(data).path if is_address(data) else os.path.normpath(data.absolute())
    return sha256(f"{what}\0{place}".encode("utf-8", "surrogatepass")).hexdigest()


def _kept() -> list[str]:
    try:
        return _file().read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return []


def _keep(key: str) -> None:
    known = _kept()
    if key in known:
        return
    try:
        _file().parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(_file(), "t", private=True, own=True) as file:
            file.write("\n".join([*known, key][-_MOST:]) + "\n")
    except (OSError, WorkbenchError):
        return  # it is said again, which harms nobody
