"""Composition views against closed forms and against every single outcome."""

from __future__ import annotations

import csv
import itertools
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.composition import ReleaseSpending, TablePart
from workbench.io.writing import write_csv
from workbench.query.composed_views import advanced, numerical
from workbench.query.ledger import Charge, Ledger
from workbench.query.ledger_table import is_ledger_table, ledger_table

SMALL = Fraction(1, 10**6)


def many(epsilon: str, times: int, delta: str = "0") -> list[ReleaseSpending]:
    return [ReleaseSpending(Fraction(epsilon), Fraction(delta))] * times


def delta_of_all_outcomes(amounts: list[float], epsilon: float) -> float:
    """δ of the composition of randomised responses, outcome by outcome."""
    parts = []
    for signs in itertools.product((1, -1), repeat=len(amounts)):
        loss = math.fsum(sign * amount for sign, amount in zip(signs, amounts, strict=True))
        chance = math.prod(1 / (1 + math.exp(-sign * amount)) for sign, amount in zip(signs, amounts, strict=True))
        if loss > epsilon:
            parts.append(chance * -math.expm1(epsilon - loss))
    return math.fsum(parts)


def delta_of_equal_ones(epsilon: float, times: int, target: float) -> float:
    """Kairouz, Oh and Viswanath, Theorem 3.3, at any ε."""
    return math.fsum(
        math.comb(times, minus)
        * max(0.0, math.exp((times - minus) * epsilon) - math.exp(target + minus * epsilon))
        / (1 + math.exp(epsilon)) ** times
        for minus in range(times + 1)
    )


@pytest.mark.parametrize(("epsilon", "times"), [("0.1", 100), ("0.5", 30), ("1", 60), ("0.01", 400)])
def test_equal_amounts_give_the_closed_form(epsilon: str, times: int) -> None:
    found = numerical(many(epsilon, times), SMALL)
    step = float(Fraction(epsilon))
    assert found.delta == SMALL
    assert delta_of_equal_ones(step, times, float(found.epsilon)) <= 1e-6
    # A step of the grid less would be too little: nothing is given away.
    assert delta_of_equal_ones(step, times, float(found.epsilon) - times * step / 19_980) > 1e-6


@settings(max_examples=examples(25), deadline=None)
@given(
    st.lists(st.fractions(Fraction(1, 50), 2, max_denominator=60), min_size=1, max_size=9),
    st.sampled_from([Fraction(1, 100), SMALL, Fraction(1, 10**12)]),
)
def test_unequal_amounts_against_every_outcome(amounts: list[Fraction], extra: Fraction) -> None:
    found = numerical([ReleaseSpending(amount, Fraction(0)) for amount in amounts], extra)
    plain = [float(amount) for amount in amounts]
    assert delta_of_all_outcomes(plain, float(found.epsilon)) <= float(extra)
    if found.epsilon < sum(amounts):
        assert found.delta == extra
    # Not looser than advanced composition by more than the grid.
    slack = sum(amounts) * (len(amounts) + 1) / 10_000
    assert found.epsilon <= advanced([ReleaseSpending(a, Fraction(0)) for a in amounts], extra).epsilon + slack


def test_a_fine_grid_is_rounded_up_and_hardly_costs() -> None:
    exact = numerical(many("1/10", 50), SMALL).epsilon
    awkward = [ReleaseSpending(Fraction(1, 10) + Fraction(1, 10**9 + n), Fraction(0)) for n in range(50)]
    rounded = numerical(awkward, SMALL).epsilon
    assert exact - Fraction(1, 10) <= rounded <= exact * Fraction(101, 100)


def test_advanced_composition_by_hand() -> None:
    found = advanced(many("0.1", 400, "1e-9"), SMALL)
    by_hand = 400 * 0.1 * (math.e**0.1 - 1) / (math.e**0.1 + 1) + math.sqrt(2 * math.log(1e6) * 400 * 0.01)
    assert float(found.epsilon) == pytest.approx(by_hand, rel=1e-7)
    assert float(found.epsilon) > by_hand
    assert found.delta == 400 * Fraction(1, 10**9) + SMALL


def test_few_charges_keep_the_basic_sum() -> None:
    releases = many("1", 2, "1e-6")
    for view in (advanced(releases, SMALL), numerical(releases, SMALL)):
        assert (view.epsilon, view.delta) == (2, 2 * SMALL)
    assert numerical([], SMALL).epsilon == 0


def test_numerical_is_below_advanced_for_many() -> None:
    releases = many("0.1", 400)
    assert numerical(releases, SMALL).epsilon < advanced(releases, SMALL).epsilon < 40


def test_cells_and_rows_per_person_count_in_views_too() -> None:
    cell = [
        ReleaseSpending(Fraction(1, 10), Fraction(0), cells=TablePart("city", frozenset({str(n)}))) for n in range(400)
    ]
    assert numerical(cell, SMALL).epsilon == Fraction(1, 10)
    assert numerical(many("0.1", 100), SMALL, rows_per_person=3).epsilon > numerical(many("0.1", 100), SMALL).epsilon


def test_thousands_of_charges_are_no_trouble() -> None:
    # The grid has one step per charge, so the work is what counts; the closed form has overflowed long before.
    found = numerical(many("0.001", 3000), SMALL)
    assert Fraction(0) < found.epsilon < Fraction(1, 2)


def test_the_table_reads_back(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.jsonl", "rows1-x")
    entry = ledger.charge(
        Charge("query", '=cmd "x"', Fraction(1, 3), made_by="grid", cells=TablePart("city", frozenset({"a", "b"})))
    )
    ledger.answer(entry.id, {"value": 3})
    ledger.charge(Charge("release", "file", Fraction(0), claimed=False))
    write_csv(ledger_table(ledger.entries), tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as stream:
        first, second = csv.DictReader(stream)
    assert first["what"] == '\'=cmd "x"'  # harmless in a spreadsheet
    assert (first["epsilon exactly"], first["cells"], first["answer"]) == ("1/3", "city: a, b", '{"value": 3}')
    assert (second["claim"], second["answer"]) == ("no", "")


def test_what_cannot_be_read_is_no_table_of_a_ledger(tmp_path: Path) -> None:
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    assert not is_ledger_table(tmp_path)
    assert not is_ledger_table(tmp_path / "missing.csv")
    assert not is_ledger_table(tmp_path / "binary.csv")
