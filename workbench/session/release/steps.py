"""The steps of a trimmed release as a person sees and edits them: where the levels come from, one line per step.

Nothing here looks at the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import Any

from workbench.anonymise.balanced import Importance
from workbench.anonymise.dp_search import Degree
from workbench.anonymise.recipe import ReleaseMechanism, Treatment
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trim_recipe import MOST_STEPS
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded
from workbench.core.occurring import (
    MOST_LETTERS,
    entries_of,
    example_of,
    letters_of,
    occurring_labels,
    without_currency,
)
from workbench.core.occurring_listed import listing_of, saved_entries, saved_listing
from workbench.core.worded import Worded
from workbench.project.anonymise_settings import LevelsBy
from workbench.project.trim_settings import StepsBy, TrimSettings
from workbench.session.release.chain import Vector, asked_steps, chain_of
from workbench.session.release.claims import drawn_levels
from workbench.session.release.columns import ColumnsDesk
from workbench.session.state import Desk, SessionState

_DIGITS = 3
_LEAST = 0.001


class LevelSource(Worded):
    """The source of the levels of an (ε, δ) release, as a person chooses it."""

    BALANCED = "balanced", "In steps"
    STEPS = "steps", "In steps, all together"
    HAND = "hand", "By hand"
    DEGREE = "degree", "By degree"
    SEARCH = "private search", "Private search"
    TYPED = "typed", "In steps, typed"


_IN_STEPS = {StepsBy.BALANCED: LevelSource.BALANCED, StepsBy.DEGREES: LevelSource.STEPS}
_STEPS_BY = {**{source: by for by, source in _IN_STEPS.items()}, LevelSource.TYPED: StepsBy.TYPED}


@dataclass(frozen=True)
class StepLine:
    """One step as it was asked for.

    Parameters
    ----------
    levels
        By grouped column.
    degree
        That they follow from; None if they do not.
    drawn
        Whether the levels are drawn privately; until they are, those in `levels` are the lowest possible.
    weight
        The share that was typed, 0 if shares follow from the rule.
    part
        Its part of ε and δ; 0 where the step before has the same levels, so that both are one.
    epsilon
        What it spends, None as long as the guarantee has no solution.
    """

    levels: Vector
    degree: Degree | None = None
    drawn: bool = False
    weight: float = 0.0
    part: Fraction = Fraction(0)
    epsilon: Fraction | None = None


class StepsDesk(Desk):
    """The source of the levels and, where they come in steps, each step."""

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._columns = ColumnsDesk(state)

    @property
    def mechanism(self) -> ReleaseMechanism:
        """The chosen mechanism, or what follows where none was chosen; a column that stands in its way is no matter."""
        chosen = self._project.anonymise.mechanism
        if chosen is not None:
            return chosen
        return ReleaseMechanism.SAMPLE if self._columns.kept() else ReleaseMechanism.TRIM

    # Where the levels come from

    @property
    def source(self) -> LevelSource:
        """Who decides about the levels as the settings stand."""
        by, steps = self._project.anonymise.level_choice.by, self._settings.steps
        if self.mechanism is ReleaseMechanism.TRIM and steps is StepsBy.TYPED:
            return LevelSource.TYPED
        if self.mechanism is ReleaseMechanism.TRIM and by is not LevelsBy.SEARCH and steps in _IN_STEPS:
            return _IN_STEPS[steps]
        return LevelSource(by.value)

    @property
    def sources(self) -> tuple[LevelSource, ...]:
        """The sources of levels to choose from with the mechanism in force."""
        if self.mechanism is ReleaseMechanism.TRIM:
            # One step by degree is that of a chain of one; who has settings with it keeps them.
            return tuple(one for one in LevelSource if one is not LevelSource.DEGREE or one is self.source)
        return LevelSource.HAND, LevelSource.DEGREE, LevelSource.SEARCH

    def set_source(self, source: LevelSource) -> None:
        """Say who decides about the levels; the settings of the other ways are kept for those who go back."""
        trims = self.mechanism is ReleaseMechanism.TRIM
        if source in _STEPS_BY:
            self._columns.set_levels_by(LevelsBy.HAND)
            self._change(steps=_STEPS_BY[source])
            if source is LevelSource.TYPED and not self._settings.vectors:
                self._change(vectors=self._typed())
        else:
            self._columns.set_levels_by(LevelsBy(source.value))
            if trims:
                self._change(steps=StepsBy.ONE)
        if trims and not self._fits_shares():
            self._change(shares=())

    def take_over(self) -> None:
        """Let levels by hand begin at those of the first step as it stands, where nobody has given any.

        Level 1 is where a hierarchy begins that was attached.
        """
        given = self._project.anonymise.levels
        if self.mechanism is not ReleaseMechanism.TRIM or any(level > 1 for level in given.values()):
            return
        for name, level in asked_steps(self._state)[0].items():
            if name in self._project.hierarchies:
                self._columns.set_level(name, level)

    @property
    def above_draw(self) -> bool:
        """Whether levels that are drawn privately are followed by coarser steps."""
        return self._settings.steps is StepsBy.DEGREES

    def set_above_draw(self, wanted: bool) -> None:
        """Let coarser steps, by degree, follow the levels that are drawn privately."""
        self._change(steps=StepsBy.DEGREES if wanted else StepsBy.ONE)
        if wanted and self._settings.degrees[:1] == (Degree.NONE,) and len(self._settings.degrees) > 1:
            self._change(degrees=self._settings.degrees[1:])  # it is never coarser than what is drawn
        while wanted and len(asked_steps(self._state)) > MOST_STEPS:
            self._change(degrees=self._settings.degrees[1:])
        if not self._fits_shares():
            self._change(shares=())

    # Steps

    def lines(self, promised: TrimGuarantee | None = None) -> tuple[StepLine, ...]:
        """The steps as they were asked for, the finest first.

        Parameters
        ----------
        promised
            What was solved for the settings as they stand, from which follows what each step spends.

        Raises
        ------
        WorkbenchError
            If a typed step is impossible, or there are not as many shares as steps.
        """
        drawn = drawn_levels(self._state)
        vectors, chain = asked_steps(self._state, drawn), chain_of(self._state, drawn)
        by_degree = self._settings.steps is StepsBy.DEGREES
        first = int(self._columns.private_search is not None)
        lines, place = [], -1
        for number, vector in enumerate(vectors):
            fresh = number == 0 or vector != vectors[number - 1]
            place += fresh
            budgets = promised.steps if promised is not None and len(promised.shares) == len(chain.shares) else None
            lines.append(
                StepLine(
                    vector,
                    self._settings.degrees[number - first] if by_degree and number >= first else None,
                    first > 0 and number == 0 and drawn is None,
                    self._settings.shares[number] if self._settings.shares else 0.0,
                    chain.shares[place] if fresh else Fraction(0),
                    budgets[place].epsilon if budgets is not None and fresh else None,
                )
            )
        return tuple(lines)

    def degrees_for(self, place: int) -> tuple[Degree, ...]:
        """The degrees that a step of the settings may have, between those of its neighbours."""
        degrees = self._settings.degrees
        low = degrees[place - 1].share if place else Fraction(-1)
        high = degrees[place + 1].share if place + 1 < len(degrees) else Fraction(2)
        return tuple(one for one in Degree if low < one.share < high)

    def level(self, place: int, name: str) -> int:
        """The level of a column at a step; 0 of one that takes no part, or as long as the steps are impossible."""
        try:
            asked = asked_steps(self._state)
        except WorkbenchError:
            return 0
        return asked[min(place, len(asked) - 1)].get(name, 0)

    @property
    def can_add(self) -> bool:
        """Whether there is room for a further step."""
        settings = self._settings
        if self._balanced:
            return settings.balanced_steps < MOST_STEPS
        if settings.steps is StepsBy.TYPED:
            return len(settings.vectors) < MOST_STEPS
        drawn = int(self._columns.private_search is not None)
        return len(settings.degrees) + drawn < MOST_STEPS and len(settings.degrees) < len(Degree)

    @property
    def can_remove(self) -> bool:
        """Whether there is a step too many."""
        settings = self._settings
        if self._balanced:
            return settings.balanced_steps > 1
        return len(settings.vectors if settings.steps is StepsBy.TYPED else settings.degrees) > 1

    def add(self) -> int:
        """Add a step; by degree the one that is missing above the coarsest, else below it.

        Returns
        -------
        int
            Its place in `lines`.
        """
        settings, drawn = self._settings, int(self._columns.private_search is not None)
        if not self.can_add:
            raise WorkbenchError(
                f"A release has at most {MOST_STEPS} steps.", hint="Change one of those that are there.", field="steps"
            )
        if self._balanced:
            place = settings.balanced_steps
            self._change(balanced_steps=place + 1, shares=self._with_share(place))
            return place
        if settings.steps is StepsBy.TYPED:
            last = self._typed()[-1]
            coarser = {name: min(level + 1, self._height(name)) for name, level in last.items()}
            place = len(settings.vectors)
            self._change(vectors=(*settings.vectors, MappingProxyType(coarser)), shares=self._with_share(place))
            return place
        last_share = settings.degrees[-1].share if settings.degrees else Fraction(-1)
        missing = [one for one in Degree if one not in settings.degrees]
        degree = next((one for one in missing if one.share > last_share), missing[-1])
        degrees = tuple(sorted((*settings.degrees, degree), key=lambda one: one.share))
        place = degrees.index(degree) + drawn
        self._change(degrees=degrees, shares=self._with_share(place))
        return place

    def remove(self, line: int) -> None:
        """Take a step away.

        Raises
        ------
        WorkbenchError
            If it is the only one, or the one that is drawn.
        """
        settings = self._settings
        place = line - int(settings.steps is StepsBy.DEGREES and self._columns.private_search is not None)
        if not self.can_remove or place < 0:
            raise WorkbenchError("A release has at least one step.", hint="Change it instead.", field="steps")
        shares = settings.shares[:line] + settings.shares[line + 1 :]
        if self._balanced:
            self._change(balanced_steps=settings.balanced_steps - 1, shares=shares)
        elif settings.steps is StepsBy.TYPED:
            whole = self._typed()
            self._change(vectors=whole[:place] + whole[place + 1 :], shares=shares)
        else:
            self._change(degrees=settings.degrees[:place] + settings.degrees[place + 1 :], shares=shares)

    def set_degree(self, line: int, degree: Degree) -> None:
        """Say which degree a step has."""
        place = line - int(self._columns.private_search is not None)
        degrees = self._settings.degrees
        self._change(degrees=(*degrees[:place], degree, *degrees[place + 1 :]))

    def set_level(self, place: int, name: str, level: int) -> None:
        """Say at which level a typed step has a column; the steps around it follow, as none is finer than the last.

        Raises
        ------
        WorkbenchError
            If there is no such level.
        """
        if not 0 <= level <= self._height(name):
            raise WorkbenchError(
                f"Column “{name}” has no level {level}.",
                hint=f"It has the levels 0 to {self._height(name)}.",
                field=name,
            )
        changed = []
        for number, vector in enumerate(self._typed()):
            now = vector[name]
            kept = level if number == place else max(now, level) if number > place else min(now, level)
            changed.append(MappingProxyType({**vector, name: kept}))
        self._change(vectors=tuple(changed))

    # What balanced steps keep

    def importance(self, name: str) -> Importance:
        """How long balanced steps keep a column."""
        return self._settings.importance.get(name, Importance.NORMAL)

    def set_importance(self, name: str, importance: Importance) -> None:
        """Say how long balanced steps keep a column before it becomes `*`; this must not follow from the rows."""
        others = {other: wanted for other, wanted in self._settings.importance.items() if other != name}
        if importance is not Importance.NORMAL:
            others[name] = importance
        self._change(importance=MappingProxyType(others))

    # What can occur

    def said(self, name: str) -> str:
        """The values that can occur in a column, as they were typed, to be typed anew; "" if none were."""
        return listing_of(saved_entries(self._settings.occurring.get(name, "")))

    def source_of(self, name: str) -> str:
        """Where it is known from what can occur in a column; "" if nobody said."""
        return self._settings.occurring_from.get(name, "")

    def said_example(self, name: str) -> str:
        """An example of what could be typed there, which follows from the rule of the hierarchy alone."""
        return example_of(self._project.hierarchies.get(name))

    def set_said(self, name: str, words: str, source: str | None = None) -> None:
        """Say which values, beginnings or ranges of a column can occur; this must not follow from the rows.

        Parameters
        ----------
        source
            Where that is known from; None leaves what was said of it.

        Raises
        ------
        WorkbenchError
            If it is too long, or says nothing of the hierarchy of the column.
        """
        if self._project.schema[name].kind.numeric:
            words = without_currency(words)
        entries, hierarchy = entries_of(words), self._project.hierarchies.get(name)
        source = (self.source_of(name) if source is None else source).strip()
        lengths = {"What can occur in": letters_of(words), "Where you know the values of": len(source)}
        for what, letters in lengths.items():
            if letters > MOST_LETTERS:
                raise WorkbenchError(
                    f"{what} “{name}” has {letters:,} characters; there is room for {MOST_LETTERS:,}.",
                    hint="Give ranges or beginnings, or list the values in Data as public values.",
                    field="occurring",
                )
        if hierarchy is not None:
            occurring_labels(hierarchy, entries)
        others = {other: typed for other, typed in self._settings.occurring.items() if other != name}
        sources = {other: known for other, known in self._settings.occurring_from.items() if other != name}
        if entries:
            others[name] = saved_listing(entries)
            sources |= {name: source} if source else {}
        self._change(occurring=MappingProxyType(others), occurring_from=MappingProxyType(sources))

    @property
    def _balanced(self) -> bool:
        return self.source is LevelSource.BALANCED

    # Shares

    def set_shares_by_rule(self, by_rule: bool) -> None:
        """Let the shares of ε and δ follow from the public rule, or type them, beginning with those of the rule."""
        if by_rule:
            self._change(shares=())
        elif not self._settings.shares:
            found: list[float] = []
            # Steps at the same levels are one step, whose part they share.
            for _, run in groupby(self.lines(), key=lambda one: one.levels):
                alike = list(run)
                found += [max(rounded(float(alike[0].part) * 100 / len(alike), _DIGITS), _LEAST)] * len(alike)
            self._change(shares=tuple(found))

    def set_share(self, line: int, share: float) -> None:
        """Say which share of ε and δ a step has, beside those of the others."""
        shares = self._settings.shares
        self._change(shares=(*shares[:line], share, *shares[line + 1 :]))

    def mend(self) -> None:
        """Make the typed steps fit the columns that take part and their hierarchies, where these were changed since."""
        if self.mechanism is not ReleaseMechanism.TRIM:
            return
        if self._settings.steps is StepsBy.TYPED:
            self._change(vectors=self._typed())
        if not self._fits_shares():
            self._change(shares=())

    @property
    def _settings(self) -> TrimSettings:
        return self._project.anonymise.trim

    def _height(self, name: str) -> int:
        hierarchy = self._project.hierarchies.get(name)
        return 1 if hierarchy is None else hierarchy.height

    def _typed(self) -> tuple[Mapping[str, int], ...]:
        """The typed steps with a level for each column that takes part; without any, the levels given by hand."""
        names = self._project.schema.names
        grouped = [name for name in names if self._columns.treatment(name) is Treatment.GENERALISE]
        levels = {name: self._columns.level(name) for name in grouped}
        found: list[Mapping[str, int]] = []
        for vector in self._settings.vectors or ({},):
            wanted = {name: min(vector.get(name, level), self._height(name)) for name, level in levels.items()}
            levels = {name: max(level, levels[name]) for name, level in wanted.items()} if found else wanted
            found.append(MappingProxyType(levels))
        return tuple(found)

    def _fits_shares(self) -> bool:
        return len(self._settings.shares) in (0, len(asked_steps(self._state)))

    def _with_share(self, place: int) -> tuple[float, ...]:
        """The typed shares with one more, as large as that of its neighbour."""
        shares = self._settings.shares
        return (*shares[:place], shares[max(place - 1, 0)], *shares[place:]) if shares else ()

    def _change(self, **changes: Any) -> None:
        self._state.change_anonymise(trim=replace(self._settings, **changes))
