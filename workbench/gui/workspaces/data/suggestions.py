"""Roles the program gives at one click, with the reason for each: what others know, or what singles people out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.role_suggestions import Suggestion, Suggestions, sign_in_name, without_counts
from workbench.core.schema import UNDECIDED, ColumnSpec, Role, Schema
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.fading_edges import FadingEdges
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.role_marks import marked, role_icon, role_name, role_token
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.session import Session
from workbench.session.given_roles import give_role, left_out, role_in_force

SUGGEST_JOB = "data.suggestions"

_TAKE_BACK, _TAKE_IN, _FOLLOW, _INCLUDE = "Take back", "Take in again", "As suggested", "Include"
_OPEN = "Nothing says that others know it or want to. It is left out unless you include it."
_ALL_IN = {False: "You included it: others may know it.", True: "You included them: others may know them."}
_ALL_OUT = {False: "You left it out.", True: "You left them out."}
_BOTH = "What you included, others may know."
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
    """

    columns_named = Signal(object)
    closed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._before: dict[str, Role] = {}
        self._unsaid: frozenset[str] = frozenset()
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
        self._before = {spec.name: spec.role for spec in schema.columns}
        self._unsaid = frozenset(spec.name for spec in schema.columns if spec.undecided)
        suggested = _deciding(found.found, schema, looked=self._document.looked)
        told: tuple[str, str] | None = None
        asked = _open(suggested, schema)
        for number, suggestion in enumerate((*asked, *suggested)):
            offered = number < len(asked)
            heading, reason = UNDECIDED if offered else role_name(suggestion.role), suggestion.reason
            anew = told is None or told[0] != heading
            if anew:
                self._add(self._open_heading(len(asked)) if offered else _heading(suggestion.role, first=told is None))
            if offered and anew:
                self._add(self._open_reason())
            elif told != (heading, reason):
                self._add(label(_below(heading, reason, first=anew), small=True, muted=True, wrap=True))
            told = (heading, reason)
            item = SuggestionItem(suggestion, reason, offered=offered)
            item.pressed.connect(partial(self._turn, number))
            item.out_wanted.connect(partial(self._leave_out, number))
            self._add(item)
            self.items.append(item)
        table = self._document.session.data.reading.table
        if not self.items:
            words = "Nothing in this table looks as if it identified people. You know better than a program."
        elif found.rows < table.rows and self._document.looked:
            words = f"You know what the columns mean. Columns together were tried on {found.rows:,} of the rows."
        else:
            words = "Take back what is wrong, and leave out what nobody needs."
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
        item = next((one for one in self.items if one.now == UNDECIDED and one.suggestion.columns[0] in names), None)
        if item is not None:
            item.button.setFocus()
        return item is not None

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
        asked = [item for item in self.items if item.offered]
        names = [name for item in asked if item.now == UNDECIDED for name in item.suggestion.columns]
        if names:
            asked[0].button.setFocus()  # what was pressed goes
            self._set(dict.fromkeys(names, role), marked(", ".join(f"“{name}”" for name in names), role))

    def _turn(self, number: int) -> None:
        suggestion, schema = self.items[number].suggestion, self._document.project.schema
        names = self._undecided(suggestion)
        if not self.items[number].followed:
            # Those that were given another role since have it too, where somebody asks for it.
            names = names or [name for name in suggestion.columns if name in schema.names]
        listed = ", ".join(f"“{name}”" for name in names or suggestion.columns)
        if names:
            wanted = dict.fromkeys(names, suggestion.role)
            self._set(wanted, marked(listed, suggestion.role))
        else:
            back = [name for name in suggestion.columns if self._role(name) is suggestion.role]
            before = {name: self._before.get(name, Role.INSENSITIVE) for name in back}
            # What had the role already when it was suggested is of no use to anybody who takes the suggestion back.
            wanted = {n: Role.INSENSITIVE if role is suggestion.role else role for n, role in before.items()}
            self._set(wanted, f"Take the suggested role of {listed} back")
        self.columns_named.emit(suggestion.columns)

    def _leave_out(self, number: int) -> None:
        """Nobody needs the column of a suggestion, whatever others know of it."""
        names = [name for name in self.items[number].suggestion.columns if name in self._document.project.schema.names]
        listed = ", ".join(f"“{name}”" for name in names)
        self._set(dict.fromkeys(names, Role.IDENTIFYING), marked(listed, Role.IDENTIFYING))
        self.columns_named.emit(self.items[number].suggestion.columns)

    def _set(self, wanted: dict[str, Role], text: str) -> None:
        def edit(session: Session) -> None:
            for role in Role:
                names = [name for name, given in wanted.items() if given is role]
                unsaid = [name for name in names if role is Role.INSENSITIVE and name in self._unsaid]
                for some in (unsaid, [name for name in names if name not in unsaid]):
                    if some:
                        give_role(session, some, role, undecided=some is unsaid)

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

    def _on_changed(self, section: str) -> None:
        if section == "data":
            self.tried = False
            self._clear()
            self.closed.emit()
        elif section in ("schema", "settings"):
            self._mark()


class SuggestionItem(QWidget):
    """One column in a line, with the buttons that take its suggested role back or follow it, or leave the column out.

    Role and reason stand once above the columns that share them; what a column is instead is said beside its name.
    Nothing in it moves or grows with what is pressed: whoever leaves out several presses where they looked.

    `now` is the role in force, in the words of the table of columns; `offered` says that nothing speaks for the role,
    so that only a person gives it.

    Signals
    -------
    pressed()
        The button that takes back or follows was pressed.
    out_wanted()
        Its column is to be left out.
    """

    pressed = Signal()
    out_wanted = Signal()

    def __init__(
        self, suggestion: Suggestion, why: str, *, offered: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.suggestion, self.why, self.offered = suggestion, why, offered
        self.followed = self.is_out = False
        self.now = ""
        role, listed = suggestion.role, ", ".join(suggestion.columns)
        self.name = ElidedLabel(listed, small=True)
        self.sign = IconLabel(role_icon(role), tokens.ICON, role_token(role))
        self.button = push_button(act=self.pressed, quiet=True, inline=True)
        out = role_name(Role.IDENTIFYING)
        self.out = push_button(
            out, self.out_wanted, name=f"{out}: {listed}", tip="Nobody needs it", quiet=True, inline=True
        )
        keeping = self.out.sizePolicy()
        keeping.setRetainSizeWhenHidden(True)
        self.out.setSizePolicy(keeping)
        boxes.row(self.sign, (self.name, 1), self.button, self.out, spacing="xs", inside=self)
        self.show_roles(())

    def show_roles(self, specs: Sequence[ColumnSpec], *, left_out: Collection[str] = ()) -> None:
        """Show whether its column has the role by now, or which other one, as the table does.

        Parameters
        ----------
        left_out
            Columns that Anonymise leaves out, whatever their role.
        """
        role, listed = self.suggestion.role, ", ".join(self.suggestion.columns)
        spec = next(iter(specs), None)
        out = spec is not None and spec.name in left_out
        now = role if spec is None else Role.IDENTIFYING if out else spec.role
        self.followed, self.is_out = spec is not None and now is role, now is Role.IDENTIFYING
        words = role_name(role) if spec is None or self.followed else _words_of(spec)
        self.now = "Left out in Anonymise" if out and not self.followed else words
        # Of what was included or left out beside it its sign tells, and the table: a name that is cut would not.
        beside = (role_name(Role.IDENTIFYING), *([UNDECIDED] if self.offered else []))
        plain = spec is None or self.followed or self.now in beside
        self.name.set_text(listed if plain else f"{listed} · {_in_a_line(self.now)}")
        sign = "" if spec is None or out else sign_in_name(spec.name, now, spec.kind)
        said = (
            self.name.full_text,
            now.meaning,
            sign,
            "" if self.followed or self.offered else f"Suggested: {role_name(role).lower()}",
        )
        self.setToolTip("\n".join(filter(None, said)))
        self.sign.set_icon(role_icon(now), role_token(now))
        wanted = _INCLUDE if self.offered else _FOLLOW
        self.button.setText(_TAKE_BACK if self.followed else _TAKE_IN if out else wanted)
        self.button.setAccessibleName(
            f"Take back: {listed}, {role_name(role).lower()}" if self.followed else marked(listed, role)
        )
        if now is Role.IDENTIFYING and self.window().focusWidget() is self.out:
            self.button.setFocus()  # by itself, Qt goes on to the next column and scrolls to it
        self.out.setVisible(now is not Role.IDENTIFYING)


class OpenHeading(QWidget):
    """Stands above the columns nobody decided about: says how many are left, and decides about all of them at once.

    Parameters
    ----------
    number
        How many are asked about.

    Signals
    -------
    wanted(object)
        The role that all that are left are to have.
    """

    wanted = Signal(object)

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = number
        self.words = label(UNDECIDED, strong=True)
        self.all_in = push_button("Include all", partial(self.wanted.emit, Role.QUASI), quiet=True, inline=True)
        self.all_out = push_button(
            "Leave all out", partial(self.wanted.emit, Role.IDENTIFYING), quiet=True, inline=True
        )
        row = boxes.row((self.words, 1), self.all_in, self.all_out, spacing="xs", inside=self)
        row.addStrut(self.all_in.sizeHint().height() if number > 1 else 0)
        self.show_open(number)

    def show_open(self, left: int) -> None:
        """Say that so many are left; of the last one its own buttons decide."""
        last = left == 1 < self._number
        self.words.setText(
            "Decided by you" if not left else f"1 of {self._number:,} {UNDECIDED.lower()}" if last else UNDECIDED
        )
        for button in (self.all_in, self.all_out):
            button.setVisible(left > 1)


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


def _below(heading: str, reason: str, *, first: bool) -> str:
    """A reason below the heading of its role: what that says already gives way to who they are, and is said once."""
    if not first and reason.startswith(f"{heading}: "):
        rest = reason.removeprefix(f"{heading}: ")
        return rest[:1].upper() + rest[1:]
    return reason.replace(heading, _KNOWN, 1) if reason.startswith(heading) else reason


def _deciding(found: Sequence[Suggestion], schema: Schema, *, looked: bool) -> list[Suggestion]:
    """One suggestion for each column: those of one role and one reason together; those that are left out come last.

    Of columns that only together tell people apart each is one that has no suggestion by itself, nor a role: after a
    look alone, as how rows meet in several columns would decide of what is released. Before it no reason counts.
    """
    given = {spec.name for spec in schema.columns if spec.role is not Role.INSENSITIVE}
    wanted: dict[str, Suggestion] = {}
    for one in found:
        alone = len(one.columns) == 1
        if not (alone or looked):
            continue
        for name in one.columns:
            if name in wanted or (name in given and not alone):
                continue
            others = ", ".join(other for other in one.columns if other != name)
            why = one.reason if alone else f"With {others}: {_in_a_line(one.reason)}"
            wanted[name] = Suggestion((name,), one.role, why if looked else without_counts(why))
    ordered = [wanted[name] for name in schema.names if name in wanted]
    roles, whys = [one.role for one in ordered], [one.reason for one in ordered]
    return sorted(
        ordered, key=lambda one: (one.role is Role.IDENTIFYING, roles.index(one.role), whys.index(one.reason))
    )


def _open(suggested: Sequence[Suggestion], schema: Schema) -> list[Suggestion]:
    """The columns that nobody decided about and nothing is suggested for, with the role that protects them."""
    known = {name for one in suggested for name in one.columns}
    return [
        Suggestion((spec.name,), Role.QUASI, _OPEN)
        for spec in schema.columns
        if spec.role_words == UNDECIDED and spec.name not in known
    ]


def _words_of(spec: ColumnSpec) -> str:
    """The role of a column by now, as the table of columns shows it."""
    return UNDECIDED if spec.role_words == UNDECIDED else role_name(spec.role)


def _in_a_line(words: str) -> str:
    return words[0].lower() + words[1:]
