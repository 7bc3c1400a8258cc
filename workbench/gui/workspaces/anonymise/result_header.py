"""The one line above a result: what may be claimed, and what came out."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.status import Status

_BETWEEN = " · "


class _FactsLabel(ElidedLabel):
    """The facts that have room, whole, and … for the others: half of a number reads like another number."""

    def _cut(self, width: int) -> str:
        advance, facts = self.fontMetrics().horizontalAdvance, self.full_text.split(_BETWEEN)
        for kept in range(len(facts), 0, -1):
            shown = _BETWEEN.join([*facts[:kept], *(["…"] if kept < len(facts) else [])])
            if advance(shown) <= width:
                return shown
        return self.fontMetrics().elidedText(facts[0], Qt.TextElideMode.ElideRight, width)


class ResultHeader(QWidget):
    """Badge, facts and a link, in a line of constant height, so that nothing below it jumps.

    Parameters
    ----------
    link, name
        What the link says, and what screen readers say of it.
    beside_badge
        Whether the link goes on with what the badge says; else it stands at the end.
    """

    def __init__(self, link: str, name: str, parent: QWidget | None = None, *, beside_badge: bool = False) -> None:
        super().__init__(parent)
        self.badge = Badge(Status.NEUTRAL)
        self._line = _FactsLabel()
        self._tip = ""
        self.link = push_button(link, name=name, quiet=True)
        set_explain(self, "release.claim")
        self.setFixedHeight(tokens.CONTROL_HEIGHT)
        parts = (self.link, (self._line, 1)) if beside_badge else ((self._line, 1), self.link)
        boxes.row(self.badge, *parts, spacing="s", inside=self)

    @property
    def text(self) -> str:
        """The facts beside the badge, whole."""
        return self._line.full_text

    @property
    def shown(self) -> str:
        """As much of them as has room."""
        return self._line.text()

    def show_claim(self, status: Status, words: str) -> None:
        """Show the claim in a word or two."""
        self.badge.set_status(status, words)

    def show_facts(self, *facts: str, alarm: str = "", tip: str = "") -> None:
        """Show the outcome; where there is no room, without the last of it.

        Parameters
        ----------
        alarm
            Why it is not what it seems, which comes first: "warning" or "error" by its colour.
        tip
            What there is to know beyond it.
        """
        text = _BETWEEN.join(fact for fact in facts if fact)
        if text != self._line.full_text:
            self._line.set_text(text)
        set_look(self._line, tone=alarm)
        self.setToolTip(f"{text}\n{tip}".strip())

    def show_link(self, words: str, name: str, tip: str = "") -> None:
        """Say something else on the link; "" for none."""
        self.link.setText(words)
        self.link.setToolTip(tip)
        self.link.setAccessibleName(name)
        self.link.setVisible(bool(words))
