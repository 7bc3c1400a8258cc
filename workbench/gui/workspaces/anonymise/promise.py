"""The claim as the settings stand: one line that is always in sight, and the reasons behind it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from workbench.anonymise.claim import Claim
from workbench.anonymise.reasons import Reason
from workbench.core.number_text import rounded_up
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge, analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon
from workbench.session.release.assessment import PromiseAssessment


class ClaimStrip(QWidget):
    """Badge, one line, and a button that shows the reasons.

    Signals
    -------
    reasons_requested()
        The person wants to know why.
    """

    reasons_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.badge = Badge(Status.NEUTRAL)
        self._line = ElidedLabel()
        self.why = push_button("Why?", self.reasons_requested, name="Show why the claim holds or not", quiet=True)
        set_explain(self, "release.claim")
        boxes.row(self.badge, (self._line, 1), self.why, spacing="s", inside=self)

    @property
    def text(self) -> str:
        return self._line.full_text

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show the verdict on a run with the settings as they stand."""
        claim = found.claim
        self.why.setEnabled(claim is not None)
        if claim is None:
            self.badge.set_status(Status.NEUTRAL, "No claim yet")
            self._line.set_text("The guarantee has no solution yet." if found.error is not None else "")
        elif not found.grouped:
            self.badge.set_status(Status.NEUTRAL, "No claim yet")
            self._line.set_text("No column takes part in the grouping.")
        elif claim.holds:
            self.badge.set_status(Status.SUCCESS, "(ε, δ) claim holds")
            promised = claim.guarantee
            words = f"ε = {rounded_up(promised.epsilon)}, δ = {rounded_up(promised.delta)}"
            if promised.search is not None:
                # The whole comes first: there may be no room for the rest, which is said in the settings too.
                words += " · " + (
                    f"{rounded_up(promised.search_epsilon)} for choosing the levels + "
                    f"{rounded_up(promised.release.epsilon)} for the release"
                )
            cautions = len(claim.cautions)
            if cautions:
                words += " · " + ("1 caution" if cautions == 1 else f"{cautions} cautions")
            self._line.set_text(words)
        else:
            self.badge.set_status(Status.WARNING, "No (ε, δ) claim")
            count = len(claim.reasons)
            first = claim.reasons[0].text
            more = "" if count == 1 else f"{count} reasons. "
            self._line.set_text(more + first)


class ClaimView(QScrollArea):
    """Every reason with its remedy, what was checked, and what remains for the person to assert."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Reasons behind the claim")
        set_explain(self, "release.claim")
        self._shown: Claim | None = None
        self._wanted: Claim | None = None
        self._inside = QWidget()
        self._show(None)

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show what the claim rests on or fails for."""
        self._wanted = found.claim
        self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()

    def _catch_up(self) -> None:
        # Behind another tab nobody reads it, and building it costs more than all the rest.
        if self.isVisible() and self._wanted != self._shown:
            self._show(self._wanted)

    def _show(self, claim: Claim | None) -> None:
        self._shown = claim
        self._inside = QWidget()
        self._inside.setProperty("bare", "true")
        column = boxes.column(margins="0 m m m", spacing="m", inside=self._inside)
        if claim is None:
            column.addWidget(label("Nothing can be claimed until the guarantee is complete.", muted=True))
        else:
            self._add_reasons(column, "What voids the claim", Status.ERROR, claim.reasons)
            self._add_reasons(column, "What a reader should know", Status.WARNING, claim.cautions)
            self._add_lines(column, "What the program checks", "check", claim.checked)
            self._add_lines(column, "What you assert by releasing", "release", claim.asserted)
        column.addStretch(1)
        self.setWidget(self._inside)

    def _add_reasons(self, column: QVBoxLayout, title: str, status: Status, reasons: Iterable[Reason]) -> None:
        for position, reason in enumerate(reasons):
            if position == 0:
                column.addWidget(label(title, heading=2))
            words = boxes.column(label(reason.text, wrap=True, selectable=True), spacing="xs")
            remedy = f"What would help: {reason.remedy}"
            words.addWidget(label(remedy, wrap=True, muted=True, selectable=True))
            if reason.analyst:
                detail = boxes.row(
                    (analyst_badge(), Qt.AlignmentFlag.AlignTop),
                    (label(reason.analyst, wrap=True, selectable=True), 1),
                    spacing="s",
                )
                words.addLayout(detail)
            column.addLayout(_marked(status_icon(status), status.value, words))

    def _add_lines(self, column: QVBoxLayout, title: str, icon_name: str, lines: Iterable[str]) -> None:
        for position, line in enumerate(lines):
            if position == 0:
                column.addSpacing(tokens.SPACE_S)
                column.addWidget(label(title, heading=2))
            words = boxes.column(label(line, wrap=True, muted=True, selectable=True))
            column.addLayout(_marked(icon_name, "muted", words))


def _marked(icon_name: str, token: str, words: QVBoxLayout) -> QHBoxLayout:
    return boxes.row((IconLabel(icon_name, tokens.ICON, token), Qt.AlignmentFlag.AlignTop), (words, 1), spacing="s")
