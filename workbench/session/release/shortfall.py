"""That little came out of a table, or more than expected, from the released rows, their steps and settings alone.

How many rows the table has is not told, and nothing here knows it. Of a group that is in the file it is known how many
rows such a group gives up on average; groups that are missing altogether come on top.
"""

from __future__ import annotations

import numpy as np

from workbench.anonymise.trimming import TrimOutcome
from workbench.core.number_text import count
from workbench.core.trim_law import trim_law
from workbench.session.release.outlook import Outlook
from workbench.session.release.result import Result

_MUCH = 0.25
"""From this part of the rows on it is said that they are missing."""
_TWO = 2
_MEND = "Fewer columns, coarser ones or a larger ε keep more: in another draw, whose ε is added."


def shortfall(result: Result, expected: int | None, least: float = 1) -> tuple[str, str]:
    """How much of the table is missing at the least, about, and what would keep more; both "" if that is not much.

    Or that more came out than somebody expected: no row is invented, so there are more.

    Parameters
    ----------
    expected
        The rows that somebody typed; None if nobody did.
    least
        The share of them that was foretold at the least, before the draw: what keeps to it is no news.
    """
    outcome, unit = result.outcome, result.schema.unit
    rows = outcome.rows_out
    several = outcome.recipe.rows_per_person > 1 if isinstance(outcome, TrimOutcome) else False
    mend = f"Fewer rows per person, {_MEND[0].lower()}{_MEND[1:]}" if several else _MEND
    if not isinstance(outcome, TrimOutcome) or not rows:
        return "", ""
    whom = "people" if unit.rows_per_person == 1 else "rows"
    if expected is not None and rows > expected:
        return (
            f"{count(rows)} rows came out, so there are more than the {count(expected)} {whom} that you expect.",
            "Type no other number for that: it would come from this data.",
        )
    if expected is not None and rows >= least * expected:
        return "", ""
    if expected is not None and rows < (1 - _MUCH) * expected:
        missing = f"Only {count(rows)} of the {count(expected)} {whom} that you expect came out, or there are fewer."
        return missing, mend
    lost = given_up(outcome)
    if lost < _MUCH * (rows + lost):
        return "", ""
    about = count(_two_digits(lost))
    return (
        f"Much of the table is missing: the groups of these {count(rows)} rows gave up about {about} others, and "
        "groups that are missing altogether come on top.",
        mend,
    )


def least_foretold(outlook: Outlook | None) -> float:
    """The least share of the rows that an outlook foretells for a number that somebody typed; 1 for none."""
    return outlook.fewest if outlook is not None and outlook.typed else 1


def given_up(outcome: TrimOutcome) -> float:
    """About how many rows the groups that are in the file gave up for good.

    What a group gave up at one step goes on to a group of the next. If that one released none, it lost what came in,
    but not more than is counted for any other.
    """
    lost = np.zeros(0)
    for number, (step, made) in enumerate(zip(outcome.recipe.steps, outcome.steps, strict=True)):
        fed = np.zeros(len(made.groups))
        if number:
            np.add.at(fed, outcome.parents[number - 1], lost)
        mean = trim_law(step.epsilon, step.delta, outcome.recipe.rows_per_person).mean_lost
        lost = np.where(made.released > 0, mean, np.minimum(fed, mean))
    return float(lost.sum())


def _two_digits(number: float) -> int:
    whole = round(number)
    return round(whole, _TWO - len(str(whole))) if whole >= 10**_TWO else whole
