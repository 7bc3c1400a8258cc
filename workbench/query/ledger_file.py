"""The file of a ledger: lines of JSON that are only ever appended, each sealed with all lines before it.

Every line is one record::

    {"digest":"…","type":"charge", …}

The digest is the SHA-256 of the digest of the line before and of the rest of the line, so that a line that was
changed, put in, or cut out before others does not pass. The last lines can be cut off unnoticed, as when an old backup
is put back: what they said then counts only where a copy of it is, in a project, or in another ledger of the same data.
The digests are no secret either: they protect from accidents, not from those who mean to deceive.

A line is whole once its line end is on the disk; what a crash left of a line that was not finished stays where it is,
and the next line follows it and names its digest as "torn". No answer was ever given for such a line, because answers
wait until the line is on the disk.

Writers hold a lock of the operating system on the file itself, which ends with the process, however it ends. Readers
need none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import read_json
from workbench.io.atomic import force_folder, why_not
from workbench.io.os_lock import is_still, try_lock, unlock

FORMAT = "anonymisation-workbench-ledger"
VERSION = 1
SUFFIX = ".ledger.jsonl"
FOLDER_VARIABLE = "WORKBENCH_LEDGERS"
"""Environment variable that names another folder for the ledgers."""

_PREFIX = b'{"digest":"'
_SEALED = len(_PREFIX) + 64 + 2
_BEGINNINGS = re.compile(
    b"(?:%s)*(?:%s.*)?"
    % (b"|".join(re.escape(_PREFIX[:end]) for end in range(len(_PREFIX), 0, -1)), re.escape(_PREFIX)),
    re.DOTALL,
)
"""The remains of the first line that crashes can leave."""
_PATIENCE_SECONDS = 10.0
_ASK_AGAIN_SECONDS = 0.01

Record = Mapping[str, Any]
Stamp = tuple[int, int, int]
"""Of a file as it was read: its number, its size, and when it was written."""


def ledgers_folder() -> Path:
    """Where the person's ledgers lie: `WORKBENCH_LEDGERS`, or a folder of the person's data. It need not exist."""
    named = os.environ.get(FOLDER_VARIABLE, "")
    if named:
        return Path(named)
    return Path(platformdirs.user_data_path("anonymisation-workbench", False)) / "ledgers"


def files_in(folder: Path) -> tuple[Path, ...]:
    """The ledgers, sketches and their key in a folder, which need not exist: nothing else may be written over them."""
    return tuple(Path(place, name) for place, _, names in os.walk(folder) for name in names)


@dataclass(frozen=True)
class Content:
    """The content of a ledger file.

    Parameters
    ----------
    records
        The records after the first one, which only says what the file is.
    digest
        The digest of the last whole line.
    torn
        What a crash left after it.
    """

    records: tuple[Record, ...] = ()
    digest: str = ""
    torn: bytes = b""


class LedgerFile:
    """The records of one ledger file.

    Parameters
    ----------
    path
        The file; it is made with the first record that is written.
    fingerprint
        Of the table it belongs to; None to read it whatever that is.
    """

    def __init__(self, path: Path, fingerprint: str | None) -> None:
        self.path = path
        self.fingerprint = fingerprint
        self._known: tuple[Stamp, Content] | None = None

    @property
    def stamp(self) -> Stamp | None:
        """Of the file when its records were last read."""
        return None if self._known is None else self._known[0]

    def lies_aside(self, stamp: Stamp | None) -> bool:
        """Whether a file that was read here lies under another name in the same folder, just as it was."""
        with contextlib.suppress(OSError):
            others = (path for path in self.path.parent.iterdir() if path.name != self.path.name)
            return any(_stamp_of(path.lstat()) == stamp for path in others)
        return False

    def read(self) -> tuple[Record, ...]:
        """All records, in the order they were written; nothing for a file that is not there.

        Raises
        ------
        WorkbenchError
            If the file cannot be read, is damaged, or belongs to other data.
        """
        try:
            with self.path.open("rb") as file:
                return self._content(file.fileno()).records
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise WorkbenchError(
                f"The ledger {self.path} cannot be read: {why_not(error)}.",
                hint="Without it nobody knows what was spent. Make it readable and try again.",
                field="ledger",
            ) from error

    def data(self) -> str:
        """The fingerprint of the table it belongs to, as it says itself; "" for a file that is not there or is empty.

        Raises
        ------
        WorkbenchError
            As `read`.
        """
        self.read()
        try:
            with self.path.open("rb") as file:
                head = _opened(file.readline().rstrip(b"\n"), "")
        except FileNotFoundError:
            return ""
        return "" if head is None else str(head.get("fingerprint", ""))

    def append(
        self, decide: Callable[[tuple[Record, ...]], Sequence[Record]], beside: Path | None = None
    ) -> tuple[Record, ...]:
        """Add the records that `decide` makes of the present ones, while no other process can write.

        They are on the disk when this returns. If `decide` raises, nothing is written.

        Parameters
        ----------
        beside
            A folder of ledgers by which it decides, too: nobody writes to one of them meanwhile.

        Returns
        -------
        tuple
            All records, the new ones included.

        Raises
        ------
        WorkbenchError
            If the file cannot be written. A part of the records may stand in it then, but what was to happen
            afterwards must not.
        """
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._locked_folder(beside), self._locked() as descriptor:
                content = self._content(descriptor)
                added = list(decide(content.records))
                if not added:
                    return content.records
                if not content.digest:
                    head = {"ledger": FORMAT, "version": VERSION, "fingerprint": self.fingerprint}
                    self._write(descriptor, content, [head, *added])
                    force_folder(self.path.parent)
                else:
                    self._write(descriptor, content, added)
                return self._content(descriptor).records
        except OSError as error:
            raise WorkbenchError(
                f"The ledger {self.path} cannot be written: {why_not(error)}. Nothing was released.",
                hint=f"Make room or make it writable; {FOLDER_VARIABLE} names another folder for ledgers.",
                field="ledger",
            ) from error

    def _write(self, descriptor: int, content: Content, records: Sequence[Record]) -> None:
        digest = content.digest
        follows = {"torn": hashlib.sha256(content.torn).hexdigest()} if content.torn else {}
        for record in records:
            line, digest = _sealed({**record, **follows}, digest)
            follows = {}
            left = memoryview(line)
            while left:
                left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)

    def _content(self, descriptor: int) -> Content:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise WorkbenchError(f"“{self.path}” is no ordinary file.", hint="Choose another name.", field="ledger")
        stamp = _stamp_of(found)
        known = self._known
        if known is not None and known[0] == stamp:
            return known[1]
        os.lseek(descriptor, 0, os.SEEK_SET)
        pieces = []
        while piece := os.read(descriptor, 1 << 20):
            pieces.append(piece)
        content = self._checked(b"".join(pieces))
        self._known = (stamp, content)
        return content

    def _checked(self, whole: bytes) -> Content:
        *lines, torn = whole.split(b"\n")
        digest = ""
        records: list[Record] = []
        for number, line in enumerate(lines, start=1):
            record = _opened(line, digest)
            if record is None:
                raise self._damaged(number)
            digest = record["digest"]
            records.append(record)
        if not records:
            if not _BEGINNINGS.fullmatch(torn):
                raise self._damaged(1)  # a file of somebody else
            return Content((), "", torn)
        self._check_head(records[0])
        return Content(tuple(records[1:]), digest, torn)

    def _check_head(self, head: Record) -> None:
        version = head.get("version")
        if head.get("ledger") != FORMAT or not isinstance(version, int):
            raise self._damaged(1)
        if version > VERSION:
            raise WorkbenchError(
                f"The ledger {self.path} was written by a newer version of this program.",
                hint="Update the program. Nothing was released.",
                field="ledger",
            )
        if self.fingerprint is not None and head.get("fingerprint") != self.fingerprint:
            raise WorkbenchError(
                f"The ledger {self.path} belongs to other data.",
                hint="Name the ledger of this data, or a file that is not there yet.",
                field="ledger",
            )

    def _damaged(self, line: int) -> WorkbenchError:
        return WorkbenchError(
            f"The ledger {self.path} is damaged or no ledger: line {line:,} does not follow from the lines before it.",
            hint="Put back a backup of it. Nothing can be released while nobody knows what was spent.",
            field="ledger",
        )

    def _wait_for(self, descriptor: int, deadline: float) -> None:
        """Lock it for this process alone."""
        while not try_lock(descriptor):
            if time.monotonic() > deadline:
                raise WorkbenchError(
                    f"Another program has been writing to the ledger {self.path} for a long time.",
                    hint="Close other windows of this program and try again. Nothing was released.",
                    field="ledger",
                )
            time.sleep(_ASK_AGAIN_SECONDS)

    @contextlib.contextmanager
    def _locked_folder(self, folder: Path | None) -> Iterator[None]:
        """For as long as nobody else may write to a ledger of this folder.

        Where there is none there are no ledgers. A system that locks no folders, as Windows does not, has no such lock.
        """
        descriptor = None
        if folder is not None:
            with contextlib.suppress(OSError):
                descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        if descriptor is None:
            yield
            return
        try:
            with contextlib.suppress(OSError):
                self._wait_for(descriptor, time.monotonic() + _PATIENCE_SECONDS)
            yield
        finally:
            os.close(descriptor)  # the lock ends with it

    @contextlib.contextmanager
    def _locked(self) -> Iterator[int]:
        """The open file, for as long as nobody else may write to it."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while True:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            # A pipe or device in the place of the file must not make us wait for ever.
            descriptor = os.open(self.path, flags | getattr(os, "O_NONBLOCK", 0), 0o600)
            try:
                self._wait_for(descriptor, deadline)
                try:
                    if not is_still(descriptor, self.path):
                        continue  # it was moved away while we waited
                    yield descriptor
                    return
                finally:
                    unlock(descriptor)
            finally:
                os.close(descriptor)


def _stamp_of(found: os.stat_result) -> Stamp:
    return found.st_ino, found.st_size, found.st_mtime_ns


def _sealed(record: Record, previous: str) -> tuple[bytes, str]:
    """The line of a record, and its digest."""
    body = json.dumps(record, allow_nan=False, separators=(",", ":")).encode("ascii")
    digest = hashlib.sha256(previous.encode("ascii") + body).hexdigest()
    return _PREFIX + digest.encode("ascii") + b'",' + body[1:] + b"\n", digest


def _opened(line: bytes, previous: str) -> Record | None:
    """The record of a line that follows the line with the digest `previous`; None if it does not."""
    start = line.find(_PREFIX)
    while start >= 0:
        sealed = line[start:]
        body = b"{" + sealed[_SEALED:]
        digest = hashlib.sha256(previous.encode("ascii") + body).hexdigest()
        if sealed.startswith(_PREFIX + digest.encode("ascii") + b'",'):
            try:
                record = read_json(body.decode())
            except ValueError:
                return None
            torn = hashlib.sha256(line[:start]).hexdigest() if start else None
            return {**record, "digest": digest} if record.get("torn") == torn else None
        start = line.find(_PREFIX, start + 1)
    return None
