"""What trimming keeps beside sampling, on Adult; and how long both take for ten million rows on DuckDB.

On Adult, at five vectors of levels and four ε, means over 20 draws: rows and groups released, the L1 error of the
reader's counts as a share of the rows, and the mean loss. Counts are told at the first levels and at the last of the
chain, which is the same vector one, two and three levels up (ε .5, .3, .2 of the whole); the reader adds the rows that
a group loses on average, or divides by β. ARX's mechanism is sampling with the classical k.

One part alone: `python3 tests/benchmarks/bench_trimming.py adult|duckdb`.
"""

from __future__ import annotations

import itertools
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np

from tests.benchmarks.bench_engines import COLUMNS, LEVELS, MILLION, hierarchies, write_table
from tests.benchmarks.bench_release import adult
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.release_loss import release_loss
from workbench.anonymise.sample_guarantee import Accounting, guarantee
from workbench.anonymise.sampling import Outcome, Recipe
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SecureSource
from workbench.core.table import Table
from workbench.core.trim_law import trim_law
from workbench.engines.dispatch import engine_of
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.stored import StoredTable
from workbench.io.dialect import Dialect

DRAWS = 20
DELTA = Fraction(1, 10**5)
EPSILONS = (Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2))
SHARES = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))
NINE = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
VECTORS: Mapping[str, Mapping[str, int]] = {
    "sex 0, age 1, race 0, education 1": {"sex": 0, "age": 1, "race": 0, "education": 1},
    "age 0, sex 0": {"age": 0, "sex": 0},
    "six columns, 1 up but sex": {"sex": 0, "age": 1, "race": 1, "education": 1, "workclass": 1, "salary-class": 0},
    "nine columns, 0 up": dict.fromkeys(NINE, 0),
    "nine columns, 1 up": dict.fromkeys(NINE, 1),
}
AIMS = {("sex 0, age 1, race 0, education 1", "trim"): 0.89, ("nine columns, 1 up", "steps"): 0.99}
PAIRS = 5

Cells = Counter[tuple[str, ...]]


def plans(levels: Mapping[str, int]) -> tuple[ColumnPlan, ...]:
    return tuple(ColumnPlan(name, Treatment.GENERALISE, level) for name, level in levels.items())


def recipes(
    levels: Mapping[str, int], known: Mapping[str, Hierarchy], epsilon: Fraction
) -> Iterator[tuple[str, Recipe | TrimRecipe]]:
    """The mechanisms at the same (ε, δ)."""
    yield "trim", TrimRecipe(plans(levels), (TrimStep(levels, epsilon, DELTA),))
    chain = [chain_step(levels, known, up) for up in range(len(SHARES))]
    steps = (TrimStep(one, epsilon * share, DELTA * share) for one, share in zip(chain, SHARES, strict=True))
    yield "steps", TrimRecipe(plans(levels), tuple(steps))
    exact, classical = Accounting.EXACT, Accounting.CLASSICAL
    for name, beta, accounting in (("β max", "max", exact), ("β best", "best", exact), ("ARX", "max", classical)):
        found = guarantee(epsilon=float(epsilon), delta=float(DELTA), beta=beta, accounting=accounting)
        yield name, Recipe(plans(levels), found.beta, found.k)


def chain_step(levels: Mapping[str, int], known: Mapping[str, Hierarchy], up: int) -> dict[str, int]:
    return {name: min(level + up, known[name].height) for name, level in levels.items()}


def cells(table: Table, known: Mapping[str, Hierarchy], levels: Mapping[str, int]) -> Cells:
    """The true counts."""
    columns = []
    for name, level in levels.items():
        labels = known[name].labels[level]
        columns.append([labels[code] for code in known[name].level_map(table[name], level)[table[name].codes].tolist()])
    return Counter(zip(*columns, strict=True))


def lifted(estimates: Mapping[tuple[str, ...], float], ups: list[dict[str, str]]) -> Mapping[tuple[str, ...], float]:
    found: dict[tuple[str, ...], float] = {}
    for cell, count in estimates.items():
        above = tuple(up[label] for up, label in zip(ups, cell, strict=True))
        found[above] = found.get(above, 0.0) + count
    return found


def estimated(
    outcome: Outcome | TrimOutcome, names: tuple[str, ...], ups: list[list[dict[str, str]]]
) -> list[dict[tuple[str, ...], float]]:
    """What a reader takes the counts to be, at each level of the chain that the release has."""
    if isinstance(outcome, Outcome):
        rows = Counter(zip(*(outcome.release[name].texts() for name in names), strict=True))
        first = {cell: count / outcome.recipe.beta for cell, count in rows.items()}
        return [first]
    found: list[dict[tuple[str, ...], float]] = []
    below: dict[tuple[str, ...], float] = {}
    for number, (step, made) in enumerate(zip(outcome.recipe.steps, outcome.steps, strict=True)):
        lost = trim_law(step.epsilon, step.delta, outcome.recipe.rows_per_person).mean_lost
        labels = outcome.labels_of(number)
        texts = list(zip(*(labels[name].texts() for name in names), strict=True))
        # Below a group of this step: what the steps before released of it, as it is; and what this one did.
        so_far = dict(lifted(below, ups[number - 1])) if number else {}
        estimates = dict(so_far)
        for place in np.flatnonzero(made.released).tolist():
            so_far[texts[place]] = so_far.get(texts[place], 0.0) + int(made.released[place])
            estimates[texts[place]] = so_far[texts[place]] + lost
        found.append(estimates)
        below = so_far
    return found


def l1(estimates: Mapping[tuple[str, ...], float], true: Cells) -> float:
    return sum(abs(true[cell] - estimates.get(cell, 0.0)) for cell in {*true, *estimates}) / true.total()


def on_adult(folder: Path) -> None:
    table, known = adult(folder)
    for title, levels in VECTORS.items():
        names = tuple(levels)
        chain = [chain_step(levels, known, up) for up in range(len(SHARES))]
        true = [cells(table, known, one) for one in chain]
        ups = [
            [
                dict(
                    zip(
                        (row[low[name]] for row in known[name].rows()),
                        (row[high[name]] for row in known[name].rows()),
                        strict=True,
                    )
                )
                for name in names
            ]
            for low, high in itertools.pairwise(chain)
        ]
        print(f"{title}: {len(true[0]):,} groups")
        for epsilon in EPSILONS:
            for name, recipe in recipes(levels, known, epsilon):
                figures = []
                for _ in range(DRAWS):
                    outcome = engine_of(table).release(recipe, known, SecureSource())
                    guesses = estimated(outcome, names, ups)
                    last: Mapping[tuple[str, ...], float] = guesses[-1]
                    for up in ups[len(guesses) - 1 :]:
                        last = lifted(last, up)
                    figures.append(
                        (
                            outcome.rows_out / table.rows,
                            float(outcome.classes_out),
                            l1(guesses[0], true[0]),
                            l1(last, true[-1]),
                            release_loss(outcome, table, known).mean,
                        )
                    )
                rows, groups, error, above, loss = np.mean(figures, axis=0).tolist()
                aim = AIMS.get((title, name)) if epsilon == 1 else None
                print(
                    f"  ε {float(epsilon):<3g} {name:6}  rows {rows:.3f}  groups {groups:7,.1f}  L1 {error:.3f}, last "
                    f"levels {above:.3f}  loss {loss:.3f}" + (f"  (aim: rows ≥ {aim})" if aim else ""),
                    flush=True,
                )


def on_duckdb() -> None:
    """Ten million rows that are open in DuckDB: from codes to released codes, by turns on the same table."""
    known = hierarchies()
    vector = {**dict.fromkeys(COLUMNS, 0), **LEVELS}
    top = {name: known[name].height if name in known else 1 for name in vector}
    found = guarantee(epsilon=1.0, delta=1e-9)
    sample = Recipe(plans(vector), found.beta, found.k)
    delta = Fraction(1, 10**9)
    trims = {
        "trim": TrimRecipe(plans(vector), (TrimStep(vector, Fraction(1), delta),)),
        "three steps": TrimRecipe(
            plans(vector),
            tuple(
                TrimStep({name: min(level + up, top[name]) for name, level in vector.items()}, share, delta * share)
                for up, share in enumerate(SHARES)
            ),
        ),
    }
    with tempfile.TemporaryDirectory() as folder, DuckStore() as store:
        path = Path(folder) / "table.csv"
        write_table(path, 10 * MILLION)
        table = open_stored(store, files_of(path, Dialect())).table

        def seconds(recipe: Recipe | TrimRecipe) -> tuple[float, int]:
            # Another table on the same rows, because the groups of this one would be remembered.
            fresh = StoredTable(table.place, [table.column(name) for name in table.names])
            start = time.perf_counter()
            outcome = engine_of(fresh).release(recipe, known, SecureSource())
            return time.perf_counter() - start, outcome.rows_out

        for name, recipe in trims.items():
            pairs = [(seconds(sample), seconds(recipe)) for _ in range(PAIRS)]
            ratio = statistics.median(trimmed[0] / sampled[0] for sampled, trimmed in pairs)
            (slow, out), (quick, more) = pairs[-1]
            print(
                f"{10 * MILLION:,} × {len(vector)} on DuckDB: {name} takes {ratio:.2f} of the time of sampling (median "
                f"of {PAIRS} pairs, aim below 1), {quick:.1f} s for {more:,} rows beside {slow:.1f} s for {out:,}",
                flush=True,
            )


def main(words: list[str] | None = None) -> None:
    parts: dict[str, Callable[[], None]] = {"duckdb": on_duckdb}
    if "WORKBENCH_DATA" in os.environ:
        parts = {"adult": lambda: on_adult(Path(os.environ["WORKBENCH_DATA"]) / "adult"), **parts}
    else:
        print("Adult: set WORKBENCH_DATA to the folder that holds adult/")
    for part, work in parts.items():
        if not words or part in words:
            work()


if __name__ == "__main__":
    main(sys.argv[1:])
