"""Participation: whether a row's values decide that it sends a report, and how that is hidden.

A filter, or a missing value that is left out, makes values decide who reports, so that the number of reports counts
those who do. Where that is to be hidden everybody sends a report: who takes no part sends one drawn by the same
protocol from a further input of its own, which stands behind all values of the domain. What one person sends differs
then by a factor of e^ε at most, whatever their values are and whether they take part, and how many reports there are
follows from the rows of the table alone. What is decided here is decided by public settings, never by the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.worded import Worded
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent
from workbench.ldp.persons import HIDDEN
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.protocol import Family, FrequencyRandomiser, LocalProtocol

NO_PART = "(takes no part)"
"""How the further input is called."""

COUNTED_ROWS = "How many reports there are is public."
EVERYBODY = f"Which answer a person gave is hidden, and everybody reports, whatever their values are. {COUNTED_ROWS}"
"""Meaning of ε where nobody is left out."""
UNSEEN = (
    f"Which answer a person gave is hidden, and whether they take part: who does not reports “{NO_PART}”, randomised "
    f"like an answer. {COUNTED_ROWS}"
)
"""Meaning of ε where those who take no part report that."""
FURTHER = (
    f"Who takes part is hidden: a report may say “{NO_PART}”, too. Errors are of the other answers, if all take part."
)
"""What predictions say of it: the further answer is drawn, and taken off before shares are compared."""

NO_ROOM = (
    f"By this protocol nobody can report “{NO_PART}”; whether it hides who takes part is said where people report."
)
"""What predictions say of a protocol that has no room for the further answer: where rows are limited alone, it can."""

HIDING = f"Which answer a person gave is hidden, and whether they take part. {COUNTED_ROWS}"
"""The same for both, where no more is recorded than that it is hidden."""
NO_SUM = (
    "So the ledger claims no sum with other releases of this data. Protocols for categories, such as direct encoding "
    "(GRR), hide who takes part."
)
"""Consequence where it is not hidden, and what can be done."""


class Participation(Worded):
    """The choice whether who takes part is to be hidden."""

    AUTO = "auto", "is hidden, where the protocol can"
    """Where the protocol can."""
    HIDDEN = "hidden", "is hidden, or nobody reports"
    """Always; a protocol that cannot is refused."""
    OPEN = "open", "is seen: only they report"
    """Never: only those who take part report."""


@dataclass(frozen=True)
class Attendance:
    """The people who send a report in one collection.

    Parameters
    ----------
    hidden
        Whether values decide nothing about who reports, so that neither the number of reports nor any of them tells.
    none
        Whether those who take no part report, from an input of their own.
    named
        Whether every row must say whose it is, because rows that do not would be left out.
    why
        Why it is not hidden; "" if it is.
    """

    hidden: bool
    none: bool = False
    named: bool = False
    why: str = ""

    @property
    def promise(self) -> str:
        """Meaning of ε."""
        return (UNSEEN if self.none else EVERYBODY) if self.hidden else HIDDEN

    @property
    def meaning(self) -> str:
        """Meaning of the promise: what is hidden about who reports, and what that costs."""
        if self.none:
            return f"{self.promise} Estimates are less exact than if only those who take part reported."
        return self.promise if self.hidden else f"{self.promise} {self.why} {NO_SUM}"

    def to_json(self) -> dict[str, Any]:
        """As it stands in a file of reports."""
        return {"hidden": self.hidden, "none": NO_PART if self.none else None, "why": self.why}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Attendance:
        """Attendance that `to_json` wrote.

        Raises
        ------
        TypeError, KeyError
            If it did not.
        """
        hidden, none = plain["hidden"], plain["none"]
        if not isinstance(hidden, bool) or none not in (None, NO_PART):
            raise TypeError("unknown participation")
        return cls(hidden, none=none is not None, why=str(plain["why"]))


def can_report_none(protocol: LocalProtocol) -> bool:
    """Whether its domain can have one more input: not on a line, where it would be near some values, nor for a mean."""
    return protocol.family is Family.FREQUENCY and not protocol.ordinal and protocol.maximum_domain > 2


def further_of(plan: CollectionPlan, choice: ProtocolChoice) -> bool:
    """Whether people report by it with a further answer, that of those who take no part."""
    return plan.apart and can_report_none(choice.protocol)


def planned_randomiser(plan: CollectionPlan, choice: ProtocolChoice) -> FrequencyRandomiser:
    """What people report by in a planned collection, with a further answer for those who take no part if there is one.

    Raises
    ------
    WorkbenchError
        If the protocol cannot be used.
    """
    apart = int(further_of(plan, choice))
    randomiser = choice.frequency(plan.domain_size + apart, plan.epsilon)
    randomiser.apart = apart
    return randomiser


def simpler_of(plan: CollectionPlan, randomiser: FrequencyRandomiser) -> str:
    """The simpler protocol that a planned randomiser is, by its identifier; "" for none.

    Where people report with a further answer by one of both alone, they are not the same.
    """
    simpler = randomiser.simpler
    alike = simpler and further_of(plan, ProtocolChoice(simpler)) == bool(randomiser.apart)
    return simpler if alike else ""


def taking_part_words(plan: CollectionPlan, choice: ProtocolChoice) -> str:
    """What a prediction of one protocol says of those who take no part; "" where everybody does."""
    if not plan.apart:
        return ""
    return FURTHER if further_of(plan, choice) else NO_ROOM


def attendance(
    wanted: Participation, choice: ProtocolChoice, absent: Absent, *, filtered: bool, one_by_one: bool
) -> Attendance:
    """Who reports, from the settings alone.

    Parameters
    ----------
    absent
        What people without a value do.
    filtered
        Whether there is a filter.
    one_by_one
        Whether the reports of each person are limited, for which rows must say whose they are.

    Raises
    ------
    WorkbenchError
        If it must be hidden and cannot be.
    """
    protocol = choice.protocol
    # A mean has no value for those who have none.
    leaves_out = absent is Absent.LEAVE_OUT or (absent is Absent.VALUE and choice.estimates_mean)
    by_values = filtered or leaves_out
    if not by_values and not one_by_one:
        return Attendance(True)
    if wanted is Participation.OPEN:
        return Attendance(False, why="As was asked for, only those who take part report.")
    if can_report_none(protocol):
        return Attendance(True, none=True)
    if not by_values:
        return Attendance(True, named=True)
    kind = "means" if choice.estimates_mean else "two answers" if protocol.maximum_domain <= 2 else "values on a line"
    why = f"{protocol.title} is for {kind}, so those who take no part cannot report that."
    if wanted is Participation.HIDDEN:
        raise WorkbenchError(
            f"Who takes part cannot be hidden: {why}",
            hint="Use direct encoding (GRR) or another protocol for categories; or let everybody take part, without a "
            "filter, and stop where a value is missing; or let it be seen who takes part.",
            field="participation",
        )
    return Attendance(False, why=why)
