"""What is recommended from a public shape errs least on true values: two columns, small and seeded.

All twelve are in `tests/benchmarks/bench_verdicts.py`, to be run on demand.
"""

from __future__ import annotations

import pytest

from tests.benchmarks.bench_verdicts import HELD_OUT, SEEN, NamedColumn, judged, material_of


@pytest.mark.parametrize("asked", [SEEN[1], SEEN[4]], ids=lambda one: one.name)
def test_the_recommended_way_errs_least_or_as_little_as_the_best(asked: NamedColumn) -> None:
    material, question = material_of(asked)
    found = judged(material, question, 1.0, repetitions=30)
    assert found.right and set(found.errors) == {"global", "anonymised", "local", "guess"}
    assert found.said.recommended is not None


def test_twelve_columns_are_named_of_which_four_were_not_looked_at() -> None:
    names = [(one.name, one.rows) for one in (*SEEN, *HELD_OUT)]
    assert len(set(names)) == 12 and len(HELD_OUT) == 4
