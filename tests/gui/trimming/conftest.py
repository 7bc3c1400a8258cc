"""The Anonymise workspace with a trimmed release."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.helpers import Anonymising, idle
from tests.gui.trimming.helpers import AGES, CITIES, DEGREES
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.project.trim_settings import StepsBy
from workbench.session import Session


@pytest.fixture
def room(qtbot: QtBot, anonymising: Anonymising, tmp_path: Path) -> AnonymiseWorkspace:
    """The workspace with 4,000 people, and hierarchies for age and city."""
    path = tmp_path / "people.csv"
    lines = [f"P{i:04},{20 + i % 40},{('Bern', 'Basel', 'Chur')[i % 3]}" for i in range(4_000)]
    path.write_text("person,age,city\n" + "\n".join(lines) + "\n", encoding="utf-8")

    def prepare(session: Session) -> None:
        for name, hierarchy in (("age", AGES), ("city", CITIES)):
            session.data.attach_hierarchy(name, hierarchy)
            session.release.columns.set_level(name, 0)
        trim = session.project.anonymise.trim
        session.release.set_trimming(replace(trim, steps=StepsBy.DEGREES, degrees=DEGREES))

    made = anonymising(path, prepare)
    made.promise.details.set_open(True)
    made.levels.steps_details.set_open(True)
    idle(qtbot, made)
    return made
