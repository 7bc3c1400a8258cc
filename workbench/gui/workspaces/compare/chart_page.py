"""The chart, what it comes to in words, and the way out as picture and numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QPushButton, QWidget

from workbench.core.progress import Progress
from workbench.core.visible import visible
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Findings
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.folded_words import FoldedWords
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.save_place import ask_file, ask_folder
from workbench.gui.workspaces.compare.curves_view import CurvesView
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.figure_panel import FigurePanel
from workbench.io.atomic import atomic_write
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData
from workbench.plots.comparison_data import picture_stem
from workbench.plots.render import chart_csv
from workbench.session.comparison_files import write_findings
from workbench.session.comparison_words import findings_words

_PUBLIC = (
    "Type what everybody may know: which values are possible, and about how many people there are. Then every way "
    "answers many times, and how far off it is shows here. Nothing is read or charged."
)
_READY = "Every way answers many times, and how far off it is shows here. Nothing is read or charged."
_OTHER_TABLE = "What was found was not about this table."
_RUNS = "Every way is being tried. Curves show here as soon as their first points are finished."
_TRUE = (
    "Every way answers many times about the true values, and how far off it is shows here. That reads the table, which "
    "is recorded as a look, and charges nothing."
)
_BESIDE = "Not in a saved picture (below it with Figure ▸ Details):"
"""What stands before the details, where the picture does not say them."""
_NARROW, _SPACED, _AMPLE = 700, 900, 960
"""Pixels below which the tools are icons, saving is said in one word, and copying is an icon, as anywhere else."""


class ChartPage(QWidget):
    """State, tools, chart, words.

    Parameters
    ----------
    repeats
        What stands beside the state, which says how many repetitions there are.
    """

    def __init__(
        self, document: Document, draft: ExperimentDraft, repeats: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._repeats = repeats
        self._document = document
        self.shown: Findings | None = None
        self.of_other_table = False
        """Whether what was shown last was about a table that is not open any more."""
        self._settings, self._place = FigureSettings(), math.nan
        self._enough: float | None = None
        self.state = ResultState("Run", low=True)
        self.chart = CurvesView("Comparison", document.runner)
        self.chart.noted.connect(document.noted)
        self.chart.drawn.connect(self._say)
        self.show_basis(public=True)
        set_explain(self.chart, "compare.chart")
        self.panel = FigurePanel(draft)
        self.copy_picture = self._tool("Copy figure", "copy")
        self.copy_picture.clicked.connect(self.chart.copy_picture)
        self.copy_numbers = tool_button(name="Copy numbers", icon=icon("table", "link"), tip="Copy numbers")
        self.copy_numbers.clicked.connect(self.chart.copy_numbers)
        # What most people came for takes one press; what else there is to save stands in a list beside it.
        self.save = self._tool("Save picture…", "save")
        self.copy_picture.setToolTip("Copy figure")
        self.save.clicked.connect(self.chart.choose_file)
        self.save_others = tool_button(name="Save numbers or everything", icon=icon("chevron-down", "link"))
        self.save_others.setToolTip("Save the numbers, or everything into a folder")
        self.save_others.clicked.connect(self._open_others)
        self.adjust = self._tool("Figure", "settings")
        self.adjust.setToolTip("How it is drawn: logarithmic axes, bands, names, title, and size and text of a file")
        self.words = FoldedWords("What the figure says")
        self.chart.leave_below(self.words.folded_height)
        self._lay_out()
        self.show_findings(None, FigureSettings())

    def show_basis(self, *, public: bool, runs: bool = False, lacks: bool = True) -> None:
        """Say what a run needs, if it `lacks` that, and reads, or that one is on its way, while nothing is drawn."""
        words = _RUNS if runs else _TRUE if not public else _PUBLIC if lacks else _READY
        self.chart.set_empty_text(f"{_OTHER_TABLE} {words}" if self.of_other_table and not runs else words)

    def _tool(self, words: str, icon_name: str) -> QPushButton:
        button = push_button(words, name=words, icon=icon(icon_name, "link"), quiet=True)
        return button

    def _lay_out(self) -> None:
        # To stand beside the tabs, where it needs no line of its own.
        self.beside = boxes.boxed(
            boxes.row(
                (self.state, 1),
                self._repeats,
                self.copy_picture,
                self.copy_numbers,
                self.save,
                self.save_others,
                self.adjust,
                spacing=0,
            )
        )
        boxes.column((self.chart, 1), self.words, margins="0", spacing="xs", inside=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for button, least in ((self.copy_picture, _AMPLE), (self.adjust, _NARROW)):
            button.setText(button.accessibleName() if self.width() >= least else "")
        whole, brief = self.save.accessibleName(), "Picture…"
        self.save.setText(whole if self.width() >= _SPACED else brief if self.width() >= _NARROW else "")

    def set_lines(self, lines: int) -> None:
        """Show so many lines of its words: one where the chart needs all room, a whole caption where there is much."""
        self.words.set_lines(lines)
        self.chart.leave_below(max(self.words.folded_height, self.words.button.sizeHint().height()))

    def set_current(self, current: bool) -> None:
        """Whether what is shown answers the question as it stands; what does not is not taken for an answer to it."""
        drawn = self.shown is not None and any(series.drawn for series in self.shown.series)
        for button in self.ways_out:
            button.setEnabled(drawn and current)
        self.chart.setEnabled(current)
        self.words.set_outdated(not current)

    def show_findings(self, findings: Findings | None, settings: FigureSettings, *, soon: bool = False) -> None:
        """Draw what was found; `soon` while more is on its way."""
        self.shown, self._settings = findings, settings
        self.of_other_table = self.of_other_table and findings is None
        drawn = findings is not None and any(series.drawn for series in findings.series)
        newest = None if findings is None else self._at_place(ComparisonData(findings, settings))
        self.chart.show_comparison(newest if drawn else None, soon=soon)
        for button in self.ways_out:
            button.setEnabled(drawn)
        with_caption = " with its caption" if settings.caption else ""
        self.save.setToolTip(f"Save the picture{with_caption}, as PNG, SVG or PDF")
        if self.chart.picture is None:
            self._say()  # else with the picture that it is about

    def show_place(self, place: float, enough: float | None = None) -> None:
        """Compare the ways at another place of the axis, in the caption here and in that which leaves.

        Parameters
        ----------
        enough
            The error that is good enough, where somebody typed one.
        """
        if (place, enough) == (self._place, self._enough):
            return
        self._place, self._enough = place, enough
        self.chart.mark(place, enough)
        if self.shown is not None:
            self._say()

    @property
    def _data(self) -> ComparisonData | None:
        """What is seen, at the place that is looked at."""
        return None if self.chart.seen is None else self._at_place(self.chart.seen)

    def _at_place(self, data: ComparisonData) -> ComparisonData:
        session = self._document.session
        typed = session.comparison.is_typed(data.findings.experiment.question)  # then it is about no table
        source = session.data.file_name if self._document.has_data and not typed else ""
        place = None if math.isnan(self._place) else self._place
        return replace(data, place=place, enough=self._enough, source=visible(source))

    def _say(self) -> None:
        """Say below the picture, and below a saved one, what is in it."""
        data, findings = self._data, self.shown
        if data is None and findings is not None:
            data = self._at_place(ComparisonData(findings, self._settings))
        elif data is not None:
            self.chart.set_caption(data)
        self.words.setText(*(("",) if data is None else self._said(data)))
        self.words.setVisible(data is not None)

    def _said(self, data: ComparisonData) -> tuple[str, str]:
        """Result of the curves in words, and the caption that leaves with the figure, which comes first, alone."""
        findings, settings = data.findings, data.settings
        words, first = findings_words(findings), ""
        if settings.caption and findings.through:
            caption = comparison.caption(data)
            # The tiles above say the verdict in full, and what the picture says is said once.
            details = [f"• {one}" for one in caption.details]
            beside = [one for one in words if one.removeprefix("• ") not in str(caption)]
            apart = [_BESIDE] if details and not settings.details else []
            first = caption.below
            words = [first, *apart, *details, *beside]
        return "\n".join(words), first

    # The way out

    @property
    def ways_out(self) -> tuple[QAbstractButton, ...]:
        """The buttons by which what is shown leaves."""
        return self.copy_picture, self.copy_numbers, self.save, self.save_others

    def _open_others(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icon("table"), "&Numbers (CSV)…", self._choose_csv)
        menu.addAction(icon("open"), "&Everything into a folder…", self._choose_folder)
        menu.popup(self.save_others.mapToGlobal(QPoint(0, self.save_others.height())))

    def _choose_csv(self) -> None:
        chosen, _ = ask_file(self, "Save numbers", f"{self.chart.file_stem}.csv", "CSV (*.csv)")
        if chosen:
            self.save_csv(Path(chosen))

    def _choose_folder(self) -> None:
        chosen = ask_folder(self, "Save everything into")
        if chosen:
            self.save_all(Path(chosen))

    def save_csv(self, path: Path) -> None:
        """Write the numbers behind the chart."""
        data = self.chart.taken
        if data is None:
            return

        def work(_progress: Progress) -> list[Path]:
            with atomic_write(path) as stream:
                stream.write(chart_csv(comparison, data).encode())
            return [path]

        self._start(work)

    def save_all(self, folder: Path) -> None:
        """Write PNG, SVG, PDF, CSV and JSON into a folder."""
        data, now = self.chart.taken, self._data
        if data is None or now is None:
            return

        def work(_progress: Progress) -> list[Path]:
            return write_findings(
                data.findings,
                folder,
                comparison.file_stem(now),
                data.settings,
                place=now.place,
                enough=now.enough,
                source=now.source,
                numbered=True,
                pictures=picture_stem(now),
            )

        self._start(work)

    def _start(self, work: Callable[[Progress], list[Path]]) -> None:
        self._document.runner.start("Saving the comparison", work, on_done=self._saved, aside=True)

    def _saved(self, paths: list[Path]) -> None:
        names = ", ".join(path.name for path in paths)
        self._document.noted.emit("success", f"Saved: {names}.")
