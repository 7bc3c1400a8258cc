"""What tests of ledgers share."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.query.ledger import Ledger


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A ledger of nothing yet."""
    return Ledger(tmp_path / "data.ledger.jsonl", "rows1-x")
