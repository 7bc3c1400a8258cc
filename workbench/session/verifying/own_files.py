"""Files that were written here and verified since, by what whoever receives them will verify them by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.session.existing_files import FileMarks
from workbench.session.export import Exported, Targets
from workbench.session.verifying.verified import Verified


@dataclass(frozen=True)
class _Found:
    """What was found to hold: these files, while so many releases of the data had come later."""

    marks: Mapping[Path, FileMarks]
    since: int


class OwnFiles:
    """Remembers of exported files that they were found to be what their statement says, beside that very statement.

    It is forgotten where the file, or what lies beside it, is written anew, and of no use once more was drawn or
    answered of the data: what the statement says of other releases may then be outdated.
    """

    def __init__(self) -> None:
        self._found: dict[Path, _Found] = {}
        self._wrong: dict[Path, Mapping[Path, FileMarks]] = {}

    def note(self, exported: Exported, verified: Verified, since: int) -> None:
        """Remember what was found of an exported file; nothing where something else was verified.

        Parameters
        ----------
        since
            How many draws and answers of the data came after the draw of the file.
        """
        targets = exported.targets
        if not _is_at(verified, targets):
            return
        place, holds = _place(targets.path), _is_as_written(verified, exported) and verified.holds
        for found in (self._found, self._wrong):
            found.pop(place, None)
        if not holds:
            self._wrong[place] = dict(exported.marks)
        elif not verified.outdated(since):
            self._found[place] = _Found(dict(exported.marks), since)

    def holds(self, exported: Exported, since: int) -> bool:
        """Whether the file was found to hold as it was exported, and nothing came of the data since then."""
        return self._found.get(_place(exported.targets.path)) == _Found(dict(exported.marks), since)

    def is_wrong(self, exported: Exported) -> bool:
        """Whether the file that stands there was found not to be what was exported, or not what its statement says."""
        return self._wrong.get(_place(exported.targets.path)) == exported.marks


def _is_at(verified: Verified, targets: Targets) -> bool:
    """Whether it is about the file, or the folder of its parts, at this place."""
    files, own = {_place(path) for path in verified.paths}, _place(targets.path)
    return files == {own} or (targets.parts and {path.parent for path in files} == {own})


def _is_as_written(verified: Verified, exported: Exported) -> bool:
    """Whether the file has the bytes that were exported, and was held against just what was written beside it."""
    names = {path.name for path in exported.targets.beside}
    beside = {sha256 for marks in exported.marks.values() for name, _, sha256 in marks if name in names}
    against = {document.sha256 for document in verified.documents}
    return verified.fingerprint == exported.file.fingerprint and against == beside


def _place(path: Path) -> Path:
    """One name for a place; nothing is looked up on the disk."""
    return path.absolute()
