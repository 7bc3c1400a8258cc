"""The Anonymise room with a table of people, for k-anonymity and its relatives."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, OnScreen, idle
from tests.gui.syntactic.helpers import AGES, CITIES, ROWS
from workbench.anonymise.privacy import ModelChoice
from workbench.core.schema import Role
from workbench.gui.document import Document
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.syntactic import SyntacticRoom
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session import Session


@pytest.fixture
def document(qtbot: QtBot, document: Document, tmp_path: Path) -> Document:
    """Ages 20 to 59, 15 rows of each; five rows of Chur at 20 and at 40; three illnesses."""
    path = tmp_path / "people.csv"
    lines = [
        f"P{i:03},{20 + i % 40},{'Chur' if i % 60 == 0 else 'Bern'},{('flu', 'cold', 'gout')[i % 3]}"
        for i in range(ROWS)
    ]
    path.write_text("person,age,city,illness\n" + "\n".join(lines) + "\n", encoding="utf-8")
    document.open_data(path)
    qtbot.waitUntil(lambda: not document.runner.jobs, timeout=PATIENCE_MS)
    return document


@pytest.fixture
def workspace(document: Document, on_screen: OnScreen, request: pytest.FixtureRequest) -> AnonymiseWorkspace:
    """The Anonymise room; where `room` is asked for too, it is made when all that is chosen there is."""

    def prepare(session: Session) -> None:
        session.data.attach_hierarchy("age", AGES)
        session.data.attach_hierarchy("city", CITIES)
        session.release.columns.set_level("city", 0)
        session.data.set_role(["illness"], Role.SENSITIVE)
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 12})])
        session.syntactic.set_suppression_limit(0.0)
        session.syntactic.set_approach(AnonymityKind.SYNTACTIC)

    if "room" in request.fixturenames:
        assert document.apply("prepare", prepare)
        document.undo_stack.clear()
    return on_screen(AnonymiseWorkspace(document))


@pytest.fixture
def room(qtbot: QtBot, workspace: AnonymiseWorkspace) -> SyntacticRoom:
    """The syntactic room with hierarchies for age and city, k = 12, and nothing suppressed."""
    idle(qtbot, workspace)
    return workspace.syntactic
