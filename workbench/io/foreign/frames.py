"""Frames of the process that reads a file to the one that asked: a letter, a length, and that many bytes.

Nothing is pickled, so nothing that a hostile file may have made of its reader can be carried out by who listens.
"""

from __future__ import annotations

import faulthandler
import json
import struct
from typing import Any, BinaryIO

from workbench.core.errors import WorkbenchError

INFO = b"i"
"""Facts that are known before any row: a JSON object."""
WORK = b"w"
"""That work goes on; how many cells come at once, as a JSON object."""
ROWS = b"r"
"""Rows of cells: a JSON list of lists of texts."""
COLUMN = b"c"
"""A piece of one column: the numbers of its values, and the values."""
NOTES = b"n"
"""Facts about columns that are known after the rows, and which rows could not be read: a JSON object."""
BYTES = b"b"
"""How far the file was read, as a float, and what it unpacks to."""
FAILED = b"f"
"""Why it cannot be read: a JSON object."""
END = b"e"
"""That there is no more."""

MOST = 1 << 26
"""Bytes in a frame."""

SECONDS_PER_CELL = 1e-5
"""How much longer it may take until something is said while a reader takes that many cells in at once."""

HEAD = struct.Struct("<cI")
FRACTION = struct.Struct("<d")
LENGTHS = struct.Struct("<II")
"""Of a piece of a column: its rows, and the bytes of its values, which stand before the numbers."""


class FrameWriter:
    """The writer that frames go to.

    Parameters
    ----------
    patience
        Seconds after which this process ends itself when there was nothing to say, in case nobody is there to end it.
    """

    def __init__(self, stream: BinaryIO, patience: float) -> None:
        self._stream = stream
        self._patience = patience

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        """Say one thing; waits for as long as the other side takes to listen.

        Raises
        ------
        WorkbenchError
            If it is longer than anything a table holds.
        """
        if len(payload) > MOST:
            raise WorkbenchError(
                f"A row or a value takes more than {MOST >> 20} MiB, as in no table.",
                hint="Save the file as CSV with the program it came from, and look at it there.",
                field="path",
            )
        faulthandler.cancel_dump_traceback_later()
        self._stream.write(HEAD.pack(kind, len(payload)))
        self._stream.write(payload)
        self._stream.flush()
        self.expect_cells(0)

    def expect_cells(self, cells: int) -> None:
        """From now on it may take as long as so many cells take until there is something to say.

        The clock needs no Python to run, so nothing that holds Python up holds up the clock.
        """
        faulthandler.dump_traceback_later(self._patience + cells * SECONDS_PER_CELL, exit=True)

    def tell(self, kind: bytes, **what: Any) -> None:
        """Say one thing that has names."""
        self.send(kind, json.dumps(what).encode())
