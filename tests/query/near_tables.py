"""Tables of which one has a row less than another, and of which something was released."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.anonymise.recipe import Treatment
from workbench.cli.main import main
from workbench.project.model import GuaranteeSettings
from workbench.query.ledger import Charge
from workbench.query.ledger_file import ledgers_folder
from workbench.session import Session

HALF = Fraction(1, 2)
LINES = [f"{20 + i % 40},{'ABC'[i % 3]},{i * 37 % 1000}" for i in range(3000)]


def written(path: Path, lines: list[str], heading: str = "age,city,pay") -> Path:
    path.write_text("\n".join([heading, *lines]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return written(tmp_path / "people.csv", LINES)


@pytest.fixture
def next_month(tmp_path: Path) -> Path:
    return written(tmp_path / "next.csv", LINES[1:])


@pytest.fixture
def others(tmp_path: Path) -> Path:
    lines = [f"{20 + i % 40},{'CAB'[i % 3]},{i * 41 % 997 + 2000}" for i in range(3000)]
    return written(tmp_path / "others.csv", lines)


def opened(file: Path) -> Session:
    session = Session()
    session.data.open(file)
    session.release.columns.set_treatment("city", Treatment.GENERALISE)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-6))
    return session


def released(file: Path) -> Session:
    """A session that has spent a half."""
    session = opened(file)
    session.ledger.current.charge(Charge("query", "x", HALF))
    return session


def sketches() -> Path:
    return ledgers_folder() / "sketches"


def asserted(session: Session) -> str:
    (said,) = [one for one in session.release.claim().asserted if one.startswith("No other draw or release")]
    return said


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[dict, str]]:
    def run(*words: object, code: int = 0) -> tuple[dict, str]:
        found = main([*map(str, words), "--json"])
        out, err = capsys.readouterr()
        assert found == code, err
        return (json.loads(out) if code == 0 else {}), err

    return run
