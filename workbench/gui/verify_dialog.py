"""Check a file: drop or choose a released file, and see whether it is what its statement says.

It works without a project, looks at nothing but the files that are named and what lies beside them, and says the same
as `workbench verify`, because the same code says it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QLineEdit, QProgressBar, QStackedWidget, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, Progress
from workbench.core.visible import visible
from workbench.gui.drops import dropped
from workbench.gui.runner import Runner
from workbench.gui.tracked import TrackedJob
from workbench.gui.verify_findings import FindingsView
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.fading_edges import FadingEdges
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label
from workbench.session.verifying.beside import ReceivedFiles, endings, received_files, verify_received
from workbench.session.verifying.verified import Verified

VERIFY_JOB = "verify"
_TITLE = "Check a file"
"""As the menu and the card on the start page have it; the command is `verify`."""
_WIDTH, _HEIGHT = 720, 620


class VerifyDialog(QDialog):
    """A file and what lies beside it above, what was found below.

    Parameters
    ----------
    runner
        On whose threads files are read.
    place
        The file or folder that is proposed when one is to be chosen.
    since
        How many draws and answers of the same data came after the one that a file with a SHA-256 was written of.
    contradicted
        Whether something that left later says that others know the number, on which the promise of that file rests.

    Signals
    -------
    answered(object)
        What was found is shown: a `Verified`.
    """

    answered = Signal(object)

    def __init__(
        self,
        runner: Runner,
        parent: QWidget | None = None,
        place: Path | None = None,
        since: Callable[[str], int] = lambda _: 0,
        contradicted: Callable[[str], bool] = lambda _: False,
    ) -> None:
        super().__init__(parent)
        self._since, self._contradicted = since, contradicted
        self._place = place or Path.home()
        self.setWindowTitle(_TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        set_explain(self, "verify.file")
        self._job = TrackedJob(runner, self)
        self._job.moved.connect(self._show_progress)
        self._job.ended.connect(self._ended)
        self._path: Path | None = None
        self._document: Path | None = None
        self._files: ReceivedFiles | None = None
        self._own = False
        self._before: Collection[str] = ()
        self._original: Path | None = None
        self._hierarchies: tuple[Path, ...] = ()
        self.name = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, strong=True)
        self.beside = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, muted=True, small=True)
        self.empty = EmptyState(
            "shield",
            "Drop a released file here",
            "Its statement, its note and its signature are looked for beside it. No project is needed, and nothing is "
            "sent anywhere.",
            "Choose a file",
        )
        self.empty.primary.connect(self.choose_file)
        self.choose = push_button("&Choose another…", self.choose_file)
        self.statement = push_button("Choose &statement…", self.choose_statement, quiet=True)
        self.key = QLineEdit()
        self.key.setAccessibleName("Publisher’s key")
        self.key.setPlaceholderText("ed25519:… or its fingerprint")
        self.key.editingFinished.connect(self._key_given)
        set_explain(self.key, "verify.key")
        self._key = ""
        self.original = push_button("Choose original…", self.choose_original, explain="verify.original")
        self.hierarchies = push_button("Choose hierarchies…", self.choose_hierarchies, explain="verify.original")
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of checking")
        self.cancel = push_button("Ca&ncel", self._job.cancel, name="Cancel checking", quiet=True)
        self.findings = FindingsView()
        self.copy = push_button("Copy &result", self.copy_result)
        self._lay_out()
        self._show_idle()

    # What is verified

    def verify(self, path: Path, *, own: bool = False, before: Collection[str] = ()) -> None:
        """Verify this released file, or the one that this statement, note or signature is about.

        Parameters
        ----------
        own
            Whether whoever asks has just published it.
        before
            The sentences that they said before Release.
        """
        self._own, self._before = own, before
        self._path, self._document, self._files = path, None, None
        self._begin()

    def choose_file(self) -> None:
        """Ask for the released file."""
        place = self._path or self._place
        listed = " ".join(f"*{ending}" for ending in dict.fromkeys((*endings(), _ending_of(place))))
        kinds = (f"Releases and statements ({listed})", "All files (*)")
        chosen, _ = QFileDialog.getOpenFileName(self, _TITLE, str(place), ";;".join(kinds))
        if chosen:
            self.verify(Path(chosen))

    def choose_statement(self) -> None:
        """Ask for the statement or note, where it lies elsewhere."""
        chosen, _ = QFileDialog.getOpenFileName(
            self, "The statement that came with the file", self._folder, "Statements and notes (*.html *.json)"
        )
        if chosen:
            self._document = Path(chosen)
            self._begin()

    def choose_original(self) -> None:
        """Ask for the table that the release was made from."""
        chosen, _ = QFileDialog.getOpenFileName(self, "The table the release was made from", self._folder)
        if chosen:
            self.compare_with(Path(chosen), self._hierarchies)

    def choose_hierarchies(self) -> None:
        """Ask for hierarchies of its columns."""
        chosen, _ = QFileDialog.getOpenFileNames(self, "Hierarchies of its columns", self._folder, "CSV (*.csv *.txt)")
        if chosen:
            self.compare_with(self._original, [Path(one) for one in chosen])

    def compare_with(self, original: Path | None, hierarchies: Sequence[Path] = ()) -> None:
        """Check more, with the table the release was made from and with hierarchies of its columns."""
        self._original, self._hierarchies = original, tuple(hierarchies)
        self.original.setText("Choose original…" if original is None else visible(original.name).replace("&", "&&"))
        several = ", ".join(visible(one.name) for one in self._hierarchies)
        self.hierarchies.setText(
            several.replace("&", "&&")
            if len(self._hierarchies) == 1
            else f"{len(self._hierarchies):,} hierarchies"
            if several
            else "Choose hierarchies…"
        )
        self.hierarchies.setToolTip(several)
        self._begin()

    def copy_result(self) -> None:
        """Put what was found on the clipboard."""
        QGuiApplication.clipboard().setText(self.findings.text)

    @property
    def _folder(self) -> str:
        return str(self._place if self._path is None else self._path.parent)

    # The work

    def _key_given(self) -> None:
        if self.key.text().strip() != self._key:
            self._key = self.key.text().strip()
            self._begin()

    def _begin(self) -> None:
        path, document, key = self._path, self._document, self._key
        if path is None:
            return
        original, hierarchies = self._original, self._hierarchies

        def work(progress: Progress) -> tuple[ReceivedFiles, Verified | WorkbenchError]:
            files = received_files(path)
            if document is not None:
                files = files.beside(document)
            try:
                found = verify_received(files, original=original, hierarchies=hierarchies, key=key, progress=progress)
            except WorkbenchError as error:
                return files, error
            return files, found

        self.pages.setCurrentIndex(1)
        self.name.set_text(visible(path.name))
        self.beside.set_text("")
        self.findings.clear()
        self.copy.setEnabled(False)
        self._job.start(
            f"Checking {path.name}",
            work,
            on_done=partial(self._found, path),
            on_failed=self._failed,
            key=VERIFY_JOB,
            latest_wins=True,
            owner=self,
            only_reads=True,
        )
        self.bar.show()
        self.cancel.show()

    def _found(self, path: Path, found: tuple[ReceivedFiles, Verified | WorkbenchError]) -> None:
        if path != self._path:
            return
        self._files, verified = found
        self.name.set_text(visible(self._files.release.name))
        there = [visible(one.name) for one in (*self._files.named, self._files.signature) if one is not None]
        beside = f"with {', '.join(there)}" if there else "nothing beside it speaks of it"
        self.beside.set_text(f"In {visible(path.parent.name or str(path.parent))}, {beside}")
        if isinstance(verified, WorkbenchError):
            self._show_problem(verified)
        else:
            sha256 = verified.fingerprint
            since, contradicted = self._since(sha256), self._contradicted(sha256)
            self.findings.show_verified(
                verified, own=self._own, since=since, contradicted=contradicted, before=self._before
            )
            self.copy.setEnabled(True)
            self.answered.emit(verified)
            if self.focusWidget() in (None, self.statement, self.cancel):
                self.close_button.setFocus()  # nothing is missing that a press should begin with

    def _failed(self, error: BaseException) -> bool:
        if isinstance(error, Cancelled):
            self.findings.show_problem("Cancelled: nothing was checked.", "")
            return True
        if isinstance(error, WorkbenchError):
            self._show_problem(error)
            return True
        return False

    def _show_problem(self, error: WorkbenchError) -> None:
        self.findings.show_problem(error.message, error.hint)

    def _show_progress(self) -> None:
        self.bar.setValue(round(100 * self._job.fraction))

    def _ended(self, _key: str) -> None:
        self._show_idle()

    def _show_idle(self) -> None:
        self.bar.hide()
        self.cancel.hide()
        self.bar.setValue(0)
        self.copy.setEnabled(self.copy.isEnabled() and bool(self.findings.text))

    # How it looks

    def _lay_out(self) -> None:
        more = form_grid()
        for row, (words, field) in enumerate(
            (("Original data", self.original), ("Hierarchies", self.hierarchies), ("Publisher’s key", self.key))
        ):
            title = label(words)
            title.setBuddy(field)
            more.addWidget(title, row, 0)
            more.addWidget(field, row, 1)
        self.more = Disclosure("Check more", boxes.boxed(more))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.close_button = buttons.button(QDialogButtonBox.StandardButton.Close)
        self.close_button.setIcon(QIcon())  # black in the dark
        buttons.rejected.connect(self.reject)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        named = boxes.row((self.name, 1), self.statement, self.choose, spacing="s")
        scrolled = boxes.scrolled(self.findings)
        self.edges = FadingEdges(scrolled)
        page = boxes.column(
            boxes.column(named, self.beside, spacing="xs"),  # names have the whole width
            self.more,
            (scrolled, 1),
            spacing="m",
        )
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(boxes.boxed(page))
        foot = boxes.row((self.bar, 1), self.cancel, 1, buttons, spacing="s")
        boxes.column((self.pages, 1), foot, margins="l", spacing="m", inside=self)
        self.resize(_WIDTH, _HEIGHT)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped(event)
        if path is not None:
            event.acceptProposedAction()
            self.verify(path)

    def done(self, result: int) -> None:
        self._job.cancel()
        super().done(result)


def _ending_of(place: Path) -> str:
    """The ending of an unusual name, so that a file that was written under it is listed too."""
    return place.suffix if place.suffix[1:].isalnum() else endings()[0]
