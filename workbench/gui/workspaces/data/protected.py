"""Whom the guarantee protects: a row, a person with several rows, or the rows that name one person."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QRadioButton,
    QWidget,
)

from workbench.core.schema import PrivacyUnit, Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.data.facts import FactsKeeper

_MOST = 1_000_000
_COLUMN_LETTERS = 5


class WhoIsProtected(QWidget):
    """The unit of privacy, with the count that shows whether what was said is true."""

    def __init__(self, document: Document, facts: FactsKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._facts = facts
        set_explain(self, "data.person")
        self.one = QRadioButton("One row is one &person")
        self.several = QRadioButton("A person has up &to")
        self.column = QRadioButton("The person is in &column")
        self._group = QButtonGroup(self)
        for button in (self.one, self.several, self.column):
            button.setAccessibleName(button.text().replace("&", ""))
            self._group.addButton(button)
        self.rows = NumberField(
            "Largest number of rows of one person",
            minimum=1,
            maximum=_MOST,
            value=2,
            integer=True,
            unit="rows",
            compact=True,
        )
        self.columns = ComboBox("Column that names the person")
        self.columns.setPlaceholderText("choose")
        self.columns.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.columns.setMinimumContentsLength(_COLUMN_LETTERS)
        self.rows_each = NumberField(
            "Largest number of rows of one person",
            minimum=1,
            maximum=_MOST,
            value=1,
            integer=True,
            unit="rows",
            compact=True,
        )
        for field in (self.rows, self.rows_each):
            field.edit.setMinimumWidth(tokens.METER_WIDTH)
            field.setMaximumWidth(tokens.METER_WIDTH)
            field.committed.connect(self._choose)
        self._counted = ElidedLabel()
        set_look(self._counted, small=True)
        self._counted.setMinimumWidth(1)
        self._icon = IconLabel("success", tokens.ICON_SMALL, "success")
        self.limit = QCheckBox("keep no &more at random")
        self.limit.setAccessibleName("Keep no more than that many rows of a person, chosen at random")
        self.limit.setToolTip(
            "Of each person so many rows take part, chosen at random. Rows that name no person are left out."
        )
        self._lay_out()
        self._group.buttonClicked.connect(self._choose)
        self.columns.activated.connect(self._choose_column)
        self.limit.clicked.connect(self._set_limit)
        document.changed.connect(self._on_changed)
        facts.arrived.connect(self._show_count)
        self._refresh()

    def _lay_out(self) -> None:
        self._badge = analyst_badge()
        counted = boxes.row(self._icon, (self._counted, 1), self._badge, spacing="s")
        choices = QGridLayout()
        choices.setHorizontalSpacing(tokens.SPACE_L)
        choices.setVerticalSpacing(tokens.SPACE_XS)
        choices.addWidget(self.one, 0, 0)
        several = boxes.row(self.several, self.rows, 1, spacing="s")
        choices.addLayout(several, 0, 1)
        named = _together(self.column, self.columns)
        self.columns.setMaximumWidth(tokens.COLUMN_MAX * 2 // 3)
        person = FlowLayout()
        person.setSpacing(tokens.SPACE_S)
        for part in (named, _together(label("up to"), self.rows_each), _together(self.limit)):
            person.addWidget(part)
        choices.addLayout(person, 1, 0, 1, 2)
        choices.setColumnStretch(1, 1)
        heading = boxes.row(label("Who is protected", heading=2), (counted, 1), spacing="m")
        heading.addStrut(tokens.CONTROL_HEIGHT)  # the count must not move what is below when it comes
        boxes.column(heading, choices, spacing="xs", inside=self)

    @property
    def said(self) -> str:
        """What was counted, in words; empty without a column that names the person."""
        return "" if self._counted.isHidden() else self._counted.full_text

    @property
    def _unit(self) -> PrivacyUnit:
        return self._document.project.schema.unit

    def _on_changed(self, section: str) -> None:
        if section in ("data", "schema", "rows"):
            self._refresh()

    def _refresh(self) -> None:
        unit, names = self._unit, self._document.project.schema.names
        if [self.columns.itemText(i) for i in range(self.columns.count())] != list(names):
            self.columns.clear()
            self.columns.addItems(names)
            self.columns.setCurrentIndex(-1)
        if unit.person_column:
            self.column.setChecked(True)
            self.columns.setCurrentIndex(names.index(unit.person_column))
            self.rows_each.set_value(unit.rows_per_person)
        elif unit.rows_per_person > 1:
            self.several.setChecked(True)
            self.rows.set_value(unit.rows_per_person)
        else:
            self.one.setChecked(True)
        self.rows.setEnabled(self.several.isChecked())
        for widget in (self.columns, self.rows_each, self.limit):
            widget.setEnabled(self.column.isChecked())
        self.limit.setChecked(self._document.project.preparation.limit_rows)
        self._show_count()

    def _show_count(self) -> None:
        unit = self._unit
        facts = self._facts.of(unit.person_column) if unit.person_column else None
        for widget in (self._icon, self._counted, self._badge):
            widget.setVisible(facts is not None)
        if facts is None:
            return
        fits = facts.most_rows <= unit.rows_per_person
        limited = self._document.project.preparation.limit_rows
        status = "success" if fits or limited else "warning"
        if fits:
            words = "Counted: nobody has more than {most}"
        elif limited:
            words = "Counted: up to {most} of one person; the rest is left out at random"
        else:
            words = "Counted: someone has {most}. Declare a number known publicly, or keep no more"
        self._icon.set_icon(status, status)
        self._counted.set_text(words.format(most=f"{facts.most_rows:,}"))
        if status == "warning":
            self._counted.setToolTip(
                "As it stands no claim holds. A number taken from the data would give something away: use one that "
                "anybody could know, such as the length of a career, or let the surplus rows be left out at random."
            )
        set_look(self._counted, tone=status)

    def _choose(self, *_: object) -> None:
        before = self._unit
        column, rows = "", 1
        if self.several.isChecked():
            rows = self._rows(self.rows, anew=bool(before.person_column))
        elif self.column.isChecked():
            if self.columns.currentIndex() < 0:
                self._suggest_column()
            column = self.columns.currentText()
            rows = self._rows(self.rows_each, anew=not before.person_column)
        self._apply(PrivacyUnit(rows, column))

    def _rows(self, field: NumberField, *, anew: bool) -> int:
        """What the field says; a choice made anew takes over the number that held before, if there was one."""
        before = self._unit.rows_per_person
        return before if field.value is None or (anew and before > 1) else round(field.value)

    def _suggest_column(self) -> None:
        """Start with the column that looks most like a person's, which is more likely than the first one."""
        loaded = self._document.session.data.loaded
        suggested = loaded.suggested_roles if loaded is not None else {}
        suspected = [name for name, (role, _) in suggested.items() if role is Role.IDENTIFYING]
        names = self._document.project.schema.names
        self.columns.setCurrentIndex(names.index(suspected[0]) if suspected else 0)

    def _choose_column(self, _index: int) -> None:
        self.column.setChecked(True)
        self._choose()

    def _set_limit(self, limited: bool) -> None:
        preparation = replace(self._document.project.preparation, limit_rows=limited)
        text = "Keep no more rows of a person than declared" if limited else "Keep every row of a person"
        if not self._document.apply(text, lambda session: session.data.set_preparation(preparation)):
            self._refresh()

    def _apply(self, unit: PrivacyUnit) -> None:
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
        text = text.format(column=unit.person_column, rows=f"{unit.rows_per_person:,}")
        self._document.apply(text, lambda session: session.data.set_unit(unit))


def _together(*widgets: QWidget) -> QWidget:
    """Widgets in one line that is not broken."""
    group = QWidget()
    line = boxes.row(spacing="s", inside=group)
    line.addStrut(tokens.CONTROL_HEIGHT + tokens.SPACE_HAIR)
    for widget in widgets:
        line.addWidget(widget)
    return group
