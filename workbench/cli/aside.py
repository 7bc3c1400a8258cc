"""What is said on standard error, which may be closed, or full: nothing that is asked for may fail because of it."""

from __future__ import annotations

import contextlib
import os
import sys


def aside(text: str, end: str = "\n") -> None:
    """Say something on standard error, if it takes it."""
    if sys.stderr is None:  # print would take standard output instead
        return
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except OSError:
        # What still waits in the stream would be tried again when Python ends, with an exit code of its own.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def on_terminal() -> bool:
    """Whether a person reads standard error while a command is at work."""
    return sys.stderr is not None and sys.stderr.isatty()
