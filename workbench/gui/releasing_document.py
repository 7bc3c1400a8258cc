"""The part of a document that makes releases: draw, look, export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from workbench.core.errors import WorkbenchError
from workbench.core.visible import visible
from workbench.gui.edited_document import EditedDocument
from workbench.gui.runner import Job

if TYPE_CHECKING:
    from workbench.io.export_format import ExportFormat
    from workbench.report.publisher import PublisherTemplate
    from workbench.session.export import Exported
    from workbench.session.release.drawing import AnonymiseRun

RUN_JOB = "anonymise"
EXPORT_JOB = "export"


class ReleasingDocument(EditedDocument):
    """Runs what spends or writes in the background, and takes in what comes of it.

    Signals
    -------
    exported(object)
        A release was written to this `Path`.
    verified(object)
        A released file was verified, from whichever place of the window: what was found, a `Verified`.
    export_wanted()
        What was drawn is to be exported before it gives way to something else.
    """

    exported = Signal(object)
    verified = Signal(object)
    export_wanted = Signal()

    def run(self, *, again: bool = False) -> Job | None:
        """Run the anonymisation in the background; None if the settings do not allow it or it was run already.

        The draw that was made with these settings stays the result. A simulation with a seed may be run as often as
        one likes.

        Parameters
        ----------
        again
            Make a new draw with the same settings, which is charged like the first.
        """
        try:
            if not again and self.project.anonymise.seed is None and self.session.release.recall():
                self.changed.emit("result")
                self.noted.emit("info", "This is the draw that was made with these settings; it costs nothing more.")
                return None
            work = self.session.release.anonymiser()
        except WorkbenchError as error:
            self.failed.emit(error)
            return None
        return self.runner.start(
            "Anonymising",
            work,
            on_done=self._accept,
            key=RUN_JOB,
            latest_wins=True,
            keep_late_result=self.project.anonymise.seed is None,  # what was drawn is paid for
        )

    def _accept(self, produced: AnonymiseRun) -> None:
        if produced.then.loaded is not self.session.data.loaded:
            return  # it speaks of other data
        self.session.release.accept(produced)  # that no row is left is said beside it, as long as it is shown
        self.changed.emit("result")
        self.changed.emit("file")

    def look(self, *, publish: bool) -> None:
        """Record that the analyst's figures are taken, and show them. See `look` of `session.release`."""
        try:
            self.session.release.look(publish=publish)
        except WorkbenchError as error:
            self.failed.emit(error)
            return
        self.changed.emit("file")
        self.changed.emit("result")

    def speak_as(self, template: PublisherTemplate | None) -> None:
        """Let the publisher speak in the statements that are written from now on; None for nobody."""
        self.session.speak_as(template)
        self.changed.emit("result")

    @property
    def last_exported(self) -> Path | None:
        """The file of the release that was written last since the project was opened."""
        exported = list(self.session.release.exported.values()) if self.has_data else []
        return exported[-1].targets.path if exported else None

    def export(
        self,
        path: Path,
        statement: Path | None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        without_claim: bool = False,
        asserted: bool = True,
        is_seen: Callable[[], bool] = lambda: False,
    ) -> Job | None:
        """Write the release in the background, with `parts` as a folder of files.

        The ledger has the record of it; nothing is saved. None if there is nothing that may be written. With `is_seen`
        its files are listed where the person looks once they are written: then no message says it as well. Other
        parameters as in the `exporter` of `session.release`.
        """
        from workbench.io.export_format import ExportFormat
        from workbench.session.export import Targets, signature_outdated

        session = self.session
        targets = Targets(path, style or ExportFormat.of(path), statement, note, parts, force)
        try:
            work, record = session.exporter(targets, without_claim=without_claim, asserted=asserted)
        except WorkbenchError as error:
            self.failed.emit(error)
            return None

        def done(exported: Exported) -> None:
            # Recorded where it was made, even if another project is open by now.
            record(exported)
            self.exported.emit(path)
            if session is not self.session:
                return
            self.changed.emit("file")
            self.changed.emit("result")
            # The files are listed where it was exported from; a name in the middle of a line would cut what follows.
            written = f"{exported.rows:,} rows were written, read back and counted again: {visible(path.name)}"
            warnings = signature_outdated(exported)
            if warnings or not is_seen():
                self.noted.emit("warning" if warnings else "success", ". ".join((written, *warnings)))

        return self.runner.start(
            f"Exporting {path.name}",
            work,
            on_done=done,
            key=EXPORT_JOB,
            owner=self,
            keep_late_result=True,
        )
