"""The answer: ε, the verdict on the claim, and the witness."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.status import Status
from workbench.mechanisms.audit import AuditVerdict
from workbench.session.audit import Examination
from workbench.session.audit_limits import ParameterLimit
from workbench.session.audit_words import (
    claimed_words,
    delta_words,
    epsilon_words,
    size_words,
    witness_words,
)

_CHECKING = "Checking…"
_COMMAND_TIP = "Copy the command line that asks the same"


class VerdictPanel(QFrame):
    """Always in view above the pictures.

    Signals
    -------
    command_wanted()
        The person wants the command that asks the same.
    limit_wanted(str, str)
        The person wants a parameter as far as the claim lets it go: its name, and what is to be typed.
    """

    command_wanted = Signal()
    limit_wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("line", "bottom")
        self.title = label(muted=True, small=True, wrap=True)
        self.epsilon = label(heading=1, wrap=True, selectable=True)
        self.badge = Badge(Status.NEUTRAL, "Working", elides=True)
        self.witness = label(wrap=True, selectable=True)
        self.delta = label(wrap=True, selectable=True)
        self.limits: list[QPushButton] = []
        self._offered: tuple[ParameterLimit, ...] = ()
        self._holds = label("Holds with", muted=True, small=True)
        self._limits = boxes.row(self._holds, 1, spacing="xs")
        self._limits_row = boxes.boxed(self._limits)
        self._limits_row.hide()
        self.show_limits((), room=False)
        self.before = ElidedLabel("\u00a0", muted=True, small=True)
        self.note = label(muted=True, small=True, wrap=True)
        self.command = push_button(
            "Copy as command",
            self.command_wanted,
            icon=icon("copy", "link"),
            tip=_COMMAND_TIP,
            quiet=True,
        )
        top = boxes.row((self.epsilon, 1), (self.badge, Qt.AlignmentFlag.AlignVCenter), spacing="m")
        boxes.column(
            boxes.row((self.title, 1), (self.command, Qt.AlignmentFlag.AlignTop)),
            top,
            self.witness,
            self.delta,
            self._limits_row,
            self.before,
            self.note,
            margins="l m l m",
            spacing="xs",
            inside=self,
        )
        set_explain(self, "mechanisms.verdict")

    def show_found(self, found: Examination) -> None:
        """Show what was found."""
        self._dim(False)
        status, words = verdict_words(found)
        self.title.setText(f"{found.made.title} · {size_words(found)}")
        self.epsilon.setText(epsilon_words(found))
        self.badge.set_status(status, words)
        self._fit_badge()
        wrong = found.why_without("claim", "claimed_delta")
        self._say(witness_words(found), delta_words(found), found.made.note)
        if wrong is not None:
            self._say_wrong(str(wrong), wrong.message)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_badge()

    def _fit_badge(self) -> None:
        """A long claim is cut, and in the tip, where ε would need another line: nothing below may jump."""
        beside = self.epsilon.fontMetrics().horizontalAdvance(self.epsilon.text()) + tokens.SPACE_M + 2 * tokens.SPACE_L
        self.badge.setMaximumWidth(max(self.width() - beside - tokens.SPACE_XS, tokens.COLUMN_MIN))

    def show_limits(self, limits: Sequence[ParameterLimit], *, room: bool) -> None:
        """Offer each parameter as far as the claim lets it go.

        Parameters
        ----------
        room
            Whether their line keeps its place where there are none, as nothing below may jump while a claim is typed.
        """
        self._offered = tuple(limits)
        while len(self.limits) < max(len(limits), 1):
            button = push_button("\u00a0", partial(self._want, len(self.limits)), quiet=True)
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(True)  # what is below must not jump
            button.setSizePolicy(policy)
            self.limits.append(button)
            self._limits.insertWidget(len(self.limits), button)
        for button, limit in zip_longest(self.limits, limits):
            if limit is not None:
                button.setText(limit.words)
                button.setToolTip(limit.meaning)
                button.setEnabled(not limit.is_set)
            button.setVisible(limit is not None)
        # Each by itself: the other stays as it is.
        self._holds.setText(("Holds with either" if len(limits) > 1 else "Holds with") if limits else "\u00a0")
        self._limits_row.setVisible(room)

    def _want(self, place: int) -> None:
        limit = self._offered[place]
        self.limit_wanted.emit(limit.spec.name, limit.typed)

    def show_before(self, words: str) -> None:
        """Show what was found before the last change; its line keeps its place where there is nothing to say."""
        self.before.set_text(words or "\u00a0")

    def show_error(self, error: WorkbenchError, field: str = "") -> None:
        """Show why there is no answer, and at which field that is mended."""
        self._dim(False)
        self.title.setText(f"This question has no answer: see “{field}”" if field else "This question has no answer")
        self.epsilon.setText("ε = –")
        self.badge.set_status(Status.ERROR, "Cannot be audited")
        self._say(error.message, error.hint, "")

    def show_working(self, *, claimed: bool = False) -> None:
        """Say that what is shown belongs to the question before, and whether it is a claim that is checked."""
        self.badge.set_status(Status.NEUTRAL, _CHECKING if claimed else "Working")

    def show_unasked(self, *, coming: bool) -> None:
        """Say that what is shown is no answer to the claim that is typed.

        Parameters
        ----------
        coming
            Whether it is asked in a moment; else it cannot be read, and Enter says why.
        """
        self.badge.set_status(Status.NEUTRAL, _CHECKING if coming else "Not a claim yet")

    def show_mistyped(self, problem: str) -> None:
        """Say that a field holds no number, so that what is shown is of the one that it held before."""
        self.badge.set_status(Status.WARNING, "Out of date")
        self._say_wrong(problem, problem)
        self._dim(True)
        self.command.setToolTip(problem)

    def _dim(self, dimmed: bool) -> None:
        for part in (self.title, self.epsilon, self.witness, self.note, self.command):
            part.setEnabled(not dimmed)
        self.command.setToolTip(_COMMAND_TIP)

    def _say_wrong(self, words: str, shorter: str) -> None:
        """Say what is wrong with an entry, in the line of δ and no more than that: nothing below may jump."""
        room = self.delta.width() >= self.delta.fontMetrics().horizontalAdvance(words)
        self.delta.setText(words if room else shorter)
        self.delta.setToolTip("" if room else words)
        set_look(self.delta, tone="error")

    def _say(self, witness: str, delta: str, note: str) -> None:
        self.delta.setToolTip("")
        set_look(self.delta, tone="none")
        for words, text in ((self.witness, witness), (self.delta, delta), (self.note, note)):
            words.setText(text or " ")
        # Of δ there is a line whether or not a claim says at which ε: nothing below may jump while one is typed.
        for words in (self.witness, self.note):
            words.setVisible(bool(words.text().strip()))


def verdict_words(found: Examination) -> tuple[Status, str]:
    """The badge: what became of the claim, or how the channel is known."""
    if found.why_without("claim", "claimed_delta") is not None:
        return Status.ERROR, "Claim not read"
    if found.undecided:
        return Status.WARNING, "Not decided: only the shown inputs were looked at"
    if found.verdict is None:
        if math.isinf(found.epsilon):
            return Status.WARNING, "No ε holds"
        return (Status.INFO, "Exact") if found.channel.exact is not None else (Status.NEUTRAL, "In floating point")
    if found.verdict is AuditVerdict.REFUTED:
        return Status.ERROR, f"Refuted: {claimed_words(found)}"
    # What holds of some inputs is no guarantee, and must not look like one.
    listed = found.made.listed
    rounded = " up to rounding" if found.verdict is AuditVerdict.ROUNDED else ""
    if listed:
        return Status.INFO, f"Holds on the {listed} listed{rounded and f',{rounded}'}"
    return Status.SUCCESS, f"Confirmed{rounded}: {claimed_words(found)}"
