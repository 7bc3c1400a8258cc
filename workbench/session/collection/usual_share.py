"""The protocol for shares that are not large, beside the one whose margin is narrowest whatever the shares are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from workbench.core.number_text import percent
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.participation import planned_randomiser
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.prediction import Prediction
from workbench.ldp.share_margin import left_open, share_margin, share_margin_at
from workbench.session.collection.expected_margins import expected_share, margin_of_expected
from workbench.session.collection.results import Planned
from workbench.session.collection.two_answers import named
from workbench.session.collection.words import points_up

_WORTH = 0.97
"""Times the margin of an expected share that another size of the sets must come to for it to be worth a line."""
_PERCENT = 100


@dataclass(frozen=True)
class OtherSize:
    """The same protocol with sets of another size, which is narrower of small shares and wider of large ones.

    Parameters
    ----------
    prediction
        The protocol.
    most
        Of shares up to this its margin is no wider than that of the protocol that is narrowest whatever they are.
    """

    prediction: Prediction
    most: float


def other_size(planned: Planned) -> OtherSize | None:
    """Which size of the sets gives a narrower margin of a share to expect; None where it is the one to take, too.

    Notes
    -----
    Of each size the variance of a share is linear in the share, but for what sampling adds, which is the same of all.
    So one is below the other on one side of one place, which halving finds, to the per cent below it.
    """
    planned = _whatever(planned)
    if planned.narrowest is None:
        return None
    plan, (first, _) = planned.plan, planned.narrowest
    same = (one for one, wide in planned.by_margin if one.choice.identifier == first.choice.identifier and wide < 1.0)
    others = [(margin_of_expected(plan, one.choice), one) for one in same if one.choice != first.choice]
    if not others:
        return None
    here, other = min(others, key=lambda pair: pair[0])
    if here > _WORTH * margin_of_expected(plan, first.choice):
        return None

    def narrower(hundredths: int) -> bool:
        share = hundredths / _PERCENT
        return share_margin_at(plan, other.choice, share) <= share_margin_at(plan, first.choice, share)

    low, high = 0, _PERCENT
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if narrower(middle) else (low, middle - 1)
    most = low / _PERCENT
    return OtherSize(other, most) if most > expected_share(plan)[0] and narrower(0) else None


def taking(planned: Planned, chosen: tuple[ProtocolChoice, ...]) -> Planned:
    """The same with sets of the other size to be taken, where these are ticked, and those of the first are not."""
    other, first = other_size(planned), planned.narrowest
    if other is None or first is None or first[0].choice in chosen:
        return planned
    choice = other.prediction.choice
    # Whoever only compares the protocol leaves open how large a set is.
    if choice not in chosen or left_open(choice):
        return planned
    return replace(planned, instead=choice, plan=replace(planned.plan, largest=other.most))


def _whatever(planned: Planned) -> Planned:
    """The same for any shares, with what is to take for these."""
    return replace(planned, instead=None, plan=replace(planned.plan, largest=1.0))


def other_size_words(planned: Planned) -> tuple[str, str, ProtocolChoice | None]:
    """The other size beside the one to take in a sentence, and what a press offers: its words, and what it ticks.

    Where that is ticked, a press unticks it.
    """
    found, usual = other_size(planned), _whatever(planned)
    taken, first = planned.narrowest, usual.narrowest
    if found is None or taken is None or first is None:
        return "", "", None
    plan, other = usual.plan, found.prediction.choice
    if planned.instead is not None:
        wide, name = points_up(share_margin(plan, first[0].choice)), named(first[0].choice, plan)
        return (
            f"For a larger share than {percent(found.most)}: {name}, ± {wide} whatever the share.",
            "Plan for any share",
            planned.instead,
        )
    share, _ = expected_share(plan)
    each = [points_up(margin_of_expected(plan, one)) for one in (other, first[0].choice)]
    return (
        f"If no answer has over {percent(found.most)}: {named(other, plan)}, ± {each[0]} for "
        f"{percent(share)}, not ± {each[1]}.",
        f"For shares up to {percent(found.most)}",
        _set(other, plan),
    )


def _set(choice: ProtocolChoice, plan: CollectionPlan) -> ProtocolChoice:
    """The protocol with the size of its sets as it is here, also where that was left open."""
    name, drawn = left_open(choice), planned_randomiser(plan, choice).set_drawn
    if not name or drawn is None:
        return choice
    return replace(choice, values=MappingProxyType({**choice.values, name: drawn[0]}))
