"""Reports of people who randomised their answers themselves: written, read, and what they tell."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, counted, within_margin
from workbench.core.rationals import float_above
from workbench.ldp.estimation import EstimationMethod, coverage_words
from workbench.ldp.estimator import AUTO
from workbench.ldp.persons import PersonBudget
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.report_file import TRIAL
from workbench.library.files_read import remembered
from workbench.library.plainly import plainly
from workbench.library.showing import showing
from workbench.session.collection.aggregation import aggregator
from workbench.session.collection.estimated_charts import aggregated_chart
from workbench.session.collection.reported_words import unlikely_words
from workbench.session.collection.results import Aggregated, Collected

if TYPE_CHECKING:
    import pandas as pd

    from workbench.plots.own_figure import ChartFigure


class CollectedReports:
    """Reports that were written to a file by `Data.collect_reports`. All of it is public, as the reports are.

    >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
    >>> made = data.collect_reports("reports.csv", "job", 1, "oue")
    >>> made.claimed, made.reports, made.path.name
    (True, 400, 'reports.csv')
    >>> made.claim.startswith("ε = 1")
    True
    """

    def __init__(self, made: Collected) -> None:
        self._made = made

    @property
    def path(self) -> Path:
        """The file, which `workbench.aggregate` reads."""
        return self._made.path

    @property
    def reports(self) -> int:
        """How many there are."""
        return self._made.announcement.reports

    @property
    def claimed(self) -> bool:
        """Whether ε is a promise: not of a simulation, and not where the possible answers were read from the data."""
        return self._made.claim

    @property
    def claim(self) -> str:
        """The promise that ε makes and what limits it, or why it makes none."""
        made = self._made
        if not made.claim:
            return "Nothing is promised: " + " ".join(made.reasons)
        return " ".join([made.epsilon.text, made.announcement.promise, *made.cautions])

    def __repr__(self) -> str:
        return f"<CollectedReports: {counted(self.reports, 'report')} in {self.path.name}. {self.claim}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>"


class ReportedEstimate:
    """The estimate from reports, made by `aggregate`. All of it is public, as the reports are.

    >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
    >>> found = wb.aggregate(data.collect_reports("reports.csv", "job", 4, "oue").path)
    >>> found.reports, list(found.frame.index), list(found.frame)
    (400, ['cook', 'nurse'], ['people', 'low', 'high'])
    >>> found.mean is None, found.epsilon, found.simulation
    (True, 4.0, False)
    """

    def __init__(self, found: Aggregated, top: int) -> None:
        self._found, self._top = found, top

    @property
    def reports(self) -> int:
        """How many there were."""
        return self._found.received.support.reports

    @property
    def epsilon(self) -> float:
        """ε of everything that one person reported, never less than the truth."""
        return float_above(self._budget.person)

    @property
    def simulation(self) -> bool:
        """Whether they were drawn with a seed: then they protect nobody."""
        return self._found.received.announcement.simulated

    @property
    def claim(self) -> str:
        """The promise that ε makes, and what limits it or speaks against it, as reports that it hardly ever gives."""
        announced = self._found.received.announcement
        said = [self._budget.text, announced.promise]
        said += [f"This is no promise: {doubt}" for doubt in announced.doubts]
        if announced.simulated:
            said.append("They were drawn with a seed: a simulation, which protects nobody.")
        if announced.trial:
            said.append(TRIAL)
        return " ".join([*said, *announced.told_cautions(), *filter(None, [unlikely_words(self._found)])])

    @property
    def mean(self) -> tuple[float, float, float] | None:
        """The estimated mean and the ends of its band, in units of the column; None where people are counted.

        It holds the mean in at least 95 of 100 cases of Duchi's mechanism, and in about 95 of the others.
        """
        found = self._found
        if found.mean is None or found.low is None or found.high is None:
            return None
        return found.mean, found.low, found.high

    @property
    def frame(self) -> pd.DataFrame:
        """One row per value: the estimated people and the ends of a 95 % band; of a mean one row.

        Each band by itself holds the people of its value in at least 95 of 100 cases where the protocol has a p and a
        q and no more, such as GRR, OUE and OLH, of few people too; in about 95 elsewhere.
        With `top` only the most frequent values, each with whether it is `sure` to be there at all; of values that are
        picked because their estimates are large, those bands lie above the truth more often than that.
        """
        import pandas as pd

        columns = ["people", "low", "high"]
        if self.mean is not None:
            return pd.DataFrame([self.mean], columns=["mean", "low", "high"])
        names, estimated = self._names, self._found.estimate
        if self._top:
            rows = {names[one.code]: (one.estimate, one.low, one.high, one.sure) for one in self._found.hitters}
            return pd.DataFrame.from_dict(rows, orient="index", columns=[*columns, "sure"])
        assert estimated is not None  # where there is no mean
        parts = zip(columns, (estimated.counts, estimated.low, estimated.high), strict=True)
        return pd.DataFrame({name: part.tolist() for name, part in parts}, index=list(names))

    @property
    def participants(self) -> tuple[float, float, float] | None:
        """How many took part, with the ends of a 95 % band, where those who did not reported too; None elsewhere.

        >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
        >>> wb.aggregate(data.collect_reports("all.csv", "job", 4, "oue").path).participants is None
        False
        """
        found = self._found.participants
        return None if found is None else (found.estimate, found.low, found.high)

    @plainly
    def figure(self) -> ChartFigure:
        """The estimated people per value with their bands.

        >>> data = wb.open(people).describe(job=wb.category(["cook", "nurse"]))
        >>> wb.aggregate(data.collect_reports("drawn.csv", "job", 4, "oue").path).figure().caption[:11]
        '400 reports'

        Returns
        -------
        matplotlib.figure.Figure
            A figure of its own, without any state of pyplot, with its caption below it.

        Raises
        ------
        Refused
            If the reports tell a mean, which is one number.
        """
        from workbench.plots import estimated_counts
        from workbench.plots.own_figure import figure_of

        chart = aggregated_chart(self._found, self._title)
        if chart is None:
            raise WorkbenchError("A mean has no picture.", hint="Its `mean` has the number.", field="figure")
        return figure_of(estimated_counts, chart, f"{self._said} {self.claim}")

    @property
    def _budget(self) -> PersonBudget:
        announced = self._found.received.announcement
        return PersonBudget(announced.randomiser.spent, announced.reports_per_person)

    @property
    def _names(self) -> tuple[str, ...]:
        domain = self._found.received.announcement.domain
        return () if domain is None else tuple(domain.names)

    @property
    def _title(self) -> str:
        return PROTOCOLS[self._found.received.announcement.randomiser.protocol].title

    @property
    def _said(self) -> str:
        return f"{counted(self.reports, 'report')} about “{self._found.received.announcement.column}” by {self._title}."

    def __repr__(self) -> str:
        if self.mean is not None:
            middle, low, high = within_margin(*self.mean)
            covered = coverage_words(self._found.received.announcement.randomiser)
            told = f"Mean {middle} ({covered}: {low} to {high})."
        else:
            took = self.participants
            told = f"{counted(len(self._names), 'value')}."
            if took is not None:
                told += f" About {count(took[0])} took part."
        return f"<ReportedEstimate: {self._said} {told} {self.claim}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.frame.to_html()}"


@plainly
def aggregate(
    reports: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    top: int = 0,
    estimator: str = AUTO,
    postprocess: str = AUTO,
    one_file_per_person: bool = False,
    with_trials: bool = False,
) -> ReportedEstimate:
    """Estimate from files of reports, which need no table and no ledger: everything in them is public.

    >>> data = wb.open(people).describe(age=wb.integer(0, 120))
    >>> made = data.collect_reports("ages.csv", "age", 1, "duchi", bounds=(0, 120))
    >>> len(wb.aggregate(made.path).mean)
    3

    Parameters
    ----------
    reports
        A file of `Data.collect_reports` or of `workbench collect --reports`, or several of one collection.
    top
        Only so many of the most frequent values; 0 for all.
    estimator, postprocess
        How counts become estimates that fit together; "auto" for what suits the protocol. `workbench aggregate --help`
        lists them.
    one_file_per_person
        You assert that nobody reported in more than one of the files, as where everybody sends their own; otherwise
        what one person may have reported adds up.
    with_trials
        Whether reports of a trial are counted with those of people, which is refused otherwise.

    Raises
    ------
    Refused
        If a file cannot be read, they are of different collections, or the estimator does not suit the protocol.
    """
    given = [reports] if isinstance(reports, str | PathLike) else list(reports)
    if not given:
        raise WorkbenchError("No file of reports is named.", hint="Name one or more.", field="reports")
    work = aggregator(
        remembered(*given),
        EstimationMethod(estimator, postprocess),
        top=top,
        one_file_per_person=one_file_per_person,
        with_trials=with_trials,
    )
    with showing("Estimating from reports") as progress:
        return ReportedEstimate(work(progress), top)
