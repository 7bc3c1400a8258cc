"""Refusals of `workbench anonymise` and `workbench run`, and the flags that lift them."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator

from workbench.core.errors import WorkbenchError
from workbench.session.existing_files import AlreadyThere
from workbench.session.no_claim import NoClaim


def add_options(parser: argparse.ArgumentParser) -> None:
    """The flags by which a release is written all the same."""
    parser.add_argument(
        "--without-claim",
        action="store_true",
        help="write the release even if the (ε, δ) that was asked for cannot be claimed; its statement then says why. "
        "Without this flag nothing is written, and the command ends with 2. Some reasons, such as a person with more "
        "rows than declared, tell a fact of the data: messages and exit code are for the analyst only",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="overwrite a release that is there, its statement and its note; what it cost stays spent",
    )


@contextlib.contextmanager
def flags_named(hint: str = "") -> Iterator[None]:
    """Say which flag allows what is refused.

    Parameters
    ----------
    hint
        What else would help where no claim can be made.
    """
    try:
        yield
    except NoClaim as error:
        what = "with (ε, δ) for its choices as they are and no more" if error.given else "without a claim"
        flag = f"To write the release all the same, {what}, add --without-claim."
        first, *rest = error.lines
        raise WorkbenchError(first, hint=f"{hint} {flag}".strip(), field=error.field, details=rest) from error
    except AlreadyThere as error:
        flag = "Give another name, or add --force to overwrite what is there."
        raise WorkbenchError(error.message, hint=flag, field=error.field) from error
