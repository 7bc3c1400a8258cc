"""Edits of the specification of a hierarchy by hand: every edit gives a new one and leaves the old one as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.core import tree_edits
from workbench.core.hierarchy import ANY

Specification = Mapping[str, Any]


def with_parameter(specification: Specification, name: str, value: object) -> Specification:
    """The specification with another value of a parameter."""
    return {**specification, "parameters": {**specification["parameters"], name: value}}


def with_details(specification: Specification, **entries: object) -> Specification:
    """The specification with other details; None takes an entry away."""
    details = {**specification["details"], **entries}
    return {**specification, "details": {name: value for name, value in details.items() if value is not None}}


def covered(specification: Specification) -> Specification:
    """The specification by which values the rule does not cover become `*`."""
    return with_parameter(specification, "unlisted", "any")


def listed(specification: Specification, values: Sequence[str]) -> Specification:
    """The specification that lists values as well; then the list came from the data, whatever was said of it."""
    details = specification["details"]
    if specification["builder"] == "categories":
        trees = details.get("tree", [])
        trees = trees if isinstance(trees, list) else [trees]
        fresh = with_details(specification, tree=[*trees, *values])
    elif specification["builder"] == "order":
        fresh = with_details(specification, sequence=[*details.get("sequence", ()), *values])
    else:
        rows = details.get("rows", [])
        height = max(map(len, rows), default=1) - 1
        fresh = with_details(specification, rows=[*rows, *([value, *[ANY] * height] for value in values)])
    return with_parameter(fresh, "declared", False)


def without_repeats(specification: Specification) -> Specification:
    """The specification of a tree in which every value stands once."""
    trees = specification["details"].get("tree", [])
    return with_details(specification, tree=tree_edits.without_repeats(trees if isinstance(trees, list) else [trees]))
