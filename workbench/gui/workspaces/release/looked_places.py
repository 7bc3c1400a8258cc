"""A look at the places a release is to be written to, before anybody is asked about what would be lost there."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path

from workbench.core.progress import Progress
from workbench.session.existing_files import FileMarks
from workbench.session.export import Targets


def look_at(
    targets: Targets, own: Mapping[Path, FileMarks], protected: Collection[Path], *, make: bool, parents: bool
) -> Callable[[Progress], tuple[bool, tuple[Path, ...]]]:
    """Job that says whether the folder is there, and which files would be lost.

    Parameters
    ----------
    targets
        Where the release is to be written.
    own
        The files of this very release, which are no loss.
    protected
        Files that nothing may replace: nobody is asked about one of them.
    make, parents
        Whether the folder is made before, and those above it.
    """

    def look(_progress: Progress) -> tuple[bool, tuple[Path, ...]]:
        folder = targets.path.parent
        if make:
            with contextlib.suppress(OSError):  # writing says why it cannot be
                folder.mkdir(parents=parents, exist_ok=True)
        lost = targets.overwritten(own)
        if lost:
            replace(targets, force=True).check(protected, own)
        return folder.is_dir(), lost

    return look
