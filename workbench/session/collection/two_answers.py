"""The name that direct encoding has of two answers: randomised response, which is older, and known to everybody."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import CollectionPlan
from workbench.session.collection.words import RESPONSE, protocol_words

WARNER = "Warner, 1965"
_SOURCE = "S. L. Warner: Randomized response, JASA 60, 1965"


def of_two(choice: ProtocolChoice, answers: int, *, apart: bool = False) -> bool:
    """Whether a protocol is direct encoding of two answers, and of no third one of those who take no part."""
    return choice.identifier == "grr" and not choice.values and answers == 2 and not apart


def named(choice: ProtocolChoice, plan: CollectionPlan) -> str:
    """The protocol with the parameters that were changed, by the name that it has of so many answers."""
    if of_two(choice, plan.domain_size, apart=plan.apart):
        return RESPONSE
    return protocol_words(choice)


def named_with_source(choice: ProtocolChoice, plan: CollectionPlan) -> str:
    """The same as a heading, with who proposed randomised response."""
    name = named(choice, plan)
    return f"{name} ({WARNER})" if name == RESPONSE and not choice.values else name


def other_names(choice: ProtocolChoice, others: Sequence[ProtocolChoice], plan: CollectionPlan) -> list[str]:
    """What else it is called: of two answers direct encoding takes the place of the name that it is told by."""
    names = [protocol_words(one) for one in others]
    if not of_two(choice, plan.domain_size, apart=plan.apart) or RESPONSE not in names:
        return names
    return [protocol_words(choice), *(name for name in names if name != RESPONSE)]


def source_of_two(citation: str) -> str:
    """Where direct encoding of two answers comes from, before where that of more does."""
    return f"{_SOURCE}; of more than two answers: {citation}"
