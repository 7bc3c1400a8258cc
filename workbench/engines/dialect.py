"""Dialects of the SQL engines, and the one place where names and texts are quoted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class SqlDialect:
    """The differences between engines.

    Parameters
    ----------
    row
        An expression that numbers the rows of a stored relation: unique, and rising in the order of the file.
    carry_row
        What a relation made from another one must select to keep that numbering; "" if rows are numbered by themselves.
    in_order
        What follows a SELECT from one stored relation so that its rows come in the order of the numbering; "" where
        they do anyway.
    kept_order
        What must end a SELECT from one stored relation, called d, that is joined with others, so that what is kept of
        it has the same order; "" where the numbering is carried along.
    sha256
        A function of a text: its SHA-256 as 64 lower-case hexadecimal digits.
    from_hex
        A function of a text of up to 15 hexadecimal digits: the 64-bit integer they write.
    numbers
        A function of three expressions: a row for each of the numbers from the first to before the second, which is
        larger, in steps of the third.
    stripped
        A function of a text and of characters: the text without those of them that stand at its beginning or end.
    text, whole, real
        The types of texts, of 64-bit integers and of 64-bit floats.
    mark
        The quotation mark around names; within a name it is doubled.
    backslashes
        Whether a backslash in a text is an escape, so that it must be doubled.
    """

    row: str
    carry_row: str
    in_order: str
    kept_order: str
    sha256: Callable[[str], str]
    from_hex: Callable[[str], str]
    numbers: Callable[[str, str, str], str]
    stripped: Callable[[str, str], str]
    text: str
    whole: str
    real: str
    mark: str
    backslashes: bool

    def name(self, text: str) -> str:
        """A name of a column or relation, whatever it is made of."""
        return self.mark + text.replace(self.mark, 2 * self.mark) + self.mark

    def literal(self, value: str | int) -> str:
        """A text or whole number as it stands in a statement."""
        if isinstance(value, int):
            return str(int(value))
        if self.backslashes:
            return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
        return "'" + value.replace("'", "''") + "'"


DUCKDB = SqlDialect(
    row="rowid",
    carry_row="",
    in_order="",
    kept_order=" ORDER BY d.rowid",
    sha256=lambda text: f"sha256({text})",
    from_hex=lambda text: f"CAST('0x' || {text} AS BIGINT)",
    numbers=lambda start, stop, step: f"unnest(range({start}, {stop}, {step}))",
    stripped=lambda text, characters: f"trim({text}, {characters})",
    text="VARCHAR",
    whole="BIGINT",
    real="DOUBLE",
    mark='"',
    backslashes=False,
)

SPARK = SqlDialect(
    row="r",
    carry_row="r",
    in_order=" ORDER BY r",
    kept_order="",
    sha256=lambda text: f"sha2({text}, 256)",
    from_hex=lambda text: f"CAST(conv({text}, 16, 10) AS BIGINT)",
    numbers=lambda start, stop, step: f"explode(sequence({start}, {stop} - 1, {step}))",
    stripped=lambda text, characters: f"btrim({text}, {characters})",
    text="STRING",
    whole="BIGINT",
    real="DOUBLE",
    mark="`",
    backslashes=True,
)
