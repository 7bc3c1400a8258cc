"""The figures of one protocol for the collection as it is set up."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.participation import NO_PART, further_of
from workbench.ldp.protocol_facts import ProtocolFacts, protocol_facts
from workbench.ldp.share_margin import share_margin
from workbench.session.collection.margin_decision import expected_words
from workbench.session.session import Session


def protocol_examiner(session: Session, choice: ProtocolChoice, size: int) -> Callable[[Progress], ProtocolFacts]:
    """A function that works out the facts of a protocol, on any thread: as people report by it.

    Where it is hidden who takes part, that is with a further answer, as predictions count it.

    Parameters
    ----------
    size
        Possible answers; 0 where they are not known, or a mean is asked for.
    """
    settings, loaded = session.project.collect, session.data.loaded
    users = settings.users or (session.collection.shown_rows if loaded is not None else 1)

    plan, answers = None, tuple[str, ...]()
    with contextlib.suppress(WorkbenchError):  # without possible answers there is no plan, and no share
        plan = session.collection.plan() if size else None
        domain = session.collection.domain() if size else None
        # Of a domain that was read from the data nobody may be told by these words which answers there are.
        answers = domain.labels if domain is not None and domain.declared else ()

    def work(_progress: Progress = SILENT) -> ProtocolFacts:
        apart = int(plan is not None and further_of(plan, choice))
        named = (*answers, *[NO_PART] * apart) if answers else ()
        found = protocol_facts(choice, size, settings.epsilon, users, settings.method, apart=apart, answers=named)
        if plan is None or found.worst is not None:
            return found
        with contextlib.suppress(WorkbenchError):
            margin, together = share_margin(plan, choice), share_margin(plan, choice, plan.domain_size)
            return replace(found, margin=margin, together=together, expected=expected_words(plan, choice, margin))
        return found

    return work


def report_read(found: ProtocolFacts) -> str:
    """How a report is read by who enters those of paper, in a few words; "" where only the program knows."""
    size = f"{found.domain_size + found.apart:,}"
    if found.columns == ("bits",):
        what = "named" if found.named else "said yes to"
        return f"{size} digits, one for each answer in the order of the list, 1 where it is {what} and else 0"
    return "the number of the answer, counted from 0" if found.named == 1 else ""
