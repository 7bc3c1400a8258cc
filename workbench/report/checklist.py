"""The release checklist: what must be in order before a file is published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from workbench.anonymise.claim import Claim
from workbench.anonymise.looking import LOOKED_BEFORE, looked_before
from workbench.anonymise.reasons import Reason
from workbench.anonymise.recipe import ReleaseOutcome
from workbench.anonymise.risk import Risk
from workbench.core.composition import ReleaseSpending, counted_as
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.number_text import estimate, rounded_down, rounded_up
from workbench.query.ledger_entries import Remaining
from workbench.report.recheck import Rechecked, shown_value


class Light(StrEnum):
    """The state of one item."""

    GREEN = "in order"
    AMBER = "to consider"
    RED = "must be put right"


@dataclass(frozen=True)
class Check:
    """One item: its state, what is so, and the workspace where it is put right.

    `said` is whether that is the person's word and nothing that the program found out; `settled` whether it cannot be
    changed any more for the draw that is there.
    """

    title: str
    light: Light
    text: str
    workspace: str
    analyst: str = ""
    said: bool = False
    settled: bool = False

    @property
    def word(self) -> str:
        """Its state in words: what is settled with the draw is not put right any more."""
        if self.light is Light.RED and self.settled:
            return "only a new draw mends it"
        return "stated so" if self.light is Light.AMBER and self.settled else self.light.value


@dataclass(frozen=True)
class _Item:
    title: str
    fine: str
    workspace: str
    codes: tuple[str, ...]
    fine_if_drawn: str = ""
    fine_if_trimmed: str = ""
    fine_if_chosen: str = ""
    said: bool = False
    counted: bool = False
    """Whether the true rows decide about it."""


_ITEMS = (
    _Item(
        "Columns",
        "Every released column takes part in the grouping; the others are left out.",
        "anonymise",
        ("ungrouped-column",),
    ),
    _Item(
        "Hierarchies",
        "Released labels come from public hierarchies.",
        "hierarchies",
        ("data-derived-hierarchy", "looks-data-derived", "plugin-hierarchy"),
        said=True,
    ),
    _Item(
        "Levels and parameters",
        "Levels, β and k were fixed without looking at this data; what runs have shown of it is paid for.",
        "anonymise",
        (
            "levels-not-blind",
            "not-asserted",
            "looked-at",
            LOOKED_BEFORE,
            "tuned-on-outcome",
            "other-parameters",
            "looked-after",
            "other-settings-seen",
            "chosen",
        ),
        "The levels were drawn privately, and everything else was fixed without looking at this data.",
        "Levels, steps, ε and δ were fixed without looking at this data or at results on it.",
        "The settings, and which draw is published, follow from nothing of this data but releases that are counted.",
        said=True,
    ),
    _Item(
        "Rows per person",
        "Nobody is known to have more rows than were accounted for.",
        "data",
        ("rows-per-person", "person-or-row"),
    ),
    _Item("Randomness", "Fresh numbers that nobody can predict or repeat.", "anonymise", ("seeded",)),
    _Item("Size of δ", "δ is below one divided by the number of rows.", "anonymise", ("large-delta",), counted=True),
    _Item(
        "Other releases",
        "This is the only release of this data, drawn once, that its ledger knows of.",
        "release",
        ("ledger", "earlier-releases", "nearly-the-same", "several-draws"),
    ),
)


NO_ROOM_REMEDY = (
    "It can leave without a claim. A budget is set once: for the next data of this kind set one that holds it, or "
    "halve the ε of the release."
)
"""The remedies where all that was released counts twice, and the budget does not hold that."""


@dataclass(frozen=True)
class ReleaseFacts:
    """Facts around a release that its claim does not say.

    Parameters
    ----------
    identifying
        Released columns that identify persons directly.
    suspected
        Released columns that look as if they did.
    unsettled
        Columns without a role that look as if they had one.
    cost
        What the release will cost, or has cost; None for one that costs nothing.
    paid
        Whether it has been paid for.
    remaining
        What is left of the budget; None if none is set.
    others
        Other releases of the same data.
    ledger_problem
        Why the ledger cannot be read, or "".
    no_room
        Why the budget has no room for it where a number of the table is known, or "".
    risk
        The risk of the released rows, from their groups.
    neutralised
        How many different texts are made safe for spreadsheets.
    read_back
        What was found in the file that was written of this release; None if none was.
    """

    identifying: tuple[str, ...] = ()
    suspected: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    cost: ReleaseSpending | None = None
    paid: bool = False
    remaining: Remaining | None = None
    others: int = 0
    ledger_problem: str = ""
    no_room: str = ""
    risk: Risk | None = None
    neutralised: int = 0
    read_back: Rechecked | None = None

    @property
    def counted(self) -> tuple[Fraction, Fraction] | None:
        """ε and δ of the release in the units of the budget; None if there is nothing to compare."""
        if self.remaining is None or self.cost is None:
            return None
        rows = max(self.remaining.rows_per_person, self.cost.rows_per_person)
        return counted_as(self.cost, rows, self.remaining.neighbours)

    @property
    def affordable(self) -> bool:
        """Whether the release is paid for, or can be."""
        if self.ledger_problem or self.no_room:
            return False
        if self.paid or self.remaining is None or self.counted is None:
            return True
        epsilon, delta = self.counted
        return epsilon <= self.remaining.epsilon and delta <= self.remaining.delta


def checklist(
    claim: Claim, outcome: ReleaseOutcome | None, facts: ReleaseFacts | None = None, *, looked: bool = True
) -> tuple[Check, ...]:
    """The items in the order they are shown, for an (ε, δ) release.

    Parameters
    ----------
    outcome
        Once there is a result.
    facts
        Adds what the claim does not say.
    looked
        Whether a look at the data is recorded; without one nothing is said, or found in order, by the true rows.
    """
    if not looked:
        claim = claim.before_look
    checks = [_check(item, claim) for item in _ITEMS if looked or not item.counted]
    if outcome is not None:
        checks = [_settled(check, claim) for check in checks]
    if facts is not None:
        checks += [*_columns(facts), _budget(facts)]
    if outcome is not None:
        survived = outcome.rows_out > 0
        checks.append(
            Check(
                "Rows to release",
                Light.GREEN if survived else Light.RED,
                f"{outcome.rows_out:,} rows survived." if survived else "Every row was dropped.",
                "anonymise",
            )
        )
    if facts is not None:
        trimmed = claim.guarantee.trimmed is not None
        checks += [*(_risk_of_trimmed(claim, facts) if trimmed else _risk(facts)), *_file(facts)]
    return tuple(checks)


def syntactic_checklist(
    models: Sequence[str], hierarchies: Mapping[str, Hierarchy], facts: ReleaseFacts
) -> tuple[Check, ...]:
    """The items for a release of privacy models, which are given in words."""
    derived = [name for name, one in hierarchies.items() if one.provenance is Provenance.DERIVED]
    return (
        *_columns(facts),
        Check("Models", Light.GREEN, f"Every released row satisfies {'; '.join(models)}.", "anonymise"),
        Check(
            "Hierarchies",
            Light.AMBER if derived else Light.GREEN,
            f"Labels of {', '.join(derived)} were made from the data and say something about it."
            if derived
            else "Released labels come from public hierarchies.",
            "hierarchies",
        ),
        Check(
            "Other releases",
            Light.AMBER if facts.others or facts.ledger_problem else Light.GREEN,
            "What was released of this data before is not known, because its ledger cannot be read."
            if facts.ledger_problem
            else "One other release of this data is known. Whoever has both may combine them."
            if facts.others == 1
            else f"{facts.others:,} other releases of this data are known. Whoever has two of them may combine them."
            if facts.others
            else "This is the only release of this data that its ledger knows of.",
            "release",
            facts.ledger_problem,
        ),
        *_risk(facts),
        *_file(facts),
    )


def _columns(facts: ReleaseFacts) -> list[Check]:
    identifiers = Check("Direct identifiers", Light.GREEN, "No released column identifies persons directly.", "data")
    if facts.identifying:
        identifiers = Check(
            "Direct identifiers",
            Light.RED,
            f"These columns identify persons and are in the release: {', '.join(facts.identifying)}. Leave them out.",
            "anonymise",
        )
    elif facts.suspected:
        identifiers = Check(
            "Direct identifiers",
            Light.AMBER,
            f"These released columns look as if they identified persons: {', '.join(facts.suspected)}. Leave them out, "
            "or say what they are.",
            "data",
        )
    roles = Check("Roles", Light.GREEN, "No column is left that looks as if it had another role.", "data")
    if facts.unsettled:
        roles = Check(
            "Roles",
            Light.AMBER,
            f"These columns look as if they had a role, and have none: {', '.join(facts.unsettled)}.",
            "data",
        )
    return [identifiers, roles]


def _budget(facts: ReleaseFacts) -> Check:
    title = "Budget"
    if facts.ledger_problem:
        return Check(title, Light.RED, "The ledger cannot be read. Put it right.", "query", facts.ledger_problem)
    if facts.no_room:
        return Check(title, Light.RED, f"{facts.no_room} {NO_ROOM_REMEDY}", "query")
    if facts.paid:
        words = "This release is paid for; writing it again costs nothing."
        if facts.remaining is None:
            words += " No budget is set, so nothing limits what is released of this data after it."
        return Check(title, Light.GREEN, words, "query")
    if facts.remaining is None or facts.cost is None or facts.counted is None:
        return Check(
            title, Light.AMBER, "No budget is set for this data, so nothing limits its releases together.", "query"
        )
    left, cost, (epsilon, delta) = facts.remaining, facts.cost, facts.counted
    words = (
        f"It costs ε {rounded_up(epsilon)}, δ {rounded_up(delta)}; left are ε {rounded_down(left.epsilon)}, "
        f"δ {rounded_down(left.delta)}."
    )
    if not facts.affordable:
        return Check(title, Light.RED, words, "query")
    if not cost.claimed:
        return Check(title, Light.AMBER, f"{words} Without a claim the budget bounds nothing afterwards.", "query")
    return Check(title, Light.GREEN, words, "query")


def _risk(facts: ReleaseFacts) -> list[Check]:
    risk = facts.risk
    if risk is None or not risk.rows:
        return []
    highest, threshold = risk.prosecutor.highest, risk.threshold
    fine = risk.prosecutor.at_risk == 0
    return [
        Check(
            "Risk of being recognised",
            Light.GREEN if fine else Light.AMBER,
            f"By the grouped columns nobody can point at a released row with a chance above 1 in {risk.smallest:,}; "
            f"the threshold is {estimate(threshold)}."
            if fine
            else f"A released row can be pointed at with a chance of {estimate(highest)}, above the threshold of "
            f"{estimate(threshold)}. Use higher levels, or a larger k.",
            "anonymise",
        )
    ]


def _risk_of_trimmed(claim: Claim, facts: ReleaseFacts) -> list[Check]:
    """Released counts are smaller than those of the table, so a group of one released row is nobody alone."""
    risk = facts.risk
    if risk is None or not risk.rows:
        return []
    rows = "1 row" if risk.smallest == 1 else f"{risk.smallest:,} rows"
    spoken = claim.holds or claim.given
    return [
        Check(
            "Risk of being recognised",
            Light.GREEN if spoken else Light.AMBER,
            f"The smallest group has {rows} in the file, and the file does not tell how many it had in the table. "
            + (
                f"That points at nobody: one that holds one person alone is in the file with probability "
                f"{rounded_up(claim.delta)} at most."
                if spoken
                else "Nothing is promised, so nothing bounds what small groups tell; only a new draw with a floor "
                "leaves them out."
            ),
            "anonymise",
        )
    ]


def _file(facts: ReleaseFacts) -> list[Check]:
    found, read = facts.read_back, []
    if found is not None:
        models = [f"{check.choice.model.title} {shown_value(check.found.value)}" for check in found.models]
        words = f"{found.rows:,} rows in {found.classes:,} groups, counted again from the file"
        light = Light.GREEN if found.holds else Light.RED
        said = f"{words}: {', '.join(models)}." if models else f"{words}."
        read = [Check("File read back", light, said, "release")]
    safe = "No cell can be run by a spreadsheet."
    if facts.neutralised:
        safe = f"{facts.neutralised:,} different texts that a spreadsheet would run begin with an apostrophe."
    return [*read, Check("Safe for spreadsheets", Light.GREEN, safe, "release")]


def _check(item: _Item, claim: Claim) -> Check:
    for light, found in ((Light.RED, claim.reasons), (Light.AMBER, claim.cautions)):
        concerned = [reason for reason in found if reason.code in item.codes]
        if concerned:
            # What was not said is said here, before the file is written: nothing elsewhere puts it right.
            unsaid = all(reason.code == "not-asserted" for reason in concerned)
            place = "release" if unsaid else item.workspace
            return Check(item.title, light, _sentences(concerned), place, _analyst(concerned))
    fine = item.fine
    if claim.guarantee.trimmed is not None and item.fine_if_trimmed:
        fine = item.fine_if_trimmed
    if claim.guarantee.search is not None and item.fine_if_drawn:
        fine = f"{item.fine_if_drawn} {claim.guarantee.split}."
    if claim.together is not None and item.fine_if_chosen:
        fine = item.fine_if_chosen
    return Check(item.title, Light.GREEN, fine, item.workspace, said=item.said)


_DRAWN_WITH = frozenset({"anonymise", "hierarchies", "data"})
"""Rooms in which nothing can be changed any more for a draw that was made."""


def _settled(check: Check, claim: Claim) -> Check:
    """An item beside a draw that is there: what can still be mended, what cannot, and what does."""
    if check.light is not Light.RED or check.workspace not in _DRAWN_WITH:
        return check
    if claim.terms.looked:
        words = (
            f"{looked_before(claim.terms.looked)} The statement says so, and what holds for the choices as they are. "
            "More can only be promised of data that nobody has looked at."
        )
        return replace(check, light=Light.AMBER, text=words, settled=True)
    if claim.given:
        words = (
            "You said that the data decided some choice; the statement says so, and what holds for the choices as they "
            "are. If it is not so, say it above, before the file leaves. More can only be promised for a new draw, by "
            "choices that do not follow from the data."
        )
        return replace(check, light=Light.AMBER, text=words, settled=True)
    words = f"{check.text} For this draw that cannot be changed: put it right there and draw again, which costs anew."
    return replace(check, text=words, settled=True)


def _sentences(reasons: list[Reason]) -> str:
    return " ".join(f"{reason.text} {reason.remedy}" for reason in reasons)


def _analyst(reasons: list[Reason]) -> str:
    return " ".join(reason.analyst for reason in reasons if reason.analyst)
