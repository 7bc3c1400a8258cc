"""Names that are proposed for files, from words."""

from __future__ import annotations

import re

_LETTERS = 60


def file_stem(asked: str, source: str, otherwise: str) -> str:
    """A name for a file, without an ending, that says what was asked, and of which file.

    Parameters
    ----------
    source
        The name of that file, whose ending is left out; "" for nothing that has a name.
    otherwise
        The name where no letter is left of all this.

    >>> file_stem("Mean of cost", "visits.csv", "answer")
    'mean-of-cost-visits'
    """
    named = f"{asked} {source.rpartition('.')[0] or source}"
    words = re.sub(r"[^\w]+", "-", named.lower()).strip("-_")
    return words[:_LETTERS].strip("-_") or otherwise
