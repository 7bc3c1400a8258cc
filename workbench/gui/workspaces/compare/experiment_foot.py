"""Below the settings: the buttons that run the experiment, and what a run would do or why it cannot be run."""

from __future__ import annotations

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.compare.experiment_run import Run


class ExperimentFoot(QFrame):
    """The strip below the settings that runs the experiment and lets it pause; always in view.

    Parameters
    ----------
    run
        What it shows and steers.
    question
        What asks before the first run.
    after
        What gets the keyboard focus when the button that had it cannot be pressed any more.
    """

    def __init__(self, run: Run, question: QWidget, after: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run, self._question, self._after = run, question, after
        self.setProperty("line", "top")
        self.button = push_button(explain="compare.run", primary=True)
        # Beside the button and never in its place: an impatient second press of Run is no Cancel.
        self.pause, self.cancel = QPushButton("Pause"), QPushButton("Cancel")
        for one in (self.pause, self.cancel):
            one.hide()
        self.cost = label(small=True, wrap=True)
        tip = "Write the experiment into a folder, and copy the command line that runs it"
        self.command = push_button("Command…", name="Copy as command…", icon=icon("copy", "link"), tip=tip, quiet=True)
        self.pause.clicked.connect(run.pause_or_go_on)
        self.cancel.clicked.connect(run.cancel)
        rows = boxes.column(self.cost, question, margins="l s m m", spacing="xs", inside=self)
        rows.addLayout(boxes.row(self.button, 1, self.pause, self.cancel, self.command, spacing="s"))

    def show_state(self, reason: str, *, asks: bool, complete: bool, comes: bool) -> None:
        """Show what the buttons do now.

        Parameters
        ----------
        reason
            Why the experiment cannot be run as it stands; "" where it can, or where it runs.
        asks
            Whether it asks first, because it would be a first look at the data.
        complete
            Whether all of it is there.
        comes
            Whether it runs by itself in a moment, so that nobody has to press anything.
        """
        run = self._run
        running, gives_way = run.running, run.gives_way
        under_way = running and not gives_way
        words = "Running…" if under_way else "Run…" if asks and not running else "Run"
        for say in (self.button.setText, self.button.setAccessibleName):
            say(words)
        # The words need its room.
        self.button.setIcon(QIcon() if under_way else icon("run", "text" if comes else "on_accent"))
        self.button.setToolTip("" if under_way else "Run what is missing of the experiment (F5)")
        waits = bool(reason) or complete or not self._question.isHidden() or run.wanted
        # A hand that was on its way makes what began by itself a run that somebody asked for.
        waits = under_way and not run.runs_unasked if running and not gives_way else waits
        set_look(self.button, primary=not (under_way or comes))
        if waits and self.button.hasFocus() and self._after.isVisible():
            self._after.setFocus()  # and not Pause, which comes next, and which a second press would mean
        self.button.setEnabled(not waits)
        for one in (self.pause, self.cancel):
            one.setVisible(under_way)
            one.setEnabled(not run.cancelling)
        for say in (self.pause.setText, self.pause.setAccessibleName):
            say("Go on" if run.paused else "Pause")
        self.command.setVisible(not under_way)

    def say(self, words: str, tone: str = "none") -> None:
        """Say below the settings, where what comes and goes moves nothing, what a run would do or why there is none."""
        set_look(self.cost, tone=tone, muted=tone == "none")
        self.cost.setText(words)
