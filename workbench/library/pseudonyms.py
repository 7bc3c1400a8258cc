"""Copies with pseudonyms, which are no anonymous ones."""

from __future__ import annotations

from pathlib import Path

from workbench.library.plainly import plainly
from workbench.session import pseudonyms


@plainly
def new_pseudonym_key(path: str | Path = "") -> Path:
    """Make a key of pseudonyms, once, in a file that only you may read; returns the file, and nothing of the key.

    >>> wb.new_pseudonym_key("keys/pseudonyms.pem").name
    'pseudonyms.pem'

    Parameters
    ----------
    path
        The file, where nothing is yet; "" for the one in your settings.

    Raises
    ------
    Refused
        If something is there, or a key must not lie there.
    """
    return pseudonyms.new_pseudonym_key(Path(path) if path else None)
