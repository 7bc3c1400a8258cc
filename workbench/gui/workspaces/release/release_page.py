"""This release: what may be claimed and the file on the left, what is still open on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QSplitter, QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.release.checklist_view import LIGHTS, ChecklistView
from workbench.gui.workspaces.release.export_panel import ExportPanel
from workbench.gui.workspaces.release.stale_notice import StaleNotice
from workbench.session.release_subject import ReleasableResult


class ReleasePage(QSplitter):
    """Verdict, export and checklist."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("release")
        self.setChildrenCollapsible(False)
        self.verdict = Badge(Status.NEUTRAL)
        self.words = label(wrap=True)
        self.stale = StaleNotice()
        set_explain(self.verdict, "release.claim")
        self.checks = ChecklistView()
        set_explain(self.checks, "release.checklist")
        self.export = ExportPanel(document)
        self._left = QVBoxLayout()
        self.addWidget(self._column(self._left_side()))
        self.addWidget(self._column(self._right_side()))
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 1)
        self.setSizes([tokens.EMPTY_TEXT_WIDTH, tokens.EMPTY_TEXT_WIDTH])

    def add_section(self, section: QWidget) -> None:
        """Put a further section below the export."""
        self._left.insertWidget(self._left.count() - 1, section)

    def show_subject(self, subject: ReleasableResult) -> None:
        """Show what holds for a result as it stands."""
        light, words = subject.verdict
        self.verdict.set_status(LIGHTS[light], words)
        self.words.setText(subject.words)
        self.stale.show_current(subject.current)
        checks = subject.checks()
        self.checks.show_checks(checks)
        self.export.show_subject(subject)

    def _left_side(self) -> QWidget:
        claim = Section("Release", level=1)
        top = boxes.row(self.verdict, 1)
        claim.add(top)
        claim.add(self.words)
        claim.add(self.stale)
        side = QWidget()
        side.setProperty("bare", "true")
        side.setLayout(self._left)
        self._left.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_L, tokens.SPACE_XL)
        self._left.setSpacing(tokens.SPACE_XL)
        self._left.addWidget(claim)
        self._left.addWidget(self.export)
        self._left.addStretch(1)
        return side

    def _right_side(self) -> QWidget:
        section = Section("Checklist", "What is wrong comes first.")
        section.add(self.checks)
        section.content.addStretch(1)
        side = QWidget()
        side.setProperty("bare", "true")
        boxes.column((section, 1), margins="l l xl xl", inside=side)
        return side

    def _column(self, side: QWidget) -> QScrollArea:
        scroll = boxes.scrolled(side)
        scroll.setMinimumWidth(side.minimumSizeHint().width() + scroll.verticalScrollBar().sizeHint().width())
        return scroll
