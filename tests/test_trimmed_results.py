"""What an analyst is shown of a trimmed release: the rows side by side, what it cost, and attacks on it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.anonymise.questions import ReleaseQuestion, ReleaseStatistic
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.before_and_after import answer, compared_result, summarise, with_spread
from workbench.session.folded import FoldedTable, folded_release, folded_with_rows
from workbench.session.release_cost import cost_of_result

AGES = Hierarchy.from_rows([(str(age), f"{age // 10}0s", ANY) for age in range(20, 60)])
TOWNS = Hierarchy.from_rows([("Bern", "BE", ANY), ("Thun", "BE", ANY), ("Chur", "GR", ANY)])


def opened(folder: Path, **changes: Any) -> Session:
    """A session that trims in two steps with a seed, and has run."""
    towns = ("Bern", "Thun", "Chur", "Oslo")
    lines = (f"{20 + i * i % 40},{towns[i % 4 if i % 50 == 3 else i % 3]}\n" for i in range(900))
    (folder / "people.csv").write_text("age,town\n" + "".join(lines), encoding="utf-8")
    made = Session(new_project())
    made.data.open(folder / "people.csv")
    made.data.attach_hierarchy("age", AGES)
    made.data.attach_hierarchy("town", TOWNS)
    settings = replace(made.project.anonymise.trim, **changes)
    made.release.set_trimming(settings)
    made.release.set_seed(5)
    made.release.anonymise()
    return made


@pytest.fixture(params=["", "step"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Session:
    return opened(tmp_path, step_column=request.param)


def outcome_of(session: Session) -> TrimOutcome:
    result = session.release.result
    assert result is not None and isinstance(result.outcome, TrimOutcome)
    return result.outcome


def test_each_row_stands_beside_what_may_have_become_of_it(session: Session) -> None:
    result, outcome = session.release.result, outcome_of(session)
    assert result is not None
    shown = folded_with_rows(result.table, outcome, "not released")
    assert isinstance(shown, FoldedTable) and shown.behind is not None
    assert sorted(shown.behind.numbers.tolist()) == list(range(result.table.rows))
    assert shown.sizes[: shown.released].sum() == outcome.rows_out < result.table.rows == shown.sizes.sum()
    names = [name for name in shown.lines.names if name in outcome.columns_out]
    labels = [tuple(shown.lines[name].text(line) for name in names) for line in range(len(shown.sizes))]
    plain = Counter(zip(*(outcome.rows_alone[name].texts() for name in names), strict=True))
    # The rows that are shown as released are the released ones, and each is a generalised form of its own row.
    found: Counter[tuple[str, ...]] = Counter()
    for label, size in zip(labels[: shown.released], shown.sizes.tolist(), strict=False):
        found[label] += size
    assert found == plain
    ways = {"age": {row[0]: row for row in AGES.rows()}, "town": {row[0]: row for row in TOWNS.rows()}}
    for line, label in enumerate(labels):
        for row in shown.behind.of(line).tolist():
            for name, text in zip(names, label, strict=True):
                assert text in ways[name].get(result.table[name].text(row), (ANY,))
    sizes = shown.sizes[: shown.released].tolist()
    assert sizes == sorted(sizes, reverse=True)


def test_a_line_says_at_which_steps_it_was_released(session: Session) -> None:
    outcome = outcome_of(session)
    shown = folded_release(outcome)
    assert isinstance(shown, FoldedTable) and shown.sizes.sum() == outcome.rows_out
    if outcome.recipe.step_column:
        assert shown.steps is None and outcome.recipe.step_column in shown.lines
        return
    assert shown.steps is not None and "\nStep 1: " in shown.about_steps
    said = [{int(step) for step in text.split(", ")} for text in shown.steps.texts()]
    for number, rows in enumerate(outcome.rows_of_steps, start=1):
        at = [size for size, steps in zip(shown.sizes.tolist(), said, strict=True) if number in steps]
        assert (sum(at) >= rows) and bool(at) == bool(rows)


def test_what_it_cost_is_told_of_the_columns_of_the_data_alone(session: Session) -> None:
    result = session.release.result
    assert result is not None
    compared = compared_result(result)
    assert compared.names == ("age", "town")
    assert compared.rows_after == result.outcome.rows_out
    assert summarise(compared).rows_after == result.outcome.rows_out
    asked = answer(compared, ReleaseQuestion(ReleaseStatistic.COUNT))
    assert (asked.true, asked.released) == (900, result.outcome.rows_out)
    spread = with_spread(compared, asked, draws=30).spread
    assert spread is not None and 0 < spread.low <= spread.middle <= spread.high <= 900


def test_it_can_be_attacked_through_the_session(session: Session) -> None:
    assert session.attacks.columns == ("age", "town")
    found = session.attacks.linker(["age"])(SILENT)
    outcome = outcome_of(session)
    assert found.after.rows == outcome.rows_out
    assert 0 < found.after.prosecutor.average <= found.before.prosecutor.average
    told = session.attacks.membership_tester(runs=400)(SILENT)
    assert told.bound is None  # with a seed nothing is claimed
    assert 0.5 < told.exact < 0.75
    assert np.isclose(told.right, told.exact, atol=0.08)


def test_one_line_per_group_is_looked_at_row_by_row(tmp_path: Path) -> None:
    session = opened(tmp_path, count_column="rows")
    result, outcome = session.release.result, outcome_of(session)
    assert result is not None and outcome.release.names == ("age", "town", "rows")
    assert compared_result(result).rows_after == outcome.rows_out > outcome.release.rows
    assert session.attacks.linker(["town"])(SILENT).after.rows == outcome.rows_out


def test_rows_in_an_engine_are_shown_by_themselves(tmp_path: Path) -> None:
    session = opened(tmp_path)
    result, outcome = session.release.result, outcome_of(session)
    assert result is not None
    alone = folded_with_rows(result.table, replace(outcome, group_of=None, engine="DuckDB"), "not released")
    assert isinstance(alone, FoldedTable) and alone.behind is None and "DuckDB" in alone.note
    assert alone.sizes.sum() == outcome.rows_out


def test_the_analyst_report_shows_what_each_column_lost(session: Session) -> None:
    result = session.release.result
    assert result is not None
    lost = cost_of_result(result).losses
    assert lost is not None and set(lost.names) == {"age", "town"}
    assert all(0 < value < 1 for value in lost.values) and min(lost.values) <= lost.overall <= max(lost.values)
