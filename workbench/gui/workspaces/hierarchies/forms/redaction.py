"""The editor of redaction by pattern: one rule a level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.hierarchy_preview import ColumnMaterial, HierarchyPreview
from workbench.core.specification_edits import Specification
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import monospace_font, set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.remove_button import RemoveButton
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.example import Example


class RuleRow(QWidget):
    """One rule: what is looked for, and what takes its place.

    Signals
    -------
    changed(object), removed()
        The rule as the person wants it, or that it is to go.
    """

    changed = Signal(object)
    removed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rule: dict[str, Any] = {}
        self._number = label(muted=True)
        self._number.setMinimumWidth(tokens.SPACE_L)
        self.pattern = QLineEdit()
        self.pattern.setPlaceholderText("[0-9]+")
        self.replacement = QLineEdit()
        for edit in (self.pattern, self.replacement):
            edit.setFont(monospace_font())
        self.each = QCheckBox("for each character")
        self.each.setToolTip("As many as there were characters, so that the length stays visible.")
        self.remove = RemoveButton(picture="close")
        first = boxes.row(self._number, (self.pattern, 1), self.remove, spacing="xs")
        second = boxes.row(boxes.Gap("l"), label("becomes", muted=True), spacing="s")
        self.replacement.setFixedWidth(tokens.FIELD_WIDTH // 2)
        second.addWidget(self.replacement)
        second.addWidget(self.each)
        second.addStretch(1)
        boxes.column(first, second, spacing="xs", inside=self)
        self.pattern.textEdited.connect(self._change_pattern)
        self.replacement.textEdited.connect(self._change_replacement)
        self.each.toggled.connect(self._change_each)
        self.remove.clicked.connect(self.removed)

    def show_rule(self, number: int, rule: Mapping[str, Any], *, removable: bool) -> None:
        """Show what rule `number` says."""
        self._rule = dict(rule)
        self._number.setText(str(number))
        for edit, text in ((self.pattern, rule.get("pattern", "")), (self.replacement, rule.get("replacement", ANY))):
            if edit.text() != text:
                edit.setText(text)
        blocked = self.each.blockSignals(True)
        self.each.setChecked(bool(rule.get("each", False)))
        self.each.blockSignals(blocked)
        self.pattern.setAccessibleName(f"Level {number}: what is looked for")
        self.pattern.setToolTip(
            "A regular expression: [0-9]+ finds digits, @.* everything from @, \\w+$ the last word."
        )
        self.replacement.setAccessibleName(f"Level {number}: what takes its place")
        self.each.setAccessibleName(f"Level {number}: for each character")
        self.remove.set_name(f"Remove level {number}")
        self.remove.setEnabled(removable)

    def _change_pattern(self, text: str) -> None:
        self._change("pattern", text)

    def _change_replacement(self, text: str) -> None:
        self._change("replacement", text)

    def _change_each(self, each: bool) -> None:
        self._change("each", each)

    def _change(self, name: str, value: object) -> None:
        self._rule = {**self._rule, name: value}
        self.changed.emit(self._rule)


class RedactionForm(BuilderForm):
    """Parts of texts replaced, each rule working on what the one before left."""

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(builder, parent)
        self.rules: list[RuleRow] = []
        self._column = QVBoxLayout()
        self._column.setSpacing(tokens.SPACE_M)
        self.add_rule = push_button("Add rule", self._add, name="Add rule", icon=icon("add", "link"), quiet=True)
        rules = Section("Rules", "One a level; each works on what the one before left.")
        rules.add(self._column)
        line = boxes.row((self.add_rule, Qt.AlignmentFlag.AlignLeft))
        rules.add(line)
        self.example = Example()
        self.add(rules)
        self.add(self.example)

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        super().show_specification(specification, source)
        rules: Sequence[Mapping[str, Any]] = specification["details"].get("rules") or []
        while len(self.rules) > len(rules):
            row = self.rules.pop()
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        while len(self.rules) < len(rules):
            row = RuleRow()
            row.changed.connect(self._change_rule)
            row.removed.connect(self._remove_rule)
            self.rules.append(row)
            self._column.addWidget(row)
        for number, (row, rule) in enumerate(zip(self.rules, rules, strict=True), start=1):
            row.show_rule(number, rule, removable=len(rules) > 1)

    def show_preview(self, preview: HierarchyPreview) -> None:
        self.example.show_hierarchy(preview.hierarchy)

    def show_error(self, error: WorkbenchError | None) -> None:
        super().show_error(error)
        wrong = f"{error.message}:" if error is not None and error.field == "pattern" else ""
        for number, row in enumerate(self.rules, start=1):
            set_look(row.pattern, invalid=wrong.startswith(f"Rule {number}:"))

    def _add(self) -> None:
        rules = [*self.specification["details"].get("rules", ()), {"pattern": "", "replacement": ANY, "each": False}]
        self.change_details(f"Add rule {len(rules)}", rules=rules)
        self.rules[-1].pattern.setFocus()

    def _change_rule(self, rule: dict[str, Any]) -> None:
        row = self.sender()
        if isinstance(row, RuleRow):
            place = self.rules.index(row)
            rules = list(self.specification["details"]["rules"])
            rules[place] = rule
            self.change_details(f"Change rule {place + 1}", f"redaction.{place}", rules=rules)

    def _remove_rule(self) -> None:
        row = self.sender()
        if isinstance(row, RuleRow):
            place = self.rules.index(row)
            rules = list(self.specification["details"]["rules"])
            del rules[place]
            self.change_details(f"Remove rule {place + 1}", rules=rules)
