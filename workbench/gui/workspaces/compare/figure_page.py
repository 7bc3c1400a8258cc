"""One published figure: as published beside mended, with its values, its settings, and where it differs and why."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count
from workbench.core.progress import Progress
from workbench.evaluate.published.agreement import Said
from workbench.evaluate.published.catalogue import FIGURES
from workbench.evaluate.published.entry import FigureOutcome, PublishedFigure
from workbench.evaluate.published.panel import MENDED, RUN_HERE, SIDES_OF_OURS
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.look_question import LookQuestion
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.save_place import ask_folder
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare.copied_preset import copy_preset
from workbench.gui.workspaces.compare.figure_data import FigureData
from workbench.gui.workspaces.compare.figure_runs import FigureRuns
from workbench.gui.workspaces.compare.figure_said import FigureSaid
from workbench.gui.workspaces.compare.figure_split import FigureSplit
from workbench.gui.workspaces.compare.figure_values import tone_of_all
from workbench.gui.workspaces.compare.side_view import SideView, share_width, unbroken
from workbench.session.comparison_files import FORMATS
from workbench.session.published_figures import (
    expected_names,
    expected_rows,
    figure_runner,
    views_of,
    write_figure,
)
from workbench.session.python.rooms import PublishedInView

_LOW, _NARROW = 560, 900
"""A page that is lower has lower charts; one that is narrower has a head of fewer words."""
_BY_NAME = {figure.identifier: figure for figure in FIGURES}


class FigurePage(QWidget):
    """The page of one figure; `show_figure` shows another, and cancels nothing.

    Signals
    -------
    back()
        The person wants to see all of them.
    declare_requested(str)
        The person wants to declare the public bounds of this column.
    """

    back = Signal()
    declare_requested = Signal(str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._figure: PublishedFigure | None = None
        self._runs = FigureRuns(document, self)
        self._runs.moved.connect(self._take_arrived)
        self.found: dict[str, tuple[FigureOutcome, str]] = {}
        """Outcome of each figure so far, and the column it is of."""
        self.back_button = tool_button(
            act=self.back, name="All published figures", icon=icon("chevron-left"), tip="All published figures"
        )
        self.title = label(heading=1, wrap=True)
        self.source = label(muted=True, wrap=True)
        self.caption = label(wrap=True)
        self.data = FigureData(document)
        self.data.activated.connect(self._choose_data)
        self.button = push_button(act=self.run_or_cancel, primary=True)
        self.save = push_button(
            "Save all…", self._choose_folder, name="Save all", icon=icon("save", "link"), quiet=True
        )
        self.save.setToolTip("Every chart as PNG, SVG and PDF and every table as CSV, into a folder")
        self.command = push_button(
            "Copy as command", self.copy_command, name="Copy as command", icon=icon("copy", "link"), quiet=True
        )
        self.command.setToolTip("Copy the command that makes this figure")
        self.first_look = LookQuestion(document, "run")
        self.first_look.agreed.connect(self.run)
        self.state = ResultState()
        # Two lines, also while it has only one: nothing below it moves when a run ends.
        self.state.setMinimumHeight(2 * self.fontMetrics().lineSpacing() + 2 * tokens.SPACE_S)
        self.state.run_requested.connect(self.run)
        self.declare = push_button("Declare bounds…", self._ask_to_declare, name="Declare bounds", quiet=True)
        self.published = SideView(RUN_HERE, document)
        self.mended = SideView(MENDED, document)
        self.below = FigureSaid()
        self.values, self.settings = self.below.values, self.below.settings
        self.differs, self.marks = self.below.differs, self.below.marks
        # A moment later, as heights are not changed while widths are.
        self._fit = Later(self, self._fit_at_last)
        self._opened = False
        self.below.fitted.connect(self._fit.start)
        self._lay_out()
        set_explain(self, "compare.published")
        self._judge()

    def _lay_out(self) -> None:
        self.below.switched.connect(self._fit_below)
        self._sides = boxes.row((self.published, 1), (self.mended, 1), spacing="m")
        self.split = FigureSplit(boxes.boxed(self._sides), self.below)
        self.split.splitterMoved.connect(self._fit_tables)
        self.split.divided.connect(self._fit_tables)
        for side in (self.published, self.mended):
            side.choice.activated.connect(self._fit.start)
            side.fitted.connect(self._fit.start)
        inside = self._inside = QWidget()
        inside.setProperty("bare", "true")
        self._data_words = label("Data")
        boxes.column(
            boxes.row((self.source, 1), self._data_words, (self.data, 1), spacing="s"),
            self.caption,
            self.first_look,
            boxes.row((self.state, 1), self.declare, spacing="s"),
            (self.split, 1),
            margins="l xs l s",
            spacing="xs",
            inside=inside,
        )
        self._area = boxes.scrolled(inside)
        # Not within what scrolls: the way back, and what runs it, stay where they are.
        head = boxes.row(
            self.back_button, (self.title, 1), self.button, self.command, self.save, margins="l s l 0", spacing="s"
        )
        boxes.column(head, (self._area, 1), spacing=0, inside=self)

    # Showing

    @property
    def figure(self) -> PublishedFigure | None:
        """The one that is shown."""
        return self._figure

    @property
    def seen(self) -> PublishedInView | None:
        """The same as it is copied, with the data that is chosen."""
        return None if self._figure is None else PublishedInView(self._figure.identifier, self.data.column)

    def show_figure(self, identifier: str) -> None:
        """Show a figure, with what it came to; what runs of others goes on."""
        figure = self._figure = _BY_NAME[identifier]
        self.title.setText(f"{figure.number} · {figure.title}")
        self.caption.setText(unbroken(figure.caption))
        set_explain(self, "compare.beyond" if figure.document.ours else "compare.published")
        names = SIDES_OF_OURS if figure.document.ours else (RUN_HERE, MENDED)
        for side, name in zip((self.published, self.mended), names, strict=True):
            side.set_name(name)  # what was drawn of another stays no longer than its title
            side.expect(expected_names(figure), expected_rows(figure))
            side.show_panels(())
        self.below.show_figure(figure)
        self._opened = True
        self._offer_data(self.found[identifier][1] if identifier in self.found else "")
        self._show_found()
        self._judge()

    def refresh(self) -> None:
        """Offer the columns as they are now."""
        self.first_look.follow()
        if self._figure is not None:
            self._offer_data(self.data.column)
            self._judge()

    def _offer_data(self, chosen: str) -> None:
        figure = self._figure
        assert figure is not None
        self.data.offer(figure.needs, figure.sample, chosen)
        for one in (self.data, self._data_words):  # what there is no choice of, the line below names
            one.setVisible(self.data.count() > 1)

    def _choose_data(self, _row: int) -> None:
        if self._figure is not None and self._figure.identifier not in self.found:
            self._show_found()
        self._judge()

    def _show_found(self) -> None:
        figure = self._figure
        assert figure is not None
        found = self.found.get(figure.identifier)
        # Until a run of the sample brings its own, values are those of the recorded one, whose marks its card has.
        outcome = found[0] if found is not None else FigureOutcome(figure, of_record=not self.data.column)
        self.caption.setVisible(bool(outcome.caption))
        sides = views_of(outcome)
        self.published.show_panels([data for side, data in sides if side == "published"])
        self.mended.show_panels([data for side, data in sides if side == "mended"])
        self.below.show_outcome(outcome)
        self._say_why(outcome)
        self._fit_below()
        self._fit.start()

    def _say_why(self, outcome: FigureOutcome) -> None:
        waits = "Running…" if self._runs[outcome.figure.identifier].running else "Run to compute it."
        self.below.say_why(outcome, waits)

    def _fit_head(self) -> None:
        """In a narrow window the title needs the room of what two buttons say."""
        narrow = self.width() < _NARROW
        for button, words in ((self.command, "Copy as command"), (self.save, "Save all…")):
            button.setText("" if narrow else words)

    def _fit_below(self) -> None:
        """As high as what is said needs, or as the pictures leave it: both are seen at once, and headings stay."""
        self._fit_head()
        share_width(self._sides, self.published, self.mended, self.split.width())
        least, needed = self.below.heights(max(self.width() - 4 * tokens.SPACE_L, tokens.FIELD_WIDTH))
        low = self._area.viewport().height() < _LOW
        pictures = self._fit_pictures(low=low)
        layout = self._inside.layout()
        assert layout is not None
        layout.activate()  # heights that were set a moment ago count
        others = layout.totalHeightForWidth(self._area.viewport().width()) - self.split.minimumHeight()
        free = self._area.viewport().height() - others
        if not self.split.fits(free, pictures, least):
            lower = self._fit_pictures(low=True)  # that may be all that is missing
            if self.split.fits(free, lower, least):
                pictures = lower
            else:
                pictures = self._fit_pictures(low=low)
                least = needed  # the page scrolls anyhow, and nothing within it need
        ends = self.published.tabular and self.mended.tabular
        self.split.fit(free, pictures, least, needed, ends=ends)
        self._fit_tables()

    def _fit_pictures(self, *, low: bool) -> int:
        """The height that both sides need, of which those of few curves are low or not."""
        for side in (self.published, self.mended):
            side.fit(low=low)
        return max(one.wanted for one in (self.published, self.mended))

    def _fit_tables(self) -> None:
        self.below.fit_tables(self.split.said)

    def _fit_at_last(self) -> None:
        self._fit_below()
        if self._opened:  # what was scrolled to in another figure is not where this one begins
            self._area.verticalScrollBar().setValue(0)
            self._opened = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit.start()

    # Running

    def run_or_cancel(self) -> None:
        """Stop the figure that is running, or run it."""
        figure = self._figure
        if figure is not None and self._runs[figure.identifier].running:
            self._runs[figure.identifier].stop()
            self._judge()
        else:
            self.run()

    def run(self) -> None:
        """Make the figure again."""
        figure = self._figure
        if figure is None or self._runs[figure.identifier].running:
            return
        column = self.data.column
        if self._lacking is not None:  # before a look is recorded that would serve nothing
            self._judge()
            return
        if column and self.first_look.needed:
            self.first_look.ask()
            return
        run = self._runs[figure.identifier]
        run.arrived.clear()
        try:
            work = figure_runner(self._document.session.comparison, figure, column, run.arrived.append)
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        run.made_of = column
        before = self.found.pop(figure.identifier, None)

        def refuse(error: BaseException) -> bool:
            if before is not None:  # what was there stays where nothing came of the new run
                self.found.setdefault(figure.identifier, before)
                self._show_found()
                self._judge()
            return self._refuse(error)

        self._show_found()
        self._runs.start(figure.identifier, figure.number, work, lambda outcome: self._put(outcome, column), refuse)
        self._judge()

    @property
    def _lacking(self) -> WorkbenchError | None:
        """Why the column that is chosen cannot be taken, by what is declared of it."""
        column = self.data.column
        if self._figure is None or not column:
            return None
        return self._document.session.comparison.lacks(self._figure, column)

    def _ask_to_declare(self) -> None:
        self.declare_requested.emit(self.data.column)

    def _take_arrived(self, identifier: str) -> None:
        run = self._runs[identifier]
        if run.arrived:
            self._put(run.arrived.pop(), run.made_of)
        self._judge()

    def _put(self, outcome: FigureOutcome, column: str) -> None:
        before = self.found.get(outcome.figure.identifier)
        if before is not None and before[0].complete and not outcome.complete:
            return  # it came late
        self.found[outcome.figure.identifier] = outcome, column
        if self._figure is outcome.figure:
            self._show_found()
            self._judge()

    def _refuse(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self._document.failed.emit(error)
        return True

    # State

    def _judge(self) -> None:
        figure = self._figure
        run = self._runs[figure.identifier] if figure is not None else None
        running = run is not None and run.running
        words = "Cancel" if running else "Run"
        self.button.setText(words)
        self.button.setAccessibleName(words)
        self.button.setIcon(icon("stop" if running else "run", "on_accent"))
        self.button.setEnabled(figure is not None and not (run is not None and run.cancelling))
        if figure is None:
            return
        found = self.found.get(figure.identifier)
        self._say_why(found[0] if found is not None else FigureOutcome(figure))
        own = found[1] if found is not None else self.data.column
        sample = ""
        if not own and figure.sample is not None and figure.shows_data:
            sample = f" · made from the synthetic sample “{figure.sample.name}”"
        self.source.setText(f"{figure.source_in_short}{sample}")
        self.source.setToolTip(figure.source)
        self.save.setEnabled(found is not None and found[0].complete)
        lacking = None if running else self._lacking
        self.declare.setVisible(lacking is not None and lacking.field == "bounds")
        if lacking is not None:
            self.first_look.hide()
            self.button.setEnabled(False)
            self.state.show_state(Status.WARNING, str(lacking))
        elif running and run is not None:
            self.state.show_state(Status.INFO, f"Running… {count(100 * run.fraction)} %")
        elif found is None:
            words = f"Not run yet: about {max(round(figure.seconds), 1)} s; nothing is charged."
            recorded = " Values are of the recorded run." if figure.values and not self.data.column else ""
            self.state.show_state(Status.NEUTRAL, f"{words}{recorded}")
        elif found[1] != self.data.column:
            self.state.show_state(
                Status.WARNING, "These results are from other data than you have chosen.", offer_run=True
            )
        elif not found[0].complete:
            self.state.show_state(Status.WARNING, "Cancelled: not everything is there.", offer_run=True)
        elif found[0].own:
            self.state.show_state(Status.ANALYST, f"Made from {found[0].data}: for you alone.")
        else:
            tone = tone_of_all({Said(one) for one in found[0].said if one})
            self.state.show_state(tone, " ".join(filter(None, (f"{found[0].verdict}.", found[0].taken_together))))

    # The way out

    def copy_command(self) -> None:
        """Put the command that makes the same figure on the clipboard."""
        if self._figure is not None:
            copy_preset(self._document, self._figure.identifier, self.data.column)

    def _choose_folder(self) -> None:
        chosen = ask_folder(self, "Save the figure into")
        if chosen:
            self.save_all(Path(chosen))

    def save_all(self, folder: Path) -> None:
        """Write every chart and table into a folder."""
        found = self.found.get(self._figure.identifier) if self._figure is not None else None
        if found is None:
            return
        outcome = found[0]

        def work(_progress: Progress) -> list[Path]:
            return write_figure(outcome, folder, FORMATS, numbered=True)

        self._document.runner.start("Saving the figure", work, on_done=self._saved)

    def _saved(self, paths: list[Path]) -> None:
        self._document.noted.emit("success", f"{len(paths)} files were saved in {paths[0].parent.name}.")
