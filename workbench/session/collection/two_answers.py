"""The names that protocols have of so many answers.

Direct encoding of two is randomised response, which is older, and known to everybody; sets are named with their size.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.errors import WorkbenchError
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.participation import planned_randomiser
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.protocol import PROTOCOLS, FrequencyRandomiser
from workbench.ldp.report_file import Announcement
from workbench.ldp.share_margin import left_open
from workbench.session.collection.words import RESPONSE, protocol_words

WARNER = "Warner, 1965"
_SEVERAL = 3
"""So many answers at least leave a choice how large a set is."""
_SOURCE = "S. L. Warner: Randomized response, JASA 60, 1965"


def of_two(choice: ProtocolChoice, answers: int, *, apart: bool = False) -> bool:
    """Whether a protocol is direct encoding of two answers, and of no third one of those who take no part."""
    return choice.identifier == "grr" and not choice.values and answers == 2 and not apart


def titled(choice: ProtocolChoice, plan: CollectionPlan) -> str:
    """The protocol alone, without its parameters, by the name that it has of so many answers."""
    return RESPONSE if of_two(choice, plan.domain_size, apart=plan.apart) else choice.protocol.title


def named(choice: ProtocolChoice, plan: CollectionPlan) -> str:
    """The protocol with the parameters that were changed, by the name that it has of so many answers.

    Where a report is a set of answers it is said of how many, whether that was set or is automatic: “(2 of 7)”.
    """
    if of_two(choice, plan.domain_size, apart=plan.apart):
        return RESPONSE
    return _of_sets(choice, plan) or protocol_words(choice)


def named_of_reports(announced: Announcement) -> str:
    """The protocol that reports were made by, by the name that it has of so many answers, as where it was chosen."""
    randomiser, domain = announced.randomiser, announced.domain
    protocol = PROTOCOLS[randomiser.protocol]
    if domain is None or not isinstance(randomiser, FrequencyRandomiser) or randomiser.answers_named is None:
        return protocol.title
    usual = {spec.name: spec.default for spec in protocol.params}
    set_ = {name: value for name, value in randomiser.parameters.items() if value != usual.get(name)}
    plan = CollectionPlan(1, domain.size, randomiser.asked or randomiser.epsilon, apart=announced.none)
    return named(ProtocolChoice(randomiser.protocol, set_), plan)


def names_in(
    choices: Sequence[ProtocolChoice], plan: CollectionPlan | None, recommended: ProtocolChoice | None = None
) -> tuple[str, ...]:
    """The names of protocols in a list, as they are called everywhere; the one that a prediction takes is marked.

    Two that are the same mechanism, and so have one name, are told apart by their parameters.

    Parameters
    ----------
    plan
        The collection they are listed for; None where it is not known, or a mean is asked for.
    """
    names = [protocol_words(one) if plan is None else named(one, plan) for one in choices]
    told = [protocol_words(one) if names.count(name) > 1 else name for one, name in zip(choices, names, strict=True)]
    return tuple(f"{name} (take)" if one == recommended else name for one, name in zip(choices, told, strict=True))


def named_instead(taken: ProtocolChoice | None, chosen: object, plan: CollectionPlan | None) -> str:
    """The protocol that a plan takes, where another one is chosen; "" where it is the same, by its name."""
    if taken is None or plan is None or not isinstance(chosen, ProtocolChoice):
        return ""
    name = named(taken, plan)
    return "" if name == named(chosen, plan) else name


def in_general(choice: ProtocolChoice, plan: CollectionPlan) -> str:
    """The same whatever ε is: what is automatic may be another number at each, so that it is not said."""
    return protocol_words(choice) if left_open(choice) else named(choice, plan)


def _of_sets(choice: ProtocolChoice, plan: CollectionPlan) -> str:
    """The protocol with the size of its sets; "" where it has none, or cannot be used."""
    open_ = choice.protocol.left_open
    if open_ is None or plan.domain_size < _SEVERAL or not choice.values.keys() <= {open_.name}:
        return ""
    try:
        randomiser = planned_randomiser(plan, choice)
    except WorkbenchError:
        return ""
    drawn = randomiser.set_drawn
    return "" if drawn is None else f"{choice.protocol.title} ({drawn[0]:,} of {randomiser.domain_size:,})"


def named_with_source(choice: ProtocolChoice, plan: CollectionPlan) -> str:
    """The same as a heading, with who proposed randomised response."""
    name = named(choice, plan)
    return f"{name} ({WARNER})" if name == RESPONSE and not choice.values else name


def other_names(
    choice: ProtocolChoice, others: Sequence[ProtocolChoice], plan: CollectionPlan, *, sized: bool = False
) -> list[str]:
    """What else it is called: of two answers direct encoding takes the place of the name that it is told by.

    Parameters
    ----------
    sized
        Whether sets are named with their size, because other sizes are spoken of.
    """
    names = [named(one, plan) if sized else protocol_words(one) for one in others]
    if not of_two(choice, plan.domain_size, apart=plan.apart) or RESPONSE not in names:
        return names
    return [protocol_words(choice), *(name for name in names if name != RESPONSE)]


def source_of_two(citation: str) -> str:
    """Where direct encoding of two answers comes from, before where that of more does."""
    return f"{_SOURCE}; of more than two answers: {citation}"
