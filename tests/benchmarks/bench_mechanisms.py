"""The exact audit: a large channel in floating point, a medium one in fractions, and many queries."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from workbench.mechanisms.above_threshold import AboveThreshold, _untruncated_stops
from workbench.mechanisms.audit import Audit, audit, curve
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.epsilon import Epsilon
from workbench.mechanisms.mechanism import MECHANISMS
from workbench.mechanisms.neighbours import ADJACENT, ALL, Neighbours

REPEATS = 3
SIZE = 1000


def best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def made_and_audited(alpha: str, neighbours: Neighbours) -> Audit:
    """From nothing, because a channel keeps what was worked out of it."""
    made = MECHANISMS["truncated-geometric"].build_typed({"alpha": alpha, "n": "64"})
    return audit(made.channel, neighbours, Epsilon.parse("0.01"))


def fifty_queries(model: AboveThreshold) -> object:
    _untruncated_stops.cache_clear()
    return model.database_losses(50)


def main() -> None:
    table = np.random.default_rng(1).random((SIZE, SIZE)) + 0.1
    table /= table.sum(axis=1, keepdims=True)
    names = [str(place) for place in range(SIZE)]
    large = Channel.of_floats(names, names, table)
    for what, neighbours, claim in (
        ("ε over all pairs", ALL, None),
        ("ε, and δ at ε = 0, over all pairs", ALL, Epsilon.parse("0")),
        ("ε, and δ at ε = 1, over all pairs", ALL, Epsilon.parse("1")),
        ("ε, and δ at ε = 1, of neighbours one apart", ADJACENT, Epsilon.parse("1")),
    ):
        seconds = best(partial(audit, large, neighbours, claim))
        print(f"{SIZE} × {SIZE} in floating point, {what}: {seconds:.3f} s (aim 1 s)")
    print(f"{SIZE} × {SIZE} in floating point, whole curve over all pairs: {best(partial(curve, large)):.1f} s")
    for alpha in ("1/2", "17/31", "999/1000"):
        for what, neighbours in (("all pairs", ALL), ("one apart", ADJACENT)):
            seconds = best(partial(made_and_audited, alpha, neighbours))
            print(f"fractions to n = 64, α = {alpha}, {what}: made and audited in {seconds * 1000:.0f} ms (aim 1 s)")
    for model, words in (
        (AboveThreshold(), "truncated, >"),
        (AboveThreshold(strict=False), "truncated, ≥"),
        (AboveThreshold(truncated=False), "untruncated"),
    ):
        seconds = best(partial(fifty_queries, model))
        print(f"above-threshold, ε of 1 … 50 queries, {words}: {seconds:.2f} s (aim 5 s)")
    print(f"above-threshold, stops of 50 answers: {best(partial(AboveThreshold().stops, [3] * 50, 3)):.3f} s")


if __name__ == "__main__":
    main()
