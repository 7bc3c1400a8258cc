"""The shares that the counts of an answer come to, and how far all of its counts are off at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.core.number_text import estimate, margin_up, with_places
from workbench.core.unit_words import ROWS, in_unit
from workbench.evaluate.question import Statistic
from workbench.project.model import Project
from workbench.query import noise
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.circumstances import unit_shown
from workbench.query.count_shares import MOST_SHARES, shares_between
from workbench.session.answer_numbers import rounded_values
from workbench.session.query_answers import rate_of
from workbench.session.query_words import HISTOGRAM, in_named_line

_MOST_PLACES = 6
"""Decimals of a share in per cent."""
_DUST = 1e-9
_MOST_SHOWN = 3
_AND = " ± "
_MINUS = ("-", "\N{MINUS SIGN}")
_POINTS = " points"
"""Unit of how far a share may be off: its per cents are of all rows, and never of the share."""


def asked_as_shares(project: Project, question: Mapping[str, Any]) -> bool:
    """Whether a histogram is one of a column whose shares are compared in Compare, so that these are what is wanted."""
    column = question.get("values", {}).get("column")
    asked = (one.experiment.question for one in project.comparing.documents)
    wanted = any(one.statistic is Statistic.HISTOGRAM and one.column == column for one in asked)
    return wanted and question.get("query") == HISTOGRAM


def shares_headline(
    released: ReleasedAnswer, question: Mapping[str, Any], names: Sequence[Sequence[str]], known: int = 0
) -> tuple[str, str]:
    """The shares in a line, or of many the margin that holds for each, and what is said beside; "" without margins.

    Parameters
    ----------
    known
        As in `shares_of`.
    """
    said = [one.split(_AND) for one in shares_of(released, question, known)]
    if not said or any(len(one) < 2 for one in said):
        return "", ""
    margins = [f"± {margin}" for _, margin in said]
    if len(said) > _MOST_SHOWN:
        return _widest(said, names), f"each of {len(said):,} shares, with 95 %"
    line = in_named_line([share for share, _ in said], names)
    each = f"each {margins[0]}" if len(set(margins)) == 1 else " · ".join(margins)
    return line, f"{each}{'' if len(set(margins)) == 1 else ' each'} with 95 %"


def _widest(said: Sequence[Sequence[str]], names: Sequence[Sequence[str]]) -> str:
    """The margin that holds for each share; a wider one of those that noise took below 0 stands apart, as of counts."""
    reach = [float(margin.removesuffix(_POINTS)) for _, margin in said]
    below = [place for place, (share, _) in enumerate(said) if share.startswith(_MINUS)]
    others = max((one for place, one in enumerate(reach) if place not in below), default=0.0)
    apart = [place for place in below if reach[place] > others]
    if not apart or len(below) == len(reach):
        return f"± {said[reach.index(max(reach))][1]}"
    most = max(apart, key=reach.__getitem__)
    which = f"{len(apart):,} below 0" if len(apart) > 1 or not names else names[0][most]
    up_to = "up to " if len(apart) > 1 else ""
    return f"± {said[reach.index(others)][1]}; {which} {up_to}± {said[most][1]}"


def together_words(released: ReleasedAnswer, question: Mapping[str, Any], known: int = 0) -> str:
    """How far all counts of an answer are off at once with 95 %, such as “all 8 at once ± 18”; "" of other answers.

    Parameters
    ----------
    known
        Of how many rows they are said as shares, in points; 0 to say them as counts.

    Notes
    -----
    As `QueryMechanism.reach_of_all`: the smallest r with P(|Z| ≤ r)^count ≥ .95. Then every true count is within r of
    its noisy one, and, as it is not negative, of the larger one of that and 0 too. So it is within r + |v − w| of what
    was published as v, where w is that of both which is nearer to v: more than r only of counts that were made to agree
    with their total. These are files' numbers v, and on the screen v as it is written, up to a digit away from that to
    add up to the total (`answer_numbers.adding_up`): r holds for both.
    """
    rate, noisy = rate_of(question, "count"), released.noisy.get("count", ())
    if rate is None or released.form is not AnswerForm.LIST or released.interval is None:
        return ""
    if not 1 < len(noisy) == len(released.value):
        return ""
    reach = noise.half_width(rate, -math.expm1(math.log1p(-noise.OUTSIDE) / len(noisy)))
    shown = [float(one.replace(",", "")) for one in rounded_values(released)]
    every = (*zip(released.value, noisy, strict=True), *zip(shown, noisy, strict=True))
    reach += max(min(abs(value - one), abs(value - max(one, 0))) for value, one in every)
    count, unit = len(noisy), _POINTS if known else ""
    reach = 100 * reach / known if known else reach
    return f"{'both' if count == 2 else f'all {count:,}'} at once ± {margin_up(reach, 3)}{unit}"


def total_words(released: ReleasedAnswer, question: Mapping[str, Any], known: int = 0) -> str:
    """The sum of the counts of a histogram, and of what their shares are; "" of other answers.

    Parameters
    ----------
    known
        As in `shares_of`.
    """
    if question.get("query") != HISTOGRAM or released.form is not AnswerForm.LIST:
        return ""
    if not (total := math.fsum(released.value)) > 0:
        return ""
    if known:
        of = in_unit(estimate(known, 10), ROWS)
        return f"Shares are of all {of}, whose number is known; the counts with noise add up to {estimate(total, 10)}."
    noisy = ", their noisy total" if question.get("values", {}).get("post") == "consistent" else ""
    said = in_unit(estimate(total, 10), unit_shown(ROWS, question))
    return f"The counts add up to {said}{noisy}; shares are of that."


def whole_of(released: ReleasedAnswer, known: int = 0) -> float:
    """What the shares of a histogram are of: the number of rows that is known, else the sum of its counts."""
    return float(known) or math.fsum(released.value)


def shares_of(released: ReleasedAnswer, question: Mapping[str, Any], known: int = 0) -> tuple[str, ...]:
    """The shares that the counts of a histogram come to, which costs nothing more; none of other answers.

    Each says how far the true share may be with 95 %, where the law of the noise is known: of this share alone, as of
    the counts. A margin is in percentage points, and from the share as it is written.

    Parameters
    ----------
    known
        How many rows there are, where that is known, as by `known_total`: then shares are of that many, which need not
        add up to 100 %; else 0.
    """
    if question.get("query") != HISTOGRAM or released.form is not AnswerForm.LIST:
        return ()
    if not math.fsum(released.value) > 0:
        return ()
    total = whole_of(released, known)
    shares = [
        min(100 * value / total, 100.0) for value in released.value
    ]  # more than all there are, by noise, cannot be
    between = share_ends(released, question, known)
    if between is None:
        # As many decimals as show the largest in three digits, so that they stand in line.
        places = max(2 - math.floor(math.log10(max(shares))), 0)
        return tuple(f"{with_places(share, places)} %" for share in shares)
    reaches = [max(share - low, high - share) for share, low, high in zip(shares, *between, strict=True)]
    least = min(filter(None, reaches), default=1.0)
    places = min(max(1 - math.floor(math.log10(least)), 0), _MOST_PLACES)
    said = []
    for share, low, high in zip(shares, *between, strict=True):
        written = round(share, places)
        reach = max(written - low, high - written, 0.0)
        up = math.ceil(reach * 10**places - _DUST) / 10**places
        said.append(f"{with_places(share, places)} %{_AND}{with_places(up, places)}{_POINTS}")
    return tuple(said)


def share_ends(
    released: ReleasedAnswer, question: Mapping[str, Any], known: int = 0
) -> tuple[list[float], list[float]] | None:
    """The ends of the intervals of the shares, in per cent; None where the noise of the counts is of another law.

    Of a number of rows that is known a true share lies between the ends of its count, divided by that number.
    """
    if known:
        ends = released.interval
        return None if ends is None else (_of_known(ends[0], known), _of_known(ends[1], known))
    noisy, rate = released.noisy.get("count", ()), rate_of(question, "count")
    if rate is None or len(noisy) != len(released.value) or not 1 < len(noisy) <= MOST_SHARES:
        return None
    low, high = shares_between(noisy, rate)
    return (100 * low).tolist(), (100 * high).tolist()


def _of_known(side: Sequence[float], known: int) -> list[float]:
    """Ends of counts as shares of so many rows, in per cent."""
    return [100 * min(end / known, 1.0) for end in side]
