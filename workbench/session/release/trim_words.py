"""The effect of trimming on groups, in sentences. All of it follows from the guarantee, and nothing from the data."""

from __future__ import annotations

from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.number_text import estimate, percent

_NEARLY = 0.99995


def gives_up(promised: TrimGuarantee) -> str:
    """How many rows a group gives up on average."""
    of_step = " of the finest step" if len(promised.shares) > 1 else ""
    return f"A group{of_step} gives up {estimate(promised.mean_lost)} rows on average, and none is invented."


def chance_of(promised: TrimGuarantee, rows: int) -> str:
    """How likely something of a group of so many rows is released."""
    chance = promised.keep(rows)
    if chance == 1:
        return "always"
    if chance > _NEARLY:
        return f"with a probability of over {percent(_NEARLY, 6)}"
    return f"with a probability of {percent(chance)}"
