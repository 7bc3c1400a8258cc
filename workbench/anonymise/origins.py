"""Does a hierarchy that is called public give itself away as made from the data?

Nothing can prove that a list of labels is public. But labels that are the means, medians, geometric means or
least and greatest values of the groups they stand for, over numbers with gaps that no public list would have, were
made from the data that has these numbers. The hierarchy alone says so: whether the data does have them is not looked
up, because whether a release is refused would then tell of its rows. So would values that a list has only since the
data has them, which count for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from workbench.core.building import listed_by
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.kinds import parse_numbers
from workbench.core.schema import ColumnSpec, Format, Kind

_ENOUGH_VALUES = 12
"""Fewer distinct numbers than this may well be a publicly known list."""

_ENOUGH_GROUPS = 3
_SHARE = 0.9
_LARGEST = 200_000
"""Hierarchies of more values are not searched: a person could not have typed them, and a window must not wait."""

_RULES = frozenset({"intervals", "masking", "dates", "redaction", "ends", "spelling", "postcodes"})
"""Builders whose labels follow from a rule; whether the rule is public is known from its parameters already."""

_GROUPED = {
    ".": re.compile(r"\d{1,3}(?:[,'’  ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"),
    ",": re.compile(r"\d{1,3}(?:[.'’  ]\d{3})+(?:,\d+)?|\d+(?:,\d+)?"),
}
"""Unsigned numbers within a label, by the decimal mark: with separators between thousands or without."""

Floats = NDArray[np.float64]

_verdicts: WeakKeyDictionary[Hierarchy, tuple[ColumnSpec, bool]] = WeakKeyDictionary()
"""Last result for each hierarchy, with its column: the claim is looked at after every edit, and few change either."""


def made_from_data(hierarchy: Hierarchy, spec: ColumnSpec) -> bool:
    """Whether the labels of some level are figures of the very values that the hierarchy lists.

    True if nine in ten of these are numbers, with gaps no public list would have, and for nine in ten of the groups of
    several values the label is their mean, median or geometric mean, or names their least and greatest value.
    """
    known = _verdicts.get(hierarchy)
    if known is None or known[0] != spec:
        known = _verdicts[hierarchy] = (spec, _gives_itself_away(hierarchy, spec))
    return known[1]


def _gives_itself_away(hierarchy: Hierarchy, spec: ColumnSpec) -> bool:
    if len(hierarchy.values) > _LARGEST or (hierarchy.specification or {}).get("builder") in _RULES:
        return False
    places = _listed(hierarchy)
    values = [hierarchy.values[place] for place in places]
    listed = len(set(values) - set(spec.missing) - {""})
    if listed < _ENOUGH_VALUES:
        return False
    ground = _numbers(values, spec)
    known = ~np.isnan(ground)
    if known.sum() < max(_ENOUGH_VALUES, _SHARE * listed) or _evenly_spaced(ground[known]):
        return False
    return any(
        _figures_of_groups(ground[known], hierarchy.maps[level][places][known], hierarchy.labels[level], spec)
        for level in range(1, hierarchy.height + 1)
    )


def _listed(hierarchy: Hierarchy) -> NDArray[np.intp]:
    """Where the values stand that are not there for the data alone, as far as that is known."""
    own = np.arange(len(hierarchy.values) - hierarchy.added)
    if hierarchy.specification is None:
        return own
    try:
        typed = set(listed_by(hierarchy.specification))
    except WorkbenchError:  # of a plug-in that is not there
        return own
    # A rule that lists nothing itself, such as that of a plug-in, is over values of the data; its labels say the rest.
    return np.array([place for place in own.tolist() if hierarchy.values[place] in typed], np.intp) if typed else own


def _figures_of_groups(ground: Floats, codes: NDArray[np.int32], labels: Sequence[str], spec: ColumnSpec) -> bool:
    order = np.lexsort((ground, codes))
    numbers, groups = ground[order], codes[order]
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]]) if len(groups) else np.empty(0, np.intp)
    sizes = np.diff(np.r_[starts, len(numbers)])
    several = sizes > 1
    if several.sum() < _ENOUGH_GROUPS:
        return False
    starts, sizes, names = starts[several], sizes[several], groups[starts[several]]
    low, high = numbers[starts], numbers[starts + sizes - 1]
    named = [_numbers_in(labels[name], spec) for name in names.tolist()]
    one = np.array([found[0] if len(found) == 1 else np.nan for found in named])
    spans = [slice(start, start + size) for start, size in zip(starts.tolist(), sizes.tolist(), strict=True)]
    means = np.array([numbers[span].mean() for span in spans])
    medians = (numbers[starts + (sizes - 1) // 2] + numbers[starts + sizes // 2]) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(numbers > 0, np.log(numbers), np.nan)
    geometric = np.array([np.exp(logs[span].mean()) for span in spans])
    # Rounding of a label is forgiven in proportion to how far its values lie apart.
    slack = 1e-6 * np.maximum(np.abs(means), 1) + 0.002 * (high - low) + np.where(high - low > 100, 0.5, 0.0)
    for figure in (means, medians, geometric):
        if np.mean(np.abs(one - figure) <= slack) >= _SHARE:
            return True
    ends = np.array([(found[0], found[-1]) if len(found) == 2 else (np.nan, np.nan) for found in named])
    widths = ends[:, 1] - ends[:, 0]
    if np.allclose(widths, np.median(widths)):
        return False  # bands of equal width, such as 20-29, are what anybody would declare
    return bool(np.mean((ends[:, 0] == low) & (ends[:, 1] == high)) >= _SHARE)


def _numbers(texts: Sequence[str], spec: ColumnSpec) -> Floats:
    """The texts as numbers, written as the column is or plainly; nan where one is none."""
    plain = parse_numbers(texts, Kind.DECIMAL, Format(), ())
    if not spec.kind.numeric:
        return plain
    return np.where(np.isnan(plain), parse_numbers(texts, spec.kind, spec.format, spec.missing), plain)


def _numbers_in(label: str, spec: ColumnSpec) -> list[float]:
    mark = spec.format.decimal_mark if "," in label or "." in label else "."
    found = []
    for match in _GROUPED[mark].finditer(label):
        whole, _, part = match.group().partition(mark)
        found.append(float(re.sub(r"\D", "", whole) + "." + (part or "0")))
    return found


def _evenly_spaced(numbers: Floats) -> bool:
    """Whether the numbers are an unbroken range, which is public knowledge about, say, ages or years."""
    gaps = np.diff(np.sort(numbers))
    return bool(np.allclose(gaps, gaps[0]))
