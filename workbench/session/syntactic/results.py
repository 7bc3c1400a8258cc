"""The results of the syntactic approach: refusals, found levels, tables, and what is said of them when they leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.anonymise.outcome import NodeFacts, SearchResult
from workbench.anonymise.privacy import in_words
from workbench.anonymise.problem import SearchProblem
from workbench.anonymise.recode import Anonymised
from workbench.anonymise.search import evaluate
from workbench.anonymise.utility import MetricChoice
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table, TooManyGroups
from workbench.report.note import facts_of, syntactic
from workbench.report.publisher import Publisher
from workbench.report.recheck import Stated
from workbench.report.statement import statement_body
from workbench.session.syntactic.neighbours import Change, NodeNeighbours, cheapest_changes, surroundings
from workbench.session.syntactic.question import SyntacticQuestion


@discreet
@dataclass(frozen=True, eq=False)
class Refusal:
    """The reason for no table, or for one of `*` only, and what would help. True rows: analyst only, and a look.

    Parameters
    ----------
    error
        The reason.
    changes
        Each suffices alone.
    key
        Whether the question still stands.
    searchable
        The levels were given by hand, and a search might find better ones.
    counted
        Rows were counted against the models to find this out, so that there are numbers for the analyst. Otherwise the
        question contradicts itself or the table, such as by a hierarchy that misses values.
    """

    error: WorkbenchError
    changes: tuple[Change, ...] = ()
    key: str = ""
    searchable: bool = False
    counted: bool = True

    @property
    def told(self) -> WorkbenchError:
        """The reason for the analyst's eyes, with numbers where rows were counted, which is a look at the data."""
        return self.error.for_analyst() if self.counted else self.error


@discreet
@dataclass(frozen=True, eq=False)
class RecodingResult:
    """The result of a search. Everything but the levels is computed from the true rows: analyst only.

    `key` tells whether it still answers the question; `fingerprint` is that of the file.
    """

    result: SearchResult
    problem: SearchProblem = field(repr=False)
    key: str
    fingerprint: str

    def surroundings(self, progress: Progress = SILENT, seconds: float = 1.0) -> NodeNeighbours:
        """The combinations around the best one, as many as so many seconds suffice for."""
        return surroundings(self.problem, self.result.levels, seconds, progress)


@discreet
@dataclass(frozen=True, eq=False)
class Recoded:
    """A table at chosen levels, and everything about it. Analyst only but for the rows that are kept.

    Parameters
    ----------
    anonymised
        With the suppressed rows, which are marked.
    question, levels
        What it was made with; of a locally recoded table the levels are those of the first pass, and the metric is
        the one its loss is measured by.
    facts
        What the table costs.
    advice
        If every value became `*`: that, and what would help.
    table
        The working table it was made from.
    hierarchies
        Those of the grouped columns.
    key, fingerprint
        Whether it is current, and the file.
    """

    anonymised: Anonymised
    question: SyntacticQuestion
    levels: Mapping[str, int]
    facts: NodeFacts
    advice: Refusal | None
    table: Table
    hierarchies: Mapping[str, Hierarchy] = field(repr=False)
    key: str
    fingerprint: str

    @property
    def rows_in(self) -> int:
        return self.anonymised.rows_in

    @property
    def rows_out(self) -> int:
        return self.rows_in - self.anonymised.suppressed

    def described(self) -> SyntacticRelease:
        """The description of the release for when it leaves."""
        return SyntacticRelease.of(self.question, self.hierarchies, self.levels, self.anonymised)

    def released(self) -> Table:
        """The kept rows in canonical form, as they leave."""
        return self.anonymised.leaving(tuple(self.hierarchies))


@dataclass(frozen=True, eq=False)
class SyntacticRelease:
    """The facts of a syntactic release, for readers and for programs.

    Parameters
    ----------
    names
        Its columns.
    question, hierarchies, levels
        What it was made with; the hierarchies are those of the grouped columns.
    mixed_levels
        Whether rows have labels of different levels.
    """

    names: tuple[str, ...]
    question: SyntacticQuestion
    hierarchies: Mapping[str, Hierarchy]
    levels: Mapping[str, int]
    mixed_levels: bool

    @classmethod
    def of(
        cls,
        question: SyntacticQuestion,
        hierarchies: Mapping[str, Hierarchy],
        levels: Mapping[str, int],
        anonymised: Anonymised,
    ) -> SyntacticRelease:
        return cls(anonymised.table.names, question, hierarchies, levels, anonymised.local is not None)

    @property
    def grouped(self) -> tuple[str, ...]:
        """The columns that make rows alike."""
        return tuple(self.hierarchies)

    def stated(self) -> Stated:
        """The conditions on the file."""
        return Stated(
            models=self.question.models,
            grouped=self.grouped,
            hierarchies=self.hierarchies,
            levels={} if self.mixed_levels else {name: self.levels.get(name, 0) for name in self.hierarchies},
            mixed_levels=self.mixed_levels,
            columns=self.names,
            sensitive_hierarchies=self.question.sensitive_hierarchies,
        )

    @property
    def models(self) -> tuple[tuple[str, str], ...]:
        """The models in words, and what each of them demands."""
        return tuple((in_words(choice), choice.model.summary) for choice in self.question.models)

    def to_json(self) -> dict[str, Any]:
        return syntactic(
            self.names, self.hierarchies, self.levels, self.question.models, mixed_levels=self.mixed_levels
        )

    def body(self, publisher: Publisher | None = None) -> str:
        """The statement as HTML without a page around it, as far as it is known before a file is written."""
        return statement_body(facts_of(self.to_json(), publisher=publisher))


def as_recoded(facts: NodeFacts, question: SyntacticQuestion, made: Anonymised) -> tuple[NodeFacts, SyntacticQuestion]:
    """The facts of a table, which are those of its node unless it was recoded locally, and what they answer."""
    local = made.local
    if local is None:
        return facts, question
    if question.metric.identifier != MetricChoice().identifier:
        question = replace(question, metric=MetricChoice())
    sizes = made.class_sizes
    of_table = NodeFacts(facts.levels, local.loss_after, dict(local.losses), True, made.suppressed, len(sizes), sizes)
    return of_table, question


def advice(
    problem: SearchProblem,
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    question: SyntacticQuestion,
    facts: NodeFacts,
    progress: Progress,
) -> Refusal | None:
    """The advice if only `*` is left of all grouped columns, or every row was suppressed; None otherwise."""
    levels, everything = facts.levels, facts.classes == 0
    stars = all(set(hierarchies[name].labels[level]) == {ANY} for name, level in levels.items())
    if not stars and not everything:
        return None
    words = "Every row was suppressed." if everything else "Every value of every grouped column became *."
    finer = [{**levels, name: level - 1} for name, level in levels.items() if level]
    if any(_feasible(problem, node) for node in finer):
        hint = "Lower levels satisfy the models too: search for the best ones, or lower a level by hand."
        return Refusal(WorkbenchError(words, hint=hint, field="levels"), searchable=True)
    hint = "Nothing finer satisfies the models within the suppression limit."
    changes = cheapest_changes(table, hierarchies, question, finer, searched=True, progress=progress) if finer else ()
    return Refusal(WorkbenchError(words, hint=hint, field="levels"), changes)


def _feasible(problem: SearchProblem, node: Mapping[str, int]) -> bool:
    """Whether the models hold at a node; not if an engine has the rows and more classes than can be brought."""
    try:
        return evaluate(problem, node).feasible
    except TooManyGroups:
        return False
