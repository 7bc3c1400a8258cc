"""The next step: on the path somebody is on, from the room they are in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from workbench.gui.widgets.status import Status
from workbench.gui.wishes import PUBLISH
from workbench.gui.workspaces.base import Workspace
from workbench.project.model import Project

_PUBLISH = ("data", "hierarchies", "anonymise", "release")
_PATHS = (_PUBLISH, ("data", "query"), ("data", "collect"), ("compare", "mechanisms"))
_ON = dict.fromkeys(("run", "rows", "number"), "Go on to Anonymise")
"""Name of a step as seen from another room, by its control, where the way only leads to it."""
_ROLES = "roles"

UNDECIDED = "undecided"
"""The control that decides about columns nobody decided about, which a promise leaves out."""

TO_DECIDE = "to decide"
"""The same seen from another room, which leads to the columns and decides nothing."""

_OF_PUBLISHING = (_ROLES, UNDECIDED)
"""Controls of the data room that only a release needs."""

KNOWN = "known"
"""The control that asks for what is known without the file, of all columns at once."""

PURPOSE = "purpose"
"""The ticks that say what a release is for."""

RELEASED = "released"
"""The control of what was released of a table before."""

HAND_OVER = "hand over"
"""The control of files that were exported and hold: nothing is left to do but to hand them over."""

HANDED_OVER = "handed over"
"""What is due of files that were exported, wherever it is seen from: Release lists them."""

OPEN = "Open a table"
"""What is due while no table is open."""

_AT_FIRST = PUBLISH.title, "data", ""
"""The same on the first page, by the words of the card there that does the same."""

OPEN_ANOTHER = "Open another table"
"""What is due while the one that is open has no rows."""

_WITHOUT_PERSON = frozenset(("compare",))
"""Rooms that begin with a table of which nobody said who is protected: nothing they show first is read from it."""


def room_without_table(project: Project) -> str:
    """The room that a project without a table is about: a survey, an experiment, a mechanism; "" if it has a table."""
    if project.data is not None:
        return ""
    untouched = Project()
    rooms = (("collect", "collect"), ("comparing", "compare"), ("laboratory", "mechanisms"))
    return next((room for part, room in rooms if getattr(project, part) != getattr(untouched, part)), "")


@dataclass
class Way:
    """The goal of somebody's path, which decides between paths that begin in the same room.

    Attributes
    ----------
    towards
        The room they were in last, or wished to be in, other than the first one.
    awaited
        The room they wished to be in and are not yet, because something comes first; "" if there is none.
    unsaid
        Whether nobody had said who is protected when this was last looked at.
    asking
        The room that asked for a table, until one is being read; "" if none did. Nothing comes of it where the person
        thinks better of it, or goes elsewhere meanwhile.
    last
        The room that was shown last; the first page is none.
    """

    towards: str = ""
    awaited: str = ""
    unsaid: bool = False
    asking: str = ""
    last: str = ""

    @property
    def publishing(self) -> bool:
        """Whether they may want to publish the table, which needs roles as soon as it is said who is protected."""
        return self.towards in ("", *_PUBLISH)

    @property
    def led(self) -> bool:
        """Whether they said that they want to publish the table, and went nowhere since."""
        return self.towards == _PUBLISH[0]

    @property
    def first(self) -> str:
        """The room where a table is seen first: the one that wished for it, if nothing must be said of it before."""
        return self.awaited if self.awaited in _WITHOUT_PERSON else "data"

    def wish(self, room: str) -> None:
        """Somebody wants to go to a room."""
        self.towards, self.awaited = room, "" if room == "data" else room

    def begin(self) -> None:
        """Another table is about to be opened, without a wish."""
        self.towards = self.awaited = self.asking = ""

    def come_back(self, room: str) -> None:
        """A room asked for the table that is about to be opened, and goes on with it."""
        self.asking = room

    def arrive(self, current: str) -> str:
        """The room to show now that a table is being read; "" to stay in the current one, to which somebody went."""
        if self.asking:
            self.wish(self.asking)
            self.asking = ""
        return "" if self.went_to(current) else self.first

    def went_to(self, room: str) -> bool:
        """Whether somebody went to this room since another table was about to be opened, and not because of a wish."""
        return bool(room) and self.towards == room and not self.awaited

    def visit(self, room: str) -> None:
        """Somebody is in a room: what they awaited, or what they went to instead."""
        self.last = room
        if room != "data":
            self.towards, self.awaited, self.asking = room, "", ""

    def rooms(self, current: str, done: Collection[str] = ()) -> tuple[str, ...]:
        """The rooms whose next step may be the next one, the likeliest first.

        From the room in view on to the end of its path, then what was passed by, unless the end was reached: a step
        that somebody left out does not hide the one they are at.

        Parameters
        ----------
        current
            The room in view; "" for the start page.
        done
            The rooms in which everything is done.
        """
        fitting = [path for path in _PATHS if current in (*path, "")]
        path = next((path for path in fitting if self.towards in path), (fitting or [_PUBLISH])[0])
        at = path.index(current) if current in path else 0
        return path[at:] if path[-1] in done else (*path[at:], *path[:at])

    def step(self, current: str, rooms: Mapping[str, Workspace]) -> tuple[str, str, str]:
        """The next step in words, its room, and the control there; three empty texts if nothing is left to do.

        Parameters
        ----------
        current
            The room in view.
        rooms
            Those that were made by now.
        """
        given = any(room.gives_roles for room in rooms.values())
        path = self.rooms(current, {key for key, room in rooms.items() if room.status() is Status.SUCCESS})
        for key in path:
            room = rooms.get(key)
            hint = "" if room is None else room.next_hint()
            if room is not None and hint and belongs(field := room.next_field(), path):
                if field == _ROLES and given:
                    continue
                if not current and field in (HAND_OVER, HANDED_OVER):
                    continue  # who is on the first page is about to do something else
                if field == RELEASED and current == _PUBLISH[-1]:
                    continue  # it is what they see
                if not current and hint == OPEN:
                    return _AT_FIRST
                if field == HANDED_OVER:
                    return hint, "release", RELEASED
                if key != current and field == UNDECIDED:
                    return "Decide about columns", key, TO_DECIDE  # which are not in sight
                # What spends is pressed by the person: from another room the way leads there and no further.
                if key != current and field in (KNOWN, RELEASED, PURPOSE):
                    field = "run"  # the room first, then what is to be said in it
                return (_ON.get(field, hint) if key != current else hint), key, field
        # A new window has no room yet, and whoever sees it for the first time begins with a table.
        return ("", "", "") if rooms or current else _AT_FIRST


def belongs(field: str, rooms: tuple[str, ...]) -> bool:
    """Whether a step of the data room belongs to the path of these rooms."""
    return field not in _OF_PUBLISHING or _PUBLISH[-1] in rooms
