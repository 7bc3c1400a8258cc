"""The ledger: everything that was released of this data, with the answers, which can be shown again for nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QWidget,
)

from workbench.core.composition import Total
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import counted, rounded_up
from workbench.core.progress import Progress
from workbench.core.release_spending import with_number_known
from workbench.core.schema import Schema
from workbench.core.working_table import Preparation
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.save_place import ask_file
from workbench.io.writing import write_csv
from workbench.query.composed_views import ComposedBound, composed_views
from workbench.query.ledger import Charge, LedgerEntry, LedgerHistory
from workbench.query.ledger_table import ledger_table
from workbench.query.read_then import Otherwise
from workbench.query.recorded_look import RecordedLook
from workbench.session import Session
from workbench.session.earlier_rows import Amounts, counted_entries, with_counted
from workbench.session.noise_alone import noise_alone, told_with_noise
from workbench.session.query_answers import PaidAnswer, answers_in
from workbench.session.query_words import maker_words, value_words, when_words

LEDGER_JOB = "query ledger"
_MOST_ROWS = 2000
_OPEN_ROWS, _LOW_ROWS = 5, 2
"""Of an open drawer at most, and in a low window, where the answer above it needs the room."""
_QUESTION, _ANSWER = 1, 2


@dataclass(frozen=True, eq=False)
class LedgerAccount:
    """The content of a ledger.

    Parameters
    ----------
    rows
        One per charge, or per answer of a batch of an earlier version; the newest first, and the answers of a batch
        after what was charged for it.
    known
        Which number of the table is known, or said to be, by which all of it counts.
    numerical
        What holds for all together if a small δ more is accepted.
    of_this
        The answers that were given on this very data, oldest first.
    otherwise
        What was otherwise at each row than it is now.
    described
        How the data is described and prepared now.
    counts
        ε and δ that entries count as beside each other, by their ids; nothing of what a plan pays for.
    fingerprint
        Of the data it is of.
    """

    history: LedgerHistory
    rows: tuple[tuple[LedgerEntry, PaidAnswer | None], ...]
    spent: Total
    known: KnownNumber
    numerical: ComposedBound | None
    of_this: tuple[PaidAnswer, ...] = ()
    otherwise: tuple[Otherwise, ...] = ()
    described: tuple[Schema, Preparation] | None = None
    counts: Mapping[str, Amounts] = field(default_factory=dict)
    fingerprint: str = ""


@dataclass(frozen=True)
class _Line:
    """A line of the table, its answer, and whether something was otherwise then."""

    cells: tuple[str, ...]
    answered: PaidAnswer | None = None
    unlike: bool = False


class LedgerPanel(QWidget):
    """A line with the total, which opens a drawer: the table of all that was released, and the way out as CSV.

    Signals
    -------
    answer_wanted(object)
        Show this `PaidAnswer`.
    loaded(object)
        Another `LedgerAccount` is shown; None if the ledger cannot be read.
    """

    answer_wanted = Signal(object)
    loaded = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.account: LedgerAccount | None = None
        self._lines: Sequence[_Line] = ()
        self._most = _OPEN_ROWS
        self.table = HeatTable("Ledger")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.activated.connect(self._activated)
        self.table.doubleClicked.connect(self._activated)
        self.total = ElidedLabel()
        self.total.setProperty("muted", "true")
        self.show_button = push_button("Show answer", self._show_selected, tip="Showing an answer again costs nothing")
        self.export = push_button("Export CSV…", self.choose_file, icon=icon("export", "link"))
        for button in (self.show_button, self.export):
            set_look(button, quiet=True)
        self.heading = tool_button(name="Ledger", text="Ledger", icon=icon("chevron-right", "muted"))
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.heading.clicked.connect(lambda _checked: self.set_open(not self.opened))
        head = boxes.row(self.heading, (self.total, 1), self.show_button, self.export, spacing="s")
        boxes.column(
            boxes.boxed(boxes.column(head, (self.table, 1), margins="s xs s xs", spacing="xs"), line="top"), inside=self
        )
        self.set_open(False)
        set_explain(self, "query.ledger")
        self._show(None, "Nothing released yet.")

    @property
    def has_answer(self) -> bool:
        """Whether a question was answered of the open table as it is described and prepared now.

        Also while this waits to be read anew, since nobody is in this room: then of what was shown last.
        """
        return any(self._document.session.queries.is_of_now(one) for one in reversed(self.asked))

    @property
    def asked(self) -> tuple[PaidAnswer, ...]:
        """The answers that were paid for on the open table, as far as they were read, oldest first."""
        account, document = self.account, self._document
        if account is None or not document.has_data or account.fingerprint != document.session.data.fingerprint:
            return ()
        return account.of_this

    def set_open(self, opened: bool) -> None:
        """Open or close the drawer; the line with the total is always there."""
        self.opened = opened
        self.heading.setIcon(icon("chevron-down" if opened else "chevron-right", "muted"))
        self.heading.setAccessibleDescription("open" if opened else "closed")
        for part in (self.table, self.show_button, self.export):
            part.setVisible(opened)
        # No more room than it fills: what is read above it goes on below its edge.
        rows = 1 + (min(1 + max(len(self._lines), 1), self._most) if opened else 0)
        self.setFixedHeight(rows * tokens.CONTROL_HEIGHT + tokens.SPACE_M)

    def set_low(self, low: bool) -> None:
        """Whether the window is low, so that an open drawer has fewer lines."""
        self._most = 1 + _LOW_ROWS if low else _OPEN_ROWS
        self.set_open(self.opened)

    def refresh(self) -> None:
        """Show what stands in the ledger now, unless it is shown already."""
        if not self._document.has_data:
            self._show(None, "")
            return
        session = self._document.session.snapshot()
        shown = self.account
        if shown is not None and self._is_current(shown):
            return

        def work(_progress: Progress) -> LedgerAccount | None:
            ledger = session.ledger.current
            history, standing = ledger.history, session.standing
            described = _described(session)
            same = shown is not None and history is shown.history and standing.known is shown.known
            if same and shown is not None and shown.described == described:
                return None
            rows = session.project.schema.unit.rows_per_person
            released = with_number_known(history.released) if standing.known else history.released
            views = composed_views(released, rows_per_person=rows)
            together = None if views is None else views.numerical
            found = _rows(history, answers_in(ledger))
            return LedgerAccount(
                history,
                found,
                standing.spent,
                standing.known,
                together,
                session.queries.answers_of_this(),
                tuple(
                    Otherwise() if answered is None else session.queries.otherwise(answered) for _, answered in found
                ),
                described,
                counted_entries(history.entries, rows, known=bool(standing.known)),
                session.data.fingerprint,
            )

        self._document.runner.start(
            "Reading the ledger",
            work,
            on_done=self._take,
            on_failed=self._fail,
            key=LEDGER_JOB,
            latest_wins=True,
        )

    def _is_current(self, shown: LedgerAccount) -> bool:
        """Whether the ledger still says this. It is read anew only if its file changed."""
        session = self._document.session
        try:
            same = session.ledger.current.history is shown.history and session.standing.known is shown.known
            return same and shown.described == _described(session)
        except WorkbenchError:
            return False

    def _take(self, account: LedgerAccount | None) -> None:
        if account is not None:
            self._show(account, "" if account.rows else "Nothing released yet.")
            self.loaded.emit(account)

    def _fail(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self._show(None, str(error))
        self.loaded.emit(None)
        return True

    def _show(self, account: LedgerAccount | None, words: str) -> None:
        self.account = account
        self._lines = _lines(account)[:_MOST_ROWS] if account is not None else []
        rows = [line.cells for line in self._lines]
        self.table.show_rows(
            (
                "Time",
                "Question",
                "Answer",
                "Noise",
                "ε",
                "δ",
            ),
            rows,
            left=4,
        )
        self.table.ink_column(_ANSWER, ["warning" if line.unlike else "" for line in self._lines])
        self._fit_columns()
        if self.opened:
            self.set_open(True)  # as high as it is now
        if account is not None and account.rows:
            spent = account.spent
            words = f"{counted(spent.count, 'release')}: ε {rounded_up(spent.epsilon)} · δ {rounded_up(spent.delta)}"
            together = account.numerical
            if spent.bounded and together is not None and together.epsilon < spent.epsilon:
                words = (
                    f"{words}, or ε {rounded_up(together.epsilon)} · δ {rounded_up(together.delta)} by numerical "
                    "composition, because all of it was planned"
                )
            if any(
                entry.released.spends and entry.charge.rows_per_person < spent.rows_per_person
                for entry, _ in account.rows
            ):
                words = f"{words}, as one person may have {spent.rows_per_person:,} rows"
            if spent.replacing:
                words = f"{words}, for replacing a person's rows; what hides adding or removing them counts twice"
            if spent.unclaimed:
                words = f"{words}; some without a claim"
            if spent.open_participation:
                words = f"{words}; no claim for all of them together, because some show who takes part"
        if account is not None and account.history.looks:
            words = f"{words.removesuffix('.')}; {counted(len(account.history.looks), 'look')} at the true values"
        self.total.set_text(words)
        for button in (self.show_button, self.export):
            button.setEnabled(account is not None and bool(account.rows))

    def _fit_columns(self) -> None:
        """Questions and answers share what the others leave."""
        self.table.fit_columns()
        header = self.table.horizontalHeader()
        for column in range(header.count()):
            wide = column in (_QUESTION, _ANSWER)
            header.setSectionResizeMode(
                column, QHeaderView.ResizeMode.Stretch if wide else QHeaderView.ResizeMode.Interactive
            )
            if not wide:
                self.table.setColumnWidth(column, self.table.columnWidth(column) + tokens.SPACE_XS)

    # Doing

    def _activated(self, index: QModelIndex) -> None:
        answered = self._answer_at(index.row())
        if answered is not None:
            self.answer_wanted.emit(answered)

    def _show_selected(self) -> None:
        answered = self._answer_at(max(self.table.currentIndex().row(), 0))
        if answered is not None:
            self.answer_wanted.emit(answered)
        else:
            self._document.noted.emit("info", "This entry is not an answer, so there is nothing to show.")

    def _answer_at(self, row: int) -> PaidAnswer | None:
        return self._lines[row].answered if 0 <= row < len(self._lines) else None

    def otherwise(self, answered: PaidAnswer) -> Otherwise:
        """Differences between now and when this was answered, as far as the ledger that is shown tells."""
        account = self.account
        if account is not None:
            for (entry, known), other in zip(account.rows, account.otherwise, strict=True):
                if known is not None and (entry.id, known.position) == (answered.entry.id, answered.position):
                    return other
        return Otherwise()

    def choose_file(self) -> None:
        """Ask for a file and write the ledger there."""
        chosen, _ = ask_file(self, "Export the ledger", "ledger.csv", "Tables (*.csv)")
        if chosen:
            self.save(Path(chosen))

    def save(self, path: Path) -> None:
        """Write the ledger as CSV."""
        if self.account is None:
            return
        entries, session = self.account.history.told, self._document.session
        protected = session.ledger.protected

        def work(progress: Progress) -> Path:
            write_csv(ledger_table(told_with_noise(entries)), path, protected=protected, progress=progress)
            return path

        self._document.runner.start(f"Exporting {path.name}", work, on_done=self._saved, keep_late_result=True)

    def _saved(self, path: Path) -> None:
        self._document.noted.emit("success", f"The ledger was written to {path.name}.")


def _rows(history: LedgerHistory, answers: Sequence[PaidAnswer]) -> tuple[tuple[LedgerEntry, PaidAnswer | None], ...]:
    by_entry: dict[str, list[PaidAnswer]] = {}
    for answered in answers:
        by_entry.setdefault(answered.entry.id, []).append(answered)
    drawn: dict[str, list[LedgerEntry]] = {entry.id: [] for entry in history.told if entry.is_batch}
    alone: list[LedgerEntry] = []
    for entry in history.told:
        slot = entry.charge.slot
        (alone if slot is None else drawn.get(slot[0], alone)).append(entry)
    rows: list[tuple[LedgerEntry, PaidAnswer | None]] = []
    for charged in reversed(alone):
        batch = drawn.get(charged.id)
        for entry in (charged,) if batch is None else (charged, *sorted(batch, key=_place)):
            found = by_entry.get(entry.id)
            rows += [(entry, answered) for answered in found] if found else [(entry, None)]
    return tuple(rows)


def _place(entry: LedgerEntry) -> int:
    return 0 if entry.charge.slot is None else entry.charge.slot[1]


def _lines(account: LedgerAccount) -> list[_Line]:
    """Lines of what was released, and between them of what was looked at, the newest first."""
    looks = sorted(account.history.looks, key=lambda look: look.when, reverse=True)
    lines: list[_Line] = []
    for (entry, answered), other in zip(account.rows, _told_apart(account.otherwise), strict=True):
        while looks and looks[0].when > entry.when:
            lines.append(_look(looks.pop(0)))
        counts = account.counts.get(entry.id, (Fraction(0), Fraction(0)))
        lines.append(_Line(_cells(entry, answered, other, counts), answered, bool(other)))
    return lines + [_look(look) for look in looks]


def _told_apart(every: Sequence[Otherwise]) -> list[Otherwise]:
    """Each with a mark of its own: what was otherwise in several ways is counted, from the oldest on."""
    kinds: dict[str, list[str]] = {}
    for one in reversed(every):
        if one.words not in (known := kinds.setdefault(one.brief, [])):
            known.append(one.words)
    found = []
    for one in every:
        known = kinds[one.brief]
        brief = f"{one.brief} ({known.index(one.words) + 1})" if one and len(known) > 1 else one.brief
        found.append(replace(one, brief=brief))
    return found


def _look(look: RecordedLook) -> _Line:
    seen = "A look at the true values. It costs no ε, but what is asked afterwards rests on the asker's word"
    return _Line((when_words(look.when, short=True), seen, "", "–", "–", "–"))


def _described(session: Session) -> tuple[Schema, Preparation]:
    return session.project.schema, session.project.preparation


def _cells(
    entry: LedgerEntry, answered: PaidAnswer | None, other: Otherwise, counts: tuple[Fraction, Fraction]
) -> tuple[str, ...]:
    """The cells of a row; an answer of another reading says so first, where nothing cuts it off."""
    charge = entry.charge
    own = (charge.epsilon, charge.delta) if answered is None else (answered.epsilon, answered.delta)
    # An answer of a batch of an earlier version has a share of its entry, and of what that counts as.
    epsilon, delta = (
        _amount(mine, count * mine / whole if whole else count, charge)
        for mine, whole, count in zip(own, (charge.epsilon, charge.delta), counts, strict=True)
    )
    return (
        when_words(entry.when, short=True),
        " – ".join(filter(None, (entry.what if answered is None else answered.what, other.words))),
        "" if answered is None else ": ".join(filter(None, (other.brief.capitalize(), _answer(answered)))),
        maker_words(charge.made_by),
        epsilon,
        delta,
    )


def _answer(answered: PaidAnswer) -> str:
    kind = str(answered.question.get("query", ""))
    alone = noise_alone(answered)
    said = value_words(answered.told if alone is None else alone.released, kind, answered.names, margin=True)
    return said if alone is None else f"{said} for the noise, of {alone.limited}"


def _amount(value: Fraction, counted: Fraction, charge: Charge) -> str:
    """Amount that an entry spends, and what it counts as if that is more; in brackets what a plan pays for."""
    if not charge.released.spends:
        return "–"
    return with_counted(value, counted) if charge.slot is None else f"({rounded_up(value)})"
