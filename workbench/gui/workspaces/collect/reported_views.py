"""Views of reports that were read: the estimate of each answer as a chart and in numbers, and the most frequent."""

from __future__ import annotations

from itertools import islice

from PySide6.QtWidgets import QWidget

from workbench.core.number_text import within_margin
from workbench.gui.document import Document
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.save_chart import SaveChart
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.collect.figures_table import FiguresTable
from workbench.plots import estimated_counts
from workbench.session.collection.captions import reported_caption
from workbench.session.collection.estimated_charts import aggregated_chart
from workbench.session.collection.reported_words import band_texts, processed_by, share_text
from workbench.session.collection.results import Aggregated
from workbench.session.collection.two_answers import named_of_reports

_MOST_ROWS = 5000
_BAND = (
    "The band follows from the estimate before {processed}, by itself, so that the number beside it need not be in its "
    "middle. It is cut to what is possible; that of an estimate far beyond this is that of the nearest possible one"
)


class ReportedViews(ViewSwitch):
    """All of it is public, as reports are."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        self.chart = ChartView("Estimate from reports", estimated_counts, document.runner)
        self.chart.set_empty_text("Open one or more files of reports to see what they tell.")
        self.chart.noted.connect(document.noted)
        self.table = FiguresTable("Estimates in numbers")
        self.hitters = FiguresTable("The most frequent values")
        pages: list[tuple[QWidget, str]] = [
            (self.chart, "Histogram"),
            (self.table, "Numbers"),
            (self.hitters, "Most frequent"),
        ]
        super().__init__("What the reports tell", pages, SaveChart(self.chart), parent=parent)

    def clear(self) -> None:
        """Show nothing."""
        self.chart.set_data(None)
        self.table.show_rows([], [])
        self.hitters.show_rows([], [])

    def show_found(self, found: Aggregated) -> None:
        """Show what was estimated: of a mean, which has no chart, the numbers alone."""
        announced = found.received.announcement
        counted, domain = found.estimate, announced.domain
        if counted is None or domain is None:
            self._show_mean(found)
            return
        self.chart.say_below(reported_caption(found))
        self.chart.set_data(aggregated_chart(found, named_of_reports(announced)))
        ends = [f"{end}, {found.coverage}" for end in ("Low", "High")]
        names, of = domain.names, found.of_people
        # Shares are asked for; where they are known they lead, and how many people that is comes last.
        first, last = ("Share, %", ["People"]) if of else ("People", [])
        heads = ["Value", first, *ends, *last]

        def line(name: str, people: float, low: float, high: float) -> tuple[str, ...]:
            told = band_texts(people, low, high)
            return (name, *share_text(people, low, high, of=of), told[0]) if of else (name, *told)

        numbers = islice(zip(names, counted.counts, counted.low, counted.high, strict=True), _MOST_ROWS)
        self.table.show_rows(heads, [line(*each) for each in numbers])
        tip = _BAND.format(processed=processed_by(found) or "post-processing")
        self.table.explain_headings(dict.fromkeys(ends, tip))
        self.hitters.show_rows(
            [*heads, "Surely there"],
            [
                (*line(names[one.code], one.estimate, one.low, one.high), "yes" if one.sure else "not sure")
                for one in found.hitters
            ],
        )

    def _show_mean(self, found: Aggregated) -> None:
        assert found.mean is not None and found.low is not None and found.high is not None
        self.clear()
        numbers = within_margin(found.mean, found.low, found.high)
        self.chart.set_empty_text(f"Mean {numbers[0]}\n{found.band}: {numbers[1]} to {numbers[2]}")
        self.table.show_rows(["Mean", *(f"{end}, {found.coverage}" for end in ("Low", "High"))], [numbers], left=0)
