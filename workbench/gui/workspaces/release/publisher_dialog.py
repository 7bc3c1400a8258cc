"""The words of the publisher in the statement: typed here, opened from a template, and kept in one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QLineEdit, QPlainTextEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.core.visible import visible
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.kept_typing import keep_typing
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.save_place import ask_at
from workbench.report.publisher import PublisherTemplate
from workbench.session.publishing import keep_words, words_in, words_typed

WORDS_JOB = "publisher's words"
_WIDTH, _HEIGHT = 620, 400
_KIND = "Templates (*.json)"
_WRITTEN = " Files that are written stay as they are: export again to have it in them."


class PublisherDialog(QDialog):
    """Institution, contact, logo and sentences.

    Parameters
    ----------
    runner
        On whose threads files are read and written.
    present
        What is said now; None for nothing.
    written
        Whether the release was exported already.

    Signals
    -------
    chosen(object)
        This is to be said, or nothing (None).
    """

    chosen = Signal(object)

    def __init__(
        self,
        runner: Runner,
        present: PublisherTemplate | None,
        parent: QWidget | None = None,
        *,
        written: bool = False,
    ) -> None:
        super().__init__(parent)
        self._written = written
        self.setWindowTitle("Your words in the statement")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "release.publisher")
        self._job = TrackedJob(runner, self)
        self._job.ended.connect(lambda _key: self._able(True))
        self.institution, self.contact, self.logo = QLineEdit(), QLineEdit(), QLineEdit()
        for field, name, hint in (
            (self.institution, "Institution", "Office of Statistics"),
            (self.contact, "Contact", "data@office.example"),
            (self.logo, "Logo", "A small PNG or JPEG"),
        ):
            field.setAccessibleName(name)
            field.setPlaceholderText(hint)
        self.sentences = QPlainTextEdit()
        self.sentences.setAccessibleName("Sentences, one in each line")
        self.sentences.setPlaceholderText("One sentence in each line")
        self.sentences.setTabChangesFocus(True)
        self.told = label(wrap=True)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.browse = push_button("&Browse…", self.choose_logo, name="Browse for a logo…")
        self.read = push_button("&Open template…", self.open_template, quiet=True)
        self.keep = push_button("&Save as template…", self.save_template, quiet=True)
        self.use = push_button("&Use", self.use_it, primary=True)
        self.use.setDefault(True)
        self._lay_out()
        if present is not None:
            self._show(present)
        keep_typing(self)

    def choose_logo(self) -> None:
        found, _ = QFileDialog.getOpenFileName(self, "Choose a logo", self.logo.text(), "Pictures (*.png *.jpg *.jpeg)")
        if found:
            self.logo.setText(found)

    def open_template(self) -> None:
        """Ask for a template, and show what it says."""
        found, _ = QFileDialog.getOpenFileName(self, "Open a template", "", _KIND)
        if found:
            self._start(partial(words_in, Path(found)), self._show)

    def save_template(self) -> None:
        """Ask where to, and keep what was typed for the next time, and for the command line."""
        typed = self._typed
        found, _ = ask_at(self, "Save as template", Path("statement_words.json"), _KIND)
        if not found:
            return

        def kept() -> PublisherTemplate:
            words = typed()
            if words is None:
                raise WorkbenchError("Nothing was typed yet.", hint="Name your institution.", field="template")
            return keep_words(Path(found), words)

        self._start(kept, lambda made: self._say(f"Kept in {visible(made.file.name)}.", tone="success"))

    def use_it(self) -> None:
        """Let it stand in the statement; nothing typed means that nothing does."""
        self._start(self._typed, self._use)

    @property
    def _typed(self) -> Callable[[], PublisherTemplate | None]:
        fields = (self.institution.text(), self.contact.text(), self.logo.text(), self.sentences.toPlainText())
        return partial(words_typed, *fields)

    def _start(self, work: Callable[[], object], done: Callable[..., None]) -> None:
        self._able(False)
        self._say("")

        def worked(_progress: Progress) -> object:
            return work()

        self._job.start(
            "The publisher’s words", worked, on_done=done, on_failed=self._failed, key=WORDS_JOB, owner=self
        )

    def _use(self, words: PublisherTemplate | None) -> None:
        self.chosen.emit(words)
        self.accept()

    def _show(self, found: PublisherTemplate) -> None:
        words = found.publisher
        self.institution.setText(words.institution)
        self.contact.setText(words.contact)
        self.logo.setText("" if found.logo is None else str(found.logo))
        self.sentences.setPlainText("\n".join(words.sentences))

    def _failed(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        hint = "" if "JSON" in error.hint else error.hint  # here nobody writes a template by hand
        self._say(" ".join(part for part in (error.message, hint) if part), tone="error")
        return True

    def _able(self, able: bool) -> None:
        for part in (self.read, self.keep, self.use):
            part.setEnabled(able)

    def _say(self, text: str, tone: str = "none") -> None:
        self.told.setText(text)
        set_look(self.told, tone=tone)

    def _lay_out(self) -> None:
        grid = form_grid()
        fields = (("&Institution", self.institution), ("&Contact", self.contact), ("&Logo", self.logo))
        for row, (words, field) in enumerate((*fields, ("Sen&tences", self.sentences))):
            title = label(words)
            title.setBuddy(field)
            top = Qt.AlignmentFlag.AlignTop if field is self.sentences else Qt.AlignmentFlag(0)
            grid.addWidget(title, row, 0, top)
            grid.addWidget(field, row, 1, 1, 1 if field is self.logo else 2)
        grid.addWidget(self.browse, 2, 2)
        about = label(
            "They stand behind the statement, under a heading that says that they are yours; the name and logo "
            f"stand above it. Nothing in the statement itself changes.{_WRITTEN * self._written}",
            wrap=True,
            muted=True,
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.rejected.connect(self.reject)
        buttons.addButton(self.use, QDialogButtonBox.ButtonRole.AcceptRole)
        kept = boxes.row(self.read, self.keep, 1, spacing="s")
        boxes.column(about, (grid, 1), kept, self.told, buttons, margins="l", spacing="m", inside=self)
        self.setMinimumSize(_WIDTH, _HEIGHT)

    def done(self, result: int) -> None:
        self._job.cancel()
        super().done(result)
