"""The budget ledger: everything that was ever released of one table, and what is left of its budget.

A charge is written, and forced to the disk, before the answer it pays for is computed or the file it pays for is
written; so a crash can lose an answer but never a charge. Nothing is ever taken back.

The file is described in `ledger_file`. All sums are exact fractions; what they add up to is in `core.composition`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, TablePart, Total, counted_as, total
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_down, rounded_up
from workbench.query import spent as watched
from workbench.query.ledger_entries import (
    JSON,
    Budget,
    Charge,
    LedgerEntry,
    LedgerHistory,
    LeftFile,
    Record,
    RecordedLook,
    Remaining,
    alias_record,
    answer_record,
    budget_record,
    charge_record,
    file_records,
    history_from_records,
    look_record,
    now,
)
from workbench.query.ledger_file import SUFFIX, LedgerFile, ledgers_folder
from workbench.query.ledger_folder import LedgerFolder, not_understood

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
        """What is done before a charge is written, such as keeping a sketch of the data; it must not fail."""
        self._known: tuple[object, LedgerHistory, LedgerHistory, LedgerHistory, LedgerHistory] | None = None

    @classmethod
    def for_data(cls, fingerprint: str, carried: LedgerHistory | None = None) -> Ledger:
        """The person's ledger of the table with this fingerprint, in `ledgers_folder`."""
        return cls.in_file(ledgers_folder() / f"{fingerprint}{SUFFIX}", fingerprint, carried)

    @classmethod
    def in_file(cls, path: Path, fingerprint: str, carried: LedgerHistory | None = None) -> Ledger:
        """A ledger that also counts what the person's other ledgers of the same data know."""
        return cls(path, fingerprint, carried, LedgerFolder(ledgers_folder()))

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
        known, carried = self._known, self.carried
        if known is not None and known[0] is records and known[1] is carried:
            own = known[2]
        else:
            known, own = None, self._in_file(records).with_history(carried)
        related = self._related(own)
        if known is not None and known[3] is related:
            return known[4]
        history = own.with_history(related)
        if history.continued:
            history = history.of_several_tables()
        self._known = (records, carried, own, related, history)
        return history

    def _related(self, history: LedgerHistory) -> LedgerHistory:
        """What other ledgers of the same data know."""
        if self._beside is None:
            return _NOTHING
        return self._beside.related({self.fingerprint, *history.aliases}, self.path)

    def _in_file(self, records: tuple[Record, ...]) -> LedgerHistory:
        try:
            return history_from_records(records)
        except (KeyError, TypeError, ValueError, WorkbenchError) as error:
            raise not_understood(self.path) from error

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """All charges, oldest first."""
        return self.history.entries

    @property
    def budget(self) -> Budget | None:
        return self.history.budget

    def spent(self, rows_per_person: int = 1) -> Total:
        """What all charges add up to, for a person with up to so many rows, or as many as the charges speak of."""
        return total([entry.released for entry in self.entries], rows_per_person)

    def remaining(self, rows_per_person: int = 1) -> Remaining | None:
        """What the budget leaves for charges on the whole table; None if no budget was set."""
        budget = self.budget
        if budget is None:
            return None
        spent = self.spent(rows_per_person)
        zero = Fraction(0)
        return Remaining(
            max(budget.epsilon - spent.epsilon, zero),
            max(budget.delta - spent.delta, zero),
            spent.rows_per_person,
            spent.neighbours,
        )

    def room_for(self, charge: Charge) -> RemainingBudget:
        """What a charge would leave of the budget. Nothing is spent, and somebody else may spend meanwhile."""
        history = self.history
        after, budget = _after(history, charge), history.budget
        if budget is None:
            return RemainingBudget(after, budget, None, charge.epsilon)
        epsilon, delta = _what_fits(after, budget, charge)
        try:
            _check_budget(history, budget, charge)
        except WorkbenchError as refusal:
            return RemainingBudget(after, budget, refusal, epsilon if delta >= 0 else Fraction(0))
        return RemainingBudget(after, budget, None, epsilon)

    def find(self, key: str) -> LedgerEntry | None:
        """The charge with this key."""
        return next((entry for entry in self.entries if key and entry.charge.key == key), None)

    # Spending

    def charge(
        self, charge: Charge, counted: Collection[str] | None = None, left: LeftFile | None = None
    ) -> LedgerEntry:
        """Spend. When this returns, the charge is on the disk, and the answer may be computed.

        A charge whose key was charged before costs nothing: the entry of then is given.

        Parameters
        ----------
        counted
            The entries that the statement on this charge adds up with it; None if it says nothing of others.
        left
            The file that is paid for, which is noted with the charge.

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
            if known is not None:
                entry = known.with_files(files)
                return [*self._missing(records), *file_records(entry, known.files)]
            if history.budget is not None:
                _check_budget(history, history.budget, charge)
            if counted is not None and any(other.id not in counted for other in history.entries):
                raise WorkbenchError(
                    "Something else of this data was released meanwhile, which the statement does not count.",
                    hint="Nothing was released or spent by this. Try again.",
                    field="ledger",
                )
            return [*self._missing(records), charge_record(entry), *file_records(entry)]

        self._file.append(decide)
        if entry is fresh:
            watched.charged(entry)
        return entry

    def saw(self, recipe: str, *, drawn: bool) -> RecordedLook:
        """Remember that what came of a recipe was seen. What was not drawn for a release is remembered once.

        Raises
        ------
        WorkbenchError
            If it cannot be written.
        """
        look = RecordedLook.now(recipe, drawn=drawn)
        if not drawn:
            known = next((one for one in self.history.looks if one.recipe == recipe), None)
            if known is not None:
                return known
        self._file.append(lambda records: [*self._missing(records), look_record(look)])
        return look

    def answer(self, entry_id: str, answer: JSON) -> None:
        """Keep the answer of a charge, so that it can be shown again for nothing.

        Raises
        ------
        WorkbenchError
            If it cannot be written.
        ValueError
            If there is no such charge, or it has another answer.
        """

        def decide(records: tuple[Record, ...]) -> list[Record]:
            entry = next((e for e in self._history(records).entries if e.id == entry_id), None)
            if entry is None or answer is None:
                raise ValueError("an answer without a charge")
            if entry.answer is not None:
                if entry.answer != answer:
                    raise ValueError("a second answer to one charge")
                return []
            return [*self._missing(records), answer_record(entry_id, now(), answer)]

        self._file.append(decide)
        watched.answered(entry_id)

    def answered(self) -> tuple[LedgerEntry, ...]:
        """The charges that have an answer, oldest first."""
        return tuple(entry for entry in self.entries if entry.answer is not None)

    def set_budget(self, epsilon: Fraction, delta: Fraction = Fraction(0)) -> Budget:
        """Set the budget of the table, once and for all.

        Raises
        ------
        WorkbenchError
            If it was set before, is impossible, or is less than what was spent already.
        """
        if not (epsilon > 0 and 0 <= delta < 1):
            raise WorkbenchError(
                f"A budget of ε = {epsilon} and δ = {delta} is impossible.",
                hint="ε must be above 0, and δ at least 0 and below 1.",
                field="epsilon" if epsilon <= 0 else "delta",
            )
        budget = Budget(epsilon, delta)

        def decide(records: tuple[Record, ...]) -> list[Record]:
            history = self._history(records)
            if history.budget is not None:
                raise WorkbenchError(
                    f"The budget of this data was set to ε = {rounded_up(history.budget.epsilon)}, "
                    f"δ = {rounded_up(history.budget.delta)} before.",
                    hint="It is set once: a budget that can be raised is none.",
                    field="budget",
                )
            spent = total([entry.released for entry in history.entries])
            if spent.epsilon > epsilon or spent.delta > delta:
                raise WorkbenchError(
                    f"ε = {rounded_up(spent.epsilon)} and δ = {rounded_up(spent.delta)} were spent already.",
                    hint="Set a budget that is not below this.",
                    field="epsilon" if spent.epsilon > epsilon else "delta",
                )
            return [*self._missing(records), budget_record(budget, now())]

        self._file.append(decide)
        return budget

    def merge(self, entries: Iterable[LedgerEntry], budget: Budget | None = None) -> None:
        """Take in what another copy of this ledger knows; each entry counts once. Nothing is ever refused for it.

        Raises
        ------
        WorkbenchError
            If it cannot be written.
        """
        self.carried = self.carried.with_history(LedgerHistory(tuple(entries), budget))
        self._file.append(self._missing)

    def continue_counts_of(self, fingerprints: Iterable[str]) -> None:
        """Count what was released of other data as released of this, from now on and in both ledgers.

        Raises
        ------
        WorkbenchError
            If it cannot be written.
        """
        self.carried = self.carried.with_history(LedgerHistory(aliases=frozenset(fingerprints)))
        self._file.append(self._missing)

    def _missing(self, records: tuple[Record, ...]) -> list[Record]:
        """The records that bring what is carried into the file."""
        written, whole = self._in_file(records), self._history(records)
        known = {entry.id: entry for entry in written.entries}
        missing: list[Record] = []
        for entry in whole.entries:
            if entry.id not in known:
                missing.append(charge_record(entry))
            if entry.answer is not None and (entry.id not in known or known[entry.id].answer is None):
                missing.append(answer_record(entry.id, now(), entry.answer))
            missing += file_records(entry, known[entry.id].files if entry.id in known else ())
        seen = {look.id for look in written.looks}
        missing += [look_record(look) for look in whole.looks if look.id not in seen]
        missing += [alias_record(fingerprint) for fingerprint in sorted(whole.aliases - written.aliases)]
        if whole.budget is not None and whole.budget != written.budget:
            missing.append(budget_record(whole.budget, now()))
        return missing


@dataclass(frozen=True)
class RemainingBudget:
    """What a charge would leave, before anything is spent.

    Parameters
    ----------
    after
        What all charges add up to with this one.
    budget
        The budget, None if none was set.
    refusal
        Why it would be refused, None if it fits.
    fitting
        The largest ε of a charge like this that fits; at most 0 if none does.
    """

    after: Total
    budget: Budget | None
    refusal: WorkbenchError | None
    fitting: Fraction

    @property
    def left(self) -> Fraction | None:
        """ε that the budget would leave; None if none was set."""
        return None if self.budget is None else max(self.budget.epsilon - self.after.epsilon, Fraction(0))


def _check_budget(history: LedgerHistory, budget: Budget, charge: Charge) -> None:
    """Refuse a charge that goes beyond the budget, with a claim or without; one that has no ε and δ takes nothing."""
    if not charge.released.spends:
        return
    after = _after(history, charge)
    if after.epsilon <= budget.epsilon and after.delta <= budget.delta:
        return
    fits_epsilon, fits_delta = _what_fits(after, budget, charge)
    spent = total([entry.released for entry in history.entries])
    if fits_epsilon > 0 and fits_delta >= 0:
        left = f"ε = {rounded_down(fits_epsilon)}" + (
            f" and δ = {rounded_down(fits_delta)}" if charge.delta or after.delta > budget.delta else ""
        )
        hint = f"For this, at most {left} would fit. Nothing was spent."
    else:
        hint = "Nothing like it fits any more. Answers that were given can be shown again for nothing."
    raise WorkbenchError(
        f"This would go beyond the budget of this data: of ε = {rounded_up(budget.epsilon)} and "
        f"δ = {rounded_up(budget.delta)}, {rounded_up(spent.epsilon)} and {rounded_up(spent.delta)} are spent, and "
        f"with this it would be {rounded_up(after.epsilon)} and {rounded_up(after.delta)}.",
        hint=hint,
        field="epsilon" if after.epsilon > budget.epsilon else "delta",
    )


def _after(history: LedgerHistory, charge: Charge) -> Total:
    return total([*(entry.released for entry in history.entries), charge.released])


def _what_fits(after: Total, budget: Budget, charge: Charge) -> tuple[Fraction, Fraction]:
    """How much ε and δ of a charge fit, given what it would bring the total to."""
    # Above the budget the total grows with the charge in proportion, so that what fits is exact.
    epsilon, delta = counted_as(charge.released, after.rows_per_person, after.neighbours)
    return (
        _fitting(charge.epsilon, epsilon, after.epsilon, budget.epsilon),
        _fitting(charge.delta, delta, after.delta, budget.delta),
    )


def _fitting(asked: Fraction, counted: Fraction, after: Fraction, budget: Fraction) -> Fraction:
    """How much of what was asked for would fit; below 0 if nothing does."""
    if after <= budget:
        return asked
    return asked - (after - budget) * asked / counted if counted else Fraction(-1)


_NOTHING = LedgerHistory()
