"""What drawings hold on to when they are done."""

from __future__ import annotations

import sys
import threading
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from workbench.plots import channel_heat
from workbench.plots.render import ChartRenderer
from workbench.plots.style import ChartStyle

THREADS = 16


def fonts_open() -> int:
    found = 0
    for number in Path("/proc/self/fd").iterdir():
        try:
            found += number.readlink().suffix in (".ttf", ".otf")
        except OSError:  # closed meanwhile
            continue
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system does not tell which files are open")
def test_threads_that_draw_leave_no_fonts_open() -> None:
    """Each is there until the last has drawn, so that no two have the same number."""
    done = threading.Barrier(THREADS + 1)
    failed: list[BaseException] = []
    most: list[int] = []

    def draw(number: int) -> None:
        half = Fraction(1, 2 + number)
        exact = ((half, 1 - half), (1 - half, half))
        heat = channel_heat.ChannelHeat(("a", "b"), ("a", "b"), np.array(exact, np.float64), exact)
        try:
            ChartRenderer(channel_heat).render(heat, ChartStyle(), 400, 300)
            most.append(fonts_open())
        except BaseException as error:
            failed.append(error)
        finally:
            done.wait()

    before = fonts_open()
    threads = [threading.Thread(target=draw, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    done.wait()
    for thread in threads:
        thread.join()
    assert not failed
    assert max(most) - before < 3 * THREADS  # all of them would be four times as many
