"""Memory that was freed goes back to the system."""

from __future__ import annotations

import math
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workbench.core import freed_memory
from workbench.core.freed_memory import give_back, share_one_pool

GLIBC = platform.libc_ver()[0] == "glibc"


@pytest.fixture(autouse=True)
def never_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freed_memory._DONE, "last", -1e9)


def held() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


@pytest.mark.skipif(not GLIBC, reason="only glibc keeps it")
def test_what_was_freed_below_something_that_stays_is_given_back() -> None:
    made = [bytes(2000) for _ in range(50_000)]
    stays = made[::500]
    del made
    before = held()
    assert give_back()
    assert held() < before - 50
    assert len(stays) == 100


@pytest.mark.skipif(not GLIBC, reason="only glibc keeps it")
def test_it_is_done_now_and_then_only() -> None:
    give_back(now=100.0)
    made = [bytes(2000) for _ in range(50_000)]
    del made[:49_000]
    assert not give_back(now=119.0)
    assert give_back(now=121.0)


def test_done_at_once_it_is_done_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def trim(kept: int) -> int:
        asked.append(kept)
        return 1

    monkeypatch.setattr(freed_memory, "_of_the_c_library", lambda _: trim)
    now = time.monotonic()
    assert give_back(now=now) and give_back(now=math.inf) and give_back(now=math.inf)
    assert not give_back(now=now + 10)
    assert give_back(now=now + 60)
    assert len(asked) == 4


def test_where_the_c_library_cannot_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    freed_memory._of_the_c_library.cache_clear()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not give_back() and not share_one_pool()
    freed_memory._of_the_c_library.cache_clear()


POOLS = """
import ctypes, sys, threading
from workbench.core.freed_memory import share_one_pool

if sys.argv[1] == "shared":
    assert share_one_pool()
c = ctypes.CDLL(None)
c.malloc.restype = ctypes.c_void_p
c.malloc.argtypes = [ctypes.c_size_t]
here = threading.Barrier(5)

def work():
    c.malloc(5000)
    here.wait()

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
here.wait()
c.fdopen.restype = ctypes.c_void_p
c.malloc_info(0, ctypes.c_void_p(c.fdopen(1, b"w")))
c.fflush(None)
"""


@pytest.mark.skipif(not GLIBC, reason="only glibc has several")
def test_threads_share_one_pool_if_told_so() -> None:
    def pools(how: str) -> int:
        ran = subprocess.run([sys.executable, "-c", POOLS, how], capture_output=True, text=True, check=True)
        return ran.stdout.count("<heap nr=")

    assert pools("shared") == 1 < pools("of their own")
