"""Everything about the chosen column, or about several at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from workbench.core.kinds import is_missing
from workbench.core.schema import ColumnSpec, Format, Kind, Misfits, Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.engines import unlisted
from workbench.gui.finer_rules import make_finer, one_step, settled_widths
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.values_look import ValuesLook
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.role_marks import marked
from workbench.gui.workspaces.data.bounds import PublicBoundsEditor
from workbench.gui.workspaces.data.columns_model import open_suggestion, suggestion_words
from workbench.gui.workspaces.data.distribution import Distribution
from workbench.gui.workspaces.data.domain_editor import DomainDialog, DomainEditor
from workbench.gui.workspaces.data.facts import FactsKeeper
from workbench.gui.workspaces.data.format_editor import FormatEditor
from workbench.gui.workspaces.data.misfits_editor import MisfitsEditor
from workbench.gui.workspaces.data.missing_editor import MissingEditor
from workbench.session import Session
from workbench.session.given_roles import give_role, left_out, role_in_force

_NAMED = 3
_TRIED = 200
_EXAMPLES = 20
_T = TypeVar("_T")


class ColumnPane(QScrollArea):
    """Kind, format, missing texts, public knowledge and distribution of the chosen columns.

    Signals
    -------
    values_wanted(str, bool)
        The distinct values of a column are to be shown, or only those that do not fit.
    closed()
        It is not to be seen any longer.
    """

    values_wanted = Signal(str, bool)
    closed = Signal()

    def __init__(self, document: Document, facts: FactsKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._facts = facts
        self._names: tuple[str, ...] = ()
        self.name = ElidedLabel()
        set_look(self.name, heading=2)
        self.close_button = tool_button(act=self.closed, name="Close the column", icon=icon("close"), tip="Close")
        self.role = label(small=True, muted=True, wrap=True)
        self.kind = ComboBox("Kind of the column", [(kind.words, kind) for kind in Kind])
        self.bounds = PublicBoundsEditor()
        self.distribution = Distribution()
        self.look = ValuesLook(document, "how often values occur, and from where to where they reach")
        self.format = FormatEditor()
        self.misfits = MisfitsEditor()
        self.missing = MissingEditor()
        self.domain = DomainEditor()
        self.all_values = push_button(
            "All values…", name="Show all values of the column with their counts", explain="data.values", quiet=True
        )
        self.unit = QLineEdit()
        self.unit.setAccessibleName("Unit of the numbers")
        self.unit.setPlaceholderText("such as years or kg")
        set_explain(self.unit, "data.format")
        self.elsewhere = label(small=True, wrap=True)
        self._bounds_title = label("Public bounds", strong=True)
        self._domain_title = label("Public values", strong=True)
        self._missing_title = label("“No value” in this column", strong=True)
        self._unit_title = label("&Unit", strong=True)
        self._unit_title.setBuddy(self.unit)
        self.unlisted = label(wrap=True, muted=True, selectable=True)
        self.kind.setPlaceholderText("different kinds")
        set_explain(self.kind, "data.kind")
        self._lay_out()
        self.kind.activated.connect(self._set_kind)
        self.bounds.changed.connect(self._set_bounds)
        self.format.changed.connect(self._set_format)
        self.misfits.chosen.connect(self._set_misfits)
        self.misfits.list_wanted.connect(self._list_misfits)
        self.missing.added.connect(self._add_missing)
        self.missing.removed.connect(self._remove_missing)
        self.domain.edit_wanted.connect(self.edit_domain)
        self.domain.typed.connect(partial(self._set_domain, observed=False))
        self.all_values.clicked.connect(self._list_values)
        self.unit.editingFinished.connect(self._set_unit)
        document.changed.connect(self._on_changed)
        facts.arrived.connect(self._refresh)

    def show_columns(self, names: tuple[str, ...]) -> None:
        """Show these columns of the data."""
        self._names = names
        self.verticalScrollBar().setValue(0)
        self._refresh()

    def set_role(self, role: Role | None) -> None:
        """Give the chosen columns a role, as one step that can be undone; None takes back that it was decided."""
        names, session = self._names, self._document.session
        if not names:
            return
        whose = f"“{names[0]}”" if len(names) == 1 else f"{len(names)} columns"
        if role is None:
            if not all(spec.undecided and not left_out(session, spec.name) for spec in self._specs()):
                undecide = partial(_undecide, names)
                self._document.apply(f"Leave the role of {whose} undecided", undecide)
            return
        if any(role_in_force(session, spec.name) is not role or spec.undecided for spec in self._specs()):
            self._document.apply(marked(whose, role), lambda session: give_role(session, names, role))

    def _lay_out(self) -> None:
        self._inside = QWidget()
        self._inside.setProperty("bare", "true")
        layout = boxes.column(
            boxes.row((self.name, 1), self.close_button, spacing="s"),
            boxes.Gap("xs"),
            margins="s 0 m s",
            spacing="xs",
            inside=self._inside,
        )
        kind = QHBoxLayout()
        kind.setSpacing(tokens.SPACE_M)
        words: QLabel = label("&Kind", strong=True)
        words.setBuddy(self.kind)
        kind.addWidget(words)
        kind.addWidget(self.kind, 1)
        layout.addLayout(kind)
        layout.addWidget(self.role)
        layout.addWidget(self.unlisted)
        layout.addWidget(self.format)
        layout.addWidget(self.misfits)
        layout.addSpacing(tokens.SPACE_M)
        layout.addWidget(self.look)
        layout.addWidget(self.distribution)
        layout.addWidget(self.all_values, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addSpacing(tokens.SPACE_S)
        layout.addWidget(self.elsewhere)
        for title, editor in (
            (self._bounds_title, self.bounds),
            (self._domain_title, self.domain),
            (self._unit_title, self.unit),
            (self._missing_title, self.missing),
        ):
            layout.addWidget(title)
            layout.addWidget(editor)
            layout.addSpacing(tokens.SPACE_S)
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
        if section in ("data", "schema", "settings"):
            self._refresh()

    def _refresh(self) -> None:
        specs = self._specs()
        self._inside.setEnabled(bool(specs))
        self.unlisted.hide()
        self.elsewhere.hide()
        if not specs:
            self.name.set_text("No column is chosen")
            return
        alone = specs[0] if len(specs) == 1 else None
        self.name.set_text(alone.name if alone else self._several(specs))
        kind = _common([spec.kind for spec in specs])
        self.kind.setCurrentIndex(list(Kind).index(kind) if kind is not None else -1)
        about_role = self._about_role(alone) if alone is not None else ""
        self.role.setVisible(bool(about_role))
        self.role.setText(about_role)
        self.missing.show_columns(specs, self._likely_missing(specs))
        numeric = alone is not None and alone.kind.numeric
        listed = alone is not None and not alone.kind.numeric and not alone.kind.temporal
        shown = {
            self.format: alone is not None and (alone.kind.numeric or alone.kind.temporal),
            self._bounds_title: numeric,
            self.bounds: numeric,
            self._unit_title: numeric,
            self.unit: numeric,
            self._domain_title: listed,
            self.domain: listed,
            self.distribution: alone is not None and self._facts.looked,
            self.all_values: alone is not None and self._facts.looked,
        }
        why = self._why_unlisted(alone.name) if alone is not None else ""
        for widget, wanted in shown.items():
            widget.setVisible(wanted and not why)
        self.unlisted.setText(why)
        self.unlisted.setVisible(bool(why))
        if alone is None or why:
            self.misfits.hide()
            return
        typed = self._document.session.release.steps.said(alone.name)
        self.elsewhere.setText(f"In Anonymise you said that these occur: {typed}")
        self.elsewhere.setVisible(bool(typed))
        facts = self._facts.of(alone.name)
        self.distribution.show_column(alone, facts)
        self.misfits.show_column(alone, facts, looked=self._facts.looked)
        if numeric or alone.kind.temporal:
            self.format.show_column(alone, self._examples(alone), facts.two_ways if facts is not None else "")
        if numeric:
            self.bounds.show_column(alone, facts if self._facts.looked else None)
            if self.unit.text() != alone.unit:
                self.unit.setText(alone.unit)
        if listed:
            self.domain.show_column(alone)

    def _about_role(self, spec: ColumnSpec) -> str:
        """What the role that was given means, and what the values speak for, as the sign beside the name has it."""
        given = _role_in_words(spec.role) if spec.role_words == spec.role.words else ""
        hint = open_suggestion(self._document, spec)
        return "\n".join(filter(None, (given, hint and suggestion_words(hint, looked=self._facts.looked))))

    def _why_unlisted(self, name: str) -> str:
        return unlisted(self._document.session.data.reading.table, name) if self._document.has_data else ""

    def _examples(self, spec: ColumnSpec) -> list[str]:
        """A few of the first values that are there, to try a format on; none while a project's data is being read."""
        if not self._document.has_data:
            return []
        values = self._document.session.data.reading.table[spec.name].values[:_TRIED]
        return [value for value in values if not is_missing(value, spec.missing)][:_EXAMPLES]

    def _likely_missing(self, specs: list[ColumnSpec]) -> list[str]:
        """Texts that look like no value in some column and stand for a value in it."""
        found = (text for spec in specs for text in self._facts.likely_missing(spec.name) if text not in spec.missing)
        return list(dict.fromkeys(found))

    def _several(self, specs: list[ColumnSpec]) -> str:
        names = ", ".join(spec.name for spec in specs[:_NAMED])
        more = ", …" if len(specs) > _NAMED else ""
        return f"{len(specs)} columns: {names + more}"

    def _set_kind(self, index: int) -> None:
        names, kind = self._names, Kind(self.kind.itemData(index))  # Qt hands back the text
        if not names or all(spec.kind is kind for spec in self._specs()):
            return
        if len(names) == 1:
            text = f"Read “{names[0]}” as {kind.words.lower()}"
        else:
            text = f"Read {len(names)} columns as {kind.words.lower()}"

        def edit(session: Session) -> None:
            session.data.set_kind(names, kind)
            for name in names:
                session.data.set_format(name, session.data.proposed_format(name, kind))

        self._document.apply(text, edit)

    def _set_format(self, written: Format) -> None:
        self._edit("Change how “{name}” is written", lambda session, name: session.data.set_format(name, written))

    def _set_bounds(self, bounds: tuple[float, float] | None, observed: bool) -> None:
        text = "Change the bounds of “{name}”" if bounds else "Remove the bounds of “{name}”"
        names, step = self._names, one_step()
        widths = settled_widths(self._document, names)
        self._edit(text, lambda session, name: session.data.set_bounds(name, bounds, observed=observed), merge=step)
        make_finer(self._document, names, merge=step, widths=widths)

    def _set_misfits(self, policy: Misfits) -> None:
        self._edit(
            "Choose what becomes of values of “{name}” that do not fit",
            lambda session, name: session.data.set_misfits(name, policy),
        )

    def _set_unit(self) -> None:
        specs = self._specs()
        text = self.unit.text().strip()
        if len(specs) == 1 and specs[0].unit != text:
            self._edit("Change the unit of “{name}”", lambda session, name: session.data.set_unit_text(name, text))

    def _set_domain(self, values: tuple[str, ...] | None, observed: bool) -> None:
        text = "Change the values of “{name}”" if values else "Remove the values of “{name}”"
        self._edit(text, lambda session, name: session.data.set_domain(name, values, observed=observed))

    def _edit(self, text: str, change: Callable[[Session, str], None], *, merge: str = "") -> None:
        """Change the one column that is shown, as a step that can be undone."""
        if len(self._names) == 1:
            name = self._names[0]
            self._document.apply(text.format(name=name), lambda session: change(session, name), merge=merge)

    def _add_missing(self, text: str) -> None:
        self._change_missing(f"Let “{text}” stand for no value", add=text)

    def _remove_missing(self, text: str) -> None:
        self._change_missing(f"Let “{text}” be a value", drop=text)

    def _change_missing(self, words: str, *, add: str | None = None, drop: str | None = None) -> None:
        specs = self._specs()

        def edit(session: Session) -> None:
            for spec in specs:
                kept = [text for text in spec.missing if text != drop]
                session.data.set_missing([spec.name], kept if add is None else [*kept, add])

        self._document.apply(words, edit)

    def edit_domain(self) -> DomainDialog | None:
        """Let the person type the public values of the column."""
        specs = self._specs()
        if len(specs) != 1:
            return None
        column = self._document.session.data.reading.table[specs[0].name]
        dialog = DomainDialog(specs[0], column, self._document.runner, self, looked=self._facts.looked)
        dialog.chosen.connect(self._set_domain)
        dialog.open()
        return dialog

    def _list_misfits(self) -> None:
        self.values_wanted.emit(self._names[0], True)

    def _list_values(self) -> None:
        self.values_wanted.emit(self._names[0], False)


def _role_in_words(role: Role) -> str:
    return role.meaning if role is Role.IDENTIFYING else f"{role.words}. {role.meaning}"


def _undecide(names: tuple[str, ...], session: Session) -> None:
    give_role(session, names, Role.INSENSITIVE, undecided=True)


def _common(values: list[_T]) -> _T | None:
    """The value all have, None if they differ."""
    return values[0] if len(set(values)) == 1 else None
