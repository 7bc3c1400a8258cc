"""Spending: one question or a batch at a time, never the same one twice without being told to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.core.schema import UnitAnswer
from workbench.gui.document import Document
from workbench.query.catalogue import QueryDraft
from workbench.query.ledger import Charge, RemainingBudget
from workbench.query.plans import QueryPlan
from workbench.session.query_answers import PaidAnswer

ASK_JOB = "query ask"
BATCH_JOB = "query batch price"
PLAIN_JOB = "query plain"


@dataclass(frozen=True, eq=False)
class PricedBatch:
    """A batch that can be asked.

    Parameters
    ----------
    drafts, epsilon
        Its questions and what they cost together.
    room
        What it would leave of the budget; None if the ledger cannot be read.
    answered
        Whether exactly these questions were answered together before.
    charge
        What is charged for them.
    open
        Of the same batch, if it was interrupted: how many questions are still to be answered, which is paid for.
    unsaid
        Whether nobody has said yet who is protected.
    """

    drafts: tuple[QueryDraft, ...]
    epsilon: str
    plans: tuple[QueryPlan, ...]
    remaining: RemainingBudget | None
    answered: bool
    charge: Charge
    open: int = 0
    unsaid: bool = False


class Asker(QObject):
    """Runs the jobs that spend, and prices batches.

    Signals
    -------
    answered(object)
        A tuple of `PaidAnswer`: fresh ones, or the stored one if the question was answered before.
    batch_answered(object)
        The questions of a batch of which all were answered now.
    counted(object)
        The `PlainAnswer` to the question in hand, which costs nothing.
    ended()
        Nothing is being asked any more, whatever came of it.
    batch_priced(object)
        The `PricedBatch` batch.
    batch_refused(object)
        Why the questions cannot be asked together.
    """

    answered = Signal(object)
    batch_answered = Signal(object)
    counted = Signal(object)
    ended = Signal()
    batch_priced = Signal(object)
    batch_refused = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._fingerprint = ""
        self._session = document.session
        self._priced: PricedBatch | None = None
        self._batch: tuple[QueryDraft, ...] = ()
        self.asking = False

    def ask(self, draft: QueryDraft, *, again: bool) -> bool:
        """Ask in the background; unless `again`, a question that was answered before gives that answer for nothing.

        Returns
        -------
        bool
            False if it was refused at once, in which case the person has been told, or another is being asked.
        """
        desk = self._document.session.queries
        looking = self._document.session.snapshot().queries

        def bound() -> Callable[[Progress], tuple[PaidAnswer, ...]]:
            work = desk.asker(draft)

            def ask(progress: Progress) -> tuple[PaidAnswer, ...]:
                # Looked up here and not when the button was pressed: somebody may have asked meanwhile.
                known = None if again else looking.stored(draft)
                return (known,) if known is not None else (work(progress),)

            return ask

        return self._start("Asking the question", bound)

    def ask_plainly(self) -> None:
        """Answer the question in hand about a released file without noise, which costs nothing."""
        desk, draft = self._document.session.snapshot().queries, self._document.project.queries.draft
        self._document.runner.start(
            "Counting the released file",
            lambda progress: desk.plain(draft, progress),
            on_done=self.counted.emit,
            key=PLAIN_JOB,
            latest_wins=True,
            owner=self,
        )

    def ask_batch(self) -> bool:
        """Ask the questions of the batch in the background, if their price is known."""
        settings = self._document.project.queries
        priced = self._priced
        if priced is None or (priced.drafts, priced.epsilon) != (settings.batch, settings.batch_epsilon):
            return False
        desk = self._document.session.queries
        return self._start(
            "Asking the questions",
            lambda: desk.batch_asker(settings.batch, settings.batch_epsilon),
            batch=settings.batch,
        )

    def _start(
        self,
        name: str,
        bound: Callable[[], Callable[[Progress], tuple[PaidAnswer, ...]]],
        *,
        batch: tuple[QueryDraft, ...] = (),
    ) -> bool:
        if self.asking:
            return False
        try:
            work = bound()
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return False
        self.asking, self._batch = True, batch
        self._session = self._document.session
        self._fingerprint = self._session.data.fingerprint
        self._document.runner.start(
            name, work, on_done=self._done, on_failed=self._failed, key=ASK_JOB, keep_late_result=True
        )
        return True

    def _done(self, answers: Sequence[PaidAnswer]) -> None:
        self.asking = False
        document = self._document
        if document.session is self._session:  # else another project is open, and the answer waits in the ledger
            document.ledger_changed(self._fingerprint)
            if document.has_data and document.session.data.fingerprint == self._fingerprint:
                if self._batch:
                    self.batch_answered.emit(self._batch)
                self.answered.emit(answers)
        self.ended.emit()

    def _failed(self, _error: BaseException) -> None:
        self.asking = False
        self.ended.emit()

    # The price of a batch

    def price_batch(self) -> None:
        """Work out what the batch would cost."""
        settings = self._document.project.queries
        session = self._document.session.snapshot()
        drafts, epsilon = settings.batch, settings.batch_epsilon
        unsaid = session.project.schema.unit.protected is UnitAnswer.UNSAID
        self._priced = None

        def work(_progress: Progress) -> PricedBatch:
            plans = session.queries.plan_batch(drafts, epsilon)
            for plan in plans:
                assert plan.expected is not None  # worked out here, not on the GUI thread
            desk = session.queries
            charge = desk.batch_charge(plans)
            try:
                room = session.ledger.current.remaining_after(charge, number_known=bool(session.standing.known))
                begun = desk.begun(plans)
                known = bool(desk.stored_batch(drafts, epsilon))
            except WorkbenchError:
                return PricedBatch(drafts, epsilon, plans, None, False, charge)
            left = 0 if begun is None else len(begun.open)
            return PricedBatch(drafts, epsilon, plans, room, known and not left, charge, left, unsaid)

        self._document.runner.start(
            "Planning the batch",
            work,
            on_done=self._take_price,
            on_failed=self._not_priced,
            key=BATCH_JOB,
            latest_wins=True,
        )

    def _take_price(self, priced: PricedBatch) -> None:
        settings = self._document.project.queries
        if (priced.drafts, priced.epsilon) == (settings.batch, settings.batch_epsilon):
            self._priced = priced
            self.batch_priced.emit(priced)

    def _not_priced(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self.batch_refused.emit(error)
            return True
        return False
