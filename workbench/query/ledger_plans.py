"""Plans in a ledger: releases that are fixed before the first of them is drawn, and are charged together.

A plan is a charge of its own kind, whose slots say what may be drawn in it. What is drawn in a slot is charged as ever,
names the slot, and costs nothing more. A program that knows nothing of plans counts both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from workbench.core.charged_mechanism import LossKind, MechanismPart, mechanism_from_json, mechanism_to_json
from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, ReleaseSpending, TablePart
from workbench.core.errors import WorkbenchError
from workbench.core.exact import parse_fraction
from workbench.core.json_values import listed, named, text, texts, truth, whole
from workbench.core.planned_composition import outside_plans, planned_price
from workbench.core.typed_fields import typed_fields

PLAN = "plan"
"""The kind of charge that is a plan."""
MOST_SLOTS = 10_000


@dataclass(frozen=True)
@typed_fields
class PlanSlot:
    """The charge that may be drawn in one slot of a plan; the fields are those of a charge."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    rows_per_person: int = 1
    neighbours: str = ADD_REMOVE
    cells: TablePart | None = None
    open_participation: bool = False
    mechanism: tuple[MechanismPart, ...] = ()

    def __post_init__(self) -> None:
        if not (self.epsilon >= 0 and 0 <= self.delta <= 1 and self.rows_per_person >= 1):
            raise ValueError("a slot for something impossible")
        if self.neighbours not in (ADD_REMOVE, REPLACE_ONE):
            raise ValueError("unknown neighbours")

    @property
    def spending(self) -> ReleaseSpending:
        """The spending of a draw in this slot."""
        return ReleaseSpending(
            self.epsilon,
            self.delta,
            self.rows_per_person,
            cells=self.cells,
            neighbours=self.neighbours,
            open_participation=self.open_participation,
            mechanism=self.mechanism,
        )

    @classmethod
    def of(cls, spending: ReleaseSpending) -> PlanSlot:
        """The slot for a release like this."""
        return cls(
            spending.epsilon,
            spending.delta,
            spending.rows_per_person,
            spending.neighbours,
            spending.cells,
            spending.open_participation,
            spending.mechanism,
        )

    def to_json(self) -> dict[str, Any]:
        """As a ledger holds it."""
        return {
            "epsilon": str(self.epsilon),
            "delta": str(self.delta),
            "rows_per_person": self.rows_per_person,
            "neighbours": self.neighbours,
            "cells": cells_to_json(self.cells),
            "open_participation": self.open_participation,
            "mechanism": mechanism_to_json(self.mechanism),
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> PlanSlot:
        """The reverse.

        Raises
        ------
        KeyError, TypeError, ValueError, WorkbenchError
            If it is not as this program writes it.
        """
        return cls(
            parse_fraction(text(plain["epsilon"])),
            parse_fraction(text(plain["delta"])),
            whole(plain["rows_per_person"]),
            text(plain["neighbours"]),
            cells_from_json(plain["cells"]),
            truth(plain["open_participation"]),
            mechanism_from_json(plain["mechanism"]),
        )


def cells_to_json(cells: TablePart | None) -> list[str] | None:
    """The part of a table, as a ledger holds it."""
    return None if cells is None else [cells.column, *sorted(cells.values)]


def cells_from_json(plain: object) -> TablePart | None:
    """The reverse."""
    if plain is None:
        return None
    column, *values = texts(plain, "the cells of a charge")
    return TablePart(column, frozenset(values))


def cells_together(cells: Sequence[TablePart | None]) -> TablePart | None:
    """The cells that several look at together, if they are cells of one column."""
    known = [one for one in cells if one is not None]
    if len(known) < len(cells) or len({one.column for one in known}) != 1:
        return None
    return TablePart(known[0].column, frozenset().union(*(one.values for one in known)))


def sampled_before(
    kind: str, parameters: Mapping[str, Any], epsilon: Fraction, delta: Fraction
) -> MechanismPart | None:
    """The sampling that a release was made by, of an entry that does not say what was drawn for it.

    Earlier programs wrote β and k beside what a file cost, without what drawing its levels did, which is an entry of
    its own.
    """
    beta, k = parameters.get("beta"), parameters.get("k")
    if kind != "release" or not isinstance(beta, float) or not isinstance(k, int) or isinstance(k, bool):
        return None
    if parameters.get("models") or not (0 < beta < 1 and k >= 1):
        return None
    return MechanismPart(LossKind.SAMPLE, epsilon, delta, beta, k)


def plan_spending(slots: Sequence[ReleaseSpending], delta: Fraction | None = None) -> ReleaseSpending:
    """The spending of a plan with these slots.

    Parameters
    ----------
    delta
        The δ of the whole, at least that of all slots together, which is meant if it is None.

    Raises
    ------
    WorkbenchError
        If there is nothing or too much in it, the slots speak of different people, or δ is too small.
    """
    if not 1 <= len(slots) <= MOST_SLOTS:
        raise WorkbenchError(
            f"A plan has between one and {MOST_SLOTS:,} releases.", hint="Plan fewer at a time.", field="plan"
        )
    if len({(slot.rows_per_person, slot.neighbours) for slot in slots}) > 1:
        raise WorkbenchError(
            "The releases of a plan are for different numbers of rows per person, or about different neighbours.",
            hint="Make a plan for each kind.",
            field="plan",
        )
    if any(slot.open_participation or slot.slots or not slot.claimed for slot in slots):
        raise WorkbenchError(
            "A plan holds releases with a claim, and none that show who takes part in them.",
            hint="Leave them out.",
            field="plan",
        )
    own = sum((slot.delta for slot in slots), Fraction(0))
    whole_delta = own if delta is None else delta
    if not own <= whole_delta < 1:
        raise WorkbenchError(
            "The δ of a plan must be below 1, and not below the sum of those of its releases.",
            hint="Leave it out for the sum.",
            field="plan_delta",
        )
    plan = ReleaseSpending(
        sum((slot.epsilon for slot in slots), Fraction(0)),
        whole_delta,
        slots[0].rows_per_person,
        cells=cells_together([slot.cells for slot in slots]),
        neighbours=slots[0].neighbours,
        open_participation=any(slot.open_participation for slot in slots),
        slots=tuple(slots),
    )
    epsilon, whole_delta = planned_price(plan, plan.rows_per_person, plan.neighbours)
    return replace(plan, epsilon=epsilon, delta=whole_delta)


def fixed_beforehand(releases: Collection[ReleaseSpending]) -> tuple[ReleaseSpending, ...]:
    """The releases fixed before the first answer of all: the slots of the one plan there is, or the one release.

    Nothing where anything was drawn outside it: its settings may have followed from answers.
    """
    counted = [release for release in outside_plans(releases) if release.spends]
    if len(counted) != 1:
        return ()
    return counted[0].slots or (counted[0],)


def slots_from_json(plain: object) -> tuple[PlanSlot, ...]:
    """The slots of a plan; see `PlanSlot.from_json`."""
    found = listed(plain)
    if len(found) > MOST_SLOTS:
        raise ValueError("too many slots")
    return tuple(PlanSlot.from_json(named(one)) for one in found)
