"""Starting the process that reads a file, waiting for what it says, and ending it, whatever happens.

What comes from it is data of a stranger: lengths, kinds and shapes are checked here, and its words are only shown.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import workbench
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count
from workbench.core.progress import SILENT, Progress
from workbench.io.addresses import is_address
from workbench.io.foreign import frames, worker

PATIENCE = 60.0
"""Seconds without rows or bytes after which a process is ended."""

_LOOK = 0.1
"""Seconds between two looks whether somebody pressed Cancel."""
_AHEAD = 4
"""Frames that wait here at most; after that the process waits."""
_MOST_CELLS = 1 << 34
_KINDS = (frames.INFO, frames.WORK, frames.ROWS, frames.COLUMN, frames.NOTES, frames.BYTES, frames.FAILED, frames.END)


class Child:
    """One process that reads one file, or the parts of one table.

    Parameters
    ----------
    job
        One of `worker.JOBS`.
    paths
        The file; or files that make one table, which is called by the first one.
    title
        What kind of file it is, with its article left out.
    progress
        Asked while this waits, so that Cancel ends the process at once.
    hint
        What to do if the file cannot be read.
    request
        What the job needs to know.

    Raises
    ------
    WorkbenchError
        If no process can be started.
    """

    def __init__(
        self,
        job: str,
        paths: Sequence[Path],
        title: str,
        progress: Progress = SILENT,
        *,
        hint: str = "Save it as CSV with the program it came from, and open that file.",
        **request: Any,
    ) -> None:
        self._named, self._hint = f"{title} “{paths[0].name}”", hint
        self._progress = progress
        self.fraction = 0.0
        self._asked = time.monotonic()
        places = [str(path if is_address(path) else path.absolute()) for path in paths]
        request |= {"job": job, "patience": PATIENCE, "paths": places}
        try:
            self._process = subprocess.Popen(
                command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # On Windows a program without a console would open one.
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                env={**os.environ, "MALLOC_ARENA_MAX": "1"},
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise self._error(f"no process could be started to read it: {reason}", "Try again.") from error
        self._arrived: queue.Queue[tuple[bytes, bytes] | None] = queue.Queue(_AHEAD)
        assert self._process.stdout is not None
        self._listener = threading.Thread(
            target=_listen, args=(self._process.stdout, self._arrived), name="reading a file", daemon=True
        )
        self._listener.start()
        with contextlib.suppress(OSError):  # it ended already, and why is found out below
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def frames(self, *wanted: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Frames that the process sends, until it says that there are no more.

        Parameters
        ----------
        wanted
            The kinds of frames that can come.

        Raises
        ------
        WorkbenchError
            If the file cannot be read, or the process ended, says nothing for too long, or says something else.
        Cancelled
            If the user pressed Cancel.
        """
        while True:
            kind, payload = self._next()
            if kind == frames.END:
                return
            if kind == frames.FAILED:
                raise self._reported(payload)
            if kind not in wanted:
                raise self.nonsense()
            yield kind, payload

    def nonsense(self) -> WorkbenchError:
        """The error for a frame that is not what was asked for."""
        return self._error(
            "the process that reads it answered what makes no sense, so the file may be made to do harm",
            "Do not open it with another program either, unless you know where it comes from.",
        )

    def close(self) -> None:
        """End the process, if it has not ended, and leave nothing of it behind."""
        process = self._process
        if process.poll() is None:
            process.kill()
        process.wait()
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        while self._listener.is_alive():
            with contextlib.suppress(queue.Empty):
                self._arrived.get(timeout=0.01)
        self._listener.join()
        if process.stdout is not None:
            process.stdout.close()

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _next(self) -> tuple[bytes, bytes]:
        """The next frame; those that only say that work goes on are no frames to anybody else."""
        patience = PATIENCE
        while True:
            frame = self._wait(patience)
            if frame is None:
                raise self._ended()
            kind, payload = frame
            if kind != frames.WORK:
                return frame
            cells = self._json(payload).get("cells")
            if not isinstance(cells, int) or not 0 <= cells <= _MOST_CELLS:
                raise self.nonsense()
            patience = PATIENCE + cells * frames.SECONDS_PER_CELL

    def _wait(self, patience: float) -> tuple[bytes, bytes] | None:
        until = time.monotonic() + patience
        while True:
            if time.monotonic() >= self._asked + _LOOK:
                self._progress(self.fraction)
                self._asked = time.monotonic()
            try:
                return self._arrived.get(timeout=_LOOK)
            except queue.Empty:
                if time.monotonic() > until:
                    raise self._error(
                        f"reading it went on for {count(patience)} seconds without a row, and was ended", self._hint
                    ) from None

    def _json(self, payload: bytes) -> dict[str, Any]:
        try:
            found = json.loads(payload)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self.nonsense()
        return found

    def _reported(self, payload: bytes) -> WorkbenchError:
        said = self._json(payload)
        texts = {key: value[:_LONGEST] for key, value in said.items() if isinstance(value, str)}
        if "broken" in texts:
            return self._error(f"its reader failed ({texts['broken'][:80]})", self._hint)
        if not texts.get("message"):
            return self.nonsense()
        field = texts.get("field", "")
        return WorkbenchError(texts["message"], hint=texts.get("hint", ""), field=field if field in _FIELDS else "path")

    def _ended(self) -> WorkbenchError:
        """Why there is nothing more, though the end was not said."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=2)
        code = self._process.poll()
        if code == worker.OUT_OF_MEMORY:
            why = "reading it needs more memory than a file of its size may take"
        elif code is not None and code < 0:
            why = (
                "reading it needs more memory than a file of its size may take, or it is damaged in a way its reader "
                f"does not bear (the process that read it was ended by signal {-code})"
            )
        else:
            why = f"the process that read it ended early (code {code})"
        return self._error(why, self._hint)

    def _error(self, why: str, hint: str) -> WorkbenchError:
        return WorkbenchError(f"The {self._named} cannot be read: {why}.", hint=hint, field="path")


_LONGEST = 4000
_FIELDS = ("path", "sheet", "query", "password")


def command() -> list[str]:
    """How the process is started: this Python without anything of its surroundings, or this bundle with a flag."""
    if getattr(sys, "frozen", False):
        return [sys.executable, worker.FLAG]
    # The launcher of a virtual environment on Windows would be a second process, which outlives being ended.
    python = getattr(sys, "_base_executable", "") if sys.platform == "win32" else ""
    where = [os.path.abspath(place) for place in sys.path]  # noqa: PTH100  not resolved
    root = os.path.abspath(Path(workbench.__file__).parents[1])  # noqa: PTH100
    code = (
        f"import sys; sys.path[:] = {[*where, *([] if root in where else [root])]!a}; "
        "from workbench.io.foreign.worker import main; main()"
    )
    options = ["-X", "utf8=1"] if sys.flags.utf8_mode else []
    return [python or sys.executable or "python3", "-I", "-S", *options, "-c", code]


def _listen(stream: BinaryIO, arrived: queue.Queue[tuple[bytes, bytes] | None]) -> None:
    """Hand on frame after frame; None at the end, or where there is no frame."""
    try:
        while True:
            head = stream.read(frames.HEAD.size)
            if not head:
                break
            kind, length = frames.HEAD.unpack(head)
            if kind not in _KINDS or length > frames.MOST:
                arrived.put((frames.FAILED, b""))
                break
            payload = stream.read(length)
            if len(payload) < length:
                break
            arrived.put((kind, payload))
    except (OSError, ValueError, struct.error):
        pass
    arrived.put(None)
