"""A refusal that follows from how many rows or groups an engine has costs nothing, so it is recorded as a look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.recipe import Treatment
from workbench.anonymise.trim_recipe import ReleaseMechanism
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.engines.budget import BeyondMemory, MemoryBudget
from workbench.engines.duckdb_store import DuckStore
from workbench.query.catalogue import NoiseSource, QueryDraft
from workbench.session import Session

AGES = {"column": "age", "lower": "0", "upper": "100", "bins": "5"}
RECORDED = "That is recorded as a look at the data."


@pytest.fixture
def store() -> Iterator[DuckStore]:
    """An engine that may bring hardly anything into memory."""
    with DuckStore(MemoryBudget()) as made:
        made.budget.limit = 1 << 10
        yield made


@pytest.fixture
def session(store: DuckStore, tmp_path: Path) -> Session:
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["age,code", *(f"{20 + n % 50},c{n % 97}" for n in range(500))]) + "\n")
    made = Session()
    made.data.open(path, store=store)
    made.data.set_bounds("age", (0.0, 100.0))
    return made


def test_a_question_that_needs_more_rows_than_there_is_room_for(session: Session) -> None:
    with pytest.raises(BeyondMemory) as refused:
        session.queries.ask(QueryDraft("histogram", "0.5", AGES, noise=NoiseSource.DIFFPRIVLIB))
    assert RECORDED in str(refused.value) and session.looks.taken
    assert not session.ledger.current.entries


def test_a_batch_of_such_questions(session: Session) -> None:
    asked = QueryDraft("histogram", "0.5", AGES, noise=NoiseSource.DIFFPRIVLIB)
    with pytest.raises(BeyondMemory, match=RECORDED):
        session.queries.batch_asker([asked, replace(asked, where="age > 30")], "1")(SILENT)
    assert session.looks.taken and not session.ledger.current.entries


@pytest.mark.parametrize("seed", [None, 1])
def test_a_draw_of_more_groups_than_there_is_room_for(session: Session, seed: int | None) -> None:
    session.data.set_role(["age", "code"], Role.QUASI)
    session.state.change_anonymise(
        mechanism=ReleaseMechanism.TRIM,
        treatments=dict.fromkeys(("age", "code"), Treatment.GENERALISE),
        levels=dict.fromkeys(("age", "code"), 0),
        seed=seed,
    )
    with pytest.raises(BeyondMemory) as refused:
        session.release.anonymise()
    assert RECORDED in str(refused.value) and "4" not in refused.value.message  # of how many groups it says nothing
    assert session.looks.taken and not session.ledger.current.entries


def test_a_question_that_the_engine_counts_is_no_look(session: Session) -> None:
    session.queries.ask(QueryDraft("histogram", "0.5", AGES))
    assert not session.looks.taken and len(session.ledger.current.entries) == 1
