"""Sign a release: the publisher's key is named by its file, and read by the same code as `workbench sign` reads it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.visible import visible
from workbench.gui.key_dialog import KeyDialog
from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.session.signing import PublisherKey, SignedRelease, cannot_sign, make_key_in, sign_beside, usual_key

_WIDTH, _HEIGHT = 640, 250


class SignDialog(KeyDialog):
    """A dialog for the file that is signed, the file of the key, and the outcome.

    Parameters
    ----------
    runner
        On whose threads files are read and written.
    release
        The file that was written. It is verified once more, with its statement, before anything is signed.

    Signals
    -------
    signed(Path)
        This signature was written.
    """

    signed = Signal(object)

    title, whose, explain = "Sign a release", "your key", "release.sign"
    cancelled = "Cancelled: nothing was signed."
    job = "sign"

    def __init__(self, runner: Runner, release: Path, parent: QWidget | None = None) -> None:
        super().__init__(runner, usual_key(), parent)
        self._release = release
        self._replace = False
        self._public = ""
        self.what = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, strong=True)
        self.what.set_text(visible(release.name))
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
        release, key, replace = self._release, self.path, self._replace
        # Once it is begun it ends: a signature that was written is told of.
        self._start(
            f"Signing {release.name}",
            lambda progress: sign_beside(release, key, overwrite=replace, progress=progress),
            self._signed,
        )

    def make_key(self) -> None:
        key = self.path
        self._start("Making a key", lambda _progress: make_key_in(key), self._made)

    def copy_key(self) -> None:
        """Put what may be published of the key on the clipboard."""
        QGuiApplication.clipboard().setText(self._public)

    @property
    def _parts(self) -> Iterable[QWidget]:
        return *super()._parts, self.sign

    def _signed(self, found: SignedRelease) -> None:
        self._show_public(found.key.text)
        self._say(
            f"Signed. Pass {visible(found.signature.name)} on with the file and its statement. Your readers need the "
            f"fingerprint of your key from elsewhere: {found.key.fingerprint}",
            tone="success",
        )
        self.signed.emit(found.signature)

    def _made(self, found: PublisherKey) -> None:
        self._show_public(found.key.text)
        self._say(
            f"The key is made. Keep a copy of {visible(found.path.name)} in a safe place, and publish the other half "
            f"where your readers know that it is from you: {found.key.fingerprint}",
            tone="success",
        )

    def _failed(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError) and error.field == "out":
            self._replace = True
            self.sign.setText("&Replace the signature")
            self._say("A signature of this release is there already.", tone="warning")
            return True
        return super()._failed(error)

    def _retyped(self) -> None:
        self._replace = False
        self.sign.setText("&Sign")
        super()._retyped()

    def _show_public(self, public: str) -> None:
        self._public = public
        self.copy.show()

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())  # black in the dark
        buttons.rejected.connect(self.reject)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.sign, QDialogButtonBox.ButtonRole.AcceptRole)
        self.copy.hide()
        boxes.column(self.what, self._row("Your &key"), (self.told, 1), buttons, margins="l", spacing="m", inside=self)
        self.setMinimumSize(_WIDTH, _HEIGHT)  # what is said has room, and moves nothing
