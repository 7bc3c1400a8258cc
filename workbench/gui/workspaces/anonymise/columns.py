"""Every column in a line of its own."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget

from workbench.anonymise.recipe import Treatment
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.anonymise.column_row import ColumnRow, ColumnTreatment
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.told_hierarchy import told_hierarchy

_MANY = 24


class Columns(Section):
    """One row per column. In wide tables those left out are shown when they are searched for.

    Rows are of the type `row_type`; a subclass may show more of them in `_show_row`.

    Signals
    -------
    hierarchies_requested(str)
        The person wants a hierarchy for the column of that name; "" for any.
    """

    hierarchies_requested = Signal(str)
    row_type: type[ColumnRow] = ColumnRow

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._document = document
        self._wheel = CalmWheel(self)
        self._found = PromiseAssessment()
        self._unordered = self._roomy = False
        self.rows: dict[str, ColumnRow] = {}
        self._unmade = QTimer(self, singleShot=True)
        self._unmade.timeout.connect(self._make_one)
        self._missing = label(wrap=True)
        self.attach = QPushButton("Attach hierarchies")
        self.attach.setAccessibleName(self.attach.text())
        self.attach.clicked.connect(lambda: self.hierarchies_requested.emit(""))
        self._list = QVBoxLayout()
        self._list.setSpacing(tokens.SPACE_HAIR)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find a column that is left out")
        self.search.setAccessibleName(self.search.placeholderText())
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._search)
        self._left_out = label(small=True, muted=True, wrap=True)
        set_explain(self, "anonymise.levels")
        self.add(self._missing)
        self.add(self.attach)
        self.add(self.search)
        self.add(self._list)
        self.add(self._left_out)

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show every column as the settings have it."""
        self._found = found
        session = self._document.session
        names = self._names
        self._keep_rows(names)
        taking_part = [name for name in names if session.release.columns.treatment(name) is not Treatment.LEAVE_OUT]
        shown = set(self._to_show(names, taking_part))
        made = False
        for name in names:
            if name not in shown:
                if name in self.rows:
                    self.rows[name].hide()
                continue
            if name not in self.rows:
                if made and self._unseen:
                    self._unmade.start()
                    continue
                made = True
            row = self.rows.get(name) or self._add_row(name, names)
            row.show()
            self._show_row(row, session, found)
        self._share_room()
        if self._unordered:
            self._unordered = False
            self._order_tabs()
        self.search.setVisible(len(names) > _MANY)
        hidden = len(names) - len(shown)
        self._left_out.setText(f"{hidden:,} more columns are left out.")
        self._left_out.setVisible(hidden > 0)
        self._show_missing(found, bool(session.project.hierarchies))

    @property
    def _names(self) -> tuple[str, ...]:
        """All columns, those last that their role leaves out: nothing is to be decided of them here."""
        columns = sorted(self._document.project.schema.columns, key=lambda one: one.role is Role.IDENTIFYING)
        return tuple(one.name for one in columns)

    @property
    def _unseen(self) -> bool:
        """Whether this is in a room behind the one on the screen, whose rows are made one at a time."""
        return self.window().isVisible() and not self.isVisible()

    def _make_one(self) -> None:
        """Make the next row that is missing, or all of them if they are seen by now."""
        names = self._names
        session = self._document.session
        taking_part = [name for name in names if session.release.columns.treatment(name) is not Treatment.LEAVE_OUT]
        missing = [name for name in self._to_show(names, taking_part) if name not in self.rows]
        if not self._unseen or len(missing) < 2:
            self.show_assessment(self._found)
            return
        self._show_row(self._add_row(missing[0], names), session, self._found)
        self._unmade.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._unmade.isActive():
            self._unmade.stop()
            self.show_assessment(self._found)

    def _share_room(self) -> None:
        """Give all lines the same columns."""
        shown = [row for row in self.rows.values() if not row.isHidden()]
        if shown:
            chips, name = max(row.wanted for row in shown), max(row.wanted_name for row in shown)
            for row in self.rows.values():
                row.set_room(chips, name)

    def _change_room(self) -> None:
        """The lines have another length, so they say something else."""
        roomy = any(row.roomy for row in self.rows.values() if not row.isHidden())
        if roomy is not self._roomy:
            self._roomy = roomy
            self.show_assessment(self._found)

    def _show_row(self, row: ColumnRow, session: Session, found: PromiseAssessment) -> None:
        row.show_column(
            session.project.schema[row.name],
            session.project.hierarchies.get(row.name),
            session.release.columns.treatment(row.name),
            session.project.anonymise.levels.get(row.name, 0),
            found.uncovered.get(row.name, ()),
            told=told_hierarchy(session, row.name),
            suppressed=session.release.columns.is_suppressed(row.name),
        )

    def _show_missing(self, found: PromiseAssessment, any_hierarchy: bool) -> None:
        text = ""
        if not found.grouped:
            text = (
                "No column takes part yet. Generalise at least one, or group it as it is."
                if any_hierarchy
                else "No column has a hierarchy yet, so nothing can be generalised."
            )
        self._missing.setText(text)
        set_look(self._missing, tone="warning")
        self._missing.setVisible(bool(text))
        self.attach.setVisible(bool(text) and not any_hierarchy)

    def _keep_rows(self, names: tuple[str, ...]) -> None:
        """Rows stay from one refresh to the next, so that no slider loses the focus while it is dragged."""
        present = [name for name in self.rows if name in names]
        if present == [name for name in names if name in self.rows] and len(present) == len(self.rows):
            return
        for row in self.rows.values():
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows.clear()

    def _order_tabs(self) -> None:
        """Tab goes through the rows as they stand, although some were made later than others."""
        last: QWidget = self.search
        for name in self._names:
            if name in self.rows:
                for control in self.rows[name].controls:
                    QWidget.setTabOrder(last, control)
                    last = control

    def _add_row(self, name: str, names: tuple[str, ...]) -> ColumnRow:
        row = self.row_type(name, self._wheel)
        row.chosen.connect(self._choose)
        row.level_chosen.connect(self._choose_level)
        row.cover_requested.connect(self._cover)
        row.attach_requested.connect(self.hierarchies_requested)
        row.room_changed.connect(self._change_room, Qt.ConnectionType.QueuedConnection)
        before = sum(1 for other in names[: names.index(name)] if other in self.rows)
        self._list.insertWidget(before, row)
        self.rows[name] = row
        self._unordered = True
        return row

    def _to_show(self, names: tuple[str, ...], taking_part: list[str]) -> list[str]:
        """All columns of a table of usual width; of a wide one, those that take part and those searched for."""
        if len(names) <= _MANY:
            return list(names)
        sought = self.search.text().strip().casefold()
        found = [name for name in names if sought and sought in name.casefold() and name not in taking_part]
        # A row that is being used stays, also when it no longer fits the search.
        used = [name for name, row in self.rows.items() if row.isAncestorOf(self._focused())]
        return [*taking_part, *found[:_MANY], *used]

    def _focused(self) -> QWidget:
        return QApplication.focusWidget() or self

    def _search(self, _text: str) -> None:
        self.show_assessment(self._found)

    def _choose(self, name: str, choice: str) -> None:
        wanted = ColumnTreatment(choice)
        texts = {
            ColumnTreatment.GENERALISE: "Generalise {name}",
            ColumnTreatment.AS_IS: "Group {name} as it is",
            ColumnTreatment.SUPPRESS: "Replace {name} by *",
            ColumnTreatment.KEEP: "Pass {name} through",
            ColumnTreatment.LEAVE_OUT: "Leave {name} out",
        }
        self._document.apply(texts[wanted].format(name=name), lambda session: self._carry_out(session, name, wanted))
        # A refused or repeated choice must not stay on the screen.
        self.show_assessment(self._found)

    def _carry_out(self, session: Session, name: str, wanted: ColumnTreatment) -> None:
        choose(session, name, wanted)

    def _choose_level(self, name: str, level: int) -> None:
        self._document.apply(
            f"Generalise {name} to level {level}",
            lambda session: session.release.columns.set_level(name, level),
            merge=f"level.{name}",
        )

    def _cover(self, name: str) -> None:
        self._document.apply(f"Let unlisted values of {name} become *", lambda session: session.data.cover(name))


def choose(session: Session, name: str, wanted: ColumnTreatment) -> None:
    """Carry out a choice: a treatment, and the level that goes with it."""
    if wanted is ColumnTreatment.SUPPRESS:
        session.release.columns.suppress(name)
        return
    if wanted is ColumnTreatment.GENERALISE and session.release.columns.is_suppressed(name):
        # The slider then has somewhere to go to.
        session.release.columns.release(name)
        session.release.columns.set_level(name, 1)
    session.release.columns.release(name)
    level = session.project.anonymise.levels.get(name, 0)
    if wanted is ColumnTreatment.GENERALISE and level == 0:
        session.release.columns.set_level(name, 1)
    elif wanted is ColumnTreatment.AS_IS and level:
        session.release.columns.set_level(name, 0)
    treatment = {
        ColumnTreatment.GENERALISE: Treatment.GENERALISE,
        ColumnTreatment.AS_IS: Treatment.GENERALISE,
        ColumnTreatment.KEEP: Treatment.KEEP,
        ColumnTreatment.LEAVE_OUT: Treatment.LEAVE_OUT,
    }[wanted]
    if session.release.columns.treatment(name) is not treatment:
        session.release.columns.set_treatment(name, treatment)
