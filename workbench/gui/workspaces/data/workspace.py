"""The Data workspace: which table it is, what its columns mean, and whom the guarantee protects."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QStackedWidget, QWidget

from workbench.core.first_few import first_few
from workbench.core.schema import Role, UnitAnswer
from workbench.core.table import Table
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.next_step import OPEN, OPEN_ANOTHER, TO_DECIDE, UNDECIDED
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.table_view import CodesTableModel
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.data.columns_model import ColumnsModel
from workbench.gui.workspaces.data.columns_view import ColumnsView
from workbench.gui.workspaces.data.detail import ColumnPane
from workbench.gui.workspaces.data.dialogs import DataDialogs
from workbench.gui.workspaces.data.differences import DifferencesBanner
from workbench.gui.workspaces.data.facts import FactsKeeper
from workbench.gui.workspaces.data.files_beside import FilesBeside
from workbench.gui.workspaces.data.header import FileHeader
from workbench.gui.workspaces.data.opening_notice import HOW_TO_OPEN, OpeningNotice
from workbench.gui.workspaces.data.rows_keeper import RowsKeeper
from workbench.gui.workspaces.data.suggestions import RoleSuggestions
from workbench.gui.workspaces.data.table_panel import TablePanel
from workbench.gui.workspaces.data.undecided import fates_in_words, step_of, undecided_columns
from workbench.gui.workspaces.data.which_rows import WhichRows
from workbench.gui.workspaces.data.who_is_protected import WhoIsProtected

_FIND_FROM = 15
"""Columns from which one is looked for by its name."""

_NAMED = 3
_LEFT_OUT = ": left out unless included"
_ASKED_LATER = ". Leave out only what must never leave."

_FIELDS = ("person", "roles", "kinds", "rows", "reading", UNDECIDED, TO_DECIDE)
"""The controls that somebody can be led to."""

_SPACES = (
    "In “Reading options…”, tick “Ignore spaces after a delimiter”: it holds in every room. Capitals stay; where "
    "values are listed, Query can ignore both."
)


class DataWorkspace(Workspace):
    """Opens data, shows it, and describes its columns."""

    identifier = "data"
    analyst_only = True

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.facts = FactsKeeper(document, self)
        self.empty = EmptyState("table", "No table is open", HOW_TO_OPEN, "Open a file…", ("Start page",))
        self.rows = RowsKeeper(document, self)
        self.which_rows = WhichRows(document, self.rows)
        self.beside = FilesBeside(document, self)
        self.header = FileHeader(self.which_rows, self.beside)
        self.banner = DifferencesBanner()
        self.suggest = push_button(
            "Su&ggest roles", self.suggest_roles, name="Suggest roles", explain="data.suggestions"
        )
        self.column_find = QLineEdit()
        self.column_find.setPlaceholderText("Column…")
        self.column_find.setAccessibleName("Find a column by its name")
        self.column_find.setMaximumWidth(tokens.JOB_WIDTH)
        set_explain(self.column_find, "data.roles")
        self.columns_hint = ElidedLabel()
        self.suggestions = RoleSuggestions(document, self)
        self.protected = WhoIsProtected(document, self.facts)
        self.columns_model = ColumnsModel(document, self.facts, self.suggestions, self)
        self.columns = ColumnsView(self.columns_model)
        self.detail = ColumnPane(document, self.facts)
        self.panel = TablePanel(document)
        self.table = self.panel.table
        self.dialogs = DataDialogs(document, self)
        self.opening = OpeningNotice(document.runner, self.empty)
        self._pages = QStackedWidget()
        self._side = QStackedWidget()
        self._quiet = QWidget()
        self._divided = False
        self._sharing = Later(self, self._share_room)
        self._looked = False
        self._told: tuple[str, ...] = ()
        self._lay_out()
        self._connect()
        self._reload()

    def status(self) -> Status | None:
        if not self.document.has_data:
            return None
        if self.rows.error is not None:
            return Status.ERROR
        empty = self.rows.prepared is not None and not self.rows.prepared.table.rows
        if empty or self.document.session.data.reading.problem_count or self.document.told_differences:
            return Status.WARNING
        if self._unsaid:
            return None  # what is asked first is no fault
        return Status.SUCCESS if self._described and not self._to_decide else None

    def next_hint(self) -> str:
        if not self.document.has_data:
            return "" if self.opening.shown else OPEN
        if self._without_rows:
            return OPEN_ANOTHER
        if self._unsaid:
            return "Say who is protected"
        if self._due:
            return "" if self.document.session.syntactic.wanted else step_of(self._to_decide, asked=self._asked)
        return "Give the columns their roles" if self.suggestions.tried else "Suggest roles"

    def next_field(self) -> str:
        if not self.document.has_data or self._without_rows:
            return ""
        return "person" if self._unsaid else UNDECIDED if self._due else "roles"

    def do_next(self, field: str) -> bool:
        if not self.document.has_data or self._without_rows:
            self.open_requested.emit()
            return True
        if field == "roles" and not self.suggestions.tried and not self._unsaid:
            self.suggest_roles()
            return True
        if field == UNDECIDED and self._asked:
            self.suggestions.include_open()
            self.done.emit()
            return True
        return False

    def focus_first(self) -> None:
        if self.document.has_data and self._unsaid:
            self.protected.focus_first()
        else:
            (self.columns if self.document.has_data else self.empty.primary_button or self).setFocus()

    def reach(self, field: str) -> None:
        what, _, column = field.partition(":")
        if not self.document.has_data or what not in _FIELDS:
            self.focus_first()
            return
        if column:
            self.columns.select(column)
            self._side.setCurrentWidget(self.detail)
        if what == "person":
            self.protected.focus_first()
        elif what == "reading":
            self.header.options.setFocus()  # opening them shows rows, which is up to the person
            self.document.noted.emit("info", _SPACES)
        elif what in (UNDECIDED, TO_DECIDE):
            self._reach_undecided()
        elif what == "rows":
            self.which_rows.choose.setFocus()
        elif what == "kinds":
            self._side.setCurrentWidget(self.detail)
            self.detail.kind.setFocus()
        elif column or self._described or self.suggestions.tried:
            self.columns.setFocus()
        else:
            self.suggest.setFocus()

    def _reach_undecided(self) -> None:
        """Where the first column is decided about that nobody decided about."""
        if names := undecided_columns(self.document.session):
            self.columns.select(names[0])
            self.columns.setFocus()

    @property
    def _without_rows(self) -> bool:
        """Whether the table has names of columns and nothing below them, as is said above it."""
        return self.document.has_data and not self.document.session.data.reading.table.rows

    @property
    def _unsaid(self) -> bool:
        """Whether nobody has said yet who is protected."""
        return self.document.has_data and self.document.project.schema.unit.protected is UnitAnswer.UNSAID

    @property
    def _described(self) -> bool:
        project = self.document.project
        return bool(project.hierarchies) or any(c.role is not Role.INSENSITIVE for c in project.schema.columns)

    @property
    def _due(self) -> bool:
        """Whether what is due is to decide about columns: one has a role, or all wait for the likely answer."""
        return self._described or (self._asked and not self.document.session.syntactic.wanted)

    @property
    def _to_decide(self) -> list[str]:
        """Columns nobody decided about; who went on after they were told that those are left out has decided it."""
        return [name for name in undecided_columns(self.document.session) if name not in self._told]

    @property
    def _asked(self) -> bool:
        """Whether nothing is suggested for the columns nobody decided about, so that the likely answer is known."""
        return self.suggestions.asks_about(self._to_decide)

    def before_publishing(self) -> None:
        if not self.document.has_data:
            return
        some = undecided_columns(self.document.session) if self._described else ()
        anew, self._told = some != self._told, some
        if some and anew:
            named = first_few(some, _NAMED)
            self.document.noted.emit("info", f"Not decided in Data, so left out of a release: {named}.")
        if anew:
            self._say_fates()
            self.status_changed.emit()

    def _lay_out(self) -> None:
        columns = self._listed = boxes.boxed(
            boxes.column(
                self._heading("Columns"),
                (self.columns, 1),
                margins="0 0 xs xs",
                spacing="s",
            )
        )
        self._left = _split(Qt.Orientation.Vertical, "", columns, self.panel)
        for page in (self.detail, self._quiet):
            self._side.addWidget(page)
        across = _split(Qt.Orientation.Horizontal, "data.detail", self._left, self._side)
        across.setStretchFactor(0, 1)
        across.setStretchFactor(1, 0)
        across.setSizes([4 * tokens.EXPLAIN_WIDTH, tokens.EXPLAIN_WIDTH])
        # They end where the columns do.
        asked = boxes.column(self.protected, self.banner, margins="0 0 xs 0", spacing="s")
        work = boxes.boxed(boxes.column(self.header, asked, (across, 1), margins="l m s s", spacing="s"))
        self._pages.addWidget(self.empty)
        self._pages.addWidget(work)
        boxes.column(self._pages, inside=self)
        set_explain(self, "data.open")

    def _heading(self, title: str) -> QHBoxLayout:
        row = boxes.row(label(title, heading=2), spacing="m")
        words = self.columns_hint
        words.setProperty("muted", "true")
        words.setProperty("small", "true")
        words.setMinimumWidth(1)  # the first to go where there is little room
        row.addWidget(words, 1)
        row.addWidget(self.suggest)
        row.addWidget(self.column_find)
        keeping = self.suggest.sizePolicy()
        keeping.setRetainSizeWhenHidden(True)  # nothing below moves where it goes
        self.suggest.setSizePolicy(keeping)
        return row

    def _connect(self) -> None:
        self.empty.primary.connect(self.open_requested)
        self.empty.secondary.connect(lambda _: self.start_requested.emit())
        self.header.options_requested.connect(self.dialogs.show_options)
        self.header.problems_requested.connect(self.dialogs.show_problems)
        self.columns.chosen.connect(self._choose)
        self.columns.role_wanted.connect(self.detail.set_role)
        self.banner.list_wanted.connect(self.dialogs.show_differences)
        self.banner.settled.connect(self.document.settle_differences)
        self.column_find.textEdited.connect(self._find_column)
        self.columns.turned.connect(self.suggestions.turn)
        self.suggestions.found.connect(self._say_fates)
        self.detail.closed.connect(self._show_no_column)
        self._side.currentChanged.connect(self._show_side)
        self._side.currentChanged.connect(self.step_changed)
        self.columns.clicked.connect(self._choose)  # also the one that is selected
        self.detail.values_wanted.connect(self.dialogs.show_values)
        self.rows.arrived.connect(self.status_changed)
        self.dialogs.picked.connect(self.panel.show_only)
        self.panel.column_clicked.connect(self.columns.select)
        self.panel.values_wanted.connect(self.dialogs.show_values)
        self._left.splitterMoved.connect(self._divide)
        self.document.changed.connect(self._on_changed)
        self.opening.changed.connect(self.status_changed)

    # Showing

    def _on_changed(self, section: str) -> None:
        if section == "data":
            self._reload()
        elif section in ("schema", "hierarchies", "settings"):  # both say what a release leaves out
            self._mark_columns()
            if self._due and self.next_hint():
                self.step_changed.emit()  # before other rooms are asked how far they are
        elif section == "file":
            self.banner.show_differences(self.document.told_differences)
            self._sharing.start()  # once it has its room, or left it
        if section in ("file", "ledger") and self._looked != self.document.looked:
            self._looked = self.document.looked
            if self.document.has_data:
                self.banner.show_differences(self.document.told_differences)
                reading = self.document.session.data.reading
                self.header.show_reading(reading, looked=self._looked)
                self.panel.show_table(reading.table)
                self._mark_columns()

    def _reload(self) -> None:
        self.dialogs.close_values()
        self._told = ()
        set_look(self.suggest, quiet=False)
        if not self.document.has_data:
            self._pages.setCurrentIndex(0)
            self.panel.show_table(Table(()))
            return
        reading = self.document.session.data.reading
        self._looked = self.document.looked
        self.header.show_reading(reading, looked=self._looked)
        self.panel.show_table(reading.table)
        self._mark_columns()
        self._choose()
        self._side.setCurrentWidget(self._quiet)  # nobody chose a column
        self.column_find.setVisible(len(reading.table.columns) > _FIND_FROM)
        self.column_find.clear()
        self._pages.setCurrentIndex(1)
        self._share_room()
        if self._unsaid and self.isVisible():
            self.protected.focus_first()  # whoever waited for the data goes on at once

    def _share_room(self) -> None:
        """Give the list what it needs, up to two thirds and a row, and the table the rest, until the person decides."""
        total = self._left.height() - self._left.handleWidth()
        if self._divided or not self.document.has_data:
            return
        above = self._listed.sizeHint().height() - self.columns.sizeHint().height()
        two_rows = 2 * tokens.ROW_HEIGHT + 3 * tokens.CONTROL_HEIGHT  # with what stands above them
        height = min(self.columns.content_height() + above, total * 2 // 3 + tokens.ROW_HEIGHT, total - two_rows)
        self._left.setSizes([height, total - height])

    def _divide(self, *_: int) -> None:
        self._divided = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._share_room()
        self.beside.look()  # as Hierarchies does: files may have been put there meanwhile

    def _mark_columns(self) -> None:
        model = self.table.model()
        if isinstance(model, CodesTableModel):
            specs = self.document.project.schema.columns
            model.set_numeric(spec.name for spec in specs if spec.kind.numeric)
            left_out = self.columns_model.left_out  # one fate, one sign
            model.set_roles({spec.name: Role.IDENTIFYING if left_out(spec) else spec.role for spec in specs})
            model.set_missing({spec.name: spec.missing for spec in specs})
            self.header.show_missing(specs)
            self.panel.show_readings(specs)
        self._say_fates()

    def _say_fates(self) -> None:
        """How many columns a release has; before it is said who is protected nobody asks, and no role is due."""
        asked = self._described and not self._unsaid
        words = fates_in_words(self.document.session) if asked else ""
        if asked and undecided_columns(self.document.session):
            words += ": “Next” includes them" if self.next_field() == UNDECIDED and self._asked else _LEFT_OUT
        elif asked and (elsewhere := self.suggestions.left_out_elsewhere):
            words += f", {elsewhere}"
        elif asked and self.suggestions.tried and not self.document.session.syntactic.wanted:
            words += _ASKED_LATER
        self.columns_hint.set_text(words)
        self.columns.ask(self.document.has_data and not self._unsaid)
        self.suggest.setVisible(not self._unsaid and not self.suggestions.followed)

    def _show_side(self) -> None:
        """While nobody chose a column the columns have the room to themselves."""
        self._side.setVisible(self._side.currentWidget() is not self._quiet)

    def _show_no_column(self) -> None:
        self._side.setCurrentWidget(self._quiet)
        self.columns.setFocus()

    def _choose(self) -> None:
        names = self.columns.selected_names
        self.detail.show_columns(names)
        self._side.setCurrentWidget(self.detail)
        if len(names) == 1:
            self.panel.select_column(self.columns_model.row_of(names[0]))

    # Acting

    def suggest_roles(self) -> None:
        """Give the columns the roles the program would give them, and show why."""
        set_look(self.suggest, quiet=True)  # done: it is no longer what is due
        self.suggestions.start()
        self._say_fates()
        self.status_changed.emit()

    def _find_column(self, text: str) -> None:
        wanted = text.casefold()
        names = (self.columns_model.name(row) for row in range(self.columns_model.rowCount()))
        found = next((name for name in names if wanted and wanted in name.casefold()), None)
        if found is not None:
            self.columns.select(found)


def _split(orientation: Qt.Orientation, name: str, first: QWidget, second: QWidget) -> QSplitter:
    """A splitter; its sizes are stored under `name`, or not at all if they follow what is shown."""
    split = QSplitter(orientation)
    split.setObjectName(name)
    split.setChildrenCollapsible(False)
    split.addWidget(first)
    split.addWidget(second)
    return split
