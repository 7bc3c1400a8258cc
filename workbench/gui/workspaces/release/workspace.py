"""The last room: what leaves, what may be said about it, what an attacker could do with it, and what left before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.next_step import HAND_OVER
from workbench.gui.sign_dialog import SignDialog
from workbench.gui.theme import set_look
from workbench.gui.verify_dialog import VerifyDialog
from workbench.gui.widgets import boxes
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.status import Status, status_word
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.release.attack_page import AttackPage
from workbench.gui.workspaces.release.history import HistorySection
from workbench.gui.workspaces.release.own_check import OwnCheck, OwnFileState
from workbench.gui.workspaces.release.release_page import ReleasePage
from workbench.gui.workspaces.release.released_page import ReleasedPage
from workbench.gui.workspaces.release.report_page import ReportPage
from workbench.query.ledger import LedgerEntry
from workbench.session.export import Exported
from workbench.session.release_subject import ReleasableResult, SpreadsheetCounts, subject_of
from workbench.session.verifying.own_files import OwnFiles
from workbench.session.verifying.verified import Verified

_RELEASE, _ATTACK, _REPORTS, _RELEASED = range(4)
_VERIFY = "verify"
"""The next steps once the file is written: its folder is shown, unless it could not be verified by itself."""

_NAME = 28
"""Letters of a file's name beside the rooms."""
_NOTHING = "Nothing to release yet"
_NOTHING_NEW = "Nothing new to release"
_FIRST = "Run the anonymisation first. Then this page shows what may be claimed for the file, and writes it."
_AGAIN = (
    "No project keeps drawn rows. What was drawn of this table stands under “Drawn and released”. Another draw costs "
    "again; all of them count together."
)


def _last_released(entries: Sequence[LedgerEntry]) -> str:
    """The file that left last, as a sentence; "" for none."""
    left = [(file.name, entry.when[:10]) for entry in entries for file in entry.files]
    return visible("“{}” was released on {}. ".format(*left[-1])) if left else ""


def _cut(name: str) -> str:
    """A file's name where there is little room for it."""
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"


def _what_is_missing(answers: int, ticks: int) -> str:
    """What is still to be said of a release, as the step that is due; "" for nothing."""
    parts = [
        words if number == 1 else f"{words.replace('the ', f'the {number:,} ')}s"
        for number, words in ((answers, "answer the question"), (ticks, "tick the sentence"))
        if number
    ]
    found = ", ".join(parts)
    return found[:1].upper() + found[1:]


class ReleaseWorkspace(Workspace):
    """Nothing is computed here but attacks, only judged and written."""

    identifier = "release"
    works_unseen = True

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._counts = SpreadsheetCounts()
        self._verified = OwnFiles()
        self.page = ReleasePage(document)
        self.attack = AttackPage(document)
        self.reports = ReportPage(document)
        self.released = ReleasedPage(document)
        self.tabs = QTabWidget()
        for part in (self.tabs, self.tabs.tabBar()):
            part.setAccessibleName("About the release")
        self._before = HistorySection()
        self._stacks: list[QStackedWidget] = []
        self.empty: list[EmptyState] = []
        for page, title in (
            (self.page, "This release"),
            (self.attack, "Attack it yourself"),
            (self.reports, "Reports"),
        ):
            self.tabs.addTab(self._or_empty(page), title)
        self.tabs.addTab(self.released, "Drawn and released")
        self.verdict, self.checks, self.export = self.page.verdict, self.page.checks, self.page.export
        self.assertions, self.statement = self.page.assertions, self.page.statement
        self.history = self.released.history
        boxes.column(self.tabs, inside=self)
        self.checks.go_to.connect(self.go_to)
        self.assertions.go_to.connect(self.go_to)
        self.assertions.said.connect(self._tell_status)  # after the page has taken it in
        self.export.copied.connect(self._copy)
        self.export.written.another_wanted.connect(self.open_requested)
        self.export.verify_requested.connect(self._verify)
        self.export.sign_requested.connect(self._sign)
        self._own_check = OwnCheck(document.runner, self)
        self._own_check.found.connect(document.verified)
        self._own_check.ended.connect(self._tell_found)
        document.verified.connect(self._found)
        self.tabs.currentChanged.connect(self._show_lock)
        self.reports.copied.connect(self._copy)
        self.released.empty.primary.connect(self._go_to_query)
        self.export.propose()
        self.settle()

    def status(self) -> Status | None:
        subject = self._subject()
        entry = subject.entry if subject is not None and subject.current else None
        if entry is None:
            return None
        left = subject.exported if subject is not None else None
        if left is not None and self._verified.is_wrong(left):
            return Status.WARNING
        # A draw that was made for a claim can have left without one.
        claimed = entry.charge.claimed if left is None or left.claim is None else left.claim.holds
        return Status.SUCCESS if claimed else Status.WARNING

    def next_hint(self) -> str:
        subject = self._subject()
        if subject is not None and subject.ready and subject.entry is None:
            return (self.is_in_view and _what_is_missing(*self.assertions.missing)) or "Export the release"
        if subject is not None and subject.ready and subject.exported is not None:
            claim = subject.exported.claim
            if claim is not None and not (claim.holds or claim.given):
                return "Done: handle the file like the original data"
            if self._is_to_verify(subject):
                return "" if self._own_check.looks_at(subject.exported) else "Check the file"
            if claim is not None and not claim.holds:
                return "Done: what is promised leaves its choices out"
            beside = len(self.export.to_hand_over(subject.exported)) - 1
            name = _cut(visible(subject.exported.targets.path.name))  # others may be listed beside it
            more = f" and {counted(beside, 'more file')}" if beside else ""
            return f"Open the folder of {name}{more}"  # what a press does: Done says what is handed over
        # It was exported with another name of who publishes it, or otherwise than it is to be written now.
        return "Export it again" if subject is not None and subject.ready else ""

    def focus_first(self) -> None:
        self.settle()
        place = self.tabs.currentIndex()
        if place < _RELEASED and self._stacks[place].currentIndex() == 0:
            button = self.empty[place].primary_button
            if button is not None:
                button.setFocus()
        elif place == _RELEASE:
            self._focus_export()
        elif place == _ATTACK:
            self.attack.focus_first()
        elif place == _REPORTS:
            (self.reports.release if self.reports.release.isEnabled() else self.reports.command).setFocus()
        else:
            self.released.history.table.setFocus()

    def next_field(self) -> str:
        subject = self._subject()
        if subject is not None and subject.exported is not None and self.next_hint():
            return _VERIFY if self._is_to_verify(subject) else HAND_OVER
        return "export" if self.next_hint() else ""

    def do_next(self, field: str) -> bool:
        if field == HAND_OVER:
            self.export.ways.open_folder()
        elif field == _VERIFY:
            self.export.check.click()
        return field in (_VERIFY, HAND_OVER)

    def _is_to_verify(self, subject: ReleasableResult) -> bool:
        """Whether the file was exported with what it can be verified by, and nobody has seen yet that it holds."""
        exported = subject.exported
        if exported is None or not exported.targets.beside:
            return False
        unclaimed = exported.claim is not None and not (exported.claim.holds or exported.claim.given)
        return not unclaimed and not self._is_verified(exported)

    def _is_verified(self, exported: Exported | None) -> bool:
        """Whether the file as it was exported was found to hold, and nothing more came of the data since."""
        return exported is not None and self._verified.holds(exported, self._since(exported.file.fingerprint))

    def _since(self, fingerprint: str) -> int:
        return self.document.session.ledger.released_since(fingerprint)

    def reach(self, field: str) -> None:
        """Show what is to be ticked or the button that exports (`"export"`), or a page: `"statement"`, `"attack"`,
        `"reports"`, `"released"`."""
        self.settle()
        pages = {
            "export": _RELEASE,
            _VERIFY: _RELEASE,
            HAND_OVER: _RELEASE,
            "statement": _RELEASE,
            "attack": _ATTACK,
            "reports": _REPORTS,
        }
        self.tabs.setCurrentIndex({**pages, "released": _RELEASED}.get(field, self.tabs.currentIndex()))
        self.focus_first()

    def _focus_export(self) -> None:
        """The first thing that is still to be done: a tick, the button, or the name of the file."""
        if self.export.check.isEnabled() and self.export.check.isVisibleTo(self.export):
            (self.export.folder if self.export.holds else self.export.check).setFocus()
        elif self.export.export.isEnabled():
            self.export.export.setFocus()
        elif self.assertions.open:
            self.assertions.focus_first()
        else:
            self.export.file.setFocus()

    def _tell_status(self, _said: object = None) -> None:
        self.status_changed.emit()

    def _show_lock(self, place: int) -> None:
        """Attacks are computed from the true rows; everything else may leave, but for what has its own badge."""
        self.lock = status_word(Status.ANALYST) if place == _ATTACK else ""

    def _verify(self, path: Path) -> None:
        ledger = self.document.session.ledger
        dialog = VerifyDialog(
            self.document.runner, self, since=ledger.released_since, contradicted=ledger.is_contradicted
        )
        dialog.answered.connect(self.document.verified)
        dialog.open()
        dialog.verify(path, own=True, before=self.page.said_before)

    def _found(self, verified: Verified) -> None:
        """A file that was exported here and holds is ready to be handed over, wherever it was verified."""
        subject = self._subject()
        if subject is not None and subject.exported is not None:
            self._verified.note(subject.exported, verified, self._since(subject.exported.file.fingerprint))
            self._tell_found()

    def _tell_found(self) -> None:
        """Show what is known by now of the file that was exported."""
        subject = self._subject()
        left = None if subject is None else subject.exported or subject.reworded
        self._show_found(left)
        self.status_changed.emit()

    def _show_found(self, left: Exported | None) -> None:
        self.page.show_found(self._known_of(left))

    def _known_of(self, exported: Exported | None) -> OwnFileState:
        if exported is None:
            return OwnFileState.NOTHING
        if self._own_check.looks_at(exported):
            return OwnFileState.LOOKING
        if self._verified.is_wrong(exported):
            return OwnFileState.WRONG
        return OwnFileState.HOLDS if self._is_verified(exported) else OwnFileState.NOTHING

    def _sign(self, path: Path) -> None:
        dialog = SignDialog(self.document.runner, path, self)
        dialog.signed.connect(partial(self._show_signature, self.export.left))
        dialog.open()

    def _show_signature(self, left: Exported | None, signature: Path) -> None:
        """It is handed over too, with what it signs."""
        self.export.show_signature(left, signature)
        self._tell_status()

    def _or_empty(self, page: QWidget) -> QStackedWidget:
        """The page, or what is said while there is nothing to release."""
        stack = QStackedWidget()
        empty = EmptyState(
            "release",
            _NOTHING,
            _FIRST,
            "Go to Anonymise",
        )
        empty.primary.connect(self._go_to_anonymise)
        stack.addWidget(self._below_history(empty) if page is self.page else empty)
        stack.addWidget(page)
        self._stacks.append(stack)
        self.empty.append(empty)
        return stack

    def _below_history(self, empty: QWidget) -> QWidget:
        """Empty page below what was released in earlier sessions, which is told all the same."""
        return boxes.boxed(boxes.column(self._before, (empty, 1), margins="xl"))

    def _subject(self) -> ReleasableResult | None:
        return subject_of(self.document.session, self._counts) if self.document.has_data else None

    def _document_changed(self, section: str) -> None:
        if section == "data":
            self.export.propose()
        self.put_off()
        if self.is_in_view:
            self.settle()  # what is ticked here is answered at once; unseen, several changes are taken in together

    def refresh(self) -> None:
        session = self.document.session
        entries = self._entries()
        self._before.show_entries(entries)
        self.released.show_entries(entries)
        subject = self._subject()
        drawn = self.document.has_data and session.ledger.draws(session.data.fingerprint) > 0
        for stack, empty in zip(self._stacks, self.empty, strict=True):
            stack.setCurrentIndex(0 if subject is None else 1)
            empty.set_title(_NOTHING_NEW if drawn or entries else _NOTHING)
            empty.set_text(f"{_last_released(entries)}{_AGAIN}" if drawn else _FIRST)
            if empty.primary_button is not None:
                set_look(empty.primary_button, primary=not drawn)  # nobody is led to a second price
        if subject is None:
            self.page.show_none()
            return
        self.page.show_subject(subject)
        if subject.exported is not None:
            self._own_check.look(subject.exported)
        self._show_found(subject.exported or subject.reworded)
        looked = session.release.looked
        self.reports.refresh(subject.current, left=subject.entry is not None, looked=looked)
        self.attack.show_made(
            session.syntactic.recoded if session.syntactic.wanted else session.release.result,
            subject.current,
            looked,
        )

    def _entries(self) -> tuple[LedgerEntry, ...]:
        document = self.document
        if not document.has_data:
            return ()
        try:
            return document.session.ledger.current.history.told
        except WorkbenchError:
            return ()  # the checklist says that it cannot be read

    def _copy(self, command: str) -> None:
        if command:
            self.document.copy_command(command)

    def _go_to_anonymise(self) -> None:
        self.go_to.emit("anonymise")

    def _go_to_query(self) -> None:
        self.go_to.emit("query")
