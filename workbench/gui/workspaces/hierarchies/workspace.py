"""The Hierarchies workspace: which column has which hierarchy, how it is built, and whether it fits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QWidget

from workbench.core.hierarchy import Provenance
from workbench.core.progress import Progress
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.engines import unlisted
from workbench.gui.later import Later
from workbench.gui.widgets import boxes
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.hierarchies.attach_page import AttachPage
from workbench.gui.workspaces.hierarchies.attributes import AttributesModel, AttributesView, RoleLegend, provenance_word
from workbench.gui.workspaces.hierarchies.coverage import CoverageKeeper
from workbench.gui.workspaces.hierarchies.hierarchy_files import ask_for_hierarchy, ask_where_to_export, dropped_file
from workbench.gui.workspaces.hierarchies.lacking import Lacking
from workbench.gui.workspaces.hierarchies.left_out_fold import LeftOutFold
from workbench.gui.workspaces.hierarchies.opening import Opening
from workbench.gui.workspaces.hierarchies.panel import HierarchyPanel
from workbench.gui.workspaces.hierarchies.ready_made import ReadyMade
from workbench.gui.workspaces.hierarchies.workshop import Workshop
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.io.hierarchy_import import ImportedHierarchy
from workbench.session.given_roles import role_in_force

EXPORT_JOB = "hierarchies.export"
_WHAT_IT_IS = "A hierarchy says how values become coarser, level by level."


class HierarchiesWorkspace(Workspace):
    """Builds hierarchies, attaches them to columns, and shows what they do to the data."""

    identifier = "hierarchies"
    follows = frozenset({"data", "schema", "hierarchies", "settings"})  # these say what is left out, and claimed
    works_unseen = True
    analyst_only = True

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.coverage = CoverageKeeper(document, self)
        self.workshop = Workshop(document, self)
        self.attributes_model = AttributesModel(document, self.coverage, self.workshop.drafts, self)
        self.attributes = AttributesView(self.attributes_model)
        self.left_out = LeftOutFold(self.attributes, self.attributes_model)
        self.lacking = Lacking(document, self.workshop)
        self.opening = Opening(document, self.attributes_model, self.coverage, self.lacking)
        self.ready_made = ReadyMade(document, self.workshop, self.lacking)
        self.attach_all, self.build_all = self.ready_made.attach_all, self.ready_made.build_all
        self.declaration = self.ready_made.declaration
        self.attach_page = AttachPage()
        self.panel = HierarchyPanel(document)
        self.builder = self.workshop.page
        # Left out, or prepared with fewer values, it can be dealt with in Data.
        self.unlisted = EmptyState("hierarchies", "No list of values", action="Go to Data")
        self.empty = EmptyState(
            "hierarchies",
            "No table is open",
            "Hierarchies say how the values of a column become coarser.",
            "Open a file…",
        )
        self._pages = QStackedWidget()
        self._right = QStackedWidget()
        self._pressable = Later(self, self._take_presses, QApplication.doubleClickInterval())
        # Nothing comes under the pointer within a double click.
        self._leading = Later(self, self._lead_on, QApplication.doubleClickInterval())
        self._attached_now = False
        self._restarting = self._proposed = ""
        self._library_read = False
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()
        self.settle()
        self._look_beside_the_data()

    def status(self) -> Status | None:
        self.settle()
        if not self.document.has_data:
            return None
        hierarchies = self.document.project.hierarchies
        if self.lacking.unsaid or self._wrong:
            return Status.WARNING
        wanted = self.lacking.taking_part
        return Status.SUCCESS if wanted and all(spec.name in hierarchies for spec in wanted) else None

    @property
    def gives_roles(self) -> bool:
        self.settle()
        return self.document.has_data and self.lacking.gives_roles

    def next_hint(self) -> str:
        self.settle()
        if not self.document.has_data:
            return ""
        draft = next((name for name in self.workshop.drafts if self.workshop.drafts.modified(name)), "")
        if draft:
            return f"Apply the draft of “{draft}”"
        if wrong := self._wrong:
            missed = self.coverage.uncovered_count(wrong)
            return f"Cover all values of “{wrong}”" if missed else f"Correct the intervals of “{wrong}”"
        if unsaid := len(self.lacking.unsaid):
            return "Say how a hierarchy was made" if unsaid == 1 else "Say how the files were made"
        return self.lacking.step or ("" if self.document.project.hierarchies else "Attach hierarchies")

    def next_field(self) -> str:
        self.settle()
        if not self.document.has_data:
            return ""
        draft = next((name for name in self.workshop.drafts if self.workshop.drafts.modified(name)), "")
        missed = self._wrong
        name = draft or missed or next(iter(self.lacking.without), "")
        ready = self.lacking.unsaid or self.lacking.matching_wanted or self.lacking.buildable
        if ready and not draft and not missed:
            return "hierarchies"
        return f"hierarchy:{name}" if name else ""

    @property
    def _wrong(self) -> str:
        """The first column whose hierarchy is known to be wrong, "" if none is."""
        return next(iter(self.opening.wrong), "")

    def reach(self, field: str) -> None:
        self.settle()
        what, _, column = field.partition(":")
        if what == "hierarchies" and self.ready_made.focus_first():
            if self.lacking.without and self.attributes.name not in self.lacking.without:
                self.attributes.pick(self.lacking.without[0])
            return
        if what == "hierarchy" and self.attributes_model.row_of(column) >= 0:
            self.attributes.pick(column)
            page = self._right.currentWidget()
            banner = self.panel.banner.cover if page is self.panel and self.coverage.uncovered_count(column) else None
            if page is self.panel and banner is None and self.coverage.faults(column):
                banner = self.panel.repair.first or self.panel.edit
            chosen = next(iter(self.attach_page.choices.values()), None) if page is self.attach_page else banner
            if page is self.builder:
                self.builder.focus_first()
            else:
                (chosen if chosen is not None else self.attributes).setFocus()
        else:
            self.focus_first()

    def do_next(self, field: str) -> bool:
        self.settle()
        return field == "hierarchies" and self.ready_made.bring_on()

    def do_apart(self, field: str, then: Callable[[], object]) -> bool:
        self.settle()
        return field == "hierarchies" and self.ready_made.build_apart(then)

    def focus_first(self) -> None:
        self.settle()
        target = self.attributes if self.document.has_data else self.empty.primary_button
        if target is not None:
            target.setFocus()

    def _lay_out(self) -> None:
        left = boxes.boxed(
            boxes.column(
                label("Columns", heading=2),
                label(_WHAT_IT_IS, small=True, muted=True, wrap=True),
                (self.attributes, 1),
                RoleLegend(self.attributes_model),
                self.left_out,
                self.ready_made,
                margins="l m s m",
                spacing="s",
            )
        )
        left.setMinimumWidth(tokens.COLUMN_MAX // 2)
        asked = boxes.row(self.declaration, margins="s 0 0 0")  # as the page below it
        right = boxes.boxed(boxes.column(asked, (self._right, 1), margins="0 m l m", spacing="s"))
        for page in (self.attach_page, self.panel, self.builder, self.unlisted):
            self._right.addWidget(page)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setObjectName("hierarchies.columns")
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([tokens.RAIL_WIDTH + tokens.SPACE_XL, 3 * tokens.EXPLAIN_WIDTH])
        self._pages.addWidget(self.empty)
        self._pages.addWidget(split)
        boxes.row(self._pages, inside=self)
        set_explain(self, "hierarchies.attach")

    def _connect(self) -> None:
        self.empty.primary.connect(self.open_requested)
        self.unlisted.primary.connect(self._go_to_data)
        self.attributes.picked.connect(self._pick)
        self.attributes.selected.connect(self._select)
        self.ready_made.changed.connect(self._show_column)
        self.ready_made.attaching.connect(self._give_up_restart)
        self.ready_made.taken.connect(self.attributes.pick)
        for answered in (self.declaration.declared, self.declaration.unsure):
            answered.connect(self.attributes.setFocus)  # else it goes to what comes next, which nobody asked for
        self.ready_made.unfit.connect(self._begin_imported)
        self.ready_made.built.connect(self._show_built)
        self.ready_made.settled.connect(self._leading.start)
        workshop = self.workshop
        for page in (self.attach_page, self.panel):
            page.file_chosen.connect(self.attach_file)
            page.browse_requested.connect(self.browse)
            page.library_requested.connect(workshop.choose_from_library)
        self.attach_page.builder_chosen.connect(workshop.begin)
        self.attach_page.preset_chosen.connect(workshop.begin_preset)
        self.attach_page.entry_chosen.connect(workshop.begin_from)
        self.attach_page.back_requested.connect(self._pick)
        self.panel.edit_requested.connect(workshop.edit)
        self.panel.group_requested.connect(workshop.group)
        self.panel.keep_requested.connect(workshop.keep)
        self.panel.restart_requested.connect(self._restart)
        self.panel.export_requested.connect(self.export)
        self.panel.detach_requested.connect(self._detach)
        self.panel.cover_requested.connect(self._cover)
        self.panel.provenance_corrected.connect(self._correct)
        self.panel.declare_requested.connect(lambda: self.ready_made.declare_one(self.attributes.name))
        self.builder.import_requested.connect(self.browse)
        workshop.opened.connect(self._opened)
        workshop.closed.connect(self._closed)
        workshop.applied.connect(self._go_on)
        workshop.drafts.changed.connect(self._draft_changed)
        workshop.library_changed.connect(self._show_column)
        self.coverage.arrived.connect(self._counted)

    # Showing

    def _document_changed(self, section: str) -> None:
        super()._document_changed(section)
        if section in self.follows and self.is_in_view:
            self.settle()  # unseen, several changes are taken in together
        if section == "data":
            self._look_beside_the_data()

    def refresh(self) -> None:
        self._pages.setCurrentIndex(1 if self.document.has_data else 0)
        self.workshop.forget_others()
        self.attributes_model.reload()
        if self.document.has_data and not self.attributes.name and self.attributes_model.rowCount():
            self._proposed = self.opening.column("")
            self.attributes.pick(self._proposed)
        self.opening.follow()
        self._show_column()
        self.ready_made.refresh()

    def _select(self) -> None:
        self.ready_made.select(self.attributes.names)
        self._show_column()

    def _pick(self, *_: str) -> None:
        self._restarting = ""
        self._proposed = self._proposed if self.attributes.name == self._proposed else ""  # somebody chose another one
        self._show_column()

    def _show_column(self, *_: str) -> None:
        name = self.attributes.name
        if not self.document.has_data or name not in self.document.project.schema.names:
            return  # the list may still be that of the data before: unseen, it follows when it is next shown
        files = self.lacking.matching.get(name, ())
        hierarchy = self.document.project.hierarchies.get(name)
        why = unlisted(self.document.session.data.reading.table, name)
        if why:
            self.unlisted.set_text(why)
            self._right.setCurrentWidget(self.unlisted)
            return
        self.workshop.show(name)
        if self.workshop.has_open(name):
            self._right.setCurrentWidget(self.builder)
        elif hierarchy is None or name == self._restarting:
            spec = self.document.project.schema[name]
            self.attach_page.show_column(spec, files, self.workshop.fitting(spec), replacing=hierarchy is not None)
            self._right.setCurrentWidget(self.attach_page)
        else:
            unsaid = name in self.document.session.data.undeclared
            looked = self.coverage.looked
            public = None if looked else self.coverage.public(name)
            counted = self.coverage.of(name)
            self.panel.show_hierarchy(name, hierarchy, counted, files, unsaid=unsaid, looked=looked, found=public)
            # Once is enough: the question above asks about it.
            asked = name in self.ready_made.asked
            self.panel.declare.setVisible(unsaid and not asked and not self.attributes_model.left_out(name))
            self.panel.look.wait(bool(self.ready_made.asked))
            self._right.setCurrentWidget(self.panel)

    def _counted(self) -> None:
        self._show_column()
        self.status_changed.emit()

    def _opened(self, column: str) -> None:
        self._restarting = ""
        if column == self.attributes.name:
            self._show_column()
            self.builder.focus_first()

    def _closed(self, column: str) -> None:
        self._show_column()
        if column == self.attributes.name and self._right.currentWidget() is self.panel:
            self.panel.edit.setFocus()
        self.status_changed.emit()

    def _go_on(self, column: str) -> None:
        """Turn to the next column that is to be generalised and has no hierarchy yet, if there is one."""
        names = self.document.project.schema.names
        after = names.index(column) + 1
        ring = (*names[after:], *names[:after])
        following = next((name for name in ring if name in self.lacking.without), "")
        if column == self.attributes.name and following:
            # The second half of a double click must not fall on what comes to lie under the pointer.
            self._right.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._pressable.start()
            self.attributes.pick(following)
            self.attributes.setFocus()

    def _take_presses(self) -> None:
        self._right.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)

    def _draft_changed(self, _column: str) -> None:
        self.attributes_model.reload()
        self.ready_made.refresh()
        self.status_changed.emit()

    def _restart(self) -> None:
        """Offer the ways to another hierarchy while the one that is attached stays."""
        self._restarting = self.attributes.name
        self._show_column()

    def _give_up_restart(self) -> None:
        self._restarting = ""

    def _begin_imported(self, name: str, imported: ImportedHierarchy) -> None:
        if name == self.attributes.name:
            self.workshop.begin_imported(imported)

    def _show_built(self, name: str) -> None:
        """Show what was built, unless the person looks at one of them already that the room did not choose itself."""
        if self.attributes.name not in (hierarchies := self.document.project.hierarchies):
            self.attributes.pick(name)
        elif self.attributes.name == self._proposed:
            self.attributes.pick(self.attributes_model.first_worth_showing(self.lacking.unsaid or tuple(hierarchies)))
        if self.isVisible():
            self._attached_now = True
            self.attributes.setFocus()
        if self.lacking.unsaid:
            self.pointed_out.emit(self.ready_made.asking)

    def _lead_on(self) -> None:
        """Go on once what was attached in this stay is declared; who came to declare it goes where they like."""
        if self._attached_now and self.isVisible() and not self.next_hint():
            self.document.noted_of.emit(*self.ready_made.attached_note, self.identifier)
            self.done.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._attached_now = False
        self.settle()
        self._look_beside_the_data()
        schema, hierarchies = self.document.project.schema, self.document.project.hierarchies
        shown = self.attributes.name
        if shown not in schema.names or self.workshop.has_open(shown):
            return
        out = role_in_force(self.document.session, shown) is Role.IDENTIFYING
        gone = out and (schema[shown].role is not Role.IDENTIFYING or shown not in hierarchies)  # that was said since
        self.attributes.pick(self.opening.column("" if gone else shown))

    def _look_beside_the_data(self) -> None:
        if self.document.has_data and not self._library_read:
            self._library_read = True
            self.workshop.read_library()
        self.ready_made.look_beside()

    # Acting

    def attach_file(self, path: Path) -> None:
        """Read a file and attach it to the chosen column."""
        if self.attributes.name:
            self.ready_made.attach({self.attributes.name: path})

    def attach_matching(self) -> None:
        """Attach every matching file to the column it is named after, as one step."""
        self.ready_made.attach_matching()

    def take_what_lies_beside(self) -> None:
        self.settle()
        self.ready_made.attach_when_found()

    def browse(self) -> None:
        """Ask for a file for the chosen column, if there is one."""
        if not (self.attributes.name and self.document.has_data):
            return
        chosen = ask_for_hierarchy(self, self.attributes.name, self.document.session.data.reading.path)
        if chosen is not None:
            self.attach_file(chosen)

    def export(self) -> None:
        """Ask for a place and write the hierarchy there as ARX reads it."""
        name = self.attributes.name
        hierarchy = self.document.project.hierarchies.get(name)
        if hierarchy is None:
            return
        path = ask_where_to_export(self, name, self.document.session.data.reading.path)
        if path is None:
            return

        def write(progress: Progress) -> Path:
            write_hierarchy(hierarchy, path)
            return path

        self.document.runner.start(f"Writing {path.name}", write, on_done=self._exported, key=EXPORT_JOB)

    def _exported(self, path: Path) -> None:
        self.document.noted.emit("success", f"The hierarchy was written to {path.name}.")

    def _detach(self) -> None:
        name = self.attributes.name
        text = f"Detach the hierarchy of “{name}”"
        self.document.apply(text, lambda session: session.data.detach_hierarchy(name))

    def _cover(self) -> None:
        name = self.attributes.name
        self.document.apply(f"Let the missing values of “{name}” become *", lambda session: session.data.cover(name))

    def _correct(self, provenance: Provenance, origin: str) -> None:
        name = self.attributes.name
        text = f"Declare the hierarchy of “{name}” {provenance_word(provenance).lower()}"
        self.document.apply(text, lambda session: session.data.set_provenance(name, provenance, origin))

    def _go_to_data(self) -> None:
        self.go_to.emit("data")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.attributes.name and dropped_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped_file(event)
        if path is not None and self.attributes.name:
            event.acceptProposedAction()
            self.attach_file(path)
