"""The man page and the completions of shells, made from the parser of the program."""

from __future__ import annotations

import argparse

import reference
import shtab

from workbench import __version__
from workbench.cli.commands import COMMANDS, whole_parser
from workbench.cli.conventions import ENVIRONMENT, EXIT_CODES


def files() -> dict[str, str]:
    """By name: `workbench.1`, and what bash and zsh read."""
    return {
        "workbench.1": man_page(),
        "workbench.bash": shtab.complete(whole_parser(), "bash"),
        "_workbench": shtab.complete(whole_parser(), "zsh"),
    }


def man_page() -> str:
    """The man page, in the macros of man(7)."""
    lines = [
        f'.TH WORKBENCH 1 "" "anonymisation workbench {__version__}" "User Commands"',
        ".SH NAME",
        "workbench \\- anonymise tables and know exactly what was promised",
        ".SH SYNOPSIS",
        ".B workbench",
        "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]",
        ".SH DESCRIPTION",
        "Without a command, or with the name of a file, the window opens.",
        ".SH COMMANDS",
    ]
    for command in COMMANDS.values():
        lines += [".TP", f".B {command.name}", _line(command.summary)]
    for name, parser in reference.leaves(whole_parser()):
        lines += [f'.SH "{name.upper()}"', _line(parser.description or "")]
        for action in parser._actions:
            if action.help in (None, argparse.SUPPRESS) or action.dest == "help":
                continue
            lines += [".TP", f".B {_line(reference._typed(action))}", _line((action.help or "").replace("%%", "%"))]
    lines += [".SH EXIT STATUS"]
    for code, text in EXIT_CODES.items():
        lines += [".TP", f".B {code}", _line(text)]
    lines += [".SH ENVIRONMENT"]
    for variable, text in ENVIRONMENT.items():
        lines += [".TP", f".B {variable}", _line(text)]
    return "\n".join(lines) + "\n"


def _line(text: str) -> str:
    """A text on one line in which nothing is a macro."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain
