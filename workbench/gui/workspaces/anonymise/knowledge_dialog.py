"""The question for what is known without the file: how many rows there are, and what can occur in each column."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QGridLayout,
    QPushButton,
    QRadioButton,
    QWidget,
)

from workbench.core.number_text import counted
from workbench.core.progress import Progress
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.finer_rules import make_finer, make_masks, one_step, settled_widths
from workbench.gui.placing import free, inside_frame
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.kept_typing import keep_typing
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.anonymise.known_line import MATTERS, KnownLine
from workbench.session.release.knowledge import (
    costs_of_yes,
    known_columns,
    number_answer,
    refused,
    say,
    say_matters_most,
)
from workbench.session.release.leaving_out import gains_of_leaving_out
from workbench.session.release.prospect import counts_people
from workbench.session.session import Session

HOW_MANY = ""
"""How many are expected, among names of columns, of which none is empty."""
_ABOUT = "From a list, a form or a law, never from this file or its examples in Data: you sign for that."
_REST = "Leave the rest empty."
_BOLD = "What is bold brings more rows, or finer detail."
_EMPTY = "Leave empty what you do not know; what you do not list may come out, too."
_NEVER = (
    'What you sign stands in Release. Leave empty what you do not know. A value with a comma stands in "double quotes"'
)
_GOES_ON, _TAKES, _STAYS = "Return: on to {}", "Return: use all of this", "To leave it empty, press Use this"
"""Whose hands are on the keys need no press of the mouse from the first field to the last, which takes all over."""
_LONGEST, _NEXT = 20, "the next field"
"""Letters of a name for which there is room beside the buttons, and what stands there in the place of a longer one."""
_YES = "Yes, or I am not sure: {costs}. Of a staff or a census others often know it."
_ANSWERED = (
    "One answer, shown beside the number and in Release, as the publisher’s word; it can be changed wherever it stands"
)
_SOURCE = "Release shows it beside the sentence that you sign; nothing else depends on it"
_WHAT, _FROM = "What can occur in it", "Known from (optional)"
_TYPED = 4
"""Column of the table in which it is typed what can occur."""
_CHOICES = 2
"""The first columns of it, in which it is ticked what is needed and what matters most."""
_MOST_PEOPLE = 10**12
_MOST_LINES = 10
"""As many columns are seen without scrolling."""


class KnowledgeDialog(QDialog):
    """All of it in one place. Nothing is read off the rows, and one press takes everything over as one step.

    Parameters
    ----------
    column
        Of which it is to be said first; "" for what is missing first.
    asked
        The columns that are seen, with all that are released and of which nothing is known, until somebody wants the
        others; none for all.
    leaving
        Columns that are to be left out with the draw: they are not needed, until somebody says that they are.

    Signals
    -------
    left_empty(object)
        Names of columns that were seen and of which nothing was said, once the rest is taken over; `HOW_MANY` stands
        among them for how many are expected.
    """

    left_empty = Signal(object)

    def __init__(
        self,
        document: Document,
        parent: QWidget | None = None,
        *,
        column: str = "",
        asked: Collection[str] = (),
        leaving: Collection[str] = (),
    ) -> None:
        super().__init__(parent)
        self._document = document
        self.setWindowTitle("What do you know without this file?")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "anonymise.occurring")
        trim = document.project.anonymise.trim
        whom = "people" if counts_people(document.project) else "rows"
        self.rows = NumberField(
            f"{whom.capitalize()} you expect",
            minimum=1,
            maximum=_MOST_PEOPLE,
            integer=True,
            unit=whom,
            optional=True,
            placeholder="roughly",
            compact=True,
            value=trim.expected_rows,
        )
        answer = number_answer(document.session)
        self._asked, self._not_told = answer.question, answer.no
        self.no, self.yes = (
            QRadioButton(f"No. {self._not_told}"),
            QRadioButton(_YES.format(costs=costs_of_yes(document.session))),
        )
        answers = QButtonGroup(self)
        for one in (self.no, self.yes):
            one.setAccessibleName(f"{self._asked} {one.text()}")
            answers.addButton(one)
        # No is never answered in anybody's name: who does not, is asked in Release before anything leaves.
        self.yes.setChecked(answer.given is True)
        self.no.setChecked(answer.given is False)
        for one in (self.no, self.yes):
            one.setEnabled(not answer.fixed)
            one.setToolTip(answer.fixed or _ANSWERED)
        columns = known_columns(document.session)
        ranked = any(one.most is not None for one in columns)
        most = any(one.most and not one.said for one in columns)
        self._helps = tuple(asked)
        self.lines = [
            KnownLine(replace(one, needed=one.needed and one.name not in leaving), ranked=ranked) for one in columns
        ]
        self._been: set[str] = set()
        # Whoever is asked of one says at once what they know of the others that are released, unless these pay for it.
        told_too = [line for line in self.lines if line.is_open and (line.matters or not most)]
        others = [line for line in self.lines if asked and line.name not in asked and line not in told_too]
        if len(others) < len(self.lines):
            for line in others:
                line.ask(asked=False)
        self.rest = push_button(
            f"Other columns: {len(others):,}",
            self._show_rest,
            name=f"Say what can occur in {counted(len(others), 'other column')} too",
            explain="anonymise.occurring",
            quiet=True,
        )
        self.rest.setHidden(all(line.asked for line in self.lines))
        self._choices: list[QWidget] = []
        self.told = label("No column would be left: keep at least one.", small=True, tone="error")
        self.told.hide()
        self.about = label(wrap=True)
        self.by_key = label(_GOES_ON, small=True, muted=True)
        self.use = push_button("&Use this", self.accept, primary=True)
        self.use.setDefault(True)
        self.cancel = push_button("Cancel", self.reject)
        self._lay_out()
        # Of columns that are needed all the same, and ticked before, nobody is asked that again.
        needed = all(line.needed.isChecked() for line in self.lines if line.asked)
        self._offer_choices(self.rest.isHidden() or not needed)
        keep_typing(self)
        self._order()
        for line in self.lines:
            for tick in (line.needed, line.most):
                tick.toggled.connect(self._ask_gains)
            line.most.toggled.connect(self._mark)
            line.edit.textChanged.connect(self._make_room)  # where a line more is asked of what is typed
            line.edit.textChanged.connect(self._tell_key)
            line.edit.textChanged.connect(self._doubt_numbers)
            line.needed.toggled.connect(self._tell_key)
            line.needed.toggled.connect(self._doubt_numbers)
        self._mark()
        self._ask_gains()
        open_ = next((line for line in self.lines if line.asked and line.needed.isChecked() and not line.said[0]), None)
        first = next((line for line in self.lines if line.name == column), open_)
        if first is not None and first.matters:  # all that matter most are asked about, from the top
            first = next(line for line in self.lines if line.matters)
        # Of several that were named, the one that was pressed; Return goes on from there to the others.
        first = next((line for line in self._named_empty if line.name == column), next(iter(self._named_empty), first))
        knows = self.rows.value is not None or (first is not None and bool(first.said[0]))
        (first.edit if first is not None and knows else self.rows.edit).setFocus()
        for part in self.findChildren(QWidget):
            part.installEventFilter(self)  # what Return does depends on where one is
        self._tell_key()

    def accept(self) -> None:
        """Take it over, unless something of it cannot be read, which is said beside it."""
        said = {line.name: line.said for line in self.lines}
        spared = [line.name for line in self.lines if not line.needed.isChecked()]
        self.told.setVisible(len(spared) == len(self.lines) > 0)
        if self.told.isVisibleTo(self):
            self.lines[0].needed.setFocus()
            return
        wrong = refused(self._document.session, {name: one for name, one in said.items() if name not in spared})
        wrong = wrong or {line.name: words for line in self.lines if (words := line.asks_again())}
        if any(line.name in wrong and not line.asked for line in self.lines):
            self._show_rest()
        for line in self.lines:
            line.show_wrong(wrong.get(line.name, ""))
        if wrong:
            first = next(line for line in self.lines if line.name in wrong)
            first.edit.setFocus()
            self._make_room()
            self.listed.ensureWidgetVisible(first.wrong, 0, 0)  # of the last line too, below which the list ends
            return
        if not self.rows.valid:
            self.rows.edit.setFocus()
            return
        rows = None if self.rows.value is None else int(self.rows.value)
        known = self._known
        not_told = self._not_told if self.no.isChecked() else ""
        step, needed = one_step(), [line for line in self.lines if line.needed.isChecked()]
        widths = settled_widths(self._document, said)
        widths |= {line.name: widens for line in needed if (widens := line.widening) is not None}
        if self._document.apply(
            "What is known without the file",
            lambda session: say(
                session,
                {name: one for name, one in said.items() if name not in spared},
                expected_rows=rows,
                number_known=known,
                not_told=not_told,
                spared=spared,
                most=self._most,
            ),
            merge=step,
        ):
            make_finer(self._document, said, merge=step, widths=widths)
            lengths = {line.name: line.length for line in needed}
            make_masks(self._document, {name: long for name, long in lengths.items() if long}, merge=step)
            empty = [line.name for line in needed if line.asked and not line.said[0]]
            self.left_empty.emit(frozenset([*empty, *([HOW_MANY] if rows is None else [])]))
            super().accept()

    @property
    def _most(self) -> dict[str, bool]:
        """Of each column that is needed, and decided about so, whether it matters most."""
        return {line.name: line.most.isChecked() for line in self.lines if line.most.isEnabled()}

    @property
    def _known(self) -> bool:
        """Whether it is said that others know the number."""
        return self.yes.isChecked() if self.yes.isEnabled() else self._document.project.anonymise.trim.number_known

    def _mark(self) -> None:
        """Make bold of what it helps to say what can occur: the columns that the button named, if one led here.

        Once it was said what matters most the others pay for it, and what occurs in them makes little difference.
        """
        most = {line.name for line in self.lines if line.matters}
        bold = most.intersection(self._helps) or self._helps or most
        for line in self.lines:
            line.mark(wanted=line.name in bold)
        tells = any(line.asked and line.name not in bold for line in self.lines)  # where all are, it tells nothing
        self.about.setText(" ".join([_ABOUT, *([_BOLD] * tells), _EMPTY] if self._helps else [_ABOUT, _REST]))

    def _doubt_numbers(self) -> None:
        """Ask of numbers in a column of words whether they are of one that wants some: who types mistakes the line."""
        for line in self.lines:
            line.doubt_numbers(self.lines)

    def _ask_gains(self) -> None:
        """Work out what is gained by leaving out each column that is not needed, with what was typed so far."""
        spared = [line.name for line in self.lines if not line.needed.isChecked()]
        for line in self.lines:
            line.show_gains("…" if line.name in spared else "")
        if not spared:
            return
        session, rows = self._document.session.snapshot(), self.rows.value
        said = {one.name: one.said for one in self.lines}
        wrong = refused(session, said)
        steps = session.release.steps
        said |= {name: (steps.said(name), steps.source_of(name)) for name in wrong}
        expected = None if rows is None else int(rows)
        known, most = self._known, self._most

        def answer(trial: Session, left_out: Collection[str]) -> None:
            kept = {name: one for name, one in said.items() if name not in left_out}
            say(trial, kept, expected_rows=expected, number_known=known, spared=left_out, most=most)

        def work(progress: Progress) -> Mapping[str, str]:
            return gains_of_leaving_out(session, answer, spared, progress, partial(say_matters_most, most=True))

        self._document.runner.start(
            "What leaving columns out gains",
            work,
            on_done=self._show_gains,
            key="gains of leaving out",
            latest_wins=True,
            owner=self,
            aside=True,
        )

    def _show_gains(self, found: Mapping[str, str]) -> None:
        for line in self.lines:
            line.show_gains(found.get(line.name, ""))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on to the next empty field of what it helps to say or is ticked, and then takes all over."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._go_on():
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn:
            self._tell_key()
        return super().eventFilter(watched, event)

    @property
    def _named_empty(self) -> list[KnownLine]:
        """What the button named that led here, as far as it is needed and nothing is said of it yet."""
        return [one for one in self.lines if one.name in self._helps and one.needed.isChecked() and not one.said[0]]

    def _following(self) -> KnownLine | None:
        """Where Enter goes on to; None where it takes all over."""
        here = self.focusWidget()
        ends = -1 if here is self.rows.edit or self._helps else len(self.lines)
        place = next((place for place, line in enumerate(self.lines) if here in line.typed), ends)
        below = self.lines[place + 1 :]
        if self._helps:  # also back to an earlier one: what was asked for is not passed over by a key
            empty = self._named_empty
            named = next((one for one in empty if one in below), next(iter(empty), None))
            # Once all that was named says something, what else the release is for is asked too, once each.
            more = (one for one in (*below, *self.lines) if one.asked and one.matters and one.name not in self._been)
            return named or next((one for one in more if one.needed.isChecked() and not one.said[0]), None)
        return next((one for one in below if one.asked and one.needed.isChecked() and not one.said[0]), None)

    def _go_on(self) -> bool:
        found = self._following()
        if found is not None:
            self.listed.ensureWidgetVisible(found.edit)
            found.edit.setFocus()
            self._tell_key()
        return found is not None

    def _tell_key(self) -> None:
        """Say what Enter does where one is; of a button that is known."""
        here = self.focusWidget()
        self._been.update(one.name for one in self.lines if here in one.typed)
        found = self._following()
        stays = found is not None and here is found.edit
        name = _NEXT if found is None or len(found.name) > _LONGEST else visible(found.name)
        self.by_key.setText(_STAYS if stays else _TAKES if found is None else _GOES_ON.format(name))
        self.by_key.setVisible(not isinstance(here, QPushButton))

    def _show_rest(self) -> None:
        """Show the columns that were not asked for too."""
        self.rest.hide()
        for line in self.lines:
            line.ask(asked=True)
        self._mark()
        self._offer_choices(True)
        self._make_room()
        next(line.edit for line in self.lines).setFocus()

    def _offer_choices(self, offered: bool) -> None:
        """Show which columns are needed, and which matter most, or leave it at what can occur in them."""
        for part in self._choices:
            part.setVisible(offered)
        for line in self.lines:
            line.offer_choices(offered)

    def _make_room(self) -> None:
        """As many lines are seen without scrolling as there are, up to what a screen has room for."""
        inside = self.listed.widget()
        if inside is None:
            return
        if (layout := inside.layout()) is not None:
            layout.activate()
        self.listed.setMinimumHeight(min(inside.sizeHint().height(), _MOST_LINES * tokens.CONTROL_HEIGHT))

    def _order(self) -> None:
        """Tab goes from field to field, and only then to what need not be said."""
        # A question that comes up while somebody types must not take what they type next.
        columns = zip(*((*line.typed, line.most, line.source, line.needed) for line in self.lines), strict=True)
        parts = [part for column in columns for part in column]
        more = [] if self.rest.isHidden() else [self.rest]
        for one, following in pairwise((self.yes, *parts, *more, self.use, self.cancel)):
            self.setTabOrder(one, following)

    def _lay_out(self) -> None:
        numbers = form_grid()
        many = f"How many {'people' if counts_people(self._document.project) else 'rows'}, about?"
        for place, (words, field) in enumerate(((many, self.rows), (self._asked, self.no))):
            title = label(words)
            title.setBuddy(field)
            numbers.addWidget(title, place, 0)
            numbers.addWidget(field, place, 1)
        numbers.addWidget(self.yes, 2, 1)
        self.numbers = boxes.boxed(numbers)
        wide = self.numbers.sizeHint().width() + 2 * tokens.SPACE_L + tokens.SPACE_XL  # also where it is hidden
        self.setMinimumWidth(min(wide, inside_frame(free(self.screen())).width()))
        table = QGridLayout()
        table.setHorizontalSpacing(tokens.SPACE_S)
        table.setVerticalSpacing(tokens.SPACE_XS)
        table.setColumnStretch(_TYPED, 1)
        most = "Matters most" if any(line.ranked for line in self.lines) else ""
        for place, words in enumerate(("Needed", most, "", "Column", _WHAT, _FROM)):
            table.addWidget(title := label(words, small=True, muted=True), 0, place)
            title.setToolTip({most: MATTERS if most else "", _FROM: _SOURCE}.get(words, ""))
            self._choices += [title] if place < _CHOICES else []
        for line in self.lines:
            self._add(table, line)
        table.setRowStretch(table.rowCount(), 1)
        self.listed = shown = boxes.scrolled(boxes.boxed(table))
        self._make_room()
        self.about.setToolTip(_NEVER)
        boxes.column(
            self.about,
            self.numbers,
            (shown, 1),
            self.told,
            boxes.row(self.rest, 1, self.by_key, self.use, self.cancel, spacing="s"),
            margins="l",
            spacing="m",
            inside=self,
        )
        self.resize(tokens.COLUMN_MAX + tokens.EMPTY_TEXT_WIDTH, self.sizeHint().height())

    @staticmethod
    def _add(table: QGridLayout, line: KnownLine) -> None:
        row = table.rowCount()
        wide = line.title.fontMetrics().horizontalAdvance(line.name) + tokens.SPACE_XL
        line.title.setFixedWidth(min(tokens.RAIL_WIDTH, wide))
        for place, part in enumerate(line.parts):
            if part is line.edit:
                beside = (line.gains, 1), line.counted, line.whole
                table.addLayout(boxes.row((part, 1), *beside, spacing="s"), row, place)
            else:
                table.addWidget(part, row, place)
        below = line.widths, (line.about_widths, 1), (line.one_value, 1)
        table.addLayout(boxes.row(*below, spacing="s"), row + 1, _TYPED)
        table.addWidget(line.wrong, row + 2, _TYPED, 1, 2)
