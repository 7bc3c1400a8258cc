"""Live preview of every hierarchy builder over 100,000 distinct values: the first build, and each one after."""

from __future__ import annotations

import time
from datetime import date
from typing import Any

import numpy as np

from workbench.core.building import BuilderValues, build_hierarchy, specification
from workbench.core.schema import ColumnSpec, Format, Kind

SIZE = 100_000
REPEATS = 5
AIM = 100.0


def materials() -> dict[str, BuilderValues]:
    random = np.random.default_rng(1)
    picked = random.permutation(40_000_000)[:SIZE]
    counts = random.integers(1, 50, SIZE)

    def of(values: list[str], spec: ColumnSpec) -> BuilderValues:
        return BuilderValues(tuple(values), counts, spec)

    dates = [date.fromordinal(650_000 + int(i)).isoformat() for i in random.permutation(SIZE)]
    return {
        "integers": of([str(i) for i in picked], ColumnSpec("", Kind.INTEGER)),
        "decimals": of([f"{i / 100:.2f}" for i in picked], ColumnSpec("", Kind.DECIMAL)),
        "money": of([f"${i / 100:,.2f}" for i in picked], ColumnSpec("", Kind.MONEY, format=Format(".", ",", "$"))),
        "dates": of(dates, ColumnSpec("", Kind.DATE, format=Format(pattern="%Y-%m-%d"))),
        "codes": of([f"{i:05}" for i in random.permutation(SIZE)], ColumnSpec("", Kind.TEXT)),
        "texts": of([f"Item {i} {'abc'[i % 3]}" for i in picked], ColumnSpec("", Kind.TEXT)),
    }


def cases() -> list[tuple[str, str, dict[str, Any]]]:
    intervals = {
        "intervals": [{"from": 0, "to": 1000}],
        "levels": [{"group": n, "function": "interval"} for n in (1, 5, 10, 10)],
    }
    fine = {"intervals": [{"from": 0, "to": 10}], "levels": intervals["levels"]}
    halves = {"levels": [{"group": 10, "function": "interval"}] * 4}
    means = {"levels": [{"group": 2, "function": "mean", "decimals": 2}] * 6}
    units = {"levels": [{"unit": unit} for unit in ("month", "quarter", "year", "decade")]}
    rules = {"rules": [{"pattern": "[0-9]{3}$"}, {"pattern": "[0-9]"}]}
    return [
        ("integers", "intervals", specification("intervals", {"whole": True}, intervals)),
        ("integers", "intervals, 100,000 groups", specification("intervals", {}, fine)),
        ("decimals", "intervals", specification("intervals", {}, intervals)),
        ("money", "intervals", specification("intervals", {}, intervals)),
        ("integers", "order by number", specification("order", {"order": "number"}, halves)),
        ("integers", "pairs of means", specification("order", {"order": "number"}, means)),
        ("texts", "order by frequency", specification("order", {"order": "frequency"}, halves)),
        ("texts", "natural order", specification("order", {"order": "natural"}, halves)),
        ("dates", "dates", specification("dates", {}, units)),
        ("codes", "masking", specification("masking", {"length": 5}, {})),
        ("texts", "masking", specification("masking", {"length": 16}, {})),
        ("texts", "priority", specification("priority", {"by": "frequency"}, {"keep": [100, 10]})),
        ("texts", "redaction", specification("redaction", {}, rules)),
    ]


def main() -> None:
    for name, what, plain in cases():
        first, later = float("inf"), float("inf")
        for _ in range(REPEATS):
            material = materials_cached[name]
            fresh = BuilderValues(material.values, material.counts, material.column)
            start = time.perf_counter()
            build_hierarchy(plain, fresh)
            middle = time.perf_counter()
            build_hierarchy(plain, fresh)
            first = min(first, middle - start)
            later = min(later, time.perf_counter() - middle)
        print(f"{what} of {SIZE:,} {name}: first {first * 1000:.0f} ms, then {later * 1000:.0f} ms (aim {AIM:.0f} ms)")


materials_cached = materials()

if __name__ == "__main__":
    main()
