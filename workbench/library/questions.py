"""Questions to a table that are answered with differential privacy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from workbench.library.amounts import Amount, amount_text
from workbench.library.answer import AskedAnswer
from workbench.library.foreseen import AnswerPlan
from workbench.library.plainly import plainly
from workbench.library.setting_up import one_of
from workbench.library.showing import showing
from workbench.library.study import Study
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft


class Questions(Study):
    """A table at work, as far as it is asked."""

    @plainly
    def ask(
        self,
        question: str,
        column: str = "",
        *,
        epsilon: Amount | None = None,
        where: str = "",
        noise: str = "grid",
        again: bool = False,
        **values: Any,
    ) -> AskedAnswer:
        """Ask a question with differential privacy, and pay for the answer.

        An answer to the same question that was paid for before is shown again, for nothing.

        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> answer = data.ask("mean", "age", epsilon="1/2", where="age >= 18")
        >>> data.ask("mean", "age", epsilon=0.5, where="age >= 18").stored, data.spent[0]
        (True, Fraction(1, 2))

        Parameters
        ----------
        question
            Such as "count", "mean", "histogram"; `workbench query --help` lists them.
        column
            What it is about.
        epsilon
            ε of the answer.
        where
            Only rows for which this holds, such as "age >= 18".
        noise
            "grid", "diffprivlib" or "opendp".
        again
            Whether to ask, and to spend, anew.
        values
            Other parameters of the question, such as `lower` and `upper`; what is left out is as it was declared.

        Raises
        ------
        Refused
            If a parameter is missing or impossible, or the budget does not suffice.
        """
        draft = _draft(question, column, epsilon, where, noise, values)
        stored = None if again else self._session.queries.stored(draft)
        if stored is not None:
            return AskedAnswer(stored, True)
        with showing("Asking") as progress:
            return AskedAnswer(self._session.queries.ask(draft, progress))

    @plainly
    def plan(
        self,
        question: str,
        column: str = "",
        *,
        epsilon: Amount | None = None,
        where: str = "",
        noise: str = "grid",
        rows: int | None = None,
        **values: Any,
    ) -> AnswerPlan:
        """The plan of an answer, before anything is spent: from what is declared, and from no row.

        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> plan = data.plan("mean", "age", epsilon=0.5, rows=400)
        >>> plan.half_width < 5, data.spent[0]
        (True, Fraction(0, 1))

        Parameters
        ----------
        question, column, epsilon, where, noise, values
            As for `ask`.
        rows
            About how many rows match, from public knowledge; None for a guess, or for what a count that was paid for
            tells.

        Raises
        ------
        Refused
            If a parameter is missing or impossible.
        """
        draft = _draft(question, column, epsilon, where, noise, values)
        if rows is not None:
            draft = replace(draft, assumed_rows=rows, rows_typed=True)
        return AnswerPlan(self._session, self._session.queries.plan(draft))


def _draft(
    question: str, column: str, epsilon: Amount | None, where: str, noise: str, values: Mapping[str, Any]
) -> QueryDraft:
    """A question as the room Query has it."""
    kind = one_of(question, [one.identifier for one in QUERIES], "question")
    given = {**({"column": column} if column else {}), **{name: _scalar(value) for name, value in values.items()}}
    text = "" if epsilon is None else amount_text(epsilon, "epsilon")
    source = NoiseSource(one_of(noise, list(NoiseSource), "noise"))
    return QueryDraft(kind, text, MappingProxyType(given), where, source)


def _scalar(value: Any) -> Any:
    """A parameter as a person would type it."""
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return "\n".join(str(one) for one in value)
    return str(value)
