"""Below the settings: the button that simulates, why it cannot, and the command that does the same."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.steady_label import SteadyLabel


class RunFoot(QFrame):
    """The strip below the settings that starts a simulation, or a survey that is planned; always in view.

    Parameters
    ----------
    question
        What asks before the first simulation.
    """

    def __init__(self, question: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = question
        self.setProperty("line", "top")
        self.button = push_button(explain="collect.simulate", primary=True)
        # Once it said something its room stays, so that the line above does not jump while bounds are typed.
        self.why_not = SteadyLabel()
        set_look(self.why_not, tone="warning")
        self.why_not.hide()
        self.command = push_button(
            "Copy as command",
            icon=icon("copy", "link"),
            tip="Copy the command line that predicts what is shown, or simulates the same",
            quiet=True,
        )
        self.save = push_button(
            "Save the plan…", name="Save the plan in a project", tip="Save the project, with this plan", quiet=True
        )
        self.save.hide()
        self.hold = push_button(
            "Hold survey",
            name="Hold survey: what people do, and how many reported what",
            tip="What to hand out, and where to type what people reported; the plan stays as it is",
            explain="collect.tallies",
            primary=True,
        )
        self.hold.hide()
        self.shares = push_button(
            tip="The shares that a simulation assumes, which can be chosen or typed",
            explain="collect.shape",
            quiet=True,
            align="left",
        )
        self.shares.hide()
        self._beside = boxes.row((self.button, 1), (self.hold, 1), spacing="s")
        self._below = boxes.row(spacing="s")
        boxes.column(
            self.why_not,
            question,
            self.shares,
            self._beside,
            self._below,
            margins="l s m m",
            spacing="xs",
            inside=self,
        )
        self._beside.addWidget(self.command)
        self._below.addWidget(self.save)

    def simulates(self, there: bool, *, holds: bool) -> None:
        """Whether it is known what to simulate; while the answers of a survey are typed there is the command alone.

        Parameters
        ----------
        holds
            Whether what is planned without rows can be held on paper, which is then what comes next.
        """
        self.button.setVisible(there)
        self.hold.setVisible(holds)
        self.save.setVisible(holds)
        line = self._below if holds else self._beside  # three have no room in a line
        if line.indexOf(self.command) < 0:
            line.insertWidget(0 if holds else line.count(), self.command)
        set_look(self.button, primary=not holds)
        if not there:
            self.why_not.hide()

    def show_shares(self, words: str) -> None:
        """Say which shares are assumed, beside the button that simulates them; with "" nothing, as rows answer."""
        self.shares.setText(f"Assumed: {words}…")
        self.shares.setVisible(bool(words))

    def show_state(
        self, reason: str, *, running: bool, cancelling: bool, asks: bool = False, assumes: bool = False
    ) -> None:
        """Show what the button does now, and why it does not if it does not.

        Parameters
        ----------
        asks
            Whether it asks first, because simulating would be a first look at the data.
        assumes
            Whether it is people with assumed shares who are simulated, and no rows.
        """
        words = "Cancel" if running else "Simulate…" if asks else "Simulate"
        self.button.setText(words)
        self.button.setAccessibleName(words)
        whom = "assumed shares" if assumes else "these rows"
        on = "on_accent" if self.button.property("primary") == "true" else "text"
        self.button.setIcon(icon("stop" if running else "run", on))
        self.button.setToolTip("" if running else f"Try the ticked protocols on {whom} (F5)")
        self.button.setEnabled(not cancelling if running else not (reason or not self._question.isHidden()))
        self.why_not.setText(reason)
        if reason:
            self.why_not.show()
