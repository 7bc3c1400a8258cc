"""The release checklist: what must be in order before a file leaves the house."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workbench.anonymise.claim import Claim, Reason
from workbench.anonymise.mechanism import Outcome


class Light(StrEnum):
    """The state of one item."""

    GREEN = "in order"
    AMBER = "to consider"
    RED = "breaks the claim"


@dataclass(frozen=True)
class Check:
    """One item: its state, what is so, and the workspace where it is put right."""

    title: str
    light: Light
    text: str
    workspace: str
    analyst: str = ""


@dataclass(frozen=True)
class _Item:
    title: str
    fine: str
    workspace: str
    codes: tuple[str, ...]


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
        ("data-derived-hierarchy", "looks-data-derived"),
    ),
    _Item(
        "Levels and parameters",
        "Levels, β and k were fixed without looking at this data or at results on it.",
        "anonymise",
        ("levels-not-blind", "tuned-on-outcome", "other-parameters", "other-settings-seen"),
    ),
    _Item(
        "Rows per person",
        "Nobody is known to have more rows than were accounted for.",
        "data",
        ("rows-per-person", "person-or-row"),
    ),
    _Item("Randomness", "Fresh numbers that nobody can predict or repeat.", "anonymise", ("seeded",)),
    _Item("Size of δ", "δ is below one divided by the number of rows.", "anonymise", ("large-delta",)),
    _Item(
        "Other releases",
        "This is the only release of this data, drawn once, that this project knows of.",
        "release",
        ("earlier-releases", "several-draws"),
    ),
)


def checklist(claim: Claim, outcome: Outcome | None) -> tuple[Check, ...]:
    """The items in the order they are shown; the last one is about what survived, once there is a result."""
    checks = [_check(item, claim) for item in _ITEMS]
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
    return tuple(checks)


def _check(item: _Item, claim: Claim) -> Check:
    for light, found in ((Light.RED, claim.reasons), (Light.AMBER, claim.cautions)):
        concerned = [reason for reason in found if reason.code in item.codes]
        if concerned:
            return Check(item.title, light, _sentences(concerned), item.workspace, _analyst(concerned))
    return Check(item.title, Light.GREEN, item.fine, item.workspace)


def _sentences(reasons: list[Reason]) -> str:
    return " ".join(f"{reason.text} {reason.remedy}" for reason in reasons)


def _analyst(reasons: list[Reason]) -> str:
    return " ".join(reason.analyst for reason in reasons if reason.analyst)
