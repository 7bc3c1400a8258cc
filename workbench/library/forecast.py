"""The forecast of a release before it is drawn: from public facts, from no row."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from workbench.anonymise.forecast import TrimForecast
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.number_text import counted, rounded_up
from workbench.library.plainly import plainly
from workbench.library.showing import showing
from workbench.plots import group_survival

if TYPE_CHECKING:
    import pandas as pd

    from workbench.plots.own_figure import ChartFigure


class ReleaseForecast:
    """The groups that survive a release, made by `Data.forecast`: no row was read, and nothing was charged.

    >>> forecast = wb.open(people).forecast(hierarchies={"age": wb.hierarchy.intervals(10, whole=True)}, rows=400)
    >>> list(forecast.frame["half_survive"])[:1] == [forecast.frame["half_survive"].iloc[0]]
    True
    """

    def __init__(self, found: TrimForecast, promised: TrimGuarantee, words: str) -> None:
        self._found, self._promised = found, promised
        self.words = words

    @property
    def frame(self) -> pd.DataFrame:
        """One row per step, the finest first: its levels, its ε and δ, and the groups that survive it.

        `half_survive` and `always_survive` are the rows a group needs to be released half of the time and always;
        `possible_groups` how many groups there can be, where that is known.
        """
        import pandas as pd

        rows = [
            {
                **{f"level of {name}": level for name, level in step.levels.items()},
                "epsilon": step.epsilon,
                "delta": step.delta,
                "half_survive": step.half_survive,
                "always_survive": step.always_survive,
                "possible_groups": step.possible_groups,
            }
            for step in self._found.steps
        ]
        return pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="step"))

    @plainly
    def figure(self) -> ChartFigure:
        """How often a group of each size is released by the first step, beside sampling at the same ε and δ.

        >>> forecast = wb.open(people).forecast(hierarchies={"age": wb.hierarchy.intervals(10, whole=True)})
        >>> "no row was read" in forecast.figure().caption
        True

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.
        """
        from workbench.plots.own_figure import figure_of

        with showing("Drawing which groups survive") as progress:
            chart = group_survival.compute(self._promised, progress)
        step = "The first of " + counted(chart.steps, "step") if chart.steps > 1 else "The release"
        caption = (
            f"{step}: how often a group is released, by its rows (ε = {rounded_up(chart.epsilon)}, "
            f"δ = {rounded_up(chart.delta)} in all). Green: trimming; "
            "blue: sampling at the same price with the best β, dashed with the largest. "
            "From public facts alone; no row was read."
        )
        return figure_of(group_survival, chart, caption)

    def __repr__(self) -> str:
        first = self._found.steps[0]
        said = self.words or f"At the first step groups of {first.half_survive:,} rows survive half of the time."
        return f"<ReleaseForecast: {counted(len(self._found.steps), 'step')}. {said}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.frame.to_html()}"
