"""Small tables to compare methods on."""

from __future__ import annotations

import numpy as np
import pytest

from tests.evaluate.verdict_helpers import asked, found
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.evaluate.findings import Findings
from workbench.evaluate.question import Statistic
from workbench.evaluate.subject import ExperimentData

ROWS = 3000


def described(rows: int = ROWS) -> ExperimentData:
    """Ages 0 to 99 in two humps with a hierarchy of tens, and answers yes or no to a question."""
    rng = np.random.default_rng(7)
    ages = np.clip(np.where(rng.random(rows) < 0.6, rng.normal(30, 8, rows), rng.normal(70, 6, rows)), 0, 99)
    answers = rng.random(rows) < 0.3
    table = Table(
        (
            Column("age", ages.astype(np.int32), tuple(map(str, range(100)))),
            Column("smokes", answers.astype(np.int8), ("no", "yes")),
        )
    )
    schema = Schema(
        (
            ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0)),
            ColumnSpec("smokes", Kind.CATEGORY, domain=("no", "yes")),
        )
    )
    tens = Hierarchy.from_rows([(str(age), f"[{age // 10 * 10}, {age // 10 * 10 + 10}[", "*") for age in range(100)])
    return ExperimentData(table, schema, {"age": tens}, f"humps {rows}")


@pytest.fixture(scope="session")
def humps() -> ExperimentData:
    return described()


@pytest.fixture(scope="module")
def mean() -> Findings:
    """The ways of asking for a mean, tried on a public shape."""
    return found(asked(Statistic.MEAN, "age"))
