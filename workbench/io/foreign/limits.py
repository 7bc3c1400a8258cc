"""Limits of the memory of the process that reads a file.

The rule is 2 GiB or eight times the packed size, whichever is less, above what the interpreter and the reader take with
no file at all. Two things are added, without which honest files could not be opened: never less than 512 MiB, because
a reader's buffers do not shrink with the file, and for workbooks 160 bytes for each cell that really stands in the
sheet, because their cells pack to about 5 bytes and take 90 in the reader. Empty places between cells give no room.
"""

from __future__ import annotations

import sys

GIB = 1 << 30
MOST = 2 * GIB
LEAST = GIB // 2
TIMES_PACKED = 8
BYTES_PER_CELL = 160
"""Of a cell with a short text, while its sheet is read."""
BYTES_PER_PLACE = 32
"""Of every place of the rectangle around all cells, empty or not."""


def allowance(packed: int, cells: int = 0) -> int:
    """Bytes that reading a file of this size, with so many cells in the sheet, may take."""
    return min(MOST, max(LEAST, TIMES_PACKED * packed, BYTES_PER_CELL * cells))


class MemoryAllowance:
    """The memory of this process, as the system limits it where it can: on Linux, not on Windows or macOS.

    Made when everything is imported that is needed.
    """

    def __init__(self) -> None:
        self._base = _in_use()

    @property
    def limited(self) -> bool:
        """Whether the system keeps the limit."""
        return self._base is not None

    def limit(self, extra: int) -> None:
        """Allow so many bytes beyond what was in use at first, and no core file after a crash."""
        if self._base is None:
            return
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = self._base + extra
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _in_use() -> int | None:
    """Bytes of addresses this process has; None where the system does not tell, or does not limit them."""
    if sys.platform != "linux":
        return None
    try:
        import resource

        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123  as few imports as can be
            return int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ImportError, ValueError):
        return None
