"""The noise of a question: who makes it, and what must be known about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.query.plans import QueryPlan
from workbench.session.query_promise import protected


class NoiseSection(QWidget):
    """Shows and edits the noise of a draft.

    Parameters
    ----------
    draft
        Gives the draft as it stands.

    Signals
    -------
    edited(object, str, str)
        Another draft, what undo calls the step, and the key under which steps merge.
    """

    edited = Signal(object, str, str)

    def __init__(self, draft: Callable[[], QueryDraft], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self._fields = BoundForm("query", draft, "noise", choices={"tool": ()}, parent=self)
        self._fields.edited.connect(self._change)
        self.noise, self.tool = self._fields["noise"], self._fields["tool"]
        grid = form_grid()
        for row, box in enumerate((self.noise, self.tool)):  # the heading says what they are
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            grid.addWidget(box, row, 0, 1, 2)
        self.edges = label(small=True, muted=True, wrap=True)
        self._fold = Disclosure("Noise", boxes.boxed(self._fields.grid(("noise", "tool"), grid)))
        boxes.column(self._fold, self.edges, spacing="xs", inside=self)
        set_explain(self, "query.engine")

    def refresh(self) -> None:
        """Show the noise as the draft has it."""
        draft = self._draft()
        tools = QUERIES[draft.kind].tools
        offered = relevance.noises(QUERIES[draft.kind])
        offered = offered if draft.noise in offered else (*offered, draft.noise)
        self._fields.offer("noise", [(one.words, one) for one in offered])
        self._fields.offer("tool", [(name, name) for name in tools])
        self._fields.refresh()
        if draft.noise is not NoiseSource.GRID:
            self._fold.set_open(True)  # what changes the promise must not hide behind a closed heading
        self.noise.setEnabled(len(offered) > 1)
        self.noise.setToolTip("" if len(offered) > 1 else "No other library answers this question.")
        self._fields.set_shown("tool", draft.noise is NoiseSource.DIFFPRIVLIB and bool(tools))
        if tools and not draft.tool:
            self.tool.choose(tools[0])

    def show_plan(self, plan: QueryPlan, *, unsaid: bool, number_known: bool) -> None:
        """Say who is protected, and what must be known about the noise.

        Parameters
        ----------
        unsaid
            Whether nobody has said yet who is protected.
        number_known
            Whether others know how many there are.
        """
        who = () if plan.unclaimed else (protected(plan, unsaid=unsaid, number_known=number_known),)
        self.edges.setText("\n".join([*who, *(f"• {edge}" for edge in plan.mechanism.edges)]))

    def _change(self, name: str, value: Any, words: str, merge: str) -> None:
        # A tool is one of the library that was chosen.
        changes = {"tool": "", name: value} if name == "noise" else {name: value}
        self.edited.emit(replace(self._draft(), **changes), words, merge)
