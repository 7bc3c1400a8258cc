"""A file of people whose answers are collected, and a session with it."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from workbench.core.schema import PrivacyUnit
from workbench.session import Session
from workbench.session.collection.answered import Answered

JOBS = ("clerk", "cook", "nurse", "pilot")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two hundred people with ten rows each: a name, a job, an age, a day."""
    generator = np.random.default_rng(1)
    path = tmp_path / "people.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["name", "job", "age", "day"])
        for row in range(2000):
            job = JOBS[int(generator.choice(4, p=[0.5, 0.3, 0.15, 0.05]))]
            day = np.datetime64("2024-01-01") + int(generator.integers(0, 366))
            writer.writerow([f"p{row % 200:03}", job, int(np.clip(generator.normal(40, 12), 18, 90)), day])
    return path


@pytest.fixture
def session(file: Path) -> Session:
    session = Session()
    session.data.open(file)
    session.data.set_domain("job", JOBS)
    session.data.set_bounds("age", (0.0, 100.0))
    session.data.set_unit(PrivacyUnit(1, ""))
    session.collection.change(column="job")
    session.collection.look()
    return session


def in_all(answer: Answered) -> str:
    """All that a card says of an answer, also where it is pointed at."""
    return " ".join(filter(None, (answer.measure, answer.detail, answer.behind)))
