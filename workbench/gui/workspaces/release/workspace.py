"""Verdict, checklist and export on the left; the statement as it will be written on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from workbench.anonymise.claim import Claim
from workbench.core.errors import WorkbenchError
from workbench.core.figures import rounded_up
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.release.checklist_view import ChecklistView
from workbench.gui.workspaces.release.export_panel import ExportPanel
from workbench.gui.workspaces.release.history import History
from workbench.gui.workspaces.release.statement_view import StatementView
from workbench.gui.workspaces.release.syntactic_page import SyntacticPage
from workbench.io.writing import neutralised_texts
from workbench.report.checklist import checklist
from workbench.report.statement import in_words, statement_body
from workbench.session import Result


class ReleaseWorkspace(Workspace):
    """The last room: nothing is computed here, only judged and written."""

    identifier = "release"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._empty = EmptyState(
            "release",
            self.tr("Nothing to release yet"),
            self.tr(
                "Run the anonymisation first. Then this page shows what may be claimed for the file, and writes it."
            ),
            self.tr("Go to Anonymise"),
        )
        self._empty.primary.connect(self._go_to_anonymise)
        self.verdict = Badge(Status.NEUTRAL)
        self._words = label(wrap=True)
        self._stale = label(self.tr("The settings were changed after the last run. Run again to export."), wrap=True)
        set_explain(self, "release.claim")
        self.checks = ChecklistView()
        set_explain(self.checks, "release.checklist")
        self.checks.go_to.connect(self.go_to)
        self.export = ExportPanel(document)
        self.history = History()
        self.statement = StatementView()
        self._counted: tuple[Result, int] | None = None
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._build())
        self.syntactic = SyntacticPage(document)
        self._pages.addWidget(self.syntactic)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        document.changed.connect(self._refresh)
        self._refresh("data")

    def status(self) -> Status | None:
        session = self.document.session
        records = self._records()
        if session.syntactic:
            current = self.document.has_data and session.recoded_is_current
            return Status.WARNING if records and current else None
        if records and session.result_is_current:
            return Status.SUCCESS if records[-1].claim else Status.WARNING
        return None

    def next_hint(self) -> str:
        session = self.document.session
        current = session.recoded_is_current if session.syntactic else session.result_is_current
        if self.document.has_data and current and not self._records():
            return self.tr("Export the release")
        return ""

    def focus_first(self) -> None:
        button = self._empty.primary_button
        if self._pages.currentWidget() is self._empty and button is not None:
            button.setFocus()
        elif self._pages.currentWidget() is self.syntactic:
            export = self.syntactic.export
            (export.export if export.export.isEnabled() else export.file).setFocus()
        else:
            (self.export.export if self.export.export.isEnabled() else self.export.file).setFocus()

    def _build(self) -> QWidget:
        claim = Section(self.tr("Release"), level=1)
        top = QHBoxLayout()
        top.addWidget(self.verdict)
        top.addStretch(1)
        claim.add(top)
        claim.add(self._words)
        claim.add(self._stale)
        checks = Section(self.tr("Checklist"))
        checks.add(self.checks)
        left = QWidget()
        left.setProperty("bare", "true")
        column = QVBoxLayout(left)
        column.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_XL)
        column.setSpacing(tokens.SPACE_XL)
        for part in (claim, self.export, checks, self.history):
            column.addWidget(part)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(left)
        scroll.setMinimumWidth(left.minimumSizeHint().width() + scroll.verticalScrollBar().sizeHint().width())
        right = Section(self.tr("Privacy statement"), self.tr("May be published with the file."))
        right.add(self.statement, 1)
        right.setContentsMargins(tokens.SPACE_L, tokens.SPACE_XL, tokens.SPACE_XL, tokens.SPACE_XL)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setObjectName("release")
        split.setChildrenCollapsible(False)
        split.addWidget(scroll)
        split.addWidget(right)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        split.setSizes([tokens.EMPTY_TEXT_WIDTH, tokens.EMPTY_TEXT_WIDTH])
        return split

    def _refresh(self, section: str) -> None:
        if section == "data":
            self.export.propose()
            self.syntactic.export.propose()
        session = self.document.session
        if session.syntactic:
            self._pages.setCurrentIndex(0 if session.recoded is None else 2)
            self.syntactic.refresh(self._records())
            return
        result = session.result
        self._pages.setCurrentIndex(0 if result is None else 1)
        self.export.refresh()
        if result is None:
            return
        self._stale.setVisible(not session.result_is_current)
        claim = self._current_claim(result)
        self._show_verdict(claim)
        self.checks.show_checks(checklist(claim, result.outcome))
        self.statement.show_body(
            statement_body(self.document.project.hierarchies, result.outcome, claim, self._neutralised(result))
        )
        self.history.show_records(self._records())

    def _current_claim(self, result: Result) -> Claim:
        """The claim of the result; for settings that changed since, what a new run could claim."""
        session = self.document.session
        try:
            return session.current_claim() if session.result_is_current else session.claim()
        except WorkbenchError:
            return result.claim

    def _neutralised(self, result: Result) -> int:
        """How many cell texts the export will change; counted once for each result."""
        if self._counted is None or self._counted[0] is not result:
            self._counted = (result, neutralised_texts(result.outcome.release))
        return self._counted[1]

    def _show_verdict(self, claim: Claim) -> None:
        if claim.holds:
            self.verdict.set_status(
                Status.SUCCESS,
                self.tr("ε = {epsilon}, δ = {delta}: the claim holds").format(
                    epsilon=rounded_up(claim.guarantee.epsilon), delta=rounded_up(claim.guarantee.delta)
                ),
            )
            self._words.setText(in_words(claim.guarantee))
        else:
            self.verdict.set_status(Status.WARNING, self.tr("No (ε, δ) claim"))
            self._words.setText(
                self.tr(
                    "The file can be exported for comparison; its statement says that nothing is promised, and why."
                )
            )

    def _records(self) -> list:
        document = self.document
        if not document.has_data:
            return []
        fingerprint = document.session.reading.fingerprint
        return [record for record in document.project.releases if record.fingerprint == fingerprint]

    def _go_to_anonymise(self) -> None:
        self.go_to.emit("anonymise")
