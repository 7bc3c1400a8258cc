"""The main window: rail, workspaces, messages, Explain pane and job strip around one document."""

from __future__ import annotations

import shlex
from pathlib import Path

from PySide6.QtCore import QChildEvent, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QMainWindow,
    QMessageBox,
    QSizePolicy,
    QWidget,
)

from workbench import __version__
from workbench.gui import tokens
from workbench.gui.budget import BudgetStrip
from workbench.gui.document import EXPORT_JOB, OPEN_JOB, RUN_JOB, Document
from workbench.gui.engine_chip import EngineChip
from workbench.gui.engine_dialog import EngineDialog
from workbench.gui.engines import Engines
from workbench.gui.later import Later
from workbench.gui.menus import Menus
from workbench.gui.messages import MessageBar
from workbench.gui.near_data import NearNotice
from workbench.gui.opener import Opener, dropped
from workbench.gui.overwrite_question import Wanted, ask_about_newer
from workbench.gui.plugins_dialog import PluginsDialog
from workbench.gui.recovery import Recovery
from workbench.gui.runner import Job, Runner
from workbench.gui.saving import Saved, SaveOrder
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import ThemeManager, dress
from workbench.gui.tour import Tour
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bare_splitter import BareSplitter
from workbench.gui.widgets.explain import ExplainPane, HelpBook
from workbench.gui.widgets.job_strip import JobStrip
from workbench.gui.widgets.pages import Pages
from workbench.gui.widgets.rail import Rail
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces import ROOMS, WorkspaceEntry
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.construction import Workspaces
from workbench.gui.workspaces.data.import_preview import ImportPreview
from workbench.io.reading import Reading
from workbench.project.place import SAVED_ELSEWHERE
from workbench.project.storage import SUFFIX
from workbench.session.plugins import left_out, trust_kept

_NOTES = {"info": Status.INFO, "success": Status.SUCCESS, "warning": Status.WARNING}

_WHAT_RESULTS_SPEAK_OF = {"schema", "rows", "hierarchies", "settings"}

_NAMED_LINES = 20
_OUTSIDE = "data outside the project's folder"

_FURNISH_GAP_MS = 40
"""Between two steps of making a workspace in advance, so that the person's first clicks come through."""


class MainWindow(QMainWindow):
    """One window, one document."""

    def __init__(self, settings: WindowSettings, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        trust_kept()
        self._settings = settings
        self._themes = themes
        self.messages = MessageBar()
        for field in ("memory", "engine"):
            self.messages.offer_way_out(field, "Engine and memory…", self.choose_engine)
        self.messages.offer_way_out(SAVED_ELSEWHERE, "Save as…", self.save_as)
        self.runner = Runner(self.messages, self)
        self.document = Document(self.runner, self, engines=Engines(settings))
        self.opener = Opener(self.document, settings, self._may_leave, self)
        self.opener.beginning.connect(self.messages.clear)
        self.opener.opened.connect(self._show_data)
        self.near = NearNotice(self.document, self.messages, self)
        self.recovery = Recovery(self.document, self.messages, self._may_leave, self)
        self.rail = Rail()
        self.stack = Pages(self.messages)
        self.explain = ExplainPane(HelpBook())
        # On a small screen the work comes first: the pane gives way, and may not keep the window wide.
        self.explain.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.explain.setMinimumWidth(0)
        self.explain.close_button.clicked.connect(self._close_explain)
        self.tour = Tour(tuple(room.key for room in ROOMS))
        self.tour.arrived.connect(self.rail.select)
        self.strip = JobStrip()
        self.strip.watch(self.runner)
        self.chip = EngineChip(self.document)
        self.chip.clicked.connect(self.choose_engine)
        self.strip.add(self.chip)
        self.budget = BudgetStrip(self.document)
        self.strip.add(self.budget)
        self.budget.refreshed.connect(self.document.tell_ledger)
        self.workspaces = Workspaces(self._make, self._furnish)
        self._lay_out()
        for number, room in enumerate(ROOMS, start=1):
            self.rail.add(room.key, number, room.icon, room.name(), room.about())
        self._actions = Menus(self.menuBar(), self, self.document.undo_stack, settings, themes).actions
        self._actions["explain"].setCheckable(True)
        self._actions["explain"].setChecked(settings.value("explain", True) is not False)
        self._dress_what_is_seen()
        themes.changed.connect(self._dress_what_is_seen)
        self.setAcceptDrops(True)
        # One edit can change several parts; the frame around the workspaces is brought up to date once.
        self._later = Later(self, self._refresh)
        self._furnishing = Later(self, self._furnish_next, _FURNISH_GAP_MS)
        self.document.changed.connect(self._document_changed)
        self.document.failed.connect(self._show_error)
        self.document.saving.done.connect(self._saved)
        self.document.saving.decide = self._decide_about_newer
        self.document.noted.connect(self._show_note)
        self.document.outside.connect(self._ask_about_outside)
        self.runner.started.connect(self._job_started)
        self.runner.finished.connect(self._furnish_later)
        self.rail.selected.connect(self.show_workspace)
        self.rail.next_requested.connect(self.show_workspace)
        self.rail.select("data")
        self._refresh()
        self.resize(tokens.WINDOW_WIDTH, tokens.WINDOW_HEIGHT)
        settings.restore_window(self)
        self._tell_left_out()

    # Building

    def _lay_out(self) -> None:
        # Messages push the page down and never lie over it: its head may hold what they speak of.
        centre = boxes.boxed(boxes.column(self.messages, (self.stack, 1), self.tour, spacing=0))
        split = BareSplitter()
        split.setObjectName("explain")
        split.setChildrenCollapsible(False)
        split.addWidget(centre)
        split.addWidget(self.explain)
        split.setStretchFactor(0, 1)
        split.setSizes([tokens.WINDOW_WIDTH, tokens.EXPLAIN_WIDTH])
        rooms = boxes.row(self.rail, (split, 1), spacing=0)
        whole = boxes.boxed(boxes.column((rooms, 1), self.strip, spacing=0))
        self.setCentralWidget(whole)

    def _make(self, room: WorkspaceEntry) -> Workspace:
        """Make a workspace, the first time somebody wants to see it or the window has nothing better to do."""
        workspace: Workspace = room.load()(self.document, self)
        return workspace

    def _furnish(self, workspace: Workspace) -> None:
        self.stack.addWidget(workspace)
        dress(workspace)  # in its place, since moving it would style it once more
        workspace.go_to.connect(self.rail.select)
        workspace.open_requested.connect(self.choose_file)
        workspace.tour_requested.connect(self.start_tour)
        workspace.status_changed.connect(self._later.start)
        self._settings.restore_splitters(workspace)

    def _furnish_next(self) -> None:
        """Make the workspaces nobody has asked for yet, step by step, once the window stands.

        On this thread: importing widgets on another one while this one imports too is asking for a deadlock.
        """
        # Making widgets beside a busy thread takes several times as long, and the person waits for that thread.
        if self.runner.jobs:
            return
        missing = len(self.workspaces.unbuilt())
        self.workspaces.advance()
        if len(self.workspaces.unbuilt()) < missing:
            self._show_statuses()
        self._furnish_later()

    def _furnish_later(self, _job: Job | None = None) -> None:
        if self.workspaces.unbuilt():
            self._furnishing.start()

    # What the menus do

    def new_project(self) -> None:
        if self._may_leave():
            self.messages.clear()
            self.document.new()
            self.rail.select("data")

    def choose_file(self) -> None:
        """Ask for a data file or project and open it."""
        self.opener.choose_file()

    def choose_folder(self) -> None:
        """Ask for a folder of parts and open it."""
        self.opener.choose_folder()

    def preview_path(self, path: Path) -> ImportPreview | None:
        """Open a project, or show how a data file would be read and let the person open it."""
        return self.opener.preview(path)

    def open_recent(self, path: Path) -> None:
        """Open a project or a data file at once; a data file with lines that do not fit is shown first."""
        self.opener.open_recent(path)

    def open_path(self, path: Path) -> None:
        """Open a project or a data file, whichever it is, as it is recognised."""
        self.opener.open(path)

    def choose_engine(self) -> EngineDialog:
        """Show where the data is worked on and how much memory it may use, and let the person change it."""
        dialog = EngineDialog(self.document, self)
        dialog.engine_chosen.connect(self.opener.move)
        dialog.finished.connect(self._later.start)
        dialog.open()
        return dialog

    def show_plugins(self) -> PluginsDialog:
        """Show the plug-ins of third parties, with what is wrong with those that are left out."""
        dialog = PluginsDialog(self.document, self)
        dialog.open()
        return dialog

    def _tell_left_out(self) -> None:
        """Name the plug-ins that cannot be used, once; the dialog can be read again."""
        problems = left_out()
        if problems:
            self.messages.warning(
                problems[0].sentence
                if len(problems) == 1
                else "{n} plug-ins are left out: {names}".format(
                    n=len(problems), names=", ".join(f"{one.entry_point} ({one.origin.name})" for one in problems)
                ),
                "Everything else works. Help → Plug-ins says more, at any time.",
                action="Plug-ins…",
                callback=self.show_plugins,
                details="\n".join(one.sentence for one in problems),
                key="plugins",
            )

    def _show_data(self) -> None:
        self.rail.select("data")

    def save(self) -> None:
        """Save the project in the background; who has no file yet is asked for one."""
        path = self.document.path or self._ask_for_file()
        if path is not None:
            self.document.saving.save(path)

    def save_as(self) -> None:
        """Ask for a file and save the project there, in the background."""
        path = self._ask_for_file()
        if path is not None:
            self.document.saving.save(path)

    def _ask_for_file(self) -> Path | None:
        session = self.document.session
        name = self.document.path.stem if self.document.path else self._suggested_name()
        chosen, _ = QFileDialog.getSaveFileName(
            self,
            "Save project",
            str(Path(self.opener.folder) / f"{name}{SUFFIX}"),
            "Projects ({patterns})".format(patterns=f"*{SUFFIX}"),
        )
        if not chosen or self.document.session is not session:
            return None  # or the file was chosen for a project that another one has taken the place of meanwhile
        path = Path(chosen)
        return path if path.suffix.lower() == SUFFIX else path.with_name(path.name + SUFFIX)

    def _decide_about_newer(self, path: Path) -> SaveOrder | None:
        """Ask before what somebody else has saved is overwritten."""
        wanted = ask_about_newer(self, path)
        if wanted is Wanted.OVERWRITE:
            return SaveOrder(path, overwrite=True)
        other = self._ask_for_file() if wanted is Wanted.SAVE_AS else None
        return None if other is None else SaveOrder(other)

    def _saved(self, saved: Saved) -> None:
        if not saved.recorded:
            self._settings.add_recent(saved.claimed.path)

    def go_to_export(self) -> None:
        self.select_and_focus("release")

    def run(self) -> None:
        """Do the main thing of the room in view; from a room without one, anonymise."""
        if not self.document.has_data:
            return
        workspace = self.stack.currentWidget()
        if not isinstance(workspace, Workspace) or type(workspace).run is Workspace.run:
            self.rail.select("anonymise")
            workspace = self.workspaces["anonymise"]
        workspace.run()

    def cancel(self) -> None:
        self.runner.cancel_all()

    def toggle_explain(self) -> None:
        """Show or hide the Explain pane, and remember it."""
        self._settings.set_value("explain", self._actions["explain"].isChecked())
        self._place_explain()
        if self._actions["explain"].isChecked() and not self._has_room_to_explain():
            self.messages.info(
                "The Explain pane needs a wider window.",
                "It opens when there is room.",
                key="explain",
            )

    def _close_explain(self) -> None:
        self._actions["explain"].setChecked(False)
        self.toggle_explain()

    def _has_room_to_explain(self) -> bool:
        return self.width() >= tokens.EXPLAIN_FROM_WIDTH

    def _place_explain(self) -> None:
        self.explain.setVisible(self._actions["explain"].isChecked() and self._has_room_to_explain())

    def focus_rail(self) -> None:
        self.rail.focus_list()

    def copy_command(self) -> None:
        """Put the command line that does the same as this project on the clipboard."""
        document = self.document
        if document.path is None or document.modified or document.project.data is None:
            self.messages.info(
                "A command repeats a saved project.",
                "Save the project, then copy the command.",
                action="Save",
                callback=self.save,
                key="command",
            )
            return
        data = Path(document.project.data.path)
        words = ["workbench", "run", str(document.path), "--data", str(data)]
        words += ["--out", str(document.session.data.place_beside[0] / "release")]
        QGuiApplication.clipboard().setText(shlex.join(words))
        self.messages.success("The command was copied.", shlex.join(words), key="command")

    def start_tour(self) -> None:
        self.tour.start()

    def about(self) -> None:
        QMessageBox.about(
            self,
            "About",
            (
                f"Anonymisation workbench {__version__}\n\nAnonymise tables and know exactly what was promised.\n"
                "Apache License 2.0"
            ),
        )

    # Showing

    def show_workspace(self, key: str) -> None:
        workspace = self.workspaces[key]
        dress(workspace)  # the theme may have changed since it was last seen
        self.rail.select(key)
        self.stack.setCurrentWidget(workspace)
        self.explain.show_key(f"workspace.{key}")

    def select_and_focus(self, key: str) -> None:
        self.show_workspace(key)
        self.workspaces[key].focus_first()

    def _dress_what_is_seen(self) -> None:
        """Style the frame, the room in view and the dialogs that are open; the other rooms when they are next shown.

        The window itself wears no sheet: all rooms in it would be styled with it, seen or not.
        """
        frame = (self.menuBar(), self.rail, self.messages, self.tour, self.explain, self.strip)
        direct = self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for part in (*frame, *filter(QWidget.isWindow, direct), self.stack.currentWidget()):
            if part is not None:
                dress(part)

    def _job_started(self, job: Job) -> None:
        # What was said about the last try does not belong beside the next one.
        if job.key in (OPEN_JOB, RUN_JOB, EXPORT_JOB):
            self.messages.clear()

    def _show_error(self, error: BaseException) -> None:
        self.messages.show_error(error)

    def _ask_about_outside(self, data: str) -> None:
        """A project may come from anybody and name any file: it is read when the person wants it to be."""
        session = self.document.session

        def agree() -> None:
            if self.document.session is session:
                self.document.open_named_data()

        self.messages.warning(
            f"This project opens {data}, outside its own folder.",
            "It was not opened on this computer before, and nothing of it was read yet.",
            action="Open the data",
            callback=agree,
            other_action="Leave it",
            other_callback=lambda: None,
            key=_OUTSIDE,
        )

    def _show_note(self, kind: str, text: str) -> None:
        self.messages.show_message(_NOTES[kind], text)

    def _document_changed(self, section: str) -> None:
        if section in _WHAT_RESULTS_SPEAK_OF:
            self.messages.clear_passing()
        self._later.start()

    def _refresh(self) -> None:
        document = self.document
        path = document.path
        name = path.stem if path else "Untitled project"
        self.setWindowTitle(f"{name}[*] – Anonymisation workbench")
        self.setWindowModified(document.modified)
        self._actions["run"].setEnabled(document.has_data)
        self._actions["command"].setEnabled(document.has_data)
        session = document.session
        self._actions["export"].setEnabled(session.release.result is not None or session.syntactic.recoded is not None)
        self._show_statuses()
        self._show_facts()

    def _show_statuses(self) -> None:
        for key, workspace in self.workspaces.built().items():
            self.rail.set_status(key, workspace.status())
        for key, workspace in self.workspaces.built().items():
            hint = workspace.next_hint()
            if hint:
                self.rail.set_next(hint, key)
                return
        self.rail.set_next("")

    def _show_facts(self) -> None:
        document = self.document
        if document.has_data:
            reading, prepared = document.session.data.reading, document.session.data.prepared
            count = reading.table.rows
            rows = "1 row" if count == 1 else f"{count:,} rows"
            if prepared is not None and prepared.table.rows != count:
                rows = f"{prepared.table.rows:,} of {rows} take{'s' if count == 1 else ''} part"
            self.strip.set_fact("rows", rows, str(reading.path))
            self._show_unread(reading)
        else:
            self.strip.set_fact("rows", "")
            self.strip.set_fact("unread", "")

    def _show_unread(self, reading: Reading) -> None:
        """What is missing from every number of every room is said in every room."""
        if not reading.skipped:
            self.strip.set_fact("unread", "")
            return
        one = reading.skipped == 1
        words = "1 line not read" if one else "{count} lines not read"
        named = reading.unread(_NAMED_LINES)
        more = f" and {reading.skipped - len(named):,} more"
        self.strip.set_fact(
            "unread",
            words.format(count=f"{reading.skipped:,}"),
            "They take no part in anything: {lines}. Data says why.".format(
                lines=", ".join(named) + (more if reading.skipped > len(named) else "")
            ),
        )

    def _suggested_name(self) -> str:
        data = self.document.project.data
        return Path(data.path).name.split(".")[0] if data else "project"

    # Leaving

    def _may_leave(self, question: str = "") -> bool:
        """Ask what to do with unsaved changes; False if the person wants to stay.

        Parameters
        ----------
        question
            What else to ask where the project stays and goes on with another file.
        """
        if not self.document.saving.wait(self):
            return False
        if not self.document.modified or (question and self.document.project.data is None):
            return True  # a project without data goes on with a file as it is
        answer = QMessageBox.question(
            self,
            "Unsaved changes",
            question or "Save the project before it is closed?",
            QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Discard | QMessageBox.StandardButton.Cancel,
            QMessageBox.StandardButton.Save,
        )
        if answer == QMessageBox.StandardButton.Save:
            path = self.document.path or self._ask_for_file()
            # What is edited while it is written is unsaved again.
            return path is not None and self.document.save(path, self) and self._may_leave(question)
        return answer == QMessageBox.StandardButton.Discard

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._may_leave():
            event.ignore()
            return
        self._settings.remember_window(self)
        self._later.stop()
        self._furnishing.stop()
        self.budget.stop()
        self.runner.shutdown()
        self.recovery.close()
        self.document.close()
        event.accept()

    def childEvent(self, event: QChildEvent) -> None:
        super().childEvent(event)
        child = event.child()
        # A dialog of the window, which is about to be seen.
        if event.polished() and isinstance(child, QWidget) and child.isWindow():
            dress(child)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_explain()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._furnish_later()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped(event)
        if path is not None:
            event.acceptProposedAction()
            self.preview_path(path)
