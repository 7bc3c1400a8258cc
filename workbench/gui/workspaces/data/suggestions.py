"""Roles the program would give: identifiers, and what others know or what singles people out together."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QPushButton,
    QWidget,
)

from workbench.core.role_suggestions import Suggestion, Suggestions
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge, role_icon, role_token
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.session import Session

SUGGEST_JOB = "data.suggestions"


class SuggestionsDialog(QDialog):
    """What is suggested for the data, with the reason, to be followed one by one, all at once, or not at all.

    Signals
    -------
    columns_named(object)
        The names of the columns of a suggestion that was followed.
    """

    columns_named = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.items: list[SuggestionItem] = []
        self.setWindowTitle("Suggested roles")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.suggestions")
        self.words = label("Looking for what identifies people…", wrap=True)
        self._list = QWidget()
        self._list.setProperty("bare", "true")
        self._column = boxes.column(1, margins="0 0 s 0", spacing="s", inside=self._list)
        scroll = boxes.scrolled(self._list)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.all = buttons.addButton("Follow &all", QDialogButtonBox.ButtonRole.ActionRole)
        set_look(self.all, primary=True)
        self.all.setEnabled(False)
        self.all.clicked.connect(self.follow_all)
        buttons.rejected.connect(self.reject)
        top = boxes.row((self.words, 1), (analyst_badge(), Qt.AlignmentFlag.AlignTop), spacing="m")
        boxes.column(top, (scroll, 1), buttons, margins="l", spacing="m", inside=self)
        self.resize(5 * tokens.EXPLAIN_WIDTH // 2 + tokens.SPACE_XL, 2 * tokens.EXPLAIN_WIDTH)
        document.changed.connect(self._on_changed)
        document.runner.start(
            "Looking for suggestions",
            document.session.data.suggester(),
            on_done=self.show_suggestions,
            key=SUGGEST_JOB,
            latest_wins=True,
        )

    def show_suggestions(self, found: Suggestions) -> None:
        """Show suggestions, those already followed marked as such."""
        for suggestion in found.found:
            item = SuggestionItem(suggestion, len(self.items))
            item.accepted.connect(self._follow)
            item.dismissed.connect(self._dismiss)
            self._column.insertWidget(len(self.items), item)
            self.items.append(item)
        table = self._document.session.data.reading.table
        if not found.found:
            words = "Nothing in this table looks as if it identified people. You know better than a program."
        elif found.rows < table.rows:
            words = (
                f"Only suggestions: you know what the columns mean. Columns together were tried on {found.rows:,} "
                "of the rows."
            )
        else:
            words = "Only suggestions: you know what the columns mean."
        self.words.setText(words)
        self._mark()
        if self.items:
            self.items[0].accept.setFocus()

    def follow_all(self) -> None:
        """Follow everything that is still open, as one step."""
        wanted: dict[str, Role] = {}
        for item in self.items:
            if item.open:  # identifiers come first and stay what they are
                for name in self._undecided(item.suggestion):
                    wanted.setdefault(name, item.suggestion.role)
        self._set(wanted, "Follow the suggested roles")

    def _follow(self, number: int) -> None:
        suggestion = self.items[number].suggestion
        names = self._undecided(suggestion)
        text = "Mark {names} as {role}".format(
            names=", ".join(f"“{name}”" for name in names), role=suggestion.role.words.lower()
        )
        self._set(dict.fromkeys(names, suggestion.role), text)
        self.columns_named.emit(suggestion.columns)
        self._focus_next(number)

    def _dismiss(self, number: int) -> None:
        self.items[number].dismiss()
        self._mark()
        self._focus_next(number)

    def _focus_next(self, number: int) -> None:
        left = [*self.items[number:], *self.items[:number]]
        target = next((item for item in left if item.open), None)
        (target.accept if target is not None else self).setFocus()

    def _set(self, wanted: dict[str, Role], text: str) -> None:
        def edit(session: Session) -> None:
            for role in Role:
                names = [name for name, given in wanted.items() if given is role]
                if names:
                    session.data.set_role(names, role)

        self._document.apply(text, edit)

    def _undecided(self, suggestion: Suggestion) -> list[str]:
        """Its columns that it would change: what was called sensitive or identifying is not made less."""
        schema = self._document.project.schema
        decided = {suggestion.role, Role.IDENTIFYING}
        if suggestion.role is Role.QUASI:
            decided.add(Role.SENSITIVE)
        return [name for name in suggestion.columns if name in schema.names and schema[name].role not in decided]

    def _mark(self) -> None:
        for item in self.items:
            item.set_followed(not self._undecided(item.suggestion))
        self.all.setEnabled(any(item.open for item in self.items))

    def _on_changed(self, section: str) -> None:
        if section == "data":
            self.reject()
        elif section == "schema":
            self._mark()


class SuggestionItem(QFrame):
    """One suggestion with its reason and two buttons.

    Signals
    -------
    accepted(int), dismissed(int)
        A button was pressed; the number is the one given.
    """

    accepted = Signal(int)
    dismissed = Signal(int)

    def __init__(self, suggestion: Suggestion, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.suggestion = suggestion
        self._number = number
        self._followed = self._dismissed = False
        set_look(self, card=True)
        names = label(", ".join(suggestion.columns), strong=True, wrap=True)
        reason = label(suggestion.reason, small=True, muted=True, wrap=True)
        self.accept = QPushButton()
        self.drop = push_button("Dismiss", name=f"Dismiss the suggestion for {names.text()}", quiet=True)
        words = boxes.column(names, reason, spacing="hair")
        layout = boxes.row(margins="m s s s", spacing="s", inside=self)
        role = suggestion.role
        layout.addWidget(IconLabel(role_icon(role), tokens.ICON, role_token(role)), 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        layout.addWidget(self.accept)
        layout.addWidget(self.drop)
        self.accept.clicked.connect(self._accept)
        self.drop.clicked.connect(self._drop)
        self.set_followed(False)

    @property
    def open(self) -> bool:
        """Whether nobody has decided about it yet."""
        return not (self._followed or self._dismissed)

    def set_followed(self, followed: bool) -> None:
        """Show whether its columns have the role by now."""
        self._followed = followed
        word = self.suggestion.role.words.lower()
        text = "Is {role}" if followed else "Mark as {role}"
        self.accept.setText(text.format(role=word))
        self.accept.setAccessibleName(f"{self.accept.text()}: {', '.join(self.suggestion.columns)}")
        self.accept.setEnabled(not followed)
        self.drop.setEnabled(self.open)

    def dismiss(self) -> None:
        self._dismissed = True
        self.hide()

    def _accept(self) -> None:
        self.accepted.emit(self._number)

    def _drop(self) -> None:
        self.dismissed.emit(self._number)
