"""`workbench`: starts the window, or runs a command.

Every command prints one JSON object with `--json`. Errors go to stderr with exit code 2, never as a traceback.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench.cli import commands
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled

FAILED = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if _wants_window(words):
        from workbench.gui.app import run

        return run(words[1:] if words[:1] == ["gui"] else words)
    try:
        options = _parser().parse_args(words)
        answer = options.command(options)
        _print(answer, options)
    except WorkbenchError as error:
        print(f"workbench: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"           {error.hint}", file=sys.stderr)
        return FAILED
    except (KeyboardInterrupt, Cancelled):
        print("workbench: interrupted; nothing was left half-written.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has left; Python must not complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if os.environ.get("WORKBENCH_DEBUG"):
            raise
        print(
            f"workbench: an unexpected error ended the command: {type(error).__name__}: {error}\n"
            "           Please report it; WORKBENCH_DEBUG=1 shows where it happened.",
            file=sys.stderr,
        )
        return FAILED
    return 0


def _wants_window(words: list[str]) -> bool:
    if not words or words[0] == "gui":
        return True
    return len(words) == 1 and words[0] not in commands.NAMES and not words[0].startswith("-")


def _print(answer: commands.Answer, options: argparse.Namespace) -> None:
    if options.json:
        json.dump(answer.data, sys.stdout, ensure_ascii=False, allow_nan=False)
        print()
    else:
        print(answer.text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="workbench",
        description="Anonymise tables and know exactly what was promised. Without a command, or with the name of a "
        "file, the window opens.",
    )
    parser.add_argument("--version", action="version", version=f"anonymisation workbench {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _guarantee(_command(subparsers, "guarantee", commands.show_guarantee, "solve for ε, δ, β or k"))
    _profile(_command(subparsers, "profile", commands.profile, "say what a file contains"))
    _anonymise(_command(subparsers, "anonymise", commands.anonymise, "make an (ε, δ) release of a file"))
    _run(_command(subparsers, "run", commands.run_project, "repeat a saved project on a file"))
    subparsers.add_parser("gui", help="open the window", add_help=False)
    return parser


def _command(subparsers: Any, name: str, run: Any, summary: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=summary, description=summary.capitalize() + ".")
    parser.set_defaults(command=run)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _privacy(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument("--epsilon", type=_number, metavar="E", required=required, help="ε, above 0 and up to 10")
    parser.add_argument("--delta", type=_number, metavar="D", required=required, help="δ, between 0 and 1")
    parser.add_argument(
        "--beta",
        type=_beta,
        metavar="B",
        help="sampling probability; max: 1 − e^−ε; best: the one with the smallest k/β (default: max)",
    )
    parser.add_argument(
        "--accounting", choices=("exact", "classical"), default="exact", help="how δ is computed (default: exact)"
    )
    parser.add_argument(
        "--rows-per-person", type=int, default=1, metavar="C", help="most rows one person may have (default: 1)"
    )


def _guarantee(parser: argparse.ArgumentParser) -> None:
    _privacy(parser, required=False)
    parser.add_argument("--k", type=int, metavar="K", help="smallest class that is released")


def _profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--project", type=Path, metavar="P.wbench", help="also say how the file differs from what a project expects"
    )
    _sheet(parser)


def _sheet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sheet", default="", metavar="NAME", help="sheet of an Excel workbook (default: the first with cells)"
    )


def _anonymise(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--hierarchy",
        action="append",
        default=[],
        metavar="COL=FILE.csv",
        help="generalise a column by a hierarchy file; the column becomes part of the grouping",
    )
    parser.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="COL=N",
        help="level of a column with a hierarchy, 0 = values as they are (default: 1)",
    )
    parser.add_argument(
        "--data-derived",
        action="append",
        default=[],
        metavar="COL",
        help="the hierarchy of this column was made from the data",
    )
    parser.add_argument(
        "--group",
        action="append",
        default=[],
        metavar="COL",
        help="release a column without a hierarchy as it is, as part of the grouping",
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="COL",
        help="release a column as it is without grouping it (no (ε, δ) claim survives this)",
    )
    parser.add_argument("--cover", action="store_true", help="values that a hierarchy misses become * above level 0")
    parser.add_argument(
        "--person", default="", metavar="COL", help="column that says which rows belong to the same person"
    )
    parser.add_argument(
        "--limit-rows",
        action="store_true",
        help="keep at most --rows-per-person rows of each --person, chosen at random, so that the number is certain",
    )
    parser.add_argument(
        "--where",
        default="",
        metavar="EXPR",
        help="only rows for which this holds, such as: age >= 18 and \"job title\" in ('Chef', 'Nurse')",
    )
    parser.add_argument(
        "--sample",
        type=_number,
        default=1.0,
        metavar="P",
        help="work on a random sample in which each row is with probability P (default: 1)",
    )
    _sheet(parser)
    _privacy(parser, required=True)
    parser.add_argument("--out", type=Path, required=True, metavar="OUT.csv", help="the release")
    parser.add_argument("--statement", type=Path, metavar="S.html", help="the privacy statement")
    parser.add_argument("--seed", type=int, metavar="N", help="make a repeatable simulation: no claim is made")


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", type=Path, metavar="PROJECT.wbench")
    parser.add_argument("--data", type=Path, required=True, metavar="FILE")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for release and statement")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number") from None


def _beta(text: str) -> float | str:
    return text if text in ("max", "best") else _number(text)
