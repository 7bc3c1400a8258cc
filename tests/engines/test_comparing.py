"""Experiments on data in an engine: with room for the rows as in memory, and otherwise a word about the room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from workbench.core.progress import SILENT
from workbench.engines.budget import BeyondMemory
from workbench.engines.duckdb_store import DuckStore
from workbench.evaluate.cell import ExperimentCell
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.session import Session

EXPERIMENT = Experiment(
    question=Question(Statistic.HISTOGRAM, "age", EncodingChoice(how=EncodingKind.BINS, bins=8, bounds=(0.0, 100.0))),
    metric=metrics_for(Statistic.HISTOGRAM)[0],
    methods=tuple(map(MethodChoice.parse, ("global-grid", "oue", "uniform"))),
    places=(0.5, 2.0),
    repetitions=8,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    ages = np.random.default_rng(3).integers(18, 90, 600)
    path = tmp_path / "people.csv"
    path.write_text("age\n" + "\n".join(map(str, ages)) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def store() -> Iterator[DuckStore]:
    """An engine of this test's own, because its budget is changed."""
    with DuckStore() as made:
        yield made


def test_an_experiment_finds_the_same_as_in_memory(file: Path, store: DuckStore) -> None:
    here, there = Session(), Session()
    here.data.open(file)
    there.data.open(file, store=store)
    for session in (here, there):
        session.comparison.look()
    assert there.comparison.runner(EXPERIMENT)(SILENT) == here.comparison.runner(EXPERIMENT)(SILENT)


def test_without_room_the_person_is_told(file: Path, store: DuckStore) -> None:
    session = Session()
    session.data.open(file, store=store)
    session.comparison.look()
    store.budget.limit = 100
    with pytest.raises(BeyondMemory, match="“age” of all 600 rows, of which samples are drawn") as refused:
        session.comparison.runner(EXPERIMENT)(SILENT)
    assert "DuckDB" in refused.value.message and "Raise the memory budget" in refused.value.hint


@pytest.mark.parametrize("where", ["answerer", "block"])
def test_that_a_method_had_no_room_is_not_remembered(
    file: Path, store: DuckStore, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    session = Session()
    session.data.open(file, store=store)
    desk = session.comparison
    desk.look()

    def beyond(*_: object) -> None:
        store.budget.check(store.budget.limit + 1, "the rows", store.title)

    with monkeypatch.context() as patched:
        patched.setattr(ExperimentCell, where, beyond)
        with pytest.raises(BeyondMemory, match="This needs the rows in memory"):
            desk.runner(EXPERIMENT)(SILENT)
    memory = Session()
    memory.data.open(file)
    memory.comparison.look()
    assert desk.runner(EXPERIMENT)(SILENT) == memory.comparison.runner(EXPERIMENT)(SILENT)
