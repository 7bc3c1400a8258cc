"""Sign a release: the publisher's key is named by its file, and read by the same code as `workbench sign` reads it.

The dialog holds the path for as long as it is open. No project, setting or list of recent files learns of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import typed_path
from workbench.core.progress import Cancelled, Progress
from workbench.core.visible import visible
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label
from workbench.session.signing import PublisherKey, SignedRelease, cannot_sign, make_key_in, sign_beside, usual_key

SIGN_JOB = "sign"
_WIDTH, _HEIGHT = 640, 250


class SignDialog(QDialog):
    """A dialog for the file that is signed, the file of the key, and the outcome.

    Parameters
    ----------
    runner
        On whose threads files are read and written.
    release
        The file that was written. It is verified once more, with its statement, before anything is signed.
    """

    def __init__(self, runner: Runner, release: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Sign a release")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "release.sign")
        self._release = release
        self._replace = False
        self._public = ""
        self._job = TrackedJob(runner, self)
        self._job.ended.connect(self._ended)
        self.what = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, strong=True)
        self.what.set_text(visible(release.name))
        self.key = QLineEdit(str(usual_key()))
        self.key.setAccessibleName("File of your key")
        self.key.textEdited.connect(self._retyped)
        self.told = label(wrap=True, selectable=True)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.make = push_button("&New key", self.make_key, quiet=True)
        self.make.setToolTip("Make a key in this file, once; nothing that is there is ever overwritten")
        self.copy = push_button("&Copy key to publish", self.copy_key, quiet=True)
        self.sign = push_button("&Sign", self.sign_it, primary=True)
        self.sign.setDefault(True)
        self._lay_out()
        missing = cannot_sign()
        if missing:
            self._say(missing, tone="warning")
        self._able(not missing)

    def sign_it(self) -> None:
        """Verify what was written once more, and sign it."""
        release, key, replace = self._release, self._path, self._replace
        self._start(
            f"Signing {release.name}",
            lambda progress: sign_beside(release, key, overwrite=replace, progress=progress),
            self._signed,
        )

    def make_key(self) -> None:
        """Make a key in the file that is named, where nothing is yet."""
        key = self._path
        self._start("Making a key", lambda _progress: make_key_in(key), self._made)

    def copy_key(self) -> None:
        """Put what may be published of the key on the clipboard."""
        QGuiApplication.clipboard().setText(self._public)

    @property
    def _path(self) -> Path:
        return typed_path(self.key.text().strip())

    def _start(self, name: str, work: Callable[[Progress], object], done: Callable[..., None]) -> None:
        if not self.key.text().strip():
            self._say("Name the file of your key.", tone="error")
            return
        self._able(False)
        self._say("")
        # Once it is begun it ends: a signature that was written is told of.
        self._job.start(name, work, on_done=done, on_failed=self._failed, key=SIGN_JOB, owner=self)

    def _signed(self, found: SignedRelease) -> None:
        self._show_public(found.key.text)
        self._say(
            f"Signed. Pass {visible(found.signature.name)} on with the file and its statement. Your readers need the "
            f"fingerprint of your key from elsewhere: {found.key.fingerprint}",
            tone="success",
        )

    def _made(self, found: PublisherKey) -> None:
        self._show_public(found.key.text)
        self._say(
            f"The key is made. Keep a copy of {visible(found.path.name)} in a safe place, and publish the other half "
            f"where your readers know that it is from you: {found.key.fingerprint}",
            tone="success",
        )

    def _failed(self, error: BaseException) -> bool:
        if isinstance(error, Cancelled):
            self._say("Cancelled: nothing was signed.")
            return True
        if not isinstance(error, WorkbenchError):
            return False
        if error.field == "out":
            self._replace = True
            self.sign.setText("&Replace the signature")
            self._say("A signature of this release is there already.", tone="warning")
            return True
        # What names a flag is a way out of the command line; here it stands beside.
        hint = "" if not error.hint or "--" in error.hint else error.hint
        more = " Make one with New key, or name the file of yours." if "There is no key" in error.message else ""
        self._say(" ".join(part for part in (error.message, hint) if part) + more, tone="error")
        return True

    def _ended(self, _key: str) -> None:
        self._able(True)

    def _retyped(self) -> None:
        self._replace = False
        self.sign.setText("&Sign")
        self._say("")

    def _show_public(self, public: str) -> None:
        self._public = public
        self.copy.show()

    def _able(self, able: bool) -> None:
        for part in (self.key, self.make, self.sign):
            part.setEnabled(able)

    def _say(self, text: str, tone: str = "none") -> None:
        self.told.setText(text)
        set_look(self.told, tone=tone)

    def _lay_out(self) -> None:
        grid = form_grid()
        title = label("Your &key")
        title.setBuddy(self.key)
        grid.addWidget(title, 0, 0)
        grid.addWidget(self.key, 0, 1)
        grid.addWidget(self.make, 0, 2)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())  # black in the dark
        buttons.rejected.connect(self.reject)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.sign, QDialogButtonBox.ButtonRole.AcceptRole)
        self.copy.hide()
        boxes.column(self.what, grid, (self.told, 1), buttons, margins="l", spacing="m", inside=self)
        self.setMinimumSize(_WIDTH, _HEIGHT)  # what is said has room, and moves nothing

    def done(self, result: int) -> None:
        self._job.cancel()
        super().done(result)
