"""Objects that belong to one thread are let go by no other."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.core import garbage


class Knot:
    """An object that only a search for cycles finds to be unreachable."""

    def __init__(self, gone_on: list[int]) -> None:
        self.own = self
        weakref.finalize(self, lambda: gone_on.append(threading.get_ident()))


@pytest.fixture(autouse=True)
def _given_back() -> Iterator[None]:
    gc.collect()
    yield
    garbage.give_back()


def on_another_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def many_objects() -> list[list[int]]:
    """More than after which Python looks through the youngest."""
    return [[] for _ in range(20 * gc.get_threshold()[0])]


def test_without_a_window_whichever_thread_makes_objects_looks() -> None:
    gone: list[int] = []
    Knot(gone)
    on_another_thread(many_objects)
    assert len(gone) == 1 and gone != [threading.get_ident()]


def test_a_thread_that_sweeps_is_the_only_one_to_let_objects_go() -> None:
    gone: list[int] = []
    garbage.keep_to_this_thread()
    Knot(gone)
    on_another_thread(many_objects)
    on_another_thread(garbage.look_at_the_young)
    assert not gone
    many_kept = many_objects()
    assert garbage.sweep() >= 1 and gone == [threading.get_ident()]
    assert many_kept


def test_work_without_searches_does_not_turn_them_on_again_for_every_thread() -> None:
    with garbage.no_garbage_collection():
        assert not gc.isenabled()
        garbage.keep_to_this_thread()
    assert not gc.isenabled()
    garbage.give_back()
    with garbage.no_garbage_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_sweep_does_nothing_where_little_was_made() -> None:
    garbage.keep_to_this_thread()
    gc.collect()
    assert garbage.sweep() == 0


def test_old_objects_are_looked_through_only_when_they_have_become_many() -> None:
    # In a process of its own: half as many objects again as a run of all tests has made would take it half a minute.
    code = "from tests.core.test_garbage import look_at_ever_more; look_at_ever_more()"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=50, cwd=Path(__file__).parents[2])


def look_at_ever_more() -> None:
    garbage.keep_to_this_thread()
    kept = [[[] for _ in range(1_500_000)]]  # of fewer, a tenth would not make it time to look through the old

    def deepest(most: float) -> int:
        """How deep is looked while what there is becomes so many times as much as after the last time."""
        found, before = 0, sys.getallocatedblocks()
        while sys.getallocatedblocks() < most * before:
            kept.append([[] for _ in range(gc.get_threshold()[0] + 100)])
            found = max(found, garbage.sweep())
        return found

    while garbage.sweep() != 3:  # whatever was looked through before
        kept.append([[] for _ in range(gc.get_threshold()[0] + 100)])
    assert deepest(1.1) == 2, "a tenth more is not worth looking through all again"
    assert deepest(1.5) == 3


def test_a_sweep_takes_hold_of_no_object(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of all objects would hold a tuple that another thread still fills, which Python then refuses to finish."""
    monkeypatch.setattr(gc, "get_objects", lambda *_: pytest.fail("holds whatever there is"))
    garbage.keep_to_this_thread()
    kept = []
    for _ in range(15 * 15):
        kept.append([[] for _ in range(gc.get_threshold()[0] + 100)])
        garbage.sweep()
