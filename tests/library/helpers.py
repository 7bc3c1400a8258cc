"""A small table of people for tests of the library."""

from __future__ import annotations

import pandas as pd

import workbench as wb


def people(rows: int = 400) -> pd.DataFrame:
    ages = [34, 35, 36, 52]
    return pd.DataFrame({"age": ages * (rows // 4), "job": ["cook", "cook", "nurse", "nurse"] * (rows // 4)})


JOBS = wb.hierarchy.categories({"health": ["nurse"], "food": ["cook"]})
AGES = wb.hierarchy.intervals(10, 2, whole=True)


def opened(frame: pd.DataFrame | None = None) -> wb.Data:
    return wb.open(people() if frame is None else frame).describe(age=wb.integer(0, 120))
