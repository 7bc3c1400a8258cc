"""The part of the DuckDB store that files are read through."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from workbench.engines.store import Store


class DuckRelations(Store):
    """A store to which rows can be added as they are read."""

    @abstractmethod
    def append(self, relation: str, rows: Any) -> None:
        """Add the rows of an Arrow table to a relation."""
