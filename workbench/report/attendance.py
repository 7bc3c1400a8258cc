"""The words of statements on perturbed reports about who sent one."""

from __future__ import annotations


def who(hidden: bool | None) -> str:
    """Whether it is hidden who takes part; None if it was not recorded."""
    return "not recorded" if hidden is None else "hidden" if hidden else "not hidden"


def neighbours(hidden: bool | None) -> str:
    """Between what the chances of a report differ by e^ε at most."""
    if hidden:
        return "whatever one person's rows say: any two answers, or an answer and to take no part"
    return "any two answers of one person who reports"


def not_summed(hidden: bool | None) -> tuple[str, ...]:
    """The caution about reports that may show who takes part."""
    if hidden:
        return ()
    may = "may depend" if hidden is None else "depends"
    return (
        f"Whether a row reports {may} on its values. What these reports and other releases of the same data tell "
        "together is therefore not bounded by any sum.",
    )
