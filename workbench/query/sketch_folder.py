"""The folder of sketches beside the person's ledgers: by them data is recognised that is nearly the same.

    sketches/key                      32 random bytes, the secret under which all cells are hashed
    sketches/<fingerprint>.sketch     the sketch of a table something was released of
    sketches/<one>~<other>.near       these two were found to be nearly the same
    sketches/<one>~<other>.other      the person says that these two are about other people

All of them are for their owner only. A sketch is sealed under the key (SHAKE-256 as a stream, BLAKE2b as a seal) and is
padded, so that without the key not even its rows can be counted. The key goes into no project and no ledger.

Nothing here may keep anybody from work: what cannot be read or written is a problem that is told, and no more.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.sketch import SAMPLE, Sketch
from workbench.io.atomic import atomic_write, force_folder, why_not
from workbench.io.leftovers import open_part

FOLDER = "sketches"
_KEY, _SKETCH, _NEAR, _OTHER = "key", ".sketch", ".near", ".other"
_KEY_SIZE, _NONCE, _SEAL, _HEAD = 32, 16, 32, 256
_VERSION = 1


class SketchFolder:
    """The sketches in a folder of ledgers, which need not exist.

    `problems` says what could not be read or written. It names places of the person's: analyst only.
    """

    def __init__(self, ledgers: Path) -> None:
        self.folder = ledgers / FOLDER
        self.problems: list[str] = []

    # The key

    def key(self, *, make: bool = False) -> bytes | None:
        """The secret of this folder, which is made if that is wanted; None if there is none that can be used."""
        path = self.folder / _KEY
        try:
            if make and not path.exists():
                self._make_key(path)
            found = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self.tell(f"The key {path} cannot be used: {why_not(error)}.")
            return None
        if len(found) != _KEY_SIZE:
            self.tell(f"The key {path} is damaged.")
            return None
        return found

    def _make_key(self, path: Path) -> None:
        """A whole key or none, and only one, whoever else makes one now."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, part = open_part(path)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_bytes(_KEY_SIZE))
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(part)
        finally:
            part.unlink(missing_ok=True)
        force_folder(self.folder)

    # Sketches

    def names(self) -> tuple[str, ...]:
        """The fingerprints of the data there are sketches of, the newest first."""
        try:
            with os.scandir(self.folder) as listed:
                found = [(entry.stat().st_mtime_ns, entry.name) for entry in listed if entry.name.endswith(_SKETCH)]
        except FileNotFoundError:
            return ()
        except OSError as error:
            self.tell(f"The folder {self.folder} cannot be read: {why_not(error)}.")
            return ()
        return tuple(name.removesuffix(_SKETCH) for _, name in sorted(found, reverse=True))

    def has(self, fingerprint: str) -> bool:
        """Whether there is a sketch that the key of this folder opens."""
        key = self.key()
        with contextlib.suppress(OSError):
            return key is not None and _opened(self._path(fingerprint).read_bytes(), key, fingerprint) is not None
        return False

    def write(self, fingerprint: str, sketch: Sketch, key: bytes) -> None:
        """Keep a sketch."""
        nonce = secrets.token_bytes(_NONCE)
        hidden = _mixed(_packed(sketch), key, nonce)
        self._write(self._path(fingerprint), nonce + hidden + _seal(nonce + hidden, key, fingerprint))

    def read(self, fingerprint: str, key: bytes) -> Sketch | None:
        """A sketch; None if it is not there, is damaged, or was made under another key."""
        path = self._path(fingerprint)
        try:
            whole = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self.tell(f"The sketch {path} cannot be read: {why_not(error)}.")
            return None
        found = _opened(whole, key, fingerprint)
        if found is None:
            self.tell(f"The sketch {path} is damaged, or was made under another key.")
        return found

    # What is known of two tables

    def near(self, fingerprint: str) -> frozenset[str]:
        """The data that was found to be nearly the same as this."""
        return self._paired(fingerprint, _NEAR)

    def other_people(self, fingerprint: str) -> frozenset[str]:
        """The data of which the person says that it is about other people."""
        return self._paired(fingerprint, _OTHER)

    def remember_near(self, one: str, other: str) -> None:
        self._write(self._pair(one, other, _NEAR), b"")

    def declare_other_people(self, one: str, other: str) -> None:
        """Keep the person's word.

        Raises
        ------
        WorkbenchError
            If it cannot be written, because it would be asked for again.
        """
        path = self._pair(one, other, _OTHER)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise WorkbenchError(
                f"{path} cannot be written: {why_not(error)}.", hint="Make it writable.", field="ledger"
            ) from error
        with atomic_write(path, private=True, own=True) as file:
            file.write(b"")

    def _paired(self, fingerprint: str, suffix: str) -> frozenset[str]:
        found = set[str]()
        with contextlib.suppress(OSError), os.scandir(self.folder) as listed:
            for entry in listed:
                one, tilde, other = entry.name.removesuffix(suffix).partition("~")
                if tilde and entry.name.endswith(suffix) and fingerprint in (one, other) and entry.is_file():
                    found.add(other if one == fingerprint else one)
        return frozenset(found)

    def _pair(self, one: str, other: str, suffix: str) -> Path:
        return self.folder / f"{'~'.join(sorted((one, other)))}{suffix}"

    def _path(self, fingerprint: str) -> Path:
        return self.folder / f"{fingerprint}{_SKETCH}"

    def _write(self, path: Path, content: bytes) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with atomic_write(path, private=True, own=True) as file:
                file.write(content)
        except (OSError, WorkbenchError) as error:
            self.tell(error.message if isinstance(error, WorkbenchError) else f"{path}: {why_not(error)}.")

    def tell(self, problem: str) -> None:
        """Remember what went wrong, once."""
        if problem not in self.problems:
            self.problems.append(problem)


def _packed(sketch: Sketch) -> bytes:
    columns, size = sketch.cells.shape
    head = {"version": _VERSION, "rows": sketch.rows, "columns": columns, "size": size, "wide": sketch.wide}
    return b"".join(
        (
            json.dumps(head).encode("ascii").ljust(_HEAD),
            sketch.names.astype("<u4").tobytes(),
            _padded(sketch.cells),
            _padded(sketch.counts),
        )
    )


def _padded(numbers: NDArray[np.uint32]) -> bytes:
    whole = np.zeros((len(numbers), SAMPLE), dtype="<u4")
    whole[:, : numbers.shape[1]] = numbers
    return whole.tobytes()


def _opened(whole: bytes, key: bytes, fingerprint: str) -> Sketch | None:
    """The sketch that is in a file; None if it was not made under this key for this data."""
    body, seal = whole[:-_SEAL], whole[-_SEAL:]
    if not hmac.compare_digest(seal, _seal(body, key, fingerprint)):
        return None
    try:
        return _unpacked(_mixed(body[_NONCE:], key, body[:_NONCE]))
    except (ValueError, KeyError, TypeError):  # a later version, perhaps
        return None


def _unpacked(content: bytes) -> Sketch:
    head = json.loads(content[:_HEAD])
    columns, size = head["columns"], head["size"]
    if head["version"] != _VERSION:
        raise ValueError("a sketch of another version")
    numbers = np.frombuffer(content[_HEAD:], dtype="<u4").astype(np.uint32)
    names, rest = numbers[:columns], numbers[columns:].reshape(2 * columns + 1, SAMPLE)[:, :size]
    return Sketch(head["rows"], names, rest[:columns], rest[columns:], head["wide"])


def _mixed(content: bytes, key: bytes, nonce: bytes) -> bytes:
    """Hidden, or what was hidden: the content and a stream that only the key makes."""
    stream = hashlib.shake_256(_derived(key, b"hide") + nonce).digest(len(content))
    mixed = np.frombuffer(content, dtype=np.uint8) ^ np.frombuffer(stream, dtype=np.uint8)
    return mixed.tobytes()


def _seal(body: bytes, key: bytes, fingerprint: str) -> bytes:
    sealed = fingerprint.encode() + b"\0" + body
    return hashlib.blake2b(sealed, digest_size=_SEAL, key=_derived(key, b"seal")).digest()


def _derived(key: bytes, purpose: bytes) -> bytes:
    return hashlib.blake2b(digest_size=32, key=key, person=purpose).digest()
