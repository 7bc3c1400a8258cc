"""Whether two projects say the same, and where they do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec
from workbench.project.model import Project
from workbench.project.restoring import without_values


def forgetting(project: Project, now: Project) -> Project:
    """Undo takes back no history, nor which data is open, nor what an experiment found and where it is looked at."""
    same = len(project.comparing.documents) == len(now.comparing.documents)
    documents = (
        tuple(
            replace(one, kept=other.kept, place=other.place, enough=other.enough)
            for one, other in zip(project.comparing.documents, now.comparing.documents, strict=True)
        )
        if same
        else project.comparing.documents
    )
    comparing = replace(project.comparing, documents=documents)
    return replace(project, histories=now.histories, data=now.data, comparing=comparing)


def levels_of(hierarchy: Hierarchy, values: frozenset[str]) -> dict[str, list[str]]:
    """What becomes of these values; those a rule covers come again with the data."""
    return {row[0]: list(row[1:]) for row in hierarchy.rows() if row[0] in values}


def difference(one: Any, other: Any, where: str = "project") -> str:
    """Where two projects do not say the same, "" if they do; a file knows lists and no tuples."""
    if isinstance(one, Hierarchy) and isinstance(other, Hierarchy):
        listed = frozenset([*one.as_listed().values, *other.as_listed().values])
        one, other = (
            (levels_of(each, listed), each.provenance, each.origin, each.specification, each.covers_all)
            for each in (one, other)
        )
    if isinstance(one, ColumnSpec) and isinstance(other, ColumnSpec):
        one, other = without_values(one), without_values(other)  # what was read from the data is read again
    if is_dataclass(one) and type(one) is type(other):
        pairs = [(part.name, getattr(one, part.name), getattr(other, part.name)) for part in fields(one)]
    elif isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        pairs = [(name, one[name], other[name]) for name in one]
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        pairs = [(str(place), *both) for place, both in enumerate(zip(one, other, strict=True))]
    else:
        unknown = one != one and other != other  # no number: what was found where nothing can be
        return "" if unknown or one == other else f"{where}: {one!r} is not {other!r}"
    return next(filter(None, (difference(mine, yours, f"{where}.{name}") for name, mine, yours in pairs)), "")
