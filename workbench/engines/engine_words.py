"""The words of an engine about an error, without values of the data, which stand in them too.

A value may stand anywhere, in quotation marks or bare (“missing ): Ada”, “with value nan”). So nothing is told but the
class of an error and beginnings of sentences that are known to hold none.
"""

from __future__ import annotations

_BEGINNINGS = (
    "Could not convert string",
    "Division by zero",
    "For input string",
    "Invalid string encoding found in Parquet file",
    "Malformed JSON",
    "The value",
    "invalid date field format",
    "invalid timestamp field format",
)


def without_values(kind: str, said: str) -> str:
    """The class of an error, and how its sentence begins if that is known.

    >>> without_values("Conversion Error", "Could not convert string 'Ada' to INT32")
    'Conversion Error: Could not convert string …'
    >>> without_values("Invalid Input Error", "missing ): Ada("), without_values("", "Division by zero.")
    ('Invalid Input Error', 'Division by zero')
    """
    found = next((one for one in _BEGINNINGS if said.startswith(one)), "")
    if found and said.rstrip(". ") != found:
        found += " …"
    return ": ".join(filter(None, (kind, found))) or "unknown error"
