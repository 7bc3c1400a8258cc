"""In `.ci/run` a commit passes today what it passed yesterday: what is drawn in a test follows from the test.

Where the variable `CI` is set, examples of properties, the order of tests and what the program asks the operating
system to draw are the same in every run. Elsewhere they are drawn anew, so that whoever runs the tests by hand tries
what no run has tried yet.
"""

from __future__ import annotations

import os
import random
import threading
from collections import Counter
from typing import Any

VARIABLE = "CI"
ORDER = 20260101
"""The seed of the order of the tests."""


def is_repeating() -> bool:
    """Whether every run is to be the same."""
    return os.environ.get(VARIABLE, "").lower() not in ("", "0", "false")


class Drawn:
    """Stands in for the operating system's random bytes: they follow from a name and, in other threads, from theirs.

    Never where somebody's data are: what it draws can be foreseen.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._name = ""
        self._begun = Counter[str]()
        self._sources: dict[threading.Thread, random.Random] = {}

    def install(self) -> None:
        """Take the place of the real ones in this process, for good."""
        modules: tuple[tuple[Any, str], ...] = ((os, "urandom"), (random, "_urandom"))
        for module, name in modules:
            setattr(module, name, self)

    def begin(self, name: str) -> None:
        """Draw from now on what follows from this name."""
        with self._lock:
            self._name, self._begun, self._sources = name, Counter(), {}

    def __call__(self, size: int) -> bytes:
        thread = threading.current_thread()
        with self._lock:
            source = self._sources.get(thread)
            if source is None:
                # Threads of one name draw differently: nothing is to happen twice in one test that never would.
                self._begun[thread.name] += 1
                source = random.Random(f"{self._name} {thread.name} {self._begun[thread.name]}")
                self._sources[thread] = source
            return source.randbytes(size)
