"""One published figure: what to see, of what data, and the result, part by part."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count
from workbench.core.progress import Progress
from workbench.evaluate.experiment_run import Gate
from workbench.evaluate.preset import PRESETS, Preset, PresetResult, said_of
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.look_question import LookQuestion
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.save_place import ask_folder
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.compare.copied_preset import copy_preset
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.figure_runs import FigureRun, FigureRuns
from workbench.gui.workspaces.compare.part_view import PartView
from workbench.gui.workspaces.compare.preset_form import Made, PresetForm
from workbench.session.comparison import PresetChoice
from workbench.session.comparison_files import write_preset
from workbench.session.python.rooms import PublishedInView

_FIGURE, _SETTINGS = 0, 1


class PresetPage(QWidget):
    """The page of one preset; `show_preset` shows another.

    Signals
    -------
    back()
        The person wants to see all of them.
    experiment_made()
        A part was taken over as a custom experiment.
    """

    back = Signal()
    experiment_made = Signal()

    def __init__(self, document: Document, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._draft = draft
        self._preset: Preset | None = None
        self._runs = FigureRuns(document, self)
        self._runs.moved.connect(self._take_arrived)
        self._followed = True
        self.found: dict[str, tuple[PresetResult, Made, bool]] = {}
        """Result of each preset, what it is made of, and whether that is all of it."""
        self.back_button = tool_button(
            act=self.back, name="All published figures", icon=icon("chevron-left"), tip="All published figures"
        )
        self.title = label(heading=1)
        self.look = label(wrap=True)
        self.summary, self.differs, self.citation = (label(wrap=True, selectable=True) for _ in range(3))
        set_look(self.citation, muted=True)
        self.form = PresetForm(document, self)
        self.form.changed.connect(self._judge)
        self.button = push_button(act=self.run_or_cancel, primary=True)
        self.pause = QPushButton("Pause")
        self.pause.clicked.connect(self._pause)
        self.part = ElidingComboBox("Figure shown")
        self.part.activated.connect(self._choose_part)
        self.first_look = LookQuestion(document, "run")
        self.first_look.agreed.connect(self.run)
        self.state = ResultState()
        self.state.run_requested.connect(self.run)
        self.view = PartView(document)
        self.take = self._tool("Open as experiment", "compare")
        self.take.setToolTip("Take this figure over as an experiment of your own, to change what you like")
        self.take.clicked.connect(self._take_over)
        self.save = self._tool("Save all…", "save")
        self.save.setToolTip("Every figure as PNG, SVG and PDF with its numbers as CSV, into a folder")
        self.save.clicked.connect(self._choose_folder)
        self.command = self._tool("Copy as command", "copy")
        self.command.clicked.connect(self.copy_command)
        self._lay_out()
        set_explain(self, "compare.preset")
        self._judge()

    @property
    def seen(self) -> PublishedInView | None:
        """The one that is shown, as it is copied."""
        if self._preset is None:
            return None
        _, column, values = self.form.now()
        return PublishedInView(self._preset.identifier, column, values)

    @property
    def _run(self) -> FigureRun | None:
        """The run of the one that is shown."""
        return self._runs[self._preset.identifier] if self._preset is not None else None

    def _tool(self, words: str, icon_name: str) -> QPushButton:
        button = push_button(words, name=words, icon=icon(icon_name, "link"), quiet=True)
        return button

    def _lay_out(self) -> None:
        top = boxes.row(self.back_button, self.title, 1, spacing="s")
        self.part.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        of = boxes.row(label("Data"), (self.form.data, 1), self.button, self.pause, self.command, spacing="s")
        which = boxes.row((self.part, 1), self.take, self.save, spacing="s")
        figure = boxes.boxed(boxes.column(which, (self.view, 1), spacing="s"))
        about = QWidget()
        words = boxes.column(margins="0 s 0 0", spacing="m", inside=about)
        for text in (self.summary, self.differs, self.citation):
            text.setMaximumWidth(2 * tokens.COLUMN_MAX)
            words.addWidget(text)
        words.addStretch(1)
        self.pages = ViewSwitch(
            "Figure, settings and differences",
            (
                (figure, "Figure"),
                (self.form.settings, "Settings"),
                (about, "Where it differs"),
            ),
        )
        boxes.column(
            top,
            self.look,
            of,
            self.first_look,
            self.state,
            (self.pages, 1),
            margins="l s l m",
            spacing="s",
            inside=self,
        )

    # Showing

    @property
    def preset(self) -> Preset | None:
        """The one that is shown."""
        return self._preset

    def show_preset(self, identifier: str) -> None:
        """Show a preset, with what it came to the last time."""
        preset = PRESETS[identifier]
        if preset is not self._preset:
            self._preset = preset
            self.title.setText(preset.title)
            self.citation.setText(f"After: {preset.citation}")
            found = self.found.get(identifier)
            self.form.show_preset(preset, found[1] if found is not None else None)
            self.pages.show_view(_FIGURE)
            self._show_parts()
        self._judge()

    def refresh(self) -> None:
        """Offer the columns as they are now."""
        self.first_look.follow()
        self.form.refresh()
        self._judge()

    def _choose_part(self, row: int) -> None:
        self._followed = False
        found = self._found()
        if found is not None and row < len(found.results):
            self.view.show_part(found.results[row])
            self._judge()

    def _found(self) -> PresetResult | None:
        if self._preset is None or self._preset.identifier not in self.found:
            return None
        return self.found[self._preset.identifier][0]

    def _show_parts(self, *, soon: bool = False) -> None:
        """Show what there is; a run brings each new part to the front, and in the end the first one."""
        found = self._found()
        results = found.results if found is not None else ()
        grew = self.part.count() < len(results)
        names = [f"{number} · {one.title}" for number, one in enumerate(results, start=1)]
        if [self.part.itemText(row) for row in range(self.part.count())] != names:
            row = self.part.currentIndex()
            self.part.clear()
            self.part.addItems(names)
            last = len(names) - 1
            self.part.setCurrentIndex(last if soon and grew and self._followed else min(max(row, 0), last))
        if self._followed and not soon and names:
            self.part.setCurrentIndex(0)
        self.part.setEnabled(len(names) > 1)
        row = self.part.currentIndex()
        self.view.show_part(results[row] if 0 <= row < len(results) else None, soon=soon)

    # Running

    def run_or_cancel(self) -> None:
        """Stop the preset that is running, or run it."""
        run = self._run
        if run is not None and run.running:
            run.stop()
            self._judge()
        else:
            self.run()

    def run(self) -> None:
        """Make the figures again."""
        preset, run = self._preset, self._run
        if preset is None or run is None or run.running or not self.form.valid:
            return
        now = self.form.now()
        if now[1] and self.first_look.needed:
            self.first_look.ask()
            return
        run.gate = Gate()
        run.arrived.clear()
        try:
            work = self._draft.desk.preset_runner(
                preset.identifier, PresetChoice(now[1], now[2]), run.arrived.append, run.gate
            )
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        run.made_of, self._followed = now, True
        self.found.pop(preset.identifier, None)
        self.part.clear()
        self._show_parts()
        self.pages.show_view(_FIGURE)
        self._runs.start(
            preset.identifier, preset.title, work, lambda result: self._put(result, now, complete=True), self._refuse
        )
        self._judge()

    def _pause(self) -> None:
        run = self._run
        if run is None:
            return
        if run.gate.paused:
            run.gate.resume()
        else:
            run.gate.pause()
        self._judge()

    def _put(self, result: PresetResult, made_of: Made, *, complete: bool) -> None:
        before = self.found.get(result.preset.identifier)
        if before is not None and before[2] and not complete:
            return  # it came late
        self.found[result.preset.identifier] = result, made_of, complete
        if self._preset is result.preset:
            self._show_parts(soon=not complete)
            self._judge()

    def _refuse(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self._document.failed.emit(error)
        preset = self._preset
        if preset is not None and error.field in {"bounds", *(spec.name for spec in preset.params)}:
            self.pages.show_view(_SETTINGS)
        return True

    def _take_arrived(self, identifier: str) -> None:
        run = self._runs[identifier]
        if run.arrived:
            self._put(run.arrived.pop(), run.made_of, complete=False)
        self._judge()

    # State

    def _say(self, preset: Preset) -> None:
        _, column, values = self.form.now()
        try:
            usual = preset.is_usual(values, own=bool(column))
        except WorkbenchError:
            usual = False
        for words, text in ((self.look, preset.look), (self.summary, preset.summary), (self.differs, preset.differs)):
            words.setText(said_of(preset, text, usual=usual))

    def _judge(self) -> None:
        preset, run = self._preset, self._run
        if preset is not None:
            self._say(preset)
        running = run is not None and run.running
        paused = run is not None and run.gate.paused
        words = "Cancel" if running else "Run"
        self.button.setText(words)
        self.button.setAccessibleName(words)
        self.button.setIcon(icon("stop" if running else "run", "on_accent"))
        valid = self.form.valid
        cancelling = run is not None and run.cancelling
        self.button.setEnabled(running and not cancelling if running else valid and preset is not None)
        self.pause.setVisible(running)
        self.pause.setText("Go on" if paused else "Pause")
        self.pause.setAccessibleName(self.pause.text())
        found = self.found.get(preset.identifier) if preset is not None else None
        part = self.view.shown
        self.take.setEnabled(bool(self.form.column) and part is not None and part.part.experiment is not None)
        self.save.setEnabled(found is not None and found[2])
        if running:
            self.state.show_state(
                Status.INFO,
                "Paused. What is finished stays."
                if paused or run is None
                else f"Running… {count(100 * run.fraction)} %",
            )
        elif found is None:
            times = preset.times if preset is not None else 0
            drawn = f"Up to {count(times)} repetitions; nothing" if times > 1 else "Nothing"
            self.state.show_state(Status.NEUTRAL, f"Not run yet. {drawn} is charged.")
        elif found[1] != self.form.now():
            self.state.show_state(Status.WARNING, "Out of date: settings or data changed.", offer_run=valid)
        elif not found[2]:
            self.state.show_state(Status.WARNING, "Cancelled: not everything is there.", offer_run=valid)
        else:
            self.state.show_state(Status.SUCCESS, f"Made from {found[0].data}.")

    # The way out

    def _take_over(self) -> None:
        part = self.view.shown
        if part is not None and part.part.experiment is not None:
            self._draft.add(part.part.experiment)
            self.experiment_made.emit()

    def _choose_folder(self) -> None:
        chosen = ask_folder(self, "Save all figures into")
        if chosen:
            self.save_all(Path(chosen))

    def save_all(self, folder: Path) -> None:
        """Write every figure and its numbers into a folder."""
        found = self._found()
        if found is None:
            return

        def work(_progress: Progress) -> list[Path]:
            return write_preset(found, folder, numbered=True)

        self._document.runner.start("Saving the figures", work, on_done=self._saved)

    def _saved(self, paths: list[Path]) -> None:
        self._document.noted.emit(
            "success",
            f"{len(paths)} files were saved in {paths[0].parent.name}.",
        )

    def copy_command(self) -> None:
        """Put the command that makes the same figures on the clipboard."""
        preset = self._preset
        if preset is None:
            return
        _, column, values = self.form.now()
        copy_preset(self._document, preset.identifier, column, values)
