"""What a person is promised in all, and the numbers that are offered to be typed again."""

from __future__ import annotations

import pytest

from workbench.anonymise.promise import Promise, safe_to_type
from workbench.anonymise.sample_guarantee import guarantee


@pytest.mark.parametrize("value", [0.63212055882, 0.123456789, 1e-9, 9.99999e-7, 0.99999])
def test_what_is_offered_to_be_typed_promises_no_more(value: float) -> None:
    assert safe_to_type("beta", value) <= value <= safe_to_type("epsilon", value)
    assert value <= safe_to_type("delta", value) < 1
    assert safe_to_type("delta", 0.999999) < 1
    assert safe_to_type("k", 20.0) == 20.0


def test_what_is_offered_to_be_typed_has_four_digits() -> None:
    offered = {name: safe_to_type(name, 0.123456789) for name in ("epsilon", "delta", "beta")}
    assert offered == {"epsilon": 0.1235, "delta": 0.1235, "beta": 0.1234}
    # Only a δ is left as it is where it would become 1.
    assert safe_to_type("epsilon", 0.999999) == 1


def test_what_is_promised_names_the_rows_of_a_person() -> None:
    one, three = (Promise(guarantee(epsilon=1.0, beta=0.3, k=20, rows_per_person=rows)) for rows in (1, 3))
    assert "one person’s row," in one.meaning[1]
    assert "one person’s 3 rows," in three.meaning[1]
    assert "e^ε ≈ 2.718," in three.meaning[1] and "k ÷ β" in three.meaning[0]
