"""The files that an export wrote, and the next steps with them: one block as long as their result is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QMenu, QPushButton, QWidget

from workbench.anonymise.after_draw import AfterDraw
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.apart_fold import ApartFold
from workbench.gui.widgets.bullet_list import BulletList
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon
from workbench.gui.workspaces.release.file_style import parted_words
from workbench.gui.workspaces.release.own_check import OwnFileState
from workbench.gui.workspaces.release.published_by import who_is_named
from workbench.session.export import Exported
from workbench.session.release.low_counts import low_counts
from workbench.session.release.not_told import combinations_listed, left_out_words, not_told
from workbench.session.release.prospect import expected_of
from workbench.session.release.purpose import ticks
from workbench.session.release.result import Result
from workbench.session.release.said import said_of
from workbench.session.release.shortfall import least_foretold, shortfall

_MOST = 4
"""Files of an export: the release, its statement, its note and its signature."""

VERIFY = "&Check it"
HELD = "The file is what its statement says. What rests on your word nobody can verify."
"""What it means that a file was verified."""
_VERIFIED = "Exported, and verified as by a receiver"
_HOLDS_IF = "Exported and verified: holds if what you said is true"
_REWORDED = "The statement names {0}. Export again for one that says what stands beside."
_ABSENT = "Combinations that no row has"
_TO_KNOW = "Before you count with the file"
"""As its statement has it."""
_UNCLAIMED = "Nothing is promised: handle the file like the original data."


def what_left(exported: Exported, found: OwnFileState) -> tuple[str, str]:
    """What became of a file that was written, in a few words, and the tone they are said in.

    Parameters
    ----------
    found
        What is known of it since, as by whoever receives it.
    """
    if found is OwnFileState.WRONG:
        return "Do not hand it over: something of it does not hold", "error"
    if _is_claimed(exported):
        told = {
            OwnFileState.LOOKING: "Exported, being verified…",
            OwnFileState.HOLDS: _HOLDS_IF if exported.claim is not None and exported.claim.holds else _VERIFIED,
        }
        return told.get(found, f"{exported.rows:,} rows written and counted again"), "success"
    return "Written without a claim", "warning"


def _is_claimed(exported: Exported) -> bool:
    claim = exported.claim
    return claim is None or claim.holds or claim.given


def _to_hand_over(exported: Exported, found: OwnFileState, files: int, kept: str) -> str:
    """What goes to whoever receives it, and the name of what stays; "" where nothing is to be named."""
    if found is OwnFileState.WRONG:
        return f"“{VERIFY.replace('&', '')}” says what does not hold, and what to do."
    if not _is_claimed(exported):
        return _UNCLAIMED
    keep = f"\nKeep {kept} to yourself." if kept else ""
    if files == 1:
        return f"Hand over this file. Without a statement nobody can verify it.{keep}"
    which = "both files" if files == 2 else f"all {files} files"
    if found is OwnFileState.LOOKING:
        return f"Wait until they are verified; then hand over {which} together."
    return f"Hand over {which} together, so that others can verify the release.{keep}"


class WrittenFiles(QWidget):
    """The files and their place, what is to be handed over, and ways to verify, find and copy it.

    Hidden while nothing was written. A page with more room places it.

    Parameters
    ----------
    document
        Whose project may still have to be saved.
    check, folder
        Buttons that verify the file and show where it lies.
    others
        Buttons for what few need, which stand in a menu: what is below stays where it is.

    Signals
    -------
    copy_wanted()
        The statement is to be copied.
    another_wanted()
        Another table is to be published.
    """

    copy_wanted = Signal()
    another_wanted = Signal()

    def __init__(
        self,
        document: Document,
        check: QPushButton,
        folder: QPushButton,
        others: Sequence[QPushButton] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self.setAccessibleName("Files that were written")
        self.heading = label("Done", heading=2)
        self.state = ElidedLabel(small=True)
        self.lines = [ElidedLabel(mode=Qt.TextElideMode.ElideMiddle) for _ in range(_MOST)]
        self.names: list[str] = []
        """The names that are shown."""
        self._what = [label(small=True, muted=True) for _ in range(_MOST)]
        self.place = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self.copy_digits = push_button("Copy SHA-256", self._copy_digits, quiet=True)
        self.fingerprint = ""
        """SHA-256 of the file that was written."""
        self.hand_over = label(small=True, wrap=True)
        self.counted = label(wrap=True, strong=True)
        """How much is in the file: what whoever hands it over looks for first."""
        self.counted.hide()
        self.to_know = label(_TO_KNOW, small=True, strong=True)
        self.missing = label(small=True, wrap=True)
        set_look(self.missing, tone="warning")
        self.not_told = BulletList()
        self.absent = ApartFold(f"See the {_ABSENT.lower()}")
        self.absent_table = HeatTable(_ABSENT)
        boxes.column(self.absent_table, inside=self.absent)
        self.absent.button.hide()
        self.absent_line = boxes.row(self.absent.button, 1)
        self._told_of: tuple[str, AfterDraw] | None = None
        self.copy = push_button("Copy statement", self.copy_wanted.emit, name="Copy the exported statement", quiet=True)
        self.copy.setToolTip("Copy the statement as text and as a page, for a message or a web site")
        down = icon("chevron-down", "muted")
        self.more = push_button("More", self._show_others, icon=down, explain="release.sign", quiet=True)
        self.more.setIconSize(QSize(tokens.ICON, tokens.ICON))
        # Behind its word the arrow is that of a menu; before it, it would be that of a fold which is open.
        self.more.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.others = _menu_of((*others, self.copy, self.copy_digits), self.more)
        self.save = push_button("Save project…", document.saving.wanted.emit, name="Save the project…", quiet=True)
        self.save.setToolTip(
            "Closing asks whether to save. Keep settings and hierarchies in a file, so that you can go on another day. "
            "Where another table takes their place, the start page keeps them. What was exported, and what was spent, "
            "stay without it, too"
        )
        self.another = push_button("Next table…", self.another_wanted.emit, name="Publish another table…", quiet=True)
        self._lay_out(check, folder)
        document.saving.done.connect(self._show_unsaved)
        self.hide()

    def _lay_out(self, check: QPushButton, folder: QPushButton) -> None:
        self._signs = {
            tone: IconLabel(status_icon(status), tokens.ICON_LARGE, status.value)
            for tone, status in (
                ("success", Status.SUCCESS),
                ("warning", Status.WARNING),
                ("error", Status.ERROR),
            )
        }
        heading = boxes.row(*self._signs.values(), self.heading, (self.state, 1), spacing="s")
        files = QGridLayout()
        files.setHorizontalSpacing(tokens.SPACE_M)
        files.setVerticalSpacing(tokens.SPACE_XS)
        files.setColumnStretch(1, 1)
        folder_of = label("folder", small=True, muted=True)
        for row, (what, line) in enumerate((*zip(self._what, self.lines, strict=True), (folder_of, self.place))):
            files.addWidget(what, row, 0)
            files.addWidget(line, row, 1)
        ways = FlowLayout()
        ways.setSpacing(tokens.SPACE_HAIR)  # so that all of them are beside each other on a small screen
        for button in (folder, check, self.another, self.save, self.more):
            ways.addWidget(button)
        # What is pressed next keeps its place: what is to be known comes when it is read, and is as long as it is.
        handed = boxes.column(self.hand_over, boxes.boxed(ways), spacing="s")
        known = boxes.column(self.to_know, self.not_told, self.absent_line, self.absent, spacing="xs")
        boxes.column(
            heading, self.counted, self.missing, files, handed, known, margins="0 s 0 0", spacing="s", inside=self
        )

    def _show_others(self) -> None:
        self.others.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def show_written(
        self,
        exported: Exported | None,
        found: OwnFileState = OwnFileState.NOTHING,
        files: Sequence[Path] = (),
        *,
        reworded: bool = False,
    ) -> None:
        """Show what was written, and what is known of it since, as by whoever receives it; None hides it.

        `files` are those that are handed over: its own, and their signature. `reworded` says that its statement names
        another publisher than it would now.
        """
        whats = () if exported is None else _whats(exported)
        parted = "" if exported is None else parted_words(exported.targets.style)
        parted = parted and f" ({parted})"  # that it is no comma is of use to whoever opens it
        self.names = [visible(one.name) for one in files]
        for place, (line, what) in enumerate(zip(self.lines, self._what, strict=True)):
            there = place < len(files)
            for part in (line, what):
                part.setHidden(not there)
            line.set_text(f"{visible(files[place].name)}{'' if place else parted}" if there else "")
            line.setToolTip(visible(str(files[place])) if there else "")
            what.setText(whats[place] if there else "")
        words, tone = ("", "none") if exported is None else what_left(exported, found)
        self.heading.setText("Not done" if found is OwnFileState.WRONG else "Done")
        self.state.set_text(words)
        self.state.setToolTip(HELD if found is OwnFileState.HOLDS else "")
        set_look(self.state, tone=tone)
        for name, sign in self._signs.items():
            sign.setHidden(name != tone)
        if exported is not None:
            whole = exported.file.fingerprint
            self.place.set_text(visible(str(exported.targets.path.parent)))
            self.copy_digits.setToolTip(f"{whole}\nWhoever has the file can compare it")
            self.fingerprint = whole
            self.copy.setEnabled(not reworded)  # what is shown is another one by now
            words = (
                _REWORDED.format(who_is_named(exported))
                if reworded
                else _to_hand_over(exported, found, len(files), self._kept)
            )
            self.hand_over.setText("\n".join(map(visible, words.split("\n"))))
        lost = "" if exported is None else self._lost(exported)
        self.missing.setText(lost)
        self.missing.setHidden(not lost)
        self._show_heading()
        self._tell_what_is_missing(exported)
        self.setHidden(exported is None)
        self._show_unsaved()

    @property
    def _kept(self) -> str:
        """The name of the true rows, which lie near what is handed over."""
        return self._document.session.data.reading.path.name if self._document.has_data else ""

    def _left(self, exported: Exported | None) -> Result | None:
        """The draw whose file was written; None where another one is shown by now."""
        release = self._document.session.release
        result = release.result
        left = None if result is None else release.left_as_it_is(result)
        return None if exported is None or left is None or left.targets != exported.targets else result

    def _tell_what_is_missing(self, exported: Exported | None) -> None:
        """Say what the file does not tell, as whoever hands it over is asked first; counted in the released rows."""
        result = self._left(exported)
        release = self._document.session.release
        told_of = None if result is None else (result.draw, release.after(result))
        if told_of == self._told_of:
            return
        self._told_of = told_of
        self._show_not_told("", (), (), told_of)
        if result is None or told_of is None:
            return
        written = replace(result, outcome=release.as_written(result))
        project, left_out = self._document.project, told_of[1].left_out
        said = said_of(project)
        claim = exported.claim if exported is not None and _is_claimed(exported) else None
        one_each = project.schema.unit.rows_per_person == 1 and release.result_is_current
        expected = project.anonymise.trim.expected_rows if one_each else None
        purpose = [name for name, ticked in ticks(self._document.session).items() if ticked]
        stated = exported is not None and exported.targets.statement is not None

        def work() -> tuple[str, Sequence[str], Sequence[Sequence[str]]]:
            lines = (*low_counts(written, claim, purpose, stated=stated), *not_told(written, said, left_out))
            return left_out_words(written, expected), lines, combinations_listed(written)

        self._document.runner.start(
            "Reading what the file does not tell",
            lambda _progress: work(),
            on_done=lambda found: self._show_not_told(found[0], found[1], found[2], told_of),
            owner=self,
            key="not told",
            latest_wins=True,
            only_reads=True,
        )

    def _show_not_told(
        self,
        counted: str,
        said: Sequence[str],
        absent: Sequence[Sequence[str]],
        told_of: tuple[str, AfterDraw] | None,
    ) -> None:
        if told_of != self._told_of:
            return
        self.counted.setText(counted)
        self.counted.setHidden(not counted)
        self.not_told.show_lines([visible(one) for one in said])
        self._show_heading()
        if absent:
            names, *rows = absent
            self.absent_table.show_rows(names, rows, left=len(names))
            self.absent_table.setFixedHeight(_height_of(self.absent_table, len(rows)))
        self.absent.button.setChecked(False)
        self.absent.button.setVisible(bool(absent))

    def _show_heading(self) -> None:
        self.to_know.setHidden(not self.not_told.text())

    def _lost(self, exported: Exported) -> str:
        """That little of the table came out, which no green sign is to hide; from the released rows alone."""
        result = self._left(exported)
        if result is None:
            return ""
        expected = self._document.project.anonymise.trim.expected_rows
        if expected is not None and result.outcome.rows_out > expected:
            return ""  # which is no loss
        return shortfall(result, expected, self._foretold(result))[0]

    def _foretold(self, result: Result) -> float:
        """The share that was foretold at the least, with the settings of the draw; 1 where they are others now."""
        session = self._document.session
        if not session.release.result_is_current or not isinstance(result.outcome, TrimOutcome):
            return 1
        return least_foretold(expected_of(session, session.release.promise())[1])

    def _copy_digits(self) -> None:
        QGuiApplication.clipboard().setText(self.fingerprint)
        self._document.noted.emit("success", "The SHA-256 was copied.")

    def _show_unsaved(self, _saved: object = None) -> None:
        self.save.setHidden(not self._document.modified)


def _height_of(table: HeatTable, rows: int) -> int:
    head = table.horizontalHeader().sizeHint().height() + tokens.SPACE_XS  # it may be drawn higher than it asks for
    return head + rows * tokens.ROW_HEIGHT + 2 * table.frameWidth()


def _menu_of(buttons: Sequence[QPushButton], parent: QWidget) -> QMenu:
    """A menu that presses these buttons, which are nowhere else; an entry is as its button is when it is opened."""
    menu = QMenu(parent)
    menu.setToolTipsVisible(True)
    for button in buttons:
        button.setParent(parent)
        button.hide()
        menu.addAction(button.text(), button.click)

    def follow() -> None:
        for action, button in zip(menu.actions(), buttons, strict=True):
            action.setEnabled(button.isEnabled())
            action.setToolTip(button.toolTip())

    menu.aboutToShow.connect(follow)
    return menu


def _whats(exported: Exported) -> tuple[str, ...]:
    """What each file of an export is, in the order of its targets, before its signature."""
    targets = exported.targets
    beside = ((targets.statement, "statement"), (targets.note, "note for programs"))
    release = "release" if not targets.parts else "release, in parts"
    return (release, *(words for path, words in beside if path is not None), "signature")
