"""Pieces of columns as they come from the process that reads a file, checked."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.io.coded_column import CodedColumn
from workbench.io.foreign import frames
from workbench.io.foreign.child import Child


def sound(texts: list[str]) -> list[str]:
    """Texts with � for halves of characters, which JSON can name and no file can hold."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
    return texts


@dataclass(frozen=True, eq=False)
class ColumnPiece:
    """Some rows of one column: the texts, and for each row which of them it has; -1 for none."""

    place: int
    texts: list[str]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, child: Child, place: int, payload: bytes) -> ColumnPiece:
        """The piece that a frame holds.

        Raises
        ------
        WorkbenchError
            If it holds none.
        """
        try:
            rows, length = frames.LENGTHS.unpack_from(payload)
            start = frames.LENGTHS.size
            texts = json.loads(payload[start : start + length])
            codes = np.frombuffer(payload, "<i4", offset=start + length)
        except (ValueError, RecursionError, struct.error) as error:
            raise child.nonsense() from error
        if type(texts) is not list or set(map(type, texts)) - {str} or len(codes) != rows:
            raise child.nonsense()
        if rows and not -1 <= int(codes.min()) <= int(codes.max()) < len(texts):
            raise child.nonsense()
        return cls(place, sound(texts), codes.astype(np.int32))

    def add_to(self, column: CodedColumn) -> None:
        """Append the rows to a column that grows."""
        codes = np.array([column.codes[text] for text in self.texts], dtype=np.int64)
        places = self.codes.astype(np.int64)
        if (places < 0).any():
            codes = np.append(codes, column.codes[""])
        column.add_coded(np.take(codes, places) if len(places) else places)
