"""The dialogs of the window, and what else its menus show or copy."""

from __future__ import annotations

import shlex
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QGuiApplication,
)
from PySide6.QtWidgets import (
    QMainWindow,
    QMessageBox,
)

from workbench.core.glossary import GlossaryPart, glossary
from workbench.core.paths import resources
from workbench.core.versions import licences_in_short, version_lines
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.messages import MessageBar
from workbench.gui.opener import Opener
from workbench.gui.runner import Runner
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import ThemeManager
from workbench.gui.workspaces.base import Workspace
from workbench.session.plugin_trust import origins

if TYPE_CHECKING:
    from workbench.gui.engine_dialog import EngineDialog
    from workbench.gui.plugins_dialog import PluginsDialog
    from workbench.gui.preferences import Preferences
    from workbench.gui.pseudonym_dialog import PseudonymDialog
    from workbench.gui.python_code import PythonCode
    from workbench.gui.reference_dialog import ReferenceDialog
    from workbench.gui.verify_dialog import VerifyDialog

_ICON = 64
"""Pixels of the program's sign beside what it says of itself."""


class DialogWindow(QMainWindow):
    """A window that can show what is asked of it; `MainWindow` says what it is a window of."""

    document: Document
    opener: Opener
    runner: Runner
    messages: MessageBar
    _settings: WindowSettings
    themes: ThemeManager
    _later: Later

    def save(self) -> None:
        """Save the project in the background."""
        raise NotImplementedError

    def choose_engine(self) -> EngineDialog:
        """Show where the data is worked on and how much memory it may use, and let the person change it."""
        from workbench.gui.engine_dialog import EngineDialog

        dialog = EngineDialog(self.document, self)
        dialog.engine_chosen.connect(self.opener.move)
        dialog.finished.connect(self._later.start)
        dialog.open()
        return dialog

    def show_preferences(self) -> Preferences:
        """Let the person choose how the window looks, and where data is worked on."""
        from workbench.gui.preferences import Preferences

        dialog = Preferences(self.themes, self)
        dialog.engine_requested.connect(self.choose_engine)
        dialog.open()
        return dialog

    def show_glossary(self) -> None:
        """Show what the words of the program mean."""
        self.runner.start(
            "Reading the glossary",
            lambda _progress: glossary(),
            on_done=self._show_words,
            key="glossary",
            latest_wins=True,
            aside=True,
            only_reads=True,
        )

    def _show_words(self, parts: tuple[GlossaryPart, ...]) -> None:
        from workbench.gui.reference_dialog import ReferenceDialog

        ReferenceDialog("Glossary", parts, self).show()

    def show_shortcuts(self) -> ReferenceDialog:
        """Show which keys do what."""
        from workbench.gui.reference_dialog import ReferenceDialog
        from workbench.gui.shortcuts import shortcuts

        dialog = ReferenceDialog("Keyboard shortcuts", shortcuts(self.menuBar()), self)
        dialog.show()
        return dialog

    def show_plugins(self) -> PluginsDialog:
        """Show the plug-ins of third parties, with what is wrong with those that are left out."""
        from workbench.gui.plugins_dialog import PluginsDialog

        dialog = PluginsDialog(self.document, self)
        dialog.open()
        return dialog

    def write_pseudonyms(self) -> PseudonymDialog:
        """Let the person say which columns become pseudonyms, and write a copy that is no anonymous one."""
        from workbench.gui.pseudonym_dialog import PseudonymDialog

        dialog = PseudonymDialog(self.document, self)
        dialog.open()
        return dialog

    def verify_file(self) -> VerifyDialog:
        """Let the person choose a released file they received, and see whether it is what its statement says."""
        dialog = self._verifying()
        dialog.choose_file()
        return dialog

    def verify_release(self, path: Path) -> None:
        """Show whether a file that lies where it was released is what its statement says, as whoever receives it."""
        self._verifying().verify(path)

    def released_lately(self) -> Path | None:
        """The newest release of this program that is known to be there; None if none is."""
        raise NotImplementedError

    def _verifying(self) -> VerifyDialog:
        from workbench.gui.verify_dialog import VerifyDialog

        dialog = VerifyDialog(
            self.runner,
            self,
            self.document.last_exported or self.released_lately() or self._settings.folder,
            self.document.session.ledger.released_since,
            self.document.session.ledger.is_contradicted,
        )
        dialog.answered.connect(self.document.verified)
        dialog.open()
        return dialog

    def _tell_left_out(self) -> None:
        """Name the plug-ins that cannot be used, once; the dialog can be read again."""
        if not origins():
            return
        from workbench.session.plugins import left_out

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

    def room_in_view(self) -> Workspace | None:
        """The room that is shown; None on the start page."""
        raise NotImplementedError

    def copy_python(self) -> None:
        """Put what the room in view does on the clipboard, as a script for the library."""
        room = self.room_in_view()
        if room is None:
            self.messages.info("Python repeats what a room does.", "Go to a room first.", key="command")
        elif wrong := room.not_in_force():
            self.messages.warning("Python would repeat what was set before.", wrong, key="command")
        else:
            self._python.copy(room.identifier, room.published_in_view)

    def export_notebook(self) -> None:
        """Ask where to, and write a notebook of everything that was set and asked."""
        self._python.choose_notebook()

    @cached_property
    def _python(self) -> PythonCode:
        from workbench.gui.python_code import PythonCode

        return PythonCode(self.document, self)

    def show_manual(self) -> None:
        """Open the manual that the program brings along, in the program that shows pages."""
        page = resources() / "manual" / "index.html"
        if not page.is_file() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(page))):
            self.messages.warning("The manual could not be opened.", f"It is the page {page}.", key="manual")

    def about(self) -> None:
        """Say what this is, under which licence, and what it runs on, for a report of a fault."""
        versions, licences = "\n".join(version_lines()), "\n".join(licences_in_short())
        box = QMessageBox(self)
        box.setWindowTitle("About")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setIconPixmap(self.windowIcon().pixmap(_ICON, _ICON))
        box.setText(f"Anonymise tables and know exactly what was promised.\n\n{versions}")
        box.setInformativeText("Apache License 2.0. The details name the licences of all that it brings along.")
        box.setDetailedText(licences)  # more lines than a screen has, which scroll there
        box.exec()
        box.deleteLater()
