"""Looking at one node: which classes fail, whether it is allowed, what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable, merged_values
from workbench.anonymise.keys import WIDEST
from workbench.anonymise.privacy import TableRequirement
from workbench.anonymise.problem import SearchProblem
from workbench.anonymise.rare_cells import RareCells, RareLabels, rarest_of
from workbench.anonymise.rollup import GroupTable, Levels, roll_up
from workbench.anonymise.utility import Key
from workbench.core.table import TooManyGroups


@dataclass(frozen=True, eq=False)
class NodeJudgement:
    """The judgement of a node: which classes fail there, and how many rows that suppresses.

    Parameters
    ----------
    levels, classes
        The node and its classes.
    failing
        The classes that are suppressed, ascending.
    lost
        How many rows of each of these everything below the node must suppress at least.
    suppressed
        Rows in failing classes.
    unavoidable
        Rows that everything below the node must suppress at least.
    feasible
        Whether no more rows are suppressed than allowed.
    """

    levels: Levels
    classes: ClassTable
    failing: NDArray[np.intp]
    lost: NDArray[np.int64]
    suppressed: int
    unavoidable: int
    feasible: bool


_NOTHING = np.empty(0, dtype=np.intp)

_FOOTPRINT = 20
"""Bytes a group: its key, its count and, once the table is rolled up itself, a few blocks of digits."""


class Evaluator:
    """Judges nodes of a problem, each counted from the smallest known table of a finer one.

    Parameters
    ----------
    problem
        What to look at.
    memory
        Bytes that the tables kept may take, besides the lowest one.
    """

    def __init__(self, problem: SearchProblem, memory: int) -> None:
        self.problem = problem
        self._memory = memory
        self._used = 0
        self._ground = problem.bottom if problem.loss.needs_ground else None
        counted, self._layout = problem.counted, problem.layout
        if counted is not None and _may_merge(problem, counted):
            counted, self._layout = merged_values(counted, problem.layout)
        self._tables: list[GroupTable] = [] if counted is None else [counted]
        self._pinned = len(self._tables)
        """The first tables that are never forgotten."""
        self._levels = np.zeros((1, len(problem.names)), dtype=np.int16)
        self._sizes = np.zeros(1, dtype=np.int64)
        for table in self._tables:
            self._levels[0], self._sizes[0] = table.levels, len(table)
        self._count = len(self._tables)

    @cached_property
    def _rare(self) -> RareCells | RareLabels | None:
        """Rare cells or labels that refute nodes of a large table at few of its rows; None where nothing does."""
        problem, ground = self.problem, self.problem.counted
        if ground is None or problem.smallest_class < 2:
            return None
        return rarest_of(ground, problem.layout, problem.lattice, problem.smallest_class, problem.most_suppressed)

    def judge(self, levels: Levels) -> NodeJudgement:
        """Count the classes of a node and see which of them fail.

        Raises
        ------
        TooManyGroups
            If the rows are in an engine, and the classes do not fit into memory.
        """
        return judge(self.problem, ClassTable(self._table(levels), self._layout, self._ground))

    def look(self, levels: Levels) -> NodeJudgement | None:
        """As `judge`; None if everything below the node is infeasible, and this is seen without counting its classes.

        Raises
        ------
        TooManyGroups
            If they do not fit, and something below might be feasible.
        """
        rare = self._rare
        if rare is not None and rare.worth_it(len(self._source(levels) or ())) and rare.refute(levels):
            return None
        try:
            return self.judge(levels)
        except TooManyGroups as error:
            # A class below the node is a part of one of its classes, so what is too small here is too small there.
            if error.rare > self.problem.most_suppressed:
                return None
            raise

    def key(self, judgement: NodeJudgement) -> Key:
        """The loss of a judged node."""
        return self.problem.loss.score(judgement.levels, judgement.classes, judgement.failing)

    def _source(self, levels: Levels) -> GroupTable | None:
        """The smallest known table of a finer node."""
        known = self._levels[: self._count]
        finer = np.flatnonzero(np.all(known <= np.array(levels, dtype=np.int16), axis=1))
        if not len(finer):
            return None
        return self._tables[int(finer[self._sizes[finer].argmin()])]

    def _table(self, levels: Levels) -> GroupTable:
        source = self._source(levels)
        if source is None:
            assert self.problem.counter is not None
            table = self.problem.counter.at(levels, smallest=self.problem.smallest_class)
        elif source.levels == levels:
            return source
        else:
            table = roll_up(source, levels)
        self._keep(table)
        return table

    def _keep(self, table: GroupTable) -> None:
        self._used += _FOOTPRINT * len(table)
        if self._used > self._memory:
            self._shrink()
        if self._count == len(self._sizes):
            self._levels = np.concatenate([self._levels, np.empty_like(self._levels)])
            self._sizes = np.concatenate([self._sizes, np.empty_like(self._sizes)])
        self._levels[self._count] = table.levels
        self._sizes[self._count] = len(table)
        self._tables.append(table)
        self._count += 1

    def _shrink(self) -> None:
        """Forget the largest tables: they save the least work over the lowest one."""
        order = sorted(range(self._pinned, self._count), key=lambda position: len(self._tables[position]))
        kept, used = list(range(self._pinned)), 0
        for position in order:
            used += _FOOTPRINT * len(self._tables[position])
            if used > self._memory // 2:
                break
            kept.append(position)
        self._tables = [self._tables[position] for position in kept]
        self._levels[: len(kept)] = self._levels[kept]
        self._sizes[: len(kept)] = self._sizes[kept]
        self._count = len(kept)
        self._used = used


def _may_merge(problem: SearchProblem, ground: GroupTable) -> bool:
    """Whether of sensitive values nothing matters but whether a class has several, and keys have room to say so."""
    layout = problem.layout
    return (
        len(layout.columns) == 1
        and not layout.marked
        and 2 * math.prod(ground.radices) <= WIDEST
        and all(isinstance(one, TableRequirement) or one.asks_only_whether_alike for one in problem.requirements)
    )


def judge(problem: SearchProblem, classes: ClassTable) -> NodeJudgement:
    """See which classes of a node fail the privacy models."""
    sizes = classes.sizes
    good: NDArray[np.bool_] | None = None
    shortfalls: list[tuple[NDArray[np.intp], NDArray[np.int64]]] = []
    table_demands: list[TableRequirement] = []
    for requirement in problem.requirements:
        if isinstance(requirement, TableRequirement):
            table_demands.append(requirement)
            continue
        holds = requirement.holds(classes)
        failing = np.flatnonzero(~holds)
        if not len(failing):
            continue
        shortfalls.append((failing, requirement.least_lost(classes, failing)))
        good = holds if good is None else good & holds
    failing, lost, least = _NOTHING, np.empty(0, dtype=np.int64), 0
    whole = lost
    if good is not None:
        if len(shortfalls) == 1:
            failing, lost = shortfalls[0]
        else:
            failing = np.flatnonzero(~good)
            most = np.zeros(len(classes), dtype=np.int64)
            for where, rows in shortfalls:
                most[where] = np.maximum(most[where], rows)
            lost = most[failing]
        # What a finer node keeps of a class are whole classes, none of them smaller than any that may be released.
        whole = sizes[failing]
        shortfalls.clear()
        # Mostly they are lost whole, and these arrays are the most memory of a look.
        same = np.array_equal(whole, lost)
        lost = whole if same else np.where(whole - lost < problem.smallest_class, whole, lost)
        least = int(lost.sum())
    for demand in table_demands:
        least = max(least, demand.least_lost(sizes))
    if table_demands:
        failing, lost = _with_table_demands(sizes, failing, lost, table_demands)
        whole = sizes[failing]
    suppressed = int(whole.sum())
    return NodeJudgement(
        classes.groups.levels, classes, failing, lost, suppressed, least, suppressed <= problem.most_suppressed
    )


def _with_table_demands(
    sizes: NDArray[np.int64],
    failing: NDArray[np.intp],
    lost: NDArray[np.int64],
    demands: list[TableRequirement],
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Suppress the smallest acceptable classes until the rest meets all demands."""
    good = np.ones(len(sizes), dtype=np.bool_)
    good[failing] = False
    while True:
        smallest = max(demand.smallest_kept(sizes[good]) for demand in demands)
        too_small = good & (sizes < smallest) & (sizes > 0)
        if not too_small.any():
            break
        good &= ~too_small
    least = np.zeros(len(sizes), dtype=np.int64)
    least[failing] = lost
    everything = np.flatnonzero(~good)
    return everything, least[everything]
