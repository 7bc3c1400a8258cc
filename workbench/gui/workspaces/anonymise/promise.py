"""The reasons behind the claim as the settings stand."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from workbench.anonymise.claim import Claim
from workbench.anonymise.reasons import Reason
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon
from workbench.report.statement_parts import given_words
from workbench.session.release.assessment import PromiseAssessment, alike


class ClaimView(QScrollArea):
    """Every reason with its remedy, what was checked, and what remains for the person to assert."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportMargins(0, 0, 0, tokens.SPACE_S)  # what is scrolled away does not touch what stands below
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Reasons behind the claim")
        set_explain(self, "release.claim")
        nothing: tuple[Claim | None, frozenset[str]] = (None, frozenset())
        self._shown = self._wanted = nothing
        self._inside = QWidget()
        self._show(*self._wanted)

    def show_assessment(self, found: PromiseAssessment, said: Collection[str] = ()) -> None:
        """Show what the claim rests on or fails for, with a mark at the sentences that were said."""
        self._wanted = found.claim, frozenset(said)
        self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()

    def _catch_up(self) -> None:
        # Behind another tab nobody reads it, and building it costs more than all the rest.
        if self.isVisible() and self._wanted != self._shown:
            self._show(*self._wanted)

    def _show(self, claim: Claim | None, said: frozenset[str]) -> None:
        self._shown = claim, said
        self._inside = QWidget()
        self._inside.setProperty("bare", "true")
        column = boxes.column(margins="0 m m m", spacing="m", inside=self._inside)
        if claim is None:
            column.addWidget(label("Nothing can be claimed until the guarantee is complete.", muted=True))
        else:
            if claim.given:
                words = f"A draw is ({claim.price}) for its choices as they are. {given_words(claim.terms.looked)}"
                column.addWidget(label(words, wrap=True, selectable=True))
            voids = "Why there is no full claim" if claim.given else "What voids the claim"
            self._add_reasons(column, voids, Status.WARNING if claim.given else Status.ERROR, claim.reasons)
            self._add_reasons(column, "What a reader should know", Status.WARNING, claim.cautions)
            # What a person can do something about comes first.
            self._add_lines(column, "What only you can say, before anything leaves", "release", claim.asserted, said)
            self._add_lines(column, "What the program sees to, as the statement will say it", "check", claim.checked)
        column.addStretch(1)
        self.setWidget(self._inside)

    def _add_reasons(self, column: QVBoxLayout, title: str, status: Status, reasons: Iterable[Reason]) -> None:
        for position, (reason, others) in enumerate(alike(reasons)):
            if position == 0:
                column.addWidget(label(title, heading=2))
            words = boxes.column(label(reason.text, wrap=True, selectable=True), spacing="xs")
            if others:
                named = ", ".join(f"“{name}”" for name in others)
                words.addWidget(label(f"The same goes for {named}.", wrap=True, selectable=True))
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

    def _add_lines(
        self, column: QVBoxLayout, title: str, icon_name: str, lines: Iterable[str], said: Collection[str] = ()
    ) -> None:
        for position, line in enumerate(lines):
            if position == 0:
                column.addSpacing(tokens.SPACE_S)
                column.addWidget(label(title, heading=2))
            words = boxes.column(label(line, wrap=True, muted=True, selectable=True), spacing="hair")
            if line in said:
                words.addWidget(label("You said so.", small=True, tone="success"))
            column.addLayout(_marked(icon_name, "muted", words))


def _marked(icon_name: str, token: str, words: QVBoxLayout) -> QHBoxLayout:
    return boxes.row((IconLabel(icon_name, tokens.ICON, token), Qt.AlignmentFlag.AlignTop), (words, 1), spacing="s")
