"""A file of people, and a session in which it was looked at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.session import Session


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    path = tmp_path / "people.csv"
    rows = [f"{age},{rng.choice(['red', 'blue', 'green'])}" for age in rng.integers(18, 90, 600)]
    path.write_text("age,colour\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture
def session(file: Path) -> Session:
    made = Session()
    made.data.open(file)
    made.comparison.look()
    return made
