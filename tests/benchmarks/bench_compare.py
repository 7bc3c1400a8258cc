"""Comparisons: every preset at its published repetitions, cancelling, and redrawing 12 curves of 40 points."""

from __future__ import annotations

import threading
import time

import numpy as np

from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.preset import PRESETS, PresetResult
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData
from workbench.plots.render import ChartRenderer
from workbench.plots.style import ChartStyle
from workbench.session import Session

PRESET_SECONDS, FIRST_SECONDS, CANCEL_SECONDS, REDRAW_SECONDS = 60.0, 1.0, 0.3, 0.1


def presets() -> None:
    for preset in PRESETS:
        started = time.perf_counter()
        first: list[float] = []

        def told(_: PresetResult, started: float = started, first: list[float] = first) -> None:
            first.append(time.perf_counter() - started)

        Session().comparison.preset_runner(preset.identifier, partial=told)(Progress())
        took = time.perf_counter() - started
        print(f"{preset.identifier:24} {took:6.1f} s (limit {PRESET_SECONDS:g}), first result {first[0]:.2f} s")


def cancelling() -> None:
    worst = 0.0
    for delay in (0.5, 1.0, 2.0, 3.0):
        token, pressed = CancelToken(), [0.0]

        def press(token: CancelToken = token, pressed: list[float] = pressed) -> None:
            pressed[0] = time.perf_counter()
            token.cancel()

        timer = threading.Timer(delay, press)
        timer.start()
        try:
            Session().comparison.preset_runner("ages")(Progress(token=token))
        except Cancelled:
            worst = max(worst, time.perf_counter() - pressed[0])
        timer.join()
    print(f"{'cancelling':24} {1000 * worst:6.0f} ms at worst (limit {1000 * CANCEL_SECONDS:g})")


def redrawing() -> None:
    x = np.geomspace(10, 10_000, 40)
    all_series = []
    for number in range(12):
        y = (2 + number) / np.sqrt(x)
        points = tuple(
            Point(f"curve {number}", float(at), float(up), float(up / 2), float(up * 2), 100)
            for at, up in zip(x, y, strict=True)
        )
        all_series.append(ErrorSeries(MethodChoice("uniform"), f"curve {number}", Approach.LOCAL, points))
    found = Findings(Experiment(axis=Axis.USERS, places=(10.0, 10_000.0)), tuple(all_series), 10_000)
    renderer = ChartRenderer(comparison)
    renderer.render(ComparisonData(found), ChartStyle(), 900, 560)
    times = []
    for _ in range(5):
        started = time.perf_counter()
        renderer.render(ComparisonData(found), ChartStyle(), 900, 560)
        times.append(time.perf_counter() - started)
    print(f"{'12 curves × 40 points':24} {1000 * min(times):6.0f} ms (limit {1000 * REDRAW_SECONDS:g})")


def main() -> None:
    redrawing()
    cancelling()
    presets()


if __name__ == "__main__":
    main()
