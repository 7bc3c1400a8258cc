"""The treatment of each column, and the source of the levels: by hand, by a degree, or drawn privately."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from workbench.anonymise.dp_search import Degree, DrawnLevels, PrivateSearch, choose_levels, degree_levels
from workbench.anonymise.promise import ReleaseGuarantee
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.sample_guarantee import Guarantee
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Progress
from workbench.core.randomness import RandomSource
from workbench.core.schema import Role
from workbench.core.table import Table
from workbench.engines.dispatch import engine_of
from workbench.project.model import LevelChoice, LevelsBy, QuestionSettings
from workbench.session.data import DataDesk
from workbench.session.release.coverage import covering, listed_rows
from workbench.session.state import Desk, SessionState


class ColumnsDesk(Desk):
    """The treatment and the levels of each column of a release, of either approach."""

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._data = DataDesk(state)

    # Treatments

    def set_treatment(self, name: str, treatment: Treatment | None) -> None:
        """Say what happens to a column; None lets its role decide."""
        self._project.schema[name]
        treatments = {n: t for n, t in self._project.anonymise.treatments.items() if n != name}
        if treatment is not None:
            treatments[name] = treatment
        self._state.change_anonymise(treatments=MappingProxyType(treatments))

    def treatment(self, name: str) -> Treatment:
        """The treatment of a column: the one chosen for it, or the one that its role and hierarchy suggest."""
        chosen = self._project.anonymise.treatments.get(name)
        if chosen is not None:
            return chosen
        if name in self._project.hierarchies and self._project.schema[name].role is not Role.IDENTIFYING:
            return Treatment.GENERALISE
        return Treatment.LEAVE_OUT

    def grouping(self, table: Table, ungrouped: frozenset[str] = frozenset()) -> dict[str, Hierarchy]:
        """The hierarchies of what takes part in the grouping; one without levels for columns grouped as they are."""
        found = {}
        for name in self._project.schema.names:
            if self.treatment(name) is not Treatment.GENERALISE or name in ungrouped:
                continue
            hierarchy = self._project.hierarchies.get(name)
            if hierarchy is None:
                column = table[name]
                occurring = [value for value, count in zip(column.values, column.counts.tolist(), strict=True) if count]
                hierarchy = Hierarchy.from_levels(occurring, ()) if occurring else None
            if hierarchy is not None:
                found[name] = hierarchy
        return found

    def quasi_identifiers(self) -> dict[str, Hierarchy]:
        """The hierarchies of the columns that are generalised."""
        return {
            name: hierarchy
            for name, hierarchy in self._project.hierarchies.items()
            if self.treatment(name) is Treatment.GENERALISE
        }

    def grouped_as_they_are(self, ungrouped: frozenset[str]) -> tuple[str, ...]:
        """Columns that are grouped without a hierarchy."""
        return tuple(
            name
            for name in self._project.schema.names
            if self.treatment(name) is Treatment.GENERALISE
            and name not in self._project.hierarchies
            and name not in ungrouped
        )

    def left_out(self) -> tuple[str, ...]:
        """Columns that are not in a release, as somebody decided in Data or here: one count for every room."""
        return tuple(name for name in self._project.schema.names if self.is_left_out(name))

    def undecided(self) -> tuple[str, ...]:
        """Columns that are not in a release as nobody decided about them."""
        left_out = Treatment.LEAVE_OUT
        columns = self._project.schema.columns
        return tuple(one.name for one in columns if one.undecided and self.treatment(one.name) is left_out)

    def is_left_out(self, name: str) -> bool:
        """Whether somebody decided that a column is not in a release."""
        if self._project.anonymise.treatments.get(name) is Treatment.LEAVE_OUT:
            return True
        return self.treatment(name) is Treatment.LEAVE_OUT and not self._project.schema[name].undecided

    def kept(self) -> tuple[str, ...]:
        """Columns that are released as they are."""
        return tuple(name for name in self._project.schema.names if self.treatment(name) is Treatment.KEEP)

    # Levels

    def set_level(self, name: str, level: int) -> None:
        """Choose the level of a column by hand.

        Raises
        ------
        WorkbenchError
            If the column's hierarchy has no such level.
        """
        self._check_level(name, level)
        self._state.change_anonymise(levels=MappingProxyType({**self._project.anonymise.levels, name: level}))

    def level(self, name: str) -> int:
        """The level chosen by hand; 0 for a column without a hierarchy."""
        return self._project.anonymise.levels.get(name, 0) if name in self._project.hierarchies else 0

    def apply_levels(self, levels: Mapping[str, int]) -> None:
        """Take levels that were found by looking at the data; from now on they do not count as chosen blindly."""
        for name, level in levels.items():
            if name in self._project.hierarchies:
                self.set_level(name, level)
        self.set_levels_blind(False)

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
        kept = {n: limit for n, limit in self._project.anonymise.level_choice.limits.items() if n != name}
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

    def set_level_limits(self, name: str, low: int, high: int) -> None:
        """Say between which levels a search may choose for a column.

        Raises
        ------
        WorkbenchError
            If the column's hierarchy has no such levels, or they are not in order.
        """
        height = self._project.hierarchies[name].height if name in self._project.hierarchies else 0
        if not 0 <= low <= high <= height:
            raise WorkbenchError(
                f"The levels of “{name}” cannot be limited to {low} to {high}.",
                hint=f"Its levels run from 0 to {height}; give the smaller number first.",
                field=name,
            )
        limits = {n: limit for n, limit in self._project.anonymise.question.limits.items() if n != name}
        if (low, high) != (0, height):
            limits[name] = (low, high)
        asked: QuestionSettings = replace(self._project.anonymise.question, limits=MappingProxyType(limits))
        self._state.change_anonymise(question=asked)

    def set_levels_blind(self, blind: bool) -> None:
        """Say whether the levels, or the settings they follow from, were chosen without looking at this data."""
        self._state.change_anonymise(levels_blind=blind)

    @property
    def private_search(self) -> PrivateSearch | None:
        """How the levels of an (ε, δ) release are drawn; None if they are fixed beforehand."""
        choice = self._project.anonymise.level_choice
        return choice.search if choice.by is LevelsBy.SEARCH else None

    def fixed_level(self, name: str) -> int:
        """The level of a column in an (ε, δ) release, as far as it is fixed before a draw; 0 if it is drawn."""
        hierarchy = self._project.hierarchies.get(name)
        choice = self._project.anonymise.level_choice
        if hierarchy is None or choice.by is LevelsBy.SEARCH:
            return 0
        if choice.by is LevelsBy.HAND:
            return self._project.anonymise.levels.get(name, 0)
        return degree_levels({name: hierarchy}, choice.degree, self.limits({name: hierarchy}))[name]

    def draw_levels(
        self,
        table: Table,
        promised: ReleaseGuarantee,
        source: RandomSource,
        before: Callable[[int], object],
        progress: Progress,
    ) -> DrawnLevels | None:
        """Draw the levels with the ε they have, once `before` has returned; None if they are fixed beforehand."""
        if self.private_search is None:
            return None
        # What a hierarchy misses must not keep anybody from running.
        if engine_of(table).store is None:
            table = listed_rows(table, self.quasi_identifiers())
            hierarchies = self.grouping(table)
        else:
            hierarchies = covering(self.grouping(table), table)
        if isinstance(promised, Guarantee):
            k, beta, law = promised.k, promised.beta, None
        else:  # which groups survive trimming
            k, beta, law = promised.half_survive, 1.0, promised.laws[0]
        return choose_levels(
            table,
            hierarchies,
            self.private_search,
            k=k,
            beta=beta,
            source=source,
            rows_per_person=promised.rows_per_person,
            limits=self.limits(hierarchies),
            law=law,
            before=before,
            progress=progress,
        )

    def limits(self, hierarchies: Mapping[str, Hierarchy]) -> dict[str, tuple[int, int]]:
        """The limits of these columns; those of a hierarchy that was exchanged since end where it ends."""
        limits = self._project.anonymise.level_choice.limits
        return {
            name: (min(limits[name][0], hierarchy.height), min(limits[name][1], hierarchy.height))
            for name, hierarchy in hierarchies.items()
            if name in limits
        }

    # Columns that are suppressed

    def suppress(self, name: str) -> None:
        """Release `*` in every row of a column: its top level, at which searches and degrees then leave it.

        A column without a hierarchy gets one that knows `*` alone.

        Raises
        ------
        WorkbenchError
            If the highest level of its hierarchy still says something.
        """
        hierarchy = self._project.hierarchies.get(name)
        if hierarchy is None:
            self._project.schema[name]
            values = dict.fromkeys((*self._data.reading.table[name].values, *self._data.table[name].values))
            hierarchy = Hierarchy.suppressing(values)
            self._data.attach_hierarchy(name, hierarchy)
        if not hierarchy.ends_in_any:
            raise WorkbenchError(
                f"The highest level of the hierarchy of “{name}” is not *, so it cannot suppress the column.",
                hint="Add a top level * to the hierarchy, or leave the column out.",
                field=name,
            )
        top = hierarchy.height
        self.set_treatment(name, Treatment.GENERALISE)
        self.set_level(name, top)
        self.set_level_limits(name, top, top)
        self.limit_levels(name, (top, top))

    def is_suppressed(self, name: str) -> bool:
        """Whether `*` is released in every row of a column, and searches leave it so."""
        hierarchy = self._project.hierarchies.get(name)
        return (
            hierarchy is not None
            and hierarchy.ends_in_any
            and self.treatment(name) is Treatment.GENERALISE
            and self._project.anonymise.question.limits.get(name, (0, 0))[0] == self.level(name) == hierarchy.height
        )

    def release(self, name: str) -> None:
        """Let a column that was suppressed have all its levels again."""
        if self.is_suppressed(name):
            self.set_level_limits(name, 0, self._project.hierarchies[name].height)
            self.limit_levels(name, None)

    def _check_level(self, name: str, level: int) -> None:
        self._project.schema[name]
        height = self._project.hierarchies[name].height if name in self._project.hierarchies else 0
        if not 0 <= level <= height:
            raise WorkbenchError(
                f"Column “{name}” has no level {level}.",
                hint=f"It has the levels 0 to {height}." if height else "It has no hierarchy, only level 0.",
                field=name,
            )

    def _choose(self, **changes: Any) -> None:
        changed: LevelChoice = replace(self._project.anonymise.level_choice, **changes)
        self._state.change_anonymise(level_choice=changed)
