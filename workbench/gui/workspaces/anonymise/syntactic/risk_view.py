"""The risk of re-identification, before and after."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from workbench.anonymise.risk import Risk
from workbench.core.number_text import NONE, percent
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.theme import tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.plots import paired_bars
from workbench.session.syntactic.views import Risks

_PERCENT = 100
_USUAL = 20.0


class RiskView(QWidget):
    """Rows by their risk, what three kinds of attacker find, and the same as numbers.

    Signals
    -------
    threshold_chosen(float)
        The person chose another chance, 0 to 1, above which a row is at risk.
    noted(str, str)
        A message of a kind and its text.
    """

    threshold_chosen = Signal(float)

    noted = Signal(str, str)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spread = ChartView("Rows by their risk", paired_bars, runner)
        self.attackers = ChartView("Attackers", paired_bars, runner)
        for chart in (self.spread, self.attackers):
            chart.set_empty_text("After a run: how likely it is that a row is recognised.")
            chart.noted.connect(self.noted)
        self.threshold = NumberField(
            "Chance above which a row is at risk",
            minimum=0,
            maximum=_PERCENT,
            value=_USUAL,
            step=5,
            unit="%",
            compact=True,
        )
        self.threshold.value_changed.connect(self._choose)
        self._cells: dict[tuple[str, str], QLabel] = {}
        set_explain(self, "anonymise.risk")
        top = boxes.row(label("At risk above", muted=True), self.threshold, 1, spacing="s")
        inside = QWidget()
        inside.setProperty("bare", "true")
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, tokens.SPACE_M, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_L)
        self._grid.setVerticalSpacing(tokens.SPACE_XS)
        self._grid.setColumnStretch(0, 1)
        self._fill()
        self.why_not = label(muted=True, small=True, wrap=True, selectable=True)
        numbers = boxes.boxed(boxes.column(top, (boxes.scrolled(inside), 1), spacing="m"))
        views = ((self.spread, "Rows"), (self.attackers, "Attackers"), (numbers, "Numbers"))
        self.switch = ViewSwitch("Risk of being recognised", views)
        boxes.column(self.why_not, (self.switch, 1), spacing="s", inside=self)
        self.show_risks(None)

    @property
    def chosen(self) -> float:
        """The threshold, 0 to 1."""
        value = self.threshold.value
        return (_USUAL if value is None else value) / _PERCENT

    def text(self, figure: str, when: str) -> str:
        """A figure: such as "prosecutor.highest"; `when` is "before" or "after"."""
        return self._cells[figure, when].text()

    def _fill(self) -> None:
        right = Qt.AlignmentFlag.AlignRight
        for column, words in ((1, "Before"), (2, "After")):
            self._grid.addWidget(label(words, muted=True), 0, column, right)
        highest, average, at_risk = "most exposed row", "average row", "rows at risk"
        groups = (
            (
                "Prosecutor",
                "knows that a certain person is among the rows",
                (("prosecutor.highest", highest), ("prosecutor.average", average), ("prosecutor.at_risk", at_risk)),
            ),
            (
                "Journalist",
                "knows only that the person is in the population",
                (("journalist.highest", highest), ("journalist.average", average), ("journalist.at_risk", at_risk)),
            ),
            (
                "Marketer",
                "wants to recognise as many as possible",
                (("marketer", "rows recognised"),),
            ),
            ("Uniques", "rows that are alone in their class", (("uniques", "share"),)),
        )
        row = 1
        for title, sentence, figures in groups:
            heading = boxes.row(
                label(title, strong=True),
                (label(sentence, muted=True, small=True, wrap=True), 1),
                margins="0 s 0 0",
                spacing="s",
            )
            self._grid.addLayout(heading, row, 0, 1, 3)
            for name, words in figures:
                row += 1
                self._grid.addWidget(label(words), row, 0)
                for column, when in ((1, "before"), (2, "after")):
                    cell = label()
                    cell.setFont(tabular_font())
                    cell.setMinimumWidth(tokens.COLUMN_MIN)
                    cell.setAlignment(right | Qt.AlignmentFlag.AlignVCenter)
                    cell.setProperty("figure", f"{title}, {words}, {when}")
                    self._cells[name, when] = cell
                    self._grid.addWidget(cell, row, column, right)
            row += 1
        self._grid.setRowStretch(row, 1)

    def show_risks(self, found: Risks | None) -> None:
        """Show the risks, or dashes, with the reason where there is one."""
        self.spread.set_data(found.spread if found is not None else None)
        self.attackers.set_data(found.attackers if found is not None else None)
        why_not = found.why_not if found is not None else ""
        self.why_not.setText(f"Before: {why_not}" if why_not else "")
        self.why_not.setVisible(bool(why_not))
        for when, risk in (("before", found and found.before), ("after", found and found.after)):
            shown = _figures(risk) if risk else {}
            for (name, at), cell in self._cells.items():
                if at == when:
                    cell.setText(percent(shown[name]) if name in shown else NONE)
                    cell.setAccessibleName(f"{cell.property('figure')}: {cell.text()}")

    def _choose(self, threshold: float) -> None:
        self.threshold_chosen.emit(threshold / _PERCENT)


def _figures(risk: Risk) -> dict[str, float]:
    return {
        "prosecutor.highest": risk.prosecutor.highest,
        "prosecutor.average": risk.prosecutor.average,
        "prosecutor.at_risk": risk.prosecutor.at_risk,
        "journalist.highest": risk.journalist.highest,
        "journalist.average": risk.journalist.average,
        "journalist.at_risk": risk.journalist.at_risk,
        "marketer": risk.marketer,
        "uniques": risk.uniques,
    }
