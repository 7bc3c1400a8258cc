"""Reading JSON lines, one object in each line, with Python's own parser: numbers stay as they are written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.io.foreign import frames, limits
from workbench.io.foreign.typed_columns import ColumnWriter, LiteralNumber, Problems, limited

_LONGEST_LINE = 1 << 22
_MOST_COLUMNS = 10_000


def run(request: dict[str, Any], out: frames.FrameWriter) -> None:
    """Send the members of the objects as columns, in the order in which they come first; twice through the file.

    Raises
    ------
    WorkbenchError
        If no line is an object, or their names are too many for a table.
    """
    path, limit = Path(request["paths"][0]), request.get("limit")
    limits.MemoryAllowance().limit(limits.allowance(path.stat().st_size))
    problems = Problems()
    names: dict[str, int] = {}
    rows = 0
    # Where only the names are asked for, they are those of all objects.
    for row in limited(_objects(path, problems, out), limit or None):
        rows += 1
        for name in row:
            names.setdefault(name, len(names))
        if len(names) > _MOST_COLUMNS:
            raise WorkbenchError(
                f"The objects of “{path.name}” have more than {_MOST_COLUMNS:,} names, as the rows of no table do.",
                hint="Choose a file whose lines are objects with the same members.",
                field="path",
            )
    if not names:
        raise WorkbenchError(
            f"“{path.name}” holds no table: no line of it is an object with members.",
            hint='Each line must be like {"age": 41, "job": "cook"}.',
            field="path",
        )
    writer = ColumnWriter(out, list(names), rows if limit is None else min(rows, limit))
    again = limited(_objects(path, Problems(), out), limit)
    writer.send_rows([row.get(name) for name in names] for row in again)
    writer.end(None, problems)


def _objects(path: Path, problems: Problems, out: frames.FrameWriter) -> Iterator[Any]:
    """The objects of the lines; what is none is told."""
    with path.open("rb") as file:
        line = 0
        while text := file.readline(_LONGEST_LINE):
            line += 1
            if line % 4096 == 0:
                out.tell(frames.WORK, cells=0)
            if len(text) >= _LONGEST_LINE:
                raise WorkbenchError(
                    f"Line {line:,} of “{path.name}” is longer than {_LONGEST_LINE >> 20} MiB, as in no table.",
                    hint="Each line must hold one object.",
                    field="path",
                )
            if not (plain := text.removeprefix(b"\xef\xbb\xbf").strip()):
                continue
            reason = ""
            try:
                found = json.loads(plain, parse_int=LiteralNumber, parse_float=LiteralNumber, parse_constant=_nothing)
            except UnicodeDecodeError:
                reason = "it holds bytes that are not UTF-8"
            except RecursionError:
                reason = "it is nested too deeply"
            except ValueError as error:
                reason = f"it is no JSON ({error})"
            else:
                if isinstance(found, dict):
                    yield {name: _cell(value) for name, value in found.items()}
                    continue
                reason = "it is no object"
            problems.add(line, reason, plain[:80].decode("utf-8", "replace"))


def _nothing(_: str) -> None:
    """NaN and infinities are no JSON, and no values."""


def _cell(value: Any) -> Any:
    return _written(value) if isinstance(value, list | dict) else value


def _written(value: Any) -> str:
    """JSON again, with numbers as they were."""
    if isinstance(value, LiteralNumber):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, dict):
        members = (f"{json.dumps(name, ensure_ascii=False)}: {_written(one)}" for name, one in value.items())
        return f"{{{', '.join(members)}}}"
    return json.dumps(value, ensure_ascii=False)
