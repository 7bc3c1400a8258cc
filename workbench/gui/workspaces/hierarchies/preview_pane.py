"""The preview of a draft: its faults and repairs above, its levels below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.first_few import first_few
from workbench.core.hierarchy import ANY
from workbench.core.hierarchy_preview import HierarchyPreview
from workbench.core.public_values import PublicView, ShownValues
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.workspaces.hierarchies.levels_view import HierarchyLevelsView

_NAMED = 6


class Notice(QFrame):
    """A framed note of a state, with up to two buttons."""

    def __init__(self, state: str, *, analyst: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("message", state)
        self._buttons = 0
        self._words = label(strong=True, wrap=True)
        self._more = label(wrap=True, selectable=True)
        self._layout = boxes.row(1, spacing="s")
        column = boxes.column(self._words, spacing="xs")
        named = boxes.row((self._more, 1), spacing="s")
        if analyst:
            named.addWidget(analyst_badge(), 0, Qt.AlignmentFlag.AlignBottom)
        column.addLayout(named)
        column.addLayout(self._layout)
        boxes.row(
            (IconLabel(state, tokens.ICON_LARGE, state), Qt.AlignmentFlag.AlignTop),
            (column, 1),
            margins="m s m s",
            spacing="s",
            inside=self,
        )
        self.hide()

    def add_button(self, text: str, tip: str) -> QPushButton:
        """Add a button at the left below the words."""
        button = push_button(text, name=text.replace("&", ""), tip=tip)
        self._layout.insertWidget(self._buttons, button)
        self._buttons += 1
        return button

    def say(self, words: str, more: str) -> None:
        """Show a sentence, and what follows from it."""
        self._words.setText(words)
        self._more.setText(more)
        self._more.setVisible(bool(more))
        self.setAccessibleName(f"{words} {more}".strip())
        self.show()


class PreviewPane(QWidget):
    """The preview of a draft.

    Signals
    -------
    cover_requested(), list_requested(object), repair_requested()
        Let the uncovered values become `*`, add them to the list or tree, or take repeated values out.
    """

    cover_requested = Signal()
    list_requested = Signal(object)
    repair_requested = Signal()

    def __init__(self, runner: Runner, look: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._missed: Sequence[str] = ()
        self.stand_in: ShownValues | None = None
        """Which values it is built over before a look at the data; None where they are the column's own."""
        self.problem = Notice("error")
        self.repair = self.problem.add_button("&Remove the repeats", "Every value stays where it is listed first.")
        self.repair.clicked.connect(self.repair_requested)
        set_explain(self.problem, "hierarchies.repair")
        self.uncovered = Notice("warning", analyst=True)
        self.cover = self.uncovered.add_button(
            f"&Let them become {ANY}",
            f"Level 0 keeps the values; every level above shows {ANY} for them.",
        )
        self.cover.clicked.connect(self.cover_requested)
        self.add_them = self.uncovered.add_button(
            "Add &them", "List them too. They make the list one made from this data."
        )
        self.add_them.clicked.connect(self._add)
        set_explain(self.uncovered, "hierarchies.uncovered")
        self.view = HierarchyLevelsView(runner, "draft")
        self.waiting = label("Building…", muted=True)
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        boxes.column(
            self.problem,
            self.uncovered,
            (self.view, 1),
            (self.waiting, 1),
            look,
            margins="s 0 0 0",
            spacing="s",
            inside=self,
        )
        set_explain(self, "hierarchies.preview")
        self.clear()

    def minimumSizeHint(self) -> QSize:
        # The same whatever there is to say: a note that comes must not change how the parts stand.
        return QSize(tokens.COLUMN_MAX, super().minimumSizeHint().height())

    def clear(self) -> None:
        """Show nothing of the draft before."""
        self.problem.hide()
        self.uncovered.hide()
        self.view.hide()
        self.waiting.show()

    def show_preview(self, preview: HierarchyPreview) -> None:
        """Show what was built; if nothing could be, why, above the last state that could."""
        self.waiting.setVisible(preview.hierarchy is None and not self.view.isVisibleTo(self))
        self.waiting.setText("The levels appear here as soon as the hierarchy can be built.")
        self.waiting.setWordWrap(True)
        self._say_error(preview.error, repeated=bool(preview.repeated))
        if preview.hierarchy is None:
            self.uncovered.hide()
            self.view.setEnabled(False)
            return
        self.view.setEnabled(True)
        keep = self.view.isVisibleTo(self)
        self.view.show()
        if self.stand_in is None:
            self.view.show_hierarchy(preview.hierarchy, preview.coverage, keep=keep)
        else:
            self.view.show_public(PublicView(preview.hierarchy, self.stand_in), keep=keep)
        self._say_uncovered(preview)

    def _say_error(self, error: WorkbenchError | None, *, repeated: bool) -> None:
        self.repair.setVisible(repeated)
        if error is None:
            self.problem.hide()
        else:
            unseen = self.stand_in is not None and error.field == "values"
            hint = "Declare its public values in Data, list them here, or look at the values." if unseen else error.hint
            self.problem.say(error.message, hint)

    def _say_uncovered(self, preview: HierarchyPreview) -> None:
        seen = self.stand_in is None and preview.coverage is not None
        missed = preview.coverage.uncovered if seen and preview.coverage is not None else ()
        self._missed = missed
        if not missed or preview.coverage is None:
            self.uncovered.hide()
            return
        builder, order = preview.specification["builder"], preview.specification["parameters"].get("order")
        self.add_them.setVisible(builder in ("categories", "table") or (builder == "order" and order == "custom"))
        if len(missed) == 1:
            words = "1 value of the data ({rows} rows) is not covered."
        else:
            words = "{count} values of the data ({rows} rows) are not covered."
        named = first_few(missed, _NAMED, quoted=True)
        self.uncovered.say(words.format(count=f"{len(missed):,}", rows=f"{preview.coverage.uncovered_rows:,}"), named)

    def _add(self) -> None:
        self.list_requested.emit(self._missed)
