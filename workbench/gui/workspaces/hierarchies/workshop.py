"""Drafts and their way: begun from a builder, a preset, the library or a hierarchy; applied, kept or discarded."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.builder_suggestions import first_specification
from workbench.core.building import normalised, specification
from workbench.core.hierarchy import Hierarchy
from workbench.core.hierarchy_checks import as_categories, reopened
from workbench.core.hierarchy_preview import ColumnMaterial
from workbench.core.presets import pairs_of_means
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.core.specification_edits import Specification
from workbench.gui.document import Document
from workbench.gui.values_look import ValuesLook
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.hierarchies.attributes import origin_badge
from workbench.gui.workspaces.hierarchies.builder_page import BuilderPage
from workbench.gui.workspaces.hierarchies.drafts import Drafts, HierarchyDraft
from workbench.gui.workspaces.hierarchies.library_dialog import KeepDialog, LibraryDialog
from workbench.io import hierarchy_library
from workbench.io.hierarchy_import import ImportedHierarchy
from workbench.io.hierarchy_library import Library, LibraryEntry, fitting_entries
from workbench.session import Session

PREPARE_JOB = "hierarchies.prepare"
LIBRARY_JOB = "hierarchies.library"
APPLY_JOB = "hierarchies.apply"
KEEP_JOB = "hierarchies.keep"

_Prepared = tuple[str, Specification, bool, str]
"""The column, where to start, whether that differs from what is attached, and what undo calls it."""


class Workshop(QObject):
    """Keeps the drafts of all columns and brings them to the builder page.

    Signals
    -------
    opened(str)
        The draft of that column began or was opened again: show it.
    closed(str)
        It was applied or discarded.
    applied(str)
        It was applied: the column has its hierarchy.
    library_changed()
        The library was read.
    """

    opened = Signal(str)
    closed = Signal(str)
    applied = Signal(str)
    library_changed = Signal()

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._document = document
        self._session = document.session
        self._column = ""
        self._open: set[str] = set()
        self.library: Library = Library(())
        self.drafts = Drafts(self)
        look = ValuesLook(document, "the values of the column and how many rows have each")
        self.page = BuilderPage(document.runner, look, self._badge)
        self.page.applied.connect(self._apply)
        self.page.trust.changed.connect(document.tell_trust)
        self.page.trust.failed.connect(document.failed)
        self.page.discarded.connect(self._discard)
        self.page.builder_chosen.connect(self._switch)
        self.page.restart_requested.connect(self._restart)
        self.page.library_requested.connect(self.choose_from_library)
        self.page.keep_requested.connect(self.keep)

    def _badge(self, hierarchy: Hierarchy) -> tuple[Status, str, str]:
        return origin_badge(self._document, self._column, hierarchy)

    # Which column

    def has_open(self, column: str) -> bool:
        """Whether the draft of a column is to be shown instead of what is attached."""
        return column in self._open and self.drafts.of(column) is not None

    def show(self, column: str) -> None:
        """Turn to a column; its draft is shown if it has one."""
        self._column = column
        draft = self.drafts.of(column)
        if draft is None or column not in self._open:
            self.page.leave()
            return
        table, spec = self._document.session.data.reading.table, self._document.project.schema[column]
        if self._document.looked:
            self.page.preview.stand_in = None
            self.page.previewer.set_column(table[column], spec)
        else:
            values, self.page.preview.stand_in = self._document.session.unseen.stand_in(column, draft.builder)
            self.page.previewer.set_column(values, spec)
        self.page.show_draft(spec, draft)

    def forget_others(self) -> None:
        """Give up drafts of columns there no longer are, and all of them with the project they were for."""
        if self._document.session is not self._session:
            self._session = self._document.session
            self.drafts.keep_only(())
            self._column = ""
            self.page.leave()
        names = self._document.project.schema.names if self._document.has_data else ()
        self.drafts.keep_only(names)
        self._open &= set(names)
        if self._column not in names:
            self._column = ""
            self.page.leave()

    # Beginning

    def begin(self, builder: str) -> None:
        """Start from scratch with a builder."""
        source = self._source(builder)
        self._prepare(partial(_first, builder, source), "Start with another builder", fresh=True)

    def begin_preset(self) -> None:
        """Start from the pairs of means, which are data-derived."""
        spec = self._spec()
        self._prepare(lambda progress: pairs_of_means(spec), "Pairs of means", fresh=True)

    def begin_from(self, entry: LibraryEntry) -> None:
        """Start from an entry of the library."""
        self._prepare(partial(_from_library, entry), f"Take “{entry.title}”", fresh=True)

    def begin_imported(self, imported: ImportedHierarchy) -> None:
        """Start from a file that was read; one whose rows are no hierarchy yet is repaired first."""
        self._prepare(partial(_from_file, imported), f"Import {imported.path.name}", fresh=True)

    def group(self) -> None:
        """Sort the values of the column into groups by hand, or go on with that."""
        draft = self.drafts.of(self._column)
        if draft is not None and draft.builder == "categories":
            self._show(self._column)
        else:
            self.begin("categories")

    def edit(self) -> None:
        """Open what is attached where it was built, or its draft if there is one."""
        column = self._column
        draft = self.drafts.of(column)
        hierarchy = self._document.project.hierarchies.get(column)
        if hierarchy is None:
            return
        if draft is not None and (draft.modified or draft.made is hierarchy.maps):
            self._show(column)
            return
        self._prepare(partial(_reopen, hierarchy), "Open the hierarchy", fresh=False)

    def _switch(self, builder: str) -> None:
        """Go on with another builder: where it was left, from what is previewed, or from scratch."""
        draft = self.page.draft
        if draft is None:
            return
        # Made-up values, on which a rule is tried before a look at the data, are nobody's to sort.
        left, previewed = draft.left_at(builder), self.page.previewed if self._document.looked else None
        text = "Switch to another builder"
        if left is not None:
            draft.edit(left, text)
        elif builder == "categories" and previewed is not None and len(set(previewed.groups())) > 1:
            # Whatever was built so far can be gone on with by hand.
            self._prepare(partial(_as_categories, previewed), text, fresh=True, into_draft=True)
        else:
            self._prepare(partial(_first, builder, self._source(builder)), text, fresh=True, into_draft=True)

    def _restart(self) -> None:
        draft = self.page.draft
        if draft is not None:
            work = partial(_first, draft.builder, self._source(draft.builder))
            self._prepare(work, "Start from scratch", fresh=True, into_draft=True)

    def _prepare(
        self,
        work: Callable[[Progress], Specification],
        text: str,
        *,
        fresh: bool,
        into_draft: bool = False,
    ) -> None:
        """Make a specification off the GUI thread; long lists of values take their time."""
        column = self._column
        into_draft = into_draft or self.has_open(column)

        def prepare(progress: Progress) -> _Prepared:
            return column, work(progress), fresh, text if into_draft else ""

        self._document.runner.start(
            "Preparing the builder", prepare, on_done=self._take, key=PREPARE_JOB, latest_wins=True
        )

    def _take(self, prepared: _Prepared) -> None:
        column, plain, fresh, text = prepared
        if not self._document.has_data or column not in self._document.project.schema.names:
            return
        draft = self.drafts.of(column)
        if text and draft is not None:
            draft.edit(plain, text)
        else:
            made = self.drafts.start(column, plain, fresh=fresh)
            attached = self._document.project.hierarchies.get(column)
            if not fresh and attached is not None:
                made.made = attached.maps
        self._show(column)

    def _show(self, column: str) -> None:
        self._open.add(column)
        self.opened.emit(column)

    # Ending

    def _apply(self, hierarchy: Hierarchy) -> None:
        """Attach what was previewed; what was tried on other values is built over those of the column first."""
        column, draft = self._column, self.page.draft
        if draft is None:
            return
        if self._document.looked:
            self._attach(column, draft, hierarchy)
            return
        self._document.runner.start(
            "Building the hierarchy",
            self._document.session.unseen.hierarchy_builder(column, draft.specification),
            on_done=partial(self._attach, column, draft),
            key=APPLY_JOB,
            latest_wins=True,
            owner=self,
        )

    def _attach(self, column: str, draft: HierarchyDraft, hierarchy: Hierarchy) -> None:
        if draft is not self.drafts.of(column) or not self._document.has_data:
            return  # it was given up meanwhile
        text = f"Build the hierarchy of “{column}”"

        def attach(session: Session) -> None:
            session.data.attach_hierarchy(column, hierarchy, keep_role=True)

        self._open.discard(column)
        if not self._document.apply(text, attach):
            self._open.add(column)
            return
        draft.mark_applied()
        draft.made = hierarchy.maps
        self.closed.emit(column)
        self.applied.emit(column)

    def _discard(self) -> None:
        column, draft = self._column, self.page.draft
        self._open.discard(column)
        self.page.leave()
        if draft is not None and draft.modified:
            self.drafts.discard(column)
        self.closed.emit(column)

    # The library

    def read_library(self) -> None:
        """Read the library off the GUI thread."""
        self._document.runner.start(
            "Reading the library", _read_library, on_done=self._take_library, key=LIBRARY_JOB, latest_wins=True
        )

    def fitting(self, spec: ColumnSpec) -> tuple[LibraryEntry, ...]:
        """The entries whose names fit a column."""
        return fitting_entries(self.library.entries, spec)

    def choose_from_library(self) -> None:
        """Ask for an entry for the column."""
        if not self._is_there:
            return
        dialog = LibraryDialog(self.library, self._column, self.fitting(self._spec()), self._window)
        dialog.chosen.connect(self.begin_from)
        dialog.open()

    def keep(self) -> None:
        """Ask for a name, and keep the draft under it, or without one what is attached."""
        if not self._is_there:
            return
        dialog = KeepDialog(self._column, self.library, self._window)
        dialog.named.connect(self._keep)
        dialog.open()

    def _keep(self, title: str) -> None:
        draft, hierarchy = self.page.draft, self._document.project.hierarchies.get(self._column)
        if draft is not None:
            work: Callable[[Progress], Any] = partial(_keep_specification, draft.specification, title)
        elif hierarchy is not None:
            work = partial(_keep_hierarchy, hierarchy, title)
        else:
            return
        self._document.runner.start(f"Keeping “{title}”", work, on_done=self._kept, key=KEEP_JOB)

    def _kept(self, title: str) -> None:
        self._document.noted.emit("success", f"“{title}” is in the library.")
        self.read_library()

    def _take_library(self, found: Library) -> None:
        self.library = found
        self.library_changed.emit()

    # What a column is

    @property
    def _is_there(self) -> bool:
        """Whether there is a column, and it is not one of a table before, which the list may still show."""
        return self._document.has_data and self._column in self._document.project.schema.names

    def _spec(self) -> ColumnSpec:
        return self._document.project.schema[self._column]

    def _source(self, builder: str) -> ColumnMaterial:
        """The values of the column; before a look at them those that stand in for them."""
        spec = self._spec()
        if not self._document.looked:
            return ColumnMaterial(self._document.session.unseen.stand_in(self._column, builder)[0], spec)
        column = self._document.session.data.reading.table[self._column]
        known = self.page.previewer.source
        return known if known is not None and known.serves(column, spec) else ColumnMaterial(column, spec)


def _first(builder: str, source: ColumnMaterial, progress: Progress) -> Specification:
    values = source.natural_order() if builder in ("categories", "table", "order") else ()
    return first_specification(builder, source.spec, values)


def _reopen(hierarchy: Hierarchy, progress: Progress) -> Specification:
    return reopened(hierarchy)


def _from_file(imported: ImportedHierarchy, progress: Progress) -> Specification:
    if imported.hierarchy is not None:
        return reopened(imported.hierarchy)
    rows = [list(row) for row in imported.rows]
    return specification("table", {"top": False, "source": imported.path.name}, {"rows": rows})


def _as_categories(hierarchy: Hierarchy, progress: Progress) -> Specification:
    return as_categories(hierarchy)


def _from_library(entry: LibraryEntry, progress: Progress) -> Specification:
    plain = hierarchy_library.read_specification(entry.path)
    # Where it was kept, the values were read in some way; here the column itself says how.
    return {name: value for name, value in plain.items() if name != "column"}


def _read_library(progress: Progress) -> Library:
    return hierarchy_library.library()


def _keep_specification(plain: Specification, title: str, progress: Progress) -> str:
    hierarchy_library.keep(normalised(plain), title)
    return title


def _keep_hierarchy(hierarchy: Hierarchy, title: str, progress: Progress) -> str:
    hierarchy_library.keep(reopened(hierarchy), title)
    return title
