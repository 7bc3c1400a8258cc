"""The page of a column without a hierarchy: the ways to get one, those that suit it first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from workbench.core.builder_suggestions import ordered_builders, suggested_builders
from workbench.core.building import BUILDERS
from workbench.core.hierarchy import Provenance
from workbench.core.schema import ColumnSpec, Role
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.choice import ChoiceCard
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.hierarchies.attributes import provenance_word
from workbench.gui.workspaces.hierarchies.builder_icon import builder_icon
from workbench.io.hierarchy_files import HierarchyFile
from workbench.io.hierarchy_library import LibraryEntry

_TWO_COLUMNS = 2 * tokens.EXPLAIN_WIDTH + tokens.SPACE_L
_FROM_LIBRARY = 2


class AttachPage(QWidget):
    """Offers to build, to take from the library or to import a hierarchy for one column.

    Signals
    -------
    file_chosen(object)
        The path of an offered file.
    browse_requested(), library_requested()
        A file dialog or the library is wanted.
    builder_chosen(str)
        Build with that builder.
    preset_chosen()
        Build the pairs of means.
    entry_chosen(object)
        An offered `LibraryEntry` of the library.
    back_requested()
        The hierarchy there is shall stay.
    """

    file_chosen = Signal(object)
    browse_requested = Signal()
    library_requested = Signal()
    builder_chosen = Signal(str)
    preset_chosen = Signal()
    entry_chosen = Signal(object)
    back_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "hierarchies.attach")
        self.offers: list[QPushButton] = []
        self.choices: dict[str, ChoiceCard] = {}
        self._wide = False
        self._shown: object = None
        self._title = label(heading=1)
        self._title.setWordWrap(True)
        self._words = label(muted=True, wrap=True)
        self.back = QPushButton("Keep the present one")
        set_look(self.back, quiet=True)
        self.back.setAccessibleName(self.back.text())
        self.back.clicked.connect(self.back_requested)
        self.browse = QPushButton()
        self.browse.clicked.connect(self.browse_requested)
        self.library = push_button(
            "From the &library…",
            self.library_requested,
            name="Choose from the library",
            icon=icon("library"),
            explain="hierarchies.library",
        )
        self._suggested = Section("Suggested")
        self._others = Section("Other ways to build one")
        self._files = Section("Ready-made")
        self._grids = {section: self._grid(section) for section in (self._suggested, self._others)}
        self._buttons = QVBoxLayout()
        self._buttons.setSpacing(tokens.SPACE_S)
        self._files.add(self._buttons)
        row = boxes.row(self.browse, self.library, 1, spacing="s")
        self._files.add(row)
        inside = QWidget()
        inside.setProperty("bare", "true")
        column = self._column = QVBoxLayout(inside)
        column.setContentsMargins(tokens.SPACE_S, 0, tokens.SPACE_M, tokens.SPACE_L)
        column.setSpacing(tokens.SPACE_XL)
        head = QVBoxLayout()
        head.setSpacing(tokens.SPACE_XS)
        line = boxes.row((self._title, 1), (self.back, Qt.AlignmentFlag.AlignTop))
        head.addLayout(line)
        head.addWidget(self._words)
        column.addLayout(head)
        for section in (self._suggested, self._files, self._others):
            column.addWidget(section)
        column.addStretch(1)
        boxes.column(boxes.scrolled(inside), inside=self)

    def show_column(
        self,
        column: ColumnSpec,
        files: tuple[HierarchyFile, ...],
        entries: Sequence[LibraryEntry] = (),
        *,
        replacing: bool = False,
    ) -> None:
        """Offer what suits a column: builders, files beside the data, and fitting entries of the library.

        With `replacing`, the column has a hierarchy that may as well stay.
        """
        # Whatever else changed in the document, buttons that stay must not be made again under the pointer.
        wanted = (column, files, tuple(entries), replacing)
        if wanted == self._shown:
            return
        self._shown = wanted
        title = "Another hierarchy for “{name}”" if replacing else "No hierarchy for “{name}” yet"
        self._title.setText(title.format(name=column.name))
        self.back.setVisible(replacing)
        self._words.setText(self._advice(column.role))
        self._make_choices(column, entries[:_FROM_LIBRARY])
        for button in self.offers:
            self._buttons.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.offers = [self._offer(file) for file in files]
        # What is ready beside the data comes first.
        self._column.removeWidget(self._files)
        self._column.insertWidget(1 if files else 2, self._files)
        self._files.set_description("Beside the data file, by name:" if files else "")
        self.browse.setText("Attach another CSV…" if files else "Attach CSV…")
        self.browse.setAccessibleName(self.browse.text())

    def _advice(self, role: Role) -> str:
        if role is Role.IDENTIFYING:
            return (
                "This column identifies persons and is left out of the release, so it needs no hierarchy. You can "
                "attach one all the same."
            )
        return "It says what a value becomes when it must be coarser: 34, then 30–39, then *."

    def _make_choices(self, column: ColumnSpec, entries: Sequence[LibraryEntry]) -> None:
        for choice in self.choices.values():
            choice.hide()
            choice.deleteLater()
        self.choices = {}
        suggested = suggested_builders(column)
        for builder in ordered_builders(column):
            about = BUILDERS[builder].help
            choice = ChoiceCard(builder_icon(builder), BUILDERS[builder].title, about if builder in suggested else "")
            choice.setAccessibleDescription(about)
            choice.setToolTip(about)
            choice.activated.connect(partial(self.builder_chosen.emit, builder))
            set_explain(choice, f"hierarchies.{builder}")
            self.choices[builder] = choice
        placed = {self._suggested: [self.choices[builder] for builder in suggested], self._others: []}
        for entry in entries:
            if not entry.own and entry.builder == "dates" in suggested:
                continue  # the units of the calendar are what that builder begins with
            where = "from your library" if entry.own else "from the library"
            words = entry.about or "A hierarchy kept earlier."
            choice = ChoiceCard("library", entry.title, words, provenance_word(entry.provenance))
            choice.setToolTip(where)
            choice.activated.connect(partial(self.entry_chosen.emit, entry))
            set_explain(choice, "hierarchies.library")
            self.choices[f"library.{entry.name}"] = choice
            placed[self._suggested].append(choice)
        if column.kind.numeric:
            choice = self.choices["preset"] = ChoiceCard(
                "builder-order",
                "Pairs of means",
                "Sorted values joined in twos, again and again; each group is its mean, the last level *.",
                provenance_word(Provenance.DERIVED),
            )
            choice.activated.connect(self.preset_chosen)
            set_explain(choice, "hierarchies.preset")
            placed[self._suggested].append(choice)
        placed[self._others] = [c for b, c in self.choices.items() if c not in placed[self._suggested]]
        self._placed = placed
        self._place()

    def _place(self) -> None:
        columns = 2 if self._wide else 1
        for section, grid in self._grids.items():
            while grid.count():
                grid.takeAt(0)
            for position, choice in enumerate(self._placed.get(section, [])):
                grid.addWidget(choice, position // columns, position % columns)
                choice.show()
            grid.setColumnStretch(1, 1 if self._wide else 0)

    def _grid(self, section: Section) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_M)
        grid.setVerticalSpacing(tokens.SPACE_S)
        grid.setColumnStretch(0, 1)
        section.add(grid)
        return grid

    def _offer(self, file: HierarchyFile) -> QPushButton:
        text = f"Attach {file.path.name}"
        button = push_button(on_button(text), partial(self._choose, file.path), name=text, tip=str(file.path))
        self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _choose(self, path: Path) -> None:
        self.file_chosen.emit(path)

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.COLUMN_MAX, tokens.COLUMN_MAX // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= _TWO_COLUMNS
        if wide != self._wide:
            self._wide = wide
            if self.choices:
                self._place()
