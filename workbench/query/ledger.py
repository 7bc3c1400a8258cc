"""The budget ledger: everything that was ever released of one table, and what is left of its budget.

A charge is written, and forced to the disk, before the answer it pays for is computed or the file it pays for is
written; so a crash can lose an answer but never a charge. Nothing is ever taken back.

The file is described in `ledger_file`. All sums are exact fractions; what they add up to is in `core.composition`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, ReleaseSpending, TablePart, Total, total
from workbench.core.errors import WorkbenchError
from workbench.core.release_spending import with_number_known
from workbench.query import remaining_budget
from workbench.query import spent as watched
from workbench.query.ledger_entries import JSON, Budget, Charge, LedgerEntry, LedgerHistory, LeftFile, Remaining
from workbench.query.ledger_file import SUFFIX, LedgerFile, Stamp, ledgers_folder
from workbench.query.ledger_folder import LedgerFolder, not_understood
from workbench.query.ledger_records import (
    answer_record,
    budget_record,
    charge_record,
    file_records,
    history_from_records,
    missing_records,
)
from workbench.query.open_slots import slot_for
from workbench.query.plan_charges import in_slots, plan_charge
from workbench.query.recorded_look import Record, RecordedLook, look_record, now
from workbench.query.remaining_budget import RemainingBudget

__all__ = [
    "ADD_REMOVE",
    "JSON",
    "REPLACE_ONE",
    "Budget",
    "Charge",
    "Ledger",
    "LedgerEntry",
    "LedgerHistory",
    "LeftFile",
    "RecordedLook",
    "Remaining",
    "RemainingBudget",
    "TablePart",
    "Total",
]


class Ledger:
    """The ledger of one table.

    Parameters
    ----------
    path
        Its file, which is made by the first charge.
    fingerprint
        Of the table, see `core.content`.
    carried
        What is known from elsewhere, such as a project that comes from another machine, and by which aliases other
        ledgers of the data are found. It counts at once, and is written into the file with the next thing that is.
    beside
        Where other ledgers of the same data may be: what they know counts as if it were carried.
    """

    def __init__(
        self, path: Path, fingerprint: str, carried: LedgerHistory | None = None, beside: LedgerFolder | None = None
    ) -> None:
        self._file = LedgerFile(path, fingerprint)
        self.fingerprint = fingerprint
        self.carried = carried or LedgerHistory()
        self._beside = beside
        self.before_charging: Callable[[], object] | None = None
        """The work before a charge is written, such as keeping a sketch of the data; it must not fail."""
        self._parsed: tuple[object, LedgerHistory] | None = None
        self._latest: tuple[tuple[Record, ...], Stamp | None] = ((), None)
        self._known: tuple[object, LedgerHistory, LedgerHistory, LedgerHistory, LedgerHistory] | None = None

    @classmethod
    def for_data(cls, fingerprint: str, carried: LedgerHistory | None = None) -> Ledger:
        """The person's ledger of the table with this fingerprint, in `ledgers_folder`."""
        return cls.in_file(ledgers_folder() / f"{fingerprint}{SUFFIX}", fingerprint, carried)

    @classmethod
    def in_file(cls, path: Path, fingerprint: str, carried: LedgerHistory | None = None) -> Ledger:
        """A ledger that also counts what the person's other ledgers of the same data know."""
        return cls(path, fingerprint, carried, LedgerFolder(ledgers_folder()))

    @classmethod
    def of_file(cls, path: Path) -> Ledger:
        """The ledger in a file, of whichever data it says that it is."""
        return cls.in_file(path, LedgerFile(path, None).data())

    @property
    def path(self) -> Path:
        return self._file.path

    # Reading

    @property
    def history(self) -> LedgerHistory:
        """Everything that is known, as it stands on the disk now.

        Raises
        ------
        WorkbenchError
            If the file cannot be read or is damaged; also for all that follows.
        """
        return self._history(self._file.read())

    def _history(self, records: tuple[Record, ...]) -> LedgerHistory:
        self._keep_what_is_gone(records)
        known, carried = self._known, self.carried
        if known is not None and known[0] is records and known[1] is carried:
            own = known[2]
        else:
            known, own = None, self._in_file(records).with_history(carried)
        related = self._related(own)
        if known is not None and known[3] is related:
            return known[4]
        history = own.with_history(related).naming_tables(self.fingerprint)
        if history.continued:
            history = history.of_several_tables()
        self._known = (records, carried, own, related, history)
        return history

    def _keep_what_is_gone(self, records: tuple[Record, ...]) -> None:
        """Carry what stood in the file before and no longer does, unless the file was moved aside as it was."""
        before, self._latest = self._latest, (records, self._file.stamp)
        gone = len(records) < len(before[0]) or (before[0] and records[len(before[0]) - 1] != before[0][-1])
        if records is not before[0] and gone and not self._file.lies_aside(before[1]):
            self.carried = self.carried.with_history(self._in_file(before[0]))

    def _append(self, decide: Callable[[tuple[Record, ...]], list[Record]]) -> None:
        beside = None if self._beside is None else self._beside.folder
        self._latest = (self._file.append(decide, beside), self._file.stamp)

    def _related(self, history: LedgerHistory) -> LedgerHistory:
        """The history in other ledgers of the same data."""
        if self._beside is None:
            return _NOTHING
        return self._beside.related({self.fingerprint, *history.aliases}, self.path)

    def _in_file(self, records: tuple[Record, ...]) -> LedgerHistory:
        parsed = self._parsed
        if parsed is not None and parsed[0] is records:
            return parsed[1]
        try:
            found = history_from_records(records)
        except (KeyError, TypeError, ValueError, WorkbenchError) as error:
            raise not_understood(self.path) from error
        self._parsed = (records, found)
        return found

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """All charges, oldest first."""
        return self.history.entries

    @property
    def budget(self) -> Budget | None:
        return self.history.budget

    def spent(self, rows_per_person: int = 1, *, number_known: bool = False) -> Total:
        """The total of all charges, for a person with up to `rows_per_person` rows, or as many as the charges speak of.

        With `number_known` it is their total where it is said that it is known how many people there are.
        """
        released = self.history.released
        return total(with_number_known(released) if number_known else released, rows_per_person)

    def remaining(self, rows_per_person: int = 1, *, number_known: bool = False) -> Remaining | None:
        """The remaining budget for charges on the whole table; None if no budget was set.

        With `number_known` it is what is left once something says that it is known how many people there are.
        """
        return remaining_budget.remaining(self.history, rows_per_person, number_known=number_known)

    def remaining_after(self, charge: Charge, *, number_known: bool = False) -> RemainingBudget:
        """The budget that a charge would leave. Nothing is spent, and somebody else may spend meanwhile.

        With `number_known` it is judged as where it is said that it is known how many people there are.
        """
        return remaining_budget.remaining_after(self.history, charge, number_known=number_known)

    def refuse_number_known(self, new: Sequence[ReleaseSpending] = ()) -> None:
        """Refuse that something leaves where it is known how many people there are, if the budget has no room then.

        Parameters
        ----------
        new
            What is to be charged besides.

        Raises
        ------
        WorkbenchError
            If all together, which then hides only that a person is replaced, goes beyond the budget.
        """
        remaining_budget.check_number_known(self.history, new)

    def as_told(self, entry: LedgerEntry) -> LedgerEntry:
        """An entry as a person is told of it, see `LedgerHistory.told`."""
        return next((one for one in self.history.told if one.id == entry.id), entry)

    def find(self, key: str) -> LedgerEntry | None:
        """The charge with this key."""
        return next((entry for entry in self.entries if key and entry.charge.key == key), None)

    # Spending

    def charge(
        self,
        charge: Charge,
        counted: Collection[str] | None = None,
        left: LeftFile | None = None,
        *,
        promises: bool = True,
        number_known: bool = False,
    ) -> LedgerEntry:
        """Spend. When this returns, the charge is on the disk, and the answer may be computed.

        A charge whose key was charged before costs nothing: the entry of then is given. One that a plan has an open
        slot for is paid by the plan.

        Parameters
        ----------
        counted
            The entries that the statement on this charge adds up with it; None if it says nothing of others.
        left
            The file that is paid for, which is noted with the charge.
        promises
            Whether the file promises anything. Where it does not, it can say that a number is known though the budget
            has no room for that: it is known, and counts from now on.
        number_known
            Whether it is said that it is known how many people there are: the budget must have room for all of it then.

        Raises
        ------
        WorkbenchError
            If it would go beyond the budget, which is said with what would fit, the statement counts too little, or
            the ledger cannot be written.
        """
        files = () if left is None else (left,)
        fresh = entry = LedgerEntry(secrets.token_hex(16), now(), charge, files=files)
        if self.before_charging is not None:
            self.before_charging()

        def decide(records: tuple[Record, ...]) -> list[Record]:
            nonlocal entry
            history = self._history(records)
            known = next((e for e in history.entries if charge.key and e.charge.key == charge.key), None)
            may_be_planned = known is None and charge.claimed and not charge.slots
            slot = slot_for(history.entries, charge.released) if may_be_planned else None
            if known is None and slot is None and history.budget is not None:
                remaining_budget.check(history, history.budget, charge, number_known=number_known)
            if left is not None and left.number_known and promises:
                remaining_budget.check_number_known(history, () if known or slot else (charge.released,))
            if counted is not None and any(other.id not in counted for other in history.entries):
                raise WorkbenchError(
                    "Something else of this data was released meanwhile, which the statement does not count.",
                    hint="Nothing was released or spent by this. Try again.",
                    field="ledger",
                )
            if known is not None:
                entry = known.with_files(files)
                return [*self._missing(records), *file_records(entry, known.files)]
            entry = replace(fresh, when=_moment(history))
            if slot is not None:
                entry = replace(entry, charge=replace(charge, slot=slot))
            return [*self._missing(records), charge_record(entry), *file_records(entry)]

        self._append(decide)
        if entry.id == fresh.id:
            watched.charged(entry)
        return entry

    def plan(
        self, what: str, slots: Sequence[ReleaseSpending], delta: Fraction | None = None, *, number_known: bool = False
    ) -> LedgerEntry:
        """Fix releases before the first of them is drawn, and spend what they cost together.

        Parameters
        ----------
        what
            One line for a person.
        slots
            What may be drawn. Whether it is or not, the plan costs the same.
        delta
            The δ of the whole, at least that of all slots together, which is meant if it is None.
        number_known
            As for `charge`.

        Raises
        ------
        WorkbenchError
            As for `charge`; also if it is no plan.
        """
        return self.charge(plan_charge(what, slots, delta), number_known=number_known)

    def draw_in(self, plan: str, charges: Mapping[int, Charge]) -> dict[int, LedgerEntry]:
        """Write down what is drawn in these slots of a plan, which pays for it, before it is drawn.

        Raises
        ------
        WorkbenchError
            If one of the slots is taken, or it cannot be written; then nothing was drawn.
        """
        made: dict[int, LedgerEntry] = {}

        def decide(records: tuple[Record, ...]) -> list[Record]:
            history = self._history(records)
            drawn, when = in_slots(history.entries, plan, charges), _moment(history)
            made.update({place: LedgerEntry(secrets.token_hex(16), when, one) for place, one in drawn.items()})
            return [*self._missing(records), *map(charge_record, made.values())]

        self._append(decide)
        return made

    def looked(self, at: str, settled: Collection[str] = ()) -> RecordedLook:
        """Remember that something of the data was seen that is not differentially private, before it is shown.

        From then on a draw keeps a claim only if its publication was settled before: what has left was, and what is
        named here. After the first look no draw can be settled any more, so a second one is not written down.

        Parameters
        ----------
        at
            What was looked at, as a code.
        settled
            Keys of draws that have not left and whose publication was settled before the look.

        Raises
        ------
        WorkbenchError
            If it cannot be written.
        """
        look: RecordedLook | None = None

        def decide(records: tuple[Record, ...]) -> list[Record]:
            nonlocal look
            history = self._history(records)
            look = next((one for one in history.looks if one.settled is not None), None)
            if look is not None:
                return self._missing(records)
            look = RecordedLook.now(at, settled=history.left_keys | set(settled))
            return [*self._missing(records), look_record(look)]

        self._append(decide)
        assert look is not None
        return look

    def answer(self, entry_id: str, answer: JSON) -> None:
        """Keep the answer of a charge, so that it can be shown again for nothing; see `answer_all`."""
        self.answer_all({entry_id: answer})

    def answer_all(self, answers: Mapping[str, JSON]) -> None:
        """Keep the answers of charges, by their ids.

        Raises
        ------
        WorkbenchError
            If they cannot be written.
        ValueError
            If there is no such charge, or it has another answer.
        """

        def decide(records: tuple[Record, ...]) -> list[Record]:
            entries = {entry.id: entry for entry in self._history(records).entries}
            fresh = []
            for entry_id, answer in answers.items():
                entry = entries.get(entry_id)
                if entry is None or answer is None:
                    raise ValueError("an answer without a charge")
                if entry.answer is None:
                    fresh.append(answer_record(entry_id, now(), answer))
                elif entry.answer != answer:
                    raise ValueError("a second answer to one charge")
            return [*self._missing(records), *fresh] if fresh else []

        self._append(decide)
        for entry_id in answers:
            watched.answered(entry_id)

    def answered(self) -> tuple[LedgerEntry, ...]:
        """The charges that have an answer, oldest first."""
        return tuple(entry for entry in self.entries if entry.answer is not None)

    def set_budget(self, epsilon: Fraction, delta: Fraction = Fraction(0), order: float = 0.0) -> Budget:
        """Set the budget of the table, once and for all.

        Parameters
        ----------
        order
            Of the Rényi filter by which it is kept, see `core.renyi`; 0 to keep it by adding up.

        Raises
        ------
        WorkbenchError
            If it was set before, is impossible, or is less than what was spent already.
        """
        budget = remaining_budget.possible_budget(epsilon, delta, order)

        def decide(records: tuple[Record, ...]) -> list[Record]:
            history = self._history(records)
            remaining_budget.check_new_budget(history, budget)
            return [*self._missing(records), budget_record(budget, now())]

        self._append(decide)
        return budget

    def merge(self, entries: Iterable[LedgerEntry], budget: Budget | None = None) -> None:
        """Take in what another copy of this ledger knows; each entry counts once. Nothing is ever refused for it.

        Raises
        ------
        WorkbenchError
            If it cannot be written.
        """
        self.carried = self.carried.with_history(LedgerHistory(tuple(entries), budget))
        self._append(self._missing)

    def continue_counts_of(self, fingerprints: Iterable[str]) -> None:
        """Count what was released of other data as released of this, from now on and in both ledgers.

        Raises
        ------
        WorkbenchError
            If it cannot be written.
        """
        self.carried = self.carried.with_history(LedgerHistory(aliases=frozenset(fingerprints)))
        self._append(self._missing)

    def _missing(self, records: tuple[Record, ...]) -> list[Record]:
        """The records that bring what is carried into the file."""
        return missing_records(self._in_file(records), self._history(records))


_NOTHING = LedgerHistory()


def _moment(history: LedgerHistory) -> str:
    """The time of what is charged now: no earlier than a look before it, also where a clock was set back."""
    return max((now(), *(look.when for look in history.looks)))
