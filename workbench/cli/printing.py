"""Saying what a command found, on whatever standard output is: another encoding, a closed pipe, a full disk.

What was spent is spent whether its answer can be read or not. So an answer that was not printed whole is never taken
for one that was, and what it has cost is said beside.

Nothing else in the program writes to standard output or error, because everything that is said passes through `visible`
there: names, values and paths come from other people, and a terminal obeys what it is sent.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from workbench.cli.versions import ERROR, SCHEMA, schema_name
from workbench.core.errors import WorkbenchError
from workbench.core.visible import is_shown, visible

if TYPE_CHECKING:
    import argparse

_SPELLED = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "Δ": "Delta", "ε": "epsilon", "θ": "theta", "π": "pi",
    "σ": "sigma", "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "−": "-", "…": "...", "×": "x",
    "·": "-", "→": "->", "≤": "<=", "≥": ">=", "∞": "infinity", "±": "+-", "½": "1/2", "\u00a0": " ", "\u202f": " ",
}  # fmt: skip
"""How signs are spelled where an encoding does not have them."""


def _spelled(error: UnicodeError) -> tuple[str, int]:
    """The spelling of characters that an encoding does not have; nothing is left out."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = "".join(map(_spell, error.object[error.start : error.end]))
    return text, error.end


def _spell(character: str) -> str:
    plain = _SPELLED.get(character) or unicodedata.normalize("NFKD", character)
    return plain.encode("ascii", "backslashreplace").decode()


codecs.register_error("workbench.spelled", _spelled)


def printable(stream: IO[str] | None) -> None:
    """Let a stream spell what its encoding does not have, instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="workbench.spelled")


def _as_json(data: Any, stream: IO[str] | None) -> str:
    """One object of JSON on one line, in which nothing stands that `visible` would spell out, but its escapes.

    A program that reads a stream of another encoding than JSON's gets what every encoding has.
    """
    text = json.dumps(data, ensure_ascii=not _is_utf8(stream), allow_nan=False)
    return text if text.isascii() and text.isprintable() else "".join(map(_escaped, text))


@lru_cache(maxsize=1024)
def _escaped(sign: str) -> str:
    if is_shown(sign):
        return sign
    return "\\u007f" if sign == "\x7f" else json.dumps(sign)[1:-1]  # JSON itself lets this one stand


class NotPrinted(Exception):
    """Something could not be printed whole; says why."""


def print_answer(
    data: Mapping[str, Any], lines: Iterable[str], options: argparse.Namespace, *, beside_data: bool = False
) -> None:
    """Print an answer whole: its data for `--json`, else its lines; nothing with `--quiet` of what is on the disk.

    Parameters
    ----------
    beside_data
        Whether standard output holds data, so that the words go to standard error.

    Raises
    ------
    NotPrinted
        If standard output does not take it.
    """
    if options.quiet and not options.json and (beside_data or on_disk(options)):
        return
    stream = sys.stderr if beside_data else sys.stdout
    text = _as_json({**_named(options), **data}, stream) if options.json else "\n".join(map(visible, lines))
    if beside_data:
        _aside(f"{text}\n")
        return
    if sys.stdout is None:
        raise NotPrinted("standard output is closed")
    try:
        sys.stdout.write(f"{text}\n")
    except OSError as error:
        raise _not_printed(error) from error
    flush()


def _named(options: argparse.Namespace) -> dict[str, str]:
    """By which schema the answer of a command is written; nothing for what no parser has read."""
    declared = getattr(options, "declared", None)
    return {} if declared is None else {SCHEMA: schema_name("-".join(declared.prog.split()[1:]))}


def put(message: str, stream: IO[str] | None) -> None:
    """Print help on its stream.

    Raises
    ------
    NotPrinted
        If the stream does not take it.
    """
    if stream is None:  # what is closed takes neither help nor mistakes
        raise NotPrinted("the stream it belongs on is closed")
    try:
        stream.write(message)
    except OSError as error:
        raise _not_printed(error) from error


def read_input(path: Path) -> None:
    """Keep all of standard input in a new file, whose folder nobody else may read.

    Raises
    ------
    WorkbenchError
        If there is none.
    """
    stream = None if sys.stdin is None else getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise WorkbenchError("Standard input is closed.", hint="Name a file instead of “-”.", field="data")
    with path.open("xb") as kept:
        shutil.copyfileobj(stream, kept)


def write_data(path: Path) -> None:
    """Write a file to standard output as it stands.

    Raises
    ------
    NotPrinted
        If standard output does not take it.
    """
    stream = None if sys.stdout is None else getattr(sys.stdout, "buffer", None)
    if stream is None:
        raise NotPrinted("standard output is closed")
    flush()
    try:
        with path.open("rb") as kept:
            shutil.copyfileobj(kept, stream)
        stream.flush()
    except OSError as error:
        raise _not_printed(error) from error


def print_help(text: str) -> None:
    """Print what was asked for about the program itself.

    Raises
    ------
    NotPrinted
        If standard output does not take it.
    """
    put(text, sys.stdout)


def refuse_closed() -> None:
    """See that mistakes can be said.

    Raises
    ------
    NotPrinted
        If standard error is closed.
    """
    if sys.stderr is None:
        raise NotPrinted("standard error is closed")


def encoding() -> str:
    """The encoding of standard output; "" where it has none."""
    return getattr(sys.stdout, "encoding", None) or ""


def flush() -> None:
    """See that all that was printed has arrived.

    Raises
    ------
    NotPrinted
        If it has not.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError as error:
        raise _not_printed(error) from error


def _not_printed(error: OSError) -> NotPrinted:
    """The reason behind an error of standard output, after which nothing is tried on it again."""
    # What still waits in the stream would be tried again when Python ends, which would complain about it.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return NotPrinted("whoever reads it has left")
    from workbench.io.atomic import why_not  # which is about files, and seldom wanted

    return NotPrinted(why_not(error))


def _is_utf8(stream: IO[str] | None) -> bool:
    try:
        return codecs.lookup(getattr(stream, "encoding", None) or "ascii").name.startswith("utf-8")
    except LookupError:
        return False


_ON_DISK = ("out", "reports", "csv", "statements", "set_budget")
"""Options that ask for something on the disk."""


def on_disk(options: argparse.Namespace) -> list[str]:
    """The results that a command at its end has left on the disk because it was asked to, in words."""
    found = []
    for name in _ON_DISK:
        asked = getattr(options, name, None)
        if isinstance(asked, Path):
            found.append(str(asked))
        elif name == "set_budget" and asked:
            found.append("the budget")
    return found


@dataclass
class Aside:
    """Messages on standard error for a program: kept until the end, where all of it is one object.

    Parameters
    ----------
    error
        What ended the command, as `message`, `hint` and `field`.
    notes
        What was said beside it.
    charged
        What was paid for all the same.
    """

    error: Mapping[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    charged: list[Mapping[str, Any]] = field(default_factory=list)


@dataclass
class _Manner:
    """How a command speaks on standard error."""

    aside: Aside | None = None
    quiet: bool = False


_manner = _Manner()


@contextlib.contextmanager
def speaking(*, as_json: bool) -> Iterator[Aside]:
    """While a command runs: how it speaks on standard error.

    With `as_json` a command that fails says one object there, and nothing else; one that succeeds says its notes in
    lines, as its answer is on standard output.
    """
    before, aside = vars(_manner).copy(), Aside()
    _manner.aside, _manner.quiet = (aside if as_json else None), False
    try:
        yield aside
    finally:
        vars(_manner).update(before)
        if aside.error is not None:
            said = {
                SCHEMA: schema_name(ERROR),
                "error": dict(aside.error),
                "notes": aside.notes,
                "charged": aside.charged,
            }
            _aside(f"{_as_json(said, sys.stderr)}\n")
        else:
            for note in aside.notes:
                _aside(f"{note}\n")


def be_quiet() -> None:
    """Show no progress, until the command has ended."""
    _manner.quiet = True


def complain(*lines: str) -> None:
    """Say what went wrong, on standard error."""
    for number, line in enumerate(lines):
        text = visible(f"workbench: {line}" if not number else f"           {line}")
        if _manner.aside is not None:
            _manner.aside.notes.append(text)
        else:
            _aside(f"{text}\n")


def fail(error: Mapping[str, Any], *lines: str) -> None:
    """Say what ended a command: in lines, or to a program as the object it is."""
    if _manner.aside is not None:
        _manner.aside.error = error
    else:
        complain(*lines)


def on_terminal() -> bool:
    """Whether a person reads standard error while a command is at work."""
    return not _manner.quiet and sys.stderr is not None and sys.stderr.isatty()


def show_progress(line: str, *, done: bool = False) -> None:
    """Put a line of progress in the place of the one before; nothing stays of it when all is done."""
    _aside(f"{_CLEARED}{visible(line)}{_CLEARED if done else ''}")


def clear_progress() -> None:
    """Take an unfinished line of progress away, before something else is said."""
    if on_terminal():
        _aside(_CLEARED)


_CLEARED = "\r\033[K"


def _aside(text: str) -> None:
    """Write on standard error, if it takes it: nothing that is asked for may fail because it is closed, or full."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        # What still waits in the stream would be tried again when Python ends, with an exit code of its own.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
