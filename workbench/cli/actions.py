"""Actions of the parser: the function that carries one out, `--json`, and the plug-ins to trust."""

from __future__ import annotations

import argparse
from typing import Any


def add_action(subparsers: Any, name: str, run: Any, summary: str, *, plugins: bool = False) -> argparse.ArgumentParser:
    """An action of a command that has several, such as `hierarchy build`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=summary)
    make_action(parser, run, summary, plugins=plugins)
    return parser


def make_action(parser: argparse.ArgumentParser, run: Any, summary: str, *, plugins: bool) -> None:
    """Let a parser stand for something that is done.

    Parameters
    ----------
    run
        Carries it out: takes the options, returns the answer.
    summary
        What it does, as the list of commands has it.
    plugins
        Whether it can use plug-ins, which may then be trusted.
    """
    parser.description = summary.capitalize() + "."
    parser.set_defaults(command=run, declared=parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--quiet", action="store_true", help="show no progress, and print nothing where the answer is a file"
    )
    if plugins:
        parser.add_argument(
            "--trust-plugin",
            action="append",
            default=[],
            metavar="NAME",
            help="let what the plug-ins of this distribution make carry a claim, as the publisher's word; may be given "
            "several times",
        )
