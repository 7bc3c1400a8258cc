"""The words of an engine about an error, without values of the data, which stand in them too."""

from __future__ import annotations

import re

_VALUE = re.compile(r"[\"'“”‘’`(\[{<]|(?<![A-Za-z_])[-+]?\d")
"""Where a value may begin: a quotation mark, a bracket, or a number that is no part of a word."""


def without_values(said: str) -> str:
    """The beginning of a sentence of an engine, up to where a value of the data may stand.

    >>> without_values("Conversion Error: Could not convert string 'Ada' to INT32")
    'Conversion Error: Could not convert string …'
    >>> without_values("Division by zero.")
    'Division by zero.'
    """
    found = _VALUE.search(said)
    return said if found is None else f"{said[: found.start()]}…"
