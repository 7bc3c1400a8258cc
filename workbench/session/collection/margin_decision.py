"""The decision where a margin of each share is to be reached: what to take, and whether that says more than a guess."""

from __future__ import annotations

import math
from dataclasses import replace

from workbench.core.number_text import exact, percent
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.participation import further_of, planned_randomiser
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.share_margin import MarginRule, margin_rule, sampling_margin, share_margin
from workbench.session.collection.answered import Answered
from workbench.session.collection.decision import (
    BESIDE,
    TOGETHER,
    WITH_SAMPLING,
    margin_in_people,
    other_goal,
    taking_part,
)
from workbench.session.collection.easier import MOST_WORDS
from workbench.session.collection.expected_margins import by_law_words, expected_share, margin_of_expected, yes_words
from workbench.session.collection.guessing import DEPENDS, beside_guessing, with_smallest
from workbench.session.collection.results import Planned
from workbench.session.collection.two_answers import named, named_with_source
from workbench.session.collection.words import points_up

GUESS = 0.5
"""The margin of one half, said of a share of which nothing is known: the least that holds whatever the share is."""
_MISSED = 0.05
GOES_BY = "A margin goes by the worst share there can be; “Misplaced”, by usual shapes, takes {best}."
_BEFORE = "Post-processing may move a large share farther off: its interval is widened to hold it."
"""Unbiased, as what is made consistent is not: where one answer has everything, it lacks what others got too much."""
_WALD = "The margin is Wald's, 1.96 standard deviations, which hold about 95 %"
_RULES = {
    MarginRule.NORMAL: f"{_WALD}.",
    MarginRule.REPORTS: (
        f"{_WALD}, made wider by up to half a report (a continuity correction) where one of them is fewer than 20 "
        "reports, and the exact binomial law's where it is fewer than 10."
    ),
    MarginRule.PEOPLE: (
        f"{_WALD}, made wider by up to what one person moves (a continuity correction) where one of them is less than "
        "20 times that."
    ),
    MarginRule.ANY_LAW: (
        f"{_WALD}, made wider by half of what one report can move (a continuity correction), and no wider than "
        "Chebyshev's inequality says."
    ),
}
"""By which rule a margin is made, for whoever works it out."""


def to_take_for_margin(planned: Planned, target: float, yes: float = 0.0) -> Answered:
    """The protocol of the narrowest margin of each share, and whether that is within what is to be reached.

    Parameters
    ----------
    yes
        As of `yes_share`.
    """
    if (found := planned.narrowest) is None:
        return Answered("No protocol", "None that keeps this ε has a margin by formula.", "error")
    one, margin = found
    plan, reached = planned.plan, margin <= target
    goal = f"± {exact(100 * target)}"
    met = f"{goal} is reached" if reached else f"Wider than {goal}"
    whose = f"Of {'all people' if plan.sampling else 'those asked'}"
    told_apart = taking_part(plan, one.choice)
    # Why the figure is of one answer more than were typed.
    beside = f"; {BESIDE[:-1]}" if further_of(plan, one.choice) else ""
    rare = yes_words(plan, one.choice, yes)
    detail = f"{whose}, with 95 %, before post-processing. {met}{f'; {rare}' if rare else ''}."
    if not rare or len(f"{detail}{beside}".split()) <= MOST_WORDS:
        detail, beside = f"{detail.removesuffix('.')}{beside}.", ""
    expected = expected_words(plan, one.choice, margin)
    limited, whatever = plan.largest < 1.0, replace(plan, largest=1.0)
    together = ""
    if plan.domain_size > 2:  # of two shares one is what the other leaves, and both are off by as much
        wide = points_up(share_margin(whatever, one.choice, plan.domain_size))
        together = f"{TOGETHER.format(number=plan.domain_size, together=wide)}."
    each = f"Shares {up_to(plan)}" if limited else "Any share"
    rest = (
        f"{each} {margin_in_people(planned, margin)}{expected}.",
        f"A larger one ± {points_up(share_margin(whatever, one.choice))} at most." if limited else "",
        f"{BESIDE[0].upper()}{BESIDE[1:]}" if beside else "",
        together,
        told_apart,
        other_goal(planned, margins=True),
        WITH_SAMPLING if plan.sampling else "",
    )
    return Answered(
        named_with_source(one.choice, plan),
        detail,
        "" if reached else "warning",
        " ".join(filter(None, (behind_the_margin(planned), by_law_words(plan, one.choice, yes)))),
        f"± {points_up(margin)} points for {f'shares {up_to(plan)}' if limited else 'any share'}",
        " ".join(filter(None, rest)),
    )


def up_to(plan: CollectionPlan) -> str:
    """The largest share that a margin holds for, in words."""
    return f"up to {percent(plan.largest)}"


def expected_words(plan: CollectionPlan, choice: ProtocolChoice, margin: float) -> str:
    """The margin of a share to expect beside that of any, as the end of a sentence; "" where it is no narrower."""
    share, which = expected_share(plan)
    here = points_up(margin_of_expected(plan, choice))
    return "" if here == points_up(margin) else f"; ± {here} of one of {percent(share)}, {which}"


def behind_the_margin(planned: Planned) -> str:
    """The remarks on a margin: what post-processing does to it, its rule, and what a protocol is set to for it."""
    if planned.narrowest is None:
        return _BEFORE
    choice = planned.narrowest[0].choice
    return f"{_BEFORE} {_RULES[margin_rule(planned.plan, choice)]}{_set_for_it(planned, choice)}"


def _set_for_it(planned: Planned, choice: ProtocolChoice) -> str:
    """That something is set for the margin, and what it comes to if it is left open."""
    open_ = choice.protocol.left_open
    if open_ is None or all(choice is not one.choice for one, _ in planned.tuned):
        return ""
    usual = next((wide for one, wide in planned.by_margin if _same_but(one.choice, choice, open_.name)), math.nan)
    sets = planned_randomiser(planned.plan, choice).set_drawn is not None
    number = f"{choice.values[open_.name]:,}" if sets else f"{open_.name} = {choice.values[open_.name]}"
    words = f" Sets of {number} are taken for this margin" if sets else f" {number} is set for this margin"
    words = f"{words}; left automatic it would be ± {points_up(usual)}." if usual == usual else f"{words}."
    best = planned.best[0].choice if planned.best else None
    other = None if best is None else planned_randomiser(planned.plan, best).set_drawn
    if not sets or best is None or other is None or best.identifier != choice.identifier:
        return words
    # The same protocol with other sets, beside which one else looks for a mistake.
    mine = planned_randomiser(planned.plan, choice).set_drawn
    return words if other == mine else f"{words} {GOES_BY.format(best=named(best, planned.plan))}"


def _same_but(one: ProtocolChoice, other: ProtocolChoice, name: str) -> bool:
    rest = {key: value for key, value in other.values.items() if key != name}
    return one.identifier == other.identifier and {k: v for k, v in one.values.items() if v or k != name} == rest


def margin_beats_guessing(planned: Planned) -> Answered:
    """Whether asking is worth it: the verdict of `beside_guessing`, with the margin as what one decides by.

    Notes
    -----
    Whoever asks nobody says 1/k of each of k shares, and nobody says one half of each: that these are right to within
    50 points makes every survey look good. How far 1/k is off only the shares say, which the verdict assumes, whatever
    the goal is. Of several shapes, asking tells more of a share that is farther from 1/k than the margin.
    """
    if (found := planned.narrowest) is None:
        return Answered("–", "")
    one, margin = found
    plan, said = planned.plan, beside_guessing(planned, planned.ranked)
    equal = f"1/{plan.domain_size:,}"
    detail = said.detail
    if said.figure == DEPENDS:
        detail = f"A true share farther than that from {equal} is told better by asking than by guessing {equal}."
    elif said.measure:
        detail = f"{detail.removesuffix('.')}: {said.measure}."
    if margin >= GUESS:
        detail = f"{detail} The margin says nothing."
    least = f"Asking nobody, one half is right to ± 50 points of any share{_of_equal(plan)}."
    alike = points_up(curator_margin(replace(plan, epsilon=plan.epsilon / 2)))
    curator = f"A trusted curator: ± {points_up(curator_margin(plan))} points, ± {alike} at equal privacy."
    said = replace(
        said, detail=detail, measure=f"± {points_up(margin)} points", rest=f"{least} {curator} {said.rest}".strip()
    )
    return with_smallest(said, plan, one.choice)


def _of_equal(plan: CollectionPlan) -> str:
    """Within how much equal shares are right, as the end of a sentence; "" of two, each of which is one half."""
    if plan.domain_size == 2:
        return ""
    return f", 1/{plan.domain_size:,} to ± {points_up(1.0 - 1.0 / plan.domain_size)}"


def curator_margin(plan: CollectionPlan, share: float = GUESS) -> float:
    """The 95 % margin of each share from one noise on its count by a trusted curator, with sampling where asked for.

    Parameters
    ----------
    share
        Of what size; of one half, by which sampling moves any share most, unless it is known.

    Notes
    -----
    The noise is two-sided geometric with ratio r = e^−ε, as that of the curator beside it: it is beyond ±m with chance
    2 r^(m + 1) ÷ (1 + r).
    """
    ratio = math.exp(-plan.epsilon)
    beyond = math.log(_MISSED * (1.0 + ratio) / 2.0) / -plan.epsilon - 1.0
    noise = max(math.ceil(beyond), 0) / plan.users
    return math.hypot(noise, sampling_margin(plan, share)) if plan.sampling else noise
