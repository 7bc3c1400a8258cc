"""Places of the files that ship with the program: in a wheel, in an editable install or in a checkout."""

from __future__ import annotations

import os
from pathlib import Path

from workbench.core.errors import WorkbenchError

_PACKAGE = Path(__file__).resolve().parents[1]


def _shipped(name: str) -> Path:
    # A wheel carries the folder inside the package, under a name of its own, so that it cannot collide with
    # another distribution's files. It comes first: what lies beside an installed package is not ours.
    for folder in (_PACKAGE / f"_{name}", _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise WorkbenchError(
        f"The folder “{name}” that belongs to the program is missing.",
        hint="Install the program again, or fetch a complete copy of its source.",
    )


def resources() -> Path:
    """Folder of icons, help texts and other files the program needs.

    Returns
    -------
    Path
        An existing, absolute folder: `resources/` of the checkout, or
        `workbench/_resources` of an installation.

    Raises
    ------
    WorkbenchError
        If the installation is incomplete.
    """
    return _shipped("resources")


def shipped_docs() -> Path:
    """Folder of the pages of documentation that the program shows itself.

    Returns
    -------
    Path
        An existing, absolute folder: `docs/` of the checkout, or
        `workbench/_docs` of an installation.

    Raises
    ------
    WorkbenchError
        If the installation is incomplete.
    """
    return _shipped("docs")


def sample_data() -> Path:
    """Folder of the sample tables and hierarchies.

    Returns
    -------
    Path
        An existing, absolute folder: `sample_data/` of the checkout, or
        `workbench/_sample_data` of an installation.

    Raises
    ------
    WorkbenchError
        If the installation is incomplete.
    """
    return _shipped("sample_data")


def followed(path: Path) -> Path:
    """Where a path leads by its links, as far as they lead anywhere: links in a circle are left as they are."""
    return Path(os.path.realpath(path))


def typed_path(text: str) -> Path:
    """A path as a person types it: `~` is the home folder, and stays what it is where nobody of that name has one."""
    path = Path(text)
    try:
        return path.expanduser()
    except RuntimeError:
        return path
