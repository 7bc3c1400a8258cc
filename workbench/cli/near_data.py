"""Data that is nearly the same as other data something was released of: what the commands say, and the two answers."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.cli.printing import clear_progress, complain
from workbench.session import Session

_UNSETTLED = (
    "something was released of data that is nearly the same, and it is not counted for this.",
    "--continue-ledger counts both together from now on; --other-people declares that they are about other people.",
)

_NONE_KNOWN = "no other data is known that is nearly the same and of which something was released."
_ONE_COUNT = "data that is nearly the same has one count with this, which is not taken back."


def add_options(parser: argparse.ArgumentParser) -> None:
    """The flags of all commands that know the ledger of their data."""
    answers = parser.add_mutually_exclusive_group()
    answers.add_argument(
        "--continue-ledger",
        action="store_true",
        help="of data nearly the same as this something was released: count it for this too, from now on",
    )
    answers.add_argument(
        "--other-people",
        action="store_true",
        help="declare that data which is nearly the same is about other people, which statements say as the "
        "publisher's word",
    )


def answer(session: Session, options: argparse.Namespace, fingerprint: str = "") -> None:
    """Take the person's answer, or say on standard error that it is wanted.

    Parameters
    ----------
    fingerprint
        Of the data, where it need not be open.
    """
    if options.continue_ledger:
        session.ledger.continue_count(fingerprint)
    elif options.other_people:
        session.ledger.declare_other_people(fingerprint)
    near = session.ledger.nearly_same(fingerprint)
    said: list[tuple[str, ...]] = [_UNSETTLED] if near.unsettled else []
    if options.continue_ledger and not near.counted:
        said.append((f"--continue-ledger changes nothing: {_NONE_KNOWN}",))
    if options.other_people and not near.other_people:
        said.append((f"--other-people changes nothing: {_ONE_COUNT if near.counted else _NONE_KNOWN}",))
    said += [(f"nearly the same data may not be recognised: {problem}",) for problem in near.problems]
    if said:
        clear_progress()
    for lines in said:
        complain(*lines)


def described(session: Session) -> dict[str, Any]:
    """The same for `--json`: null, "not added up" or "other people"."""
    return {"nearly_same": session.ledger.nearly_same().releases.value or None}
