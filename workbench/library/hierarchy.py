"""Hierarchies, by which values become coarser: `wb.hierarchy.intervals(…)` and its siblings.

Each is a rule. Whether a hierarchy built by it is public follows from the rule alone, never from the data.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from workbench.core.building import BuilderValues, assess, build_hierarchy, specification
from workbench.core.dates import DAY
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.level_functions import UNDER
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.library.files_read import remembered
from workbench.library.plainly import plainly

__all__ = ["HierarchyRule", "categories", "dates", "intervals", "masking", "read", "rule"]


@dataclass(frozen=True)
class HierarchyRule:
    """A way to build a hierarchy over whatever values a column has.

    >>> wb.hierarchy.intervals(10).public
    True

    Attributes
    ----------
    specification
        The rule as plain JSON, as the window and `workbench hierarchy build` read it.
    """

    specification: Mapping[str, Any]

    @plainly
    def over(self, values: Iterable[str] | BuilderValues) -> Hierarchy:
        """The hierarchy of the rule over some values.

        >>> wb.hierarchy.intervals(10, whole=True).over([3, 12]).groups()
        (2, 2, 1)

        Raises
        ------
        Refused
            If the rule covers none of them.
        """
        material = values if isinstance(values, BuilderValues) else tuple(dict.fromkeys(map(str, values)))
        return build_hierarchy(self.specification, material)

    @property
    def public(self) -> bool:
        """Whether labels follow from the rule and each value alone, so that a claim survives them."""
        return assess(self.specification).provenance is Provenance.PUBLIC

    def __repr__(self) -> str:
        return f"<HierarchyRule: {assess(self.specification).origin}>"


HierarchySource: TypeAlias = "HierarchyRule | Hierarchy | str | os.PathLike[str]"
"""A rule of `wb.hierarchy`, a hierarchy, or the file of one."""


@plainly
def rule(builder: str, parameters: Mapping[str, Any] | None = None, **details: Any) -> HierarchyRule:
    """Any way to build a hierarchy that the program or a plug-in has.

    >>> wb.hierarchy.rule("masking", {"step": 2, "length": 4}).over(["0481"]).rows()
    [('0481', '04**', '*')]

    Parameters
    ----------
    builder
        Its name, such as "order" or "redaction".
    parameters, details
        What it is told, as in a specification file.

    Raises
    ------
    Refused
        If there is no such builder or parameter.
    """
    return HierarchyRule(specification(builder, parameters, details))


@plainly
def intervals(
    width: float,
    *factors: int,
    start: float = 0,
    whole: bool = False,
    lowest: float | None = None,
    highest: float | None = None,
) -> HierarchyRule:
    """Numbers to intervals of one width, then to intervals of several of these, then to `*`.

    >>> wb.hierarchy.intervals(10, 2, whole=True).over(["17"]).rows()
    [('17', '10-19', '0-19', '*')]

    Parameters
    ----------
    width
        Of the narrowest intervals.
    factors
        How many of the intervals before each next level joins.
    start
        Where an interval begins.
    whole
        Whether the numbers are whole, so that an interval is written 10–19.
    lowest, highest
        Numbers below and from here on share one label each.

    Raises
    ------
    Refused
        If that gives no intervals.
    """
    label = {"function": "bounds"} if whole else {"function": "pattern", "text": UNDER}
    details: dict[str, Any] = {
        "intervals": [{"from": start, "to": start + width}],
        "levels": [{"group": size, **label} for size in (1, *factors)],
    }
    for name, bound in (("lowest", lowest), ("highest", highest)):
        if bound is not None:
            details[name] = {"coding": bound}
    numbers = ColumnSpec("", Kind.INTEGER if whole else Kind.DECIMAL)
    return HierarchyRule(specification("intervals", {"whole": whole}, details, column=numbers))


@plainly
def dates(*units: str) -> HierarchyRule:
    """Dates to calendar units, each coarser than the one before, such as "month", "year", "decade"; then to `*`.

    >>> wb.hierarchy.dates("month", "year").over(["2024-03-05"]).rows()
    [('2024-03-05', '2024-03', '2024', '*')]
    """
    days = ColumnSpec("", Kind.DATE, format=Format(pattern=DAY))
    return HierarchyRule(specification("dates", None, {"levels": [{"unit": unit} for unit in units]}, column=days))


@plainly
def masking(*, step: int = 1, levels: int = 0, length: int = 0, side: str = "right") -> HierarchyRule:
    """Texts such as postcodes, of which more and more signs are replaced by `*` from one side.

    >>> wb.hierarchy.masking(step=2).over(["0481"]).rows()
    [('0481', '04**', '*')]
    """
    parameters = {"step": step, "levels": levels, "length": length, "side": side}
    return HierarchyRule(specification("masking", parameters, None))


@plainly
def categories(groups: Mapping[str, Sequence[str]], *, declared: bool = True) -> HierarchyRule:
    """Values sorted into named groups, then `*`.

    >>> wb.hierarchy.categories({"health": ["nurse", "doctor"], "food": ["cook"]}).over([]).groups()
    (3, 2, 1)

    Parameters
    ----------
    groups
        By group its values.
    declared
        Whether you declare that the groups were fixed without the data.
    """
    tree = {"label": ANY, "children": [{"label": name, "children": list(some)} for name, some in groups.items()]}
    return HierarchyRule(specification("categories", {"declared": declared}, {"tree": [tree]}))


@plainly
def read(path: str | Path, *, declared: bool | None = None) -> Hierarchy:
    """A hierarchy from a CSV file in ARX's form.

    >>> from workbench.core.paths import sample_data
    >>> wb.hierarchy.read(sample_data() / "ages_hierarchy_age.csv").height
    4

    Parameters
    ----------
    declared
        Whether you declare that it was made without the data; None for what the note beside it says.

    Raises
    ------
    Refused
        If it cannot be read or is none.
    """
    remembered(path)
    if declared is None:
        return read_hierarchy(path)
    try:
        return read_hierarchy(path, provenance=Provenance.PUBLIC if declared else Provenance.DERIVED)
    except OSError as error:
        raise WorkbenchError(f"{Path(path).name} cannot be read: {error.strerror}.", field="path") from error
