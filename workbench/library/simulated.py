"""A survey that was simulated on the true values: what protocols would have estimated. For the analyst only."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.ldp.simulation import METRICS
from workbench.library.kept_here import KeptHere
from workbench.library.plainly import plainly
from workbench.session.collection.estimated_charts import simulated_chart
from workbench.session.collection.results import Simulated

if TYPE_CHECKING:
    import pandas as pd

    from workbench.plots.own_figure import ChartFigure

_WHOSE = "For the analyst only, not to be published."


class SurveySimulation(KeptHere):
    """The estimates of protocols had they asked the true values, made by `Data.simulate`. For the analyst only.

    >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
    >>> found = data.simulate("job", 1, ["oue", "grr"], repetitions=5, seed=1, look=True)
    >>> found
    <SurveySimulation: 2 protocols. For the analyst only, not to be published.>
    >>> list(found.frame), list(found.estimates)
    (['l1', 'l2', 'kantorovich'], ['truth', 'Optimised unary encoding', 'Direct encoding'])
    >>> list(found.means), found.seed
    (['mean', 'absolute'], 1)
    """

    def __init__(self, found: Simulated) -> None:
        self._found = found

    @property
    def seed(self) -> int:
        """With which it can be repeated."""
        return self._found.seed

    @property
    def frame(self) -> pd.DataFrame:
        """One row per protocol that counts people: its mean errors in L1, L2 and Kantorovich's distance."""
        import pandas as pd

        rows = {one.title: [one.errors[metric].mean for metric in METRICS] for one in self._found.results}
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(METRICS))

    @property
    def means(self) -> pd.DataFrame:
        """One row per protocol for means: the mean it estimates on average, and how far off it is on average."""
        import pandas as pd

        rows = {one.title: [float(one.estimates.mean()), one.errors.mean] for one in self._found.means}
        return pd.DataFrame.from_dict(rows, orient="index", columns=["mean", "absolute"])

    @property
    def estimates(self) -> pd.DataFrame:
        """One row per value: the true people, and how many each protocol estimates on average."""
        import pandas as pd

        found, encoded = self._found, self._found.asked.encoded
        if encoded is None or found.truth is None:
            return pd.DataFrame()
        columns = {"truth": found.truth.tolist(), **{one.title: one.estimate.tolist() for one in found.results}}
        return pd.DataFrame(columns, index=list(encoded.domain.names))

    @plainly
    def figure(self, protocol: str = "") -> ChartFigure:
        """A chart of the average estimates of one protocol in the simulation, beside the truth.

        >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
        >>> found = data.simulate("job", 1, ["oue"], repetitions=5, seed=1, look=True)
        >>> found.figure("oue").caption[:41]
        'For the analyst only, not to be published'

        Parameters
        ----------
        protocol
            Such as "oue"; "" for the first one.

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.

        Raises
        ------
        Refused
            If there is no such protocol among those that count people.
        """
        from workbench.plots import estimated_counts
        from workbench.plots.own_figure import figure_of

        results = self._found.results
        wanted = next((one for one in results if protocol in ("", one.choice.identifier, one.title)), None)
        if wanted is None:
            names = ", ".join(one.choice.identifier for one in results) or "none"
            raise WorkbenchError(
                f"No protocol “{protocol}” counts people here.", hint=f"There are: {names}.", field="protocol"
            )
        chart = simulated_chart(self._found, wanted, wanted.title, "")
        return figure_of(estimated_counts, chart, f"{_WHOSE} {wanted.title}: a simulation on the true values.")

    def __repr__(self) -> str:
        tried = len(self._found.results) + len(self._found.means)
        return f"<SurveySimulation: {counted(tried, 'protocol')}. {_WHOSE}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>"
