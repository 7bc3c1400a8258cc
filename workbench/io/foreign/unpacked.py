"""The bytes of a packed file, unpacked by another process."""

from __future__ import annotations

from pathlib import Path

from workbench.core.progress import SILENT, Progress
from workbench.io.foreign import frames
from workbench.io.foreign.child import Child


class Unpacked:
    """The content of a `.gz` file, or of a `.zip` archive of one file, read once from start to end.

    Raises
    ------
    WorkbenchError
        If no process can be started to unpack it.
    """

    def __init__(self, path: Path, progress: Progress = SILENT) -> None:
        hint = "Get it again, or unpack it with another program."
        self._child = Child("unpack", [path], "archive", progress, hint=hint)
        self._pieces = self._child.frames(frames.BYTES)
        self._left = memoryview(b"")

    @property
    def fraction(self) -> float:
        """How much of the file was read, in [0, 1]."""
        return self._child.fraction

    def read(self, size: int) -> bytes:
        """Some of the next bytes, at most `size`; b"" at the end.

        Raises
        ------
        WorkbenchError
            If the archive is damaged, locked, holds more than one file, or cannot be unpacked in the memory or the time
            there is.
        Cancelled
            If the person pressed Cancel.
        """
        if not self._left:
            self._left = self._next()
        piece, self._left = self._left[:size], self._left[size:]
        return bytes(piece)

    def _next(self) -> memoryview:
        for _, payload in self._pieces:
            if len(payload) <= frames.FRACTION.size:
                raise self._child.nonsense()
            (fraction,) = frames.FRACTION.unpack_from(payload)
            self._child.fraction = min(max(fraction, 0.0), 1.0) if fraction == fraction else 0.0
            return memoryview(payload)[frames.FRACTION.size :]
        self._child.close()
        return memoryview(b"")

    def close(self) -> None:
        """End the process."""
        self._child.close()

    def __enter__(self) -> Unpacked:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
