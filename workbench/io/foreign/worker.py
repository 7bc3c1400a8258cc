"""The process that reads one file for another process: takes a request, sends frames, ends.

It is started anew, never forked, and imports only what its task needs. The request is one line of JSON on standard
input, which then stays open: when it closes, nobody waits any more, and this process ends at once.
"""

from __future__ import annotations

import _thread
import importlib
import json
import os
import sys
from typing import Any, BinaryIO

from workbench.core.errors import WorkbenchError
from workbench.io.foreign import frames

FLAG = "--read-a-file-for-the-workbench"
"""The one argument with which a bundle, which has no Python to start, becomes this process."""

JOBS = {
    "unpack": "workbench.io.foreign.packed",
    "sheet": "workbench.io.foreign.workbooks",
    "sheet cells": "workbench.io.foreign.workbooks",
    "columns": "workbench.io.foreign.columns",
    "column cells": "workbench.io.foreign.columns",
    "statistics": "workbench.io.foreign.statistics_files",
    "json lines": "workbench.io.foreign.json_lines",
    "sqlite": "workbench.io.foreign.sqlite_files",
    "database": "workbench.io.foreign.server",
}
"""Jobs that can be asked for, and the module whose `run(request, out)` does each."""

NOT_WANTED = 3
OUT_OF_MEMORY = 4
_OVERTIME = 10.0
"""Seconds that are left to the other process to end this one itself."""


def serve_if_asked() -> None:
    """Be that process if the program was started to be; otherwise nothing. The one way in begins with it."""
    if sys.argv[1:] == [FLAG]:
        main()


def main() -> None:
    """Do what standard input asks for, and end the process."""
    told = os.fdopen(os.dup(1), "wb")
    # What a reader prints must not get among the frames.
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    asked = os.fdopen(0, "rb", closefd=False)
    request = json.loads(asked.readline())
    _thread.start_new_thread(_end_when_unwanted, (asked,))
    out = frames.FrameWriter(told, float(request["patience"]) + _OVERTIME)
    code = _answered(request, out)
    # At once: tearing down a large table takes long, and the thread must not stand in the way.
    os._exit(code)


def _end_when_unwanted(asked: BinaryIO) -> None:
    asked.read()
    os._exit(NOT_WANTED)


def _answered(request: dict[str, Any], out: frames.FrameWriter) -> int:
    try:
        out.expect_cells(0)
        importlib.import_module(JOBS[request["job"]]).run(request, out)
        out.send(frames.END)
    except WorkbenchError as error:
        out.tell(frames.FAILED, message=error.message[:_LONGEST], hint=error.hint[:_LONGEST], field=error.field)
    except MemoryError:
        return OUT_OF_MEMORY
    except BrokenPipeError:
        return NOT_WANTED
    except BaseException as error:  # a panic of a reader in Rust is no Exception
        out.tell(frames.FAILED, broken=type(error).__name__)
    return 0


_LONGEST = 2000
