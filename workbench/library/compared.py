"""The price of global, anonymised and local answers in accuracy."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.evaluate.figure_settings import FIT_TO_PRINT
from workbench.evaluate.findings import Findings
from workbench.library.kept_here import KeptHere
from workbench.library.plainly import plainly
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData
from workbench.plots.comparison_look import print_style
from workbench.session.comparison_files import write_findings

if TYPE_CHECKING:
    import pandas as pd

    from workbench.plots.own_figure import ChartFigure


class MethodComparison(KeptHere):
    """Errors of several ways to answer one question, made by `Data.compare`. On true values it is the analyst's.

    >>> asked = {"question": {"figure": "mean", "column": "age"}, "methods": ["global-grid"]}
    >>> data = wb.open(people).describe(age=wb.integer(0, 120))
    >>> found = data.compare({**asked, "places": [1.0], "repetitions": 3, "seed": 1}, look=True)
    >>> found.analyst_only, list(found.frame)
    (True, ['method', 'at', 'error', 'low', 'high'])
    >>> found.caption[:33]
    'Absolute error of the mean of age'
    """

    def __init__(self, found: Findings) -> None:
        self._found = found

    @property
    def analyst_only(self) -> bool:
        """Whether it was found on true values, so that it must not be published."""
        return not self._found.experiment.basis.public

    @property
    def caption(self) -> str:
        """The caption, as below the figure: what must be known to read it."""
        return comparison.caption(ComparisonData(self._found, FIT_TO_PRINT)).below

    @property
    def frame(self) -> pd.DataFrame:
        """One row per method and place: the mean error, and between what 95 % of the repetitions lie."""
        import pandas as pd

        rows = [
            {"method": one.name, "at": point.axis_value, "error": point.mean, "low": point.low, "high": point.high}
            for one in self._found.series
            for point in one.points
        ]
        return pd.DataFrame(rows, columns=["method", "at", "error", "low", "high"])

    @plainly
    def figure(self) -> ChartFigure:
        """The errors with their bands, fit to print; of true values the caption says that they are the analyst's.

        >>> asked = {"question": {"figure": "mean", "column": "age"}, "methods": ["global-grid"]}
        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> found = data.compare({**asked, "places": [1.0], "repetitions": 3, "seed": 1}, look=True)
        >>> found.figure().caption == found.caption
        True

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.
        """
        from workbench.plots.own_figure import figure_of

        settings = FIT_TO_PRINT
        size = settings.width, settings.height
        return figure_of(comparison, ComparisonData(self._found, settings), self.caption, size, print_style(settings))

    @plainly
    def save(self, folder: str | Path) -> list[Path]:
        """Write figures (PNG, SVG, PDF), the numbers as CSV and everything as JSON into a folder.

        >>> asked = {"question": {"figure": "mean", "column": "age"}, "methods": ["global-grid"]}
        >>> data = wb.open(people).describe(age=wb.integer(0, 120))
        >>> found = data.compare({**asked, "places": [1.0], "repetitions": 3, "seed": 1}, look=True)
        >>> sorted(path.suffix for path in found.save("figures"))
        ['.csv', '.json', '.pdf', '.png', '.svg', '.txt']

        Raises
        ------
        Refused
            If a file cannot be written; then none is.
        """
        return write_findings(self._found, Path(folder), "comparison", FIT_TO_PRINT)

    def __repr__(self) -> str:
        return f"<MethodComparison: {self.caption}>"

    def _repr_html_(self) -> str:
        return f"<p>{'Analyst only. ' if self.analyst_only else ''}{escape(self.caption)}</p>"
