"""Numbers in words, always rounded to the safe side."""

from __future__ import annotations

import math

from workbench.anonymise.promise import Promise
from workbench.core.number_text import count, rounded_down, rounded_up


def safe(name: str, value: float) -> float:
    """A computed ε, δ, β or k as it may be shown and typed: ε and δ rounded up, β down, k as it is."""
    if name == "k":
        return value
    if name == "beta":
        return float(rounded_down(value))
    shown = float(rounded_up(value))
    # Rounding a δ just below 1 up must not make it 1.
    return value if name == "delta" and shown >= 1 else shown


def facts(promised: Promise) -> tuple[str, str]:
    """What a guarantee means, in two sentences.

    Parameters
    ----------
    promised
        What a run promises in all.
    """
    rows = promised.rows_per_person
    whose = "one person’s row" if rows == 1 else f"one person’s {rows:,} rows"
    return (
        f"A group needs about {count(promised.smallest_class)} rows in the table to survive (k ÷ β).",
        (
            f"If the claim holds: with or without {whose}, the probability of any outcome differs at most by "
            "the factor "
            f"e^ε = {rounded_up(math.exp(promised.epsilon))}, plus δ = {rounded_up(promised.delta)}."
        ),
    )


def split(promised: Promise) -> str:
    """Where ε goes if the levels are drawn privately; "" if all of it is the release's."""
    if promised.search is None:
        return ""
    return (
        f"ε {rounded_up(promised.epsilon)} = {rounded_up(promised.search_epsilon)} for choosing the levels + "
        f"{rounded_up(promised.release.epsilon)} for the release"
    )
