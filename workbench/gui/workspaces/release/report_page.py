"""The two reports: one that may be published with the release, and one for the analyst."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import sample_data
from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.save_place import ask_at, may_write
from workbench.gui.widgets.section import Section
from workbench.report.content import Report
from workbench.session.reports import Reports, write_report

REPORT_JOB = "report"


class ReportPage(QWidget):
    """Says what the reports hold, and saves them.

    Signals
    -------
    copied(str)
        The command that writes the same reports, or "" if the project was never saved.
    """

    copied = Signal(str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.release = push_button("Save &release report…", self.save_release, primary=True)
        self.analyst = QPushButton("Save &analyst report…")
        self.analyst.clicked.connect(self.save_analyst)
        self.command = push_button("&Copy as command", self.copy_command, quiet=True)
        self._stale = label(
            "The settings were changed after the last run. Run again to report.", wrap=True, tone="warning"
        )
        self.not_left = label(
            "Export the file first to have its rows in this report. Until then it says what is promised.",
            wrap=True,
        )
        set_look(self.not_left, tone="warning")
        self.not_looked = label(
            "It holds the analyst’s figures. Take them in Anonymise first; that is recorded as a look at the data.",
            wrap=True,
        )
        self._build()

    def refresh(self, current: bool, *, left: bool, looked: bool) -> None:
        """Reports can be saved while the result belongs to the settings; its rows are in them once it has left.

        That for the analyst only once it is recorded that the analyst's figures were taken.
        """
        self._stale.setHidden(current)
        self.not_left.setHidden(left)
        self.release.setEnabled(current)
        self.analyst.setEnabled(current and looked)
        self.not_looked.setHidden(looked)

    def save_release(self) -> None:
        """Ask where to, and save the report that may be published."""
        self._save("Save release report", "release_report", lambda reports: reports.release)

    def save_analyst(self) -> None:
        """Ask where to, and save the report for the analyst."""
        self._save("Save analyst report", "analyst_report", Reports.for_analyst)

    def write(self, path: Path, chosen: Callable[[Reports], Report]) -> None:
        """Make one of the reports and write it, in the background."""
        document = self._document
        try:
            make = document.session.reports.maker()
        except WorkbenchError as error:
            document.failed.emit(error)
            return

        def work(progress: Progress) -> Path:
            report = chosen(make(progress.part(0.0, 0.6)))
            progress(0.6, "Drawing")
            write_report(report, path)
            return path

        document.runner.start(
            f"Writing {path.name}",
            work,
            on_done=self._written,
            key=REPORT_JOB,
            owner=document,
        )

    def copy_command(self) -> None:
        """Offer the command that writes both reports of the saved project."""
        project = self._document.path
        if project is None or self._document.modified:
            self._document.noted.emit("info", "A command repeats a saved project. Save the project first.")
            return
        words = ["workbench", "report", str(project), "--out", str(project.parent / f"{project.stem}_reports")]
        self.copied.emit(shlex.join(words))

    def _written(self, path: Path) -> None:
        self._document.noted.emit("success", f"The report was written to {path.name}.")

    def _save(self, title: str, name: str, chosen: Callable[[Reports], Report]) -> None:
        data = self._document.project.data
        source = Path(data.path) if data is not None else Path.home() / "data"
        # The samples belong to the program; what is made from them belongs to the person.
        session = self._document.session
        folder, stem = session.data.place_beside if session.data.loaded is not None else (source.parent, source.stem)
        folder = Path.home() if source.is_relative_to(sample_data()) else folder
        html, pdf = "Web page (*.html)", "PDF document (*.pdf)"
        text, kind = ask_at(self, title, folder / f"{stem}_{name}.html", f"{html};;{pdf}")
        if text:
            path = Path(text)
            if kind == pdf and path.suffix.lower() == ".html":
                path = path.with_suffix(".pdf")  # the proposed name, with the other kind chosen
                if not may_write(self, path, title):
                    return
            self.write(path, chosen)

    def _build(self) -> None:
        public = Section("Release report", "May be published with the file.")
        public.add(
            label(
                (
                    "The statement, what was released before, and pictures of the released rows. Nothing in it is "
                    "computed from rows or values that are not released."
                ),
                wrap=True,
            )
        )
        public.add(self.not_left)
        public.add(_to_the_left(self.release))
        set_explain(public, "release.report")
        private = Section("Analyst report", "Do not publish it.")
        private.add_action(analyst_badge())
        private.add(
            label(
                (
                    "All settings, the claim with its reasons, what was dropped, the risk of recognition, and every "
                    "column before and after. It is computed from true values; only you can read the file."
                ),
                wrap=True,
            )
        )
        private.add(self.not_looked)
        private.add(_to_the_left(self.analyst))
        set_explain(private, "release.analyst_report")
        both = label(
            "Each is a web page in one file, or a PDF. The same result gives the same file, byte for byte.",
            muted=True,
            wrap=True,
        )
        column = boxes.column(self._stale, public, private, both, _to_the_left(self.command), 1, spacing="xl")
        middle = QWidget()
        middle.setMaximumWidth(2 * tokens.EMPTY_TEXT_WIDTH)
        middle.setLayout(column)
        boxes.row((middle, 1, Qt.AlignmentFlag.AlignTop), 0, margins="xl", inside=self)


def _to_the_left(button: QPushButton) -> QHBoxLayout:
    return boxes.row(button, 1)
