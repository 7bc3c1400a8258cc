"""One attached hierarchy: where it comes from, its levels, its values, and what can be done with it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from workbench.core.builder_suggestions import SPELLING
from workbench.core.column_facts import Coverage
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import comes_out_words, missing_words
from workbench.core.public_values import PublicView
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.values_look import ValuesLook
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.hierarchies.attributes import all_asked, origin_badge
from workbench.gui.workspaces.hierarchies.interval_repair import IntervalRepair
from workbench.gui.workspaces.hierarchies.levels_view import HierarchyLevelsView
from workbench.gui.workspaces.hierarchies.mask_length_field import MaskLengthField
from workbench.gui.workspaces.hierarchies.provenance import ProvenanceEditor
from workbench.gui.workspaces.hierarchies.uncovered import UncoveredBanner
from workbench.io.hierarchy_csv import file_words
from workbench.io.hierarchy_files import HierarchyFile
from workbench.project.anonymise_settings import AnonymityKind
from workbench.session.release.level_in_use import level_in_use


class HierarchyPanel(QWidget):
    """Shows the hierarchy of one column and says what the person wants to do with it.

    Signals
    -------
    edit_requested(), detach_requested(), cover_requested(), browse_requested(), library_requested()
        The buttons.
    group_requested()
        Its values are to be sorted into groups by hand.
    export_requested(), keep_requested(), restart_requested()
        Write it as CSV, keep it in the library, or build another one from scratch.
    file_chosen(object)
        The path of another file to take instead.
    declare_requested()
        It was made without this data.
    provenance_corrected(object, str)
        Where it really comes from, and how it was made.
    """

    edit_requested = Signal()
    group_requested = Signal()
    declare_requested = Signal()
    detach_requested = Signal()
    cover_requested = Signal()
    browse_requested = Signal()
    library_requested = Signal()
    export_requested = Signal()
    keep_requested = Signal()
    restart_requested = Signal()
    file_chosen = Signal(object)
    provenance_corrected = Signal(object, str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = ValuesLook(document, "which values occur, and in how many rows")
        self._document, self._column = document, ""
        self._hierarchy: Hierarchy | None = None
        self.name = ElidedLabel()
        set_look(self.name, heading=1)
        self.badge = Badge(Status.SUCCESS)
        self.correct = push_button("O&rigin…", name="Say where the hierarchy comes from", quiet=True)
        self.declare = push_button(
            "&Declare: made without this data",
            self.declare_requested,
            name="Declare that it was made without this data",
            tip="As a published classification is: a claim rests on what you say here",
            explain="hierarchies.provenance",
        )
        self.edit = push_button(
            "&Edit", name="Edit the hierarchy", tip="Open it where it was built; an imported one opens as categories"
        )
        self.group = push_button(
            "&Group values…",
            self.group_requested,
            name="Sort the values into groups by hand",
            tip="The rule has no groups: without them values that are too rare become *",
            explain="hierarchies.categories",
            quiet=True,
        )
        self.group.hide()
        self.replace = QPushButton("Re&place")
        self.replace.setAccessibleName("Replace the hierarchy")
        self.files = QMenu(self.replace)
        self.replace.setMenu(self.files)
        self.more = tool_button(name="More to do with the hierarchy", icon=icon("more"))
        self.more.setToolTip(self.more.accessibleName())
        menu = self._menu = QMenu(self.more)
        self.more.clicked.connect(self._show_menu)
        self.export = menu.addAction(icon("export"), "E&xport CSV…", self.export_requested.emit)
        self.keep = menu.addAction(icon("library"), "&Keep in the library…", self.keep_requested.emit)
        menu.addSeparator()
        self.detach = menu.addAction(icon("remove"), "&Detach", self.detach_requested.emit)
        self.origin = label(muted=True, wrap=True, selectable=True)
        self.repair = IntervalRepair(document)
        self.misplaced = self.repair.words
        self.mask_length = MaskLengthField(document)
        self.editor = ProvenanceEditor()
        self.editor.hide()
        self.banner = UncoveredBanner()
        self.view = HierarchyLevelsView(document.runner, "attached", self.look)
        self.view.path.line.addWidget(self.mask_length)
        self.levels, self.table, self.values = self.view.levels, self.view.table, self.view.values
        self.search, self.bars, self.tree = self.view.search, self.view.bars, self.view.tree
        for widget, key in (
            (self, "hierarchies.levels"),
            (self.correct, "hierarchies.provenance"),
            (self.edit, "hierarchies.edit"),
            (self.replace, "hierarchies.attach"),
            (self.more, "hierarchies.edit"),
        ):
            set_explain(widget, key)
        self._lay_out()
        self.correct.clicked.connect(self._start_correcting)
        self.edit.clicked.connect(self.edit_requested)
        self.banner.cover.clicked.connect(self.cover_requested)
        self.editor.corrected.connect(self.provenance_corrected)
        self.editor.closed.connect(self._stop_correcting)

    def _lay_out(self) -> None:
        heading = boxes.row(self.name, self.badge, 1, self.edit, self.replace, self.more, spacing="s")
        top = Qt.AlignmentFlag.AlignTop
        origin = boxes.row((self.origin, 1), (self.group, top), (self.correct, top), spacing="s")
        boxes.column(
            heading,
            origin,
            (self.declare, Qt.AlignmentFlag.AlignLeft),
            self.repair,
            self.editor,
            self.banner,
            (self.view, 1),
            margins="s 0 0 0",
            spacing="s",
            inside=self,
        )

    def show_hierarchy(
        self,
        column: str,
        hierarchy: Hierarchy,
        coverage: Coverage | None,
        files: tuple[HierarchyFile, ...],
        *,
        unsaid: bool = False,
        looked: bool = True,
        found: PublicView | None = None,
    ) -> None:
        """Show the hierarchy of a column, with the counts if they were made, and what could replace it.

        `unsaid` says that nobody has said yet where it comes from. Before a look at the data only `found` of it is
        shown, and nothing of what it misses.
        """
        same_column, self._column = column == self._column, column
        shown, self._hierarchy = self._hierarchy, hierarchy
        self.name.set_text(column)
        if shown is not hierarchy or not same_column:
            self.repair.show_hierarchy(column, hierarchy)
        else:
            self.repair.offer_finer()
        status, word, why = origin_badge(self._document, column, hierarchy)
        self.badge.set_status(status if self.repair.sound else Status.WARNING, word)
        self.badge.setToolTip(why)
        self.badge.setHidden(unsaid and self.repair.sound and all_asked(self._document))  # the question above says it
        # That nobody has said more: the badge. What is told of a rule that groups nothing is what comes out.
        said = file_words(hierarchy) if unsaid else comes_out_words(hierarchy) or hierarchy.origin
        how = f"{said[:1].upper()}{said[1:]}" if said else "How it was made is not known."
        ends = "" if how.endswith((".", "…")) else "."
        asks = self._document.project.anonymise.approach is AnonymityKind.SYNTACTIC
        beyond = missing_words(hierarchy, asks=asks)
        # While it is not declared the one thing that is asked stands above, of which this is no part.
        self.origin.setText(f"{how}{ends}" if unsaid else f"{how}{ends} {beyond}")
        self.origin.setToolTip(beyond if unsaid else "" if said == hierarchy.origin else hierarchy.origin)
        self.declare.setVisible(unsaid)
        self.group.setVisible(hierarchy.specification is not None and hierarchy.specification["builder"] == SPELLING)
        self.mask_length.show_hierarchy(column, hierarchy)
        self._offer(files)
        if not same_column or shown is None or shown.maps is not hierarchy.maps:
            self._stop_correcting()
            if coverage is None:
                self.banner.hide()
        # Before a look that is not told: a draw with a claim makes all of them `*` by rule.
        if not looked:
            self.banner.hide()
        elif coverage is not None:
            self.banner.show_values(coverage.uncovered, coverage.uncovered_rows)
        self.view.begin_at(level_in_use(self._document.session, column))
        if looked:
            self.view.show_hierarchy(hierarchy, coverage)
        else:
            self.view.show_public(found)

    def _offer(self, files: tuple[HierarchyFile, ...]) -> None:
        self.files.clear()
        for file in files:
            action = self.files.addAction(on_button(file.path.name))
            action.triggered.connect(partial(self._take, file.path))
        if files:
            self.files.addSeparator()
        self.files.addAction("Choose a CSV…", self.browse_requested.emit)
        self.files.addAction("Choose from the library…", self.library_requested.emit)
        self.files.addAction("Start from scratch…", self.restart_requested.emit)

    def _show_menu(self) -> None:
        self._menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _take(self, path: Path) -> None:
        self.file_chosen.emit(path)

    def _start_correcting(self) -> None:
        if self.editor.isVisible():
            self._stop_correcting()
        elif self._hierarchy is not None:
            self.editor.show()
            self.editor.start(self._hierarchy)

    def _stop_correcting(self) -> None:
        self.editor.hide()
