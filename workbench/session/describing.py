"""What the person says about the data: columns, persons and hierarchies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from workbench.anonymise.origins import made_from_the_data
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.kinds import is_missing
from workbench.core.kinds import parse as parse_values
from workbench.core.schema import ColumnSpec, Format, Kind, Misfits, PrivacyUnit, Role
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.infer import propose_format
from workbench.session.spending import SpendingSession


class DescribingSession(SpendingSession):
    """A session whose columns are described and given hierarchies."""

    # Description

    def set_role(self, names: Iterable[str], role: Role) -> None:
        self._describe(names, lambda column: replace(column, role=role))

    def set_kind(self, names: Iterable[str], kind: Kind) -> None:
        self._describe(names, lambda column: replace(column, kind=kind))

    def set_bounds(self, name: str, bounds: tuple[float, float] | None, *, observed: bool = False) -> None:
        """Declare the public bounds of a numeric column; `observed` admits that they were read from the data.

        Raises
        ------
        WorkbenchError
            If the bounds are not two finite numbers in order.
        """
        if bounds is not None and not (math.isfinite(bounds[0]) and math.isfinite(bounds[1])):
            raise WorkbenchError("Bounds must be finite numbers.", field=name)
        if bounds is not None and bounds[0] >= bounds[1]:
            raise WorkbenchError(
                f"The lower bound of “{name}” is not below the upper bound.",
                hint="Give the smaller number first.",
                field=name,
            )
        self._describe([name], lambda column: _known(replace(column, bounds=bounds), "bounds", observed))

    def set_format(self, name: str, format: Format) -> None:  # noqa: A002
        """Say how the numbers or dates of a column are written.

        Raises
        ------
        WorkbenchError
            If the column's kind cannot be written like that.
        """
        spec = replace(self.project.schema[name], format=format)
        if spec.kind.numeric or spec.kind.temporal:
            parse_values((), spec)
        self._describe([name], lambda column: replace(column, format=format))

    def proposed_format(self, name: str, kind: Kind) -> Format:
        """How the column would most likely be written if it were of that kind; changes nothing."""
        return propose_format(self.reading.table[name], kind)

    def set_missing(self, names: Iterable[str], texts: Iterable[str]) -> None:
        """Say which texts stand for "no value"; the order does not matter and nothing counts twice."""
        listed = tuple(dict.fromkeys(texts))
        self._describe(names, lambda column: replace(column, missing=listed))

    def set_domain(self, name: str, values: Iterable[str] | None, *, observed: bool = False) -> None:
        """Declare the public domain of a column, in order if its values have one; None for no domain.

        `observed` admits that it was read from the data.

        Raises
        ------
        WorkbenchError
            If there is no value, one is listed twice, or one stands for "no value".
        """
        domain = None if values is None else tuple(values)
        if domain is not None:
            twice = next((value for value, times in Counter(domain).items() if times > 1), None)
            absent = next((value for value in domain if is_missing(value, self.project.schema[name].missing)), None)
            if not domain or twice is not None or absent is not None:
                what = "is empty" if not domain else f"lists “{absent if twice is None else twice}”"
                why = "" if not domain else " twice" if twice is not None else ", which stands for a missing value"
                raise WorkbenchError(
                    f"The domain of “{name}” {what}{why}.", hint="List every possible value once.", field=name
                )
        self._describe([name], lambda column: _known(replace(column, domain=domain), "domain", observed))

    def set_unit_text(self, name: str, unit: str) -> None:
        """Say in which unit the numbers of a column are, such as "kg"."""
        self._describe([name], lambda column: replace(column, unit=unit.strip()))

    def set_misfits(self, name: str, policy: Misfits | str) -> None:
        """Choose what becomes of values that do not fit a column: they stay, become missing, or stop the run.

        Raises
        ------
        WorkbenchError
            If there is no such policy or column.
        """
        try:
            chosen = Misfits(policy)
        except ValueError:
            raise WorkbenchError(
                f"“{policy}” is not a way to treat values that do not fit.",
                hint=f"Choose one of {', '.join(Misfits)}.",
                field=name,
            ) from None
        self._describe([name], lambda column: replace(column, misfits=chosen))

    def set_unit(self, unit: PrivacyUnit) -> None:
        """Declare whom the guarantee protects. Without a column for persons, their rows cannot be limited."""
        preparation = self.project.preparation
        if unit.person_column:
            self.project.schema[unit.person_column]  # raises if there is no such column
        elif preparation.limit_rows:
            preparation = replace(preparation, limit_rows=False)
        schema = replace(self.project.schema, unit=unit)
        self.project = replace(self.project, schema=schema, preparation=preparation)

    def _describe(self, names: Iterable[str], change: Callable[[ColumnSpec], ColumnSpec]) -> None:
        self.project = replace(self.project, schema=self.project.schema.changed(names, change))

    # Hierarchies

    def attach_hierarchy(self, name: str, hierarchy: Hierarchy) -> None:
        """Give a column a hierarchy; a column that identified nobody becomes quasi-identifying.

        A hierarchy that gives itself away as averages of this very data is marked data-derived, whatever its
        file says.
        """
        self.project.schema[name]
        if (
            self.loaded is not None
            and hierarchy.provenance is Provenance.PUBLIC
            and made_from_the_data(hierarchy, self.reading.table[name], self.project.schema[name])
        ):
            hierarchy = replace(
                hierarchy,
                provenance=Provenance.DERIVED,
                origin="its labels are means, medians or ends of the very values in the data",
            )
        levels = dict(self.project.anonymise.levels)
        levels[name] = min(levels.get(name, 1), hierarchy.height)
        self.project = replace(
            self.project,
            hierarchies=MappingProxyType({**self.project.hierarchies, name: hierarchy}),
            anonymise=replace(self.project.anonymise, levels=MappingProxyType(levels)),
        )
        if self.project.schema[name].role is Role.INSENSITIVE:
            self.set_role([name], Role.QUASI)

    def attach_hierarchy_file(self, name: str, path: Path, provenance: Provenance | None = None) -> None:
        """Read a hierarchy CSV and attach it."""
        self.project.schema[name]
        self.attach_hierarchy(name, read_hierarchy(path, provenance=provenance))
        self._inputs = (*self._inputs, path)

    def set_provenance(self, name: str, provenance: Provenance, origin: str) -> None:
        """Correct where a hierarchy comes from."""
        changed = replace(self._hierarchy(name), provenance=provenance, origin=origin)
        self._replace_hierarchy(name, changed)

    def uncovered(self, name: str) -> list[str]:
        """Values that occur in the column of the working table and that its hierarchy misses."""
        column = self.table[name]
        used = (v for v, count in zip(column.values, column.counts.tolist(), strict=True) if count)
        return self._hierarchy(name).uncovered(used)

    def cover(self, name: str) -> int:
        """Let the values a hierarchy misses become `*` above level 0; returns how many there were."""
        missed = self.uncovered(name)
        self._replace_hierarchy(
            name, self._hierarchy(name).covering((*self.reading.table[name].values, *self.table[name].values))
        )
        return len(missed)

    def detach_hierarchy(self, name: str) -> None:
        rest = {column: h for column, h in self.project.hierarchies.items() if column != name}
        levels = {column: level for column, level in self.project.anonymise.levels.items() if column != name}
        self.project = replace(
            self.project,
            hierarchies=MappingProxyType(rest),
            anonymise=replace(self.project.anonymise, levels=MappingProxyType(levels)),
        )

    def _hierarchy(self, name: str) -> Hierarchy:
        if name not in self.project.hierarchies:
            raise WorkbenchError(f"Column “{name}” has no hierarchy.", hint="Attach one first.", field=name)
        return self.project.hierarchies[name]

    def _replace_hierarchy(self, name: str, hierarchy: Hierarchy) -> None:
        self.project = replace(
            self.project, hierarchies=MappingProxyType({**self.project.hierarchies, name: hierarchy})
        )


def _known(column: ColumnSpec, what: str, observed: bool) -> ColumnSpec:
    """Note whether a declaration was read from the data."""
    return replace(column, observed=column.observed | {what} if observed else column.observed - {what})
