"""Questions: releases on a million rows, exact noise, plans, and the experiment of 100 repetitions at 50 ε."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from workbench.core.randomness import SecureSource
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.query.catalogue import QueryDraft
from workbench.query.draws import ExactDraws
from workbench.query.experiments import error_by_epsilon
from workbench.query.plans import plan
from workbench.query.rows import Rows

PAY = {"column": "pay", "lower": "0", "upper": "100000", "resolution": "0.01"}
SCHEMA = Schema(
    (
        ColumnSpec("pay", Kind.DECIMAL),
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 120.0)),
        ColumnSpec("area", Kind.CATEGORY, domain=tuple(map(str, range(50)))),
    )
)


def table(rows: int) -> Table:
    rng = np.random.default_rng(1)
    pay = np.unique(np.round(rng.lognormal(10, 0.5, rows), 2))
    columns = [("pay", tuple(f"{one:.2f}" for one in pay)), ("age", tuple(map(str, range(18, 91))))]
    columns.append(("area", tuple(map(str, range(50)))))
    return Table(tuple(Column(name, rng.integers(0, len(values), rows), values) for name, values in columns))


def timed(what: str, run: Callable[[], object], wanted: float | None = None) -> None:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    goal = "" if wanted is None else f" (wanted: below {wanted:g} s)"
    print(f"{what}: {min(times):.3f} s{goal}", flush=True)


def main() -> None:
    draws = ExactDraws(SecureSource())
    for rows in (200_000, 1_000_000):
        data = table(rows)
        for kind, values in (
            ("count", {}),
            ("mean", PAY),
            ("variance", PAY),
            ("median", PAY),
            ("histogram", {"column": "age", "bins": 24}),
            ("group-by", {**PAY, "by_column": "area", "statistic": "mean"}),
        ):
            one = plan(QueryDraft(kind, "0.5", values, where="age >= 30"), SCHEMA)

            def answer(data: Table = data, one: object = one) -> None:
                mechanism = one.mechanism  # type: ignore[attr-defined]
                mechanism.release(mechanism.measure(Rows.of(data, SCHEMA, one.where)), draws)  # type: ignore[attr-defined]

            timed(f"{kind} of {rows:,} rows, filtered", answer)

    def experiment() -> None:
        error_by_epsilon(
            lambda epsilon: plan(QueryDraft("mean", "1", PAY), SCHEMA, epsilon=epsilon).mechanism,
            Rows(table(200_000)),
            [Fraction(step, 10) for step in range(1, 51)],
            repetitions=100,
        )

    timed("100 repetitions at 50 ε of the mean of 200,000 rows, with making the table", experiment, 5)
    timed("100,000 exact noises", lambda: [draws.two_sided(Fraction(1, 10)) for _ in range(100_000)])
    timed("a plan of a mean", lambda: plan(QueryDraft("mean", "0.5", PAY), SCHEMA).expected, 0.1)
    timed("a plan of a median", lambda: plan(QueryDraft("median", "0.5", PAY), SCHEMA).expected, 0.1)


if __name__ == "__main__":
    main()
