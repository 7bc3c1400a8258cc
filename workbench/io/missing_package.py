"""What to say where an optional package is not installed."""

from __future__ import annotations

import sys

from workbench.core.errors import WorkbenchError


def missing_package(name: str, what: str, package: str, instead: str) -> WorkbenchError:
    """The error for the file `name`, which is `what` and needs `package` to be read."""
    return WorkbenchError(
        f"“{name}” is {what}; to read it, the package {package} is needed, and it is not installed.",
        hint=f"Install it with the command: {sys.executable or 'python3'} -m pip install {package}. Or {instead}",
        field="path",
    )


def missing_writer(what: str, package: str, instead: str) -> WorkbenchError:
    """The error for files of a kind, `what`, that need `package` to be written and checked."""
    return WorkbenchError(
        f"To write {what}, the package {package} is needed, and it is not installed.",
        hint=f"Install it with the command: {sys.executable or 'python3'} -m pip install {package}. Or {instead}",
        field="format",
    )
