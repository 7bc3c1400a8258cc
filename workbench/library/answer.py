"""An answer that was paid for."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_up
from workbench.library.plainly import plainly
from workbench.plots import answer_interval, private_bars
from workbench.query.answer import AnswerForm
from workbench.session.answer_chart import bars_chart, interval_chart
from workbench.session.noise_alone import noise_alone
from workbench.session.query_answers import PaidAnswer

if TYPE_CHECKING:
    import pandas as pd

    from workbench.plots.own_figure import ChartFigure


class AskedAnswer:
    """An answer with differential privacy; made by `Data.ask`. It was paid for, so it may be shown and published.

    >>> answer = wb.open(people).ask("count", epsilon=1)
    >>> answer.epsilon, answer.stored
    (1.0, False)
    >>> answer.interval[0] <= answer.value <= answer.interval[1]
    True
    >>> answer.limited, answer.noise_alone
    ('', None)
    >>> answer.claim
    'Answered with ε = 1, if what is asserted is so.'

    Attributes
    ----------
    stored
        Whether it was paid for before and only shown again.
    """

    def __init__(self, paid: PaidAnswer, stored: bool = False) -> None:
        self._paid = paid
        self.stored = stored

    @property
    def value(self) -> Any:
        """A number, a text, or by label the number of each part."""
        released = self._paid.released
        return released.by_label(released.value)

    @property
    def interval(self) -> tuple[Any, Any] | None:
        """Where the exact answer lies in 95 of 100 cases, in the shape of `value`; None where that is not known."""
        released = self._paid.released
        if released.interval is None:
            return None
        low, high = released.interval
        return released.by_label(low), released.by_label(high)

    @property
    def limited(self) -> str:
        """Which values it is of, such as "values limited to 0…100"; "" where all count as they are.

        It also says to which steps they are rounded, where that may change a value of the column.
        """
        return self._paid.limited

    @property
    def noise_alone(self) -> tuple[float, float] | None:
        """Of an answer within bounds that were found first: where the exact one of `limited` lies in 95 of 100 cases.

        That is for the noise alone; how far limiting the values shifts it is not known, so it has no `interval`. None
        of other answers.
        """
        alone = noise_alone(self._paid)
        return None if alone is None or alone.released.interval is None else alone.released.interval

    @property
    def epsilon(self) -> float:
        """The ε that it cost, never less than the truth."""
        return float(self._paid.epsilon)

    @property
    def claim(self) -> str:
        """The claim in one sentence."""
        if self._paid.unclaimed:
            return self._paid.unclaimed
        price = f"ε = {rounded_up(self._paid.epsilon)}"
        if self._paid.delta:
            price += f", δ = {rounded_up(self._paid.delta)}"
        return f"Answered with {price}, if what is asserted is so."

    @property
    def asserted(self) -> tuple[str, ...]:
        """The assertions of whoever asked, which no program can check."""
        return self._paid.asserted

    @property
    def frame(self) -> pd.DataFrame:
        """The answer as a DataFrame: one row per number, with the ends of its interval, or of `noise_alone`."""
        import pandas as pd

        heading, *rows = self._table()
        return pd.DataFrame(rows, columns=heading)

    @plainly
    def figure(self) -> ChartFigure:
        """The answer with the interval of the exact one: bars, or one number on a line.

        >>> wb.open(people).ask("count", epsilon=1).figure().caption
        'Count. Answered with ε = 1, if what is asserted is so.'

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.

        Raises
        ------
        Refused
            If it has no picture, as a text or a table of pairs.
        """
        from workbench.plots.own_figure import figure_of

        caption = f"{self._paid.what}. {self.claim}"
        if (bars := bars_chart(self._paid)) is not None:
            return figure_of(private_bars, bars, caption)
        if (line := interval_chart(self._paid)) is not None:
            return figure_of(answer_interval, line, caption, (7.0, 2.0))
        raise WorkbenchError("This answer has no picture.", hint="Its `frame` has everything.", field="figure")

    def _table(self) -> list[tuple[Any, ...]]:
        released = self._paid.released
        if released.form is AnswerForm.TABLE:
            return [
                ("", *released.labels[1]),
                *((name, *cells) for name, cells in zip(released.labels[0], released.value, strict=True)),
            ]
        several = released.form is AnswerForm.LIST
        names = released.labels[0] if several else ("answer",)
        columns = [released.value if several else [released.value]]
        if released.interval is not None:
            columns += [side if several else [side] for side in released.interval]
        heading: tuple[str, ...] = "", "value", "low", "high"
        if (alone := self.noise_alone) is not None:
            columns += [[end] for end in alone]
            heading = *heading[:2], "noise_alone_low", "noise_alone_high"
        return [heading[: len(columns) + 1], *zip(names, *columns, strict=True)]

    def __repr__(self) -> str:
        released = self._paid.told
        text = released.said
        if released.form is AnswerForm.NUMBER and released.unit:
            text += f" {released.unit}"
        if (ends := released.said_between) is not None:
            text += f" (95 %: {ends[0]} to {ends[1]})"
        if (alone := noise_alone(self._paid)) is not None:
            low, high = alone.within
            text += f" (95 %: {low} to {high} for the noise alone, of {alone.limited})"
        if released.form in (AnswerForm.LIST, AnswerForm.TABLE):
            text = f"{len(released.labels[0])} numbers"
        return f"<AskedAnswer: {self._paid.what}: {text}. {self.claim}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.frame.to_html(index=False)}"
