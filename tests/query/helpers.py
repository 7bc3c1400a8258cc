"""What the tests of questions share: tiny tables, and draws that are watched or prescribed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from workbench.core.private_draw import Draw
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.core.table import Column, Table
from workbench.query.catalogue import QueryDraft
from workbench.query.draws import ExactDraws
from workbench.query.mechanism import Statistic
from workbench.query.planning import Plan, plan
from workbench.query.rows import Rows

NAMES = ("age", "town")


def schema(rows_per_person: int = 1, **more: Any) -> Schema:
    """Two columns: a number with public bounds and a category with a public domain."""
    return Schema(
        (
            ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 3.0), **more),
            ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C")),
        ),
        PrivacyUnit(rows_per_person),
    )


def table(rows: Sequence[tuple[str, str]]) -> Table:
    return Table(tuple(Column.from_texts(name, [row[place] for row in rows]) for place, name in enumerate(NAMES)))


def question(
    kind: str,
    epsilon: str = "1",
    where: str = "",
    rows_per_person: int = 1,
    described: Schema | None = None,
    **values: Any,
) -> Plan:
    draft = QueryDraft(kind, epsilon, values, where)
    return plan(draft, described or schema(rows_per_person))


def measured(one: Plan, rows: Sequence[tuple[str, str]], described: Schema | None = None) -> Statistic:
    """The true statistic of a question about a tiny table."""
    whole = table(rows)
    return one.mechanism.measure(Rows.of(whole, described or schema(), one.where))


def seeded(seed: int) -> ExactDraws:
    return ExactDraws(SeededSource(seed))


@dataclass
class Watched:
    """Draws that follow a script and remember what was asked for."""

    noises: Iterator[int] = field(default_factory=lambda: iter(()))
    places: Iterator[int] = field(default_factory=lambda: iter(()))
    rates: list[Fraction] = field(default_factory=list)
    choices: list[tuple[list[int], list[int], Fraction]] = field(default_factory=list)
    scores: list[tuple[list[int], Fraction, Draw]] = field(default_factory=list)

    def two_sided(self, rate: Fraction) -> int:
        self.rates.append(rate)
        return next(self.noises)

    def two_sided_power(self, alpha: Fraction) -> int:
        self.rates.append(alpha)
        return next(self.noises)

    def choice(self, widths: Sequence[int], losses: Sequence[int], rate: Fraction) -> int:
        self.choices.append((list(widths), list(losses), rate))
        return next(self.places)

    def below(self, bound: int) -> int:
        return 0

    def position(self, scores: Sequence[int], rate: Fraction, draw: Draw) -> int:
        self.scores.append((list(scores), rate, draw))
        return next(self.places)
