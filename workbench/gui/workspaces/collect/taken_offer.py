"""The offer below the protocol to take: to tick it, with these parameters."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import CollectionPlan
from workbench.session.collection.two_answers import names_in

ADD = "Add to protocols"


def list_it(
    best: ProtocolChoice | None, chosen: Sequence[ProtocolChoice], plan: CollectionPlan | None = None
) -> tuple[str, str]:
    """The words of the offer to tick a protocol with these parameters, and what that does; "" where it is ticked."""
    if best is None or best in chosen:
        return "", ""
    ticked = any(one.identifier == best.identifier for one in chosen)
    offer, beside = ("Set in protocols", "instead") if ticked else (ADD, "too")
    return offer, f"Compare {names_in([best], plan)[0]} {beside}: simulate it, sweep it"
