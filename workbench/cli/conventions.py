"""The conventions of all commands: exit codes and environment variables, said once for help, manual and man page."""

from __future__ import annotations

from collections.abc import Mapping

EXIT_CODES: Mapping[int, str] = {
    0: "What was asked for is on the disk, or was printed whole.",
    1: "It was looked at, and is not as it is said to be: verify, project check and plugins check.",
    2: "It was not done, or not whole; standard error says why, and what was charged all the same.",
    130: "It was interrupted; nothing is left half-written.",
}
"""With which codes commands end, and what each says."""

ENVIRONMENT: Mapping[str, str] = {
    "WORKBENCH_LEDGERS": "the folder of the ledgers, in place of the person's own",
    "WORKBENCH_DEBUG": "if set, an unexpected error shows where in the program it happened, which may quote data",
    "WORKBENCH_DATA": "a folder with the tables of published figures that do not ship with the program",
    "NO_COLOR": "if set, no colours: the program uses none, and passes the wish on to Python",
    "PYTHONIOENCODING": "encoding of what is printed; signs it does not have are spelled: epsilon for ε",
    "COLUMNS": "width of help, in signs",
    "QT_QPA_PLATFORM": "of the window: offscreen where there is no screen",
}
"""Environment variables that a person may set, and what each does."""


def in_help() -> str:
    """Exit codes and environment variables as the help of the program ends with them."""
    width = max(map(len, ENVIRONMENT))
    codes = [f"  {code:<4} {text}" for code, text in EXIT_CODES.items()]
    variables = [f"  {name:<{width}}  {text}" for name, text in ENVIRONMENT.items()]
    return "\n".join(["exit codes:", *codes, "", "environment variables:", *variables])
