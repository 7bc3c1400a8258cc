"""Ways to mend a list whose intervals do not hold their numbers."""

from __future__ import annotations

from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.interval_repair import corrected_intervals
from workbench.core.schema import ColumnSpec, Kind
from workbench.session.interval_repairs import interval_repairs

AGE = ColumnSpec("age", Kind.INTEGER)


def _slipped(numbers: list[int]) -> Hierarchy:
    rows = ((str(n), f"{(n - 1) // 5 * 5}-{(n - 1) // 5 * 5 + 4}", "*") for n in numbers)
    return Hierarchy.from_rows(rows, provenance=Provenance.PUBLIC, origin="bands of a census")


def test_labels_that_would_pass_for_made_from_the_data_are_not_offered() -> None:
    """They would be the smallest and largest of numbers with gaps, so that what was said of the list were lost."""
    gaps = _slipped([5 * group + one for group in range(6) for one in (1 + group % 2, 2 + group % 2, 5)])
    assert corrected_intervals(gaps) is not None
    found = interval_repairs(gaps, AGE)
    assert found.wrong and found.corrected is None and not found.corrected_words and found.rule_words
    whole = interval_repairs(_slipped(list(range(1, 31))), AGE)
    assert whole.corrected is not None and whole.corrected.provenance is Provenance.PUBLIC
