"""Tables of the syntactic models made in an engine: the same rows as in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.searching import (
    ALIKE,
    MODELS,
    QUICK,
    Case,
    cases,
    chosen,
    marginals,
    numbers,
    rows_of,
    small_budget,
    stored,
    table_of,
)
from workbench.anonymise.goal import Goal
from workbench.anonymise.recode import Anonymised, Suppressed, apply
from workbench.core.canonical import natural_key
from workbench.core.errors import WorkbenchError
from workbench.core.table import Column, Table
from workbench.engines import opening
from workbench.engines.budget import BeyondMemory
from workbench.engines.dispatch import engine_of
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.store import Store
from workbench.engines.stored import StoredTable
from workbench.session.syntactic.question import SyntacticQuestion


def check_same_table(
    store: Store,
    folder: Path,
    case: Case,
    levels: dict[str, int],
    models: Sequence[str],
    limit: float,
    mark: Suppressed,
) -> None:
    there = stored(store, folder, case.table)
    made: list[Anonymised | str] = []
    for table in (case.table, there):
        try:
            made.append(
                engine_of(table).recode(
                    case.hierarchies,
                    levels,
                    Goal(chosen(models), suppression_limit=limit, sensitive_hierarchies={"disease": ALIKE}),
                    keep=("mark",),
                    on_suppressed=mark,
                )
            )
        except WorkbenchError as error:
            made.append(str(error))
    one, two = made
    if isinstance(one, str) or isinstance(two, str):
        assert one == two
        return
    assert isinstance(two.table, StoredTable)
    assert not isinstance(one.table, StoredTable)
    assert two.table.names == one.table.names
    assert rows_of(two.table) == rows_of(one.table)
    assert rows_of(two.released()) == rows_of(one.released())
    assert marginals(two.table) == marginals(one.table)
    assert marginals(two.released()) == marginals(one.released())
    assert rows_of(two.leaving(tuple(case.hierarchies))) == rows_of(one.leaving(tuple(case.hierarchies)))
    assert two.class_sizes.tolist() == one.class_sizes.tolist()
    assert two.population.tolist() == one.population.tolist()
    assert (two.suppressed, two.rows_in) == (one.suppressed, one.rows_in)
    assert two.table.rows == len(rows_of(two.table))
    for name in two.table.names:
        assert two.released_column(name).counts.sum() == one.released_column(name).counts.sum()


@QUICK
@given(data=st.data(), case=cases(), models=st.sampled_from(MODELS), limit=st.sampled_from((0.3, 1.0)))
def test_a_table_of_the_engine_holds_the_same_rows(
    duckdb_store: Store, tmp_path: Path, data: st.DataObject, case: Case, models: Sequence[str], limit: float
) -> None:
    levels = {name: data.draw(st.integers(0, hierarchy.height)) for name, hierarchy in case.hierarchies.items()}
    mark = data.draw(st.sampled_from(Suppressed))
    check_same_table(duckdb_store, tmp_path, case, levels, models, limit, mark)


@pytest.mark.parametrize("mark", Suppressed)
def test_a_column_whose_values_are_not_listed_is_released_as_it_is(
    duckdb_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: Suppressed
) -> None:
    case = numbers()
    names = Column.from_texts("name", [f"'{number}\\" for number in range(case.table.rows)])
    table = Table((*case.table.columns, names))
    monkeypatch.setattr(opening, "MOST_VALUES", 50)
    there = stored(duckdb_store, tmp_path, table)
    assert not there.lists("name")
    levels = {"q0": 2, "q1": 1, "q2": 1}
    given = {"keep": ("name",), "on_suppressed": mark}
    one = apply(table, case.hierarchies, levels, Goal(chosen(["k=3"]), suppression_limit=1.0), **given)
    two = engine_of(there).recode(case.hierarchies, levels, Goal(chosen(["k=3"]), suppression_limit=1.0), **given)
    assert one.suppressed
    assert rows_of(two.table) == rows_of(one.table)
    assert rows_of(two.released()) == rows_of(one.released())
    assert Counter(rows_of(two.leaving(levels))) == Counter(rows_of(one.leaving(levels)))


def test_what_leaves_is_in_an_order_of_its_labels(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    levels = {"q0": 2, "q1": 2, "q2": 1}
    made = engine_of(there).recode(
        case.hierarchies, levels, Goal(chosen(["k=2"]), suppression_limit=1.0), keep=("mark", "disease")
    )
    leaving, kept = made.leaving(tuple(levels)), rows_of(made.released())
    assert Counter(rows_of(leaving)) == Counter(kept)
    assert rows_of(leaving) != kept
    names = leaving.names
    ranked = [names.index(name) for name in sorted(names, key=lambda name: name not in levels)]
    keys = [[natural_key(row[place]) for place in ranked] for row in rows_of(leaving)]
    assert keys == sorted(keys)
    assert all(leaving[name].values == tuple(sorted(set(leaving[name].texts()), key=natural_key)) for name in names)


def test_a_table_is_refused_if_the_engine_gives_other_rows_than_it_counted(
    duckdb_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    honest = DuckStore.derive

    def twice(self: DuckStore, *given: Any, **named: Any) -> str:
        made = honest(self, *given, **named)
        return self.keep(f"SELECT * FROM {made} UNION ALL SELECT * FROM {made}")

    monkeypatch.setattr(DuckStore, "derive", twice)
    with pytest.raises(WorkbenchError, match="Nothing is released"):
        engine_of(there).recode(case.hierarchies, case.top, Goal(chosen(["k=2"]), suppression_limit=1.0))


def test_what_became_of_each_row_is_not_told(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    made = engine_of(stored(duckdb_store, tmp_path, case.table)).recode(
        case.hierarchies, case.top, Goal(chosen(["k=2"]), suppression_limit=0.0)
    )
    for ask in (lambda: made.rows, lambda: made.kept, lambda: made.class_ids):
        with pytest.raises(WorkbenchError, match="each row is not kept"):
            ask()


def test_local_recoding_brings_the_rows_if_they_fit(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    question = SyntacticQuestion(
        tuple(chosen(["k=5", "l-diversity=2:disease"])), suppression_limit=0.1, local_recoding=True
    )
    levels = {"q0": 1, "q1": 1, "q2": 0}
    one = question.recode(case.table, case.hierarchies, levels, ("mark",))
    two = question.recode(there, case.hierarchies, levels, ("mark",))
    assert rows_of(two.table) == rows_of(one.table)
    assert two.local is not None and one.local is not None
    assert two.local == one.local
    assert two.local.pass_of is not None and one.local.pass_of is not None
    assert two.local.pass_of.tolist() == one.local.pass_of.tolist()
    fresh = stored(duckdb_store, tmp_path, case.table)
    with small_budget(duckdb_store, 4), pytest.raises(BeyondMemory, match=r"q0.*all 300 rows"):
        question.recode(fresh, case.hierarchies, levels, ("mark",))
    assert engine_of(case.table).bring(("q0",)) is case.table


def test_rows_that_are_to_be_released_are_a_table_of_their_own(duckdb_store: Store, tmp_path: Path) -> None:
    case = numbers()
    there = stored(duckdb_store, tmp_path, case.table)
    models = chosen(["k-map=3:mark=yes"])
    wanted = [row for row in rows_of(case.table) if row[-1] == "yes"]
    part = engine_of(there).rows_to_release(models)
    assert rows_of(part) == wanted
    assert marginals(part) == marginals(table_of(case.table.names, wanted))
    assert engine_of(there).rows_to_release(chosen(["k=2"])) is there
    assert engine_of(case.table).rows_to_release(models) is case.table
