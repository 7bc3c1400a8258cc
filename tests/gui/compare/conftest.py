"""The Compare workspace without data, with a table, and with an experiment."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.compare.helpers import Takes, add, experiment
from tests.gui.helpers import OnScreen, idle
from workbench.core.progress import Progress
from workbench.evaluate.remaining_time import RemainingWork
from workbench.gui.document import Document
from workbench.gui.runner import Runner
from workbench.gui.workspaces.compare import CompareWorkspace
from workbench.session.comparison import ComparisonDesk


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """500 people with an age and a town."""
    draw = random.Random(3)
    rows = [f"{draw.randint(20, 80)},{draw.choice(('Bern', 'Bern', 'Basel', 'Chur'))}" for _ in range(500)]
    path = tmp_path_factory.mktemp("compare") / "people.csv"
    path.write_text("age,town\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wait for what nobody types or chooses next here; where it matters a test puts it back."""
    monkeypatch.setattr("workbench.gui.workspaces.compare.renewal._NEXT_MS", 400)


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[Document]:
    runner = Runner()
    made = Document(runner)
    yield made
    runner.shutdown()


@pytest.fixture
def empty(qtbot: QtBot, document: Document, on_screen: OnScreen) -> CompareWorkspace:
    """The room without data."""
    made = on_screen(CompareWorkspace(document), 816)
    idle(qtbot, made)
    return made


@pytest.fixture
def unseen(qtbot: QtBot, empty: CompareWorkspace, table: Path) -> CompareWorkspace:
    """The room with a table and no experiment, and no look at its values."""
    empty.document.open_data(table)
    idle(qtbot, empty)
    return empty


@pytest.fixture
def opened(qtbot: QtBot, unseen: CompareWorkspace) -> CompareWorkspace:
    """The room with a table that was looked at, and no experiment."""
    unseen.document.session.comparison.look()
    return unseen


@pytest.fixture
def workspace(qtbot: QtBot, opened: CompareWorkspace) -> CompareWorkspace:
    """The room with a small experiment that was not run."""
    add(qtbot, opened, experiment())
    return opened


@pytest.fixture
def declared(qtbot: QtBot, unseen: CompareWorkspace, monkeypatch: pytest.MonkeyPatch) -> CompareWorkspace:
    """The first experiment of a table whose bounds are declared, run."""
    unseen.document.apply("bounds", lambda session: session.data.set_bounds("age", (0.0, 100.0)))
    first = replace(unseen.draft.suited(), places=(0.5, 2.0), repetitions=10, users=300)
    monkeypatch.setattr(unseen.draft, "suited", lambda: first)
    unseen.no_experiment.primary.emit()
    idle(qtbot, unseen)
    return unseen


@pytest.fixture
def takes(monkeypatch: pytest.MonkeyPatch) -> Takes:
    """Says how many seconds all of an experiment takes, and the place that is looked at first."""

    def say(whole: float, first: float) -> None:
        def estimator(*_asked: object) -> Callable[[Progress], RemainingWork]:
            return lambda _progress: RemainingWork(6, 6, whole, first)

        monkeypatch.setattr(ComparisonDesk, "estimator", estimator)

    say(60.0, 60.0)
    return say
