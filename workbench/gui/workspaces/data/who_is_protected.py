"""The people the guarantee protects: asked first, with what looks like people in the data; then one line."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from workbench.core.number_text import estimate
from workbench.core.person_columns import PersonColumn
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.haste import pressed_once
from workbench.gui.widgets.labels import IconLabel, label, on_button
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.data.facts import FactsKeeper
from workbench.session import Session
from workbench.session.earlier_rows import earlier_words
from workbench.session.release.rows_of_person import cost_of_rows, protect

_MOST = 1_000_000
_ROW, _SEVERAL, _COLUMN = "row", "several", "column"
_FEW_LETTERS = 6
_EVERY_ROW = "Every row is a different person"
_HAVE_SEVERAL = "A person can have several rows"
_EACH, _EACH_OF_COLUMN = "Each has at most", "each at most"
"""Before the number of rows; shorter where it follows the column that tells persons apart."""
_TAKE = "from each, take"
"""Where the rest is left out the number is a choice, and not what persons have."""
_KNOWN = (
    "A number that anybody could know, such as the length of a career, may be declared; one read off the data gives "
    "something away."
)
_SAY_SO = "Choose the last if nobody has two values of “{}”"
"""Whoever answers it signs that: said before it."""
_EITHER = "If each has one row, choose the first; if nobody has two values of “{}”, the last"
"""The same of a column that is called after persons: whether it differs in every row is not told before a look."""
_NOT_KNOWN = "You sign this; if unsure, type a larger number."
_WHO_HAS_MORE = (
    "The promise is for persons with at most so many rows; whoever has more is promised less. Who does not know types "
    "a number that nobody can exceed. Where a column tells "
    "persons apart, choose “The persons of”: then the program leaves out what is more, and nobody has to know. Where "
    "none does and nobody can name a bound, nothing can be promised: say so in Release, by “Without claim…”."
)
_SHARE = "A person’s rows share a number"
_NAMED_SO = "Such as a customer number, or a name that nobody else has, in each of their rows: choose its column next"
_NONE_FOUND = "No column seems to repeat a person"
_LIMITED = (
    "Which rows are kept is chosen at random, anew whenever the table is opened. "
    f"A promise is about all rows of a person together. {_KNOWN}"
)
_BY_CHANCE = "One row of each person stays, by chance: nothing is lost if each has one."
_DIFFERING = (
    "Of somebody who has rows with several values, such as two clubs, only the value of that row is in a release: who "
    "counts a value counts too few."
)
_UNLIMITED = (
    "Of each person no more rows than declared, chosen at random, take part in an (ε, δ) release or a question. "
    f"Let the surplus rows be left out everywhere, or declare more. {_KNOWN}"
)


class WhoIsProtected(QFrame):
    """The unit of privacy. Until a person has said it, a question; then a line, with the count that bears it out."""

    def __init__(self, document: Document, facts: FactsKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._facts = facts
        set_explain(self, "data.person")
        self._make_question()
        self._make_line()
        set_look(self, card=True)
        boxes.column(self._question, self._line, margins="m s m s", spacing=0, inside=self)
        document.changed.connect(self._on_changed)
        facts.arrived.connect(self._refresh)
        self._refresh()

    def _make_question(self) -> None:
        self._found_icon = IconLabel("info", tokens.ICON_SMALL, "info")
        self._found = ElidedLabel()
        self._found.setMinimumWidth(1)
        self.every_row = push_button(f"&{_EVERY_ROW}", partial(self._answer, _ROW))
        self.several_rows = push_button(_HAVE_SEVERAL.replace("have", "&have"), partial(self._answer, _SEVERAL))
        self.persons = push_button(act=partial(self._answer, _COLUMN))
        self.named = QMenu(self)
        self._proposed = self.every_row
        self._question = QWidget()
        for button in (self.every_row, self.several_rows):
            button.setAccessibleName(button.text().replace("&", ""))
        self._answers = FlowLayout()
        self._answers.setSpacing(tokens.SPACE_S)
        asked = boxes.row(
            label("Who is protected?", heading=2), boxes.Gap("xs"), self._found_icon, (self._found, 1), spacing="s"
        )
        boxes.column(asked, self._answers, spacing="s", inside=self._question)
        for button in (self.every_row, self.several_rows, self.persons):
            self._answers.addWidget(button)

    def _make_line(self) -> None:
        self.choice = ElidingComboBox(
            "Who is protected",
            ((_EVERY_ROW, _ROW), (_HAVE_SEVERAL, _SEVERAL), ("The persons of", _COLUMN)),
        )
        self.columns = ElidingComboBox("Number or name that the rows of a person share")
        for combo in (self.choice, self.columns):
            combo.setMinimumContentsLength(_FEW_LETTERS)
            pressed_once(combo)  # it comes where an answer was
        self.choice.setMaximumWidth(tokens.COLUMN_MAX)
        self.columns.setMaximumWidth(tokens.COLUMN_MAX // 2)
        self.rows = NumberField(
            "Largest number of rows of one person",
            minimum=1,
            maximum=_MOST,
            value=2,
            integer=True,
            unit="rows",
            compact=True,
        )
        self.rows.edit.setMinimumWidth(tokens.METER_WIDTH)
        self.rows.setMaximumWidth(tokens.METER_WIDTH)
        self._at_most = label()
        self._whole = label("in this whole file", muted=True, small=True)
        self._whole.setToolTip("Not in a year, a stay or a page: in all rows of the table that is open")
        self.limit = ElidingCheckBox("leave out the &rest")
        self.limit.setAccessibleName("Keep no more than that many rows of a person, chosen at random")
        self.limit.setToolTip(
            "Of each person so many rows take part, chosen at random. Rows that name no person are left out."
        )
        self._icon = IconLabel("success", tokens.ICON_SMALL, "success")
        self._counted = ElidedLabel()
        self._counted.setMinimumWidth(1)
        self._beside_earlier = "", ""
        self._line = QWidget()
        said = boxes.row(
            label("Who is protected", heading=2), boxes.Gap("xs"), self._icon, (self._counted, 1), spacing="s"
        )
        line = boxes.row(
            (self.choice, 100),
            (self.columns, 60),
            self._at_most,
            self.rows,
            self._whole,
            self.limit,  # whole where the choices before it have room to give
            1,
            spacing="s",
        )
        line.addStrut(tokens.CONTROL_HEIGHT)
        # As high as the question it takes the place of: nothing below moves when it is answered.
        boxes.column(said, line, spacing="s", inside=self._line)
        self.choice.activated.connect(self._choose)
        self.columns.activated.connect(self._choose_column)
        self.rows.value_changed.connect(self._say_earlier)
        self.rows.committed.connect(self._count)
        self.limit.clicked.connect(self._set_limit)

    @property
    def asks(self) -> bool:
        """Whether nobody has said yet who is protected."""
        return self._unit.protected is UnitAnswer.UNSAID

    @property
    def said(self) -> str:
        """Finding or count in words, for the analyst."""
        shown = self._found if self.asks else self._counted
        return "" if shown.isHidden() else shown.full_text

    def focus_first(self) -> None:
        """Put the focus on the answer that is proposed, or on what was said."""
        (self._proposed if self.asks else self.choice).setFocus()

    @property
    def _unit(self) -> PrivacyUnit:
        return self._document.project.schema.unit

    def _on_changed(self, section: str) -> None:
        if section in ("data", "schema", "rows"):
            self._refresh()

    def _refresh(self) -> None:
        unit, names = self._unit, self._document.project.schema.names
        self._question.setVisible(self.asks)
        self._line.setVisible(not self.asks)
        if self.asks:
            self._ask()
            return
        if [self.columns.itemText(i) for i in range(self.columns.count())] != list(names):
            self.columns.clear()
            self.columns.addItems(names)
        way = self._way
        self.choice.choose(way)
        self.columns.setCurrentIndex(names.index(unit.person_column) if unit.person_column in names else -1)
        self.rows.set_value(unit.rows_per_person)
        self.rows.set_unit("row" if unit.rows_per_person == 1 else "rows")
        self.limit.setChecked(self._document.project.preparation.limit_rows)
        for widget in (self.columns, self.limit):
            widget.setVisible(way == _COLUMN)
        chosen = way == _COLUMN and self.limit.isChecked()
        self._at_most.setText(_TAKE if chosen else _EACH_OF_COLUMN if way == _COLUMN else _EACH)
        for counted in (self._at_most, self.rows):
            counted.setVisible(way != _ROW)
        one = chosen and unit.rows_per_person == 1  # which is taken, whatever the person has
        self._whole.setVisible(way != _ROW and not one)
        self._show_count()

    def _ask(self) -> None:
        """Put the question, and propose the persons of the column that repeats as people do or is called after them."""
        found = self._repeating
        name = self._named if found is None else found.name
        self._found_icon.setVisible(found is not None)
        self._found.set_text(self._words_of(found))
        set_look(self._found, muted=found is None)
        words = f"The &persons of “{on_button(name)}”" if name else _SHARE.replace("number", "&number")
        self.persons.setText(words)
        self.persons.setToolTip("" if name else _NAMED_SO)
        self.persons.setAccessibleName(f"The persons of “{name}”" if name else words.replace("&", ""))
        # What is proposed has the focus where it stands: every file has the answers in one order. It looks like the
        # others, as nothing was chosen yet, and whoever answers signs for it.
        self._proposed = self.persons if name else self.every_row

    def _words_of(self, found: PersonColumn | None) -> str:
        """Words on what was looked for, and whether it was found; how often its values occur is seen after a look."""
        if found is None:
            return f"{_EITHER.format(self._named)}." if self._named else _NONE_FOUND
        words = found.words if self._facts.looked else f"“{found.name}” repeats as people do."
        return f"{words} {_SAY_SO.format(found.name)}."

    def _show_count(self) -> None:
        self._say_count()
        self._beside_earlier = "" if self._counted.isHidden() else self._counted.full_text, self._counted.toolTip()
        self._say_earlier()

    def _say_earlier(self, *_: object) -> None:
        """Say, while a number is typed as well, what it makes of all that was released before."""
        rows = self.rows.value if self._way != _ROW else 1
        words = "" if rows is None or self.asks else earlier_words(self._document.session, round(rows))
        said, tip = self._beside_earlier
        if words and rows != self._unit.rows_per_person:
            said, tip = "", ""  # which is of the number in force
        self._counted.set_text(" ".join(filter(None, (words, said))))
        self._counted.setToolTip("\n".join(filter(None, (words, tip))))
        self._counted.setVisible(bool(words or said))

    def _say_count(self) -> None:
        unit = self._unit
        facts = self._facts.of(unit.person_column) if unit.person_column else None
        bound = not unit.person_column and unit.rows_per_person > 1
        self._icon.setVisible(facts is not None)
        self._counted.setVisible(facts is not None or bound)
        cost, in_full = cost_of_rows(self._document.project, unit.rows_per_person)
        if bound:
            self._counted.set_text(f"Costs {cost}. {_NOT_KNOWN}")
            self._counted.setToolTip(f"{in_full}\n{_WHO_HAS_MORE}")
        set_look(self._counted, muted=bound)
        if facts is None:
            return
        looked = self._facts.looked
        limited = self._document.project.preparation.limit_rows
        if not looked:
            self._show_rule(unit, cost, in_full, limited=limited)
            return
        fits = facts.most_rows <= unit.rows_per_person
        status = "success" if fits else "warning"
        most, each = f"{facts.most_rows:,}", unit.rows_per_person
        if fits:
            words = f"Counted: nobody has more than {most}{cost and f'. Costs {cost}'}"
        elif limited:
            rows = facts.rows_within(facts.most_rows) + facts.missing
            left_out, kept = rows - facts.rows_within(each), "one is" if each == 1 else f"up to {each:,} are"
            times = estimate(facts.most_rows / each, 2)
            words = (
                f"{left_out:,} of {rows:,} rows are left out: of each person {kept} kept. "
                f"All ({most} each) would take {times} × the noise, or a promise {times} × weaker"
            )
        else:
            words = f"Counted: someone has {most}. Releases and questions leave out the rest"
        self._icon.set_icon(status, status)
        self._counted.set_text(words)
        more = "" if fits else f"{words}.\n{_LIMITED if limited else _UNLIMITED}"
        self._counted.setToolTip("\n".join(filter(None, (more, in_full))))
        set_look(self._counted, tone=status)

    def _show_rule(self, unit: PrivacyUnit, cost: str, in_full: str, *, limited: bool) -> None:
        """Say what was said, and what becomes of surplus rows; whether there are any is seen after a look."""
        self._icon.hide()
        each = unit.rows_per_person
        kept = "one row" if each == 1 else f"up to {each:,} rows"
        part = "takes part" if each == 1 else "take part"
        words = f"Of each person {kept} {part}{'' if limited else ' in what is promised'}, chosen at random"
        said = f"Nobody has two values of “{unit.person_column}”: you say so."
        two, in_full_two = cost_of_rows(self._document.project, 2) if each == 1 else ("", "")
        # What is seen whole in a small window: what it costs, and what becomes of a person's other rows.
        once = _BY_CHANCE if limited else "Each person counts once."
        stay = f"Up to {each:,} rows of each person stay, by chance." if limited else ""
        shown = once if each == 1 else " ".join(filter(None, (cost and f"Costs {cost}.", stay)))
        more = (_DIFFERING, f"2 rows: both count, at {two}.") if each == 1 else ()
        rule = _LIMITED if limited else f"{words}.\n{_UNLIMITED}"
        self._counted.set_text(shown or said)
        tip = " ".join(filter(None, (shown, *more, said)))
        self._counted.setToolTip("\n".join(filter(None, (tip, rule, in_full, in_full_two))))
        set_look(self._counted, muted=not limited)  # that rows are left out is no remark

    # Saying

    def _answer(self, way: str, *_: object) -> None:
        if way == _COLUMN:
            name = self._likeliest()
            if not name:
                self._ask_column()
                return
            self._protect_persons(name)
        else:
            self._apply(PrivacyUnit(max(self._unit.rows_per_person, 2) if way == _SEVERAL else 1))
            self.choice.setFocus()

    def _protect_persons(self, name: str, *_: object) -> None:
        self._apply(PrivacyUnit(self._unit.rows_per_person, name), limited=True)
        self.choice.setFocus()

    def _ask_column(self) -> None:
        """Let the person choose whose column it is, where none looks like it: until then nothing is said."""
        self._refresh()
        self.named.clear()
        self.named.setAccessibleName(self.columns.accessibleName())
        for name in self._document.project.schema.names:
            self.named.addAction(on_button(visible(name)), partial(self._protect_persons, name))
        below = self.persons if self.asks else self.choice
        self.named.popup(below.mapToGlobal(QPoint(0, below.height())))

    def _choose(self, *_: object) -> None:
        if self.choice.chosen != self._way:
            self._answer(self.choice.chosen)

    @property
    def _way(self) -> str:
        unit = self._unit
        return _COLUMN if unit.person_column else _SEVERAL if unit.rows_per_person > 1 else _ROW

    @property
    def _named(self) -> str:
        """The first column that is called after persons, whatever is in it; "" if none is."""
        return self._document.session.data.named_after_persons

    @property
    def _repeating(self) -> PersonColumn | None:
        """The column that repeats most as people do; none of names, which people can share, where one numbers them."""
        loaded = self._document.session.data.loaded
        found = loaded.persons[0] if loaded is not None and loaded.persons else None
        return None if found is not None and self._named and found.of_names else found

    def _likeliest(self) -> str:
        """The column that looks most like a person's; "" where none does."""
        loaded = self._document.session.data.loaded
        persons = [] if self._repeating is None else [self._repeating.name]
        suggested = {} if loaded is None else loaded.suggested_roles
        identifying = [name for name, (role, _) in suggested.items() if role is Role.IDENTIFYING]
        return next(filter(None, (*persons, self._named, *identifying)), "")

    def _choose_column(self, _index: int) -> None:
        self._apply(replace(self._unit, person_column=self.columns.currentText()))

    def _count(self, *_: object) -> None:
        if self.rows.value is not None:
            self._apply(replace(self._unit, rows_per_person=round(self.rows.value)))

    def _set_limit(self, limited: bool) -> None:
        preparation = replace(self._document.project.preparation, limit_rows=limited)
        text = "Keep no more rows of a person than declared" if limited else "Keep every row of a person"
        if not self._document.apply(text, lambda session: session.data.set_preparation(preparation)):
            self._refresh()

    def _apply(self, unit: PrivacyUnit, *, limited: bool = False) -> None:
        unit = replace(unit, protected=UnitAnswer.SAID)
        if unit == self._unit:
            self._refresh()
            return
        if unit.person_column:
            text = "Protect the persons of “{column}”, up to {rows} rows each"
            if unit.rows_per_person == 1:
                text = "Protect the persons of “{column}”, 1 row each"
        elif unit.rows_per_person > 1:
            text = "Protect persons with up to {rows} rows"
        else:
            text = "Protect every row"

        def edit(session: Session) -> None:
            protect(session, unit)
            if limited:
                session.data.set_preparation(replace(session.project.preparation, limit_rows=True))

        if not self._document.apply(text.format(column=unit.person_column, rows=f"{unit.rows_per_person:,}"), edit):
            self._refresh()
