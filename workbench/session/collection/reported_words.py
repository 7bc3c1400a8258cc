"""Reports that were read in words: how many, by which protocol, what that promises, and what limits it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.core.number_text import count, rounded_up, with_places
from workbench.core.visible import visible
from workbench.ldp.estimation import beyond_possible
from workbench.ldp.participation import NO_PART
from workbench.ldp.persons import PersonBudget
from workbench.ldp.possible import all_but_impossible
from workbench.ldp.postprocessing import POSTPROCESSES
from workbench.ldp.protocol import FrequencyRandomiser
from workbench.ldp.report_file import TRIAL
from workbench.session.collection.inputs import ASSUMED
from workbench.session.collection.results import Aggregated
from workbench.session.collection.two_answers import named_of_reports
from workbench.session.collection.typed_answers import SURVEY

_QUESTION = 90
"""So many letters of a question are said."""
_NAMED = 2
"""So many answers are named."""
_SIMULATION = "They were drawn with a seed: a simulation, which protects nobody."


@dataclass(frozen=True)
class ReportedWords:
    """Sentences on reports.

    Parameters
    ----------
    sentences
        In the order in which they are read.
    doubtful
        Whether one of them says that nothing is promised, or that these are hardly reports of the protocol.
    """

    sentences: tuple[str, ...]
    doubtful: bool


def _whose(found: Aggregated) -> str:
    """Of whom the bands are."""
    if found.sampled:
        reports = count(found.received.support.reports)
        return (
            f"Bands are of all people, with sampling error, if these {reports} are a random sample of them: that is "
            "not checked."
        )
    if found.estimate is None:
        return "The band is of these people: sampling error is not in it."
    return "Bands are of these people: sampling error is not in them."


def processed_by(found: Aggregated) -> str:
    """What became of estimates after the bands were found; "" where nothing did, or a mean was estimated."""
    if found.estimate is None or found.estimate.postprocess == "none":
        return ""
    return POSTPROCESSES[found.estimate.postprocess].title


def unlikely_words(found: Aggregated) -> str:
    """That the protocol gives so many reports of an answer, or so few, hardly ever; "" where it may well."""
    announced = found.received.announcement
    randomiser, domain = announced.randomiser, announced.domain
    if domain is None or not isinstance(randomiser, FrequencyRandomiser):
        return ""
    many, few = all_but_impossible(randomiser, found.received.support)
    names = (*domain.names, NO_PART)
    parts = [
        f"so {how} {'reports ' * first}of {_listed([names[code] for code in codes])}"
        for how, codes, first in (("many", many, True), ("few", few, not many))
        if codes
    ]
    if not parts:
        return ""
    said = " and ".join(parts)
    return (
        f"{said[0].upper()}{said[1:]} are all but impossible at ε = {rounded_up(randomiser.epsilon)}: "
        "were these the true answers, or told at another ε?"
    )


def _listed(names: Sequence[str]) -> str:
    if len(names) <= _NAMED:
        return " and ".join(f"“{name}”" for name in names)
    return f"“{names[0]}” and {len(names) - 1:,} others"


def band_texts(people: float, low: float, high: float) -> tuple[str, str, str]:
    """An estimated number of people with its band, whose ends are rounded outwards as those of its share are.

    >>> band_texts(274.6, 239.4, 313.2)
    ('275', '239', '314')
    """
    return count(people), count(math.floor(low)), count(math.ceil(high))


def share_text(people: float, low: float, high: float, *, of: float) -> tuple[str, str, str]:
    """The estimated share of an answer in per cent, with its band, whose ends are rounded outwards.

    >>> share_text(123.4, 101.2, 144.5, of=1000)
    ('12.3', '10.1', '14.5')
    """
    share, least, most = (1000 * one / of for one in (people, low, high))
    first, second, third = (with_places(one / 10, 1) for one in (share, math.floor(least), math.ceil(most)))
    return first, second, third


def asked_words(found: Aggregated) -> str:
    """What the reports are about: the question as it was put, else the column; "" of a survey without either."""
    column, question = found.received.announcement.column, " ".join(found.question.split())
    if question:
        return f" on “{visible(question[:_QUESTION].rstrip())}{'…' * (len(question) > _QUESTION)}”"
    return "" if column == SURVEY else f" about “{column}”"


def took_part_words(found: Aggregated) -> str:
    """How many took part, with the band of everybody less those who did not; "" where nobody reported that.

    Where the law of the band is known it is on the safe side of 95 %, so that it is wider than an interval of just
    that; and the estimate lies off its middle where what is below 0 was made 0.
    """
    if (took_part := found.participants) is None:
        return ""
    about, low, high = band_texts(took_part.estimate, took_part.low, took_part.high)
    sure = f"at least {found.coverage}" if found.received.announcement.randomiser.proved else found.coverage
    return f"About {about} took part ({low} to {high} with {sure})"


def beyond_words(found: Aggregated) -> list[str]:
    """Whose bands are those of no people, or of all, as their own estimates are less, or more; empty where none is."""
    announced, support = found.received.announcement, found.received.support
    randomiser, domain = announced.randomiser, announced.domain
    if found.estimate is None or domain is None or not isinstance(randomiser, FrequencyRandomiser):
        return []
    raw, beyond = beyond_possible(randomiser, support)
    names = (*domain.names, NO_PART)
    said = []
    for end, where in ((0, raw < 0), (support.reports, raw > 0)):
        codes = np.flatnonzero(beyond & where).tolist()
        if not codes:
            continue
        way = "above all who reported" if end else "below 0"
        one = len(codes) == 1
        at = f", at {count(raw[codes[0]])}" if one else ""
        bands = "its band is that" if one else "their bands are those"
        said.append(
            f"{_listed([names[code] for code in codes])} came out {way}{at}: {bands} of an estimate of {end:,}."
        )
    return said


def reported_words(found: Aggregated) -> ReportedWords:
    """The sentences on reports that were read, all of them public."""
    announced = found.received.announcement
    said = [
        f"{found.received.support.reports:,} reports{asked_words(found)} by {named_of_reports(announced)}, ε = "
        f"{rounded_up(announced.randomiser.epsilon)} each."
    ]
    if announced.reports_per_person > 1:
        said.append(PersonBudget(announced.randomiser.spent, announced.reports_per_person).text)
    unlikely = unlikely_words(found)
    said += [*([unlikely] if unlikely else []), _whose(found)]
    if processed := processed_by(found):
        said.append(f"They follow from estimates before {processed}.")
    said += beyond_words(found)
    if found.participants is not None:
        said.append(f"{took_part_words(found)}.")
    said.append(announced.promise)
    doubts = [
        *([_SIMULATION] if announced.simulated else []),
        *([TRIAL] if announced.trial else []),
        *([] if announced.declared else [ASSUMED]),
        *([f"No promise: {' '.join(announced.doubts)}"] if announced.doubts else []),
    ]
    said += doubts
    said += announced.told_cautions(said)
    return ReportedWords(tuple(said), bool(doubts or unlikely))
