"""Objects that belong to one thread are let go by no other."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator

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
    garbage.keep_to_this_thread()
    kept = []

    def deepest() -> int:
        found = 0
        for _ in range(15 * 15):
            kept.append([[] for _ in range(gc.get_threshold()[0] + 100)])
            found = max(found, garbage.sweep())
        return found

    assert deepest() == 3
