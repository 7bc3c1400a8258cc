"""`workbench`: starts the window, or runs a command.

Every command prints one JSON object with `--json`. Errors go to stderr with exit code 2, never as a traceback. Only
what all commands need is imported here: `--version` and `--help` wait for no table, no plug-in and no numpy.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from workbench import guard
from workbench.cli.command_output import CommandOutput
from workbench.cli.commands import COMMANDS, parser_of
from workbench.cli.parser import meant
from workbench.cli.printing import (
    NotPrinted,
    be_quiet,
    clear_progress,
    complain,
    fail,
    flush,
    on_disk,
    print_answer,
    printable,
    speaking,
)
from workbench.core.errors import WorkbenchError
from workbench.core.paths import typed_path
from workbench.core.progress import Cancelled
from workbench.query.spent import Spent, watching

if TYPE_CHECKING:  # wanted by commands that name files
    from workbench.cli.streams import Streams

FAILED = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    words = meant(list(sys.argv[1:] if argv is None else argv))
    if _wants_window(words):
        with guard.importing():
            from workbench.gui.app import run

        return run(words[1:] if words[:1] == ["gui"] else words)
    for stream in (sys.stdout, sys.stderr):
        printable(stream)
    with speaking(as_json=_wants_json(words)) as aside, watching() as spent:
        code = _carried_out(words, spent)
        if code in (FAILED, INTERRUPTED) and spent.entries:
            from workbench.cli.command_guards import complain_of_spending

            complain_of_spending(spent, aside)
    return code


def _carried_out(words: Sequence[str], spent: Spent) -> int:
    """Run a command; returns the exit code. What it has cost is said by whoever calls this, if it failed."""
    try:
        _refuse_no_text(words)
        options = _options(words)
        if getattr(options, "quiet", False):
            be_quiet()
        with _streams(options) as streams:
            with _surroundings(options):
                answer: CommandOutput = options.command(options)
            if streams is not None:
                streams.send()
                answer = streams.told(answer)
    except WorkbenchError as error:
        clear_progress()
        flags = f"(On the command line: {error.flags}.)" if error.flags else ""
        hint = f"{error.hint} {flags}".strip()
        said = {"message": error.message, "hint": hint, "field": error.field}
        fail(said, *error.lines, *filter(None, [hint]))
        return FAILED
    except (KeyboardInterrupt, Cancelled):
        clear_progress()
        _fail("interrupted; nothing was left half-written.")
        return INTERRUPTED
    except NotPrinted as why:
        _fail(f"this could not be printed whole: {why}.")
        return FAILED
    except Exception as error:
        clear_progress()
        _fail(*_unexpected(error))
        return FAILED
    try:
        print_answer(
            answer.data, answer.lines, options, beside_data=streams is not None and streams.written is not None
        )
    except NotPrinted as why:
        return _unprinted(answer, options, why)
    return answer.code


def _refuse_no_text(words: Sequence[str]) -> None:
    """Refuse the name of a file that could not be kept, whichever option it is for: before anything is drawn."""
    if not all(map(str.isascii, words)):
        from workbench.core.typed_fields import refuse_no_text

        for word in words:
            refuse_no_text(word)


def _fail(*lines: str) -> None:
    first, *rest = lines
    fail({"message": first, "hint": " ".join(rest), "field": ""}, *lines)


def _unexpected(error: Exception) -> tuple[str, ...]:
    """The message about an error that nobody foresaw."""
    if os.environ.get("WORKBENCH_DEBUG"):
        return tuple(line for part in traceback.format_exception(error) for line in part.rstrip().split("\n"))
    if isinstance(error, ImportError):
        return guard.explained(error)
    return (
        f"an unexpected error ended the command: {type(error).__name__}: {error}",
        "Please report it; WORKBENCH_DEBUG=1 shows where it happened.",
    )


def _options(words: Sequence[str]) -> argparse.Namespace:
    """The options as they were typed.

    Raises
    ------
    SystemExit
        If help was asked for, which is printed then, or they cannot be understood.
    NotPrinted
        If that help does not arrive.
    """
    try:
        return parser_of({_command_in(words)}).parse_args(words)
    except SystemExit:
        flush()
        raise


def _command_in(words: Sequence[str]) -> str:
    """The command among the words, whose options alone are declared; the program itself has no option with a value."""
    return next((word for word in words if not word.startswith("-")), "")


def _wants_json(words: Sequence[str]) -> bool:
    """Whether a program reads what is said, which must be known before the words are understood."""
    return any(word.startswith("--j") and "--json".startswith(word) for word in words)


def _streams(options: argparse.Namespace) -> AbstractContextManager[Streams | None]:
    """Files in the place of `-`; a command that computes with numbers names none."""
    if getattr(options, "on_numbers", False):
        return nullcontext()
    from workbench.cli.streams import standing_in

    return standing_in(options)


def _surroundings(options: argparse.Namespace) -> AbstractContextManager[None]:
    """The guards around a command, and what it may trust; nothing of it is needed to compute with numbers."""
    if getattr(options, "on_numbers", False):
        return nullcontext()
    with guard.importing():
        from workbench.cli.command_guards import at_work

    return at_work(options)


def _unprinted(answer: CommandOutput, options: argparse.Namespace, why: NotPrinted) -> int:
    """The exit code of a command whose words do not arrive: what was asked for may be on the disk all the same."""
    clear_progress()
    written = on_disk(options)
    if not written:
        _fail(f"the answer could not be printed whole: {why}.")
        return FAILED
    complain(f"{', '.join(written)}: written. But what is said of it could not be printed: {why}.")
    return answer.code


def _wants_window(words: list[str]) -> bool:
    if not words or words[0] == "gui":
        return not {"-h", "--help"} & set(words)
    # A single word is a file to open, unless no such file exists: then it is a mistyped command.
    return len(words) == 1 and words[0] not in COMMANDS and typed_path(words[0]).exists()
