"""The list of columns with what hierarchy each has."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.anonymise.recipe import Treatment
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.level_words import levels_counted
from workbench.core.number_text import counted
from workbench.core.schema import ColumnSpec, Role
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import paint_icon
from workbench.gui.theme import colour
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.role_marks import role_icon, role_name, role_token
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.hierarchies.coverage import CoverageKeeper
from workbench.gui.workspaces.hierarchies.drafts import Drafts
from workbench.io.hierarchy_csv import is_unsaid
from workbench.session.asked_hierarchies import is_asked_of
from workbench.session.given_roles import role_in_force
from workbench.session.release.said import said_of

SUMMARY = Qt.ItemDataRole.UserRole + 1
"""The second line of an entry."""
WARNED = Qt.ItemDataRole.UserRole + 2
"""Whether an entry carries a warning."""
COLUMN_ROLE = Qt.ItemDataRole.UserRole + 3
"""The role of the column."""
DRAFTED = Qt.ItemDataRole.UserRole + 4
"""Whether there is a draft that is not applied."""

_NO_PARENT = QModelIndex()

Index = QModelIndex | QPersistentModelIndex


def provenance_word(provenance: Provenance) -> str:
    """The word for where a hierarchy comes from."""
    if provenance is Provenance.PUBLIC:
        return "Made without this data"
    return "Made from this data"


def origin_word(hierarchy: Hierarchy) -> str:
    """The word for what is known of where a hierarchy comes from, the same wherever it is shown."""
    return UNSAID if is_unsaid(hierarchy) else provenance_word(hierarchy.provenance)


def origin_badge(document: Document, name: str, hierarchy: Hierarchy) -> tuple[Status, str, str]:
    """Badge of a column's hierarchy, or of its draft: status, word, and tooltip.

    A draft may be worked out when the column it is of is gone, of which nothing is asked then.
    """
    schema, said = document.project.schema, said_of(document.project)
    if name in schema.names and is_asked_of(hierarchy, schema[name], said.get(name, ())):
        return Status.INFO, ASKED, _ASKED
    public = hierarchy.provenance is Provenance.PUBLIC
    return Status.SUCCESS if public else Status.WARNING, origin_word(hierarchy), ""


def all_asked(document: Document) -> bool:
    """Whether one question asks about every hierarchy but those of rules, and each of so many would say the same."""
    if document.session.syntactic.wanted:
        return False  # nothing is asked then
    asked, hierarchies = document.session.data.undeclared, document.project.hierarchies
    files = {name for name, one in hierarchies.items() if one.specification is None}
    return len(asked) >= _MANY and files.issubset(asked)


ASKED = "You will be asked"
"""The word where somebody typed the groups: it counts as made without this data, and Release asks whether it was."""
_ASKED = "Whether you made it without this data is asked in Release: no rule knows where you took the groups from"

_MANY = 4
UNSAID = "Not declared"
"""The word where nobody has said how an imported hierarchy, or a tree, was made; it counts as made from this data."""


class AttributesModel(QAbstractListModel):
    """The columns of the data: role, name, and their hierarchy in a few words."""

    def __init__(
        self, document: Document, coverage: CoverageKeeper, drafts: Drafts, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._coverage = coverage
        self._drafts = drafts
        self._specs: tuple[ColumnSpec, ...] = ()
        coverage.arrived.connect(self._repaint)

    def reload(self) -> None:
        """Show the columns as the document now describes them; resets only if they are others."""
        specs = self._document.project.schema.columns if self._document.has_data else ()
        if [spec.name for spec in specs] == [spec.name for spec in self._specs]:
            self._specs = specs
            self._repaint()
            return
        self.beginResetModel()
        self._specs = specs
        self.endResetModel()

    def name(self, row: int) -> str:
        return self._specs[row].name

    def row_of(self, name: str) -> int:
        """The row of a column, -1 if there is none."""
        return next((row for row, spec in enumerate(self._specs) if spec.name == name), -1)

    def first_worth_showing(self, among: Collection[str] = ()) -> str:
        """A column that is to be generalised, numbers and dates before words, and of these the one with most levels.

        What it is to become coarser is seen at a hierarchy of many levels; else it is simply the first column.

        Parameters
        ----------
        among
            Of which columns, at least one of those there are; all where it is empty.
        """
        roles = {spec.name: role_in_force(self._document.session, spec.name) for spec in self._specs}
        specs = [spec for spec in self._specs if not among or spec.name in among]
        wanted = [spec for spec in specs if roles[spec.name] is Role.QUASI]
        heights = {name: one.height for name, one in self._document.project.hierarchies.items()}
        wanted.sort(key=lambda spec: (not (spec.kind.numeric or spec.kind.temporal), -heights.get(spec.name, 0)))
        kept = [spec for spec in specs if roles[spec.name] is not Role.IDENTIFYING]
        return next(iter((*wanted, *kept, *specs))).name

    def needs_none(self, row: int) -> bool:
        """Whether the column of a row is left out, so that it needs no hierarchy."""
        session, spec = self._document.session, self._specs[row]
        if session.syntactic.wanted:
            return spec.role is Role.IDENTIFYING
        takes_part = role_in_force(session, spec.name) in (Role.QUASI, Role.SENSITIVE)
        lacking = takes_part and spec.name not in self._document.project.hierarchies
        return session.release.columns.is_left_out(spec.name) and not lacking  # until it has one

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._specs)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        spec = self._specs[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return visible(spec.name)
        if role == SUMMARY:
            return self._summary(spec)
        if role == WARNED:
            return self._coverage.uncovered_count(spec.name) > 0 or self._coverage.faults(spec.name) > 0
        if role == DRAFTED:
            return self._drafts.modified(spec.name)
        if role == COLUMN_ROLE:
            return role_in_force(self._document.session, spec.name)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{spec.name}, {spec.role_words}, {self._summary(spec)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{spec.name}\n{spec.role_words}\n{self._summary(spec)}"
        return None

    @property
    def roles(self) -> frozenset[Role]:
        """The roles of the columns that need a hierarchy."""
        rows = (row for row in range(len(self._specs)) if not self.needs_none(row))
        return frozenset(role_in_force(self._document.session, self._specs[row].name) for row in rows)

    def left_out(self, name: str) -> bool:
        """Whether a release has no such column, so that nothing rests on its hierarchy."""
        session = self._document.session
        return not session.syntactic.wanted and session.release.columns.treatment(name) is Treatment.LEAVE_OUT

    def _summary(self, spec: ColumnSpec) -> str:
        if self._drafts.modified(spec.name):
            return "draft, not applied"
        hierarchy: Hierarchy | None = self._document.project.hierarchies.get(spec.name)
        if hierarchy is None:
            undecided = spec.undecided and self.left_out(spec.name)
            return "left out" if spec.role is Role.IDENTIFYING else "not decided" if undecided else "no hierarchy"
        missed = self._coverage.uncovered_count(spec.name)
        if missed:
            return "misses 1 value" if missed == 1 else f"misses {missed:,} values"
        if self.left_out(spec.name):
            return f"{levels_counted(hierarchy)} · left out"
        if faults := self._coverage.faults(spec.name):
            return f"{levels_counted(hierarchy)} · {counted(faults, 'wrong interval')}"
        levels = levels_counted(hierarchy)
        if hierarchy.provenance is Provenance.PUBLIC:
            return levels  # as it should be: its own page says so
        if all_asked(self._document):
            return levels  # one question above asks about all of them
        return f"{levels} · {origin_word(hierarchy).lower()}"

    def _repaint(self) -> None:
        if self._specs:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._specs) - 1, 0))


class AttributesView(QListView):
    """The list; the arrow keys move, typing finds a name, Ctrl and Shift select several.

    Signals
    -------
    picked(str)
        The column now chosen.
    selected()
        Others are selected.
    """

    picked = Signal(str)
    selected = Signal()

    def __init__(self, model: AttributesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setAccessibleName("Columns and their hierarchies")
        set_explain(self, "hierarchies.attach")
        self.setModel(model)
        self.setItemDelegate(_AttributeDelegate(self))
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def name(self) -> str:
        """The chosen column, "" if none is."""
        index = self.currentIndex()
        return self._model.name(index.row()) if index.isValid() else ""

    @property
    def names(self) -> tuple[str, ...]:
        """The selected columns, from top to bottom."""
        return tuple(self._model.name(row) for row in sorted(one.row() for one in self.selectedIndexes()))

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.selected.emit()

    def pick(self, name: str) -> None:
        """Choose a column."""
        row = self._model.row_of(name)
        if row >= 0:
            # Alone, whichever key is held: Ctrl+Enter applies a hierarchy and goes on to the next column.
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(self._model.index(row, 0), flags.ClearAndSelect | flags.Rows)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.picked.emit(self._model.name(current.row()))


class RoleLegend(QWidget):
    """The meanings of the signs in the list, as far as one of its columns has them."""

    def __init__(self, model: AttributesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        layout = self._line = FlowLayout(self)
        layout.setSpacing(tokens.SPACE_S)
        self._signs: dict[Role, QWidget] = {}
        for role in (Role.QUASI, Role.SENSITIVE, Role.INSENSITIVE):
            sign = IconLabel(role_icon(role), tokens.ICON_SMALL, role_token(role))
            words = label(role_name(role), small=True, muted=True)
            self._signs[role] = boxes.boxed(boxes.row(sign, words, spacing="xs"))
            layout.addWidget(self._signs[role])
        for changed in (model.modelReset, model.dataChanged):
            changed.connect(self._refresh)
        self._refresh()

    def _refresh(self, *_: object) -> None:
        roles = self._model.roles
        for role, sign in self._signs.items():
            sign.setVisible(role in roles)


class _AttributeDelegate(QStyledItemDelegate):
    """Two lines: name, and below it the hierarchy in a few words."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(tokens.RAIL_WIDTH, tokens.RAIL_ROW + tokens.SPACE_S)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        state = option.state
        painter.save()
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, colour("selection"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colour("hover"))
        role = Role(index.data(COLUMN_ROLE))  # Qt hands the text of an enumeration back
        mark = QRect(rect.left() + tokens.SPACE_M, 0, tokens.ICON, tokens.ICON)
        mark.moveTop(rect.center().y() - tokens.ICON // 2)
        paint_icon(painter, mark, role_icon(role), role_token(role))
        warned = bool(index.data(WARNED))
        right = rect.right() - tokens.SPACE_S - (tokens.ICON + tokens.SPACE_S if warned else 0)
        text = QRect(mark.right() + tokens.SPACE_M, rect.top(), 0, rect.height() // 2)
        text.setRight(right)
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold if selected else QFont.Weight.Normal)
        self._line(painter, text, font, str(index.data()), "on_selection" if selected else "text", bottom=True)
        text.moveTop(rect.top() + rect.height() // 2)
        font.setWeight(QFont.Weight.Normal)
        font.setPixelSize(tokens.FONT_SMALL)
        drafted = bool(index.data(DRAFTED))
        token = "link" if drafted else "warning" if warned else "muted"
        token = "on_selection" if selected and (drafted or not warned) else token
        self._line(painter, text, font, str(index.data(SUMMARY)), token, bottom=False)
        if warned:
            mark.moveLeft(right + tokens.SPACE_S)
            paint_icon(painter, mark, "warning", "warning")
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(colour("focus"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()

    def _line(self, painter: QPainter, rect: QRect, font: QFont, text: str, token: str, *, bottom: bool) -> None:
        painter.setFont(font)
        painter.setPen(colour(token))
        vertical = Qt.AlignmentFlag.AlignBottom if bottom else Qt.AlignmentFlag.AlignTop
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, vertical | Qt.AlignmentFlag.AlignLeft, shown)
