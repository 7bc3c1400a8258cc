"""The library of hierarchies: choose one, or keep one under a name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from workbench.core.building import BUILDERS
from workbench.core.hierarchy import Provenance
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.hierarchies.attributes import provenance_word
from workbench.gui.workspaces.hierarchies.builder_icon import builder_icon
from workbench.io.hierarchy_library import Library, LibraryEntry

_ENTRY = Qt.ItemDataRole.UserRole


class LibraryDialog(QDialog):
    """Lists the shipped entries and the person's own.

    Signals
    -------
    chosen(object)
        The `LibraryEntry` to build from.
    """

    chosen = Signal(object)

    def __init__(
        self, found: Library, column: str, fitting: Sequence[LibraryEntry], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Library of hierarchies")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "hierarchies.library")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter")
        self.search.setAccessibleName("Filter the library")
        self.search.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = QListWidget()
        self.list.setAccessibleName("Hierarchies of the library")
        self.list.currentItemChanged.connect(self._show_entry)
        self.list.itemActivated.connect(self._take)
        first = [entry.name for entry in fitting]
        for entry in [*fitting, *(entry for entry in found.entries if entry.name not in first)]:
            item = QListWidgetItem(icon(builder_icon(entry.builder)), visible(entry.title))
            item.setData(_ENTRY, entry.name)
            self.list.addItem(item)
        self._entries = {entry.name: entry for entry in found.entries}
        self._title = label(heading=2, wrap=True)
        self._about = label(wrap=True)
        self._facts = label(muted=True, wrap=True)
        self.badge = Badge(Status.NEUTRAL)
        unreadable = "\n".join(f"{path.name}: {error.message}" for path, error in found.unreadable)
        self._unreadable = label(unreadable, small=True, wrap=True, tone="warning")
        self._unreadable.setVisible(bool(unreadable))
        self.use = push_button(f"Use for “{on_button(column)}”", self._take, name=f"Use for {column}", primary=True)
        buttons = QDialogButtonBox()
        buttons.addButton(self.use, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel).clicked.connect(self.reject)
        self._lay_out(buttons)
        self.list.setCurrentRow(0)
        self.list.setFocus()

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        right = boxes.column(
            self._title,
            (self.badge, Qt.AlignmentFlag.AlignLeft),
            self._about,
            self._facts,
            1,
            self._unreadable,
            spacing="s",
        )
        row = boxes.row((boxes.column(self.search, (self.list, 1), spacing="s"), 1), (right, 1), spacing="l")
        boxes.column((row, 1), buttons, margins="l", spacing="l", inside=self)
        self.resize(2 * tokens.COLUMN_MAX, tokens.EMPTY_TEXT_WIDTH)

    @property
    def entry(self) -> LibraryEntry | None:
        """The entry that is selected."""
        item = self.list.currentItem()
        return self._entries.get(item.data(_ENTRY)) if item is not None and not item.isHidden() else None

    def _show_entry(self, *_: object) -> None:
        entry = self.entry
        self.use.setEnabled(entry is not None)
        self.badge.setVisible(entry is not None)
        if entry is None:
            for words in (self._title, self._about, self._facts):
                words.setText("")
            return
        public = entry.provenance is Provenance.PUBLIC
        self._title.setText(entry.title)
        self._about.setText(entry.about)
        self.badge.set_status(Status.SUCCESS if public else Status.WARNING, provenance_word(entry.provenance))
        whose = "Yours" if entry.own else "Shipped with the program"
        self._facts.setText(f"{whose}. Opens in “{BUILDERS[entry.builder].title}”.")

    def _filter(self, text: str) -> None:
        wanted = text.casefold().strip()
        first = None
        for row in range(self.list.count()):
            item = self.list.item(row)
            entry = self._entries[item.data(_ENTRY)]
            fits = wanted in f"{entry.title} {entry.about} {entry.name}".casefold()
            item.setHidden(not fits)
            first = row if fits and first is None else first
        if first is not None:
            self.list.setCurrentRow(first)
        self._show_entry()

    def _take(self, *_: object) -> None:
        entry = self.entry
        if entry is not None:
            self.chosen.emit(entry)
            self.accept()


class KeepDialog(QDialog):
    """Asks under which name a hierarchy is kept.

    Signals
    -------
    named(str)
        The name.
    """

    named = Signal(str)

    def __init__(self, suggestion: str, found: Library, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keep in the library")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "hierarchies.library")
        self._taken = {entry.title.casefold(): entry.own for entry in found.entries}
        self.title = QLineEdit(suggestion)
        self.title.setAccessibleName("Name in the library")
        self.title.selectAll()
        self.title.textChanged.connect(self._judge)
        self._note = label(small=True, muted=True, wrap=True)
        self.keep = push_button("Keep", self._take, name="Keep in the library", primary=True)
        buttons = QDialogButtonBox()
        buttons.addButton(self.keep, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel).clicked.connect(self.reject)
        words = label(
            "The rule is kept, to be used again on other files. Values that were listed by hand are part of it.",
            muted=True,
            wrap=True,
        )
        asked = label("&Name")
        asked.setBuddy(self.title)
        boxes.column(words, asked, self.title, self._note, 1, buttons, margins="l", spacing="s", inside=self)
        self.resize(tokens.EMPTY_TEXT_WIDTH, 0)
        self._judge(suggestion)

    def _judge(self, text: str) -> None:
        self.keep.setEnabled(any(letter.isalnum() for letter in text))
        own = self._taken.get(text.strip().casefold())
        if own is None:
            self._note.setText("")
        elif own:
            self._note.setText("Takes the place of the one of that name.")
        else:
            self._note.setText("Is used instead of the shipped one of that name.")

    def _take(self) -> None:
        self.named.emit(self.title.text().strip())
        self.accept()
