"""Checks of what a search is asked, before anything is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from workbench.anonymise.privacy import ModelChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Table


def check_roles(table: Table, hierarchies: Mapping[str, Hierarchy], models: Sequence[ModelChoice]) -> None:
    """Refuse models without columns to generalise, twice the same, or that contradict each other or the hierarchies.

    Raises
    ------
    WorkbenchError
        If there are any; `field` names the column or parameter.
    """
    if not hierarchies:
        raise WorkbenchError(
            "No column has a hierarchy, so there is nothing to generalise.",
            hint="Attach a hierarchy to every column by which a person could be recognised.",
            field="hierarchies",
        )
    for name in hierarchies:
        table[name]  # Raises if there is no such column.
    if not models:
        raise WorkbenchError(
            "No privacy model is chosen, so nothing would be anonymised.", hint="Add k-anonymity.", field="models"
        )
    seen: set[tuple[str, str]] = set()
    for choice in models:
        title = choice.model.title
        if (choice.identifier, choice.column) in seen:
            column = f" for “{choice.column}”" if choice.column else ""
            raise WorkbenchError(f"{title} is chosen twice{column}.", hint="Keep the stricter one.", field="models")
        seen.add((choice.identifier, choice.column))
        for column in (choice.column, *(choice.subset or ())[:1]):
            if column and column in hierarchies:
                raise WorkbenchError(
                    f"{title} needs “{column}” as it is, but “{column}” is generalised.",
                    hint=f"Remove the hierarchy of “{column}”, or choose another column for {title}.",
                    field=column,
                )
    subsets = {choice.subset for choice in models if choice.subset is not None}
    if len(subsets) > 1:
        raise WorkbenchError(
            "The privacy models disagree about which rows are released.",
            hint="Give all of them the same column and value.",
            field="subset_column",
        )


NO_SHARE = (
    "The suppression limit must lie between 0 and 1, not {value}.",
    "0.04 allows 4 % of the rows to be suppressed.",
)
"""Error message and hint for a suppression limit that is none, here and where it is declared as a setting."""


def checked_share(limit: float) -> Fraction:
    """The suppression limit as the number that was typed.

    Raises
    ------
    WorkbenchError
        If it is no number from 0 to 1.
    """
    if isinstance(limit, bool) or not isinstance(limit, (int, float)) or not 0 <= limit <= 1:
        message, hint = NO_SHARE
        raise WorkbenchError(message.format(value=limit), hint=hint, field="suppression_limit")
    # What was typed, 0.29, and not the nearest binary number, which would round 29 of 100 rows down to 28.
    return Fraction(repr(limit))


def checked_weights(names: Sequence[str], weights: Mapping[str, float]) -> dict[str, float]:
    """The weight of every generalised column, 1 unless given.

    Raises
    ------
    WorkbenchError
        If one is given for another column or is no such number, or all are 0.
    """
    for name, weight in weights.items():
        if name not in names:
            raise WorkbenchError(
                f"“{name}” is not generalised, so it has no weight.",
                hint=f"Generalised columns are: {', '.join(names)}.",
                field=name,
            )
        if not (0 <= weight < float("inf")):
            raise WorkbenchError(
                f"The weight of “{name}” must be a number from 0, not {weight}.",
                hint="1 is the usual weight.",
                field=name,
            )
    found = {name: float(weights.get(name, 1.0)) for name in names}
    if not any(found.values()):
        raise WorkbenchError(
            "All weights are 0, so nothing would count as a loss.",
            hint="Give a column a weight above 0.",
            field="weights",
        )
    return found
