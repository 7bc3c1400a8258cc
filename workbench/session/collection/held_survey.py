"""A survey that is held on paper: what people do, and the estimate from how many reported each answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from workbench.core.progress import SILENT, Progress
from workbench.ldp.by_hand import HandOffer
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.instructions import OnPaper
from workbench.ldp.protocol_facts import protocol_facts
from workbench.ldp.report_file import Announcement, Received
from workbench.ldp.tallies import support_of
from workbench.session.collection.aggregation import estimated
from workbench.session.collection.desk import CollectionDesk
from workbench.session.collection.results import Aggregated
from workbench.session.collection.typed_answers import SURVEY

ON_PAPER = "That each person drew as told, and reported once, is asserted by whoever typed the tallies."


@dataclass(frozen=True)
class HeldSurvey:
    """A protocol as people use it on paper.

    Parameters
    ----------
    instruction
        What a person who answers does, with a die where no coin or die has the chance at once.
    answers
        The possible answers, in their order.
    named
        How many of them each report names, where tallies of them can be counted by hand; None elsewhere.
    offers
        ε near the one that is set at which people can draw with coins or dice; none where they can, or never.
    """

    instruction: str
    answers: tuple[str, ...]
    named: int | None
    offers: tuple[HandOffer, ...] = ()


def held_survey(desk: CollectionDesk, choice: ProtocolChoice) -> Callable[[Progress], HeldSurvey]:
    """What people do by a protocol, bound to the answers and ε as they are now; call it on any thread.

    Raises
    ------
    WorkbenchError
        If the possible answers are not known; when called, if the protocol cannot be used.
    """
    domain, settings = desk.domain(), desk.settings

    def work(_progress: Progress = SILENT) -> HeldSurvey:
        built = choice.frequency(domain.size, settings.epsilon)
        named, paper = built.answers_named, OnPaper()
        words = built.on_paper(domain.labels, paper)
        facts = protocol_facts(
            choice, domain.size, settings.epsilon, settings.users or 1, settings.method, answers=domain.labels
        )
        return HeldSurvey(
            words if paper.tables else facts.instruction,
            domain.names,
            None if choice.origin.doubt else named,
            facts.offers,
        )

    return work


def tally_estimator(
    desk: CollectionDesk, choice: ProtocolChoice, tallies: Sequence[int], *, top: int = 0
) -> Callable[[Progress], Aggregated]:
    """Estimate from tallies, by the settings as they are now; call it on any thread.

    Parameters
    ----------
    tallies
        How many reports name each answer.
    top
        So many of the most frequent values are named; 0 for none.

    Raises
    ------
    WorkbenchError
        If the possible answers are not known; when called, as of `workbench.ldp.tallies.support_of`.
    """
    domain, settings = desk.domain(), desk.settings

    def work(progress: Progress = SILENT) -> Aggregated:
        randomiser = choice.frequency(domain.size, settings.epsilon)
        support = support_of(randomiser, tallies)
        announcement = Announcement(
            randomiser, settings.column or SURVEY, domain, None, domain.declared, support.reports, 1, False,
            (ON_PAPER,), plugin=choice.origin.to_json_or_none(), typed=True,
        )  # fmt: skip
        found = estimated(
            Received(announcement, support), settings.method, top=top, sampling=settings.sampling, progress=progress
        )
        return replace(found, question=settings.question)

    return work
