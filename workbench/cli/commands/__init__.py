"""The commands of `workbench`, one module each, which is imported when its command is typed.

A module declares the options of its command (`declare`) and carries it out (`run`). Of the others a command needs only
their names, which are listed here, so it waits for nothing but what it uses itself.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from workbench import guard
from workbench.cli.actions import make_action
from workbench.cli.conventions import in_help
from workbench.cli.parser import Licences, Parser, Version


@dataclass(frozen=True)
class Command:
    """A command as the list of them has it.

    Parameters
    ----------
    name
        As it is typed, and of its module.
    summary
        What it does, in a few words.
    plugins
        Whether it can use plug-ins.
    has_actions
        Whether something is done by actions that follow it and not by itself.
    on_numbers
        Whether it computes with the numbers it is given alone: it neither reads nor writes a file, and spends nothing.
    """

    name: str
    summary: str
    plugins: bool = True
    has_actions: bool = False
    on_numbers: bool = False

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Import the module of the command, and declare its options."""
        with guard.importing():
            module = importlib.import_module(f"{__name__}.{self.name}")
        if not self.has_actions:
            make_action(parser, module.run, self.summary, plugins=self.plugins)
            parser.set_defaults(on_numbers=self.on_numbers)
        module.declare(parser)


_WINDOW = Command("gui", "open the window", has_actions=True)
COMMANDS: Mapping[str, Command] = {
    one.name: one
    for one in (
        Command("guarantee", "solve for ε, δ, β or k", plugins=False, on_numbers=True),
        Command("profile", "say what a file contains", plugins=False),
        Command("anonymise", "make an (ε, δ) release of a file"),
        Command("pseudonymise", "write a copy with pseudonyms in the place of identifiers", plugins=False),
        Command("project", "make, change, show or check a project", has_actions=True),
        Command("run", "repeat a saved project on a file"),
        Command("hierarchy", "build or check a hierarchy", has_actions=True),
        Command("ledger", "say what was released of some data, set its budget", plugins=False),
        Command("verify", "count a released file again", plugins=False),
        Command("sign", "sign a statement that holds", plugins=False),
        Command("audit", "find the exact ε of a mechanism"),
        Command("query", "answer a question with differential privacy"),
        Command("collect", "collect a column with local differential privacy"),
        Command("aggregate", "estimate from perturbed reports"),
        Command("compare", "compare what methods cost in accuracy"),
        Command("preset", "make published figures again"),
        Command("attack", "attack the release of a project"),
        Command("survival", "say how much of the data would be released with other numbers"),
        Command("levels", "compare what levels cost under privacy models"),
        Command("report", "write the reports of a saved project"),
        Command("plugins", "name and check the plug-ins of third parties", has_actions=True),
    )
}
"""Every command that prints an answer, by name; `workbench gui` opens the window instead."""


EXAMPLE = "workbench guarantee --epsilon 1 --delta 1e-5 --beta best"


def parser_of(chosen: Collection[str]) -> argparse.ArgumentParser:
    """The parser of the program, in which the options of some commands are declared and the others only named."""
    parser = Parser(
        prog="workbench",
        description="Anonymise tables and know exactly what was promised. Without a command, or with the name of a\n"
        "file, the window opens.",
        epilog=f"example:\n  {EXAMPLE}\n\n{in_help()}\n\nworkbench help COMMAND says what a command takes.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=Version, help="show the versions that a report of a fault needs, and exit")
    parser.add_argument("--licences", action=Licences, help="show the licence of all that is brought along, and exit")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (*COMMANDS.values(), _WINDOW):
        one = subparsers.add_parser(command.name, help=command.summary)
        if command.name in chosen:
            command.declare(one)
    return parser


def whole_parser() -> argparse.ArgumentParser:
    """The parser of the program with the options of every command."""
    return parser_of({*COMMANDS, _WINDOW.name})
