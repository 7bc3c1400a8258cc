"""A column in the question for what is known without the file: what can occur in it, and whether it is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QCheckBox, QWidget

from workbench.core.number_text import counted
from workbench.core.occurring import entries_of
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.inputs import ComboBox, ListLine
from workbench.gui.widgets.labels import IconLabel, label, on_button
from workbench.gui.widgets.role_marks import role_icon, role_token
from workbench.session.interval_widths import EQUAL, WIDENING
from workbench.session.release.knowledge import SOURCES
from workbench.session.release.known_column import KnownColumn

_WHOLE = (
    "Ticked, they are masked as codes of {long} characters, from the last on. Unticked, they are how codes begin, and "
    "the rule is for {usual} characters."
)
_ONE_VALUE = "“{0}” is one value here. Part several with commas, or press Use this again."
_IN_QUOTES = "Is “{}” one value? Then put it in quotes."
_NUMBERS = "Numbers only: are these of {}?"
_OUT_OF_REACH = "{} Press Use this again if so."
MATTERS = "It becomes * last, and the columns that are not ticked pay for it"
"""Explanation of the ticks for what matters most."""
_WIDTHS = (
    "Equal intervals are all as wide. Widening ones are narrow at the low end, such as 0, 100, 200, 500, 1,000: for "
    "amounts of which most are small and a few very large. Choose by what such amounts are like, never by this file"
)
_EQUAL, _WIDENING = "Cut at {} If most are small, choose widening ones.", "Narrow at the low end: cut at {}"
_LONGEST, _ANOTHER = 20, "another column"
"""Letters of a name for which there is room beside a field, and what stands there in the place of a longer one."""
_DECIDED = "Its detail does not follow from how much there is room for: see Levels"


class KnownLine:
    """One column: what can occur in it, where that is known from, and why it cannot be used."""

    def __init__(self, known: KnownColumn, *, ranked: bool = True) -> None:
        self.name, self.asked, self.ranked, self._chooses = known.name, True, ranked, True
        self.is_open = known.needed and not known.before and not known.said
        self.sign = IconLabel(role_icon(known.role), tokens.ICON, role_token(known.role))
        self.title = label(on_button(known.name), wrap=True)
        self.edit = ListLine(known.said)
        self.edit.setMinimumWidth(tokens.FIELD_WIDTH)  # what is typed stays in sight beside what is said of it
        self.edit.setAccessibleName(f"Values of {known.name} that can occur")
        self.edit.setPlaceholderText(known.before or known.example)
        self.title.setBuddy(self.edit)
        self._mask, self._long = known.mask, 0
        self.whole = QCheckBox()
        if not self._word_length(known.said):
            self.whole.hide()
        self.whole.setChecked(known.mask is not None and known.mask.length == self._long)
        self._answered = self._was_said = bool(known.said)
        self._lists, self._known, self._doubtful, self._taken, self._other = known.lists, known, "", "", ""
        self.counted = label(small=True)
        self.widths = ComboBox(f"Intervals of {known.name}", [(EQUAL, False), (WIDENING, True)])
        self.widths.setToolTip(_WIDTHS)
        self.widths.setProperty("low", "true")
        self.about_widths = ElidedLabel(muted=True, small=True)
        self.one_value = ElidedLabel(small=True)
        set_look(self.one_value, tone="warning")
        self._chosen: bool | None = None
        self.widths.activated.connect(self._choose_widths)
        self.edit.textChanged.connect(self._count)
        self.whole.clicked.connect(self._answer)
        self.edit.textChanged.connect(self._ask_of_length)
        choices = [("–", ""), *((one, one) for one in SOURCES)]
        self.source = ComboBox(f"Where you know this of {known.name} from", choices)
        self.source.choose(known.source)
        self.needed = QCheckBox()
        self.needed.setAccessibleName(f"{known.name} is needed")
        self.needed.setToolTip("Untick what nobody needs: it is left out, and what that gains stands beside it")
        self.most = QCheckBox()
        self.most.setAccessibleName(f"{known.name} matters most")
        self.most.setToolTip(MATTERS if known.most is not None else _DECIDED)
        self.most.setChecked(bool(known.most))
        self.offers_most = known.most is not None
        if not ranked:
            self.most.hide()
        self.gains = ElidedLabel(muted=True)
        self.gains.setMinimumHeight(self.edit.sizeHint().height())  # it takes the place of the field, and nothing moves
        self.needed.setChecked(known.needed)
        self._enable(known.needed)
        self._count(known.said)
        (self.gains if known.needed else self.edit).hide()
        self.needed.toggled.connect(self._show_needed)
        self.wrong = label(small=True, wrap=True, tone="error")
        self.wrong.hide()
        self.edit.textEdited.connect(partial(self.show_wrong, ""))  # of what is not there any more it is not true

    @property
    def matters(self) -> bool:
        """Whether it matters most, and nobody said before what can occur in it."""
        return self.most.isChecked() and not self._was_said

    def mark(self, *, wanted: bool) -> None:
        """Make its name bold where what can occur in it makes the most of a difference."""
        set_look(self.title, strong=wanted)
        self.title.setToolTip("Of this one what can occur makes the most of a difference" if wanted else "")

    @property
    def said(self) -> tuple[str, str]:
        """Text that was typed, and where it is from."""
        return self.edit.text().strip(), str(self.source.chosen)

    @property
    def length(self) -> int | None:
        """How long the codes are that its rule is to mask; None where it stays as it is."""
        if self._mask is None or not self._long:
            return None
        if self.whole.isChecked():
            return self._long
        return self._mask.usual if self._mask.length == self._long else None

    def _enable(self, needed: bool) -> None:
        for part in (self.title, self.edit, self.whole, self.source, self.widths):
            part.setEnabled(needed)
        self.most.setEnabled(needed and self.offers_most)

    def _show_needed(self, needed: bool) -> None:
        self._enable(needed)
        self.edit.setVisible(needed and self.asked)
        self._count(self.edit.text())
        self.gains.setVisible(not needed and self.asked)

    def show_gains(self, words: str) -> None:
        """Say what is gained by leaving it out, in the place of what can occur in it."""
        self.gains.set_text(words)

    def _ask_of_length(self, words: str) -> None:
        """Ask whether codes are whole where they may as well be how longer ones begin, which is what counts unasked."""
        asks = self._word_length(words) and self.asked
        if asks and self._mask is not None and not self._answered:
            self.whole.setChecked(self._mask.are_whole(words))
        self.whole.setVisible(asks)

    def _count(self, words: str) -> None:
        """Say how many values were typed, or which range: whoever parts values with blanks has typed one."""
        entries = entries_of(words) if self._lists else ()
        if not all(any(map(str.isalpha, one)) for one in entries):
            entries = ()  # of a range it is not said how many values it names
        self._taken = self._doubtful = ""
        shown = self.asked and self.needed.isChecked()
        beyond = self._known.beyond(words)
        doubtful = len(entries) == 1 and len(entries[0].split()) > 1 and not words.lstrip().startswith('"')
        if doubtful:
            self._doubtful = _ONE_VALUE.format(visible(entries[0]))
        elif beyond:
            self._doubtful = _OUT_OF_REACH.format(beyond)
        parted = self._known.perhaps_one(words)
        self.one_value.set_text(_IN_QUOTES.format(visible(parted)) if parted else "")
        self.one_value.setVisible(bool(parted) and shown)
        values = f"{counted(len(entries), 'value')}{': part several with commas' * doubtful}" if entries else ""
        widens = self._known.widening_for(words)
        if widens is not None:
            self.widths.choose(widens if self._chosen is None else self._chosen)
        for part in (self.widths, self.about_widths):
            part.setVisible(widens is not None and shown)
        cuts = "" if widens is None else self._known.cuts_read(words, widening=bool(self.widening))
        self.about_widths.set_text((_WIDENING if self.widening else _EQUAL).format(cuts) if cuts else "")
        read = values or self._known.range_read(words)
        other = self._other if len(self._other) <= _LONGEST else _ANOTHER
        elsewhere = _NUMBERS.format(visible(other)) if other else ""
        self.counted.setText(beyond or elsewhere or read)
        self.counted.setToolTip("\n".join(map(visible, entries)))  # a comma within a name makes two of it
        set_look(self.counted, tone="warning" if self._doubtful or elsewhere or parted else "none")
        self.counted.setVisible(bool(self.counted.text()) and shown)

    def may_want(self, words: str) -> bool:
        """Whether it is asked about, is of numbers and has none yet, and these may be its: none is no age, or year."""
        open_ = self.asked and self.needed.isChecked() and self._known.numeric
        return open_ and not self._known.is_of_numbers(self.edit.text()) and not self._known.beyond(words)

    def doubt_numbers(self, others: Sequence[KnownLine]) -> None:
        """Ask beside what was typed whether it is of the first of others, which want numbers: here words are usual.

        It is no reason to refuse it: what is spelt in digits may be in a column of words. Names and kinds alone decide.
        """
        doubts = self._lists and not self._known.numeric and self._known.is_of_numbers(self.edit.text())
        other = next((one.name for one in others if doubts and one.may_want(self.edit.text())), "")
        if other != self._other:
            self._other = other
            self._count(self.edit.text())

    def _choose_widths(self) -> None:
        self._chosen = bool(self.widths.chosen)
        self._count(self.edit.text())

    @property
    def widening(self) -> bool | None:
        """Whether its intervals are to widen; None where that is no question."""
        return None if self._known.widening_for(self.edit.text()) is None else bool(self.widths.chosen)

    def asks_again(self) -> str:
        """Why it is not taken over at the first press: what was typed may be meant otherwise; "" at the second."""
        asked = self._doubtful if self.asked and self.needed.isChecked() and self._doubtful != self._taken else ""
        self._taken = self._doubtful
        return asked

    def _answer(self) -> None:
        self._answered = True

    def _word_length(self, words: str) -> bool:
        """Word that question, and say whether there is one."""
        mask = self._mask
        self._long = 0 if mask is None else mask.asked_of(words) or 0
        if mask is not None and self._long:
            self.whole.setText("Whole codes, not beginnings")
            self.whole.setAccessibleName(f"{self.name}: these are whole codes of {self._long} characters")
            self.whole.setToolTip(_WHOLE.format(long=self._long, usual=mask.usual))
        return self._long > 0

    @property
    def typed(self) -> tuple[QWidget, ...]:
        """The field, and what is asked of what was typed in it."""
        return self.edit, self.widths, self.whole

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """From the left, in the columns of the table; beside what is typed there is room for the length of codes."""
        return self.needed, self.most, self.sign, self.title, self.edit, self.source

    def offer_choices(self, offered: bool) -> None:
        """Show the ticks of whether it is needed and matters most, or keep them as they are, unseen."""
        self._chooses = offered
        self.needed.setVisible(self.asked and offered)
        self.most.setVisible(self.asked and offered and self.ranked)

    def ask(self, *, asked: bool) -> None:
        self.asked = asked
        for part in self.parts:
            part.setVisible(asked)
        self.offer_choices(self._chooses)
        self._show_needed(self.needed.isChecked())
        self._ask_of_length(self.edit.text())

    def show_wrong(self, words: str, *_: object) -> None:
        self.wrong.setText(words)
        self.wrong.setVisible(bool(words))
