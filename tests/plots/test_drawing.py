"""What drawings hold on to when they are done, and how often a chart is laid out."""

from __future__ import annotations

import sys
import threading
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from workbench.plots import channel_heat, style, ticks
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


@pytest.mark.parametrize("left", [0.0, 0.2])
def test_a_thousand_names_are_laid_out_a_few_times(left: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chart whose first name sticks out on the left was laid out for every step."""
    laid_out = []
    monkeypatch.setattr(ticks, "lay_out", lambda axes: (laid_out.append(axes), style.lay_out(axes)))
    axes = Figure(figsize=(6, 4)).add_axes((left, 0.2, 1 - left, 0.7))
    axes.set_xlim(-0.5, 999.5)
    ticks.name_places(axes, [f"a name {number}" for number in range(1000)])
    assert len(laid_out) < 25
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert all(a.x1 < b.x0 for a, b in pairwise(boxes))


def test_names_that_would_look_alike_are_told_apart_by_where_they_differ() -> None:
    long = [f"Department of long names, section {number}, subsection {letter}" for number, letter in enumerate("ABC")]
    names = ["Police", *long, "Parks and recreation of the city", "Department of long names, section 0, subsection A"]
    axes = Figure(figsize=(9, 4)).add_axes((0.1, 0.3, 0.8, 0.6))
    axes.set_xlim(-0.5, 5.5)
    ticks.name_places(axes, names, 22, turned=20)
    shown = [label.get_text() for label in axes.get_xticklabels()]
    assert len(set(shown)) == 5 and shown[1] == shown[5], "one name is written in one way"
    assert shown[0] == "Police" and shown[1].startswith("…0, subsection") and shown[4].startswith("Parks and")
    assert ticks.names_along(axes.xaxis) == tuple(names), "and whoever points at one sees all of it"


def test_ticks_are_not_made_for_thousands_of_names() -> None:
    axes = Figure(figsize=(6, 4)).add_axes((0.1, 0.2, 0.9, 0.7))
    axes.set_xlim(-0.5, 9999.5)
    ticks.name_places(axes, [f"a name {number}" for number in range(10_000)])
    assert len(axes.xaxis.majorTicks) <= 1000
    assert axes.get_xticklabels()[0].get_text() == "a name 0" and len(axes.get_xticklabels()) > 3
