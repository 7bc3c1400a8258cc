"""Fixtures for tests of where levels come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.levels.helpers import ROWS, drawing
from workbench.session import Session


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    lines = [f"P{i:04},{20 + i % 40},{('Bern', 'Basel', 'Chur')[0 if i % 50 else 2]}" for i in range(ROWS)]
    path.write_text("person,age,city\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def session(data: Path) -> Session:
    return drawing(data)
