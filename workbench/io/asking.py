"""Asking a person at a terminal, or in a notebook, for the password of a database."""

from __future__ import annotations

import getpass
import os
import sys

from workbench.io.addresses import Address, Credentials, ask_with, credentials_for


def ask_at_terminal() -> None:
    """From now on ask who sits there, if somebody does; a program that nobody watches asks nobody."""
    if "ipykernel" in sys.modules or (sys.stdin is not None and sys.stdin.isatty()):
        ask_with(_asked)


def _asked(address: Address) -> Credentials | None:
    user = credentials_for(address).user or os.environ.get("PGUSER") or getpass.getuser()
    try:
        # It shows nothing of what is typed, and asks the terminal itself, so that nothing gets among an answer.
        password = getpass.getpass(f"Password of {user} for {address}: ")
    except (EOFError, OSError):
        return None
    return Credentials(user, password) if password else None
