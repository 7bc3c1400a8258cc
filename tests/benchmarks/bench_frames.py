"""A DataFrame of a million rows becomes a table: CPU seconds beside those of `factorize` of its columns.

Nine columns like Adult's: texts of few values, whole numbers, floats, a categorical, moments, and one of many values.
Both are measured in turn, so that what else runs on the machine weighs on both; the medians and their ratio are said.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from workbench.library.frames import table_of

ROWS, TURNS = 1_000_000, 5


def people() -> pd.DataFrame:
    """A table of people that nobody is."""
    drawn = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "sex": np.array(["female", "male"], dtype=object)[drawn.integers(0, 2, ROWS)],
            "age": drawn.integers(17, 90, ROWS),
            "race": np.array([f"race {n}" for n in range(5)], dtype=object)[drawn.integers(0, 5, ROWS)],
            "married": pd.Categorical.from_codes(drawn.integers(0, 7, ROWS), [f"state {n}" for n in range(7)]),
            "schooling": np.array([f"school {n}" for n in range(16)], dtype=object)[drawn.integers(0, 16, ROWS)],
            "country": np.array([f"country {n}" for n in range(41)], dtype=object)[drawn.integers(0, 41, ROWS)],
            "hours": drawn.integers(0, 200, ROWS) / 2,
            "since": pd.Timestamp("2000-01-01") + pd.to_timedelta(drawn.integers(0, 9_000, ROWS), unit="D"),
            "pay": drawn.integers(0, 40_000, ROWS),
        }
    )


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print both, and their ratio."""
    frame = people()
    taken, coded = [], []
    for _ in range(TURNS):
        coded.append(cpu(lambda: [pd.factorize(frame[name]) for name in frame.columns]))
        taken.append(cpu(lambda: table_of(frame)))
    ratios = [one / other for one, other in zip(taken, coded, strict=True)]
    print(f"factorize {statistics.median(coded):.3f} s, table {statistics.median(taken):.3f} s of CPU")
    print(f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
