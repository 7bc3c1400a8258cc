"""What becomes of each column, and where the levels come from: by hand, by a degree, or drawn privately."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from workbench.anonymise.dp_search import Degree, DrawnLevels, PrivateSearch, choose_levels, degree_levels
from workbench.anonymise.guarantee import Guarantee
from workbench.anonymise.mechanism import Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Progress
from workbench.core.randomness import RandomSource
from workbench.core.schema import Role
from workbench.core.table import Table
from workbench.project.model import AnonymiseSettings, LevelChoice, LevelsBy
from workbench.session.describing import DescribingSession


class ChoosingSession(DescribingSession):
    """A session in which it is said what happens to each column."""

    # Treatments

    def set_treatment(self, name: str, treatment: Treatment | None) -> None:
        """Say what happens to a column; None lets its role decide."""
        self.project.schema[name]
        treatments = {n: t for n, t in self.project.anonymise.treatments.items() if n != name}
        if treatment is not None:
            treatments[name] = treatment
        self._settings(treatments=MappingProxyType(treatments))

    def treatment(self, name: str) -> Treatment:
        """What happens to a column: what was chosen for it, else what its role and hierarchy suggest."""
        chosen = self.project.anonymise.treatments.get(name)
        if chosen is not None:
            return chosen
        if name in self.project.hierarchies and self.project.schema[name].role is not Role.IDENTIFYING:
            return Treatment.GENERALISE
        return Treatment.LEAVE_OUT

    def grouping(self, table: Table, ungrouped: frozenset[str] = frozenset()) -> dict[str, Hierarchy]:
        """The hierarchies of what takes part in the grouping; one without levels for columns grouped as they are."""
        found = {}
        for name in self.project.schema.names:
            if self.treatment(name) is not Treatment.GENERALISE or name in ungrouped:
                continue
            hierarchy = self.project.hierarchies.get(name)
            if hierarchy is None:
                column = table[name]
                occurring = [value for value, count in zip(column.values, column.counts.tolist(), strict=True) if count]
                hierarchy = Hierarchy.from_levels(occurring, ()) if occurring else None
            if hierarchy is not None:
                found[name] = hierarchy
        return found

    # Levels

    def set_level(self, name: str, level: int) -> None:
        """Choose the level of a column by hand.

        Raises
        ------
        WorkbenchError
            If the column's hierarchy has no such level.
        """
        self._check_level(name, level)
        self._settings(levels=MappingProxyType({**self.project.anonymise.levels, name: level}))

    def set_levels_by(self, by: LevelsBy) -> None:
        """Say who chooses the levels of an (ε, δ) release."""
        self._choose(by=by)

    def set_degree(self, degree: Degree) -> None:
        """Say how far to generalise when the levels follow from a degree."""
        self._choose(degree=degree)

    def set_search(self, search: PrivateSearch) -> None:
        """Say how levels are drawn privately."""
        self._choose(search=search)

    def limit_levels(self, name: str, limits: tuple[int, int] | None) -> None:
        """Keep a degree or a private draw between two levels of a column, fixed without the data; None: all levels.

        Raises
        ------
        WorkbenchError
            If the column's hierarchy has no such levels, or they are the wrong way round.
        """
        kept = {n: limit for n, limit in self.project.anonymise.level_choice.limits.items() if n != name}
        if limits is not None:
            for level in limits:
                self._check_level(name, level)
            if limits[0] > limits[1]:
                raise WorkbenchError(
                    f"The lowest level allowed for “{name}”, {limits[0]}, is above the highest, {limits[1]}.",
                    hint="Give the smaller number first.",
                    field=name,
                )
            kept[name] = limits
        self._choose(limits=MappingProxyType(kept))

    def set_levels_blind(self, blind: bool) -> None:
        """Say whether the levels, or the settings they follow from, were chosen without looking at this data."""
        self._settings(levels_blind=blind)

    @property
    def private_search(self) -> PrivateSearch | None:
        """How the levels of an (ε, δ) release are drawn; None if they are fixed beforehand."""
        choice = self.project.anonymise.level_choice
        return choice.search if choice.by is LevelsBy.SEARCH else None

    def fixed_level(self, name: str) -> int:
        """The level of a column in an (ε, δ) release, as far as it is fixed before a draw; 0 if it is drawn."""
        hierarchy = self.project.hierarchies.get(name)
        choice = self.project.anonymise.level_choice
        if hierarchy is None or choice.by is LevelsBy.SEARCH:
            return 0
        if choice.by is LevelsBy.HAND:
            return self.project.anonymise.levels.get(name, 0)
        return degree_levels({name: hierarchy}, choice.degree, self._limits({name: hierarchy}))[name]

    def _draw_levels(
        self,
        table: Table,
        promised: Guarantee,
        source: RandomSource,
        before: Callable[[int], object],
        progress: Progress,
    ) -> DrawnLevels | None:
        """Draw the levels with the ε they have, once `before` has returned; None if they are fixed beforehand."""
        if self.private_search is None:
            return None
        hierarchies = self.grouping(table)
        return choose_levels(
            table,
            hierarchies,
            self.private_search,
            k=promised.k,
            beta=promised.beta,
            source=source,
            rows_per_person=promised.rows_per_person,
            limits=self._limits(hierarchies),
            before=before,
            progress=progress,
        )

    def _limits(self, hierarchies: Mapping[str, Hierarchy]) -> dict[str, tuple[int, int]]:
        """The limits of these columns; those of a hierarchy that was exchanged since end where it ends."""
        limits = self.project.anonymise.level_choice.limits
        return {
            name: (min(limits[name][0], hierarchy.height), min(limits[name][1], hierarchy.height))
            for name, hierarchy in hierarchies.items()
            if name in limits
        }

    def _check_level(self, name: str, level: int) -> None:
        self.project.schema[name]
        height = self.project.hierarchies[name].height if name in self.project.hierarchies else 0
        if not 0 <= level <= height:
            raise WorkbenchError(
                f"Column “{name}” has no level {level}.",
                hint=f"It has the levels 0 to {height}." if height else "It has no hierarchy, only level 0.",
                field=name,
            )

    def _choose(self, **changes: Any) -> None:
        changed: LevelChoice = replace(self.project.anonymise.level_choice, **changes)
        self._settings(level_choice=changed)

    def _settings(self, **changes: Any) -> None:
        changed: AnonymiseSettings = replace(self.project.anonymise, **changes)
        self.project = replace(self.project, anonymise=changed)
