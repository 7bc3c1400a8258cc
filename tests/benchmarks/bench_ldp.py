"""Local protocols: what devices do for 200,000 people, the aggregate drawn at once, and memory for a million people."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.core.randomness import SecureSource, SeededSource
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser

PEOPLE, SIZE, EPSILON = 200_000, 50, 1.0
AIMS = {"grr": 10.0, "oue": 100.0, "olh": 300.0}
OTHERS, AGGREGATE = 1000.0, 5.0
MANY, WIDE, MEMORY = 1_000_000, 1024, 500
REPEATS = 3


def best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def collected(randomiser: Any, values: np.ndarray[Any, Any], source: Any) -> Any:
    """The support of all reports, made in chunks that bound the memory."""
    total = None
    for start in range(0, len(values), randomiser.chunk):
        part = randomiser.accumulate(randomiser.perturb(values[start : start + randomiser.chunk], source))
        total = part if total is None else total + part
    return total


def main() -> None:
    random = np.random.default_rng(1)
    for protocol in PROTOCOLS:
        frequency = protocol.family is Family.FREQUENCY
        size = min(SIZE, protocol.maximum_domain) if frequency else 0
        values: Any = random.integers(0, size, PEOPLE) if frequency else random.uniform(-1, 1, PEOPLE)
        randomiser: Any = protocol.build(size, EPSILON)
        seeded = best(lambda r=randomiser, v=values: collected(r, v, SeededSource(1)))  # type: ignore[misc]
        secure = best(lambda r=randomiser, v=values: collected(r, v, SecureSource()))  # type: ignore[misc]
        line = f"{protocol.identifier}: {PEOPLE:,} people, {size} values: {seeded:.1f} ms seeded, {secure:.1f} ms from"
        line += f" the operating system (aim {AIMS.get(protocol.identifier, OTHERS):.0f} ms)"
        if isinstance(randomiser, FrequencyRandomiser):
            counts = np.bincount(values, minlength=size)
            if randomiser.simulate(counts, random) is not None:
                aggregate = best(lambda r=randomiser, c=counts: r.simulate(c, random))  # type: ignore[misc]
                line += f"; aggregate {aggregate:.2f} ms (aim {AGGREGATE:.0f} ms)"
        print(line, flush=True)
    values = random.integers(0, WIDE, MANY)
    for name in ("grr", "oue", "olh", "she", "hadamard", "square-wave", "random-matrix", "subset-selection"):
        start = time.perf_counter()
        collected(PROTOCOLS[name].build(WIDE, EPSILON), values, SeededSource(1))
        took = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{name}: {MANY:,} people, {WIDE:,} values: {took:.1f} s, peak so far {peak:.0f} MB (aim {MEMORY} MB)")


if __name__ == "__main__":
    main()
