"""What the calculator of trimming solves for is as small as six digits can say; laws refuse what is out of range."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest

from workbench.anonymise._trim_solving import rows_needed, smallest
from workbench.anonymise.trim_guarantee import TrimGuarantee, solve_trim
from workbench.core.errors import WorkbenchError
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.project.trim_settings import TrimSettings

EPSILONS = ("1/50", "1/5", "1", "3", "10")
DELTAS = ("1/2", "1/10", "1/1000", "1/100000000")


@pytest.mark.parametrize("rows", [1, 2, 7])
@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_rows_that_are_needed_are_those_of_the_law(epsilon: str, delta: str, rows: int) -> None:
    """Where the chance is ½ in truth, rounding may take it for the next one."""
    law = trim_law(Fraction(epsilon), Fraction(delta), rows)
    needed = rows_needed(float(Fraction(epsilon)), float(Fraction(delta)), rows)
    short = 1 if delta == "1/2" and rows > 1 else 0
    assert needed == (law.half_survive - short, law.always_survive - short)


def test_the_smallest_number_of_a_range_may_be_either_end_or_none() -> None:
    for low, high, root, wanted in (
        (2.0, 2.0, 1.0, 2.0),
        (1.0, 8.0, 0.5, 1.0),
        (1.0, 8.0, 8.0, 8.0),
        (1.0, 8.0, 9.0, None),
    ):
        assert smallest(low, high, lambda at, root=root: at >= root) == wanted
    found = smallest(1e-9, 8.0, lambda at: at >= 3.0)
    assert found is not None and 3.0 <= found <= 3.0 * (1 + 2e-12)
    assert smallest(2.0, 1.0, lambda at: True) is None


def _unit(value: float) -> Fraction:
    return Fraction(10) ** (math.floor(math.log10(value)) - 5)


@pytest.mark.parametrize("floor", [1, 4])
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize(("kind", "group"), [("half_survive", 16), ("half_survive", 60), ("always_survive", 35)])
@pytest.mark.parametrize(("name", "fixed"), [("epsilon", 1e-5), ("epsilon", 1e-9), ("delta", 0.9), ("delta", 2.5)])
def test_the_number_that_is_open_has_six_digits_and_the_next_smaller_one_is_too_small(
    name: str, fixed: float, kind: str, group: int, rows: int, floor: int
) -> None:
    given = {"delta": fixed} if name == "epsilon" else {"epsilon": fixed}
    found = solve_trim(**given, **{kind: group}, rows_per_person=rows, floor=floor)
    value = getattr(found, name)
    assert len(Decimal(repr(float(value))).normalize().as_tuple().digits) <= 6
    assert getattr(found, kind) <= group
    smaller = float(Fraction(str(float(value))) - _unit(float(value)))
    less = TrimGuarantee(**{**given, name: smaller}, rows_per_person=rows, floor=floor)
    assert getattr(less, kind) > group


@pytest.mark.parametrize(
    ("numbers", "field"),
    [
        ((Fraction(11), Fraction(1, 1000), 1), "epsilon"),
        ((Fraction(0), Fraction(1, 1000), 1), "epsilon"),
        ((Fraction(1), Fraction(1), 1), "delta"),
        ((Fraction(1), Fraction(0), 1), "delta"),
        ((Fraction(1), Fraction(1, 1000), 0), "rows_per_person"),
    ],
)
def test_a_law_says_which_number_is_out_of_range(numbers: tuple[Fraction, Fraction, int], field: str) -> None:
    weights = trim_law(Fraction(1), Fraction(1, 1000), 1).weights
    for make in (lambda: TrimLaw(*numbers, weights), lambda: trim_law(*numbers)):
        with pytest.raises(WorkbenchError) as refused:
            make()
        assert refused.value.field == field


def test_groups_and_floors_may_be_as_large_as_a_settings_file_says_and_no_larger() -> None:
    for name in ("group", "floor"):
        assert getattr(TrimSettings(**{name: 10**9}), name) == 10**9
        with pytest.raises(WorkbenchError):
            TrimSettings(**{name: 10**9 + 1})
