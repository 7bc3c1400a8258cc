"""A real screen for tests of a real window: an X server of its own, and patience."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

PATIENCE = 40.0

needs_a_screen = pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool"
)


def wait(what: str, condition: Callable[[], object], program: subprocess.Popen[str] | None = None) -> object:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        if program is not None and program.poll() is not None:
            _, errors = program.communicate()
            raise AssertionError(f"the program ended with {program.returncode} before {what}: {errors}")
        time.sleep(0.05)
    raise AssertionError(f"waited {PATIENCE:.0f} s for {what}")


@contextmanager
def real_screen() -> Iterator[str]:
    """An X server on a display number it finds itself; without `-noreset` it would turn clients away for a moment
    whenever the last one leaves."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    assert number, "Xvfb did not start"
    try:
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()
