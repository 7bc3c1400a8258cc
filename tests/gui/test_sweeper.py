"""The window's thread lets unreachable objects go, whichever thread made them."""

from __future__ import annotations

import gc
import threading
import weakref

from pytestqt.qtbot import QtBot

from workbench.gui.sweeper import Sweeper


class Knot:
    """An object that only a search for cycles finds to be unreachable."""

    def __init__(self) -> None:
        self.own = self


def test_what_a_job_leaves_is_let_go_on_the_window_s_thread(qtbot: QtBot) -> None:
    sweeper = Sweeper()
    gone: list[int] = []

    def job() -> None:
        weakref.finalize(Knot(), lambda: gone.append(threading.get_ident()))
        kept.extend([] for _ in range(20 * gc.get_threshold()[0]))

    kept: list[list[int]] = []
    thread = threading.Thread(target=job)
    thread.start()
    thread.join()
    assert not gone and not gc.isenabled()
    qtbot.waitUntil(lambda: bool(gone), timeout=60_000)
    assert gone == [threading.get_ident()]
    sweeper.stop()
    assert gc.isenabled()
