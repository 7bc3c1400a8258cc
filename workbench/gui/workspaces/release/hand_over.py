"""Buttons for files that were written: to find, to check and to sign them, and to copy the command that verifies."""

from __future__ import annotations

import shlex
from functools import partial

from PySide6.QtCore import QObject, QUrl, Signal, SignalInstance
from PySide6.QtGui import QDesktopServices

from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets.buttons import push_button
from workbench.gui.workspaces.release.own_check import OwnFileState
from workbench.gui.workspaces.release.written_files import VERIFY
from workbench.session.export import Exported


class HandOver(QObject):
    """A button for each, which whoever shows the files places.

    Signals
    -------
    copied(str)
        A command was put together for the clipboard.
    verify_requested(Path)
        The file that was written is to be verified.
    sign_requested(Path)
        It is to be signed, as its statement states it.
    """

    copied = Signal(str)
    verify_requested = Signal(object)
    sign_requested = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._left: Exported | None = None
        self.folder = push_button("Open &folder", self.open_folder, quiet=True)
        self.folder.setToolTip("Show where the files lie that were written")
        verify, sign = (partial(self._tell, one) for one in (self.verify_requested, self.sign_requested))
        self.check = push_button(VERIFY, verify, name="Check the exported file", quiet=True)
        self.check.setToolTip("See what whoever receives the file finds: whether it is what its statement says")
        self.sign = push_button("S&ign…", sign, name="Sign the exported file…", explain="release.sign", quiet=True)
        self.sign.setToolTip("Write a signature beside the file, by which others see that it is from you")
        self.command = push_button(
            "Copy command",
            self._copy_command,
            name="Copy the command that verifies the file",
            explain="release.verify",
            quiet=True,
        )
        self.command.setToolTip("Copy the command that verifies the file in a terminal, for whoever receives it")

    def show_left(self, left: Exported | None) -> None:
        """Offer what can be done with these files; None while there are none."""
        self._left = left
        self.command.setEnabled(left is not None and bool(left.targets.beside))
        self.check.setEnabled(self.command.isEnabled())
        self.sign.setEnabled(left is not None and left.targets.statement is not None)

    def show_due(self, *, exported: bool, found: OwnFileState) -> bool:
        """Lead to what is due: what was written is verified by itself, and handed over next.

        Returns
        -------
        bool
            Whether there is nothing to be written, as writing it again is for another name.
        """
        done, unsure = self.check.isEnabled() and exported, found not in (OwnFileState.HOLDS, OwnFileState.LOOKING)
        for button, due in ((self.check, done and unsure), (self.folder, done and found is OwnFileState.HOLDS)):
            set_look(button, quiet=not due, primary=due)
        return done

    def verify_command(self) -> str:
        """The command that counts the exported file again; "" while there is none."""
        if self._left is None or not self._left.targets.beside:
            return ""
        targets = self._left.targets
        return shlex.join(["workbench", "verify", str(targets.path), "--statement", str(targets.beside[0])])

    def open_folder(self) -> None:
        """Show the folder of the exported file in the program of the system that shows folders."""
        if self._left is None:
            return
        folder = self._left.targets.path.parent
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            # A system without a desktop has no such program; the folder is still to be found.
            words = f"The files are in {visible(str(folder))}: no program here shows folders."
            self._document.noted.emit("warning", words)

    def _tell(self, wanted: SignalInstance) -> None:
        if self._left is not None:
            wanted.emit(self._left.targets.path)

    def _copy_command(self) -> None:
        self.copied.emit(self.verify_command())
