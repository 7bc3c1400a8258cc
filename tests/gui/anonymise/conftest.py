"""The Anonymise workspace without data, and with a table of people that is ready to be run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.anonymise.helpers import ROWS
from tests.gui.helpers import Anonymising, OnScreen
from workbench.core.hierarchy import Hierarchy
from workbench.gui.document import Document
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.session import Session

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen) -> AnonymiseWorkspace:
    return on_screen(AnonymiseWorkspace(document))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    lines = [f"P{i:04},{20 + i % 40},{('Bern', 'Basel', 'Chur')[0 if i % 50 else 2]}" for i in range(ROWS)]
    path.write_text("person,age,city\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def ready(anonymising: Anonymising, data: Path) -> AnonymiseWorkspace:
    """The workspace with data, and hierarchies for age and city at level 1 and 0."""

    def prepare(session: Session) -> None:
        session.data.attach_hierarchy("age", AGES)
        session.data.attach_hierarchy("city", CITIES)
        session.release.columns.set_level("city", 0)

    return anonymising(data, prepare)
