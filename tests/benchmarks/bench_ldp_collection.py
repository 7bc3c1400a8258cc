"""Estimating, predicting, sweeping and collecting with local protocols."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from workbench.core.randomness import SecureSource
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.estimation import EstimationMethod, estimates
from workbench.ldp.heavy_hitters import heavy_hitters
from workbench.ldp.prediction import CollectionPlan, every_protocol, predict, predict_one
from workbench.ldp.protocol import FrequencyRandomiser
from workbench.ldp.report_file import Announcement, read_reports, write_reports
from workbench.ldp.simulated_reports import collect
from workbench.ldp.simulation import SimulationSetting
from workbench.ldp.sweep import SweepCell, sweep

USERS = 200_000
TWELVE = (
    *("grr", "sue", "oue", "she", "the", "blh", "olh", "hadamard", "subset-selection"),
    *("random-matrix", "ds-corrected", "square-wave"),
)


def shares(domain_size: int) -> np.ndarray:
    place = np.linspace(0, 1, domain_size)
    shape = np.exp(-(((place - 0.35) / 0.12) ** 2)) + 0.5 * np.exp(-(((place - 0.8) / 0.05) ** 2))
    return shape / shape.sum()


def people(domain_size: int, number: int = USERS) -> np.ndarray:
    return np.random.default_rng(1).multinomial(number, shares(domain_size))


def best(run: Callable[[], object], repeats: int = 3) -> float:
    """Seconds of the fastest of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def built(identifier: str, domain_size: int, epsilon: float = 1.0) -> FrequencyRandomiser:
    return ProtocolChoice(identifier).frequency(domain_size, epsilon)


def main() -> None:
    counts = people(1024)
    wave = built("square-wave", 1024)
    support = wave.simulate(counts, np.random.default_rng(2))
    assert support is not None
    for name in ("em-early", "ems", "em", "em-smoothed"):
        seconds = best(lambda name=name: estimates(wave, [support], EstimationMethod(name)))
        print(f"Square Wave, d = 1024, {name}: {1000 * seconds:.0f} ms (aim 1 s)")

    for size, ordinal in ((15, False), (50, False), (50, True), (256, True), (1024, False), (1024, True)):
        plan = CollectionPlan(USERS, size, 1.0, ordinal)
        seconds = best(lambda plan=plan: predict(plan))
        kind = "ordinal" if ordinal else "categorical"
        aim = "" if size > 50 and ordinal else " (aim 300 ms)"
        print(
            f"predict, {len(every_protocol(size, ordinal=ordinal))} protocols, {kind}, d = {size}: "
            f"{1000 * seconds:.0f} ms{aim}"
        )
    slow = {
        one.identifier: best(lambda one=one: predict_one(CollectionPlan(USERS, 50, 1.0, True), one), 1)
        for one in every_protocol(50, ordinal=True)
    }
    name = max(slow, key=lambda one: slow[one])
    print(f"predict, d = 50: slowest is {name} with {1000 * slow[name]:.0f} ms")

    cells = [SweepCell(float(epsilon), USERS) for epsilon in np.geomspace(0.1, 5.0, 12)]
    start = time.perf_counter()
    found = sweep([ProtocolChoice(one) for one in TWELVE], cells, people(50), SimulationSetting(1.0, USERS, 20, seed=1))
    seconds = time.perf_counter() - start
    print(
        f"sweep, 12 protocols × 12 ε × 20 repetitions, d = 50: {seconds:.1f} s (aim 10 s), "
        f"{sum(bool(point.problem) for point in found.points)} gaps"
    )

    codes = np.repeat(np.arange(50), people(50))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "reports.csv")
        for name in ("grr", "oue", "olh"):
            randomiser = built(name, 50)
            domain = Domain(tuple(map(str, range(50))), False, True)
            announced = Announcement(randomiser, "x", domain, None, True, USERS, 1, False)
            written = best(lambda announced=announced: write_reports(path, announced, codes, SecureSource()), 1)
            read = best(lambda: read_reports(path), 1)
            print(f"{USERS:,} real reports by {name}: written in {written:.2f} s, read in {read:.2f} s")

    large = np.minimum(np.random.default_rng(3).zipf(1.3, USERS), 1_000_000) - 1
    hashing = ProtocolChoice("olh", {"functions": 256}).frequency(1_000_000, 4.0)
    start = time.perf_counter()
    top = heavy_hitters(hashing, collect(hashing, large, SecureSource()), 10)
    print(
        f"the 10 most frequent of 10⁶ values, OLH: {time.perf_counter() - start:.1f} s, "
        f"{sum(one.sure for one in top)} sure"
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {memory / (1 << 20 if sys.platform == 'darwin' else 1 << 10):.0f} MiB (aim 500)")


if __name__ == "__main__":
    main()
