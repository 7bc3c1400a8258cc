"""What the window says of an answer whose columns were read otherwise, or of whose rows others took part."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.core.schema import ColumnSpec, Format, Kind, Misfits, Schema
from workbench.core.working_table import Preparation
from workbench.query.circumstances import columns_read, working_table
from workbench.query.read_then import Otherwise, otherwise

EURO, COMMA = Format(".", "", "€"), Format(",", ".", "€")
DAY_FIRST, MONTH_FIRST = Format(pattern="%d/%m/%Y"), Format(pattern="%m/%d/%Y")
ALL = Preparation()


def pay(kind: Kind = Kind.INTEGER, **described: Any) -> Schema:
    return Schema((ColumnSpec("Pay", kind, **described),))


def asked(schema: Schema, preparation: Preparation = ALL) -> dict[str, Any]:
    return {"columns": columns_read(schema, preparation, ["Pay"]), "table": working_table(schema, preparation)}


@pytest.mark.parametrize(
    ("then", "now", "words"),
    [
        (pay(Kind.MONEY, format=EURO), pay(Kind.MONEY, format=COMMA), "“1.234” as 1.234, now as 1,234"),
        (pay(Kind.MONEY, format=EURO), pay(Kind.MONEY, format=Format(symbol="$")), "with €, now with $"),
        (
            pay(Kind.DECIMAL),
            pay(Kind.INTEGER, format=Format(",", ".")),
            "as decimal number, now as whole number; “1.234” as 1.234, now as 1,234",
        ),
        (
            pay(Kind.DATE, format=DAY_FIRST),
            pay(Kind.DATE, format=MONTH_FIRST),
            "“01/02/2003” as 2003-02-01, now as 2003-01-02",
        ),
        (pay(Kind.DATE, format=DAY_FIRST), pay(Kind.TEXT), "as date, now as text"),
        (
            pay(missing=("", "-9")),
            pay(missing=("", "n/a")),
            "“-9” counted as no value; “n/a” counted as a value",
        ),
        (pay(), pay(misfits=Misfits.MISSING), "what does not fit its kind was treated otherwise"),
        (pay(Kind.ORDERED, domain=("low", "high")), pay(Kind.ORDERED, domain=("high", "low")), "in another order"),
    ],
)
def test_another_reading_is_told_by_a_made_up_example(then: Schema, now: Schema, words: str) -> None:
    assert otherwise(asked(then), now, ALL) == Otherwise("read otherwise", f"Pay read otherwise then: {words}.")
    assert not otherwise(asked(then), then, ALL)
    assert otherwise(asked(now), then, ALL)


def test_other_rows_are_told_where_the_reading_is_the_same() -> None:
    some = Preparation(where="Pay > 30")
    found = otherwise(asked(pay()), pay(), some)
    assert found == Otherwise("other rows", "Rows then: all rows; now: only rows with Pay > 30.")
    back = otherwise(asked(pay(), some), pay(), ALL)
    assert back.words == "Rows then: only rows with Pay > 30; now: all rows."
    assert not otherwise(asked(pay(), some), pay(), some)


def test_a_column_that_is_gone_is_told() -> None:
    found = otherwise(asked(pay()), Schema((ColumnSpec("Wage"),)), ALL)
    assert found.words == "Pay is no column of the table now."


@pytest.mark.parametrize(
    "question", [{}, {"columns": 3}, {"columns": {"Pay": 7}}, {"table": 3}, {"columns": {"Pay": {"kind": "odd"}}}]
)
def test_what_another_version_wrote_is_never_an_error(question: dict[str, Any]) -> None:
    assert "nan" not in otherwise(question, pay(), ALL).words
