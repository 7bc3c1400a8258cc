"""Saying what a command found, on whatever standard output is: another encoding, a closed pipe, a full disk.

What was spent is spent whether its answer can be read or not. So an answer that was not printed whole is never taken
for one that was, and what it has cost is said beside.

Nothing else in the program writes to standard output or error, because everything that is said passes through `visible`
there: names, values and paths come from other people, and a terminal obeys what it is sent.
"""

from __future__ import annotations

import argparse
import codecs
import contextlib
import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, NoReturn

from workbench.core.visible import is_shown, visible

_SPELLED = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "Δ": "Delta", "ε": "epsilon", "θ": "theta", "π": "pi",
    "σ": "sigma", "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "−": "-", "…": "...", "×": "x",
    "·": "-", "→": "->", "≤": "<=", "≥": ">=", "∞": "infinity", "±": "+-", "½": "1/2", "\u00a0": " ", "\u202f": " ",
}  # fmt: skip
"""How signs are spelled where an encoding does not have them."""


def _spelled(error: UnicodeError) -> tuple[str, int]:
    """What stands in the place of characters that an encoding does not have; nothing is left out."""
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


def print_answer(data: Mapping[str, Any], lines: Iterable[str], options: argparse.Namespace) -> None:
    """Print an answer whole: its data for `--json`, else its lines.

    Raises
    ------
    NotPrinted
        If standard output does not take it.
    """
    text = _as_json(data, sys.stdout) if options.json else "\n".join(map(visible, lines))
    if sys.stdout is None:
        raise NotPrinted("standard output is closed")
    try:
        sys.stdout.write(f"{text}\n")
    except OSError as error:
        raise _not_printed(error) from error
    flush()


class Parser(argparse.ArgumentParser):
    """A parser whose help does not get lost without a word."""

    def error(self, message: str) -> NoReturn:
        if sys.stderr is None:  # argparse would print how the command is used to standard output instead
            raise NotPrinted("standard error is closed")
        super().error(visible(message))

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is None:
            # Help goes to standard output and mistakes to standard error; what is closed takes neither.
            raise NotPrinted("the stream it belongs on is closed")
        try:
            file.write(message)
        except OSError as error:
            raise _not_printed(error) from error


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
    """What a command that came to its end has left on the disk because it was asked to, in words."""
    found = []
    for name in _ON_DISK:
        asked = getattr(options, name, None)
        if isinstance(asked, Path):
            found.append(str(asked))
        elif name == "set_budget" and asked:
            found.append("the budget")
    return found


def complain(*lines: str) -> None:
    """Say what went wrong, on standard error."""
    for number, line in enumerate(lines):
        _aside(visible(f"workbench: {line}" if not number else f"           {line}") + "\n")


def on_terminal() -> bool:
    """Whether a person reads standard error while a command is at work."""
    return sys.stderr is not None and sys.stderr.isatty()


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
