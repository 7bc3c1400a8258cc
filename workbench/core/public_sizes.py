"""The number of labels of a hierarchy at each level, as far as it is public, and whether it is a list or a convention.

A hierarchy that was built by a public rule may list the values that occur in the data, so how many labels it has tells
of a row. What counts here is the specification alone: values it lists, or its rule with round numbers for what nobody
said. A hierarchy whose values were given with it is a list that was fixed without this data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.occurring import CYCLES, UNITS_A_YEAR, listed_places, occurring_labels
from workbench.core.postcodes import LEVELS as POSTCODE_LEVELS
from workbench.core.widening import is_widening, level_ends

FEW_VALUES = 8
"""As many values a column is taken to have of which it is only known that they are few."""

_LABELS = 16.0
"""Labels at level 0 of a hierarchy of which nothing is known but its height; at level ℓ of h it has 16^(1 − ℓ/h)."""
UNSAID_NUMBERS = 1_000
"""Numbers that a column without bounds is taken to have, and below it the intervals at the lowest level."""
_INTERVALS = 16
_LETTERS = 10
"""Characters that may stand at one place of a code."""
_POSTCODES: Mapping[str, int] = {"unit": 1_700_000, "sector": 11_000, "district": 3_000, "area": 124}
"""About as many of each part of a postcode there are in the United Kingdom."""
_YEARS = 100
"""Dates are taken to lie within so many years."""
_DAYS = 365 * _YEARS
_UNITS: Mapping[str, int] = {
    **{unit: _YEARS * many for unit, many in UNITS_A_YEAR.items()},
    **CYCLES,
    "decade": _YEARS // 10,
}


@dataclass(frozen=True)
class PublicSizes:
    """Labels of a column by level.

    Parameters
    ----------
    labels
        At level 0, 1, …, without `*`; at least 1 each, never rising, and 1 where everything is `*`.
    listed
        Whether they are counted in a list, or in what somebody says can occur; otherwise they follow from a rule and
        round numbers.
    """

    labels: tuple[int, ...]
    listed: bool


_known: WeakKeyDictionary[Hierarchy, PublicSizes] = WeakKeyDictionary()


def public_sizes(hierarchy: Hierarchy | None, said: Sequence[str] = ()) -> PublicSizes:
    """How many labels a column has at each level, from what is public of its hierarchy alone.

    Parameters
    ----------
    hierarchy
        None of a column that is declared to have few public values: it is released as it is, or as `*`.
    said
        What somebody says can occur of it (`core.occurring`), which counts even where it is more than a rule is taken
        to have; what cannot be read here, because the hierarchy was exchanged since, counts for nothing.
    """
    if hierarchy is None:
        return PublicSizes((len(said), 1), True) if said else PublicSizes((FEW_VALUES, 1), False)
    if hierarchy not in _known:
        _known[hierarchy] = _sizes(hierarchy)
    possible = _known[hierarchy]
    try:
        occurring = occurring_labels(hierarchy, said)
    except WorkbenchError:
        occurring = None
    if occurring is None:
        return possible
    return _falling(occurring, hierarchy.ends_in_any, listed=True)


def _sizes(hierarchy: Hierarchy) -> PublicSizes:
    if hierarchy.provenance is not Provenance.PUBLIC:
        return _by_height(hierarchy.height)
    listed = listed_places(hierarchy)
    if listed is not None:
        return _counted(hierarchy, listed)
    if hierarchy.specification is None:
        return _by_height(hierarchy.height)
    if is_widening(hierarchy.specification):
        own = (len(level_ends(hierarchy.specification, level)) for level in range(1, hierarchy.height + 1))
        return _falling([UNSAID_NUMBERS, *(max(1, many) for many in own)], hierarchy.ends_in_any, listed=False)
    rule = _RULES.get(hierarchy.specification["builder"])
    found = rule(hierarchy.specification["parameters"], hierarchy.specification["details"]) if rule else []
    if not found:
        return _by_height(hierarchy.height)
    return _falling([*found, *[1] * hierarchy.height][: hierarchy.height + 1], hierarchy.ends_in_any, listed=False)


def _counted(hierarchy: Hierarchy, values: Iterable[int]) -> PublicSizes:
    places = np.fromiter(values, np.intp)
    found = []
    for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True):
        some = {labels[code] for code in np.flatnonzero(np.bincount(codes[places])).tolist()}
        found.append(len(some - {ANY}))
    return _falling(found, False, listed=True)


def _by_height(height: int) -> PublicSizes:
    return _falling(
        [round(_LABELS ** (1 - level / max(height, 1))) for level in range(height + 1)], False, listed=False
    )


def _falling(found: Iterable[int], topped: bool, *, listed: bool) -> PublicSizes:
    sizes: list[int] = []
    for size in found:
        sizes.append(max(1, min(size, *sizes[-1:]) if sizes else size))
    if topped:
        sizes[-1] = 1
    return PublicSizes(tuple(sizes), listed)


def _of_dates(_parameters: Mapping[str, Any], details: Mapping[str, Any]) -> list[int]:
    units = [entry.get("unit", "") for entry in details.get("levels", ())]
    return [_DAYS, *(_UNITS.get(unit, 1) for unit in units)]


def _of_masking(parameters: Mapping[str, Any], _details: Mapping[str, Any]) -> list[int]:
    length, step = parameters["length"], parameters["step"]
    return [_LETTERS ** min(max(length - hidden, 0), 12) for hidden in range(0, length + step, step)]


def _of_postcodes(parameters: Mapping[str, Any], _details: Mapping[str, Any]) -> list[int]:
    levels = POSTCODE_LEVELS[POSTCODE_LEVELS.index(parameters["finest"]) :]
    return [_POSTCODES["unit"], *(_POSTCODES[level] for level in levels)]


def _of_spelling(_parameters: Mapping[str, Any], _details: Mapping[str, Any]) -> list[int]:
    # In other letters a value says the same.
    return [FEW_VALUES, FEW_VALUES]


def _of_intervals(_parameters: Mapping[str, Any], details: Mapping[str, Any]) -> list[int]:
    joined, found = 1.0, [UNSAID_NUMBERS]
    for entry in details.get("levels", ()):
        group = entry.get("group", 1)
        joined *= sum(group) / len(group) if isinstance(group, list) else group
        found.append(max(2, ceil(_INTERVALS / joined)))
    return found


_RULES = {
    "dates": _of_dates,
    "masking": _of_masking,
    "postcodes": _of_postcodes,
    "spelling": _of_spelling,
    "intervals": _of_intervals,
}
