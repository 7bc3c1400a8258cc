"""Released files that this program wrote or checked, with what a check of one found. Kept between starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.gui.document import Document
from workbench.gui.settings import WindowSettings
from workbench.project.lately import LatelyReleased

if TYPE_CHECKING:
    from workbench.session.verifying.verified import Verified

_KEY = "releases"
_MOST = 50


class CheckFound(Enum):
    """The outcome of the last check of a released file, if it is as it was then."""

    HOLDS = "holds"
    UNKNOWN = "unknown"
    FAILED = "failed"


@dataclass(frozen=True)
class KnownRelease:
    """A released file, whether this program exported it, and what is known of it."""

    path: Path
    written: datetime
    own: bool
    standing: CheckFound


def remember_releases(document: Document, settings: WindowSettings) -> None:
    """Note from now on which files are exported, and what is found of those that are verified."""
    document.exported.connect(partial(_note, settings, own=True, holds=True))
    document.verified.connect(partial(_note_verified, settings))


def own_releases(settings: WindowSettings) -> tuple[Path, ...]:
    """The files that this program exported, wherever they were written to; none of them is looked for."""
    return tuple(Path(place) for place, note in _noted(settings).items() if note.get("own") is True)


def known_releases(settings: WindowSettings, found: Iterable[LatelyReleased]) -> list[KnownRelease]:
    """What is known of these: own ones come first, and what is not what its statement says comes last.

    Of a file that was changed since nothing is known but who wrote it first.
    """
    noted = _noted(settings)
    known = [_known(one, noted.get(_place(one.path), {})) for one in found]
    # `sorted` keeps the order of equals: the newest first.
    return sorted(known, key=lambda one: (one.standing is CheckFound.FAILED, not one.own))


def _known(one: LatelyReleased, note: dict[str, Any]) -> KnownRelease:
    standing = CheckFound.UNKNOWN
    if one.written <= _time(note.get("when")):
        standing = CheckFound.HOLDS if note.get("holds") is True else CheckFound.FAILED
    return KnownRelease(one.path, one.written, note.get("own") is True, standing)


def _note_verified(settings: WindowSettings, verified: Verified) -> None:
    paths = verified.paths
    if paths:
        _note(settings, paths[0] if len(paths) == 1 else paths[0].parent, holds=verified.holds)


def _note(settings: WindowSettings, path: Path, *, own: bool = False, holds: bool) -> None:
    noted, place = _noted(settings), _place(path)
    own = own or noted.pop(place, {}).get("own") is True
    noted.pop(place, None)
    newest = {place: {"when": datetime.now().isoformat(), "own": own, "holds": holds}}
    settings.set_value(_KEY, dict([*newest.items(), *noted.items()][:_MOST]))


def _noted(settings: WindowSettings) -> dict[str, dict[str, Any]]:
    """The notes by place, the newest first; none of those that somebody edited into something else."""
    kept = settings.value(_KEY)
    return {str(k): v for k, v in kept.items() if isinstance(v, dict)} if isinstance(kept, dict) else {}


def _place(path: Path) -> str:
    return str(path.absolute())


def _time(text: object) -> datetime:
    try:
        return datetime.fromisoformat(text) if isinstance(text, str) else datetime.min
    except ValueError:
        return datetime.min
