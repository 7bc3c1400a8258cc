"""The guarantee calculator: a grid of 45 (ε, δ) pairs, and the slowest single answers."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from workbench.anonymise.sample_guarantee import Accounting, guarantee, trade_off
from workbench.core.errors import WorkbenchError

REPEATS = 3
EPSILONS = (0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
DELTAS = (1e-3, 1e-5, 1e-6, 1e-9, 1e-12)


def questions(accounting: Accounting) -> Iterator[dict[str, Any]]:
    """Every direction of solving over the whole range, also the corners."""
    common: dict[str, Any] = {"accounting": accounting}
    for epsilon, delta, rows in itertools.product(EPSILONS, (*DELTAS, 1e-300), (1, 3)):
        person = {**common, "rows_per_person": rows}
        for k in (1, 30, 3000, 100_000):
            yield {**person, "epsilon": epsilon, "delta": delta, "k": k}
        for beta in ("max", 0.003, 0.3, 0.99):
            yield {**person, "epsilon": epsilon, "delta": delta, "beta": beta}
            yield {**person, "epsilon": epsilon, "beta": beta, "k": 100_000}
    for delta, beta, k in itertools.product((*DELTAS, 1e-300), (0.003, 0.3, 0.99), (1, 30, 3000, 100_000)):
        yield {**common, "delta": delta, "beta": beta, "k": k}
        yield {**common, "delta": delta, "beta": beta, "k": k, "rows_per_person": 3}


def best_beta_questions(accounting: Accounting) -> Iterator[dict[str, Any]]:
    for epsilon, delta in itertools.product(EPSILONS, DELTAS):
        yield {"epsilon": epsilon, "delta": delta, "beta": "best", "accounting": accounting}


def seconds(question: dict[str, Any]) -> float:
    """The best time of several runs; a refusal is an answer too."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        with contextlib.suppress(WorkbenchError):
            guarantee(**question)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    for accounting in Accounting:
        start = time.perf_counter()
        for epsilon, delta in itertools.product(EPSILONS, DELTAS):
            with contextlib.suppress(WorkbenchError):
                guarantee(epsilon=epsilon, delta=delta, accounting=accounting)
        print(f"{accounting}: 45 (ε, δ) pairs to k in {time.perf_counter() - start:.3f} s (aim 1 s)")
        for what, asked in (("answer", questions), ("best β", best_beta_questions)):
            times = [(seconds(question), question) for question in asked(accounting)]
            worst, question = max(times, key=lambda pair: pair[0])
            median = sorted(pair[0] for pair in times)[len(times) // 2]
            print(
                f"{accounting}: {what}: worst of {len(times)} {worst * 1000:.1f} ms (aim 50 ms), median "
                f"{median * 1000:.1f} ms; worst: {question}"
            )
        start = time.perf_counter()
        trade_off(1.0, 1e-5, np.linspace(0.01, 0.99, 99), accounting)
        print(f"{accounting}: trade-off curve of 99 β: {time.perf_counter() - start:.3f} s")


if __name__ == "__main__":
    main()
