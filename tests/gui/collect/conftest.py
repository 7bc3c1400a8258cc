"""The Collect workspace with a table of people."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import JOBS
from tests.gui.helpers import OnScreen, idle
from workbench.gui.document import Document
from workbench.gui.workspaces.collect import CollectWorkspace


@pytest.fixture
def room(qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path) -> CollectWorkspace:
    """The workspace with 1,200 rows of 400 persons."""
    path = tmp_path / "people.csv"
    rng = np.random.default_rng(3)
    ages, jobs = rng.integers(20, 60, 1200), rng.choice(4, 1200, p=(0.5, 0.25, 0.15, 0.1))
    lines = [f"P{i % 400:04},{age},{JOBS[job]}" for i, (age, job) in enumerate(zip(ages, jobs, strict=True))]
    path.write_text("person,age,job\n" + "\n".join(lines) + "\n", encoding="utf-8")
    made = on_screen(CollectWorkspace(document), 800)
    document.open_data(path)
    idle(qtbot, made)
    document.session.collection.look()
    return made
