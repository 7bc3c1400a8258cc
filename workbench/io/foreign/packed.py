"""Unpacking `.gz`, and `.zip` archives of one file, piece by piece."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from workbench.core.errors import WorkbenchError
from workbench.io.foreign import frames
from workbench.io.foreign.limits import MemoryAllowance, allowance

MOST_TIMES = 500
"""So many times its packed size no large table unpacks to."""
_LARGE = 1 << 28
_PIECE = 1 << 18
_AS_CSV = "Save or export it as CSV with the program it came from, then open that file."
_GZIP = b"\x1f\x8b"
_CLUTTER = ("__MACOSX/", ".DS_Store")


def run(request: dict[str, Any], out: frames.FrameWriter) -> None:
    """Send what the file that is asked for unpacks to, until there is no more or nobody listens.

    Raises
    ------
    WorkbenchError
        If it is damaged, locked, no archive of one file, or unpacks to more than any table.
    """
    path = Path(request["paths"][0])
    MemoryAllowance().limit(allowance(0))
    with explained(path.name), path.open("rb") as raw:
        size = max(path.stat().st_size, 1)
        given = 0
        with _opened(raw, path.name) as (stream, total):
            while piece := stream.read(_PIECE):
                given += len(piece)
                if given > max(_LARGE, MOST_TIMES * size):
                    raise _too_much(path.name)
                fraction = given / total if total else raw.tell() / size
                out.send(frames.BYTES, frames.FRACTION.pack(fraction) + piece)


@contextlib.contextmanager
def _opened(raw: BinaryIO, name: str) -> Iterator[tuple[BinaryIO, int]]:
    """Content of the archive as a stream, and its size in bytes; 0 where the archive does not say."""
    start = raw.read(len(_GZIP))
    raw.seek(0)
    if start == _GZIP:
        with gzip.GzipFile(fileobj=raw, mode="rb") as stream:
            yield cast(BinaryIO, stream), 0
        return
    with zipfile.ZipFile(raw) as archive:
        member = _only_member(archive, name)
        with archive.open(member) as unpacked:
            yield cast(BinaryIO, unpacked), max(member.file_size, 1)


def _only_member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    members = [
        member
        for member in archive.infolist()
        # A name may be empty, which `is_dir` of some Pythons does not expect.
        if not (member.filename and member.is_dir())
        and not member.filename.startswith(_CLUTTER)
        and _CLUTTER[1] not in member.filename
    ]
    names = [member.filename for member in members]
    if "[Content_Types].xml" in names or "mimetype" in names:
        raise WorkbenchError(f"“{name}” is not a CSV but an office document.", hint=_AS_CSV, field="path")
    if len(members) != 1:
        listed = ", ".join(f"“{n[:80]}”" for n in names[:3]) + (" …" if len(names) > 3 else "")
        raise WorkbenchError(
            f"The archive “{name}” holds {len(members)} files{': ' + listed if names else ''}.",
            hint="Unpack it and open the one file that holds the table.",
            field="path",
        )
    if members[0].flag_bits & 0x1:
        raise WorkbenchError(
            f"The archive “{name}” is encrypted.", hint="Unpack it with its password first.", field="path"
        )
    return members[0]


def _too_much(name: str) -> WorkbenchError:
    return WorkbenchError(
        f"The archive “{name}” unpacks to more than {MOST_TIMES} times its size, which no table of that length does: "
        "it may have been made to fill the memory.",
        hint="If you trust where it comes from, unpack it with another program and open the file inside.",
        field="path",
    )


@contextlib.contextmanager
def explained(name: str) -> Iterator[None]:
    """Turn what may go wrong with an archive into words a person can act on."""
    try:
        yield
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile) as error:
        raise WorkbenchError(
            f"The archive “{name}” is damaged or incomplete.",
            hint="Get it again, or unpack it with another program.",
            field="path",
        ) from error
    except (NotImplementedError, RuntimeError) as error:
        raise WorkbenchError(
            f"The archive “{name}” is packed in a way that is not supported.",
            hint="Unpack it with another program.",
            field="path",
        ) from error
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WorkbenchError(
            f"“{name}” cannot be read: {reason}.", hint="Check the path and the disk.", field="path"
        ) from error
