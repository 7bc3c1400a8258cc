"""The room where a hierarchy is built: editor, live preview, and below both what it is and the button to apply it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QMenu,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.builder_suggestions import ordered_builders
from workbench.core.building import BUILDERS
from workbench.core.hierarchy import Hierarchy
from workbench.core.hierarchy_preview import HierarchyPreview
from workbench.core.level_words import interval_words
from workbench.core.schema import ColumnSpec
from workbench.core.specification_edits import Specification, covered, listed, with_parameter, without_repeats
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.plugin_trust import PluginTrust
from workbench.gui.widgets.side_by_side import SideBySide
from workbench.gui.widgets.status import Status, status_icon, status_word
from workbench.gui.workspaces.hierarchies.builder_icon import builder_icon
from workbench.gui.workspaces.hierarchies.draft_preview import Previewer
from workbench.gui.workspaces.hierarchies.drafts import HierarchyDraft
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.registry import form_for
from workbench.gui.workspaces.hierarchies.preview_pane import PreviewPane
from workbench.gui.workspaces.hierarchies.verdict import OriginBadge, VerdictCard

_FORM_WIDTH = tokens.COLUMN_MAX + tokens.SPACE_M
_PREVIEW_WIDTH = tokens.COLUMN_MAX


class BuilderPage(QWidget):
    """Edits the draft of one column.

    Ctrl+Enter applies, Ctrl+Z and Ctrl+Shift+Z go back and forth in the draft.

    Signals
    -------
    applied(object)
        The very `Hierarchy` that is previewed.
    discarded()
        The draft is given up.
    builder_chosen(str)
        Another builder is wanted for the column.
    restart_requested(), library_requested(), keep_requested(), import_requested()
        Start over, take a specification from the library, keep this one there, or import a file.
    """

    applied = Signal(object)
    discarded = Signal()
    builder_chosen = Signal(str)
    restart_requested = Signal()
    library_requested = Signal()
    keep_requested = Signal()
    import_requested = Signal()

    def __init__(self, runner: Runner, look: QWidget, badge: OriginBadge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.previewer = Previewer(runner, self)
        self._draft: HierarchyDraft | None = None
        self._applying = False
        self.form: BuilderForm | None = None
        self.name = ElidedLabel()
        set_look(self.name, heading=1)
        self.builder = ElidingComboBox("Builder")
        self.builder.setSizeAdjustPolicy(ElidingComboBox.SizeAdjustPolicy.AdjustToContents)
        self.builder.setMinimumWidth(tokens.FIELD_WIDTH + tokens.SPACE_L)
        self.undo = self._tool("undo", "Undo in the draft")
        self.redo = self._tool("redo", "Redo in the draft")
        self.more = self._tool("more", "More to do with the draft")
        self._menu = QMenu(self.more)
        self.from_scratch = self._menu.addAction(icon("add"), "Start from &scratch", self.restart_requested.emit)
        self.import_csv = self._menu.addAction(icon("import"), "&Import CSV…", self.import_requested.emit)
        self._menu.addSeparator()
        self.library = self._menu.addAction(icon("library"), "From the &library…", self.library_requested.emit)
        self.keep = self._menu.addAction(icon("save"), "&Keep in the library…", self.keep_requested.emit)
        self.sentence = ElidedLabel()
        self.trust = PluginTrust()
        self.preview = PreviewPane(runner, look)
        self._scroll = QScrollArea()
        self.verdict = VerdictCard(badge)
        self.badge, self.how_public = self.verdict.badge, self.verdict.how_public
        self.discard, self.apply = self.verdict.discard, self.verdict.apply
        self._lay_out()
        self._connect()

    def _tool(self, icon_name: str, name: str) -> QToolButton:
        button = tool_button(name=name, icon=icon(icon_name), tip=name)
        return button

    def _lay_out(self) -> None:
        heading = boxes.row(self.name, self.builder, 1, self.undo, self.redo, self.more, spacing="s")
        set_look(self.sentence, muted=True)
        self._inside = QWidget()
        self._inside.setProperty("bare", "true")
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_S)
        self._scroll.setWidget(self._inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setMinimumWidth(_FORM_WIDTH)
        self.preview.setMinimumWidth(_PREVIEW_WIDTH)
        parts = ((self._scroll, "Builder"), (self.preview, "Preview"))
        self.parts = SideBySide("hierarchies.builder", parts, (_FORM_WIDTH + tokens.SPACE_XL, _PREVIEW_WIDTH))
        self.parts.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        boxes.column(
            heading,
            self.sentence,
            self.trust,
            (self.parts, 1),
            self.verdict,
            margins="s 0 0 0",
            spacing="s",
            inside=self,
        )
        set_explain(self, "hierarchies.builder")

    def _connect(self) -> None:
        self.previewer.arrived.connect(self._show_preview)
        self.builder.activated.connect(self._choose_builder)
        self.trust.changed.connect(self._trust_changed)
        self.undo.clicked.connect(self._undo)
        self.redo.clicked.connect(self._redo)
        self.more.clicked.connect(self._show_menu)
        self.apply.clicked.connect(self.apply_now)
        self.discard.clicked.connect(self.discarded)
        self.verdict.declare.clicked.connect(self._declare)
        self.preview.cover_requested.connect(self._cover)
        self.preview.list_requested.connect(self._list)
        self.preview.repair_requested.connect(self._repair)

    # Showing

    @property
    def draft(self) -> HierarchyDraft | None:
        return self._draft

    def show_draft(self, column: ColumnSpec, draft: HierarchyDraft) -> None:
        """Show the draft of a column, whose values the previewer has."""
        if draft is not self._draft:
            self._leave()
            self._draft = draft
            draft.changed.connect(self._show)
            self.preview.clear()
            self.parts.show_part(0)
        self.name.set_text(column.name)
        self._offer_builders(column)
        self._show()

    def leave(self) -> None:
        """Stop showing a draft; the draft itself stays."""
        self._leave()
        self.previewer.stop()

    def focus_first(self) -> None:
        """Put the keyboard focus on the first field of the editor."""
        self.parts.show_part(0)
        self.builder.setFocus()

    def _leave(self) -> None:
        self._applying = False
        if self._draft is not None:
            self._draft.changed.disconnect(self._show)
            self._draft = None

    def _offer_builders(self, column: ColumnSpec) -> None:
        wanted = ordered_builders(column)
        shown = tuple(self.builder.itemData(row) for row in range(self.builder.count()))
        if wanted != shown:
            self.builder.clear()
            for position, builder in enumerate(wanted):
                self.builder.addItem(icon(builder_icon(builder)), BUILDERS[builder].title, builder)
                self.builder.setItemData(position, BUILDERS[builder].help, Qt.ItemDataRole.ToolTipRole)

    def _show(self) -> None:
        draft, source = self._draft, self.previewer.source
        if draft is None or source is None:
            return
        self.builder.choose(draft.builder)
        self.builder.setToolTip(BUILDERS[draft.builder].help)
        self.sentence.set_text(interval_words(draft.specification) or BUILDERS[draft.builder].help)
        self.trust.show_origin(BUILDERS.origin(draft.builder))
        self._form(draft.builder).show_specification(draft.specification, source)
        self.previewer.show(draft.specification)
        self._show_buttons()

    def _trust_changed(self) -> None:
        """Build again, since what is built is said to come from elsewhere now."""
        self.previewer.stop()
        self._show()

    def _form(self, builder: str) -> BuilderForm:
        """The editor of a builder; one at a time, so that nothing of the others is left."""
        if self.form is None or self.form.builder.identifier != builder:
            if self.form is not None:
                self._column.removeWidget(self.form)
                self.form.hide()
                self.form.deleteLater()
            self.form = form_for(builder)
            self.form.edited.connect(self._edit)
            self._column.addWidget(self.form)
            self._scroll.verticalScrollBar().setValue(0)
        return self.form

    def _show_buttons(self) -> None:
        draft, current = self._draft, self.previewer.current
        if draft is None:
            return
        self.undo.setEnabled(bool(draft.undo_text))
        self.redo.setEnabled(bool(draft.redo_text))
        self.undo.setToolTip(f"Undo: {draft.undo_text} (Ctrl+Z)")
        self.redo.setToolTip(f"Redo: {draft.redo_text} (Ctrl+Shift+Z)")
        wrong = current is not None and current.hierarchy is None
        self.verdict.allow(modified=draft.modified, wrong=wrong)

    def _show_preview(self, preview: HierarchyPreview) -> None:
        self.preview.show_preview(preview)
        if self.form is not None:
            self.form.show_error(preview.error)
            self.form.show_preview(preview)
        self.verdict.judge(preview)
        self._mark_preview(preview)
        self._show_buttons()
        if self._applying:
            self._applying = False
            self.apply_now()

    def _mark_preview(self, preview: HierarchyPreview) -> None:
        """Mark the tab of the preview, should it hide that something is wrong."""
        seen = self.preview.stand_in is None
        missed = seen and preview.coverage is not None and bool(preview.coverage.uncovered)
        wrong = preview.hierarchy is None and preview.is_begun
        state = Status.ERROR if wrong else Status.WARNING if missed else None
        tabs = self.parts.tabs
        tabs.setTabIcon(1, icon(status_icon(state), state.value) if state is not None else QIcon())
        # Where only one part can be seen, the groups per level are told all the same.
        groups = " → ".join(f"{count:,}" for count in preview.hierarchy.groups()) if seen and preview.hierarchy else ""
        words = f"Preview   {groups}".strip()
        tabs.setTabText(1, words)
        tabs.setTabToolTip(1, words)
        tabs.setAccessibleTabName(1, f"{words}, {status_word(state)}" if state is not None else words)

    # Acting

    def apply_now(self) -> None:
        """Apply what is previewed; while it is being built, as soon as it is there."""
        current = self.previewer.current
        if self._draft is None or not self._draft.modified:
            return
        if current is None:
            self._applying = True
        elif current.hierarchy is not None:
            self.applied.emit(current.hierarchy)

    @property
    def previewed(self) -> Hierarchy | None:
        """The hierarchy of the draft as it stands, None while it is being built or if it cannot be."""
        current = self.previewer.current
        return current.hierarchy if current is not None else None

    def edit(self, specification: Specification, text: str, merge: str = "") -> None:
        """Change the draft as one step."""
        if self._draft is not None:
            self._applying = False
            self._draft.edit(specification, text, merge)

    def _edit(self, specification: Specification, text: str, merge: str) -> None:
        self.edit(specification, text, merge)

    def _choose_builder(self, _index: int) -> None:
        wanted = str(self.builder.chosen)
        if self._draft is not None and wanted != self._draft.builder:
            self.builder_chosen.emit(wanted)
            # Should nothing come of it, the box must not claim another builder.
            self.builder.choose(self._draft.builder)

    def _declare(self) -> None:
        if self._draft is not None:
            declared = with_parameter(self._draft.specification, "declared", True)
            self.edit(declared, "Say that the groups were fixed without the data")

    def _cover(self) -> None:
        if self._draft is not None:
            self.edit(covered(self._draft.specification), "Let other values become *")

    def _list(self, values: tuple[str, ...]) -> None:
        if self._draft is not None:
            self.edit(listed(self._draft.specification, values), "Add the values that are not covered")

    def _repair(self) -> None:
        if self._draft is not None:
            self.edit(without_repeats(self._draft.specification), "Remove the repeats")

    def _undo(self) -> None:
        if self._draft is not None:
            self._draft.undo()

    def _redo(self) -> None:
        if self._draft is not None:
            self._draft.redo()

    def _show_menu(self) -> None:
        self._menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def minimumSizeHint(self) -> QSize:
        return QSize(_FORM_WIDTH + tokens.SPACE_S, super().minimumSizeHint().height())

    # Keys

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._own_key(event):
            # Within the builder these belong to the draft and not to the project.
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        asked = self._own_key(event)
        if asked == "undo":
            self._undo()
        elif asked == "redo":
            self._redo()
        elif asked == "apply":
            self.apply_now()
        else:
            super().keyPressEvent(event)

    def _own_key(self, event: QKeyEvent) -> str:
        if event.matches(QKeySequence.StandardKey.Undo):
            return "undo"
        if event.matches(QKeySequence.StandardKey.Redo):
            return "redo"
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        return "apply" if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier else ""
