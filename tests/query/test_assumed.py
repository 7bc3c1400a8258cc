"""What is assumed before a question is paid for: as many rows as are guessed, where what is measured would be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.query.helpers import question
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.query.catalogue import QUERIES
from workbench.query.plans import RowCount
from workbench.query.rows import Rows

SCHEMA = Schema(
    (ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 90.0)), ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C")))
)
AGE = {"column": "age", "lower": "0", "upper": "90"}
FIXED: list[tuple[str, dict[str, Any]]] = [
    ("count", {}),
    ("sum", AGE),
    ("histogram", {"column": "town"}),
    ("histogram2d", {**AGE, "bins": 3, "second_column": "town"}),
    ("group-by", {"by_column": "town", "statistic": "count"}),
    ("group-by", {"by_column": "town", "statistic": "sum", **AGE}),
    ("above-threshold", {"column": "town", "threshold": 2}),
    ("mode", {"column": "town"}),
    ("noisy-max", {"column": "town"}),
    ("laplace", {"scale": "2"}),
    ("limited", AGE),
    ("undeclared-groups", {"column": "town"}),
]
DEPENDING: list[tuple[str, dict[str, Any]]] = [
    ("mean", AGE),
    ("variance", AGE),
    ("standard-deviation", AGE),
    ("group-by", {"by_column": "town", "statistic": "mean", **AGE}),
    ("median", AGE),
    ("quantile", AGE),
    ("minimum", AGE),
    ("maximum", AGE),
    ("bounds", AGE),
    ("narrowed", AGE),
    ("truncated-geometric", {}),
]


def test_every_kind_of_question_is_here() -> None:
    assert {kind for kind, _ in FIXED + DEPENDING} == {kind.identifier for kind in QUERIES}


@pytest.mark.parametrize("kind,values,depends", [(*one, False) for one in FIXED] + [(*one, True) for one in DEPENDING])
def test_an_error_that_does_not_depend_on_the_rows_is_said_not_to(
    kind: str, values: dict[str, Any], depends: bool
) -> None:
    asked = question(kind, described=SCHEMA, **values)
    assert asked.depends_on_rows is depends
    assert asked.assumption.startswith("If 1,000 rows match" if depends else "The error does not depend on the data")


def test_an_error_depends_on_the_rows_however_few_there_are() -> None:
    for rows in (0, 1, 2, 4, 9):
        asked = question("mean", described=SCHEMA, **AGE)
        told = replace(asked, counted=RowCount(rows, "count"))
        assert told.depends_on_rows


@pytest.mark.parametrize("kind,values", FIXED + DEPENDING)
def test_what_is_assumed_looks_like_what_is_measured(kind: str, values: dict[str, Any]) -> None:
    mechanism = question(kind, described=SCHEMA, **values).mechanism
    table = Table((Column.from_texts("age", list(map(str, range(9)))), Column.from_texts("town", list("ABCABCABB"))))
    measured, assumed = mechanism.measure(Rows.of(table, SCHEMA, None)), mechanism.assumed(9)
    assert set(measured) == set(assumed)
    # Of these there are as many as there are different values.
    for name in set(measured) - {"points", "counts", "trimmed", "labels"}:
        assert measured[name].shape == assumed[name].shape, name
    assert all(len(set(map(len, found.values()))) == 1 for found in (measured, assumed))


@pytest.mark.parametrize(
    "kind,values",
    [*FIXED[:3], *FIXED[4:6], ("undeclared-groups", {"column": "town"}), ("mean", AGE), ("variance", AGE)],
)
@pytest.mark.parametrize("epsilon", ["0.02", "1", "7"])
def test_the_law_of_an_error_that_is_drawn_is_that_of_simulated_ones(
    kind: str, values: dict[str, Any], epsilon: str
) -> None:
    asked = question(kind, epsilon, described=SCHEMA, **values)
    mechanism = asked.mechanism
    assumed = mechanism.assumed(1000)
    law = mechanism.error_law(assumed)
    assert law is not None
    chances, errors = law.chances, law.points * (law.step or 1.0)
    assert abs(chances.sum() - 1) < 2e-3 and chances.min() >= 0
    half = asked.expected.half_width
    assert half is not None
    # At least 95 % are within the half-width, and with one step less no longer.
    assert chances[np.abs(errors) <= half * (1 + 1e-9)].sum() >= 0.949
    simulated = mechanism.simulate(assumed, 40_000, np.random.default_rng(7)) - mechanism.truth(assumed)
    for place in np.quantile(errors, [0.1, 0.4, 0.6, 0.9]):
        said = chances[errors <= place].sum()
        assert abs(said - (simulated[:, 0] <= place).mean()) < 5 * (0.25 / 40_000) ** 0.5 + 2e-3


def test_simulated_quantiles_are_where_drawn_ones_are() -> None:
    """20,000 seeded answers against the law worked out point by point; a false alarm once in a million."""
    described = Schema((ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 4.0)),))
    mechanism = question("quantile", "2", described=described, column="age", quantile="0.25").mechanism
    values = [1, 1, 3]

    def loss(point: int) -> float:
        below, above = sum(one < point for one in values), sum(one > point for one in values)
        equal = len(values) - below - above
        return max(0, 0.75 * below - 0.25 * (equal + above), 0.25 * above - 0.75 * (below + equal))

    weights = np.exp([-2 * loss(point) / (2 * 0.75) for point in range(5)])
    law = weights / weights.sum()
    statistic = {"points": np.array([1, 3]), "counts": np.array([2, 1])}
    found = mechanism.simulate(statistic, 20_000, np.random.default_rng(3))
    shares = np.bincount(found[:, 0].astype(int), minlength=5) / 20_000
    assert len(shares) == 5
    assert (np.abs(shares - law) < 5.2 * np.sqrt(law * (1 - law) / 20_000)).all()


@pytest.mark.parametrize("epsilon", ["0.001", "0.005", "0.02", "0.1", "1", "7"])
def test_no_average_is_moved_further_by_the_noise_than_the_assumed_one(epsilon: str) -> None:
    """Whether its mean is at a bound, in the middle or anywhere between: the margin said before is not too small."""
    asked = question("mean", epsilon, described=SCHEMA, **AGE)
    total = int(asked.mechanism.assumed(1000)["steps"].sum())
    said = asked.mechanism.expected(asked.mechanism.assumed(1000)).half_width
    assert said is not None
    shares = [0.0, *np.geomspace(1e-5, 0.5, 200).tolist()]
    halves = []
    for share in shares:
        below = round(total * share)
        half = asked.mechanism.expected({"steps": np.array([total - below, below])}).half_width
        assert half is not None
        halves.append(half)
    assert max(halves) <= 1.01 * said and min(halves) < 0.8 * said
    assert "with values whose mean has the widest margin; of others the average differs." in asked.assumption


@pytest.mark.parametrize("epsilon", ["0.001", "0.02", "1", "7"])
@pytest.mark.parametrize("kind", ["variance", "standard-deviation"])
def test_no_spread_is_moved_further_by_the_noise_than_the_assumed_one(kind: str, epsilon: str) -> None:
    """Of all means and variances that values between the bounds can have: the margin said before is not too small."""
    asked = question(kind, epsilon, described=SCHEMA, **AGE)
    assumed = asked.mechanism.assumed(1000)
    total = int(assumed["squares"].sum())
    assert total == 1000 * 90**2
    said = asked.mechanism.expected(assumed).half_width
    assert said is not None
    near = np.linspace(1.5, 6.0, 19) / (1000 * float(epsilon))
    means = [0.0, *np.geomspace(1e-4, 0.5, 9).tolist(), *near[near < 0.5].tolist()]
    halves = []
    for mean, share in ((mean, share) for mean in means for share in (0.0, 0.1, 0.5, 0.8, 0.9, 1.0)):
        high = share * mean * (1 - mean) + mean**2
        sums = [round(total * one) for one in (high, 2 * (mean - high), 1 - 2 * mean + high)]
        half = asked.mechanism.expected({"squares": np.array(sums)}).half_width
        assert half is not None
        halves.append(half)
    assert max(halves) <= 1.01 * said and min(halves) < 0.8 * said
    assert "with values whose spread has the widest margin; of others the average differs." in asked.assumption


def test_the_average_error_of_other_values_may_be_larger_and_nothing_else_is_said() -> None:
    asked = question("mean", "0.001", described=SCHEMA, **AGE)
    assumed = asked.mechanism.assumed(1000)
    total, said = int(assumed["steps"].sum()), asked.mechanism.expected(assumed).error
    errors = [
        asked.mechanism.expected({"steps": np.array([total - round(total * one), round(total * one)])}).error
        for one in np.geomspace(1e-5, 0.5, 20).tolist()
    ]
    assert said is not None and max(one for one in errors if one is not None) > 1.2 * said
    assert asked.assumption.endswith("of others the average differs.")
