"""The verdict on a draft, public or not and why, and the buttons that end it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QWidget

from workbench.core.hierarchy import Hierarchy
from workbench.core.hierarchy_preview import HierarchyPreview
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.status import Status
from workbench.io.hierarchy_csv import is_unsaid

OriginBadge = Callable[[Hierarchy], tuple[Status, str, str]]
"""Status, word and tooltip of what is known of where a hierarchy comes from."""
_ONE_ROW = tokens.EMPTY_TEXT_WIDTH + tokens.COLUMN_MIN


class VerdictCard(QFrame):
    """A badge, how the draft is made, what would make it public, and `apply` and `discard`.

    Where a person's word would make it public, `declare` gives it.

    Parameters
    ----------
    badge
        Says what is known of where a draft comes from.
    """

    def __init__(self, badge: OriginBadge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._badge_of = badge
        self.setProperty("line", "top")
        self._narrow = False
        self.badge = Badge(Status.NEUTRAL)
        self.origin = label(small=True, wrap=True, selectable=True)
        self.how_public = label(small=True, muted=True, wrap=True, selectable=True)
        said = "They were made without this data"
        self.declare = push_button(said, name=said, explain="hierarchies.provenance", quiet=True)
        self.declare.setToolTip("Say so only if nobody looked at this data to make the groups: claims rest on it")
        self.declare.hide()
        self.discard = QPushButton("Close")
        self.discard.setAccessibleName("Close the builder")
        self.apply = push_button("&Apply", name="Apply the hierarchy to the column", primary=True)
        self._words = boxes.boxed(
            boxes.column(self.origin, self.how_public, (self.declare, Qt.AlignmentFlag.AlignLeft), spacing="hair")
        )
        self._buttons = boxes.boxed(boxes.row(self.discard, self.apply, spacing="s"))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, tokens.SPACE_S, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_S)
        self._grid.setVerticalSpacing(tokens.SPACE_XS)
        self._grid.setColumnStretch(1, 1)
        self._place()
        set_explain(self, "hierarchies.provenance")
        for button in (self.apply, self.discard):
            set_explain(button, "hierarchies.apply")

    def judge(self, preview: HierarchyPreview) -> None:
        """Say whether what is previewed is public, and how it could be."""
        hierarchy = preview.hierarchy
        if hierarchy is None:
            if preview.is_begun:
                self.badge.set_status(Status.ERROR, "Cannot be built")
            else:
                self.badge.set_status(Status.INFO, "Not begun")
            self.origin.setText(preview.error.message if preview.error is not None else "")
            self.how_public.setVisible(False)
            self.declare.hide()
            return
        # Of an order by frequency a word would change nothing, and be there once a list takes its place.
        open_ = is_unsaid(hierarchy) and preview.specification["parameters"].get("declared") is False
        status, word, why = self._badge_of(hierarchy)
        self.badge.set_status(status, word)
        self.badge.setToolTip(why)
        self.origin.setText(hierarchy.origin)
        self.how_public.setText(preview.how_public)
        self.how_public.setVisible(bool(preview.how_public))
        self.declare.setVisible(open_)

    def allow(self, *, modified: bool, wrong: bool) -> None:
        """Say what the buttons can do to a draft that differs from what is attached, or cannot be built."""
        self.apply.setEnabled(modified and not wrong)
        if wrong:
            tip = "Correct what is wrong first."
        elif not modified:
            tip = "This is what the column has already."
        else:
            tip = "Give the column this hierarchy (Ctrl+Enter)"
        self.apply.setToolTip(tip)
        self.discard.setText("Discard" if modified else "Close")
        self.discard.setAccessibleName("Discard the draft" if modified else "Close the builder")
        self.discard.setToolTip("Give the draft up" if modified else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < _ONE_ROW
        if narrow != self._narrow:
            self._narrow = narrow
            self._place()

    def _place(self) -> None:
        """All in one row or, where there is no room, the words below."""
        for widget in (self.badge, self._words, self._buttons):
            self._grid.removeWidget(widget)
        flag = Qt.AlignmentFlag
        self._grid.addWidget(self.badge, 0, 0, flag.AlignVCenter if self._narrow else flag.AlignTop)
        self._grid.addWidget(self._buttons, 0, 2, flag.AlignBottom)
        self._grid.addWidget(self._words, *((1, 0, 1, 3) if self._narrow else (0, 1, 1, 1)))
