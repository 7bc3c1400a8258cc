"""Files of JSON that a person wrote or was given."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import read_json

LARGEST = 64 << 20
"""Bytes of a file that is read at all; as numbers and texts in memory it takes many times as many."""


def read_json_file(path: Path, *, field: str, most: int = LARGEST) -> Any:
    """Value in a file of JSON, with or without a byte order mark; see `workbench.core.json_values.read_json`.

    Parameters
    ----------
    field
        Which parameter named the file.
    most
        How many bytes it may have.

    Raises
    ------
    WorkbenchError
        If it cannot be read, is no ordinary file, too large, or no JSON that every reader understands alike.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise WorkbenchError(f"“{path.name}” is no ordinary file.", hint="Choose a file of JSON.", field=field)
        if found.st_size > most:
            raise WorkbenchError(
                f"“{path.name}” is far too large for what it should hold.", hint="Choose another file.", field=field
            )
        return read_json(path.read_text("utf-8-sig"))
    except OSError as error:
        raise WorkbenchError(
            f"“{path.name}” cannot be read: {error.strerror or error}.",
            hint="Check that it exists and that you may read it.",
            field=field,
        ) from error
    except UnicodeDecodeError as error:
        raise WorkbenchError(f"“{path.name}” is no text in UTF-8.", hint="Save it as UTF-8.", field=field) from error
    except ValueError as error:
        raise WorkbenchError(f"“{path.name}” is no JSON: {error}.", hint="Correct it there.", field=field) from error
