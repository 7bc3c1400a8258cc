"""Reports that were read in words: how many, by which protocol, what that promises, and what limits it."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.number_text import count, rounded_up
from workbench.ldp.persons import PersonBudget
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.report_file import TRIAL
from workbench.session.collection.inputs import ASSUMED
from workbench.session.collection.results import Aggregated

_SIMULATION = "They were drawn with a seed: a simulation, which protects nobody."


@dataclass(frozen=True)
class ReportedWords:
    """Sentences on reports.

    Parameters
    ----------
    sentences
        In the order in which they are read.
    doubtful
        Whether one of them says that nothing is promised.
    """

    sentences: tuple[str, ...]
    doubtful: bool


def _whose(found: Aggregated) -> str:
    """Of whom the bands are."""
    if found.sampled:
        reports = count(found.received.support.reports)
        return f"Bands are of all people, of whom these {reports} are a random sample: sampling error is in them."
    if found.estimate is None:
        return "The band is of these people: sampling error is not in it."
    return "Bands are of these people: sampling error is not in them."


def reported_words(found: Aggregated) -> ReportedWords:
    """The sentences on reports that were read, all of them public."""
    announced = found.received.announcement
    title = PROTOCOLS[announced.randomiser.protocol].title
    said = [
        f"{found.received.support.reports:,} reports about “{announced.column}” by {title}, ε = "
        f"{rounded_up(announced.randomiser.epsilon)} each."
    ]
    if announced.reports_per_person > 1:
        said.append(PersonBudget(announced.randomiser.spent, announced.reports_per_person).text)
    said.append(_whose(found))
    if found.participants is not None:
        took_part = found.participants
        said.append(f"About {count(took_part.estimate)} took part ({count(took_part.low)} to {count(took_part.high)}).")
    said.append(announced.promise)
    doubts = [
        *([_SIMULATION] if announced.simulated else []),
        *([TRIAL] if announced.trial else []),
        *([] if announced.declared else [ASSUMED]),
        *([f"No promise: {' '.join(announced.doubts)}"] if announced.doubts else []),
    ]
    said += doubts
    said += [caution for caution in announced.cautions if caution not in said]
    return ReportedWords(tuple(said), bool(doubts))
