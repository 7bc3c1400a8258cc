"""What several quantiles say of those between them, in the unit of the values, for any table with enough rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.query.helpers import seeded
from workbench.core.schema import ColumnSpec, Kind
from workbench.query.grid import Grid
from workbench.query.quantiles import Quantiles

SHARES = (Fraction(45, 100), Fraction(1, 2), Fraction(55, 100))
GRID = Grid(ColumnSpec("age", Kind.INTEGER), Fraction(0), Fraction(99), Fraction(1))
DRAWS = 400


def asked(shares: tuple[Fraction, ...] = SHARES) -> Quantiles:
    return Quantiles(GRID, shares, Fraction(1), 1)


@pytest.mark.parametrize("kind", ["one value", "steps", "even", "scattered"])
def test_the_true_quantile_lies_between_its_neighbours_where_enough_rows_match(kind: str) -> None:
    # 95 % is promised for all ranks together, and far more holds: with 95 %, more than 40 misses of 400 have a chance
    # below 1 in 10,000.
    mechanism = asked()
    rows = mechanism.enclosing_rows()
    places = {
        "one value": np.full(rows, 60),
        "steps": np.where(np.arange(rows) < rows // 2, 10, 90),
        "even": np.arange(rows) * 100 // rows,
        "scattered": np.arange(rows) % 7 * 13,
    }[kind]
    points, counts = np.unique(places, return_counts=True)
    statistic = {"points": points.astype(np.int64), "counts": counts.astype(np.int64)}
    true = mechanism.truth(statistic)[1]
    answers = mechanism.simulate(statistic, DRAWS, np.random.default_rng(1))
    assert np.sum((answers[:, 0] > true) | (true > answers[:, 2])) <= 40


def test_how_many_rows_that_takes_follows_from_the_question_alone() -> None:
    mechanism = asked()
    reach = mechanism.rank_reach()
    rows = mechanism.enclosing_rows()
    for n, enough in ((rows, True), (rows - 1, False)):
        lower = Fraction(45, 100) * n + reach < Fraction(1, 2) * n
        assert lower is enough
    one, other = ({"points": np.array([at]), "counts": np.array([many])} for at, many in ((3, 1), (90, 5000)))
    said = {mechanism.release(statistic, seeded(1)).notes for statistic in (one, other)}
    assert len(said) == 1 and f"at least {rows:,} rows match" in next(iter(said))[1]


def test_one_quantile_says_that_it_has_no_interval_in_its_unit_and_what_has() -> None:
    statistic = {"points": np.array([3]), "counts": np.array([10])}
    (_, alone), (_, end) = (
        asked((share,)).release(statistic, seeded(1)).notes for share in (Fraction(1, 2), Fraction(99, 100))
    )
    assert "the quantiles 0.45, 0.5, 0.55 enclose the one in the middle" in alone
    assert "depends on how many rows lie close by" in end and "quantiles" not in end
