"""The first page: what somebody may want, what they worked on last, and samples to try."""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QVBoxLayout, QWidget

from workbench.core.progress import Progress
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.known_releases import known_releases, own_releases
from workbench.gui.other_table import OpenHere
from workbench.gui.release_list import ReleaseList
from workbench.gui.runner import Runner
from workbench.gui.samples import SHOWN_FIRST, samples
from workbench.gui.settings import WindowSettings
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_button import ElidingButton
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.haste import leads_once
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.widgets.page_line import page_line, spoken_time
from workbench.gui.wishes import PUBLISH, WISHES
from workbench.io.addresses import is_address
from workbench.project.lately import LatelyReleased, lately_released
from workbench.project.recovery import Slot, Unsaved
from workbench.project.storage import SUFFIX

_SHOWN = 4
"""Of what was open or made last."""
_SHOWN_ASIDE = 3
"""Of these, work that was not saved, so that the last table is among them too."""
_RELEASES = 50
"""Releases of which the first few have a line, and the rest are listed."""
_JOB = "recent files of the start page"
_STAYS = "Your data stays on this computer."
_KEPT = "settings kept"


@dataclass(frozen=True)
class RecentFile:
    """A file that was open before: when that was, if it was noted, whether it is there now; or work not saved."""

    path: Path
    opened: datetime | None
    there: bool = True
    unsaved: Unsaved | None = None

    @property
    def key(self) -> str:
        """What tells it apart."""
        return str(self.path if self.unsaved is None else self.unsaved.file)


_Found = tuple[Sequence[RecentFile], Sequence[RecentFile], tuple[LatelyReleased, ...]]
"""What has a line, work that was not saved and has none, and releases."""


class StartPage(QWidget):
    """Asks what somebody wants, and leads there.

    Parameters
    ----------
    verify
        What shows whether a release that was made lately is what its statement says.
    recover
        What goes on with work that was not saved when it gave way to another table.

    Signals
    -------
    wished(object)
        A `Wish` was chosen.
    recent_chosen(object), sample_chosen(object)
        The path of a file that was open before, or of a sample.
    another_wanted()
        Another table than the open one is to be published.
    tour_requested()
        The person would like to be shown around.
    """

    wished = Signal(object)
    recent_chosen = Signal(object)
    sample_chosen = Signal(object)
    another_wanted = Signal()
    tour_requested = Signal()

    def __init__(
        self,
        settings: WindowSettings,
        runner: Runner,
        parent: QWidget | None = None,
        *,
        verify: Callable[[Path], object] = lambda _: None,
        recover: Callable[[Unsaved], object] = lambda _: None,
    ) -> None:
        super().__init__(parent)
        self._recover = recover
        self._settings, self._runner = settings, runner
        self.setAccessibleName("Start")
        set_explain(self, "start.page")
        self.cards = [Card(wish.icon, wish.title, wish.text) for wish in WISHES]
        for card, wish in zip(self.cards, WISHES, strict=True):
            card.activated.connect(partial(self.wished.emit, wish))
        self.recent = boxes.column(spacing=0)
        self.made = ReleaseList(verify)
        self._aside: list[RecentFile] = []
        self._rest: Sequence[RecentFile] = ()
        self.more = page_line("save", "", "", self._show_rest)
        self.more.hide()
        self.samples = [
            leads_once(
                push_button(
                    sample.title,
                    partial(self.sample_chosen.emit, sample.path),
                    icon=icon("table", "link"),
                    tip=sample.about,
                    quiet=True,
                )
            )
            for sample in samples()[:SHOWN_FIRST]
        ]
        self.tour = Card("help", "Take the tour", "Six steps on a sample.")
        self.tour.activated.connect(self.tour_requested)
        for card in (*self.cards, self.tour):
            leads_once(card)
        self.stays = ElidedLabel()
        self.another = push_button("Another table…", self.another_wanted.emit, tip="Publish another table", quiet=True)
        leads_once(self.another)
        keeps = self.another.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)  # the cards are in one place whatever is open
        self.another.setSizePolicy(keeps)
        self.another.hide()
        self.open_here: Callable[[], OpenHere] = OpenHere
        """What is open, and what becomes of it."""
        self._lay_out()
        self.setFocusProxy(self.cards[0])

    def focus_first(self) -> None:
        """Put the focus where work begins."""
        self.cards[0].setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the files that were open last; whether they are there is looked up in the background."""
        stands = self.open_here()
        self.stays.set_text(f"{_STAYS} {stands.words}".strip())
        self.cards[WISHES.index(PUBLISH)].set_text(stands.publish)
        self.another.setVisible(stands.another)
        recent = self._settings.recent_files[: _SHOWN + _SHOWN_ASIDE]
        files = [RecentFile(path, self._settings.opened(path)) for path in recent]
        self._show_recent(_once(self._aside, files)[: _SHOWN - bool(self._rest)])
        self._runner.start(
            "Looking for recent files",
            partial(_look, files, own_releases(self._settings)),
            on_done=self._show_found,
            key=_JOB,
            latest_wins=True,
            owner=self,
            aside=True,
            only_reads=True,
        )

    def _show_found(self, found: _Found) -> None:
        files, self._rest, releases = found
        self._aside = [file for file in files if file.unsaved is not None]
        self.more.set_words(f"{len(self._rest):,} more", _KEPT)
        self.more.setAccessibleName(self.more.words)
        self.more.setVisible(bool(self._rest))
        self._show_recent(files)
        self.made.show_releases(known_releases(self._settings, releases))
        # Alone it has all the width: names of files are long, and what is said of them goes first.
        self._wishes.addWidget(self._opened, 4, 0, 1, 3 if self.made.isHidden() else 1)

    def _show_recent(self, found: Sequence[RecentFile]) -> None:
        # What is open, then newest first, whether it was saved or not; of what nobody noted when, the order stays.
        here = self.open_here().path
        is_open = [one.unsaved is None and one.path == here for one in found]
        order = sorted(range(len(found)), key=lambda at: (is_open[at], found[at].opened or datetime.min), reverse=True)
        found = [found[at] for at in order]
        shown = [one for one in self.findChildren(ElidingButton) if one.property("recent")]
        if [one.property("recent") for one in shown] != [file.key for file in found]:
            _empty(self.recent)
            for file in found:
                line = leads_once(self._line_of(file))
                line.setProperty("recent", file.key)
                self.recent.addWidget(line)
            shown = [one for one in self.findChildren(ElidingButton) if one.property("recent")]
        now = datetime.now()
        for line, file in zip(shown, found, strict=False):
            when = "not there now" if not file.there else spoken_time(file.opened, now) if file.opened else ""
            when = when if file.unsaved is None else f"{_KEPT}, {when}"
            when = "open" if file.unsaved is None and file.path == here else when
            line.set_words(file.path.name, when)
            if file.unsaved is not None:
                line.setAccessibleName(line.words)
            line.setEnabled(file.there)
        self._opened.setVisible(bool(found))

    def _show_rest(self) -> None:
        """List the work for which there is no line."""
        menu, now = QMenu(self), datetime.now()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for file in self._rest:
            if file.unsaved is not None and file.opened is not None:
                words = f"{file.path.name} · {spoken_time(file.opened, now)}"
                menu.addAction(icon("save"), on_button(visible(words)), partial(self._recover, file.unsaved))
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def _line_of(self, file: RecentFile) -> ElidingButton:
        if file.unsaved is not None:
            line = page_line("save", file.path.name, "", partial(self._recover, file.unsaved))
            line.setToolTip(
                "Kept when another table took its place, or when the program ended after an export; rows that were "
                "drawn are in the files that were exported. Given up once it is opened and closed without saving"
            )
            return line
        name = "save" if file.path.suffix.lower() == SUFFIX else "table"
        line = page_line(name, file.path.name, "", partial(self.recent_chosen.emit, file.path))
        line.setToolTip(str(file.path))
        return line

    def _lay_out(self) -> None:
        wishes = QGridLayout()
        wishes.setSpacing(tokens.SPACE_M)
        for place, card in enumerate((*self.cards, self.tour)):
            card.setMinimumWidth(tokens.COLUMN_MIN)
            wishes.addWidget(card, place // 3, place % 3)
        for column in range(3):
            wishes.setColumnStretch(column, 1)
        recent = boxes.column(
            label("Recent", heading=2), boxes.column(self.recent, self.more, spacing=0), 1, spacing="s"
        )
        # What is always there first, and what is not always there last: nothing moves when it comes.
        tried = boxes.row(label("Samples", heading=2), *self.samples, 1, spacing="xs")
        self._wishes, self._opened = wishes, boxes.boxed(recent)
        self._opened.hide()
        wishes.setRowMinimumHeight(2, tokens.SPACE_XS)
        wishes.addLayout(tried, 3, 0, 1, 3)
        wishes.addWidget(self._opened, 4, 0)
        wishes.addWidget(self.made, 4, 1, 1, 2)
        wishes.setRowStretch(5, 1)
        inside = QWidget()
        inside.setMaximumWidth(4 * tokens.EXPLAIN_WIDTH)
        boxes.column(
            label("What would you like to do?", heading=1),
            boxes.row((self.stays, 1), self.another, spacing="s"),
            boxes.Gap("hair"),
            wishes,
            spacing="s",
            inside=inside,
        )
        # From the top, whatever stands below and however high the window is: the cards are always in one place.
        boxes.column(boxes.Gap("xs"), (boxes.row(1, (inside, 100), 1), 1), margins="xl s xl s", inside=self)


def _look(files: Sequence[RecentFile], exported: Sequence[Path], progress: Progress) -> _Found:
    """Which of these are there, with work that was not saved; what of that has no line; releases made lately."""
    found = []
    for done, file in enumerate(files):
        progress(done / len(files))
        found.append(replace(file, there=_is_there(file.path)))
    here = [file.path for file in files if not (is_address(file.path) or glob.has_magic(str(file.path)))]
    aside = [_recent(unsaved) for unsaved in Slot().kept_aside()]
    # A line for the rest takes one of theirs.
    rest = aside[_SHOWN_ASIDE - 1 :] if len(aside) > _SHOWN_ASIDE else []
    shown = [one for one in _once(aside, found) if one not in rest][: _SHOWN - bool(rest)]
    return shown, rest, lately_released(here, _RELEASES, exported)(progress)


def _once(aside: Sequence[RecentFile], files: Sequence[RecentFile]) -> list[RecentFile]:
    """One line for each table, or project: where there is work on it that was not saved, that."""
    of = {str(file.unsaved.source) for file in aside if file.unsaved is not None}
    return [*aside, *(file for file in files if str(file.path) not in of)]


def _recent(unsaved: Unsaved) -> RecentFile:
    name = unsaved.data if unsaved.path is None else unsaved.path.name
    return RecentFile(Path(name or "Untitled"), datetime.fromtimestamp(unsaved.changed), unsaved=unsaved)


def _is_there(path: Path) -> bool:
    if is_address(path) or glob.has_magic(str(path)):
        return True  # a server, or several files: opening says what is wrong
    try:
        return path.exists()
    except OSError:
        return False  # in a folder that nobody here may look into


def _empty(layout: QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.setProperty("recent", None)
            widget.hide()
            widget.deleteLater()
