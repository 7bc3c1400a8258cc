"""Stamps of files, by which it is known that they stayed as they were while they were read.

A file that another program is still writing would be taken for whole: cut in the middle of a row, or its first half
from before and its second from after. Some formats are read more than once, the fingerprint is a reading of its own,
and an engine reads for itself; nothing would tie the rows to the fingerprint they are released under.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.core.errors import WorkbenchError

_AT_ONCE_NS = 2_000_000_000
"""Changes closer together than this may have one time: the coarsest clock of a file system counts two seconds."""


@dataclass(frozen=True)
class FileStamp:
    """By what a file is recognised as unchanged.

    Parameters
    ----------
    size
        Bytes.
    written, changed
        When its content, and when anything about it, was changed; nanoseconds since 1970. The second cannot be set
        back; where there is none, on Windows, it is 0.
    volume, number
        Which file it is: another one that took its name has another number.
    """

    size: int
    written: int
    changed: int
    volume: int
    number: int

    @classmethod
    def of(cls, found: os.stat_result) -> FileStamp:
        changed = 0 if os.name == "nt" else found.st_ctime_ns
        # Windows rounds what it tells of an open file and of a path differently, and its volumes have two numbers.
        volume = 0 if os.name == "nt" else found.st_dev
        return cls(found.st_size, found.st_mtime_ns, changed, volume, found.st_ino)

    @property
    def fresh(self) -> bool:
        """Whether it was changed so lately that one more change could leave the stamp as it is."""
        return time.time_ns() - max(self.written, self.changed) < _AT_ONCE_NS


def stamp_of(path: Path) -> FileStamp | None:
    """The stamp of a file; None if it is gone or cannot be asked."""
    try:
        return FileStamp.of(path.stat())
    except (OSError, ValueError):  # a path with a NUL is no path
        return None


def check_same(path: Path, before: FileStamp | None) -> None:
    """Refuse what was read of a file that is not as it was before.

    Raises
    ------
    WorkbenchError
        If it was changed, cut, extended, replaced or removed.
    """
    if (after := stamp_of(path)) != before:
        raise _changed(path, before, after)


@contextlib.contextmanager
def steady(
    paths: Sequence[Path],
    *,
    again: Callable[[], Sequence[Path]] | None = None,
    digest: Callable[[Path], str] | None = None,
) -> Iterator[None]:
    """Refuse what is read inside if one of the files changes meanwhile.

    Parameters
    ----------
    paths
        The files.
    again
        Finds them once more, where a folder or a pattern names them: there may be others by then.
    digest
        The fingerprint of a file, for readers that read more than once: files that were changed a moment ago are
        compared by it, because their times would not tell of one more change.

    Raises
    ------
    WorkbenchError
        If one was changed; also in the place of what reading says of a file that is no longer what it was.
    """
    before = {path: stamp_of(path) for path in paths}
    digests: dict[Path, str] = {}
    for path, stamp in before.items():
        if digest is not None and stamp is not None and stamp.fresh:
            with contextlib.suppress(WorkbenchError):  # reading says what is wrong with it
                digests[path] = digest(path)
    try:
        yield
    except WorkbenchError:
        _check(before, None)
        raise
    _check(before, again)
    for path, known in digests.items():
        if digest is not None and digest(path) != known:
            raise _changed(path, before[path], before[path])
    _check(before, None)  # also while it was looked at again


def _check(before: dict[Path, FileStamp | None], again: Callable[[], Sequence[Path]] | None) -> None:
    for path, stamp in before.items():
        check_same(path, stamp)
    if again is None:
        return
    try:
        others = set(again()) ^ set(before)
    except (WorkbenchError, OSError):
        others = set(before)
    if others:
        first = sorted(others)[0]
        more = f" and {len(others) - 1:,} more" if len(others) > 1 else ""
        raise WorkbenchError(
            f"The files of the table changed while they were read: “{first}”{more} came or went.",
            hint=_WAIT,
            field="path",
        )


_WAIT = "Something is still writing there. Open it again when that is finished."


def _changed(path: Path, before: FileStamp | None, after: FileStamp | None) -> WorkbenchError:
    if after is None:
        what = "was removed while it was read"
    elif before is None:
        what = "appeared while it was read"
    elif (before.volume, before.number) != (after.volume, after.number):
        what = "was replaced by another file while it was read"
    elif before.size != after.size:
        what = f"was changed while it was read: it had {before.size:,} bytes and now has {after.size:,}"
    else:
        what = "was changed while it was read"
    return WorkbenchError(f"“{path}” {what}. Nothing of it was taken in.", hint=_WAIT, field="path")
