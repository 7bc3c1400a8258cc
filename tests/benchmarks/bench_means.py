"""Means and variances: how far off they are beside other ways, and whether their 95 % is 95 %.

Everything is compared at equal neighbours and equal ε, in the same run, as ratios of root mean squared errors (above 1:
this program is nearer). With add/remove neighbours, the number of rows is secret: beside ε split between a centred sum
and a count, in this program's noise (75 : 25, as it was done here before) and in OpenDP's (half and half, as its
examples do). With replace-one neighbours, it is public for the others: this program, whose promise hides a replaced row
at twice the ε, then gets half.

OpenDP is no dependency: `pip install opendp`. The coverage is that of 100,000 simulated answers for each cell.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.query import noise
from workbench.query.averages import Averages, VarianceQuery
from workbench.query.catalogue import QueryDraft
from workbench.query.epsilon_for import solve
from workbench.query.exact_sums import whole
from workbench.query.grid import grid_of
from workbench.query.mechanism import Additive, StatisticValues
from workbench.query.plans import plan

TOP = 100
SPEC = ColumnSpec("x", Kind.INTEGER, bounds=(0.0, float(TOP)))
SHAPES = {"in the middle": (50, 8), "spread": (50, 28), "at 75": (75, 15), "at 90": (90, 8), "at 98": (98, 4)}
OURS, THEIRS, COVERED = 40_000, 2_000, 100_000
_SEED = 20_261_120


def values(shape: str, rows: int) -> NDArray[np.int64]:
    middle, spread = SHAPES[shape]
    drawn = np.random.default_rng(_SEED).normal(middle, spread, rows)
    return np.clip(np.round(drawn), 0, TOP).astype(np.int64)


def mechanism(kind: str, epsilon: Fraction) -> Averages | VarianceQuery:
    grid = grid_of(SPEC)
    return Averages(grid, None, epsilon, 1) if kind == "mean" else VarianceQuery(grid, epsilon, 1, root=False)


def statistic(one: Averages | VarianceQuery, x: NDArray[np.int64]) -> StatisticValues:
    steps = whole(x)
    return {one.parts[0].name: whole([int(sum(sums)) for sums in one.contributions(steps)])}


def split(kind: str, x: NDArray[np.int64], epsilon: float, generator: np.random.Generator) -> NDArray[np.float64]:
    """The mean from a centred sum and a count with 75 : 25 of ε, the variance with the squares at 25 : 37.5 : 37.5."""
    centred = (2 * x - TOP).astype(np.float64)

    def noisy(total: float, reach: float, share: float) -> NDArray[np.float64]:
        return total + noise.simulated(share * epsilon / reach, OURS, generator)

    if kind == "mean":
        count = np.maximum(noisy(len(x), 1, 0.25), 1.0)
        return np.clip(TOP / 2 + noisy(centred.sum(), TOP, 0.75) / count / 2, 0, TOP)
    count = np.maximum(noisy(len(x), 1, 0.25), 1.0)
    total = noisy(centred.sum(), TOP, 0.375)
    squares = noisy((2 * centred**2 - TOP**2).sum(), TOP**2, 0.375)
    found: NDArray[np.float64] = np.clip((squares / count + TOP**2) / 2 - (total / count) ** 2, 0, TOP**2) / 4
    return found


def off(answers: Any, truth: float) -> float:
    return float(np.sqrt(np.mean((np.asarray(answers, dtype=np.float64) - truth) ** 2)))


def installed_opendp() -> ModuleType | None:
    try:
        import opendp.prelude as dp
    except ImportError:
        print("OpenDP is not installed, so nothing is compared with it: pip install opendp.")
        return None
    dp.enable_features("contrib")
    found: ModuleType = dp
    return found


def opendp_secret_count(dp: Any, x: NDArray[np.int64], epsilon: float) -> Iterator[float]:
    half = TOP // 2
    rows = [int(value) - half for value in x]
    domain = dp.vector_domain(dp.atom_domain(bounds=(-half, half)))
    plain = dp.vector_domain(dp.atom_domain(T=int))
    total = (domain, dp.symmetric_distance()) >> dp.t.then_sum() >> dp.m.then_laplace(2 * half / epsilon)
    count = (plain, dp.symmetric_distance()) >> dp.t.then_count() >> dp.m.then_laplace(2 / epsilon)
    assert total.map(1) + count.map(1) <= epsilon * (1 + 1e-9)
    for _ in range(THEIRS):
        yield min(max(half + total(rows) / max(count(rows), 1), 0), TOP)


def opendp_public_count(dp: Any, x: NDArray[np.int64], epsilon: float) -> Iterator[float]:
    rows = [float(value) for value in x]
    domain = dp.vector_domain(dp.atom_domain(bounds=(0.0, float(TOP))), size=len(x))
    mean = (domain, dp.symmetric_distance()) >> dp.t.then_mean() >> dp.m.then_laplace(TOP / len(x) / epsilon)
    assert mean.map(2) <= epsilon * (1 + 1e-6)  # replacing a row is removing one and adding one
    for _ in range(THEIRS):
        yield min(max(mean(rows), 0.0), float(TOP))


def diffprivlib(kind: str, x: NDArray[np.int64], epsilon: float) -> Iterator[float]:
    from diffprivlib import tools
    from diffprivlib.accountant import BudgetAccountant

    ask = tools.mean if kind == "mean" else tools.var
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(THEIRS):
            yield ask(x, epsilon=epsilon, bounds=(0, TOP), accountant=BudgetAccountant())


def errors(kind: str, dp: ModuleType | None) -> None:
    print(f"\n{kind}: root mean squared error, and that of others as a multiple of it")
    for rows in (100, 1000):
        for epsilon in (0.1, 1.0):
            for shape in SHAPES:
                x = values(shape, rows)
                truth = float(x.mean() if kind == "mean" else x.var())
                generator = np.random.default_rng(_SEED)

                def ours(
                    epsilon: Fraction,
                    x: NDArray[np.int64] = x,
                    truth: float = truth,
                    generator: np.random.Generator = generator,
                ) -> float:
                    one = mechanism(kind, epsilon)
                    return off(one.simulate(statistic(one, x), OURS, generator), truth)

                whole_, half = ours(Fraction(epsilon)), ours(Fraction(epsilon) / 2)
                said = [f"{whole_:.4g}", f"ε split {off(split(kind, x, epsilon, generator), truth) / whole_:.2f}"]
                if dp is not None and kind == "mean":
                    said.append(f"OpenDP {off(list(opendp_secret_count(dp, x, epsilon)), truth) / whole_:.2f}")
                others = [f"diffprivlib {off(list(diffprivlib(kind, x, epsilon)), truth) / half:.2f}"]
                if dp is not None and kind == "mean":
                    others.append(f"OpenDP {off(list(opendp_public_count(dp, x, epsilon)), truth) / half:.2f}")
                print(
                    f"  {rows:5} rows, ε = {epsilon}, {shape:13}: add/remove {', '.join(said)}; "
                    f"replace one, their number of rows public: {', '.join(others)}",
                    flush=True,
                )


def coverage(kind: str) -> None:
    print(f"\n{kind}: share of {COVERED:,} answers within the half-width, and of intervals that hold the truth")
    for rows in (10, 30, 100, 1000, 10_000):
        for epsilon in ("0.1", "0.5", "1", "5"):
            found = []
            for shape in SHAPES:
                one = mechanism(kind, Fraction(epsilon))
                true = statistic(one, values(shape, rows))
                truth, half = one.truth(true), one.expected(true).half_width
                assert half is not None
                noisy = drawn(one, true)
                within = (np.abs(one.finish(noisy) - truth) <= half * (1 + 1e-9)).mean()
                low, high = one.between(noisy)
                held = ((low <= truth + 1e-9) & (truth - 1e-9 <= high)).mean()
                found.append(f"{within:.4f} {held:.4f}")
            print(f"  {rows:6} rows, ε = {epsilon:3}: {'   '.join(found)}", flush=True)


def drawn(one: Additive, true: StatisticValues) -> dict[str, NDArray[np.float64]]:
    generator = np.random.default_rng(_SEED)
    part = one.parts[0]
    numbers = true[part.name].astype(np.float64)
    return {part.name: numbers + noise.simulated(part.rate, (COVERED, len(numbers)), generator)}


def speed() -> None:
    schema = Schema((SPEC,))

    def timed(what: str, run: Callable[[], object], times: int) -> None:
        run()
        start = time.perf_counter()
        for _ in range(times):
            run()
        print(f"  {what}: {(time.perf_counter() - start) / times * 1000:.2f} ms")

    print("\nspeed")
    for kind in ("mean", "variance"):
        draft = QueryDraft(kind, "0.5", {"column": "x"})
        target = "1" if kind == "mean" else "20"
        timed(f"plan of a {kind}", lambda draft=draft: plan(draft, schema).expected, 50)
        timed(f"ε for ± {target}", lambda d=draft, t=target: solve(d, schema, t), 5)
        print(f"  ε for ± {target}: {solve(draft, schema, target)}")


def main() -> None:
    dp = installed_opendp()
    for kind in ("mean", "variance"):
        errors(kind, dp)
        coverage(kind)
    speed()


if __name__ == "__main__":
    main()
