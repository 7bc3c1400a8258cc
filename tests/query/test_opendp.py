"""OpenDP's noise: the same questions under the same ledger and guards, skipped where the library is not installed."""

from __future__ import annotations

import importlib.util
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.query.helpers import measured, seeded
from workbench.contracts.tiny import schema
from workbench.core.errors import WorkbenchError
from workbench.query import opendp_bridge, relevance
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.query.opendp_mechanism import ANSWERED, NO_GUARANTEE
from workbench.query.plans import QueryPlan, plan
from workbench.session import Session

installed = pytest.mark.skipif(importlib.util.find_spec("opendp") is None, reason="OpenDP is not installed")
VALUES: dict[str, dict[str, Any]] = {
    "count": {},
    "histogram": {"column": "town"},
    "histogram2d": {"column": "age", "bins": 3, "second_column": "town"},
    "group-by": {"by_column": "town", "statistic": "mean", "column": "age"},
}


def asked(kind: str, epsilon: str = "1", noise: NoiseSource = NoiseSource.OPENDP, rows: int = 1) -> QueryPlan:
    return plan(QueryDraft(kind, epsilon, VALUES.get(kind, {"column": "age"}), noise=noise), schema(rows))


def opened(tmp_path: Path) -> Session:
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + row % 40}\n" for row in range(400)), encoding="utf-8")
    session = Session()
    session.data.open(data)
    return session


@pytest.mark.parametrize("kind", sorted(ANSWERED))
@pytest.mark.parametrize("rows", [1, 3])
def test_the_question_is_that_of_the_grid_and_carries_no_claim(kind: str, rows: int) -> None:
    theirs, ours = asked(kind, rows=rows), asked(kind, rows=rows, noise=NoiseSource.GRID)
    assert (theirs.epsilon, theirs.neighbours, theirs.expected) == (ours.epsilon, ours.neighbours, ours.expected)
    assert theirs.parameters["frames"] == ours.parameters["frames"]
    assert theirs.parameters["parts"] == ours.parameters["parts"]
    assert theirs.unclaimed == NO_GUARANTEE and theirs.parameters["tool"] == "make_laplace"


def test_questions_it_cannot_answer_are_refused_and_not_offered() -> None:
    for kind in QUERIES:
        offered = NoiseSource.OPENDP in relevance.noises(kind)
        assert offered is (kind.identifier in ANSWERED)
    with pytest.raises(WorkbenchError, match="added to counts and sums") as refused:
        asked("median")
    assert refused.value.field == "noise"


def test_without_the_package_it_says_how_to_get_it_before_anything_is_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opendp.prelude", None)
    monkeypatch.setitem(__import__("sys").modules, "opendp", None)
    session = opened(tmp_path)
    with pytest.raises(WorkbenchError, match="the package opendp cannot be imported") as missing:
        session.queries.ask(QueryDraft("count", "1", noise=NoiseSource.OPENDP))
    assert "pip install opendp" in str(missing.value.hint) and missing.value.field == "noise"
    assert not session.ledger.current.entries


@installed
@pytest.mark.parametrize("kind", sorted(ANSWERED))
def test_its_answers_look_like_those_of_the_grid(kind: str) -> None:
    rows = [(str(row % 4), "AB"[row % 2]) for row in range(60)]
    one, other = asked(kind, "100"), asked(kind, "100", NoiseSource.GRID)
    theirs = one.mechanism.release(measured(one, rows), seeded(1))
    ours = other.mechanism.release(measured(other, rows), seeded(1))
    assert (theirs.form, theirs.labels, theirs.unit) == (ours.form, ours.labels, ours.unit)
    assert np.allclose(np.asarray(theirs.value, float), np.asarray(ours.value, float), atol=1.5)


@installed
def test_its_noise_has_the_law_that_is_expected_of_it() -> None:
    numbers, rate = 4000, 0.25
    drawn = np.array(opendp_bridge.noisy([7] * numbers, 2, Fraction(1, 2))) - 7
    # OpenDP draws from the operating system: bounds at six standard errors fail less often than once in a billion runs.
    share = np.exp(-rate)
    variance = 2 * share / (1 - share) ** 2
    assert abs(drawn.mean()) < 6.1 * (variance / numbers) ** 0.5
    at_zero = (1 - share) / (1 + share)
    assert abs((drawn == 0).mean() - at_zero) < 6.1 * (at_zero * (1 - at_zero) / numbers) ** 0.5


@installed
@pytest.mark.parametrize(
    ("sensitivity", "epsilon"), [(1, "1/3"), (7, "0.1"), (10**15, "1e-6"), (3, "ln"), (1 << 61, "100")]
)
def test_its_own_map_never_states_more_than_is_charged(sensitivity: int, epsilon: str) -> None:
    wanted = Fraction(1098612288668, 10**12) if epsilon == "ln" else Fraction(epsilon)
    measurement = opendp_bridge._measurement(sensitivity, wanted)
    assert Fraction(measurement.map(sensitivity)) <= wanted
    assert Fraction(measurement.map(sensitivity)) >= wanted * Fraction(999_999, 1_000_000)


@installed
def test_nothing_is_refused_for_what_the_data_holds() -> None:
    low, high = opendp_bridge.noisy([-(10**40), 10**40], 1, Fraction(1))
    assert low < -(2**61) and high > 2**61
    assert opendp_bridge.noisy([], 1, Fraction(1)) == []
    with pytest.raises(WorkbenchError, match="more than OpenDP's whole numbers hold"):
        opendp_bridge.check(1 << 70, Fraction(1))


@installed
def test_an_answer_is_charged_without_a_claim_and_kept(tmp_path: Path) -> None:
    session = opened(tmp_path)
    draft = QueryDraft("mean", "2", {"column": "age", "lower": "0", "upper": "100"}, noise=NoiseSource.OPENDP)
    answered = session.queries.ask(draft)
    spent = session.ledger.current.spent()
    assert (spent.epsilon, spent.unclaimed) == (Fraction(2), 1)
    assert answered.entry.charge.made_by == "opendp" and answered.unclaimed == NO_GUARANTEE
    assert abs(answered.released.value - 39.5) < 10
    stored = session.queries.stored(draft)
    assert stored is not None and stored.released == answered.released
    # What another library answered takes the place of nothing on the grid.
    assert session.queries.stored(QueryDraft("mean", "2", draft.values)) is None
