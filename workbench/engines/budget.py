"""The memory budget for data in an engine, and the error where it does not suffice."""

from __future__ import annotations

import os
from pathlib import Path

from workbench.core.errors import WorkbenchError

DEFAULT = 1 << 30
"""Bytes, unless the machine has little memory or the person chose another number."""

LEAST = 64 << 20
"""Bytes with which something can still be done."""


class BeyondMemory(WorkbenchError):
    """A request that needs more rows in memory than may be brought there."""


class MemoryBudget:
    """Bytes of memory that may hold rows of data. One object for all data that is open."""

    def __init__(self, limit: int | None = None) -> None:
        self.limit = usual_limit() if limit is None else limit

    def check(self, wanted: int, what: str, where: str) -> None:
        """Refuse to bring `wanted` bytes into memory if they are more than there may be.

        Raises
        ------
        BeyondMemory
            That says what would have been brought, and from where.
        """
        if wanted > self.limit:
            raise BeyondMemory(
                f"This needs {what} in memory: {in_words(wanted)}, and {in_words(self.limit)} may be used. The data is "
                f"in {where}, where releases, searches, questions and collections are computed without that.",
                hint="Raise the memory budget, or let fewer rows take part with a filter or a research sample.",
                field="memory",
            )


def usual_limit() -> int:
    """A quarter of the machine's memory, but not more than `DEFAULT`."""
    whole = memory_of_machine()
    return DEFAULT if whole is None else min(DEFAULT, whole // 4)


def memory_of_machine() -> int | None:
    """Bytes of memory there are; None where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def memory_in_use() -> int | None:
    """Bytes of memory this process holds now; None where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError, IndexError):
        return None


def in_words(size: int) -> str:
    """A number of bytes as people write it."""
    if 0 < size < 1e6 / 2:
        return f"{max(round(size / 1e3), 1):,} kB"
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{max(size, 0) / 1e6:,.0f} MB"
