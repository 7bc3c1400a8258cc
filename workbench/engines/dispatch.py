"""The choice of the engine for a table: the only place that tells tables in memory from those in a store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from workbench.core.table import Table
from workbench.engines.memory_engine import MemoryEngine
from workbench.engines.row_engine import RowEngine
from workbench.engines.store_engine import StoreEngine

_ENGINES: Mapping[str, Callable[[Any], RowEngine]] = MappingProxyType({"": MemoryEngine})
"""By what `Table.engine` says; every other name is that of a store."""


def engine_of(table: Table) -> RowEngine:
    """The engine that has the rows of a table."""
    return _ENGINES.get(table.engine, StoreEngine)(table)
