"""Entries of a ledger: charges, answers, files, looks and the budget; `ledger_records` writes and reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from types import MappingProxyType
from typing import Any, TypeAlias

from workbench.core.charged_mechanism import MechanismPart
from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, ReleaseSpending, TablePart
from workbench.core.content import OF_ROWS
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import rounded_up
from workbench.core.renyi import filter_limit
from workbench.core.typed_fields import typed_fields
from workbench.query.ledger_plans import (
    PLAN,
    PlanSlot,
    sampled_before,
)
from workbench.query.recorded_look import RecordedLook

JSON: TypeAlias = Any
"""None, a truth value, a finite number, a text, or lists and text-keyed mappings of these."""

QUERY = "query"
"""The kind of charge that is for answers."""
RELEASE = "release"
"""The kind of charge that is for a file."""
COLLECTION = "collection"
"""The kind of charge that is for perturbed reports."""
PARTICIPATION, HIDDEN, OPEN = "participation", "hidden", "open"
"""The parameter of a collection that says whether who takes part in it is hidden, and its values."""
ASKED_OF = "data"
"""The parameter of questions that says which data they were asked of. Its fingerprint stays in the ledger."""
QUESTIONS = "questions"
"""The parameter that says what was asked; of a plan, what alone may be drawn in it."""
RECIPE = "recipe"
"""The parameter of a draw that tells its settings from others, by a digest. It stays in the ledger."""
LOOKS = "looks"
"""The parameter of a draw that names the looks at the data that were known when it was made, by their ids."""
WITHOUT_CLAIM = " without a claim"
"""The end of the key of a draw where a charge says of it that it left without the claim it could have had."""
CHARGED, WHEN_DRAWN = "charged", "when drawn"
"""The parameter of a release that was charged when it was drawn, and its value; without it, when it left."""


@dataclass(frozen=True)
@typed_fields
class Charge:
    """An amount that is spent, and its purpose.

    Parameters
    ----------
    kind
        "query", "collection", "search", "pseudonyms" or "release".
    what
        One line for a person, without anything computed from true values.
    epsilon, delta
        The promise to a person with up to `rows_per_person` rows.
    made_by
        What makes the answer, such as "grid", "diffprivlib" or "anonymise".
    neighbours
        Which tables count as neighbours, as in `core.composition`.
    parameters
        Everything public that the answer was made with, and `ASKED_OF`, `RECIPE` and `LOOKS`, which are not.
    cells
        The part of the table that is looked at, where that is public and exact; None for the whole table.
    claimed
        Whether the (ε, δ) holds. What has no claim counts as much, and leaves the whole without a bound.
    key
        Identifies one random draw: a charge with a key that was charged before costs nothing. "" for always new.
    mechanism
        What was drawn, where more is known of it than (ε, δ).
    slots
        Of a plan: what may be drawn in it. Its (ε, δ) is what all of them cost together, see `ledger_plans`.
    slot
        The entry of the plan that pays for this, and the place of the slot.
    """

    kind: str
    what: str
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    rows_per_person: int = 1
    made_by: str = ""
    neighbours: str = ADD_REMOVE
    parameters: Mapping[str, JSON] = field(default_factory=lambda: MappingProxyType({}))
    cells: TablePart | None = None
    claimed: bool = True
    key: str = ""
    mechanism: tuple[MechanismPart, ...] = ()
    slots: tuple[PlanSlot, ...] = ()
    slot: tuple[str, int] | None = None

    def __post_init__(self) -> None:
        # A ledger edited by hand must not make a total smaller than it is.
        if not isinstance(self.epsilon, Fraction) or not isinstance(self.delta, Fraction):
            raise TypeError("ε and δ of a charge are fractions")
        if not (self.epsilon >= 0 and 0 <= self.delta <= 1) or (self.claimed and self.epsilon == self.delta == 0):
            raise ValueError("a charge with an impossible ε or δ")
        if self.rows_per_person < 1:
            raise ValueError("a charge for less than one row per person")
        if self.neighbours not in (ADD_REMOVE, REPLACE_ONE):
            raise ValueError("unknown neighbours")
        if (self.kind == PLAN) != bool(self.slots) or (self.slots and self.slot is not None):
            raise ValueError("a plan without slots, or slots without a plan")

    @property
    def drawn(self) -> tuple[MechanismPart, ...]:
        """The parts that were drawn, as the charge says, or as follows from what earlier programs wrote."""
        if self.mechanism:
            return self.mechanism
        sampled = sampled_before(self.kind, self.parameters, self.epsilon, self.delta)
        return () if sampled is None else (sampled,)

    @property
    def open_participation(self) -> bool:
        """Whether it may show who takes part, where that depends on values.

        A collection hides it only where it says so: earlier programs did not, and left out who had no value.
        """
        return self.kind == COLLECTION and self.parameters.get(PARTICIPATION) != HIDDEN

    @property
    def public(self) -> dict[str, JSON]:
        """The parameters that may leave: a fingerprint differs for any two tables, however little they differ."""
        return {name: value for name, value in self.parameters.items() if name not in (ASKED_OF, RECIPE, LOOKS)}

    @property
    def looks_known(self) -> frozenset[str]:
        """The looks at the data that were known when it was drawn, by the ids of their records; none where earlier
        programs charged it.
        """
        known = self.parameters.get(LOOKS)
        return frozenset(one for one in known if isinstance(one, str)) if isinstance(known, list) else frozenset()

    @property
    def released(self) -> ReleaseSpending:
        """The spending that matters when charges are added up."""
        return ReleaseSpending(
            self.epsilon,
            self.delta,
            self.rows_per_person,
            self.claimed,
            self.cells,
            self.neighbours,
            self.open_participation or any(slot.open_participation for slot in self.slots),
            self.drawn,
            tuple(slot.spending for slot in self.slots),
            slot=self.slot,
        )


@dataclass(frozen=True)
@typed_fields
class ClaimedTogether:
    """The promise for a file that was chosen among several releases: so many of them, and their ε and δ."""

    releases: int
    epsilon: Fraction
    delta: Fraction

    @property
    def amounts(self) -> str:
        """As statements have it."""
        return f"({rounded_up(self.epsilon)}, {rounded_up(self.delta)})"

    def __post_init__(self) -> None:
        if self.releases < 2 or not (self.epsilon > 0 and 0 <= self.delta < 1):
            raise ValueError("a sum of releases that is impossible")


@dataclass(frozen=True)
@typed_fields
class LeftFile:
    """A file that left the house, or a folder of parts: its name and the SHA-256 of its bytes.

    `together` is what its statement promises, where that counts other releases of the data too. `number_known` is
    the number of the table that is known, if its publisher says so: its statement claims no more than holds then.
    """

    name: str
    sha256: str
    together: ClaimedTogether | None = None
    number_known: KnownNumber = KnownNumber.NONE


@dataclass(frozen=True)
@typed_fields
class LedgerEntry:
    """A charge in the ledger, with its answer once there is one, and the files that were written of one draw.

    `after_look` is whether a look at the data was recorded before it; it follows from the looks and is not written.
    """

    id: str
    when: str
    charge: Charge
    answer: JSON = None
    files: tuple[LeftFile, ...] = ()
    after_look: bool = False

    def with_files(self, files: Iterable[LeftFile]) -> LedgerEntry:
        """The entry that also knows these files, each once."""
        together = tuple(dict.fromkeys((*self.files, *files)))
        return self if together == self.files else replace(self, files=together)

    @property
    def released(self) -> ReleaseSpending:
        released = replace(self.charge.released, number_known=bool(self.number_known))
        return replace(released, identity=self.id) if released.slots else released

    @property
    def number_known(self) -> KnownNumber:
        """The number of the table that is known by what left. Nobody can unsay that."""
        return reduce(KnownNumber.with_other, (file.number_known for file in self.files), KnownNumber.NONE)

    @property
    def together(self) -> ClaimedTogether | None:
        """The joint promise that was made last where it was chosen among several; None if it was promised by itself."""
        return self.files[-1].together if self.files else None

    @property
    def is_batch(self) -> bool:
        """Whether it is a plan whose slots are for certain questions, and for nothing else."""
        return self.charge.kind == PLAN and QUESTIONS in self.charge.parameters

    @property
    def left(self) -> bool:
        """Whether the house was left by what it pays for, and not only drawn."""
        return bool(self.files) or self.charge.parameters.get(CHARGED) != WHEN_DRAWN

    @property
    def what(self) -> str:
        """A description of it, in one line: a draw is called by its file once it has left."""
        if self.charge.parameters.get(CHARGED) != WHEN_DRAWN:
            return self.charge.what
        if not self.files:
            return f"{self.charge.what}, not published"
        together = self.together
        said = "" if together is None else f", claimed with all {together.releases:,}: {together.amounts}"
        known = ", where it is known how many people there are" if self.number_known else ""
        names = ", ".join(dict.fromkeys(file.name for file in self.files))
        return f"Release {names}{said}{known}"


@dataclass(frozen=True)
@typed_fields
class Budget:
    """The largest (ε, δ) all releases of the table together may have.

    Parameters
    ----------
    order
        The order of the Rényi filter by which it is kept; 0 if it is kept by adding up.
    """

    epsilon: Fraction
    delta: Fraction
    order: float = 0.0

    def __post_init__(self) -> None:
        if not (self.epsilon > 0 and 0 <= self.delta < 1):
            raise ValueError("an impossible budget")
        if self.order:
            filter_limit(self.epsilon, self.delta, self.order)  # refuses a budget that is too small

    def within(self, other: Budget) -> Budget:
        """The smaller of two. If they are not kept by the same filter, it is kept by adding up."""
        epsilon, delta = min(self.epsilon, other.epsilon), min(self.delta, other.delta)
        order = self.order if self.order == other.order else 0.0
        try:
            return Budget(epsilon, delta, order)
        except ValueError:  # too small for both
            return Budget(epsilon, delta)


@dataclass(frozen=True)
@typed_fields
class LedgerHistory:
    """The entries of a ledger, apart from its file: the copy that a project carries to other machines.

    Parameters
    ----------
    entries, looks
        Oldest first.
    budget
        None if none was set.
    aliases
        Other fingerprints of the data: of the bytes it was read from, of its rows without their headings, and of the
        tables that are counted with it.
    """

    entries: tuple[LedgerEntry, ...] = ()
    budget: Budget | None = None
    looks: tuple[RecordedLook, ...] = ()
    aliases: frozenset[str] = frozenset()

    def with_history(self, other: LedgerHistory) -> LedgerHistory:
        """Both together: each entry and look once, an answer wherever one of them has it, the smaller budget."""
        if not other:
            return self
        entries = {entry.id: entry for entry in self.entries}
        for entry in other.entries:
            known = entries.setdefault(entry.id, entry).with_files(entry.files)
            if known.answer is None and entry.answer is not None:
                known = replace(known, answer=entry.answer)
            entries[entry.id] = known
        budget = self.budget
        if other.budget is not None:
            budget = other.budget if budget is None else budget.within(other.budget)
        return LedgerHistory(
            tuple(sorted(entries.values(), key=lambda entry: entry.when)),
            budget,
            each_once((*self.looks, *other.looks)),
            self.aliases | other.aliases,
        )

    @property
    def told(self) -> tuple[LedgerEntry, ...]:
        """The entries as a person is told of them: a draw that left without its claim is one release, which has none.

        Of answers it is told if they were asked for after a look at the data. What all of them spend does not follow
        from these but from `released`.
        """
        keys = {entry.charge.key for entry in self.entries if entry.charge.key}
        withdrawn = {key + WITHOUT_CLAIM for key in keys} & keys
        first = min((look.when for look in self.looks), default="")
        return tuple(
            replace(entry, charge=replace(entry.charge, claimed=False))
            if entry.charge.key + WITHOUT_CLAIM in withdrawn
            else replace(entry, after_look=True)
            if first and entry.charge.kind == QUERY and first <= entry.when
            else entry
            for entry in self.entries
            if entry.charge.key not in withdrawn
        )

    @property
    def released(self) -> tuple[ReleaseSpending, ...]:
        """The spending of all entries, plans too."""
        return tuple(entry.released for entry in self.entries)

    @property
    def number_known(self) -> KnownNumber:
        """The number of the table that is known, because something left that says so."""
        return reduce(KnownNumber.with_other, (entry.number_known for entry in self.entries), KnownNumber.NONE)

    @property
    def left_keys(self) -> frozenset[str]:
        """The keys of the draws that have left the house."""
        return frozenset(entry.charge.key for entry in self.entries if entry.charge.key and entry.left)

    @property
    def continued(self) -> bool:
        """Whether releases of other tables count as well: whose count the person continued, or of the same rows.

        The same rows under other headings, or read in another encoding, are another table here: what one calls a column
        or a value is something else in the other, so that a person may be in parts of both.
        """
        return any(alias.startswith(OF_ROWS) for alias in self.aliases)

    def naming_tables(self, fingerprint: str) -> LedgerHistory:
        """The same with the names of the tables that its questions were asked of, beside the one of this fingerprint.

        What another ledger of the same rows knew may stand in this one, and that ledger be gone.
        """
        asked = (entry.charge.parameters.get(ASKED_OF) for entry in self.entries)
        tables = frozenset(name for name in asked if isinstance(name, str) and name.startswith(OF_ROWS))
        found = tables - self.aliases - {fingerprint}
        return replace(self, aliases=self.aliases | found) if found else self

    def of_several_tables(self) -> LedgerHistory:
        """The same without parts of a table: a person may be in another part of another table, or in several."""
        entries = (replace(entry, charge=_on_whole_tables(entry.charge)) for entry in self.entries)
        return replace(self, entries=tuple(entries))

    def __bool__(self) -> bool:
        return bool(self.entries or self.looks or self.aliases) or self.budget is not None


@dataclass(frozen=True)
class Remaining:
    """The rest of a budget, for charges on the whole table, these persons and these neighbouring tables.

    Parameters
    ----------
    order
        Of the filter by which the budget is kept, 0 if it is kept by adding up. In a filter several small charges take
        less than one large one: `epsilon` is the largest of a single one, `delta` what all may have that follow.
    """

    epsilon: Fraction
    delta: Fraction
    rows_per_person: int
    neighbours: str = ADD_REMOVE
    order: float = 0.0


def _on_whole_tables(charge: Charge) -> Charge:
    return replace(charge, cells=None, slots=tuple(replace(slot, cells=None) for slot in charge.slots))


def each_once(looks: Iterable[RecordedLook]) -> tuple[RecordedLook, ...]:
    """Each look once, the oldest first; those of one moment in the order they came."""
    return tuple(sorted({look.id: look for look in looks}.values(), key=lambda look: look.when))
