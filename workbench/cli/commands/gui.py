"""`workbench gui`: the window. Only its help is asked for here; `workbench.cli.main` opens it."""

from __future__ import annotations

import argparse

from workbench.cli.files import read_file


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.description = "Open the window."
    parser.add_argument("file", nargs="?", type=read_file, metavar="FILE", help="a project or data to open in it")
