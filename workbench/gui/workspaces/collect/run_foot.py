"""Below the settings: the button that simulates, why it cannot, and the command that does the same."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.steady_label import SteadyLabel


class RunFoot(QFrame):
    """The strip below the settings that starts a simulation and says how far it is; always in view.

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
        self.hold = push_button(
            "Hold survey",
            name="Hold survey: what people do, and how many reported what",
            tip="What to hand out, and where to type what people reported; the plan stays as it is",
            explain="collect.tallies",
            primary=True,
        )
        self.hold.hide()
        boxes.column(
            self.why_not,
            question,
            boxes.row((self.button, 1), (self.hold, 1), self.command, spacing="s"),
            margins="l s m m",
            spacing="xs",
            inside=self,
        )

    def simulates(self, there: bool, wrong: str = "", *, holds: bool = False) -> None:
        """Whether there are rows to simulate with; without any a survey is held, and there is the command.

        Parameters
        ----------
        holds
            Whether what is planned without rows can be held on paper.
        wrong
            Why a field holds no number, which is said without rows too.
        """
        self.button.setVisible(there)
        self.hold.setVisible(holds and not there)
        if not there:
            self.why_not.setText(wrong)
            self.why_not.setVisible(bool(wrong))

    def show_state(self, reason: str, *, running: bool, cancelling: bool, asks: bool) -> None:
        """Show what the button does now, and why it does not if it does not.

        Parameters
        ----------
        asks
            Whether it asks first, because simulating would be a first look at the data.
        """
        words = "Cancel" if running else "Simulate…" if asks else "Simulate"
        self.button.setText(words)
        self.button.setAccessibleName(words)
        self.button.setIcon(icon("stop" if running else "run", "on_accent"))
        self.button.setToolTip("" if running else "Try the ticked protocols on these rows (F5)")
        self.button.setEnabled(not cancelling if running else not (reason or not self._question.isHidden()))
        self.why_not.setText(reason)
        if reason:
            self.why_not.show()
