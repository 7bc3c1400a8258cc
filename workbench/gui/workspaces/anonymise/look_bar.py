"""Below a release: what its draw has cost, another draw, and the one deliberate step to the analyst's figures."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel, NamesLabel
from workbench.gui.widgets.labels import label, on_button
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.leaving_out import in_short
from workbench.session.release.remedies import AnotherDraw, spare
from workbench.session.release.result import Result
from workbench.session.release.spread import listed_names


class LookBar(QWidget):
    """One line below the table; hidden while there is no result.

    Signals
    -------
    draw_requested(), run_requested()
        The person wants a new draw at its price, with the settings of the result or with other ones.
    other_draw_requested(object)
        They want the `AnotherDraw` that would say more.
    left_out()
        They leave columns out of the file of the draw, and are done here.
    asked(bool)
        Whether the question is to be shown, what becomes of the draw when its figures are taken.
    """

    draw_requested = Signal()
    run_requested = Signal()
    other_draw_requested = Signal(object)
    left_out = Signal()
    asked = Signal(bool)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._stale = False
        self.figures = push_button(
            "Show the analyst’s figures…", self._ask, name="Show the analyst’s figures", quiet=True
        )
        self.draw = push_button(act=self._draw, name="New draw", explain="anonymise.run")
        self.spare = push_button(act=self._leave_out, name="Leave columns out", explain="release.after")
        self._spare: tuple[str, ...] = ()
        self.other = push_button(act=self._draw_other, name="Draw again without columns", explain="anonymise.run")
        self._other: AnotherDraw | None = None
        self.offers = (self.spare, self.other)
        self.which = NamesLabel(small=True, muted=True)
        self.room = ElidedLabel(small=True, muted=True)
        self.words = label(wrap=True)
        self.publish = push_button("Publish this draw, and show", self._settle, name="Publish this draw, and show")
        self.show_only = push_button("Show", self._look, name="Show")
        self.not_now = push_button("Not now", self._put_away, name="Not now", quiet=True)
        buttons = boxes.row(self.publish, self.show_only, self.not_now, 1, spacing="s")
        self.question = boxes.boxed(
            boxes.column(
                label("Show the analyst’s figures?", heading=2), self.words, buttons, 1, margins="0 l 0 0", spacing="m"
            )
        )
        boxes.column(
            boxes.row((self.which, 1), self.spare, self.other, spacing="s"),
            boxes.row((self.room, 1), self.figures, self.draw, spacing="s"),
            margins="0 xs 0 0",
            spacing="xs",
            inside=self,
        )
        self.hide()

    def show_result(self, result: Result | None, found: PromiseAssessment, *, running: bool) -> None:
        """Show what belongs to a result, which may be out of date."""
        self.setVisible(result is not None)
        if result is None:
            self.asked.emit(False)
            return
        current = found.current and not running
        self._stale = not found.current and not found.pending
        looked = self._document.session.release.looked
        secure = result.outcome.secure
        prospect = found.prospect if secure else None
        price = f" · {prospect.more}" if prospect is not None and prospect.more else ""
        fits = prospect is None or prospect.fits
        self.draw.setText(f"{'Make it again' if self._stale else 'New draw'}{price}")
        self.draw.setAccessibleName(self.draw.text())
        self.room.set_text("" if prospect is None else prospect.of_another)
        picked = "" if self._stale else "To publish it you say that it was not picked from several for its content."
        if not fits:
            picked = "The budget has no room for another draw. This one is paid for, and can be exported."
        self.draw.setToolTip(f"{result.spent} {picked}".strip())
        self.draw.setEnabled(found.can_run and fits and not running and not found.pending)
        self.draw.setVisible(secure or self._stale)
        waiting = found.pending or running  # they keep their places until it is known what becomes of them
        if not waiting:
            self._show_ways_out(found if current else PromiseAssessment())
        for offer in self.offers:
            offer.setEnabled(not waiting)
        self.figures.setVisible(not looked)
        self.figures.setEnabled(current)
        if looked or not current:
            self.asked.emit(False)

    def _draw(self) -> None:
        (self.run_requested if self._stale else self.draw_requested).emit()

    def _show_ways_out(self, found: PromiseAssessment) -> None:
        """Show the ways out: to leave columns that say nothing out of the file, or of a new draw, if that helps."""
        self._spare, self._other = found.spare, found.another
        self.spare.setVisible(bool(self._spare))
        leave, named = f"Leave {in_short(self._spare)} out", listed_names(self._spare) if self._spare else ""
        self.which.set_names(self._spare if named not in leave else ())
        self.spare.setToolTip(
            f"{named}: not in the file, which costs nothing. No row says more of it than one value, or *. Release "
            "takes it back under “In the file”"
        )
        costs = f"{leave} · no ε{', 1 sentence more' * self._asks_more(found)}"
        self.spare.setText(on_button(costs))
        self.spare.setAccessibleName(costs)
        self.other.setVisible(self._other is not None)
        if self._other is not None:
            beside = self._other.names == self._spare
            again = f"Draw again without {'it' if len(self._other.names) == 1 else 'them'} · {self._other.price}"
            self.other.setText(on_button(again if beside else self._other.words))
            self.other.setAccessibleName(self._other.words)
            self.other.setToolTip(self._other.about)

    def _asks_more(self, found: PromiseAssessment) -> bool:
        """Whether the publisher says then, as not yet, by what it was decided which columns are in the file."""
        release = self._document.session.release
        told = release.result is not None and bool(release.after(release.result).asserted)
        return found.claim is not None and (found.claim.holds or found.claim.given) and not told

    def _leave_out(self) -> None:
        self.left_out.emit()  # the focus is not to go to what comes next, which is a look
        spare(self._document.session, self._spare)
        self._document.changed.emit("result")

    def _draw_other(self) -> None:
        if self._other is not None:
            self.other_draw_requested.emit(self._other)

    def _ask(self) -> None:
        """Say what it costs to see them, before anything is shown."""
        session = self._document.session
        result = session.release.result
        if result is None:
            return
        left = session.ledger.entry_of(result.fingerprint, result.draw) is not None
        after = "Later draws and other settings have no (ε, δ) claim on this data."
        if left:
            self.words.setText(f"This draw has left, so it keeps its claim. {after}")
        else:
            self.words.setText(
                f"They are computed from the true rows. {after} Settle now that this draw is published, whatever they "
                "say? Else it has none either."
            )
        self.publish.setHidden(left)
        self.show_only.setText("Show" if left else "Show, and publish none with a claim")
        self.show_only.setAccessibleName(self.show_only.text())
        self.asked.emit(True)
        (self.not_now if left else self.publish).setFocus(Qt.FocusReason.OtherFocusReason)

    def _settle(self) -> None:
        self._take(publish=True)

    def _look(self) -> None:
        self._take(publish=False)

    def _take(self, *, publish: bool) -> None:
        self._document.look(publish=publish)
        self.asked.emit(False)

    def _put_away(self) -> None:
        self.asked.emit(False)
        self.figures.setFocus()
