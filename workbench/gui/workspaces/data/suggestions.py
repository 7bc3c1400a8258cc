"""Roles the program gives at one click, with the reason for each: what others know, or what singles people out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.role_suggestions import Suggestion, Suggestions
from workbench.core.schema import UNDECIDED, Role, Schema
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.fading_edges import FadingEdges
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.role_marks import marked, role_name
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.gui.workspaces.data.columns_model import suggestion_words
from workbench.gui.workspaces.data.suggestion_items import OpenHeading, SuggestionItem
from workbench.session import Session
from workbench.session.given_roles import give_role, left_out, role_in_force, suggested

SUGGEST_JOB = "data.suggestions"

_NEEDLESS = "Leave out what nobody needs."
_ASKED_LATER = "Leave out only what must never leave."
_OPEN = "Left out unless you include it."
_BY_NEXT = {False: "“Next” includes it.", True: "“Next” includes them."}
"""The same where the next step is to include them, and to go on."""
_ALL_IN = {False: "You included it.", True: "You included them."}
_ALL_OUT = {False: "You left it out.", True: "You left them out."}
_BOTH = "Some you included, some you left out."
_KNOWN = "As neighbours may (quasi-identifying)"
"""In the place of what stands above as a heading already: who these others are, and the term for it."""


class SuggestionsPanel(QWidget):
    """Gives the columns the suggested roles, as one step, and says why; each can be taken back.

    `tried` says whether suggestions were asked for since the data was opened.

    Signals
    -------
    columns_named(object)
        The names of the columns of a suggestion that the person looked at.
    closed()
        It is not to be seen any longer.
    marked()
        What became of the columns is shown anew.
    """

    columns_named = Signal(object)
    closed = Signal()
    marked = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.open_heading: OpenHeading | None = None
        self.open_reason: SteadyLabel | None = None
        self.items: list[SuggestionItem] = []
        self._parts: list[QWidget] = []  # the items, and what is said above those that have it in common
        self.tried = False
        set_explain(self, "data.suggestions")
        self.words = label(wrap=True, muted=True, small=True)
        self.close_button = tool_button(act=self.closed, icon=icon("close"), tip="Close the suggestions")
        self.close_button.setAccessibleName("Close the suggestions")
        self._list = QWidget()
        self._list.setProperty("bare", "true")
        self._column = boxes.column(1, margins="0 0 s 0", spacing="xs", inside=self._list)
        top = boxes.row((label("Suggested roles", heading=2), 1), self.close_button, spacing="s")
        scroll = boxes.scrolled(self._list)
        self.edges = FadingEdges(scroll)  # that there is more below is seen
        boxes.column(top, self.words, (scroll, 1), margins="s 0 0 s", spacing="s", inside=self)
        self.setMinimumWidth(tokens.EXPLAIN_WIDTH)
        document.changed.connect(self._on_changed)

    def start(self) -> None:
        """Look for roles, and give them."""
        self.tried = True
        self._clear()
        self.words.setText("Looking for what identifies people…")
        self._document.runner.start(
            "Looking for suggestions",
            self._document.session.data.suggester(),
            on_done=self.show_suggestions,
            key=SUGGEST_JOB,
            latest_wins=True,
        )

    def show_suggestions(self, found: Suggestions) -> None:
        """Give the suggested roles, and show why."""
        self._clear()
        if not self._document.has_data:
            return
        schema = self._document.project.schema
        wanted = _deciding(suggested(self._document.session, found), schema)
        told: tuple[str, str] | None = None
        asked = _unsuggested(wanted, schema)
        for number, suggestion in enumerate((*asked, *wanted)):
            offered = number < len(asked)
            heading, reason = UNDECIDED if offered else role_name(suggestion.role), suggestion.reason
            anew = told is None or told[0] != heading
            if anew:
                self._add(self._open_heading(len(asked)) if offered else _heading(suggestion.role, first=told is None))
            if offered and anew:
                self._add(self._open_reason())
            elif told != (heading, reason) and (anew or not reason.startswith(heading)):
                self._add(label(_below(heading, reason), small=True, muted=True, wrap=True))
            told = (heading, reason)
            person = schema.unit.person_column in suggestion.columns
            item = SuggestionItem(suggestion, reason, offered=offered, fixed=person)
            item.pressed.connect(partial(self._include, number))
            item.out_wanted.connect(partial(self._leave_out, number))
            self._add(item)
            self.items.append(item)
            if offered and (hint := self._hint(item.column)):
                self._add(hint)
        table = self._document.session.data.reading.table
        if not self.items:
            words = "Nothing in this table looks as if it identified people. You know better than a program."
        elif found.rows < table.rows and self._document.looked:
            words = f"You know what the columns mean. Columns together were tried on {found.rows:,} of the rows."
        else:
            words = _NEEDLESS if self._document.session.syntactic.wanted else _ASKED_LATER
        self.words.setText(words)
        self.follow_all()
        self._mark()

    def follow_all(self) -> None:
        """Follow everything that is still open, as one step."""
        wanted: dict[str, Role] = {}
        for item in self.items:
            if item.offered:
                continue
            wanted |= dict.fromkeys(self._undecided(item.suggestion), item.suggestion.role)
        if wanted:
            self._set(wanted, "Follow the suggested roles")

    def show_open(self, names: Collection[str]) -> bool:
        """Put the focus where the first of these columns is decided about; False if none of them is asked about."""
        item = next((one for one in self._open if one.column in names), None)
        if item is not None:
            item.button.setFocus()
        return item is not None

    def asks_about(self, names: Collection[str]) -> bool:
        """Whether each of these columns, of which there are some, is asked about here, and nobody decided about it."""
        return bool(names) and set(names) <= {item.column for item in self._open}

    def show_next(self, includes: bool) -> None:
        """Say whether the next step includes what nobody decided about, or leaves it out."""
        if self.open_reason is not None and (left := len(self._open)):
            self.open_reason.setText(_BY_NEXT[left > 1] if includes else _OPEN)

    def include_open(self) -> None:
        """Include all columns that are asked about, and nobody has decided about yet, as one step."""
        self._decide_all(Role.QUASI)

    @property
    def _open(self) -> list[SuggestionItem]:
        return [item for item in self.items if item.offered and item.now == UNDECIDED]

    def _hint(self, name: str) -> QWidget | None:
        """What the values of a column speak for, as its sign in the table of columns has it: it decides nothing."""
        loaded = self._document.session.data.loaded
        role, reason = (loaded.suggested_roles if loaded is not None else {}).get(name, (Role.INSENSITIVE, ""))
        if role is Role.INSENSITIVE:
            return None
        words = label(suggestion_words((role, reason), looked=self._document.looked), small=True, muted=True, wrap=True)
        words.setContentsMargins(tokens.ICON + tokens.SPACE_XS, 0, 0, 0)  # below its name
        return words

    def _open_heading(self, number: int) -> OpenHeading:
        self.open_heading = OpenHeading(number)
        self.open_heading.wanted.connect(self._decide_all)
        return self.open_heading

    def _open_reason(self) -> SteadyLabel:
        """What holds of the columns nobody decided about, and then what was decided: in the room it once took."""
        self.open_reason = SteadyLabel()
        set_look(self.open_reason, small=True, muted=True)
        self.open_reason.setText(_OPEN)
        return self.open_reason

    def _decide_all(self, role: Role) -> None:
        """Give all that nobody has decided about yet this role, as one step."""
        if names := [item.column for item in self._open]:
            next(item for item in self.items if item.offered).take_focus()  # what was pressed goes
            self._set(dict.fromkeys(names, role), marked(", ".join(f"“{name}”" for name in names), role))

    def _include(self, number: int) -> None:
        """Give its role to a column that somebody wants, whatever it has by now."""
        self._give(number, self.items[number].role_in)

    def _leave_out(self, number: int) -> None:
        """Nobody needs the column of a suggestion, whatever others know of it."""
        self._give(number, Role.IDENTIFYING)

    def _give(self, number: int, role: Role) -> None:
        column = self.items[number].column
        if column in self._document.project.schema.names:
            self._set({column: role}, marked(f"“{column}”", role))
            self.columns_named.emit((column,))

    def _set(self, wanted: dict[str, Role], text: str) -> None:
        def edit(session: Session) -> None:
            for role in Role:
                if names := [name for name, given in wanted.items() if given is role]:
                    give_role(session, names, role)

        self._document.apply(text, edit)

    def _undecided(self, suggestion: Suggestion) -> list[str]:
        """Its columns that it would change: what was called sensitive or identifying is not made less."""
        schema = self._document.project.schema
        decided = {suggestion.role, Role.IDENTIFYING}
        if suggestion.role is Role.QUASI:
            decided.add(Role.SENSITIVE)
        return [name for name in suggestion.columns if name in schema.names and self._role(name) not in decided]

    def _role(self, name: str) -> Role:
        """The role of a column as the table of columns has it."""
        return role_in_force(self._document.session, name)

    def _add(self, part: QWidget) -> None:
        self._column.insertWidget(len(self._parts), part)
        self._parts.append(part)

    def _clear(self) -> None:
        for part in self._parts:
            self._column.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._parts, self.items, self.open_heading, self.open_reason = [], [], None, None

    def _mark(self) -> None:
        schema, session = self._document.project.schema, self._document.session
        for item in self.items:
            known = [schema[name] for name in item.suggestion.columns if name in schema.names]
            out = [spec.name for spec in known if left_out(session, spec.name)]
            item.show_roles(known, left_out=out)
        asked = [item for item in self.items if item.offered]
        if self.open_heading is not None:
            self.open_heading.show_open(sum(item.now == UNDECIDED for item in asked))
        if self.open_reason is not None:
            self.open_reason.setText(_what_was_decided(asked))
        self.marked.emit()

    def _on_changed(self, section: str) -> None:
        if section == "data":
            self.tried = False
            self._clear()
            self.closed.emit()
        elif section in ("schema", "settings"):
            self._mark()


def _what_was_decided(asked: Sequence[SuggestionItem]) -> str:
    """What holds of the columns nobody had decided about; another role than these two stands beside its name."""
    several, included = len(asked) > 1, [item.followed for item in asked]
    if any(item.now == UNDECIDED for item in asked):
        return _OPEN
    if all(included):
        return _ALL_IN[several]
    return _BOTH if any(included) else _ALL_OUT[several] if all(item.is_out for item in asked) else ""


def _heading(role: Role, *, first: bool) -> QWidget:
    """What stands above the columns that are suggested to have a role."""
    words = label(role_name(role), strong=True)
    words.setToolTip(role.meaning)
    words.setContentsMargins(0, 0 if first else tokens.SPACE_S, 0, 0)
    return words


def _below(heading: str, reason: str) -> str:
    """A reason below the heading of its role: what that says already gives way to who they are, and is said once."""
    return reason.replace(heading, _KNOWN, 1) if reason.startswith(heading) else reason


def _deciding(found: Sequence[Suggestion], schema: Schema) -> list[Suggestion]:
    """One suggestion for each column: those of one role and one reason together; those that are left out come last.

    Of columns that only together tell people apart each is one that has no suggestion by itself, nor a role.
    """
    given = {spec.name for spec in schema.columns if spec.role is not Role.INSENSITIVE}
    wanted: dict[str, Suggestion] = {}
    for one in found:
        alone = len(one.columns) == 1
        for name in one.columns:
            if name in wanted or (name in given and not alone):
                continue
            others = ", ".join(other for other in one.columns if other != name)
            why = one.reason if alone else f"With {others}: {_in_a_line(one.reason)}"
            wanted[name] = Suggestion((name,), one.role, why)
    ordered = [wanted[name] for name in schema.names if name in wanted]
    roles, whys = [one.role for one in ordered], [one.reason for one in ordered]
    return sorted(
        ordered, key=lambda one: (one.role is Role.IDENTIFYING, roles.index(one.role), whys.index(one.reason))
    )


def _unsuggested(suggested: Sequence[Suggestion], schema: Schema) -> list[Suggestion]:
    """The columns that nobody decided about and nothing is suggested for, with the role that protects them."""
    known = {name for one in suggested for name in one.columns}
    return [
        Suggestion((spec.name,), Role.QUASI, _OPEN)
        for spec in schema.columns
        if spec.role_words == UNDECIDED and spec.name not in known
    ]


def _in_a_line(words: str) -> str:
    return words[0].lower() + words[1:]
