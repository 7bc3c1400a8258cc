"""The texts that the values of Arrow's columns become, as a CSV would hold them; see `workbench.io.parquet`."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

_EXACT = float(1 << 53)
_FRACTION = re.compile(r"\.([0-9]*?)0+(?=Z?$)")


def numbered(values: Any) -> tuple[list[str], NDArray[np.int32]]:
    """The texts of an Arrow array, each distinct value once, and for every cell which of them it is; -1 for nothing."""
    import pyarrow as pa

    nested = pa.types.is_nested(values.type)
    if nested or pa.types.is_null(values.type):
        texts = ["" if value is None else _json(value) for value in values.to_pylist()]
        return texts, np.arange(len(texts), dtype=np.int32)
    encoded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    texts = _texts(encoded.dictionary, pa)
    places = encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return texts, places.astype(np.int32)


def plain_cell(value: str | int | float | None) -> str:
    """The text of a cell of a released file."""
    return number_as_text(value) if isinstance(value, float) else "" if value is None else str(value)


def _texts(values: Any, pa: Any) -> list[str]:
    """The text of each value of an array without nulls or structure."""
    kind = values.type
    if pa.types.is_floating(kind):
        narrow = kind.bit_width < 64
        return [number_as_text(value, narrow) for value in values.cast(pa.float32() if narrow else kind).to_pylist()]
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return [bytes_as_text(value) for value in values.to_pylist()]
    if pa.types.is_timestamp(kind) and kind.tz is not None:
        values = values.cast(pa.timestamp(kind.unit, "UTC"))
    texts: list[str | None] = values.cast(pa.string()).to_pylist()
    if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return [_FRACTION.sub(_shorter, text or "") for text in texts]
    return [text or "" for text in texts]


def _shorter(found: re.Match[str]) -> str:
    return f".{found[1]}" if found[1] else ""


def number_as_text(value: float | None, narrow: bool = False) -> str:
    """A number as short as it can be written; whole ones without a fraction, and nothing for nan."""
    if value is None or value != value:
        return ""
    if value.is_integer() and abs(value) <= _EXACT:
        return str(int(value))
    return str(np.float32(value)) if narrow else repr(value)


def bytes_as_text(value: bytes) -> str:
    """Bytes as the text they are, or as hexadecimal digits."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.hex()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
