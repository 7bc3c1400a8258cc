"""Under which circumstances a draw was made: what the verdict on its claim follows from, beside the draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.anonymise.after_draw import AS_DRAWN, AfterDraw
from workbench.anonymise.reasons import WorkingTable
from workbench.core.composition import ReleaseSpending
from workbench.core.known_number import KnownNumber
from workbench.core.near_releases import NearReleases


@dataclass(frozen=True)
class Circumstances:
    """The circumstances of a run that the recipe does not tell.

    Parameters
    ----------
    levels_blind
        The person says that the levels, or the settings that decide about them, were chosen without looking at this
        data.
    degree, limits
        The degree from which the levels follow, "" if they were given one by one or drawn privately, and the lowest and
        highest level of the columns that were kept between two.
    degrees
        Of a release in steps, the degree that each step follows from; none if they do not.
    balanced
        Whether the levels of the steps follow from how many labels the hierarchies have left.
    occurring
        What somebody said can occur in columns that take part, by their names; nothing of it is read from rows.
    expected
        Whether a number of rows that was typed decided how ε and δ are shared among steps.
    expected_rows
        That number; None where it decided nothing.
    secure
        The randomness came from the operating system.
    asserted
        Whether the publisher asserts what no program can check.
    unsaid
        What of it they do not, as far as that is known sentence by sentence.
    by_data
        The person says that what the data shows decided some choice: of columns, of what was asked of them, of ε or δ.
    known
        Which number of the table is known, as the person says or as something says that left before.
    looked
        Something of this data that is not differentially private was seen before the publication of the draw was
        settled, and not known to have been seen before the draw was made.
    looked_before
        What was seen first of what was seen before the draw was made: one of `looking.SEEN`; "" for nothing.
    looked_after
        Something of it was seen once the publication of the draw had been settled.
    tuned
        Levels, or what else decides about the release, were changed after a result on this data had been seen, as
        earlier programs recorded it.
    draws
        How often a sample of this data was drawn, or the data trimmed, with this recipe and looked at, as far as they
        recorded it.
    others
        How many other recipes they recorded a result of.
    uncounted
        Whether they recorded any result, which no ledger counts.
    others_drawn
        Whether its ledger counts other draws or releases of tables.
    earlier
        The other releases of this data that the ledger knows, and the plans.
    own
        What the ledger knows of this release, once it was charged.
    chosen
        It was chosen among what was released of this data, or its settings were: all of that is promised together.
    ledger_problem
        Why the ledger of this data cannot be read, "" if it can. It names a place of the publisher's: analyst only.
    near
        Whether something was released of data that is nearly the same and not counted with this.
    rows
        Rows of the table.
    suspected
        Columns that look as if they identified persons although the person did not say so.
    after
        What is done to the released rows after the draw.
    working_table
        How the table that was anonymised came from the one that was read.
    """

    levels_blind: bool = True
    degree: str = ""
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    degrees: tuple[str, ...] = ()
    balanced: bool = False
    occurring: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    expected: bool = False
    expected_rows: int | None = None
    secure: bool = True
    asserted: bool = True
    unsaid: tuple[str, ...] = ()
    by_data: bool = False
    known: KnownNumber = KnownNumber.NONE
    looked: bool = False
    looked_before: str = ""
    looked_after: bool = False
    tuned: bool = False
    draws: int = 1
    others: int = 0
    uncounted: bool = False
    others_drawn: bool = False
    earlier: tuple[ReleaseSpending, ...] = ()
    own: tuple[ReleaseSpending, ...] = ()
    chosen: bool = False
    ledger_problem: str = ""
    near: NearReleases = NearReleases.NONE
    rows: int = 0
    suspected: tuple[str, ...] = ()
    after: AfterDraw = AS_DRAWN
    working_table: WorkingTable | None = None
