"""The columns of the data as rows of a list."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import islice

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.core.column_facts import ColumnFacts
from workbench.core.kinds import is_missing
from workbench.core.role_suggestions import without_counts
from workbench.core.role_words import sign_in_name
from workbench.core.schema import UNDECIDED, ColumnSpec, Role, UnitAnswer
from workbench.core.table import Column, Table
from workbench.engines.stored import MOST_VALUES, UnlistedColumn
from workbench.gui.document import Document
from workbench.gui.engines import unlisted
from workbench.gui.icons import icon
from workbench.gui.theme import colour
from workbench.gui.widgets.records import DISPLAY, RIGHT, Index, RecordColumn, RecordsModel
from workbench.gui.widgets.role_marks import role_and_term, role_icon, role_name, role_token
from workbench.gui.workspaces.data.facts import FactsKeeper
from workbench.gui.workspaces.data.suggestions import RoleSuggestions
from workbench.session.given_roles import left_out

BARS_ROLE = Qt.ItemDataRole.UserRole + 1
"""Item role under which a cell gives the bars of its sparkline."""

_EXAMPLES = 4
BETWEEN = " · "
"""Stands between two examples."""
_PENDING = "…"
_NOT_YET = "—"
"""In the place of each role, until it is said who is protected: that is asked first."""


class Field(IntEnum):
    """The columns of the list."""

    NAME = 0
    ROLE = 1
    WHY = 2
    KIND = 3
    DISTINCT = 4
    MISSING = 5
    BARS = 6
    EXAMPLES = 7
    TURN = 8
    """What one press does with the column: it leaves it out, or includes it."""


_COLOURS = {Field.WHY: "muted", Field.TURN: "link"}
_PROTECTS = {Role.INSENSITIVE: 0, Role.QUASI: 1, Role.SENSITIVE: 1, Role.IDENTIFYING: 2}
"""The more a role protects people, the less it is to be spoken against."""

_DECIDES = (
    "What a column could tell of a person. It decides whether a release may have the column, and how it is protected "
    "there."
)
_FROM_ROWS = "Values of the first rows, so of people in the file: declare nothing by them, and copy none of them"


class ColumnsModel(RecordsModel[Column]):
    """One row per column of the data: role and why, kind and what occurs in it."""

    def __init__(
        self, document: Document, facts: FactsKeeper, suggestions: RoleSuggestions, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            (
                RecordColumn("Column", lambda column: column.name),
                RecordColumn("Role in a release", lambda column: self._role(self._specs[column.name]), tip=_DECIDES),
                RecordColumn("Why", lambda column: self._why(self._specs[column.name])),
                RecordColumn("Kind", self._kind),
                RecordColumn("Distinct", self._distinct, RIGHT, "How many different values occur"),
                RecordColumn("Missing", self._missing, RIGHT, "Rows without a value"),
                RecordColumn("Distribution", lambda _column: ""),
                RecordColumn("Examples", lambda column: self._examples[column.name], tip=_FROM_ROWS),
                RecordColumn("Change", lambda column: self.turn(self._specs[column.name])),
            ),
            parent,
        )
        self._document = document
        self._facts = facts
        self._suggestions = suggestions
        self._specs: dict[str, ColumnSpec] = {}
        self._examples: dict[str, str] = {}
        document.changed.connect(self._on_changed)
        facts.arrived.connect(self.repaint)
        suggestions.found.connect(self.repaint)
        self.reload()

    @property
    def looked(self) -> bool:
        """Whether what was counted is seen."""
        return self._facts.looked

    def reload(self) -> None:
        """Show the columns of the data now open."""
        table = self._document.session.data.reading.table if self._document.has_data else Table(())
        self._specs = {spec.name: spec for spec in self._document.project.schema.columns}
        self._take_examples(table)
        self.show_records(table.columns)

    def _take_examples(self, table: Table) -> None:
        specs = self._specs
        self._examples = {
            name: _examples(table, name, specs[name].missing if name in specs else ()) for name in table.names
        }

    def name(self, row: int) -> str:
        return self.records[row].name

    @property
    def data_rows(self) -> int:
        """Rows of the data itself."""
        return len(self.records[0]) if self.records else 0

    def row_of(self, name: str) -> int:
        """The row of a column, -1 if there is none."""
        return next((row for row in range(len(self.records)) if self.records[row].name == name), -1)

    def open_suggestion(self, name: str) -> tuple[Role, str] | None:
        """The role the program proposes, with its reason, while the column has one that protects less."""
        spec = self._specs.get(name)
        return None if spec is None else open_suggestion(self._document, spec)

    def data(self, index: Index, role: int = DISPLAY) -> object:
        known = self.records[index.row()].name in self._specs
        return super().data(index, role) if known else None

    def look(self, row: int, column: int, role: int) -> object:
        field, spec = Field(column), self._specs[self.records[row].name]
        facts = self._facts.of(spec.name)
        if field is Field.ROLE and self._waits and not self.left_out(spec):
            words: dict[int, object] = {
                Qt.ItemDataRole.ForegroundRole: colour("muted"),
                Qt.ItemDataRole.ToolTipRole: f"{UNDECIDED}: say first who is protected",
                Qt.ItemDataRole.AccessibleTextRole: UNDECIDED,
            }
            return words.get(role)
        if role == Qt.ItemDataRole.DecorationRole:
            if field is Field.ROLE:
                shown = Role.IDENTIFYING if self.left_out(spec) else spec.role  # one fate, one sign
                return icon(role_icon(shown), role_token(shown))
            if field is Field.NAME and self.open_suggestion(spec.name) is not None:
                return icon("info", "info")
            if field is Field.KIND and facts is not None and (facts.misfit_count or facts.two_ways):
                return icon("warning", "warning")
        if role == Qt.ItemDataRole.ForegroundRole and field in _COLOURS:
            return colour(_COLOURS[field])
        if role == BARS_ROLE:
            return facts.bars if field is Field.BARS and facts is not None and self._facts.looked else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, field, spec, facts)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and field is Field.NAME:
            suggestion = self.open_suggestion(spec.name)
            return None if suggestion is None else suggestion_words(suggestion, looked=self._facts.looked)
        if role == Qt.ItemDataRole.AccessibleTextRole and field is Field.BARS:
            return f"Distribution of {spec.name}"
        if role == Qt.ItemDataRole.AccessibleTextRole and field is Field.TURN and (turn := self.turn(spec)):
            return f"{turn}: {spec.name}"
        return None

    def left_out(self, spec: ColumnSpec) -> bool:
        """Whether somebody said in Anonymise that a release has no such column, whatever its role."""
        return left_out(self._document.session, spec.name)

    def turn(self, spec: ColumnSpec) -> str:
        """What a press at the end of a row does; "" where nothing can be done."""
        if not self.left_out(spec) and spec.role is not Role.IDENTIFYING:
            return role_name(Role.IDENTIFYING)
        return "Include" if self._suggestions.can_include(spec.name) else ""

    def _why(self, spec: ColumnSpec, *, in_full: bool = False) -> str:
        """Why a column has its role, or what speaks for another that protects more: that is not to be missed."""
        hint = open_suggestion(self._document, spec)
        if hint is not None:
            return suggestion_words(hint, looked=self._facts.looked)
        return self._suggestions.in_full(spec) if in_full else self._suggestions.why(spec)

    def _kind(self, column: Column) -> str:
        """The kind, and that not every value is of it: a sign alone would not say what is wrong."""
        facts, words = self._facts.of(column.name), self._specs[column.name].kind.words
        return f"{words}, partly" if facts is not None and facts.misfit_count else words

    @property
    def _waits(self) -> bool:
        """Whether no column has a role yet, as nobody has said who is protected."""
        unsaid = self._document.project.schema.unit.protected is UnitAnswer.UNSAID
        return unsaid and all(spec.role_words == UNDECIDED for spec in self._specs.values())

    def _role(self, spec: ColumnSpec) -> str:
        if self.left_out(spec):
            return role_name(Role.IDENTIFYING)
        return _NOT_YET if self._waits else role_shown(spec)

    def _distinct(self, column: Column) -> str:
        if isinstance(column, UnlistedColumn):
            return f"≈ {column.distinct:,}" if self._facts.looked else f"> {MOST_VALUES:,}"
        facts = self._facts.seen(column.name)
        return f"{facts.distinct:,}" if facts is not None else _PENDING

    def _missing(self, column: Column) -> str:
        if isinstance(column, UnlistedColumn):
            return "–"
        facts = self._facts.seen(column.name)
        return f"{facts.missing:,}" if facts is not None else _PENDING

    def _tip(self, row: int, field: Field, spec: ColumnSpec, facts: ColumnFacts | None) -> str:
        suggestion = self.open_suggestion(spec.name)
        if field in (Field.NAME, Field.ROLE) and suggestion is not None:
            return f"{spec.name}\n{suggestion_words(suggestion, looked=self._facts.looked)}"
        if field is Field.ROLE and not spec.undecided:
            sign = sign_in_name(spec.name, spec.role, spec.kind)
            said = f"{role_shown(spec, term=True)}: {spec.role.meaning}\n{sign}".rstrip()
            return f"Left out of the release, as Anonymise says.\n{said}" if self.left_out(spec) else said
        if field is Field.KIND and facts is not None and facts.misfit_count:
            such = ", ".join(f"“{value}”" for value in facts.misfits)
            if not self._facts.looked:
                return f"Some values do not read as this kind, such as {such}"
            return f"{facts.misfit_count:,} distinct values do not read as this kind, such as {such}"
        if field is Field.KIND and facts is not None and facts.two_ways:
            return facts.two_ways
        if isinstance(self.records[row], UnlistedColumn):
            return f"{spec.name}\n{unlisted(self._document.session.data.reading.table, spec.name)}"
        if field is Field.WHY:
            return self._why(spec, in_full=True)
        if field in (Field.NAME, Field.EXAMPLES):
            return f"{spec.name}\n{self._examples[spec.name]}"
        return ""

    def _on_changed(self, section: str) -> None:
        if section == "data":
            self.reload()
        elif section == "settings":
            self.repaint()  # a release may have other columns
        elif section == "schema":
            before = {name: spec.missing for name, spec in self._specs.items()}
            self._specs = {spec.name: spec for spec in self._document.project.schema.columns}
            if self._document.has_data and before != {name: spec.missing for name, spec in self._specs.items()}:
                self._take_examples(self._document.session.data.reading.table)
            self.repaint()


def open_suggestion(document: Document, spec: ColumnSpec) -> tuple[Role, str] | None:
    """The role the values of a column speak for, with its reason, where one was chosen that protects less."""
    if spec.undecided and spec.role is Role.INSENSITIVE:
        return None
    loaded = document.session.data.loaded
    suggested = loaded.suggested_roles.get(spec.name) if loaded is not None else None
    return None if suggested is None or _PROTECTS[spec.role] >= _PROTECTS[suggested[0]] else suggested


def suggestion_words(suggestion: tuple[Role, str], *, looked: bool) -> str:
    """What the values of a column speak for, in a sentence; before a look without what was counted."""
    role, reason = suggestion
    reason, said = reason if looked else without_counts(reason), role_name(role)
    return reason if reason.startswith(said) else f"{said}? {reason}"


def role_shown(spec: ColumnSpec, *, term: bool = False) -> str:
    """The role of a column as its cell has it, or with its term, as far as somebody has said one."""
    name = role_and_term if term else role_name
    return name(spec.role) if spec.role_words == spec.role.words else spec.role_words


def _examples(table: Table, name: str, missing: Sequence[str]) -> str:
    """The values of the first rows that differ, for an impression; "" where an engine has not listed them.

    What stands for no value is none.
    """
    if not table.lists(name):
        return ""
    column = table[name]
    if table.in_memory:
        codes = dict.fromkeys(column.codes[: 8 * _EXAMPLES].tolist()) if len(column) else {}
        texts = [column.values[code] for code in codes]
    else:
        texts = list(column.values[: 8 * _EXAMPLES])  # an engine lists them as they first appear
    return BETWEEN.join(islice((text for text in texts if text and not is_missing(text, missing)), _EXAMPLES))


def fits_bars(bars: object) -> bool:
    """Whether a cell's bars can be painted."""
    return isinstance(bars, np.ndarray) and bool(bars.size)
