"""The outlook of a release, said before ε is spent, the number of people that it is of, and what would help."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from workbench.core.schema import UnitAnswer
from workbench.core.usual_delta import DELTA_RULE
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.next_step import PURPOSE
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.haste import pressed_once
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.anonymise.column_lines import FOLLOWS
from workbench.gui.workspaces.anonymise.last_change import ChangeLine
from workbench.gui.workspaces.anonymise.number_answered import NumberAnswered
from workbench.gui.workspaces.anonymise.purpose_ticks import IN_THE_FILE, TICKS
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.column_details import few_words
from workbench.session.release.knowledge import is_unknown
from workbench.session.release.prospect import counts_people
from workbench.session.release.purpose import left_out, means_words
from workbench.session.release.remedies import NEVER, OCCURRING
from workbench.session.release.tried_remedy import OutlookRemedy
from workbench.session.release.ways import offers_ways

_OFFERS = 1
"""One at a time: its line is kept, so that nothing above moves when an answer brings advice."""
_ROWS = (
    "As your plan, a register or an older publication has it, or a guess, never as this file has: what you choose by "
    "its rows tells of them, and when you publish you sign that you did not. The promise holds whatever you say; of "
    f"fewer people than that, fewer rows come out. {DELTA_RULE}, if you chose none"
)
_SOURCE = "Not from this file"
_ANOTHER = "The levels of this draw follow from it. Other levels take another draw, whose ε is added"
_MORE, _WHICH, _SAID = "Say what else you know…", "Leave columns out…", "Change what you said…"
_MORE_NAMES = {
    _MORE: "Say what else you know without this file",
    _WHICH: "Leave columns out, or say what else you know without this file",
    _SAID: "Change what you said without this file, for another draw",
}
WHO = "person"
"""Key of what is to be said in Data, as the room is asked for it."""
_LATER = "What is likely to come out is told here, once you have answered what is asked."
"""In the place of the forecast, where an empty one would be all that is beside the steps."""
_HALF = 0.5
"""A smaller part of the rows than that is few."""
_LINES = 2
"""Lines that are kept for the sentences, above the one of what changed."""


class _Said(QWidget):
    """Sentences below each other, which keep what stands below where it is.

    They take the room of the longest they were at this width, and never less than a few lines and one for `change`.
    """

    def __init__(self, *parts: QLabel, spares: QWidget, change: ChangeLine) -> None:
        super().__init__()
        self._parts, self._spares, self._change, self._width = parts, spares, change, -1
        boxes.column(*parts, spares, 1, change, spacing=0, inside=self)  # the button of the last one stays where it is

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != self._width:
            self.keep()  # other lines at another width, also where it is put into another part of the room

    def keep(self) -> None:
        """Take the room that is needed now, if it is more than before."""
        width, before = self.width(), self.minimumHeight() if self.width() == self._width else 0
        self._width = width
        needed = sum(one.heightForWidth(width) for one in self._parts if not one.isHidden() and one.text())
        needed += 0 if self._spares.isHidden() else self._spares.sizeHint().height()
        self._parts[0].ensurePolished()
        lines = _LINES * self._parts[0].fontMetrics().lineSpacing()
        change = max(self._change.heightForWidth(width), self._change.undo.sizeHint().height())
        self.setMinimumHeight(max(before, needed + change, lines + change))


class _Links(QWidget):
    """Links in lines that break where they must; the room of the most lines so far stays: nothing moves back."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        self._at, self._most, self._kept, self._parts = -1, 0, 0, parts
        self._flow = FlowLayout(self)  # words of links are never cut: what has no room has a line of its own
        for part in parts:
            self._flow.addWidget(part)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            kept = self._kept if self.width() < 2 * tokens.STEPS_WIDTH else 0  # all are in one line where it is wide
            before = self._most if self._at == self.width() else 0
            self._most = max(before, kept, self._flow.heightForWidth(self.width()))
            self._at = self.width()
            self.setMinimumHeight(self._most)
        return handled

    def keep_two_lines(self, keeps: bool) -> None:
        """Keep the room of two lines, also while there is one: the button above is not to go up when another comes."""
        line = self._parts[-1].sizeHint().height()
        lines = 2 * line + self._flow.spacing() if keeps else 0
        if lines != self._kept:
            self._kept = lines
            self.start_over()
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def start_over(self) -> None:
        """Give the room back: other links are there, or to come."""
        self._at = -1
        self.updateGeometry()  # which asks for it anew


class OutlookBar(QWidget):
    """The expected number of rows, a sentence of public facts alone, and buttons that make it better.

    The sentence is in `said`, which whoever makes the bar puts where it takes no room from the settings. The buttons
    are in `offered`, put below what leads on: nobody has to press them.

    Parameters
    ----------
    rows
        The field of the number of rows, which whoever makes the bar keeps up to date.

    Signals
    -------
    reach_requested(str)
        What helps is to be said in the control of the room that has this name.
    """

    reach_requested = Signal(str)

    def __init__(self, document: Document, rows: NumberField, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._offers: Sequence[OutlookRemedy] = ()
        self._spared: OutlookRemedy | None = None
        self._kept_of: object = None
        self._alone = self._forecast = self._leads_to_ticks = False
        self.rows = rows
        rows.setMinimumWidth(tokens.FIELD_WIDTH)
        self.asked = label("People you expect")
        self.asked.setBuddy(rows)
        self.asked.setToolTip(_ROWS)
        self.never = ElidedLabel(_SOURCE, muted=True, small=True)
        self.never.setToolTip(_ROWS)
        self.more = push_button(
            _MORE,
            lambda: self.reach_requested.emit(OCCURRING),
            name=_MORE_NAMES[_MORE],
            tip="What can occur in each column, which are needed, and whether others know how many people there are",
            explain="anonymise.occurring",
            quiet=True,
        )
        self.purpose = push_button(
            "Tick what it is for…",
            lambda: self.reach_requested.emit(PURPOSE),
            name="Tick what the release is for",
            tip=f"{IN_THE_FILE}. The ticks are in the table of what is likely to come out",
            explain="anonymise.ways",
            quiet=True,
        )
        self.stars = label(small=True, wrap=True)
        self.detail = label(small=True, wrap=True)
        self._rare = ""
        self.later = label(small=True, muted=True, wrap=True)
        self.change = ChangeLine(document)
        self.words = label(small=True, wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.means = label(small=True, wrap=True)
        self.rare = label(small=True, wrap=True)
        self.buttons: list[QPushButton] = [
            pressed_once(push_button(name=f"Remedy {place + 1}", explain="anonymise.forecast", quiet=True))
            for place in range(_OFFERS)
        ]
        self.spares = ElidingCheckBox("Leave out what would say nothing")
        self.spares.setChecked(True)
        self.spares.clicked.connect(self._keep_silent)
        self.spares.hide()
        set_explain(self.spares, "anonymise.forecast")
        # A link that is reached for must not move while what is above it, or it itself, is said anew.
        self.said = _Said(
            self.words,
            self.means,
            self.later,
            self.rare,
            self.detail,
            self.stars,
            spares=self.spares,
            change=self.change,
        )
        for place, button in enumerate(self.buttons):
            button.clicked.connect(lambda _checked=False, place=place: self._take(place))
        self.who = push_button(
            "Say who is protected",
            lambda: self.reach_requested.emit(WHO),
            name="Say who is protected",
            tip="As long as nobody says so, every row counts as a different person",
            explain="data.person",
            inline=True,
        )
        self.public = NumberAnswered(document, (self.who,))
        self.optional = label("Optional", muted=True, small=True)
        self.offered = _Links(self.optional, self.purpose, self.more, *self.buttons)
        for part in (self, self.offered):
            set_explain(part, "anonymise.forecast")
        boxes.column(
            boxes.row(self.asked, (rows, 1), self.never, spacing="s"),
            self.public,
            spacing="xs",
            inside=self,
        )

    def show_alone(self, alone: bool) -> None:
        """Say the detail of columns too, as the table that has it is not seen beside this."""
        self._alone = alone
        self._show_purpose()
        self._show_besides()

    def _show_besides(self) -> None:
        """Say of the columns what the table says of them where that is not seen."""
        self.rare.setText(self._rare)
        told = (self.words, self.rare, self.detail, self.stars)
        self.later.setText("" if any(one.text() for one in told) else _LATER)
        for part in (self.later, self.rare, self.detail, self.stars):
            part.setVisible(bool(part.text()) and self._alone)

    @property
    def offers_any(self) -> bool:
        """Whether something is offered that would make the release better."""
        return any(not one.isHidden() for one in self.buttons)

    @property
    def is_asked(self) -> bool:
        """Whether it is to be said first what occurs, so that no figure of any column is told."""
        return not self.said.isHidden() and self.words.text() == FOLLOWS

    @property
    def is_alone(self) -> bool:
        """Whether the table of columns, which has the ticks, is not seen beside this."""
        return self._alone

    def _show_purpose(self) -> None:
        """Lead to the ticks where the table that has them is not seen beside this, unless a button is offered above."""
        offers = self._alone and self._forecast and not self._leads_to_ticks
        self.purpose.setVisible(offers and offers_ways(self._document.session))
        self.optional.setVisible(any(not one.isHidden() for one in (self.purpose, self.more, *self.buttons)))

    def show_assessment(
        self,
        assessed: PromiseAssessment,
        *,
        trims: bool,
        settled: bool,
        made: bool = False,
        taken: OutlookRemedy | None = None,
        above: bool = False,
        answered: Callable[[OutlookRemedy], bool] = lambda _: False,
        asked: bool = False,
        waits: bool = False,
        unticked: bool = False,
    ) -> None:
        """Show what is expected, nothing where nothing is known, or `settled` says that nothing is to come.

        Once a release is `made`, the number of rows stays in sight: it decided what came out. What is `taken` is
        offered elsewhere; while something is `above`, nothing is offered here: one decision comes at a time. Nor is it
        what was `answered` in a dialog, be it with nothing. While ticks are `asked` for, what occurs is not. What
        follows from an answer, or from ticks, `waits` for it; of what is `unticked` as yet no detail is told.
        """
        # Beside a number that cannot be read, a forecast of the one before it would be taken for its own.
        unread = settled or not self.rows.valid
        found = None if unread or assessed.prospect is None else assessed.prospect.outlook
        presses = (*self.buttons, self.change.undo)
        pressed = any(one.hasFocus() for one in presses)
        keeps = self.buttons[0].sizePolicy()
        keeps.setRetainSizeWhenHidden(not made)  # nothing above moves when advice comes or goes
        self.buttons[0].setSizePolicy(keeps)
        others = (one for one in assessed.remedies if one is not taken and one.field != NEVER and not one.with_draw)
        others = (one for one in others if not answered(one))
        if asked:
            others = (one for one in others if not one.field.startswith(OCCURRING))
        says = taken is not None and taken.field.startswith(OCCURRING)  # what helps after it follows from the answer
        self._offers = [] if waits or says or above else list(others)[:_OFFERS]
        self._show_spared(None if found is None else next((one for one in assessed.remedies if one.with_draw), None))
        # Levels that follow from how many there are say nothing as long as nobody said so.
        awaits = unticked or (taken is not None and (taken.asks_rows or taken is TICKS))
        self.stars.setText("" if found is None or awaits else found.stars)
        lost = assessed.lost if assessed.stars is None and not says else ""  # the two ways say it
        short = "" if found is None or waits or taken is TICKS else found.short
        if found is not None and says:
            short = FOLLOWS  # what is told before it would be another number after it, and is read as a loss
        self.words.setText(" ".join(filter(None, (short, lost))) if short else "")
        self.means.setText(means_words(self._document.session) if short and trims and not says else "")
        self.means.setVisible(bool(self.means.text()))
        self.words.setToolTip("" if found is None else f"{found.besides} {assessed.vanishing}".strip())
        # As long as nobody said how many people there are, that is what is asked.
        self._rare = "" if found is None or not found.typed or waits or taken is TICKS else assessed.rare
        self.detail.setText("" if found is None or found.depends or awaits else few_words(assessed.details))
        self._show_besides()
        # Where no number is told yet, nor is what became of it.
        self.change.show_changes(assessed.changes.without_rows if short == FOLLOWS else assessed.changes)
        self.said.setVisible(found is not None)
        if found is not None:
            self.said.keep()
        # For few rows alone: which column is `*`, and what can be done about it, is told where it stands.
        few = found is not None and (found.risky or found.hopeful < _HALF) and short != FOLLOWS
        warns = found is not None and not found.depends and found.typed and few
        set_look(self.words, tone="warning" if warns else "none")
        for place, button in enumerate(self.buttons):
            offered = found is not None and place < len(self._offers)
            button.setVisible(offered)
            if not offered:
                button.setText("")  # it keeps its height, and takes no width from what stands beside it
            else:
                # Enter is not to take what came to the place of an offer that was taken.
                pressed = pressed or button.hasFocus()
                if button.hasFocus() and button.accessibleName() != self._offers[place].offered:
                    button.clearFocus()
                button.setText(on_button(self._offers[place].offered))
                button.setAccessibleName(self._offers[place].offered)
                button.setToolTip(self._offers[place].about)
        asks = trims and not settled
        for part in (self.asked, self.rows):
            part.setVisible(asks or (trims and made))
        self.never.setVisible(asks)
        # Where it is offered for what would be lost, it is not offered twice.
        offers = (*(self._offers if found is not None else ()), *([taken] if taken is not None else []))
        # Where all that can occur is listed, hardly anything follows from what is said of it; and what is not ticked is
        # left out as it is. Once a draw is there, whoever wants another one finds again what was said.
        unknown = is_unknown(self._document.session)
        self.more.setVisible(
            (asks or (trims and made))
            and bool(assessed.grouped)
            and not asked
            and not above
            and (unknown or made or not left_out(self._document.session))
            and not any(one.field.startswith(OCCURRING) for one in offers)
        )
        self.more.setText(_MORE if unknown else _SAID if made and left_out(self._document.session) else _WHICH)
        self.more.setAccessibleName(_MORE_NAMES[self.more.text()])
        self.asked.setToolTip(_ANOTHER if made else _ROWS)
        people = counts_people(self._document.project)
        self.asked.setText("People you expect" if people else "Rows you expect")
        self.rows.set_unit("people" if people else "rows")
        self.never.set_text(_SOURCE if people else f"Not people. {_SOURCE}")
        self.rows.set_name(self.asked.text())
        said = self._document.project.anonymise.trim.number_known
        asks_public = assessed.can_run and not settled and (trims or said)
        self.public.refresh()
        self.public.setVisible(asks_public)
        unsaid = self._document.project.schema.unit.protected is UnitAnswer.UNSAID
        self.who.setVisible(asks and assessed.can_run and unsaid)
        self.setVisible(asks or asks_public or (trims and made))
        self.offered.setVisible(not self.isHidden() or found is not None)
        self._forecast = found is not None and not made
        self._leads_to_ticks = taken is TICKS or above
        self.offered.keep_two_lines(asks)
        self._show_purpose()
        if made:
            self.offered.start_over()
        if pressed and not any(one.hasFocus() for one in presses):
            # Not to what comes next in the window, which looks as if it were due, and not to the button that spends.
            self.rows.edit.setFocus()

    def _take(self, place: int) -> None:
        if place < len(self._offers):
            self.take(self._offers[place])

    def _show_spared(self, spared: OutlookRemedy | None) -> None:
        """Show what is left out with the draw, which somebody may have taken back for this table."""
        self._spared = spared
        self.spares.setVisible(spared is not None)
        if spared is not None:
            self.spares.set_text(on_button(spared.with_draw))
            self.spares.setAccessibleName(spared.with_draw)
            self.spares.setToolTip(spared.about)
            self.spares.setChecked(self._kept_of is not self._document.session.data.loaded)

    def _keep_silent(self, leaves: bool) -> None:
        self._kept_of = None if leaves else self._document.session.data.loaded

    @property
    def ticked_out(self) -> OutlookRemedy | None:
        """Leaving out what would say nothing in any row, where it is offered and ticked."""
        return self._spared if self._spared is not None and self.spares.isChecked() else None

    def spare(self) -> None:
        """Leave it out: the first step of a draw."""
        if self.ticked_out is not None:
            self.take(self.ticked_out)

    def take(self, chosen: OutlookRemedy) -> None:
        """Do what helps, or go where it is said."""
        if chosen.edit is None:
            self.reach_requested.emit(chosen.field)
        else:
            self._document.apply(chosen.words, chosen.edit)
