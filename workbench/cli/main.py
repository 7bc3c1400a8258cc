"""`workbench`: starts the window, or runs a command.

Every command prints one JSON object with `--json`. Errors go to stderr with exit code 2, never as a traceback.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench import __version__, guard
from workbench.anonymise.privacy import MODELS
from workbench.anonymise.utility import METRICS
from workbench.cli import (
    aggregating,
    auditing,
    calculating,
    collecting,
    comparing,
    engines,
    exporting,
    files,
    hierarchies,
    ledgers,
    level_options,
    plugins,
    profiling,
    querying,
    refusing,
    releasing,
    reporting,
    signatures,
    verifying,
)
from workbench.cli.answers import Answer
from workbench.cli.printing import (
    NotPrinted,
    Parser,
    clear_progress,
    complain,
    complain_of_spending,
    flush,
    on_disk,
    print_answer,
    printable,
)
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled
from workbench.io.protecting import protecting
from workbench.query.spent import Spent, watching

COMMANDS = frozenset(
    {
        "guarantee",
        "profile",
        "anonymise",
        "run",
        "hierarchy",
        "ledger",
        "verify",
        "sign",
        "audit",
        "query",
        "collect",
        "aggregate",
        "compare",
        "preset",
        "report",
        "plugins",
    }
)
_WITHOUT_PLUGINS = frozenset({"guarantee", "profile", "ledger", "verify", "sign"})
FAILED = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if _wants_window(words):
        with guard.importing():
            from workbench.gui.app import run

        return run(words[1:] if words[:1] == ["gui"] else words)
    for stream in (sys.stdout, sys.stderr):
        printable(stream)
    with watching() as spent:
        code = _carried_out(words, spent)
        if code in (FAILED, INTERRUPTED):
            complain_of_spending(spent)
    return code


def _carried_out(words: Sequence[str], spent: Spent) -> int:
    """Run a command; returns the exit code. What it has cost is said by whoever calls this, if it failed."""
    try:
        options = _options(words)
        named = files.named_files(options)
        files.refuse_overlaps(named)
        with plugins.at_work(options), protecting(files.protected(named)):
            answer: Answer = options.command(options)
    except WorkbenchError as error:
        clear_progress()
        complain(*error.lines, *([error.hint] if error.hint else []))
        return FAILED
    except (KeyboardInterrupt, Cancelled):
        clear_progress()
        complain("interrupted; nothing was left half-written.")
        return INTERRUPTED
    except NotPrinted as why:
        complain(f"this could not be printed whole: {why}.")
        return FAILED
    except Exception as error:
        clear_progress()
        if os.environ.get("WORKBENCH_DEBUG"):
            complain(*(line for part in traceback.format_exception(error) for line in part.rstrip().split("\n")))
        elif isinstance(error, ImportError):
            complain(*guard.explained(error))
        else:
            complain(
                f"an unexpected error ended the command: {type(error).__name__}: {error}",
                "Please report it; WORKBENCH_DEBUG=1 shows where it happened.",
            )
        return FAILED
    try:
        print_answer(answer, options)
    except NotPrinted as why:
        return _unprinted(answer, options, why)
    return answer.code


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
        return _parser().parse_args(words)
    except SystemExit:
        flush()
        raise


def _unprinted(answer: Answer, options: argparse.Namespace, why: NotPrinted) -> int:
    """What a command comes to whose words do not arrive: what was asked for may be on the disk all the same."""
    clear_progress()
    written = on_disk(options)
    if not written:
        complain(f"the answer could not be printed whole: {why}.")
        return FAILED
    complain(f"{', '.join(written)}: written. But what is said of it could not be printed: {why}.")
    return answer.code


def _wants_window(words: list[str]) -> bool:
    if not words or words[0] == "gui":
        return not {"-h", "--help"} & set(words)
    # A single word is a file to open, unless no such file exists: then it is a mistyped command.
    return len(words) == 1 and words[0] not in COMMANDS and Path(words[0]).expanduser().exists()


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="workbench",
        description="Anonymise tables and know exactly what was promised. Without a command, or with the name of a "
        "file, the window opens.",
    )
    parser.add_argument("--version", action="version", version=f"anonymisation workbench {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _guarantee(_command(subparsers, "guarantee", calculating.show_guarantee, "solve for ε, δ, β or k"))
    _profile(_command(subparsers, "profile", profiling.profile, "say what a file contains"))
    _anonymise(_command(subparsers, "anonymise", releasing.anonymise, "make an (ε, δ) release of a file"))
    _run(_command(subparsers, "run", releasing.run_project, "repeat a saved project on a file"))
    _hierarchy(subparsers.add_parser("hierarchy", help="build or check a hierarchy"))
    _ledger(_command(subparsers, "ledger", ledgers.show_ledger, "say what was released of some data, set its budget"))
    verifying.add_options(_command(subparsers, "verify", verifying.verify, "count a released file again"))
    signatures.add_options(_command(subparsers, "sign", signatures.sign, "sign a statement that holds"))
    auditing.add_options(_command(subparsers, "audit", auditing.audit, "find the exact ε of a mechanism"))
    _query(_command(subparsers, "query", querying.query, "answer a question with differential privacy"))
    _collect(_command(subparsers, "collect", collecting.collect, "collect a column with local differential privacy"))
    aggregate = _command(subparsers, "aggregate", aggregating.aggregate, "estimate from perturbed reports")
    aggregating.add_aggregate(aggregate)
    _compare(_command(subparsers, "compare", comparing.compare, "compare what methods cost in accuracy"))
    _preset(_command(subparsers, "preset", comparing.preset, "make published figures again"))
    reporting.add_options(_command(subparsers, "report", reporting.report, "write the reports of a saved project"))
    plugins.add_actions(subparsers.add_parser("plugins", help="name and check the plug-ins of third parties"), _action)
    window = subparsers.add_parser("gui", help="open the window", description="Open the window.")
    window.add_argument("file", nargs="?", type=files.read_file, metavar="FILE", help="a project or data to open in it")
    return parser


def _command(subparsers: Any, name: str, run: Any, summary: str) -> argparse.ArgumentParser:
    parser = _action(subparsers, name, run, summary)
    if name not in _WITHOUT_PLUGINS:
        plugins.add_trust(parser)
    return parser


def _action(subparsers: Any, name: str, run: Any, summary: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=summary, description=summary.capitalize() + ".")
    parser.set_defaults(command=run, declared=parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _privacy(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--epsilon", type=_number, metavar="E", help="ε, above 0 and up to 10")
    parser.add_argument("--delta", type=_number, metavar="D", help="δ, between 0 and 1")
    parser.add_argument(
        "--beta",
        type=_beta,
        metavar="B",
        help="sampling probability; max: 1 − e^−ε, or less if no k goes with it; best: the one with the smallest k/β "
        "(default: max)",
    )
    parser.add_argument(
        "--accounting", choices=("exact", "classical"), default="exact", help="how δ is computed (default: exact)"
    )
    parser.add_argument(
        "--rows-per-person", type=int, default=1, metavar="C", help="most rows one person may have (default: 1)"
    )


def _guarantee(parser: argparse.ArgumentParser) -> None:
    _privacy(parser)
    parser.add_argument("--k", type=int, metavar="K", help="smallest class that is released")
    parser.add_argument(
        "--search-epsilon", type=_number, metavar="E", help="also count what drawing the levels privately costs"
    )


def _profile(parser: argparse.ArgumentParser) -> None:
    engines.add_data(parser)
    parser.add_argument(
        "--project",
        type=files.read_file,
        metavar="P.wbench",
        help="also say how the file differs from what a project expects",
    )
    _reading(parser)
    engines.add_engine(parser)


def _models(parser: argparse.ArgumentParser) -> None:
    """Syntactic anonymity instead of an (ε, δ) release."""
    group = parser.add_argument_group("syntactic models", "instead of --epsilon and --delta; they give no (ε, δ) claim")
    group.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="ID=VALUES[:COL]",
        help="a model that must hold, such as k=5 or l-diversity=2:occupation; known: " + MODELS.names(),
    )
    group.add_argument(
        "--search",
        choices=("optimal", "fast", "none", level_options.PRIVATE),
        help="find the levels: sure to be the best, or as good as --time-limit allows; none: use --level "
        "(default: fast, or none where --level is given); dp: draw the levels of an (ε, δ) release privately",
    )
    group.add_argument("--metric", default="loss", metavar="ID[=X]", help=f"what to lose least of: {METRICS.names()}")
    group.add_argument("--suppression-limit", type=_number, default=0.0, metavar="S", help="share of rows, 0 to 1")
    for flag, what in (("--min-level", "lowest"), ("--max-level", "highest")):
        group.add_argument(flag, action="append", default=[], metavar="COL=N", help=f"{what} level of a column")
    group.add_argument("--weight", action="append", default=[], metavar="COL=W", help="how much its loss counts")
    group.add_argument(
        "--sensitive-hierarchy",
        type=files.column_file,
        action="append",
        default=[],
        metavar="COL=FILE.csv",
        help="how alike its values are",
    )
    group.add_argument(
        "--local-recoding",
        action="store_true",
        help="search again among the rows that would be suppressed, so that released rows have mixed levels",
    )
    group.add_argument("--time-limit", type=_number, metavar="SECONDS", help="stop the search after so long")


def _ledger(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=files.data_path, metavar="FILE_OR_PROJECT")
    engines.add_engine(parser)
    _reading(parser)
    ledgers.add_options(parser)


def _query(parser: argparse.ArgumentParser) -> None:
    querying.add_options(parser)
    _reading(parser)


def _collect(parser: argparse.ArgumentParser) -> None:
    collecting.add_collect(parser)
    _reading(parser)


def _compare(parser: argparse.ArgumentParser) -> None:
    comparing.add_compare(parser)
    _reading(parser)


def _preset(parser: argparse.ArgumentParser) -> None:
    comparing.add_preset(parser)
    _reading(parser)


def _hierarchy(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    build = _command(actions, "build", hierarchies.build, "build a hierarchy from its specification")
    build.add_argument("spec", type=files.read_file, metavar="SPEC.json")
    build.add_argument(
        "--out", type=files.written_file, required=True, metavar="H.csv", help="where to write it, in ARX's form"
    )
    build.add_argument("--force", action="store_true", help="overwrite a file that is there and is no such hierarchy")
    check = _command(actions, "check", hierarchies.check_file, "say whether a hierarchy fits a column")
    check.add_argument("hierarchy", type=files.read_file, metavar="H.csv")
    for action in (build, check):
        action.add_argument(
            "--data", type=files.data_path, metavar="FILE_OR_PATTERN", help="data whose values are to be covered"
        )
        action.add_argument("--column", metavar="C", help="column of the data")
        engines.add_engine(action)


def _reading(parser: argparse.ArgumentParser) -> None:
    """How a text file is written, where the guess is wrong."""
    parser.add_argument("--delimiter", metavar="SIGN", help="between cells; tab may be written as \\t")
    parser.add_argument("--encoding", metavar="NAME", help="such as utf-8 or cp1252")
    parser.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether the first line holds the names of the columns",
    )
    _sheet(parser)


def _sheet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sheet", default="", metavar="NAME", help="sheet of an Excel workbook (default: the first with cells)"
    )


def _anonymise(parser: argparse.ArgumentParser) -> None:
    engines.add_data(parser)
    parser.add_argument(
        "--hierarchy",
        type=files.column_file,
        action="append",
        default=[],
        metavar="COL=FILE.csv",
        help="generalise a column by a hierarchy file; the column becomes part of the grouping. The labels "
        "count as made without this data, and the statement says so in your name, unless --data-derived names the "
        "column or the note beside the file says otherwise",
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
        help="the hierarchy of this column was made from the data, so no (ε, δ) claim survives its labels",
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
    parser.add_argument(
        "--suppress",
        action="append",
        default=[],
        metavar="COL",
        help="release a column as * in every row; a search leaves it so",
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
    _reading(parser)
    engines.add_engine(parser)
    _privacy(parser)
    level_options.add(parser, _number)
    _models(parser)
    parser.add_argument("--out", type=files.written_file, metavar="OUT.csv", help="the release")
    parser.add_argument("--statement", type=files.written_file, metavar="S.html", help="the privacy statement")
    exporting.add_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="make a repeatable simulation: no claim is made")
    refusing.add_options(parser)
    ledgers.add_ledger(parser)


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", type=files.read_file, metavar="PROJECT.wbench")
    parser.add_argument(
        "--data",
        type=files.data_path,
        required=True,
        metavar="FILE_OR_PATTERN",
        help="a file, a folder of parts, or a pattern such as 'parts/*.csv'",
    )
    parser.add_argument(
        "--out", type=files.written_folder, required=True, metavar="DIR", help="folder for release and statement"
    )
    parser.add_argument(
        "--out-format", choices=("csv", "parquet"), default="csv", help="kind of file of the release (default: csv)"
    )
    parser.add_argument("--parts", action="store_true", help="write the release as a folder of files")
    refusing.add_options(parser)
    engines.add_engine(parser)
    ledgers.add_ledger(parser)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number") from None


def _beta(text: str) -> float | str:
    return text if text in ("max", "best") else _number(text)
