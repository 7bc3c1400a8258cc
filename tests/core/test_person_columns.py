"""Which columns are asked about, because their values repeat as people do."""

from __future__ import annotations

import pytest

from workbench.core.person_columns import Likeness, person_columns
from workbench.core.schema import Schema
from workbench.core.table import Column, Table
from workbench.io.infer import propose


def found(name: str, texts: list[str]) -> list[Likeness]:
    column = Column.from_texts(name, texts)
    return [one.likeness for one in person_columns(Table((column,)), Schema((propose(column),)))]


def unevenly(distinct: int, text: str = "{}") -> list[str]:
    return [text.format(i) for i in range(distinct) for _ in range(1 + i % 7)]


@pytest.mark.parametrize(
    "name,texts,likeness",
    [
        ("user", unevenly(1000), Likeness.NAMED),
        ("PatientNr", unevenly(60), Likeness.NAMED),
        ("record_id", unevenly(60), Likeness.NUMBERED),
        ("reference", unevenly(60, "P-{:04}"), Likeness.SHAPE),
        ("contact", unevenly(60, "person{}@example.org"), Likeness.SHAPE),
        ("subject of it", [f"{i}" for i in range(60) for _ in range(3)], Likeness.NAMED),
        ("name", unevenly(60), Likeness.SHAPE),
        ("panel", [f"{i}" for i in range(60) for _ in range(3)], Likeness.SHAPE),
        ("who", [f"Ann{'abcdefghij'[i % 10]} Lee{'abcdefgh'[i // 10]}" for i in range(60)] * 2, Likeness.SHAPE),
    ],
)
def test_what_repeats_as_people_do_is_asked_about(name: str, texts: list[str], likeness: Likeness) -> None:
    assert found(name, texts) == [likeness]


@pytest.mark.parametrize(
    "name,texts",
    [
        ("user", [f"{i}" for i in range(1000)]),  # nobody has two rows
        ("user type", ["guest", "member"] * 50),  # sorts people
        ("age", unevenly(70)),
        ("zip code", unevenly(200, "{:05}")),
        ("job title", unevenly(60, "Officer {}")),
        ("income", unevenly(300, "{}.5")),
        ("diagnosis", unevenly(40, "E{:03}")),
        ("count", unevenly(100)),
        ("empty", ["", "", ""]),
    ],
)
def test_what_many_people_share_is_not(name: str, texts: list[str]) -> None:
    assert found(name, texts) == []


def test_the_likeliest_comes_first_and_says_what_was_counted() -> None:
    columns = tuple(
        Column.from_texts(name, [f"{i % 50}" for i in range(150)]) for name in ("panel", "case number", "client")
    )
    table = Table(columns)
    ones = person_columns(table, Schema(tuple(map(propose, columns))))
    assert [one.name for one in ones] == ["client", "case number", "panel"]
    assert ones[0].words == "“client” repeats as people do: 50 values, up to 3 rows each."
    assert "client" not in repr(ones[0])


def test_what_stands_for_no_value_repeats_as_nobody_does() -> None:
    names = [f"Ann{'abcdefghij'[i % 10]} Lee{'abcdefgh'[i // 10]}" for i in range(60)]
    assert not found("Name", [*names, *["n/a"] * 40])
    assert found("Name", [*names, *names[:20], *["n/a"] * 40]) == [Likeness.SHAPE]


def test_columns_of_names_come_last_since_people_can_share_one() -> None:
    columns = tuple(
        Column.from_texts(name, [f"{i % 50}" for i in range(150)]) for name in ("Full name", "surname", "case number")
    )
    ones = person_columns(Table(columns), Schema(tuple(map(propose, columns))))
    assert [one.name for one in ones] == ["case number", "Full name", "surname"]
