"""How far the draw of one row of each person moves a mean is said of the answer, from what was released alone."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from workbench.core.schema import PrivacyUnit
from workbench.core.working_table import Preparation
from workbench.query.catalogue import QueryDraft
from workbench.session.row_counts import drawn_words
from workbench.session.session import Session

PEOPLE = 400
MEAN = QueryDraft("mean", "5", {"column": "cost", "lower": "0", "upper": "100", "resolution": "1"})


@pytest.fixture
def visits(tmp_path: Path) -> Session:
    """Each person has a row of 0 and one of 100, so that a draw moves the mean as far as it can."""
    path = tmp_path / "visits.csv"
    path.write_text("patient,cost\n" + "".join(f"p{i // 2},{i % 2 * 100}\n" for i in range(2 * PEOPLE)))
    session = Session()
    session.data.open(path)
    session.data.set_unit(PrivacyUnit(1, "patient"))
    session.data.set_preparation(Preparation(limit_rows=True))
    return session


def test_no_draw_moves_the_mean_further_on_average_than_is_said(visits: Session) -> None:
    """100 ÷ (2 √400) = 2.5, times √(2 ÷ π) = 1.995; what the noise hides of the number is taken off."""
    said = drawn_words(visits.queries.ask(MEAN))
    (most,) = map(float, re.findall(r"at most ([0-9.]+) on average", said))
    assert 1.995 <= most < 2.2 and said.startswith("Which row of each person chance took")
    drawn = np.random.default_rng(4).integers(0, 2, (4000, PEOPLE)).mean(axis=1) * 100
    assert np.abs(drawn - 50).mean() <= most


def test_nothing_is_said_where_no_row_was_drawn_or_nobody_knows_of_how_many(visits: Session) -> None:
    assert drawn_words(visits.queries.ask(QueryDraft("count", "1"))) == ""
    assert drawn_words(visits.queries.ask(QueryDraft("mean", "0.001", dict(MEAN.values)))) == "", "noise hides it"
    visits.data.set_preparation(Preparation())
    visits.data.set_unit(PrivacyUnit(2))
    assert drawn_words(visits.queries.ask(MEAN)) == "", "every row took part"
