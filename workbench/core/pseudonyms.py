"""Keyed pseudonyms: a text that stands for a value, the same one wherever the key is the same.

A pseudonym is "p" and the first 100 bits of HMAC-SHA-256 of the value, in the 32 small letters and digits of RFC 4648.
Who does not have the key cannot tell a pseudonym from a random text, nor try values (Krawczyk, Bellare and Canetti, RFC
2104). Among n values two share one with probability at most n²/2^101: for a thousand million 4·10⁻¹³. The letter in
front keeps spreadsheets from reading one as a number.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import unicodedata
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.table import Column, is_missing

KEY_BYTES = 32
_SIGNS = 20
_FOR = b"anonymisation-workbench pseudonym 1\0"
"""Purpose of the key, so that no other use of it gives the same bytes."""


def pseudonym(key: bytes, text: str) -> str:
    """The pseudonym of a value; how its accents are put together makes no difference.

    Raises
    ------
    ValueError
        If the key has another length than `KEY_BYTES`.
    """
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes")
    made = hmac.new(key, _FOR + _same(text).encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
    return f"p{base64.b32encode(made)[:_SIGNS].decode('ascii').lower()}"


def pseudonymised(column: Column, key: bytes, missing: Collection[str]) -> Column:
    """The column with pseudonyms in the place of its values. Parameters and errors as of `pseudonyms_of`."""
    labels, places = pseudonyms_of(column, key, missing)
    return Column(column.name, places[column.codes] if len(places) else column.codes, labels)


def pseudonyms_of(column: Column, key: bytes, missing: Collection[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The pseudonyms of the values of a column; what is missing stays so, as an empty text.

    Parameters
    ----------
    missing
        The texts that stand for no value.

    Returns
    -------
    labels, places
        The pseudonyms, and for each value the place of its own among them, shape (values,).

    Raises
    ------
    WorkbenchError
        If two values would have the same pseudonym, and could not be told apart.
    """
    known: dict[str, str] = {}
    labels: dict[str, int] = {}
    places = np.zeros(len(column.values), dtype=np.int64)
    for number, text in enumerate(column.values):
        made = "" if is_missing(text, missing) else pseudonym(key, text)
        if made and known.setdefault(made, _same(text)) != _same(text):
            raise WorkbenchError(
                f"Two values of “{column.name}” have the same pseudonym.", hint="Use another key.", field=column.name
            )
        places[number] = labels.setdefault(made, len(labels))
    return tuple(labels), places


def _same(text: str) -> str:
    return unicodedata.normalize("NFC", text)
