"""That little of a table came out, from what was released and the settings alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import PrivacyUnit
from workbench.core.trim_law import trim_law
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.result import Result
from workbench.session.release.shortfall import given_up
from workbench.session.release.shortfall import shortfall as parts
from workbench.session.release.steps import LevelSource

CITIES = Hierarchy.from_rows([(f"C{i}", "*") for i in range(30)])


def shortfall(result: Result, expected: int | None, least: float = 1) -> str:
    return " ".join(filter(None, parts(result, expected, least)))


def drawn(folder: Path, sizes: list[int], expected: int | None = None) -> Result:
    """A release with a seed of a table of so many people in each city."""
    folder.mkdir()
    rows = [f"C{place}" for place, size in enumerate(sizes) for _ in range(size)]
    (folder / "people.csv").write_text("city\n" + "\n".join(rows) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "people.csv")
    session.data.attach_hierarchy("city", CITIES)
    session.release.steps.set_source(LevelSource.HAND)
    session.release.columns.set_level("city", 0)
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=expected))
    session.release.set_seed(3)
    session.release.anonymise(SILENT)
    assert session.release.result is not None
    return session.release.result


def test_much_is_missing_where_groups_are_small_and_little_where_they_are_large(tmp_path: Path) -> None:
    small, large = drawn(tmp_path / "small", [26] * 20), drawn(tmp_path / "large", [900] * 4)
    assert isinstance(small.outcome, TrimOutcome) and isinstance(large.outcome, TrimOutcome)
    recipe = small.outcome.recipe
    mean = trim_law(recipe.steps[0].epsilon, recipe.steps[0].delta, recipe.rows_per_person).mean_lost
    released = len(small.outcome.released_sizes)
    assert given_up(small.outcome) == pytest.approx(released * mean)
    words = shortfall(small, None)
    assert words.startswith("Much of the table is missing: ") and "another draw, whose ε is added" in words
    assert "expected" not in words, "nobody is advised to type another number than the one they know"
    assert not shortfall(large, None)


def test_the_rows_that_were_expected_are_named_beside_those_that_came_out(tmp_path: Path) -> None:
    large = drawn(tmp_path / "large", [900] * 4, 100_000)
    rows = large.outcome.rows_out
    assert shortfall(large, 100_000).startswith(f"Only {rows:,} of the 100,000 people that you expect came out, or")
    assert not shortfall(large, rows) and not shortfall(large, 3_600)
    assert "Fewer rows per person" not in shortfall(large, 100_000), "nobody has more than one"
    assert shortfall(large, rows - 1).startswith(
        f"{rows:,} rows came out, so there are more than the {rows - 1:,} people"
    )
    foretold = rows / 100_000
    assert not shortfall(large, 100_000, foretold), "what keeps to the forecast is no news"
    assert shortfall(large, 100_000, foretold + 0.001).startswith("Only "), "it would have been more"
    assert shortfall(large, rows - 1, 0.1).startswith(f"{rows:,} rows came out"), "more than anybody foretold"
    assert "Type no other number" in shortfall(large, 10) and "Fewer columns" not in shortfall(large, 10)
    assert isinstance(large.outcome, TrimOutcome)
    several = replace(large.outcome, recipe=replace(large.outcome.recipe, rows_per_person=5))
    assert "Fewer rows per person, fewer columns, " in shortfall(replace(large, outcome=several), 100_000)
    more = replace(large.schema, unit=PrivacyUnit(3, large.schema.names[0]))
    assert "of the 100,000 rows that you expect" in shortfall(replace(large, schema=more), 100_000)


def test_of_two_tables_that_are_released_alike_the_same_is_said(tmp_path: Path) -> None:
    """A person more whose group is not in the file, and one more in a group that gives up one more."""
    one, other = drawn(tmp_path / "one", [60] * 8), drawn(tmp_path / "other", [60] * 8 + [1])
    assert one.outcome.rows_in != other.outcome.rows_in
    sizes = one.outcome.released_sizes.tolist()
    same = [result for result in (one, other) if result.outcome.released_sizes.tolist() == sizes]
    assert len({shortfall(result, None) for result in same}) == 1
    assert isinstance(one.outcome, TrimOutcome)
    step = one.outcome.steps[0]
    more = replace(one.outcome, steps=(replace(step, counts=step.counts + 1),), rows_in=one.outcome.rows_in + 8)
    assert shortfall(replace(one, outcome=more), None) == shortfall(one, None), "true counts are not read"
