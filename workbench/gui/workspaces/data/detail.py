"""Everything about the chosen column, or about several at once."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from workbench.core.schema import ColumnSpec, Kind, Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets.badge import role_word
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.workspaces.data.bounds import BoundsEditor
from workbench.gui.workspaces.data.distribution import Distribution
from workbench.gui.workspaces.data.facts import FactsKeeper
from workbench.gui.workspaces.data.role_choice import RoleChoice
from workbench.gui.workspaces.data.words import kind_word

_NAMED = 3
_T = TypeVar("_T")


class ColumnDetail(QScrollArea):
    """Role, kind, public bounds and distribution of the chosen columns."""

    def __init__(self, document: Document, facts: FactsKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._facts = facts
        self._names: tuple[str, ...] = ()
        self.name = ElidedLabel()
        set_look(self.name, heading=2)
        self.role = RoleChoice()
        self.kind = ComboBox(self.tr("Kind of the column"), [(kind_word(kind), kind) for kind in Kind])
        self.bounds = BoundsEditor()
        self.distribution = Distribution()
        self.suggestion = _SuggestionStrip()
        self._misfits = label(small=True, wrap=True)
        self._bounds_title = label(self.tr("Public bounds"), strong=True)
        self.kind.setPlaceholderText(self.tr("different kinds"))
        set_explain(self.kind, "data.kind")
        set_look(self._misfits, tone="warning")
        self._lay_out()
        self.role.picked.connect(self.set_role)
        self.kind.activated.connect(self._set_kind)
        self.bounds.changed.connect(self._set_bounds)
        self.suggestion.accepted.clicked.connect(self._accept)
        document.changed.connect(self._on_changed)
        facts.arrived.connect(self._refresh)

    def show_columns(self, names: tuple[str, ...]) -> None:
        """Show these columns of the data."""
        self._names = names
        self.verticalScrollBar().setValue(0)
        self._refresh()

    def set_role(self, role: Role) -> None:
        """Give the chosen columns a role, as one step that can be undone."""
        names = self._names
        if not names:
            return
        if len(names) == 1:
            text = self.tr("Mark “{name}” as {role}").format(name=names[0], role=role_word(role).lower())
        else:
            text = self.tr("Mark {count} columns as {role}").format(count=len(names), role=role_word(role).lower())
        if any(spec.role is not role for spec in self._specs()):
            self._document.apply(text, lambda session: session.set_role(names, role))

    def _lay_out(self) -> None:
        self._inside = QWidget()
        self._inside.setProperty("bare", "true")
        layout = QVBoxLayout(self._inside)
        layout.setContentsMargins(tokens.SPACE_S, 0, tokens.SPACE_M, tokens.SPACE_S)
        layout.setSpacing(tokens.SPACE_XS)
        layout.addWidget(self.name)
        layout.addSpacing(tokens.SPACE_XS)
        layout.addWidget(self.suggestion)
        layout.addWidget(self.role)
        layout.addSpacing(tokens.SPACE_XS)
        kind = QHBoxLayout()
        kind.setSpacing(tokens.SPACE_M)
        words: QLabel = label(self.tr("&Kind"), strong=True)
        words.setBuddy(self.kind)
        kind.addWidget(words)
        kind.addWidget(self.kind, 1)
        layout.addLayout(kind)
        layout.addWidget(self._misfits)
        layout.addSpacing(tokens.SPACE_M)
        layout.addWidget(self.distribution)
        layout.addSpacing(tokens.SPACE_M)
        layout.addWidget(self._bounds_title)
        layout.addWidget(self.bounds)
        layout.addStretch(1)
        self.setWidget(self._inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(tokens.EXPLAIN_WIDTH)

    def _specs(self) -> list[ColumnSpec]:
        known = {spec.name: spec for spec in self._document.project.schema.columns}
        return [known[name] for name in self._names if name in known]

    def _on_changed(self, section: str) -> None:
        if section in ("data", "schema"):
            self._refresh()

    def _refresh(self) -> None:
        specs = self._specs()
        self._inside.setEnabled(bool(specs))
        if not specs:
            self.name.set_text(self.tr("No column is chosen"))
            return
        alone = specs[0] if len(specs) == 1 else None
        self.name.set_text(alone.name if alone else self._several(specs))
        self.role.show_role(_common([spec.role for spec in specs]))
        kind = _common([spec.kind for spec in specs])
        self.kind.setCurrentIndex(list(Kind).index(kind) if kind is not None else -1)
        self._show_suggestion(alone)
        self._show_misfits(alone)
        numeric = alone is not None and alone.kind.numeric
        self._bounds_title.setVisible(numeric)
        self.bounds.setVisible(numeric)
        self.distribution.setVisible(alone is not None)
        if alone is not None:
            facts = self._facts.of(alone.name)
            self.distribution.show_column(alone, facts)
            if numeric:
                self.bounds.show_column(alone, facts)

    def _several(self, specs: list[ColumnSpec]) -> str:
        names = ", ".join(spec.name for spec in specs[:_NAMED])
        more = ", …" if len(specs) > _NAMED else ""
        return self.tr("{count} columns: {names}").format(count=len(specs), names=names + more)

    def _show_suggestion(self, spec: ColumnSpec | None) -> None:
        loaded = self._document.session.loaded
        suggested = loaded.suggested_roles.get(spec.name) if spec is not None and loaded is not None else None
        self.suggestion.setVisible(suggested is not None)
        if suggested is not None and spec is not None:
            role, reason = suggested
            self.suggestion.show_suggestion(role, reason, followed=spec.role is role)

    def _show_misfits(self, spec: ColumnSpec | None) -> None:
        facts = self._facts.of(spec.name) if spec is not None else None
        count = facts.misfit_count if facts is not None else 0
        self._misfits.setVisible(count > 0)
        if facts is not None and count:
            values = ", ".join(f"“{value}”" for value in facts.misfits[:_NAMED])
            words = (
                self.tr("1 value does not read as this kind: {values}")
                if count == 1
                else self.tr("{count} values do not read as this kind, such as {values}")
            )
            self._misfits.setText(words.format(count=f"{count:,}", values=values))

    def _set_kind(self, index: int) -> None:
        names, kind = self._names, Kind(self.kind.itemData(index))  # Qt hands back the text
        if not names or all(spec.kind is kind for spec in self._specs()):
            return
        if len(names) == 1:
            text = self.tr("Read “{name}” as {kind}").format(name=names[0], kind=kind_word(kind).lower())
        else:
            text = self.tr("Read {count} columns as {kind}").format(count=len(names), kind=kind_word(kind).lower())
        self._document.apply(text, lambda session: session.set_kind(names, kind))

    def _set_bounds(self, bounds: tuple[float, float] | None) -> None:
        if len(self._names) != 1:
            return
        name = self._names[0]
        text = self.tr("Change the bounds of “{name}”") if bounds else self.tr("Remove the bounds of “{name}”")
        self._document.apply(text.format(name=name), lambda session: session.set_bounds(name, bounds))

    def _accept(self) -> None:
        if self.suggestion.role is not None:
            self.set_role(self.suggestion.role)
            self.role.buttons[self.suggestion.role].setFocus()


class _SuggestionStrip(QFrame):
    """What role the column seems to have, with the button that follows the suggestion.

    It stays when the suggestion was followed, so that nothing below it moves.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.role: Role | None = None
        self._icon = IconLabel("info", tokens.ICON, "info")
        self._words = label(wrap=True, small=True)
        self.accepted = QPushButton()
        self.accepted.setAccessibleName(self.tr("Follow the suggestion"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_S, tokens.SPACE_S, tokens.SPACE_S, tokens.SPACE_S)
        layout.setSpacing(tokens.SPACE_S)
        top = QHBoxLayout()
        top.setSpacing(tokens.SPACE_S)
        top.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self._words, 1)
        layout.addLayout(top)
        layout.addWidget(self.accepted, 0, Qt.AlignmentFlag.AlignLeft)

    def show_suggestion(self, role: Role, reason: str, *, followed: bool) -> None:
        self.role = role
        self._words.setText(reason)
        word = role_word(role).lower()
        text = self.tr("Marked as {role}") if followed else self.tr("Mark as {role}")
        self.accepted.setText(text.format(role=word))
        self.accepted.setAccessibleName(self.accepted.text())
        self.accepted.setEnabled(not followed)
        status = "success" if followed else "info"
        self._icon.set_icon(status, status)
        set_look(self, message=status)


def _common(values: list[_T]) -> _T | None:
    """The value all have, None if they differ."""
    return values[0] if len(set(values)) == 1 else None
