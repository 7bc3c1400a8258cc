"""`-` in place of a file: data comes from standard input, or goes to standard output, and words to standard error.
`clipboard:` in place of data is the table that was copied elsewhere.

What is read needs more than one pass and what is written is counted again before it leaves, so both pass through a file
in a folder of their own that nobody else may read, and which is gone when the command ends.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.cli.command_output import CommandOutput
from workbench.cli.files import data_path, read_file, written_file, written_folder
from workbench.cli.printing import read_input, write_data
from workbench.core.errors import WorkbenchError
from workbench.io.clipboard import CLIPBOARD, keep_clipboard
from workbench.io.protected_files import Protected, protecting

STREAM = "-"
_READ = (data_path, read_file)
_BEGINNINGS = {b"PK\x03\x04": ".xlsx", b"PAR1": ".parquet", b"\x1f\x8b": ".csv.gz"}
"""How files begin that are no text, and what their names end with."""


@dataclass
class Streams:
    """The streams that stand in for those of the process while a command runs.

    Parameters
    ----------
    read, written
        The files; None where the stream was not asked for.
    beside
        Names of what was written beside the data, and did not leave.
    source
        What the one that is read is called.
    """

    read: Path | None = None
    written: Path | None = None
    beside: list[str] = field(default_factory=list)
    source: str = "standard input"

    def told(self, answer: CommandOutput) -> CommandOutput:
        """The answer in which the streams are called by their names."""
        names = {str(self.read): self.source, str(self.written): "standard output"}
        shown = {file: name for file, name in names.items() if file != "None"}
        if not shown:
            return answer
        more = (f"What would stand beside it was not kept: {', '.join(self.beside)}.",) if self.beside else ()
        return CommandOutput(
            _renamed(answer.data, dict.fromkeys(shown, STREAM)),
            tuple(_renamed(line, shown) for line in (*answer.lines, *more)),
            answer.code,
        )

    def send(self) -> None:
        """Write the data to standard output.

        Raises
        ------
        NotPrinted
            If it does not take it.
        """
        if self.written is None or not self.written.is_file():
            return
        write_data(self.written)
        self.beside = sorted(one.name for one in self.written.parent.iterdir() if one != self.written)


@contextmanager
def standing_in(options: argparse.Namespace) -> Iterator[Streams]:
    """Let files stand in for `-` while a command runs.

    Raises
    ------
    WorkbenchError
        If a stream is asked for twice, or in place of a folder.
    """
    named = [action for action in options.declared._actions if _is_stream(getattr(options, action.dest, None))]
    if not named:
        yield Streams()
        return
    _check(named, options)
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder, protecting(_behind_standard_input()):
        found = Streams()
        for action in named:
            if action.type is written_file:
                place = Path(folder, "out")
                place.mkdir()
                found.written = place / f"standard-output{_suffix(action, options)}"
            elif str(getattr(options, action.dest)) == CLIPBOARD:
                found.read, found.source = Path(folder, "clipboard.tsv"), "the clipboard"
                keep_clipboard(found.read)
            else:
                found.read = _spooled(Path(folder))
            setattr(options, action.dest, found.written if action.type is written_file else found.read)
        yield found


def _behind_standard_input() -> Protected:
    """The file that a shell gave as standard input, which a release must not replace; nothing behind a pipe."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or no file of the system
        behind = os.fstat(sys.stdin.fileno())
        if stat.S_ISREG(behind.st_mode):
            return Protected(streamed=(behind,))
    return Protected()


def _is_stream(value: Any) -> bool:
    return value is not None and str(value) in (STREAM, CLIPBOARD)


def _check(named: list[argparse.Action], options: argparse.Namespace) -> None:
    for action in named:
        flag = max(action.option_strings, key=len, default=str(action.metavar))
        if str(getattr(options, action.dest)) == CLIPBOARD and action.type is not data_path:
            raise WorkbenchError(
                f"{flag} cannot be the clipboard, which is read as data only.", hint="Name a file.", field=action.dest
            )
        if action.type is written_folder:
            raise WorkbenchError(
                f"{flag} names a folder, which standard output cannot be.",
                hint="Name a folder; it is made where there is none.",
                field=action.dest,
            )
        if action.type not in (*_READ, written_file):
            raise WorkbenchError(f"{flag} takes no stream.", hint="Name a file.", field=action.dest)
    for types, stream in ((_READ, "standard input"), ((written_file,), "standard output")):
        several = [action for action in named if action.type in types]
        if len(several) > 1:
            raise WorkbenchError(
                f"“-” means {stream}, of which there is one, and it stands in {len(several)} places.",
                hint="Name files for all but one.",
                field=several[1].dest,
            )


def _spooled(folder: Path) -> Path:
    """Standard input as a file, whose name says what it holds."""
    raw = folder / "input"
    read_input(raw)
    with raw.open("rb") as stream:
        start = stream.read(4)
    ending = next((suffix for sign, suffix in _BEGINNINGS.items() if start.startswith(sign)), ".csv")
    return raw.rename(folder / f"standard-input{ending}")


def _suffix(action: argparse.Action, options: argparse.Namespace) -> str:
    """The suffix of the file's name: as the option shows, unless another kind is asked for."""
    form = getattr(options, "out_format", None) if action.dest == "out" else None
    return f".{form}" if form else Path(str(action.metavar)).suffix or ".csv"


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        for file, name in names.items():
            value = value.replace(file, name)
        return value
    if isinstance(value, dict):
        return {key: _renamed(one, names) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(one, names) for one in value]
    return value
