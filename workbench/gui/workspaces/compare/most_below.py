"""Number below which most values lie, if that is public, with what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.method import Approach
from workbench.evaluate.tile import Verdict
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.tips import in_lines
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.session.comparison_tail import longer_tail_words

_FIELD = "most_below"
_CHANGES = "Changes all errors if bounds are wide."
_FARTHER = (
    "Nobody has looked whether 9 in 10 values lie below what you typed. If they reach twice as far from the lower "
    "bound, the mean error is this, as the plan in Query says it."
)


class MostBelow(QWidget):
    """A line that few fill in, for a place behind what has to be typed.

    Parameters
    ----------
    draft
        The experiment it is of.
    edited
        Called with the name of the setting, another value, what undo calls the step, and the key under which steps
        merge.
    """

    def __init__(
        self, draft: ExperimentDraft, edited: Callable[[str, object, str, str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.form = BoundForm("compare", lambda: draft.experiment or Experiment(), "most", parent=self)
        self.form.edited.connect(edited)
        self.field = self.form[_FIELD]
        self.wrong = label(small=True, wrap=True, tone="error")
        self.wrong.hide()
        self.hint = label(_CHANGES, small=True, wrap=True, muted=True)
        self._draft = draft
        self._refused = self._farther = ""
        self._known: tuple[object, ...] = ()
        self._of: tuple[object, ...] = ()
        grid = self.form.grid(squeezed=True)
        grid.setColumnMinimumWidth(0, tokens.COLUMN_MIN + tokens.SPACE_M)
        grid.setContentsMargins(0, 0, 0, 0)
        boxes.column(grid, self.wrong, self.hint, margins="0", spacing="xs", inside=self)
        self.field.validity_changed.connect(lambda _valid: self._say())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._say()

    @property
    def valid(self) -> bool:
        return self.form.valid

    def refresh(self, experiment: Experiment) -> None:
        """Show the number in force; why it was refused goes with what it was refused for."""
        of = experiment.most_below, experiment.question
        if of != self._of:
            self._of, self._refused = of, ""
        self.form.refresh()
        self._say()

    def show_problem(self, error: WorkbenchError) -> bool:
        """Say an error that speaks of it beside it; whether this is one."""
        if error.field != _FIELD:
            return False
        self._refused = str(error.for_analyst())
        self._say()
        return True

    def show_verdict(self, found: Verdict | None) -> None:
        """Say of what is shown what becomes of Global if values reach farther; None where that answers no more."""
        experiment, session = self._draft.experiment, self._draft.document.session
        (tile,) = (one for one in found.tiles if one.approach is Approach.GLOBAL) if found is not None else (None,)
        if found is None or tile is None or experiment is None:
            self._known, self._farther = (), ""
        else:
            typed = experiment, tile, found.place, session.project.schema, session.project.queries.draft
            if typed != self._known:  # simulated, and this is called whenever anything is
                self._known, self._farther = typed, longer_tail_words(session, experiment, tile, found.place)
        self._say()

    def _say(self) -> None:
        """What is typed now comes first: of another number nobody asks any more."""
        words = self.field.problem or self._refused
        self.wrong.setText(words)
        self.wrong.setVisible(bool(words))
        self.hint.setText(self._in_a_line(self._farther) or _CHANGES)
        self.hint.setToolTip(in_lines(_FARTHER) if self._farther else "")
        self.hint.setVisible(not words)  # also of a number: nothing is to move while one types
        set_look(self.field.edit, invalid=bool(words))

    def _in_a_line(self, words: str) -> str:
        """The same without the name of the way, where a second line would move what is below."""
        room = self.hint.fontMetrics().horizontalAdvance(words) <= self.hint.width()
        return words if room else words.replace(": Global off by ", ": off by ", 1)
