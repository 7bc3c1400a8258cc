"""Asking a person at a terminal, or in a notebook, for the password of a database."""

from __future__ import annotations

import getpass
import os
import sys

from workbench.io.addresses import Address, Credentials, ask_with, credentials_for


def ask_at_terminal() -> None:
    """From now on ask who sits there, if somebody does; a program that nobody watches asks nobody."""
    if _is_notebook() or (sys.stdin is not None and sys.stdin.isatty()):
        ask_with(_asked)


def _is_notebook() -> bool:
    """Whether this process is a kernel; one that merely imported what kernels are made of has nobody to ask."""
    kernels = sys.modules.get("ipykernel.kernelapp")
    return kernels is not None and bool(kernels.IPKernelApp.initialized())


def _asked(address: Address) -> Credentials | None:
    user = credentials_for(address).user or os.environ.get("PGUSER") or getpass.getuser()
    try:
        # It shows nothing of what is typed, and asks the terminal itself, so that nothing gets among an answer.
        password = getpass.getpass(f"Password of {user} for {address}: ")
    except (EOFError, OSError):
        return None
    return Credentials(user, password) if password else None
