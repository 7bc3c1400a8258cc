"""The main window: rail, workspaces, messages, Explain pane and job strip around one document."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QChildEvent, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.core.visible import visible
from workbench.gui import placing
from workbench.gui.budget import BudgetStrip
from workbench.gui.data_facts import DataFacts
from workbench.gui.dialog_window import DialogWindow
from workbench.gui.dialogs import tidy
from workbench.gui.document import EXPORT_JOB, OPEN_JOB, RUN_JOB, Document
from workbench.gui.drops import dropped
from workbench.gui.engine_chip import EngineChip
from workbench.gui.engines import Engines
from workbench.gui.explaining import Explaining
from workbench.gui.following import Following
from workbench.gui.furnishing import Furnishing
from workbench.gui.header_line import HeaderLine
from workbench.gui.kept_publisher import keep_publisher
from workbench.gui.keyboard import Keyboard
from workbench.gui.known_releases import remember_releases
from workbench.gui.laid_out import lay_out_first
from workbench.gui.later import Later
from workbench.gui.menus import Menus
from workbench.gui.messages import MessageBar
from workbench.gui.near_data import NearNotice
from workbench.gui.opener import Opener
from workbench.gui.other_table import open_here
from workbench.gui.outside_data import OutsideNotice
from workbench.gui.project_files import ProjectFiles
from workbench.gui.recovery import Recovery
from workbench.gui.runner import Job, Runner
from workbench.gui.settings import WindowSettings
from workbench.gui.start_page import StartPage
from workbench.gui.statuses import Statuses
from workbench.gui.text_size import resize_tables
from workbench.gui.theme import ThemeManager, dress
from workbench.gui.tour import Tour
from workbench.gui.touring import Touring
from workbench.gui.wardrobe import Wardrobe
from workbench.gui.wayfinder import Wayfinder
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import ExplainPane, HelpBook
from workbench.gui.widgets.job_strip import JobStrip
from workbench.gui.widgets.named_choices import name_choices
from workbench.gui.widgets.pages import Pages
from workbench.gui.widgets.rail import Rail
from workbench.gui.widgets.status import Status
from workbench.gui.wishes import PUBLISH, Wish
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.construction import Nursery, Workspaces
from workbench.project.place import SAVED_ELSEWHERE
from workbench.session.plugin_trust import trust_kept

if TYPE_CHECKING:
    from workbench.gui.workspaces.data.import_preview import ImportPreview

_NOTES = {"info": Status.INFO, "success": Status.SUCCESS, "warning": Status.WARNING}
_WHAT_RESULTS_SPEAK_OF = {"schema", "rows", "hierarchies", "settings"}
_NO_SETTINGS = {"file", "result", "ledger"}
_TITLES = {room.key: room.title for room in ROOMS}
_UNDO = "undo"
_PUBLISHING = frozenset(room.key for room in ROOMS if room.group == "Publish")


class MainWindow(DialogWindow):
    """One window, one document."""

    def __init__(self, settings: WindowSettings, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        trust_kept()
        self._settings = settings
        self.themes = themes
        self.messages = MessageBar()
        for field in ("memory", "engine"):
            self.messages.offer_way_out(field, "Engine and memory…", self.choose_engine)
        self.messages.offer_way_out(SAVED_ELSEWHERE, "Save as…", self.save_as)
        self.runner = Runner(self.messages, self)
        self.document = Document(self.runner, self, engines=Engines(settings))
        keep_publisher(self.document, settings)
        remember_releases(self.document, settings)
        self.files = ProjectFiles(self.document, settings, self)
        may_leave, shown = self.files.may_leave, self._shown_last
        self.recovery = Recovery(self.document, self.messages, may_leave, self._show_project, shown, self)
        kept_aside = self.recovery.set_aside, self.recovery.may_set_aside
        self.opener = Opener(self.document, settings, self.files.may_leave, self, *kept_aside)
        self.near = NearNotice(self.document, self.messages, self)
        self.outside = OutsideNotice(self.document, self.messages, self)
        self.rail = Rail()
        self.header = HeaderLine(self.messages, self.copy_python, self.toggle_explain)
        self.stack = Pages()
        self.explain = ExplainPane(HelpBook())
        self.start = StartPage(settings, self.runner, verify=self.verify_release, recover=self.recovery.recover)
        self.start.wished.connect(self.begin)
        self.start.recent_chosen.connect(self.open_recent)
        self.recovery.laid_aside.connect(self.start.refresh)
        self.start.sample_chosen.connect(self.open_path)
        self.start.open_here = partial(open_here, self.document)
        self.start.tour_requested.connect(self.start_tour)
        self.tour = Tour(tuple(room.key for room in ROOMS))
        self.tour.arrived.connect(self._show_step)
        self.workspaces = Workspaces(self.document, self, self._place, self._furnish)
        self._furnishing = Furnishing(self.document, self.workspaces, self)
        self._finder = Wayfinder(self, self, self.verify_file)
        self.start.another_wanted.connect(partial(self._finder.begin_with_another, PUBLISH))
        self._statuses = Statuses(self.rail, self.workspaces, self._finder.way, self)
        self._furnishing.furnished.connect(self._statuses.show)
        self.touring = Touring(self.tour, self.document, self.open_path, self.reach, self.workspaces, self)
        self.following = Following(self.reach, self.workspaces, self)
        self.strip = JobStrip()
        self.strip.watch(self.runner)
        self._facts = DataFacts(self.document, self.strip)
        self.chip = EngineChip(self.document)
        self.chip.clicked.connect(self.choose_engine)
        self.strip.add(self.chip)
        self.budget = BudgetStrip(self.document, next_charge=lambda: self.workspaces.next_charge(self.rail.current))
        self.strip.add(self.budget)
        self.budget.refreshed.connect(self.document.tell_ledger)
        self._lay_out()
        frame = (self.menuBar(), self.rail, self.header, self.tour, self.explain, self.strip)
        self._wardrobe = Wardrobe(self, frame, self.stack, self.runner)
        for number, room in enumerate(ROOMS, start=1):
            self.rail.add(room.key, number, room.icon, room.name(), room.about(), room.group)
        menus = Menus(self.menuBar(), self, self.document.undo_stack, settings, themes)
        self._actions = menus.actions
        self.explaining.attach(self._actions["explain"])
        self._keyboard = Keyboard(self, self.document.undo_stack, menus.keys)
        self._wardrobe.dress_frame()
        themes.changed.connect(self._wardrobe.take_theme)
        themes.resized.connect(self._resize_text)
        self.setAcceptDrops(True)
        # One edit can change several parts; the frame around the workspaces is brought up to date once.
        self._later = Later(self, self._refresh)
        self.document.changed.connect(self._document_changed)
        self.document.failed.connect(self.messages.show_error)
        self.document.noted.connect(self._show_note)
        self.document.noted_of.connect(self._show_note)
        self.document.done_undoably.connect(self._offer_undo)
        # Undo would take back another step.
        self.document.undo_stack.indexChanged.connect(lambda _index: self.messages.dismiss(_UNDO))
        self.document.answered.connect(self.messages.clear)
        self.document.withdrawn.connect(self.messages.withdraw)
        self.document.export_wanted.connect(self.go_to_export)
        self.document.begun.connect(self._make_rooms_anew)
        self.runner.started.connect(self._job_started)
        self.rail.selected.connect(self.show_workspace)
        self.rail.clicked.connect(lambda key: self.workspaces[key].ask_what_lacks())
        self.rail.next_requested.connect(self.following.follow)
        self.rail.start_requested.connect(self.show_start)
        self.show_start()
        self._refresh()
        self.resize(placing.first_size(placing.free(self.screen())))
        settings.restore_window(self)
        self._tell_left_out()

    # Building

    def _lay_out(self) -> None:
        self.stack.addWidget(self.start)
        centre = boxes.boxed(boxes.column(self.header, (self.stack, 1), self.tour, spacing=0))
        self.explaining = Explaining(self.explain, centre, self._settings, self.stack)
        rooms = boxes.row(self.rail, (self.explaining.place, 1), spacing=0)
        self.setCentralWidget(boxes.boxed(boxes.column((rooms, 1), self.strip, spacing=0)))

    def _place(self, workspace: Workspace) -> None:
        self.stack.addWidget(workspace)
        dress(workspace)  # in its place, since moving it would style it once more

    def _furnish(self, workspace: Workspace) -> None:
        name_choices(workspace)
        workspace.go_to.connect(self.rail.select)
        workspace.reach_requested.connect(self.reach)
        self.following.attend(workspace)
        workspace.open_requested.connect(partial(self._finder.open_for, workspace.identifier))
        workspace.path_wanted.connect(partial(self._finder.open_for, workspace.identifier))
        workspace.start_requested.connect(self.show_start)
        self._statuses.follow(workspace, self._later.start)
        workspace.lock_changed.connect(self._show_lock)
        self._settings.restore_splitters(workspace)

    # What the menus do

    def new_project(self) -> None:
        """Close the project and show the first page, unless somebody wants to keep it."""
        gives_way = self.recovery.may_set_aside()
        if gives_way or self.files.may_leave():
            self.messages.clear()
            if gives_way and not self.recovery.set_aside() and not self.files.may_leave():
                return
            self.document.new()
            self.show_start()
            self.start.refresh()  # it may have been in sight before, with what was open

    def forget_recent(self) -> None:
        """Forget which files were open; of work that was not saved the person is asked."""
        if self.recovery.give_up_aside(self):
            self._settings.forget_recent()
            self.start.refresh()

    def _make_rooms_anew(self) -> None:
        """Nothing that was typed, simulated or shown for another project stays in any room."""
        room, former = self.rail.current, self.workspaces.clear()
        self.stack.setCurrentWidget(self.start)  # else each that goes would show the next one, finished or not
        for gone in former:
            self.stack.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        self._statuses.clear()
        if room:
            self.show_workspace(room)
        self._furnishing.go_on()

    def choose_file(self) -> None:
        """Ask for a data file or project and open it; a room in view that is about a table goes on with it."""
        self._finder.way.begin()
        room = self.room_in_view()
        ask = self.opener.choose_file if room is None or not room.goes_on else room.open_requested.emit
        ask()

    def choose_folder(self) -> None:
        """Ask for a folder of parts and open it."""
        self.opener.choose_folder()

    def choose_database(self) -> None:
        """Ask for a database on a server and open it."""
        self.opener.choose_database()

    def paste_table(self) -> None:
        """Keep the table on the clipboard in a file and open it."""
        self.opener.paste_table()

    def preview_path(self, path: Path) -> ImportPreview | None:
        """Open a project, or show how a data file would be read and let the person open it."""
        return self.opener.preview(path)

    def open_recent(self, path: Path) -> None:
        """Open a project or a data file at once; a data file of which there is something to decide is shown first."""
        self.opener.open_recent(path)

    def open_path(self, path: Path) -> None:
        """Open a project or a data file, whichever it is, as it is recognised."""
        self.opener.open(path)

    def save(self) -> None:
        """Save the project in the background; who has no file yet is asked for one."""
        self.files.save()

    def save_as(self) -> None:
        """Ask for a file and save the project there, in the background."""
        self.files.save_as()

    def go_to_export(self) -> None:
        self.reach("release", "export")

    def renew(self) -> None:
        """Bring what the room in view forecasts, plans or shows beforehand up to date; nothing is spent."""
        if (room := self.room_in_view()) is not None:
            room.renew()

    def spend(self) -> None:
        """Press the button of the room in view that has a price."""
        if (room := self.room_in_view()) is not None:
            room.spend()

    def room_in_view(self) -> Workspace | None:
        shown = self.stack.currentWidget()
        return shown if isinstance(shown, Workspace) else None

    def cancel(self) -> None:
        self.runner.cancel_all()

    def toggle_explain(self) -> None:
        """Show or hide the explanations."""
        self.explaining.toggle()

    def follow_next(self) -> None:
        self.rail.follow_next()

    def focus_rail(self) -> None:
        self.rail.focus_list()

    def start_tour(self) -> None:
        self.touring.start()

    def _show_step(self, room: str, _field: str) -> None:
        self.rail.select(room)

    # Showing

    def show_start(self) -> None:
        """Show the page that asks what somebody wants."""
        dress(self.start)
        self.messages.leave_room()
        self.rail.select("")
        self.stack.setCurrentWidget(self.start)
        self._later.start()  # which step is next depends on where somebody is
        self._show_lock()
        self.explain.show_key("start.page")
        self.start.focus_first()

    def released_lately(self) -> Path | None:
        return self.start.made.newest_own

    def begin(self, wish: Wish) -> None:
        """Lead to where a wish begins: to a table first, if it needs one and none is open."""
        self._finder.begin(wish)

    def _shown_last(self) -> str:
        return self._finder.way.last

    def _show_project(self, room: str) -> None:
        self._finder.show_project(room)

    def show_workspace(self, key: str) -> None:
        workspace = self.workspaces[key]
        dress(workspace)  # the theme may have changed since it was last seen
        if key in _PUBLISHING:
            self.workspaces["data"].before_publishing()
        self.messages.dismiss("way")  # of the room that was shown before
        if self.stack.currentWidget() is not workspace:
            self.messages.leave_room()
        if key == "query":
            self.near.ask_where_it_counts()
        self.rail.select(key)
        self.stack.setCurrentWidget(workspace)
        self._finder.way.visit(key)
        self._later.start()  # which step is next depends on where somebody is
        self._show_lock()
        self.explain.show_key(f"workspace.{key}")

    def select_and_focus(self, key: str) -> None:
        self.show_workspace(key)
        self.workspaces[key].focus_first()

    def reach(self, key: str, field: str) -> None:
        """Show a room with a control in it that has the focus, as "Next" and messages lead there."""
        sender = self.room_in_view()
        if (key, field) == ("data", "person") and sender is not None and sender.goes_on:
            self._finder.asked_by(sender.identifier)
        self.show_workspace(key)
        self.workspaces[key].settle()  # a page that is still to be turned would hide the control
        self.workspaces[key].reach(field)

    def _show_lock(self) -> None:
        room = self.room_in_view()
        self.header.show_room("" if room is None else room.lock, there=room is not None)

    def _resize_text(self, before: int, after: int) -> None:
        resize_tables(self, before, after)
        self.rail.take_size()
        self.header.take_size()

    def _job_started(self, job: Job) -> None:
        # What was said about the last try does not belong beside the next one.
        if job.key in (OPEN_JOB, RUN_JOB, EXPORT_JOB):
            self.messages.clear()

    def _show_note(self, kind: str, text: str, room: str = "") -> None:
        said, _, more = text.partition("\n")
        there = partial(self.select_and_focus, room)
        self.messages.show_message(
            _NOTES[kind], said, more=more, action=_TITLES.get(room, ""), callback=there, leads=True
        )

    def _offer_undo(self, text: str) -> None:
        self.messages.info(text, action="Undo", callback=self.document.undo_stack.undo, key=_UNDO)

    def _document_changed(self, section: str) -> None:
        if section in _WHAT_RESULTS_SPEAK_OF:
            self.messages.clear_passing()
        if section not in _NO_SETTINGS:
            self.strip.show_note("")  # what was cancelled is asked in another way by now
        self._later.start()

    def _refresh(self) -> None:
        document = self.document
        place = document.shown_path()  # what was never saved is on the start page, too, under the name of its table
        name = "Untitled project" if place is None else visible(place.stem if document.path else place.name)
        self.setWindowTitle(f"{name}[*] – Anonymisation workbench")
        self.setWindowModified(document.modified)
        self._show_lock()
        for name in ("command", "pseudonyms"):
            self._actions[name].setEnabled(document.has_data)
        self._actions["export"].setEnabled(document.session.has_result)
        self._statuses.show()
        self._facts.show()

    # Leaving

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.files.may_leave():
            event.ignore()
            return
        self._settings.remember_window(self)
        parts = (self._statuses, self._furnishing, self._wardrobe, self.workspaces)
        for part in (self._later, self._finder, *parts, self.touring, self.following, self.budget):
            part.stop()
        self.runner.shutdown()
        self.recovery.close()
        self.document.close()
        event.accept()

    def childEvent(self, event: QChildEvent) -> None:
        super().childEvent(event)
        child = event.child()
        # A dialog of the window, which is about to be seen.
        if event.polished() and isinstance(child, QWidget) and child.isWindow() and not isinstance(child, Nursery):
            dress(child)
            name_choices(child)
            tidy(child)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        escaped = event.key() == Qt.Key.Key_Escape and self.explaining.escape()
        if not escaped and not self._keyboard.press(event):
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            lay_out_first(self)
            self._furnishing.go_on()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped(event)
        if path is not None:
            event.acceptProposedAction()
            self.opener.look_at(path)
