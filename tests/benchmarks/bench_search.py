"""The search for the best levels: Adult in several configurations, a million rows, ten million; and private draws.

Seconds are those of the processor.
"""

from __future__ import annotations

import os
import time
import tracemalloc
from fractions import Fraction
from pathlib import Path

import numpy as np

from workbench.anonymise.dp_search import PrivateSearch, choose_levels
from workbench.anonymise.goal import Goal
from workbench.anonymise.level_scores import Score
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import prepare
from workbench.anonymise.sample_guarantee import guarantee
from workbench.anonymise.search import optimise
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SeededSource
from workbench.core.table import Column, Table
from workbench.core.trim_law import trim_law
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.reading import read_table

REPEATS = 5

ADULT_SIZES = (2, 74, 5, 7, 16, 41, 8, 14, 2)

ADULT = (
    ("k = 5, limit 0", ["k=5"], 0.0, 0.05),
    ("k = 5, limit 0.04", ["k=5"], 0.04, 0.12),
    ("k = 5, limit 1", ["k=5"], 1.0, 0.15),
    ("l = 2, limit 0", ["l-diversity=2:occupation"], 0.0, 0.05),
    ("k = 5, l = 2, limit 0.04", ["k=5", "l-diversity=2:occupation"], 0.04, None),
    ("t = 0.2, limit 0", ["t-closeness=0.2:occupation"], 0.0, 0.5),
    ("k = 5, t = 0.2, limit 0.04", ["k=5", "t-closeness=0.2:occupation"], 0.04, 0.5),
    ("k = 5, t = 0.2, limit 1", ["k=5", "t-closeness=0.2:occupation"], 1.0, None),
)


def adult(folder: Path) -> tuple[Table, dict[str, Hierarchy]]:
    table = read_table(folder / "adult.csv").table
    return table, {name: read_hierarchy(folder / f"adult_hierarchy_{name}.csv") for name in table.names}


def synthetic(rows: int, tuples: int, sizes: tuple[int, ...]) -> tuple[Table, dict[str, Hierarchy]]:
    """About `tuples` distinct rows, some much more frequent than others, of columns with so many skewed values.

    Hierarchies have a level of fives and one of twenties, if there are more values than that, and `*`.
    """
    rng = np.random.default_rng(1)
    pool = (tuples * rng.random(rows) ** 3).astype(np.int64)
    columns, hierarchies = [], {}
    for number, size in enumerate(sizes):
        widths = [width for width in (5, 20) if width < size]
        lines = [(str(v), *[f"{v // width} of {width}" for width in widths], "*") for v in range(size)]
        name = f"column {number}"
        hierarchies[name] = Hierarchy.from_rows(lines)
        kinds = np.minimum(rng.geometric(min(0.4, 4 / size), tuples) - 1, size - 1).astype(np.uint8)
        columns.append(Column(name, kinds[pool], tuple(str(v) for v in range(size))))
    return Table(tuple(columns)), hierarchies


def nearly_all_distinct(rows: int) -> tuple[Table, dict[str, Hierarchy]]:
    """Nine columns of evenly spread numbers with a level of tens and `*`: hardly two rows are alike."""
    rng = np.random.default_rng(2)
    columns, hierarchies = [], {}
    for number, size in enumerate(range(20, 83, 7)):
        values = tuple(map(str, range(size)))
        columns.append(Column(f"column {number}", rng.integers(0, size, rows).astype(np.uint8), values))
        hierarchies[f"column {number}"] = Hierarchy.from_rows([(v, f"{v[:-1]}*", "*") for v in values])
    return Table(tuple(columns)), hierarchies


def best_of(
    repeats: int, table: Table, hierarchies: dict[str, Hierarchy], models: list[str], limit: float
) -> tuple[float, str]:
    """The best time of several searches, and what was found."""
    choices = [ModelChoice.parse(model) for model in models]
    best, said = float("inf"), ""
    for _ in range(repeats):
        start = time.process_time()
        found = optimise(table, hierarchies, Goal(choices, suppression_limit=limit))
        best = min(best, time.process_time() - start)
        said = f"loss {found.score:.6f}, {found.nodes_checked:,} of {found.nodes:,} nodes, optimal {found.optimal}"
    return best, said


def peak_over_codes(table: Table, hierarchies: dict[str, Hierarchy], limit: float) -> float:
    """Peak memory of a search, with the codes themselves, over the codes."""
    codes = sum(column.codes.nbytes for column in table.columns)
    tracemalloc.start()
    optimise(table, hierarchies, Goal([ModelChoice.parse("k=5")], suppression_limit=limit))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (peak + codes) / codes


def drawn_privately(name: str, table: Table, hierarchies: dict[str, Hierarchy], score: Score) -> None:
    """The time of one private draw of levels, with the chances of all combinations."""
    promised = guarantee(epsilon=1.0, delta=1e-6)
    search = PrivateSearch(0.2, score=score)
    law = trim_law(Fraction(1), Fraction(1, 10**6)) if score is Score.TRIMMED else None
    start = time.process_time()
    drawn = choose_levels(table, hierarchies, search, k=promised.k, beta=promised.beta, source=SeededSource(1), law=law)
    seconds = time.process_time() - start
    print(
        f"{name}, levels drawn privately by {score}: {seconds:.2f} s, {drawn.choice.nodes:,} combinations, likeliest "
        f"{drawn.likeliest[0].probability:.3g}"
    )


def main() -> None:
    if "WORKBENCH_DATA" in os.environ:
        table, every = adult(Path(os.environ["WORKBENCH_DATA"]) / "adult")
        for name, models, limit, aim in ADULT:
            sensitive = {model.partition(":")[2] for model in models}
            hierarchies = {column: one for column, one in every.items() if column not in sensitive}
            seconds, said = best_of(REPEATS if aim else 1, table, hierarchies, models, limit)
            print(f"Adult, {name}: {seconds:.3f} s" + (f" (aim {aim} s)" if aim else "") + f", {said}")
        for score in Score:
            drawn_privately("Adult", table, every, score)
    else:
        print("Adult: set WORKBENCH_DATA to the folder that holds adult/")
    for name, made, aim in (
        ("1,000,000 rows shaped like Adult", lambda: synthetic(1_000_000, 500_000, ADULT_SIZES), 2.0),
        ("1,000,000 rows of nine columns alike", lambda: synthetic(1_000_000, 500_000, (60,) * 9), None),
        ("1,000,000 rows, nearly all distinct", lambda: nearly_all_distinct(1_000_000), None),
        ("10,000,000 rows shaped like Adult", lambda: synthetic(10_000_000, 5_000_000, ADULT_SIZES), 3.0),
    ):
        table, hierarchies = made()
        models = [ModelChoice.parse("k=5")]
        print(f"{name}: {len(prepare(table, hierarchies, Goal(models)).bottom):,} distinct rows")
        for limit in (0.0, 0.04, 1.0):
            seconds, said = best_of(1, table, hierarchies, ["k=5"], limit)
            print(f"{name}, k = 5, limit {limit}: {seconds:.2f} s" + (f" (aim {aim} s)" if aim else "") + f", {said}")
        print(f"{name}: peak {peak_over_codes(table, hierarchies, 0.04):.2f} × the codes (aim 3)")


if __name__ == "__main__":
    main()
