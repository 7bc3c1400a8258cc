"""Roles the program gives at one click, with the reason for each: what others know, or what singles people out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QObject, Signal

from workbench.core.role_suggestions import TELLS_APART, UNLISTED, Suggestion, Suggestions
from workbench.core.role_words import CERTAIN, FREE_TEXT, POST_CODE, WANTED
from workbench.core.schema import ColumnSpec, Role, Schema
from workbench.gui.document import Document
from workbench.gui.widgets.role_marks import marked, role_name
from workbench.gui.workspaces.data.undecided import undecided_columns
from workbench.session import Session
from workbench.session.given_roles import (
    give_role,
    left_out,
    role_in_force,
    role_included,
    suggested,
    suggested_by_names,
)
from workbench.session.release.purpose import not_ticked

SUGGEST_JOB = "data.suggestions"

OFFERED = "To be safe: name says nothing"
_BY_ITS_NAME = "Tells people apart, by its name"
WIDEST = (OFFERED, _BY_ITS_NAME)
"""The longest of what is said of a column before a look, for which its cell has room."""
_YOURS = "Your choice"
_NOT_SO = f"{_YOURS}, not as suggested"
_NOT_TICKED = "Not ticked in Anonymise"
_NOT_THERE = "Left out in Anonymise"
_AS_NEIGHBOURS = "Neighbours may know it"
_IN_SHORT = {
    Role.QUASI: _AS_NEIGHBOURS,
    Role.SENSITIVE: "Others want to learn it",
    Role.IDENTIFYING: "Identifying, or not needed",
    Role.INSENSITIVE: "Nobody is found by it",
}
"""What a role says of its column, in the room of a cell."""
_SHORTENED = {
    WANTED: _IN_SHORT[Role.SENSITIVE],
    POST_CODE: _AS_NEIGHBOURS,
    UNLISTED: "Has too many values to list",
}
_BY_NAME = {
    CERTAIN: "Identifies people, by its name",
    FREE_TEXT: "Can name people, as free text",
    TELLS_APART: _BY_ITS_NAME,
}
"""What a column does, and by what: a reason in the room of a cell, in one form for all."""
_BY_VALUES = " say that it identifies people."


class RoleSuggestions(QObject):
    """Gives the columns the suggested roles, as one step, and says why; each can be taken back.

    What nothing speaks for or against is included, and so protected like what others know: a promise leaves out what
    nobody decides about. Before a look that follows from names and kinds alone.

    `tried` says whether suggestions were asked for since the data was opened.

    Signals
    -------
    found()
        There are suggestions, and their roles were given.
    """

    found = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._by_name: dict[str, Suggestion] = {}
        self._offered: tuple[str, ...] = ()
        self._unnamed: frozenset[str] = frozenset()
        """Columns of which neither name nor kind says anything."""
        self._not_ticked: frozenset[str] | None = None
        """Columns that Anonymise leaves out as they are not ticked there; None until somebody asks again."""
        self.tried = False
        document.changed.connect(self._on_changed)

    @property
    def suggested(self) -> tuple[Suggestion, ...]:
        """One suggestion for each column that has any, in the order of the columns."""
        return tuple(self._by_name.values())

    def start(self) -> None:
        """Look for roles, and give them."""
        self.tried = True
        self._document.runner.start(
            "Looking for suggestions",
            self._document.session.data.suggester(),
            on_done=self.take,
            key=SUGGEST_JOB,
            latest_wins=True,
        )

    def take(self, found: Suggestions) -> None:
        """Give the suggested roles, and keep why."""
        if not self._document.has_data:
            return
        session = self._document.session
        wanted = _deciding(suggested(session, found), session.project.schema)
        self._by_name = {one.columns[0]: one for one in wanted}
        self._offered = tuple(name for name in undecided_columns(session) if name not in self._by_name)
        self._unnamed = frozenset(self._offered)
        self.follow_all()
        self.found.emit()

    def follow_all(self) -> None:
        """Follow everything that is still open, as one step."""
        if wanted := self._wanted:
            self._set(wanted, "Follow the suggested roles")

    def asks_about(self, names: Collection[str]) -> bool:
        """Whether nothing is suggested for any of these columns, of which there are some, and nobody decided."""
        return bool(names) and set(names) <= set(self._open)

    def include_open(self) -> None:
        """Include all columns that nothing is suggested for, and nobody has decided about, as one step."""
        if names := self._open:
            self._set(dict.fromkeys(names, Role.QUASI), marked(", ".join(f"“{name}”" for name in names), Role.QUASI))

    def can_include(self, name: str) -> bool:
        """Whether a column can be in a release: it neither tells persons apart nor has too many values to list."""
        one = self._by_name.get(name)
        unlisted = one is not None and one.reason == UNLISTED
        return not unlisted and name != self._document.project.schema.unit.person_column

    def turn(self, name: str) -> None:
        """Leave a column out or, if it is, include it."""
        if self._role(name) is not Role.IDENTIFYING:
            role = Role.IDENTIFYING
        elif self.can_include(name):
            role = role_included(self._by_name.get(name, Suggestion((name,), Role.IDENTIFYING, "")))
        else:
            return
        self._set({name: role}, marked(f"“{name}”", role))

    def why(self, spec: ColumnSpec) -> str:
        """Why a column has its role, in short; "" where nobody has said one."""
        role = Role.IDENTIFYING if left_out(self._document.session, spec.name) else spec.role
        if spec.undecided and role is Role.INSENSITIVE:
            return ""
        if role is not spec.role:
            return _NOT_TICKED if spec.name in self._unticked else _NOT_THERE
        if spec.name in self._unnamed:
            return OFFERED if role is Role.QUASI else _YOURS
        one = self._by_name.get(spec.name)
        if one is None:
            return _IN_SHORT[role]
        return _in_short(one) if role is one.role else _NOT_SO

    def in_full(self, spec: ColumnSpec) -> str:
        """Why a column has its role and, where another was suggested, which that was and why."""
        words, one = self.why(spec), self._by_name.get(spec.name)
        if words != _NOT_SO or one is None:
            return words
        return f"{words}.\nSuggested: {role_name(one.role)}. {_in_short(one)}."

    @property
    def left_out_elsewhere(self) -> str:
        """By whom columns are left out that Data would let in; "" where there are none."""
        session = self._document.session
        if self._unticked:
            return "as ticked in Anonymise"
        some = any(left_out(session, spec.name) for spec in session.project.schema.columns)
        return "as Anonymise says" if some else ""

    @property
    def followed(self) -> bool:
        """Whether they were asked for, now or before the work was opened again, and there is nothing left to follow."""
        session = self._document.session
        recalled = bool(self._by_name) and not session.looks.taken and not undecided_columns(session)
        return (self.tried or recalled) and not self._wanted

    @property
    def _wanted(self) -> dict[str, Role]:
        wanted = {name: one.role for name, one in self._by_name.items() if self._would_change(one)}
        if not self._document.session.syntactic.wanted:  # which leaves out nothing that nobody decided about
            wanted |= dict.fromkeys(self._open, Role.QUASI)
        return wanted

    @property
    def _open(self) -> list[str]:
        return [name for name in self._offered if name in undecided_columns(self._document.session)]

    def _would_change(self, one: Suggestion) -> bool:
        """Whether its column has a role that protects less: what was called sensitive or identifying stays."""
        decided = {one.role, Role.IDENTIFYING}
        if one.role is Role.QUASI:
            decided.add(Role.SENSITIVE)
        return self._role(one.columns[0]) not in decided

    def _role(self, name: str) -> Role:
        """The role of a column as the table of columns has it."""
        return role_in_force(self._document.session, name)

    def _set(self, wanted: dict[str, Role], text: str) -> None:
        def edit(session: Session) -> None:
            for role in Role:
                if names := [name for name, given in wanted.items() if given is role]:
                    give_role(session, names, role)

        self._document.apply(text, edit)

    @property
    def _unticked(self) -> frozenset[str]:
        if self._not_ticked is None:
            self._not_ticked = frozenset(not_ticked(self._document.session))
        return self._not_ticked

    def _on_changed(self, section: str) -> None:
        self._not_ticked = None
        if section == "data":
            self.tried, self._by_name, self._offered, self._unnamed = False, {}, (), frozenset()
            self._recall()

    def _recall(self) -> None:
        """Of work that is opened again say the same reasons as before: names and kinds have them."""
        if not self._document.has_data:
            return
        session = self._document.session
        schema = session.project.schema
        if all(spec.role is Role.INSENSITIVE for spec in schema.columns):
            return
        self._by_name = {one.columns[0]: one for one in suggested_by_names(session)}
        self._unnamed = frozenset(schema.names).difference(self._by_name)


def _deciding(found: Sequence[Suggestion], schema: Schema) -> list[Suggestion]:
    """One suggestion for each column, in their order.

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
    return [wanted[name] for name in schema.names if name in wanted]


def _in_short(one: Suggestion) -> str:
    """The reason without what the cells beside it say: the role, and the name of the column."""
    if one.reason in _SHORTENED:
        return _SHORTENED[one.reason]
    for reason, short in _BY_NAME.items():
        begins = reason.format(one.columns[0]).rstrip(".")
        if one.reason.startswith(begins):  # what was counted may follow
            return f"{short}{one.reason.removeprefix(begins)}".rstrip(".")
    said = role_name(one.role)
    words = one.reason.replace(f", “{one.columns[0]}”,", "").replace(" says that it", "")
    words = words.replace("You said that it tells", "Tells")
    if words.startswith("Its name and ") and words.endswith(_BY_VALUES):
        words = f"{_BY_NAME[CERTAIN]}{words.removeprefix('Its name').removesuffix(_BY_VALUES)}"
    if words.startswith(said):
        words = words[len(said) :].lstrip(":. ")
    return f"{words[:1].upper()}{words[1:]}".rstrip(".") or _IN_SHORT[one.role]


def _in_a_line(words: str) -> str:
    return words[0].lower() + words[1:]
