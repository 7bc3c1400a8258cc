"""Edits of the question in hand, and of what its plan asks to be said of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from workbench.core.amount_text import read_amount
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import file_text, rounded_down
from workbench.core.schema import ColumnSpec, Schema, UnitAnswer
from workbench.gui.document import Document
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, QueryDraft
from workbench.session import Session
from workbench.session.found_first import with_bounds_first
from workbench.session.query_answers import PaidAnswer
from workbench.session.typed_bounds import carried_to_query

_LIMITED_PART = 10
_COLUMNS = "column", "by_column", "second_column"


def margin_of(draft: QueryDraft) -> tuple[object, ...]:
    """What a wanted margin is of: one of 500 dollars is none of 500 rows, but may be that of another column as well."""
    # Of bounds that are found first it is that of the statistic itself, whose margin was typed perhaps.
    kind = str(draft.values.get("figure") or "mean") if draft.kind == "narrowed" else draft.kind
    return kind, draft.values.get("statistic")


def asked_for(draft: QueryDraft) -> tuple[object, ...]:
    """What an ε that was found for a margin is of: that of another column takes another one."""
    return *margin_of(draft), *(draft.values.get(name) for name in _COLUMNS)


class _SaidOfColumns:
    """What was typed of each column, so that one wrong choice loses none of it; of one table and kind, never saved."""

    def __init__(self) -> None:
        self._table = ""
        self._said: dict[tuple[str, str, str], tuple[ColumnSpec, QueryDraft]] = {}

    def again(self, draft: QueryDraft, before: QueryDraft, schema: Schema, table: str) -> QueryDraft:
        """The question with what was typed of a column that is chosen again; what goes with the one before is kept.

        Not of one that was described otherwise meanwhile: what is declared now counts.
        """
        if table != self._table:
            self._table = table
            self._said.clear()
        if draft.kind not in QUERIES or draft.kind != before.kind:
            return draft
        for prefix in relevance.PREFIXES:
            then, now = (relevance.column_of(one, schema, prefix) for one in (before, draft))
            if then == now:
                continue
            if then is not None:
                self._said[draft.kind, prefix, then.name] = then, before
            if now is not None:
                described, said = self._said.get((draft.kind, prefix, now.name), (None, draft))
                draft = relevance.saying_again(draft, prefix, said) if described == now else draft
        return draft


class QuestionEdits:
    """Each of them is one step that can be undone.

    Parameters
    ----------
    flush
        Takes over what is still being typed.
    asked
        The answers that were paid for on this data, as far as they are known, oldest first.
    """

    def __init__(
        self,
        document: Document,
        flush: Callable[[], object],
        asked: Callable[[], Sequence[PaidAnswer]] = tuple,
    ) -> None:
        self._document, self._flush, self._asked = document, flush, asked
        self._found: tuple[tuple[object, ...], str] | None = None
        self._before = ""
        self._said = _SaidOfColumns()

    def edit(self, draft: QueryDraft, text: str, merge: str) -> None:
        """Have another draft; an ε that was found for the margin of one question is none to spend on the next.

        What was typed, or taken over from elsewhere, stays whatever is asked.
        """
        before = self._document.project.queries.draft
        found = self._found == (asked_for(before), before.epsilon)
        if found and draft.epsilon == before.epsilon and asked_for(draft) != asked_for(before):
            epsilon = self._next
            if epsilon != before.epsilon:
                words = f"ε is {epsilon} again: {before.epsilon} was found for a margin of another question."
                self._document.noted.emit("info", words)
            draft = replace(draft, epsilon=epsilon)
        self._put(draft, text, merge)

    @property
    def _next(self) -> str:
        """The ε of the next question after one for whose margin it was found.

        That of before, unless it was only tried and is more than was spent on the question that was asked last, or
        than a question has by itself.
        """
        # Those of a batch have a share of its ε each, which nobody chose for a question.
        alone = ((str(one.question.get("query")), one) for one in reversed(self._asked()) if one.plan is None)
        last = next((one.epsilon for kind, one in alone if kind in QUERIES and QUERIES[kind].needs_epsilon), None)
        usual = QueryDraft().epsilon
        try:
            before, most = read_amount(self._before), Fraction(usual) if last is None else last
        except WorkbenchError:
            return usual
        if before <= most:
            return self._before
        return usual if last is None else _as_typed(last)

    def _put(self, draft: QueryDraft, text: str, merge: str = "") -> None:
        before = self._document.project.queries.draft
        project, table = self._document.project, self._document.session.data.fingerprint
        draft = self._said.again(draft, before, project.schema, table)
        draft = carried_to_query(project, relevance.without_rows_of_others(draft, before))
        if draft != before:
            self._document.apply(text, lambda session: session.queries.set_draft(draft), merge=merge)

    def ask_of_all(self) -> None:
        self._flush()
        self.edit(replace(self._document.project.queries.draft, where=""), "Ask of all rows", "")

    def take_epsilon(self, epsilon: str) -> None:
        draft = self._document.project.queries.draft
        self.edit(replace(draft, epsilon=epsilon), "Choose ε", "")

    def take_solved(self, epsilon: str) -> None:
        """Take the ε that was found for a margin, until something else is asked."""
        draft = self._document.project.queries.draft
        if self._found != (asked_for(draft), draft.epsilon):
            self._before = draft.epsilon
        self._found = asked_for(draft), epsilon
        self.take_epsilon(epsilon)

    def ask_enclosing(self, quantiles: str) -> None:
        """Ask for several quantiles in place of the one in hand, which they enclose; ε is as it was."""
        self._flush()
        draft = self._document.project.queries.draft
        values = MappingProxyType({**draft.values, "quantile": quantiles})
        self._put(replace(draft, kind="quantile", values=values), f"Ask for the quantiles {quantiles}")

    def find_bounds_first(self) -> None:
        """Ask for the same within bounds that are found first."""
        self._flush()
        draft, schema = self._document.project.queries.draft, self._document.project.schema
        self.edit(with_bounds_first(draft, schema), "Find bounds first", "")

    def protect_every_row(self) -> None:
        unit = replace(self._document.project.schema.unit, protected=UnitAnswer.SAID)
        self._document.apply("Protect every row", lambda session: session.data.set_unit(unit))

    def declare_bounds(self, column: str, low: float, high: float) -> None:
        draft = relevance.without_bounds(self._document.project.queries.draft, column)

        def declare(session: Session) -> None:
            session.data.set_bounds(column, (low, high))
            session.queries.set_draft(draft)

        if self._document.apply(f"Declare bounds of {column}", declare):
            self._document.noted.emit("success", f"They are now the declared bounds of “{column}”.")

    def declare_values(self, column: str, values: tuple[str, ...]) -> None:
        words = f"Declare values of {column}"
        if self._document.apply(words, lambda session: session.data.set_domain(column, values)):
            self._document.noted.emit("success", f"They are now the declared values of “{column}”.")

    def ask_limited(self, answered: PaidAnswer) -> None:
        """Put the question in hand that counts the values an answer limited; asking it is up to the person.

        For a tenth of the ε that the answer took: whether they are few or many is told by far less.
        """
        draft = relevance.limited_by(self._document.project.queries.draft, answered.as_answered)
        epsilon = file_text(float(answered.epsilon) / _LIMITED_PART, 3)
        self.edit(replace(draft, epsilon=epsilon), "Ask how many values were limited", "")


def _as_typed(epsilon: Fraction) -> str:
    """An ε as decimal text, never above it."""
    text = file_text(float(epsilon))
    return text if Fraction(text) == epsilon else rounded_down(epsilon).replace(",", "")
