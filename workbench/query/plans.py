"""A question before anything is spent: checked, priced, and what its answer is expected to be worth.

Nothing here looks at the data. How many rows match is a guess of the person's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, TablePart
from workbench.core.errors import WorkbenchError
from workbench.core.filter_rules import Among, And, ComparisonRule, Rule
from workbench.core.filtering import Filter, parse
from workbench.core.number_text import margin_up, shown
from workbench.core.rationals import rational
from workbench.core.schema import Misfits, Schema
from workbench.core.trust import doubt_of
from workbench.core.unit_words import ROWS, in_unit
from workbench.core.working_table import Preparation
from workbench.query import circumstances
from workbench.query.amounts import answerable, epsilon_of, in_words, shares
from workbench.query.answer import AnswerForm
from workbench.query.catalogue import QUERIES, CheckedQuery, NoiseSource, QueryDraft, QueryKind
from workbench.query.diffprivlib_mechanism import published
from workbench.query.grid import with_step
from workbench.query.mechanism import Expected, QueryMechanism
from workbench.query.opendp_mechanism import OpenDPNoise
from workbench.query.partition import Partition

NEIGHBOURS = {
    ADD_REMOVE: "adding or removing all rows of one person",
    REPLACE_ONE: "changing the values of one person's rows, with the number of rows public",
}
"""Which tables must not be told apart, in words."""

MOST_ROWS = 10_000_000


@dataclass(frozen=True)
class RowCount:
    """The number of rows that match, as far as a released answer tells.

    Parameters
    ----------
    rows
        The noisy number, not below 0.
    source
        Where it comes from, to be read after "from the".
    """

    rows: int
    source: str


@dataclass(frozen=True, eq=False)
class QueryPlan:
    """A question that can be asked, and what it would cost. All of it is public.

    Parameters
    ----------
    draft, kind
        The question.
    mechanism
        What answers it.
    where
        Its filter.
    rows_per_person
        For persons with up to so many rows it is accounted.
    cells
        The part of the table it looks at, where answers about other parts do not add to it.
    values
        Every parameter of the kind, with defaults.
    table, columns
        The rows that take part, and how the columns are read, as in `circumstances`.
    counted
        What was released of the number of matching rows, which then takes the place of a guess.
    remark
        What else the ledger knows of the question, or "".
    plugin
        Whose the kind is and whether it is trusted, as `core.trust.Origin.to_json` says; None for the program's own.
    """

    draft: QueryDraft
    kind: QueryKind
    mechanism: QueryMechanism
    where: Filter | None
    rows_per_person: int
    cells: TablePart | None
    values: Mapping[str, Any]
    table: Mapping[str, Any]
    columns: Mapping[str, Any]
    counted: RowCount | None = None
    remark: str = ""
    plugin: Mapping[str, Any] | None = None

    @property
    def rows(self) -> int:
        """How many rows are taken to match."""
        return self.draft.assumed_rows if self.counted is None else self.counted.rows

    @property
    def rows_from(self) -> str:
        """Where that number comes from."""
        if self.counted is not None:
            return f"from the {self.counted.source}"
        return "as typed" if self.draft.says_rows else "a guess"

    @property
    def margin_on_a_guess(self) -> bool:
        """Whether the margin follows from a number of rows that nobody typed and nothing told."""
        if self.counted is not None or self.draft.says_rows or not self.depends_on_rows or self.expected.before:
            return False  # before an adjustment it is that of the noise on counts, however many there are
        simulated = self.expected.error is not None and not self.expected.closed
        return simulated or self._of_more_rows.half_width != self.expected.half_width

    @property
    def unit(self) -> str:
        """The unit of the answer's numbers as it is shown; `mechanism.unit` is as it is recorded."""
        return circumstances.unit_shown(self.mechanism.unit, self.parameters)

    @property
    def matching(self) -> str:
        """What is counted of those that match: people, where at most one row of each takes part."""
        return circumstances.unit_shown(ROWS, {"table": self.table})

    @property
    def moved_by_draw(self) -> bool:
        """Whether another draw of rows might have another answer, which no margin of the noise has in it."""
        return circumstances.whose_value(self.parameters, self.mechanism.unit) in circumstances.OF_A_DRAW

    @property
    def epsilon(self) -> Fraction:
        return self.mechanism.epsilon

    @property
    def delta(self) -> Fraction:
        return self.mechanism.delta

    @property
    def neighbours(self) -> str:
        """`ADD_REMOVE` or `REPLACE_ONE`."""
        return self.mechanism.neighbours

    @property
    def unclaimed(self) -> str:
        """Why this program makes no promise for the answer, or ""."""
        return self.mechanism.unclaimed or doubt_of(self.plugin)

    @property
    def what(self) -> str:
        """The question in a line, with what decides about its answer."""
        counted = self.values.get("statistic") == "count"  # of no column
        named = () if counted else ("column", "second_column")
        columns = [str(self.values[name]) for name in named if self.values.get(name)]
        grouped = f" by {self.values['by_column']}" if self.values.get("by_column") else ""
        of = f" of {' and '.join(columns)}" if columns else ""
        statistic, title = str(self.values.get("statistic", "")), self.kind.title
        # “Sum of age by town” says it all; without groups the title says what noise is drawn.
        asked = statistic.capitalize() if grouped and statistic else f"{title} ({statistic})" if statistic else title
        where = f" where {self.where}" if self.where is not None else ""
        within = "".join(f", {frame.in_words}" for frame in self.mechanism.frames)
        return f"{asked}{of}{grouped}{within}{where}{circumstances.in_words(self.table)}"

    @cached_property
    def expected(self) -> Expected:
        """How far the answer is expected to be off, if as many rows match as is guessed."""
        return self.mechanism.planned(self.rows)

    @property
    def half_width_text(self) -> str:
        """The expected half-width as a person reads it."""
        half = self.expected.half_width
        return "" if half is None else f"± {in_unit(margin_up(half, 3), self.unit)}"

    @property
    def error_text(self) -> str:
        """How far off the answer is expected to be on average, "" if nobody can say."""
        error = self.expected.error
        return "" if error is None else f"Off by {in_unit(shown(error, None, 3), self.unit)} on average."

    @property
    def together_text(self) -> str:
        """How far off the worst of several values is expected to be, "" for one."""
        margin, cells = self.expected.together, math.prod(map(len, self.mechanism.labels))
        if margin is None:
            return ""
        within = in_unit(margin_up(margin, 3), self.unit)
        return f"All {cells:,} {self.of_one}s at once are within ± {within} in 95 % of answers."

    @property
    def of_one(self) -> str:
        """The name of one of several values of the answer; "" if there is one value."""
        if self.mechanism.form is AnswerForm.TABLE:
            return "cell"
        if self.mechanism.form is not AnswerForm.LIST:
            return ""
        if self.kind.identifier == "quantile":
            return "quantile"
        ranges = any(isinstance(frame, Partition) and frame.edges for frame in self.mechanism.frames)
        return "bin" if ranges else "group" if self.mechanism.labels else "value"

    @property
    def cautions(self) -> str:
        """Which bins are wider than the others, and that an answer has no interval, or ""."""
        found = [frame.uneven for frame in self.mechanism.frames if isinstance(frame, Partition)]
        return " ".join(filter(None, (*found, self.mechanism.without_interval)))

    @property
    def assumption(self) -> str:
        """The assumption that the expected error rests on."""
        if not self.depends_on_rows:
            return "The error does not depend on the data."
        values = f", with values {self.mechanism.assumes}" if self.mechanism.assumes else ""
        # One number stands for all groups, and hides that of the smallest.
        one = self.of_one
        same = f", all in these {one}s, equally many in each {one}: of fewer it is more"
        equal = same if self.of_equal_groups else ""
        having, source = "", self.rows_from
        if self.of_those_with_a_value:
            having = " and have a value"
            source += "" if equal else "; with fewer the margin is wider"
        return f"If {self.rows:,} {self.matching} match{having} ({source}){equal}{values}."

    @property
    def of_those_with_a_value(self) -> bool:
        """Whether what is expected is for so many rows with a value, as those without one are left out unseen."""
        return self.depends_on_rows and self.values.get("missing") == ""

    @property
    def left_out(self) -> str:
        """Which rows do not count, "" where all do; how many there are nobody is told."""
        listed = any(isinstance(frame, Partition) and frame.keys and not frame.other for frame in self.mechanism.frames)
        said = (
            "Values not listed are left out." if listed else "",
            "Rows without a value are left out." if self.values.get("missing") == "" else "",
        )
        return " ".join(filter(None, said))

    @property
    def of_equal_groups(self) -> bool:
        """Whether one number is expected of all groups, which holds where they are as large as each other."""
        return bool(self.values.get("by_column")) and bool(self.of_one) and self.depends_on_rows

    @cached_property
    def depends_on_rows(self) -> bool:
        """Whether the expected error depends on how many rows match."""
        if self.expected.error is None or self.expected.closed:
            other = self._of_more_rows
            return (other.error, other.half_width) != (self.expected.error, self.expected.half_width)
        return True

    @cached_property
    def _of_more_rows(self) -> Expected:
        """What is expected of four times as many rows."""
        return self.mechanism.planned(4 * max(self.rows, 1))

    @property
    def in_words(self) -> str:
        """The promise that ε makes, or why it makes none."""
        return self.unclaimed or in_words(self.epsilon, self.delta)

    @property
    def asserted(self) -> tuple[str, ...]:
        """The assertions that the user makes by asking, because no program can check them."""
        return circumstances.asserted(self.rows_per_person, self.neighbours, self.table, self.plugin)

    @property
    def parameters(self) -> dict[str, Any]:
        """Everything public, as it is written down beside the answer."""
        read = [frame.spec for frame in self.mechanism.frames]
        return {
            "query": self.kind.identifier,
            "values": {name: _plain(value) for name, value in self.kind.telling(self.values, read).items()},
            "where": "" if self.where is None else str(self.where),
            "tool": self.mechanism.tool,
            "frames": [frame.public for frame in self.mechanism.frames],
            "table": dict(self.table),
            "columns": dict(self.columns),
            "parts": [
                {"name": part.name, "sensitivity": str(part.sensitivity), "epsilon": str(part.epsilon)}
                for part in self.mechanism.parts
            ],
            **({"delta": str(self.delta)} if self.delta else {}),
            **({} if self.plugin is None else {"plugin": dict(self.plugin)}),
        }


def plan(
    draft: QueryDraft, schema: Schema, preparation: Preparation | None = None, epsilon: Fraction | None = None
) -> QueryPlan:
    """Check a question and price it.

    Parameters
    ----------
    draft
        The question.
    schema
        How the columns are described; only what was declared is used.
    preparation
        How the working table is made, which is part of the question and decides whether answers about other rows add
        up with this one.
    epsilon
        ε in place of the one of the draft, for a batch or a curve.

    Raises
    ------
    WorkbenchError
        If a parameter is missing or impossible.
    """
    kind = QUERIES[draft.kind]
    if not 0 <= draft.assumed_rows <= MOST_ROWS:
        raise WorkbenchError(
            f"The number of rows that may match must lie between 0 and {MOST_ROWS:,}.",
            hint="It is a guess for the plan and changes nothing else.",
            field="assumed_rows",
        )
    spent = None
    if kind.needs_epsilon:
        spent = epsilon_of(draft.epsilon) if epsilon is None else answerable(epsilon)
    elif epsilon is not None:
        raise WorkbenchError(
            f"ε of “{kind.title}” follows from its own parameters.", hint="Ask it on its own.", field="epsilon"
        )
    values = kind.checked(draft.values)
    asked = CheckedQuery(values, spent, schema, schema.unit.rows_per_person)
    where = parse(draft.where, asked.declared) if draft.where.strip() else None
    mechanism = _mechanism(draft, kind, asked)
    if draft.most_below is not None:
        mechanism = mechanism.along_tail(draft.most_below)
    values = with_step(values, mechanism.frames)
    made, cells = preparation or Preparation(), None
    if mechanism.neighbours == ADD_REMOVE and schema.unit.rows_per_person == 1 and where is not None:
        cells = cells_of(where.rule, schema, made)
    looked_at = {frame.spec.name for frame in mechanism.frames}
    looked_at.update(*(rule.columns for rule in (where, *mechanism.filters) if rule is not None))
    return QueryPlan(
        draft,
        kind,
        mechanism,
        where,
        schema.unit.rows_per_person,
        cells,
        values,
        circumstances.working_table(asked.declared, made, filtered=where is not None and not mechanism.of_all_rows),
        circumstances.columns_read(asked.declared, made, looked_at),
        plugin=QUERIES.origin(kind.identifier).to_json_or_none(),
    )


def _mechanism(draft: QueryDraft, kind: QueryKind, asked: CheckedQuery) -> QueryMechanism:
    if draft.noise is NoiseSource.DIFFPRIVLIB:
        return published(kind, draft.tool, asked)
    made = kind.compile(asked)
    return OpenDPNoise(kind.identifier, made) if draft.noise is NoiseSource.OPENDP else made


def batch(
    drafts: Sequence[QueryDraft], total: str, schema: Schema, preparation: Preparation | None = None
) -> tuple[QueryPlan, ...]:
    """Several questions that share one ε in proportion to their weights.

    Raises
    ------
    WorkbenchError
        If there is none, one of them is impossible, or they promise different things, which have no common (ε, δ).
    """
    if not drafts:
        raise WorkbenchError("There is no question in the batch.", hint="Add one.", field="batch")
    weights = tuple(rational(draft.weight, "weight") for draft in drafts)
    parts = shares(epsilon_of(total), weights)
    plans = tuple(plan(draft, schema, preparation, part) for draft, part in zip(drafts, parts, strict=True))
    if len({(one.neighbours, one.unclaimed) for one in plans}) > 1:
        raise WorkbenchError(
            "The questions of the batch do not promise the same: some hide whether a person is there at all, others "
            "only what their rows say, or carry no promise of this program.",
            hint="Ask those of the grid together, and those of diffprivlib, OpenDP or a plug-in on their own.",
            field="batch",
        )
    return plans


def cells_of(rule: Rule, schema: Schema, preparation: Preparation) -> TablePart | None:
    """The rows a filter can match, if they are told by exact texts in one column; see `composition.Cells`.

    Only texts that are compared letter by letter count, in a column whose values are used as they stand in the file.
    A person must have one row in the whole file: where the working table leaves rows out, one row may be all that is
    left of several, and questions about other working tables may meet the others.
    """
    if preparation.where.strip() or preparation.random:
        return None
    parts = rule.parts if isinstance(rule, And) else (rule,)
    for part in parts:
        if isinstance(part, ComparisonRule) and part.sign == "=":
            values: tuple[Any, ...] = (part.value,)
        elif isinstance(part, Among):
            values = part.values
        else:
            continue
        spec = schema[part.column]
        exact = not (spec.kind.numeric or spec.kind.temporal) and spec.misfits is Misfits.KEEP
        if exact and all(isinstance(value, str) for value in values):
            return TablePart(part.column, frozenset(map(str, values)))
    return None


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value
