"""The export of a release: its file and format, and the button that writes it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QWidget,
)

from workbench.anonymise.after_draw import AfterDraw
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.core.paths import sample_data, typed_path
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.haste import pressed_once
from workbench.gui.widgets.settled_fold import SettledFold
from workbench.gui.workspaces.release.export_details import ExportDetails
from workbench.gui.workspaces.release.export_questions import may_create, may_leave_unclaimed, may_replace
from workbench.gui.workspaces.release.file_style import FileStyle
from workbench.gui.workspaces.release.hand_over import HandOver
from workbench.gui.workspaces.release.looked_places import look_at
from workbench.gui.workspaces.release.own_check import OwnFileState
from workbench.gui.workspaces.release.publisher_dialog import PublisherDialog
from workbench.gui.workspaces.release.written_files import WrittenFiles
from workbench.io.export_format import ExportFormat
from workbench.project.names_beside import FOLDER, note_beside, statement_beside
from workbench.session.existing_files import FileMarks
from workbench.session.export import Exported, Targets
from workbench.session.free_names import SUFFIXES, free_name, with_ending
from workbench.session.release.earlier_files import ENDING
from workbench.session.release.other_answers import still_open, unanswered
from workbench.session.release_subject import ReleasableResult

NAME_JOB = "free name"
LOOK_JOB = "look at targets"


class ExportPanel(QWidget):
    """File, format, what goes with it, and Export.

    Signals
    -------
    copied(str)
        A command was put together for the clipboard.
    verify_requested(Path)
        The file that was written is to be verified.
    missing_wanted()
        Export was asked for, or what it waits for: what is still to be said is to be shown.
    sign_requested(Path)
        It is to be signed, as its statement states it.
    """

    ending = ENDING
    """Addition to the name of the data for the proposed file."""
    folder_name = FOLDER
    """The folder beside the data that it is proposed in; it is made when something is written there."""

    copied = Signal(str)
    verify_requested = Signal(object)
    missing_wanted = Signal()
    sign_requested = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._touched = self._wrote = False
        self._own_folder: Path | None = None
        self._delimited_like = ""
        self._ready = False
        self._rows = 0
        self._open = (0, 0)
        self._exported: Exported | None = None
        self._left: Exported | None = None
        self._signed: tuple[Exported | None, Path] = (None, Path())
        self._key = ""
        self._form: AfterDraw | None = None
        self._written: dict[tuple[str, AfterDraw | None], dict[Path, FileMarks]] = {}
        self._without_claim = False
        self._given = False
        self._claimable = False
        self._only_unclaimed = False
        self._found = OwnFileState.NOTHING
        set_explain(self, "release.export")
        self.file = QLineEdit()
        self.file.setAccessibleName("File to write")
        self.file.setPlaceholderText("Choose where to write the release")
        self.file.textEdited.connect(self._mark_touched)
        self.file.textChanged.connect(self._follow_name)
        self.file.returnPressed.connect(self.write)
        self.file.editingFinished.connect(self._complete_name)
        self.browse = QPushButton("&Browse…")
        self.browse.clicked.connect(self.choose)
        self.file_style = FileStyle()
        self.file_style.form.activated.connect(self._follow_form)
        self.details = ExportDetails(self.file_style, self)  # a page with more room places it
        self.parts, self.statement, self.note = self.details.parts, self.details.statement, self.details.note
        self.words, self.whose = self.details.words, self.details.whose
        self.parts.toggled.connect(self._follow_parts)
        self.words.clicked.connect(self.choose_words)
        self.state = ElidedLabel(small=True)  # why it cannot be written; what was written says `written`
        self.missing = push_button(act=self.missing_wanted.emit, quiet=True)
        self.missing.setToolTip("Show what is still to be said")
        set_look(self.missing, tone="warning")
        # Of a double click the second half would ask to replace what the first one writes.
        self.export = pressed_once(push_button("&Export release", self.write, primary=True))
        self.unclaimed = push_button(
            "Without claim…", self.write_without_claim, name="Export without claim…", quiet=True
        )
        self.unclaimed.setToolTip("The statement then says that nothing is promised, and why")
        self.ways = HandOver(document, self)
        self.folder, self.check = self.ways.folder, self.ways.check
        self.sign, self.command = self.ways.sign, self.ways.command
        self.ways.copied.connect(self.copied)
        self.ways.verify_requested.connect(self.verify_requested)
        self.ways.sign_requested.connect(self.sign_requested)
        self.written = WrittenFiles(document, self.check, self.folder, (self.sign, self.command), self)
        self._lay_out()
        self._follow_form()

    def _lay_out(self) -> None:
        file = boxes.row((self.file, 1), self.browse, spacing="s")
        form = boxes.row((self.file_style.form, 1), self.details.button, spacing="s")
        below = boxes.row(self.missing, (self.state, 100), 1, self.unclaimed, self.export, spacing="s")
        self.again = SettledFold("Export again…", boxes.boxed(boxes.column(file, form, below, spacing="s")))
        boxes.column(self.again, inside=self)

    def propose(self) -> None:
        """Suggest a file beside the data, until the person chose one."""
        data = self._document.project.data
        if data is None or self._touched:
            return
        source = Path(data.path)
        if not self._document.has_data:
            return
        # Until the person says otherwise.
        if data.path != self._delimited_like:
            self._delimited_like = data.path
            self.file_style.part_like(data.dialect.delimiter)
        # The samples belong to the program; what is made from them belongs to the person.
        folder, stem = self._document.session.data.place_beside
        folder = Path.home() if source.is_relative_to(sample_data()) else folder
        suffix = "" if self.parts.isChecked() else self.file_style.kind.suffix
        # In a folder of its own, so that nobody hands over the true rows for the release that lies beside them.
        self._own_folder = folder / self.folder_name
        self._name(self._own_folder / f"{stem}{self.ending}{suffix}", at_once=not self.file.text())

    def show_subject(self, subject: ReleasableResult | None) -> None:
        """Offer to write this."""
        self._ready = subject is not None and subject.ready
        self._only_unclaimed = subject is not None and subject.only_unclaimed
        self._rows = 0 if subject is None else subject.rows
        before, self._exported = self._exported, None if subject is None else subject.exported
        if self._exported is not None and self._exported is not before:
            self.details.button.setChecked(False)  # they were of what is written by now
        # With another name of who publishes it is to be exported again, and what left stays where it is, and holds.
        self._left = None if subject is None else subject.exported or subject.reworded
        self._found = OwnFileState.NOTHING  # until it is said of this one
        self._without_claim = subject is not None and subject.without_claim
        self._given = subject is not None and subject.given
        asserted = () if subject is None else subject.asserted
        self._claimable = bool(asserted)
        self._open = (0, 0)
        if subject is not None:
            self._open = unanswered(still_open(asserted, subject.others, subject.said), subject.others)
        key = "" if subject is None else subject.key
        form = None if subject is None or subject.form is None else subject.form.after
        if (key, form) != (self._key, self._form):
            self._key, self._form = key, form
            self._propose_another()
        if self._exported is not None:
            self._written.setdefault((key, form), {}).update(self._exported.marks)
        self.refresh()

    @property
    def _own(self) -> dict[Path, FileMarks]:
        """The files of this very result in this form: the same draw in another form is another file."""
        return dict(self._written.get((self._key, self._form), {}))

    def _propose_another(self) -> None:
        """Another result gets a name of its own, so that what was exported stays."""
        text = self.file.text().strip()
        if text and self._key:
            self._name(typed_path(text), at_once=False)

    def _name(self, path: Path, *, at_once: bool = True) -> None:
        """Put a name that is free into the field, as soon as the disk has answered; `at_once` this one until then."""
        if at_once:
            self.file.setText(str(path))
        if not path.name:
            return  # a folder such as “.”, which is refused when it is written to
        shown, written = self.file.text(), self._own

        def found(free: Path) -> None:
            if self.file.text() == shown:  # the person has typed nothing meanwhile
                self.file.setText(str(free))

        self._document.runner.start(
            "Looking for a free name",
            partial(free_name, path, written),
            on_done=found,
            key=f"{NAME_JOB} {id(self)}",
            latest_wins=True,
            owner=self,
            aside=True,
            only_reads=True,
        )

    def show_found(self, found: OwnFileState) -> None:
        """Show what is known of the file since it was written, as by whoever receives it."""
        if found is not self._found:
            self._found = found
            self.refresh()

    @property
    def left(self) -> Exported | None:
        """What was written of what is shown."""
        return self._left

    def verify_command(self) -> str:
        """The command that counts the exported file again; "" while there is none."""
        return self.ways.verify_command()

    def show_signature(self, left: Exported | None, signature: Path) -> None:
        """This was signed: its signature lies beside it, and signs nothing that is written later."""
        self._signed = left, signature
        self.refresh()

    def to_hand_over(self, left: Exported) -> tuple[Path, ...]:
        """The files that go to whoever receives a release: those that were written, and their signature."""
        signed, signature = self._signed
        return (*left.targets.all, *([signature] if signed is left else []))

    @property
    def holds(self) -> bool:
        """Whether what was written was found to hold since: it is handed over next."""
        return self._found is OwnFileState.HOLDS

    def show_open(self, missing: tuple[int, int]) -> None:
        """So many questions are not answered yet, and so many sentences not ticked, that the claim rests on."""
        self._open = missing
        self.refresh()

    def refresh(self) -> None:
        publisher = self._document.session.publishing
        self.whose.set_text("None in the statement" if publisher is None else publisher.institution)
        # Writing takes its time, so what cannot be written is said before.
        kind, named = self.file_style.kind, bool(self.file.text().strip())
        too_long = kind.most_rows is not None and self._rows > kind.most_rows
        exported, left = self._exported, self._left
        state, tone = "", "none"
        if too_long:
            words = f"{kind.one} has room for {kind.most_rows or 0:,} rows, and {self._rows:,} are to be released."
            state, tone = f"{words} Choose CSV or Parquet.", "warning"
        elif self._only_unclaimed:
            state, tone = "No room in the budget: see above", "error"
        waits = self._ready and any(self._open) and not too_long
        answers, ticks = (counted(n, what) for n, what in zip(self._open, ("answer", "sentence"), strict=True))
        self.missing.setText(f"{f'{sum(self._open):,}' if self._open[0] else ticks} left")
        self.missing.setAccessibleDescription(f"{answers} and {ticks} are left to give")
        self.missing.setVisible(waits)
        self.state.set_text("" if waits else state)
        self.state.setHidden(waits)  # it would take room from what is beside it
        set_look(self.state, tone=tone)
        able = self._ready and not too_long and named
        words = "&Export release"
        if self._without_claim:
            words = "&Export for these choices" if self._given else "&Export without claim"
        # Beside what is done with a file that was written there is no room for more.
        self.export.setText(words if left is None else "&Export again")
        self.export.setEnabled(able and not any(self._open))
        self.export.setToolTip("What is still to be said above comes first" if waits else "")
        self.unclaimed.setEnabled(able or (self._only_unclaimed and not too_long and named))
        self.unclaimed.setVisible((self._claimable and any(self._open)) or self._only_unclaimed)
        files = () if left is None else self.to_hand_over(left)
        self.written.show_written(left, self._found, files, reworded=exported is None)
        self.ways.show_left(left)
        done = self.ways.show_due(exported=exported is not None, found=self._found)
        if self.holds and self.window().focusWidget() is self.check:
            self.folder.setFocus()
        set_look(self.export, primary=not done)
        here = QApplication.focusWidget()
        if done and self._wrote and (here is None or self.isAncestorOf(here)):
            self._wrote = False
            (self.folder if self.holds else self.check).setFocus()  # the next press must not write it again
        self.again.show_settled(exported is not None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on Export while it waits goes to what it waits for."""
        super().mousePressEvent(event)
        place = self.export.mapFrom(self, event.position().toPoint())
        if self.export.rect().contains(place) and self.missing.isVisibleTo(self):
            self.missing_wanted.emit()

    def choose_words(self) -> None:
        """Ask what the publisher says in the statement."""
        template, written = self._document.session.state.words, self._exported is not None
        dialog = PublisherDialog(self._document.runner, template, self, written=written)
        dialog.chosen.connect(self._document.speak_as)
        dialog.open()

    def choose(self) -> None:
        kind = f"{self.file_style.kind.many} (*{self.file_style.kind.suffix})"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export release", self.file.text(), kind)
        if chosen:
            self._touched = True
            self.file.setText(chosen)
            self._complete_name()

    def write(self) -> None:
        """Write the release: with the claim that holds for it, or without where none does."""
        if self.export.isEnabled():
            self._look(asserted=True)

    def write_without_claim(self) -> None:
        """Write it although not everything is asserted that its claim rests on: its statement makes none then."""
        if self.unclaimed.isEnabled() and may_leave_unclaimed(self, typed_path(self.file.text().strip())):
            self._look(asserted=False)

    def _look(self, *, asserted: bool, create: bool = False) -> None:
        """Look at the places first, and ask about what would be lost; with `create` make the folder before."""
        self._complete_name()
        path = typed_path(self.file.text().strip())
        try:
            style = self.file_style.chosen
            statement = statement_beside(path) if self.statement.isChecked() else None
            note = note_beside(path) if self.note.isChecked() else None
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        targets = Targets(path, style, statement, note, self.parts.isChecked())
        written, key, protected = self._own, self._key, self._document.session.ledger.protected
        make = create or path.parent == self._own_folder

        def looked(found: tuple[bool, tuple[Path, ...]]) -> None:
            # Another result may be shown by now, which nobody asked to write.
            if key != self._key or not (self.export if asserted else self.unclaimed).isEnabled():
                return
            there, lost = found
            if there or create or not path.is_absolute():
                self._write(targets, lost, asserted=asserted)
            elif may_create(self, path.parent):
                self._look(asserted=asserted, create=True)

        self._document.runner.start(
            f"Looking at {path.name}",
            look_at(targets, written, protected, make=make, parents=create),
            on_done=looked,
            key=f"{LOOK_JOB} {id(self)}",
            latest_wins=True,
            owner=self,
            aside=True,
            only_reads=True,
        )

    def _write(self, targets: Targets, lost: tuple[Path, ...], *, asserted: bool) -> None:
        if not lost or may_replace(self, [one.name for one in lost]):
            self._wrote = True
            self._document.export(
                targets.path,
                targets.statement,
                style=targets.style,
                note=targets.note,
                parts=targets.parts,
                force=bool(lost),
                without_claim=self._without_claim or not asserted,
                asserted=asserted,
                is_seen=self.written.isVisible,
            )

    def _mark_touched(self) -> None:
        self._touched = True

    def _follow_form(self) -> None:
        """The name of the file follows the kind of file, and only CSV has further choices."""
        kind = self.file_style.kind
        self.file_style.offer()
        self.parts.setEnabled(kind.in_parts)
        if not kind.in_parts:
            self.parts.setChecked(False)
        path = Path(self.file.text().strip())
        if path.name and not self.parts.isChecked() and ExportFormat.of(str(path)).kind is not kind:
            self._name(path.with_suffix(kind.suffix))
        self.refresh()

    def _follow_parts(self, parts: bool) -> None:
        """A folder has no ending, a file has that of its kind."""
        path = Path(self.file.text().strip())
        if path.name:
            named = path.with_suffix("") if path.suffix in SUFFIXES else path
            named = named if parts else named.with_name(named.name + self.file_style.kind.suffix)
            self._name(named)
        self.refresh()

    def _complete_name(self) -> None:
        """A name without an ending gets that of its kind, so that whoever receives the file can open it."""
        text = self.file.text().strip()
        if self._touched and not self.parts.isChecked():
            self.file.setText(with_ending(text, self.file_style.kind))

    def _follow_name(self) -> None:
        """The kind of file follows a name that was typed; a folder says nothing of what is in it."""
        if self.parts.isChecked():
            self.refresh()
            return
        kind = ExportFormat.of(self.file.text().strip()).kind
        if kind is not self.file_style.kind and kind.missing is None:
            self.file_style.form.choose(kind.identifier)
            self._follow_form()
        self.refresh()
