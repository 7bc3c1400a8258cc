"""The numbers behind the chart as a table."""

from __future__ import annotations

import math

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from workbench.core.number_text import estimate, exact
from workbench.evaluate.error_series import Point
from workbench.evaluate.findings import Findings
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.labels import label
from workbench.plots.curve_words import setting_words

_SETTINGS = (
    " Setting: how the way answers there, the one that erred least in tries of its own; level 0 is the value itself, "
    "each further one is coarser."
)


_DUST = 1e-9
"""An end that is so much smaller than the mean is what additions leave of nothing."""


class _PointsTable(HeatTable):
    """Cuts nothing: where all of it is wider than there is room, it scrolls sideways."""

    def fit_columns(self) -> None:
        super().fit_columns()
        heads, metrics = self.horizontalHeader(), self.fontMetrics()
        for place, texts in enumerate(zip(*self.texts(), strict=True)):
            widest = max(map(metrics.horizontalAdvance, texts)) + 3 * tokens.SPACE_S
            self.setColumnWidth(place, max(widest, heads.sectionSizeHint(place)))


def _by(point: Point) -> str:
    """What the mean and the range of a point follow from."""
    if not math.isfinite(point.mean):
        return ""
    if not point.by_formula:
        return "tries"
    return "formula" if point.ends_known else "formula; From … To: tries"


class NumbersPage(QWidget):
    """One line per point."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.table = _PointsTable("Errors of all points")
        self.heading = label(muted=True, wrap=True)
        self.copy = push_button("Copy table", self.copy_table, icon=icon("copy", "link"), quiet=True)
        boxes.column(
            boxes.row((self.heading, 1), self.copy, spacing="s"),
            (self.table, 1),
            margins="0 s 0 0",
            spacing="s",
            inside=self,
        )
        set_explain(self, "compare.numbers")
        self._findings: Findings | None = None
        self.show_findings(None)

    def show_findings(self, findings: Findings | None) -> None:
        """Show these numbers, if they are not shown already."""
        self._findings = findings
        findings = None if findings is None else findings.shown
        self.copy.setEnabled(findings is not None and bool(findings.points))
        if findings is None or not findings.points:
            self.heading.setText("The numbers of the chart show here once it was run.")
            self.table.show_rows(["Method"], [])
            return
        experiment = findings.experiment
        unit = f", {findings.unit}" if findings.unit else ""
        extras = (
            any(math.isfinite(point.theory) and not point.by_formula for point in findings.points),
            any(point.unanswered for point in findings.points),
            any(point.problem for point in findings.points),
            any(point.by is not None for point in findings.points),
            len(experiment.shapes) > 1,
            any(point.by_formula for point in findings.points),
        )
        tries = f"{experiment.repetitions:,} tries"
        how = f"Mean is of {tries}, of which 95 % lie From … To"
        if extras[5]:
            how = f"Mean, and From … To, where 95 % lie, are by formula or of {tries}, as By says; Tries is their mean"
        metric = f"{experiment.error_heading}{unit}"
        chance = " ±: chance in it, in 95 of 100 cases." if any(one.chance > 0 for one in findings.points) else ""
        self.heading.setText(f"{metric}. {how}.{chance}{_SETTINGS if extras[3] else ''}")
        headings = [
            "Method",
            experiment.axis.words,
            *(["Setting"] if extras[3] else []),
            *(["Shape"] if extras[4] else []),
            "Mean",
            *(["By", "Tries"] if extras[5] else []),
            "From",
            "To",
            *(["Formula"] if extras[0] else []),
            *(["No answer"] if extras[1] else []),
            *(["Remark"] if extras[2] else []),
        ]
        rows = []
        for point in findings.points:
            cells = [point.method, exact(point.axis_value)]
            cells += [setting_words(point, findings.experiment.question.statistic)] if extras[3] else []
            cells += ["" if point.shape is None else point.shape.adjective] if extras[4] else []
            cells += [point.mean_text()]
            cells += [_by(point), estimate(point.tried) if point.by_formula else ""] if extras[5] else []
            cells += [estimate(0 if abs(one) < _DUST * point.mean else one) for one in (point.low, point.high)]
            cells += [estimate(point.theory) if not point.by_formula else ""] if extras[0] else []
            cells += [f"{point.unanswered:,}"] if extras[1] else []
            cells += [point.problem] if extras[2] else []
            rows.append(cells)
        self.table.show_rows(headings, rows, left=2 + extras[3] + extras[4])
        self.table.fit_columns()
        self.table.scrollToTop()

    def copy_table(self) -> None:
        """Put the table on the clipboard, for a spreadsheet."""
        if self._findings is not None:
            text = "\n".join("\t".join(row) for row in self._findings.table())
            QGuiApplication.clipboard().setText(text)
            self._document.noted.emit("success", "The table was copied; paste it into a spreadsheet.")
