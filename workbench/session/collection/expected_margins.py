"""The margin of a share that one may expect, which is narrower than that of the share of which it is widest."""

from __future__ import annotations

import math

from workbench.core.number_text import percent
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.share_margin import has_margin, normal_margin_at, share_margin_at
from workbench.session.collection.assumed import rare_yes
from workbench.session.collection.words import points_up

_PAIR = 2
_COMMON = 0.5
"""From this share on the margin in points says enough."""


def expected_share(plan: CollectionPlan) -> tuple[float, str]:
    """A share to expect, and which one that is: one of equal ones, or the largest of a shape that is declared."""
    if plan.assumed in (Shape.WORSE, Shape.UNIFORM):
        return 1.0 / plan.domain_size, "as of equal ones"
    return float(plan.shares.max()), "the largest expected"


def margin_of_expected(plan: CollectionPlan, choice: ProtocolChoice) -> float:
    """The margin of a share to expect, which is narrower than that of the share of which it is widest."""
    return share_margin_at(plan, choice, expected_share(plan)[0])


def smallest_words(plan: CollectionPlan, choice: ProtocolChoice) -> str:
    """The margin of the smallest share that was typed, as a sentence, and whether it is told from 0; "" for none.

    All shares together may be far closer than a guess where the one that a survey is for has a margin as wide as it.
    """
    if plan.shape is not Shape.OWN or not has_margin(plan, choice):
        return ""
    share = float(plan.shares[plan.shares > 0].min())
    margin = share_margin_at(plan, choice, share)
    untold = ": not told from 0" if margin >= share else ""
    return f"The smallest share, {percent(share)}, ± {points_up(margin)} points{untold}."


def yes_share(domain: Domain | None, plan: CollectionPlan) -> float:
    """The share of “yes” that is typed, or assumed where few say so; 0 of other questions."""
    usual = rare_yes(domain)
    if domain is None or not usual:
        return 0.0
    place = [label.strip().casefold() for label in domain.labels].index("yes")
    return float(plan.shares[place]) if plan.shape is Shape.OWN else usual[place] / sum(usual)


def yes_words(plan: CollectionPlan, choice: ProtocolChoice, share: float) -> str:
    """The margin of a “yes” that is rare, and which part of it that is, as the end of a sentence; "" for none.

    Few points are much of a share that is itself few: what a survey of a sensitive question is held for.
    """
    if not 0 < share < _COMMON or not has_margin(plan, choice):
        return ""
    margin = share_margin_at(plan, choice, share)
    # To the nearest per cent, as one works it out oneself.
    part = "all of it or more" if margin >= share else f"{round(100 * margin / share)} % of it"
    return f"a “yes” of {percent(share)} ± {points_up(margin)}, {part}"


def by_law_words(plan: CollectionPlan, choice: ProtocolChoice, share: float) -> str:
    """Why the margin of a rare “yes” is not what 1.96 standard deviations come to; "" where it is, or is not said."""
    if not yes_words(plan, choice, share):
        return ""
    said, normal = share_margin_at(plan, choice, share), normal_margin_at(plan, choice, share)
    if math.isnan(normal) or points_up(said) == points_up(normal):
        return ""
    return (
        f"“Yes” ± {points_up(said)} is by the exact law of counts, which move by whole reports; 1.96 standard "
        f"deviations are ± {points_up(normal)}."
    )


def share_beside(plan: CollectionPlan, shape: Shape, choice: ProtocolChoice, widest: float) -> str:
    """The margin of a share, as it stands beside an error: of the shape that the error is of, and of which share.

    Parameters
    ----------
    shape
        One of those that are assumed.
    widest
        The margin of the share of which it is widest.
    """
    every = f"each share ± {points_up(widest)} points"
    if plan.domain_size == _PAIR:  # whatever one of two is off by, the other is
        return every
    case = next(one for one in plan.cases if one.shape is shape)
    share = float(case.shares.max())
    here = points_up(share_margin_at(plan, choice, share))
    if shape is Shape.UNIFORM:
        return f"each share ± {here} points"
    return every if here == points_up(widest) else f"a share of {percent(share)} ± {here} points"
