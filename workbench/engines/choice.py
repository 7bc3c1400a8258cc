"""The choice of an engine: memory, DuckDB, or a Spark that a connection string names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.engines.budget import LEAST, MemoryBudget
from workbench.engines.spark_connection import LOCAL, Connection
from workbench.engines.store import Store

MEMORY, DUCKDB = "memory", "duckdb"
_SPARK = re.compile(rf"spark://|sc://|local(\[|$)|{LOCAL}$")
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(|[kMGT]i?B?|B)\s*", re.IGNORECASE)
_UNITS = {"": 1 << 20, "b": 1, "k": 10, "m": 20, "g": 30, "t": 40}


@dataclass(frozen=True)
class EngineChoice:
    """An engine as a person names it: `memory`, `duckdb`, `spark://host:port`, `sc://host:port` or `local[2]`.

    Raises
    ------
    WorkbenchError
        If there is no such engine, or a connection string is not understood or holds a password or token.
    """

    name: str = MEMORY

    def __post_init__(self) -> None:
        if self.name in (MEMORY, DUCKDB):
            return
        if not _SPARK.match(self.name):
            raise WorkbenchError(
                f"There is no engine “{self.name}”.",
                hint="Name memory, duckdb, or a Spark: spark://host:7077, sc://host:15002 (Spark Connect), or on this "
                "machine spark-local or local[2].",
                field="engine",
            )
        # Nothing that is not understood to the last character is ever saved with a project.
        Connection.of(self.name)

    @property
    def in_memory(self) -> bool:
        return self.name == MEMORY

    @property
    def spark(self) -> bool:
        """Whether it is a Spark, here or elsewhere."""
        return self.name not in (MEMORY, DUCKDB)

    @property
    def remote(self) -> bool:
        """Whether it is reached over a network: whoever runs it sees the data, and may run programs here."""
        return self.spark and bool(Connection.of(self.name).hosts)

    @property
    def title(self) -> str:
        """Name of the engine as people call it."""
        return {MEMORY: "memory", DUCKDB: "DuckDB"}.get(self.name, f"Spark ({self.name})")

    def start(self, budget: MemoryBudget | None = None, progress: Progress = SILENT) -> Store | None:
        """The engine at work; None for memory, which needs none.

        Raises
        ------
        WorkbenchError
            If its package is not installed, or it cannot be reached.
        Cancelled
            If the progress was cancelled before it answered.
        """
        if self.in_memory:
            return None
        if self.spark:
            from workbench.engines.spark_store import SparkStore

            spark = SparkStore(self.name, budget, progress=progress)
            spark.engine = self.name
            return spark
        from workbench.engines.duckdb_store import DuckStore

        return DuckStore(budget)


def size_of(text: str) -> int:
    """Bytes from a text such as `800MB` or `1.5 GiB`; a number alone counts mebibytes.

    Raises
    ------
    WorkbenchError
        If it is no size of at least 64 MiB.
    """
    found = _SIZE.fullmatch(text)
    size = 0
    if found is not None:
        letter = found[2][:1].lower()
        unit = _UNITS[letter] if letter in ("", "b") else 1 << _UNITS[letter]
        size = int(float(found[1]) * unit)
    if size < LEAST:
        raise WorkbenchError(
            f"“{text}” is no memory budget.", hint="Give a size such as 800MB or 2GB, at least 64MB.", field="memory"
        )
    return size
