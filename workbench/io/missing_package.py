"""The error for an optional package that is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

from workbench.core.errors import WorkbenchError


def install_command(extra: str) -> str:
    """The command that installs the packages of an optional part of the program, beside this Python.

    A program that runs from its folder names that folder, where the versions it can work with are written.
    """
    root = Path(__file__).resolve().parents[2]
    what = str(root) if (root / "pyproject.toml").is_file() else "anonymisation-workbench"
    return f'{sys.executable or "python3"} -m pip install "{what}[{extra}]"'


def missing_package(name: str, what: str, package: str, instead: str, wanted: str = "") -> WorkbenchError:
    """The error for the file `name`, which is `what` and needs `package` to be read; `wanted` as pip is told it."""
    command = f"{sys.executable or 'python3'} -m pip install {wanted or package}"
    return WorkbenchError(
        f"“{name}” is {what}; to read it, the package {package} is needed, and it is not installed.",
        hint=f"Install it with the command: {command}. Or {instead}",
        field="path",
    )


def missing_writer(what: str, package: str, instead: str) -> WorkbenchError:
    """The error for files of a kind, `what`, that need `package` to be written and checked."""
    return WorkbenchError(
        f"To write {what}, the package {package} is needed, and it is not installed.",
        hint=f"Install it with the command: {sys.executable or 'python3'} -m pip install {package}. Or {instead}",
        field="format",
    )
