"""The plan of an answer, before it is paid for."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.core.rationals import float_above
from workbench.library.kept_here import KeptHere
from workbench.library.plainly import plainly
from workbench.library.showing import showing
from workbench.query.plans import QueryPlan
from workbench.session import Session
from workbench.session.query_plans import painter

if TYPE_CHECKING:
    from workbench.plots.own_figure import ChartFigure


class AnswerPlan(KeptHere):
    """A question before it is asked, made by `Data.plan`: no row was read, and nothing was spent.

    >>> data = wb.open(people).describe(age=wb.integer(0, 120))
    >>> plan = data.plan("mean", "age", epsilon=1, rows=400)
    >>> plan.words
    'Mean of age, 0 to 120 in steps of 1: within ± 0.893 with 95 %. Off by 0.291 on average. If 400 rows match ...'
    >>> plan.error < plan.half_width
    True
    >>> plan.epsilon, plan.delta
    (1.0, 0.0)
    >>> plan.claim[:34], len(plan.asserted) > 1
    ('With or without you, no answer is ', True)
    """

    def __init__(self, session: Session, found: QueryPlan) -> None:
        self._session, self._found = session, found

    @property
    def epsilon(self) -> float:
        """The ε that it would cost, never less than the truth."""
        return float_above(self._found.epsilon)

    @property
    def delta(self) -> float:
        """The δ that it would cost, never less than the truth."""
        return float_above(self._found.delta)

    @property
    def error(self) -> float | None:
        """How far off the answer is expected to be on average; None where nobody can say."""
        return self._found.expected.error

    @property
    def half_width(self) -> float | None:
        """Within so much of the exact answer 95 of 100 answers lie; None where nobody can say."""
        return self._found.expected.half_width

    @property
    def words(self) -> str:
        """The expected error in words, and what that assumes."""
        found = self._found
        each = f" for each {found.of_one}" if found.of_one else ""
        half = f"within {found.half_width_text} with {found.expected.often}{each}." if found.half_width_text else ""
        said = [half, found.error_text, found.together_text, found.assumption, found.cautions, found.remark]
        return f"{found.what}: {' '.join(filter(None, said))}"

    @property
    def claim(self) -> str:
        """The promise that ε makes, or why it makes none."""
        return self._found.in_words

    @property
    def asserted(self) -> tuple[str, ...]:
        """The assertions of whoever asks, which no program can check."""
        return self._found.asserted

    @plainly
    def figure(self) -> ChartFigure:
        """How the expected error falls with ε.

        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> data.plan("mean", "age", epsilon=1, rows=400).figure().caption[:11]
        'Mean of age'

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.

        Raises
        ------
        Refused
            If nobody can say how far off it will be.
        """
        from workbench.plots import query_errors
        from workbench.plots.own_figure import figure_of

        with showing("Predicting errors") as progress:
            charts = painter(self._session, self._found)(progress)
        if charts.curve is None:
            raise WorkbenchError("Nobody can say how far off the answer will be.", field="figure")
        return figure_of(query_errors, charts.curve, f"{self.words} No row was read.")

    def __repr__(self) -> str:
        return f"<AnswerPlan: {self.words} {self.claim}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.words)}</p><p>{escape(self.claim)}</p>"
