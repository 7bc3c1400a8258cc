"""The rows as answers: faults in them, and persons who would answer more than once."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled
from workbench.gui.document import Document
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.collect.question_section import CollectQuestionSection
from workbench.session.collection.results import CollectedQuestion

ASK_JOB = "collect.ask"


class WhoAnswers(QObject):
    """Encodes the rows in the background whenever that may have changed. What it finds is for the analyst only.

    Attributes
    ----------
    banner
        Says that persons would report several times, and offers one report each.
    problem
        Why rows cannot answer, "" if all can.

    Signals
    -------
    settled()
        It is known who answers.
    """

    settled = Signal()

    def __init__(self, document: Document, question: CollectQuestionSection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._question = question
        self._key = ""
        self.problem = ""
        self.banner = ResultState("One report per person")
        self.banner.run_requested.connect(self._one_report)
        self.banner.hide()

    def forget(self) -> None:
        """The data is another."""
        self._key = ""
        self.problem = ""

    def refresh(self, *, known: bool) -> None:
        """Look again if anything changed that decides who answers what.

        Parameters
        ----------
        known
            Whether the possible answers are known; otherwise nobody can answer.

        Before a look at the data is recorded, nothing is found out about its rows.
        """
        if not (known and self._document.session.collection.looked):
            self.forget()
            self._question.counts.show_asked(None)
            self.banner.hide()
            return
        key = self._decisive()
        if key == self._key:
            return
        self._key = key
        try:
            work = self._document.session.collection.asker()
        except WorkbenchError as error:
            self._refuse(error)
            return
        self._document.runner.start(
            "Encoding the answers",
            work,
            on_done=self._show,
            on_failed=self._refuse,
            key=ASK_JOB,
            latest_wins=True,
        )

    def _decisive(self) -> str:
        """Everything that decides who answers what; less than what a simulation depends on."""
        session = self._document.session
        project, settings = session.project, session.project.collect
        means = sorted({choice.estimates_mean for choice in settings.protocols})
        return repr(
            (
                session.data.reading.fingerprint,
                settings.column,
                settings.encoding,
                settings.one_report_per_person,
                project.schema,
                project.preparation,
                means,
            )
        )

    def _show(self, asked: CollectedQuestion) -> None:
        self.problem = ""
        self._question.counts.show_asked(asked)
        self.banner.setVisible(bool(asked.beyond))
        if asked.beyond:
            first = asked.beyond[0]
            # Who it is and how many rows they have is counted, so it is seen after a look.
            detail = f" {first.analyst} (Analyst only.)" if self._document.looked else ""
            words = f"{first.text}{detail} ε adds up over the reports of a person."
            self.banner.show_state(Status.WARNING, words, offer_run=True)
        self.settled.emit()

    def _refuse(self, error: BaseException) -> bool:
        if isinstance(error, Cancelled):
            self._key = ""
            return True
        if not isinstance(error, WorkbenchError):
            return False
        # An error about values names them, which the badge beside the question covers and no other place does.
        about_values = error.field == "domain"
        self.problem = (
            "Some values are not possible answers; they are named with the question." if about_values else error.message
        )
        self._question.show_problem(error.for_analyst())  # a look is recorded
        self.banner.hide()
        self.settled.emit()
        return True

    def _one_report(self) -> None:
        self._document.apply(
            "One report per person", lambda session: session.collection.change(one_report_per_person=True)
        )
